//! `MatchService.Play`: many actions in one stream.

use matches::{ActionStream, Submitted};
use prost::Message;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::{Status, Streaming};

use super::answers::Answers;
use super::matches::submission_from;
use crate::auth::{Auth, Credentials};
use crate::error::{invalid, of};
use crate::render::entry_of;
use crate::v1::play_outcome::Outcome;
use crate::v1::{Entry, PlayOutcome, PlayRequest, PlayResponse};

/// The most actions in one message: about a dozen kilobytes.
const ACTIONS_MAX: usize = 256;

/// The most actions whose outcome is not sent yet. It suffices to keep a few hundred matches busy
/// all the time.
const IN_FLIGHT_MAX: usize = 1024;

/// The most answers that wait to be sent. The more there are, the later backpressure reaches a
/// client that reads slowly.
const ANSWERS_MAX: usize = 4;

/// A client and its stream of actions.
struct Player {
    auth: Auth,
    credentials: Credentials,
    stream: ActionStream,
    /// The outcomes that are not sent yet.
    outcomes: Vec<PlayOutcome>,
    /// The number of actions received in this stream.
    sent: i64,
}

/// Processes actions until the client ends its side or `drain` is cancelled.
///
/// It runs in a task of its own: actions in flight must not wait for a client that does not read,
/// because other seats wait for them.
pub(super) fn play(
    auth: Auth,
    credentials: Credentials,
    drain: CancellationToken,
    stream: ActionStream,
    requests: Streaming<PlayRequest>,
) -> Answers<PlayResponse> {
    let (answers, outgoing) = mpsc::channel(ANSWERS_MAX);
    let player = Player { auth, credentials, stream, outcomes: Vec::new(), sent: 0 };
    tokio::spawn(player.run(requests, answers, drain));
    Box::pin(ReceiverStream::new(outgoing))
}

impl Player {
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
                    self.outcomes.extend(submitted.into_iter().map(outcome_of));
                }
                permit = answers.reserve(), if !self.outcomes.is_empty() => match permit {
                    Ok(permit) => permit.send(Ok(self.answer())),
                    Err(_gone) => return,
                },
                request = requests.message(), if end.is_none() && has_room => {
                    end = match request {
                        Ok(Some(request)) => self.take(request).err().map(Err),
                        Ok(None) => Some(Ok(())),
                        Err(status) => Some(Err(status)),
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
    /// for each message: the end of the answers does not reach a client that does not read.
    fn take(&mut self, request: PlayRequest) -> Result<(), Status> {
        self.auth.check(&self.credentials)?;
        if !(1..=ACTIONS_MAX).contains(&request.actions.len()) {
            return Err(invalid("actions", format!("a message has 1 to {ACTIONS_MAX} actions")));
        }
        for action in request.actions {
            match submission_from(action) {
                Ok(submission) => self.stream.submit(self.sent, submission),
                Err(status) => self.outcomes.push(outcome(self.sent, Err(status))),
            }
            self.sent += 1;
        }
        Ok(())
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

fn outcome_of(submitted: Submitted) -> PlayOutcome {
    outcome(submitted.number, submitted.entry.map_err(of).map(|entry| entry_of(&entry)))
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
