//! Budgets for a bot's thinking.

/// A budget, checked before every further iteration of a search.
pub trait Budget {
    /// Whether there is budget for one more.
    fn allows_another(&mut self) -> bool;
}

/// A number of iterations, which gives the same choice on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iterations(pub u32);

impl Budget for Iterations {
    fn allows_another(&mut self) -> bool {
        let left = self.0.checked_sub(1);
        self.0 = left.unwrap_or(0);
        left.is_some()
    }
}

/// Any other limit, such as a clock of the caller.
impl<F: FnMut() -> bool> Budget for F {
    fn allows_another(&mut self) -> bool {
        self()
    }
}
