//! Shared chance: the commitment comes first, then what the seats contribute, then the deal.

use contract::v1::*;
use tokio::join;
use tonic::Code;

use crate::harness::*;

/// What seats contribute, and what is something else.
const ANN: &[u8] = b"sixteen from ann";
const BOB: &[u8] = b"seventeen for bob";
const OTHER: &[u8] = b"another of 16 it";

fn open_match(contribution: &[u8]) -> CreateMatchRequest {
    let players = vec![player(0)];
    CreateMatchRequest { players, contributions: vec![contribution.to_vec()], ..new_match(3) }
}

fn joining(name: &str, seat: u32, contribution: &[u8]) -> JoinMatchRequest {
    JoinMatchRequest {
        name: name.to_owned(),
        player: player(seat),
        seat: Some(seat),
        contribution: contribution.to_vec(),
        ..JoinMatchRequest::default()
    }
}

fn contributing(name: &str, seat: u32, contribution: &[u8]) -> ContributeEntropyRequest {
    ContributeEntropyRequest {
        name: name.to_owned(),
        seat: Some(seat),
        contribution: contribution.to_vec(),
        ..ContributeEntropyRequest::default()
    }
}

fn contributions_of(it: &Match) -> Vec<&[u8]> {
    it.seats.iter().map(|seat| &seat.contribution[..]).collect()
}

/// Each way to contribute, and everyone who is told.
async fn share_the_chance(protocol: Protocol) {
    let installation = Installation::open().await;
    let client = installation.client(protocol);
    let created = create(&client, &open_match(ANN)).await;
    let name = &created.name;
    assert_eq!(
        (created.entropy(), contributions_of(&created)),
        (Entropy::Unspecified, vec![&[][..]; 3])
    );
    let ann = client.holding(token(&client, name, Some(0)).await);
    let own = ContributeEntropyRequest { seat: None, ..contributing(name, 0, ANN) };
    ann.ask(&own).await.expect("it is what the seat contributed");
    let other = ann.ask(&contributing(name, 0, OTHER)).await.expect_err("it is fixed");
    other.check(Code::FailedPrecondition, "CONTRIBUTION_FIXED");
    let nobody = client.ask(&contributing(name, 1, OTHER)).await.expect_err("it is open");
    nobody.check(Code::FailedPrecondition, "SEAT_NOT_TAKEN");

    client.ask(&joining(name, 1, b"")).await.expect("a seat is open");
    let it = client.ask(&contributing(name, 1, &[7; 32])).await.expect("it is not dealt");
    assert_eq!(it.r#match.expect("a match").state(), MatchState::Open);
    client.ask(&joining(name, 1, &[7; 32])).await.expect("it is the same");
    let other = client.ask(&joining(name, 1, OTHER)).await.expect_err("it is fixed");
    other.check(Code::FailedPrecondition, "CONTRIBUTION_FIXED");
    client.ask(&joining(name, 2, b"")).await.expect("a seat is open");

    let it = get(&client, name).await;
    assert_eq!(it.seed_commitment, created.seed_commitment);
    // Ann's came with the request that created the match, before a commitment could be known.
    let entropy = Entropy::SharedOrderNotProven;
    assert_eq!((it.state(), it.entropy()), (MatchState::Running, entropy));
    assert_eq!(contributions_of(&it), [ANN, &[7; 32], b""]);
    client.ask(&contributing(name, 0, ANN)).await.expect("it counts");
    for (seat, contribution) in [(2, OTHER), (0, OTHER)] {
        let late = client.ask(&contributing(name, seat, contribution)).await;
        late.expect_err("it is dealt").check(Code::FailedPrecondition, "CONTRIBUTION_TOO_LATE");
    }
    for viewer in ["spectator", "seats/0", "seats/2"] {
        let first = &entries(&client, name, viewer).await[0];
        let told = first.events.iter().map_while(|event| match &event.kind {
            Some(event::Kind::Contributed(it)) => {
                Some((it.seat, &it.contribution[..], it.after_commitment))
            }
            _ => None,
        });
        assert_eq!(told.collect::<Vec<_>>(), [(0, ANN, false), (1, &[7; 32], true)]);
        assert_eq!((first.choices.len(), first.rules_version), (0, 2));
    }
    // Its chance follows from the contributions, which the record checks.
    let mut playing = Playing::of(&client, &it, 5);
    playing.finish().await;
    let mut database = installation.database().await;
    check_record(&playing, &[&client], &mut database).await;
    let it = get(&client, name).await;
    until("the list has it", async || {
        let page = client.ask(&ListMatchesRequest::default()).await.ok()?;
        (page.matches == [it.clone()]).then_some(())
    })
    .await;
}

#[tokio::test]
async fn seats_share_the_chance_over_grpc() {
    share_the_chance(Protocol::Grpc).await;
}

#[tokio::test]
async fn seats_share_the_chance_over_rest() {
    share_the_chance(Protocol::Rest).await;
}

#[tokio::test]
async fn a_match_without_contributions_says_so() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    let it = create(&client, &new_match(2)).await;
    assert_eq!((it.entropy(), contributions_of(&it)), (Entropy::ServiceOnly, vec![&[][..]; 2]));
}

#[tokio::test]
async fn a_commitment_told_beforehand_is_kept() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let commit = |request_id: &str| CommitSeedRequest { request_id: request_id.to_owned() };
    let told = client.ask(&commit("one")).await.expect("a platform may");
    let other = client.ask(&commit("two")).await.expect("a platform may");
    assert_ne!(told.seed_commitment, other.seed_commitment);
    let rival = client.holding(installation.platform("rival").await);
    let theirs = rival.ask(&commit("one")).await.expect("a platform may");
    assert_ne!((&theirs.name, &theirs.seed_commitment), (&told.name, &told.seed_commitment));
    installation.service.kill().await;
    installation.service.start_again().await;
    let client = installation.client(Protocol::Rest);
    assert_eq!(client.ask(&commit("one")).await.expect("a platform may"), told);

    let request = CreateMatchRequest {
        request_id: "one".to_owned(),
        seed_commitment: told.seed_commitment.clone(),
        contributions: vec![ANN.to_vec(), BOB.to_vec()],
        ..new_match(2)
    };
    let broken = CreateMatchRequest { seed_commitment: other.seed_commitment, ..request.clone() };
    let failure = client.ask(&broken).await.expect_err("it is another's");
    failure.check(Code::FailedPrecondition, "COMMITMENT_MISMATCH");
    let it = create(&client, &request).await;
    assert_eq!((&it.name, &it.seed_commitment), (&told.name, &told.seed_commitment));
    assert_eq!((it.entropy(), contributions_of(&it)), (Entropy::Shared, vec![ANN, BOB]));
    assert_eq!(create(&client, &request).await, it);
    for changed in [
        CreateMatchRequest { contributions: vec![ANN.to_vec()], ..request.clone() },
        CreateMatchRequest { seed_commitment: String::new(), ..request.clone() },
    ] {
        let failure = client.ask(&changed).await.expect_err("it is another request");
        failure.check(Code::AlreadyExists, "REQUEST_ID_REUSED");
    }
    let mut playing = Playing::of(&client, &it, 6);
    playing.finish().await;
    check_record(&playing, &[&client], &mut installation.database().await).await;
}

/// Whether every contribution came after the commitment, by each way to contribute.
#[tokio::test]
async fn the_order_of_commitment_and_contributions_is_told() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    let with_first = CreateMatchRequest { contributions: vec![ANN.to_vec()], ..new_match(2) };
    let it = create(&client, &with_first).await;
    assert_eq!(it.entropy(), Entropy::SharedOrderNotProven);
    let open = CreateMatchRequest { players: vec![player(0)], ..new_match(2) };
    let it = create(&client, &open).await;
    client.ask(&joining(&it.name, 1, BOB)).await.expect("a seat is open");
    assert_eq!(get(&client, &it.name).await.entropy(), Entropy::Shared);
    // Another process tells the same, and so does the list.
    let second = installation.serve("b").await;
    let other = second.client(Protocol::Grpc);
    assert_eq!(get(&other, &it.name).await.entropy(), Entropy::Shared);
    let expected = [Entropy::Shared, Entropy::SharedOrderNotProven];
    until("the list has both", async || {
        let page = client.ask(&ListMatchesRequest::default()).await.ok()?;
        let told: Vec<Entropy> = page.matches.iter().map(Match::entropy).collect();
        (told == expected).then_some(())
    })
    .await;
}

/// A contribution that races with the last seat: whoever is told that it counts finds it in the
/// record.
#[tokio::test]
async fn a_contribution_counts_or_is_refused() {
    let installation = Installation::open().await;
    let second = installation.serve("b").await;
    let (a, b) = (installation.client(Protocol::Grpc), second.client(Protocol::Grpc));
    for number in 0..24 {
        let it = create(&a, &CreateMatchRequest { players: vec![player(0)], ..new_match(2) }).await;
        get(&b, &it.name).await;
        let contributing = contributing(&it.name, 0, ANN);
        let (contributed, joined) = join!(a.ask(&contributing), async {
            tokio::time::sleep(std::time::Duration::from_micros(number * 200)).await;
            b.ask(&joining(&it.name, 1, b"")).await
        });
        joined.expect("the seat is open");
        for client in [&a, &b] {
            let it = get(client, &it.name).await;
            match &contributed {
                Ok(_) => {
                    assert_eq!(contributions_of(&it), [ANN, b""]);
                    assert_eq!(it.entropy(), Entropy::Shared);
                }
                Err(failure) => {
                    failure.check(Code::FailedPrecondition, "CONTRIBUTION_TOO_LATE");
                    assert_eq!(it.entropy(), Entropy::ServiceOnly);
                }
            }
        }
    }
}

#[tokio::test]
async fn only_the_platform_and_the_seat_contribute() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let it = create(&key, &open_match(b"")).await;
    let rival = key.holding(installation.platform("rival").await);
    let failure = rival.ask(&contributing(&it.name, 0, OTHER)).await.expect_err("it is another's");
    failure.check(Code::NotFound, "MATCH_NOT_FOUND");
    let other = key.holding(token(&key, &it.name, Some(1)).await);
    let failure = other.ask(&contributing(&it.name, 0, OTHER)).await.expect_err("another's seat");
    failure.check(Code::PermissionDenied, "NOT_YOUR_SEAT");
}
