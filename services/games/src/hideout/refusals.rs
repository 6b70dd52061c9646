//! Why an action is refused.

use table::refusals;

refusals! {
    /// Cards, jobs and skills appear under the game's names.
    pub enum Refusal {
        #[error("another decision comes first: {asked}")]
        #[routine]
        DecideFirst { asked: &'static str },
        #[error("a seat that can play a card must play")]
        #[routine]
        MustPlay,
        #[error("not in your hand: {cards}")]
        NotInHand { cards: String },
        #[error("{job} is not on top of its stack")]
        NotOnTop { job: &'static str },
        #[error("the team does not match {job}: missing {missing:?}, extra {spare:?}")]
        WrongTeam { job: &'static str, missing: String, spare: String },
        #[error("{card} needs another card from the hand beside it")]
        NoPartner { card: &'static str },
        #[error("{card} cannot be duplicated")]
        NotDuplicated { card: &'static str },
        #[error("{card} cannot be exchanged")]
        NotExchanged { card: &'static str },
        #[error("{card} is a ringleader, which never leaves its seat")]
        Loyal { card: &'static str },
        #[error("{choice} is not among the choices: {choices}")]
        NotAChoice { choice: String, choices: String },
    }
}
