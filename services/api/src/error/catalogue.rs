//! Generates `docs/errors.md`: every reason for which a call can fail.

use std::fmt::{Display, Write};
use std::path::Path;
use std::{env, fs};

use contract::reasons::{self, Announced};
use narration::{Language, Titles};

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
        let (name, title) = (game.name(), Titles::of(*game, Language::ENGLISH).game());
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

/// A table of the selected reasons of the service, in the contract's order.
fn section(page: &mut String, title: &str, about: &str, is_wanted: &dyn Fn(&str) -> bool) {
    let _ = write!(
        page,
        "\n## {title}\n\n{about}\n\n| reason | code | HTTP | facts | cause, and what the client does |\n\
         |---|---|---|---|---|\n"
    );
    let is_used = |it: &&Announced| !it.codes.is_empty();
    for it in reasons::catalogue().iter().filter(is_used).filter(|it| is_wanted(it.name)) {
        let Announced { name, codes, comment, .. } = it;
        let http = codes.iter().map(|&it| transcoder::http_status(it, Some(name)).as_u16());
        let http: Vec<_> = http.map(|it| it.to_string()).collect();
        let codes: Vec<_> = codes.iter().map(|&code| transcoder::code_name(code)).collect();
        let (codes, http, facts) = (codes.join(", "), http.join(", "), quoted(&it.facts));
        let _ = writeln!(page, "| `{name}` | {codes} | {http} | {facts} | {comment} |");
    }
}

fn quoted(names: &[impl Display]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
