//! `MatchService.Play`: many actions in one stream.

use std::collections::HashMap;

use contract::v1::play_outcome::Outcome;
use contract::v1::{Entry, PlayOutcome, PlayRequest, PlayResponse, SubmitActionRequest};
use matches::{ActionStream, Submission, Submitted};
use narration::Language;
use prost::Message;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::{Status, Streaming};

use super::streaming::Answers;
use crate::answers::texts::Texts;
use crate::auth::{Auth, Credentials};
use crate::error::{DOMAIN, invalid, of};
use crate::requests::language;
use crate::requests::values::submission_from;

/// The maximum number of actions in one message: about a dozen kilobytes.
const ACTIONS_MAX: usize = 256;

/// The maximum number of actions whose outcome is not sent yet. It suffices to keep a few hundred
/// matches busy all the time.
const IN_FLIGHT_MAX: usize = 1024;

/// The maximum number of answers that wait to be sent. More of them would delay backpressure on a
/// slow reader.
const ANSWERS_MAX: usize = 4;

/// A client and its stream of actions.
pub(super) struct Player {
    auth: Auth,
    credentials: Credentials,
    stream: ActionStream,
    texts: Texts,
    /// The language of the call, and of actions in flight that ask for another.
    language: Option<Language>,
    languages: HashMap<i64, Language>,
    /// The outcomes that are not sent yet.
    outcomes: Vec<PlayOutcome>,
    /// The number of actions received in this stream.
    sent: i64,
}

impl Player {
    pub fn new(auth: Auth, credentials: Credentials, stream: ActionStream, texts: Texts) -> Player {
        Player {
            auth,
            credentials,
            stream,
            language: texts.language(),
            texts,
            languages: HashMap::new(),
            outcomes: Vec::new(),
            sent: 0,
        }
    }

    /// Processes actions until the client ends its side or `drain` is cancelled.
    ///
    /// It runs in a task of its own: actions in flight must not wait for a client that does not
    /// read, because other seats wait for them.
    pub fn play(
        self,
        requests: Streaming<PlayRequest>,
        drain: CancellationToken,
    ) -> Answers<PlayResponse> {
        let (answers, outgoing) = mpsc::channel(ANSWERS_MAX);
        #[expect(clippy::disallowed_methods, reason = "it ends with the stream")]
        tokio::spawn(self.run(requests, answers, drain));
        Box::pin(ReceiverStream::new(outgoing))
    }

    async fn run(
        mut self,
        mut requests: Streaming<PlayRequest>,
        answers: mpsc::Sender<Result<PlayResponse, Status>>,
        drain: CancellationToken,
    ) {
        // The end of the client's side, once it has ended.
        let mut end: Option<Result<(), Status>> = None;
        while end.is_none() || !self.stream.is_empty() || !self.outcomes.is_empty() {
            let has_room = self.stream.len() + self.outcomes.len() < IN_FLIGHT_MAX;
            tokio::select! {
                submitted = self.stream.outcomes(), if !self.stream.is_empty() => {
                    for it in submitted {
                        let outcome = self.outcome_of(it).await;
                        self.outcomes.push(outcome);
                    }
                }
                permit = answers.reserve(), if !self.outcomes.is_empty() => match permit {
                    Ok(permit) => permit.send(Ok(self.answer())),
                    Err(_gone) => return,
                },
                request = requests.message(), if end.is_none() && has_room => {
                    end = match request {
                        Ok(Some(request)) => self.take(request).err().map(Err),
                        Ok(None) => Some(Ok(())),
                        Err(status) => Some(Err(DOMAIN.adopt(status))),
                    };
                }
                () = drain.cancelled(), if end.is_none() => {
                    end = Some(Err(of(matches::Error::ShuttingDown)));
                }
                () = answers.closed() => return,
            }
        }
        if let Some(Err(status)) = end {
            let _ = answers.send(Err(status)).await;
        }
    }

    /// Submits the actions of a message; fails if the stream must end. The credentials are checked
    /// for each message, because the end of the answers does not reach a client that does not read.
    fn take(&mut self, request: PlayRequest) -> Result<(), Status> {
        self.auth.check(&mut self.credentials)?;
        self.stream.checked(&self.credentials.caller);
        if !(1..=ACTIONS_MAX).contains(&request.actions.len()) {
            return Err(invalid("actions", format!("a message has 1 to {ACTIONS_MAX} actions")));
        }
        for action in request.actions {
            match self.submission_from(action) {
                Ok(submission) => self.stream.submit(self.sent, submission),
                Err(status) => self.outcomes.push(outcome(self.sent, Err(status))),
            }
            self.sent += 1;
        }
        Ok(())
    }

    fn submission_from(&mut self, action: SubmitActionRequest) -> Result<Submission, Status> {
        if !action.language.is_empty() {
            self.languages.insert(self.sent, language::named(&action.language)?);
        }
        let submission = submission_from(action);
        if submission.is_err() {
            self.languages.remove(&self.sent);
        }
        submission
    }

    async fn outcome_of(&mut self, submitted: Submitted) -> PlayOutcome {
        let Submitted { number, match_id, seat, entry } = submitted;
        self.texts.set_language(self.languages.remove(&number).or(self.language));
        let entry = match entry {
            Ok(entry) => self.texts.entry(entry).await,
            Err(error) => Err(self.texts.refusal(error, Some(match_id), seat)),
        };
        outcome(number, entry)
    }

    /// The next message of outcomes.
    fn answer(&mut self) -> PlayResponse {
        let outcomes = match self.outcomes.len() {
            ..=ACTIONS_MAX => std::mem::take(&mut self.outcomes),
            _ => self.outcomes.drain(..ACTIONS_MAX).collect(),
        };
        PlayResponse { outcomes }
    }
}

fn outcome(index: i64, became: Result<Entry, Status>) -> PlayOutcome {
    let outcome = match became {
        Ok(entry) => Outcome::Entry(entry),
        Err(status) => Outcome::Error(error_of(&status)),
    };
    PlayOutcome { index, outcome: Some(outcome) }
}

/// The message that tonic sends as `grpc-status-details-bin`.
fn error_of(status: &Status) -> tonic_types::Status {
    let detailed = tonic_types::Status::decode(status.details());
    let detailed = detailed.ok().filter(|it| it.code == i32::from(status.code()));
    detailed.unwrap_or_else(|| tonic_types::Status {
        code: status.code().into(),
        message: status.message().to_owned(),
        details: Vec::new(),
    })
}
