//! Checkpoints: what a log says of its tree, as C2SP's tlog-checkpoint has it.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use crate::edge::Hash;
use crate::note::{Note, NoteError, SigningKey, VerifierKey};
use crate::proving::verify_consistency;

/// The size and the hash of a log's tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The name of the log.
    pub origin: String,
    pub size: u64,
    pub root: Hash,
}

/// A checkpoint that its log signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    pub checkpoint: Checkpoint,
    /// When the log signed it, in seconds since 1970, as the log says; `None` if it does not.
    pub time: Option<u64>,
    pub note: Note,
}

/// How two checkpoints that a log signed relate to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// One continues the other.
    Continued,
    /// They have the same size and different hashes. No log signs both honestly.
    TwoFaces,
    /// The proof does not show that the larger one continues the smaller one.
    NotShown,
}

impl Checkpoint {
    /// Parses the text of a note. Further lines are allowed, and mean nothing here.
    pub fn parse(text: &str) -> Option<Checkpoint> {
        let mut lines = text.strip_suffix('\n')?.split('\n');
        let (origin, size, root) = (lines.next()?, lines.next()?, lines.next()?);
        let size: u64 = size.parse().ok().filter(|it: &u64| it.to_string() == size)?;
        let root = BASE64_STANDARD.decode(root).ok()?.try_into().ok()?;
        let is_whole = !origin.is_empty() && lines.all(|it| !it.is_empty());
        is_whole.then(|| Checkpoint { origin: origin.to_owned(), size, root })
    }

    /// The text of a note.
    pub fn text(&self) -> String {
        format!("{}\n{}\n{}\n", self.origin, self.size, BASE64_STANDARD.encode(self.root))
    }

    /// Signed by the log, also with the time.
    pub fn sign(&self, key: &SigningKey, time: u64) -> Note {
        Note::unsigned(self.text()).signed(key).cosigned(key, time)
    }
}

impl Signed {
    /// Parses a checkpoint and verifies that the log with this key signed it.
    pub fn verify(note: &str, key: &VerifierKey) -> Result<Signed, NoteError> {
        let note = Note::parse(note)?;
        note.verify(key)?;
        let time = note.cosignature(key)?.map(|it| it.time);
        let checkpoint = Checkpoint::parse(&note.text).ok_or(NoteError::NotACheckpoint)?;
        match checkpoint.origin == key.name() {
            true => Ok(Signed { checkpoint, time, note }),
            false => Err(NoteError::OtherLog(checkpoint.origin)),
        }
    }

    /// How this relates to another checkpoint of the log, in either order, given the proof that the
    /// larger one continues the smaller one.
    pub fn relate(&self, other: &Signed, proof: &[Hash]) -> Relation {
        let (one, two) = (&self.checkpoint, &other.checkpoint);
        let (small, large) = if one.size <= two.size { (one, two) } else { (two, one) };
        if small.size == large.size {
            let is_same = small.root == large.root;
            return if is_same { Relation::Continued } else { Relation::TwoFaces };
        }
        match verify_consistency((small.size, &small.root), (large.size, &large.root), proof) {
            true => Relation::Continued,
            false => Relation::NotShown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::{leaf_hash, naive};

    /// The example of the specification.
    const TEXT: &str =
        "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n";

    #[test]
    fn the_example_of_the_specification_is_parsed() {
        let checkpoint = Checkpoint::parse(TEXT).expect("it is one");
        assert_eq!(checkpoint.size, 20_852_163);
        assert_eq!(checkpoint.text(), TEXT);
        let extended = Checkpoint::parse(&format!("{TEXT}more\n"));
        assert_eq!(extended, Some(checkpoint));
        for wrong in [
            TEXT.trim_end().to_owned(),
            format!("{TEXT}\n"),
            TEXT.replace("20852163", "020852163"),
            TEXT.replace("20852163", "+20852163"),
            TEXT.replace("CsUY", ""),
            TEXT.replace("example.com/behind-the-sofa", ""),
        ] {
            assert_eq!(Checkpoint::parse(&wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_checkpoint_is_of_the_log_that_signed_it() {
        let key = SigningKey::new("log.example/a", &[7; 32]).expect("a name");
        let checkpoint =
            |origin: &str| Checkpoint { origin: origin.into(), size: 3, root: [9; 32] };
        let note = checkpoint("log.example/a").sign(&key, 1_793_872_900).to_string();
        let signed = Signed::verify(&note, &key.verifier()).expect("it is right");
        assert_eq!((signed.checkpoint.size, signed.time), (3, Some(1_793_872_900)));
        let foreign = checkpoint("log.example/b").sign(&key, 1_793_872_900).to_string();
        let refused = Signed::verify(&foreign, &key.verifier());
        assert_eq!(refused, Err(NoteError::OtherLog("log.example/b".into())));
    }

    #[test]
    fn two_checkpoints_continue_each_other_or_have_two_faces() {
        let key = SigningKey::new("log.example/a", &[7; 32]).expect("a name");
        let signed = |leaves: &[Hash]| {
            let (size, root) = (leaves.len() as u64, naive(leaves));
            let checkpoint = Checkpoint { origin: "log.example/a".into(), size, root };
            let note = checkpoint.sign(&key, 7).to_string();
            Signed::verify(&note, &key.verifier()).expect("it was signed here")
        };
        let leaves: Vec<Hash> = (0..3_u8).map(|nth| leaf_hash(&[nth])).collect();
        let (two, three) = (signed(&leaves[..2]), signed(&leaves));
        let proof = [leaves[2]];
        assert_eq!(three.relate(&two, &proof), Relation::Continued);
        assert_eq!(two.relate(&three, &proof), Relation::Continued);
        assert_eq!(two.relate(&two, &[]), Relation::Continued);
        assert_eq!(three.relate(&two, &[]), Relation::NotShown);
        let other = signed(&[leaves[1], leaves[0]]);
        assert_eq!(other.relate(&two, &[]), Relation::TwoFaces);
        assert_eq!(three.relate(&other, &proof), Relation::NotShown);
    }
}
