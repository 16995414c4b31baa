//! The names that `builtins` lists: those of jq 1.8.2, and a few more.

#![forbid(unsafe_code)]

use std::borrow::Cow;
use std::collections::BTreeSet;

use fjson_jq::Filter;
use fjson_jq::value::Value;

/// The builtins of jq 1.8.2 by their number of parameters, as `jq -n builtins` lists them.
const OF_JQ: &[(usize, &str)] = &[
    (
        0,
        "abs acos acosh add all any arrays ascii_downcase ascii_upcase asin asinh atan atanh booleans builtins cbrt ceil \
        combinations cos cosh debug empty env erf erfc error exp exp10 exp2 explode expm1 fabs finites first flatten \
        floor frexp from_entries fromdate fromdateiso8601 fromjson gamma get_jq_origin get_prog_origin get_search_list \
        gmtime halt halt_error have_decnum have_literal_numbers implode infinite input input_filename input_line_number \
        inputs isfinite isinfinite isnan isnormal iterables j0 j1 keys keys_unsorted last length lgamma lgamma_r \
        localtime log log10 log1p log2 logb ltrim max min mktime modf modulemeta nan nearbyint normals not now nulls \
        numbers objects paths recurse reverse rint round rtrim scalars significand sin sinh sort sqrt stderr strings tan \
        tanh tgamma to_entries toboolean todate todateiso8601 tojson tonumber tostream tostring transpose trim trunc \
        type unique utf8bytelength values y0 y1",
    ),
    (
        1,
        "IN INDEX add all any bsearch capture combinations contains debug del delpaths endswith error first flatten \
        format fromstream getpath group_by halt_error has in index indices inside isempty join last ltrimstr map \
        map_values match max_by min_by nth path paths pick range recurse repeat rindex rtrimstr scan select sort_by \
        split splits startswith strflocaltime strftime strptime test trimstr truncate_stream unique_by walk with_entries",
    ),
    (
        2,
        "IN INDEX JOIN all any atan2 capture copysign drem fdim fmax fmin fmod gsub hypot jn ldexp limit match nextafter \
        nexttoward nth pow range recurse remainder scalb scalbln scan setpath skip split splits sub test until while yn",
    ),
    (3, "JOIN fma gsub range sub"),
    (4, "JOIN"),
];

/// Names that jq had before, has later, or could have, and their number of parameters.
const MORE: &[&str] = &["ascii/0", "date/0", "dateadd/2", "datesub/2", "isvalid/1", "pow10/0", "toarray/0"];

fn listed() -> BTreeSet<String> {
    let list = Filter::new("builtins").expect("a program").first("null").expect("no error").expect("an array");
    list.iterate().expect("an array").filter_map(|name| name.as_str().map(Cow::into_owned)).collect()
}

fn of_jq() -> BTreeSet<String> {
    let names = |(arity, names): &(usize, &str)| {
        names.split_whitespace().map(|name| format!("{name}/{arity}")).collect::<Vec<_>>()
    };
    OF_JQ.iter().flat_map(names).collect()
}

#[test]
fn names_are_those_of_jq_and_some_more() {
    assert_eq!(of_jq().len(), 226);
    let more = MORE.iter().map(ToString::to_string);
    let expected: BTreeSet<_> = of_jq().into_iter().chain(more).collect();
    let (listed, none) = (listed(), Vec::<&String>::new());
    assert_eq!(
        (listed.difference(&expected).collect::<Vec<_>>(), expected.difference(&listed).collect()),
        (none.clone(), none)
    );
}

/// Each name that is listed can be called with as many arguments.
#[test]
fn each_name_can_be_called() {
    for name in listed() {
        let (name, arity) = name.split_once('/').expect("an arity");
        let arguments = vec!["."; arity.parse().expect("a number")];
        let call = if arguments.is_empty() { name.to_owned() } else { format!("{name}({})", arguments.join("; ")) };
        assert!(Filter::new(&call).is_ok(), "{call}");
        let too_many = format!("{name}({})", ["."; 9].join("; "));
        assert!(Filter::new(&too_many).is_err(), "{too_many}");
    }
}

/// A name of a format that does not exist is a mistake that is told before the program runs.
#[test]
fn formats() {
    for format in ["@text", "@json", "@html", "@uri", "@urid", "@csv", "@tsv", "@sh", "@base64", "@base64d"] {
        let output = Filter::new(&format!("[1] | try {format} catch ."))
            .expect(format)
            .run(Value::NULL, &mut |_| std::ops::ControlFlow::Continue(()));
        assert!(output.is_ok(), "{format}");
    }
    let error = Filter::new("[1] | @nothing").expect_err("no format");
    assert_eq!(error.message(), "nothing is not a valid format");
    assert!(error.help().is_some_and(|help| help.contains("@base64d")));
}
