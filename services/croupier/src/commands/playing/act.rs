//! `croupier act`: play for a seat.
//!
//! The parts: `menu` offers actions, and `form` fills in an action that cannot be listed.

mod form;
mod menu;

use contract::Action;
use contract::v1::{
    Entry, Game, GetViewRequest, ListLegalActionsResponse, Match, MatchState, Prompt,
    ResignMatchRequest, SubmitActionRequest, Table, WatchEntriesRequest,
};
use menu::Item;
use uuid::Uuid;

use crate::client::{Client, Following, Service, actions};
use crate::commands::arguments::check_seat;
use crate::commands::playing::ask::{Answer, Person};
use crate::failure::Failure;
use crate::print::{self, Printer, Texts, ends, is_open};

/// Play for a seat: see what happened, choose among the legal actions, and wait for the others
///
/// On a terminal, choose with the arrow keys, by number, or by typing a part of the text. Otherwise
/// each line of the input is a choice: a number of the list, an action as JSON, `say TEXT`, `stand
/// DECISION`, `unstand DECISION`, `resign` or `quit`; at the end of the input, the command exits as
/// soon as the seat is asked again. If the service restarts, the command waits for it, and no
/// action is played twice.
#[derive(clap::Args)]
pub struct Args {
    /// The match: its name, its id, or the first four or more characters of a recent match's id
    #[arg(value_name = "MATCH")]
    name: String,
    /// The seat, counted from 0; not needed with a token of a seat
    #[arg(long, value_name = "N")]
    seat: Option<u32>,
    /// Submit this action without prompting, such as `{"take": {"card": "ace-of-suns"}}`
    #[arg(long, value_name = "JSON")]
    action: Option<String>,
    /// Print a line of JSON without prompting: the entry of --action, or without it the legal
    /// actions
    #[arg(long)]
    json: bool,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let it = client.fetch(&client.find(&args.name).await?).await?;
    check_seat(args.seat, it.seats.len() as u32)?;
    let game = client.game_of(&it).await?;
    let person = Person::at_terminal(args.action.is_none() && !args.json);
    let seat = match args.seat {
        Some(seat) => seat,
        None => own_seat(&client, &Texts::new(&game, &it), &it).await?,
    };
    let has_bot = it.seats.get(seat as usize).is_some_and(|it| !it.bot.is_empty());
    let mut play = Play::new(client, game, it, seat, person);
    if let Some(text) = &args.action {
        return play.submit_once(text, args.json).await;
    }
    if args.json {
        let legal = play.client.choices(&play.it.name, seat).await?;
        return Ok(print::json("ListLegalActionsResponse", &legal)?);
    }
    // Nobody would ever be asked.
    if has_bot {
        return Err(Failure::Negative(format!("a bot has seat {seat}, and nobody acts for it")));
    }
    play.until_over(service).await
}

/// Lets the person at the terminal play a seat of a match.
pub async fn sit(
    client: Client,
    game: Game,
    it: Match,
    seat: u32,
    service: &Service,
) -> Result<(), Failure> {
    Play::new(client, game, it, seat, Person::at_terminal(true)).until_over(service).await
}

fn interrupted(back: &str) -> Result<(), Failure> {
    eprintln!("\nThe match goes on. To come back: {back}");
    Err(Failure::Interrupted)
}

/// The seat of the credentials, if they are a token of one.
async fn own_seat(client: &Client, texts: &Texts, it: &Match) -> Result<u32, Failure> {
    let request = GetViewRequest { name: it.name.clone(), ..GetViewRequest::default() };
    let table = match client.view(&request).await {
        Ok(view) => view.table.unwrap_or_default(),
        Err(error) if error.is("MATCH_NOT_STARTED") => Default::default(),
        Err(error) => return Err(error.into()),
    };
    let own = table.viewer.strip_prefix("seats/").and_then(|seat| seat.parse().ok());
    own.ok_or_else(|| {
        let seats = it.seats.iter().map(|it| format!("{} {}", it.seat, texts.player(it.seat)));
        let seats = seats.collect::<Vec<_>>().join(", ");
        Failure::Usage(format!("name a seat with --seat: {seats}"))
    })
}

/// How playing stops.
enum Outcome {
    Over,
    Left,
    Interrupted,
}

/// A seat of a match, played by a person.
struct Play {
    client: Client,
    game: Game,
    it: Match,
    seat: u32,
    viewer: String,
    texts: Texts,
    person: Person,
    /// Opened after the first position that is printed.
    stream: Option<Following<WatchEntriesRequest>>,
    /// The last printed position.
    position: i32,
    /// The prompts at that position.
    prompts: Vec<Prompt>,
    /// The position of the last drawn table.
    drawn: i32,
    /// The position at which the person chose to wait.
    patient_at: Option<i32>,
    over: bool,
}

impl Play {
    /// Plays until the match has ended or the person leaves it.
    async fn until_over(&mut self, service: &Service) -> Result<(), Failure> {
        let back = format!("{} act {} --seat {}", service.command(), self.it.name, self.seat);
        tokio::select! {
            outcome = self.play() => match outcome? {
                Outcome::Over => Ok(()),
                Outcome::Left => {
                    Ok(print::line(&format!("\nThe match goes on. To come back: {back}"))?)
                }
                Outcome::Interrupted => interrupted(&back),
            },
            _ = tokio::signal::ctrl_c() => interrupted(&back),
        }
    }
}

/// Entries before the latest that are read to find the seat's last action.
const STORY_MAX: i32 = 200;

impl Play {
    fn new(client: Client, game: Game, it: Match, seat: u32, person: Person) -> Play {
        let texts = Texts::new(&game, &it);
        Play {
            client,
            game,
            it,
            seat,
            viewer: crate::client::viewer(Some(seat)),
            texts,
            person,
            stream: None,
            position: 0,
            prompts: Vec::new(),
            drawn: 0,
            patient_at: None,
            over: false,
        }
    }

    async fn submit_once(&mut self, text: &str, json: bool) -> Result<(), Failure> {
        let action = actions::of_json(&self.game.name, text)?;
        let request = self.request(action, None);
        let entry = self.client.submit(&request).await?;
        Ok(Printer { json }.print(&entry)?)
    }

    async fn play(&mut self) -> Result<Outcome, Failure> {
        self.begin().await?;
        loop {
            if self.over {
                self.tell_end().await?;
                return Ok(Outcome::Over);
            }
            let prompt = self.prompt().filter(|_| self.patient_at != Some(self.position));
            let Some(prompt) = prompt else {
                match self.wait().await? {
                    Some(outcome) => return Ok(outcome),
                    None => continue,
                }
            };
            let legal = self.client.choices(&self.it.name, self.seat).await?;
            if legal.position > self.position {
                self.follow_to(legal.position).await?;
                continue;
            }
            self.draw_table().await?;
            if let Some(outcome) = self.decide(&prompt, legal).await? {
                return Ok(outcome);
            }
        }
    }

    /// Prints what has happened since the seat last acted.
    async fn begin(&mut self) -> Result<(), Failure> {
        let you = self.texts.player(self.seat);
        print::line(&format!("{}, {}. You are {you}.", self.game.title, self.it.name))?;
        if self.it.state() == MatchState::Open {
            let open = self.it.seats.iter().filter(|seat| is_open(seat)).count();
            print::line(&format!("The match starts once {open} more have joined."))?;
            return self.start().await;
        }
        let latest = self.it.position;
        let mut entries = Vec::new();
        let mut read = (latest - STORY_MAX).max(0);
        while read < latest {
            let more = self.next(read).await?;
            read = more.last().map_or(latest, |last| last.position);
            entries.extend(more);
        }
        let own = entries.iter().rposition(|entry| entry.seat == Some(self.seat));
        let (_, new) = entries.split_at(own.map_or(0, |own| own + 1));
        match own {
            Some(_) if !new.is_empty() => print::line("\nSince your last action:\n")?,
            _ => print::line("")?,
        }
        new.iter().try_for_each(|entry| self.tell(entry))?;
        if let Some(last) = entries.last() {
            self.note(last);
        }
        Ok(())
    }

    /// Waits for the deal of a match with open seats, and reads its players.
    async fn start(&mut self) -> Result<(), Failure> {
        let entries = self.next(0).await?;
        self.it = self.client.fetch(&self.it.name).await?;
        self.texts = Texts::new(&self.game, &self.it);
        print::line("")?;
        entries.iter().try_for_each(|entry| self.tell(entry))
    }

    fn note(&mut self, entry: &Entry) {
        self.position = entry.position;
        self.prompts.clone_from(&entry.prompts);
        self.over |= ends(entry);
    }

    fn tell(&mut self, entry: &Entry) -> Result<(), Failure> {
        Printer { json: false }.print(entry)?;
        self.note(entry);
        Ok(())
    }

    /// The seat's prompt that can be answered now.
    fn prompt(&self) -> Option<Prompt> {
        let top = self.prompts.iter().map(|prompt| prompt.layer).max()?;
        let own = |it: &&Prompt| it.layer == top && it.seat == self.seat;
        self.prompts.iter().find(own).cloned()
    }

    /// The next entries after a position. The stream has some as long as the match is not over.
    async fn next(&mut self, after: i32) -> Result<Vec<Entry>, Failure> {
        let (client, it, viewer, mut after) = (&self.client, &self.it, &self.viewer, after);
        let stream = self.stream.get_or_insert_with(|| client.watch(&it.name, after, viewer));
        while let Some(mut message) = stream.next().await? {
            if message.went_back.is_some() {
                print::went_back(message.position);
                after = message.position;
            }
            message.entries.retain(|entry| entry.position > after);
            if !message.entries.is_empty() {
                return Ok(message.entries);
            }
        }
        Err(crate::client::Error::Empty.into())
    }

    /// Prints what happens up to a position.
    async fn follow_to(&mut self, position: i32) -> Result<(), Failure> {
        while self.position < position && !self.over {
            let entries = self.next(self.position).await?;
            entries.iter().try_for_each(|entry| self.tell(entry))?;
        }
        Ok(())
    }

    async fn table(&self) -> Result<Table, Failure> {
        let request = GetViewRequest {
            name: self.it.name.clone(),
            viewer: self.viewer.clone(),
            position: Some(self.position),
            ..GetViewRequest::default()
        };
        Ok(self.client.view(&request).await?.table.unwrap_or_default())
    }

    /// Draws the table, once per position.
    async fn draw_table(&mut self) -> Result<(), Failure> {
        if self.drawn == self.position {
            return Ok(());
        }
        let table = self.table().await?;
        self.drawn = self.position;
        Ok(print::line(&format!("\n{}\n", print::columns(&table.text)))?)
    }

    async fn tell_end(&mut self) -> Result<(), Failure> {
        self.draw_table().await?;
        let it = self.client.fetch(&self.it.name).await?;
        Ok(print::line(&print::wrap("", &it.summary))?)
    }

    /// Waits while others decide. On a terminal, the return key opens a menu in the meantime.
    async fn wait(&mut self) -> Result<Option<Outcome>, Failure> {
        if self.person.is_at_terminal() {
            let others = self.prompts.iter().filter(|it| !it.optional).map(|it| it.seat);
            let others: std::collections::BTreeSet<u32> = others.collect();
            let whom =
                if others.is_empty() { "the others".into() } else { self.texts.players(others) };
            eprintln!("      Waiting for {whom} (return opens a menu, Ctrl-C leaves)");
        }
        let (position, person) = (self.position, self.person);
        let entries = tokio::select! {
            entries = self.next(position) => entries?,
            () = person.types() => {
                self.patient_at = None;
                return if self.prompt().is_some() { Ok(None) } else { self.meanwhile().await };
            }
        };
        entries.iter().try_for_each(|entry| self.tell(entry))?;
        Ok(None)
    }

    /// Offers the actions of a seat without a prompt.
    async fn meanwhile(&mut self) -> Result<Option<Outcome>, Failure> {
        let mut items = vec![Item::Wait];
        items.extend(menu::always(&self.it));
        let shown = items.iter().map(|item| menu::label(&self.texts, item)).collect();
        match self.person.choose("While others decide", shown, "").await? {
            Answer::Number(at) => self.perform(items[at].clone(), None).await,
            Answer::Text(_) | Answer::Back => Ok(None),
            Answer::End => Ok(Some(Outcome::Left)),
            Answer::Interrupted => Ok(Some(Outcome::Interrupted)),
        }
    }

    /// Lets the person choose one action, and submits it.
    async fn decide(
        &mut self,
        prompt: &Prompt,
        legal: ListLegalActionsResponse,
    ) -> Result<Option<Outcome>, Failure> {
        for line in menu::obstacles(&self.texts, &legal) {
            print::line(&print::wrap("      ", &line))?;
        }
        let question = prompt.text.clone();
        let mut items = menu::of_prompt(&legal);
        items.retain(|item| self.offers(item));
        if prompt.optional {
            items.push(Item::Wait);
        }
        if self.plays_bots() {
            items.push(Item::Hint);
        }
        items.extend(menu::always(&self.it).into_iter().filter(|item| self.offers(item)));
        let mut chosen = self.choose(&question, &items).await?;
        if let Chosen::Item(item) = &chosen
            && let Item::Kind(kind) = &**item
        {
            let legal = match kind.complete {
                true => legal,
                false => self.client.legal(&self.it.name, self.seat, Some(&kind.verb)).await?,
            };
            let mut items = menu::of_kind(&legal, &kind.verb);
            items.retain(|item| self.offers(item));
            chosen = self.choose(&question, &items).await?;
        }
        match chosen {
            Chosen::Item(item) => self.perform(*item, Some(prompt)).await,
            Chosen::Back => Ok(None),
            Chosen::Outcome(outcome) => Ok(Some(outcome)),
        }
    }

    /// Line by line, an action that needs its own menu is typed instead.
    fn offers(&self, item: &Item) -> bool {
        let needs_menu = !matches!(item, Item::Act(_) | Item::Kind(_) | Item::Wait);
        self.person.is_at_terminal() || !needs_menu
    }

    /// Asks until the answer is an item of the menu or something that can be typed instead.
    async fn choose(&mut self, question: &str, items: &[Item]) -> Result<Chosen, Failure> {
        loop {
            let shown = items.iter().map(|item| menu::label(&self.texts, item)).collect();
            let help =
                "a number, JSON, hint, say TEXT, stand DECISION, unstand DECISION, resign, quit";
            match self.person.choose(question, shown, help).await? {
                Answer::Number(at) => return Ok(Chosen::Item(Box::new(items[at].clone()))),
                Answer::Text(text) => match Item::of_text(&self.game.name, &text) {
                    Ok(item) => return Ok(Chosen::Item(Box::new(item))),
                    Err(sentence) => self.refuse(&sentence)?,
                },
                Answer::Back => return Ok(Chosen::Back),
                Answer::End => return Ok(Chosen::Outcome(Outcome::Left)),
                Answer::Interrupted => return Ok(Chosen::Outcome(Outcome::Interrupted)),
            }
        }
    }

    /// Carries out the choice. Returns `None` to continue.
    async fn perform(
        &mut self,
        item: Item,
        prompt: Option<&Prompt>,
    ) -> Result<Option<Outcome>, Failure> {
        let action = match item {
            Item::Act(legal) => legal.action,
            Item::Form(example) => {
                let title = self.texts.verb_title(&example.verb);
                form::fill(&self.person, title, &example.action.unwrap_or_default()).await?
            }
            Item::Typed(action) => Some(action),
            Item::Say(Some(text)) => Some(actions::say(&text, &[])?),
            Item::Say(None) => self.something_to_say().await?,
            Item::Stand => self.standing_answer().await?,
            Item::Hint => {
                self.hint().await?;
                None
            }
            Item::Resign => return self.resign().await,
            Item::Wait => {
                self.patient_at = prompt.map(|_| self.position);
                None
            }
            Item::Kind(_) => None,
            Item::Quit => return Ok(Some(Outcome::Left)),
        };
        if let Some(action) = action {
            let request = self.request(action, prompt);
            let outcome = self.client.submit(&request).await;
            self.accepted(outcome).await?;
        }
        Ok(None)
    }

    fn request(&self, action: Action, prompt: Option<&Prompt>) -> SubmitActionRequest {
        // Actions of every game answer no prompt.
        let answers = prompt.filter(|_| !action.is_of_every_game());
        SubmitActionRequest {
            name: self.it.name.clone(),
            action: Some(action),
            seat: Some(self.seat),
            expected_prompt: answers.map(|prompt| prompt.opened_position),
            request_id: Uuid::new_v4().to_string(),
            ..SubmitActionRequest::default()
        }
    }

    /// Prints the consequences of an action, or why it was refused.
    async fn accepted(
        &mut self,
        outcome: Result<Entry, crate::client::Error>,
    ) -> Result<(), Failure> {
        match outcome {
            Ok(entry) => self.follow_to(entry.position).await,
            Err(crate::client::Error::Refused(refusal)) => self.refuse(refusal.message()),
            Err(error @ crate::client::Error::Action(_)) => self.refuse(&error.to_string()),
            Err(error) => Err(error.into()),
        }
    }

    fn plays_bots(&self) -> bool {
        let mut others = self.it.seats.iter().filter(|it| it.seat != self.seat);
        others.all(|it| !it.bot.is_empty())
    }

    /// Prints what a bot would do here.
    async fn hint(&self) -> Result<(), Failure> {
        let suggestions = match self.client.suggestions(&self.it.name, self.seat).await {
            Ok(answer) => answer.suggestions,
            Err(crate::client::Error::Refused(refusal)) => return self.refuse(refusal.message()),
            Err(error) => return Err(error.into()),
        };
        if suggestions.is_empty() {
            return Ok(print::line("      The bots have no advice in this game.")?);
        }
        print::line("      A bot that thinks ahead would:")?;
        for it in suggestions {
            let label = it.action.map_or("Wait".to_owned(), |action| action.label);
            let estimate = it.estimate.map(|it| format!(" ({:.0} % to win)", it * 100.0));
            let line = format!("{label}{}", estimate.unwrap_or_default());
            print::line(&print::wrap("       - ", &line))?;
        }
        Ok(())
    }

    async fn something_to_say(&self) -> Result<Option<Action>, Failure> {
        let mut to = vec![None];
        let others = self.it.seats.iter().map(|it| it.seat).filter(|&seat| seat != self.seat);
        to.extend(others.map(Some));
        let shown =
            to.iter().map(|to| to.map_or("Everyone".to_owned(), |to| self.texts.player(to)));
        let to = match self.person.choose("To whom", shown.collect(), "").await? {
            Answer::Number(at) => to[at],
            Answer::Interrupted => return Err(Failure::Interrupted),
            Answer::Text(_) | Answer::Back | Answer::End => return Ok(None),
        };
        match self.person.text("Text", "", "Esc says nothing").await? {
            Answer::Text(text) if !text.is_empty() => Ok(Some(actions::say(&text, to.as_slice())?)),
            Answer::Interrupted => Err(Failure::Interrupted),
            _ => Ok(None),
        }
    }

    /// A standing answer: declared for a decision without one, withdrawn for a decision with one.
    async fn standing_answer(&mut self) -> Result<Option<Action>, Failure> {
        let standing = self.table().await?.standing;
        let stands = |decision: &str| {
            standing.iter().any(|it| it.seat == self.seat && it.decision == decision)
        };
        let decisions: Vec<_> = self.game.layout.iter().flat_map(|it| &it.decisions).collect();
        let shown = decisions.iter().map(|it| {
            let now = if stands(&it.name) { "the house answers: " } else { "" };
            let text = if it.description.is_empty() { &it.name } else { &it.description };
            format!("{now}{text}")
        });
        match self.person.choose("Which decision", shown.collect(), "").await? {
            Answer::Number(at) => {
                let decision = &decisions[at].name;
                Ok(Some(actions::stand(decision, !stands(decision))?))
            }
            Answer::Interrupted => Err(Failure::Interrupted),
            Answer::Text(_) | Answer::Back | Answer::End => Ok(None),
        }
    }

    async fn resign(&mut self) -> Result<Option<Outcome>, Failure> {
        if !self.person.confirm("Resign? The seat cannot win then").await? {
            return Ok(None);
        }
        let request = ResignMatchRequest {
            name: self.it.name.clone(),
            seat: Some(self.seat),
            request_id: Uuid::new_v4().to_string(),
            ..ResignMatchRequest::default()
        };
        let outcome = self.client.resign(&request).await;
        self.accepted(outcome).await?;
        Ok((!self.over).then_some(Outcome::Left))
    }

    fn refuse(&self, sentence: &str) -> Result<(), Failure> {
        Ok(print::line(&print::wrap("   !  ", sentence))?)
    }
}

/// The choice from a menu.
enum Chosen {
    Item(Box<Item>),
    Back,
    Outcome(Outcome),
}
