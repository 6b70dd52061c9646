//! Resource names in the fields of requests.

use contract::names::{self, Misnamed};
use matches::{MatchId, Position};
use tonic::Status;
use uuid::Uuid;

use crate::error::invalid;

pub(crate) fn parse_match(field: &str, name: &str) -> Result<MatchId, Status> {
    in_field(field, name, names::match_id(name)).map(MatchId)
}

pub(crate) fn parse_entry(field: &str, name: &str) -> Result<(MatchId, Position), Status> {
    in_field(field, name, names::entry_id(name)).map(entry)
}

/// The entry of a receipt.
pub(crate) fn parse_receipt(field: &str, name: &str) -> Result<(MatchId, Position), Status> {
    in_field(field, name, names::receipt_id(name)).map(entry)
}

/// The match of a record.
pub(crate) fn parse_record(field: &str, name: &str) -> Result<MatchId, Status> {
    in_field(field, name, names::record_id(name)).map(MatchId)
}

pub(crate) fn parse_game<'n>(field: &str, name: &'n str) -> Result<&'n str, Status> {
    in_field(field, name, names::game_id(name))
}

/// The game of its rules.
pub(crate) fn parse_rules<'n>(field: &str, name: &'n str) -> Result<&'n str, Status> {
    in_field(field, name, names::rules_id(name))
}

pub(crate) fn parse_player<'n>(field: &str, name: &'n str) -> Result<&'n str, Status> {
    in_field(field, name, names::player_id(name))
}

pub(crate) fn parse_subscription<'n>(field: &str, name: &'n str) -> Result<&'n str, Status> {
    in_field(field, name, names::subscription_id(name))
}

pub(crate) fn parse_seek(field: &str, name: &str) -> Result<Uuid, Status> {
    in_field(field, name, names::seek_id(name))
}

pub(crate) fn parse_projection<'n>(field: &str, name: &'n str) -> Result<&'n str, Status> {
    in_field(field, name, names::projection_id(name))
}

fn entry((match_id, position): (Uuid, i64)) -> (MatchId, Position) {
    (MatchId(match_id), Position(position))
}

fn in_field<T>(field: &str, name: &str, parsed: Result<T, Misnamed>) -> Result<T, Status> {
    parsed.map_err(|misnamed| invalid(field, format!("{name:?} is {misnamed}")))
}
