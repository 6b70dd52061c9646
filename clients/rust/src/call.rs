//! A call that is made when it is awaited.

use std::future::{Future, IntoFuture};
use std::pin::Pin;

use contract::{InWords, Unary};

use crate::calls::Calls;
use crate::refusal::Refusal;

/// A call of a handle, which is made when it is awaited: `seat.submit(draw).await?`.
///
/// Everything that the contract lets a caller choose can be set before, in the request itself:
/// `seat.submit(draw).with(|it| it.expected_position = Some(7)).await?`.
#[must_use = "a call is made when it is awaited"]
pub struct Call<R: Unary, T> {
    calls: Calls,
    request: R,
    take: fn(R::Answer) -> Option<T>,
}

impl<R: Unary, T> Call<R, T> {
    pub(crate) fn new(calls: &Calls, request: R, take: fn(R::Answer) -> Option<T>) -> Call<R, T> {
        Call { calls: calls.clone(), request, take }
    }

    /// Changes the request.
    pub fn with(mut self, change: impl FnOnce(&mut R)) -> Call<R, T> {
        change(&mut self.request);
        self
    }

    /// The request, not sent: such as an action for [`Play`](crate::Play).
    pub fn into_request(self) -> R {
        self.request
    }

    /// Sets the idempotency key, where the request has one: a request that is sent again with the
    /// same one has its effect once. Without it, each call makes one of its own.
    pub fn request_id(mut self, id: impl Into<String>) -> Call<R, T> {
        if let Some(request_id) = self.request.request_id() {
            *request_id = id.into();
        }
        self
    }
}

impl<R: Unary + InWords, T> Call<R, T> {
    /// Sets the language of its texts, as a BCP 47 tag such as `de`, instead of that of the client.
    pub fn language(self, language: &str) -> Call<R, T> {
        self.with(|request| request.set_language(language))
    }
}

impl<R: Unary, T: 'static> IntoFuture for Call<R, T> {
    type Output = Result<T, Refusal>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        let Call { calls, request, take } = self;
        Box::pin(async move { take(calls.call(request).await?).ok_or_else(Refusal::incomplete) })
    }
}
