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
