//! Acts of operators: changes of platforms, credentials, limits, subscriptions, and the retention
//! of the record.
//!
//! Every command and rpc that makes such a change passes [`Operator::carry_out`] once, which writes
//! it to the log of acts (`docs/decisions/0104-acts-are-logged-before-and-after.md`): a row before
//! the act, and one after it with how it ended. An act that cannot be logged is not carried out.
//! Not included are play and a platform's orders in a match, which are entries of the record;
//! migrations, which the database records; and minting tokens and sign-in codes, and redelivering
//! entries, which are routine.

use std::collections::HashMap;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use accounts::{
    Accounts, ActRow, Erased, INVITATIONS, LimitsRow, NewAct, PlayerRevocation, TokenRevocation,
};
use database::{Database, Error};
use deliveries::{Deliveries, Rotation, SubscriptionRow, SubscriptionUpdate};
use positions::{Digest, Heads};
use rows::{MatchId, match_name};
use serde_json::{Map, Value, json};
use strum::{EnumString, IntoStaticStr};
use time::OffsetDateTime;
use tokio::time::sleep;
use uuid::Uuid;

use crate::access::Limits;
use crate::random::random;

/// The actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who<'a> {
    /// A person with access to the database, on the command line.
    CommandLine,
    /// A process of the service, when it starts.
    Service,
    /// A platform, by the id of the API key with which it calls, or from which its session is.
    Platform { platform: &'a str, key_id: Option<&'a str> },
    /// A caller with a key of an operator, by the key's id.
    Key(&'a str),
}

/// An act and its object. It contains no secret and no player's id, since an audit log must not
/// name an erased player.
#[derive(Clone, Debug, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Act<'a> {
    CreatePlatform {
        platform: &'a str,
    },
    SuspendPlatform {
        platform: &'a str,
    },
    ResumePlatform {
        platform: &'a str,
    },
    SetLimits(&'a LimitsRow),
    CreateKey {
        platform: &'a str,
        key_id: &'a str,
    },
    RevokeKey {
        platform: &'a str,
        key_id: &'a str,
    },
    CreateOperatorKey {
        key_id: &'a str,
    },
    RevokeOperatorKey {
        key_id: &'a str,
    },
    RotateTokenKeys {
        drops_old: bool,
    },
    RotateReceiptKeys,
    /// The tokens of a match, of one of its seats, or all invitations to it.
    RevokeTokens {
        platform: &'a str,
        match_id: MatchId,
        seat: Option<u8>,
    },
    /// All tokens of a player.
    RevokePlayerTokens {
        platform: &'a str,
    },
    ErasePlayer {
        platform: &'a str,
        /// The pseudonym that replaces the player's id in the record.
        pseudonym: &'a str,
    },
    CreateSubscription {
        platform: &'a str,
        subscription: &'a str,
    },
    UpdateSubscription {
        platform: &'a str,
        subscription: &'a str,
    },
    DeleteSubscription {
        platform: &'a str,
        subscription: &'a str,
    },
    RotateSecret {
        platform: &'a str,
        subscription: &'a str,
    },
    MoveWebhook {
        platform: &'a str,
        subscription: &'a str,
    },
    /// Grants a role of the database the rights to serve.
    Grant {
        role: &'a str,
    },
    /// Deletes matches with open seats, and reduces ended ones to their results; `None`: of every
    /// platform.
    Retain {
        platform: Option<&'a str>,
        open: Option<time::Duration>,
        ended: Option<time::Duration>,
    },
    /// Moves the content of ended matches to an object store.
    Archive {
        platform: Option<&'a str>,
        older_than: time::Duration,
        to: &'a str,
    },
    /// Records the matches of a file.
    Import {
        file: &'a Path,
    },
    /// Records random matches.
    Load,
    RebuildProjection {
        projection: &'a str,
    },
    /// Begins a term of the installation.
    RaiseTerm,
    /// Begins a transparency log.
    BeginLog {
        origin: &'a str,
    },
    /// Ends the current transparency log.
    EndLog,
    /// Asks a witness to cosign checkpoints, or no longer.
    ChangeWitnesses {
        witness: &'a str,
    },
    /// Changes how many witnesses must cosign a checkpoint.
    RequireWitnesses,
    /// Offers the game of a module.
    AddModule {
        game: &'a str,
        /// The hash of the module.
        module: &'a str,
    },
    /// Keeps a module of the rules of a game that is compiled in.
    KeepModule {
        game: &'a str,
        /// The hash of the module.
        module: &'a str,
    },
    /// Offers a game no longer.
    RetireGame {
        game: &'a str,
    },
}

impl Who<'_> {
    fn told(self) -> Value {
        match self {
            Who::CommandLine => json!({"kind": Actor::CommandLine.name(), "id": system_user()}),
            Who::Service => json!({"kind": Actor::Service.name()}),
            Who::Platform { platform, key_id } => {
                json!({"kind": Actor::Platform.name(), "id": key_id, "platform": platform})
            }
            Who::Key(key_id) => json!({"kind": Actor::OperatorKey.name(), "id": key_id}),
        }
    }
}

/// The person at the command line, as the system's environment names it: a hint, and no proof.
fn system_user() -> Option<String> {
    let named = ["SUDO_USER", "USER", "LOGNAME"].into_iter().find_map(|it| std::env::var(it).ok());
    named.map(|it| it.chars().filter(|it| !it.is_control()).take(USER_CHARS_MAX).collect())
}

impl<'a> Act<'a> {
    /// The kind, as the log and the contract name it.
    pub fn kind(&self) -> &'static str {
        self.into()
    }

    /// The platform that the act changes; `None` if it changes the whole installation.
    pub fn platform(&self) -> Option<&'a str> {
        match self {
            Act::CreatePlatform { platform }
            | Act::SuspendPlatform { platform }
            | Act::ResumePlatform { platform }
            | Act::CreateKey { platform, .. }
            | Act::RevokeKey { platform, .. }
            | Act::RevokeTokens { platform, .. }
            | Act::RevokePlayerTokens { platform }
            | Act::ErasePlayer { platform, .. }
            | Act::CreateSubscription { platform, .. }
            | Act::UpdateSubscription { platform, .. }
            | Act::DeleteSubscription { platform, .. }
            | Act::RotateSecret { platform, .. }
            | Act::MoveWebhook { platform, .. } => Some(platform),
            Act::SetLimits(limits) => Some(&limits.platform),
            Act::Retain { platform, .. } | Act::Archive { platform, .. } => *platform,
            Act::CreateOperatorKey { .. }
            | Act::RevokeOperatorKey { .. }
            | Act::RotateTokenKeys { .. }
            | Act::RotateReceiptKeys
            | Act::Grant { .. }
            | Act::Import { .. }
            | Act::Load
            | Act::RebuildProjection { .. }
            | Act::RaiseTerm
            | Act::BeginLog { .. }
            | Act::EndLog
            | Act::ChangeWitnesses { .. }
            | Act::RequireWitnesses
            | Act::AddModule { .. }
            | Act::KeepModule { .. }
            | Act::RetireGame { .. } => None,
        }
    }

    /// The object, besides the platform.
    fn details(&self) -> Map<String, Value> {
        let age = |it: time::Duration| format!("{}s", it.whole_seconds());
        let mut details = Map::new();
        let mut tell = |name: &str, value: String| {
            details.insert(name.to_owned(), Value::String(value));
        };
        match self {
            Act::CreateKey { key_id, .. }
            | Act::RevokeKey { key_id, .. }
            | Act::CreateOperatorKey { key_id }
            | Act::RevokeOperatorKey { key_id } => tell("key", (*key_id).to_owned()),
            Act::SetLimits(limits) => {
                for limit in Limits::named(limits).into_iter().filter(|it| it.is_set) {
                    tell(limit.name, limit.value.to_string());
                }
            }
            Act::RotateTokenKeys { drops_old } => tell("drops_old", drops_old.to_string()),
            Act::RevokeTokens { match_id, seat, .. } => {
                tell("match", match_name(*match_id));
                match seat {
                    Some(INVITATIONS) => tell("tokens", "invitations".to_owned()),
                    Some(seat) => tell("seat", seat.to_string()),
                    None => {}
                }
            }
            Act::ErasePlayer { pseudonym, .. } => tell("pseudonym", (*pseudonym).to_owned()),
            Act::CreateSubscription { subscription, .. }
            | Act::UpdateSubscription { subscription, .. }
            | Act::DeleteSubscription { subscription, .. }
            | Act::RotateSecret { subscription, .. }
            | Act::MoveWebhook { subscription, .. } => {
                tell("subscription", (*subscription).to_owned());
            }
            Act::Grant { role } => tell("role", (*role).to_owned()),
            Act::Retain { open, ended, .. } => {
                open.iter().for_each(|it| tell("open", age(*it)));
                ended.iter().for_each(|it| tell("ended", age(*it)));
            }
            Act::Archive { older_than, to, .. } => {
                tell("older_than", age(*older_than));
                tell("to", place(to));
            }
            Act::Import { file } => {
                let name = file.file_name().unwrap_or_default();
                tell("file", name.to_string_lossy().into_owned());
            }
            Act::RebuildProjection { projection } => tell("projection", (*projection).to_owned()),
            Act::BeginLog { origin } => tell("origin", (*origin).to_owned()),
            Act::ChangeWitnesses { witness } => tell("witness", (*witness).to_owned()),
            Act::AddModule { game, module } | Act::KeepModule { game, module } => {
                tell("game", (*game).to_owned());
                tell("module", (*module).to_owned());
            }
            Act::RetireGame { game } => tell("game", (*game).to_owned()),
            Act::CreatePlatform { .. }
            | Act::SuspendPlatform { .. }
            | Act::ResumePlatform { .. }
            | Act::RevokePlayerTokens { .. }
            | Act::RotateReceiptKeys
            | Act::Load
            | Act::RaiseTerm
            | Act::EndLog
            | Act::RequireWitnesses => {}
        }
        details
    }
}

/// An address without what a URL may contain of credentials.
fn place(address: &str) -> String {
    let address = address.split(['?', '#']).next().unwrap_or_default();
    match address.split_once("://") {
        Some((scheme, rest)) => {
            let (host, path) = rest.split_once('/').map_or((rest, None), |(h, p)| (h, Some(p)));
            let host = host.rsplit('@').next().unwrap_or_default();
            let path = path.map(|it| format!("/{it}")).unwrap_or_default();
            format!("{scheme}://{host}{path}")
        }
        None => address.to_owned(),
    }
}

/// How an act failed.
pub trait OfAct: From<Error> {
    /// A reason without facts, which may be a player's; `None` if it is unknown whether anything
    /// was done.
    fn reason(&self) -> Option<&'static str>;
}

impl OfAct for Error {
    fn reason(&self) -> Option<&'static str> {
        Some(match self {
            Error::Unknown(_) => return None,
            Error::Busy | Error::TimedOut => "DATABASE_BUSY",
            Error::Unavailable(_) => "DATABASE_UNAVAILABLE",
            Error::Full(_) => "DATABASE_FULL",
            Error::Refused(_) => "DATABASE_REFUSED",
            Error::InvalidText(_) => "INVALID_TEXT",
            Error::Gone(_) => "GONE",
            Error::Fault(_) => "REJECTED",
        })
    }
}

/// An act, as the rows of the log tell it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActTold {
    pub actor: Actor,
    /// The platform of an actor that is one.
    pub actor_platform: Option<String>,
    /// The id of a key, or the name of a user.
    pub actor_id: Option<String>,
    pub details: HashMap<String, String>,
    pub outcome: Ended,
    /// Why it failed.
    pub reason: Option<String>,
}

/// The kind of an actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Actor {
    CommandLine,
    Service,
    Platform,
    OperatorKey,
    /// A later release wrote it.
    Unknown,
}

/// How an act ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Ended {
    Done,
    /// There was nothing to change.
    Unchanged,
    Failed,
    /// Also of an act without an outcome.
    Unknown,
}

impl Actor {
    /// As the log names it.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl Ended {
    /// As the log names it.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// What a text of the log names; `None` if a later release wrote it.
fn named<T: FromStr>(text: &Value) -> Option<T> {
    text.as_str()?.parse().ok()
}

impl ActTold {
    pub fn of(row: &ActRow) -> Self {
        let read = |text: &str| serde_json::from_str(text).unwrap_or(Value::Null);
        let text = |it: &Value| it.as_str().map(str::to_owned);
        let begun = read(&row.body);
        let ended = row.outcome.as_deref().map_or(Value::Null, read);
        let details = begun["details"].as_object().into_iter().flatten();
        let actor = &begun["actor"];
        ActTold {
            actor: named(&actor["kind"]).unwrap_or(Actor::Unknown),
            actor_platform: text(&actor["platform"]),
            actor_id: text(&actor["id"]),
            details: details.filter_map(|(name, it)| Some((name.clone(), text(it)?))).collect(),
            outcome: named(&ended["outcome"]).unwrap_or(Ended::Unknown),
            reason: text(&ended["reason"]),
        }
    }
}

/// The pauses after attempts to log an outcome.
const OUTCOME_PAUSES: [Duration; 4] = [
    Duration::from_millis(100),
    Duration::from_millis(400),
    Duration::from_secs(2),
    Duration::ZERO,
];

const USER_CHARS_MAX: usize = 64;

fn is_true(it: &bool) -> bool {
    *it
}

/// The log of the process has each digest, so a copy of it elsewhere shows whether rows were
/// removed from the end of the log of acts.
fn log(row: &NewAct<'_>, digest: Digest) {
    let platform = row.platform.unwrap_or_default();
    tracing::info!(
        act.id = %row.act_id,
        act.kind = row.kind,
        act.is_outcome = row.is_outcome,
        act.digest = %digest,
        platform,
        "an operator's act: {}",
        row.kind
    );
}

/// An operator at work on a database.
#[derive(Clone)]
pub struct Operator<'a> {
    accounts: Accounts,
    deliveries: Deliveries,
    who: Who<'a>,
}

#[expect(clippy::disallowed_methods, reason = "here acts are carried out")]
impl<'a> Operator<'a> {
    pub fn new(database: &Database, who: Who<'a>) -> Self {
        Operator { accounts: Accounts::new(database), deliveries: Deliveries::new(database), who }
    }

    /// Carries out an act, which `work` does.
    ///
    /// A caller that may be cancelled runs this in a task of its own, as an act that is given up
    /// half-way has an unknown end.
    pub async fn carry_out<T, E: OfAct>(
        &self,
        act: Act<'_>,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        self.carry_out_if(act, work, |_| true).await
    }

    /// Like [`Operator::carry_out`], where `is_changed` tells from the outcome whether there was
    /// anything to change.
    pub async fn carry_out_if<T, E: OfAct>(
        &self,
        act: Act<'_>,
        work: impl Future<Output = Result<T, E>>,
        is_changed: impl FnOnce(&T) -> bool,
    ) -> Result<T, E> {
        let (act_id, kind) = (Uuid::from_bytes(random()), act.kind());
        let begun = json!({"actor": self.who.told(), "details": act.details()}).to_string();
        let platform = act.platform();
        let mut row = NewAct { act_id, is_outcome: false, platform, kind, body: &begun };
        let digest = self.accounts.add_act(&row).await?;
        log(&row, digest);
        let outcome = work.await;
        let told = match &outcome {
            Ok(done) if is_changed(done) => json!({"outcome": Ended::Done.name()}),
            Ok(_) => json!({"outcome": Ended::Unchanged.name()}),
            Err(error) => match error.reason() {
                None => json!({"outcome": Ended::Unknown.name()}),
                Some(reason) => json!({"outcome": Ended::Failed.name(), "reason": reason}),
            },
        };
        let told = told.to_string();
        (row.is_outcome, row.body) = (true, &told);
        self.tell_outcome(&row).await;
        outcome
    }

    /// Writes how an act ended. Without such a row the end is unknown, which is true as well, so
    /// this gives up in the end.
    async fn tell_outcome(&self, row: &NewAct<'_>) {
        for pause in OUTCOME_PAUSES {
            match self.accounts.add_act(row).await {
                Ok(digest) => return log(row, digest),
                Err(error) => {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(act.id = %row.act_id, error, "how an act ended is not logged yet");
                }
            }
            sleep(pause).await;
        }
    }

    pub async fn create_platform(
        &self,
        platform: &str,
        create_time: OffsetDateTime,
    ) -> Result<bool, Error> {
        let creating = self.accounts.create_platform(platform, create_time);
        self.carry_out_if(Act::CreatePlatform { platform }, creating, is_true).await
    }

    pub async fn suspend_platform(&self, platform: &str) -> Result<bool, Error> {
        let suspending = self.accounts.suspend_platform(platform, true);
        self.carry_out_if(Act::SuspendPlatform { platform }, suspending, is_true).await
    }

    pub async fn resume_platform(&self, platform: &str) -> Result<bool, Error> {
        let resuming = self.accounts.suspend_platform(platform, false);
        self.carry_out_if(Act::ResumePlatform { platform }, resuming, is_true).await
    }

    pub async fn set_platform_limits(&self, limits: &LimitsRow) -> Result<bool, Error> {
        let setting = self.accounts.set_platform_limits(limits);
        self.carry_out_if(Act::SetLimits(limits), setting, is_true).await
    }

    pub async fn create_platform_key(
        &self,
        platform: &str,
        key_id: &str,
        hash: &[u8; 32],
        create_time: OffsetDateTime,
    ) -> Result<bool, Error> {
        let creating = self.accounts.create_platform_key(platform, key_id, hash, create_time);
        self.carry_out_if(Act::CreateKey { platform, key_id }, creating, is_true).await
    }

    pub async fn revoke_platform_key(
        &self,
        platform: &str,
        key_id: &str,
        revoke_time: OffsetDateTime,
    ) -> Result<bool, Error> {
        let revoking = self.accounts.revoke_platform_key(platform, key_id, revoke_time);
        self.carry_out_if(Act::RevokeKey { platform, key_id }, revoking, is_true).await
    }

    pub async fn create_operator_key(
        &self,
        key_id: &str,
        proof_hash: &[u8; 32],
        create_time: OffsetDateTime,
    ) -> Result<(), Error> {
        let creating = self.accounts.create_operator_key(key_id, proof_hash, create_time);
        self.carry_out(Act::CreateOperatorKey { key_id }, creating).await
    }

    pub async fn revoke_operator_key(
        &self,
        key_id: &str,
        revoke_time: OffsetDateTime,
    ) -> Result<bool, Error> {
        let revoking = self.accounts.revoke_operator_key(key_id, revoke_time);
        self.carry_out_if(Act::RevokeOperatorKey { key_id }, revoking, is_true).await
    }

    pub async fn rotate_token_keys(
        &self,
        secret: &[u8; 32],
        drops_old: bool,
    ) -> Result<i16, Error> {
        let rotating = self.accounts.rotate_token_keys(secret, drops_old);
        self.carry_out(Act::RotateTokenKeys { drops_old }, rotating).await
    }

    pub async fn rotate_receipt_keys(&self, secret: &[u8]) -> Result<(), Error> {
        let rotating = self.accounts.rotate_receipt_keys(secret);
        self.carry_out(Act::RotateReceiptKeys, rotating).await
    }

    pub async fn revoke_tokens(
        &self,
        platform: &str,
        match_id: MatchId,
        seat: Option<u8>,
    ) -> Result<Option<TokenRevocation>, Error> {
        let revoking = self.accounts.revoke_tokens(match_id, seat);
        let act = Act::RevokeTokens { platform, match_id, seat };
        self.carry_out_if(act, revoking, Option::is_some).await
    }

    pub(crate) async fn revoke_player_tokens(
        &self,
        platform: &str,
        player: &str,
    ) -> Result<PlayerRevocation, Error> {
        let revoking = self.accounts.revoke_player_tokens(platform, player);
        self.carry_out(Act::RevokePlayerTokens { platform }, revoking).await
    }

    pub(crate) async fn erase_player(
        &self,
        platform: &str,
        player: &str,
        pseudonym: &str,
    ) -> Result<Erased, Error> {
        let erasing = self.accounts.erase_player(platform, player, pseudonym);
        let is_changed = |it: &Erased| it.seats.is_some();
        self.carry_out_if(Act::ErasePlayer { platform, pseudonym }, erasing, is_changed).await
    }

    pub(crate) async fn create_subscription(
        &self,
        row: &SubscriptionRow,
        at: &Heads,
        push: Option<(&str, &[u8])>,
    ) -> Result<bool, Error> {
        let creating = self.deliveries.create_subscription(row, at, push);
        let (platform, subscription) = (&*row.platform, &*row.subscription);
        self.carry_out_if(Act::CreateSubscription { platform, subscription }, creating, is_true)
            .await
    }

    pub(crate) async fn update_subscription(
        &self,
        platform: &str,
        subscription: &str,
        update: SubscriptionUpdate<'_>,
    ) -> Result<bool, Error> {
        let updating = self.deliveries.update_subscription(platform, subscription, update);
        self.carry_out_if(Act::UpdateSubscription { platform, subscription }, updating, is_true)
            .await
    }

    pub(crate) async fn delete_subscription(
        &self,
        platform: &str,
        subscription: &str,
    ) -> Result<bool, Error> {
        let deleting = self.deliveries.delete_subscription(platform, subscription);
        self.carry_out_if(Act::DeleteSubscription { platform, subscription }, deleting, is_true)
            .await
    }

    pub(crate) async fn rotate_secret(
        &self,
        platform: &str,
        subscription: &str,
        secret: &[u8],
        overlap: Duration,
    ) -> Result<Rotation, Error> {
        let rotating = self.deliveries.rotate_secret(platform, subscription, secret, overlap);
        let is_changed = |it: &Rotation| matches!(it, Rotation::Rotated { .. });
        let act = Act::RotateSecret { platform, subscription };
        self.carry_out_if(act, rotating, is_changed).await
    }

    pub(crate) async fn move_webhook(
        &self,
        platform: &str,
        subscription: &str,
        url: &str,
    ) -> Result<bool, Error> {
        let moving = self.deliveries.move_webhook(platform, subscription, url);
        self.carry_out_if(Act::MoveWebhook { platform, subscription }, moving, is_true).await
    }
}
