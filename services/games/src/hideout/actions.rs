//! The actions of a seat, and their messages. The messages of the two games differ only in names.

use table::{Component, Layout, Malformed, Seat, Set};

use super::vocabulary::{Choice, Job, Person, Skill};

#[derive(Clone, Copy, Debug, PartialEq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Action {
    PerformCaper { card: Person },
    CompleteJob { job: Job, team: Set<Person> },
    Choose { what: Choice, card: Person },
    Rob { victim: Seat },
    NameSkill { skill: Skill },
    SwapJobs { mine: Job, theirs: Job },
    Decline,
    Pass,
}

pub(crate) fn malformed(sentence: impl Into<String>) -> Malformed {
    Malformed(sentence.into())
}

/// The card with that name, of the kind `C`: a person or a job.
pub(crate) fn card<C: Component>(layout: &Layout, name: &str) -> Result<C, Malformed> {
    layout.named(name).ok_or_else(|| match name {
        "" => malformed("a card is missing"),
        name => malformed(format!("no such card is named {name:?}")),
    })
}

pub(crate) fn team<C: Component>(layout: &Layout, names: &[String]) -> Result<Set<C>, Malformed> {
    let mut team = Set::EMPTY;
    for name in names {
        let card = card(layout, name)?;
        if team.has(card) {
            return Err(malformed(format!("{name} is named twice")));
        }
        team.add(card);
    }
    if team.is_empty() {
        return Err(malformed("a team is missing"));
    }
    Ok(team)
}

pub(crate) fn seat(number: u32) -> Result<Seat, Malformed> {
    let number = u8::try_from(number).unwrap_or(u8::MAX);
    Seat::try_from(number).map_err(|error| malformed(error.to_string()))
}

/// Generates `parse` and `print` of a game, which take its layout, from its names for the messages
/// that differ.
macro_rules! messages {
    (
        $generated:literal, $PerformCaper:ident, $CompleteJob:ident { $job:ident },
        $NameSkill:ident { $skill:ident: $Skill:ident { $Brain:ident, $Speed:ident, $Brawn:ident } },
        $SwapJobs:ident
    ) => {
        use bytes::Bytes;
        use prost::Message;
        use table::{Layout, Malformed};

        use pb::action::Kind;
        use $crate::hideout::{
            actions::{Action, card, malformed, seat, team},
            vocabulary::{Choice, Skill},
        };

        mod pb {
            #![allow(clippy::all, clippy::pedantic, reason = "generated")]
            include!(concat!(env!("OUT_DIR"), $generated));
        }

        pub(super) fn parse(message: &[u8], layout: &Layout) -> Result<Action, Malformed> {
            let message =
                pb::Action::decode(message).map_err(|error| malformed(error.to_string()))?;
            let chosen = |what, name: &str| Ok(Action::Choose { what, card: card(layout, name)? });
            match message.kind.ok_or_else(|| malformed("an action has exactly one kind"))? {
                Kind::$PerformCaper(it) => {
                    Ok(Action::PerformCaper { card: card(layout, &it.card)? })
                }
                Kind::$CompleteJob(it) => Ok(Action::CompleteJob {
                    job: card(layout, &it.$job)?,
                    team: team(layout, &it.team)?,
                }),
                Kind::Keep(it) => chosen(Choice::Keep, &it.card),
                Kind::Rob(it) => Ok(Action::Rob { victim: seat(it.seat)? }),
                Kind::TeamUp(it) => chosen(Choice::TeamUp, &it.card),
                Kind::$NameSkill(it) => Ok(Action::NameSkill { skill: skill(it.$skill())? }),
                Kind::Duplicate(it) => chosen(Choice::Duplicate, &it.card),
                Kind::TakeBack(it) => chosen(Choice::TakeBack, &it.card),
                Kind::Abduct(it) => chosen(Choice::Abduct, &it.card),
                Kind::Exchange(it) => chosen(Choice::Exchange, &it.card),
                Kind::$SwapJobs(it) => Ok(Action::SwapJobs {
                    mine: card(layout, &it.mine)?,
                    theirs: card(layout, &it.theirs)?,
                }),
                Kind::Decline(_) => Ok(Action::Decline),
                Kind::Pass(_) => Ok(Action::Pass),
            }
        }

        pub(super) fn print(action: &Action, layout: &Layout) -> Bytes {
            let kind = match *action {
                Action::PerformCaper { card } => {
                    Kind::$PerformCaper(pb::$PerformCaper { card: layout.piece_name(card).into() })
                }
                Action::CompleteJob { job, team } => Kind::$CompleteJob(pb::$CompleteJob {
                    $job: layout.piece_name(job).into(),
                    team: team.iter().map(|card| layout.piece_name(card).into()).collect(),
                }),
                Action::Choose { what, card } => {
                    let card = layout.piece_name(card).into();
                    match what {
                        Choice::Keep => Kind::Keep(pb::Keep { card }),
                        Choice::TeamUp => Kind::TeamUp(pb::TeamUp { card }),
                        Choice::Duplicate => Kind::Duplicate(pb::Duplicate { card }),
                        Choice::TakeBack => Kind::TakeBack(pb::TakeBack { card }),
                        Choice::Abduct => Kind::Abduct(pb::Abduct { card }),
                        Choice::Exchange => Kind::Exchange(pb::Exchange { card }),
                    }
                }
                Action::Rob { victim } => Kind::Rob(pb::Rob { seat: u8::from(victim).into() }),
                Action::NameSkill { skill } => {
                    Kind::$NameSkill(pb::$NameSkill { $skill: skill_to_pb(skill).into() })
                }
                Action::SwapJobs { mine, theirs } => Kind::$SwapJobs(pb::$SwapJobs {
                    mine: layout.piece_name(mine).into(),
                    theirs: layout.piece_name(theirs).into(),
                }),
                Action::Decline => Kind::Decline(pb::Decline {}),
                Action::Pass => Kind::Pass(pb::Pass {}),
            };
            pb::Action { kind: Some(kind) }.encode_to_vec().into()
        }

        fn skill(skill: pb::$Skill) -> Result<Skill, Malformed> {
            match skill {
                pb::$Skill::Unspecified => {
                    Err(malformed(concat!("the ", stringify!($skill), " is missing")))
                }
                pb::$Skill::$Brain => Ok(Skill::Brain),
                pb::$Skill::$Speed => Ok(Skill::Speed),
                pb::$Skill::$Brawn => Ok(Skill::Brawn),
            }
        }

        fn skill_to_pb(skill: Skill) -> pb::$Skill {
            match skill {
                Skill::Brain => pb::$Skill::$Brain,
                Skill::Speed => pb::$Skill::$Speed,
                Skill::Brawn => pb::$Skill::$Brawn,
            }
        }
    };
}
pub(crate) use messages;
