//! Mistakes that people make in programs: the message says where it is and what may help.

#![forbid(unsafe_code)]

use fjson_jq::Filter;

/// A program, what its message contains, what the help contains, and the marked part.
const MISTAKES: &[(&str, &str, &str, &str)] = &[
    (".foo.[0", "unexpected end of file", "the `[` in line 1, column 6 needs a closing `]`", "0"),
    (".users[", "unexpected end of file", "the `[` in line 1, column 7", "["),
    ("{a: 1", "unexpected end of file", "the `{` in line 1, column 1 needs a closing `}`", "1"),
    (".a-b", "b/0 is not defined", "a field with `-` in its name is written `.\"a-b\"`", "b"),
    (".x | lenght", "lenght/0 is not defined", "did you mean `length`?", "lenght"),
    ("def f(g): 1; f(lenght)", "lenght/0 is not defined", "did you mean `length`?", "lenght"),
    ("map(.a) | tostrin", "tostrin/0 is not defined", "did you mean `tostring`?", "tostrin"),
    ("list[0]", "list/0 is not defined", "written `.list`; or did you mean the function `last`?", "list"),
    ("name", "name/0 is not defined", "a field of the input is written `.name`", "name"),
    (".name == bob", "bob/0 is not defined", "a string `\"bob\"`", "bob"),
    ("'.a'", "INVALID_CHARACTER", "double quotes", "'"),
    (".[\\\"a\\\"]", "INVALID_CHARACTER", "backslash", "\\"),
    (".a && .b", "INVALID_CHARACTER", "`and`", "&"),
    (".a || .b", "unexpected '|'", "`or`", "|"),
    ("!.a", "unexpected '!'", "not", "!"),
    ("$undefined", "$undefined is not defined", "--arg undefined VALUE", "$undefined"),
    ("1 as $count | $coutn", "$coutn is not defined", "`$count`", "$coutn"),
    ("{a = 1}", "unexpected '='", "separated by `:`", "="),
    (".a.$b", "unexpected '$b'", ".[$b]", "$b"),
    (".a.0", "unexpected number .0", "`[0]`", ".0"),
    (".*", "unexpected end of file", "all elements are written `.[]`", "*"),
    (".a .b .c.", "unexpected end of file", "a dot is followed by a name", "."),
    ("if .a then 1", "unexpected end of file", "ends with `end`", "1"),
    ("if .a then 1 else 2", "unexpected end of file, expecting end", "the `if` in line 1, column 1", "2"),
    ("if .a 1 end", "unexpected number 1, expecting then", "between two expressions an operator is missing", "1"),
    (".a | ", "unexpected end of file", "an expression is missing at the end", "|"),
    (".a,", "unexpected end of file", "an expression is missing at the end", ","),
    ("[1, 2,]", "unexpected ']'", "an expression is missing after `,`", "]"),
    (".a foo", "unexpected name 'foo'", "an operator is missing", "foo"),
    ("\"abc", "unexpected end of file", "a string ends with", "\""),
    ("\"a\\d\"", "Invalid escape", "a backslash is written", "\\d"),
    ("test(\"a\", \"i\", 1, 2) | foo", "foo/0 is not defined", "", "foo"),
    ("ltrimstr(\"a\"; \"b\")", "ltrimstr/2 is not defined", "takes 1", "ltrimstr"),
    ("sub(\"a\", \"b\")", "sub/1 is not defined", "separated by `;`", "sub"),
    ("map(select(.a > 1)", "unexpected end of file", "the `(` in line 1, column 4", ")"),
    (".a)", "INVALID_CHARACTER", "closes nothing", ")"),
    ("filter(.a)", "filter/1 is not defined", "select", "filter"),
    ("sum", "sum/0 is not defined", "`add`", "sum"),
    ("@cvs", "cvs is not a valid format", "@csv", "@cvs"),
    ("{(1): 2}", "Cannot use number (1) as object key", "tostring", "1"),
    ("{.a: 1}", "May need parentheses around object key expression", "{(.a): 1}", ".a"),
    ("1 == 1 == 1", "unexpected '=='", "do not chain", "=="),
    ("break $out", "$*label-out is not defined", "label $out", "break $out"),
    ("reduce .[] as $x (0)", "unexpected ')', expecting ';'", "", ")"),
    ("def f: 1", "unexpected end of file, expecting ';'", "", "1"),
    ("import \"a\" as a; 1", "module not found: a", "", "import \"a\" as a"),
    ("import 1 as a; 1", "unexpected number 1, expecting string", "`import \"path\" as name;`", "1"),
    ("if . then 1 elseif . then 2 end", "unexpected name 'elseif'", "written `elif`", "elseif"),
    ("def f(x) x; f(1)", "expecting ':'", "`def f: BODY;`", "x"),
    (". as {a $b} | $b", "expecting ':'", "follows `:`", "$b"),
    (".[1..2]", "unexpected number .2", "`[1:2]`", ".2"),
    ("length()", "unexpected ')'", "no parentheses: `length`", ")"),
    (".items[*].name", "unexpected '*'", "`.[]`; `[*]` is JSONPath", "*"),
    ("$.a", "unexpected '$'", "this is JSONPath", "$"),
    ("$[0]", "unexpected '$'", "this is JSONPath", "$"),
    (". as $ | 1", "unexpected '$'", "a variable has a name", "$"),
    (".a ? 1 : 2", "unexpected number 1", "if CONDITION then", "1"),
    (".a ? .b : .c", "unexpected ':'", "if CONDITION then", ":"),
    (".a++", "unexpected '+'", "`+= 1`", "+"),
    (".a--", "unexpected end of file", "`-= 1`", "-"),
    ("NaN", "NaN/0 is not defined", "`nan`", "NaN"),
    ("delete(.a)", "delete/1 is not defined", "`del(PATHS)`", "delete"),
    ("length(1)", "length/1 is not defined", "`length` takes no arguments", "length"),
    ("map", "map/0 is not defined", "`map` takes 1 argument", "map"),
    ("range", "range/0 is not defined", "`range` takes 1 or 2 or 3 arguments", "range"),
    ("add(1; 2)", "add/2 is not defined", "`add` takes no arguments or 1", "add"),
    ("“a”", "INVALID_CHARACTER", "plain double quotes", "“"),
];

#[test]
fn messages_say_where_and_what_helps() {
    let mut failures = Vec::new();
    for (program, message, help, marked) in MISTAKES {
        let error = Filter::new(program).expect_err(program);
        let found = error.help().unwrap_or_default();
        let place = &program[error.offset()..error.offset() + error.length()];
        if !error.message().contains(message) || !found.contains(help) || place != *marked {
            failures.push(format!("{error}\n    {found}\n    marked: {place}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn places_in_later_lines_and_modules() {
    let error = Filter::new("def f: 1;\n\tf | ä | g2h").unwrap_err();
    assert_eq!((error.line(), error.column(), error.message()), (2, 6, "syntax error, unexpected INVALID_CHARACTER"));
    let error = Filter::new("1 |\n\tnothere").unwrap_err();
    assert_eq!(
        error.to_string(),
        "nothere/0 is not defined at <top-level>, line 2, column 2:\n    \tnothere\n    \t^^^^^^^"
    );
    let error = Filter::builder().definitions("own.jq", "def f: 1;\ndef g: unknown;").compile("g").unwrap_err();
    assert_eq!((error.module(), error.line(), error.column()), (Some("own.jq"), 2, 8));
}
