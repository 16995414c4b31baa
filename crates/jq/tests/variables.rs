//! Variables that the caller sets, beside parameters and variables of functions.

#![forbid(unsafe_code)]

use fjson_jq::Filter;
use fjson_jq::Import;
use fjson_jq::Imported;
use fjson_jq::Modules;
use fjson_jq::value::Value;
use std::ops::ControlFlow;

struct Library;

impl Modules for Library {
    fn load(&mut self, _: Import<'_>) -> Result<Imported, String> {
        let text = "def up($by; f): def go: if . < 9 then . + $by | f | go else . end; go; def twice(f): [f, f];";
        Ok(Imported { name: "library".to_owned(), text: text.to_owned() })
    }
}

/// The slots of functions of modules, of files and of builtins are not those of variables, however many there are.
#[test]
fn functions_have_slots_of_their_own() {
    for (program, expected) in [
        ("[fromstream([[0], 1], [[1], $a], [[1]])]", r#"[[1,"a"]]"#),
        ("[limit(3; repeat($b))]", r#"["b","b","b"]"#),
        ("[1 | truncate_stream([[0], 1], [[1, 0], $a], [[1, 0]], [[1]])]", r#"[[[0],"a"],[[0]]]"#),
        ("import \"library\" as l; 0 | l::up(2; . + 1)", "9"),
        ("import \"library\" as l; l::twice(l::twice($b))", r#"[["b","b"],["b","b"]]"#),
        ("own($a; $b)", r#"["a","b",1]"#),
        ("def f(g; $x): [g, $x, $a]; f($b; 1)", r#"["b",1,"a"]"#),
        (
            "(65 | ascii), (\"a,b\" | [splits(\",\")] | length), ([[1, 2], [3]] | [combinations])",
            r#""A"2[[1,3],[2,3]]"#,
        ),
    ] {
        for count in 0..4 {
            let mut library = Library;
            let mut builder = Filter::builder().modules(&mut library);
            for number in 0..count {
                builder = builder.variable(format!("unused{number}"));
            }
            let builder = builder.variable("a").variable("b");
            let builder = builder.definitions("own", "def own(f; $x): def inner(g): [g, $x, 1]; inner(f);");
            let filter = builder.compile(program).expect(program);
            let mut machine = filter.machine();
            machine.set_variable("a", "a".into());
            machine.set_variable("b", "b".into());
            let mut outputs = String::new();
            let run = machine.run(Value::NULL, &mut |output| {
                outputs += &output.to_string();
                ControlFlow::Continue(())
            });
            assert_eq!((run, outputs.as_str()), (Ok(()), expected), "{program} with {count} other variables");
        }
    }
}
