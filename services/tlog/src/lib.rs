//! Transparency logs as C2SP specifies them: the Merkle tree of RFC 6962, its tiles, signed
//! checkpoints with cosignatures, and proofs as text. It knows nothing of matches.
//!
//! In reading order: the tree as it grows ([`Edge`]); proofs and how they are verified
//! ([`inclusion`], [`consistency`]); tiles, of which they are made ([`Tiles`], [`Frontier`]); notes
//! and their keys ([`Note`], [`SigningKey`], [`VerifierKey`]); what a note of a log says
//! ([`Checkpoint`]), a proof to keep ([`Proof`]), which log follows another
//! ([`Succession`]), and what witnesses are asked ([`AddCheckpoint`]).

mod checkpoint;
mod edge;
mod note;
mod proof;
mod proving;
mod succession;
mod tiles;
mod witness;

pub use checkpoint::{Checkpoint, Relation, Signed};
pub use edge::{Edge, Hash, empty_root, leaf_hash, node_hash};
pub use note::{Cosignature, Note, NoteError, SigningKey, VerifierKey};
pub use proof::{Proof, format_hashes, parse_hashes};
pub use proving::{Range, consistency, inclusion, verify_consistency, verify_inclusion};
pub use succession::Succession;
pub use tiles::{Frontier, FullTile, TILE_WIDTH, TileId, TilePath, Tiles, parse_entries};
pub use witness::{AddCheckpoint, Refused, origin_hash};
