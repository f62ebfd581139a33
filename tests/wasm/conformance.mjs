// SPDX-License-Identifier: Apache-2.0
// conformance.mjs MODULE FOLDER MANIFEST.. - ONNX's backend tests in a folder, by a module of WebAssembly. A line of a manifest is
// "glob state note", and the first that matches a test counts, as in tests/conformance.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { open } from '../../js/engine.mjs';

const RTOL = 1e-3, ATOL = 1e-7;
const [module, top, ...manifests] = process.argv.slice(2);
if (!existsSync(top)) {
  console.log(`skipped: there is no ${top}`);
  process.exit(77);
}
const ocellus = await open(readFileSync(module));

function pattern(glob) {
  return new RegExp(`^${glob.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*').replaceAll('?', '.')}$`);
}

const expectations = manifests.flatMap(path => readFileSync(path, 'utf8').split('\n'))
  .filter(line => line && !line.startsWith('#'))
  .map(line => line.split(/\s+/))
  .map(([glob, state]) => ({ glob: pattern(glob), state }));

function* folders(top) {
  const names = readdirSync(top, { withFileTypes: true });
  if (names.some(({ name }) => name === 'model.onnx'))
    yield top;
  for (const { name } of names.filter(entry => entry.isDirectory()).sort((a, b) => (a.name < b.name ? -1 : 1)))
    yield* folders(join(top, name));
}

// Calls take(value) with the value that a file holds.
function withValue(path, kind, take) {
  const kinds = ['tensor', 'sequence', 'optional', 'map'], bytes = readFileSync(path), at = ocellus.put(bytes);
  try {
    const value = ocellus.call('oc_value_read', at, bytes.length, kinds.indexOf(kind), 0, 0);
    try {
      return take(value);
    } finally {
      ocellus.calls.oc_value_free(value);
    }
  } finally {
    ocellus.calls.free(at);
  }
}

// ---- comparison: '' where values agree ----

// A number of 16 bits, of which so many are the fraction and those behind the sign the exponent.
function halfNumber(code, fraction) {
  const exponent = (code & 0x7fff) >> fraction, most = (1 << (15 - fraction)) - 1, bias = most >> 1;
  const part = (code & ((1 << fraction) - 1)) / (1 << fraction), sign = code >> 15 ? -1 : 1;
  if (exponent === most)
    return part ? NaN : sign * Infinity;
  return sign * (exponent ? (1 + part) * 2 ** (exponent - bias) : part * 2 ** (1 - bias));
}

const HALVES = { float16: 10, bfloat16: 7 };
const isFloat = type => ['float', 'double', 'complex64', 'complex128'].includes(type) || type in HALVES;

// The floats of 8 bits that are NaN.
const NANS = {
  float8e4m3fn: code => (code & 0x7f) === 0x7f, float8e4m3fnuz: code => code === 0x80, float8e5m2: code => (code & 0x7f) > 0x7c,
  float8e5m2fnuz: code => code === 0x80, float8e8m0: code => code === 0xff,
};

function agrees(a, b, type) {
  if (!isFloat(type))
    return a === b || !!(NANS[type]?.(a) && NANS[type](b));
  const [x, y] = type in HALVES ? [a, b].map(code => halfNumber(code, HALVES[type])) : [a, b];
  return Object.is(x, y) || x === y || Math.abs(x - y) <= ATOL + RTOL * Math.abs(y);
}

function tensorDifference(ours, theirs) {
  if (ours?.type !== theirs.type || `${ours.dims}` !== `${theirs.dims}`)
    return `${ours?.type}[${ours?.dims}], expected ${theirs.type}[${theirs.dims}]`;
  const at = Array.from(theirs.data).findIndex((x, i) => !agrees(ours.data[i], x, theirs.type));
  return at < 0 ? '' : `element ${at} is ${ours.data[at]}, expected ${theirs.data[at]}`;
}

function difference(ours, theirs) {
  if (theirs === null)
    return ours === null ? '' : 'a value, expected none';
  if (!Array.isArray(theirs))
    return tensorDifference(ours, theirs);
  if (!Array.isArray(ours) || ours.length !== theirs.length)
    return `${ours?.length} items, expected ${theirs.length}`;
  return theirs.map((item, i) => difference(ours[i], item)).find(text => text) ?? '';
}

// ---- tests ----

// Binds input i and those after it, and returns what then() does: a session borrows what it is given.
function bindFrom(i, folder, model, session, then) {
  const path = join(folder, `input_${i}.pb`);
  if (!existsSync(path))
    return then();
  const { name, kind, type } = model.inputs[i];
  return withValue(path, kind, value => {
    const given = ocellus.typeName(ocellus.calls.oc_value_type(value));
    if (type === 'bfloat16' && given === 'uint16') // as data of before 2022 has it
      session.set(name, { ...ocellus.readValue(value), type });
    else
      ocellus.call('oc_bind_value_at', session.at, i, value);
    return bindFrom(i + 1, folder, model, session, then);
  });
}

function compareOutputs(folder, model, results) {
  const wrong = model.outputs.map(({ name, kind }, i) => {
    const path = join(folder, `output_${i}.pb`);
    const text = existsSync(path) && withValue(path, kind, value => difference(results[name], ocellus.readValue(value)));
    return text ? `output '${name}': ${text}` : '';
  });
  return wrong.find(text => text) ?? '';
}

function runDataSet(folder, model, session) {
  return bindFrom(0, folder, model, session, () => compareOutputs(folder, model, session.run()));
}

// Returns [state, why] of a test: pass, fail or skip.
function runTest(folder) {
  let model, session;
  try {
    model = ocellus.model(readFileSync(join(folder, 'model.onnx')));
    for (let i = 0; existsSync(join(folder, `test_data_set_${i}`)); i++) {
      session = model.session();
      const wrong = runDataSet(join(folder, `test_data_set_${i}`), model, session);
      session.free();
      session = undefined;
      if (wrong)
        return ['fail', wrong];
    }
    return ['pass', ''];
  } catch (error) {
    if (!error.code)
      throw error;
    return [error.code === 'UNSUPPORTED' ? 'skip' : 'fail', `${error.code}: ${error.message}`];
  } finally {
    session?.free();
    model?.free();
  }
}

const counts = { passed: 0, failed: 0, skipped: 0 };
for (const folder of folders(top)) {
  const name = basename(folder), expected = expectations.find(({ glob }) => glob.test(name))?.state ?? 'pass';
  const [state, why] = runTest(folder);
  const isRight = state === expected || (state === 'skip' && expected === 'pass');
  counts[!isRight ? 'failed' : state === 'pass' ? 'passed' : 'skipped']++;
  if (!isRight)
    console.log(`${name}: ${state}, expected ${expected}: ${why}`);
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed || !counts.passed ? 1 : 0;
