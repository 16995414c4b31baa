//! Shapes that queries are measured on elsewhere: large documents of long records, of which a query wants little.
//!
//! What makes queries fast or slow is where the wanted member stands among the others, how many records have it, and
//! how much lies between two matches. These shapes copy that from data sets that are published and too large to carry
//! along, and nothing else: all words and numbers are made up.

#![forbid(unsafe_code)]

pub mod ast;
pub mod bestbuy;
pub mod crossref;
pub mod google_map;
pub mod logs;
pub mod nspl;
pub mod twitter_large;
pub mod walmart;
pub mod wiki;

mod prose;
