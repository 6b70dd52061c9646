//! `StreamService`: all matches of a platform in one stream, and subscriptions to it.

use std::time::Duration;

use futures::{StreamExt, stream};
use matches::{
    BatchStream, Caller, EntryFilter, Error, MatchId, Matches, NewPush, NewSubscription, Position,
    StreamError, StreamStart, StreamTiming, WebhookState,
};
use tonic::{Request, Response, Status};
use webhooks::{Endpoint, Secret, Sender};

use super::answers::{Answers, while_valid};
use super::cursors;
use crate::auth::Auth;
use crate::bodies;
use crate::cursor::Cursors;
use crate::error::{invalid, of, resumable};
use crate::names::{
    check_storable, deliveries_token, foreign, game_name, match_name, page_size,
    parse_deliveries_token, parse_game, parse_subscription, parse_tags, subscription_name,
    tag_names, wire_position,
};
use crate::render::timestamp;
use crate::texts::Texts;
use crate::v1::stream_service_server::StreamService;
use crate::v1::{self, *};

/// The default heartbeat: shorter than the idle timeout of common proxies.
const HEARTBEAT_USUAL_S: u32 = 15;

/// The default timeout of a send: long enough for a client that pauses to write to its database.
const SEND_TIMEOUT_USUAL_S: u32 = 30;

/// The longest heartbeat and send timeout: five minutes.
const WAIT_MAX_S: u32 = 300;

/// The default page size.
const PAGE_USUAL: usize = 100;

/// How long earlier secrets sign by default, and at most: a day and a week.
const OVERLAP_USUAL_S: u32 = 24 * 3600;
const OVERLAP_MAX_S: u32 = 7 * OVERLAP_USUAL_S;

/// The most terms of a filter. Clients apply longer filters themselves.
const FILTER_MAX: usize = 100;

/// As long as the longest id of a player.
const FILTER_VALUE_BYTES_MAX: usize = 128;

pub(crate) struct Streams {
    pub auth: Auth,
    pub matches: Matches,
    pub sender: Sender,
}

#[tonic::async_trait]
impl StreamService for Streams {
    type StreamEntriesStream = Answers<StreamEntriesResponse>;

    async fn stream_entries(
        &self,
        request: Request<StreamEntriesRequest>,
    ) -> Result<Response<Self::StreamEntriesStream>, Status> {
        let credentials = self.auth.credentials(request.metadata()).await?;
        let caller = &credentials.caller;
        let language = &request.get_ref().language;
        let texts = Texts::new(&self.matches, caller, request.metadata(), language)?.of_stream();
        let request = request.into_inner();
        let cursors = cursors(&self.matches, caller).await?;
        let start = start(&cursors, &request.cursor, request.live)?;
        let filter = filter_from(request.filter, request.unredacted)?;
        let timing = timing(request.heartbeat_s, request.send_timeout_s)?;
        let stream = self.matches.stream(caller, filter, start, timing).await;
        let stream = stream.map_err(|error| refusal(error, &cursors))?;
        let message =
            |entries, cursor, unreadable| StreamEntriesResponse { entries, cursor, unreadable };
        let answers = answers(stream, cursors, texts, message);
        Ok(Response::new(while_valid(answers, self.auth.clone(), credentials)))
    }

    async fn create_subscription(
        &self,
        request: Request<CreateSubscriptionRequest>,
    ) -> Result<Response<CreateSubscriptionResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let request = request.into_inner();
        let cursors = cursors(&self.matches, &caller).await?;
        let new = NewSubscription {
            name: parse_subscription("name", &request.name)?.to_owned(),
            filter: filter_from(request.filter, request.unredacted)?,
            start: start(&cursors, &request.cursor, request.live)?,
            push: self.push_from(&caller, request.push).await?,
        };
        let subscribed = self.matches.subscribe(&caller, new).await;
        let (it, secret) = subscribed.map_err(|error| refusal(error, &cursors))?;
        let subscription = Some(subscription_of(it, &cursors));
        let secret = secret.map(|secret| secret.to_text()).unwrap_or_default();
        Ok(Response::new(CreateSubscriptionResponse { subscription, secret }))
    }

    async fn get_subscription(
        &self,
        request: Request<GetSubscriptionRequest>,
    ) -> Result<Response<GetSubscriptionResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let request = request.into_inner();
        let name = parse_subscription("name", &request.name)?;
        let it = self.matches.subscription(&caller, name).await.map_err(of)?;
        let subscription = Some(subscription_of(it, &cursors(&self.matches, &caller).await?));
        Ok(Response::new(GetSubscriptionResponse { subscription }))
    }

    async fn list_subscriptions(
        &self,
        request: Request<ListSubscriptionsRequest>,
    ) -> Result<Response<ListSubscriptionsResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let request = request.into_inner();
        let size = page_size(request.page_size, PAGE_USUAL)?;
        // The token is the last subscription's name, so pages stay consistent when subscriptions
        // are created or deleted.
        let after = match request.page_token.as_str() {
            "" => "",
            token => parse_subscription("page_token", token).map_err(|_| foreign())?,
        };
        let page = self.matches.subscriptions(&caller, after, size).await.map_err(of)?;
        let cursors = cursors(&self.matches, &caller).await?;
        let subscriptions = page.subscriptions.into_iter();
        Ok(Response::new(ListSubscriptionsResponse {
            subscriptions: subscriptions.map(|it| subscription_of(it, &cursors)).collect(),
            next_page_token: page.next.map(|name| subscription_name(&name)).unwrap_or_default(),
        }))
    }

    async fn delete_subscription(
        &self,
        request: Request<DeleteSubscriptionRequest>,
    ) -> Result<Response<DeleteSubscriptionResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let request = request.into_inner();
        let name = parse_subscription("name", &request.name)?;
        self.matches.unsubscribe(&caller, name).await.map_err(of)?;
        Ok(Response::new(DeleteSubscriptionResponse {}))
    }

    type ConsumeSubscriptionStream = Answers<ConsumeSubscriptionResponse>;

    async fn consume_subscription(
        &self,
        request: Request<ConsumeSubscriptionRequest>,
    ) -> Result<Response<Self::ConsumeSubscriptionStream>, Status> {
        let credentials = self.auth.credentials(request.metadata()).await?;
        let caller = &credentials.caller;
        let language = &request.get_ref().language;
        let texts = Texts::new(&self.matches, caller, request.metadata(), language)?.of_stream();
        let request = request.into_inner();
        let name = parse_subscription("name", &request.name)?;
        let consumer = Some(request.consumer).filter(|consumer| !consumer.is_empty());
        let timing = timing(request.heartbeat_s, request.send_timeout_s)?;
        let stream = self.matches.consume(caller, name, consumer, timing).await.map_err(of)?;
        let cursors = self.of_subscription(caller, name).await?;
        let message = |entries, cursor, unreadable| ConsumeSubscriptionResponse {
            entries,
            cursor,
            unreadable,
        };
        let answers = answers(stream, cursors, texts, message);
        Ok(Response::new(while_valid(answers, self.auth.clone(), credentials)))
    }

    async fn acknowledge_entries(
        &self,
        request: Request<AcknowledgeEntriesRequest>,
    ) -> Result<Response<AcknowledgeEntriesResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let request = request.into_inner();
        let name = parse_subscription("name", &request.name)?;
        caller.platform().map_err(of)?;
        let cursors = self.of_subscription(&caller, name).await?;
        let at = cursors.read("cursor", &request.cursor)?;
        let acknowledged = self.matches.acknowledge(&caller, name, &at).await;
        acknowledged.map_err(|error| refusal(error, &cursors))?;
        Ok(Response::new(AcknowledgeEntriesResponse {}))
    }

    async fn rotate_secret(
        &self,
        request: Request<RotateSecretRequest>,
    ) -> Result<Response<RotateSecretResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let request = request.into_inner();
        let name = parse_subscription("name", &request.name)?;
        let secret = secret_from("secret", &request.secret)?;
        let overlap_s = request.overlap_s.unwrap_or(OVERLAP_USUAL_S);
        if overlap_s > OVERLAP_MAX_S {
            return Err(invalid("overlap_s", format!("overlap_s is at most {OVERLAP_MAX_S}")));
        }
        let overlap = Duration::from_secs(overlap_s.into());
        let rotated = self.matches.rotate_secret(&caller, name, secret, overlap).await;
        let (made, expire_time) = rotated.map_err(of)?;
        Ok(Response::new(RotateSecretResponse {
            secret: made.map(|secret| secret.to_text()).unwrap_or_default(),
            expire_time: Some(timestamp(expire_time)),
        }))
    }

    async fn list_deliveries(
        &self,
        request: Request<ListDeliveriesRequest>,
    ) -> Result<Response<ListDeliveriesResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let request = request.into_inner();
        let name = parse_subscription("parent", &request.parent)?;
        let size = page_size(request.page_size, PAGE_USUAL)?;
        let before = match request.page_token.as_str() {
            "" => None,
            token => Some(parse_deliveries_token(token)?),
        };
        let page = self.matches.deliveries(&caller, name, before, size).await.map_err(of)?;
        let cursors = cursors(&self.matches, &caller).await?;
        let deliveries = page.deliveries.into_iter();
        Ok(Response::new(ListDeliveriesResponse {
            deliveries: deliveries.map(|it| delivery_of(it, &cursors)).collect(),
            next_page_token: page.next.map(deliveries_token).unwrap_or_default(),
        }))
    }

    async fn redeliver_entries(
        &self,
        request: Request<RedeliverEntriesRequest>,
    ) -> Result<Response<RedeliverEntriesResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let request = request.into_inner();
        let name = parse_subscription("name", &request.name)?;
        let cursors = cursors(&self.matches, &caller).await?;
        let after = match request.cursor.as_str() {
            "" => None,
            cursor => Some(cursors.read("cursor", cursor)?),
        };
        let it = self.matches.redeliver(&caller, name, after.as_ref()).await;
        let it = it.map_err(|error| refusal(error, &cursors))?;
        let subscription = Some(subscription_of(it, &cursors));
        Ok(Response::new(RedeliverEntriesResponse { subscription }))
    }

    async fn move_webhook(
        &self,
        request: Request<MoveWebhookRequest>,
    ) -> Result<Response<MoveWebhookResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let request = request.into_inner();
        let name = parse_subscription("name", &request.name)?;
        let endpoint = self.endpoint_from(&caller, "url", &request.url).await?;
        let it = self.matches.move_webhook(&caller, name, &endpoint).await.map_err(of)?;
        let subscription = Some(subscription_of(it, &cursors(&self.matches, &caller).await?));
        Ok(Response::new(MoveWebhookResponse { subscription }))
    }

    async fn test_webhook(
        &self,
        request: Request<TestWebhookRequest>,
    ) -> Result<Response<TestWebhookResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let request = request.into_inner();
        let name = parse_subscription("name", &request.name)?;
        let test = self.matches.test_webhook(&caller, name, &self.sender, bodies::test).await;
        let delivery = test.map_err(of)?;
        let cursors = cursors(&self.matches, &caller).await?;
        let delivery = Some(delivery_of(delivery, &cursors));
        Ok(Response::new(TestWebhookResponse { delivery }))
    }
}

impl Streams {
    /// Where to send, as far as it can be known to be allowed.
    async fn push_from(
        &self,
        caller: &Caller,
        target: Option<PushTarget>,
    ) -> Result<Option<NewPush>, Status> {
        let Some(PushTarget { url, secret }) = target else { return Ok(None) };
        let endpoint = self.endpoint_from(caller, "push.url", &url).await?;
        let secret = secret_from("push.secret", &secret)?;
        Ok(Some(NewPush { endpoint, secret }))
    }

    async fn endpoint_from(
        &self,
        caller: &Caller,
        field: &'static str,
        url: &str,
    ) -> Result<Endpoint, Status> {
        // Before a name is resolved for the caller.
        caller.platform().map_err(of)?;
        let refused = |error| of(Error::WebhookUrlRefused { field, error });
        let endpoint = self.sender.endpoint(url).map_err(refused)?;
        self.sender.check(&endpoint).await.map_err(refused)?;
        Ok(endpoint)
    }

    async fn of_subscription(&self, caller: &Caller, name: &str) -> Result<Cursors, Status> {
        let installation =
            self.matches.store().installation().await.map_err(|error| of(error.into()))?;
        Ok(Cursors::of_subscription(installation, &caller.platform, name))
    }
}

fn secret_from(field: &'static str, text: &str) -> Result<Option<Secret>, Status> {
    if text.is_empty() {
        return Ok(None);
    }
    let secret = Secret::parse(text);
    secret.map(Some).map_err(|error| of(Error::WebhookSecretInvalid { field, error }))
}

fn delivery_of(
    matches::Delivery { row, at }: matches::Delivery,
    cursors: &Cursors,
) -> v1::Delivery {
    let part = row.part.as_ref();
    let position = |position: Option<Position>| position.map(wire_position).unwrap_or_default();
    v1::Delivery {
        attempt_time: Some(timestamp(row.attempt_time)),
        duration_ms: u32::try_from(row.duration.as_millis()).unwrap_or(u32::MAX),
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

/// The refusal of a cursor names the one to resume after, if there is one.
pub(super) fn refusal(error: Error, cursors: &Cursors) -> Status {
    match error {
        Error::RecordWentBack { marks: Some(ref marks), .. } => {
            let cursor = cursors.write(marks);
            resumable(error, cursor)
        }
        other => of(other),
    }
}

pub(super) fn answers<T: Send + 'static>(
    stream: BatchStream,
    cursors: Cursors,
    texts: Texts,
    message: impl Fn(Vec<StreamedEntry>, String, Vec<UnreadableEntry>) -> T
    + Copy
    + Send
    + Sync
    + 'static,
) -> Answers<T> {
    let next = move |(mut stream, cursors, mut texts): (BatchStream, Cursors, Texts)| async move {
        let answer = match stream.next().await? {
            Ok(batch) => {
                let unreadable = batch.unreadable.iter().map(unreadable_of).collect();
                let told = texts.streamed(&batch.entries).await;
                told.map(|entries| message(entries, cursors.write(&batch.at), unreadable))
            }
            Err(StreamError { error, at }) => Err(resumable(error, cursors.write(&at))),
        };
        Some((answer, (stream, cursors, texts)))
    };
    Box::pin(stream::unfold((stream, cursors, texts), next))
}

fn unreadable_of(&(match_id, position): &(MatchId, Position)) -> UnreadableEntry {
    UnreadableEntry { r#match: match_name(match_id), position: wire_position(position) }
}

pub(super) fn start(cursors: &Cursors, cursor: &str, live: bool) -> Result<StreamStart, Status> {
    match (cursor, live) {
        ("", false) => Ok(StreamStart::Beginning),
        ("", true) => Ok(StreamStart::Now),
        (cursor, false) => Ok(StreamStart::After(Box::new(cursors.read("cursor", cursor)?))),
        (_, true) => Err(invalid("live", "set a cursor or live, not both")),
    }
}

fn filter_from(filter: Option<StreamFilter>, is_whole: bool) -> Result<EntryFilter, Status> {
    let StreamFilter { games, verbs, players, tags } = filter.unwrap_or_default();
    if games.len() + verbs.len() + players.len() + tags.len() > FILTER_MAX {
        return Err(invalid("filter", format!("a filter has at most {FILTER_MAX} values")));
    }
    for (field, values) in [("filter.verbs", &verbs), ("filter.players", &players)] {
        if values.iter().any(|value| value.len() > FILTER_VALUE_BYTES_MAX) {
            let rule = format!("a value of a filter has at most {FILTER_VALUE_BYTES_MAX} bytes");
            return Err(invalid(field, rule));
        }
        values.iter().try_for_each(|value| check_storable(field, value))?;
    }
    let games = games.iter().map(|game| parse_game("filter.games", game).map(str::to_owned));
    let (games, tags) = (games.collect::<Result<_, _>>()?, parse_tags("filter.tags", &tags)?);
    Ok(EntryFilter { games, verbs, players, tags, is_whole })
}

pub(super) fn timing(heartbeat_s: u32, send_timeout_s: u32) -> Result<StreamTiming, Status> {
    let seconds = |name: &str, asked: u32, usual: u32| match asked {
        0 => Ok(Duration::from_secs(usual.into())),
        seconds @ 1..=WAIT_MAX_S => Ok(Duration::from_secs(seconds.into())),
        _ => Err(invalid(name, format!("{name} is at most {WAIT_MAX_S}"))),
    };
    Ok(StreamTiming {
        heartbeat: seconds("heartbeat_s", heartbeat_s, HEARTBEAT_USUAL_S)?,
        take_wait: seconds("send_timeout_s", send_timeout_s, SEND_TIMEOUT_USUAL_S)?,
    })
}

fn subscription_of(it: matches::Subscription, cursors: &Cursors) -> Subscription {
    let EntryFilter { games, verbs, players, tags, is_whole } = it.filter;
    let games = games.iter().map(|game| game_name(game)).collect();
    Subscription {
        name: subscription_name(&it.name),
        filter: Some(StreamFilter { games, verbs, players, tags: tag_names(&tags) }),
        unredacted: is_whole,
        create_time: Some(timestamp(it.create_time)),
        cursor: cursors.write(&it.at),
        consumers: it.consumers,
        push: it.push.map(push_of),
    }
}
