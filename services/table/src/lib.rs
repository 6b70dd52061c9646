//! The universal table: what every tabletop game is made of.
//!
//! The modules below are in reading order. Nothing here reads a clock, a file or the network, and
//! randomness is a parameter.

// What a game declares: its enums and their numbers, sets of pieces, and the layout of its table.
pub mod ids;
mod set;

mod layout;

mod names;

// What can happen: every event of every game, and the only redaction.
mod text;

mod event;

// What events lead to: the state of a match, and the only fold.
mod table;

// What a seat knows, and what it can imagine.
mod observation;

// How rules act: they call the dealer, which records events. Chance is passed in.
mod dealer;

mod chance;

mod rules;

mod draws;

mod refusals;

mod common;

mod taking_back;

mod motions;

// What must hold: of every game, on random play, and of every recorded match.
pub mod invariants;

mod audit;

// How an entry is written.
pub mod stored;

// How speech is encrypted, so that it can be erased.
mod sealed;

pub use audit::{Audit, Violation};
pub use chance::{CONTRIBUTION_BYTES_MAX, ChaCha, Chance, Choice, Contribution, MatchChance, Seed};
pub use common::{Common, CommonRefusal};
pub use dealer::Dealer;
pub use draws::{any_kind, any_of, any_weighted};
pub use event::{Entry, Event, Face, Offer, OfferItem, Prompt, Speech};
pub use ids::{
    ARGUMENTS_MAX, AnnouncementId, Argument, BackId, CASES_MAX, CoinId, Component, DecisionId,
    MarkId, NoSuchSeat, PIECES_MAX, Piece, PlaceId, SEATS_MAX, Seat, Seats, Small, Upto, Viewer,
    Viewers,
};
pub use layout::{
    Arrangement, COMMON_VERBS, Catalogue, Discloses, Display, Facet, FacetValue, Layout, Look,
    MarkKind, MarkValue, Meaning, Origin, PieceRow, PlaceRow, Plan, Purse, PurseRow, Role, Sight,
    Term, Values,
};
pub use motions::{Motion, order, replace, vote};
pub use names::with_names;
pub use observation::Observation;
pub use refusals::{Fact, RefusalSpec, Refusals};
pub use rules::{
    ABANDON, ADD_TIME, ActionFilter, BadOption, Listed, Malformed, OPEN, OptionSpec, Options,
    PAUSE, REPLACE, RESIGN, RESUME, Reason, Refused, Rules, SAY, STAND, TAKE_BACK, TALK,
    TIME_CONTROL, TIMEOUT, VOTE, add_time, advance, can_act, common_reasons, house_answer, open,
    option_specs, play, resign, time_out,
};
pub use sealed::{SpeechKey, SpeechKeys};
pub use set::Set;
pub use table::{PlaceSeen, SNAPSHOT_VERSION, Table, top_layer};
pub use taking_back::{LastAction, take_back};
pub use text::{BadText, TEXT_CHARS_MAX, Text};
