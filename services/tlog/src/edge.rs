//! A Merkle tree as it grows: its hash, from the full subtrees at its right edge.

use sha2::{Digest, Sha256};

/// A hash of a leaf or of a subtree.
pub type Hash = [u8; 32];

/// RFC 6962, 2.1: the hash of a leaf.
pub fn leaf_hash(leaf: &[u8]) -> Hash {
    Sha256::new().chain_update([0]).chain_update(leaf).finalize().into()
}

/// The hash of a subtree, from the hashes of its two halves.
pub fn node_hash(left: &Hash, right: &Hash) -> Hash {
    Sha256::new().chain_update([1]).chain_update(left).chain_update(right).finalize().into()
}

/// The hash of the tree without leaves.
pub fn empty_root() -> Hash {
    Sha256::digest([]).into()
}

/// The full subtrees of which a tree consists, the largest first: one for each bit of its size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    size: u64,
    nodes: Vec<Hash>,
}

impl Edge {
    /// The edge of a tree of this size; `None` if it has another number of subtrees.
    pub fn new(size: u64, nodes: Vec<Hash>) -> Option<Edge> {
        (size.count_ones() as usize == nodes.len()).then_some(Edge { size, nodes })
    }

    /// The number of leaves.
    pub fn size(&self) -> u64 {
        self.size
    }

    pub fn nodes(&self) -> &[Hash] {
        &self.nodes
    }

    /// Adds a leaf, by its hash.
    pub fn push(&mut self, leaf: Hash) {
        let mut node = leaf;
        for _ in 0..self.size.trailing_ones() {
            let left = self.nodes.pop().expect("the size has a bit for each subtree");
            node = node_hash(&left, &node);
        }
        self.nodes.push(node);
        self.size += 1;
    }

    /// The hash of the tree.
    pub fn root(&self) -> Hash {
        let from_right = self.nodes.iter().rev().copied();
        from_right.reduce(|right, left| node_hash(&left, &right)).unwrap_or_else(empty_root)
    }
}

/// The hash of leaves, by the definition of RFC 6962.
#[cfg(test)]
pub(crate) fn naive(leaves: &[Hash]) -> Hash {
    match leaves {
        [] => empty_root(),
        [leaf] => *leaf,
        _ => {
            let half = leaves.len().next_power_of_two() / 2;
            node_hash(&naive(&leaves[..half]), &naive(&leaves[half..]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The leaves and hashes with which implementations of RFC 6962 are tested.
    #[test]
    fn trees_have_the_hashes_of_the_known_vectors() {
        let leaves = [
            "",
            "00",
            "10",
            "2021",
            "3031",
            "40414243",
            "5051525354555657",
            "606162636465666768696a6b6c6d6e6f",
        ];
        let roots = [
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
            "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
            "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
            "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
        ];
        let mut edge = Edge::default();
        assert_eq!(hex::encode(edge.root()), roots[0]);
        for (leaf, root) in leaves.iter().zip(&roots[1..]) {
            edge.push(leaf_hash(&hex::decode(leaf).expect("it is hexadecimal")));
            assert_eq!(&hex::encode(edge.root()), root);
        }
        assert_eq!(edge.size(), 8);
    }

    #[test]
    fn a_tree_that_grows_has_the_hash_of_the_definition() {
        let leaves: Vec<Hash> = (0..600_u32).map(|nth| leaf_hash(&nth.to_be_bytes())).collect();
        let mut edge = Edge::default();
        for size in 0..leaves.len() {
            assert_eq!(edge.root(), naive(&leaves[..size]), "{size}");
            let again = Edge::new(edge.size(), edge.nodes().to_vec()).expect("it fits");
            assert_eq!(again, edge);
            edge.push(leaves[size]);
        }
        assert_eq!(Edge::new(3, vec![[0; 32]]), None);
    }
}
