//! Scripts in the style of those that build systems run with `jq`, through a link of this name.
//!
//! Their outputs are those of jq 1.8. If the environment variable `FJSON_JQ` names one, it runs them, too.

use crate::place::FJSON;
use crate::place::Place;
use std::env;
use std::ffi::OsStr;
use std::os::unix::fs::symlink;

/// What the scripts read.
const FILES: &[(&str, &str)] = &[
    (
        "release.json",
        r#"{"tag_name": "v2.4.1", "prerelease": false, "assets": [
            {"name": "tool-linux-x86_64.tar.gz", "size": 1204, "browser_download_url": "https://example.com/l64.tar.gz"},
            {"name": "tool-linux-x86_64.tar.gz.sha256", "size": 64, "browser_download_url": "https://example.com/l64.sha256"},
            {"name": "tool-darwin-arm64.zip", "size": 990, "browser_download_url": "https://example.com/mac.zip"}]}"#,
    ),
    (
        "package.json",
        "{\n  \"name\": \"@shop/cart\",\n  \"version\": \"1.9.9\",\n  \"private\": true,\n  \"dependencies\": {\"b\": \"^2.0.0\", \"a\": \"~1.0\"},\n  \"scripts\": {\"test\": \"run <all> && echo 'ok'\"}\n}\n",
    ),
    (
        "instances.json",
        r#"{"Reservations": [{"Instances": [
            {"InstanceId": "i-01", "State": {"Name": "running", "Code": 16}, "Tags": [{"Key": "Name", "Value": "web 1"}, {"Key": "Env", "Value": "prod"}]},
            {"InstanceId": "i-02", "State": {"Name": "stopped", "Code": 80}}]},
            {"Instances": [{"InstanceId": "i-03", "State": {"Name": "running", "Code": 16}, "Tags": [{"Key": "Env", "Value": "test"}], "LaunchTime": "2024-02-29T12:30:00Z"}]}]}"#,
    ),
    (
        "inspect.json",
        r#"[{"Id": "4f66ad9a0b2e", "State": {"Status": "running", "Health": {"Status": "healthy", "FailingStreak": 0}},
            "Config": {"Env": ["PATH=/usr/bin:/bin", "TOKEN=a=b=c", "EMPTY="], "Labels": {"com.example.team": "core"}},
            "NetworkSettings": {"Ports": {"80/tcp": [{"HostIp": "0.0.0.0", "HostPort": "8080"}], "443/tcp": null},
            "Networks": {"bridge": {"IPAddress": "172.17.0.2"}, "backend": {"IPAddress": "10.1.0.7"}}}}]"#,
    ),
    (
        "outputs.json",
        r#"{"db_url": {"sensitive": false, "type": "string", "value": "postgres://it's:5432/db"}, "password": {"sensitive": true, "type": "string", "value": "x"},
            "zones": {"sensitive": false, "type": ["list", "string"], "value": ["a", "b"]}, "replicas": {"sensitive": false, "type": "number", "value": 3}}"#,
    ),
    ("base.json", r#"{"server": {"port": 80, "hosts": ["a", "b"], "tls": {"on": false}}, "debug": true}"#),
    ("override.json", r#"{"server": {"hosts": ["c"], "tls": {"on": true}}, "debug": null}"#),
    (
        "audit.json",
        r#"{"vulnerabilities": {"left": {"severity": "low", "fixAvailable": true}, "mid": {"severity": "high", "fixAvailable": {"name": "mid", "version": "2.0.0"}},
            "deep": {"severity": "high", "fixAvailable": false}, "top": {"severity": "critical", "fixAvailable": false}}}"#,
    ),
    (
        "push.json",
        r#"{"ref": "refs/heads/release/1.x", "commits": [{"added": ["src/a.rs"], "modified": ["README.md"], "removed": []},
            {"added": [], "modified": ["src/a.rs", "docs/b c.md"], "removed": ["old"]}], "sender": {"login": "ada"}}"#,
    ),
    (
        "coverage.json",
        r#"{"total": {"lines": {"total": 812, "covered": 676}, "branches": {"total": 90, "covered": 90}}}"#,
    ),
    ("token", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c2VyLTEiLCJleHAiOjE3MDAwMDAwMDAsIm5hbWUiOiJaw7zDn8O_In0.c2ln\n"),
    (
        "service.log",
        "{\"level\":\"info\",\"ms\":12}\nTraceback: not json\n{\"level\":\"error\",\"ms\":340,\"msg\":\"a\\tb\"}\n\n{\"level\":\"info\",\"ms\":8}\n",
    ),
];

/// A script and its output.
const SCRIPTS: &[(&str, &str)] = &[
    (
        r#"tag=$(jq -r .tag_name release.json)
url=$(jq -r --arg os linux --arg arch x86_64 '.assets[] | select(.name | test("\($os)-\($arch)\\.tar\\.gz$")) | .browser_download_url' release.json)
echo "${tag#v} $url"
jq -r '.assets | max_by(.size) | "\(.name) \(.size / 1024 * 100 | round / 100) KiB"' release.json"#,
        "2.4.1 https://example.com/l64.tar.gz\ntool-linux-x86_64.tar.gz 1.18 KiB\n",
    ),
    (
        r#"next=$(jq -r '.version | split(".") | map(tonumber) | .[1] += 1 | .[2] = 0 | map(tostring) | join(".")' package.json)
jq --arg version "$next" '.version = $version | del(.private) | .dependencies |= with_entries(.value |= ltrimstr("^"))' package.json >new && mv new package.json
cat package.json"#,
        "{\n  \"name\": \"@shop/cart\",\n  \"version\": \"1.10.0\",\n  \"dependencies\": {\n    \"b\": \"2.0.0\",\n    \"a\": \"~1.0\"\n  },\n  \"scripts\": {\n    \"test\": \"run <all> && echo 'ok'\"\n  }\n}\n",
    ),
    (
        r#"jq -r '.Reservations[].Instances[] | [.InstanceId, (.Tags // [] | from_entries | .Name // "-"), .State.Name] | @tsv' instances.json
jq -r '[.Reservations[].Instances[] | select(.State.Name == "running") | .InstanceId] | join(",")' instances.json
jq '[.Reservations[].Instances[].LaunchTime // empty | fromdate] | max | . + 86400 | todate' instances.json"#,
        "i-01\tweb 1\trunning\ni-02\t-\tstopped\ni-03\t-\trunning\ni-01,i-03\n\"2024-03-01T12:30:00Z\"\n",
    ),
    (
        r#"jq -r '.[0].NetworkSettings.Networks | to_entries[] | "\(.key)=\(.value.IPAddress)"' inspect.json
jq -r '.[0].Config.Env | map(capture("^(?<key>[^=]+)=(?<value>.*)$")) | from_entries | .TOKEN, (.EMPTY | tojson)' inspect.json
jq -r '.[].NetworkSettings.Ports | to_entries[] | select(.value) | "\(.key) \(.value[0].HostPort)"' inspect.json
until [ "$(jq -r '.[0].State.Health.Status // "none"' inspect.json)" = healthy ]; do exit 1; done"#,
        "bridge=172.17.0.2\nbackend=10.1.0.7\na=b=c\n\"\"\n80/tcp 8080\n",
    ),
    (
        r#"jq -r 'to_entries[] | select(.value.sensitive | not) | "export TF_\(.key | ascii_upcase)=\(.value.value | if type == "array" then join(",") else tostring end | @sh)"' outputs.json >env
cat env && . ./env && echo "$TF_DB_URL $TF_ZONES""#,
        "export TF_DB_URL='postgres://it'\\''s:5432/db'\nexport TF_ZONES='a,b'\nexport TF_REPLICAS='3'\npostgres://it's:5432/db a,b\n",
    ),
    (
        r#"GITHUB_OUTPUT=output
echo "matrix=$(jq -cn --args '{include: [$ARGS.positional[] | split(":") | {os: .[0], target: .[1], cross: (.[0] == "linux")}]}' linux:arm linux:x86 mac:arm)" >>$GITHUB_OUTPUT
echo "names=$(jq -c '[.assets[].name]' release.json)" >>$GITHUB_OUTPUT
cat output"#,
        "matrix={\"include\":[{\"os\":\"linux\",\"target\":\"arm\",\"cross\":true},{\"os\":\"linux\",\"target\":\"x86\",\"cross\":true},{\"os\":\"mac\",\"target\":\"arm\",\"cross\":false}]}\nnames=[\"tool-linux-x86_64.tar.gz\",\"tool-linux-x86_64.tar.gz.sha256\",\"tool-darwin-arm64.zip\"]\n",
    ),
    (
        r#"if jq -e '.total.lines | .covered / .total >= 0.9' coverage.json >/dev/null; then echo pass; else echo "fail $?"; fi
jq -e 'all(.total[]; .covered <= .total)' coverage.json && jq -e .missing coverage.json || echo "status $?"
jq -e 'empty' coverage.json; echo "status $?"
jq -r '.total | to_entries[] | "\(.key): \(.value | 1000 * .covered / .total | floor / 10) %"' coverage.json"#,
        "fail 1\ntrue\nnull\nstatus 1\nstatus 4\nlines: 83.2 %\nbranches: 100 %\n",
    ),
    (
        r#"jq -rR 'split(".")[1] | gsub("-"; "+") | gsub("_"; "/") | @base64d | fromjson | .sub, .name, (.exp | todate)' token"#,
        "user-1\nZüßÿ\n2023-11-14T22:13:20Z\n",
    ),
    (
        r#"jq -S --slurpfile o override.json '. * $o[0]' base.json
jq -c -s '.[0] * .[1] | del(.. | nulls)' base.json override.json
jq -n -c 'reduce inputs as $i ({}; . * $i) | .server.port' base.json override.json
jq --argjson patch "$(cat override.json)" -c '.server += $patch.server | .debug |= ($patch.debug // .)' base.json"#,
        "{\n  \"debug\": null,\n  \"server\": {\n    \"hosts\": [\n      \"c\"\n    ],\n    \"port\": 80,\n    \"tls\": {\n      \"on\": true\n    }\n  }\n}\n{\"server\":{\"port\":80,\"hosts\":[\"c\"],\"tls\":{\"on\":true}}}\n80\n{\"server\":{\"port\":80,\"hosts\":[\"c\"],\"tls\":{\"on\":true}},\"debug\":true}\n",
    ),
    (
        r#"jq -r '.vulnerabilities | to_entries | group_by(.value.severity) | map("\(.[0].value.severity): \(length)") | .[]' audit.json
jq -r '[.vulnerabilities | to_entries[] | select(.value.severity | IN("high", "critical")) | {name: .key, fix: (.value.fixAvailable | if type == "object" then .version else . end)}] | sort_by(.name) | (["name", "fix"], (.[] | [.name, .fix])) | @csv' audit.json
count=$(jq '[.vulnerabilities[] | select(.severity == "critical")] | length' audit.json)
[ "$count" -eq 0 ] || echo "$count critical""#,
        "critical: 1\nhigh: 2\nlow: 1\n\"name\",\"fix\"\n\"deep\",false\n\"mid\",\"2.0.0\"\n\"top\",false\n1 critical\n",
    ),
    (
        r#"jq -r '.ref | sub("^refs/heads/"; "")' push.json
jq -r '[.commits[] | .added[], .modified[]] | unique[] | @sh' push.json
jq -r '.commits | map(.removed) | add | .[]' push.json
jq '{text: "\(.sender.login) pushed \(.commits | length) commits", attachments: [.commits[] | {added, n: (.modified | length)}]}' push.json"#,
        "release/1.x\n'README.md'\n'docs/b c.md'\n'src/a.rs'\nold\n{\n  \"text\": \"ada pushed 2 commits\",\n  \"attachments\": [\n    {\n      \"added\": [\n        \"src/a.rs\"\n      ],\n      \"n\": 1\n    },\n    {\n      \"added\": [],\n      \"n\": 2\n    }\n  ]\n}\n",
    ),
    (
        r#"jq -R 'fromjson? // empty' service.log | jq -c -s 'group_by(.level) | map({level: .[0].level, n: length, ms: (map(.ms) | add / length)})'
jq -Rn -r '[inputs | fromjson? | .ms] | sort | .[length / 2 | floor]' service.log
jq -nR '[inputs | select(length > 0) | try (fromjson | "ok") catch "bad"] | group_by(.) | map({(.[0]): length}) | add' --tab service.log
jq -n --rawfile log service.log --arg title "a \"b\"" '{title: $title, lines: ($log | split("\n") | map(select(. != "")) | length)}' --indent 1"#,
        "[{\"level\":\"error\",\"n\":1,\"ms\":340},{\"level\":\"info\",\"n\":2,\"ms\":10}]\n12\n{\n\t\"bad\": 1,\n\t\"ok\": 3\n}\n{\n \"title\": \"a \\\"b\\\"\",\n \"lines\": 4\n}\n",
    ),
];

fn run(jq: &OsStr, script: &str) -> (String, Option<i32>) {
    let place = Place::new();
    for (name, text) in FILES {
        place.file(name, text);
    }
    symlink(jq, place.path("jq")).expect("a link");
    let output = place.shell(&format!("PATH=.:$PATH\n{script}")).output();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.is_empty(), "{script}\n{stderr}");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

#[test]
fn scripts_of_build_systems() {
    let peer = env::var_os("FJSON_JQ");
    for (script, expected) in SCRIPTS {
        let programs = [Some(OsStr::new(FJSON)), peer.as_deref()];
        for program in programs.into_iter().flatten() {
            let (found, status) = run(program, script);
            assert_eq!((&*found, status), (*expected, Some(0)), "{}: {script}", program.display());
        }
    }
}
