//! A table that was drawn.

use narration::Narrator;
use table::Table;

use crate::scene::{Scene, WIDTH_MAX, WIDTH_MIN};
use crate::{compose, raster, svg};

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
