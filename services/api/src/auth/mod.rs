//! Authentication: API keys of platforms, and the short-lived tokens that platforms mint for their
//! players, and for sessions of people who signed in.
//!
//! Every process knows all API keys, and reads changes every few seconds ([`refresh`]). The tests
//! in `tests/it/credentials.rs` check the consequences:
//!
//! - Calls cost no query, even with unknown or forged credentials
//!   (`unknown_keys_and_forged_tokens_cost_no_query_each`).
//! - Revoked credentials are refused in every process, in open streams too
//!   (`a_revoked_key_ends_its_calls_its_streams_and_its_tokens_in_every_process`).
//! - While the database is unavailable, valid credentials stay valid and revoked ones stay revoked
//!   (`during_an_outage_verified_credentials_stay_valid_and_revoked_ones_refused`).
//!
//! Read in this order: kinds of credentials ([`api_key`], [`operator_key`], [`signatures`],
//! [`tokens`], [`sign_in`]),
//! a process's knowledge of them ([`known`], [`refresh`]), callers ([`authenticate`]), and the
//! limit on addresses whose credentials are invalid ([`addresses`]).

mod addresses;
mod api_key;
mod authenticate;
mod known;
mod operator_key;
mod refresh;
mod refusals;
mod sign_in;
pub(crate) mod signatures;
mod tokens;

pub(crate) use addresses::{CallLayer, count, hold_until_answered, network_of};
pub use api_key::{ApiKey, NoKey};
pub use authenticate::Auth;
pub(crate) use authenticate::{Credentials, Erasure};
pub use operator_key::OperatorKey;
pub use refresh::Options;
pub(crate) use refusals::expired;
pub(crate) use sign_in::SESSION_LIFETIME;
pub use sign_in::{NoCode, SIGN_IN_LIFETIME, SignInCode};
pub(crate) use tokens::NewToken;
