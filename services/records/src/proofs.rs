//! What a record proves without the rules of its game: digests and choices follow from the seed and
//! the contributions, and everything is there and in its place.
//!
//! Every verifier checks this, in this order, so that all give the same answer with the same code.

use positions::{Digest, Position, Recorded};
use rows::{MatchId, SeatRow, Seed};
use table::{Chance, Choice, Contribution, MatchChance};
use time::OffsetDateTime;

use crate::body::Body;
use crate::code::{Code, Problem, ensure};
use crate::creation::Creation;
use crate::digest::{Chain, Digested};
use crate::players::Players;
use crate::verified::Verified;

/// Verifies the entries of one match.
pub(crate) struct Proofs {
    match_id: MatchId,
    seats: i16,
    seed: Option<Seed>,
    /// Computes the digests, if the seed is known.
    digests: Option<Chain>,
    /// From the seed and the contributions, once they are known.
    chance: Option<MatchChance>,
    players: Players,
    /// The time of the last entry; before the first one, of the creation.
    last_time: OffsetDateTime,
    pub(crate) verified: Verified,
}

impl Proofs {
    pub(crate) fn new(
        creation: Creation<'_>,
        seated: &[SeatRow],
        seed: Option<Seed>,
    ) -> Result<Proofs, Problem> {
        let commitment = creation.terms.seed_commitment;
        let is_promised = seed.is_none_or(|seed| *blake3::hash(&seed).as_bytes() == commitment);
        ensure(is_promised, Code::SeedWrong, || {
            "the seed does not match its commitment".to_owned()
        })?;
        Ok(Proofs {
            match_id: creation.match_id,
            seats: creation.seats,
            seed,
            digests: seed.map(|seed| Chain::new(creation, &seed)),
            chance: None,
            players: Players::new(creation.match_id, seated),
            last_time: creation.create_time,
            verified: Verified {
                has_seed: seed.is_some(),
                seed_commitment: commitment.to_vec(),
                ..Verified::default()
            },
        })
    }

    /// Fails unless this is the next entry, and none that follows the end.
    pub(crate) fn check_place(&self, recorded: &Recorded) -> Result<i64, Problem> {
        let position = self.verified.entries + 1;
        ensure(recorded.position == Position(position), Code::PositionWrong, || {
            format!("position {position} is next, not {}", recorded.position.0)
        })?;
        ensure(!self.verified.is_over, Code::EntryAfterEnd, || {
            "it follows the end of the match".to_owned()
        })?;
        ensure(recorded.create_time >= self.last_time, Code::TimeBackwards, || {
            "its time is before that of the entry or the creation before it".to_owned()
        })?;
        Ok(position)
    }

    /// Verifies the next entry, whose place was checked. Returns its digest: computed if the seed
    /// is known, otherwise as it was recorded. After an error the match cannot be verified further.
    pub(crate) fn next(
        &mut self,
        recorded: &Recorded,
        body: &Body<'_>,
    ) -> Result<Option<Digest>, Problem> {
        let seats = self.seats.unsigned_abs().into();
        ensure(body.seat.is_none_or(|seat| seat < seats), Code::SeatUnknown, || {
            format!("the match has no seat {}", body.seat.unwrap_or_default())
        })?;
        self.presence(recorded, body)?;
        let digest = self.digest(recorded, body)?;
        self.contributions(body)?;
        self.choices(&body.choices)?;
        self.players.next(recorded.position.0, body)?;
        self.verified.players = self.players.counts;
        Ok(digest)
    }

    /// Verifies what only the end shows.
    pub(crate) fn check_end(&self) -> Result<(), Problem> {
        self.players.check_end()
    }

    /// Counts an entry in which nothing is wrong.
    pub(crate) fn advance(&mut self, recorded: &Recorded, body: &Body<'_>) {
        self.last_time = recorded.create_time;
        self.verified.entries += 1;
        self.verified.choices += body.choices.len() as u64;
        self.verified.is_over |= body.ends;
    }

    /// Either every entry has a digest and a version of rules, or none has any proof.
    fn presence(&mut self, recorded: &Recorded, body: &Body<'_>) -> Result<(), Problem> {
        let (has_digest, has_rules) = (recorded.digest.is_some(), body.rules > 0);
        let has_chance = !body.choices.is_empty() || !body.contributions.is_empty();
        let has_any = has_digest || has_rules || has_chance || !body.players.is_empty();
        let verified = &mut self.verified;
        if verified.entries == 0 {
            verified.is_without_proofs = !has_any;
        }
        let must = !verified.is_without_proofs;
        for (holds, reason) in [
            (must || !has_any, "it has proofs, and the entries before it have none"),
            (!must || has_digest, "it has no digest"),
            (!must || has_rules, "it has no version of rules"),
        ] {
            ensure(holds, Code::ProofMissing, || reason.to_owned())?;
        }
        Ok(())
    }

    fn digest(&mut self, recorded: &Recorded, body: &Body<'_>) -> Result<Option<Digest>, Problem> {
        let Some(digests) = &mut self.digests else { return Ok(recorded.digest) };
        let seat = body.seat.map(|seat| u8::try_from(seat).expect("a match has few seats"));
        let digest = digests.next(Digested::of(recorded, seat));
        let is_right = recorded.digest.is_none_or(|recorded| recorded == digest);
        ensure(is_right, Code::DigestWrong, || {
            "its digest is wrong: this entry, one before it, or what the match was created with \
             has been altered"
                .to_owned()
        })?;
        Ok(Some(digest))
    }

    /// The contributions stand at the start of the first entry, in the order of the seats.
    fn contributions(&mut self, body: &Body<'_>) -> Result<(), Problem> {
        let invalid =
            |holds, reason: &str| ensure(holds, Code::ContributionInvalid, || reason.to_owned());
        let given = &body.contributions;
        let is_at_start = self.verified.entries == 0 || given.is_empty();
        let is_in_place = is_at_start && !body.has_late_contribution;
        invalid(is_in_place, "contributions are only at the start of a match")?;
        if self.verified.entries > 0 {
            return Ok(());
        }
        let is_in_order = given.is_sorted_by(|one, next| u8::from(one.seat) < u8::from(next.seat));
        let has_seat = |it: &Contribution| i16::from(u8::from(it.seat)) < self.seats;
        let is_one_a_seat = is_in_order && given.iter().all(has_seat);
        invalid(is_one_a_seat, "its contributions are not one a seat, in the order of the seats")?;
        self.verified.contributions.clone_from(given);
        let id = self.match_id.0.as_bytes();
        self.chance = self.seed.map(|seed| MatchChance::new(id, &seed, given));
        Ok(())
    }

    /// The choices of an entry follow from the chance of the match.
    fn choices(&self, choices: &[Choice]) -> Result<(), Problem> {
        let chance = self.chance.as_ref().filter(|_| !choices.is_empty());
        let Some(chance) = chance else { return Ok(()) };
        let mut chance = chance.after(self.verified.choices);
        for (n, &Choice { bound, value }) in choices.iter().enumerate() {
            let drawn = chance.below(bound as usize);
            ensure(drawn == value as usize, Code::ChoiceWrong, || {
                format!(
                    "its choice {} among {bound} is {value}, but the chance of the match gives \
                     {drawn}: it does not follow from the seed and the contributions",
                    n + 1
                )
            })?;
        }
        Ok(())
    }
}
