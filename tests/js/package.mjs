// SPDX-License-Identifier: Apache-2.0
// package.mjs - what the package promises, in the host that runs it: node.mjs runs the tests in Node, page.mjs in a page.
//
// Values are from ONNX's operators' definitions, by hand.

import { tests as ofOnnxRuntime } from './onnxruntime.mjs';

const TEXT = '<ir_version: 9, opset_import: ["" : 20]> g';
const encoder = new TextEncoder();
const model = body => encoder.encode(`${TEXT} ${body}`);
// A loop of 2^40 rounds, which nothing but a signal or a deadline ends.
const ENDLESS = model(`(float[2] x) => (y) { n = Constant <value = int64 {1099511627776}> ()  t = Constant <value = bool {1}> ()
  y = Loop (n, t, x) <body = b (int64 i, bool go, float[2] v) => (bool on, float[2] w) { on = Identity (go)  w = Neg (v) }> }`);
const NEG = model('(float[N] x) => (y) { y = Neg (x) }');

export const tests = {
  async runs_what_it_is_given({ Model, Tensor }, assert) {
    const loaded = await Model.load(model('(float[N,2] x, int64[2] i) => (y, s) { y = Neg (x)  s = Add (i, i) }'));
    assert.deepEqual(loaded.inputs.map(({ name, type, dims }) => ({ name, type, dims })),
      [{ name: 'x', type: 'float', dims: ['N', 2] }, { name: 'i', type: 'int64', dims: [2] }]);
    const session = loaded.session(), x = Float32Array.of(1, -2, 3, 4);
    const { y, s } = await session.run({ x: new Tensor(x, [2, 2]), i: { data: BigInt64Array.of(5n, -7n) } });
    assert.ok(y instanceof Tensor);
    assert.deepEqual([y.type, y.dims, [...y.data]], ['float', [2, 2], [-1, 2, -3, -4]]);
    assert.deepEqual([...s.data], [10n, -14n]);
    assert.equal(x.length, 4); // not given away
    const part = await session.run({ x: new Tensor(x.subarray(2), [1, 2]), i: { data: BigInt64Array.of(0n, 0n) } }, { outputs: ['y'], transfer: true });
    assert.deepEqual([[...part.y.data], x.length], [[-3, -4], 4]); // nor is what it is a part of
    const { y: again, ...others } = await session.run({ x: new Tensor(x, [2, 2]), i: { data: BigInt64Array.of(0n, 0n) } }, { outputs: ['y'], transfer: true });
    assert.deepEqual([[...again.data], others], [[-1, 2, -3, -4], {}]);
    session.free();
    loaded.free();
  },

  async inputs_of_a_run_are_its_own({ Model, Tensor }, assert) {
    const loaded = await Model.load(model('(float[1] x) => (y) <float[1] k = {10}> { y = Add (x, k) }'.replace('(float[1] x)', '(float[1] x, float[1] k)')));
    const session = loaded.session(), of = v => new Tensor(Float32Array.of(v)), run = async inputs => (await session.run(inputs)).y.data[0];
    assert.equal(loaded.inputs[1].optional, true);
    assert.equal(await run({ x: of(1) }), 11);
    assert.equal(await run({ x: of(1), k: of(5) }), 6);
    assert.equal(await run({ x: of(1) }), 11);
    await assert.rejects(run({ k: of(5) }), error => error.code === 'ARGUMENT' && /input 'x' is not given, expected float\[1\]/.test(error.message));
    session.free();
    loaded.free();
  },

  async models_are_inspected_and_checked({ Model, Tensor }, assert) {
    const loaded = await Model.load(model('(float[N,4] x) => (y) { m = Softmax (x)  y = Neg (m) }'));
    const { nodes, operators } = await loaded.inspect();
    assert.deepEqual([nodes, operators.map(({ name, runs_as }) => `${name} ${runs_as}`)], [2, ['Softmax native', 'Neg native']]);
    const later = encoder.encode('<ir_version: 9, opset_import: ["" : 99]> g (float[2] x) => (y) { y = Neg (x) }');
    const newer = await Model.load(later, { newer: true, memoryCap: 1e8, deadline: 60 });
    assert.deepEqual([(await newer.inspect()).nodes, (await newer.check()).disagreements], [1, 0]);
    newer.free();
    for (const options of [{ dims: { N: 3 } }, { inputs: { x: new Tensor(Float32Array.of(1, 2, 3, 4), [1, 4]) } }]) {
      const { disagreements, axes: [{ values, runs }] } = await loaded.check(options);
      assert.deepEqual([disagreements, values, runs.some(run => run.run.startsWith('Softmax'))], [0, 2, true]);
    }
    const fails = words => error => error.code === 'ARGUMENT' && words.test(error.message);
    await assert.rejects(loaded.check({ dims: { Q: 3 } }), fails(/--dim Q=3: no input has such a dimension/));
    await assert.rejects(loaded.check({ inputs: { z: new Tensor(Float32Array.of(1)) } }), fails(/z=input_0.npy: the model has no input 'z'/));
    await assert.rejects(loaded.check({ inputs: { x: { type: 'bfloat16', dims: [1], data: Uint16Array.of(1) } } }), error => error.code === 'TYPE');
    loaded.free();
    await assert.rejects(loaded.inspect(), fails(/has been freed/));
  },

  async the_command_reads_and_writes_files({ command }, assert) {
    const files = { 'neg.onnxtxt': NEG, 'x/two.json': new Blob(['[1, 2]']) };
    const { status, out, err, files: written } = await command(['run', 'neg.onnxtxt', '-i', 'x/two.json', '-o', 'out/', '--print'], { files });
    assert.deepEqual([status, err, Object.keys(written)], [0, '', ['out/y.npy']]);
    assert.ok(out.includes('[-1. -2.]'), out);
    assert.deepEqual([...new Float32Array(written['out/y.npy'].slice(-8).buffer)], [-1, -2]);
    const { files: { 'run.json': record } } = await command(['run', 'neg.onnxtxt', '-i', 'x/two.json', '--record', 'run.json'], { files });
    const again = await command(['test', 'run.json'], { files: { ...files, 'run.json': record } });
    assert.deepEqual([again.status, /1 passed/.test(again.out)], [0, true]);
    const failed = await command(['run', 'none.onnx']);
    assert.deepEqual([failed.status, /none\.onnx: /.test(failed.err)], [3, true]);
    const stop = new AbortController(), endless = command(['run', 'e.onnxtxt', '--fill', 'zeros'], { files: { 'e.onnxtxt': ENDLESS }, signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 100);
    await assert.rejects(endless, /enough/);
  },

  async runs_take_turns({ Model, Tensor }, assert) {
    const loaded = await Model.load(NEG), session = loaded.session();
    const results = await Promise.all([1, 2, 3].map(n => session.run({ x: new Tensor(Float32Array.of(n)) })));
    assert.deepEqual(results.map(({ y }) => y.data[0]), [-1, -2, -3]);
    session.free();
    loaded.free();
  },

  async sessions_have_their_own_memory({ Model, Tensor }, assert) {
    const loaded = await Model.load(NEG), sessions = [loaded.session(), loaded.session({ unfused: 'fast' })];
    sessions[0].free();
    const { y } = await sessions[1].run({ x: new Tensor(Float32Array.of(7)) });
    assert.equal(y.data[0], -7);
    await assert.rejects(sessions[0].run({ x: new Tensor(Float32Array.of(7)) }), error => error.code === 'ARGUMENT' && /freed/.test(error.message));
    loaded.free();
    assert.equal((await sessions[1].run({ x: new Tensor(Float32Array.of(8)) })).y.data[0], -8); // a session outlives its model
    sessions[1].free();
    assert.throws(() => loaded.session(), error => error.code === 'ARGUMENT' && /freed/.test(error.message));
  },

  async errors_tell_code_and_node({ Model, OcellusError, Tensor }, assert) {
    const fails = (code, words, node = null) => error => error instanceof OcellusError && error.code === code && words.test(error.message) &&
      error.node === node;
    await assert.rejects(Model.load(Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10, 0)), fails('FORMAT', /not an ONNX model \(looks like PNG\)/));
    await assert.rejects(Model.load(42), fails('ARGUMENT', /42 is no address/));
    const loaded = await Model.load(model('(float[a] x, float[b] z) => (y) { y = Add (x, z) }'.replace('y = Add', '[sum] y = Add')));
    const session = loaded.session(), three = new Tensor(new Float32Array(3)), two = new Tensor(new Float32Array(2));
    await assert.rejects(session.run({ x: three, z: two }), fails('SHAPE', /\[3\]/, 'sum'));
    await assert.rejects(session.run({ x: three }), fails('ARGUMENT', /input 'z'/));
    await assert.rejects(session.run({ x: three, z: 3 }), fails('ARGUMENT', /input 'z' is 3/));
    await assert.rejects(session.run({ x: three, z: three, q: three }), fails('ARGUMENT', /'q'/));
    await assert.rejects(session.run({ x: three, z: three }, { outputs: ['nope'] }), fails('ARGUMENT', /no output 'nope'/));
    assert.deepEqual([...(await session.run({ x: three, z: three })).y.data], [0, 0, 0]); // it stays of use
    session.free();
    const slow = loaded.session({ unfused: 'slow' });
    await assert.rejects(slow.run({ x: three, z: three }), fails('ARGUMENT', /unfused/));
    slow.free();
    loaded.free();
  },

  async what_cannot_be_loaded_is_named({ Model, Tensor }, assert) {
    const fails = (code, words) => error => error.code === code && words.test(error.message);
    const whole = encoder.encode(`${TEXT} (float[2] x) => (y) { y = Neg (x) }`);
    await assert.rejects(Model.load(whole.subarray(0, 60)), fails('FORMAT', /line 1, column \d+/)); // a cut model
    await assert.rejects(Model.load('no-such-model.onnx'), fails('IO', /no-such-model\.onnx: (the server answers 404|there is no such file)/));
    await assert.rejects(Model.load(new Uint8Array(0)), fails('FORMAT', /empty|no bytes|not an ONNX model/));
    await assert.rejects(Model.load(new File([Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10, 0)], 'cat.onnx')), fails('FORMAT', /^cat\.onnx: not an ONNX model/));
    await assert.rejects(Model.load(NEG, { nope: 1 }), fails('ARGUMENT', /Model\.load has no option 'nope'/));
    const stop = new AbortController(), load = Model.load(NEG, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await assert.rejects(load, /enough/);
    const missing = model('(float[1] x) => (y) <float[1] w = ["location": "w.bin"]> { y = Add (x, w) }');
    await assert.rejects(Model.load(missing), fails('IO', /w\.bin/));
    const loaded = await Model.load(missing, { externalData: { 'w.bin': new Uint8Array(Float32Array.of(2).buffer) } }), session = loaded.session();
    const [a, b] = await Promise.all([1, 2].map(n => session.run({ x: new Tensor(Float32Array.of(n)) }))); // two at once
    assert.deepEqual([a.y.data[0], b.y.data[0]], [3, 4]);
    session.free();
    loaded.free();
  },

  async signals_end_runs({ Model, Tensor }, assert) {
    const loaded = await Model.load(ENDLESS), session = loaded.session(), x = new Tensor(Float32Array.of(1, 2));
    for (let round = 0; round < 2; round++) {
      const stop = new AbortController();
      setTimeout(() => stop.abort(new Error('enough')), 50);
      const start = performance.now();
      await assert.rejects(session.run({ x }, { signal: stop.signal }), /enough/);
      assert.ok(performance.now() - start < 5000, `it took ${performance.now() - start} ms`);
    }
    const limited = loaded.session({ deadline: 0.05 });
    await assert.rejects(limited.run({ x }), error => error.code === 'DEADLINE');
    await assert.rejects(session.run({ x }, { signal: AbortSignal.abort(new Error('before')) }), /before/);
    limited.free();
    session.free();
    loaded.free();
  },

  async signals_are_heard_while_a_run_waits({ Model, Tensor }, assert) {
    const loaded = await Model.load(ENDLESS), session = loaded.session({ deadline: 3 }), x = new Tensor(Float32Array.of(1, 2));
    const first = session.run({ x }).catch(error => error.code), stop = new AbortController(), start = performance.now();
    setTimeout(() => stop.abort(new Error('enough')), 20);
    await assert.rejects(session.run({ x }, { signal: stop.signal }), /enough/);
    assert.ok(performance.now() - start < 2500, `it took ${performance.now() - start} ms`);
    assert.equal(await first, 'DEADLINE');
    session.free();
    loaded.free();
  },

  async sessions_are_freed_while_they_run({ Model, Tensor }, assert) {
    const loaded = await Model.load(NEG), x = new Tensor(Float32Array.of(1));
    for (const wait of [0, 1, 5, 20]) {
      const session = loaded.session();
      await session.ready();
      const run = session.run({ x }).then(({ y }) => y.data[0], error => error.code);
      for (let i = 0; i < 20; i++)
        await Promise.resolve(); // the call goes out
      for (const start = performance.now(); performance.now() - start < wait;); // the answer comes, and is not heard yet
      session.free();
      assert.ok([-1, 'CANCELLED', 'ARGUMENT'].includes(await run), String(await run));
    }
    loaded.free();
  },

  async mistakes_leave_the_worker({ Model, Tensor }, assert) {
    const loaded = await Model.load(NEG), session = loaded.session();
    const fails = (code, words) => error => error.code === code && words.test(error.message);
    await assert.rejects(session.run({ x: { data: new Float32Array(1), dims: [1.5] } }), fails('SHAPE', /\[1\.5\] are no dims/));
    await assert.rejects(session.run({ x: { type: 'float', data: [1, 2], dims: [2] } }), fails('TYPE', /given as Array/));
    const given = new Tensor(Float32Array.of(1, 2));
    assert.deepEqual([...(await session.run({ x: given }, { transfer: true })).y.data], [-1, -2]);
    await assert.rejects(session.run({ x: given }), fails('ARGUMENT', /given away/));
    await assert.rejects(session.run({ x: null }), fails('ARGUMENT', /'x' is null/));
    await assert.rejects(session.run({ x: new Float32Array(9) }), fails('ARGUMENT', /'x' is a Float32Array of 9, expected new Tensor/));
    await assert.rejects(session.run({ x: given, y: given }), fails('ARGUMENT', /no input 'y', expected x/));
    await assert.rejects(session.run({ x: given }, { sgnal: 1 }), fails('ARGUMENT', /run has no option 'sgnal'/));
    await assert.rejects(Model.load(NEG, { memory: 1 }), fails('ARGUMENT', /Model.load has no option 'memory', expected memoryCap/));
    await assert.rejects(loaded.predictor({ labels: 'a.txt' }), fails('ARGUMENT', /labels is 'a.txt', expected an array/));
    session.free();
    const lines = [], heard = loaded.session({ log: line => lines.push(line) });
    await heard.run({ x: new Tensor(Float32Array.of(1)) });
    assert.ok(/plan: 1 node/.test(lines.join()), lines.join());
    heard.free();
    loaded.free();
  },

  async external_data({ Model, Tensor }, assert) {
    // Bytes of a model whose initializer w, float[2], lies in weights.bin: fields of ModelProto by their numbers.
    const field = (number, bytes) => [number << 3 | 2, bytes.length, ...bytes], text = (number, t) => field(number, encoder.encode(t));
    const entry = (key, value) => field(13, [...text(1, key), ...text(2, value)]);
    const weight = field(5, [8, 2, 16, 1, ...text(8, 'w'), ...entry('location', 'weights.bin'), 112, 1]);
    const value = (number, name) => field(number, [...text(1, name), ...field(2, field(1, [8, 1, ...field(2, field(1, [8, 2]))]))]);
    const node = field(1, [...text(1, 'x'), ...text(1, 'w'), ...text(2, 'y'), ...text(4, 'Add')]);
    const bytes = Uint8Array.from([8, 9, ...field(7, [...node, ...text(2, 'g'), ...weight, ...value(11, 'x'), ...value(12, 'y')]), ...field(8, [16, 20])]);
    const weights = new Uint8Array(Float32Array.of(10, 20).buffer);
    await assert.rejects(Model.load(bytes), error => /weights\.bin/.test(error.message));
    const loaded = await Model.load(bytes, { externalData: { 'weights.bin': weights } }), session = loaded.session();
    assert.deepEqual([...(await session.run({ x: new Tensor(Float32Array.of(1, 2)) })).y.data], [11, 22]);
    session.free();
    loaded.free();
  },

  async pictures_are_inputs({ Model, Picture }, assert) {
    const loaded = await Model.load(model('(float[1,3,1,2] x) => (y) { y = Identity (x) }')), session = loaded.session();
    const pixels = { width: 2, height: 1, data: Uint8Array.of(255, 0, 51, 255, 0, 102, 204, 255) };
    const { y } = await session.run({ x: pixels });
    assert.deepEqual([...y.data], [255, 0, 0, 102, 51, 204].map(v => Math.fround(v / 255)));
    const large = new Uint8Array(100);
    await session.run({ x: { width: 2, height: 1, data: large.subarray(0, 6) } }, { transfer: true });
    assert.equal(large.length, 100);
    const bgr = await session.run({ x: new Picture(pixels, { imageChannels: 'bgr', imageScale: 1, imageMean: '1,2,3' }) });
    assert.deepEqual([...bgr.y.data], [51 - 1, 204 - 1, 0 - 2, 102 - 2, 255 - 3, 0 - 3]);
    await assert.rejects(session.run({ x: { ...pixels, width: 1, height: 2 } }), error => error.code === 'SHAPE' && /takes 2 x 1/.test(error.message));
    await assert.rejects(session.run({ x: new Picture(pixels, { preset: 'nope' }) }), error => /^preset is 'nope'/.test(error.message));
    session.free();
    loaded.free();
  },

  async predicts({ Model, predict }, assert) {
    // Scores of two classes that are the picture's mean of red and of green.
    const loaded = await Model.load(model(`(float[1,3,4,4] image) => (float[1,2] scores) {
      mean = ReduceMean <keepdims = 0> (image, axes)  scores = Slice (mean, from, to, axis) }`.replace('=> (float[1,2] scores)',
      '=> (float[1,2] scores) <int64[2] axes = {2, 3}, int64[1] from = {0}, int64[1] to = {2}, int64[1] axis = {1}>')));
    const pixels = { width: 4, height: 4, data: Uint8Array.from({ length: 64 }, (_, i) => [0, 255, 0, 255][i % 4]) };
    const answer = await predict(loaded, pixels, { labels: ['red', 'green'], preset: 'stretch', draw: true });
    assert.equal(answer.objects[0].name, 'green');
    assert.equal(JSON.parse(JSON.stringify(answer)).objects.length, 2);
    assert.equal(answer.arrays.labels.data[0], 1n);
    assert.ok(answer.drawn.data.length === 4 * answer.drawn.width * answer.drawn.height && answer.drawn.width >= 4);
    await assert.rejects(predict(loaded, pixels, { top: 1.5 }), error => error.code === 'ARGUMENT' && /top is 1\.5, expected a whole number/.test(error.message));
    await assert.rejects(predict(undefined, pixels), error => error.code === 'ARGUMENT' && /undefined is no model/.test(error.message));
    await assert.rejects(predict(loaded, null), error => error.code === 'ARGUMENT' && /null is no picture/.test(error.message));
    const both = await Promise.all([['a', 'b'], ['c', 'd']].map(labels => predict(loaded, pixels, { labels, seed: 1n })));
    assert.deepEqual(both.map(({ objects }) => objects[0].name), ['b', 'd']);
    await assert.rejects(predict(loaded, pixels, { as: 'nope' }), error => /^as is 'nope'|^as nope/.test(error.message));
    const predictor = await loaded.predictor({ labels: ['red', 'green'], log: () => {} });
    loaded.free();
    await assert.rejects(predict(loaded, pixels), error => error.code === 'ARGUMENT' && /freed/.test(error.message));
    assert.equal((await predictor.predict(pixels)).objects[0].name, 'green'); // one that was asked for stays
    assert.equal(predictor.decoder, 'classify');
    const { type, dims, data } = await predictor.prepare(pixels);
    assert.deepEqual([predictor.input, type, dims, data[16] > data[0]], ['image', 'float', [1, 3, 4, 4], true]);
    predictor.free();
  },

  async objects_are_cut_out({ Model }, assert) {
    const loaded = await Model.load(model(`(float[1,3,8,8] images) => (float[1,1,6] output0)
      <float[1,1,6] box = {2, 1, 6, 7, 0.9, 3}, float[1] none = {0}, int64[4] all = {0, 1, 2, 3}>
      { sum = ReduceSum <keepdims = 0> (images, all)  zero = Mul (sum, none)  output0 = Add (box, zero) }`));
    const predictor = await loaded.predictor({ as: 'end2end', preset: 'stretch' });
    const data = Uint8Array.from({ length: 192 }, (_, i) => i), pixels = { width: 8, height: 8, data };
    const answer = await predictor.predict(pixels, { crops: true, draw: true });
    assert.deepEqual([answer.objects.length, answer.objects[0].label, answer.objects[0].box], [1, 3, [2, 1, 6, 7]]);
    assert.deepEqual([answer.crops[0].width, answer.crops[0].height, answer.crops.length], [4, 6, 1]);
    assert.deepEqual([...answer.crops[0].data.subarray(0, 8)], [30, 31, 32, 255, 33, 34, 35, 255]); // from the second row's third pixel on
    assert.deepEqual(Object.keys(answer).filter(key => ['arrays', 'crops', 'drawn', 'file'].includes(key)), []); // what JSON gets
    assert.deepEqual([answer.input, answer.fit], [[8, 8], [1, 1, 0, 0]]);
    predictor.free();
    await assert.rejects(predictor.predict(pixels), error => error.code === 'ARGUMENT' && /freed/.test(error.message));
    loaded.free();
  },

  async works_in_this_thread({ Model, Tensor }, assert) {
    const loaded = await Model.load(NEG, { worker: false }), session = loaded.session();
    assert.equal((await session.run({ x: new Tensor(Float32Array.of(7)) })).y.data[0], -7);
    session.free();
    loaded.free();
  },

  async tensors_become_pictures({ Tensor, OcellusError }, assert) {
    const of = (...given) => [...new Tensor(...given).toImageData().data];
    assert.deepEqual(of(Float32Array.of(0, 1, 0.5, 2, -1, 0.2), [1, 3, 1, 2]), [0, 128, 0, 255, 255, 255, 51, 255]);
    assert.deepEqual(of(Uint8Array.of(1, 2, 3, 4, 5, 6), [2, 1, 3]), [1, 2, 3, 255, 4, 5, 6, 255]);
    assert.deepEqual(of(Float32Array.of(1), [1, 1]), [255, 255, 255, 255]);
    assert.throws(() => new Tensor(new Float32Array(4), [2, 2, 1]).toImageData({ layout: 'nchw' }), error => error instanceof OcellusError && error.code === 'SHAPE');
    assert.throws(() => new Tensor(new Float32Array(4)).toImageData(), error => error.code === 'SHAPE');
  },
};

// Runs these tests with the package's front, and those of onnxruntime.mjs with the script of that name. Resolves to the number of those
// that passed, and a text for each that failed.
export async function run(ocellus, onnxruntime, assert, only = '') {
  const failures = [], all = [...Object.entries(tests).map(([name, test]) => [name, test, ocellus]),
    ...Object.entries(ofOnnxRuntime).map(([name, test]) => [name, test, onnxruntime])];
  let passed = 0;
  for (const [name, test, subject] of all.filter(([name]) => name.includes(only)))
    try {
      await test(subject, assert);
      passed++;
    } catch (error) {
      failures.push(`${name}: ${error.stack ?? error}`);
    }
  return { passed, failures };
}
