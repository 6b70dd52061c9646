//! Reads the terms of the installation, and begins one if the database is not the one that it was.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use database::{Error, Pool, is_unique_violation};
use metrics::{counter, gauge};
use positions::{BUCKETS, Bucket, Heads, Mark, Term};
use sqlx::postgres::{PgConnection, PgExecutor, PgRow};
use sqlx::{Connection, Executor, Row};
use time::OffsetDateTime;

use crate::Log;
use crate::heads::{AtMark, heads_after};
use crate::marks::Epoch;
use crate::terms::{Began, Changed, Reason};

/// A gauge: the term of the installation.
pub const TERM: &str = "croupier_term";
/// A counter: how often a process or a client was met in a later term than the database has.
pub const LATER_TERMS: &str = "croupier_later_terms_met_total";

/// How far the times of entries may be from the order in which they were recorded: a process of an
/// earlier release takes the time from its machine, and an entry may wait to be recorded.
const OUT_OF_ORDER_MAX: Duration = Duration::from_secs(60);

/// Makes commits durable on this server without waiting for a standby. A standby that lacks a term
/// begins another one when it is promoted.
const LOCAL: &str = "set synchronous_commit = local";

/// The SQLSTATEs of a function that a role may not call, or that a server does not have.
const HIDDEN: [&str; 2] = ["42501", "42883"];

/// The identity of a Postgres server, and the timeline that it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Server {
    system_identifier: i64,
    timeline: i64,
}

/// A term to begin.
struct Beginning<'a> {
    reason: Reason,
    /// It must be later than this one, too.
    past: Term,
    /// The buckets that are known to have lost entries, with the last entry that they still have.
    lost: &'a [(Bucket, Mark)],
    void_since: Option<OffsetDateTime>,
    servers: &'a [Server],
}

impl Log {
    /// The current term; unknown before [`Log::settle_term`].
    pub fn term(&self) -> Term {
        self.0.terms.current()
    }

    /// The terms of the installation, newest first, as this process knows them.
    pub fn terms(&self) -> Arc<[Began]> {
        self.0.terms.began()
    }

    /// The current term, unless it is the first one: nothing that was told before that can be void.
    pub fn raised_term(&self) -> Option<Began> {
        self.terms().first().filter(|it| it.previous.is_known()).cloned()
    }

    /// What may have changed since a term.
    pub fn changed_since(&self, term: Term) -> Changed {
        Changed::since(term, &self.terms())
    }

    /// A client presents what this installation told it in a term. If the database is in an earlier
    /// one, it went back, or it is one of two copies, and another term begins.
    pub fn met_term(&self, term: Term) {
        self.0.terms.met(term, true);
    }

    /// Another process says that it is in a term. Without a proof this only leads to a look.
    pub(crate) fn heard_of_term(&self, term: Term) {
        self.0.terms.met(term, false);
    }

    /// Reads the current term, and begins another one if the database is not the one that it was.
    /// Everything that was read in an earlier term belongs to an earlier epoch.
    pub async fn settle_term(&self) -> Result<Term, Error> {
        let servers = self.servers().await?;
        Ok(self.settle(&servers).await?)
    }

    /// Begins a term, for an operator who knows that the database went back, or that it is a copy.
    /// If that shows by itself, the term begins as if the service had started.
    pub async fn raise_term(&self, void_since: Option<OffsetDateTime>) -> Result<(), Error> {
        self.read_terms().await?;
        let before = self.0.terms.last();
        if self.settle_term().await? == before {
            let _settling = self.0.terms.settling.lock().await;
            let beginning = Beginning { void_since, ..Beginning::of(Reason::Operator) };
            self.begin_term(beginning).await?;
            self.enter_term().await?;
        }
        Ok(())
    }

    /// Reads the terms of the installation, newest first, and begins none.
    pub async fn list_terms(&self) -> Result<Arc<[Began]>, Error> {
        self.read_terms().await?;
        Ok(self.terms())
    }

    /// Like [`Log::settle_term`], for the server at the other end of a connection.
    pub(crate) async fn settle_term_on(
        &self,
        connection: &mut PgConnection,
    ) -> Result<Term, sqlx::Error> {
        let servers = self.server(connection).await?;
        self.settle(servers.as_slice()).await
    }

    /// Begins a term because entries are gone that were seen in `epoch`, unless a term has begun
    /// meanwhile that this process did not know.
    pub(crate) async fn begin_term_of_loss(
        &self,
        epoch: Epoch,
        lost: &[(Bucket, Mark)],
    ) -> Result<(), sqlx::Error> {
        let _settling = self.0.terms.settling.lock().await;
        let entered = self.0.terms.entered.load(Relaxed);
        if self.epoch() != epoch || entered != self.term().0 {
            return Ok(());
        }
        if !self.term().is_known() {
            self.read_terms().await?;
        }
        let void_since = self.time_of_loss(lost).await?;
        let beginning = Beginning { lost, void_since, ..Beginning::of(Reason::EntriesLost) };
        self.begin_term(beginning).await?;
        self.note_current();
        // The caller compares what this process knows, and leaves the epoch.
        self.0.terms.entered.store(self.term().0, Relaxed);
        Ok(())
    }

    /// Begins a term because a client presents a cursor of a term, or of a later one, whose entries
    /// the database does not have.
    pub(crate) async fn begin_term_of_claims(&self, term: Term) -> Result<(), sqlx::Error> {
        let _settling = self.0.terms.settling.lock().await;
        if term < self.term() || !self.term().is_known() {
            return Ok(());
        }
        counter!(LATER_TERMS).increment(u64::from(term > self.term()));
        let reason = if term > self.term() { Reason::LaterTermMet } else { Reason::ClaimsLost };
        self.begin_term(Beginning { past: term, ..Beginning::of(reason) }).await?;
        self.enter_term().await
    }

    async fn settle(&self, servers: &[Server]) -> Result<Term, sqlx::Error> {
        let _settling = self.0.terms.settling.lock().await;
        let pool = self.0.database.pool();
        let last: Option<Term> =
            sqlx::query_scalar(self.0.statements.terms.last.clone()).fetch_one(pool).await?;
        if last != Some(self.term()) {
            self.read_terms().await?;
        }
        // Read after the terms: who has added a server has added its term before.
        let known =
            sqlx::query(self.0.statements.terms.known_servers.clone()).fetch_all(pool).await?;
        let known: Vec<Server> = known.iter().map(Server::of_row).collect::<Result<_, _>>()?;
        let new: Vec<Server> = servers.iter().copied().filter(|it| !known.contains(it)).collect();
        if known.is_empty() {
            // The tables are new, or a release made them that did not look.
            self.note_servers(&new).await?;
        } else if !new.is_empty() {
            let void_since = self.time_of_heads().await?;
            let beginning = Beginning::of(Reason::ServerChanged);
            self.begin_term(Beginning { void_since, servers: &new, ..beginning }).await?;
        }
        self.answer_those_met().await?;
        self.enter_term().await?;
        Ok(self.term())
    }

    /// Begins a term later than those that were proven, and reports those that were heard of.
    async fn answer_those_met(&self) -> Result<(), sqlx::Error> {
        let terms = &self.0.terms;
        let (last, heard) = (terms.last(), terms.take_heard());
        if heard > last {
            counter!(LATER_TERMS).increment(1);
            if terms.reports() {
                tracing::error!(
                    term.own = last.0,
                    term.heard = heard.0,
                    "another process of this installation is in a later term than the database: \
                     the database has two copies, or it went back"
                );
            }
        }
        let proven = terms.proven();
        if proven > last {
            counter!(LATER_TERMS).increment(1);
            let beginning = Beginning { past: proven, ..Beginning::of(Reason::LaterTermMet) };
            self.begin_term(beginning).await?;
        }
        Ok(())
    }

    /// Enters the last term that was read. Unless it is the first that this process enters, it
    /// compares what it knows with the record, and begins an epoch.
    async fn enter_term(&self) -> Result<(), sqlx::Error> {
        // Changed before the epoch, so that who notices a new epoch finds its term.
        self.note_current();
        let entered = Term(self.0.terms.entered.load(Relaxed));
        if entered.is_known() && entered != self.term() {
            self.leave_epoch_of_term(self.epoch()).await?;
        }
        self.0.terms.entered.store(self.term().0, Relaxed);
        Ok(())
    }

    fn note_current(&self) {
        let before = self.0.terms.advance();
        let began = self.terms();
        let Some(last) = began.first() else { return };
        gauge!(TERM).set(last.term.0 as f64);
        if before.is_known() && before != last.term {
            tracing::warn!(
                term = last.term.0,
                "term {} of the installation begins: {}",
                last.term,
                last.reason
            );
        }
    }

    async fn read_terms(&self) -> Result<(), sqlx::Error> {
        let rows = sqlx::query(self.0.statements.terms.all.clone())
            .fetch_all(self.0.database.pool())
            .await?;
        let began = rows.iter().map(Began::of_row).collect::<Result<Arc<[Began]>, _>>()?;
        self.0.terms.set_began(began);
        Ok(())
    }

    /// Adds a term after the last one that this process knows. If another process has added one,
    /// that is the one.
    async fn begin_term(&self, beginning: Beginning<'_>) -> Result<(), sqlx::Error> {
        let servers = beginning.servers;
        match self.try_begin_term(beginning).await {
            Err(error) if is_unique_violation(&error) => self.note_servers(servers).await?,
            begun => begun?,
        }
        self.read_terms().await
    }

    async fn try_begin_term(&self, beginning: Beginning<'_>) -> Result<(), sqlx::Error> {
        let Beginning { reason, past, lost, void_since, servers } = beginning;
        let last = self.0.terms.last();
        let mut shared = match reason {
            Reason::ServerChanged | Reason::EntriesLost => self.heads().await?,
            // How long the histories have been apart is not known.
            Reason::ClaimsLost | Reason::LaterTermMet | Reason::Operator => [0; BUCKETS],
        };
        for (bucket, mark) in lost {
            shared[bucket.index()] = shared[bucket.index()].min(mark.position);
        }
        let mut connection = self.0.database.connection().await?;
        connection.execute(LOCAL).await?;
        let mut transaction = connection.begin().await?;
        sqlx::query(self.0.statements.terms.begin.clone())
            .bind(last)
            .bind(past)
            .bind(reason.text())
            .bind(&shared[..])
            .bind(void_since)
            .execute(&mut *transaction)
            .await?;
        for server in servers {
            self.note_server_on(&mut transaction, server).await?;
        }
        transaction.commit().await?;
        let _ = connection.close().await;
        Ok(())
    }

    async fn note_servers(&self, servers: &[Server]) -> Result<(), sqlx::Error> {
        if servers.is_empty() {
            return Ok(());
        }
        let mut connection = self.0.database.connection().await?;
        connection.execute(LOCAL).await?;
        for server in servers {
            match self.note_server_on(&mut connection, server).await {
                // Another process has.
                Err(error) if is_unique_violation(&error) => {}
                noted => noted?,
            }
        }
        let _ = connection.close().await;
        Ok(())
    }

    /// Notes a server as seen in the last term. Fails if it is noted.
    async fn note_server_on(
        &self,
        connection: &mut PgConnection,
        server: &Server,
    ) -> Result<(), sqlx::Error> {
        let statements = &self.0.statements.terms;
        let last: Option<Term> =
            sqlx::query_scalar(statements.last.clone()).fetch_one(&mut *connection).await?;
        sqlx::query(statements.note_server.clone())
            .bind(server.system_identifier)
            .bind(server.timeline)
            .bind(last.unwrap_or(Term::UNKNOWN))
            .execute(connection)
            .await?;
        Ok(())
    }

    /// The servers of the database: the one that answers at the configured address and, for a
    /// process that does not know the term yet, those of all nodes that can be reached.
    async fn servers(&self) -> Result<Vec<Server>, Error> {
        let mut servers: Vec<Server> =
            self.server(self.0.database.pool()).await?.into_iter().collect();
        if self.0.database.is_sharded().await? && !self.term().is_known() {
            for node in self.0.database.nodes().await?.iter() {
                let Ok(mut connection) = node.connect(self.0.database.hosts()).await else {
                    continue;
                };
                let server = self.server(&mut connection).await?;
                servers.extend(server.filter(|it| !servers.contains(it)));
                let _ = connection.close().await;
            }
        }
        Ok(servers)
    }

    /// The server that answers; `None` if the role may not know it, or if it is a standby.
    async fn server(&self, at: impl PgExecutor<'_>) -> Result<Option<Server>, sqlx::Error> {
        let asked = sqlx::query(self.0.statements.terms.server.clone()).fetch_one(at).await;
        match asked {
            Ok(row) => {
                let timeline: Option<i64> = row.try_get("timeline")?;
                let system_identifier = row.try_get("system_identifier")?;
                Ok(timeline.map(|timeline| Server { system_identifier, timeline }))
            }
            Err(error) if is_hidden(&error) => {
                if !self.0.terms.is_hidden.swap(true, Relaxed) {
                    tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "the role may not call pg_control_system(): a database that is restored \
                         while no process runs is not noticed"
                    );
                }
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// The heads of all buckets; 0 for those that cannot be read.
    async fn heads(&self) -> Result<Heads, sqlx::Error> {
        let mut all = [0; BUCKETS];
        for (bucket, head) in self.marks_at_heads().await? {
            all[bucket.index()] = head.position;
        }
        Ok(all)
    }

    async fn marks_at_heads(&self) -> Result<Vec<(Bucket, Mark)>, sqlx::Error> {
        let start = [Mark::default(); BUCKETS];
        let read = self.0.database.each_node(async |pool: Pool, buckets: Vec<Bucket>| {
            let found = heads_after(&pool, &self.0.statements, &buckets, &start).await?;
            Ok((buckets, found.heads))
        });
        let read = read.await.map_err(|error| sqlx::Error::Io(std::io::Error::other(error)))?;
        let marks = read.found.into_iter().flat_map(|(buckets, heads)| {
            buckets.into_iter().map(move |bucket| (bucket, heads[bucket.index()]))
        });
        Ok(marks.collect())
    }

    /// The time since which entries may be lost, of a server whose whole record ends here. The
    /// nodes of a database may end at different times.
    async fn time_of_heads(&self) -> Result<Option<OffsetDateTime>, sqlx::Error> {
        if self.0.database.is_sharded_seen_by(self.0.database.pool()).await? {
            return Ok(None);
        }
        let times = self.times_at(&self.marks_at_heads().await?).await?;
        Ok(times.into_iter().max().map(|newest| newest - OUT_OF_ORDER_MAX))
    }

    /// The time since which entries of these buckets are lost, given their last entries.
    async fn time_of_loss(
        &self,
        lost: &[(Bucket, Mark)],
    ) -> Result<Option<OffsetDateTime>, sqlx::Error> {
        let times = self.times_at(lost).await?;
        let are_all = times.len() == lost.len();
        Ok(times.into_iter().min().filter(|_| are_all).map(|oldest| oldest - OUT_OF_ORDER_MAX))
    }

    /// When the entries at these marks were accepted.
    async fn times_at(&self, marks: &[(Bucket, Mark)]) -> Result<Vec<OffsetDateTime>, sqlx::Error> {
        let rows: Vec<AtMark> = sqlx::query_as(self.0.statements.at_marks.clone())
            .bind(marks.iter().map(|(bucket, _)| *bucket).collect::<Vec<_>>())
            .bind(marks.iter().map(|(_, mark)| mark.position).collect::<Vec<_>>())
            .fetch_all(self.0.database.pool())
            .await?;
        Ok(rows.into_iter().map(|it| it.3).collect())
    }
}

impl Beginning<'_> {
    fn of(reason: Reason) -> Self {
        Self { reason, past: Term::UNKNOWN, lost: &[], void_since: None, servers: &[] }
    }
}

impl Server {
    fn of_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            system_identifier: row.try_get("system_identifier")?,
            timeline: row.try_get("timeline")?,
        })
    }
}

fn is_hidden(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|it| it.code());
    code.is_some_and(|code| HIDDEN.contains(&&*code))
}
