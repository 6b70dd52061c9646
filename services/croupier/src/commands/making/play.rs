//! `croupier game play`: a match of a module in this process, against bots.

use bots::{Iterations, Level};
use games::{Game, Refused};
use modules::Module;
use narration::{Language, Narrator};
use table::{ChaCha, Entry, MatchChance, Observation, Seat, Small, Table, Viewer, invariants::key};

use super::module_file::ModuleFile;
use crate::client::Service;
use crate::commands::arguments::{check_seat, check_seats, pair};
use crate::commands::playing::ask::{Answer, Person};
use crate::failure::Failure;
use crate::print;

/// Play a module's game at this terminal, without a service: you have one seat, and bots have the
/// others
///
/// Without a terminal each line of the input is a choice, as for `croupier act`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    file: ModuleFile,
    /// The number of seats [default: the game's minimum]
    #[arg(long, value_name = "N")]
    seats: Option<u8>,
    /// Your seat, counted from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    seat: u32,
    /// The level of the bots, one of those that the module names
    #[arg(long, value_name = "LEVEL", default_value = "random")]
    bots: String,
    /// How many iterations a bot may search for a decision
    #[arg(long, value_name = "N", default_value_t = 300)]
    iterations: u32,
    /// An option of the game; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    options: Vec<(String, String)>,
    /// The seed of the match [default: random]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

/// A stream of chance that no match reaches, for the bots.
const BOTS: u64 = u64::MAX;

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    // Texts need it as long as the program runs.
    let game: &'static Module = Box::leak(Box::new(args.file.load()?));
    let (min, max) = game.seats().into_inner();
    let seats = args.seats.unwrap_or(min);
    check_seats(game.name(), min.into()..=max.into(), seats.into())?;
    check_seat(Some(args.seat), seats.into())?;
    let seat = Seat::nth(args.seat as usize).expect("it was checked");
    let options = game.check_options(&args.options.into_iter().collect(), seats);
    let options = options.map_err(|bad| Failure::Usage(bad.to_string()))?;
    let level = bots::find(game, &args.bots).ok_or_else(|| {
        let levels = bots::names(game);
        Failure::Usage(format!("there is no level `{}`; the levels are: {levels}", args.bots))
    })?;
    let seed = match args.seed {
        Some(seed) => seed,
        None => getrandom::u64()?,
    };
    let language = Language::accepted(&service.language());
    let names = vec![None; seats.into()];
    let chance = MatchChance::new(&[0; 16], &key(seed), &[]);
    let opened = game.open(seats, &options, &[], &mut chance.after(0)).map_err(failed)?;
    print::line(&format!("Seed {seed}."))?;
    let mut play = Play {
        narrator: Narrator::new(game, language, &names, Some(seat)),
        person: Person::at_terminal(true),
        level,
        iterations: args.iterations,
        chance_of_bots: ChaCha::of(key(seed), BOTS),
        known: Observation::each(game.layout(), seats),
        table: opened.0,
        game,
        seat,
        chance,
    };
    play.tell(&opened.1)?;
    play.until_over().await
}

/// A match in which the person has one seat.
struct Play {
    game: &'static Module,
    narrator: Narrator,
    person: Person,
    seat: Seat,
    chance: MatchChance,
    level: Level,
    iterations: u32,
    chance_of_bots: ChaCha,
    /// By seat: what it was told.
    known: Vec<Observation>,
    table: Table,
}

impl Play {
    async fn until_over(&mut self) -> Result<(), Failure> {
        while !self.table.ended() {
            let prompts = self.table.live().map(|it| (it.seat, it.must));
            let asked: Vec<(Seat, bool)> = prompts.collect();
            let is_asked = asked.iter().any(|it| it.0 == self.seat);
            let others = asked.iter().find(|it| it.1 && it.0 != self.seat);
            if is_asked && self.choose(others.is_some()).await? {
                continue;
            }
            match others {
                Some(&(other, _)) => self.let_the_bot_act(other)?,
                None if is_asked => return Ok(()),
                None => return Err(Failure::Negative("the match waits for nobody".to_owned())),
            }
        }
        print::line("")?;
        Ok(print::line(&self.narrator.table(&self.table.seen_by(Viewer::Seat(self.seat))))?)
    }

    /// Lets the person act. Returns false if the person waits, or leaves the match.
    async fn choose(&mut self, may_wait: bool) -> Result<bool, Failure> {
        let seen = self.table.seen_by(Viewer::Seat(self.seat));
        let legal = self.game.legal(&seen, self.seat).map_err(failed)?;
        let labels = self.narrator.labels(&seen, &legal);
        let mut items: Vec<String> = labels.into_iter().map(|it| it.long).collect();
        if may_wait {
            items.push("Wait".to_owned());
        }
        print::line(&format!("\n{}\n", self.narrator.table(&seen)))?;
        let prompt = self.table.prompt(self.seat).map(|it| self.narrator.prompt(it));
        match self.person.choose(&prompt.unwrap_or_default(), items, "").await? {
            Answer::Number(nth) if nth < legal.len() => {
                self.act(self.seat, &legal[nth].action)?;
                Ok(true)
            }
            Answer::Number(_) => Ok(false),
            Answer::Text(_) | Answer::Back => {
                print::line("   !  choose an item of the list")?;
                Ok(true)
            }
            Answer::End | Answer::Interrupted => Err(Failure::Interrupted),
        }
    }

    /// Lets a bot act, or the house if it does not.
    fn let_the_bot_act(&mut self, seat: Seat) -> Result<(), Failure> {
        let (game, known) = (self.game, &self.known[seat.index()]);
        let (budget, chance) = (&mut Iterations(self.iterations), &mut self.chance_of_bots);
        let chosen = self.level.choose(game, known, budget, chance).map_err(failed)?;
        let action = match chosen {
            Some(action) => Some(action),
            None => game.answer_for_house(known.table(), seat, chance).map_err(failed)?,
        };
        let cannot = || Failure::Negative(format!("seat {seat} must act, and cannot"));
        self.act(seat, &action.ok_or_else(cannot)?)
    }

    fn act(&mut self, seat: Seat, action: &[u8]) -> Result<(), Failure> {
        let mut chance = self.chance.after(self.table.choices().into());
        let played = self.game.play(&self.table, seat, action, &mut chance);
        let (table, entry) = played.map_err(failed)?;
        self.table = table;
        self.tell(&entry)
    }

    fn tell(&mut self, entry: &Entry) -> Result<(), Failure> {
        self.known.iter_mut().for_each(|it| it.hear(entry));
        let seen = entry.seen_by(Viewer::Seat(self.seat), self.table.layout());
        Ok(print::line(&print::wrap("", &self.narrator.entry(&seen)))?)
    }
}

fn failed(refused: Refused) -> Failure {
    Failure::Negative(refused.to_string())
}
