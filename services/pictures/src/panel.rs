//! The panel of a seat, or of what all seats share.

use narration::{Row, Section, Shown};

use crate::font::{Weight, font};
use crate::scene::{GOLD, INK, MUTED, Scene, Style};
use crate::tokens::{Drawer, Part};

/// A panel's content.
pub(crate) struct Panel<'a> {
    pub section: &'a Section,
    pub state: State,
}

/// What a seat's panel tells besides its pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Common,
    Idle,
    /// The match waits for the seat.
    Asked,
    Won,
    Resigned,
}

/// Between the edge of a panel and its content.
const PAD: f32 = 12.0;

impl Panel<'_> {
    /// The content for a panel of this width, with the space around it. What would be below the
    /// limit is left out.
    pub fn content(&self, drawer: Drawer, width: f32, limit: f32) -> Part {
        let scale = drawer.scale;
        let (inner, gap) = (width - 2.0 * PAD, 10.0 * scale);
        let (head, top) = self.head(scale, inner);
        let mut content = Part { width, height: top + PAD, scene: Scene::default() };
        content.scene.add(head, PAD, 0.0);
        let blocks: Vec<Part> =
            self.section.rows.iter().map(|row| block(drawer, row, inner)).collect();
        let (mut x, mut y, mut line) = (0.0_f32, top, 0.0_f32);
        for block in blocks {
            if x > 0.0 && x + block.width > inner {
                (x, y, line) = (0.0, y + line + gap, 0.0);
            }
            if y + block.height + PAD > limit {
                content.scene.text((PAD + x, y + 12.0), Style::bold(16.0, MUTED), inner, "…");
                break;
            }
            content.scene.add(block.scene, PAD + x, y);
            line = line.max(block.height);
            content.height = y + line + PAD;
            x += block.width + 1.8 * gap;
        }
        content
    }

    /// The heading, and where the places begin.
    fn head(&self, scale: f32, inner: f32) -> (Scene, f32) {
        let mut scene = Scene::default();
        if self.state == State::Common {
            let size = (17.0 * scale).clamp(14.0, 19.0);
            let style = Style::bold(size, MUTED);
            scene.text((0.0, PAD + size * 0.8), style, inner, &self.section.heading);
            return (scene, PAD + size * 1.35);
        }
        let size = (26.0 * scale).clamp(21.0, 32.0);
        let baseline = PAD + size * 0.85;
        let points = self.section.points.map(|it| it.to_string());
        let figure = Style::bold(size, INK);
        let of_points = points.as_ref().map_or(0.0, |it| figure.width(it) + 12.0);
        if let Some(points) = &points {
            let at = (inner - of_points + 12.0, baseline);
            scene.text(at, figure, of_points, points);
        }
        let mut x = 0.0;
        match self.state {
            State::Asked => {
                scene.disc(size * 0.3, baseline - size * 0.35, size * 0.3, GOLD);
                x = size * 0.85;
            }
            State::Won if font(Weight::Bold).has("★") => {
                x = scene.text((0.0, baseline), Style::bold(size, GOLD), inner, "★") + 6.0;
            }
            State::Common | State::Idle | State::Won | State::Resigned => {}
        }
        let fill = if self.state == State::Resigned { MUTED } else { INK };
        let style = Style::bold(size, fill);
        scene.text((x, baseline), style, inner - of_points - x, &self.section.name);
        (scene, PAD + size * 1.3)
    }
}

/// A place with its title, or a mark.
fn block(drawer: Drawer, row: &Row, width: f32) -> Part {
    let scale = drawer.scale;
    let place = match row {
        Row::Fact(title, value) => return drawer.fact(title, value),
        Row::Place(place) => place,
    };
    let content = Part::flow(parts(drawer, place), width, 7.0 * scale);
    let size = 14.0 * scale;
    let mut block = Part::default();
    let title = Style::regular(size, MUTED);
    let most = content.width.max(150.0 * scale).min(width);
    let taken = block.scene.text((0.0, size), title, most, &place.title);
    let top = size * 1.45;
    block.width = content.width.max(taken);
    block.height = top + content.height;
    block.scene.add(content.scene, 0.0, top);
    block
}

fn parts(drawer: Drawer, place: &Shown) -> Vec<Part> {
    let mut parts = drawer.cards(&place.faces);
    parts.extend(place.below.iter().map(|it| drawer.note(it)));
    parts.extend(place.stacks.iter().map(|it| drawer.stack(it)));
    parts.extend(place.uncounted.iter().map(|it| drawer.note(it)));
    parts.extend(place.coins.iter().map(|(_, it)| drawer.coins(it)));
    parts
}
