//! The files in a directory and its subdirectories, in the order of their names; then those to which only links lead.
//!
//! A symbolic link to a file is followed, because some directories hold nothing else, such as a mounted `ConfigMap`. Links to
//! directories are followed only with `--follow`. A file with several names in a directory is visited once if links lead to it: under
//! its own name, because schemas, `.jsonc` and `.jsonl` are matters of the name.
//! Commands that edit files in place follow no link: a directory from elsewhere could have files outside of it rewritten.

#![forbid(unsafe_code)]

use crate::args::Inputs;
use crate::exit::RunError;
use crate::exit::reason;
use crate::extension::is_compressed;
use crate::extension::is_json;
use crate::extension::is_json_lines;
use crate::extension::json_extension;
use crate::name::Name;
use crate::platform::Identity;
use crate::report::counted;
use ignore::DirEntry;
use ignore::WalkBuilder;
use ignore::overrides::Override;
use ignore::overrides::OverrideBuilder;
use std::collections::HashSet;
use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::iter;
use std::path::Path;
use std::path::PathBuf;

const OUT_OF_MEMORY: &str = "out of memory while listing this directory";

/// What was found in a directory.
pub enum Found {
    /// A file that is included.
    File(PathBuf),
    /// A symbolic link that is included, to a file or to nothing. With `--follow`, a file that such a link may lead to.
    Link(PathBuf),
    /// A symbolic link to a directory, which is not followed.
    DirectoryLink,
    /// A symbolic link to a directory above it, which is not followed again.
    Loop,
}

impl Found {
    /// Returns the path of a file that is included.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) | Self::Link(path) => Some(path),
            Self::DirectoryLink | Self::Loop => None,
        }
    }
}

impl Inputs {
    /// Returns what is in the directory `root` and its subdirectories, and errors.
    pub(super) fn found_below(
        &self,
        root: &Path,
    ) -> Result<impl Iterator<Item = Result<Found, ignore::Error>> + use<'_>, ignore::Error> {
        let globs = self.globs_below(root)?;
        let has_globs = globs.num_whitelists() > 0;
        let mut traversal = WalkBuilder::new(root);
        traversal.overrides(globs).standard_filters(!self.no_ignore).hidden(!self.hidden).sort_by_file_name(OsStr::cmp);
        traversal.follow_links(self.follow);
        let is_included = move |path: &Path| has_globs || self.is_wanted(path);
        let mut all = traversal.build().filter_map(move |entry| match entry {
            Ok(entry) => self.found(entry, is_included).map(Ok),
            Err(error) => match failed_path(&error) {
                (_, ignore::Error::Loop { .. }) => Some(Ok(Found::Loop)),
                // With `--follow`, links to nothing are errors whatever their name is.
                (Some(path), _) if path.is_symlink() && !is_included(path) => None,
                _ => Some(Err(error)),
            },
        });
        let own_names = if self.follow { Some((root.to_path_buf(), root.canonicalize()?)) } else { None };
        let has_own_name = move |path: &Path| {
            own_names.as_ref().is_some_and(|(root, real)| {
                path.strip_prefix(root).is_ok_and(|name| path.canonicalize().is_ok_and(|path| path == real.join(name)))
            })
        };
        let mut links = VecDeque::new();
        Ok(iter::from_fn(move || {
            for found in all.by_ref() {
                match found {
                    Ok(Found::Link(path)) if !has_own_name(&path) => links.push_back(path),
                    found => return Some(found),
                }
            }
            links.pop_front().map(|path| Ok(Found::Link(path)))
        }))
    }

    /// Returns what an entry is, or `None` if it is not included.
    fn found(&self, entry: DirEntry, is_included: impl Fn(&Path) -> bool) -> Option<Found> {
        let kind = entry.file_type()?;
        if kind.is_file() {
            let path = is_included(entry.path()).then(|| entry.into_path())?;
            return Some(if self.follow { Found::Link(path) } else { Found::File(path) });
        }
        if !kind.is_symlink() {
            return None;
        }
        match fs::metadata(entry.path()) {
            Ok(target) if target.is_dir() => Some(Found::DirectoryLink),
            Ok(target) if !target.is_file() => None,
            _ => is_included(entry.path()).then(|| Found::Link(entry.into_path())),
        }
    }

    /// Whether a file in a directory is included if no glob includes it.
    fn is_wanted(&self, path: &Path) -> bool {
        is_json(path)
            && !(self.skip_lines && is_json_lines(json_extension(path).unwrap_or_default()))
            && !(self.skip_compressed && is_compressed(path))
    }

    fn globs_below(&self, root: &Path) -> Result<Override, ignore::Error> {
        let mut globs = OverrideBuilder::new(root);
        for glob in &self.globs {
            globs.add(glob)?;
        }
        globs.build()
    }
}

/// The files of a directory that have been visited, and how many names were skipped.
#[derive(Default)]
pub struct Visited {
    files: HashSet<Identity>,
    /// Number of links to files that are not followed, because files are edited in place.
    pub links: u64,
    directories: u64,
    loops: u64,
    /// Number of names of files that were visited under another name.
    again: u64,
}

impl Visited {
    /// Whether a file is to be visited. Fails if there is no memory.
    pub fn admits(&mut self, root: &Path, file: Identity, found: &Found) -> Result<bool, RunError> {
        if matches!(found, Found::Link(_)) && self.files.contains(&file) {
            self.again += 1;
            return Ok(false);
        }
        self.files.try_reserve(1).map_err(|_| RunError::new(Name::Path(root.to_path_buf()), OUT_OF_MEMORY))?;
        self.files.insert(file);
        Ok(true)
    }

    /// Whether the file `path` is to be visited, as far as this is known before it is opened.
    pub fn is_new(&mut self, root: &Path, path: &Path, found: &Found) -> bool {
        Identity::at(path).is_some_and(|file| self.admits(root, file, found).unwrap_or(false))
    }

    /// Counts something that is not visited.
    pub fn skip(&mut self, found: &Found) {
        match found {
            Found::DirectoryLink => self.directories += 1,
            Found::Loop => self.loops += 1,
            Found::File(_) | Found::Link(_) => self.links += 1,
        }
    }

    /// Returns a line about what was skipped: if `is_verbose` about everything, otherwise about links to files.
    pub fn line(&self, root: &Path, is_verbose: bool) -> Option<String> {
        let link = |count, to_one: &str, to_several: &str| {
            (count, format!("{} {}", counted(count, "symbolic link"), if count == 1 { to_one } else { to_several }))
        };
        let in_place = "because files are edited in place (name a file to edit it)";
        let about_links = link(self.links, &format!("to a file, {in_place}"), &format!("to files, {in_place}"));
        let about_others = [
            link(self.directories, "to a directory (see --follow)", "to directories (see --follow)"),
            link(self.loops, "to a directory above it", "to directories above them"),
            (self.again, format!("{} of files that were read before", counted(self.again, "other name"))),
        ];
        let all = [about_links].into_iter().chain(about_others.into_iter().filter(|_| is_verbose));
        let parts: Vec<_> = all.filter(|(count, _)| *count > 0).map(|(_, part)| part).collect();
        let root = Name::Path(root.to_path_buf());
        (!parts.is_empty()).then(|| format!("{root}: skipped {}\n", parts.join(", ")))
    }
}

/// Returns the path that an error of the traversal names, and its cause.
fn failed_path(error: &ignore::Error) -> (Option<&Path>, &ignore::Error) {
    let (mut path, mut cause) = (None, error);
    while let ignore::Error::WithPath { err, .. } | ignore::Error::WithDepth { err, .. } = cause {
        if let ignore::Error::WithPath { path: inner, .. } = cause {
            path = Some(&**inner);
        }
        cause = err;
    }
    (path, cause)
}

/// Converts an error of the traversal. It names the path that failed if this is known, otherwise `root`.
pub fn traversal_error(root: &Path, error: &ignore::Error) -> RunError {
    let (path, cause) = failed_path(error);
    // The traversal wraps the error of the system in one whose text repeats the path.
    let system_error = |error: &io::Error| {
        let source = error.get_ref().and_then(|wrapper| wrapper.source());
        reason(source.and_then(|source| source.downcast_ref()).unwrap_or(error))
    };
    let reason = error.io_error().map_or_else(|| cause.to_string(), system_error);
    RunError::new(Name::Path(path.unwrap_or(root).to_path_buf()), reason)
}
