//! Consuming a subscription, with any number of consumers.
//!
//! The buckets of the log are divided among the active consumers by leases. A consumer may read on
//! for a while after it lost a lease, so entries are delivered at least once. Entries that were
//! acknowledged are not delivered again.

use std::time::Duration;

use deliveries::{LEASE, Leased, SubscriptionRow};
use positions::{Bookmark, Claims, Term};
use tokio::time::Instant;
use uuid::Uuid;

use super::assignment::Assignment;
use super::batches::{Batch, BatchSource, BatchStream, StreamTiming, spawn_stream};
use super::log_reader::LogReader;
use super::subscriptions::{NAME_BYTES_MAX, filter_of};
use crate::access::{Caller, Lane, StreamKind};
use crate::detached::Detached;
use crate::error::Error;
use crate::matches::Matches;

/// How often a consumer renews its lease and takes its current share of the buckets: several times
/// within a lease.
const RENEWAL_INTERVAL: Duration = LEASE.checked_div(8).expect("the divisor is not zero");

impl Matches {
    /// The entries of a consumer's share of a subscription. If the caller drops this future, the
    /// consumer still leaves, so that others need not wait for its leases to expire.
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
        self.check_consumed(platform, name).await?;
        let leasing = self.0.deliveries.lease(platform, name, &consumer);
        let leased = self.in_lane(Lane::Streams, platform, leasing).await?;
        let leased = leased.ok_or(Error::NoSuchSubscription)?;
        let term = term_of(&leased);
        let assignment = Assignment::new(&leased);
        let reader = LogReader::new(self, platform, filter_of(&row), assignment, timing.heartbeat);
        let mut reader = reader.continuing(Some(name), term);
        // If lost entries were acknowledged, the position stays where it is until the notice is
        // acknowledged, so that a consumer that fails meanwhile is told again.
        reader.identify_or_tell().await?;
        let next_renewal = Instant::now() + RENEWAL_INTERVAL;
        let consumer =
            Consumer { matches: self.clone(), row, name: consumer, reader, next_renewal };
        Ok(spawn_stream(consumer, timing.take_wait, (open, consuming)))
    }

    /// Acknowledges every entry up to these positions.
    pub async fn acknowledge(&self, caller: &Caller, name: &str, at: &Claims) -> Result<(), Error> {
        let platform = caller.platform()?;
        self.subscription_row(platform, name).await?;
        self.check_consumed(platform, name).await?;
        let Claims { term, buckets, .. } = *at;
        let at = Bookmark { term, buckets, marks: self.marks_of(platform, at).await? };
        let acknowledging = self.0.deliveries.acknowledge(platform, name, &at);
        self.in_lane(Lane::Streams, platform, acknowledging).await
    }

    /// Fails if the service sends the subscription, because then clients may not consume it.
    async fn check_consumed(&self, platform: &str, name: &str) -> Result<(), Error> {
        let finding = self.0.deliveries.find_webhook(platform, name);
        let found = self.in_lane(Lane::Streams, platform, finding).await?;
        if found.is_some() { Err(Error::SubscriptionPushed) } else { Ok(()) }
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

    fn at(&self) -> Bookmark {
        self.reader.bookmark()
    }

    async fn close(self) {
        let SubscriptionRow { platform, subscription, .. } = &self.row;
        // If this fails, the lease expires by itself.
        let leaving = self.matches.0.deliveries.leave(platform, subscription, &self.name);
        let _ = self.matches.in_lane_of_streams(platform, leaving).await;
        self.reader.close().await;
    }
}

impl Consumer {
    /// Renews the lease and updates this consumer's share of the buckets.
    async fn renew_lease(&mut self) -> Result<(), Error> {
        self.next_renewal = Instant::now() + RENEWAL_INTERVAL;
        let SubscriptionRow { platform, subscription, .. } = &self.row;
        let leasing = self.matches.0.deliveries.lease(platform, subscription, &self.name);
        match self.matches.in_lane_of_streams(platform, leasing).await {
            Ok(Some(leased)) => {
                self.reader.assignment.assign(&leased);
                self.reader.identify_or_tell().await?;
                self.follow_filter().await
            }
            Ok(None) => Err(Error::NoSuchSubscription),
            // The consumer continues in the meantime: at worst an entry is delivered twice.
            Err(error) => {
                tracing::debug!(%error, "a lease was not renewed, trying again");
                Ok(())
            }
        }
    }

    /// Reads by the subscription's filter from now on, which may have changed. A subscription of
    /// this name that was created since is another one.
    async fn follow_filter(&mut self) -> Result<(), Error> {
        let SubscriptionRow { platform, subscription, .. } = &self.row;
        let reading = self.matches.0.deliveries.find_subscription(platform, subscription);
        match self.matches.in_lane_of_streams(platform, reading).await {
            Ok(Some(row)) if row.create_time == self.row.create_time => {
                if row != self.row {
                    self.reader.filter_by(filter_of(&row));
                    self.row = row;
                }
                Ok(())
            }
            Ok(_) => Err(Error::NoSuchSubscription),
            Err(error) => {
                tracing::debug!(%error, "a filter was not read, trying again");
                Ok(())
            }
        }
    }
}

/// The term in which all of it was acknowledged; unknown if there are several.
fn term_of(leased: &[Leased]) -> Term {
    let mut terms = leased.iter().filter(|it| it.acknowledged.position > 0).map(|it| it.term);
    let first = terms.next().unwrap_or_default();
    if terms.all(|it| it == first) { first } else { Term::UNKNOWN }
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
    fn names_of_consumers_are_bounded() {
        let longest = "a".repeat(NAME_BYTES_MAX);
        assert!(check_consumer(&longest).is_ok() && check_consumer("host/1").is_ok());
        let too_long = "a".repeat(NAME_BYTES_MAX + 1);
        for name in ["", "a b", "é", &too_long] {
            assert!(check_consumer(name).is_err(), "{name:?}");
        }
    }
}
