//! How a player who does not look ahead values actions and positions.

mod mind;

mod deals;

mod karma;

mod actions;

mod position;

pub(super) use actions::appeal;
pub(super) use position::worth;
