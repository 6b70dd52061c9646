//! Answers with the texts of a narrator. They are built from what is redacted already.

use std::collections::BTreeMap;

use contract::v1::{self, event::Kind};
use games::Group;
use narration::{Narrator, Titles};
use rows::RedactedEntry;
use table::{Layout, Prompt, Small, Table};

use crate::entries::entry_of;
use crate::legal::{Legals, legal_of};
use crate::tables::{Seen, table_of};

/// The entry in words.
pub fn told_entry(narrator: &Narrator, entry: &RedactedEntry) -> v1::Entry {
    let told = entry_of(entry);
    let prompts = told_prompts(narrator, told.prompts, &entry.entry.prompts);
    let mut events = told.events;
    let titles = Titles::of(entry.game, narrator.language());
    for event in &mut events {
        if let Some(Kind::Offered(offer)) = &mut event.kind {
            tell_items(&titles, entry.game.layout(), offer);
        }
    }
    v1::Entry { text: narrator.entry(&entry.entry), prompts, events, ..told }
}

/// The table in words.
pub fn told_table(narrator: &Narrator, view: &Seen) -> v1::Table {
    let table = table_of(view);
    let titles = Titles::of(view.game, narrator.language());
    let layout = view.table.layout();
    let mut places = table.places;
    for purse in places.iter_mut().flat_map(|place| &mut place.purses) {
        purse.text = coins_text(&titles, layout, &purse.coin, purse.amount.into());
    }
    let (mut offers, mut score_parts) = (table.offers, table.score_parts);
    offers.iter_mut().for_each(|offer| tell_items(&titles, layout, offer));
    for (told, part) in score_parts.iter_mut().zip(view.table.score_parts()) {
        told.title = titles.score_part(part.announcement);
    }
    let prompts = told_prompts(narrator, table.prompts, view.table.prompts());
    let text = narrator.table(view.table);
    v1::Table { text, places, prompts, offers, score_parts, ..table }
}

/// The legal actions in words.
pub fn told_legal(narrator: &Narrator, legal: &Legals) -> v1::ListLegalActionsResponse {
    let labels = narrator.labels(legal.table, legal.actions);
    let mut helps: BTreeMap<&str, String> = BTreeMap::new();
    for it in legal.actions {
        helps.entry(it.verb).or_insert_with(|| narrator.help(it.verb));
    }
    let (game, amounts) = (legal.game, Titles::of(legal.game, narrator.language()));
    let (mut answer, groups) = legal_of(legal);
    for (action, label) in answer.actions.iter_mut().zip(labels) {
        action.help = helps[&action.verb[..]].clone();
        action.label = label.long;
        action.short_label = label.short;
        for it in &mut action.amounts {
            it.text = coins_text(&amounts, game.layout(), &it.coin, it.amount.into());
        }
    }
    for (told, effects) in answer.actions.iter_mut().zip(&legal.beside.effects) {
        for (told, effect) in told.effects.iter_mut().zip(effects) {
            told.text = narrator.effect(effect);
        }
    }
    for it in &mut answer.obstacles {
        let facts = it.facts.iter().map(|(name, fact)| (name.as_str(), fact.as_str()));
        it.text = narrator.refusal(&it.reason, facts).unwrap_or_else(|| it.message.clone());
    }
    entitle(narrator, legal.table, &groups, &mut answer.groups);
    answer
}

/// Adds the titles of groups and of their own groups.
fn entitle(
    narrator: &Narrator,
    table: &Table,
    groups: &[Group],
    told: &mut [v1::LegalActionGroup],
) {
    let titles = narrator.group_titles(table, groups);
    for ((group, title), told) in groups.iter().zip(titles).zip(told) {
        told.title = title;
        entitle(narrator, table, &group.groups, &mut told.groups);
    }
}

/// An amount of coins of this name in the words of the game.
fn coins_text(titles: &Titles, layout: &Layout, coin: &str, amount: i64) -> String {
    let coin = layout.coins().iter().find(|it| it.name == coin);
    coin.map(|it| titles.coins(it.id, amount)).unwrap_or_default()
}

/// The items of offers in words.
fn tell_items(titles: &Titles, layout: &Layout, offer: &mut v1::Offer) {
    for item in offer.give.iter_mut().chain(&mut offer.take) {
        item.text = match layout.piece_named(&item.piece) {
            Some(piece) => titles.piece(&layout.pieces()[piece.index()]),
            None => coins_text(titles, layout, &item.coin, item.amount.into()),
        };
    }
}

fn told_prompts(narrator: &Narrator, told: Vec<v1::Prompt>, prompts: &[Prompt]) -> Vec<v1::Prompt> {
    let told = told.into_iter().zip(prompts);
    told.map(|(told, prompt)| v1::Prompt { text: narrator.prompt(prompt), ..told }).collect()
}
