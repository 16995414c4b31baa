# Makes a bill of materials in the format CycloneDX of the lines "NAME vVERSION|LICENSE" that `cargo tree` prints. $lock is the text of
# Cargo.lock, which has the checksums, $program the name of the package that is the program, and $rust the version of the compiler.

[$lock | scan("name = \"(.+)\"\nversion = \"(.+)\"\nsource = .+\nchecksum = \"([0-9a-f]{64})\"") | {"\(.[0]) \(.[1])": .[2]}] | add
| . as $checksums
| def component:
    capture("^(?<name>[^ ]+) v(?<version>[^ |]+)[^|]*\\|(?<license>.*)$")
    | $checksums["\(.name) \(.version)"] as $checksum
    | {
        type: (if .name == $program then "application" else "library" end),
        "bom-ref": "pkg:cargo/\(.name)@\(.version | @uri)",
        name,
        version,
        hashes: [$checksum | values | {alg: "SHA-256", content: .}],
        licenses: [{expression: (.license | gsub("/"; " OR "))}],
        purl: "pkg:cargo/\(.name)@\(.version | @uri)"
      };
  [inputs | component]
| {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {component: (.[] | select(.name == $program))},
    components: (
      map(select(.name != $program))
      + [{type: "library", name: "std", version: $rust, licenses: [{expression: "MIT OR Apache-2.0"}], description: "the standard library of Rust"}]
    )
  }
