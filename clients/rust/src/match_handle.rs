//! A match: to read it, to play it and to follow it.

use std::collections::BTreeMap;

use contract::Action;
use contract::HttpBody;
use contract::field_mask;
use contract::games::table::{Action as Aside, Say, Stand, action::Kind};
use contract::names::seat_name;
use contract::v1::{
    AttendMatchRequest, AttendMatchResponse, ContributeEntropyRequest, CreateInvitationRequest,
    CreateInvitationResponse, CreateTokenRequest, CreateTokenResponse, DeleteMatchRequest,
    DiffViewsRequest, EndMatchRequest, Entry, GetEntryRequest, GetMatchRequest, GetReceiptRequest,
    GetTableImageRequest, GetViewRequest, JoinMatchRequest, JoinMatchResponse, LeaveMatchRequest,
    ListEntriesRequest, ListLegalActionsRequest, ListLegalActionsResponse, Match, Motion,
    PauseMatchRequest, ReadRecordRequest, Receipt, ReplaceSeatRequest, ReplayEntriesRequest,
    ResignMatchRequest, ResumeMatchRequest, RevokeInvitationsRequest, RevokeTokensRequest,
    SubmitActionRequest, SuggestActionsRequest, SuggestActionsResponse, Table, TagMatchRequest,
    TakeBackRequest, UpdateMatchRequest, ViewDiff, VoteMatchRequest, WatchEntriesRequest,
};

use crate::call::Call;
use crate::calls::Calls;
use crate::games::Games;
use crate::names::named;
use crate::pages::Pages;
use crate::record;
use crate::refusal::Refusal;
use crate::resumed::Entries;

/// The most entries of a page.
const PAGE: i32 = 1000;

/// A match, for one seat or viewer. Making a handle calls nothing.
#[derive(Clone)]
pub struct MatchHandle {
    calls: Calls,
    pub(crate) games: Games,
    name: String,
    seat: Option<u32>,
    viewer: String,
}

/// What to change of a match; `None` leaves what is there.
#[derive(Clone, Debug, Default)]
pub struct MatchUpdate {
    /// What to call it; empty for no name.
    pub display_name: Option<String>,
    /// Whether it is in the lobby while it has open seats.
    pub lobby: Option<bool>,
    /// All tags.
    pub tags: Option<BTreeMap<String, String>>,
}

impl MatchHandle {
    pub(crate) fn new(calls: &Calls, games: &Games, name: &str) -> MatchHandle {
        MatchHandle {
            calls: calls.clone(),
            games: games.clone(),
            name: named("matches", name),
            seat: None,
            viewer: String::new(),
        }
    }

    /// The same match, to act and see for a seat. Needed with an API key; a seat's or a player's
    /// token knows its seat.
    pub fn at(&self, seat: u32) -> MatchHandle {
        MatchHandle { seat: Some(seat), viewer: seat_name(seat), ..self.clone() }
    }

    /// The same match, for another viewer: `seats/{seat}`, `spectator` or `house`.
    pub fn seen_by(&self, viewer: &str) -> MatchHandle {
        MatchHandle { viewer: viewer.to_owned(), ..self.clone() }
    }

    /// The match, as `matches/{match}`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The seat that it acts for; none for the one of the token.
    pub fn seat(&self) -> Option<u32> {
        self.seat
    }

    /// The viewer that it sees as; empty for the one of the token.
    pub fn viewer(&self) -> &str {
        &self.viewer
    }
}

// === Reading ===

impl MatchHandle {
    /// The match with its players, its turn and its scores.
    pub fn get(&self) -> Call<GetMatchRequest, Match> {
        let (name, viewer) = (self.name.clone(), self.viewer.clone());
        let request = GetMatchRequest { name, viewer, ..GetMatchRequest::default() };
        Call::new(&self.calls, request, |answer| answer.r#match)
    }

    /// The table as the viewer sees it: now, or with `position` or `read_time` earlier.
    pub fn view(&self) -> Call<GetViewRequest, Table> {
        let (name, viewer) = (self.name.clone(), self.viewer.clone());
        let request = GetViewRequest { name, viewer, ..GetViewRequest::default() };
        Call::new(&self.calls, request, |answer| answer.table)
    }

    /// Whether the seat could take back its last action now.
    pub fn can_take_back(&self) -> Call<GetViewRequest, bool> {
        let (name, viewer) = (self.name.clone(), self.viewer.clone());
        let request = GetViewRequest { name, viewer, take_back: true, ..GetViewRequest::default() };
        Call::new(&self.calls, request, |answer| Some(answer.can_take_back))
    }

    /// The table as the viewer sees it, as a picture: a PNG unless `format` says otherwise.
    pub fn image(&self) -> Call<GetTableImageRequest, HttpBody> {
        let (name, viewer) = (self.name.clone(), self.viewer.clone());
        let request = GetTableImageRequest { name, viewer, ..GetTableImageRequest::default() };
        Call::new(&self.calls, request, |answer| answer.image)
    }

    /// The difference between the tables at two positions; until the latest without `to`.
    pub fn diff(&self, from: i32, to: Option<i32>) -> Call<DiffViewsRequest, ViewDiff> {
        let request = DiffViewsRequest {
            name: self.name.clone(),
            viewer: self.viewer.clone(),
            from_position: from,
            to_position: to,
        };
        Call::new(&self.calls, request, |answer| answer.diff)
    }

    /// What the seat may do now; `verb` and `pieces` narrow it.
    pub fn legal_actions(&self) -> Call<ListLegalActionsRequest, ListLegalActionsResponse> {
        let (name, seat) = (self.name.clone(), self.seat);
        let request = ListLegalActionsRequest { name, seat, ..ListLegalActionsRequest::default() };
        Call::new(&self.calls, request, Some)
    }

    /// What the seat could do, the best first, as a bot sees it; against bots only. With
    /// `position`, what it could have done there, in a match that has ended also against people.
    pub fn suggest_actions(&self) -> Call<SuggestActionsRequest, SuggestActionsResponse> {
        let (name, seat) = (self.name.clone(), self.seat);
        let request = SuggestActionsRequest { name, seat, ..SuggestActionsRequest::default() };
        Call::new(&self.calls, request, Some)
    }

    /// One entry, as the viewer may know it.
    pub fn entry(&self, position: i32) -> Call<GetEntryRequest, Entry> {
        let request = GetEntryRequest {
            name: format!("{}/entries/{position}", self.name),
            viewer: self.viewer.clone(),
            ..GetEntryRequest::default()
        };
        Call::new(&self.calls, request, |answer| answer.entry)
    }

    /// The entries recorded so far, page by page.
    pub fn entries(&self) -> Pages<ListEntriesRequest> {
        let (parent, viewer) = (self.name.clone(), self.viewer.clone());
        let request = ListEntriesRequest { parent, viewer, page_size: PAGE, ..Default::default() };
        Pages::new(&self.calls, request)
    }

    /// The service's signed statement that an entry is in the record.
    pub fn receipt(&self, position: i32) -> Call<GetReceiptRequest, Receipt> {
        let request =
            GetReceiptRequest { name: format!("{}/entries/{position}/receipt", self.name) };
        Call::new(&self.calls, request, |answer| answer.receipt)
    }

    /// The record of a match that is revealed, as a file that `verify` reads.
    pub async fn record(&self) -> Result<String, Refusal> {
        let request = ReadRecordRequest { name: format!("{}/record", self.name) };
        record::read(&self.calls, request).await
    }
}

// === Following ===

impl MatchHandle {
    /// The recorded entries, then each new one as soon as it is recorded, until the match has
    /// ended: each once and in order, across restarts of the service and lost connections. After a
    /// restart of your own, continue with `after_position`.
    pub fn watch(&self) -> Entries<WatchEntriesRequest> {
        let (parent, viewer) = (self.name.clone(), self.viewer.clone());
        let request = WatchEntriesRequest { parent, viewer, ..WatchEntriesRequest::default() };
        Entries::new(&self.calls, request)
    }

    /// The entries with their original pauses, at a chosen `speed`; 0 means without pauses.
    pub fn replay(&self) -> Entries<ReplayEntriesRequest> {
        let (parent, viewer) = (self.name.clone(), self.viewer.clone());
        let request =
            ReplayEntriesRequest { parent, viewer, speed: 1.0, ..ReplayEntriesRequest::default() };
        Entries::new(&self.calls, request)
    }
}

// === Acting ===

impl MatchHandle {
    /// Submits an action, and returns the entry once it is recorded. While the service is away the
    /// action is sent again with the same request id, so it happens once.
    pub fn submit(&self, action: impl Into<Action>) -> Call<SubmitActionRequest, Entry> {
        let request = SubmitActionRequest {
            name: self.name.clone(),
            seat: self.seat,
            action: Some(action.into()),
            ..SubmitActionRequest::default()
        };
        Call::new(&self.calls, request, |answer| answer.entry)
    }

    /// Says something to some seats, or to everyone if none are named.
    pub fn say(&self, text: &str, to: &[u32]) -> Call<SubmitActionRequest, Entry> {
        let say = Say { to: to.to_vec(), text: text.to_owned() };
        self.submit(Aside { kind: Some(Kind::Say(say)) })
    }

    /// Lets the house answer a decision for the seat from now on, or no longer.
    pub fn stand(&self, decision: &str, on: bool) -> Call<SubmitActionRequest, Entry> {
        let stand = Stand { decision: decision.to_owned(), on };
        self.submit(Aside { kind: Some(Kind::Stand(stand)) })
    }

    /// Resigns the seat.
    pub fn resign(&self) -> Call<ResignMatchRequest, Entry> {
        let (name, seat) = (self.name.clone(), self.seat);
        let request = ResignMatchRequest { name, seat, ..ResignMatchRequest::default() };
        Call::new(&self.calls, request, |answer| answer.entry)
    }

    /// Takes back the seat's last action, if it revealed nothing.
    pub fn take_back(&self) -> Call<TakeBackRequest, Entry> {
        let (name, seat) = (self.name.clone(), self.seat);
        let request = TakeBackRequest { name, seat, ..TakeBackRequest::default() };
        Call::new(&self.calls, request, |answer| answer.entry)
    }

    /// Votes for a motion, or with `withdraw` takes the vote back.
    pub fn vote(&self, motion: Motion) -> Call<VoteMatchRequest, Entry> {
        let (name, seat, motion) = (self.name.clone(), self.seat, motion.into());
        let request = VoteMatchRequest { name, seat, motion, ..VoteMatchRequest::default() };
        Call::new(&self.calls, request, |answer| answer.entry)
    }
}

// === Seats ===

impl MatchHandle {
    /// Takes the seat of this handle for a player, or any open one. A player's token joins for its
    /// player, so it names none.
    pub fn join(&self, player: &str) -> Call<JoinMatchRequest, JoinMatchResponse> {
        let (name, seat, player) = (self.name.clone(), self.seat, player.to_owned());
        let request = JoinMatchRequest { name, seat, player, ..JoinMatchRequest::default() };
        Call::new(&self.calls, request, Some)
    }

    /// Frees the seat of a player, before the match starts; of the token's own player without a
    /// name.
    pub fn leave(&self, player: &str) -> Call<LeaveMatchRequest, Match> {
        let (name, player) = (self.name.clone(), player.to_owned());
        let request = LeaveMatchRequest { name, player, ..LeaveMatchRequest::default() };
        Call::new(&self.calls, request, |answer| answer.r#match)
    }

    /// Adds 16 to 32 bytes of the seat to the chance of the match, before it is dealt.
    pub fn contribute(&self, contribution: Vec<u8>) -> Call<ContributeEntropyRequest, Match> {
        let (name, seat) = (self.name.clone(), self.seat);
        let request = ContributeEntropyRequest { name, seat, contribution, ..Default::default() };
        Call::new(&self.calls, request, |answer| answer.r#match)
    }
}

// === For platforms ===

impl MatchHandle {
    /// Changes what the match is called, whether it is in the lobby, and its tags.
    pub fn update(&self, update: MatchUpdate) -> Call<UpdateMatchRequest, Match> {
        let MatchUpdate { display_name, lobby, tags } = update;
        let fields = [
            ("display_name", display_name.is_some()),
            ("lobby", lobby.is_some()),
            ("tags", tags.is_some()),
        ];
        let updated = Match {
            name: self.name.clone(),
            display_name: display_name.unwrap_or_default(),
            lobby: lobby.unwrap_or_default(),
            tags: tags.unwrap_or_default().into_iter().collect(),
            ..Match::default()
        };
        let request = UpdateMatchRequest {
            r#match: Some(updated),
            update_mask: Some(field_mask(fields)),
            ..UpdateMatchRequest::default()
        };
        Call::new(&self.calls, request, |answer| answer.r#match)
    }

    /// Sets and, with `remove`, removes tags.
    pub fn tag<N: Into<String>, V: Into<String>>(
        &self,
        tags: impl IntoIterator<Item = (N, V)>,
    ) -> Call<TagMatchRequest, Match> {
        let set = tags.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        let request =
            TagMatchRequest { name: self.name.clone(), set, ..TagMatchRequest::default() };
        Call::new(&self.calls, request, |answer| answer.r#match)
    }

    /// Pauses the match, whatever its seats want.
    pub fn pause(&self) -> Call<PauseMatchRequest, Entry> {
        let request = PauseMatchRequest { name: self.name.clone(), ..Default::default() };
        Call::new(&self.calls, request, |answer| answer.entry)
    }

    /// Resumes the match after a pause.
    pub fn resume(&self) -> Call<ResumeMatchRequest, Entry> {
        let request = ResumeMatchRequest { name: self.name.clone(), ..Default::default() };
        Call::new(&self.calls, request, |answer| answer.entry)
    }

    /// Ends the match without a result.
    pub fn end(&self) -> Call<EndMatchRequest, Entry> {
        let request = EndMatchRequest { name: self.name.clone(), ..Default::default() };
        Call::new(&self.calls, request, |answer| answer.entry)
    }

    /// Deletes a match that waits for players.
    pub fn delete(&self) -> Call<DeleteMatchRequest, ()> {
        Call::new(
            &self.calls,
            DeleteMatchRequest { name: self.name.clone(), ..<_>::default() },
            |_| Some(()),
        )
    }

    /// Seats another player, or a bot, on the seat of this handle, which has resigned or whose
    /// player is gone.
    pub fn replace_seat(&self, player: &str) -> Call<ReplaceSeatRequest, Match> {
        let request = ReplaceSeatRequest {
            name: self.name.clone(),
            seat: self.seat,
            player: player.to_owned(),
            ..ReplaceSeatRequest::default()
        };
        Call::new(&self.calls, request, |answer| answer.r#match)
    }

    /// Invites guests to the seat of this handle, or to any open one. Whoever has the token sees
    /// the match and takes a seat with a name of their own, until it expires or no seat is open.
    pub fn invite(&self) -> Call<CreateInvitationRequest, CreateInvitationResponse> {
        let (parent, seat) = (self.name.clone(), self.seat);
        let request = CreateInvitationRequest { parent, seat, ..<_>::default() };
        Call::new(&self.calls, request, Some)
    }

    /// Revokes all invitations to the match that were created so far.
    pub fn revoke_invitations(&self) -> Call<RevokeInvitationsRequest, ()> {
        let request = RevokeInvitationsRequest { parent: self.name.clone() };
        Call::new(&self.calls, request, |_| Some(()))
    }

    /// Says that the seat of this handle is here, and returns who else is. Call it every few
    /// seconds.
    pub fn attend(&self) -> Call<AttendMatchRequest, AttendMatchResponse> {
        let (name, seat) = (self.name.clone(), self.seat);
        let request = AttendMatchRequest { name, seat, ..AttendMatchRequest::default() };
        Call::new(&self.calls, request, Some)
    }

    /// Mints a token for the seat of this handle, or for a spectator if it has none.
    pub fn create_token(&self) -> Call<CreateTokenRequest, CreateTokenResponse> {
        let (parent, seat) = (self.name.clone(), self.seat);
        let request = CreateTokenRequest { parent, seat, ..CreateTokenRequest::default() };
        Call::new(&self.calls, request, Some)
    }

    /// Revokes the tokens of the seat; without a seat all of the match.
    pub fn revoke_tokens(&self) -> Call<RevokeTokensRequest, ()> {
        let (parent, seat) = (self.name.clone(), self.seat);
        let request = RevokeTokensRequest { parent, seat };
        Call::new(&self.calls, request, |_| Some(()))
    }
}
