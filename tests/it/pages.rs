//! The pages that browsers are shown: what a browser may do with them, and that they are in
//! nobody's way.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use bytes::Bytes;
use http::{Method, Request};
use http_body_util::Full;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::process::Command;
use tokio::time::timeout;

use crate::harness::*;

const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

const SCRIPT: &str = "export const nothing = 0; // a script that is worth compressing\n";

const APP: &str = "/app-KZHREY6S.js";

/// Serves these pages.
async fn open(arguments: &[&'static str]) -> Installation {
    let mut installation = Installation::open().await;
    let folder = installation.service.folder.join("pages");
    let write = |path: &str, text: &str| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    write("index.html", "<!doctype html><title>the application</title>");
    write("app-KZHREY6S.js", &SCRIPT.repeat(50));
    write("croupier.js", SCRIPT);
    write("docs/index.html", "<!doctype html><title>the guides</title>");
    write("docs/games/mountebank.html", "<!doctype html><title>a guide</title>");
    // What would hide the API is not served.
    write("docs/errors.md", "not the errors");
    write("openapi.json", "\"not the document\"");
    write("livez", "not alive");
    write("v1/games", "\"no games\"");
    write("croupier.v1.GameService/ListGames", "\"no games\"");
    installation.service.restart_with(arguments).await;
    installation
}

async fn ask(client: &Client, method: Method, path: &str, headers: &[(&str, &str)]) -> RawResponse {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    client.send(request.body(Full::default()).expect("a request")).await.expect("an answer")
}

async fn get(client: &Client, path: &str) -> RawResponse {
    ask(client, Method::GET, path, &[("accept", BROWSER)]).await
}

fn text(response: &RawResponse) -> String {
    String::from_utf8(response.body.to_vec()).expect("UTF-8")
}

/// The header's value; empty if there is none.
fn header<'r>(response: &'r RawResponse, name: &str) -> &'r str {
    response.headers.get(name).map_or("", |value| value.to_str().expect("visible"))
}

#[tokio::test]
async fn browsers_get_the_application_and_programs_what_answers_here() {
    let installation = open(&[]).await;
    for protocol in [Protocol::Rest, Protocol::Grpc] {
        let client = installation.client(protocol).anonymous();
        let page = get(&client, "/").await;
        assert_eq!(
            (page.status.as_u16(), header(&page, "content-type")),
            (200, "text/html; charset=utf-8")
        );
        assert!(text(&page).contains("the application"));
        assert_eq!(header(&page, "cache-control"), "no-cache");
        assert_eq!(header(&page, "vary"), "accept");
        let json = ask(&client, Method::GET, "/", &[("accept", "*/*")]).await;
        let json: Value = serde_json::from_slice(&json.body).expect("JSON");
        assert_eq!(json["openapi"], "/openapi.json");
        assert!(text(&get(&client, "/docs/").await).contains("the guides"));
        let docs = get(&client, "/docs").await;
        assert_eq!((docs.status.as_u16(), header(&docs, "location")), (308, "/docs/"));
    }
}

#[tokio::test]
async fn pages_need_no_credentials_and_ignore_them() {
    let installation = open(&[]).await;
    let client = installation.client(Protocol::Rest);
    for client in [client.anonymous(), client.holding("nonsense")] {
        for path in ["/", "/croupier.js", APP, "/docs/games/mountebank.html"] {
            assert_eq!(get(&client, path).await.status.as_u16(), 200, "{path}");
        }
    }
}

#[tokio::test]
async fn no_page_hides_a_path_of_the_api() {
    let installation = open(&[]).await;
    let client = installation.client(Protocol::Rest).anonymous();
    let games: Value = serde_json::from_slice(&get(&client, "/v1/games").await.body).expect("JSON");
    assert_eq!(games["games"].as_array().map(Vec::len), Some(5));
    let document = get(&client, "/openapi.json").await;
    assert!(text(&document).contains("\"3.1"));
    assert!(text(&get(&client, "/docs/errors.md").await).contains("REQUEST"));
    assert!(!text(&get(&client, "/livez").await).contains("not alive"));
    let connect = Request::post("/croupier.v1.GameService/ListGames");
    let connect = connect.header("content-type", "application/json");
    let connect = connect.body(Full::new(Bytes::from_static(b"{}"))).expect("a request");
    let answer = client.send(connect).await.expect("an answer");
    assert!(text(&answer).contains("games/mountebank"));
}

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' data:; manifest-src 'self'; worker-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors ";

#[tokio::test]
async fn a_page_may_do_little_and_is_framed_by_whom_the_operator_names() {
    for (arguments, framed_by) in [
        (&[][..], "'none'"),
        (
            &["--frame-origin", "https://play.example", "--frame-origin=http://localhost:8080"],
            "https://play.example http://localhost:8080",
        ),
    ] {
        let installation = open(arguments).await;
        let client = installation.client(Protocol::Rest).anonymous();
        for path in
            ["/", "/index.html", "/docs/", "/docs/index.html", "/docs/games/mountebank.html"]
        {
            let page = get(&client, path).await;
            assert_eq!(header(&page, "content-security-policy"), format!("{POLICY}{framed_by}"));
            assert_eq!(header(&page, "x-content-type-options"), "nosniff");
            assert_eq!(header(&page, "referrer-policy"), "no-referrer");
            assert!(header(&page, "permissions-policy").contains("camera=()"));
        }
        let link = get(&client, "/g/mountebank").await;
        let policy = header(&link, "content-security-policy");
        assert!(policy.ends_with(&format!("; frame-ancestors {framed_by}")), "{policy}");
    }
}

#[tokio::test]
async fn an_origin_that_would_change_the_policy_is_refused() {
    for origin in ["https://a.example; script-src *", "*", "https://a.example/x", "a.example", ""] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
        command.args(["serve", "--frame-origin", origin]).stdin(Stdio::null()).kill_on_drop(true);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let status = timeout(PATIENCE, command.status()).await.expect("in time").expect("it runs");
        assert_eq!(status.code(), Some(2), "{origin}");
    }
}

#[tokio::test]
async fn pages_of_any_origin_load_the_components_and_nothing_else() {
    let installation = open(&[]).await;
    let client = installation.client(Protocol::Rest).anonymous();
    let client = client.with_header("origin", "https://play.example");
    let components = get(&client, "/croupier.js").await;
    assert_eq!(header(&components, "access-control-allow-origin"), "*");
    assert_eq!(header(&components, "cross-origin-resource-policy"), "cross-origin");
    assert_eq!(header(&components, "content-type"), "text/javascript; charset=utf-8");
    assert_eq!(header(&components, "cache-control"), "public, max-age=300");
    for path in ["/", APP] {
        let response = get(&client, path).await;
        assert_eq!(header(&response, "access-control-allow-origin"), "");
        assert_eq!(header(&response, "cross-origin-resource-policy"), "same-origin");
    }
}

#[tokio::test]
async fn what_a_browser_has_is_not_sent_again() {
    let installation = open(&[]).await;
    let client = installation.client(Protocol::Rest).anonymous();
    for path in ["/", APP] {
        let first = get(&client, path).await;
        let headers = [("accept", BROWSER), ("if-none-match", header(&first, "etag"))];
        let again = ask(&client, Method::GET, path, &headers).await;
        assert_eq!((again.status.as_u16(), again.body.len()), (304, 0), "{path}");
        assert_eq!(header(&again, "cache-control"), header(&first, "cache-control"));
    }
    let script = get(&client, APP).await;
    assert_eq!(header(&script, "cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(text(&script), SCRIPT.repeat(50));
    let gzip = ask(&client, Method::GET, APP, &[("accept-encoding", "br, gzip")]).await;
    assert_eq!(header(&gzip, "content-encoding"), "gzip");
    assert!(gzip.body.starts_with(&[0x1f, 0x8b]) && gzip.body.len() < script.body.len() / 10);
    for path in ["/", APP] {
        let head = ask(&client, Method::HEAD, path, &[("accept", BROWSER)]).await;
        let whole = get(&client, path).await;
        assert_eq!((head.status.as_u16(), head.body.len()), (200, 0));
        assert_eq!(header(&head, "content-length"), whole.body.len().to_string());
        assert_eq!(header(&head, "etag"), header(&whole, "etag"));
    }
}

/// A path of a request, exactly as it is written here, reaches no file outside the pages.
#[tokio::test]
async fn no_path_leads_out_of_the_folder() {
    let installation = open(&[]).await;
    let above = installation.service.folder.join("local.key");
    assert!(above.exists(), "there is something to reach");
    for path in [
        "/../local.key",
        "/docs/../../local.key",
        "/%2e%2e/local.key",
        "/..%2flocal.key",
        "/..%5clocal.key",
        "/docs/..%2f..%2flocal.key",
        "/.%00./local.key",
        "//local.key",
        absolute(&above).as_str(),
        &format!("/{}", absolute(&above)),
    ] {
        let answer = raw(installation.service.port(), path).await;
        let status = answer.split(' ').nth(1).unwrap_or_default();
        assert!(["400", "404"].contains(&status), "{path}: {answer}");
        assert!(!answer.contains("croupier_local_"), "{path}");
    }
}

fn absolute(path: &Path) -> String {
    path.display().to_string()
}

/// Clients would tidy the path.
async fn raw(port: u16, path: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.expect("it listens");
    let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("it reads");
    let mut answer = Vec::new();
    timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("in time").expect("an answer");
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn without_pages_the_first_one_says_how_to_get_them() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest).anonymous();
    let page = get(&client, "/").await;
    assert!(text(&page).contains("make run"));
    assert!(header(&page, "content-security-policy").starts_with("default-src 'none'; style-src "));
    assert_eq!(get(&client, "/croupier.js").await.status.as_u16(), 404);
}

#[tokio::test]
async fn a_folder_of_pages_that_is_missing_is_named() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
    command.args(["serve", "--listen", "127.0.0.1:0", "--pages", "/nowhere/pages"]);
    command.stdin(Stdio::null()).kill_on_drop(true);
    let output = timeout(PATIENCE, command.output()).await.expect("in time").expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("/nowhere/pages"), "{said}");
}
