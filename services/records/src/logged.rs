//! A match compared with its leaves in a transparency log.

use positions::Digest;
use rows::MatchId;
use table::{PlayerCommitment, Seat, Small};
use time::OffsetDateTime;
use tlog::{Proof, Signed, VerifierKey};

use crate::blocks::Block;
use crate::code::{Code, Problem};
use crate::leaf::{Closed, Leaf, LeafKind, Opened, PlatformTag};
use crate::read::read_block;

/// What a log must have of a match.
pub struct Loggable {
    match_id: MatchId,
    platform: String,
    opened: Opened,
    /// By seat: the commitments to the players whom the record names.
    players: Vec<Vec<[u8; 32]>>,
    /// `None` while the match is under way.
    closed: Option<Closed>,
    /// Of the first entry.
    deal_time: Option<OffsetDateTime>,
}

/// Where a leaf is, and the checkpoint that has it.
pub(crate) struct Found {
    pub index: u64,
    pub signed: Signed,
    /// Of an opening: the number of players to whom it commits and whom the record names.
    pub players: usize,
    /// Of an opening in a log that tells platforms apart.
    pub platform: Option<PlatformTag>,
}

impl Loggable {
    /// Of a match whose record can be read as a whole.
    pub fn of(block: &Block) -> Option<Loggable> {
        let whole = read_block(block).ok()?;
        let match_id = whole.row.match_id;
        let end = whole.entries.last().zip(whole.decoded.last());
        let closed = end.and_then(|(row, entry)| {
            let is_won = !entry.winners()?.is_empty();
            let digest: Digest = row.digest?;
            Some(Closed::ended(match_id, row.position, digest, row.create_time, is_won))
        });
        let mut players = vec![Vec::new(); usize::try_from(whole.row.seats).unwrap_or_default()];
        for it in &whole.row.seated {
            let seat = u8::try_from(it.seat).ok().and_then(|seat| Seat::try_from(seat).ok())?;
            let before = it.before.iter().map(|it| (it.speech_key, &it.player));
            for (key, player) in before.chain([(it.speech_key, &it.player)]) {
                let Some(key) = key else { continue };
                let of = PlayerCommitment::new(match_id.0.as_bytes(), seat, &key.0, player);
                players.get_mut(seat.index())?.push(of.commitment);
            }
        }
        Some(Loggable {
            match_id,
            opened: Opened::of(&whole.row),
            platform: whole.row.platform,
            players,
            closed,
            deal_time: whole.entries.first().map(|it| it.create_time),
        })
    }

    pub fn match_id(&self) -> MatchId {
        self.match_id
    }

    pub(crate) fn platform(&self) -> &str {
        &self.platform
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.closed.is_some()
    }

    /// The second of the deal, since 1970.
    pub(crate) fn deal_s(&self) -> Option<i64> {
        self.deal_time.map(OffsetDateTime::unix_timestamp)
    }

    /// Verifies a proof of one of its leaves, and compares the leaf with the record.
    pub(crate) fn compare(
        &self,
        kind: LeafKind,
        proof: &Proof,
        key: &VerifierKey,
    ) -> Result<Found, Problem> {
        let (leaf, signed) = leaf_of(kind, proof, key)?;
        let (players, platform) = match (&leaf, &self.closed) {
            (Leaf::Opened(logged), _) => (self.compare_opened(logged)?, logged.platform),
            (Leaf::Closed(logged), Some(closed)) if logged == closed => (0, None),
            (Leaf::Closed(_), _) => return Err(differs("the log has another end of it")),
        };
        Ok(Found { index: proof.index, signed, players, platform })
    }

    fn compare_opened(&self, logged: &Opened) -> Result<usize, Problem> {
        // Nobody but the service can compute the tag of a platform.
        let Opened { match_hash, time_us, digest, seed_commitment, platform: _, players } = logged;
        let its = &self.opened;
        if (match_hash, time_us) != (&its.match_hash, &its.time_us) {
            return Err(differs("the log has it as another match, or of another time"));
        }
        if (digest, seed_commitment) != (&its.digest, &its.seed_commitment) {
            return Err(differs("it was opened otherwise, as the log has it"));
        }
        if players.len() != self.players.len() {
            return Err(differs("the log has it with another number of seats"));
        }
        let is_named = |(logged, named): &(&Option<[u8; 32]>, &Vec<[u8; 32]>)| {
            logged.is_some_and(|it| named.contains(&it))
        };
        Ok(players.iter().zip(&self.players).filter(is_named).count())
    }
}

/// The leaf that a proof has, which must be of this kind, and the checkpoint that has it.
pub(crate) fn leaf_of(
    kind: LeafKind,
    proof: &Proof,
    key: &VerifierKey,
) -> Result<(Leaf, Signed), Problem> {
    let invalid = |reason: String| Code::LogProofInvalid.because(reason);
    let signed = proof.verify(key).map_err(|reason| {
        invalid(format!("the proof that it was {} does not hold: {reason}", kind.name()))
    })?;
    let leaf = Leaf::parse(&proof.leaf);
    let leaf = leaf.ok_or_else(|| invalid("the leaf is of a later release".to_owned()))?;
    match leaf.kind() == kind {
        true => Ok((leaf, signed)),
        false => Err(differs(&format!("the leaf does not say that it was {}", kind.name()))),
    }
}

pub(crate) fn differs(reason: &str) -> Problem {
    Code::LogDiffers.because(reason)
}

#[cfg(test)]
pub(crate) mod tests {
    use rows::match_name;
    use tlog::leaf_hash;

    use super::*;
    use crate::blocks::Blocks;
    use crate::cases::matches::digested;
    use crate::common::{Played, text_of};
    use crate::leaf::End;
    use crate::look::tests::{key, signed};
    use crate::{Answer, Kept, Verification};

    /// A match that ended, whose entries commit to its two players.
    fn played() -> Played {
        let game = games::find("mountebank").expect("a game");
        let mut played = Played::new(game, 2, 2, 2000);
        assert!(played.is_over());
        played.seat_players();
        played
    }

    /// The same, dealt this many seconds after it was created.
    pub(crate) fn dealt_after(seconds: i64) -> Played {
        let mut late = played();
        late.recorded.iter_mut().for_each(|it| it.create_time += time::Duration::seconds(seconds));
        digested(&mut late);
        late
    }

    pub(crate) fn loggable(played: &Played) -> Loggable {
        let text = text_of(&played.lines());
        let block = Blocks::new(text.as_bytes()).and_then(|mut it| it.read()).expect("a file");
        Loggable::of(&block.expect("a match")).expect("it can be read")
    }

    /// A proof of a log that has this leaf alone.
    pub(crate) fn proof_of(leaf: &Leaf) -> Proof {
        let leaf = leaf.bytes();
        let note = signed(&[leaf_hash(&leaf)]);
        Proof { leaf, index: 0, hashes: Vec::new(), note }
    }

    fn compare(it: &Loggable, kind: LeafKind, leaf: Leaf) -> Result<Found, Code> {
        let proof = proof_of(&leaf);
        it.compare(kind, &proof, &key().verifier()).map_err(|problem| problem.code)
    }

    pub(crate) fn closed(played: &Played, is_won: bool) -> Closed {
        let last = played.recorded.last().expect("entries");
        let digest = last.digest.expect("it has one");
        Closed::ended(played.row.match_id, last.position, digest, last.create_time, is_won)
    }

    #[test]
    fn a_match_is_compared_with_its_closing() {
        let played = played();
        let it = loggable(&played);
        assert_eq!(match_name(it.match_id()), match_name(played.row.match_id));
        assert_eq!(it.platform(), played.row.platform);
        assert_eq!((it.deal_s(), loggable(&dealt_after(7)).deal_s()), (Some(0), Some(7)));
        assert!(it.has_ended());
        let closed = |is_won| closed(&played, is_won);
        let compare_closed = |it: &Loggable, closed| {
            compare(it, LeafKind::Closed, Leaf::Closed(closed)).map(|it| it.players)
        };
        assert_eq!(compare_closed(&it, closed(true)), Ok(0));
        assert_eq!(compare_closed(&it, closed(false)), Err(Code::LogDiffers), "somebody won");
        let deleted = Closed { position: 0, end: End::Deleted, ..closed(true) };
        assert_eq!(compare_closed(&it, deleted), Err(Code::LogDiffers));

        let mut running = played.clone();
        running.entries.pop();
        running.record();
        let it = loggable(&running);
        assert!(!it.has_ended());
        assert_eq!(compare_closed(&it, closed(true)), Err(Code::LogDiffers), "it goes on");
    }

    #[test]
    fn a_match_is_compared_with_its_opening() {
        let played = played();
        let it = loggable(&played);
        let compare_changed = |change: &dyn Fn(&mut Opened)| {
            let mut opened = Opened::of(&played.row);
            change(&mut opened);
            compare(&it, LeafKind::Opened, Leaf::Opened(opened))
        };
        let found = compare_changed(&|_| {}).expect("it is the same");
        assert_eq!((found.index, found.signed.checkpoint.size), (0, 1));
        assert_eq!((found.players, found.platform), (2, None));
        let tagged = compare_changed(&|it| it.platform = Some([5; 16])).expect("it is the same");
        assert_eq!(tagged.platform, Some([5; 16]));
        let of_other_players = compare_changed(&|it| it.players[1] = Some([4; 32]));
        assert_eq!(of_other_players.expect("nobody is named twice").players, 1);
        let changes: [&dyn Fn(&mut Opened); 5] = [
            &|it| it.match_hash[0] ^= 1,
            &|it| it.time_us += 1,
            &|it| it.digest[0] ^= 1,
            &|it| it.seed_commitment[0] ^= 1,
            &|it| it.players.push(None),
        ];
        for change in changes {
            assert_eq!(compare_changed(change).err(), Some(Code::LogDiffers));
        }
        let opened = Leaf::Opened(Opened::of(&played.row));
        let of_other_kind = compare(&it, LeafKind::Closed, opened);
        assert_eq!(of_other_kind.err(), Some(Code::LogDiffers));
    }

    #[test]
    fn a_file_is_compared_with_the_proofs_that_were_kept() {
        let played = played();
        let opened = Leaf::Opened(Opened::of(&played.row));
        let verify = |is_won| {
            let closed = Leaf::Closed(closed(&played, is_won));
            let kept = Kept {
                log_key: Some(key().verifier().to_string()),
                proofs: [&opened, &closed].map(|it| proof_of(it).to_string()).into(),
                ..Kept::default()
            };
            let mut verification = Verification::new(&kept).expect("it can be used");
            verification.take(text_of(&played.lines()).as_bytes());
            verification.finish()
        };
        let tally = verify(true);
        let report = tally.log.clone().expect("the key of the log was kept");
        assert_eq!((tally.answer(), report.opened, report.closed), (Answer::Proven, 1, 1));
        assert_eq!((&*report.origin, report.matches[0].players), ("log.example/a", 2));
        assert_eq!(verify(false).wrong[0].code, Code::LogDiffers);
    }
}
