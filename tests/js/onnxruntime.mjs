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

  // transformers.js takes versions.web as a wish to fetch ONNX Runtime's own module.
  async env_names_no_module_to_fetch({ env }, assert) {
    assert.deepEqual(env.versions, { common: '1.30.0' });
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
    row.dispose();
    assert.throws(() => row.data, /disposed/);
    const image = await Tensor.fromImage({ width: 2, height: 1, data: Uint8ClampedArray.of(255, 0, 51, 255, 0, 102, 204, 255) },
      { tensorFormat: 'BGR', norm: { mean: [1, 2, 51], bias: [0, 2, 0] } });
    assert.deepEqual([image.dims, [...image.data]], [[1, 3, 1, 2], [1, 4, 1, 52, 255, 0]]);
  },
};
