//! `croupier platform`: the platforms, their API keys and tokens, and their limits. It works on the
//! database, so it needs access to the database instead of an API key.

use std::collections::BTreeMap;

use accounts::{Accounts, LimitsRow};
use api::ApiKey;
use clap::Subcommand;
use contract::names::match_id;
use matches::operators::{Operator, Who};
use matches::{Limits, NamedLimit, check_platform_name};
use rows::{MatchId, match_name};
use serde_json::json;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::client::Service;
use crate::commands::arguments::check_seat;
use crate::failure::Failure;
use crate::print;
use crate::process::installation::Installation;
use crate::process::opening::DatabaseArgs;

/// Add, list and suspend platforms; create and revoke their API keys and tokens; set their limits
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    operation: Operation,
    #[command(flatten)]
    database: DatabaseArgs,
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
    /// Revoke an API key, named by the part between the platform's name and the secret, and the
    /// tokens that it minted
    Revoke { name: String, key_id: String },
    /// List the platforms and the ids of their API keys
    List,
    /// Refuse a platform's API keys and tokens until it is resumed
    Suspend { name: String },
    /// Accept a suspended platform's API keys and tokens again
    Resume { name: String },
    /// Revoke the tokens minted so far for a match
    RevokeTokens {
        /// The match: its name or its id
        #[arg(value_name = "MATCH")]
        name: String,
        /// Only the tokens of this seat
        #[arg(long)]
        seat: Option<u8>,
    },
    /// Replace the key that signs tokens; tokens signed by earlier keys stay valid until they
    /// expire
    RotateTokenKeys {
        /// Refuse tokens signed by all other keys
        #[arg(long)]
        drop_old: bool,
    },
    /// Replace the key that signs receipts; earlier keys stay published, so that receipts they
    /// signed can be verified
    RotateReceiptKeys,
    /// Set limits of a platform, and print all of them. They apply to each process of the service.
    /// Limits that are not named do not change, and 0 restores the default
    Limits {
        name: String,
        #[command(flatten)]
        limits: LimitsArgs,
    },
}

/// The limits to change.
#[derive(clap::Args)]
struct LimitsArgs {
    /// Calls a second
    #[arg(long, value_name = "N")]
    calls_per_s: Option<u32>,
    /// Actions a second
    #[arg(long, value_name = "N")]
    actions_per_s: Option<u32>,
    /// Actions that are being recorded or wait for it
    #[arg(long, value_name = "N")]
    actions_max: Option<u32>,
    /// Matches created a second, ten times as many at once
    #[arg(long, value_name = "N")]
    matches_per_s: Option<u32>,
    /// Open streams of single matches (WatchEntries, ReplayEntries)
    #[arg(long, value_name = "N")]
    watches_max: Option<u32>,
    /// Open streams of many matches (StreamEntries, ConsumeSubscription, Play)
    #[arg(long, value_name = "N")]
    streams_max: Option<u32>,
    /// Subscriptions
    #[arg(long, value_name = "N")]
    subscriptions_max: Option<u32>,
    /// Consumers of one subscription; there are 64 buckets to share
    #[arg(long, value_name = "N")]
    consumers_max: Option<u32>,
    /// Calls a second with one seat's tokens, ten times as many at once
    #[arg(long, value_name = "N")]
    seat_calls_per_s: Option<u32>,
    /// Actions a second with one seat's tokens, thirty times as many at once
    #[arg(long, value_name = "N")]
    seat_actions_per_s: Option<u32>,
    /// Open streams with one seat's tokens
    #[arg(long, value_name = "N")]
    seat_streams_max: Option<u32>,
    /// Entries that one seat may add to its match
    #[arg(long, value_name = "N")]
    seat_entries_max: Option<u32>,
    /// Calls a second with one spectator's token, ten times as many at once
    #[arg(long, value_name = "N")]
    spectator_calls_per_s: Option<u32>,
    /// Open streams with one spectator's token
    #[arg(long, value_name = "N")]
    spectator_streams_max: Option<u32>,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let installation = args.database.open(&service.data).await?;
    let Installation { store, accounts, .. } = &installation;
    let operator = Operator::new(installation.database(), Who::CommandLine);
    let now = installation.database().clock().now();
    match &args.operation {
        Operation::Add { name } => {
            check(name)?;
            if !operator.create_platform(name, now).await? {
                return Err(Failure::Negative(format!("the platform {name:?} exists already")));
            }
            create_key(accounts, operator, name, args.json).await
        }
        Operation::Key { name } => {
            check(name)?;
            create_key(accounts, operator, name, args.json).await
        }
        Operation::Limits { name, limits } => {
            set_limits(accounts, operator, name, limits, args.json).await
        }
        Operation::Revoke { name, key_id } => {
            if !operator.revoke_platform_key(name, key_id, now).await? {
                if !accounts.list_platforms().await?.iter().any(|it| it.platform == *name) {
                    return Err(no_platform(accounts, name).await?);
                }
                let missing = format!("the platform {name:?} has no valid key {key_id:?}");
                return Err(Failure::Negative(missing));
            }
            let outcome = json!({"platform": name, "revoked": key_id});
            tell(&args, &outcome, "Revoked. Every process refuses it within half a minute.")
        }
        Operation::List => list(accounts, args.json).await,
        Operation::Suspend { name } => {
            check_known(accounts, name, operator.suspend_platform(name).await?).await?;
            let outcome = json!({"platform": name, "suspended": true});
            tell(&args, &outcome, "Suspended. Every process refuses it within half a minute.")
        }
        Operation::Resume { name } => {
            check_known(accounts, name, operator.resume_platform(name).await?).await?;
            let outcome = json!({"platform": name, "suspended": false});
            tell(&args, &outcome, "Resumed. Every process accepts it within half a minute.")
        }
        Operation::RevokeTokens { name, seat } => {
            let match_id = match_id(name)
                .or_else(|_| match_id(&format!("matches/{name}")))
                .map(MatchId)
                .map_err(|_| Failure::Usage(format!("{name:?} is not a name of a match")))?;
            let no_match = || Failure::Negative(format!("there is no match {name:?}"));
            let it = store.find_any(match_id).await?.ok_or_else(no_match)?;
            check_seat(seat.map(u32::from), it.seats.unsigned_abs().into())?;
            operator.revoke_tokens(&it.platform, match_id, *seat).await?.ok_or_else(no_match)?;
            let outcome = json!({"match": match_name(match_id), "seat": seat});
            tell(&args, &outcome, "Revoked. Every process refuses them within half a minute.")
        }
        Operation::RotateTokenKeys { drop_old } => {
            let mut secret = [0; 32];
            getrandom::fill(&mut secret)?;
            let key_id = operator.rotate_token_keys(&secret, *drop_old).await?;
            let others = match drop_old {
                true => "Tokens signed by others are refused within half a minute.",
                false => "Tokens signed by others stay valid until they expire.",
            };
            let outcome = json!({"token_key": key_id, "dropped_old": drop_old});
            tell(&args, &outcome, &format!("Key {key_id} signs tokens from now on. {others}"))
        }
        Operation::RotateReceiptKeys => {
            operator.rotate_receipt_keys(&api::new_receipt_key()?).await?;
            let outcome = json!({"rotated": "receipt keys"});
            tell(
                &args,
                &outcome,
                "A new key signs receipts from now on. Earlier ones stay published.",
            )
        }
    }
}

/// Changes the limits that are given, if any, and prints all.
async fn set_limits(
    accounts: &Accounts,
    operator: Operator<'_>,
    name: &str,
    given: &LimitsArgs,
    json: bool,
) -> Result<(), Failure> {
    check(name)?;
    let row = accounts.platform_limits(&[name.to_owned()]).await?.pop();
    let mut row = row.unwrap_or_else(|| LimitsRow { platform: name.to_owned(), ..<_>::default() });
    // 0 restores the default.
    let set = |limit: &mut Option<i32>, given: Option<u32>| {
        if let Some(given) = given {
            *limit = i32::try_from(given).ok().or(Some(i32::MAX)).filter(|given| *given > 0);
        }
    };
    set(&mut row.calls_per_s, given.calls_per_s);
    set(&mut row.actions_per_s, given.actions_per_s);
    set(&mut row.actions_max, given.actions_max);
    set(&mut row.matches_per_s, given.matches_per_s);
    set(&mut row.watches_max, given.watches_max);
    set(&mut row.streams_max, given.streams_max);
    set(&mut row.subscriptions_max, given.subscriptions_max);
    set(&mut row.consumers_max, given.consumers_max);
    set(&mut row.seat_calls_per_s, given.seat_calls_per_s);
    set(&mut row.seat_actions_per_s, given.seat_actions_per_s);
    set(&mut row.seat_streams_max, given.seat_streams_max);
    set(&mut row.seat_entries_max, given.seat_entries_max);
    set(&mut row.spectator_calls_per_s, given.spectator_calls_per_s);
    set(&mut row.spectator_streams_max, given.spectator_streams_max);
    if !operator.set_platform_limits(&row).await? {
        return Err(no_platform(accounts, name).await?);
    }
    print_limits(&row, json)
}

fn print_limits(row: &LimitsRow, json: bool) -> Result<(), Failure> {
    let limits = Limits::named(row);
    if json {
        let limits: BTreeMap<_, _> = limits.iter().map(|it| (it.name, it.value)).collect();
        return Ok(print::line(&json!({"platform": row.platform, "limits": limits}).to_string())?);
    }
    for NamedLimit { name, value, is_set } in limits {
        let origin = if is_set { "set" } else { "default" };
        print::line(&format!("{name:<20} {value:>8}  {origin}"))?;
    }
    Ok(())
}

fn tell(args: &Args, outcome: &serde_json::Value, sentence: &str) -> Result<(), Failure> {
    match args.json {
        true => Ok(print::line(&outcome.to_string())?),
        false => Ok(print::line(sentence)?),
    }
}

/// Fails with the names of all platforms, unless this one exists.
async fn check_known(accounts: &Accounts, name: &str, is_known: bool) -> Result<(), Failure> {
    match is_known {
        true => Ok(()),
        false => Err(no_platform(accounts, name).await?),
    }
}

async fn no_platform(accounts: &Accounts, name: &str) -> Result<Failure, Failure> {
    let platforms = accounts.list_platforms().await?;
    let known: Vec<&str> = platforms.iter().map(|it| it.platform.as_str()).collect();
    let known = known.join(", ");
    Ok(Failure::Negative(format!("there is no platform {name:?}; the platforms are: {known}")))
}

/// Prints one line per platform.
async fn list(accounts: &Accounts, json: bool) -> Result<(), Failure> {
    for it in accounts.list_platforms().await? {
        let valid = it.keys.iter().filter(|(_, revoked)| revoked.is_none());
        let valid: Vec<&str> = valid.map(|(key_id, _)| key_id.as_str()).collect();
        let revoked = it.keys.len() - valid.len();
        if json {
            let line = json!({
                "platform": it.platform,
                "create_time": rfc3339(it.create_time),
                "suspend_time": it.suspend_time.map(rfc3339),
                "keys": valid,
                "revoked_keys": revoked,
            });
            print::line(&line.to_string())?;
            continue;
        }
        let state = match it.suspend_time {
            Some(since) => format!("suspended since {}", rfc3339(since)),
            None => "active".to_owned(),
        };
        print::line(&format!(
            "{}  {state}; keys: {} ({revoked} revoked)",
            it.platform,
            if valid.is_empty() { "none".to_owned() } else { valid.join(", ") },
        ))?;
    }
    Ok(())
}

fn rfc3339(time: OffsetDateTime) -> String {
    time.format(&Rfc3339).expect("times are within RFC 3339")
}

fn check(name: &str) -> Result<(), Failure> {
    check_platform_name(name).map_err(|error| Failure::Usage(error.to_string()))
}

async fn create_key(
    accounts: &Accounts,
    operator: Operator<'_>,
    name: &str,
    json: bool,
) -> Result<(), Failure> {
    let key = ApiKey::new(name)?;
    let now = accounts.database().clock().now();
    if !operator.create_platform_key(name, &key.key_id, key.hash().as_bytes(), now).await? {
        return Err(no_platform(accounts, name).await?);
    }
    if json {
        return Ok(print::line(&json!({"platform": name, "key": key.to_string()}).to_string())?);
    }
    print::line(&key.to_string())?;
    eprintln!("The key is shown only this once: the service stores just its hash.");
    Ok(())
}
