//! The connection to the service, and calls that are retried until their outcome is known.

use std::time::Duration;

use contract::InWords;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Channel;
use tonic::{Request, Response, Status};

use crate::error::Error;
use crate::retry::Retry;
use crate::service::Service;

/// The timeout of one attempt. The service's own limits are well below it.
const ATTEMPT_WAIT_MAX: Duration = Duration::from_secs(20);

/// A connection that reconnects by itself. Cheap to clone.
#[derive(Clone)]
pub struct Client {
    address: String,
    pub(crate) channel: Authorized,
    /// The language of texts; empty for none.
    pub(crate) language: String,
}

pub(crate) type Authorized = InterceptedService<Channel, Bearer>;

#[derive(Clone)]
pub(crate) struct Bearer(MetadataValue<Ascii>);

impl tonic::service::Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        request.metadata_mut().insert("authorization", self.0.clone());
        Ok(request)
    }
}

impl Client {
    /// Fails at once if no service answers; only later calls are retried.
    pub async fn connect(service: &Service) -> Result<Client, Error> {
        let address = service.address.clone();
        let channel = service.endpoint()?.keep_alive_while_idle(true).connect().await;
        let channel = channel.map_err(|source| Error::of_connecting(&service.address, source))?;
        let bearer = Bearer(service.bearer()?);
        let channel = InterceptedService::new(channel, bearer);
        Ok(Client { address, channel, language: service.language() })
    }

    /// The same client for output that programs read: it asks for texts only if a language is
    /// named.
    pub fn for_programs(self, service: &Service) -> Client {
        match service.language {
            Some(_) => self,
            None => self.without_texts(),
        }
    }

    /// The same client, which asks for no texts: the service need not make them.
    pub fn without_texts(self) -> Client {
        Client { language: String::new(), ..self }
    }

    /// The error that a status stands for.
    pub fn error(&self, status: &Status) -> Error {
        Error::of_status(status, &self.address)
    }

    /// A request that asks for texts.
    pub(crate) fn in_words<T: InWords + Clone>(&self, message: &T) -> Request<T> {
        let mut message = message.clone();
        message.set_language(&self.language);
        request_of(&message)
    }

    /// Retries a call, which must be idempotent, while its failures are temporary.
    pub(crate) async fn retry<T>(
        &self,
        call: impl AsyncFn() -> Result<Response<T>, Status>,
    ) -> Result<T, Error> {
        let mut retry = Retry::default();
        loop {
            match call().await {
                Ok(response) => {
                    retry.reset();
                    return Ok(response.into_inner());
                }
                Err(status) => retry.after(status).await.map_err(|status| self.error(&status))?,
            }
        }
    }
}

/// The error for an unknown match names it.
pub(crate) fn of_match<T>(name: &str, outcome: Result<T, Error>) -> Result<T, Error> {
    match outcome {
        Err(error) if error.is("MATCH_NOT_FOUND") => Err(Error::UnknownMatch(name.to_owned())),
        outcome => outcome,
    }
}

pub(crate) fn request_of<T: Clone>(message: &T) -> Request<T> {
    let mut request = Request::new(message.clone());
    request.set_timeout(ATTEMPT_WAIT_MAX);
    request
}
