//! An action on the wire: its game, and that game's message, undecoded.

use bytes::{Buf, BufMut, Bytes};
use prost::encoding::{self, DecodeContext, WireType};
use prost::{DecodeError, Message};

/// `croupier.v1.Action` without knowledge of any game: the field that is set in the contract's
/// oneof, and the bytes of its message.
///
/// The game parses `body`, so a new game needs no code here. On the wire it is equal to the
/// generated oneof.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Action {
    /// The number of the game's field; 0 when no action is set.
    pub field: u32,
    /// The game's action message.
    pub body: Bytes,
}

/// The numbers of the fields of `croupier.v1.Action`.
struct Fields {
    /// Each game's field number and name.
    games: &'static [(u32, &'static str)],
    /// The number of the field for actions of games that are modules.
    module: u32,
    /// The number of the field for actions of every game.
    table: u32,
}

// `FIELDS`, which needs no descriptors where actions are all that is read.
include!(concat!(env!("OUT_DIR"), "/fields.rs"));

impl Action {
    /// An action that every game has.
    pub fn of_every_game(body: Bytes) -> Action {
        Action { field: FIELDS.table, body }
    }

    /// An action of a game of the contract, by the game's name, such as `mountebank`.
    pub fn of(game: &str, body: Bytes) -> Action {
        let field = FIELDS.games.iter().find(|(_, name)| *name == game);
        let (field, _) = field.unwrap_or_else(|| {
            panic!("croupier.v1.Action has no field with the game {game}: add it to actions.proto")
        });
        Action { field: *field, body }
    }

    /// Whether actions of a game have a field of their own.
    pub fn has_field(game: &str) -> bool {
        FIELDS.games.iter().any(|(_, name)| *name == game)
    }

    /// An action of a game that is a module: a `google.protobuf.Struct`.
    pub fn of_module(body: Bytes) -> Action {
        Action { field: FIELDS.module, body }
    }

    pub fn is_of_module(&self) -> bool {
        self.field == FIELDS.module
    }

    pub fn is_of_every_game(&self) -> bool {
        self.field == FIELDS.table
    }

    /// The game whose action it is; `None` for an action of every game, of a module, or of an
    /// unknown field.
    pub fn game(&self) -> Option<&'static str> {
        let field = FIELDS.games.iter().find(|(number, _)| *number == self.field);
        field.map(|(_, game)| *game)
    }
}

impl Message for Action {
    fn encode_raw(&self, out: &mut impl BufMut) {
        if self.field > 0 {
            encoding::bytes::encode(self.field, &self.body, out);
        }
    }

    /// Any field may belong to a game, so a field that is not a message is refused, not skipped. As
    /// in any oneof, the last field wins, and a repeated field is merged, which is the
    /// concatenation of the bytes.
    fn merge_field(
        &mut self,
        field: u32,
        wire_type: WireType,
        bytes: &mut impl Buf,
        context: DecodeContext,
    ) -> Result<(), DecodeError> {
        let mut body = Bytes::new();
        encoding::bytes::merge(wire_type, &mut body, bytes, context)?;
        if field == self.field {
            body = [std::mem::take(&mut self.body), body].concat().into();
        }
        *self = Self { field, body };
        Ok(())
    }

    fn encoded_len(&self) -> usize {
        if self.field > 0 { encoding::bytes::encoded_len(self.field, &self.body) } else { 0 }
    }

    fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::descriptors::descriptors;

    #[derive(Clone, PartialEq, prost::Message)]
    struct Generated {
        #[prost(oneof = "Game", tags = "1, 20")]
        game: Option<Game>,
    }

    #[derive(Clone, PartialEq, prost::Oneof)]
    enum Game {
        #[prost(message, tag = "1")]
        First(Move),
        #[prost(message, tag = "20")]
        Twentieth(Move),
    }

    #[derive(Clone, PartialEq, prost::Message)]
    struct Move {
        #[prost(string, tag = "1")]
        card: String,
        #[prost(uint32, repeated, tag = "2")]
        seats: Vec<u32>,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    struct Request<A: Message + Default + std::fmt::Debug> {
        #[prost(string, tag = "1")]
        name: String,
        #[prost(message, optional, tag = "2")]
        action: Option<A>,
    }

    fn a_move(card: &str, seats: &[u32]) -> Move {
        Move { card: card.to_owned(), seats: seats.to_vec() }
    }

    #[track_caller]
    fn check(game: Option<Game>, field: u32, body: &[u8]) {
        let generated = Generated { game };
        let action = Action { field, body: Bytes::copy_from_slice(body) };
        assert_eq!(action.encode_to_vec(), generated.encode_to_vec());
        assert_eq!(action.encoded_len(), generated.encoded_len());
        assert_eq!(
            Action::decode(generated.encode_to_vec().as_slice()).expect("the same bytes"),
            action
        );
        assert_eq!(
            Generated::decode(action.encode_to_vec().as_slice()).expect("the same bytes"),
            generated
        );
    }

    #[test]
    fn a_field_names_its_game() {
        let draw = Action::of("you-dirty-rat", Bytes::new());
        assert_eq!((draw.game(), draw.is_of_every_game()), (Some("you-dirty-rat"), false));
        let say = Action::of_every_game(Bytes::new());
        assert_eq!((say.game(), say.is_of_every_game()), (None, true));
        assert_eq!(Action { field: 99, body: Bytes::new() }.game(), None);
        let descriptor = descriptors().get_message_by_name("croupier.v1.Action");
        let field = descriptor.and_then(|it| it.get_field(say.field));
        assert!(field.is_some_and(|field| field.name() == "table"));
    }

    #[test]
    fn the_contract_names_the_games_of_the_fields() {
        let option = descriptors().get_extension_by_name("croupier.v1.game");
        let option = option.expect("the contract has the option");
        let action = descriptors().get_message_by_name("croupier.v1.Action");
        let action = action.expect("the contract has actions");
        let games = action.fields().filter_map(|field| {
            let options = field.options();
            let game = options.get_extension(&option);
            let game = game.as_str().filter(|game| !game.is_empty())?;
            Some((field.number(), game.to_owned()))
        });
        let games: Vec<_> = games.collect();
        let known: Vec<_> =
            FIELDS.games.iter().map(|&(number, name)| (number, name.to_owned())).collect();
        assert_eq!(known, games);
    }

    #[test]
    fn it_is_equal_to_the_generated_oneof_on_the_wire() {
        check(None, 0, &[]);
        check(Some(Game::First(Move::default())), 1, &[]);
        let con = a_move("ace-of-suns", &[0, 3]);
        check(Some(Game::First(con.clone())), 1, &con.encode_to_vec());
        check(Some(Game::Twentieth(con.clone())), 20, &con.encode_to_vec());
    }

    #[test]
    fn it_is_equal_to_the_generated_oneof_within_a_request() {
        let con = a_move("ace-of-suns", &[1]);
        let action = Action { field: 20, body: con.encode_to_vec().into() };
        let ours = Request { name: "matches/7".to_owned(), action: Some(action) };
        let generated = Request {
            name: "matches/7".to_owned(),
            action: Some(Generated { game: Some(Game::Twentieth(con)) }),
        };
        assert_eq!(ours.encode_to_vec(), generated.encode_to_vec());
        assert_eq!(
            Request::<Action>::decode(generated.encode_to_vec().as_slice())
                .expect("the same bytes"),
            ours
        );
    }

    #[test]
    fn the_last_game_wins_and_a_repeated_game_is_merged() {
        let parts = [
            Game::First(a_move("a", &[1])),
            Game::Twentieth(a_move("b", &[2])),
            Game::Twentieth(a_move("", &[3])),
        ];
        let bytes = parts.map(|game| Generated { game: Some(game) }.encode_to_vec()).concat();
        let generated = Generated::decode(bytes.as_slice()).expect("valid");
        assert_eq!(generated.game, Some(Game::Twentieth(a_move("b", &[2, 3]))));
        let action = Action::decode(bytes.as_slice()).expect("valid");
        assert_eq!(Generated::decode(action.encode_to_vec().as_slice()).expect("valid"), generated);
    }

    #[test]
    fn bytes_that_are_not_a_message_are_refused() {
        for bytes in [&[0x08, 1][..], &[0x0a, 5, 1], &[0x0a], &[0x02, 0], &[0xff]] {
            assert!(Generated::decode(bytes).is_err());
            assert!(Action::decode(bytes).is_err());
        }
    }
}
