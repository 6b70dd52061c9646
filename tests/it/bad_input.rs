//! Bad input: every invalid request gets a typed refusal, the same in every protocol, and changes
//! nothing.

use std::convert::Infallible;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use bytes::Bytes;
use contract::v1::*;
use http::{Method, Request};
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::Frame;
use hyper_util::client::legacy;
use hyper_util::rt::TokioExecutor;
use tonic::Code::*;

use crate::grants::{OF_GUESTS, OF_OPERATORS};
use crate::harness::*;
use crate::installing::operator_key;

/// A match before its first action, one that waits for a player, and one that has ended.
struct Tables {
    running: String,
    open: String,
    ended: String,
    asked: u32,
}

impl Tables {
    async fn new(client: &Client) -> Tables {
        let running = create(client, &new_match(3)).await;
        let players = vec![player(0)];
        let open = create(client, &CreateMatchRequest { players, ..new_match(2) }).await;
        let ended = create(client, &new_match(2)).await.name;
        let resign =
            ResignMatchRequest { name: ended.clone(), seat: Some(0), ..Default::default() };
        client.ask(&resign).await.expect("any time");
        Tables { asked: running.waiting_for[0], running: running.name, open: open.name, ended }
    }

    /// Placeholders such as `RUNNING` and `ASKED` in a request are replaced by these.
    fn fill(&self, request: &str) -> String {
        let waiting = (self.asked + 1) % 3;
        request
            .replace("RUNNING", &self.running)
            .replace("OPEN", &self.open)
            .replace("ENDED", &self.ended)
            .replace("ASKED", &self.asked.to_string())
            .replace("WAITING", &waiting.to_string())
            .replace("LONG", &"x".repeat(129))
    }
}

/// Well-formed requests that are invalid: the rpc, the request, and its refusal, with the field
/// that is wrong.
const SENSELESS: &str = r##"
    CreateMatch {"game":"games/tarock","seats":2} => INVALID_ARGUMENT UNKNOWN_GAME game
    CreateMatch {"game":"mountebank","seats":2} => INVALID_ARGUMENT INVALID_REQUEST game
    CreateMatch {} => INVALID_ARGUMENT INVALID_REQUEST game
    CreateMatch {"game":"games/mountebank"} => INVALID_ARGUMENT INVALID_REQUEST seats
    CreateMatch {"game":"games/mountebank","seats":1} => INVALID_ARGUMENT INVALID_REQUEST seats
    CreateMatch {"game":"games/mountebank","seats":5} => INVALID_ARGUMENT INVALID_REQUEST seats
    CreateMatch {"game":"games/mountebank","seats":258} => INVALID_ARGUMENT INVALID_REQUEST seats
    CreateMatch {"game":"games/mountebank","seats":2,"players":["a","b","c"]} => INVALID_ARGUMENT INVALID_REQUEST players
    CreateMatch {"game":"games/mountebank","seats":2,"players":["a","a"]} => INVALID_ARGUMENT INVALID_REQUEST players[1]
    CreateMatch {"game":"games/mountebank","seats":2,"players":["LONG"]} => INVALID_ARGUMENT INVALID_REQUEST players[0]
    CreateMatch {"game":"games/mountebank","seats":2,"players":["a\nb"]} => INVALID_ARGUMENT INVALID_REQUEST players[0]
    CreateMatch {"game":"games/mountebank","seats":2,"bots":["genius"]} => INVALID_ARGUMENT UNKNOWN_BOT bots[0]
    CreateMatch {"game":"games/mountebank","seats":2,"players":["a"],"bots":["search"]} => INVALID_ARGUMENT INVALID_REQUEST bots[0]
    CreateMatch {"game":"games/mountebank","seats":2,"bots":["","","search"]} => INVALID_ARGUMENT INVALID_REQUEST bots
    CreateMatch {"game":"games/mountebank","seats":2,"players":["\u0001bot search 0"]} => INVALID_ARGUMENT INVALID_REQUEST players[0]
    CreateMatch {"game":"games/mountebank","seats":3,"players":["a","players/b","c"]} => INVALID_ARGUMENT INVALID_REQUEST players[1]
    ListMatches {"player":"players/ann"} => INVALID_ARGUMENT INVALID_REQUEST player
    ListMatches {"player":"ann","opponent":"players/bob"} => INVALID_ARGUMENT INVALID_REQUEST opponent
    ListMatches {"winner":"players/ann"} => INVALID_ARGUMENT INVALID_REQUEST winner
    ListMatches {"waitingForPlayer":"players/ann"} => INVALID_ARGUMENT INVALID_REQUEST waiting_for_player
    SearchEntries {"parent":"games/mountebank","player":"players/ann"} => INVALID_ARGUMENT INVALID_REQUEST player
    JoinMatch {"name":"OPEN","player":"players/ann"} => INVALID_ARGUMENT INVALID_REQUEST player
    LeaveMatch {"name":"OPEN","player":"players/ann"} => INVALID_ARGUMENT INVALID_REQUEST player
    ReplaceSeat {"name":"RUNNING","seat":0,"player":"players/ann","absent":true} => INVALID_ARGUMENT INVALID_REQUEST player
    CreateSeek {"player":"players/ann","game":"games/mountebank","seats":[2]} => INVALID_ARGUMENT INVALID_REQUEST player
    ListSeeks {"player":"players/ann"} => INVALID_ARGUMENT INVALID_REQUEST player
    CreateSubscription {"name":"subscriptions/mail","filter":{"players":["ann","players/bob"]}} => INVALID_ARGUMENT INVALID_REQUEST filter.players[1]
    CreateMatch {"game":"games/mountebank","seats":3,"players":["a","b\u0001","c"]} => INVALID_ARGUMENT INVALID_REQUEST players[1]
    CreateMatch {"game":"games/mountebank","seats":2,"options":{"tempo":"fast"}} => INVALID_ARGUMENT UNKNOWN_OPTION options
    CreateMatch {"game":"games/mountebank","seats":2,"options":{"first-seat":"9"}} => INVALID_ARGUMENT UNKNOWN_OPTION options
    CreateMatch {"game":"games/mountebank","seats":2,"options":{"first-seat":"3"}} => INVALID_ARGUMENT UNKNOWN_OPTION options
    CreateMatch {"game":"games/mountebank","seats":2,"requestId":"a b"} => INVALID_ARGUMENT INVALID_REQUEST request_id
    CreateMatch {"game":"games/mountebank","seats":2,"requestId":"LONG"} => INVALID_ARGUMENT INVALID_REQUEST request_id
    CreateMatch {"previous":"matches/7"} => INVALID_ARGUMENT INVALID_REQUEST previous
    CreateMatch {"previous":"matches/00000000-0000-4000-8000-000000000000"} => NOT_FOUND MATCH_NOT_FOUND
    CreateMatch {"previous":"RUNNING"} => FAILED_PRECONDITION MATCH_NOT_ENDED
    CreateMatch {"previous":"ENDED","seats":9} => INVALID_ARGUMENT SERIES_MISMATCH seats
    CreateMatch {"previous":"ENDED","options":{"tempo":"fast"}} => INVALID_ARGUMENT UNKNOWN_OPTION options
    GetGame {"name":"games/tarock"} => NOT_FOUND UNKNOWN_GAME
    GetRules {"name":"games/tarock/rules"} => NOT_FOUND UNKNOWN_GAME
    SignIn {} => INVALID_ARGUMENT INVALID_REQUEST code
    SignIn {"code":"short"} => UNAUTHENTICATED SIGN_IN_CODE_INVALID
    SignIn {"code":"not base64, but as long"} => UNAUTHENTICATED SIGN_IN_CODE_INVALID
    SignIn {"code":"AAAAAAAAAAAAAAAAAAAAAA"} => UNAUTHENTICATED SIGN_IN_CODE_INVALID
    SignIn {"code":"LONG"} => UNAUTHENTICATED SIGN_IN_CODE_INVALID
    ListGames {"pageSize":-1} => INVALID_ARGUMENT INVALID_REQUEST page_size
    ListGames {"pageToken":"nonsense"} => INVALID_ARGUMENT INVALID_PAGE_TOKEN page_token
    GetMatch {"name":"matches/7"} => INVALID_ARGUMENT INVALID_REQUEST name
    GetMatch {"name":"matches/00000000000040008000000000000000"} => INVALID_ARGUMENT INVALID_REQUEST name
    GetMatch {"name":"matches/00000000-0000-4000-8000-00000000000G"} => INVALID_ARGUMENT INVALID_REQUEST name
    ListMatches {"pageSize":-1} => INVALID_ARGUMENT INVALID_REQUEST page_size
    ListMatches {"pageSize":1001} => INVALID_ARGUMENT INVALID_REQUEST page_size
    ListMatches {"pageToken":"nonsense"} => INVALID_ARGUMENT INVALID_PAGE_TOKEN page_token
    JoinMatch {"name":"OPEN"} => INVALID_ARGUMENT INVALID_REQUEST player
    JoinMatch {"name":"OPEN","player":"LONG"} => INVALID_ARGUMENT INVALID_REQUEST player
    JoinMatch {"name":"OPEN","player":"clementine","seat":2} => INVALID_ARGUMENT INVALID_REQUEST seat
    JoinMatch {"name":"OPEN","player":"clementine","seat":99} => INVALID_ARGUMENT INVALID_REQUEST seat
    JoinMatch {"name":"OPEN","player":"clementine","requestId":"a b"} => INVALID_ARGUMENT INVALID_REQUEST request_id
    JoinMatch {"name":"OPEN","player":"clementine","seat":0} => FAILED_PRECONDITION SEAT_TAKEN
    JoinMatch {"name":"RUNNING","player":"ignatius"} => FAILED_PRECONDITION MATCH_FULL
    BatchCreateMatches {"requests":[{"game":"games/mountebank","seats":2},{"game":"games/mountebank","seats":2,"players":["a","a"]}]} => INVALID_ARGUMENT INVALID_REQUEST requests[1].players[1]
    BatchCreateMatches {"requests":[{"game":"games/mountebank","seats":2},{"game":"games/nim","seats":2}]} => INVALID_ARGUMENT UNKNOWN_GAME requests[1].game
    BatchCreateMatches {"requests":[{"game":"games/mountebank","seats":2,"requestId":"r"},{"game":"games/mountebank","seats":2,"requestId":"r"}]} => INVALID_ARGUMENT INVALID_REQUEST requests[1].request_id
    BatchCreateMatches {"requests":[{"previous":"ENDED"}]} => INVALID_ARGUMENT INVALID_REQUEST requests[0].previous
    ResignMatch {"name":"RUNNING","seat":0,"expectedPosition":77} => ABORTED POSITION_MOVED
    VoteMatch {"name":"RUNNING","seat":0,"motion":"MOTION_PAUSE","expectedPosition":77} => ABORTED POSITION_MOVED
    PauseMatch {"name":"RUNNING","expectedPosition":77} => ABORTED POSITION_MOVED
    ResumeMatch {"name":"RUNNING","expectedPosition":77} => ABORTED POSITION_MOVED
    EndMatch {"name":"RUNNING","expectedPosition":77} => ABORTED POSITION_MOVED
    ReplaceSeat {"name":"RUNNING","seat":0,"player":"late","absent":true,"expectedPosition":77} => ABORTED POSITION_MOVED
    ListLegalActions {"name":"RUNNING"} => INVALID_ARGUMENT INVALID_REQUEST seat
    ListLegalActions {"name":"RUNNING","seat":3} => INVALID_ARGUMENT INVALID_REQUEST seat
    ListLegalActions {"name":"RUNNING","seat":0,"verb":"sing"} => INVALID_ARGUMENT INVALID_REQUEST verb
    ListLegalActions {"name":"RUNNING","seat":0,"pieces":["author","jack"]} => INVALID_ARGUMENT INVALID_REQUEST pieces[1]
    ListLegalActions {"name":"OPEN","seat":0} => FAILED_PRECONDITION MATCH_NOT_STARTED
    SuggestActions {"name":"RUNNING"} => INVALID_ARGUMENT INVALID_REQUEST seat
    SuggestActions {"name":"RUNNING","seat":3} => INVALID_ARGUMENT INVALID_REQUEST seat
    SuggestActions {"name":"RUNNING","seat":0} => FAILED_PRECONDITION SUGGESTIONS_AGAINST_PEOPLE
    SuggestActions {"name":"OPEN","seat":0} => FAILED_PRECONDITION MATCH_NOT_STARTED
    GetView {"name":"OPEN"} => FAILED_PRECONDITION MATCH_NOT_STARTED
    GetView {"name":"RUNNING","position":0} => INVALID_ARGUMENT INVALID_REQUEST position
    GetView {"name":"RUNNING","position":-3} => INVALID_ARGUMENT INVALID_REQUEST position
    GetView {"name":"RUNNING","position":2} => OUT_OF_RANGE POSITION_AHEAD
    GetView {"name":"RUNNING","viewer":"everyone"} => INVALID_ARGUMENT INVALID_REQUEST viewer
    GetView {"name":"RUNNING","viewer":"seats/3"} => INVALID_ARGUMENT INVALID_REQUEST viewer
    GetView {"name":"RUNNING","viewer":"seats/99"} => INVALID_ARGUMENT INVALID_REQUEST viewer
    GetView {"name":"RUNNING","viewer":"seats/-1"} => INVALID_ARGUMENT INVALID_REQUEST viewer
    GetView {"name":"RUNNING","viewer":"house"} => FAILED_PRECONDITION MATCH_NOT_ENDED
    GetTableImage {"name":"OPEN"} => FAILED_PRECONDITION MATCH_NOT_STARTED
    GetTableImage {"name":"RUNNING","position":2} => OUT_OF_RANGE POSITION_AHEAD
    GetTableImage {"name":"RUNNING","viewer":"seats/3"} => INVALID_ARGUMENT INVALID_REQUEST viewer
    GetTableImage {"name":"RUNNING","viewer":"house"} => FAILED_PRECONDITION MATCH_NOT_ENDED
    GetTableImage {"name":"RUNNING","width":199} => INVALID_ARGUMENT INVALID_REQUEST width
    GetTableImage {"name":"RUNNING","width":1601} => INVALID_ARGUMENT INVALID_REQUEST width
    GetEntry {"name":"RUNNING/entries/0"} => NOT_FOUND ENTRY_NOT_FOUND
    GetEntry {"name":"RUNNING/entries/2"} => NOT_FOUND ENTRY_NOT_FOUND
    GetEntry {"name":"RUNNING/entries/9223372036854775807"} => NOT_FOUND ENTRY_NOT_FOUND
    GetEntry {"name":"RUNNING/entries/-9223372036854775808"} => NOT_FOUND ENTRY_NOT_FOUND
    GetEntry {"name":"RUNNING/entries/9223372036854775808"} => INVALID_ARGUMENT INVALID_REQUEST name
    GetEntry {"name":"RUNNING/entries/first"} => INVALID_ARGUMENT INVALID_REQUEST name
    ListEntries {"parent":"RUNNING","pageSize":-1} => INVALID_ARGUMENT INVALID_REQUEST page_size
    ListEntries {"parent":"RUNNING","pageSize":1001} => INVALID_ARGUMENT INVALID_REQUEST page_size
    ListEntries {"parent":"RUNNING","pageToken":"nonsense"} => INVALID_ARGUMENT INVALID_PAGE_TOKEN page_token
    ListEntries {"parent":"RUNNING","pageToken":"AAAAAAAAQACAAAAAAAAAAAAAAAAAAAAB"} => INVALID_ARGUMENT INVALID_PAGE_TOKEN page_token
    WatchEntries {"parent":"RUNNING","afterPosition":-1} => INVALID_ARGUMENT INVALID_REQUEST after_position
    ListEntries {"parent":"RUNNING","afterPosition":-1} => INVALID_ARGUMENT INVALID_REQUEST after_position
    ListEntries {"parent":"RUNNING","afterPosition":1,"afterDigest":"AAAA"} => INVALID_ARGUMENT INVALID_REQUEST after_digest
    WatchEntries {"parent":"RUNNING","afterDigest":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="} => INVALID_ARGUMENT INVALID_REQUEST after_digest
    ReplayEntries {"parent":"RUNNING","afterPosition":1,"afterDigest":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="} => DATA_LOSS RECORD_WENT_BACK
    WatchEntries {"parent":"RUNNING","afterPosition":2} => OUT_OF_RANGE POSITION_AHEAD
    WatchEntries {"parent":"OPEN","afterPosition":1} => OUT_OF_RANGE POSITION_AHEAD
    WatchEntries {"parent":"RUNNING","viewer":"seats/3"} => INVALID_ARGUMENT INVALID_REQUEST viewer
    CreateToken {"parent":"RUNNING","seat":3} => INVALID_ARGUMENT INVALID_REQUEST seat
    CreateToken {"parent":"RUNNING","lifetime":"86401s"} => INVALID_ARGUMENT INVALID_REQUEST lifetime
    CreateToken {"parent":"RUNNING","lifetime":"0s"} => INVALID_ARGUMENT INVALID_REQUEST lifetime
    CreateToken {"parent":"RUNNING","lifetime":"1.5s"} => INVALID_ARGUMENT INVALID_REQUEST lifetime
    CreateToken {"parent":"RUNNING","lifetime":"-5s"} => INVALID_ARGUMENT INVALID_REQUEST lifetime
    CommitSeed {} => INVALID_ARGUMENT INVALID_REQUEST request_id
    CommitSeed {"requestId":"set up"} => INVALID_ARGUMENT INVALID_REQUEST request_id
    CreateMatch {"game":"games/mountebank","seats":2,"players":["ann"],"contributions":["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"]} => INVALID_ARGUMENT INVALID_REQUEST contributions[0]
    CreateMatch {"game":"games/mountebank","seats":2,"players":["ann"],"contributions":["","AAAAAAAAAAAAAAAAAAAAAA=="]} => INVALID_ARGUMENT INVALID_REQUEST contributions[1]
    CreateMatch {"game":"games/mountebank","seats":2,"seedCommitment":"00"} => INVALID_ARGUMENT INVALID_REQUEST seed_commitment
    CreateMatch {"game":"games/mountebank","seats":2,"seedCommitment":"0000000000000000000000000000000000000000000000000000000000000000"} => INVALID_ARGUMENT INVALID_REQUEST seed_commitment
    CreateMatch {"game":"games/mountebank","seats":2,"requestId":"untold","seedCommitment":"0000000000000000000000000000000000000000000000000000000000000000"} => FAILED_PRECONDITION COMMITMENT_MISMATCH
    JoinMatch {"name":"OPEN","player":"late","contribution":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"} => INVALID_ARGUMENT INVALID_REQUEST contribution
    ContributeEntropy {"name":"OPEN","contribution":"AAAAAAAAAAAAAAAAAAAAAA=="} => INVALID_ARGUMENT INVALID_REQUEST seat
    ContributeEntropy {"name":"OPEN","seat":0} => INVALID_ARGUMENT INVALID_REQUEST contribution
    ContributeEntropy {"name":"OPEN","seat":0,"contribution":"AAAAAAAAAAAAAAAAAAAA"} => INVALID_ARGUMENT INVALID_REQUEST contribution
    JoinMatch {"name":"OPEN","player":"late","contribution":"AAAA"} => INVALID_ARGUMENT INVALID_REQUEST contribution
    CreateMatch {"game":"games/mountebank","seats":2,"players":["ann"],"contributions":["AAAA"]} => INVALID_ARGUMENT INVALID_REQUEST contributions[0]
    ContributeEntropy {"name":"OPEN","seat":9,"contribution":"AAAAAAAAAAAAAAAAAAAAAA=="} => INVALID_ARGUMENT INVALID_REQUEST seat
    ContributeEntropy {"name":"RUNNING","seat":0,"contribution":"AAAAAAAAAAAAAAAAAAAAAA=="} => FAILED_PRECONDITION CONTRIBUTION_TOO_LATE
    ResignMatch {"name":"RUNNING"} => INVALID_ARGUMENT INVALID_REQUEST seat
    ResignMatch {"name":"RUNNING","seat":3} => INVALID_ARGUMENT INVALID_REQUEST seat
    ResignMatch {"name":"RUNNING","seat":0,"requestId":"set up"} => INVALID_ARGUMENT INVALID_REQUEST request_id
    ResignMatch {"name":"OPEN","seat":0} => FAILED_PRECONDITION MATCH_NOT_STARTED
    ResignMatch {"name":"ENDED","seat":1} => FAILED_PRECONDITION MATCH_ENDED
    TakeBack {"name":"RUNNING"} => INVALID_ARGUMENT INVALID_REQUEST seat
    TakeBack {"name":"RUNNING","seat":3} => INVALID_ARGUMENT INVALID_REQUEST seat
    TakeBack {"name":"RUNNING","seat":ASKED,"requestId":"set up"} => INVALID_ARGUMENT INVALID_REQUEST request_id
    TakeBack {"name":"RUNNING","seat":ASKED} => FAILED_PRECONDITION TAKE_BACK_NOTHING
    TakeBack {"name":"RUNNING","seat":ASKED,"expectedPosition":7} => ABORTED POSITION_MOVED
    TakeBack {"name":"OPEN","seat":0} => FAILED_PRECONDITION MATCH_NOT_STARTED
    TakeBack {"name":"ENDED","seat":1} => FAILED_PRECONDITION MATCH_ENDED
    VoteMatch {"name":"RUNNING","seat":0} => INVALID_ARGUMENT INVALID_REQUEST motion
    VoteMatch {"name":"RUNNING","seat":0,"motion":9} => INVALID_ARGUMENT INVALID_REQUEST motion
    VoteMatch {"name":"RUNNING","motion":"MOTION_PAUSE"} => INVALID_ARGUMENT INVALID_REQUEST seat
    VoteMatch {"name":"RUNNING","seat":0,"motion":"MOTION_RESUME"} => FAILED_PRECONDITION MATCH_NOT_PAUSED
    VoteMatch {"name":"RUNNING","seat":0,"motion":"MOTION_PAUSE","withdraw":true} => FAILED_PRECONDITION NOTHING_CHANGES
    VoteMatch {"name":"OPEN","seat":0,"motion":"MOTION_PAUSE"} => FAILED_PRECONDITION MATCH_NOT_STARTED
    VoteMatch {"name":"ENDED","seat":1,"motion":"MOTION_PAUSE"} => FAILED_PRECONDITION MATCH_ENDED
    PauseMatch {"name":"OPEN"} => FAILED_PRECONDITION MATCH_NOT_STARTED
    PauseMatch {"name":"ENDED"} => FAILED_PRECONDITION MATCH_ENDED
    PauseMatch {"name":"RUNNING","requestId":"set up"} => INVALID_ARGUMENT INVALID_REQUEST request_id
    ResumeMatch {"name":"RUNNING"} => FAILED_PRECONDITION MATCH_NOT_PAUSED
    EndMatch {"name":"ENDED"} => FAILED_PRECONDITION MATCH_ENDED
    EndMatch {"name":"OPEN"} => FAILED_PRECONDITION MATCH_NOT_STARTED
    LeaveMatch {"name":"OPEN"} => INVALID_ARGUMENT INVALID_REQUEST player
    LeaveMatch {"name":"OPEN","player":"LONG"} => INVALID_ARGUMENT INVALID_REQUEST player
    LeaveMatch {"name":"OPEN","player":"nobody"} => FAILED_PRECONDITION PLAYER_NOT_SEATED
    LeaveMatch {"name":"RUNNING","player":"nobody"} => FAILED_PRECONDITION PLAYER_NOT_SEATED
    ReplaceSeat {"name":"RUNNING","player":"dora"} => INVALID_ARGUMENT INVALID_REQUEST seat
    ReplaceSeat {"name":"RUNNING","seat":3,"player":"dora"} => INVALID_ARGUMENT INVALID_REQUEST seat
    ReplaceSeat {"name":"RUNNING","seat":0} => INVALID_ARGUMENT INVALID_REQUEST player
    ReplaceSeat {"name":"RUNNING","seat":0,"player":"LONG"} => INVALID_ARGUMENT INVALID_REQUEST player
    ReplaceSeat {"name":"RUNNING","seat":0,"player":"dora","displayName":"a\nb"} => INVALID_ARGUMENT INVALID_REQUEST display_name
    ReplaceSeat {"name":"RUNNING","seat":0,"player":"dora"} => FAILED_PRECONDITION NOT_RESIGNED
    ReplaceSeat {"name":"OPEN","seat":0,"player":"dora"} => FAILED_PRECONDITION MATCH_NOT_STARTED
    ReplaceSeat {"name":"ENDED","seat":0,"player":"dora"} => FAILED_PRECONDITION MATCH_ENDED
    SubmitAction {"name":"RUNNING","seat":ASKED} => INVALID_ARGUMENT MALFORMED_ACTION action
    SubmitAction {"name":"RUNNING","seat":ASKED,"action":{}} => INVALID_ARGUMENT MALFORMED_ACTION action
    SubmitAction {"name":"RUNNING","seat":ASKED,"action":{"mountebank":{}}} => INVALID_ARGUMENT MALFORMED_ACTION action
    SubmitAction {"name":"RUNNING","seat":ASKED,"action":{"mountebank":{"take":{}}}} => INVALID_ARGUMENT MALFORMED_ACTION action
    SubmitAction {"name":"RUNNING","seat":ASKED,"action":{"mountebank":{"take":{"card":"joker"}}}} => INVALID_ARGUMENT MALFORMED_ACTION action
    SubmitAction {"name":"RUNNING","seat":ASKED,"action":{"mountebank":{"con":{"primary":"SUIT_SUNS"}}}} => INVALID_ARGUMENT MALFORMED_ACTION action
    SubmitAction {"name":"RUNNING","seat":ASKED,"action":{"mountebank":{"con":{"cards":["pact"]}}}} => INVALID_ARGUMENT MALFORMED_ACTION action
    SubmitAction {"name":"RUNNING","seat":ASKED,"action":{"mountebank":{"con":{"cards":["pact","pact"],"primary":"SUIT_SUNS"}}}} => INVALID_ARGUMENT MALFORMED_ACTION action
    SubmitAction {"name":"RUNNING","action":{"mountebank":{"draw":{}}}} => INVALID_ARGUMENT INVALID_REQUEST seat
    SubmitAction {"name":"RUNNING","seat":3,"action":{"mountebank":{"draw":{}}}} => INVALID_ARGUMENT INVALID_REQUEST seat
    SubmitAction {"name":"RUNNING","seat":4000000000,"action":{"mountebank":{"draw":{}}}} => INVALID_ARGUMENT INVALID_REQUEST seat
    SubmitAction {"name":"RUNNING","seat":ASKED,"requestId":"a b","action":{"mountebank":{"draw":{}}}} => INVALID_ARGUMENT INVALID_REQUEST request_id
    SubmitAction {"name":"RUNNING","seat":ASKED,"requestId":"LONG","action":{"mountebank":{"draw":{}}}} => INVALID_ARGUMENT INVALID_REQUEST request_id
    SubmitAction {"name":"RUNNING","seat":WAITING,"action":{"mountebank":{"draw":{}}}} => FAILED_PRECONDITION NOT_ASKED
    SubmitAction {"name":"RUNNING","seat":ASKED,"expectedPosition":-1,"action":{"mountebank":{"draw":{}}}} => ABORTED POSITION_MOVED
    SubmitAction {"name":"OPEN","seat":0,"action":{"mountebank":{"draw":{}}}} => FAILED_PRECONDITION MATCH_NOT_STARTED
    SubmitAction {"name":"ENDED","seat":0,"action":{"mountebank":{"draw":{}}}} => FAILED_PRECONDITION MATCH_ENDED
    ListMatches {"player":"ottoline\u0000"} => INVALID_ARGUMENT INVALID_REQUEST player
    GetPlayer {"name":"players/ottoline\u0000"} => INVALID_ARGUMENT INVALID_REQUEST name
    CreateSubscription {"name":"subscriptions/mail","filter":{"players":["ottoline\u0000"]}} => INVALID_ARGUMENT INVALID_REQUEST filter.players[0]
    ImportMatch {"game":"games/mountebank","player":"a\u0000"} => INVALID_ARGUMENT INVALID_REQUEST player
    ImportMatch {"game":"games/tarock","player":"ottoline"} => INVALID_ARGUMENT RECORD_NOT_PROVEN game
    ImportMatch {"game":"games/mountebank","player":"ottoline"} => INVALID_ARGUMENT RECORD_NOT_PROVEN rules_version
    CreateMatch {"game":"games/mountebank","seats":2,"options":{"device":""}} => INVALID_ARGUMENT UNKNOWN_OPTION options
    CreateMatch {"game":"games/mountebank","seats":2,"tags":{"A":"1"}} => INVALID_ARGUMENT INVALID_TAG tags
    CreateMatch {"game":"games/mountebank","seats":2,"reveal":"REVEAL_AFTER_DELAY"} => INVALID_ARGUMENT INVALID_REQUEST reveal_delay
    CreateMatch {"game":"games/mountebank","seats":2,"revealDelay":"5s"} => INVALID_ARGUMENT INVALID_REQUEST reveal_delay
    CreateMatch {"previous":"ENDED","game":"games/rigs"} => INVALID_ARGUMENT SERIES_MISMATCH game
    CreateMatch {"previous":"ENDED","players":["nobody"]} => INVALID_ARGUMENT SERIES_MISMATCH players
    ListMatches {"game":"games/tarock"} => INVALID_ARGUMENT UNKNOWN_GAME game
    ListMatches {"outcome":"OUTCOME_WON"} => INVALID_ARGUMENT INVALID_REQUEST outcome
    ListMatches {"player":"ada","opponent":"ada"} => INVALID_ARGUMENT INVALID_REQUEST opponent
    ListMatches {"tags":["event"]} => INVALID_ARGUMENT INVALID_REQUEST tags[0]
    ListMatches {"tags":["Event=cup"]} => INVALID_ARGUMENT INVALID_TAG tags
    ListMatches {"consistencyToken":"matches/7/entries/1"} => INVALID_ARGUMENT INVALID_REQUEST consistency_token
    ListMatches {"consistencyToken":"nonsense"} => INVALID_ARGUMENT INVALID_CURSOR consistency_token
    GetMatch {"name":"RUNNING","viewer":"seats/9"} => INVALID_ARGUMENT INVALID_REQUEST viewer
    UpdateMatch {"match":{"name":"RUNNING"}} => INVALID_ARGUMENT INVALID_REQUEST update_mask
    UpdateMatch {"match":{"name":"RUNNING"},"updateMask":"seats"} => INVALID_ARGUMENT INVALID_REQUEST update_mask
    UpdateMatch {"match":{"name":"RUNNING","tags":{"A":"1"}},"updateMask":"tags"} => INVALID_ARGUMENT INVALID_TAG match.tags
    UpdateMatch {"match":{"name":"RUNNING","lobby":true},"updateMask":"lobby"} => FAILED_PRECONDITION MATCH_STARTED
    TagMatch {"name":"RUNNING","set":{"A":"1"}} => INVALID_ARGUMENT INVALID_TAG set
    TagMatch {"name":"RUNNING","remove":["A"]} => INVALID_ARGUMENT INVALID_TAG remove
    TagMatch {"name":"RUNNING","set":{"a":"1"},"remove":["a"]} => INVALID_ARGUMENT INVALID_TAG remove
    DiffViews {"name":"RUNNING","fromPosition":0} => INVALID_ARGUMENT INVALID_REQUEST from_position
    DiffViews {"name":"RUNNING","fromPosition":1,"toPosition":-1} => INVALID_ARGUMENT INVALID_REQUEST to_position
    GetView {"name":"RUNNING","position":1,"readTime":"2026-01-31T12:00:00Z"} => INVALID_ARGUMENT INVALID_REQUEST read_time
    ReadRecord {"name":"RUNNING/record"} => FAILED_PRECONDITION MATCH_NOT_ENDED
    ReadRecord {"name":"OPEN/record"} => FAILED_PRECONDITION MATCH_NOT_ENDED
    ReplayEntries {"parent":"RUNNING","speed":-1} => INVALID_ARGUMENT INVALID_REQUEST speed
    ReplayEntries {"parent":"RUNNING","pauseMax":"4000000s"} => INVALID_ARGUMENT INVALID_REQUEST pause_max
    ReplayEntries {"parent":"RUNNING","afterPosition":-1} => INVALID_ARGUMENT INVALID_REQUEST after_position
    ReplayEntries {"parent":"RUNNING","afterPosition":1,"untilPosition":0} => INVALID_ARGUMENT INVALID_REQUEST until_position
    SearchEntries {"parent":"games/mountebank","verb":"sing"} => INVALID_ARGUMENT INVALID_REQUEST verb
    SearchEntries {"parent":"games/mountebank","piece":"joker"} => INVALID_ARGUMENT INVALID_REQUEST piece
    SearchEntries {"parent":"games/mountebank","announcement":"rain"} => INVALID_ARGUMENT INVALID_REQUEST announcement
    SearchEntries {"parent":"games/mountebank","player":"ottoline\u0000"} => INVALID_ARGUMENT INVALID_REQUEST player
    SearchEntries {"parent":"games/mountebank","pageToken":"nonsense"} => INVALID_ARGUMENT INVALID_PAGE_TOKEN page_token
    ListStandings {"parent":"games/mountebank","pageToken":"nonsense"} => INVALID_ARGUMENT INVALID_PAGE_TOKEN page_token
    StreamEntries {"cursor":"nonsense"} => INVALID_ARGUMENT INVALID_CURSOR cursor
    StreamEntries {"cursor":"nonsense","live":true} => INVALID_ARGUMENT INVALID_REQUEST live
    StreamEntries {"heartbeat":"4000000000s"} => INVALID_ARGUMENT INVALID_REQUEST heartbeat
    StreamEntries {"sendTimeout":"0s"} => INVALID_ARGUMENT INVALID_REQUEST send_timeout
    CreateSubscription {"name":"subscriptions/mail","filter":{"games":["mountebank"]}} => INVALID_ARGUMENT INVALID_REQUEST filter.games[0]
    CreateSubscription {"name":"subscriptions/mail","filter":{"tags":["event"]}} => INVALID_ARGUMENT INVALID_REQUEST filter.tags[0]
    CreateSubscription {"name":"subscriptions/ä"} => INVALID_ARGUMENT INVALID_REQUEST name
    CreateSubscription {"name":"subscriptions/mail","filter":{"tags":["Event=cup"]}} => INVALID_ARGUMENT INVALID_TAG filter.tags
    CreateSubscription {"name":"subscriptions/hook","push":{}} => INVALID_ARGUMENT WEBHOOK_URL_REFUSED push.url
    CreateSubscription {"name":"subscriptions/hook","push":{"url":"https://"}} => INVALID_ARGUMENT WEBHOOK_URL_REFUSED push.url
    CreateSubscription {"name":"subscriptions/hook","push":{"url":"http://example.com/"}} => INVALID_ARGUMENT WEBHOOK_URL_REFUSED push.url
    CreateSubscription {"name":"subscriptions/hook","push":{"url":"https://ann:bob@example.com/"}} => INVALID_ARGUMENT WEBHOOK_URL_REFUSED push.url
    CreateSubscription {"name":"subscriptions/hook","push":{"url":"https://2130706433/"}} => INVALID_ARGUMENT WEBHOOK_URL_REFUSED push.url
    CreateSubscription {"name":"subscriptions/hook","push":{"url":"https://127.0.0.1/"}} => INVALID_ARGUMENT WEBHOOK_URL_REFUSED push.url
    CreateSubscription {"name":"subscriptions/hook","push":{"url":"https://example.com/\u0000"}} => INVALID_ARGUMENT WEBHOOK_URL_REFUSED push.url
    CreateSubscription {"name":"subscriptions/hook","push":{"url":"https://1.1.1.1/","secret":"whsec_AAAA"}} => INVALID_ARGUMENT WEBHOOK_SECRET_INVALID push.secret
    CreatePushSubscription {"player":"ann","endpoint":"https://127.0.0.1/","keys":{}} => INVALID_ARGUMENT WEBHOOK_URL_REFUSED endpoint
    CreatePushSubscription {"player":"ann","endpoint":"https://1.1.1.1/"} => INVALID_ARGUMENT INVALID_REQUEST keys
    CreatePushSubscription {"player":"ann","endpoint":"https://1.1.1.1/","keys":{"auth":"AAAA","p256dh":"AAAA"}} => INVALID_ARGUMENT INVALID_REQUEST keys.auth
    CreatePushSubscription {"player":"ann","endpoint":"https://1.1.1.1/","keys":{"auth":"BTBZMqHH6r4Tts7J_aSIgg","p256dh":"AAAA"}} => INVALID_ARGUMENT INVALID_REQUEST keys.p256dh
    CreatePushSubscription {"player":"ann","endpoint":"https://1.1.1.1/","language":"xx"} => INVALID_ARGUMENT INVALID_REQUEST language
    CreatePushSubscription {"player":"ann","endpoint":"https://1.1.1.1/","keys":{"auth":"BTBZMqHH6r4Tts7J_aSIgg","p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"},"quietHours":{}} => INVALID_ARGUMENT TIME_ZONE_UNKNOWN quiet_hours.time_zone
    CreatePushSubscription {"player":"ann","endpoint":"https://1.1.1.1/","keys":{"auth":"BTBZMqHH6r4Tts7J_aSIgg","p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"},"quietHours":{"timeZone":"../../etc/passwd","endMinute":60}} => INVALID_ARGUMENT TIME_ZONE_UNKNOWN quiet_hours.time_zone
    CreatePushSubscription {"player":"ann","endpoint":"https://1.1.1.1/","keys":{"auth":"BTBZMqHH6r4Tts7J_aSIgg","p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"},"quietHours":{"timeZone":"UTC"}} => INVALID_ARGUMENT QUIET_HOURS_INVALID quiet_hours.end_minute
    CreatePushSubscription {"player":"ann","endpoint":"https://1.1.1.1/","keys":{"auth":"BTBZMqHH6r4Tts7J_aSIgg","p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"},"quietHours":{"timeZone":"UTC","startMinute":-1,"endMinute":60}} => INVALID_ARGUMENT QUIET_HOURS_INVALID quiet_hours.start_minute
    CreatePushSubscription {"player":"ann","endpoint":"https://1.1.1.1/","keys":{"auth":"BTBZMqHH6r4Tts7J_aSIgg","p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"},"quietHours":{"timeZone":"UTC","endMinute":2147483647}} => INVALID_ARGUMENT QUIET_HOURS_INVALID quiet_hours.end_minute
    CreatePushSubscription {"player":"players/ann","endpoint":"https://1.1.1.1/"} => INVALID_ARGUMENT INVALID_REQUEST player
    ListPushSubscriptions {} => INVALID_ARGUMENT INVALID_REQUEST player
    ListPushSubscriptions {"player":"ann","pageToken":"nonsense"} => INVALID_ARGUMENT INVALID_PAGE_TOKEN page_token
    DeletePushSubscription {"name":"pushSubscriptions/none"} => INVALID_ARGUMENT INVALID_REQUEST name
    DeletePushSubscription {"name":"pushSubscriptions/43e5f97f-b5a3-494a-b11b-af7cbe08b040"} => NOT_FOUND PUSH_SUBSCRIPTION_NOT_FOUND
    RotateSecret {"name":"subscriptions/none"} => NOT_FOUND SUBSCRIPTION_NOT_FOUND
    RotateSecret {"name":"subscriptions/none","overlap":"604801s"} => INVALID_ARGUMENT INVALID_REQUEST overlap
    RotateSecret {"name":"subscriptions/none","secret":"secret"} => INVALID_ARGUMENT WEBHOOK_SECRET_INVALID secret
    ListDeliveries {"parent":"subscriptions/none"} => NOT_FOUND SUBSCRIPTION_NOT_FOUND
    ListDeliveries {"parent":"subscriptions/none","pageSize":1001} => INVALID_ARGUMENT INVALID_REQUEST page_size
    ListDeliveries {"parent":"subscriptions/none","pageToken":"nonsense"} => INVALID_ARGUMENT INVALID_PAGE_TOKEN page_token
    RedeliverEntries {"name":"subscriptions/none"} => NOT_FOUND SUBSCRIPTION_NOT_FOUND
    RedeliverEntries {"name":"subscriptions/none","cursor":"nonsense"} => INVALID_ARGUMENT INVALID_CURSOR cursor
    MoveWebhook {"name":"subscriptions/none","url":"https://1.1.1.1/"} => NOT_FOUND SUBSCRIPTION_NOT_FOUND
    UpdateSubscription {"subscription":{"name":"subscriptions/none"},"updateMask":"filter"} => NOT_FOUND SUBSCRIPTION_NOT_FOUND
    UpdateSubscription {"subscription":{"name":"subscriptions/none"},"updateMask":"name"} => INVALID_ARGUMENT INVALID_REQUEST update_mask
    UpdateSubscription {"subscription":{"name":"subscriptions/none","push":{"url":"https://127.0.0.1/"}},"updateMask":"push.url"} => INVALID_ARGUMENT WEBHOOK_URL_REFUSED subscription.push.url
    MoveWebhook {"name":"subscriptions/none"} => INVALID_ARGUMENT WEBHOOK_URL_REFUSED url
    MoveWebhook {"name":"subscriptions/none","url":"https://127.0.0.1/"} => INVALID_ARGUMENT WEBHOOK_URL_REFUSED url
    TestWebhook {"name":"subscriptions/none"} => NOT_FOUND SUBSCRIPTION_NOT_FOUND
    ListActs {"pageSize":1001} => INVALID_ARGUMENT INVALID_REQUEST page_size
    ListActs {"pageToken":"nonsense"} => INVALID_ARGUMENT INVALID_PAGE_TOKEN page_token
    ListActs {"platform":"acme"} => INVALID_ARGUMENT INVALID_REQUEST platform
    ListActs {"platform":"platforms/acme"} => PERMISSION_DENIED OPERATOR_ONLY
    GetPlatform {"platform":"acme"} => INVALID_ARGUMENT INVALID_REQUEST platform
    GetPlatform {"platform":"platforms/acme"} => PERMISSION_DENIED OPERATOR_ONLY
    ListApiKeys {"pageToken":"nonsense"} => INVALID_ARGUMENT INVALID_PAGE_TOKEN page_token
    ListApiKeys {"platform":"platforms/acme"} => PERMISSION_DENIED OPERATOR_ONLY
    ListSubscriptions {"pageToken":"nonsense"} => INVALID_ARGUMENT INVALID_PAGE_TOKEN page_token
"##;

#[tokio::test]
async fn an_invalid_request_is_refused_alike_in_every_protocol() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let tables = Tables::new(&key).await;
    let mut wrong = Vec::new();
    for line in SENSELESS.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (rpc, rest) = line.split_once(' ').expect("an rpc");
        let (request, refusal) = rest.split_once(" => ").expect("a refusal");
        let (code, cause) = refusal.split_once(' ').expect("code and reason");
        let (reason, field) = cause.split_once(' ').unwrap_or((cause, ""));
        assert_eq!(code == "INVALID_ARGUMENT", !field.is_empty(), "{line}");
        for protocol in STREAMING {
            match key.speaking(protocol).call(rpc, &tables.fill(request)).await {
                Err(failure) if failure.code == code_named(code) && failure.reason == reason => {
                    assert_eq!(&*failure.domain, "croupier");
                    assert!(!failure.message.is_empty());
                    let found = failure.facts.get("field").map_or("", String::as_str);
                    if found != field {
                        wrong.push(format!("{protocol:?}: {line}: the field is {found:?}"));
                    }
                }
                other => {
                    let other = other.map(|_| "accepted").map_err(|it| (it.code, it.reason));
                    wrong.push(format!("{protocol:?}: {line}: {other:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(get(&key, &tables.running).await.position, 1, "nothing was recorded");
    assert_eq!(get(&key, &tables.open).await.position, 0);
    assert_eq!(get(&key, &tables.ended).await.position, 2);
}

/// As `google.api.field_behavior` announces it.
#[tokio::test]
async fn a_request_without_a_required_field_is_refused_by_its_name() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::ConnectJson);
    let operator = key.holding(operator_key(&installation).await);
    let behavior = contract::descriptors().get_extension_by_name("google.api.field_behavior");
    let behavior = behavior.expect("an option");
    let mut asked = 0;
    for service in contract::descriptors().services() {
        for method in service.methods().filter(|it| !it.is_client_streaming()) {
            let is_required = |field: &prost_reflect::FieldDescriptor| {
                let options = field.options();
                let listed = options.get_extension(&behavior);
                listed.as_list().into_iter().flatten().any(|it| it.as_enum_number() == Some(2))
            };
            let required: Vec<_> = method.input().fields().filter(is_required).collect();
            if required.is_empty() {
                continue;
            }
            let is_of_operators = OF_OPERATORS.iter().any(|(rpc, _)| *rpc == method.name());
            let client = if is_of_operators { &operator } else { &key };
            let failure = client.call(method.name(), "{}").await.expect_err(method.name());
            assert_eq!(failure.code, InvalidArgument, "{}", method.name());
            let field = &failure.facts["field"];
            assert!(required.iter().any(|it| it.name() == field), "{}: {field}", method.name());
            asked += 1;
        }
    }
    assert!(asked > 45, "{asked}");
}

/// Names that REST cannot carry, because there they would be other paths.
#[tokio::test]
async fn a_resource_name_of_another_kind_is_refused() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    for protocol in
        [Protocol::Grpc, Protocol::GrpcWeb, Protocol::ConnectJson, Protocol::ConnectProto]
    {
        let client = key.speaking(protocol);
        for (rpc, request) in [
            ("GetMatch", "{}"),
            ("GetMatch", r#"{"name":"games/mountebank"}"#),
            ("GetMatch", r#"{"name":"00000000-0000-4000-8000-000000000000"}"#),
            ("GetMatch", r#"{"name":"matches/00000000-0000-4000-8000-000000000000/"}"#),
            ("GetGame", r#"{"name":"games/"}"#),
            ("GetGame", r#"{"name":"mountebank"}"#),
            ("GetRules", r#"{"name":"games/mountebank"}"#),
            ("GetRules", r#"{"name":"games//rules"}"#),
            ("GetEntry", r#"{"name":"matches/00000000-0000-4000-8000-000000000000"}"#),
            ("ListEntries", r#"{"parent":"players/ottoline"}"#),
            ("WatchEntries", "{}"),
            ("CreateToken", "{}"),
        ] {
            let failure = client.call(rpc, request).await.expect_err("no such name");
            failure.check(InvalidArgument, "INVALID_REQUEST");
        }
    }
}

#[tokio::test]
async fn a_refusal_has_its_reason_and_facts_and_records_nothing() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let tables = Tables::new(&key).await;
    let seat = format!("seats/{}", tables.asked);
    let spots = view(&key, &tables.running, &seat, None).await.places;
    let of = |place: &str| spots.iter().find(|spot| spot.place == place).expect("it is there");
    let own = of(&format!("hand/{}", tables.asked)).pieces[0].clone();
    for protocol in PROTOCOLS {
        let client = key.speaking(protocol);
        let act = async |action: String| {
            let (name, seat) = (&tables.running, tables.asked);
            let request =
                format!(r#"{{"name":"{name}","seat":{seat},"action":{{"mountebank":{action}}}}}"#);
            let failure =
                client.call("SubmitAction", &request).await.expect_err("against the rules");
            assert_eq!((failure.code, &*failure.domain), (FailedPrecondition, "games/mountebank"));
            assert!(!failure.message.is_empty());
            (failure.reason, failure.facts.into_iter().collect::<Vec<_>>())
        };
        let (reason, facts) = act(format!(r#"{{"take":{{"card":"{own}"}}}}"#)).await;
        assert_eq!(reason, "NOT_IN_DRAFT");
        assert_eq!(facts, [("card".to_owned(), own.clone())]);
        let draft = of("draft").pieces[0].clone();
        let (reason, facts) =
            act(format!(r#"{{"con":{{"cards":["{draft}"],"primary":"SUIT_SUNS"}}}}"#)).await;
        assert_eq!(reason, "NOT_IN_HAND");
        assert_eq!(facts, [("cards".to_owned(), draft)]);
        let (reason, facts) = act(r#"{"pass":{}}"#.to_owned()).await;
        assert_eq!((reason.as_str(), facts.len()), ("MUST_PLAY", 0));
    }
    let name = "games/mountebank".to_owned();
    let game = key.ask(&GetGameRequest { name, ..Default::default() }).await.expect("it is there");
    let announced = game.game.expect("the game").refusals;
    for (reason, facts) in
        [("NOT_IN_DRAFT", &["card"][..]), ("NOT_IN_HAND", &["cards"]), ("MUST_PLAY", &[])]
    {
        assert!(announced.iter().any(|it| it.reason == reason && it.facts == facts), "{reason}");
    }
    assert_eq!(get(&key, &tables.running).await.position, 1);
    let requests = recorded_requests(&mut installation.database().await, &tables.running).await;
    assert_eq!(requests.len(), 1, "but for the deal");
}

#[tokio::test]
async fn invalid_json_names_the_location() {
    let installation = Installation::open().await;
    for protocol in [Protocol::Rest, Protocol::ConnectJson] {
        let client = installation.client(protocol);
        for (body, reason, field) in [
            (r#"{"game":"games/mountebank","seets":2}"#, "UNKNOWN_FIELD", "seets"),
            (r#"{"game":"games/mountebank","seats":"many"}"#, "WRONG_TYPE", "seats"),
            (r#"{"game":"games/mountebank","seats":-1}"#, "WRONG_TYPE", "seats"),
            (r#"{"game":7,"seats":2}"#, "WRONG_TYPE", "game"),
            (
                r#"{"game":"games/mountebank","seats":2,"players":"ottoline"}"#,
                "WRONG_TYPE",
                "players",
            ),
            (r#"{"game":"games/mountebank","seats":2,"players":[1]}"#, "WRONG_TYPE", "players[0]"),
            (r#"{"game":"games/mountebank","seats":2,"options":[]}"#, "WRONG_TYPE", "options"),
            (r#"{"game":"games/mountebank""#, "MALFORMED_JSON", ""),
            (r#"{"game":"games/mountebank","seats":2,"seats":3}"#, "DUPLICATE_FIELD", "seats"),
            (
                r#"{"requestId":"a","game":"games/mountebank","seats":2,"request_id":"b"}"#,
                "DUPLICATE_FIELD",
                "request_id",
            ),
            (
                r#"{"game":"games/mountebank","seats":2,"tags":{"a":"1","a":"2"}}"#,
                "DUPLICATE_FIELD",
                "tags.a",
            ),
            (r#"[1, 2]"#, "WRONG_TYPE", ""),
            (r#""games/mountebank""#, "WRONG_TYPE", ""),
            ("game=mountebank", "MALFORMED_JSON", ""),
        ] {
            let failure =
                post(&client, "CreateMatch", "/v1/matches", "application/json", body).await;
            failure.check(InvalidArgument, reason);
            assert_eq!(failure.facts.get("field").map_or("", String::as_str), field, "{body}");
        }
        let it = create(&client, &new_match(2)).await.name;
        for (action, reason) in [
            (r#"{"tarock":{}}"#, "UNKNOWN_FIELD"),
            (r#"{"mountebank":{"bluff":{}}}"#, "UNKNOWN_FIELD"),
            (r#"{"mountebank":{"con":{"cards":["pact"],"primary":"SUIT_STARS"}}}"#, "WRONG_TYPE"),
            (r#"{"mountebank":{"draw":{},"pass":{}}}"#, "DUPLICATE_FIELD"),
        ] {
            let name = match protocol {
                Protocol::Rest => String::new(),
                _ => format!(r#""name":"{it}","#),
            };
            let body = format!(r#"{{{name}"seat":0,"action":{action}}}"#);
            let path = format!("/v1/{it}:submitAction");
            let failure = post(&client, "SubmitAction", &path, "application/json", &body).await;
            failure.check(InvalidArgument, reason);
        }
    }
}

/// A refused POST: to the path in REST, to the rpc in Connect.
async fn post(client: &Client, rpc: &str, path: &str, content_type: &str, body: &str) -> Failure {
    let method = method(rpc);
    let uri = match client.protocol {
        Protocol::Rest => path.to_owned(),
        _ => self::path(&method),
    };
    let body = Full::new(Bytes::copy_from_slice(body.as_bytes()));
    let request = Request::post(uri).header("content-type", content_type).body(body);
    let response = client.send(request.expect("a request")).await.expect("an answer");
    client.answer(&method, response).expect_err("this is refused")
}

#[tokio::test]
async fn undecodable_bytes_are_invalid_argument() {
    let installation = Installation::open().await;
    for protocol in [Protocol::Grpc, Protocol::GrpcWeb, Protocol::ConnectProto] {
        let client = installation.client(protocol);
        // Calls of guests refuse a platform's key before they read the message.
        let is_of_platforms = |method: &str| !OF_GUESTS.contains(&method);
        let methods = methods();
        let unary = methods.iter().filter(|it| !it.is_server_streaming());
        for method in unary.filter(|it| is_of_platforms(it.name())) {
            // A message without fields takes any that is well formed as one it does not know.
            let is_empty = method.input().fields().len() == 0;
            let not_of_its_type = (!is_empty).then_some(&[0x0a, 2, 0xff, 0xfe][..]);
            for bytes in [&[0xff][..], &[0x0a, 200, 1]].into_iter().chain(not_of_its_type) {
                let failure = raw(&client, method, bytes).await;
                failure.check(InvalidArgument, "MALFORMED_MESSAGE");
            }
        }
    }
}

async fn raw(client: &Client, method: &prost_reflect::MethodDescriptor, bytes: &[u8]) -> Failure {
    let response =
        client.send(raw_request(client.protocol, method, bytes)).await.expect("an answer");
    client.answer(method, response).expect_err("this is refused")
}

#[tokio::test]
async fn a_message_over_the_limit_is_refused_with_the_limit() {
    let installation = Installation::open().await;
    let method = method("CreateMatch");
    for protocol in PROTOCOLS {
        let client = installation.client(protocol);
        let long = vec![b' '; 64 * 1024 + 1];
        let failure = match protocol {
            Protocol::Rest => {
                let body = String::from_utf8(long).expect("spaces");
                post(&client, "CreateMatch", "/v1/matches", "application/json", &body).await
            }
            _ => raw(&client, &method, &long).await,
        };
        failure.check(ResourceExhausted, "MESSAGE_TOO_LARGE");
        assert_eq!(failure.facts["bytes_max"], "65536");
    }
}

#[tokio::test]
async fn an_unknown_path_method_or_media_type_gets_the_right_status() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    let name = create(&client, &new_match(2)).await.name;
    let cases = [
        (Method::GET, "/v1/nothing".to_owned(), "", 404, "UNKNOWN_ROUTE"),
        (Method::GET, "/v2/games".to_owned(), "", 404, "UNKNOWN_ROUTE"),
        (Method::POST, format!("/v1/{name}/points"), "", 404, "UNKNOWN_ROUTE"),
        (Method::DELETE, "/v1/matches".to_owned(), "", 405, "WRONG_METHOD"),
        (Method::POST, "/v1/games".to_owned(), "", 405, "WRONG_METHOD"),
        (Method::POST, "/v1/matches".to_owned(), "text/plain", 415, "UNSUPPORTED_MEDIA_TYPE"),
        (Method::GET, "/v1/matches?size=7".to_owned(), "", 400, "UNKNOWN_FIELD"),
        (Method::GET, "/v1/matches?pageSize=many".to_owned(), "", 400, "WRONG_TYPE"),
        (Method::GET, format!("/v1/{name}:view?position=last"), "", 400, "WRONG_TYPE"),
        (Method::GET, format!("/v1/{name}:view?viewer=house"), "", 400, "MATCH_NOT_ENDED"),
        (
            Method::GET,
            "/v1/matches/00000000-0000-4000-8000-000000000000".to_owned(),
            "",
            404,
            "MATCH_NOT_FOUND",
        ),
    ];
    let any = method("ListMatches");
    for (verb, uri, content_type, status, reason) in cases {
        let mut request = Request::builder().method(verb).uri(&uri);
        if !content_type.is_empty() {
            request = request.header("content-type", content_type);
        }
        let body = if content_type.is_empty() { "" } else { "{}" };
        let request = request.body(Full::new(Bytes::from(body))).expect("a request");
        let response = client.send(request).await.expect("an answer");
        if status == 405 {
            assert!(response.headers.contains_key("allow"), "{uri}");
        }
        let failure = client.answer(&any, response).expect_err("this is refused");
        assert_eq!(
            (failure.response.status.as_u16(), failure.reason.as_str()),
            (status, reason),
            "{uri}"
        );
    }
}

/// What a newcomer gets wrong first.
#[tokio::test]
async fn a_refusal_says_what_would_work() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::ConnectJson);
    let it = create(&client, &new_match(2)).await;
    let name = &it.name;
    let (waiting, other) = (it.waiting_for[0], 1 - it.waiting_for[0]);
    let told = async |rpc: &str, request: String| {
        client.call(rpc, &request).await.expect_err("it is refused")
    };
    let draw = r#""action":{"mountebank":{"draw":{}}}"#;
    let acting =
        |seat: u32, rest: &str| format!(r#"{{"name":"{name}","seat":{seat},{draw}{rest}}}"#);

    let early = told("SubmitAction", acting(other, "")).await;
    early.check(FailedPrecondition, "NOT_ASKED");
    assert_eq!(early.facts["waiting_for"], waiting.to_string());
    assert!(early.message.ends_with(&format!("the match waits for seat {waiting}")));

    let ahead = told("SubmitAction", acting(waiting, r#","expectedPosition":77"#)).await;
    ahead.check(Aborted, "POSITION_MOVED");
    assert_eq!(ahead.message, "the match is at position 1 and has not reached 77");

    let named = told("GetMatch", r#"{"name":"matches/123"}"#.to_owned()).await;
    named.check(InvalidArgument, "INVALID_REQUEST");
    assert!(named.message.contains("of the form matches/{uuid}, such as matches/"));
    let id = name.trim_start_matches("matches/");
    let named = told("GetMatch", format!(r#"{{"name":"{id}"}}"#)).await;
    assert!(named.message.ends_with(&format!("write {name}")), "{}", named.message);

    let option = r#""game":"games/mountebank","seats":2,"options":{"tempo":"fast"}"#;
    let option = told("CreateMatch", format!("{{{option}}}")).await;
    option.check(InvalidArgument, "UNKNOWN_OPTION");
    assert!(option.message.contains("it has: first-seat"), "{}", option.message);

    let key = installation.service.key();
    for header in [key.clone(), format!("Basic {key}")] {
        let bare = client.anonymous().with_header("authorization", header);
        let bare = bare.call("GetMatch", &format!(r#"{{"name":"{name}"}}"#)).await;
        let bare = bare.expect_err("no credentials");
        bare.check(Unauthenticated, "CREDENTIALS_INVALID");
        assert!(bare.message.contains("`authorization: Bearer {key}`"), "{}", bare.message);
        assert!(!bare.message.contains(&key));
    }

    let any = method("GetMatch");
    let sent = async |verb: Method, uri: &str| {
        let request = Request::builder().method(verb).uri(uri).header("content-type", JSON);
        let request = request.body(Full::new(Bytes::from("{}"))).expect("a request");
        let response = client.send(request).await.expect("an answer");
        client.answer(&any, response).expect_err("it is refused")
    };
    let play = sent(Method::POST, "/croupier.v1.MatchService/Play").await;
    play.check(Unimplemented, "UNSUPPORTED_MEDIA_TYPE");
    assert_eq!(play.facts["accepts"], "application/grpc");
    let rest = client.speaking(Protocol::Rest);
    let nowhere = |uri: &'static str| {
        let (rest, any) = (&rest, &any);
        async move {
            let request = Request::builder().uri(uri).body(Full::new(Bytes::new()));
            let response = rest.send(request.expect("a request")).await.expect("an answer");
            rest.answer(any, response).expect_err("it is refused").message
        }
    };
    assert!(nowhere("/matches").await.contains("the API is at /v1"));
    assert!(
        nowhere("/v1/matches?access_token=x").await.contains("`authorization: Bearer {token}`")
    );
}

const JSON: &str = "application/json";

#[tokio::test]
async fn an_unknown_rpc_is_unimplemented() {
    let installation = Installation::open().await;
    let any = method("GetMatch");
    for protocol in
        [Protocol::Grpc, Protocol::GrpcWeb, Protocol::ConnectJson, Protocol::ConnectProto]
    {
        let client = installation.client(protocol);
        for path in ["/croupier.v1.MatchService/WinMatch", "/croupier.v1.NoSuchService/GetMatch"] {
            let mut request = raw_request(protocol, &any, b"{}");
            *request.uri_mut() = path.parse().expect("a path");
            let response = client.send(request).await.expect("an answer");
            let failure = client.answer(&any, response).expect_err("this is refused");
            assert_eq!(failure.code, Unimplemented, "{path} in {protocol:?}");
        }
    }
}

#[tokio::test]
async fn an_unreadable_header_is_refused() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let it = create(&key, &new_match(2)).await.name;
    for (protocol, header, value) in [
        (Protocol::Grpc, "grpc-timeout", "soon"),
        (Protocol::Rest, "grpc-timeout", "5"),
        (Protocol::ConnectJson, "connect-timeout-ms", "soon"),
        (Protocol::Events, "last-event-id", "the last one"),
    ] {
        let client = key.speaking(protocol).with_header(header, value);
        let rpc = if protocol == Protocol::Events { "WatchEntries" } else { "ListEntries" };
        let failure = client.call(rpc, &format!(r#"{{"parent":"{it}"}}"#)).await;
        let failure = failure.expect_err("it makes no sense");
        failure.check(InvalidArgument, "MALFORMED_HEADER");
        assert_eq!(failure.facts["header"], header);
    }
}

#[tokio::test]
async fn a_page_token_of_another_match_is_refused() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    let mut playing = Playing::new(&client, 2, 101).await;
    playing.steps(3).await;
    let parent = playing.name.clone();
    let mut request = ListEntriesRequest { parent, page_size: 2, ..Default::default() };
    request.page_token = client.ask(&request).await.expect("a page").next_page_token;
    assert_eq!(client.ask(&request).await.expect("the next").entries[0].position, 3);
    request.parent = create(&client, &new_match(2)).await.name;
    let failure = client.ask(&request).await.expect_err("another's");
    failure.check(InvalidArgument, "INVALID_PAGE_TOKEN");
}

/// Times that a message can hold and the calendar, or the database, cannot.
#[tokio::test]
async fn an_impossible_time_is_refused_with_its_field() {
    let installation = Installation::open().await;
    let name = create(&installation.client(Protocol::Grpc), &new_match(2)).await.name;
    for protocol in [Protocol::Grpc, Protocol::GrpcWeb, Protocol::ConnectProto] {
        let client = installation.client(protocol);
        for (seconds, nanos) in [
            (i64::MIN, 0),
            (i64::MAX, 0),
            (-62_135_596_801, 0),
            (-210_000_000_000, 0),
            (-300_000_000_000, 0),
            (253_402_300_800, 0),
            (0, -1),
            (0, 1_000_000_000),
        ] {
            let time = Some(prost_types::Timestamp { seconds, nanos });
            let view = GetViewRequest { name: name.clone(), read_time: time, ..Default::default() };
            let from = ListMatchesRequest { from_create_time: time, ..Default::default() };
            let until = ListMatchesRequest { until_create_time: time, ..Default::default() };
            for (failure, field) in [
                (client.ask(&view).await.expect_err("no such time"), "read_time"),
                (client.ask(&from).await.expect_err("no such time"), "from_create_time"),
                (client.ask(&until).await.expect_err("no such time"), "until_create_time"),
            ] {
                failure.check(InvalidArgument, "INVALID_REQUEST");
                assert_eq!(failure.facts["field"], field);
            }
        }
        let first = Some(prost_types::Timestamp { seconds: -62_135_596_800, nanos: 0 });
        let from = ListMatchesRequest { from_create_time: first, ..Default::default() };
        assert_eq!(client.ask(&from).await.expect("the year 1").matches.len(), 1);
        let view = GetViewRequest { name: name.clone(), read_time: first, ..Default::default() };
        let failure = client.ask(&view).await.expect_err("before the match");
        failure.check(OutOfRange, "TIME_BEFORE_START");
    }
}

/// Tokens that somebody composed from the parts of genuine ones.
#[tokio::test]
async fn a_forged_page_token_is_refused() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let other_game = CreateMatchRequest { game: "games/rigs".to_owned(), ..new_match(2) };
    let other_game = create(&client, &other_game).await.name;
    for _ in 0..2 {
        create(&client, &new_match(2)).await;
    }
    let page = ListMatchesRequest { page_size: 1, ..Default::default() };
    let matches = client.ask(&page).await.expect("a page").next_page_token;
    let search = SearchEntriesRequest {
        parent: "games/mountebank".to_owned(),
        page_size: 1,
        ..Default::default()
    };
    let entries = client.ask(&search).await.expect("a page").next_page_token;
    let standings = ListStandingsRequest { parent: search.parent.clone(), ..Default::default() };
    let id = other_game.trim_start_matches("matches/").replace('-', "");
    let id = u128::from_str_radix(&id, 16).expect("hexadecimal");
    let contents = [
        [&i128::MIN.to_be_bytes()[..], &id.to_be_bytes()].concat(),
        [&(-300_000_000_000_000_000_000_i128).to_be_bytes()[..], &id.to_be_bytes()].concat(),
        [&0_i128.to_be_bytes()[..], &id.to_be_bytes(), &0_i64.to_be_bytes()].concat(),
        Vec::new(),
    ];
    for genuine in [&matches, &entries] {
        let genuine = BASE64_URL_SAFE_NO_PAD.decode(genuine).expect("base64");
        for check in [0, 8, 16] {
            for content in &contents {
                let forged = [&genuine[..check], content].concat();
                if forged.is_empty() {
                    continue;
                }
                let page_token = BASE64_URL_SAFE_NO_PAD.encode(forged);
                let matches = ListMatchesRequest { page_token: page_token.clone(), ..page.clone() };
                let search =
                    SearchEntriesRequest { page_token: page_token.clone(), ..search.clone() };
                let standings = ListStandingsRequest { page_token, ..standings.clone() };
                for failure in [
                    client.ask(&matches).await.expect_err("forged"),
                    client.ask(&search).await.expect_err("forged"),
                    client.ask(&standings).await.expect_err("forged"),
                ] {
                    failure.check(InvalidArgument, "INVALID_PAGE_TOKEN");
                }
            }
        }
    }
    for page_token in ["matches/1", "subscriptions/", "subscriptions/a\0"] {
        let page_token = page_token.to_owned();
        let request = ListSubscriptionsRequest { page_token, ..Default::default() };
        let failure = client.ask(&request).await.expect_err("forged");
        failure.check(InvalidArgument, "INVALID_PAGE_TOKEN");
    }
}

/// Frames that are cut off, missing or unknown, from a caller without credentials.
#[tokio::test]
async fn malformed_frames_are_the_callers_mistake() {
    let installation = Installation::open().await;
    let bodies: [(&[u8], _, _); 7] = [
        (&[], InvalidArgument, "MALFORMED_MESSAGE"),
        (&[0], InvalidArgument, "MALFORMED_MESSAGE"),
        (&[0, 0, 0, 0], InvalidArgument, "MALFORMED_MESSAGE"),
        (&[0, 0, 0, 0, 2, 7], InvalidArgument, "MALFORMED_MESSAGE"),
        (&[2, 0, 0, 0, 0], InvalidArgument, "MALFORMED_MESSAGE"),
        (&[0x80, 0, 0, 0, 0], InvalidArgument, "MALFORMED_MESSAGE"),
        (&[1, 0, 0, 0, 0], Unimplemented, "UNSUPPORTED_MEDIA_TYPE"),
    ];
    for protocol in [Protocol::Grpc, Protocol::GrpcWeb] {
        let client = installation.client(protocol).anonymous();
        for method in methods() {
            for (body, code, reason) in bodies {
                if method.is_client_streaming() && body.is_empty() {
                    continue;
                }
                let mut request = raw_request(protocol, &method, b"");
                *request.body_mut() = Full::new(Bytes::from_static(body));
                if method.is_client_streaming() && protocol == Protocol::GrpcWeb {
                    continue;
                }
                let response = client.send(request).await.expect("an answer");
                let failure = client.answer(&method, response).expect_err("this is refused");
                // An action stream is refused before it is read.
                if method.is_client_streaming() {
                    failure.check(Unauthenticated, "CREDENTIALS_MISSING");
                } else {
                    failure.check(code, reason);
                }
            }
        }
    }
    // Text that is not base64, where gRPC-Web has base64.
    let client = installation.client(Protocol::GrpcWeb).anonymous();
    let method = method("GetMatch");
    let mut request = raw_request(Protocol::GrpcWeb, &method, b"");
    let text = "application/grpc-web-text+proto".parse().expect("a header's value");
    request.headers_mut().insert("content-type", text);
    *request.body_mut() = Full::new(Bytes::from_static(b"!!!!????"));
    let response = client.send(request).await.expect("an answer");
    let status = tonic::Status::from_header_map(&response.headers).expect("a status");
    Failure::of_status(&status).check(InvalidArgument, "MALFORMED_MESSAGE");
}

/// A refusal reaches a client that is still sending.
#[tokio::test]
async fn a_body_over_the_limit_is_refused_whole_over_http_1_and_2() {
    let installation = Installation::open().await;
    let uri = |path: &str| format!("http://127.0.0.1:{}{path}", installation.service.port());
    let piece = Bytes::from(vec![b' '; 16 * 1024]);
    for is_http2 in [false, true] {
        for (path, content_type, pieces, status, reason) in [
            ("/v1/matches", "application/json", 5, 413, "MESSAGE_TOO_LARGE"),
            ("/v1/matches", "application/json", 100, 413, "MESSAGE_TOO_LARGE"),
            ("/v1/nothing", "application/json", 100, 404, "UNKNOWN_ROUTE"),
            ("/v1/matches", "text/plain", 4, 415, "UNSUPPORTED_MEDIA_TYPE"),
            (
                "/croupier.v1.MatchService/CreateMatch",
                "application/json",
                100,
                413,
                "resource_exhausted",
            ),
            ("/croupier.v1.MatchService/CreateMatch", "text/plain", 100, 415, "unimplemented"),
        ] {
            for announced in [false, true] {
                for attempt in 0..6 {
                    let what = format!("{path} {pieces} HTTP/2: {is_http2} {announced} {attempt}");
                    let mut client = legacy::Client::builder(TokioExecutor::new());
                    client.http2_only(is_http2);
                    let request = Request::post(uri(path)).header("content-type", content_type);
                    let frames = std::iter::repeat_n(piece.clone(), pieces);
                    let (status_seen, body) = if announced {
                        let body = Full::new(Bytes::from(frames.flatten().collect::<Vec<u8>>()));
                        let request = request.body(body).expect("a request");
                        answered(client.build_http().request(request).await, &what).await
                    } else {
                        let frames = frames.map(|it| Result::<_, Infallible>::Ok(Frame::data(it)));
                        let body = StreamBody::new(futures::stream::iter(frames));
                        let request = request.body(body).expect("a request");
                        answered(client.build_http().request(request).await, &what).await
                    };
                    assert_eq!(status_seen, status, "{what}");
                    assert!(body.contains(reason), "{what}: {body}");
                }
            }
        }
    }
}

/// Also where the deadline passes while the body is still on its way.
#[tokio::test]
async fn a_deadline_that_passes_before_the_body_arrives_is_answered_in_the_callers_protocol() {
    let installation = Installation::open().await;
    let port = installation.service.port();
    for (path, status, reason) in [
        ("/v1/matches", 504, "DEADLINE_EXCEEDED"),
        ("/croupier.v1.MatchService/CreateMatch", 504, "deadline_exceeded"),
    ] {
        let never = futures::stream::pending::<Result<Frame<Bytes>, Infallible>>();
        let request = Request::post(format!("http://127.0.0.1:{port}{path}"))
            .header("content-type", "application/json")
            .header("grpc-timeout", "300m")
            .body(StreamBody::new(never))
            .expect("a request");
        let client = legacy::Client::builder(TokioExecutor::new()).build_http();
        let (status_seen, body) = answered(client.request(request).await, path).await;
        assert_eq!(status_seen, status, "{path}: {body}");
        assert!(body.contains(reason), "{path}: {body}");
    }
}

async fn answered(
    response: Result<http::Response<hyper::body::Incoming>, legacy::Error>,
    what: &str,
) -> (u16, String) {
    let response = response.unwrap_or_else(|error| panic!("{what}: {error:?}"));
    let status = response.status().as_u16();
    let body = response.into_body().collect().await;
    let body = body.unwrap_or_else(|error| panic!("{what}: {error:?}")).to_bytes();
    (status, String::from_utf8_lossy(&body).into_owned())
}

#[tokio::test]
async fn a_connection_that_says_nothing_is_closed() {
    let installation = Installation::open().await;
    let address = ("127.0.0.1", installation.service.port());
    let mut silent = tokio::net::TcpStream::connect(address).await.expect("it is accepted");
    let mut byte = [0; 1];
    let closed = tokio::io::AsyncReadExt::read(&mut silent, &mut byte);
    let closed = tokio::time::timeout(2 * PATIENCE, closed).await.expect("it is closed in time");
    assert!(matches!(closed, Result::Ok(0) | Err(_)), "it is closed without a word");
}
