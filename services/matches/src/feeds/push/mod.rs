//! Web Push: a player's browsers are told of the player's turns, each at most once, while the turn
//! lasts.
//!
//! One process leases the feed of a platform that has browsers. It follows the record, queues each
//! turn for the browsers of its player in the statement that stores how far it has read, and sends
//! what is queued. When it is killed, another one goes on after the lease: no turn is lost
//! (`nothing_is_lost_when_a_process_is_killed` in `tests/it/push.rs`). A message that was being
//! sent is sent again, under the same topic and tag, so that a browser shows it once.
//!
//! A turn waits a few seconds, so that a player at the table is not told. A message tells of all
//! turns of its browser that wait, and a browser gets at most one a minute and none in its quiet
//! hours. Whether a turn is over, and whether the right holds by which the browser was registered,
//! is asked right before sending.
//!
//! A platform without browsers has no feed. Each process asks for feeds every other second, and
//! does nothing else.

mod browsers;
mod message;
mod pusher;
mod sending;
mod service;
mod shared;

pub use browsers::{Browser, BrowserCursor, NewBrowser};
pub use message::{PushContent, PushNotice, PushTurn};
pub use pusher::TURN_WAIT;
pub use sending::PUSH_MESSAGES;
pub use service::PushService;
pub use shared::PushOptions;
