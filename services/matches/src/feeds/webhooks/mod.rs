//! Webhooks: subscriptions whose entries the service sends to an endpoint, at least once, and in
//! order within a match.
//!
//! Each process is a consumer of each such subscription and leases a share of its buckets, so no
//! two processes send the same match. A plan says what is sent next from a bucket: it is stored
//! first, then its messages are sent, one for each match, and then one statement acknowledges the
//! bucket and stores the next plan. If a process is killed, another one sends the messages of its
//! plan again, with the same ids (`nothing_is_lost_when_a_process_is_killed` in
//! `tests/it/webhooks.rs`).
//!
//! After a term began, no entries are sent before the endpoint has taken a notice of it.
//!
//! Failed messages are retried with growing pauses and delay only their bucket. An endpoint that
//! only fails is probed with one message now and then, and one that asks for a pause gets it. Each
//! endpoint has its own task, few slots and few entries in memory, so one that fails or stalls
//! delays no other (`thousands_of_deliveries_survive_a_bad_endpoint_and_kills`).

mod bucket;
mod deliverer;
mod governing;
mod messages;
mod notice;
mod planning;
mod sending;
mod service;

pub use deliverer::Options as WebhookOptions;
pub use governing::{Delivery, DeliveryPage};
pub use messages::{WebhookEntries, WebhookMessage, WebhookTest, WebhookWentBack};
pub use sending::{WEBHOOK_ATTEMPTS, WEBHOOK_ENTRIES};
pub use service::Service as WebhookService;
