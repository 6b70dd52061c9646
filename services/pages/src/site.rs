//! The routes of pages, and their responses.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::response::{Redirect, Response};
use axum::routing::get;
use http::HeaderMap;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::file::File;
use crate::{Options, Pages};

/// Answers requests for pages.
#[derive(Clone)]
pub struct Site(Arc<BTreeMap<String, File>>);

/// The file served for the path of its folder.
const INDEX: &str = "index.html";

/// What the name of a file as Brotli adds to the name of the file.
const BROTLI: &str = ".br";

impl Site {
    pub fn new(pages: &Pages, options: &Options) -> Site {
        let brotli = |path: &str| pages.0.get(&format!("{path}{BROTLI}"));
        let is_form_of =
            |path: &str| path.strip_suffix(BROTLI).is_some_and(|it| pages.0.contains_key(it));
        let files = pages.0.iter().filter(|(path, _)| !is_form_of(path));
        let files = files
            .map(|(path, bytes)| (path.clone(), File::new(path, bytes, brotli(path), options)));
        Site(Arc::new(files.collect()))
    }

    /// The paths at which [`Site::router`] answers, such as `/docs/` and `/docs/index.html`.
    pub fn paths(&self) -> impl Iterator<Item = String> {
        self.0.keys().flat_map(|file| {
            let of_folder = file.strip_suffix(INDEX).filter(|it| it.ends_with('/'));
            [Some(file.as_str()), of_folder].into_iter().flatten().map(|path| format!("/{path}"))
        })
    }

    /// Answers at each path for which `may_answer` returns true, and at no other. The caller
    /// answers at `/`, with [`Site::first_page`].
    pub fn router(&self, may_answer: impl Fn(&str) -> bool) -> Router {
        let mut router = Router::new();
        for path in self.paths().filter(|path| may_answer(path)) {
            let (site, file) = (self.clone(), file_at(&path));
            let answer = async move |headers: HeaderMap| {
                site.answer(&file, &headers).await.expect("the site has what it names")
            };
            router = router.route(&encoded(&path), get(answer));
            if let Some(folder) = path.strip_suffix('/').filter(|folder| may_answer(folder)) {
                let moved = Redirect::permanent(&encoded(&path));
                router = router.route(&encoded(folder), get(async || moved));
            }
        }
        router
    }

    /// The page of the root folder; `None` if there is no such page.
    pub async fn first_page(&self, headers: &HeaderMap) -> Option<Response> {
        self.answer(INDEX, headers).await
    }

    async fn answer(&self, file: &str, headers: &HeaderMap) -> Option<Response> {
        Some(self.0.get(file)?.answer(headers).await)
    }
}

fn file_at(path: &str) -> String {
    let index = if path.ends_with('/') { INDEX } else { "" };
    format!("{}{index}", path.trim_start_matches('/'))
}

/// The characters that are not escaped in the path of a URL. Braces, for example, are special to
/// the router.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'/').remove(b'_');

fn encoded(path: &str) -> String {
    utf8_percent_encode(path, PLAIN).to_string()
}
