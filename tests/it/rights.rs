//! Rights that end: whatever ends one is answered by one process, and nothing that is sent with it
//! to another process afterwards is recorded.

use std::time::Duration;

use contract::v1::*;
use futures::future::join_all;
use sqlx::Row;
use tokio::join;
use tonic::Code;

use crate::credentials::{key_id, platform};
use crate::harness::*;

/// Other processes read within two seconds what was revoked, so one of a few rounds meets one that
/// has not yet.
const ROUNDS: usize = 6;

/// A process that ends rights, and another one.
async fn two() -> (Installation, Service, [Client; 2]) {
    let installation = Installation::open().await;
    let second = installation.serve("b").await;
    let clients = [installation.client(Protocol::Grpc), second.client(Protocol::Grpc)];
    (installation, second, clients)
}

fn with_talk(players: &[&str]) -> CreateMatchRequest {
    CreateMatchRequest {
        players: players.iter().map(|&it| it.to_owned()).collect(),
        options: [("talk".to_owned(), "unlimited".to_owned())].into(),
        ..new_match(players.len() as u32)
    }
}

async fn say(client: &Client, name: &str, text: &str) -> Result<(), Failure> {
    let say = format!(r#""action":{{"table":{{"say":{{"text":"{text}"}}}}}}"#);
    client.call("SubmitAction", &format!(r#"{{"name":"{name}",{say}}}"#)).await.map(drop)
}

/// What was said in a match, by whom: a seat's number and its place in the record.
async fn said(client: &Client, name: &str) -> Vec<(Option<u32>, i32)> {
    let all = entries(client, name, "spectator").await;
    all.iter().filter(|it| it.verb == "say").map(|it| (it.seat, it.position)).collect()
}

fn check_refused(failure: &Failure) {
    match failure.code {
        Code::NotFound => failure.check(Code::NotFound, "MATCH_NOT_FOUND"),
        Code::FailedPrecondition => failure.check(Code::FailedPrecondition, "PLAYER_ERASED"),
        _ => failure.check(Code::Unauthenticated, "CREDENTIALS_REVOKED"),
    }
}

fn replace(name: &str, player: &str) -> ReplaceSeatRequest {
    ReplaceSeatRequest {
        name: name.to_owned(),
        seat: Some(0),
        player: player.to_owned(),
        absent: true,
        ..ReplaceSeatRequest::default()
    }
}

#[tokio::test]
async fn nothing_by_a_former_player_is_recorded_after_the_replacement() {
    let (_installation, _second, [here, there]) = two().await;
    for round in 0..ROUNDS {
        let name = create(&here, &with_talk(&["ann", "bob"])).await.name;
        let tokens = [token(&here, &name, Some(0)).await, player_token(&here, "ann").await];
        let old = tokens.map(|it| there.holding(it));
        for client in &old {
            say(client, &name, "Mine.").await.expect("she has the seat");
        }
        // Some of these race with the replacement.
        let racing = join_all(old.iter().map(async |client| {
            let mut count = 0;
            while say(client, &name, "Still mine?").await.is_ok() {
                count += 1;
            }
            count
        }));
        let request = replace(&name, &format!("cid-{round}"));
        let replacing = async {
            tokio::time::sleep(Duration::from_millis(5 * round as u64)).await;
            let replaced = here.ask(&request).await.expect("the platform says so");
            let late = join_all(old.iter().map(|client| say(client, &name, "And now?"))).await;
            late.iter().for_each(|it| check_refused(it.as_ref().expect_err("her seat is gone")));
            replaced.entry.expect("an entry").position
        };
        let (_, replaced) = join!(racing, replacing);
        let late = said(&here, &name).await.into_iter().filter(|it| it.1 > replaced);
        assert_eq!(late.collect::<Vec<_>>(), [], "the seat was taken over at {replaced}");
        let new = there.holding(token(&here, &name, Some(0)).await);
        say(&new, &name, "Mine.").await.expect("the new player has the seat");
    }
}

/// The last entry of a stream that must end with the loss of a seat.
async fn last_told(mut stream: Watch) -> Option<Entry> {
    let mut last = None;
    loop {
        match stream.next().await {
            Ok(Some(batch)) => last = batch.message.entries.last().cloned().or(last),
            Ok(None) => panic!("it ended without an error after {last:?}"),
            Err(failure) => {
                check_refused(&failure);
                return last;
            }
        }
    }
}

fn watching(name: &str, viewer: &str) -> WatchEntriesRequest {
    let (parent, viewer) = (name.to_owned(), viewer.to_owned());
    let language = "en".to_owned();
    WatchEntriesRequest { parent, viewer, language, ..WatchEntriesRequest::default() }
}

async fn draws(client: &Client, name: &str) {
    let action = r#""seat":0,"action":{"mountebank":{"draw":{}}}"#;
    let drawn = client.call("SubmitAction", &format!(r#"{{"name":"{name}",{action}}}"#)).await;
    drawn.expect("the seat is asked");
}

#[tokio::test]
async fn a_former_player_is_shown_nothing_after_the_replacement() {
    let (_installation, _second, [here, there]) = two().await;
    for round in 0..ROUNDS / 2 {
        let first = [("first-seat".to_owned(), "0".to_owned())].into();
        let new = CreateMatchRequest { options: first, ..with_talk(&["ann", "bob"]) };
        let name = create(&here, &new).await.name;
        let tokens = [token(&here, &name, Some(0)).await, player_token(&here, "ann").await];
        let old: Vec<Client> = [&here, &there]
            .into_iter()
            .flat_map(|process| tokens.iter().map(|it| process.holding(it)))
            .collect();
        let mut streams = Vec::new();
        for client in &old {
            for viewer in ["", "seats/0", "spectator"] {
                let mut stream = client.stream(&watching(&name, viewer)).await;
                stream.next().await.expect("she has the seat").expect("the deal");
                streams.push(stream);
            }
        }
        let request = replace(&name, &format!("cid-{round}"));
        let replaced = here.ask(&request).await.expect("the platform says so").entry;
        let replaced = replaced.expect("an entry").position;
        // The process that answered has refused her since.
        for client in &old[..2] {
            let request = GetViewRequest { name: name.clone(), ..GetViewRequest::default() };
            check_refused(&client.ask(&request).await.expect_err("her seat is gone"));
        }
        draws(&there, &name).await;
        let mut told = 0;
        for (nth, stream) in streams.into_iter().enumerate() {
            let Some(last) = last_told(stream).await else { continue };
            let position = last.position;
            assert!(position <= replaced, "stream {nth} shows {position}, after {replaced}");
            if position == replaced {
                let takes_over = format!("The house acts: cid-{round} takes over the seat.");
                assert!(last.text.contains(&takes_over), "{}", last.text);
                told += 1;
            }
        }
        // Her own tokens are good for other matches: all their streams tell her why they end.
        assert!(told >= 6, "{told} streams tell it");
    }
}

#[tokio::test]
async fn one_who_left_before_the_deal_is_shown_nothing_of_it() {
    let (_installation, _second, [here, there]) = two().await;
    let open = CreateMatchRequest { players: vec!["ann".to_owned()], ..new_match(2) };
    let name = create(&here, &open).await.name;
    let tokens = [token(&here, &name, Some(0)).await, player_token(&here, "ann").await];
    let mut streams = Vec::new();
    for process in [&here, &there] {
        for token in &tokens {
            streams.push(process.holding(token).stream(&watching(&name, "")).await);
        }
    }
    let leave =
        LeaveMatchRequest { name: name.clone(), player: "ann".to_owned(), ..<_>::default() };
    here.ask(&leave).await.expect("it is open");
    for player in ["cid", "bob"] {
        let player = player.to_owned();
        let join = JoinMatchRequest { name: name.clone(), player, ..<_>::default() };
        here.ask(&join).await.expect("a seat is open");
    }
    for stream in streams {
        assert_eq!(last_told(stream).await, None);
    }
}

#[tokio::test]
async fn lists_of_a_former_player_show_the_others() {
    let (_installation, _second, [here, there]) = two().await;
    let kept = create(&here, &with_talk(&["ann", "bob"])).await.name;
    for round in 0..ROUNDS {
        let name = create(&here, &with_talk(&["ann", "bob"])).await.name;
        let ann = there.holding(player_token(&here, "ann").await);
        say(&ann, &name, "Mine.").await.expect("she has the seat");
        here.ask(&replace(&name, &format!("cid-{round}"))).await.expect("the platform says so");
        // The read model is behind for a moment.
        for _ in 0..20 {
            for client in [&ann, &there] {
                let player = "ann".to_owned();
                let request = ListMatchesRequest { player, page_size: 100, ..<_>::default() };
                let listed = client.ask(&request).await.expect("a list").matches;
                assert!(listed.iter().any(|it| it.name == kept));
            }
        }
        let token = format!("{name}/entries/1");
        let request = ListMatchesRequest { consistency_token: token, ..<_>::default() };
        ann.ask_in_step(&request).await.expect("she has seen that entry");
    }
}

#[tokio::test]
async fn nothing_by_revoked_tokens_is_recorded() {
    let (_installation, _second, [here, there]) = two().await;
    for round in 0..ROUNDS {
        let player = format!("ann-{round}");
        let name = create(&here, &with_talk(&[&player, "bob"])).await.name;
        let seat = there.holding(token(&here, &name, Some(0)).await);
        let hers = there.holding(player_token(&here, &player).await);
        for client in [&seat, &hers] {
            say(client, &name, "Mine.").await.expect("it is valid");
        }
        let before = said(&here, &name).await;
        let parent = name.clone();
        let seat_of_it = (round % 2 == 0).then_some(0);
        let revocation = RevokeTokensRequest { parent, seat: seat_of_it };
        here.ask(&revocation).await.expect("it is revoked");
        check_refused(&say(&seat, &name, "And now?").await.expect_err("it was revoked"));
        let parent = format!("players/{player}");
        here.ask(&RevokePlayerTokensRequest { parent }).await.expect("it is done");
        check_refused(&say(&hers, &name, "And now?").await.expect_err("it was revoked"));
        assert_eq!(said(&here, &name).await, before);
        for new in [token(&here, &name, Some(0)).await, player_token(&here, &player).await] {
            say(&there.holding(new), &name, "Mine again.").await.expect("it is new");
        }
    }
}

#[tokio::test]
async fn nothing_by_a_revoked_key_or_of_a_suspended_platform_is_recorded() {
    let (installation, second, [here, _]) = two().await;
    let key = installation.platform("acme").await;
    let acme = here.holding(&key);
    for round in 0..ROUNDS / 2 {
        let spare = platform(&installation, &["key", "acme"]).await.trim().to_owned();
        let there = second.client(Protocol::Grpc).holding(&spare);
        let name = create(&there, &with_talk(&["ann", "bob"])).await.name;
        let seat = there.holding(token(&there, &name, Some(0)).await);
        let session = there.ask(&CreateSignInRequest {}).await.expect("a code").code;
        let session = there.anonymous().ask(&SignInRequest { code: session }).await;
        let session = there.holding(session.expect("it is new").token);
        let matches = async || {
            let request = ListMatchesRequest { page_size: 100, ..<_>::default() };
            acme.ask(&request).await.expect("a list").matches.len()
        };
        let before = (said(&acme, &name).await, matches().await);
        match round % 2 {
            0 => platform(&installation, &["revoke", "acme", key_id(&spare)]).await,
            _ => platform(&installation, &["suspend", "acme"]).await,
        };
        for client in [&there, &session] {
            let ending = EndMatchRequest { name: name.clone(), ..<_>::default() };
            client.ask(&ending).await.expect_err("its right has ended");
            client.ask(&with_talk(&["ann", "bob"])).await.expect_err("its right has ended");
            let mail = format!("subscriptions/mail-{round}");
            let mail = CreateSubscriptionRequest { name: mail, ..<_>::default() };
            client.ask(&mail).await.expect_err("its right has ended");
        }
        say(&seat, &name, "And now?").await.expect_err("its right has ended");
        if round % 2 == 1 {
            platform(&installation, &["resume", "acme"]).await;
            until("it is valid again", async || get_if(&acme, &name).await).await;
        }
        assert_eq!((said(&acme, &name).await, matches().await), before);
    }
}

async fn get_if(client: &Client, name: &str) -> Option<()> {
    let request = GetMatchRequest { name: name.to_owned(), ..GetMatchRequest::default() };
    client.ask(&request).await.ok().map(drop)
}

fn seeking() -> CreateSeekRequest {
    CreateSeekRequest { game: MOUNTEBANK.to_owned(), seats: vec![2], ..<_>::default() }
}

#[tokio::test]
async fn nothing_by_an_erased_player_is_recorded() {
    let (installation, _second, [here, there]) = two().await;
    let mut database = installation.database().await;
    for round in 0..ROUNDS {
        // Nothing is known of every third one.
        let player = format!("person-{round}");
        let lobby = CreateMatchRequest { lobby: true, ..with_talk(&["bob", ""]) };
        let open = create(&here, &lobby).await.name;
        let token_of = player_token(&here, &player).await;
        let hers = there.holding(&token_of);
        let mut clients = vec![hers.clone()];
        let mut played = None;
        if round % 3 != 0 {
            let name = create(&here, &with_talk(&[&player, "bob"])).await.name;
            let seat = there.holding(token(&here, &name, Some(0)).await);
            clients.push(seat);
            for client in &clients {
                say(client, &name, "Mine.").await.expect("she has the seat");
            }
            played = Some((name.clone(), said(&here, &name).await));
        } else {
            hers.ask(&ListMatchesRequest::default()).await.expect("it is valid");
        }
        // Some of these race with the erasure.
        let racing = async {
            while let Ok(it) = hers.ask(&seeking()).await {
                let name = it.seek.expect("a seek").name;
                if hers.ask(&DeleteSeekRequest { name, ..<_>::default() }).await.is_err() {
                    break;
                }
            }
        };
        let erasing = async {
            tokio::time::sleep(Duration::from_millis(5 * round as u64)).await;
            let erase = ErasePlayerRequest { name: format!("players/{player}") };
            here.ask(&erase).await.expect("it is done");
            hers.ask(&seeking()).await.expect_err("she was erased");
            let join = JoinMatchRequest { name: open.clone(), ..<_>::default() };
            hers.ask(&join).await.expect_err("she was erased");
            if let Some((name, _)) = &played {
                for client in &clients {
                    check_refused(&say(client, name, "Am I?").await.expect_err("she was erased"));
                }
            }
        };
        join!(racing, erasing);
        if let Some((name, before)) = played {
            assert_eq!(said(&here, &name).await, before);
        }
        let left = "select (select count(*) from seeks where player = $1)
                        + (select count(*) from open_seeks where player = $1)
                        + (select count(*) from seats where player = $1)";
        let left = sqlx::query(left).bind(&player).fetch_one(&mut database).await;
        assert_eq!(left.expect("a count").get::<i64, _>(0), 0, "{player} is back");
        // Somebody of the same name is another player.
        let new = there.holding(player_token(&here, &player).await);
        new.ask(&seeking()).await.expect("a new token");
        let name = new.ask(&ListSeeksRequest::default()).await.expect("a list").seeks.remove(0);
        new.ask(&DeleteSeekRequest { name: name.name, ..<_>::default() })
            .await
            .expect("it is open");
    }
}
