//! A scene as an SVG document. Its texts are set in the fonts of whoever shows it, at the widths of
//! ours.

use std::fmt::Write;

use crate::font::{Weight, font};
use crate::scene::{Color, HEIGHT, Scene, Shape, WIDTH};

/// Fonts about as narrow as ours.
const FONTS: &str =
    "'DejaVu Sans Condensed','Liberation Sans Narrow','Roboto Condensed',sans-serif";

pub(crate) fn write(scene: &Scene) -> String {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         width=\"{WIDTH}\" height=\"{HEIGHT}\" font-family=\"{FONTS}\"><title>{}</title>",
        escaped(&scene.title)
    );
    scene.shapes.iter().for_each(|it| shape(it, &mut out));
    out + "</svg>\n"
}

fn shape(shape: &Shape, out: &mut String) {
    let written = match shape {
        Shape::Rect { of, radius, fill, line } => {
            let line = line.map(|(color, width)| {
                format!(" stroke=\"{}\" stroke-width=\"{width:.1}\"", hex(color))
            });
            write!(
                out,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{radius:.1}\" \
                 fill=\"{}\"{}/>",
                of.x,
                of.y,
                of.width,
                of.height,
                hex(*fill),
                line.unwrap_or_default()
            )
        }
        Shape::Disc { x, y, radius, fill } => {
            let fill = hex(*fill);
            write!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{fill}\"/>")
        }
        Shape::Text { x, y, size, weight, fill, text } => {
            let weight_of = if *weight == Weight::Bold { " font-weight=\"bold\"" } else { "" };
            let width = font(*weight).width(text, *size);
            // One letter keeps its shape.
            let width = (text.chars().count() > 1)
                .then(|| format!(" textLength=\"{width:.1}\" lengthAdjust=\"spacingAndGlyphs\""));
            write!(
                out,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size:.1}\"{weight_of} fill=\"{}\"{}>\
                 {}</text>",
                hex(*fill),
                width.unwrap_or_default(),
                escaped(text)
            )
        }
    };
    written.expect("a string takes any text");
}

fn hex(Color(red, green, blue): Color) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// A text for XML, without the characters that XML does not know.
fn escaped(text: &str) -> String {
    let known = |it: &char| !it.is_control() && !matches!(it, '\u{fffe}' | '\u{ffff}');
    let text: String = text.chars().filter(known).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
