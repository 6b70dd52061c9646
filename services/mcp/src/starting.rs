//! The tool `start`: starts a match, joins one, or lists what there is.

use contract::v1::{
    CreateMatchRequest, JoinMatchRequest, ListGamesRequest, ListOpenMatchesRequest, Match,
};
use croupier_client::Code;

use crate::arguments::{Start, game_name, match_name};
use crate::failure::Failure;
use crate::looking::{Shown, describe, running};
use crate::seen::{incomplete, see};
use crate::service::Service;
use crate::text::{ANSWER_BYTES_MAX, fit};

/// The level of the opponents unless another is asked for.
const BOT: &str = "heuristic";

pub async fn start(service: &impl Service, start: Start) -> Result<String, Failure> {
    let name = match (&start.game, &start.joined) {
        (Some(_), Some(_)) => {
            let message = "name a game to start a match, or a match to join, not both";
            return Err(Failure::new("INVALID_ARGUMENTS", message));
        }
        (Some(game), None) => create(service, game, &start).await?,
        (None, Some(joined)) => join(service, joined).await?,
        (None, None) => return list(service).await,
    };
    let seen = see(service, &name).await?;
    describe(service, &seen, &Shown::default()).await
}

/// Starts a match against bots.
async fn create(service: &impl Service, game: &str, start: &Start) -> Result<String, Failure> {
    let game = game_name(game);
    let seats = match start.seats {
        Some(seats) => seats,
        None => {
            let games = service.call(ListGamesRequest::default()).await?.games;
            games.iter().find(|it| it.name == game).map_or(2, |it| it.seats_min)
        }
    };
    let level = start.bots.as_deref().unwrap_or(BOT);
    // The service refuses a number that no game has; the list is not made longer than that.
    let others = seats.saturating_sub(1).min(64) as usize;
    let bots = [String::new()].into_iter().chain(vec![level.to_owned(); others]).collect();
    let request = CreateMatchRequest {
        game,
        seats,
        players: vec![service.player().to_owned()],
        bots,
        options: start.options.clone(),
        language: service.language().to_owned(),
        ..CreateMatchRequest::default()
    };
    let created = service.call(request).await?.r#match.ok_or_else(incomplete)?;
    Ok(created.name)
}

/// Takes an open seat. A token knows its player; with an API key it has to be named.
async fn join(service: &impl Service, name: &str) -> Result<String, Failure> {
    let name = match_name(name);
    let request = |player: &str| JoinMatchRequest {
        name: name.clone(),
        player: player.to_owned(),
        language: service.language().to_owned(),
        ..JoinMatchRequest::default()
    };
    let joined = match service.call(request("")).await {
        Err(refusal) if refusal.code() == Code::InvalidArgument => {
            service.call(request(service.player())).await
        }
        joined => joined,
    };
    joined?;
    Ok(name)
}

/// The matches that are being played, and those that can be joined.
async fn list(service: &impl Service) -> Result<String, Failure> {
    let running = running(service).await?;
    let language = service.language().to_owned();
    let request = ListOpenMatchesRequest { page_size: 20, language, ..Default::default() };
    let open = service.call(request).await?.matches;
    let mut text = "# Your matches\n".to_owned();
    push(&mut text, &running, "none is being played");
    text.push_str("\n# Open matches: `start` with the match joins it\n");
    push(&mut text, &open, "none is open");
    Ok(fit(&text, ANSWER_BYTES_MAX))
}

fn push(text: &mut String, matches: &[Match], none: &str) {
    for it in matches {
        let taken = it.seats.iter().filter(|seat| !seat.player.is_empty() || !seat.bot.is_empty());
        let (name, game, seats) = (&it.name, &it.game, it.seats.len());
        text.push_str(&format!("{name}: {game}, {} of {seats} seats taken", taken.count()));
        if !it.summary.is_empty() {
            text.push_str(&format!("; {}", it.summary.replace('\n', " ")));
        }
        text.push('\n');
    }
    if matches.is_empty() {
        text.push_str(none);
        text.push('\n');
    }
}
