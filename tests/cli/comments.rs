//! `--jsonc`: JSON with comments and trailing commas.

use crate::place::Place;
use crate::place::assert_shows;

const CONFIG: &str = "// Head\n{\n  \"target\": \"es2022\", /* language */\n  \"url\": \"http://x\",\n  // lib\n  \
                      \"lib\": [\"a\", \"b\",],\n}\n";

const STRICT: &str = "{\"target\":\"es2022\",\"url\":\"http://x\",\"lib\":[\"a\",\"b\"]}";

fn repository() -> Place {
    let place = Place::new();
    for name in ["tsconfig.json", ".vscode/settings.json", "a.json"] {
        std::fs::create_dir_all(place.path(".vscode")).expect("creates");
        place.file(name, CONFIG);
    }
    place
}

#[test]
fn every_command_reads_them() {
    let place = repository();
    for line in [
        "validate tsconfig.json .vscode/settings.json",
        "validate --jsonc a.json",
        "validate --no-jsonc --jsonc a.json",
        "query --limit 1 $.lib tsconfig.json",
        "stats tsconfig.json",
        "gzip tsconfig.json",
        "pretty a.json --jsonc",
    ] {
        assert_eq!(place.fjson(line).status(), Some(0), "{line}");
    }
    for input in
        ["tsconfig.json", "--jsonc a.json", "--jsonc --threads 1 --no-mmap a.json", "--jsonc -", "--jsonc a.json.gz"]
    {
        place.file("a.json", CONFIG);
        place.fjson("gzip --jsonc --keep-space --force a.json").status();
        assert_eq!(place.fjson(&format!("minify {input}")).stdin(CONFIG).stdout(), STRICT, "{input}");
        assert_eq!(place.fjson(&format!("jq -c . {input}")).stdin(CONFIG).stdout(), format!("{STRICT}\n"), "{input}");
    }
    // Text is not JSON.
    assert_eq!(place.fjson("jq -Rr . tsconfig.json").stdout(), CONFIG);
    assert_eq!(place.fjson("query --offsets $.lib tsconfig.json").stdout(), "86..97\n");
    let records = "{\"a\": 1} // one\n/* two\n */ {\"a\": 2,}\n";
    assert_eq!(place.fjson("query --jsonc --lines $.a").stdin(records).stdout(), "1\n2\n");
}

#[test]
fn strict_json_has_none() {
    let place = repository();
    assert_shows!(place.fjson("validate a.json"));
    assert_shows!(place.fjson("validate --no-jsonc --max-errors 1 tsconfig.json"));
    assert_shows!(place.fjson("validate").stdin("[1,]"));
    assert_shows!(place.fjson("validate --range 1/2 --lines --jsonc a.json"));
}

#[test]
fn errors_have_their_place() {
    let place = repository();
    assert_shows!(place.fjson("validate --jsonc").stdin("// a\n[1, /* b\n*/ 2 3]\n"));
    assert_shows!(place.fjson("validate --jsonc").stdin("[1, /* b\n2]\n"));
    assert_shows!(place.fjson("validate --jsonc").stdin("[,]"));
}

#[test]
fn excerpts_of_files_have_comments() {
    let place = Place::new();
    place.file("a.jsonc", "{\n  \"a\": 1, /* één */ \"b\" 2 // two\n}\n");
    assert_shows!(place.fjson("validate a.jsonc"));
    place.file("a.jsonc", "[1, // one\n\n");
    assert_shows!(place.fjson("minify a.jsonc"));
    // Each record has its own excerpt, and one that ends too early is not mistaken for a later one.
    place.file("b.jsonc", "[1 /* one */ 2]\n[1, // two\n[1 /* one */ 3]\n[1, // four\n");
    let lines = place.fjson("validate --lines b.jsonc").shown();
    for line in ["1 | [1 /* one */ 2]", "2 | [1, // two", "3 | [1 /* one */ 3]", "4 | [1, // four"] {
        assert!(lines.contains(line), "{line}: {lines}");
    }
}

#[test]
fn pretty_keeps_them() {
    let place = repository();
    assert_shows!(place.fjson("pretty tsconfig.json"));
    assert_shows!(place.fjson("pretty --strip tsconfig.json"));
    assert_shows!(place.fjson("pretty -S tsconfig.json"));
    assert_eq!(place.fjson("pretty --check tsconfig.json").status(), Some(1));
    assert_eq!(place.fjson("pretty -i tsconfig.json").status(), Some(0));
    assert_eq!(place.fjson("pretty --check tsconfig.json").status(), Some(0));
    assert_eq!(place.fjson("pretty --check --strip tsconfig.json").status(), Some(1));
    let formatted = place.read("tsconfig.json");
    assert_eq!(place.fjson("pretty --jsonc").stdin(formatted).stdout(), place.read("tsconfig.json"));
    let colored = place.fjson("pretty --color always tsconfig.json").stdout();
    assert!(colored.contains("\n  // lib\n") && colored.contains("/* language */"), "{colored}");
}

#[test]
fn comments_on_one_line_stay_on_it() {
    let text = "[\n  1, /*a*/ /*b*/\n  2,\n  /*c*/ /*d*/ 3, // e\n  /*f*/\n  /*g*/ // h\n  4\n]\n";
    let narrow = text.replace("\n  ", "\n").replacen('\n', "", 1);
    assert_eq!(Place::new().fjson("pretty --jsonc").stdin(text).stdout(), text);
    assert_eq!(Place::new().fjson("pretty --jsonc").stdin(narrow).stdout(), text);
}

/// Containers with comments that need their lines are not joined.
#[test]
fn joined_lines_have_no_comments_of_other_lines() {
    let place = Place::new();
    let config =
        "{\n  \"a\": [\n    1, // one\n    2\n  ],\n  \"b\": {\"c\": [3, /* four */ 4]}, // both\n  \"d\": [5]\n}\n";
    let pretty = |options: &str, text: &str| place.fjson(&format!("pretty --jsonc {options}")).stdin(text).stdout();
    assert_eq!(pretty("--width 80", config), config);
    let compact = config.replace("{\"c\": [3, /* four */ 4]}", "{\n    \"c\": [3, /* four */ 4]\n  }");
    assert_eq!(pretty("--compact-arrays", config), compact);
    assert_eq!(
        pretty("--width 80", "[{}, [1], [/* x */], {\"a\": []}, [2]]"),
        "[\n  {},\n  [1],\n  [\n    /* x */\n  ],\n  {\"a\": []},\n  [2]\n]\n"
    );
    assert_eq!(pretty("--width 80", "{/* c */\"a\":/* d */1/* e */}"), "{ /* c */ \"a\": /* d */ 1 /* e */}\n");
}

/// Spaces in place of the comment are the indentation.
#[test]
fn a_comment_that_looks_like_indentation_is_removed() {
    let place = Place::new();
    place.file("a.jsonc", "{\n/**/\"a\": 1\n}\n");
    assert_eq!(place.fjson("pretty --check --indent 4 --strip a.jsonc").status(), Some(1));
    assert_eq!(place.fjson("pretty -i --indent 4 --strip a.jsonc").status(), Some(0));
    assert_eq!(place.read("a.jsonc"), "{\n    \"a\": 1\n}\n");
}

#[test]
fn no_comment_is_lost_in_place() {
    let place = repository();
    assert_shows!(place.fjson("minify -i tsconfig.json"));
    assert_shows!(place.fjson("jq -i .lib tsconfig.json"));
    assert_eq!(place.read("tsconfig.json"), CONFIG);
    // A comma is not worth keeping.
    place.file("a.jsonc", "[1,]");
    assert_eq!(place.fjson("minify -i a.jsonc").status(), Some(0));
    assert_eq!(place.read("a.jsonc"), "[1]");
}

#[test]
fn edits_keep_them() {
    let place = repository();
    let edited = CONFIG.replace("\"es2022\"", "1").replace("\"a\", \"b\",", "\"a\", \"b\", 2,");
    let words = "edit --set /target 1 --append /lib 2";
    assert_eq!(place.fjson(&format!("{words} tsconfig.json")).stdout(), edited);
    assert_eq!(place.fjson(&format!("{words} --jsonc")).stdin(CONFIG).stdout(), edited);
    assert_eq!(place.fjson(&format!("{words} tsconfig.json --check")).status(), Some(1));
    assert_eq!(place.fjson("set --check /target \"es2022\" tsconfig.json").status(), Some(0));
    assert_eq!(place.fjson(&format!("{words} -i tsconfig.json .vscode")).status(), Some(0));
    assert_eq!(place.read("tsconfig.json"), edited);
    assert_eq!(place.read(".vscode/settings.json"), edited);
    let deleted = "// Head\n{\n  // lib\n  \"lib\": [\"a\", \"b\", 2,],\n}\n";
    assert_eq!(place.fjson("delete /target -p /url tsconfig.json").stdout(), deleted);
    // The changes may have comments, too.
    place.file("changes.jsonc", "{\"target\": null, /* gone */ \"url\": 3,}");
    let merged = "// Head\n{\n  \"url\": 3,\n  // lib\n  \"lib\": [\"a\", \"b\", 2,],\n}\n";
    assert_eq!(place.fjson("merge changes.jsonc tsconfig.json").stdout(), merged);
    let patch = "[{\"op\": \"remove\", \"path\": \"/lib\"}] // all";
    place.file("patch.jsonc", patch);
    assert_eq!(
        place.fjson("patch patch.jsonc tsconfig.json").stdout(),
        edited.split("  \"lib").next().expect("a part").to_owned() + "}\n"
    );
    // Where no comments are accepted, they are errors.
    assert_eq!(place.fjson("set /target 1 a.json").status(), Some(1));
    assert_eq!(place.fjson("set /target 1 --no-jsonc tsconfig.json -i").status(), Some(1));
    let records = "{\"a\": 1} // one\n/* two\n */ {\"a\": 2,}\n";
    let expected = "{\"a\": 0} // one\n/* two\n */ {\"a\": 0,}\n";
    assert_eq!(place.fjson("set --jsonc --lines /a 0").stdin(records).stdout(), expected);
}
