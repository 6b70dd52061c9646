//! Numbers that are secret: in Among Thieves nobody else is told how many cards and how much ISK a
//! seat has behind its screen, until the match is revealed.

use contract::v1::event::Kind;
use contract::v1::*;
use table::Viewer;
use tonic::Code;

use crate::harness::*;

const STASH: &str = "stash/1";

/// A match of Among Thieves; the platform plays every seat.
async fn playing(client: &Client, seats: u32) -> Playing {
    let options = [("first-seat".to_owned(), "0".to_owned())].into();
    let game = "games/among-thieves".to_owned();
    let request = CreateMatchRequest { game, options, ..new_match(seats) };
    Playing::of(client, &create(client, &request).await, 3)
}

async fn legal(client: &Client, name: &str, seat: u32) -> Vec<LegalAction> {
    let request =
        ListLegalActionsRequest { name: name.to_owned(), seat: Some(seat), ..Default::default() };
    client.ask(&request).await.expect("a list").actions
}

async fn submit(
    playing: &mut Playing,
    seat: u32,
    action: contract::Action,
) -> Result<Entry, Failure> {
    let request_id = format!("{seat}-{}", playing.requests.len());
    let (name, seat) = (playing.name.clone(), Some(seat));
    let action = Some(action);
    let request =
        SubmitActionRequest { name, action, seat, request_id, ..SubmitActionRequest::default() };
    playing.submit(&request).await
}

/// Plays heists of seats 0 and 1 to Corvid, from which seat 1 always steals a card.
async fn steal(playing: &mut Playing, cards: usize) {
    let mut choices = 0;
    while choices < 2 * cards {
        let seat = playing.asked.expect("the match goes on");
        let legal = legal(&playing.seats[seat as usize], &playing.name, seat).await;
        let verb = ["assemble", "blackmail", "choose", "favor"].into_iter();
        let mut verb = verb.filter(|verb| legal.iter().any(|it| it.verb == *verb));
        let verb = verb.next().expect("one of them");
        let mut alike = legal.into_iter().filter(|it| it.verb == verb);
        let nth = if verb == "choose" { seat as usize } else { 0 };
        let action = alike.nth(nth).expect("both choices are listed").action;
        submit(playing, seat, action.expect("an action")).await.expect("it is legal");
        choices += usize::from(verb == "choose");
    }
}

fn place<'t>(table: &'t Table, name: &str) -> Option<&'t PlaceContents> {
    table.places.iter().find(|it| it.place == name)
}

/// The cards that are seen to come to the stash, by name or by back.
fn drawn(entries: &[Entry]) -> Vec<(String, String)> {
    let events = entries.iter().flat_map(|entry| &entry.events);
    let drawn = events.filter_map(|event| match &event.kind {
        Some(Kind::Moved(moved)) if moved.to == STASH => {
            Some((moved.piece.clone(), moved.back.clone()))
        }
        _ => None,
    });
    drawn.collect()
}

async fn pieces_held(client: &Client, playing: &Playing) -> Vec<u32> {
    let consistency_token = playing.entries.last().expect("it was played").name.clone();
    let parent = playing.name.clone();
    let request = ListHoldingsRequest { parent, consistency_token, ..Default::default() };
    let held = client.ask_in_step(&request).await.expect("holdings").holdings;
    assert!(held.iter().all(|it| !it.coins.contains_key("million")) || playing.asked.is_none());
    held.iter().map(|it| it.pieces).collect()
}

#[tokio::test]
async fn nobody_else_is_told_how_much_is_behind_a_screen_until_it_is_revealed() {
    let installation = Installation::open().await;
    for protocol in [Protocol::Grpc, Protocol::Rest] {
        let key = installation.client(protocol);
        let mut playing = playing(&key, 4).await.with_tokens().await;
        let name = playing.name.clone();
        let public = key.holding(token(&key, &name, None).await);
        let (parent, viewer) = (name.clone(), String::new());
        let request = WatchEntriesRequest {
            parent,
            viewer,
            after_position: 0,
            ..WatchEntriesRequest::default()
        };
        let mut watch = public.watch(&request).await;
        steal(&mut playing, 3).await;

        let own = view(&playing.seats[1], &name, "", None).await;
        let stash = place(&own, STASH).expect("it holds cards");
        assert_eq!((stash.pieces.len(), stash.count_hidden), (3, false));
        assert_eq!(stash.purses.len(), 1);
        let it = get(&key, &name).await;
        let others = [(&playing.seats[0], 0), (&playing.seats[3], 3), (&public, 9)];
        for (client, seat) in others {
            let table = view(client, &name, "", None).await;
            let hidden = PlaceContents {
                place: STASH.to_owned(),
                count_hidden: true,
                ..PlaceContents::default()
            };
            assert_eq!(place(&table, STASH), Some(&hidden), "a stash of any size looks like this");
            let empty = place(&table, "stash/2").expect("an empty stash is listed as well");
            assert_eq!((empty.count_hidden, empty.pieces.len()), (true, 0));
            assert!(place(&table, "deck/corvid").is_some_and(|deck| !deck.count_hidden));
            // Each draw happened openly; the fold of the entries holds no number of them.
            let told = entries(client, &name, "").await;
            let back = |it: &(String, String)| it.0.is_empty() && !it.1.is_empty();
            assert!(drawn(&told).len() == 3 && drawn(&told).iter().all(back));
            let seat = u8::try_from(seat).ok().and_then(|seat| seat.try_into().ok());
            let viewer = seat.map_or(Viewer::Spectator, Viewer::Seat);
            let truth = Truth::of(&it, viewer, &told);
            let layout = truth.game.layout();
            let stash = layout.place_named(STASH).expect("a place");
            let folded = truth.tables.last().expect("a table");
            assert!(folded.is_bare(stash) && !folded.is_bare(layout.place_named("box").unwrap()));
        }
        let last = playing.entries.last().expect("it was played").position;
        let streamed = watch.up_to(last).await.expect("the stream goes on");
        assert_eq!(streamed, entries(&public, &name, "").await);
        // Two sides of a disc each.
        assert_eq!(pieces_held(&key, &playing).await, [2; 4]);

        playing.finish().await;
        let whole = view(&key, &name, "house", None).await;
        let stash = place(&whole, STASH).expect("it holds cards");
        assert!(stash.pieces.len() >= 3 && !stash.count_hidden && stash.unseen.is_empty());
        let cards = stash.pieces.len() as u32;
        assert_eq!(pieces_held(&key, &playing).await[1], 2 + cards);
        // The rules reveal the cards to everyone in the end, but not that these are all.
        let table = view(&public, &name, "", None).await;
        let stash = place(&table, STASH).expect("it is listed");
        assert_eq!((stash.pieces.len() as u32, stash.count_hidden), (cards, true));
    }
}

#[tokio::test]
async fn the_layout_declares_which_counts_are_hidden() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    for game in games::GAMES {
        let name = format!("games/{}", game.name());
        let game = client
            .ask(&GetGameRequest { name, ..GetGameRequest::default() })
            .await
            .expect("a game")
            .game;
        let game = game.expect("it is there");
        for place in game.layout.expect("a layout").places {
            let is_screen = game.name == "games/among-thieves" && place.name.starts_with("stash/");
            assert_eq!(place.count_hidden, is_screen, "{} {}", game.name, place.name);
            assert!(
                !is_screen || place.sight == i32::from(Sight::Seat) && place.seen_by == place.seat
            );
        }
    }
}

/// An action of Among Thieves: the number of its kind, and its fields, all of them numbers.
fn action(field: u32, kind: u8, fields: &[(u8, u8)]) -> contract::Action {
    let fields: Vec<u8> = fields.iter().flat_map(|&(field, value)| [field << 3, value]).collect();
    let message = [&[kind << 3 | 2, fields.len() as u8], &fields[..]].concat();
    contract::Action { field, body: message.into() }
}

#[tokio::test]
async fn a_deal_names_its_turn_and_its_terms() {
    let installation = Installation::open().await;
    for protocol in [Protocol::Grpc, Protocol::Rest] {
        let client = installation.client(protocol);
        let mut playing = playing(&client, 3).await;
        let name = playing.name.clone();
        let legal = legal(&client, &name, 0).await;
        let field = legal[0].action.as_ref().expect("an action").field;
        let offer =
            |to, give, take, turn| action(field, 7, &[(1, to), (2, give), (3, take), (4, turn)]);
        let accept =
            |by, give, take, turn| action(field, 9, &[(1, by), (2, give), (3, take), (4, turn)]);
        let pay = |to, millions, turn| action(field, 2, &[(1, to), (2, millions), (3, turn)]);

        submit(&mut playing, 2, offer(0, 1, 0, 1)).await.expect("an offer");
        let offers = view(&client, &name, "spectator", None).await.offers;
        assert_eq!((offers.len(), offers[0].by, offers[0].give[0].amount), (1, 2, 1));
        submit(&mut playing, 2, offer(0, 0, 4, 1)).await.expect("another offer");
        let late = submit(&mut playing, 0, accept(2, 1, 0, 1)).await.expect_err("it was changed");
        assert_eq!((late.code, &*late.reason), (Code::FailedPrecondition, "OTHER_TERMS"));
        submit(&mut playing, 0, accept(2, 0, 4, 1)).await.expect("the new terms");
        let table = view(&client, &name, "seats/2", None).await;
        let stash = place(&table, "stash/2").expect("it holds ISK");
        assert_eq!((stash.purses[0].amount, table.offers.len()), (6, 0));

        steal(&mut playing, 1).await;
        for late in [pay(0, 1, 1), offer(0, 1, 0, 1)] {
            let late = submit(&mut playing, 2, late).await.expect_err("that turn is over");
            assert_eq!((late.code, &*late.reason), (Code::FailedPrecondition, "ANOTHER_TURN"));
            assert_eq!((&*late.facts["meant"], &*late.facts["now"]), ("1", "2"));
        }
        submit(&mut playing, 2, pay(0, 1, 2)).await.expect("it is meant for this turn");
        let unnamed = action(field, 2, &[(1, 0), (2, 1)]);
        let unnamed = submit(&mut playing, 2, unnamed).await.expect_err("it names no turn");
        assert_eq!(unnamed.code, Code::InvalidArgument);
    }
}
