//! The connection to the service, its calls, and its streams.

use contract::InWords;
use croupier_client::{Croupier, Refusal, Resume, Resumed, Unary};

use super::error::Error;
use super::loss::{Loss, WAIT_MAX};
use super::service::Service;

/// A connection that reconnects by itself. Cheap to clone.
#[derive(Clone)]
pub struct Client {
    pub(super) croupier: Croupier,
    loss: Loss,
    /// The language of texts; empty for none.
    language: String,
}

impl Client {
    /// Fails at once if no service answers; only later calls are retried.
    pub async fn connect(service: &Service) -> Result<Client, Error> {
        let (croupier, loss) = service.connect().await?;
        Ok(Client { croupier, loss, language: service.language() })
    }

    /// The same for an operator.
    pub async fn connect_as(service: &Service, operator_key: String) -> Result<Client, Error> {
        let (croupier, loss) = service.connect_as(operator_key).await?;
        Ok(Client { croupier, loss, language: String::new() })
    }

    /// The same client for output that programs read: it asks for texts only if a language is
    /// named, because the service need not make them otherwise.
    pub fn for_programs(self, service: &Service) -> Client {
        match service.language {
            Some(_) => self,
            None => Client { language: String::new(), ..self },
        }
    }

    /// Calls an rpc whose answer has no texts.
    pub(super) async fn call<R: Unary>(&self, request: &R) -> Result<R::Answer, Error> {
        self.croupier.call(request.clone()).await.map_err(|refusal| self.error(refusal))
    }

    /// Calls an rpc, and asks for texts.
    pub(super) async fn call_in_words<R>(&self, request: &R) -> Result<R::Answer, Error>
    where
        R: Unary + InWords,
    {
        self.call(&self.in_words(request.clone())).await
    }

    /// Follows a stream with texts across interruptions.
    pub(super) fn follow<R: Resume + InWords>(&self, request: R) -> Following<R> {
        let stream = self.croupier.stream(self.in_words(request));
        Following { stream, client: self.clone() }
    }

    pub(super) fn error(&self, refusal: Refusal) -> Error {
        Error::of_refusal(refusal, self.croupier.url())
    }

    fn in_words<R: InWords>(&self, mut request: R) -> R {
        request.set_language(&self.language);
        request
    }
}

/// The error for an unknown match names it.
pub(super) fn of_match<T>(name: &str, outcome: Result<T, Error>) -> Result<T, Error> {
    match outcome {
        Err(error) if error.is("MATCH_NOT_FOUND") => Err(Error::UnknownMatch(name.to_owned())),
        outcome => outcome,
    }
}

/// A stream that is resumed, but not for as long as the service may be away.
pub struct Following<R: Resume> {
    stream: Resumed<R>,
    client: Client,
}

impl<R: Resume> Following<R> {
    /// The next message, or `None` at the end. Fails if the service stays lost.
    pub async fn next(&mut self) -> Result<Option<R::Answer>, Error> {
        let outcome = tokio::select! {
            biased;
            outcome = self.stream.next() => outcome,
            refusal = self.client.loss.lasting(WAIT_MAX) => Err(refusal),
        };
        outcome.map_err(|refusal| self.client.error(refusal))
    }
}
