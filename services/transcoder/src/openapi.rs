//! The REST contract as an OpenAPI 3.1 document, generated from the descriptors and the comments in
//! the proto files.

use std::collections::{BTreeMap, HashMap, HashSet};

use std::time::Duration;

use axum::Router;
use axum::routing::get;
use bytes::Bytes;
use http::{HeaderMap, Method, header};
use prost_reflect::{
    DescriptorPool, EnumDescriptor, FieldDescriptor, FileDescriptor, Kind, MessageDescriptor,
};
use serde_json::{Map, Value, json};

use crate::bind::FieldPath;
use crate::cache::{self, Keeper};
use crate::contract::{Contract, Route, RouteBody};
use crate::json::is_required;

/// The texts of the document that are not in the descriptors.
#[derive(Clone, Copy, Debug)]
pub struct Info<'a> {
    pub title: &'a str,
    pub version: &'a str,
    pub description: &'a str,
    /// The license of the service, as an SPDX expression.
    pub license: &'a str,
    /// The bearer credentials that the service accepts.
    pub credentials: &'a str,
    /// The full names of services whose calls need no credentials.
    pub public: &'a [&'a str],
    /// The pages of the server besides calls. They need no credentials.
    pub pages: &'a [Page<'a>],
}

/// A resource that is not part of the contract, such as a health check.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    pub path: &'a str,
    /// The id of the operation.
    pub id: &'a str,
    pub summary: &'a str,
    pub description: &'a str,
    pub media_type: &'a str,
}

/// Whether a message is read or written. Written messages have all fields that are never absent; in
/// messages to read, defaults may be omitted.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Direction {
    Request,
    Answer,
}

/// How long a cache may keep the document, which changes with the release.
const MAX_AGE: Duration = Duration::from_secs(300);

/// Serves the document at `/openapi.json`.
pub fn router(document: &Value) -> Router {
    let text = Bytes::from(document.to_string());
    let answer = async move |headers: HeaderMap| {
        let known = headers.get(header::IF_NONE_MATCH);
        let (keeper, none) = (Keeper::Anyone, HeaderMap::new());
        cache::response(keeper, known, MAX_AGE, "application/json", none, text)
    };
    Router::new().route("/openapi.json", get(answer))
}

/// The whole document. Generating it takes some milliseconds, so it is done once.
pub fn document(pool: &DescriptorPool, contract: &Contract, info: &Info<'_>) -> Value {
    let mut document = Document {
        schemas: BTreeMap::new(),
        comments: Comments::read(pool),
        answered: answered(contract),
        public: info.public,
    };
    let mut paths = Map::new();
    let mut tags = BTreeMap::new();
    for route in contract.routes() {
        let service = route.procedure.method.parent_service();
        let comment = document.comments.of(&service.parent_file(), service.path());
        tags.insert(
            service.name().to_owned(),
            json!({ "name": service.name(), "description": comment }),
        );
        let (path, parameters) = route.template.open_api();
        let operation = document.operation(route, &parameters);
        let item = paths.entry(path).or_insert_with(|| json!({}));
        item[route.verb.as_str().to_lowercase()] = operation;
    }
    for page in info.pages {
        let operation = document.page(page);
        paths.insert(page.path.to_owned(), json!({ "get": operation }));
        tags.insert(
            PAGES.to_owned(),
            json!({ "name": PAGES, "description": "Pages and documents beside the API." }),
        );
    }
    let error = document.error(pool);
    let mut schemas: Map<String, Value> = document.schemas.into_iter().collect();
    schemas.insert("Error".to_owned(), error);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": info.title,
            "version": info.version,
            "description": info.description,
            "license": { "name": info.license, "identifier": info.license },
        },
        "servers": [{ "url": "/", "description": "The service that serves this document." }],
        "tags": tags.into_values().collect::<Vec<_>>(),
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": { "Error": {
                "description": "The call failed.",
                "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Error" } } },
            }},
            "securitySchemes": {
                "bearer": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": info.credentials,
                },
                "accessToken": {
                    "type": "apiKey",
                    "in": "query",
                    "name": "access_token",
                    "description": format!(
                        "{} For a browser's `EventSource`, which cannot send headers. Proxies may log \
                         it, so it should be short-lived and of little power.",
                        info.credentials,
                    ),
                },
            },
        },
    })
}

/// The tag of pages.
const PAGES: &str = "Pages";

/// The messages that answers contain.
fn answered(contract: &Contract) -> HashSet<String> {
    let mut found = HashSet::new();
    let mut open: Vec<_> =
        contract.routes().iter().map(|route| route.procedure.output.clone()).collect();
    while let Some(message) = open.pop() {
        if found.insert(message.full_name().to_owned()) {
            open.extend(message.fields().filter_map(|field| field.kind().as_message().cloned()));
        }
    }
    found
}

struct Document<'d> {
    /// By the full name of the message or enum.
    schemas: BTreeMap<String, Value>,
    comments: Comments,
    /// The full names of the messages that answers contain.
    answered: HashSet<String>,
    public: &'d [&'d str],
}

impl Document<'_> {
    /// A failed call, with the details that the descriptors know.
    fn error(&mut self, pool: &DescriptorPool) -> Value {
        let mut details = Vec::new();
        for name in DETAILS {
            let Some(message) = pool.get_message_by_name(&format!("google.rpc.{name}")) else {
                continue;
            };
            let mut schema = self.object(&message, &[], Direction::Answer);
            let url = format!("type.googleapis.com/{}", message.full_name());
            schema["properties"]["@type"] = json!({ "type": "string", "const": url });
            if let Some(required) = schema["required"].as_array_mut() {
                required.insert(0, "@type".into());
            } else {
                schema["required"] = json!(["@type"]);
            }
            let name = format!("Error.{name}");
            details.push(reference(&name));
            self.schemas.insert(name, schema);
        }
        let details = match details.is_empty() {
            true => well_known("google.protobuf.Any").expect("it has a form of its own"),
            false => json!({ "oneOf": details }),
        };
        json!({
            "type": "object",
            "description": "An error, as google.rpc.Status.",
            "required": ["error"],
            "properties": { "error": {
                "type": "object",
                "required": ["code", "status", "message", "details"],
                "properties": {
                    "code": { "type": "integer", "description": "The HTTP status." },
                    "status": { "type": "string", "description": "The name of the google.rpc.Code." },
                    "message": { "type": "string", "description": "What is wrong, for people." },
                    "details": {
                        "type": "array",
                        "description": "What is wrong, for programs: a google.rpc.ErrorInfo with its reason, and other details.",
                        "items": details,
                    },
                },
            }},
        })
    }

    fn page(&self, page: &Page<'_>) -> Value {
        let schema = match page.media_type {
            "application/json" => json!({ "type": "object" }),
            _ => json!({ "type": "string" }),
        };
        json!({
            "operationId": page.id,
            "tags": [PAGES],
            "summary": page.summary,
            "description": page.description,
            "security": [],
            "responses": {
                "200": { "description": page.summary, "content": { page.media_type: { "schema": schema } } },
                "4XX": { "$ref": "#/components/responses/Error" },
                "default": { "$ref": "#/components/responses/Error" },
            },
        })
    }

    /// The credentials that a call needs.
    fn security(&self, route: &Route) -> Value {
        let method = &route.procedure.method;
        let names = [method.parent_service().full_name(), method.full_name()];
        if names.iter().any(|name| self.public.contains(name)) {
            return json!([]);
        }
        // `EventSource` only requests streams.
        let takes_token = route.procedure.server_streaming && route.verb == Method::GET;
        match takes_token {
            true => json!([{ "bearer": [] }, { "accessToken": [] }]),
            false => json!([{ "bearer": [] }]),
        }
    }

    fn operation(&mut self, route: &Route, path_parameters: &[(String, Option<usize>)]) -> Value {
        let procedure = &route.procedure;
        let method = &procedure.method;
        let service = method.parent_service().name().to_owned();
        let description = self.comments.of(&method.parent_file(), method.path());
        let nth =
            if route.binding == 0 { String::new() } else { format!("_{}", route.binding + 1) };
        let mut parameters: Vec<Value> = path_parameters
            .iter()
            .map(|(name, variable)| self.path_parameter(route, name, *variable))
            .collect();
        if !matches!(route.body, RouteBody::Whole) {
            self.query_parameters(route, &procedure.input, "", &mut parameters);
        }
        if let Some(resumption) = &procedure.resumption {
            parameters.push(json!({
                "name": "Last-Event-ID",
                "in": "header",
                "description": format!(
                    "The id of the last event received; overrides `{}`. Browsers send it by themselves.",
                    resumption.after.iter().map(FieldPath::dotted).collect::<Vec<_>>().join("` and `"),
                ),
                "schema": { "type": "string" },
            }));
        }
        let mut operation = json!({
            "operationId": format!("{service}_{}{nth}", method.name()),
            "tags": [service],
            "summary": first_sentence(&description),
            "description": description,
            "parameters": parameters,
            "security": self.security(route),
            "responses": {
                "200": self.answer(route),
                "4XX": { "$ref": "#/components/responses/Error" },
                "default": { "$ref": "#/components/responses/Error" },
            },
        });
        if let Some(schema) = self.request_body(route) {
            operation["requestBody"] =
                json!({ "content": { "application/json": { "schema": schema } } });
            if needs_body(route) {
                operation["requestBody"]["required"] = true.into();
            }
        }
        if method
            .method_descriptor_proto()
            .options
            .as_ref()
            .is_some_and(|options| options.deprecated())
        {
            operation["deprecated"] = true.into();
        }
        operation
    }

    fn answer(&mut self, route: &Route) -> Value {
        if route.answer.is_some() {
            return json!({ "description": "The call succeeded.", "content": { "*/*": {} } });
        }
        let schema = self.message(&route.procedure.output, Direction::Answer);
        if route.procedure.server_streaming {
            let resumes = match route.procedure.resumption {
                Some(_) => "It resumes after the last event",
                None => "The description of the call says where it resumes",
            };
            return json!({
                "description": STREAM.replace("{resumes}", resumes),
                "content": { "text/event-stream": { "schema": schema }, "application/x-ndjson": { "schema": schema } },
            });
        }
        json!({ "description": "The call succeeded.", "content": { "application/json": { "schema": schema } } })
    }

    fn request_body(&mut self, route: &Route) -> Option<Value> {
        match &route.body {
            RouteBody::None => None,
            RouteBody::Field(field) => Some(self.field(field, Direction::Request)),
            RouteBody::Whole => {
                let of_path: Vec<_> =
                    route.variables.iter().map(|path| path.first().number()).collect();
                if of_path.is_empty() {
                    return Some(self.message(&route.procedure.input, Direction::Request));
                }
                Some(self.object(&route.procedure.input, &of_path, Direction::Request))
            }
        }
    }

    fn path_parameter(&mut self, route: &Route, name: &str, variable: Option<usize>) -> Value {
        let mut parameter =
            json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } });
        if let Some(field) = variable.map(|variable| route.variables[variable].last()) {
            let comment = self.comments.of(&field.parent_message().parent_file(), field.path());
            parameter["description"] = match route.template.collection(name) {
                Some(collection) => format!(
                    "The id of the {name}: what follows `{collection}/` in its name. The name is \
                     accepted, too, with each slash as `%2F`. In other protocols: {comment}"
                ),
                None => comment,
            }
            .into();
        }
        parameter
    }

    fn query_parameters(
        &mut self,
        route: &Route,
        message: &MessageDescriptor,
        prefix: &str,
        parameters: &mut Vec<Value>,
    ) {
        for field in message.fields() {
            let name = format!("{prefix}{}", field.json_name());
            let is_bound_elsewhere = route.variables.iter().any(|path| path.dotted() == name)
                || matches!(&route.body, RouteBody::Field(body) if *body == field);
            if is_bound_elsewhere || field.is_map() {
                continue;
            }
            match field.kind() {
                Kind::Message(inner) if !is_text(&inner) => {
                    // A message that contains itself would never end.
                    let depth = prefix.matches('.').count();
                    if !field.is_list()
                        && depth < QUERY_DEPTH_MAX
                        && inner.package_name() != "google.protobuf"
                    {
                        self.query_parameters(route, &inner, &format!("{name}."), parameters);
                    }
                }
                _ => {
                    let mut schema = self.field(&field, Direction::Request);
                    let description =
                        schema.as_object_mut().and_then(|schema| schema.remove("description"));
                    let mut parameter = json!({ "name": name, "in": "query", "schema": schema });
                    // The fields of an absent message are absent too.
                    if prefix.is_empty() && is_required(&field) {
                        parameter["required"] = true.into();
                    }
                    parameter["description"] = description.unwrap_or_default();
                    parameters.push(parameter);
                }
            }
        }
    }

    /// A field's schema, with its comment.
    fn field(&mut self, field: &FieldDescriptor, direction: Direction) -> Value {
        let mut schema = if field.is_map() {
            let entry = field.kind();
            let value = entry
                .as_message()
                .expect("a map's entries are messages")
                .map_entry_value_field()
                .kind();
            json!({ "type": "object", "additionalProperties": self.kind(&value, direction) })
        } else if field.is_list() {
            json!({ "type": "array", "items": self.kind(&field.kind(), direction) })
        } else {
            self.kind(&field.kind(), direction)
        };
        schema["description"] =
            self.comments.of(&field.parent_message().parent_file(), field.path()).into();
        if field
            .field_descriptor_proto()
            .options
            .as_ref()
            .is_some_and(|options| options.deprecated())
        {
            schema["deprecated"] = true.into();
        }
        schema
    }

    fn kind(&mut self, kind: &Kind, direction: Direction) -> Value {
        match kind {
            Kind::Bool => json!({ "type": "boolean" }),
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => {
                json!({ "type": "integer", "format": "int32" })
            }
            Kind::Uint32 | Kind::Fixed32 => {
                json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX })
            }
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => {
                json!({ "type": "string", "format": "int64" })
            }
            Kind::Uint64 | Kind::Fixed64 => json!({ "type": "string", "format": "uint64" }),
            Kind::Float => json!({ "type": "number", "format": "float" }),
            Kind::Double => json!({ "type": "number", "format": "double" }),
            Kind::String => json!({ "type": "string" }),
            Kind::Bytes => json!({ "type": "string", "contentEncoding": "base64" }),
            Kind::Message(message) => self.message(message, direction),
            Kind::Enum(values) => self.enumeration(values),
        }
    }

    fn enumeration(&mut self, values: &EnumDescriptor) -> Value {
        if !self.schemas.contains_key(values.full_name()) {
            let file = values.parent_file();
            let mut description = self.comments.of(&file, values.path());
            for value in values.values() {
                description +=
                    &format!("\n- `{}`: {}", value.name(), self.comments.of(&file, value.path()));
            }
            let names: Vec<_> = values.values().map(|value| value.name().to_owned()).collect();
            let schema = json!({ "type": "string", "enum": names, "description": description });
            self.schemas.insert(values.full_name().to_owned(), schema);
        }
        reference(values.full_name())
    }

    fn message(&mut self, message: &MessageDescriptor, direction: Direction) -> Value {
        if let Some(schema) = well_known(message.full_name()) {
            return schema;
        }
        let is_both =
            direction == Direction::Request && self.answered.contains(message.full_name());
        let name = format!("{}{}", message.full_name(), if is_both { ".Input" } else { "" });
        if !self.schemas.contains_key(&name) {
            // The name is reserved first: a message may contain itself.
            self.schemas.insert(name.clone(), Value::Null);
            let schema = self.object(message, &[], direction);
            self.schemas.insert(name.clone(), schema);
        }
        reference(&name)
    }

    /// A message's schema, without the fields that are bound elsewhere.
    fn object(
        &mut self,
        message: &MessageDescriptor,
        without: &[u32],
        direction: Direction,
    ) -> Value {
        let fields: Vec<_> =
            message.fields().filter(|field| !without.contains(&field.number())).collect();
        let is_present = |field: &&FieldDescriptor| {
            direction == Direction::Answer && !field.supports_presence() || is_required(field)
        };
        let required: Vec<_> =
            fields.iter().filter(is_present).map(|field| field.json_name().to_owned()).collect();
        let properties: Map<_, _> = fields
            .iter()
            .map(|field| (field.json_name().to_owned(), self.field(field, direction)))
            .collect();
        let mut schema = json!({
            "type": "object",
            "description": self.comments.of(&message.parent_file(), message.path()),
            "properties": properties,
        });
        if !required.is_empty() {
            schema["required"] = required.into();
        }
        // Written messages follow the rule by construction.
        let oneofs: Vec<_> = message
            .oneofs()
            .filter(|oneof| direction == Direction::Request && oneof.fields().len() > 1)
            .map(|oneof| at_most_one(oneof.fields()))
            .collect();
        if !oneofs.is_empty() {
            schema["allOf"] = oneofs.into();
        }
        schema
    }
}

/// The details of errors that are described, messages of google.rpc.
const DETAILS: [&str; 4] = ["ErrorInfo", "BadRequest", "RetryInfo", "LocalizedMessage"];

/// How a stream is sent, and how it ends.
const STREAM: &str = "\
The messages in the order in which they are sent, each as soon as it is there: as the `data` of \
server-sent events if the request accepts `text/event-stream`, otherwise as one JSON text a line.

A stream of events ends with an event named `end`. Its data is `{}` after the last message, and an \
`Error` if the stream failed. Close the `EventSource` on `end`, unless the reason of the error is \
`SHUTTING_DOWN` or another for which the call may be repeated: then leave it open, and the browser \
reconnects. It does the same if the connection breaks without `end`. {resumes}. Comments keep a silent stream alive. A stream of lines ends after the last message; if it \
failed, its last line is an `Error`.";

/// How far into nested messages query parameters are listed.
const QUERY_DEPTH_MAX: usize = 2;

/// The schema of a oneof: one member or none.
fn at_most_one(members: impl Iterator<Item = FieldDescriptor>) -> Value {
    let names: Vec<_> = members.map(|member| member.json_name().to_owned()).collect();
    let one = names.iter().map(|name| json!({ "required": [name] }));
    let none: Map<_, _> = names.iter().map(|name| (name.clone(), false.into())).collect();
    let none = json!({ "properties": none });
    json!({ "oneOf": one.chain([none]).collect::<Vec<_>>() })
}

/// Whether the body has a field without which the call fails.
fn needs_body(route: &Route) -> bool {
    let is_of_path = |field: &FieldDescriptor| {
        route.variables.iter().any(|path| path.first().number() == field.number())
    };
    match &route.body {
        RouteBody::None => false,
        RouteBody::Field(field) => is_required(field),
        RouteBody::Whole => {
            route.procedure.input.fields().any(|it| is_required(&it) && !is_of_path(&it))
        }
    }
}

fn reference(full_name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{full_name}") })
}

/// The schema of a type with a special proto3 JSON form.
fn well_known(full_name: &str) -> Option<Value> {
    Some(match full_name.strip_prefix("google.protobuf.")? {
        "Timestamp" => json!({ "type": "string", "format": "date-time" }),
        "Duration" => json!({ "type": "string", "pattern": r"^-?[0-9]+(\.[0-9]{1,9})?s$" }),
        "FieldMask" => {
            json!({ "type": "string", "description": "Names of fields, separated by commas." })
        }
        "BoolValue" => json!({ "type": ["boolean", "null"] }),
        "Int32Value" => json!({ "type": ["integer", "null"], "format": "int32" }),
        "UInt32Value" => json!({ "type": ["integer", "null"], "minimum": 0, "maximum": u32::MAX }),
        "Int64Value" => json!({ "type": ["string", "null"], "format": "int64" }),
        "UInt64Value" => json!({ "type": ["string", "null"], "format": "uint64" }),
        "FloatValue" | "DoubleValue" => json!({ "type": ["number", "null"] }),
        "StringValue" => json!({ "type": ["string", "null"] }),
        "BytesValue" => json!({ "type": ["string", "null"], "contentEncoding": "base64" }),
        "Struct" | "Empty" => json!({ "type": "object" }),
        "ListValue" => json!({ "type": "array", "items": {} }),
        "Value" => json!({}),
        "Any" => {
            json!({ "type": "object", "required": ["@type"], "properties": { "@type": { "type": "string" } } })
        }
        _ => return None,
    })
}

/// Whether the message is a single value in JSON, so that it fits a query string.
fn is_text(message: &MessageDescriptor) -> bool {
    well_known(message.full_name()).is_some_and(|schema| {
        schema["type"] != "object" && schema["type"] != "array" && schema != json!({})
    })
}

fn first_sentence(text: &str) -> String {
    let ends = [". ", ".\n"].into_iter().filter_map(|end| text.find(end));
    let sentence = &text[..ends.min().unwrap_or(text.len())];
    sentence.trim_end_matches('.').replace('\n', " ")
}

/// The comments in the proto files, by file and by the descriptor path of the element they precede.
struct Comments(HashMap<(String, Vec<i32>), String>);

impl Comments {
    fn read(pool: &DescriptorPool) -> Self {
        let mut texts = HashMap::new();
        for file in pool.files() {
            let Some(info) = &file.file_descriptor_proto().source_code_info else { continue };
            for location in
                info.location.iter().filter(|location| location.leading_comments.is_some())
            {
                let lines: Vec<_> = location.leading_comments().lines().map(str::trim).collect();
                texts.insert(
                    (file.name().to_owned(), location.path.clone()),
                    lines.join("\n").trim().to_owned(),
                );
            }
        }
        Self(texts)
    }

    fn of(&self, file: &FileDescriptor, path: &[i32]) -> String {
        self.0.get(&(file.name().to_owned(), path.to_vec())).cloned().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::pool;

    fn library() -> Value {
        library_with(&[])
    }

    fn library_with(public: &[&str]) -> Value {
        let pool = pool();
        let contract = Contract::new(&pool, &[]).expect("the toy contract is valid");
        let info = Info {
            title: "Library",
            version: "1",
            description: "Books.",
            license: "MIT",
            credentials: "A token.",
            public,
            pages: &[],
        };
        document(&pool, &contract, &info)
    }

    #[test]
    fn an_operation_has_its_comment_and_a_place_for_each_field() {
        let document = library();
        let lend = &document["paths"]["/v1/rooms/{room}/books/{book}:lend"]["post"];
        assert_eq!(lend["operationId"], "Library_LendBook");
        assert_eq!(lend["summary"], "Lends a book");
        assert_eq!(
            lend["parameters"][1],
            json!({
                "name": "book",
                "in": "path",
                "required": true,
                "schema": { "type": "string" },
                "description": "The id of the book: what follows `books/` in its name. The name is accepted, too, \
                                with each slash as `%2F`. In other protocols: The book.",
            })
        );
        let body = &lend["requestBody"]["content"]["application/json"]["schema"]["properties"];
        assert_eq!(
            body.as_object().expect("fields").keys().collect::<Vec<_>>(),
            ["days", "reader"]
        );

        let schema = &lend["requestBody"]["content"]["application/json"]["schema"];
        assert_eq!(schema["required"], json!(["reader"]), "its name is in the path");
        assert_eq!(lend["requestBody"]["required"], true);
        let added = &document["paths"]["/v1/rooms/{room}/books"]["post"];
        assert_eq!(added["requestBody"].get("required"), None);

        let list = &document["paths"]["/v1/rooms/{room}/books"]["get"]["parameters"];
        let names: Vec<_> = list
            .as_array()
            .expect("parameters")
            .iter()
            .map(|parameter| &parameter["name"])
            .collect();
        assert_eq!(
            names,
            [
                "room",
                "pageSize",
                "bindings",
                "filter.since",
                "filter.loan",
                "filter.authors",
                "filter.onLoan",
                "filter.pictured",
                "readMask",
            ]
        );
        assert_eq!(
            document["paths"]["/v1/books/{book}"]["get"]["operationId"],
            "Library_GetBook_2"
        );
    }

    #[test]
    fn a_message_has_the_schema_of_its_json_form() {
        let document = library();
        let schemas = &document["components"]["schemas"];
        let book = &schemas["toy.v1.Book"];
        assert_eq!(
            book["properties"]["pages"],
            json!({ "type": "string", "format": "int64", "description": "How many pages it has." })
        );
        assert_eq!(book["properties"]["printTime"]["format"], "date-time");
        assert_eq!(book["properties"]["notes"]["additionalProperties"], reference("toy.v1.Note"));
        assert_eq!(book["properties"]["volumes"]["items"], reference("toy.v1.Book"));
        assert_eq!(book.get("allOf"), None, "an answer has no two members of a oneof");
        let asked = &schemas["toy.v1.Book.Input"];
        assert_eq!(asked["allOf"][0]["oneOf"][0], json!({ "required": ["room"] }));
        assert_eq!(
            schemas["toy.v1.Binding"]["enum"],
            json!(["BINDING_UNSPECIFIED", "BINDING_CLOTH", "BINDING_PAPER"])
        );
    }

    #[test]
    fn what_is_written_has_every_field_without_presence_and_what_is_read_needs_none() {
        let document = library();
        let schemas = &document["components"]["schemas"];
        let required = schemas["toy.v1.Book"]["required"].as_array().expect("some are required");
        for written in ["name", "title", "pages", "binding", "authors", "notes", "volumes"] {
            assert!(required.contains(&written.into()), "{written} is always written");
        }
        for optional in ["printTime", "room", "reader"] {
            assert!(!required.contains(&optional.into()), "{optional} may be absent");
        }
        assert_eq!(schemas["toy.v1.Book.Input"].get("required"), None);
        let created = &document["paths"]["/v1/rooms/{room}/books"]["post"]["requestBody"];
        let body = &created["content"]["application/json"]["schema"];
        assert_eq!(body["$ref"], "#/components/schemas/toy.v1.Book.Input");
    }

    #[test]
    fn only_calls_of_public_services_need_no_credentials() {
        let paths = |public| library_with(public)["paths"].clone();
        let read = "/v1/rooms/{room}/books/{book}:read";
        let (private, public) = (paths(&[]), paths(&["toy.v1.Library"]));
        let either = json!([{ "bearer": [] }, { "accessToken": [] }]);
        assert_eq!(private[read]["get"]["security"], either);
        assert_eq!(private["/v1/books/{book}"]["get"]["security"], json!([{ "bearer": [] }]));
        assert_eq!(public["/v1/books/{book}"]["get"]["security"], json!([]));
    }

    #[test]
    fn a_stream_is_described_as_events_and_as_lines() {
        let document = library();
        let read = &document["paths"]["/v1/rooms/{room}/books/{book}:read"]["get"]["responses"]["200"]
            ["content"];
        assert_eq!(
            read.as_object().expect("types").keys().collect::<Vec<_>>(),
            ["application/x-ndjson", "text/event-stream"]
        );
    }
}
