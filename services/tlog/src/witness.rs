//! What a witness is asked and answers, as C2SP's tlog-witness has it.

use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

use crate::checkpoint::{Checkpoint, Signed};
use crate::edge::{Hash, empty_root};
use crate::note::{Note, VerifierKey};
use crate::proving::verify_consistency;

/// A proof has at most so many hashes.
const HASHES_MAX: usize = 63;

/// What a witness calls a log in its addresses.
pub fn origin_hash(origin: &str) -> String {
    hex::encode(Sha256::digest(origin))
}

/// The request to cosign a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddCheckpoint {
    /// The size that the witness cosigned last, as the log believes.
    pub old: u64,
    /// That the checkpoint continues the tree of that size.
    pub proof: Vec<Hash>,
    /// The signed checkpoint.
    pub note: String,
}

/// Why a witness does not cosign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The request cannot be read, or contradicts itself.
    Invalid,
    /// The witness does not know the log.
    UnknownLog,
    /// The log did not sign the checkpoint.
    Unsigned,
    /// The witness cosigned another size last.
    OtherSize(u64),
    /// The checkpoint does not continue the last one.
    Inconsistent,
}

impl AddCheckpoint {
    pub fn parse(body: &str) -> Option<AddCheckpoint> {
        let (head, note) = body.split_once("\n\n")?;
        let mut lines = head.split('\n');
        let number = lines.next()?.strip_prefix("old ")?;
        let old: u64 = number.parse().ok().filter(|it: &u64| it.to_string() == number)?;
        let hash = |line| BASE64_STANDARD.decode(line).ok()?.try_into().ok();
        let proof: Vec<Hash> = lines.map(hash).collect::<Option<_>>()?;
        let is_short = proof.len() <= HASHES_MAX;
        is_short.then(|| AddCheckpoint { old, proof, note: note.to_owned() })
    }

    /// The name of the log that it is about.
    pub fn origin(&self) -> Option<String> {
        Some(Checkpoint::parse(&Note::parse(&self.note).ok()?.text)?.origin)
    }

    /// Whether a witness that cosigned `last` may cosign it, given the key of its log.
    pub fn judge(&self, key: &VerifierKey, last: Option<&Checkpoint>) -> Result<Signed, Refused> {
        let signed = Signed::verify(&self.note, key).map_err(|_| Refused::Unsigned)?;
        let new = &signed.checkpoint;
        if self.old > new.size {
            return Err(Refused::Invalid);
        }
        let (size, root) = last.map_or((0, empty_root()), |it| (it.size, it.root));
        if self.old != size {
            return Err(Refused::OtherSize(size));
        }
        if !verify_consistency((size, &root), (new.size, &new.root), &self.proof) {
            return Err(Refused::Inconsistent);
        }
        Ok(signed)
    }
}

impl fmt::Display for AddCheckpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "old {}", self.old)?;
        for hash in &self.proof {
            writeln!(f, "{}", BASE64_STANDARD.encode(hash))?;
        }
        write!(f, "\n{}", self.note)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::{leaf_hash, naive};
    use crate::note::SigningKey;

    fn key() -> SigningKey {
        SigningKey::new("log.example/a", &[7; 32]).expect("a name")
    }

    fn checkpoint(leaves: &[Hash]) -> Checkpoint {
        let (size, root) = (leaves.len() as u64, naive(leaves));
        Checkpoint { origin: "log.example/a".into(), size, root }
    }

    #[test]
    fn a_checkpoint_is_cosigned_if_it_continues_the_last_one() {
        let leaves: Vec<Hash> = (0..3_u8).map(|nth| leaf_hash(&[nth])).collect();
        let (one, three) = (checkpoint(&leaves[..1]), checkpoint(&leaves));
        let proof = vec![leaves[1], leaves[2]];
        let asked = |old, proof: &[Hash], checkpoint: &Checkpoint| AddCheckpoint {
            old,
            proof: proof.to_vec(),
            note: checkpoint.sign(&key(), 7).to_string(),
        };
        let judge = |asked: &AddCheckpoint, last: Option<&Checkpoint>| {
            let text = asked.to_string();
            let parsed = AddCheckpoint::parse(&text).expect("it was written by this code");
            assert_eq!(&parsed, asked);
            assert_eq!(parsed.origin().as_deref(), Some("log.example/a"));
            parsed.judge(&key().verifier(), last).map(|it| it.checkpoint.size)
        };
        assert_eq!(judge(&asked(0, &[], &three), None), Ok(3));
        assert_eq!(judge(&asked(1, &proof, &three), Some(&one)), Ok(3));
        assert_eq!(judge(&asked(3, &[], &three), Some(&three)), Ok(3));
        let two = checkpoint(&leaves[..2]);
        assert_eq!(judge(&asked(0, &[], &three), Some(&one)), Err(Refused::OtherSize(1)));
        assert_eq!(judge(&asked(4, &[], &three), Some(&three)), Err(Refused::Invalid));
        assert_eq!(judge(&asked(3, &[], &two), Some(&three)), Err(Refused::Invalid));
        assert_eq!(judge(&asked(1, &[], &three), Some(&one)), Err(Refused::Inconsistent));
        let forged = Checkpoint { root: [1; 32], ..three.clone() };
        assert_eq!(judge(&asked(3, &[], &forged), Some(&three)), Err(Refused::Inconsistent));
        // A log may begin with the tree without leaves, which has one hash.
        assert_eq!(judge(&asked(0, &[], &checkpoint(&[])), None), Ok(0));
        let nothing = Checkpoint { size: 0, ..forged };
        assert_eq!(judge(&asked(0, &[], &nothing), None), Err(Refused::Inconsistent));
        let other = SigningKey::new("log.example/a", &[8; 32]).expect("a name").verifier();
        assert_eq!(asked(0, &[], &three).judge(&other, None), Err(Refused::Unsigned));
    }

    /// The example of FIPS 180: witnesses of other programs find a log under the same address.
    #[test]
    fn a_log_is_addressed_by_the_sha_256_of_its_name() {
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(origin_hash("abc"), hash);
    }

    #[test]
    fn what_is_no_request_is_refused() {
        let note = checkpoint(&[]).sign(&key(), 7).to_string();
        assert!(AddCheckpoint::parse(&format!("old 0\n\n{note}")).is_some());
        for head in ["", "old", "old 00", "new 0", "old 0\nAAAA", "old -1"] {
            assert_eq!(AddCheckpoint::parse(&format!("{head}\n\n{note}")), None, "{head:?}");
        }
        let long = "\n".to_owned() + &BASE64_STANDARD.encode([0; 32]);
        assert_eq!(AddCheckpoint::parse(&format!("old 1{}\n\n{note}", long.repeat(64))), None);
    }
}
