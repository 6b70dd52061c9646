//! Subscriptions: streams whose place the service keeps, shared by any number of consumers.
//!
//! The log's buckets are shared out among the consumers that are there. Leases say who works on
//! which, by time, and may be wrong for a while: then an entry is told twice. What is never told
//! again is what was acknowledged, and nothing else.

use std::time::Duration;

use store::{Heads, LEASE, SubscriptionRow};
use time::OffsetDateTime;
use tokio::time::Instant;
use uuid::Uuid;

use crate::stream::{Follower, Share, Teller, pumped};
use crate::tags::check_tags;
use crate::{Batch, BatchStream, Caller, Choice, Error, Matches, Start, Terms, now};

/// How often a consumer says that it is there, and shares are settled: a few times within a lease.
const BEAT: Duration = LEASE.checked_div(8).expect("a lease has a length");

/// A subscription's or consumer's name: a few words, and a part of addresses.
const NAME_BYTES_MAX: usize = 64;

#[derive(Clone, Debug)]
pub struct NewSubscription {
    pub name: String,
    pub filter: Choice,
    pub start: Start,
}

/// A subscription, and how it stands.
#[derive(Clone, Debug)]
pub struct Subscription {
    pub name: String,
    pub filter: Choice,
    pub create_time: OffsetDateTime,
    /// Everything up to here is acknowledged.
    pub at: Heads,
    pub consumers: Vec<String>,
}

pub struct SubscriptionPage {
    pub subscriptions: Vec<Subscription>,
    /// The name after which the next page begins, if there is one.
    pub next: Option<String>,
}

impl Matches {
    /// Creates a subscription; the same one again is answered as it stands.
    pub async fn subscribe(
        &self,
        caller: &Caller,
        new: NewSubscription,
    ) -> Result<Subscription, Error> {
        let platform = caller.platform()?;
        check_name(&new.name)?;
        check_tags(&new.filter.tags)?;
        let start = self.starts(new.start.clone()).await?;
        let row = row_of(platform, &new);
        if self.0.store.create_subscription(&row, &start).await? {
            return Ok(subscription_of(row, start, Vec::new()));
        }
        let it = self.subscription(caller, &new.name).await?;
        if it.filter == new.filter { Ok(it) } else { Err(Error::SubscriptionExists) }
    }

    pub async fn subscription(&self, caller: &Caller, name: &str) -> Result<Subscription, Error> {
        let row = self.subscription_row(caller.platform()?, name).await?;
        self.standing(row).await
    }

    /// A platform's subscriptions by name, after one of them.
    pub async fn subscriptions(
        &self,
        caller: &Caller,
        after: &str,
        limit: usize,
    ) -> Result<SubscriptionPage, Error> {
        let platform = caller.platform()?;
        let rows = self.0.store.list_subscriptions(platform, after, limit as i64).await?;
        let next = rows.last().filter(|_| rows.len() == limit);
        let next = next.map(|row| row.subscription.clone());
        let mut subscriptions = Vec::new();
        for row in rows {
            subscriptions.push(self.standing(row).await?);
        }
        Ok(SubscriptionPage { subscriptions, next })
    }

    pub async fn unsubscribe(&self, caller: &Caller, name: &str) -> Result<(), Error> {
        let deleted = self.0.store.delete_subscription(caller.platform()?, name).await?;
        if deleted { Ok(()) } else { Err(Error::NoSuchSubscription) }
    }

    /// A consumer's share of a subscription.
    pub async fn consume(
        &self,
        caller: &Caller,
        name: &str,
        consumer: Option<String>,
        terms: Terms,
    ) -> Result<BatchStream, Error> {
        let platform = caller.platform()?;
        let consumer = consumer.unwrap_or_else(|| Uuid::new_v4().to_string());
        check_consumer(&consumer)?;
        let row = self.subscription_row(platform, name).await?;
        let leased = self.0.store.lease(platform, name, &consumer).await?;
        let share = Share::new(&leased.ok_or(Error::NoSuchSubscription)?);
        let follower = Follower::new(self, platform, filter_of(&row), share, terms.heartbeat);
        let beat = Instant::now() + BEAT;
        let consumption = Consumption { matches: self.clone(), row, consumer, follower, beat };
        Ok(pumped(consumption, terms.take_wait))
    }

    /// Everything up to these positions is dealt with.
    pub async fn acknowledge(&self, caller: &Caller, name: &str, at: &Heads) -> Result<(), Error> {
        let platform = caller.platform()?;
        self.subscription_row(platform, name).await?;
        Ok(self.0.store.acknowledge(platform, name, at).await?)
    }

    async fn subscription_row(&self, platform: &str, name: &str) -> Result<SubscriptionRow, Error> {
        let row = self.0.store.find_subscription(platform, name).await?;
        row.ok_or(Error::NoSuchSubscription)
    }

    async fn standing(&self, row: SubscriptionRow) -> Result<Subscription, Error> {
        let at = self.0.store.acknowledged(&row.platform, &row.subscription).await?;
        let consumers = self.0.store.consumers(&row.platform, &row.subscription).await?;
        Ok(subscription_of(row, at, consumers))
    }
}

/// A consumer at work.
struct Consumption {
    matches: Matches,
    row: SubscriptionRow,
    consumer: String,
    follower: Follower,
    /// When to say again that it is there.
    beat: Instant,
}

impl Teller for Consumption {
    async fn next(&mut self) -> Result<Batch, Error> {
        loop {
            if let Some(batch) = self.follower.next(Some(self.beat)).await? {
                return Ok(batch);
            }
            self.settle().await?;
        }
    }

    fn at(&self) -> Heads {
        self.follower.share.at()
    }

    async fn leave(self) {
        let SubscriptionRow { platform, subscription, .. } = &self.row;
        // If this fails the lease runs out by itself.
        let _ = self.matches.0.store.leave(platform, subscription, &self.consumer).await;
    }
}

impl Consumption {
    /// Says that the consumer is there, and takes what is its share now.
    async fn settle(&mut self) -> Result<(), Error> {
        self.beat = Instant::now() + BEAT;
        let SubscriptionRow { platform, subscription, .. } = &self.row;
        match self.matches.0.store.lease(platform, subscription, &self.consumer).await {
            Ok(Some(leased)) => self.follower.share.hold(&leased),
            Ok(None) => return Err(Error::NoSuchSubscription),
            // Whoever cannot say that it is there goes on: at worst an entry is told twice.
            Err(error) => {
                tracing::debug!(%error, "a share is not settled, trying again");
            }
        }
        Ok(())
    }
}

fn row_of(platform: &str, new: &NewSubscription) -> SubscriptionRow {
    let Choice { games, verbs, players, tags, is_whole } = new.filter.clone();
    SubscriptionRow {
        platform: platform.to_owned(),
        subscription: new.name.clone(),
        games,
        verbs,
        players,
        tags,
        is_whole,
        create_time: now(),
    }
}

fn filter_of(row: &SubscriptionRow) -> Choice {
    Choice {
        games: row.games.clone(),
        verbs: row.verbs.clone(),
        players: row.players.clone(),
        tags: row.tags.clone(),
        is_whole: row.is_whole,
    }
}

fn subscription_of(row: SubscriptionRow, at: Heads, consumers: Vec<String>) -> Subscription {
    let filter = filter_of(&row);
    let SubscriptionRow { subscription: name, create_time, .. } = row;
    Subscription { name, filter, create_time, at, consumers }
}

fn check_name(name: &str) -> Result<(), Error> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    if (1..=NAME_BYTES_MAX).contains(&name.len()) && name.bytes().all(fits) {
        Ok(())
    } else {
        let rule = format!(
            "a subscription's name has 1 to {NAME_BYTES_MAX} letters, digits, `-`, `_` and `.`"
        );
        Err(Error::Invalid(rule))
    }
}

fn check_consumer(consumer: &str) -> Result<(), Error> {
    let fits = consumer.bytes().all(|byte| byte.is_ascii_graphic());
    if (1..=NAME_BYTES_MAX).contains(&consumer.len()) && fits {
        Ok(())
    } else {
        let rule = format!("a consumer's name has 1 to {NAME_BYTES_MAX} visible ASCII characters");
        Err(Error::Invalid(rule))
    }
}
