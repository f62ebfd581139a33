// SPDX-License-Identifier: Apache-2.0
// wasi.mjs - runs a program of WebAssembly in Node as if it were this system's: node wasi.mjs PROGRAM [ARG..], with its
// environment, folders, standard streams and exit status. Meson runs tests by it.
import { readFileSync } from 'node:fs';
import { WASI } from 'node:wasi';

const [program, ...args] = process.argv.slice(2);
const wasi = new WASI({
  version: 'preview1',
  args: [program, ...args],
  env: process.env,
  preopens: { '/': '/', '.': '.' },
  returnOnExit: true,
});
const { instance } = await WebAssembly.instantiate(readFileSync(program), wasi.getImportObject());
process.exitCode = wasi.start(instance);
