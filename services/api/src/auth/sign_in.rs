//! Sign-in codes. A page must not hold an API key, and a page's address stays in histories, so the
//! code in it works once and for minutes only.
//!
//! A code is authenticated with a key of the installation. So a guess costs no query, and no guess
//! can keep a right code from being exchanged (`sign_in::guesses_cost_only_who_guesses`).
//!
//! See `docs/decisions/0050-pages-sign-in-with-a-code.md`.

use std::time::Duration;

use accounts::TokenKey;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;

/// The lifetime of a code: enough time to open a link.
pub const SIGN_IN_LIFETIME: Duration = Duration::from_secs(600);

/// The lifetime of a session: a working day.
pub(crate) const SESSION_LIFETIME: Duration = Duration::from_secs(12 * 3600);

/// The id of a key, 128 random bits, and as many that authenticate them. It is shown to the
/// platform once; only its hash is stored.
pub struct SignInCode([u8; LENGTH]);

const ID: usize = 2;
const SIGNED: usize = ID + 16;
const LENGTH: usize = SIGNED + 16;

/// The text is not a code.
#[derive(Debug, thiserror::Error)]
#[error("this is not a code to sign in with")]
pub struct NoCode;

impl SignInCode {
    /// A new code, authenticated with a key that signs tokens.
    pub(super) fn new(key: &TokenKey) -> Result<SignInCode, getrandom::Error> {
        let mut code = [0; LENGTH];
        code[..ID].copy_from_slice(&key.key_id.to_be_bytes());
        getrandom::fill(&mut code[ID..SIGNED])?;
        let tag = tag(&code, &key.secret);
        code[SIGNED..].copy_from_slice(&tag.as_bytes()[..LENGTH - SIGNED]);
        Ok(SignInCode(code))
    }

    /// The id of the key that authenticates the code.
    pub(super) fn signed_by(&self) -> i16 {
        i16::from_be_bytes([self.0[0], self.0[1]])
    }

    /// Whether the code was made with this secret.
    pub(super) fn is_genuine(&self, secret: &[u8; 32]) -> bool {
        let mut given = [0; 32];
        given[..LENGTH - SIGNED].copy_from_slice(&self.0[SIGNED..]);
        // Hashes are compared in constant time.
        tag(&self.0, secret) == blake3::Hash::from_bytes(given)
    }

    pub fn hash(&self) -> blake3::Hash {
        blake3::hash(self.to_string().as_bytes())
    }
}

/// What authenticates a code, followed by zeros.
fn tag(code: &[u8; LENGTH], secret: &[u8; 32]) -> blake3::Hash {
    let key = blake3::derive_key("croupier 2026-11 authentication of a sign-in code", secret);
    let mut tag = *blake3::keyed_hash(&key, &code[..SIGNED]).as_bytes();
    tag[LENGTH - SIGNED..].fill(0);
    blake3::Hash::from_bytes(tag)
}

impl std::str::FromStr for SignInCode {
    type Err = NoCode;

    fn from_str(text: &str) -> Result<SignInCode, NoCode> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).map_err(|_| NoCode)?;
        bytes.try_into().map(SignInCode).map_err(|_| NoCode)
    }
}

impl std::fmt::Display for SignInCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&BASE64_URL_SAFE_NO_PAD.encode(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_genuine_as_it_was_made_and_not_otherwise() {
        let key = TokenKey { key_id: 3, secret: [7; 32], is_settled: true };
        let code = SignInCode::new(&key).expect("the system has randomness");
        let read: SignInCode = code.to_string().parse().expect("it is one");
        assert_eq!((read.signed_by(), read.hash()), (3, code.hash()));
        assert!(read.is_genuine(&key.secret) && !read.is_genuine(&[8; 32]));
        for nth in 0..LENGTH {
            let mut guess = SignInCode(code.0);
            guess.0[nth] ^= 1;
            assert!(!guess.is_genuine(&key.secret), "byte {nth}");
        }
        assert!("".parse::<SignInCode>().is_err());
        assert!(code.to_string()[1..].parse::<SignInCode>().is_err());
    }
}
