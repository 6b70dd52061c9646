//! Links that unfurl: pages for those who preview a link, with a title, a sentence and a picture.
//!
//! `/m/{match}` is a link to a match, and `/g/{game}` one to a game. The fragment of a link, which
//! may hold an invitation or the token of a seat, reaches no server: a script hands it on to the
//! application.
//!
//! They have no credentials. Of a match they tell what a spectator may know, and only if its
//! platform is among those whose matches the operator shows; every other match, and one that does
//! not exist, has the same page.

use std::net::IpAddr;
use std::num::NonZero;
use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use games::Game;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use http::{HeaderMap, HeaderName, StatusCode, header};
use matches::{AsOf, Caller, Grant, MatchId, RequestedViewer, State as MatchState, Summary};
use narration::{Language, Narrator, Titles};
use table::Viewer;
use tonic::metadata::MetadataMap;
use transcoder::{ConnectionInfo, Proxies};

use super::html;
use crate::answers::images::Format;
use crate::answers::texts::{Texts, summary_text};
use crate::answers::values::match_name;
use crate::auth::{count, network_of};
use crate::requests::language::language_or_english;
use crate::requests::names::parse_match;
use crate::services::Calls;

/// What the pages are made from.
struct Links {
    calls: Calls,
    proxies: Arc<Proxies>,
    /// The platforms whose matches are shown to whoever has a link.
    shown: Vec<String>,
    policy: String,
}

/// Pages a second of one address, and the burst.
const PAGES_PER_S: NonZero<u32> = NonZero::new(10).expect("it is not zero");
const PAGES_BURST: NonZero<u32> = NonZero::new(100).expect("it is not zero");

static ASKED: LazyLock<DefaultKeyedRateLimiter<IpAddr>> =
    LazyLock::new(|| RateLimiter::keyed(Quota::per_second(PAGES_PER_S).allow_burst(PAGES_BURST)));

/// The routes of the pages. Pages of `frame_origins` may frame them.
pub(super) fn pages(
    calls: Calls,
    proxies: Arc<Proxies>,
    shown: Vec<String>,
    frame_origins: &[String],
) -> Router {
    let policy = policy(frame_origins);
    Router::new()
        .route("/m/{match}", get(match_page))
        .route("/m/{match}/table.png", get(match_picture))
        .route("/g/{game}", get(game_page))
        .route("/g/{game}/table.png", get(game_picture))
        .with_state(Arc::new(Links { calls, proxies, shown, policy }))
}

/// Someone who has a link and nothing else.
struct Stranger {
    language: Language,
    /// Where the service is reached, such as `https://play.example`.
    origin: String,
}

impl Stranger {
    /// The titles of a game in the stranger's language, or in English.
    fn titles(&self, game: &'static dyn Game) -> Titles {
        Narrator::new(game, self.language, &[], None).titles()
    }
}

impl Links {
    /// `None` if the address asks too often.
    fn stranger(&self, request: &Request) -> Option<Stranger> {
        let headers = request.headers();
        let caller = request.extensions().get::<ConnectionInfo>().and_then(|it| it.address);
        let address = caller.map(|it| network_of(self.proxies.client(it.ip(), headers)));
        if address.is_some_and(|it| count(&ASKED, it).is_err()) {
            return None;
        }
        let metadata = MetadataMap::from_headers(headers.clone());
        let language = language_or_english(&metadata, "").unwrap_or(Language::ENGLISH);
        Some(Stranger { language, origin: origin(request) })
    }

    /// A game that is for all, or for a platform whose matches are shown: others are not known to
    /// strangers.
    fn game(&self, name: &str) -> Option<games::Named> {
        let shown = self.shown.iter().map(|it| Some(it.as_str()));
        std::iter::once(None).chain(shown).find_map(|platform| games::named(name, platform))
    }

    /// The match of a link as a spectator may know it, and whoever looks at it; `None` if it is not
    /// shown.
    async fn shown(&self, id: &str) -> Option<(Caller, Summary)> {
        let match_id = parse_match("name", &format!("matches/{id}")).ok()?;
        for platform in &self.shown {
            let caller = spectator(platform, match_id);
            // A platform pays for those who look at its matches, as for any spectator.
            if self.calls.matches.budgets().admit(&caller).is_err() {
                return None;
            }
            let found = self.calls.matches.get_as(&caller, match_id, Viewer::Spectator).await;
            if let Ok(summary) = found {
                return Some((caller, summary));
            }
        }
        None
    }
}

fn too_many() -> Response {
    (StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, "5")]).into_response()
}

/// All who look at a match by its link count as one spectator.
fn spectator(platform: &str, match_id: MatchId) -> Caller {
    Caller { grant: Grant::Spectator(match_id, 0), ..Caller::service(platform) }
}

/// The origin that a request names. It is told only to the one who named it.
fn origin(request: &Request) -> String {
    let headers = request.headers();
    let text = |name: &str| headers.get(name).and_then(|it| it.to_str().ok());
    let host = request.uri().authority().map(|it| it.as_str()).or(text("host")).unwrap_or_default();
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "-.:[]".contains(it);
    let host = if host.chars().all(is_plain) { host } else { "" };
    let scheme = if text("x-forwarded-proto") == Some("https") { "https" } else { "http" };
    if host.is_empty() { String::new() } else { format!("{scheme}://{host}") }
}

// === Matches ===

async fn match_page(
    State(links): State<Arc<Links>>,
    Path(id): Path<String>,
    request: Request,
) -> Response {
    let Some(stranger) = links.stranger(&request) else { return too_many() };
    let shown = links.shown(&id).await;
    let card = shown.and_then(|(_, summary)| match_card(&stranger, &summary));
    links.page(&card.unwrap_or_else(|| nothing_shown(&id)), &stranger)
}

fn match_card(stranger: &Stranger, summary: &Summary) -> Option<Card> {
    let game = summary.game()?;
    let titles = stranger.titles(game);
    let name = match_name(summary.row.match_id);
    let cast = summary.cast();
    let players: Vec<&str> = cast.names().into_iter().flatten().collect();
    let title = match players[..] {
        [] => titles.game(),
        _ => format!("{}: {}", titles.game(), players.join(", ")),
    };
    let said = summary_text(stranger.language, None, summary).unwrap_or_default();
    let path = name.replacen("matches/", "/m/", 1);
    let picture = match summary.state {
        MatchState::Open => picture_of(game),
        // Another picture has another address, so that none is kept for too long.
        MatchState::Running | MatchState::Ended => {
            format!("{path}/table.png?position={}", summary.position.0)
        }
    };
    Some(Card {
        application: format!("../#/{name}"),
        description: if said.is_empty() { titles.description() } else { said },
        picture: Some(picture),
        path,
        title,
    })
}

/// The page of every match that is not shown.
fn nothing_shown(id: &str) -> Card {
    let is_plain = |it: char| it.is_ascii_hexdigit() || it == '-';
    let id = if id.len() <= 64 && id.chars().all(is_plain) { id } else { "" };
    Card {
        title: "Croupier".to_owned(),
        description: "A match at a table.".to_owned(),
        picture: None,
        path: format!("/m/{id}"),
        application: format!("../#/matches/{id}"),
    }
}

async fn match_picture(
    State(links): State<Arc<Links>>,
    Path(id): Path<String>,
    request: Request,
) -> Response {
    let Some(stranger) = links.stranger(&request) else { return too_many() };
    match links.picture(&stranger, &id).await {
        Some(picture) => png(picture, "public, max-age=60"),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

impl Links {
    async fn picture(&self, stranger: &Stranger, id: &str) -> Option<Bytes> {
        let (caller, summary) = self.shown(id).await?;
        let (matches, viewer) = (&self.calls.matches, RequestedViewer::Named(Viewer::Spectator));
        let view = matches.view(&caller, summary.row.match_id, viewer, AsOf::Latest).await.ok()?;
        let mut texts = Texts::new(matches, &caller, &MetadataMap::new(), "").ok()?;
        texts.set_language(Some(stranger.language));
        texts.image(&self.calls.images, view, Format::PREVIEW).await.ok()
    }
}

// === Games ===

async fn game_page(
    State(links): State<Arc<Links>>,
    Path(name): Path<String>,
    request: Request,
) -> Response {
    let Some(stranger) = links.stranger(&request) else { return too_many() };
    let Some((game, _)) = links.game(&name) else { return links.page(&a_game(), &stranger) };
    let titles = stranger.titles(game);
    let card = Card {
        title: titles.game(),
        description: titles.description(),
        picture: Some(picture_of(game)),
        path: format!("/g/{}", game.name()),
        application: "../".to_owned(),
    };
    links.page(&card, &stranger)
}

/// The page of every other game.
fn a_game() -> Card {
    Card {
        title: "Croupier".to_owned(),
        description: "A game at a table.".to_owned(),
        picture: None,
        path: "/".to_owned(),
        application: "../".to_owned(),
    }
}

fn picture_of(game: &dyn Game) -> String {
    format!("/g/{}/table.png", game.name())
}

async fn game_picture(
    State(links): State<Arc<Links>>,
    Path(name): Path<String>,
    request: Request,
) -> Response {
    let Some(stranger) = links.stranger(&request) else { return too_many() };
    let Some(game) = links.game(&name) else { return StatusCode::NOT_FOUND.into_response() };
    match links.calls.images.of_game(game, stranger.language).await {
        Ok(picture) => png(picture, "public, max-age=3600"),
        Err(_) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

fn png(picture: Bytes, caching: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "image/png"),
        (header::CACHE_CONTROL, caching),
        (header::VARY, "accept-language"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, picture).into_response()
}

// === Pages ===

/// What the preview of a link shows.
struct Card {
    title: String,
    description: String,
    picture: Option<String>,
    /// The link itself.
    path: String,
    /// Where the application shows it, from there: a proxy may have put all below a path.
    application: String,
}

/// Goes on to the application with what only its reader may know, or in a tab that is signed in.
const SCRIPT: &str = "let session; \
    try { session = sessionStorage.getItem('croupier.session'); } catch {} \
    if (location.hash) location.replace('../' + location.hash); \
    else if (session) location.replace(document.querySelector('a').href);";

const STYLE: &str = "
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem }
img { width: 100%; height: auto; border-radius: 10px }
";

fn policy(frame_origins: &[String]) -> String {
    let (script, style) = (html::source(SCRIPT), html::source(STYLE));
    let framed_by = pages::framed_by(frame_origins);
    format!(
        "default-src 'none'; img-src 'self'; script-src {script}; style-src {style}; \
         base-uri 'none'; form-action 'none'; {framed_by}"
    )
}

impl Links {
    fn page(&self, card: &Card, Stranger { language, origin }: &Stranger) -> Response {
        let headers = [
            (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
            (header::CONTENT_SECURITY_POLICY, self.policy.clone()),
            (header::CACHE_CONTROL, "private, max-age=60".to_owned()),
            (header::VARY, "accept-language".to_owned()),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
            (header::REFERRER_POLICY, "no-referrer".to_owned()),
            // Players' names are no matter of search engines.
            (HeaderName::from_static("x-robots-tag"), "noindex".to_owned()),
        ];
        (
            HeaderMap::from_iter(
                headers.map(|(name, it)| (name, it.parse().expect("it is visible ASCII"))),
            ),
            card.html(language.tag(), origin),
        )
            .into_response()
    }
}

impl Card {
    fn html(&self, language: &str, origin: &str) -> String {
        let [title, description] = [&self.title, &self.description].map(|it| html::attribute(it));
        let (url, application) =
            (html::attribute(&format!("{origin}{}", self.path)), &self.application);
        let picture = self.picture.as_deref().map(html::attribute);
        let shown = picture.as_ref().map(|path| {
            format!("<img src=\"..{path}\" alt=\"{title}\" width=\"1200\" height=\"630\">\n")
        });
        let told = picture.map(|path| {
            let (url, alt) = (format!("{}{path}", html::attribute(origin)), &title);
            format!(
                "<meta property=\"og:image\" content=\"{url}\">
<meta property=\"og:image:type\" content=\"image/png\">
<meta property=\"og:image:width\" content=\"1200\">
<meta property=\"og:image:height\" content=\"630\">
<meta property=\"og:image:alt\" content=\"{alt}\">
"
            )
        });
        let size = if told.is_some() { "summary_large_image" } else { "summary" };
        let (shown, told) = (shown.unwrap_or_default(), told.unwrap_or_default());
        format!(
            "<!doctype html>
<html lang=\"{language}\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<title>{title}</title>
<meta name=\"description\" content=\"{description}\">
<link rel=\"canonical\" href=\"{url}\">
<meta property=\"og:type\" content=\"website\">
<meta property=\"og:site_name\" content=\"Croupier\">
<meta property=\"og:title\" content=\"{title}\">
<meta property=\"og:description\" content=\"{description}\">
<meta property=\"og:url\" content=\"{url}\">
{told}<meta name=\"twitter:card\" content=\"{size}\">
<style>{STYLE}</style>
</head>
<body>
<h1>{title}</h1>
<p>{description}</p>
{shown}<p><a href=\"{application}\">Croupier</a></p>
<script>{SCRIPT}</script>
</body>
</html>
"
        )
    }
}
