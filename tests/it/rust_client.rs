//! The Rust client, as a platform uses it.

use std::time::Duration;

use contract::v1::*;
use croupier_client::verify::{self, Known};
use croupier_client::{
    Code, Croupier, Live, MatchHandle, MatchUpdate, Options, Refusal, SubscriptionUpdate,
};
use table::ChaCha;

use crate::command_line::stable_address;
use crate::harness::*;
use crate::record_loss::lose_after;

/// A client of the platform, also after a restart of the service on another port.
async fn platform(installation: &Installation) -> Croupier {
    let address = stable_address(installation.client(Protocol::Grpc)).await;
    let credentials = installation.service.key().into();
    Croupier::connect(&address, Options { credentials, ..Options::default() }).expect("an address")
}

/// Plays random actions of whoever is asked, until the match has ended or this many were played.
async fn play_on(handle: &MatchHandle, chance: &mut ChaCha, most: usize) -> Result<(), Refusal> {
    for _ in 0..most {
        let Some(seat) = handle.get().await?.waiting_for.first().copied() else { return Ok(()) };
        let seat = handle.at(seat);
        let legal = seat.legal_actions().await?;
        let action = choose(&legal.actions, chance).expect("a seat that must act can act");
        seat.submit(action).await?;
    }
    Ok(())
}

/// A view as the fold of entries has it: without texts, and without the times of prompts.
fn without_texts(mut view: Table) -> Table {
    view.text.clear();
    view.places.iter_mut().flat_map(|it| &mut it.purses).for_each(|it| it.text.clear());
    for prompt in &mut view.prompts {
        prompt.text.clear();
        (prompt.opened_time, prompt.deadline) = (None, None);
    }
    view
}

/// Follows a live table to the end. Every table on the way has to equal the view.
async fn follow(mut live: Live) -> Result<i32, Refusal> {
    loop {
        let view = live.handle().view().with(|it| it.position = Some(live.position()));
        if live.position() > 0 {
            assert_eq!(**live.table(), without_texts(view.await?), "{}", live.handle().viewer());
        }
        let before = live.position();
        let Some(change) = live.next().await? else { return Ok(before) };
        assert_eq!((change.entry.position, change.table.position), (before + 1, before + 1));
        assert_eq!(change.before.position, before);
    }
}

#[tokio::test]
async fn live_tables_of_every_game_and_viewer_equal_the_views() -> Result<(), Refusal> {
    let installation = Installation::open().await;
    let croupier = platform(&installation).await;
    for game in croupier.games().list().all().await? {
        let request = CreateMatchRequest { game: game.name, ..new_match(game.seats_min) };
        let it = croupier.matches().create(request).await?;
        let handle = croupier.match_named(&it.name);
        let viewers = (0..game.seats_min).map(|seat| handle.at(seat));
        let mut followed = tokio::task::JoinSet::new();
        for viewer in viewers.chain([handle.seen_by("spectator")]) {
            followed.spawn(follow(viewer.live().await?));
        }
        play_on(&handle, &mut ChaCha::of([3; 32], 1), 60).await?;
        if handle.get().await?.state() != MatchState::Ended {
            handle.end().await?;
        }
        let ended = handle.get().await?;
        while let Some(position) = followed.join_next().await {
            assert_eq!(position.expect("it does not panic")?, ended.position);
        }
    }
    Ok(())
}

#[tokio::test]
async fn calls_and_streams_outlive_a_killed_service() -> Result<(), Refusal> {
    let mut installation = Installation::open().await;
    let croupier = platform(&installation).await;
    let it = croupier.matches().create(new_match(2)).await?;
    let handle = croupier.match_named(&it.name);
    let mut entries = handle.watch();
    let mut player = croupier.player(&player(0)).watch();
    let reading = async {
        let mut read = Vec::new();
        while let Some(entry) = entries.next().await? {
            read.push(entry);
        }
        Ok::<_, Refusal>(read)
    };
    let notified = async {
        let mut read = Vec::new();
        loop {
            let Some(message) = player.next().await? else { return Ok(read) };
            read.extend(message.entries.into_iter().filter_map(|it| it.entry));
            let has_ended =
                |it: &PlayerNotice| matches!(it.kind, Some(player_notice::Kind::MatchEnded(_)));
            if message.notices.iter().any(has_ended) {
                return Ok::<_, Refusal>(read);
            }
        }
    };
    let mut chance = ChaCha::of([3; 32], 2);
    let playing = async {
        play_on(&handle, &mut chance, 12).await?;
        installation.service.kill().await;
        let (again, played) = tokio::join!(
            installation.service.start_again(),
            play_on(&handle, &mut chance, usize::MAX)
        );
        let () = again;
        played
    };
    let (read, notified, played) = tokio::join!(reading, notified, playing);
    played?;
    let last = handle.get().await?.position;
    check_dense(&read?, last);
    check_dense(&notified?, last);
    check_dense(&handle.entries().all().await?, last);
    Ok(())
}

/// The first table resumes without having received an entry, the second one after some.
#[tokio::test]
async fn live_tables_and_watches_take_up_a_record_that_went_back() -> Result<(), Refusal> {
    let mut installation = Installation::open().await;
    let croupier = platform(&installation).await;
    let it = croupier.matches().create(new_match(2)).await?;
    let handle = croupier.match_named(&it.name);
    let mut chance = ChaCha::of([3; 32], 4);
    play_on(&handle, &mut chance, 8).await?;
    let mut first = handle.live().await?;
    let mut second = handle.live().await?;
    let mut entries = handle.watch();
    play_on(&handle, &mut chance, 1).await?;
    for position in 1..=10 {
        assert_eq!(entries.next().await?.map(|it| it.position), Some(position));
    }
    assert_eq!(second.reach(10).await?.position, 10);
    installation.service.kill().await;
    lose_after(&installation, 6).await;
    installation.service.start_again().await;
    let refusal = entries.next().await.expect_err("what was read is gone");
    assert!(refusal.is("RECORD_WENT_BACK"), "{refusal:?}");
    let valid: i32 = refusal.fact("position").expect("a fact").parse().expect("a position");
    assert!(valid <= 6);

    play_on(&handle, &mut chance, usize::MAX).await?;
    let mut told = Vec::new();
    while let Some(entry) = entries.next().await? {
        told.push(entry);
    }
    let all = handle.entries().all().await?;
    assert!(all.len() > 10, "the new history outgrew the old one");
    assert_eq!(told, all[valid as usize..]);
    let view = without_texts(handle.view().await?);
    for live in [&mut first, &mut second] {
        while live.next().await?.is_some() {}
        assert_eq!(**live.table(), view);
    }
    assert_eq!(second.went_back(), 1);
    Ok(())
}

#[tokio::test]
async fn streams_of_many_matches_tell_what_is_void_and_go_on() -> Result<(), Refusal> {
    let mut installation = Installation::open().await;
    let croupier = platform(&installation).await;
    let it = croupier.matches().create(new_match(2)).await?;
    let handle = croupier.match_named(&it.name);
    let mut chance = ChaCha::of([3; 32], 6);
    play_on(&handle, &mut chance, 9).await?;
    let subscription = croupier.streams().subscription("ledger");
    subscription.create(CreateSubscriptionRequest::default()).await?;
    let mut consumer = subscription.consume("one");
    let mut stream = croupier.streams().entries(StreamEntriesRequest::default());
    let (mut consumed, mut streamed, mut cursor) = (0, 0, String::new());
    while consumed < 10 {
        let message = consumer.next().await?;
        (consumed, cursor) = (consumed + message.entries.len(), message.cursor);
    }
    while streamed < 10 {
        streamed += stream.next().await?.expect("it has no end").entries.len();
    }
    subscription.acknowledge(&cursor).await?;
    installation.service.kill().await;
    lose_after(&installation, 6).await;
    installation.service.start_again().await;
    play_on(&handle, &mut chance, 2).await?;
    let all = handle.entries().all().await?;

    let last = |entries: &[StreamedEntry]| {
        entries.last().and_then(|it| it.entry.as_ref()).is_some_and(|it| Some(it) == all.last())
    };
    // The consumer acknowledges what is lost, and that is no error.
    let notice = consumer.next().await?;
    assert!(notice.went_back.is_some() && notice.entries.is_empty(), "{notice:?}");
    while !last(&consumer.next().await?.entries) {}
    let mut is_told = false;
    loop {
        let message = stream.next().await?.expect("it has no end");
        is_told |= message.went_back.is_some();
        if last(&message.entries) {
            break;
        }
    }
    assert!(is_told);
    Ok(())
}

#[tokio::test]
async fn one_stream_plays_many_matches_through_a_restart() -> Result<(), Refusal> {
    const MATCHES: usize = 4;
    const SAID: u64 = 30;
    let mut installation = Installation::open().await;
    let croupier = platform(&installation).await;
    let mut handles = Vec::new();
    for _ in 0..MATCHES {
        let options = [("talk".to_owned(), "unlimited".to_owned())].into();
        let request = CreateMatchRequest { options, ..new_match(2) };
        let it = croupier.matches().create(request).await?;
        handles.push(croupier.match_named(&it.name).at(0));
    }
    let mut play = croupier.play();
    let mut acknowledged = 0;
    for nth in 0..SAID {
        for handle in &handles {
            let say = handle.say(&format!("remark {nth}"), &[]);
            play.submit(say.into_request());
        }
        if nth == SAID / 2 {
            installation.service.kill().await;
            installation.service.start_again().await;
        }
        if nth % 5 == 0 {
            while let Some((_, outcome)) = play.next().await? {
                outcome?;
                acknowledged += 1;
            }
        }
    }
    let illegal = handles[0].stand("nothing", true).into_request();
    let refused = play.submit(illegal);
    while let Some((ticket, outcome)) = play.next().await? {
        match outcome {
            Ok(_) => acknowledged += 1,
            Err(refusal) => assert_eq!((ticket, refusal.code()), (refused, Code::InvalidArgument)),
        }
    }
    assert_eq!((play.in_flight(), acknowledged), (0, SAID as usize * MATCHES));
    for handle in &handles {
        let entries = handle.entries().all().await?;
        let said = entries.iter().flat_map(|it| &it.events).filter_map(|it| match &it.kind {
            Some(event::Kind::Said(said)) => Some(said.text.clone()),
            _ => None,
        });
        let remarks = (0..SAID).map(|nth| format!("remark {nth}"));
        assert!(said.eq(remarks), "each once, and in order");
    }
    Ok(())
}

#[tokio::test]
async fn a_match_and_a_subscription_are_changed_by_what_is_given() -> Result<(), Refusal> {
    let installation = Installation::open().await;
    let croupier = platform(&installation).await;
    let tags = [("cup".to_owned(), "spring".to_owned())];
    let new = CreateMatchRequest {
        lobby: true,
        players: Vec::new(),
        tags: tags.clone().into(),
        ..new_match(2)
    };
    let it = croupier.matches().create(new).await?;
    let handle = croupier.match_named(&it.name);
    let display_name = Some("The final".to_owned());
    let it = handle.update(MatchUpdate { display_name, ..Default::default() }).await?;
    assert_eq!((&*it.display_name, it.lobby, it.tags.len()), ("The final", true, 1));
    assert!(handle.seen_by("spectator").get().await?.tags.is_empty());
    let lobby = Some(false);
    let it = handle.update(MatchUpdate { lobby, ..Default::default() }).await?;
    assert_eq!((&*it.display_name, it.lobby, it.tags), ("The final", false, tags.into()));

    let mail = croupier.streams().subscription("mail");
    mail.create(CreateSubscriptionRequest::default()).await?;
    let filter = StreamFilter { verbs: vec!["draw".to_owned()], ..<_>::default() };
    let update = SubscriptionUpdate { filter: Some(filter.clone()), ..Default::default() };
    assert_eq!(mail.update(update).await?.filter, Some(filter.clone()));
    let unredacted = Some(true);
    let it = mail.update(SubscriptionUpdate { unredacted, ..Default::default() }).await?;
    assert_eq!((it.filter, it.unredacted), (Some(filter), true));
    let url = Some("https://1.1.1.1/".to_owned());
    let refusal = mail.update(SubscriptionUpdate { url, ..Default::default() }).await;
    assert!(refusal.expect_err("it is not sent").is("SUBSCRIPTION_NOT_PUSHED"));
    let refusal = handle.update(MatchUpdate::default()).await.expect_err("nothing to change");
    assert_eq!(refusal.field(), Some("update_mask"));
    Ok(())
}

#[tokio::test]
async fn a_refusal_tells_who_refused_and_why() -> Result<(), Refusal> {
    let installation = Installation::open().await;
    let croupier = platform(&installation).await;
    let it = croupier.matches().create(new_match(2)).await?;
    let seat = croupier.match_named(&it.name).at(it.waiting_for[0]);
    let legal = seat.legal_actions().await?;
    let action = legal.actions[0].action.clone().expect("a legal action is one");
    let submit = || seat.submit(action.clone()).with(|it| it.expected_position = Some(1));
    let first = submit().request_id("ann-1").await?;
    assert_eq!(submit().request_id("ann-1").await?.position, first.position);
    let refusal = submit().await.expect_err("the match has moved on");
    assert!(refusal.is("POSITION_MOVED") && refusal.fact("position") == Some("2"));
    let stranger = Options { credentials: "no key".into(), ..Options::default() };
    let stranger = Croupier::connect(croupier.url(), stranger).expect("an address");
    let refusal = stranger.match_named(&it.name).get().await.expect_err("no key");
    assert_eq!(refusal.code(), Code::Unauthenticated);
    let quick = Options { retry_for: Duration::from_millis(300), ..Options::default() };
    let nowhere = Croupier::connect("http://127.0.0.1:1", quick).expect("an address");
    let refusal = nowhere.games().get("mountebank").await.expect_err("nobody is there");
    assert!(refusal.is_unreached() && refusal.is_retryable());
    Ok(())
}

#[tokio::test]
async fn credentials_are_fetched_again_once_they_are_refused() -> Result<(), Refusal> {
    let installation = Installation::open().await;
    let croupier = platform(&installation).await;
    let it = croupier.matches().create(new_match(2)).await?;
    let token = croupier.match_named(&it.name).at(0).create_token().await?.token;
    let tokens = std::sync::Arc::new(std::sync::Mutex::new(vec![token, "expired".to_owned()]));
    let credentials = croupier_client::Credentials::fetched(move || {
        let token = tokens.lock().expect("nobody panics").pop();
        async move { token.ok_or_else(|| "there are no more".into()) }
    });
    let options = Options { credentials, ..Options::default() };
    let ann = Croupier::connect(croupier.url(), options).expect("an address");
    let live = ann.match_named(&it.name).live().await?;
    assert_eq!(live.table().viewer, "seats/0");
    Ok(())
}

#[tokio::test]
async fn a_match_is_verified_with_a_receipt_and_a_commitment() {
    let installation = Installation::open().await;
    let croupier = platform(&installation).await;
    let it = croupier.matches().create(new_match(3)).await.expect("a match");
    let handle = croupier.match_named(&it.name);
    let mut chance = ChaCha::of([3; 32], 3);
    play_on(&handle, &mut chance, 10).await.expect("it is played");
    let receipt = handle.receipt(10).await.expect("a receipt");
    play_on(&handle, &mut chance, usize::MAX).await.expect("it is played");
    let keys = verify::fetch_keys(&croupier).await.expect("keys");
    let receipt = keys.verify(&receipt.jws, "a receipt").expect("it is signed");
    let known = Known::new(vec![receipt], Default::default());
    let known = known.with_commitment(Some(verify::unhex(&it.seed_commitment).expect("digits")));
    let outcome = verify::verify_match(&handle, &known).await.expect("a record");
    assert!(outcome.wrong.is_empty(), "{:?}", outcome.wrong);
    let ended = handle.get().await.expect("the match");
    assert_eq!(outcome.verified.entries, i64::from(ended.position));
    let known = Known::new(Vec::new(), Default::default()).with_commitment(Some(vec![7; 32]));
    let outcome = verify::verify_match(&handle, &known).await.expect("a record");
    assert!(!outcome.wrong.is_empty(), "another commitment was told");
}
