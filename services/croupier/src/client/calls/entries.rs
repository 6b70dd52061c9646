//! Calls about entries: read and watched.

use contract::v1::{Entry, GetEntryRequest, ListEntriesRequest, WatchEntriesRequest};

use crate::client::calling::{Client, Following, of_match};
use crate::client::error::Error;

/// Entries per page.
const PAGE: i32 = 500;

impl Client {
    pub async fn entry(&self, name: &str, position: i32, viewer: &str) -> Result<Entry, Error> {
        let request = GetEntryRequest {
            name: format!("{name}/entries/{position}"),
            viewer: viewer.to_owned(),
            ..GetEntryRequest::default()
        };
        self.call_in_words(&request).await?.entry.ok_or(Error::Empty)
    }

    /// Calls `take` with every entry recorded so far, in order.
    pub async fn each_entry<E: From<Error>>(
        &self,
        name: &str,
        viewer: &str,
        mut take: impl FnMut(&Entry) -> Result<(), E>,
    ) -> Result<(), E> {
        let (parent, viewer) = (name.to_owned(), viewer.to_owned());
        let mut request =
            ListEntriesRequest { parent, viewer, page_size: PAGE, ..ListEntriesRequest::default() };
        loop {
            let page = self.call_in_words(&request).await?;
            page.entries.iter().try_for_each(&mut take)?;
            if page.next_page_token.is_empty() {
                return Ok(());
            }
            request.page_token = page.next_page_token;
        }
    }

    /// The record of a match that is revealed.
    pub async fn record(&self, name: &str) -> Result<String, Error> {
        let record = self.croupier.match_named(name).record().await;
        of_match(name, record.map_err(|refusal| self.error(refusal)))
    }

    /// The entries after a position, until the match has ended.
    pub fn watch(&self, name: &str, after: i32, viewer: &str) -> Following<WatchEntriesRequest> {
        self.follow(WatchEntriesRequest {
            parent: name.to_owned(),
            after_position: after,
            viewer: viewer.to_owned(),
            ..WatchEntriesRequest::default()
        })
    }
}
