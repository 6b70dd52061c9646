//! Looking everything over: the record by SQL, what the service tells of it through a process that
//! has seen nothing yet, and what clients heard before, all of which are to be one story.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use api::v1::*;
use sqlx::postgres::PgConnection;
use table::Viewer;

use super::history::{self, Number, What};
use super::round::Round;
use super::site::Node;
use super::table::{Heard, Table};
use crate::harness::Truth;

/// Looks over all matches of a round.
pub async fn look_over(round: &Arc<Round>, played: Vec<Arc<Table>>) {
    let began = Instant::now();
    eprintln!("it is quiet: looking over {} matches", played.len());
    let mut database = round.site.database_again().await;
    for finding in check_keys(&mut database).await {
        round.wrong(finding);
    }
    for finding in round.site.crowd.lock().await.look_over(&mut database).await {
        round.wrong(finding);
    }
    let (_service, node) = round.site.fresh(&format!("auditor-{}", round.number)).await;
    for table in played {
        let log = recorded(&mut database, &table).await;
        let mut heard = std::mem::take(&mut *table.heard.lock().expect("nobody panics holding it"));
        if let Err(finding) = check_match(&node, &table, &heard, &log).await {
            table.wrong(finding);
        }
        let began = Instant::now();
        mind_troubles(round, &mut heard);
        if let Err(finding) = history::check(&heard.events, &log) {
            table.wrong(finding);
        }
        round.tally.add("us spent on histories", began.elapsed().as_micros() as usize);
        round.tally.add("events of histories", heard.events.len());
        round.tally.count("matches checked");
        round.tally.add("entries", log.len());
    }
    round.tally.add("ms spent on looking over", began.elapsed().as_millis() as usize);
}

/// Bucket positions run 1, 2, 3 …, so do positions of a match, and no request stands twice in one.
async fn check_keys(database: &mut PgConnection) -> Vec<String> {
    let checks = [
        (
            "bucket positions have gaps",
            "select count(*) from (
                 select from entries group by bucket
                 having min(bucket_position) <> 1 or max(bucket_position) <> count(*)
             ) as wrong",
        ),
        (
            "positions have gaps",
            "select count(*) from (
                 select from entries group by match_id
                 having min(position) <> 1 or max(position) <> count(*)
             ) as wrong",
        ),
        (
            "requests stand twice",
            "select count(*) from (
                 select from entries group by match_id, request_id having count(*) > 1
             ) as wrong",
        ),
    ];
    let mut findings = Vec::new();
    for (what, query) in checks {
        let wrong: i64 =
            sqlx::query_scalar(query).fetch_one(&mut *database).await.expect("a number");
        if wrong > 0 {
            findings.push(format!("{what}: {wrong}"));
        }
    }
    findings
}

/// The requests of a match as the record has them, in order.
async fn recorded(database: &mut PgConnection, table: &Table) -> Vec<Number> {
    let query = "select request_id from entries where match_id = $1::uuid order by position";
    let name = table.name();
    let ids = sqlx::query_scalar(query).bind(name.trim_start_matches("matches/").to_owned());
    let ids: Vec<String> = ids.fetch_all(database).await.expect("rows");
    // The set-up's id is no number.
    ids.iter().map(|id| id.parse().unwrap_or(0)).collect()
}

/// While the record may be away, what is in memory is what there is to see.
fn mind_troubles(round: &Round, heard: &mut Heard) {
    for event in &mut heard.events {
        let until = event.answer.unwrap_or(event.call);
        if let What::Head { position } = event.what
            && round.site.was_troubled(event.call, until)
        {
            event.what = What::Behind { position };
            round.tally.count("looks in times of trouble");
        }
    }
}

/// Compares what was heard of a match with what a fresh process tells of it.
async fn check_match(
    node: &Node,
    table: &Table,
    heard: &Heard,
    log: &[Number],
) -> Result<(), String> {
    let mut accounts = Accounts { node, name: table.name(), told: BTreeMap::new() };
    for (number, entry) in &heard.acknowledged {
        let at = usize::try_from(entry.position - 1).unwrap_or(usize::MAX);
        if log.get(at) != Some(number) {
            return Err(format!(
                "request {number} was acknowledged at {} and is not there",
                entry.position
            ));
        }
        let seat = entry.seat.ok_or("an acknowledged entry is nobody's")?;
        if accounts.of(&format!("seats/{seat}")).await?.get(at) != Some(entry) {
            return Err(format!("entry {} is told otherwise than to its author", entry.position));
        }
    }
    for account in &heard.accounts {
        let told = accounts.of(&account.viewer).await?;
        let is_prefix = told.starts_with(&account.entries);
        if !is_prefix || (account.is_whole && told.len() != account.entries.len()) {
            let (viewer, heard) = (&account.viewer, account.entries.len());
            return Err(format!("{viewer} heard {heard} entries that are told otherwise"));
        }
    }
    for seen in &heard.views {
        let again = look_again(node, seen).await?;
        if again != *seen {
            return Err(format!("a view is another now:\n{seen:?}\n{again:?}"));
        }
    }
    let it = node.client.ask(&GetMatchRequest { name: table.name() }).await;
    let it = it.map_err(|failure| format!("{failure:?}"))?.r#match.ok_or("no match")?;
    if it.state() != MatchState::Ended {
        return Err("it has not ended".to_owned());
    }
    // Deals and plays it again from the seed that is told now, and compares every entry.
    Truth::of(&it, Viewer::House, accounts.of("house").await?).check_deals(&it);
    Ok(())
}

/// The same view, from a process that did not serve it then.
async fn look_again(node: &Node, seen: &api::v1::Table) -> Result<api::v1::Table, String> {
    let request = GetViewRequest {
        name: seen.r#match.clone(),
        viewer: seen.viewer.clone(),
        position: Some(seen.position),
        time: None,
    };
    let again = node.client.ask(&request).await;
    again.map_err(|failure| format!("{failure:?}"))?.table.ok_or("no table".to_owned())
}

/// What a match is told like, by viewer, asked for once.
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
