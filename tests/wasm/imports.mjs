// SPDX-License-Identifier: Apache-2.0
// imports.mjs MODULE SYMBOLS - a module of WebAssembly imports what is listed here and nothing else, exports the functions that
// SYMBOLS, Debian's list of the library's, names, and may have memory of 4 GB.
import { readFileSync } from 'node:fs';

const IMPORTS = [
  'ocellus.log',
  ...['clock_time_get', 'environ_get', 'environ_sizes_get', 'fd_close', 'fd_seek', 'fd_write', 'proc_exit', 'random_get']
    .map(name => `wasi_snapshot_preview1.${name}`),
];
const OWN = ['_initialize', 'free', 'malloc', 'memory', 'ocellus_layout', 'ocellus_log_to_script'];

const [path, symbols] = process.argv.slice(2);
const bytes = readFileSync(path), module = new WebAssembly.Module(bytes);
const functions = [...readFileSync(symbols, 'utf8').matchAll(/^ (oc_\w+)@/gm)].map(([, name]) => name);
const failures = [];

function compare(what, found, expected) {
  for (const name of found.filter(name => !expected.includes(name)))
    failures.push(`${what} ${name}, which is not expected`);
  for (const name of expected.filter(name => !found.includes(name)))
    failures.push(`${what} no ${name}`);
}

// Reads an unsigned number of LEB128 at place.at.
function number(place) {
  for (let value = 0, shift = 1; ; shift *= 128) {
    const byte = bytes[place.at++];
    value += (byte & 127) * shift;
    if (byte < 128)
      return value;
  }
}

// Returns the most pages of 64 KB that the module's memory may have.
function mostPages() {
  const MEMORY = 5;
  for (const place = { at: 8 }; place.at < bytes.length;) {
    const section = bytes[place.at++], size = number(place), end = place.at + size;
    if (section === MEMORY) {
      number(place); // memories
      const hasMost = number(place) & 1;
      number(place); // pages at first
      return hasMost ? number(place) : Infinity;
    }
    place.at = end;
  }
  return 0;
}

compare('it imports', WebAssembly.Module.imports(module).map(i => `${i.module}.${i.name}`), IMPORTS);
compare('it exports', WebAssembly.Module.exports(module).map(e => e.name), [...OWN, ...functions]);
if (mostPages() !== 65536)
  failures.push(`its memory has at most ${mostPages()} pages, expected 65536`);
failures.forEach(failure => console.log(`${path}: ${failure}`));
console.log(`${IMPORTS.length + OWN.length + functions.length + 1 - failures.length} passed, ${failures.length} failed, 0 skipped`);
process.exitCode = failures.length ? 1 : 0;
