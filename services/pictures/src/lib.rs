//! A table as a picture, for previews of links and for places that show no web components.
//!
//! A picture is drawn from the layout, the table as its viewer sees it, and the narrator's words:
//! no game has a line here. It is a list of shapes on a canvas of [`WIDTH`] by [`HEIGHT`], written
//! as SVG or as PNG. Its work is bounded: texts are cut, and what does not fit is left out.
//!
//! # Invariants
//!
//! - A picture shows its viewer nothing that is hidden:
//!   `pictures::in_two_worlds_that_a_viewer_cannot_tell_apart_the_picture_is_the_same`.
//! - A picture of any table takes bounded work:
//!   `pictures::every_table_of_every_game_has_a_picture`.
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

mod picture;

pub use picture::Picture;
pub use scene::{HEIGHT, WIDTH, WIDTH_MAX, WIDTH_MIN};
