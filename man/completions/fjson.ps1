
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'fjson' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'fjson'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'fjson' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help: -h the options that are needed most, --help everything')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help: -h the options that are needed most, --help everything')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print the version and the kernels available on this machine')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print the version and the kernels available on this machine')
            [CompletionResult]::new('validate', 'validate', [CompletionResultType]::ParameterValue, 'Check that inputs are valid JSON')
            [CompletionResult]::new('minify', 'minify', [CompletionResultType]::ParameterValue, 'Validate and remove whitespace')
            [CompletionResult]::new('pretty', 'pretty', [CompletionResultType]::ParameterValue, 'Validate and indent')
            [CompletionResult]::new('query', 'query', [CompletionResultType]::ParameterValue, 'Print the values selected by a JSONPath or JSON Pointer')
            [CompletionResult]::new('stats', 'stats', [CompletionResultType]::ParameterValue, 'Count types, sizes, keys and numbers')
            [CompletionResult]::new('gzip', 'gzip', [CompletionResultType]::ParameterValue, 'Validate, minify and compress on all cores')
            [CompletionResult]::new('bench', 'bench', [CompletionResultType]::ParameterValue, 'Measure speed and run conformance suites')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Write the man pages to a directory')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print the completion script for a shell')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'fjson;validate' {
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'Like --files-from, but with a NUL after each name')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'In directories, include only files that match GLOB')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'In directories, include only files that match GLOB')
            [CompletionResult]::new('--skip-prefix', '--skip-prefix', [CompletionResultType]::ParameterName, 'Start each record at its first { or [, after other text')
            [CompletionResult]::new('--bom', '--bom', [CompletionResultType]::ParameterName, 'What to do with a byte order mark in UTF-8')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'Encoding of the inputs: utf-8, or that of their byte order mark')
            [CompletionResult]::new('--max-bytes', '--max-bytes', [CompletionResultType]::ParameterName, 'Reject compressed inputs that expand to more than N bytes')
            [CompletionResult]::new('--range', '--range', [CompletionResultType]::ParameterName, 'Read only the records that begin in a part of each input')
            [CompletionResult]::new('--splits-from', '--splits-from', [CompletionResultType]::ParameterName, 'Read the parts of files that are listed in FILE')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Reject documents that are nested more than N levels deep')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Use up to N threads')
            [CompletionResult]::new('--kernel', '--kernel', [CompletionResultType]::ParameterName, 'Kernel to use: auto, or one of those listed by --version')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Format of the report')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Show at most N errors; 0 shows all')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors, in the report and in documents on standard output')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read the names of inputs from FILE, one per line')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help: -h the options that are needed most, --help everything')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help: -h the options that are needed most, --help everything')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print the version and the kernels available on this machine')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print the version and the kernels available on this machine')
            [CompletionResult]::new('--lines', '--lines', [CompletionResultType]::ParameterName, 'Read one document per line (JSON Lines, NDJSON)')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Read concatenated documents')
            [CompletionResult]::new('--seq', '--seq', [CompletionResultType]::ParameterName, 'Read JSON text sequences (RFC 7464)')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'In directories, include hidden files')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'In directories, include files that .ignore or .gitignore excludes')
            [CompletionResult]::new('--no-mmap', '--no-mmap', [CompletionResultType]::ParameterName, 'Read regular files instead of memory-mapping them')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Do not report invalid documents; check the exit status')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Do not report invalid documents; check the exit status')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print what was read, how fast, and with which kernel')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print what was read, how fast, and with which kernel')
            [CompletionResult]::new('--unique-keys', '--unique-keys', [CompletionResultType]::ParameterName, 'Reject objects with duplicate keys')
            [CompletionResult]::new('--ijson', '--ijson', [CompletionResultType]::ParameterName, 'Reject documents that are not I-JSON (RFC 7493)')
            break
        }
        'fjson;minify' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write to FILE')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write to FILE')
            [CompletionResult]::new('--escape', '--escape', [CompletionResultType]::ParameterName, 'Write characters in strings as \u escapes, or none')
            [CompletionResult]::new('--max-memory', '--max-memory', [CompletionResultType]::ParameterName, 'Limit on the memory for sorting one object, in bytes')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read the names of inputs from FILE, one per line')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'Like --files-from, but with a NUL after each name')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'In directories, include only files that match GLOB')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'In directories, include only files that match GLOB')
            [CompletionResult]::new('--skip-prefix', '--skip-prefix', [CompletionResultType]::ParameterName, 'Start each record at its first { or [, after other text')
            [CompletionResult]::new('--bom', '--bom', [CompletionResultType]::ParameterName, 'What to do with a byte order mark in UTF-8')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'Encoding of the inputs: utf-8, or that of their byte order mark')
            [CompletionResult]::new('--max-bytes', '--max-bytes', [CompletionResultType]::ParameterName, 'Reject compressed inputs that expand to more than N bytes')
            [CompletionResult]::new('--range', '--range', [CompletionResultType]::ParameterName, 'Read only the records that begin in a part of each input')
            [CompletionResult]::new('--splits-from', '--splits-from', [CompletionResultType]::ParameterName, 'Read the parts of files that are listed in FILE')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Reject documents that are nested more than N levels deep')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Use up to N threads')
            [CompletionResult]::new('--kernel', '--kernel', [CompletionResultType]::ParameterName, 'Kernel to use: auto, or one of those listed by --version')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Format of the report')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Show at most N errors; 0 shows all')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors, in the report and in documents on standard output')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help: -h the options that are needed most, --help everything')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help: -h the options that are needed most, --help everything')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print the version and the kernels available on this machine')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print the version and the kernels available on this machine')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Edit files in place')
            [CompletionResult]::new('--in-place', '--in-place', [CompletionResultType]::ParameterName, 'Edit files in place')
            [CompletionResult]::new('-S', '-S ', [CompletionResultType]::ParameterName, 'Sort the members of each object by key')
            [CompletionResult]::new('--sort-keys', '--sort-keys', [CompletionResultType]::ParameterName, 'Sort the members of each object by key')
            [CompletionResult]::new('--natural', '--natural', [CompletionResultType]::ParameterName, 'Sort keys without regard to case, and numbers in them by value')
            [CompletionResult]::new('--canonical', '--canonical', [CompletionResultType]::ParameterName, 'Write the canonical form of RFC 8785 (JCS)')
            [CompletionResult]::new('--newline', '--newline', [CompletionResultType]::ParameterName, 'End the output of each input with a newline')
            [CompletionResult]::new('--lines', '--lines', [CompletionResultType]::ParameterName, 'Read one document per line (JSON Lines, NDJSON)')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Read concatenated documents')
            [CompletionResult]::new('--seq', '--seq', [CompletionResultType]::ParameterName, 'Read JSON text sequences (RFC 7464)')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'In directories, include hidden files')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'In directories, include files that .ignore or .gitignore excludes')
            [CompletionResult]::new('--no-mmap', '--no-mmap', [CompletionResultType]::ParameterName, 'Read regular files instead of memory-mapping them')
            [CompletionResult]::new('--unique-keys', '--unique-keys', [CompletionResultType]::ParameterName, 'Reject objects with duplicate keys')
            [CompletionResult]::new('--ijson', '--ijson', [CompletionResultType]::ParameterName, 'Reject documents that are not I-JSON (RFC 7493)')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Do not report invalid documents; check the exit status')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Do not report invalid documents; check the exit status')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print what was read, how fast, and with which kernel')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print what was read, how fast, and with which kernel')
            break
        }
        'fjson;pretty' {
            [CompletionResult]::new('--indent', '--indent', [CompletionResultType]::ParameterName, 'Indent with N spaces per level, 0 to 16')
            [CompletionResult]::new('--width', '--width', [CompletionResultType]::ParameterName, 'Write containers on one line if it has at most N columns')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write to FILE')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write to FILE')
            [CompletionResult]::new('--escape', '--escape', [CompletionResultType]::ParameterName, 'Write characters in strings as \u escapes, or none')
            [CompletionResult]::new('--max-memory', '--max-memory', [CompletionResultType]::ParameterName, 'Limit on the memory for sorting one object, in bytes')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read the names of inputs from FILE, one per line')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'Like --files-from, but with a NUL after each name')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'In directories, include only files that match GLOB')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'In directories, include only files that match GLOB')
            [CompletionResult]::new('--skip-prefix', '--skip-prefix', [CompletionResultType]::ParameterName, 'Start each record at its first { or [, after other text')
            [CompletionResult]::new('--bom', '--bom', [CompletionResultType]::ParameterName, 'What to do with a byte order mark in UTF-8')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'Encoding of the inputs: utf-8, or that of their byte order mark')
            [CompletionResult]::new('--max-bytes', '--max-bytes', [CompletionResultType]::ParameterName, 'Reject compressed inputs that expand to more than N bytes')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Reject documents that are nested more than N levels deep')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Use up to N threads')
            [CompletionResult]::new('--kernel', '--kernel', [CompletionResultType]::ParameterName, 'Kernel to use: auto, or one of those listed by --version')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Format of the report')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Show at most N errors; 0 shows all')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors, in the report and in documents on standard output')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help: -h the options that are needed most, --help everything')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help: -h the options that are needed most, --help everything')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print the version and the kernels available on this machine')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print the version and the kernels available on this machine')
            [CompletionResult]::new('--tab', '--tab', [CompletionResultType]::ParameterName, 'Indent with one tab per level')
            [CompletionResult]::new('--compact-arrays', '--compact-arrays', [CompletionResultType]::ParameterName, 'Write arrays without objects and arrays in them on one line')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Edit files in place')
            [CompletionResult]::new('--in-place', '--in-place', [CompletionResultType]::ParameterName, 'Edit files in place')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'List the inputs that are not formatted')
            [CompletionResult]::new('-S', '-S ', [CompletionResultType]::ParameterName, 'Sort the members of each object by key')
            [CompletionResult]::new('--sort-keys', '--sort-keys', [CompletionResultType]::ParameterName, 'Sort the members of each object by key')
            [CompletionResult]::new('--natural', '--natural', [CompletionResultType]::ParameterName, 'Sort keys without regard to case, and numbers in them by value')
            [CompletionResult]::new('--lines', '--lines', [CompletionResultType]::ParameterName, 'Read one document per line (JSON Lines, NDJSON)')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Read concatenated documents')
            [CompletionResult]::new('--seq', '--seq', [CompletionResultType]::ParameterName, 'Read JSON text sequences (RFC 7464)')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'In directories, include hidden files')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'In directories, include files that .ignore or .gitignore excludes')
            [CompletionResult]::new('--no-mmap', '--no-mmap', [CompletionResultType]::ParameterName, 'Read regular files instead of memory-mapping them')
            [CompletionResult]::new('--unique-keys', '--unique-keys', [CompletionResultType]::ParameterName, 'Reject objects with duplicate keys')
            [CompletionResult]::new('--ijson', '--ijson', [CompletionResultType]::ParameterName, 'Reject documents that are not I-JSON (RFC 7493)')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Do not report invalid documents; check the exit status')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Do not report invalid documents; check the exit status')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print what was read, how fast, and with which kernel')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print what was read, how fast, and with which kernel')
            break
        }
        'fjson;query' {
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'Search for EXPR; may be repeated')
            [CompletionResult]::new('--expr', '--expr', [CompletionResultType]::ParameterName, 'Search for EXPR; may be repeated')
            [CompletionResult]::new('--where', '--where', [CompletionResultType]::ParameterName, 'Search only documents for which CONDITION is true')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Stop after N matches, or N rows of --csv and --tsv')
            [CompletionResult]::new('--order', '--order', [CompletionResultType]::ParameterName, 'Order of the matches')
            [CompletionResult]::new('--null', '--null', [CompletionResultType]::ParameterName, 'Print TEXT for null and missing values in rows')
            [CompletionResult]::new('--rows', '--rows', [CompletionResultType]::ParameterName, 'Make rows of the values that EXPR selects')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read the names of inputs from FILE, one per line')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'Like --files-from, but with a NUL after each name')
            [CompletionResult]::new('--skip-prefix', '--skip-prefix', [CompletionResultType]::ParameterName, 'Start each record at its first { or [, after other text')
            [CompletionResult]::new('--bom', '--bom', [CompletionResultType]::ParameterName, 'What to do with a byte order mark in UTF-8')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'Encoding of the inputs: utf-8, or that of their byte order mark')
            [CompletionResult]::new('--max-bytes', '--max-bytes', [CompletionResultType]::ParameterName, 'Reject compressed inputs that expand to more than N bytes')
            [CompletionResult]::new('--range', '--range', [CompletionResultType]::ParameterName, 'Read only the records that begin in a part of each input')
            [CompletionResult]::new('--splits-from', '--splits-from', [CompletionResultType]::ParameterName, 'Read the parts of files that are listed in FILE')
            [CompletionResult]::new('--bad-records', '--bad-records', [CompletionResultType]::ParameterName, 'Write the records that --skip-bad skips to FILE')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Reject documents that are nested more than N levels deep')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Use up to N threads')
            [CompletionResult]::new('--kernel', '--kernel', [CompletionResultType]::ParameterName, 'Kernel to use: auto, or one of those listed by --version')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Show at most N errors; 0 shows all')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors, in the report and in documents on standard output')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'In directories, include only files that match GLOB')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'In directories, include only files that match GLOB')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Format of the report')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help: -h the options that are needed most, --help everything')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help: -h the options that are needed most, --help everything')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print the version and the kernels available on this machine')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print the version and the kernels available on this machine')
            [CompletionResult]::new('--regex', '--regex', [CompletionResultType]::ParameterName, 'Let match() and search() take any regular expression')
            [CompletionResult]::new('--first', '--first', [CompletionResultType]::ParameterName, 'Stop after the first match, or the first row')
            [CompletionResult]::new('--allow-empty', '--allow-empty', [CompletionResultType]::ParameterName, 'Exit with 0 if there is no match')
            [CompletionResult]::new('--trust', '--trust', [CompletionResultType]::ParameterName, 'Validate only the matches')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Print strings without quotes and escapes')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Print strings without quotes and escapes')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Print the number of matches, on one line per EXPR')
            [CompletionResult]::new('--array', '--array', [CompletionResultType]::ParameterName, 'Print all matches as one JSON array')
            [CompletionResult]::new('--pretty', '--pretty', [CompletionResultType]::ParameterName, 'Indent matches')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Print a row of comma-separated values for each document')
            [CompletionResult]::new('--tsv', '--tsv', [CompletionResultType]::ParameterName, 'Print a row of tab-separated values for each document')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Print the names of the columns as the first row')
            [CompletionResult]::new('--quote-strings', '--quote-strings', [CompletionResultType]::ParameterName, 'Quote all strings in CSV')
            [CompletionResult]::new('--excel', '--excel', [CompletionResultType]::ParameterName, 'Write CSV for Excel')
            [CompletionResult]::new('-H', '-H ', [CompletionResultType]::ParameterName, 'Print the name of the input before each match')
            [CompletionResult]::new('--with-filename', '--with-filename', [CompletionResultType]::ParameterName, 'Print the name of the input before each match')
            [CompletionResult]::new('--no-filename', '--no-filename', [CompletionResultType]::ParameterName, 'Do not print the names of the inputs, the default')
            [CompletionResult]::new('--paths', '--paths', [CompletionResultType]::ParameterName, 'Print the location of each match as a path')
            [CompletionResult]::new('--pointers', '--pointers', [CompletionResultType]::ParameterName, 'Print the location of each match as a JSON Pointer')
            [CompletionResult]::new('--offsets', '--offsets', [CompletionResultType]::ParameterName, 'Print the location of each match as byte offsets')
            [CompletionResult]::new('--assignments', '--assignments', [CompletionResultType]::ParameterName, 'Print each match as a line with its path and value')
            [CompletionResult]::new('-0', '-0', [CompletionResultType]::ParameterName, 'Print a NUL instead of a newline after each match')
            [CompletionResult]::new('--null-data', '--null-data', [CompletionResultType]::ParameterName, 'Print a NUL instead of a newline after each match')
            [CompletionResult]::new('--raw-bytes', '--raw-bytes', [CompletionResultType]::ParameterName, 'Print matches byte for byte, including line breaks')
            [CompletionResult]::new('--lines', '--lines', [CompletionResultType]::ParameterName, 'Read one document per line (JSON Lines, NDJSON)')
            [CompletionResult]::new('--seq', '--seq', [CompletionResultType]::ParameterName, 'Read JSON text sequences (RFC 7464)')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'In directories, include hidden files')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'In directories, include files that .ignore or .gitignore excludes')
            [CompletionResult]::new('--no-mmap', '--no-mmap', [CompletionResultType]::ParameterName, 'Read regular files instead of memory-mapping them')
            [CompletionResult]::new('--single', '--single', [CompletionResultType]::ParameterName, 'Read one document per input')
            [CompletionResult]::new('--skip-bad', '--skip-bad', [CompletionResultType]::ParameterName, 'Skip invalid records of --lines and --seq')
            [CompletionResult]::new('--unique-keys', '--unique-keys', [CompletionResultType]::ParameterName, 'Reject objects with duplicate keys')
            [CompletionResult]::new('--ijson', '--ijson', [CompletionResultType]::ParameterName, 'Reject documents that are not I-JSON (RFC 7493)')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print what was read, how fast, and with which kernel')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print what was read, how fast, and with which kernel')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Read concatenated documents')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Do not report invalid documents; check the exit status')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Do not report invalid documents; check the exit status')
            break
        }
        'fjson;stats' {
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Format of the statistics: a table or one JSON document')
            [CompletionResult]::new('--top', '--top', [CompletionResultType]::ParameterName, 'Show the N most frequent keys')
            [CompletionResult]::new('--levels', '--levels', [CompletionResultType]::ParameterName, 'With --paths, describe at most N levels [default: 32]')
            [CompletionResult]::new('--max-keys', '--max-keys', [CompletionResultType]::ParameterName, 'With --paths, take objects with more than N different keys for maps [default: 50]')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read the names of inputs from FILE, one per line')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'Like --files-from, but with a NUL after each name')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'In directories, include only files that match GLOB')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'In directories, include only files that match GLOB')
            [CompletionResult]::new('--skip-prefix', '--skip-prefix', [CompletionResultType]::ParameterName, 'Start each record at its first { or [, after other text')
            [CompletionResult]::new('--bom', '--bom', [CompletionResultType]::ParameterName, 'What to do with a byte order mark in UTF-8')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'Encoding of the inputs: utf-8, or that of their byte order mark')
            [CompletionResult]::new('--max-bytes', '--max-bytes', [CompletionResultType]::ParameterName, 'Reject compressed inputs that expand to more than N bytes')
            [CompletionResult]::new('--range', '--range', [CompletionResultType]::ParameterName, 'Read only the records that begin in a part of each input')
            [CompletionResult]::new('--splits-from', '--splits-from', [CompletionResultType]::ParameterName, 'Read the parts of files that are listed in FILE')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Reject documents that are nested more than N levels deep')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Use up to N threads')
            [CompletionResult]::new('--kernel', '--kernel', [CompletionResultType]::ParameterName, 'Kernel to use: auto, or one of those listed by --version')
            [CompletionResult]::new('--max-memory', '--max-memory', [CompletionResultType]::ParameterName, 'Limit on the memory for a single string or number, in bytes')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Show at most N errors; 0 shows all')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors in the report')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help: -h the options that are needed most, --help everything')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help: -h the options that are needed most, --help everything')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print the version and the kernels available on this machine')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print the version and the kernels available on this machine')
            [CompletionResult]::new('--paths', '--paths', [CompletionResultType]::ParameterName, 'Describe the structure instead: all paths, and the values there')
            [CompletionResult]::new('--lines', '--lines', [CompletionResultType]::ParameterName, 'Read one document per line (JSON Lines, NDJSON)')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Read concatenated documents')
            [CompletionResult]::new('--seq', '--seq', [CompletionResultType]::ParameterName, 'Read JSON text sequences (RFC 7464)')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'In directories, include hidden files')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'In directories, include files that .ignore or .gitignore excludes')
            [CompletionResult]::new('--no-mmap', '--no-mmap', [CompletionResultType]::ParameterName, 'Read regular files instead of memory-mapping them')
            [CompletionResult]::new('--unique-keys', '--unique-keys', [CompletionResultType]::ParameterName, 'Reject objects with duplicate keys')
            [CompletionResult]::new('--ijson', '--ijson', [CompletionResultType]::ParameterName, 'Reject documents that are not I-JSON (RFC 7493)')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Do not report invalid documents; check the exit status')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Do not report invalid documents; check the exit status')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print what was read, how fast, and with which kernel')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print what was read, how fast, and with which kernel')
            break
        }
        'fjson;gzip' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write to FILE')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write to FILE')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read the names of inputs from FILE, one per line')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'Like --files-from, but with a NUL after each name')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'In directories, include only files that match GLOB')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'In directories, include only files that match GLOB')
            [CompletionResult]::new('--skip-prefix', '--skip-prefix', [CompletionResultType]::ParameterName, 'Start each record at its first { or [, after other text')
            [CompletionResult]::new('--bom', '--bom', [CompletionResultType]::ParameterName, 'What to do with a byte order mark in UTF-8')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'Encoding of the inputs: utf-8, or that of their byte order mark')
            [CompletionResult]::new('--max-bytes', '--max-bytes', [CompletionResultType]::ParameterName, 'Reject compressed inputs that expand to more than N bytes')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Reject documents that are nested more than N levels deep')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Use up to N threads')
            [CompletionResult]::new('--kernel', '--kernel', [CompletionResultType]::ParameterName, 'Kernel to use: auto, or one of those listed by --version')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Format of the report')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Show at most N errors; 0 shows all')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors, in the report and in documents on standard output')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help: -h the options that are needed most, --help everything')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help: -h the options that are needed most, --help everything')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print the version and the kernels available on this machine')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print the version and the kernels available on this machine')
            [CompletionResult]::new('-1', '-1', [CompletionResultType]::ParameterName, 'Fastest; -1 to -9 set the level, the default is -6')
            [CompletionResult]::new('-2', '-2', [CompletionResultType]::ParameterName, '2')
            [CompletionResult]::new('-3', '-3', [CompletionResultType]::ParameterName, '3')
            [CompletionResult]::new('-4', '-4', [CompletionResultType]::ParameterName, '4')
            [CompletionResult]::new('-5', '-5', [CompletionResultType]::ParameterName, '5')
            [CompletionResult]::new('-6', '-6', [CompletionResultType]::ParameterName, '6')
            [CompletionResult]::new('-7', '-7', [CompletionResultType]::ParameterName, '7')
            [CompletionResult]::new('-8', '-8', [CompletionResultType]::ParameterName, '8')
            [CompletionResult]::new('-9', '-9', [CompletionResultType]::ParameterName, 'Smallest')
            [CompletionResult]::new('--keep-space', '--keep-space', [CompletionResultType]::ParameterName, 'Keep the whitespace of the input')
            [CompletionResult]::new('--rsyncable', '--rsyncable', [CompletionResultType]::ParameterName, 'Make the output suitable for rsync and backups')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Write to standard output')
            [CompletionResult]::new('--stdout', '--stdout', [CompletionResultType]::ParameterName, 'Write to standard output')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Replace FILE.gz if it exists')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace FILE.gz if it exists')
            [CompletionResult]::new('--lines', '--lines', [CompletionResultType]::ParameterName, 'Read one document per line (JSON Lines, NDJSON)')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Read concatenated documents')
            [CompletionResult]::new('--seq', '--seq', [CompletionResultType]::ParameterName, 'Read JSON text sequences (RFC 7464)')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'In directories, include hidden files')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'In directories, include files that .ignore or .gitignore excludes')
            [CompletionResult]::new('--no-mmap', '--no-mmap', [CompletionResultType]::ParameterName, 'Read regular files instead of memory-mapping them')
            [CompletionResult]::new('--unique-keys', '--unique-keys', [CompletionResultType]::ParameterName, 'Reject objects with duplicate keys')
            [CompletionResult]::new('--ijson', '--ijson', [CompletionResultType]::ParameterName, 'Reject documents that are not I-JSON (RFC 7493)')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Do not report invalid documents; check the exit status')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Do not report invalid documents; check the exit status')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print what was read, how fast, and with which kernel')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print what was read, how fast, and with which kernel')
            break
        }
        'fjson;bench' {
            [CompletionResult]::new('--operation', '--operation', [CompletionResultType]::ParameterName, 'Measure only this operation; may be repeated')
            [CompletionResult]::new('--query', '--query', [CompletionResultType]::ParameterName, 'Expression for the operation query')
            [CompletionResult]::new('--time', '--time', [CompletionResultType]::ParameterName, 'Time to spend on each operation and kernel')
            [CompletionResult]::new('--vs', '--vs', [CompletionResultType]::ParameterName, 'Time another program on the same file')
            [CompletionResult]::new('--baseline', '--baseline', [CompletionResultType]::ParameterName, 'Compare with an earlier --export-json')
            [CompletionResult]::new('--corpus', '--corpus', [CompletionResultType]::ParameterName, 'Search for the suites only in DIR')
            [CompletionResult]::new('--require', '--require', [CompletionResultType]::ParameterName, 'Fail if a suite is missing or incomplete')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Format of the results')
            [CompletionResult]::new('--export-json', '--export-json', [CompletionResultType]::ParameterName, 'Write the results and all samples to FILE as JSON')
            [CompletionResult]::new('--report', '--report', [CompletionResultType]::ParameterName, 'Write an HTML page with charts to FILE')
            [CompletionResult]::new('--emit', '--emit', [CompletionResultType]::ParameterName, 'Write a generated document to standard output and exit')
            [CompletionResult]::new('--size', '--size', [CompletionResultType]::ParameterName, 'Approximate size of the document in bytes')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read the names of inputs from FILE, one per line')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'Like --files-from, but with a NUL after each name')
            [CompletionResult]::new('--skip-prefix', '--skip-prefix', [CompletionResultType]::ParameterName, 'Start each record at its first { or [, after other text')
            [CompletionResult]::new('--bom', '--bom', [CompletionResultType]::ParameterName, 'What to do with a byte order mark in UTF-8')
            [CompletionResult]::new('--encoding', '--encoding', [CompletionResultType]::ParameterName, 'Encoding of the inputs: utf-8, or that of their byte order mark')
            [CompletionResult]::new('--max-bytes', '--max-bytes', [CompletionResultType]::ParameterName, 'Reject compressed inputs that expand to more than N bytes')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Reject documents that are nested more than N levels deep')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Use up to N threads')
            [CompletionResult]::new('--kernel', '--kernel', [CompletionResultType]::ParameterName, 'Kernel to use: auto, or one of those listed by --version')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'In directories, include only files that match GLOB')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'In directories, include only files that match GLOB')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help: -h the options that are needed most, --help everything')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help: -h the options that are needed most, --help everything')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print the version and the kernels available on this machine')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print the version and the kernels available on this machine')
            [CompletionResult]::new('--all-kernels', '--all-kernels', [CompletionResultType]::ParameterName, 'Measure all kernels that this machine supports')
            [CompletionResult]::new('--suite', '--suite', [CompletionResultType]::ParameterName, 'Run the conformance suites')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no results and no progress; check the exit status')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no results and no progress; check the exit status')
            [CompletionResult]::new('--seq', '--seq', [CompletionResultType]::ParameterName, 'Read JSON text sequences (RFC 7464)')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'In directories, include hidden files')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'In directories, include files that .ignore or .gitignore excludes')
            [CompletionResult]::new('--unique-keys', '--unique-keys', [CompletionResultType]::ParameterName, 'Reject objects with duplicate keys')
            [CompletionResult]::new('--ijson', '--ijson', [CompletionResultType]::ParameterName, 'Reject documents that are not I-JSON (RFC 7493)')
            [CompletionResult]::new('--no-mmap', '--no-mmap', [CompletionResultType]::ParameterName, 'Read regular files instead of memory-mapping them')
            [CompletionResult]::new('--lines', '--lines', [CompletionResultType]::ParameterName, 'Read one document per line (JSON Lines, NDJSON)')
            [CompletionResult]::new('--stream', '--stream', [CompletionResultType]::ParameterName, 'Read concatenated documents')
            break
        }
        'fjson;man' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help: -h the options that are needed most, --help everything')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help: -h the options that are needed most, --help everything')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print the version and the kernels available on this machine')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print the version and the kernels available on this machine')
            break
        }
        'fjson;completions' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help: -h the options that are needed most, --help everything')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help: -h the options that are needed most, --help everything')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print the version and the kernels available on this machine')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print the version and the kernels available on this machine')
            break
        }
        'fjson;help' {
            [CompletionResult]::new('validate', 'validate', [CompletionResultType]::ParameterValue, 'Check that inputs are valid JSON')
            [CompletionResult]::new('minify', 'minify', [CompletionResultType]::ParameterValue, 'Validate and remove whitespace')
            [CompletionResult]::new('pretty', 'pretty', [CompletionResultType]::ParameterValue, 'Validate and indent')
            [CompletionResult]::new('query', 'query', [CompletionResultType]::ParameterValue, 'Print the values selected by a JSONPath or JSON Pointer')
            [CompletionResult]::new('stats', 'stats', [CompletionResultType]::ParameterValue, 'Count types, sizes, keys and numbers')
            [CompletionResult]::new('gzip', 'gzip', [CompletionResultType]::ParameterValue, 'Validate, minify and compress on all cores')
            [CompletionResult]::new('bench', 'bench', [CompletionResultType]::ParameterValue, 'Measure speed and run conformance suites')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Write the man pages to a directory')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print the completion script for a shell')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'fjson;help;validate' {
            break
        }
        'fjson;help;minify' {
            break
        }
        'fjson;help;pretty' {
            break
        }
        'fjson;help;query' {
            break
        }
        'fjson;help;stats' {
            break
        }
        'fjson;help;gzip' {
            break
        }
        'fjson;help;bench' {
            break
        }
        'fjson;help;man' {
            break
        }
        'fjson;help;completions' {
            break
        }
        'fjson;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
