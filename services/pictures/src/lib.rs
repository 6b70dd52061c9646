//! A table as a picture, for previews of links and for places that show no web components.
//!
//! A picture is drawn from the layout, the table as its viewer sees it, and the narrator's words:
//! no game has a line here. It is a list of shapes on a canvas of [`WIDTH`] by [`HEIGHT`], written
//! as SVG or as PNG. Its work is bounded: texts are cut, and what does not fit is counted.
//!
//! # Invariants
//!
//! - A picture shows its viewer nothing that is hidden:
//!   `pictures::in_two_worlds_that_a_viewer_cannot_tell_apart_the_picture_is_the_same`.
//! - A picture of any table takes bounded work: `pictures::every_table_of_every_game_has_a_picture`.
//!
//! The modules are in reading order, each after those that it imports.

// Letters: widths and outlines.
mod font;

// Shapes on the canvas.
mod scene;

// Pieces, backs and coins.
mod tokens;

// Places and seats, and the whole table.
mod panel;

mod compose;

// The two formats.
mod raster;

mod svg;

use narration::Narrator;
use table::Table;

use scene::Scene;

/// The canvas, in the shape that previews of links have.
pub const WIDTH: u32 = 1200;
pub const HEIGHT: u32 = 630;

/// The widths of a picture as PNG, in pixels.
pub const WIDTH_MIN: u32 = 200;
pub const WIDTH_MAX: u32 = 1600;

/// A table that was drawn.
pub struct Picture(Scene);

impl Picture {
    /// The table as its viewer sees it, in the narrator's words.
    pub fn of(narrator: &Narrator, table: &Table) -> Picture {
        Picture(compose::table(narrator, table))
    }

    /// As an SVG document.
    pub fn svg(&self) -> String {
        svg::write(&self.0)
    }

    /// As a PNG of this width, within [`WIDTH_MIN`] and [`WIDTH_MAX`].
    pub fn png(&self, width: u32) -> Vec<u8> {
        raster::write(&self.0, width.clamp(WIDTH_MIN, WIDTH_MAX))
    }
}
