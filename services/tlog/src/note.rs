//! Signed notes, as C2SP's signed-note has them, and the keys that sign and verify them.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use ed25519_dalek::{Signature, Signer, VerifyingKey};
use sha2::{Digest, Sha256};

/// The type of plain Ed25519 signatures.
const PLAIN: u8 = 1;

/// The type of Ed25519 signatures of a checkpoint and a time (tlog-cosignature).
const TIMED: u8 = 4;

/// A note has at most so many signatures.
const SIGNATURES_MAX: usize = 64;

/// A text and the signatures below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// With the line feed at its end.
    pub text: String,
    signatures: Vec<Line>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    name: String,
    /// The id of the key, and what it signed.
    bytes: Vec<u8>,
}

/// Why a note does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoteError {
    #[error("it is not a signed note")]
    NotANote,
    #[error("the key {0} did not sign it")]
    Unsigned(String),
    #[error("its signature by {0} is wrong")]
    WrongSignature(String),
    #[error("it is not a checkpoint")]
    NotACheckpoint,
    #[error("it is a checkpoint of {0}")]
    OtherLog(String),
}

/// A key that verifies notes. Its text is a *vkey*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifierKey {
    name: String,
    kind: u8,
    key: VerifyingKey,
}

/// A key that signs notes under a name.
pub struct SigningKey {
    name: String,
    key: ed25519_dalek::SigningKey,
}

/// When somebody said that a checkpoint was the newest one that they had seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cosignature {
    /// In seconds since 1970.
    pub time: u64,
}

impl Note {
    /// Parses a note. The text is what was signed, so it is not changed.
    pub fn parse(note: &str) -> Result<Note, NoteError> {
        if note.bytes().any(|it| it < b' ' && it != b'\n') {
            return Err(NoteError::NotANote);
        }
        let at = note.rfind("\n\n").ok_or(NoteError::NotANote)?;
        let (text, lines) = (&note[..=at], &note[at + 2..]);
        let lines = lines.strip_suffix('\n').ok_or(NoteError::NotANote)?;
        let signatures: Option<Vec<Line>> = lines.split('\n').map(Line::parse).collect();
        let signatures = signatures.filter(|it| it.len() <= SIGNATURES_MAX);
        Ok(Note { text: text.to_owned(), signatures: signatures.ok_or(NoteError::NotANote)? })
    }

    /// A note that nobody signed yet.
    pub fn unsigned(text: String) -> Note {
        Note { text, signatures: Vec::new() }
    }

    /// Adds a signature of the text.
    #[must_use]
    pub fn signed(mut self, key: &SigningKey) -> Note {
        let signature = key.key.sign(self.text.as_bytes());
        self.signatures.push(key.line(PLAIN, &signature.to_bytes()));
        self
    }

    /// Adds a signature of the text and a time, in seconds since 1970.
    #[must_use]
    pub fn cosigned(mut self, key: &SigningKey, time: u64) -> Note {
        let signature = key.key.sign(timed(&self.text, time).as_bytes());
        let bytes = [&time.to_be_bytes()[..], &signature.to_bytes()].concat();
        self.signatures.push(key.line(TIMED, &bytes));
        self
    }

    /// Takes over the lines of signatures of another answer about the same text.
    pub fn add_lines(&mut self, lines: &str) -> Result<(), NoteError> {
        let lines: Option<Vec<Line>> = lines.lines().map(Line::parse).collect();
        for line in lines.ok_or(NoteError::NotANote)? {
            if !self.signatures.contains(&line) {
                self.signatures.push(line);
            }
        }
        Ok(())
    }

    /// The lines of the signatures by this key.
    pub fn lines_of(&self, key: &VerifierKey) -> String {
        self.of(key).map(|it| format!("{it}\n")).collect()
    }

    /// Fails unless the key signed the text, without a time.
    pub fn verify(&self, key: &VerifierKey) -> Result<(), NoteError> {
        self.of(key).next().ok_or_else(|| NoteError::Unsigned(key.name.clone()))?;
        for line in self.of(key) {
            let is_right = Signature::from_slice(&line.bytes[4..])
                .is_ok_and(|it| key.key.verify_strict(self.text.as_bytes(), &it).is_ok());
            if !is_right {
                return Err(NoteError::WrongSignature(key.name.clone()));
            }
        }
        Ok(())
    }

    /// The latest time with which the key signed the text; `None` if it signed it with none.
    pub fn cosignature(&self, key: &VerifierKey) -> Result<Option<Cosignature>, NoteError> {
        let mut latest = None;
        for line in self.of(&VerifierKey { kind: TIMED, ..key.clone() }) {
            let time = line.bytes[4..].split_first_chunk::<8>().and_then(|(time, signature)| {
                let time = u64::from_be_bytes(*time);
                let signature = Signature::from_slice(signature).ok()?;
                let signed = timed(&self.text, time);
                key.key.verify_strict(signed.as_bytes(), &signature).ok()?;
                (time <= i64::MAX as u64).then_some(time)
            });
            let time = time.ok_or_else(|| NoteError::WrongSignature(key.name.clone()))?;
            latest = latest.max(Some(time));
        }
        Ok(latest.map(|time| Cosignature { time }))
    }

    fn of(&self, key: &VerifierKey) -> impl Iterator<Item = &Line> {
        let id = key.id();
        let name = key.name.clone();
        self.signatures.iter().filter(move |it| it.name == name && it.bytes[..4] == id)
    }
}

/// What is signed of a checkpoint at a time.
fn timed(text: &str, time: u64) -> String {
    format!("cosignature/v1\ntime {time}\n{text}")
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.text)?;
        self.signatures.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

impl Line {
    fn parse(line: &str) -> Option<Line> {
        let (name, bytes) = line.strip_prefix("— ")?.split_once(' ')?;
        let bytes = BASE64_STANDARD.decode(bytes).ok().filter(|it| it.len() > 4)?;
        is_name(name).then(|| Line { name: name.to_owned(), bytes })
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "— {} {}", self.name, BASE64_STANDARD.encode(&self.bytes))
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains('+') && !name.contains(char::is_whitespace)
}

impl SigningKey {
    /// The key of a secret; `None` if no key can have the name.
    pub fn new(name: &str, secret: &[u8; 32]) -> Option<SigningKey> {
        let key = ed25519_dalek::SigningKey::from_bytes(secret);
        is_name(name).then(|| SigningKey { name: name.to_owned(), key })
    }

    /// The key that verifies what it signs.
    pub fn verifier(&self) -> VerifierKey {
        VerifierKey { name: self.name.clone(), kind: PLAIN, key: self.key.verifying_key() }
    }

    /// The key that verifies what it signs with a time.
    pub fn cosigner(&self) -> VerifierKey {
        VerifierKey { kind: TIMED, ..self.verifier() }
    }

    fn line(&self, kind: u8, signature: &[u8]) -> Line {
        let id = VerifierKey { kind, ..self.verifier() }.id();
        Line { name: self.name.clone(), bytes: [&id[..], signature].concat() }
    }
}

impl VerifierKey {
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The first bytes of a hash of name, type and key.
    fn id(&self) -> [u8; 4] {
        let hash = Sha256::new()
            .chain_update(&self.name)
            .chain_update([b'\n', self.kind])
            .chain_update(self.key.as_bytes())
            .finalize();
        [hash[0], hash[1], hash[2], hash[3]]
    }
}

impl fmt::Display for VerifierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = [&[self.kind], &self.key.as_bytes()[..]].concat();
        write!(f, "{}+{}+{}", self.name, hex::encode(self.id()), BASE64_STANDARD.encode(key))
    }
}

impl FromStr for VerifierKey {
    type Err = String;

    fn from_str(vkey: &str) -> Result<VerifierKey, String> {
        let parse = || {
            let mut parts = vkey.trim().splitn(3, '+');
            let (name, id, key) = (parts.next()?, parts.next()?, parts.next()?);
            let bytes = BASE64_STANDARD.decode(key).ok()?;
            let (&kind, key) = bytes.split_first()?;
            let key = VerifyingKey::from_bytes(key.try_into().ok()?).ok()?;
            let parsed = VerifierKey { name: name.to_owned(), kind, key };
            let is_known = is_name(name) && [PLAIN, TIMED].contains(&kind);
            (is_known && hex::encode(parsed.id()) == id).then_some(parsed)
        };
        parse().ok_or_else(|| format!("{vkey:?} is not the verifier key of an Ed25519 key"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification.
    const NOTE: &str = "This is an example message.\n\n— example.com/foo \
        Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n";
    const KEY: &str = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";

    #[test]
    fn the_example_of_the_specification_is_verified() {
        let (note, key) = (Note::parse(NOTE).expect("a note"), KEY.parse().expect("a key"));
        assert_eq!(note.verify(&key), Ok(()));
        assert_eq!((note.to_string(), key.to_string()), (NOTE.to_owned(), KEY.to_owned()));
        let altered = Note::parse(&NOTE.replace("message", "massage")).expect("a note");
        assert_eq!(altered.verify(&key), Err(NoteError::WrongSignature("example.com/foo".into())));
        let other = SigningKey::new("example.com/bar", &[7; 32]).expect("a name").verifier();
        assert_eq!(note.verify(&other), Err(NoteError::Unsigned("example.com/bar".into())));
        let renamed = KEY.replace("foo", "bar");
        assert!(renamed.parse::<VerifierKey>().is_err());
    }

    #[test]
    fn a_time_is_signed_with_the_text() {
        let key = SigningKey::new("log.example/a", &[7; 32]).expect("a name");
        let note = Note::unsigned("log.example/a\n0\nroot\n".to_owned()).signed(&key);
        assert_eq!(note.cosignature(&key.verifier()), Ok(None));
        let note = note.cosigned(&key, 1_679_315_147);
        let note = Note::parse(&note.to_string()).expect("it was written by this code");
        assert_eq!(note.verify(&key.verifier()), Ok(()));
        let found = note.cosignature(&key.verifier()).expect("it is right");
        assert_eq!(found, Some(Cosignature { time: 1_679_315_147 }));
        let mut altered = note.clone();
        altered.signatures[1].bytes[11] ^= 1;
        assert!(altered.cosignature(&key.verifier()).is_err());
        let mut other = Note::unsigned(note.text.clone());
        other.add_lines(&note.lines_of(&key.cosigner())).expect("they are lines");
        assert_eq!(other.cosignature(&key.verifier()), Ok(found));
        assert!(other.verify(&key.verifier()).is_err());
    }

    /// Signatures of another type, such as one that signs other bytes, cannot be verified here.
    #[test]
    fn keys_of_another_type_and_keys_without_a_name_are_refused() {
        let key = SigningKey::new("log.example/a", &[7; 32]).expect("a name").verifier();
        for kind in [PLAIN, TIMED] {
            let key = VerifierKey { kind, ..key.clone() };
            assert_eq!(key.to_string().parse(), Ok(key));
        }
        for wrong in [
            VerifierKey { kind: 2, ..key.clone() },
            VerifierKey { name: String::new(), ..key.clone() },
            VerifierKey { name: "two words".to_owned(), ..key.clone() },
        ] {
            let parsed = wrong.to_string().parse::<VerifierKey>();
            assert!(parsed.is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_no_note_is_refused() {
        for wrong in
            ["", "a\n", "a\n\n", "a\n\n— b c\n", "a\n\n— b AAAAAAA=", "a\t\n\n— b AAAAAAA=\n"]
        {
            assert!(Note::parse(wrong).is_err(), "{wrong:?}");
        }
        // The id of a key without a signature.
        assert!(Note::parse("a\n\n— b AAAAAA==\n").is_err());
        assert!(SigningKey::new("two words", &[7; 32]).is_none());
        assert!(SigningKey::new("a+b", &[7; 32]).is_none());
    }
}
