//! Dates in time zones, which the host gives as rules, since the system may have no list of zones.

use fjson_jq::Filter;
use fjson_jq::Host;

struct In(&'static str);

impl Host for In {
    fn time_zone(&mut self) -> Option<String> {
        Some(self.0.to_owned())
    }
}

fn outputs(zone: &'static str, program: &str, input: &str) -> Vec<String> {
    let filter = Filter::new(program).unwrap_or_else(|error| panic!("{program}: {error}"));
    let mut outputs = Vec::new();
    let run = filter.machine_with(In(zone)).run_each(input, &mut |output| outputs.push(output.to_string()));
    run.unwrap_or_else(|error| panic!("{program}: {error}"));
    outputs
}

/// Central European time.
const BERLIN: &str = "CET-1CEST,M3.5.0,M10.5.0/3";

#[test]
fn local_times() {
    let shown = r#""%Y-%m-%d %H:%M:%S %z %Z""#;
    for (zone, seconds, expected) in [
        ("UTC", "0", "1970-01-01 00:00:00 +0000 UTC"),
        (BERLIN, "1425599621", "2015-03-06 00:53:41 +0100 CET"),
        (BERLIN, "1435677542", "2015-06-30 17:19:02 +0200 CEST"),
        ("NST3:30NDT,M3.2.0,M11.1.0", "1425599621", "2015-03-05 20:23:41 -0330 NST"),
        ("<+0530>-5:30", "-1", "1970-01-01 05:29:59 +0530 +0530"),
    ] {
        assert_eq!(outputs(zone, &format!("strflocaltime({shown})"), seconds), [format!("\"{expected}\"")], "{zone}");
        assert_eq!(
            outputs(zone, &format!("localtime | strflocaltime({shown})"), seconds),
            [format!("\"{expected}\"")],
            "{zone}"
        );
        assert_eq!(outputs(zone, "gmtime | mktime", seconds), [seconds], "{zone}");
    }
    assert_eq!(outputs(BERLIN, "localtime", "1425599621"), ["[2015,2,6,0,53,41,5,64]"]);
    // The clock skipped from 2:00 to 3:00.
    let skipped = outputs(BERLIN, r#"strflocaltime("%H:%M %Z")"#, "[2015, 2, 29, 2, 30, 0, 0, 0]");
    assert_eq!(skipped, [r#""03:30 CEST""#]);
}

/// As the C library of GNU formats and reads them.
#[test]
fn every_directive() {
    let directives = "%a|%A|%b|%B|%c|%C|%d|%D|%e|%F|%g|%G|%h|%H|%I|%j|%k|%l|%m|%M|%n|%p|%r|%R|%s|%S|%t|%T|%u|%U|%V|%w|%W|%x|%X|%y|%Y|%z|%Z|%%";
    for (seconds, expected) in [
        (
            "1425599621",
            "Thu|Thursday|Mar|March|Thu Mar  5 23:53:41 2015|20|05|03/05/15| 5|2015-03-05|15|2015|Mar|23|11|064|23|11|03|53|\\n|PM|\
             11:53:41 PM|23:53|1425599621|41|\\t|23:53:41|4|09|10|4|09|03/05/15|23:53:41|15|2015|+0000|GMT|%",
        ),
        (
            "-86400",
            "Wed|Wednesday|Dec|December|Wed Dec 31 00:00:00 1969|19|31|12/31/69|31|1969-12-31|70|1970|Dec|00|12|365| 0|12|12|00|\\n|\
             AM|12:00:00 AM|00:00|-86400|00|\\t|00:00:00|3|52|01|3|52|12/31/69|00:00:00|69|1969|+0000|GMT|%",
        ),
        (
            "1483228799",
            "Sat|Saturday|Dec|December|Sat Dec 31 23:59:59 2016|20|31|12/31/16|31|2016-12-31|16|2016|Dec|23|11|366|23|11|12|59|\\n|\
             PM|11:59:59 PM|23:59|1483228799|59|\\t|23:59:59|6|52|52|6|52|12/31/16|23:59:59|16|2016|+0000|GMT|%",
        ),
    ] {
        assert_eq!(outputs("UTC", &format!("strftime(\"{directives}\")"), seconds), [format!("\"{expected}\"")]);
    }
    for (year, days, start) in [(2015, 365, 1_420_070_400), (2016, 366, 1_451_606_400)] {
        let days = format!(r#"[range(1; {days} + 1) | "{year} \(.)" | strptime("%Y %j")]"#);
        let dates = format!("[range({start}; {start} + 86400 * ({days} | length); 86400) | gmtime]");
        assert_eq!(outputs("UTC", &format!("{days} == {dates}"), "null"), ["true"], "{year}");
    }
}

#[test]
fn zones_of_the_system() {
    if !std::path::Path::new("/usr/share/zoneinfo/America/New_York").exists() {
        println!("NOT TESTED: the system has no zone America/New_York");
        return;
    }
    for (zone, expected) in [("America/New_York", "EDT -0400"), ("Asia/Tokyo", "JST +0900")] {
        let shown = outputs(zone, r#"strflocaltime("%Z %z")"#, "1435677542");
        assert_eq!(shown, [format!("\"{expected}\"")], "{zone}");
    }
}

#[test]
fn dates_that_do_not_exist() {
    for (program, input, expected) in [
        (r#"strptime("%Y-%m-%d")"#, r#""2015-13-01""#, r#"date "2015-13-01" does not match format "%Y-%m-%d""#),
        ("mktime", r#"["a"]"#, "mktime requires parsed datetime inputs"),
        ("mktime", "1", "mktime requires array inputs"),
        ("gmtime", r#""a""#, "gmtime() requires numeric inputs"),
        ("todate", "1e18", "error converting number of seconds since epoch to datetime"),
        ("localtime", "1e18", "error converting number of seconds since epoch to datetime"),
        ("strftime([])", "0", "strftime/1 requires a string format"),
        (r#"strflocaltime("%Y")"#, "{}", "strflocaltime/1 requires parsed datetime inputs"),
    ] {
        let caught = outputs("UTC", &format!("try {program} catch ."), input);
        let expected = fjson_jq::value::Value::from(expected).to_string();
        assert_eq!(caught, [expected], "{program}");
    }
}
