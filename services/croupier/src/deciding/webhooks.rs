//! Options of webhooks and of messages to browsers, and the tasks that send them.

use api::bodies;
use matches::{Matches, PushOptions, PushService, WebhookOptions, WebhookService};
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

    /// A URI at which push services reach the operator, such as mailto:ops@example.org. Messages to
    /// browsers carry it; some push services refuse messages without one.
    #[arg(long, env = "CROUPIER_PUSH_CONTACT", value_name = "URI", value_parser = contact)]
    push_contact: Option<String>,

    /// Multiply the waits between attempts to send a webhook or a message to a browser. Only in
    /// builds for development.
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

    fn push_options(&self) -> PushOptions {
        let contact = self.push_contact.clone();
        let WebhookOptions { wait_scale, .. } = self.webhook_options();
        PushOptions { wait_scale, contact, ..PushOptions::default() }
    }

    /// Tells players' browsers of turns, until `stop` is cancelled.
    pub fn push(
        &self,
        matches: &Matches,
        stop: CancellationToken,
    ) -> impl Future<Output = ()> + Send + 'static {
        let (sender, content) = (Sender::new(self.options()), bodies::push_of);
        PushService::new(matches, sender, content, self.push_options()).run(stop)
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

fn contact(text: &str) -> Result<String, String> {
    let is_uri =
        ["mailto:", "https://"].iter().any(|it| text.len() > it.len() && text.starts_with(it));
    let is_plain = text.bytes().all(|it| it.is_ascii_graphic());
    match is_uri && is_plain {
        true => Ok(text.to_owned()),
        false => Err("write mailto:ADDRESS or https://…".to_owned()),
    }
}
