// SPDX-License-Identifier: Apache-2.0
// node.mjs JOB - compares engines in Node on one network, and prints what turns.mjs finds as JSON.
//
// JOB is a file of JSON: { network, engines, rounds, seed }, as turns.mjs has them.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';

import { compare } from './turns.mjs';

// What LiteRT.js, which is made for pages and workers, takes from them.
function actAsWorker() {
  globalThis.self = globalThis;
  globalThis.require = createRequire(import.meta.url);
  globalThis.__dirname = '';
  globalThis.importScripts = path => runInThisContext(readFileSync(path, 'utf8'), { filename: path });
}

const { network, engines, rounds, seed } = JSON.parse(await readFile(process.argv[2], 'utf8'));
if (engines.some(engine => engine.kind === 'litert'))
  actAsWorker();
const result = await compare(network, engines, { rounds, seed, load: async file => new Uint8Array(await readFile(file)) });
console.log(JSON.stringify(result));
