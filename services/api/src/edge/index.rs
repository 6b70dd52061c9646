//! The first page: the web application for browsers, and for programs a list of addresses as JSON.
//! A build without the pages shows the list to browsers, too.

use axum::Router;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use contract::descriptors;
use contract::names::{game_name, rules_name};
use games::Game;
use narration::{Language, Titles};
use pages::{Pages, Site};
use serde_json::{Value, json};

use super::html;
use crate::answers::receipts::KEYS_PATH;
use crate::version::VERSION;

/// Where the catalogue of errors is served.
pub(crate) const ERRORS_PATH: &str = "/docs/errors.md";

/// Where language models look first: <https://llmstxt.org>.
pub(crate) const LLMS_PATH: &str = "/llms.txt";

const TITLE: &str = "Croupier";
const DESCRIPTION: &str = "A game-state service: it deals and hosts matches of tabletop games, enforces their rules, \
                           keeps every secret, and records and streams what happens.";

/// The module that pages of any origin load to show a table.
const COMPONENTS: &str = "croupier.js";

/// The routes of all pages. Pages of `frame_origins` may frame some of them.
pub(crate) fn pages(files: &Pages, frame_origins: &[String]) -> Router {
    let frame_origins = frame_origins.to_vec();
    let options = pages::Options { frame_origins, shared: vec![COMPONENTS.to_owned()] };
    let site = Site::new(files, &options);
    let router = site.router(|path| match is_taken(path) {
        true => {
            tracing::warn!("the page {path} is not served, since the API has this path");
            false
        }
        false => true,
    });
    let has_docs = site.paths().any(|path| path == DOCS);
    let (html, json) = (front_page(), json().to_string());
    let policy = HeaderValue::try_from(policy()).expect("a policy is visible ASCII");
    let index = async move |headers: HeaderMap| {
        let first_page = match wants_html(&headers) {
            true => site.first_page(&headers).await,
            false => Some(page("application/json", json)),
        };
        let mut answer = match first_page {
            Some(answer) => answer,
            None => ([(header::CONTENT_SECURITY_POLICY, policy)], page(HTML, html)).into_response(),
        };
        // Without it, a cache would give programs the page of a browser.
        answer.headers_mut().append(header::VARY, HeaderValue::from_static("accept"));
        answer
    };
    let errors =
        async || page("text/markdown; charset=utf-8", include_str!("../../../../docs/errors.md"));
    let llms =
        async || page("text/markdown; charset=utf-8", include_str!("../../../../docs/llms.txt"));
    let router =
        router.route("/", get(index)).route(ERRORS_PATH, get(errors)).route(LLMS_PATH, get(llms));
    match has_docs {
        true => router,
        false => router.route("/docs", get(async || Redirect::permanent("/"))),
    }
}

/// The page of the guides.
const DOCS: &str = "/docs/";

const HTML: &str = "text/html; charset=utf-8";

/// Whether the path belongs to the API, in this release or in a later one.
fn is_taken(path: &str) -> bool {
    let services = || descriptors().services().map(|it| format!("/{}/", it.full_name()));
    ["/v1/", "/.well-known/", "/log/", "/m/", "/g/"].iter().any(|it| path.starts_with(it))
        || [
            ERRORS_PATH,
            LLMS_PATH,
            "/mcp",
            "/openapi.json",
            "/livez",
            "/readyz",
            "/readyz/reads",
            "/v1",
            "/.well-known",
            "/log",
        ]
        .contains(&path)
        || services().any(|service| path.starts_with(&service))
}

fn page(media_type: &'static str, text: impl IntoResponse) -> Response {
    let headers = [
        (header::CONTENT_TYPE, media_type),
        (header::CACHE_CONTROL, "public, max-age=300"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (headers, text).into_response()
}

/// Browsers accept HTML by name. Programs accept JSON, or send no `Accept` at all.
fn wants_html(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|it| it.to_str().ok());
    accepted.flat_map(|it| it.split(',')).any(|range| range.trim_start().starts_with("text/html"))
}

fn titles(game: &'static dyn Game) -> Titles {
    Titles::of(game, Language::ENGLISH)
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
        "version": VERSION,
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
    let style = html::source(STYLE);
    format!(
        "default-src 'none'; style-src {style}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

fn front_page() -> String {
    let games = games::GAMES.iter().map(|game| {
        let (path, rules) = (game_name(game.name()), rules_name(game.name()));
        let titles = titles(*game);
        let (title, description) = (html::text(&titles.game()), html::text(&titles.description()));
        format!(
            "<dt><a href=\"/v1/{path}\">{title}</a> · <a href=\"/v1/{rules}\">rules</a></dt>\
             <dd>{description}</dd>\n"
        )
    });
    let games = games.collect::<String>();
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
<p>This service has been built without its pages. <code>make run</code> builds both.</p>
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
<p><small>{TITLE} {VERSION}</small></p>
</body>
</html>
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_page_takes_the_path_of_a_call() {
        let methods =
            descriptors().services().flat_map(|service| service.methods().collect::<Vec<_>>());
        for method in methods {
            let service = method.parent_service().full_name().to_owned();
            assert!(is_taken(&format!("/{service}/{}", method.name())));
        }
        for path in [
            "/v1/games",
            "/openapi.json",
            "/.well-known/jwks.json",
            "/docs/errors.md",
            "/mcp",
            "/log/key",
            "/m/3f1c",
            "/g/mountebank",
        ] {
            assert!(is_taken(path), "{path}");
        }
        for path in ["/croupier.js", "/docs/", "/index.html", "/app-KZHREY6S.js"] {
            assert!(!is_taken(path), "{path}");
        }
    }
}
