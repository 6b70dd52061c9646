//! Subscriptions that the service sends to an endpoint, as their platforms see and govern them.

use std::time::Duration;

use store::{
    BUCKETS, Claims, DeliveredPart, DeliveryRow, Heads, Mark, Marks, MatchId, Position, Rotation,
    positions,
};
use time::OffsetDateTime;
use uuid::Uuid;
use webhooks::{Attempt, Endpoint, Message, Secret, Sender};

use crate::budgets::Lane;
use crate::detached::Detached;
use crate::{Caller, Error, Matches, RedactedEntry, Subscription};

/// Where the entries of a new subscription are sent.
#[derive(Clone, Debug)]
pub struct NewPush {
    pub endpoint: Endpoint,
    /// What signs the messages; none if the service makes it.
    pub secret: Option<Secret>,
}

/// What a message holds: entries of one match, in order.
#[derive(Clone, Debug)]
pub struct PushPart {
    pub platform: String,
    pub subscription: String,
    pub match_id: MatchId,
    pub entries: Vec<RedactedEntry>,
    /// Entries among them that this release cannot read.
    pub unreadable: Vec<Position>,
}

/// An attempt to send a message.
#[derive(Clone, Debug)]
pub struct Delivery {
    pub row: DeliveryRow,
    /// The position before the message; none of a test.
    pub at: Option<Marks>,
}

pub struct DeliveryPage {
    /// The latest first.
    pub deliveries: Vec<Delivery>,
    /// Before what the next page begins, if there is one.
    pub next: Option<(OffsetDateTime, Uuid)>,
}

/// A message that says nothing, to try an endpoint.
#[derive(Clone, Debug)]
pub struct Test {
    pub subscription: String,
    pub time: OffsetDateTime,
}

impl NewPush {
    /// The URL, the secret, and whether the secret was made here.
    pub(crate) fn signed(&self) -> Result<(&str, Secret, bool), Error> {
        let (secret, is_made) = secret_or_new(self.secret.clone())?;
        Ok((self.endpoint.as_str(), secret, is_made))
    }
}

impl Matches {
    /// Whether a subscription is sent, or not, as `push` asks.
    pub(crate) async fn is_pushed_as(
        &self,
        platform: &str,
        existing: &Subscription,
        push: Option<&NewPush>,
    ) -> Result<bool, Error> {
        let (Some(_), Some(push)) = (&existing.push, push) else {
            return Ok(existing.push.is_none() && push.is_none());
        };
        let (url, secrets) = self.webhook(platform, &existing.name).await?;
        let is_secret = |secret: &Secret| secrets.first().is_some_and(|first| first == secret);
        Ok(url == push.endpoint.as_str() && push.secret.as_ref().is_none_or(is_secret))
    }

    /// Signs with a new secret from now on, and with those before it for `overlap`. Returns the
    /// secret if it was made here, and when the others expire.
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
        let (text, made) = (secret.as_bytes().to_vec(), is_made.then_some(secret));
        Detached::new(async move {
            loop {
                let rotating = matches.0.store.rotate_secret(&platform, &name, &text, overlap);
                match matches.in_lane(Lane::Streams, &platform, rotating).await? {
                    Rotation::Rotated { expire_time } => return Ok((made, expire_time)),
                    Rotation::TooMany => return Err(Error::TooManySecrets),
                    Rotation::Conflict => {}
                }
            }
        })
        .await?
    }

    /// Begins anew, after a position or where the subscription is.
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
        let restarting = self.0.store.restart_webhook(platform, name, at.as_ref());
        if !self.in_lane(Lane::Streams, platform, restarting).await? {
            return Err(Error::SubscriptionNotPushed);
        }
        self.subscription(caller, name).await
    }

    /// Sends to another endpoint from now on, what failed at the earlier one at once. What is
    /// repeated keeps its ids.
    pub async fn move_webhook(
        &self,
        caller: &Caller,
        name: &str,
        endpoint: &Endpoint,
    ) -> Result<Subscription, Error> {
        let platform = caller.platform()?;
        self.webhook(platform, name).await?;
        let moving = self.0.store.move_webhook(platform, name, endpoint.as_str());
        if !self.in_lane(Lane::Streams, platform, moving).await? {
            return Err(Error::SubscriptionNotPushed);
        }
        self.subscription(caller, name).await
    }

    /// The last attempts, the latest first.
    pub async fn deliveries(
        &self,
        caller: &Caller,
        name: &str,
        before: Option<(OffsetDateTime, Uuid)>,
        limit: usize,
    ) -> Result<DeliveryPage, Error> {
        let platform = caller.platform()?;
        self.webhook(platform, name).await?;
        let listing = self.0.store.list_deliveries(platform, name, before, limit as i64);
        let rows = self.in_lane(Lane::Streams, platform, listing).await?;
        let at = self.subscription(caller, name).await?.at;
        let next = rows.last().filter(|_| rows.len() == limit);
        let next = next.map(|row| (row.attempt_time, row.delivery));
        let deliveries = rows.into_iter().map(|row| Delivery { at: before_part(at, &row), row });
        Ok(DeliveryPage { deliveries: deliveries.collect(), next })
    }

    /// Sends a message once that says nothing, and tells what came of it.
    pub async fn test_webhook(
        &self,
        caller: &Caller,
        name: &str,
        sender: &Sender,
        body: impl FnOnce(&Test) -> Vec<u8>,
    ) -> Result<Delivery, Error> {
        let platform = caller.platform()?;
        let (url, secrets) = self.webhook(platform, name).await?;
        let test = Test { subscription: name.to_owned(), time: crate::now() };
        let message =
            Message { id: format!("test_{}", Uuid::new_v4().simple()), body: body(&test).into() };
        let attempt = sender.send(&url, &message, &secrets).await;
        let row = delivery_row(message.id, None, 0, 1, attempt);
        let noting = self.0.store.note_deliveries(platform, name, std::slice::from_ref(&row));
        self.in_lane(Lane::Streams, platform, noting).await?;
        Ok(Delivery { row, at: None })
    }

    /// Where a subscription is sent, and the secrets that sign now, the newest first.
    async fn webhook(&self, platform: &str, name: &str) -> Result<(String, Vec<Secret>), Error> {
        self.subscription_row(platform, name).await?;
        let finding = self.0.store.find_webhook(platform, name);
        let found = self.in_lane(Lane::Streams, platform, finding).await?;
        let (url, secrets) = found.ok_or(Error::SubscriptionNotPushed)?;
        Ok((url, secrets_of(secrets)))
    }
}

/// The secrets as they are stored; their length is a constraint of the table.
pub(crate) fn secrets_of(stored: Vec<Vec<u8>>) -> Vec<Secret> {
    stored.into_iter().filter_map(|bytes| Secret::from_bytes(bytes).ok()).collect()
}

pub(crate) fn delivery_row(
    message: String,
    part: Option<DeliveredPart>,
    entries: usize,
    attempt: u32,
    Attempt { time, duration, status, failure, answer, retry_after: _ }: Attempt,
) -> DeliveryRow {
    DeliveryRow {
        delivery: Uuid::new_v4(),
        attempt_time: time.into(),
        duration,
        message,
        part,
        entries,
        attempt,
        status,
        failure: failure.map(|it| it.to_string()),
        answer,
    }
}

/// Where a subscription would have to be to send a message again: back in its bucket only.
fn before_part(mut at: Marks, row: &DeliveryRow) -> Option<Marks> {
    let part = row.part?;
    at[part.bucket.index()] = Mark::new(part.after, None);
    Some(at)
}

fn secret_or_new(secret: Option<Secret>) -> Result<(Secret, bool), Error> {
    match secret {
        Some(secret) => Ok((secret, false)),
        None => match Secret::new() {
            Ok(secret) => Ok((secret, true)),
            Err(error) => Err(Error::Internal(error.into())),
        },
    }
}

const _: () = assert!(BUCKETS == 64, "`restart_webhook` counts on it");
