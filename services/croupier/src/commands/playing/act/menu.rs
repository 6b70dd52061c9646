//! A seat's actions, as items to choose from.

use std::collections::BTreeSet;

use contract::Action;
use contract::v1::{LegalAction, LegalActionKind, ListLegalActionsResponse, Match};

use crate::client::actions;
use crate::print::Texts;

/// If there are more actions than this, the kind is chosen first.
const LIST_MAX: usize = 20;

#[derive(Clone)]
pub(super) enum Item {
    Act(LegalAction),
    /// All actions of a kind, listed next.
    Kind(LegalActionKind),
    /// An action that is not listed, filled in from this example.
    Form(LegalAction),
    /// An action that was typed.
    Typed(Action),
    Wait,
    /// A message; the person is asked for the text if there is none.
    Say(Option<String>),
    /// A standing answer, to be declared or withdrawn; the person chooses the decision.
    Stand,
    /// What a bot would do.
    Hint,
    Resign,
    Quit,
}

/// The items for a prompt: the legal actions, or their kinds if there are many.
pub(super) fn of_prompt(legal: &ListLegalActionsResponse) -> Vec<Item> {
    if legal.actions.len() > LIST_MAX && legal.kinds.len() > 1 {
        return legal.kinds.iter().map(|kind| of_kind_or_its_only_action(legal, kind)).collect();
    }
    let acts = legal.actions.iter().cloned().map(Item::Act);
    acts.chain(forms(&legal.actions)).collect()
}

fn of_kind_or_its_only_action(legal: &ListLegalActionsResponse, kind: &LegalActionKind) -> Item {
    let mut actions = legal.actions.iter().filter(|it| it.verb == kind.verb);
    match (actions.next(), actions.next()) {
        (Some(only), None) if kind.complete => Item::Act(only.clone()),
        _ => Item::Kind(kind.clone()),
    }
}

/// The items for one kind.
pub(super) fn of_kind(legal: &ListLegalActionsResponse, verb: &str) -> Vec<Item> {
    let of_kind = legal.actions.iter().filter(|it| it.verb == verb);
    let of_kind: Vec<LegalAction> = of_kind.cloned().collect();
    let forms = forms(&of_kind);
    of_kind.into_iter().map(Item::Act).chain(forms).collect()
}

/// A form for each kind with actions that are not listed.
fn forms(actions: &[LegalAction]) -> Vec<Item> {
    let mut verbs = BTreeSet::new();
    let examples = actions.iter().filter(|it| it.open_ended && verbs.insert(it.verb.clone()));
    examples.cloned().map(Item::Form).collect()
}

/// The actions of a seat at any time.
pub(super) fn always(it: &Match) -> Vec<Item> {
    let talks = it.options.get("talk").is_some_and(|talk| talk != "off");
    let say = talks.then_some(Item::Say(None));
    say.into_iter().chain([Item::Stand, Item::Resign, Item::Quit]).collect()
}

impl Item {
    /// Parses a line of input. The error is a sentence.
    pub(super) fn of_text(game: &str, text: &str) -> Result<Item, String> {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let action = |action: Result<Action, crate::client::Error>| {
            action.map(Item::Typed).map_err(|error| error.to_string())
        };
        match word {
            _ if text.starts_with('{') => action(actions::of_json(game, text)),
            "say" if !rest.is_empty() => Ok(Item::Say(Some(rest.to_owned()))),
            "stand" | "unstand" if !rest.is_empty() => {
                action(actions::stand(rest.trim(), word == "stand"))
            }
            "hint" => Ok(Item::Hint),
            "resign" => Ok(Item::Resign),
            "quit" => Ok(Item::Quit),
            _ => Err(format!("`{text}` is not among the choices")),
        }
    }
}

/// Why other kinds of action are not legal, a line for each reason.
pub(super) fn obstacles(texts: &Texts, legal: &ListLegalActionsResponse) -> Vec<String> {
    let mut lines: Vec<(&str, Vec<&str>)> = Vec::new();
    for it in &legal.obstacles {
        let verb = texts.verb_title(&it.verb);
        match lines.iter_mut().find(|line| line.0 == it.text) {
            Some((_, verbs)) => verbs.push(verb),
            None => lines.push((&it.text, vec![verb])),
        }
    }
    lines.into_iter().map(|(text, verbs)| format!("{}: {text}.", verbs.join(", "))).collect()
}

/// The number of effects in a label.
const EFFECTS_MAX: usize = 3;

pub(super) fn label(texts: &Texts, item: &Item) -> String {
    match item {
        Item::Act(action) if action.open_ended => format!("{} (an example)", action.label),
        Item::Act(action) if !action.effects.is_empty() => {
            let effects = action.effects.iter().take(EFFECTS_MAX).map(|it| &*it.text);
            format!("{} [{}]", action.label, effects.collect::<Vec<_>>().join("; "))
        }
        Item::Act(action) => action.label.clone(),
        Item::Kind(kind) => {
            let more = if kind.complete { "" } else { " or more" };
            let help = texts.verb(&kind.verb);
            let title = texts.verb_title(&kind.verb);
            format!("{title} ({}{more}) … {help}", kind.listed).trim_end().to_owned()
        }
        Item::Form(example) => format!("{}, filled in …", texts.verb_title(&example.verb)),
        Item::Typed(action) => actions::json(action),
        Item::Wait => "Wait".to_owned(),
        Item::Say(_) => "Say something …".to_owned(),
        Item::Stand => "Let the house answer a decision, or no longer …".to_owned(),
        Item::Hint => "Ask what a bot would do".to_owned(),
        Item::Resign => "Resign …".to_owned(),
        Item::Quit => "Leave; the match goes on".to_owned(),
    }
}
