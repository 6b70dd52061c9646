//! The arguments of the tools.

use std::collections::HashMap;
use std::time::Duration;

use rmcp::model::JsonObject;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::failure::Failure;

/// The longest wait of a call: clients give up after a minute.
const WAIT_MAX: Duration = Duration::from_secs(50);
/// The wait unless another is asked for.
const WAIT: Duration = Duration::from_secs(25);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Games {
    pub game: Option<String>,
    pub section: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    pub game: Option<String>,
    pub seats: Option<u32>,
    pub bots: Option<String>,
    #[serde(default)]
    pub options: HashMap<String, String>,
    #[serde(rename = "match")]
    pub joined: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wait {
    #[serde(rename = "match")]
    pub name: Option<String>,
    pub seconds: Option<u32>,
    pub since: Option<i32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Look {
    #[serde(rename = "match")]
    pub name: String,
    pub since: Option<i32>,
    pub until: Option<i32>,
    pub from: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Act {
    #[serde(rename = "match")]
    pub name: String,
    pub list: String,
    pub number: usize,
    pub seconds: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Say {
    #[serde(rename = "match")]
    pub name: String,
    pub text: String,
    #[serde(default)]
    pub to: Vec<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Review {
    #[serde(rename = "match")]
    pub name: String,
}

/// Reads arguments; the failure says what is wrong with them.
pub fn read<A: DeserializeOwned>(arguments: Option<JsonObject>) -> Result<A, Failure> {
    let arguments = Value::Object(arguments.unwrap_or_default());
    serde_json::from_value(arguments).map_err(|error| {
        let message = format!("the arguments do not fit the tool: {error}");
        Failure::new("INVALID_ARGUMENTS", message)
    })
}

/// How long to wait.
pub fn wait(seconds: Option<u32>) -> Duration {
    seconds.map_or(WAIT, |it| Duration::from_secs(it.into())).min(WAIT_MAX)
}

/// The name of a match of which the id alone will do.
pub fn match_name(name: &str) -> String {
    match name.starts_with("matches/") {
        true => name.to_owned(),
        false => format!("matches/{name}"),
    }
}

/// The name of a game of which the short name will do.
pub fn game_name(name: &str) -> String {
    match name.starts_with("games/") {
        true => name.to_owned(),
        false => format!("games/{name}"),
    }
}
