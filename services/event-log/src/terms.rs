//! The terms of the installation that a process knows.
//!
//! A database that went back does not say so. But Postgres counts timelines: it begins another one
//! when a standby is promoted and when an earlier moment is restored, and another cluster has
//! another identifier. A process compares both with those that the database itself remembers, when
//! it starts, on each new connection of its writer, and every few seconds. If they are others, it
//! begins a *term*, before anything is written. So a loss is noticed even if no process is left
//! that remembers what was lost.
//!
//! A term also begins when entries are seen to be gone, when a client proves that it was told a
//! later term, and by an operator. Within a process each new term is a new epoch.
//!
//! [`settling`](crate::settling) reads terms and begins them. See `docs/decisions/0059-terms.md`.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use positions::{BUCKETS, Heads, Term};
use sqlx::Row;
use sqlx::postgres::PgRow;
use time::OffsetDateTime;
use tokio::sync::Notify;
use tokio::time::Instant;

/// A term of the installation, as the database has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Began {
    pub term: Term,
    /// The term before it; unknown for the first one.
    pub previous: Term,
    pub reason: String,
    pub begin_time: OffsetDateTime,
    /// By bucket: up to this position the record is known to be the same as in the term before.
    pub shared: Box<Heads>,
    /// Entries that were recorded before this time were not lost; `None` if that is not known.
    pub void_since: Option<OffsetDateTime>,
}

/// Why a term begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The server was promoted or restored, or the tables are on another one.
    ServerChanged,
    /// Entries that were read before are gone.
    EntriesLost,
    /// A client has a cursor of entries that are gone.
    ClaimsLost,
    /// A client was told a later term.
    LaterTermMet,
    Operator,
}

impl Reason {
    pub fn text(self) -> &'static str {
        match self {
            Self::ServerChanged => "the database was promoted, restored or replaced",
            Self::EntriesLost => "recorded entries were gone",
            Self::ClaimsLost => "a client had been told entries that are gone",
            Self::LaterTermMet => "a client had been told a later term",
            Self::Operator => "an operator raised it",
        }
    }
}

/// What may have changed between two terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// By bucket: up to this position the record is known to be the same.
    pub shared: Box<Heads>,
    /// Entries that were recorded before this time were not lost; `None` if that is not known.
    pub void_since: Option<OffsetDateTime>,
}

/// The terms that a process knows.
pub(crate) struct Terms {
    /// Newest first.
    began: Mutex<Arc<[Began]>>,
    /// The current term; 0 if it was not read yet.
    current: AtomicI64,
    /// The term for which this process has compared what it has read with the record.
    pub entered: AtomicI64,
    /// Held while a task compares the database with what is known.
    pub settling: tokio::sync::Mutex<()>,
    met: Met,
    /// Whether it was logged that the role may not see the server's identity.
    pub is_hidden: AtomicBool,
}

/// The greatest terms that were met elsewhere; 0 for none.
#[derive(Default)]
struct Met {
    /// In a token or a cursor of this installation.
    proven: AtomicI64,
    /// From another process.
    heard: AtomicI64,
    added: Notify,
    /// When a process was last reported that is in a later term.
    reported: Mutex<Option<Instant>>,
}

/// The shortest time between two looks because of what was met, and between two reports of it.
const LOOK_GAP: Duration = Duration::from_millis(500);
const REPORT_GAP: Duration = Duration::from_secs(60);

impl Default for Terms {
    fn default() -> Self {
        Self {
            began: Mutex::new(Arc::new([])),
            current: AtomicI64::new(Term::UNKNOWN.0),
            entered: AtomicI64::new(Term::UNKNOWN.0),
            settling: tokio::sync::Mutex::default(),
            met: Met::default(),
            is_hidden: AtomicBool::new(false),
        }
    }
}

impl Terms {
    pub fn current(&self) -> Term {
        Term(self.current.load(Relaxed))
    }

    /// Makes the last term that was read the current one. Returns the one before.
    pub fn advance(&self) -> Term {
        Term(self.current.swap(self.last().0, Relaxed))
    }

    /// The terms that were read, newest first.
    pub fn began(&self) -> Arc<[Began]> {
        lock(&self.began).clone()
    }

    pub fn set_began(&self, began: Arc<[Began]>) {
        *lock(&self.began) = began;
    }

    /// The last term that was read.
    pub fn last(&self) -> Term {
        lock(&self.began).first().map_or(Term::UNKNOWN, |it| it.term)
    }

    /// Remembers a term that was met elsewhere, if it is later than the current one.
    pub fn met(&self, term: Term, is_proven: bool) {
        if self.current().is_known() && term > self.current() {
            let greatest = if is_proven { &self.met.proven } else { &self.met.heard };
            greatest.fetch_max(term.0, Relaxed);
            self.met.added.notify_one();
        }
    }

    /// Waits until a later term than the current one was met, for which the database is to be
    /// looked at, at most every [`LOOK_GAP`].
    pub async fn wanted(&self) {
        tokio::time::sleep(LOOK_GAP).await;
        loop {
            let added = self.met.added.notified();
            if self.proven().0.max(self.met.heard.load(Relaxed)) > self.current().0 {
                return;
            }
            added.await;
        }
    }

    /// The latest term that a client has proven.
    pub fn proven(&self) -> Term {
        Term(self.met.proven.load(Relaxed))
    }

    /// Takes the latest term that another process said it is in.
    pub fn take_heard(&self) -> Term {
        Term(self.met.heard.swap(0, Relaxed))
    }

    /// Whether it is time to report a process of a later term again.
    pub fn reports(&self) -> bool {
        let mut reported = lock(&self.met.reported);
        let is_due = reported.is_none_or(|last| last.elapsed() >= REPORT_GAP);
        if is_due {
            *reported = Some(Instant::now());
        }
        is_due
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no holder of this lock panics")
}

impl Changed {
    /// What may have changed since a term, given the terms that began.
    pub(crate) fn since(term: Term, began: &[Began]) -> Self {
        let mut shared = Box::new([i64::MAX; BUCKETS]);
        let (mut earliest, mut is_known) = (None, true);
        for it in began.iter().filter(|it| it.term > term && it.previous.is_known()) {
            for (shared, its) in shared.iter_mut().zip(*it.shared) {
                *shared = its.min(*shared);
            }
            is_known &= it.void_since.is_some();
            earliest = earliest.into_iter().chain(it.void_since).min();
        }
        Self { shared, void_since: earliest.filter(|_| is_known) }
    }
}

impl Began {
    pub(crate) fn of_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        let shared: Vec<i64> = row.try_get("shared")?;
        let shared = shared.try_into().expect("a check constraint makes it this long");
        Ok(Self {
            term: row.try_get("term")?,
            previous: row.try_get("previous")?,
            reason: row.try_get("reason")?,
            begin_time: row.try_get("begin_time")?,
            shared,
            void_since: row.try_get("void_since")?,
        })
    }
}
