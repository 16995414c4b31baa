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
'-h[Print help\: -h the options that are needed most, --help everything]' \
'--help[Print help\: -h the options that are needed most, --help everything]' \
'-V[Print the version and the kernels available on this machine]' \
'--version[Print the version and the kernels available on this machine]' \
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
'*--schema-dir=[Look for referenced schemas in DIR, by their \$id or their path]:DIR:_files -/' \
'--schema-at=[Use the schema at this JSON Pointer inside the file of --schema]:POINTER:_default' \
'--draft=[Draft of schemas without \$schema\: 4, 6, 7, 2019-09 or 2020-12]:DRAFT:(4 6 7 2019-09 2020-12)' \
'--formats=[Whether strings must have their format\: assert or ignore]:WHAT:(assert ignore)' \
'--files0-from=[Like --files-from, but with a NUL after each name]:FILE:_files' \
'*-g+[In directories, include only files that match GLOB]:GLOB:_default' \
'*--glob=[In directories, include only files that match GLOB]:GLOB:_default' \
'(--stream --seq)--skip-prefix=[Start each record at its first { or \[, after other text]::START:(bracket object)' \
'--bom=[What to do with a byte order mark in UTF-8]:WHAT:(error accept strip)' \
'--encoding=[Encoding of the inputs\: utf-8, or that of their byte order mark]:NAME:(utf-8 auto)' \
'--max-bytes=[Reject compressed inputs that expand to more than N bytes]:N:_default' \
'(--splits-from --jsonc)--range=[Read only the records that begin in a part of each input]:RANGE:_default' \
'(--jsonc)--splits-from=[Read the parts of files that are listed in FILE]:FILE:_files' \
'--max-depth=[Reject documents that are nested more than N levels deep]:N:_default' \
'--threads=[Use up to N threads]:N:_default' \
'--kernel=[Kernel to use\: auto, or one of those listed by --version]:NAME:_default' \
'--format=[Format of the report]:FORM:(human concise json jsonl github gitlab sarif junit)' \
'--max-errors=[Show at most N errors; 0 shows all]:N:_default' \
'--color=[When to use colors, in the report and in documents on standard output]:WHEN:(auto always never)' \
'*--schema=[Validate the inputs against a JSON Schema]:[GLOB=]FILE:_files' \
'--files-from=[Read the names of inputs from FILE, one per line]:FILE:_files' \
'-h[Print help\: -h the options that are needed most, --help everything]' \
'--help[Print help\: -h the options that are needed most, --help everything]' \
'-V[Print the version and the kernels available on this machine]' \
'--version[Print the version and the kernels available on this machine]' \
'(--schema --schema-from-instance --schema-at)--check-schema[Check that the inputs are JSON Schemas]' \
'--lines[Read one document per line (JSON Lines, NDJSON)]' \
'--stream[Read concatenated documents]' \
'--seq[Read JSON text sequences (RFC 7464)]' \
'-L[In directories, follow symbolic links to directories, too]' \
'--follow[In directories, follow symbolic links to directories, too]' \
'--hidden[In directories, include hidden files]' \
'--no-ignore[In directories, include files that .ignore or .gitignore excludes]' \
'--jsonc[Accept comments and trailing commas (JSONC)]' \
'--no-jsonc[Accept no comments in any file]' \
'--no-mmap[Read regular files instead of memory-mapping them]' \
'(-v --verbose --format)-q[Do not report invalid documents; check the exit status]' \
'(-v --verbose --format)--quiet[Do not report invalid documents; check the exit status]' \
'-v[Print what was read, how fast, and with which kernel]' \
'--verbose[Print what was read, how fast, and with which kernel]' \
'(--schema --schema-at)--schema-from-instance[Validate each document against the schema that its member \$schema names]' \
'--unique-keys[Reject objects with duplicate keys]' \
'--ijson[Reject documents that are not I-JSON (RFC 7493)]' \
'*::files -- Files or directories, or - for standard input (the default):_files' \
&& ret=0
;;
(minify)
_arguments "${_arguments_options[@]}" : \
'-o+[Write to FILE]:FILE:_files' \
'--output=[Write to FILE]:FILE:_files' \
'*--escape=[Write characters in strings as \\u escapes, or none]:WHAT:(none ascii html js)' \
'--max-memory=[Limit on the memory for sorting one object, in bytes]:SIZE:_default' \
'*--schema=[Validate the inputs against a JSON Schema]:[GLOB=]FILE:_files' \
'*--schema-dir=[Look for referenced schemas in DIR, by their \$id or their path]:DIR:_files -/' \
'--schema-at=[Use the schema at this JSON Pointer inside the file of --schema]:POINTER:_default' \
'--draft=[Draft of schemas without \$schema\: 4, 6, 7, 2019-09 or 2020-12]:DRAFT:(4 6 7 2019-09 2020-12)' \
'--formats=[Whether strings must have their format\: assert or ignore]:WHAT:(assert ignore)' \
'--files-from=[Read the names of inputs from FILE, one per line]:FILE:_files' \
'--files0-from=[Like --files-from, but with a NUL after each name]:FILE:_files' \
'*-g+[In directories, include only files that match GLOB]:GLOB:_default' \
'*--glob=[In directories, include only files that match GLOB]:GLOB:_default' \
'(--stream --seq)--skip-prefix=[Start each record at its first { or \[, after other text]::START:(bracket object)' \
'--bom=[What to do with a byte order mark in UTF-8]:WHAT:(error accept strip)' \
'--encoding=[Encoding of the inputs\: utf-8, or that of their byte order mark]:NAME:(utf-8 auto)' \
'--max-bytes=[Reject compressed inputs that expand to more than N bytes]:N:_default' \
'(--splits-from --jsonc)--range=[Read only the records that begin in a part of each input]:RANGE:_default' \
'(--jsonc)--splits-from=[Read the parts of files that are listed in FILE]:FILE:_files' \
'--max-depth=[Reject documents that are nested more than N levels deep]:N:_default' \
'--threads=[Use up to N threads]:N:_default' \
'--kernel=[Kernel to use\: auto, or one of those listed by --version]:NAME:_default' \
'--format=[Format of the report]:FORM:(human concise json jsonl github gitlab sarif junit)' \
'--max-errors=[Show at most N errors; 0 shows all]:N:_default' \
'--color=[When to use colors, in the report and in documents on standard output]:WHEN:(auto always never)' \
'-h[Print help\: -h the options that are needed most, --help everything]' \
'--help[Print help\: -h the options that are needed most, --help everything]' \
'-V[Print the version and the kernels available on this machine]' \
'--version[Print the version and the kernels available on this machine]' \
'(-o --output -L --follow)-i[Edit files in place]' \
'(-o --output -L --follow)--in-place[Edit files in place]' \
'-S[Sort the members of each object by key]' \
'--sort-keys[Sort the members of each object by key]' \
'--natural[Sort keys without regard to case, and numbers in them by value]' \
'(--escape -S --sort-keys --natural)--canonical[Write the canonical form of RFC 8785 (JCS)]' \
'--newline[End the output of each input with a newline]' \
'(--schema --schema-at)--schema-from-instance[Validate each document against the schema that its member \$schema names]' \
'--lines[Read one document per line (JSON Lines, NDJSON)]' \
'--stream[Read concatenated documents]' \
'--seq[Read JSON text sequences (RFC 7464)]' \
'-L[In directories, follow symbolic links to directories, too]' \
'--follow[In directories, follow symbolic links to directories, too]' \
'--hidden[In directories, include hidden files]' \
'--no-ignore[In directories, include files that .ignore or .gitignore excludes]' \
'--jsonc[Accept comments and trailing commas (JSONC)]' \
'--no-jsonc[Accept no comments in any file]' \
'--no-mmap[Read regular files instead of memory-mapping them]' \
'--unique-keys[Reject objects with duplicate keys]' \
'--ijson[Reject documents that are not I-JSON (RFC 7493)]' \
'(-v --verbose --format)-q[Do not report invalid documents; check the exit status]' \
'(-v --verbose --format)--quiet[Do not report invalid documents; check the exit status]' \
'-v[Print what was read, how fast, and with which kernel]' \
'--verbose[Print what was read, how fast, and with which kernel]' \
'*::files -- Files or directories, or - for standard input (the default):_files' \
&& ret=0
;;
(pretty)
_arguments "${_arguments_options[@]}" : \
'--indent=[Indent with N spaces per level, 0 to 16]:N:_default' \
'--width=[Write containers on one line if it has at most N columns]:N:_default' \
'-o+[Write to FILE]:FILE:_files' \
'--output=[Write to FILE]:FILE:_files' \
'*--escape=[Write characters in strings as \\u escapes, or none]:WHAT:(none ascii html js)' \
'--max-memory=[Limit on the memory for sorting one object, in bytes]:SIZE:_default' \
'*--schema=[Validate the inputs against a JSON Schema]:[GLOB=]FILE:_files' \
'*--schema-dir=[Look for referenced schemas in DIR, by their \$id or their path]:DIR:_files -/' \
'--schema-at=[Use the schema at this JSON Pointer inside the file of --schema]:POINTER:_default' \
'--draft=[Draft of schemas without \$schema\: 4, 6, 7, 2019-09 or 2020-12]:DRAFT:(4 6 7 2019-09 2020-12)' \
'--formats=[Whether strings must have their format\: assert or ignore]:WHAT:(assert ignore)' \
'--files-from=[Read the names of inputs from FILE, one per line]:FILE:_files' \
'--files0-from=[Like --files-from, but with a NUL after each name]:FILE:_files' \
'*-g+[In directories, include only files that match GLOB]:GLOB:_default' \
'*--glob=[In directories, include only files that match GLOB]:GLOB:_default' \
'(--stream --seq)--skip-prefix=[Start each record at its first { or \[, after other text]::START:(bracket object)' \
'--bom=[What to do with a byte order mark in UTF-8]:WHAT:(error accept strip)' \
'--encoding=[Encoding of the inputs\: utf-8, or that of their byte order mark]:NAME:(utf-8 auto)' \
'--max-bytes=[Reject compressed inputs that expand to more than N bytes]:N:_default' \
'--max-depth=[Reject documents that are nested more than N levels deep]:N:_default' \
'--threads=[Use up to N threads]:N:_default' \
'--kernel=[Kernel to use\: auto, or one of those listed by --version]:NAME:_default' \
'--format=[Format of the report]:FORM:(human concise json jsonl github gitlab sarif junit)' \
'--max-errors=[Show at most N errors; 0 shows all]:N:_default' \
'--color=[When to use colors, in the report and in documents on standard output]:WHEN:(auto always never)' \
'-h[Print help\: -h the options that are needed most, --help everything]' \
'--help[Print help\: -h the options that are needed most, --help everything]' \
'-V[Print the version and the kernels available on this machine]' \
'--version[Print the version and the kernels available on this machine]' \
'--strip[Leave out the comments of JSON with comments]' \
'(--indent)--tab[Indent with one tab per level]' \
'--compact-arrays[Write arrays without objects and arrays in them on one line]' \
'(-o --output -L --follow)-i[Edit files in place]' \
'(-o --output -L --follow)--in-place[Edit files in place]' \
'(-o --output -i --in-place)--check[List the inputs that are not formatted]' \
'-S[Sort the members of each object by key]' \
'--sort-keys[Sort the members of each object by key]' \
'--natural[Sort keys without regard to case, and numbers in them by value]' \
'(--schema --schema-at)--schema-from-instance[Validate each document against the schema that its member \$schema names]' \
'--lines[Read one document per line (JSON Lines, NDJSON)]' \
'--stream[Read concatenated documents]' \
'--seq[Read JSON text sequences (RFC 7464)]' \
'-L[In directories, follow symbolic links to directories, too]' \
'--follow[In directories, follow symbolic links to directories, too]' \
'--hidden[In directories, include hidden files]' \
'--no-ignore[In directories, include files that .ignore or .gitignore excludes]' \
'--jsonc[Accept comments and trailing commas (JSONC)]' \
'--no-jsonc[Accept no comments in any file]' \
'--no-mmap[Read regular files instead of memory-mapping them]' \
'--unique-keys[Reject objects with duplicate keys]' \
'--ijson[Reject documents that are not I-JSON (RFC 7493)]' \
'(-v --verbose --format)-q[Do not report invalid documents; check the exit status]' \
'(-v --verbose --format)--quiet[Do not report invalid documents; check the exit status]' \
'-v[Print what was read, how fast, and with which kernel]' \
'--verbose[Print what was read, how fast, and with which kernel]' \
'*::files -- Files or directories, or - for standard input (the default):_files' \
&& ret=0
;;
(query)
_arguments "${_arguments_options[@]}" : \
'*-p+[Search for EXPR; may be repeated]:EXPR:_default' \
'*--expr=[Search for EXPR; may be repeated]:EXPR:_default' \
'--where=[Search only documents for which CONDITION is true]:CONDITION:_default' \
'--limit=[Stop after N matches, or N rows of --csv and --tsv]:N:_default' \
'--order=[Order of the matches]:ORDER:(rfc document)' \
'--null=[Print TEXT for null and missing values in rows]:TEXT:_default' \
'(--offsets)--rows=[Make rows of the values that EXPR selects]:EXPR:_default' \
'(--offsets)--columns=[Make a column of each key of the rows]:WHICH:(auto)' \
'*--schema=[Validate the inputs against a JSON Schema]:[GLOB=]FILE:_files' \
'*--schema-dir=[Look for referenced schemas in DIR, by their \$id or their path]:DIR:_files -/' \
'--schema-at=[Use the schema at this JSON Pointer inside the file of --schema]:POINTER:_default' \
'--draft=[Draft of schemas without \$schema\: 4, 6, 7, 2019-09 or 2020-12]:DRAFT:(4 6 7 2019-09 2020-12)' \
'--formats=[Whether strings must have their format\: assert or ignore]:WHAT:(assert ignore)' \
'--files-from=[Read the names of inputs from FILE, one per line]:FILE:_files' \
'--files0-from=[Like --files-from, but with a NUL after each name]:FILE:_files' \
'(--stream --seq)--skip-prefix=[Start each record at its first { or \[, after other text]::START:(bracket object)' \
'--bom=[What to do with a byte order mark in UTF-8]:WHAT:(error accept strip)' \
'--encoding=[Encoding of the inputs\: utf-8, or that of their byte order mark]:NAME:(utf-8 auto)' \
'--max-bytes=[Reject compressed inputs that expand to more than N bytes]:N:_default' \
'(--splits-from --jsonc)--range=[Read only the records that begin in a part of each input]:RANGE:_default' \
'(--jsonc)--splits-from=[Read the parts of files that are listed in FILE]:FILE:_files' \
'--bad-records=[Write the records that --skip-bad skips to FILE]:FILE:_files' \
'--max-depth=[Reject documents that are nested more than N levels deep]:N:_default' \
'--threads=[Use up to N threads]:N:_default' \
'--kernel=[Kernel to use\: auto, or one of those listed by --version]:NAME:_default' \
'--max-errors=[Show at most N errors; 0 shows all]:N:_default' \
'--color=[When to use colors, in the report and in documents on standard output]:WHEN:(auto always never)' \
'*-g+[In directories, include only files that match GLOB]:GLOB:_default' \
'*--glob=[In directories, include only files that match GLOB]:GLOB:_default' \
'--format=[Format of the report]:FORM:(human concise json jsonl github gitlab sarif junit)' \
'-h[Print help\: -h the options that are needed most, --help everything]' \
'--help[Print help\: -h the options that are needed most, --help everything]' \
'-V[Print the version and the kernels available on this machine]' \
'--version[Print the version and the kernels available on this machine]' \
'--regex[Let \`match()\` and \`search()\` take any regular expression]' \
'(--limit)--first[Stop after the first match, or the first row]' \
'--allow-empty[Exit with 0 if there is no match]' \
'(--skip-bad --stream --max-depth --unique-keys --ijson --schema --schema-from-instance)--trust[Validate only the matches]' \
'-r[Print strings without quotes and escapes]' \
'--raw[Print strings without quotes and escapes]' \
'--replace-surrogates[Print U+FFFD for lone surrogates in strings without escapes]' \
'(--csv --tsv -r --raw --raw-bytes --pretty -0 --null-data --array --assignments --paths --pointers --offsets --first --limit)--count[Print the number of matches, on one line per EXPR]' \
'(-r --raw --raw-bytes -0 --null-data)--array[Print all matches as one JSON array]' \
'--pretty[Indent matches]' \
'(-r --raw --raw-bytes --pretty -0 --null-data --array --assignments --paths --pointers)--csv[Print a row of comma-separated values per document]' \
'(-r --raw --raw-bytes --pretty -0 --null-data --array --assignments --paths --pointers)--tsv[Print a row of tab-separated values per document]' \
'--header[Print the names of the columns as the first row]' \
'(--tsv)--quote-strings[Quote all strings in CSV]' \
'(--tsv)--excel[Write CSV for Excel]' \
'(--array)-H[Print the name of the input before each match]' \
'(--array)--with-filename[Print the name of the input before each match]' \
'--no-filename[Do not print the names of the inputs, the default]' \
'(-r --raw --raw-bytes --pretty --array)--paths[Print the location of each match as a path]' \
'(-r --raw --raw-bytes --pretty --array)--pointers[Print the location of each match as a JSON Pointer]' \
'(-r --raw --raw-bytes --pretty --array)--offsets[Print the location of each match as byte offsets]' \
'(-r --raw --raw-bytes --pretty --array --paths --pointers --offsets)--assignments[Print each match as a line with its path and value]' \
'-0[Print a NUL instead of a newline after each match]' \
'--null-data[Print a NUL instead of a newline after each match]' \
'(--pretty)--raw-bytes[Print matches byte for byte, including line breaks]' \
'(--schema --schema-at)--schema-from-instance[Validate each document against the schema that its member \$schema names]' \
'--lines[Read one document per line (JSON Lines, NDJSON)]' \
'--seq[Read JSON text sequences (RFC 7464)]' \
'-L[In directories, follow symbolic links to directories, too]' \
'--follow[In directories, follow symbolic links to directories, too]' \
'--hidden[In directories, include hidden files]' \
'--no-ignore[In directories, include files that .ignore or .gitignore excludes]' \
'--jsonc[Accept comments and trailing commas (JSONC)]' \
'--no-jsonc[Accept no comments in any file]' \
'--no-mmap[Read regular files instead of memory-mapping them]' \
'(--range --splits-from)--single[Read one document per input]' \
'(--schema --schema-from-instance)--skip-bad[Skip invalid records of --lines and --seq]' \
'--unique-keys[Reject objects with duplicate keys]' \
'--ijson[Reject documents that are not I-JSON (RFC 7493)]' \
'-v[Print what was read, how fast, and with which kernel]' \
'--verbose[Print what was read, how fast, and with which kernel]' \
'--stream[Read concatenated documents]' \
'(-v --verbose --format)-q[Do not report invalid documents; check the exit status]' \
'(-v --verbose --format)--quiet[Do not report invalid documents; check the exit status]' \
'::expression -- JSONPath or JSON Pointer; with -p or --columns, this is another FILE:_default' \
'*::files -- Files or directories, or - for standard input (the default):_files' \
&& ret=0
;;
(jq)
_arguments "${_arguments_options[@]}" : \
'*-L+[Search modules in DIR]:DIR:_files -/' \
'*--library-path=[Search modules in DIR]:DIR:_files -/' \
'*--arg=[Set \$NAME to a string]:NAME:_default:NAME:_default' \
'*--argjson=[Set \$NAME to a JSON value]:NAME:_default:NAME:_default' \
'*--slurpfile=[Set \$NAME to an array of the documents in FILE]:NAME:_files:NAME:_files' \
'*--rawfile=[Set \$NAME to the text of FILE]:NAME:_files:NAME:_files' \
'*--bom=[What to do with a byte order mark in UTF-8\: error, accept or strip]:WHAT:_default' \
'*--encoding=[Encoding of the inputs\: utf-8, or auto for that of their byte order mark]:NAME:_default' \
'*--max-bytes=[Reject compressed inputs that expand to more than N bytes]:N:_default' \
'*--indent=[Indent with N spaces per level, 0 to 7; 0 breaks lines without indenting them]:N:_default' \
'*-o+[Write to FILE]:FILE:_files' \
'*--output=[Write to FILE]:FILE:_files' \
'*--max-depth=[Reject documents that are nested more than N levels deep]:N:_default' \
'*--max-memory=[End a program whose values need more memory; the default is 4G]:SIZE:_default' \
'*--max-steps=[End a program after N calls and iterations for one input]:N:_default' \
'*--max-time=[End a program that takes longer for one input]:SECONDS:_default' \
'*--threads=[Use up to N threads; 0, the default, uses one per processor]:N:_default' \
'*--kernel=[Kernel to use\: auto, or one of those listed by fjson --version]:NAME:_default' \
'-h[Print help\: -h the options that are needed most, --help everything]' \
'--help[Print help\: -h the options that are needed most, --help everything]' \
'-V[Print the version and the kernels available on this machine]' \
'--version[Print the version and the kernels available on this machine]' \
'-f[The first operand names a file with the program]' \
'--from-file[The first operand names a file with the program]' \
'--args[Take the operands after it as strings\: \$ARGS.positional]' \
'--jsonargs[Take the operands after it as JSON values\: \$ARGS.positional]' \
'--sandbox[Run an untrusted program]' \
'-n[Run once with null; \`inputs\` reads the inputs]' \
'--null-input[Run once with null; \`inputs\` reads the inputs]' \
'-R[Read each line as a string]' \
'--raw-input[Read each line as a string]' \
'-s[Read all documents into one array]' \
'--slurp[Read all documents into one array]' \
'--stream[Read documents as events\: \[path, value\], in bounded memory]' \
'--stream-errors[Like --stream, with errors of the input as events\: \[message, path\]]' \
'--seq[Read and write JSON text sequences (RFC 7464)]' \
'--lines[Read one document per line (JSON Lines, NDJSON)]' \
'--skip-bad[Skip invalid lines, and print their number]' \
'--jsonc[Accept comments and trailing commas (JSONC)]' \
'--no-jsonc[Accept no comments in any file]' \
'--no-mmap[Read regular files instead of memory-mapping them]' \
'-c[Write each output on one line]' \
'--compact-output[Write each output on one line]' \
'-r[Write strings without quotes and escapes]' \
'--raw-output[Write strings without quotes and escapes]' \
'--raw-output0[Like -r, with a NUL after each output instead of a newline]' \
'-j[Like -r, without newlines between outputs]' \
'--join-output[Like -r, without newlines between outputs]' \
'-a[Escape all characters that are not ASCII]' \
'--ascii-output[Escape all characters that are not ASCII]' \
'-S[Sort the keys of each object]' \
'--sort-keys[Sort the keys of each object]' \
'-C[Write colors even if the output is not a terminal]' \
'--color-output[Write colors even if the output is not a terminal]' \
'-M[Write no colors]' \
'--monochrome-output[Write no colors]' \
'--tab[Indent with one tab per level]' \
'--with-filename[Write the name of the input before each output]' \
'--unbuffered[Write each output at once]' \
'-i[Replace each file by its outputs]' \
'--in-place[Replace each file by its outputs]' \
'-b[Accepted for jq; data is never converted]' \
'--binary[Accepted for jq; data is never converted]' \
'-e[Set the exit status by the last output]' \
'--exit-status[Set the exit status by the last output]' \
'--build-configuration[Print how the program was built]' \
'::FILTER -- The program; . if it is left out and standard input or output is no terminal:_default' \
'*::FILE -- Files, or - for standard input (the default):_files' \
&& ret=0
;;
(edit)
_arguments "${_arguments_options[@]}" : \
'*--set=[Set values, or add a member or element]:PATH::PATH:' \
'*--set-string=[Set strings, without quotes or escapes]:PATH::PATH:' \
'*--set-file=[Set values to the document in FILE]:PATH:_files:PATH:_files' \
'*--insert=[Insert a value before an element]:PATH::PATH:' \
'*--append=[Add an element to the end of arrays]:PATH::PATH:' \
'*--delete=[Delete members and elements]:PATH:' \
'*--rename=[Give members another key]:PATH::PATH:' \
'*--move=[Move a value]:FROM::FROM:' \
'*--copy=[Copy a value]:FROM::FROM:' \
'*--test=[Fail unless values are equal to JSON]:PATH::PATH:' \
'-o+[Write to FILE]:FILE:_files' \
'--output=[Write to FILE]:FILE:_files' \
'--indent=[Indent new items with N spaces per level if the document has no lines]:N:_default' \
'--max-memory=[Limit on the length of a document before and after the changes, in bytes]:SIZE:_default' \
'--files-from=[Read the names of inputs from FILE, one per line]:FILE:_files' \
'--files0-from=[Like --files-from, but with a NUL after each name]:FILE:_files' \
'*-g+[In directories, include only files that match GLOB]:GLOB:_default' \
'*--glob=[In directories, include only files that match GLOB]:GLOB:_default' \
'(--stream --seq)--skip-prefix=[Start each record at its first { or \[, after other text]::START:(bracket object)' \
'--bom=[What to do with a byte order mark in UTF-8]:WHAT:(error accept strip)' \
'--encoding=[Encoding of the inputs\: utf-8, or that of their byte order mark]:NAME:(utf-8 auto)' \
'--max-bytes=[Reject compressed inputs that expand to more than N bytes]:N:_default' \
'--max-depth=[Reject documents that are nested more than N levels deep]:N:_default' \
'--threads=[Use up to N threads]:N:_default' \
'--kernel=[Kernel to use\: auto, or one of those listed by --version]:NAME:_default' \
'--format=[Format of the report]:FORM:(human concise json jsonl github gitlab sarif junit)' \
'--max-errors=[Show at most N errors; 0 shows all]:N:_default' \
'--color=[When to use colors, in the report and in documents on standard output]:WHEN:(auto always never)' \
'-h[Print help\: -h the options that are needed most, --help everything]' \
'--help[Print help\: -h the options that are needed most, --help everything]' \
'-V[Print the version and the kernels available on this machine]' \
'--version[Print the version and the kernels available on this machine]' \
'--parents[Create missing objects and arrays]' \
'--missing-ok[Leave out changes whose target does not exist]' \
'(-o --output -L --follow)-i[Edit files in place]' \
'(-o --output -L --follow)--in-place[Edit files in place]' \
'(-o --output -i --in-place)--check[List the inputs that would change]' \
'--lines[Read one document per line (JSON Lines, NDJSON)]' \
'--stream[Read concatenated documents]' \
'--seq[Read JSON text sequences (RFC 7464)]' \
'-L[In directories, follow symbolic links to directories, too]' \
'--follow[In directories, follow symbolic links to directories, too]' \
'--hidden[In directories, include hidden files]' \
'--no-ignore[In directories, include files that .ignore or .gitignore excludes]' \
'--jsonc[Accept comments and trailing commas (JSONC)]' \
'--no-jsonc[Accept no comments in any file]' \
'--no-mmap[Read regular files instead of memory-mapping them]' \
'--unique-keys[Reject objects with duplicate keys]' \
'--ijson[Reject documents that are not I-JSON (RFC 7493)]' \
'(-v --verbose --format)-q[Do not report invalid documents; check the exit status]' \
'(-v --verbose --format)--quiet[Do not report invalid documents; check the exit status]' \
'-v[Print what was read, how fast, and with which kernel]' \
'--verbose[Print what was read, how fast, and with which kernel]' \
'*::files -- Files or directories, or - for standard input (the default):_files' \
&& ret=0
;;
(set)
_arguments "${_arguments_options[@]}" : \
'-o+[Write to FILE]:FILE:_files' \
'--output=[Write to FILE]:FILE:_files' \
'--indent=[Indent new items with N spaces per level if the document has no lines]:N:_default' \
'--max-memory=[Limit on the length of a document before and after the changes, in bytes]:SIZE:_default' \
'--files-from=[Read the names of inputs from FILE, one per line]:FILE:_files' \
'--files0-from=[Like --files-from, but with a NUL after each name]:FILE:_files' \
'*-g+[In directories, include only files that match GLOB]:GLOB:_default' \
'*--glob=[In directories, include only files that match GLOB]:GLOB:_default' \
'(--stream --seq)--skip-prefix=[Start each record at its first { or \[, after other text]::START:(bracket object)' \
'--bom=[What to do with a byte order mark in UTF-8]:WHAT:(error accept strip)' \
'--encoding=[Encoding of the inputs\: utf-8, or that of their byte order mark]:NAME:(utf-8 auto)' \
'--max-bytes=[Reject compressed inputs that expand to more than N bytes]:N:_default' \
'--max-depth=[Reject documents that are nested more than N levels deep]:N:_default' \
'--threads=[Use up to N threads]:N:_default' \
'--kernel=[Kernel to use\: auto, or one of those listed by --version]:NAME:_default' \
'--format=[Format of the report]:FORM:(human concise json jsonl github gitlab sarif junit)' \
'--max-errors=[Show at most N errors; 0 shows all]:N:_default' \
'--color=[When to use colors, in the report and in documents on standard output]:WHEN:(auto always never)' \
'-h[Print help\: -h the options that are needed most, --help everything]' \
'--help[Print help\: -h the options that are needed most, --help everything]' \
'-V[Print the version and the kernels available on this machine]' \
'--version[Print the version and the kernels available on this machine]' \
'-s[VALUE is the text of a string, not JSON]' \
'--string[VALUE is the text of a string, not JSON]' \
'--parents[Create missing objects and arrays]' \
'--missing-ok[Do not fail if there is nothing to set]' \
'(-o --output -L --follow)-i[Edit files in place]' \
'(-o --output -L --follow)--in-place[Edit files in place]' \
'(-o --output -i --in-place)--check[List the inputs that would change]' \
'--lines[Read one document per line (JSON Lines, NDJSON)]' \
'--stream[Read concatenated documents]' \
'--seq[Read JSON text sequences (RFC 7464)]' \
'-L[In directories, follow symbolic links to directories, too]' \
'--follow[In directories, follow symbolic links to directories, too]' \
'--hidden[In directories, include hidden files]' \
'--no-ignore[In directories, include files that .ignore or .gitignore excludes]' \
'--jsonc[Accept comments and trailing commas (JSONC)]' \
'--no-jsonc[Accept no comments in any file]' \
'--no-mmap[Read regular files instead of memory-mapping them]' \
'--unique-keys[Reject objects with duplicate keys]' \
'--ijson[Reject documents that are not I-JSON (RFC 7493)]' \
'(-v --verbose --format)-q[Do not report invalid documents; check the exit status]' \
'(-v --verbose --format)--quiet[Do not report invalid documents; check the exit status]' \
'-v[Print what was read, how fast, and with which kernel]' \
'--verbose[Print what was read, how fast, and with which kernel]' \
':path -- JSON Pointer or JSONPath of the values to set:' \
':value -- The new value, as JSON:' \
'*::files -- Files or directories, or - for standard input (the default):_files' \
&& ret=0
;;
(delete)
_arguments "${_arguments_options[@]}" : \
'*-p+[Delete the values of PATH, too]:PATH:' \
'*--path=[Delete the values of PATH, too]:PATH:' \
'-o+[Write to FILE]:FILE:_files' \
'--output=[Write to FILE]:FILE:_files' \
'--indent=[Indent new items with N spaces per level if the document has no lines]:N:_default' \
'--max-memory=[Limit on the length of a document before and after the changes, in bytes]:SIZE:_default' \
'--files-from=[Read the names of inputs from FILE, one per line]:FILE:_files' \
'--files0-from=[Like --files-from, but with a NUL after each name]:FILE:_files' \
'*-g+[In directories, include only files that match GLOB]:GLOB:_default' \
'*--glob=[In directories, include only files that match GLOB]:GLOB:_default' \
'(--stream --seq)--skip-prefix=[Start each record at its first { or \[, after other text]::START:(bracket object)' \
'--bom=[What to do with a byte order mark in UTF-8]:WHAT:(error accept strip)' \
'--encoding=[Encoding of the inputs\: utf-8, or that of their byte order mark]:NAME:(utf-8 auto)' \
'--max-bytes=[Reject compressed inputs that expand to more than N bytes]:N:_default' \
'--max-depth=[Reject documents that are nested more than N levels deep]:N:_default' \
'--threads=[Use up to N threads]:N:_default' \
'--kernel=[Kernel to use\: auto, or one of those listed by --version]:NAME:_default' \
'--format=[Format of the report]:FORM:(human concise json jsonl github gitlab sarif junit)' \
'--max-errors=[Show at most N errors; 0 shows all]:N:_default' \
'--color=[When to use colors, in the report and in documents on standard output]:WHEN:(auto always never)' \
'-h[Print help\: -h the options that are needed most, --help everything]' \
'--help[Print help\: -h the options that are needed most, --help everything]' \
'-V[Print the version and the kernels available on this machine]' \
'--version[Print the version and the kernels available on this machine]' \
'--missing-ok[Do not fail if there is nothing to delete]' \
'(-o --output -L --follow)-i[Edit files in place]' \
'(-o --output -L --follow)--in-place[Edit files in place]' \
'(-o --output -i --in-place)--check[List the inputs that would change]' \
'--lines[Read one document per line (JSON Lines, NDJSON)]' \
'--stream[Read concatenated documents]' \
'--seq[Read JSON text sequences (RFC 7464)]' \
'-L[In directories, follow symbolic links to directories, too]' \
'--follow[In directories, follow symbolic links to directories, too]' \
'--hidden[In directories, include hidden files]' \
'--no-ignore[In directories, include files that .ignore or .gitignore excludes]' \
'--jsonc[Accept comments and trailing commas (JSONC)]' \
'--no-jsonc[Accept no comments in any file]' \
'--no-mmap[Read regular files instead of memory-mapping them]' \
'--unique-keys[Reject objects with duplicate keys]' \
'--ijson[Reject documents that are not I-JSON (RFC 7493)]' \
'(-v --verbose --format)-q[Do not report invalid documents; check the exit status]' \
'(-v --verbose --format)--quiet[Do not report invalid documents; check the exit status]' \
'-v[Print what was read, how fast, and with which kernel]' \
'--verbose[Print what was read, how fast, and with which kernel]' \
':path -- JSON Pointer or JSONPath of the values to delete:' \
'*::files -- Files or directories, or - for standard input (the default):_files' \
&& ret=0
;;
(patch)
_arguments "${_arguments_options[@]}" : \
'-o+[Write to FILE]:FILE:_files' \
'--output=[Write to FILE]:FILE:_files' \
'--indent=[Indent new items with N spaces per level if the document has no lines]:N:_default' \
'--max-memory=[Limit on the length of a document before and after the changes, in bytes]:SIZE:_default' \
'--files-from=[Read the names of inputs from FILE, one per line]:FILE:_files' \
'--files0-from=[Like --files-from, but with a NUL after each name]:FILE:_files' \
'*-g+[In directories, include only files that match GLOB]:GLOB:_default' \
'*--glob=[In directories, include only files that match GLOB]:GLOB:_default' \
'(--stream --seq)--skip-prefix=[Start each record at its first { or \[, after other text]::START:(bracket object)' \
'--bom=[What to do with a byte order mark in UTF-8]:WHAT:(error accept strip)' \
'--encoding=[Encoding of the inputs\: utf-8, or that of their byte order mark]:NAME:(utf-8 auto)' \
'--max-bytes=[Reject compressed inputs that expand to more than N bytes]:N:_default' \
'--max-depth=[Reject documents that are nested more than N levels deep]:N:_default' \
'--threads=[Use up to N threads]:N:_default' \
'--kernel=[Kernel to use\: auto, or one of those listed by --version]:NAME:_default' \
'--format=[Format of the report]:FORM:(human concise json jsonl github gitlab sarif junit)' \
'--max-errors=[Show at most N errors; 0 shows all]:N:_default' \
'--color=[When to use colors, in the report and in documents on standard output]:WHEN:(auto always never)' \
'-h[Print help\: -h the options that are needed most, --help everything]' \
'--help[Print help\: -h the options that are needed most, --help everything]' \
'-V[Print the version and the kernels available on this machine]' \
'--version[Print the version and the kernels available on this machine]' \
'(-o --output -L --follow)-i[Edit files in place]' \
'(-o --output -L --follow)--in-place[Edit files in place]' \
'(-o --output -i --in-place)--check[List the inputs that would change]' \
'--lines[Read one document per line (JSON Lines, NDJSON)]' \
'--stream[Read concatenated documents]' \
'--seq[Read JSON text sequences (RFC 7464)]' \
'-L[In directories, follow symbolic links to directories, too]' \
'--follow[In directories, follow symbolic links to directories, too]' \
'--hidden[In directories, include hidden files]' \
'--no-ignore[In directories, include files that .ignore or .gitignore excludes]' \
'--jsonc[Accept comments and trailing commas (JSONC)]' \
'--no-jsonc[Accept no comments in any file]' \
'--no-mmap[Read regular files instead of memory-mapping them]' \
'--unique-keys[Reject objects with duplicate keys]' \
'--ijson[Reject documents that are not I-JSON (RFC 7493)]' \
'(-v --verbose --format)-q[Do not report invalid documents; check the exit status]' \
'(-v --verbose --format)--quiet[Do not report invalid documents; check the exit status]' \
'-v[Print what was read, how fast, and with which kernel]' \
'--verbose[Print what was read, how fast, and with which kernel]' \
':patch -- File with a JSON Patch, or - for standard input:_files' \
'*::files -- Files or directories, or - for standard input (the default):_files' \
&& ret=0
;;
(merge)
_arguments "${_arguments_options[@]}" : \
'-o+[Write to FILE]:FILE:_files' \
'--output=[Write to FILE]:FILE:_files' \
'--indent=[Indent new items with N spaces per level if the document has no lines]:N:_default' \
'--max-memory=[Limit on the length of a document before and after the changes, in bytes]:SIZE:_default' \
'--files-from=[Read the names of inputs from FILE, one per line]:FILE:_files' \
'--files0-from=[Like --files-from, but with a NUL after each name]:FILE:_files' \
'*-g+[In directories, include only files that match GLOB]:GLOB:_default' \
'*--glob=[In directories, include only files that match GLOB]:GLOB:_default' \
'(--stream --seq)--skip-prefix=[Start each record at its first { or \[, after other text]::START:(bracket object)' \
'--bom=[What to do with a byte order mark in UTF-8]:WHAT:(error accept strip)' \
'--encoding=[Encoding of the inputs\: utf-8, or that of their byte order mark]:NAME:(utf-8 auto)' \
'--max-bytes=[Reject compressed inputs that expand to more than N bytes]:N:_default' \
'--max-depth=[Reject documents that are nested more than N levels deep]:N:_default' \
'--threads=[Use up to N threads]:N:_default' \
'--kernel=[Kernel to use\: auto, or one of those listed by --version]:NAME:_default' \
'--format=[Format of the report]:FORM:(human concise json jsonl github gitlab sarif junit)' \
'--max-errors=[Show at most N errors; 0 shows all]:N:_default' \
'--color=[When to use colors, in the report and in documents on standard output]:WHEN:(auto always never)' \
'-h[Print help\: -h the options that are needed most, --help everything]' \
'--help[Print help\: -h the options that are needed most, --help everything]' \
'-V[Print the version and the kernels available on this machine]' \
'--version[Print the version and the kernels available on this machine]' \
'(-o --output -L --follow)-i[Edit files in place]' \
'(-o --output -L --follow)--in-place[Edit files in place]' \
'(-o --output -i --in-place)--check[List the inputs that would change]' \
'--lines[Read one document per line (JSON Lines, NDJSON)]' \
'--stream[Read concatenated documents]' \
'--seq[Read JSON text sequences (RFC 7464)]' \
'-L[In directories, follow symbolic links to directories, too]' \
'--follow[In directories, follow symbolic links to directories, too]' \
'--hidden[In directories, include hidden files]' \
'--no-ignore[In directories, include files that .ignore or .gitignore excludes]' \
'--jsonc[Accept comments and trailing commas (JSONC)]' \
'--no-jsonc[Accept no comments in any file]' \
'--no-mmap[Read regular files instead of memory-mapping them]' \
'--unique-keys[Reject objects with duplicate keys]' \
'--ijson[Reject documents that are not I-JSON (RFC 7493)]' \
'(-v --verbose --format)-q[Do not report invalid documents; check the exit status]' \
'(-v --verbose --format)--quiet[Do not report invalid documents; check the exit status]' \
'-v[Print what was read, how fast, and with which kernel]' \
'--verbose[Print what was read, how fast, and with which kernel]' \
':patch -- File with a merge patch, or - for standard input:_files' \
'*::files -- Files or directories, or - for standard input (the default):_files' \
&& ret=0
;;
(diff)
_arguments "${_arguments_options[@]}" : \
'--format=[Form of the output\: text, or a patch]:FORM:(text patch merge jd)' \
'-U+[Show up to N equal items before and after each difference]:N:_default' \
'--context=[Show up to N equal items before and after each difference]:N:_default' \
'--color=[When to use colors]:WHEN:(auto always never)' \
'--array=[How to match elements\: lcs (the default), position, set or key=POINTER]:HOW:_default' \
'*--ignore=[Leave out the values at PATH, a JSON Pointer or JSONPath]:PATH:' \
'--tolerance=[Treat numbers as equal that differ by at most X]:X:_default' \
'(--array)--key=[Match records by their values at POINTER]:POINTER:' \
'--bom=[What to do with a byte order mark in UTF-8]:WHAT:(error accept strip)' \
'--encoding=[Encoding of the inputs\: utf-8, or that of their byte order mark]:NAME:(utf-8 auto)' \
'--max-bytes=[Reject compressed inputs that expand to more than N bytes]:N:_default' \
'--max-depth=[Reject documents that are nested more than N levels deep]:N:_default' \
'--kernel=[Kernel to use\: auto, or one of those listed by --version]:NAME:_default' \
'--threads=[Use up to N threads]:N:_default' \
'-h[Print help\: -h the options that are needed most, --help everything]' \
'--help[Print help\: -h the options that are needed most, --help everything]' \
'-V[Print the version and the kernels available on this machine]' \
'--version[Print the version and the kernels available on this machine]' \
'--full[Show whole values]' \
'-q[Print no differences; check the exit status]' \
'--quiet[Print no differences; check the exit status]' \
'--lines[Compare the records of JSON Lines (NDJSON)]' \
'--jsonc[Accept comments and trailing commas (JSONC)]' \
'--no-jsonc[Accept no comments in any file]' \
'--unique-keys[Reject objects with duplicate keys]' \
'--ijson[Reject documents that are not I-JSON (RFC 7493)]' \
':old -- The first document\: a file, or - for standard input:_files' \
':new -- The second document\: a file, or - for standard input:_files' \
&& ret=0
;;
(stats)
_arguments "${_arguments_options[@]}" : \
'--format=[Format of the statistics\: a table or one JSON document]:FORM:(table json)' \
'--top=[Show the N most frequent keys]:N:_default' \
'(--paths)--strictness=[With --infer-schema, how little else the schema accepts\: loose, normal or strict]:HOW:(loose normal strict)' \
'--levels=[With --paths or --infer-schema, describe at most N levels \[default\: 32\]]:N:_default' \
'--max-keys=[With --paths or --infer-schema, take objects with more than N different keys for maps \[default\: 50\]]:N:_default' \
'--files-from=[Read the names of inputs from FILE, one per line]:FILE:_files' \
'--files0-from=[Like --files-from, but with a NUL after each name]:FILE:_files' \
'*-g+[In directories, include only files that match GLOB]:GLOB:_default' \
'*--glob=[In directories, include only files that match GLOB]:GLOB:_default' \
'(--stream --seq)--skip-prefix=[Start each record at its first { or \[, after other text]::START:(bracket object)' \
'--bom=[What to do with a byte order mark in UTF-8]:WHAT:(error accept strip)' \
'--encoding=[Encoding of the inputs\: utf-8, or that of their byte order mark]:NAME:(utf-8 auto)' \
'--max-bytes=[Reject compressed inputs that expand to more than N bytes]:N:_default' \
'(--splits-from --jsonc)--range=[Read only the records that begin in a part of each input]:RANGE:_default' \
'(--jsonc)--splits-from=[Read the parts of files that are listed in FILE]:FILE:_files' \
'--max-depth=[Reject documents that are nested more than N levels deep]:N:_default' \
'--threads=[Use up to N threads]:N:_default' \
'--kernel=[Kernel to use\: auto, or one of those listed by --version]:NAME:_default' \
'--max-memory=[Limit on the memory for a single string or number, in bytes]:SIZE:_default' \
'--max-errors=[Show at most N errors; 0 shows all]:N:_default' \
'--color=[When to use colors in the report]:WHEN:(auto always never)' \
'-h[Print help\: -h the options that are needed most, --help everything]' \
'--help[Print help\: -h the options that are needed most, --help everything]' \
'-V[Print the version and the kernels available on this machine]' \
'--version[Print the version and the kernels available on this machine]' \
'(--top)--paths[Describe the structure instead\: all paths, and the values there]' \
'(--top --format)--infer-schema[Print a JSON Schema of the documents instead]' \
'--lines[Read one document per line (JSON Lines, NDJSON)]' \
'--stream[Read concatenated documents]' \
'--seq[Read JSON text sequences (RFC 7464)]' \
'-L[In directories, follow symbolic links to directories, too]' \
'--follow[In directories, follow symbolic links to directories, too]' \
'--hidden[In directories, include hidden files]' \
'--no-ignore[In directories, include files that .ignore or .gitignore excludes]' \
'--jsonc[Accept comments and trailing commas (JSONC)]' \
'--no-jsonc[Accept no comments in any file]' \
'--no-mmap[Read regular files instead of memory-mapping them]' \
'--unique-keys[Reject objects with duplicate keys]' \
'--ijson[Reject documents that are not I-JSON (RFC 7493)]' \
'(-v --verbose)-q[Do not report invalid documents; check the exit status]' \
'(-v --verbose)--quiet[Do not report invalid documents; check the exit status]' \
'-v[Print what was read, how fast, and with which kernel]' \
'--verbose[Print what was read, how fast, and with which kernel]' \
'*::files -- Files or directories, or - for standard input (the default):_files' \
&& ret=0
;;
(gzip)
_arguments "${_arguments_options[@]}" : \
'-o+[Write to FILE]:FILE:_files' \
'--output=[Write to FILE]:FILE:_files' \
'*--schema=[Validate the inputs against a JSON Schema]:[GLOB=]FILE:_files' \
'*--schema-dir=[Look for referenced schemas in DIR, by their \$id or their path]:DIR:_files -/' \
'--schema-at=[Use the schema at this JSON Pointer inside the file of --schema]:POINTER:_default' \
'--draft=[Draft of schemas without \$schema\: 4, 6, 7, 2019-09 or 2020-12]:DRAFT:(4 6 7 2019-09 2020-12)' \
'--formats=[Whether strings must have their format\: assert or ignore]:WHAT:(assert ignore)' \
'--files-from=[Read the names of inputs from FILE, one per line]:FILE:_files' \
'--files0-from=[Like --files-from, but with a NUL after each name]:FILE:_files' \
'*-g+[In directories, include only files that match GLOB]:GLOB:_default' \
'*--glob=[In directories, include only files that match GLOB]:GLOB:_default' \
'(--stream --seq)--skip-prefix=[Start each record at its first { or \[, after other text]::START:(bracket object)' \
'--bom=[What to do with a byte order mark in UTF-8]:WHAT:(error accept strip)' \
'--encoding=[Encoding of the inputs\: utf-8, or that of their byte order mark]:NAME:(utf-8 auto)' \
'--max-bytes=[Reject compressed inputs that expand to more than N bytes]:N:_default' \
'--max-depth=[Reject documents that are nested more than N levels deep]:N:_default' \
'--threads=[Use up to N threads]:N:_default' \
'--kernel=[Kernel to use\: auto, or one of those listed by --version]:NAME:_default' \
'--format=[Format of the report]:FORM:(human concise json jsonl github gitlab sarif junit)' \
'--max-errors=[Show at most N errors; 0 shows all]:N:_default' \
'--color=[When to use colors, in the report and in documents on standard output]:WHEN:(auto always never)' \
'-h[Print help\: -h the options that are needed most, --help everything]' \
'--help[Print help\: -h the options that are needed most, --help everything]' \
'-V[Print the version and the kernels available on this machine]' \
'--version[Print the version and the kernels available on this machine]' \
'-1[Fastest; -1 to -9 set the level, the default is -6]' \
'-2[]' \
'-3[]' \
'-4[]' \
'-5[]' \
'-6[]' \
'-7[]' \
'-8[]' \
'-9[Smallest]' \
'--keep-space[Keep the whitespace of the input]' \
'--rsyncable[Make the output suitable for rsync and backups]' \
'(-o --output)-c[Write to standard output]' \
'(-o --output)--stdout[Write to standard output]' \
'-f[Replace FILE.gz if it exists]' \
'--force[Replace FILE.gz if it exists]' \
'(--schema --schema-at)--schema-from-instance[Validate each document against the schema that its member \$schema names]' \
'--lines[Read one document per line (JSON Lines, NDJSON)]' \
'--stream[Read concatenated documents]' \
'--seq[Read JSON text sequences (RFC 7464)]' \
'-L[In directories, follow symbolic links to directories, too]' \
'--follow[In directories, follow symbolic links to directories, too]' \
'--hidden[In directories, include hidden files]' \
'--no-ignore[In directories, include files that .ignore or .gitignore excludes]' \
'--jsonc[Accept comments and trailing commas (JSONC)]' \
'--no-jsonc[Accept no comments in any file]' \
'--no-mmap[Read regular files instead of memory-mapping them]' \
'--unique-keys[Reject objects with duplicate keys]' \
'--ijson[Reject documents that are not I-JSON (RFC 7493)]' \
'(-v --verbose --format)-q[Do not report invalid documents; check the exit status]' \
'(-v --verbose --format)--quiet[Do not report invalid documents; check the exit status]' \
'-v[Print what was read, how fast, and with which kernel]' \
'--verbose[Print what was read, how fast, and with which kernel]' \
'*::files -- Files or directories, or - for standard input (the default):_files' \
&& ret=0
;;
(bench)
_arguments "${_arguments_options[@]}" : \
'*--operation=[Measure only this operation; may be repeated]:NAME:(validate profiles minify sort canonical pretty gzip query paths stats index read write)' \
'--query=[Expression for the operation query]:EXPR:_default' \
'--time=[Time to spend on each operation and kernel]:SECONDS:_default' \
'*--vs=[Time another program on the same file]:COMMAND:_default' \
'--baseline=[Compare with an earlier --export-json]:FILE:_files' \
'--corpus=[Search for the suites only in DIR]:DIR:_files -/' \
'*--require=[Fail if a suite is missing or incomplete]::SUITE:(json-test-suite nativejson jsonpath-cts json-schema jq)' \
'--format=[Format of the results]:FORM:(human json junit)' \
'--export-json=[Write the results and all samples to FILE as JSON]:FILE:_files' \
'--report=[Write an HTML page with charts to FILE]:FILE:_files' \
'(--suite --corpus --require --vs --baseline --export-json --report)--emit=[Write a generated document to standard output and exit]:SHAPE:(canada citm_catalog twitter users nesting ndjson)' \
'--size=[Approximate size of the document in bytes]:N:_default' \
'--files-from=[Read the names of inputs from FILE, one per line]:FILE:_files' \
'--files0-from=[Like --files-from, but with a NUL after each name]:FILE:_files' \
'(--stream --seq)--skip-prefix=[Start each record at its first { or \[, after other text]::START:(bracket object)' \
'--bom=[What to do with a byte order mark in UTF-8]:WHAT:(error accept strip)' \
'--encoding=[Encoding of the inputs\: utf-8, or that of their byte order mark]:NAME:(utf-8 auto)' \
'--max-bytes=[Reject compressed inputs that expand to more than N bytes]:N:_default' \
'--max-depth=[Reject documents that are nested more than N levels deep]:N:_default' \
'--threads=[Use up to N threads]:N:_default' \
'--kernel=[Kernel to use\: auto, or one of those listed by --version]:NAME:_default' \
'*-g+[In directories, include only files that match GLOB]:GLOB:_default' \
'*--glob=[In directories, include only files that match GLOB]:GLOB:_default' \
'-h[Print help\: -h the options that are needed most, --help everything]' \
'--help[Print help\: -h the options that are needed most, --help everything]' \
'-V[Print the version and the kernels available on this machine]' \
'--version[Print the version and the kernels available on this machine]' \
'(--kernel)--all-kernels[Measure all kernels that this machine supports]' \
'--suite[Run the conformance suites]' \
'(--format)-q[Print no results and no progress; check the exit status]' \
'(--format)--quiet[Print no results and no progress; check the exit status]' \
'--seq[Read JSON text sequences (RFC 7464)]' \
'-L[In directories, follow symbolic links to directories, too]' \
'--follow[In directories, follow symbolic links to directories, too]' \
'--hidden[In directories, include hidden files]' \
'--no-ignore[In directories, include files that .ignore or .gitignore excludes]' \
'--jsonc[Accept comments and trailing commas (JSONC)]' \
'--no-jsonc[Accept no comments in any file]' \
'--unique-keys[Reject objects with duplicate keys]' \
'--ijson[Reject documents that are not I-JSON (RFC 7493)]' \
'--no-mmap[Read regular files instead of memory-mapping them]' \
'--lines[Read one document per line (JSON Lines, NDJSON)]' \
'--stream[Read concatenated documents]' \
'*::files -- Files, directories or suites; the default is generated documents:_files' \
&& ret=0
;;
(man)
_arguments "${_arguments_options[@]}" : \
'-h[Print help\: -h the options that are needed most, --help everything]' \
'--help[Print help\: -h the options that are needed most, --help everything]' \
'-V[Print the version and the kernels available on this machine]' \
'--version[Print the version and the kernels available on this machine]' \
':directory -- Directory for fjson.1 and one page per command; created if it does not exist:_files -/' \
&& ret=0
;;
(completions)
_arguments "${_arguments_options[@]}" : \
'-h[Print help\: -h the options that are needed most, --help everything]' \
'--help[Print help\: -h the options that are needed most, --help everything]' \
'-V[Print the version and the kernels available on this machine]' \
'--version[Print the version and the kernels available on this machine]' \
':shell -- Shell to generate the script for:(bash elvish fish powershell zsh)' \
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
(jq)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(edit)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(set)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(delete)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(patch)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(merge)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(diff)
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
'minify:Validate and remove whitespace' \
'pretty:Validate and indent' \
'query:Print the values selected by a JSONPath or JSON Pointer' \
'jq:Run programs in the jq language' \
'edit:Change values, and leave all other bytes as they are' \
'set:Set a value' \
'delete:Delete members and elements' \
'patch:Apply a JSON Patch (RFC 6902)' \
'merge:Apply a merge patch (RFC 7396)' \
'diff:Compare two documents by value' \
'stats:Count types, sizes, keys and numbers' \
'gzip:Validate, minify and compress on all cores' \
'bench:Measure speed and run conformance suites' \
'man:Write the man pages to a directory' \
'completions:Print the completion script for a shell' \
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
(( $+functions[_fjson__subcmd__delete_commands] )) ||
_fjson__subcmd__delete_commands() {
    local commands; commands=()
    _describe -t commands 'fjson delete commands' commands "$@"
}
(( $+functions[_fjson__subcmd__diff_commands] )) ||
_fjson__subcmd__diff_commands() {
    local commands; commands=()
    _describe -t commands 'fjson diff commands' commands "$@"
}
(( $+functions[_fjson__subcmd__edit_commands] )) ||
_fjson__subcmd__edit_commands() {
    local commands; commands=()
    _describe -t commands 'fjson edit commands' commands "$@"
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
'minify:Validate and remove whitespace' \
'pretty:Validate and indent' \
'query:Print the values selected by a JSONPath or JSON Pointer' \
'jq:Run programs in the jq language' \
'edit:Change values, and leave all other bytes as they are' \
'set:Set a value' \
'delete:Delete members and elements' \
'patch:Apply a JSON Patch (RFC 6902)' \
'merge:Apply a merge patch (RFC 7396)' \
'diff:Compare two documents by value' \
'stats:Count types, sizes, keys and numbers' \
'gzip:Validate, minify and compress on all cores' \
'bench:Measure speed and run conformance suites' \
'man:Write the man pages to a directory' \
'completions:Print the completion script for a shell' \
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
(( $+functions[_fjson__subcmd__help__subcmd__delete_commands] )) ||
_fjson__subcmd__help__subcmd__delete_commands() {
    local commands; commands=()
    _describe -t commands 'fjson help delete commands' commands "$@"
}
(( $+functions[_fjson__subcmd__help__subcmd__diff_commands] )) ||
_fjson__subcmd__help__subcmd__diff_commands() {
    local commands; commands=()
    _describe -t commands 'fjson help diff commands' commands "$@"
}
(( $+functions[_fjson__subcmd__help__subcmd__edit_commands] )) ||
_fjson__subcmd__help__subcmd__edit_commands() {
    local commands; commands=()
    _describe -t commands 'fjson help edit commands' commands "$@"
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
(( $+functions[_fjson__subcmd__help__subcmd__jq_commands] )) ||
_fjson__subcmd__help__subcmd__jq_commands() {
    local commands; commands=()
    _describe -t commands 'fjson help jq commands' commands "$@"
}
(( $+functions[_fjson__subcmd__help__subcmd__man_commands] )) ||
_fjson__subcmd__help__subcmd__man_commands() {
    local commands; commands=()
    _describe -t commands 'fjson help man commands' commands "$@"
}
(( $+functions[_fjson__subcmd__help__subcmd__merge_commands] )) ||
_fjson__subcmd__help__subcmd__merge_commands() {
    local commands; commands=()
    _describe -t commands 'fjson help merge commands' commands "$@"
}
(( $+functions[_fjson__subcmd__help__subcmd__minify_commands] )) ||
_fjson__subcmd__help__subcmd__minify_commands() {
    local commands; commands=()
    _describe -t commands 'fjson help minify commands' commands "$@"
}
(( $+functions[_fjson__subcmd__help__subcmd__patch_commands] )) ||
_fjson__subcmd__help__subcmd__patch_commands() {
    local commands; commands=()
    _describe -t commands 'fjson help patch commands' commands "$@"
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
(( $+functions[_fjson__subcmd__help__subcmd__set_commands] )) ||
_fjson__subcmd__help__subcmd__set_commands() {
    local commands; commands=()
    _describe -t commands 'fjson help set commands' commands "$@"
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
(( $+functions[_fjson__subcmd__jq_commands] )) ||
_fjson__subcmd__jq_commands() {
    local commands; commands=()
    _describe -t commands 'fjson jq commands' commands "$@"
}
(( $+functions[_fjson__subcmd__man_commands] )) ||
_fjson__subcmd__man_commands() {
    local commands; commands=()
    _describe -t commands 'fjson man commands' commands "$@"
}
(( $+functions[_fjson__subcmd__merge_commands] )) ||
_fjson__subcmd__merge_commands() {
    local commands; commands=()
    _describe -t commands 'fjson merge commands' commands "$@"
}
(( $+functions[_fjson__subcmd__minify_commands] )) ||
_fjson__subcmd__minify_commands() {
    local commands; commands=()
    _describe -t commands 'fjson minify commands' commands "$@"
}
(( $+functions[_fjson__subcmd__patch_commands] )) ||
_fjson__subcmd__patch_commands() {
    local commands; commands=()
    _describe -t commands 'fjson patch commands' commands "$@"
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
(( $+functions[_fjson__subcmd__set_commands] )) ||
_fjson__subcmd__set_commands() {
    local commands; commands=()
    _describe -t commands 'fjson set commands' commands "$@"
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
