//! The stream of all matches of a platform, and subscriptions to it.

use contract::v1::{
    AcknowledgeEntriesRequest, ConsumeSubscriptionRequest, ConsumeSubscriptionResponse,
    CreateSubscriptionRequest, CreateSubscriptionResponse, DeleteSubscriptionRequest, Delivery,
    GetSubscriptionRequest, ListDeliveriesRequest, ListSubscriptionsRequest, MoveWebhookRequest,
    RedeliverEntriesRequest, RotateSecretRequest, RotateSecretResponse, StreamEntriesRequest,
    Subscription, TestWebhookRequest,
};

use crate::call::Call;
use crate::calls::Calls;
use crate::names::{named, new_request_id};
use crate::pages::Pages;
use crate::refusal::Refusal;
use crate::resumed::Resumed;

/// The subscriptions of a platform, and the stream of all its matches.
#[derive(Clone)]
pub struct Streams(Calls);

impl Streams {
    pub(crate) fn new(calls: &Calls) -> Streams {
        Streams(calls.clone())
    }

    /// The entries of all matches of the platform, without end. Every message has the cursor to
    /// begin after next time, also those without entries, the heartbeats: store it together with
    /// what the entries led to, and each entry has its effect once. With `live` and without a
    /// cursor, the stream begins with new entries.
    ///
    /// A message with `went_back` tells which of the received entries are void, because the
    /// database lost them. What the record has instead follows, with other digests.
    pub fn entries(&self, request: StreamEntriesRequest) -> Resumed<StreamEntriesRequest> {
        Resumed::new(&self.0, request)
    }

    /// A handle of a subscription. It calls nothing.
    pub fn subscription(&self, name: &str) -> SubscriptionHandle {
        SubscriptionHandle { calls: self.0.clone(), name: named("subscriptions", name) }
    }

    /// Lists the platform's subscriptions by name.
    pub fn subscriptions(&self) -> Pages<ListSubscriptionsRequest> {
        Pages::new(&self.0, ListSubscriptionsRequest::default())
    }
}

/// A named position in the platform's stream, which the service keeps.
#[derive(Clone)]
pub struct SubscriptionHandle {
    calls: Calls,
    name: String,
}

impl SubscriptionHandle {
    /// The subscription, as `subscriptions/{subscription}`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Creates it; with `push`, the service sends it to an endpoint, and returns its secret.
    pub fn create(
        &self,
        request: CreateSubscriptionRequest,
    ) -> Call<CreateSubscriptionRequest, CreateSubscriptionResponse> {
        let request = CreateSubscriptionRequest { name: self.name.clone(), ..request };
        Call::new(&self.calls, request, Some)
    }

    /// The subscription and its position.
    pub fn get(&self) -> Call<GetSubscriptionRequest, Subscription> {
        let request = GetSubscriptionRequest { name: self.name.clone() };
        Call::new(&self.calls, request, |answer| answer.subscription)
    }

    /// Deletes it; its streams end.
    pub fn delete(&self) -> Call<DeleteSubscriptionRequest, ()> {
        let request = DeleteSubscriptionRequest { name: self.name.clone(), ..<_>::default() };
        Call::new(&self.calls, request, |_| Some(()))
    }

    /// Acknowledges everything up to a cursor, for those who read the stream by
    /// [`Croupier::stream`](crate::Croupier::stream); [`Consumer`] does it by itself.
    pub fn acknowledge(&self, cursor: &str) -> Call<AcknowledgeEntriesRequest, ()> {
        let (name, cursor) = (self.name.clone(), cursor.to_owned());
        Call::new(&self.calls, AcknowledgeEntriesRequest { name, cursor }, |_| Some(()))
    }

    /// Adds a secret, generated unless given with `secret`, that signs the messages from now on.
    pub fn rotate_secret(&self) -> Call<RotateSecretRequest, RotateSecretResponse> {
        let request =
            RotateSecretRequest { name: self.name.clone(), ..RotateSecretRequest::default() };
        Call::new(&self.calls, request, Some)
    }

    /// Changes the URL of the endpoint, and enables a disabled subscription again.
    pub fn move_webhook(&self, url: &str) -> Call<MoveWebhookRequest, Subscription> {
        let (name, url) = (self.name.clone(), url.to_owned());
        let request = MoveWebhookRequest { name, url };
        Call::new(&self.calls, request, |answer| answer.subscription)
    }

    /// Sends the entries after a cursor again, or skips those before it; with an empty one it goes
    /// on where it is. Enables a disabled subscription again.
    pub fn redeliver(&self, cursor: &str) -> Call<RedeliverEntriesRequest, Subscription> {
        let (name, cursor) = (self.name.clone(), cursor.to_owned());
        let request = RedeliverEntriesRequest { name, cursor };
        Call::new(&self.calls, request, |answer| answer.subscription)
    }

    /// Lists the latest attempts to send messages, the newest first.
    pub fn deliveries(&self) -> Pages<ListDeliveriesRequest> {
        let parent = self.name.clone();
        let request = ListDeliveriesRequest { parent, ..ListDeliveriesRequest::default() };
        Pages::new(&self.calls, request)
    }

    /// Sends one message of type `test` to the endpoint, and returns the outcome.
    pub fn test_webhook(&self) -> Call<TestWebhookRequest, Delivery> {
        let request = TestWebhookRequest { name: self.name.clone() };
        Call::new(&self.calls, request, |answer| answer.delivery)
    }

    /// A consumer's share of the subscription. A consumer that returns under its name gets its
    /// share back at once; with an empty name, it is given one.
    pub fn consume(&self, consumer: &str) -> Consumer {
        let consumer = if consumer.is_empty() { new_request_id() } else { consumer.to_owned() };
        let name = self.name.clone();
        let request = ConsumeSubscriptionRequest { name, consumer, ..Default::default() };
        let messages = Resumed::new(&self.calls, request);
        Consumer { handle: self.clone(), messages, processed: None }
    }
}

/// A consumer's share of a subscription, without end.
///
/// A message is acknowledged when `next` is called for the one after it. What was being processed
/// when something failed is sent again, so each entry is processed at least once.
///
/// A message with `went_back` tells which of the received entries are void, as in
/// [`Streams::entries`].
#[must_use = "a stream is read by `next`"]
pub struct Consumer {
    handle: SubscriptionHandle,
    messages: Resumed<ConsumeSubscriptionRequest>,
    /// The cursor of the message that `next` returned last.
    processed: Option<String>,
}

impl Consumer {
    /// Changes the request, before the stream is opened.
    pub fn with(mut self, change: impl FnOnce(&mut ConsumeSubscriptionRequest)) -> Consumer {
        self.messages = self.messages.with(change);
        self
    }

    /// Sets the language of its texts, as a BCP 47 tag such as `de`, instead of that of the client.
    pub fn language(self, language: &str) -> Consumer {
        self.with(|request| language.clone_into(&mut request.language))
    }

    /// Acknowledges the message before, and returns the next one that has entries or tells of a
    /// loss.
    pub async fn next(&mut self) -> Result<ConsumeSubscriptionResponse, Refusal> {
        loop {
            if let Some(cursor) = &self.processed {
                match self.handle.acknowledge(cursor).await {
                    // The entries of the message are lost; the stream tells it next.
                    Err(refusal) if refusal.is("RECORD_WENT_BACK") => {}
                    acknowledged => acknowledged?,
                }
                self.processed = None;
            }
            let message = self.messages.next().await?.ok_or_else(Refusal::incomplete)?;
            self.processed = Some(message.cursor.clone());
            let has_entries = !message.entries.is_empty() || !message.unreadable.is_empty();
            if has_entries || message.went_back.is_some() {
                return Ok(message);
            }
        }
    }
}
