//! Examples and notes of the help, which are also sections of the man pages.
//!
//! The short help (`-h`) has the examples and fits on a screen; the long help (`--help`) has the notes as well.

#![forbid(unsafe_code)]

/// The end of the short help of each command.
macro_rules! more {
    ($command:literal) => {
        concat!("`fjson ", $command, " --help` explains all options and the exit status.")
    };
}

pub(super) use more;

macro_rules! exit_status {
    () => {
        exit_status!("")
    };
    ($invalid:literal) => {
        concat!(
            "\
Exit status:
  0  success: all documents are valid, and all output was written
  1  a document is invalid",
            $invalid,
            "
  2  an error: wrong usage, an input or output failed, an input changed while it
     was read, or compressed data is damaged
  A broken pipe, an interrupt or SIGTERM ends fjson by its signal
  (141, 130, 143)."
        )
    };
}

pub(super) use exit_status;

macro_rules! exit_status_of_jq {
    () => {
        "\
Exit status:
  0  success; with -e, the last output is neither false nor null
  1  with -e: the last output is false or null
  2  an input is invalid, wrong usage, or an input or output failed
  3  the program does not compile
  4  with -e: there is no output
  5  the program has failed for an input (by the name jq: for the last
     one), or called halt_error
  The program may choose any other with halt_error.
  A broken pipe, an interrupt or SIGTERM ends fjson by its signal
  (141, 130, 143)."
    };
}

pub(super) use exit_status_of_jq;

pub const MORE: &str = "`fjson COMMAND -h` shows the options of a command, `--help` explains them.";

pub const EXAMPLES: &str = "\
Examples:
  fjson validate config.json       say what is wrong, and how to fix it
  fjson minify big.json -o small.json
  curl -s URL | fjson pretty       validate and indent
  fjson query '$..name' a.json     print every value with the key \"name\"";

pub const VALIDATE_EXAMPLES: &str = "\
Examples:
  fjson validate a.json b.json     print nothing if both files are valid
  fjson validate .                 all JSON files below this directory
  fjson validate --lines log.txt   one document per line; report every bad line
  fjson validate --format sarif . > report.sarif
  fjson validate --schema s.json a.json       also against a JSON Schema";

pub const MINIFY_EXAMPLES: &str = "\
Examples:
  fjson minify a.json > a.min.json
  fjson minify -i *.json           edit each file in place
  fjson minify --lines < log.txt   one document per line, in and out
  fjson minify -S a.json           sort keys: equal documents have equal text
  fjson minify --canonical a.json | sha256sum";

pub const PRETTY_EXAMPLES: &str = "\
Examples:
  fjson pretty a.json | less
  fjson pretty --indent 4 -o b.json a.json
  fjson pretty -i .                format all JSON files below this directory
  fjson pretty --check .           list the files that -i would change";

pub const STATS_EXAMPLES: &str = "\
Examples:
  fjson stats big.json             count types, sizes, keys and numbers
  fjson stats --lines *.log        totals over all inputs
  fjson stats --paths x.json       list all paths and what is there
  fjson stats --infer-schema x.json   make a JSON Schema that x.json follows
  fjson stats --format json .      print the statistics as JSON";

pub const MAN_EXAMPLES: &str = "\
Examples:
  fjson man ~/.local/share/man/man1";

pub const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  fjson completions bash > ~/.local/share/bash-completion/completions/fjson
  fjson completions zsh > ~/.zfunc/_fjson
  fjson completions fish > ~/.config/fish/completions/fjson.fish";

pub const VALIDATE_NOTES: &str = concat!(
    "\
Notes:
  Strict RFC 8259: UTF-8 without a byte order mark, and one document per
  input unless --lines, --stream or --seq is given. Every invalid input is
  reported; with --lines or --seq, every invalid record.
  Duplicate keys, lone surrogates and numbers of any size are valid JSON;
  --unique-keys and --ijson reject them. --ijson accepts a number if its
  digits are those of the nearest double, printed either in its shortest form
  or with as many digits as the number has: 0.1 and 0.10000000000000001 are
  accepted; 9007199254740993, 1e400 and 3.141592653589793238462643383279 are
  not. Leading and trailing zeros do not count as digits:
  18446744073709551620 is accepted.

",
    exit_status!()
);

pub const MINIFY_NOTES: &str = concat!(
    "\
Notes:
  Numbers and strings are copied unchanged, except for --escape and
  --canonical. A single document is written without a final newline; several
  documents get one newline each, so that each is on a line of its own.
  On a terminal, control characters in strings are shown as escapes.
  A single document of up to 1 MiB is validated before any of it is printed. A
  longer one, and those of --lines, --stream, --seq and .jsonl files, are
  validated while they are copied, so standard output may contain the text
  before an error. With -o and -i, an error leaves the old file unchanged.

",
    exit_status!()
);

pub const PRETTY_NOTES: &str = concat!(
    "\
Notes:
  Numbers and strings are copied unchanged, except for --escape. Every
  document ends with a newline; empty arrays and objects stay on one line.
  On a terminal, output is colored as by jq, unless NO_COLOR is set, and control
  characters in strings are shown as escapes. FJSON_COLORS, or else JQ_COLORS,
  sets the colors. --color always adds colors to other output, as for less -R.
  --max-depth defaults to 10000, because the output can grow with the square
  of the depth.
  A single document of up to 1 MiB is validated before any of it is printed. A
  longer one, and those of --lines, --stream, --seq and .jsonl files, are
  validated while they are copied, so standard output may contain the text
  before an error. With -o and -i, an error leaves the old file unchanged.
  -i does not touch files that are already formatted. It rejects JSON Lines,
  because records would no longer be on one line each; in directories, -i and
  --check skip JSON Lines files.

",
    exit_status!(", or --check found one that is not formatted")
);

pub const STATS_NOTES: &str = concat!(
    "\
Notes:
  All inputs are counted together, in one pass. Invalid documents are
  reported, and are counted up to the error. Memory use does not grow with
  the input, except for the longest token, open containers and the keys of open
  objects; --max-depth defaults to 10000. Counts are exact, but the number of
  distinct keys or strings is estimated beyond 65,536 (standard error 0.8 %,
  different in each run), and beyond 4,096 distinct keys, the counts of the
  most frequent keys are lower and upper bounds. Numbers are compared exactly,
  whatever their length. \"inexact as double\" counts the numbers that --ijson
  rejects.
  --paths describes at most 50,000 paths in about 40 MiB. If there would be
  more, objects with fewer keys are taken for maps, first those with rare keys,
  and values that no path is left for are only counted.
  --infer-schema needs up to 50 MiB more. If there would be more paths, the
  schema only has the type of the documents.

",
    exit_status!()
);
