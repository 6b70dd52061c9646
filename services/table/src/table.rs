//! The state of a match: where every piece and coin is, for the house and for every other viewer.

// A wildcard arm would decide for variants that do not exist yet that they change nothing.
#![deny(clippy::wildcard_enum_match_arm)]

use crate::{
    BackId, CoinId, Component, Contribution, DecisionId, Entry, Event, Face, Layout, MarkId,
    Motion, Offer, OfferItem, Piece, PlaceId, Prompt, SEATS_MAX, Seat, Seats, Set, Small, Viewer,
    Viewers, layout::PlaceRow, with_names,
};

mod snapshot;

pub use snapshot::SNAPSHOT_VERSION;

/// The complete state of any game, as one viewer sees it.
#[derive(Clone, PartialEq)]
pub struct Table {
    layout: &'static Layout,
    viewer: Viewer,
    seats: u8,
    /// By piece: its place; [`UNSEEN`] if the viewer does not know it.
    at: Vec<PlaceId>,
    /// How many unseen pieces of each back a place holds, sorted. None for the house, and none for
    /// places that the viewer cannot count.
    unseen: Vec<(PlaceId, BackId, u8)>,
    /// Who was shown a piece in a place that they do not see, sorted. Only the house keeps this.
    shown: Vec<(Piece, Viewers)>,
    /// By purse of the layout.
    pub(crate) coins: Vec<i32>,
    marks: Vec<i16>,
    round: u8,
    phase: u8,
    turn: Seat,
    pub(crate) prompts: Vec<Prompt>,
    offers: Vec<Offer>,
    scores: [i32; SEATS_MAX],
    resigned: Seats,
    /// The standing answers, in the order in which they were declared.
    standing: Vec<(Seat, DecisionId)>,
    /// By seat: what it said and declared since the turn, phase or round began.
    asides: [u8; SEATS_MAX],
    /// The votes on motions, in the order in which they were given.
    votes: Vec<(Seat, Motion)>,
    is_paused: bool,
    /// What the seats contributed to the chance of the match.
    contributions: Vec<Contribution>,
    /// How many random choices were made. Only the house counts them.
    pub(crate) choices: u32,
    winners: Option<Seats>,
}

/// The layer of the prompts that can be answered now, of those that are open.
pub fn top_layer(prompts: &[Prompt]) -> u8 {
    prompts.last().map_or(0, |prompt| prompt.layer)
}

const UNSEEN: PlaceId = PlaceId::numbered(u16::MAX);

// === The only fold, for every game and every viewer ===

impl Table {
    /// The table before the opening: every piece in its starting place, no coin paid.
    pub fn new(layout: &'static Layout, seats: u8, viewer: Viewer) -> Table {
        let mut table = Table {
            layout,
            viewer,
            seats,
            at: vec![UNSEEN; layout.pieces().len()],
            unseen: Vec::new(),
            shown: Vec::new(),
            coins: vec![0; layout.purses().len()],
            marks: vec![0; layout.marks().len()],
            round: 0,
            phase: 0,
            turn: Seat::default(),
            prompts: Vec::new(),
            offers: Vec::new(),
            scores: [0; SEATS_MAX],
            resigned: Seats::default(),
            standing: Vec::new(),
            asides: [0; SEATS_MAX],
            votes: Vec::new(),
            is_paused: false,
            contributions: Vec::new(),
            choices: 0,
            winners: None,
        };
        layout.pieces().iter().for_each(|row| table.lay(Face::Up(row.piece), row.start));
        table
    }

    /// Applies an entry of the log.
    pub fn apply(&mut self, entry: &Entry) {
        entry.events.iter().for_each(|event| self.apply_event(event));
        self.choices = self.choices.wrapping_add(entry.choices.len() as u32);
        self.prompts.clone_from(&entry.prompts);
    }

    /// Applies one event. Rules checked the event before it was recorded, so nothing is checked
    /// here: an event that makes no sense leads to a table that makes no sense, never to a panic.
    pub(crate) fn apply_event(&mut self, event: &Event) {
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
            Event::Rolled { seat: _, value: _ }
            | Event::Announced { announcement: _, seat: _, value: _ }
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

    fn end(&mut self, winners: Seats) {
        self.winners = Some(winners);
        self.prompts.clear();
        self.offers.clear();
        self.rest(false);
    }

    /// Votes were about how it was.
    fn rest(&mut self, is_paused: bool) {
        self.is_paused = is_paused;
        self.votes.clear();
    }

    /// The house's table as `viewer` sees it. Equals the fold of this viewer's redacted entries.
    ///
    /// Where no more than a spectator's table is kept of a match, everyone sees that one.
    pub fn seen_by(&self, viewer: Viewer) -> Table {
        if self.viewer == Viewer::Spectator {
            return self.clone();
        }
        assert_eq!(self.viewer, Viewer::House, "only the house knows what others see");
        if viewer == Viewer::House {
            return self.clone();
        }
        // Every field is named, so that a new one does not compile until it is redacted.
        let mut seen = Table {
            layout: self.layout,
            viewer,
            seats: self.seats,
            at: vec![UNSEEN; self.at.len()],
            unseen: Vec::new(),
            shown: Vec::new(),
            coins: self.coins.clone(),
            marks: self.marks.clone(),
            round: self.round,
            phase: self.phase,
            turn: self.turn,
            prompts: self.prompts.clone(),
            offers: self.offers.clone(),
            scores: self.scores,
            resigned: self.resigned,
            standing: self.standing.clone(),
            asides: self.asides,
            votes: self.votes.clone(),
            is_paused: self.is_paused,
            contributions: self.contributions.clone(),
            choices: 0,
            winners: self.winners,
        };
        for (n, &place) in self.at.iter().enumerate() {
            let piece = Piece(n as u8);
            let shown = self.shown.iter().any(|(it, to)| *it == piece && to.has(viewer));
            match shown {
                true => seen.at[n] = place,
                false => seen.lay(Face::Up(piece), place),
            }
        }
        for (n, purse) in self.layout.purses().iter().enumerate() {
            if !seen.sees(purse.place) {
                seen.coins[n] = 0;
            }
        }
        seen
    }

    /// This table as if no standing answer were declared.
    pub(crate) fn with_nobody_standing(&self) -> Table {
        Table { standing: Vec::new(), ..self.clone() }
    }

    fn count_aside(&mut self, seat: Seat) {
        let count = &mut self.asides[seat.index()];
        *count = count.saturating_add(1);
    }

    #[inline]
    fn sees(&self, place: PlaceId) -> bool {
        self.layout.viewers(place).has(self.viewer)
    }

    #[inline]
    fn counts(&self, place: PlaceId) -> bool {
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
                // Any of the pieces that were shown here may have left.
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

    /// A viewer remembers a shown piece until an unseen piece leaves its place.
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

// === Reading: who is at the table ===

impl Table {
    pub fn layout(&self) -> &'static Layout {
        self.layout
    }
    pub fn viewer(&self) -> Viewer {
        self.viewer
    }
    pub fn seats(&self) -> impl DoubleEndedIterator<Item = Seat> + Clone + use<> {
        (0..self.seats).map(Seat)
    }
    pub fn seat_count(&self) -> usize {
        self.seats.into()
    }
    pub fn has_seat(&self, seat: Seat) -> bool {
        seat.0 < self.seats
    }
    /// The seats clockwise, `first` included.
    pub fn from(&self, first: Seat) -> impl Iterator<Item = Seat> + Clone + use<> {
        let seats = self.seats;
        (0..seats).map(move |n| Seat((first.0 + n) % seats))
    }
    pub fn after(&self, seat: Seat) -> Seat {
        Seat((seat.0 + 1) % self.seats)
    }
    pub fn others(&self, seat: Seat) -> impl Iterator<Item = Seat> + Clone + use<> {
        self.from(seat).skip(1)
    }
    /// What the seats contributed to the chance of the match, in the order of the seats.
    pub fn contributions(&self) -> &[Contribution] {
        &self.contributions
    }
    /// How many random choices the match has made; 0 unless the viewer is the house.
    pub fn choices(&self) -> u32 {
        self.choices
    }
    pub fn resigned(&self) -> Seats {
        self.resigned
    }
    /// The seats that may still win.
    pub fn contenders(&self) -> impl Iterator<Item = Seat> + Clone + use<> {
        let resigned = self.resigned;
        self.seats().filter(move |&seat| !resigned.has(seat))
    }
}

// === Reading: pieces, coins, marks ===

/// What the viewer sees of one place.
pub struct PlaceSeen<'a> {
    pub place: &'a PlaceRow,
    pub pieces: Set,
    /// The other pieces, counted by their backs.
    pub unseen: Vec<(BackId, usize)>,
    /// Whether the viewer can count the pieces. If not, there may be more than `pieces`.
    pub is_counted: bool,
    /// Every purse that the viewer can count.
    pub purses: Vec<(CoinId, i32)>,
}

impl Table {
    /// Every place of this match, with what the viewer sees of it.
    pub fn places(&self) -> impl Iterator<Item = PlaceSeen<'_>> {
        self.layout.places_of(self.seats).map(|place| {
            let unseen = self.unseen.iter().filter(|it| it.0 == place.id);
            let purses = self.layout.purses_at(place.id).filter(|_| self.sees(place.id));
            PlaceSeen {
                place,
                pieces: self.pieces(place.id),
                unseen: unseen.map(|it| (it.1, it.2.into())).collect(),
                is_counted: self.counts(place.id),
                purses: purses
                    .map(|purse| (self.layout.purses()[purse].coin, self.coins[purse]))
                    .collect(),
            }
        })
    }

    /// The place of a piece; none if the viewer does not know it.
    pub fn at(&self, piece: impl Into<Piece>) -> Option<PlaceId> {
        Some(self.at[piece.into().index()]).filter(|&place| place != UNSEEN)
    }
    /// The place of a piece, as the game's own enum; none if the viewer does not know it.
    pub fn place<P: Small>(&self, piece: impl Into<Piece>) -> Option<P> {
        self.at(piece).and_then(PlaceId::to)
    }
    /// Whether the viewer knows that a piece is in a place.
    #[inline]
    pub fn lies(&self, piece: impl Into<Piece>, place: impl Into<PlaceId>) -> bool {
        self.at.get(piece.into().index()) == Some(&place.into())
    }
    /// The pieces of a kind that the viewer sees in a place.
    pub fn pieces<K: Component>(&self, place: impl Into<PlaceId>) -> Set<K> {
        Set::lying(&self.at, place.into())
    }
    /// How many pieces a place holds, seen or not; only the seen ones where the viewer cannot count
    /// the others.
    pub fn count(&self, place: impl Into<PlaceId>) -> usize {
        let place = place.into();
        let unseen = self.unseen.iter().filter(|it| it.0 == place).map(|it| usize::from(it.2));
        self.pieces::<Piece>(place).len() + unseen.sum::<usize>()
    }
    pub fn is_bare(&self, place: impl Into<PlaceId>) -> bool {
        let place = place.into();
        self.pieces::<Piece>(place).is_empty() && !self.unseen.iter().any(|it| it.0 == place)
    }
    /// The first piece of a kind, of the lowest layer, that the viewer sees in a place.
    pub fn first<K: Component>(&self, place: impl Into<PlaceId>) -> Option<K> {
        self.top(place).iter().next()
    }
    /// The pieces of a kind, of the lowest layer, that the viewer sees in a place. Those of a pile
    /// are drawn next.
    pub(crate) fn top<K: Component>(&self, place: impl Into<PlaceId>) -> Set<K> {
        let here = self.pieces(place);
        let layers = self.layout.layers.iter().map(|layer| here.among(layer));
        layers.into_iter().find(|layer| !layer.is_empty()).unwrap_or_default()
    }

    /// Panics where the layout declares no such purse.
    #[inline]
    pub fn coins(&self, coin: impl Into<CoinId>, place: impl Into<PlaceId>) -> i32 {
        let purse = self.layout.purse(place.into(), coin.into());
        self.coins[purse.expect("the layout declares this purse")]
    }

    /// The value of a mark.
    #[inline]
    pub fn marked(&self, mark: impl Into<MarkId>) -> i16 {
        self.marks[self.layout.marks.row(mark.into())]
    }
    pub fn is_marked(&self, mark: impl Into<MarkId>) -> bool {
        self.marked(mark) != 0
    }
    /// The value of a mark that names something, such as a seat; none if it names nothing.
    pub fn get<T: Small>(&self, mark: impl Into<MarkId>) -> Option<T> {
        usize::try_from(self.marked(mark)).ok()?.checked_sub(1).and_then(T::nth)
    }
    /// Every mark of this match and its value, in the layout's order.
    pub fn marks(&self) -> impl Iterator<Item = (MarkId, i16)> {
        self.layout.marks().iter().zip(&self.marks).map(|(mark, &value)| (mark.id, value))
    }
}

// === Reading: whose turn it is, and how it ended ===

impl Table {
    pub fn round(&self) -> u8 {
        self.round
    }
    pub fn phase(&self) -> u8 {
        self.phase
    }
    pub fn turn(&self) -> Seat {
        self.turn
    }
    pub fn prompts(&self) -> &[Prompt] {
        &self.prompts
    }
    /// The prompts that can be answered now: those in the top layer.
    pub fn live(&self) -> impl DoubleEndedIterator<Item = &Prompt> {
        let top = top_layer(&self.prompts);
        self.prompts.iter().filter(move |prompt| prompt.layer == top)
    }
    /// The prompt that a seat can answer now.
    pub fn prompt(&self, seat: Seat) -> Option<&Prompt> {
        self.live().rfind(|prompt| prompt.seat == seat)
    }
    /// What a seat can decide now, as the game's own enum.
    pub fn decision<A: Small>(&self, seat: Seat) -> Option<A> {
        self.prompt(seat).and_then(|prompt| prompt.decision.to())
    }
    /// The decisions that the house answers for a seat, in the order in which it declared them.
    pub fn standing(&self) -> &[(Seat, DecisionId)] {
        &self.standing
    }
    /// Whether a seat declared a standing answer to a decision.
    pub fn stands(&self, seat: Seat, decision: impl Into<DecisionId>) -> bool {
        self.standing.contains(&(seat, decision.into()))
    }
    /// How often a seat has said or declared something since the turn, phase or round began.
    pub fn asides(&self, seat: Seat) -> u8 {
        self.asides[seat.index()]
    }
    pub fn offers(&self) -> &[Offer] {
        &self.offers
    }
    /// Whether every purse holds the coins that these items take from it.
    pub fn can_settle(&self, terms: &[OfferItem]) -> bool {
        terms.iter().all(|term| match *term {
            OfferItem::Piece { .. } => true,
            OfferItem::Coins { coin, from, .. } => {
                let due = terms.iter().map(|term| match *term {
                    OfferItem::Coins { coin: c, from: f, amount, .. } if (c, f) == (coin, from) => {
                        amount
                    }
                    OfferItem::Coins { .. } | OfferItem::Piece { .. } => 0,
                });
                i64::from(self.coins(coin, from)) >= due.map(i64::from).sum()
            }
        })
    }
    /// By seat.
    pub fn scores(&self) -> &[i32] {
        &self.scores[..self.seat_count()]
    }
    /// The memory that the table takes, as an estimate.
    pub fn bytes(&self) -> usize {
        size_of::<Table>()
            + self.at.capacity() * size_of::<PlaceId>()
            + self.unseen.capacity() * size_of::<(PlaceId, BackId, u8)>()
            + self.shown.capacity() * size_of::<(Piece, Viewers)>()
            + self.coins.capacity() * size_of::<i32>()
            + self.marks.capacity() * size_of::<i16>()
            + self.prompts.capacity() * size_of::<Prompt>()
            + self.standing.capacity() * size_of::<(Seat, DecisionId)>()
            + self.votes.capacity() * size_of::<(Seat, Motion)>()
            + self.offers.iter().map(Offer::bytes).sum::<usize>()
    }

    /// None until the match ends.
    pub fn winners(&self) -> Option<Seats> {
        self.winners
    }
    pub fn ended(&self) -> bool {
        self.winners.is_some()
    }
    /// Whether it ended without a result.
    pub fn is_abandoned(&self) -> bool {
        self.winners.is_some_and(Seats::is_empty)
    }
    /// Whether nobody can act until the match is resumed.
    pub fn is_paused(&self) -> bool {
        self.is_paused
    }
    /// The votes on motions, in the order in which they were given.
    pub fn votes(&self) -> &[(Seat, Motion)] {
        &self.votes
    }
    pub fn votes_for(&self, seat: Seat, motion: Motion) -> bool {
        self.votes.contains(&(seat, motion))
    }
}

// === Reading: what is taken back ===

impl Table {
    /// Who was shown which piece, where they do not see it.
    pub(crate) fn shown(&self) -> &[(Piece, Viewers)] {
        &self.shown
    }

    /// Whether everything lies and stands as on another table of the match. What counts entries,
    /// talk and votes may differ.
    pub(crate) fn is_as(&self, other: &Table) -> bool {
        let ageless = |prompts: &[Prompt]| {
            prompts.iter().map(|prompt| Prompt { age: 0, ..*prompt }).collect()
        };
        let comparable = Table {
            prompts: ageless(&self.prompts),
            asides: other.asides,
            votes: other.votes.clone(),
            choices: other.choices,
            ..self.clone()
        };
        comparable == Table { prompts: ageless(&other.prompts), ..other.clone() }
    }
}

// === What a seat does not know ===

impl Table {
    /// The house's table with what this viewer sees, and nothing of what it does not: pieces are
    /// nowhere, purses empty.
    pub(crate) fn imagined(&self) -> Table {
        let only = match self.viewer {
            Viewer::Seat(seat) => Viewers::only(seat),
            Viewer::House | Viewer::Spectator => Viewers::NOBODY,
        };
        let known = (0..self.at.len()).map(|n| (Piece(n as u8), self.at[n]));
        let shown = known.filter(|&(_, at)| at != UNSEEN && !self.sees(at));
        let shown = shown.map(|(piece, _)| (piece, only)).collect();
        Table { viewer: Viewer::House, unseen: Vec::new(), shown, ..self.clone() }
    }
    /// The pieces of which the viewer does not know where they are.
    pub(crate) fn unplaced(&self) -> impl Iterator<Item = Piece> {
        let unplaced = self.at.iter().enumerate().filter(|(_, at)| **at == UNSEEN);
        unplaced.map(|(n, _)| Piece(n as u8))
    }
    /// How many unseen pieces with a back each place holds, where the viewer can count them.
    pub(crate) fn unseen_with(&self, back: BackId) -> impl Iterator<Item = (PlaceId, usize)> {
        let here = self.unseen.iter().filter(move |it| it.1 == back);
        here.map(|it| (it.0, it.2.into()))
    }
    pub(crate) fn unseen_at(&self, place: PlaceId, back: BackId) -> usize {
        self.unseen_with(back).find(|it| it.0 == place).map_or(0, |it| it.1)
    }
    /// The places whose pieces the viewer cannot count.
    pub(crate) fn uncounted(&self) -> impl Iterator<Item = PlaceId> {
        self.layout.places_of(self.seats).map(|row| row.id).filter(|&place| !self.counts(place))
    }
    pub(crate) fn put_down(&mut self, piece: Piece, place: PlaceId) {
        self.at[piece.index()] = place;
    }
}

// === For the invariants ===

impl Table {
    /// By coin: its sum over the table, which must be 0.
    pub(crate) fn balance(&self) -> Vec<i32> {
        let mut sums = vec![0; self.layout.coins().len()];
        for (purse, &amount) in self.layout.purses().iter().zip(&self.coins) {
            sums[self.layout.coins.row(purse.coin)] += amount;
        }
        sums
    }
    /// A purse below 0 that is not a bank.
    pub(crate) fn overdrawn(&self) -> Option<(PlaceId, CoinId)> {
        let mut purses = self.layout.purses().iter().zip(&self.coins);
        let (purse, _) = purses.find(|(purse, amount)| **amount < 0 && !purse.is_bank)?;
        Some((purse.place, purse.coin))
    }
    pub(crate) fn piece_count(&self) -> usize {
        let unseen: usize = self.unseen.iter().map(|it| usize::from(it.2)).sum();
        self.at.iter().filter(|&&at| at != UNSEEN).count() + unseen
    }
    /// The house's table with two pieces swapped. A viewer who sees neither cannot distinguish the
    /// two tables if the pieces are [`alike`](Layout::alike).
    pub(crate) fn swapped(&self, p: Piece, q: Piece) -> Table {
        let mut other = self.clone();
        // Every field is named, so that a new one does not compile until its pieces are swapped.
        let Table {
            at,
            shown,
            // The house sees every piece, and names a piece in an offer only if everyone may know.
            unseen: _,
            offers: _,
            layout: _,
            viewer: _,
            seats: _,
            coins: _,
            marks: _,
            round: _,
            phase: _,
            turn: _,
            prompts: _,
            scores: _,
            resigned: _,
            standing: _,
            asides: _,
            votes: _,
            is_paused: _,
            contributions: _,
            choices: _,
            winners: _,
        } = &mut other;
        at.swap(p.index(), q.index());
        for (piece, _) in shown.iter_mut() {
            *piece = match *piece {
                it if it == p => q,
                it if it == q => p,
                it => it,
            };
        }
        shown.sort_unstable_by_key(|(piece, _)| *piece);
        other
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        with_names(self.layout, || self.describe(f))
    }
}

impl Table {
    fn describe(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{:?} round {} phase {} {:?}", self.viewer, self.round, self.phase, self.turn)?;
        for PlaceSeen { place, pieces, unseen, is_counted: _, purses } in self.places() {
            let purses: Vec<_> = purses.into_iter().filter(|purse| purse.1 != 0).collect();
            if !self.is_bare(place.id) || !purses.is_empty() {
                writeln!(f, "  {}: {pieces:?} unseen {unseen:?} coins {purses:?}", place.name)?;
            }
        }
        let marks: Vec<_> = self.marks().filter(|mark| mark.1 != 0).collect();
        writeln!(f, "  marks {marks:?} shown {:?}", self.shown)?;
        writeln!(f, "  prompts {:?} offers {:?}", self.prompts, self.offers)?;
        writeln!(f, "  standing {:?} asides {:?}", self.standing, self.asides)?;
        writeln!(f, "  votes {:?} paused {}", self.votes, self.is_paused)?;
        write!(f, "  resigned {:?} winners {:?}", self.resigned, self.winners)
    }
}
