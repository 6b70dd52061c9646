//! Places, pieces, coins and values in words.

use table::{
    Argument, CoinId, DecisionId, Face, Facet, FacetValue, Layout, Offer, OfferItem, Piece,
    PieceRow, PlaceId, Seat, Seats, Small,
};

use crate::narrator::Voice;
use crate::people::{Is, OTHER, OWNER, Person, TO};
use crate::words::{Args, PieceTitles, Words};

impl<'a> Voice<'a> {
    /// `Ada, Bruno and you`.
    pub fn people(self, seats: Seats) -> String {
        self.words().list(seats.iter().map(|seat| self.person(seat).name().to_owned()))
    }

    /// Adds people as `people`, in the other cases as `people-them` and `people-to`, and as
    /// `people-are` whether the reader is among them: `with-you` or `many`.
    pub fn with_people(
        self,
        args: Args<'a>,
        seats: impl Iterator<Item = Seat> + Clone,
    ) -> Args<'a> {
        let list = |form: fn(&Person) -> &str| {
            self.words().list(seats.clone().map(|seat| form(self.person(seat)).to_owned()))
        };
        let is_told = seats.clone().any(|seat| self.person(seat).is_reader());
        args.text("people", list(Person::name))
            .text("people-them", list(Person::them))
            .text("people-to", list(Person::to))
            .text("people-are", if is_told { "with-you" } else { "many" })
    }

    /// A place with a preposition: `from`, `to` or `at`. If it belongs to `subject`, the seat that
    /// the sentence is about, the owner is not named again.
    pub fn place(self, place: PlaceId, preposition: &str, subject: Option<Seat>) -> String {
        let row = self.layout().place(place);
        let mut args = arguments(self.words(), self.layout(), &row.arguments);
        let seats = row.arguments.iter().filter_map(Argument::seat);
        for (forms, seat) in [OWNER, OTHER].into_iter().zip(seats) {
            let person = self.person(seat);
            let is = match person.is() {
                Is::Other if subject == Some(seat) => Is::Itself,
                is => is,
            };
            args = args.person_as(forms, person, is);
        }
        let key = format!("place-{}", row.case());
        let phrase = self.words().attribute(&key, preposition, &args);
        phrase.unwrap_or_else(|| self.words().say(&key, &args))
    }

    /// A piece in a sentence, by its title.
    pub fn piece(self, piece: Piece) -> String {
        let title = self.words().piece(self.layout(), piece);
        let back = self.layout().back_term(self.layout().back(piece)).case();
        self.words().say("named", &Args::new().text("title", title).text("back", back))
    }

    /// A piece in a label or a refusal, by its title. If copies of it lie elsewhere on the table on
    /// which the voice tells them apart, its place is named too.
    pub fn picked(self, piece: Piece) -> String {
        let title = match self.is_brief {
            true => self.words().brief_piece(self.layout(), piece).to_owned(),
            false => self.piece(piece),
        };
        let Some(table) = self.apart_on else { return title };
        let (layout, place) = (self.layout(), table.at(piece));
        let is_elsewhere = |other: &PieceRow| {
            let at = table.at(other.piece);
            layout.first_copy(other.piece) == layout.first_copy(piece)
                && at.is_some()
                && at != place
        };
        match place {
            Some(place) if layout.pieces().iter().any(is_elsewhere) => {
                let args =
                    Args::new().text("title", title).text("at", self.place(place, "at", None));
                self.words().say("named-at", &args)
            }
            _ => title,
        }
    }

    /// `Ada, Bruno and Cleo`, or without a last "and" in a short label.
    pub fn list(self, parts: impl IntoIterator<Item = String>) -> String {
        let parts: Vec<String> = parts.into_iter().collect();
        if self.is_brief && !parts.is_empty() { parts.join(", ") } else { self.words().list(parts) }
    }

    /// A list of pieces: visible ones by title, others counted by back.
    pub fn pieces(self, faces: impl Iterator<Item = Face>) -> String {
        let (mut parts, mut backs) = (Vec::new(), Vec::new());
        for face in faces {
            match face {
                Face::Up(piece) => {
                    parts.push(self.piece(piece));
                }
                Face::Down(back) => match backs.iter_mut().find(|(it, _)| *it == Some(back)) {
                    Some((_, count)) => *count += 1,
                    None => backs.push((Some(back), 1)),
                },
                Face::Uncounted => backs.push((None, 1)),
            }
        }
        parts.extend(backs.into_iter().map(|(back, count)| self.unseen(back, count)));
        self.words().list(parts)
    }

    /// Pieces that are face down; without a back, an unknown number of pieces.
    pub fn unseen(self, back: Option<table::BackId>, count: usize) -> String {
        let Some(back) = back else { return self.words().say("some-pieces", &Args::new()) };
        let row = self.layout().back_term(back);
        let args = arguments(self.words(), self.layout(), &row.arguments);
        let args = args.number("count", count as i64);
        let key = format!("back-{}", row.case());
        self.words().attribute(&key, "counted", &args).unwrap_or(key)
    }

    /// An amount of coins in the words of the game; "some" if it is hidden.
    pub fn coins(self, coin: CoinId, amount: Option<i64>) -> String {
        coins(self.words(), self.layout(), coin, amount)
    }

    /// A decision, as the infinitive that follows "must".
    pub fn decision(self, decision: DecisionId) -> String {
        let row = self.layout().decision_term(decision);
        let args = arguments(self.words(), self.layout(), &row.arguments);
        self.words().say(&format!("decision-{}", row.case()), &args)
    }

    /// An offer as the arguments `to` and, for both sides, `give` and `take`.
    pub fn terms(self, offer: &Offer) -> Args<'a> {
        let side = |items: &[OfferItem]| {
            let items = items.iter().map(|item| match *item {
                OfferItem::Piece { piece, .. } => self.piece(piece),
                OfferItem::Coins { coin, amount, .. } => self.coins(coin, Some(amount.into())),
            });
            self.words().list(items)
        };
        Args::new()
            .text("give", side(&offer.give))
            .text("take", side(&offer.take))
            .person(TO, self.person(offer.to))
    }

    /// The player of the seat with this number, if there is such a seat.
    pub fn numbered(self, number: i64) -> Option<&'a Person> {
        Some(self.person(usize::try_from(number).ok().and_then(Seat::nth)?))
    }

    /// The piece or the decision with this public name.
    pub fn named(self, name: &str) -> Option<String> {
        let layout = self.layout();
        if let Some(piece) = layout.piece_named(name) {
            return Some(self.picked(piece));
        }
        let decision = layout.decisions().iter().find(|it| it.name == name)?;
        Some(self.decision(decision.id))
    }
}

/// An amount of coins in the words of the game; "some" if it is hidden.
pub(crate) fn coins(words: &Words, layout: &Layout, coin: CoinId, amount: Option<i64>) -> String {
    let row = layout.coin_term(coin);
    let key = format!("coin-{}", row.case());
    let args = arguments(words, layout, &row.arguments);
    let text = match amount {
        Some(amount) => words.attribute(&key, "amount", &args.number("amount", amount)),
        None => words.attribute(&key, "some", &args),
    };
    text.unwrap_or(key)
}

impl Words {
    /// The title printed on a piece.
    pub fn piece(&self, layout: &Layout, piece: Piece) -> &str {
        &self.pieces(layout)[piece.index()].printed
    }

    /// The title of a piece in a drawn table, which may say more than its card shows first.
    pub fn exact_piece(&self, layout: &Layout, piece: Piece) -> &str {
        &self.pieces(layout)[piece.index()].exact
    }

    /// The title of a piece in a short label.
    pub fn brief_piece(&self, layout: &Layout, piece: Piece) -> &str {
        &self.pieces(layout)[piece.index()].brief
    }

    fn pieces(&self, layout: &Layout) -> &[PieceTitles] {
        let titles = |row: &PieceRow| {
            let (key, facets) = (format!("piece-{}", row.words), facets(self, row));
            let printed = self.say(&key, &facets);
            let brief = self.attribute(&key, "brief", &facets).unwrap_or_else(|| printed.clone());
            let exact = self.attribute(&key, "exact", &facets).unwrap_or_else(|| brief.clone());
            PieceTitles { printed, exact, brief }
        };
        self.pieces.get_or_init(|| layout.pieces().iter().map(titles).collect())
    }
}

/// The text printed on a piece, if any.
pub(crate) fn piece_text(words: &Words, row: &PieceRow) -> Option<String> {
    words.attribute(&format!("piece-{}", row.words), "text", &facets(words, row))
}

/// The facets of a piece by their names, and its number among its kind, if that is printed on it.
fn facets<'a>(words: &Words, row: &'a PieceRow) -> Args<'a> {
    let args = Args::new().text("copy", row.copy());
    row.facets.iter().fold(args, |args, Facet { name, value, .. }| match value {
        FacetValue::Number(number) => args.number(*name, i64::from(*number)),
        FacetValue::Values(values) => {
            let key = values.join(" ");
            let titles = values.iter().map(|value| value_title(words, value));
            args.text(*name, words.list(titles)).text(format!("{name}-key"), key)
        }
    })
}

pub(crate) fn value_title(words: &Words, value: &str) -> String {
    words.say(&format!("value-{value}"), &Args::new())
}

/// The arguments of a case: `piece`, `value` and `value-key`, `number`. Callers that know the names
/// of players add seats.
pub(crate) fn arguments<'a>(
    words: &'a Words,
    layout: &Layout,
    arguments: &'a [Argument],
) -> Args<'a> {
    arguments.iter().fold(Args::new(), |args, argument| match argument {
        Argument::Seat(_) => args,
        Argument::Piece(piece) => args.text("piece", words.piece(layout, *piece)),
        Argument::Value(value) => {
            let title = words.find(&format!("value-{value}"), &Args::new()).unwrap_or_default();
            args.text("value", title).text("value-key", &**value)
        }
        Argument::Number(number) => args.number("number", i64::from(*number) + 1),
    })
}
