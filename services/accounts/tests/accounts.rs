//! Platforms, their keys, and the keys that sign tokens.

#![expect(clippy::disallowed_methods, reason = "what acts do is tested here")]

use std::time::Duration;

use accounts::{Accounts, CredentialChanges, Credentials, PlatformKey};
use database::{Database, Options};
use test_database::TestDatabase;
use tokio::time::timeout;

/// An installation without platforms.
struct Installation {
    accounts: Accounts,
    test: TestDatabase,
}

impl Installation {
    async fn open() -> Self {
        let test = TestDatabase::shared().await;
        let accounts = open(&test).await;
        schema::migrate(accounts.database()).await.unwrap();
        Self { accounts, test }
    }

    /// The accounts of another process of the same installation.
    async fn another(&self) -> Accounts {
        open(&self.test).await
    }
}

async fn open(test: &TestDatabase) -> Accounts {
    Accounts::new(&Database::connect(Options::new(test.options.clone())).await.unwrap())
}

#[tokio::test]
async fn a_platforms_key_is_valid_until_it_is_revoked() {
    let (installation, now) = (Installation::open().await, test_database::now());
    let mut reader = Credentials::new(&installation.accounts);
    assert!(installation.accounts.create_platform("ours", now).await.unwrap());
    assert!(!installation.accounts.create_platform("ours", now).await.unwrap());
    assert!(installation.accounts.create_platform_key("ours", "k1", &[1; 32], now).await.unwrap());
    assert!(!installation.accounts.create_platform_key("ours", "k1", &[2; 32], now).await.unwrap());
    let (platform, key_id) = ("ours".to_owned(), "k1".to_owned());
    let key = PlatformKey { platform, key_id, hash: [1; 32], is_revoked: false };
    assert_eq!(reader.read().await.unwrap().keys, std::slice::from_ref(&key));
    assert!(installation.accounts.revoke_platform_key("ours", "k1", now).await.unwrap());
    assert!(!installation.accounts.revoke_platform_key("ours", "k1", now).await.unwrap());
    let revoked = PlatformKey { is_revoked: true, ..key };
    assert_eq!(reader.read().await.unwrap().keys, [revoked]);
}

#[tokio::test]
async fn a_reader_of_credentials_misses_no_transaction_that_commits_late() {
    let (installation, now) = (Installation::open().await, test_database::now());
    let mut reader = Credentials::new(&installation.accounts);
    assert!(installation.accounts.create_platform("ours", now).await.unwrap());
    let mut late = installation.accounts.database().connection().await.unwrap();
    for statement in [
        "begin",
        "insert into platform_keys (bucket, platform, key_id, hash, create_time)
         select bucket, platform, 'late', decode(repeat('07', 32), 'hex'), now() from platforms",
    ] {
        sqlx::raw_sql(statement).execute(&mut late).await.unwrap();
    }
    let ids = |changes: CredentialChanges| -> Vec<String> {
        changes.keys.into_iter().map(|key| key.key_id).collect()
    };
    for key_id in ["k1", "k2"] {
        assert!(
            installation.accounts.create_platform_key("ours", key_id, &[1; 32], now).await.unwrap()
        );
        assert!(ids(reader.read().await.unwrap()).contains(&key_id.to_owned()));
    }
    sqlx::raw_sql("commit").execute(&mut late).await.unwrap();
    assert!(ids(reader.read().await.unwrap()).contains(&"late".to_owned()));
    // Autovacuum may hold the horizon back for a moment.
    let forgetting = async {
        while !ids(reader.read().await.unwrap()).is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_secs(60), forgetting).await.expect("what was read is not read again");
}

#[tokio::test]
async fn an_older_releases_revocation_is_read_too() {
    let (installation, now) = (Installation::open().await, test_database::now());
    assert!(installation.accounts.create_platform("ours", now).await.unwrap());
    assert!(installation.accounts.create_platform_key("ours", "k1", &[1; 32], now).await.unwrap());
    let mut reader = Credentials::new(&installation.accounts);
    assert!(!reader.read().await.unwrap().keys[0].is_revoked);
    let mut connection = installation.accounts.database().connection().await.unwrap();
    let update = "update platform_keys set revoke_time = now()";
    sqlx::raw_sql(update).execute(&mut connection).await.unwrap();
    assert!(reader.read().await.unwrap().keys[0].is_revoked);
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_agree_on_the_token_keys() {
    let installation = Installation::open().await;
    let other = installation.another().await;
    let (here, there) = tokio::join!(
        installation.accounts.create_first_token_key(&[1; 32]),
        other.create_first_token_key(&[2; 32]),
    );
    here.and(there).unwrap();
    let read = async || {
        let keys = Credentials::new(&other).read().await.unwrap().token_keys;
        keys.into_iter().map(|key| (key.key_id, key.secret)).collect::<Vec<_>>()
    };
    let first = read().await;
    assert_eq!(first.len(), 1);
    assert_eq!(installation.accounts.rotate_token_keys(&[3; 32], false).await.unwrap(), 2);
    assert_eq!(read().await, [(2, [3; 32]), first[0]], "newest first, and the old one verifies");
    assert_eq!(installation.accounts.rotate_token_keys(&[4; 32], true).await.unwrap(), 3);
    assert_eq!(read().await, [(3, [4; 32])], "the old ones are dropped");
    let mut connection = installation.accounts.database().connection().await.unwrap();
    let update = "update token_keys set create_time = create_time - interval '26 hours'";
    sqlx::raw_sql(update).execute(&mut connection).await.unwrap();
    assert_eq!(installation.accounts.rotate_token_keys(&[5; 32], false).await.unwrap(), 4);
    assert_eq!(read().await.len(), 2);
    sqlx::raw_sql(update).execute(&mut connection).await.unwrap();
    assert_eq!(read().await, [(4, [5; 32])], "every token of the replaced one has expired");
}
