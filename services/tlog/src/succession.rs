//! That another log follows one that has ended, by a statement of both keys. It is not of C2SP.

use crate::checkpoint::Checkpoint;
use crate::note::{Note, NoteError, SigningKey, VerifierKey};

/// The first line. It has spaces, which no name of a log has, so it is no checkpoint.
const HEADER: &str = "croupier log succession v1";

/// A chain of logs is followed so far.
const LOGS_MAX: usize = 100;

/// That a log ended with a checkpoint, and which log follows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Succession {
    /// What the log that ended signed last.
    pub last: Checkpoint,
    /// The key of the log that follows.
    pub next: VerifierKey,
}

impl Succession {
    /// Signed by the key of the log that ended, and by that of the next one, which agrees.
    pub fn sign(&self, old: &SigningKey, new: &SigningKey) -> Note {
        let text = format!("{HEADER}\n{}\n{}", self.next, self.last.text());
        Note::unsigned(text).signed(old).signed(new)
    }

    /// Parses a statement, and verifies that both keys signed it.
    fn verify(note: &str, old: &VerifierKey) -> Result<Succession, NoteError> {
        let note = Note::parse(note)?;
        note.verify(old)?;
        let rest = note.text.strip_prefix(HEADER).and_then(|it| it.strip_prefix('\n'));
        let (next, last) = rest.and_then(|it| it.split_once('\n')).ok_or(NoteError::NotANote)?;
        let next: VerifierKey = next.parse().map_err(|_| NoteError::NotANote)?;
        let last = Checkpoint::parse(last).ok_or(NoteError::NotACheckpoint)?;
        if last.origin != old.name() {
            return Err(NoteError::OtherLog(last.origin));
        }
        note.verify(&next)?;
        Ok(Succession { last, next })
    }

    /// The logs that follow the one with this key, by statements one after the other, each with its
    /// text. Empty if none does.
    pub fn follow(key: &VerifierKey, statements: &str) -> Vec<(Succession, String)> {
        let starts: Vec<usize> = statements.match_indices(HEADER).map(|(at, _)| at).collect();
        let ends = starts.iter().skip(1).copied().chain([statements.len()]);
        let texts: Vec<&str> =
            starts.iter().zip(ends).map(|(start, end)| &statements[*start..end]).collect();
        let (mut followed, mut key) = (Vec::new(), key.clone());
        while followed.len() < LOGS_MAX {
            let next = |text: &&str| Some((Succession::verify(text, &key).ok()?, text.to_string()));
            let Some((succession, text)) = texts.iter().find_map(next) else { break };
            key = succession.next.clone();
            followed.push((succession, text));
        }
        followed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str, nth: u8) -> SigningKey {
        SigningKey::new(name, &[nth; 32]).expect("a name")
    }

    fn statement(old: &SigningKey, new: &SigningKey, signer: &SigningKey) -> String {
        let origin = old.verifier().name().to_owned();
        let last = Checkpoint { origin, size: 7, root: [7; 32] };
        Succession { last, next: new.verifier() }.sign(signer, new).to_string()
    }

    #[test]
    fn logs_follow_each_other_as_their_keys_say() {
        let (one, two, three) = (key("log/1", 1), key("log/2", 2), key("log/3", 3));
        let all = statement(&one, &two, &one) + &statement(&two, &three, &two);
        let names = |key: &SigningKey, text: &str| -> Vec<String> {
            let followed = Succession::follow(&key.verifier(), text);
            followed.iter().map(|(it, _)| it.next.name().to_owned()).collect()
        };
        assert_eq!(names(&one, &all), ["log/2", "log/3"]);
        assert_eq!(names(&two, &all), ["log/3"]);
        assert_eq!(names(&three, &all), [""; 0]);
        let (_, text) = &Succession::follow(&one.verifier(), &all)[0];
        assert_eq!(*text, statement(&one, &two, &one));
        // Somebody else announces a log, or announces somebody else's.
        assert_eq!(names(&one, &statement(&one, &two, &three)), [""; 0]);
        let unwilling = statement(&one, &two, &one);
        let cut = unwilling.rsplit_once("— log/2").expect("it signed").0;
        assert_eq!(names(&one, cut), [""; 0]);
        assert_eq!(names(&one, &unwilling.replace("\n7\n", "\n8\n")), [""; 0]);
        // A log that follows itself is followed for a while.
        let around = statement(&one, &two, &one) + &statement(&two, &one, &two);
        assert_eq!(names(&one, &around).len(), LOGS_MAX);
    }

    #[test]
    fn a_statement_is_no_checkpoint() {
        let (one, two) = (key("log/1", 1), key("log/2", 2));
        let note = statement(&one, &two, &one);
        assert!(crate::checkpoint::Signed::verify(&note, &one.verifier()).is_err());
    }
}
