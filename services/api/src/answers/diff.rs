//! The difference between two tables of one viewer, computed from the tables as the viewer receives
//! them.

use std::collections::{BTreeMap, BTreeSet};

use contract::v1::{
    MarkDiff, PieceDiff, PurseDiff, ScoreDiff, Table, Unseen, UnseenDiff, ViewDiff,
};

pub(crate) fn diff(before: &Table, after: &Table) -> ViewDiff {
    let changed = |before, after| (before != after).then_some(after);
    ViewDiff {
        r#match: after.r#match.clone(),
        viewer: after.viewer.clone(),
        from_position: before.position,
        to_position: after.position,
        pieces: pieces(before, after),
        unseen: unseen(before, after),
        purses: purses(before, after),
        marks: marks(before, after),
        scores: scores(before, after),
        prompts_opened: without(&after.prompts, &before.prompts),
        prompts_closed: without(&before.prompts, &after.prompts),
        offers_opened: without(&after.offers, &before.offers),
        offers_closed: without(&before.offers, &after.offers),
        round: changed(before.round, after.round),
        phase: changed(before.phase, after.phase),
        turn: changed(before.turn, after.turn),
        resigned: without(&after.resigned, &before.resigned),
        returned: without(&before.resigned, &after.resigned),
        ended: after.ended.clone().filter(|_| before.ended.is_none()),
        score_parts_gained: without(&after.score_parts, &before.score_parts),
        score_parts_lost: without(&before.score_parts, &after.score_parts),
        reopened: before.ended.is_some() && after.ended.is_none(),
    }
}

fn pieces(before: &Table, after: &Table) -> Vec<PieceDiff> {
    let places = |table: &Table| -> BTreeMap<String, String> {
        let places = table.places.iter();
        let pieces =
            places.flat_map(|it| it.pieces.iter().map(|piece| (piece.clone(), it.place.clone())));
        pieces.collect()
    };
    let moved = changes(places(before), places(after));
    moved.map(|(piece, from, to)| PieceDiff { piece, from, to }).collect()
}

fn unseen(before: &Table, after: &Table) -> Vec<UnseenDiff> {
    let counts = |table: &Table| -> BTreeMap<(String, String), i32> {
        let unseen = table.places.iter().flat_map(|place| {
            let count =
                |it: &Unseen| ((place.place.clone(), it.back.clone()), it.count.cast_signed());
            place.unseen.iter().map(count)
        });
        unseen.collect()
    };
    changes(counts(before), counts(after))
        .map(|((place, back), before, after)| UnseenDiff { place, back, change: after - before })
        .collect()
}

fn purses(before: &Table, after: &Table) -> Vec<PurseDiff> {
    let amounts = |table: &Table| -> BTreeMap<(String, String), i32> {
        let purses = table.places.iter().flat_map(|place| {
            place.purses.iter().map(|it| ((place.place.clone(), it.coin.clone()), it.amount))
        });
        purses.collect()
    };
    changes(amounts(before), amounts(after))
        .map(|((place, coin), before, after)| PurseDiff { place, coin, change: after - before })
        .collect()
}

fn marks(before: &Table, after: &Table) -> Vec<MarkDiff> {
    let values = |table: &Table| -> BTreeMap<String, i32> {
        table.marks.iter().map(|it| (it.mark.clone(), it.value)).collect()
    };
    changes(values(before), values(after))
        .map(|(mark, before, after)| MarkDiff { mark, before, after })
        .collect()
}

fn scores(before: &Table, after: &Table) -> Vec<ScoreDiff> {
    let pairs = (0..).zip(before.scores.iter().zip(&after.scores));
    pairs
        .filter(|(_, (before, after))| before != after)
        .map(|(seat, (&before, &after))| ScoreDiff { seat, before, after })
        .collect()
}

/// The values of each key that differ. The default stands for an absent value.
fn changes<K: Ord + Clone, V: Default + Clone + PartialEq>(
    before: BTreeMap<K, V>,
    after: BTreeMap<K, V>,
) -> impl Iterator<Item = (K, V, V)> {
    let keys: BTreeSet<K> = before.keys().chain(after.keys()).cloned().collect();
    let of = |table: &BTreeMap<K, V>, key: &K| table.get(key).cloned().unwrap_or_default();
    let both = keys.into_iter().map(move |key| {
        let (before, after) = (of(&before, &key), of(&after, &key));
        (key, before, after)
    });
    both.filter(|(_, before, after)| before != after)
}

/// The difference of two lists as multisets.
fn without<T: Clone + PartialEq>(these: &[T], those: &[T]) -> Vec<T> {
    let mut those = those.to_vec();
    let mut left = Vec::new();
    for it in these {
        match those.iter().position(|other| other == it) {
            Some(at) => _ = those.swap_remove(at),
            None => left.push(it.clone()),
        }
    }
    left
}
