//! The start of every handler: the caller, the language and the request.

use contract::InWords;
use matches::{Caller, ConsistencyToken, Matches};
use prost::Message;
use tonic::metadata::MetadataMap;
use tonic::{Request, Status};
use uuid::Uuid;

use super::Unread;
use crate::answers::images::Images;
use crate::answers::texts::Texts;
use crate::auth::{Auth, Credentials, hold_until_answered};
use crate::error::of;
use crate::requests::cursors::Cursors;
use crate::requests::names::parse_entry;
use crate::requests::pages::ListQuery;

/// Opens the calls of every service. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Calls {
    pub auth: Auth,
    pub matches: Matches,
    pub unread: Unread,
    pub images: Images,
}

impl Calls {
    /// A call without texts: the caller, and the request.
    pub async fn open<T>(&self, request: Request<T>) -> Result<(Caller, T), Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        self.begin(&caller).await?;
        Ok((caller, request.into_inner()))
    }

    /// Like [`Calls::open`], for a call that writes something other than an entry.
    pub async fn open_to_write<T>(&self, request: Request<T>) -> Result<(Caller, T), Status> {
        let credentials = self.auth.credentials(request.metadata()).await?;
        self.begin(&credentials.caller).await?;
        self.auth.check_to_write(&credentials).await?;
        Ok((credentials.caller, request.into_inner()))
    }

    /// A call: the caller, the texts of the answer, and the request.
    pub async fn open_in_words<T: InWords>(
        &self,
        request: Request<T>,
    ) -> Result<(Caller, Texts, T), Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        self.begin(&caller).await?;
        let texts = self.texts(&caller, request.metadata(), request.get_ref().language())?;
        Ok((caller, texts, request.into_inner()))
    }

    /// Like [`Calls::open_in_words`], for an action, which waits for its turn where it is recorded.
    pub async fn open_to_act<T: InWords>(
        &self,
        request: Request<T>,
    ) -> Result<(Caller, Texts, T), Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let texts = self.texts(&caller, request.metadata(), request.get_ref().language())?;
        Ok((caller, texts, request.into_inner()))
    }

    /// Like [`Calls::open_in_words`], for a call that writes something other than an entry.
    pub async fn open_to_write_in_words<T: InWords>(
        &self,
        request: Request<T>,
    ) -> Result<(Caller, Texts, T), Status> {
        let credentials = self.auth.credentials(request.metadata()).await?;
        self.begin(&credentials.caller).await?;
        self.auth.check_to_write(&credentials).await?;
        let caller = credentials.caller;
        let texts = self.texts(&caller, request.metadata(), request.get_ref().language())?;
        Ok((caller, texts, request.into_inner()))
    }

    /// Like [`Calls::open_in_words`], for a call that tells of its credentials, or mints others.
    pub async fn open_with_credentials<T: InWords>(
        &self,
        request: Request<T>,
    ) -> Result<(Credentials, Texts, T), Status> {
        let credentials = self.auth.credentials(request.metadata()).await?;
        self.begin(&credentials.caller).await?;
        let language = request.get_ref().language();
        let texts = self.texts(&credentials.caller, request.metadata(), language)?;
        Ok((credentials, texts, request.into_inner()))
    }

    /// A call that is answered with a stream, which ends with the credentials of its caller.
    pub async fn open_stream<T: InWords>(
        &self,
        request: Request<T>,
    ) -> Result<(Credentials, Texts, T), Status> {
        let credentials = self.auth.credentials(request.metadata()).await?;
        let language = request.get_ref().language();
        let texts = self.texts(&credentials.caller, request.metadata(), language)?;
        Ok((credentials, texts.of_stream(), request.into_inner()))
    }

    /// Waits until a call may begin.
    async fn begin(&self, caller: &Caller) -> Result<(), Status> {
        if let Some(slot) = self.matches.budgets().begin(caller).await.map_err(of)? {
            hold_until_answered(slot);
        }
        Ok(())
    }

    /// The texts of a call. `language` is the one that its request names, empty for none.
    pub fn texts(
        &self,
        caller: &Caller,
        metadata: &MetadataMap,
        language: &str,
    ) -> Result<Texts, Status> {
        Texts::new(&self.matches, caller, metadata, language)
    }

    /// The id of the installation, from which keys of cursors and page tokens are derived.
    pub async fn installation(&self) -> Result<Uuid, Status> {
        self.matches.database().installation().await.map_err(|error| of(error.into()))
    }

    /// The cursors of the caller's platform.
    pub async fn cursors(&self, caller: &Caller) -> Result<Cursors, Status> {
        Ok(Cursors::of_stream(self.installation().await?, &caller.platform))
    }

    /// The query of a list request, which is without the fields that may differ from page to page.
    pub async fn list_query(
        &self,
        caller: &Caller,
        request: &impl Message,
    ) -> Result<ListQuery, Status> {
        Ok(ListQuery::new(self.installation().await?, &caller.platform, request))
    }

    /// The writes that an answer must include, if any: an entry, by its name, or a stream, by its
    /// cursor, which contains no slash.
    pub async fn consistency_token(
        &self,
        caller: &Caller,
        text: &str,
    ) -> Result<Option<ConsistencyToken>, Status> {
        if text.is_empty() {
            return Ok(None);
        }
        if text.contains('/') {
            let (match_id, position) = parse_entry("consistency_token", text)?;
            return Ok(Some(ConsistencyToken::Entry(match_id, position)));
        }
        let claims = self.cursors(caller).await?.read("consistency_token", text)?;
        Ok(Some(ConsistencyToken::Stream(Box::new(claims))))
    }
}
