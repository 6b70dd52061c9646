//! What is told about a game besides its rules.

use minds::Mind;
use table::{Rules, Small, contract as pb, option_specs};

/// Texts and descriptors of a game, which travel inside its module.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The words by language, as Fluent resources.
    pub words: &'static [(&'static str, &'static str)],
    /// The rules page, in Markdown.
    pub rules_page: &'static str,
    /// The descriptors of the action message: an encoded `FileDescriptorSet`.
    pub actions: &'static [u8],
    /// The full name of the action message.
    pub action_message: &'static str,
}

impl About {
    /// The description of a game with these rules.
    pub(crate) fn describe<G: Rules>(&self) -> pb::DescribeResponse {
        use table::Refusals;
        let (first, last) = (*G::SEATS.start(), *G::SEATS.end());
        let best_of: Vec<u32> =
            (first..=last).map(|seats| G::best_of(seats).map_or(0, u32::from)).collect();
        let options = option_specs::<G>().map(|spec| pb::Option {
            name: spec.name.to_owned(),
            values: owned(spec.values),
            default: spec.default.to_owned(),
        });
        let refusals = G::Refusal::all().into_iter().map(|it| pb::RefusalReason {
            reason: it.reason.to_owned(),
            sentence: it.sentence.to_owned(),
            facts: owned(it.facts),
            routine: it.routine,
        });
        let standing = G::layout().decisions().iter().filter(|it| G::may_stand(it.id));
        let words = self.words.iter().map(|&(language, fluent)| pb::Words {
            language: language.to_owned(),
            fluent: fluent.to_owned(),
        });
        pb::DescribeResponse {
            contract: pb::CONTRACT,
            name: G::NAME.to_owned(),
            rules: G::VERSION,
            seats_min: first.into(),
            seats_max: last.into(),
            options: options.collect(),
            layout: Some(G::layout().describe()),
            refusals: refusals.collect(),
            standing: standing.map(|it| it.id.number().into()).collect(),
            best_of: if best_of.iter().all(|&it| it == 0) { Vec::new() } else { best_of },
            words: words.collect(),
            rules_page: self.rules_page.to_owned(),
            actions: self.actions.into(),
            action_message: self.action_message.to_owned(),
            levels: Mind::of::<G>().iter().map(|it| it.name().to_owned()).collect(),
        }
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|&it| it.to_owned()).collect()
}

/// The seat of a request.
pub(crate) fn seat(number: u32) -> table::Seat {
    table::Seat::nth(number as usize).expect("the host names seats of the match")
}
