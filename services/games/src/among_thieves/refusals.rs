//! Why an action is refused.

use table::{Fact, Seat, refusals};

use super::{layout::LAYOUT, vocabulary::Decision};

refusals! {
    pub enum Refusal {
        #[error("this action does not answer the current decision")]
        #[routine]
        NotNow { asked: Decision },
        #[error("there is no seat {seat} in a match of {seats} seats")]
        NoSuchSeat { seat: Seat, seats: usize },
        #[error("a seat makes no deals with itself")]
        Yourself,
        #[error("seat {seat} has resigned and makes no deals")]
        HasResigned { seat: Seat },
        #[error("a payment is at least 1 million")]
        NothingPaid,
        #[error("you have {held} millions, not {millions}")]
        NotInStash { millions: u32, held: u32 },
        #[error("{size} seats go on the heist, not {chosen}")]
        TeamSize { size: usize, chosen: usize },
        #[error("seat {seat} is on the heist")]
        OnHeist { seat: Seat },
        #[error("this was meant for turn {meant}, and it is turn {now}")]
        AnotherTurn { meant: u32, now: u32 },
        #[error("an offer gives or asks for 1 million at least")]
        EmptyOffer,
        #[error("a seat makes {most} offers in a turn at most")]
        TooManyOffers { most: i16 },
        #[error("there is no such offer")]
        #[routine]
        NoSuchOffer,
        #[error("the offer now gives {give} millions for {take}")]
        OtherTerms { give: u32, take: u32 },
    }
}

impl Fact for Decision {
    fn fact(&self) -> String {
        LAYOUT.decision_name((*self).into()).into()
    }
}
