//! The statistics as one JSON document on one line.

#![forbid(unsafe_code)]

use crate::commands::stats::Sums;
use fjson::scalar::Escape;
use fjson::scalar::NumberBuffer;
use fjson::scalar::escape;
use fjson::stats::Containers;
use fjson::stats::Distinct;
use fjson::stats::Strings;

pub fn text(sums: &Sums) -> String {
    let Sums { inputs, stats, top } = sums;
    let mut object = Object::default();
    object.counts(&[
        ("inputs", *inputs),
        ("documents", stats.documents),
        ("invalid", stats.invalid),
        ("bytes", stats.bytes),
        ("token_bytes", stats.token_bytes),
        ("depth", stats.depth),
    ]);
    object.object("objects", |object| object.containers(&stats.objects));
    object.object("arrays", |object| object.containers(&stats.arrays));
    object.object("strings", |object| object.strings(&stats.strings, stats.distinct_strings()));
    object.object("numbers", |object| {
        let numbers = &stats.numbers;
        object.counts(&[
            ("count", numbers.count),
            ("bytes", numbers.bytes),
            ("longest", numbers.longest),
            ("integers", numbers.integers),
            ("negative", numbers.negative),
            ("inexact", numbers.inexact),
        ]);
        // Written as strings, because the number types of many programs cannot represent these values.
        for (name, text) in [("least", &numbers.least), ("greatest", &numbers.greatest)] {
            match text {
                Some(text) => object.string(name, text),
                None => object.raw(name, "null"),
            }
        }
    });
    object.counts(&[("true", stats.trues), ("false", stats.falses), ("null", stats.nulls)]);
    object.object("keys", |object| {
        object.strings(&stats.keys, stats.distinct_keys());
        object.counts(&[("repeated", stats.repeated_keys), ("unchecked", stats.unchecked_keys)]);
        let mut frequent = Vec::new();
        for it in stats.frequent_keys(*top) {
            let mut key = Object::default();
            key.string("key", &it.key);
            key.counts(&[("count", it.count), ("at_most", it.at_most)]);
            frequent.push(key.text());
        }
        object.raw("frequent", &format!("[{}]", frequent.join(",")));
    });
    object.text() + "\n"
}

/// A JSON object that is being written.
#[derive(Default)]
struct Object {
    members: Vec<u8>,
}

impl Object {
    fn raw(&mut self, name: &str, value: &str) {
        if !self.members.is_empty() {
            self.members.push(b',');
        }
        self.quoted(name);
        self.members.push(b':');
        self.members.extend_from_slice(value.as_bytes());
    }

    fn string(&mut self, name: &str, value: &str) {
        self.raw(name, "");
        self.quoted(value);
    }

    fn quoted(&mut self, value: &str) {
        self.members.push(b'"');
        // Out of memory is ignored: the strings are short.
        escape(value, Escape::minimal(), &mut self.members).ok();
        self.members.push(b'"');
    }

    fn counts(&mut self, counts: &[(&str, u64)]) {
        for &(name, count) in counts {
            self.raw(name, NumberBuffer::new().unsigned(count));
        }
    }

    fn object(&mut self, name: &str, fill: impl FnOnce(&mut Self)) {
        let mut object = Self::default();
        fill(&mut object);
        self.raw(name, &object.text());
    }

    fn containers(&mut self, containers: &Containers) {
        let Containers { count, empty, members, largest, .. } = *containers;
        self.counts(&[("count", count), ("empty", empty), ("members", members), ("largest", largest)]);
    }

    fn strings(&mut self, strings: &Strings, distinct: Distinct) {
        self.counts(&[
            ("count", strings.count),
            ("bytes", strings.bytes),
            ("longest", strings.longest),
            ("escaped", strings.escaped),
            ("non_ascii", strings.non_ascii),
            ("lone_surrogates", strings.lone_surrogates),
            ("distinct", distinct.count),
        ]);
        self.raw("distinct_is_exact", if distinct.is_exact { "true" } else { "false" });
    }

    fn text(self) -> String {
        format!("{{{}}}", String::from_utf8_lossy(&self.members))
    }
}
