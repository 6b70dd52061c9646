//! Compares the Fluent files of a game with its declarations: no key is missing, unused or
//! misspelt, and no message uses an argument that it is not given.

use std::collections::{BTreeMap, BTreeSet};

use fluent_syntax::ast::{
    Entry, Expression, InlineExpression, Message, Pattern, PatternElement, Resource,
};
use fluent_syntax::parser;
use games::Game;
use heck::ToKebabCase;
use prost_reflect::{Kind, MessageDescriptor};
use table::{Argument, FacetValue, Layout, Term};

use crate::Language;
use crate::actions::parts_of;
use crate::primer::{self, ABOUT};

/// A text: that of a message, or of one of its attributes.
pub(crate) type Key = (String, Option<String>);

/// The texts of a file: by key, the arguments that the text uses.
pub(crate) type Texts = BTreeMap<Key, BTreeSet<String>>;

/// A text that a game may have, or must have.
#[derive(Default)]
struct Wanted {
    is_required: bool,
    arguments: BTreeSet<String>,
}

#[derive(Default)]
struct Wants(BTreeMap<Key, Wanted>);

impl Wants {
    fn must(&mut self, key: &str, attribute: Option<&str>, arguments: &[String]) {
        self.add(key, attribute, arguments).is_required = true;
    }

    fn may(&mut self, key: &str, attribute: Option<&str>, arguments: &[String]) {
        self.add(key, attribute, arguments);
    }

    /// Optional parts of a message about an event: the head of its sentence, and a clause about
    /// several seats.
    fn heads_and_joins(&mut self, key: &str, arguments: &[String]) {
        self.may(key, Some("begins"), arguments);
        self.may(key, Some("many"), &with(arguments, &PEOPLE));
    }

    fn add(&mut self, key: &str, attribute: Option<&str>, arguments: &[String]) -> &mut Wanted {
        let wanted = self.0.entry((key.to_owned(), attribute.map(str::to_owned))).or_default();
        wanted.arguments.extend(arguments.iter().cloned());
        wanted
    }
}

/// The arguments of several people.
const PEOPLE: [&str; 4] = ["people", "people-them", "people-to", "people-are"];

/// The forms of people, and other arguments.
fn people(names: &[&str], more: &[String]) -> Vec<String> {
    let forms = ["", "-is", "-them", "-to", "-whose"];
    let people = names.iter().flat_map(|name| forms.map(|form| format!("{name}{form}")));
    people.chain(more.iter().cloned()).collect()
}

fn with(given: &[String], more: &[&str]) -> Vec<String> {
    given.iter().cloned().chain(more.iter().map(|it| (*it).to_owned())).collect()
}

/// What is wrong with the words of a game in these languages: texts that are missing, that nothing
/// uses, or that use what they are not given. Each problem is a line.
pub fn problems_of_words(game: &dyn Game, languages: &[Language]) -> Vec<String> {
    let mut problems = Vec::new();
    for &language in languages {
        check(game, language, languages, &mut problems);
    }
    problems.extend(primer::problems(game));
    problems
}

fn check(game: &dyn Game, language: Language, languages: &[Language], problems: &mut Vec<String>) {
    let file = format!("{}/words/{}.ftl", game.name().replace('-', "_"), language.tag());
    let own = texts(&file, game.words(language.tag()).unwrap_or_default(), problems);
    let common = texts("the shared file", language.shared(), problems);
    let others = languages.iter().filter(|it| **it != language);
    let others: Vec<Texts> = others
        .map(|it| texts("", game.words(it.tag()).unwrap_or_default(), &mut Vec::new()))
        .collect();
    let wants = wanted(game, &own);
    for (key, wanted) in &wants.0 {
        let is_elsewhere = others.iter().any(|it| it.contains_key(key));
        let is_missing = !own.contains_key(key) && !common.contains_key(key);
        if is_missing && wanted.is_required {
            problems.push(format!("{file} lacks {}", shown(key)));
        } else if is_missing && is_elsewhere && !is_of_one_language(key) {
            problems.push(format!("{file} lacks {}, which another language has", shown(key)));
        }
    }
    for (key, arguments) in &own {
        let allowed = match wants.0.get(key) {
            Some(wanted) => wanted.arguments.clone(),
            None if common.contains_key(key) => shared_arguments(key),
            None => {
                let undeclared = match key.0.strip_prefix("verb-") {
                    Some(verb) => format!(": the layout declares no verb {verb}"),
                    None => String::new(),
                };
                problems.push(format!("{file} has {}, which nothing uses{undeclared}", shown(key)));
                continue;
            }
        };
        for argument in arguments.difference(&allowed) {
            let given: Vec<String> = allowed.iter().map(|it| format!("${it}")).collect();
            let given = if given.is_empty() { "nothing".to_owned() } else { given.join(", ") };
            problems.push(format!(
                "{file}: {} is not given ${argument}; it is given {given}",
                shown(key)
            ));
        }
    }
}

/// Whether a language may do without a text that another one needs, such as a title without its
/// article, a shorter label, or names that are the same in all.
fn is_of_one_language((_, attribute): &Key) -> bool {
    let attribute = attribute.as_deref().unwrap_or_default();
    ["label", "short", "brief", "cover"].contains(&attribute) || ABOUT.contains(&attribute)
}

pub(crate) fn shown((key, attribute): &Key) -> String {
    attribute.as_ref().map_or_else(|| key.clone(), |attribute| format!("{key}.{attribute}"))
}

/// The arguments that the shared message has in any language.
fn shared_arguments(key: &Key) -> BTreeSet<String> {
    let all = Language::ALL.map(|it| texts("", it.shared(), &mut Vec::new()));
    let arguments = all.iter().filter_map(|texts| texts.get(key)).flatten();
    let mut arguments: BTreeSet<String> = arguments.cloned().collect();
    match key.0.split('-').next() {
        Some("moved" | "paid") => arguments.extend(moved_arguments()),
        Some("table") => arguments.extend(with(&[], &["phase"])),
        Some("offer") => arguments.extend(with(&[], &CONTEXT)),
        Some("named") => arguments.extend(with(&[], &["back"])),
        _ => {}
    }
    for name in ["seat", "giver", "taker", "to"] {
        if arguments.iter().any(|it| it.starts_with(&format!("{name}-"))) {
            arguments.extend(people(&[name], &[]));
        }
    }
    arguments
}

// === What a file has ===

type Messages<'a> = BTreeMap<&'a str, &'a Message<&'a str>>;

pub(crate) fn texts(file: &str, source: &str, problems: &mut Vec<String>) -> Texts {
    let resource: Resource<&str> = parser::parse(source).unwrap_or_else(|(resource, errors)| {
        for error in errors {
            let line = source[..error.pos.start].lines().count();
            problems.push(format!("{file}, line {line}: {error}"));
        }
        resource
    });
    let mut messages = Messages::new();
    for entry in &resource.body {
        if let Entry::Message(it) = entry
            && messages.insert(it.id.name, it).is_some()
        {
            problems.push(format!("{file} has {} twice", it.id.name));
        }
    }
    let mut used = Uses::default();
    let patterns = messages.values().flat_map(|it| patterns_of(it));
    patterns.for_each(|(_, pattern)| used.walk(pattern, &Messages::new()));
    let mut texts = Texts::new();
    for (name, message) in messages.iter().filter(|it| !used.messages.contains(*it.0)) {
        for (attribute, pattern) in patterns_of(message) {
            let mut uses = Uses::default();
            uses.walk(pattern, &messages);
            texts.insert(((*name).to_owned(), attribute.map(str::to_owned)), uses.arguments);
        }
    }
    texts
}

/// The texts of a message: its own, and those of its attributes by name.
fn patterns_of<'a>(
    message: &'a Message<&'a str>,
) -> impl Iterator<Item = (Option<&'a str>, &'a Pattern<&'a str>)> {
    let own = message.value.iter().map(|it| (None, it));
    own.chain(message.attributes.iter().map(|it| (Some(it.id.name), &it.value)))
}

/// The arguments and other messages that a text uses.
#[derive(Default)]
struct Uses {
    arguments: BTreeSet<String>,
    messages: BTreeSet<String>,
}

impl Uses {
    fn walk(&mut self, pattern: &Pattern<&str>, messages: &Messages) {
        for element in &pattern.elements {
            if let PatternElement::Placeable { expression } = element {
                self.expression(expression, messages);
            }
        }
    }

    fn expression(&mut self, expression: &Expression<&str>, messages: &Messages) {
        match expression {
            Expression::Inline(inline) => self.inline(inline, messages),
            Expression::Select { selector, variants } => {
                self.inline(selector, messages);
                variants.iter().for_each(|it| self.walk(&it.value, messages));
            }
        }
    }

    fn inline(&mut self, inline: &InlineExpression<&str>, messages: &Messages) {
        match inline {
            InlineExpression::VariableReference { id } => {
                self.arguments.insert(id.name.to_owned());
            }
            InlineExpression::MessageReference { id, .. } => {
                // Messages may refer to each other.
                if self.messages.insert(id.name.to_owned())
                    && let Some(message) = messages.get(id.name)
                {
                    patterns_of(message).for_each(|it| self.walk(it.1, messages));
                }
            }
            InlineExpression::FunctionReference { arguments, .. } => {
                arguments.positional.iter().for_each(|it| self.inline(it, messages));
            }
            InlineExpression::Placeable { expression } => self.expression(expression, messages),
            InlineExpression::StringLiteral { .. }
            | InlineExpression::NumberLiteral { .. }
            | InlineExpression::TermReference { .. } => {}
        }
    }
}

// === What a game wants ===

/// The message arguments that the arguments of a case give.
fn given(arguments: &[Argument]) -> Vec<String> {
    let each = arguments.iter().flat_map(|argument| match argument {
        Argument::Seat(_) => vec![],
        Argument::Piece(_) => vec!["piece"],
        Argument::Value(_) => vec!["value", "value-key"],
        Argument::Number(_) => vec!["number"],
    });
    each.map(str::to_owned).collect()
}

fn cases<Id>(terms: &[Term<Id>]) -> BTreeMap<&str, Vec<String>> {
    terms.iter().map(|term| (term.case(), given(&term.arguments))).collect()
}

fn wanted(game: &dyn Game, own: &Texts) -> Wants {
    let layout = game.layout();
    let mut wants = Wants::default();
    wants.must("game", None, &[]);
    wants.must("game", Some("description"), &[]);
    for attribute in ["duration", "difficulty", "cover"] {
        wants.may("game", Some(attribute), &[]);
    }
    for key in primer::keys(game) {
        wants.must(&key, None, &[]);
        wants.must(&key, Some("text"), &[]);
        ABOUT.iter().for_each(|attribute| wants.may(&key, Some(attribute), &[]));
    }
    places(&mut wants, layout);
    pieces(&mut wants, layout);
    coins_and_moves(&mut wants, layout);
    terms(&mut wants, layout, own);
    values(&mut wants, layout, own);
    actions(&mut wants, game);
    for option in game.options() {
        let key = format!("option-{}", option.name);
        wants.must(&key, None, &[]);
        wants.must(&key, Some("description"), &[]);
        for value in option.values.iter().filter(|it| it.parse::<u8>().is_err()) {
            wants.must(&key, Some(&format!("is-{value}")), &[]);
        }
    }
    for refusal in game.refusals() {
        let facts = refusal.facts.iter().flat_map(|fact| {
            let fact = fact.replace('_', "-");
            let more = with(&[], &[&fact, &format!("{fact}-key"), &format!("{fact}-count")]);
            people(&[&format!("{fact}-seat")], &more)
        });
        let key = format!("refusal-{}", refusal.reason.to_ascii_lowercase().replace('_', "-"));
        wants.must(&key, None, &facts.collect::<Vec<_>>());
    }
    wants
}

fn places(wants: &mut Wants, layout: &Layout) {
    for row in layout.places() {
        let key = format!("place-{}", row.case());
        let given = given(&row.arguments);
        wants.must(&key, None, &given);
        let seats = row.arguments.iter().filter(|it| it.seat().is_some()).count();
        let told = people(&["owner", "other"][..seats], &given);
        for preposition in ["from", "to", "at"] {
            wants.must(&key, Some(preposition), &told);
        }
        if seats > 1 {
            wants.must(&key, Some("with-other"), &told);
        }
    }
}

fn pieces(wants: &mut Wants, layout: &Layout) {
    for row in layout.pieces() {
        let key = format!("piece-{}", row.words);
        let facets = row.facets.iter().flat_map(|facet| match facet.value {
            FacetValue::Number(_) => vec![facet.name.to_owned()],
            FacetValue::Values(_) => vec![facet.name.to_owned(), format!("{}-key", facet.name)],
        });
        let facets: Vec<String> = facets.chain(["copy".to_owned()]).collect();
        wants.must(&key, None, &facets);
        wants.may(&key, Some("text"), &facets);
        wants.may(&key, Some("exact"), &facets);
        wants.may(&key, Some("brief"), &facets);
    }
    for name in layout.facet_names() {
        wants.must(&format!("facet-{name}"), None, &[]);
    }
}

/// The circumstances of an event.
const CONTEXT: [&str; 4] = ["verb", "phase", "first", "acting"];

/// The arguments of a message about moves.
fn moved_arguments() -> Vec<String> {
    let more = with(&[], &["what", "what-key", "count", "amount", "shares", "from", "to", "at"]);
    people(&["seat", "giver", "taker"], &with(&more, &CONTEXT))
}

/// A game may have its own sentences for moves from one place to another.
fn coins_and_moves(wants: &mut Wants, layout: &Layout) {
    let told = moved_arguments();
    let places: BTreeSet<&str> = layout.places().iter().map(|row| row.case()).collect();
    let pairs = || places.iter().flat_map(|from| places.iter().map(move |to| (from, to)));
    let may = |wants: &mut Wants, key: String| {
        wants.may(&key, None, &told);
        wants.may(&key, Some("does"), &told);
        wants.heads_and_joins(&key, &told);
    };
    for (from, to) in pairs() {
        may(wants, format!("moved-{from}-{to}"));
    }
    for (case, given) in cases(layout.coins()) {
        let key = format!("coin-{case}");
        wants.must(&key, None, &given);
        wants.may(&key, Some("help"), &given);
        wants.must(&key, Some("amount"), &with(&given, &["amount"]));
        wants.must(&key, Some("some"), &given);
        may(wants, format!("{key}-got"));
        may(wants, format!("{key}-paid"));
        for (from, to) in pairs() {
            may(wants, format!("paid-{case}-{from}-{to}"));
        }
    }
}

fn terms(wants: &mut Wants, layout: &Layout, own: &Texts) {
    for (case, given) in cases(layout.backs()) {
        let key = format!("back-{case}");
        wants.must(&key, None, &given);
        wants.may(&key, Some("help"), &given);
        wants.must(&key, Some("counted"), &with(&given, &["count"]));
    }
    for (case, given) in cases(layout.marks()) {
        let key = format!("mark-{case}");
        wants.must(&key, None, &given);
        wants.must(&key, Some("help"), &given);
        let told = with(&with(&given, &["amount", "now-key"]), &CONTEXT);
        let told = people(&["seat", "now"], &told);
        wants.may(&format!("marked-{case}"), None, &told);
        wants.may(&format!("marked-{case}"), Some("does"), &told);
        wants.may(&format!("marked-{case}"), Some("adds"), &told);
        wants.may(&format!("marked-{case}"), Some("sentence"), &told);
        wants.heads_and_joins(&format!("marked-{case}"), &told);
    }
    for (case, given) in cases(layout.decisions()) {
        wants.must(&format!("decision-{case}"), None, &given);
    }
    for (case, given) in cases(layout.announcements()) {
        let told = people(&["seat", "other"], &with(&with(&given, &["amount"]), &CONTEXT));
        let key = format!("announcement-{case}");
        let has = |form: &str| own.contains_key(&(key.clone(), Some(form.to_owned())));
        wants.may(&key, Some("does"), &told);
        wants.may(&key, Some("adds"), &told);
        wants.may(&key, Some("sentence"), &told);
        let is_told = ["does", "adds", "sentence"].into_iter().any(has);
        wants.add(&key, None, &told).is_required |= !is_told;
        let is_part = layout
            .announcements()
            .iter()
            .any(|it| it.case() == case && layout.is_score_part(it.id));
        wants.add(&key, Some("title"), &given).is_required |= is_part;
        wants.heads_and_joins(&key, &told);
    }
    for name in layout.phases() {
        wants.must(&format!("phase-{name}"), None, &[]);
    }
}

/// The values that are shown anywhere: those of announcements and decisions only if a text has
/// them.
fn values(wants: &mut Wants, layout: &'static Layout, own: &Texts) {
    let mut names: BTreeSet<&str> = layout.value_names();
    let mut add = |key: String, arguments: &'static [Argument]| {
        let is_shown = own.iter().any(|(it, used)| it.0 == key && used.contains("value"));
        names.extend(arguments.iter().filter_map(Argument::value).filter(|_| is_shown));
    };
    layout.decisions().iter().for_each(|it| add(format!("decision-{}", it.case()), &it.arguments));
    let announcements = layout.announcements().iter();
    announcements.for_each(|it| add(format!("announcement-{}", it.case()), &it.arguments));
    for name in names {
        wants.must(&format!("value-{name}"), None, &[]);
    }
}

/// A kind of action has a title, a help, and a label with the fields of its message.
fn actions(wants: &mut Wants, game: &dyn Game) {
    let own = game.messages().pool().get_message_by_name(&game.action_message());
    let common = games::messages().pool().get_message_by_name("croupier.table.v1.Action");
    for verb in game.layout().verbs() {
        let key = format!("verb-{verb}");
        let mut kinds = own.iter().chain(&common).flat_map(|it| it.fields().collect::<Vec<_>>());
        let kind = kinds.find(|it| it.name().to_kebab_case() == **verb);
        wants.must(&key, None, &[]);
        wants.must(&key, Some("help"), &[]);
        wants.may(&key, Some("does"), &people(&["seat"], &[]));
        wants.may(&key, Some("vain"), &people(&["seat"], &[]));
        if let Some(kind) = kind.and_then(|it| it.kind().as_message().cloned()) {
            wants.may(&key, Some("label"), &fields(&kind));
            wants.may(&key, Some("short"), &fields(&kind));
        }
    }
    let Some(own) = own else { return };
    for part in parts_of(&own) {
        let key = format!("part-{}", part.name().to_kebab_case());
        let arguments = fields(&part);
        wants.may(&key, None, &arguments);
        for field in part.fields() {
            wants.may(&key, Some(&field.name().to_kebab_case()), &arguments);
        }
    }
    for name in enums_of(&own) {
        wants.must(&format!("value-{name}"), None, &[]);
    }
}

/// The arguments that the fields of a message give.
fn fields(message: &MessageDescriptor) -> Vec<String> {
    let oneofs = message.oneofs().filter(|it| !it.is_synthetic());
    let mut given: Vec<String> = oneofs.map(|it| it.name().to_kebab_case()).collect();
    for field in message.fields() {
        let name = field.name().to_kebab_case();
        if field.is_list() {
            given.push(format!("{name}-count"));
        } else if matches!(field.kind(), Kind::Uint32) {
            given.extend(people(&[&format!("{name}-seat")], &[]));
        } else if matches!(field.kind(), Kind::Enum(_)) {
            given.push(format!("{name}-key"));
        }
        given.push(name);
    }
    given
}

/// The values of the enums in the actions of a game.
fn enums_of(action: &MessageDescriptor) -> BTreeSet<String> {
    let kinds = action.fields().filter_map(|it| it.kind().as_message().cloned());
    let fields = kinds.chain(parts_of(action)).flat_map(|it| it.fields().collect::<Vec<_>>());
    let mut names = BTreeSet::new();
    for field in fields {
        if let Kind::Enum(it) = field.kind() {
            let prefix = it.name().to_kebab_case() + "-";
            for value in it.values().filter(|value| value.number() != 0) {
                let name = value.name().to_kebab_case();
                names.insert(name.strip_prefix(&prefix).unwrap_or(&name).to_owned());
            }
        }
    }
    names
}
