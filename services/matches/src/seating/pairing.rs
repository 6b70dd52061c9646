//! Which seeks of a pool are seated together. No database here.

use rows::look_alike;
use store::{OpenSeek, SeekRow};
use time::OffsetDateTime;

/// How many combinations are tried for one player.
const TRIES_MAX: u32 = 2_000;

/// The groups of a pool that can be seated together, and the number of seats of each. Seekers are
/// served in the order in which they came, and so are their companions.
pub(super) fn seat_together(pool: &[OpenSeek], now: OffsetDateTime) -> Vec<(Vec<&OpenSeek>, u8)> {
    let mut left: Vec<&OpenSeek> = pool.iter().collect();
    let (mut groups, mut first) = (Vec::new(), 0);
    while first < left.len() {
        let found = left[first].row.seats.iter().find_map(|&seats| {
            let mut group = vec![left[first]];
            let mut tries = TRIES_MAX;
            fill(&mut group, &left, first, 0, usize::try_from(seats).ok()?, now, &mut tries)
                .then_some((group, u8::try_from(seats).ok()?))
        });
        match found {
            Some((group, seats)) => {
                left.retain(|it| !group.iter().any(|one| one.row.seek_id == it.row.seek_id));
                groups.push((group, seats));
                // Earlier seekers found no group among more seekers, so they need not be tried
                // again.
                first = first.min(left.len());
            }
            None => first += 1,
        }
    }
    groups
}

/// Adds others to the group, in their order, until it has `seats` members.
fn fill<'a>(
    group: &mut Vec<&'a OpenSeek>,
    left: &[&'a OpenSeek],
    first: usize,
    from: usize,
    seats: usize,
    now: OffsetDateTime,
    tries: &mut u32,
) -> bool {
    if group.len() == seats {
        return true;
    }
    for (at, other) in left.iter().enumerate().skip(from) {
        if at == first || !other.row.seats.contains(&(seats as i16)) {
            continue;
        }
        if *tries == 0 {
            return false;
        }
        *tries -= 1;
        if group.iter().all(|one| may_meet(&one.row, &other.row, now)) {
            group.push(other);
            if fill(group, left, first, at + 1, seats, now, tries) {
                return true;
            }
            group.pop();
        }
    }
    false
}

fn may_meet(one: &SeekRow, other: &SeekRow, now: OffsetDateTime) -> bool {
    let apart = (one.rating - other.rating).abs();
    let accepts = |it: &SeekRow| {
        it.distance.is_none_or(|distance| {
            let waited = (now - it.create_time).as_seconds_f64().max(0.0);
            apart as f64 <= distance as f64 + it.widening as f64 * waited
        })
    };
    let named = |it: &'_ SeekRow| (it.player.clone(), it.display_name.clone());
    let (one_named, other_named) = (named(one), named(other));
    accepts(one)
        && accepts(other)
        && !look_alike(
            (&one_named.0, one_named.1.as_deref()),
            (&other_named.0, other_named.1.as_deref()),
        )
}

#[cfg(test)]
mod tests {
    use time::Duration;

    use super::*;
    use crate::request::derived_id;

    const START: OffsetDateTime = OffsetDateTime::UNIX_EPOCH;

    /// A seek that was created after `after_s` seconds.
    fn seek(player: &str, after_s: i64, seats: &[i16], rating: i64) -> OpenSeek {
        let row = SeekRow {
            seek_id: derived_id("acme", player),
            platform: "acme".to_owned(),
            player: player.to_owned(),
            display_name: None,
            game: "mountebank".to_owned(),
            seats: seats.to_vec(),
            options: "{}".to_owned(),
            rating: rating * 1_000_000,
            distance: None,
            widening: 0,
            request: Vec::new(),
            request_id: None,
            create_time: START + Duration::seconds(after_s),
        };
        OpenSeek { row, pool: vec![0; 32] }
    }

    fn within(distance: i64, widening: i64, it: OpenSeek) -> OpenSeek {
        let row = SeekRow {
            distance: Some(distance * 1_000_000),
            widening: widening * 1_000_000,
            ..it.row
        };
        OpenSeek { row, ..it }
    }

    fn seated(pool: &[OpenSeek], after_s: i64) -> Vec<Vec<&str>> {
        let groups = seat_together(pool, START + Duration::seconds(after_s));
        for (group, seats) in &groups {
            assert_eq!(group.len(), usize::from(*seats));
        }
        let players = |group: &Vec<&OpenSeek>| -> Vec<String> {
            group.iter().map(|it| it.row.player.clone()).collect()
        };
        let names: Vec<Vec<String>> = groups.iter().map(|(group, _)| players(group)).collect();
        let find = |name: &String| pool.iter().find(|it| it.row.player == *name).expect("of it");
        names
            .iter()
            .map(|group| group.iter().map(|it| &find(it).row.player[..]).collect())
            .collect()
    }

    #[test]
    fn who_came_first_is_seated_first() {
        let pool: Vec<OpenSeek> = (0..5)
            .zip(["ann", "bob", "cid", "dan", "eve"])
            .map(|(n, it)| seek(it, n, &[2], 0))
            .collect();
        assert_eq!(seated(&pool, 9), [["ann", "bob"], ["cid", "dan"]]);
    }

    #[test]
    fn the_numbers_of_seats_must_agree() {
        let pool = [
            seek("ann", 0, &[3], 0),
            seek("bob", 1, &[2], 0),
            seek("cid", 2, &[3, 2], 0),
            seek("dan", 3, &[3], 0),
        ];
        assert_eq!(seated(&pool, 9), [["ann", "cid", "dan"]]);
        assert_eq!(seated(&pool[..3], 9), [["bob", "cid"]]);
    }

    #[test]
    fn ratings_come_closer_with_time() {
        let pool = [within(5, 1, seek("ann", 0, &[2], 0)), within(0, 2, seek("bob", 10, &[2], 30))];
        assert_eq!(seated(&pool, 24), Vec::<Vec<&str>>::new());
        assert_eq!(seated(&pool, 25), [["ann", "bob"]]);
        let far = [within(5, 0, seek("ann", 0, &[2], 0)), seek("bob", 1, &[2], 6)];
        assert_eq!(seated(&far, 1_000_000), Vec::<Vec<&str>>::new(), "one of them does not accept");
    }

    #[test]
    fn a_group_is_found_though_the_first_company_does_not_suit() {
        let pool = [
            within(10, 0, seek("ann", 0, &[3], 0)),
            within(10, 0, seek("bob", 1, &[3], 10)),
            within(10, 0, seek("cid", 2, &[3], -5)),
            within(10, 0, seek("dan", 3, &[3], -1)),
        ];
        assert_eq!(seated(&pool, 4), [["ann", "cid", "dan"]]);
    }

    #[test]
    fn nobody_is_seated_with_somebody_of_the_same_name() {
        let named = |player: &str| {
            let it = seek(player, 0, &[2], 0);
            OpenSeek { row: SeekRow { display_name: Some("Ann".to_owned()), ..it.row }, ..it }
        };
        assert_eq!(seated(&[named("u1"), named("u2")], 4), Vec::<Vec<&str>>::new());
    }
}
