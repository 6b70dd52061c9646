//! Guests who take a seat by a link: what an invitation shows and allows, how it ends, and races
//! about the last seat. Bots on open seats, and who is at a match.

use std::collections::BTreeSet;

use contract::v1::*;
use futures::future::join_all;
use tokio::join;
use tonic::Code;

use crate::grants::{OF_GUESTS, requests};
use crate::harness::*;

/// The key of a guest, by a letter.
fn key_of(guest: char) -> String {
    guest.to_string().repeat(24)
}

fn guest(key: char, name: &str) -> AcceptInvitationRequest {
    let (guest_key, display_name) = (key_of(key), name.to_owned());
    AcceptInvitationRequest { guest_key, display_name, ..<_>::default() }
}

fn invite(name: &str) -> CreateInvitationRequest {
    CreateInvitationRequest { parent: name.to_owned(), ..<_>::default() }
}

/// A match of ann's with this many seats.
async fn of_ann(key: &Client, seats: u32) -> String {
    let ann = CreateMatchRequest { players: vec!["ann".to_owned()], ..new_match(seats) };
    create(key, &ann).await.name
}

async fn invited(key: &Client, name: &str) -> String {
    let request = CreateInvitationRequest { inviter: "ann".to_owned(), ..invite(name) };
    key.ask(&request).await.expect("a platform may").token
}

async fn get(client: &Client, name: &str) -> Match {
    let request = GetMatchRequest { name: name.to_owned(), ..<_>::default() };
    client.ask(&request).await.expect("an answer").r#match.expect("a match")
}

/// The seats that have players, by their names.
fn names(it: &Match) -> Vec<(u32, &str)> {
    let taken = it.seats.iter().filter(|it| !it.player.is_empty());
    taken.map(|it| (it.seat, &*it.display_name)).collect()
}

#[tokio::test]
async fn a_guest_sees_the_match_and_takes_a_seat_in_every_protocol() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let mut players = BTreeSet::new();
    for protocol in PROTOCOLS {
        let key = key.speaking(protocol);
        let name = of_ann(&key, 3).await;
        let link = key.holding(invited(&key, &name).await);
        let told = link.ask(&GetInvitationRequest::default()).await.expect("it shows the match");
        let it = told.r#match.expect("a match");
        assert_eq!((&it.name, it.state(), &*told.inviter), (&name, MatchState::Open, "ann"));
        assert!(told.expire_time.is_some() && told.seat.is_none() && it.tags.is_empty());
        let bea = link.ask(&guest('b', "Bea")).await.expect("a seat is open");
        assert_eq!(names(bea.r#match.as_ref().expect("a match")), [(0, ""), (1, "Bea")]);
        let again = link.ask(&guest('b', "Somebody")).await.expect("the same guest");
        assert_eq!((again.seat, bea.seat), (1, 1));
        let cid = link.ask(&guest('c', "Cid")).await.expect("the last seat");
        assert_eq!(cid.r#match.expect("a match").state(), MatchState::Running);
        // The token plays on that seat, and no other.
        let seat = key.holding(&bea.token);
        assert_eq!(view(&seat, &name, "", None).await.viewer, "seats/1");
        let other = ListLegalActionsRequest { name: name.clone(), seat: Some(0), ..<_>::default() };
        let failure = seat.ask(&other).await.expect_err("another's");
        failure.check(Code::PermissionDenied, "NOT_YOUR_SEAT");
        // The invitation is spent, except for those who have a seat.
        let failure = link.ask(&GetInvitationRequest::default()).await.expect_err("full");
        failure.check(Code::FailedPrecondition, "MATCH_FULL");
        let failure = link.ask(&guest('d', "Dan")).await.expect_err("full");
        failure.check(Code::FailedPrecondition, "MATCH_FULL");
        let back = link.ask(&guest('c', "Cid")).await.expect("a seat of theirs");
        assert_eq!(back.seat, 2);
        players.insert(get(&key, &name).await.seats[1].player.clone());
    }
    // A guest is the same player in every match, whose id does not tell the key.
    let player = players.pop_first().expect("Bea played");
    assert!(players.is_empty() && player.starts_with("guest-"), "{player} {players:?}");
    assert!(!player.contains("bbb"), "{player}");
}

#[tokio::test]
async fn an_invitation_gives_access_to_nothing_else() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let rival = key.holding(installation.platform("rival").await);
    let (name, other) = (of_ann(&key, 2).await, of_ann(&key, 2).await);
    let link = key.holding(invited(&key, &name).await);
    for protocol in STREAMING {
        let link = link.speaking(protocol);
        for name in [&name, &other, &of_ann(&rival, 2).await] {
            for (rpc, request) in requests(name) {
                if OF_GUESTS.contains(&rpc) {
                    continue;
                }
                // So many calls a second are too many for one link.
                let failure = until("an answer about the call", async || {
                    let failure = link.call(rpc, &request).await.expect_err(rpc);
                    (failure.reason != "RATE_LIMIT_EXCEEDED").then_some(failure)
                })
                .await;
                let is_hidden =
                    failure.reason == "MATCH_NOT_FOUND" && failure.code == Code::NotFound;
                let is_denied = failure.reason == "PLATFORM_ONLY";
                assert!(is_hidden || is_denied, "{rpc}: {failure:?}");
            }
        }
    }
    assert_eq!(names(&get(&key, &name).await), [(0, "")], "nothing was done");
    // It is for one seat if it names one.
    let of_seat = CreateInvitationRequest { seat: Some(1), ..invite(&name) };
    let of_seat = key.holding(key.ask(&of_seat).await.expect("a platform may").token);
    let told = of_seat.ask(&GetInvitationRequest::default()).await.expect("an answer");
    assert_eq!(told.seat, Some(1));
    let elsewhere = AcceptInvitationRequest { seat: Some(0), ..guest('b', "Bea") };
    let failure = of_seat.ask(&elsewhere).await.expect_err("another seat");
    failure.check(Code::InvalidArgument, "INVALID_REQUEST");
    // Whom nobody may confuse with the players is told so, and so is who has no name or key.
    for (request, code, reason) in [
        (guest('b', "ann"), Code::FailedPrecondition, "DISPLAY_NAME_TAKEN"),
        (guest('b', ""), Code::InvalidArgument, "INVALID_REQUEST"),
        (
            AcceptInvitationRequest { guest_key: "short".to_owned(), ..guest('b', "Bea") },
            Code::InvalidArgument,
            "INVALID_REQUEST",
        ),
    ] {
        of_seat.ask(&request).await.expect_err("refused").check(code, reason);
    }
    for (request, code, reason) in [
        (
            CreateInvitationRequest { seat: Some(0), ..invite(&name) },
            Code::FailedPrecondition,
            "SEAT_TAKEN",
        ),
        (
            CreateInvitationRequest { seat: Some(5), ..invite(&name) },
            Code::InvalidArgument,
            "INVALID_REQUEST",
        ),
        (
            CreateInvitationRequest { inviter: "bob".to_owned(), ..invite(&name) },
            Code::InvalidArgument,
            "INVALID_REQUEST",
        ),
        (
            CreateInvitationRequest { lifetime: Some(contract::seconds(86_401)), ..invite(&name) },
            Code::InvalidArgument,
            "INVALID_REQUEST",
        ),
    ] {
        let failure = key.ask(&request).await.expect_err("refused");
        assert_eq!((failure.code, &*failure.reason), (code, reason), "{request:?}");
    }
}

#[tokio::test]
async fn an_invitation_ends_when_it_is_revoked_expires_or_its_match_goes() {
    let installation = Installation::open().await;
    let second = installation.serve("b").await;
    let key = installation.client(Protocol::Grpc);
    let elsewhere = second.client(Protocol::Grpc);
    let name = of_ann(&key, 4).await;
    let token = invited(&key, &name).await;
    let link = key.holding(&token);
    let bea = link.ask(&guest('b', "Bea")).await.expect("a seat is open");
    let revoke = RevokeInvitationsRequest { parent: name.clone() };
    key.ask(&revoke).await.expect("a platform may");
    // Nothing is written by it in any process, from now on.
    for client in [&link, &elsewhere.holding(&token)] {
        for request in [guest('c', "Cid"), guest('b', "Bea")] {
            let failure = client.ask(&request).await.expect_err("revoked");
            failure.check(Code::Unauthenticated, "CREDENTIALS_REVOKED");
        }
    }
    assert_eq!(names(&get(&key, &name).await), [(0, ""), (1, "Bea")]);
    assert_eq!(get(&key.holding(&bea.token), &name).await.name, name, "the guest keeps the seat");
    // A later one is valid, until all tokens of the match are revoked.
    let later = key.holding(invited(&key, &name).await);
    later.ask(&guest('c', "Cid")).await.expect("a seat is open");
    let all = RevokeTokensRequest { parent: name.clone(), seat: None };
    key.ask(&all).await.expect("a platform may");
    let failure = later.ask(&GetInvitationRequest::default()).await.expect_err("revoked");
    failure.check(Code::Unauthenticated, "CREDENTIALS_REVOKED");
    // A guest whose seat was freed is one no more.
    let last = key.holding(invited(&key, &name).await);
    let player = get(&key, &name).await.seats[1].player.clone();
    let leave = LeaveMatchRequest { name: name.clone(), player, ..<_>::default() };
    key.ask(&leave).await.expect("the match has not started");
    let short = CreateInvitationRequest { lifetime: Some(contract::seconds(1)), ..invite(&name) };
    let short = key.holding(key.ask(&short).await.expect("a platform may").token);
    let asking = GetInvitationRequest::default();
    let expired = until("it expires", async || short.ask(&asking).await.err()).await;
    expired.check(Code::Unauthenticated, "TOKEN_EXPIRED");
    let delete = DeleteMatchRequest { name: name.clone(), ..<_>::default() };
    key.ask(&delete).await.expect("it has open seats");
    for failure in [
        last.ask(&asking).await.expect_err("no match"),
        last.ask(&guest('d', "Dan")).await.expect_err("no match"),
    ] {
        failure.check(Code::NotFound, "MATCH_NOT_FOUND");
    }
}

#[tokio::test]
async fn of_guests_who_race_each_has_a_seat_or_an_error() {
    let installation = Installation::open().await;
    let second = installation.serve("b").await;
    let key = installation.client(Protocol::Grpc);
    let elsewhere = second.client(Protocol::Grpc);
    for round in 0..8 {
        let name = of_ann(&key, 2).await;
        let token = invited(&key, &name).await;
        let (link, other) = (key.holding(&token), elsewhere.holding(&token));
        let guests = [('b', "Bea"), ('c', "Cid"), ('d', "Dan")].map(|(key, name)| guest(key, name));
        let revoke = RevokeInvitationsRequest { parent: name.clone() };
        let delete = DeleteMatchRequest { name: name.clone(), ..<_>::default() };
        // The same guest twice, two others, and at the same time it is revoked or deleted.
        let asking = [(&link, 0), (&other, 0), (&other, 1), (&link, 2)];
        let asking = join_all(asking.map(|(client, nth)| client.ask(&guests[nth])));
        let (answers, _, deleted) = join!(
            asking,
            async { if round % 2 == 0 { key.ask(&revoke).await.map(drop) } else { Ok(()) } },
            async { if round % 4 == 1 { key.ask(&delete).await.is_ok() } else { false } },
        );
        let seated: Vec<_> = answers.iter().filter_map(|it| it.as_ref().ok()).collect();
        for failure in answers.iter().filter_map(|it| it.as_ref().err()) {
            let known = ["MATCH_FULL", "CREDENTIALS_REVOKED", "MATCH_NOT_FOUND"];
            assert!(known.contains(&&*failure.reason), "{failure:?}");
        }
        if deleted {
            assert!(seated.is_empty(), "{seated:?}");
            continue;
        }
        let it = get(&key, &name).await;
        assert_eq!(it.state() == MatchState::Running, !it.seats[1].player.is_empty());
        for guest in seated {
            let own = view(&key.holding(&guest.token), &name, "", None).await;
            assert_eq!((own.viewer.as_str(), guest.seat), ("seats/1", 1));
        }
    }
}

#[tokio::test]
async fn a_bot_takes_an_open_seat_and_plays() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let name = of_ann(&key, 3).await;
    let bot = |seat| JoinMatchRequest {
        name: name.clone(),
        bot: "random".to_owned(),
        seat: Some(seat),
        request_id: format!("bot-{seat}"),
        ..<_>::default()
    };
    let unnamed = JoinMatchRequest { seat: None, ..bot(2) };
    let both = JoinMatchRequest { player: "bob".to_owned(), ..bot(2) };
    let unknown = JoinMatchRequest { bot: "genius".to_owned(), ..bot(2) };
    for (request, reason) in
        [(unnamed, "INVALID_REQUEST"), (both, "INVALID_REQUEST"), (unknown, "UNKNOWN_BOT")]
    {
        key.ask(&request).await.expect_err(reason).check(Code::InvalidArgument, reason);
    }
    for _ in 0..2 {
        let joined = key.ask(&bot(2)).await.expect("the seat is open");
        let it = joined.r#match.expect("a match");
        assert_eq!((joined.seat, &*it.seats[2].bot, it.state()), (2, "random", MatchState::Open));
    }
    let another = JoinMatchRequest { request_id: "another".to_owned(), ..bot(2) };
    let failure = key.ask(&another).await.expect_err("it has a bot");
    failure.check(Code::FailedPrecondition, "SEAT_TAKEN");
    let player = key.holding(player_token(&key, "bob").await);
    let failure = player.ask(&bot(1)).await.expect_err("a platform's");
    failure.check(Code::PermissionDenied, "PLATFORM_ONLY");
    key.ask(&bot(1)).await.expect("the last seat");
    let playing = async || {
        let it = get(&key, &name).await;
        // Ann is asked once the bots have done what they must.
        (it.state() == MatchState::Running && it.waiting_for == [0]).then_some(())
    };
    until("the bots have played", playing).await;
}

#[tokio::test]
async fn those_who_are_at_a_match_see_each_other_and_their_wish_for_another() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let name = of_ann(&key, 3).await;
    let link = key.holding(invited(&key, &name).await);
    let bea = link.ask(&guest('b', "Bea")).await.expect("a seat is open");
    let bea = key.holding(&bea.token);
    let attend = |seat, rematch: Rematch| AttendMatchRequest {
        name: name.clone(),
        seat,
        rematch: rematch.into(),
    };
    let here = |answer: AttendMatchResponse| {
        answer.seats.iter().map(|it| (it.seat, it.rematch())).collect::<Vec<_>>()
    };
    let nobody = key.ask(&attend(None, Rematch::Unspecified)).await.expect("an answer");
    assert_eq!(here(nobody), []);
    for protocol in PROTOCOLS {
        let (key, bea) = (key.speaking(protocol), bea.speaking(protocol));
        bea.ask(&attend(None, Rematch::Wanted)).await.expect("its own seat");
        let told = key.ask(&attend(Some(0), Rematch::Declined)).await.expect("a platform names it");
        assert_eq!(here(told), [(0, Rematch::Declined), (1, Rematch::Wanted)]);
        let failure = bea.ask(&attend(Some(0), Rematch::Wanted)).await.expect_err("another's");
        failure.check(Code::PermissionDenied, "NOT_YOUR_SEAT");
    }
    // Streams count, those of spectators too, as long as they are open.
    let watch = |viewer: &str| WatchEntriesRequest {
        parent: name.clone(),
        viewer: viewer.to_owned(),
        ..<_>::default()
    };
    let spectator = key.holding(token(&key, &name, None).await);
    let streams = (spectator.watch(&watch("")).await, key.watch(&watch("seats/2")).await);
    let asking = attend(None, Rematch::Unspecified);
    let count = async || {
        let told = key.ask(&asking).await.expect("an answer");
        (told.spectators, told.seats.iter().any(|it| it.seat == 2))
    };
    until("both are here", async || (count().await == (1, true)).then_some(())).await;
    drop(streams);
    until("both are gone", async || (count().await == (0, false)).then_some(())).await;
}

#[tokio::test]
async fn a_guest_goes_on_to_the_seat_in_the_next_match_and_to_no_other() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let name = of_ann(&key, 2).await;
    let link = key.holding(invited(&key, &name).await);
    let bea = link.ask(&guest('b', "Bea")).await.expect("the last seat");
    let bea_here = key.holding(&bea.token);
    let to_own = |parent: &str, seat| CreateTokenRequest {
        parent: parent.to_owned(),
        seat,
        lifetime: Some(contract::seconds(86_400)),
    };
    let resign = ResignMatchRequest { name: name.clone(), seat: Some(0), ..<_>::default() };
    key.ask(&resign).await.expect("any seat may resign");
    let elsewhere = of_ann(&key, 2).await;
    let failure = bea_here.ask(&to_own(&elsewhere, Some(0))).await.expect_err("it does not follow");
    failure.check(Code::PermissionDenied, "PLATFORM_ONLY");
    let next = CreateMatchRequest { previous: name.clone(), ..Default::default() };
    let next = key.ask(&next).await.expect("it ended").r#match.expect("a match");
    let own = next.seats.iter().find(|it| it.player.starts_with("guest-")).expect("Bea").seat;
    for seat in [None, Some(1 - own)] {
        let failure = bea_here.ask(&to_own(&next.name, seat)).await.expect_err("not hers");
        failure.check(Code::PermissionDenied, "NOT_YOUR_SEAT");
    }
    let there = bea_here.ask(&to_own(&next.name, Some(own))).await.expect("her own");
    let seconds = |time: Option<prost_types::Timestamp>| time.expect("a time").seconds;
    assert!(seconds(there.expire_time) <= seconds(bea.expire_time), "it does not last longer");
    let there = key.holding(there.token);
    assert_eq!(view(&there, &next.name, "", None).await.viewer, format!("seats/{own}"));
    let revoke = RevokeTokensRequest { parent: name.clone(), seat: Some(bea.seat) };
    key.ask(&revoke).await.expect("a platform may");
    let failure = bea_here.ask(&to_own(&next.name, Some(own))).await.expect_err("revoked");
    failure.check(Code::Unauthenticated, "CREDENTIALS_REVOKED");
}
