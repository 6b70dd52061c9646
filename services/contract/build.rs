//! Generates the messages and servers of the contract, what clients know of its rpcs, and the
//! descriptors from which REST, Connect, reflection and OpenAPI are served.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use prost_types::method_options::IdempotencyLevel;
use prost_types::{DescriptorProto, FileDescriptorProto, FileDescriptorSet};

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("proto");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    println!("cargo::rerun-if-changed={}", root.display());

    // The contract is what clients see; the stored form of entries is not part of it.
    let mut files = Vec::new();
    protos(&root.join("croupier/v1"), &mut files)?;
    protos(&root.join("croupier/games"), &mut files)?;
    // No message refers to the details of errors.
    protos(&root.join("google/rpc"), &mut files)?;
    files.sort();

    let mut compiler = protox::Compiler::new([&root])?;
    compiler.include_imports(true).include_source_info(true).open_files(&files)?;

    // Encoded by the compiler itself: descriptors of `prost_types` would lose the options that
    // extensions add, such as the HTTP rules.
    fs::write(out.join("descriptors.bin"), compiler.encode_file_descriptor_set())?;

    let descriptors = compiler.file_descriptor_set();
    fs::write(out.join("words.rs"), words(&descriptors))?;
    fs::write(out.join("rpcs.rs"), rpcs(&descriptors))?;
    fs::write(out.join("games.rs"), games(&descriptors))?;
    fs::write(out.join("fields.rs"), fields(&descriptors))?;
    tonic_prost_build::configure()
        .codec_path("crate::codec::Codec")
        .build_client(env::var_os("CARGO_FEATURE_CLIENTS").is_some())
        .build_server(env::var_os("CARGO_FEATURE_SERVER").is_some())
        .extern_path(".croupier.v1.Action", "crate::action::Action")
        .extern_path(".google.api.HttpBody", "crate::HttpBody")
        .extern_path(".google.rpc", "::tonic_types::pb")
        .compile_fds(descriptors)?;
    Ok(())
}

fn protos(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            protos(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "proto") {
            files.push(path);
        }
    }
    Ok(())
}

/// Implements `InWords` for every request that has a field `language`.
fn words(descriptors: &FileDescriptorSet) -> String {
    let has_language = |it: &&DescriptorProto| has_field(it, "language");
    let requests = contract(descriptors).flat_map(|file| &file.message_type).filter(has_language);
    requests
        .map(|request| {
            format!(
                "impl InWords for v1::{} {{
                    fn language(&self) -> &str {{
                        &self.language
                    }}

                    fn set_language(&mut self, language: &str) {{
                        language.clone_into(&mut self.language);
                    }}
                }}\n",
                request.name()
            )
        })
        .collect()
}

/// Implements `Rpc`, and what kind of rpc it is, for every request.
fn rpcs(descriptors: &FileDescriptorSet) -> String {
    let mut written = String::new();
    for (file, service) in
        contract(descriptors).flat_map(|file| file.service.iter().map(move |it| (file, it)))
    {
        for method in &service.method {
            let own = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
            let (request, answer) = (own(method.input_type()), own(method.output_type()));
            let path = format!("/{}.{}/{}", file.package(), service.name(), method.name());
            let level = method.options.as_ref().map(|options| options.idempotency_level());
            let only_reads = level == Some(IdempotencyLevel::NoSideEffects);
            let message = contract(descriptors).flat_map(|file| &file.message_type);
            let has_id =
                message.filter(|it| it.name() == request).any(|it| has_field(it, "request_id"));
            let request_id = "fn request_id(&mut self) -> Option<&mut String> {
                Some(&mut self.request_id)
            }";
            let kind = match (method.client_streaming(), method.server_streaming()) {
                (false, false) => "Unary",
                (false, true) => "ServerStreaming",
                (true, _) => "Bidirectional",
            };
            written += &format!(
                "impl Rpc for v1::{request} {{
                    const PATH: &'static str = \"{path}\";
                    const ONLY_READS: bool = {only_reads};
                    type Answer = v1::{answer};
                    {}
                }}
                impl {kind} for v1::{request} {{}}\n",
                if has_id { request_id } else { "" }
            );
        }
    }
    written
}

/// The fields of `Action`. Actions of a game are of its package, such as `croupier.games.rigs.v1`.
fn fields(descriptors: &FileDescriptorSet) -> String {
    let messages = contract(descriptors).flat_map(|file| &file.message_type);
    let action = messages.filter(|it| it.name() == "Action");
    let fields: Vec<_> = action.flat_map(|it| &it.field).collect();
    let game = |field: &prost_types::FieldDescriptorProto| {
        let package = field.type_name().strip_prefix(".croupier.games.")?;
        let (game, _) = package.split_once('.')?;
        Some((field.number(), game.replace('_', "-")))
    };
    let games: Vec<_> = fields.iter().copied().filter_map(game).collect();
    let number = |name: &str| {
        let field = fields.iter().find(|it| it.name() == name);
        field.expect("actions have the field").number()
    };
    format!(
        "static FIELDS: Fields = Fields {{ games: &{games:?}, module: {}, table: {} }};",
        number("module"),
        number("table")
    )
}

/// A module for the messages of each game's actions, and how they become an `Action`.
fn games(descriptors: &FileDescriptorSet) -> String {
    let messages = contract(descriptors).flat_map(|file| &file.message_type);
    let action = messages.filter(|it| it.name() == "Action").flat_map(|it| &it.field);
    let game = |field: &prost_types::FieldDescriptorProto| {
        let package = field.type_name().trim_start_matches('.').trim_end_matches(".Action");
        format!(
            "pub mod {name} {{
                tonic::include_proto!(\"{package}\");
            }}
            impl From<{name}::Action> for Action {{
                fn from(action: {name}::Action) -> Action {{
                    let body = prost::Message::encode_to_vec(&action).into();
                    Action {{ field: {number}, body }}
                }}
            }}\n",
            name = field.name(),
            number = field.number()
        )
    };
    // Actions of modules are of a message of protobuf itself.
    action.filter(|it| it.type_name().ends_with(".Action")).map(game).collect()
}

/// The files of `croupier.v1`.
fn contract(descriptors: &FileDescriptorSet) -> impl Iterator<Item = &FileDescriptorProto> {
    descriptors.file.iter().filter(|file| file.package() == "croupier.v1")
}

fn has_field(message: &DescriptorProto, name: &str) -> bool {
    message.field.iter().any(|field| field.name() == name)
}
