//! The protocol over standard input and output, for one agent.

use croupier_client::Croupier;
use rmcp::ServiceExt;
use rmcp::transport::stdio;

use crate::server::Server;
use crate::service::Remote;

/// Why an agent is no longer served.
pub type StdioError = Box<dyn std::error::Error + Send + Sync>;

/// Serves an agent until it closes standard input. `player` is played as where the credentials do
/// not say it; `language` is that of texts.
pub async fn serve_stdio(
    croupier: Croupier,
    player: &str,
    language: &str,
) -> Result<(), StdioError> {
    let (player, language) = (player.to_owned(), language.to_owned());
    let server = Server(Remote { croupier, player, language });
    server.serve(stdio()).await?.waiting().await?;
    Ok(())
}
