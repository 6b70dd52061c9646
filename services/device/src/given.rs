//! A match that a device gives to a service: what was chosen in it, and the same match played
//! again.
//!
//! A service believes nothing that followed from the choices: it deals from the seed and plays them
//! by its own rules. Each step costs what the action costs in a match, so a request is bounded by
//! its size.

use answers::{action_of, motion_of, number, timestamp};
use contract::v1;
use contract::v1::device_action::Kind;
use games::Game;
use positions::Digest;
use prost_types::Duration;
use table::{Event, KEPT_OPTIONS, RESIGN, Seat, Small, TAKE_BACK, TALK};

use crate::calls::{motion_from, parsed};
use crate::device::Device;
use crate::played::{Command, New, NewSeat, PLATFORM, Played, id_of};
use crate::refusal::Refusal;

impl Device {
    /// The request that gives a match to a service, once it has ended.
    pub fn give(&self, name: &str) -> Result<v1::ImportMatchRequest, Refusal> {
        let played = self.found(name)?;
        let refused = |reason: &str, message: &str| {
            Err(Refusal::new("failed_precondition", reason, message.to_owned()))
        };
        if !played.table.ended() {
            return refused("MATCH_NOT_ENDED", "the match has not ended");
        }
        let is_own = played.row.platform == PLATFORM
            && played.row.terms.is_of_device()
            && played.row.match_id == id_of(&played.seed);
        match is_own {
            true => Ok(request_of(played)),
            false => refused("RECORD_NOT_PROVEN", "the match was dealt by another program"),
        }
    }
}

fn request_of(played: &Played) -> v1::ImportMatchRequest {
    let Played { row, game, seed, entries, .. } = played;
    let mut options = row.terms.options.clone();
    options.retain(|name, _| name != TALK && !KEPT_OPTIONS.contains(&&**name));
    let seats = Seat::all().zip(&row.seated).map(|(seat, it)| v1::DeviceSeat {
        bot: played.bot(seat).unwrap_or_default().to_owned(),
        display_name: it.display_name.clone().unwrap_or_default(),
    });
    let last = entries.last().expect("it was dealt");
    let actions = entries.iter().zip(&entries[1..]).map(|(before, it)| {
        let entry = &it.entry;
        let kind = match (&entry.action, entry.verb, entry.events.first()) {
            (Some(body), ..) => Some(Kind::Action(action_of(*game, body.clone()))),
            (None, RESIGN, _) => Some(Kind::Resigned(true)),
            (None, TAKE_BACK, _) => Some(Kind::TookBack(true)),
            (None, _, Some(&Event::Voted { motion, on: true, .. })) => {
                Some(Kind::Voted(motion_of(motion).into()))
            }
            (None, _, Some(&Event::Voted { motion, on: false, .. })) => {
                Some(Kind::Withdrew(motion_of(motion).into()))
            }
            (None, ..) => None,
        };
        let wait_ms = (it.create_time - before.create_time).whole_milliseconds();
        v1::DeviceAction {
            seat: entry.seat.map(number).unwrap_or_default(),
            wait: (wait_ms > 0).then(|| duration(wait_ms as i64)),
            kind,
        }
    });
    v1::ImportMatchRequest {
        seed: seed.to_vec(),
        game: contract::names::game_name(game.name()),
        rules_version: last.entry.rules,
        options: options.into_iter().collect(),
        seats: seats.collect(),
        create_time: Some(timestamp(row.create_time)),
        actions: actions.collect(),
        digest: last.digest.map(|it| it.as_bytes().to_vec()).unwrap_or_default(),
        ..v1::ImportMatchRequest::default()
    }
}

/// A match that was given, as far as it was played again.
pub struct Given {
    game: &'static dyn Game,
    new: New,
    actions: std::vec::IntoIter<v1::DeviceAction>,
    /// Of the last entry on the device.
    digest: Digest,
    /// The number of actions that were played.
    acted: usize,
    now_ms: i64,
    played: Option<Played>,
}

/// Why a match that was given is not what the rules lead to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct NotProven {
    /// The field of the request that is wrong.
    pub field: String,
    pub reason: String,
}

impl NotProven {
    fn new(field: impl Into<String>, reason: impl Into<String>) -> NotProven {
        NotProven { field: field.into(), reason: reason.into() }
    }
}

/// The last millisecond that a time of the record can have.
const LATEST_MS: i64 = 253_402_300_799_999;

impl Given {
    /// Reads a request, and plays nothing yet.
    pub fn read(request: v1::ImportMatchRequest) -> Result<Given, NotProven> {
        let name = contract::names::game_id(&request.game).ok();
        let game = name.and_then(games::find);
        let game =
            game.ok_or_else(|| NotProven::new("game", "devices play the built-in games only"))?;
        if request.rules_version != game.rules_version() {
            let reason = format!(
                "the device played by version {} of the rules, and the service has version {}",
                request.rules_version,
                game.rules_version()
            );
            return Err(NotProven::new("rules_version", reason));
        }
        let seed = request.seed.try_into();
        let seed = seed.map_err(|_| NotProven::new("seed", "a seed has 32 bytes"))?;
        let people = request.seats.iter().filter(|it| it.bot.is_empty()).count();
        if people != 1 {
            let reason = format!("one seat is the player's, and {people} have no bot");
            return Err(NotProven::new("seats", reason));
        }
        let own = |name: &&String| KEPT_OPTIONS.contains(&&***name) || **name == TALK;
        if let Some(name) = request.options.keys().find(own) {
            return Err(NotProven::new("options", format!("{name:?} is no option on a device")));
        }
        let create_time = request.create_time.unwrap_or_default();
        let now_ms = whole_ms(create_time.seconds, create_time.nanos);
        let now_ms = now_ms.ok_or_else(|| {
            NotProven::new("create_time", "times are whole milliseconds from 1970 on")
        })?;
        let digest = Digest::try_from(&request.digest[..]);
        let digest = digest.map_err(|_| NotProven::new("digest", "a digest has 32 bytes"))?;
        let seats = request.seats.into_iter();
        let seats = seats.map(|it| NewSeat { bot: it.bot, display_name: it.display_name });
        let new = New {
            seed,
            game: game.name().to_owned(),
            seats: seats.collect(),
            options: request.options.into_iter().collect(),
            now_ms,
        };
        let actions = request.actions.into_iter();
        Ok(Given { game, new, actions, digest, acted: 0, now_ms, played: None })
    }

    /// Plays so many more actions; the deal comes first. Returns whether more are left.
    pub fn play(&mut self, most: usize) -> Result<bool, NotProven> {
        if self.played.is_none() {
            let dealt = Played::deal(self.new.clone());
            self.played = Some(dealt.map_err(|it| {
                let field = it.facts.into_iter().find(|(name, _)| name == "field");
                NotProven::new(field.map_or_else(|| "seats".to_owned(), |it| it.1), it.message)
            })?);
        }
        for action in self.actions.by_ref().take(most) {
            let played = self.played.as_mut().expect("it was dealt above");
            let next = act(played, self.game, &mut self.now_ms, action);
            next.map_err(|reason| NotProven::new(format!("actions[{}]", self.acted), reason))?;
            self.acted += 1;
        }
        Ok(self.actions.len() > 0)
    }

    /// The match, if it has ended and is the one of the device.
    pub fn finish(self) -> Result<Played, NotProven> {
        let unfinished = || NotProven::new("actions", "the match has not ended");
        let played = self.played.filter(|it| it.table.ended()).ok_or_else(unfinished)?;
        match played.entries.last().and_then(|it| it.digest) == Some(self.digest) {
            true => Ok(played),
            false => {
                let reason = "it is the digest of another match, or the device has other rules";
                Err(NotProven::new("digest", reason))
            }
        }
    }
}

/// Plays an action, or says why it cannot have happened.
fn act(
    played: &mut Played,
    game: &dyn Game,
    now_ms: &mut i64,
    action: v1::DeviceAction,
) -> Result<(), String> {
    let wait = action.wait.unwrap_or_default();
    let later = whole_ms(wait.seconds, wait.nanos).map(|wait| *now_ms + wait);
    let later = later.filter(|it| *it <= LATEST_MS);
    *now_ms = later.ok_or("a wait is whole milliseconds, up to the year 9999")?;
    let seat = played.table.seats().find(|&it| number(it) == action.seat);
    let seat = seat.ok_or_else(|| format!("the match has no seat {}", action.seat))?;
    let command = match action.kind {
        Some(Kind::Action(action)) => parsed(game, &action).map(|it| Command::Act(seat, it)),
        Some(Kind::Resigned(true)) => Ok(Command::Resign(seat)),
        Some(Kind::TookBack(true)) => Ok(Command::TakeBack(seat)),
        Some(Kind::Voted(motion)) => motion_from(motion).map(|it| Command::Vote(seat, it, true)),
        Some(Kind::Withdrew(motion)) => {
            motion_from(motion).map(|it| Command::Vote(seat, it, false))
        }
        Some(Kind::Resigned(false) | Kind::TookBack(false)) | None => {
            return Err("it says nothing of what the seat did".to_owned());
        }
    };
    let played = command.and_then(|it| played.carry_out(&it, *now_ms));
    played.map(|_| ()).map_err(|it| it.message)
}

/// Milliseconds, if they are whole and not before 1970, or of no negative duration.
fn whole_ms(seconds: i64, nanos: i32) -> Option<i64> {
    let is_whole = (0..=LATEST_MS / 1000).contains(&seconds)
        && (0..1_000_000_000).contains(&nanos)
        && nanos % 1_000_000 == 0;
    is_whole.then(|| seconds * 1000 + i64::from(nanos) / 1_000_000)
}

fn duration(ms: i64) -> Duration {
    Duration { seconds: ms / 1000, nanos: (ms % 1000 * 1_000_000) as i32 }
}
