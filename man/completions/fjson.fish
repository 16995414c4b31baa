# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_fjson_global_optspecs
    string join \n V/version h/help
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

complete -c fjson -n "__fish_fjson_needs_command" -s V -l version -d 'Print the version and the kernel chosen on this machine'
complete -c fjson -n "__fish_fjson_needs_command" -s h -l help -d 'Print help'
complete -c fjson -n "__fish_fjson_needs_command" -f -a "validate" -d 'Check that inputs are valid JSON'
complete -c fjson -n "__fish_fjson_needs_command" -f -a "minify" -d 'Remove whitespace, checking while copying'
complete -c fjson -n "__fish_fjson_needs_command" -f -a "pretty" -d 'Indent, checking while copying'
complete -c fjson -n "__fish_fjson_needs_command" -f -a "query" -d 'Print what JSONPath or JSON Pointer select'
complete -c fjson -n "__fish_fjson_needs_command" -f -a "stats" -d 'Count types, sizes, names and numbers'
complete -c fjson -n "__fish_fjson_needs_command" -f -a "gzip" -d 'Check, minify and compress on all cores'
complete -c fjson -n "__fish_fjson_needs_command" -f -a "bench" -d 'Measure speed, and run conformance suites'
complete -c fjson -n "__fish_fjson_needs_command" -f -a "man" -d 'Write the man pages into a directory'
complete -c fjson -n "__fish_fjson_needs_command" -f -a "completions" -d 'Print the completions for a shell'
complete -c fjson -n "__fish_fjson_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l files-from -d 'Read the names of more inputs from FILE, one per line; - is standard input' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l files0-from -d 'The same with a NUL after each name' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand validate" -s g -l glob -d 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out' -r
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l max-bytes -d 'Refuse gzip and zstd inputs that expand to more than N bytes, or with K, M or G behind the number KiB, MiB or GiB' -r
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l max-depth -d 'Refuse documents with more than N containers open at once, or none for no limit' -r
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l kernel -d 'The kernel to use: auto, or one of those that --version names' -r
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l threads -d 'Work on up to N threads; 0, the default, stands for one per processor' -r
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l format -d 'Form of the report; validate writes those for machines to standard output, all else is standard error' -r -f -a "human\t''
concise\t''
json\t''
jsonl\t''
github\t''
gitlab\t''
sarif\t''
junit\t''"
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l max-errors -d 'Show at most N errors and then how many more there are; 0 shows all' -r
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l color -d 'Colour in the report; auto asks the environment and the terminal' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fjson -n "__fish_fjson_using_subcommand validate" -s V -l version -d 'Print the version and the kernel chosen on this machine'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l lines -d 'One document per line (JSON Lines, NDJSON); implied by names ending in .jsonl or .ndjson'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l stream -d 'Documents one after another, with or without whitespace between them'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l seq -d 'Documents after record separators (RFC 7464, JSON text sequences)'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l hidden -d 'In directories, take hidden files too'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l no-ignore -d 'In directories, take files that .ignore, or in a git repository .gitignore, would leave out'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l no-mmap -d 'Read regular files instead of mapping them into memory'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l unique-keys -d 'Refuse objects in which a name stands twice, however it is written; this keeps the names of open objects in memory'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -l ijson -d 'Refuse what is not I-JSON (RFC 7493): names that stand twice, lone surrogates, noncharacters, and numbers of which a double does not keep every digit'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -s q -l quiet -d 'Do not report invalid documents; the exit status tells'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -s v -l verbose -d 'Say what was read, how fast, and by which kernel'
complete -c fjson -n "__fish_fjson_using_subcommand validate" -s h -l help -d 'Print help'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l files-from -d 'Read the names of more inputs from FILE, one per line; - is standard input' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l files0-from -d 'The same with a NUL after each name' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand minify" -s g -l glob -d 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out' -r
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l max-bytes -d 'Refuse gzip and zstd inputs that expand to more than N bytes, or with K, M or G behind the number KiB, MiB or GiB' -r
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l escape -d 'Write characters in strings as \\u escapes: all beyond ASCII; or < > & U+2028 U+2029 (html); or these two (js)' -r -f -a "ascii\t''
html\t''
js\t''"
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l max-memory -d 'Bytes, or with K, M or G behind the number KiB, MiB or GiB, that may be held for an object to be sorted, and in the canonical form for a string or number' -r
complete -c fjson -n "__fish_fjson_using_subcommand minify" -s o -l output -d 'Write to FILE, which appears when it is complete' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l max-depth -d 'Refuse documents with more than N containers open at once, or none for no limit' -r
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l kernel -d 'The kernel to use: auto, or one of those that --version names' -r
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l threads -d 'Work on up to N threads; 0, the default, stands for one per processor' -r
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l format -d 'Form of the report; validate writes those for machines to standard output, all else is standard error' -r -f -a "human\t''
concise\t''
json\t''
jsonl\t''
github\t''
gitlab\t''
sarif\t''
junit\t''"
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l max-errors -d 'Show at most N errors and then how many more there are; 0 shows all' -r
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l color -d 'Colour in the report; auto asks the environment and the terminal' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fjson -n "__fish_fjson_using_subcommand minify" -s V -l version -d 'Print the version and the kernel chosen on this machine'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l lines -d 'One document per line (JSON Lines, NDJSON); implied by names ending in .jsonl or .ndjson'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l stream -d 'Documents one after another, with or without whitespace between them'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l seq -d 'Documents after record separators (RFC 7464, JSON text sequences)'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l hidden -d 'In directories, take hidden files too'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l no-ignore -d 'In directories, take files that .ignore, or in a git repository .gitignore, would leave out'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l no-mmap -d 'Read regular files instead of mapping them into memory'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -s S -l sort-keys -d 'Sort the members of each object by name, in the order of code points; an object is held in memory until it ends'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l canonical -d 'Write the canonical form of RFC 8785 (JCS); names that stand twice and what is no number or text to all are refused'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -s i -l in-place -d 'Replace each FILE by its output, keeping links, mode and owner'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l unique-keys -d 'Refuse objects in which a name stands twice, however it is written; this keeps the names of open objects in memory'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -l ijson -d 'Refuse what is not I-JSON (RFC 7493): names that stand twice, lone surrogates, noncharacters, and numbers of which a double does not keep every digit'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -s q -l quiet -d 'Do not report invalid documents; the exit status tells'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -s v -l verbose -d 'Say what was read, how fast, and by which kernel'
complete -c fjson -n "__fish_fjson_using_subcommand minify" -s h -l help -d 'Print help'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l files-from -d 'Read the names of more inputs from FILE, one per line; - is standard input' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l files0-from -d 'The same with a NUL after each name' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -s g -l glob -d 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out' -r
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l max-bytes -d 'Refuse gzip and zstd inputs that expand to more than N bytes, or with K, M or G behind the number KiB, MiB or GiB' -r
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l escape -d 'Write characters in strings as \\u escapes: all beyond ASCII; or < > & U+2028 U+2029 (html); or these two (js)' -r -f -a "ascii\t''
html\t''
js\t''"
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l max-memory -d 'Bytes, or with K, M or G behind the number KiB, MiB or GiB, that may be held for an object to be sorted, and in the canonical form for a string or number' -r
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l indent -d 'Spaces per level, 0 to 16; 0 breaks lines without indenting' -r
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -s o -l output -d 'Write to FILE, which appears when it is complete' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l max-depth -d 'Refuse documents with more than N containers open at once, or none for no limit' -r
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l kernel -d 'The kernel to use: auto, or one of those that --version names' -r
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l threads -d 'Work on up to N threads; 0, the default, stands for one per processor' -r
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l format -d 'Form of the report; validate writes those for machines to standard output, all else is standard error' -r -f -a "human\t''
concise\t''
json\t''
jsonl\t''
github\t''
gitlab\t''
sarif\t''
junit\t''"
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l max-errors -d 'Show at most N errors and then how many more there are; 0 shows all' -r
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l color -d 'Colour in the report; auto asks the environment and the terminal' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -s V -l version -d 'Print the version and the kernel chosen on this machine'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l lines -d 'One document per line (JSON Lines, NDJSON); implied by names ending in .jsonl or .ndjson'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l stream -d 'Documents one after another, with or without whitespace between them'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l seq -d 'Documents after record separators (RFC 7464, JSON text sequences)'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l hidden -d 'In directories, take hidden files too'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l no-ignore -d 'In directories, take files that .ignore, or in a git repository .gitignore, would leave out'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l no-mmap -d 'Read regular files instead of mapping them into memory'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -s S -l sort-keys -d 'Sort the members of each object by name, in the order of code points; an object is held in memory until it ends'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l tab -d 'Indent with one tab per level'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -s i -l in-place -d 'Replace each FILE by its output, keeping links, mode and owner'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l check -d 'Write nothing; name the inputs that are not formatted like this, and exit with 1 if there are any'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l unique-keys -d 'Refuse objects in which a name stands twice, however it is written; this keeps the names of open objects in memory'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -l ijson -d 'Refuse what is not I-JSON (RFC 7493): names that stand twice, lone surrogates, noncharacters, and numbers of which a double does not keep every digit'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -s q -l quiet -d 'Do not report invalid documents; the exit status tells'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -s v -l verbose -d 'Say what was read, how fast, and by which kernel'
complete -c fjson -n "__fish_fjson_using_subcommand pretty" -s h -l help -d 'Print help'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l files-from -d 'Read the names of more inputs from FILE, one per line; - is standard input' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand query" -l files0-from -d 'The same with a NUL after each name' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand query" -s g -l glob -d 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out' -r
complete -c fjson -n "__fish_fjson_using_subcommand query" -l max-bytes -d 'Refuse gzip and zstd inputs that expand to more than N bytes, or with K, M or G behind the number KiB, MiB or GiB' -r
complete -c fjson -n "__fish_fjson_using_subcommand query" -s p -l expr -d 'Look for EXPR; given several times, for all of them in one pass, and each document\'s matches come in their order' -r
complete -c fjson -n "__fish_fjson_using_subcommand query" -l where -d 'Ask only documents for which CONDITION holds, which is what may stand behind the ? of a filter: @.level == \'error\'' -r
complete -c fjson -n "__fish_fjson_using_subcommand query" -l limit -d 'Stop after N matches; what follows is not read, and not checked' -r
complete -c fjson -n "__fish_fjson_using_subcommand query" -l order -d 'Order of the matches: that of RFC 9535, or document, which holds nothing back' -r -f -a "rfc\t''
document\t''"
complete -c fjson -n "__fish_fjson_using_subcommand query" -l max-depth -d 'Refuse documents with more than N containers open at once, or none for no limit' -r
complete -c fjson -n "__fish_fjson_using_subcommand query" -l kernel -d 'The kernel to use: auto, or one of those that --version names' -r
complete -c fjson -n "__fish_fjson_using_subcommand query" -l threads -d 'Work on up to N threads; 0, the default, stands for one per processor' -r
complete -c fjson -n "__fish_fjson_using_subcommand query" -l format -d 'Form of the report; validate writes those for machines to standard output, all else is standard error' -r -f -a "human\t''
concise\t''
json\t''
jsonl\t''
github\t''
gitlab\t''
sarif\t''
junit\t''"
complete -c fjson -n "__fish_fjson_using_subcommand query" -l max-errors -d 'Show at most N errors and then how many more there are; 0 shows all' -r
complete -c fjson -n "__fish_fjson_using_subcommand query" -l color -d 'Colour in the report; auto asks the environment and the terminal' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fjson -n "__fish_fjson_using_subcommand query" -s V -l version -d 'Print the version and the kernel chosen on this machine'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l lines -d 'One document per line (JSON Lines, NDJSON); implied by names ending in .jsonl or .ndjson'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l stream -d 'Documents one after another, with or without whitespace between them'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l seq -d 'Documents after record separators (RFC 7464, JSON text sequences)'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l hidden -d 'In directories, take hidden files too'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l no-ignore -d 'In directories, take files that .ignore, or in a git repository .gitignore, would leave out'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l no-mmap -d 'Read regular files instead of mapping them into memory'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l single -d 'One document per input; another one behind it is an error'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l first -d 'Stop after the first match; what follows is not read, and not checked'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l skip-bad -d 'With --lines and --seq, leave out records that are invalid, and say on standard error how many they were'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l trust -d 'Believe that the input is one valid document, or valid records: check only what is printed, and read no further than to where nothing more can match'
complete -c fjson -n "__fish_fjson_using_subcommand query" -s r -l raw -d 'Print strings without quotes and escapes'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l raw-bytes -d 'Print matches byte for byte, line breaks and all'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l pretty -d 'Indent matches'
complete -c fjson -n "__fish_fjson_using_subcommand query" -s 0 -l null -d 'End each match with a NUL in place of a line break'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l array -d 'Print all matches as one array'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l paths -d 'Print where matches are, as normalized paths; with --pointers and --offsets, in columns'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l pointers -d 'The same as JSON Pointers'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l offsets -d 'The same as bytes of the input: from..to, the second not included'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l count -d 'Print how many matches there are, for each EXPR on a line'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l csv -d 'Print a row of comma-separated values for each document'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l tsv -d 'Print a row of tab-separated values for each document'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l header -d 'Begin with a row of the expressions'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l unique-keys -d 'Refuse objects in which a name stands twice, however it is written; this keeps the names of open objects in memory'
complete -c fjson -n "__fish_fjson_using_subcommand query" -l ijson -d 'Refuse what is not I-JSON (RFC 7493): names that stand twice, lone surrogates, noncharacters, and numbers of which a double does not keep every digit'
complete -c fjson -n "__fish_fjson_using_subcommand query" -s q -l quiet -d 'Do not report invalid documents; the exit status tells'
complete -c fjson -n "__fish_fjson_using_subcommand query" -s v -l verbose -d 'Say what was read, how fast, and by which kernel'
complete -c fjson -n "__fish_fjson_using_subcommand query" -s h -l help -d 'Print help'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l files-from -d 'Read the names of more inputs from FILE, one per line; - is standard input' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l files0-from -d 'The same with a NUL after each name' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand stats" -s g -l glob -d 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out' -r
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l max-bytes -d 'Refuse gzip and zstd inputs that expand to more than N bytes, or with K, M or G behind the number KiB, MiB or GiB' -r
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l format -d 'Write a table, or one JSON document' -r -f -a "table\t''
json\t''"
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l top -d 'Show the N most frequent names' -r
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l max-depth -d 'Refuse documents with more than N containers open at once, or none for no limit' -r
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l kernel -d 'The kernel to use: auto, or one of those that --version names' -r
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l threads -d 'Work on up to N threads; 0, the default, stands for one per processor' -r
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l max-memory -d 'Bytes, or with K, M or G behind the number KiB, MiB or GiB, that may be held of a string or number' -r
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l max-errors -d 'Show at most N errors and then how many more there are; 0 shows all' -r
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l color -d 'Colour in the report; auto asks the environment and the terminal' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fjson -n "__fish_fjson_using_subcommand stats" -s V -l version -d 'Print the version and the kernel chosen on this machine'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l lines -d 'One document per line (JSON Lines, NDJSON); implied by names ending in .jsonl or .ndjson'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l stream -d 'Documents one after another, with or without whitespace between them'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l seq -d 'Documents after record separators (RFC 7464, JSON text sequences)'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l hidden -d 'In directories, take hidden files too'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l no-ignore -d 'In directories, take files that .ignore, or in a git repository .gitignore, would leave out'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l no-mmap -d 'Read regular files instead of mapping them into memory'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l unique-keys -d 'Refuse objects in which a name stands twice, however it is written; this keeps the names of open objects in memory'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -l ijson -d 'Refuse what is not I-JSON (RFC 7493): names that stand twice, lone surrogates, noncharacters, and numbers of which a double does not keep every digit'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -s q -l quiet -d 'Do not report invalid documents; the exit status tells'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -s v -l verbose -d 'Say what was read, how fast, and by which kernel'
complete -c fjson -n "__fish_fjson_using_subcommand stats" -s h -l help -d 'Print help'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l files-from -d 'Read the names of more inputs from FILE, one per line; - is standard input' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l files0-from -d 'The same with a NUL after each name' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s g -l glob -d 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out' -r
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l max-bytes -d 'Refuse gzip and zstd inputs that expand to more than N bytes, or with K, M or G behind the number KiB, MiB or GiB' -r
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s o -l output -d 'Write to FILE, which appears when it is complete' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l max-depth -d 'Refuse documents with more than N containers open at once, or none for no limit' -r
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l kernel -d 'The kernel to use: auto, or one of those that --version names' -r
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l threads -d 'Work on up to N threads; 0, the default, stands for one per processor' -r
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l format -d 'Form of the report; validate writes those for machines to standard output, all else is standard error' -r -f -a "human\t''
concise\t''
json\t''
jsonl\t''
github\t''
gitlab\t''
sarif\t''
junit\t''"
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l max-errors -d 'Show at most N errors and then how many more there are; 0 shows all' -r
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l color -d 'Colour in the report; auto asks the environment and the terminal' -r -f -a "auto\t''
always\t''
never\t''"
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s V -l version -d 'Print the version and the kernel chosen on this machine'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l lines -d 'One document per line (JSON Lines, NDJSON); implied by names ending in .jsonl or .ndjson'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l stream -d 'Documents one after another, with or without whitespace between them'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l seq -d 'Documents after record separators (RFC 7464, JSON text sequences)'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l hidden -d 'In directories, take hidden files too'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l no-ignore -d 'In directories, take files that .ignore, or in a git repository .gitignore, would leave out'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l no-mmap -d 'Read regular files instead of mapping them into memory'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s 1 -d 'Fast; any number from 1 to 9 may be given, and 6 is what is used if none is'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s 2
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s 3
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s 4
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s 5
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s 6
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s 7
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s 8
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s 9 -d 'Small'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l keep-space -d 'Compress the input as it is, with its whitespace'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l rsyncable -d 'Keep what follows an edit as it was, for rsync and backups; the output grows a little'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s c -l stdout -d 'Write to standard output'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s f -l force -d 'Replace FILE.gz if it is there'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l unique-keys -d 'Refuse objects in which a name stands twice, however it is written; this keeps the names of open objects in memory'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -l ijson -d 'Refuse what is not I-JSON (RFC 7493): names that stand twice, lone surrogates, noncharacters, and numbers of which a double does not keep every digit'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s q -l quiet -d 'Do not report invalid documents; the exit status tells'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s v -l verbose -d 'Say what was read, how fast, and by which kernel'
complete -c fjson -n "__fish_fjson_using_subcommand gzip" -s h -l help -d 'Print help'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l files-from -d 'Read the names of more inputs from FILE, one per line; - is standard input' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l files0-from -d 'The same with a NUL after each name' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand bench" -s g -l glob -d 'In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out' -r
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l max-bytes -d 'Refuse gzip and zstd inputs that expand to more than N bytes, or with K, M or G behind the number KiB, MiB or GiB' -r
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l verb -d 'Measure this verb only; may be repeated' -r -f -a "validate\t''
minify\t''
pretty\t''
gzip\t''
query\t''
index\t''"
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l query -d 'Query of the verb query; if not given, all values of the most frequent key' -r
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l time -d 'Approximate time for each verb and kernel; there are at least 6 samples' -r
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l vs -d 'Time another program on the same file, in turn with fjson as a process (validate, or the verbs of --verb); {} is replaced by the file, or else the file is standard input; may be repeated' -r
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l baseline -d 'Compare with an earlier --export-json, and exit with 1 if a figure is slower beyond the noise of both runs' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l corpus -d 'Search for the suites in DIR only' -r -f -a "(__fish_complete_directories)"
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l require -d 'Fail if this suite is missing or incomplete; without a name, if any is' -r -f -a "json-test-suite\t''
nativejson\t''
jsonpath-cts\t''"
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l emit -d 'Only write a generated document of this shape to standard output' -r -f -a "canada\t''
citm_catalog\t''
twitter\t''
users\t''
nesting\t''
ndjson\t''"
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l size -d 'Its size in bytes, or in KiB, MiB or GiB with K, M or G after the number' -r
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l max-depth -d 'Refuse documents with more than N containers open at once, or none for no limit' -r
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l kernel -d 'The kernel to use: auto, or one of those that --version names' -r
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l threads -d 'Work on up to N threads; 0, the default, stands for one per processor' -r
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l format -d 'Format of the results' -r -f -a "human\t''
json\t''
junit\t''"
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l export-json -d 'Write the results and all samples to FILE, as JSON' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l report -d 'Write a page with charts to FILE; measures every kernel and runs the suites' -r -F
complete -c fjson -n "__fish_fjson_using_subcommand bench" -s V -l version -d 'Print the version and the kernel chosen on this machine'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l lines -d 'One document per line (JSON Lines, NDJSON); implied by names ending in .jsonl or .ndjson'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l stream -d 'Documents one after another, with or without whitespace between them'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l seq -d 'Documents after record separators (RFC 7464, JSON text sequences)'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l hidden -d 'In directories, take hidden files too'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l no-ignore -d 'In directories, take files that .ignore, or in a git repository .gitignore, would leave out'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l all-kernels -d 'Measure every kernel that this machine can run'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l suite -d 'Run the conformance suites'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l unique-keys -d 'Refuse objects in which a name stands twice, however it is written; this keeps the names of open objects in memory'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l ijson -d 'Refuse what is not I-JSON (RFC 7493): names that stand twice, lone surrogates, noncharacters, and numbers of which a double does not keep every digit'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -s q -l quiet -d 'Print no results and no progress, only set the exit status'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -l no-mmap -d 'Read regular files instead of mapping them into memory'
complete -c fjson -n "__fish_fjson_using_subcommand bench" -s h -l help -d 'Print help'
complete -c fjson -n "__fish_fjson_using_subcommand man" -s V -l version -d 'Print the version and the kernel chosen on this machine'
complete -c fjson -n "__fish_fjson_using_subcommand man" -s h -l help -d 'Print help'
complete -c fjson -n "__fish_fjson_using_subcommand completions" -s V -l version -d 'Print the version and the kernel chosen on this machine'
complete -c fjson -n "__fish_fjson_using_subcommand completions" -s h -l help -d 'Print help'
complete -c fjson -n "__fish_fjson_using_subcommand help; and not __fish_seen_subcommand_from validate minify pretty query stats gzip bench man completions help" -f -a "validate" -d 'Check that inputs are valid JSON'
complete -c fjson -n "__fish_fjson_using_subcommand help; and not __fish_seen_subcommand_from validate minify pretty query stats gzip bench man completions help" -f -a "minify" -d 'Remove whitespace, checking while copying'
complete -c fjson -n "__fish_fjson_using_subcommand help; and not __fish_seen_subcommand_from validate minify pretty query stats gzip bench man completions help" -f -a "pretty" -d 'Indent, checking while copying'
complete -c fjson -n "__fish_fjson_using_subcommand help; and not __fish_seen_subcommand_from validate minify pretty query stats gzip bench man completions help" -f -a "query" -d 'Print what JSONPath or JSON Pointer select'
complete -c fjson -n "__fish_fjson_using_subcommand help; and not __fish_seen_subcommand_from validate minify pretty query stats gzip bench man completions help" -f -a "stats" -d 'Count types, sizes, names and numbers'
complete -c fjson -n "__fish_fjson_using_subcommand help; and not __fish_seen_subcommand_from validate minify pretty query stats gzip bench man completions help" -f -a "gzip" -d 'Check, minify and compress on all cores'
complete -c fjson -n "__fish_fjson_using_subcommand help; and not __fish_seen_subcommand_from validate minify pretty query stats gzip bench man completions help" -f -a "bench" -d 'Measure speed, and run conformance suites'
complete -c fjson -n "__fish_fjson_using_subcommand help; and not __fish_seen_subcommand_from validate minify pretty query stats gzip bench man completions help" -f -a "man" -d 'Write the man pages into a directory'
complete -c fjson -n "__fish_fjson_using_subcommand help; and not __fish_seen_subcommand_from validate minify pretty query stats gzip bench man completions help" -f -a "completions" -d 'Print the completions for a shell'
complete -c fjson -n "__fish_fjson_using_subcommand help; and not __fish_seen_subcommand_from validate minify pretty query stats gzip bench man completions help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
