//! Whether load balancers should send calls.

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::process::vital::Vital;

/// True while the database answers and accepts writes, until the process leaves or drains.
pub fn readiness(
    mut up: watch::Receiver<bool>,
    leaving: CancellationToken,
    drain: CancellationToken,
    vital: &Vital,
) -> watch::Receiver<bool> {
    let (set, ready) = watch::channel(*up.borrow());
    let drained = drain.clone();
    let following = async move {
        loop {
            tokio::select! {
                () = leaving.cancelled() => break,
                () = drained.cancelled() => break,
                changed = up.changed() => if changed.is_err() { break },
            }
            set.send_replace(*up.borrow_and_update());
        }
        set.send_replace(false);
        // Readers keep the last value only while this side lives.
        set.closed().await;
    };
    vital.spawn("readiness", &drain, following);
    ready
}
