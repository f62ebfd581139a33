// SPDX-License-Identifier: Apache-2.0
// onnxruntime.mjs - what programs of onnxruntime-web expect of the package's onnxruntime.mjs; run as package.mjs' tests are. Values are
// from the operators' definitions.
const TEXT = '<ir_version: 9, opset_import: ["" : 20]> g';
const model = body => new TextEncoder().encode(`${TEXT} ${body}`);

export const tests = {
  async a_session_runs({ InferenceSession, Tensor }, assert) {
    const session = await InferenceSession.create(model('(float[N,2] x, int64[2] i, bool[2] b, string[1] s) => (y, j, c, t) {\n' +
      'y = Neg (x)  j = Add (i, i)  c = Not (b)  t = Identity (s) }'), { executionProviders: ['wasm'], graphOptimizationLevel: 'all' });
    assert.deepEqual([session.inputNames, session.outputNames], [['x', 'i', 'b', 's'], ['y', 'j', 'c', 't']]);
    assert.deepEqual(session.inputMetadata[0], { name: 'x', isTensor: true, type: 'float32', shape: ['N', 2] });
    const feeds = { x: new Tensor('float32', [1, -2], [1, 2]), i: new Tensor('int64', BigInt64Array.of(3n, 4n), [2]),
      b: new Tensor('bool', [true, false], [2]), s: new Tensor('string', ['größer'], [1]) };
    const { y, j, c, t } = await session.run(feeds);
    assert.ok(y instanceof Tensor);
    assert.deepEqual([y.type, y.dims, [...y.data], y.size, y.location], ['float32', [1, 2], [-1, 2], 2, 'cpu']);
    assert.deepEqual([j.type, [...j.data], c.type, [...c.data], t.type, [...t.data]], ['int64', [6n, 8n], 'bool', [0, 1], 'string', ['größer']]);
    assert.deepEqual(Object.keys(await session.run(feeds, ['c'])), ['c']);
    const own = new Tensor('float32', new Float32Array(2), [1, 2]), into = await session.run(feeds, { y: own, c: null }, { tag: 'second' });
    assert.ok(into.y === own && own.data[0] === -1 && into.c.data[1] === 1);
    const texts = new Tensor('string', [''], [1]);
    assert.equal((await session.run(feeds, { t: texts })).t.data[0], 'größer');
    await session.release();
    await assert.rejects(session.run(feeds), /freed/);
  },

  async a_row_of_one_element_is_a_scalar({ InferenceSession, Tensor }, assert) {
    const session = await InferenceSession.create(model('(int64 rate, int64[1] row) => (y, z) { y = Neg (rate)  z = Neg (row) }'));
    const rate = new Tensor('int64', [16000n]), { y, z } = await session.run({ rate, row: rate });
    assert.deepEqual([y.dims, [...y.data], z.dims], [[], [-16000n], [1]]);
    await assert.rejects(session.run({ rate: new Tensor('int64', [1n, 2n]), row: rate }), /rate/);
    await session.release();
  },

  async what_programs_ask_of_env_and_exports(ort, assert) {
    const { env } = ort;
    assert.deepEqual(env.versions, { common: '1.30.0' }); // transformers.js takes `web` as a wish to fetch ONNX Runtime's own module
    env.logLevel = 'error';
    assert.deepEqual([{ ...env }.logLevel, env.trace], ['error', false]);
    assert.throws(() => { env.logLevel = 'loud'; }, /Unsupported logging level: loud/);
    env.logLevel = 'warning';
    Object.assign(env.wasm, { wasmPaths: { wasm: '/nowhere.wasm', mjs: '/nowhere.mjs' }, numThreads: 4, proxy: true });
    for (const name of ['TRACE', 'TRACE_FUNC_BEGIN', 'TRACE_FUNC_END', 'TRACE_EVENT_BEGIN', 'TRACE_EVENT_END', 'registerBackend'])
      assert.equal(ort[name](), undefined);
    assert.equal(ort.listSupportedBackends()[0].name, 'cpu');
    for (const name of Object.keys(ort).filter(n => !['default', 'configure', 'OcellusError', 'module.exports'].includes(n)))
      assert.ok(ort.default[name] === ort[name], name);
  },

  async what_programs_ask_of_sessions({ InferenceSession, Tensor }, assert) {
    const warnings = [], { warn } = console;
    console.warn = text => warnings.push(text);
    const text = model('(float[N,?] x, float16 h, string s) => (float[N,?] y, seq(float[N,?]) q) { y = Neg (x)  q = SequenceConstruct (x, x) }');
    const made = options => InferenceSession.create(text, options);
    for (const logSeverityLevel of [2, 3])
      await (await made({ executionProviders: [{ name: 'webgpu' }, 'cpu'], logSeverityLevel, preferredOutputLocation: 'cpu' })).release();
    console.warn = warn;
    assert.deepEqual(warnings, ["ocellus: execution provider 'webgpu' is not here: the processor runs"]);
    const session = await made({ freeDimensionOverrides: { N: 1 } });
    assert.deepEqual(session.inputMetadata, [{ name: 'x', isTensor: true, type: 'float32', shape: ['N', ''] },
      { name: 'h', isTensor: true, type: 'float16', shape: [] }, { name: 's', isTensor: true, type: 'string', shape: [] }]);
    assert.deepEqual(session.outputMetadata[1], { name: 'q', isTensor: false });
    const x = new Tensor('float32', [1, 2], [1, 2]), feeds = { x, h: new Tensor('float16', Uint16Array.of(0), []), s: new Tensor('string', ['a'], []) };
    const { q } = await session.run({ ...feeds, other: x }, {});
    assert.deepEqual(q.map(({ data }) => [...data]), [[1, 2], [1, 2]]);
    assert.deepEqual(Object.keys(await session.run(feeds, { y: null, tag: 'not an output' })), ['y']);
    await session.handler.dispose();
    await assert.rejects(session.run(feeds), /freed/);
  },

  async what_is_wrong_is_told({ InferenceSession, Tensor }, assert) {
    await assert.rejects(InferenceSession.create(Uint8Array.of(1, 2, 3)), /ONNX/);
    const text = model('(float[2] x) => (y) { y = Neg (x) }');
    await assert.rejects(InferenceSession.create(text, { extra: { ocellus: { unfussed: 'fast' } } }), /no option 'unfussed'/);
    await (await InferenceSession.create(text, { extra: { ocellus: { unfused: 'fast', deadline: 5 } } })).release();
    const session = await InferenceSession.create(model('(float[2] x) => (y) { y = Neg (x) }'));
    await assert.rejects(session.run({}), /input 'x' is missing in 'feeds'/);
    await assert.rejects(session.run({ x: new Tensor(new Float32Array(3)) }), /x/);
    await assert.rejects(session.run({ x: new Tensor(new Float32Array(2)) }, ['z']), /invalid output name: z/);
    assert.throws(() => new Tensor('float32', new Float32Array(3), [2]), /size\(2\) does not match data length\(3\)/);
    assert.throws(() => new Tensor('float32', Int32Array.of(1), [1]), error => error instanceof TypeError);
    assert.throws(() => new Tensor('float7', [1], [1]), /Unsupported tensor type/);
    await session.release();
  },

  async tensors({ Tensor }, assert) {
    assert.equal(new Tensor(Uint16Array.of(1)).type, 'uint16');
    const row = new Tensor(Float32Array.of(0, 1, 0.5)), square = row.reshape([1, 3, 1, 1]);
    assert.deepEqual([row.type, row.dims, square.dims], ['float32', [3], [1, 3, 1, 1]]);
    assert.deepEqual([...square.toImageData({ norm: { mean: 255 } }).data], [0, 255, 128, 255]);
    assert.deepEqual([...(await row.getData())], [0, 1, 0.5]);
    assert.deepEqual([...new Tensor(Float32Array.of(4, 2, 3), [1, 3, 1, 1]).toImageData({ format: 'BGR', norm: { mean: [10, 20, 30], bias: [1, 0, 2] } }).data],
      [20, 40, 60, 255]); // (3 - 1) * 10, 2 * 20, (4 - 2) * 30
    assert.deepEqual([...new Tensor(Float32Array.of(0, 1, 1, 0, 0, 1), [1, 1, 2, 3]).toImageData({ tensorLayout: 'NHWC', norm: { mean: [255, 100, 50] } }).data],
      [0, 100, 50, 255, 0, 0, 50, 255]);
    row.dispose();
    assert.throws(() => row.data, /disposed/);
    assert.equal(row.location, 'none');
    for (const data of [[], [1, 2]])
      assert.throws(() => new Tensor(data), error => error instanceof TypeError);
    const image = await Tensor.fromImage({ width: 2, height: 1, data: Uint8ClampedArray.of(255, 0, 51, 255, 0, 102, 204, 255) },
      { tensorFormat: 'BGR', norm: { mean: [1, 2, 51], bias: [0, 2, 0] } });
    assert.deepEqual([image.dims, [...image.data]], [[1, 3, 1, 2], [1, 4, 1, 52, 255, 0]]);
    const gray = { width: 2, height: 2, data: Uint8Array.of(10, 20, 30, 40) };
    const placed = async (resizedWidth, resizedHeight) =>
      [...(await Tensor.fromImage(gray, { dataType: 'uint8', resizedWidth, resizedHeight })).data.subarray(0, resizedWidth * resizedHeight)];
    assert.deepEqual([await placed(3, 1), await placed(1, 3)], [[10, 20, 0], [10, 30, 0]]);
  },

  async tensors_that_are_elsewhere({ InferenceSession, Tensor }, assert) {
    const buffer = { size: 8 }, gone = [], download = async () => Float32Array.of(1, 2), dispose = () => gone.push(1);
    const there = Tensor.fromGpuBuffer(buffer, { dims: [2], download, dispose });
    assert.ok(there.gpuBuffer === buffer);
    assert.deepEqual([there.type, there.location, there.size], ['float32', 'gpu-buffer', 2]);
    assert.throws(() => there.data, /getData/);
    assert.throws(() => there.texture, /WebGL texture/);
    assert.throws(() => there.reshape([2, 1]), /GPU/);
    const session = await InferenceSession.create(model('(float[2] x) => (y) { y = Neg (x) }'));
    assert.deepEqual([...(await session.run({ x: there })).y.data], [-1, -2]);
    assert.deepEqual([there.location, gone.length, [...await there.getData()]], ['cpu', 0, [1, 2]]);
    there.dispose();
    assert.equal(gone.length, 1);
    await assert.rejects(session.run({ x: there }), /disposed/);
    await assert.rejects(session.run({ x: Tensor.fromMLTensor({}, { dims: [2] }) }), /downloader/);
    await session.release();
    const pinned = Tensor.fromPinnedBuffer('int32', Int32Array.of(1, 2)), texture = Tensor.fromTexture({}, { width: 2, height: 3 });
    assert.deepEqual([pinned.location, pinned.dims, texture.dims, texture.location], ['cpu-pinned', [2], [1, 3, 2, 4], 'texture']);
    assert.throws(() => new Tensor({ location: 'moon', type: 'float32', dims: [1] }), /unsupported location 'moon'/);
  },
};

// Pages have no paths.
if (globalThis.process?.versions?.node)
  tests.weights_of_other_files = async ({ InferenceSession, Tensor }, assert) => {
    const { mkdtempSync, rmSync, writeFileSync } = await import('node:fs');
    const text = (w, v) => model(`(float[2] x) => (y) <float[2] w = ["location": "${w}"], float[2] v = ["location": "${v}"]> {\n` +
      't = Add (x, w)  y = Add (t, v) }');
    const folder = mkdtempSync(`${process.env.TMPDIR ?? '/tmp'}/ocellus-ort-`), path = `${folder}/m.onnx`, x = new Tensor(Float32Array.of(1, 2));
    writeFileSync(`${folder}/w.bin`, Float32Array.of(10, 20));
    writeFileSync(`${folder}/v.bin`, Float32Array.of(100, 200));
    writeFileSync(path, text('w.bin', 'v.bin'));
    const beside = await InferenceSession.create(path);
    assert.deepEqual([...(await beside.run({ x })).y.data], [111, 222]);
    const data = new Uint8Array(Float32Array.of(0, 0).buffer);
    const given = await InferenceSession.create(path, { externalData: [{ path: './w.bin', data }, `${folder}/v.bin`] });
    assert.deepEqual([...(await given.run({ x })).y.data], [101, 202]);
    await Promise.all([beside, given].map(session => session.release()));
    for (const [name, reason] of [['lost.bin', /lost\.bin: there is no such file/], ['../w.bin', /IO|outside|refused/], ['/etc/hostname', /./]]) {
      writeFileSync(path, text(name, 'v.bin'));
      const error = await InferenceSession.create(path).catch(e => e);
      assert.ok(reason.test(error.message) && error.code === 'IO', `${name}: ${error.code} ${error.message}`);
    }
    rmSync(folder, { recursive: true });
  };
