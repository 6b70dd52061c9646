//! `croupier watch`: a match as it happens.

use api::v1::MatchState;
use client::{Client, Retry, Service};
use tonic::Status;

use super::{EntryArgs, Printer, ends};
use crate::failure::Failure;

/// Print what has happened in a match, and what happens next, until the match is over
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    entries: EntryArgs,
}

pub async fn run(Args { entries }: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let client = if entries.json { client.for_programs(service) } else { client };
    let (it, viewer) = entries.viewer_args.find(&client).await?;
    let printer = Printer { json: entries.json };
    let mut watch = Watch {
        client,
        name: it.name,
        viewer,
        printer,
        after: entries.after,
        over: false,
        retry: Retry::default(),
    };
    while !watch.over {
        if let Err(status) = watch.follow().await? {
            watch.retry.after(status).await.map_err(|status| watch.client.error(&status))?;
        }
    }
    Ok(())
}

struct Watch {
    client: Client,
    name: String,
    viewer: String,
    printer: Printer,
    /// The position printed last, after which a broken stream is resumed.
    after: i32,
    over: bool,
    retry: Retry,
}

impl Watch {
    /// Prints the entries of one stream, until it breaks or the match is over.
    async fn follow(&mut self) -> Result<Result<(), Status>, Failure> {
        let mut stream = match self.client.watch(&self.name, self.after, &self.viewer).await {
            Ok(stream) => stream,
            Err(status) => return Ok(Err(status)),
        };
        self.retry.reset();
        loop {
            match stream.message().await {
                Ok(Some(response)) => {
                    for entry in &response.entries {
                        self.printer.print(entry)?;
                        self.after = entry.position;
                        self.over |= ends(entry);
                    }
                }
                Ok(None) if self.over || self.has_ended().await? => return Ok(Ok(())),
                Ok(None) => return Ok(Err(Status::unavailable("the stream ended early"))),
                Err(status) => return Ok(Err(status)),
            }
        }
    }

    async fn has_ended(&mut self) -> Result<bool, Failure> {
        self.over = self.client.fetch(&self.name).await?.state() == MatchState::Ended;
        Ok(self.over)
    }
}
