//! The statements of an SQL script.

/// The statements of a script, one by one. It understands strings, quoted names, dollar-quoted
/// bodies, function bodies between `begin atomic` and `end`, and comments on a line of their own or
/// at a line's end.
pub fn statements(script: &str) -> Vec<String> {
    let (mut statements, mut statement, mut rest) = (Vec::new(), String::new(), script);
    let mut is_atomic = false;
    while let Some(next) = rest.chars().next() {
        let length = if rest.starts_with("--") {
            let end = rest.find('\n').unwrap_or(rest.len());
            rest = &rest[end..];
            continue;
        } else if let Some(tag) = dollar_tag(rest) {
            let body = &rest[tag.len()..];
            body.find(tag).map_or(rest.len(), |end| end + 2 * tag.len())
        } else if next == '\'' || next == '"' {
            rest[1..].find(next).map_or(rest.len(), |end| end + 2)
        } else {
            next.len_utf8()
        };
        let (part, after) = rest.split_at(length);
        rest = after;
        // Like `begin atomic`, it has a line of its own.
        let is_end = is_atomic && statement.lines().next_back().map(str::trim) == Some("end");
        if part == ";" && (!is_atomic || is_end) {
            statements.push(std::mem::take(&mut statement).trim().to_owned());
            is_atomic = false;
        } else {
            statement.push_str(part);
            is_atomic |= statement.ends_with("begin atomic");
        }
    }
    statements.push(statement.trim().to_owned());
    statements.retain(|it| !it.is_empty());
    statements
}

/// A change of a table as one statement for each of its parts: a database of several nodes adds one
/// constraint at a time, and none together with its column. Any other statement is left as it is.
pub(crate) fn apart(statement: &str) -> Vec<String> {
    const ALTER: &str = "alter table ";
    let Some(change) = statement.strip_prefix(ALTER) else { return vec![statement.to_owned()] };
    let named = change.strip_prefix("if exists ").unwrap_or(change);
    let parts = named.find(char::is_whitespace).map_or("", |end| &named[end..]);
    let table = &change[..change.len() - parts.len()];
    let (mut depth, mut is_text) = (0, false);
    let parts = parts.split(|it| {
        match it {
            '\'' => is_text = !is_text,
            '(' if !is_text => depth += 1,
            ')' if !is_text => depth -= 1,
            _ => {}
        }
        it == ',' && depth == 0 && !is_text
    });
    let parts = parts.flat_map(|part| without_check(table, part.trim()));
    parts.map(|part| format!("{ALTER}{table} {part}")).collect()
}

/// The addition of a column that ends with a check as that of the column and that of the check,
/// under the name that Postgres would give it.
fn without_check(table: &str, part: &str) -> Vec<String> {
    const ADD: &str = "add column ";
    let name = part.strip_prefix(ADD).and_then(|it| it.split_whitespace().next());
    let Some((name, at)) = name.zip(part.find(" check (")) else { return vec![part.to_owned()] };
    let table = table.rsplit(' ').next().unwrap_or(table);
    let check = part[at..].trim();
    vec![part[..at].to_owned(), format!("add constraint {table}_{name}_check {check}")]
}

/// The tag that begins here, such as `$$`.
fn dollar_tag(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('$')?;
    let end = inner.find('$')?;
    let is_tag = inner[..end].chars().all(|it| it.is_ascii_alphabetic() || it == '_');
    is_tag.then(|| &text[..end + 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_read_statement_by_statement() {
        let script = "-- A comment; with a semicolon.
            select ';', \"a;b\", 1; -- another; one
            do $$ begin perform 1; end $$;
            create function f() returns int language sql
            begin atomic
                select 1;
                select case when true then 2 end;
            end;
            select 3";
        let found = statements(script);
        assert_eq!(found.len(), 4, "{found:#?}");
        assert_eq!(found[0], "select ';', \"a;b\", 1");
        assert_eq!(found[1], "do $$ begin perform 1; end $$");
        assert!(found[2].ends_with("end") && found[2].contains("then 2"), "{}", found[2]);
        assert_eq!(found[3], "select 3");
    }

    #[test]
    fn a_change_of_a_table_is_made_part_by_part() {
        let change = "alter table if exists a
            add column b numeric(3, 2) default 1,
            add constraint c check (b in (1, 2) and d <> ', (')";
        let parts = [
            "alter table if exists a add column b numeric(3, 2) default 1",
            "alter table if exists a add constraint c check (b in (1, 2) and d <> ', (')",
        ];
        assert_eq!(apart(change), parts);
        let change = "alter table a add column b text[] check (cardinality(b) > 0)";
        let parts = [
            "alter table a add column b text[]",
            "alter table a add constraint a_b_check check (cardinality(b) > 0)",
        ];
        assert_eq!(apart(change), parts);
        let others = ["alter table a add column b int", "create table a (b int, c int)"];
        others.iter().for_each(|it| assert_eq!(apart(it), [*it]));
    }
}
