//! Invariants of every game, checked on random play.
//!
//! Each invariant is a method of `Playing`. [`check`] plays one match at random and checks all of
//! them after every entry. The game, the number of seats and the seed determine the match and thus
//! reproduce a violation. The caller catches panics of a game.

// A wildcard arm would treat future variants as harmless.
#![deny(clippy::wildcard_enum_match_arm)]

use std::{collections::BTreeMap, fmt::Debug, mem::discriminant};

use bytes::Bytes;

use crate::{
    ActionFilter, CHOICES_MAX, ChaCha, Chance, Common, DecisionId, EVENTS_MAX, Entry, Event, Face,
    LastAction, Layout, MatchChance, Motion, OFFERED_MAX, Observation, Options, PROMPTS_MAX, Piece,
    Prompt, Reason, Refused, Rules, SAY, STAND, Seat, Seats, Seed, Set, Small, SpeechKeys, Table,
    VOTE, Viewer, advance,
    draws::choose,
    hidden::{Change, Hidden, are_same_up_to_disclosure, names_nothing_hidden},
    open, order, play, replace, resign, take_back, top_layer, vote, waiting_for, with_names,
};

/// A match with this many actions counts as endless. The longest known random match has some 2,000.
pub const ACTIONS_MAX: usize = 20_000;

/// Counts of what happened in one match, to show that the invariants were exercised.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Played {
    pub actions: usize,
    pub events: usize,
    /// Attempts at actions that were not legal.
    pub refused: usize,
    /// Actions compared on two tables that a viewer cannot distinguish: two hidden pieces are
    /// swapped.
    pub swaps: usize,
    /// Like `swaps`: hidden coins are in another hidden purse.
    pub amounts: usize,
    /// Like `swaps`: a piece is in another place that hides its number of pieces.
    pub counts: usize,
    /// Garbled messages that were still an action of the game.
    pub garbled: usize,
    pub resigned: usize,
    /// Messages and declared standing answers.
    pub asides: usize,
    /// Entries in which the house gave a standing answer.
    pub stood: usize,
    /// Actions that their seats could take back.
    pub taken_back: usize,
    /// By reason: actions that their seats could not take back.
    pub final_actions: BTreeMap<String, usize>,
    /// By name: how often each kind of entry was recorded.
    pub verbs: BTreeMap<String, usize>,
    /// By name: how often each decision was asked or allowed.
    pub decisions: BTreeMap<String, usize>,
    /// By name: how often each announcement was made.
    pub announcements: BTreeMap<String, usize>,
    pub scores: Vec<i32>,
    pub winners: Seats,
}

/// An invariant that a game violated, and how to reproduce it.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{game} violates the invariant that {invariant} ({seats} seats, seed {seed}): {detail}")]
pub struct Broken {
    pub invariant: &'static str,
    pub game: &'static str,
    pub seats: u8,
    pub seed: u64,
    /// A description of the violation, with names of pieces, places and all else.
    pub detail: String,
}

/// Plays one match at random, with random options, and checks every invariant after every entry.
pub fn check<G: Rules>(seats: u8, seed: u64) -> Result<Played, Broken> {
    let mut playing = Playing::<G>::open(seats, seed)?;
    loop {
        playing.events_determine_the_table()?;
        playing.seats_are_told_of_their_turns()?;
        playing.entries_disclose_no_secret()?;
        playing.redacted_entries_determine_the_redacted_table()?;
        playing.entries_survive_storage()?;
        playing.entries_stay_small()?;
        playing.sealed_speech_survives_storage()?;
        playing.tables_survive_storage()?;
        playing.nothing_is_lost()?;
        playing.seats_imagine_what_they_cannot_tell_from_the_table()?;
        let legal = playing.legal();
        if playing.table.ended() {
            playing.nothing_follows_the_end(&legal)?;
            return Ok(playing.played);
        }
        playing.the_game_ends()?;
        playing.taking_back_undoes_an_action()?;
        if playing.table.is_paused() {
            playing.nobody_acts_in_a_pause()?;
            playing.resume()?;
            continue;
        }
        playing.seats_that_must_act_can(&legal)?;
        playing.seats_can_list_their_actions(&legal)?;
        for _ in 0..CHANGES {
            for change in playing.hidden.changes(&playing.table, &mut playing.random) {
                playing.nobody_learns_what_they_cannot_see(&legal, change)?;
            }
        }
        playing.secret_actions_look_alike(&legal)?;
        playing.passive_answers_are_legal(&legal)?;
        playing.listed_actions_are_accepted(&legal)?;
        playing.drawn_actions_are_legal(&legal)?;
        playing.filters_list_what_they_ask_for(&legal)?;
        playing.other_actions_are_refused(&legal)?;
        playing.garbled_messages_do_no_harm(&legal)?;
        playing.advance(&legal)?;
    }
}

// Invariants that are checked in several places.
const LISTED_ACCEPTED: &str = "an action that is listed as legal is accepted";
const SAME_SEED: &str = "the same seed leads to the same entry";
const PRINTED_PARSES: &str = "an action that is printed and parsed stays the same";

// Samples taken after each entry. Together they take some ten microseconds.
const CHANGES: usize = 4;
const ACCEPTED: usize = 4;
const REFUSED: usize = 12;
const GARBLED: usize = 3;

/// On one in this many tables, actions are drawn until every listed action of a seat came up.
const DRAWN_OFTEN: usize = 256;

/// The longest list for which this is done.
const DRAWN_LIST_MAX: usize = 16;

/// Enough draws for each listed action to come up almost certainly.
const DRAWS: u64 = 4_000;

/// One in this many entries is talk or a standing answer.
const ASIDES: usize = 16;

/// One in this many actions is taken back, if possible.
const TAKEN_BACK: usize = 8;

/// One in this many entries is a vote or an order of the platform.
const MOTIONS: usize = 32;

/// How many past actions are kept, to attempt them where they are not legal.
const POOL_MAX: usize = 256;

/// A stream of the seed that no match reaches, for the random choices of the invariants.
const RANDOM: u64 = u64::MAX;

type Proposal<G> = (Seat, <G as Rules>::Action);

/// A match in progress, with everything the invariants compare.
struct Playing<G: Rules> {
    seats: u8,
    seed: u64,
    key: Seed,
    random: ChaCha,
    position: u64,
    table: Table,
    entry: Entry,
    refolded: Table,
    /// By guest: the fold of its redacted entries.
    seen: Vec<Table>,
    guests: Vec<Viewer>,
    /// By seat: its observation.
    observations: Vec<Observation>,
    /// The decisions of which seats were told and which they have not made since.
    told: Vec<(Seat, DecisionId)>,
    pieces: usize,
    hidden: Hidden,
    /// Actions that were legal at an earlier position.
    pool: Vec<Proposal<G>>,
    /// After how many actions a seat resigns, in some matches.
    resigns_at: usize,
    /// The decisions that may have a standing answer.
    standing: Vec<DecisionId>,
    manner: Manner,
    /// The last entry that was more than an aside, which may be taken back.
    last: Option<LastAction>,
    /// Chance for choices outside of the game, such as votes.
    whims: ChaCha,
    /// Chance for actions that are drawn but not played.
    draws: ChaCha,
    played: Played,
}

impl<G: Rules> Playing<G> {
    fn open(seats: u8, seed: u64) -> Result<Self, Broken> {
        let key = key(seed);
        let mut random = ChaCha::of(key, RANDOM);
        let options = random_options::<G>(seats, &mut random);
        let deal = || open::<G>(seats, &options, &[], &mut ChaCha::of(key, 1));
        let ((table, entry), again) = (deal(), deal());
        let guests: Vec<Viewer> = Viewer::guests(seats).collect();
        let decisions = G::layout().decisions().iter().map(|decision| decision.id);
        let manner = Manner::of(G::layout(), seed, &mut ChaCha::of(key, RANDOM - 1));
        let resigns_at = if seed % 4 == 3 { random.below(40) } else { usize::MAX };
        let playing = Playing {
            refolded: Table::new(G::layout(), seats, Viewer::House),
            seen: guests.iter().map(|&guest| Table::new(G::layout(), seats, guest)).collect(),
            observations: Observation::each(G::layout(), seats),
            told: Vec::new(),
            pieces: G::layout().pieces().len(),
            hidden: Hidden::of(G::layout(), seats),
            played: Played::default(),
            pool: Vec::new(),
            position: 1,
            seats,
            seed,
            key,
            random,
            table,
            entry,
            guests,
            resigns_at,
            manner,
            last: None,
            whims: ChaCha::of(key, RANDOM - 2),
            draws: ChaCha::of(key, RANDOM - 3),
            standing: decisions.filter(|&it| G::may_stand(it)).collect(),
        };
        let same = again.0 == playing.table && again.1 == playing.entry;
        playing.must(SAME_SEED, same, || format!("{:?}\nor\n{:?}", playing.entry, again.1))?;
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
            detail: with_names(G::layout(), detail),
        })
    }

    /// The legal actions of all seats.
    fn legal(&self) -> Vec<Proposal<G>> {
        legal::<G>(&self.table)
    }

    fn chance(&self, trial: u64) -> ChaCha {
        ChaCha::of(self.key, TRIALS + trial)
    }
}

/// Streams of chance that no match reaches, for actions that are attempted or drawn, not played.
const TRIALS: u64 = 1 << 40;
const DRAWN: u64 = 1 << 41;

// === The record ===

impl<G: Rules> Playing<G> {
    /// Counts the contents of the last entry.
    fn count(&mut self) {
        let Playing { played, entry, .. } = self;
        let layout = G::layout();
        let add = |counts: &mut BTreeMap<String, usize>, name: &str| {
            *counts.entry(name.to_owned()).or_default() += 1;
        };
        played.events += entry.events.len();
        add(&mut played.verbs, entry.verb);
        for prompt in entry.prompts.iter().filter(|prompt| prompt.age == 0) {
            add(&mut played.decisions, layout.decision_name(prompt.decision));
        }
        for event in &entry.events {
            if let Event::Announced { announcement, .. } = *event {
                add(&mut played.announcements, layout.announcement_name(announcement));
            }
        }
    }

    fn events_determine_the_table(&mut self) -> Result<(), Broken> {
        self.refolded.apply(&self.entry);
        self.count();
        self.must("events determine the table", self.refolded == self.table, || {
            format!("{:?}\nfolds to\n{:?}\nnot\n{:?}", self.entry, self.refolded, self.table)
        })?;
        self.must("verbs are declared", G::layout().verb(self.entry.verb).is_some(), || {
            self.entry.verb.into()
        })
    }

    /// Whoever reads only which seats an entry asks knows for whom the match waits, and is told
    /// nothing twice.
    fn seats_are_told_of_their_turns(&mut self) -> Result<(), Broken> {
        let Playing { entry, table, .. } = &*self;
        let waiting = waiting_for(table.prompts(), table.is_paused());
        let turns = || entry.prompts.iter().filter(|prompt| prompt.is_turn());
        let of = |prompt: &Prompt| (prompt.seat, prompt.decision);
        let is_aside = [SAY, STAND, VOTE].contains(&entry.verb);
        let mut told = self.told.clone();
        let acted = entry.seat.filter(|_| !is_aside);
        told.retain(|(seat, _)| acted != Some(*seat));
        for event in &entry.events {
            if let Event::Replaced { seat: replaced } = *event {
                told.retain(|(seat, _)| *seat != replaced);
            }
        }
        let once = turns().all(|it| it.age == 0 || !told.contains(&of(it)));
        told.extend(turns().map(of));
        let top = top_layer(table.prompts());
        let is_open = |it: &Prompt| it.must && it.layer == top && waiting.has(it.seat);
        let open: Vec<_> = table.prompts().iter().filter(|it| is_open(it)).map(of).collect();
        told.retain(|it| open.contains(it));
        let all = open.iter().all(|it| told.contains(it));
        let only = turns().all(|it| waiting.has(it.seat));
        self.told = told;
        self.must("seats are told of their turns, and of nothing else", once && all && only, || {
            format!("{:?}\nwaits for {waiting:?}\n{:?}", self.entry, self.table)
        })
    }

    fn entries_disclose_no_secret(&mut self) -> Result<(), Broken> {
        for (n, guest) in self.guests.iter().enumerate() {
            let redacted = self.entry.seen_by(*guest, G::layout());
            let author = self.entry.seat.map(Viewer::Seat);
            let discreet = redacted
                .events
                .iter()
                .all(|event| names_nothing_hidden(event, *guest, G::layout()))
                && (redacted.action.is_none() || author == Some(*guest));
            self.must("no entry discloses a secret", discreet, || {
                format!("{guest:?} receives {redacted:?}")
            })?;
            self.seen[n].apply(&redacted);
        }
        Ok(())
    }

    fn redacted_entries_determine_the_redacted_table(&self) -> Result<(), Broken> {
        for (seen, guest) in self.seen.iter().zip(&self.guests) {
            let redacted = self.table.seen_by(*guest);
            self.must(
                "a viewer's entries determine the viewer's table",
                *seen == redacted,
                || {
                    format!(
                        "{:?}\nfolds, for {guest:?}, to\n{seen:?}\nnot\n{redacted:?}",
                        self.entry
                    )
                },
            )?;
            self.must(
                "every viewer counts every piece outside the places that hide their number",
                seen.piece_count() == self.countable(seen, *guest),
                || format!("{seen:?}"),
            )?;
            self.must(
                "no viewer counts the pieces of a place that hides their number",
                seen.places().all(|it| it.is_counted || it.unseen.is_empty()),
                || format!("{seen:?}"),
            )?;
        }
        Ok(())
    }

    /// No observation rules out the real place of a piece, and each sampled table could be the real
    /// one. The seats sample in turn.
    fn seats_imagine_what_they_cannot_tell_from_the_table(&mut self) -> Result<(), Broken> {
        self.observations.iter_mut().for_each(|it| it.hear(&self.entry));
        for observation in &self.observations {
            let ruled_out = |piece: &Piece| {
                let at = self.table.at(*piece).expect("the house sees every piece");
                observation.rules_out(*piece, at)
            };
            let wrong = (0..self.pieces).filter_map(Piece::nth).find(ruled_out);
            self.must("no seat rules out what is so", wrong.is_none(), || {
                format!("{wrong:?} in\n{:?}\nafter {:?}", self.table, self.entry)
            })?;
        }
        let nth = self.position as usize % self.observations.len();
        let observation = &self.observations[nth];
        let imagined = observation.imagine::<G>(&mut self.chance(self.position));
        let seat = observation.seat();
        let seen = imagined.seen_by(Viewer::Seat(seat));
        self.must(
            "a seat cannot tell what it imagines from the table",
            seen == self.table.seen_by(Viewer::Seat(seat)) && seen == *observation.table(),
            || format!("{seat} imagines\n{imagined:?}\nfor\n{:?}", self.table),
        )?;
        let balance = imagined.balance();
        let wrong = G::check(&imagined).err();
        let wrong = wrong.or_else(|| Some(format!("{:?}", imagined.overdrawn()?)));
        let wrong =
            wrong.or_else(|| balance.iter().any(|&it| it != 0).then(|| format!("{balance:?}")));
        self.must("what a seat imagines could be so", wrong.is_none(), || {
            format!("{wrong:?}: {seat} imagines\n{imagined:?}\nfor\n{:?}", self.table)
        })?;
        if !imagined.ended() && !imagined.is_paused() {
            let legal = legal::<G>(&imagined);
            let must = |it: &&Prompt| it.must && !imagined.resigned().has(it.seat);
            let stuck =
                imagined.live().filter(must).find(|it| !legal.iter().any(|l| l.0 == it.seat));
            self.must("on an imagined table, whoever must act can", stuck.is_none(), || {
                format!("{stuck:?}: {seat} imagines\n{imagined:?}\nfor\n{:?}", self.table)
            })?;
        }
        Ok(())
    }

    /// The number of pieces that a guest knows or can count in their place.
    fn countable(&self, seen: &Table, guest: Viewer) -> usize {
        let counts = |piece: &Piece| {
            let at = self.table.at(*piece).expect("the house sees every piece");
            G::layout().counters(at).has(guest) || seen.at(*piece).is_some()
        };
        (0..self.pieces).filter_map(Piece::nth).filter(counts).count()
    }

    fn entries_survive_storage(&self) -> Result<(), Broken> {
        let kept = Entry::decode(&self.entry.encode(), G::layout());
        self.must(
            "an entry that is stored and read stays the same",
            kept.as_ref() == Ok(&self.entry),
            || format!("{:?}\nis read as\n{kept:?}", self.entry),
        )
    }

    /// A verifier refuses entries of more than these sizes, so no match may come near them.
    fn entries_stay_small(&self) -> Result<(), Broken> {
        let Entry { events, choices, prompts, .. } = &self.entry;
        let sizes = [
            (events.len(), EVENTS_MAX),
            (choices.len(), CHOICES_MAX),
            (prompts.len(), PROMPTS_MAX),
            (self.table.offered(), OFFERED_MAX),
        ];
        let is_small = |(count, most): (usize, usize)| count <= most / 4;
        self.must("an entry is far below its largest size", sizes.into_iter().all(is_small), || {
            format!("{sizes:?}: {:?}", self.entry)
        })
    }

    fn sealed_speech_survives_storage(&self) -> Result<(), Broken> {
        let mut keys = SpeechKeys::default();
        self.table.seats().for_each(|seat| keys.insert(seat, [u8::from(seat); 32]));
        let mut sealed = self.entry.clone();
        sealed.seal(1, &keys);
        if sealed == self.entry {
            return Ok(());
        }
        let body = sealed.encode();
        let decode = || Entry::decode(&body, G::layout());
        let (erased, kept) =
            (decode(), decode().and_then(|mut entry| entry.open(1, &keys).map(|()| entry)));
        self.must(
            "sealed speech that is stored and opened stays the same",
            kept.as_ref() == Ok(&sealed) && *sealed.unsealed() == self.entry,
            || format!("{sealed:?}\nis read as\n{kept:?}"),
        )?;
        self.must(
            "an entry without the keys of its speech keeps its stored form",
            erased.as_ref().is_ok_and(|entry| entry.is_sealed() && entry.encode() == body),
            || format!("{erased:?}"),
        )
    }

    fn tables_survive_storage(&self) -> Result<(), Broken> {
        let kept = Table::decode(&self.table.encode(), G::layout(), self.table.seat_count() as u8);
        self.must(
            "a table that is stored and read stays the same",
            kept.as_ref() == Ok(&self.table),
            || format!("{:?}\nis read as\n{kept:?}", self.table),
        )?;
        // Retention keeps one of these two tables for good.
        if !self.table.ended() {
            return Ok(());
        }
        let seats = self.table.seat_count() as u8;
        for viewer in [Viewer::House, Viewer::Spectator] {
            let seen = self.table.seen_by(viewer);
            let kept = Table::decode_kept(&seen.encode(), G::layout(), seats);
            self.must(
                "a final table that is kept and read stays the same",
                kept.as_ref() == Ok(&seen),
                || format!("{seen:?}\nis read as\n{kept:?}"),
            )?;
        }
        Ok(())
    }

    fn nothing_is_lost(&self) -> Result<(), Broken> {
        let table = &self.table;
        self.must("no piece is lost", table.piece_count() == self.pieces, || format!("{table:?}"))?;
        let balance = table.balance();
        self.must("every coin sums to zero", balance.iter().all(|&sum| sum == 0), || {
            let coins = G::layout().coins().iter().map(|coin| &coin.name);
            format!("{:?}\n{table:?}", coins.zip(&balance).collect::<Vec<_>>())
        })?;
        let overdrawn = table.overdrawn();
        self.must("no purse but a bank is negative", overdrawn.is_none(), || {
            let (place, coin) = overdrawn.expect("one is");
            format!("{coin:?} in {place:?}\n{table:?}")
        })?;
        with_names(G::layout(), || G::check(table))
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
        let is_quiet = legal.is_empty() && table.prompts().is_empty();
        self.must("no seat is asked anything after the end", is_quiet, || format!("{table:?}"))?;
        let winners = table.winners().expect("the match has ended");
        self.played.winners = winners;
        let deserving =
            winners.iter().all(|seat| table.has_seat(seat) && !table.resigned().has(seat));
        self.must(
            "a seat wins, and no seat that resigned",
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

// === Taking back, pauses ===

impl<G: Rules> Playing<G> {
    /// Taking back an action restores the table before it for every viewer, and no viewer had
    /// learned anything from the action. No other seat can take it back.
    fn taking_back_undoes_an_action(&mut self) -> Result<(), Broken> {
        let Some(last) = &self.last else { return Ok(()) };
        let Some(seat) = last.entry.seat else { return Ok(()) };
        let of_others = self.table.others(seat);
        let mut of_others = of_others.map(|it| take_back::<G>(&self.table, self.last.as_ref(), it));
        self.must(
            "nobody takes back what another seat did",
            of_others.all(|it| it.is_err()),
            || format!("{:?}", last.entry),
        )?;
        let is_new = last.age == 1 && last.entry.action.is_some();
        let is_counted = is_new && !["say", "stand"].contains(&last.entry.verb);
        let (table, entry) = match take_back::<G>(&self.table, Some(last), seat) {
            Ok(taken) => taken,
            Err(refusal) => {
                if is_counted {
                    let reasons = &mut self.played.final_actions;
                    *reasons.entry(refusal.reason().into()).or_default() += 1;
                }
                return Ok(());
            }
        };
        for (seen, &guest) in self.seen.iter().zip(&self.guests) {
            let before = last.before.seen_by(guest);
            let redacted = entry.seen_by(guest, G::layout());
            let mut after = seen.clone();
            after.apply(&redacted);
            let is_back = after == table.seen_by(guest) && after.is_as(&before);
            self.must("taking back leads every viewer to the table before", is_back, || {
                format!("{guest:?}, {:?}\n{redacted:?}\nleads from\n{seen:?}\nto\n{after:?}\nnot\n{before:?}", last.entry)
            })?;
            let mut pieces = (0..self.pieces).filter_map(Piece::nth);
            let learned = pieces.find(|&it| seen.at(it).is_some() && before.at(it).is_none());
            self.must("what is taken back revealed nothing", learned.is_none(), || {
                format!("{guest:?} learned {learned:?} from {:?}", last.entry)
            })?;
        }
        self.played.taken_back += usize::from(is_counted);
        Ok(())
    }

    fn nobody_acts_in_a_pause(&self) -> Result<(), Broken> {
        let paused = |refusal: Option<Refused<G::Refusal>>| refusal == Some(Refused::MatchPaused);
        let tried = self.pool.iter().filter(|it| self.table.contenders().any(|seat| seat == it.0));
        let acted = tried.take(4).map(|(seat, action)| self.try_out(&self.table, *seat, action, 0));
        let mut acted = acted.map(Result::err);
        let taken = |seat| take_back::<G>(&self.table, self.last.as_ref(), seat).err();
        let mut taken = self.table.contenders().map(taken);
        self.must("nobody acts in a pause", acted.all(paused) && taken.all(paused), || {
            format!("{:?}", self.table)
        })?;
        let ended = order::<G>(&self.table, Motion::EndWithoutResult);
        let is_over = ended.is_ok_and(|(table, entry)| {
            table.is_abandoned() && table.prompts().is_empty() && entry.winners() == table.winners()
        });
        self.must("a match can be ended without a result", is_over, || format!("{:?}", self.table))
    }
}

// === Legal actions ===

impl<G: Rules> Playing<G> {
    fn seats_that_must_act_can(&self, legal: &[Proposal<G>]) -> Result<(), Broken> {
        let table = &self.table;
        let can = |prompt: &Prompt| legal.iter().any(|(seat, _)| *seat == prompt.seat);
        self.must("a seat that must act can", table.live().filter(|it| it.must).all(can), || {
            format!("{table:?}")
        })?;
        self.must("some contender can act until the end", !legal.is_empty(), || {
            format!("{table:?}")
        })
    }

    fn seats_can_list_their_actions(&self, legal: &[Proposal<G>]) -> Result<(), Broken> {
        for (seen, seat) in self.seen.iter().zip(self.table.seats()) {
            let own: Vec<_> = legal.iter().filter(|it| it.0 == seat).map(|it| &it.1).collect();
            if own.is_empty() {
                continue;
            }
            let known = G::legal(seen, seat);
            self.must(
                "a seat can list its legal actions from its own view",
                known.iter().eq(own.iter().copied()),
                || format!("seat {seat} lists {known:?}\nnot {own:?}\n{:?}", self.table),
            )?;
        }
        Ok(())
    }

    /// The house's answer for a seat is a legal action of the seat, and depends only on what the
    /// seat sees.
    fn passive_answers_are_legal(&self, legal: &[Proposal<G>]) -> Result<(), Broken> {
        for prompt in self.table.live().filter(|prompt| prompt.must) {
            let seat = prompt.seat;
            let (action, known) =
                (G::passive(&self.table, seat), G::passive(&self.seen[seat.index()], seat));
            let follows = "a passive answer follows from what the seat sees";
            self.must(follows, known == action, || {
                format!("seat {seat} {known:?}\nnot {action:?}\n{:?}", self.table)
            })?;
            let Some(action) = action else { continue };
            let is_listed = || legal.iter().any(|it| it.0 == seat && it.1 == action);
            let legal = is_listed()
                || (G::open_ended(&self.table, seat, &action)
                    && self.try_out(&self.table, seat, &action, 0).is_ok());
            self.must("a passive answer is legal", legal, || {
                format!("seat {seat} {action:?}\n{:?}", self.table)
            })?;
        }
        Ok(())
    }

    fn listed_actions_are_accepted(&mut self, legal: &[Proposal<G>]) -> Result<(), Broken> {
        for trial in 0..ACCEPTED.min(legal.len()) as u64 {
            let (seat, action) = &legal[self.random.below(legal.len())];
            let refusal = self.try_out(&self.table, *seat, action, trial).err();
            self.must(LISTED_ACCEPTED, refusal.is_none(), || {
                format!("seat {seat} {action:?}: {refusal:?}\n{:?}", self.table)
            })?;
            let parsed = G::parse(&G::print(action));
            self.must(PRINTED_PARSES, parsed.as_ref() == Ok(action), || {
                format!("{action:?} parses as {parsed:?}")
            })?;
        }
        Ok(())
    }

    /// An action drawn at random for a seat is legal, and depends only on what the seat sees.
    fn drawn_actions_are_legal(&mut self, legal: &[Proposal<G>]) -> Result<(), Broken> {
        let asked = self.table.contenders().filter(|&it| self.table.prompt(it).is_some());
        let asked: Vec<Seat> = asked.collect();
        let seat = asked[self.draws.below(asked.len())];
        let listed: Vec<&G::Action> =
            legal.iter().filter(|it| it.0 == seat).map(|it| &it.1).collect();
        let often = listed.len() <= DRAWN_LIST_MAX && self.draws.below(DRAWN_OFTEN) == 0;
        let (table, seen) = (&self.table, &self.seen[seat.index()]);
        let mut missing = listed.clone();
        for draw in 0..if often { DRAWS } else { 1 } {
            let stream = || ChaCha::of(self.key, DRAWN + self.position * DRAWS + draw);
            let drawn = G::any(table, seat, &mut stream());
            let legal = match &drawn {
                None => listed.is_empty(),
                Some(action) if listed.contains(&action) => true,
                Some(action) => {
                    !listed.is_empty()
                        && G::open_ended(table, seat, action)
                        && self.try_out(table, seat, action, 0).is_ok()
                }
            };
            self.must("what is drawn at random is legal", legal, || {
                format!("seat {seat} draws {drawn:?} of {listed:?}\n{table:?}")
            })?;
            let known = G::any(seen, seat, &mut stream());
            self.must("a seat can draw an action from its own view", known == drawn, || {
                format!("seat {seat} draws {known:?}\nnot {drawn:?}\n{table:?}")
            })?;
            missing.retain(|action| drawn.as_ref() != Some(*action));
            if missing.is_empty() {
                break;
            }
        }
        self.must("every listed action is drawn at times", !often || missing.is_empty(), || {
            format!("seat {seat} never draws {missing:?}\n{table:?}")
        })
    }

    /// Attempts actions that were legal earlier. Only those of open-ended kinds may be accepted
    /// without being listed.
    fn other_actions_are_refused(&mut self, legal: &[Proposal<G>]) -> Result<(), Broken> {
        for _ in 0..REFUSED.min(self.pool.len()) {
            let other = self.pool[self.random.below(self.pool.len())].clone();
            if !legal.contains(&other) {
                self.only_if_open_ended(other.0, &other.1)?;
                self.played.refused += 1;
            }
        }
        Ok(())
    }

    /// Parses bytes that may not be a message: mostly messages with a part replaced.
    fn garbled_messages_do_no_harm(&mut self, legal: &[Proposal<G>]) -> Result<(), Broken> {
        for _ in 0..GARBLED {
            let message = self.garble(legal);
            let Ok(action) = G::parse(&message) else { continue };
            self.played.garbled += 1;
            let printed = G::print(&action);
            self.must(PRINTED_PARSES, G::parse(&printed) == Ok(action.clone()), || {
                format!("{message:?} parses as {action:?}, which prints as {printed:?}")
            })?;
            let seat = Seat::nth(self.random.below(Seat::COUNT)).expect("below their count");
            if !legal.iter().any(|it| it.0 == seat && it.1 == action) {
                self.only_if_open_ended(seat, &action)?;
            }
        }
        Ok(())
    }

    fn garble(&mut self, legal: &[Proposal<G>]) -> Vec<u8> {
        let random = &mut self.random;
        let (_, one) = &legal[random.below(legal.len())];
        let (_, two) = &legal[random.below(legal.len())];
        let (mut message, other) = (G::print(one).to_vec(), G::print(two));
        match random.below(4) {
            0 => message = (0..random.below(24)).map(|_| random.below(256) as u8).collect(),
            1 => {
                message.truncate(random.below(message.len() + 1));
                message.extend_from_slice(&other[random.below(other.len() + 1)..]);
            }
            2 => message.extend_from_slice(&other),
            _ => {
                if let Some(n) = message.len().checked_sub(1) {
                    let n = n - random.below(n.min(3) + 1);
                    message[n] = random.below(16) as u8;
                }
            }
        }
        message
    }

    /// Expects a refusal, or an action of an open-ended kind that loses no pieces or coins.
    fn only_if_open_ended(&self, seat: Seat, action: &G::Action) -> Result<(), Broken> {
        let Ok((table, _)) = self.try_out(&self.table, seat, action, 0) else {
            return self.a_refusal_in_place_changes_nothing(seat, action);
        };
        let sound = G::open_ended(&self.table, seat, action)
            && self.is_listed_by_its_own_filter(seat, action)
            && table.overdrawn().is_none()
            && table.piece_count() == self.pieces
            && table.balance().iter().all(|&sum| sum == 0);
        self.must("an action that is not listed as legal is refused", sound, || {
            format!("seat {seat} {action:?}\n{:?}", self.table)
        })
    }

    fn a_refusal_in_place_changes_nothing(
        &self,
        seat: Seat,
        action: &G::Action,
    ) -> Result<(), Broken> {
        let mut table = self.table.clone();
        let advanced = advance::<G>(&mut table, seat, action, &mut self.chance(0));
        let same = advanced.is_err() && table == self.table;
        self.must("a refusal changes nothing", same, || {
            format!("seat {seat} {action:?} changes\n{:?}\nto\n{table:?}", self.table)
        })
    }

    /// A list filtered by the kind of an action and the pieces it names holds the action, unless it
    /// is marked as incomplete; the unfiltered list must be marked as incomplete for that kind.
    fn is_listed_by_its_own_filter(&self, seat: Seat, action: &G::Action) -> bool {
        let verb = Some(G::verb(action).to_string());
        let kind = ActionFilter { verb, ..ActionFilter::default() };
        let unasked = G::list(&self.table, seat, &ActionFilter::default());
        let mut alike = unasked.iter().filter(|it| kind.asks_for::<G>(&it.action)).peekable();
        if alike.peek().is_some() && alike.all(|it| !it.is_example) {
            return false;
        }
        let named = |piece: &Piece| {
            ActionFilter { pieces: Set::one(*piece), ..kind.clone() }.asks_for::<G>(action)
        };
        let pieces = (0..self.pieces).filter_map(Piece::nth).filter(named).collect();
        let listed = G::list(&self.table, seat, &ActionFilter { pieces, ..kind });
        let complete = !listed.is_empty() && listed.iter().all(|it| !it.is_example);
        !complete || listed.iter().any(|it| it.action == *action)
    }

    /// Filters by the kind of a legal action, and by a piece if the action names it.
    fn filters_list_what_they_ask_for(&mut self, legal: &[Proposal<G>]) -> Result<(), Broken> {
        let (seat, action) = legal[self.random.below(legal.len())].clone();
        let piece = Piece::nth(self.random.below(self.pieces)).expect("below their count");
        let verb = Some(G::verb(&action).to_string());
        let mut filter = ActionFilter { verb, pieces: Set::one(piece) };
        if !filter.asks_for::<G>(&action) {
            filter.pieces = Set::EMPTY;
        }
        let listed = G::list(&self.table, seat, &filter);
        let asked = listed.iter().all(|it| filter.asks_for::<G>(&it.action));
        self.must("a filter lists only what it asks for", asked, || format!("{filter:?}"))?;
        let complete = listed.iter().all(|it| !it.is_example);
        let of_seat = legal.iter().filter(|it| it.0 == seat).map(|it| &it.1);
        let left_out = of_seat
            .filter(|it| filter.asks_for::<G>(it))
            .find(|it| listed.iter().all(|listed| listed.action != **it));
        self.must(
            "a filter whose list is complete leaves out no legal action",
            !complete || left_out.is_none(),
            || format!("seat {seat} {filter:?} leaves out {left_out:?}\n{:?}", self.table),
        )?;
        let seen = &self.seen[seat.index()];
        self.must(
            "a seat can list what a filter asks for from its own view",
            G::list(seen, seat, &filter) == listed,
            || format!("seat {seat} {filter:?}\n{:?}", self.table),
        )?;
        let Some(one) = listed.get(self.random.below(listed.len().max(1))) else { return Ok(()) };
        let refusal = self.try_out(&self.table, seat, &one.action, 0).err();
        self.must(LISTED_ACCEPTED, refusal.is_none(), || {
            format!("seat {seat} {one:?} by {filter:?}: {refusal:?}\n{:?}", self.table)
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
    /// Changes something that neither the actor nor some viewer can see. The same action with the
    /// same chance must give that viewer the same entry, up to the first event that discloses
    /// something by the rules.
    fn nobody_learns_what_they_cannot_see(
        &mut self,
        legal: &[Proposal<G>],
        change: Change,
    ) -> Result<(), Broken> {
        if !self.table.resigned().is_empty() {
            // The house acts for a resigned seat by what that seat sees.
            return Ok(());
        }
        let (seat, action) = &legal[self.random.below(legal.len())];
        if !change.is_hidden_from(&self.seen[seat.index()]) {
            return Ok(());
        }
        let Some(other) = change.on(&self.table) else { return Ok(()) };
        let here = self.try_out(&self.table, *seat, action, 0);
        let there = self.try_out(&other, *seat, action, 0);
        let (Ok((_, here)), Ok((_, there))) = (here, there) else {
            return self.must("what is legal depends on what the seat sees", false, || {
                format!("seat {seat} {action:?} with {change:?}\n{:?}", self.table)
            });
        };
        for (seen, &guest) in self.seen.iter().zip(&self.guests) {
            if !change.is_hidden_from(seen) {
                continue;
            }
            match change {
                Change::Swapped(..) => self.played.swaps += 1,
                Change::Paid { .. } => self.played.amounts += 1,
                Change::Moved { .. } => self.played.counts += 1,
            }
            let redacted = here.seen_by(guest, G::layout());
            let redacted_there = there.seen_by(guest, G::layout());
            let same = are_same_up_to_disclosure(&redacted, &redacted_there, seen);
            self.must("nobody learns what they cannot see", same, || {
                format!("{guest:?}, {action:?}, {change:?}: {redacted:?}\nor\n{redacted_there:?}")
            })?;
        }
        Ok(())
    }

    fn secret_actions_look_alike(&self, legal: &[Proposal<G>]) -> Result<(), Broken> {
        let secrets: Vec<_> = legal.iter().filter(|it| G::in_secret(&it.1)).collect();
        let alike = |one: &Proposal<G>, two: &Proposal<G>| {
            one.0 == two.0 && discriminant(&one.1) == discriminant(&two.1)
        };
        for (one, two) in secrets.iter().zip(secrets.iter().skip(1)).filter(|(a, b)| alike(a, b)) {
            for &guest in self.guests.iter().filter(|guest| **guest != Viewer::Seat(one.0)) {
                let redacted = |(seat, action): &Proposal<G>| {
                    let entry = self.try_out(&self.table, *seat, action, 0).ok()?.1;
                    Some(entry.seen_by(guest, G::layout()))
                };
                let (redacted, redacted_two) = (redacted(one), redacted(two));
                if redacted
                    .iter()
                    .chain(&redacted_two)
                    .flat_map(|it| &it.events)
                    .any(is_meant_to_differ)
                {
                    continue;
                }
                self.must("secret actions look alike", redacted == redacted_two, || {
                    format!(
                        "{guest:?} can distinguish {one:?} from {two:?}: {redacted:?}\nor\n{redacted_two:?}"
                    )
                })?;
            }
        }
        Ok(())
    }
}

// === Going on ===

impl<G: Rules> Playing<G> {
    fn advance(&mut self, legal: &[Proposal<G>]) -> Result<(), Broken> {
        let before = self.table.clone();
        self.go_on(legal)?;
        self.remember(before);
        Ok(())
    }

    /// Remembers the last entry that can be taken back.
    fn remember(&mut self, before: Table) {
        match &mut self.last {
            Some(last) if self.entry.is_aside() => last.age += 1,
            last => *last = Some(LastAction { before, entry: self.entry.clone(), age: 1 }),
        }
    }

    fn go_on(&mut self, legal: &[Proposal<G>]) -> Result<(), Broken> {
        self.position += 1;
        self.played.actions += 1;
        if self.whims.below(TAKEN_BACK) == 0
            && let Some(seat) = self.last.as_ref().and_then(|last| last.entry.seat)
            && let Ok(taken) = take_back::<G>(&self.table, self.last.as_ref(), seat)
        {
            (self.table, self.entry) = taken;
            return Ok(());
        }
        if self.whims.below(MOTIONS) == 0 {
            return self.move_a_motion();
        }
        if self.played.actions > self.resigns_at {
            return self.resign_somebody();
        }
        if self.random.below(ASIDES) == 0 {
            return self.say_or_stand();
        }
        let chosen = choose_proposal::<G>(&self.table, legal, &self.manner, &mut self.random);
        let (seat, action) = chosen.clone();
        let deal = |table: &Table| {
            play::<G>(table, seat, &action, &mut ChaCha::of(self.key, self.position))
        };
        let (first, again) = (deal(&self.table), deal(&self.table));
        self.must(SAME_SEED, first == again, || format!("{action:?}: {first:?}\nor\n{again:?}"))?;
        let (table, entry) = first.or_else(|refusal| self.refused(&action, &refusal))?;
        let mut in_place = self.table.clone();
        let stream = &mut ChaCha::of(self.key, self.position);
        let advanced = advance::<G>(&mut in_place, seat, &action, stream);
        let same = advanced.is_ok() && in_place == table;
        self.must("an action leads to the same table in place", same, || {
            format!("{seat} {action:?}: {advanced:?}\n{in_place:?}\nnot\n{table:?}")
        })?;
        let stood = !self.table.standing().is_empty() && {
            let nobody_stands = deal(&self.table.with_nobody_standing());
            nobody_stands.is_ok_and(|(_, other)| other.events != entry.events)
        };
        self.played.stood += usize::from(stood);
        let kept = stood || keeps_questions_of_others(&self.table, seat, &entry);
        self.must("what others are asked stays the same question", kept, || {
            format!("{seat} {action:?}: {:?}\nto\n{:?}", self.table.prompts(), entry.prompts)
        })?;
        (self.table, self.entry) = (table, entry);
        if self.pool.len() < POOL_MAX {
            self.pool.push((seat, action));
        } else {
            let n = self.random.below(POOL_MAX);
            self.pool[n] = (seat, action);
        }
        Ok(())
    }

    /// Talks or declares a standing answer, for a seat with or without a prompt.
    fn say_or_stand(&mut self) -> Result<(), Broken> {
        let random = &mut self.random;
        let contenders: Vec<Seat> = self.table.contenders().collect();
        let seat = contenders[random.below(contenders.len())];
        let others = self.table.others(seat).filter(|_| random.below(2) == 0).collect();
        let standing = (!self.standing.is_empty() && random.below(2) == 0)
            .then(|| self.standing[random.below(self.standing.len())]);
        let common = match standing {
            Some(decision) => Common::Stand { decision, on: !self.table.stands(seat, decision) },
            None => Common::Say { to: others, text: "Let us share.".into() },
        };
        let stream = &mut ChaCha::of(self.key, self.position);
        match common.play::<G>(&self.table, seat, Bytes::from_static(b"any"), stream) {
            Ok(played) => {
                let kept = matches!(common, Common::Stand { .. })
                    || played
                        .0
                        .prompts()
                        .iter()
                        .zip(self.table.prompts())
                        .all(|(new, old)| *new == old.later());
                (self.table, self.entry) = played;
                self.played.asides += 1;
                self.must("prompts survive talk", kept, || format!("{:?}", self.table))
            }
            Err(refusal) => self.refused(&common, &refusal),
        }
    }

    /// A seat votes for a pause, or the platform orders one or replaces a seat that resigned.
    fn move_a_motion(&mut self) -> Result<(), Broken> {
        let mut contenders = self.table.contenders();
        let undecided = contenders.find(|&it| !self.table.votes_for(it, Motion::Pause));
        let moved = match (self.whims.below(3), self.table.resigned().iter().next(), undecided) {
            (0, Some(resigned), _) => replace::<G>(&self.table, resigned, false),
            (1, _, Some(seat)) => vote::<G>(&self.table, seat, Motion::Pause, true),
            _ => order::<G>(&self.table, Motion::Pause),
        };
        (self.table, self.entry) = moved.or_else(|refusal| self.refused(&"a motion", &refusal))?;
        Ok(())
    }

    fn resume(&mut self) -> Result<(), Broken> {
        self.position += 1;
        self.played.actions += 1;
        let before = self.table.clone();
        let mut contenders = self.table.contenders();
        let undecided = contenders.find(|&it| !self.table.votes_for(it, Motion::Resume));
        let undecided = undecided.filter(|_| self.whims.below(4) > 0);
        let resumed = match undecided {
            Some(seat) => vote::<G>(&self.table, seat, Motion::Resume, true),
            None => order::<G>(&self.table, Motion::Resume),
        };
        (self.table, self.entry) = resumed.or_else(|refusal| self.refused(&"resume", &refusal))?;
        self.remember(before);
        Ok(())
    }

    fn resign_somebody(&mut self) -> Result<(), Broken> {
        let contenders: Vec<Seat> = self.table.contenders().collect();
        let seat = contenders[self.random.below(contenders.len())];
        let stream = &mut ChaCha::of(self.key, self.position);
        let resigned = resign::<G>(&self.table, seat, stream);
        (self.table, self.entry) = resigned.or_else(|refusal| self.refused(&"resign", &refusal))?;
        self.played.resigned += 1;
        self.resigns_at = self.played.actions + self.random.below(40);
        let again = resign::<G>(&self.table, seat, &mut self.chance(0)).is_err();
        self.must("nobody resigns twice", again, || format!("{:?}", self.table))
    }

    fn refused<T>(&self, action: &dyn Debug, refusal: &Refused<G::Refusal>) -> Result<T, Broken> {
        Err(Broken {
            invariant: LISTED_ACCEPTED,
            game: G::NAME,
            seats: self.seats,
            seed: self.seed,
            detail: with_names(G::layout(), || {
                format!("{action:?}: {} ({refusal})\n{:?}", refusal.reason(), self.table)
            }),
        })
    }
}

/// Whether two actions of a secret kind may differ in this event: a viewer who is shown a piece or
/// receives a message is meant to learn it.
fn is_meant_to_differ(event: &Event) -> bool {
    match event {
        Event::Moved { what: Face::Up(_), .. } | Event::Said { speech: Some(_), .. } => true,
        Event::Moved { what: Face::Down(_) | Face::Uncounted, .. }
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
        | Event::Stood { .. }
        | Event::Contributed(_)
        | Event::Scored { .. }
        | Event::Resigned { .. }
        | Event::TimedOut { .. }
        | Event::TimeAdded { .. }
        | Event::Ended { .. }
        | Event::TookBack { .. }
        | Event::Voted { .. }
        | Event::Paused { .. }
        | Event::Resumed { .. }
        | Event::Abandoned
        | Event::Replaced { .. } => false,
    }
}

// === Random play, also for measurements and records ===

/// Whether the prompts of other seats keep their age if an entry of `by` leaves the prompts equal.
/// Entries that move a piece or begin a turn are exempt, because they may ask the same seats the
/// same decision about something else, and so are the house's answers for seats that resigned.
fn keeps_questions_of_others(before: &Table, by: Seat, entry: &Entry) -> bool {
    let leads_on = |event: &Event| {
        matches!(
            event,
            Event::Moved { .. }
                | Event::Gathered { .. }
                | Event::RoundBegan(_)
                | Event::PhaseBegan(_)
                | Event::TurnBegan(_)
        )
    };
    let question = |prompt: &Prompt| prompt.ageless();
    let pairs = || before.prompts().iter().zip(&entry.prompts);
    before.prompts().len() != entry.prompts.len()
        || pairs().any(|(old, new)| question(old) != question(new))
        || entry.events.iter().any(leads_on)
        || !before.resigned().is_empty()
        || pairs().all(|(old, new)| old.seat == by || new.age == old.age + 1)
}

/// A match played at random.
pub struct Playout<G: Rules> {
    pub opening: (Table, Entry),
    pub steps: Vec<Step<G>>,
}

/// One action of a match, with the table before and after it.
pub struct Step<G: Rules> {
    pub before: Table,
    pub seat: Seat,
    pub action: G::Action,
    pub after: Table,
    pub entry: Entry,
}

/// Plays one match at random to its end, dealt as the service deals it.
///
/// Each step chooses a seat and a kind of action, all combinations equally likely, and then one
/// action of that kind. So a kind with many actions, such as playing a card, does not crowd out a
/// kind with one, such as passing. Usually only seats that must act are considered.
pub fn playout<G: Rules>(seats: u8, options: &Options, chance: &MatchChance) -> Playout<G> {
    let mut random = chance.after(RANDOM);
    let opening = open::<G>(seats, options, &[], &mut chance.after(0));
    let (mut table, mut steps) = (opening.0.clone(), Vec::new());
    while !table.ended() && steps.len() < ACTIONS_MAX {
        let legal = legal::<G>(&table);
        let (seat, action) =
            choose_proposal::<G>(&table, &legal, &Manner::PLAIN, &mut random).clone();
        let mut chance = chance.after(table.choices().into());
        let played = play::<G>(&table, seat, &action, &mut chance);
        let (after, entry) = played.expect("what a game calls legal it accepts");
        let before = std::mem::replace(&mut table, after.clone());
        steps.push(Step { before, seat, action, after, entry });
    }
    Playout { opening, steps }
}

/// Plays a table at random to its end, in place and without a record. Returns the number of
/// actions.
pub fn playout_in_place<G: Rules>(table: &mut Table, chance: &mut dyn Chance) -> usize {
    let mut actions = 0;
    while !table.ended() && actions < ACTIONS_MAX {
        let seat = somebody(table, chance);
        if let Some(action) = G::any(table, seat, chance) {
            let advanced = advance::<G>(table, seat, &action, chance);
            advanced.expect("what a game draws it accepts");
            actions += 1;
        }
    }
    actions
}

/// A random seat that can act, usually one that must.
fn somebody(table: &Table, chance: &mut dyn Chance) -> Seat {
    let anybody = chance.below(Manner::PLAIN.anybody) == 0;
    let count = |must: bool| table.live().filter(|it| it.must || !must).count();
    let must = !anybody && count(true) > 0;
    let nth = chance.below(count(must));
    let mut asked = table.live().filter(|it| it.must || !must);
    asked.nth(nth).expect("somebody is asked until the end").seat
}

/// The chance of a test match with a short seed.
pub fn chance(seed: u64) -> MatchChance {
    MatchChance::new(&[0; 16], &key(seed), &[])
}

/// The secret of a test match with a short seed.
pub fn key(seed: u64) -> Seed {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key
}

/// The legal actions of all seats.
pub fn legal<G: Rules>(table: &Table) -> Vec<(Seat, G::Action)> {
    let mut legal = Vec::new();
    for seat in table.contenders().filter(|&seat| table.prompt(seat).is_some()) {
        legal.extend(G::legal(table, seat).into_iter().map(|action| (seat, action)));
    }
    legal
}

/// How a match chooses its actions. If all matches chose alike, states that need many actions of
/// one kind would hardly be reached. So some matches prefer some kinds, and vary how often seats
/// act that need not.
struct Manner {
    /// One in this many choices includes seats that need not act. If all did, matches with many
    /// optional prompts would hardly advance.
    anybody: usize,
    /// The verbs that are chosen [`PREFERENCE`] times as often as others.
    preferred: Vec<String>,
}

const PREFERENCE: usize = 5;

impl Manner {
    const PLAIN: Manner = Manner { anybody: 4, preferred: Vec::new() };

    /// Every second match has no preferences.
    fn of(layout: &Layout, seed: u64, random: &mut ChaCha) -> Manner {
        if seed.is_multiple_of(2) {
            return Manner::PLAIN;
        }
        let anybody = [2, 4, 16][random.below(3)];
        let verbs = layout.verbs().iter().map(|verb| (*verb).to_owned());
        Manner { anybody, preferred: verbs.filter(|_| random.below(3) == 0).collect() }
    }

    fn weight(&self, verb: &str) -> usize {
        if self.preferred.iter().any(|it| it == verb) { PREFERENCE } else { 1 }
    }
}

fn choose_proposal<'a, G: Rules>(
    table: &Table,
    legal: &'a [Proposal<G>],
    manner: &Manner,
    random: &mut ChaCha,
) -> &'a Proposal<G> {
    let must = |seat: Seat| table.live().any(|prompt| prompt.must && prompt.seat == seat);
    let waits = legal.iter().any(|it| !must(it.0)) && random.below(manner.anybody) > 0;
    let candidates: Vec<_> = legal.iter().filter(|it| !waits || must(it.0)).collect();
    let kind = |it: &&'a Proposal<G>| (it.0, discriminant(&it.1));
    let weight = |it: &&'a Proposal<G>| manner.weight(G::verb(&it.1));
    let &chosen = choose(&candidates, kind, weight, |limit| random.below(limit));
    chosen
}

fn random_options<G: Rules>(seats: u8, random: &mut ChaCha) -> Options {
    let chosen = G::OPTIONS.iter().map(|spec| {
        let value = spec.values[random.below(spec.values.len())];
        (spec.name.to_string(), value.to_string())
    });
    Options::of::<G>(&chosen.collect(), seats).unwrap_or_else(|_| {
        Options::of::<G>(&Default::default(), seats).expect("the defaults fit any number of seats")
    })
}
