//! The complete state of a match, and its fold, the only one for all games and viewers.

// A wildcard arm would assume that future variants change nothing.
#![deny(clippy::wildcard_enum_match_arm)]

use crate::{
    AnnouncementId, BackId, CoinId, Contribution, DecisionId, Entry, Event, Face, Layout, Motion,
    Offer, Piece, PlaceId, Prompt, SEATS_MAX, Seat, Seats, Small, Viewer, Viewers,
    attachment::Attachment,
};

/// The complete state of any game, as one viewer sees it.
#[derive(Clone, PartialEq)]
pub struct Table {
    pub(super) layout: &'static Layout,
    pub(super) viewer: Viewer,
    pub(super) seats: u8,
    /// By piece: its place; [`UNSEEN`] if the viewer does not know it.
    pub(super) at: Vec<PlaceId>,
    /// How many unseen pieces of each back a place holds, sorted. Empty for the house; without
    /// places that the viewer cannot count.
    pub(super) unseen: Vec<(PlaceId, BackId, u8)>,
    /// The viewers who were shown a piece in a place that they do not see, sorted by piece. Only on
    /// the house's table.
    pub(super) shown: Vec<(Piece, Viewers)>,
    /// By purse of the layout.
    pub(crate) coins: Vec<i32>,
    pub(super) marks: Vec<i16>,
    pub(super) round: u8,
    pub(super) phase: u8,
    pub(super) turn: Seat,
    pub(crate) prompts: Vec<Prompt>,
    pub(super) offers: Vec<Offer>,
    pub(super) scores: [i32; SEATS_MAX],
    /// In the order in which they were announced.
    pub(super) score_parts: Vec<ScorePart>,
    pub(super) resigned: Seats,
    /// The standing answers, in the order in which they were declared.
    pub(super) standing: Vec<(Seat, DecisionId)>,
    /// By seat: how many messages and standing answers it gave since the turn, phase or round
    /// began.
    pub(super) asides: [u8; SEATS_MAX],
    /// The votes on motions, in the order in which they were given.
    pub(super) votes: Vec<(Seat, Motion)>,
    pub(super) is_paused: bool,
    /// The seats' contributions to the chance of the match.
    pub(super) contributions: Vec<Contribution>,
    /// How many random choices were made. Only the house counts them.
    pub(crate) choices: u32,
    pub(super) winners: Option<Seats>,
    /// No part of its value.
    pub(crate) attachment: Attachment,
}

/// A part of a seat's score, under the announcement that told it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScorePart {
    pub seat: Seat,
    pub announcement: AnnouncementId,
    pub points: i32,
}

/// The place of a piece that the viewer does not know.
pub(super) const UNSEEN: PlaceId = PlaceId::numbered(u16::MAX);

const ONLY_THE_HOUSE: &str = "only the house knows what others see";

// === The only fold, for every game and every viewer ===

impl Table {
    /// The table before the opening: every piece in its starting place, no coin paid.
    pub fn new(layout: &'static Layout, seats: u8, viewer: Viewer) -> Table {
        let mut table = Table {
            at: vec![UNSEEN; layout.pieces().len()],
            coins: vec![0; layout.purses().len()],
            marks: vec![0; layout.marks().len()],
            ..Table::blank(layout, seats, viewer)
        };
        layout.pieces().iter().for_each(|row| table.lay(Face::Up(row.piece), row.start));
        table
    }

    /// A table without any piece, purse or mark, to be filled.
    fn blank(layout: &'static Layout, seats: u8, viewer: Viewer) -> Table {
        Table {
            layout,
            viewer,
            seats,
            at: Vec::new(),
            unseen: Vec::new(),
            shown: Vec::new(),
            coins: Vec::new(),
            marks: Vec::new(),
            round: 0,
            phase: 0,
            turn: Seat::default(),
            prompts: Vec::new(),
            offers: Vec::new(),
            scores: [0; SEATS_MAX],
            score_parts: Vec::new(),
            resigned: Seats::default(),
            standing: Vec::new(),
            asides: [0; SEATS_MAX],
            votes: Vec::new(),
            is_paused: false,
            contributions: Vec::new(),
            choices: 0,
            winners: None,
            attachment: Attachment::default(),
        }
    }

    /// Applies an entry of the log.
    pub fn apply(&mut self, entry: &Entry) {
        self.detach();
        entry.events.iter().for_each(|event| self.apply_event(event));
        self.choices = self.choices.wrapping_add(entry.choices.len() as u32);
        self.prompts.clone_from(&entry.prompts);
    }

    /// Drops what was attached to the state before a change.
    pub(crate) fn detach(&mut self) {
        self.attachment = Attachment::default();
    }

    /// Applies one event. Rules checked it before it was recorded, so nothing is checked here. An
    /// inconsistent event leads to an inconsistent table, never to a panic.
    pub(crate) fn apply_event(&mut self, event: &Event) {
        self.detach();
        match *event {
            Event::Moved { what, from, to } => {
                self.lift(what, from, to);
                self.lay(what, to);
            }
            Event::Gathered { from, to } => self.gather(from, to),
            Event::Shown { what, at, to } => self.show(what, at, to),
            Event::Paid { coin, from, to, amount, aloud: _ } => {
                self.pay(coin, from, to, amount.unwrap_or(0))
            }
            Event::Marked { mark, value } => {
                let mark = self.layout.marks.row(mark);
                self.marks[mark] = value;
            }
            Event::Announced { announcement, seat, value } => {
                self.add_score_part(announcement, seat, value);
            }
            Event::Rolled { seat: _, value: _ }
            | Event::TimedOut { seat: _ }
            | Event::TimeAdded { seat: _, ms: _ } => {}
            Event::Said { seat, speech: _ } => self.count_aside(seat),
            Event::Stood { seat, decision, on } => {
                self.count_aside(seat);
                self.standing.retain(|it| *it != (seat, decision));
                if on {
                    self.standing.push((seat, decision));
                }
            }
            Event::RoundBegan(round) => (self.round, self.asides) = (round, Default::default()),
            Event::PhaseBegan(phase) => (self.phase, self.asides) = (phase, Default::default()),
            Event::TurnBegan(seat) => (self.turn, self.asides) = (seat, Default::default()),
            Event::Offered(ref offer) => self.offers.push((**offer).clone()),
            Event::OfferClosed { by } => self.offers.retain(|offer| offer.by != by),
            Event::Contributed(ref it) => self.contributions.push((**it).clone()),
            Event::Scored { seat, points } => self.scores[seat.index()] = points,
            Event::Resigned { seat } => {
                self.resigned.add(seat);
                self.votes.retain(|vote| vote.0 != seat);
            }
            Event::Ended { winners } => self.end(winners),
            Event::Abandoned => self.end(Seats::default()),
            Event::TookBack { age: _ } => {}
            Event::Voted { seat, motion, on } => {
                self.votes.retain(|vote| *vote != (seat, motion));
                if on {
                    self.votes.push((seat, motion));
                }
            }
            Event::Paused { by: _ } => self.rest(true),
            Event::Resumed { by: _ } => self.rest(false),
            Event::Replaced { seat } => {
                self.resigned.remove(seat);
                self.standing.retain(|standing| standing.0 != seat);
                self.votes.retain(|vote| vote.0 != seat);
            }
        }
    }

    /// A part that is announced again replaces the earlier one.
    fn add_score_part(&mut self, announcement: AnnouncementId, seat: Seat, value: i16) {
        let points = self.layout.score_points(announcement, value);
        if points != 0 {
            self.score_parts.retain(|it| (it.seat, it.announcement) != (seat, announcement));
            self.score_parts.push(ScorePart { seat, announcement, points });
        }
    }

    fn end(&mut self, winners: Seats) {
        self.winners = Some(winners);
        self.prompts.clear();
        self.offers.clear();
        self.rest(false);
    }

    /// Clears the votes too: they referred to the earlier state.
    fn rest(&mut self, is_paused: bool) {
        self.is_paused = is_paused;
        self.votes.clear();
    }

    /// The house's table as `viewer` sees it. It equals the fold of this viewer's redacted entries,
    /// as the invariants check.
    ///
    /// If retention kept only a spectator's table, every viewer gets that one.
    pub fn seen_by(&self, viewer: Viewer) -> Table {
        if self.viewer == Viewer::Spectator || viewer == Viewer::House {
            assert!(!matches!(self.viewer, Viewer::Seat(_)), "{ONLY_THE_HOUSE}");
            return self.clone();
        }
        let mut seen = Table::blank(self.layout, self.seats, viewer);
        self.show_to(&mut seen);
        seen
    }

    /// The same in the memory of another table, for its viewer, which is not the house: for callers
    /// who look at millions of tables. `self` is the house's.
    pub fn show_to(&self, seen: &mut Table) {
        assert_eq!(self.viewer, Viewer::House, "{ONLY_THE_HOUSE}");
        // Every field is named, so that a new one does not compile until it is redacted.
        let Table {
            layout,
            viewer,
            seats,
            at,
            unseen,
            shown,
            coins,
            marks,
            round,
            phase,
            turn,
            prompts,
            offers,
            scores,
            score_parts,
            resigned,
            standing,
            asides,
            votes,
            is_paused,
            contributions,
            choices,
            winners,
            attachment,
        } = &mut *seen;
        let viewer = *viewer;
        assert_ne!(viewer, Viewer::House, "the house's table is no redacted one");
        *layout = self.layout;
        *seats = self.seats;
        at.clear();
        at.resize(self.at.len(), UNSEEN);
        unseen.clear();
        shown.clear();
        coins.clone_from(&self.coins);
        marks.clone_from(&self.marks);
        *round = self.round;
        *phase = self.phase;
        *turn = self.turn;
        prompts.clone_from(&self.prompts);
        offers.clone_from(&self.offers);
        *scores = self.scores;
        score_parts.clone_from(&self.score_parts);
        *resigned = self.resigned;
        standing.clone_from(&self.standing);
        *asides = self.asides;
        votes.clone_from(&self.votes);
        *is_paused = self.is_paused;
        contributions.clone_from(&self.contributions);
        *choices = 0;
        *winners = self.winners;
        *attachment = Attachment::default();
        for (n, &place) in self.at.iter().enumerate() {
            let piece = Piece(n as u8);
            let is_shown = || self.shown.iter().any(|(it, to)| *it == piece && to.has(viewer));
            if self.layout.viewers(place).has(viewer) || is_shown() {
                at[n] = place;
                continue;
            }
            let back = self.layout.back(piece);
            // Most unseen pieces lie in a few places.
            match unseen.iter_mut().find(|it| (it.0, it.1) == (place, back)) {
                Some((_, _, count)) => *count += 1,
                None if self.layout.counters(place).has(viewer) => unseen.push((place, back, 1)),
                None => {}
            }
        }
        unseen.sort_unstable();
        for (purse, coins) in self.layout.purses().iter().zip(coins) {
            if !self.layout.viewers(purse.place).has(viewer) {
                *coins = 0;
            }
        }
    }

    fn count_aside(&mut self, seat: Seat) {
        let count = &mut self.asides[seat.index()];
        *count = count.saturating_add(1);
    }

    /// Whether the viewer sees what is in a place.
    #[inline]
    pub fn sees(&self, place: PlaceId) -> bool {
        self.layout.viewers(place).has(self.viewer)
    }

    #[inline]
    pub(super) fn counts(&self, place: PlaceId) -> bool {
        self.layout.counters(place).has(self.viewer)
    }

    fn lay(&mut self, what: Face, to: PlaceId) {
        match what {
            Face::Up(piece) if self.sees(to) => self.at[piece.index()] = to,
            Face::Up(piece) => self.count_unseen(to, self.layout.back(piece), 1),
            Face::Down(back) => self.count_unseen(to, back, 1),
            Face::Uncounted => {}
        }
    }

    fn lift(&mut self, what: Face, from: PlaceId, to: PlaceId) {
        match what {
            Face::Up(piece) if self.at[piece.index()] == from => self.at[piece.index()] = UNSEEN,
            Face::Up(piece) => self.count_unseen(from, self.layout.back(piece), -1),
            Face::Down(back) => {
                // The piece may be any of those that were shown here.
                self.forget(from);
                self.count_unseen(from, back, -1);
            }
            Face::Uncounted => self.forget(from),
        }
        if !self.shown.is_empty() {
            let named_to = self.layout.viewers(from).or(self.layout.viewers(to));
            let at = &self.at;
            self.shown.retain_mut(|(piece, viewers)| {
                if at[piece.index()] == from {
                    *viewers = viewers.and(named_to);
                }
                Face::Up(*piece) != what && *viewers != Viewers::NOBODY
            });
        }
    }

    fn gather(&mut self, from: PlaceId, to: PlaceId) {
        self.shown.retain(|(piece, _)| self.at[piece.index()] != from);
        if self.sees(from) && self.sees(to) {
            self.at.iter_mut().for_each(|at| *at = if *at == from { to } else { *at });
            return;
        }
        self.forget(from);
        for n in 0..self.at.len() {
            if self.at[n] == from {
                self.at[n] = UNSEEN;
                self.lay(Face::Up(Piece(n as u8)), to);
            }
        }
        for (_, back, count) in self.unseen.extract_if(.., |it| it.0 == from).collect::<Vec<_>>() {
            self.count_unseen(to, back, count as i8);
        }
    }

    /// A viewer knows a shown piece until an unseen piece leaves its place.
    fn show(&mut self, what: Face, at: PlaceId, to: Viewers) {
        let Face::Up(piece) = what else { return };
        if self.viewer != Viewer::House {
            if self.at[piece.index()] != at {
                self.count_unseen(at, self.layout.back(piece), -1);
                self.at[piece.index()] = at;
            }
            return;
        }
        match self.shown.iter_mut().find(|(it, _)| *it == piece) {
            Some((_, viewers)) => *viewers = viewers.or(to),
            None => {
                self.shown.push((piece, to));
                self.shown.sort_unstable_by_key(|(piece, _)| *piece);
            }
        }
    }

    /// Turns the pieces that were shown in `place` back into unseen ones.
    fn forget(&mut self, place: PlaceId) {
        if self.sees(place) {
            return;
        }
        for n in 0..self.at.len() {
            if self.at[n] == place {
                self.at[n] = UNSEEN;
                self.count_unseen(place, self.layout.back(Piece(n as u8)), 1);
            }
        }
    }

    fn count_unseen(&mut self, place: PlaceId, back: BackId, change: i8) {
        if !self.counts(place) {
            return;
        }
        let found = self.unseen.binary_search_by_key(&(place, back), |it| (it.0, it.1));
        match found {
            Ok(n) => {
                self.unseen[n].2 = self.unseen[n].2.wrapping_add_signed(change);
                if self.unseen[n].2 == 0 {
                    self.unseen.remove(n);
                }
            }
            Err(n) => self.unseen.insert(n, (place, back, change as u8)),
        }
    }

    fn pay(&mut self, coin: CoinId, from: PlaceId, to: PlaceId, amount: u32) {
        for (place, change) in [(from, (amount as i32).wrapping_neg()), (to, amount as i32)] {
            if self.sees(place)
                && let Some(purse) = self.layout.purse(place, coin)
            {
                self.coins[purse] = self.coins[purse].wrapping_add(change);
            }
        }
    }
}
