//! Why an action is refused.

use table::{Fact, Piece, Seat, refusals};

use super::{
    layout::LAYOUT,
    vocabulary::{Karma, Plot, Resource},
};

refusals! {
    pub enum Refusal {
        #[error("this action is not possible now")]
        #[routine]
        NotNow,
        #[error("you do not own {}", piece_name(*.plot))]
        NotYourPlot { plot: Plot },
        #[error("{} is not among the plots of the grant", piece_name(*.plot))]
        NotGranted { plot: Plot },
        #[error("seat {seat} cannot be named now")]
        CannotName { seat: Seat },
        #[error("that costs {needed} {}, and you have {there}", resource_name(*.resource))]
        TooFew { resource: Resource, needed: u32, there: u32 },
        #[error("all 75 RIGS of the colony are built")]
        NoRigsLeft,
        #[error("you have no RIGS there")]
        NoRigsThere,
        #[error(
            "a RIGS cannot go there: it needs a free spot, and all RIGS on a plot stand on spots of one resource"
        )]
        NoRoom,
        #[error("{} is surveyed already", piece_name(*.plot))]
        Surveyed { plot: Plot },
        #[error("the survey deck is empty")]
        NoSurveysLeft,
        #[error("Vinnie lends no Luxury")]
        NotLent,
        #[error("Vinnie has no script of {} left", resource_name(*.resource))]
        NoScriptLeft { resource: Resource },
        #[error("in each phase Vinnie lends one unit for each plot, and you own {plots}")]
        CreditLimit { plots: usize },
        #[error("you owe Vinnie no {}", resource_name(*.resource))]
        NothingOwed { resource: Resource },
        #[error("no deal is possible with seat {seat}")]
        NobodyToDealWith { seat: Seat },
        #[error("in the Player phase a deal needs the turn of one of its two seats")]
        NotOnTurn,
        #[error("only resources and credits change hands in the Production phase")]
        ZeroHour,
        #[error("a script stays with its borrower until the loan is paid back")]
        ScriptsStay,
        #[error("at least one side of a deal must give something")]
        EmptyDeal,
        #[error("you do not have what you would give")]
        CannotGive,
        #[error("seat {seat} does not have what it would give")]
        CannotTake { seat: Seat },
        #[error("there is no such offer")]
        #[routine]
        NoSuchOffer,
        #[error("{} is not in your hand", piece_name(*.card))]
        NotInHand { card: Karma },
        #[error("{} cannot be played now", piece_name(*.card))]
        WrongTime { card: Karma },
        #[error("{} cannot be played on that", piece_name(*.card))]
        BadAim { card: Karma },
        #[error("you cannot play Sabotage for the rest of this round")]
        NoMoreSabotage,
        #[error("you have no {} in play", piece_name(*.card))]
        #[routine]
        NotInPlay { card: Karma },
        #[error("the Parts Shop was already rolled for this round")]
        TinkeredAlready,
        #[error("{} is not among the cards to choose from", piece_name(*.card))]
        NoSuchCard { card: Karma },
        #[error("choose {needed} units in all, of those available")]
        WrongAmount { needed: u32 },
        #[error("stake units that you had when Poker Night was played and have not rolled for")]
        CannotStake,
        #[error("{} cannot be given Energy", piece_name(*.plot))]
        NothingToPower { plot: Plot },
        #[error("powering these plots takes {needed} Energy, and you have {there}")]
        NotEnoughEnergy { needed: u32, there: u32 },
        #[error("you are ready; withdraw that first")]
        #[routine]
        ReadyAlready,
        #[error("all seats are ready, so only the Last Call is left")]
        #[routine]
        AllReady,
        #[error("you have taken back `ready` {most} times in this phase")]
        TooManyUnready { most: u32 },
        #[error("you have made {most} offers in this turn or phase")]
        TooManyOffers { most: u32 },
        #[error("you have shown something {most} times in this turn or phase")]
        TooManyShows { most: u32 },
        #[error("you are not ready")]
        #[routine]
        NotReady,
        #[error("you cannot sell {amount} Luxury: you have {there}")]
        CannotSell { amount: u32, there: u32 },
        #[error("in the last round all Luxury must be sold")]
        MustSell,
    }
}

macro_rules! facts_by_name {
    ($name:ident: $($Type:ty),*) => {$(
        impl Fact for $Type {
            fn fact(&self) -> String {
                $name(*self).into()
            }
        }
    )*};
}

facts_by_name!(piece_name: Plot, Karma);
facts_by_name!(resource_name: Resource);

fn piece_name(piece: impl Into<Piece>) -> &'static str {
    LAYOUT.piece_name(piece)
}

fn resource_name(resource: Resource) -> &'static str {
    resource.into()
}
