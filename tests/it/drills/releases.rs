//! The release before this one and this one serve one database at the same time, as during an
//! upgrade.

use std::env;
use std::path::PathBuf;

use contract::v1::*;

use super::Drill;
use super::crowd::check_archive;
use crate::harness::*;

/// Matches that are played through both.
const MATCHES: u64 = 8;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes a minute: make drills"]
async fn the_previous_release_beside_this_one() {
    let mut drill = Drill::begin("the previous release beside this one");
    // `.ci/previous` builds it.
    let program = env::var_os("PREVIOUS").filter(|path| !path.is_empty()).map(PathBuf::from);
    let Some(program) = program else {
        return drill.skip("there is no previous release: PREVIOUS names its program");
    };
    let folder = new_folder();
    let data = folder.path().join("database");
    let postgres = start_postgres(&data).await;
    let url = postgres.url();
    let old_folder = folder.path().join("old");
    let old = Service::start_program(&program, &old_folder, Some(&url), &[]).await;
    let before = old.client(Protocol::Grpc);
    let mut matches = Vec::new();
    for seed in 0..MATCHES {
        let mut playing = Playing::new(&before, 2, seed).await;
        playing.steps(4).await;
        matches.push(playing);
    }
    // It migrates the database under the other one.
    let new = Service::start(&folder.path().join("new"), Some(&url)).await;
    // The platform's key is in the folder of the process that made it.
    let after = new.client(Protocol::Grpc).holding(old.key());
    for seed in MATCHES..2 * MATCHES {
        let client = [&before, &after][seed as usize % 2];
        matches.push(Playing::new(client, 2, seed).await);
    }
    // A release that knows no display names plays with players who have some.
    let display_names = vec!["Ann".to_owned(), "Bob".to_owned()];
    let named = create(&after, &CreateMatchRequest { display_names, ..new_match(2) }).await;
    matches.push(Playing::of(&before, &get(&before, &named.name).await, 2 * MATCHES));
    for playing in &mut matches {
        let mut turn = 0;
        loop {
            playing.seats.fill([&before, &after][turn % 2].clone());
            if !playing.step().await {
                break;
            }
            turn += 1;
        }
    }
    let mut database = connect(&postgres.options()).await;
    for playing in &matches {
        check_record(playing, &[&after], &mut database).await;
        let mut told = entries(&after, &playing.name, "house").await;
        // The previous release tells no digests.
        told.iter_mut().for_each(|entry| entry.digest.clear());
        assert_eq!(entries(&before, &playing.name, "house").await, told);
    }
    assert_eq!(check_keys(&mut database).await, [""; 0]);
    check_archive(&url, folder.path()).await;
    let digests = "select count(*) filter (where digest is null), count(digest) from entries";
    let (without, with): (i64, i64) =
        sqlx::query_as(digests).fetch_one(&mut database).await.expect("numbers");
    drill.figure("matches", matches.len());
    drill.figure("entries_without_digest", without);
    drill.figure("entries_with_digest", with);
    assert!(without > 0 && with > 0, "both have written");
}
