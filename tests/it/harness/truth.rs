//! The complete truth about a match: entries from the wire, parsed back into events, so that they
//! can be folded and dealt again.

use contract::v1::event::Kind;
use contract::v1::{self, Entry, Match};
use games::Game;
use table::{
    Choice, Contribution, Event, Face, LastAction, Layout, MatchChance, Motion, Offer, OfferItem,
    PlaceId, Prompt, Seat, Seats, Speech, Table, Term, Text, Viewer, Viewers,
};

/// A match as one viewer received it.
pub struct Truth {
    pub game: &'static dyn Game,
    pub seats: u8,
    pub entries: Vec<table::Entry>,
    /// After each entry.
    pub tables: Vec<Table>,
}

impl Truth {
    /// Folds the entries that `viewer` received, from the first on.
    pub fn of(it: &Match, viewer: Viewer, entries: &[Entry]) -> Truth {
        let game = games::find(it.game.trim_start_matches("games/")).expect("a game");
        let seats = it.seats.len().try_into().expect("few seats");
        let entries: Vec<_> = entries.iter().map(|entry| read(game.layout(), entry)).collect();
        let mut table = Table::new(game.layout(), seats, viewer);
        let fold = |entry: &table::Entry| {
            table.apply(entry);
            table.clone()
        };
        let tables = entries.iter().map(fold).collect();
        Truth { game, seats, entries, tables }
    }

    /// Deals and plays the whole match again from the revealed seed: every entry must follow from
    /// the rules, the action and the chance at that position. Only the wire is trusted.
    pub fn check_deals(&self, it: &Match) {
        let seed = unhex(&it.seed);
        assert_eq!(blake3::hash(&seed).to_hex().as_str(), it.seed_commitment, "fixed beforehand");
        let options = it.options.clone().into_iter().collect();
        let options = self.game.check_options(&options, self.seats).expect("they were taken");
        let contributions = self.contributions();
        let id = uuid::Uuid::parse_str(it.name.trim_start_matches("matches/")).expect("a UUID");
        let of_match = MatchChance::new(id.as_bytes(), &seed, &contributions);
        let (mut table, mut choices): (Option<Table>, u64) = (None, 0);
        let mut last: Option<LastAction> = None;
        for (position, listed) in (1..).zip(&self.entries) {
            let mut chance = of_match.after(choices);
            choices += listed.choices.len() as u64;
            let (next, entry) = match (&table, listed.seat, &listed.action) {
                (None, ..) => {
                    let opened = self.game.open(self.seats, &options, &contributions, &mut chance);
                    opened.expect("it was opened")
                }
                (Some(table), Some(seat), Some(action)) => {
                    let played = self.game.play(table, seat, action, &mut chance);
                    played.expect("it was accepted")
                }
                (Some(table), seat, None) => {
                    let made = match (listed.verb, seat, &listed.events[0]) {
                        (table::RESIGN, Some(seat), _) => {
                            self.game.resign(table, seat, &mut chance)
                        }
                        (table::TIMEOUT, Some(seat), _) => {
                            let resigns = listed.events.contains(&Event::Resigned { seat });
                            self.game.time_out(table, seat, resigns, &mut chance)
                        }
                        (table::ADD_TIME, None, _) => {
                            let added = listed.events.iter().map(|event| match *event {
                                Event::TimeAdded { seat, ms } => (seat, ms),
                                _ => panic!("it adds nothing else"),
                            });
                            self.game.add_time(table, &added.collect::<Vec<_>>(), &mut chance)
                        }
                        (table::TAKE_BACK, Some(seat), _) => {
                            self.game.take_back(table, last.as_ref(), seat)
                        }
                        (table::VOTE, Some(_), &Event::Voted { seat, motion, on }) => {
                            self.game.vote(table, seat, motion, on)
                        }
                        (table::REPLACE, None, &Event::Replaced { seat }) => {
                            self.game.replace(table, seat, true)
                        }
                        (verb, None, _) => {
                            let motion = Motion::ordered_by(verb).expect("the platform's");
                            self.game.order(table, motion)
                        }
                        it => panic!("no rules make {it:?}"),
                    };
                    made.expect("it was accepted")
                }
                (Some(_), None, Some(_)) => panic!("the house gives no message"),
            };
            match (&mut last, &table) {
                (Some(last), _) if entry.is_aside() => last.age += 1,
                (last, Some(table)) => {
                    let (before, entry) = (table.clone(), entry.clone());
                    *last = Some(LastAction { before, entry, age: 1 });
                }
                _ => {}
            }
            assert_eq!(&on_the_wire(entry), listed, "at position {position}");
            table = Some(next);
        }
        let table = table.expect("the match was played");
        assert_eq!(numbers(table.winners().expect("it has ended")), it.winners);
        assert_eq!(table.scores(), it.scores);
    }
}

impl Truth {
    /// What the seats contributed to the chance of the match.
    pub fn contributions(&self) -> Vec<Contribution> {
        let contributed = self.entries[0].events.iter().map_while(|event| match event {
            Event::Contributed(it) => Some((**it).clone()),
            _ => None,
        });
        contributed.collect()
    }
}

pub fn numbers(seats: Seats) -> Vec<u32> {
    seats.iter().map(|seat| u8::from(seat).into()).collect()
}

fn unhex(text: &str) -> [u8; 32] {
    let bytes = (0..64).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16));
    let bytes: Vec<u8> = bytes.collect::<Result<_, _>>().expect("hexadecimal");
    bytes.try_into().expect("32 bytes")
}

/// The wire has the amount, but not whether it was public by rule, and the position of what was
/// taken back. It has no commitments to players.
fn on_the_wire(mut entry: table::Entry) -> table::Entry {
    entry.players.clear();
    for event in &mut entry.events {
        match event {
            Event::Paid { aloud, .. } => *aloud = false,
            Event::TookBack { age } => *age = 1,
            _ => {}
        }
    }
    entry
}

fn read(layout: &'static Layout, entry: &Entry) -> table::Entry {
    table::Entry {
        rules: entry.rules_version,
        choices: entry
            .choices
            .iter()
            .map(|it| Choice { bound: it.bound, value: it.value })
            .collect(),
        seat: entry.seat.map(seat),
        verb: layout.verb(&entry.verb).expect("a verb of the layout"),
        action: entry.action.as_ref().map(|action| action.body.clone()),
        events: entry.events.iter().map(|event| read_event(layout, event)).collect(),
        prompts: entry
            .prompts
            .iter()
            .map(|prompt| read_prompt(layout, prompt, entry.position))
            .collect(),
        players: Vec::new(),
    }
}

fn seat(number: u32) -> Seat {
    u8::try_from(number).expect("few seats").try_into().expect("a seat")
}

fn place(layout: &Layout, name: &str) -> PlaceId {
    layout.place_named(name).expect("a place of the layout")
}

fn id<Id: Copy>(words: &[Term<Id>], name: &str) -> Id {
    words.iter().find(|word| word.name == name).expect("a word of the layout").id
}

fn face(layout: &Layout, piece: &str, back: &str) -> Face {
    match piece {
        "" if back.is_empty() => Face::Uncounted,
        "" => Face::Down(id(layout.backs(), back)),
        piece => Face::Up(layout.piece_named(piece).expect("a piece of the catalogue")),
    }
}

fn read_prompt(layout: &Layout, prompt: &v1::Prompt, position: i32) -> Prompt {
    Prompt {
        seat: seat(prompt.seat),
        decision: id(layout.decisions(), &prompt.decision),
        must: !prompt.optional,
        layer: small(prompt.layer),
        age: small(u32::try_from(position - prompt.opened_position).expect("it was opened before")),
        asked: (prompt.asked_position > 0)
            .then(|| u32::try_from(position - prompt.asked_position).expect("it was asked before")),
    }
}

fn small<T: TryFrom<u32>>(number: u32) -> T {
    number.try_into().ok().expect("a small number")
}

fn read_event(layout: &Layout, event: &v1::Event) -> Event {
    match event.kind.as_ref().expect("something happened") {
        Kind::Moved(it) => Event::Moved {
            what: face(layout, &it.piece, &it.back),
            from: place(layout, &it.from),
            to: place(layout, &it.to),
        },
        Kind::Gathered(it) => {
            Event::Gathered { from: place(layout, &it.from), to: place(layout, &it.to) }
        }
        Kind::Shown(it) => Event::Shown {
            what: face(layout, &it.piece, &it.back),
            at: place(layout, &it.at),
            to: viewers(it.everyone, &it.seats),
        },
        Kind::Paid(it) => Event::Paid {
            coin: id(layout.coins(), &it.coin),
            from: place(layout, &it.from),
            to: place(layout, &it.to),
            amount: it.amount,
            aloud: false,
        },
        Kind::Marked(it) => {
            let value = it.value.try_into().expect("16 bits");
            Event::Marked { mark: id(layout.marks(), &it.mark), value }
        }
        Kind::Rolled(it) => Event::Rolled { seat: seat(it.seat), value: small(it.value) },
        Kind::Announced(it) => {
            let value = it.value.try_into().expect("16 bits");
            Event::Announced {
                announcement: id(layout.announcements(), &it.announcement),
                seat: seat(it.seat),
                value,
            }
        }
        Kind::Said(it) => {
            // The wire's recipients leave out the speaker.
            let to = viewers(it.everyone, &it.seats).or(Viewers::only(seat(it.seat)));
            let text = Text::of(&it.text).ok();
            let is_told = text.is_some() || it.erased;
            let speech = is_told.then(|| Box::new(Speech { to, text, sealed: None }));
            Event::Said { seat: seat(it.seat), speech }
        }
        Kind::Stood(it) => Event::Stood {
            seat: seat(it.seat),
            decision: id(layout.decisions(), &it.decision),
            on: it.on,
        },
        Kind::Contributed(it) => Event::Contributed(Box::new(Contribution {
            seat: seat(it.seat),
            bytes: it.contribution.clone().into(),
            after_commitment: it.after_commitment,
        })),
        Kind::TimedOut(it) => Event::TimedOut { seat: seat(*it) },
        Kind::TimeAdded(it) => {
            Event::TimeAdded { seat: seat(it.seat), ms: std_of(it.duration).as_millis() as u32 }
        }
        Kind::RoundBegan(round) => Event::RoundBegan(small(*round)),
        Kind::PhaseBegan(phase) => Event::PhaseBegan(small(*phase)),
        Kind::TurnBegan(turn) => Event::TurnBegan(seat(*turn)),
        Kind::Offered(it) => Event::Offered(Box::new(Offer {
            by: seat(it.by),
            to: seat(it.to),
            give: it.give.iter().map(|term| read_term(layout, term)).collect(),
            take: it.take.iter().map(|term| read_term(layout, term)).collect(),
        })),
        Kind::OfferClosed(by) => Event::OfferClosed { by: seat(*by) },
        Kind::Scored(it) => Event::Scored { seat: seat(it.seat), points: it.points },
        Kind::Resigned(it) => Event::Resigned { seat: seat(*it) },
        // How many entries ago is not told, and no table depends on it.
        Kind::TookBack(_) => Event::TookBack { age: 1 },
        Kind::Voted(it) => {
            Event::Voted { seat: seat(it.seat), motion: motion(it.motion()), on: it.on }
        }
        Kind::Paused(it) => Event::Paused { by: it.seat.map(seat) },
        Kind::Resumed(it) => Event::Resumed { by: it.seat.map(seat) },
        Kind::Abandoned(_) => Event::Abandoned,
        Kind::Replaced(it) => Event::Replaced { seat: seat(it.seat) },
        Kind::Ended(it) => {
            Event::Ended { winners: it.winners.iter().map(|&it| seat(it)).collect() }
        }
    }
}

fn motion(motion: v1::Motion) -> Motion {
    match motion {
        v1::Motion::EndWithoutResult => Motion::EndWithoutResult,
        v1::Motion::Pause => Motion::Pause,
        v1::Motion::Resume => Motion::Resume,
        v1::Motion::Unspecified => panic!("a vote is for a motion"),
    }
}

fn viewers(everyone: bool, seats: &[u32]) -> Viewers {
    match everyone {
        true => Viewers::ALL,
        false => seats.iter().fold(Viewers::NOBODY, |to, &it| to.or(Viewers::only(seat(it)))),
    }
}

fn read_term(layout: &Layout, term: &v1::OfferItem) -> OfferItem {
    let to = place(layout, &term.to);
    match term.piece.as_str() {
        "" => OfferItem::Coins {
            coin: id(layout.coins(), &term.coin),
            from: place(layout, &term.from),
            to,
            amount: term.amount,
        },
        piece => OfferItem::Piece { piece: layout.piece_named(piece).expect("a piece"), to },
    }
}

/// A duration that is set.
pub fn std_of(duration: Option<prost_types::Duration>) -> std::time::Duration {
    duration.expect("it is set").try_into().expect("it is not negative")
}
