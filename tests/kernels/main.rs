//! Kernels against the reference and each other: verdict, kind, offset and every byte written.
//!
//! Short documents are tried exhaustively, long ones at random, and both where superblocks, tiles and windows end.

#![forbid(unsafe_code)]

mod canonical;
mod cuts;
mod escaped;
mod layouts;
mod limits;
mod profiles;
mod random;
mod sequences;
mod short;
mod sorted;
mod tails;
mod threads;
mod words;
