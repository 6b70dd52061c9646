//! Calls about entries: read, watched, searched.

use contract::v1::entry_service_client::EntryServiceClient;
use contract::v1::search_service_client::SearchServiceClient;
use contract::v1::{
    Entry, GetEntryRequest, ListEntriesRequest, ReadRecordRequest, SearchEntriesRequest,
    SearchEntriesResponse, WatchEntriesRequest, WatchEntriesResponse,
};
use tonic::{Response, Status, Streaming};

use crate::client::{Authorized, Client, of_match};
use crate::error::Error;
use crate::retry::Retry;

/// Entries per page.
const PAGE: i32 = 500;

impl Client {
    pub async fn entry(&self, name: &str, position: i32, viewer: &str) -> Result<Entry, Error> {
        let request = GetEntryRequest {
            name: format!("{name}/entries/{position}"),
            viewer: viewer.to_owned(),
            ..GetEntryRequest::default()
        };
        let call = async || self.entries().get_entry(self.in_words(&request)).await;
        self.retry(call).await?.entry.ok_or(Error::Empty)
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
            let page = self
                .retry(async || self.entries().list_entries(self.in_words(&request)).await)
                .await?;
            page.entries.iter().try_for_each(&mut take)?;
            if page.next_page_token.is_empty() {
                return Ok(());
            }
            request.page_token = page.next_page_token;
        }
    }

    /// Calls `take` with every line of the record of a match that is revealed, in order and without
    /// line feeds. An interrupted record is read again, skipping the lines already taken: the
    /// record of an ended match never changes.
    pub async fn each_record_line<E: From<Error>>(
        &self,
        name: &str,
        mut take: impl FnMut(String) -> Result<(), E>,
    ) -> Result<(), E> {
        let request = ReadRecordRequest { name: format!("{name}/record") };
        let (mut taken, mut retry) = (0, Retry::default());
        loop {
            let mut skip = taken;
            let call = async || self.entries().read_record(request.clone()).await;
            let mut stream = of_match(name, self.retry(call).await)?;
            let interrupted = loop {
                match stream.message().await {
                    Ok(Some(page)) => {
                        for line in page.lines {
                            match skip {
                                0 => {
                                    take(line)?;
                                    taken += 1;
                                    retry.reset();
                                }
                                _ => skip -= 1,
                            }
                        }
                    }
                    Ok(None) => return Ok(()),
                    Err(status) => break status,
                }
            };
            retry.after(interrupted).await.map_err(|status| self.error(&status))?;
        }
    }

    /// Opens the stream of entries after a position. Retrying is the caller's task.
    pub async fn watch(
        &self,
        name: &str,
        after: i32,
        viewer: &str,
    ) -> Result<Streaming<WatchEntriesResponse>, Status> {
        let request = WatchEntriesRequest {
            parent: name.to_owned(),
            after_position: after,
            viewer: viewer.to_owned(),
            language: self.language.clone(),
        };
        self.entries().watch_entries(request).await.map(Response::into_inner)
    }

    pub async fn search(
        &self,
        request: &SearchEntriesRequest,
    ) -> Result<SearchEntriesResponse, Error> {
        let call = async || self.searches().search_entries(self.in_words(request)).await;
        self.retry(call).await
    }

    fn entries(&self) -> EntryServiceClient<Authorized> {
        EntryServiceClient::new(self.channel.clone())
    }

    fn searches(&self) -> SearchServiceClient<Authorized> {
        SearchServiceClient::new(self.channel.clone())
    }
}
