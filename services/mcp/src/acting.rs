//! The tools `act` and `say`.

use contract::v1::{Entry, SubmitActionRequest};
use croupier_client::actions::table::{Action as Aside, Say as Spoken, action::Kind};

use crate::arguments::{self, Act, match_name, wait};
use crate::failure::Failure;
use crate::looking::{Shown, describe, turn};
use crate::seen::{incomplete, see};
use crate::service::Service;
use crate::text::fit;

/// How often an action is submitted that talk of others overtakes.
const ATTEMPTS_MAX: usize = 5;

/// Submits an action by its number, and waits for the seat's next turn.
pub async fn act(service: &impl Service, act: Act) -> Result<String, Failure> {
    let name = match_name(&act.name);
    let entry = submit(service, &name, &act).await?;
    let duration = wait(act.seconds);
    let seen = turn(service, &name, Some(entry.position - 1), duration).await?;
    let shown = Shown { since: Some(entry.position - 1), ..Shown::default() };
    describe(service, &seen, &shown).await
}

async fn submit(service: &impl Service, name: &str, act: &Act) -> Result<Entry, Failure> {
    let mut last = None;
    for _ in 0..ATTEMPTS_MAX {
        let seen = see(service, name).await?;
        let list = seen.list();
        if list != act.list {
            let shown = Shown { kept_free: 300, ..Shown::default() };
            let now = describe(service, &seen, &shown).await?;
            let message = format!(
                "nothing was done: the list {:?} is not the list of your legal actions now. Choose again from:\n\n{now}",
                fit(&act.list, 40)
            );
            return Err(Failure::new("LIST_CHANGED", message));
        }
        let action = act.number.checked_sub(1).and_then(|at| seen.legal.get(at));
        let Some(action) = action else {
            let count = seen.legal.len();
            let message = format!("nothing was done: choose a number from 1 to {count}");
            return Err(Failure::new("NO_SUCH_ACTION", message));
        };
        let request = SubmitActionRequest {
            name: name.to_owned(),
            action: action.action.clone(),
            seat: seen.seat,
            expected_position: Some(seen.position()),
            request_id: format!("mcp-{}-{}-{}", seen.position(), act.list, act.number),
            language: service.language().to_owned(),
            ..SubmitActionRequest::default()
        };
        match service.call(request).await {
            Ok(answer) => return answer.entry.ok_or_else(incomplete),
            // Somebody acted or spoke in between; the list may still be the same.
            Err(refusal) if refusal.is("POSITION_MOVED") => last = Some(refusal),
            Err(refusal) => return Err(refusal.into()),
        }
    }
    Err(last.map_or_else(incomplete, Failure::from))
}

/// Says something to some seats, or to everyone.
pub async fn say(service: &impl Service, say: arguments::Say) -> Result<String, Failure> {
    let name = match_name(&say.name);
    let seen = see(service, &name).await?;
    let to = say.to.iter().map(|seat| seat.checked_sub(1)).collect::<Option<Vec<u32>>>();
    let to = to.ok_or_else(|| Failure::new("INVALID_ARGUMENTS", "seats are numbered from 1"))?;
    let spoken = Spoken { to, text: say.text };
    let request = SubmitActionRequest {
        name,
        action: Some(Aside { kind: Some(Kind::Say(spoken)) }.into()),
        seat: seen.seat,
        language: service.language().to_owned(),
        ..SubmitActionRequest::default()
    };
    let entry = service.call(request).await?.entry.ok_or_else(incomplete)?;
    Ok(format!("said, at position {}: {}", entry.position, entry.text))
}
