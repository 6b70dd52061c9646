//! The calls of the command line, by subject.

mod entries;
mod games;
mod matches;
mod modules;
mod people;
