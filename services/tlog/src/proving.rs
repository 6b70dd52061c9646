//! Proofs: that a tree has a leaf, and that a tree continues an earlier one (RFC 6962, 2.1).

use crate::edge::{Hash, empty_root, node_hash};

/// Some leaves of a tree, by index: from the first up to, and without, the second.
pub type Range = std::ops::Range<u64>;

/// The parts of a tree whose hashes prove that it has the leaf at this index, in the order of the
/// proof. `None` if it has no such leaf.
pub fn inclusion(index: u64, size: u64) -> Option<Vec<Range>> {
    if index >= size {
        return None;
    }
    let (mut parts, mut of) = (Vec::new(), 0..size);
    while of.end - of.start > 1 {
        let middle = of.start + half(of.end - of.start);
        if index < middle {
            parts.push(middle..of.end);
            of.end = middle;
        } else {
            parts.push(of.start..middle);
            of.start = middle;
        }
    }
    parts.reverse();
    Some(parts)
}

/// The parts of a tree whose hashes prove that it continues the tree of its first `old` leaves.
/// `None` if it has fewer. From the empty tree there is nothing to prove.
pub fn consistency(old: u64, size: u64) -> Option<Vec<Range>> {
    if old > size {
        return None;
    }
    let (mut parts, mut of) = (Vec::new(), 0..size);
    if old == 0 || old == size {
        return Some(parts);
    }
    while old != of.end {
        let middle = of.start + half(of.end - of.start);
        if old <= middle {
            parts.push(middle..of.end);
            of.end = middle;
        } else {
            parts.push(of.start..middle);
            of.start = middle;
        }
    }
    if of.start != 0 {
        parts.push(of);
    }
    parts.reverse();
    Some(parts)
}

/// The largest power of two below a number that is at least 2.
fn half(leaves: u64) -> u64 {
    1 << (63 - (leaves - 1).leading_zeros())
}

/// Whether the proof shows that the tree with this root has the leaf at this index.
pub fn verify_inclusion(index: u64, size: u64, leaf: &Hash, root: &Hash, proof: &[Hash]) -> bool {
    let Some(parts) = inclusion(index, size) else { return false };
    if parts.len() != proof.len() {
        return false;
    }
    let with = |node: Hash, (part, hash): (&Range, &Hash)| match part.start > index {
        true => node_hash(&node, hash),
        false => node_hash(hash, &node),
    };
    parts.iter().zip(proof).fold(*leaf, with) == *root
}

/// Whether the proof shows that the tree with the root `new` continues the one with the root `old`.
pub fn verify_consistency(
    (old_size, old): (u64, &Hash),
    (size, new): (u64, &Hash),
    proof: &[Hash],
) -> bool {
    let Some(parts) = consistency(old_size, size) else { return false };
    if parts.len() != proof.len() {
        return false;
    }
    if old_size == size {
        return old == new;
    }
    if old_size == 0 {
        return *old == empty_root();
    }
    // The old tree is a full subtree of the new one, or the first part is.
    let is_whole = old_size.is_power_of_two();
    let first = if is_whole { *old } else { proof[0] };
    let (mut of_old, mut of_new) = (first, first);
    for (part, hash) in parts.iter().zip(proof).skip(usize::from(!is_whole)) {
        if part.start < old_size {
            of_old = node_hash(hash, &of_old);
            of_new = node_hash(hash, &of_new);
        } else {
            of_new = node_hash(&of_new, hash);
        }
    }
    of_old == *old && of_new == *new
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::{leaf_hash, naive};

    fn leaves() -> Vec<Hash> {
        (0..70_u32).map(|nth| leaf_hash(&nth.to_be_bytes())).collect()
    }

    fn hashes(leaves: &[Hash], parts: &[Range]) -> Vec<Hash> {
        parts.iter().map(|it| naive(&leaves[it.start as usize..it.end as usize])).collect()
    }

    #[test]
    fn a_leaf_is_proven_in_every_tree_and_nothing_else_is() {
        let leaves = leaves();
        for size in 1..leaves.len() as u64 {
            let root = naive(&leaves[..size as usize]);
            for index in 0..size {
                let proof = hashes(&leaves, &inclusion(index, size).expect("it has the leaf"));
                let leaf = &leaves[index as usize];
                assert!(verify_inclusion(index, size, leaf, &root, &proof), "{index} of {size}");
                assert!(!verify_inclusion(index, size, &leaf_hash(b"other"), &root, &proof));
                let is_alone = size == 1;
                assert!(is_alone || !verify_inclusion(size - 1 - index, size, &root, leaf, &proof));
                if let Some(cut) = proof.get(1..) {
                    assert!(!verify_inclusion(index, size, leaf, &root, cut));
                }
            }
            assert_eq!(inclusion(size, size), None);
        }
    }

    #[test]
    fn a_tree_continues_its_own_past_and_no_other() {
        let (leaves, mut other) = (leaves(), leaves());
        other[0] = leaf_hash(b"other");
        for size in 0..leaves.len() as u64 {
            let root = naive(&leaves[..size as usize]);
            for old in 0..=size {
                let proof = hashes(&leaves, &consistency(old, size).expect("it has the leaves"));
                let of_old = naive(&leaves[..old as usize]);
                let verified = |of_old, root, proof: &[Hash]| {
                    verify_consistency((old, of_old), (size, root), proof)
                };
                assert!(verified(&of_old, &root, &proof), "{old} of {size}");
                if old > 0 {
                    let forked = naive(&other[..old as usize]);
                    assert!(!verified(&forked, &root, &proof), "{old} of {size}");
                    let longer = [&proof[..], &[root]].concat();
                    assert!(!verified(&of_old, &root, &longer));
                }
            }
            assert_eq!(consistency(size + 1, size), None);
        }
    }

    /// The proofs of RFC 6962, 2.1.3, in a tree of seven leaves.
    #[test]
    fn proofs_have_the_parts_of_the_standard() {
        assert_eq!(inclusion(0, 7), Some(vec![1..2, 2..4, 4..7]));
        assert_eq!(inclusion(3, 7), Some(vec![2..3, 0..2, 4..7]));
        assert_eq!(inclusion(4, 7), Some(vec![5..6, 6..7, 0..4]));
        assert_eq!(inclusion(6, 7), Some(vec![4..6, 0..4]));
        assert_eq!(consistency(3, 7), Some(vec![2..3, 3..4, 0..2, 4..7]));
        let last: Range = 4..7;
        assert_eq!(consistency(4, 7), Some(Vec::from([last])));
        assert_eq!(consistency(6, 7), Some(vec![4..6, 6..7, 0..4]));
    }
}
