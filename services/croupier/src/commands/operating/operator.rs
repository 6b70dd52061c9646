//! `croupier operator`: the keys of operators, with which they install games by calls. It works on
//! the database, as the role that owns its tables.

use api::OperatorKey;
use clap::Subcommand;
use matches::operators::{Operator, Who};
use serde_json::json;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::client::Service;
use crate::failure::Failure;
use crate::print;
use crate::process::opening::{DatabaseArgs, refuse_pending};

/// Create, list and revoke keys of operators, with which games are installed by calls
///
/// A key is for the whole installation, and for nothing but games that are modules: see
/// `croupier game add`.
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
        }
        Ok(())
    };
    let done = done.await;
    open.close().await;
    done
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
