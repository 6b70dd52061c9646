//! Deliveries: the entries that a platform has subscribed to, and how far they were delivered.
//!
//! A subscription is a named position in a platform's entries, whose consumers divide the buckets
//! among themselves by leases ([`Deliveries::lease`], [`Deliveries::acknowledge`]). A webhook is a
//! subscription whose consumers are the processes themselves ([`Deliveries::plan_webhook`]). Web
//! Push has feeds of its own, which queue turns for the browsers of players
//! ([`Deliveries::queue_turns`]).

mod deliveries;
mod push;
mod subscriptions;
mod webhooks;

pub use deliveries::Deliveries;
pub use push::{BROWSERS_MAX, NewTurn, PushFeed, PushRow, QueuedTurn};
pub use subscriptions::{LEASE, Leased, SubscriptionRow, SubscriptionUpdate};
pub use webhooks::{
    BucketFailure, BucketProgress, DeliveredPart, DeliveryRow, Plan, Rotation, SECRETS_MAX,
    Webhook, WebhookState,
};
