// SPDX-License-Identifier: Apache-2.0
// node.mjs PACKAGE [MODULE] - runs the tests of package.mjs in Node. PACKAGE is the package's front, MODULE the module that it takes in
// place of those beside it. TEST in the environment is a part of the names of the tests that run.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { run } from './package.mjs';

const [front, module] = process.argv.slice(2), ocellus = await import(pathToFileURL(resolve(front)));
if (module)
  ocellus.configure({ wasmBinary: readFileSync(module) });
const onnxruntime = await import(new URL(front.endsWith('.cjs') ? './onnxruntime.cjs' : './onnxruntime.mjs', pathToFileURL(resolve(front))));
const { passed, failures } = await run(ocellus, onnxruntime, assert, process.env.TEST);
failures.forEach(failure => console.log(failure));
console.log(`${passed} passed, ${failures.length} failed, 0 skipped`);
process.exitCode = failures.length ? 1 : 0;
