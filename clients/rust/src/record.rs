//! The record of a match, read whole.

use contract::v1::ReadRecordRequest;

use crate::calls::{Calls, next_of};
use crate::refusal::Refusal;

/// The lines of a record. One that broke off is read again from its start.
pub(crate) async fn read(calls: &Calls, request: ReadRecordRequest) -> Result<String, Refusal> {
    calls.repeat(true, |_| once(calls, request.clone())).await
}

async fn once(calls: &Calls, request: ReadRecordRequest) -> Result<String, Refusal> {
    let mut stream = calls.open(request).await?;
    let mut record = String::new();
    while let Some(message) = next_of(&mut stream).await? {
        for line in message.lines {
            record.push_str(&line);
            record.push('\n');
        }
    }
    Ok(record)
}
