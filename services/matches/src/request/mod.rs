//! Checks of request fields before anything is done: ids, names, tags and contributions.

mod contribution;
pub(crate) mod display_names;
mod ids;
mod tags;

pub(crate) use contribution::{check_contribution, require_contribution};
pub(crate) use ids::{check_player, check_request_id, derived_id};
pub(crate) use tags::{check_key, check_tags};
