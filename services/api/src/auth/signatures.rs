//! The signatures of JSON Web Tokens: HS256 of our own tokens, and EdDSA of receipts.
//!
//! `jsonwebtoken` leaves the cryptography to its caller. The libraries that it offers would each be
//! one more beside `ring`, with which the service speaks TLS.

use std::sync::Once;

use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{ErrorKind, Result};
use jsonwebtoken::signature::{Error as SignatureError, Signer, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, TokenData, Validation};
use ring::error::KeyRejected;
use ring::hmac;
use ring::signature::Ed25519KeyPair;
use serde::Serialize;
use serde::de::DeserializeOwned;

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: signer,
    verifier_factory: verifier,
    key_utils: KeyUtils::new_unimplemented(),
};

/// A signed token.
pub(crate) fn encode<T: Serialize>(
    header: &Header,
    content: &T,
    key: &EncodingKey,
) -> Result<String> {
    provide();
    jsonwebtoken::encode(header, content, key)
}

/// The content of a token whose signature is right.
pub(crate) fn decode<T: DeserializeOwned>(
    token: &str,
    key: &DecodingKey,
    rules: &Validation,
) -> Result<TokenData<T>> {
    provide();
    jsonwebtoken::decode(token, key, rules)
}

/// The key pair of a private key in PKCS #8, with its public key or without.
pub(crate) fn ed25519(secret: &[u8]) -> std::result::Result<Ed25519KeyPair, KeyRejected> {
    Ed25519KeyPair::from_pkcs8_maybe_unchecked(secret)
}

fn provide() {
    static ONCE: Once = Once::new();
    // It fails if another part of the process has provided cryptography, which serves as well.
    ONCE.call_once(|| _ = PROVIDER.install_default());
}

struct Hs256(hmac::Key);
struct EdDsa(Ed25519KeyPair);

fn signer(algorithm: &Algorithm, key: &EncodingKey) -> Result<Box<dyn JwtSigner>> {
    match algorithm {
        Algorithm::HS256 => Ok(Box::new(Hs256::new(key.as_bytes()))),
        Algorithm::EdDSA => {
            let pair = ed25519(key.as_bytes()).map_err(|_| ErrorKind::InvalidEddsaKey)?;
            Ok(Box::new(EdDsa(pair)))
        }
        _ => Err(ErrorKind::InvalidAlgorithm.into()),
    }
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>> {
    match algorithm {
        Algorithm::HS256 => Ok(Box::new(Hs256::new(key.try_get_as_bytes()?))),
        _ => Err(ErrorKind::InvalidAlgorithm.into()),
    }
}

impl Hs256 {
    fn new(secret: &[u8]) -> Hs256 {
        Hs256(hmac::Key::new(hmac::HMAC_SHA256, secret))
    }
}

impl Signer<Vec<u8>> for Hs256 {
    fn try_sign(&self, message: &[u8]) -> std::result::Result<Vec<u8>, SignatureError> {
        Ok(hmac::sign(&self.0, message).as_ref().to_vec())
    }
}

impl Verifier<Vec<u8>> for Hs256 {
    fn verify(
        &self,
        message: &[u8],
        signature: &Vec<u8>,
    ) -> std::result::Result<(), SignatureError> {
        hmac::verify(&self.0, message, signature).map_err(|_| SignatureError::new())
    }
}

impl Signer<Vec<u8>> for EdDsa {
    fn try_sign(&self, message: &[u8]) -> std::result::Result<Vec<u8>, SignatureError> {
        Ok(self.0.sign(message).as_ref().to_vec())
    }
}

impl JwtSigner for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}

impl JwtVerifier for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}

impl JwtSigner for EdDsa {
    fn algorithm(&self) -> Algorithm {
        Algorithm::EdDSA
    }
}
