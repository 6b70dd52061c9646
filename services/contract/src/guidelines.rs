//! The rules of Google's API improvement proposals that matter to callers, as tests of the
//! contract. Each rule lists its exceptions with the reasons.

use std::collections::{BTreeMap, BTreeSet};

use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor, MethodDescriptor};

use crate::descriptors::{comment_of, descriptors};

/// The messages of the contract, also those of the games.
fn messages() -> impl Iterator<Item = MessageDescriptor> {
    let ours = |it: &MessageDescriptor| it.full_name().starts_with("croupier.");
    descriptors().all_messages().filter(ours).filter(|it| !it.is_map_entry())
}

fn fields() -> impl Iterator<Item = FieldDescriptor> {
    messages().flat_map(|message| message.fields().collect::<Vec<_>>())
}

fn methods() -> impl Iterator<Item = MethodDescriptor> {
    descriptors().services().flat_map(|service| service.methods().collect::<Vec<_>>())
}

/// `Message.field`.
fn name_of(field: &FieldDescriptor) -> String {
    format!("{}.{}", field.parent_message().name(), field.name())
}

fn is_message(field: &FieldDescriptor, full_name: &str) -> bool {
    matches!(field.kind(), Kind::Message(it) if it.full_name() == full_name)
}

/// Whether an option of the field, a list of values of an enum, has this value.
fn has_behavior(field: &FieldDescriptor, number: i32) -> bool {
    let behavior = descriptors().get_extension_by_name("google.api.field_behavior");
    let options = field.options();
    let listed = options.get_extension(&behavior.expect("an option"));
    listed.as_list().into_iter().flatten().any(|it| it.as_enum_number() == Some(number))
}

const REQUIRED: i32 = 2;

/// Those that break the rule are exactly the exceptions, so that the list never outlives its need.
#[track_caller]
fn only(broken: impl IntoIterator<Item = String>, exceptions: &[&str], rule: &str) {
    let broken: BTreeSet<_> = broken.into_iter().collect();
    let exceptions: BTreeSet<_> = exceptions.iter().map(|&it| it.to_owned()).collect();
    let new: Vec<_> = broken.difference(&exceptions).collect();
    assert!(new.is_empty(), "{rule}: {new:?}");
    let kept: Vec<_> = exceptions.difference(&broken).collect();
    assert!(kept.is_empty(), "no exception to \"{rule}\" any more: {kept:?}");
}

/// AIP-158.
#[test]
fn every_list_is_paged() {
    let is_list =
        |it: &MethodDescriptor| ["List", "Search"].iter().any(|verb| it.name().starts_with(verb));
    let is_of = |message: &MessageDescriptor, name: &str, kind: Kind| {
        message.get_field_by_name(name).is_some_and(|it| !it.is_list() && it.kind() == kind)
    };
    let is_paged = |it: &MethodDescriptor| {
        is_of(&it.input(), "page_size", Kind::Int32)
            && is_of(&it.input(), "page_token", Kind::String)
            && is_of(&it.output(), "next_page_token", Kind::String)
    };
    let exceptions = [
        // It is computed for one position and bounded: `kinds` says what it leaves out, and filters
        // list that.
        "ListLegalActions",
    ];
    assert!(methods().filter(is_list).count() > 10);
    let broken = methods().filter(is_list).filter(|it| !is_paged(it));
    only(broken.map(|it| it.name().to_owned()), &exceptions, "a list is paged");
}

/// AIP-142.
#[test]
fn times_are_timestamps_and_their_names_end_in_time() {
    let exceptions = [
        // A word for a time by itself, which `by_deadline`, pages and texts use too.
        "Clock.deadline",
        "Prompt.deadline",
        // The name that Standard Webhooks gives it, whose libraries read it.
        "WebhookMessage.timestamp",
    ];
    let is_time = |it: &FieldDescriptor| is_message(it, "google.protobuf.Timestamp");
    let broken = fields().filter(|it| is_time(it) != it.name().ends_with("_time"));
    only(broken.map(|it| name_of(&it)), &exceptions, "times end in `_time`");
}

/// AIP-142.
#[test]
fn durations_have_the_type_and_not_a_unit_in_their_names() {
    let exceptions = [
        // Points of rating per second: a rate, which has no other type.
        "CreateSeekRequest.rating_widening_per_s",
        "Seek.rating_widening_per_s",
        // Hours of the day, and not how long.
        "CreatePushSubscriptionRequest.quiet_hours",
        "PushSubscription.quiet_hours",
    ];
    let units = ["s", "ms", "us", "ns", "sec", "secs", "seconds", "millis", "minutes", "hours"];
    let has_unit = |it: &FieldDescriptor| {
        let last = it.name().rsplit('_').next().unwrap_or_default();
        units.contains(&last)
    };
    only(fields().filter(has_unit).map(|it| name_of(&it)), &exceptions, "durations are `Duration`");
    assert!(fields().any(|it| is_message(&it, "google.protobuf.Duration")));
}

/// In JSON, 64-bit integers are texts and 32-bit ones are numbers.
#[test]
fn integers_have_32_bits() {
    let exceptions = [
        // `Play` is over gRPC only, never in JSON, and a stream may outlast 2^32 actions.
        "PlayOutcome.index",
    ];
    let is_long = |kind: &Kind| {
        let long = [Kind::Int64, Kind::Uint64, Kind::Sint64, Kind::Fixed64, Kind::Sfixed64];
        long.contains(kind)
    };
    let value = |it: &FieldDescriptor| match it.kind() {
        Kind::Message(entry) if entry.is_map_entry() => entry.map_entry_value_field().kind(),
        kind => kind,
    };
    let broken = fields().filter(|it| is_long(&value(it)));
    only(broken.map(|it| name_of(&it)), &exceptions, "integers have 32 bits");
}

/// AIP-203. `bad_input::a_request_without_a_required_field_is_refused_by_its_name` sends requests
/// without them.
#[test]
fn fields_of_requests_that_must_be_set_say_so() {
    // Besides every `name` and `parent`.
    let must_be_set = [
        "AcceptInvitationRequest.display_name",
        "AcceptInvitationRequest.guest_key",
        "AcknowledgeEntriesRequest.cursor",
        "BatchCreateMatchesRequest.requests",
        "CommitSeedRequest.request_id",
        "ContributeEntropyRequest.contribution",
        "CreatePushSubscriptionRequest.endpoint",
        "CreatePushSubscriptionRequest.keys",
        "CreateSeekRequest.game",
        "CreateSeekRequest.seats",
        "DiffViewsRequest.from_position",
        "ImportMatchRequest.create_time",
        "ImportMatchRequest.digest",
        "ImportMatchRequest.game",
        "ImportMatchRequest.rules_version",
        "ImportMatchRequest.seats",
        "ImportMatchRequest.seed",
        "InstallGameRequest.module",
        "ListRatingChangesRequest.game",
        "MoveWebhookRequest.url",
        "PlayRequest.actions",
        "PushTarget.url",
        "ReplaceSeatRequest.seat",
        "SignInRequest.code",
        "SubmitActionRequest.action",
        "UpdateMatchRequest.match",
        "UpdateMatchRequest.update_mask",
        "UpdateSubscriptionRequest.subscription",
        "UpdateSubscriptionRequest.update_mask",
        "VoteMatchRequest.motion",
    ];
    let inputs: BTreeSet<_> = methods().map(|it| it.input().full_name().to_owned()).collect();
    let is_asked = |it: &FieldDescriptor| {
        let message = it.parent_message();
        inputs.contains(message.full_name()) || message.name() == "PushTarget"
    };
    let names = ["name", "parent"];
    let unsaid = fields()
        .filter(|it| is_asked(it) && names.contains(&it.name()) && !has_behavior(it, REQUIRED));
    only(unsaid.map(|it| name_of(&it)), &[], "names and parents are REQUIRED");
    let others = fields()
        .filter(|it| is_asked(it) && !names.contains(&it.name()) && has_behavior(it, REQUIRED));
    only(others.map(|it| name_of(&it)), &must_be_set, "these are REQUIRED");
}

/// AIP-123.
#[test]
fn resources_have_a_type_and_the_pattern_of_their_names() {
    let resource = descriptors().get_extension_by_name("google.api.resource");
    let resource = resource.expect("an option");
    let mut patterns = BTreeSet::new();
    for message in messages() {
        let Some(field) = message.get_field_by_name("name") else { continue };
        let comment = comment_of(&message.parent_file(), field.path());
        if !comment.starts_with("The resource name") {
            continue;
        }
        let name = message.name();
        let options = message.options();
        assert!(options.has_extension(&resource), "{name} has no google.api.resource");
        let option = options.get_extension(&resource);
        let option = option.as_message().expect("it is a message");
        let text = |name: &str| option.get_field_by_name(name).expect("a field").into_owned();
        assert_eq!(text("type").as_str(), Some(&*format!("croupier/{name}")));
        let listed = text("pattern");
        let [pattern] = listed.as_list().expect("a list") else { panic!("{name}: one pattern") };
        let pattern = pattern.as_str().expect("a text");
        assert!(comment.contains(&format!("`{pattern}`")), "{name}: {pattern} in {comment:?}");
        assert!(patterns.insert(pattern.to_owned()), "{pattern} is of two resources");
    }
    assert!(patterns.len() > 9, "{patterns:?}");
}

/// So that a client in any language is generated under names of its own: AIP-191.
#[test]
fn every_file_names_its_packages_in_other_languages() {
    let pascal = |part: &str| -> String {
        let words = part.split('_').map(|word| word[..1].to_uppercase() + &word[1..]);
        words.collect()
    };
    let (mut files, mut prefixes) = (0, BTreeMap::new());
    for file in descriptors().files().filter(|it| it.package_name().starts_with("croupier.")) {
        let (name, package) = (file.name(), file.package_name());
        let options = file.file_descriptor_proto().options.clone().unwrap_or_default();
        let parts: Vec<_> = package.split('.').map(pascal).collect();
        let folder = package.replace('.', "/");
        let own = package.split('.').rev().take(2).collect::<Vec<_>>();
        let alias = [own[1].replace('_', ""), own[0].to_owned()].concat();
        let go = format!("croupier.example/croupier/gen/go/{folder};{alias}");
        assert_eq!(options.go_package(), go, "{name}");
        assert_eq!(options.csharp_namespace(), parts.join("."), "{name}");
        assert_eq!(options.java_package(), package, "{name}");
        assert!(options.java_multiple_files(), "{name}");
        assert_eq!(options.php_namespace(), parts.join("\\"), "{name}");
        assert_eq!(options.ruby_package(), parts.join("::"), "{name}");
        let prefix = options.objc_class_prefix();
        assert!(prefix.starts_with("CRP"), "{name}: {prefix:?}");
        assert_eq!(options.swift_prefix(), prefix, "{name}");
        let of_package = prefixes.entry(prefix.to_owned()).or_insert_with(|| package.to_owned());
        assert_eq!(of_package, package, "{name}: {prefix} is of two packages");
        files += 1;
    }
    assert!(files > 20, "{files}");
}
