//! Subscriptions: streams whose position the service stores.

use deliveries::{SubscriptionRow, SubscriptionUpdate, WebhookState};
use positions::{Bookmark, Mark, positions};
use time::OffsetDateTime;
use webhooks::{Endpoint, Secret};

use super::filter::{EntryFilter, StreamStart};
use super::new_webhook::{NewWebhook, secrets_of};
use crate::access::{Caller, Lane};
use crate::detached::Detached;
use crate::error::Error;
use crate::happening::Happening;
use crate::matches::Matches;
use crate::request::check_tags;

/// The longest name of a subscription or a consumer: a few words, as part of a URL.
pub(super) const NAME_BYTES_MAX: usize = 64;

#[derive(Clone, Debug)]
pub struct NewSubscription {
    pub name: String,
    pub filter: EntryFilter,
    pub start: StreamStart,
    /// The webhook that sends the entries; `None` if the platform consumes them.
    pub webhook: Option<NewWebhook>,
}

/// What to change of a subscription; `None` leaves what is there.
#[derive(Clone, Debug, Default)]
pub struct SubscriptionChanges {
    /// The filter, without `is_whole`.
    pub filter: Option<EntryFilter>,
    pub is_whole: Option<bool>,
    /// The endpoint of its webhook.
    pub endpoint: Option<Endpoint>,
}

/// A subscription and its current state.
#[derive(Clone, Debug)]
pub struct Subscription {
    pub name: String,
    pub filter: EntryFilter,
    pub create_time: OffsetDateTime,
    /// Every entry up to this position is acknowledged.
    pub at: Bookmark,
    /// Empty if the service sends the subscription.
    pub consumers: Vec<String>,
    /// The state of its webhook; `None` if the platform consumes the entries.
    pub webhook: Option<WebhookState>,
}

pub struct SubscriptionPage {
    pub subscriptions: Vec<Subscription>,
    /// The name after which the next page begins, if there is one.
    pub next: Option<String>,
}

impl Matches {
    /// Creates a subscription, or returns the existing one of this name if it is the same. The
    /// second value is the secret, if the service made it.
    pub async fn subscribe(
        &self,
        caller: &Caller,
        new: NewSubscription,
    ) -> Result<(Subscription, Option<Secret>), Error> {
        let platform = caller.platform()?;
        check_name(&new.name)?;
        check_tags("filter.tags", &new.filter.tags)?;
        let start = self.start_marks(platform, new.start.clone()).await?;
        let row = row_with(platform, &new.name, new.filter.clone(), self.now());
        let count = self.0.deliveries.count_subscriptions(platform, &new.name);
        let count = self.in_lane(Lane::Streams, platform, count).await?;
        self.budgets().of(platform).check_subscriptions(count)?;
        let at = positions(&start);
        let signed = new.webhook.as_ref().map(NewWebhook::signed).transpose()?;
        let owned = |url: &str, secret: &Secret| (url.to_owned(), secret.as_bytes().to_vec());
        let webhook = signed.as_ref().map(|(url, secret, _)| owned(url, secret));
        let (matches, by, new_row) = (self.clone(), caller.clone(), row.clone());
        let creating = Detached::new(async move {
            let webhook = webhook.as_ref().map(|(url, secret)| (&**url, &**secret));
            let operator = matches.operator(&by);
            let creating = operator.create_subscription(&new_row, &at, webhook);
            matches.in_lane(Lane::Streams, &by.platform, creating).await
        });
        if creating.await?? {
            let made = signed.filter(|(.., is_made)| *is_made).map(|(_, secret, _)| secret);
            return Ok((self.with_state(row).await?, made));
        }
        let existing = self.subscription(caller, &new.name).await?;
        let is_same = existing.filter == new.filter
            && self.is_sent_as(platform, &existing, new.webhook.as_ref()).await?;
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
        let listing = self.0.deliveries.list_subscriptions(platform, after, limit as i64);
        let rows = self.in_lane(Lane::Streams, platform, listing).await?;
        let next = rows.last().filter(|_| rows.len() == limit);
        let next = next.map(|row| row.subscription.clone());
        let subscriptions = self.with_states(platform, rows).await?;
        Ok(SubscriptionPage { subscriptions, next })
    }

    /// Changes a subscription, all or nothing. Those who read it, in any process, learn of the
    /// filter when they renew their leases, and those who send it when they read the webhooks.
    pub async fn update_subscription(
        &self,
        caller: &Caller,
        name: &str,
        changes: SubscriptionChanges,
    ) -> Result<Subscription, Error> {
        let platform = caller.platform()?;
        let SubscriptionChanges { filter, is_whole, endpoint } = changes;
        if let Some(filter) = &filter {
            check_tags("subscription.filter.tags", &filter.tags)?;
        }
        if endpoint.is_some() {
            self.webhook(platform, name).await?;
        }
        let row = filter.map(|filter| row_with(platform, name, filter, self.now()));
        let (matches, by, its_name) = (self.clone(), caller.clone(), name.to_owned());
        let updating = Detached::new(async move {
            let url = endpoint.as_ref().map(Endpoint::as_str);
            let update = SubscriptionUpdate { filter: row.as_ref(), is_whole, url };
            let operator = matches.operator(&by);
            let updating = operator.update_subscription(&by.platform, &its_name, update);
            matches.in_lane(Lane::Streams, &by.platform, updating).await
        });
        if updating.await?? {
            self.subscription(caller, name).await
        } else {
            Err(Error::NoSuchSubscription)
        }
    }

    pub async fn unsubscribe(&self, caller: &Caller, name: &str) -> Result<(), Error> {
        caller.platform()?;
        let (matches, by, name) = (self.clone(), caller.clone(), name.to_owned());
        let deleting = Detached::new(async move {
            let operator = matches.operator(&by);
            let deleting = operator.delete_subscription(&by.platform, &name);
            matches.in_lane(Lane::Streams, &by.platform, deleting).await
        });
        if deleting.await?? { Ok(()) } else { Err(Error::NoSuchSubscription) }
    }

    /// Whether a subscription has exactly the requested webhook, if any.
    async fn is_sent_as(
        &self,
        platform: &str,
        existing: &Subscription,
        webhook: Option<&NewWebhook>,
    ) -> Result<bool, Error> {
        let (Some(_), Some(webhook)) = (&existing.webhook, webhook) else {
            return Ok(existing.webhook.is_none() && webhook.is_none());
        };
        let (url, secrets) = self.webhook(platform, &existing.name).await?;
        let is_secret = |secret: &Secret| secrets.first().is_some_and(|first| first == secret);
        Ok(url == webhook.endpoint.as_str() && webhook.secret.as_ref().is_none_or(is_secret))
    }

    /// The URL of a subscription's webhook and the secrets that sign now, newest first.
    pub(crate) async fn webhook(
        &self,
        platform: &str,
        name: &str,
    ) -> Result<(String, Vec<Secret>), Error> {
        self.subscription_row(platform, name).await?;
        let finding = self.0.deliveries.find_webhook(platform, name);
        let found = self.in_lane(Lane::Streams, platform, finding).await?;
        let (url, secrets) = found.ok_or(Error::SubscriptionNotPushed)?;
        Ok((url, secrets_of(secrets)))
    }

    pub(crate) async fn subscription_row(
        &self,
        platform: &str,
        name: &str,
    ) -> Result<SubscriptionRow, Error> {
        let finding = self.0.deliveries.find_subscription(platform, name);
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
        let reading = self.0.deliveries.subscription_states(platform, &names);
        let mut states = self.in_lane(Lane::Streams, platform, reading).await?;
        let reading = self.0.deliveries.webhook_states(platform, &names);
        let mut webhooks = self.in_lane(Lane::Streams, platform, reading).await?;
        let subscriptions = rows.into_iter().map(|row| {
            let (at, mut consumers) = states.remove(&row.subscription).expect("all have a state");
            let at = at.map(|position| Mark::new(position, None));
            let webhook = webhooks.remove(&row.subscription);
            if webhook.is_some() {
                consumers.clear();
            }
            subscription_of(row, Bookmark::of_all(self.term(), at), consumers, webhook)
        });
        Ok(subscriptions.collect())
    }
}

fn row_with(
    platform: &str,
    name: &str,
    filter: EntryFilter,
    create_time: OffsetDateTime,
) -> SubscriptionRow {
    let EntryFilter { games, verbs, players, happenings, tags, is_whole } = filter;
    SubscriptionRow {
        platform: platform.to_owned(),
        subscription: name.to_owned(),
        games,
        verbs,
        players,
        happenings: happenings.iter().map(|it| it.name().to_owned()).collect(),
        tags,
        is_whole,
        create_time,
    }
}

pub(crate) fn filter_of(row: &SubscriptionRow) -> EntryFilter {
    EntryFilter {
        games: row.games.clone(),
        verbs: row.verbs.clone(),
        players: row.players.clone(),
        // A later release may know others, and its subscriptions are its own.
        happenings: row.happenings.iter().filter_map(|it| Happening::named(it)).collect(),
        tags: row.tags.clone(),
        is_whole: row.is_whole,
    }
}

fn subscription_of(
    row: SubscriptionRow,
    at: Bookmark,
    consumers: Vec<String>,
    webhook: Option<WebhookState>,
) -> Subscription {
    let filter = filter_of(&row);
    let SubscriptionRow { subscription: name, create_time, .. } = row;
    Subscription { name, filter, create_time, at, consumers, webhook }
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
            happenings: Happening::ALL.to_vec(),
            tags: [("league".to_owned(), "spring".to_owned())].into(),
            is_whole: true,
        };
        let row = row_with("acme", "feed", filter.clone(), OffsetDateTime::UNIX_EPOCH);
        assert_eq!((row.platform.as_str(), row.subscription.as_str()), ("acme", "feed"));
        assert_eq!(filter_of(&row), filter);
    }

    #[test]
    fn names_are_bounded_and_plain() {
        assert!(check_name(&"a".repeat(NAME_BYTES_MAX)).is_ok() && check_name("a-b_c.D9").is_ok());
        let too_long = "a".repeat(NAME_BYTES_MAX + 1);
        for name in ["", "a b", "é", &too_long] {
            assert!(check_name(name).is_err(), "{name:?}");
        }
        assert!(check_name("a/b").is_err(), "a name is part of a URL");
    }
}
