use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Options {
    /// The application that the server belongs to, in letters, digits and hyphens. It names the
    /// database role, the cluster in process lists, and a socket folder outside the data folder.
    pub application: String,
    /// The longest time a start may take. Crash recovery, which replays the write-ahead log, is
    /// part of it.
    pub start_wait: Duration,
    /// How long an orderly stop may take. After that the server is stopped without a checkpoint,
    /// and the next start recovers.
    pub stop_wait: Duration,
    /// How long to wait for another process that uses the data folder. One that was just killed
    /// takes a moment to end, one that is stopping takes as long as its server.
    pub lock_wait: Duration,
    /// Further server settings, by name.
    pub settings: Vec<(String, String)>,
}

impl Options {
    pub fn new(application: impl Into<String>) -> Self {
        Self {
            application: application.into(),
            start_wait: Duration::from_secs(300),
            stop_wait: Duration::from_secs(30),
            lock_wait: Duration::from_secs(1),
            settings: Vec::new(),
        }
    }
}
