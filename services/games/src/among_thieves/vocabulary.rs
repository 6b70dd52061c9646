//! The components of the table, by name and number.

use table::{Seat, components, small, vocabulary};

components! {
    /// §1.1: one side of a seat's honor disc.
    pub Disc: 0..16,
    /// A card of a corporation.
    pub Card: 16..82,
    pub EventCard: 82..111,
}
small! {
    /// Corvid Economics, LeFleur Digital Media and Paragon Gyromatics.
    #[derive(strum::IntoStaticStr)]
    #[strum(serialize_all = "kebab-case")]
    pub enum Corporation { Corvid, Lefleur, Paragon }
}
small! {
    pub enum Place {
        /// The source and sink of ISK and honor.
        Reserve,
        /// Cards that are not used with six or fewer players.
        Box,
        Deck(Corporation),
        /// ISK on a deck.
        Pot(Corporation),
        EventDeck,
        /// The events of the current heist.
        Events,
        EventDiscard,
        Payout,
        Discard,
        /// ISK and cards behind a screen.
        Stash(Seat),
        Track(Seat),
        /// §1.1: the sides of a disc that are not chosen.
        Pocket(Seat),
        /// The chosen side of a disc, hidden under a hand.
        Palm(Seat),
        Revealed(Seat),
    }
}
small! {
    pub enum Coin { Million, Honor }
}
small! {
    pub enum Mark { Member(Seat), Target, EventsDue, Eliminated(Seat), TurnsBegun, OffersMade(Seat) }
}
small! {
    pub enum Decision { Assemble, Deal, Blackmail, Choose, Reconsider, Favor }
}
small! {
    pub enum Announcement {
        Assembles, Joins, Blackmails(Corporation), PayoutIs, StashHolds,
        GameEnd(Corporation), DeckEmpty(Corporation), IsEliminated, IskHeld,
    }
}
small! {
    pub enum Back {
        Disc, TierOneCard(Corporation), TierTwoCard(Corporation), TierThreeCard(Corporation), Event,
    }
}
vocabulary!(
    Place => PlaceId, Coin => CoinId, Mark => MarkId, Decision => DecisionId, Announcement => AnnouncementId, Back => BackId
);
