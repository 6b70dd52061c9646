//! Accessors of a table, for rules, clients and bots.

use super::fold::{ScorePart, Table, UNSEEN};
use crate::{
    Attached, BackId, CoinId, Component, Contribution, DecisionId, Layout, MarkId, Motion, Offer,
    OfferItem, Piece, PlaceId, PlaceRow, Prompt, Seat, Seats, Set, Small, Viewer, Viewers,
    with_names,
};

// === Who is at the table ===

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
    /// The seats' contributions to the chance of the match, in the order of the seats.
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

// === What a host keeps with it ===

impl Table {
    /// What is attached to this state of the table.
    pub fn attached(&self) -> Option<&Attached> {
        self.attachment.get()
    }
    /// Attaches something to this state of the table, unless something is attached already. Returns
    /// what is attached. Copies share it, and a change drops it.
    pub fn attach(&self, attached: Attached) -> &Attached {
        self.attachment.set(attached)
    }
}

// === Pieces, coins, marks ===

/// The part of a place that the viewer sees.
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

    /// The pieces that the viewer counts without seeing them, by place and back.
    pub fn unseen(&self) -> &[(PlaceId, BackId, u8)] {
        &self.unseen
    }
    /// The place of a piece; `None` if the viewer does not know it.
    pub fn at(&self, piece: impl Into<Piece>) -> Option<PlaceId> {
        Some(self.at[piece.into().index()]).filter(|&place| place != UNSEEN)
    }
    /// The place of a piece, as the game's own enum; `None` if the viewer does not know it.
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
    /// The pieces of a kind, of the lowest layer, that the viewer sees in a place. In a pile, these
    /// are drawn next.
    pub(crate) fn top<K: Component>(&self, place: impl Into<PlaceId>) -> Set<K> {
        let here = self.pieces(place);
        let layers = self.layout.layers.iter().map(|layer| here.among(layer));
        layers.into_iter().find(|layer| !layer.is_empty()).unwrap_or_default()
    }

    /// The coins in each purse of the layout, in its order; 0 where the viewer cannot count them.
    pub fn purses(&self) -> &[i32] {
        &self.coins
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
    /// The value of a mark that names something, such as a seat; `None` if it is unset.
    pub fn get<T: Small>(&self, mark: impl Into<MarkId>) -> Option<T> {
        usize::try_from(self.marked(mark)).ok()?.checked_sub(1).and_then(T::nth)
    }
    /// Every mark of this match and its value, in the layout's order.
    pub fn marks(&self) -> impl Iterator<Item = (MarkId, i16)> {
        self.layout.marks().iter().zip(&self.marks).map(|(mark, &value)| (mark.id, value))
    }
}

// === Whose turn it is, and how it ended ===

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
    /// The decision that a seat can make now, as the game's own enum.
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
    /// How many messages and standing answers a seat gave since the turn, phase or round began.
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
    /// What the scores consist of, seat by seat as it was announced.
    pub fn score_parts(&self) -> &[ScorePart] {
        &self.score_parts
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
            + self.score_parts.capacity() * size_of::<ScorePart>()
            + self.standing.capacity() * size_of::<(Seat, DecisionId)>()
            + self.votes.capacity() * size_of::<(Seat, Motion)>()
            + self.offers.iter().map(Offer::bytes).sum::<usize>()
    }

    /// `None` until the match ends.
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
    /// Whether the match is paused, so that no seat can act.
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

/// The seats that have a decision to make, for which the match waits.
pub fn waiting_for(prompts: &[Prompt], is_paused: bool) -> Seats {
    let top = top_layer(prompts);
    let must = prompts.iter().filter(|prompt| prompt.must && prompt.layer == top && !is_paused);
    must.map(|prompt| prompt.seat).collect()
}

/// The layer of the open prompts that can be answered now.
pub fn top_layer(prompts: &[Prompt]) -> u8 {
    prompts.last().map_or(0, |prompt| prompt.layer)
}

// === For people ===

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
