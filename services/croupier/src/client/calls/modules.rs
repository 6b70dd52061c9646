//! Calls of operators about games that are modules.

use contract::v1::install_game_response::Stage;
use contract::v1::{
    InstallGameRequest, InstallProgress, ListModulesRequest, Module, RetireGameRequest,
};
use croupier_client::Refusal;

use crate::client::calling::Client;
use crate::client::error::Error;
use crate::client::names::game_name;

/// The bytes of a module that a message has.
const PART_BYTES: usize = 32 << 10;

impl Client {
    /// Installs a game. `first` is the request without the module.
    pub async fn install_game(
        &self,
        first: InstallGameRequest,
        file: &[u8],
        mut progress: impl FnMut(InstallProgress),
    ) -> Result<Module, Error> {
        let mut parts = file.chunks(PART_BYTES).map(<[u8]>::to_vec);
        let first = InstallGameRequest { module: parts.next().unwrap_or_default(), ..first };
        let rest = parts.map(|module| InstallGameRequest { module, ..<_>::default() });
        let requests: Vec<_> = std::iter::once(first).chain(rest).collect();
        let opening = self.croupier.open_both(futures::stream::iter(requests));
        let mut stages = opening.await.map_err(|refusal| self.error(refusal))?;
        loop {
            let stage = stages.message().await;
            match stage.map_err(|status| self.error(Refusal::from(status)))?.map(|it| it.stage) {
                Some(Some(Stage::Progress(it))) => progress(it),
                Some(Some(Stage::Module(module))) => return Ok(module),
                Some(None) => {}
                None => return Err(Error::Empty),
            }
        }
    }

    pub async fn retire_game(&self, game: &str) -> Result<Module, Error> {
        let response = self.call(&RetireGameRequest { name: game_name(game) }).await?;
        response.module.ok_or(Error::Empty)
    }

    /// All modules, those installed last first.
    pub async fn modules(&self) -> Result<Vec<Module>, Error> {
        let mut request = ListModulesRequest { page_size: 1000, ..<_>::default() };
        let mut modules = Vec::new();
        loop {
            let page = self.call(&request).await?;
            modules.extend(page.modules);
            if page.next_page_token.is_empty() {
                return Ok(modules);
            }
            request.page_token = page.next_page_token;
        }
    }
}
