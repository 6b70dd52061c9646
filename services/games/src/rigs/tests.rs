//! The rules, a line each, in the order of the page `docs/games/rigs.md`. A test names the
//! paragraphs that it covers.
//!
//! Scenes shorten the names of coins: `warehouse/1: 3 energy 2 rig 1 script-metal`. Three seats
//! play and seat 0 leads unless a scene says otherwise; pieces that it does not name stay where
//! they start.

/// The land grant, the leader, turns, RIGS, surveys, loans.
mod player;

/// Offers: made, accepted, declined and expired, in the Player phase and at Zero Hour.
mod deals;

/// The deal of disasters, and every kind.
mod disasters;

/// Power, the Last Call, readjustment.
mod production;

/// The price, sales, the end of the round, the valuation.
mod market;

/// Every Destruction card, and the rules of karma cards.
mod destruction;

/// Every Sabotage card, and the order of answers.
mod sabotage;

/// Every Wealth card.
mod wealth;

/// Every Protection card.
mod protection;

/// How many questions a match asks of seats that play well.
mod questions;

/// A player that plays well, by what its seat sees.
mod sensible;

/// Secrets, refusals, messages.
mod secrets;

/// How a player who does not look ahead values actions and positions.
mod opinion;

use std::collections::VecDeque;

use bytes::Bytes;
use table::{
    Chance, CoinId, Dealer, Options, PlaceId, Prompt, Refused, Rules, Seat, Set, Small, Table,
    Viewer, play,
};

use super::{
    actions::{Action, Aim, Bundle, Location},
    cards::{self, DisasterKind},
    colony::{self, LENT},
    end,
    layout::{self, LAYOUT},
    phases::ROUNDS,
    refusals::Refusal,
    resources::Resources,
    rounds,
    rules::Rigs,
    vocabulary::{Coin::*, Mark::*, Place::*, *},
};
use crate::tests::scene::{self, Facts, Scene, seat as seat_of};

/// The dice of a test; every other random choice takes the first possibility.
struct Dice(VecDeque<usize>);

impl Dice {
    fn of(faces: &str) -> Dice {
        Dice(faces.chars().filter_map(|face| face.to_digit(10)).map(|it| it as usize - 1).collect())
    }
}

impl Chance for Dice {
    fn below(&mut self, limit: usize) -> usize {
        if limit == 6 { self.0.pop_front().unwrap_or(0) } else { 0 }
    }
}

#[track_caller]
fn check(scene: &str, acts: &str, outcome: &str) {
    scene::check::<Rigs>(scene, acts, outcome);
}

/// The table after `acts`.
#[track_caller]
fn act(scene: &str, acts: &str) -> Table {
    scene::run::<Rigs>(scene, acts).table
}

/// Why the last of `acts` is refused.
#[track_caller]
fn refusal(scene: &str, acts: &str) -> Refusal {
    scene::refusal::<Rigs>(scene, acts)
}

// === Scenes ===

impl Scene for Rigs {
    const SEATS_USUAL: u8 = 3;
    const OWN_FACTS: &[&str] = &["round", "phase"];

    fn prepare(d: &mut Dealer, scene: Facts) {
        d.begin_round(scene.number("round").unwrap_or(2));
        d.pay(Rig, Bank, Works, 75);
        LENT.into_iter().for_each(|it| d.pay(Script(it), Bank, Vinnie, 20));
        d.set(Leader, Some(Seat::default()));
    }

    /// A deck that a scene names holds nothing else.
    fn clear(d: &mut Dealer, place: PlaceId) {
        // A place of a seat that no match has.
        let out_of_play = Grant(seat_of("7"));
        match place.to() {
            Some(DisasterDeck) => d.gather(place, DisasterDiscard),
            Some(KarmaDeck) => d.gather(place, KarmaDiscard),
            Some(SurveyDeck | PlotDeck | EndMarketDeck) => d.gather(place, out_of_play),
            _ => {}
        }
    }

    fn begin(d: &mut Dealer, scene: Facts) {
        match scene.get("phase").unwrap_or("player") {
            "player" => {
                Phase::Player.begin(d, scene.turn());
                super::player::begin_turn(d, scene.turn());
            }
            "disaster" => super::disasters::begin(d),
            phase @ ("production" | "last-call") => {
                super::production::begin(d);
                d.mark(LastCalled, (phase == "last-call").into());
            }
            "market" => super::market::begin(d),
            // As matches that began under earlier rules wait.
            "drawing" => {
                Phase::Market.begin(d, scene.turn());
                d.ask(scene.turn(), Decision::Draw);
            }
            "selling" => Phase::Market.begin(d, scene.turn()),
            "round" => super::player::begin_round(d, d.round()),
            "end" => end::end(d),
            other => panic!("{other} is no phase"),
        }
        if !d.ended() {
            rounds::advance(d);
        }
    }

    fn action(text: &str) -> Action {
        action(text)
    }

    /// §20.2: scenes let every seat pass in turn, and the table asks only those that may have
    /// something to play. The Last Call is made by itself.
    fn is_moot(table: &Table, seat: Seat, action: &str) -> bool {
        match action.split(" @").next().unwrap_or(action) {
            "pass" => !Rigs::legal(table, seat).contains(&Action::Pass),
            "last-call" => !Rigs::legal(table, seat).contains(&Action::LastCall),
            _ => false,
        }
    }

    fn read(table: &Table, name: &str, _: &str) -> Option<String> {
        (name == "phase").then(|| format!("{:?}", Phase::of(table)).to_lowercase())
    }

    fn bank(coin: CoinId) -> PlaceId {
        match coin.to() {
            Some(Rig) => Works.into(),
            Some(Script(_)) => Vinnie.into(),
            _ => Bank.into(),
        }
    }

    fn chance(dice: &str) -> Box<dyn Chance> {
        Box::new(Dice::of(dice))
    }

    fn coin_name(coin: CoinId) -> String {
        LAYOUT.coin_name(coin).trim_start_matches("unit/").replace('/', "-")
    }
}

fn coin(name: &str) -> Coin {
    scene::coin::<Rigs>(name).to().expect("a coin of the game")
}

/// Pieces in the order of the catalogue, then coins, as scenes name them.
fn contents(table: &Table, place: Place) -> String {
    scene::read::<Rigs>(table, LAYOUT.place_name(place.into()), "")
}

fn resource(name: &str) -> Resource {
    let found = Resource::all().find(|&it| <&str>::from(it) == name);
    found.unwrap_or_else(|| panic!("no resource {name}"))
}

// === Actions ===

fn action(text: &str) -> Action {
    let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
    let words: Vec<&str> = rest.split_whitespace().collect();
    match verb {
        "grant" => Action::Grant {
            plot: piece(words[0]),
            order: words[1..].iter().map(|it| seat_of(it)).collect(),
        },
        "name" => Action::Name { seat: seat_of(rest) },
        "build" => Action::Build,
        "move" => Action::Move { from: location(words[0]), to: location(words[1]) },
        "survey" => Action::Survey { plot: piece(rest) },
        "borrow" => Action::Borrow { resource: resource(rest) },
        "repay" => Action::Repay { resource: resource(rest) },
        "offer" => {
            let (give, take) = rest[2..].split_once("for").expect("`for` between the two sides");
            Action::Offer { to: seat_of(words[0]), give: bundle(give), take: bundle(take) }
        }
        "withdraw" => Action::Withdraw,
        "accept" => Action::Accept { by: seat_of(rest) },
        "refuse" => Action::Refuse { by: seat_of(rest) },
        "play" => Action::Play { card: piece(words[0]), aim: aim(&words[1..]) },
        "cash" => Action::Cash,
        "tinker" => Action::Tinker,
        "discard" => Action::Discard { card: piece(rest) },
        "take" => Action::Take { card: piece(rest) },
        "salvage" => Action::Salvage { card: piece(rest) },
        "lose" => Action::Lose { from: location(rest) },
        "throw" => Action::Throw { units: bundle(rest).units },
        "gain" => Action::Gain { units: bundle(rest).units },
        "send" => Action::Send { to: location(rest) },
        "draw-three" => Action::DrawThree,
        "receive" => Action::Receive,
        "power" => Action::Power { plots: bundle(rest).plots },
        "last-call" => Action::LastCall,
        "sell" => Action::Sell { amount: rest.parse().expect("a number") },
        "ready" => Action::Ready,
        "unready" => Action::Unready,
        "pass" => Action::Pass,
        "raise" => Action::Raise { units: bundle(rest).units },
        "claim" => Action::Claim,
        "show" => {
            let (shown, to) = rest.split_once(" to ").unwrap_or((rest, ""));
            let cards = shown.split_whitespace().filter(|it| *it != "credits");
            Action::Show {
                cards: cards.map(piece).collect(),
                credits: shown.contains("credits"),
                to: to.split_whitespace().map(seat_of).collect(),
            }
        }
        "series" => Action::Series { answers: rest.split(" + ").map(action).collect() },
        _ => panic!("{text} is no action"),
    }
}

fn piece<C: table::Component>(name: &str) -> C {
    LAYOUT.named(name).unwrap_or_else(|| panic!("no such card {name}"))
}

/// `warehouse/1` or `valley-1/energy`.
fn location(text: &str) -> Location {
    match text.split_once('/').expect("a place and its part") {
        ("warehouse", seat) => Location::Warehouse(seat_of(seat)),
        (plot, kind) => Location::Spot(piece(plot), resource(kind)),
    }
}

/// `2 energy 5 credit valley-1 1 rig 1 script-metal`.
fn bundle(text: &str) -> Bundle {
    let mut bundle = Bundle::default();
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        let Ok(amount) = word.parse::<u32>() else {
            bundle.plots.add(piece(word));
            continue;
        };
        match coin(words.next().expect("coins of some kind")) {
            Unit(it) => bundle.units.0[it.index()] += amount,
            Script(it) => bundle.scripts.0[it.index()] += amount,
            Credit => bundle.credits += amount,
            Rig => bundle.rigs += amount,
            Counted => panic!("notes are never dealt"),
        }
    }
    bundle
}

fn aim(words: &[&str]) -> Aim {
    let units = |words: &[&str]| bundle(&words.join(" ")).units;
    match *words {
        [] => Aim::Nothing,
        ["swap", ref rest @ ..] => {
            let at = rest.iter().position(|it| *it == "for").expect("`for` between the two sides");
            Aim::Swap { give: units(&rest[..at]), take: units(&rest[at + 1..]) }
        }
        ["stake", ref rest @ ..] => Aim::Stake(units(rest)),
        ["loss", victim, ref rest @ ..] => {
            let is_card = |it: &&&str| LAYOUT.named::<Karma>(it).is_some();
            let cards = rest.iter().filter(is_card).map(|it| piece(it)).collect();
            let rest: Vec<&str> = rest.iter().filter(|it| !is_card(it)).copied().collect();
            Aim::Loss { victim: seat_of(victim), units: units(&rest), cards }
        }
        [one] if one.parse::<u8>().is_ok() => Aim::Seat(seat_of(one)),
        [one] if LAYOUT.named::<Plot>(one).is_some() => Aim::Plot(piece(one)),
        [one] => Aim::Resource(resource(one)),
        [one, other] if LAYOUT.named::<Plot>(other).is_some() => {
            Aim::Plots(piece(one), piece(other))
        }
        [plot, kind] => Aim::Spots(piece(plot), resource(kind)),
        _ => panic!("{words:?} is no aim"),
    }
}

/// §20.7
#[test]
fn a_match_in_which_every_seat_stands_on_everything_asks_somebody_within_a_round() {
    use table::{Common, play};
    let options = Options::of::<Rigs>(&Default::default(), 3).expect("no options");
    let chance = &mut table::ChaCha::of([7; 32], 1);
    let (mut table, _) = table::open::<Rigs>(3, &options, &[], chance);
    let layout = Rigs::layout();
    let standing: Vec<_> =
        layout.decisions().iter().map(|it| it.id).filter(|&it| Rigs::may_stand(it)).collect();
    for seat in table.seats() {
        for &decision in standing.iter().filter(|&&it| !Rigs::stands_at_first(it)) {
            let stand = Common::Stand { decision, on: true };
            let played = stand.play::<Rigs>(&table, seat, Default::default(), chance);
            table = played.expect("it may stand").0;
        }
    }
    let (mut entries, mut most) = (0, 0);
    while !table.ended() {
        let seat = table.live().find(|it| it.must).expect("somebody is asked").seat;
        let legal = Rigs::legal(&table, seat);
        let by_chance = || legal[chance.below(legal.len())].clone();
        let action = Rigs::passive(&table, seat).unwrap_or_else(by_chance);
        let (after, entry) = play::<Rigs>(&table, seat, &action, chance).expect("it is legal");
        let rounds = entry.events.iter().filter(|it| matches!(it, table::Event::RoundBegan(_)));
        assert!(rounds.count() <= 2, "{entry:?}");
        (entries, most) = (entries + 1, most.max(entry.encode().len()));
        assert!(entries < 5_000, "the match goes on: {table:?}");
        table = after;
    }
    println!("{entries} entries of {most} bytes at most in {} rounds", table.round());
    assert!(entries >= usize::from(table.round()), "{entries}");
    assert!(most < 16 * 1024, "{most} bytes");
}

/// `croupier/table/v1/options.proto` says what the fields of actions hold.
#[test]
fn an_action_names_its_places_and_amounts() {
    let game = crate::find("rigs").expect("a game");
    let options = game.check_options(&Default::default(), 3).expect("they fit");
    let (mut moves, mut sales) = (0, 0);
    for step in game.playout(3, &options, &table::invariants::chance(1)).steps {
        for it in game.legal(&step.before, step.seat).expect("native rules list") {
            let about = crate::About::of(game, &it.action);
            match it.verb {
                "move" => {
                    moves += 1;
                    // A warehouse and a spot, or two spots, by their names.
                    assert_eq!(about.places.len(), 2, "{about:?}");
                }
                "sell" => {
                    sales += 1;
                    let [(coin, amount)] = about.amounts[..] else { panic!("{about:?}") };
                    assert_eq!(game.layout().coin_name(coin), "unit/luxury");
                    assert!(amount > 0);
                }
                _ => {}
            }
        }
    }
    assert!(moves > 50 && sales > 0, "{moves} moves, {sales} sales");
}
