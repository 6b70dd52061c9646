//! Acts of operators: changes of platforms, credentials, limits, subscriptions, and the retention
//! of the record.
//!
//! Every command and rpc that makes such a change passes [`Operator::carry_out`] once, so an audit
//! log has one place to be written. Not included are play and a platform's orders in a match, which
//! are entries of the record; migrations, which the database records; and minting tokens and
//! sign-in codes, and redelivering entries, which are routine.

use std::path::Path;
use std::time::Duration;

use accounts::{Accounts, Erased, LimitsRow, PlayerHash, PlayerRevocation, TokenRevocation};
use database::{Database, Error};
use deliveries::{Deliveries, Rotation, SubscriptionRow, SubscriptionUpdate};
use positions::Heads;
use rows::MatchId;
use time::OffsetDateTime;

/// The actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who<'a> {
    /// A person with access to the database, on the command line.
    CommandLine,
    /// A process of the service, when it starts.
    Service,
    /// A platform, with an API key or a session of one.
    Platform(&'a str),
    /// A caller with a key of an operator, by the key's id.
    Key(&'a str),
}

/// An act and its object. It contains no secret and no player's id, since an audit log must not
/// name an erased player.
#[derive(Clone, Debug)]
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
        match_id: MatchId,
        seat: Option<u8>,
    },
    RevokePlayerTokens {
        platform: &'a str,
        player: PlayerHash,
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
    pub async fn carry_out<T, E>(
        &self,
        act: Act<'_>,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        let outcome = work.await;
        let has_failed = outcome.is_err();
        tracing::debug!(operator.who = ?self.who, operator.act = ?act, has_failed, "an operator acts");
        outcome
    }

    pub async fn create_platform(
        &self,
        platform: &str,
        create_time: OffsetDateTime,
    ) -> Result<bool, Error> {
        let creating = self.accounts.create_platform(platform, create_time);
        self.carry_out(Act::CreatePlatform { platform }, creating).await
    }

    pub async fn suspend_platform(&self, platform: &str) -> Result<bool, Error> {
        let suspending = self.accounts.suspend_platform(platform, true);
        self.carry_out(Act::SuspendPlatform { platform }, suspending).await
    }

    pub async fn resume_platform(&self, platform: &str) -> Result<bool, Error> {
        let resuming = self.accounts.suspend_platform(platform, false);
        self.carry_out(Act::ResumePlatform { platform }, resuming).await
    }

    pub async fn set_platform_limits(&self, limits: &LimitsRow) -> Result<bool, Error> {
        let setting = self.accounts.set_platform_limits(limits);
        self.carry_out(Act::SetLimits(limits), setting).await
    }

    pub async fn create_platform_key(
        &self,
        platform: &str,
        key_id: &str,
        hash: &[u8; 32],
        create_time: OffsetDateTime,
    ) -> Result<bool, Error> {
        let creating = self.accounts.create_platform_key(platform, key_id, hash, create_time);
        self.carry_out(Act::CreateKey { platform, key_id }, creating).await
    }

    pub async fn revoke_platform_key(
        &self,
        platform: &str,
        key_id: &str,
        revoke_time: OffsetDateTime,
    ) -> Result<bool, Error> {
        let revoking = self.accounts.revoke_platform_key(platform, key_id, revoke_time);
        self.carry_out(Act::RevokeKey { platform, key_id }, revoking).await
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
        self.carry_out(Act::RevokeOperatorKey { key_id }, revoking).await
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
        match_id: MatchId,
        seat: Option<u8>,
    ) -> Result<Option<TokenRevocation>, Error> {
        let revoking = self.accounts.revoke_tokens(match_id, seat);
        self.carry_out(Act::RevokeTokens { match_id, seat }, revoking).await
    }

    pub(crate) async fn revoke_player_tokens(
        &self,
        platform: &str,
        player: &str,
    ) -> Result<PlayerRevocation, Error> {
        let revoking = self.accounts.revoke_player_tokens(platform, player);
        let player = PlayerHash::of(platform, player);
        self.carry_out(Act::RevokePlayerTokens { platform, player }, revoking).await
    }

    pub(crate) async fn erase_player(
        &self,
        platform: &str,
        player: &str,
        pseudonym: &str,
    ) -> Result<Erased, Error> {
        let erasing = self.accounts.erase_player(platform, player, pseudonym);
        self.carry_out(Act::ErasePlayer { platform, pseudonym }, erasing).await
    }

    pub(crate) async fn create_subscription(
        &self,
        row: &SubscriptionRow,
        at: &Heads,
        push: Option<(&str, &[u8])>,
    ) -> Result<bool, Error> {
        let creating = self.deliveries.create_subscription(row, at, push);
        let (platform, subscription) = (&*row.platform, &*row.subscription);
        self.carry_out(Act::CreateSubscription { platform, subscription }, creating).await
    }

    pub(crate) async fn update_subscription(
        &self,
        platform: &str,
        subscription: &str,
        update: SubscriptionUpdate<'_>,
    ) -> Result<bool, Error> {
        let updating = self.deliveries.update_subscription(platform, subscription, update);
        self.carry_out(Act::UpdateSubscription { platform, subscription }, updating).await
    }

    pub(crate) async fn delete_subscription(
        &self,
        platform: &str,
        subscription: &str,
    ) -> Result<bool, Error> {
        let deleting = self.deliveries.delete_subscription(platform, subscription);
        self.carry_out(Act::DeleteSubscription { platform, subscription }, deleting).await
    }

    pub(crate) async fn rotate_secret(
        &self,
        platform: &str,
        subscription: &str,
        secret: &[u8],
        overlap: Duration,
    ) -> Result<Rotation, Error> {
        let rotating = self.deliveries.rotate_secret(platform, subscription, secret, overlap);
        self.carry_out(Act::RotateSecret { platform, subscription }, rotating).await
    }

    pub(crate) async fn move_webhook(
        &self,
        platform: &str,
        subscription: &str,
        url: &str,
    ) -> Result<bool, Error> {
        let moving = self.deliveries.move_webhook(platform, subscription, url);
        self.carry_out(Act::MoveWebhook { platform, subscription }, moving).await
    }
}
