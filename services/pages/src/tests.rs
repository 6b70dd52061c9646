//! The responses of a site with a few files.

use std::fs;

use axum::Router;
use axum::body::Body;
use bytes::Bytes;
use http::{Request, Response};
use http_body_util::BodyExt;
use tower::ServiceExt;

use crate::{Options, Pages, Site};

const SCRIPT: &str = "export const nothing = 0;\n";

/// Stands for a compressed file, which a site does not look into.
const BROTLI: &str = "brotli";

fn site(options: &Options) -> Router {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    write("index.html", "<!doctype html>");
    write("app-KZHREY6S.js", &SCRIPT.repeat(100));
    write("components.js", SCRIPT);
    write("large-KZHREY6S.js", &SCRIPT.repeat(100));
    write("large-KZHREY6S.js.br", BROTLI);
    write("mark.svg", "<svg/>");
    write("docs/index.html", "<!doctype html>");
    write("docs/a {b}.html", "<!doctype html>");
    write("v1/hidden.js", SCRIPT);
    let pages = Pages::of_folder(folder.path()).expect("it is there");
    Site::new(&pages, options).router(|path| !path.starts_with("/v1/"))
}

async fn ask(site: &Router, method: &str, path: &str, headers: &[(&str, &str)]) -> Response<Body> {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Body::empty()).expect("a request");
    site.clone().oneshot(request).await.expect("an answer")
}

async fn get(path: &str) -> Response<Body> {
    ask(&site(&Options::default()), "GET", path, &[]).await
}

async fn body(response: Response<Body>) -> Bytes {
    response.into_body().collect().await.expect("a body").to_bytes()
}

#[tokio::test]
async fn a_file_has_its_type_and_its_time_in_caches() {
    for (path, content_type, caching) in [
        ("/index.html", "text/html; charset=utf-8", "no-cache"),
        ("/docs/", "text/html; charset=utf-8", "no-cache"),
        ("/docs/a%20%7Bb%7D.html", "text/html; charset=utf-8", "no-cache"),
        ("/app-KZHREY6S.js", "text/javascript; charset=utf-8", FOR_GOOD),
        ("/components.js", "text/javascript; charset=utf-8", "public, max-age=300"),
        ("/mark.svg", "image/svg+xml", "public, max-age=300"),
    ] {
        let response = get(path).await;
        assert_eq!(response.status(), 200, "{path}");
        assert_eq!(response.headers()["content-type"], content_type, "{path}");
        assert_eq!(response.headers()["cache-control"], caching, "{path}");
        assert_eq!(response.headers()["x-content-type-options"], "nosniff", "{path}");
        assert_eq!(response.headers()["referrer-policy"], "no-referrer", "{path}");
        let is_page = content_type.starts_with("text/html");
        assert_eq!(response.headers().contains_key("content-security-policy"), is_page, "{path}");
    }
}

const FOR_GOOD: &str = "public, max-age=31536000, immutable";

#[tokio::test]
async fn nothing_else_is_answered() {
    for path in [
        "/",
        "/v1/hidden.js",
        "/v1/",
        "/docs/none.html",
        "/../Cargo.toml",
        "/docs/../index.html",
        "/docs/..%2findex.html",
        "/%2e%2e/Cargo.toml",
        "//index.html",
        "/docs//index.html",
        "/index.html/",
        "/index.html%00",
    ] {
        assert_eq!(get(path).await.status(), 404, "{path}");
    }
}

#[tokio::test]
async fn a_folder_without_its_slash_leads_to_its_page() {
    let response = get("/docs").await;
    assert_eq!(
        (response.status().as_u16(), &response.headers()["location"]),
        (308, &"/docs/".parse().expect("a value"))
    );
}

#[tokio::test]
async fn a_known_file_is_not_sent_again() {
    let site = site(&Options::default());
    let first = ask(&site, "GET", "/app-KZHREY6S.js", &[]).await;
    let tag = first.headers()["etag"].to_str().expect("text").to_owned();
    for known in [&tag, tag.trim_start_matches("W/"), "*", &format!("\"x\", {tag}")] {
        let again = ask(&site, "GET", "/app-KZHREY6S.js", &[("if-none-match", known)]).await;
        assert_eq!(
            (again.status().as_u16(), &again.headers()["etag"]),
            (304, &first.headers()["etag"])
        );
        assert!(body(again).await.is_empty());
    }
    let other = ask(&site, "GET", "/app-KZHREY6S.js", &[("if-none-match", "\"x\"")]).await;
    assert_eq!(other.status(), 200);
}

#[tokio::test]
async fn a_long_text_is_compressed_where_that_is_accepted() {
    let site = site(&Options::default());
    for (accepted, is_gzip) in [
        ("gzip", true),
        ("br, GZIP;q=0.5", true),
        ("*", true),
        ("gzip;q=0, *", false),
        ("br", false),
        ("gzip;q=none", false),
    ] {
        let headers = [("accept-encoding", accepted)];
        let response = ask(&site, "GET", "/app-KZHREY6S.js", &headers).await;
        assert_eq!(response.headers().contains_key("content-encoding"), is_gzip, "{accepted}");
        assert_eq!(response.headers()["vary"], "accept-encoding");
        let sent = body(response).await;
        if is_gzip {
            let mut text = String::new();
            let mut decoder = flate2::read::GzDecoder::new(&sent[..]);
            std::io::Read::read_to_string(&mut decoder, &mut text).expect("it is gzip");
            assert_eq!(text, SCRIPT.repeat(100));
        } else {
            assert_eq!(sent, SCRIPT.repeat(100));
        }
    }
    for (accepted, coding) in [
        ("gzip, deflate, br", Some("br")),
        ("*", Some("br")),
        ("br;q=0, gzip", Some("gzip")),
        ("gzip", Some("gzip")),
        ("deflate", None),
    ] {
        let headers = [("accept-encoding", accepted)];
        let response = ask(&site, "GET", "/large-KZHREY6S.js", &headers).await;
        let sent = response.headers().get("content-encoding").map(|it| it.to_str().expect("text"));
        assert_eq!(sent, coding, "{accepted}");
        assert_eq!(response.headers()["content-type"], "text/javascript; charset=utf-8");
        assert_eq!(body(response).await == BROTLI, coding == Some("br"), "{accepted}");
    }
    assert_eq!(ask(&site, "GET", "/large-KZHREY6S.js.br", &[]).await.status(), 404);
    let short = ask(&site, "GET", "/components.js", &[("accept-encoding", "gzip")]).await;
    assert!(!short.headers().contains_key("content-encoding"));
}

#[tokio::test]
async fn head_is_get_without_a_body() {
    let site = site(&Options::default());
    let head = ask(&site, "HEAD", "/app-KZHREY6S.js", &[]).await;
    let get = ask(&site, "GET", "/app-KZHREY6S.js", &[]).await;
    assert_eq!(head.status(), 200);
    assert_eq!(head.headers()["content-type"], get.headers()["content-type"]);
    assert_eq!(head.headers()["content-length"], (SCRIPT.len() * 100).to_string().as_str());
    assert!(body(head).await.is_empty());
    assert_eq!(ask(&site, "POST", "/app-KZHREY6S.js", &[]).await.status(), 405);
}

#[tokio::test]
async fn only_named_origins_frame_a_page_and_load_a_file() {
    let options = Options {
        frame_origins: vec!["https://play.example".to_owned(), "https://a.example".to_owned()],
        shared: vec!["components.js".to_owned()],
    };
    for (options, framed_by, resource_policy) in [
        (Options::default(), "frame-ancestors 'none'", "same-origin"),
        (options, "frame-ancestors https://play.example https://a.example", "cross-origin"),
    ] {
        let site = site(&options);
        let page = ask(&site, "GET", "/index.html", &[]).await;
        let policy = page.headers()["content-security-policy"].to_str().expect("text");
        assert!(policy.ends_with(framed_by), "{policy}");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"));
        let script = ask(&site, "GET", "/components.js", &[]).await;
        assert_eq!(script.headers()["cross-origin-resource-policy"], resource_policy);
        let is_shared = script.headers().contains_key("access-control-allow-origin");
        assert_eq!(is_shared, resource_policy == "cross-origin");
        let other = ask(&site, "GET", "/app-KZHREY6S.js", &[]).await;
        assert_eq!(other.headers()["cross-origin-resource-policy"], "same-origin");
    }
}
