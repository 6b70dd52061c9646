//! The audit: the record by SQL, the service's answers through a fresh process, and what clients
//! received before must all agree.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use contract::v1::*;
use sqlx::postgres::PgConnection;
use table::Viewer;
use time::OffsetDateTime;
use tokio::time::sleep;

use super::history::{self, Number, OF_HOUSE, What};
use super::platform::Acknowledged;
use super::round::Round;
use super::site::Node;
use super::table::{Observations, Table};
use crate::harness::{Truth, check_keys};

/// Audits all matches of a round, and what else was acknowledged.
pub async fn look_over(
    round: &Arc<Round>,
    played: Vec<Arc<Table>>,
    acknowledged: Vec<Acknowledged>,
) {
    let began = Instant::now();
    eprintln!("faults have ended: auditing {} matches", played.len());
    let mut database = round.site.database_again().await;
    for finding in check_keys(&mut database).await {
        round.wrong(finding);
    }
    for finding in round.site.crowd.lock().await.look_over(&mut database).await {
        round.wrong(finding);
    }
    let (_service, node) = round.site.fresh(&format!("auditor-{}", round.number)).await;
    check_transactions(round, &mut database).await;
    check_read_models(round, &node).await;
    for writes in acknowledged {
        for finding in writes.look_over(&node, &mut database).await {
            round.wrong(finding);
        }
    }
    if let Some(surroundings) = &round.site.surroundings {
        for finding in surroundings.look_over(&node, &mut database).await {
            round.wrong(finding);
        }
    }
    for table in played {
        let Some(log) = recorded(&mut database, &table).await else {
            round.tally.count("matches archived before they were checked");
            continue;
        };
        let mut observed =
            std::mem::take(&mut *table.observed.lock().expect("nobody panics holding it"));
        match check_match(&node, &table, &observed, &log).await {
            Err(finding) => table.wrong(finding),
            Ok(entries) => {
                if let Some(surroundings) = &round.site.surroundings {
                    surroundings.remember(table.name(), entries);
                }
            }
        }
        let began = Instant::now();
        excuse_outages(round, &mut observed);
        if let Err(finding) = history::check(&observed.events, &log) {
            table.wrong(finding);
        }
        round.tally.add("us spent on histories", began.elapsed().as_micros() as usize);
        round.tally.add("events of histories", observed.events.len());
        round.tally.count("matches checked");
        round.tally.add("entries", log.len());
    }
    round.tally.add("ms spent on looking over", began.elapsed().as_millis() as usize);
}

/// How long a session may stay in a transaction after the faults: the database itself ends it then.
const TRANSACTION_MAX: Duration = Duration::from_secs(35);

/// No session is left in a transaction that nobody ends. One may still be working: a projector
/// reads and folds what it missed between the first and the last statement of a transaction.
async fn check_transactions(round: &Round, database: &mut PgConnection) {
    let idle = "select pid, backend_start, xact_start, application_name, query
                from pg_stat_activity
                where state like 'idle in transaction%' and state_change < now() - interval '5 s'";
    type Session = (i32, OffsetDateTime, OffsetDateTime, String, String);
    let began = Instant::now();
    loop {
        let idle: Vec<Session> =
            sqlx::query_as(idle).fetch_all(&mut *database).await.expect("rows");
        if idle.is_empty() {
            break;
        }
        if began.elapsed() > TRANSACTION_MAX {
            idle.iter().for_each(|it| round.wrong(format!("a transaction was left open: {it:?}")));
            break;
        }
        sleep(Duration::from_millis(100)).await;
    }
    let took = began.elapsed().as_millis() as usize;
    round.tally.at_most("longest wait for idle transactions, in ms", took);
}

/// How long after the faults the read models may lack entries.
const BEHIND_MAX: Duration = Duration::from_secs(120);

/// The read models catch up by themselves.
async fn check_read_models(round: &Round, node: &Node) {
    let began = Instant::now();
    for model in ["matches", "players", "holdings"] {
        let request = GetProjectionRequest { name: format!("projections/{model}") };
        loop {
            let found = node.client.ask(&request).await;
            let lag = found.ok().and_then(|it| it.projection).map(|it| it.lag);
            if lag == Some(0) {
                break;
            }
            if began.elapsed() > BEHIND_MAX {
                round.wrong(format!("the read model {model} is still behind: {lag:?}"));
                break;
            }
            sleep(Duration::from_millis(100)).await;
        }
    }
    let took = began.elapsed().as_millis() as usize;
    round.tally.at_most("longest wait for read models, in ms", took);
}

/// The requests of a match, in the order of the record; `None` if they are in the archive already.
async fn recorded(database: &mut PgConnection, table: &Table) -> Option<Vec<Number>> {
    let query = "select request_id from entries where match_id = $1::uuid order by position";
    let name = table.name();
    let ids = sqlx::query_scalar(query).bind(name.trim_start_matches("matches/").to_owned());
    let ids: Vec<Option<String>> = ids.fetch_all(database).await.expect("rows");
    let ids: Vec<String> = ids.into_iter().collect::<Option<_>>()?;
    // The ids of what the house does are no numbers: of the set-up, and of timeouts.
    let house = |at: usize| if at == 0 { 0 } else { OF_HOUSE + at as Number };
    Some(ids.iter().enumerate().map(|(at, id)| id.parse().unwrap_or_else(|_| house(at))).collect())
}

/// While the database may be down, reads are served from memory.
fn excuse_outages(round: &Round, observed: &mut Observations) {
    for event in &mut observed.events {
        let until = event.answer.unwrap_or(event.call);
        if let What::Head { position } = event.what
            && round.site.was_troubled(event.call, until)
        {
            event.what = What::Behind { position };
            round.tally.count("looks in times of trouble");
        }
    }
}

/// Compares what clients received of a match with what a fresh process returns. Returns the entries
/// as the house sees them.
async fn check_match(
    node: &Node,
    table: &Table,
    observed: &Observations,
    log: &[Number],
) -> Result<Vec<Entry>, String> {
    let mut accounts = Accounts { node, name: table.name(), told: BTreeMap::new() };
    for (number, entry) in &observed.acknowledged {
        let at = usize::try_from(entry.position - 1).unwrap_or(usize::MAX);
        if log.get(at) != Some(number) {
            return Err(format!(
                "request {number} was acknowledged at {} and is not there",
                entry.position
            ));
        }
        let seat = entry.seat.ok_or("an acknowledged entry is nobody's")?;
        if accounts.of(&format!("seats/{seat}")).await?.get(at) != Some(entry) {
            return Err(format!("entry {} differs from what its author received", entry.position));
        }
    }
    for account in &observed.accounts {
        let told = accounts.of(&account.viewer).await?;
        let is_prefix = told.starts_with(&account.entries);
        if !is_prefix || (account.is_whole && told.len() != account.entries.len()) {
            let (viewer, observed) = (&account.viewer, account.entries.len());
            return Err(format!("{viewer} received {observed} entries that differ now"));
        }
    }
    for seen in &observed.views {
        let again = look_again(node, seen).await?;
        if without_times(&again) != without_times(seen) {
            return Err(format!("a view differs now:\n{seen:?}\n{again:?}"));
        }
    }
    let it = node
        .client
        .ask(&GetMatchRequest { name: table.name(), ..GetMatchRequest::default() })
        .await;
    let it = it.map_err(|failure| format!("{failure:?}"))?.r#match.ok_or("no match")?;
    if it.state() != MatchState::Ended {
        return Err("it has not ended".to_owned());
    }
    // Deals and plays the match again from the revealed seed and compares every entry.
    let entries = accounts.of("house").await?;
    Truth::of(&it, Viewer::House, entries).check_deals(&it);
    Ok(entries.to_vec())
}

/// A match's entries as the house sees them.
pub async fn entries_of(node: &Node, name: String) -> Result<Vec<Entry>, String> {
    let mut accounts = Accounts { node, name, told: BTreeMap::new() };
    Ok(accounts.of("house").await?.to_vec())
}

/// The same view from a process that did not serve it then.
async fn look_again(
    node: &Node,
    seen: &contract::v1::Table,
) -> Result<contract::v1::Table, String> {
    let request = GetViewRequest {
        name: seen.r#match.clone(),
        viewer: seen.viewer.clone(),
        position: Some(seen.position),
        read_time: None,
        ..GetViewRequest::default()
    };
    let again = node.client.ask(&request).await;
    again.map_err(|failure| format!("{failure:?}"))?.table.ok_or("no table".to_owned())
}

/// A match's entries by viewer, each requested once.
struct Accounts<'a> {
    node: &'a Node,
    name: String,
    told: BTreeMap<String, Vec<Entry>>,
}

impl Accounts<'_> {
    async fn of(&mut self, viewer: &str) -> Result<&[Entry], String> {
        if !self.told.contains_key(viewer) {
            let (parent, viewer) = (self.name.clone(), viewer.to_owned());
            let mut request = ListEntriesRequest {
                parent,
                viewer: viewer.clone(),
                page_size: 1000,
                ..Default::default()
            };
            let mut entries = Vec::new();
            loop {
                let page = self.node.client.ask(&request).await;
                let page = page.map_err(|failure| format!("{failure:?}"))?;
                entries.extend(page.entries);
                request.page_token = page.next_page_token;
                if request.page_token.is_empty() {
                    break;
                }
            }
            self.told.insert(viewer, entries);
        }
        Ok(&self.told[viewer])
    }
}

/// A table without the times of its prompts, which only a table of now has.
fn without_times(table: &contract::v1::Table) -> contract::v1::Table {
    let mut table = table.clone();
    for prompt in &mut table.prompts {
        (prompt.opened_time, prompt.deadline) = (None, None);
    }
    table
}
