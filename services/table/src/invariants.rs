//! What every game promises, held on random play.
//!
//! A law is a method of `Playing`, read from top to bottom; [`hold`] plays one match at random
//! and holds every law after every entry. The same game, seats and seed lead to the same match, so
//! a broken law is seen again by naming them. A panic inside a game is the caller's to catch.

// A wildcard arm would decide for variants that do not exist yet as harmless.
#![deny(clippy::wildcard_enum_match_arm)]

use std::{fmt::Debug, mem::discriminant};

use crate::{
    ChaCha, Chance, Entry, Event, Face, Options, Piece, Prompt, Reason, Refused, Rules, Seat, Seed,
    Small, Table, Viewer, open, play, resign, rules::choose,
};

/// Actions after which a match is taken for endless. The longest random match known has some 2,000.
pub const ACTIONS_MAX: usize = 20_000;

/// What one match held the laws on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Played {
    pub actions: usize,
    pub events: usize,
    /// Actions tried where they were not legal.
    pub refused: usize,
    /// Actions taken in two worlds that somebody cannot tell apart.
    pub swaps: usize,
    /// Messages made of nonsense that were an action of the game.
    pub garbled: usize,
    pub resigned: usize,
    pub scores: Vec<i32>,
}

/// A promise that a game did not keep, and how to see it again.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{game} breaks the invariant that {invariant} ({seats} seats, seed {seed}): {detail}")]
pub struct Broken {
    pub invariant: &'static str,
    pub game: &'static str,
    pub seats: u8,
    pub seed: u64,
    pub detail: String,
}

/// Plays one match at random, with random options, and holds every law after every entry.
pub fn check<G: Rules>(seats: u8, seed: u64) -> Result<Played, Broken> {
    let mut playing = Playing::<G>::open(seats, seed)?;
    loop {
        playing.events_tell_the_whole_story()?;
        playing.viewers_are_told_nothing_hidden()?;
        playing.viewers_are_up_to_date()?;
        playing.entries_are_kept()?;
        playing.nothing_is_lost()?;
        let legal = playing.legal();
        if playing.table.ended() {
            playing.nothing_follows_the_end(&legal)?;
            return Ok(playing.played);
        }
        playing.the_game_ends()?;
        playing.who_must_act_can(&legal)?;
        playing.seats_know_their_actions(&legal)?;
        for _ in 0..SWAPS {
            playing.nobody_learns_what_they_cannot_see(&legal)?;
        }
        playing.secrets_look_alike(&legal)?;
        playing.what_is_legal_is_accepted(&legal)?;
        playing.what_is_not_is_refused(&legal)?;
        playing.nonsense_breaks_nothing(&legal)?;
        playing.go_on(&legal)?;
    }
}

// Laws that are held in more than one way.
const ACCEPTED_LAW: &str = "what is listed as legal is accepted";
const SAME_SEED: &str = "the same seed leads to the same entry";

// How often a law that samples is held after each entry; together some ten microseconds.
const SWAPS: usize = 4;
const ACCEPTED: usize = 4;
const REFUSED: usize = 12;
const GARBLED: usize = 3;

/// Actions kept to be tried where they are not legal.
const POOL_MAX: usize = 256;

/// The stream that no match reaches, for what the laws pick at random.
const WHIM: u64 = u64::MAX;

type Proposal<G> = (Seat, <G as Rules>::Action);

/// A match under way, with everything the laws compare.
struct Playing<G: Rules> {
    seats: u8,
    seed: u64,
    key: Seed,
    whim: ChaCha,
    position: u64,
    table: Table,
    news: Entry,
    refolded: Table,
    /// By guest: the fold of what it was told.
    seen: Vec<Table>,
    guests: Vec<Viewer>,
    pieces: usize,
    /// Actions that were legal somewhere.
    pool: Vec<Proposal<G>>,
    /// When a seat gives up, in some matches.
    resigns_at: usize,
    played: Played,
}

impl<G: Rules> Playing<G> {
    fn open(seats: u8, seed: u64) -> Result<Self, Broken> {
        let key = key(seed);
        let mut whim = ChaCha::of(key, WHIM);
        let options = random_options::<G>(seats, &mut whim);
        let deal = || open::<G>(seats, &options, &mut ChaCha::of(key, 1));
        let ((table, news), again) = (deal(), deal());
        let guests: Vec<Viewer> = Viewer::guests(seats).collect();
        let resigns_at = if seed % 4 == 3 { whim.below(40) } else { usize::MAX };
        let playing = Playing {
            refolded: Table::new(G::layout(), seats, Viewer::House),
            seen: guests.iter().map(|&guest| Table::new(G::layout(), seats, guest)).collect(),
            pieces: G::layout().pieces().len(),
            played: Played::default(),
            pool: Vec::new(),
            position: 1,
            seats,
            seed,
            key,
            whim,
            table,
            news,
            guests,
            resigns_at,
        };
        let same = again.0 == playing.table && again.1 == playing.news;
        playing.must(SAME_SEED, same, || format!("{:?}\nor\n{:?}", playing.news, again.1))?;
        Ok(playing)
    }

    fn must(
        &self,
        invariant: &'static str,
        kept: bool,
        detail: impl FnOnce() -> String,
    ) -> Result<(), Broken> {
        if kept {
            return Ok(());
        }
        Err(Broken {
            invariant,
            game: G::NAME,
            seats: self.seats,
            seed: self.seed,
            detail: detail(),
        })
    }

    /// Everyone's legal actions.
    fn legal(&self) -> Vec<Proposal<G>> {
        legal::<G>(&self.table)
    }

    fn chance(&self, trial: u64) -> ChaCha {
        ChaCha::of(self.key, TRIALS + trial)
    }
}

/// Positions that no match reaches, for actions that are only tried.
const TRIALS: u64 = 1 << 40;

// === The record ===

impl<G: Rules> Playing<G> {
    fn events_tell_the_whole_story(&mut self) -> Result<(), Broken> {
        self.refolded.apply(&self.news);
        self.played.events += self.news.events.len();
        self.must("events tell the whole story", self.refolded == self.table, || {
            format!("{:?}\nfolds to\n{:?}\nnot\n{:?}", self.news, self.refolded, self.table)
        })?;
        self.must("verbs are declared", G::layout().verb(self.news.verb).is_some(), || {
            self.news.verb.into()
        })
    }

    fn viewers_are_told_nothing_hidden(&mut self) -> Result<(), Broken> {
        for (n, guest) in self.guests.iter().enumerate() {
            let told = self.news.seen_by(*guest, G::layout());
            let author = self.news.seat.map(Viewer::Seat);
            let discreet = told.events.iter().all(|event| names_nothing_hidden::<G>(event, *guest))
                && (told.action.is_none() || author == Some(*guest));
            self.must("no secret is told", discreet, || format!("{guest:?} is told {told:?}"))?;
            self.seen[n].apply(&told);
        }
        Ok(())
    }

    fn viewers_are_up_to_date(&self) -> Result<(), Broken> {
        for (seen, guest) in self.seen.iter().zip(&self.guests) {
            let redacted = self.table.seen_by(*guest);
            self.must("what a viewer is told folds to what it may see", *seen == redacted, || {
                format!("{:?}\nleads {guest:?} to\n{seen:?}\nnot\n{redacted:?}", self.news)
            })?;
            self.must(
                "every viewer counts every piece",
                seen.piece_count() == self.pieces,
                || format!("{seen:?}"),
            )?;
        }
        Ok(())
    }

    fn entries_are_kept(&self) -> Result<(), Broken> {
        let kept = Entry::decode(&self.news.encode(), G::layout());
        self.must("an entry is read as it was stored", kept.as_ref() == Ok(&self.news), || {
            format!("{:?}\nis read as\n{kept:?}", self.news)
        })
    }

    fn nothing_is_lost(&self) -> Result<(), Broken> {
        let table = &self.table;
        self.must("no piece is lost", table.piece_count() == self.pieces, || format!("{table:?}"))?;
        let balance = table.balance();
        self.must("every coin sums to zero", balance.iter().all(|&sum| sum == 0), || {
            format!("{balance:?}\n{table:?}")
        })?;
        let overdrawn = table.overdrawn();
        self.must("no purse but a bank is negative", overdrawn.is_none(), || {
            let (place, coin) = overdrawn.expect("one is");
            format!("{} of {}", G::layout().coin_name(coin), G::layout().place_name(place))
        })?;
        G::check(table)
            .or_else(|wrong| self.must("the game's own invariants hold", false, || wrong))
    }
}

// === The end ===

impl<G: Rules> Playing<G> {
    fn the_game_ends(&self) -> Result<(), Broken> {
        self.must("the game ends", self.played.actions < ACTIONS_MAX, || {
            format!("{:?}", self.table)
        })
    }

    fn nothing_follows_the_end(&mut self, legal: &[Proposal<G>]) -> Result<(), Broken> {
        let table = &self.table;
        self.played.scores = table.scores().to_vec();
        let quiet = legal.is_empty() && table.prompts().is_empty();
        self.must("nothing is asked after the end", quiet, || format!("{table:?}"))?;
        let winners = table.winners().expect("the match has ended");
        let deserving =
            winners.iter().all(|seat| table.has_seat(seat) && !table.resigned().has(seat));
        self.must(
            "somebody wins, and nobody who resigned",
            deserving && !winners.is_empty(),
            || format!("{winners:?}\n{table:?}"),
        )?;
        let mut refusals =
            table.seats().map(|seat| resign::<G>(table, seat, &mut self.chance(0)).err());
        let refused = refusals.all(|refusal| refusal == Some(Refused::MatchEnded));
        let late =
            self.pool.first().map(|(seat, action)| self.try_out(table, *seat, action, 0).err());
        let refused = refused && late.is_none_or(|late| late == Some(Refused::MatchEnded));
        self.must("nobody acts after the end", refused, || format!("{table:?}"))
    }
}

// === Who may act, and what they know of it ===

impl<G: Rules> Playing<G> {
    fn who_must_act_can(&self, legal: &[Proposal<G>]) -> Result<(), Broken> {
        let table = &self.table;
        let can = |prompt: &Prompt| legal.iter().any(|(seat, _)| *seat == prompt.seat);
        self.must("who must act can", table.live().filter(|it| it.must).all(can), || {
            format!("{table:?}")
        })?;
        self.must("a contender can act until the end", !legal.is_empty(), || format!("{table:?}"))
    }

    fn seats_know_their_actions(&self, legal: &[Proposal<G>]) -> Result<(), Broken> {
        for (seen, seat) in self.seen.iter().zip(self.table.seats()) {
            let own: Vec<_> = legal.iter().filter(|it| it.0 == seat).map(|it| &it.1).collect();
            if own.is_empty() {
                continue;
            }
            let known = G::legal(seen, seat);
            self.must(
                "a seat knows its legal actions",
                known.iter().eq(own.iter().copied()),
                || format!("seat {seat} knows {known:?}\nnot {own:?}\n{:?}", self.table),
            )?;
        }
        Ok(())
    }

    fn what_is_legal_is_accepted(&mut self, legal: &[Proposal<G>]) -> Result<(), Broken> {
        for trial in 0..ACCEPTED.min(legal.len()) as u64 {
            let (seat, action) = &legal[self.whim.below(legal.len())];
            let refusal = self.try_out(&self.table, *seat, action, trial).err();
            self.must(ACCEPTED_LAW, refusal.is_none(), || {
                format!("seat {seat} {action:?}: {refusal:?}\n{:?}", self.table)
            })?;
            let parsed = G::parse(&G::print(action));
            self.must("an action is read as it is printed", parsed.as_ref() == Ok(action), || {
                format!("{action:?} is read as {parsed:?}")
            })?;
        }
        Ok(())
    }

    /// Actions that were legal elsewhere. Those of open-ended kinds may be accepted without being
    /// listed.
    fn what_is_not_is_refused(&mut self, legal: &[Proposal<G>]) -> Result<(), Broken> {
        for _ in 0..REFUSED.min(self.pool.len()) {
            let other = self.pool[self.whim.below(self.pool.len())].clone();
            if !legal.contains(&other) {
                self.only_if_open_ended(other.0, &other.1)?;
                self.played.refused += 1;
            }
        }
        Ok(())
    }

    /// Bytes that may or may not be a message; mostly messages with something exchanged.
    fn nonsense_breaks_nothing(&mut self, legal: &[Proposal<G>]) -> Result<(), Broken> {
        for _ in 0..GARBLED {
            let message = self.garble(legal);
            let Ok(action) = G::parse(&message) else { continue };
            self.played.garbled += 1;
            let printed = G::print(&action);
            self.must(
                "an action is read as it is printed",
                G::parse(&printed) == Ok(action.clone()),
                || format!("{message:?} is read as {action:?}, and printed as {printed:?}"),
            )?;
            let seat = Seat::nth(self.whim.below(Seat::COUNT)).expect("below their count");
            if !legal.iter().any(|it| it.0 == seat && it.1 == action) {
                self.only_if_open_ended(seat, &action)?;
            }
        }
        Ok(())
    }

    fn garble(&mut self, legal: &[Proposal<G>]) -> Vec<u8> {
        let whim = &mut self.whim;
        let (_, one) = &legal[whim.below(legal.len())];
        let (_, two) = &legal[whim.below(legal.len())];
        let (mut message, other) = (G::print(one).to_vec(), G::print(two));
        match whim.below(4) {
            0 => message = (0..whim.below(24)).map(|_| whim.below(256) as u8).collect(),
            1 => {
                message.truncate(whim.below(message.len() + 1));
                message.extend_from_slice(&other[whim.below(other.len() + 1)..]);
            }
            2 => message.extend_from_slice(&other),
            _ => {
                if let Some(n) = message.len().checked_sub(1) {
                    let n = n - whim.below(n.min(3) + 1);
                    message[n] = whim.below(16) as u8;
                }
            }
        }
        message
    }

    /// A refusal is what is expected; an acceptance needs an open-ended kind, and to lose nothing.
    fn only_if_open_ended(&self, seat: Seat, action: &G::Action) -> Result<(), Broken> {
        let Ok((table, _)) = self.try_out(&self.table, seat, action, 0) else { return Ok(()) };
        let sound = G::open_ended(action)
            && table.overdrawn().is_none()
            && table.piece_count() == self.pieces
            && table.balance().iter().all(|&sum| sum == 0);
        self.must("what is not listed as legal is refused", sound, || {
            format!("seat {seat} {action:?}\n{:?}", self.table)
        })
    }

    fn try_out(
        &self,
        table: &Table,
        seat: Seat,
        action: &G::Action,
        trial: u64,
    ) -> Result<(Table, Entry), Refused<G::Refusal>> {
        play::<G>(table, seat, action, &mut self.chance(trial))
    }
}

// === Secrets ===

impl<G: Rules> Playing<G> {
    /// Swaps two pieces that neither the actor nor some viewer can tell apart: whatever either is
    /// told of the same action, with the same chance, stays the same. What the action itself turns
    /// up may differ.
    fn nobody_learns_what_they_cannot_see(&mut self, legal: &[Proposal<G>]) -> Result<(), Broken> {
        if !self.table.resigned().is_empty() {
            // The house plays for a resigned seat with that seat's eyes, as the seat itself would.
            return Ok(());
        }
        let (seat, action) = &legal[self.whim.below(legal.len())];
        let actor = &self.seen[seat.index()];
        let mut piece = || Piece(self.whim.below(self.pieces) as u8);
        let (p, q) = (piece(), piece());
        let hidden = |table: &Table| table.at(p).is_none() && table.at(q).is_none();
        if p == q || !hidden(actor) || !G::layout().alike(p, q) {
            return Ok(());
        }
        let other = self.table.swapped(p, q);
        let here = self.try_out(&self.table, *seat, action, 0);
        let there = self.try_out(&other, *seat, action, 0);
        let (Ok((_, here)), Ok((_, there))) = (here, there) else {
            return self.must("what is legal depends on what is seen", false, || {
                format!("seat {seat} {action:?} with {p:?} and {q:?} swapped\n{:?}", self.table)
            });
        };
        for (seen, &guest) in self.seen.iter().zip(&self.guests).filter(|(seen, _)| hidden(seen)) {
            let told = here.seen_by(guest, G::layout());
            let told_there = there.seen_by(guest, G::layout());
            let unseen = |piece: Piece| seen.at(piece).is_none();
            let turned_up = |event: &Event| turns_up(event).is_some_and(unseen);
            if told.events.iter().chain(&told_there.events).any(turned_up) {
                continue;
            }
            self.played.swaps += 1;
            self.must("nobody learns what they cannot see", told == told_there, || {
                format!(
                    "{guest:?}, {action:?}, {p:?} and {q:?} swapped: {told:?}\nor\n{told_there:?}"
                )
            })?;
        }
        Ok(())
    }

    fn secrets_look_alike(&self, legal: &[Proposal<G>]) -> Result<(), Broken> {
        let secrets: Vec<_> = legal.iter().filter(|it| G::in_secret(&it.1)).collect();
        let alike = |one: &Proposal<G>, two: &Proposal<G>| {
            one.0 == two.0 && discriminant(&one.1) == discriminant(&two.1)
        };
        for (one, two) in secrets.iter().zip(secrets.iter().skip(1)).filter(|(a, b)| alike(a, b)) {
            for &guest in self.guests.iter().filter(|guest| **guest != Viewer::Seat(one.0)) {
                let told = |(seat, action): &Proposal<G>| {
                    let entry = self.try_out(&self.table, *seat, action, 0).ok()?.1;
                    Some(entry.seen_by(guest, G::layout()))
                };
                let (told, told_two) = (told(one), told(two));
                if told.iter().chain(&told_two).flat_map(|it| &it.events).any(is_meant_to_differ) {
                    continue;
                }
                self.must("secret actions look alike", told == told_two, || {
                    format!("{guest:?} tells {one:?} from {two:?}: {told:?}\nor\n{told_two:?}")
                })?;
            }
        }
        Ok(())
    }
}

// === Going on ===

impl<G: Rules> Playing<G> {
    fn go_on(&mut self, legal: &[Proposal<G>]) -> Result<(), Broken> {
        self.position += 1;
        self.played.actions += 1;
        if self.played.actions > self.resigns_at {
            return self.give_up();
        }
        let (seat, action) = choose_proposal::<G>(&self.table, legal, &mut self.whim).clone();
        let deal = |table: &Table| {
            play::<G>(table, seat, &action, &mut ChaCha::of(self.key, self.position))
        };
        let (first, again) = (deal(&self.table), deal(&self.table));
        self.must(SAME_SEED, first == again, || format!("{action:?}: {first:?}\nor\n{again:?}"))?;
        let (table, news) = first.or_else(|refusal| self.refused(&action, &refusal))?;
        (self.table, self.news) = (table, news);
        if self.pool.len() < POOL_MAX {
            self.pool.push((seat, action));
        } else {
            let n = self.whim.below(POOL_MAX);
            self.pool[n] = (seat, action);
        }
        Ok(())
    }

    fn give_up(&mut self) -> Result<(), Broken> {
        let contenders: Vec<Seat> = self.table.contenders().collect();
        let seat = contenders[self.whim.below(contenders.len())];
        let stream = &mut ChaCha::of(self.key, self.position);
        let resigned = resign::<G>(&self.table, seat, stream);
        (self.table, self.news) = resigned.or_else(|refusal| self.refused(&"resign", &refusal))?;
        self.played.resigned += 1;
        self.resigns_at = self.played.actions + self.whim.below(40);
        let again = resign::<G>(&self.table, seat, &mut self.chance(0)).is_err();
        self.must("nobody resigns twice", again, || format!("{:?}", self.table))
    }

    fn refused<T>(&self, action: &dyn Debug, refusal: &Refused<G::Refusal>) -> Result<T, Broken> {
        Err(Broken {
            invariant: ACCEPTED_LAW,
            game: G::NAME,
            seats: self.seats,
            seed: self.seed,
            detail: format!("{action:?}: {} ({refusal})\n{:?}", refusal.reason(), self.table),
        })
    }
}

fn names_nothing_hidden<G: Rules>(event: &Event, guest: Viewer) -> bool {
    let sees = |place| G::layout().viewers(place).has(guest);
    match *event {
        Event::Moved { what: Face::Up(_), from, to } => sees(from) || sees(to),
        Event::Shown { what: Face::Up(_), at, to } => sees(at) || to.has(guest),
        Event::Paid { coin: _, amount: Some(_), from, to, aloud } => {
            aloud || sees(from) || sees(to)
        }
        Event::Said { seat: _, speech: Some(ref speech) } => speech.to.has(guest),
        Event::Moved { what: Face::Down(_), from: _, to: _ }
        | Event::Shown { what: Face::Down(_), at: _, to: _ }
        | Event::Paid { coin: _, amount: None, from: _, to: _, aloud: _ }
        | Event::Said { seat: _, speech: None }
        | Event::Gathered { from: _, to: _ }
        | Event::Marked { mark: _, value: _ }
        | Event::Rolled { seat: _, value: _ }
        | Event::Announced { announcement: _, seat: _, value: _ }
        | Event::RoundBegan(_)
        | Event::PhaseBegan(_)
        | Event::TurnBegan(_)
        | Event::Offered(_)
        | Event::OfferClosed { by: _ }
        | Event::Scored { seat: _, points: _ }
        | Event::Resigned { seat: _ }
        | Event::Ended { winners: _ } => true,
    }
}

/// The piece that an event names, moved or shown face up.
fn turns_up(event: &Event) -> Option<Piece> {
    match *event {
        Event::Moved { what: Face::Up(piece), .. } | Event::Shown { what: Face::Up(piece), .. } => {
            Some(piece)
        }
        Event::Moved { what: Face::Down(_), .. }
        | Event::Shown { what: Face::Down(_), .. }
        | Event::Gathered { .. }
        | Event::Paid { .. }
        | Event::Marked { .. }
        | Event::Rolled { .. }
        | Event::Announced { .. }
        | Event::RoundBegan(_)
        | Event::PhaseBegan(_)
        | Event::TurnBegan(_)
        | Event::Offered(_)
        | Event::OfferClosed { .. }
        | Event::Said { .. }
        | Event::Scored { .. }
        | Event::Resigned { .. }
        | Event::Ended { .. } => None,
    }
}

/// Whether two actions of a secret kind may differ in this event: a viewer who is shown a piece, or
/// spoken to, is meant to learn something.
fn is_meant_to_differ(event: &Event) -> bool {
    match event {
        Event::Moved { what: Face::Up(_), .. } | Event::Said { speech: Some(_), .. } => true,
        Event::Moved { what: Face::Down(_), .. }
        | Event::Said { speech: None, .. }
        | Event::Gathered { .. }
        | Event::Shown { .. }
        | Event::Paid { .. }
        | Event::Marked { .. }
        | Event::Rolled { .. }
        | Event::Announced { .. }
        | Event::RoundBegan(_)
        | Event::PhaseBegan(_)
        | Event::TurnBegan(_)
        | Event::Offered(_)
        | Event::OfferClosed { .. }
        | Event::Scored { .. }
        | Event::Resigned { .. }
        | Event::Ended { .. } => false,
    }
}

// === Random play, for measurements and records too ===

/// A match played at random.
pub struct Playout<G: Rules> {
    pub opening: (Table, Entry),
    pub steps: Vec<Step<G>>,
}

/// One action of a match: the table it was taken on, and what it led to.
pub struct Step<G: Rules> {
    pub before: Table,
    pub seat: Seat,
    pub action: G::Action,
    pub after: Table,
    pub entry: Entry,
}

/// Plays one match at random to its end, its entry at position `n` dealt from stream `n` of the
/// seed.
pub fn playout<G: Rules>(seats: u8, options: &Options, seed: Seed) -> Playout<G> {
    let mut whim = ChaCha::of(seed, WHIM);
    let opening = open::<G>(seats, options, &mut ChaCha::of(seed, 1));
    let (mut table, mut steps) = (opening.0.clone(), Vec::new());
    while !table.ended() && steps.len() < ACTIONS_MAX {
        let legal = legal::<G>(&table);
        let (seat, action) = choose_proposal::<G>(&table, &legal, &mut whim).clone();
        let mut chance = ChaCha::of(seed, steps.len() as u64 + 2);
        let played = play::<G>(&table, seat, &action, &mut chance);
        let (after, entry) = played.expect("what a game calls legal it accepts");
        let before = std::mem::replace(&mut table, after.clone());
        steps.push(Step { before, seat, action, after, entry });
    }
    Playout { opening, steps }
}

/// The secret of the match that a short seed stands for.
pub fn key(seed: u64) -> Seed {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key
}

/// Everyone's legal actions.
pub fn legal<G: Rules>(table: &Table) -> Vec<(Seat, G::Action)> {
    let mut legal = Vec::new();
    for seat in table.contenders().filter(|&seat| table.prompt(seat).is_some()) {
        legal.extend(G::legal(table, seat).into_iter().map(|action| (seat, action)));
    }
    legal
}

/// One time in so many, anybody who may act does; otherwise somebody whom the match waits for.
/// With many who only may, a match would hardly go on.
const ANYBODY: usize = 4;

fn choose_proposal<'a, G: Rules>(
    table: &Table,
    legal: &'a [Proposal<G>],
    whim: &mut ChaCha,
) -> &'a Proposal<G> {
    let must = |seat: Seat| table.live().any(|prompt| prompt.must && prompt.seat == seat);
    let waits = legal.iter().any(|it| !must(it.0)) && whim.below(ANYBODY) > 0;
    let candidates: Vec<_> = legal.iter().filter(|it| !waits || must(it.0)).collect();
    let kind = |it: &&'a Proposal<G>| (it.0, discriminant(&it.1));
    let &chosen = choose(&candidates, kind, |limit| whim.below(limit));
    chosen
}

fn random_options<G: Rules>(seats: u8, whim: &mut ChaCha) -> Options {
    let chosen = G::OPTIONS.iter().map(|spec| {
        let value = spec.values[whim.below(spec.values.len())];
        (spec.name.to_string(), value.to_string())
    });
    Options::of::<G>(&chosen.collect(), seats).unwrap_or_else(|_| {
        Options::of::<G>(&Default::default(), seats).expect("the defaults fit any number of seats")
    })
}
