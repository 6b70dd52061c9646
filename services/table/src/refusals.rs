//! Reasons why an action is refused. A game declares its refusals as one enum, from which reasons,
//! facts and sentences follow.

use crate::{BadText, Seat, Seats, TEXT_CHARS_MAX};

/// A refusal as programs read it; its `Display` is the sentence for people.
pub trait Reason {
    /// In upper snake case, such as `NOT_IN_HAND`; unique within the game. Never changes.
    fn reason(&self) -> &'static str;

    /// The details of the refusal, by key, in public names.
    fn facts(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }
}

/// A reason why the rules of a game refuse an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefusalSpec {
    /// As in [`Reason::reason`].
    pub reason: &'static str,
    /// The English sentence. `{fact}` stands for the value of a fact, and each `{}` for the next
    /// fact that is not named.
    pub sentence: &'static str,
    /// The names of the facts that [`Reason::facts`] gives, in the same order.
    pub facts: &'static [&'static str],
    /// Whether it says nothing but that another decision is open, or what any prompt implies, so
    /// that nobody is told unasked.
    pub routine: bool,
}

impl RefusalSpec {
    /// The sentence with the name of each fact, in braces, in place of its value.
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

/// A value in the facts of a refusal, written with public names.
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
/// `thiserror` message is the sentence, so no reason can be missing from [`Refusals::all`].
/// `#[routine]` after the message declares [`RefusalSpec::routine`].
#[macro_export]
macro_rules! refusals {
    (@routine) => {
        false
    };
    (@routine routine) => {
        true
    };
    ($(#[$note:meta])* $vis:vis enum $Refusal:ident {
        $(
            #[error($sentence:literal $($argument:tt)*)]
            $(#[$routine:ident])?
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
                let rest: &[$crate::RefusalSpec] = &[$($crate::RefusalSpec {
                    reason: "",
                    sentence: $sentence,
                    facts: &[$($(stringify!($fact)),+)?],
                    routine: $crate::refusals!(@routine $($routine)?),
                }),*];
                let of = |(reason, rest): (_, &$crate::RefusalSpec)| {
                    $crate::RefusalSpec { reason, ..*rest }
                };
                reasons.zip(rest).map(of).collect()
            }
        }
    };
}

// === Refusals of every game ===

/// A message that is not an action of the game on any table.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(pub String);

/// Why an action had no effect.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refused<R> {
    #[error("the match has ended")]
    MatchEnded,
    #[error("this match has no such seat")]
    NotSeated,
    #[error("a seat that has resigned cannot act")]
    Resigned,
    #[error("this seat has no prompt now; {}", waits(*waiting_for))]
    NotAsked { waiting_for: Seats },
    #[error("the match is paused")]
    MatchPaused,
    #[error(transparent)]
    Common(#[from] CommonRefusal),
    #[error(transparent)]
    Rules(R),
}

impl<R: Reason> Reason for Refused<R> {
    fn reason(&self) -> &'static str {
        match self {
            Refused::MatchEnded => "MATCH_ENDED",
            Refused::NotSeated => "NOT_SEATED",
            Refused::Resigned => "RESIGNED",
            Refused::NotAsked { .. } => "NOT_ASKED",
            Refused::MatchPaused => "MATCH_PAUSED",
            Refused::Common(refusal) => refusal.reason(),
            Refused::Rules(refusal) => refusal.reason(),
        }
    }
    fn facts(&self) -> Vec<(&'static str, String)> {
        match self {
            Refused::Common(refusal) => refusal.facts(),
            Refused::Rules(refusal) => refusal.facts(),
            Refused::MatchEnded | Refused::NotSeated | Refused::Resigned | Refused::MatchPaused => {
                Vec::new()
            }
            Refused::NotAsked { waiting_for } => vec![("waiting_for", listed(*waiting_for))],
        }
    }
}

/// Seats by their numbers, counted from 0.
fn listed(seats: Seats) -> String {
    seats.iter().map(|seat| seat.to_string()).collect::<Vec<_>>().join(",")
}

fn waits(seats: Seats) -> String {
    match seats.iter().count() {
        0 => "the match waits for nobody".to_owned(),
        1 => format!("the match waits for seat {}", listed(seats)),
        _ => format!("the match waits for seats {}", listed(seats)),
    }
}

/// The reasons why every game may refuse an action, with the names of their facts.
pub fn common_reasons() -> Vec<(&'static str, &'static [&'static str])> {
    use Refused::{MatchEnded, MatchPaused, NotAsked, NotSeated, Resigned};
    let not_asked = NotAsked { waiting_for: Seats::default() };
    let of_any: [Refused<CommonRefusal>; 5] =
        [MatchEnded, NotSeated, Resigned, not_asked, MatchPaused];
    let of_any = of_any.iter().map(|it| match it {
        NotAsked { .. } => (it.reason(), &["waiting_for"][..]),
        _ => (it.reason(), &[][..]),
    });
    of_any.chain(CommonRefusal::all().iter().map(|it| (it.reason, it.facts))).collect()
}

crate::refusals! {
    /// Reasons why any game may refuse an action.
    #[derive(Clone)]
    pub enum CommonRefusal {
        #[error("there is no seat {seat} in a match of {seats} seats")]
        NoSuchSeat { seat: Seat, seats: usize },
        #[error("a seat does not talk to itself")]
        Yourself,
        #[error("a text must show something")]
        TextBlank,
        #[error("a text has {characters_max} characters at most, not {characters}")]
        TextTooLong { characters: usize, characters_max: usize },
        #[error(
            "a text may have no control characters but line feeds and tabs, and no invisible ones; one is at character {character}, counted from 0"
        )]
        TextNotPlain { character: usize },
        #[error("this decision has no standing answer")]
        NoStandingAnswer { decision: String },
        #[error("it is already as asked")]
        NothingChanges,
        #[error("the last entry is no action of this seat")]
        TakeBackNothing,
        #[error("the action had to do with chance")]
        TakeBackChance,
        #[error("the action has revealed {revealed} to {to}")]
        TakeBackRevealed { revealed: String, to: String },
        #[error("nothing undoes this action")]
        TakeBackFinal,
        #[error("the match is not paused")]
        MatchNotPaused,
        #[error("the seat has not resigned")]
        NotResigned,
    }
}

impl From<BadText> for CommonRefusal {
    fn from(bad: BadText) -> CommonRefusal {
        match bad {
            BadText::Blank => CommonRefusal::TextBlank,
            BadText::TooLong { characters } => {
                CommonRefusal::TextTooLong { characters, characters_max: TEXT_CHARS_MAX }
            }
            BadText::NotPlain { at } => CommonRefusal::TextNotPlain { character: at },
        }
    }
}
