//! Following the erasures of other processes: this process forgets the players, and completes
//! erasures that were left unfinished.

use std::time::Duration;

use accounts::{Accounts, Erasure, Erasures};
use database::pace;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::matches::Matches;

/// How often a process that is used reads erasures, and thus how long it may still know an erased
/// player.
const INTERVAL: Duration = Duration::from_secs(2);

/// How long one read may take.
const READ_WAIT: Duration = Duration::from_secs(5);

impl Matches {
    /// Forgets players whom other processes erase, and completes erasures that they left
    /// unfinished, until `stop` is cancelled.
    pub async fn follow_erasures(self, mut erasures: Erasures, stop: CancellationToken) {
        let mut carrying = Carrying::default();
        let mut is_failing = false;
        loop {
            let read = timeout(READ_WAIT, erasures.read()).await;
            match read.unwrap_or(Err(database::Error::TimedOut)) {
                Ok(changes) => {
                    if !changes.seats.is_empty() {
                        self.0.live.cache.forget_players(&changes.seats);
                    }
                    carrying.take_over(&self.0.accounts, changes.under_way);
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
                () = pace::pause(INTERVAL) => {}
            }
        }
    }
}

/// Completing the erasures that other processes left. It waits for locks, so it has a task of its
/// own.
#[derive(Default)]
struct Carrying {
    /// The erasures that were under way at the last read; `None` before the first.
    before: Option<Vec<Erasure>>,
    task: Option<JoinHandle<()>>,
}

impl Carrying {
    /// Completes the erasures that were already under way at the last read, and so were probably
    /// left. At the start that is all of them.
    fn take_over(&mut self, accounts: &Accounts, under_way: Vec<Erasure>) {
        let is_left = |it: &Erasure| self.before.as_ref().is_none_or(|before| before.contains(it));
        let left: Vec<Erasure> = under_way.iter().filter(|it| is_left(it)).cloned().collect();
        self.before = Some(under_way);
        if left.is_empty() || self.task.as_ref().is_some_and(|task| !task.is_finished()) {
            return;
        }
        let accounts = accounts.clone();
        #[expect(
            clippy::disallowed_methods,
            reason = "it ends with these erasures, which are tried again"
        )]
        let task = tokio::spawn(async move {
            for erasure in &left {
                match accounts.carry_out(erasure).await {
                    Ok(()) => tracing::info!("carried out an erasure that was left unfinished"),
                    Err(error) => {
                        let error = &error as &dyn std::error::Error;
                        tracing::warn!(error, "cannot carry out an erasure, retrying");
                    }
                }
            }
        });
        self.task = Some(task);
    }
}
