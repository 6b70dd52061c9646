//! The things on a table in words, for any game, from its layout and the names of the players.

use std::collections::{HashMap, HashSet};

use api::v1::{Game, Match, Offer, OfferItem, Prompt, Sight};

/// The names in a game and the players of a match, as people write them.
pub struct Vocabulary {
    players: Vec<String>,
    places: HashMap<String, Place>,
    /// The coins that measure something, such as honor: they are gained and lost, not got and paid.
    degrees: HashSet<String>,
    announcements: HashMap<String, String>,
    decisions: HashMap<String, String>,
}

/// A place, with what matters for a sentence about it.
#[derive(Clone, Default)]
pub struct Place {
    /// The seat that it belongs to, if any.
    pub owner: Option<u32>,
    /// Its name without its owner: `hand`, `crown of moons`.
    pub name: String,
    pub sight: Sight,
    /// The coins that are unlimited here.
    banks: Vec<String>,
}

impl Place {
    pub fn is_bank_of(&self, coin: &str) -> bool {
        self.banks.iter().any(|it| it == coin)
    }

    fn of(place: &api::v1::Place) -> Place {
        let banks = place.purses.iter().filter(|purse| purse.bank).map(|purse| purse.coin.clone());
        Place {
            owner: place.seat,
            name: place_name(&place.name, place.seat),
            sight: place.sight(),
            banks: banks.collect(),
        }
    }
}

impl Vocabulary {
    pub fn new(game: &Game, it: &Match) -> Vocabulary {
        let layout = game.layout.clone().unwrap_or_default();
        let player = |seat: &api::v1::Seat| match seat.player.as_str() {
            "" => format!("seat {}", seat.seat),
            id => person(id),
        };
        Vocabulary {
            players: it.seats.iter().map(player).collect(),
            places: layout
                .places
                .iter()
                .map(|place| (place.name.clone(), Place::of(place)))
                .collect(),
            degrees: layout
                .coins
                .iter()
                .filter(|coin| coin.description.starts_with("How "))
                .map(|coin| coin.name.clone())
                .collect(),
            announcements: layout
                .announcements
                .into_iter()
                .map(|term| (term.name, term.description))
                .collect(),
            decisions: layout
                .decisions
                .into_iter()
                .map(|term| (term.name, term.description))
                .collect(),
        }
    }

    pub fn seats(&self) -> usize {
        self.players.len()
    }

    pub fn player(&self, seat: u32) -> String {
        self.players.get(seat as usize).cloned().unwrap_or_else(|| format!("seat {seat}"))
    }

    pub fn players(&self, seats: &[u32]) -> String {
        list(seats.iter().map(|&seat| self.player(seat)))
    }

    /// A place that the layout does not have gets its bare name.
    pub fn place(&self, name: &str) -> Place {
        let unknown = || Place { name: place_name(name, None), ..Place::default() };
        self.places.get(name).cloned().unwrap_or_else(unknown)
    }

    /// A place with its owner: `Ada's hand`, `the deck`.
    pub fn at(&self, name: &str) -> String {
        let place = self.place(name);
        match place.owner {
            Some(seat) => format!("{} {}", possessive(&self.player(seat)), place.name),
            None => format!("the {}", place.name),
        }
    }

    /// The text of an announcement: its seat, if it starts with that, and the rest.
    pub fn announced(&self, announcement: &str, seat: u32, value: i32) -> (Option<u32>, String) {
        let phrase = self
            .announcements
            .get(announcement)
            .map_or(announcement, |phrase| phrase.trim_end_matches('.'));
        let phrase = phrase.replace("{value}", &value.to_string());
        match phrase.strip_prefix("{seat} ") {
            Some(rest) => (Some(seat), rest.replace("{seat}", &self.player(seat))),
            None => (None, phrase.replace("{seat}", &self.player(seat))),
        }
    }

    /// Whether a coin measures something.
    pub fn is_degree(&self, coin: &str) -> bool {
        self.degrees.contains(coin)
    }

    /// An amount of coins: `2 credits`, or `2 honor` if the coin measures something.
    pub fn coins(&self, coin: &str, amount: Option<i64>) -> String {
        if !self.is_degree(coin) {
            return coins(coin, amount);
        }
        let count = amount.map_or_else(|| "some".into(), |amount| amount.to_string());
        format!("{count} {}", spaced(coin))
    }

    /// A prompt for these seats: `Cleo must decide: take or leave the offer.`
    pub fn decides(&self, seats: &[u32], prompt: &Prompt) -> String {
        let what = match self.decisions.get(&prompt.decision).map(String::as_str) {
            None | Some("") => spaced(&prompt.decision),
            Some(sentence) => uncapitalized(sentence.trim_end_matches('.')),
        };
        format!(
            "{} {} decide: {what}.",
            self.players(seats),
            if prompt.optional { "may" } else { "must" }
        )
    }

    /// An offer as a clause: `offers Bruno 3 credits for Plot 7`.
    pub fn offers(&self, offer: &Offer) -> String {
        let to = self.player(offer.to);
        let terms = |terms: &[OfferItem]| list(terms.iter().map(term));
        match (&offer.give[..], &offer.take[..]) {
            (give, []) => format!("offers {to} {} for nothing", terms(give)),
            ([], take) => format!("asks {to} for {}", terms(take)),
            (give, take) => format!("offers {to} {} for {}", terms(give), terms(take)),
        }
    }

    /// Points by player: `Scores: Ada 12, Bruno 9`.
    pub fn scores(&self, scores: impl Iterator<Item = (u32, i32)>) -> String {
        let scores = scores.map(|(seat, points)| format!("{} {points}", self.player(seat)));
        format!("Scores: {}", scores.collect::<Vec<_>>().join(", "))
    }

    /// The winners: `Ada wins`.
    pub fn won(&self, winners: &[u32]) -> String {
        match winners {
            [] => "Nobody wins".into(),
            [seat] => format!("{} wins", self.player(*seat)),
            seats => format!("{} share the win", self.players(seats)),
        }
    }
}

/// `spots/1/plot-7` of seat 1 as `spots of plot 7`: the seat is left out.
fn place_name(name: &str, owner: Option<u32>) -> String {
    let mut parts: Vec<_> = name.split('/').collect();
    let owner = owner.map(|seat| seat.to_string());
    if let Some(at) = parts.iter().skip(1).position(|part| Some(*part) == owner.as_deref()) {
        parts.remove(at + 1);
    }
    parts.into_iter().map(spaced).collect::<Vec<_>>().join(" of ")
}

/// A list of pieces, given the name and back of each: the visible ones by name, the others counted
/// by their backs.
pub fn pieces<'a>(faces: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> String {
    let named = faces.clone().filter(|(name, _)| !name.is_empty()).map(|(name, _)| piece(name));
    let mut backs: Vec<(&str, u32)> = Vec::new();
    for (_, back) in faces.clone().filter(|(name, _)| name.is_empty()) {
        match backs.iter_mut().find(|(it, _)| *it == back) {
            Some((_, count)) => *count += 1,
            None => backs.push((back, 1)),
        }
    }
    list(named.chain(backs.into_iter().map(|(back, count)| unseen(back, count))))
}

/// An item of an offer.
fn term(term: &OfferItem) -> String {
    if term.piece.is_empty() {
        coins(&term.coin, Some(term.amount.into()))
    } else {
        piece(&term.piece)
    }
}

/// `ace-of-suns` as a proper name: `Ace of Suns`. The part after a slash distinguishes copies and
/// is left out.
pub fn piece(name: &str) -> String {
    let name = name.split('/').next().unwrap_or(name);
    let word = |(n, word): (usize, &str)| match word {
        "of" | "the" | "and" | "a" | "an" | "in" | "on" | "to" | "for" if n > 0 => word.to_owned(),
        _ => capitalized(word),
    };
    name.split('-').enumerate().map(word).collect::<Vec<_>>().join(" ")
}

/// What a place holds that the viewer cannot count, beside what the viewer sees.
pub const UNCOUNTED: &str = "an unknown number of pieces";

/// Pieces that are face down; without a back, any number of pieces that the viewer cannot count.
pub fn unseen(back: &str, count: u32) -> String {
    if back.is_empty() {
        return "some pieces".into();
    }
    let (back, of) = back.split_once('/').map_or((back, None), |(back, of)| (back, Some(of)));
    let back = spaced(back);
    let unseen = match count {
        1 if back.starts_with(['a', 'e', 'i', 'o', 'u']) => format!("an {back}"),
        1 => format!("a {back}"),
        _ => format!("{count} {back}s"),
    };
    match of {
        Some(of) => format!("{unseen} of {}", spaced(of)),
        None => unseen,
    }
}

/// An amount of coins: `1 token`, `3 units of ore`; a hidden amount is `some`.
pub fn coins(coin: &str, amount: Option<i64>) -> String {
    let (kind, of) = coin.split_once('/').map_or((coin, None), |(kind, of)| (kind, Some(of)));
    let kind = spaced(kind) + if amount == Some(1) { "" } else { "s" };
    let count = amount.map_or_else(|| "some".into(), |amount| amount.to_string());
    match of {
        Some(of) => format!("{count} {kind} of {}", spaced(&of.replace('/', "-"))),
        None => format!("{count} {kind}"),
    }
}

/// A verb in the third person: `pass` becomes `passes`, `take-karma` becomes `takes karma`.
pub fn does(verb: &str) -> String {
    let (first, rest) = verb.split_once('-').unwrap_or((verb, ""));
    let bytes = first.as_bytes();
    let after_consonant = bytes.len() > 1 && !b"aeiou".contains(&bytes[bytes.len() - 2]);
    let first = match first.strip_suffix('y') {
        Some(stem) if after_consonant => format!("{stem}ies"),
        _ if ["s", "x", "z", "ch", "sh", "o"].iter().any(|end| first.ends_with(end)) => {
            format!("{first}es")
        }
        _ => format!("{first}s"),
    };
    format!("{first} {}", spaced(rest)).trim_end().to_owned()
}

/// `Ada, Bruno and Cleo`.
pub fn list(parts: impl IntoIterator<Item = String>) -> String {
    let mut parts: Vec<_> = parts.into_iter().collect();
    let last = parts.pop().unwrap_or_default();
    if parts.is_empty() { last } else { format!("{} and {last}", parts.join(", ")) }
}

pub fn spaced(name: &str) -> String {
    name.replace('-', " ")
}

pub fn capitalized(text: &str) -> String {
    changed(text, |first| first.to_uppercase().collect())
}

fn uncapitalized(text: &str) -> String {
    changed(text, |first| first.to_lowercase().collect())
}

fn changed(text: &str, change: impl Fn(char) -> String) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| change(first) + chars.as_str())
}

/// A player's id as a name: a lower-case word is capitalized, anything else is unchanged.
fn person(id: &str) -> String {
    if id.bytes().all(|byte| byte.is_ascii_lowercase()) { capitalized(id) } else { id.to_owned() }
}

pub fn possessive(name: &str) -> String {
    if name.ends_with('s') { format!("{name}'") } else { format!("{name}'s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verb_gets_its_third_person() {
        let does: Vec<_> = ["draw", "pass", "take-karma", "carry", "play", "go"].map(does).into();
        assert_eq!(does, ["draws", "passes", "takes karma", "carries", "plays", "goes"]);
    }

    #[test]
    fn pieces_have_proper_names() {
        assert_eq!(piece("ace-of-suns"), "Ace of Suns");
        assert_eq!(piece("plot-12"), "Plot 12");
        assert_eq!(piece("rat-in-the-ranks/2"), "Rat in the Ranks");
    }

    #[test]
    fn face_down_pieces_are_counted_by_their_backs() {
        assert_eq!(unseen("card", 2), "2 cards");
        assert_eq!(unseen("event", 1), "an event");
        assert_eq!(unseen("tier-one-card/corvid", 1), "a tier one card of corvid");
        assert_eq!(unseen("tier-one-card/corvid", 3), "3 tier one cards of corvid");
        assert_eq!(unseen("", 1), "some pieces");
    }

    #[test]
    fn coins_agree_with_their_amount() {
        assert_eq!(coins("token", Some(1)), "1 token");
        assert_eq!(coins("unit/ore", Some(3)), "3 units of ore");
        assert_eq!(coins("credit", None), "some credits");
    }

    #[test]
    fn a_place_is_named_without_its_owner() {
        assert_eq!(place_name("spots/1/plot-7", Some(1)), "spots of plot 7");
        assert_eq!(place_name("hand/2", Some(2)), "hand");
        assert_eq!(place_name("crown/moons", None), "crown of moons");
    }
}
