//! Tests of the tests: each mutant must make a test fail.
//!
//! Mutants are written beside the lines that they change. `// mutant: TEXT` says that the next line is replaced by `TEXT`, or removed
//! if there is none, and `// mutant (2 lines): TEXT` replaces two lines. They stand for what a published suite misses half of: rules
//! whose removal makes a package accept invalid documents, refuse valid ones, write wrong output, or read valid documents in a slower
//! way than the one that is meant for them. What was marked moves with its code. Others are made at random (`random.rs`).
//!
//! All mutants are compiled at once (`switch.rs`); the environment variable `FJSON_MUTANT` says which one a test program is. First run
//! the unit tests of its module and the quickest others, with few random documents; for the mutants that these do not catch, those of the
//! module and what is built on it, with all random documents; then all tests:
//!
//! ```text
//! .ci/run mutants
//! FJSON_MUTANTS=nesting,scan .ci/run mutants    only the mutants of files whose path contains `nesting` or `scan`
//! FJSON_MUTANTS=utf8.rs:86: .ci/run mutants     only those of a line
//! FJSON_MUTANTS=3/10 .ci/run mutants            only the third of ten parts of the mutants
//! FJSON_MUTANTS=random:500:7 .ci/run mutants    500 mutants made at random, with the seed 7
//! FJSON_MUTANTS=changed .ci/run mutants         all of these of the lines that differ from `origin/main`, or from `FJSON_BASE`
//! ```

#![forbid(unsafe_code)]

/// The methods of `syn::visit::Visit` that leave out what is evaluated when a file is compiled, and tests.
macro_rules! visit_code {
    () => {
        fn visit_item_fn(&mut self, function: &'a syn::ItemFn) {
            let is_test = function.attrs.iter().any(|attribute| attribute.path().is_ident("test"));
            if !is_test && function.sig.constness.is_none() {
                visit::visit_item_fn(self, function);
            }
        }

        fn visit_impl_item_fn(&mut self, function: &'a syn::ImplItemFn) {
            if function.sig.constness.is_none() {
                visit::visit_impl_item_fn(self, function);
            }
        }

        fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
            if !module.attrs.iter().any(|attribute| attribute.path().is_ident("cfg")) {
                visit::visit_item_mod(self, module);
            }
        }

        fn visit_item_const(&mut self, _: &'a syn::ItemConst) {}
        fn visit_item_static(&mut self, _: &'a syn::ItemStatic) {}
        fn visit_item_enum(&mut self, _: &'a syn::ItemEnum) {}
        fn visit_impl_item_const(&mut self, _: &'a syn::ImplItemConst) {}
        fn visit_trait_item_const(&mut self, _: &'a syn::TraitItemConst) {}
        fn visit_type(&mut self, _: &'a syn::Type) {}
        fn visit_pat(&mut self, _: &'a syn::Pat) {}
        fn visit_path(&mut self, _: &'a syn::Path) {}
        fn visit_attribute(&mut self, _: &'a syn::Attribute) {}
    };
}

mod copy;
mod random;
mod selection;
mod switch;
mod testing;

use std::io;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;
use std::process::ExitCode;

use selection::Selection;
use testing::Effort;
use testing::TestPrograms;

/// A package whose sources have mutants.
struct Package {
    name: &'static str,
    /// The folder, from the root of the project.
    folder: &'static str,
    /// Tests that take a few seconds.
    quick: &'static [&'static str],
}

impl Package {
    /// Returns the folder of the sources, from the root of the project.
    fn sources(&self) -> PathBuf {
        Path::new(self.folder).join("src")
    }
}

static PACKAGES: [Package; 3] = [
    Package {
        name: "fjson-engine",
        folder: "crates/engine",
        quick: &["guard_page", "paths", "query", "stats", "edit", "values", "serialize", "api", "scalar"],
    },
    Package {
        name: "fjson-jq",
        folder: "crates/jq",
        quick: &["builtins", "dates", "leading", "limits", "mistakes", "lazy", "language"],
    },
    Package {
        name: "fjson-schema",
        folder: "crates/schema",
        quick: &["cycles", "infer", "messages", "numbers", "patterns", "random", "suite"],
    },
];

fn main() -> ExitCode {
    let Selection { mutants, must_compile } = Selection::wanted();
    let programs = TestPrograms::build(&mutants);
    let (mut left, not_compiled): (Vec<_>, Vec<_>) = mutants.iter().partition(|mutant| programs.has(mutant));
    for mutant in &not_compiled {
        print(&format!("NOT COMPILED: {}", mutant.shown));
    }
    for effort in [Effort::Quick, Effort::Related, Effort::Thorough] {
        left = programs.not_caught(&left, effort);
    }
    print(&format!("{} mutants, {} not compiled, {} not caught", mutants.len(), not_compiled.len(), left.len()));
    let is_good = left.is_empty() && (not_compiled.is_empty() || !must_compile);
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn print(line: &str) {
    writeln!(io::stdout(), "{line}").expect("it can be printed");
}
