//! Name of an input or output: sanitized in messages, a URI in reports, and unchanged bytes for the file system.

#![forbid(unsafe_code)]

use crate::sanitize;
use std::fmt;
use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::path::PathBuf;

/// Name of an input or output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Name {
    Stdin,
    Stdout,
    Path(PathBuf),
}

impl Name {
    /// Returns the bytes of the path, or a placeholder for a standard stream.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Stdin => b"<stdin>",
            Self::Stdout => b"<stdout>",
            Self::Path(path) => path.as_os_str().as_bytes(),
        }
    }

    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Path(path) => Some(path),
            Self::Stdin | Self::Stdout => None,
        }
    }

    /// Returns a URI reference (RFC 3986): a `file:` URI (RFC 8089) for an absolute path, otherwise a relative reference. All
    /// characters except ASCII letters, digits and `/.-_~` are percent-encoded.
    pub fn uri(&self) -> String {
        let mut uri = String::new();
        if self.path().is_some_and(Path::is_absolute) {
            uri.push_str("file://");
        }
        for &byte in self.bytes() {
            if byte.is_ascii_alphanumeric() || b"/.-_~".contains(&byte) {
                uri.push(char::from(byte));
            } else {
                // Writing to a string cannot fail.
                write!(uri, "%{byte:02X}").ok();
            }
        }
        uri
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&sanitize::bytes(self.bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;

    #[test]
    fn a_uri_is_percent_encoded() {
        let name = Name::Path(PathBuf::from(OsStr::from_bytes(b"dir/a b%\xff.json")));
        assert_eq!(name.uri(), "dir/a%20b%25%FF.json");
        let name = Name::Path(PathBuf::from("/tmp/a:b.json"));
        assert_eq!(name.uri(), "file:///tmp/a%3Ab.json");
    }
}
