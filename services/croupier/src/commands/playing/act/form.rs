//! An action filled in field by field, on a terminal.

use contract::Action;

use crate::client::actions::{Field, Form};
use crate::commands::playing::ask::{Answer, Person};
use crate::failure::Failure;
use crate::print;

/// Lets the person edit an example; `None` to choose something else instead.
pub(super) async fn fill(
    person: &Person,
    title: &str,
    example: &Action,
) -> Result<Option<Action>, Failure> {
    let Some(mut form) = Form::of(example) else { return Ok(None) };
    loop {
        let fields = form.fields();
        let mut shown = vec!["Submit".to_owned()];
        shown.extend(fields.iter().map(|field| format!("{}: {}", field.name(), field.text)));
        match person.choose(title, shown, "").await? {
            Answer::Number(0) => match form.action() {
                Ok(action) => return Ok(Some(action)),
                Err(error) => print::line(&format!("   !  {error}"))?,
            },
            Answer::Number(at) => change(person, &mut form, &fields[at - 1]).await?,
            Answer::Text(_) | Answer::Back | Answer::End => return Ok(None),
            Answer::Interrupted => return Err(Failure::Interrupted),
        }
    }
}

async fn change(person: &Person, form: &mut Form, field: &Field) -> Result<(), Failure> {
    let choices = field.choices();
    let text = match choices.is_empty() {
        true => person.text(&field.name(), &field.text, &field.help()).await?,
        false => match person.choose(&field.name(), choices.clone(), "").await? {
            Answer::Number(at) => Answer::Text(choices[at].clone()),
            other => other,
        },
    };
    match text {
        Answer::Text(text) => match form.set(field, &text) {
            Ok(()) => Ok(()),
            Err(sentence) => Ok(print::line(&format!("   !  {sentence}"))?),
        },
        Answer::Interrupted => Err(Failure::Interrupted),
        Answer::Number(_) | Answer::Back | Answer::End => Ok(()),
    }
}
