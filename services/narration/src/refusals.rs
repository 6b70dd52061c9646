//! Refusals in sentences, from their reasons and facts.

use crate::Narrator;
use crate::narrator::Voice;
use crate::people::Forms;
use crate::words::{Args, capitalized};

impl Narrator {
    /// The sentence for a refusal; `None` if there are no words for its reason. The facts are in
    /// public names.
    pub fn refusal<'a>(
        &'a self,
        reason: &str,
        facts: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Option<String> {
        let voice = self.voice();
        let args = facts.into_iter().fold(Args::new(), |args, fact| with_fact(voice, args, fact));
        let key = format!("refusal-{}", reason.to_ascii_lowercase().replace('_', "-"));
        self.words.find(&key, &args).map(|text| capitalized(&text))
    }
}

/// A fact `f` gives `f`, in words or as a number, `f-key` as it is, `f-count` for the number of
/// names in it, and `f-seat` and its forms, if it is the number of a seat.
fn with_fact<'a>(voice: Voice<'a>, args: Args<'a>, (name, fact): (&str, &'a str)) -> Args<'a> {
    let name = name.replace('_', "-");
    let args = args.text(format!("{name}-key"), fact);
    if let Ok(number) = fact.parse::<i64>() {
        let person = voice.numbered(number);
        let person = person.map(|person| (Forms::of(&format!("{name}-seat")), person));
        let args = args.number(name, number);
        return person.into_iter().fold(args, |args, (forms, person)| args.person(forms, person));
    }
    let names: Vec<&str> = fact.split([' ', ',']).filter(|it| !it.is_empty()).collect();
    let count = names.len() as i64;
    let parts: Option<Vec<String>> = names.iter().map(|name| named(voice, name)).collect();
    let text = parts.map_or_else(|| fact.to_owned(), |parts| voice.words().list(parts));
    args.text(name.clone(), text).number(format!("{name}-count"), count)
}

fn named(voice: Voice, name: &str) -> Option<String> {
    let place = || Some(voice.place(voice.layout().place_named(name)?, "at", None));
    let value = || voice.words().find(&format!("value-{name}"), &Args::new());
    voice.named(name).or_else(place).or_else(value)
}
