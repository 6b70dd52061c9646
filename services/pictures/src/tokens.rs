//! Pieces, stacks of backs, coins and marks.

use narration::{ShownFace, Stack, Titles};
use table::{Argument, FacetValue, Layout, Piece, Small};

use crate::font::{CAPITAL, Weight, font};
use crate::scene::{
    Box, Color, GOLD, INK, LINE, MUTED, SUNKEN, SURFACE, Scene, Shape, Style, WHITE,
};

/// Something that was drawn at the origin.
#[derive(Default)]
pub(crate) struct Part {
    pub width: f32,
    pub height: f32,
    pub scene: Scene,
}

/// What parts are drawn from: the game, and the scale of its pieces.
#[derive(Clone, Copy)]
pub(crate) struct Drawer {
    pub layout: &'static Layout,
    pub titles: Titles,
    pub scale: f32,
}

/// Cards that look alike.
struct Cards<'a> {
    face: &'a ShownFace,
    count: usize,
}

/// The size of a card.
const CARD: (f32, f32) = (128.0, 54.0);
/// The width of the band with its symbols.
const BAND: f32 = 26.0;
/// Different cards that are drawn of one place; others are counted.
const CARDS_MAX: usize = 40;
/// Symbols that are drawn on one card.
const SYMBOLS_MAX: usize = 3;

/// The colors of backs whose value has none.
const BACKS: [Color; 7] = [
    Color(0x34, 0x50, 0x6b),
    Color(0x6b, 0x3f, 0x4a),
    Color(0x3f, 0x61, 0x50),
    Color(0x6a, 0x56, 0x36),
    Color(0x4f, 0x46, 0x70),
    Color(0x2f, 0x5f, 0x66),
    Color(0x70, 0x4a, 0x33),
];

impl Drawer {
    /// The cards of a place, those that look alike together.
    pub fn cards(self, faces: &[ShownFace]) -> Vec<Part> {
        let mut cards: Vec<Cards> = Vec::new();
        for face in faces {
            let is_same =
                |it: &&mut Cards| (&it.face.title, &it.face.on) == (&face.title, &face.on);
            match cards.iter_mut().find(is_same) {
                Some(same) => same.count += 1,
                None => cards.push(Cards { face, count: 1 }),
            }
        }
        let rest: usize = cards.iter().skip(CARDS_MAX).map(|it| it.count).sum();
        let drawn = cards.iter().take(CARDS_MAX).map(|it| self.card(it));
        let rest = (rest > 0).then(|| self.note(&format!("+{rest}")));
        drawn.chain(rest).collect()
    }

    fn card(self, Cards { face, count }: &Cards) -> Part {
        let (scale, on) = (self.scale, face.on.join(", "));
        let (width, card) = (CARD.0 * scale, CARD.1 * scale);
        let size = 15.0 * scale;
        let notes = font(Weight::Regular).wrap(&on, 12.0 * scale, width - 12.0 * scale, 2);
        let height = card + notes.len() as f32 * 15.0 * scale;
        let mut scene = Scene::default();
        let of = Box { x: 0.0, y: 0.0, width, height };
        let radius = 6.0 * scale;
        scene.framed(of, radius, WHITE, (LINE, 1.2 * scale));
        let band = self.band(face.piece, radius, card, &mut scene);
        let left = band + 7.0 * scale;
        let repeated = (*count > 1).then(|| format!("×{count}"));
        let style = Style::bold(size, MUTED);
        let of_count = repeated.as_ref().map_or(0.0, |it| style.width(it) + 6.0 * scale);
        let right = width - 5.0 * scale - of_count;
        let mut size = size;
        let fits = |size: f32| {
            let words = face.name.split_whitespace();
            words.fold(0.0, |widest: f32, it| widest.max(font(Weight::Bold).width(it, size)))
                <= right - left
        };
        while size > 11.0 * scale && !fits(size) {
            size -= scale;
        }
        let lines = font(Weight::Bold).wrap(&face.name, size, right - left, 2);
        let step = size * 1.18;
        let top = (card - step * lines.len() as f32) / 2.0 + size * 0.95;
        for (nth, line) in lines.iter().enumerate() {
            let at = (left, top + nth as f32 * step);
            scene.text(at, Style::bold(size, INK), f32::INFINITY, line);
        }
        if let Some(repeated) = repeated {
            scene.text((right + 3.0 * scale, card / 2.0 + 5.0 * scale), style, of_count, &repeated);
        }
        for (nth, line) in notes.iter().enumerate() {
            let at = (7.0 * scale, card + (nth as f32 + 0.7) * 15.0 * scale);
            scene.text(at, Style::regular(12.0 * scale, MUTED), f32::INFINITY, line);
        }
        Part { width, height, scene }
    }

    /// The band with the colors and symbols of a card. Returns its width.
    fn band(self, piece: Piece, radius: f32, height: f32, scene: &mut Scene) -> f32 {
        let looks = self.looks(piece);
        if looks.is_empty() {
            return 0.0;
        }
        let (width, inset) = (BAND * self.scale, 1.0);
        let each = (height - 2.0 * inset) / looks.len() as f32;
        for (nth, (color, symbol)) in looks.iter().enumerate() {
            let weight =
                if font(Weight::Bold).has(symbol) { Weight::Bold } else { Weight::Regular };
            let y = inset + nth as f32 * each;
            let of = Box { x: inset, y, width: width - inset, height: each };
            scene.rect(of, if looks.len() == 1 { radius - inset } else { radius / 2.0 }, *color);
            let size = (each * 0.62).min(19.0 * self.scale);
            let at = (inset + width / 2.0, y + (each + size * CAPITAL) / 2.0);
            scene.centered(at, Style { size, weight, fill: color.ink() }, width, symbol);
        }
        width
    }

    /// The colors of a piece's values, with their symbols or numbers. Those come first.
    fn looks(self, piece: Piece) -> Vec<(Color, String)> {
        let facets = &self.layout.pieces()[piece.index()].facets;
        let mut looks = Vec::new();
        for facet in facets {
            match &facet.value {
                FacetValue::Number(number) => {
                    let look = self.layout.look(facet.name);
                    looks.extend(look.map(|it| (Color::of(it.color), number.to_string())));
                }
                FacetValue::Values(values) => looks.extend(values.iter().filter_map(|value| {
                    let look = self.layout.look(value)?;
                    Some((Color::of(look.color), self.symbol(look.symbol, value)))
                })),
            }
        }
        if looks.iter().any(|(_, symbol)| !symbol.is_empty()) {
            looks.retain(|(_, symbol)| !symbol.is_empty());
        }
        looks.truncate(SYMBOLS_MAX);
        looks
    }

    /// The symbol of a value, or the first letter of its title if the font lacks it.
    fn symbol(self, symbol: &str, value: &str) -> String {
        match symbol {
            "" => String::new(),
            known if is_known(known) => known.to_owned(),
            _ => self.titles.value(value).chars().take(1).flat_map(char::to_uppercase).collect(),
        }
    }

    /// Pieces that are only counted.
    pub fn stack(self, stack: &Stack) -> Part {
        let scale = self.scale;
        let row = self.layout.back_term(stack.back);
        let value = row.arguments.iter().find_map(Argument::value);
        let look = value.and_then(|it| self.layout.look(it)).filter(|it| !it.color.is_empty());
        let kinds = self.layout.backs().iter().position(|it| it.case() == row.case());
        let own = BACKS[kinds.unwrap_or_default() % BACKS.len()];
        let color = look.map_or(own, |it| Color::of(it.color));
        let (width, height, shift) = (32.0 * scale, 42.0 * scale, 4.0 * scale);
        let sheets = stack.count.clamp(1, 3);
        let mut scene = Scene::default();
        for nth in 0..sheets {
            let (x, y) = (nth as f32 * shift, (2 - nth.min(2)) as f32 * shift / 2.0);
            let of = Box { x, y, width, height };
            scene.framed(of, 4.0 * scale, color, (WHITE, 1.5 * scale));
        }
        let top = (sheets - 1) as f32 * shift;
        let middle = (3 - sheets) as f32 * shift / 2.0 + height / 2.0;
        let size = 17.0 * scale;
        let at = (top + width / 2.0, middle + size * CAPITAL / 2.0);
        scene.centered(at, Style::bold(size, color.ink()), width, &stack.count.to_string());
        let left = top + width + 7.0 * scale;
        let style = Style::regular(15.0 * scale, INK);
        let taken = scene.text((left, middle + 5.0 * scale), style, 190.0 * scale, &stack.text);
        Part { width: left + taken, height: height + shift, scene }
    }

    pub fn coins(self, text: &str) -> Part {
        let scale = self.scale;
        let mut scene = Scene::default();
        let (radius, middle) = (9.0 * scale, 13.0 * scale);
        scene.disc(radius, middle, radius, GOLD);
        scene.disc(radius, middle, radius * 0.62, Color(0xf3, 0xd4, 0x8a));
        let (left, style) = (2.0 * radius + 6.0 * scale, Style::bold(16.0 * scale, INK));
        let taken = scene.text((left, middle + 6.0 * scale), style, 240.0 * scale, text);
        Part { width: left + taken, height: 2.0 * middle, scene }
    }

    /// A mark with its value, on a label.
    pub fn fact(self, title: &str, value: &str) -> Part {
        let scale = self.scale;
        let (name, figure) = (Style::regular(15.0 * scale, MUTED), Style::bold(15.0 * scale, INK));
        let (pad, baseline) = (8.0 * scale, 18.5 * scale);
        let mut label = Scene::default();
        let mut x = pad + label.text((pad, baseline), name, 220.0 * scale, title);
        if !value.is_empty() {
            x += 6.0 * scale;
            x += label.text((x, baseline), figure, 260.0 * scale, value);
        }
        let (width, height) = (x + pad, 26.0 * scale);
        let mut scene = Scene::default();
        scene.rect(Box { x: 0.0, y: 0.0, width, height }, 6.0 * scale, SUNKEN);
        scene.add(label, 0.0, 0.0);
        Part { width, height, scene }
    }

    /// A remark beside pieces.
    pub fn note(self, text: &str) -> Part {
        let (scale, mut scene) = (self.scale, Scene::default());
        let style = Style::regular(15.0 * scale, MUTED);
        let width = scene.text((0.0, 18.5 * scale), style, 240.0 * scale, text);
        Part { width, height: 26.0 * scale, scene }
    }
}

fn is_known(symbol: &str) -> bool {
    [Weight::Bold, Weight::Regular].iter().any(|it| font(*it).has(symbol))
}

impl Part {
    /// Parts side by side, in lines of at most this width.
    pub fn flow(parts: Vec<Part>, width: f32, gap: f32) -> Part {
        let mut flow = Part::default();
        let (mut x, mut y, mut line) = (0.0_f32, 0.0, 0.0_f32);
        for part in parts {
            if x > 0.0 && x + part.width > width {
                (x, y, line) = (0.0, y + line + gap, 0.0);
            }
            flow.scene.add(part.scene, x, y);
            line = line.max(part.height);
            flow.width = flow.width.max(x + part.width);
            flow.height = y + line;
            x += part.width + gap;
        }
        flow
    }

    /// The part on a panel of this size.
    pub fn on_panel(self, (width, height): (f32, f32), line: Option<(Color, f32)>) -> Part {
        let mut scene = Scene::default();
        let of = Box { x: 0.0, y: 0.0, width, height };
        scene.shapes.push(Shape::Rect { of, radius: 12.0, fill: SURFACE, line });
        scene.add(self.scene, 0.0, 0.0);
        Part { width, height, scene }
    }
}
