//! Compares kernels with the reference and with each other: verdict, kind, offset and every byte written.
//!
//! Short documents are tested exhaustively, long ones at random, and both at the borders of superblocks, tiles and
//! windows.

#![forbid(unsafe_code)]

mod canonical;
mod commented;
mod cuts;
mod escaped;
mod fitted;
mod layouts;
mod limits;
mod prefixed;
mod profiles;
mod random;
mod ranges;
mod sequences;
mod short;
mod sorted;
mod tails;
mod threads;
mod words;
