//! What the extension of a file name says: JSON, records on lines, compressed. Capitals make no difference.

#![forbid(unsafe_code)]

use std::ffi::OsStr;
use std::path::Path;

const JSON_EXTENSIONS: [&str; 5] = ["json", "jsonc", "jsonl", "ndjson", "geojson"];

/// Extensions that may follow one of [`JSON_EXTENSIONS`].
const COMPRESSED_EXTENSIONS: [&str; 4] = ["gz", "zst", "bz2", "xz"];

/// Whether the file name has an extension of JSON files, also if it is compressed.
pub fn is_json(path: &Path) -> bool {
    let extension = json_extension(path).unwrap_or_default();
    JSON_EXTENSIONS.iter().any(|json| extension.eq_ignore_ascii_case(json))
}

/// Returns the extension of a file name, without the extension of a compressed file.
pub fn json_extension(path: &Path) -> Option<&OsStr> {
    if is_compressed(path) { path.file_stem().map(Path::new).and_then(Path::extension) } else { path.extension() }
}

/// Whether the file name has the extension of a compressed file.
pub fn is_compressed(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| COMPRESSED_EXTENSIONS.iter().any(|format| extension.eq_ignore_ascii_case(format)))
}

/// Whether the extension is one of JSON Lines.
pub fn is_json_lines(extension: &OsStr) -> bool {
    extension.eq_ignore_ascii_case("jsonl") || extension.eq_ignore_ascii_case("ndjson")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_json_files_are_recognized() {
        for name in
            ["a.json", "a.jsonc", "dir/a.jsonl", "a.ndjson.gz", "a.geojson", "a.json.zst", "a.json.bz2", "a.json.xz"]
        {
            assert!(is_json(Path::new(name)) && is_json(Path::new(&name.to_uppercase())), "{name}");
        }
        for (name, is_lines) in [("A.JSONL", true), ("a.NdJson.GZ", true), ("A.JSON", false), ("jsonl", false)] {
            let extension = json_extension(Path::new(name)).unwrap_or_default();
            assert_eq!(is_json_lines(extension), is_lines, "{name}");
        }
        for name in ["json", "a.gz", "a.json.txt", "$.json[0]", ""] {
            assert!(!is_json(Path::new(name)), "{name}");
        }
    }
}
