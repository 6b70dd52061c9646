//! Accounts: the platforms that may call, their API keys and limits, and the erasure of players.
//!
//! In reading order: [`Accounts`] is the handle; platforms and their keys
//! ([`Accounts::create_platform`]), limits ([`Accounts::platform_limits`]) and tokens
//! ([`Accounts::revoke_tokens`]); [`Credentials`] reads what every process needs of them; codes to
//! sign in ([`Accounts::take_sign_in`]); the keys that sign receipts; and the erasure of a player
//! ([`Accounts::erase_player`], [`Erasures`]).

mod accounts;
mod credentials;
mod erasures;
mod limits;
mod platforms;
mod receipt_keys;
mod sign_ins;
mod tokens;
mod watch;

pub use accounts::Accounts;
pub use credentials::{CredentialChanges, Credentials};
pub use erasures::{ErasedSeat, Erasure, ErasureChanges, Erasures};
pub use limits::LimitsRow;
pub use platforms::{ApiKeyRow, PlatformKey, PlatformRow};
pub use receipt_keys::ReceiptKey;
pub use sign_ins::SignIn;
pub use tokens::{PlayerHash, PlayerRevocation, TokenKey, TokenRevocation};
