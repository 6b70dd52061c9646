//! How a game declares its refusals: one enum, from which reasons, facts and sentences follow.

use crate::{Reason, Seat};

/// A reason for which the rules of a game refuse an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefusalSpec {
    /// As in [`Reason::reason`].
    pub reason: &'static str,
    /// The English sentence. `{fact}` stands for the value of a fact, and each `{}` for that of the
    /// next fact that has no other place in it.
    pub sentence: &'static str,
    /// The names of the facts that [`Reason::facts`] gives, in the same order.
    pub facts: &'static [&'static str],
}

impl RefusalSpec {
    /// The sentence with the name of each fact, in braces, where its value stands.
    pub fn pattern(&self) -> String {
        let sentence = self.sentence.replace(":?}", "}");
        let has_place = |fact: &str| sentence.contains(&format!("{{{fact}}}"));
        let placeless = self.facts.iter().filter(|fact| !has_place(fact));
        placeless.fold(sentence.clone(), |pattern, fact| {
            pattern.replacen("{}", &format!("{{{fact}}}"), 1)
        })
    }
}

/// An enum declared by [`refusals!`](crate::refusals): it lists its reasons.
pub trait Refusals: Reason {
    /// Every reason, in the order of its declaration.
    fn all() -> Vec<RefusalSpec>;
}

/// A value that a refusal discloses, written with public names.
pub trait Fact {
    fn fact(&self) -> String;
}

macro_rules! facts_by_display {
    ($($Type:ty),*) => {$(
        impl Fact for $Type {
            fn fact(&self) -> String {
                self.to_string()
            }
        }
    )*};
}

facts_by_display!(Seat, i16, u32, usize, &'static str, String);

/// Declares the refusals of a game. A variant is a reason, its fields are the facts, and its
/// sentence is that of `thiserror`: so no reason can be missing from [`Refusals::all`].
#[macro_export]
macro_rules! refusals {
    ($(#[$note:meta])* $vis:vis enum $Refusal:ident {
        $(
            #[error($sentence:literal $($argument:tt)*)]
            $Reason:ident $({ $($fact:ident: $Fact:ty),+ $(,)? })?
        ),* $(,)?
    }) => {
        $(#[$note])*
        #[derive(Debug, PartialEq, thiserror::Error, strum::IntoStaticStr, strum::VariantNames)]
        #[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
        $vis enum $Refusal {
            $(#[error($sentence $($argument)*)] $Reason $({ $($fact: $Fact),+ })?),*
        }

        impl $crate::Reason for $Refusal {
            fn reason(&self) -> &'static str {
                self.into()
            }
            fn facts(&self) -> Vec<(&'static str, String)> {
                match self {
                    $($Refusal::$Reason $({ $($fact),+ })? => {
                        vec![$($((stringify!($fact), $crate::Fact::fact($fact))),+)?]
                    })*
                }
            }
        }

        impl $crate::Refusals for $Refusal {
            fn all() -> Vec<$crate::RefusalSpec> {
                let reasons = <$Refusal as strum::VariantNames>::VARIANTS.iter().copied();
                let rest: &[(&'static str, &'static [&'static str])] =
                    &[$(($sentence, &[$($(stringify!($fact)),+)?])),*];
                let of = |(reason, &(sentence, facts))| {
                    $crate::RefusalSpec { reason, sentence, facts }
                };
                reasons.zip(rest).map(of).collect()
            }
        }
    };
}
