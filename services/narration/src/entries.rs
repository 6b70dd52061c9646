//! Entries as a few sentences each. The first says who acted and how; the consequences follow.

use std::collections::BTreeSet;

use table::{Entry, Event, OPEN, Prompt, Seat, Seats};

use crate::Narrator;
use crate::clauses::{Beat, Phrase, Said, is_reader, join};
use crate::things::Voice;
use crate::words::{Args, capitalized};

impl Narrator {
    /// An entry in sentences, as far as the reader knows it.
    pub fn entry(&self, entry: &Entry) -> String {
        let voice = self.voice();
        let mut beats: Vec<Beat> = Vec::new();
        for event in &entry.events {
            join(voice, &mut beats, event, entry.seat.is_none());
        }
        let phrases = beats.iter().filter_map(|beat| beat.phrase(voice, entry));
        let mut phrases: Vec<Phrase> = phrases.collect();
        // A game may tell several events in the same words, such as all that moves on with time.
        phrases.dedup_by(
            |it, last| matches!((it, last), (Phrase::Happens(it), Phrase::Happens(last)) if it == last),
        );
        let mut sentences = sentences(voice, entry, combine(voice, entry, &phrases));
        sentences.extend(decisions(voice, entry));
        sentences.join(" ")
    }

    /// A prompt in a sentence.
    pub fn prompt(&self, prompt: &Prompt) -> String {
        decides(self.voice(), std::iter::once(prompt.seat).collect(), prompt)
    }
}

/// The decisions that this entry opened, except those that go without saying: of the seat that just
/// acted, and of the seat whose turn just began.
fn decisions(voice: Voice, entry: &Entry) -> Vec<String> {
    let turn = entry.events.iter().rev().find_map(|event| match event {
        Event::TurnBegan(seat) => Some(*seat),
        _ => None,
    });
    let top = entry.prompts.iter().map(|prompt| prompt.layer).max().unwrap_or_default();
    let is_new = |prompt: &&Prompt| {
        prompt.layer == top
            && prompt.age == 0
            && Some(prompt.seat) != entry.seat
            && Some(prompt.seat) != turn
    };
    let mut decisions: Vec<(&Prompt, Seats)> = Vec::new();
    for prompt in entry.prompts.iter().filter(is_new) {
        let is_same =
            |other: &Prompt| (other.decision, other.must) == (prompt.decision, prompt.must);
        match decisions.iter_mut().find(|(other, _)| is_same(other)) {
            Some((_, seats)) => seats.add(prompt.seat),
            None => decisions.push((prompt, std::iter::once(prompt.seat).collect())),
        }
    }
    decisions.into_iter().map(|(prompt, seats)| decides(voice, seats, prompt)).collect()
}

/// `Cleo must take or leave the offer.`
pub(crate) fn decides(voice: Voice, seats: Seats, prompt: &Prompt) -> String {
    let is_one = seats.iter().nth(1).is_none();
    let form = match (seats.iter().any(|seat| is_reader(voice, seat)), is_one) {
        (true, true) => "you",
        (false, true) => "one",
        (true, false) => "with-you",
        (false, false) => "many",
    };
    let key = if prompt.must { "prompt-must" } else { "prompt-may" };
    let args = Args::new()
        .text("people", voice.people(seats))
        .text("people-are", form)
        .text("decision", voice.decision(prompt.decision));
    capitalized(&voice.words().say(key, &args)) + "."
}

/// Combines what every player, or every other player, does alike into one phrase.
fn combine(voice: Voice, entry: &Entry, phrases: &[Phrase]) -> Vec<Phrase> {
    let all: BTreeSet<Seat> = voice.narrator.people.seats().collect();
    let who = |said: &Said| {
        let alike = phrases.iter().filter_map(|it| match it {
            Phrase::Does(seat, same) if same.third == said.third => Some(*seat),
            _ => None,
        });
        let (count, seats) = (alike.clone().count(), alike.collect::<BTreeSet<Seat>>());
        let others: Vec<Seat> = all.difference(&seats).copied().collect();
        match others[..] {
            _ if count < 2 || count > seats.len() => None,
            [] => Some("each-player"),
            // Only if it is clear which player is left out.
            [one] if entry.seat == Some(one) => Some("each-other-player"),
            [one] if entry.seat.is_none() && phrases.iter().any(|it| subject(it) == Some(one)) => {
                Some("each-other-player")
            }
            _ => None,
        }
    };
    let mut combined = BTreeSet::new();
    let once = |it: &Phrase| match it {
        Phrase::Does(_, said) => match who(said) {
            Some(key) => combined.insert(said.third.clone()).then(|| {
                let each = voice.words().say(key, &Args::new());
                Phrase::Happens(format!("{each} {}", said.third))
            }),
            None => Some(it.clone()),
        },
        Phrase::Opens(..) | Phrase::Happens(_) | Phrase::Sentence(_) => Some(it.clone()),
    };
    phrases.iter().filter_map(once).collect()
}

fn subject(phrase: &Phrase) -> Option<Seat> {
    match phrase {
        Phrase::Does(seat, _) | Phrase::Opens(seat, _) => Some(*seat),
        Phrase::Happens(_) | Phrase::Sentence(_) => None,
    }
}

/// Arranges phrases in sentences.
fn sentences(voice: Voice, entry: &Entry, phrases: Vec<Phrase>) -> Vec<String> {
    let (head, phrases) = headline(voice, entry, phrases);
    let mut sentences = Vec::new();
    let mut open = Some(head);
    for it in phrases {
        let sentence = open.get_or_insert_default();
        match it {
            Phrase::Does(seat, Said { text, .. }) | Phrase::Opens(seat, Said { text, .. }) => {
                if sentence.subject == Some(seat) {
                    sentence.clauses.push(text);
                } else {
                    sentence.subject = Some(seat);
                    sentence.clauses.push(format!("{} {text}", voice.person(seat).name()));
                }
            }
            Phrase::Happens(text) => {
                sentence.subject = None;
                sentence.clauses.push(text);
            }
            Phrase::Sentence(text) => {
                sentences.extend(open.take().and_then(Sentence::finish));
                sentences.push(capitalized(&text) + ".");
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
    subject: Option<Seat>,
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

/// Who acted and how: in the words of an announcement, by what the verb says that the seat does, by
/// the first clause about the seat, or by what the verb says if nothing came of it.
fn headline(voice: Voice, entry: &Entry, mut phrases: Vec<Phrase>) -> (Sentence, Vec<Phrase>) {
    let words = voice.words();
    let sentence = |head, joint| Sentence { head, subject: entry.seat, joint, clauses: Vec::new() };
    let Some(seat) = entry.seat else {
        let key = if entry.verb == OPEN { "opened" } else { "house" };
        return (sentence(words.say(key, &Args::new()), ": "), phrases);
    };
    let name = voice.person(seat).name();
    if let Some(at) = phrases.iter().position(|it| matches!(it, Phrase::Opens(..))) {
        let (Phrase::Opens(_, said) | Phrase::Does(_, said)) = phrases.remove(at) else {
            unreachable!("it was found by its kind")
        };
        return (sentence(format!("{name} {}", said.text), ": "), phrases);
    }
    let args = Args::new().person("seat", voice.person(seat));
    let key = format!("verb-{}", entry.verb);
    if let Some(does) = words.attribute(&key, "does", &args) {
        return (sentence(format!("{name} {does}"), ": "), phrases);
    }
    match phrases.first() {
        Some(Phrase::Does(by, said)) if *by == seat => {
            let head = format!("{name} {}", said.text);
            phrases.remove(0);
            (sentence(head, "; "), phrases)
        }
        _ if phrases.iter().any(|it| subject(it) == Some(seat)) => (Sentence::default(), phrases),
        _ => {
            let head = match words.attribute(&key, "vain", &args) {
                Some(vain) => format!("{name} {vain}"),
                None => format!("{name}: {}", words.say(&key, &args)),
            };
            (sentence(head, ": "), phrases)
        }
    }
}
