//! Scenes: tests of rules, a line each.
//!
//! A test lays out a scene, lets seats act, and compares the named facts with the table:
//!
//! ```ignore
//! check::<Mountebank>(
//!     "seats: 3; hand/0: author desert; crown/suns: 2",
//!     "con moons author",
//!     "winnings/0: 1; hand/0: desert; turn: 1",
//! );
//! ```
//!
//! A **scene** is a list of facts, `name: value`, separated by semicolons. Names are those of the
//! game's layout:
//!
//! - a place holds pieces and coins: `hand/0: author desert`, `crown/suns: 2`, and where a place
//!   has several kinds of coin, `warehouse/1: 3 energy 2 rig`;
//! - a mark has a number, or the name of a value or `nothing`: `turns-left: 2`, `target: corvid`;
//! - `seats` and `turn` are numbers, and [`Scene::chance`] interprets `dice`.
//!
//! **Acts** are separated by `, `. Each is an action as [`Scene::action`] reads it, after the
//! number of its seat; without a number, the first seat that must answer acts. `2 resign`,
//! `2 says …`, `2 whispers 0+1 …`, `2 stands react` and `2 unstands react` work in every game, and
//! ` @35` at the end of an act are the dice that it rolls. Only the last act may be refused.
//!
//! An **outcome** is a list of facts too. It may name, besides places and marks: `turn`, `round`,
//! `scores`, `winners`; `asked`, what seats must answer now, and `may`, what they may;
//! `cards hand/0`, a number of pieces; `offers`, their number; `announced`, the announcements of
//! the last entry; `refused`, the reason in kebab-case. Some facts are compared in the form that
//! the test expects: `stash/0: 3` is an amount of coins and `stash/0: thief` are pieces,
//! `asked: 1 rob` names a seat and `asked: rob` does not.

use bytes::Bytes;
use table::{
    AnnouncementId, ChaCha, Chance, CoinId, Common, Dealer, DecisionId, Entry, Event, MarkId,
    Piece, PlaceId, Prompt, Reason, Refused, Rules, Seat, Seats, Table, Values, Viewer, invariants,
};

/// A game's own vocabulary of scenes.
pub(crate) trait Scene: Rules {
    /// The number of seats if a scene names none.
    const SEATS_USUAL: u8;

    /// Facts of a scene that `prepare` and `begin` read themselves.
    const OWN_FACTS: &[&str] = &[];

    /// Readies the table before the facts of the scene: cards that are out of play, usual amounts.
    fn prepare(_d: &mut Dealer, _scene: Facts) {}

    /// Empties a place before the scene fills it. Most places are empty already.
    fn clear(_d: &mut Dealer, _place: PlaceId) {}

    /// Begins the turn or phase that the acts start from.
    fn begin(d: &mut Dealer, scene: Facts);

    /// An action from one line of a test, such as `con moons author`.
    fn action(text: &str) -> Self::Action;

    /// Whether an act is skipped, because the table no longer asks for it.
    fn is_moot(_table: &Table, _seat: Seat, _action: &str) -> bool {
        false
    }

    /// A fact of an outcome that only this game has.
    fn read(_table: &Table, _name: &str, _expected: &str) -> Option<String> {
        None
    }

    /// The place from which a scene takes coins.
    fn bank(coin: CoinId) -> PlaceId {
        let mut purses = Self::layout().purses().iter();
        purses.find(|it| it.is_bank && it.coin == coin).expect("every coin has a bank").place
    }

    /// Chance for one act. `dice` is empty if a test does not need them.
    fn chance(_dice: &str) -> Box<dyn Chance> {
        Box::new(ChaCha::of(invariants::key(3), 2))
    }

    fn place(name: &str) -> Option<PlaceId> {
        Self::layout().place_named(name)
    }
    fn mark(name: &str) -> Option<MarkId> {
        Self::layout().marks().iter().find(|mark| mark.name == name).map(|mark| mark.id)
    }
    fn piece(name: &str) -> Option<Piece> {
        Self::layout().piece_named(name)
    }
    fn piece_name(piece: Piece) -> String {
        Self::layout().piece_name(piece).into()
    }
    fn coin_name(coin: CoinId) -> String {
        Self::layout().coin_name(coin).into()
    }
    fn decision_name(decision: DecisionId) -> String {
        Self::layout().decision_name(decision).into()
    }
    fn announcement_name(announcement: AnnouncementId) -> String {
        Self::layout().announcement_name(announcement).into()
    }
}

// === Tests ===

/// Lets seats act from a scene, and compares the facts of `outcome` with the table.
#[track_caller]
pub(crate) fn check<G: Scene>(scene: &str, acts: &str, outcome: &str) {
    let done = run::<G>(scene, acts);
    let (expected, is): (Vec<String>, Vec<String>) = Facts(outcome)
        .iter()
        .map(|(name, value)| {
            let is = match name {
                "refused" => done.refusal_name(),
                "announced" => announced::<G>(&done.last),
                name => read::<G>(&done.table, name, value),
            };
            (format!("{name}: {value}"), format!("{name}: {is}"))
        })
        .unzip();
    assert_eq!(is, expected, "{}: {scene} | {acts}\n{:?}", G::NAME, done.table);
}

/// Why the last of `acts` is refused by the rules.
#[track_caller]
pub(crate) fn refusal<G: Scene>(scene: &str, acts: &str) -> G::Refusal {
    match run::<G>(scene, acts).refused {
        Some(Refused::Rules(refusal)) => refusal,
        other => panic!("{}: {scene} | {acts}: {other:?}", G::NAME),
    }
}

/// After acts, the legal action that appeals most to the seat that must answer.
#[track_caller]
pub(crate) fn favourite<G: Scene>(scene: &str, acts: &str) -> G::Action {
    let table = run::<G>(scene, acts).table;
    let asked = table.live().find(|prompt| prompt.must).expect("a seat must answer").seat;
    let legal = G::legal(&table, asked).into_iter();
    legal.max_by_key(|it| G::appeal(&table, asked, it)).expect("a seat that must answer can")
}

/// The result of acts.
pub(crate) struct Done<R> {
    pub table: Table,
    pub last: Entry,
    pub refused: Option<Refused<R>>,
}

impl<R: Reason> Done<R> {
    fn refusal_name(&self) -> String {
        let reason = self.refused.as_ref().map_or("", |refused| refused.reason());
        reason.to_lowercase().replace('_', "-")
    }
}

#[track_caller]
pub(crate) fn run<G: Scene>(scene: &str, acts: &str) -> Done<G::Refusal> {
    let (table, last) = lay_out::<G>(scene);
    let mut done = Done { table, last, refused: None };
    for text in acts.split(", ").filter(|text| !text.is_empty()) {
        let refused = done.refusal_name();
        assert!(refused.is_empty(), "{}: {scene} | refused {refused} before {text}", G::NAME);
        let (seat, action) = actor(&done.table, text);
        if G::is_moot(&done.table, seat, action) {
            continue;
        }
        match act::<G>(&done.table, text) {
            Ok((table, last)) => (done.table, done.last) = (table, last),
            Err(refused) => done.refused = Some(refused),
        }
    }
    done
}

/// The facts of a scene or an outcome.
#[derive(Clone, Copy)]
pub(crate) struct Facts<'a>(pub &'a str);

impl<'a> Facts<'a> {
    pub fn iter(self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let facts = self.0.split(';').map(str::trim).filter(|fact| !fact.is_empty());
        facts.map(|fact| fact.split_once(':').map_or((fact, ""), |it| (it.0.trim(), it.1.trim())))
    }
    /// The last fact of that name, so that a test may add another to a scene it shares.
    pub fn get(self, name: &str) -> Option<&'a str> {
        self.iter().filter(|fact| fact.0 == name).last().map(|fact| fact.1)
    }
    pub fn number(self, name: &str) -> Option<u8> {
        self.get(name).map(|it| it.parse().unwrap_or_else(|_| panic!("{name}: {it} is no number")))
    }
    /// The seat whose turn it is; seat 0 unless the scene names another.
    pub fn turn(self) -> Seat {
        self.get("turn").map_or(Seat::default(), seat)
    }
}

pub(crate) fn seat(number: &str) -> Seat {
    let number = number.parse::<u8>().unwrap_or_else(|_| panic!("{number} is no seat"));
    Seat::try_from(number).expect("a seat of the largest table")
}

// === Scenes ===

pub(crate) fn lay_out<G: Scene>(scene: &str) -> (Table, Entry) {
    let facts = Facts(scene);
    let seats = facts.number("seats").unwrap_or(G::SEATS_USUAL);
    let mut chance = G::chance(facts.get("dice").unwrap_or(""));
    let mut table = Table::new(G::layout(), seats, Viewer::House);
    let mut d = Dealer::new(&mut table, &mut *chance);
    G::prepare(&mut d, facts);
    for (name, value) in facts.iter() {
        if ["seats", "turn", "dice"].contains(&name) || G::OWN_FACTS.contains(&name) {
            continue;
        }
        match (G::place(name), G::mark(name)) {
            (Some(place), _) => {
                G::clear(&mut d, place);
                fill::<G>(&mut d, place, value);
            }
            (None, Some(mark)) => d.mark(mark, mark_value::<G>(mark, value)),
            (None, None) => panic!("{}: {name} is neither a place nor a mark", G::NAME),
        }
    }
    G::begin(&mut d, facts);
    let entry = d.finish(1, None, "open", None);
    (table, entry)
}

/// Puts pieces and coins into a place. A lone number is an amount of the only coin that lies there.
fn fill<G: Scene>(d: &mut Dealer, place: PlaceId, value: &str) {
    if let Ok(amount) = value.parse() {
        let coin = only_coin::<G>(place).expect("coins of one kind lie in this place");
        return d.pay(coin, G::bank(coin), place, amount);
    }
    let mut words = value.split_whitespace();
    while let Some(word) = words.next() {
        if let Ok(amount) = word.parse() {
            let coin = coin::<G>(words.next().expect("the name of a coin after its amount"));
            d.pay(coin, G::bank(coin), place, amount);
        } else {
            let piece = G::piece(word);
            d.put(piece.unwrap_or_else(|| panic!("{} has no piece {word}", G::NAME)), place);
        }
    }
}

fn mark_value<G: Scene>(mark: MarkId, value: &str) -> i16 {
    let number = match G::layout().mark_values(mark) {
        Values::Number => value.parse().ok(),
        Values::OneOf(_) if value == "nothing" => Some(0),
        Values::OneOf(values) => {
            values.iter().position(|it| it.name == value).map(|it| it as i16 + 1)
        }
    };
    number.unwrap_or_else(|| panic!("{}: {value} is no value of {mark:?}", G::NAME))
}

pub(crate) fn coin<G: Scene>(name: &str) -> CoinId {
    let mut coins = G::layout().coins().iter().map(|coin| coin.id);
    let found = coins.find(|&coin| G::coin_name(coin) == name);
    found.unwrap_or_else(|| panic!("{} has no coin {name}", G::NAME))
}

fn only_coin<G: Scene>(place: PlaceId) -> Option<CoinId> {
    let mut purses = G::layout().purses().iter().filter(|purse| purse.place == place);
    let first = purses.next()?;
    purses.next().is_none().then_some(first.coin)
}

// === Acts ===

pub(crate) fn act<G: Scene>(
    table: &Table,
    text: &str,
) -> Result<(Table, Entry), Refused<G::Refusal>> {
    let (text, dice) = text.split_once(" @").unwrap_or((text, ""));
    act_by::<G>(table, text, &mut *G::chance(dice))
}

/// One act, with this chance.
pub(crate) fn act_by<G: Scene>(
    table: &Table,
    text: &str,
    chance: &mut dyn Chance,
) -> Result<(Table, Entry), Refused<G::Refusal>> {
    let (seat, text) = actor(table, text);
    match text {
        "resign" => table::resign::<G>(table, seat, chance),
        text if text.starts_with("says ") => {
            let said = Common::Say { to: Seats::default(), text: text[5..].into() };
            said.play::<G>(table, seat, Bytes::new(), chance)
        }
        text if text.starts_with("whispers ") => {
            let (to, text) = text[9..].split_once(' ').expect("seats, then a text");
            let to = to.split('+').map(self::seat).collect();
            let said = Common::Say { to, text: text.into() };
            said.play::<G>(table, seat, Bytes::new(), chance)
        }
        text if text.starts_with("stands ") || text.starts_with("unstands ") => {
            let (verb, name) = text.split_once(' ').expect("a decision");
            let mut decisions = G::layout().decisions().iter();
            let decision = decisions.find(|it| it.name == name).expect("a decision").id;
            let stood = Common::Stand { decision, on: verb == "stands" };
            stood.play::<G>(table, seat, Bytes::new(), chance)
        }
        text => table::play::<G>(table, seat, &G::action(text), chance),
    }
}

/// The seat that acts, and its action.
pub(crate) fn actor<'a>(table: &Table, text: &'a str) -> (Seat, &'a str) {
    match text.split_once(' ') {
        Some((number, rest)) if number.parse::<u8>().is_ok() => (seat(number), rest),
        _ => {
            let asked = table.live().find(|prompt| prompt.must);
            (asked.expect("a seat must answer").seat, text)
        }
    }
}

// === Outcomes ===

/// The table's value of one fact. `expected` selects the form if there are several.
pub(crate) fn read<G: Scene>(table: &Table, name: &str, expected: &str) -> String {
    if let Some(own) = G::read(table, name, expected) {
        return own;
    }
    if let Some(place) = name.strip_prefix("cards ") {
        let place = G::place(place).unwrap_or_else(|| panic!("{} has no place {place}", G::NAME));
        return table.count(place).to_string();
    }
    match name {
        "turn" => table.turn().to_string(),
        "round" => table.round().to_string(),
        "asked" => prompts::<G>(table.live().filter(|it| it.must), expected),
        "may" => prompts::<G>(table.live().filter(|it| !it.must), expected),
        "offers" => table.offers().len().to_string(),
        "scores" => spaced(table.scores()),
        "winners" => table.winners().map_or(String::new(), spaced_seats),
        name => match (G::place(name), G::mark(name)) {
            (Some(place), _) => contents::<G>(table, place, expected),
            (None, Some(mark)) => {
                let value = table.marked(mark);
                super::notation::mark_value(G::layout(), mark, value)
            }
            (None, None) => panic!("{}: {name} is neither a place nor a mark", G::NAME),
        },
    }
}

fn prompts<'a, G: Scene>(prompts: impl Iterator<Item = &'a Prompt>, expected: &str) -> String {
    let with_seats = expected.starts_with(|it: char| it.is_ascii_digit());
    let named = prompts.map(|prompt| {
        let name = G::decision_name(prompt.decision);
        if with_seats { format!("{} {name}", prompt.seat) } else { name }
    });
    named.collect::<Vec<_>>().join(", ")
}

/// Pieces in the order of the catalogue, then coins, as a scene would name them.
fn contents<G: Scene>(table: &Table, place: PlaceId, expected: &str) -> String {
    let mut places = table.places();
    let seen = places.find(|it| it.place.id == place).expect("a place of this match");
    let only_coin = seen.purses.first().filter(|_| seen.purses.len() == 1);
    if let Some((_, amount)) = only_coin.filter(|_| expected.parse::<i32>().is_ok()) {
        return amount.to_string();
    }
    let pieces = seen.pieces.iter().map(G::piece_name);
    let coins = seen.purses.iter().filter(|purse| purse.1 != 0);
    let coins = coins.map(|&(coin, amount)| format!("{amount} {}", G::coin_name(coin)));
    pieces.chain(coins).collect::<Vec<_>>().join(" ")
}

fn announced<G: Scene>(entry: &Entry) -> String {
    let announced = entry.events.iter().filter_map(|event| match *event {
        Event::Announced { announcement, .. } => Some(G::announcement_name(announcement)),
        _ => None,
    });
    announced.collect::<Vec<_>>().join(" ")
}

pub(crate) fn spaced(values: impl IntoIterator<Item = impl ToString>) -> String {
    values.into_iter().map(|it| it.to_string()).collect::<Vec<_>>().join(" ")
}

pub(crate) fn spaced_seats(seats: table::Seats) -> String {
    spaced(seats.iter())
}
