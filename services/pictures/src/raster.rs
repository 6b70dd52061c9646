//! A scene as PNG.

use tiny_skia::{FillRule, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform};

use crate::font::{Pen, font};
use crate::scene::{Box, Color, HEIGHT, Scene, Shape, WIDTH};

/// The picture has this width in pixels, and the height that follows.
pub(crate) fn write(scene: &Scene, width: u32) -> Vec<u8> {
    let height = (width * HEIGHT).div_ceil(WIDTH);
    let scale = width as f32 / WIDTH as f32;
    let mut pixels = Pixmap::new(width, height).expect("the width is within its bounds");
    let mut canvas = Canvas { pixels: &mut pixels, scale: Transform::from_scale(scale, scale) };
    scene.shapes.iter().for_each(|it| canvas.draw(it));
    encoded(&pixels)
}

struct Canvas<'a> {
    pixels: &'a mut Pixmap,
    scale: Transform,
}

impl Canvas<'_> {
    fn draw(&mut self, shape: &Shape) {
        match shape {
            Shape::Rect { of, radius, fill, line } => {
                let Some(path) = rounded(*of, *radius) else { return };
                self.fill(&path, *fill);
                if let Some((color, width)) = line {
                    let stroke = Stroke { width: *width, ..Stroke::default() };
                    self.pixels.stroke_path(&path, &paint(*color), &stroke, self.scale, None);
                }
            }
            Shape::Disc { x, y, radius, fill } => {
                if let Some(path) = PathBuilder::from_circle(*x, *y, *radius) {
                    self.fill(&path, *fill);
                }
            }
            Shape::Text { x, y, size, weight, fill, text } => {
                let (font, mut path, mut x) = (font(*weight), Outline::default(), *x);
                for letter in text.chars() {
                    font.outline(letter, *size, x, *y, &mut path);
                    x += font.advance(letter, *size);
                }
                if let Some(path) = path.0.finish() {
                    self.fill(&path, *fill);
                }
            }
        }
    }

    fn fill(&mut self, path: &Path, color: Color) {
        self.pixels.fill_path(path, &paint(color), FillRule::Winding, self.scale, None);
    }
}

fn paint(Color(red, green, blue): Color) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, 255);
    paint
}

/// A rectangle with round corners.
fn rounded(of: Box, radius: f32) -> Option<Path> {
    let rect = Rect::from_xywh(of.x, of.y, of.width, of.height)?;
    let radius = radius.min(of.width / 2.0).min(of.height / 2.0);
    if radius <= 0.0 {
        return Some(PathBuilder::from_rect(rect));
    }
    let (left, top, right, bottom) = (rect.left(), rect.top(), rect.right(), rect.bottom());
    // As close to a circle as a cubic curve gets.
    let bend = radius * 0.447_715;
    let mut path = PathBuilder::new();
    path.move_to(left + radius, top);
    path.line_to(right - radius, top);
    path.cubic_to(right - bend, top, right, top + bend, right, top + radius);
    path.line_to(right, bottom - radius);
    path.cubic_to(right, bottom - bend, right - bend, bottom, right - radius, bottom);
    path.line_to(left + radius, bottom);
    path.cubic_to(left + bend, bottom, left, bottom - bend, left, bottom - radius);
    path.line_to(left, top + radius);
    path.cubic_to(left, top + bend, left + bend, top, left + radius, top);
    path.close();
    path.finish()
}

#[derive(Default)]
struct Outline(PathBuilder);

impl Pen for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }

    fn quad_to(&mut self, by: (f32, f32), x: f32, y: f32) {
        self.0.quad_to(by.0, by.1, x, y);
    }

    fn cubic_to(&mut self, by: [(f32, f32); 2], x: f32, y: f32) {
        self.0.cubic_to(by[0].0, by[0].1, by[1].0, by[1].1, x, y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}

/// The background covers the canvas, so no pixel is transparent.
fn encoded(pixels: &Pixmap) -> Vec<u8> {
    let colors: Vec<u8> =
        pixels.data().chunks_exact(4).flat_map(|it| [it[0], it[1], it[2]]).collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, pixels.width(), pixels.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let written = encoder.write_header().and_then(|mut it| it.write_image_data(&colors));
    written.expect("memory takes any picture");
    bytes
}
