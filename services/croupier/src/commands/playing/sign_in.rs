//! `croupier sign-in`: a link that opens the service's pages.

use serde_json::{Value, json};

use crate::client::{Client, Service};
use crate::failure::Failure;
use crate::print::{self, sign_in_link, time_of};

/// Print a one-time link that signs in to the service's pages with the rights of the API key
#[derive(clap::Args)]
pub struct Args {
    /// Print the link, its code and when it expires as a line of JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let answer = Client::connect(service).await?.create_sign_in().await?;
    let link = sign_in_link(&service.address, &answer.code);
    if args.json {
        let rest: Value = serde_json::from_str(&contract::json_of("CreateSignInResponse", &answer))
            .expect("it is JSON");
        let (code, expire_time) = (&rest["code"], &rest["expireTime"]);
        let line = json!({"link": link, "code": code, "expireTime": expire_time});
        return Ok(print::line(&line.to_string())?);
    }
    print::line(&link)?;
    eprintln!(
        "It works once, until {}. Whoever opens it may do what the platform's API key may.",
        time_of(answer.expire_time.as_ref())
    );
    Ok(())
}
