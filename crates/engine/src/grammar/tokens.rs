//! Checks which token may follow which, and determines without a stack whether each container is an object or an array.
//!
//! From a comma, colon or bracket, a carry runs over whitespace (and over complete strings) to the next token. This ties every
//! colon to exactly one `{` or `,` with one string in between. It also determines the kind of each *segment*, the tokens between
//! two brackets: a colon is evidence of an object; a comma or `[` that no `"key":` follows is evidence of an array. The stack only
//! has to compare the kinds of the segments before and after a nested container.

#![forbid(unsafe_code)]

use crate::grammar::classes::Masks;
use crate::grammar::scan_through;
use crate::kernel::Kernel;
use crate::kernel::Word;

/// The position at which checking starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// At the start of a document.
    Document,
    /// After a comma inside a container.
    Comma {
        /// Whether the container is an object; `None` if that is unknown.
        object: Option<bool>,
    },
}

/// State between two superblocks.
#[derive(Clone, Copy)]
pub(crate) struct Carry<W> {
    value_end: W,
    separator: W,
    colon: W,
    /// Commas and `{`: a key may follow them.
    key_place: W,
    object_evidence: W,
    array_evidence: W,
    after_value: W,
    /// Whether a comma or colon was the last token. With `layout`, only whether a comma was.
    after_separator: W,
    /// With `layout`: whether a colon was the last token.
    after_colon: W,
    key_run: u32,
    object_run: u32,
    array_run: u32,
}

impl<W: Word> Carry<W> {
    /// Returns the state at a start. It acts as if the token before it requires a value. With `layout`, the token before a document
    /// is a colon, so that the root value is preceded by a space.
    #[inline(always)]
    pub(super) fn start<K: Kernel<Word = W>>(kernel: K, start: Start, layout: bool) -> Self {
        let zero = kernel.splat(0);
        let document = start == Start::Document;
        let colon = document && layout;
        Self {
            value_end: zero,
            separator: zero,
            colon: zero,
            key_place: zero,
            object_evidence: zero,
            array_evidence: zero,
            after_value: zero,
            after_separator: kernel.carry(u32::from(!colon)),
            after_colon: kernel.carry(u32::from(colon)),
            key_run: u32::from(!document),
            // At the start of a document both run, so that a comma or colon at the top level contradicts one of them.
            // mutant: object_run: u32::from(start == Start::Comma { object: Some(true) }),
            object_run: u32::from(document || start == Start::Comma { object: Some(true) }),
            // mutant: array_run: u32::from(start == Start::Comma { object: Some(false) }),
            array_run: u32::from(document || start == Start::Comma { object: Some(false) }),
        }
    }

    /// Returns whether the container at the end of the superblock is an object, if there was evidence since the last closing
    /// bracket. Evidence in the last byte is not yet part of `array_run`, so `array_evidence` is tested as well.
    pub(super) fn object(&self) -> Option<bool> {
        if self.object_run != 0 {
            Some(true)
        // mutant: } else if self.array_run != 0 {
        } else if self.array_run | self.array_evidence.last() != 0 {
            Some(false)
        } else {
            None
        }
    }

    /// Returns whether a document may end here. The last byte must have been whitespace, inside or outside a string. `brackets`
    /// tells whether the document had any.
    #[inline(always)]
    pub(super) fn may_end(&self, brackets: bool) -> bool {
        self.after_value.last() == 1
            && self.after_separator.last() | self.after_colon.last() == 0
            // mutant:
            && self.key_run == 0
            && !(brackets && self.object_run | self.array_run != 0)
    }
}

/// The masks of a superblock for the nesting stack.
#[derive(Clone, Copy)]
pub(crate) struct Brackets<W> {
    pub(crate) all: W,
    pub(crate) open: W,
    /// For each bracket, whether the segment before it belongs to an object.
    pub(crate) object: W,
}

/// The masks of a superblock for pretty-printing. Before each byte of `events`, a space is inserted if the byte is also in
/// `spaces`, and otherwise a line break and indentation.
#[derive(Clone, Copy)]
pub(crate) struct Layout<W> {
    pub(crate) events: W,
    pub(crate) spaces: W,
}

/// Returns the positions of misplaced tokens, and the masks for the nesting stack and for pretty-printing.
#[inline(always)]
pub(super) fn check<W: Word>(carry: &mut Carry<W>, masks: &Masks<W>, layout: bool) -> (W, Brackets<W>, Layout<W>) {
    let Masks { in_string, quotes, whitespace, comma, colon, open, close, curly, scalar, scalar_start, .. } = *masks;
    let full = whitespace.any_lane_full();
    let open_object = open & curly;
    let open_array = open & !curly;
    let close_object = close & curly;
    let close_array = close & !curly;
    let bracket = open | close;
    let value_start = in_string & quotes | scalar_start | open;
    let value_end = scalar | quotes & !in_string | close;

    let after_value = scan_through(value_end.advance::<1>(carry.value_end), whitespace, full, &mut carry.after_value);
    carry.value_end = value_end;
    // mutant: let mut errors = after_value & value_start;
    // mutant: let mut errors = (comma | colon) & !after_value;
    let mut errors = after_value & value_start | (comma | colon) & !after_value;

    let separator = if layout { comma } else { comma | colon };
    let mut after_separator =
        scan_through(separator.advance::<1>(carry.separator), whitespace, full, &mut carry.after_separator);
    carry.separator = separator;
    let mut spaces = after_separator;
    if layout {
        let after_colon = scan_through(colon.advance::<1>(carry.colon), whitespace, full, &mut carry.after_colon);
        carry.colon = colon;
        spaces = after_colon & value_start;
        after_separator = after_separator | after_colon;
    }
    // mutant:
    errors = errors | after_separator & close;

    // From each place where a key may follow, over whitespace and complete strings. In an object this must end at a colon.
    let key_place = comma | open_object;
    let key_run = whitespace | in_string | quotes;
    let key_end = key_place.advance::<1>(carry.key_place).add(key_run, &mut carry.key_run) & !key_run;
    carry.key_place = key_place;
    // mutant:
    errors = errors | colon & !key_end;
    let no_key = key_end & !colon & !(close_object & !after_value);
    // mutant:
    errors = errors | no_key & close_object;

    // All evidence within a segment must agree, including that of the brackets at its start and end.
    let silent = !(colon | no_key | bracket);
    let object_evidence = colon | open_object;
    let object_end = object_evidence.advance::<1>(carry.object_evidence).add(silent, &mut carry.object_run) & !silent;
    carry.object_evidence = object_evidence;
    // mutant:
    errors = errors | object_end & (no_key | close_array);
    let array_evidence = no_key & !bracket | open_array;
    let array_end = array_evidence.advance::<1>(carry.array_evidence).add(silent, &mut carry.array_run) & !silent;
    carry.array_evidence = array_evidence;
    // mutant:
    errors = errors | array_end & (colon | close_object);

    // An opening bracket after a colon is in an object. One after a comma or `[` is in an array.
    let object = close_object | open & after_separator & !key_end;
    let brackets = Brackets { all: bracket, open, object };
    // mutant: (errors, brackets, Layout { events: value_start | close, spaces })
    (errors, brackets, Layout { events: value_start | close & after_value, spaces })
}

#[cfg(test)]
mod tests {
    use crate::grammar::pictures;

    #[test]
    fn a_document() {
        pictures::check(
            r#"
            text       { ␠ " a " ␠ : ␠ [ 1 , ␠ 2 ] , ␠ " b " : { } , " c " : ␠ [ ␠ ] ␠ } ␊
            bad_token  . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .
            object     x . . . . . . . x . . . . . . . . . . . x x . . . . . . x . . . x .
            events     x . x . . . . . x x . . x x . . x . . . x . . x . . . . x . . . x .
            spaces     x . . . . . . . x . . . . . . . . . . . x . . . . . . . x . . . . .
            "#,
        );
        pictures::check(
            r#"
            text       [ [ ] , { } , [ 1 , [ ␠ … ] , " " ] , { " " ␠ … : ␊ … 0 } ]
            bad_token  . . . . . . . . . . . . … . . . . . . . . . . … . . … . . .
            object     x . . . . x . . . . . . … . . . . . . . . . . … . . … . x .
            events     x x . . x . . x x . x . … . . x . x . x x . . … . . … x x x
            spaces     x . . . . . . . . . . . … . . . . . . . . . . … . . … x . .
            "#,
        );
    }

    #[test]
    fn only_a_comma_separates_values() {
        pictures::check(
            r#"
            text       [ 1 ␠ 2 , " a " " b " , [ ] [ ] , { } 3 , t r u e " c " ]
            bad_token  . . . x . . . . x . . . . . x . . . . x . . . . . x . . .
            "#,
        );
        pictures::check(
            r"
            text       1 ␠ … 2
            bad_token  . . … x
            ",
        );
    }

    #[test]
    fn commas_and_colons_are_between_values() {
        pictures::check(
            r"
            text       [ 1 , ] , [ , 1 ] , [ 1 , ␠ … , 2 , ␠ … ]
            bad_token  . . . x . . x . . . . . . . … x . . . … x
            ",
        );
        pictures::check(
            r#"
            text       { " a " : } , { " a " : 1 , } , { : 1 }
            bad_token  . . . . . x . . . . . . . . x . . x . .
            "#,
        );
    }

    #[test]
    fn object_members_have_a_key_and_a_colon() {
        pictures::check(
            r#"
            text       { " a " } , { 1 : 2 } , { " a " , " b " : 1 }
            bad_token  . . . . x . . x x . . . . . . . x . . . x . .
            "#,
        );
        pictures::check(
            r#"
            text       { " a " " b " : 1 } , { " a " : 1 , 2 } , { " a " : : 1 }
            bad_token  . . . . x . . . . . . . . . . . . . x x . . . . . . x . .
            "#,
        );
        pictures::check(
            r#"
            text       { " a " : 1 : 2 } , { " a " : [ ] , " b " } , { " a " : [ ] , 3 }
            bad_token  . . . . . . x . . . . . . . . . . . . . . x . . . . . . . . . . x
            "#,
        );
        pictures::check(
            r#"
            text       { " [ … " ␠ … : 1 , " , … " ␠ … 2 }
            bad_token  . . . … . . … . . . . . … . . … x x
            "#,
        );
    }

    #[test]
    fn arrays_have_no_colons() {
        pictures::check(
            r#"
            text       [ " a " : 1 ] , [ 1 , " a " : 2 ]
            bad_token  . . . . x . x . . . . . . . x . x
            "#,
        );
    }

    #[test]
    fn closing_brackets_match_the_segment_before_them() {
        pictures::check(
            r#"
            text       [ 1 } , [ } , { " a " : 1 ] , { ] , [ " : … " }
            bad_token  . . x . . x . . . . . . . x . . x . . . . … . x
            "#,
        );
    }

    #[test]
    fn only_one_value_at_the_top_level() {
        for picture in [
            "text 1 , 2\n bad_token . . x",
            "text , 1\n bad_token x x",
            "text : 1\n bad_token x .",
            "text 1 : 2\n bad_token . x .",
            "text 1 ␠ … , ␠ … [ 2 ]\n bad_token . . … . . … x . .",
        ] {
            pictures::check(picture);
        }
    }
}
