//! Rows of the record that somebody altered: the next read of their match says so, in memory and
//! after a restart, and no other match is affected.

use contract::v1::*;
use sqlx::AssertSqlSafe;
use tonic::Code;

use crate::harness::*;

/// The entry whose row is altered, and the last one of each match.
const ALTERED: i32 = 3;
const LAST: i32 = 5;

/// What an owner of the database may do to each column that a digest covers. `$1` is the match.
const ALTERATIONS: [&str; 24] = [
    "update entries set position = 99 where match_id = $1 and position = 3",
    "update entries set request_id = 'another' where match_id = $1 and position = 3",
    "update entries set request_id = null where match_id = $1 and position = 3",
    "update entries set create_time = create_time + interval '1 microsecond'
     where match_id = $1 and position = 3",
    "update entries set body = body || '\\x00' where match_id = $1 and position = 3",
    "update entries set body = set_byte(body, 9, get_byte(body, 9) # 1)
     where match_id = $1 and position = 3",
    "update entries set body = '\\xff' where match_id = $1 and position = 3",
    "update entries set body = '' where match_id = $1 and position = 3",
    "update entries set digest = sha256(digest) where match_id = $1 and position = 3",
    "update entries set digest = null where match_id = $1 and position = 3",
    "delete from entries where match_id = $1 and position = 3",
    "update matches set game = 'grifters' where match_id = $1",
    "update matches set game = 'patience' where match_id = $1",
    "update matches set seats = seats + 1 where match_id = $1",
    "update matches set seats = seats - 1 where match_id = $1",
    r#"update matches set terms = jsonb_set(terms, '{options}', '{"talk":"off"}')
       where match_id = $1"#,
    "update matches set terms = jsonb_set(terms, '{options}', '[]') where match_id = $1",
    "update matches set terms = '[]' where match_id = $1",
    "update matches set terms = jsonb_set(terms, '{seed_commitment}', to_jsonb(repeat('0', 64)))
     where match_id = $1",
    "update matches set create_time = create_time - interval '1 day' where match_id = $1",
    "update matches set terms = jsonb_set(terms, '{reveal_wait_s}', 'null') where match_id = $1",
    "update matches
     set terms = jsonb_set(terms, '{follows}', jsonb_build_object('previous', match_id, 'number', 2,
         'wins', array[1, 0]))
     where match_id = $1",
    "update seeds set seed = sha256(seed) where match_id = $1",
    "delete from seeds where match_id = $1",
];

/// Reads of a match's past, and of its present.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Read {
    Entry,
    Entries,
    Receipt,
    PastView,
    Match,
}

impl Read {
    async fn of(self, client: &Client, name: &str) -> Result<(), Failure> {
        let name = name.to_owned();
        match self {
            Read::Entry => {
                let name = format!("{name}/entries/{ALTERED}");
                let request = GetEntryRequest { name, ..Default::default() };
                client.ask(&request).await.map(|_| ())
            }
            Read::Entries => {
                let request = ListEntriesRequest { parent: name, ..Default::default() };
                client.ask(&request).await.map(|_| ())
            }
            Read::Receipt => {
                let name = format!("{name}/entries/{}/receipt", LAST - 1);
                client.ask(&GetReceiptRequest { name }).await.map(|_| ())
            }
            Read::PastView => {
                let position = Some(LAST - 1);
                let request = GetViewRequest { name, position, ..Default::default() };
                client.ask(&request).await.map(|_| ())
            }
            Read::Match => {
                let request = GetMatchRequest { name, ..Default::default() };
                client.ask(&request).await.map(|_| ())
            }
        }
    }
}

pub async fn alter(installation: &Installation, name: &str, statement: &str) {
    let id = name.strip_prefix("matches/").expect("a match's name");
    let statement = statement.replace("$1", &format!("'{id}'::uuid"));
    let altered = sqlx::query(AssertSqlSafe(statement.as_str()));
    let altered = altered.execute(&mut installation.database().await).await;
    let altered = altered.unwrap_or_else(|error| panic!("{statement}: {error}"));
    assert!(altered.rows_affected() > 0, "{statement}");
}

async fn played(client: &Client, seed: u64) -> Playing {
    let mut playing = Playing::new(client, 2, seed).await;
    playing.steps(LAST as usize - 1).await;
    assert_eq!(playing.entries.last().expect("it was played").position, LAST);
    playing
}

async fn check_refused(client: &Client, name: &str, read: Read, alteration: &str) {
    let Err(refused) = read.of(client, name).await else {
        panic!("{read:?} is answered after: {alteration}");
    };
    assert_eq!(refused.reason, "RECORD_ALTERED", "{read:?} after: {alteration}: {refused:?}");
    refused.check(Code::DataLoss, "RECORD_ALTERED");
}

#[tokio::test]
async fn an_altered_row_is_noticed_by_the_next_read_of_its_match() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut sound = played(&client, 1).await;
    // Who owns a table need not keep what it checks.
    sqlx::query("alter table matches drop constraint matches_terms_check")
        .execute(&mut installation.database().await)
        .await
        .expect("it is dropped");
    let reads = [Read::Entry, Read::Entries, Read::Receipt, Read::PastView];
    let mut altered = Vec::new();
    for (seed, alteration) in (2..).zip(ALTERATIONS) {
        // An old row is of no consequence to the present.
        let present = (!alteration.contains("entries")).then_some(Read::Match);
        for read in reads.into_iter().chain(present) {
            let name = played(&client, seed).await.name;
            alter(&installation, &name, alteration).await;
            check_refused(&client, &name, read, alteration).await;
            check_refused(&client, &name, read, alteration).await;
            altered.push((name, read, alteration));
        }
    }
    installation.service.kill().await;
    installation.service.start_again().await;
    for (name, read, alteration) in &altered {
        check_refused(&client, name, *read, alteration).await;
    }
    // The operator is told of each once a process, however many calls are refused.
    let log = installation.service.log();
    for (name, ..) in altered.iter().filter(|(_, read, _)| *read != Read::Match) {
        let id = name.strip_prefix("matches/").expect("a match's name");
        let told = log.lines().filter(|it| it.contains("was altered") && it.contains(id)).count();
        assert!((1..=2).contains(&told), "{name} is told {told} times by two processes");
    }
    sound.finish().await;
    for read in reads {
        read.of(&client, &sound.name).await.expect("nobody altered it");
    }
}

#[tokio::test]
async fn an_altered_head_is_noticed_in_memory() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let of_head = ALTERATIONS.iter().filter(|it| it.contains("entries set"));
    for (seed, alteration) in (50..).zip(of_head) {
        let name = played(&client, seed).await.name;
        let alteration = alteration.replace("position = 3", &format!("position = {LAST}"));
        alter(&installation, &name, &alteration).await;
        check_refused(&client, &name, Read::Match, &alteration).await;
    }
}

/// Releases that knew no digests left their first entries, or all, without one.
#[tokio::test]
async fn only_the_first_entries_may_lack_their_digests() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let without = "update entries set digest = null where match_id = $1 and position";
    let (all, first, later) =
        (played(&client, 80).await, played(&client, 81).await, played(&client, 82).await);
    alter(&installation, &all.name, &format!("{without} > 0")).await;
    alter(&installation, &first.name, &format!("{without} < 4")).await;
    alter(&installation, &later.name, &format!("{without} > 3")).await;
    installation.service.kill().await;
    installation.service.start_again().await;
    for name in [&all.name, &first.name] {
        for read in [Read::Match, Read::Entry, Read::Entries, Read::PastView] {
            read.of(&client, name).await.expect("it is as an earlier release recorded it");
        }
    }
    Read::Receipt.of(&client, &first.name).await.expect("its digest covers all before");
    let none = Read::Receipt.of(&client, &all.name).await.expect_err("there is no digest");
    none.check(Code::FailedPrecondition, "NO_DIGEST");
    check_refused(&client, &later.name, Read::Match, "later digests are missing").await;
    // What has no digest of its own is covered by the next one.
    let time = ALTERATIONS[3].replace("position = 3", "position = 2");
    alter(&installation, &first.name, &time).await;
    check_refused(&client, &first.name, Read::Receipt, &time).await;
}

#[tokio::test]
async fn a_search_leaves_an_altered_match_out() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let (sound, altered) = (played(&client, 90).await, played(&client, 91).await);
    alter(&installation, &altered.name, ALTERATIONS[4]).await;
    let emptied = played(&client, 92).await;
    let all = "update entries set body = '' where match_id = $1";
    alter(&installation, &emptied.name, all).await;
    let parent = MOUNTEBANK.to_owned();
    let request = SearchEntriesRequest { parent, page_size: 1000, ..Default::default() };
    let found = until("both are listed", async || {
        let found = client.ask(&request).await.expect("a page");
        (found.unreadable_matches.len() >= 2 && found.entries.len() >= LAST as usize)
            .then_some(found)
    });
    let found = found.await;
    assert_eq!(found.unreadable_matches, [emptied.name, altered.name]);
    let of_sound = found.entries.iter().filter(|it| it.name.starts_with(&sound.name));
    assert_eq!(of_sound.count(), LAST as usize);
}
