//! The catalogue of reasons: the content of `errors.proto` for each reason why calls fail.

use std::sync::LazyLock;

use prost_reflect::{EnumValueDescriptor, ExtensionDescriptor};
use tonic::Code;

use crate::descriptors::{comment_of, descriptors};
use crate::v1::Reason;

/// The domain of the service's own reasons. The reasons of a game have the game's name as domain.
pub const DOMAIN: &str = "croupier";

/// The contract's description of a reason.
#[derive(Debug)]
pub struct Announced {
    /// The reason as in a `google.rpc.ErrorInfo`, such as `POSITION_MOVED`.
    pub name: &'static str,
    /// Its status codes, the usual one first; empty if it is no longer used.
    pub codes: Vec<Code>,
    /// The names of the facts that may come with it.
    pub facts: Vec<String>,
    /// Its cause, and the client's next step.
    pub comment: String,
    reason: Reason,
}

/// Every reason, in the order of the contract.
pub fn catalogue() -> &'static [Announced] {
    static CATALOGUE: LazyLock<Vec<Announced>> = LazyLock::new(|| {
        let extension = |name| descriptors().get_extension_by_name(name).expect("an option");
        let (code, fact) = (extension("croupier.v1.code"), extension("croupier.v1.fact"));
        let reasons = descriptors().get_enum_by_name("croupier.v1.Reason");
        let reasons = reasons.expect("the contract has reasons");
        let reasons = reasons.values().filter(|value| value.number() != 0);
        reasons.map(|value| Announced::of(&value, &code, &fact)).collect()
    });
    &CATALOGUE
}

/// The contract's description of this reason.
pub fn announced(reason: Reason) -> &'static Announced {
    let found = catalogue().iter().find(|it| it.reason == reason);
    found.expect("the contract describes the reasons it generates")
}

impl Announced {
    fn of(
        value: &EnumValueDescriptor,
        code: &ExtensionDescriptor,
        fact: &ExtensionDescriptor,
    ) -> Announced {
        let reason = Reason::try_from(value.number()).expect("it is generated");
        let name = reason.as_str_name().strip_prefix("REASON_");
        let options = value.options();
        let listed = |option| options.get_extension(option).as_list().unwrap_or_default().to_vec();
        let codes = listed(code).into_iter().filter_map(|it| it.as_enum_number());
        let facts = listed(fact).iter().filter_map(|it| it.as_str().map(str::to_owned)).collect();
        Announced {
            name: name.expect("the contract prefixes its reasons"),
            codes: codes.map(Code::from_i32).collect(),
            facts,
            comment: comment_of(&value.parent_enum().parent_file(), value.path()),
            reason,
        }
    }

    /// The usual status code of the reason.
    pub fn code(&self) -> Code {
        *self.codes.first().expect("a reason that is used has a code")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_has_a_code_as_long_as_it_is_used() {
        for it in catalogue() {
            let is_used = !it.comment.starts_with("No longer used");
            assert_eq!(!it.codes.is_empty(), is_used, "{}", it.name);
        }
    }

    #[test]
    fn the_contract_has_every_reason_of_the_transcoder() {
        for reason in transcoder::Reason::ALL {
            let found = catalogue().iter().find(|it| it.name == reason.as_str());
            let found = found.unwrap_or_else(|| panic!("errors.proto lacks {}", reason.as_str()));
            assert_eq!(found.codes, [reason.code()], "{}", found.name);
            assert_eq!(found.facts, reason.facts(), "{}", found.name);
        }
    }
}
