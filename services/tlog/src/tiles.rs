//! Tiles: the hashes of a tree, 256 at a time, as C2SP's tlog-tiles serves them.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fmt;

use crate::edge::{Edge, Hash, node_hash};
use crate::proving::Range;

/// The number of hashes in a full tile.
pub const TILE_WIDTH: u64 = 256;

/// The number of levels of a tree that a tile spans.
const TILE_HEIGHT: u32 = 8;

/// A tile of hashes: a level, counted in tiles from the leaves, and the place in it. A tile at the
/// right edge of a tree has fewer hashes than [`TILE_WIDTH`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TileId {
    pub level: u8,
    pub index: u64,
    /// 1 to 256.
    pub width: u16,
}

/// What is served at a path below `tile/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TilePath {
    Hashes(TileId),
    /// The leaves whose hashes the tile of level 0 has.
    Entries(TileId),
}

impl TileId {
    /// A tile as it is in a tree of this size; `None` if that has no such tile.
    pub fn in_tree(level: u8, index: u64, size: u64) -> Option<TileId> {
        let hashes = size.checked_shr(TILE_HEIGHT * u32::from(level)).unwrap_or(0);
        let width = hashes.checked_sub(index.checked_mul(TILE_WIDTH)?)?.min(TILE_WIDTH);
        (width > 0).then_some(TileId { level, index, width: width as u16 })
    }

    pub fn is_full(self) -> bool {
        u64::from(self.width) == TILE_WIDTH
    }
}

impl TilePath {
    /// The tile, or that of the leaves.
    pub fn id(self) -> TileId {
        let (TilePath::Hashes(id) | TilePath::Entries(id)) = self;
        id
    }

    /// Parses a path in the one spelling that it has, such as `0/x001/234.p/7`.
    pub fn parse(path: &str) -> Option<TilePath> {
        let (level, rest) = path.split_once('/')?;
        let (index, width) = match rest.split_once(".p/") {
            Some((index, width)) => (index, width.parse().ok().filter(|it| (1..256).contains(it))?),
            None => (rest, TILE_WIDTH as u16),
        };
        let mut number: u64 = 0;
        for part in index.split('/') {
            let part = part.strip_prefix('x').unwrap_or(part);
            number = number.checked_mul(1000)?.checked_add(part.parse().ok()?)?;
        }
        let parsed = match level {
            "entries" => TilePath::Entries(TileId { level: 0, index: number, width }),
            _ => {
                let level = level.parse().ok().filter(|it| *it < 64)?;
                TilePath::Hashes(TileId { level, index: number, width })
            }
        };
        // Every other spelling of a number is refused here.
        (parsed.to_string() == path).then_some(parsed)
    }
}

impl fmt::Display for TilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let its = match self {
            TilePath::Hashes(its) => {
                write!(f, "{}/", its.level)?;
                its
            }
            TilePath::Entries(its) => {
                f.write_str("entries/")?;
                its
            }
        };
        let mut parts = vec![format!("{:03}", its.index % 1000)];
        let mut left = its.index / 1000;
        while left > 0 {
            parts.push(format!("x{:03}", left % 1000));
            left /= 1000;
        }
        parts.reverse();
        f.write_str(&parts.join("/"))?;
        if its.is_full() { Ok(()) } else { write!(f, ".p/{}", its.width) }
    }
}

/// The tiles at the right edge of a tree that is appended to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frontier {
    size: u64,
    /// The hashes of the tile that is not full yet, by level.
    levels: Vec<Vec<Hash>>,
}

/// A tile that became full.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FullTile {
    pub level: u8,
    pub index: u64,
    pub hashes: Vec<Hash>,
    /// The hash of the subtree, which is a hash of the level above.
    pub root: Hash,
}

impl Frontier {
    /// The number of hashes of the tile that is not full, by level, in a tree of this size.
    pub fn widths(size: u64) -> Vec<u64> {
        let levels = (0..8).map(|level| size >> (TILE_HEIGHT * level)).take_while(|it| *it > 0);
        levels.map(|it| it % TILE_WIDTH).collect()
    }

    /// Of a tree of this size; `None` if the tiles have other widths.
    pub fn new(size: u64, levels: Vec<Vec<Hash>>) -> Option<Frontier> {
        let widths = levels.iter().map(|it| it.len() as u64);
        widths.eq(Self::widths(size)).then_some(Frontier { size, levels })
    }

    pub fn size(&self) -> u64 {
        self.size
    }

    /// Adds a leaf by its hash, and returns the tiles that it completes.
    pub fn push(&mut self, leaf: Hash) -> Vec<FullTile> {
        let (mut full, mut hash, mut place) = (Vec::new(), leaf, self.size);
        self.size += 1;
        for level in 0.. {
            if self.levels.len() == level {
                self.levels.push(Vec::new());
            }
            let its = &mut self.levels[level];
            its.push(hash);
            if (its.len() as u64) < TILE_WIDTH {
                break;
            }
            let hashes = std::mem::take(its);
            hash = joined(&hashes);
            place /= TILE_WIDTH;
            full.push(FullTile { level: level as u8, index: place, hashes, root: hash });
        }
        full
    }

    /// The hash of the tree.
    pub fn root(&self) -> Hash {
        let nodes = self.levels.iter().rev().flat_map(|hashes| {
            let subtrees = full_subtrees(0..hashes.len() as u64);
            subtrees.map(|(height, index)| {
                let first = (index << height) as usize;
                joined(&hashes[first..first + (1 << height)])
            })
        });
        let edge = Edge::new(self.size, nodes.collect());
        edge.expect("a tile has a subtree for each bit of its width").root()
    }
}

/// Tiles of a tree, from which the hash of any part of it follows.
#[derive(Clone, Debug, Default)]
pub struct Tiles {
    known: BTreeMap<(u8, u64), Vec<Hash>>,
}

impl Tiles {
    /// The tiles that the hashes of these parts need.
    pub fn needed(size: u64, parts: &[Range]) -> BTreeSet<TileId> {
        let nodes = parts.iter().cloned().flat_map(full_subtrees);
        let of = |(height, index): (u32, u64)| {
            let (level, first, _) = within(height, index);
            TileId::in_tree(level, first / TILE_WIDTH, size).expect("the tree has the part")
        };
        nodes.map(of).collect()
    }

    /// Adds a tile. False if it has another number of hashes than its id says.
    pub fn add(&mut self, tile: TileId, hashes: Vec<Hash>) -> bool {
        let fits = hashes.len() == usize::from(tile.width);
        self.known.insert((tile.level, tile.index), hashes);
        fits
    }

    /// The hashes of these parts; `None` if a tile is missing.
    pub fn hashes(&self, parts: &[Range]) -> Option<Vec<Hash>> {
        parts.iter().map(|part| self.hash(part.clone())).collect()
    }

    /// The hash of a part that is a subtree of some tree, as parts of proofs are.
    pub fn hash(&self, part: Range) -> Option<Hash> {
        let mut nodes = Vec::new();
        for (height, index) in full_subtrees(part) {
            let (level, first, count) = within(height, index);
            let tile = self.known.get(&(level, first / TILE_WIDTH))?;
            let offset = (first % TILE_WIDTH) as usize;
            nodes.push(joined(tile.get(offset..offset + count as usize)?));
        }
        nodes.into_iter().rev().reduce(|right, left| node_hash(&left, &right))
    }
}

/// The full subtrees of a part, the largest first: the height and the index among those as high.
fn full_subtrees(part: Range) -> impl Iterator<Item = (u32, u64)> {
    let mut at = part.start;
    std::iter::from_fn(move || {
        let left = part.end.checked_sub(at).filter(|left| *left > 0)?;
        let fits = 63 - left.leading_zeros();
        let height = fits.min(at.trailing_zeros());
        let node = (height, at >> height);
        at += 1 << height;
        Some(node)
    })
}

/// The hashes of a level of tiles that a full subtree spans: the level, the first and the number.
fn within(height: u32, index: u64) -> (u8, u64, u64) {
    let above = height % TILE_HEIGHT;
    ((height / TILE_HEIGHT) as u8, index << above, 1 << above)
}

/// The hash of a full subtree, from hashes of parts that are equally large.
pub(crate) fn joined(hashes: &[Hash]) -> Hash {
    let mut level = hashes.to_vec();
    while level.len() > 1 {
        level = level.chunks(2).map(|pair| node_hash(&pair[0], &pair[1])).collect();
    }
    level[0]
}

/// Parses the leaves of a bundle: each after its length, in two bytes, the higher one first.
pub fn parse_entries(mut bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut entries = Vec::new();
    while !bytes.is_empty() {
        let (length, rest) = bytes.split_first_chunk::<2>()?;
        let (entry, rest) = rest.split_at_checked(u16::from_be_bytes(*length).into())?;
        entries.push(entry.to_vec());
        bytes = rest;
    }
    Some(entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::{leaf_hash, naive};
    use crate::proving::{consistency, inclusion, verify_consistency, verify_inclusion};

    fn tile(level: u8, index: u64, width: u16) -> TileId {
        TileId { level, index, width }
    }

    #[test]
    fn paths_are_those_of_the_specification() {
        for (path, parsed) in [
            ("0/x001/x234/067", TilePath::Hashes(tile(0, 1_234_067, 256))),
            ("1/000.p/17", TilePath::Hashes(tile(1, 0, 17))),
            ("entries/273.p/112", TilePath::Entries(tile(0, 273, 112))),
            ("63/999", TilePath::Hashes(tile(63, 999, 256))),
        ] {
            assert_eq!(TilePath::parse(path), Some(parsed), "{path}");
            assert_eq!(parsed.to_string(), path);
        }
        for wrong in [
            "",
            "0",
            "0/1",
            "0/0001",
            "00/001",
            "64/001",
            "0/x000/001",
            "0/001/002",
            "0/001.p/0",
            "0/001.p/256",
            "0/001.p/01",
            "0/001.p/+1",
            "-1/001",
            "0/x01/001",
            "0/+01",
            "0/x001/+01",
            "0/x1000/001",
            "entries/",
            "0/001/",
            "0/x999/x999/x999/x999/x999/x999/x999/999",
        ] {
            assert_eq!(TilePath::parse(wrong), None, "{wrong}");
        }
    }

    /// The example of the specification: 273 full tiles of leaves, and one of 112.
    #[test]
    fn a_tree_has_the_tiles_of_the_example() {
        let size = 70_000;
        assert_eq!(TileId::in_tree(0, 272, size), Some(tile(0, 272, 256)));
        assert_eq!(TileId::in_tree(0, 273, size), Some(tile(0, 273, 112)));
        assert_eq!(TileId::in_tree(0, 274, size), None);
        assert_eq!(TileId::in_tree(1, 0, size), Some(tile(1, 0, 256)));
        assert_eq!(TileId::in_tree(1, 1, size), Some(tile(1, 1, 17)));
        assert_eq!(TileId::in_tree(2, 0, size), Some(tile(2, 0, 1)));
        assert_eq!(TileId::in_tree(3, 0, size), None);
        assert_eq!(TileId::in_tree(9, u64::MAX, size), None);
    }

    #[test]
    fn proofs_follow_from_the_tiles_that_they_need() {
        let leaves: Vec<Hash> = (0..66_000_u32).map(|nth| leaf_hash(&nth.to_be_bytes())).collect();
        let levels: Vec<Vec<Hash>> =
            std::iter::successors(Some(leaves.clone()), |below: &Vec<Hash>| {
                let above: Vec<Hash> = below.chunks_exact(256).map(joined).collect();
                (!above.is_empty()).then_some(above)
            })
            .collect();
        let prove = |size: u64, parts: &[Range]| {
            let mut tiles = Tiles::default();
            for id in Tiles::needed(size, parts) {
                let start = (id.index * 256) as usize;
                let hashes = &levels[usize::from(id.level)][start..start + usize::from(id.width)];
                assert!(tiles.add(id, hashes.to_vec()));
            }
            tiles.hashes(parts).expect("nothing else is needed")
        };
        for size in [1, 2, 255, 257, 65_536, 66_000] {
            let whole: Range = 0..size;
            let root = prove(size, std::slice::from_ref(&whole))[0];
            assert_eq!(root, naive(&leaves[..size as usize]), "{size}");
            for index in [0, size - 1] {
                let proof = prove(size, &inclusion(index, size).expect("it has the leaf"));
                let leaf = &leaves[index as usize];
                assert!(verify_inclusion(index, size, leaf, &root, &proof), "{index} of {size}");
                let old = naive(&leaves[..index as usize]);
                let proof = prove(size, &consistency(index, size).expect("it is later"));
                assert!(verify_consistency((index, &old), (size, &root), &proof));
            }
        }
        let whole: Range = 0..2;
        assert_eq!(Tiles::default().hash(whole), None);
    }

    #[test]
    fn a_tree_that_is_appended_to_completes_its_tiles() {
        let leaves: Vec<Hash> = (0..66_000_u32).map(|nth| leaf_hash(&nth.to_be_bytes())).collect();
        let (mut frontier, mut full) = (Frontier::default(), Vec::new());
        for (nth, leaf) in leaves.iter().enumerate() {
            full.extend(frontier.push(*leaf));
            if [1, 255, 256, 257, 65_536, 66_000].contains(&(nth + 1)) {
                assert_eq!(frontier.root(), naive(&leaves[..=nth]), "{nth}");
                assert_eq!(frontier.size(), nth as u64 + 1);
                let again = Frontier::new(frontier.size(), frontier.levels.clone());
                assert_eq!(again.as_ref(), Some(&frontier));
            }
        }
        assert_eq!(Frontier::default().root(), crate::edge::empty_root());
        assert_eq!(full.iter().filter(|it| it.level == 0).count(), 257);
        let last = full.last().expect("there are some");
        assert_eq!((last.level, last.index), (0, 256));
        assert_eq!(
            (&last.hashes[..], last.root),
            (&leaves[65_536..65_792], naive(&leaves[65_536..65_792]))
        );
        let above: Vec<&FullTile> = full.iter().filter(|it| it.level == 1).collect();
        assert_eq!((above.len(), above[0].index, above[0].root), (1, 0, naive(&leaves[..65_536])));
        assert_eq!(Frontier::new(3, vec![vec![[0; 32]; 2]]), None);
    }

    #[test]
    fn bundles_are_parsed_to_their_end() {
        assert_eq!(
            parse_entries(b"\0\x02ab\0\0\0\x01c"),
            Some(vec![b"ab".to_vec(), vec![], b"c".to_vec()])
        );
        assert_eq!(parse_entries(b""), Some(vec![]));
        assert_eq!(parse_entries(b"\0\x03ab"), None);
        assert_eq!(parse_entries(b"\0"), None);
    }
}
