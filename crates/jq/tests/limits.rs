//! Untrusted programs and documents: every run ends, with outputs or with an error that says which limit it was.

#![forbid(unsafe_code)]

use std::ops::ControlFlow;
use std::thread;
use std::time::Duration;

use fjson_jq::Filter;
use fjson_jq::Limit;
use fjson_jq::Limits;
use fjson_jq::RunError;
use fjson_jq::value::Value;
use fjson_jq::value::memory;

/// The outputs of a program on an input, and why there are no more.
fn run(program: &str, input: Value, limits: Limits) -> (Vec<String>, Option<RunError>) {
    let filter = Filter::new(program).expect(program);
    let mut machine = filter.machine();
    machine.set_limits(limits);
    let mut outputs = Vec::new();
    let end = machine.run(input, &mut |output| {
        outputs.push(output.to_string());
        ControlFlow::Continue(())
    });
    (outputs, end.err())
}

/// Tests run without optimization, where functions use more of the stack, so they get a thread with more.
fn on_large_stack(test: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(128 << 20).spawn(test).expect("a thread").join().expect("the test");
}

fn large() -> Limits {
    Limits::default().stack(120 << 20)
}

#[track_caller]
fn assert_exceeds(program: &str, limits: Limits, limit: Limit) {
    let (_, end) = run(program, Value::NULL, limits);
    assert_eq!(end, Some(RunError::Limit(limit)), "{program}");
}

#[track_caller]
fn assert_outputs(program: &str, limits: Limits, expected: &[&str]) {
    assert_eq!(
        run(program, 0.0.into(), limits),
        (expected.iter().map(ToString::to_string).collect(), None),
        "{program}"
    );
}

#[test]
fn tail_calls_need_no_memory() {
    // Environments count as memory, and 64 KiB hold some hundred.
    let limits = Limits::default().memory(memory::live() + (64 << 10));
    for program in [
        "def f: if . < 100000 then . + 1 | f else . end; f",
        "def f($n): if . < $n then . + 1 | f($n) else . end; f(100000)",
        "def f(g): if . < 100000 then g | f(g) else . end; f(. + 1)",
        "def f: (. + 1) as $x | if $x < 100000 then $x | f else $x end; f",
        "last(recurse(if . < 100000 then . + 1 else empty end))",
        "until(. >= 100000; . + 1)",
        "last(limit(100001; recurse(. + 1)))",
        "reduce range(100000) as $i (0; . + 1)",
    ] {
        assert_outputs(program, limits, &["100000"]);
    }
}

#[test]
fn endless_recursion_is_an_error() {
    for program in
        ["def f: 1 + f; f", "def f: [f]; f", "def f(g): f(g | g) + 1; f(.)", "def f: try error(f) catch f; f"]
    {
        assert_exceeds(program, Limits::default(), Limit::Stack);
    }
}

#[test]
fn endless_loops_end_at_the_limit_of_steps_or_time() {
    for program in
        ["def f: f; f", "last(range(infinite))", "last(repeat(1))", "repeat(empty)", "[recurse] | until(false; .)"]
    {
        assert_exceeds(program, Limits::default().steps(50_000), Limit::Steps);
        assert_exceeds(program, Limits::default().time(Duration::from_millis(20)), Limit::Time);
    }
}

#[test]
fn large_values_end_at_the_limit_of_memory() {
    let limits = Limits::default().memory(memory::live() + (4 << 20));
    for program in [
        "[range(1e12)]",
        "[limit(1e12; repeat(0))]",
        "\"x\" * 1e8",
        "\"x\" | until(false; . + .)",
        "[0] | until(false; . + .)",
        "{} | until(false; .[length | tostring] = 0)",
        "reduce range(1e12) as $i ([]; . + [$i])",
        ".[5e8] = 1",
        "setpath([5e8]; 1)",
        "def f(g): f(g | g); f(.)",
        "[range(100)] | [combinations(4)]",
    ] {
        assert_exceeds(program, limits, Limit::Memory);
    }
}

#[test]
fn limits_are_not_caught() {
    assert_exceeds("try [range(1e12)] catch 1", Limits::default().memory(memory::live() + (4 << 20)), Limit::Memory);
    assert_exceeds("def f: 1 + f; (try f catch 1), (f?), (f // 1)", Limits::default(), Limit::Stack);
    assert_exceeds("label $out | repeat(empty)", Limits::default().steps(1000), Limit::Steps);
}

#[test]
fn outputs_before_a_limit_are_passed_on() {
    let (outputs, end) = run("1, 2, repeat(empty)", Value::NULL, Limits::default().steps(1000));
    assert_eq!((outputs, end), (vec!["1".to_owned(), "2".to_owned()], Some(RunError::Limit(Limit::Steps))));
}

#[test]
fn regular_expressions_that_backtrack_are_errors() {
    let (outputs, end) = run("test(\"(?=(a+)+$)b\")", "a".repeat(40).as_str().into(), Limits::default());
    let Some(RunError::Error(error)) = end else { panic!("{outputs:?}") };
    assert_eq!(error.to_string(), "Regex failure: retry-limit-in-match over");
}

#[test]
fn deep_documents_need_no_stack() {
    let depth = 100_000;
    let text = format!("{}0{}", "[".repeat(depth), "]".repeat(depth));
    let input = Value::parse(text.as_bytes()).unwrap();
    for (program, expected) in [
        ("[..] | length", "100001"),
        (". == .", "true"),
        ("tostring | length", "20021"),
        ("flatten", "[0]"),
        ("first(.. | numbers)", "0"),
        ("[recurse(.[0]?)] | length", "100001"),
        ("getpath([0, 0, 0]) | type", "\"array\""),
        ("del(.[0]) | length", "0"),
        ("has(0)", "true"),
    ] {
        let (outputs, end) = run(program, input.clone(), Limits::default());
        assert_eq!((outputs, end), (vec![expected.to_owned()], None), "{program}");
    }
}

#[test]
fn walking_deep_documents_needs_the_stack_that_it_is_given() {
    on_large_stack(|| {
        assert_outputs("reduce range(10000) as $i (0; [.]) | walk(.) | [..] | length", large(), &["10001"]);
    });
    assert_exceeds("reduce range(100000) as $i (0; [.]) | walk(.)", Limits::default(), Limit::Stack);
}

/// The time of `count` steps must not grow with the square: twice the steps in the same limit of steps, on values that would have to be
/// copied. 10⁵ copies of what they build would take minutes.
#[test]
fn what_reduce_builds_is_changed_in_place() {
    for program in [
        "reduce range(100000) as $i ([]; . + [$i]) | length",
        "reduce range(100000) as $i ([]; .[$i] = $i) | length",
        "reduce range(100000) as $i ({}; .[\"k\\($i)\"] = $i) | length",
        "reduce range(100000) as $i ({a: {b: []}}; .a.b += [$i]) | .a.b | length",
        "reduce range(100000) as $i (\"\"; . + \"x\") | length",
        "reduce (range(100000) | [., 1]) as [$i, $one] ([]; . as [$first] | .[$i] = $first) | length",
        "[foreach range(100000) as $i ([]; . + [$i]; length)] | last",
        "last(foreach range(100000) as $i ({n: []}; .n += [$i]; .n | length))",
    ] {
        assert_outputs(program, Limits::default(), &["100000"]);
    }
}

#[test]
fn generators_stop_when_no_more_is_wanted() {
    let limits = Limits::default().steps(1000);
    for (program, expected) in [
        ("first(range(1e12))", "0"),
        ("[limit(3; range(1e12))] | length", "3"),
        ("first(repeat(7))", "7"),
        ("isempty(range(1e12))", "false"),
        ("any(range(1e12); . > 2)", "true"),
        ("all(range(1e12); . < 2)", "false"),
        ("nth(5; range(1e12))", "5"),
        ("label $out | range(1e12) | ., break $out", "0"),
        ("[limit(0; range(1e12))] | length", "0"),
    ] {
        assert_outputs(program, limits, &[expected]);
    }
}

#[test]
fn programs_that_are_too_deep_do_not_compile() {
    for (program, message) in [
        ("(".repeat(100_000), "expressions are nested more than"),
        ("[".repeat(100_000), "expressions are nested more than"),
        ("-".repeat(100_000), "expressions are nested more than"),
        ("{a:".repeat(100_000), "expressions are nested more than"),
        (format!("1{}", " + 1".repeat(100_000)), "operators in a row"),
        (format!("1{}", " | 1".repeat(100_000)), "expressions in a row with `|`"),
        (format!("1{}", ", 1".repeat(100_000)), "expressions in a row with `,`"),
        (format!(". as {} | 1", "[".repeat(100_000)), "patterns are nested more than"),
        ("def f: ".repeat(100_000), "nested more than"),
        ("\"\\(".repeat(100_000), "expressions are nested more than"),
        (".a".repeat(100_000), "fields and brackets in a row"),
        ("if 1 then ".repeat(100_000), "expressions are nested more than"),
    ] {
        let error = Filter::new(&program).unwrap_err();
        assert!(error.message().contains(message), "{}", error.message());
    }
    // What is allowed compiles and runs on the stack of a thread of the standard size.
    for program in [
        format!("{}1{}", "(".repeat(50), ")".repeat(50)),
        format!("1{}", " + 1".repeat(100)),
        format!("1{}", " | 1".repeat(4000)),
        format!("[1{}] | length", ", 1".repeat(4000)),
        ".a".repeat(30),
    ] {
        assert_eq!(run(&program, Value::NULL, Limits::default()).1, None);
    }
}
