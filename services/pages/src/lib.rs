//! A folder of files as web pages: types, entity tags, compression, caching, and the headers that
//! keep a page to itself.
//!
//! The files are read once ([`Pages`]), so no path of a request ever reaches the file system.
//! [`Site`] answers for them.

mod file;
mod headers;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::{fs, io};

use axum::Router;
use axum::response::{Redirect, Response};
use axum::routing::get;
use bytes::Bytes;
use http::HeaderMap;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use rust_embed::RustEmbed;

use file::File;
pub use headers::Options;

/// The pages as they were built with this program. A build for development reads them when the
/// program starts.
#[derive(RustEmbed)]
#[folder = "../../clients/web/dist"]
#[allow_missing = true]
struct Embedded;

/// Files, by their paths below the folder, such as `docs/index.html`.
#[derive(Clone, Debug, Default)]
pub struct Pages(Arc<BTreeMap<String, Bytes>>);

impl Pages {
    /// The pages that this program contains; none if they were not built before it.
    pub fn embedded() -> Pages {
        let files = Embedded::iter().filter_map(|path| {
            let bytes = Bytes::from(Embedded::get(&path)?.data.into_owned());
            Some((path.into_owned(), bytes))
        });
        Pages(Arc::new(files.collect()))
    }

    /// The pages in a folder and those below it.
    pub fn of_folder(folder: &Path) -> io::Result<Pages> {
        let mut files = BTreeMap::new();
        read(folder, "", &mut files)?;
        Ok(Pages(Arc::new(files)))
    }
}

/// Adds the files of a folder whose own path below the first one ends with a slash, or is empty.
fn read(folder: &Path, path: &str, files: &mut BTreeMap<String, Bytes>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{path}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            read(&entry.path(), &format!("{path}/"), files)?;
        } else {
            files.insert(path, fs::read(entry.path())?.into());
        }
    }
    Ok(())
}

/// What answers for pages.
#[derive(Clone)]
pub struct Site(Arc<BTreeMap<String, File>>);

/// The page of a folder.
const INDEX: &str = "index.html";

impl Site {
    pub fn new(pages: &Pages, options: &Options) -> Site {
        let files = pages.0.iter();
        let files = files.map(|(path, bytes)| (path.clone(), File::new(path, bytes, options)));
        Site(Arc::new(files.collect()))
    }

    /// The paths at which [`Site::router`] answers, such as `/docs/` and `/docs/index.html`.
    pub fn paths(&self) -> impl Iterator<Item = String> {
        self.0.keys().flat_map(|file| {
            let of_folder = file.strip_suffix(INDEX).filter(|it| it.ends_with('/'));
            [Some(file.as_str()), of_folder].into_iter().flatten().map(|path| format!("/{path}"))
        })
    }

    /// Answers at each path for which `may_answer`, and at no other. It leaves `/` to its caller.
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

    /// Answers with the first page, unless there is none.
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

/// What stays as it is in the path of a URL. Braces and the like would mean something to a router.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'/').remove(b'_');

fn encoded(path: &str) -> String {
    utf8_percent_encode(path, PLAIN).to_string()
}

#[cfg(test)]
mod tests;
