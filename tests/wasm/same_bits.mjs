// SPDX-License-Identifier: Apache-2.0
// same_bits.mjs MODULE OCELLUS ROOT - networks give the same bits by a module of WebAssembly as by this machine's command.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { open } from '../../wasm/ocellus.mjs';
import { fromNpy, toNpy } from './npy.mjs';

const [module, command, root] = process.argv.slice(2);
const NETWORKS = {
  'examples/demo/warp.onnxtxt': { image: [2, 3, 45, 63], theta: [2, 2, 3] },
  'tests/wasm/networks/convolutions.onnxtxt': { x: [1, 3, 61, 47] },
  'tests/wasm/networks/attention.onnxtxt': { x: [1, 19, 64] },
  'tests/wasm/networks/bytes.onnxtxt': { x: [1, 3, 33, 29] },
};

// Numbers from -2 to 2, of which all bits are in use.
function numbers(count) {
  let state = 1;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 30 - 2;
  });
}

function tensors(shapes) {
  const entries = Object.entries(shapes).map(([name, dims]) =>
    [name, { type: 'float', dims, data: numbers(dims.reduce((a, b) => a * b, 1)) }]);
  return Object.fromEntries(entries);
}

function byCommand(network, inputs, outputs, folder) {
  const words = Object.entries(inputs).flatMap(([name, tensor]) => {
    const file = join(folder, `${name}.in.npy`);
    writeFileSync(file, toNpy(tensor));
    return ['-i', `${name}=${file}`];
  });
  for (const { name } of outputs)
    words.push('-o', `${name}=${join(folder, name)}.npy`);
  execFileSync(command, ['run', network, '-q', ...words], { stdio: ['ignore', 'ignore', 'inherit'] });
  return Object.fromEntries(outputs.map(({ name }) => [name, fromNpy(readFileSync(join(folder, `${name}.npy`)))]));
}

// What two tensors differ in; '' where all bits are the same.
function difference(ours, theirs) {
  if (ours.type !== theirs.type || `${ours.dims}` !== `${theirs.dims}`)
    return `${ours.type}[${ours.dims}], expected ${theirs.type}[${theirs.dims}]`;
  const [a, b] = [ours.data, theirs.data].map(data => Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  if (a.equals(b))
    return '';
  const size = a.length / ours.data.length, at = Math.floor(a.findIndex((byte, i) => byte !== b[i]) / size);
  return `element ${at} is ${ours.data[at]}, expected ${theirs.data[at]}`;
}

const folder = mkdtempSync(join(tmpdir(), 'ocellus-'));
const counts = { passed: 0, failed: 0 };
const ocellus = await open(readFileSync(module));
for (const [network, shapes] of Object.entries(NETWORKS)) {
  const path = join(root, network), inputs = tensors(shapes);
  const model = ocellus.model(readFileSync(path)), session = model.session();
  const results = session.run(inputs), expected = byCommand(path, inputs, model.outputs, folder);
  for (const { name } of model.outputs) {
    const wrong = difference(results[name], expected[name]);
    counts[wrong ? 'failed' : 'passed']++;
    if (wrong)
      console.log(`${network}: ${name}: ${wrong}`);
  }
  session.free();
  model.free();
}
rmSync(folder, { recursive: true });
console.log(`${counts.passed} passed, ${counts.failed} failed, 0 skipped`);
process.exitCode = counts.failed || !counts.passed ? 1 : 0;
