//! The options for JSON with comments, and the names of files that have comments by custom.

#![forbid(unsafe_code)]

use crate::extension::is_compressed;
use crate::name::Name;
use clap::Args;
use std::path::Path;

// Whether inputs are JSON with comments. A doc comment would become the description of all commands.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Comments {
    /// Accept comments and trailing commas (JSONC)
    ///
    /// Comments are // up to the end of the line and /* */. This is the default for *.jsonc, *.code-workspace, tsconfig*.json,
    /// jsconfig*.json, devcontainer.json, .eslintrc, and .json files in .vscode.
    #[arg(long, overrides_with = "no_jsonc", hide_short_help = true)]
    pub jsonc: bool,
    /// Accept no comments in any file
    #[arg(long, overrides_with = "jsonc", hide_short_help = true)]
    pub no_jsonc: bool,
}

/// What a command does with comments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnComments {
    /// It reads past them, but does not replace a file that has some.
    #[default]
    Skip,
    /// It leaves them out, because the user says so.
    Strip,
    /// It writes them, too.
    Keep,
}

impl Comments {
    /// Whether the input `name` may have comments and trailing commas.
    pub fn are_accepted(self, name: &Name) -> bool {
        self.jsonc || !self.no_jsonc && name.path().is_some_and(has_comments)
    }
}

/// Whether files with this name are JSON with comments by custom.
fn has_comments(path: &Path) -> bool {
    let path = if is_compressed(path) { path.with_extension("") } else { path.to_path_buf() };
    let Some(name) = path.file_name().map(|name| name.to_string_lossy()) else { return false };
    let extension = path.extension().unwrap_or_default();
    if extension.eq_ignore_ascii_case("jsonc") || extension == "code-workspace" || name == ".eslintrc" {
        return true;
    }
    let is_settings = || path.parent().is_some_and(|folder| folder.ends_with(".vscode"));
    let is_configuration = name.starts_with("tsconfig") || name.starts_with("jsconfig") || name == "devcontainer.json";
    extension == "json" && (is_configuration || is_settings())
}

#[cfg(test)]
mod tests {
    use super::has_comments;
    use std::path::Path;

    #[test]
    fn files_with_comments_are_known_by_name() {
        for name in [
            "a.jsonc",
            "A.JSONC.gz",
            "tsconfig.json",
            "web/tsconfig.build.json",
            "tsconfig-base.json.zst",
            "jsconfig.json",
            ".devcontainer/devcontainer.json",
            ".vscode/settings.json",
            "./app/.vscode/launch.json",
            ".eslintrc",
            "all.code-workspace",
        ] {
            assert!(has_comments(Path::new(name)), "{name}");
        }
        for name in
            ["a.json", "jsonc", "tsconfig.js", "my-tsconfig.json", ".vscode/a.txt", "vscode/a.json", ".vscode", ""]
        {
            assert!(!has_comments(Path::new(name)), "{name}");
        }
    }
}
