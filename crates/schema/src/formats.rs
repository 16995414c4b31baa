//! What the formats of JSON Schema are called in messages.

#![forbid(unsafe_code)]

/// Returns what a string with this format is.
pub(crate) fn format_name(format: &str) -> &'static str {
    match format {
        "date" => "a date such as 2024-12-31",
        "time" => "a time with an offset such as 23:59:59Z",
        "date-time" => "a date and time such as 2024-12-31T23:59:59Z",
        "duration" => "a duration such as P1DT12H",
        "email" | "idn-email" => "an e-mail address",
        "hostname" | "idn-hostname" => "a host name",
        "ipv4" => "an IPv4 address",
        "ipv6" => "an IPv6 address",
        "uri" => "an absolute URI",
        "uri-reference" => "a URI or a relative reference",
        "iri" => "an absolute IRI",
        "iri-reference" => "an IRI or a relative reference",
        "uri-template" => "a URI template",
        "uuid" => "a UUID",
        "json-pointer" => "a JSON Pointer such as /a/0",
        "relative-json-pointer" => "a relative JSON Pointer such as 1/a",
        _ => "another form",
    }
}
