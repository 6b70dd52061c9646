//! Players of a platform, and those who look for a match.

use contract::v1::{
    CreatePlayerTokenRequest, CreatePlayerTokenResponse, CreateSeekRequest, DeleteSeekRequest,
    ErasePlayerRequest, GetPlayerRequest, GetSeekRequest, ListRatingChangesRequest,
    ListSeeksRequest, Player, RevokePlayerTokensRequest, Seek, WatchPlayerRequest,
};

use crate::call::Call;
use crate::calls::Calls;
use crate::names::named;
use crate::pages::Pages;
use crate::resumed::Resumed;

/// A player of a platform, by the platform's id. Making a handle calls nothing.
#[derive(Clone)]
pub struct PlayerHandle {
    calls: Calls,
    name: String,
}

impl PlayerHandle {
    pub(crate) fn new(calls: &Calls, name: &str) -> PlayerHandle {
        PlayerHandle { calls: calls.clone(), name: named("players", name) }
    }

    /// The player, as `players/{player}`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The player's results in each game and against others.
    pub fn get(&self) -> Call<GetPlayerRequest, Player> {
        let request = GetPlayerRequest { name: self.name.clone(), ..GetPlayerRequest::default() };
        Call::new(&self.calls, request, |answer| answer.player)
    }

    /// How the player's rating in a pool came about, the newest match first. A short name such as
    /// `mountebank` will do for the game.
    pub fn rating_changes(
        &self,
        pool: ListRatingChangesRequest,
    ) -> Pages<ListRatingChangesRequest> {
        let (parent, game) = (self.name.clone(), named("games", &pool.game));
        Pages::new(&self.calls, ListRatingChangesRequest { parent, game, ..pool })
    }

    /// What concerns the player, over all matches, without end: entries as the player's seat sees
    /// them, and notices of what they mean. Every message has the cursor to begin after next time;
    /// with `live` and without a cursor, the stream begins with new entries. A message with
    /// `went_back` tells which of the received entries are void, as in [`Streams::entries`].
    ///
    /// [`Streams::entries`]: crate::Streams::entries
    pub fn watch(&self) -> Resumed<WatchPlayerRequest> {
        let request =
            WatchPlayerRequest { name: self.name.clone(), ..WatchPlayerRequest::default() };
        Resumed::new(&self.calls, request)
    }

    /// Mints a token for the player, over all the player's matches.
    pub fn create_token(&self) -> Call<CreatePlayerTokenRequest, CreatePlayerTokenResponse> {
        let request = CreatePlayerTokenRequest { parent: self.name.clone(), ..Default::default() };
        Call::new(&self.calls, request, Some)
    }

    /// Revokes all tokens minted so far for the player.
    pub fn revoke_tokens(&self) -> Call<RevokePlayerTokensRequest, ()> {
        let request = RevokePlayerTokensRequest { parent: self.name.clone() };
        Call::new(&self.calls, request, |_| Some(()))
    }

    /// Erases the player for good, in all matches; false if there was nothing to erase.
    pub fn erase(&self) -> Call<ErasePlayerRequest, bool> {
        let request = ErasePlayerRequest { name: self.name.clone() };
        Call::new(&self.calls, request, |answer| Some(answer.erased))
    }
}

/// Players who look for a match together.
#[derive(Clone)]
pub struct Seeks(Calls);

impl Seeks {
    pub(crate) fn new(calls: &Calls) -> Seeks {
        Seeks(calls.clone())
    }

    /// Creates a seek, once. A short name such as `mountebank` will do for the game.
    pub fn create(&self, request: CreateSeekRequest) -> Call<CreateSeekRequest, Seek> {
        let game = named("games", &request.game);
        Call::new(&self.0, CreateSeekRequest { game, ..request }, |answer| answer.seek)
    }

    /// A seek, with its match once the player is seated.
    pub fn get(&self, name: &str) -> Call<GetSeekRequest, Seek> {
        Call::new(&self.0, GetSeekRequest { name: named("seeks", name) }, |answer| answer.seek)
    }

    /// Lists the seeks that wait, the oldest first.
    pub fn list(&self, filter: ListSeeksRequest) -> Pages<ListSeeksRequest> {
        let game = named("games", &filter.game);
        Pages::new(&self.0, ListSeeksRequest { game, ..filter })
    }

    /// Deletes a seek: the player will not be seated for it.
    pub fn delete(&self, name: &str) -> Call<DeleteSeekRequest, ()> {
        Call::new(
            &self.0,
            DeleteSeekRequest { name: named("seeks", name), ..<_>::default() },
            |_| Some(()),
        )
    }
}
