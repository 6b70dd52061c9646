//! A proof that somebody may keep: that a log has a leaf, as C2SP's tlog-proof has it.

use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use crate::checkpoint::Signed;
use crate::edge::{Hash, leaf_hash};
use crate::note::VerifierKey;
use crate::proving::verify_inclusion;

/// The first line.
const HEADER: &str = "c2sp.org/tlog-proof@v1";

/// A proof has at most so many hashes: one for each level of a tree.
const HASHES_MAX: usize = 63;

/// The hashes of a proof, a line of base64 each; `None` for anything else.
pub fn parse_hashes(text: &str) -> Option<Vec<Hash>> {
    let hash = |line| BASE64_STANDARD.decode(line).ok()?.try_into().ok();
    let hashes: Vec<Hash> = text.lines().map(hash).collect::<Option<_>>()?;
    (hashes.len() <= HASHES_MAX).then_some(hashes)
}

/// Hashes as [`parse_hashes`] reads them.
pub fn format_hashes(hashes: &[Hash]) -> String {
    hashes.iter().map(|hash| BASE64_STANDARD.encode(hash) + "\n").collect()
}

/// That a log has a leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The leaf. The proof holds only if it is the one that the reader expects.
    pub leaf: Vec<u8>,
    pub index: u64,
    pub hashes: Vec<Hash>,
    /// The signed checkpoint.
    pub note: String,
}

impl Proof {
    pub fn parse(text: &str) -> Option<Proof> {
        let rest = text.strip_prefix(HEADER)?.strip_prefix('\n')?;
        let (head, note) = rest.split_once("\n\n")?;
        let mut lines = head.split('\n');
        let leaf = BASE64_STANDARD.decode(lines.next()?.strip_prefix("extra ")?).ok()?;
        let number = lines.next()?.strip_prefix("index ")?;
        let index: u64 = number.parse().ok().filter(|it: &u64| it.to_string() == number)?;
        let hash = |line| BASE64_STANDARD.decode(line).ok()?.try_into().ok();
        let hashes: Vec<Hash> = lines.map(hash).collect::<Option<_>>()?;
        let is_short = hashes.len() <= HASHES_MAX;
        is_short.then(|| Proof { leaf, index, hashes, note: note.to_owned() })
    }

    /// The proofs of a file, one after the other.
    pub fn parse_all(text: &str) -> Option<Vec<Proof>> {
        let starts: Vec<usize> = text.match_indices(HEADER).map(|(at, _)| at).collect();
        let ends = starts.iter().skip(1).copied().chain([text.len()]);
        let each = starts.iter().zip(ends).map(|(start, end)| Proof::parse(&text[*start..end]));
        each.collect::<Option<Vec<Proof>>>().filter(|it| !it.is_empty())
    }

    /// Verifies that the log with this key has the leaf, and returns the checkpoint in which it
    /// does.
    pub fn verify(&self, key: &VerifierKey) -> Result<Signed, String> {
        let signed = Signed::verify(&self.note, key).map_err(|error| error.to_string())?;
        let (size, root) = (signed.checkpoint.size, &signed.checkpoint.root);
        match verify_inclusion(self.index, size, &leaf_hash(&self.leaf), root, &self.hashes) {
            true => Ok(signed),
            false => Err(format!("the tree of {size} leaves does not have it at {}", self.index)),
        }
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}\nextra {}", BASE64_STANDARD.encode(&self.leaf))?;
        writeln!(f, "index {}", self.index)?;
        for hash in &self.hashes {
            writeln!(f, "{}", BASE64_STANDARD.encode(hash))?;
        }
        write!(f, "\n{}", self.note)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkpoint::Checkpoint;
    use crate::edge::node_hash;
    use crate::note::SigningKey;

    #[test]
    fn a_proof_holds_for_its_leaf_alone() {
        let key = SigningKey::new("log.example/a", &[7; 32]).expect("a name");
        let (one, other) = (leaf_hash(b"one"), leaf_hash(b"other"));
        let root = node_hash(&one, &other);
        let checkpoint = Checkpoint { origin: "log.example/a".into(), size: 2, root };
        let note = checkpoint.sign(&key, 7).to_string();
        let proof = Proof { leaf: b"one".to_vec(), index: 0, hashes: vec![other], note };
        let text = proof.to_string();
        assert!(text.starts_with("c2sp.org/tlog-proof@v1\nextra b25l\nindex 0\n"), "{text}");
        assert_eq!(Proof::parse(&text), Some(proof.clone()));
        assert_eq!(Proof::parse_all(&format!("{text}{text}")).map(|it| it.len()), Some(2));
        assert_eq!(proof.verify(&key.verifier()).expect("it holds").checkpoint, checkpoint);
        let forged = Proof { leaf: b"none".to_vec(), ..proof.clone() };
        assert!(forged.verify(&key.verifier()).is_err());
        let moved = Proof { index: 1, ..proof };
        assert!(moved.verify(&key.verifier()).is_err());
        assert_eq!(Proof::parse(&text.replace("index 0", "index 00")), None);
    }

    #[test]
    fn hashes_are_lines_of_base64() {
        let hashes = [[1; 32], [2; 32]];
        assert_eq!(parse_hashes(&format_hashes(&hashes)), Some(hashes.to_vec()));
        assert_eq!(parse_hashes(""), Some(vec![]));
        assert_eq!(parse_hashes("AAAA\n"), None);
        assert_eq!(parse_hashes(&format_hashes(&[[0; 32]; 64])), None);
    }
}
