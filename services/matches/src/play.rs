//! How an action is accepted: decided on the newest state, durable, then told.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use games::Refused;
use store::{Append, Draft, MatchId, Position};
use table::{Entry, Seat, Table};
use tokio::time::timeout;

use crate::detached::Detached;
use crate::live::{Head, LiveMatch, Placed};
use crate::{Caller, Error, Matches, RedactedEntry, Submission, now};

/// Losing an attempt means another entry was accepted, so the match moves either way. One that
/// loses so often in a row is told that the match is too busy.
const ATTEMPTS_MAX: usize = 32;

/// How long an action waits for the ones before it in its match. Longer than one append may take,
/// so that only a queue is shed.
const TURN_WAIT: Duration = Duration::from_secs(6);

/// Actions of different matches that are under way at once; what comes on top is refused before
/// anything is decided. It is a tenth of a second's work: whoever is not refused has an answer
/// soon.
pub(crate) const UNDER_WAY_MAX: usize = 2048;

/// A request id is a client's own: a UUID or a chat message's number fits.
const REQUEST_ID_BYTES_MAX: usize = 64;

/// The set-up's own, so that it happens once; a client's has no space in it.
pub(crate) const SET_UP_ID: &str = "set up";

/// An action as it came from a client: the game that it names, and that game's own message.
#[derive(Clone, Debug)]
pub struct Action {
    pub game: &'static str,
    pub body: Bytes,
}

/// What an entry records.
#[derive(Clone, Debug)]
pub(crate) enum What {
    SetUp,
    /// The game's own message.
    Action(Seat, Bytes),
    Resign(Seat),
}

impl Matches {
    /// Accepts an action, once, and tells the seat what it became.
    pub async fn submit(
        &self,
        caller: &Caller,
        submission: Submission,
    ) -> Result<RedactedEntry, Error> {
        let Submission { match_id, seat, action, expected, request_id } = submission;
        let live = self.live(caller, match_id).await?;
        let seat = live.seated(caller.acts_as(seat)?)?;
        let action = canonical(&live, &action)?;
        self.settle(&live, What::Action(seat, action), seat, expected, request_id).await
    }

    /// Gives a seat up.
    pub async fn resign(
        &self,
        caller: &Caller,
        match_id: MatchId,
        seat: Option<Seat>,
        request_id: Option<String>,
    ) -> Result<RedactedEntry, Error> {
        let live = self.live(caller, match_id).await?;
        let seat = live.seated(caller.acts_as(seat)?)?;
        self.settle(&live, What::Resign(seat), seat, None, request_id).await
    }

    async fn settle(
        &self,
        live: &Arc<LiveMatch>,
        what: What,
        seat: Seat,
        expected: Option<Position>,
        request_id: Option<String>,
    ) -> Result<RedactedEntry, Error> {
        check_request_id(request_id.as_deref())?;
        let placed = self.accept(live, what, expected, request_id).await?;
        Ok(RedactedEntry::of(live, &placed, table::Viewer::Seat(seat)))
    }

    /// Accepts `what`. A caller who goes away cancels nothing.
    pub(crate) async fn accept(
        &self,
        live: &Arc<LiveMatch>,
        what: What,
        expected: Option<Position>,
        request_id: Option<String>,
    ) -> Result<Arc<Placed>, Error> {
        let (matches, live) = (self.clone(), live.clone());
        let accepting =
            async move { matches.accept_whole(&live, &what, expected, request_id).await };
        Detached::new(accepting).await?
    }

    async fn accept_whole(
        &self,
        live: &LiveMatch,
        what: &What,
        expected: Option<Position>,
        request_id: Option<String>,
    ) -> Result<Arc<Placed>, Error> {
        // Those who crowd at one match take no place from others: each has one when its match's
        // turn has come. Whoever waited for that is not refused for want of a place; only whoever
        // comes anew is, and at once.
        let under_way = &self.0.under_way;
        let _queued = live.queue.try_acquire().map_err(|_| Error::Overloaded)?;
        let _turn = match live.writing.try_lock() {
            Ok(writing) => (writing, under_way.try_acquire().map_err(|_| Error::Overloaded)?),
            Err(_) => {
                let turn = async { (live.writing.lock().await, under_way.acquire().await) };
                let (writing, permit) =
                    timeout(TURN_WAIT, turn).await.map_err(|_| Error::Overloaded)?;
                (writing, permit.expect("it is never closed"))
            }
        };
        for _ in 0..ATTEMPTS_MAX {
            match self.attempt(live, what, expected, request_id.as_deref()).await? {
                Attempt::Recorded(placed) | Attempt::Repeated(placed) => return Ok(placed),
                Attempt::Moved => {}
            }
        }
        Err(Error::Overloaded)
    }

    async fn attempt(
        &self,
        live: &LiveMatch,
        what: &What,
        expected: Option<Position>,
        request_id: Option<&str>,
    ) -> Result<Attempt, Error> {
        let head = match live.head_for(request_id) {
            Ok(head) => head,
            Err(position) => return Box::pin(self.repeat(live, position, what)).await,
        };
        match decide(live, &head, what, expected) {
            Ok((position, entry)) => {
                // The entry will take effect on this table, which is copied if anybody holds on to
                // it.
                drop(head);
                self.record(live, position, entry, request_id).await
            }
            // A refusal, too, is decided on the newest state: another process may have moved the
            // match on.
            Err(refused) => {
                Box::pin(live.refresh(&self.0.store)).await?;
                if live.position() == head.position { Err(refused) } else { Ok(Attempt::Moved) }
            }
        }
    }

    /// Answers a request that was recorded before.
    async fn repeat(
        &self,
        live: &LiveMatch,
        position: Position,
        what: &What,
    ) -> Result<Attempt, Error> {
        let before = Position(position.0 - 1);
        let stored = live.since(&self.0.store, before, 1).await?.pop();
        let stored = stored.ok_or_else(|| Error::Internal("a recorded entry is gone".into()))?;
        if what.became(&stored.entry) {
            Ok(Attempt::Repeated(stored))
        } else {
            Err(Error::RequestIdReused)
        }
    }

    async fn record(
        &self,
        live: &LiveMatch,
        position: Position,
        entry: Entry,
        request_id: Option<&str>,
    ) -> Result<Attempt, Error> {
        let placed = Arc::new(Placed {
            position,
            create_time: now(),
            request_id: request_id.map(str::to_owned),
            entry,
        });
        let draft = Draft {
            match_id: live.id(),
            position,
            request_id: placed.request_id.clone(),
            create_time: placed.create_time,
            body: placed.entry.encode(),
        };
        match self.0.writer.append(draft).await {
            Ok(Append::Recorded) => {
                live.apply([placed.clone()]);
                Ok(Attempt::Recorded(placed))
            }
            Ok(Append::Conflict) => {
                Box::pin(live.refresh(&self.0.store)).await?;
                Ok(Attempt::Moved)
            }
            Err(error) => Err(error.into()),
        }
    }
}

impl What {
    /// Whether `entry` records the same.
    fn became(&self, entry: &Entry) -> bool {
        match self {
            What::SetUp => entry.seat.is_none(),
            What::Action(seat, action) => {
                entry.seat == Some(*seat) && entry.action.as_ref() == Some(action)
            }
            What::Resign(seat) => entry.seat == Some(*seat) && entry.verb == table::RESIGN,
        }
    }
}

enum Attempt {
    Recorded(Arc<Placed>),
    Repeated(Arc<Placed>),
    /// Another entry was accepted meanwhile: decide again.
    Moved,
}

/// What `what` leads to on the table as this process knows it, and where it would be recorded.
fn decide(
    live: &LiveMatch,
    head: &Head,
    what: &What,
    expected: Option<Position>,
) -> Result<(Position, Entry), Error> {
    if expected.is_some_and(|expected| expected != head.position) {
        return Err(Error::PositionMoved { position: head.position });
    }
    let next = head.position.next();
    let mut chance = live.chance(next);
    let entry = match (what, &head.table) {
        (What::SetUp, None) => {
            let options = live.game.check_options(&live.options, live.seats());
            let options = options.map_err(|error| Error::Internal(error.into()))?;
            live.game.open(live.seats(), &options, &mut chance).1
        }
        (What::SetUp, Some(_)) => {
            return Err(Error::Internal("the match is set up already".into()));
        }
        (_, None) => return Err(Error::NotStarted),
        (What::Action(seat, action), Some(table)) => {
            played(live, live.game.play(table, *seat, action, &mut chance))?
        }
        (What::Resign(seat), Some(table)) => {
            played(live, live.game.resign(table, *seat, &mut chance))?
        }
    };
    Ok((next, entry))
}

fn played(live: &LiveMatch, played: Result<(Table, Entry), Refused>) -> Result<Entry, Error> {
    match played {
        Ok((_, entry)) => Ok(entry),
        Err(Refused::Malformed(message)) => Err(Error::MalformedAction(message)),
        Err(Refused::Table { reason, message }) => {
            Err(Error::Refused { game: None, reason, message, facts: Vec::new() })
        }
        Err(Refused::Refusal { reason, message, facts }) => {
            Err(Error::Refused { game: Some(live.game.name()), reason, message, facts })
        }
    }
}

/// The action in the one form in which it is recorded, however a client wrote it, so that a retry
/// can be told.
fn canonical(live: &LiveMatch, action: &Action) -> Result<Bytes, Error> {
    let game = live.game.name();
    if action.game != game {
        let rule = format!("the match is of {game}, the action of {}", action.game);
        return Err(Error::MalformedAction(rule));
    }
    live.game.canonical(&action.body).map_err(|error| Error::MalformedAction(error.to_string()))
}

pub(crate) fn check_request_id(request_id: Option<&str>) -> Result<(), Error> {
    let fits = |id: &str| {
        (1..=REQUEST_ID_BYTES_MAX).contains(&id.len()) && id.bytes().all(|it| it.is_ascii_graphic())
    };
    if request_id.is_none_or(fits) {
        Ok(())
    } else {
        let rule = format!("a request_id has 1 to {REQUEST_ID_BYTES_MAX} visible ASCII characters");
        Err(Error::Invalid(rule))
    }
}
