//! Declarations of tables and functions, in their SQL comments.
//!
//! `comment on table lobby is 'by bucket; select, insert, delete'` declares that every node of a
//! sharded database has the rows of its buckets, and the rights of the role that serves. A lock on
//! a row needs the right to update it. A function whose comment is [`FUNCTION`] is called by that
//! role, with the rights of its owner.

use sqlx::postgres::PgConnection;

use crate::Error;

/// A table's declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    pub table: String,
    pub place: Place,
    /// The rights of the role that serves, such as `select, insert`.
    pub rights: String,
    /// The tables that it refers to.
    pub refers_to: Vec<String>,
}

/// Where the rows of a table are, if the database has several nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Every node has all rows: for data that every call needs and that hardly ever changes, so
    /// that no node depends on another for it.
    Everywhere,
    /// Every node has the rows of its buckets.
    ByBucket,
}

/// The comment on a function that the role that serves may call.
const FUNCTION: &str = "for the role that serves";

impl Declaration {
    /// Parses a comment on a table; `None` if it is not a declaration.
    fn parse(table: String, comment: &str, refers_to: Vec<String>) -> Option<Self> {
        let (place, rights) = comment.split_once("; ")?;
        let place = match place {
            "everywhere" => Place::Everywhere,
            "by bucket" => Place::ByBucket,
            _ => return None,
        };
        let known = ["select", "insert", "update", "delete"];
        let are_known = rights.split(", ").all(|right| known.contains(&right));
        are_known.then(|| Self { table, place, rights: rights.to_owned(), refers_to })
    }
}

/// The tables of the record's schema, each after those that it refers to.
pub async fn declarations(connection: &mut PgConnection) -> Result<Vec<Declaration>, Error> {
    let rows: Vec<(String, Option<String>, Vec<String>)> = sqlx::query_as(
        "select relname::text, obj_description(its.oid, 'pg_class'), array(
             select distinct other.relname::text
             from pg_constraint
             join pg_class as other on other.oid = confrelid
             where conrelid = its.oid and contype = 'f' and confrelid <> conrelid
         )
         from pg_class as its
         where relkind in ('r', 'p')
             and not relispartition
             and relnamespace = (
                 select relnamespace from pg_class where oid = 'entries'::regclass
             )
         order by relname",
    )
    .fetch_all(connection)
    .await?;
    let mut left = Vec::new();
    for (table, comment, refers_to) in rows {
        let declared =
            Declaration::parse(table.clone(), comment.as_deref().unwrap_or(""), refers_to);
        left.push(declared.ok_or(Error::Undeclared(table))?);
    }
    Ok(in_order(left))
}

/// Orders tables so that each follows those that it refers to.
fn in_order(mut left: Vec<Declaration>) -> Vec<Declaration> {
    let mut ordered: Vec<Declaration> = Vec::new();
    while !left.is_empty() {
        let is_next = |it: &mut Declaration| {
            it.refers_to.iter().all(|other| ordered.iter().any(|it| it.table == *other))
        };
        let mut next: Vec<Declaration> = left.extract_if(.., is_next).collect();
        if next.is_empty() {
            // They refer to each other in a circle.
            next = std::mem::take(&mut left);
        }
        ordered.append(&mut next);
    }
    ordered
}

/// The signatures of the functions that the role that serves may call.
pub async fn functions(connection: &mut PgConnection) -> Result<Vec<String>, Error> {
    let signatures = sqlx::query_scalar(
        "select oid::regprocedure::text
         from pg_proc
         where pronamespace = (select relnamespace from pg_class where oid = 'entries'::regclass)
             and obj_description(oid, 'pg_proc') = $1
         order by 1",
    )
    .bind(FUNCTION)
    .fetch_all(connection)
    .await?;
    Ok(signatures)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(table: &str, refers_to: &[&str]) -> Declaration {
        let refers_to = refers_to.iter().map(|&it| it.to_owned()).collect();
        Declaration::parse(table.to_owned(), "by bucket; select", refers_to).expect("it is one")
    }

    #[test]
    fn a_comment_that_is_no_declaration_is_refused() {
        let parse = |comment: &str| Declaration::parse("t".to_owned(), comment, Vec::new());
        assert_eq!(parse("everywhere; select").map(|it| it.place), Some(Place::Everywhere));
        let rights = parse("by bucket; select, insert").map(|it| it.rights);
        assert_eq!(rights.as_deref(), Some("select, insert"));
        for wrong in ["", "by bucket", "nowhere; select", "by bucket; truncate", "by bucket; "] {
            assert_eq!(parse(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn a_table_comes_after_those_that_it_refers_to() {
        let tables = vec![declared("a", &["c"]), declared("b", &["a", "c"]), declared("c", &[])];
        let ordered: Vec<String> = in_order(tables).into_iter().map(|it| it.table).collect();
        assert_eq!(ordered, ["c", "a", "b"]);
        let circle = vec![declared("a", &["b"]), declared("b", &["a"])];
        assert_eq!(in_order(circle).len(), 2);
    }
}
