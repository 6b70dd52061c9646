//! Companions and headers: a function called by the statement that records an entry, and the data
//! with which a stream was created.

use event_log::{Append, AppendError, Draft, Options, Position, Tables, append};
use sqlx::{AssertSqlSafe, ConnectOptions, Executor};
use test_database::TestDatabase;

use crate::installation::{Installation, TABLES};
use crate::playing::{draft, new_stream};

const WITH_BOTH: Tables = Tables {
    header: Some("select header from streams as its where its.stream = asked.stream"),
    companion: Some("note"),
    ..TABLES
};

/// The table that the companion function writes, and that of the headers.
const OWN: &str = "
    create table streams (stream uuid primary key, header bytea not null);
    create table notes (stream uuid, position int8, note text not null check (note <> 'wrong'));
    create function note(uuid, int8, timestamptz, text)
        returns void language sql
        begin atomic
            insert into notes values ($1, $2, $4);
        end";

async fn installation() -> Installation {
    let database = TestDatabase::shared().await;
    database.connect().await.execute(AssertSqlSafe(OWN)).await.expect("its own tables");
    Installation::with(database, Options::new(WITH_BOTH)).await
}

async fn notes(installation: &Installation) -> Vec<(i64, String)> {
    let mut connection = installation.database.connect().await.expect("it connects");
    let notes = sqlx::query_as("select position, note from notes order by position");
    notes.fetch_all(&mut connection).await.expect("notes")
}

#[tokio::test]
async fn a_companion_is_called_once_for_an_entry_that_is_recorded() {
    let installation = installation().await;
    let (here, there) = (
        installation.writer(append::Options::default()),
        installation.writer(append::Options::default()),
    );
    let stream = new_stream();
    let noted = |position, body: &'static str, note: &str| Draft {
        companion: Some(note.into()),
        ..draft(stream, position, body)
    };
    assert_eq!(here.handle.append(noted(1, "a", "first")).await, Ok(Append::Recorded));
    assert_eq!(here.handle.append(draft(stream, 2, "b")).await, Ok(Append::Recorded));
    // Another writer does not know yet that the position is taken.
    let late = there.handle.append(noted(2, "c", "late")).await;
    assert_ne!(late, Ok(Append::Recorded));
    assert_eq!(notes(&installation).await, [(1, "first".to_owned())]);
}

#[tokio::test]
async fn an_entry_whose_companion_fails_is_not_recorded() {
    let installation = installation().await;
    let writer = installation.writer(append::Options::default());
    let stream = new_stream();
    let wrong = Draft { companion: Some("wrong".into()), ..draft(stream, 1, "a") };
    assert_eq!(writer.handle.append(wrong).await, Err(AppendError::Refused));
    assert_eq!(installation.log.tail(stream).await.expect("it is read"), Position::START);
    assert_eq!(notes(&installation).await, []);
}

#[tokio::test]
async fn a_header_is_read_with_the_entries_of_its_stream() {
    let installation = installation().await;
    let writer = installation.writer(append::Options::default());
    let (known, unknown) = (new_stream(), new_stream());
    let mut connection = installation.database.connect().await.expect("it connects");
    sqlx::query("insert into streams values ($1, 'made by Ann')")
        .bind(known)
        .execute(&mut connection)
        .await
        .expect("a header");
    for stream in [known, unknown] {
        writer.handle.append(draft(stream, 1, "a")).await.expect("it is recorded");
    }
    let read = async |stream| {
        let read = installation.log.entries_from(stream, Position(1), 10).await;
        let (header, entries) = read.expect("it is read");
        (header, entries.len())
    };
    assert_eq!(read(known).await, (Some(b"made by Ann".to_vec()), 1));
    assert_eq!(read(unknown).await, (None, 1));
}
