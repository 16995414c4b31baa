//! The statistics as one JSON document on one line.

#![forbid(unsafe_code)]

use crate::commands::stats::Sums;
use crate::json;
use crate::json::Value;
use crate::json::Writer;
use fjson::scalar::Escape;
use fjson::scalar::escape;
use fjson::stats::Containers;
use fjson::stats::Distinct;
use fjson::stats::Numbers;
use fjson::stats::Strings;

pub fn text(sums: &Sums) -> String {
    json::line(sums)
}

impl Value for Sums {
    fn write(&self, writer: &mut Writer) {
        let Self { inputs, stats, top } = self;
        writer.open('{');
        writer.members(&[
            ("inputs", inputs),
            ("documents", &stats.documents),
            ("invalid", &stats.invalid),
            ("bytes", &stats.bytes),
            ("token_bytes", &stats.token_bytes),
            ("depth", &stats.depth),
            ("objects", &stats.objects),
            ("arrays", &stats.arrays),
        ]);
        writer.key("strings");
        writer.open('{');
        write_strings(&stats.strings, stats.distinct_strings(), writer);
        writer.close('}');
        writer.members(&[
            ("numbers", &stats.numbers),
            ("true", &stats.trues),
            ("false", &stats.falses),
            ("null", &stats.nulls),
        ]);
        writer.key("keys");
        writer.open('{');
        write_strings(&stats.keys, stats.distinct_keys(), writer);
        writer.members(&[("repeated", &stats.repeated_keys), ("unchecked", &stats.unchecked_keys)]);
        writer.key("frequent");
        writer.open('[');
        for it in stats.frequent_keys(*top) {
            writer.object(&[("key", &Escaped(&it.key)), ("count", &it.count), ("at_most", &it.at_most)]);
        }
        writer.close(']');
        writer.close('}');
        writer.close('}');
    }
}

impl Value for Containers {
    fn write(&self, writer: &mut Writer) {
        let Self { count, empty, members, largest, .. } = self;
        writer.object(&[("count", count), ("empty", empty), ("members", members), ("largest", largest)]);
    }
}

impl Value for Numbers {
    fn write(&self, writer: &mut Writer) {
        writer.object(&[
            ("count", &self.count),
            ("bytes", &self.bytes),
            ("longest", &self.longest),
            ("integers", &self.integers),
            ("negative", &self.negative),
            ("inexact", &self.inexact),
            // As strings, because the number type of a program may not be able to hold them.
            ("least", &self.least),
            ("greatest", &self.greatest),
        ]);
    }
}

fn write_strings(strings: &Strings, distinct: Distinct, writer: &mut Writer) {
    writer.members(&[
        ("count", &strings.count),
        ("bytes", &strings.bytes),
        ("longest", &strings.longest),
        ("escaped", &strings.escaped),
        ("non_ascii", &strings.non_ascii),
        ("lone_surrogates", &strings.lone_surrogates),
        ("distinct", &distinct.count),
        ("distinct_is_exact", &distinct.is_exact),
    ]);
}

/// A string of which only the characters are escaped that must be.
struct Escaped<'a>(&'a str);

impl Value for Escaped<'_> {
    fn write(&self, writer: &mut Writer) {
        let mut text = Vec::new();
        // The text is short; without memory for it the process aborts anyway.
        escape(self.0, Escape::minimal(), &mut text).ok();
        writer.token(format_args!("\"{}\"", String::from_utf8_lossy(&text)));
    }
}
