//! Path templates of google.api.http: `/v1/{name=branches/*}/copies:count`.

use std::fmt::Write;

use percent_encoding::percent_decode_str;

/// One template, parsed.
#[derive(Debug, PartialEq, Eq)]
pub struct Template {
    segments: Vec<Segment>,
    variables: Vec<Variable>,
    verb: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Segment {
    Literal(String),
    /// `*`: one segment.
    One,
    /// `**`: all remaining segments; only at the end of a template.
    Rest,
}

/// A field of the request, as a dotted path, and the segments that form its value.
#[derive(Debug, PartialEq, Eq)]
struct Variable {
    field: String,
    from: usize,
    to: usize,
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a path template: {1}")]
pub struct TemplateError(String, &'static str);

impl Template {
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let fault = |why| TemplateError(text.to_owned(), why);
        let path = text.strip_prefix('/').ok_or_else(|| fault("it must begin with a slash"))?;
        // A colon after the last brace and slash begins a verb; there is none within braces.
        let tail = path.rfind(['}', '/']).map_or(0, |at| at + 1);
        let (path, verb) = match path[tail..].find(':') {
            Some(colon) => (&path[..tail + colon], Some(path[tail + colon + 1..].to_owned())),
            None => (path, None),
        };
        let mut template = Self { segments: Vec::new(), variables: Vec::new(), verb };
        let mut rest = path;
        loop {
            rest = if let Some(variable) = rest.strip_prefix('{') {
                let (variable, rest) =
                    variable.split_once('}').ok_or_else(|| fault("a brace is not closed"))?;
                template.add_variable(variable);
                rest
            } else {
                let (segment, _) = rest.split_once('/').unwrap_or((rest, ""));
                template.segments.push(Segment::parse(segment));
                &rest[segment.len()..]
            };
            match rest.strip_prefix('/') {
                Some(more) => rest = more,
                None if rest.is_empty() => break,
                None => return Err(fault("a variable must end where its segment ends")),
            }
        }
        template.checked().map_err(fault)
    }

    fn add_variable(&mut self, text: &str) {
        let (field, pattern) = text.split_once('=').unwrap_or((text, "*"));
        let from = self.segments.len();
        self.segments.extend(pattern.split('/').map(Segment::parse));
        self.variables.push(Variable { field: field.to_owned(), from, to: self.segments.len() });
    }

    fn checked(self) -> Result<Self, &'static str> {
        let last = self.segments.len() - 1;
        if self.segments.contains(&Segment::Literal(String::new())) {
            return Err("a segment is empty");
        }
        if self.segments.iter().any(
            |segment| matches!(segment, Segment::Literal(text) if text.contains(['{', '}', '*'])),
        ) {
            return Err("braces and stars must be whole segments");
        }
        if self
            .segments
            .iter()
            .position(|segment| *segment == Segment::Rest)
            .is_some_and(|at| at < last)
        {
            return Err("** must be last");
        }
        Ok(self)
    }

    /// The dotted paths of the fields that this template fills, in order.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(|variable| variable.field.as_str())
    }

    /// The values of the fields, in the order of [`Template::fields`], if the path (without its
    /// query) matches.
    ///
    /// An escaped slash stays escaped in a value of several segments, as google.api.http requires.
    pub fn values(&self, path: &str) -> Option<Vec<String>> {
        let path = path.strip_prefix('/')?;
        let path = match &self.verb {
            Some(verb) => path.strip_suffix(verb.as_str())?.strip_suffix(':')?,
            None => path,
        };
        let starts = self.starts(path)?;
        self.variables
            .iter()
            .map(|variable| {
                if variable.to - variable.from > 1 {
                    return unescape_but_slashes(&self.name(variable, path, &starts));
                }
                let value = &path[starts[variable.from]..starts[variable.to] - 1];
                match self.segments[variable.from] {
                    Segment::Rest => unescape_but_slashes(value),
                    Segment::One | Segment::Literal(_) => unescape(value),
                }
            })
            .collect()
    }

    /// The value of a variable of several segments. Where an id is wanted, a client may have put
    /// the whole name, with its slashes escaped; the name is taken for the id in it.
    fn name(&self, variable: &Variable, path: &str, starts: &[usize]) -> String {
        let mut name = String::new();
        for index in variable.from..variable.to {
            let text = &path[starts[index]..starts[index + 1] - 1];
            let text = match self.segments[index] {
                Segment::One => id_of(text, &name),
                Segment::Literal(_) | Segment::Rest => text,
            };
            if index > variable.from {
                name.push('/');
            }
            name.push_str(text);
        }
        name
    }

    /// The start of each segment and, last, the start that a further segment would have.
    fn starts(&self, path: &str) -> Option<Vec<usize>> {
        let mut starts = Vec::with_capacity(self.segments.len() + 1);
        let mut at = 0;
        for segment in &self.segments {
            starts.push(at);
            let rest = path.get(at..)?;
            let text = rest.split('/').next().unwrap_or_default();
            at += 1 + match segment {
                Segment::Literal(literal) if text == literal => text.len(),
                Segment::Literal(_) => return None,
                Segment::One if text.is_empty() => return None,
                Segment::One => text.len(),
                Segment::Rest => rest.len(),
            };
        }
        starts.push(at);
        (at == path.len() + 1).then_some(starts)
    }

    /// Whether it ends with a custom verb, as in `{name=books/*}:lend`.
    pub fn has_verb(&self) -> bool {
        self.verb.is_some()
    }

    /// Sorts the more specific template first: with a verb before without, literals before stars.
    pub fn rank(&self) -> impl Ord + use<> {
        (self.verb.is_none(), self.segments.clone())
    }

    /// The path as OpenAPI spells it, `/v1/books/{book}:lend`: one parameter per star, named after
    /// its collection, with the index of its field (see [`Template::fields`]).
    pub fn open_api(&self) -> (String, Vec<(String, Option<usize>)>) {
        let (mut path, mut parameters) = (String::new(), Vec::new());
        for (index, segment) in self.segments.iter().enumerate() {
            path.push('/');
            match segment {
                Segment::Literal(text) => path.push_str(text),
                Segment::One | Segment::Rest => {
                    let name = self.parameter(index);
                    let _ = write!(path, "{{{name}}}");
                    let field = self
                        .variables
                        .iter()
                        .position(|variable| (variable.from..variable.to).contains(&index));
                    parameters.push((name, field));
                }
            }
        }
        if let Some(verb) = &self.verb {
            let _ = write!(path, ":{verb}");
        }
        (path, parameters)
    }

    /// The collection whose ids a parameter of this name holds, as OpenAPI spells it.
    pub fn collection(&self, parameter: &str) -> Option<&str> {
        let at = (0..self.segments.len()).find(|&index| {
            !matches!(self.segments[index], Segment::Literal(_))
                && self.parameter(index) == parameter
        })?;
        self.collection_at(at)
    }

    /// The collection whose id this segment holds, if it is part of a name.
    fn collection_at(&self, index: usize) -> Option<&str> {
        let before = index.checked_sub(1)?;
        let is_name = |it: &Variable| (it.from..it.to).contains(&before) && index < it.to;
        match &self.segments[before] {
            Segment::Literal(collection) if self.variables.iter().any(is_name) => Some(collection),
            _ => None,
        }
    }

    fn parameter(&self, index: usize) -> String {
        let alone = self
            .variables
            .iter()
            .find(|variable| variable.from == index && variable.to == index + 1);
        match (alone, index.checked_sub(1).map(|before| &self.segments[before])) {
            (Some(variable), _) => variable.field.replace('.', "_"),
            (None, Some(Segment::Literal(collection))) => singular(collection),
            (None, _) => format!("part{index}"),
        }
    }
}

impl Segment {
    fn parse(text: &str) -> Self {
        match text {
            "*" => Self::One,
            "**" => Self::Rest,
            literal => Self::Literal(literal.to_owned()),
        }
    }
}

/// The last part of an escaped name that continues `before`, the name up to here: both
/// `books%2F7` and `rooms%2F1%2Fbooks%2F7` are 7 after `rooms/1/books`. Any other text is itself.
fn id_of<'t>(text: &'t str, before: &str) -> &'t str {
    const SLASH: usize = "%2F".len();
    let Some(last) = text.rfind("%2F").max(text.rfind("%2f")) else { return text };
    let (names, id) = (text[..last].replace("%2F", "/").replace("%2f", "/"), &text[last + SLASH..]);
    let is_name = before == names || before.ends_with(&format!("/{names}"));
    if is_name && !id.is_empty() { id } else { text }
}

fn unescape(text: &str) -> Option<String> {
    Some(percent_decode_str(text).decode_utf8().ok()?.into_owned())
}

fn unescape_but_slashes(text: &str) -> Option<String> {
    unescape(&text.replace("%2F", "%252F").replace("%2f", "%252f"))
}

fn singular(plural: &str) -> String {
    if let Some(stem) = plural.strip_suffix("ies") {
        format!("{stem}y")
    } else if let Some(stem) = plural.strip_suffix("ches") {
        format!("{stem}ch")
    } else {
        plural.strip_suffix('s').unwrap_or(plural).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(template: &str, path: &str, values: Option<&[&str]>) {
        let found = Template::parse(template).expect("a valid template").values(path);
        assert_eq!(
            found.as_deref(),
            values
                .map(|values| values.iter().map(ToString::to_string).collect::<Vec<_>>())
                .as_deref()
        );
    }

    #[test]
    fn a_template_binds_whole_resource_names() {
        check("/v1/branches", "/v1/branches", Some(&[]));
        check("/v1/branches", "/v1/branches/", None);
        check("/v1/branches", "/v1/readers", None);
        check("/v1/{name=branches/*}", "/v1/branches/7", Some(&["branches/7"]));
        check("/v1/{name=branches/*}", "/v1/branches/", None);
        check("/v1/{name=branches/*}", "/v1/branches/7/copies", None);
        check("/v1/{parent=branches/*}/copies", "/v1/branches/7/copies", Some(&["branches/7"]));
        check(
            "/v1/{name=branches/*/copies/*}",
            "/v1/branches/7/copies/12",
            Some(&["branches/7/copies/12"]),
        );
        check("/v1/{a.b}/{c}", "/v1/x/y", Some(&["x", "y"]));
        check("/v1/{name=files/**}", "/v1/files/a/b/c", Some(&["files/a/b/c"]));
    }

    #[test]
    fn a_verb_is_part_of_the_template() {
        check("/v1/{name=branches/*}:open", "/v1/branches/7:open", Some(&["branches/7"]));
        check("/v1/{name=branches/*}:open", "/v1/branches/7:close", None);
        check("/v1/{name=branches/*}:open", "/v1/branches/7", None);
        check("/v1/{name=branches/*}:open", "/v1/branches/:open", None);
        check("/v1/branches:count", "/v1/branches:count", Some(&[]));
        // An identifier may contain a colon.
        check("/v1/{name=readers/*}", "/v1/readers/chat:99", Some(&["readers/chat:99"]));
    }

    #[test]
    fn values_are_unescaped_by_the_rules_of_google_api_http() {
        check("/v1/{id}", "/v1/a%2Fb%20c", Some(&["a/b c"]));
        check("/v1/{name=branches/*}", "/v1/branches/a%2Fb%20c", Some(&["branches/a%2Fb c"]));
        check("/v1/{id}", "/v1/%FF", None);
    }

    #[test]
    fn a_whole_name_is_taken_for_its_id() {
        let copies = "/v1/{name=branches/*/copies/*}";
        let copy: Option<&[&str]> = Some(&["branches/7/copies/12"]);
        check("/v1/{name=branches/*}", "/v1/branches/branches%2F7", Some(&["branches/7"]));
        check(
            "/v1/{name=branches/*}:open",
            "/v1/branches/branches%2f7:open",
            Some(&["branches/7"]),
        );
        check(copies, "/v1/branches/branches%2F7/copies/12", copy);
        check(copies, "/v1/branches/7/copies/copies%2F12", copy);
        check(copies, "/v1/branches/7/copies/branches%2F7%2Fcopies%2F12", copy);
        // Another name, or a text that is not a name, is not an id of this collection.
        let other = "/v1/branches/7/copies/branches%2F8%2Fcopies%2F12";
        check(copies, other, Some(&["branches/7/copies/branches%2F8%2Fcopies%2F12"]));
        check("/v1/{name=branches/*}", "/v1/branches/branches%2F", Some(&["branches/branches%2F"]));
        check("/v1/{name=branches/*}", "/v1/branches/branches", Some(&["branches/branches"]));
    }

    #[test]
    fn a_malformed_template_says_why() {
        let why = |text| Template::parse(text).expect_err("malformed").1;
        assert_eq!(why("v1"), "it must begin with a slash");
        assert_eq!(why("/v1/{name"), "a brace is not closed");
        assert_eq!(why("/v1/{name}x"), "a variable must end where its segment ends");
        assert_eq!(why("/v1//x"), "a segment is empty");
        assert_eq!(why("/v1/x*"), "braces and stars must be whole segments");
        assert_eq!(why("/v1/**/x"), "** must be last");
    }

    #[test]
    fn specific_templates_sort_before_general_ones() {
        let mut templates: Vec<_> = ["/v1/{id=*}", "/v1/{id=**}", "/v1/{id=*}:go", "/v1/own"]
            .map(|text| Template::parse(text).expect("valid"))
            .into();
        templates.sort_by_key(Template::rank);
        let order: Vec<_> = templates.iter().map(|template| template.open_api().0).collect();
        assert_eq!(order, ["/v1/{id}:go", "/v1/own", "/v1/{id}", "/v1/{id}"]);
    }

    #[test]
    fn open_api_names_each_star_after_its_collection() {
        let open_api = |text| Template::parse(text).expect("valid").open_api().0;
        assert_eq!(
            open_api("/v1/{name=branches/*/copies/*}"),
            "/v1/branches/{branch}/copies/{copy}"
        );
        assert_eq!(
            open_api("/v1/{parent=readers/*}/branches:mine"),
            "/v1/readers/{reader}/branches:mine"
        );
        assert_eq!(open_api("/v1/{a.b}"), "/v1/{a_b}");
    }
}
