//! The first page: what answers here, and where to go next. HTML for browsers, JSON for programs.

use aws_lc_rs::digest::{SHA256, digest};
use axum::Router;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use games::Game;
use narration::{Language, Titles};
use serde_json::{Value, json};

use crate::names::{game_name, rules_name};
use crate::receipts::KEYS_PATH;

/// Where the catalogue of errors is served.
pub(crate) const ERRORS_PATH: &str = "/docs/errors.md";

const TITLE: &str = "Croupier";
const DESCRIPTION: &str = "A game-state service: it deals and hosts matches of tabletop games, enforces their rules, \
                           keeps every secret, and records and streams what happens.";

/// The pages at `/` and below `/docs`.
pub(crate) fn pages() -> Router {
    let (html, json) = (html(), json().to_string());
    let policy = HeaderValue::try_from(policy()).expect("a policy is visible ASCII");
    let index = async move |headers: HeaderMap| match wants_html(&headers) {
        true => {
            ([(header::CONTENT_SECURITY_POLICY, policy)], page("text/html; charset=utf-8", html))
                .into_response()
        }
        false => page("application/json", json),
    };
    let errors =
        async || page("text/markdown; charset=utf-8", include_str!("../../../docs/errors.md"));
    Router::new()
        .route("/", get(index))
        .route("/docs", get(async || Redirect::permanent("/")))
        .route(ERRORS_PATH, get(errors))
}

fn page(media_type: &'static str, text: impl IntoResponse) -> Response {
    let headers = [
        (header::CONTENT_TYPE, media_type),
        (header::CACHE_CONTROL, "public, max-age=300"),
        (header::VARY, "accept"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (headers, text).into_response()
}

/// Browsers name HTML; programs name JSON, or nothing.
fn wants_html(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|it| it.to_str().ok());
    accepted.flat_map(|it| it.split(',')).any(|range| range.trim_start().starts_with("text/html"))
}

pub(crate) fn titles(game: &'static dyn Game) -> Titles {
    Titles::of(game, Language::English)
}

fn json() -> Value {
    let games = games::GAMES.iter().map(|game| {
        json!({
            "name": game_name(game.name()),
            "title": titles(*game).game(),
            "description": titles(*game).description(),
            "path": format!("/v1/{}", game_name(game.name())),
            "rules": format!("/v1/{}", rules_name(game.name())),
        })
    });
    json!({
        "title": TITLE,
        "version": env!("CARGO_PKG_VERSION"),
        "description": DESCRIPTION,
        "openapi": "/openapi.json",
        "errors": ERRORS_PATH,
        "receipt_keys": KEYS_PATH,
        "games": games.collect::<Vec<_>>(),
    })
}

/// The only style of the page, which the policy allows by its hash.
const STYLE: &str = "
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 42rem; margin: 3rem auto; padding: 0 1rem }
h1, h2 { line-height: 1.2 }
dt { margin-top: .75rem }
dd { margin: 0 }
code { font-size: .95em }
small { opacity: .75 }
";

fn policy() -> String {
    let hash = BASE64_STANDARD.encode(digest(&SHA256, STYLE.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

fn html() -> String {
    let games = games::GAMES.iter().map(|game| {
        let (path, rules) = (game_name(game.name()), rules_name(game.name()));
        let titles = titles(*game);
        let (title, description) = (escaped(&titles.game()), escaped(&titles.description()));
        format!(
            "<dt><a href=\"/v1/{path}\">{title}</a> · <a href=\"/v1/{rules}\">rules</a></dt>\
             <dd>{description}</dd>\n"
        )
    });
    let (games, version) = (games.collect::<String>(), env!("CARGO_PKG_VERSION"));
    format!(
        "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<title>{TITLE}</title>
<style>{STYLE}</style>
</head>
<body>
<h1>{TITLE}</h1>
<p>{DESCRIPTION}</p>
<p>Programs call it over gRPC, gRPC-Web, Connect and REST, all at this address. Describing games needs no
credentials; everything else needs a platform's API key, or a token that a platform has issued.</p>
<h2>The interface</h2>
<dl>
<dt><a href=\"/openapi.json\">/openapi.json</a></dt>
<dd>The REST interface as an OpenAPI document.</dd>
<dt><a href=\"{ERRORS_PATH}\">{ERRORS_PATH}</a></dt>
<dd>Every error: its reason, its cause, and what a client does.</dd>
<dt>gRPC reflection</dt>
<dd>The whole contract with its comments, for gRPC clients such as <code>grpcurl</code>.</dd>
<dt><a href=\"{KEYS_PATH}\">{KEYS_PATH}</a></dt>
<dd>The public keys of receipts.</dd>
</dl>
<h2>The games</h2>
<dl>
{games}</dl>
<p><small>{TITLE} {version}</small></p>
</body>
</html>
"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
