//! The resources: pages of rules, and records of matches that ended.

use contract::v1::{GetRulesRequest, ListGamesRequest, ReadRecordRequest};
use croupier_client::Refusal;
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};

use crate::failure::Failure;
use crate::seen::incomplete;
use crate::service::Service;

const SCHEME: &str = "croupier://";
const MARKDOWN: &str = "text/markdown";
const LINES_OF_JSON: &str = "application/jsonl";

/// The longest record that is read as a resource. A match of a thousand entries has about a
/// megabyte.
const RECORD_BYTES_MAX: usize = 4 << 20;

/// The rules of every game.
pub async fn list(service: &impl Service) -> Result<Vec<Resource>, Refusal> {
    let language = service.language().to_owned();
    let request = ListGamesRequest { page_size: 1000, language, ..Default::default() };
    let games = service.call(request).await?.games;
    let page = |it: contract::v1::Game| {
        Resource::new(format!("{SCHEME}{}/rules", it.name), format!("{}/rules", it.name))
            .with_title(format!("Rules of {}", it.title))
            .with_mime_type(MARKDOWN)
    };
    Ok(games.into_iter().map(page).collect())
}

pub fn templates() -> Vec<ResourceTemplate> {
    let rules = ResourceTemplate::new(format!("{SCHEME}games/{{game}}/rules"), "rules")
        .with_description("The rules of a game, whole, as a page of Markdown")
        .with_mime_type(MARKDOWN);
    let record = ResourceTemplate::new(format!("{SCHEME}matches/{{match}}/record"), "record")
        .with_description("The record of a match that has ended and is revealed, to verify it")
        .with_mime_type(LINES_OF_JSON);
    vec![rules, record]
}

pub async fn read(service: &impl Service, uri: &str) -> Result<ResourceContents, Failure> {
    let name = uri.strip_prefix(SCHEME).unwrap_or_default();
    let is_of = |collection: &str, kind: &str| {
        let id = name.strip_prefix(collection).and_then(|it| it.strip_suffix(kind));
        id.is_some_and(|id| !id.is_empty() && !id.contains('/'))
    };
    if is_of("games/", "/rules") {
        let language = service.language().to_owned();
        let request = GetRulesRequest { name: name.to_owned(), language, ..<_>::default() };
        let rules = service.call(request).await?.rules.ok_or_else(incomplete)?;
        return Ok(ResourceContents::text(rules.page, uri).with_mime_type(MARKDOWN));
    }
    if is_of("matches/", "/record") {
        let record = record(service, name).await?;
        return Ok(ResourceContents::text(record, uri).with_mime_type(LINES_OF_JSON));
    }
    let message = "there is no such resource; resources/templates/list has their forms";
    Err(Failure::new("RESOURCE_NOT_FOUND", message))
}

async fn record(service: &impl Service, name: &str) -> Result<String, Failure> {
    let request = ReadRecordRequest { name: name.to_owned() };
    let mut stream = service.open(request).await?;
    let mut record = String::new();
    while let Some(message) = stream.message().await.map_err(Refusal::from)? {
        for line in message.lines {
            if record.len() + line.len() >= RECORD_BYTES_MAX {
                let message =
                    format!("the record is too long for a resource; GET /v1/{name} has it");
                return Err(Failure::new("RECORD_TOO_LONG", message));
            }
            record.push_str(&line);
            record.push('\n');
        }
    }
    Ok(record)
}
