//! The store after a run: whether it holds every acknowledged action, how the entries were batched,
//! and how fast it records entries without the service.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use accounts::Accounts;
use event_log::{Append, Draft, Epoch, Premise, append};
use futures::{StreamExt, stream};
use hdrhistogram::Histogram;
use positions::{Digest, Position};
use records::{Chain, Digested};
use rows::{MatchId, NewMatch};
use serde::Serialize;
use sqlx::Row;
use sqlx::postgres::PgRow;
use store::Store;
use table::invariants;
use time::OffsetDateTime;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::clock::now;
use crate::drive::Tally;
use crate::plan::{Mix, position, request_id};
use crate::playout::{new_match, play};
use crate::report::{Error, Percentiles, histogram, per_item_us, per_second, rounded};
use crate::usage::Program;

/// The acknowledged actions compared with the store.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Checked {
    /// Actions that were acknowledged.
    pub(crate) acknowledged: u64,
    /// Acknowledged actions that are not at their position.
    pub(crate) missing: u64,
    /// Acknowledged actions that were recorded more than once.
    pub(crate) doubled: u64,
    /// Matches whose positions are not 1, 2, 3 …
    pub(crate) gaps: u64,
    /// Entries that belong neither to an acknowledged action nor to one whose outcome is unknown.
    pub(crate) unexplained: u64,
    /// Actions acknowledged at a wrong position.
    pub(crate) misplaced: u64,
}

impl Checked {
    pub(crate) fn is_sound(&self) -> bool {
        self.missing + self.doubled + self.gaps + self.unexplained + self.misplaced == 0
    }
}

/// Matches read concurrently.
const AT_ONCE: usize = 8;
/// More entries than any match has.
const ALL: i64 = 1_000_000;

/// Looks up every acknowledged action.
pub(crate) async fn check(store: &Store, tally: &Tally) -> Result<Checked, Error> {
    let reads = tally.played.iter().map(|&(match_id, done, in_doubt)| async move {
        let entries = store.log().entries(match_id, Position::START, ALL).await?;
        let ids: Vec<Option<String>> = entries.iter().map(|it| it.request_id.clone()).collect();
        let is_dense = entries.iter().zip(1..).all(|(it, position)| it.position.0 == position);
        Ok::<_, Error>(check_match(&ids, is_dense, done, in_doubt))
    });
    let mut reads = stream::iter(reads).buffer_unordered(AT_ONCE);
    let mut sum = Checked { misplaced: tally.misplaced, ..Checked::default() };
    while let Some(it) = reads.next().await {
        let it = it?;
        sum.acknowledged += it.acknowledged;
        sum.missing += it.missing;
        sum.doubled += it.doubled;
        sum.gaps += it.gaps;
        sum.unexplained += it.unexplained;
    }
    Ok(sum)
}

/// Checks one match, given the request ids of its entries in order. Its first `done` actions were
/// acknowledged.
fn check_match(ids: &[Option<String>], is_dense: bool, done: usize, in_doubt: bool) -> Checked {
    let mut times = HashMap::<&str, u64>::new();
    ids.iter().flatten().for_each(|id| *times.entry(id).or_default() += 1);
    let is_recorded = |nth: usize| {
        let id = ids.get(position(nth) as usize - 1).and_then(Option::as_deref);
        id == Some(&request_id(nth))
    };
    Checked {
        acknowledged: done as u64,
        missing: (0..done).filter(|&nth| !is_recorded(nth)).count() as u64,
        doubled: times.values().filter(|&&times| times > 1).count() as u64,
        gaps: u64::from(!is_dense),
        unexplained: ids.len().saturating_sub(1 + done + usize::from(in_doubt)) as u64,
        misplaced: 0,
    }
}

/// The number of entries per commit.
#[derive(Serialize)]
pub(crate) struct Batches {
    pub(crate) count: u64,
    pub(crate) mean: f64,
    pub(crate) p50: u64,
    pub(crate) p99: u64,
    pub(crate) max: u64,
}

/// Entries that were committed together.
pub(crate) struct Batch {
    pub(crate) entries: u64,
    /// The time of the first of them.
    pub(crate) create_time: OffsetDateTime,
}

/// The batches of the entries recorded since a time. Each was one transaction, whose number is the
/// `xmin` of its rows.
pub(crate) async fn batches(store: &Store, since: OffsetDateTime) -> Result<Vec<Batch>, Error> {
    let rows = sqlx::query(
        "select count(*) as entries, min(create_time) as create_time
         from entries
         where create_time >= $1
         group by xmin::text",
    )
    .bind(since)
    .fetch_all(&mut store.database().connection().await.map_err(database::Error::from)?)
    .await
    .map_err(database::Error::from)?;
    let batch = |row: &PgRow| Batch {
        entries: row.get::<i64, _>("entries").unsigned_abs(),
        create_time: row.get("create_time"),
    };
    Ok(rows.iter().map(batch).collect())
}

impl Batches {
    pub(crate) fn of(batches: &[Batch]) -> Batches {
        let mut sizes = histogram();
        batches.iter().for_each(|it| sizes.saturating_record(it.entries));
        Batches {
            count: sizes.len(),
            mean: rounded(sizes.mean()),
            p50: sizes.value_at_quantile(0.5),
            p99: sizes.value_at_quantile(0.99),
            max: sizes.max(),
        }
    }
}

/// The median time of an empty commit, in milliseconds: the minimum that Postgres and its disk take
/// for any commit.
pub(crate) async fn bare_commit_ms(store: &Store) -> Result<f64, Error> {
    let mut connection = store.database().connection().await.map_err(database::Error::from)?;
    let mut took_us = histogram();
    for _ in 0..BARE_COMMITS {
        let began = Instant::now();
        sqlx::query("select pg_logical_emit_message(true, 'croupier bench', '')")
            .execute(&mut connection)
            .await
            .map_err(database::Error::from)?;
        took_us.saturating_record(began.elapsed().as_micros() as u64);
    }
    Ok(took_us.value_at_quantile(0.5) as f64 / 1e3)
}

/// The number of commits: enough for a median.
const BARE_COMMITS: usize = 500;

/// The platform that the first start of the service creates.
pub(crate) const PLATFORM: &str = "local";

/// The store without the service: the same number of writers and the same kind of entries, with no
/// rules applied and nothing delivered.
#[derive(Serialize)]
pub(crate) struct RawAppend {
    pub(crate) per_second: u64,
    pub(crate) latency_ms: Percentiles,
    pub(crate) postgres_cpu_us: Option<f64>,
}

/// Measures the store without the service, in this process, with new matches.
pub(crate) async fn raw_append(
    store: &Store,
    mix: &Mix,
    writers: u64,
    matches: u64,
    time: Duration,
    postgres: Option<&[Program]>,
) -> Result<RawAppend, Error> {
    #[expect(clippy::disallowed_methods, reason = "the database is of the measurement")]
    Accounts::new(store.database())
        .create_platform(PLATFORM, store.database().clock().now())
        .await?;
    let seed = u64::from_le_bytes(Uuid::new_v4().as_bytes()[..8].try_into().expect("eight bytes"));
    let created = (0..matches).map(|nth| create(store, mix, nth, seed.wrapping_add(nth)));
    let created: Vec<Result<Writing, Error>> =
        stream::iter(created).buffer_unordered(AT_ONCE).collect().await;
    let mut shares: Vec<Vec<Writing>> = (0..writers).map(|_| Vec::new()).collect();
    for (it, nth) in created.into_iter().zip(0..) {
        shares[nth % writers as usize].push(it?);
    }
    let drain = CancellationToken::new();
    let nodes = store.database().nodes().await?;
    let writer = append::Service::on_nodes(store.log(), &nodes, append::Options::default());
    let handle = Arc::new(writer.handle());
    #[expect(clippy::disallowed_methods, reason = "it ends with the measurement")]
    let writing = tokio::spawn(writer.run(drain.clone()));
    let used = |all: &[Program]| all.iter().map(Program::cpu).sum::<Duration>();
    let cpu = postgres.map(used);
    let began = Instant::now();
    let mut writers: JoinSet<Histogram<u64>> =
        shares.into_iter().map(|share| write(handle.clone(), share, began + time)).collect();
    let mut took_us = histogram();
    while let Some(writer) = writers.join_next().await {
        took_us.add(writer.expect("a writer ends in time")).expect("both have the same precision");
    }
    let elapsed = began.elapsed();
    let cpu = postgres.zip(cpu).map(|(all, before)| used(all) - before);
    drain.cancel();
    let _ = writing.await;
    Ok(RawAppend {
        per_second: per_second(took_us.len(), elapsed),
        latency_ms: Percentiles::of_us(&took_us),
        postgres_cpu_us: cpu.map(|used| per_item_us(used, took_us.len())),
    })
}

/// A match to write.
struct Writing {
    match_id: MatchId,
    /// The seat and the body of each entry.
    entries: Vec<(Option<u8>, bytes::Bytes)>,
    next: usize,
    digests: Chain,
    /// The digest of the last entry.
    before: Option<Digest>,
}

async fn create(store: &Store, mix: &Mix, nth: u64, seed: u64) -> Result<Writing, Error> {
    let (game, seats) = mix.nth(nth);
    let (match_id, key) = (MatchId(Uuid::new_v4()), invariants::key(seed));
    let new = NewMatch {
        players: (0..seats).map(|seat| Some(format!("bench-{nth}-{seat}"))).collect(),
        ..new_match(match_id, PLATFORM, game, seats, key)
    };
    store.create(&new).await?;
    let entries = play(game, seats, new.match_id, &new.seed);
    let entries = entries.iter().map(|it| (it.seat.map(u8::from), it.encode())).collect();
    let digests = Chain::new((&new).into(), &new.seed);
    Ok(Writing { match_id: new.match_id, entries, next: 0, digests, before: None })
}

/// Writes an entry of each match in rotation, each once its predecessor is durable.
async fn write(
    handle: Arc<append::Handle>,
    mut matches: Vec<Writing>,
    until: Instant,
) -> Histogram<u64> {
    let mut took_us = histogram();
    let mut nth = 0;
    while Instant::now() < until && !matches.is_empty() {
        nth %= matches.len();
        let it = &mut matches[nth];
        let Some((seat, body)) = it.entries.get(it.next) else {
            matches.swap_remove(nth);
            continue;
        };
        let (position, create_time) = (Position(it.next as i64 + 1), now());
        let id = request_id(it.next);
        let request_id = Some(id.as_str());
        let digest =
            it.digests.next(Digested { position, create_time, seat: *seat, request_id, body });
        let draft = Draft {
            stream: it.match_id,
            position,
            request_id: Some(id),
            create_time,
            body: body.clone(),
            before: it.before.replace(digest),
            digest,
            epoch: Epoch::default(),
            companion: None,
            premise: Premise::default(),
        };
        let began = Instant::now();
        if handle.append(draft).await != Ok(Append::Recorded) {
            // Nothing can follow an entry whose outcome is unknown.
            matches.swap_remove(nth);
            continue;
        }
        took_us.saturating_record(began.elapsed().as_micros() as u64);
        it.next += 1;
        nth += 1;
    }
    took_us
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(of: &[usize]) -> Vec<Option<String>> {
        std::iter::once(None).chain(of.iter().map(|&nth| Some(request_id(nth)))).collect()
    }

    #[track_caller]
    fn check(of: &[usize], done: usize, in_doubt: bool, is_sound: bool) {
        assert_eq!(check_match(&ids(of), true, done, in_doubt).is_sound(), is_sound);
    }

    #[test]
    fn every_acknowledged_action_must_be_recorded_once_and_nothing_else() {
        check(&[0, 1, 2], 3, false, true);
        check(&[0, 1, 2], 2, true, true);
        check(&[0, 1], 3, false, false);
        check(&[0, 2, 1], 3, false, false);
        check(&[0, 1, 1], 2, true, false);
        check(&[0, 1, 2], 2, false, false);
        assert!(!check_match(&ids(&[0]), false, 1, false).is_sound());
    }
}
