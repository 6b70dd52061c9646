//! What the contract says about each of the service's own reasons, and the facts that come with it.

use std::collections::HashMap;
use std::sync::LazyLock;

use prost_reflect::EnumValueDescriptor;
use tonic::Code;

use crate::descriptors::descriptors;

/// What `errors.proto` says about each reason, by the reason as it stands in an `ErrorInfo`.
pub(crate) static COMMENTS: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let reasons = descriptors().get_enum_by_name("croupier.v1.Reason");
    let reasons = reasons.expect("the contract has reasons");
    let values = reasons.values().filter(|value| value.number() != 0);
    values.map(|value| (reason_of(&value), comment_of(&value))).collect()
});

pub(crate) fn reason_of(value: &EnumValueDescriptor) -> String {
    value.name().strip_prefix("REASON_").expect("the contract prefixes its reasons").to_owned()
}

/// Checks, in builds for development, that the contract announces what is sent.
pub(crate) fn check(reason: &str, code: Code, facts: &HashMap<String, String>) {
    if cfg!(debug_assertions) {
        let announced = split(&COMMENTS[reason]).1;
        assert!(announced.contains(&code), "errors.proto says nothing of {code:?} {reason}");
        let declared = facts_of(reason);
        let found = facts.keys().find(|fact| !declared.contains(&fact.as_str()));
        assert!(found.is_none(), "{reason} does not declare the fact {found:?}");
    }
}

/// The names of the facts that may come with a reason of the service.
pub(crate) fn facts_of(reason: &str) -> Vec<&'static str> {
    let own: &[&str] = match reason {
        "INVALID_REQUEST"
        | "UNKNOWN_GAME"
        | "UNKNOWN_OPTION"
        | "UNKNOWN_BOT"
        | "MALFORMED_ACTION"
        | "INVALID_TIME_CONTROL"
        | "INVALID_PAGE_TOKEN"
        | "INVALID_CURSOR"
        | "INVALID_TAG"
        | "SERIES_MISMATCH"
        | "WEBHOOK_URL_REFUSED"
        | "WEBHOOK_SECRET_INVALID" => &["field"],
        "POSITION_AHEAD" | "POSITION_MOVED" | "RECORD_ALTERED" | "MATCH_UNREADABLE" => {
            &["position"]
        }
        "TIME_BEFORE_START" => &["start_time"],
        "RECORD_WENT_BACK" => &["position", "cursor"],
        "NOT_REVEALED" => &["reveal_time"],
        "PROMPT_MOVED" => &["prompt"],
        "TOO_MANY_ASIDES" => &["asides_max"],
        "ALREADY_SEATED" | "BOT_SEAT" => &["seat"],
        "MATCH_FOLLOWED" => &["next"],
        "SERIES_DECIDED" => &["winner"],
        "RATE_LIMIT_EXCEEDED" | "QUOTA_EXCEEDED" => &["limit", "value"],
        "SLOW_CONSUMER" => &["cursor"],
        "SEEK_SEATED" => &["match"],
        _ => &[],
    };
    let of_tables = table::common_reasons();
    let of_table = of_tables.iter().find(|it| it.0 == reason).map_or(&[][..], |it| it.1);
    let transcoders = transcoder::Reason::ALL;
    let of_transcoder = transcoders.iter().find(|it| it.as_str() == reason);
    [own, of_table, of_transcoder.map_or(&[], |it| it.facts())].concat()
}

fn comment_of(value: &EnumValueDescriptor) -> String {
    let file = value.parent_enum().parent_file();
    let locations = file.file_descriptor_proto().source_code_info.as_ref();
    let found = locations.and_then(|it| it.location.iter().find(|it| it.path == value.path()));
    let comment = found.map(|it| it.leading_comments()).unwrap_or_default();
    comment.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A reason's comment without its last sentence, and the codes that this one names. A reason of the
/// transcoder alone may name none.
pub(crate) fn split(comment: &str) -> (String, Vec<Code>) {
    let (text, last) = comment.trim_end_matches('.').rsplit_once(". ").unwrap_or((comment, ""));
    let words = last.split(|it: char| !(it.is_ascii_uppercase() || it == '_'));
    let codes: Vec<Code> = words.filter_map(code_named).collect();
    let is_about_codes = !codes.is_empty() || last.ends_with("in REST");
    (if is_about_codes { format!("{text}.") } else { comment.to_owned() }, codes)
}

fn code_named(name: &str) -> Option<Code> {
    (1..=16).map(Code::from_i32).find(|&code| transcoder::code_name(code) == name)
}
