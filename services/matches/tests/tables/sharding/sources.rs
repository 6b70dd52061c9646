//! The SQL statements in the sources of the crates that have any.
//!
//! Every string that begins like a statement counts as one: a literal, or the result of `concat!`,
//! `format!` and the macros of the sources on literals and constants. Arguments of sqlx must be
//! such strings or be listed in [`INDIRECT`], so none is missed.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::HashMap;
use std::path::Path;

pub struct Statement {
    pub file: String,
    /// With single spaces, and without comments.
    pub sql: String,
}

impl Statement {
    pub fn new(file: &str, text: &str) -> Statement {
        let lines = text.lines().map(|line| line.split("-- ").next().unwrap_or(""));
        let lines: String = lines.collect::<Vec<_>>().join(" ");
        let sql = lines.split_whitespace().collect::<Vec<_>>().join(" ");
        Statement { file: file.to_owned(), sql }
    }
}

/// The crates that have statements.
const CRATES: [&str; 9] = [
    "accounts",
    "database",
    "deliveries",
    "event-log",
    "keeping",
    "projector",
    "schema",
    "store",
    "transparency",
];

/// Arguments that are passed to sqlx by name. Their statements are found where the names are
/// defined.
const INDIRECT: &[(&str, &str)] = &[
    ("database/may_have.rs", "statement"),
    ("event-log/append/flush.rs", "statement . clone ()"),
    ("event-log/heads.rs", "statement"),
    ("projector/model/players/queries.rs", "seats"),
    ("projector/compare.rs", "AssertSqlSafe (script)"),
    ("projector/compare.rs", "AssertSqlSafe (sql)"),
    ("projector/rebuild.rs", "AssertSqlSafe (change)"),
    ("projector/rebuild.rs", "AssertSqlSafe (lock)"),
    ("schema/grants.rs", "AssertSqlSafe (grants)"),
    ("schema/migrations.rs", "AssertSqlSafe (statement)"),
    ("store/creating.rs", "sqlx :: AssertSqlSafe (create_statement (& also))"),
    ("store/deletion.rs", "query"),
    ("store/loading.rs", "if is_of_one { LOAD . one } else { LOAD . any }"),
    ("store/of_matches.rs", "text"),
];

/// Placeholders for values that only the running program knows.
const VALUES: [(&str, &[&str]); 7] = [
    ("also", &["", "LISTED", "SOUGHT", "BOTS_SEATED"]),
    ("given", &["GIVEN", "GIVEN_BY_RIGHT"]),
    ("table", &["match_summaries"]),
    ("schema", &["public"]),
    ("new", &["rebuilding.match_summaries"]),
    ("beside", &["buckets"]),
    ("function", &["bucket_of(uuid)"]),
];

const VERBS: [&str; 5] = ["select ", "insert into ", "update ", "delete from ", "with "];

#[derive(Default)]
struct Reader {
    constants: HashMap<String, String>,
    macros: HashMap<String, (Vec<String>, TokenStream)>,
    statements: Vec<Statement>,
    used: Vec<(&'static str, &'static str)>,
    file: String,
}

/// All statements, or the parts that cannot be read.
pub fn statements(services: &Path) -> Vec<Statement> {
    let mut reader = Reader::default();
    let mut files = Vec::new();
    for krate in CRATES {
        find(&services.join(krate).join("src"), &mut files);
    }
    // The log builds its statements from the names of its tables, and lists them itself.
    files.retain(|file| !file.ends_with("event-log/src/tables.rs"));
    files.sort();
    let parsed: Vec<(String, TokenStream)> = files
        .iter()
        .map(|path| {
            let text = std::fs::read_to_string(path).expect("a source");
            (path.clone(), text.parse().expect("Rust"))
        })
        .collect();
    // Twice, because a constant may use one that is defined later.
    for _ in 0..2 {
        parsed.iter().for_each(|(_, tokens)| reader.define(tokens));
    }
    for (path, tokens) in &parsed {
        let (krate, file) = path.rsplit_once("/src/").expect("a path");
        reader.file = format!("{}/{file}", krate.rsplit('/').next().expect("a crate"));
        reader.walk(tokens.clone());
    }
    let unused: Vec<_> = INDIRECT.iter().filter(|it| !reader.used.contains(it)).collect();
    assert!(unused.is_empty(), "passed to sqlx no more: {unused:?}");
    reader.statements
}

fn find(folder: &Path, files: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => find(&path, files),
            false if path.extension().is_some_and(|it| it == "rs") => {
                files.push(path.display().to_string());
            }
            false => {}
        }
    }
}

impl Reader {
    /// Learns constants and macros.
    fn define(&mut self, tokens: &TokenStream) {
        let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
        for (n, tree) in trees.iter().enumerate() {
            if is_word(tree, "const")
                && let Some(TokenTree::Ident(name)) = trees.get(n + 1)
                && let Some(equals) = trees[n..].iter().position(|it| is_sign(it, '='))
            {
                let value: Vec<TokenTree> = trees[n + equals + 1..]
                    .iter()
                    .take_while(|it| !is_sign(it, ';'))
                    .cloned()
                    .collect();
                if let Some(text) = self.text(&value) {
                    self.constants.insert(name.to_string(), text);
                }
            }
            if is_word(tree, "macro_rules")
                && let Some(TokenTree::Ident(name)) = trees.get(n + 2)
                && let Some(TokenTree::Group(body)) = trees.get(n + 3)
            {
                let arm: Vec<TokenTree> = body.stream().into_iter().collect();
                let [TokenTree::Group(given), _, _, TokenTree::Group(made), ..] = &arm[..] else {
                    panic!("the macro {name} cannot be read");
                };
                let given: Vec<TokenTree> = given.stream().into_iter().collect();
                let names = given.windows(2).filter(|pair| is_sign(&pair[0], '$'));
                let names = names.map(|pair| pair[1].to_string()).collect();
                self.macros.insert(name.to_string(), (names, made.stream()));
            }
            if let TokenTree::Group(group) = tree {
                self.define(&group.stream());
            }
        }
    }

    fn walk(&mut self, tokens: TokenStream) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let mut n = 0;
        while let Some(tree) = trees.get(n) {
            let rest = &trees[n..];
            // Attributes and tests contain no statements of the program.
            // Comments that document are attributes, `//!` with a bang after the sign.
            let length = if rest.get(1).is_some_and(|it| is_sign(it, '!')) { 3 } else { 2 };
            if is_sign(tree, '#')
                && let Some(TokenTree::Group(attribute)) = rest.get(length - 1)
            {
                let is_test = attribute.stream().to_string().starts_with("cfg (test)");
                n += if is_test { self.item(&rest[length..]) + length } else { length };
                continue;
            }
            if is_word(tree, "macro_rules") {
                n += 4;
                continue;
            }
            if let Some(length) = self.expression(rest) {
                n += length;
                continue;
            }
            if let Some(arguments) = call(rest) {
                self.check(&arguments);
            }
            if let TokenTree::Group(group) = tree {
                self.walk(group.stream());
            }
            n += 1;
        }
    }

    /// The length of an item: up to its block or semicolon.
    fn item(&self, trees: &[TokenTree]) -> usize {
        let is_end = |it: &TokenTree| {
            is_sign(it, ';')
                || matches!(it, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
        };
        trees.iter().position(is_end).map_or(trees.len(), |end| end + 1)
    }

    /// Records the statement that begins here, if this is a text expression, and returns its
    /// length.
    fn expression(&mut self, trees: &[TokenTree]) -> Option<usize> {
        let length = match trees {
            [TokenTree::Literal(_), ..] => 1,
            [TokenTree::Ident(name), bang, TokenTree::Group(group), ..] if is_sign(bang, '!') => {
                let name = name.to_string();
                if let Some((names, made)) = self.macros.get(&name).cloned()
                    && self.text(&trees[..3]).is_none()
                {
                    let given = arguments(group.stream());
                    // Its arguments are part of its expansion.
                    self.walk(substitute(made, &names, &given));
                    return Some(3);
                }
                3
            }
            _ => return None,
        };
        let text = self.text(&trees[..length]);
        if text.is_none() && length == 3 {
            return None;
        }
        for text in self.values(text?) {
            let statement = Statement::new(&self.file, &text);
            if VERBS.iter().any(|verb| statement.sql.starts_with(verb)) {
                self.statements.push(statement);
            }
        }
        Some(length)
    }

    /// The text of an expression.
    fn text(&self, trees: &[TokenTree]) -> Option<String> {
        match trees {
            [TokenTree::Literal(literal)] => unquoted(&literal.to_string()),
            [TokenTree::Ident(name)] => self.constants.get(&name.to_string()).cloned(),
            [TokenTree::Ident(name), bang, TokenTree::Group(group)] if is_sign(bang, '!') => {
                let given = arguments(group.stream());
                match &*name.to_string() {
                    "concat" => given.iter().map(|it| self.text(it)).collect(),
                    "format" => self.text(given.first()?),
                    name => {
                        let (names, made) = self.macros.get(name)?.clone();
                        let made: Vec<TokenTree> =
                            substitute(made, &names, &given).into_iter().collect();
                        self.text(&made)
                    }
                }
            }
            _ => None,
        }
    }

    /// The texts that a text with names in braces stands for.
    fn values(&self, text: String) -> Vec<String> {
        let Some((before, rest)) = text.split_once('{') else { return vec![text] };
        let Some((name, after)) = rest.split_once('}') else { return vec![text] };
        if name.is_empty() || !name.chars().all(|it| it.is_alphanumeric() || it == '_') {
            let rest = self.values(rest.to_owned()).into_iter();
            return rest.map(|rest| format!("{before}{{{rest}")).collect();
        }
        let constant = |name: &str| self.constants.get(name).cloned();
        let values: Vec<String> = match VALUES.iter().find(|(it, _)| *it == name) {
            Some((_, values)) => {
                values.iter().map(|it| constant(it).unwrap_or((*it).to_owned())).collect()
            }
            None => constant(name).into_iter().collect(),
        };
        let texts = values.into_iter().map(|value| format!("{before}{value}{after}"));
        texts.flat_map(|text| self.values(text)).collect()
    }

    /// Checks that the arguments of sqlx can be read.
    fn check(&mut self, given: &[Vec<TokenTree>]) {
        let Some(first) = given.first() else { return };
        let inner = match &first[..] {
            [.., TokenTree::Ident(name), TokenTree::Group(group)] if name == "AssertSqlSafe" => {
                group.stream().into_iter().collect()
            }
            _ => first.clone(),
        };
        if self.text(&inner).is_some() {
            return;
        }
        let passed = first.iter().cloned().collect::<TokenStream>().to_string();
        if self.file.starts_with("event-log/") && passed.contains("statements . ") {
            return;
        }
        let indirect =
            INDIRECT.iter().find(|(file, it)| self.file.ends_with(file) && *it == passed);
        let indirect = indirect.unwrap_or_else(|| {
            panic!("{}: what is passed to sqlx cannot be read: {passed:?}", self.file)
        });
        self.used.push(*indirect);
    }
}

/// The arguments of a call of sqlx that begins here.
fn call(trees: &[TokenTree]) -> Option<Vec<Vec<TokenTree>>> {
    const CALLS: [&str; 4] = ["query", "query_as", "query_scalar", "raw_sql"];
    let [sqlx, _, _, TokenTree::Ident(name), rest @ ..] = trees else { return None };
    if !is_word(sqlx, "sqlx") || !CALLS.iter().any(|it| name == it) {
        return None;
    }
    // Perhaps after types, as in `query_as::<_, (bool,)>(…)`.
    let typed = matches!(rest, [one, ..] if is_sign(one, ':'));
    let rest = if typed {
        let depth = |depth: &mut i32, it: &TokenTree| {
            *depth += i32::from(is_sign(it, '<')) - i32::from(is_sign(it, '>'));
            *depth
        };
        let mut open = 0;
        let end = rest.iter().skip(2).position(|it| depth(&mut open, it) == 0)?;
        &rest[end + 3..]
    } else {
        rest
    };
    match rest.first()? {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
            Some(arguments(group.stream()))
        }
        _ => None,
    }
}

fn arguments(tokens: TokenStream) -> Vec<Vec<TokenTree>> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let parts = trees.split(|it| is_sign(it, ',')).map(<[TokenTree]>::to_vec);
    parts.filter(|part| !part.is_empty()).collect()
}

fn substitute(made: TokenStream, names: &[String], given: &[Vec<TokenTree>]) -> TokenStream {
    let trees: Vec<TokenTree> = made.into_iter().collect();
    let (mut out, mut n) = (Vec::new(), 0);
    while let Some(tree) = trees.get(n) {
        let name = trees.get(n + 1).map(ToString::to_string).unwrap_or_default();
        match (tree, names.iter().position(|it| *it == name)) {
            (TokenTree::Punct(sign), Some(nth)) if sign.as_char() == '$' => {
                out.extend(given.get(nth).cloned().unwrap_or_default());
                n += 2;
                continue;
            }
            (TokenTree::Group(group), _) => {
                let inner = substitute(group.stream(), names, given);
                out.push(proc_macro2::Group::new(group.delimiter(), inner).into());
            }
            _ => out.push(tree.clone()),
        }
        n += 1;
    }
    out.into_iter().collect()
}

fn unquoted(literal: &str) -> Option<String> {
    let inner = literal.strip_prefix('"')?.strip_suffix('"')?;
    // A backslash at the end of a line removes the indentation of the next.
    let mut lines = inner.split("\\\n");
    let first = lines.next()?.to_owned();
    let inner = lines.fold(first, |text, line| text + line.trim_start());
    Some(inner.replace("\\\"", "\"").replace("\\n", "\n").replace("\\\\", "\\"))
}

fn is_word(tree: &TokenTree, word: &str) -> bool {
    matches!(tree, TokenTree::Ident(it) if it == word)
}

fn is_sign(tree: &TokenTree, sign: char) -> bool {
    matches!(tree, TokenTree::Punct(it) if it.as_char() == sign)
}
