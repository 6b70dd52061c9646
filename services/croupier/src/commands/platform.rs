//! `croupier platform`: who may use the service. Works on its database, so it needs no API key, but
//! the machine's.

use api::ApiKey;
use clap::Subcommand;
use serde_json::json;
use store::Store;
use time::OffsetDateTime;

use crate::client::{Failure, Service};
use crate::database::Database;
use crate::print;

/// Make platforms known, and give and revoke their API keys
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    deed: Deed,
    #[command(flatten)]
    database: Database,
    /// Print the outcome as a line of JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Deed {
    /// Make a platform known and print its first API key
    Add { name: String },
    /// Print another API key for a platform
    Key { name: String },
    /// Revoke one of a platform's API keys: the part of it between the platform's name and the
    /// secret
    Revoke { name: String, key_id: String },
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let store = args.database.open(&service.data).await?;
    let now = OffsetDateTime::now_utc();
    match &args.deed {
        Deed::Add { name } => {
            check(name)?;
            if !store.create_platform(name, now).await? {
                return Err(Failure::Missing(format!("there is a platform {name:?} already")));
            }
            give_key(&store, name, args.json).await
        }
        Deed::Key { name } => {
            check(name)?;
            give_key(&store, name, args.json).await
        }
        Deed::Revoke { name, key_id } => {
            if !store.revoke_platform_key(name, key_id, now).await? {
                let missing = format!("platform {name:?} has no valid key {key_id:?}");
                return Err(Failure::Missing(missing));
            }
            match args.json {
                true => print::line(&json!({"platform": name, "revoked": key_id}).to_string())?,
                false => print::line("Revoked. It is refused within half a minute, everywhere.")?,
            }
            Ok(())
        }
    }
}

/// Platform names stand in API keys and logs, so they are plain.
fn check(name: &str) -> Result<(), Failure> {
    let plain = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '-';
    if (1..=NAME_BYTES_MAX).contains(&name.len()) && name.chars().all(plain) {
        return Ok(());
    }
    let rule = "a platform's name has 1 to 32 lower-case letters, digits and hyphens";
    Err(Failure::Usage(rule.to_owned()))
}

const NAME_BYTES_MAX: usize = 32;

async fn give_key(store: &Store, name: &str, json: bool) -> Result<(), Failure> {
    let key = ApiKey::new(name)?;
    let now = OffsetDateTime::now_utc();
    if !store.create_platform_key(name, &key.key_id, key.hash().as_bytes(), now).await? {
        return Err(Failure::Missing(format!(
            "there is no platform {name:?}; `croupier platform add` makes one"
        )));
    }
    if json {
        return Ok(print::line(&json!({"platform": name, "key": key.to_string()}).to_string())?);
    }
    print::line(&key.to_string())?;
    eprintln!(
        "This is the only time that the key is shown: the service keeps no more than its hash."
    );
    Ok(())
}
