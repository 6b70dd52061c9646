//! Letters: their widths, and their outlines.

use std::sync::OnceLock;

use ttf_parser::{Face, GlyphId};

/// The text of a picture is set in one of two weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    Regular,
    Bold,
}

pub(crate) struct Font {
    face: Face<'static>,
    units: f32,
    /// The advances of the first characters, which most texts consist of.
    advances: Vec<u16>,
}

/// The characters whose advances are kept.
const KEPT: u32 = 0x180;

/// The part of a text's size that capital letters are high.
pub(crate) const CAPITAL: f32 = 0.73;

pub(crate) fn font(weight: Weight) -> &'static Font {
    static REGULAR: OnceLock<Font> = OnceLock::new();
    static BOLD: OnceLock<Font> = OnceLock::new();
    match weight {
        Weight::Regular => REGULAR.get_or_init(|| Font::of(include_bytes!("../fonts/sans.ttf"))),
        Weight::Bold => BOLD.get_or_init(|| Font::of(include_bytes!("../fonts/bold.ttf"))),
    }
}

impl Font {
    fn of(bytes: &'static [u8]) -> Font {
        let face = Face::parse(bytes, 0).expect("the font is part of the program");
        let units = f32::from(face.units_per_em());
        let mut font = Font { face, units, advances: Vec::new() };
        let kept = (0..KEPT).map(|it| char::from_u32(it).unwrap_or_default());
        font.advances = kept.map(|it| font.units_of(it)).collect();
        font
    }

    fn units_of(&self, letter: char) -> u16 {
        self.face.glyph_hor_advance(self.glyph(letter)).unwrap_or_default()
    }

    /// The glyph of a letter; a box where the font has none.
    pub fn glyph(&self, letter: char) -> GlyphId {
        self.face.glyph_index(letter).unwrap_or(GlyphId(0))
    }

    pub fn has(&self, text: &str) -> bool {
        text.chars().all(|it| self.face.glyph_index(it).is_some())
    }

    /// The width of a letter of this size.
    pub fn advance(&self, letter: char, size: f32) -> f32 {
        let kept = self.advances.get(letter as usize).copied();
        f32::from(kept.unwrap_or_else(|| self.units_of(letter))) / self.units * size
    }

    pub fn width(&self, text: &str, size: f32) -> f32 {
        text.chars().map(|it| self.advance(it, size)).sum()
    }

    /// The text, shortened with an ellipsis to fit the width.
    pub fn cut(&self, text: &str, size: f32, width: f32) -> String {
        if self.width(text, size) <= width {
            return text.to_owned();
        }
        let mut used = self.advance('…', size);
        let fits = |letter: &char| {
            used += self.advance(*letter, size);
            used <= width
        };
        let fitting = text.chars().take_while(fits).collect::<String>();
        format!("{}…", fitting.trim_end())
    }

    /// The text in at most this many lines of this width.
    pub fn wrap(&self, text: &str, size: f32, width: f32, lines_max: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            let longer = lines.last().map(|line| format!("{line} {word}"));
            match longer.filter(|it| self.width(it, size) <= width) {
                Some(longer) => *lines.last_mut().expect("there is a last line") = longer,
                None if lines.len() < lines_max => lines.push(word.to_owned()),
                None => {
                    let last = lines.last_mut().expect("there is a last line");
                    *last = format!("{last} {word}");
                }
            }
        }
        lines.iter().map(|line| self.cut(line, size, width)).collect()
    }

    /// Draws the outline of a letter at a size, with its baseline at `x`, `y`.
    pub fn outline(&self, letter: char, size: f32, x: f32, y: f32, into: &mut impl Pen) {
        let scale = size / self.units;
        let mut placed = Placed { into, scale, x, y };
        let _ = self.face.outline_glyph(self.glyph(letter), &mut placed);
    }
}

/// What draws outlines.
pub(crate) trait Pen {
    fn move_to(&mut self, x: f32, y: f32);
    fn line_to(&mut self, x: f32, y: f32);
    fn quad_to(&mut self, by: (f32, f32), x: f32, y: f32);
    fn cubic_to(&mut self, by: [(f32, f32); 2], x: f32, y: f32);
    fn close(&mut self);
}

struct Placed<'a, P> {
    into: &'a mut P,
    scale: f32,
    x: f32,
    y: f32,
}

impl<P> Placed<'_, P> {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, self.y - y * self.scale)
    }
}

impl<P: Pen> ttf_parser::OutlineBuilder for Placed<'_, P> {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.into.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.into.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (by, (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.into.quad_to(by, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (by, (x, y)) = ([self.at(x1, y1), self.at(x2, y2)], self.at(x, y));
        self.into.cubic_to(by, x, y);
    }

    fn close(&mut self) {
        self.into.close();
    }
}
