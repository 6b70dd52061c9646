//! The tools as models see them, and their calls.

use std::sync::Arc;

use rmcp::model::{CallToolRequestParams, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::acting::{act, say};
use crate::arguments::read;
use crate::failure::Failure;
use crate::looking::{look, wait_for_turn};
use crate::reading::{games, review};
use crate::service::Service;
use crate::starting::start;

/// What a model reads first.
pub const INSTRUCTIONS: &str = "Play tabletop games. `games` lists them and shows their rules; `start` starts a match \
against bots or joins one. Then repeat until the state is `ended`: read the numbered actions, choose one, and call `act` \
with the match, the list and the number. `act` waits for your next turn and shows what happened; if it returns before \
your turn, call `wait`. Never invent an action: only numbers of the list that was shown last are accepted. `review` \
explains the result of a match that ended.";

/// Calls a tool.
pub async fn call(
    service: &impl Service,
    request: CallToolRequestParams,
) -> Result<String, Failure> {
    let arguments = request.arguments;
    match &*request.name {
        "games" => games(service, read(arguments)?).await,
        "start" => start(service, read(arguments)?).await,
        "wait" => wait_for_turn(service, read(arguments)?).await,
        "look" => look(service, read(arguments)?).await,
        "act" => act(service, read(arguments)?).await,
        "say" => say(service, read(arguments)?).await,
        "review" => review(service, read(arguments)?).await,
        name => {
            let message = format!("there is no tool {name:?}; tools/list has all");
            Err(Failure::new("UNKNOWN_TOOL", message))
        }
    }
}

/// All tools.
pub fn all() -> Vec<Tool> {
    let of_match = json!({"type": "string", "description": "The match, such as matches/4f0c…"});
    let seconds = json!({
        "type": "integer", "minimum": 0, "maximum": 50,
        "description": "How long to wait for your turn at most; 25 unless set",
    });
    let since = json!({
        "type": "integer", "minimum": 0,
        "description": "Tell what happened after this position; since your last action unless set",
    });
    vec![
        tool(
            "games",
            "Games and their rules. Without arguments lists the games; with a game its options and the sections of \
             its rules; with a section that section.",
            json!({
                "game": {"type": "string", "description": "The game, such as mountebank"},
                "section": {"type": "string", "description": "A section such as 4, or a paragraph such as 4.2 to go on from"},
            }),
            &[],
            reads(),
        ),
        tool(
            "start",
            "Starts a match of a game against bots, or joins an open match. Without arguments lists your matches and \
             the open ones.",
            json!({
                "game": {"type": "string", "description": "The game to start, such as mountebank"},
                "seats": {"type": "integer", "minimum": 1, "description": "The number of seats; the fewest unless set"},
                "bots": {"type": "string", "description": "The level of the bots: random, heuristic or search; heuristic unless set"},
                "options": {"type": "object", "additionalProperties": {"type": "string"}, "description": "Options of the game"},
                "match": {"type": "string", "description": "The open match to join, instead of a game"},
            }),
            &[],
            acts(),
        ),
        tool(
            "wait",
            "Waits until it is your turn or the match has ended, for a limited time, then shows what `look` shows. \
             Without a match takes the one that waits for you, as after a restart.",
            json!({"match": of_match, "seconds": seconds, "since": since}),
            &[],
            reads(),
        ),
        tool(
            "look",
            "Shows what happened, the table as you see it, and your legal actions by number, now.",
            json!({
                "match": of_match,
                "since": since,
                "until": {"type": "integer", "minimum": 0, "description": "Tell what happened up to this position"},
                "from": {"type": "integer", "minimum": 1, "description": "The number of the first action to show"},
            }),
            &["match"],
            reads(),
        ),
        tool(
            "act",
            "Acts: carries out one of your legal actions by its number in the list that was shown, then waits for \
             your next turn and shows what happened. Refused if the list has changed.",
            json!({
                "match": of_match,
                "list": {"type": "string", "description": "The list that was shown, such as 1f0c93ab"},
                "number": {"type": "integer", "minimum": 1, "description": "The number of the action in it"},
                "seconds": seconds,
            }),
            &["match", "list", "number"],
            acts(),
        ),
        tool(
            "say",
            "Says something to the other players: an offer, a promise, a lie. It binds nobody. Only in matches whose \
             option talk is on.",
            json!({
                "match": of_match,
                "text": {"type": "string", "maxLength": 500, "description": "1 to 500 characters"},
                "to": {"type": "array", "items": {"type": "integer", "minimum": 1}, "description": "The seats that hear it, numbered as in the texts; everyone unless set"},
            }),
            &["match", "text"],
            acts(),
        ),
        tool(
            "review",
            "Explains a match that ended: who won, why by the parts of the scores, and how anyone verifies it.",
            json!({"match": of_match}),
            &["match"],
            reads(),
        ),
    ]
}

fn tool(
    name: &'static str,
    description: &'static str,
    properties: Value,
    required: &[&str],
    annotations: ToolAnnotations,
) -> Tool {
    let schema = json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    let Value::Object(schema) = schema else { unreachable!("it is an object") };
    Tool::new(name, description, Arc::new(schema)).with_annotations(annotations)
}

fn reads() -> ToolAnnotations {
    ToolAnnotations::new().read_only(true).open_world(false)
}

fn acts() -> ToolAnnotations {
    ToolAnnotations::new().read_only(false).destructive(false).open_world(false)
}
