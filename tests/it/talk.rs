//! Talk is heard by those it is meant for, and keeps nobody from acting; guards name what they hold
//! for.

use contract::v1::*;
use tonic::Code;

use crate::harness::*;

/// An action of every game, as its fields in the contract's JSON.
async fn aside(client: &Client, name: &str, seat: u32, action: &str) -> Result<(), Failure> {
    let request = format!(r#"{{"name":"{name}","seat":{seat},"action":{{"table":{action}}}}}"#);
    client.call("SubmitAction", &request).await.map(|_| ())
}

fn talk(game: &str, seats: u32, talk: &str) -> CreateMatchRequest {
    let options = [("talk".to_owned(), talk.to_owned())].into();
    CreateMatchRequest { game: format!("games/{game}"), options, ..new_match(seats) }
}

#[tokio::test]
async fn a_prompt_can_be_answered_however_much_others_say() {
    let installation = Installation::open().await;
    for protocol in PROTOCOLS {
        let client = installation.client(protocol);
        let it = create(&client, &talk("mountebank", 3, "on")).await;
        let mut playing = Playing::of(&client, &it, 91);
        playing.steps(2).await;
        let asked = playing.asked.expect("the match goes on");
        let other = (asked + 1) % 3;
        let before = view(&client, &it.name, "", None).await;
        let prompt = before.prompts.iter().find(|it| it.seat == asked).expect("it is asked");
        assert_eq!(prompt.opened_position, before.position, "it was asked just now");

        let said = r#"{"say":{"text":"Your turn! Your turn!"}}"#;
        let mut heard = 0;
        let refused = loop {
            match aside(&client, &it.name, other, said).await {
                Ok(()) => heard += 1,
                Err(refused) => break refused,
            }
        };
        refused.check(Code::FailedPrecondition, "TOO_MANY_ASIDES");
        assert_eq!((heard, refused.facts["asides_max"].as_str()), (40, "40"));

        let plan = playing.plan().await.expect("an answer").expect("it goes on");
        let guarded = SubmitActionRequest {
            expected_prompt: Some(prompt.opened_position),
            request_id: "guarded".to_owned(),
            ..plan
        };
        let by_position = SubmitActionRequest {
            expected_position: Some(before.position),
            expected_prompt: None,
            request_id: "by position".replace(' ', "-"),
            ..guarded.clone()
        };
        let moved = client.ask(&by_position).await.expect_err("others spoke");
        moved.check(Code::Aborted, "POSITION_MOVED");
        let entry = client.ask(&guarded).await.expect("nothing else happened").entry;
        let entry = entry.expect("an entry");
        assert_eq!(entry.position, before.position + 41);

        // The same prompt cannot be answered twice, and a retry finds its entry.
        let retry = client.ask(&guarded).await.expect("a retry").entry;
        assert_eq!(retry, Some(entry.clone()));
        let again = SubmitActionRequest { request_id: "again".to_owned(), ..guarded };
        let moved = client.ask(&again).await.expect_err("it was answered");
        moved.check(Code::Aborted, "PROMPT_MOVED");
        let now = entry.prompts.iter().find(|it| it.seat == asked).map(|it| it.opened_position);
        assert_eq!(moved.facts.get("prompt"), now.map(|it| it.to_string()).as_ref());
    }
}

#[tokio::test]
async fn only_those_who_are_meant_hear_what_is_said() {
    let installation = Installation::open().await;
    for protocol in PROTOCOLS {
        let client = installation.client(protocol);
        let it = create(&client, &talk("you-dirty-rat", 4, "on")).await;
        let text = "Ärger\r\nfür 3? 👩\u{200d}🚀";
        let private = format!(r#"{{"say":{{"to":[1,2],"text":"{text}"}}}}"#);
        aside(&client, &it.name, 0, &private.replace('\r', "\\r").replace('\n', "\\n"))
            .await
            .expect("to some");
        aside(&client, &it.name, 3, r#"{"say":{"text":"Well?"}}"#).await.expect("to all");
        let heard = async |viewer: &str| {
            let entries = entries(&client, &it.name, viewer).await;
            let said = |entry: &Entry| match &entry.events[..] {
                [Event { kind: Some(event::Kind::Said(said)) }] => Some(said.clone()),
                _ => None,
            };
            entries.iter().filter_map(said).collect::<Vec<_>>()
        };
        let private = "Ärger\nfür 3? 👩\u{200d}🚀";
        for viewer in ["seats/0", "seats/1", "seats/2"] {
            let said = heard(viewer).await;
            assert_eq!((said[0].text.as_str(), &said[0].seats[..]), (private, &[1, 2][..]));
            assert_eq!((said[1].text.as_str(), said[1].everyone), ("Well?", true));
        }
        for viewer in ["seats/3", "spectator"] {
            let said = heard(viewer).await;
            assert_eq!(said[0], Said { seat: 0, ..Said::default() }, "{viewer}");
            assert_eq!((said[1].text.as_str(), said[1].everyone), ("Well?", true));
        }
        // The action is its author's, in the field of every game.
        let action = |entries: &[Entry]| entries[1].action.clone();
        let own = entries(&client, &it.name, "seats/0").await;
        assert_eq!(action(&own).map(|action| action.field), Some(100));
        assert_eq!(action(&entries(&client, &it.name, "seats/1").await), None);
    }
}

#[tokio::test]
async fn talk_is_refused_with_the_reason() {
    let installation = Installation::open().await;
    for protocol in PROTOCOLS {
        let client = installation.client(protocol);
        let silent = create(&client, &new_match(2)).await.name;
        let refused = aside(&client, &silent, 0, r#"{"say":{"text":"Hello"}}"#).await;
        refused.expect_err("off").check(Code::FailedPrecondition, "TALK_OFF");
        let it = create(&client, &talk("rigs", 2, "on")).await.name;
        let refuses = async |action: &str, code: Code, reason: &str| {
            let refused = aside(&client, &it, 0, action).await;
            refused.expect_err(action).check(code, reason);
        };
        let refusal = Code::FailedPrecondition;
        refuses(r#"{"say":{"text":"\u200b"}}"#, refusal, "TEXT_NOT_PLAIN").await;
        refuses(r#"{"say":{"text":"\u202eolleH"}}"#, refusal, "TEXT_NOT_PLAIN").await;
        refuses(r#"{"say":{"text":" \u200d\n"}}"#, refusal, "TEXT_BLANK").await;
        let long = format!(r#"{{"say":{{"text":"{}"}}}}"#, "ü".repeat(501));
        refuses(&long, refusal, "TEXT_TOO_LONG").await;
        refuses(r#"{"say":{"to":[0],"text":"Hello"}}"#, refusal, "YOURSELF").await;
        refuses(r#"{"say":{"to":[2],"text":"Hello"}}"#, refusal, "NO_SUCH_SEAT").await;
        let malformed = Code::InvalidArgument;
        refuses(r#"{"say":{"to":[1,1],"text":"Hello"}}"#, malformed, "MALFORMED_ACTION").await;
        refuses(r#"{"say":{"to":[99],"text":"Hello"}}"#, malformed, "MALFORMED_ACTION").await;
        refuses("{}", malformed, "MALFORMED_ACTION").await;
        refuses(r#"{"stand":{"decision":"fold","on":true}}"#, malformed, "MALFORMED_ACTION").await;
        refuses(r#"{"stand":{"decision":"grant","on":true}}"#, refusal, "NO_STANDING_ANSWER").await;
        assert_eq!(get(&client, &it).await.position, 1, "nothing was recorded");
    }
}

#[tokio::test]
async fn a_standing_answer_is_everyones_to_see_is_given_and_kept_and_can_be_taken_back() {
    let mut installation = Installation::open().await;
    for protocol in [Protocol::Grpc, Protocol::Rest] {
        let client = installation.client(protocol);
        let it = create(&client, &talk("rigs", 2, "off")).await;
        let mut playing = Playing::of(&client, &it, 92);
        let stand =
            |decision: &str, on| format!(r#"{{"stand":{{"decision":"{decision}","on":{on}}}}}"#);
        let deals = |seat| StandingAnswer { seat, decision: "deal".to_owned() };
        // Every seat begins with standing answers to both.
        for seat in [0, 1] {
            for (decision, on) in [("produce", false), ("deal", false), ("deal", true)] {
                aside(&client, &it.name, seat, &stand(decision, on)).await.expect("it may stand");
            }
        }
        aside(&client, &it.name, 1, &stand("turn", true)).await.expect("it may stand");
        aside(&client, &it.name, 1, &stand("turn", false)).await.expect("it may think again");
        let again = aside(&client, &it.name, 1, &stand("turn", false)).await;
        again.expect_err("it does not stand").check(Code::FailedPrecondition, "NOTHING_CHANGES");
        for viewer in ["seats/0", "seats/1", "spectator"] {
            let stood = |seat, decision: &str, on| Stood { seat, decision: decision.into(), on };
            let entries = entries(&client, &it.name, viewer).await;
            let events = entries.iter().flat_map(|entry| &entry.events);
            let told = events.filter_map(|event| match &event.kind {
                Some(event::Kind::Stood(stood)) => Some(stood.clone()),
                _ => None,
            });
            let mut all = Vec::new();
            for decision in ["deal", "produce"] {
                all.extend([0, 1].map(|seat| stood(seat, decision, true)));
            }
            for seat in [0, 1] {
                let declared = [("produce", false), ("deal", false), ("deal", true)];
                all.extend(declared.map(|(decision, on)| stood(seat, decision, on)));
            }
            all.extend([true, false].map(|on| stood(1, "turn", on)));
            assert_eq!(told.collect::<Vec<_>>(), all, "{viewer}");
        }
        installation.service.kill().await;
        installation.service.start_again().await;
        for viewer in ["seats/0", "seats/1", "spectator"] {
            let standing = view(&client, &it.name, viewer, None).await.standing;
            assert_eq!(standing, [deals(0), deals(1)], "{viewer}");
        }
        // The leader deals the disasters after the turns of the first round, before production.
        until_asked(&mut playing, &["produce"]).await;
        assert!(playing.entries.iter().all(|entry| !asks(entry, "deal")), "the house dealt");

        let other = create(&client, &talk("rigs", 2, "off")).await;
        let mut playing = Playing::of(&client, &other, 93);
        for seat in [0, 1] {
            for decision in ["deal", "produce"] {
                aside(&client, &other.name, seat, &stand(decision, false))
                    .await
                    .expect("it changes");
            }
        }
        assert_eq!(view(&client, &other.name, "", None).await.standing, []);
        until_asked(&mut playing, &["deal"]).await;
    }
}

fn asks(entry: &Entry, decision: &str) -> bool {
    entry.prompts.iter().any(|prompt| prompt.decision == decision && !prompt.optional)
}

/// Plays until a seat must make one of these decisions.
async fn until_asked(playing: &mut Playing, decisions: &[&str]) {
    loop {
        assert!(playing.step().await, "the match ended before {decisions:?}");
        let entry = playing.entries.last().expect("an entry");
        if decisions.iter().any(|decision| asks(entry, decision)) {
            return;
        }
    }
}
