//! The keys of an installation.

use deliveries::Deliveries;
use webhooks::SenderKey;

use super::installation::Installation;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Database(#[from] database::Error),
    #[error(transparent)]
    Random(#[from] getrandom::Error),
    #[error(transparent)]
    Receipts(#[from] api::MakeKeyError),
    #[error(transparent)]
    Push(#[from] webhooks::SenderKeyError),
}

/// Makes the keys of an installation that has none yet: those that sign tokens, receipts and
/// messages to browsers, and the one from which seeds are derived that are committed to beforehand.
/// A key that is made when it is first needed may be what a failover loses next, and another key in
/// its place would break what was promised with it.
pub async fn make(installation: &Installation) -> Result<(), Error> {
    let Installation { store, accounts, .. } = installation;
    let (mut of_tokens, mut of_seeds) = ([0; 32], [0; 32]);
    getrandom::fill(&mut of_tokens)?;
    getrandom::fill(&mut of_seeds)?;
    accounts.create_first_token_key(&of_tokens).await?;
    store.seed_key(&of_seeds).await?;
    let deliveries = Deliveries::new(installation.database());
    if deliveries.push_key().await?.is_none() {
        deliveries.create_push_key(&SenderKey::generate()?).await?;
    }
    Ok(api::make_receipt_key(accounts).await?)
}
