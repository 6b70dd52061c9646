//! Messages that only one browser can read: RFC 8291, in a single record of RFC 8188.

use std::fmt;

use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::hkdf::{HKDF_SHA256, KeyType, Prk, Salt};
use ring::rand::{SecureRandom, SystemRandom};

/// The length of an uncompressed point of P-256.
const POINT_BYTES: usize = 65;

/// The length of a browser's authentication secret, and of a message's salt.
const SECRET_BYTES: usize = 16;

/// The size of a record, which every push service accepts.
const RECORD_BYTES: u32 = 4096;

/// What a record has besides its content: the delimiter and the tag.
const OVERHEAD_BYTES: usize = 17;

/// The length of a content, to which it is padded: so the length of a message tells nothing.
pub const PADDED_BYTES: usize = 2048;

/// The keys of a browser, to which messages are encrypted.
#[derive(Clone, PartialEq, Eq)]
pub struct BrowserKeys {
    point: Vec<u8>,
    secret: Vec<u8>,
}

/// Why keys are not those of a browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BrowserKeysError {
    #[error("p256dh must be an uncompressed point of P-256, {POINT_BYTES} bytes")]
    Point,
    #[error("auth must have {SECRET_BYTES} bytes")]
    Secret,
}

/// A message cannot be encrypted: it is too long, or the system provides no randomness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the message cannot be encrypted")]
pub struct EncryptError;

impl BrowserKeys {
    /// The keys `p256dh` and `auth` of a browser's subscription. The point is on the curve.
    pub fn new(point: Vec<u8>, secret: Vec<u8>) -> Result<BrowserKeys, BrowserKeysError> {
        if secret.len() != SECRET_BYTES {
            return Err(BrowserKeysError::Secret);
        }
        let keys = BrowserKeys { point, secret };
        if keys.point.len() != POINT_BYTES || keys.encrypt(&[]).is_err() {
            return Err(BrowserKeysError::Point);
        }
        Ok(keys)
    }

    pub fn point(&self) -> &[u8] {
        &self.point
    }

    pub fn secret(&self) -> &[u8] {
        &self.secret
    }

    /// The body of a message with this content, of the encoding `aes128gcm`.
    pub fn encrypt(&self, content: &[u8]) -> Result<Vec<u8>, EncryptError> {
        let random = SystemRandom::new();
        let mut salt = [0; SECRET_BYTES];
        random.fill(&mut salt).map_err(|_| EncryptError)?;
        self.encrypt_with(content, PADDED_BYTES, salt, &random)
    }

    fn encrypt_with(
        &self,
        content: &[u8],
        padded: usize,
        salt: [u8; SECRET_BYTES],
        random: &dyn SecureRandom,
    ) -> Result<Vec<u8>, EncryptError> {
        if content.len().max(padded) + OVERHEAD_BYTES > RECORD_BYTES as usize {
            return Err(EncryptError);
        }
        let own = EphemeralPrivateKey::generate(&ECDH_P256, random).map_err(|_| EncryptError)?;
        let public = own.compute_public_key().map_err(|_| EncryptError)?;
        let public = public.as_ref();
        let mut record = content.to_vec();
        record.push(2);
        record.resize(record.len().max(padded + 1), 0);
        let theirs = UnparsedPublicKey::new(&ECDH_P256, &self.point);
        let sealed = agree_ephemeral(own, &theirs, |shared| {
            self.derive(shared, public, &salt).seal(&mut record).map(|()| record)
        });
        let sealed = sealed.map_err(|_| EncryptError)??;
        let own_length = u8::try_from(public.len()).expect("a point is short");
        let parts = [&salt[..], &RECORD_BYTES.to_be_bytes(), &[own_length], public, &sealed];
        Ok(parts.concat())
    }

    /// RFC 8291, 3.3 and 3.4; RFC 8188, 2.2 and 2.3.
    fn derive(&self, shared: &[u8], public: &[u8], salt: &[u8]) -> Derived {
        let first = Salt::new(HKDF_SHA256, &self.secret).extract(shared);
        let mut input = [0; 32];
        expand(&first, &[b"WebPush: info\0", &self.point, public], &mut input);
        let second = Salt::new(HKDF_SHA256, salt).extract(&input);
        let mut derived = Derived { key: [0; 16], nonce: [0; 12] };
        expand(&second, &[b"Content-Encoding: aes128gcm\0"], &mut derived.key);
        expand(&second, &[b"Content-Encoding: nonce\0"], &mut derived.nonce);
        derived
    }
}

impl fmt::Debug for BrowserKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BrowserKeys(…)")
    }
}

/// The key of one message. It is used once, so its nonce is, too.
struct Derived {
    key: [u8; 16],
    nonce: [u8; 12],
}

impl Derived {
    fn seal(self, record: &mut Vec<u8>) -> Result<(), EncryptError> {
        let key = UnboundKey::new(&AES_128_GCM, &self.key).expect("it has the right length");
        let nonce = Nonce::assume_unique_for_key(self.nonce);
        let sealing = LessSafeKey::new(key).seal_in_place_append_tag(nonce, Aad::empty(), record);
        sealing.map_err(|_| EncryptError)
    }
}

/// A length of derived bytes.
struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

fn expand(from: &Prk, info: &[&[u8]], to: &mut [u8]) {
    let expanded = from.expand(info, Length(to.len())).expect("a key is short");
    expanded.fill(to).expect("it has the right length");
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::prelude::BASE64_URL_SAFE_NO_PAD;

    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        BASE64_URL_SAFE_NO_PAD.decode(text).expect("base64")
    }

    /// RFC 8291, 5 and appendix A.
    #[test]
    fn a_message_is_encrypted_as_in_the_example_of_the_standard() {
        let point = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6S\
            RpkNtoIAiw4";
        let keys = BrowserKeys::new(bytes(point), bytes("BTBZMqHH6r4Tts7J_aSIgg"));
        let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw").try_into().expect("its length");
        let private = bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw");
        #[expect(deprecated, reason = "only tests choose a key")]
        let random = ring::test::rand::FixedSliceRandom { bytes: &private };
        let content = b"When I grow up, I want to be a watermelon";
        let keys = keys.expect("they are keys");
        let body = keys.encrypt_with(content, 0, salt, &random).expect("it is short");
        let expected = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIg\
            Dll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuw\
            XPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
        assert_eq!(BASE64_URL_SAFE_NO_PAD.encode(body), expected);
    }

    #[test]
    fn keys_are_checked_and_lengths_tell_nothing() {
        let point = bytes(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNto\
            IAiw4",
        );
        let keys = |point: &[u8], secret: &[u8]| BrowserKeys::new(point.to_vec(), secret.to_vec());
        let fine = keys(&point, &[7; 16]).expect("they are keys");
        let lengths = [0, 1, 500, PADDED_BYTES]
            .map(|length| fine.encrypt(&vec![b'a'; length]).expect("it is short").len());
        assert_eq!(lengths, [lengths[0]; 4]);
        assert_eq!(fine.encrypt(&[0; RECORD_BYTES as usize]), Err(EncryptError));
        let off = [&point[..64], &[point[64] ^ 1]].concat();
        for wrong in [&off[..], &point[..64], &[], &[&point[..], &[0]].concat()] {
            assert_eq!(keys(wrong, &[7; 16]), Err(BrowserKeysError::Point));
        }
        for wrong in [0, 15, 17] {
            assert_eq!(keys(&point, &vec![7; wrong]), Err(BrowserKeysError::Secret));
        }
    }
}
