// SPDX-License-Identifier: Apache-2.0
// wasi.mjs - runs a program of WebAssembly in Node as if it were this system's: node wasi.mjs PROGRAM [ARG..], with its
// environment, folders, standard streams and exit status. Meson runs tests by it.
import { readFileSync } from 'node:fs';
import { WASI } from 'node:wasi';

const [program, ...args] = process.argv.slice(2);
const wasi = new WASI({
  version: 'preview1',
  args: [program, ...args],
  env: { ...process.env, PWD: process.cwd() },
  preopens: { '/': '/' },
  returnOnExit: true,
});
// Through functions of this script: where a program that runs for long calls those of node:wasi by itself, Node 20 and 22 crash.
const imports = Object.entries(wasi.getImportObject().wasi_snapshot_preview1)
  .map(([name, call]) => [name, (...operands) => call(...operands)]);
const module = await WebAssembly.compile(readFileSync(program));
const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: Object.fromEntries(imports) });
process.exitCode = wasi.start(instance);
