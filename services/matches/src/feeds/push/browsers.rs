//! Operations on the browsers of a player.

use deliveries::PushRow;
use rows::MatchId;
use table::Small;
use time::OffsetDateTime;
use uuid::{Builder, Uuid};
use webhooks::{BrowserKeys, Endpoint, SenderKey};

use crate::access::{Caller, Grant, Lane};
use crate::detached::Detached;
use crate::error::Error;
use crate::matches::Matches;
use crate::quiet::QuietHours;
use crate::request::check_player;

/// A browser to register.
#[derive(Clone, Debug)]
pub struct NewBrowser {
    /// Empty for the player of the caller's token.
    pub player: String,
    pub endpoint: Endpoint,
    pub keys: BrowserKeys,
    /// A BCP 47 tag.
    pub language: String,
    pub quiet: Option<QuietHours>,
}

/// A browser that is told of turns. Its address and keys are told nobody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Browser {
    pub push_id: Uuid,
    pub player: String,
    /// The only match it is told of, if any.
    pub match_id: Option<MatchId>,
    pub language: String,
    pub quiet: Option<QuietHours>,
    pub create_time: OffsetDateTime,
    pub register_time: OffsetDateTime,
}

pub type BrowserCursor = (OffsetDateTime, Uuid);

/// Whose browsers a caller may name: a player's, or those of a seat.
struct Owner {
    player: String,
    match_id: Option<MatchId>,
}

impl Matches {
    /// The public key to which browsers subscribe.
    pub async fn push_key(&self, caller: &Caller) -> Result<Vec<u8>, Error> {
        if let Grant::Spectator(..) | Grant::Guest(_) = caller.grant {
            return Err(Error::PlatformOnly);
        }
        let reading = self.0.deliveries.push_key();
        let found = self.in_lane(Lane::Lists, &caller.platform, reading).await?;
        let key = found.ok_or_else(|| Error::Internal("no key signs for push services".into()))?;
        let key = SenderKey::from_pkcs8(&key).map_err(|error| Error::Internal(error.into()))?;
        Ok(key.public().to_vec())
    }

    /// Registers a browser, or renews its registration. Completes even if the caller drops this
    /// future.
    pub async fn register_browser(
        &self,
        caller: &Caller,
        new: NewBrowser,
    ) -> Result<Browser, Error> {
        let (matches, caller) = (self.clone(), caller.clone());
        let registering = async move { matches.register_browser_whole(&caller, new).await };
        Detached::new(registering).await?
    }

    async fn register_browser_whole(
        &self,
        caller: &Caller,
        new: NewBrowser,
    ) -> Result<Browser, Error> {
        let NewBrowser { player, endpoint, keys, language, quiet } = new;
        let (quiet_start, quiet_end) = quiet.as_ref().map(QuietHours::minutes).unzip();
        let Owner { player, match_id } = self.owner(caller, &player).await?;
        let right = caller.right.as_ref().ok_or(Error::PlatformOnly)?.right.to_sql();
        let platform = caller.platform.as_str();
        let log = self.0.store.log();
        let start = self.in_lane(Lane::Streams, platform, log.bucket_heads()).await?;
        let now = self.now();
        let row = PushRow {
            push_id: id_of(platform, &player, match_id, endpoint.as_str()),
            platform: platform.to_owned(),
            player,
            match_id,
            endpoint: endpoint.as_str().to_owned(),
            p256dh: keys.point().to_vec(),
            auth: keys.secret().to_vec(),
            language,
            quiet_zone: quiet.map(|it| it.zone().to_owned()),
            quiet_start,
            quiet_end,
            caller_right: right,
            create_time: now,
            register_time: now,
        };
        let registering = self.0.deliveries.register_push(&row, &start, self.term());
        let registered = self.in_lane(Lane::Writes, platform, registering).await?;
        registered.map(browser_of).ok_or(Error::RightEnded)
    }

    /// The browsers of a player, in the order in which they were first registered; with the token
    /// of a seat, those that it registered.
    pub async fn browsers(
        &self,
        caller: &Caller,
        player: &str,
        after: Option<BrowserCursor>,
        limit: usize,
    ) -> Result<Vec<Browser>, Error> {
        let Owner { player, match_id } = self.owner(caller, player).await?;
        let platform = &caller.platform;
        let listing = self.0.deliveries.list_push(platform, &player, match_id, after, limit as i64);
        let rows = self.in_lane(Lane::Lists, platform, listing).await?;
        Ok(rows.into_iter().map(browser_of).collect())
    }

    /// Forgets a browser. What was queued for it is not sent.
    pub async fn forget_browser(&self, caller: &Caller, push_id: Uuid) -> Result<(), Error> {
        let (player, match_id) = match caller.grant {
            Grant::Platform => (None, None),
            _ => {
                let Owner { player, match_id } = self.owner(caller, "").await?;
                (Some(player), match_id)
            }
        };
        let (platform, player) = (caller.platform.as_str(), player.as_deref());
        let deleting = self.0.deliveries.delete_push(platform, push_id, player, match_id);
        match self.in_lane(Lane::Writes, platform, deleting).await? {
            true => Ok(()),
            false => Err(Error::NoSuchPushSubscription),
        }
    }

    /// The player of a request, by default that of the caller's token.
    async fn owner(&self, caller: &Caller, requested: &str) -> Result<Owner, Error> {
        let owner = match &caller.grant {
            Grant::Platform => {
                check_player("player", requested)?;
                return Ok(Owner { player: requested.to_owned(), match_id: None });
            }
            Grant::Player(own) => Owner { player: own.to_string(), match_id: None },
            Grant::Seat(match_id, seat) => {
                let live = self.live(caller, *match_id).await?;
                let seated = live.players().into_iter().nth(seat.index()).flatten();
                let seated = seated.filter(|it| !it.is_erased).ok_or(Error::NotYourSeat)?;
                Owner { player: seated.player, match_id: Some(*match_id) }
            }
            Grant::Spectator(..) | Grant::Guest(_) => return Err(Error::PlatformOnly),
        };
        match requested.is_empty() || requested == owner.player {
            true => Ok(owner),
            false => Err(Error::OtherPlayer),
        }
    }
}

fn browser_of(row: PushRow) -> Browser {
    let quiet = QuietHours::of(&row);
    let PushRow { push_id, player, match_id, language, create_time, register_time, .. } = row;
    Browser { push_id, player, match_id, language, quiet, create_time, register_time }
}

/// The id of a browser follows from what it is told of and its address: it is registered once. It
/// does not disclose the address, which is a secret.
fn id_of(platform: &str, player: &str, match_id: Option<MatchId>, endpoint: &str) -> Uuid {
    let mut hasher = blake3::Hasher::new_derive_key("croupier 2026-11 id of a player's browser");
    for text in [platform, player, endpoint] {
        hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
    }
    match_id.iter().for_each(|it| _ = hasher.update(it.0.as_bytes()));
    let mut bytes = [0; 16];
    hasher.finalize_xof().fill(&mut bytes);
    Builder::from_random_bytes(bytes).into_uuid()
}
