//! Finds schemas in files: those with a `file:` URI, and those in given directories, by their `$id` or their path.

#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::fmt;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;
use std::sync::OnceLock;

use fjson::Parser;
use fjson::blank_comments;

use crate::sources::Loaded;
use crate::sources::Resolver;
use crate::sources::without_fragment;

/// Whether something is so of a file.
type IsFile = dyn Fn(&Path) -> bool + Send + Sync;

/// Finds the documents that a schema refers to in files, never in the network.
///
/// A `file:` URI is the path of a file. Another URI is looked up among the identifiers (`$id`) of the schemas in the directories, then
/// its path is looked up below them: `https://example.com/common/types.json` is `DIR/common/types.json` or `DIR/types.json`.
///
/// ```
/// use fjson_schema::Directories;
/// use fjson_schema::Resolver;
///
/// let directories = Directories::new(["schemas"]);
/// assert_eq!(directories.resolve("https://example.com/none.json"), Ok(None));
/// ```
#[derive(Default)]
pub struct Directories {
    paths: Vec<PathBuf>,
    /// Which files may have comments.
    comments: Option<Box<IsFile>>,
    /// The file of each identifier. Made when it is needed first.
    identifiers: OnceLock<HashMap<String, PathBuf>>,
}

impl Directories {
    /// Creates a resolver that looks in these directories, the first ones first.
    pub fn new<P: Into<PathBuf>>(paths: impl IntoIterator<Item = P>) -> Self {
        Self { paths: paths.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// Sets which files may have comments and trailing commas. The default is none.
    ///
    /// ```
    /// use fjson_schema::Directories;
    ///
    /// let directories = Directories::new(["schemas"]).comments(|path| path.extension().is_some_and(|it| it == "jsonc"));
    /// # drop(directories);
    /// ```
    #[must_use]
    pub fn comments(mut self, may_have: impl Fn(&Path) -> bool + Send + Sync + 'static) -> Self {
        self.comments = Some(Box::new(may_have));
        self
    }

    fn may_have_comments(&self, path: &Path) -> bool {
        self.comments.as_ref().is_some_and(|may_have| may_have(path))
    }

    /// Reads a file. Comments become spaces.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        // Windows says that access to a directory is denied.
        let failed = |error| if path.is_dir() { io::ErrorKind::IsADirectory.into() } else { error };
        let mut text = fs::read(path).map_err(failed)?;
        if self.may_have_comments(path) {
            blank_comments(&mut text);
        }
        Ok(text)
    }

    /// Returns the URI of a file, which is made absolute.
    ///
    /// # Errors
    /// If the current directory is unknown.
    ///
    /// ```
    /// let uri = fjson_schema::Directories::uri("a b.json".as_ref())?;
    /// assert!(uri.starts_with("file:///") && uri.ends_with("/a%20b.json"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn uri(path: &Path) -> io::Result<String> {
        let path = std::path::absolute(path)?;
        let text = path.to_string_lossy();
        let text = if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() };
        let mut uri = String::from(if text.starts_with('/') { "file://" } else { "file:///" });
        for byte in text.bytes() {
            if byte.is_ascii_alphanumeric() || b"/.-_~:".contains(&byte) {
                uri.push(char::from(byte));
            } else {
                // Writing to a string cannot fail.
                write!(uri, "%{byte:02X}").ok();
            }
        }
        Ok(uri)
    }

    fn identifiers(&self) -> &HashMap<String, PathBuf> {
        self.identifiers.get_or_init(|| {
            let mut identifiers = HashMap::new();
            for path in &self.paths {
                self.collect(path, &mut identifiers, 0);
            }
            identifiers
        })
    }

    /// Adds the identifiers of the schemas in a directory. What cannot be read has none.
    fn collect(&self, directory: &Path, identifiers: &mut HashMap<String, PathBuf>, depth: usize) {
        let Ok(entries) = fs::read_dir(directory) else { return };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let is_json = || path.extension().is_some_and(|extension| extension == "json");
            if path.is_dir() && depth < MAX_DEPTH {
                self.collect(&path, identifiers, depth + 1);
            } else if (is_json() || self.may_have_comments(&path))
                && let Some(identifier) = self.read(&path).ok().and_then(|text| identifier(&text))
            {
                identifiers.entry(identifier).or_insert(path);
            }
        }
    }
}

impl fmt::Debug for Directories {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Directories").field("paths", &self.paths).finish_non_exhaustive()
    }
}

/// Depth of directories that are searched.
const MAX_DEPTH: usize = 16;

/// Returns the identifier of a schema.
fn identifier(text: &[u8]) -> Option<String> {
    let mut parser = Parser::new();
    let root = parser.document(text).ok()?.root();
    let identifier = root.get("$id").or(root.get("id"))?.as_str()?;
    Some(without_fragment(&identifier).0.to_owned())
}

impl Resolver for Directories {
    fn resolve(&self, uri: &str) -> Result<Option<Loaded>, String> {
        let path = match uri.strip_prefix("file://") {
            Some(path) => {
                let path = crate::sources::percent_decoded(path);
                let path = if cfg!(windows) { path.trim_start_matches('/').to_owned() } else { path };
                Some(PathBuf::from(path))
            }
            None => self.identifiers().get(uri).cloned(),
        };
        let read = |path: &Path| match self.read(path) {
            Ok(text) => Ok(Some(Loaded { name: shown(path), text })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(format!("{}: {}", shown(path), error.kind())),
        };
        if let Some(path) = path
            && let Some(loaded) = read(&path)?
        {
            return Ok(Some(loaded));
        }
        // `scheme://host/a/b.json` is `a/b.json` or `b.json` below a directory.
        let path = uri.split_once("://").map_or(uri, |(_, rest)| rest);
        let mut below = path.split_once('/').map_or("", |(_, path)| path);
        while !below.is_empty() {
            for directory in &self.paths {
                let is_below = !below.split('/').any(|part| part == "..");
                if let Some(loaded) = is_below.then(|| read(&directory.join(below))).transpose()?.flatten() {
                    return Ok(Some(loaded));
                }
            }
            below = below.split_once('/').map_or("", |(_, rest)| rest);
        }
        Ok(None)
    }
}

/// Returns the path as messages show it: from the current directory, if it is below that.
fn shown(path: &Path) -> String {
    let current = std::env::current_dir().ok();
    let below = current.as_deref().and_then(|current| path.strip_prefix(current).ok());
    below.unwrap_or(path).display().to_string()
}
