//! The examples do what they say.

#![forbid(unsafe_code)]

#[path = "../examples/config_file.rs"]
#[expect(dead_code, reason = "`main` is not called")]
mod config_file;
#[path = "../examples/csv_to_json.rs"]
#[expect(dead_code, reason = "`main` is not called")]
mod csv_to_json;
#[path = "../examples/log_pipeline.rs"]
#[expect(dead_code, reason = "`main` is not called")]
mod log_pipeline;
#[path = "../examples/web_body.rs"]
#[expect(dead_code, reason = "`main` is not called")]
mod web_body;

#[test]
fn a_table_becomes_objects() {
    let table = "id,name,price\n1,\"Smith, \"\"Al\"\"\",1.50\n2,,007\n";
    let mut output = Vec::new();
    csv_to_json::convert(table.as_bytes(), &mut output).expect("a table");
    let expected = r#"[
{"id":1,"name":"Smith, \"Al\"","price":1.50},
{"id":2,"name":null,"price":"007"}
]
"#;
    assert_eq!(String::from_utf8_lossy(&output), expected);
    assert!(csv_to_json::convert(&b""[..], Vec::new()).is_err());
}

#[test]
fn a_configuration_has_defaults_and_errors_have_a_place() {
    let config = config_file::read("{\"port\": 80, \"log\": \"quiet\"}").expect("valid");
    assert_eq!((config.port, config.address.as_str(), config.workers), (80, "127.0.0.1", None));
    assert_eq!(config_file::read(&config_file::show(&config).expect("a text")).as_ref(), Ok(&config));
    let error = config_file::read("{\n  \"prot\": 80\n}").expect_err("a misspelled name");
    assert!(error.starts_with("2:") && error.contains("prot") && error.contains("port"), "{error}");
    let error = config_file::read("{\n  \"port\": 80,\n}").expect_err("not JSON");
    assert!(error.starts_with("3:1: trailing comma"), "{error}");
}

#[test]
fn requests_are_answered() {
    let mut service = web_body::Service::default();
    let order =
        br#"{"user": "Ad\u0061", "items": [{"price": 2.5, "count": 2}, {"price": 1, "count": 1}], "note": [{}]}"#;
    assert_eq!(service.answer(order), (200, &br#"{"user":"Ada","total":6.0}"#[..]));
    let (status, body) = service.answer(br#"{"user": "Ada", "items": [{"price": "2.5", "count": 2}]}"#);
    assert!(status == 422 && fjson::is_valid(body), "{status}");
    assert!(
        String::from_utf8_lossy(body).ends_with(r#""pointer":"/items/0/price"}"#),
        "{}",
        String::from_utf8_lossy(body)
    );
    let (status, body) = service.answer(br#"{"user": "Ada" "items": []}"#);
    assert!(status == 400 && fjson::is_valid(body));
}

#[test]
fn errors_are_kept() {
    let log = "{\"level\": \"info\", \"message\": \"up\"}\n\
        {\"time\": 1.50, \"level\": \"error\", \"message\": \"disk \\u0041 full\", \"code\": 7}\n\
        not JSON\n\
        {\"level\": \"err\\u006fr\"}";
    let mut output = Vec::new();
    assert_eq!(log_pipeline::filter(log.as_bytes(), &mut output).expect("a log"), (2, 1));
    let expected = "{\"line\":2,\"time\":1.50,\"message\":\"disk \\u0041 full\"}\n{\"line\":4}\n";
    assert_eq!(String::from_utf8_lossy(&output), expected);
    assert_eq!(log_pipeline::filter(&b"1\n"[..], Vec::new()).expect("a log"), (0, 0));
}
