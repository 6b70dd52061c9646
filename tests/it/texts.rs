//! Texts in the language of a call, the same in every protocol, and none in calls that ask for no
//! language.

use contract::v1::*;
use tonic::Code;

use crate::harness::*;

const ACCEPT_LANGUAGE: &str = "accept-language";

/// A match of Mountebank that Ann begins against a player without a display name.
fn opened() -> CreateMatchRequest {
    CreateMatchRequest {
        display_names: vec!["Ann".to_owned()],
        options: [("first-seat".to_owned(), "0".to_owned())].into(),
        ..new_match(2)
    }
}

/// A Mountebank action: draw.
fn draw() -> Option<contract::Action> {
    Some(contract::Action { field: 1, body: (&[0x0a, 0][..]).into() })
}

fn drawing(name: &str, language: &str) -> SubmitActionRequest {
    SubmitActionRequest {
        name: name.to_owned(),
        action: draw(),
        seat: Some(0),
        language: language.to_owned(),
        ..SubmitActionRequest::default()
    }
}

/// None, and every language that there is.
fn languages() -> impl Iterator<Item = &'static str> {
    std::iter::once("").chain(narration::Language::ALL.map(narration::Language::tag))
}

async fn entry(client: &Client, name: &str, viewer: &str, language: &str) -> Entry {
    let (name, viewer) = (name.to_owned(), viewer.to_owned());
    let request = GetEntryRequest { name, viewer, language: language.to_owned() };
    client.ask(&request).await.expect("it is there").entry.expect("an entry")
}

fn texts(entry: &Entry) -> Vec<&str> {
    let prompts = entry.prompts.iter().map(|prompt| prompt.text.as_str());
    std::iter::once(entry.text.as_str()).chain(prompts).collect()
}

fn without_texts(mut entry: Entry) -> Entry {
    entry.text.clear();
    entry.prompts.iter_mut().for_each(|prompt| prompt.text.clear());
    entry
}

#[tokio::test]
async fn an_entry_is_told_to_its_viewer_in_the_language_asked_for() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    for protocol in PROTOCOLS {
        let client = key.speaking(protocol);
        let name = create(&client, &opened()).await.name;
        let request = drawing(&name, "de");
        let drawn = client.ask(&request).await.expect("accepted").entry.expect("an entry");
        let told = async |viewer: &str, language: &str| {
            entry(&client, &drawn.name, viewer, language).await
        };
        let german = told("seats/0", "de").await;
        assert_eq!(drawn, german, "{protocol:?}: as its own seat reads it");
        let english = told("seats/0", "en-GB").await;
        let other = told("seats/1", "en").await;
        assert!(german.text.starts_with("Du "), "{}", german.text);
        assert!(english.text.starts_with("You "), "{}", english.text);
        assert!(other.text.starts_with("Ann "), "{}", other.text);
        assert!(english.text.len() > other.text.len(), "only Ann knows what she drew");
        for told in [&german, &english, &other] {
            assert!(texts(told).iter().all(|text| text.ends_with('.')), "{told:?}");
            assert!(!told.prompts.is_empty());
        }
        let plain = told("seats/0", "").await;
        assert!(texts(&plain).iter().all(|text| text.is_empty()), "{plain:?}");
        assert_eq!(without_texts(german), plain);
        assert_eq!(without_texts(english), plain);
    }
}

#[tokio::test]
async fn every_list_and_stream_tells_the_same() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let mut playing = Playing::of(&key, &create(&key, &opened()).await, 5);
    playing.steps(20).await;
    let name = playing.name.clone();
    let last = get(&key, &name).await.position;
    let subscription = "subscriptions/texts".to_owned();
    let create = CreateSubscriptionRequest { name: subscription.clone(), ..<_>::default() };
    key.ask(&create).await.expect("a subscription");
    for language in languages() {
        let language = language.to_owned();
        let mut seen = Vec::new();
        for position in 1..=last {
            let entry_name = format!("{name}/entries/{position}");
            seen.push(entry(&key, &entry_name, "spectator", &language).await);
        }
        assert!(seen.iter().all(|it| it.text.is_empty() == language.is_empty()));
        for protocol in PROTOCOLS {
            let client = key.speaking(protocol);
            let list = ListEntriesRequest {
                parent: name.clone(),
                language: language.clone(),
                ..ListEntriesRequest::default()
            };
            assert_eq!(client.ask(&list).await.expect("a page").entries, seen, "{protocol:?}");
            // A page token is good in any language.
            let list = ListEntriesRequest { page_size: 7, ..list };
            let token = client.ask(&list).await.expect("a page").next_page_token;
            let list = ListEntriesRequest { page_token: token, language: String::new(), ..list };
            assert_eq!(client.ask(&list).await.expect("a page").entries[0].text, "");
            let search = SearchEntriesRequest {
                parent: MOUNTEBANK.to_owned(),
                consistency_token: seen.last().expect("entries").name.clone(),
                language: language.clone(),
                ..SearchEntriesRequest::default()
            };
            let found = client.ask_in_step(&search).await.expect("a page").entries;
            assert_eq!(found, seen, "{protocol:?}");
        }
        for protocol in STREAMING {
            let client = key.speaking(protocol);
            let watch = WatchEntriesRequest {
                parent: name.clone(),
                language: language.clone(),
                ..WatchEntriesRequest::default()
            };
            let watched = client.watch(&watch).await.up_to(last).await.expect("entries");
            assert_eq!(watched, seen, "{protocol:?}");
            let replay = ReplayEntriesRequest {
                parent: name.clone(),
                language: language.clone(),
                ..ReplayEntriesRequest::default()
            };
            let mut replay = client.stream(&replay).await;
            let mut replayed = Vec::new();
            while replayed.len() < seen.len() {
                let batch = replay.next().await.expect("it goes on").expect("it does not end");
                replayed.extend(batch.message.entries);
            }
            assert_eq!(replayed, seen, "{protocol:?}");
            let all = StreamEntriesRequest { language: language.clone(), ..<_>::default() };
            let consume = ConsumeSubscriptionRequest {
                name: subscription.clone(),
                language: language.clone(),
                ..ConsumeSubscriptionRequest::default()
            };
            let streamed = streamed(&client, &all, seen.len(), |it| it.entries).await;
            assert_eq!(streamed, seen, "{protocol:?}");
            let consumed = self::streamed(&client, &consume, seen.len(), |it| it.entries).await;
            assert_eq!(consumed, seen, "{protocol:?}");
        }
    }
}

/// The first entries of a stream.
async fn streamed<R: Rpc>(
    client: &Client,
    request: &R,
    count: usize,
    entries: impl Fn(R::Answer) -> Vec<StreamedEntry>,
) -> Vec<Entry> {
    let mut stream = client.stream(request).await;
    let mut streamed = Vec::new();
    while streamed.len() < count {
        let batch = stream.next().await.expect("it goes on").expect("it does not end");
        streamed.extend(entries(batch.message).into_iter().filter_map(|it| it.entry));
    }
    streamed
}

/// A process that knows none of the matches finds all their players at once.
#[tokio::test]
async fn a_stream_of_many_matches_names_the_players_of_each() {
    let mut installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    for number in 0..12 {
        let display_names = vec![format!("Ann {number}"), format!("Bob {number}")];
        let it = create(&key, &CreateMatchRequest { display_names, ..opened() }).await;
        key.ask(&drawing(&it.name, "")).await.expect("accepted");
    }
    installation.service.kill().await;
    installation.service.start_again().await;
    let client = installation.client(Protocol::Rest).with_header(ACCEPT_LANGUAGE, "en");
    let streamed = streamed(&client, &StreamEntriesRequest::default(), 24, |it| it.entries).await;
    for number in 0..12 {
        let name = format!("Ann {number} ");
        let told = streamed.iter().filter(|it| it.verb == "draw" && it.text.starts_with(&name));
        assert_eq!(told.count(), 1, "{name}");
    }
}

#[tokio::test]
async fn actions_tables_and_matches_have_texts_too() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    for protocol in PROTOCOLS {
        let client = key.speaking(protocol);
        let name = create(&client, &opened()).await.name;
        let seat = client.holding(token(&client, &name, Some(0)).await);
        let mut told = Vec::new();
        for language in languages() {
            let (name, language) = (name.clone(), language.to_owned());
            let legal = ListLegalActionsRequest {
                name: name.clone(),
                language: language.clone(),
                ..ListLegalActionsRequest::default()
            };
            let legal = seat.ask(&legal).await.expect("a list").actions;
            let view = GetViewRequest {
                name: name.clone(),
                language: language.clone(),
                ..GetViewRequest::default()
            };
            let table = seat.ask(&view).await.expect("a view").table.expect("a table");
            let get = GetMatchRequest { name, language: language.clone(), ..<_>::default() };
            let own = seat.ask(&get).await.expect("it is there").r#match.expect("a match");
            let it = client.ask(&get).await.expect("it is there").r#match.expect("a match");
            let list = ListMatchesRequest { language: language.clone(), ..<_>::default() };
            let listed = client.ask(&list).await.expect("a page").matches;
            let listed = listed.into_iter().find(|other| other.name == it.name);
            assert_eq!(listed.expect("it is listed"), it);

            let purses = table.places.iter().flat_map(|place| &place.purses);
            let mut texts = vec![table.text.clone(), own.summary.clone(), it.summary.clone()];
            texts.extend(table.prompts.iter().map(|prompt| prompt.text.clone()));
            texts.extend(purses.map(|purse| purse.text.clone()));
            texts.extend(legal.iter().flat_map(|it| [it.label.clone(), it.help.clone()]));
            assert!(texts.iter().all(|it| it.is_empty() == language.is_empty()), "{texts:?}");
            if !language.is_empty() {
                assert!(it.summary.contains("Ann") && it.summary.contains(&player(1)));
                assert!(own.summary != it.summary, "its own seat is addressed: {}", own.summary);
                assert!(table.text.to_lowercase().contains(&player(1)), "{}", table.text);
            }
            told.push(texts);
        }
        for other in &told[2..] {
            assert_eq!(told[1].len(), other.len());
            assert!(told[1].iter().zip(other).filter(|(one, other)| one != other).count() > 4);
        }
    }
}

#[tokio::test]
async fn accept_language_chooses_unless_the_request_does() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let name = create(&key, &opened()).await.name;
    key.ask(&drawing(&name, "")).await.expect("accepted");
    let drawn = format!("{name}/entries/2");
    let english = entry(&key, &drawn, "seats/0", "en").await.text;
    let german = entry(&key, &drawn, "seats/0", "de").await.text;
    for protocol in PROTOCOLS {
        let client = key.speaking(protocol);
        let accepting = async |header: &str, field: &str| {
            entry(&client.with_header(ACCEPT_LANGUAGE, header), &drawn, "seats/0", field).await.text
        };
        assert_eq!(accepting("de-AT, en;q=0.5", "").await, german);
        assert_eq!(accepting("xx, de;q=0.3, en;q=0.2", "").await, german);
        assert_eq!(accepting("xx", "").await, english, "English is for everyone else");
        assert_eq!(accepting("de", "en").await, english);
    }
    for protocol in STREAMING {
        let client = key.speaking(protocol).with_header(ACCEPT_LANGUAGE, "de");
        let watch = WatchEntriesRequest {
            parent: name.clone(),
            viewer: "seats/0".to_owned(),
            ..WatchEntriesRequest::default()
        };
        let entries = client.watch(&watch).await.up_to(2).await.expect("entries");
        assert_eq!(entries[1].text, german, "{protocol:?}");
    }
    // Caches must not mix them up.
    for protocol in [Protocol::Rest, Protocol::ConnectJson] {
        let request = GetMatchRequest { name: name.clone(), ..GetMatchRequest::default() };
        let response = key.speaking(protocol).receive(&request).await.expect("an answer");
        let varies = response.headers.get_all("vary").iter();
        let varies: Vec<&str> = varies.map(|it| it.to_str().expect("ASCII")).collect();
        assert!(varies.join(",").contains("accept-language"), "{varies:?}");
    }
}

#[tokio::test]
async fn a_player_of_another_region_reads_french() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let name = create(&key, &opened()).await.name;
    key.ask(&drawing(&name, "")).await.expect("accepted");
    let drawn = format!("{name}/entries/2");
    for protocol in PROTOCOLS {
        let client = key.speaking(protocol);
        let canadian = client.with_header(ACCEPT_LANGUAGE, "fr-CA, en;q=0.5");
        let own = entry(&canadian, &drawn, "seats/0", "").await.text;
        assert!(own.starts_with("Vous piochez "), "{own}");
        assert_eq!(entry(&client, &drawn, "seats/0", "fr").await.text, own);
        let other = entry(&client, &drawn, "seats/1", "fr-FR").await.text;
        assert_eq!(other, "Ann pioche une carte.");
        let get = GetMatchRequest { name: name.clone(), ..<_>::default() };
        let summary = canadian.ask(&get).await.expect("it is there").r#match.expect("it").summary;
        assert!(summary.contains("C’est au tour d’Ann."), "{summary}");
        let second = drawing(&name, "");
        let late = SubmitActionRequest { seat: Some(1), ..second };
        let refused = canadian.ask(&late).await.expect_err("not asked");
        let (locale, message) = *refused.localized.expect("words");
        assert_eq!(locale, "fr");
        assert_eq!(message, "Cette place n’a rien à décider pour l’instant");
    }
}

/// A game lists the languages of its words, and speaks English to everyone else.
#[tokio::test]
async fn a_game_without_words_in_a_language_speaks_english() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    for game in games::GAMES {
        let name = format!("games/{}", game.name());
        let seats = u32::from(*game.seats().start());
        let request = CreateMatchRequest { game: name.clone(), ..new_match(seats) };
        let opening = format!("{}/entries/1", create(&key, &request).await.name);
        for language in languages().skip(1) {
            let asked = game.words(language).map_or("en", |_| language);
            let described = async |language: &str| {
                let (name, language) = (name.clone(), language.to_owned());
                let request = GetGameRequest { name, language, ..<_>::default() };
                let it = key.anonymous().ask(&request).await.expect("a game");
                it.game.expect("it")
            };
            let told = described(language).await;
            assert_eq!(told.languages.iter().any(|it| it == language), asked == language);
            assert_eq!(told, described(asked).await);
            let text = entry(&key, &opening, "seats/0", language).await.text;
            assert_eq!(text, entry(&key, &opening, "seats/0", asked).await.text);
            assert_eq!(asked == "en", text.starts_with("The table is set up"), "{text}");
        }
    }
}

#[tokio::test]
async fn a_language_without_texts_is_refused_by_every_call_that_has_the_field() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let mut refused = 0;
    for method in methods() {
        if method.input().get_field_by_name("language").is_none() {
            continue;
        }
        for protocol in PROTOCOLS {
            for language in ["xx", "d e", "\u{202e}en"] {
                let request = format!(r#"{{"language": "{language}"}}"#);
                let request = match protocol {
                    // The path needs a name.
                    Protocol::Rest => named(&method, language),
                    _ => request,
                };
                let client = key.speaking(protocol);
                let answer = client.call(method.full_name(), &request).await;
                let failure = answer.expect_err(method.full_name());
                failure.check(Code::InvalidArgument, "INVALID_REQUEST");
                assert_eq!(failure.facts["field"], "language", "{}", method.full_name());
                assert!(failure.message.contains("en, de, fr"), "{}", failure.message);
                refused += 1;
            }
        }
    }
    assert!(refused >= 15 * 18, "{refused}");
}

/// A request with a name that fits every path.
fn named(method: &prost_reflect::MethodDescriptor, language: &str) -> String {
    let id = "00000000-0000-4000-8000-000000000000";
    let (rpc, input) = (method.full_name(), method.input());
    let name = match rpc.rsplit('.').next().unwrap_or_default() {
        "GetEntry" => format!("matches/{id}/entries/1"),
        "GetGame" | "SearchEntries" => MOUNTEBANK.to_owned(),
        "GetRules" => format!("{MOUNTEBANK}/rules"),
        "ConsumeSubscription" => "subscriptions/texts".to_owned(),
        "WatchPlayer" => "players/ann".to_owned(),
        _ => format!("matches/{id}"),
    };
    if rpc.ends_with(".UpdateMatch") {
        return format!(r#"{{"match": {{"name": "{name}"}}, "language": "{language}"}}"#);
    }
    let field = ["name", "parent"].into_iter().find(|it| input.get_field_by_name(it).is_some());
    let name = field.map(|field| format!(r#""{field}": "{name}", "#)).unwrap_or_default();
    format!(r#"{{{name}"language": "{language}"}}"#)
}

#[tokio::test]
async fn refusals_are_told_in_the_language_of_the_call() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    for protocol in PROTOCOLS {
        let mut told: Vec<Vec<String>> = Vec::new();
        for language in languages() {
            let client = key.speaking(protocol);
            let refusals = refusals(&client, language).await;
            let messages = refusals.into_iter().map(|(reason, failure)| {
                assert_eq!(failure.reason, reason, "{}", failure.message);
                let (locale, message) = *failure.localized.unwrap_or_default();
                assert_eq!(locale, language, "{reason} in {protocol:?}");
                assert_eq!(message.is_empty(), language.is_empty());
                message
            });
            told.push(messages.collect());
        }
        for other in &told[2..] {
            for (english, other) in told[1].iter().zip(other) {
                assert_ne!(english, other);
            }
        }
    }
}

/// Calls that players may make in vain, and how each was refused.
async fn refusals(client: &Client, language: &str) -> Vec<(&'static str, Failure)> {
    let players = vec![player(0)];
    let open = CreateMatchRequest { players, display_names: vec!["Ann".to_owned()], ..opened() };
    let open = create(client, &open).await.name;
    let name = create(client, &opened()).await.name;
    let seat = client.holding(token(client, &name, Some(1)).await);
    let action = |seat, expected_position| SubmitActionRequest {
        seat: Some(seat),
        expected_position,
        ..drawing(&name, language)
    };
    let join = |name: &str, player: &str, display_name: &str, seat| JoinMatchRequest {
        name: name.to_owned(),
        player: player.to_owned(),
        display_name: display_name.to_owned(),
        seat,
        language: language.to_owned(),
        ..JoinMatchRequest::default()
    };
    let say = saying(&name, language);
    let view = GetViewRequest {
        name: name.clone(),
        viewer: "house".to_owned(),
        language: language.to_owned(),
        ..GetViewRequest::default()
    };
    let follow = CreateMatchRequest {
        previous: name.clone(),
        language: language.to_owned(),
        ..CreateMatchRequest::default()
    };
    let legal = ListLegalActionsRequest {
        name: open.clone(),
        seat: Some(0),
        language: language.to_owned(),
        ..ListLegalActionsRequest::default()
    };
    vec![
        ("NOT_ASKED", client.ask(&action(1, None)).await.expect_err("not asked")),
        ("POSITION_MOVED", client.ask(&action(0, Some(0))).await.expect_err("stale")),
        ("NOT_YOUR_SEAT", seat.ask(&action(0, None)).await.expect_err("another's")),
        ("TALK_OFF", client.ask(&say).await.expect_err("no talk")),
        ("MATCH_FULL", client.ask(&join(&name, "u", "", None)).await.expect_err("full")),
        ("SEAT_TAKEN", client.ask(&join(&open, "u", "", Some(0))).await.expect_err("taken")),
        ("DISPLAY_NAME_TAKEN", client.ask(&join(&open, "u", "ann", None)).await.expect_err("used")),
        ("MATCH_NOT_STARTED", client.ask(&legal).await.expect_err("open")),
        ("MATCH_NOT_ENDED", client.ask(&view).await.expect_err("running")),
        ("MATCH_NOT_ENDED", client.ask(&follow).await.expect_err("running")),
    ]
}

/// A word to everyone.
fn saying(name: &str, language: &str) -> SubmitActionRequest {
    let body = vec![0xaa, 0x06, 0x04, 0x12, 0x02, b'h', b'i'];
    let action = contract::Action::of_every_game(body.into());
    SubmitActionRequest { action: Some(action), ..drawing(name, language) }
}

/// Facts are in the words of the game, and nobody else reads of a match.
#[tokio::test]
async fn a_refusal_of_another_platforms_match_tells_nothing_of_it() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let theirs = create(&key, &opened()).await.name;
    let rival = key.holding(installation.platform("rival").await);
    let none = "matches/00000000-0000-4000-8000-000000000000";
    for protocol in PROTOCOLS {
        let client = rival.speaking(protocol);
        let mut answers = Vec::new();
        for name in [none, &theirs] {
            let refused = client.ask(&drawing(name, "en")).await.expect_err("not to be found");
            refused.check(Code::NotFound, "MATCH_NOT_FOUND");
            assert_eq!(refused.localized, None);
            answers.push(refused.response.bytes());
        }
        assert_eq!(answers[0], answers[1]);
    }
}

#[tokio::test]
async fn a_stream_of_actions_is_answered_in_its_own_language_or_an_actions() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    for (header, own) in [(None, ""), (Some("de"), "de"), (Some("en"), "en")] {
        let name = create(&key, &opened()).await.name;
        let client = match header {
            Some(header) => key.with_header(ACCEPT_LANGUAGE, header),
            None => key.clone(),
        };
        let late = SubmitActionRequest { seat: Some(1), ..drawing(&name, "") };
        let actions =
            vec![drawing(&name, ""), drawing(&name, "en"), late.clone(), drawing(&name, "xx")];
        let count = actions.len();
        let mut stream = client.stream(&PlayRequest { actions }).await;
        let mut outcomes = Vec::new();
        while outcomes.len() < count {
            outcomes.extend(
                stream.next().await.expect("it goes on").expect("outcomes").message.outcomes,
            );
        }
        outcomes.sort_by_key(|it| it.index);
        let mut told = Vec::new();
        for outcome in outcomes {
            match outcome.outcome.expect("an outcome") {
                play_outcome::Outcome::Entry(entry) => told.push(entry.text),
                play_outcome::Outcome::Error(error) => told.push(error.message),
            }
        }
        let text = async |position: i32, language: &str| {
            entry(&key, &format!("{name}/entries/{position}"), "seats/0", language).await.text
        };
        assert_eq!(told[0], text(2, own).await);
        assert_eq!(told[1], text(3, "en").await);
        assert!(told[3].contains("en, de, fr"), "{}", told[3]);
    }
}

#[tokio::test]
async fn games_are_described_in_english_or_the_language_asked_for() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc).anonymous();
    for protocol in PROTOCOLS {
        let client = key.speaking(protocol);
        let game = async |language: &str| {
            let (name, language) = (MOUNTEBANK.to_owned(), language.to_owned());
            client
                .ask(&GetGameRequest { name, language, ..<_>::default() })
                .await
                .expect("a game")
                .game
                .expect("it")
        };
        let (plain, english, german) = (game("").await, game("en").await, game("de").await);
        assert_eq!(plain, english);
        assert_eq!(german.languages, ["en", "de", "fr"]);
        assert_ne!(german.description, english.description);
        let titles = |game: &Game| -> Vec<String> {
            let layout = game.layout.as_ref().expect("a layout");
            let places = layout.places.iter().map(|it| it.title.clone());
            places.chain(layout.pieces.iter().map(|it| it.title.clone())).collect()
        };
        let (english, german) = (titles(&english), titles(&german));
        assert!(english.iter().chain(&german).all(|title| !title.is_empty()));
        assert!(english.iter().zip(&german).any(|(one, other)| one != other));
        let list = ListGamesRequest { language: "de".to_owned(), ..ListGamesRequest::default() };
        let listed = client.ask(&list).await.expect("a list").games;
        let listed = listed.iter().find(|it| it.name == MOUNTEBANK).expect("it is listed");
        assert_eq!(listed.description, game("de").await.description);
    }
}
