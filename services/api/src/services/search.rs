//! `SearchService`: entries across matches.

use contract::v1::search_service_server::SearchService;
use contract::v1::*;
use tonic::{Request, Response, Status};

use super::calls::Calls;
use crate::answers::values::match_name;
use crate::error::of;
use crate::requests::filters::search_of;
use crate::requests::pages::page_size;

/// The default page size.
const PAGE_USUAL: usize = 100;

pub(crate) struct Searches {
    pub calls: Calls,
}

#[tonic::async_trait]
impl SearchService for Searches {
    async fn search_entries(
        &self,
        request: Request<SearchEntriesRequest>,
    ) -> Result<Response<SearchEntriesResponse>, Status> {
        let (caller, mut texts, mut request) = self.calls.open_in_words(request).await?;
        request.language.clear();
        let size = page_size(std::mem::take(&mut request.page_size), PAGE_USUAL)?;
        let consistency_token = std::mem::take(&mut request.consistency_token);
        let consistency_token = self.calls.consistency_token(&caller, &consistency_token).await?;
        let token = std::mem::take(&mut request.page_token);
        let query = self.calls.list_query(&caller, &request).await?;
        let after = query.parse_entries_token(&token)?;
        let search = search_of(request, &caller.platform)?;
        let page = self
            .calls
            .matches
            .search(&caller, search, consistency_token, after, size)
            .await
            .map_err(of)?;
        let next = page.next.map(|cursor| query.entries_token(cursor));
        let entries = texts.entries(page.entries).await?;
        let next_page_token = next.unwrap_or_default();
        let unreadable_matches = page.unreadable.into_iter().map(match_name).collect();
        Ok(Response::new(SearchEntriesResponse { entries, next_page_token, unreadable_matches }))
    }
}
