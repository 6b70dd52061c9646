//! The components of the table, by name and number.

use table::{Seat, components, small, vocabulary};

components! {
    /// A card of the draw deck. §1.3: Crowns are pieces too, but no rule moves them.
    pub Card: 0..38
}
small! {
    #[derive(strum::IntoStaticStr)]
    #[strum(serialize_all = "kebab-case")]
    pub enum Suit { Moons, Suns, Waves, Leaves, Wyrms, Knots }
}
small! {
    pub enum Place { Supply, Deck, Draft, Discard, Hand(Seat), Crown(Suit), Winnings(Seat) }
}
small! {
    pub enum Coin { Token }
}
small! {
    pub enum Mark { Reshuffled, TurnsLeft }
}
small! {
    pub enum Decision { Turn, SecondCard }
}
small! {
    pub enum Announcement { Con(Suit), NewDeck, LastTurns, TokensWon }
}
small! {
    pub enum Back { Card }
}
vocabulary!(
    Place => PlaceId, Coin => CoinId, Mark => MarkId, Decision => DecisionId, Announcement => AnnouncementId, Back => BackId
);
