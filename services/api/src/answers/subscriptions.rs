//! Subscriptions and the deliveries of their webhooks as messages of the contract.

use contract::duration;
use contract::names::{game_name, subscription_name};
use contract::v1::{self, Push, PushState, StreamFilter, Subscription};
use matches::{EntryFilter, Position, WebhookState};

use super::entries::happening_of;
use super::values::{match_name, tag_names, timestamp, wire_position};
use crate::requests::cursors::Cursors;

pub(crate) fn delivery_of(
    matches::Delivery { row, at }: matches::Delivery,
    cursors: &Cursors,
) -> v1::Delivery {
    let part = row.part.as_ref();
    let was_reached = row.status.is_some() || !row.duration.is_zero();
    let position = |position: Option<Position>| position.map(wire_position).unwrap_or_default();
    v1::Delivery {
        attempt_time: Some(timestamp(row.attempt_time)),
        duration: was_reached.then(|| duration(row.duration)),
        r#match: part.map(|it| match_name(it.match_id)).unwrap_or_default(),
        first_position: position(part.map(|it| it.first)),
        last_position: position(part.map(|it| it.last)),
        entries: i32::try_from(row.entries).unwrap_or(i32::MAX),
        attempt: i32::try_from(row.attempt).unwrap_or(i32::MAX),
        status: row.status.map(i32::from).unwrap_or_default(),
        error: row.failure.unwrap_or_default(),
        answer: row.answer,
        message: row.message,
        cursor: at.map(|at| cursors.write(&at)).unwrap_or_default(),
    }
}

fn push_of(it: WebhookState) -> Push {
    let state = if it.disabled_time.is_some() {
        PushState::Disabled
    } else if it.failing_since.is_some() {
        PushState::Failing
    } else {
        PushState::Healthy
    };
    let next_attempt = it.next_attempt.filter(|_| it.disabled_time.is_none());
    Push {
        url: it.url,
        state: state.into(),
        failing_since_time: it.failing_since.map(timestamp),
        next_attempt_time: next_attempt.map(timestamp),
        last_error: it.failure.unwrap_or_default(),
        disabled_time: it.disabled_time.map(timestamp),
        secret_expire_time: it.secret_expire_time.map(timestamp),
    }
}

pub(crate) fn subscription_of(it: matches::Subscription, cursors: &Cursors) -> Subscription {
    let EntryFilter { games, verbs, players, happenings, tags, is_whole } = it.filter;
    let games = games.iter().map(|game| game_name(game)).collect();
    Subscription {
        name: subscription_name(&it.name),
        filter: Some(StreamFilter {
            games,
            verbs,
            players,
            tags: tag_names(&tags),
            happenings: happenings.iter().map(|it| happening_of(*it).into()).collect(),
        }),
        unredacted: is_whole,
        create_time: Some(timestamp(it.create_time)),
        cursor: cursors.write(&it.at),
        consumers: it.consumers,
        push: it.webhook.map(push_of),
    }
}
