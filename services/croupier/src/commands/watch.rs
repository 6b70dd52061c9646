//! `croupier watch`: a match as it happens.

use api::v1::MatchState;
use tonic::Status;

use super::{Printer, Stretch, ends};
use crate::client::{Client, Failure, Patience, Service};

/// Tell what has happened in a match and what happens, until it is over
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    stretch: Stretch,
}

pub async fn run(Args { stretch }: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let (it, viewer) = stretch.viewer_args.find(&client).await?;
    let printer = Printer::of(&client, &it, stretch.json).await?;
    let mut watch = Watch {
        client,
        name: it.name,
        viewer,
        printer,
        after: stretch.after,
        over: false,
        patience: Patience::default(),
    };
    while !watch.over {
        if let Err(broken) = watch.follow().await? {
            watch.patience.bear(broken).await.map_err(|status| watch.client.failure(&status))?;
        }
    }
    Ok(())
}

struct Watch {
    client: Client,
    name: String,
    viewer: String,
    printer: Printer,
    /// The position told last: where a stream that broke is taken up again.
    after: i32,
    over: bool,
    patience: Patience,
}

impl Watch {
    /// Tells what one stream brings, until it breaks or the match is over.
    async fn follow(&mut self) -> Result<Result<(), Status>, Failure> {
        let mut stream = match self.client.watch(&self.name, self.after, &self.viewer).await {
            Ok(stream) => stream,
            Err(status) => return Ok(Err(status)),
        };
        self.patience.relax();
        loop {
            match stream.message().await {
                Ok(Some(news)) => {
                    for entry in &news.entries {
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
