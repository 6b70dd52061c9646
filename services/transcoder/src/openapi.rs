//! The REST contract as an OpenAPI 3.1 document, generated from the descriptors and the comments in
//! the proto files.

use std::collections::{BTreeMap, HashMap};

use axum::Router;
use axum::routing::get;
use bytes::Bytes;
use http::header;
use prost_reflect::{
    DescriptorPool, EnumDescriptor, FieldDescriptor, FileDescriptor, Kind, MessageDescriptor,
};
use serde_json::{Map, Value, json};

use crate::contract::{Contract, Route, RouteBody};

/// The texts of the document that are not in the descriptors.
#[derive(Clone, Copy, Debug)]
pub struct Info<'a> {
    pub title: &'a str,
    pub version: &'a str,
    pub description: &'a str,
    /// The bearer credentials that the service accepts.
    pub credentials: &'a str,
}

/// Serves the document at `/openapi.json`.
pub fn router(document: &Value) -> Router {
    let text = Bytes::from(document.to_string());
    let answer = async move || ([(header::CONTENT_TYPE, "application/json")], text);
    Router::new().route("/openapi.json", get(answer))
}

/// The whole document. Generating it takes some milliseconds, so it is done once.
pub fn document(pool: &DescriptorPool, contract: &Contract, info: &Info<'_>) -> Value {
    let mut document = Document { schemas: BTreeMap::new(), comments: Comments::read(pool) };
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
    let mut schemas: Map<String, Value> = document.schemas.into_iter().collect();
    schemas.insert("Error".to_owned(), error_schema());
    json!({
        "openapi": "3.1.0",
        "info": { "title": info.title, "version": info.version, "description": info.description },
        "tags": tags.into_values().collect::<Vec<_>>(),
        "paths": paths,
        "security": [{ "bearer": [] }],
        "components": {
            "schemas": schemas,
            "responses": { "Error": {
                "description": "The call failed.",
                "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Error" } } },
            }},
            "securitySchemes": { "bearer": {
                "type": "http",
                "scheme": "bearer",
                "description": info.credentials,
            }},
        },
    })
}

fn error_schema() -> Value {
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
                    "items": {
                        "type": "object",
                        "required": ["@type"],
                        "properties": { "@type": { "type": "string" } },
                    },
                },
            },
        }},
    })
}

struct Document {
    /// By the full name of the message or enum.
    schemas: BTreeMap<String, Value>,
    comments: Comments,
}

impl Document {
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
                    resumption.after.dotted(),
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
            "responses": { "200": self.answer(route), "default": { "$ref": "#/components/responses/Error" } },
        });
        if let Some(schema) = self.request_body(route) {
            operation["requestBody"] =
                json!({ "content": { "application/json": { "schema": schema } } });
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
        let schema = self.message(&route.procedure.output);
        if route.procedure.server_streaming {
            return json!({
                "description": "The messages as they are sent: as the `data` of events, of which the last is named `end`, or one per line. \
                                A stream that fails has the error in its last event or line.",
                "content": { "text/event-stream": { "schema": schema }, "application/x-ndjson": { "schema": schema } },
            });
        }
        json!({ "description": "The call succeeded.", "content": { "application/json": { "schema": schema } } })
    }

    fn request_body(&mut self, route: &Route) -> Option<Value> {
        match &route.body {
            RouteBody::None => None,
            RouteBody::Field(field) => Some(self.field(field)),
            RouteBody::Whole => {
                let of_path: Vec<_> =
                    route.variables.iter().map(|path| path.first().number()).collect();
                if of_path.is_empty() {
                    return Some(self.message(&route.procedure.input));
                }
                Some(self.object(&route.procedure.input, &of_path))
            }
        }
    }

    fn path_parameter(&mut self, route: &Route, name: &str, variable: Option<usize>) -> Value {
        let mut parameter =
            json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } });
        if let Some(field) = variable.map(|variable| route.variables[variable].last()) {
            parameter["description"] =
                self.comments.of(&field.parent_message().parent_file(), field.path()).into();
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
                    let mut schema = self.field(&field);
                    let description =
                        schema.as_object_mut().and_then(|schema| schema.remove("description"));
                    let mut parameter = json!({ "name": name, "in": "query", "schema": schema });
                    parameter["description"] = description.unwrap_or_default();
                    parameters.push(parameter);
                }
            }
        }
    }

    /// A field's schema, with its comment.
    fn field(&mut self, field: &FieldDescriptor) -> Value {
        let mut schema = if field.is_map() {
            let entry = field.kind();
            let value = entry
                .as_message()
                .expect("a map's entries are messages")
                .map_entry_value_field()
                .kind();
            json!({ "type": "object", "additionalProperties": self.kind(&value) })
        } else if field.is_list() {
            json!({ "type": "array", "items": self.kind(&field.kind()) })
        } else {
            self.kind(&field.kind())
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

    fn kind(&mut self, kind: &Kind) -> Value {
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
            Kind::Message(message) => self.message(message),
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

    fn message(&mut self, message: &MessageDescriptor) -> Value {
        if let Some(schema) = well_known(message.full_name()) {
            return schema;
        }
        if !self.schemas.contains_key(message.full_name()) {
            // The name is reserved first: a message may contain itself.
            self.schemas.insert(message.full_name().to_owned(), Value::Null);
            let schema = self.object(message, &[]);
            self.schemas.insert(message.full_name().to_owned(), schema);
        }
        reference(message.full_name())
    }

    /// A message's schema, without the fields that are bound elsewhere.
    fn object(&mut self, message: &MessageDescriptor, without: &[u32]) -> Value {
        let fields = message.fields().filter(|field| !without.contains(&field.number()));
        let properties: Map<_, _> =
            fields.map(|field| (field.json_name().to_owned(), self.field(&field))).collect();
        let mut schema = json!({
            "type": "object",
            "description": self.comments.of(&message.parent_file(), message.path()),
            "properties": properties,
        });
        let oneofs: Vec<_> = message
            .oneofs()
            .filter(|oneof| oneof.fields().len() > 1)
            .map(|oneof| at_most_one(oneof.fields()))
            .collect();
        if !oneofs.is_empty() {
            schema["allOf"] = oneofs.into();
        }
        schema
    }
}

/// How far into nested messages query parameters are listed.
const QUERY_DEPTH_MAX: usize = 2;

/// The schema of a oneof: one member or none.
fn at_most_one(members: impl Iterator<Item = FieldDescriptor>) -> Value {
    let required: Vec<_> =
        members.map(|member| json!({ "required": [member.json_name()] })).collect();
    let none = json!({ "not": { "anyOf": required } });
    let choices = [required, vec![none]].concat();
    json!({ "oneOf": choices })
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
        let pool = pool();
        let contract = Contract::new(&pool, &[]).expect("the toy contract is valid");
        let info =
            Info { title: "Library", version: "1", description: "Books.", credentials: "A token." };
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
                "description": "The book.",
            })
        );
        let body = &lend["requestBody"]["content"]["application/json"]["schema"]["properties"];
        assert_eq!(
            body.as_object().expect("fields").keys().collect::<Vec<_>>(),
            ["days", "reader"]
        );

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
        assert_eq!(book["allOf"][0]["oneOf"][0], json!({ "required": ["room"] }));
        assert_eq!(
            schemas["toy.v1.Binding"]["enum"],
            json!(["BINDING_UNSPECIFIED", "BINDING_CLOTH", "BINDING_PAPER"])
        );
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
