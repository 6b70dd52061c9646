//! Pictures of tables, and links that unfurl.

use contract::v1::*;
use futures::future::join_all;
use http::{Method, Request};
use http_body_util::Full;
use tonic::Code;

use crate::harness::*;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

fn image(name: &str) -> GetTableImageRequest {
    GetTableImageRequest { name: name.to_owned(), ..GetTableImageRequest::default() }
}

/// The media type and the bytes of a picture.
async fn drawn(client: &Client, request: &GetTableImageRequest) -> (String, Vec<u8>) {
    let image = client.ask(request).await.expect("a picture").image.expect("a body");
    (image.content_type, image.data.to_vec())
}

async fn get_page(client: &Client, path: &str) -> RawResponse {
    let request = Request::builder().method(Method::GET).uri(path);
    let request = request.header("host", "play.example").header("x-forwarded-proto", "https");
    client.send(request.body(Full::default()).expect("a request")).await.expect("an answer")
}

fn text(response: &RawResponse) -> String {
    String::from_utf8(response.body.to_vec()).expect("UTF-8")
}

/// The width and the height that a PNG begins with.
fn size(png: &[u8]) -> (u32, u32) {
    assert_eq!(&png[..8], PNG);
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
    (number(16), number(20))
}

#[tokio::test]
async fn every_protocol_draws_the_table_as_its_viewer_sees_it() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let it = create(&key, &new_match(2)).await;
    let seat = key.holding(token(&key, &it.name, Some(0)).await);
    let other = key.holding(token(&key, &it.name, Some(1)).await);
    let svg = GetTableImageRequest { format: ImageFormat::Svg.into(), ..image(&it.name) };
    let (kind, own) = drawn(&seat, &svg).await;
    assert_eq!(kind, "image/svg+xml");
    let public = drawn(&key, &svg).await.1;
    assert!(own != public && own != drawn(&other, &svg).await.1, "a hand is drawn for its seat");
    let spectator = GetTableImageRequest { viewer: "spectator".to_owned(), ..svg.clone() };
    assert_eq!(drawn(&seat, &spectator).await.1, public);
    for protocol in PROTOCOLS {
        let seat = seat.speaking(protocol);
        assert_eq!(drawn(&seat, &svg).await.1, own, "{protocol:?}");
        let (kind, png) =
            drawn(&seat, &GetTableImageRequest { width: 400, ..image(&it.name) }).await;
        assert_eq!((kind.as_str(), size(&png)), ("image/png", (400, 210)));
    }
    let rest = seat.speaking(Protocol::Rest);
    let path = format!("/v1/{}:image?language=de", it.name);
    let request = Request::get(path).body(Full::default()).expect("a request");
    let answer = rest.send(request).await.expect("an answer");
    assert_eq!(answer.status.as_u16(), 200);
    assert_eq!(answer.headers["content-type"], "image/png");
    assert_eq!(answer.headers["x-content-type-options"], "nosniff");
    assert_eq!(size(&answer.body), (1200, 630));
}

#[tokio::test]
async fn a_flood_of_pictures_is_answered_or_refused_and_others_play_on() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let it = create(&key, &new_match(2)).await;
    let spectator = key.holding(token(&key, &it.name, None).await);
    // Each of another size, so none is kept.
    let asked = (0..300).map(|nth| {
        let (client, name) = (spectator.clone(), it.name.clone());
        async move {
            let request = GetTableImageRequest { width: 200 + nth * 4, ..image(&name) };
            match client.ask(&request).await {
                Ok(answer) => size(&answer.image.expect("a body").data).0 == 200 + nth * 4,
                Err(failure) => {
                    let code = failure.code;
                    assert!(code == Code::ResourceExhausted || code == Code::Unavailable, "{code}");
                    false
                }
            }
        }
    });
    let flood = join_all(asked);
    // Neither legal lists nor actions are held up.
    let mut playing = Playing::of(&key, &it, 5);
    let acting = playing.steps(3);
    let (answered, ()) = tokio::join!(flood, acting);
    assert!(answered.contains(&true), "some are drawn");
    assert_eq!(
        size(&drawn(&key, &image(&it.name)).await.1),
        (1200, 630),
        "and one asked for later"
    );
}

#[tokio::test]
async fn a_link_unfurls_what_a_stranger_may_know_and_no_more() {
    let mut installation = Installation::open().await;
    installation.service.restart_with(&["--show-matches-of", "local"]).await;
    let key = installation.client(Protocol::Grpc);
    let foreign = key.holding(installation.platform("elsewhere").await);
    let names = ["<script>alert('1')</script>", "\"Ann\" & \u{1f98a}"].map(str::to_owned);
    let new = CreateMatchRequest { display_names: names.to_vec(), ..new_match(2) };
    let it = create(&key, &new).await;
    let stranger = installation.client(Protocol::Rest).anonymous();
    let link = it.name.replacen("matches/", "/m/", 1);
    let page = get_page(&stranger, &link).await;
    assert_eq!(page.status.as_u16(), 200);
    let html = text(&page);
    assert!(html.contains("&lt;script&gt;alert(&#39;1&#39;)") && !html.contains("<script>alert"));
    assert!(html.contains("&quot;Ann&quot; &amp; \u{1f98a}"), "{html}");
    let policy = page.headers["content-security-policy"].to_str().expect("visible");
    assert!(policy.starts_with("default-src 'none'; ") && !policy.contains("unsafe"), "{policy}");
    let told = |html: &str, property: &str| {
        let start = format!("<meta property=\"{property}\" content=\"");
        let rest = html.split_once(&start)?.1;
        Some(rest.split_once('"')?.0.to_owned())
    };
    assert!(told(&html, "og:title").expect("a title").starts_with("Mountebank: "));
    // The service may be below a path that it does not know.
    let [application, picture] = [format!("href=\"../#/{}\"", it.name), "src=\"../m/".to_owned()];
    assert!(html.contains(&application) && html.contains(&picture), "{html}");
    assert_eq!(
        told(&html, "og:url").expect("it names itself"),
        format!("https://play.example{link}")
    );
    let picture = told(&html, "og:image").expect("a picture");
    let path = picture.strip_prefix("https://play.example").expect("an absolute address");
    let picture = get_page(&stranger, path).await;
    assert_eq!(size(&picture.body), (1200, 630));
    let spectator = GetTableImageRequest { viewer: "spectator".to_owned(), ..image(&it.name) };
    assert_eq!(drawn(&key, &spectator).await.1, picture.body, "as a spectator sees it");

    // A match of a platform that is not shown, and one that does not exist, look alike.
    let hidden = create(&foreign, &new).await;
    let (hidden, missing) = (hidden.name.replacen("matches/", "", 1), uuid::Uuid::from_u128(7));
    let missing = missing.hyphenated().to_string();
    let pages = [&hidden, &missing].map(|id| (id, format!("/m/{id}")));
    let mut seen = Vec::new();
    for (id, link) in &pages {
        let page = get_page(&stranger, link).await;
        seen.push((page.status, text(&page).replace(id.as_str(), "ID")));
        let picture = get_page(&stranger, &format!("{link}/table.png")).await;
        assert_eq!((picture.status.as_u16(), picture.body.len()), (404, 0));
    }
    assert_eq!(seen[0], seen[1]);
    assert!(!seen[0].1.contains("Ann") && !seen[0].1.contains("Mountebank"), "{}", seen[0].1);
    assert!(!seen[0].1.contains("og:image"));
    let strange = text(&get_page(&stranger, "/m/%22%3E%3Cscript%3E").await);
    assert!(!strange.contains("<script>\""), "{strange}");

    installation.service.restart_with(&[]).await;
    let closed = text(&get_page(&stranger, &link).await);
    assert!(!closed.contains("Ann") && !closed.contains("Mountebank"), "nobody is shown: {closed}");
    let picture = get_page(&stranger, &format!("{link}/table.png")).await;
    assert_eq!(picture.status.as_u16(), 404);
}

#[tokio::test]
async fn every_game_has_a_link_and_a_picture() {
    let installation = Installation::open().await;
    let stranger = installation.client(Protocol::Rest).anonymous();
    let mut pictures = Vec::new();
    for game in games::GAMES {
        let page = text(&get_page(&stranger, &format!("/g/{}", game.name())).await);
        assert!(page.contains("og:image") && page.contains("summary_large_image"));
        let picture = get_page(&stranger, &format!("/g/{}/table.png", game.name())).await;
        assert_eq!(size(&picture.body), (1200, 630));
        assert!(!pictures.contains(&picture.body));
        pictures.push(picture.body);
    }
    // A link to a game that an operator added hands its fragment on, too.
    let other = get_page(&stranger, "/g/tarock").await;
    assert!(other.status.as_u16() == 200 && !text(&other).contains("og:image"));
    assert!(!text(&other).contains("tarock"));
    assert_eq!(get_page(&stranger, "/g/tarock/table.png").await.status.as_u16(), 404);
}
