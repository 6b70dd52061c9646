//! The universal table: what every tabletop game is made of.
//!
//! Read in this order: what can be named ([`ids`], [`Set`]), what a game's table is before anything
//! happens ([`Layout`]), what players write ([`Text`]), what can happen ([`Event`], [`Entry`], and
//! the one redaction), what lies where ([`Table`], and the one fold), whose hands move things
//! ([`Dealer`]), where luck comes from ([`Chance`]), what a game adds ([`Rules`], [`play`]), what
//! every game promises ([`invariants`]) and what every recorded match keeps ([`Audit`]), how an
//! entry is kept ([`stored`]), and how it is told in words ([`narration`]).
//!
//! Nothing here knows a clock, a source of randomness, a file or a network.

pub mod ids;
mod set;

mod layout;

mod names;

mod text;

mod event;

mod table;

mod dealer;

mod chance;

mod rules;

pub mod invariants;

mod audit;

pub mod stored;

pub mod narration;

pub use audit::{Audit, Violation};
pub use chance::{ChaCha, Chance, Seed};
pub use dealer::Dealer;
pub use event::{Entry, Event, Face, Offer, OfferItem, Prompt, Speech};
pub use ids::{
    ARGUMENTS_MAX, AnnouncementId, BackId, CASES_MAX, CoinId, Component, DecisionId, MarkId,
    NoSuchSeat, PIECES_MAX, Piece, PlaceId, SEATS_MAX, Seat, Seats, Small, Upto, Viewer, Viewers,
};
pub use layout::{
    Catalogue, Layout, Meaning, Origin, PieceRow, PlaceRow, Plan, Purse, PurseRow, Sight, Term,
    Values,
};
pub use names::with_names;
pub use rules::{
    BadOption, Malformed, OPEN, OptionSpec, Options, RESIGN, Reason, Refused, Rules, open, play,
    resign,
};
pub use set::Set;
pub use table::{PlaceSeen, Table};
pub use text::{BadText, TEXT_BYTES_MAX, Text};
