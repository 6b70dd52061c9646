//! Erasing a player: who it was and what it said, in the database and in every process.

use std::time::Duration;

use store::{Erasure, Erasures};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::budgets::Lane;
use crate::create::{check_player, random};
use crate::detached::Detached;
use crate::{Caller, Error, Matches};

/// How often a process reads which players were erased: the time in which each forgets them.
const INTERVAL: Duration = Duration::from_secs(2);

/// How long one read may take.
const READ_WAIT: Duration = Duration::from_secs(5);

impl Matches {
    /// Erases a player of the platform. Returns false if there is none of this id. It completes
    /// even if the caller drops this future, and if the process ends, another one completes it.
    pub async fn erase_player(&self, caller: &Caller, player: &str) -> Result<bool, Error> {
        check_player("name", player)?;
        let (matches, caller, player) = (self.clone(), caller.clone(), player.to_owned());
        let erasing = async move { matches.erase_whole(&caller, &player).await };
        Detached::new(erasing).await?
    }

    async fn erase_whole(&self, caller: &Caller, player: &str) -> Result<bool, Error> {
        let platform = caller.platform()?;
        let pseudonym = format!("erased-{}", Uuid::from_bytes(random()).simple());
        let erasing = self.0.store.erase_player(platform, player, &pseudonym);
        let erased = self.in_lane(Lane::Writes, platform, erasing).await;
        let Some(seats) = erased.map_err(Error::after_write)? else { return Ok(false) };
        self.0.live.forget_players(&seats);
        Ok(true)
    }

    /// How often players were erased, as far as this process knows. Whoever keeps names of players
    /// reads them again when it has changed.
    pub fn erasures(&self) -> u64 {
        self.0.live.erasures()
    }

    /// Forgets the players that other processes erase, and carries out what they leave, until
    /// `stop` is cancelled.
    pub async fn follow_erasures(self, mut erasures: Erasures, stop: CancellationToken) {
        let mut carrying = Carrying::default();
        let mut is_failing = false;
        loop {
            let read = timeout(READ_WAIT, erasures.read()).await;
            match read.unwrap_or(Err(store::Error::TimedOut)) {
                Ok(changes) => {
                    if !changes.seats.is_empty() {
                        self.0.live.forget_players(&changes.seats);
                    }
                    carrying.take_over(&self.0.store, changes.under_way);
                    is_failing = false;
                }
                Err(error) => {
                    if !std::mem::replace(&mut is_failing, true) {
                        let error = &error as &dyn std::error::Error;
                        tracing::warn!(error, "cannot read which players were erased, retrying");
                    }
                }
            }
            tokio::select! {
                () = stop.cancelled() => break,
                () = sleep(INTERVAL) => {}
            }
        }
    }
}

/// Carrying out what others have left. It waits for locks, so it has a task of its own.
#[derive(Default)]
struct Carrying {
    /// What was under way at the last read; none before the first.
    before: Option<Vec<Erasure>>,
    task: Option<JoinHandle<()>>,
}

impl Carrying {
    /// Carries out what was under way already at the last read, and so is likely to have been left.
    /// At the start that is everything.
    fn take_over(&mut self, store: &store::Store, under_way: Vec<Erasure>) {
        let is_left = |it: &Erasure| self.before.as_ref().is_none_or(|before| before.contains(it));
        let left: Vec<Erasure> = under_way.iter().filter(|it| is_left(it)).cloned().collect();
        self.before = Some(under_way);
        if left.is_empty() || self.task.as_ref().is_some_and(|task| !task.is_finished()) {
            return;
        }
        let store = store.clone();
        self.task = Some(tokio::spawn(async move {
            for erasure in &left {
                match store.carry_out(erasure).await {
                    Ok(()) => tracing::info!("carried out an erasure that was left unfinished"),
                    Err(error) => {
                        let error = &error as &dyn std::error::Error;
                        tracing::warn!(error, "cannot carry out an erasure, retrying");
                    }
                }
            }
        }));
    }
}
