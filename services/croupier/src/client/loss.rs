//! What the person at the terminal is told when the service is lost, and how long to wait for it.

use std::time::Duration;

use croupier_client::{Listener, Refusal};
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

/// How long a lost service is waited for: long enough for it to be restarted.
pub(super) const WAIT_MAX: Duration = Duration::from_secs(60);

/// Since when the service is lost, and the refusal that said so; `None` while it is not.
#[derive(Clone)]
pub(super) struct Loss(watch::Receiver<Option<(Instant, Refusal)>>);

impl Loss {
    /// A loss, and the listener that keeps it current and tells the person.
    pub(super) fn new() -> (Loss, Listener) {
        let (told, lost) = watch::channel(None);
        let listener = move |refusal: Option<&Refusal>| {
            match refusal {
                Some(refusal) => eprintln!("croupier: {}; retrying", reason(refusal)),
                None => eprintln!("croupier: connected again"),
            }
            told.send_replace(refusal.map(|refusal| (Instant::now(), refusal.clone())));
        };
        (Loss(lost), std::sync::Arc::new(listener))
    }

    /// Returns once the service has been lost for so long.
    pub(super) async fn lasting(&self, wait_max: Duration) -> Refusal {
        let mut lost = self.0.clone();
        loop {
            let Some((since, refusal)) = lost.borrow_and_update().clone() else {
                if lost.changed().await.is_err() {
                    std::future::pending::<()>().await;
                }
                continue;
            };
            if timeout_at(since + wait_max, lost.changed()).await.is_err() {
                return refusal;
            }
        }
    }
}

fn reason(refusal: &Refusal) -> &str {
    match refusal.is_unreached() {
        true => "the connection to the service is lost",
        false => refusal.message(),
    }
}

#[cfg(test)]
mod tests {
    use croupier_client::Code;

    use super::*;

    #[tokio::test]
    async fn a_lost_service_is_waited_for_until_it_is_back_or_the_time_has_passed() {
        let wait_max = Duration::from_millis(200);
        let (loss, listener) = Loss::new();
        let refusal = Refusal::from(tonic::Status::unavailable("the service is stopping"));
        listener(Some(&refusal));
        tokio::time::sleep(wait_max / 2).await;
        listener(None);
        assert!(tokio::time::timeout(wait_max, loss.lasting(wait_max)).await.is_err());
        listener(Some(&refusal));
        assert_eq!(loss.lasting(wait_max).await.code(), Code::Unavailable);
    }
}
