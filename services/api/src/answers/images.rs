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
use table::{MatchChance, Options, Table, Viewer};
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
    /// By game, or by module of an added one.
    of_games: Cache<(String, Language), Bytes>,
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

    /// A table of a game, in the middle of a match that nobody played. An added game whose rules
    /// fail has none.
    pub async fn of_game(
        &self,
        (game, module): games::Named,
        language: Language,
    ) -> Result<Bytes, NoPicture> {
        let key = (module.clone().unwrap_or_else(|| game.name().to_owned()), language);
        let drawing = async move {
            let drawing = tokio::task::spawn_blocking(move || {
                let table = match module {
                    None => middle_of(game),
                    Some(_) => after_deal(game)?,
                };
                Some(drawn(game, &table, language))
            });
            drawing.await.ok().flatten().ok_or(NoPicture)
        };
        self.0.of_games.get_or_insert_async(&key, drawing).await
    }
}

/// There is no picture of a game now.
pub(crate) struct NoPicture;

fn usual(game: &dyn Game) -> (u8, Options, MatchChance) {
    let seats = *game.seats().start();
    let options = game.check_options(&BTreeMap::new(), seats);
    let options = options.expect("a game is played with the defaults");
    (seats, options, MatchChance::new(&[0; 16], &[0; 32], &[]))
}

fn middle_of(game: &dyn Game) -> Table {
    let (seats, options, chance) = usual(game);
    let mut playout = game.playout(seats, &options, &chance);
    let middle = playout.steps.len() / 2;
    match playout.steps.is_empty() {
        true => playout.opening.0,
        false => playout.steps.swap_remove(middle).after,
    }
}

/// Actions after the deal in a picture of an added game: whole matches are not played for it, as
/// its rules may be slow.
const ACTIONS: usize = 6;

/// A table some actions after its deal; `None` if the rules refuse to deal, or failed lately.
fn after_deal(game: &dyn Game) -> Option<Table> {
    if game.is_suspect() {
        return None;
    }
    let (seats, options, chance) = usual(game);
    let (mut table, _) = game.open(seats, &options, &[], &mut chance.after(0)).ok()?;
    for _ in 0..ACTIONS {
        let Some(asked) = table.live().find(|it| it.must).map(|it| it.seat) else { break };
        let Some(first) = game.legal(&table, asked).ok()?.into_iter().next() else { break };
        let mut chance = chance.after(table.choices().into());
        let (after, _) = game.play(&table, asked, &first.action, &mut chance).ok()?;
        if after.ended() {
            break;
        }
        table = after;
    }
    Some(table)
}

fn drawn(game: &'static dyn Game, table: &Table, language: Language) -> Bytes {
    let nobody = vec![None; table.seat_count()];
    let narrator = Narrator::new(game, language, &nobody, None);
    Picture::of(&narrator, &table.seen_by(Viewer::Spectator)).png(WIDTH).into()
}
