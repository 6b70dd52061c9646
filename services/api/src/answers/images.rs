//! Pictures of tables, kept for a while: a link that is shared is looked at many times at once.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use contract::v1::ImageFormat;
use games::Game;
use matches::{MatchId, Position, View};
use narration::{Language, Narrator};
use pictures::{Picture, WIDTH, WIDTH_MAX, WIDTH_MIN};
use positions::Digest;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use table::{MatchChance, Viewer};
use tokio::task::JoinError;
use tonic::Status;

use crate::error::invalid;

/// The format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Format {
    Png { width: u32 },
    Svg,
}

impl Format {
    /// A picture for previews of links.
    pub const PREVIEW: Format = Format::Png { width: WIDTH };

    /// The format that a request names; a width of 0 stands for the usual one.
    pub fn of(format: i32, width: u32) -> Result<Format, Status> {
        let width = if width == 0 { WIDTH } else { width };
        if !(WIDTH_MIN..=WIDTH_MAX).contains(&width) {
            let rule = format!("a picture is {WIDTH_MIN} to {WIDTH_MAX} pixels wide");
            return Err(invalid("width", rule));
        }
        match ImageFormat::try_from(format) {
            Ok(ImageFormat::Unspecified | ImageFormat::Png) => Ok(Format::Png { width }),
            Ok(ImageFormat::Svg) => Ok(Format::Svg),
            Err(_) => Err(invalid("format", "there is no such format")),
        }
    }

    pub fn content_type(self) -> &'static str {
        match self {
            Format::Png { .. } => "image/png",
            Format::Svg => "image/svg+xml",
        }
    }
}

/// All that a picture is drawn from. The names are in it, so no picture outlives an erasure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    match_id: MatchId,
    position: Position,
    digest: Option<Digest>,
    viewer: Viewer,
    pub language: Language,
    format: Format,
    pub names: Vec<Option<String>>,
}

impl Key {
    pub fn of(view: &View, language: Language, format: Format, names: Vec<Option<String>>) -> Key {
        let &View { match_id, position, digest, viewer, .. } = view;
        Key { match_id, position, digest, viewer, language, format, names }
    }
}

/// Pictures kept in memory. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Images(Arc<Kept>);

struct Kept {
    of_matches: Cache<Key, Bytes, InBytes>,
    of_games: Cache<(&'static str, Language), Bytes>,
}

/// Pictures kept, in bytes, and about how many that are.
const BYTES_MAX: u64 = 16 << 20;
const COUNT: usize = 128;

#[derive(Clone)]
struct InBytes;

impl Weighter<Key, Bytes> for InBytes {
    fn weight(&self, _: &Key, image: &Bytes) -> u64 {
        image.len() as u64
    }
}

impl Images {
    pub fn new() -> Images {
        let of_matches = Cache::with_weighter(COUNT, BYTES_MAX, InBytes);
        Images(Arc::new(Kept { of_matches, of_games: Cache::new(COUNT) }))
    }

    /// The picture, drawn unless it is kept. Calls for the same one wait for one drawing.
    pub async fn drawn<F: Future<Output = Result<Bytes, Status>>>(
        &self,
        key: &Key,
        draw: impl FnOnce() -> F,
    ) -> Result<Bytes, Status> {
        self.0.of_matches.get_or_insert_async(key, draw()).await
    }

    /// A table of a built-in game, in the middle of a match that nobody played.
    pub async fn of_game(
        &self,
        game: &'static dyn Game,
        language: Language,
    ) -> Result<Bytes, JoinError> {
        let drawing =
            async move { tokio::task::spawn_blocking(move || drawn(game, language)).await };
        self.0.of_games.get_or_insert_async(&(game.name(), language), drawing).await
    }
}

fn drawn(game: &'static dyn Game, language: Language) -> Bytes {
    let seats = *game.seats().start();
    let options = game.check_options(&BTreeMap::new(), seats);
    let options = options.expect("a game is played with the defaults");
    let mut playout = game.playout(seats, &options, &MatchChance::new(&[0; 16], &[0; 32], &[]));
    let middle = playout.steps.len() / 2;
    let table = match playout.steps.is_empty() {
        true => playout.opening.0,
        false => playout.steps.swap_remove(middle).after,
    };
    let nobody = vec![None; seats.into()];
    let narrator = Narrator::new(game, language, &nobody, None);
    Picture::of(&narrator, &table.seen_by(Viewer::Spectator)).png(WIDTH).into()
}
