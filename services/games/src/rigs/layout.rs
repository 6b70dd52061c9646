//! The layout: who sees each place, where each coin may be, and a description of every name.

use std::sync::LazyLock;

use table::{Discloses, Layout, Meaning, Plan, Purse, Seat, Sight};

use super::{
    Announcement, Back, Coin, Decision, Land, Mark, Place, Plot, Resource, cards::catalogue,
};
use {Coin::*, Mark::*, Place::*};

pub(super) static LAYOUT: LazyLock<Layout> = LazyLock::new(|| Layout::of(plan()));

pub(super) fn plan() -> Plan<Place, Coin, Mark, Decision, Announcement, Back> {
    Plan {
        catalogue: catalogue(),
        sight,
        purse,
        coin,
        mark,
        decision,
        announcement,
        back,
        // §15.2, §17.5
        discloses: &[Discloses::Coin(Credit), Discloses::Coin(Counted)],
        verbs: VERBS,
    }
}

/// §3.4
fn sight(place: Place) -> Sight {
    match place {
        PlotDeck | SurveyDeck | DisasterDeck | KarmaDeck | MarketDeck | EndMarketDeck | Notepad => {
            Sight::Nobody
        }
        Hand(seat) | Purse(seat) | Grant(seat) | Notes(seat, _) => Sight::Only(seat),
        Bank
        | Works
        | Vinnie
        | Warehouse(_)
        | Debts(_)
        | Wreck(_)
        | Owned(_)
        | Spots(..)
        | On(_)
        | Front(_)
        | DisasterDiscard
        | InPlay(_)
        | Awaited(_)
        | Stage(_)
        | KarmaDiscard
        | Recycled
        | Parts
        | Place::Price
        | MarketDiscard
        | Value(_) => Sight::All,
    }
}

/// §1.7, §1.8: RIGS and scripts are limited by what set-up takes from the bank; the rest is not.
fn purse(place: Place, coin: Coin) -> Purse {
    match (place, coin) {
        (_, Script(Resource::Luxury)) => Purse::None,
        (Bank, Unit(_) | Credit | Rig | Script(_)) | (Notepad, Counted) => Purse::Bank,
        (Works | Spots(..) | Wreck(_) | Recycled | Parts, Rig)
        | (Warehouse(_), Unit(_) | Rig)
        | (Stage(_), Unit(_))
        | (Purse(_), Credit)
        | (Vinnie | Debts(_), Script(_))
        | (Notes(..), Counted) => Purse::Held,
        _ => Purse::None,
    }
}

fn coin(coin: Coin) -> &'static str {
    match coin {
        Unit(Resource::Energy) => "Powers plots.",
        Unit(Resource::Supply) => "Pays for moving RIGS and for surveys.",
        Unit(Resource::Metal) => "Two units build a RIGS.",
        Unit(Resource::Luxury) => "Sold on the market.",
        Credit => "Money.",
        Rig => "A RIGS: on a spot of a running plot it makes one unit each round.",
        Script(_) => "A debt to Vinnie: repaid with two units of the resource, or four at the end.",
        Counted => "A credit of another seat, as seen with A Little Information.",
    }
}

fn mark(mark: Mark) -> Meaning {
    match mark {
        Leader => Meaning::one_of::<Seat>("The Expedition Leader."),
        LandMoved => {
            Meaning::number("1 if a plot has changed hands since the leader was determined.")
        }
        Ready(_) => Meaning::number("1 if the seat has nothing more to do for now."),
        Dealt(_) => Meaning::number(
            "In a land grant, 1 if the seat has drawn its plot. In the Disaster phase, 1 if its disaster still brings it a karma card, 2 once it is resolved.",
        ),
        Borrowed(_) => Meaning::number("Units that Vinnie has lent the seat this phase."),
        Tinkered => Meaning::number("1 if the Parts Shop was rolled for this round."),
        Due(_) => Meaning::number(
            "How many RIGS, karma cards or resources the seat still has to lose, discard or gain.",
        ),
        Powered(_) => Meaning::number("1 if the plot gets Energy this round."),
        LastCalled => Meaning::number("1 from the Last Call until production is final."),
        SentTo => Meaning::one_of::<Seat>(
            "The seat that gets what the plot with You sent it WHERE?! makes.",
        ),
        Lost(..) => Meaning::number(
            "Units of the seat's most recent loss to a Disaster, Destruction or Sabotage.",
        ),
        LostKarma(_) => Meaning::number(
            "Karma cards of the seat's most recent loss, if it was a loss of cards.",
        ),
        LostBoth(_) => Meaning::number(
            "1 if the seat lost these karma cards and these units at the same time.",
        ),
        Guarded(_) => Meaning::number(
            "Of the cards in play that roll against the Sabotage: 1 if they did not save the seat, 2 if they did.",
        ),
        Offers(_) => Meaning::number("Offers that the seat made in this turn or phase."),
        Unreadied(_) => Meaning::number("How often the seat took back `ready` in this phase."),
        Shows(_) => {
            Meaning::number("How often the seat showed cards or credits in this turn or phase.")
        }
        Touched(_) => Meaning::number(
            "1 if something happened to the seat since it was last ready or passed.",
        ),
        Unrolled(_) => Meaning::number(
            "Units that may still be staked on Poker Night: owned when it was played, and not rolled for.",
        ),
        Worth(_) => Meaning::number("The worth of a unit at the end, in credits."),
        By(_) => Meaning::one_of::<Seat>(
            "The seat that played the karma card at this position of the stage.",
        ),
        Victim(_) => Meaning::one_of::<Seat>("The seat it is played on."),
        Aimed(_) => Meaning::one_of::<Plot>("The plot it is played on."),
        AimedToo(_) => Meaning::one_of::<Plot>("The other plot it is played on."),
        Sort(_) => Meaning::one_of::<Resource>("The resource it is played on."),
    }
}

/// §20.9
fn decision(decision: Decision) -> &'static str {
    match decision {
        Decision::Grant => "Take one of the plots of the land grant.",
        Decision::GrantTo => "Name the seat that draws one of the remaining plots.",
        Decision::Turn => "Build, move, survey, deal, borrow, repay, play karma, or be ready.",
        Decision::Interrupt => "Play karma, or deal with the player on turn.",
        Decision::Discard => "Discard down to five karma cards.",
        Decision::Deal => "Name the seat that is dealt the next disaster.",
        Decision::Exchange => "Exchange a karma card, or pass.",
        Decision::LoseRigs => "Choose a RIGS to lose.",
        Decision::Produce => "Choose the plots to power, deal, borrow, or be ready.",
        Decision::CallLast => "Make the Last Call.",
        Decision::Final => "Play karma that affects production, or pass.",
        Decision::Readjust => "Choose the plots to power again, borrow, or be ready.",
        Decision::Draw => "Name the seat that draws the market card.",
        Decision::Sell => "Sell Luxury, or be ready.",
        Decision::React => "Answer the Sabotage, or pass.",
        Decision::GiveDecoy => "Give the Decoy instead of another karma card, or pass.",
        Decision::TakeCard => "Take a card from the hand you are looking through.",
        Decision::DiscardTheirs => "Discard a card from the hand you are looking through.",
        Decision::Throw => "Choose the resources that you lose to Rough Storm.",
        Decision::Match => "Discard a karma card, to match the loss of the player.",
        Decision::Gain => "Choose the resources that you get from Ruins.",
        Decision::Salvage => "Choose the card in play that a lost RIGS goes on.",
        Decision::Send => "Choose where the next RIGS of the plot goes.",
        Decision::NewOwner => "Name the new owner of the plot.",
        Decision::Share => "Name the seat that gets the next unit.",
        Decision::Raise => "Stake more of the resources on Poker Night, or pass.",
        Decision::TradeIn => "Trade in Push, Pull, or Drag for a RIGS, or pass.",
        Decision::Retrieve => "Take a RIGS from the Parts Shop, or pass.",
        Decision::Robbed => {
            "Draw three karma cards, or receive Identity Theft when the next round begins."
        }
    }
}

fn announcement(announcement: Announcement) -> &'static str {
    match announcement {
        Announcement::Begins(_) => "this is the {argument} phase",
        Announcement::Leads => "{seat} is the Expedition Leader",
        Announcement::IsReady => "{seat} is ready",
        Announcement::IsNotReady => "{seat} is not ready after all",
        Announcement::LastCall => "{seat} makes the Last Call",
        Announcement::Unaffected => "{seat} is not affected",
        Announcement::Averted => "the Sabotage comes to nothing",
        Announcement::TakenOver => "the Sabotage works for {seat} now",
        Announcement::Returned => "{seat} plays no more Sabotage this round",
        Announcement::Wasted => "{seat} cannot store {value} of the Energy made",
        Announcement::Price => "a Luxury is worth {value} credits this round",
        Announcement::LandValue(Land::Plains) => "each Plains plot is worth {value}",
        Announcement::LandValue(Land::Valley) => "each Valley plot is worth {value}",
        Announcement::LandValue(Land::Forest) => "each Forest plot is worth {value}",
        Announcement::LandValue(Land::Desert) => "each Desert plot is worth {value}",
        Announcement::LandValue(Land::Ridge) => "each Ridge plot is worth {value}",
        Announcement::UnitValue(_) => "a unit of {argument} is worth {value}",
        Announcement::PlotsWorth => "{seat} has plots worth {value}",
        Announcement::StockWorth => "{seat} has resources worth {value}",
        Announcement::Owes => "{seat} pays Vinnie {value}",
        Announcement::OnSeat => "it is played on {seat}",
        Announcement::OnPlot(_) => "it is played on {argument}",
        Announcement::OnResource(_) => "it is played on {argument}",
        Announcement::PriceForSeat => "{seat} sells a Luxury for {value} credits this round",
        Announcement::ShowsCredits => "{seat} has {value} credits",
        Announcement::Powers => "{seat} gives Energy to {value} of its plots",
    }
}

fn back(back: Back) -> &'static str {
    match back {
        Back::Plot => "A plot card.",
        Back::Survey => "A survey card.",
        Back::Disaster => "A disaster card.",
        Back::Karma => "A karma card.",
        Back::Market => "A market card.",
    }
}

const VERBS: &[(&str, &str)] = &[
    ("grant", "Takes a plot of the land grant."),
    ("name", "Names a seat: the next to draw or be dealt to, or the one that gets something."),
    ("build", "Builds a RIGS for two Metal."),
    ("move", "Moves a RIGS for a Supply."),
    ("survey", "Surveys a plot for a Supply."),
    ("borrow", "Borrows a unit from Vinnie."),
    ("repay", "Pays Vinnie two units for a script."),
    ("offer", "Offers a deal; an earlier offer is withdrawn."),
    ("withdraw", "Takes back one's own offer."),
    ("accept", "Accepts an offer."),
    ("refuse", "Declines an offer."),
    ("play", "Plays a karma card."),
    ("cash", "Discards Recycling for Metal."),
    ("tinker", "Rolls for a RIGS on the Parts Shop."),
    ("discard", "Discards a karma card."),
    ("take", "Takes a karma card from another hand."),
    ("salvage", "Chooses the card in play that a lost RIGS goes on."),
    ("lose", "Loses a RIGS."),
    ("throw", "Chooses the resources lost to Rough Storm."),
    ("gain", "Gets resources of one's choice."),
    ("send", "Chooses where a RIGS of another player goes."),
    ("draw-three", "Draws three karma cards after Identity Theft."),
    ("receive", "Receives Identity Theft when the next round begins."),
    ("power", "Chooses which plots get Energy."),
    ("last-call", "Makes the Last Call."),
    ("sell", "Sells Luxury."),
    ("ready", "Has nothing more to do in this turn or phase."),
    ("unready", "Withdraws `ready`."),
    ("pass", "Does nothing."),
    ("raise", "Stakes more resources on Poker Night."),
    ("show", "Shows karma cards or credits to some seats or to everyone."),
    ("claim", "Takes the RIGS that a karma card in play brings."),
    ("series", "Answers the same question several times at once, in order."),
];
