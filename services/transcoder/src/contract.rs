//! The contract: every rpc of the descriptors, and the HTTP requests that it answers.

use std::collections::HashMap;
use std::sync::Arc;

use http::Method;
use http::uri::PathAndQuery;
use prost_reflect::{
    DescriptorPool, DynamicMessage, FieldDescriptor, MessageDescriptor, MethodDescriptor,
};
use prost_types::method_options::IdempotencyLevel;

use crate::bind::FieldPath;
use crate::refusal::{Reason, Refusal};
use crate::template::{Template, TemplateError};

/// How a broken event stream is resumed, by names of the contract: `library.v1.Library.ReadBook`,
/// `page.position`, `after_position`. They are checked when the [`Contract`] is made.
#[derive(Clone, Copy, Debug)]
pub struct Resume {
    /// The full name of a server-streaming method.
    pub method: &'static str,
    /// The fields of each message that become its event's `id:`, joined by full stops. A message
    /// without the first one has no id.
    pub id: &'static [&'static str],
    /// The fields of the request that the parts of `Last-Event-ID` fill.
    pub after: &'static [&'static str],
}

/// All rpcs of a descriptor pool, found by gRPC path or by HTTP request.
pub struct Contract {
    procedures: HashMap<String, Arc<Procedure>>,
    routes: Vec<Route>,
    /// The first segments of the routes' paths, such as `/v1`.
    roots: Vec<String>,
}

/// One rpc.
pub struct Procedure {
    pub method: MethodDescriptor,
    pub path: PathAndQuery,
    pub input: MessageDescriptor,
    pub output: MessageDescriptor,
    pub client_streaming: bool,
    pub server_streaming: bool,
    /// Whether the method is safe to repeat, and so answers to GET.
    pub free_of_effects: bool,
    pub resumption: Option<Resumption>,
}

/// How a broken stream is resumed: the fields of a message with its place in the stream, and the
/// fields of a request with the place to start after.
pub struct Resumption {
    pub id: Vec<FieldPath>,
    pub after: Vec<FieldPath>,
}

/// Between the parts of an event's id: a number or base64 contains none.
const SEPARATOR: char = '.';

impl Resumption {
    /// The id of a message's event, if it has one.
    pub fn id_of(&self, message: &DynamicMessage) -> Option<String> {
        let mut parts = self.id.iter().map(|field| field.text(message));
        let mut id = parts.next().flatten()?;
        for part in parts {
            id.push(SEPARATOR);
            id.push_str(&part.unwrap_or_default());
        }
        Some(id.trim_end_matches(SEPARATOR).to_owned())
    }

    /// Fills a request with the id of the last event. An id may lack its last parts.
    pub fn start_after(&self, message: &mut DynamicMessage, id: &str) -> Result<(), Refusal> {
        let parts = id.splitn(self.after.len(), SEPARATOR).zip(&self.after);
        parts.filter(|(part, _)| !part.is_empty()).try_for_each(|(part, it)| it.set(message, part))
    }
}

/// One HTTP request that an rpc answers.
pub struct Route {
    pub verb: Method,
    pub template: Template,
    /// The fields that the template fills, in its order.
    pub variables: Vec<FieldPath>,
    pub body: RouteBody,
    /// The field of the answer that is the HTTP body, of type `google.api.HttpBody`; `None` for the
    /// whole answer, as JSON.
    pub answer: Option<FieldDescriptor>,
    pub procedure: Arc<Procedure>,
    /// 0 for the rpc's first HTTP rule, then counted through its additional ones.
    pub binding: usize,
}

/// The message whose content is an HTTP body as it is.
const BODY: &str = "google.api.HttpBody";

/// The part of the request message that the HTTP body holds.
pub enum RouteBody {
    None,
    Whole,
    Field(FieldDescriptor),
}

/// The result of looking up a path and an HTTP verb.
pub enum Found<'c> {
    Route(&'c Route, Vec<String>),
    OtherVerbs(Vec<&'c Method>),
    Nothing,
}

/// A contract that cannot be served: a mistake in a proto file or in the options.
#[derive(Debug, thiserror::Error)]
pub enum ContractError {
    #[error(transparent)]
    Template(#[from] TemplateError),
    #[error("{method} binds {field:?}, which is not a field of its request")]
    NoSuchField { method: String, field: String },
    #[error("{method} answers with {field:?}, which is not a google.api.HttpBody of its answer")]
    NoBody { method: String, field: String },
    #[error("{method} has an HTTP rule without a verb")]
    NoVerb { method: String },
    #[error(
        "resumption names {method}, which is not a server-streaming method with fields {id:?} and {after:?}"
    )]
    NoSuchStream { method: String, id: Vec<String>, after: Vec<String> },
}

impl Contract {
    /// The contract of the services of `pool`.
    ///
    /// # Errors
    ///
    /// If an HTTP rule or a resumption names a field or method that does not exist.
    pub fn new(pool: &DescriptorPool, resumes: &[Resume]) -> Result<Self, ContractError> {
        let mut contract =
            Self { procedures: HashMap::new(), routes: Vec::new(), roots: Vec::new() };
        for service in pool.services() {
            for method in service.methods() {
                let procedure = Arc::new(Procedure::new(&method, resumes));
                contract.procedures.insert(procedure.path.to_string(), procedure.clone());
                for (binding, rule) in rules(&method).iter().enumerate() {
                    contract.routes.push(Route::new(&method, procedure.clone(), rule, binding)?);
                }
            }
        }
        contract.routes.sort_by_key(|route| route.template.rank());
        contract.roots = contract.routes.iter().map(|it| root(&it.template.open_api().0)).collect();
        contract.roots.sort();
        contract.roots.dedup();
        for Resume { method, id, after } in resumes {
            let mut resumable =
                contract.procedures.values().filter(|procedure| procedure.resumption.is_some());
            if !resumable.any(|procedure| procedure.method.full_name() == *method) {
                let owned = |fields: &[&str]| fields.iter().map(|&it| it.to_owned()).collect();
                let (method, id, after) = ((*method).into(), owned(id), owned(after));
                return Err(ContractError::NoSuchStream { method, id, after });
            }
        }
        Ok(contract)
    }

    /// The rpc at a gRPC path, such as `/library.v1.Library/GetBook`.
    pub fn procedure(&self, path: &str) -> Option<&Arc<Procedure>> {
        self.procedures.get(path)
    }

    /// The rpc of this name: `library.v1.Library.GetBook`, also with a slash before the method.
    pub fn named(&self, name: &str) -> Result<&Arc<Procedure>, Refusal> {
        let name = name.trim_start_matches('/');
        let parts = name.rsplit_once('/').or_else(|| name.rsplit_once('.'));
        let procedure = parts
            .and_then(|(service, method)| self.procedures.get(&format!("/{service}/{method}")));
        procedure.ok_or_else(|| {
            let message = "there is no method of this name: they are those of the contract, as in \
                           `library.v1.Library.GetBook`";
            Reason::UnknownRoute.refusal(message, [])
        })
    }

    /// Every HTTP request that is answered, specific paths before general ones.
    pub fn routes(&self) -> &[Route] {
        &self.routes
    }

    /// The route for this path and verb; failing that, the verbs that the path does answer.
    ///
    /// A client may have put a whole name where its id is wanted, as in `/v1/books/books/7`; where
    /// no route has such a path, the name is taken for the id in it.
    pub fn find(&self, verb: &Method, path: &str) -> Found<'_> {
        match self.find_exactly(verb, path) {
            Found::Nothing => match without_repetition(path) {
                Some(path) => self.find_exactly(verb, &path),
                None => Found::Nothing,
            },
            found => found,
        }
    }

    /// The refusal of a path that has no method. It says where the methods are.
    pub fn nothing_at(&self, path: &str) -> Refusal {
        let is_of_api = self.roots.iter().any(|it| *it == root(path));
        let message = match is_of_api {
            true => {
                "there is no method at this path: /openapi.json describes all of them".to_owned()
            }
            false => format!(
                "there is nothing at this path: the API is at {}, and /openapi.json describes it",
                self.roots.join(", ")
            ),
        };
        Reason::UnknownRoute.refusal(message, [])
    }

    /// A path that ends with a custom verb matches only routes with that verb: it is never read as
    /// a resource name.
    fn find_exactly(&self, verb: &Method, path: &str) -> Found<'_> {
        let mut matching: Vec<_> = self
            .routes
            .iter()
            .filter_map(|route| Some((route, route.template.values(path)?)))
            .collect();
        if matching.iter().any(|(route, _)| route.template.has_verb()) {
            matching.retain(|(route, _)| route.template.has_verb());
        }
        if let Some(nth) = matching.iter().position(|(route, _)| route.verb == verb) {
            let (route, values) = matching.swap_remove(nth);
            return Found::Route(route, values);
        }
        let mut verbs: Vec<_> = matching.into_iter().map(|(route, _)| &route.verb).collect();
        verbs.sort_by_key(|verb| verb.as_str());
        verbs.dedup();
        if verbs.is_empty() { Found::Nothing } else { Found::OtherVerbs(verbs) }
    }
}

/// The first segment of a path.
fn root(path: &str) -> String {
    path.split_inclusive('/').take(2).collect::<String>().trim_end_matches('/').to_owned()
}

/// The path without the first segment that repeats the one before it.
fn without_repetition(path: &str) -> Option<String> {
    let mut segments: Vec<_> = path.split('/').collect();
    let repeated = segments.windows(2).position(|two| two[0] == two[1] && !two[0].is_empty())?;
    segments.remove(repeated);
    Some(segments.join("/"))
}

impl Procedure {
    fn new(method: &MethodDescriptor, resumes: &[Resume]) -> Self {
        let path = format!("/{}/{}", method.parent_service().full_name(), method.name());
        let idempotency = method
            .method_descriptor_proto()
            .options
            .as_ref()
            .map(|options| options.idempotency_level());
        Self {
            method: method.clone(),
            path: path.parse().expect("names of services and methods form a path"),
            input: method.input(),
            output: method.output(),
            client_streaming: method.is_client_streaming(),
            server_streaming: method.is_server_streaming(),
            free_of_effects: idempotency == Some(IdempotencyLevel::NoSideEffects),
            resumption: resumes
                .iter()
                .find(|resume| resume.method == method.full_name())
                .and_then(|resume| resumption(method, resume)),
        }
    }
}

fn resumption(method: &MethodDescriptor, resume: &Resume) -> Option<Resumption> {
    let fields = |of: &MessageDescriptor, paths: &[&str]| -> Option<Vec<FieldPath>> {
        paths.iter().map(|path| FieldPath::find(of, path)).collect()
    };
    let id = fields(&method.output(), resume.id)?;
    let after = fields(&method.input(), resume.after)?;
    method.is_server_streaming().then_some(Resumption { id, after })
}

/// The HTTP rules of an rpc: the first, then the additional ones.
fn rules(method: &MethodDescriptor) -> Vec<DynamicMessage> {
    let options = method.options();
    let Some(extension) = method.parent_pool().get_extension_by_name("google.api.http") else {
        return Vec::new();
    };
    if !options.has_extension(&extension) {
        return Vec::new();
    }
    let Some(first) = options.get_extension(&extension).as_message().cloned() else {
        return Vec::new();
    };
    let more: Vec<_> = first
        .get_field_by_name("additional_bindings")
        .and_then(|bindings| {
            bindings
                .as_list()
                .map(|rules| rules.iter().filter_map(|rule| rule.as_message().cloned()).collect())
        })
        .unwrap_or_default();
    [vec![first], more].concat()
}

impl Route {
    /// The route of one HTTP rule of the method.
    fn new(
        method: &MethodDescriptor,
        procedure: Arc<Procedure>,
        rule: &DynamicMessage,
        binding: usize,
    ) -> Result<Self, ContractError> {
        let name = || method.full_name().to_owned();
        let text = |field: &str| {
            rule.get_field_by_name(field)
                .and_then(|value| value.as_str().map(str::to_owned))
                .unwrap_or_default()
        };
        let (verb, template) =
            [Method::GET, Method::PUT, Method::POST, Method::DELETE, Method::PATCH]
                .into_iter()
                .find_map(|verb| {
                    let template = text(&verb.as_str().to_lowercase());
                    (!template.is_empty()).then_some((verb, template))
                })
                .ok_or_else(|| ContractError::NoVerb { method: name() })?;
        let template = Template::parse(&template)?;
        let missing =
            |field: &str| ContractError::NoSuchField { method: name(), field: field.to_owned() };
        let find =
            |field: &str| FieldPath::find(&procedure.input, field).ok_or_else(|| missing(field));
        let variables = template.fields().map(find).collect::<Result<_, _>>()?;
        let body = match text("body").as_str() {
            "" => RouteBody::None,
            "*" => RouteBody::Whole,
            field => {
                let field = procedure.input.get_field_by_name(field).ok_or_else(|| missing(field));
                RouteBody::Field(field?)
            }
        };
        let answer = match text("response_body").as_str() {
            "" => None,
            field => {
                let found = procedure.output.get_field_by_name(field).filter(|it| {
                    let is_body = it.kind().as_message().is_some_and(|it| it.full_name() == BODY);
                    is_body && !it.is_list() && !procedure.server_streaming
                });
                let missing = || ContractError::NoBody { method: name(), field: field.to_owned() };
                Some(found.ok_or_else(missing)?)
            }
        };
        Ok(Self { verb, template, variables, body, answer, procedure, binding })
    }
}
