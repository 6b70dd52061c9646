//! Lists, which page by themselves.

use std::vec;

use contract::v1::{
    Delivery, Entry, Game, ListDeliveriesRequest, ListEntriesRequest, ListGamesRequest,
    ListMatchesRequest, ListOpenMatchesRequest, ListRatingChangesRequest, ListSeeksRequest,
    ListStandingsRequest, ListSubscriptionsRequest, Match, RatingChange, SearchEntriesRequest,
    Seek, Standing, Subscription,
};
use contract::{InWords, Unary};

use crate::calls::Calls;
use crate::refusal::Refusal;

/// The request of a list that comes in pages.
pub trait Paged: Unary {
    /// What the list is of.
    type Item: 'static;

    /// What the page has, and the token of the next one.
    fn take(answer: Self::Answer) -> (Vec<Self::Item>, String);

    /// Where the request names the page.
    fn page_token(&mut self) -> &mut String;
}

macro_rules! paged {
    ($($Request:ident: $items:ident of $Item:ident),* $(,)?) => {$(
        impl Paged for $Request {
            type Item = $Item;

            fn take(answer: Self::Answer) -> (Vec<$Item>, String) {
                (answer.$items, answer.next_page_token)
            }

            fn page_token(&mut self) -> &mut String {
                &mut self.page_token
            }
        }
    )*};
}

paged! {
    ListDeliveriesRequest: deliveries of Delivery,
    ListEntriesRequest: entries of Entry,
    ListGamesRequest: games of Game,
    ListMatchesRequest: matches of Match,
    ListOpenMatchesRequest: matches of Match,
    ListRatingChangesRequest: rating_changes of RatingChange,
    ListSeeksRequest: seeks of Seek,
    ListStandingsRequest: standings of Standing,
    ListSubscriptionsRequest: subscriptions of Subscription,
    SearchEntriesRequest: entries of Entry,
}

/// The items of a list, one by one: `while let Some(it) = list.next().await? { … }`.
#[must_use = "a list is read by `next` or `all`"]
pub struct Pages<R: Paged> {
    calls: Calls,
    /// None once the last page was read.
    request: Option<R>,
    items: vec::IntoIter<R::Item>,
}

impl<R: Paged> Pages<R> {
    pub(crate) fn new(calls: &Calls, request: R) -> Pages<R> {
        Pages { calls: calls.clone(), request: Some(request), items: Vec::new().into_iter() }
    }

    /// Changes the request, before the first page.
    pub fn with(mut self, change: impl FnOnce(&mut R)) -> Pages<R> {
        if let Some(request) = &mut self.request {
            change(request);
        }
        self
    }

    /// The next item; none after the last. Cancelled, it loses nothing.
    pub async fn next(&mut self) -> Result<Option<R::Item>, Refusal> {
        loop {
            if let Some(item) = self.items.next() {
                return Ok(Some(item));
            }
            let Some(request) = &mut self.request else { return Ok(None) };
            let (items, token) = R::take(self.calls.call(request.clone()).await?);
            self.items = items.into_iter();
            match token.is_empty() {
                true => self.request = None,
                false => *request.page_token() = token,
            }
        }
    }

    /// All items that are left.
    pub async fn all(mut self) -> Result<Vec<R::Item>, Refusal> {
        let mut all = Vec::new();
        while let Some(item) = self.next().await? {
            all.push(item);
        }
        Ok(all)
    }
}

impl<R: Paged + InWords> Pages<R> {
    /// Sets the language of its texts, as a BCP 47 tag such as `de`, instead of that of the client.
    pub fn language(self, language: &str) -> Pages<R> {
        self.with(|request| request.set_language(language))
    }
}
