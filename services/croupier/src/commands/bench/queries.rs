//! `croupier bench queries`: how long answers take.

use std::time::Instant;

use api::v1::{
    GetPlayerRequest, ListMatchesRequest, ListStandingsRequest, MatchState, SearchEntriesRequest,
};
use serde_json::{Map, Value, json};

use crate::client::{Client, Failure, Service};
use crate::commands::game_name;
use crate::print;

/// Ask across matches, one question after the other, for players who are there; `croupier load`
/// makes some
#[derive(clap::Args)]
pub struct Args {
    /// How often each question is asked
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    samples: u64,
    /// The game whose players are asked about
    #[arg(long, default_value = "mountebank")]
    game: String,
}

/// Asked first and not counted: connections and plans are made.
const WARM_UP: u64 = 20;

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let bench = Bench { players: players(&client, &args.game).await?, client, args };
    let outcome = bench.run().await?;
    Ok(print::line(&Value::Object(outcome).to_string())?)
}

async fn players(client: &Client, game: &str) -> Result<Vec<String>, Failure> {
    let request = ListStandingsRequest {
        parent: game_name(game),
        page_size: 1000,
        ..ListStandingsRequest::default()
    };
    let standings = client.standings_page(&request).await?.standings;
    if standings.is_empty() {
        return Err(Failure::Missing(
            "nobody has played yet: `croupier load` makes matches".into(),
        ));
    }
    Ok(standings
        .into_iter()
        .map(|it| it.player.trim_start_matches("players/").to_owned())
        .collect())
}

struct Bench {
    client: Client,
    args: Args,
    players: Vec<String>,
}

impl Bench {
    async fn run(&self) -> Result<Map<String, Value>, Failure> {
        let mut outcome = Map::new();
        let all = ListMatchesRequest::default;
        let by_player = |player: String| ListMatchesRequest { player, ..all() };
        let won = |winner: String| ListMatchesRequest {
            winner,
            state: MatchState::Ended.into(),
            game: game_name(&self.args.game),
            ..all()
        };
        let lists: [(&str, &dyn Fn(String) -> ListMatchesRequest); 3] = [
            ("list_matches_by_player", &by_player),
            ("list_matches_by_winner_state_and_game", &won),
            ("list_matches", &|_| all()),
        ];
        for (name, request) in lists {
            let ask = async |player: &String| {
                self.client.matches_page(&request(player.clone())).await.map(drop)
            };
            outcome.insert(name.to_owned(), self.measure(ask).await?);
        }
        let page = async |player: &String| {
            let name = api::player_name(player);
            self.client
                .player(&GetPlayerRequest { name, consistency_token: String::new() })
                .await
                .map(drop)
        };
        outcome.insert("get_player".to_owned(), self.measure(page).await?);
        let standings = async |_: &String| {
            let parent = game_name(&self.args.game);
            let request = ListStandingsRequest { parent, ..ListStandingsRequest::default() };
            self.client.standings_page(&request).await.map(drop)
        };
        outcome.insert("list_standings".to_owned(), self.measure(standings).await?);
        let search = async |player: &String| {
            let (parent, player) = (game_name(&self.args.game), player.clone());
            let request =
                SearchEntriesRequest { parent, player, page_size: 10, ..Default::default() };
            self.client.search(&request).await.map(drop)
        };
        outcome.insert("search_entries_by_player".to_owned(), self.measure(search).await?);
        Ok(outcome)
    }

    /// Asks about one player after the other.
    async fn measure(
        &self,
        ask: impl AsyncFn(&String) -> Result<(), Failure>,
    ) -> Result<Value, Failure> {
        let mut took_ms = Vec::new();
        let players = self.players.iter().cycle().zip(0..WARM_UP + self.args.samples);
        for (player, nth) in players {
            let began = Instant::now();
            ask(player).await?;
            if nth >= WARM_UP {
                took_ms.push(began.elapsed().as_secs_f64() * 1e3);
            }
        }
        took_ms.sort_by(f64::total_cmp);
        let at = |share: f64| took_ms[((took_ms.len() - 1) as f64 * share) as usize];
        let round = |ms: f64| (ms * 1e3).round() / 1e3;
        Ok(json!({
            "samples": self.args.samples,
            "p50_ms": round(at(0.5)),
            "p99_ms": round(at(0.99)),
            "max_ms": round(at(1.0)),
        }))
    }
}
