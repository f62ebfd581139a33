// SPDX-License-Identifier: Apache-2.0
// imports.mjs MODULE SYMBOLS.. - a module of WebAssembly imports nothing but what is listed here, exports the functions that SYMBOLS,
// Debian's lists of the libraries', name, and may have memory of 4 GB.
import { readFileSync } from 'node:fs';

const IMPORTS = [
  ...['cancelled', 'log', 'write'].map(name => `ocellus.${name}`),
  ...['clock_time_get', 'environ_get', 'environ_sizes_get', 'fd_close', 'fd_fdstat_get', 'fd_fdstat_set_flags', 'fd_filestat_get',
    'fd_prestat_dir_name', 'fd_prestat_get', 'fd_read', 'fd_seek', 'fd_write', 'path_filestat_get', 'path_open', 'path_readlink',
    'path_rename', 'path_unlink_file', 'proc_exit', 'random_get'].map(name => `wasi_snapshot_preview1.${name}`),
];
const OWN = ['__stack_pointer', '_initialize', 'free', 'malloc', 'memory', 'ocellus_ask_script', 'ocellus_layout', 'ocellus_log_to_script',
  'ocellus_write_to_script'];

const [path, ...symbols] = process.argv.slice(2);
const bytes = readFileSync(path), module = new WebAssembly.Module(bytes);
const functions = symbols.flatMap(list => [...readFileSync(list, 'utf8').matchAll(/^ (oc_\w+)@/gm)].map(([, name]) => name));
const failures = [];

function forbidOthers(what, found, expected) {
  for (const name of found.filter(name => !expected.includes(name)))
    failures.push(`${what} ${name}, which is not expected`);
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

const exported = WebAssembly.Module.exports(module).map(e => e.name);
forbidOthers('it imports', WebAssembly.Module.imports(module).map(i => `${i.module}.${i.name}`), IMPORTS);
forbidOthers('it exports', exported, [...OWN, ...functions]);
for (const name of [...OWN, ...functions].filter(name => !exported.includes(name)))
  failures.push(`it exports no ${name}`);
if (mostPages() !== 65536)
  failures.push(`its memory has at most ${mostPages()} pages, expected 65536`);
failures.forEach(failure => console.log(`${path}: ${failure}`));
console.log(`${IMPORTS.length + OWN.length + functions.length + 1 - failures.length} passed, ${failures.length} failed, 0 skipped`);
process.exitCode = failures.length ? 1 : 0;
