//! Amounts of resources.

use table::Small;

use super::vocabulary::Resource;

/// An amount of each resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resources(pub [u32; 4]);

impl Resources {
    pub fn none() -> Resources {
        Resources::default()
    }
    pub fn one(resource: Resource) -> Resources {
        Resources::of(resource, 1)
    }
    pub fn of(resource: Resource, amount: u32) -> Resources {
        let mut units = Resources::none();
        units.0[resource.index()] = amount;
        units
    }
    pub fn get(self, resource: Resource) -> u32 {
        self.0[resource.index()]
    }
    pub fn iter(self) -> impl Iterator<Item = (Resource, u32)> {
        Resource::all().zip(self.0)
    }
    /// The sum over all kinds. It is wider than one amount, because messages may hold any amounts.
    pub fn total(self) -> u64 {
        self.0.iter().map(|&amount| u64::from(amount)).sum()
    }
    pub fn within(self, other: Resources) -> bool {
        self.0.iter().zip(other.0).all(|(mine, theirs)| *mine <= theirs)
    }
    pub fn up_to(self, other: Resources) -> Resources {
        Resources(std::array::from_fn(|n| self.0[n].min(other.0[n])))
    }
    /// Every way to choose `total` units out of these.
    pub(super) fn parts(self, total: u32) -> Vec<Resources> {
        let mut parts = vec![(Resources::none(), total)];
        for (resource, most) in self.iter() {
            let more = |(part, left): (Resources, u32)| {
                (0..=most.min(left)).map(move |amount| {
                    let mut part = part;
                    part.0[resource.index()] = amount;
                    (part, left - amount)
                })
            };
            parts = parts.into_iter().flat_map(more).collect();
        }
        parts.into_iter().filter(|(_, left)| *left == 0).map(|(part, _)| part).collect()
    }
}
