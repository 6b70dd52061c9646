//! Deliveries: which entries a platform has asked to be given, and how far it was given them.
//!
//! A subscription is a named position in a platform's entries, whose consumers divide the buckets
//! among them by leases ([`Deliveries::lease`], [`Deliveries::acknowledge`]). A webhook is a
//! subscription whose consumers are the processes themselves ([`Deliveries::plan_webhook`]).

mod deliveries;
mod subscriptions;
mod webhooks;

pub use deliveries::Deliveries;
pub use subscriptions::{LEASE, Leased, SubscriptionRow};
pub use webhooks::{
    BucketFailure, BucketProgress, DeliveredPart, DeliveryRow, Plan, Rotation, SECRETS_MAX,
    Webhook, WebhookState,
};
