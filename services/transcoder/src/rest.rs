//! REST by google.api.http: the path, the query string and the body form the request message; the
//! answer is JSON, or the field of the answer that the rule names as its body.
//!
//! A caller sets a timeout as in gRPC: `Grpc-Timeout: 2500m`. All other headers reach the service
//! as metadata, and its metadata is returned as headers.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode, header};
use prost::Message;
use prost_reflect::{DynamicMessage, FieldDescriptor, MessageDescriptor};
use tonic::Status;
use tonic::body::Body;

use crate::answer::{self, content_type, header_text};
use crate::bind::{self, FieldPath};
use crate::cache::Keeper;
use crate::call::{self, Grpc, Head};
use crate::contract::{Found, Route, RouteBody};
use crate::framing::Framing;
use crate::refusal::{Failure, Reason, Refusal};
use crate::shared::Shared;
use crate::{cache, json, stream};

const JSON: &str = "application/json";

/// Answers one REST request.
pub async fn answer(
    shared: Arc<Shared>,
    grpc: impl Grpc,
    request: Request<Body>,
) -> Response<Body> {
    serve(&shared, grpc, request).await.unwrap_or_else(|failure| {
        let status = failure.status(shared.options.domain);
        shared.renderer.response(&status, &shared.renderer.rest(&status))
    })
}

async fn serve(
    shared: &Arc<Shared>,
    grpc: impl Grpc,
    request: Request<Body>,
) -> Result<Response<Body>, Failure> {
    let (parts, body) = request.into_parts();
    let (route, values) = match shared.contract.find(&parts.method, parts.uri.path()) {
        Found::Route(route, values) => (route, values),
        Found::OtherVerbs(verbs) => return Err(wrong_verb(&verbs).into()),
        Found::Nothing => {
            return Err(shared.contract.nothing_at(parts.uri.path()).into());
        }
    };
    let procedure = &route.procedure;
    let mut head = Head { headers: parts.headers, extensions: parts.extensions };
    let query = parts.uri.query().unwrap_or_default();
    let framing = procedure.server_streaming.then(|| framing(&head.headers));
    let query = match framing {
        Some(_) => without_token(&mut head.headers, query)?,
        None if has_token(query) => return Err(token_in_query().into()),
        None => query.into(),
    };
    let body = call::read_body(shared.options.message_bytes_max, &head, body).await?;
    let mut message = read_message(route, &head.headers, &body)?;
    bind_text(&mut message, route, &values, &query)?;
    match framing {
        None => {
            let known = head.headers.get(header::IF_NONE_MATCH).cloned();
            let keeper = Keeper::of(&head.headers);
            let answer = call::unary(grpc, procedure, head, message.encode_to_vec().into()).await?;
            let (metadata, answer, _) = answer.into_parts();
            if let Some(field) = &route.answer {
                return body_of(
                    &procedure.output,
                    field,
                    answer,
                    answer::response_headers(metadata),
                );
            }
            let mut text = Vec::with_capacity(answer.len() * 2);
            json::write_encoded(&procedure.output, answer, &mut text)?;
            let headers = answer::response_headers(metadata);
            Ok(match shared.max_age(route) {
                Some(age) => {
                    cache::response(keeper, known.as_ref(), age, JSON, headers, text.into())
                }
                None => answer::response(StatusCode::OK, JSON, headers, text),
            })
        }
        Some(framing) => {
            resume(&mut message, route, &head.headers)?;
            let answer =
                call::stream(grpc, procedure, head, message.encode_to_vec().into()).await?;
            Ok(stream::response(shared.clone(), procedure.clone(), framing, answer))
        }
    }
}

/// The answer of a route whose body is a field of the answer, as it is.
fn body_of(
    output: &MessageDescriptor,
    field: &FieldDescriptor,
    answer: Bytes,
    mut headers: HeaderMap,
) -> Result<Response<Body>, Failure> {
    let broken = |_| Status::internal("an answer of the service could not be read");
    let answer = DynamicMessage::decode(output.clone(), answer).map_err(broken)?;
    let body = answer.get_field(field);
    let body = body.as_message();
    let part = |name: &str| Some(body?.get_field_by_name(name)?.into_owned());
    let content_type = part("content_type").and_then(|it| it.as_str().map(str::to_owned));
    let data = part("data").and_then(|it| it.as_bytes().cloned()).unwrap_or_default();
    let value = content_type.and_then(|it| HeaderValue::try_from(it).ok());
    let value = value.unwrap_or(HeaderValue::from_static("application/octet-stream"));
    // Nothing in a body runs, should a browser show it as a page.
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(INERT));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let mut response = answer::response(StatusCode::OK, JSON, headers, data);
    response.headers_mut().insert(header::CONTENT_TYPE, value);
    Ok(response)
}

/// The policy of a body that is no JSON.
const INERT: &str = "default-src 'none'; sandbox";

fn wrong_verb(verbs: &[&http::Method]) -> Refusal {
    let allow = verbs.iter().map(|verb| verb.as_str()).collect::<Vec<_>>().join(", ");
    Reason::WrongMethod.refusal(format!("this path takes {allow}"), [("allow", allow)])
}

/// The request message with the fields of the body.
fn read_message(
    route: &Route,
    headers: &HeaderMap,
    body: &Bytes,
) -> Result<DynamicMessage, Refusal> {
    if !body.is_empty() && !matches!(route.body, RouteBody::None) {
        check_media_type(headers)?;
    }
    let input = &route.procedure.input;
    match &route.body {
        RouteBody::Whole => json::read(input, body),
        RouteBody::None => Ok(DynamicMessage::new(input.clone())),
        RouteBody::Field(_) if body.is_empty() => Ok(DynamicMessage::new(input.clone())),
        RouteBody::Field(field) => {
            let mut message = DynamicMessage::new(input.clone());
            message.set_field(field, json::read_field(field, body)?);
            Ok(message)
        }
    }
}

/// Accepts uncompressed JSON; a body without a media type counts as JSON.
fn check_media_type(headers: &HeaderMap) -> Result<(), Refusal> {
    let is_json = content_type(headers)
        .is_none_or(|of_body| of_body.eq_ignore_ascii_case("application/json"));
    let is_plain = header_text(headers, header::CONTENT_ENCODING.as_str())
        .is_none_or(|encoding| encoding == "identity");
    if is_json && is_plain {
        return Ok(());
    }
    let accepts = [("accepts", "application/json".to_owned())];
    Err(Reason::UnsupportedMediaType
        .refusal("send the body as application/json, uncompressed", accepts))
}

/// Adds the fields of the query string and the path. The path takes precedence.
fn bind_text(
    message: &mut DynamicMessage,
    route: &Route,
    values: &[String],
    query: &str,
) -> Result<(), Refusal> {
    if !query.is_empty() {
        if matches!(route.body, RouteBody::Whole) {
            let name = form_urlencoded::parse(query.as_bytes())
                .next()
                .map(|(name, _)| name.into_owned())
                .unwrap_or_default();
            let text = format!(
                "\"{name}\" belongs in the body: this method reads nothing from the query string"
            );
            return Err(Reason::UnknownField.refusal(text, [("field", name)]));
        }
        let mut bound = route.variables.clone();
        if let RouteBody::Field(field) = &route.body {
            bound.push(FieldPath::of(field));
        }
        bind::query(message, form_urlencoded::parse(query.as_bytes()), &bound)?;
    }
    route.variables.iter().zip(values).try_for_each(|(path, text)| path.set(message, text))
}

fn has_token(query: &str) -> bool {
    form_urlencoded::parse(query.as_bytes()).any(|(name, _)| name == TOKEN)
}

fn token_in_query() -> Refusal {
    let message = "only streams take a token from the query string, for a browser's `EventSource`: \
                   send it as `authorization: Bearer {token}`";
    Reason::UnknownField.refusal(message, [("field", TOKEN.to_owned())])
}

/// The query parameter of a stream that holds its token.
const TOKEN: &str = "access_token";

/// Moves a stream's token from the query string (`access_token`, RFC 6750 2.3) to the headers,
/// because a browser's `EventSource` cannot send headers. Proxies may log such a token, so it
/// should be short-lived and of little power.
fn without_token(headers: &mut HeaderMap, query: &str) -> Result<String, Refusal> {
    let (tokens, rest): (Vec<_>, Vec<_>) =
        form_urlencoded::parse(query.as_bytes()).partition(|(name, _)| name == TOKEN);
    if let [(_, token)] = &tokens[..]
        && !headers.contains_key(header::AUTHORIZATION)
    {
        let malformed = |_| {
            Reason::MalformedHeader.refusal(
                "the token contains characters that no token has",
                [("header", TOKEN.to_owned())],
            )
        };
        let mut value = HeaderValue::try_from(format!("Bearer {token}")).map_err(malformed)?;
        value.set_sensitive(true);
        headers.insert(header::AUTHORIZATION, value);
    }
    Ok(form_urlencoded::Serializer::new(String::new()).extend_pairs(rest).finish())
}

/// Server-sent events if the caller accepts them, otherwise lines of JSON.
fn framing(headers: &HeaderMap) -> Framing {
    let asks = headers.get_all(header::ACCEPT).iter().any(|accept| {
        accept.to_str().is_ok_and(|accept| {
            accept.split(',').any(|range| range.trim_start().starts_with("text/event-stream"))
        })
    });
    if asks { Framing::Events } else { Framing::Lines }
}

/// Resumes a stream after the last event that the client received; overrides the request's own
/// fields.
fn resume(message: &mut DynamicMessage, route: &Route, headers: &HeaderMap) -> Result<(), Refusal> {
    let Some(resumption) = &route.procedure.resumption else { return Ok(()) };
    let Some(id) = header_text(headers, "last-event-id").filter(|id| !id.is_empty()) else {
        return Ok(());
    };
    resumption.start_after(message, id).map_err(|_| {
        Reason::MalformedHeader.refusal(
            "this is not the id of an event of this stream",
            [("header", "last-event-id".to_owned())],
        )
    })
}
