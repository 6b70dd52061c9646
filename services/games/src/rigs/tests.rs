//! The rules, a line each, in the rulebook's order.
//!
//! A scene and an outcome are lists of facts such as `warehouse/1: 3 unit/energy 2 rig`, `hand/0:
//! decoy`, `leader: 2`. Three seats, the first of them leading and on turn, play unless a scene
//! says otherwise; what it does not name lies where the box has it.

/// The land grant, the leader, turns, RIGS, surveys, loans.
mod player;

/// Offers made, taken, turned down and expired, in the Player phase and at Zero Hour.
mod deals;

/// Every disaster.
mod disasters;

/// Power, the Last Call, readjustment.
mod production;

/// The price, sales, the end of the round, the valuation.
mod market;

/// Every Destruction card.
mod destruction;

/// Every Sabotage card, and what answers it.
mod sabotage;

/// Every Wealth card.
mod wealth;

/// Every Protection card.
mod protection;

/// Secrets, refusals, messages.
mod secrets;

use std::collections::VecDeque;

use table::{Chance, Piece, Refused, Small, Viewer, play};

use super::{Coin::*, *};

/// Dice as a test has them; everything else is the first there is.
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

/// Lets seats do `acts` in the `scene`, each such as `1 play ruins @4` with what dice show, and
/// compares with `then` what it names.
#[track_caller]
fn check(scene: &str, acts: &str, then: &str) {
    let (table, refused) = act(scene, acts);
    for (name, value) in facts(then) {
        let is = match name {
            "refused" => refused.clone(),
            name => read(&table, name),
        };
        assert_eq!(is, value, "{name} after {scene} | {acts}\n{table:?}");
    }
}

#[track_caller]
fn act(scene: &str, acts: &str) -> (Table, String) {
    let (mut table, mut refused) = (lay_out(scene), String::new());
    for text in acts.split(", ").filter(|text| !text.is_empty()) {
        assert!(refused.is_empty(), "refused {refused} before {text}\n{table:?}");
        let (text, dice) = text.split_once(" @").unwrap_or((text, ""));
        let (seat, text) = text.split_once(' ').expect("a seat, then what it does");
        match play::<Rigs>(&table, seat_of(seat), &action(text), &mut Dice::of(dice)) {
            Ok((after, _)) => table = after,
            Err(refusal) => refused = table::Reason::reason(&refusal).to_lowercase(),
        }
    }
    (table, refused.replace('_', "-"))
}

fn facts(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let facts = text.split(';').map(str::trim).filter(|fact| !fact.is_empty());
    facts.map(|fact| fact.split_once(':').map_or((fact, ""), |it| (it.0.trim(), it.1.trim())))
}

// === Scenes ===

fn lay_out(scene: &str) -> Table {
    let said = |name: &str| facts(scene).find(|fact| fact.0 == name).map(|fact| fact.1);
    let number =
        |name: &str, usual: u8| said(name).map_or(usual, |it| it.parse().expect("a number"));
    let mut dice = Dice::of(said("dice").unwrap_or(""));
    let mut d = Dealer::new(Table::new(&LAYOUT, number("seats", 3), Viewer::House), &mut dice);
    d.begin_round(number("round", 2));
    d.pay(Rig, Bank, Works, 75);
    colony::LENT.into_iter().for_each(|it| d.pay(Script(it), Bank, Vinnie, 20));
    d.set(Leader, Some(Seat::default()));
    let own = ["seats", "round", "turn", "phase", "dice"];
    for (name, value) in facts(scene).filter(|fact| !own.contains(&fact.0)) {
        match (place(name), mark(name)) {
            (Some(place), _) => fill(&mut d, place, value),
            (None, Some(mark)) => d.mark(mark, value.parse().expect("a number")),
            (None, None) => panic!("{name} is neither a place nor a mark"),
        }
    }
    open_phase(&mut d, said("phase").unwrap_or("player"), seat_of(said("turn").unwrap_or("0")));
    d.finish(None, "open", None).0
}

fn open_phase(d: &mut Dealer, phase: &str, turn: Seat) {
    match phase {
        "player" => {
            Phase::Player.begin(d, turn);
            super::player::begin_turn(d, turn);
        }
        "disaster" => super::disasters::begin(d),
        "production" | "last-call" => {
            super::production::begin(d);
            d.mark(LastCalled, (phase == "last-call").into());
        }
        "market" => super::market::begin(d),
        "selling" => Phase::Market.begin(d, turn),
        "round" => super::player::begin_round(d, d.round()),
        "end" => end::end(d),
        other => panic!("{other} is no phase"),
    }
    if !d.ended() {
        proceed(d);
    }
}

/// Where cards lie that are out of play: a place of a seat that no match has.
fn the_box() -> Place {
    Grant(seat_of("7"))
}

/// A deck that a scene names holds nothing else.
fn fill(d: &mut Dealer, place: Place, text: &str) {
    match place {
        DisasterDeck => d.gather(DisasterDeck, DisasterDiscard),
        SurveyDeck => d.gather(SurveyDeck, the_box()),
        PlotDeck => d.gather(PlotDeck, the_box()),
        KarmaDeck => d.gather(KarmaDeck, KarmaDiscard),
        EndMarketDeck => d.gather(EndMarketDeck, the_box()),
        _ => {}
    }
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        let Ok(amount) = word.parse() else {
            d.put(LAYOUT.piece_named(word).unwrap_or_else(|| panic!("no card {word}")), place);
            continue;
        };
        let coin = coin(words.next().expect("coins of some kind"));
        let from = match coin {
            Rig => Works,
            Script(_) => Vinnie,
            _ => Bank,
        };
        d.pay(coin, from, place, amount);
    }
}

fn place(name: &str) -> Option<Place> {
    LAYOUT.place_named(name)?.to()
}

fn mark(name: &str) -> Option<Mark> {
    Mark::all().find(|&mark| LAYOUT.mark_name(mark.into()) == name)
}

fn coin(name: &str) -> Coin {
    match name {
        "credit" => Credit,
        "rig" => Rig,
        name => match name.strip_prefix("script-") {
            Some(name) => Script(resource(name)),
            None => Unit(resource(name)),
        },
    }
}

fn resource(name: &str) -> Resource {
    let found = Resource::all().find(|&it| <&str>::from(it) == name);
    found.unwrap_or_else(|| panic!("no resource {name}"))
}

fn seat_of(text: &str) -> Seat {
    text.parse::<u8>().ok().and_then(|it| Seat::try_from(it).ok()).expect("a seat")
}

// === Actions ===

fn action(text: &str) -> Action {
    let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
    let words: Vec<&str> = rest.split_whitespace().collect();
    match verb {
        "grant" => Action::Grant { plot: piece(rest) },
        "name" => Action::Name { seat: seat_of(rest) },
        "build" => Action::Build,
        "move" => Action::Move { from: stand(words[0]), to: stand(words[1]) },
        "survey" => Action::Survey { plot: piece(rest) },
        "borrow" => Action::Borrow { resource: resource(rest) },
        "repay" => Action::Repay { resource: resource(rest) },
        "offer" => {
            let (give, take) = rest[2..].split_once("for").expect("something for something");
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
        "lose" => Action::Lose { from: stand(rest) },
        "throw" => Action::Throw { units: bundle(rest).units },
        "gain" => Action::Gain { units: bundle(rest).units },
        "send" => Action::Send { to: stand(rest) },
        "draw-three" => Action::DrawThree,
        "receive" => Action::Receive,
        "power" => Action::Power { plots: bundle(rest).plots },
        "last-call" => Action::LastCall,
        "sell" => Action::Sell { amount: rest.parse().expect("a number") },
        "ready" => Action::Ready,
        "unready" => Action::Unready,
        "pass" => Action::Pass,
        _ => panic!("{text} is no action"),
    }
}

fn piece<C: table::Component>(name: &str) -> C {
    LAYOUT.named(name).unwrap_or_else(|| panic!("no such card {name}"))
}

/// `warehouse/1` or `valley-1/energy`.
fn stand(text: &str) -> Stand {
    match text.split_once('/').expect("a place and what of it") {
        ("warehouse", seat) => Stand::Warehouse(seat_of(seat)),
        (plot, kind) => Stand::Spot(piece(plot), resource(kind)),
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
            Counted => panic!("nobody deals in notes"),
        }
    }
    bundle
}

fn aim(words: &[&str]) -> Aim {
    let units = |words: &[&str]| bundle(&words.join(" ")).units;
    match *words {
        [] => Aim::Nothing,
        ["swap", ref rest @ ..] => {
            let at = rest.iter().position(|it| *it == "for").expect("something for something");
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

// === Outcomes ===

fn read(table: &Table, name: &str) -> String {
    if let Some(place) = name.strip_prefix("cards ") {
        let place = LAYOUT.place_named(place).unwrap_or_else(|| panic!("no place {place}"));
        return table.count(place).to_string();
    }
    match name {
        "asked" => {
            let asked = table.live().filter(|it| it.must);
            let asked =
                asked.map(|it| format!("{} {}", it.seat, LAYOUT.decision_name(it.decision)));
            asked.collect::<Vec<_>>().join(", ")
        }
        "turn" => table.turn().to_string(),
        "round" => table.round().to_string(),
        "phase" => format!("{:?}", Phase::of(table)).to_lowercase(),
        "offers" => table.offers().len().to_string(),
        "scores" => table.scores().iter().map(i32::to_string).collect::<Vec<_>>().join(" "),
        "winners" => {
            let winners = table.winners().into_iter().flat_map(|it| it.iter().collect::<Vec<_>>());
            winners.map(|seat| seat.to_string()).collect::<Vec<_>>().join(" ")
        }
        name => match (place(name), mark(name)) {
            (Some(place), _) => contents(table, place),
            (None, Some(mark)) => {
                let value = table.marked(mark);
                let named = LAYOUT.mark_value(mark.into(), value);
                named.map_or(value.to_string(), str::to_string)
            }
            (None, None) => panic!("{name} is neither a place nor a mark"),
        },
    }
}

/// Cards in the order of the catalogue, then coins as scenes have them.
fn contents(table: &Table, place: Place) -> String {
    let seen = table.places().find(|it| it.place.id == place.into()).expect("a place of the match");
    let cards: Vec<String> =
        seen.pieces.iter().map(|it: Piece| LAYOUT.piece_name(it).to_string()).collect();
    let coins = seen.purses.iter().filter(|it| it.1 != 0).map(|it| {
        let name = LAYOUT.coin_name(it.0).trim_start_matches("unit/").replace('/', "-");
        format!("{} {name}", it.1)
    });
    cards.into_iter().chain(coins).collect::<Vec<_>>().join(" ")
}

/// Why the last of `acts` is refused.
#[track_caller]
fn refusal(scene: &str, acts: &str) -> Refusal {
    let (before, last) = acts.rsplit_once(", ").unwrap_or(("", acts));
    let (seat, text) = last.split_once(' ').expect("a seat, then what it does");
    match play::<Rigs>(&act(scene, before).0, seat_of(seat), &action(text), &mut Dice::of("")) {
        Err(Refused::Rules(refusal)) => refusal,
        other => panic!("{other:?}"),
    }
}
