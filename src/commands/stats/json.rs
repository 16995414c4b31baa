//! The statistics as one JSON document on one line.

#![forbid(unsafe_code)]

use crate::commands::stats::Sums;
use crate::json_text::JsonText;
use crate::json_text::JsonWriter;
use fjson::stats::Containers;
use fjson::stats::Distinct;
use fjson::stats::Numbers;
use fjson::stats::Strings;

pub fn text(sums: &Sums) -> String {
    let Sums { inputs, failed, stats, top, .. } = sums;
    let mut writer = JsonWriter::default();
    writer.begin_object();
    writer.name("inputs").value(inputs);
    // Those that could not be read to their end. What was read of them is counted.
    writer.name("failed").value(failed);
    writer.name("documents").value(stats.documents);
    writer.name("invalid").value(stats.invalid);
    writer.name("bytes").value(stats.bytes);
    writer.name("token_bytes").value(stats.token_bytes);
    writer.name("depth").value(stats.depth);
    write_containers(&stats.objects, writer.name("objects"));
    write_containers(&stats.arrays, writer.name("arrays"));
    writer.name("strings").begin_object();
    write_strings(&stats.strings, stats.distinct_strings(), &mut writer);
    writer.end();
    write_numbers(&stats.numbers, writer.name("numbers"));
    writer.name("true").value(stats.trues).name("false").value(stats.falses).name("null").value(stats.nulls);
    writer.name("keys").begin_object();
    write_strings(&stats.keys, stats.distinct_keys(), &mut writer);
    writer.name("repeated").value(stats.repeated_keys).name("unchecked").value(stats.unchecked_keys);
    writer.name("frequent").begin_array();
    for it in stats.frequent_keys(*top) {
        writer.begin_object().name("key").text(&it.key);
        writer.name("count").value(it.count).name("at_most").value(it.at_most).end();
    }
    writer.end().end().end();
    writer.last_text()
}

fn write_containers(containers: &Containers, writer: &mut JsonWriter) {
    let Containers { count, empty, members, largest, .. } = containers;
    writer.begin_object().name("count").value(count).name("empty").value(empty);
    writer.name("members").value(members).name("largest").value(largest).end();
}

fn write_numbers(numbers: &Numbers, writer: &mut JsonWriter) {
    writer.begin_object();
    writer.name("count").value(numbers.count);
    writer.name("bytes").value(numbers.bytes);
    writer.name("longest").value(numbers.longest);
    writer.name("integers").value(numbers.integers);
    writer.name("negative").value(numbers.negative);
    writer.name("inexact").value(numbers.inexact);
    // As strings, because the number type of a program may not be able to hold them.
    writer.name("least").optional_text(numbers.least.as_deref());
    writer.name("greatest").optional_text(numbers.greatest.as_deref());
    writer.end();
}

fn write_strings(strings: &Strings, distinct: Distinct, writer: &mut JsonWriter) {
    writer.name("count").value(strings.count);
    writer.name("bytes").value(strings.bytes);
    writer.name("longest").value(strings.longest);
    writer.name("escaped").value(strings.escaped);
    writer.name("non_ascii").value(strings.non_ascii);
    writer.name("lone_surrogates").value(strings.lone_surrogates);
    writer.name("distinct").value(distinct.count);
    writer.name("distinct_is_exact").value(distinct.is_exact);
}
