//! The matches of this process that may wait for a bot.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rows::MatchId;
use tokio::sync::Notify;
use tokio::time::timeout_at;

use super::live_match::LiveMatch;

/// The capacity of the queue. Matches beyond it that wait for a bot are found in the database.
pub(crate) const QUEUE_MAX: usize = 10_000;

/// Matches in which something happened that may concern their bots. Platforms take turns.
#[derive(Default)]
pub(crate) struct BotQueue {
    state: Mutex<QueueState>,
    added: Notify,
}

#[derive(Default)]
struct QueueState {
    /// `None` until this process plays for the bots; until then nothing is queued.
    patience: Option<Duration>,
    /// By platform, in the order of their turns; no list is empty.
    ready: VecDeque<(String, VecDeque<MatchId>)>,
    /// Matches that are not ready before a time; the number makes the keys unique.
    later: BTreeMap<(Instant, u64), (String, MatchId)>,
    /// Every queued match, with its key if it is in `later`.
    queued: HashMap<MatchId, Option<(Instant, u64)>>,
    added: u64,
}

impl BotQueue {
    pub fn serve(&self, patience: Duration) {
        self.state.lock().expect(LOCKED).patience = Some(patience);
    }

    /// Queues a match in which this process recorded something.
    pub fn add(&self, live: &LiveMatch, delay: Duration) {
        self.add_after(live, |_| delay);
    }

    /// Queues a match in which another process recorded something. That process asks the bots
    /// first.
    pub fn add_remote(&self, live: &LiveMatch) {
        self.add_after(live, |patience| patience);
    }

    fn add_after(&self, live: &LiveMatch, delay: impl Fn(Duration) -> Duration) {
        let mut state = self.state.lock().expect(LOCKED);
        let Some(patience) = state.patience else { return };
        let delay = delay(patience);
        state.added += 1;
        let key = (delay > Duration::ZERO).then(|| (Instant::now() + delay, state.added));
        match state.queued.get(&live.id()).copied() {
            None if state.queued.len() >= QUEUE_MAX => return,
            None => {}
            // The sooner time counts.
            Some(Some(before)) if key.is_none_or(|key| key < before) => {
                state.later.remove(&before);
            }
            Some(_) => return,
        }
        state.queued.insert(live.id(), key);
        let queued = (live.platform().to_owned(), live.id());
        match key {
            None => state.push(queued),
            Some(key) => drop(state.later.insert(key, queued)),
        }
        drop(state);
        self.added.notify_one();
    }

    /// Queues a match that the database lists as waiting.
    pub fn add_found(&self, platform: String, match_id: MatchId) {
        let mut state = self.state.lock().expect(LOCKED);
        if state.queued.len() < QUEUE_MAX && !state.queued.contains_key(&match_id) {
            state.queued.insert(match_id, None);
            state.push((platform, match_id));
        }
    }

    /// Takes the next matches; platforms take turns.
    pub fn take(&self, most: usize) -> Vec<(String, MatchId)> {
        let mut state = self.state.lock().expect(LOCKED);
        let rest = state.later.split_off(&(Instant::now(), u64::MAX));
        let ripe = std::mem::replace(&mut state.later, rest);
        for it in ripe.into_values() {
            state.queued.insert(it.1, None);
            state.push(it);
        }
        let mut taken = Vec::new();
        while taken.len() < most {
            let Some((platform, mut matches)) = state.ready.pop_front() else { break };
            let match_id = matches.pop_front().expect("none is empty");
            state.queued.remove(&match_id);
            taken.push((platform.clone(), match_id));
            if !matches.is_empty() {
                state.ready.push_back((platform, matches));
            }
        }
        taken
    }

    /// Returns once there may be something to take.
    pub async fn woken(&self) {
        let added = self.added.notified();
        let next = {
            let state = self.state.lock().expect(LOCKED);
            match state.ready.is_empty() {
                true => state.later.keys().next().map(|key| key.0),
                false => return,
            }
        };
        match next {
            Some(at) => {
                let _ = timeout_at(at.into(), added).await;
            }
            None => added.await,
        }
    }
}

const LOCKED: &str = "nobody panics holding it";

impl QueueState {
    fn push(&mut self, (platform, match_id): (String, MatchId)) {
        match self.ready.iter_mut().find(|it| it.0 == platform) {
            Some((_, matches)) => matches.push_back(match_id),
            None => self.ready.push_back((platform, VecDeque::from([match_id]))),
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::fixtures::Played;

    fn id(number: u128) -> MatchId {
        MatchId(Uuid::from_u128(number))
    }

    #[test]
    fn no_platform_waits_for_all_matches_of_another() {
        let queue = BotQueue::default();
        for (platform, number) in [("acme", 1), ("acme", 2), ("acme", 3), ("zeta", 4)] {
            queue.state.lock().expect(LOCKED).push((platform.to_owned(), id(number)));
        }
        let taken: Vec<MatchId> = queue.take(3).into_iter().map(|it| it.1).collect();
        assert_eq!(taken, [id(1), id(4), id(2)]);
        assert_eq!(queue.take(3), [("acme".to_owned(), id(3))]);
        assert_eq!(queue.take(3), []);
    }

    #[tokio::test]
    async fn a_match_is_queued_once_and_not_before_its_time() {
        let (queue, live) = (BotQueue::default(), Played::new().live());
        queue.add(&live, Duration::ZERO);
        assert_eq!(queue.take(9), [], "nobody plays for bots");
        queue.serve(Duration::from_millis(500));
        queue.add(&live, Duration::ZERO);
        queue.add(&live, Duration::ZERO);
        queue.woken().await;
        assert_eq!(queue.take(9).len(), 1);
        queue.add_remote(&live);
        assert_eq!(queue.take(9), [], "another process plays it first");
        queue.add(&live, Duration::ZERO);
        assert_eq!(queue.take(9).len(), 1, "this one is to play it now");
        assert_eq!(queue.take(9), []);
        queue.add_remote(&live);
        queue.add(&live, Duration::from_secs(3600));
        let began = Instant::now();
        while queue.take(9).is_empty() {
            queue.woken().await;
        }
        assert!(began.elapsed() < Duration::from_secs(60));
    }
}
