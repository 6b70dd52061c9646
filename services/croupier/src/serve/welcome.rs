//! The message for the person at the terminal when a service starts.

use std::io::IsTerminal;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::Path;

use accounts::{Accounts, SignIn};
use api::{ApiKey, Auth, SIGN_IN_LIFETIME, SignInCode};

use crate::client::{Service, local};
use crate::print::sign_in_link;

/// Warns if others can read keys, tokens and hidden cards on their way through the network.
pub fn warn_if_exposed(address: SocketAddr, has_tls: bool) {
    if !has_tls && !address.ip().is_loopback() {
        tracing::warn!(
            "SERVING WITHOUT TLS ON {address}, WHICH OTHER MACHINES CAN REACH: API keys, tokens and \
             hidden information cross the network in the clear. Use --tls-cert and --tls-key, or a \
             proxy that terminates TLS and reaches the service over a network of its own"
        );
    }
}

/// A code that signs in for the platform `local`. If none can be created, the service starts
/// without it.
pub async fn sign_in_code(accounts: &Accounts, auth: &Auth, key: &ApiKey) -> Option<SignInCode> {
    let sign_in = SignIn { platform: key.platform.clone(), key_id: key.key_id.clone() };
    let code = auth.new_sign_in_code().ok()?;
    let created = accounts.create_sign_in(code.hash().as_bytes(), &sign_in, SIGN_IN_LIFETIME).await;
    match created {
        Ok(_) => Some(code),
        Err(error) => {
            tracing::warn!(error = api::error_chain(&error), "there is no code to sign in with");
            None
        }
    }
}

/// Shows a person at the terminal what to do next. A code is shown only on a terminal: elsewhere
/// this becomes part of a log, which others may read while the code is valid.
pub fn welcome(
    address: SocketAddr,
    has_tls: bool,
    metrics: Option<SocketAddr>,
    folder: &Path,
    code: Option<SignInCode>,
) {
    let scheme = if has_tls { "https" } else { "http" };
    let service = Service {
        address: format!("{scheme}://{address}"),
        key: None,
        key_file: None,
        ca: None,
        data: folder.to_owned(),
        language: None,
    };
    let command = service.command();
    let (bold, plain) =
        if std::io::stdout().is_terminal() { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
    let play = match code {
        Some(code) => {
            let link =
                sign_in_link(&format!("{scheme}://{}", reachable(address)), &code.to_string());
            format!("Play at {bold}{link}{plain}")
        }
        None => format!("To play in a browser, open the link that this prints: {command} sign-in"),
    };
    println!(
        "{bold}Croupier is serving on {scheme}://{address}{plain}, for gRPC, gRPC-Web, Connect and REST.
The API key of the platform `{PLATFORM}` is in {}.
{play}

Try next, in another terminal:
  {command} play mountebank --bots search
  {command} play mountebank --seats 3
  {command} games
  {command} matches
  curl {scheme}://{address}/v1/games/mountebank
",
        local::key_file(folder).display(),
        PLATFORM = local::PLATFORM,
    );
    if let Some(address) = metrics {
        println!("Metrics for Prometheus are at http://{address}/metrics.\n");
    }
}

/// The address for a browser on this machine.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}
