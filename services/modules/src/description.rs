//! What a module says of its game, checked. It is kept for as long as the program runs, once for
//! each module that is loaded, because layouts and names are used without a lifetime.

use std::ops::RangeInclusive;

use games::{Messages, RulesPage};
use table::{
    BadLayout, DecisionId, KEPT_OPTIONS, Layout, OptionSpec, RefusalSpec, SEATS_MAX, TALK,
    common_reasons,
    contract::{self as pb, CONTRACT, NAME_CHARS_MAX},
};

use crate::names::intern;

/// Options at most, and reasons for refusals, and values of an option.
const OPTIONS_MAX: usize = 32;
const REASONS_MAX: usize = 256;

/// Braces of a resource within each other: what reads Fluent calls itself for each.
const NESTED_MAX: usize = 400;

/// Levels of bots at most, and the characters of their names.
const LEVELS_MAX: usize = 8;
const LEVEL_CHARS_MAX: usize = 20;

/// The game of a module.
pub struct Description {
    pub name: &'static str,
    pub rules: u32,
    pub seats: RangeInclusive<u8>,
    pub options: &'static [OptionSpec],
    pub layout: &'static Layout,
    pub refusals: Vec<RefusalSpec>,
    pub standing: Vec<DecisionId>,
    /// From the minimum number of seats.
    pub best_of: Vec<u32>,
    pub words: Vec<(&'static str, &'static str)>,
    pub rules_page: RulesPage,
    /// The descriptors of the action message, and the full name of that.
    pub messages: &'static Messages,
    pub action_message: String,
    /// The levels of its bots.
    pub levels: Vec<&'static str>,
}

/// Why a description cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BadDescription {
    #[error("the module is of version {0} of the contract, which this release does not know")]
    Contract(u32),
    #[error("{0:?} is no name of a game: 1 to 40 lower-case letters, digits and hyphens")]
    Name(String),
    #[error("a game takes 1 to {SEATS_MAX} seats, not {least} to {most}")]
    Seats { least: u32, most: u32 },
    #[error("versions of rules are counted from 1")]
    Version,
    #[error("the option {0:?} has no valid name, no values, or a default that is none of them")]
    Option(String),
    #[error("the last option is \"talk\" with the values off, on and unlimited")]
    Talk,
    #[error("the reason {0:?} has no valid name, or is given twice")]
    Reason(String),
    #[error(
        "{0:?} is no name of a level of bots: 1 to {LEVEL_CHARS_MAX} lower-case letters, digits and \
         hyphens, each name once"
    )]
    Level(String),
    #[error("there are too many {0}")]
    TooMany(&'static str),
    #[error("the descriptors of the action message cannot be read")]
    Descriptors,
    #[error("the descriptors have no message {0:?}")]
    ActionMessage(String),
    #[error("the words in {0:?} have more than {NESTED_MAX} braces within each other")]
    Words(String),
    #[error("the {0} is missing")]
    Missing(&'static str),
    #[error("there is no decision {0} for a standing answer")]
    Standing(u32),
    #[error("the layout cannot be used: {0}")]
    Layout(#[from] BadLayout),
}

impl Description {
    pub(crate) fn of(it: pb::DescribeResponse) -> Result<Description, BadDescription> {
        if it.contract != CONTRACT {
            return Err(BadDescription::Contract(it.contract));
        }
        if !is_name(&it.name, 40) {
            return Err(BadDescription::Name(it.name));
        }
        if it.rules == 0 {
            return Err(BadDescription::Version);
        }
        let layout = it.layout.ok_or(BadDescription::Missing("layout"))?;
        // Once for each module.
        let layout: &'static Layout = Box::leak(Box::new(Layout::described(layout, &intern)?));
        let standing = it.standing.iter().map(|&number| {
            let mut decisions = layout.decisions().iter();
            let found = decisions.find(|it| u32::from(it.id.number()) == number);
            found.map(|it| it.id).ok_or(BadDescription::Standing(number))
        });
        if let Some(words) = it.words.iter().find(|it| nested(&it.fluent) > NESTED_MAX) {
            return Err(BadDescription::Words(words.language.clone()));
        }
        let messages = Messages::decode(&it.actions).map_err(|_| BadDescription::Descriptors)?;
        if messages.pool().get_message_by_name(&it.action_message).is_none() {
            return Err(BadDescription::ActionMessage(it.action_message));
        }
        Ok(Description {
            name: intern(&it.name),
            rules: it.rules,
            seats: seats(it.seats_min, it.seats_max)?,
            options: options(&it.options)?,
            refusals: refusals(&it.refusals)?,
            standing: standing.collect::<Result<_, _>>()?,
            best_of: it.best_of,
            words: it.words.iter().map(|it| (intern(&it.language), intern(&it.fluent))).collect(),
            rules_page: RulesPage(intern(&it.rules_page)),
            messages: Box::leak(Box::new(messages)),
            action_message: it.action_message,
            levels: levels(&it.levels)?,
            layout,
        })
    }
}

fn is_name(name: &str, most: usize) -> bool {
    let is_of_name = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '-';
    (1..=most).contains(&name.len()) && name.chars().all(is_of_name)
}

fn levels(described: &[String]) -> Result<Vec<&'static str>, BadDescription> {
    if described.len() > LEVELS_MAX {
        return Err(BadDescription::TooMany("levels of bots"));
    }
    let level = |(nth, name): (usize, &String)| {
        let is_new = !described[..nth].contains(name);
        if is_new && is_name(name, LEVEL_CHARS_MAX) {
            Ok(intern(name))
        } else {
            Err(BadDescription::Level(name.clone()))
        }
    };
    described.iter().enumerate().map(level).collect()
}

/// The most braces within each other, at most. One that may be in a literal closes none.
fn nested(fluent: &str) -> usize {
    let (mut most, mut depth) = (0, 0_usize);
    for line in fluent.lines() {
        let mut is_quoted = false;
        for it in line.bytes() {
            match it {
                b'"' => is_quoted = true,
                b'{' => (depth, is_quoted) = (depth + 1, false),
                b'}' if is_quoted => is_quoted = false,
                b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            most = most.max(depth);
        }
    }
    most
}

fn seats(least: u32, most: u32) -> Result<RangeInclusive<u8>, BadDescription> {
    let fits = 1 <= least && least <= most && most <= SEATS_MAX as u32;
    if fits { Ok(least as u8..=most as u8) } else { Err(BadDescription::Seats { least, most }) }
}

fn options(described: &[pb::Option]) -> Result<&'static [OptionSpec], BadDescription> {
    if described.len() > OPTIONS_MAX || described.iter().any(|it| it.values.len() > OPTIONS_MAX) {
        return Err(BadDescription::TooMany("options"));
    }
    let talk = described.last().is_some_and(|it| it.name == TALK);
    let talk = talk && described.last().is_some_and(|it| it.values == ["off", "on", "unlimited"]);
    if !talk {
        return Err(BadDescription::Talk);
    }
    let spec = |(nth, it): (usize, &pb::Option)| {
        let is_new = described[..nth].iter().all(|other| other.name != it.name);
        let names = it.values.iter().chain([&it.name]);
        let are_names = names.into_iter().all(|name| (1..=NAME_CHARS_MAX).contains(&name.len()));
        if !is_new
            || !are_names
            || KEPT_OPTIONS.contains(&&it.name[..])
            || !it.values.contains(&it.default)
        {
            return Err(BadDescription::Option(it.name.clone()));
        }
        let values: Vec<&'static str> = it.values.iter().map(|it| intern(it)).collect();
        Ok(OptionSpec {
            name: intern(&it.name),
            values: Vec::leak(values),
            default: intern(&it.default),
        })
    };
    let specs: Result<Vec<_>, _> = described.iter().enumerate().map(spec).collect();
    Ok(Vec::leak(specs?))
}

fn refusals(described: &[pb::RefusalReason]) -> Result<Vec<RefusalSpec>, BadDescription> {
    if described.len() > REASONS_MAX || described.iter().any(|it| it.facts.len() > OPTIONS_MAX) {
        return Err(BadDescription::TooMany("reasons for refusals"));
    }
    let common = common_reasons();
    let spec = |(nth, it): (usize, &pb::RefusalReason)| {
        let is_new = described[..nth].iter().all(|other| other.reason != it.reason)
            && common.iter().all(|(other, facts)| {
                let same = || facts.iter().copied().eq(it.facts.iter().map(String::as_str));
                *other != it.reason || same()
            });
        let is_upper = |it: char| it.is_ascii_uppercase() || it.is_ascii_digit() || it == '_';
        let is_name = (1..=NAME_CHARS_MAX).contains(&it.reason.len());
        if !is_new || !is_name || !it.reason.chars().all(is_upper) {
            return Err(BadDescription::Reason(it.reason.clone()));
        }
        let facts: Vec<&'static str> = it.facts.iter().map(|it| intern(it)).collect();
        Ok(RefusalSpec {
            reason: intern(&it.reason),
            sentence: intern(&it.sentence),
            facts: Vec::leak(facts),
            routine: it.routine,
        })
    };
    described.iter().enumerate().map(spec).collect()
}
