//! Options of webhooks, and the task that sends them.

use api::bodies;
use matches::{Matches, WebhookOptions, WebhookService};
use tokio_util::sync::CancellationToken;
use webhooks::Sender;

#[derive(Debug, clap::Args)]
pub struct Webhooks {
    /// Let webhooks reach private and local addresses, and http as well as https
    ///
    /// By default only public addresses are called, because platforms choose the URLs and could
    /// otherwise reach the internal network of the service. Allow this if receivers are internal
    /// and all platforms are trusted.
    #[arg(long, env = "CROUPIER_ALLOW_PRIVATE_WEBHOOKS")]
    allow_private_webhooks: bool,

    /// Multiply the waits between attempts to send a webhook. Only in builds for development.
    #[cfg(any(debug_assertions, feature = "drills"))]
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, hide = true)]
    webhook_wait_scale: f64,
}

impl Webhooks {
    /// Where webhooks may be sent.
    pub fn options(&self) -> webhooks::Options {
        webhooks::Options {
            allow_private: self.allow_private_webhooks,
            ..webhooks::Options::default()
        }
    }

    fn webhook_options(&self) -> WebhookOptions {
        #[cfg(any(debug_assertions, feature = "drills"))]
        return WebhookOptions { wait_scale: self.webhook_wait_scale, ..WebhookOptions::default() };
        #[cfg(not(any(debug_assertions, feature = "drills")))]
        WebhookOptions::default()
    }

    /// Sends the webhooks of every subscription that has an endpoint, until `stop` is cancelled.
    pub fn run(
        &self,
        matches: &Matches,
        stop: CancellationToken,
    ) -> impl Future<Output = ()> + Send + 'static {
        let (sender, body) = (Sender::new(self.options()), bodies::body_of);
        WebhookService::new(matches, sender, body, self.webhook_options()).run(stop)
    }
}
