//! Entries as sentences, for any game, from its layout alone.

pub mod vocabulary;

use std::collections::BTreeSet;

use api::v1::event::Kind;
use api::v1::{Entry, Event, Moved, Paid, Prompt, Said, Shown, Sight};

use vocabulary::{Place, Vocabulary, capitalized, list, possessive};

/// Narrates the entries of one match, in order.
pub struct Narrator {
    vocabulary: Vocabulary,
    /// The prompts after the last entry. Only new ones are mentioned.
    prompts: Vec<Prompt>,
}

impl Narrator {
    pub fn new(vocabulary: Vocabulary) -> Narrator {
        Narrator { vocabulary, prompts: Vec::new() }
    }

    /// An entry as a few sentences.
    pub fn narrate(&mut self, entry: &Entry) -> String {
        let vocabulary = &self.vocabulary;
        let events = entry.events.iter().filter_map(|event: &Event| event.kind.as_ref());
        let mut beats = Vec::new();
        events.for_each(|kind| join(vocabulary, &mut beats, kind, entry.seat.is_none()));
        let phrases: Vec<_> =
            beats.iter().filter_map(|beat| beat.phrase(vocabulary, entry)).collect();
        let mut sentences = sentences(vocabulary, entry, combine(vocabulary, entry, &phrases));
        sentences.extend(self.decisions(entry));
        self.prompts.clone_from(&entry.prompts);
        sentences.join(" ")
    }

    /// The new decisions, except those that go without saying: of the seat that just acted, and of
    /// the seat whose turn just began.
    fn decisions(&self, entry: &Entry) -> Vec<String> {
        let turn = entry.events.iter().rev().find_map(|event| match event.kind {
            Some(Kind::TurnBegan(seat)) => Some(seat),
            _ => None,
        });
        let top = entry.prompts.iter().map(|prompt| prompt.layer).max().unwrap_or_default();
        let is_new = |prompt: &&Prompt| {
            prompt.layer == top
                && Some(prompt.seat) != entry.seat
                && Some(prompt.seat) != turn
                && !self.prompts.contains(prompt)
        };
        let mut decisions: Vec<(&Prompt, Vec<u32>)> = Vec::new();
        for prompt in entry.prompts.iter().filter(is_new) {
            let is_same = |other: &Prompt| {
                (&other.decision, other.optional) == (&prompt.decision, prompt.optional)
            };
            match decisions.iter_mut().find(|(other, _)| is_same(other)) {
                Some((_, seats)) => seats.push(prompt.seat),
                None => decisions.push((prompt, vec![prompt.seat])),
            }
        }
        decisions
            .into_iter()
            .map(|(prompt, seats)| self.vocabulary.decides(&seats, prompt))
            .collect()
    }
}

/// Events that form one clause together.
enum Beat<'a> {
    Moves(Vec<&'a Moved>),
    /// Coins of one kind from one place, with the amount for each target place.
    Coins(&'a Paid, Vec<(&'a str, Option<i64>)>),
    Views(Vec<&'a Shown>),
    Rolls(u32, Vec<u32>),
    Scores(Vec<(u32, i32)>),
    Other(&'a Kind),
}

/// Adds an event to the beat that it belongs to: the last one, or any if the order is irrelevant.
fn join<'a>(vocabulary: &Vocabulary, beats: &mut Vec<Beat<'a>>, kind: &'a Kind, unordered: bool) {
    let reach = if unordered { beats.len() } else { 1 };
    if beats.iter_mut().rev().take(reach).any(|beat| beat.takes_in(vocabulary, kind)) {
        return;
    }
    beats.push(match kind {
        Kind::Moved(moved) => Beat::Moves(vec![moved]),
        Kind::Paid(paid) => Beat::Coins(paid, vec![(&paid.to, paid.amount.map(i64::from))]),
        Kind::Shown(shown) => Beat::Views(vec![shown]),
        Kind::Rolled(rolled) => Beat::Rolls(rolled.seat, vec![rolled.value]),
        Kind::Scored(scored) => Beat::Scores(vec![(scored.seat, scored.points)]),
        other => Beat::Other(other),
    });
}

impl<'a> Beat<'a> {
    fn takes_in(&mut self, vocabulary: &Vocabulary, kind: &'a Kind) -> bool {
        match (self, kind) {
            (Beat::Moves(moves), Kind::Moved(moved))
                if (&moves[0].from, &moves[0].to) == (&moved.from, &moved.to) =>
            {
                moves.push(moved);
            }
            (Beat::Coins(first, shares), Kind::Paid(paid))
                if (&first.coin, &first.from) == (&paid.coin, &paid.from) =>
            {
                return share(vocabulary, shares, paid);
            }
            (Beat::Views(views), Kind::Shown(shown))
                if (&views[0].at, &views[0].seats, views[0].everyone)
                    == (&shown.at, &shown.seats, shown.everyone) =>
            {
                views.push(shown);
            }
            (Beat::Rolls(seat, values), Kind::Rolled(rolled)) if *seat == rolled.seat => {
                values.push(rolled.value)
            }
            (Beat::Scores(scores), Kind::Scored(scored)) => {
                scores.push((scored.seat, scored.points))
            }
            _ => return false,
        }
        true
    }

    /// None for a beat that is not worth a clause.
    fn phrase(&self, vocabulary: &Vocabulary, entry: &Entry) -> Option<Phrase> {
        Some(match self {
            Beat::Moves(moves) => moved(vocabulary, entry, moves),
            Beat::Coins(first, shares) => return paid(vocabulary, entry, first, shares),
            Beat::Views(views) => shown(vocabulary, views),
            Beat::Rolls(seat, values) => Phrase::Clause(
                Some(*seat),
                format!("rolls {}", list(values.iter().map(u32::to_string))),
            ),
            Beat::Scores(scores) => Phrase::Sentence(vocabulary.scores(scores.iter().copied())),
            Beat::Other(kind) => return other(vocabulary, entry, kind),
        })
    }
}

/// Adds coins to the share of their target place. Several targets form one clause if none of them
/// belongs to a seat.
fn share<'a>(
    vocabulary: &Vocabulary,
    shares: &mut Vec<(&'a str, Option<i64>)>,
    paid: &'a Paid,
) -> bool {
    let amount = paid.amount.map(i64::from);
    if let Some((_, sum)) = shares.iter_mut().find(|(to, _)| *to == paid.to) {
        *sum = sum.zip(amount).map(|(sum, amount)| sum + amount);
        return true;
    }
    let common =
        vocabulary.place(&paid.to).owner.is_none() && vocabulary.place(shares[0].0).owner.is_none();
    if common {
        shares.push((&paid.to, amount));
    }
    common
}

/// A beat in words.
#[derive(Clone)]
enum Phrase {
    /// What a seat does; without a seat, what happens to a thing.
    Clause(Option<u32>, String),
    /// What the acting seat does, in the words of the layout.
    Headline(u32, String),
    Sentence(String),
}

impl Phrase {
    fn subject(&self) -> Option<u32> {
        match self {
            Phrase::Clause(seat, _) => *seat,
            Phrase::Headline(seat, _) => Some(*seat),
            Phrase::Sentence(_) => None,
        }
    }
}

/// The verb of resigning, in every game.
const RESIGN: &str = "resign";

/// Pieces that move from one place to another.
fn moved(vocabulary: &Vocabulary, entry: &Entry, moves: &[&Moved]) -> Phrase {
    let (from, to) = (vocabulary.place(&moves[0].from), vocabulary.place(&moves[0].to));
    let what = vocabulary::pieces(moves.iter().map(|it| (&*it.piece, &*it.back)));
    let one = moves.len() == 1;
    let opens = from.sight != Sight::All && to.sight == Sight::All;
    let discarded = to.name == "discard" || to.name.ends_with(" discard");
    match (from.owner, to.owner) {
        (None, Some(seat)) => Phrase::Clause(Some(seat), received(entry, &what, &from, &to)),
        (Some(seat), None) if discarded => Phrase::Clause(Some(seat), format!("discards {what}")),
        (Some(seat), None) => {
            let does = if opens { "plays" } else { "puts" };
            Phrase::Clause(
                Some(seat),
                format!("{does} {what} from the {} to the {}", from.name, to.name),
            )
        }
        (Some(seat), Some(same)) if seat == same && opens => {
            Phrase::Clause(Some(seat), format!("reveals {what}"))
        }
        (Some(seat), Some(same)) if seat == same => Phrase::Clause(
            Some(seat),
            format!("moves {what} from the {} to the {}", from.name, to.name),
        ),
        (Some(_), Some(taker)) if entry.seat == Some(taker) => Phrase::Clause(
            Some(taker),
            format!("takes {what} from {}", vocabulary.at(&moves[0].from)),
        ),
        (Some(giver), Some(other)) => {
            Phrase::Clause(Some(giver), format!("gives {what} to {}", vocabulary.player(other)))
        }
        (None, None) if discarded => {
            Phrase::Clause(None, format!("{what} {} discarded", if one { "is" } else { "are" }))
        }
        (None, None) => {
            let comes = match (opens, one) {
                (true, true) => "comes",
                (true, false) => "come",
                (false, true) => "goes",
                (false, false) => "go",
            };
            Phrase::Clause(
                None,
                format!("{what} {comes} from the {} to the {}", from.name, to.name),
            )
        }
    }
}

/// What a seat does that receives pieces from a common place.
fn received(entry: &Entry, what: &str, from: &Place, to: &Place) -> String {
    let does = match entry.seat {
        None => "is dealt",
        Some(_) if from.sight == Sight::All => "takes",
        Some(_) => "draws",
    };
    let source =
        if entry.seat.is_none() { String::new() } else { format!(" from the {}", from.name) };
    let target =
        if to.sight == Sight::All { format!(" to the {}", to.name) } else { String::new() };
    format!("{does} {what}{source}{target}")
}

/// Coins of one kind from one place; none if no coin moves.
fn paid(
    vocabulary: &Vocabulary,
    entry: &Entry,
    first: &Paid,
    shares: &[(&str, Option<i64>)],
) -> Option<Phrase> {
    let shares: Vec<_> = shares.iter().filter(|(_, amount)| *amount != Some(0)).collect();
    let &(target, amount) = *shares.first()?;
    let what = vocabulary.coins(&first.coin, amount);
    let [gets, pays] =
        if vocabulary.is_degree(&first.coin) { ["gains", "loses"] } else { ["gets", "pays"] };
    let (from, to) = (vocabulary.place(&first.from), vocabulary.place(target));
    Some(match (from.owner, to.owner) {
        (None, Some(seat)) if from.is_bank_of(&first.coin) => {
            Phrase::Clause(Some(seat), format!("{gets} {what}"))
        }
        (None, Some(seat)) => {
            Phrase::Clause(Some(seat), format!("takes {what} from the {}", from.name))
        }
        (Some(seat), None) if to.is_bank_of(&first.coin) => {
            Phrase::Clause(Some(seat), format!("{pays} {what}"))
        }
        (Some(seat), None) => Phrase::Clause(Some(seat), format!("pays {what} to the {}", to.name)),
        (Some(seat), Some(same)) if seat == same => Phrase::Clause(
            Some(seat),
            format!("moves {what} from the {} to the {}", from.name, to.name),
        ),
        (Some(payer), Some(taker)) if entry.seat == Some(taker) => {
            Phrase::Clause(Some(taker), format!("takes {what} from {}", vocabulary.player(payer)))
        }
        (Some(payer), Some(taker)) => {
            Phrase::Clause(Some(payer), format!("pays {} {what}", vocabulary.player(taker)))
        }
        (None, None) => {
            let source = if from.is_bank_of(&first.coin) {
                String::new()
            } else {
                format!(" from the {}", from.name)
            };
            let goes = if amount == Some(1) { "goes" } else { "go" };
            let more = shares[1..].iter().map(|(to, amount)| {
                let amount = amount.map_or_else(|| "some".into(), |amount| amount.to_string());
                format!("{amount} to {}", vocabulary.at(to))
            });
            let first = format!("{what} {goes}{source} to the {}", to.name);
            Phrase::Clause(None, list(std::iter::once(first).chain(more)))
        }
    })
}

/// Pieces that seats see without moving them.
fn shown(vocabulary: &Vocabulary, views: &[&Shown]) -> Phrase {
    let view = views[0];
    let what = vocabulary::pieces(views.iter().map(|it| (&*it.piece, &*it.back)));
    let place = vocabulary.place(&view.at);
    match (view.everyone, place.owner, &view.seats[..]) {
        (true, Some(seat), _) => Phrase::Clause(Some(seat), format!("shows {what}")),
        (true, None, _) => {
            Phrase::Clause(None, format!("everyone sees {what} in the {}", place.name))
        }
        (false, Some(own), &[seat]) if own == seat => {
            Phrase::Clause(Some(seat), format!("looks at {what} in the {}", place.name))
        }
        (false, _, &[seat]) => {
            Phrase::Clause(Some(seat), format!("looks at {what} in {}", vocabulary.at(&view.at)))
        }
        (false, _, seats) => Phrase::Clause(
            None,
            format!("{} look at {what} in {}", vocabulary.players(seats), vocabulary.at(&view.at)),
        ),
    }
}

/// An event that forms a clause by itself.
fn other(vocabulary: &Vocabulary, entry: &Entry, kind: &Kind) -> Option<Phrase> {
    Some(match kind {
        Kind::Gathered(gathered) => {
            let (from, to) = (vocabulary.place(&gathered.from), vocabulary.place(&gathered.to));
            if from.owner.is_some() && from.owner == to.owner {
                // A seat rearranges its own pieces.
                return None;
            }
            let text = if to.sight == Sight::Nobody {
                format!(
                    "{} is refilled from {}",
                    vocabulary.at(&gathered.to),
                    vocabulary.at(&gathered.from)
                )
            } else {
                format!(
                    "everything in {} goes to {}",
                    vocabulary.at(&gathered.from),
                    vocabulary.at(&gathered.to)
                )
            };
            Phrase::Clause(None, text)
        }
        Kind::Announced(it) => match vocabulary.announced(&it.announcement, it.seat, it.value) {
            (Some(seat), text) if entry.seat == Some(seat) => Phrase::Headline(seat, text),
            (subject, text) => Phrase::Clause(subject, text),
        },
        Kind::RoundBegan(round) => Phrase::Sentence(format!("Round {round} begins")),
        Kind::PhaseBegan(phase) => Phrase::Sentence(format!("Phase {phase} begins")),
        Kind::TurnBegan(seat) if entry.seat == Some(*seat) => {
            Phrase::Sentence(format!("It is {} turn again", possessive(&vocabulary.player(*seat))))
        }
        Kind::TurnBegan(seat) => Phrase::Sentence(format!("{} is next", vocabulary.player(*seat))),
        Kind::Offered(offer) => Phrase::Clause(Some(offer.by), vocabulary.offers(offer)),
        Kind::OfferClosed(by) => Phrase::Clause(
            None,
            format!("{} offer is off the table", possessive(&vocabulary.player(*by))),
        ),
        Kind::Resigned(_) if entry.verb == RESIGN => return None,
        Kind::Resigned(seat) => Phrase::Clause(Some(*seat), "gives up the seat".into()),
        Kind::Ended(ended) => Phrase::Sentence(vocabulary.won(&ended.winners)),
        Kind::Said(said) => Phrase::Clause(Some(said.seat), says(vocabulary, said)),
        Kind::Stood(stood) => Phrase::Clause(
            Some(stood.seat),
            if stood.on {
                format!("lets the house answer {:?} from now on", stood.decision)
            } else {
                format!("answers {:?} again", stood.decision)
            },
        ),
        // Marks are bookkeeping. A game announces those that matter to people.
        Kind::Marked(_) => return None,
        Kind::Moved(_) | Kind::Paid(_) | Kind::Shown(_) | Kind::Rolled(_) | Kind::Scored(_) => {
            return None;
        }
    })
}

/// What a player wrote is quoted and escaped, since it may contain control characters.
fn says(vocabulary: &Vocabulary, said: &Said) -> String {
    match (&*said.text, said.everyone) {
        ("", _) => "says something in private".into(),
        (text, true) => format!("says {text:?}"),
        (text, false) => format!("says {text:?} to {} in private", vocabulary.players(&said.seats)),
    }
}

/// Combines what every player, or every other player, does alike into one phrase.
fn combine(vocabulary: &Vocabulary, entry: &Entry, phrases: &[Phrase]) -> Vec<Phrase> {
    let all: BTreeSet<u32> = (0..vocabulary.seats() as u32).collect();
    let subject = |text: &str| {
        let is_same = |it: &&Phrase| matches!(it, Phrase::Clause(Some(_), same) if same == text);
        let count = phrases.iter().filter(is_same).count();
        let seats: BTreeSet<u32> =
            phrases.iter().filter(is_same).filter_map(Phrase::subject).collect();
        let others: Vec<u32> = all.difference(&seats).copied().collect();
        match others[..] {
            _ if count < 2 || count > seats.len() => None,
            [] => Some("each player"),
            // Only if it is clear which player is left out.
            [one] if entry.seat == Some(one) => Some("each other player"),
            [one] if entry.seat.is_none() && phrases.iter().any(|it| it.subject() == Some(one)) => {
                Some("each other player")
            }
            _ => None,
        }
    };
    let mut combined = BTreeSet::new();
    let once = |it: &Phrase| match it {
        Phrase::Clause(Some(_), text) => match subject(text) {
            Some(subject) => combined
                .insert(text.clone())
                .then(|| Phrase::Clause(None, format!("{subject} {text}"))),
            None => Some(it.clone()),
        },
        _ => Some(it.clone()),
    };
    phrases.iter().filter_map(once).collect()
}

/// Arranges phrases in sentences. The first says who acted and how; the consequences follow.
fn sentences(vocabulary: &Vocabulary, entry: &Entry, phrases: Vec<Phrase>) -> Vec<String> {
    let (head, phrases) = headline(vocabulary, entry, phrases);
    let mut sentences = Vec::new();
    let mut open = Some(head);
    for it in phrases {
        let sentence = open.get_or_insert_default();
        match it {
            Phrase::Clause(Some(seat), text) | Phrase::Headline(seat, text)
                if sentence.subject == Some(seat) =>
            {
                sentence.clauses.push(text);
            }
            Phrase::Clause(Some(seat), text) | Phrase::Headline(seat, text) => {
                sentence.subject = Some(seat);
                sentence.clauses.push(format!("{} {text}", vocabulary.player(seat)));
            }
            Phrase::Clause(None, text) => {
                sentence.subject = None;
                sentence.clauses.push(text);
            }
            Phrase::Sentence(text) => {
                sentences.extend(open.take().and_then(Sentence::finish));
                sentences.push(text + ".");
            }
        }
    }
    sentences.extend(open.and_then(Sentence::finish));
    sentences
}

/// A sentence under construction: its head, and the clauses that follow.
#[derive(Default)]
struct Sentence {
    head: String,
    /// The seat named last, which is the subject of a clause that names none.
    subject: Option<u32>,
    /// Separates the head from the first clause.
    joint: &'static str,
    clauses: Vec<String>,
}

impl Sentence {
    fn finish(self) -> Option<String> {
        let clauses = self.clauses.join("; ");
        let joint = if self.head.is_empty() || clauses.is_empty() { "" } else { self.joint };
        let text = self.head + joint + &clauses;
        (!text.is_empty()).then(|| capitalized(&text) + ".")
    }
}

/// Who acted and how: in the words of the layout, or by the first clause if it has the same verb,
/// or by the verb.
fn headline(
    vocabulary: &Vocabulary,
    entry: &Entry,
    mut phrases: Vec<Phrase>,
) -> (Sentence, Vec<Phrase>) {
    let sentence = |head, joint| Sentence { head, subject: entry.seat, joint, clauses: Vec::new() };
    let does = vocabulary::does(&entry.verb);
    let Some(seat) = entry.seat else {
        let opens = entry.position == 1;
        let head = if opens { "the table is set up".into() } else { format!("the house {does}") };
        return (sentence(head, ": "), phrases);
    };
    let name = vocabulary.player(seat);
    let has_verb = |text: &str| text.split(' ').next() == does.split(' ').next();
    let own = phrases.iter().position(|it| matches!(it, Phrase::Headline(..)));
    let first = match own {
        Some(at) => phrases.remove(at),
        None if matches!(phrases.first(), Some(Phrase::Clause(Some(by), text)) if *by == seat && has_verb(text)) => {
            phrases.remove(0)
        }
        None => return (sentence(format!("{name} {does}"), ": "), phrases),
    };
    let joint = if own.is_some() { ": " } else { "; " };
    match first {
        Phrase::Headline(_, text) | Phrase::Clause(_, text) | Phrase::Sentence(text) => {
            (sentence(format!("{name} {text}"), joint), phrases)
        }
    }
}

#[cfg(test)]
mod tests;
