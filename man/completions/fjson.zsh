#compdef fjson

autoload -U is-at-least

_fjson() {
    typeset -A opt_args
    typeset -a _arguments_options
    local ret=1

    if is-at-least 5.2; then
        _arguments_options=(-s -S -C)
    else
        _arguments_options=(-s -C)
    fi

    local context curcontext="$curcontext" state line
    _arguments "${_arguments_options[@]}" : \
'-V[Print the version and the kernel chosen on this machine]' \
'--version[Print the version and the kernel chosen on this machine]' \
'-h[Print help]' \
'--help[Print help]' \
":: :_fjson_commands" \
"*::: :->fjson" \
&& ret=0
    case $state in
    (fjson)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:fjson-command-$line[1]:"
        case $line[1] in
            (validate)
_arguments "${_arguments_options[@]}" : \
'--files-from=[Read the names of more inputs from FILE, one per line; - is standard input]:FILE:_files' \
'--files0-from=[The same with a NUL after each name]:FILE:_files' \
'*-g+[In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out]:GLOB:_default' \
'*--glob=[In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out]:GLOB:_default' \
'--max-bytes=[Refuse gzip and zstd inputs that expand to more than N bytes, or with K, M or G behind the number KiB, MiB or GiB]:N:_default' \
'--max-depth=[Refuse documents with more than N containers open at once, or none for no limit]:N:_default' \
'--kernel=[The kernel to use\: auto, or one of those that --version names]:NAME:_default' \
'--threads=[Work on up to N threads; 0, the default, stands for one per processor]:N:_default' \
'--format=[Form of the report; validate writes those for machines to standard output, all else is standard error]:FORM:(human concise json jsonl github gitlab sarif junit)' \
'--max-errors=[Show at most N errors and then how many more there are; 0 shows all]:N:_default' \
'--color=[Colour in the report; auto asks the environment and the terminal]:WHEN:(auto always never)' \
'-V[Print the version and the kernel chosen on this machine]' \
'--version[Print the version and the kernel chosen on this machine]' \
'--lines[One document per line (JSON Lines, NDJSON); implied by names ending in .jsonl or .ndjson]' \
'--stream[Documents one after another, with or without whitespace between them]' \
'--seq[Documents after record separators (RFC 7464, JSON text sequences)]' \
'--hidden[In directories, take hidden files too]' \
'--no-ignore[In directories, take files that .ignore, or in a git repository .gitignore, would leave out]' \
'--no-mmap[Read regular files instead of mapping them into memory]' \
'--unique-keys[Refuse objects in which a name stands twice, however it is written; this keeps the names of open objects in memory]' \
'--ijson[Refuse what is not I-JSON (RFC 7493)\: names that stand twice, lone surrogates, noncharacters, and numbers of which a double does not keep every digit]' \
'(-v --verbose --format)-q[Do not report invalid documents; the exit status tells]' \
'(-v --verbose --format)--quiet[Do not report invalid documents; the exit status tells]' \
'-v[Say what was read, how fast, and by which kernel]' \
'--verbose[Say what was read, how fast, and by which kernel]' \
'-h[Print help]' \
'--help[Print help]' \
'*::files -- Files, directories, or - for standard input, which is also read if no FILE is given:_files' \
&& ret=0
;;
(minify)
_arguments "${_arguments_options[@]}" : \
'--files-from=[Read the names of more inputs from FILE, one per line; - is standard input]:FILE:_files' \
'--files0-from=[The same with a NUL after each name]:FILE:_files' \
'*-g+[In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out]:GLOB:_default' \
'*--glob=[In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out]:GLOB:_default' \
'--max-bytes=[Refuse gzip and zstd inputs that expand to more than N bytes, or with K, M or G behind the number KiB, MiB or GiB]:N:_default' \
'*--escape=[Write characters in strings as \\u escapes\: all beyond ASCII; or < > & U+2028 U+2029 (html); or these two (js)]:WHAT:(ascii html js)' \
'--max-memory=[Bytes, or with K, M or G behind the number KiB, MiB or GiB, that may be held for an object to be sorted, and in the canonical form for a string or number]:SIZE:_default' \
'-o+[Write to FILE, which appears when it is complete]:FILE:_files' \
'--output=[Write to FILE, which appears when it is complete]:FILE:_files' \
'--max-depth=[Refuse documents with more than N containers open at once, or none for no limit]:N:_default' \
'--kernel=[The kernel to use\: auto, or one of those that --version names]:NAME:_default' \
'--threads=[Work on up to N threads; 0, the default, stands for one per processor]:N:_default' \
'--format=[Form of the report; validate writes those for machines to standard output, all else is standard error]:FORM:(human concise json jsonl github gitlab sarif junit)' \
'--max-errors=[Show at most N errors and then how many more there are; 0 shows all]:N:_default' \
'--color=[Colour in the report; auto asks the environment and the terminal]:WHEN:(auto always never)' \
'-V[Print the version and the kernel chosen on this machine]' \
'--version[Print the version and the kernel chosen on this machine]' \
'--lines[One document per line (JSON Lines, NDJSON); implied by names ending in .jsonl or .ndjson]' \
'--stream[Documents one after another, with or without whitespace between them]' \
'--seq[Documents after record separators (RFC 7464, JSON text sequences)]' \
'--hidden[In directories, take hidden files too]' \
'--no-ignore[In directories, take files that .ignore, or in a git repository .gitignore, would leave out]' \
'--no-mmap[Read regular files instead of mapping them into memory]' \
'-S[Sort the members of each object by name, in the order of code points; an object is held in memory until it ends]' \
'--sort-keys[Sort the members of each object by name, in the order of code points; an object is held in memory until it ends]' \
'(--escape -S --sort-keys)--canonical[Write the canonical form of RFC 8785 (JCS); names that stand twice and what is no number or text to all are refused]' \
'(-o --output)-i[Replace each FILE by its output, keeping links, mode and owner]' \
'(-o --output)--in-place[Replace each FILE by its output, keeping links, mode and owner]' \
'--unique-keys[Refuse objects in which a name stands twice, however it is written; this keeps the names of open objects in memory]' \
'--ijson[Refuse what is not I-JSON (RFC 7493)\: names that stand twice, lone surrogates, noncharacters, and numbers of which a double does not keep every digit]' \
'(-v --verbose --format)-q[Do not report invalid documents; the exit status tells]' \
'(-v --verbose --format)--quiet[Do not report invalid documents; the exit status tells]' \
'-v[Say what was read, how fast, and by which kernel]' \
'--verbose[Say what was read, how fast, and by which kernel]' \
'-h[Print help]' \
'--help[Print help]' \
'*::files -- Files, directories, or - for standard input, which is also read if no FILE is given:_files' \
&& ret=0
;;
(pretty)
_arguments "${_arguments_options[@]}" : \
'--files-from=[Read the names of more inputs from FILE, one per line; - is standard input]:FILE:_files' \
'--files0-from=[The same with a NUL after each name]:FILE:_files' \
'*-g+[In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out]:GLOB:_default' \
'*--glob=[In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out]:GLOB:_default' \
'--max-bytes=[Refuse gzip and zstd inputs that expand to more than N bytes, or with K, M or G behind the number KiB, MiB or GiB]:N:_default' \
'*--escape=[Write characters in strings as \\u escapes\: all beyond ASCII; or < > & U+2028 U+2029 (html); or these two (js)]:WHAT:(ascii html js)' \
'--max-memory=[Bytes, or with K, M or G behind the number KiB, MiB or GiB, that may be held for an object to be sorted, and in the canonical form for a string or number]:SIZE:_default' \
'--indent=[Spaces per level, 0 to 16; 0 breaks lines without indenting]:N:_default' \
'-o+[Write to FILE, which appears when it is complete]:FILE:_files' \
'--output=[Write to FILE, which appears when it is complete]:FILE:_files' \
'--max-depth=[Refuse documents with more than N containers open at once, or none for no limit]:N:_default' \
'--kernel=[The kernel to use\: auto, or one of those that --version names]:NAME:_default' \
'--threads=[Work on up to N threads; 0, the default, stands for one per processor]:N:_default' \
'--format=[Form of the report; validate writes those for machines to standard output, all else is standard error]:FORM:(human concise json jsonl github gitlab sarif junit)' \
'--max-errors=[Show at most N errors and then how many more there are; 0 shows all]:N:_default' \
'--color=[Colour in the report; auto asks the environment and the terminal]:WHEN:(auto always never)' \
'-V[Print the version and the kernel chosen on this machine]' \
'--version[Print the version and the kernel chosen on this machine]' \
'--lines[One document per line (JSON Lines, NDJSON); implied by names ending in .jsonl or .ndjson]' \
'--stream[Documents one after another, with or without whitespace between them]' \
'--seq[Documents after record separators (RFC 7464, JSON text sequences)]' \
'--hidden[In directories, take hidden files too]' \
'--no-ignore[In directories, take files that .ignore, or in a git repository .gitignore, would leave out]' \
'--no-mmap[Read regular files instead of mapping them into memory]' \
'-S[Sort the members of each object by name, in the order of code points; an object is held in memory until it ends]' \
'--sort-keys[Sort the members of each object by name, in the order of code points; an object is held in memory until it ends]' \
'(--indent)--tab[Indent with one tab per level]' \
'(-o --output)-i[Replace each FILE by its output, keeping links, mode and owner]' \
'(-o --output)--in-place[Replace each FILE by its output, keeping links, mode and owner]' \
'(-o --output -i --in-place)--check[Write nothing; name the inputs that are not formatted like this, and exit with 1 if there are any]' \
'--unique-keys[Refuse objects in which a name stands twice, however it is written; this keeps the names of open objects in memory]' \
'--ijson[Refuse what is not I-JSON (RFC 7493)\: names that stand twice, lone surrogates, noncharacters, and numbers of which a double does not keep every digit]' \
'(-v --verbose --format)-q[Do not report invalid documents; the exit status tells]' \
'(-v --verbose --format)--quiet[Do not report invalid documents; the exit status tells]' \
'-v[Say what was read, how fast, and by which kernel]' \
'--verbose[Say what was read, how fast, and by which kernel]' \
'-h[Print help]' \
'--help[Print help]' \
'*::files -- Files, directories, or - for standard input, which is also read if no FILE is given:_files' \
&& ret=0
;;
(query)
_arguments "${_arguments_options[@]}" : \
'--files-from=[Read the names of more inputs from FILE, one per line; - is standard input]:FILE:_files' \
'--files0-from=[The same with a NUL after each name]:FILE:_files' \
'*-g+[In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out]:GLOB:_default' \
'*--glob=[In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out]:GLOB:_default' \
'--max-bytes=[Refuse gzip and zstd inputs that expand to more than N bytes, or with K, M or G behind the number KiB, MiB or GiB]:N:_default' \
'*-p+[Look for EXPR; given several times, for all of them in one pass, and each document'\''s matches come in their order]:EXPR:_default' \
'*--expr=[Look for EXPR; given several times, for all of them in one pass, and each document'\''s matches come in their order]:EXPR:_default' \
'--where=[Ask only documents for which CONDITION holds, which is what may stand behind the ? of a filter\: @.level == '\''error'\'']:CONDITION:_default' \
'--limit=[Stop after N matches; what follows is not read, and not checked]:N:_default' \
'--order=[Order of the matches\: that of RFC 9535, or document, which holds nothing back]:ORDER:(rfc document)' \
'--max-depth=[Refuse documents with more than N containers open at once, or none for no limit]:N:_default' \
'--kernel=[The kernel to use\: auto, or one of those that --version names]:NAME:_default' \
'--threads=[Work on up to N threads; 0, the default, stands for one per processor]:N:_default' \
'--format=[Form of the report; validate writes those for machines to standard output, all else is standard error]:FORM:(human concise json jsonl github gitlab sarif junit)' \
'--max-errors=[Show at most N errors and then how many more there are; 0 shows all]:N:_default' \
'--color=[Colour in the report; auto asks the environment and the terminal]:WHEN:(auto always never)' \
'-V[Print the version and the kernel chosen on this machine]' \
'--version[Print the version and the kernel chosen on this machine]' \
'--lines[One document per line (JSON Lines, NDJSON); implied by names ending in .jsonl or .ndjson]' \
'--stream[Documents one after another, with or without whitespace between them]' \
'--seq[Documents after record separators (RFC 7464, JSON text sequences)]' \
'--hidden[In directories, take hidden files too]' \
'--no-ignore[In directories, take files that .ignore, or in a git repository .gitignore, would leave out]' \
'--no-mmap[Read regular files instead of mapping them into memory]' \
'--single[One document per input; another one behind it is an error]' \
'(--limit)--first[Stop after the first match; what follows is not read, and not checked]' \
'--skip-bad[With --lines and --seq, leave out records that are invalid, and say on standard error how many they were]' \
'(--skip-bad --max-depth --unique-keys --ijson)--trust[Believe that the input is one valid document, or valid records\: check only what is printed, and read no further than to where nothing more can match]' \
'-r[Print strings without quotes and escapes]' \
'--raw[Print strings without quotes and escapes]' \
'(--pretty)--raw-bytes[Print matches byte for byte, line breaks and all]' \
'--pretty[Indent matches]' \
'-0[End each match with a NUL in place of a line break]' \
'--null[End each match with a NUL in place of a line break]' \
'(-r --raw --raw-bytes -0 --null)--array[Print all matches as one array]' \
'(-r --raw --raw-bytes --pretty --array)--paths[Print where matches are, as normalized paths; with --pointers and --offsets, in columns]' \
'(-r --raw --raw-bytes --pretty --array)--pointers[The same as JSON Pointers]' \
'(-r --raw --raw-bytes --pretty --array)--offsets[The same as bytes of the input\: from..to, the second not included]' \
'(--csv --tsv -r --raw --raw-bytes --pretty -0 --null --array --paths --pointers --offsets --first --limit)--count[Print how many matches there are, for each EXPR on a line]' \
'(-r --raw --raw-bytes --pretty -0 --null --array --paths --pointers --offsets --first --limit)--csv[Print a row of comma-separated values for each document]' \
'(-r --raw --raw-bytes --pretty -0 --null --array --paths --pointers --offsets --first --limit)--tsv[Print a row of tab-separated values for each document]' \
'--header[Begin with a row of the expressions]' \
'--unique-keys[Refuse objects in which a name stands twice, however it is written; this keeps the names of open objects in memory]' \
'--ijson[Refuse what is not I-JSON (RFC 7493)\: names that stand twice, lone surrogates, noncharacters, and numbers of which a double does not keep every digit]' \
'(-v --verbose --format)-q[Do not report invalid documents; the exit status tells]' \
'(-v --verbose --format)--quiet[Do not report invalid documents; the exit status tells]' \
'-v[Say what was read, how fast, and by which kernel]' \
'--verbose[Say what was read, how fast, and by which kernel]' \
'-h[Print help]' \
'--help[Print help]' \
'::expression -- What to look for; with -p, this is another FILE:_default' \
'*::files -- Files, directories, or - for standard input, which is also read if no FILE is given:_files' \
&& ret=0
;;
(stats)
_arguments "${_arguments_options[@]}" : \
'--files-from=[Read the names of more inputs from FILE, one per line; - is standard input]:FILE:_files' \
'--files0-from=[The same with a NUL after each name]:FILE:_files' \
'*-g+[In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out]:GLOB:_default' \
'*--glob=[In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out]:GLOB:_default' \
'--max-bytes=[Refuse gzip and zstd inputs that expand to more than N bytes, or with K, M or G behind the number KiB, MiB or GiB]:N:_default' \
'--format=[Write a table, or one JSON document]:FORM:(table json)' \
'--top=[Show the N most frequent names]:N:_default' \
'--max-depth=[Refuse documents with more than N containers open at once, or none for no limit]:N:_default' \
'--kernel=[The kernel to use\: auto, or one of those that --version names]:NAME:_default' \
'--threads=[Work on up to N threads; 0, the default, stands for one per processor]:N:_default' \
'--max-memory=[Bytes, or with K, M or G behind the number KiB, MiB or GiB, that may be held of a string or number]:SIZE:_default' \
'--max-errors=[Show at most N errors and then how many more there are; 0 shows all]:N:_default' \
'--color=[Colour in the report; auto asks the environment and the terminal]:WHEN:(auto always never)' \
'-V[Print the version and the kernel chosen on this machine]' \
'--version[Print the version and the kernel chosen on this machine]' \
'--lines[One document per line (JSON Lines, NDJSON); implied by names ending in .jsonl or .ndjson]' \
'--stream[Documents one after another, with or without whitespace between them]' \
'--seq[Documents after record separators (RFC 7464, JSON text sequences)]' \
'--hidden[In directories, take hidden files too]' \
'--no-ignore[In directories, take files that .ignore, or in a git repository .gitignore, would leave out]' \
'--no-mmap[Read regular files instead of mapping them into memory]' \
'--unique-keys[Refuse objects in which a name stands twice, however it is written; this keeps the names of open objects in memory]' \
'--ijson[Refuse what is not I-JSON (RFC 7493)\: names that stand twice, lone surrogates, noncharacters, and numbers of which a double does not keep every digit]' \
'(-v --verbose)-q[Do not report invalid documents; the exit status tells]' \
'(-v --verbose)--quiet[Do not report invalid documents; the exit status tells]' \
'-v[Say what was read, how fast, and by which kernel]' \
'--verbose[Say what was read, how fast, and by which kernel]' \
'-h[Print help]' \
'--help[Print help]' \
'*::files -- Files, directories, or - for standard input, which is also read if no FILE is given:_files' \
&& ret=0
;;
(gzip)
_arguments "${_arguments_options[@]}" : \
'--files-from=[Read the names of more inputs from FILE, one per line; - is standard input]:FILE:_files' \
'--files0-from=[The same with a NUL after each name]:FILE:_files' \
'*-g+[In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out]:GLOB:_default' \
'*--glob=[In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out]:GLOB:_default' \
'--max-bytes=[Refuse gzip and zstd inputs that expand to more than N bytes, or with K, M or G behind the number KiB, MiB or GiB]:N:_default' \
'-o+[Write to FILE, which appears when it is complete]:FILE:_files' \
'--output=[Write to FILE, which appears when it is complete]:FILE:_files' \
'--max-depth=[Refuse documents with more than N containers open at once, or none for no limit]:N:_default' \
'--kernel=[The kernel to use\: auto, or one of those that --version names]:NAME:_default' \
'--threads=[Work on up to N threads; 0, the default, stands for one per processor]:N:_default' \
'--format=[Form of the report; validate writes those for machines to standard output, all else is standard error]:FORM:(human concise json jsonl github gitlab sarif junit)' \
'--max-errors=[Show at most N errors and then how many more there are; 0 shows all]:N:_default' \
'--color=[Colour in the report; auto asks the environment and the terminal]:WHEN:(auto always never)' \
'-V[Print the version and the kernel chosen on this machine]' \
'--version[Print the version and the kernel chosen on this machine]' \
'--lines[One document per line (JSON Lines, NDJSON); implied by names ending in .jsonl or .ndjson]' \
'--stream[Documents one after another, with or without whitespace between them]' \
'--seq[Documents after record separators (RFC 7464, JSON text sequences)]' \
'--hidden[In directories, take hidden files too]' \
'--no-ignore[In directories, take files that .ignore, or in a git repository .gitignore, would leave out]' \
'--no-mmap[Read regular files instead of mapping them into memory]' \
'-1[Fast; any number from 1 to 9 may be given, and 6 is what is used if none is]' \
'-2[]' \
'-3[]' \
'-4[]' \
'-5[]' \
'-6[]' \
'-7[]' \
'-8[]' \
'-9[Small]' \
'--keep-space[Compress the input as it is, with its whitespace]' \
'--rsyncable[Keep what follows an edit as it was, for rsync and backups; the output grows a little]' \
'(-o --output)-c[Write to standard output]' \
'(-o --output)--stdout[Write to standard output]' \
'-f[Replace FILE.gz if it is there]' \
'--force[Replace FILE.gz if it is there]' \
'--unique-keys[Refuse objects in which a name stands twice, however it is written; this keeps the names of open objects in memory]' \
'--ijson[Refuse what is not I-JSON (RFC 7493)\: names that stand twice, lone surrogates, noncharacters, and numbers of which a double does not keep every digit]' \
'(-v --verbose --format)-q[Do not report invalid documents; the exit status tells]' \
'(-v --verbose --format)--quiet[Do not report invalid documents; the exit status tells]' \
'-v[Say what was read, how fast, and by which kernel]' \
'--verbose[Say what was read, how fast, and by which kernel]' \
'-h[Print help]' \
'--help[Print help]' \
'*::files -- Files, directories, or - for standard input, which is also read if no FILE is given:_files' \
&& ret=0
;;
(bench)
_arguments "${_arguments_options[@]}" : \
'--files-from=[Read the names of more inputs from FILE, one per line; - is standard input]:FILE:_files' \
'--files0-from=[The same with a NUL after each name]:FILE:_files' \
'*-g+[In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out]:GLOB:_default' \
'*--glob=[In directories, take the files that match GLOB, even hidden ones; with ! in front, leave them out]:GLOB:_default' \
'--max-bytes=[Refuse gzip and zstd inputs that expand to more than N bytes, or with K, M or G behind the number KiB, MiB or GiB]:N:_default' \
'*--verb=[Measure this verb only; may be repeated]:VERB:(validate minify pretty gzip query index)' \
'--query=[Query of the verb query; if not given, all values of the most frequent key]:EXPR:_default' \
'--time=[Approximate time for each verb and kernel; there are at least 6 samples]:SECONDS:_default' \
'*--vs=[Time another program on the same file, in turn with fjson as a process (validate, or the verbs of --verb); {} is replaced by the file, or else the file is standard input; may be repeated]:COMMAND:_default' \
'--baseline=[Compare with an earlier --export-json, and exit with 1 if a figure is slower beyond the noise of both runs]:FILE:_files' \
'--corpus=[Search for the suites in DIR only]:DIR:_files -/' \
'*--require=[Fail if this suite is missing or incomplete; without a name, if any is]::SUITE:(json-test-suite nativejson jsonpath-cts)' \
'(--suite --corpus --require --vs --baseline --export-json --report)--emit=[Only write a generated document of this shape to standard output]:SHAPE:(canada citm_catalog twitter users nesting ndjson)' \
'--size=[Its size in bytes, or in KiB, MiB or GiB with K, M or G after the number]:N:_default' \
'--max-depth=[Refuse documents with more than N containers open at once, or none for no limit]:N:_default' \
'--kernel=[The kernel to use\: auto, or one of those that --version names]:NAME:_default' \
'--threads=[Work on up to N threads; 0, the default, stands for one per processor]:N:_default' \
'--format=[Format of the results]:FORM:(human json junit)' \
'--export-json=[Write the results and all samples to FILE, as JSON]:FILE:_files' \
'--report=[Write a page with charts to FILE; measures every kernel and runs the suites]:FILE:_files' \
'-V[Print the version and the kernel chosen on this machine]' \
'--version[Print the version and the kernel chosen on this machine]' \
'--lines[One document per line (JSON Lines, NDJSON); implied by names ending in .jsonl or .ndjson]' \
'--stream[Documents one after another, with or without whitespace between them]' \
'--seq[Documents after record separators (RFC 7464, JSON text sequences)]' \
'--hidden[In directories, take hidden files too]' \
'--no-ignore[In directories, take files that .ignore, or in a git repository .gitignore, would leave out]' \
'(--kernel)--all-kernels[Measure every kernel that this machine can run]' \
'--suite[Run the conformance suites]' \
'--unique-keys[Refuse objects in which a name stands twice, however it is written; this keeps the names of open objects in memory]' \
'--ijson[Refuse what is not I-JSON (RFC 7493)\: names that stand twice, lone surrogates, noncharacters, and numbers of which a double does not keep every digit]' \
'(--format)-q[Print no results and no progress, only set the exit status]' \
'(--format)--quiet[Print no results and no progress, only set the exit status]' \
'--no-mmap[Read regular files instead of mapping them into memory]' \
'-h[Print help]' \
'--help[Print help]' \
'*::files -- Files, directories of files or suites, or - for standard input; if none is given, generated documents:_files' \
&& ret=0
;;
(man)
_arguments "${_arguments_options[@]}" : \
'-V[Print the version and the kernel chosen on this machine]' \
'--version[Print the version and the kernel chosen on this machine]' \
'-h[Print help]' \
'--help[Print help]' \
':directory -- Directory for fjson.1 and a page for each command; made if it is missing:_files -/' \
&& ret=0
;;
(completions)
_arguments "${_arguments_options[@]}" : \
'-V[Print the version and the kernel chosen on this machine]' \
'--version[Print the version and the kernel chosen on this machine]' \
'-h[Print help]' \
'--help[Print help]' \
':shell -- The shell:(bash elvish fish powershell zsh)' \
&& ret=0
;;
(help)
_arguments "${_arguments_options[@]}" : \
":: :_fjson__subcmd__help_commands" \
"*::: :->help" \
&& ret=0

    case $state in
    (help)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:fjson-help-command-$line[1]:"
        case $line[1] in
            (validate)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(minify)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(pretty)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(query)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(stats)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(gzip)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(bench)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(man)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(completions)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(help)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
        esac
    ;;
esac
;;
        esac
    ;;
esac
}

(( $+functions[_fjson_commands] )) ||
_fjson_commands() {
    local commands; commands=(
'validate:Check that inputs are valid JSON' \
'minify:Remove whitespace, checking while copying' \
'pretty:Indent, checking while copying' \
'query:Print what JSONPath or JSON Pointer select' \
'stats:Count types, sizes, names and numbers' \
'gzip:Check, minify and compress on all cores' \
'bench:Measure speed, and run conformance suites' \
'man:Write the man pages into a directory' \
'completions:Print the completions for a shell' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'fjson commands' commands "$@"
}
(( $+functions[_fjson__subcmd__bench_commands] )) ||
_fjson__subcmd__bench_commands() {
    local commands; commands=()
    _describe -t commands 'fjson bench commands' commands "$@"
}
(( $+functions[_fjson__subcmd__completions_commands] )) ||
_fjson__subcmd__completions_commands() {
    local commands; commands=()
    _describe -t commands 'fjson completions commands' commands "$@"
}
(( $+functions[_fjson__subcmd__gzip_commands] )) ||
_fjson__subcmd__gzip_commands() {
    local commands; commands=()
    _describe -t commands 'fjson gzip commands' commands "$@"
}
(( $+functions[_fjson__subcmd__help_commands] )) ||
_fjson__subcmd__help_commands() {
    local commands; commands=(
'validate:Check that inputs are valid JSON' \
'minify:Remove whitespace, checking while copying' \
'pretty:Indent, checking while copying' \
'query:Print what JSONPath or JSON Pointer select' \
'stats:Count types, sizes, names and numbers' \
'gzip:Check, minify and compress on all cores' \
'bench:Measure speed, and run conformance suites' \
'man:Write the man pages into a directory' \
'completions:Print the completions for a shell' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'fjson help commands' commands "$@"
}
(( $+functions[_fjson__subcmd__help__subcmd__bench_commands] )) ||
_fjson__subcmd__help__subcmd__bench_commands() {
    local commands; commands=()
    _describe -t commands 'fjson help bench commands' commands "$@"
}
(( $+functions[_fjson__subcmd__help__subcmd__completions_commands] )) ||
_fjson__subcmd__help__subcmd__completions_commands() {
    local commands; commands=()
    _describe -t commands 'fjson help completions commands' commands "$@"
}
(( $+functions[_fjson__subcmd__help__subcmd__gzip_commands] )) ||
_fjson__subcmd__help__subcmd__gzip_commands() {
    local commands; commands=()
    _describe -t commands 'fjson help gzip commands' commands "$@"
}
(( $+functions[_fjson__subcmd__help__subcmd__help_commands] )) ||
_fjson__subcmd__help__subcmd__help_commands() {
    local commands; commands=()
    _describe -t commands 'fjson help help commands' commands "$@"
}
(( $+functions[_fjson__subcmd__help__subcmd__man_commands] )) ||
_fjson__subcmd__help__subcmd__man_commands() {
    local commands; commands=()
    _describe -t commands 'fjson help man commands' commands "$@"
}
(( $+functions[_fjson__subcmd__help__subcmd__minify_commands] )) ||
_fjson__subcmd__help__subcmd__minify_commands() {
    local commands; commands=()
    _describe -t commands 'fjson help minify commands' commands "$@"
}
(( $+functions[_fjson__subcmd__help__subcmd__pretty_commands] )) ||
_fjson__subcmd__help__subcmd__pretty_commands() {
    local commands; commands=()
    _describe -t commands 'fjson help pretty commands' commands "$@"
}
(( $+functions[_fjson__subcmd__help__subcmd__query_commands] )) ||
_fjson__subcmd__help__subcmd__query_commands() {
    local commands; commands=()
    _describe -t commands 'fjson help query commands' commands "$@"
}
(( $+functions[_fjson__subcmd__help__subcmd__stats_commands] )) ||
_fjson__subcmd__help__subcmd__stats_commands() {
    local commands; commands=()
    _describe -t commands 'fjson help stats commands' commands "$@"
}
(( $+functions[_fjson__subcmd__help__subcmd__validate_commands] )) ||
_fjson__subcmd__help__subcmd__validate_commands() {
    local commands; commands=()
    _describe -t commands 'fjson help validate commands' commands "$@"
}
(( $+functions[_fjson__subcmd__man_commands] )) ||
_fjson__subcmd__man_commands() {
    local commands; commands=()
    _describe -t commands 'fjson man commands' commands "$@"
}
(( $+functions[_fjson__subcmd__minify_commands] )) ||
_fjson__subcmd__minify_commands() {
    local commands; commands=()
    _describe -t commands 'fjson minify commands' commands "$@"
}
(( $+functions[_fjson__subcmd__pretty_commands] )) ||
_fjson__subcmd__pretty_commands() {
    local commands; commands=()
    _describe -t commands 'fjson pretty commands' commands "$@"
}
(( $+functions[_fjson__subcmd__query_commands] )) ||
_fjson__subcmd__query_commands() {
    local commands; commands=()
    _describe -t commands 'fjson query commands' commands "$@"
}
(( $+functions[_fjson__subcmd__stats_commands] )) ||
_fjson__subcmd__stats_commands() {
    local commands; commands=()
    _describe -t commands 'fjson stats commands' commands "$@"
}
(( $+functions[_fjson__subcmd__validate_commands] )) ||
_fjson__subcmd__validate_commands() {
    local commands; commands=()
    _describe -t commands 'fjson validate commands' commands "$@"
}

if [ "$funcstack[1]" = "_fjson" ]; then
    _fjson "$@"
else
    compdef _fjson fjson
fi
