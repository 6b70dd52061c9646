//! Events as clauses: a seat's action, or something that happens.

// A wildcard arm would omit future events.
#![deny(clippy::wildcard_enum_match_arm)]

use std::rc::Rc;

use table::{
    AnnouncementId, Argument, CoinId, Entry, Event, Face, Motion, Offer, PlaceId, PlaceRow, Role,
    Seat, Seats, Sight, Speech, Viewers,
};

use crate::narrator::Voice;
use crate::people::{Forms, GIVER, NOW, OTHER, SEAT, TAKER};
use crate::things::arguments;
use crate::titles;
use crate::words::Args;

/// Events that share a clause.
pub(crate) enum Beat<'a> {
    Moves(Vec<Face>, PlaceId, PlaceId),
    /// Coins of one case, such as resources, from one place.
    Coins(PlaceId, Vec<Share>),
    Shown(Vec<Face>, PlaceId, Viewers),
    Rolls(Seat, Vec<u8>),
    Scores(Vec<(Seat, i32)>),
    Other(&'a Event),
}

/// Coins of one kind that go to one place; the amount is `None` if hidden.
pub(crate) struct Share {
    coin: CoinId,
    to: PlaceId,
    amount: Option<i64>,
}

/// The context of an event, as arguments of its words.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub entry: &'a Entry,
    /// The name of the phase that it belongs to; empty if the entry does not tell.
    pub phase: &'static str,
    /// Whether it is the first in the entry.
    pub is_first: bool,
}

impl Context<'_> {
    /// `verb`, `phase`, `first` and, for the subject of a sentence, `acting`.
    fn with<'a>(self, args: Args<'a>, subject: Option<Seat>) -> Args<'a> {
        let yes = |it| if it { "yes" } else { "no" };
        args.text("verb", self.entry.verb)
            .text("phase", self.phase)
            .text("first", yes(self.is_first))
            .text("acting", yes(subject.is_some() && subject == self.entry.seat))
    }
}

/// A beat in words.
#[derive(Clone)]
pub(crate) enum Phrase {
    /// A predicate about a seat.
    Does(Seat, Said),
    /// A predicate about the acting seat, instead of the words of its verb.
    Opens(Seat, Said),
    /// A predicate about every player, or every other player, with the key of these words.
    Each(&'static str, String),
    /// A clause with a subject of its own.
    Happens(String),
    /// An addition to the previous clause, such as a target, with the key of its words.
    Adds(String, String),
    /// A sentence of its own.
    Sentence(String),
    /// The head of a new sentence, and its first phrase. An empty head only ends the previous
    /// sentence.
    Begins(String, Option<Box<Phrase>>),
}

/// A text in two forms: addressed to the reader, and in the third person.
#[derive(Clone)]
pub(crate) struct Said {
    pub text: String,
    pub third: String,
    pub many: Option<Many>,
}

/// A Fluent message that can combine several seats in one clause, and its arguments for one of
/// them.
#[derive(Clone)]
pub(crate) struct Many {
    key: String,
    args: Rc<Args<'static>>,
}

impl Many {
    fn of<'a>(voice: Voice<'a>, key: &str, args: impl Fn(Voice<'a>) -> Args<'a>) -> Option<Many> {
        let has_it = voice.words().has_attribute(key, "many");
        has_it.then(|| Many { key: key.to_owned(), args: Rc::new(args(voice.third()).owned()) })
    }

    /// The clause about these seats.
    pub fn say(&self, voice: Voice, seats: &[Seat]) -> String {
        let args = voice.with_people(self.args.owned(), seats.iter().copied());
        voice.words().attribute(&self.key, "many", &args).unwrap_or_default()
    }
}

/// Adds an event to the beat that it extends: the last one or, if the order is irrelevant, any.
pub(crate) fn join<'a>(voice: Voice, beats: &mut Vec<Beat<'a>>, event: &'a Event, unordered: bool) {
    let reach = if unordered { beats.len() } else { 1 };
    if let Event::Scored { seat, points } = *event {
        return score(beats, seat, points);
    }
    if beats.iter_mut().rev().take(reach).any(|beat| beat.takes_in(voice, event)) {
        return;
    }
    beats.push(Beat::of(event));
}

/// Combines the points of all seats in one beat, after the other events.
fn score(beats: &mut Vec<Beat>, seat: Seat, points: i32) {
    let is_new = |beat: &Beat| match beat {
        Beat::Scores(scores) => scores.iter().all(|(it, _)| *it != seat),
        Beat::Moves(..) | Beat::Coins(..) | Beat::Shown(..) | Beat::Rolls(..) | Beat::Other(_) => {
            false
        }
    };
    let earlier = beats.iter().position(is_new).map(|at| beats.remove(at));
    let mut scores = match earlier {
        Some(Beat::Scores(scores)) => scores,
        _ => Vec::new(),
    };
    scores.push((seat, points));
    beats.push(Beat::Scores(scores));
}

impl<'a> Beat<'a> {
    fn of(event: &'a Event) -> Beat<'a> {
        match *event {
            Event::Moved { what, from, to } => Beat::Moves(vec![what], from, to),
            Event::Paid { coin, from, to, amount, aloud: _ } => {
                Beat::Coins(from, vec![Share { coin, to, amount: amount.map(i64::from) }])
            }
            Event::Shown { what, at, to } => Beat::Shown(vec![what], at, to),
            Event::Rolled { seat, value } => Beat::Rolls(seat, vec![value]),
            Event::Scored { seat, points } => Beat::Scores(vec![(seat, points)]),
            Event::Gathered { .. }
            | Event::Marked { .. }
            | Event::Announced { .. }
            | Event::RoundBegan(_)
            | Event::PhaseBegan(_)
            | Event::TurnBegan(_)
            | Event::Offered(_)
            | Event::OfferClosed { .. }
            | Event::Said { .. }
            | Event::Stood { .. }
            | Event::Contributed(_)
            | Event::Resigned { .. }
            | Event::TimedOut { .. }
            | Event::TimeAdded { .. }
            | Event::Ended { .. }
            | Event::TookBack { .. }
            | Event::Voted { .. }
            | Event::Paused { .. }
            | Event::Resumed { .. }
            | Event::Abandoned
            | Event::Replaced { .. } => Beat::Other(event),
        }
    }
}

impl Beat<'_> {
    fn takes_in(&mut self, voice: Voice, event: &Event) -> bool {
        match (self, event) {
            (Beat::Moves(faces, from, to), Event::Moved { what, from: f, to: t })
                if (&*from, &*to) == (f, t) =>
            {
                faces.push(*what);
            }
            (Beat::Coins(from, shares), Event::Paid { coin, from: f, to, amount, .. })
                if &*from == f =>
            {
                let share = Share { coin: *coin, to: *to, amount: amount.map(i64::from) };
                return add_share(voice, shares, share);
            }
            (Beat::Shown(faces, at, to), Event::Shown { what, at: a, to: t })
                if (&*at, &*to) == (a, t) =>
            {
                faces.push(*what);
            }
            (Beat::Rolls(seat, values), Event::Rolled { seat: s, value }) if seat == s => {
                values.push(*value);
            }
            _ => return false,
        }
        true
    }

    /// `None` for a beat without words.
    pub fn phrase(&self, voice: Voice, context: Context) -> Option<Phrase> {
        match self {
            Beat::Moves(faces, from, to) => moved(voice, context, faces, *from, *to),
            Beat::Coins(from, shares) => paid(voice, context, *from, shares),
            Beat::Shown(faces, at, to) => Some(shown(voice, faces, *at, *to)),
            Beat::Rolls(seat, values) => Some(does(voice, *seat, "rolled", |voice| {
                let values = values.iter().map(u8::to_string);
                Args::new().text("what", voice.words().list(values))
            })),
            Beat::Scores(scores) => {
                let parts = |of| parts_in(voice, context.entry, of);
                Some(Phrase::Sentence(scored(voice, scores, parts)))
            }
            Beat::Other(event) => other(voice, context, event),
        }
    }
}

/// Adds coins to those that go to the same place, or to coins of the same case. Several places form
/// one clause if none of them belongs to a seat.
fn add_share(voice: Voice, shares: &mut Vec<Share>, more: Share) -> bool {
    let case = |coin| voice.layout().coin_term(coin).case();
    if case(shares[0].coin) != case(more.coin) {
        return false;
    }
    if let Some(it) = shares.iter_mut().find(|it| (it.coin, it.to) == (more.coin, more.to)) {
        it.amount = it.amount.zip(more.amount).map(|(sum, amount)| sum + amount);
        return true;
    }
    let is_common = |place| owner(voice, place).is_none();
    let joins = shares[0].to == more.to || (is_common(more.to) && is_common(shares[0].to));
    if joins {
        shares.push(more);
    }
    joins
}

/// Whether the game has no words for an event. Such events do not separate those around them.
pub(crate) fn is_silent(voice: Voice, context: Context, event: &Event) -> bool {
    Beat::of(event).phrase(voice, context).is_none()
}

fn row(voice: Voice, place: PlaceId) -> &'static PlaceRow {
    voice.layout().place(place)
}

fn owner(voice: Voice, place: PlaceId) -> Option<Seat> {
    row(voice, place).arguments.iter().find_map(Argument::seat)
}

/// The predicate of a message, addressed to the reader and in the third person.
fn does<'a>(
    voice: Voice<'a>,
    seat: Seat,
    key: &str,
    args: impl Fn(Voice<'a>) -> Args<'a>,
) -> Phrase {
    let many = Many::of(voice, key, &args);
    let said = said(voice, seat, args, |voice, args| voice.words().say(key, args));
    Phrase::Does(seat, Said { many, ..said })
}

fn said<'a>(
    voice: Voice<'a>,
    seat: Seat,
    args: impl Fn(Voice<'a>) -> Args<'a>,
    say: impl Fn(Voice<'a>, &Args<'a>) -> String,
) -> Said {
    let told = |voice: Voice<'a>| say(voice, &args(voice).person(SEAT, voice.person(seat)));
    let text = told(voice);
    let third = if voice.narrator.people.has_reader() { told(voice.third()) } else { text.clone() };
    Said { text, third, many: None }
}

fn happens(voice: Voice, key: &str, args: Args) -> Phrase {
    Phrase::Happens(voice.words().say(key, &args))
}

/// The key of a game's own message for this kind of event, if it has one; an empty message omits
/// the event.
fn own(voice: Voice, key: String, usual: &'static str) -> String {
    if voice.words().has(&key) { key } else { usual.to_owned() }
}

// === Pieces ===

/// Pieces that move from one place to another.
fn moved<'a>(
    voice: Voice<'a>,
    context: Context<'a>,
    faces: &[Face],
    from: PlaceId,
    to: PlaceId,
) -> Option<Phrase> {
    let (source, target) = (row(voice, from), row(voice, to));
    let opens = source.sight != Sight::All && target.sight == Sight::All;
    let is_discard = target.display.role == Role::Discard;
    let count = if faces.contains(&Face::Uncounted) { 2 } else { faces.len() as i64 };
    let (giver, taker) = (owner(voice, from), owner(voice, to));
    let entry = context.entry;
    let (subject, usual) = match (giver, taker) {
        (None, Some(seat)) if entry.seat.is_none() => (Some(seat), "moved-dealt"),
        (None, Some(seat)) if source.sight == Sight::All => (Some(seat), "moved-taken-up"),
        (None, Some(seat)) => (Some(seat), "moved-drawn"),
        (Some(seat), None) if is_discard => (Some(seat), "moved-discarded"),
        (Some(seat), None) if opens => (Some(seat), "moved-played"),
        (Some(seat), None) => (Some(seat), "moved-put"),
        (Some(seat), Some(same)) if seat == same && opens => (Some(seat), "moved-revealed"),
        (Some(seat), Some(same)) if seat == same => (Some(seat), "moved-own"),
        (Some(_), Some(taker)) if entry.seat == Some(taker) => (Some(taker), "moved-taken"),
        (Some(giver), Some(_)) => (Some(giver), "moved-given"),
        (None, None) if is_discard => (None, "moved-to-discard"),
        (None, None) if opens => (None, "moved-opened"),
        (None, None) => (None, "moved"),
    };
    let key = own(voice, format!("moved-{}-{}", source.case(), target.case()), usual);
    let subject = doer(voice, context, &key).or(subject);
    let args = |voice: Voice<'a>| {
        let args = context
            .with(Args::new(), subject)
            .text("what", voice.pieces(faces.iter().copied()))
            .text("what-key", key_of(voice, faces))
            .number("count", count)
            .text("from", voice.place(from, "from", subject))
            .text("to", voice.place(to, "to", subject));
        let args = with_seat(args, voice, GIVER, giver);
        with_seat(args, voice, TAKER, taker)
    };
    phrase(voice, context, subject, &key, args)
}

/// The name of the card, if all these pieces are copies of it; empty if they differ or are not
/// seen.
fn key_of(voice: Voice, faces: &[Face]) -> &'static str {
    let name = |face: &Face| match face {
        Face::Up(piece) => voice.layout().pieces()[table::Small::index(*piece)].words.as_str(),
        Face::Down(_) | Face::Uncounted => "",
    };
    let first = faces.first().map(name).unwrap_or_default();
    if faces.iter().all(|face| name(face) == first) { first } else { "" }
}

fn with_seat<'a>(
    args: Args<'a>,
    voice: Voice<'a>,
    forms: Forms<'a>,
    seat: Option<Seat>,
) -> Args<'a> {
    match seat {
        Some(seat) => args.person(forms, voice.person(seat)),
        None => args,
    }
}

/// The acting seat, if the message has words for its action.
fn doer(voice: Voice, context: Context, key: &str) -> Option<Seat> {
    context.entry.seat.filter(|_| voice.words().has_attribute(key, "does"))
}

/// A predicate about a seat or, without a seat, a clause; `None` if the text is empty.
fn phrase<'a>(
    voice: Voice<'a>,
    context: Context,
    subject: Option<Seat>,
    key: &str,
    args: impl Fn(Voice<'a>) -> Args<'a>,
) -> Option<Phrase> {
    let phrase = match (doer(voice, context, key), subject) {
        (Some(seat), _) => Phrase::Does(seat, said_by(voice, seat, key, &args)),
        (None, Some(seat)) => does(voice, seat, key, &args),
        (None, None) => happens(voice, key, args(voice)),
    };
    let is_empty = match &phrase {
        Phrase::Does(_, said) | Phrase::Opens(_, said) => said.text.is_empty(),
        Phrase::Each(_, text)
        | Phrase::Happens(text)
        | Phrase::Adds(_, text)
        | Phrase::Sentence(text) => text.is_empty(),
        Phrase::Begins(..) => false,
    };
    headed(voice, key, args, (!is_empty).then_some(phrase))
}

/// A phrase, under the head of a new sentence if the message has one.
fn headed<'a>(
    voice: Voice<'a>,
    key: &str,
    args: impl Fn(Voice<'a>) -> Args<'a>,
    phrase: Option<Phrase>,
) -> Option<Phrase> {
    match voice.words().rare_attribute(key, "begins", || args(voice)) {
        Some(head) => Some(Phrase::Begins(head, phrase.map(Box::new))),
        None => phrase,
    }
}

/// The predicate in the attribute `does` of a message.
fn said_by<'a>(
    voice: Voice<'a>,
    seat: Seat,
    key: &str,
    args: impl Fn(Voice<'a>) -> Args<'a>,
) -> Said {
    let many = Many::of(voice, key, &args);
    let said = said(voice, seat, args, |voice, args| {
        voice.words().attribute(key, "does", args).unwrap_or_default()
    });
    Said { many, ..said }
}

/// Pieces shown to seats in their place.
fn shown<'a>(voice: Voice<'a>, faces: &[Face], at: PlaceId, to: Viewers) -> Phrase {
    let owner = owner(voice, at);
    let readers = to.seats();
    let args = |subject: Option<Seat>| {
        move |voice: Voice<'a>| {
            Args::new()
                .text("what", voice.pieces(faces.iter().copied()))
                .text("at", voice.place(at, "at", subject))
        }
    };
    if to == Viewers::ALL {
        return match owner {
            Some(seat) => does(voice, seat, "shown", args(Some(seat))),
            None => happens(voice, "shown-to-all", args(None)(voice)),
        };
    }
    let mut seats = readers.iter();
    match (seats.next(), seats.next()) {
        (Some(seat), None) => does(voice, seat, "shown-to-one", args(Some(seat))),
        _ => {
            let args = voice.with_people(args(None)(voice), readers.iter());
            happens(voice, "shown-to-some", args)
        }
    }
}

/// `everything in the discard pile` goes somewhere, or makes a new deck.
fn gathered(voice: Voice, context: Context, from: PlaceId, to: PlaceId) -> Option<Phrase> {
    let (giver, taker) = (owner(voice, from), owner(voice, to));
    let key = own(
        voice,
        format!("moved-{}-{}", row(voice, from).case(), row(voice, to).case()),
        match row(voice, to).sight {
            Sight::Nobody => "gathered-into-deck",
            Sight::All | Sight::Only(_) | Sight::Screened(_) => "gathered",
        },
    );
    if giver.is_some() && giver == taker && !voice.words().has(&key) {
        return None;
    }
    let args = context
        .with(Args::new(), giver.or(taker))
        .text("what", voice.words().say("everything", &Args::new()))
        .number("count", 2)
        .text("at", voice.place(from, "at", None))
        .text("from", voice.place(from, "from", None))
        .text("to", voice.place(to, "to", None));
    let args = with_seat(with_seat(args, voice, GIVER, giver), voice, TAKER, taker);
    let subject = giver.or(taker);
    let args = with_seat(args, voice, SEAT, subject);
    let text = voice.words().say(&key, &args);
    (!text.is_empty()).then_some(Phrase::Happens(text))
}

// === Coins ===

/// Coins of one case from one place; `None` if no coin moves.
fn paid<'a>(
    voice: Voice<'a>,
    context: Context<'a>,
    from: PlaceId,
    shares: &[Share],
) -> Option<Phrase> {
    let shares: Vec<_> = shares.iter().filter(|it| it.amount != Some(0)).collect();
    let &&Share { coin, to, .. } = shares.first()?;
    let is_bank = |place| voice.layout().is_bank(place, coin);
    let (giver, taker) = (owner(voice, from), owner(voice, to));
    let (subject, usual) = match (giver, taker) {
        (None, Some(seat)) if is_bank(from) => (Some(seat), "paid-got"),
        (None, Some(seat)) => (Some(seat), "paid-taken"),
        (Some(seat), None) if is_bank(to) => (Some(seat), "paid"),
        (Some(seat), None) => (Some(seat), "paid-put"),
        (Some(seat), Some(same)) if seat == same => (Some(seat), "paid-own"),
        (Some(_), Some(taker)) if context.entry.seat == Some(taker) => {
            (Some(taker), "paid-taken-from")
        }
        (Some(payer), Some(_)) => (Some(payer), "paid-to"),
        (None, None) if is_bank(from) => (None, "paid-laid"),
        (None, None) => (None, "paid-moved"),
    };
    let (source, target) = (row(voice, from).case(), row(voice, to).case());
    let name = voice.layout().coin_term(coin).case();
    let own_coin = match usual {
        "paid-got" => format!("coin-{name}-got"),
        "paid" => format!("coin-{name}-paid"),
        _ => String::new(),
    };
    let usual = own(voice, own_coin, usual);
    let key = format!("paid-{name}-{source}-{target}");
    let key = if voice.words().has(&key) { key } else { usual };
    let subject = doer(voice, context, &key).or(subject);
    let total = shares.iter().map(|it| it.amount.unwrap_or(2)).sum();
    let args = |voice: Voice<'a>| {
        let here = shares.iter().filter(|it| it.to == to);
        let what = here.map(|it| voice.coins(it.coin, it.amount));
        let more = shares.iter().map(|it| {
            let args = Args::new()
                .text("what", voice.coins(it.coin, it.amount))
                .text("to", voice.place(it.to, "to", subject));
            voice.words().say("paid-share", &args)
        });
        let args = context
            .with(Args::new(), subject)
            .text("what", voice.words().list(what))
            .number("amount", total)
            .text("shares", voice.words().list(more))
            .text("from", voice.place(from, "from", subject))
            .text("to", voice.place(to, "to", subject));
        with_seat(with_seat(args, voice, GIVER, giver), voice, TAKER, taker)
    };
    phrase(voice, context, subject, &key, args)
}

// === Everything else ===

/// A part of a score, by the announcement that told it, and its points.
type Part = (AnnouncementId, i32);

/// `Scores: Ada 12, Bruno 9`, or `Scores: Ada 12 (money 9, bonus 3); Bruno 9 (money 9)` if any
/// score has several parts.
pub(crate) fn scored(
    voice: Voice,
    scores: &[(Seat, i32)],
    parts: impl Fn(Seat) -> Vec<Part>,
) -> String {
    let parts: Vec<Vec<Part>> = scores.iter().map(|&(seat, _)| parts(seat)).collect();
    let is_divided = parts.iter().any(|parts| parts.len() > 1);
    let each = scores.iter().zip(&parts).map(|(&(seat, points), parts)| {
        let args = Args::new().person(SEAT, voice.person(seat)).number("points", points.into());
        if is_divided && !parts.is_empty() {
            let args = args.text("parts", score_parts(voice, parts));
            return voice.words().say("score-of-parts", &args);
        }
        voice.words().say("score", &args)
    });
    let joint = if is_divided { voice.words().semicolon() } else { ", ".to_owned() };
    let scores = each.collect::<Vec<_>>().join(&joint);
    voice.words().say("scores", &Args::new().text("scores", scores))
}

/// `plots 109, resources 20, debts −44`.
pub(crate) fn score_parts(voice: Voice, parts: &[Part]) -> String {
    let each = parts.iter().map(|&(announcement, points)| {
        let title = titles::score_part(voice.words(), voice.layout(), announcement);
        // A minus sign is wider than a hyphen.
        let sign = if points < 0 { "−" } else { "" };
        let args = Args::new().text("title", title).text("sign", sign);
        let args = args.number("points", i64::from(points).abs());
        voice.words().say("score-part", &args)
    });
    each.collect::<Vec<_>>().join(", ")
}

/// The parts of a seat's score that an entry tells.
fn parts_in(voice: Voice, entry: &Entry, of: Seat) -> Vec<Part> {
    let parts = entry.events.iter().filter_map(|event| {
        let Event::Announced { announcement, seat, value } = *event else { return None };
        let points = voice.layout().score_points(announcement, value);
        (seat == of && points != 0).then_some((announcement, points))
    });
    parts.collect()
}

/// `Ada wins`.
pub(crate) fn won(voice: Voice, winners: Seats) -> String {
    let mut seats = winners.iter();
    match (seats.next(), seats.next()) {
        (None, _) => voice.words().say("abandoned", &Args::new()),
        (Some(seat), None) => {
            voice.words().say("won", &Args::new().person(SEAT, voice.person(seat)))
        }
        _ => {
            let args = voice.with_people(Args::new(), winners.iter());
            voice.words().say("won-shared", &args)
        }
    }
}

fn other<'a>(voice: Voice<'a>, context: Context<'a>, event: &Event) -> Option<Phrase> {
    let words = voice.words();
    let entry = context.entry;
    let number = |key, number: u8| {
        Some(Phrase::Sentence(words.say(key, &Args::new().number("number", number.into()))))
    };
    match *event {
        Event::Gathered { from, to } => gathered(voice, context, from, to),
        Event::Announced { announcement, seat, value } => {
            let row = voice.layout().announcement_term(announcement);
            let key = format!("announcement-{}", row.case());
            let own_other = row.arguments.iter().find_map(Argument::seat);
            let args = |voice: Voice<'a>| {
                let args = arguments(voice.words(), voice.layout(), &row.arguments);
                let args = args.number("amount", value.into());
                let args = context.with(args, Some(seat));
                with_seat(args, voice, OTHER, own_other).person(SEAT, voice.person(seat))
            };
            let told = told(voice, &key, Some(seat), entry, args);
            headed(voice, &key, args, told)
        }
        Event::Marked { mark, value } => {
            let row = voice.layout().mark_term(mark);
            let key = format!("marked-{}", row.case());
            if !words.has(&key) {
                return None;
            }
            let seat = row.arguments.iter().find_map(Argument::seat);
            let args = |voice: Voice<'a>| {
                let args = arguments(voice.words(), voice.layout(), &row.arguments);
                let args = args.number("amount", value.into());
                let args = context.with(now(args, voice, mark, value), seat);
                with_seat(args, voice, SEAT, seat)
            };
            let told = told(voice, &key, seat, entry, args);
            headed(voice, &key, args, told)
        }
        Event::RoundBegan(round) => number("round-began", round),
        Event::PhaseBegan(phase) => {
            let args = Args::new().number("number", phase.into());
            let name = voice.layout().phases().get(usize::from(phase).checked_sub(1)?)?;
            let title = words.say(&format!("phase-{name}"), &Args::new());
            Some(Phrase::Sentence(words.say("phase-began", &args.text("phase", title))))
        }
        Event::TurnBegan(seat) => {
            let key = if entry.seat == Some(seat) { "turn-again" } else { "turn-began" };
            let args = Args::new().person(SEAT, voice.person(seat));
            Some(Phrase::Sentence(words.say(key, &args)))
        }
        Event::Offered(ref offer) => {
            Some(does(voice, offer.by, offered(offer), |voice| voice.terms(offer)))
        }
        Event::OfferClosed { by } => phrase(voice, context, None, "offer-closed", |voice| {
            context.with(Args::new(), Some(by)).person(SEAT, voice.person(by))
        }),
        Event::Resigned { seat } if entry.verb == table::RESIGN && entry.seat == Some(seat) => None,
        Event::Resigned { seat } => Some(does(voice, seat, "resigned", |_| Args::new())),
        Event::TimeAdded { seat, ms: _ } => Some(does(voice, seat, "time-added", |_| Args::new())),
        Event::Ended { winners } => Some(Phrase::Sentence(won(voice, winners))),
        Event::Voted { seat, motion, on } => {
            let key = if on { "voted" } else { "voted-no-more" };
            Some(does(voice, seat, key, |_| Args::new().text("motion", motion_key(motion))))
        }
        Event::Paused { by: _ } => Some(Phrase::Happens(words.say("paused", &Args::new()))),
        Event::Resumed { by: _ } => Some(Phrase::Happens(words.say("resumed", &Args::new()))),
        Event::Abandoned => Some(Phrase::Sentence(won(voice, Seats::default()))),
        // Also told to the player who had the seat, who is not the one who takes it over.
        Event::Replaced { seat } => {
            let args = Args::new().person(SEAT, voice.third().person(seat));
            Some(Phrase::Happens(words.say("replaced", &args)))
        }
        Event::Said { seat, ref speech } => Some(says(voice, seat, speech.as_deref())),
        Event::Contributed(ref it) => Some(does(voice, it.seat, "contributed", |_| Args::new())),
        // What every seat begins with is no news.
        Event::Stood { .. } if entry.verb == table::OPEN => None,
        Event::Stood { seat, decision, on } => {
            let key = if on { "stood" } else { "stood-no-more" };
            Some(does(voice, seat, key, |voice| {
                Args::new().text("decision", voice.decision(decision))
            }))
        }
        // The verb says that the time ran out.
        Event::TimedOut { .. }
        | Event::Moved { .. }
        | Event::Paid { .. }
        | Event::Shown { .. }
        | Event::Rolled { .. }
        | Event::Scored { .. }
        | Event::TookBack { .. } => None,
    }
}

fn motion_key(motion: Motion) -> &'static str {
    match motion {
        Motion::EndWithoutResult => "end",
        Motion::Pause => "pause",
        Motion::Resume => "resume",
    }
}

/// The key of the message for an offer; its arguments are [`Voice::terms`].
pub(crate) fn offered(offer: &Offer) -> &'static str {
    match (offer.give.is_empty(), offer.take.is_empty()) {
        (_, true) => "offered-gift",
        (true, false) => "offered-request",
        (false, false) => "offered",
    }
}

/// The current value of a mark: `now`, with `now-is` for a seat, and `now-key` for a value.
fn now<'a>(args: Args<'a>, voice: Voice<'a>, mark: table::MarkId, value: i16) -> Args<'a> {
    let layout = voice.layout();
    let Some(named) = layout.mark_value(mark, value) else {
        return args.text("now", "").text("now-key", "none");
    };
    match &named.argument {
        Argument::Seat(seat) => args.person(NOW, voice.person(*seat)).text("now-key", &*named.name),
        it @ (Argument::Piece(_) | Argument::Value(_) | Argument::Number(_)) => {
            let title = titles::argument(voice.words(), layout, it);
            args.text("now", title).text("now-key", &*named.name)
        }
    }
}

/// A message of the game about a seat: an addition to the previous clause, a sentence of its own, a
/// predicate, or a clause.
fn told<'a>(
    voice: Voice<'a>,
    key: &str,
    seat: Option<Seat>,
    entry: &Entry,
    args: impl Fn(Voice<'a>) -> Args<'a>,
) -> Option<Phrase> {
    if let Some(text) = voice.words().rare_attribute(key, "adds", || args(voice)) {
        return (!text.is_empty()).then(|| Phrase::Adds(key.to_owned(), text));
    }
    if let Some(text) = voice.words().rare_attribute(key, "sentence", || args(voice)) {
        return (!text.is_empty()).then_some(Phrase::Sentence(text));
    }
    if let Some(seat) = seat.filter(|_| voice.words().has_attribute(key, "does")) {
        let said = said_by(voice, seat, key, args);
        if said.text.is_empty() {
            return None;
        }
        return Some(match entry.seat == Some(seat) {
            true => Phrase::Opens(seat, said),
            false => Phrase::Does(seat, said),
        });
    }
    let text = voice.words().find(key, &args(voice))?;
    (!text.is_empty()).then_some(Phrase::Happens(text))
}

/// A player's message, in the quotation marks of the language.
fn says<'a>(voice: Voice<'a>, seat: Seat, speech: Option<&Speech>) -> Phrase {
    let Some(Speech { to, text, sealed: _ }) = speech else {
        return does(voice, seat, "said-unheard", |_| Args::new());
    };
    let quoted = || {
        let text = text.as_ref().map(|text| unquoted(text.as_str()));
        text.map_or(Args::new(), |text| Args::new().text("text", text))
    };
    if *to == Viewers::ALL {
        let key = if text.is_some() { "said" } else { "said-erased" };
        return does(voice, seat, key, |_| quoted());
    }
    let key = if text.is_some() { "said-privately" } else { "said-privately-erased" };
    let others: Seats = to.seats().iter().filter(|&it| it != seat).collect();
    does(voice, seat, key, |voice| voice.with_people(quoted(), others.iter()))
}

/// A text that is safe inside quotation marks: on one line, and without such marks.
fn unquoted(text: &str) -> String {
    let plain = |it: char| match it {
        '\n' | '\t' => ' ',
        '"' | '“' | '”' | '„' | '«' | '»' => '\'',
        it => it,
    };
    text.chars().map(plain).collect()
}
