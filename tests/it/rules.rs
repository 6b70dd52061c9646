//! The rules of the games, as clients read them.

use contract::v1::*;
use tonic::Code;

use crate::harness::*;

#[tokio::test]
async fn the_rules_of_a_game_are_its_page_and_the_same_as_data() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    for game in games::GAMES {
        let in_language = |language: &str| GetRulesRequest {
            name: format!("games/{}/rules", game.name()),
            language: language.to_owned(),
            ..GetRulesRequest::default()
        };
        let request = in_language("de");
        let rules = rules(&key.anonymous(), &request).await;
        for protocol in PROTOCOLS {
            let client = key.anonymous().speaking(protocol);
            assert_eq!(self::rules(&client, &request).await, rules, "{protocol:?}");
        }
        let name = format!("games/{}", game.name());
        let whole = GetGameRequest { name, language: "de".to_owned(), ..<_>::default() };
        let whole = key.anonymous().ask(&whole).await.expect("anyone may").game.expect("a game");
        assert_eq!(whole.rules.as_ref(), Some(&rules), "a game brings its rules");
        let english = self::rules(&key.anonymous(), &in_language("en")).await;
        for other in whole.languages.iter().filter(|it| *it != "en") {
            let other = self::rules(&key.anonymous(), &in_language(other)).await;
            check_primer(&english.primer, &other.primer, whole.layout.as_ref().expect("a layout"));
        }
        for Refusal { reason, facts, example } in &whole.refusals {
            assert!(!example.is_empty(), "{reason} {facts:?} has no text");
        }
        let page = format!("docs/games/{}.md", game.name().replace('-', "_"));
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../").to_owned() + &page;
        assert_eq!(rules.page, std::fs::read_to_string(page).expect("a page"));
        let ends = rules.sections.iter().filter(|section| section.ends_match);
        let conditions: Vec<_> = ends.flat_map(|section| &section.paragraphs).collect();
        assert!(!conditions.is_empty(), "{} ends", rules.name);
        let paragraphs = rules.sections.iter().flat_map(|section| &section.paragraphs);
        assert!(paragraphs.clone().any(|it| !it.ruling.is_empty()));
        for paragraph in paragraphs {
            assert!(rules.page.contains(&format!("**{}** ", paragraph.number)));
        }
    }
    let unknown =
        GetRulesRequest { name: "games/tarock/rules".to_owned(), ..GetRulesRequest::default() };
    let refused = key.ask(&unknown).await.expect_err("there is no such game");
    refused.check(Code::NotFound, "UNKNOWN_GAME");
}

/// A primer is in the language asked for, and about the same in each. It explains each decision.
#[track_caller]
fn check_primer(english: &[PrimerSection], other: &[PrimerSection], layout: &Layout) {
    assert!(english.len() >= 4);
    for (english, other) in english.iter().zip(other) {
        assert_ne!((&english.title, &english.text), (&other.title, &other.text));
        let same = PrimerSection {
            title: other.title.clone(),
            text: other.text.clone(),
            ..english.clone()
        };
        assert_eq!(&same, other);
        for name in &english.pieces {
            assert!(layout.pieces.iter().any(|it| it.name == *name), "{name}");
        }
    }
    assert_eq!(english.len(), other.len());
    for decision in &layout.decisions {
        let is_in = |it: &PrimerSection| it.decisions.contains(&decision.name);
        assert!(english.iter().any(is_in), "{}", decision.name);
    }
}

/// A list of games has what a page of all games shows, and no layouts.
#[tokio::test]
async fn a_list_of_games_has_a_picture_of_each() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc).anonymous();
    for protocol in PROTOCOLS {
        let client = key.speaking(protocol);
        let listed = client.ask(&ListGamesRequest::default()).await.expect("a list").games;
        assert_eq!(listed.len(), games::GAMES.len());
        for game in listed {
            assert!(game.layout.is_none());
            assert!(!game.duration.is_empty() && !game.difficulty.is_empty(), "{}", game.name);
            let cover = game.cover.expect("a cover");
            assert_eq!(cover.pieces.len(), 3, "{}", game.name);
            let has = |value: &String| cover.values.iter().any(|it| it.name == *value);
            for piece in &cover.pieces {
                assert!(cover.backs.iter().any(|it| it.name == piece.back), "{}", piece.name);
                for facet in &piece.facets {
                    assert!(cover.facets.iter().any(|it| it.name == facet.name));
                    assert!(facet.number.is_some() || facet.values.iter().all(has), "{facet:?}");
                }
            }
        }
    }
}

async fn rules(client: &Client, request: &GetRulesRequest) -> Rules {
    client.ask(request).await.expect("anyone may read them").rules.expect("rules")
}

/// Matches are dealt as the published set-ups say, with every number of seats.
#[tokio::test]
async fn matches_are_set_up_as_published() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    for game in games::GAMES {
        let game = format!("games/{}", game.name());
        let rules = rules(
            &client,
            &GetRulesRequest { name: format!("{game}/rules"), ..GetRulesRequest::default() },
        )
        .await;
        for set_up in &rules.set_ups {
            let (game, options) = (game.clone(), set_up.options.clone());
            let request = CreateMatchRequest { game, options, ..new_match(set_up.seats) };
            let it = create(&client, &request).await;
            assert_eq!(it.seats.len(), set_up.seats as usize);
            let table = view(&client, &it.name, "spectator", Some(1)).await;
            check_set_up(set_up, &table);
        }
        let seats: Vec<u32> = rules.set_ups.iter().map(|it| it.seats).collect();
        let described = client
            .ask(&GetGameRequest { name: game, ..GetGameRequest::default() })
            .await
            .expect("a game");
        let described = described.game.expect("a game");
        for count in described.seats_min..=described.seats_max {
            assert!(seats.contains(&count), "{} with {count} seats", described.name);
        }
    }
}

#[track_caller]
fn check_set_up(set_up: &SetUp, table: &Table) {
    let find = |place: &str| set_up.places.iter().find(|it| it.place == place);
    for contents in &table.places {
        let unseen: u32 = contents.unseen.iter().map(|it| it.count).sum();
        let pieces = contents.pieces.len() as u32 + unseen;
        let expected = find(&contents.place);
        let (least, most) = expected.map_or((0, 0), |it| (it.pieces_min, it.pieces_max));
        assert!((least..=most).contains(&pieces), "{pieces} in {}: {expected:?}", contents.place);
        for coin in expected.into_iter().flat_map(|it| &it.coins) {
            if let Some(purse) = contents.purses.iter().find(|it| it.coin == coin.coin) {
                let amounts = coin.amount_min..=coin.amount_max;
                assert!(amounts.contains(&purse.amount), "{purse:?} in {expected:?}");
            }
        }
    }
    for place in set_up.places.iter().filter(|place| place.pieces_min > 0) {
        let is_used = table.places.iter().any(|it| it.place == place.place);
        assert!(is_used, "nothing lies in {}", place.place);
    }
}
