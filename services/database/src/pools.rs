//! The pools of one purpose: one for the configured address, and one for each node of several.
//!
//! A node that hangs takes the connections of its own pool only.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use positions::Bucket;

use crate::Pool;
use crate::nodes::{Node, Places};

/// Makes the pool of a node.
type Make = Box<dyn Fn(&Node) -> Pool + Send + Sync>;

/// The pools of one purpose, cheap to clone.
#[derive(Clone)]
pub struct Pools(Arc<Inner>);

struct Inner {
    whole: Pool,
    places: Places,
    make: Make,
    /// By the name of the node.
    nodes: Mutex<HashMap<String, Pool>>,
}

impl Pools {
    pub(crate) fn new(
        whole: Pool,
        places: Places,
        make: impl Fn(&Node) -> Pool + Send + Sync + 'static,
    ) -> Pools {
        Pools(Arc::new(Inner { whole, places, make: Box::new(make), nodes: Mutex::default() }))
    }

    /// The pool for statements about one bucket.
    pub fn of(&self, bucket: Bucket) -> Pool {
        match self.0.places.of(bucket) {
            Some((_, node)) => self.of_node(&node),
            None => self.0.whole.clone(),
        }
    }

    pub(crate) fn of_node(&self, node: &Node) -> Pool {
        let mut nodes = self.0.nodes.lock().unwrap_or_else(PoisonError::into_inner);
        let made = || (self.0.make)(node);
        nodes.entry(node.name().to_owned()).or_insert_with(made).clone()
    }

    /// The pool for all other statements.
    pub(crate) fn whole(&self) -> &Pool {
        &self.0.whole
    }
}
