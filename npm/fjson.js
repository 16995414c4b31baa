#!/usr/bin/env node
// Starts the program, which is in a package of its own for each system: npm installs the one that is meant for this system.
"use strict";
const { spawnSync } = require("node:child_process");
const { constants } = require("node:os");

const name = `fjson-cli-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/${process.platform === "win32" ? "fjson.exe" : "fjson"}`);
} catch {
  console.error(`fjson: the package ${name} is missing: there is none for this system, or optional dependencies were not installed`);
  process.exit(2);
}
const { error, signal, status } = spawnSync(program, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
if (error) console.error(`fjson: ${error.message}`);
process.exit(signal ? 128 + constants.signals[signal] : (status ?? 2));
