//! Operations on webhooks by their platforms: rotating secrets, moving, redelivering, testing,
//! listing deliveries.

use std::time::Duration;

use deliveries::{DeliveryRow, Rotation};
use positions::{BUCKETS, Bookmark, Claims, Heads, Mark, positions};
use time::OffsetDateTime;
use uuid::Uuid;
use webhooks::{Endpoint, Message, Secret, Sender};

use super::messages::{Body, WebhookMessage, WebhookTest};
use crate::access::{Caller, Lane};
use crate::detached::Detached;
use crate::error::Error;
use crate::feeds::new_webhook::secret_or_new;
use crate::feeds::subscriptions::Subscription;
use crate::matches::Matches;

/// An attempt to send a message.
#[derive(Clone, Debug)]
pub struct Delivery {
    pub row: DeliveryRow,
    /// The position before the message; `None` for a test.
    pub at: Option<Bookmark>,
}

pub struct DeliveryPage {
    /// Newest first.
    pub deliveries: Vec<Delivery>,
    /// Where the next page begins, if there is one.
    pub next: Option<(OffsetDateTime, Uuid)>,
}

impl Matches {
    /// Signs with a new secret from now on, and also with the earlier ones for `overlap`. Returns
    /// the secret if the service made it, and when the earlier ones expire.
    pub async fn rotate_secret(
        &self,
        caller: &Caller,
        name: &str,
        secret: Option<Secret>,
        overlap: Duration,
    ) -> Result<(Option<Secret>, OffsetDateTime), Error> {
        let platform = caller.platform()?;
        self.webhook(platform, name).await?;
        let (secret, is_made) = secret_or_new(secret)?;
        let (matches, platform, name) = (self.clone(), platform.to_owned(), name.to_owned());
        let caller = caller.clone();
        let (text, made) = (secret.as_bytes().to_vec(), is_made.then_some(secret));
        Detached::new(async move {
            loop {
                let operator = matches.operator(&caller);
                let rotating = operator.rotate_secret(&platform, &name, &text, overlap);
                match matches.in_lane(Lane::Streams, &platform, rotating).await? {
                    Rotation::Rotated { expire_time } => return Ok((made, expire_time)),
                    Rotation::TooMany => return Err(Error::TooManySecrets),
                    Rotation::Conflict => {}
                }
            }
        })
        .await?
    }

    /// Sends the entries after a position again, or starts afresh at the subscription's position.
    pub async fn redeliver(
        &self,
        caller: &Caller,
        name: &str,
        after: Option<&Claims>,
    ) -> Result<Subscription, Error> {
        let platform = caller.platform()?;
        self.webhook(platform, name).await?;
        let at: Option<Heads> = match after {
            Some(claims) => Some(positions(&self.marks_of(platform, claims).await?)),
            None => None,
        };
        let restarting = self.0.deliveries.restart_webhook(platform, name, at.as_ref());
        if !self.in_lane(Lane::Streams, platform, restarting).await? {
            return Err(Error::SubscriptionNotPushed);
        }
        self.subscription(caller, name).await
    }

    /// Changes the endpoint; messages that failed at the earlier one are sent at once, with the
    /// same ids.
    pub async fn move_webhook(
        &self,
        caller: &Caller,
        name: &str,
        endpoint: &Endpoint,
    ) -> Result<Subscription, Error> {
        let platform = caller.platform()?;
        self.webhook(platform, name).await?;
        let (matches, by, its_name) = (self.clone(), caller.clone(), name.to_owned());
        let url = endpoint.as_str().to_owned();
        let moving = Detached::new(async move {
            let operator = matches.operator(&by);
            let moving = operator.move_webhook(&by.platform, &its_name, &url);
            matches.in_lane(Lane::Streams, &by.platform, moving).await
        });
        if !moving.await?? {
            return Err(Error::SubscriptionNotPushed);
        }
        self.subscription(caller, name).await
    }

    /// The last attempts, newest first.
    pub async fn deliveries(
        &self,
        caller: &Caller,
        name: &str,
        before: Option<(OffsetDateTime, Uuid)>,
        limit: usize,
    ) -> Result<DeliveryPage, Error> {
        let platform = caller.platform()?;
        self.webhook(platform, name).await?;
        let listing = self.0.deliveries.list_deliveries(platform, name, before, limit as i64);
        let rows = self.in_lane(Lane::Streams, platform, listing).await?;
        let at = self.subscription(caller, name).await?.at;
        let next = rows.last().filter(|_| rows.len() == limit);
        let next = next.map(|row| (row.attempt_time, row.delivery));
        let deliveries =
            rows.into_iter().map(|row| Delivery { at: before_part(at.clone(), &row), row });
        Ok(DeliveryPage { deliveries: deliveries.collect(), next })
    }

    /// Sends a test message once, and returns the delivery.
    pub async fn test_webhook(
        &self,
        caller: &Caller,
        name: &str,
        sender: &Sender,
        body: Body,
    ) -> Result<Delivery, Error> {
        let platform = caller.platform()?;
        let (url, secrets) = self.webhook(platform, name).await?;
        let now = self.now();
        let test = WebhookMessage::Test(WebhookTest::new(name, now));
        let message = Message { id: test.id().to_owned(), body: body(&test, now).into() };
        let row = test.delivery(1, sender.send(&url, &message, &secrets, now.into()).await);
        let noting = self.0.deliveries.note_deliveries(platform, name, std::slice::from_ref(&row));
        self.in_lane(Lane::Streams, platform, noting).await?;
        Ok(Delivery { row, at: None })
    }
}

/// The position from which the subscription would send a message again: only its bucket goes back.
fn before_part(mut at: Bookmark, row: &DeliveryRow) -> Option<Bookmark> {
    let part = row.part?;
    at.marks[part.bucket.index()] = Mark::new(part.after, None);
    Some(at)
}

const _: () = assert!(BUCKETS == 64, "`restart_webhook` counts on it");
