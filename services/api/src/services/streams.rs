//! `StreamService`: all matches of a platform in one stream, and subscriptions to it.

use std::time::Duration;

use contract::names::subscription_name;
use contract::v1::stream_service_server::StreamService;
use contract::v1::*;
use matches::{Caller, Error, NewSubscription, NewWebhook};
use tonic::{Request, Response, Status};
use webhooks::{Endpoint, Sender};

use super::batches::{SentBatch, answers, refusal, start, timing};
use super::calls::Calls;
use super::streaming::{Answers, while_valid};
use crate::answers::bodies;
use crate::answers::subscriptions::{delivery_of, subscription_of};
use crate::answers::values::timestamp;
use crate::error::of;
use crate::requests::cursors::Cursors;
use crate::requests::filters::stream_filter_of;
use crate::requests::names::parse_subscription;
use crate::requests::pages::{deliveries_token, foreign, page_size, parse_deliveries_token};
use crate::requests::values::{parse_duration, present, secret_from};

/// The default page size.
const PAGE_USUAL: usize = 100;

/// How long earlier secrets keep signing after a rotation: a day by default, a week at most.
const OVERLAP_USUAL: Duration = Duration::from_secs(24 * 3600);
const OVERLAP_MAX: Duration = Duration::from_secs(7 * 24 * 3600);

pub(crate) struct Streams {
    pub calls: Calls,
    pub sender: Sender,
}

#[tonic::async_trait]
impl StreamService for Streams {
    type StreamEntriesStream = Answers<StreamEntriesResponse>;

    async fn stream_entries(
        &self,
        request: Request<StreamEntriesRequest>,
    ) -> Result<Response<Self::StreamEntriesStream>, Status> {
        let (credentials, texts, request) = self.calls.open_stream(request).await?;
        let caller = &credentials.caller;
        let cursors = self.calls.cursors(caller).await?;
        let start = start(&cursors, &request.cursor, request.live)?;
        let filter = stream_filter_of(request.filter, request.unredacted)?;
        let timing = timing(request.heartbeat, request.send_timeout)?;
        let stream = self.calls.matches.stream(caller, filter, start, timing).await;
        let stream = stream.map_err(|error| refusal(error, &cursors))?;
        let message = |it: SentBatch<'_>| {
            let SentBatch { entries, cursor, unreadable, went_back, recorded: _ } = it;
            StreamEntriesResponse { entries, cursor, unreadable, went_back }
        };
        let answers = answers(stream, cursors, texts, message);
        Ok(Response::new(while_valid(answers, self.calls.auth.clone(), credentials)))
    }

    async fn create_subscription(
        &self,
        request: Request<CreateSubscriptionRequest>,
    ) -> Result<Response<CreateSubscriptionResponse>, Status> {
        let (caller, request) = self.calls.open_to_write(request).await?;
        let cursors = self.calls.cursors(&caller).await?;
        let new = NewSubscription {
            name: parse_subscription("name", &request.name)?.to_owned(),
            filter: stream_filter_of(request.filter, request.unredacted)?,
            start: start(&cursors, &request.cursor, request.live)?,
            webhook: self.webhook_from(&caller, request.push)?,
        };
        let subscribed = self.calls.matches.subscribe(&caller, new).await;
        let (it, secret) = subscribed.map_err(|error| refusal(error, &cursors))?;
        let subscription = Some(subscription_of(it, &cursors));
        let secret = secret.map(|secret| secret.to_text()).unwrap_or_default();
        Ok(Response::new(CreateSubscriptionResponse { subscription, secret }))
    }

    async fn get_subscription(
        &self,
        request: Request<GetSubscriptionRequest>,
    ) -> Result<Response<GetSubscriptionResponse>, Status> {
        let (caller, request) = self.calls.open(request).await?;
        let name = parse_subscription("name", &request.name)?;
        let it = self.calls.matches.subscription(&caller, name).await.map_err(of)?;
        let subscription = Some(subscription_of(it, &self.calls.cursors(&caller).await?));
        Ok(Response::new(GetSubscriptionResponse { subscription }))
    }

    async fn list_subscriptions(
        &self,
        request: Request<ListSubscriptionsRequest>,
    ) -> Result<Response<ListSubscriptionsResponse>, Status> {
        let (caller, request) = self.calls.open(request).await?;
        let size = page_size(request.page_size, PAGE_USUAL)?;
        // The token is the last subscription's name, so pages stay consistent when subscriptions
        // are created or deleted.
        let after = match request.page_token.as_str() {
            "" => "",
            token => parse_subscription("page_token", token).map_err(|_| foreign())?,
        };
        let page = self.calls.matches.subscriptions(&caller, after, size).await.map_err(of)?;
        let cursors = self.calls.cursors(&caller).await?;
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
        let (caller, request) = self.calls.open_to_write(request).await?;
        let name = parse_subscription("name", &request.name)?;
        match self.calls.matches.unsubscribe(&caller, name).await {
            Err(Error::NoSuchSubscription) if request.allow_missing => {}
            deleted => deleted.map_err(of)?,
        }
        Ok(Response::new(DeleteSubscriptionResponse {}))
    }

    type ConsumeSubscriptionStream = Answers<ConsumeSubscriptionResponse>;

    async fn consume_subscription(
        &self,
        request: Request<ConsumeSubscriptionRequest>,
    ) -> Result<Response<Self::ConsumeSubscriptionStream>, Status> {
        let (credentials, texts, request) = self.calls.open_stream(request).await?;
        let caller = &credentials.caller;
        let name = parse_subscription("name", &request.name)?;
        let consumer = present(request.consumer);
        let timing = timing(request.heartbeat, request.send_timeout)?;
        let stream =
            self.calls.matches.consume(caller, name, consumer, timing).await.map_err(of)?;
        let cursors = self.of_subscription(caller, name).await?;
        let message = |it: SentBatch<'_>| {
            let SentBatch { entries, cursor, unreadable, went_back, recorded: _ } = it;
            ConsumeSubscriptionResponse { entries, cursor, unreadable, went_back }
        };
        let answers = answers(stream, cursors, texts, message);
        Ok(Response::new(while_valid(answers, self.calls.auth.clone(), credentials)))
    }

    async fn acknowledge_entries(
        &self,
        request: Request<AcknowledgeEntriesRequest>,
    ) -> Result<Response<AcknowledgeEntriesResponse>, Status> {
        let (caller, request) = self.calls.open_to_write(request).await?;
        let name = parse_subscription("name", &request.name)?;
        caller.platform().map_err(of)?;
        let cursors = self.of_subscription(&caller, name).await?;
        let at = cursors.read("cursor", &request.cursor)?;
        let acknowledged = self.calls.matches.acknowledge(&caller, name, &at).await;
        acknowledged.map_err(|error| refusal(error, &cursors))?;
        Ok(Response::new(AcknowledgeEntriesResponse {}))
    }

    async fn rotate_secret(
        &self,
        request: Request<RotateSecretRequest>,
    ) -> Result<Response<RotateSecretResponse>, Status> {
        let (caller, request) = self.calls.open_to_write(request).await?;
        let name = parse_subscription("name", &request.name)?;
        let secret = secret_from("secret", &request.secret)?;
        let overlap = parse_duration("overlap", request.overlap, Duration::ZERO..=OVERLAP_MAX)?;
        let overlap = overlap.unwrap_or(OVERLAP_USUAL);
        let rotated = self.calls.matches.rotate_secret(&caller, name, secret, overlap).await;
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
        let (caller, request) = self.calls.open(request).await?;
        let name = parse_subscription("parent", &request.parent)?;
        let size = page_size(request.page_size, PAGE_USUAL)?;
        let before = match request.page_token.as_str() {
            "" => None,
            token => Some(parse_deliveries_token(token)?),
        };
        let page = self.calls.matches.deliveries(&caller, name, before, size).await.map_err(of)?;
        let cursors = self.calls.cursors(&caller).await?;
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
        let (caller, request) = self.calls.open_to_write(request).await?;
        let name = parse_subscription("name", &request.name)?;
        let cursors = self.calls.cursors(&caller).await?;
        let after = match request.cursor.as_str() {
            "" => None,
            cursor => Some(cursors.read("cursor", cursor)?),
        };
        let it = self.calls.matches.redeliver(&caller, name, after.as_ref()).await;
        let it = it.map_err(|error| refusal(error, &cursors))?;
        let subscription = Some(subscription_of(it, &cursors));
        Ok(Response::new(RedeliverEntriesResponse { subscription }))
    }

    async fn move_webhook(
        &self,
        request: Request<MoveWebhookRequest>,
    ) -> Result<Response<MoveWebhookResponse>, Status> {
        let (caller, request) = self.calls.open_to_write(request).await?;
        let name = parse_subscription("name", &request.name)?;
        let endpoint = self.endpoint_from(&caller, "url", &request.url)?;
        let it = self.calls.matches.move_webhook(&caller, name, &endpoint).await.map_err(of)?;
        let subscription = Some(subscription_of(it, &self.calls.cursors(&caller).await?));
        Ok(Response::new(MoveWebhookResponse { subscription }))
    }

    async fn test_webhook(
        &self,
        request: Request<TestWebhookRequest>,
    ) -> Result<Response<TestWebhookResponse>, Status> {
        let (caller, request) = self.calls.open_to_write(request).await?;
        let name = parse_subscription("name", &request.name)?;
        let test =
            self.calls.matches.test_webhook(&caller, name, &self.sender, bodies::body_of).await;
        let delivery = test.map_err(of)?;
        let cursors = self.calls.cursors(&caller).await?;
        let delivery = Some(delivery_of(delivery, &cursors));
        Ok(Response::new(TestWebhookResponse { delivery }))
    }
}

impl Streams {
    /// The target of a webhook, with its URL checked.
    fn webhook_from(
        &self,
        caller: &Caller,
        target: Option<PushTarget>,
    ) -> Result<Option<NewWebhook>, Status> {
        let Some(PushTarget { url, secret }) = target else { return Ok(None) };
        let endpoint = self.endpoint_from(caller, "push.url", &url)?;
        let secret = secret_from("push.secret", &secret)?;
        Ok(Some(NewWebhook { endpoint, secret }))
    }

    fn endpoint_from(
        &self,
        caller: &Caller,
        field: &'static str,
        url: &str,
    ) -> Result<Endpoint, Status> {
        caller.platform().map_err(of)?;
        let refused = |error| of(Error::WebhookUrlRefused { field, error });
        self.sender.endpoint(url).map_err(refused)
    }

    async fn of_subscription(&self, caller: &Caller, name: &str) -> Result<Cursors, Status> {
        let installation = self.calls.installation().await?;
        Ok(Cursors::of_subscription(installation, &caller.platform, name))
    }
}
