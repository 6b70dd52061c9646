//! Sign-in codes. A page must not hold an API key, and a page's address stays in histories, so the
//! code in it works once and for minutes only.
//!
//! See `docs/decisions/0050-pages-sign-in-with-a-code.md`.

use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;

/// The lifetime of a code: enough time to open a link.
pub const SIGN_IN_LIFETIME: Duration = Duration::from_secs(600);

/// The lifetime of a session: a working day.
pub(crate) const SESSION_LIFETIME: Duration = Duration::from_secs(12 * 3600);

/// A code of 128 random bits. It is shown to the platform once; only its hash is stored.
pub struct SignInCode(String);

/// The text is not a code.
#[derive(Debug, thiserror::Error)]
#[error("this is not a code to sign in with")]
pub struct NoCode;

impl SignInCode {
    pub fn new() -> Result<SignInCode, getrandom::Error> {
        let mut bits = [0; 16];
        getrandom::fill(&mut bits)?;
        Ok(SignInCode(BASE64_URL_SAFE_NO_PAD.encode(bits)))
    }

    pub fn hash(&self) -> blake3::Hash {
        blake3::hash(self.0.as_bytes())
    }
}

impl std::str::FromStr for SignInCode {
    type Err = NoCode;

    fn from_str(text: &str) -> Result<SignInCode, NoCode> {
        let bits = BASE64_URL_SAFE_NO_PAD.decode(text).map_err(|_| NoCode)?;
        if bits.len() == 16 { Ok(SignInCode(text.to_owned())) } else { Err(NoCode) }
    }
}

impl std::fmt::Display for SignInCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
