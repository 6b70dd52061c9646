//! What [`Totals`](super::totals::Totals) tell.

use std::collections::BTreeMap;
use std::time::Instant;

use metrics::Key;

/// By gauge and first label.
pub type Levels<T> = BTreeMap<(&'static str, String), T>;

/// What was counted so far, and the levels now.
pub struct Told {
    /// Calls that ended well.
    pub calls: u64,
    pub refused: u64,
    pub failed: u64,
    pub shed: u64,
    pub webhooks_taken: u64,
    pub webhooks_failed: u64,
    /// Whether none was taken since the last one failed.
    pub webhooks_fail: bool,
    /// By alert.
    pub happened: Vec<Happened>,
    pub levels: Levels<f64>,
}

impl Told {
    /// A gauge, by its first label.
    pub fn levels_of(&self, name: &'static str) -> impl Iterator<Item = (&str, f64)> {
        let levels = self.levels.range((name, String::new())..);
        levels.take_while(move |(key, _)| key.0 == name).map(|(key, level)| (&*key.1, *level))
    }
}

/// How often something happened, and when it last did.
#[derive(Clone, Copy, Default)]
pub struct Happened {
    pub count: u64,
    pub last: Option<Instant>,
}

/// The value of a label of a series.
pub fn label<'a>(key: &'a Key, name: &str) -> Option<&'a str> {
    key.labels().find(|it| it.key() == name).map(metrics::Label::value)
}
