//! The dealer, which records each change of a table as an event. Rules get a [`Dealer`], which
//! derefs to a shared `Table`, so they cannot change a table in any other way.

// A wildcard arm would decide how future variants are moved.
#![deny(clippy::wildcard_enum_match_arm)]

use bytes::Bytes;

use crate::{
    AnnouncementId, Chance, Choice, CoinId, Contribution, DecisionId, Entry, Event, Face, MarkId,
    Motion, Offer, OfferItem, Piece, PlaceId, Prompt, SAY, STAND, Seat, Seats, Small, Speech,
    Table, Text, VOTE, Viewers,
};

/// Initial capacity for the events of an entry. Most entries have fewer.
const EVENTS_USUAL: usize = 8;

/// Reads through `Deref` to the table; writes only by events.
pub struct Dealer<'a> {
    table: &'a mut Table,
    chance: &'a mut dyn Chance,
    /// `None`: no entry is recorded.
    record: Option<Record>,
}

/// The events and choices of an entry under construction.
struct Record {
    events: Vec<Event>,
    choices: Vec<Choice>,
}

impl std::ops::Deref for Dealer<'_> {
    type Target = Table;
    fn deref(&self) -> &Table {
        self.table
    }
}

impl<'a> Dealer<'a> {
    /// `table` is the house's.
    pub fn new(table: &'a mut Table, chance: &'a mut dyn Chance) -> Self {
        let record = Record { events: Vec::with_capacity(EVENTS_USUAL), choices: Vec::new() };
        Dealer { record: Some(record), ..Dealer::unrecorded(table, chance) }
    }

    /// A dealer that records no entry.
    pub(crate) fn unrecorded(table: &'a mut Table, chance: &'a mut dyn Chance) -> Self {
        table.detach();
        table.prompts.iter_mut().for_each(|prompt| *prompt = prompt.later());
        Dealer { table, chance, record: None }
    }

    /// The entry that leads to the current table, decided by this version of the rules.
    pub fn finish(
        mut self,
        rules: u32,
        seat: Option<Seat>,
        verb: &'static str,
        action: Option<Bytes>,
    ) -> Entry {
        self.note_asked(asked_again(seat, verb));
        let Record { events, choices } = self.record.expect("an entry needs a record");
        let prompts = self.table.prompts.clone();
        Entry { rules, seat, verb, action, events, prompts, choices, players: Vec::new() }
    }

    /// Notes which seats the entry asks: those with a prompt that can be answered now, and could
    /// not be answered before or was opened by the entry, and the seat `by` that acted. Whoever
    /// caused it: after its own action, and after an interrupt or a pause, a seat is asked again.
    pub(crate) fn note_asked(&mut self, by: Option<Seat>) {
        self.table.note_asked(by);
    }

    /// Restores the ages of the prompts. Call this only if nothing was changed.
    pub(crate) fn withdraw(self) {
        for prompt in &mut self.table.prompts {
            prompt.age -= 1;
            prompt.asked = prompt.asked.map(|it| it - 1);
        }
    }

    /// Undoes everything if one of several steps is refused.
    pub fn all_or_nothing<E>(
        &mut self,
        steps: impl FnOnce(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        let before = self.table.clone();
        let length = |record: &Record| (record.events.len(), record.choices.len());
        let recorded = self.record.as_ref().map(length);
        steps(self).inspect_err(|_| {
            *self.table = before;
            if let (Some(record), Some((events, choices))) = (&mut self.record, recorded) {
                record.events.truncate(events);
                record.choices.truncate(choices);
            }
        })
    }

    fn happen(&mut self, event: Event) {
        self.table.apply_event(&event);
        if let Some(record) = &mut self.record {
            record.events.push(event);
        }
    }
}

/// The seat that an entry asks again because it acted itself.
pub(crate) fn asked_again(seat: Option<Seat>, verb: &str) -> Option<Seat> {
    seat.filter(|_| ![SAY, STAND, VOTE].contains(&verb))
}

impl Table {
    /// See [`Dealer::note_asked`].
    pub(crate) fn note_asked(&mut self, by: Option<Seat>) {
        let top = self.prompts.last().map_or(0, |prompt| prompt.layer);
        let is_paused = self.is_paused();
        for prompt in &mut self.prompts {
            let can_answer = prompt.layer == top && !is_paused;
            let asked = prompt.asked.filter(|_| Some(prompt.seat) != by);
            prompt.asked = can_answer.then(|| asked.unwrap_or(0));
        }
    }
}

// === Pieces ===

impl Dealer<'_> {
    /// Draws a random piece from the first layer of a pile; `None` if the pile is empty.
    pub fn draw(&mut self, from: impl Into<PlaceId>, to: impl Into<PlaceId>) -> Option<Piece> {
        let from = from.into();
        let top = self.table.top::<Piece>(from);
        if top.is_empty() {
            return None;
        }
        let piece = top.nth(self.pick(top.len()))?;
        self.put(piece, to);
        Some(piece)
    }

    /// Moves a piece from its current place. Viewers who see either place learn which piece it is;
    /// others learn its back.
    pub fn put(&mut self, piece: impl Into<Piece>, to: impl Into<PlaceId>) {
        let piece = piece.into();
        let from = self.table.at(piece).expect("the house sees every piece");
        self.happen(Event::Moved { what: Face::Up(piece), from, to: to.into() });
    }

    /// Moves every piece in one place to another. It is one event that names no piece if no viewer
    /// sees or counts more of the pieces than before, and otherwise one move per piece, so rules
    /// need not handle secrecy.
    pub fn gather(&mut self, from: impl Into<PlaceId>, to: impl Into<PlaceId>) {
        let (from, to) = (from.into(), to.into());
        if self.table.is_bare(from) {
            return;
        }
        let layout = self.table.layout();
        let hides = layout.viewers(to).within(layout.viewers(from))
            && layout.counters(to).within(layout.counters(from));
        if hides {
            self.happen(Event::Gathered { from, to });
        } else {
            self.table.pieces::<Piece>(from).iter().for_each(|piece| self.put(piece, to));
        }
    }

    /// Shows a piece to some viewers, in its place.
    pub fn show(&mut self, piece: impl Into<Piece>, to: Viewers) {
        let piece = piece.into();
        let at = self.table.at(piece).expect("the house sees every piece");
        if !to.within(self.table.layout().viewers(at)) {
            self.happen(Event::Shown { what: Face::Up(piece), at, to });
        }
    }

    /// Shows a piece to everyone, in its place.
    pub fn reveal(&mut self, piece: impl Into<Piece>) {
        self.show(piece, Viewers::ALL);
    }
}

// === Coins and marks ===

impl Dealer<'_> {
    /// Pays coins. Paying from a place to itself records no event. Paying 0 records one only if the
    /// amount is hidden from some viewer: a missing event would disclose that a purse is empty.
    pub fn pay(
        &mut self,
        coin: impl Into<CoinId>,
        from: impl Into<PlaceId>,
        to: impl Into<PlaceId>,
        amount: u32,
    ) {
        self.hand_over(coin.into(), from.into(), to.into(), amount, false);
    }

    /// Pays an amount that the rules make public, although both purses may be private.
    pub fn pay_aloud(
        &mut self,
        coin: impl Into<CoinId>,
        from: impl Into<PlaceId>,
        to: impl Into<PlaceId>,
        amount: u32,
    ) {
        self.hand_over(coin.into(), from.into(), to.into(), amount, true);
    }

    fn hand_over(&mut self, coin: CoinId, from: PlaceId, to: PlaceId, amount: u32, aloud: bool) {
        let layout = self.table.layout();
        let declared = layout.purse(from, coin).is_some() && layout.purse(to, coin).is_some();
        assert!(declared, "the layout declares both purses");
        let is_public = aloud || layout.viewers(from).or(layout.viewers(to)) == Viewers::ALL;
        if from != to && (amount > 0 || !is_public) {
            self.happen(Event::Paid { coin, from, to, amount: Some(amount), aloud });
        }
    }

    /// Pays up to `most`, as far as the purse has it. Returns the amount.
    pub fn pay_up_to(
        &mut self,
        coin: impl Into<CoinId>,
        from: impl Into<PlaceId>,
        to: impl Into<PlaceId>,
        most: u32,
    ) -> u32 {
        let (coin, from) = (coin.into(), from.into());
        let amount = (self.table.coins(coin, from).max(0) as u32).min(most);
        self.pay(coin, from, to, amount);
        amount
    }

    /// Pays all coins of a kind. Returns the amount.
    pub fn pay_all(
        &mut self,
        coin: impl Into<CoinId>,
        from: impl Into<PlaceId>,
        to: impl Into<PlaceId>,
    ) -> u32 {
        self.pay_up_to(coin, from, to, u32::MAX)
    }

    /// Sets a counter or a flag. Marks are narrated only if the game's words have a sentence for
    /// them; announce what players should read.
    pub fn mark(&mut self, mark: impl Into<MarkId>, value: i16) {
        let mark = mark.into();
        if self.table.marked(mark) != value {
            self.happen(Event::Marked { mark, value });
        }
    }

    /// Sets a mark to a value, such as a seat, or clears it.
    pub fn set<T: Small>(&mut self, mark: impl Into<MarkId>, value: Option<T>) {
        self.mark(mark, value.map_or(0, |it| it.index() as i16 + 1));
    }
}

// === Chance, announcements, speech and standing answers ===

impl Dealer<'_> {
    /// Rolls a six-sided die.
    pub fn roll(&mut self, seat: Seat) -> u32 {
        let value = self.pick(6) as u8 + 1;
        self.happen(Event::Rolled { seat, value });
        value.into()
    }

    /// A number in `0..limit`. All chance of a match comes from here. Each choice is recorded, and
    /// nobody sees it until the match is revealed.
    pub fn pick(&mut self, limit: usize) -> usize {
        let value = self.chance.below(limit);
        if let Some(record) = &mut self.record {
            record.choices.push(Choice { bound: limit as u32, value: value as u32 });
        }
        self.table.choices += 1;
        value
    }

    /// A random seat of this table.
    pub fn pick_seat(&mut self) -> Seat {
        Seat(self.pick(self.seat_count()) as u8)
    }

    /// Announces a fact that no other event shows to everyone.
    pub fn announce(&mut self, announcement: impl Into<AnnouncementId>, seat: Seat, value: i16) {
        self.happen(Event::Announced { announcement: announcement.into(), seat, value });
    }

    /// Sends a message of a seat to some viewers and to the seat itself.
    pub fn say(&mut self, seat: Seat, to: Viewers, text: Text) {
        let to = to.or(Viewers::only(seat));
        let speech = Speech { to, text: Some(text), sealed: None };
        self.happen(Event::Said { seat, speech: Some(Box::new(speech)) });
    }

    /// Publishes a seat's contribution to the chance of the match.
    pub(crate) fn contribute(&mut self, contribution: Contribution) {
        self.happen(Event::Contributed(Box::new(contribution)));
    }

    /// Declares a standing answer of a seat, or takes it back.
    pub(crate) fn stand(&mut self, seat: Seat, decision: DecisionId, on: bool) {
        self.happen(Event::Stood { seat, decision, on });
    }
}

// === Time and decisions ===

impl Dealer<'_> {
    pub fn begin_round(&mut self, round: u8) {
        self.happen(Event::RoundBegan(round));
    }

    pub fn begin_phase(&mut self, phase: u8) {
        self.happen(Event::PhaseBegan(phase));
    }

    pub fn begin_turn(&mut self, seat: Seat) {
        self.happen(Event::TurnBegan(seat));
    }

    /// Records that the time of a seat ran out.
    pub(crate) fn time_out(&mut self, seat: Seat) {
        self.happen(Event::TimedOut { seat });
    }

    /// Gives a seat more time to decide.
    pub(crate) fn add_time(&mut self, seat: Seat, ms: u32) {
        self.happen(Event::TimeAdded { seat, ms });
    }

    /// Asks a seat to decide; the match waits for its answer.
    pub fn ask(&mut self, seat: Seat, decision: impl Into<DecisionId>) {
        let layer = self.layer();
        self.open(seat, decision.into(), true, layer);
    }

    /// Lets a seat act; the match does not wait for it.
    pub fn allow(&mut self, seat: Seat, decision: impl Into<DecisionId>) {
        let layer = self.layer();
        self.open(seat, decision.into(), false, layer);
    }

    /// Asks a seat to decide before every prompt that is already open.
    pub fn interrupt(&mut self, seat: Seat, decision: impl Into<DecisionId>) {
        let layer = self.layer().checked_add(1).expect("interrupts nest less than 256 deep");
        self.open(seat, decision.into(), true, layer);
    }

    fn open(&mut self, seat: Seat, decision: DecisionId, must: bool, layer: u8) {
        self.table.prompts.push(Prompt { seat, decision, must, layer, age: 0, asked: None });
    }

    fn layer(&self) -> u8 {
        self.prompts().last().map_or(0, |prompt| prompt.layer)
    }

    /// Closes the last prompt of a seat in the top layer.
    pub fn answer(&mut self, seat: Seat) {
        let (top, prompts) = (self.layer(), &mut self.table.prompts);
        let last = prompts.iter().rposition(|it| (it.seat, it.layer) == (seat, top));
        prompts.remove(last.expect("only a seat that is asked answers"));
    }

    /// Closes every prompt in the top layer.
    pub fn close_layer(&mut self) {
        let top = self.layer();
        self.table.prompts.retain(|prompt| prompt.layer != top);
    }

    /// Asks (`true`) or allows exactly these seats in the top layer, and closes its other prompts.
    /// A wanted prompt that is already open keeps its age, so an answer in flight still fits.
    pub fn ask_exactly<D: Into<DecisionId>>(
        &mut self,
        wanted: impl IntoIterator<Item = (Seat, D, bool)>,
    ) {
        let layer = self.layer();
        let mut open = Vec::new();
        self.table.prompts.retain(|prompt| {
            let stays = prompt.layer != layer;
            if !stays {
                open.push(*prompt);
            }
            stays
        });
        for (seat, decision, must) in wanted {
            let decision = decision.into();
            let prompt = Prompt { seat, decision, must, layer, age: 0, asked: None };
            let same = open.iter().position(|it| it.ageless() == prompt);
            let prompt = same.map_or(prompt, |same| open.remove(same));
            self.table.prompts.push(prompt);
        }
    }

    /// Closes every optional prompt.
    pub fn close_optional(&mut self) {
        self.table.prompts.retain(|prompt| prompt.must);
    }
}

// === Deals ===

impl Dealer<'_> {
    pub fn offer(&mut self, offer: Offer) {
        self.happen(Event::Offered(Box::new(offer)));
    }

    /// Withdraws every offer of a seat.
    pub fn close_offer(&mut self, by: Seat) {
        if self.offers().iter().any(|offer| offer.by == by) {
            self.happen(Event::OfferClosed { by });
        }
    }

    /// Carries out an offer.
    pub fn settle(&mut self, offer: &Offer) {
        self.close_offer(offer.by);
        for term in offer.give.iter().chain(&offer.take) {
            match *term {
                OfferItem::Piece { piece, to } => self.put(piece, to),
                OfferItem::Coins { coin, from, to, amount } => self.pay(coin, from, to, amount),
            }
        }
    }
}

// === The end ===

impl Dealer<'_> {
    pub fn score(&mut self, seat: Seat, points: i32) {
        self.happen(Event::Scored { seat, points });
    }

    /// Ends the match. Seats that resigned are removed from the winners.
    pub fn end(&mut self, winners: impl IntoIterator<Item = Seat>) {
        let resigned = self.table.resigned();
        let winners: Seats = winners.into_iter().filter(|&seat| !resigned.has(seat)).collect();
        self.happen(Event::Ended { winners });
    }

    /// Ends the match. The contenders with the highest standing win; ties share.
    pub fn end_by<K: Ord>(&mut self, standing: impl Fn(&Table, Seat) -> K) {
        let standing = |seat| standing(self.table, seat);
        let best = self.contenders().map(standing).max();
        let winners: Seats = self.contenders().filter(|&it| Some(standing(it)) == best).collect();
        self.end(winners.iter());
    }

    /// Ends the match. The contenders with the highest score win; ties share.
    pub fn end_by_score(&mut self) {
        self.end_by(|table, seat| table.scores()[seat.index()]);
    }

    pub(crate) fn resign(&mut self, seat: Seat) {
        self.close_offer(seat);
        self.happen(Event::Resigned { seat });
    }

    pub(crate) fn replace(&mut self, seat: Seat) {
        self.happen(Event::Replaced { seat });
        // Whoever takes over was not asked yet.
        let own = self.table.prompts.iter_mut().filter(|prompt| prompt.seat == seat);
        own.for_each(|prompt| prompt.asked = None);
    }

    pub(crate) fn vote(&mut self, seat: Seat, motion: Motion, on: bool) {
        self.happen(Event::Voted { seat, motion, on });
    }

    /// Carries a motion. `by` is the seat that cast the deciding vote, or `None` for the platform.
    pub(crate) fn carry(&mut self, motion: Motion, by: Option<Seat>) {
        self.happen(match motion {
            Motion::EndWithoutResult => Event::Abandoned,
            Motion::Pause => Event::Paused { by },
            Motion::Resume => Event::Resumed { by },
        });
    }

    /// Undoes the entry `age` entries ago.
    pub(crate) fn take_back(&mut self, age: u32, undoing: Vec<Event>, prompts: Vec<Prompt>) {
        self.happen(Event::TookBack { age });
        undoing.into_iter().for_each(|event| self.happen(event));
        self.table.prompts = prompts;
    }

    /// Closes the optional prompts of seats that resigned.
    pub(crate) fn close_optional_of_resigned(&mut self) {
        let resigned = self.table.resigned();
        self.table.prompts.retain(|prompt| prompt.must || !resigned.has(prompt.seat));
    }
}
