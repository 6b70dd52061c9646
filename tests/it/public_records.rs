//! The record of a match over the API, for strangers who verify it.

use std::io::BufReader;

use contract::v1::*;
use records::{Line, Reader, Writer, read_match};
use tonic::Code;

use crate::fairness::{speech, with_talk};
use crate::files::export;
use crate::harness::*;

/// More entries than the service sends at a time.
const SAID: usize = 220;

fn record(name: &str) -> ReadRecordRequest {
    ReadRecordRequest { name: format!("{name}/record") }
}

/// The record as a file.
pub async fn read(client: &Client, name: &str) -> String {
    let mut stream = client.stream(&record(name)).await;
    let mut lines = Vec::new();
    while let Some(page) = stream.next().await.unwrap_or_else(|failure| panic!("{failure:?}")) {
        assert!(!page.message.lines.is_empty());
        lines.extend(page.message.lines);
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The file without what only the platform has a use for.
pub fn public(exported: &str) -> String {
    let mut reader = Reader::new(BufReader::new(exported.as_bytes())).expect("an archive");
    let mut writer = Writer::new(Vec::new());
    writer.write(&records::header_line()).expect("a line in memory");
    while let Some(mut line) = reader.read().expect("it was just written") {
        if let Line::Match(it) = &mut line {
            assert!(it.request_digest.take().is_some());
            it.players.iter_mut().for_each(|seat| seat.request_id = None);
        }
        writer.write(&line).expect("a line in memory");
    }
    String::from_utf8(writer.into_output()).expect("JSON is UTF-8")
}

#[tokio::test]
async fn a_stranger_reads_what_an_export_writes() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    // One player joins, so that a seat has a request id.
    let players = (0..2).map(player).collect();
    let it = create(&client, &CreateMatchRequest { players, ..with_talk(3) }).await;
    let (name, request_id) = (it.name.clone(), "third".to_owned());
    let join = JoinMatchRequest { name, player: player(2), request_id, ..Default::default() };
    client.ask(&join).await.expect("a seat is open");
    // Talk fills several pages.
    let say = SubmitActionRequest {
        name: it.name.clone(),
        action: Some(speech()),
        seat: Some(0),
        ..Default::default()
    };
    for _ in 0..SAID {
        client.ask(&say).await.expect("it is said");
    }
    for seat in 0..2 {
        let (name, seat) = (it.name.clone(), Some(seat));
        let resign = ResignMatchRequest { name, seat, ..Default::default() };
        client.ask(&resign).await.expect("it resigns");
    }
    let path = installation.folder.path().join("exported");
    let exported = export(&installation, &path, &[&it.name]).await;
    assert!(exported.contains("\"third\""));
    let expected = public(&exported);
    assert!(!expected.contains("\"third\""));
    let stranger = client.holding(token(&client, &it.name, None).await);
    let seat = client.holding(token(&client, &it.name, Some(1)).await);
    for reader in [&stranger, &seat, &client] {
        for protocol in STREAMING {
            assert_eq!(read(&reader.speaking(protocol), &it.name).await, expected, "{protocol:?}");
        }
    }
    let mut reader = Reader::new(expected.as_bytes()).expect("an archive");
    let whole = read_match(&mut reader).expect("it is right").expect("a match");
    assert!(whole.verified.is_over);
    let verified = whole.verified;
    assert!(verified.has_seed && verified.earlier.is_none() && verified.later.is_none());
    assert!(whole.entries.len() > SAID);
}

#[tokio::test]
async fn a_record_is_secret_before_the_reveal_and_to_strangers() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut running = Playing::new(&client, 2, 6).await;
    running.steps(3).await;
    let mut secret = CreateMatchRequest { reveal: Reveal::Never.into(), ..new_match(2) };
    let never = create(&client, &secret).await;
    Playing::of(&client, &never, 7).finish().await;
    secret.reveal = Reveal::AfterDelay.into();
    secret.reveal_delay = Some(contract::seconds(3600));
    let later = create(&client, &secret).await;
    Playing::of(&client, &later, 8).finish().await;
    let rival = client.holding(installation.platform("rival").await);
    let refused = [
        (&running.name, Code::FailedPrecondition, "MATCH_NOT_ENDED"),
        (&never.name, Code::FailedPrecondition, "NOT_REVEALED"),
        (&later.name, Code::FailedPrecondition, "NOT_REVEALED"),
    ];
    for protocol in STREAMING {
        for (name, code, reason) in refused {
            for seat in [None, Some(0)] {
                let holder = client.holding(token(&client, name, seat).await).speaking(protocol);
                failure(&holder, name).await.check(code, reason);
            }
            failure(&client.speaking(protocol), name).await.check(code, reason);
            failure(&rival.speaking(protocol), name).await.check(Code::NotFound, "MATCH_NOT_FOUND");
        }
        let other = client.holding(token(&client, &running.name, None).await).speaking(protocol);
        failure(&other, &never.name).await.check(Code::NotFound, "MATCH_NOT_FOUND");
    }
}

async fn failure(client: &Client, name: &str) -> Failure {
    client.stream(&record(name)).await.next().await.expect_err("it is not told")
}

#[tokio::test]
async fn an_altered_record_is_not_told_to_its_end() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 3, 9).await;
    playing.finish().await;
    let id = playing.name.strip_prefix("matches/").expect("a match's name").to_owned();
    let altered = sqlx::query(
        "update entries set body = body || '\\x00' where match_id = $1::text::uuid and position = 4",
    );
    let mut database = installation.database().await;
    altered.bind(id).execute(&mut database).await.expect("the database answers");
    for protocol in STREAMING {
        let mut stream = client.speaking(protocol).stream(&record(&playing.name)).await;
        let refused = loop {
            match stream.next().await {
                Ok(page) => assert!(page.is_some(), "the stream must not end in peace"),
                Err(refused) => break refused,
            }
        };
        refused.check(Code::DataLoss, "RECORD_ALTERED");
        assert_eq!(refused.facts["position"], "4");
    }
}
