//! `croupier operator`: the keys of operators, with which they install games by calls, and the log
//! of what operators and platforms did. It works on the database, as the role that owns its tables.

use std::collections::BTreeMap;

use accounts::{Accounts, ActFilter, ChainFault, CheckedActs};
use api::OperatorKey;
use clap::Subcommand;
use matches::operators::{ActTold, Operator, Who};
use positions::Digest;
use serde_json::json;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::client::Service;
use crate::failure::Failure;
use crate::print;
use crate::process::opening::{DatabaseArgs, refuse_pending};

/// Create, list and revoke keys of operators, and show what operators and platforms did
///
/// A key is for the whole installation: it installs games that are modules, as `croupier game add`
/// does, and reads what is done to all platforms.
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
    /// Create a key and print it
    Key,
    /// List the ids of the keys
    List,
    /// Revoke a key, named by the part before the secret
    Revoke { key_id: String },
    /// List what operators and platforms did, newest first, and how it ended
    Acts {
        /// Acts on this platform
        #[arg(long)]
        platform: Option<String>,
        /// Acts of this kind, such as suspend_platform
        #[arg(long)]
        kind: Option<String>,
        /// The maximum number of acts
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100_000))]
        limit: u32,
    },
    /// Check that no row of the log of acts was changed, removed or added later
    CheckActs {
        /// The digest of a row, from an earlier check or the log of a process, that must still be
        /// there. Rows that are removed from the end are noticed only by this
        #[arg(long = "digest", value_name = "HEX", value_parser = digest)]
        digests: Vec<Digest>,
    },
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let open = args.database.open_as_it_is(&service.data).await?;
    let done = async {
        let database = open.installation.database();
        refuse_pending(database).await?;
        let operator = Operator::new(database, Who::CommandLine);
        let now = database.clock().now();
        match &args.operation {
            Operation::Key => {
                let key = OperatorKey::new()?;
                operator.create_operator_key(&key.key_id, &key.proof_hash(), now).await?;
                let outcome = json!({"key_id": key.key_id, "key": key.to_string()});
                tell(&args, &outcome, &key.to_string())?;
                eprintln!("The key is shown only this once: the service stores just a hash.");
            }
            Operation::List => {
                for it in open.installation.accounts.operator_keys().await? {
                    let (created, revoked) = (rfc3339(it.create_time), it.revoke_time.map(rfc3339));
                    let outcome = json!({
                        "key_id": it.key_id,
                        "create_time": created,
                        "revoke_time": revoked,
                    });
                    let state = revoked.map_or("active".to_owned(), |it| format!("revoked {it}"));
                    tell(&args, &outcome, &format!("{}  created {created}  {state}", it.key_id))?;
                }
            }
            Operation::Revoke { key_id } => {
                if !operator.revoke_operator_key(key_id, now).await? {
                    let said = format!("no key {key_id:?} of an operator is accepted");
                    return Err(Failure::Negative(said));
                }
                tell(&args, &json!({"revoked": key_id}), "The key is refused from now on.")?;
            }
            Operation::Acts { platform, kind, limit } => {
                let filter = ActFilter { platform: platform.as_deref(), kind: kind.as_deref() };
                list_acts(&args, &open.installation.accounts, filter, (*limit).into()).await?;
            }
            Operation::CheckActs { digests } => {
                check_acts(&args, &open.installation.accounts, digests).await?;
            }
        }
        Ok(())
    };
    // The futures of a command are large.
    let done = Box::pin(done).await;
    open.close().await;
    done
}

async fn list_acts(
    args: &Args,
    accounts: &Accounts,
    filter: ActFilter<'_>,
    limit: i64,
) -> Result<(), Failure> {
    for row in accounts.list_acts(filter, None, limit).await? {
        let it = ActTold::of(&row);
        let (actor, outcome) = (it.actor.name(), it.outcome.name());
        let details: BTreeMap<_, _> = it.details.into_iter().collect();
        let told = json!({
            "act": row.act_id.to_string(),
            "create_time": rfc3339(row.create_time),
            "kind": row.kind,
            "actor": actor,
            "actor_id": it.actor_id,
            "platform": row.platform,
            "details": details,
            "outcome": outcome,
            "reason": it.reason,
            "end_time": row.end_time.map(rfc3339),
            "digest": row.digest.to_string(),
        });
        let objects = row.platform.iter().cloned();
        let objects = objects.chain(details.iter().map(|(name, value)| format!("{name}={value}")));
        let objects: Vec<_> = objects.collect();
        let why = it.reason.map(|it| format!(" ({it})")).unwrap_or_default();
        let by = it.actor_id.map(|it| format!(" {it}")).unwrap_or_default();
        let actor = actor.replace('_', " ");
        let (time, kind, objects) = (rfc3339(row.create_time), row.kind, objects.join(" "));
        tell(
            args,
            &told,
            &format!("{time}  {kind:<20} {outcome}{why}  by {actor}{by}  {objects}"),
        )?;
    }
    Ok(())
}

async fn check_acts(args: &Args, accounts: &Accounts, digests: &[Digest]) -> Result<(), Failure> {
    let CheckedActs { rows, heads, broken } = accounts.check_acts().await?;
    let mut wrong: Vec<String> = broken
        .iter()
        .map(|it| {
            let fault = match it.fault {
                ChainFault::Missing => "is missing",
                ChainFault::Altered => "is not the one that was written",
                ChainFault::NeverBegun => "tells how an act ended that has no row",
            };
            format!("row {} of bucket {} {fault}", it.number, i16::from(it.bucket))
        })
        .collect();
    for it in digests {
        if !accounts.has_act(*it).await? {
            wrong.push(format!("no row has the digest {it}"));
        }
    }
    let heads: Vec<_> = heads
        .iter()
        .map(|it| {
            let (bucket, digest) = (i16::from(it.bucket), it.digest.to_string());
            json!({"bucket": bucket, "number": it.number, "digest": digest})
        })
        .collect();
    let told = json!({"rows": rows, "heads": heads, "wrong": wrong});
    match wrong.is_empty() {
        true => tell(args, &told, &format!("{rows} rows, each as it was written"))?,
        false => {
            if args.json {
                print::line(&told.to_string())?;
            }
            return Err(Failure::Negative(format!(
                "the log of acts was altered: {}",
                wrong.join("; ")
            )));
        }
    }
    Ok(())
}

fn digest(text: &str) -> Result<Digest, String> {
    let bytes = hex::decode(text).map_err(|error| error.to_string())?;
    Digest::try_from(&*bytes).map_err(|error| error.to_string())
}

fn tell(args: &Args, outcome: &serde_json::Value, sentence: &str) -> Result<(), Failure> {
    match args.json {
        true => Ok(print::line(&outcome.to_string())?),
        false => Ok(print::line(sentence)?),
    }
}

fn rfc3339(time: OffsetDateTime) -> String {
    time.format(&Rfc3339).expect("times are within RFC 3339")
}
