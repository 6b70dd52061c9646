//! `croupier view`: the table as a viewer sees it.

use std::collections::BTreeMap;

use api::v1::{Game, GetViewRequest, Layout, Match, Piece, PlaceContents, Table};

use client::{Client, Service};

use super::ViewerArgs;
use super::texts::Texts;
use crate::failure::Failure;
use crate::narration::vocabulary::{self as phrase, Vocabulary, capitalized, possessive};
use crate::print;

/// Draw the table as a spectator, a seat or the house sees it
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    viewer_args: ViewerArgs,
    /// Draw the table at this position [default: the last]
    #[arg(long, value_name = "POSITION")]
    at: Option<i32>,
    /// Print the table as a line of JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let (it, viewer) = args.viewer_args.find(&client).await?;
    let request = GetViewRequest {
        name: it.name.clone(),
        viewer,
        position: args.at,
        time: None,
        ..GetViewRequest::default()
    };
    let answer = client.view(&request).await?;
    if args.json {
        return Ok(print::json("GetViewResponse", &answer)?);
    }
    let game = client.game(&it.game).await?;
    let texts = Texts::new(&game, &it);
    Ok(print::line(&texts.table(&answer.table.unwrap_or_default()))?)
}

/// The table, drawn by this program.
pub(super) fn drawing(game: &Game, it: &Match, table: &Table) -> String {
    Drawing { vocabulary: Vocabulary::new(game, it), game, it }.draw(table)
}

struct Drawing<'a> {
    vocabulary: Vocabulary,
    game: &'a Game,
    it: &'a Match,
}

/// The name of a place, and its contents.
type Row = (String, String);

impl Drawing<'_> {
    fn draw(&self, table: &Table) -> String {
        let layout = self.game.layout.clone().unwrap_or_default();
        let mut rows = self.rows(&layout, table);
        let width =
            rows.values().flatten().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
        let mut place = |owner, heading: String| {
            let rows: Vec<Row> = rows.remove(&owner).unwrap_or_default();
            let lines =
                rows.iter().map(|(name, what)| print::wrap(&format!("  {name:<width$}  "), what));
            std::iter::once(heading).chain(lines).collect::<Vec<_>>()
        };
        let mut sections = vec![self.title(table), place(None, "On the table".into())];
        sections.extend(
            (0..self.vocabulary.seats() as u32)
                .map(|seat| place(Some(seat), self.heading(table, seat))),
        );
        sections.push(self.asides(&layout, table));
        sections.retain(|lines| !lines.is_empty());
        sections.into_iter().map(|lines| lines.join("\n")).collect::<Vec<_>>().join("\n\n")
    }

    /// The places and their contents by owner, in the layout's order.
    fn rows(&self, layout: &Layout, table: &Table) -> BTreeMap<Option<u32>, Vec<Row>> {
        let pieces: BTreeMap<&str, &Piece> =
            layout.pieces.iter().map(|piece| (piece.name.as_str(), piece)).collect();
        let order = |contents: &&PlaceContents| {
            layout.places.iter().position(|place| place.name == contents.place)
        };
        let mut places: Vec<_> = table.places.iter().collect();
        places.sort_by_key(order);
        let mut rows: BTreeMap<_, Vec<Row>> = BTreeMap::new();
        for contents in places {
            let place = self.vocabulary.place(&contents.place);
            let purses = contents
                .purses
                .iter()
                .filter(|purse| purse.amount != 0 && !place.is_bank_of(&purse.coin));
            let seen =
                contents.pieces.iter().map(|name| face(name, pieces.get(name.as_str()).copied()));
            let unseen = contents.unseen.iter().map(|it| phrase::unseen(&it.back, it.count));
            let coins = purses.map(|purse| phrase::coins(&purse.coin, Some(purse.amount.into())));
            let uncounted = contents.count_hidden.then(|| phrase::UNCOUNTED.to_owned());
            let what: Vec<_> = seen.chain(unseen).chain(uncounted).chain(coins).collect();
            if !what.is_empty() {
                rows.entry(place.owner).or_default().push((place.name, what.join(", ")));
            }
        }
        rows
    }

    fn title(&self, table: &Table) -> Vec<String> {
        let viewer = match table.viewer.strip_prefix("seats/") {
            Some(seat) => seat
                .parse()
                .map_or_else(|_| table.viewer.clone(), |seat| self.vocabulary.player(seat)),
            None => format!("the {}", table.viewer),
        };
        let of = format!("position {} of {}", table.position, self.it.position.max(table.position));
        let title = format!("{}, {}, {of}, as {viewer} sees it", self.game.title, table.r#match);
        let round = (table.round > 0).then(|| format!("round {}", table.round));
        let phase = (table.phase > 0).then(|| format!("phase {}", table.phase));
        let turn = table
            .ended
            .is_none()
            .then(|| format!("{} turn", possessive(&self.vocabulary.player(table.turn))));
        let time: Vec<_> = [round, phase, turn].into_iter().flatten().collect();
        std::iter::once(title)
            .chain((!time.is_empty()).then(|| capitalized(&time.join(", "))))
            .collect()
    }

    /// A player, with points if anybody has any or the match is over.
    fn heading(&self, table: &Table, seat: u32) -> String {
        let scored = table.ended.is_some() || table.scores.iter().any(|&points| points != 0);
        let points = table.scores.get(seat as usize).filter(|_| scored);
        let points = points.map(|points| format!(", {points} points")).unwrap_or_default();
        let resigned = if table.resigned.contains(&seat) { ", resigned" } else { "" };
        format!("{}, seat {seat}{points}{resigned}", self.vocabulary.player(seat))
    }

    /// Marks, open offers, prompts and the result.
    fn asides(&self, layout: &Layout, table: &Table) -> Vec<String> {
        let marks = table.marks.iter().map(|marked| {
            let values =
                layout.marks.iter().find(|mark| mark.name == marked.mark).map(|mark| &mark.values);
            let value = values
                .and_then(|values| values.get(usize::try_from(marked.value).ok()?.checked_sub(1)?));
            let value =
                value.map_or_else(|| marked.value.to_string(), |value| phrase::spaced(value));
            format!("{}: {value}", capitalized(&self.vocabulary.place(&marked.mark).name))
        });
        let offers = table.offers.iter().map(|offer| {
            format!("{} {}.", self.vocabulary.player(offer.by), self.vocabulary.offers(offer))
        });
        let prompts =
            table.prompts.iter().map(|prompt| self.vocabulary.decides(&[prompt.seat], prompt));
        let end = table.ended.iter().map(|ended| self.vocabulary.won(&ended.winners) + ".");
        marks.chain(offers).chain(prompts).chain(end).collect()
    }
}

/// A piece by its name and its short facets, without those that name the origin of others.
fn face(name: &str, piece: Option<&Piece>) -> String {
    let facets = piece.into_iter().flat_map(|piece| &piece.facets);
    let facets = facets.filter(|facet| !facet.name.ends_with("-origin"));
    let values = facets.map(|facet| facet.value.as_str());
    let short: Vec<_> = values.filter(|value| value.len() <= FACET_MAX).collect();
    if short.is_empty() {
        phrase::piece(name)
    } else {
        format!("{} ({})", phrase::piece(name), short.join(" "))
    }
}

/// The longest facet drawn with its piece: a suit or a number, but not a card's text.
const FACET_MAX: usize = 24;
