//! Subscriptions: streams whose position the service stores, shared by any number of consumers.
//!
//! The buckets of the log are divided among the active consumers by leases. A lease may outlive its
//! consumer for a while, so entries are delivered at least once; only acknowledged entries are
//! never delivered again.

use std::time::Duration;

use store::{Claims, LEASE, Mark, Marks, SubscriptionRow, WebhookState, positions};
use time::OffsetDateTime;
use tokio::time::Instant;
use uuid::Uuid;
use webhooks::Secret;

use crate::budgets::{Lane, StreamKind};
use crate::detached::Detached;
use crate::push::NewPush;
use crate::stream::{Assignment, BatchSource, LogReader, spawn_stream};
use crate::tags::check_tags;
use crate::{
    Batch, BatchStream, Caller, EntryFilter, Error, Matches, StreamStart, StreamTiming, now,
};

/// How often a consumer renews its lease and takes its current share of the buckets: several times
/// within a lease.
const RENEWAL_INTERVAL: Duration = LEASE.checked_div(8).expect("the divisor is not zero");

/// A subscription's or consumer's name: a few words, and part of a URL.
const NAME_BYTES_MAX: usize = 64;

#[derive(Clone, Debug)]
pub struct NewSubscription {
    pub name: String,
    pub filter: EntryFilter,
    pub start: StreamStart,
    /// Where the service sends the entries; none if the platform consumes them.
    pub push: Option<NewPush>,
}

/// A subscription and its current state.
#[derive(Clone, Debug)]
pub struct Subscription {
    pub name: String,
    pub filter: EntryFilter,
    pub create_time: OffsetDateTime,
    /// Every entry up to here is acknowledged.
    pub at: Marks,
    /// None of a subscription that the service sends.
    pub consumers: Vec<String>,
    /// The state of sending; none if the platform consumes the entries.
    pub push: Option<WebhookState>,
}

pub struct SubscriptionPage {
    pub subscriptions: Vec<Subscription>,
    /// The name after which the next page begins, if there is one.
    pub next: Option<String>,
}

impl Matches {
    /// Creates a subscription, or returns the one of this name if it is the same. The second value
    /// is the secret that was made for it.
    pub async fn subscribe(
        &self,
        caller: &Caller,
        new: NewSubscription,
    ) -> Result<(Subscription, Option<Secret>), Error> {
        let platform = caller.platform()?;
        check_name(&new.name)?;
        check_tags("filter.tags", &new.filter.tags)?;
        let start = self.start_marks(platform, new.start.clone()).await?;
        let row = row_of(platform, &new);
        let count = self.0.store.count_subscriptions(platform, &new.name);
        let count = self.in_lane(Lane::Streams, platform, count).await?;
        self.budgets().of(platform).check_subscriptions(count)?;
        let at = positions(&start);
        let signed = new.push.as_ref().map(NewPush::signed).transpose()?;
        let push = signed.as_ref().map(|(url, secret, _)| (*url, secret.as_bytes()));
        let creating = self.0.store.create_subscription(&row, &at, push);
        if self.in_lane(Lane::Streams, platform, creating).await? {
            let made = signed.filter(|(.., is_made)| *is_made).map(|(_, secret, _)| secret);
            return Ok((self.with_state(row).await?, made));
        }
        let existing = self.subscription(caller, &new.name).await?;
        let is_same = existing.filter == new.filter
            && self.is_pushed_as(platform, &existing, new.push.as_ref()).await?;
        if is_same { Ok((existing, None)) } else { Err(Error::SubscriptionExists) }
    }

    pub async fn subscription(&self, caller: &Caller, name: &str) -> Result<Subscription, Error> {
        let row = self.subscription_row(caller.platform()?, name).await?;
        self.with_state(row).await
    }

    /// A platform's subscriptions by name, after the name `after`.
    pub async fn subscriptions(
        &self,
        caller: &Caller,
        after: &str,
        limit: usize,
    ) -> Result<SubscriptionPage, Error> {
        let platform = caller.platform()?;
        let listing = self.0.store.list_subscriptions(platform, after, limit as i64);
        let rows = self.in_lane(Lane::Streams, platform, listing).await?;
        let next = rows.last().filter(|_| rows.len() == limit);
        let next = next.map(|row| row.subscription.clone());
        let subscriptions = self.with_states(platform, rows).await?;
        Ok(SubscriptionPage { subscriptions, next })
    }

    pub async fn unsubscribe(&self, caller: &Caller, name: &str) -> Result<(), Error> {
        let platform = caller.platform()?;
        let deleting = self.0.store.delete_subscription(platform, name);
        if self.in_lane(Lane::Streams, platform, deleting).await? {
            Ok(())
        } else {
            Err(Error::NoSuchSubscription)
        }
    }

    /// The entries of a consumer's share of a subscription. If the caller drops this future, the
    /// consumer still leaves, so that its share does not wait for a lease to expire.
    pub async fn consume(
        &self,
        caller: &Caller,
        name: &str,
        consumer: Option<String>,
        timing: StreamTiming,
    ) -> Result<BatchStream, Error> {
        let (matches, caller, name) = (self.clone(), caller.clone(), name.to_owned());
        let begin = async move { matches.begin_consuming(&caller, &name, consumer, timing).await };
        Detached::new(begin).await?
    }

    async fn begin_consuming(
        &self,
        caller: &Caller,
        name: &str,
        consumer: Option<String>,
        timing: StreamTiming,
    ) -> Result<BatchStream, Error> {
        let platform = caller.platform()?;
        let consumer = consumer.unwrap_or_else(|| Uuid::new_v4().to_string());
        check_consumer(&consumer)?;
        let open = self.open_stream(caller, StreamKind::ManyMatches)?;
        let consuming = self.budgets().of(platform).consume(name)?;
        let row = self.subscription_row(platform, name).await?;
        self.check_unpushed(platform, name).await?;
        let leasing = self.0.store.lease(platform, name, &consumer);
        let leased = self.in_lane(Lane::Streams, platform, leasing).await?;
        let assignment = Assignment::new(&leased.ok_or(Error::NoSuchSubscription)?);
        let mut reader =
            LogReader::new(self, platform, filter_of(&row), assignment, timing.heartbeat);
        if let Err(Error::RecordWentBack { marks: Some(marks), .. }) = reader.identify().await {
            // Acknowledged before the record went back: what it has instead must not be skipped.
            self.0.store.rewind(platform, name, &positions(&marks)).await?;
        }
        let next_renewal = Instant::now() + RENEWAL_INTERVAL;
        let consumer =
            Consumer { matches: self.clone(), row, name: consumer, reader, next_renewal };
        Ok(spawn_stream(consumer, timing.take_wait, (open, consuming)))
    }

    /// Acknowledges every entry up to these positions.
    pub async fn acknowledge(&self, caller: &Caller, name: &str, at: &Claims) -> Result<(), Error> {
        let platform = caller.platform()?;
        self.subscription_row(platform, name).await?;
        self.check_unpushed(platform, name).await?;
        let at = self.marks_of(platform, at).await?;
        let acknowledging = self.0.store.acknowledge(platform, name, &at);
        self.in_lane(Lane::Streams, platform, acknowledging).await
    }

    /// What the service sends, nobody else consumes.
    async fn check_unpushed(&self, platform: &str, name: &str) -> Result<(), Error> {
        let finding = self.0.store.find_webhook(platform, name);
        let found = self.in_lane(Lane::Streams, platform, finding).await?;
        if found.is_some() { Err(Error::SubscriptionPushed) } else { Ok(()) }
    }

    pub(crate) async fn subscription_row(
        &self,
        platform: &str,
        name: &str,
    ) -> Result<SubscriptionRow, Error> {
        let finding = self.0.store.find_subscription(platform, name);
        self.in_lane(Lane::Streams, platform, finding).await?.ok_or(Error::NoSuchSubscription)
    }

    pub(crate) async fn with_state(&self, row: SubscriptionRow) -> Result<Subscription, Error> {
        let platform = row.platform.clone();
        let mut subscriptions = self.with_states(&platform, vec![row]).await?;
        Ok(subscriptions.pop().expect("as many as rows"))
    }

    /// Reads the state of all of them at once.
    async fn with_states(
        &self,
        platform: &str,
        rows: Vec<SubscriptionRow>,
    ) -> Result<Vec<Subscription>, Error> {
        let names: Vec<String> = rows.iter().map(|row| row.subscription.clone()).collect();
        let reading = self.0.store.subscription_states(platform, &names);
        let mut states = self.in_lane(Lane::Streams, platform, reading).await?;
        let reading = self.0.store.webhook_states(platform, &names);
        let mut pushed = self.in_lane(Lane::Streams, platform, reading).await?;
        let subscriptions = rows.into_iter().map(|row| {
            let (at, mut consumers) = states.remove(&row.subscription).expect("all have a state");
            let at = at.map(|position| Mark::new(position, None));
            let push = pushed.remove(&row.subscription);
            if push.is_some() {
                consumers.clear();
            }
            subscription_of(row, at, consumers, push)
        });
        Ok(subscriptions.collect())
    }
}

struct Consumer {
    matches: Matches,
    row: SubscriptionRow,
    name: String,
    reader: LogReader,
    next_renewal: Instant,
}

impl BatchSource for Consumer {
    async fn next(&mut self) -> Result<Batch, Error> {
        loop {
            if let Some(batch) = self.reader.next(Some(self.next_renewal)).await? {
                return Ok(batch);
            }
            self.renew_lease().await?;
        }
    }

    fn at(&self) -> Marks {
        self.reader.assignment.at()
    }

    async fn close(self) {
        let SubscriptionRow { platform, subscription, .. } = &self.row;
        // If this fails, the lease expires by itself.
        let leaving = self.matches.0.store.leave(platform, subscription, &self.name);
        let _ = self.matches.in_lane_of_streams(platform, leaving).await;
    }
}

impl Consumer {
    /// Renews the lease, and reads the buckets that are this consumer's share now.
    async fn renew_lease(&mut self) -> Result<(), Error> {
        self.next_renewal = Instant::now() + RENEWAL_INTERVAL;
        let SubscriptionRow { platform, subscription, .. } = &self.row;
        let leasing = self.matches.0.store.lease(platform, subscription, &self.name);
        match self.matches.in_lane_of_streams(platform, leasing).await {
            Ok(Some(leased)) => {
                self.reader.assignment.assign(&leased);
                self.reader.identify().await?;
            }
            Ok(None) => return Err(Error::NoSuchSubscription),
            // The consumer continues meanwhile: at worst an entry is delivered twice.
            Err(error) => {
                tracing::debug!(%error, "a lease was not renewed, trying again");
            }
        }
        Ok(())
    }
}

fn row_of(platform: &str, new: &NewSubscription) -> SubscriptionRow {
    let EntryFilter { games, verbs, players, tags, is_whole } = new.filter.clone();
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

pub(crate) fn filter_of(row: &SubscriptionRow) -> EntryFilter {
    EntryFilter {
        games: row.games.clone(),
        verbs: row.verbs.clone(),
        players: row.players.clone(),
        tags: row.tags.clone(),
        is_whole: row.is_whole,
    }
}

fn subscription_of(
    row: SubscriptionRow,
    at: Marks,
    consumers: Vec<String>,
    push: Option<WebhookState>,
) -> Subscription {
    let filter = filter_of(&row);
    let SubscriptionRow { subscription: name, create_time, .. } = row;
    Subscription { name, filter, create_time, at, consumers, push }
}

fn check_name(name: &str) -> Result<(), Error> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    if (1..=NAME_BYTES_MAX).contains(&name.len()) && name.bytes().all(fits) {
        Ok(())
    } else {
        let rule = format!(
            "the name of a subscription must have 1 to {NAME_BYTES_MAX} letters, digits, `-`, `_` or `.`"
        );
        Err(Error::invalid("name", rule))
    }
}

fn check_consumer(consumer: &str) -> Result<(), Error> {
    let fits = consumer.bytes().all(|byte| byte.is_ascii_graphic());
    if (1..=NAME_BYTES_MAX).contains(&consumer.len()) && fits {
        Ok(())
    } else {
        let rule = format!(
            "the name of a consumer must have 1 to {NAME_BYTES_MAX} visible ASCII characters"
        );
        Err(Error::invalid("consumer", rule))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filter_of_a_stored_subscription_is_the_one_given() {
        let some = |text: &str| vec![text.to_owned()];
        let filter = EntryFilter {
            games: some("rigs"),
            verbs: some("pass"),
            players: some("ann"),
            tags: [("league".to_owned(), "spring".to_owned())].into(),
            is_whole: true,
        };
        let name = "feed".to_owned();
        let new =
            NewSubscription { name, filter: filter.clone(), start: StreamStart::Now, push: None };
        let row = row_of("acme", &new);
        assert_eq!((row.platform.as_str(), row.subscription.as_str()), ("acme", "feed"));
        assert_eq!(filter_of(&row), filter);
    }

    #[test]
    fn names_are_bounded_and_plain() {
        let longest = "a".repeat(NAME_BYTES_MAX);
        assert!(check_name(&longest).is_ok() && check_name("a-b_c.D9").is_ok());
        assert!(check_consumer(&longest).is_ok() && check_consumer("host/1").is_ok());
        let too_long = "a".repeat(NAME_BYTES_MAX + 1);
        for name in ["", "a b", "é", &too_long] {
            assert!(check_name(name).is_err() && check_consumer(name).is_err(), "{name:?}");
        }
        assert!(check_name("a/b").is_err(), "a name is part of a URL");
    }
}
