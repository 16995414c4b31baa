//! Differences as lines for people: where, the old and the new value, and how many there are.

#![forbid(unsafe_code)]

use crate::args::diff::Diff;
use crate::commands::diff::guard_colors;
use crate::commands::diff::is_colored;
use crate::exit::RunError;
use crate::figures::Count;
use crate::sanitize;
use crate::target::Target;
use fjson::Kind;
use fjson::Layout;
use fjson::Value;
use fjson::Writer;
use fjson::scalar::Escape;
use fjson::scalar::escape;
use std::mem;

/// The most characters of a value that is not abridged.
const SHORT: usize = 60;

/// The most bytes that are looked at to see whether a value is as short as that.
const MOST_LOOKED_AT: usize = 8 * SHORT;

/// Bytes that are collected before they are written.
const BUFFER: usize = 64 * 1024;

/// What is shown for the whole document.
const ROOT: &str = "(root)";

/// SGR parameters of added, removed and other values, and of equal ones and the summary.
const ADDED: &str = "32";
const REMOVED: &str = "31";
const CHANGED: &str = "33";
const DIM: &str = "2";

/// Lines that are written.
pub struct Lines {
    text: Vec<u8>,
    is_full: bool,
    is_colored: bool,
    is_terminal: bool,
    added: usize,
    removed: usize,
    changed: usize,
}

impl Lines {
    pub fn new(arguments: &Diff, target: &Target) -> Self {
        let is_colored = is_colored(arguments.color);
        guard_colors(is_colored, target);
        let is_terminal = target.is_terminal();
        Self { text: Vec::new(), is_full: arguments.full, is_colored, is_terminal, added: 0, removed: 0, changed: 0 }
    }

    /// Adds a difference. `record` is the key of the record that it is in, if records have one.
    pub fn difference(&mut self, record: &str, pointer: &str, old: Option<Value<'_, '_>>, new: Option<Value<'_, '_>>) {
        let (mark, color) = match (old, new) {
            (None, _) => ("+", ADDED),
            (_, None) => ("-", REMOVED),
            _ => ("~", CHANGED),
        };
        match mark {
            "+" => self.added += 1,
            "-" => self.removed += 1,
            _ => self.changed += 1,
        }
        let place = place(record, pointer);
        match (old, new) {
            (Some(old), Some(new)) => {
                let note = note(old, new);
                let (shown_old, shown_new) = (self.shown(old), self.shown(new));
                if shown_old.contains('\n') || shown_new.contains('\n') {
                    self.line(mark, color, &format!("{place}:{note}"));
                    self.value("-", REMOVED, &shown_old);
                    self.value("+", ADDED, &shown_new);
                } else {
                    self.line(mark, color, &format!("{place}: {shown_old} → {shown_new}{note}"));
                }
            }
            (one, other) => {
                let shown = one.or(other).map(|value| self.shown(value)).unwrap_or_default();
                if shown.contains('\n') {
                    self.line(mark, color, &format!("{place}:"));
                    self.value(mark, color, &shown);
                } else {
                    self.line(mark, color, &format!("{place}: {shown}"));
                }
            }
        }
    }

    /// Adds an item that is equal, near to a difference.
    pub fn context(&mut self, record: &str, pointer: &str, value: Option<Value<'_, '_>>) {
        let shown = value.map(|value| self.shown(value)).unwrap_or_default();
        if shown.contains('\n') {
            self.line(" ", DIM, &format!("{}:", place(record, pointer)));
            self.value(" ", DIM, &shown);
        } else {
            self.line(" ", DIM, &format!("{}: {shown}", place(record, pointer)));
        }
    }

    /// Adds the lines of a value.
    fn value(&mut self, mark: &str, color: &str, shown: &str) {
        for line in shown.lines() {
            self.line(mark, color, &format!("  {line}"));
        }
    }

    fn line(&mut self, mark: &str, color: &str, text: &str) {
        if self.is_colored {
            self.text.extend_from_slice(format!("\x1b[{color}m").as_bytes());
        }
        self.text.extend_from_slice(mark.as_bytes());
        self.text.push(b' ');
        if self.is_terminal {
            sanitize::escape(text.as_bytes(), &mut self.text);
        } else {
            self.text.extend_from_slice(text.as_bytes());
        }
        self.text.extend_from_slice(if self.is_colored { b"\x1b[0m\n" } else { b"\n" });
    }

    /// Returns the text of a value, whole or abridged.
    fn shown(&self, value: Value<'_, '_>) -> String {
        let raw = value.raw();
        if raw.len() <= MOST_LOOKED_AT || self.is_full {
            let compact = written(value, None);
            let is_short = compact.chars().nth(SHORT).is_none();
            if is_short || self.is_full && !matches!(value.kind(), Kind::Array | Kind::Object) {
                return compact;
            }
        }
        match value.kind() {
            Kind::Array | Kind::Object if self.is_full => written(value, Some(Layout::spaces(2))),
            Kind::Array => format!("[… {}]", things(value.len(), "element")),
            Kind::Object => format!("{{… {}}}", things(value.len(), "member")),
            _ => {
                let mut shown: String = raw.chars().take(SHORT).collect();
                // An escape is not cut.
                if let Some(escape) = shown.rfind('\\').filter(|&escape| shown.len() - escape < 6) {
                    shown.truncate(escape);
                    shown.truncate(shown.trim_end_matches('\\').len());
                }
                let quote = if value.kind() == Kind::String { "\"" } else { "" };
                format!("{shown}…{quote} ({})", things(raw.chars().count() - 2 * quote.len(), "character"))
            }
        }
    }

    /// Writes the lines that were added if they are many.
    pub fn write_full(&mut self, target: &mut Target) -> Result<(), RunError> {
        if self.text.len() < BUFFER {
            return Ok(());
        }
        target.print(mem::take(&mut self.text))
    }

    /// Writes all lines, and a summary if there are differences.
    pub fn end(mut self, target: &mut Target) -> Result<(), RunError> {
        let count = self.added + self.removed + self.changed;
        if count > 0 {
            let kinds = [(self.changed, "changed"), (self.removed, "removed"), (self.added, "added")];
            let kinds = kinds.iter().filter(|kind| kind.0 > 0);
            let kinds: Vec<_> = kinds.map(|(count, kind)| format!("{} {kind}", Count(*count))).collect();
            let summary = format!("{}: {}", things(count, "difference"), kinds.join(", "));
            if self.is_colored {
                self.text.extend_from_slice(format!("\x1b[{DIM}m{summary}\x1b[0m\n").as_bytes());
            } else {
                self.text.extend_from_slice(format!("{summary}\n").as_bytes());
            }
        }
        target.print(&self.text)
    }
}

/// Says why an object was compared as a whole: no JSON Pointer leads to its members.
fn note(old: Value<'_, '_>, new: Value<'_, '_>) -> &'static str {
    if [old, new].iter().any(|value| value.kind() != Kind::Object) {
        return "";
    }
    let has_surrogate = |object: &Value<'_, '_>| object.members().any(|member| member.key.as_str().is_none());
    if [old, new].iter().any(has_surrogate) {
        " (compared as a whole: a key has a lone surrogate)"
    } else {
        " (compared as a whole: duplicate keys)"
    }
}

fn things(count: usize, noun: &str) -> String {
    format!("{} {noun}{}", Count(count), if count == 1 { "" } else { "s" })
}

/// Returns the text of a value, compact if there is no layout.
fn written(value: Value<'_, '_>, layout: Option<Layout>) -> String {
    let writer = Writer::new(Vec::new());
    let mut writer = if let Some(layout) = layout { writer.layout(layout) } else { writer };
    writer.value(value);
    // It is of checked text, so it can be written and is a text.
    String::from_utf8(writer.finish().unwrap_or_default()).unwrap_or_default()
}

/// Returns a place, with control characters in keys as their escapes.
fn place(record: &str, pointer: &str) -> String {
    let mut shown = Vec::new();
    let pointer = if pointer.chars().any(char::is_control) && escape(pointer, Escape::minimal(), &mut shown).is_ok() {
        String::from_utf8(shown).unwrap_or_default()
    } else {
        pointer.to_owned()
    };
    match (record, pointer.as_str()) {
        ("", "") => ROOT.to_owned(),
        ("", pointer) => pointer.to_owned(),
        (record, "") => record.to_owned(),
        (record, pointer) => format!("{record} {pointer}"),
    }
}
