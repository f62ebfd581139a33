// SPDX-License-Identifier: Apache-2.0
// glue.mjs MODULE - what js/engine.mjs promises: values of every kind, errors, remarks, memory that is given back, and memory that
// there is not.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { OcellusError, open } from '../../js/engine.mjs';

const module = new WebAssembly.Module(readFileSync(process.argv[2]));
const encoder = new TextEncoder();
const load = async (text, options) => (await open(module)).model(encoder.encode(text), options);
const failsWith = (code, words) => error => error instanceof OcellusError && error.code === code && words.test(error.message);
const GRAPH = '<ir_version: 9, opset_import: ["" : 20, "ai.onnx.ml" : 3]> g';

const tests = {
  async ports() {
    const model = await load(`${GRAPH} (float[N,3,7] x, int64[] i, seq(float) s) => (y) <float k = {1}> { y = Identity (x) }`);
    assert.deepEqual(model.inputs, [
      { name: 'x', kind: 'tensor', type: 'float', dims: ['N', 3, 7], optional: false, description: null },
      { name: 'i', kind: 'tensor', type: 'int64', dims: null, optional: false, description: null },
      { name: 's', kind: 'sequence', type: 'float', dims: null, optional: false, description: null },
    ]);
    assert.deepEqual(model.outputs.map(port => port.name), ['y']);
  },

  async types() {
    const model = await load(`${GRAPH} (int64[2] a, string[2] s, bool[2] b, uint8[2] u) => (c, t, n, v)
      { c = Neg (a)  t = Identity (s)  n = Not (b)  v = Identity (u) }`);
    const session = model.session();
    const out = session.run({
      a: { dims: [2], data: BigInt64Array.of(2n ** 62n, -3n) },
      s: { dims: [2], data: ['größer', ''] },
      b: { type: 'bool', dims: [2], data: Uint8Array.of(1, 0) },
      u: { dims: [2], data: Uint8ClampedArray.of(300, 7) },
    });
    assert.deepEqual(out.c, { type: 'int64', dims: [2], data: BigInt64Array.of(-(2n ** 62n), 3n) });
    assert.deepEqual(out.t, { type: 'string', dims: [2], data: ['größer', ''] });
    assert.deepEqual(out.n, { type: 'bool', dims: [2], data: Uint8Array.of(0, 1) });
    assert.deepEqual(out.v, { type: 'uint8', dims: [2], data: Uint8Array.of(255, 7) });
    session.set('s', { dims: [2], data: ['x', 'yz'] }); // the others stay bound
    assert.deepEqual(Object.keys(session.run({}, ['t'])), ['t']);
    assert.deepEqual(session.run({}, ['t']).t.data, ['x', 'yz']);
  },

  async arrays_for_outputs() {
    const model = await load(`${GRAPH} (float[2] x, uint8[3] u) => (y, v, o)
      { y = Neg (x)  v = Identity (u)  o = Optional (x) }`);
    const session = model.session(), y = new Float32Array(4).subarray(1, 3), inputs = {
      x: { dims: [2], data: Float32Array.of(1, 2) }, u: { dims: [3], data: Uint8Array.of(7, 8, 9) } };
    const out = session.run(inputs, undefined, { y });
    assert.equal(out.y.data, y);
    assert.deepEqual([...new Float32Array(y.buffer)], [0, -1, -2, 0]);
    assert.deepEqual(out.v, { type: 'uint8', dims: [3], data: Uint8Array.of(7, 8, 9) });
    assert.throws(() => session.run({}, ['y'], { y: new Float32Array(3) }), failsWith('SHAPE', /3 elements of Float32Array.*has 2 of/));
    assert.throws(() => session.run({}, ['v'], { v: new Int8Array(3) }), failsWith('SHAPE', /Int8Array.*3 of Uint8Array/));
    assert.throws(() => session.run({}, ['o'], { o: new Uint8Array(2) }), failsWith('TYPE', /output 'o'/));
    assert.throws(() => session.run({}, ['y'], { Y: y }), failsWith('ARGUMENT', /no output 'Y'/));
    assert.throws(() => session.run({}, ['v'], { y }), failsWith('ARGUMENT', /output 'y', which is not among those to read: v/));
  },

  async kinds() {
    const model = await load(`${GRAPH} (float[2,2] x) => (s, o, none, m) {
      s = SplitToSequence <axis = 0> (x)  o = Optional (x)  none = Optional <type = float> ()
      m = ai.onnx.ml.ZipMap <classlabels_strings = ["cat", "dog"]> (x) }`);
    const { s, o, none, m } = model.session().run({ x: { dims: [2, 2], data: Float32Array.of(1, 2, 3, 4) } });
    assert.deepEqual(s.map(item => [...item.data]), [[1, 2], [3, 4]]);
    assert.deepEqual([...o.data], [1, 2, 3, 4]);
    assert.equal(none, null);
    assert.deepEqual(m, [new Map([['cat', 1], ['dog', 2]]), new Map([['cat', 3], ['dog', 4]])]);
  },

  // The square of 1 + 2^-12 has a last digit that is lost where it is rounded before 1 is taken away.
  async unfused() {
    const a = 1 + 2 ** -12, model = await load(`${GRAPH} (float[1,2] x, float[2,1] w) => (y) { y = MatMul (x, w) }`);
    const inputs = { x: { dims: [1, 2], data: Float32Array.of(1, a) }, w: { dims: [2, 1], data: Float32Array.of(-1, a) } };
    const product = options => model.session({ cpu: 'v128', ...options }).run(inputs).y.data[0];
    assert.equal(product({}), 2 ** -11 + 2 ** -24);
    assert.equal(product({ unfused: 'exact' }), 2 ** -11 + 2 ** -24);
    assert.equal(product({ unfused: 'fast' }), 2 ** -11);
    assert.throws(() => product({ unfused: 'slow' }), failsWith('ARGUMENT', /unfused/));
  },

  async errors() {
    const ocellus = await open(module);
    assert.throws(() => ocellus.model(new Uint8Array(9)), failsWith('FORMAT', /neither an ONNX model/));
    const model = ocellus.model(encoder.encode(`${GRAPH} (float[2] x) => (y) { y = Neg (x) }`)), session = model.session();
    assert.throws(() => session.run(), failsWith('ARGUMENT', /x/));
    assert.throws(() => session.set('x', { dims: [3], data: new Float32Array(2) }), failsWith('SHAPE', /has 3 elements, 2 are given/));
    assert.throws(() => session.set('x', { type: 'floats', dims: [2], data: new Float32Array(2) }), failsWith('TYPE', /floats/));
    assert.throws(() => session.set('z', { dims: [2], data: new Float32Array(2) }), failsWith('ARGUMENT', /z/));
    assert.throws(() => session.run({ x: { dims: [2], data: new Float32Array(2) } }, ['q']), failsWith('ARGUMENT', /'q'/));
    assert.throws(() => model.session({ cpu: 'abacus' }), failsWith('ARGUMENT', /abacus/));
    assert.deepEqual([...session.run({ x: { dims: [2], data: Float32Array.of(1, 2) } }).y.data], [-1, -2]);
  },

  async remarks() {
    const lines = [];
    const model = await load(`${GRAPH} (float[2] x) => (y) { y = Neg (x) }`);
    model.session({ log: line => lines.push(line) });
    assert.match(lines.join('\n'), /plan: 1 node/);
  },

  async files() {
    const ocellus = await open(module), path = ocellus.putText('model.onnx');
    assert.throws(() => ocellus.call('oc_model_load_sized', path, 0, 0), failsWith('IO', /model\.onnx/));
  },

  async memory_is_given_back() {
    const ocellus = await open(module), text = encoder.encode(`${GRAPH} (float[N] x) => (y) { y = Neg (x) }`);
    let size = 0;
    for (let i = 0; i < 50; i++) {
      const model = ocellus.model(text), session = model.session({ opOptions: 'RoiAlign.max=bilinear' });
      for (const n of [1 << 18, 1 << 18, 1 << 19])
        session.run({ x: { dims: [n], data: new Float32Array(n) } });
      session.free();
      model.free();
      size ||= ocellus.calls.memory.buffer.byteLength;
    }
    assert.ok(ocellus.calls.memory.buffer.byteLength <= size + (1 << 16), `${ocellus.calls.memory.buffer.byteLength}, at first ${size}`);
  },

  async memory_that_there_is_not() {
    const nodes = ['a', 'b', 'c'].map(name => `${name} = ConstantOfShape (n)`).join(' ');
    const model = await load(`${GRAPH} (int64[1] n) => (float[A] a, float[B] b, float[C] c) { ${nodes} }`);
    const { ocellus } = model, session = model.session(), held = ocellus.take(2 ** 30);
    const gigabytes = x => ({ n: { dims: [1], data: BigInt64Array.of(BigInt(x * 2 ** 28)) } });
    assert.throws(() => session.run(gigabytes(1.125), []), failsWith('NOMEM', /bytes/));
    ocellus.calls.free(held);
    session.run(gigabytes(0.625), []); // at more than 2 GB, an address is no number of 31 bits
    assert.ok(ocellus.calls.memory.buffer.byteLength > 2 ** 31);
    assert.deepEqual([...session.run({ n: { dims: [1], data: BigInt64Array.of(2n) } }).c.data], [0, 0]);
    assert.throws(() => ocellus.take(2 ** 32 - 64), failsWith('NOMEM', /out of memory/));
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
  } catch (error) {
    failed++;
    console.log(`${name}: ${error.stack}`);
  }
}
console.log(`${Object.keys(tests).length - failed} passed, ${failed} failed, 0 skipped`);
process.exitCode = failed ? 1 : 0;
