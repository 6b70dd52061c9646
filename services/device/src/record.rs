//! The record of a match: written for `croupier verify`, and read to go on.

use records::{Writer, end_line, entry_line, header_line, match_line};

use crate::device::Device;
use crate::played::Played;
use crate::refusal::Refusal;

impl Device {
    /// The record of a match as a file. That of a match under way has the seed, which it needs to
    /// go on, and which tells everything that is hidden.
    pub fn record(&self, name: &str) -> Result<String, Refusal> {
        Ok(written(self.found(name)?))
    }

    /// Takes up a match from its record, once it is verified. Returns the name of the match.
    pub fn take_up(&mut self, record: &str) -> Result<String, Refusal> {
        let unusable = |reason: String| Refusal::invalid("record", reason);
        let mut reader =
            records::Reader::new(record.as_bytes()).map_err(|error| unusable(error.to_string()))?;
        let read = records::read_match(&mut reader).map_err(|error| unusable(error.to_string()))?;
        let read = read.ok_or_else(|| unusable("it has no match".to_owned()))?;
        let seed = read.seed.ok_or_else(|| unusable("it has no seed".to_owned()))?;
        let mut played = Played::empty(read.row, read.game, seed);
        for (recorded, entry) in read.entries.into_iter().zip(read.decoded) {
            let mut after = played.table.clone();
            after.apply(&entry);
            played.keep(recorded, entry, after);
        }
        let name = rows::match_name(played.row.match_id);
        self.matches.insert(played.row.match_id, played);
        Ok(name)
    }
}

fn written(played: &Played) -> String {
    let mut writer = Writer::new(Vec::new());
    let mut write = |line| writer.write(&line).expect("it is written to memory");
    write(header_line());
    write(match_line(&played.row, Some(played.seed), played.table.ended()));
    for (recorded, entry) in played.recorded.iter().zip(&played.entries) {
        write(entry_line(recorded, &entry.entry));
    }
    write(end_line(played.row.match_id, played.entries.len()));
    String::from_utf8(writer.into_output()).expect("lines of JSON are text")
}
