//! Shapes on the canvas.

use crate::font::{Weight, font};

/// The canvas, in the shape that previews of links have.
pub const WIDTH: u32 = 1200;
pub const HEIGHT: u32 = 630;

/// The widths of a picture as PNG, in pixels.
pub const WIDTH_MIN: u32 = 200;
pub const WIDTH_MAX: u32 = 1600;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Color(pub u8, pub u8, pub u8);

impl Color {
    /// A color of a layout, such as `#5b6b8c`; gray if it is none.
    pub fn of(text: &str) -> Color {
        let digits = text.strip_prefix('#').unwrap_or_default();
        let number = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 6);
        let [_, red, green, blue] = number.unwrap_or(0x6d_64_55).to_be_bytes();
        Color(red, green, blue)
    }

    /// The color of text on this one: dark or white, whichever is easier to read.
    pub fn ink(self) -> Color {
        let light = 299 * u32::from(self.0) + 587 * u32::from(self.1) + 114 * u32::from(self.2);
        if light > 150_000 { INK } else { WHITE }
    }
}

pub(crate) const WHITE: Color = Color(0xff, 0xff, 0xff);
pub(crate) const INK: Color = Color(0x22, 0x28, 0x2a);
pub(crate) const MUTED: Color = Color(0x5c, 0x64, 0x66);
pub(crate) const LINE: Color = Color(0xc9, 0xc1, 0xb0);
pub(crate) const SURFACE: Color = Color(0xff, 0xfd, 0xf8);
pub(crate) const SUNKEN: Color = Color(0xec, 0xe7, 0xdb);
pub(crate) const FELT: Color = Color(0x2f, 0x6b, 0x57);
pub(crate) const DEEP: Color = Color(0x1d, 0x44, 0x38);
pub(crate) const GOLD: Color = Color(0xe0, 0xb0, 0x4a);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Box {
    pub x: f32,
    pub y: f32,
    pub width: f32,
    pub height: f32,
}

pub(crate) enum Shape {
    Rect { of: Box, radius: f32, fill: Color, line: Option<(Color, f32)> },
    Disc { x: f32, y: f32, radius: f32, fill: Color },
    Text { x: f32, y: f32, size: f32, weight: Weight, fill: Color, text: String },
}

#[derive(Default)]
pub(crate) struct Scene {
    pub shapes: Vec<Shape>,
    /// What the picture shows, for those who do not see it.
    pub title: String,
}

impl Scene {
    pub fn rect(&mut self, of: Box, radius: f32, fill: Color) {
        self.shapes.push(Shape::Rect { of, radius, fill, line: None });
    }

    pub fn framed(&mut self, of: Box, radius: f32, fill: Color, line: (Color, f32)) {
        self.shapes.push(Shape::Rect { of, radius, fill, line: Some(line) });
    }

    pub fn disc(&mut self, x: f32, y: f32, radius: f32, fill: Color) {
        self.shapes.push(Shape::Disc { x, y, radius, fill });
    }

    /// A text with its baseline at `y`, cut to a width. Returns its width.
    pub fn text(&mut self, at: (f32, f32), style: Style, width: f32, text: &str) -> f32 {
        let Style { size, weight, fill } = style;
        let text = font(weight).cut(text, size, width);
        let taken = style.width(&text);
        self.shapes.push(Shape::Text { x: at.0, y: at.1, size, weight, fill, text });
        taken
    }

    /// A text around `x`.
    pub fn centered(&mut self, at: (f32, f32), style: Style, width: f32, text: &str) {
        let text = font(style.weight).cut(text, style.size, width);
        let x = at.0 - style.width(&text) / 2.0;
        self.text((x, at.1), style, f32::INFINITY, &text);
    }

    /// Adds the shapes of another scene, moved.
    pub fn add(&mut self, other: Scene, dx: f32, dy: f32) {
        self.shapes.extend(other.shapes.into_iter().map(|shape| shape.moved(dx, dy)));
    }
}

impl Shape {
    fn moved(mut self, dx: f32, dy: f32) -> Shape {
        let (left, top) = match &mut self {
            Shape::Rect { of, .. } => (&mut of.x, &mut of.y),
            Shape::Disc { x, y, .. } | Shape::Text { x, y, .. } => (x, y),
        };
        *left += dx;
        *top += dy;
        self
    }
}

/// How a text is set.
#[derive(Clone, Copy)]
pub(crate) struct Style {
    pub size: f32,
    pub weight: Weight,
    pub fill: Color,
}

impl Style {
    pub fn regular(size: f32, fill: Color) -> Style {
        Style { size, weight: Weight::Regular, fill }
    }

    pub fn bold(size: f32, fill: Color) -> Style {
        Style { size, weight: Weight::Bold, fill }
    }

    pub fn width(&self, text: &str) -> f32 {
        font(self.weight).width(text, self.size)
    }
}
