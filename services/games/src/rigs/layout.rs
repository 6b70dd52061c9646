//! The table: who sees what, which coins lie where, and what every word means.

use std::sync::LazyLock;

use table::{Layout, Meaning, Plan, Purse, Seat, Sight};

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
        verbs: VERBS,
    }
}

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
        Unit(Resource::Metal) => "Two of it build a RIGS.",
        Unit(Resource::Luxury) => "Is sold on the market.",
        Credit => "Money.",
        Rig => "A RIGS: makes a resource each round on a spot of a powered plot.",
        Script(_) => "Owed to Vinnie: two of that resource now, four at the end.",
        Counted => "A credit of somebody else, as it was counted.",
    }
}

fn mark(mark: Mark) -> Meaning {
    match mark {
        Leader => Meaning::one_of::<Seat>("The Expedition Leader."),
        LandMoved => Meaning::number("1 if a plot changed hands since the leader was determined."),
        Ready(_) => Meaning::number("1 if the seat has nothing more to do for now."),
        Dealt(_) => Meaning::number(
            "Whether the seat has its card: 1 if of the grant, or of a disaster that struck it, 2 once the disaster is dealt with.",
        ),
        Borrowed(_) => Meaning::number("Units lent by Vinnie this phase."),
        Tinkered => Meaning::number("1 if the Parts Shop was rolled for this round."),
        Due(_) => Meaning::number("How much the seat still has to lose, discard, gain or share."),
        Powered(_) => Meaning::number("1 if the plot is given Energy this round."),
        LastCalled => Meaning::number("1 from the Last Call until production is final."),
        SentTo => Meaning::one_of::<Seat>("Who gets what the plot under You Sent It Where makes."),
        Lost(..) => Meaning::number(
            "Units of the seat's most recent loss to a Disaster, Destruction or Sabotage.",
        ),
        LostKarma(_) => Meaning::number(
            "Karma cards of the seat's most recent loss, if it was a loss of cards.",
        ),
        Worth(_) => Meaning::number("Credits that a unit is worth at the end."),
        By(_) => Meaning::one_of::<Seat>("Who played the karma card at this depth of the stage."),
        Victim(_) => Meaning::one_of::<Seat>("Whom it is played on."),
        Aimed(_) => Meaning::one_of::<Plot>("The plot it is played on."),
        AimedToo(_) => Meaning::one_of::<Plot>("The other plot it is played on."),
        Sort(_) => Meaning::one_of::<Resource>("The resource it is played on."),
    }
}

fn decision(decision: Decision) -> &'static str {
    match decision {
        Decision::Grant => "Take one of the plots of the land grant.",
        Decision::GrantTo => "Say who draws one of the plots that are left.",
        Decision::Turn => "Build, move, survey, deal, borrow, repay, play karma, or be ready.",
        Decision::Interrupt => "Play karma, or deal with the player on turn.",
        Decision::Discard => "Discard down to five karma cards.",
        Decision::Deal => "Say who is dealt the next disaster.",
        Decision::Exchange => "Exchange a karma card, or not.",
        Decision::LoseRigs => "Choose a RIGS to lose.",
        Decision::Produce => "Choose the plots to power, deal, borrow, or be ready.",
        Decision::CallLast => "Make the Last Call.",
        Decision::Final => "Play karma that affects production, or pass.",
        Decision::Readjust => "Lay out your production anew.",
        Decision::Draw => "Say who draws the Market card.",
        Decision::Sell => "Sell Luxury, or be ready.",
        Decision::React => "React to the Sabotage, or let it happen.",
        Decision::GiveDecoy => "Give the Decoy instead of another karma card, or not.",
        Decision::TakeCard => "Take a card of the hand you look at.",
        Decision::DiscardTheirs => "Discard a card of the hand you look at.",
        Decision::Throw => "Choose the resources that the storm takes.",
        Decision::Match => "Discard a karma card.",
        Decision::Gain => "Choose the resources you found.",
        Decision::Salvage => "Choose the card that a lost RIGS goes on.",
        Decision::Send => "Send a RIGS of the plot elsewhere.",
        Decision::NewOwner => "Say whose the plot is now.",
        Decision::Share => "Say who gets the next of the resources.",
        Decision::Robbed => "Draw three karma cards, or get the card of your robber next round.",
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
    ("name", "Says which player is next, or gets something."),
    ("build", "Builds a RIGS for two Metal."),
    ("move", "Moves a RIGS for a Supply."),
    ("survey", "Surveys a plot for a Supply."),
    ("borrow", "Borrows a unit from Vinnie."),
    ("repay", "Pays Vinnie two units for a script."),
    ("offer", "Offers a deal; an earlier offer is withdrawn."),
    ("withdraw", "Takes the own offer off the table."),
    ("accept", "Takes a deal that was offered."),
    ("refuse", "Turns a deal down."),
    ("play", "Plays a karma card."),
    ("cash", "Discards Recycling for Metal."),
    ("tinker", "Rolls for a RIGS of the Parts Shop."),
    ("discard", "Discards a karma card."),
    ("take", "Takes a karma card of somebody else."),
    ("salvage", "Lays a lost RIGS on a card in play."),
    ("lose", "Loses a RIGS."),
    ("throw", "Throws resources away."),
    ("gain", "Gets resources of its choice."),
    ("send", "Sends a RIGS elsewhere."),
    ("draw-three", "Draws three karma cards for the stolen identity."),
    ("receive", "Gets Identity Theft as the next round begins."),
    ("power", "Chooses which plots get Energy."),
    ("last-call", "Makes the Last Call."),
    ("sell", "Sells Luxury."),
    ("ready", "Has nothing more to do for now."),
    ("unready", "Has something to do after all."),
    ("pass", "Does nothing."),
];
