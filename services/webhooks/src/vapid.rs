//! The key by which a push service knows who sends: RFC 8292.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::json;

use crate::Endpoint;

/// How long a token is valid. The standard allows a day.
const LIFETIME: Duration = Duration::from_secs(12 * 3600);

/// A key that signs for push services. Cheap to clone.
#[derive(Clone)]
pub struct SenderKey(Arc<EcdsaKeyPair>);

/// It is no key of P-256 as PKCS #8, or the system provides no randomness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no key that signs for push services")]
pub struct SenderKeyError;

impl SenderKey {
    /// A new key, as PKCS #8.
    pub fn generate() -> Result<Vec<u8>, SenderKeyError> {
        let random = SystemRandom::new();
        let made = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random);
        Ok(made.map_err(|_| SenderKeyError)?.as_ref().to_vec())
    }

    pub fn from_pkcs8(bytes: &[u8]) -> Result<SenderKey, SenderKeyError> {
        let (algorithm, random) = (&ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
        let pair = EcdsaKeyPair::from_pkcs8(algorithm, bytes, &random);
        Ok(SenderKey(Arc::new(pair.map_err(|_| SenderKeyError)?)))
    }

    /// The public key, an uncompressed point, as browsers take it for `applicationServerKey`.
    pub fn public(&self) -> &[u8] {
        self.0.public_key().as_ref()
    }

    /// The header `Authorization` of a message to an endpoint. `contact` is a URI at which push
    /// services reach the operator.
    pub(crate) fn authorize(
        &self,
        endpoint: &Endpoint,
        contact: Option<&str>,
        time: SystemTime,
    ) -> Option<String> {
        let expiry = (time + LIFETIME).duration_since(SystemTime::UNIX_EPOCH).ok()?;
        let mut claims = json!({ "aud": endpoint.origin(), "exp": expiry.as_secs() });
        if let Some(contact) = contact {
            claims["sub"] = contact.into();
        }
        let encode = |text: String| BASE64_URL_SAFE_NO_PAD.encode(text);
        let header = encode(json!({ "typ": "JWT", "alg": "ES256" }).to_string());
        let signed = format!("{header}.{}", encode(claims.to_string()));
        let signature = self.0.sign(&SystemRandom::new(), signed.as_bytes()).ok()?;
        let signature = BASE64_URL_SAFE_NO_PAD.encode(signature);
        let key = BASE64_URL_SAFE_NO_PAD.encode(self.public());
        Some(format!("vapid t={signed}.{signature}, k={key}"))
    }
}

impl fmt::Debug for SenderKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SenderKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_token_is_for_the_origin_of_the_endpoint_and_signed() {
        let key = SenderKey::generate().expect("randomness");
        let key = SenderKey::from_pkcs8(&key).expect("a key");
        let endpoint = Endpoint::parse("https://push.example:8443/a/secret?b=c", false);
        let endpoint = endpoint.expect("a URL");
        let header =
            key.authorize(&endpoint, Some("mailto:ops@example.org"), SystemTime::UNIX_EPOCH);
        let header = header.expect("it signs");
        let parts = header.strip_prefix("vapid t=").and_then(|it| it.split_once(", k="));
        let (token, public) = parts.expect("a header");
        let decode = |text: &str| BASE64_URL_SAFE_NO_PAD.decode(text).expect("base64");
        let (signed, signature) = token.rsplit_once('.').expect("a token");
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, decode(public))
            .verify(signed.as_bytes(), &decode(signature))
            .expect("the key signed it");
        let claims = signed.split_once('.').expect("two parts").1;
        let claims: Value = serde_json::from_slice(&decode(claims)).expect("JSON");
        assert_eq!(claims["aud"], "https://push.example:8443");
        assert_eq!(claims["sub"], "mailto:ops@example.org");
        assert!(!token.contains("secret") && !format!("{key:?}").contains(public));
    }
}
