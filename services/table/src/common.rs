//! Actions of every game, at any time: talk and standing answers.

use bytes::Bytes;

use crate::{
    Chance, CommonRefusal, Dealer, DecisionId, Entry, Refused, Rules, SAY, STAND, Seat, Seats,
    Table, Text, Viewers,
    absent::answer_for_absent,
    play::{may_act, still_playing},
};

/// An action of every game. It neither needs nor closes a prompt.
#[derive(Clone, Debug, PartialEq)]
pub enum Common {
    /// To everyone if `to` is empty, otherwise to these seats in private. No rule reads it.
    Say { to: Seats, text: String },
    /// Whether the house gives the passive answer to this decision from now on, unless the decision
    /// concerns the seat.
    Stand { decision: DecisionId, on: bool },
}

impl Common {
    /// The kind of the action, one of every layout's verbs.
    pub fn verb(&self) -> &'static str {
        match self {
            Common::Say { .. } => SAY,
            Common::Stand { .. } => STAND,
        }
    }

    /// The table after the action, and the entry that leads to it, which keeps `message`.
    pub fn play<G: Rules>(
        &self,
        table: &Table,
        seat: Seat,
        message: Bytes,
        chance: &mut dyn Chance,
    ) -> Result<(Table, Entry), Refused<G::Refusal>> {
        match self {
            Common::Say { .. } => still_playing(table, seat)?,
            Common::Stand { .. } => may_act(table, seat)?,
        }
        let mut table = table.clone();
        let mut d = Dealer::new(&mut table, chance);
        self.carry_out::<G>(&mut d, seat)?;
        // Talk does not advance the match.
        if matches!(self, Common::Stand { .. }) {
            answer_for_absent::<G>(&mut d);
        }
        let entry = d.finish(G::VERSION, Some(seat), self.verb(), Some(message));
        Ok((table, entry))
    }

    fn carry_out<G: Rules>(&self, d: &mut Dealer, seat: Seat) -> Result<(), CommonRefusal> {
        match *self {
            Common::Say { to, ref text } => say(d, seat, to, text),
            Common::Stand { decision, on } => stand::<G>(d, seat, decision, on),
        }
    }
}

fn say(d: &mut Dealer, seat: Seat, to: Seats, text: &str) -> Result<(), CommonRefusal> {
    let seats = d.seat_count();
    if let Some(seat) = to.iter().find(|&it| !d.has_seat(it)) {
        return Err(CommonRefusal::NoSuchSeat { seat, seats });
    }
    if to.has(seat) {
        return Err(CommonRefusal::Yourself);
    }
    let text = Text::of(text)?;
    let everyone = to.is_empty().then_some(Viewers::ALL);
    let some = || to.iter().map(Viewers::only).fold(Viewers::NOBODY, Viewers::or);
    d.say(seat, everyone.unwrap_or_else(some), text);
    Ok(())
}

fn stand<G: Rules>(
    d: &mut Dealer,
    seat: Seat,
    decision: DecisionId,
    on: bool,
) -> Result<(), CommonRefusal> {
    if !G::may_stand(decision) {
        let decision = d.layout().decision_name(decision).into();
        return Err(CommonRefusal::NoStandingAnswer { decision });
    }
    if d.stands(seat, decision) == on {
        return Err(CommonRefusal::NothingChanges);
    }
    d.stand(seat, decision, on);
    Ok(())
}
