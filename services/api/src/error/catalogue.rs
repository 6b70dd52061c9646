//! `docs/errors.md`: every reason for which a call can fail, as the code has it.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use tonic::Code;

use super::reasons::{COMMENTS, facts_of, reason_of, split};
use crate::descriptors::descriptors;
use crate::index::titles;

const INTRODUCTION: &str = r#"# Errors

Every call that fails has a `google.rpc.ErrorInfo` among the details of its status, in every protocol: a `reason` for
programs, the `domain` in which the reason is unique, and facts in its `metadata`. The status also has a message for
people, in English. Over REST:

    HTTP/1.1 400 Bad Request

    {"error": {
      "code": 400,
      "status": "INVALID_ARGUMENT",
      "message": "page_size must be 1 to 1000, or 0 for the default",
      "details": [
        {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "INVALID_REQUEST", "domain": "croupier",
         "metadata": {"field": "page_size"}},
        {"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [{"field": "page_size", …}]}
      ]
    }}

- Branch on `domain` and `reason`, and on the code for a reason that you do not know; never on the message. Reasons and
  the names of facts do not change; new ones may be added.
- A request with INVALID_ARGUMENT can never succeed as it is. The fact `field` is the path of the field that is wrong,
  spelled as in the contract, and `google.rpc.BadRequest` repeats it. Where nothing could be read, there is no field.
- If the call asks for a language, `google.rpc.LocalizedMessage` says in it why a player's action or call had no
  effect, wherever there are words for the reason.
- `google.rpc.RetryInfo`, and `Retry-After` in HTTP, say how long to wait before the same request is sent again. With
  the same `request_id` a request has its effect once, however often it is sent.
- A stream that fails has its error as its last message: the status in gRPC, the event `end` among server-sent events,
  the last line of NDJSON. Streams end with SHUTTING_DOWN when the service stops; resume them on a new connection.

This page is generated from the code: `CROUPIER_BLESS=1 cargo nextest run --workspace -E 'test(catalogue)'` writes it.
"#;

#[test]
fn the_page_of_errors_lists_every_reason() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors.md");
    let page = page();
    if env::var("CROUPIER_BLESS").is_ok_and(|it| it == "1") {
        fs::write(&path, &page).expect("the page can be written");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    let differing = page.lines().zip(found.lines()).find(|(is, was)| is != was);
    assert_eq!(page.lines().count(), found.lines().count(), "docs/errors.md: {differing:?}");
    assert!(differing.is_none(), "docs/errors.md differs from the code: {differing:?}");
}

/// One column of codes would be wrong if a comment named none.
#[test]
fn every_reason_names_its_code() {
    for (reason, comment) in &*COMMENTS {
        let is_transcoders = transcoder::Reason::ALL.iter().any(|it| it.as_str() == reason);
        let is_used = !comment.starts_with(UNUSED);
        assert!(!is_used || is_transcoders || !split(comment).1.is_empty(), "{reason} has no code");
    }
}

/// How the comment of a reason begins that is sent no more.
const UNUSED: &str = "No longer used";

fn page() -> String {
    let mut page = INTRODUCTION.to_owned();
    let requests: Vec<_> = transcoder::Reason::ALL.iter().map(|it| it.as_str()).collect();
    let tables: Vec<_> = table::common_reasons().iter().map(|it| it.0).collect();
    section(&mut page, "Calls", "The domain is `croupier`.", &|it| {
        !requests.contains(&it) && !tables.contains(&it)
    });
    section(
        &mut page,
        "Actions in any game",
        "The domain is `croupier`. Nothing was recorded.",
        &|it| tables.contains(&it),
    );
    section(
        &mut page,
        "Requests that cannot be read",
        "The domain is `croupier`. Such a request does not reach the service, or its answer was not ready in time.",
        &|it| requests.contains(&it),
    );
    page += "\n## Actions that the rules of a game refuse\n\nThe domain is the game. The code is FAILED_PRECONDITION, \
             in HTTP 400. Nothing was recorded; read the state,\nthen decide again. `{…}` in a message stands for a \
             fact. `GetGame` lists them as `refusals`.\n";
    for game in games::GAMES {
        let (name, title) = (game.name(), titles(*game).game());
        let _ = write!(
            page,
            "\n### {title}\n\n`games/{name}`\n\n| reason | message | facts |\n|---|---|---|\n"
        );
        for refusal in game.refusals() {
            let (reason, message) = (refusal.reason, refusal.pattern());
            let _ = writeln!(page, "| `{reason}` | {message} | {} |", quoted(refusal.facts));
        }
    }
    page
}

/// A table of those of the service's own reasons that are wanted, in the contract's order.
fn section(page: &mut String, title: &str, about: &str, is_wanted: &dyn Fn(&str) -> bool) {
    let _ = write!(
        page,
        "\n## {title}\n\n{about}\n\n| reason | code | HTTP | facts | cause, and what the client does |\n\
         |---|---|---|---|---|\n"
    );
    let reasons = descriptors().get_enum_by_name("croupier.v1.Reason").expect("it is there");
    let reasons = reasons.values().filter(|it| it.number() != 0).map(|it| reason_of(&it));
    for reason in reasons.filter(|it| is_wanted(it) && !COMMENTS[it].starts_with(UNUSED)) {
        let (text, codes) = split(&COMMENTS[&reason]);
        let own = transcoder::Reason::ALL.into_iter().find(|it| it.as_str() == reason);
        let codes = own.map_or(codes, |it| vec![it.code()]);
        let http: Vec<_> = codes.iter().map(|&it| http_status(it, &reason)).collect();
        let codes: Vec<_> = codes.iter().map(|&code| transcoder::code_name(code)).collect();
        let (codes, http) = (codes.join(", "), http.join(", "));
        let facts = quoted(&facts_of(&reason));
        let _ = writeln!(page, "| `{reason}` | {codes} | {http} | {facts} | {text} |");
    }
}

fn http_status(code: Code, reason: &str) -> String {
    transcoder::http_status(code, Some(reason)).as_u16().to_string()
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
