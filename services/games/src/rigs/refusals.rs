//! Why an action is refused.

use table::{Piece, Reason, Seat};

use super::{Karma, Plot, Resource, layout::LAYOUT};

#[derive(Debug, PartialEq, thiserror::Error, strum::IntoStaticStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum Refusal {
    #[error("that answers nothing that is asked now")]
    NotNow,
    #[error("{} is not yours", called(*.plot))]
    NotYourPlot { plot: Plot },
    #[error("{} is not among the plots of the grant", called(*.plot))]
    NotGranted { plot: Plot },
    #[error("seat {seat} cannot be named here")]
    CannotName { seat: Seat },
    #[error("that takes {needed} {}, and there are {there}", name(*.resource))]
    TooFew { resource: Resource, needed: u32, there: u32 },
    #[error("no more than 75 RIGS may be in the colony")]
    NoRigsLeft,
    #[error("no RIGS of yours stands there")]
    NoRigsThere,
    #[error("a RIGS has no room there: the RIGS of a plot stand on spots of one kind, one on each")]
    NoRoom,
    #[error("{} is surveyed already", called(*.plot))]
    Surveyed { plot: Plot },
    #[error("the survey deck is empty")]
    NoSurveysLeft,
    #[error("Vinnie lends no Luxury")]
    NotLent,
    #[error("Vinnie has no script of {} left", name(*.resource))]
    NoScriptLeft { resource: Resource },
    #[error("Vinnie lends one unit for each of your {plots} plots in a phase")]
    CreditLimit { plots: usize },
    #[error("you owe Vinnie no {}", name(*.resource))]
    NothingOwed { resource: Resource },
    #[error("seat {seat} is nobody to deal with")]
    NobodyToDealWith { seat: Seat },
    #[error("deals are struck on the turn of one of the two")]
    NotOnTurn,
    #[error("only resources and credits change hands in the Production phase")]
    ZeroHour,
    #[error("one side or the other must give something")]
    EmptyDeal,
    #[error("you do not have what the deal takes from you")]
    CannotGive,
    #[error("seat {seat} does not have what the deal takes from it")]
    CannotTake { seat: Seat },
    #[error("there is no such offer")]
    NoSuchOffer,
    #[error("{} is not in your hand", called(*.card))]
    NotInHand { card: Karma },
    #[error("{} is not played now", called(*.card))]
    WrongTime { card: Karma },
    #[error("{} cannot be played like that", called(*.card))]
    BadAim { card: Karma },
    #[error("you play no more Sabotage this round")]
    NoMoreSabotage,
    #[error("you have no {} in play", called(*.card))]
    NotInPlay { card: Karma },
    #[error("the Parts Shop is rolled for once a round")]
    TinkeredAlready,
    #[error("{} is not among the cards to choose from", called(*.card))]
    NoSuchCard { card: Karma },
    #[error("it takes {needed} units in all, of what there is")]
    WrongAmount { needed: u32 },
    #[error("{} needs no Energy of yours", called(*.plot))]
    NothingToPower { plot: Plot },
    #[error("powering that takes {needed} Energy, and there are {there}")]
    NotEnoughEnergy { needed: u32, there: u32 },
    #[error("a seat that is ready says first that it is not")]
    ReadyAlready,
    #[error("the seat is not ready")]
    NotReady,
    #[error("{amount} Luxury cannot be sold: there are {there}")]
    CannotSell { amount: u32, there: u32 },
    #[error("in the last round all Luxury is sold")]
    MustSell,
}

impl Reason for Refusal {
    fn reason(&self) -> &'static str {
        self.into()
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        use Refusal::*;
        match *self {
            NotYourPlot { plot }
            | NotGranted { plot }
            | Surveyed { plot }
            | NothingToPower { plot } => vec![("plot", called(plot).into())],
            CannotName { seat } | NobodyToDealWith { seat } | CannotTake { seat } => {
                vec![("seat", seat.to_string())]
            }
            TooFew { resource, needed, there } => vec![
                ("resource", name(resource).into()),
                ("needed", needed.to_string()),
                ("there", there.to_string()),
            ],
            NoScriptLeft { resource } | NothingOwed { resource } => {
                vec![("resource", name(resource).into())]
            }
            CreditLimit { plots } => vec![("plots", plots.to_string())],
            NotInHand { card }
            | WrongTime { card }
            | BadAim { card }
            | NotInPlay { card }
            | NoSuchCard { card } => vec![("card", called(card).into())],
            WrongAmount { needed } => vec![("needed", needed.to_string())],
            NotEnoughEnergy { needed, there } => {
                vec![("needed", needed.to_string()), ("there", there.to_string())]
            }
            CannotSell { amount, there } => {
                vec![("amount", amount.to_string()), ("there", there.to_string())]
            }
            NotNow | NoRigsLeft | NoRigsThere | NoRoom | NoSurveysLeft | NotLent | NotOnTurn
            | ZeroHour | EmptyDeal | CannotGive | NoSuchOffer | NoMoreSabotage
            | TinkeredAlready | ReadyAlready | NotReady | MustSell => Vec::new(),
        }
    }
}

fn called(piece: impl Into<Piece>) -> &'static str {
    LAYOUT.piece_name(piece)
}

fn name(resource: Resource) -> &'static str {
    resource.into()
}
