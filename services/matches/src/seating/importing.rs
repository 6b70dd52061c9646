//! Matches that players' own devices dealt, taken over once they have ended.
//!
//! A device proves nothing about who played, when, or whether somebody looked at the seed. So the
//! service takes from it only what was chosen: it deals and decides again, gives bots names of its
//! own, binds the one seat without a bot to the caller, and marks the match. The id follows from
//! the seed, so nobody can take that of another match.
//!
//! The entries are recorded one after the other. Until the last one is there, nothing else is
//! recorded in such a match (`accepting`), so a repeated call completes what an interrupted one
//! began.

use std::iter;

use device::{Given, NotProven, Played};
use event_log::{Append, Draft, Premise, Right};
use positions::{Position, Recorded};
use records::{Chain, Creation, Digested};
use rows::{MatchRow, SeatRow, level_of};
use store::Copied;
use table::{PlayerCommitment, Seat, Small};
use time::{Duration, OffsetDateTime};

use super::bots::{bot_id, bot_name};
use super::speech::speech_key;
use crate::access::{Caller, Grant, Lane};
use crate::detached::Detached;
use crate::error::Error;
use crate::matches::Matches;
use crate::request::{check_player, display_names};
use crate::summary::Summary;

/// How many actions are played again at a time.
const PIECE: usize = 64;

/// How long ago a match may have been dealt, by the word of its device.
const AGE_MAX: Duration = Duration::days(366);

/// The player who gives a match, by the caller's rights.
#[derive(Debug)]
pub struct Giver {
    /// `None` if a platform names nobody.
    player: Option<String>,
}

impl Matches {
    /// The player who gives a match: the caller's own, or the one that a platform names. Counts it.
    pub async fn giver(&self, caller: &Caller, named: Option<&str>) -> Result<Giver, Error> {
        let player = self.giving_player(caller, named).await?;
        let budget = self.budgets().of(&caller.platform);
        budget.check_import(&caller.grant, player.as_deref().unwrap_or_default())?;
        Ok(Giver { player })
    }

    /// Records a match of a device, with this player on the seat that has no bot. Completes even if
    /// the caller drops this future.
    pub async fn import(
        &self,
        caller: &Caller,
        giver: Giver,
        given: Given,
    ) -> Result<Summary, Error> {
        let (matches, caller) = (self.clone(), caller.clone());
        let player = giver.player.ok_or_else(|| Error::invalid("player", "name the player"))?;
        let importing = async move { matches.import_whole(&caller, player, given).await };
        Detached::new(importing).await?
    }

    async fn giving_player(
        &self,
        caller: &Caller,
        named: Option<&str>,
    ) -> Result<Option<String>, Error> {
        let own = match &caller.grant {
            Grant::Platform => {
                named.map_or(Ok(()), |named| check_player("player", named))?;
                return Ok(named.map(str::to_owned));
            }
            Grant::Player(own) => own.to_string(),
            Grant::Seat(match_id, seat) => {
                let live = self.live(caller, *match_id).await?;
                let seated = live.players().into_iter().nth(seat.index()).flatten();
                let seated = seated.filter(|it| !it.is_erased && it.bot().is_none());
                seated.ok_or(Error::RightEnded)?.player
            }
            Grant::Spectator(..) | Grant::Guest(_) => return Err(Error::PlatformOnly),
        };
        match named {
            Some(named) if named != own => Err(Error::OtherPlayer),
            _ => Ok(Some(own)),
        }
    }

    async fn import_whole(
        &self,
        caller: &Caller,
        player: String,
        given: Given,
    ) -> Result<Summary, Error> {
        let platform = &*caller.platform;
        let played = self.played_again(caller, given).await?;
        let new = row_of(platform, player, &played, self.now())?;
        let match_id = new.match_id;
        let copying = self.0.store.create_copy(&new, &played.seed);
        let (row, is_new) = match self.in_lane(Lane::Writes, platform, copying).await? {
            Copied::Copied => (new, true),
            Copied::Exists => {
                let finding = self.0.store.find(platform, match_id);
                let found = self.in_lane(Lane::Lists, platform, finding).await?;
                (found.filter(|it| is_same(it, &new)).ok_or(Error::MatchExists)?, false)
            }
            Copied::PreviousFollowed(_) => {
                return Err(Error::Internal("a match of a device follows none".into()));
            }
        };
        let entries = entries_of(&row, &played);
        let known = match is_new {
            true => Vec::new(),
            false => {
                let log = self.0.store.log();
                let reading = log.entries(match_id, Position::START, entries.len() as i64 + 1);
                self.in_lane(Lane::History, platform, reading).await?
            }
        };
        // Of a match that retention reduced, only the digests are there.
        let is_same = known.iter().zip(&entries).all(|(known, new)| known.digest == new.digest);
        if !is_same || known.len() > entries.len() {
            return Err(Error::MatchExists);
        }
        for nth in known.len()..entries.len() {
            self.record_given(caller, &row, &entries, nth).await?;
        }
        // Somebody may have looked in the meantime.
        self.0.live.cache.forget(match_id);
        let live = self.live_of(platform, match_id).await.map_err(Error::after_write)?;
        self.summary_with_notes(caller, &live).await.map_err(Error::after_write)
    }

    /// Plays the match by the rules of this program, a piece at a time.
    async fn played_again(&self, caller: &Caller, given: Given) -> Result<Played, Error> {
        let (mut given, mut is_more) = (given, true);
        while is_more {
            let piece = move || {
                let mut given = given;
                given.play(PIECE).map(|is_more| (given, is_more))
            };
            (given, is_more) = self.budgets().work(caller, piece).await?.map_err(not_proven)?;
        }
        given.finish().map_err(not_proven)
    }

    async fn record_given(
        &self,
        caller: &Caller,
        row: &MatchRow,
        entries: &[Recorded],
        nth: usize,
    ) -> Result<(), Error> {
        let _slot = self.0.budgets.action_slot(&row.platform).await?;
        let it = &entries[nth];
        let right = caller.right.as_ref();
        let right = right.map(|it| Right { text: it.right.to_sql().into(), since: it.since });
        let draft = Draft {
            stream: row.match_id,
            position: it.position,
            request_id: None,
            create_time: it.create_time,
            body: it.body.clone(),
            before: nth.checked_sub(1).and_then(|before| entries[before].digest),
            digest: it.digest.ok_or_else(|| Error::Internal("no digest was computed".into()))?,
            epoch: self.0.store.log().epoch(),
            companion: None,
            premise: Premise { decided: None, right },
        };
        match self.0.writer.append(draft).await? {
            Append::Recorded => Ok(()),
            Append::RightEnded => Err(Error::RightEnded),
            // The record went back, or another process records the same.
            Append::Conflict | Append::Untimely => Err(Error::Overloaded),
        }
    }
}

fn not_proven(NotProven { field, reason }: NotProven) -> Error {
    Error::RecordNotProven { field, reason }
}

/// The row of a match that was played again, at the times of its device. If its clock is ahead, all
/// times are set back.
fn row_of(
    platform: &str,
    player: String,
    played: &Played,
    now: OffsetDateTime,
) -> Result<MatchRow, Error> {
    let of_device = &played.row;
    let last = played.recorded.last().map_or(of_device.create_time, |it| it.create_time);
    let ahead = (last - now).max(Duration::ZERO);
    if of_device.create_time < now - AGE_MAX {
        let rule = format!("the match was dealt more than {} days ago", AGE_MAX.whole_days());
        return Err(Error::invalid("create_time", rule));
    }
    let create_time = whole_micros(of_device.create_time - ahead);
    let person = |it: &&SeatRow| level_of(&it.player).is_none();
    let name = of_device.seated.iter().find(person).and_then(|it| it.display_name.as_deref());
    let name = display_names::parse("seats", name.unwrap_or_default())?;
    let seated = Seat::all().zip(&of_device.seated).map(|(seat, it)| {
        let (player, display_name) = match level_of(&it.player) {
            None => (player.clone(), name.clone()),
            Some(level) => {
                let people = iter::once((&*player, name.as_deref()));
                (bot_id(level), Some(bot_name(seat, people)))
            }
        };
        SeatRow { player, display_name, speech_key: Some(speech_key()), create_time, ..it.clone() }
    });
    let seated = seated.collect();
    Ok(MatchRow { platform: platform.to_owned(), create_time, seated, ..of_device.clone() })
}

/// Rounded down, as times are stored.
fn whole_micros(time: OffsetDateTime) -> OffsetDateTime {
    time - Duration::nanoseconds((time.nanosecond() % 1000).into())
}

/// Whether the match that is recorded is the one that is given: of the same player, and with the
/// same bots, whose ids and keys are chosen anew each time.
fn is_same(known: &MatchRow, new: &MatchRow) -> bool {
    let is_seat_same = |(known, new): (&SeatRow, &SeatRow)| {
        let is_bot_same =
            level_of(&known.player).is_some() && level_of(&known.player) == level_of(&new.player);
        (known.player == new.player || is_bot_same)
            && !known.is_erased
            && known.speech_key.is_some()
            && known.before.is_empty()
    };
    known.game == new.game
        && known.terms == new.terms
        && known.seated.len() == new.seated.len()
        && known.seated.iter().zip(&new.seated).all(is_seat_same)
}

/// The entries of a match with this row.
fn entries_of(row: &MatchRow, played: &Played) -> Vec<Recorded> {
    let later = row.create_time - played.row.create_time;
    let mut digests = Chain::new(Creation::from(row), &played.seed);
    let entries = played.entries.iter().enumerate().map(|(nth, it)| {
        let mut entry = it.entry.clone();
        if nth == 0 {
            let commitment = |(seat, it): (Seat, &SeatRow)| {
                let key = it.speech_key?.0;
                Some(PlayerCommitment::new(row.match_id.0.as_bytes(), seat, &key, &it.player))
            };
            entry.players = Seat::all().zip(&row.seated).filter_map(commitment).collect();
        }
        let mut recorded = Recorded {
            position: it.position,
            bucket_position: 0,
            request_id: None,
            create_time: whole_micros(it.create_time + later),
            body: entry.encode(),
            digest: None,
        };
        recorded.digest = Some(digests.next(Digested::of(&recorded, entry.seat.map(u8::from))));
        recorded
    });
    entries.collect()
}
