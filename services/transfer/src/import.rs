//! Recording the matches of a file of records in a store.

use accounts::Accounts;
use event_log::append::{self, Append, Draft, Premise};
use positions::{Position, Recorded};
use records::WholeMatch;
use rows::{MatchRow, match_name};
use store::{Copied, Store};
use tokio_util::sync::CancellationToken;

use crate::error::Error;

/// How many matches to import concurrently. The entries of one match are recorded one after
/// another, so full batches need many matches.
pub const AT_ONCE: usize = 128;

/// Records matches through the writer that the service uses.
pub struct Importer<'s> {
    store: &'s Store,
    handle: append::Handle,
    drain: CancellationToken,
    writing: tokio::task::JoinHandle<()>,
}

impl<'s> Importer<'s> {
    pub fn new(store: &'s Store) -> Importer<'s> {
        let writer = append::Service::new(store.log(), append::Options::default());
        let (handle, drain) = (writer.handle(), CancellationToken::new());
        #[expect(clippy::disallowed_methods, reason = "an import without it fails")]
        let writing = tokio::spawn(writer.run(drain.clone()));
        Importer { store, handle, drain, writing }
    }

    /// Records a match, or its missing entries. Returns how many entries were missing; `None` if
    /// the match was complete.
    pub async fn import(&self, it: &WholeMatch) -> Result<Option<usize>, Error> {
        let name = match_name(it.row.match_id);
        let Some(seed) = it.seed else {
            return Err(Error::NoSeed(name));
        };
        if it.row.terms.is_of_device() && !it.verified.is_over {
            return Err(Error::UnfinishedOnDevice(name));
        }
        #[expect(clippy::disallowed_methods, reason = "it is a part of the import")]
        Accounts::new(self.store.database())
            .create_platform(&it.row.platform, self.store.database().clock().now())
            .await?;
        let is_new = match self.store.create_copy(&it.row, &seed).await? {
            Copied::Copied => true,
            Copied::Exists => false,
            Copied::PreviousFollowed(next) => {
                return Err(Error::PreviousFollowed { name, next: match_name(next) });
            }
        };
        let mut known_entries = Vec::new();
        if !is_new {
            let known = self.store.find_any(it.row.match_id).await?;
            if !known.is_some_and(|known| is_same(&known, &it.row)) {
                return Err(Error::OtherMatch(name));
            }
            let mut entries = self.store.entries_of(&[it.row.match_id]).await?;
            known_entries = entries.remove(&it.row.match_id).unwrap_or_default();
        }
        if !known_entries.iter().zip(&it.entries).all(|(known, new)| is_same_entry(known, new)) {
            return Err(Error::OtherEntries(name));
        }
        for nth in known_entries.len()..it.entries.len() {
            self.record(it, nth, &name).await?;
        }
        let missing = it.entries.len().saturating_sub(known_entries.len());
        Ok((is_new || missing > 0).then_some(missing))
    }

    async fn record(&self, it: &WholeMatch, nth: usize, name: &str) -> Result<(), Error> {
        let recorded = &it.entries[nth];
        let before = nth.checked_sub(1).and_then(|before| it.entries[before].digest);
        let draft = Draft {
            stream: it.row.match_id,
            position: recorded.position,
            request_id: recorded.request_id.clone(),
            create_time: recorded.create_time,
            body: recorded.body.clone(),
            before,
            digest: recorded.digest.ok_or_else(|| Error::NoSeed(name.to_owned()))?,
            epoch: self.store.log().epoch(),
            companion: None,
            premise: Premise::default(),
        };
        match self.handle.append(draft).await? {
            Append::Recorded => Ok(()),
            Append::Conflict | Append::Untimely | Append::RightEnded => {
                let Position(position) = recorded.position;
                Err(Error::Conflict { name: name.to_owned(), position })
            }
        }
    }

    /// Stops the writer.
    pub async fn finish(self) {
        self.drain.cancel();
        let _ = self.writing.await;
    }
}

/// Whether an entry equals the one of the file. If only its digest is kept, the digests are
/// compared.
fn is_same_entry(known: &Recorded, new: &Recorded) -> bool {
    known.body == new.body || known.is_stub() && known.digest == new.digest
}

/// Whether two rows describe the same match.
fn is_same(one: &MatchRow, other: &MatchRow) -> bool {
    (&one.platform, &one.game, one.seats) == (&other.platform, &other.game, other.seats)
        && one.terms == other.terms
}
