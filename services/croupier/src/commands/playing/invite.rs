//! `croupier invite`: a link with which a guest takes a seat.

use contract::v1::{CreateInvitationRequest, RevokeInvitationsRequest};
use serde_json::{Value, json};

use crate::client::{Client, Service};
use crate::commands::arguments::check_seat;
use crate::failure::Failure;
use crate::print::{self, invitation_link, time_of};

/// Print a link with which guests see a match and take its open seats
#[derive(clap::Args)]
pub struct Args {
    /// The match: its name, its id, or the first four or more characters of a recent match's id
    #[arg(value_name = "MATCH")]
    name: String,
    /// The seat that the guest gets, counted from 0 [default: any open one]
    #[arg(long, value_name = "N")]
    seat: Option<u32>,
    /// The player who invites, who has a seat in the match
    #[arg(long, value_name = "PLAYER", default_value = "", hide_default_value = true)]
    inviter: String,
    /// The lifetime in seconds [default: the service's]
    #[arg(long, value_name = "SECONDS", default_value_t = 0, hide_default_value = true)]
    lifetime: u32,
    /// Revoke all invitations to the match instead
    #[arg(long, conflicts_with_all = ["seat", "inviter", "lifetime", "json"])]
    revoke: bool,
    /// Print the link, the invitation and when it expires as a line of JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let it = client.fetch(&client.find(&args.name).await?).await?;
    if args.revoke {
        let request = RevokeInvitationsRequest { parent: it.name.clone() };
        client.revoke_invitations(&request).await?;
        return Ok(print::line(&format!("The invitations to {} are revoked.", it.name))?);
    }
    check_seat(args.seat, it.seats.len() as u32)?;
    let lifetime = (args.lifetime > 0).then(|| contract::seconds(args.lifetime));
    let (seat, inviter) = (args.seat, args.inviter);
    let request = CreateInvitationRequest { parent: it.name, seat, inviter, lifetime };
    let answer = client.create_invitation(&request).await?;
    let link = invitation_link(&service.address, &it.game, &answer.token);
    if args.json {
        let rest: Value =
            serde_json::from_str(&contract::json_of("CreateInvitationResponse", &answer))
                .expect("it is JSON");
        let (token, expire_time) = (&rest["token"], &rest["expireTime"]);
        let line = json!({"link": link, "token": token, "expireTime": expire_time});
        return Ok(print::line(&line.to_string())?);
    }
    print::line(&link)?;
    eprintln!(
        "It is valid until {}, or until every seat is taken.",
        time_of(answer.expire_time.as_ref())
    );
    Ok(())
}
