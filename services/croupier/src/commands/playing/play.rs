//! `croupier play`: a whole match, played at random through the service and printed as it happens,
//! or by the person at the terminal against bots.

use std::io::IsTerminal;
use std::time::Duration;

use contract::v1::{
    CreateMatchRequest, Entry, LegalAction, Match, Prompt, Seat, Series, SubmitActionRequest,
};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use uuid::Uuid;

use super::act;
use crate::client::{Client, Service, viewer};
use crate::commands::arguments::{check_seat, check_seats, pair};
use crate::failure::Failure;
use crate::print::{self, Printer, Texts, ends, print_match};

/// Play a match through the service, with a random legal action for every decision, and print what
/// happens
///
/// The seats are filled with invented players. The output shows what a spectator sees; see --open
/// and --seat. If the service restarts during the match, the command waits for it, and no action is
/// played twice.
#[derive(clap::Args)]
pub struct Args {
    /// The game, such as `mountebank`
    game: String,
    /// The number of seats [default: the game's minimum]
    #[arg(long, value_name = "N")]
    seats: Option<u32>,
    /// The seed of the players' choices. The service deals from a secret seed of its own, so the
    /// same seed gives a different match each time
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// An option of the game, as NAME=VALUE; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    options: Vec<(String, String)>,
    /// The match that this one follows, by its name, its id, or the start of a recent match's id:
    /// the same players play the next match of their series
    #[arg(long, value_name = "MATCH", conflicts_with = "seats")]
    previous: Option<String>,
    /// Bots for all seats but one, by their levels such as `search,heuristic`, which repeat. On a
    /// terminal you play the first seat, or that of --seat, as with `act`; otherwise, or with
    /// --seed, the command plays it at random
    #[arg(long, value_name = "LEVELS", value_delimiter = ',', conflicts_with_all = ["previous", "open"])]
    bots: Vec<String>,
    /// Show what this seat sees, counted from 0
    #[arg(long, value_name = "N", conflicts_with = "open")]
    seat: Option<u32>,
    /// Show each action as the acting seat sees it, including the cards that it draws
    #[arg(long)]
    open: bool,
    /// Print each entry as a line of JSON, and the match at the end
    #[arg(long)]
    json: bool,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let game = client.game(&args.game).await?;
    let previous = match &args.previous {
        Some(name) => Some(client.fetch(&client.find(name).await?).await?),
        None => None,
    };
    let seats = previous.as_ref().map(|it| it.seats.len() as u32);
    let seats = seats.or(args.seats).unwrap_or(game.seats_min);
    check_seats(&game.title, game.seats_min..=game.seats_max, seats)?;
    check_seat(args.seat, seats)?;
    let is_player = |seat: u32| args.bots.is_empty() || seat == args.seat.unwrap_or(0);
    let request = CreateMatchRequest {
        game: game.name.clone(),
        seats,
        // The next match of a series has the players of the one before it.
        players: if previous.is_some() { Vec::new() } else { seated(players(seats), is_player) },
        display_names: if previous.is_some() {
            Vec::new()
        } else {
            seated(names(seats), is_player)
        },
        bots: bots(&args.bots, seats, is_player),
        previous: previous.map(|it| it.name).unwrap_or_default(),
        options: args.options.into_iter().collect(),
        request_id: Uuid::new_v4().to_string(),
        ..CreateMatchRequest::default()
    };
    let it = client.create(&request).await?;
    let texts = Texts::new(&game, &it);
    if !args.json {
        print::line(&format!(
            "{}, played by {}: {}\n",
            game.title,
            texts.players(0..seats),
            it.name
        ))?;
    }
    let at_terminal = !args.json && args.seed.is_none() && std::io::stdin().is_terminal();
    if at_terminal && !args.bots.is_empty() {
        return act::sit(client, game, it, args.seat.unwrap_or(0), service).await;
    }
    let seed = args.seed.unwrap_or_else(|| Uuid::new_v4().as_u64_pair().0);
    let mut play = Play {
        client,
        name: it.name,
        viewer: if args.open { None } else { Some(viewer(args.seat)) },
        printer: Printer { json: args.json },
        choices: ChaCha8Rng::seed_from_u64(seed),
        bots: it.seats.iter().filter(|it| !it.bot.is_empty()).map(|it| it.seat).collect(),
        position: 0,
        prompts: Vec::new(),
        over: false,
    };
    play.catch_up(it.position).await?;
    while !play.over {
        play.act().await?;
    }
    let it = play.client.fetch(&play.name).await?;
    if !args.json
        && let Some(series) = &it.series
    {
        print_series(&it, series)?;
    }
    if args.json { Ok(print_match(&it)?) } else { print_next_steps(&service.command(), &it.name) }
}

/// How long the command waits for bots before it reads their actions.
const BOT_WAIT: Duration = Duration::from_millis(50);

/// The values for the selected seats; empty for the others.
fn seated(all: Vec<String>, is_for: impl Fn(u32) -> bool) -> Vec<String> {
    let of_seat = |(seat, it)| if is_for(seat) { it } else { String::new() };
    (0..).zip(all).map(of_seat).collect()
}

/// The levels in turn for every seat without a player; empty if there are no levels.
fn bots(levels: &[String], seats: u32, is_player: impl Fn(u32) -> bool) -> Vec<String> {
    let levels_are_given = !levels.is_empty();
    let mut levels = levels.iter().cycle().cloned();
    let of_seat =
        |seat| if is_player(seat) { String::new() } else { levels.next().unwrap_or_default() };
    if levels_are_given { (0..seats).map(of_seat).collect() } else { Vec::new() }
}

/// Invented names of players.
fn names(seats: u32) -> Vec<String> {
    let names =
        ["Ada", "Bruno", "Cleo", "Dario", "Elif", "Farid", "Greta", "Hugo"].map(str::to_owned);
    let more = (names.len() as u32..).map(|seat| format!("Player {seat}"));
    names.into_iter().chain(more).take(seats as usize).collect()
}

fn players(seats: u32) -> Vec<String> {
    names(seats).into_iter().map(|name| name.to_lowercase().replace(' ', "-")).collect()
}

fn print_next_steps(command: &str, name: &str) -> Result<(), Failure> {
    Ok(print::line(&format!(
        "\nThe match is recorded as {name}. To see it again:\n\
         \n  {command} entries {name}\
         \n  {command} view {name} --house\
         \n  {command} export {name}"
    ))?)
}

/// The standing of the series, such as `Match 2 of a best of 3: ada 1, bruno 0`.
fn print_series(it: &Match, series: &Series) -> Result<(), Failure> {
    let name =
        |seat: &Seat| if seat.bot.is_empty() { &seat.player } else { &seat.display_name }.clone();
    let player = |seat: usize| it.seats.get(seat).map(name).unwrap_or_default();
    let wins = series.wins.iter().enumerate();
    let wins: Vec<String> = wins.map(|(seat, wins)| format!("{} {wins}", player(seat))).collect();
    let of = series.best_of.map(|it| format!(" of a best of {it}")).unwrap_or_default();
    print::line(&format!("\nMatch {}{of}: {}", series.number, wins.join(", ")))?;
    if let Some(winner) = series.winner {
        print::line(&format!("{} wins the series", player(winner as usize)))?;
    }
    Ok(())
}

/// A match whose seats are all played by this command.
struct Play {
    client: Client,
    name: String,
    /// The viewer; `None` to show each entry as the acting seat sees it.
    viewer: Option<String>,
    printer: Printer,
    choices: ChaCha8Rng,
    /// The seats that the service plays.
    bots: Vec<u32>,
    /// The last printed position.
    position: i32,
    /// The prompts at that position.
    prompts: Vec<Prompt>,
    over: bool,
}

impl Play {
    /// Submits one action for a seat that may decide something, and prints its entry.
    ///
    /// Chooses a kind first. Otherwise the kind with the most actions would crowd out the others.
    async fn act(&mut self) -> Result<(), Failure> {
        if self.waits_for_bots() {
            tokio::time::sleep(BOT_WAIT).await;
            let position = self.client.fetch(&self.name).await?.position;
            return self.catch_up(position).await;
        }
        for seat in self.candidates() {
            let mut legal = self.client.legal(&self.name, seat, None).await?;
            let nth = self.pick(legal.kinds.len()).unwrap_or_default();
            let Some(kind) = legal.kinds.get(nth).cloned() else { continue };
            if !kind.complete {
                legal = self.client.legal(&self.name, seat, Some(&kind.verb)).await?;
            }
            if legal.position > self.position {
                return self.catch_up(legal.position).await;
            }
            if let Some(action) = self.choose(legal.actions, &kind.verb) {
                return self.submit(seat, action).await;
            }
        }
        Err(Failure::Negative(format!("{} is not over, but no seat can act", self.name)))
    }

    /// Whether only bots must decide now.
    fn waits_for_bots(&self) -> bool {
        let of_bot = |prompt: &&Prompt| self.bots.contains(&prompt.seat);
        let mut must = self.live().filter(|prompt| !prompt.optional);
        !self.bots.is_empty() && must.all(|prompt| of_bot(&prompt))
    }

    /// The prompts that can be answered now.
    fn live(&self) -> impl Iterator<Item = &Prompt> {
        let top = self.prompts.iter().map(|prompt| prompt.layer).max().unwrap_or_default();
        self.prompts.iter().filter(move |prompt| prompt.layer == top)
    }

    /// The seats that may decide now, in the order to try them. Mostly those that must decide are
    /// first, so that the match advances.
    fn candidates(&mut self) -> Vec<u32> {
        let own = |prompt: &&Prompt| !self.bots.contains(&prompt.seat);
        let mut live: Vec<_> = self.live().filter(own).cloned().collect();
        let musts_first = self.pick(4) != Some(0);
        let first = self.pick(live.len()).unwrap_or_default();
        live.rotate_left(first);
        live.sort_by_key(|prompt| prompt.optional == musts_first);
        live.iter().map(|prompt| prompt.seat).collect()
    }

    /// Chooses an action of a kind.
    fn choose(&mut self, mut legal: Vec<LegalAction>, verb: &str) -> Option<LegalAction> {
        legal.retain(|it| it.verb == verb);
        let at = self.pick(legal.len())?;
        Some(legal.swap_remove(at))
    }

    /// A random number below `limit`; `None` if `limit` is 0.
    fn pick(&mut self, limit: usize) -> Option<usize> {
        (self.choices.next_u32() as usize).checked_rem(limit)
    }

    async fn submit(&mut self, seat: u32, chosen: LegalAction) -> Result<(), Failure> {
        let request = SubmitActionRequest {
            name: self.name.clone(),
            action: chosen.action,
            seat: Some(seat),
            expected_position: Some(self.position),
            expected_prompt: None,
            request_id: Uuid::new_v4().to_string(),
            ..SubmitActionRequest::default()
        };
        match self.client.submit(&request).await {
            Ok(entry) if self.viewer.is_none() && entry.position == self.position + 1 => {
                self.show(&entry)
            }
            Ok(entry) => self.catch_up(entry.position).await,
            // Another client acted in the meantime, so the choice must be made again.
            Err(error) if error.is("POSITION_MOVED") => self.catch_up(self.position + 1).await,
            Err(error) => Err(error.into()),
        }
    }

    /// Prints every entry up to a position.
    async fn catch_up(&mut self, position: i32) -> Result<(), Failure> {
        while self.position < position {
            let next = self.position + 1;
            let viewer = self.viewer.clone().unwrap_or_else(|| viewer(None));
            let mut entry = self.client.entry(&self.name, next, &viewer).await?;
            if let (None, Some(seat)) = (&self.viewer, entry.seat) {
                entry =
                    self.client.entry(&self.name, next, &crate::client::viewer(Some(seat))).await?;
            }
            self.show(&entry)?;
        }
        Ok(())
    }

    fn show(&mut self, entry: &Entry) -> Result<(), Failure> {
        self.printer.print(entry)?;
        self.position = entry.position;
        self.prompts.clone_from(&entry.prompts);
        self.over = ends(entry);
        Ok(())
    }
}
