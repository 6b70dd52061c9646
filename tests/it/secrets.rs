//! Secrets: no rpc, error or response size reveals a card that the caller cannot see. What each
//! caller may know is computed from the house's view of the ended match and compared with every
//! byte received before.

use std::collections::BTreeSet;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use contract::v1::*;
use games::Game;
use table::{ChaCha, Chance, Viewer};
use tonic::Code;

use crate::grants::OF_OPERATORS;
use crate::harness::*;

/// Bytes that a recipient was sent, and their subject.
struct Output {
    rpc: String,
    recipient: usize,
    about: About,
    bytes: Vec<u8>,
}

enum About {
    /// These entries, first and last.
    Entries(usize, usize),
    /// The table after this position.
    Table(usize),
    /// The tables after these two positions.
    Tables(usize, usize),
    /// Nothing on a table.
    NoTable,
}

/// A client and its viewer.
struct Recipient {
    client: Client,
    viewer: Viewer,
    /// The viewer as requested; empty for a token's own.
    viewer_name: &'static str,
}

#[tokio::test]
async fn no_rpc_names_a_card_that_its_caller_cannot_see() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Rest);
    let mut playing = Playing::new(&key, 3, 61).await.with_tokens().await;
    let name = playing.name.clone();
    let recipients = recipients(&key, &name).await;
    let mut watches = Vec::new();
    for (number, recipient) in recipients.iter().enumerate() {
        for protocol in STREAMING {
            let client = recipient.client.speaking(protocol).apart();
            watches
                .push((number, client.watch(&watch_request(&name, recipient.viewer_name)).await));
        }
    }

    let mut outputs = Vec::new();
    while let Some(action) = playing.plan().await.expect("an answer") {
        let position = playing.entries.len() + 1;
        // The other rpcs do not depend on the table, and a platform sees what its seats see: every
        // twelfth position is enough.
        let is_thorough = position % 12 == 1;
        let often = |recipient: &Recipient| recipient.viewer_name.is_empty();
        let probed = recipients.iter().enumerate().filter(|it| is_thorough || often(it.1));
        for (number, recipient) in probed {
            let protocol = PROTOCOLS[(position + number) % PROTOCOLS.len()];
            let client = recipient.client.speaking(protocol);
            let (viewer_name, outputs) = (recipient.viewer_name, &mut outputs);
            let mut probe =
                Probe { client, recipient: number, viewer_name, name: &name, position, outputs };
            probe.probe_table().await;
            if is_thorough {
                probe.probe_all().await;
            }
        }
        let seat = action.seat.expect("a plan says who acts") as usize;
        let client = playing.seats[seat].speaking(PROTOCOLS[position % PROTOCOLS.len()]);
        let response = client.receive(&action).await.expect("an answer");
        let about = About::Entries(position + 1, position + 1);
        outputs.push(Output { rpc: rpc(&action), recipient: seat, about, bytes: response.bytes() });
        let answer = client.read::<SubmitActionRequest>(response).expect("it is accepted");
        let again = PlayRequest { actions: vec![action.clone()] };
        let mut line = client.speaking(Protocol::Grpc).stream(&again).await;
        let shown = line.next().await.expect("it is told again").expect("an outcome");
        let about = About::Entries(position + 1, position + 1);
        outputs.push(Output {
            rpc: rpc(&again),
            recipient: seat,
            about,
            bytes: shown.raw.to_vec(),
        });
        playing.acknowledged(&action.request_id, answer.entry.expect("an entry"));
    }
    for (number, watch) in &mut watches {
        while let Some(batch) = watch.next().await.expect("it ends well") {
            let first = batch.message.entries[0].position as usize;
            let about = About::Entries(first, batch.message.position as usize);
            let (rpc, bytes) = (rpc(&watch_request("", "")), batch.raw.to_vec());
            outputs.push(Output { rpc, recipient: *number, about, bytes });
        }
    }

    let it = get(&key, &name).await;
    let spectator = recipients.len() - 1;
    for protocol in STREAMING {
        let (client, last) = (key.speaking(protocol), it.position as usize);
        let request = StreamEntriesRequest::default();
        outputs.extend(probe_stream(&client, request, spectator, last, |it| it.entries).await);
        let (name, consumer) = (MAIL.to_owned(), String::new());
        let request = ConsumeSubscriptionRequest { name, consumer, ..Default::default() };
        outputs.extend(probe_stream(&client, request, spectator, last, |it| it.entries).await);
        for seat in 0..3 {
            let name = format!("players/{}", player(seat));
            let request = WatchPlayerRequest { name, ..Default::default() };
            let (seat, entries) = (seat as usize, |it: WatchPlayerResponse| it.entries);
            outputs.extend(probe_stream(&client, request, seat, last, entries).await);
        }
    }
    let told = entries(&key, &name, "house").await;
    let truth = Truth::of(&it, Viewer::House, &told);
    let digests = told.into_iter().map(|entry| entry.digest).collect();
    outputs.iter_mut().for_each(|it| it.bytes = without_digests(&it.bytes, &digests));
    check_said(&truth, &recipients, &outputs);
    // The same search finds what only the house sees.
    let deal = format!("{name}/entries/1");
    let request =
        GetEntryRequest { name: deal, viewer: "house".to_owned(), ..GetEntryRequest::default() };
    for protocol in PROTOCOLS {
        let bytes = key.speaking(protocol).receive(&request).await.expect("an answer").bytes();
        let knowledge =
            Knowledge::of(Viewer::Seat(Default::default()), truth.game.layout(), &truth.entries);
        assert_eq!(leaked(&truth, &knowledge, &About::Entries(1, 1), &bytes).len(), 10);
    }
    let seed = it.seed.as_bytes();
    assert!(outputs.iter().all(|outputs| !contains(&outputs.bytes, seed)), "told once all is over");
    check_all_rpcs(&outputs);
}

/// The seats' own tokens, a spectator's, and the platform, which may request any viewer.
async fn recipients(key: &Client, name: &str) -> Vec<Recipient> {
    let seat = |number: u8| Viewer::Seat(number.try_into().expect("a seat"));
    let mut recipients = Vec::new();
    for number in 0..3 {
        let client = key.holding(token(key, name, Some(number.into())).await);
        recipients.push(Recipient { client, viewer: seat(number), viewer_name: "" });
    }
    let client = key.holding(token(key, name, None).await);
    recipients.push(Recipient { client, viewer: Viewer::Spectator, viewer_name: "" });
    let client = key.holding(player_token(key, &player(2)).await);
    recipients.push(Recipient { client, viewer: seat(2), viewer_name: "" });
    recipients.push(Recipient { client: key.clone(), viewer: seat(1), viewer_name: "seats/1" });
    recipients.push(Recipient {
        client: key.clone(),
        viewer: Viewer::Spectator,
        viewer_name: "spectator",
    });
    recipients
}

fn watch_request(name: &str, viewer_name: &str) -> WatchEntriesRequest {
    WatchEntriesRequest {
        parent: name.to_owned(),
        viewer: viewer_name.to_owned(),
        after_position: 0,
        ..WatchEntriesRequest::default()
    }
}

fn rpc<R: Rpc>(_: &R) -> String {
    R::METHOD.to_owned()
}

/// Calls everything and keeps every response.
struct Probe<'a> {
    client: Client,
    recipient: usize,
    viewer_name: &'static str,
    name: &'a str,
    position: usize,
    outputs: &'a mut Vec<Output>,
}

impl Probe<'_> {
    async fn probe<R: Rpc>(&mut self, request: R, about: About) {
        let bytes = self.client.receive(&request).await.expect("an answer").bytes();
        self.outputs.push(Output { rpc: rpc(&request), recipient: self.recipient, about, bytes });
    }

    /// Calls every rpc about the current table.
    async fn probe_table(&mut self) {
        let (name, viewer, at) = (self.name.to_owned(), self.viewer_name.to_owned(), self.position);
        let seat = self.viewer_name.strip_prefix("seats/").and_then(|seat| seat.parse().ok());
        let view = GetViewRequest {
            name: name.clone(),
            viewer: viewer.clone(),
            position: None,
            read_time: None,
            ..GetViewRequest::default()
        };
        self.probe(view, About::Table(at)).await;
        let (svg, viewer_of) = (ImageFormat::Svg.into(), viewer.clone());
        let image = GetTableImageRequest {
            name: name.clone(),
            viewer: viewer_of,
            format: svg,
            ..GetTableImageRequest::default()
        };
        self.probe(image, About::Table(at)).await;
        let entry = GetEntryRequest {
            name: format!("{name}/entries/{at}"),
            viewer,
            ..GetEntryRequest::default()
        };
        self.probe(entry, About::Entries(at, at)).await;
        let receipt = GetReceiptRequest { name: format!("{name}/entries/{at}/receipt") };
        self.probe(receipt, About::NoTable).await;
        let legal = ListLegalActionsRequest { name: name.clone(), seat, ..Default::default() };
        self.probe(legal, About::Table(at)).await;
        let suggest = SuggestActionsRequest { name: name.clone(), seat, ..Default::default() };
        self.probe(suggest, About::Table(at)).await;
        let stale = SubmitActionRequest {
            name,
            action: Some(contract::Action { field: 1, body: DRAW.into() }),
            seat,
            expected_position: Some(0),
            ..<_>::default()
        };
        self.probe(stale, About::Table(at)).await;
    }

    /// Calls every other rpc; most of them refuse.
    async fn probe_all(&mut self) {
        let (name, viewer) = (self.name.to_owned(), self.viewer_name.to_owned());
        let past = self.position.div_ceil(2);
        let position = Some(past as i32);
        let view = GetViewRequest {
            name: name.clone(),
            viewer: viewer.clone(),
            position,
            read_time: None,
            ..GetViewRequest::default()
        };
        self.probe(view, About::Table(past)).await;
        let from_position = past as i32;
        let diff = DiffViewsRequest {
            name: name.clone(),
            viewer: viewer.clone(),
            from_position,
            to_position: Some(self.position as i32),
        };
        self.probe(diff, About::Tables(past, self.position)).await;
        let own = (name.clone(), viewer.clone(), "en".to_owned());
        let as_viewer = GetMatchRequest { name: own.0, viewer: own.1, language: own.2 };
        self.probe(as_viewer, About::NoTable).await;
        let (parent, viewer) = (name.clone(), viewer);
        let replay = ReplayEntriesRequest { parent, viewer: viewer.clone(), ..Default::default() };
        self.probe(replay, About::Entries(1, self.position)).await;
        self.probe(ReadRecordRequest { name: format!("{name}/record") }, About::NoTable).await;
        let (parent, page_token) = (name.clone(), String::new());
        let mut list = ListEntriesRequest {
            parent,
            page_size: 7,
            page_token,
            viewer,
            ..ListEntriesRequest::default()
        };
        self.probe(list.clone(), About::Entries(1, 7)).await;
        list.page_token = self.client.ask(&list).await.expect("a page").next_page_token;
        self.probe(list, About::Entries(1, 14)).await;
        self.probe(
            GetMatchRequest { name: name.clone(), ..GetMatchRequest::default() },
            About::NoTable,
        )
        .await;
        self.probe(ListMatchesRequest::default(), About::NoTable).await;
        self.probe(CreateMatchRequest { seats: 99, ..new_match(2) }, About::NoTable).await;
        let batch = CreateMatchRequest { seats: 99, ..new_match(2) };
        let batch = BatchCreateMatchesRequest { requests: vec![batch], ..<_>::default() };
        self.probe(batch, About::NoTable).await;
        let next = CreateMatchRequest { previous: name.clone(), ..Default::default() };
        self.probe(next, About::NoTable).await;
        let parent = format!("players/{}", player(0));
        let player = player(0);
        let join = JoinMatchRequest { name: name.clone(), player, ..Default::default() };
        self.probe(join, About::NoTable).await;
        let commit = CommitSeedRequest { request_id: "probe".to_owned() };
        self.probe(commit, About::NoTable).await;
        let contribution = vec![1; 32];
        let contribute =
            ContributeEntropyRequest { name: name.clone(), contribution, ..Default::default() };
        self.probe(contribute, About::NoTable).await;
        let token = CreateTokenRequest { parent: name.clone(), ..Default::default() };
        self.probe(token, About::NoTable).await;
        let revoke = RevokeTokensRequest { parent: MATCH_OF_NOBODY.to_owned(), seat: None };
        self.probe(revoke, About::NoTable).await;
        let token = CreatePlayerTokenRequest { parent, ..Default::default() };
        self.probe(token, About::NoTable).await;
        let parent = "players/nobody".to_owned();
        self.probe(RevokePlayerTokensRequest { parent }, About::NoTable).await;
        let delete = DeleteMatchRequest { name: MATCH_OF_NOBODY.to_owned(), ..<_>::default() };
        self.probe(delete, About::NoTable).await;
        let request_id = "not visible: a space".to_owned();
        let resign =
            ResignMatchRequest { name, seat: Some(0), request_id, ..ResignMatchRequest::default() };
        self.probe(resign, About::NoTable).await;
        self.probe_gathering().await;
        self.probe_browsers().await;
        self.probe_staying().await;
        let name = MAIL.to_owned();
        let create = CreateSubscriptionRequest { name: name.clone(), ..Default::default() };
        self.probe(create, About::NoTable).await;
        self.probe(GetSubscriptionRequest { name: name.clone() }, About::NoTable).await;
        self.probe(ListSubscriptionsRequest::default(), About::NoTable).await;
        let acknowledge = AcknowledgeEntriesRequest { name: name.clone(), cursor: String::new() };
        self.probe(acknowledge, About::NoTable).await;
        let rotate = RotateSecretRequest { name: name.clone(), ..Default::default() };
        self.probe(rotate, About::NoTable).await;
        let deliveries = ListDeliveriesRequest { parent: name.clone(), ..Default::default() };
        self.probe(deliveries, About::NoTable).await;
        let redeliver = RedeliverEntriesRequest { name: name.clone(), cursor: String::new() };
        self.probe(redeliver, About::NoTable).await;
        let move_it = MoveWebhookRequest { name: name.clone(), url: String::new() };
        self.probe(move_it, About::NoTable).await;
        self.probe(TestWebhookRequest { name }, About::NoTable).await;
        let none =
            DeleteSubscriptionRequest { name: "subscriptions/none".to_owned(), ..<_>::default() };
        self.probe(none, About::NoTable).await;
        self.probe_across().await;
    }

    /// Calls about guests and who is here.
    async fn probe_gathering(&mut self) {
        let name = self.name.to_owned();
        let attend = AttendMatchRequest { name: name.clone(), ..Default::default() };
        self.probe(attend, About::NoTable).await;
        let invite = CreateInvitationRequest { parent: name, ..Default::default() };
        self.probe(invite, About::NoTable).await;
        let revoke = RevokeInvitationsRequest { parent: MATCH_OF_NOBODY.to_owned() };
        self.probe(revoke, About::NoTable).await;
        self.probe(GetInvitationRequest::default(), About::NoTable).await;
        self.probe(AcceptInvitationRequest::default(), About::NoTable).await;
    }

    /// Calls about browsers that are told of turns.
    async fn probe_browsers(&mut self) {
        self.probe(GetPushKeyRequest {}, About::NoTable).await;
        self.probe(CreatePushSubscriptionRequest::default(), About::NoTable).await;
        let list = ListPushSubscriptionsRequest { player: player(0), ..Default::default() };
        self.probe(list, About::NoTable).await;
        let name = "pushSubscriptions/00000000-0000-4000-8000-000000000000".to_owned();
        self.probe(DeletePushSubscriptionRequest { name }, About::NoTable).await;
    }

    /// Calls about leaving and staying, none of which changes the match.
    async fn probe_staying(&mut self) {
        let of_match = self.name.to_owned();
        let request_id = || "not visible: a space".to_owned();
        let (name, seat, motion) = (|| of_match.clone(), Some(0), Motion::Pause.into());
        let (id, player) = (request_id(), "nobody".to_owned());
        let back = TakeBackRequest { name: name(), seat, request_id: id, ..<_>::default() };
        self.probe(back, About::NoTable).await;
        let id = request_id();
        let vote =
            VoteMatchRequest { name: name(), seat, motion, request_id: id, ..<_>::default() };
        self.probe(vote, About::NoTable).await;
        let pause = PauseMatchRequest { name: name(), request_id: request_id(), ..<_>::default() };
        self.probe(pause, About::NoTable).await;
        let resume =
            ResumeMatchRequest { name: name(), request_id: request_id(), ..<_>::default() };
        self.probe(resume, About::NoTable).await;
        let end = EndMatchRequest { name: name(), request_id: request_id(), ..<_>::default() };
        self.probe(end, About::NoTable).await;
        let leave = LeaveMatchRequest { name: name(), player: player.clone(), ..<_>::default() };
        self.probe(leave, About::NoTable).await;
        let id = request_id();
        let replace =
            ReplaceSeatRequest { name: name(), seat, player, request_id: id, ..<_>::default() };
        self.probe(replace, About::NoTable).await;
    }

    /// Calls the rpcs across matches.
    async fn probe_across(&mut self) {
        let (name, at) = (self.name.to_owned(), self.position);
        let holdings = ListHoldingsRequest { parent: name.clone(), ..Default::default() };
        self.probe(holdings, About::NoTable).await;
        let of = Match { name: name.clone(), ..Match::default() };
        let update = UpdateMatchRequest { r#match: Some(of), ..Default::default() };
        self.probe(update, About::NoTable).await;
        let of = Subscription { name: MAIL.to_owned(), ..Subscription::default() };
        let update = UpdateSubscriptionRequest { subscription: Some(of), update_mask: None };
        self.probe(update, About::NoTable).await;
        self.probe(TagMatchRequest { name, ..Default::default() }, About::NoTable).await;
        self.probe(ImportMatchRequest::default(), About::NoTable).await;
        let name = format!("players/{}", player(0));
        let (parent, game) = (name.clone(), MOUNTEBANK.to_owned());
        let changes = ListRatingChangesRequest { parent, game, ..Default::default() };
        self.probe(changes, About::NoTable).await;
        self.probe(GetPlayerRequest { name, ..Default::default() }, About::NoTable).await;
        self.probe(ListOpenMatchesRequest::default(), About::NoTable).await;
        self.probe(ListSeeksRequest::default(), About::NoTable).await;
        let (game, seats) = (MOUNTEBANK.to_owned(), vec![5]);
        let seek = CreateSeekRequest { player: player(0), game, seats, ..Default::default() };
        self.probe(seek, About::NoTable).await;
        let name = "seeks/00000000-0000-4000-8000-000000000000".to_owned();
        self.probe(GetSeekRequest { name: name.clone() }, About::NoTable).await;
        self.probe(DeleteSeekRequest { name, ..<_>::default() }, About::NoTable).await;
        let name = "players/nobody".to_owned();
        self.probe(ErasePlayerRequest { name }, About::NoTable).await;
        let parent = MOUNTEBANK.to_owned();
        let standings = ListStandingsRequest { parent: parent.clone(), ..Default::default() };
        self.probe(standings, About::NoTable).await;
        let search = SearchEntriesRequest { parent, page_size: 1000, ..Default::default() };
        self.probe(search, About::Entries(1, at)).await;
        let projection = GetProjectionRequest { name: "projections/holdings".to_owned() };
        self.probe(projection, About::NoTable).await;
        self.probe(GetPlatformRequest::default(), About::NoTable).await;
        self.probe(ListApiKeysRequest::default(), About::NoTable).await;
        self.probe(ListActsRequest::default(), About::NoTable).await;
        self.probe(CreateSignInRequest {}, About::NoTable).await;
        self.probe(SignInRequest::default(), About::NoTable).await;
    }
}

/// Nothing is revoked or deleted by asking for it.
const MATCH_OF_NOBODY: &str = "matches/00000000-0000-4000-8000-000000000000";

const MAIL: &str = "subscriptions/mail";

/// Every message of the platform's streams until the match's last entry.
async fn probe_stream<R: Rpc>(
    client: &Client,
    request: R,
    recipient: usize,
    last: usize,
    shown: impl Fn(R::Answer) -> Vec<StreamedEntry>,
) -> Vec<Output> {
    let mut stream = client.stream(&request).await;
    let mut outputs = Vec::new();
    let mut position = 0;
    while position < last {
        let batch = stream.next().await.expect("it goes on").expect("it does not end");
        let positions = shown(batch.message).into_iter().filter_map(|it| Some(it.entry?.position));
        let positions: Vec<usize> = positions.map(|it| it as usize).collect();
        let Some(first) = positions.first() else { continue };
        position = *positions.last().expect("there is a first");
        let about = About::Entries(*first, position);
        outputs.push(Output { rpc: rpc(&request), recipient, about, bytes: batch.raw.to_vec() });
    }
    outputs
}

/// A Mountebank action: draw.
const DRAW: &[u8] = &[0x0a, 0];

fn check_said(truth: &Truth, recipients: &[Recipient], outputs: &[Output]) {
    let layout = truth.game.layout();
    let knows = |it: &Recipient| Knowledge::of(it.viewer, layout, &truth.entries);
    let knowledge: Vec<Knowledge> = recipients.iter().map(knows).collect();
    for outputs in outputs {
        let leaked = leaked(truth, &knowledge[outputs.recipient], &outputs.about, &outputs.bytes);
        let viewer = recipients[outputs.recipient].viewer;
        let text = String::from_utf8_lossy(&outputs.bytes);
        assert!(leaked.is_empty(), "{} tells {viewer:?} of {leaked:?}:\n{text}", outputs.rpc);
    }
}

/// The cards named in the bytes that the viewer may not know.
fn leaked(truth: &Truth, knowledge: &Knowledge, about: &About, bytes: &[u8]) -> Vec<String> {
    let allowed: Names = match *about {
        About::Entries(first, last) => {
            let shown = knowledge.within.iter().take(last + 1).skip(first);
            shown.flatten().cloned().collect()
        }
        About::Table(position) => knowledge.after[position].clone(),
        About::Tables(one, other) => &knowledge.after[one] | &knowledge.after[other],
        About::NoTable => knowledge.after[0].clone(),
    };
    named(bytes, truth.game.layout()).difference(&allowed).cloned().collect()
}

/// A new rpc has to be called here as well. `ListGames`, `GetGame` and `GetRules` return the
/// catalogue, the same to every caller.
fn check_all_rpcs(outputs: &[Output]) {
    let mut response: BTreeSet<String> =
        outputs.iter().map(|outputs| outputs.rpc.clone()).collect();
    response.insert(ListGamesRequest::METHOD.to_owned());
    response.insert(GetGameRequest::METHOD.to_owned());
    response.insert(GetRulesRequest::METHOD.to_owned());
    // Operators are told of no match.
    response.extend(OF_OPERATORS.map(|(rpc, _)| method(rpc).full_name().to_owned()));
    let all: BTreeSet<String> = methods().iter().map(|it| it.full_name().to_owned()).collect();
    assert_eq!(response, all);
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// What is random spells a card now and then, and tells nobody of one.
#[test]
fn what_is_random_names_no_card() {
    let layout = games::find("mountebank").expect("a game").layout();
    let mut chance = ChaCha::of([9; 32], 1);
    for _ in 0..4000 {
        let bytes: Vec<u8> = (0..384).map(|_| chance.below(256) as u8).collect();
        let jws = format!("{{\"token\":\"{}\"}}", BASE64_URL_SAFE_NO_PAD.encode(&bytes));
        assert_eq!(named(jws.as_bytes(), layout), Names::new(), "{jws}");
    }
    let digest = b"0123456789\x81sea\x90abcdefghijklmnopq".to_vec();
    let told = [&[0x1a, 32][..], &digest, b"\x12\x03end"].concat();
    let told = without_digests(&told, &[digest].into());
    assert_eq!(named(&told, layout), Names::from(["end".to_owned()]));
    let sea = Names::from(["sea".to_owned()]);
    for told in [&b"\x0a\x03sea\x12\x00"[..], b"{\"piece\":\"sea\"}", b"You draw the sea."] {
        assert_eq!(named(told, layout), sea);
    }
}

#[tokio::test]
async fn a_game_description_is_the_same_for_every_caller() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let request = GetGameRequest { name: MOUNTEBANK.to_owned(), ..GetGameRequest::default() };
    let before = client.anonymous().receive(&request).await.expect("an answer").bytes();
    let rules =
        GetRulesRequest { name: format!("{MOUNTEBANK}/rules"), ..GetRulesRequest::default() };
    let rules_before = client.anonymous().receive(&rules).await.expect("an answer").bytes();
    let list = ListGamesRequest::default();
    let list_before = client.anonymous().receive(&list).await.expect("an answer").bytes();
    let mut playing = Playing::new(&client, 2, 62).await.with_tokens().await;
    playing.steps(5).await;
    for client in [client.anonymous(), client, playing.seats[0].clone()] {
        assert_eq!(client.receive(&request).await.expect("an answer").bytes(), before);
        assert_eq!(client.receive(&rules).await.expect("an answer").bytes(), rules_before);
        assert_eq!(client.receive(&list).await.expect("an answer").bytes(), list_before);
    }
}

#[tokio::test]
async fn others_see_the_same_entry_whatever_was_drawn() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    let (mut drawn, mut shown) = (BTreeSet::new(), BTreeSet::new());
    for _ in 0..12 {
        let options = [("first-seat".to_owned(), "0".to_owned())].into();
        let it = create(&client, &CreateMatchRequest { options, ..new_match(2) }).await;
        let draw = SubmitActionRequest {
            name: it.name.clone(),
            action: Some(contract::Action { field: 1, body: DRAW.into() }),
            seat: Some(0),
            ..Default::default()
        };
        let entry = client.ask(&draw).await.expect("accepted").entry.expect("an entry");
        drawn.insert(card_drawn(&entry));
        for viewer in ["seats/1", "spectator"] {
            for protocol in PROTOCOLS {
                let client = client.speaking(protocol);
                let shown = received_without_time(&client, &entry.name, viewer).await;
                let shown = without_digests(&shown.1, &[entry.digest.clone()].into());
                let game = games::find("mountebank").expect("a game");
                assert!(named(&shown, game.layout()).is_empty());
            }
            shown.insert(received_without_time(&client, &entry.name, viewer).await.0);
        }
    }
    let lengths: BTreeSet<usize> = drawn.iter().map(String::len).collect();
    assert!(lengths.len() > 1, "cards of several lengths were drawn: {drawn:?}");
    assert_eq!(shown.len(), 1, "{shown:?}");
}

fn card_drawn(entry: &Entry) -> String {
    let mut cards = entry.events.iter().filter_map(|event| match event.kind.as_ref()? {
        event::Kind::Moved(moved) => Some(moved.piece.clone()),
        _ => None,
    });
    cards.next_back().expect("a card was drawn")
}

/// An encoded entry, with and without what differs between any two entries: its match, its time and
/// its digest.
async fn received_without_time(client: &Client, name: &str, viewer: &str) -> (String, Vec<u8>) {
    let request = GetEntryRequest {
        name: name.to_owned(),
        viewer: viewer.to_owned(),
        ..GetEntryRequest::default()
    };
    let response = client.receive(&request).await.expect("an answer");
    let body = response.body.to_vec();
    let text = String::from_utf8_lossy(&response.body).replace(name, "");
    let time = text.split_once("\"createTime\":\"").map(|(_, rest)| rest.split('"').next());
    let time = time.flatten().unwrap_or_default().to_owned();
    let text = text.replace(&time, "");
    let digest = text.split_once("\"digest\":\"").map(|(_, rest)| rest.split('"').next());
    let digest = digest.flatten().unwrap_or_default().to_owned();
    (text.replace(&digest, ""), body)
}

#[tokio::test]
async fn a_refusal_does_not_reveal_where_a_card_is() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let game = games::find("mountebank").expect("a game");
    // Two cards with names of equal length, one in the other hand and one in the deck: nearly every
    // deal has them.
    let (it, in_hand, in_deck) = loop {
        let options = [("first-seat".to_owned(), "0".to_owned())].into();
        let it = create(&key, &CreateMatchRequest { options, ..new_match(2) }).await;
        let seen = [
            view(&key, &it.name, "seats/0", None).await,
            view(&key, &it.name, "seats/1", None).await,
        ];
        let seen: Vec<PlaceContents> = seen.into_iter().flat_map(|table| table.places).collect();
        let of = |place: &str| -> Names {
            let spots = seen.iter().filter(|spot| spot.place == place);
            spots.flat_map(|spot| spot.pieces.clone()).collect()
        };
        let theirs = of("hand/1");
        let all_seen: Names = seen.iter().flat_map(|spot| spot.pieces.clone()).collect();
        let all = game.layout().pieces().iter().map(|row| row.name.clone());
        let deck: Vec<String> = all.filter(|name| !all_seen.contains(name)).collect();
        let pair = theirs.iter().find_map(|mine| {
            Some((mine.clone(), deck.iter().find(|other| other.len() == mine.len())?.clone()))
        });
        if let Some((in_hand, in_deck)) = pair {
            break (it, in_hand, in_deck);
        }
    };
    let token = token(&key, &it.name, Some(0)).await;
    for protocol in PROTOCOLS {
        let client = key.speaking(protocol).holding(&token);
        for action in
            [r#"{"take":{"card":"CARD"}}"#, r#"{"con":{"cards":["CARD"],"primary":"SUIT_SUNS"}}"#]
        {
            let mut refusals = Vec::new();
            for card in [&in_hand, &in_deck] {
                let action = action.replace("CARD", card);
                let request =
                    format!(r#"{{"name":"{}","action":{{"mountebank":{action}}}}}"#, it.name);
                let refused = client.call("SubmitAction", &request).await.expect_err("a refusal");
                assert_eq!(refused.code, Code::FailedPrecondition);
                let facts: Vec<_> = refused
                    .facts
                    .into_iter()
                    .map(|(name, fact)| (name, fact.replace(card.as_str(), "CARD")))
                    .collect();
                let size = (refused.response.body.len(), refused.response.bytes().len());
                refusals.push((
                    refused.reason,
                    refused.message.replace(card.as_str(), "CARD"),
                    facts,
                    size,
                ));
            }
            assert_eq!(refusals[0], refusals[1]);
        }
    }
}

#[tokio::test]
async fn page_tokens_are_equal_for_all_viewers_and_reveal_nothing() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    let mut playing = Playing::new(&client, 2, 63).await;
    playing.steps(10).await;
    let mut tokens = BTreeSet::new();
    for viewer in ["seats/0", "seats/1", "spectator"] {
        let viewer = viewer.to_owned();
        let parent = playing.name.clone();
        let request = ListEntriesRequest {
            parent,
            page_size: 5,
            page_token: String::new(),
            viewer,
            ..ListEntriesRequest::default()
        };
        tokens.insert(client.ask(&request).await.expect("a page").next_page_token);
    }
    assert_eq!(tokens.len(), 1);
}

#[tokio::test]
async fn the_house_view_opens_at_the_end_and_seats_keep_their_own_entries() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&key, 2, 64).await.with_tokens().await;
    let spectator = key.holding(token(&key, &playing.name, None).await);
    let mut clients = vec![spectator];
    clients.extend(playing.seats.clone());
    let mut heard_before = Vec::new();
    while playing.step().await {
        let last = playing.entries.last().expect("an entry");
        for client in &clients {
            heard_before.push(probe_past(client, &playing.name, last.position).await);
        }
        if last.position == 9 {
            for client in clients.iter().chain([&key]) {
                check_house_is_refused(client, &playing.name).await;
            }
        }
    }
    for client in clients.iter().chain([&key]) {
        assert!(!entries(client, &playing.name, "house").await.is_empty());
        assert_eq!(view(client, &playing.name, "house", Some(2)).await.viewer, "house");
    }
    let (mut heard_after, last) = (Vec::new(), playing.entries.len() as i32 + 1);
    for position in 2..=last {
        for client in &clients {
            heard_after.push(probe_past(client, &playing.name, position).await);
        }
    }
    assert!(heard_before == heard_after);
}

/// The entry and the table at a position, as bytes.
async fn probe_past(client: &Client, name: &str, position: i32) -> [Vec<u8>; 2] {
    let viewer = String::new();
    let entry = GetEntryRequest {
        name: format!("{name}/entries/{position}"),
        viewer,
        ..GetEntryRequest::default()
    };
    let table =
        GetViewRequest { name: name.to_owned(), position: Some(position), ..Default::default() };
    let entry = client.receive(&entry).await.expect("an answer").bytes();
    [entry, client.receive(&table).await.expect("an answer").bytes()]
}

async fn check_house_is_refused(client: &Client, name: &str) {
    for protocol in STREAMING {
        let client = client.speaking(protocol);
        for (rpc, request) in [
            ("GetView", format!(r#"{{"name":"{name}","viewer":"house"}}"#)),
            ("GetEntry", format!(r#"{{"name":"{name}/entries/1","viewer":"house"}}"#)),
            ("ListEntries", format!(r#"{{"parent":"{name}","viewer":"house"}}"#)),
            ("WatchEntries", format!(r#"{{"parent":"{name}","viewer":"house"}}"#)),
        ] {
            let failure = client.call(rpc, &request).await.expect_err("it is not over");
            failure.check(Code::FailedPrecondition, "MATCH_NOT_ENDED");
        }
    }
}

#[tokio::test]
async fn served_sights_equal_the_frozen_layouts() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut games = 0;
    for game in games::GAMES {
        let request =
            GetGameRequest { name: format!("games/{}", game.name()), ..GetGameRequest::default() };
        let served = client.ask(&request).await.expect("it is there").game.expect("a game");
        let layout = served.layout.expect("with its layout");
        let frozen = frozen_sights(*game);
        assert_eq!(public_by_mistake(&frozen, &layout), Vec::<String>::new());
        // The same comparison finds a hand declared public.
        let mut mistaken = layout.clone();
        let hidden = mistaken.places.iter_mut().find(|place| place.sight() != Sight::All);
        hidden.expect("every game has its secrets").set_sight(Sight::All);
        assert_eq!(public_by_mistake(&frozen, &mistaken).len(), 1);
        games += 1;
    }
    assert!(games > 0);
}

/// Place and who sees it, from the game's golden layout: `place 4 hand/0: seen by seat 0`.
fn frozen_sights(game: &dyn Game) -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../games/src");
    let path = format!("{folder}/{}/layout.txt", game.name().replace('-', "_"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let places = text.lines().filter_map(|line| line.strip_prefix("place "));
    let places = places.map(|line| {
        let (place, sight) = line.split_once(": seen by ").expect("a place says who sees it");
        let (_, name) = place.split_once(' ').expect("number and name");
        (name.to_owned(), sight.to_owned())
    });
    places.collect()
}

fn public_by_mistake(frozen: &[(String, String)], layout: &Layout) -> Vec<String> {
    let sight = |place: &Place| match place.sight() {
        Sight::Unspecified => "unspecified".to_owned(),
        Sight::All => "all".to_owned(),
        Sight::Seat => {
            let hidden = if place.count_hidden { ", count hidden" } else { "" };
            format!("seat {}{hidden}", place.seen_by.expect("one seat"))
        }
        Sight::Nobody => "nobody".to_owned(),
    };
    let differs = |place: &&Place| !frozen.contains(&(place.name.clone(), sight(place)));
    layout.places.iter().filter(differs).map(|place| place.name.clone()).collect()
}
