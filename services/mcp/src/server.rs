//! The protocol: tools and resources by `rmcp`.

use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ServerCapabilities,
    ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ErrorData, model};

use crate::failure::Failure;
use crate::service::Source;
use crate::{resources, tools};

/// Answers requests of the protocol. Keeps nothing between them.
#[derive(Clone)]
pub struct Server<S>(pub S);

impl<S: Source + Clone> ServerHandler for Server<S> {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        let name = Implementation::new("croupier", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(capabilities)
            .with_server_info(name)
            .with_instructions(tools::INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::all()))
    }

    /// A failure of a tool is an answer, so that the model reads it.
    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let service = self.0.service(&context.extensions);
        let called = tokio::select! {
            called = tools::call(&service, request) => called,
            () = context.ct.cancelled() => Err(Failure::new("CANCELLED", "the call was cancelled")),
        };
        let result = match called {
            Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Err(failure) => CallToolResult::error(vec![ContentBlock::text(failure.text())]),
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let service = self.0.service(&context.extensions);
        let listed = resources::list(&service).await.map_err(Failure::from).map_err(of)?;
        Ok(ListResourcesResult::with_all_items(listed))
    }

    async fn list_resource_templates(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let service = self.0.service(&context.extensions);
        let read = resources::read(&service, &request.uri).await.map_err(of)?;
        Ok(ReadResourceResult::new(vec![read]).into())
    }
}

/// The error of a resource; the protocol has none for models there.
fn of(failure: Failure) -> ErrorData {
    let data = serde_json::json!({ "reason": failure.reason });
    match &*failure.reason {
        "RESOURCE_NOT_FOUND" | "UNKNOWN_GAME" | "MATCH_NOT_FOUND" => {
            ErrorData::resource_not_found(failure.message, Some(data))
        }
        "INTERNAL" => ErrorData::internal_error(failure.message, Some(data)),
        _ => ErrorData::new(model::ErrorCode::INVALID_REQUEST, failure.message, Some(data)),
    }
}
