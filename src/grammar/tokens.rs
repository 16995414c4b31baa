//! Which token may follow which, and whether a container is an object or an array, without a stack.
//!
//! A comma, a colon or a bracket looks ahead over whitespace (and over whole strings) by a carry that runs through them.
//! That ties every colon to exactly one `{` or `,` with one string between, and makes each *segment*, the stretch between
//! two brackets, declare itself: a colon is evidence of an object; an opener or comma that no `"name":` follows is evidence
//! of an array. What is left for the stack is to compare the kinds of segments across closers.

#![forbid(unsafe_code)]

use crate::grammar::classes::Masks;
use crate::grammar::scan_through;
use crate::kernel::Kernel;
use crate::kernel::Word;

/// Where a walk begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// In front of a document.
    Document,
    /// Behind a comma of a container; `object` says of which kind, if that is known.
    Comma {
        /// Whether the comma belongs to an object.
        object: Option<bool>,
    },
}

/// What a superblock leaves to the next.
#[derive(Clone, Copy)]
pub(crate) struct Carry<W> {
    value_end: W,
    separator: W,
    colon: W,
    /// Openers of objects and commas.
    name_place: W,
    object_evidence: W,
    array_evidence: W,
    after_value: W,
    /// Whether a value must follow: after a separator, or with `LAYOUT` after a comma only.
    after_separator: W,
    after_colon: W,
    name_run: u32,
    object_run: u32,
    array_run: u32,
}

impl<W: Word> Carry<W> {
    /// The virtual token in front of the first byte: something a value must follow. With `layout` it is a colon, so that a
    /// document's root stands behind a space.
    #[inline(always)]
    pub(super) fn start<K: Kernel<Word = W>>(kernel: K, start: Start, layout: bool) -> Self {
        let zero = kernel.splat(0);
        let document = start == Start::Document;
        let colon = document && layout;
        Self {
            value_end: zero,
            separator: zero,
            colon: zero,
            name_place: zero,
            object_evidence: zero,
            array_evidence: zero,
            after_value: zero,
            after_separator: kernel.carry(u32::from(!colon)),
            after_colon: kernel.carry(u32::from(colon)),
            name_run: u32::from(!document),
            // In front of a document both run, so that a comma or colon outside all brackets lands on either.
            object_run: u32::from(document || start == Start::Comma { object: Some(true) }),
            array_run: u32::from(document || start == Start::Comma { object: Some(false) }),
        }
    }

    /// The kind of the container at the end of the superblock, if anything since the last closer told it. Evidence of an
    /// array may be the comma that is the last byte, which has not begun to run yet.
    pub(super) fn object(&self) -> Option<bool> {
        if self.object_run != 0 {
            Some(true)
        } else if self.array_run | self.array_evidence.last() != 0 {
            Some(false)
        } else {
            None
        }
    }

    /// Whether a document may end here, with whitespace as its last byte and `brackets` telling whether it had any. Inside a
    /// string nothing stands behind a value.
    #[inline(always)]
    pub(super) fn may_end(&self, brackets: bool) -> bool {
        self.after_value.last() == 1
            && self.after_separator.last() | self.after_colon.last() == 0
            && self.name_run == 0
            && !(brackets && self.object_run | self.array_run != 0)
    }
}

/// What a superblock hands to the stack.
#[derive(Clone, Copy)]
pub(crate) struct Brackets<W> {
    pub(crate) all: W,
    pub(crate) open: W,
    /// At each bracket: whether the segment before it belongs to an object.
    pub(crate) object: W,
}

/// What a superblock hands to the layout: a byte of `events` has something inserted before it, a space if it is one of
/// `spaces` and otherwise a line break with indentation.
#[derive(Clone, Copy)]
pub(crate) struct Layout<W> {
    pub(crate) events: W,
    pub(crate) spaces: W,
}

/// The positions at which a token stands where it must not, and what the stack and the layout need.
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
    errors = errors | after_separator & close;

    // From each place for a name over whitespace and whole strings: it must land on a colon in an object.
    let name_place = comma | open_object;
    let name_run = whitespace | in_string | quotes;
    let name_end = name_place.advance::<1>(carry.name_place).add(name_run, &mut carry.name_run) & !name_run;
    carry.name_place = name_place;
    errors = errors | colon & !name_end;
    let no_name = name_end & !colon & !(close_object & !after_value);
    errors = errors | no_name & close_object;

    // Inside a segment all evidence must agree, from its opening bracket on and up to its closing one.
    let silent = !(colon | no_name | bracket);
    let object_evidence = colon | open_object;
    let object_end = object_evidence.advance::<1>(carry.object_evidence).add(silent, &mut carry.object_run) & !silent;
    carry.object_evidence = object_evidence;
    errors = errors | object_end & (no_name | close_array);
    let array_evidence = no_name & !bracket | open_array;
    let array_end = array_evidence.advance::<1>(carry.array_evidence).add(silent, &mut carry.array_run) & !silent;
    carry.array_evidence = array_evidence;
    errors = errors | array_end & (colon | close_object);

    // An opener behind a colon stands in an object, one behind a comma or `[` in an array.
    let object = close_object | open & after_separator & !name_end;
    let brackets = Brackets { all: bracket, open, object };
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
    fn nothing_stands_between_values_but_a_comma() {
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
    fn commas_and_colons_stand_behind_values_and_in_front_of_them() {
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
    fn a_name_and_a_colon_stand_in_an_object() {
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
    fn no_colon_stands_in_an_array() {
        pictures::check(
            r#"
            text       [ " a " : 1 ] , [ 1 , " a " : 2 ]
            bad_token  . . . . x . x . . . . . . . x . x
            "#,
        );
    }

    #[test]
    fn closers_are_of_the_kind_of_what_is_in_front_of_them() {
        pictures::check(
            r#"
            text       [ 1 } , [ } , { " a " : 1 ] , { ] , [ " : … " }
            bad_token  . . x . . x . . . . . . . x . . x . . . . … . x
            "#,
        );
    }

    #[test]
    fn nothing_stands_outside_brackets_but_one_value() {
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
