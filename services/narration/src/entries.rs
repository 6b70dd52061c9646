//! Entries as a few sentences each. The first names the actor and the action; the consequences
//! follow.

use std::collections::BTreeSet;

use table::{Entry, Event, OPEN, Prompt, Seat, Seats, TAKE_BACK};

use crate::Narrator;
use crate::clauses::{Beat, Context, Phrase, Said, is_silent, join};
use crate::narrator::Voice;
use crate::people::SEAT;
use crate::words::{Args, Words, sentence};

impl Narrator {
    /// An entry in sentences, as far as the reader knows it.
    pub fn entry(&self, entry: &Entry) -> String {
        let voice = self.voice();
        let mut beats: Vec<(&str, Vec<Beat>)> = Vec::new();
        // The events that undo an action are not narrated.
        let told = if entry.verb == TAKE_BACK { &[][..] } else { &entry.events[..] };
        for (at, event) in told.iter().enumerate() {
            let phase = phase_at(voice, entry, at);
            if is_silent(voice, Context { entry, phase, is_first: beats.is_empty() }, event) {
                continue;
            }
            if beats.last().is_none_or(|(last, _)| *last != phase) {
                beats.push((phase, Vec::new()));
            }
            let (_, beats) = beats.last_mut().expect("it was just pushed");
            join(voice, beats, event, entry.seat.is_none());
        }
        let beats = beats.iter().flat_map(|(phase, beats)| beats.iter().map(move |it| (phase, it)));
        let phrases = beats.enumerate().filter_map(|(nth, (phase, beat))| {
            beat.phrase(voice, Context { entry, phase, is_first: nth == 0 })
        });
        let mut phrases = under_heads(phrases.collect());
        // A game may have the same words for several events, such as all moves as time advances.
        phrases.dedup_by(
            |it, last| matches!((it, last), (Phrase::Happens(it), Phrase::Happens(last)) if it == last),
        );
        let phrases = together(voice, combine(voice, entry, &phrases));
        let mut sentences = sentences(voice, entry, phrases);
        sentences.extend(decisions(voice, entry));
        sentences.join(" ")
    }

    /// A prompt in a sentence.
    pub fn prompt(&self, prompt: &Prompt) -> String {
        decides(self.voice(), std::iter::once(prompt.seat).collect(), prompt)
    }
}

/// The name of the phase that an event belongs to, if its entry begins a phase: the last one begun
/// before it or, if there is none, the phase before the next one begun. Otherwise empty.
fn phase_at(voice: Voice, entry: &Entry, at: usize) -> &'static str {
    let phases = voice.layout().phases();
    let begins = |event: &Event| match event {
        Event::PhaseBegan(phase) => usize::from(*phase).checked_sub(1),
        _ => None,
    };
    let (before, after) = entry.events.split_at(at + 1);
    let before = before.iter().rev().find_map(begins);
    let is_known = |_: &usize| entry.verb != OPEN && !phases.is_empty();
    let after = after.iter().find_map(begins).filter(is_known);
    let nth = before.or_else(|| after.map(|next| (next + phases.len() - 1) % phases.len()));
    nth.and_then(|nth| phases.get(nth)).copied().unwrap_or_default()
}

/// The decisions that this entry opened, except obvious ones: of the seat that just acted, of the
/// seat whose turn just began, and optional ones when a turn or phase began.
fn decisions(voice: Voice, entry: &Entry) -> Vec<String> {
    let mut begins = entry.events.iter();
    let begins = begins.any(|it| matches!(it, Event::TurnBegan(_) | Event::PhaseBegan(_)));
    let turn = entry.events.iter().rev().find_map(|event| match event {
        Event::TurnBegan(seat) => Some(*seat),
        _ => None,
    });
    let top = entry.prompts.iter().map(|prompt| prompt.layer).max().unwrap_or_default();
    let is_new =
        |prompt: &&Prompt| prompt.layer == top && prompt.age == 0 && (prompt.must || !begins);
    let new = alike(entry.prompts.iter().filter(is_new));
    let decisions = new.into_iter().filter_map(|(prompt, seats)| {
        let told = |seat: &Seat| Some(*seat) != entry.seat && Some(*seat) != turn;
        let others: Seats = seats.iter().filter(told).collect();
        match others.iter().next() {
            Some(_) if is_everyone(voice, seats) => Some(decides(voice, seats, prompt)),
            Some(_) => Some(decides(voice, others, prompt)),
            None => None,
        }
    });
    decisions.collect()
}

/// Equal prompts of several seats, as one of them and the seats.
pub(crate) fn alike<'a>(prompts: impl IntoIterator<Item = &'a Prompt>) -> Vec<(&'a Prompt, Seats)> {
    let what = |prompt: &Prompt| (prompt.decision, prompt.must, prompt.layer);
    let mut asked: Vec<(&Prompt, Seats)> = Vec::new();
    for prompt in prompts {
        match asked.iter_mut().find(|(other, _)| what(other) == what(prompt)) {
            Some((_, seats)) => seats.add(prompt.seat),
            None => asked.push((prompt, std::iter::once(prompt.seat).collect())),
        }
    }
    asked
}

/// Whether these are all the players, and more than two.
fn is_everyone(voice: Voice, seats: Seats) -> bool {
    let all: Seats = voice.narrator.people.seats().collect();
    seats == all && seats.iter().nth(2).is_some()
}

/// `Cleo must take or leave the offer.`
pub(crate) fn decides(voice: Voice, seats: Seats, prompt: &Prompt) -> String {
    let is_each = is_everyone(voice, seats);
    let is_one = is_each || seats.iter().nth(1).is_none();
    let is_you = !is_each && seats.iter().any(|seat| voice.person(seat).is_reader());
    let form = match (is_you, is_one) {
        (true, true) => "you",
        (false, true) => "one",
        (true, false) => "with-you",
        (false, false) => "many",
    };
    let key = if prompt.must { "prompt-must" } else { "prompt-may" };
    let people = match is_each {
        true => voice.words().say("each-player", &Args::new()),
        false => voice.people(seats),
    };
    let args = Args::new()
        .text("people", people)
        .text("people-are", form)
        .text("decision", voice.decision(prompt.decision));
    sentence(&voice.words().say(key, &args))
}

/// Puts heads before their phrases. Equal consecutive heads become one.
fn under_heads(phrases: Vec<Phrase>) -> Vec<Phrase> {
    let (mut under, mut last) = (Vec::new(), None);
    for it in phrases {
        match it {
            Phrase::Begins(head, phrase) => {
                if last.as_ref() != Some(&head) {
                    under.push(Phrase::Begins(head.clone(), None));
                    last = Some(head);
                }
                under.extend(phrase.map(|it| *it));
            }
            it => {
                if matches!(it, Phrase::Sentence(_)) {
                    last = None;
                }
                under.push(it);
            }
        }
    }
    under
}

/// Combines equal phrases about consecutive seats into one clause, if the message has words for it.
fn together(voice: Voice, phrases: Vec<Phrase>) -> Vec<Phrase> {
    let alike = |it: &Phrase| match it {
        Phrase::Does(seat, said) | Phrase::Opens(seat, said) => {
            let many = said.many.clone()?;
            Some((many.say(voice, &[]), many, *seat))
        }
        _ => None,
    };
    let (mut told, mut rest) = (Vec::new(), phrases.as_slice());
    while let Some((first, others)) = rest.split_first() {
        let Some((text, many, seat)) = alike(first) else {
            told.push(first.clone());
            rest = others;
            continue;
        };
        let more = others
            .iter()
            .map_while(|it| alike(it).filter(|(other, ..)| *other == text).map(|(.., seat)| seat));
        let seats: Vec<Seat> = std::iter::once(seat).chain(more).collect();
        let clause = (seats.len() > 1).then(|| Phrase::Happens(many.say(voice, &seats)));
        told.push(clause.unwrap_or_else(|| first.clone()));
        rest = &rest[seats.len()..];
    }
    told
}

/// Combines equal phrases about every player, or every other player, into one.
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
            _ if said.many.is_some() => None,
            // Only if it is clear which player is excepted.
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
            Some(key) => {
                let is_new = combined.insert(said.third.clone());
                is_new.then(|| Phrase::Each(key, said.third.clone()))
            }
            None => Some(it.clone()),
        },
        Phrase::Opens(..)
        | Phrase::Each(..)
        | Phrase::Happens(_)
        | Phrase::Adds(..)
        | Phrase::Sentence(_)
        | Phrase::Begins(..) => Some(it.clone()),
    };
    phrases.iter().filter_map(once).collect()
}

fn subject(phrase: &Phrase) -> Option<Seat> {
    match phrase {
        Phrase::Does(seat, _) | Phrase::Opens(seat, _) => Some(*seat),
        Phrase::Each(..)
        | Phrase::Happens(_)
        | Phrase::Adds(..)
        | Phrase::Sentence(_)
        | Phrase::Begins(..) => None,
    }
}

/// Arranges phrases in sentences.
fn sentences(voice: Voice, entry: &Entry, phrases: Vec<Phrase>) -> Vec<String> {
    let (head, phrases) = headline(voice, entry, phrases);
    let words = voice.words();
    let mut sentences = Vec::new();
    let mut open = Some(head);
    let mut added = None;
    for it in phrases {
        let under_way = open.get_or_insert_default();
        let mut adds = None;
        match it {
            Phrase::Does(seat, Said { text, .. }) | Phrase::Opens(seat, Said { text, .. }) => {
                let name = || voice.person(seat).name().to_owned();
                under_way.push(Subject::Seat(seat), name, text);
            }
            Phrase::Each(key, text) => {
                under_way.push(Subject::Each(key), || words.say(key, &Args::new()), text);
            }
            Phrase::Happens(text) => {
                under_way.subject = None;
                under_way.clauses.push(text);
            }
            Phrase::Adds(key, text) => {
                let joint = if added.as_ref() == Some(&key) { ", " } else { " " };
                under_way.add(joint, &text);
                adds = Some(key);
            }
            Phrase::Sentence(text) => {
                sentences.extend(open.take().and_then(|it| it.finish(words)));
                sentences.push(sentence(&text));
            }
            Phrase::Begins(head, _) => {
                sentences.extend(open.take().and_then(|it| it.finish(words)));
                open = Some(Sentence { head, joint: Joint::Colon, ..Sentence::default() });
            }
        }
        added = adds;
    }
    sentences.extend(open.and_then(|it| it.finish(words)));
    sentences
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    Seat(Seat),
    /// Every player, or every other one, by the key of those words.
    Each(&'static str),
}

/// What separates the head of a sentence from the first clause.
#[derive(Clone, Copy, Default)]
enum Joint {
    #[default]
    Colon,
    Semicolon,
}

/// A sentence under construction: its head, and the clauses that follow.
#[derive(Default)]
struct Sentence {
    head: String,
    /// The last subject, which the next clause need not repeat.
    subject: Option<Subject>,
    joint: Joint,
    clauses: Vec<String>,
}

impl Sentence {
    /// Adds a clause about a subject, which is named unless it was the last one.
    fn push(&mut self, subject: Subject, name: impl Fn() -> String, text: String) {
        let is_same = self.subject == Some(subject);
        self.subject = Some(subject);
        self.clauses.push(if is_same { text } else { format!("{} {text}", name()) });
    }

    /// Adds to the last clause, or to the head.
    fn add(&mut self, joint: &str, text: &str) {
        let last = self.clauses.last_mut().unwrap_or(&mut self.head);
        if !last.is_empty() {
            last.push_str(joint);
        }
        last.push_str(text);
    }

    fn finish(self, words: &Words) -> Option<String> {
        let clauses = self.clauses.join(&words.semicolon());
        let joint = match self.joint {
            _ if self.head.is_empty() || clauses.is_empty() => String::new(),
            Joint::Colon => words.colon(),
            Joint::Semicolon => words.semicolon(),
        };
        let text = self.head + &joint + &clauses;
        (!text.is_empty()).then(|| sentence(&text))
    }
}

/// The head of an entry, which names the actor and the action: in the words of an announcement, in
/// those of the verb (`does`), as the first clause about the seat, or in the verb's words for an
/// action without effect (`vain`).
fn headline(voice: Voice, entry: &Entry, mut phrases: Vec<Phrase>) -> (Sentence, Vec<Phrase>) {
    let words = voice.words();
    let actor = entry.seat.map(Subject::Seat);
    let sentence = |head, joint| Sentence { head, subject: actor, joint, clauses: Vec::new() };
    let Some(seat) = entry.seat else {
        let key = if entry.verb == OPEN { "opened" } else { "house" };
        return (sentence(words.say(key, &Args::new()), Joint::Colon), phrases);
    };
    let name = voice.person(seat).name();
    let ends = |it: &Phrase| matches!(it, Phrase::Sentence(_) | Phrase::Begins(..));
    let mut opening = phrases.iter().take_while(|it| !ends(it));
    if let Some(at) = opening.position(|it| matches!(it, Phrase::Opens(..))) {
        let (Phrase::Opens(_, said) | Phrase::Does(_, said)) = phrases.remove(at) else {
            unreachable!("it was found by its kind")
        };
        return (sentence(format!("{name} {}", said.text), Joint::Colon), phrases);
    }
    let args = Args::new().person(SEAT, voice.person(seat));
    let key = format!("verb-{}", entry.verb);
    if let Some(does) = words.attribute(&key, "does", &args) {
        // The events alone tell the action.
        if does.is_empty() {
            return (Sentence::default(), phrases);
        }
        return (sentence(format!("{name} {does}"), Joint::Colon), phrases);
    }
    match phrases.first() {
        Some(Phrase::Does(by, said)) if *by == seat => {
            let head = format!("{name} {}", said.text);
            phrases.remove(0);
            (sentence(head, Joint::Semicolon), phrases)
        }
        _ if phrases.iter().any(|it| subject(it) == Some(seat)) => (Sentence::default(), phrases),
        _ => {
            let head = match words.attribute(&key, "vain", &args) {
                Some(vain) => format!("{name} {vain}"),
                None => name.to_owned() + &words.colon() + &words.say(&key, &args),
            };
            (sentence(head, Joint::Colon), phrases)
        }
    }
}
