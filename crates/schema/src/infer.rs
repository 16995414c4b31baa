//! Writes a schema of the documents whose structure was collected.
//!
//! The schema has one subschema for each place of the structure. Keywords of JSON Schema apply to values of one type and ignore others,
//! so a place with values of several types needs no alternatives: `properties` beside `maxLength` is right.

#![forbid(unsafe_code)]

use fjson::Layout;
use fjson::Structure;
use fjson::Writer;
use fjson::scalar::Number;
use fjson::stats::Place;
use fjson::stats::Step;
use fjson::stats::Texts;

use crate::builder::MAX_DEPTH;
use crate::draft::Draft;
use crate::words::counted;

/// How often each string must occur on average, so that an `enum` lists the strings at a place.
const REPEATED: u64 = 10;
const REPEATED_IN_STRICT: u64 = 2;

/// Levels of values that are described, at most: each takes two levels of a schema, which then can still be compiled.
const MAX_LEVELS: u64 = MAX_DEPTH / 2 - 2;

/// What an inferred schema accepts beside the documents that it was inferred from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strictness {
    /// Any values of the same types. Numbers may have fractions, all members may be missing, and where there was only `null`, anything
    /// may be.
    Loose,
    /// The same, but members that all objects have are required, integers are integers, strings have the format that all have, and
    /// where a few strings, or one number, occur again and again, ten times on average, there may be no others.
    #[default]
    Normal,
    /// The same, but there may be no other members, no greater and no lesser numbers, no arrays with more elements, and no longer and
    /// no shorter strings, unless they have a format or are the only ones; and two times is often enough for strings to be the only ones.
    Strict,
}

/// Returns a schema of draft 2020-12 that accepts the documents of a structure, for which
/// [`note_strings`](Structure::note_strings) was called, and [`merge_maps`](Structure::merge_maps) perhaps.
///
/// It accepts all documents that were read, as far as they are valid and have no duplicate keys; `strictness` says what else. Bounds that
/// `strictness` does not assert are in `$comment`; numbers that validators may round are never bounds. Values below the levels of the structure, or below 126, are not described. If there were too many paths
/// ([`unlisted_values`](Structure::unlisted_values)), nothing but the type of the documents is.
///
/// ```
/// use fjson::Options;
/// use fjson::Parser;
/// use fjson::Structure;
/// use fjson_schema::Schema;
/// use fjson_schema::Strictness;
/// use fjson_schema::infer;
/// use std::ops::ControlFlow;
///
/// let text = r#"{"id": 7, "tags": ["new"]}"#;
/// let mut structure = Structure::new().note_strings();
/// structure.read(text, &Options::new(), &mut |_| ControlFlow::Break(()))?;
/// let schema = Schema::compile(infer(&structure, Strictness::Normal), ())?;
/// let mut parser = Parser::new();
/// assert!(schema.is_valid(parser.document(text.as_bytes())?.root()));
/// assert!(schema.is_valid(parser.document(br#"{"id": 8, "tags": []}"#)?.root()));
/// assert!(!schema.is_valid(parser.document(br#"{"id": "8"}"#)?.root()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn infer(structure: &Structure, strictness: Strictness) -> String {
    let mut inference = Inference {
        strictness,
        level: 0,
        writer: Writer::new(Vec::new()).layout(Layout::spaces(2)),
        comments: Vec::new(),
    };
    inference.writer.begin_object();
    inference.writer.name("$schema").value(Draft::Draft202012.uri());
    inference.comments.push(format!("inferred from {}", counted(structure.documents(), "document")));
    if structure.unlisted_values() > 0 {
        inference.comments.push("there are too many paths to describe the values".to_owned());
        inference.write_types(&structure.root());
        inference.write_comments();
    } else {
        inference.write_keywords(&structure.root());
    }
    inference.writer.end();
    // The calls above are a complete document.
    inference.writer.finish().ok().and_then(|text| String::from_utf8(text).ok()).unwrap_or_default()
}

/// A schema that is being written.
struct Inference {
    strictness: Strictness,
    /// Number of levels around the present subschema.
    level: u64,
    writer: Writer<Vec<u8>>,
    /// What is to be written as the comment of the present subschema.
    comments: Vec<String>,
}

impl Inference {
    fn write(&mut self, place: &Place<'_>) {
        self.level += 1;
        self.writer.begin_object();
        self.write_keywords(place);
        self.writer.end();
        self.level -= 1;
    }

    fn write_keywords(&mut self, place: &Place<'_>) {
        self.write_types(place);
        let are_known = self.strictness > Strictness::Loose && self.write_values(place);
        self.write_bounds(place, are_known);
        self.write_comments();
        if self.level >= MAX_LEVELS {
            return;
        }
        let children = place.children();
        if let Some(element) = children.iter().find(|child| child.step() == Step::Element) {
            self.writer.name("items");
            self.write(element);
        }
        if let Some(member) = children.iter().find(|child| child.step() == Step::AnyMember) {
            self.writer.name("additionalProperties");
            self.write(member);
        } else if place.objects().count > 0 {
            self.write_members(place, &children);
        }
    }

    fn write_types(&mut self, place: &Place<'_>) {
        let numbers = place.numbers();
        let is_loose = self.strictness == Strictness::Loose;
        let number = if numbers.integers == numbers.count && !is_loose { "integer" } else { "number" };
        let all = [
            ("object", place.objects().count),
            ("array", place.arrays().count),
            ("string", place.strings().count),
            (number, numbers.count),
            ("boolean", place.trues() + place.falses()),
            ("null", place.nulls()),
        ];
        let types: Vec<_> = all.iter().filter(|(_, count)| *count > 0).map(|(name, _)| *name).collect();
        match types[..] {
            [] => {}
            ["null"] if is_loose => {}
            [only] => _ = self.writer.name("type").value(only),
            _ => {
                self.writer.name("type").begin_array();
                for name in types {
                    self.writer.value(name);
                }
                self.writer.end();
            }
        }
    }

    /// Writes the format of the strings, or which values there are. Returns whether one of this is known.
    fn write_values(&mut self, place: &Place<'_>) -> bool {
        if let Some(format) = place.format() {
            self.writer.name("format").value(format);
            return true;
        }
        let (strings, numbers) = (place.strings().count, place.numbers());
        // An `enum` applies to values of all types, so all of them must be known. Of numbers, the least and the greatest one are.
        let texts = if strings == 0 { Some(Vec::new()) } else { place.string_values() };
        let is_one = |number: &&str| numbers.greatest.as_deref() == Some(number) && is_exact(number);
        let number = if numbers.count == 0 { None } else { numbers.least.as_deref().filter(is_one) };
        let others = place.nulls() + place.trues() + place.falses();
        let counted = strings + number.map_or(0, |_| numbers.count);
        let Some(texts) = texts.filter(|_| counted > 0 && counted + others == place.count()) else { return false };
        let times = if self.strictness == Strictness::Strict { REPEATED_IN_STRICT } else { REPEATED };
        if (texts.len() as u64 + u64::from(number.is_some())) * times > counted {
            return false;
        }
        self.writer.name("enum").begin_array();
        for text in texts {
            self.writer.value(text);
        }
        if let Some(number) = number {
            self.writer.raw(number);
        }
        for (value, count) in [(true, place.trues()), (false, place.falses())] {
            if count > 0 {
                self.writer.value(value);
            }
        }
        if place.nulls() > 0 {
            self.writer.value(());
        }
        self.writer.end();
        strings > 0
    }

    /// Writes between which bounds the values are, or makes comments of that. The lengths of strings say little if more is known of
    /// them.
    fn write_bounds(&mut self, place: &Place<'_>, strings_are_known: bool) {
        let (strings, numbers, arrays) = (place.strings(), place.numbers(), place.arrays());
        let has_lengths = strings.count > 0 && !strings_are_known;
        if self.strictness == Strictness::Strict {
            if has_lengths {
                self.writer.name("minLength").value(strings.shortest).name("maxLength").value(strings.longest);
            }
            for (name, number) in [("minimum", &numbers.least), ("maximum", &numbers.greatest)] {
                if let Some(number) = number.as_deref().filter(|number| is_exact(number)) {
                    self.writer.name(name).raw(number);
                }
            }
            if arrays.count > 0 {
                if arrays.empty == 0 {
                    self.writer.name("minItems").value(1);
                }
                self.writer.name("maxItems").value(arrays.largest);
            }
            return;
        }
        if has_lengths {
            let Texts { shortest, longest, .. } = *strings;
            let least = if shortest == longest { String::new() } else { format!("{shortest} to ") };
            self.comments.push(least + &counted(longest, "character"));
        }
        if let (Some(least), Some(greatest)) = (&numbers.least, &numbers.greatest) {
            let (least, greatest) = (shortened(least), shortened(greatest));
            self.comments.push(if least == greatest { least } else { format!("{least} to {greatest}") });
        }
        if arrays.largest > 0 {
            self.comments.push(format!("up to {}", counted(arrays.largest, "element")));
        }
    }

    fn write_comments(&mut self) {
        let comment = self.comments.drain(..).collect::<Vec<_>>().join("; ");
        if !comment.is_empty() {
            self.writer.name("$comment").value(&comment);
        }
    }

    /// Writes what is known of the members of objects that are no maps.
    fn write_members(&mut self, place: &Place<'_>, children: &[Place<'_>]) {
        let mut members = Vec::new();
        for child in children {
            let Step::Member(key) = child.step() else { continue };
            // A key with a lone surrogate cannot be written, and validators do not agree on what it is.
            let Ok(key) = std::str::from_utf8(key) else { return };
            members.push((key, child));
        }
        if members.is_empty() && place.objects().members > 0 {
            // They have too many levels.
            return;
        }
        if !members.is_empty() {
            self.writer.name("properties").begin_object();
            for (key, member) in &members {
                self.writer.name(key);
                self.write(member);
            }
            self.writer.end();
        }
        if self.strictness == Strictness::Loose {
            return;
        }
        let mut required = members.iter().filter(|(_, member)| member.present() == member.parents()).peekable();
        if required.peek().is_some() {
            self.writer.name("required").begin_array();
            for (key, _) in required {
                self.writer.value(*key);
            }
            self.writer.end();
        }
        if self.strictness == Strictness::Strict {
            self.writer.name("additionalProperties").value(false);
        }
    }
}

/// Whether a number can be a bound, although validators round others. Doubles have the order of the numbers that they are made of. But
/// an integer that is no double may be less than the double of a fraction below it.
fn is_exact(text: &str) -> bool {
    if text.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit()) {
        return text.parse::<i64>().is_ok_and(|number| number.unsigned_abs() <= 1 << 53);
    }
    Number::new(text.as_bytes()).is_some_and(|number| number.keeps_digits_in_f64())
}

/// Returns a number, or the start of a long one.
fn shortened(number: &str) -> String {
    match number.split_at_checked(40) {
        Some((start, rest)) if !rest.is_empty() => format!("{start}…"),
        _ => number.to_owned(),
    }
}
