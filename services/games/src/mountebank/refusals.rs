//! Why an action is refused.

use table::{Fact, refusals};

use super::{
    layout::name,
    vocabulary::{Card, Suit},
};

refusals! {
    pub enum Refusal {
        #[error("finish the scheme under way first")]
        #[routine]
        Scheming,
        #[error("a hand holds at most {cards_max} cards")]
        HandFull { cards_max: usize },
        #[error("the deck is empty")]
        DeckEmpty,
        #[error("{} is not in the draft area", name(*.card))]
        NotInDraft { card: Card },
        #[error("not in your hand: {cards}")]
        NotInHand { cards: String },
        #[error("every card of a con except aces must show its primary suit, and at least one must")]
        NoCommonSuit { primary: Suit, without: String },
        #[error("a seat may pass only when it can do nothing else")]
        #[routine]
        MustPlay,
    }
}

impl Fact for Card {
    fn fact(&self) -> String {
        name(*self).into()
    }
}

impl Fact for Suit {
    fn fact(&self) -> String {
        <&str>::from(self).into()
    }
}
