//! Lineups and seatings: which levels play, and on which seats.

/// A lineup. Levels are indexes into those of the arena.
pub(super) struct Lineup {
    /// Sorted.
    pub levels: Vec<usize>,
    /// By seat.
    pub seatings: Vec<Vec<usize>>,
    deals: usize,
}

impl Lineup {
    pub fn new(levels: Vec<usize>, matches: usize) -> Lineup {
        let seatings = seatings(&levels);
        Lineup { deals: matches.div_ceil(seatings.len()), levels, seatings }
    }

    pub fn len(&self) -> usize {
        self.deals * self.seatings.len()
    }
}

/// Every choice of levels for `seats` seats in which not all levels are the same; the single choice
/// if there is only one level.
pub(super) fn lineups(levels: usize, seats: usize) -> Vec<Vec<usize>> {
    let mut lineups: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..seats {
        let longer = |lineup: Vec<usize>| {
            let least = lineup.last().copied().unwrap_or(0);
            (least..levels).map(move |level| [lineup.clone(), vec![level]].concat())
        };
        lineups = lineups.into_iter().flat_map(longer).collect();
    }
    lineups.retain(|lineup| levels == 1 || lineup.first() != lineup.last());
    lineups
}

/// Every order of the levels, each once.
fn seatings(levels: &[usize]) -> Vec<Vec<usize>> {
    let mut seating = levels.to_vec();
    seating.sort_unstable();
    let mut seatings = vec![seating.clone()];
    // The next in lexical order, until there is none.
    while let Some(at) = (1..seating.len()).rfind(|&at| seating[at - 1] < seating[at]) {
        let with = (at..seating.len()).rfind(|&it| seating[it] > seating[at - 1]);
        seating.swap(at - 1, with.expect("the next is one"));
        seating[at..].reverse();
        seatings.push(seating.clone());
    }
    seatings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_of_levels_is_seated_in_every_order() {
        assert_eq!(lineups(3, 2), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(lineups(2, 3), [[0, 0, 1], [0, 1, 1]]);
        assert_eq!(lineups(1, 3), [[0, 0, 0]]);
        assert_eq!(seatings(&[0, 1]), [[0, 1], [1, 0]]);
        assert_eq!(seatings(&[0, 1, 1]), [[0, 1, 1], [1, 0, 1], [1, 1, 0]]);
        assert_eq!(seatings(&[0, 1, 2]).len(), 6);
        assert_eq!(seatings(&[0, 0, 1, 1, 2]).len(), 30);
    }
}
