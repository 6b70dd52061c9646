//! The calls of the command line, by what they are about.

mod entries;
mod games;
mod matches;
mod people;
mod projections;
