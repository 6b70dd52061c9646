//! Lists of matches.

use crate::installation::Installation;
use crate::play::{draft, new_match};
use event_log::{Append, append};
use positions::Position;
use projector::{Filter, Handle, Reader};
use rows::{MatchId, NewMatch};
use std::time::Duration;
use store::Place;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

#[tokio::test]
async fn matches_are_listed_newest_first_with_their_seats_and_last_entries() {
    let installation = Installation::open().await;
    let writer = append::Service::new(installation.store.log(), append::Options::default());
    let handle = writer.handle();
    tokio::spawn(writer.run(CancellationToken::new()));
    let now = test_database::now().replace_nanosecond(0).unwrap();
    let mut created = Vec::new();
    for number in 0..7 {
        // Pairs of matches have the same time and are ordered by id.
        let new =
            NewMatch { create_time: now + Duration::from_secs(number / 2), ..open_match("ours") };
        installation.store.create(&new).await.unwrap();
        created.push((new.create_time, new.match_id));
    }
    installation.store.create(&open_match("theirs")).await.unwrap();
    created.sort_by(|one, other| other.cmp(one));
    let newest = created[0].1;
    installation
        .store
        .take_seat(
            newest,
            ("ann", None),
            Place { requested: Some(2), request_id: Some("r"), ..Place::default() },
            now,
        )
        .await
        .unwrap();
    for position in 1..=3 {
        assert_eq!(handle.append(draft(newest, position)).await, Ok(Append::Recorded));
    }
    let reader = Reader::new(&installation.store, Handle::default());
    let mut listed = Vec::new();
    let mut after = None;
    loop {
        let found = reader.find("ours", &Filter::default(), after, 3).await.unwrap().found;
        let Some(last) = found.last() else { break };
        after = Some((last.listed_time, last.match_id));
        let ids: Vec<_> = found.iter().map(|found| found.match_id).collect();
        listed.extend(installation.store.find_all(&ids).await.unwrap());
    }
    assert_eq!(
        listed.iter().map(|row| (row.create_time, row.match_id)).collect::<Vec<_>>(),
        created
    );
    assert_eq!(listed[0].last.as_ref().map(|entry| entry.position), Some(Position(3)));
    assert_eq!((listed[0].seated[0].seat, listed[0].seated[0].player.as_str()), (2, "ann"));
    assert_eq!((listed[1].last.as_ref(), listed[1].seated.len()), (None, 0));
}

/// A match of a platform without players.
fn open_match(platform: &str) -> NewMatch {
    NewMatch {
        platform: platform.to_owned(),
        seats: 4,
        players: Vec::new(),
        ..new_match(MatchId(Uuid::new_v4()), 0)
    }
}
