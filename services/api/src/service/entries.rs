//! `EntryService`: entries one by one, in pages, or as they are recorded.

use std::future::ready;
use std::io;

use archive::{Writer, end_line, entry_line, header_line, public_match_line};
use futures::{StreamExt, stream};
use matches::{Error, Matches, Record};
use tonic::{Request, Response, Status};

use super::answers::{Answers, told, while_valid};
use crate::auth::Auth;
use crate::error::of;
use crate::names::{
    entries_token, page_size, parse_entries_token, parse_entry, parse_match, parse_receipt,
    parse_record, parse_viewer, position_of, receipt_name,
};
use crate::receipts;
use crate::render::timestamp;
use crate::texts::Texts;
use crate::v1::entry_service_server::EntryService;
use crate::v1::*;

/// The default page size: a whole match of a short game.
const PAGE_USUAL: usize = 100;

pub(crate) struct Entries {
    pub auth: Auth,
    pub matches: Matches,
}

#[tonic::async_trait]
impl EntryService for Entries {
    async fn get_entry(
        &self,
        request: Request<GetEntryRequest>,
    ) -> Result<Response<GetEntryResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let mut texts =
            Texts::new(&self.matches, &caller, request.metadata(), &request.get_ref().language)?;
        let request = request.into_inner();
        let (match_id, position) = parse_entry("name", &request.name)?;
        let wanted = parse_viewer(&request.viewer)?;
        let entry = self.matches.entry(&caller, match_id, wanted, position).await;
        let entry = entry.map_err(|error| texts.refusal(error, Some(match_id), None))?;
        Ok(Response::new(GetEntryResponse { entry: Some(texts.entry(&entry).await?) }))
    }

    async fn get_receipt(
        &self,
        request: Request<GetReceiptRequest>,
    ) -> Result<Response<GetReceiptResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let (match_id, position) = parse_receipt("name", &request.into_inner().name)?;
        let stamp = self.matches.stamp(&caller, match_id, position).await.map_err(of)?;
        let jws = receipts::sign(self.matches.store(), &stamp).await.map_err(of)?;
        let receipt = Receipt {
            name: receipt_name(match_id, position),
            digest: stamp.digest.map(|digest| digest.as_bytes().to_vec()).unwrap_or_default(),
            create_time: Some(timestamp(stamp.create_time)),
            jws,
        };
        Ok(Response::new(GetReceiptResponse { receipt: Some(receipt) }))
    }

    async fn list_entries(
        &self,
        request: Request<ListEntriesRequest>,
    ) -> Result<Response<ListEntriesResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let mut texts =
            Texts::new(&self.matches, &caller, request.metadata(), &request.get_ref().language)?;
        let request = request.into_inner();
        let (match_id, wanted) =
            (parse_match("parent", &request.parent)?, parse_viewer(&request.viewer)?);
        let size = page_size(request.page_size, PAGE_USUAL)?;
        let after = parse_entries_token(&request.page_token, match_id)?;
        let entries = self.matches.entries(&caller, match_id, wanted, after, size).await;
        let entries = entries.map_err(|error| texts.refusal(error, Some(match_id), None))?;
        let last = entries.last().filter(|_| entries.len() == size);
        let next_page_token =
            last.map(|last| entries_token(match_id, last.position)).unwrap_or_default();
        let entries = texts.entries(&entries).await?;
        Ok(Response::new(ListEntriesResponse { entries, next_page_token }))
    }

    type WatchEntriesStream = Batches;

    async fn watch_entries(
        &self,
        request: Request<WatchEntriesRequest>,
    ) -> Result<Response<Self::WatchEntriesStream>, Status> {
        let credentials = self.auth.credentials(request.metadata()).await?;
        let language = &request.get_ref().language;
        let texts = Texts::new(&self.matches, &credentials.caller, request.metadata(), language)?
            .of_stream();
        let request = request.into_inner();
        let (match_id, wanted) =
            (parse_match("parent", &request.parent)?, parse_viewer(&request.viewer)?);
        let after = position_of(request.after_position);
        let stream = self.matches.watch(&credentials.caller, match_id, wanted, after).await;
        let stream = stream.map_err(|error| texts.refusal(error, Some(match_id), None))?;
        let batches =
            told(stream, texts, |entries, position| WatchEntriesResponse { entries, position });
        Ok(Response::new(while_valid(batches, self.auth.clone(), credentials)))
    }

    type ReadRecordStream = Answers<ReadRecordResponse>;

    async fn read_record(
        &self,
        request: Request<ReadRecordRequest>,
    ) -> Result<Response<Self::ReadRecordStream>, Status> {
        let credentials = self.auth.credentials(request.metadata()).await?;
        let match_id = parse_record("name", &request.into_inner().name)?;
        let record = self.matches.read_record(&credentials.caller, match_id).await.map_err(of)?;
        let lines = record_lines(record).map_err(of)?;
        Ok(Response::new(while_valid(lines, self.auth.clone(), credentials)))
    }
}

type Batches = Answers<WatchEntriesResponse>;

/// The lines of an archive of one match, a page of entries at a time.
fn record_lines(record: Record) -> Result<Answers<ReadRecordResponse>, Error> {
    let Record { row, seed, pages } = record;
    let mut writer = Writer::new(Vec::new());
    let head = public_match_line(&row, seed).map_err(|error| Error::Internal(error.into()))?;
    let head = [header_line(), head].iter().try_for_each(|line| writer.write(line));
    let head = answer(&mut writer, head);
    let entries = stream::unfold(Some((pages, writer, 0)), move |reading| async move {
        let (mut pages, mut writer, count) = reading?;
        match pages.next().await {
            Some(Ok(page)) => {
                let lines = page.iter().map(|(row, entry)| writer.write(&entry_line(row, entry)));
                let lines = lines.collect();
                let answer = answer(&mut writer, lines);
                Some((answer, Some((pages, writer, count + page.len()))))
            }
            Some(Err(error)) => Some((Err(of(error)), None)),
            None => {
                let end = writer.write(&end_line(row.match_id, count));
                Some((answer(&mut writer, end), None))
            }
        }
    });
    Ok(Box::pin(stream::once(ready(head)).chain(entries)))
}

/// The lines that were written last.
fn answer(
    writer: &mut Writer<Vec<u8>>,
    written: io::Result<()>,
) -> Result<ReadRecordResponse, Status> {
    written.map_err(|error| of(Error::Internal(error.into())))?;
    Ok(ReadRecordResponse { lines: writer.take_lines() })
}
