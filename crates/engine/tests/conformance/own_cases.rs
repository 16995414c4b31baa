//! Our own cases: the kind and offset of the error, for every production of RFC 8259.

use proof::cases;
use proof::reader;

use crate::everywhere;

/// Spaces before a case: enough for it to cross every border of the widest superblock.
const MOST_BLANKS: usize = 520;

#[test]
fn verdicts() {
    for case in cases::all() {
        assert_eq!(reader::read(&case.text, None), case.verdict, "{}", case.place);
        everywhere::agrees(&case.text);
        everywhere::shifted(&case.text, MOST_BLANKS);
    }
}
