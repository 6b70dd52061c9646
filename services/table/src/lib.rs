//! The universal table, on which every tabletop game is built.
//!
//! The modules are in reading order, each after those that it imports. Nothing here reads a clock,
//! a file or the network, and randomness is a parameter; `clippy.toml` forbids the alternatives.
//!
//! # Invariants
//!
//! - A viewer's entries fold to the viewer's table
//!   (`toy::redacted_entries_fold_to_the_redacted_table`).
//! - A viewer's entries depend on nothing that happens later
//!   (`travel::a_past_view_shows_no_later_reveal`), except that the words of an erased player are
//!   gone.
//! - A hidden pile has no order: it is a `table::Set`, and a draw picks a random member at that
//!   moment, so nobody can read what comes next.
//! - Redaction, the fold and the stored form name every variant, so a new one is never public or
//!   harmless by default: `clippy::wildcard_enum_match_arm`.

// Numbers and names: a game's own enums, pieces, seats, viewers, and sets of pieces.
mod names;

pub mod ids;

mod chance;

mod set;

// The declaration of a game: the plan of its table, from which the layout follows.
mod verbs;

mod plan;

mod layout;

// The contract between a host and a game that is a module, and the layout in its messages.
pub mod contract;

mod described;

// Events: every event of every game, and the only redaction.
mod text;

mod players;

mod event;

// How an entry is written.
mod said;

pub mod stored;

// How speech is encrypted, so that it can be erased.
mod sealed;

// What a host keeps with a table.
mod attachment;

// State: the table of a match, and the only fold.
mod table;

// How rules act: they call the dealer, which records events. Chance is passed in.
mod dealer;

mod draws;

mod refusals;

mod rules;

// How a match advances.
mod absent;

mod play;

mod common;

mod taking_back;

mod motions;

// What a seat knows, and samples of what it does not know.
mod observation;

// Invariants: of every game, on random play, and of every recorded match.
pub mod hidden;

pub mod invariants;

mod audit;

mod foresight;

pub use absent::house_answer;
pub use attachment::Attached;
pub use audit::{Audit, Violation, apply_from_guest};
pub use chance::{
    CHOICES_MAX, CONTRIBUTION_BYTES_MAX, CONTRIBUTION_BYTES_MIN, ChaCha, Chance, Choice,
    Contribution, Entropy, MatchChance, Seed,
};
pub use common::Common;
pub use dealer::Dealer;
pub use described::BadLayout;
pub use draws::{any_kind, any_of, any_weighted};
pub use event::{
    EVENTS_MAX, Entry, Event, Face, OFFERED_MAX, Offer, OfferItem, PROMPTS_MAX, Prompt, Speech,
};
pub use foresight::foreseeable;
pub use ids::{
    ARGUMENTS_MAX, AnnouncementId, Argument, BackId, CASES_MAX, CoinId, Component, DecisionId,
    MarkId, NoSuchSeat, PIECES_MAX, Piece, PlaceId, SEATS_MAX, Seat, Seats, Small, Upto, Viewer,
    Viewers,
};
pub use layout::{Layout, PlaceRow, PurseRow, Term, Values, with_names};
pub use motions::{order, replace, vote};
pub use observation::Observation;
pub use plan::{
    Arrangement, Catalogue, Discloses, Display, Facet, FacetValue, Look, MarkKind, MarkValue,
    Meaning, Origin, PieceRow, Plan, Purse, Role, Sight,
};
pub use play::{
    add_time, advance, can_act, is_asked, is_waited_for, may_act, open, play, resign,
    still_playing, time_out,
};
pub use players::{PLAYER_COMMITMENT_BYTES, PlayerCommitment};
pub use refusals::{
    CommonRefusal, Fact, Malformed, Reason, RefusalSpec, Refusals, Refused, common_reasons,
};
pub use rules::{
    ActionFilter, BadOption, CASUAL, DEVICE, KEPT_OPTIONS, Listed, MODULE, OptionSpec, Options,
    Rules, TALK, TIME_CONTROL, listed, option_specs,
};
pub use sealed::{SpeechKey, SpeechKeys};
pub use set::Set;
pub use table::{Known, PlaceSeen, SNAPSHOT_VERSION, ScorePart, Table, top_layer, waiting_for};
pub use taking_back::{LastAction, take_back};
pub use text::{BadText, TEXT_CHARS_MAX, Text};
pub use verbs::{
    ABANDON, ADD_TIME, COMMON_VERBS, Motion, OPEN, PAUSE, REPLACE, RESIGN, RESUME, SAY, STAND,
    TAKE_BACK, TIMEOUT, VOTE,
};
