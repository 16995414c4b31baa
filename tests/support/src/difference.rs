//! Differences of two documents: their patches make the second one.

use fjson::ArrayMatching;
use fjson::DiffOptions;
use fjson::Edits;
use fjson::Options;
use fjson::Parser;
use fjson::diff;

/// Compares two documents, which the first line feed divides.
///
/// # Panics
/// If the differences are not those of the documents.
pub fn check(text: &[u8]) {
    let Some(end) = text.iter().position(|&byte| byte == b'\n') else { return };
    let (mut left, mut right) = (Parser::new(), Parser::new());
    let (Ok(old), Ok(new)) = (left.document(&text[..end]), right.document(&text[end + 1..])) else { return };
    let (old, new) = (old.root(), new.root());
    let base = DiffOptions::new();
    for options in [base.clone(), base.clone().context(1), base.clone().arrays(ArrayMatching::Position)] {
        let changes = diff(old, new, &options).expect("enough memory");
        assert_eq!(changes.is_empty(), old == new, "{options:?}");
        let mut edits = Edits::new();
        edits.patch(&changes.to_patch()).expect("a patch");
        let mut patched = Vec::new();
        edits.apply(&text[..end], &mut patched, &Options::new()).expect("edits that can be made");
        assert!(Parser::new().document(&patched).expect("a document").root() == new, "{}", changes.to_patch());
        if let Some(merge) = changes.to_merge_patch() {
            let mut edits = Edits::new();
            edits.merge(&merge).expect("a document");
            let mut merged = Vec::new();
            edits.apply(&text[..end], &mut merged, &Options::new()).expect("edits that can be made");
            assert!(Parser::new().document(&merged).expect("a document").root() == new, "{merge}");
        }
        assert_eq!(changes.to_jd().is_empty(), changes.is_empty());
    }
    for options in [base.clone().arrays(ArrayMatching::Set), base.clone().arrays(ArrayMatching::Key("/a".to_owned()))] {
        let changes = diff(old, new, &options.clone().tolerance(1.0)).expect("enough memory");
        let exact = diff(old, new, &options).expect("enough memory");
        assert!(changes.is_empty() || !exact.is_empty(), "{options:?}");
    }
}
