//! `croupier platform`: the platforms and their API keys. It works on the database, so it needs
//! access to that instead of an API key.

use api::ApiKey;
use clap::Subcommand;
use client::Service;
use serde_json::json;
use store::Store;
use time::OffsetDateTime;

use crate::database::Database;
use crate::failure::Failure;
use crate::print;

/// Add platforms, and create and revoke their API keys
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    operation: Operation,
    #[command(flatten)]
    database: Database,
    /// Print the outcome as a line of JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Operation {
    /// Add a platform and print its first API key
    Add { name: String },
    /// Create another API key for a platform and print it
    Key { name: String },
    /// Revoke an API key, named by the part between the platform's name and the secret
    Revoke { name: String, key_id: String },
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let store = args.database.open(&service.data).await?;
    let now = OffsetDateTime::now_utc();
    match &args.operation {
        Operation::Add { name } => {
            check(name)?;
            if !store.create_platform(name, now).await? {
                return Err(Failure::Negative(format!("the platform {name:?} exists already")));
            }
            create_key(&store, name, args.json).await
        }
        Operation::Key { name } => {
            check(name)?;
            create_key(&store, name, args.json).await
        }
        Operation::Revoke { name, key_id } => {
            if !store.revoke_platform_key(name, key_id, now).await? {
                let missing = format!("the platform {name:?} has no valid key {key_id:?}");
                return Err(Failure::Negative(missing));
            }
            match args.json {
                true => print::line(&json!({"platform": name, "revoked": key_id}).to_string())?,
                false => print::line("Revoked. Every process refuses it within half a minute.")?,
            }
            Ok(())
        }
    }
}

/// Platform names are parts of API keys and logs, so their characters are limited.
fn check(name: &str) -> Result<(), Failure> {
    let plain = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '-';
    if (1..=NAME_BYTES_MAX).contains(&name.len()) && name.chars().all(plain) {
        return Ok(());
    }
    let rule = "a platform's name has 1 to 32 lower-case letters, digits and hyphens";
    Err(Failure::Usage(rule.to_owned()))
}

const NAME_BYTES_MAX: usize = 32;

async fn create_key(store: &Store, name: &str, json: bool) -> Result<(), Failure> {
    let key = ApiKey::new(name)?;
    let now = OffsetDateTime::now_utc();
    if !store.create_platform_key(name, &key.key_id, key.hash().as_bytes(), now).await? {
        return Err(Failure::Negative(format!(
            "there is no platform {name:?}; `croupier platform add` adds one"
        )));
    }
    if json {
        return Ok(print::line(&json!({"platform": name, "key": key.to_string()}).to_string())?);
    }
    print::line(&key.to_string())?;
    eprintln!("The key is shown only this once: the service stores just its hash.");
    Ok(())
}
