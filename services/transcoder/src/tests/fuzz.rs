//! Random input for every decoder. `make fuzz` runs these for longer.
//!
//! Random bytes alone rarely pass the first check, so most input is a valid example with edits.

use bolero::check;

use super::*;
use crate::codec::FrameWalk;
use crate::framing::{MESSAGE, envelope, only_message};
use crate::json;
use crate::template::Template;

/// Replaces, inserts or removes a byte, or repeats the beginning.
type Edit = (u16, u8, u8);

fn edited(example: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut text = example.to_vec();
    for &(at, how, byte) in edits.iter().take(8) {
        let at = usize::from(at) % (text.len() + 1);
        match how % 4 {
            0 if at < text.len() => text[at] = byte,
            1 if at < text.len() => drop(text.remove(at)),
            2 => text.insert(at, byte),
            _ => text.splice(at..at, example[..at.min(example.len())].to_vec()).for_each(drop),
        }
    }
    text
}

fn pick<T>(examples: &[T], index: u8) -> &T {
    &examples[usize::from(index) % examples.len()]
}

const BOOKS: [&str; 5] = [
    r#"{"title": "a", "pages": "7", "binding": "BINDING_CLOTH", "authors": ["b", "c"]}"#,
    r#"{"printTime": "2026-01-31T12:00:00.5Z", "cover": "AAEC", "room": "1"}"#,
    r#"{"notes": {"jane": {"text": "x"}, "john": {}}, "volumes": [{"title": "i"}, {}]}"#,
    r#"{"print_time": "0001-01-01T00:00:00Z", "pages": -9223372036854775808, "reader": "j"}"#,
    r#"{"binding": 2, "title": "\u00e9\ud83c\udccf", "printTime": null}"#,
];

#[test]
fn json_that_is_read_can_be_written_and_read_again() {
    let book = pool().get_message_by_name("toy.v1.Book").expect("a message of toy.proto");
    check!().with_type::<(u8, Vec<Edit>)>().for_each(|(example, edits)| {
        let text = edited(pick(&BOOKS, *example).as_bytes(), edits);
        let Ok(message) = json::read(&book, &text) else { return };
        let mut written = Vec::new();
        json::write(&message, &mut written).expect("what was read can be written");
        let read = json::read(&book, &written).expect("what was written can be read");
        // On the wire, an explicit default value equals an absent one.
        let wire = |message: DynamicMessage| {
            DynamicMessage::decode(book.clone(), &message.encode_to_vec()[..]).expect("its bytes")
        };
        assert!(wire(read) == wire(message), "{}", String::from_utf8_lossy(&text));
    });
}

#[test]
fn an_envelope_that_is_read_is_the_one_that_was_written() {
    check!().with_type::<(Vec<u8>, Vec<Edit>)>().for_each(|(content, edits)| {
        let bytes = Bytes::from(edited(&envelope(MESSAGE, content), edits));
        if let Ok(message) = only_message(&bytes) {
            assert_eq!(envelope(MESSAGE, &message), bytes);
        }
    });
}

#[test]
fn frames_are_checked_alike_however_they_are_cut() {
    check!().with_type::<(Vec<Vec<u8>>, Vec<Edit>, u8)>().for_each(|(contents, edits, piece)| {
        let frames: Vec<u8> =
            contents.iter().flat_map(|content| envelope(MESSAGE, content)).collect();
        let bytes = edited(&frames, edits);
        let walk = |piece: usize| {
            let mut walk = FrameWalk::new(300);
            bytes.chunks(piece).try_for_each(|piece| walk.over(piece)).and_then(|()| walk.end())
        };
        assert_eq!(walk(usize::from(*piece) + 1), walk(bytes.len().max(1)));
    });
}

const TEMPLATES: [&str; 5] =
    ["/v1/books", "/v1/{name=rooms/*/books/*}", "/v1/{id}:lend", "/v1/{a.b}/{c=**}", "/v1/*/x:y"];
const PATHS: [&str; 4] = ["/v1/books", "/v1/rooms/1/books/a%2Fb", "/v1/%C3%A9:lend", "/v1/a/b/c"];

#[test]
fn any_template_fits_any_path_or_does_not() {
    check!().with_type::<(u8, Vec<Edit>, u8, Vec<Edit>)>().for_each(|input| {
        let (template, template_edits, path, path_edits) = input;
        let template = edited(pick(&TEMPLATES, *template).as_bytes(), template_edits);
        let path = edited(pick(&PATHS, *path).as_bytes(), path_edits);
        let Ok(template) = Template::parse(&String::from_utf8_lossy(&template)) else { return };
        if let Some(values) = template.values(&String::from_utf8_lossy(&path)) {
            assert_eq!(values.len(), template.fields().count());
        }
        assert!(template.open_api().0.starts_with('/'));
    });
}

/// The verb, the URI, the media type and the body of a request.
const REQUESTS: [(&str, &str, &str, &str); 7] = [
    ("POST", "/v1/rooms/1/books", "application/json", BOOKS[0]),
    ("POST", "/v1/rooms/1/books", "application/json", BOOKS[2]),
    ("POST", "/v1/rooms/1/books/2:lend", "application/json", r#"{"reader": "jane"}"#),
    ("GET", "/v1/rooms/1/books?page_size=7&bindings=BINDING_PAPER&filter.loan=2.5s", "", ""),
    ("GET", "/v1/rooms/1/books?readMask=title,pages&filter.since=2026-01-31T12:00:00Z", "", ""),
    ("GET", "/toy.v1.Library/GetBook?encoding=json&base64=1&message=e30&connect=v1", "", ""),
    ("POST", "/toy.v1.Library/CreateBook", "application/json", r#"{"parent": "rooms/1"}"#),
];

#[test]
fn no_request_is_an_internal_error() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    check!().with_type::<(u8, Vec<Edit>, Vec<Edit>)>().for_each(|(example, of_uri, of_body)| {
        let (verb, uri, content_type, body) = *pick(&REQUESTS, *example);
        let Ok(uri) = http::Uri::try_from(edited(uri.as_bytes(), of_uri)) else { return };
        let mut request = request(verb, "/", content_type, edited(body.as_bytes(), of_body));
        *request.uri_mut() = uri;
        let response = runtime.block_on(send(request));
        assert_ne!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
    });
}
