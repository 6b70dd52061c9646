//! `MatchService.Play`: many actions on one line.

use matches::{ActionStream, Submitted};
use prost::Message;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::metadata::MetadataMap;
use tonic::{Request, Status, Streaming};

use super::answers::Answers;
use super::matches::submission_from;
use crate::auth::Auth;
use crate::error::{invalid, of};
use crate::render::entry_of;
use crate::v1::play_outcome::Outcome;
use crate::v1::{Entry, PlayOutcome, PlayRequest, PlayResponse};

/// Actions in one message: a dozen kilobytes.
const ACTIONS_MAX: usize = 256;

/// Actions whose outcome is not told yet. It keeps a few matches out of ten thousand busy, or a few
/// hundred matches all the time.
const UNDER_WAY_MAX: usize = 1024;

/// Answers that wait to be sent; the more there are, the later a client that reads slowly holds its
/// own actions up.
const ANSWERS_MAX: usize = 4;

/// A client and its line.
struct Player {
    auth: Auth,
    metadata: MetadataMap,
    stream: ActionStream,
    /// Known, and not sent yet.
    outcomes: Vec<PlayOutcome>,
    /// How many actions were sent in this stream.
    sent: i64,
}

/// Takes actions and answers them until the client ends its side or `drain` is cancelled.
///
/// It goes on in a task of its own: what is under way must not wait for a client that does not
/// read, for other seats wait for it.
pub(super) fn play(
    auth: Auth,
    drain: CancellationToken,
    stream: ActionStream,
    request: Request<Streaming<PlayRequest>>,
) -> Answers<PlayResponse> {
    let (answers, outgoing) = mpsc::channel(ANSWERS_MAX);
    let (metadata, _, requests) = request.into_parts();
    let player = Player { auth, metadata, stream, outcomes: Vec::new(), sent: 0 };
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
        // How the client's side ended, once it has.
        let mut end: Option<Result<(), Status>> = None;
        while end.is_none() || !self.stream.is_empty() || !self.outcomes.is_empty() {
            let has_room = self.stream.len() + self.outcomes.len() < UNDER_WAY_MAX;
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
                        Ok(Some(request)) => self.take(request).await.err().map(Err),
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

    /// Lets the actions of a message go; fails if the stream is to end. The credentials are looked
    /// at each time: they may have been revoked since.
    async fn take(&mut self, request: PlayRequest) -> Result<(), Status> {
        self.auth.caller(&self.metadata).await?;
        if !(1..=ACTIONS_MAX).contains(&request.actions.len()) {
            return Err(invalid(format!("a message has 1 to {ACTIONS_MAX} actions")));
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

    /// As much as is sent at once.
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
