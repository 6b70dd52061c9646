//! The contract's services, one per file. Each parses the request, calls a use case and renders the
//! answer.

mod answers;
mod entries;
mod games;
mod history;
mod matches;
mod platforms;
mod play;
mod players;
mod projections;
mod search;
mod seeks;
mod streams;
mod tokens;

use ::matches::{Caller, ConsistencyToken, Matches};
use prost::Message;
use tonic::Status;

use crate::cursor::Cursors;
use crate::error::of;
use crate::names::{ListQuery, parse_entry};

pub(crate) use entries::Entries;
pub(crate) use games::Games;
pub(crate) use history::History;
pub(crate) use matches::MatchesService;
pub(crate) use platforms::Platforms;
pub(crate) use players::Players;
pub(crate) use projections::Projections;
pub(crate) use search::Searches;
pub(crate) use seeks::Seeks;
pub(crate) use streams::Streams;
pub(crate) use tokens::Tokens;

/// The cursors of a caller's platform.
async fn cursors(matches: &Matches, caller: &Caller) -> Result<Cursors, Status> {
    let installation = matches.store().installation().await.map_err(|error| of(error.into()))?;
    Ok(Cursors::of_stream(installation, &caller.platform))
}

/// The query of a list request, without the fields that may differ from page to page.
async fn list_query(
    matches: &Matches,
    caller: &Caller,
    request: &impl Message,
) -> Result<ListQuery, Status> {
    let installation = matches.store().installation().await.map_err(|error| of(error.into()))?;
    Ok(ListQuery::new(installation, &caller.platform, request))
}

/// The writes that an answer must include, if any: an entry, by its name, or a stream, by its
/// cursor, which contains no slash.
async fn consistency_token(
    matches: &Matches,
    caller: &Caller,
    consistency_token: &str,
) -> Result<Option<ConsistencyToken>, Status> {
    if consistency_token.is_empty() {
        return Ok(None);
    }
    if consistency_token.contains('/') {
        return parse_entry("consistency_token", consistency_token)
            .map(|(match_id, at)| Some(ConsistencyToken::Entry(match_id, at)));
    }
    let claims = cursors(matches, caller).await?.read("consistency_token", consistency_token)?;
    Ok(Some(ConsistencyToken::Stream(Box::new(claims))))
}
