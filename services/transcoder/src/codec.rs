//! Messages that do not decode, and the limit on their size, the same for every protocol.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::{Buf, BufMut, Bytes};
use http::{Request, Response};
use http_body::{Frame, SizeHint};
use tonic::body::Body;
use tonic::codec::{BufferSettings, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::{Code, Status};
use tower::Service;
use tower::util::MapResponseLayer;

use crate::refusal::{Domain, Reason, Refusal};
use crate::shared::{Options, Shared};
use crate::unread::UnreadBody;

/// Refuses bytes that do not decode in a domain, as [`Domain::adopt`] does. A server lays it around
/// its services.
pub fn refusals(
    domain: Domain,
) -> MapResponseLayer<impl FnOnce(Response<Body>) -> Response<Body> + Clone> {
    MapResponseLayer::new(move |answer: Response<Body>| {
        match answer.extensions().get().and_then(|status| domain.adopted(status)) {
            Some(refused) => refused.into_http(),
            None => answer,
        }
    })
}

/// A typical message fits; a larger one makes its buffer grow. A stream keeps its buffers while it
/// is open, so they start small.
fn buffers() -> BufferSettings {
    BufferSettings::new(1024, 32 * 1024)
}

/// Passes messages as encoded bytes.
#[derive(Clone, Copy)]
pub struct Raw;

impl tonic::codec::Codec for Raw {
    type Encode = Bytes;
    type Decode = Bytes;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self
    }

    fn decoder(&mut self) -> Self {
        Self
    }
}

impl Encoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, message: Bytes, out: &mut EncodeBuf<'_>) -> Result<(), Status> {
        out.put(message);
        Ok(())
    }

    fn buffer_settings(&self) -> BufferSettings {
        buffers()
    }
}

impl Decoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, bytes: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        Ok(Some(bytes.copy_to_bytes(bytes.remaining())))
    }

    fn buffer_settings(&self) -> BufferSettings {
        buffers()
    }
}

/// Refuses malformed gRPC frames with a typed answer: `RESOURCE_EXHAUSTED`, `MESSAGE_TOO_LARGE`
/// with the limit as soon as a frame announces a longer message; `INVALID_ARGUMENT`,
/// `MALFORMED_MESSAGE` if frames are cut off or missing.
///
/// tonic's own limit has no typed answer; it must not be smaller than this one. tonic takes the
/// other mistakes for faults of the server (`INTERNAL`).
#[derive(Clone)]
pub struct MessageLimit<S> {
    inner: S,
    shared: Arc<Shared>,
}

impl<S> MessageLimit<S> {
    pub(crate) fn new(inner: S, shared: Arc<Shared>) -> Self {
        Self { inner, shared }
    }
}

impl<S> Service<Request<Body>> for MessageLimit<S>
where
    S: Service<Request<Body>, Response = Response<Body>>,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> S::Future {
        let Options { message_bytes_max, domain, .. } = self.shared.options;
        let procedure = self.shared.contract.procedure(request.uri().path());
        let walk = FrameWalk {
            needs_message: procedure.is_some_and(|procedure| !procedure.client_streaming),
            ..FrameWalk::new(message_bytes_max)
        };
        self.inner.call(request.map(|body| {
            let body = UnreadBody::new(body);
            Body::new(CheckedFrames { body, walk, domain, ended: false })
        }))
    }
}

/// The refusal of a message of more than `bytes_max` bytes.
pub fn too_large(bytes_max: usize) -> Refusal {
    Reason::MessageTooLarge.refusal(
        format!("the message is longer than the {bytes_max} bytes that are accepted"),
        [("bytes_max", bytes_max.to_string())],
    )
}

struct CheckedFrames {
    body: UnreadBody,
    walk: FrameWalk,
    domain: Domain,
    ended: bool,
}

impl CheckedFrames {
    fn check(&mut self, frame: &Option<Result<Frame<Bytes>, Status>>) -> Result<(), Refusal> {
        match frame {
            Some(Ok(frame)) => match frame.data_ref() {
                Some(data) => self.walk.over(data),
                None => self.walk.end(),
            },
            None => self.walk.end(),
            // A body that cannot be read is not a fault of the server.
            Some(Err(status)) if matches!(status.code(), Code::Internal | Code::Unknown) => {
                Err(malformed(format!("the body cannot be read: {}", status.message())))
            }
            Some(Err(_)) => Ok(()),
        }
    }
}

fn malformed(message: impl Into<String>) -> Refusal {
    Reason::MalformedMessage.refusal(message, [])
}

impl http_body::Body for CheckedFrames {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        if self.ended {
            return Poll::Ready(None);
        }
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        let checked = self.check(&frame);
        self.ended = checked.is_err() || !matches!(frame, Some(Ok(_)));
        match checked {
            Ok(()) => Poll::Ready(frame),
            Err(refusal) => Poll::Ready(Some(Err(self.domain.refuse(refusal)))),
        }
    }

    /// Not before its end was checked: a body that ends at once may lack its message.
    fn is_end_stream(&self) -> bool {
        self.ended
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Follows gRPC frames (a flag byte, four bytes of length, the message) across pieces of any size.
pub struct FrameWalk {
    bytes_max: usize,
    header: [u8; HEADER_BYTES],
    header_seen: usize,
    message_left: usize,
    /// Whether the body must have a frame that has not begun yet.
    needs_message: bool,
}

const HEADER_BYTES: usize = 5;

impl FrameWalk {
    pub fn new(bytes_max: usize) -> Self {
        let header = [0; HEADER_BYTES];
        Self { bytes_max, header, header_seen: 0, message_left: 0, needs_message: false }
    }

    pub fn over(&mut self, mut data: &[u8]) -> Result<(), Refusal> {
        while !data.is_empty() {
            if self.message_left > 0 {
                let step = self.message_left.min(data.len());
                self.message_left -= step;
                data.advance(step);
                continue;
            }
            self.header[self.header_seen] = data.get_u8();
            self.header_seen += 1;
            if self.header_seen == HEADER_BYTES {
                self.begin(self.header)?;
            }
        }
        Ok(())
    }

    fn begin(&mut self, header: [u8; HEADER_BYTES]) -> Result<(), Refusal> {
        let [flags, length @ ..] = header;
        match flags {
            0 => {}
            1 => return Err(compressed()),
            _ => return Err(malformed(format!("a frame has the unknown flags {flags:#04x}"))),
        }
        self.message_left = u32::from_be_bytes(length) as usize;
        if self.message_left > self.bytes_max {
            return Err(too_large(self.bytes_max));
        }
        self.header_seen = 0;
        self.needs_message = false;
        Ok(())
    }

    pub fn end(&self) -> Result<(), Refusal> {
        if self.header_seen > 0 || self.message_left > 0 {
            Err(malformed("the body ends within a frame"))
        } else if self.needs_message {
            Err(malformed("the body has no message"))
        } else {
            Ok(())
        }
    }
}

/// The refusal of a compressed message.
pub fn compressed() -> Refusal {
    Reason::UnsupportedMediaType
        .refusal("send the message uncompressed", [("accepts", "identity".to_owned())])
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use tonic_types::StatusExt;
    use tower::ServiceExt;
    use tower_layer::Layer;

    use super::*;

    const LIMIT: usize = 300;

    fn not_decoded() -> Status {
        let mut status = Status::invalid_argument("the bytes are not a message of this method");
        let error =
            <String as prost::Message>::decode(&[0xff][..]).expect_err("no field begins so");
        status.set_source(Arc::new(error));
        status
    }

    #[tokio::test]
    async fn a_server_refuses_in_its_domain_what_does_not_decode_and_nothing_else() {
        for (answered, domain) in
            [(not_decoded(), Some("toy")), (Status::invalid_argument("a page is torn"), None)]
        {
            let service = tower::service_fn(move |_: Request<Body>| {
                let answered = answered.clone();
                async move { Ok::<_, Infallible>(answered.into_http::<Body>()) }
            });
            let service = refusals(Domain::new("toy")).layer(service);
            let Ok(answer) = service.oneshot(Request::new(Body::empty())).await;
            let status = Status::from_header_map(answer.headers()).expect("a status");
            let found = status.get_details_error_info().map(|info| info.domain);
            assert_eq!(found.as_deref(), domain);
        }
    }

    fn frame(length: u32) -> Vec<u8> {
        [&[0][..], &length.to_be_bytes(), &vec![7; length as usize]].concat()
    }

    fn walk(bytes: &[u8], piece: usize) -> Result<(), Refusal> {
        let mut walk = FrameWalk::new(LIMIT);
        bytes.chunks(piece).try_for_each(|piece| walk.over(piece))
    }

    #[test]
    fn frames_up_to_the_limit_pass_however_they_are_cut() {
        let frames = [frame(300), frame(0), frame(1), frame(299)].concat();
        for piece in 1..=frames.len() {
            assert!(walk(&frames, piece).is_ok(), "in pieces of {piece}");
        }
    }

    #[test]
    fn a_longer_frame_is_refused_at_its_header() {
        let header = &[frame(10), frame(301)[..HEADER_BYTES].to_vec()].concat();
        for piece in 1..=header.len() {
            let refusal = walk(header, piece).expect_err("301 bytes exceed the limit");
            assert_eq!(refusal.reason, Reason::MessageTooLarge);
            assert_eq!(refusal.facts, [("bytes_max", "300".to_owned())]);
        }
    }

    #[test]
    fn a_body_that_ends_within_a_frame_is_malformed() {
        let frames = [frame(3), frame(0), frame(2)].concat();
        let whole = [0, 8, 13, frames.len()];
        for end in 0..=frames.len() {
            let mut walk = FrameWalk::new(LIMIT);
            walk.over(&frames[..end]).expect("the frames are valid");
            let reason = walk.end().map_err(|refusal| refusal.reason);
            let expected =
                if whole.contains(&end) { Ok(()) } else { Err(Reason::MalformedMessage) };
            assert_eq!(reason, expected, "cut at {end}");
        }
    }

    #[test]
    fn a_call_with_one_request_needs_a_message() {
        let mut walk = FrameWalk { needs_message: true, ..FrameWalk::new(LIMIT) };
        assert_eq!(walk.end().expect_err("nothing").reason, Reason::MalformedMessage);
        walk.over(&frame(0)).expect("an empty message is a message");
        assert!(walk.end().is_ok());
    }

    #[test]
    fn unknown_flags_are_malformed_and_compression_is_unsupported() {
        let flags = |flags: u8| walk(&[flags, 0, 0, 0, 0], 5).map_err(|refusal| refusal.reason);
        assert_eq!(flags(0), Ok(()));
        assert_eq!(flags(1), Err(Reason::UnsupportedMediaType));
        for unknown in 2..=u8::MAX {
            assert_eq!(flags(unknown), Err(Reason::MalformedMessage));
        }
    }
}
