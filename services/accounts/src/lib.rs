//! Accounts: the platforms that may call, their API keys and limits, and the erasure of players.
//!
//! In reading order: [`Accounts`] is the handle; platforms and their keys
//! ([`Accounts::create_platform`]), limits ([`Accounts::platform_limits`]) and tokens
//! ([`Accounts::revoke_tokens`]); [`Credentials`] reads what every process needs of them, and a
//! [`Right`] is what a caller calls by; codes to sign in ([`Accounts::take_sign_in`]); the keys
//! that sign receipts; and the erasure of a player ([`Accounts::erase_player`], [`Erasures`]).
//!
//! # Invariants
//!
//! - Of an erased player neither id nor words are left:
//!   `erasing::nothing_of_an_erased_player_is_left_anywhere`.
//! - A code to sign in with works once
//!   (`sign_in::of_many_exchanges_of_a_code_in_two_processes_one_succeeds`), and its session ends
//!   with the API key (`sign_in::a_session_and_a_code_end_with_their_key`).
//! - Unknown keys and forged tokens cost no query each:
//!   `credentials::unknown_keys_and_forged_tokens_cost_no_query_each`.

mod accounts;
mod acts;
mod credentials;
mod erasures;
mod limits;
mod operator_keys;
mod platforms;
mod receipt_keys;
mod rights;
mod sign_ins;
mod tokens;
mod watch;

pub use accounts::Accounts;
pub use acts::{ActFilter, ActRow, ActsHead, BrokenChain, ChainFault, CheckedActs, NewAct};
pub use credentials::{CredentialChanges, Credentials};
pub use erasures::{Erased, ErasedSeat, Erasure, ErasureChanges, Erasures};
pub use limits::LimitsRow;
pub use operator_keys::OperatorKeyRow;
pub use platforms::{ApiKeyRow, PlatformKey, PlatformRow};
pub use receipt_keys::ReceiptKey;
pub use rights::{Right, Subject};
pub use sign_ins::SignIn;
pub use tokens::{INVITATIONS, PlayerHash, PlayerRevocation, TokenKey, TokenRevocation};
