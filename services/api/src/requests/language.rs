//! The language of a call's texts: the request's field, else `Accept-Language`, else none.

use narration::Language;
use tonic::Status;
use tonic::metadata::MetadataMap;

use crate::error::invalid;

/// In HTTP a header, in gRPC metadata of the same name.
const ACCEPT_LANGUAGE: &str = "accept-language";

/// The language that a call asks for. Without one, its answer has no texts.
pub(crate) fn language_of(metadata: &MetadataMap, field: &str) -> Result<Option<Language>, Status> {
    if !field.is_empty() {
        return named(field).map(Some);
    }
    let headers = metadata.get_all(ACCEPT_LANGUAGE).iter();
    let headers = headers.map(|it| it.to_str().unwrap_or_default());
    // Some libraries, such as the `fetch` of Node.js, send this if no language is requested.
    let headers: Vec<&str> = headers.filter(|it| it.trim() != "*").collect();
    Ok((!headers.is_empty()).then(|| Language::accepted(&headers.join(","))))
}

/// The language of answers that always have texts: English, unless the call asks for another.
pub(crate) fn language_or_english(metadata: &MetadataMap, field: &str) -> Result<Language, Status> {
    Ok(language_of(metadata, field)?.unwrap_or(Language::ENGLISH))
}

/// The language that the field `language` of a request names.
pub(crate) fn named(tag: &str) -> Result<Language, Status> {
    Language::of(tag).map_err(|error| invalid("language", error.to_string()))
}

#[cfg(test)]
mod tests {
    use tonic::Code;

    use super::*;

    fn chosen(headers: &[&str], field: &str) -> Result<Option<Language>, Code> {
        let mut metadata = MetadataMap::new();
        for header in headers {
            metadata.append(ACCEPT_LANGUAGE, header.parse().expect("it is ASCII"));
        }
        language_of(&metadata, field).map_err(|status| status.code())
    }

    #[test]
    fn the_field_precedes_the_header() {
        let german = Language::of("de").expect("it has texts");
        assert_eq!(chosen(&[], ""), Ok(None));
        assert_eq!(chosen(&["*"], ""), Ok(None));
        assert_eq!(chosen(&[], "de"), Ok(Some(german)));
        assert_eq!(chosen(&["de"], ""), Ok(Some(german)));
        assert_eq!(chosen(&["de"], "en-GB"), Ok(Some(Language::ENGLISH)));
        assert_eq!(chosen(&["xx", "de;q=0.5"], ""), Ok(Some(german)), "a header in two lines");
        assert_eq!(chosen(&["xx"], ""), Ok(Some(Language::ENGLISH)), "others fall back to English");
        assert_eq!(chosen(&["de"], "xx"), Err(Code::InvalidArgument));
        assert_eq!(chosen(&[], "\u{202e}"), Err(Code::InvalidArgument));
    }
}
