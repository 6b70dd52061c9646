//! Accepting a command: decided on the newest table, made durable, then applied.

use std::sync::Arc;
use std::time::Duration;

use event_log::{Append, Draft, Premise, Right};
use metrics::counter;
use positions::{Bucket, Position};
use rows::{MatchId, RecordedEntry};
use table::{LastAction, Seat, Viewer};
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::block_in_place;
use tokio::time::timeout;

use super::command::{Command, Expected, Vote};
use super::decide::{Decision, decide};
use crate::access::Caller;
use crate::detached::Detached;
use crate::error::Error;
use crate::live::{Head, LiveMatch, RequestStatus, Source};
use crate::matches::Matches;

/// Losing an attempt means that another entry was accepted, so the match makes progress either way.
/// A request that loses this many in a row is refused as overloaded. On a busy machine, one request
/// in some 120 lost 32 in a row while two players talked without a pause through another process,
/// and so could not replace one of them.
const ATTEMPTS_MAX: usize = 128;

/// How long an action waits for earlier actions of its match: longer than one append may take, so
/// that only a real queue is shed.
const TURN_WAIT: Duration = Duration::from_secs(6);

/// A counter: actions that were refused because too many were waiting, for their match or for the
/// database.
pub const ACTIONS_SHED: &str = "croupier_actions_shed_total";

/// How many entries are searched for the last action of a seat, in two steps. Usually nobody has
/// talked since; an action further back cannot be taken back.
const LOOKING_BACK: [i64; 2] = [8, 64];

impl Matches {
    /// Accepts a command of a caller, or of the service itself. It completes even if the caller
    /// drops this future.
    pub(crate) async fn accept(
        &self,
        live: &Arc<LiveMatch>,
        caller: Option<&Caller>,
        command: Command,
        expected: Expected,
        request_id: Option<String>,
    ) -> Result<Arc<RecordedEntry>, Error> {
        // The entries of such a match are on their way: see `seating::importing`.
        if live.row().terms.is_of_device() && !live.has_ended() {
            return Err(Error::Overloaded);
        }
        let (matches, mut live, caller) = (self.clone(), live.clone(), caller.cloned());
        let mut command = Arc::new(command);
        let accepting = async move {
            loop {
                let request_id = request_id.clone();
                let caller = caller.as_ref();
                let accepted =
                    matches.accept_in_turn(&live, caller, &command, expected, request_id).await;
                if let Err(Error::RecordWentBack { .. }) = accepted {
                    // The record went back, so the match in memory is no longer valid.
                    live = Box::pin(matches.0.live.load(live.platform(), live.id())).await?;
                    command = matches.by_rules_of(&live, command).await?;
                    continue;
                }
                if let Err(Error::Overloaded) = accepted {
                    counter!(ACTIONS_SHED).increment(1);
                }
                if live.has_ended() {
                    matches.0.live.cache.ended(&live);
                } else if accepted.is_ok() && live.has_bots() {
                    matches.0.bots.add(&live, Duration::ZERO);
                }
                return accepted;
            }
        };
        Detached::new(accepting).await?
    }

    async fn accept_in_turn(
        &self,
        live: &Arc<LiveMatch>,
        caller: Option<&Caller>,
        command: &Arc<Command>,
        expected: Expected,
        request_id: Option<String>,
    ) -> Result<Arc<RecordedEntry>, Error> {
        // Callers queued on one match hold no slot of the global limit until their turn comes.
        let _queued = live.queue.try_acquire().map_err(|_| Error::Overloaded)?;
        let turn = async {
            (live.writing.lock().await, self.0.budgets.action_slot(live.platform()).await)
        };
        let (_writing, slot) = timeout(TURN_WAIT, turn).await.map_err(|_| Error::Overloaded)?;
        let _slot = slot?;
        for _ in 0..ATTEMPTS_MAX {
            if live.is_timed()
                && let Some((excuse, id)) =
                    Box::pin(self.first_due(live, command, request_id.as_deref())).await?
            {
                Box::pin(self.excuse(live, Arc::new(excuse), &id)).await?;
                continue;
            }
            match self.attempt(live, caller, command, expected, request_id.as_deref()).await? {
                Attempt::Recorded(entry) | Attempt::Repeated(entry) => return Ok(entry),
                Attempt::Conflict => {}
            }
        }
        Err(Error::Overloaded)
    }

    /// Gives a match the time of an outage back. Another process may be faster.
    async fn excuse(
        &self,
        live: &Arc<LiveMatch>,
        excuse: Arc<Command>,
        id: &str,
    ) -> Result<(), Error> {
        match self.attempt(live, None, &excuse, Expected::default(), Some(id)).await {
            Ok(_) | Err(Error::NotDue) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn attempt(
        &self,
        live: &Arc<LiveMatch>,
        caller: Option<&Caller>,
        command: &Arc<Command>,
        expected: Expected,
        request_id: Option<&str>,
    ) -> Result<Attempt, Error> {
        if !live.is_current(&self.0.store) {
            return Err(Error::RecordWentBack { position: None, resume: None });
        }
        let head = match live.request_status(command.seat(), request_id) {
            RequestStatus::New(head) => head,
            RequestStatus::Recorded(position) => {
                return Box::pin(self.repeat(live, position, command)).await;
            }
        };
        // Whoever sits there is read after the head, so this is who sits there then, or later.
        if let (Some(caller), Some(seat)) = (caller, command.seat()) {
            caller.acting_seat(live, Some(seat))?;
        }
        if let Command::Act(seat, _) | Command::TakeBack(seat) | Command::Vote(Vote { seat, .. }) =
            &**command
        {
            let budget = self.budgets().of(live.platform());
            budget.check_seat_entries(live.acted(*seat))?;
        }
        let last = match &**command {
            // Rare branches are boxed to keep this future small.
            Command::TakeBack(seat) => Box::pin(self.last_action(live, &head, *seat)).await?,
            _ => None,
        };
        let position = head.position;
        let decided = if live.game.is_suspect() {
            let (its, command) = (live.clone(), command.clone());
            let decide = move || decide_suspect(&its, &head, &command, expected, last.as_ref());
            self.by_rules(live, decide).await?
        } else {
            // The head goes with it: nothing else holds its table while the entry is recorded.
            let decide = move || decide(live, &head, command, expected, last.as_ref());
            if live.is_decided_by_module() { aside(decide) } else { decide() }
        };
        match decided {
            Ok(decision) => self.record(live, caller, decision, request_id).await,
            // A refusal must be decided on the newest table too, and another process may have
            // recorded an entry since.
            Err(refused) => {
                Box::pin(live.refresh(&self.0.live.pages)).await?;
                if live.position() == position { Err(refused) } else { Ok(Attempt::Conflict) }
            }
        }
    }

    /// Whether a viewer, who sees the match at a position, could take back an action there. False
    /// where that cannot be told, because it is not worth failing a view.
    pub async fn can_take_back(
        &self,
        caller: &Caller,
        match_id: MatchId,
        viewer: Viewer,
        position: Position,
    ) -> bool {
        let Viewer::Seat(seat) = viewer else { return false };
        let Ok(live) = self.live(caller, match_id).await else { return false };
        let head = live.head();
        let Some(table) = head.table.as_ref().filter(|_| head.position == position) else {
            return false;
        };
        let Ok(last) = Box::pin(self.last_action(&live, &head, seat)).await else { return false };
        last.is_some() && live.game.take_back(table, last.as_ref(), seat).is_ok()
    }

    /// The last entry up to the head that is not an aside, if it is this seat's.
    async fn last_action(
        &self,
        live: &LiveMatch,
        head: &Head,
        seat: Seat,
    ) -> Result<Option<LastAction>, Error> {
        for count in LOOKING_BACK {
            let after = Position((head.position.0 - count).max(0));
            let entries = live.entries_after(&self.0.live.pages, after, count as usize).await?;
            let mut entries = entries.iter().rev().filter(|it| it.position <= head.position);
            let Some(last) = entries.find(|it| !it.entry.is_aside()) else { continue };
            if last.entry.seat != Some(seat) {
                return Ok(None);
            }
            let before = Position(last.position.0 - 1);
            let before = self.0.live.table_at(live, Source::Memory, before).await?;
            let age = u32::try_from(head.position.0 - last.position.0 + 1).unwrap_or(u32::MAX);
            return Ok(Some(LastAction { before, entry: last.entry.clone(), age }));
        }
        Ok(None)
    }

    /// Answers a request that was recorded before.
    async fn repeat(
        &self,
        live: &LiveMatch,
        position: Position,
        command: &Command,
    ) -> Result<Attempt, Error> {
        let before = Position(position.0 - 1);
        let recorded = live.entries_after(&self.0.live.pages, before, 1).await?.pop();
        let recorded = recorded.ok_or_else(|| Error::Internal("the log has a gap".into()))?;
        if command.is_recorded_by(&recorded.entry) {
            Ok(Attempt::Repeated(recorded))
        } else {
            Err(Error::RequestIdReused)
        }
    }

    async fn record(
        &self,
        live: &LiveMatch,
        caller: Option<&Caller>,
        decision: Decision,
        request_id: Option<&str>,
    ) -> Result<Attempt, Error> {
        let Decision { position, entry, after, before, not_before, substitute } = decision;
        let decided = self.clock().estimate();
        let create_time = decided.time.max(not_before);
        let request_id = request_id.map(str::to_owned);
        let mut entry = RecordedEntry { position, create_time, request_id, entry, digest: None };
        live.seal(position, &mut entry.entry)?;
        live.commit_to_players(&mut entry.entry, substitute.as_deref());
        let body = entry.entry.encode();
        let digest = live.digest(before, &entry, &body);
        entry.digest = Some(digest);
        let entry = Arc::new(entry);
        let draft = Draft {
            stream: live.id(),
            position,
            request_id: entry.request_id.clone(),
            create_time,
            body,
            before: Some(before).filter(|_| position != Position::START.next()),
            digest,
            epoch: live.epoch(),
            companion: substitute.as_ref().map(|it| it.companion()),
            premise: Premise {
                decided: Some(decided),
                right: caller
                    .and_then(|it| it.right.as_ref())
                    .map(|it| Right { text: it.right.to_sql().into(), since: it.since }),
            },
        };
        // A draft for a node that is away would wait in vain.
        self.0.store.database().check_reachable(Bucket::of(live.id()))?;
        match self.0.writer.append(draft).await {
            Ok(Append::Recorded) => {
                substitute.iter().for_each(|it| live.substitute(position, it));
                live.apply_decided(entry.clone(), after);
                live.save_snapshots(&self.0.store);
                Ok(Attempt::Recorded(entry))
            }
            Ok(Append::Conflict) => {
                Box::pin(live.refresh(&self.0.live.pages)).await?;
                Ok(Attempt::Conflict)
            }
            Ok(Append::Untimely) => {
                self.clock().doubt();
                Box::pin(self.time_known()).await?;
                Ok(Attempt::Conflict)
            }
            Ok(Append::RightEnded) => Err(Error::RightEnded),
            Err(error) => Err(error.into()),
        }
    }
}

/// Asks a module that may take a tenth of a second, once. The other tasks of this thread go on
/// meanwhile, if the runtime has more threads.
fn aside<T>(work: impl FnOnce() -> T) -> T {
    match Handle::current().runtime_flavor() {
        RuntimeFlavor::MultiThread => block_in_place(work),
        _ => work(),
    }
}

/// Decides by rules that are suspect. What takes too long is computed once.
fn decide_suspect(
    live: &LiveMatch,
    head: &Head,
    command: &Command,
    expected: Expected,
    last: Option<&LastAction>,
) -> Result<Decision, Error> {
    const TOO_LONG: &str = "TOO_LONG";
    let Command::Act(seat, action) = command else {
        return decide(live, head, command, expected, last);
    };
    let (position, action) = (head.position, action.canonical());
    if let Some(message) = live.too_long.find(position, *seat, &action) {
        return Err(Error::ModuleFailed { game: live.game.name(), fault: TOO_LONG, message });
    }
    let decided = decide(live, head, command, expected, last);
    if let Err(Error::ModuleFailed { fault: TOO_LONG, message, .. }) = &decided {
        live.too_long.note(position, *seat, action, message);
    }
    decided
}

enum Attempt {
    Recorded(Arc<RecordedEntry>),
    /// The same request was recorded before.
    Repeated(Arc<RecordedEntry>),
    /// Another entry was accepted in between, so the command must be decided again.
    Conflict,
}
