//! `EntryService`: entries one by one, in pages, or as they are recorded.

use std::future::ready;
use std::io;

use contract::v1::entry_service_server::EntryService;
use contract::v1::*;
use futures::{StreamExt, stream};
use matches::{Caller, Error, Matches, Record};
use records::{Writer, end_line, entry_line, header_line, public_match_line};
use tonic::{Request, Response, Status};

use super::calls::Calls;
use super::streaming::{Answers, OfMatch, told, while_valid};
use crate::answers::values::{receipt_name, timestamp};
use crate::answers::{receipts, transparency};
use crate::error::of;
use crate::requests::names::{parse_entry, parse_match, parse_receipt, parse_record};
use crate::requests::pages::{entries_token, page_size, parse_entries_token};
use crate::requests::values::{parse_digest, parse_viewer, position_of};

/// The default page size: a whole match of a short game.
const PAGE_USUAL: usize = 100;

pub(crate) struct Entries {
    pub calls: Calls,
}

#[tonic::async_trait]
impl EntryService for Entries {
    async fn get_entry(
        &self,
        request: Request<GetEntryRequest>,
    ) -> Result<Response<GetEntryResponse>, Status> {
        let (caller, mut texts, request) = self.calls.open_in_words(request).await?;
        let (match_id, position) = parse_entry("name", &request.name)?;
        let wanted = parse_viewer(&request.viewer)?;
        let entry = self.calls.matches.entry(&caller, match_id, wanted, position).await;
        let entry = entry.map_err(|error| texts.refusal(error, Some(match_id), None))?;
        Ok(Response::new(GetEntryResponse { entry: Some(texts.entry(entry).await?) }))
    }

    async fn get_receipt(
        &self,
        request: Request<GetReceiptRequest>,
    ) -> Result<Response<GetReceiptResponse>, Status> {
        let (caller, request) = self.calls.open(request).await?;
        let (match_id, position) = parse_receipt("name", &request.name)?;
        let stamp = self.calls.matches.stamp(&caller, match_id, position).await.map_err(of)?;
        let jws = receipts::sign(&self.calls.matches, &caller, &stamp).await.map_err(of)?;
        let database = self.calls.matches.accounts().database();
        let [opened_proof, closed_proof] = transparency::proofs(database, match_id).await;
        let receipt = Receipt {
            name: receipt_name(match_id, position),
            digest: stamp.digest.map(|digest| digest.as_bytes().to_vec()).unwrap_or_default(),
            create_time: Some(timestamp(stamp.create_time)),
            jws,
            opened_proof,
            closed_proof,
        };
        Ok(Response::new(GetReceiptResponse { receipt: Some(receipt) }))
    }

    async fn list_entries(
        &self,
        request: Request<ListEntriesRequest>,
    ) -> Result<Response<ListEntriesResponse>, Status> {
        let (caller, mut texts, request) = self.calls.open_in_words(request).await?;
        let (match_id, wanted) =
            (parse_match("parent", &request.parent)?, parse_viewer(&request.viewer)?);
        let size = page_size(request.page_size, PAGE_USUAL)?;
        let (after, digest) = match request.page_token.as_str() {
            "" => {
                let digest = parse_digest("after_digest", &request.after_digest)?;
                (position_of(request.after_position), digest)
            }
            token => parse_entries_token(token, match_id)?,
        };
        let reading = self.calls.matches.entries(&caller, match_id, wanted, after, digest, size);
        let entries = reading.await;
        let entries = entries.map_err(|error| texts.refusal(error, Some(match_id), None))?;
        let last = entries.last().filter(|_| entries.len() == size);
        let next_page_token = last.map(|last| entries_token(match_id, last.position, last.digest));
        let next_page_token = next_page_token.unwrap_or_default();
        let entries = texts.entries(entries).await?;
        Ok(Response::new(ListEntriesResponse { entries, next_page_token }))
    }

    type WatchEntriesStream = Batches;

    async fn watch_entries(
        &self,
        request: Request<WatchEntriesRequest>,
    ) -> Result<Response<Self::WatchEntriesStream>, Status> {
        let (credentials, texts, request) = self.calls.open_stream(request).await?;
        let caller = &credentials.caller;
        let (match_id, wanted) =
            (parse_match("parent", &request.parent)?, parse_viewer(&request.viewer)?);
        let after = position_of(request.after_position);
        let digest = parse_digest("after_digest", &request.after_digest)?;
        let stream = self.calls.matches.watch(caller, match_id, wanted, after, digest).await;
        let stream = stream.map_err(|error| texts.refusal(error, Some(match_id), None))?;
        let batches = told(stream, texts, |OfMatch { entries, position, digest, went_back }| {
            WatchEntriesResponse { entries, position, digest, went_back }
        });
        let batches = self.calls.unread.until_unread(batches);
        Ok(Response::new(while_valid(batches, self.calls.auth.clone(), credentials)))
    }

    type ReadRecordStream = Answers<ReadRecordResponse>;

    async fn read_record(
        &self,
        request: Request<ReadRecordRequest>,
    ) -> Result<Response<Self::ReadRecordStream>, Status> {
        let credentials = self.calls.auth.credentials(request.metadata()).await?;
        let match_id = parse_record("name", &request.into_inner().name)?;
        let record =
            self.calls.matches.read_record(&credentials.caller, match_id).await.map_err(of)?;
        let lines = record_lines(&self.calls.matches, &credentials.caller, record);
        let lines = self.calls.unread.until_unread(lines);
        Ok(Response::new(while_valid(lines, self.calls.auth.clone(), credentials)))
    }
}

type Batches = Answers<WatchEntriesResponse>;

/// The lines of a file of one match, a page of entries at a time.
fn record_lines(matches: &Matches, caller: &Caller, record: Record) -> Answers<ReadRecordResponse> {
    let (matches, caller) = (matches.clone(), caller.clone());
    let Record { row, seed, pages } = record;
    let mut writer = Writer::new(Vec::new());
    let head = [header_line(), public_match_line(&row, seed)];
    let head = head.iter().try_for_each(|line| writer.write(line));
    let head = answer(&mut writer, head);
    let state = (matches, caller, row.match_id, pages, writer, 0);
    let entries = stream::unfold(Some(state), async |reading| {
        let (matches, caller, match_id, mut pages, mut writer, count) = reading?;
        match pages.next().await {
            Some(Ok(page)) => {
                let count = count + page.len();
                let writing = matches.work(&caller, true, move || {
                    let write = |(row, entry): &_| writer.write(&entry_line(row, entry));
                    let lines = page.iter().try_for_each(write);
                    (answer(&mut writer, lines), writer)
                });
                match writing.await {
                    Ok((answer, writer)) => {
                        Some((answer, Some((matches, caller, match_id, pages, writer, count))))
                    }
                    Err(error) => Some((Err(of(error)), None)),
                }
            }
            Some(Err(error)) => Some((Err(of(error)), None)),
            None => {
                let end = writer.write(&end_line(match_id, count));
                Some((answer(&mut writer, end), None))
            }
        }
    });
    Box::pin(stream::once(ready(head)).chain(entries))
}

/// The lines that were written last.
fn answer(
    writer: &mut Writer<Vec<u8>>,
    written: io::Result<()>,
) -> Result<ReadRecordResponse, Status> {
    written.map_err(|error| of(Error::Internal(error.into())))?;
    Ok(ReadRecordResponse { lines: writer.take_lines() })
}
