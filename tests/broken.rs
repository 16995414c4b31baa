//! Tests of the tests: each rule of the engine is removed in turn, and a test must fail.
//!
//! A published suite alone misses half of these mutations. The first test only makes sure that the rules listed here
//! are still in the sources. The last one compiles the project once per rule: first only for the unit tests of the module and the
//! quickest others, without optimization; for the rules that they do not miss, for more tests and more random documents, and then
//! thoroughly for all of them:
//!
//! ```text
//! .ci/run broken
//! FJSON_BROKEN=nesting .ci/run broken     only the rules of files whose path contains `nesting`
//! FJSON_BROKEN=3/10 .ci/run broken        only the third of ten parts of the rules
//! ```

#![forbid(unsafe_code)]
#![cfg(unix)]

use std::collections::HashMap;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::io::BufRead;
use std::io::BufReader;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use std::time::Instant;

use proof::suites;
use rustix::process::Pid;
use rustix::process::Signal;
use rustix::process::kill_process_group;

/// A rule: its file, its text, and the replacement.
type Rule = (&'static str, &'static str, &'static str);

/// Rules whose removal makes the engine accept invalid documents, refuse valid ones, write wrong output, or read valid documents in a
/// slower way than the one that is meant for them.
const RULES: &[Rule] = &[
    // Ranges.
    ("input/range.rs", "Self::After(byte) => (offset - 1, byte, 1),", "Self::After(byte) => (offset, byte, 1),"),
    ("input/range.rs", "let is_at_end = range.end <= offset;", "let is_at_end = false;"),
    ("input/range.rs", "let end = if range.end <= start { start } else { find(range.end) };", "let end = range.end;"),
    // Strings.
    ("grammar/classes.rs", "is_text && carry.escape == 0 && !carry.unicode_pending", "is_text"),
    ("grammar/classes.rs", "errors = escaped & !known;", "errors = escaped & !escaped;"),
    ("grammar/classes.rs", "errors = errors | digits & !(decimal | letter);", ""),
    ("grammar/classes.rs", "errors = errors | below_40 & !b5 & in_string;", ""),
    ("grammar/classes.rs", "*carry = (alternating & backslash).last();", "*carry = 0;"),
    ("grammar/classes.rs", "let starts = backslash & !first;", "let starts = backslash;"),
    ("grammar/classes.rs", "carry.unicode_pending = unicode.any();", ""),
    ("grammar/classes.rs", "| unicode.advance::<4>(carry.unicode)", ""),
    ("grammar/classes.rs", "carry.scalar = scalar;", ""),
    // UTF-8.
    ("grammar/utf8.rs", "errors = errors | lead & !b5 & !b4 & !b3 & !b2 & !b1; // C0, C1", ""),
    ("grammar/utf8.rs", "e0.advance::<1>(carry.e0) & !b5 |", ""),
    ("grammar/utf8.rs", "| ed.advance::<1>(carry.ed) & b5", ""),
    ("grammar/utf8.rs", "errors = errors | lead_4 & (b3 | b2 & (b1 | b0)); // F5 to FF", ""),
    ("grammar/utf8.rs", "f0.advance::<1>(carry.f0) & !upper |", ""),
    ("grammar/utf8.rs", "| f4.advance::<1>(carry.f4) & upper", ""),
    ("grammar/utf8.rs", "carry.pending = beyond_ascii;", ""),
    ("grammar/utf8.rs", "carry.pending_4 = four;", ""),
    // Literals.
    ("grammar/literals.rs", "inside & differs | ", ""),
    ("grammar/literals.rs", " | masks.letter & !(inside | t | f | n)", ""),
    ("grammar/literals.rs", "masks.exponent = masks.exponent & !inside;", ""),
    ("grammar/literals.rs", "carry.pending = (t | f | n).any();", ""),
    // Numbers.
    ("grammar/numbers.rs", "after_zero & digit | ", ""),
    ("grammar/numbers.rs", " | masks.dot & !end", ""),
    ("grammar/numbers.rs", "errors = errors | run_end & exponent;", ""),
    ("grammar/numbers.rs", "after_sign_or_dot & !digit;", "after_sign_or_dot & !after_sign_or_dot;"),
    ("grammar/numbers.rs", "carry.pending = exponent.last() | sign.last() | carry.exponent_run != 0;", ""),
    ("grammar/numbers.rs", "carry.leading_zero = leading_zero;", ""),
    ("grammar/mod.rs", "scalars.any() || carries.numbers.reaches()", "scalars.any()"),
    ("grammar/numbers.rs", "self.pending || (self.digit", "(self.digit"),
    ("grammar/numbers.rs", "self.digit | self.sign_or_dot", "self.digit"),
    // Tokens.
    ("grammar/tokens.rs", "after_value & value_start | ", ""),
    ("grammar/tokens.rs", " | (comma | colon) & !after_value;", ";"),
    ("grammar/tokens.rs", "errors = errors | after_separator & close;", ""),
    ("grammar/tokens.rs", "errors = errors | colon & !key_end;", ""),
    ("grammar/tokens.rs", "errors = errors | no_key & close_object;", ""),
    ("grammar/tokens.rs", "errors = errors | object_end & (no_key | close_array);", ""),
    ("grammar/tokens.rs", "errors = errors | array_end & (colon | close_object);", ""),
    (
        "grammar/tokens.rs",
        "document || start == Start::Comma { object: Some(true) }",
        "start == Start::Comma { object: Some(true) }",
    ),
    (
        "grammar/tokens.rs",
        "document || start == Start::Comma { object: Some(false) }",
        "start == Start::Comma { object: Some(false) }",
    ),
    ("grammar/tokens.rs", "&& self.key_run == 0", ""),
    ("grammar/tokens.rs", "if self.array_run | self.array_evidence.last() != 0", "if self.array_run != 0"),
    ("grammar/tokens.rs", "close & after_value, spaces", "close, spaces"),
    ("grammar/mod.rs", "starts.add_short(class, carry)", "starts.add_short(class, &mut (class & !class))"),
    ("grammar/mod.rs", "*carry = if bit == 1 { class | !class } else { class & !class };", ""),
    // Brackets.
    ("grammar/nesting.rs", "self.failed |= pairs & (objects ^ (objects >> 2)) != 0;", ""),
    ("grammar/nesting.rs", "self.failed |= (enclosing ^ objects >> 1) & ((1 << own) - 1) != 0;", ""),
    ("grammar/nesting.rs", "self.failed |= deepest > self.limit,", "(),"),
    ("grammar/nesting.rs", "self.failed |= object.is_some_and(|object| object != popped);", ""),
    ("grammar/nesting.rs", "self.failed |= !self.root_seen || object.is_none();", ""),
    ("grammar/nesting.rs", "self.failed |= self.depth > self.limit;", ""),
    ("grammar/nesting.rs", "&& self.depth == 1", ""),
    ("grammar/nesting.rs", "self.lowest = self.lowest.min(self.depth);\n        let enclosing", "let enclosing"),
    // Chunks.
    ("grammar/nesting/fragment.rs", "fragment.first != object || ", ""),
    ("grammar/nesting/fragment.rs", "closed >= self.depth ||", "closed > self.depth ||"),
    ("grammar/nesting/fragment.rs", " || deepest > self.limit as u64", ""),
    ("grammar/nesting/fragment.rs", "differ |= (expected ^ enclosing) & compared;", ""),
    ("grammar/nesting/fragment.rs", "compared >>= 1;", ""),
    (
        "grammar/nesting/fragment.rs",
        "fragment.last.unwrap_or(self.bits_at(depth) & 1 == 1)",
        "fragment.last.unwrap_or(object)",
    ),
    ("grammar/nesting/fragment.rs", "self.failed |= object.is_some_and(|object| object != popped);", ""),
    ("parallel/driver.rs", "result.start == self.at && ", ""),
    ("parallel/driver.rs", "self.text[cut - 1..self.end(number) - 1]", "self.text[cut - 1..self.end(number)]"),
    ("parallel/work_queue.rs", "if !join(output, &mut spare)? {", "if !join(output, &mut spare)? && false {"),
    // Elements.
    ("grammar/elements.rs", "} else if depth == 0 {", "} else {"),
    ("parallel/elements.rs", "!result.fragment.is_elements() || ", ""),
    ("parallel/elements.rs", "profile.skip((result.end - reached) as u64);", ""),
    ("parallel/chunk.rs", "if profile.check_rules(text, End::Anywhere) != Ok(true) {", "if false {"),
    ("query/stream/checked.rs", "PART as u64 >= self.valid.offset &&", "PART as u64 > self.valid.offset &&"),
    ("query/stream/checked.rs", "self.checkpoint.continue_after(valid, &mut self.checker)?;", ""),
    ("query/stream/checked.rs", "start, self.valid.offset - 1);", "start, self.valid.offset);"),
    ("parallel/elements.rs", "level == 1 || !is_root_only", "true"),
    // Lines.
    ("grammar/lines.rs", "let errors = line_first & (comma | colon);", "let errors = line_first & !line_first;"),
    ("grammar/lines.rs", "(errors, !matches_top_level)", "(errors, false)"),
    ("grammar/lines.rs", "line_break | suspect, line_break", "line_break, line_break"),
    ("grammar/lines.rs", "masks.whitespace = whitespace & !record_end;", ""),
    ("grammar/lines.rs", "line_run: 1,", "line_run: 0,"),
    ("parallel/records.rs", "depth.saturating_add(1)", "depth"),
    // Records that are put on lines.
    ("grammar/structure.rs", "quotes = quotes & !escaped(kernel, &mut self.escape, backslash);", ""),
    ("grammar/extent.rs", "top_level >> 1 | if self.depth == 0 { 1 << 63 } else { 0 }", "top_level >> 1"),
    // Short documents.
    ("grammar/short.rs", "b'}' if is_object => self.close(),", "b'}' => self.close(),"),
    ("grammar/short.rs", "b']' if !is_object => self.close(),", "b']' => self.close(),"),
    (
        "grammar/short.rs",
        "if text.len() > SHORT || !text.is_ascii() && str::from_utf8(text).is_err() {",
        "if text.len() > SHORT {",
    ),
    ("grammar/short.rs", "if self.depth == self.max_depth {", "if self.depth == MAX_DEPTH {"),
    ("grammar/short.rs", "(self.at > start).then_some(())", "Some(())"),
    ("grammar/short.rs", "digits.iter().all(u8::is_ascii_hexdigit)", "true"),
    ("grammar/short.rs", "(reader.at == text.len()).then_some(reader.escaped)", "Some(reader.escaped)"),
    ("grammar/stream.rs", "visible << 1 | u64::from(self.after_visible)", "visible << 1"),
    ("grammar/stream.rs", "ended << 1 | u64::from(self.after_document)", "ended << 1"),
    ("grammar/stream.rs", "(breaks, b'\\n'), (tabs, b'\\t')", "(breaks, b'\\n'), (0, b'\\t')"),
    ("grammar/stream.rs", "usize::from(inserts >> last & 1 == 0)", "1"),
    ("grammar/stream.rs", "self.lines.text.truncate(on_lines);", ""),
    ("parallel/batch.rs", "let end = if is_cut { RECORD_SEPARATOR } else { b'\\n' };", "let end = b'\\n';"),
    ("parallel/batch.rs", "let other = if byte == b'\\n' { b'\\t' } else { byte };", "let other = byte;"),
    ("framing.rs", "Framing::Sequence => self.has_separator,", "Framing::Sequence => true,"),
    ("scan/end_finder.rs", "last.map_or(0, |last| known + last + 1);", "text.len();"),
    ("scan/end_finder.rs", "Some(b'{' | b'[' | b'\"')", "Some(b'{' | b'[')"),
    ("scan/end_finder.rs", "content_end + u64::from(next_byte.is_ascii_whitespace())", "content_end"),
    // Windows.
    ("scan/checkpoint.rs", "nesting.take_lowest() / 64", "depth / 64"),
    ("scan/document.rs", "is_tile_valid && self.checker.finish() =>", "is_tile_valid =>"),
    ("scan/checkpoint.rs", "checker.start_after_comma(comma.object);", "checker.start_after_comma(true);"),
    ("scan/document.rs", "self.checker.restore(self.carries_at_release);", ""),
    ("scan/document.rs", "self.consumer.discard();", ""),
    // Layouts.
    ("pretty/mod.rs", "*marks &= *marks - 1;", ""),
    ("pretty/mod.rs", "self.stage.unstage(surplus);", ""),
    ("pretty/mod.rs", "if can_plan && self.make_room(kernel, superblock, width) {", "if can_plan {"),
    ("pretty/mod.rs", "self.write_plan(kernel);\n        self.plan.has_room(", "self.plan.has_room("),
    ("pretty/mod.rs", "!masks.whitespace & !line_break", "!masks.whitespace"),
    ("pretty/mod.rs", "if !self.at_root {", "if true {"),
    ("pretty/planned.rs", "self.length + length <= TEXT && ", ""),
    ("pretty/planned.rs", "outline.marks | outline.rises | outline.falls != 0", "outline.marks | outline.falls != 0"),
    ("pretty/planned.rs", "*gaps = [0; 64];", ""),
    // Changes of the output.
    ("sink/mod.rs", "self.may_escape &= self.filled > 0 ||", "self.may_escape &="),
    ("sink/mod.rs", "Some(escaper) if *may_escape || escaper.has_begun()", "Some(escaper) if *may_escape"),
    ("sink/escaper.rs", "self.begun.extend_from_slice(from);", ""),
    ("sink/sorter.rs", "None => self.pending = Some(place),", "None => {}"),
    ("sink/sorter.rs", "object.is_sorted &= is_compared", "object.is_sorted = is_compared"),
    ("sink/sorter.rs", "gap.saturating_sub(self.order.unit)", "gap"),
    ("sink/sorter.rs", "self.orders[shape].clear();", ""),
    ("sink/sorter.rs", "let is_compared = object.prediction.shape().is_none();", "let is_compared = true;"),
    ("sink/sorter.rs", "Some(order) if order.len() == members.len() =>", "Some(order) if !order.is_empty() =>"),
    ("sink/sorter/moves.rs", "first_from(nodes, node + 1, found.end)", "node + 1"),
    // Compressed data.
    ("input/compressed/format.rs", "magic.starts_with(rest) && !ended", "magic.starts_with(rest)"),
    ("input/compressed/decoder.rs", "format if !format.may_begin_with(byte) => {", "format if false => {"),
    ("input/compressed/decoder.rs", "(zeros < left.len()).then(|| self.trailing_data())", "None"),
    ("input/compressed/decoder.rs", "if frame.partial.len() < frame.requested {", "if frame.partial.is_empty() {"),
    ("input/compressed/decoder.rs", "Some(damage) if produced == 0 => Err(damage),", "Some(damage) => Err(damage),"),
    ("input/compressed/mod.rs", "if produced == allowed {", "if false {"),
    ("input/compressed/mod.rs", "expander.decoder.finish()?;", ""),
    ("input/compressed/worker.rs", "Event::Ended(expander.decoder.finish())", "Event::Ended(Ok(()))"),
    ("input/compressed/worker.rs", "self.used_up = None;", ""),
    ("input/mod.rs", "while stream.supply().is_expanding() && !stream.at_end() {", "while false {"),
    // Compressing.
    ("gzip/block.rs", "codec.set_dictionary(dictionary)", "codec.set_dictionary(&[])"),
    ("gzip/block.rs", "(digits > text.len() / 2, level)", "(false, level)"),
    ("gzip/block.rs", "self.dictionary = dictionary.len();", ""),
    ("gzip/block.rs", "self.is_cut = true;", ""),
    ("gzip/border.rs", "(self.0 << 1)", "self.0"),
    ("gzip/writer.rs", "crc32_combine(self.crc, block.crc(), block.length() as u64)", "block.crc()"),
    ("gzip/writer.rs", "self.block.is_full() && !bytes.is_empty()", "self.block.is_full()"),
    ("gzip/mod.rs", "if let Some(cause) = tee.failure {", "if let Some(cause) = None {"),
    // Queries.
    ("query/syntax/cursor.rs", ".filter(|value: &i64| value.abs() <= MAX_INTEGER)", ""),
    (
        "query/syntax/path.rs",
        "let is_singular = is_tight && segments.iter().all(Segment::is_singular);",
        "let is_singular = true;",
    ),
    ("query/regexp.rs", r#"translator.output += r"[^\n\r]";"#, r#"translator.output += ".";"#),
    ("query/evaluate/subtree_counts.rs", "found.add(all[inside]);", ""),
    ("query/evaluate/subtree_counts.rs", "*seen = is_name(selector);", ""),
    ("query/evaluate/equality.rs", "members.sort_by_key(|&(name, _)| name);", ""),
    ("query/evaluate/equality.rs", "usize::from(children.is_object())", "0"),
    ("query/evaluate/index.rs", "container.children += 1;", ""),
    ("query/evaluate/automaton.rs", "count > 0 && !is_seen && selects", "count > 0 && selects"),
    ("query/evaluate/automaton.rs", "count > 0 && (segment.descendant || may_select)", "count > 0 && may_select"),
    ("query/evaluate/ordered.rs", "if is_backward[number] { !entry.start } else { entry.start }", "entry.start"),
    ("query/evaluate/ordered.rs", "segment.descendant || !*seen", "true"),
    ("query/evaluate/document.rs", "if !is_escaped(&text[..open]) {", "if true {"),
    ("query/evaluate/document.rs", "if is_escaped(text) {", "if false {"),
    ("query/evaluate/index.rs", "self.changed.set(true);", ""),
    ("query/evaluate/document.rs", "is_valid &= found == b',';", ""),
    ("query/documents.rs", "input.check_unchanged()?;", ""),
    ("input/guard.rs", "chain_to(&now);", ""),
    ("input/mod.rs", "assert!(!disagree,", "assert!(true,"),
    ("scan/known_position.rs", "input.check_unchanged()?;\n    Ok(error)", "Ok(error)"),
    ("query/evaluate/selection.rs", "length + bound } else { bound }", "length - bound } else { bound }"),
    ("query/evaluate/value.rs", "left.len() != right.len() || ", ""),
    (
        "query/evaluate/value.rs",
        "members.sort_by(|left, right| compare_keys(text(left), text(right)));",
        "let _ = text;",
    ),
    (
        "query/split.rs",
        "let Syntax { segments, root_queries: 0 } = &query.syntax",
        "let Syntax { segments, .. } = &query.syntax",
    ),
    ("query/split.rs", "!segment.descendant && Plan::supports(segment)", "Plan::supports(segment)"),
    (
        "query/split.rs",
        "if let [Segment { descendant: false, selectors }, after @ ..] = rest",
        "if let [Segment { selectors, .. }, after @ ..] = rest",
    ),
    ("query/split.rs", "let continues_inside = order == Order::Document;", "let continues_inside = false;"),
    ("query/request.rs", "if self.continues_inside && span.start < self.last_end {", "if false {"),
    ("query/evaluate/automaton.rs", "self.child_counts[..self.initial_segments].fill(1);", "self.child_counts[0] = 1;"),
    ("query/evaluators.rs", "if self.limit_reached() && !self.reads_to_end {", "if self.limit_reached() {"),
    ("query/evaluate/member.rs", "last = starts[lane];", ""),
    ("query/evaluate/member.rs", "if index < end\n", "if index < K::SUPERBLOCK\n"),
    ("query/evaluate/member.rs", "&& depth_after(depth, open[lane] & before, close[lane] & before) == 1", ""),
    ("query/evaluate/member.rs", "| escaped[lane];", ";"),
    ("query/evaluate/scope.rs", "self.document.member(start, name).or_else(", "None.or_else("),
    ("scalar/number.rs", "let fraction = without_trailing_zeros(fraction);", ""),
    ("query/workers.rs", "step.shifted_by(distance(0, record.base))", "step"),
    (
        "query/request.rs",
        "let Some(value) = self.value(span, within) else { continue };",
        "let value = within.value(span);",
    ),
    (
        "query/records.rs",
        "self.stop_at(Progress { end, records: record.record.unwrap_or_default() });\n                    break;",
        "",
    ),
    ("query/records.rs", "let text = &source[from - shift..end - shift];", "let text = &source[from..end];"),
    ("query/stream/lines.rs", "result.found.shift(batch.shift());", ""),
    ("query/stream/mod.rs", "request.search.trust &= !request.options.framing.is_stream();", ""),
    (
        "query/stream/mod.rs",
        "Ok(Outcome::Exhausted(offset)) if !reads_to_end && request.search.trust",
        "Ok(Outcome::Exhausted(offset)) if !reads_to_end",
    ),
    ("framing.rs", "Framing::Documents => self.count == 1,", "Framing::Documents => true,"),
    ("query/stream/checked.rs", "self.end = end.map(|end| end.max(self.position));", ""),
    ("query/records.rs", "number += u64::from(blank < line.len());", "number += 1;"),
    ("query/documents.rs", "collector.number += records;", ""),
    ("query/evaluators.rs", "*count = count.saturating_add(1);", ""),
    // Queries on the masks.
    ("query/stream/seek.rs", "escaped | self.probed(lane, exact, string)", "self.probed(lane, exact, string)"),
    ("query/structure.rs", "self.escaped = ends_inside && carry == 0;", "self.escaped = false;"),
    ("query/stream/masks.rs", "self.string_start.copy_within(lanes..lanes + HISTORY, 0);", ""),
    ("query/stream/checked.rs", "None if end > self.checkpoint.offset => {", "None if false => {"),
    ("query/stream/mod.rs", "Err(Stop::Enough | Stop::Malformed)", "Err(Stop::Enough)"),
    ("query/stream/descend.rs", "self.low = self.depth;\n            match_paths.leave(self.depth);", ""),
    ("query/stream/descend.rs", "self.low = self.depth + 1;", ""),
    (
        "query/stream/match_paths.rs",
        "least = least.min(self.ranks[head]);",
        "least = least.min(self.ranks[heads.start]);",
    ),
    (
        "query/stream/match_paths.rs",
        "nodes.retain(|node| !node.inside.is_empty());\n            order.sort(nodes, |node| node.head)?;",
        "",
    ),
    ("query/stream/match_paths.rs", "level.low = level.low.min(depth);", "level.low = depth;"),
    ("query/stream/descendant_member.rs", "if !LONE || self.start != tile {", "if !LONE {"),
    ("query/stream/report.rs", "pending.end == fault.offset && shows_end(pending.end)", "pending.end == fault.offset"),
    ("query/stream/plan.rs", "if options.unique_keys || options.ijson || queries", "if queries"),
    ("query/stream/plan.rs", "let without = comparison == Comparison::NotEqual;", "let without = false;"),
    ("query/stream/descend.rs", "&& self.first.is_single()", ""),
    ("query/stream/objects_with_member.rs", "if std::mem::replace(&mut container.is_tested, true) {", "if false {"),
    ("query/evaluate/document.rs", "last.filter(|_| is_last)", "last"),
    ("query/evaluate/locations.rs", "commas ^= before;\n                    marks", "marks"),
    ("query/evaluate/locations.rs", "order.sort_unstable_by_key(|&number| starts[number]);", ""),
    ("query/syntax/mod.rs", "(nodes, comparison.reversed(), literal)", "(nodes, *comparison, literal)"),
    (
        "query/stream/pending.rs",
        "Pending { start, end, times }, OutOfMemory",
        "Pending { start, end, times: 1 }, OutOfMemory",
    ),
    ("query/stream/descend.rs", "&& !visits(self.kinds.items)", ""),
    ("query/split.rs", "Comparison::NotEqual => None,", "Comparison::NotEqual => Some((has_member, false)),"),
    ("query/stream/candidates.rs", "if number != self.last {", "if true {"),
    ("query/stream/candidates.rs", "tiles.go_to(root)?;\n                        return", "return"),
    ("query/stream/lines.rs", "if !self.is_admitted && !self.admits(root, after)? {", "if false {"),
    ("query/stream/candidates.rs", "if !compared.without {", "if true {"),
    ("query/stream/candidates.rs", "if !text[start..end].trim_ascii().is_empty() {", "if start < end {"),
    ("query/stream/batch.rs", "self.structures.begin();", ""),
    ("query/stream/checked.rs", "self.checked = Some(is_valid);", ""),
    (
        "query/structure.rs",
        "if position < 64 {\n                return Err",
        "if position == 65 {\n                return Err",
    ),
    ("query/stream/masks.rs", "(closing_lanes == 0).then_some(left)", "Some(left)"),
    (
        "query/stream/seek.rs",
        "depth = self.next_tile_inside(depth - 1)? + 1;",
        "depth = self.next_tile_inside(depth)?;",
    ),
    ("scan/value.rs", "checker.start_document();", ""),
    ("scan/value.rs", "byte_at(end.offset).map_or(Ok(()), |byte| reader.feed(&[byte])).and(Err(end))", "Err(end)"),
    (
        "query/stream/unchecked.rs",
        "ErrorKind::TrailingContent if !self.is_root",
        "ErrorKind::TrailingContent if self.is_root",
    ),
    ("query/stream/lines.rs", "if search.trust {\n            let texts", "if false {\n            let texts"),
    (
        "query/stream/record_prefilter.rs",
        "let (sum, second) = sum.overflowing_add(u64::from(is_after_break));",
        "let second = false;",
    ),
    (
        "query/stream/record_prefilter.rs",
        "self.root = self.rest - PART + 64 * lane + self.begins[lane].ilog2() as usize;",
        "",
    ),
    ("query/stream/record_prefilter.rs", "if escapes != 0 {", "if false {"),
    ("query/stream/search_string.rs", "if self.letters >> b'/' & 1 == 1 { b'/' } else { b'u' }", "b'u'"),
    ("query/stream/record_prefilter.rs", "if string.is_plain() { 0 } else { !0 }", "0"),
    ("query/stream/record_prefilter.rs", "(candidates ^ (candidates - 1))", "(!candidates & (candidates - 1))"),
    ("query/stream/record_prefilter.rs", "rest.len() < PART + AHEAD", "rest.len() < PART + 2"),
    (
        "query/stream/pending.rs",
        "self.first = self.first.min(start);",
        "if self.pending.is_empty() { self.first = start; }",
    ),
    ("query/stream/lines.rs", "&& memchr(RECORD_SEPARATOR, text).is_some()", "&& false"),
    (
        "query/documents.rs",
        "Summary { documents: collector.number, invalid, bytes }",
        "Summary { documents: collector.number, invalid: 0, bytes }",
    ),
    ("query/stream/name_prefilter.rs", "&& is_escaped(&text[start - BACK..end], BACK + PART)?;", "&& false;"),
    ("query/stream/name_prefilter.rs", "ends ^= harmless & ends | escaped;", ""),
    ("query/stream/name_prefilter.rs", "(ends | unicodes & !rows)", "(ends | unicodes)"),
    ("query/stream/name_prefilter.rs", "after_backslash & !unsure &", "after_backslash &"),
    ("query/stream/name_prefilter.rs", "backslashes % 2 == 1", "backslashes > 0"),
    ("query/stream/name_prefilter.rs", " if !name.may_have(*text.get(offset + 1..)?.first_chunk()?)", ""),
    ("query/stream/structures.rs", "rule_out(self.kernel, text, known - PART, name)?;", ""),
    ("query/stream/structures.rs", "Ok(remaining) => *levels = remaining,", "Ok(_) => {}"),
    ("query/stream/structures.rs", "self.strings = strings;\n            passed += K", "passed += K"),
    // Stricter profiles.
    ("profile/mod.rs", "(End::Key, _) => self.marks[..self.count].last().map_or(0, |&last| last as usize),", ""),
    ("profile/mod.rs", "if at + length == text.len() && end != End::Document {", "if false {"),
    ("profile/mod.rs", "if number.has_too_many_digits() {", "if false {"),
    ("profile/mod.rs", "self.number_end < text.len() || end == End::Document", "self.number_end < text.len()"),
    ("profile/mod.rs", "if may_end_in_number && is_number_byte(last)", "if false && is_number_byte(last)"),
    ("profile/numbers.rs", "self.zeros += usize::from(!is_leading_zero);", ""),
    ("profile/numbers.rs", "Part::Fraction if is_leading_zero => self.power -= 1,", ""),
    ("profile/mod.rs", "checkable = checkable_length(text, self.checked_bytes);", ""),
    ("profile/mod.rs", "if fault.offset < first.offset { fault } else { first }", "first"),
    ("profile/keys.rs", "self.copied_count = first;", ""),
    ("profile/keys.rs", "key.length = self.unescaped.len() - key.start;", ""),
    ("profile/keys.rs", "self.innermost.first + table.keys.len()..self.all.len()", "self.all.len()..self.all.len()"),
    ("scalar/shapes.rs", "prediction.holds = found.is_some();", ""),
    ("scalar/shapes.rs", "prediction.next = index + 1;", ""),
    ("scalar/shapes.rs", "(first_word ^ key.first_word) & key.mask == 0", "true"),
    ("scalar/print.rs", "&& text != b\"-0\"", ""),
    ("scalar/print.rs", "&& !fraction.ends_with(b\"0\")", ""),
    ("profile/characters.rs", "at.saturating_sub(3).max(checked_to)", "at.max(checked_to)"),
    ("profile/characters.rs", "if is_escape(&text[range.start..index])", ""),
    ("profile/characters.rs", "_ if may_become_low(&text[6..]) => (None, 6),", ""),
    ("profile/characters.rs", "Some(0xd800..=0xdbff) if may_become_low(&rest[6..]) => LONGEST,", ""),
    (
        "scalar/number.rs",
        "text.len() <= PRESERVED_DIGITS && !text.iter()",
        "text.len() <= PRESERVED_DIGITS || !text.iter()",
    ),
    // Values.
    ("scalar/pieces.rs", "is_high(first) && is_low(second) =>", "is_high(first) =>"),
    ("scalar/escape.rs", "leads = leads | b7 & b6;", ""),
    ("scalar/keys.rs", "(left < 0xf0, left).cmp(&(right < 0xf0, right))", "left.cmp(&right)"),
    ("scalar/number.rs", "+ mine.place - others.place", ""),
    (
        "scalar/value.rs",
        "let more = if digits.count() > MAX_DIGITS as i128 { \"1\" } else { \"\" };",
        "let more = \"\";",
    ),
    ("scalar/print.rs", "(1..=21).contains(&point)", "(1..=20).contains(&point)"),
    ("sink/escaper.rs", "unknown || found.any()", "found.any()"),
    ("stats/collector.rs", "self.hashes.truncate(open.first_hash);", ""),
    ("stats/part.rs", "if level == 0 {", "if false {"),
    ("stats/collector.rs", "self.innermost.members += elements;", ""),
    ("stats/collector.rs", "self.depth = level.saturating_sub(1);", ""),
    ("stats/collector.rs", "may_exceed_keys || ", ""),
    ("stats/mod.rs", "if is_short_least { least } else { least.next_up() }", "least"),
    ("canonical.rs", "number.to_f64().is_infinite()", "number.to_f64().is_nan()"),
    ("canonical.rs", "check_tokens(self.index.batch(text, true), self.checked, &mut self.rewrites).ok();", ""),
    ("canonical.rs", "is_rewritten.then_some(0)", "is_rewritten.then_some(0).filter(|_| false)"),
];

/// What is copied for the mutation tests.
const PARTS: [&str; 11] = [
    "Cargo.toml",
    "Cargo.lock",
    "build.rs",
    "README.md",
    "docs",
    "src",
    "tests",
    "corpus",
    "examples",
    "benches/engine.rs",
    "fuzz/seeds",
];

/// The unit tests.
const UNITS: &[&str] = &["--lib"];
/// Tests that take a few seconds even without optimization.
const QUICK: &[&str] = &["--test=guard_page", "--test=query", "--test=stats"];
/// The other tests.
const SLOW: &[&str] = &["--test=conformance", "--test=depth", "--test=kernels", "--test=large", "--test=scalar"];

/// Modules, and those that are built on them, whose unit tests may miss what their own do not.
const BUILT_ON: [(&str, &[&str]); 3] = [
    ("framing", &["parallel", "scan"]),
    ("grammar", &["index", "parallel", "scan"]),
    ("parallel", &["canonical", "profile", "sink", "stats"]),
];

/// The file that selects the kernel, and what is replaced in it so that only the portable kernel is left.
const DISPATCH: &str = "kernel/isa.rs";
const OTHER_KERNELS: [(&str, &str); 4] = [
    ("Self::Avx512 => Avx512::detect().is_some(),", "Self::Avx512 => false,"),
    ("Self::Avx2 => Avx2::detect().is_some(),", "Self::Avx2 => false,"),
    ("if let Some(kernel) = Avx512::detect() {\n                    return kernel.run(pass);\n                }", ""),
    ("if let Some(kernel) = Avx2::detect() {\n                    return kernel.run(pass);\n                }", ""),
];

#[test]
fn every_rule_is_there() {
    for (file, rule, _) in RULES {
        let text = fs::read_to_string(suites::root().join("src").join(file)).expect("a source file");
        assert_eq!(text.matches(rule).count(), 1, "src/{file} has this once: {rule}");
    }
}

#[test]
fn other_kernels_are_there() {
    let text = fs::read_to_string(suites::root().join("src").join(DISPATCH)).expect("a source file");
    for (kernel, _) in OTHER_KERNELS {
        assert_eq!(text.matches(kernel).count(), 1, "src/{DISPATCH} has this once: {kernel}");
    }
}

#[test]
#[ignore = "compiles the project once per rule"]
fn every_rule_is_missed() {
    let rules = wanted_rules();
    let copies = thread::available_parallelism().map_or(1, usize::from);
    let left = missed_by_no_test(&rules, Effort::Quick, copies);
    let left = missed_by_no_test(&left, Effort::Short, copies);
    let survivors = missed_by_no_test(&left, Effort::Thorough, 1);
    assert!(survivors.is_empty(), "no test misses {survivors:#?}");
}

/// Removes each of the rules in one of a few copies, and returns those that no test misses.
fn missed_by_no_test(rules: &[&'static Rule], effort: Effort, copies: usize) -> Vec<&'static Rule> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("broken");
    let rest = Mutex::new(rules.iter());
    let left = Mutex::new(Vec::new());
    let test_rules = |number: usize| {
        let mut copy = WorkingCopy::new(folder.join(format!("{effort:?}-{number}")), effort);
        loop {
            let Some(&rule) = rest.lock().expect("no copy has failed").next() else { break };
            let outcome = copy.without(rule);
            report(rule, effort, outcome);
            if outcome == Outcome::Passed {
                left.lock().expect("no copy has failed").push(rule);
            }
        }
    };
    thread::scope(|scope| {
        for number in 0..copies.min(rules.len()) {
            scope.spawn(move || test_rules(number));
        }
    });
    left.into_inner().expect("no copy has failed")
}

fn report(&(file, text, _): &Rule, effort: Effort, outcome: Outcome) {
    let answer = match outcome {
        Outcome::Failed => "missed",
        Outcome::TooLong => "missed, as the tests did not end",
        Outcome::Passed if effort == Effort::Thorough => "NOT MISSED",
        Outcome::Passed => "not missed yet",
    };
    writeln!(io::stdout(), "{answer}: {file}: {text}").expect("it can be printed");
}

/// How much is tested.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Effort {
    /// The unit tests of one module, and of those built on it, and the quickest other tests, with very few random documents, without
    /// optimization and on the portable kernel alone: most rules are missed by that, and it compiles in a few seconds.
    Quick,
    /// All tests, or for `query` the quick tests and its unit tests, with more random documents, on the portable kernel alone.
    Short,
    Thorough,
}

/// Tests that run together.
struct Tests {
    /// Arguments of `cargo test`.
    targets: &'static [&'static str],
    /// The modules whose unit tests run; all tests if it is empty.
    modules: Vec<&'static str>,
}

/// A copy of the project.
struct WorkingCopy {
    folder: PathBuf,
    effort: Effort,
    /// How long the tests may take, for each module whose unit tests have run before anything is broken.
    limits: HashMap<&'static str, Duration>,
}

impl WorkingCopy {
    fn new(folder: PathBuf, effort: Effort) -> Self {
        for part in PARTS {
            copy_all(&suites::root().join(part), &folder.join(part));
        }
        if effort != Effort::Thorough {
            let path = folder.join("src").join(DISPATCH);
            let text = fs::read_to_string(&path).expect("a source file");
            let text = OTHER_KERNELS.iter().fold(text, |text, (kernel, instead)| text.replacen(kernel, instead, 1));
            fs::write(&path, text).expect("the copy can be written");
        }
        Self { folder, effort, limits: HashMap::new() }
    }

    /// Removes a rule, runs the tests until one fails, and restores the rule.
    fn without(&mut self, &(file, rule, instead): &'static Rule) -> Outcome {
        let module = file.split(['/', '.']).next().expect("a name");
        let limit = self.limit(module);
        let path = self.folder.join("src").join(file);
        let text = fs::read_to_string(&path).expect("a source file");
        if !text.contains(rule) {
            // It is about another kernel.
            return Outcome::Passed;
        }
        fs::write(&path, text.replacen(rule, instead, 1)).expect("the copy can be written");
        let mut outcomes = self.groups(module).into_iter().map(|tests| {
            self.build(&tests);
            self.run(&tests, limit)
        });
        let outcome = outcomes.find(|&outcome| outcome != Outcome::Passed).unwrap_or(Outcome::Passed);
        fs::write(&path, text).expect("the copy can be written");
        outcome
    }

    /// Returns the tests for a module, in groups of which each runs only if those before it passed.
    fn groups(&self, module: &'static str) -> Vec<Tests> {
        let all = |targets| Tests { targets, modules: Vec::new() };
        let units = |modules: &[&'static str]| Tests { targets: UNITS, modules: modules.to_vec() };
        let users = BUILT_ON.iter().filter(|(used, _)| *used == module);
        let quick_and_own = [all(QUICK), units(&[module])].into_iter();
        if self.tests_module_alone(module) {
            quick_and_own.chain(users.map(|(_, users)| units(users))).collect()
        } else {
            quick_and_own.chain([all(SLOW), all(UNITS)]).collect()
        }
    }

    /// Returns whether only the quick tests and the unit tests of `module` and its users run. The slow tests run few queries.
    fn tests_module_alone(&self, module: &str) -> bool {
        match self.effort {
            Effort::Quick => true,
            Effort::Short => module == "query",
            Effort::Thorough => false,
        }
    }

    /// Returns how long a group of tests for `module` may take. The first time, they are run before anything is broken.
    fn limit(&mut self, module: &'static str) -> Duration {
        let key = if self.tests_module_alone(module) { module } else { "" };
        if let Some(&limit) = self.limits.get(key) {
            return limit;
        }
        let mut duration = Duration::ZERO;
        for tests in self.groups(module) {
            self.build(&tests);
            let start = Instant::now();
            assert_eq!(self.run(&tests, Duration::MAX), Outcome::Passed, "before anything is broken");
            duration += start.elapsed();
        }
        *self.limits.entry(key).or_insert(LEAST_LIMIT.max(PATIENCE * duration))
    }

    /// Compiles `tests`, which must succeed.
    fn build(&self, tests: &Tests) {
        let build = self.cargo(tests).arg("--no-run").output().expect("cargo can be run");
        assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));
    }

    /// Runs `tests`, which are compiled, until one fails.
    fn run(&self, tests: &Tests, limit: Duration) -> Outcome {
        let mut command = self.cargo(tests);
        command.arg("--").args(tests.modules.iter().map(|module| format!("{module}::")));
        // A process group, so that ending cargo ends the tests, too.
        command.stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0);
        let mut tests = command.spawn().expect("cargo can be run");
        let output = BufReader::new(tests.stdout.take().expect("a pipe"));
        // The first test that fails decides.
        let (first_failure, until_failure) = mpsc::channel();
        let reader = thread::spawn(move || {
            let failure = output.lines().map_while(Result::ok).find(|line| line.ends_with("FAILED"));
            first_failure.send(failure.is_some()).ok();
        });
        let outcome = match until_failure.recv_timeout(limit) {
            Ok(true) => Outcome::Failed,
            Ok(false) => Outcome::Passed,
            Err(_) => Outcome::TooLong,
        };
        if outcome != Outcome::Passed {
            // It may have ended by itself.
            kill_process_group(Pid::from_child(&tests), Signal::KILL).ok();
        }
        let status = tests.wait().expect("cargo is there");
        reader.join().expect("the output ends");
        if outcome == Outcome::Passed && !status.success() { Outcome::Failed } else { outcome }
    }

    /// Returns the command that compiles the targets of `tests` in the copy, and runs them.
    fn cargo(&self, tests: &Tests) -> Command {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(["test", "--package=fjson-cli"]).args(tests.targets).current_dir(&self.folder);
        command.env("CARGO_TARGET_DIR", self.folder.join("target")).env("CARGO_INCREMENTAL", "1");
        command.env("FJSON_CORPUS", corpus()).env("RUSTFLAGS", "--allow=unused");
        command.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_PROFILE_TEST_DEBUG", "0");
        match self.effort {
            Effort::Quick => {
                command.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0").env("CARGO_PROFILE_TEST_OPT_LEVEL", "0");
                command.env("FJSON_FUZZ_N", "4");
            }
            Effort::Short => {
                command.env("CARGO_PROFILE_TEST_OPT_LEVEL", "1").env("FJSON_FUZZ_SECONDS", "1");
            }
            Effort::Thorough => {
                let seconds = env::var_os("FJSON_FUZZ_SECONDS").unwrap_or_else(|| "10".into());
                command.env("FJSON_FUZZ_SECONDS", seconds).env("FJSON_THOROUGH", "1");
            }
        }
        command
    }
}

/// The rules that `FJSON_BROKEN` selects.
fn wanted_rules() -> Vec<&'static Rule> {
    let wanted = env::var("FJSON_BROKEN").unwrap_or_default();
    let part = wanted
        .split_once('/')
        .and_then(|(part, parts)| Some((part.parse::<usize>().ok()?, parts.parse::<usize>().ok()?)));
    match part {
        // Neighbours are in different parts.
        Some((part, parts)) => RULES.iter().skip(part - 1).step_by(parts).collect(),
        None => RULES.iter().filter(|(file, ..)| file.contains(&wanted)).collect(),
    }
}

/// If the tests take this many times as long as before, they count as failed: without the rule they may not end.
const PATIENCE: u32 = 3;
/// They may take at least this long.
const LEAST_LIMIT: Duration = Duration::from_secs(20);

#[derive(Clone, Copy, PartialEq, Debug)]
enum Outcome {
    Passed,
    Failed,
    TooLong,
}

/// The folder of the suites, as the tests outside of the copy find it.
fn corpus() -> PathBuf {
    let folders = ["corpus/data", "../shared/corpus"].map(|folder| suites::root().join(folder));
    let found = folders.into_iter().find(|folder| folder.is_dir()).unwrap_or_default();
    env::var_os("FJSON_CORPUS").map_or(found, PathBuf::from)
}

fn copy_all(from: &Path, to: &Path) {
    if from.file_name() == Some(OsStr::new("data")) || !from.exists() {
        return;
    }
    if from.is_dir() {
        fs::create_dir_all(to).expect("a folder in the copy");
        for entry in fs::read_dir(from).expect("a folder of the project") {
            let name = entry.expect("an entry").file_name();
            copy_all(&from.join(&name), &to.join(&name));
        }
    } else {
        fs::create_dir_all(to.parent().expect("a folder")).expect("a folder in the copy");
        fs::copy(from, to).expect("a file of the copy");
    }
}
