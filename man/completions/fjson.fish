# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_fjson_global_optspecs
    string join \n h/help V/version
end

function __fish_fjson_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_fjson_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_fjson_using_subcommand
    set -l cmd (__fish_fjson_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c fjson -n "__fish_fjson_needs_command" -s h -l help -d 'Print help: -h the options that are needed most, --help everything'
complete -c fjson -n "__fish_fjson_needs_command" -s V -l version -d 'Print the version and the kernels available on this machine'
complete -c fjson -n "__fish_fjson_needs_command" -f -a "validate" -d 'Check that inputs are valid JSON'
complete -c fjson -n "__fish_fjson_needs_command" -f -a "minify" -d 'Validate and remove whitespace'
complete -c fjson -n "__fish_fjson_needs_command" -f -a "pretty" -d 'Validate and indent'
complete -c fjson -n "__fish_fjson_needs_command" -f -a "query" -d 'Print the values selected by a JSONPath or JSON Pointer'
complete -c fjson -n "__fish_fjson_needs_command" -f -a "jq" -d 'Run programs in the jq language'
complete -c fjson -n "__fish_fjson_needs_command" -f -a "edit" -d 'Change values, and leave all other bytes as they are'
complete -c fjson -n "__fish_fjson_needs_command" -f -a "set" -d 'Set a value'
complete -c fjson -n "__fish_fjson_needs_command" -f -a "delete" -d 'Delete members and elements'
complete -c fjson -n "__fish_fjson_needs_command" -f -a "patch" -d 'Apply a JSON Patch (RFC 6902)'
complete -c fjson -n "__fish_fjson_needs_command" -f -a "merge" -d 'Apply a merge patch (RFC 7396)'
complete -c fjson -n "__fish_fjson_needs_command" -f -a "diff" -d 'Compare two documents by value'
complete -c fjson -n "__fish_fjson_needs_command" -f -a "stats" -d 'Count types, sizes, keys and numbers'
complete -c fjson -n "__fish_fjson_needs_command" -f -a "gzip" -d 'Validate, minify and compress on all cores'
complete -c fjson -n "__fish_fjson_needs_command" -f -a "bench" -d 'Measure speed and run conformance suites'
complete -c fjson -n "__fish_fjson_needs_command" -f -a "man" -d 'Write the man pages to a directory'
complete -c fjson -n "__fish_fjson_needs_command" -f -a "completions" -d 'Print the completion script for a shell'
complete -c fjson -n "__fish_fjson_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l schema-dir -d 'Look for referenced schemas in DIR, by their $id or their path' -r -f -a "(__fish_complete_directories)"
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l schema-at -d 'Use the schema at this JSON Pointer inside the file of --schema' -r
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l draft -d 'Draft of schemas without $schema: 4, 6, 7, 2019-09 or 2020-12' -r -f -a "4\t''
6\t''
7\t''
2019-09\t''
2020-12\t''"
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l formats -d 'Whether strings must have their format: assert or ignore' -r -f -a "assert\t''
ignore\t''"
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l files0-from -d 'Like --files-from, but with a NUL after each name' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand validate" -s g -l glob -d 'In directories, include only files that match GLOB' -r
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l skip-prefix -d 'Start each record at its first { or [, after other text' -r -f -a "bracket\t''
object\t''"
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l bom -d 'What to do with a byte order mark in UTF-8' -r -f -a "error\t''
accept\t''
strip\t''"
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l encoding -d 'Encoding of the inputs: utf-8, or that of their byte order mark' -r -f -a "utf-8\t''
auto\t''"
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l max-bytes -d 'Reject compressed inputs that expand to more than N bytes' -r
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l range -d 'Read only the records that begin in a part of each input' -r
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l splits-from -d 'Read the parts of files that are listed in FILE' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l max-depth -d 'Reject documents that are nested more than N levels deep' -r
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l threads -d 'Use up to N threads' -r
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l kernel -d 'Kernel to use: auto, or one of those listed by --version' -r
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l format -d 'Format of the report' -r -f -a "human\t''
concise\t''
json\t''
jsonl\t''
github\t''
gitlab\t''
sarif\t''
junit\t''"
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l max-errors -d 'Show at most N errors; 0 shows all' -r
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l color -d 'When to use colors, in the report and in documents on standard output' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l schema -d 'Validate the inputs against a JSON Schema' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l files-from -d 'Read the names of inputs from FILE, one per line' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand validate" -s h -l help -d 'Print help: -h the options that are needed most, --help everything'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -s V -l version -d 'Print the version and the kernels available on this machine'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l check-schema -d 'Check that the inputs are JSON Schemas'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l lines -d 'Read one document per line (JSON Lines, NDJSON)'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l stream -d 'Read concatenated documents'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l seq -d 'Read JSON text sequences (RFC 7464)'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -s L -l follow -d 'In directories, follow symbolic links to directories, too'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l hidden -d 'In directories, include hidden files'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l no-ignore -d 'In directories, include files that .ignore or .gitignore excludes'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l jsonc -d 'Accept comments and trailing commas (JSONC)'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l no-jsonc -d 'Accept no comments in any file'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l no-mmap -d 'Read regular files instead of memory-mapping them'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -s q -l quiet -d 'Do not report invalid documents; check the exit status'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -s v -l verbose -d 'Print what was read, how fast, and with which kernel'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l schema-from-instance -d 'Validate each document against the schema that its member $schema names'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l unique-keys -d 'Reject objects with duplicate keys'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l ijson -d 'Reject documents that are not I-JSON (RFC 7493)'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -s o -l output -d 'Write to FILE' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l escape -d 'Write characters in strings as \\u escapes, or none' -r -f -a "none\t''
ascii\t''
html\t''
js\t''"
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l max-memory -d 'Limit on the memory for sorting one object, in bytes' -r
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l schema -d 'Validate the inputs against a JSON Schema' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l schema-dir -d 'Look for referenced schemas in DIR, by their $id or their path' -r -f -a "(__fish_complete_directories)"
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l schema-at -d 'Use the schema at this JSON Pointer inside the file of --schema' -r
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l draft -d 'Draft of schemas without $schema: 4, 6, 7, 2019-09 or 2020-12' -r -f -a "4\t''
6\t''
7\t''
2019-09\t''
2020-12\t''"
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l formats -d 'Whether strings must have their format: assert or ignore' -r -f -a "assert\t''
ignore\t''"
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l files-from -d 'Read the names of inputs from FILE, one per line' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l files0-from -d 'Like --files-from, but with a NUL after each name' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand minify" -s g -l glob -d 'In directories, include only files that match GLOB' -r
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l skip-prefix -d 'Start each record at its first { or [, after other text' -r -f -a "bracket\t''
object\t''"
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l bom -d 'What to do with a byte order mark in UTF-8' -r -f -a "error\t''
accept\t''
strip\t''"
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l encoding -d 'Encoding of the inputs: utf-8, or that of their byte order mark' -r -f -a "utf-8\t''
auto\t''"
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l max-bytes -d 'Reject compressed inputs that expand to more than N bytes' -r
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l range -d 'Read only the records that begin in a part of each input' -r
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l splits-from -d 'Read the parts of files that are listed in FILE' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l max-depth -d 'Reject documents that are nested more than N levels deep' -r
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l threads -d 'Use up to N threads' -r
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l kernel -d 'Kernel to use: auto, or one of those listed by --version' -r
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l format -d 'Format of the report' -r -f -a "human\t''
concise\t''
json\t''
jsonl\t''
github\t''
gitlab\t''
sarif\t''
junit\t''"
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l max-errors -d 'Show at most N errors; 0 shows all' -r
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l color -d 'When to use colors, in the report and in documents on standard output' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fjson -n "__fish_fjson_using_subcommand minify" -s h -l help -d 'Print help: -h the options that are needed most, --help everything'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -s V -l version -d 'Print the version and the kernels available on this machine'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -s i -l in-place -d 'Edit files in place'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -s S -l sort-keys -d 'Sort the members of each object by key'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l natural -d 'Sort keys without regard to case, and numbers in them by value'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l canonical -d 'Write the canonical form of RFC 8785 (JCS)'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l newline -d 'End the output of each input with a newline'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l schema-from-instance -d 'Validate each document against the schema that its member $schema names'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l lines -d 'Read one document per line (JSON Lines, NDJSON)'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l stream -d 'Read concatenated documents'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l seq -d 'Read JSON text sequences (RFC 7464)'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -s L -l follow -d 'In directories, follow symbolic links to directories, too'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l hidden -d 'In directories, include hidden files'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l no-ignore -d 'In directories, include files that .ignore or .gitignore excludes'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l jsonc -d 'Accept comments and trailing commas (JSONC)'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l no-jsonc -d 'Accept no comments in any file'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l no-mmap -d 'Read regular files instead of memory-mapping them'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l unique-keys -d 'Reject objects with duplicate keys'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l ijson -d 'Reject documents that are not I-JSON (RFC 7493)'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -s q -l quiet -d 'Do not report invalid documents; check the exit status'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -s v -l verbose -d 'Print what was read, how fast, and with which kernel'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l indent -d 'Indent with N spaces per level, 0 to 16' -r
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l width -d 'Write containers on one line if it has at most N columns' -r
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -s o -l output -d 'Write to FILE' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l escape -d 'Write characters in strings as \\u escapes, or none' -r -f -a "none\t''
ascii\t''
html\t''
js\t''"
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l max-memory -d 'Limit on the memory for sorting one object, in bytes' -r
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l schema -d 'Validate the inputs against a JSON Schema' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l schema-dir -d 'Look for referenced schemas in DIR, by their $id or their path' -r -f -a "(__fish_complete_directories)"
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l schema-at -d 'Use the schema at this JSON Pointer inside the file of --schema' -r
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l draft -d 'Draft of schemas without $schema: 4, 6, 7, 2019-09 or 2020-12' -r -f -a "4\t''
6\t''
7\t''
2019-09\t''
2020-12\t''"
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l formats -d 'Whether strings must have their format: assert or ignore' -r -f -a "assert\t''
ignore\t''"
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l files-from -d 'Read the names of inputs from FILE, one per line' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l files0-from -d 'Like --files-from, but with a NUL after each name' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -s g -l glob -d 'In directories, include only files that match GLOB' -r
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l skip-prefix -d 'Start each record at its first { or [, after other text' -r -f -a "bracket\t''
object\t''"
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l bom -d 'What to do with a byte order mark in UTF-8' -r -f -a "error\t''
accept\t''
strip\t''"
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l encoding -d 'Encoding of the inputs: utf-8, or that of their byte order mark' -r -f -a "utf-8\t''
auto\t''"
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l max-bytes -d 'Reject compressed inputs that expand to more than N bytes' -r
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l max-depth -d 'Reject documents that are nested more than N levels deep' -r
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l threads -d 'Use up to N threads' -r
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l kernel -d 'Kernel to use: auto, or one of those listed by --version' -r
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l format -d 'Format of the report' -r -f -a "human\t''
concise\t''
json\t''
jsonl\t''
github\t''
gitlab\t''
sarif\t''
junit\t''"
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l max-errors -d 'Show at most N errors; 0 shows all' -r
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l color -d 'When to use colors, in the report and in documents on standard output' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -s h -l help -d 'Print help: -h the options that are needed most, --help everything'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -s V -l version -d 'Print the version and the kernels available on this machine'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l strip -d 'Leave out the comments of JSON with comments'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l tab -d 'Indent with one tab per level'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l compact-arrays -d 'Write arrays without objects and arrays in them on one line'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -s i -l in-place -d 'Edit files in place'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l check -d 'List the inputs that are not formatted'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -s S -l sort-keys -d 'Sort the members of each object by key'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l natural -d 'Sort keys without regard to case, and numbers in them by value'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l schema-from-instance -d 'Validate each document against the schema that its member $schema names'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l lines -d 'Read one document per line (JSON Lines, NDJSON)'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l stream -d 'Read concatenated documents'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l seq -d 'Read JSON text sequences (RFC 7464)'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -s L -l follow -d 'In directories, follow symbolic links to directories, too'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l hidden -d 'In directories, include hidden files'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l no-ignore -d 'In directories, include files that .ignore or .gitignore excludes'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l jsonc -d 'Accept comments and trailing commas (JSONC)'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l no-jsonc -d 'Accept no comments in any file'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l no-mmap -d 'Read regular files instead of memory-mapping them'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l unique-keys -d 'Reject objects with duplicate keys'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l ijson -d 'Reject documents that are not I-JSON (RFC 7493)'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -s q -l quiet -d 'Do not report invalid documents; check the exit status'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -s v -l verbose -d 'Print what was read, how fast, and with which kernel'
complete -c fjson -n "__fish_fjson_using_subcommand query" -s p -l expr -d 'Search for EXPR; may be repeated' -r
complete -c fjson -n "__fish_fjson_using_subcommand query" -l where -d 'Search only documents for which CONDITION is true' -r
complete -c fjson -n "__fish_fjson_using_subcommand query" -l limit -d 'Stop after N matches, or N rows of --csv and --tsv' -r
complete -c fjson -n "__fish_fjson_using_subcommand query" -l order -d 'Order of the matches' -r -f -a "rfc\t''
document\t''"
complete -c fjson -n "__fish_fjson_using_subcommand query" -l null -d 'Print TEXT for null and missing values in rows' -r
complete -c fjson -n "__fish_fjson_using_subcommand query" -l rows -d 'Make rows of the values that EXPR selects' -r
complete -c fjson -n "__fish_fjson_using_subcommand query" -l columns -d 'Make a column of each key of the rows' -r -f -a "auto\t''"
complete -c fjson -n "__fish_fjson_using_subcommand query" -l schema -d 'Validate the inputs against a JSON Schema' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand query" -l schema-dir -d 'Look for referenced schemas in DIR, by their $id or their path' -r -f -a "(__fish_complete_directories)"
complete -c fjson -n "__fish_fjson_using_subcommand query" -l schema-at -d 'Use the schema at this JSON Pointer inside the file of --schema' -r
complete -c fjson -n "__fish_fjson_using_subcommand query" -l draft -d 'Draft of schemas without $schema: 4, 6, 7, 2019-09 or 2020-12' -r -f -a "4\t''
6\t''
7\t''
2019-09\t''
2020-12\t''"
complete -c fjson -n "__fish_fjson_using_subcommand query" -l formats -d 'Whether strings must have their format: assert or ignore' -r -f -a "assert\t''
ignore\t''"
complete -c fjson -n "__fish_fjson_using_subcommand query" -l files-from -d 'Read the names of inputs from FILE, one per line' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand query" -l files0-from -d 'Like --files-from, but with a NUL after each name' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand query" -l skip-prefix -d 'Start each record at its first { or [, after other text' -r -f -a "bracket\t''
object\t''"
complete -c fjson -n "__fish_fjson_using_subcommand query" -l bom -d 'What to do with a byte order mark in UTF-8' -r -f -a "error\t''
accept\t''
strip\t''"
complete -c fjson -n "__fish_fjson_using_subcommand query" -l encoding -d 'Encoding of the inputs: utf-8, or that of their byte order mark' -r -f -a "utf-8\t''
auto\t''"
complete -c fjson -n "__fish_fjson_using_subcommand query" -l max-bytes -d 'Reject compressed inputs that expand to more than N bytes' -r
complete -c fjson -n "__fish_fjson_using_subcommand query" -l range -d 'Read only the records that begin in a part of each input' -r
complete -c fjson -n "__fish_fjson_using_subcommand query" -l splits-from -d 'Read the parts of files that are listed in FILE' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand query" -l bad-records -d 'Write the records that --skip-bad skips to FILE' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand query" -l max-depth -d 'Reject documents that are nested more than N levels deep' -r
complete -c fjson -n "__fish_fjson_using_subcommand query" -l threads -d 'Use up to N threads' -r
complete -c fjson -n "__fish_fjson_using_subcommand query" -l kernel -d 'Kernel to use: auto, or one of those listed by --version' -r
complete -c fjson -n "__fish_fjson_using_subcommand query" -l max-errors -d 'Show at most N errors; 0 shows all' -r
complete -c fjson -n "__fish_fjson_using_subcommand query" -l color -d 'When to use colors, in the report and in documents on standard output' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fjson -n "__fish_fjson_using_subcommand query" -s g -l glob -d 'In directories, include only files that match GLOB' -r
complete -c fjson -n "__fish_fjson_using_subcommand query" -l format -d 'Format of the report' -r -f -a "human\t''
concise\t''
json\t''
jsonl\t''
github\t''
gitlab\t''
sarif\t''
junit\t''"
complete -c fjson -n "__fish_fjson_using_subcommand query" -s h -l help -d 'Print help: -h the options that are needed most, --help everything'
complete -c fjson -n "__fish_fjson_using_subcommand query" -s V -l version -d 'Print the version and the kernels available on this machine'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l regex -d 'Let `match()` and `search()` take any regular expression'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l first -d 'Stop after the first match, or the first row'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l allow-empty -d 'Exit with 0 if there is no match'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l trust -d 'Validate only the matches'
complete -c fjson -n "__fish_fjson_using_subcommand query" -s r -l raw -d 'Print strings without quotes and escapes'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l replace-surrogates -d 'Print U+FFFD for lone surrogates in strings without escapes'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l count -d 'Print the number of matches, on one line per EXPR'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l array -d 'Print all matches as one JSON array'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l pretty -d 'Indent matches'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l csv -d 'Print a row of comma-separated values per document'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l tsv -d 'Print a row of tab-separated values per document'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l header -d 'Print the names of the columns as the first row'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l quote-strings -d 'Quote all strings in CSV'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l excel -d 'Write CSV for Excel'
complete -c fjson -n "__fish_fjson_using_subcommand query" -s H -l with-filename -d 'Print the name of the input before each match'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l no-filename -d 'Do not print the names of the inputs, the default'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l paths -d 'Print the location of each match as a path'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l pointers -d 'Print the location of each match as a JSON Pointer'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l offsets -d 'Print the location of each match as byte offsets'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l assignments -d 'Print each match as a line with its path and value'
complete -c fjson -n "__fish_fjson_using_subcommand query" -s 0 -l null-data -d 'Print a NUL instead of a newline after each match'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l raw-bytes -d 'Print matches byte for byte, including line breaks'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l schema-from-instance -d 'Validate each document against the schema that its member $schema names'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l lines -d 'Read one document per line (JSON Lines, NDJSON)'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l seq -d 'Read JSON text sequences (RFC 7464)'
complete -c fjson -n "__fish_fjson_using_subcommand query" -s L -l follow -d 'In directories, follow symbolic links to directories, too'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l hidden -d 'In directories, include hidden files'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l no-ignore -d 'In directories, include files that .ignore or .gitignore excludes'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l jsonc -d 'Accept comments and trailing commas (JSONC)'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l no-jsonc -d 'Accept no comments in any file'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l no-mmap -d 'Read regular files instead of memory-mapping them'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l single -d 'Read one document per input'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l skip-bad -d 'Skip invalid records of --lines and --seq'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l unique-keys -d 'Reject objects with duplicate keys'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l ijson -d 'Reject documents that are not I-JSON (RFC 7493)'
complete -c fjson -n "__fish_fjson_using_subcommand query" -s v -l verbose -d 'Print what was read, how fast, and with which kernel'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l stream -d 'Read concatenated documents'
complete -c fjson -n "__fish_fjson_using_subcommand query" -s q -l quiet -d 'Do not report invalid documents; check the exit status'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -s L -l library-path -d 'Search modules in DIR' -r -f -a "(__fish_complete_directories)"
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l arg -d 'Set $NAME to a string' -r
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l argjson -d 'Set $NAME to a JSON value' -r
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l slurpfile -d 'Set $NAME to an array of the documents in FILE' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l rawfile -d 'Set $NAME to the text of FILE' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l bom -d 'What to do with a byte order mark in UTF-8: error, accept or strip' -r
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l encoding -d 'Encoding of the inputs: utf-8, or auto for that of their byte order mark' -r
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l max-bytes -d 'Reject compressed inputs that expand to more than N bytes' -r
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l indent -d 'Indent with N spaces per level, 0 to 7; 0 breaks lines without indenting them' -r
complete -c fjson -n "__fish_fjson_using_subcommand jq" -s o -l output -d 'Write to FILE' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l max-depth -d 'Reject documents that are nested more than N levels deep' -r
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l max-memory -d 'End a program whose values need more memory; the default is 4G' -r
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l max-steps -d 'End a program after N calls and iterations for one input' -r
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l max-time -d 'End a program that takes longer for one input' -r
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l threads -d 'Use up to N threads; 0, the default, uses one per processor' -r
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l kernel -d 'Kernel to use: auto, or one of those listed by fjson --version' -r
complete -c fjson -n "__fish_fjson_using_subcommand jq" -s h -l help -d 'Print help: -h the options that are needed most, --help everything'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -s V -l version -d 'Print the version and the kernels available on this machine'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -s f -l from-file -d 'The first operand names a file with the program'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l args -d 'Take the operands after it as strings: $ARGS.positional'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l jsonargs -d 'Take the operands after it as JSON values: $ARGS.positional'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l sandbox -d 'Run an untrusted program'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -s n -l null-input -d 'Run once with null; `inputs` reads the inputs'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -s R -l raw-input -d 'Read each line as a string'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -s s -l slurp -d 'Read all documents into one array'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l stream -d 'Read documents as events: [path, value], in bounded memory'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l stream-errors -d 'Like --stream, with errors of the input as events: [message, path]'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l seq -d 'Read and write JSON text sequences (RFC 7464)'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l lines -d 'Read one document per line (JSON Lines, NDJSON)'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l skip-bad -d 'Skip invalid lines, and print their number'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l jsonc -d 'Accept comments and trailing commas (JSONC)'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l no-jsonc -d 'Accept no comments in any file'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l no-mmap -d 'Read regular files instead of memory-mapping them'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -s c -l compact-output -d 'Write each output on one line'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -s r -l raw-output -d 'Write strings without quotes and escapes'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l raw-output0 -d 'Like -r, with a NUL after each output instead of a newline'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -s j -l join-output -d 'Like -r, without newlines between outputs'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -s a -l ascii-output -d 'Escape all characters that are not ASCII'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -s S -l sort-keys -d 'Sort the keys of each object'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -s C -l color-output -d 'Write colors even if the output is not a terminal'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -s M -l monochrome-output -d 'Write no colors'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l tab -d 'Indent with one tab per level'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l with-filename -d 'Write the name of the input before each output'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l unbuffered -d 'Write each output at once'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -s i -l in-place -d 'Replace each file by its outputs'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -s b -l binary -d 'Accepted for jq; data is never converted'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -s e -l exit-status -d 'Set the exit status by the last output'
complete -c fjson -n "__fish_fjson_using_subcommand jq" -l build-configuration -d 'Print how the program was built'
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l set -d 'Set values, or add a member or element' -r -f
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l set-string -d 'Set strings, without quotes or escapes' -r -f
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l set-file -d 'Set values to the document in FILE' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l insert -d 'Insert a value before an element' -r -f
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l append -d 'Add an element to the end of arrays' -r -f
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l delete -d 'Delete members and elements' -r -f
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l rename -d 'Give members another key' -r -f
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l move -d 'Move a value' -r -f
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l copy -d 'Copy a value' -r -f
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l test -d 'Fail unless values are equal to JSON' -r -f
complete -c fjson -n "__fish_fjson_using_subcommand edit" -s o -l output -d 'Write to FILE' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l indent -d 'Indent new items with N spaces per level if the document has no lines' -r
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l max-memory -d 'Limit on the length of a document before and after the changes, in bytes' -r
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l files-from -d 'Read the names of inputs from FILE, one per line' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l files0-from -d 'Like --files-from, but with a NUL after each name' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand edit" -s g -l glob -d 'In directories, include only files that match GLOB' -r
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l skip-prefix -d 'Start each record at its first { or [, after other text' -r -f -a "bracket\t''
object\t''"
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l bom -d 'What to do with a byte order mark in UTF-8' -r -f -a "error\t''
accept\t''
strip\t''"
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l encoding -d 'Encoding of the inputs: utf-8, or that of their byte order mark' -r -f -a "utf-8\t''
auto\t''"
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l max-bytes -d 'Reject compressed inputs that expand to more than N bytes' -r
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l max-depth -d 'Reject documents that are nested more than N levels deep' -r
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l threads -d 'Use up to N threads' -r
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l kernel -d 'Kernel to use: auto, or one of those listed by --version' -r
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l format -d 'Format of the report' -r -f -a "human\t''
concise\t''
json\t''
jsonl\t''
github\t''
gitlab\t''
sarif\t''
junit\t''"
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l max-errors -d 'Show at most N errors; 0 shows all' -r
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l color -d 'When to use colors, in the report and in documents on standard output' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fjson -n "__fish_fjson_using_subcommand edit" -s h -l help -d 'Print help: -h the options that are needed most, --help everything'
complete -c fjson -n "__fish_fjson_using_subcommand edit" -s V -l version -d 'Print the version and the kernels available on this machine'
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l parents -d 'Create missing objects and arrays'
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l missing-ok -d 'Leave out changes whose target does not exist'
complete -c fjson -n "__fish_fjson_using_subcommand edit" -s i -l in-place -d 'Edit files in place'
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l check -d 'List the inputs that would change'
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l lines -d 'Read one document per line (JSON Lines, NDJSON)'
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l stream -d 'Read concatenated documents'
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l seq -d 'Read JSON text sequences (RFC 7464)'
complete -c fjson -n "__fish_fjson_using_subcommand edit" -s L -l follow -d 'In directories, follow symbolic links to directories, too'
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l hidden -d 'In directories, include hidden files'
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l no-ignore -d 'In directories, include files that .ignore or .gitignore excludes'
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l jsonc -d 'Accept comments and trailing commas (JSONC)'
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l no-jsonc -d 'Accept no comments in any file'
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l no-mmap -d 'Read regular files instead of memory-mapping them'
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l unique-keys -d 'Reject objects with duplicate keys'
complete -c fjson -n "__fish_fjson_using_subcommand edit" -l ijson -d 'Reject documents that are not I-JSON (RFC 7493)'
complete -c fjson -n "__fish_fjson_using_subcommand edit" -s q -l quiet -d 'Do not report invalid documents; check the exit status'
complete -c fjson -n "__fish_fjson_using_subcommand edit" -s v -l verbose -d 'Print what was read, how fast, and with which kernel'
complete -c fjson -n "__fish_fjson_using_subcommand set" -s o -l output -d 'Write to FILE' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand set" -l indent -d 'Indent new items with N spaces per level if the document has no lines' -r
complete -c fjson -n "__fish_fjson_using_subcommand set" -l max-memory -d 'Limit on the length of a document before and after the changes, in bytes' -r
complete -c fjson -n "__fish_fjson_using_subcommand set" -l files-from -d 'Read the names of inputs from FILE, one per line' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand set" -l files0-from -d 'Like --files-from, but with a NUL after each name' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand set" -s g -l glob -d 'In directories, include only files that match GLOB' -r
complete -c fjson -n "__fish_fjson_using_subcommand set" -l skip-prefix -d 'Start each record at its first { or [, after other text' -r -f -a "bracket\t''
object\t''"
complete -c fjson -n "__fish_fjson_using_subcommand set" -l bom -d 'What to do with a byte order mark in UTF-8' -r -f -a "error\t''
accept\t''
strip\t''"
complete -c fjson -n "__fish_fjson_using_subcommand set" -l encoding -d 'Encoding of the inputs: utf-8, or that of their byte order mark' -r -f -a "utf-8\t''
auto\t''"
complete -c fjson -n "__fish_fjson_using_subcommand set" -l max-bytes -d 'Reject compressed inputs that expand to more than N bytes' -r
complete -c fjson -n "__fish_fjson_using_subcommand set" -l max-depth -d 'Reject documents that are nested more than N levels deep' -r
complete -c fjson -n "__fish_fjson_using_subcommand set" -l threads -d 'Use up to N threads' -r
complete -c fjson -n "__fish_fjson_using_subcommand set" -l kernel -d 'Kernel to use: auto, or one of those listed by --version' -r
complete -c fjson -n "__fish_fjson_using_subcommand set" -l format -d 'Format of the report' -r -f -a "human\t''
concise\t''
json\t''
jsonl\t''
github\t''
gitlab\t''
sarif\t''
junit\t''"
complete -c fjson -n "__fish_fjson_using_subcommand set" -l max-errors -d 'Show at most N errors; 0 shows all' -r
complete -c fjson -n "__fish_fjson_using_subcommand set" -l color -d 'When to use colors, in the report and in documents on standard output' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fjson -n "__fish_fjson_using_subcommand set" -s h -l help -d 'Print help: -h the options that are needed most, --help everything'
complete -c fjson -n "__fish_fjson_using_subcommand set" -s V -l version -d 'Print the version and the kernels available on this machine'
complete -c fjson -n "__fish_fjson_using_subcommand set" -s s -l string -d 'VALUE is the text of a string, not JSON'
complete -c fjson -n "__fish_fjson_using_subcommand set" -l parents -d 'Create missing objects and arrays'
complete -c fjson -n "__fish_fjson_using_subcommand set" -l missing-ok -d 'Do not fail if there is nothing to set'
complete -c fjson -n "__fish_fjson_using_subcommand set" -s i -l in-place -d 'Edit files in place'
complete -c fjson -n "__fish_fjson_using_subcommand set" -l check -d 'List the inputs that would change'
complete -c fjson -n "__fish_fjson_using_subcommand set" -l lines -d 'Read one document per line (JSON Lines, NDJSON)'
complete -c fjson -n "__fish_fjson_using_subcommand set" -l stream -d 'Read concatenated documents'
complete -c fjson -n "__fish_fjson_using_subcommand set" -l seq -d 'Read JSON text sequences (RFC 7464)'
complete -c fjson -n "__fish_fjson_using_subcommand set" -s L -l follow -d 'In directories, follow symbolic links to directories, too'
complete -c fjson -n "__fish_fjson_using_subcommand set" -l hidden -d 'In directories, include hidden files'
complete -c fjson -n "__fish_fjson_using_subcommand set" -l no-ignore -d 'In directories, include files that .ignore or .gitignore excludes'
complete -c fjson -n "__fish_fjson_using_subcommand set" -l jsonc -d 'Accept comments and trailing commas (JSONC)'
complete -c fjson -n "__fish_fjson_using_subcommand set" -l no-jsonc -d 'Accept no comments in any file'
complete -c fjson -n "__fish_fjson_using_subcommand set" -l no-mmap -d 'Read regular files instead of memory-mapping them'
complete -c fjson -n "__fish_fjson_using_subcommand set" -l unique-keys -d 'Reject objects with duplicate keys'
complete -c fjson -n "__fish_fjson_using_subcommand set" -l ijson -d 'Reject documents that are not I-JSON (RFC 7493)'
complete -c fjson -n "__fish_fjson_using_subcommand set" -s q -l quiet -d 'Do not report invalid documents; check the exit status'
complete -c fjson -n "__fish_fjson_using_subcommand set" -s v -l verbose -d 'Print what was read, how fast, and with which kernel'
complete -c fjson -n "__fish_fjson_using_subcommand delete" -s p -l path -d 'Delete the values of PATH, too' -r -f
complete -c fjson -n "__fish_fjson_using_subcommand delete" -s o -l output -d 'Write to FILE' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand delete" -l indent -d 'Indent new items with N spaces per level if the document has no lines' -r
complete -c fjson -n "__fish_fjson_using_subcommand delete" -l max-memory -d 'Limit on the length of a document before and after the changes, in bytes' -r
complete -c fjson -n "__fish_fjson_using_subcommand delete" -l files-from -d 'Read the names of inputs from FILE, one per line' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand delete" -l files0-from -d 'Like --files-from, but with a NUL after each name' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand delete" -s g -l glob -d 'In directories, include only files that match GLOB' -r
complete -c fjson -n "__fish_fjson_using_subcommand delete" -l skip-prefix -d 'Start each record at its first { or [, after other text' -r -f -a "bracket\t''
object\t''"
complete -c fjson -n "__fish_fjson_using_subcommand delete" -l bom -d 'What to do with a byte order mark in UTF-8' -r -f -a "error\t''
accept\t''
strip\t''"
complete -c fjson -n "__fish_fjson_using_subcommand delete" -l encoding -d 'Encoding of the inputs: utf-8, or that of their byte order mark' -r -f -a "utf-8\t''
auto\t''"
complete -c fjson -n "__fish_fjson_using_subcommand delete" -l max-bytes -d 'Reject compressed inputs that expand to more than N bytes' -r
complete -c fjson -n "__fish_fjson_using_subcommand delete" -l max-depth -d 'Reject documents that are nested more than N levels deep' -r
complete -c fjson -n "__fish_fjson_using_subcommand delete" -l threads -d 'Use up to N threads' -r
complete -c fjson -n "__fish_fjson_using_subcommand delete" -l kernel -d 'Kernel to use: auto, or one of those listed by --version' -r
complete -c fjson -n "__fish_fjson_using_subcommand delete" -l format -d 'Format of the report' -r -f -a "human\t''
concise\t''
json\t''
jsonl\t''
github\t''
gitlab\t''
sarif\t''
junit\t''"
complete -c fjson -n "__fish_fjson_using_subcommand delete" -l max-errors -d 'Show at most N errors; 0 shows all' -r
complete -c fjson -n "__fish_fjson_using_subcommand delete" -l color -d 'When to use colors, in the report and in documents on standard output' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fjson -n "__fish_fjson_using_subcommand delete" -s h -l help -d 'Print help: -h the options that are needed most, --help everything'
complete -c fjson -n "__fish_fjson_using_subcommand delete" -s V -l version -d 'Print the version and the kernels available on this machine'
complete -c fjson -n "__fish_fjson_using_subcommand delete" -l missing-ok -d 'Do not fail if there is nothing to delete'
complete -c fjson -n "__fish_fjson_using_subcommand delete" -s i -l in-place -d 'Edit files in place'
complete -c fjson -n "__fish_fjson_using_subcommand delete" -l check -d 'List the inputs that would change'
complete -c fjson -n "__fish_fjson_using_subcommand delete" -l lines -d 'Read one document per line (JSON Lines, NDJSON)'
complete -c fjson -n "__fish_fjson_using_subcommand delete" -l stream -d 'Read concatenated documents'
complete -c fjson -n "__fish_fjson_using_subcommand delete" -l seq -d 'Read JSON text sequences (RFC 7464)'
complete -c fjson -n "__fish_fjson_using_subcommand delete" -s L -l follow -d 'In directories, follow symbolic links to directories, too'
complete -c fjson -n "__fish_fjson_using_subcommand delete" -l hidden -d 'In directories, include hidden files'
complete -c fjson -n "__fish_fjson_using_subcommand delete" -l no-ignore -d 'In directories, include files that .ignore or .gitignore excludes'
complete -c fjson -n "__fish_fjson_using_subcommand delete" -l jsonc -d 'Accept comments and trailing commas (JSONC)'
complete -c fjson -n "__fish_fjson_using_subcommand delete" -l no-jsonc -d 'Accept no comments in any file'
complete -c fjson -n "__fish_fjson_using_subcommand delete" -l no-mmap -d 'Read regular files instead of memory-mapping them'
complete -c fjson -n "__fish_fjson_using_subcommand delete" -l unique-keys -d 'Reject objects with duplicate keys'
complete -c fjson -n "__fish_fjson_using_subcommand delete" -l ijson -d 'Reject documents that are not I-JSON (RFC 7493)'
complete -c fjson -n "__fish_fjson_using_subcommand delete" -s q -l quiet -d 'Do not report invalid documents; check the exit status'
complete -c fjson -n "__fish_fjson_using_subcommand delete" -s v -l verbose -d 'Print what was read, how fast, and with which kernel'
complete -c fjson -n "__fish_fjson_using_subcommand patch" -s o -l output -d 'Write to FILE' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand patch" -l indent -d 'Indent new items with N spaces per level if the document has no lines' -r
complete -c fjson -n "__fish_fjson_using_subcommand patch" -l max-memory -d 'Limit on the length of a document before and after the changes, in bytes' -r
complete -c fjson -n "__fish_fjson_using_subcommand patch" -l files-from -d 'Read the names of inputs from FILE, one per line' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand patch" -l files0-from -d 'Like --files-from, but with a NUL after each name' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand patch" -s g -l glob -d 'In directories, include only files that match GLOB' -r
complete -c fjson -n "__fish_fjson_using_subcommand patch" -l skip-prefix -d 'Start each record at its first { or [, after other text' -r -f -a "bracket\t''
object\t''"
complete -c fjson -n "__fish_fjson_using_subcommand patch" -l bom -d 'What to do with a byte order mark in UTF-8' -r -f -a "error\t''
accept\t''
strip\t''"
complete -c fjson -n "__fish_fjson_using_subcommand patch" -l encoding -d 'Encoding of the inputs: utf-8, or that of their byte order mark' -r -f -a "utf-8\t''
auto\t''"
complete -c fjson -n "__fish_fjson_using_subcommand patch" -l max-bytes -d 'Reject compressed inputs that expand to more than N bytes' -r
complete -c fjson -n "__fish_fjson_using_subcommand patch" -l max-depth -d 'Reject documents that are nested more than N levels deep' -r
complete -c fjson -n "__fish_fjson_using_subcommand patch" -l threads -d 'Use up to N threads' -r
complete -c fjson -n "__fish_fjson_using_subcommand patch" -l kernel -d 'Kernel to use: auto, or one of those listed by --version' -r
complete -c fjson -n "__fish_fjson_using_subcommand patch" -l format -d 'Format of the report' -r -f -a "human\t''
concise\t''
json\t''
jsonl\t''
github\t''
gitlab\t''
sarif\t''
junit\t''"
complete -c fjson -n "__fish_fjson_using_subcommand patch" -l max-errors -d 'Show at most N errors; 0 shows all' -r
complete -c fjson -n "__fish_fjson_using_subcommand patch" -l color -d 'When to use colors, in the report and in documents on standard output' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fjson -n "__fish_fjson_using_subcommand patch" -s h -l help -d 'Print help: -h the options that are needed most, --help everything'
complete -c fjson -n "__fish_fjson_using_subcommand patch" -s V -l version -d 'Print the version and the kernels available on this machine'
complete -c fjson -n "__fish_fjson_using_subcommand patch" -s i -l in-place -d 'Edit files in place'
complete -c fjson -n "__fish_fjson_using_subcommand patch" -l check -d 'List the inputs that would change'
complete -c fjson -n "__fish_fjson_using_subcommand patch" -l lines -d 'Read one document per line (JSON Lines, NDJSON)'
complete -c fjson -n "__fish_fjson_using_subcommand patch" -l stream -d 'Read concatenated documents'
complete -c fjson -n "__fish_fjson_using_subcommand patch" -l seq -d 'Read JSON text sequences (RFC 7464)'
complete -c fjson -n "__fish_fjson_using_subcommand patch" -s L -l follow -d 'In directories, follow symbolic links to directories, too'
complete -c fjson -n "__fish_fjson_using_subcommand patch" -l hidden -d 'In directories, include hidden files'
complete -c fjson -n "__fish_fjson_using_subcommand patch" -l no-ignore -d 'In directories, include files that .ignore or .gitignore excludes'
complete -c fjson -n "__fish_fjson_using_subcommand patch" -l jsonc -d 'Accept comments and trailing commas (JSONC)'
complete -c fjson -n "__fish_fjson_using_subcommand patch" -l no-jsonc -d 'Accept no comments in any file'
complete -c fjson -n "__fish_fjson_using_subcommand patch" -l no-mmap -d 'Read regular files instead of memory-mapping them'
complete -c fjson -n "__fish_fjson_using_subcommand patch" -l unique-keys -d 'Reject objects with duplicate keys'
complete -c fjson -n "__fish_fjson_using_subcommand patch" -l ijson -d 'Reject documents that are not I-JSON (RFC 7493)'
complete -c fjson -n "__fish_fjson_using_subcommand patch" -s q -l quiet -d 'Do not report invalid documents; check the exit status'
complete -c fjson -n "__fish_fjson_using_subcommand patch" -s v -l verbose -d 'Print what was read, how fast, and with which kernel'
complete -c fjson -n "__fish_fjson_using_subcommand merge" -s o -l output -d 'Write to FILE' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand merge" -l indent -d 'Indent new items with N spaces per level if the document has no lines' -r
complete -c fjson -n "__fish_fjson_using_subcommand merge" -l max-memory -d 'Limit on the length of a document before and after the changes, in bytes' -r
complete -c fjson -n "__fish_fjson_using_subcommand merge" -l files-from -d 'Read the names of inputs from FILE, one per line' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand merge" -l files0-from -d 'Like --files-from, but with a NUL after each name' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand merge" -s g -l glob -d 'In directories, include only files that match GLOB' -r
complete -c fjson -n "__fish_fjson_using_subcommand merge" -l skip-prefix -d 'Start each record at its first { or [, after other text' -r -f -a "bracket\t''
object\t''"
complete -c fjson -n "__fish_fjson_using_subcommand merge" -l bom -d 'What to do with a byte order mark in UTF-8' -r -f -a "error\t''
accept\t''
strip\t''"
complete -c fjson -n "__fish_fjson_using_subcommand merge" -l encoding -d 'Encoding of the inputs: utf-8, or that of their byte order mark' -r -f -a "utf-8\t''
auto\t''"
complete -c fjson -n "__fish_fjson_using_subcommand merge" -l max-bytes -d 'Reject compressed inputs that expand to more than N bytes' -r
complete -c fjson -n "__fish_fjson_using_subcommand merge" -l max-depth -d 'Reject documents that are nested more than N levels deep' -r
complete -c fjson -n "__fish_fjson_using_subcommand merge" -l threads -d 'Use up to N threads' -r
complete -c fjson -n "__fish_fjson_using_subcommand merge" -l kernel -d 'Kernel to use: auto, or one of those listed by --version' -r
complete -c fjson -n "__fish_fjson_using_subcommand merge" -l format -d 'Format of the report' -r -f -a "human\t''
concise\t''
json\t''
jsonl\t''
github\t''
gitlab\t''
sarif\t''
junit\t''"
complete -c fjson -n "__fish_fjson_using_subcommand merge" -l max-errors -d 'Show at most N errors; 0 shows all' -r
complete -c fjson -n "__fish_fjson_using_subcommand merge" -l color -d 'When to use colors, in the report and in documents on standard output' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fjson -n "__fish_fjson_using_subcommand merge" -s h -l help -d 'Print help: -h the options that are needed most, --help everything'
complete -c fjson -n "__fish_fjson_using_subcommand merge" -s V -l version -d 'Print the version and the kernels available on this machine'
complete -c fjson -n "__fish_fjson_using_subcommand merge" -s i -l in-place -d 'Edit files in place'
complete -c fjson -n "__fish_fjson_using_subcommand merge" -l check -d 'List the inputs that would change'
complete -c fjson -n "__fish_fjson_using_subcommand merge" -l lines -d 'Read one document per line (JSON Lines, NDJSON)'
complete -c fjson -n "__fish_fjson_using_subcommand merge" -l stream -d 'Read concatenated documents'
complete -c fjson -n "__fish_fjson_using_subcommand merge" -l seq -d 'Read JSON text sequences (RFC 7464)'
complete -c fjson -n "__fish_fjson_using_subcommand merge" -s L -l follow -d 'In directories, follow symbolic links to directories, too'
complete -c fjson -n "__fish_fjson_using_subcommand merge" -l hidden -d 'In directories, include hidden files'
complete -c fjson -n "__fish_fjson_using_subcommand merge" -l no-ignore -d 'In directories, include files that .ignore or .gitignore excludes'
complete -c fjson -n "__fish_fjson_using_subcommand merge" -l jsonc -d 'Accept comments and trailing commas (JSONC)'
complete -c fjson -n "__fish_fjson_using_subcommand merge" -l no-jsonc -d 'Accept no comments in any file'
complete -c fjson -n "__fish_fjson_using_subcommand merge" -l no-mmap -d 'Read regular files instead of memory-mapping them'
complete -c fjson -n "__fish_fjson_using_subcommand merge" -l unique-keys -d 'Reject objects with duplicate keys'
complete -c fjson -n "__fish_fjson_using_subcommand merge" -l ijson -d 'Reject documents that are not I-JSON (RFC 7493)'
complete -c fjson -n "__fish_fjson_using_subcommand merge" -s q -l quiet -d 'Do not report invalid documents; check the exit status'
complete -c fjson -n "__fish_fjson_using_subcommand merge" -s v -l verbose -d 'Print what was read, how fast, and with which kernel'
complete -c fjson -n "__fish_fjson_using_subcommand diff" -l format -d 'Form of the output: text, or a patch' -r -f -a "text\t''
patch\t''
merge\t''
jd\t''"
complete -c fjson -n "__fish_fjson_using_subcommand diff" -s U -l context -d 'Show up to N equal items before and after each difference' -r
complete -c fjson -n "__fish_fjson_using_subcommand diff" -l color -d 'When to use colors' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fjson -n "__fish_fjson_using_subcommand diff" -l array -d 'How to match elements: lcs (the default), position, set or key=POINTER' -r
complete -c fjson -n "__fish_fjson_using_subcommand diff" -l ignore -d 'Leave out the values at PATH, a JSON Pointer or JSONPath' -r -f
complete -c fjson -n "__fish_fjson_using_subcommand diff" -l tolerance -d 'Treat numbers as equal that differ by at most X' -r
complete -c fjson -n "__fish_fjson_using_subcommand diff" -l key -d 'Match records by their values at POINTER' -r -f
complete -c fjson -n "__fish_fjson_using_subcommand diff" -l bom -d 'What to do with a byte order mark in UTF-8' -r -f -a "error\t''
accept\t''
strip\t''"
complete -c fjson -n "__fish_fjson_using_subcommand diff" -l encoding -d 'Encoding of the inputs: utf-8, or that of their byte order mark' -r -f -a "utf-8\t''
auto\t''"
complete -c fjson -n "__fish_fjson_using_subcommand diff" -l max-bytes -d 'Reject compressed inputs that expand to more than N bytes' -r
complete -c fjson -n "__fish_fjson_using_subcommand diff" -l max-depth -d 'Reject documents that are nested more than N levels deep' -r
complete -c fjson -n "__fish_fjson_using_subcommand diff" -l kernel -d 'Kernel to use: auto, or one of those listed by --version' -r
complete -c fjson -n "__fish_fjson_using_subcommand diff" -l threads -d 'Use up to N threads' -r
complete -c fjson -n "__fish_fjson_using_subcommand diff" -s h -l help -d 'Print help: -h the options that are needed most, --help everything'
complete -c fjson -n "__fish_fjson_using_subcommand diff" -s V -l version -d 'Print the version and the kernels available on this machine'
complete -c fjson -n "__fish_fjson_using_subcommand diff" -l full -d 'Show whole values'
complete -c fjson -n "__fish_fjson_using_subcommand diff" -s q -l quiet -d 'Print no differences; check the exit status'
complete -c fjson -n "__fish_fjson_using_subcommand diff" -l lines -d 'Compare the records of JSON Lines (NDJSON)'
complete -c fjson -n "__fish_fjson_using_subcommand diff" -l jsonc -d 'Accept comments and trailing commas (JSONC)'
complete -c fjson -n "__fish_fjson_using_subcommand diff" -l no-jsonc -d 'Accept no comments in any file'
complete -c fjson -n "__fish_fjson_using_subcommand diff" -l unique-keys -d 'Reject objects with duplicate keys'
complete -c fjson -n "__fish_fjson_using_subcommand diff" -l ijson -d 'Reject documents that are not I-JSON (RFC 7493)'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l format -d 'Format of the statistics: a table or one JSON document' -r -f -a "table\t''
json\t''"
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l top -d 'Show the N most frequent keys' -r
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l strictness -d 'With --infer-schema, how little else the schema accepts: loose, normal or strict' -r -f -a "loose\t''
normal\t''
strict\t''"
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l levels -d 'With --paths or --infer-schema, describe at most N levels [default: 32]' -r
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l max-keys -d 'With --paths or --infer-schema, take objects with more than N different keys for maps [default: 50]' -r
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l files-from -d 'Read the names of inputs from FILE, one per line' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l files0-from -d 'Like --files-from, but with a NUL after each name' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand stats" -s g -l glob -d 'In directories, include only files that match GLOB' -r
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l skip-prefix -d 'Start each record at its first { or [, after other text' -r -f -a "bracket\t''
object\t''"
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l bom -d 'What to do with a byte order mark in UTF-8' -r -f -a "error\t''
accept\t''
strip\t''"
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l encoding -d 'Encoding of the inputs: utf-8, or that of their byte order mark' -r -f -a "utf-8\t''
auto\t''"
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l max-bytes -d 'Reject compressed inputs that expand to more than N bytes' -r
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l range -d 'Read only the records that begin in a part of each input' -r
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l splits-from -d 'Read the parts of files that are listed in FILE' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l max-depth -d 'Reject documents that are nested more than N levels deep' -r
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l threads -d 'Use up to N threads' -r
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l kernel -d 'Kernel to use: auto, or one of those listed by --version' -r
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l max-memory -d 'Limit on the memory for a single string or number, in bytes' -r
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l max-errors -d 'Show at most N errors; 0 shows all' -r
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l color -d 'When to use colors in the report' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fjson -n "__fish_fjson_using_subcommand stats" -s h -l help -d 'Print help: -h the options that are needed most, --help everything'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -s V -l version -d 'Print the version and the kernels available on this machine'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l paths -d 'Describe the structure instead: all paths, and the values there'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l infer-schema -d 'Print a JSON Schema of the documents instead'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l lines -d 'Read one document per line (JSON Lines, NDJSON)'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l stream -d 'Read concatenated documents'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l seq -d 'Read JSON text sequences (RFC 7464)'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -s L -l follow -d 'In directories, follow symbolic links to directories, too'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l hidden -d 'In directories, include hidden files'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l no-ignore -d 'In directories, include files that .ignore or .gitignore excludes'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l jsonc -d 'Accept comments and trailing commas (JSONC)'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l no-jsonc -d 'Accept no comments in any file'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l no-mmap -d 'Read regular files instead of memory-mapping them'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l unique-keys -d 'Reject objects with duplicate keys'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l ijson -d 'Reject documents that are not I-JSON (RFC 7493)'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -s q -l quiet -d 'Do not report invalid documents; check the exit status'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -s v -l verbose -d 'Print what was read, how fast, and with which kernel'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s o -l output -d 'Write to FILE' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l schema -d 'Validate the inputs against a JSON Schema' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l schema-dir -d 'Look for referenced schemas in DIR, by their $id or their path' -r -f -a "(__fish_complete_directories)"
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l schema-at -d 'Use the schema at this JSON Pointer inside the file of --schema' -r
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l draft -d 'Draft of schemas without $schema: 4, 6, 7, 2019-09 or 2020-12' -r -f -a "4\t''
6\t''
7\t''
2019-09\t''
2020-12\t''"
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l formats -d 'Whether strings must have their format: assert or ignore' -r -f -a "assert\t''
ignore\t''"
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l files-from -d 'Read the names of inputs from FILE, one per line' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l files0-from -d 'Like --files-from, but with a NUL after each name' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s g -l glob -d 'In directories, include only files that match GLOB' -r
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l skip-prefix -d 'Start each record at its first { or [, after other text' -r -f -a "bracket\t''
object\t''"
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l bom -d 'What to do with a byte order mark in UTF-8' -r -f -a "error\t''
accept\t''
strip\t''"
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l encoding -d 'Encoding of the inputs: utf-8, or that of their byte order mark' -r -f -a "utf-8\t''
auto\t''"
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l max-bytes -d 'Reject compressed inputs that expand to more than N bytes' -r
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l max-depth -d 'Reject documents that are nested more than N levels deep' -r
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l threads -d 'Use up to N threads' -r
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l kernel -d 'Kernel to use: auto, or one of those listed by --version' -r
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l format -d 'Format of the report' -r -f -a "human\t''
concise\t''
json\t''
jsonl\t''
github\t''
gitlab\t''
sarif\t''
junit\t''"
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l max-errors -d 'Show at most N errors; 0 shows all' -r
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l color -d 'When to use colors, in the report and in documents on standard output' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s h -l help -d 'Print help: -h the options that are needed most, --help everything'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s V -l version -d 'Print the version and the kernels available on this machine'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s 1 -d 'Fastest; -1 to -9 set the level, the default is -6'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s 2
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s 3
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s 4
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s 5
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s 6
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s 7
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s 8
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s 9 -d 'Smallest'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l keep-space -d 'Keep the whitespace of the input'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l rsyncable -d 'Make the output suitable for rsync and backups'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s c -l stdout -d 'Write to standard output'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s f -l force -d 'Replace FILE.gz if it exists'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l schema-from-instance -d 'Validate each document against the schema that its member $schema names'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l lines -d 'Read one document per line (JSON Lines, NDJSON)'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l stream -d 'Read concatenated documents'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l seq -d 'Read JSON text sequences (RFC 7464)'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s L -l follow -d 'In directories, follow symbolic links to directories, too'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l hidden -d 'In directories, include hidden files'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l no-ignore -d 'In directories, include files that .ignore or .gitignore excludes'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l jsonc -d 'Accept comments and trailing commas (JSONC)'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l no-jsonc -d 'Accept no comments in any file'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l no-mmap -d 'Read regular files instead of memory-mapping them'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l unique-keys -d 'Reject objects with duplicate keys'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l ijson -d 'Reject documents that are not I-JSON (RFC 7493)'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s q -l quiet -d 'Do not report invalid documents; check the exit status'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s v -l verbose -d 'Print what was read, how fast, and with which kernel'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l operation -d 'Measure only this operation; may be repeated' -r -f -a "validate\t''
profiles\t''
minify\t''
sort\t''
canonical\t''
pretty\t''
gzip\t''
query\t''
paths\t''
stats\t''
index\t''
read\t''
write\t''"
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l query -d 'Expression for the operation query' -r
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l time -d 'Time to spend on each operation and kernel' -r
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l vs -d 'Time another program on the same file' -r
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l baseline -d 'Compare with an earlier --export-json' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l corpus -d 'Search for the suites only in DIR' -r -f -a "(__fish_complete_directories)"
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l require -d 'Fail if a suite is missing or incomplete' -r -f -a "json-test-suite\t''
nativejson\t''
jsonpath-cts\t''
json-schema\t''
jq\t''"
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l format -d 'Format of the results' -r -f -a "human\t''
json\t''
junit\t''"
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l export-json -d 'Write the results and all samples to FILE as JSON' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l report -d 'Write an HTML page with charts to FILE' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l emit -d 'Write a generated document to standard output and exit' -r -f -a "canada\t''
citm_catalog\t''
twitter\t''
users\t''
nesting\t''
ndjson\t''"
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l size -d 'Approximate size of the document in bytes' -r
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l files-from -d 'Read the names of inputs from FILE, one per line' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l files0-from -d 'Like --files-from, but with a NUL after each name' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l skip-prefix -d 'Start each record at its first { or [, after other text' -r -f -a "bracket\t''
object\t''"
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l bom -d 'What to do with a byte order mark in UTF-8' -r -f -a "error\t''
accept\t''
strip\t''"
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l encoding -d 'Encoding of the inputs: utf-8, or that of their byte order mark' -r -f -a "utf-8\t''
auto\t''"
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l max-bytes -d 'Reject compressed inputs that expand to more than N bytes' -r
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l max-depth -d 'Reject documents that are nested more than N levels deep' -r
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l threads -d 'Use up to N threads' -r
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l kernel -d 'Kernel to use: auto, or one of those listed by --version' -r
complete -c fjson -n "__fish_fjson_using_subcommand bench" -s g -l glob -d 'In directories, include only files that match GLOB' -r
complete -c fjson -n "__fish_fjson_using_subcommand bench" -s h -l help -d 'Print help: -h the options that are needed most, --help everything'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -s V -l version -d 'Print the version and the kernels available on this machine'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l all-kernels -d 'Measure all kernels that this machine supports'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l suite -d 'Run the conformance suites'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -s q -l quiet -d 'Print no results and no progress; check the exit status'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l seq -d 'Read JSON text sequences (RFC 7464)'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -s L -l follow -d 'In directories, follow symbolic links to directories, too'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l hidden -d 'In directories, include hidden files'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l no-ignore -d 'In directories, include files that .ignore or .gitignore excludes'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l jsonc -d 'Accept comments and trailing commas (JSONC)'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l no-jsonc -d 'Accept no comments in any file'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l unique-keys -d 'Reject objects with duplicate keys'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l ijson -d 'Reject documents that are not I-JSON (RFC 7493)'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l no-mmap -d 'Read regular files instead of memory-mapping them'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l lines -d 'Read one document per line (JSON Lines, NDJSON)'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l stream -d 'Read concatenated documents'
complete -c fjson -n "__fish_fjson_using_subcommand man" -s h -l help -d 'Print help: -h the options that are needed most, --help everything'
complete -c fjson -n "__fish_fjson_using_subcommand man" -s V -l version -d 'Print the version and the kernels available on this machine'
complete -c fjson -n "__fish_fjson_using_subcommand completions" -s h -l help -d 'Print help: -h the options that are needed most, --help everything'
complete -c fjson -n "__fish_fjson_using_subcommand completions" -s V -l version -d 'Print the version and the kernels available on this machine'
complete -c fjson -n "__fish_fjson_using_subcommand help; and not __fish_seen_subcommand_from validate minify pretty query jq edit set delete patch merge diff stats gzip bench man completions help" -f -a "validate" -d 'Check that inputs are valid JSON'
complete -c fjson -n "__fish_fjson_using_subcommand help; and not __fish_seen_subcommand_from validate minify pretty query jq edit set delete patch merge diff stats gzip bench man completions help" -f -a "minify" -d 'Validate and remove whitespace'
complete -c fjson -n "__fish_fjson_using_subcommand help; and not __fish_seen_subcommand_from validate minify pretty query jq edit set delete patch merge diff stats gzip bench man completions help" -f -a "pretty" -d 'Validate and indent'
complete -c fjson -n "__fish_fjson_using_subcommand help; and not __fish_seen_subcommand_from validate minify pretty query jq edit set delete patch merge diff stats gzip bench man completions help" -f -a "query" -d 'Print the values selected by a JSONPath or JSON Pointer'
complete -c fjson -n "__fish_fjson_using_subcommand help; and not __fish_seen_subcommand_from validate minify pretty query jq edit set delete patch merge diff stats gzip bench man completions help" -f -a "jq" -d 'Run programs in the jq language'
complete -c fjson -n "__fish_fjson_using_subcommand help; and not __fish_seen_subcommand_from validate minify pretty query jq edit set delete patch merge diff stats gzip bench man completions help" -f -a "edit" -d 'Change values, and leave all other bytes as they are'
complete -c fjson -n "__fish_fjson_using_subcommand help; and not __fish_seen_subcommand_from validate minify pretty query jq edit set delete patch merge diff stats gzip bench man completions help" -f -a "set" -d 'Set a value'
complete -c fjson -n "__fish_fjson_using_subcommand help; and not __fish_seen_subcommand_from validate minify pretty query jq edit set delete patch merge diff stats gzip bench man completions help" -f -a "delete" -d 'Delete members and elements'
complete -c fjson -n "__fish_fjson_using_subcommand help; and not __fish_seen_subcommand_from validate minify pretty query jq edit set delete patch merge diff stats gzip bench man completions help" -f -a "patch" -d 'Apply a JSON Patch (RFC 6902)'
complete -c fjson -n "__fish_fjson_using_subcommand help; and not __fish_seen_subcommand_from validate minify pretty query jq edit set delete patch merge diff stats gzip bench man completions help" -f -a "merge" -d 'Apply a merge patch (RFC 7396)'
complete -c fjson -n "__fish_fjson_using_subcommand help; and not __fish_seen_subcommand_from validate minify pretty query jq edit set delete patch merge diff stats gzip bench man completions help" -f -a "diff" -d 'Compare two documents by value'
complete -c fjson -n "__fish_fjson_using_subcommand help; and not __fish_seen_subcommand_from validate minify pretty query jq edit set delete patch merge diff stats gzip bench man completions help" -f -a "stats" -d 'Count types, sizes, keys and numbers'
complete -c fjson -n "__fish_fjson_using_subcommand help; and not __fish_seen_subcommand_from validate minify pretty query jq edit set delete patch merge diff stats gzip bench man completions help" -f -a "gzip" -d 'Validate, minify and compress on all cores'
complete -c fjson -n "__fish_fjson_using_subcommand help; and not __fish_seen_subcommand_from validate minify pretty query jq edit set delete patch merge diff stats gzip bench man completions help" -f -a "bench" -d 'Measure speed and run conformance suites'
complete -c fjson -n "__fish_fjson_using_subcommand help; and not __fish_seen_subcommand_from validate minify pretty query jq edit set delete patch merge diff stats gzip bench man completions help" -f -a "man" -d 'Write the man pages to a directory'
complete -c fjson -n "__fish_fjson_using_subcommand help; and not __fish_seen_subcommand_from validate minify pretty query jq edit set delete patch merge diff stats gzip bench man completions help" -f -a "completions" -d 'Print the completion script for a shell'
complete -c fjson -n "__fish_fjson_using_subcommand help; and not __fish_seen_subcommand_from validate minify pretty query jq edit set delete patch merge diff stats gzip bench man completions help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c fjson -n "__fish_fjson_using_subcommand completions" -f -a "bash elvish fish powershell zsh"
