//! Entries of many matches: streams, subscriptions whose position the service stores, and the
//! webhooks that send them; and the browsers that tell players of their turns.

mod assignment;
mod batches;
mod consuming;
mod filter;
mod log_reader;
mod new_webhook;
mod push;
mod streams;
mod subscriptions;
mod webhooks;

pub use self::push::{
    Browser, BrowserCursor, NewBrowser, PUSH_MESSAGES, PushContent, PushNotice, PushOptions,
    PushService, PushTurn, TURN_WAIT,
};
pub use self::webhooks::{
    Delivery, DeliveryPage, WEBHOOK_ATTEMPTS, WEBHOOK_ENTRIES, WebhookEntries, WebhookMessage,
    WebhookOptions, WebhookService, WebhookTest, WebhookWentBack,
};
pub use batches::{Batch, BatchStream, StreamError, StreamTiming, StreamedEntry};
pub use filter::{EntryFilter, StreamStart};
pub use new_webhook::NewWebhook;
pub use subscriptions::{NewSubscription, Subscription, SubscriptionChanges, SubscriptionPage};
