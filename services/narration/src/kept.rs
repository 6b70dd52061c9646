//! Values that are made once for a module and kept for as long as the program runs, as its layout
//! is.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{LazyLock, PoisonError, RwLock};

pub(crate) struct Kept<K: 'static, V: 'static>(LazyLock<RwLock<HashMap<K, &'static V>>>);

impl<K: Eq + Hash, V> Kept<K, V> {
    pub const fn new() -> Self {
        Kept(LazyLock::new(RwLock::default))
    }

    /// The value of a key, which is made on first use.
    pub fn get_or_keep<Q>(&self, key: &Q, make: impl FnOnce() -> V) -> &'static V
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ToOwned<Owned = K> + ?Sized,
    {
        let kept = self.0.read().unwrap_or_else(PoisonError::into_inner).get(key).copied();
        kept.unwrap_or_else(|| {
            let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
            all.entry(key.to_owned()).or_insert_with(|| Box::leak(Box::new(make())))
        })
    }
}
