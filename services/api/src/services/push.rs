//! `PushService`: browsers that tell players of their turns.

use contract::names::{match_name, push_subscription_name};
use contract::v1::push_service_server::PushService;
use contract::v1::*;
use matches::{Browser, Error, NewBrowser, QuietHours as Quiet};
use tonic::{Request, Response, Status};
use webhooks::{BrowserKeys, BrowserKeysError, Sender};

use super::calls::Calls;
use crate::answers::values::timestamp;
use crate::error::{invalid, of};
use crate::requests::language::language_or_english;
use crate::requests::names::parse_push_subscription;
use crate::requests::pages::page_size;
use crate::requests::values::parse_player_id;

/// The default page size.
const PAGE_USUAL: usize = 100;

pub(crate) struct Pushes {
    pub calls: Calls,
    pub sender: Sender,
}

#[tonic::async_trait]
impl PushService for Pushes {
    async fn get_push_key(
        &self,
        request: Request<GetPushKeyRequest>,
    ) -> Result<Response<GetPushKeyResponse>, Status> {
        let (caller, _) = self.calls.open(request).await?;
        let public_key = self.calls.matches.push_key(&caller).await.map_err(of)?;
        Ok(Response::new(GetPushKeyResponse { public_key }))
    }

    async fn create_push_subscription(
        &self,
        request: Request<CreatePushSubscriptionRequest>,
    ) -> Result<Response<CreatePushSubscriptionResponse>, Status> {
        let language = language_or_english(request.metadata(), &request.get_ref().language);
        let (caller, request) = self.calls.open_to_write(request).await?;
        let language = language?;
        let refused = |error| of(Error::WebhookUrlRefused { field: "endpoint", error });
        let new = NewBrowser {
            player: parse_player_id("player", request.player)?,
            endpoint: self.sender.endpoint(&request.endpoint).map_err(refused)?,
            keys: keys_from(request.keys)?,
            language: language.tag().to_owned(),
            quiet: request.quiet_hours.map(quiet_from).transpose()?,
        };
        let browser = self.calls.matches.register_browser(&caller, new).await.map_err(of)?;
        let push_subscription = Some(push_subscription_of(browser));
        Ok(Response::new(CreatePushSubscriptionResponse { push_subscription }))
    }

    async fn list_push_subscriptions(
        &self,
        request: Request<ListPushSubscriptionsRequest>,
    ) -> Result<Response<ListPushSubscriptionsResponse>, Status> {
        let (caller, request) = self.calls.open(request).await?;
        let size = page_size(request.page_size, PAGE_USUAL)?;
        let player = parse_player_id("player", request.player.clone())?;
        let asked = ListPushSubscriptionsRequest { player: player.clone(), ..Default::default() };
        let query = self.calls.list_query(&caller, &asked).await?;
        let after = query.parse_seeks_token(&request.page_token)?;
        let listing = self.calls.matches.browsers(&caller, &player, after, size);
        let browsers: Vec<Browser> = listing.await.map_err(of)?;
        let last = browsers.last().filter(|_| browsers.len() == size);
        let next = last.map(|last| query.seeks_token((last.create_time, last.push_id)));
        let push_subscriptions = browsers.into_iter().map(push_subscription_of).collect();
        let next_page_token = next.unwrap_or_default();
        Ok(Response::new(ListPushSubscriptionsResponse { push_subscriptions, next_page_token }))
    }

    async fn delete_push_subscription(
        &self,
        request: Request<DeletePushSubscriptionRequest>,
    ) -> Result<Response<DeletePushSubscriptionResponse>, Status> {
        let (caller, request) = self.calls.open_to_write(request).await?;
        let push_id = parse_push_subscription("name", &request.name)?;
        self.calls.matches.forget_browser(&caller, push_id).await.map_err(of)?;
        Ok(Response::new(DeletePushSubscriptionResponse {}))
    }
}

fn keys_from(keys: Option<PushKeys>) -> Result<BrowserKeys, Status> {
    let PushKeys { p256dh, auth } = keys.ok_or_else(|| invalid("keys", "keys are missing"))?;
    BrowserKeys::new(p256dh, auth).map_err(|error| {
        let field = match error {
            BrowserKeysError::Point => "keys.p256dh",
            BrowserKeysError::Secret => "keys.auth",
        };
        invalid(field, error.to_string())
    })
}

fn quiet_from(hours: QuietHours) -> Result<Quiet, Status> {
    let QuietHours { time_zone, start_minute, end_minute } = hours;
    Quiet::new(&time_zone, start_minute, end_minute).map_err(|error| of(error.into()))
}

fn quiet_hours_of(quiet: &Quiet) -> QuietHours {
    let (start, end) = quiet.minutes();
    let time_zone = quiet.zone().to_owned();
    QuietHours { time_zone, start_minute: start.into(), end_minute: end.into() }
}

fn push_subscription_of(browser: Browser) -> PushSubscription {
    let Browser { push_id, player, match_id, language, quiet, create_time, register_time } =
        browser;
    PushSubscription {
        name: push_subscription_name(push_id),
        player,
        r#match: match_id.map(|it| match_name(it.0)).unwrap_or_default(),
        language,
        create_time: Some(timestamp(create_time)),
        register_time: Some(timestamp(register_time)),
        quiet_hours: quiet.as_ref().map(quiet_hours_of),
    }
}
