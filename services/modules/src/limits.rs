//! What a module may use.

/// Bounds on a module, for each of its instances and calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Instances, each on one thread at a time.
    pub instances: usize,
    /// The linear memory of an instance.
    pub memory_bytes: usize,
    /// The elements of its tables of functions.
    pub table_elements: usize,
    /// The steps of a call: operations of WebAssembly, roughly.
    pub fuel: u64,
    /// With a call of more steps, a module is suspect.
    pub long: u64,
    /// The steps of a choice of a bot, unless the module is suspect. It is made where nobody waits
    /// for it but the bot's match.
    pub fuel_of_choice: u64,
    /// The tables of matches in an instance. With one more, it begins anew.
    pub tables: usize,
    /// The guest's table is compared with the host's after every so many entries of an instance.
    pub compare_every: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            instances: 4,
            memory_bytes: 64 << 20,
            table_elements: 20_000,
            // A tenth of a second or so. An action takes about ten thousand, the longest list of
            // the built-in games a few million.
            fuel: 100_000_000,
            long: 10_000_000,
            // A second or so.
            fuel_of_choice: 1_000_000_000,
            tables: 4_096,
            compare_every: 64,
        }
    }
}
