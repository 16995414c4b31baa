//! Name of an input or output: sanitized in messages, a URI in reports, and unchanged bytes for the file system.

#![forbid(unsafe_code)]

use crate::sanitize;
use std::borrow::Cow;
use std::fmt;
use std::fmt::Write;
use std::path::Component;
use std::path::Path;
use std::path::PathBuf;
use std::path::is_separator;

/// Name of an input or output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Name {
    Stdin,
    Stdout,
    Path(PathBuf),
}

impl Name {
    /// Returns the bytes of the path, or a placeholder for a standard stream. On Windows these are UTF-8, except for names that are
    /// not Unicode.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Stdin => b"<stdin>",
            Self::Stdout => b"<stdout>",
            Self::Path(path) => path.as_os_str().as_encoded_bytes(),
        }
    }

    /// Returns the name as it is printed with data: sanitized on a terminal, otherwise its exact bytes.
    pub fn printed(&self, is_terminal: bool) -> Cow<'_, [u8]> {
        if is_terminal { Cow::Owned(self.to_string().into_bytes()) } else { Cow::Borrowed(self.bytes()) }
    }

    /// Returns the bytes as reports have them: with slashes as separators, so that they are the same on all systems, and without
    /// `./` at the start, because systems that show reports compare the names with those of a repository.
    pub fn bytes_in_report(&self) -> Vec<u8> {
        let slash = |&byte: &u8| if byte == b'\\' && is_separator('\\') { b'/' } else { byte };
        self.without_dot().bytes().iter().map(slash).collect()
    }

    /// Returns the name without `./` at its start.
    fn without_dot(&self) -> Self {
        match self {
            Self::Path(path) if path.starts_with(".") && path.as_os_str() != "." => {
                let rest: PathBuf = path.components().skip_while(|&part| part == Component::CurDir).collect();
                Self::Path(if rest.as_os_str().is_empty() { PathBuf::from(".") } else { rest })
            }
            name => name.clone(),
        }
    }

    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Path(path) => Some(path),
            Self::Stdin | Self::Stdout => None,
        }
    }

    /// Returns the name in a report as a URI reference (RFC 3986): a `file:` URI (RFC 8089) for an absolute path, otherwise a
    /// relative reference. All characters except ASCII letters, digits and `/.-_~`, and the colon of a drive, are percent-encoded.
    pub fn uri(&self) -> String {
        let is_absolute = self.path().is_some_and(Path::is_absolute);
        if is_separator('\\') {
            uri_of_windows_path(&String::from_utf8_lossy(self.without_dot().bytes()), is_absolute)
        } else {
            let prefix = if is_absolute { "file://" } else { "" };
            prefix.to_owned() + &percent_encoded(self.without_dot().bytes())
        }
    }

    /// Returns the name in reports: sanitized, with slashes as separators, and without `./` at the start.
    pub fn in_report(&self) -> String {
        let name = self.without_dot().to_string();
        if is_separator('\\') { name.replace('\\', "/") } else { name }
    }
}

/// Returns the URI of a path such as `C:\a.json`, `\\server\share\a.json` or `folder\a.json`.
fn uri_of_windows_path(path: &str, is_absolute: bool) -> String {
    let path = match path.strip_prefix(r"\\?\UNC") {
        Some(server) => format!(r"\{server}"),
        None => path.strip_prefix(r"\\?\").unwrap_or(path).to_owned(),
    };
    let path = path.replace('\\', "/");
    match path.split_once(':') {
        Some((drive, rest)) if is_absolute => format!("file:///{drive}:{}", percent_encoded(rest.as_bytes())),
        _ if is_absolute => format!("file:{}", percent_encoded(path.as_bytes())),
        _ => percent_encoded(path.as_bytes()),
    }
}

fn percent_encoded(bytes: &[u8]) -> String {
    let mut encoded = String::new();
    for &byte in bytes {
        if byte.is_ascii_alphanumeric() || b"/.-_~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            write!(encoded, "%{byte:02X}").ok();
        }
    }
    encoded
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bytes() {
            [] => f.write_str("''"),
            name => f.write_str(&sanitize::bytes(name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform;

    #[test]
    fn a_uri_is_percent_encoded() {
        for (path, uri) in [
            ("dir/a b%ä.json", "dir/a%20b%25%C3%A4.json"),
            ("a:b.json", "a%3Ab.json"),
            ("./dir/./a.json", "dir/a.json"),
            ("../a.json", "../a.json"),
            (".", "."),
        ] {
            assert_eq!(Name::Path(PathBuf::from(path)).uri(), uri);
        }
        // Where bytes that are not UTF-8 can be a name.
        if let Ok(path) = platform::path(b"/tmp/a:\xff\\") {
            assert_eq!(Name::Path(path.to_path_buf()).uri(), "file:///tmp/a%3A%FF%5C");
        }
    }

    #[test]
    fn a_uri_has_the_drive_or_the_server_of_a_windows_path() {
        for (path, is_absolute, uri) in [
            (r"C:\Users\a b\ä.json", true, "file:///C:/Users/a%20b/%C3%A4.json"),
            (r"\\?\C:\a.json", true, "file:///C:/a.json"),
            (r"\\server\share\a.json", true, "file://server/share/a.json"),
            (r"\\?\UNC\server\share\a.json", true, "file://server/share/a.json"),
            (r"folder\a.json", false, "folder/a.json"),
            (r"a.json:stream", false, "a.json%3Astream"),
        ] {
            assert_eq!(uri_of_windows_path(path, is_absolute), uri, "{path}");
        }
    }
}
