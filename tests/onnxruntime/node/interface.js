// SPDX-License-Identifier: Apache-2.0
//
// interface.js - what people call of onnxruntime-node, held against what it promises.
//
//     node interface.js NODE_MODULES OCELLUS
'use strict';
const assert = require('assert');
const { execFileSync, spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { Worker } = require('worker_threads');

const [modules, ocellus] = process.argv.slice(2);
const ort = require(path.join(modules, 'onnxruntime-node'));
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'interface-'));

// ---- tools

const tests = [];
const test = (name, run) => tests.push([name, run]);

// The path of a model that is written as text: "NAME (inputs) => (outputs) { nodes }".
function model(text, header = 'ir_version: 8, opset_import: ["" : 17, "ai.onnx.ml" : 3]') {
    const file = path.join(scratch, `model_${tests.length}_${model.count = (model.count || 0) + 1}`);
    fs.writeFileSync(`${file}.onnxtxt`, `<${header}>\n${text}\n`);
    execFileSync(ocellus, ['convert', `${file}.onnxtxt`, `${file}.onnx`], { stdio: ['ignore', 'ignore', 'inherit'] });
    return `${file}.onnx`;
}

const create = (...words) => ort.InferenceSession.create(...words);
const floats = (data, dims = [data.length]) => new ort.Tensor('float32', Float32Array.from(data), dims);
const list = (tensor) => Array.from(tensor.data);

// A model of two inputs and two outputs, and one of a weight.
const RELU = model('relu (float[N,4] x) => (float[N,4] y) { y = Relu (x) }');
const PAIR = model('pair (float[N] a, float[N] b) => (float[N] sum, float[N] product) { sum = Add (a, b) product = Mul (a, b) }');
const WEIGHT = model('weight (float[2] x) => (float[2] y) <float[2] w = {10, 20}> { y = Mul (x, w) }');

// The session of RELU still works.
async function works(session) {
    const { y } = await session.run({ x: floats([-1, 2, -3, 4], [1, 4]) });
    assert.deepStrictEqual([y.type, y.dims, list(y)], ['float32', [1, 4], [0, 2, 0, 4]]);
}

// ---- sessions

test('what a model declares', async () => {
    const session = await create(model(
        'all (float[N,3,?] x, int64 n, string["a b"] s, float[2] w = {1, 2}) => (bool[N] y, float16 h)' +
        '{ t = ReduceMax <keepdims = 0, axes = [1, 2]> (x) u = Cast <to = 10> (n) h = Identity (u) y = Cast <to = 9> (t) }'));
    assert.deepStrictEqual(session.inputNames, ['x', 'n', 's']);
    assert.deepStrictEqual(session.outputNames, ['y', 'h']);
    assert.deepStrictEqual(session.inputMetadata, [
        { name: 'x', isTensor: true, type: 'float32', shape: ['N', 3, ''] },
        { name: 'n', isTensor: true, type: 'int64', shape: [] },
        { name: 's', isTensor: true, type: 'string', shape: ['a b'] }]);
    assert.deepStrictEqual(session.outputMetadata.map(({ type, shape }) => [type, shape]), [['bool', ['N']], ['float16', []]]);
});

test('a model from a path, a Buffer, an ArrayBuffer and a part of one', async () => {
    const bytes = fs.readFileSync(RELU), wide = new Uint8Array(bytes.length + 20);
    wide.set(bytes, 7);
    const named = path.join(scratch, 'über model.onnx');
    fs.copyFileSync(RELU, named);
    for (const from of [[RELU], [named], [bytes], [new Uint8Array(bytes).buffer], [wide.buffer, 7, bytes.length],
        [wide.subarray(7, 7 + bytes.length)]])
        await works(await create(...from));
});

test("a model's bytes are the caller's again once the session is made", async () => {
    const bytes = new Uint8Array(fs.readFileSync(WEIGHT)), session = await create(bytes);
    bytes.fill(255);
    assert.deepStrictEqual(list((await session.run({ x: floats([1, 2]) })).y), [10, 40]);
});

// A field of a message: a number, a text, or the fields of a message.
function field(number, value) {
    if (typeof value === 'number')
        return Buffer.from([number << 3, value]);
    const bytes = typeof value === 'string' ? Buffer.from(value) : Buffer.concat(value);
    return Buffer.concat([Buffer.from([number << 3 | 2, bytes.length]), bytes]);
}

// ModelProto: y = Mul (x, w) of two floats each, the elements of w at byte 4 of the file outside.bin.
function outside() {
    const type = field(2, [field(1, [field(1, 1), field(2, [field(1, [field(1, 2)])])])]);
    const place = [['location', 'outside.bin'], ['offset', '4'], ['length', '8']];
    const w = [field(1, 2), field(2, 1), field(8, 'w'), field(14, 1),
        ...place.map(([key, value]) => field(13, [field(1, key), field(2, value)]))];
    const node = [field(1, 'x'), field(1, 'w'), field(2, 'y'), field(4, 'Mul')];
    const graph = [field(1, node), field(2, 'outside'), field(5, w), field(11, [field(1, 'x'), type]),
        field(12, [field(1, 'y'), type])];
    return Buffer.concat([field(1, 8), field(7, graph), field(8, [field(2, 17)])]);
}

test('weights in another file', async () => {
    const file = path.join(scratch, 'outside.onnx'), data = Buffer.from(Float32Array.from([0, 3, 5]).buffer);
    const beside = path.join(scratch, 'outside.bin'), bytes = outside();
    const product = async (...words) => list((await (await create(...words)).run({ x: floats([1, 2]) })).y);
    fs.writeFileSync(file, bytes);
    await assert.rejects(product(file), /outside\.bin/);
    fs.writeFileSync(beside, data);
    assert.deepStrictEqual(await product(file), [3, 10]);
    fs.rmSync(beside);
    assert.deepStrictEqual(await product(bytes, { externalData: [{ path: 'outside.bin', data }] }), [3, 10]);
    await assert.rejects(product(bytes), /outside\.bin/);
    await assert.rejects(product(bytes, { externalData: [{ path: 'other.bin', data }] }), /outside\.bin/);
    await assert.rejects(product(bytes, { externalData: [{ path: 'outside.bin', data: data.subarray(0, 8) }] }));
});

test('options as people pass them', async () => {
    for (const options of [{}, { executionProviders: ['cpu'] }, { executionProviders: [{ name: 'cpu' }] },
        ...['disabled', 'basic', 'extended', 'layout', 'all'].map((graphOptimizationLevel) => ({ graphOptimizationLevel })),
        ...[0, 1, 2, 64].map((n) => ({ intraOpNumThreads: n, interOpNumThreads: n })),
        { executionMode: 'sequential' }, { executionMode: 'parallel' }, { enableCpuMemArena: false }, { enableCpuMemArena: true },
        { enableMemPattern: false }, { enableMemPattern: true }, { enableProfiling: false }, { logId: 'mine' },
        { logSeverityLevel: 4, logVerbosityLevel: 2 }, { freeDimensionOverrides: { N: 1 } }, { unknown: true },
        { preferredOutputLocation: 'cpu' }, { preferredOutputLocation: { y: 'cpu' } },
        { extra: { session: { intra_op: { allow_spinning: '0' }, force_spinning_stop: '1', use_env_allocators: '1' } } },
        { extra: { session: { set_denormal_as_zero: '0' }, optimization: { enable_gelu_approximation: '0' } }, logSeverityLevel: 4 }]) {
        const session = await create(RELU, options);
        await works(session);
        await session.release();
    }
});

test('a profile is written', async () => {
    const session = await create(RELU, { enableProfiling: true, profileFilePrefix: path.join(scratch, 'profile') });
    await works(session);
    session.endProfiling();
    await session.release();
    const files = fs.readdirSync(scratch).filter((name) => name.startsWith('profile'));
    assert.strictEqual(files.length, 1);
    const events = JSON.parse(fs.readFileSync(path.join(scratch, files[0])));
    assert(events.some(({ cat, args }) => cat === 'Node' && args.op_name === 'Relu'), JSON.stringify(events));
});

test('a model as it was optimised is written', async () => {
    const optimizedModelFilePath = path.join(scratch, 'optimised.onnx');
    await works(await create(RELU, { optimizedModelFilePath, graphOptimizationLevel: 'basic' }));
    await works(await create(optimizedModelFilePath));
});

test('processors that are not there', async () => {
    for (const name of ['cuda', 'tensorrt', 'webgpu'])
        await assert.rejects(create(RELU, { executionProviders: [name, 'cpu'], logSeverityLevel: 4 }), new RegExp(name, 'i'));
});

test('a session that is released', async () => {
    const session = await create(RELU);
    await session.release();
    await assert.rejects(works(session), /disposed/);
    await assert.rejects(session.release(), /disposed/);
    await works(await create(RELU));
});

// ---- runs

test('every type, there and back', async () => {
    const types = { float32: Float32Array, uint8: Uint8Array, int8: Int8Array, uint16: Uint16Array, int16: Int16Array,
        int32: Int32Array, int64: BigInt64Array, bool: Uint8Array, float16: Uint16Array, float64: Float64Array,
        uint32: Uint32Array, uint64: BigUint64Array };
    const names = { float32: 'float', float64: 'double' };
    for (const [type, Array] of Object.entries(types)) {
        const session = await create(model(`same (${names[type] || type}[N,2] x) => (${names[type] || type}[N,2] y) { y = Identity (x) }`));
        const one = Array.name.startsWith('Big') ? 1n : 1, values = Array.from([one, one - one, one, one]);
        if (type !== 'bool')
            new Uint8Array(values.buffer).set([7, 15, 3, 1]);
        const { y } = await session.run({ x: new ort.Tensor(type, values, [2, 2]) });
        assert.deepStrictEqual([y.type, y.dims], [type, [2, 2]]);
        assert.deepStrictEqual(Buffer.from(y.data.buffer, y.data.byteOffset, y.data.byteLength), Buffer.from(values.buffer));
        assert.deepStrictEqual((await session.run({ x: new ort.Tensor(type, Array.from([]), [0, 2]) })).y.dims, [0, 2]);
    }
});

test('strings', async () => {
    const session = await create(model('same (string[N] x) => (string[N] y, string[N] z) { y = Identity (x) z = Identity (y) }'));
    for (const words of [['a', '', 'grüße 東京', 'x'.repeat(100000)], [''], []]) {
        const { y, z } = await session.run({ x: new ort.Tensor('string', words, [words.length]) });
        assert.deepStrictEqual([y.type, y.dims, list(y), list(z)], ['string', [words.length], words, words]);
    }
});

test('scalars and many dimensions', async () => {
    const session = await create(model('twice (float x, float[1,1,2,1,1,1,1,2] m) => (float y, float[1,1,2,1,1,1,1,2] n)' +
        '{ y = Add (x, x) n = Add (m, m) }'));
    const { y, n } = await session.run({ x: floats([3], []), m: floats([1, 2, 3, 4], [1, 1, 2, 1, 1, 1, 1, 2]) });
    assert.deepStrictEqual([y.dims, list(y), n.dims, list(n)], [[], [6], [1, 1, 2, 1, 1, 1, 1, 2], [2, 4, 6, 8]]);
});

test('sequences: within a model they run, at its ends the package has none', async () => {
    const inner = await create(model('cut (float[4] x) => (float[2] y)' +
        '{ k = Constant <value = int64 {2}> () i = Constant <value = int64 {1}> () s = SplitToSequence (x, k) y = SequenceAt (s, i) }'));
    assert.deepStrictEqual(list((await inner.run({ x: floats([1, 2, 3, 4]) })).y), [3, 4]);
    const outer = await create(model('cut (float[4] x) => (seq(float[2]) s, float[4] y)' +
        '{ k = Constant <value = int64 {2}> () s = SplitToSequence (x, k) y = Relu (x) }'));
    assert.deepStrictEqual(outer.outputMetadata[0], { name: 's', isTensor: false });
    await assert.rejects(outer.run({ x: floats([1, 2, 3, 4]) }), /Non tensor type is temporarily not supported/);
    assert.deepStrictEqual(list((await outer.run({ x: floats([1, -2, 3, 4]) }, ['y'])).y), [1, 0, 3, 4]);
});

test('views of arrays, and one tensor twice', async () => {
    const session = await create(PAIR), view = Float32Array.from([9, 2, 3, 9]).subarray(1, 3);
    const tensor = new ort.Tensor('float32', view, [2]), { sum, product } = await session.run({ a: tensor, b: tensor });
    assert.deepStrictEqual([list(sum), list(product)], [[4, 6], [4, 9]]);
});

test('results stay what they were in later runs, of other sizes too', async () => {
    const session = await create(RELU), first = (await session.run({ x: floats([1, 2, 3, 4], [1, 4]) })).y;
    for (const n of [1, 1000, 0, 3])
        assert.deepStrictEqual((await session.run({ x: floats(Array(4 * n).fill(n), [n, 4]) })).y.dims, [n, 4]);
    await session.release();
    assert.deepStrictEqual(list(first), [1, 2, 3, 4]);
});

test('outputs that are chosen, or computed into memory of the caller', async () => {
    const session = await create(PAIR), feeds = { a: floats([1, 2]), b: floats([3, 4]) };
    const one = await session.run(feeds, ['sum']);
    assert.deepStrictEqual([Object.keys(one), list(one.sum)], [['sum'], [4, 6]]);
    const given = { sum: floats([0, 0]), product: floats([0, 0]) }, memory = given.product.data;
    const filled = await session.run(feeds, given);
    assert.deepStrictEqual([list(filled.sum), list(filled.product), list({ data: memory })], [[4, 6], [3, 8], [3, 8]]);
    for (let i = 0; i < 3; i++)
        await session.run({ a: floats([i, i]), b: floats([1, 1]) }, given);
    assert.deepStrictEqual(list({ data: memory }), [2, 2]);
    await assert.rejects(session.run(feeds, { sum: floats([0, 0, 0]) }), /sum/);
    await assert.rejects(session.run(feeds, { sum: new ort.Tensor('int32', Int32Array.from([0, 0]), [2]) }), /int32.*float|float.*int32/s);
    assert.deepStrictEqual(list((await session.run(feeds)).sum), [4, 6]);
});

test('options of a run', async () => {
    const session = await create(RELU), feeds = { x: floats([1, 2, 3, 4], [1, 4]) };
    for (const options of [{ tag: 'mine' }, { logSeverityLevel: 4 }, { logVerbosityLevel: 1 }, { terminate: false }, {}])
        assert.deepStrictEqual(list((await session.run(feeds, options)).y), [1, 2, 3, 4]);
});

test('results have the same bits on any number of threads', async () => {
    const file = model('conv (float[1,8,40,40] x, float[8,8,3,3] w) => (float[1,8,38,38] y) { y = Conv (x, w) }');
    const noise = (n, k) => Float32Array.from({ length: n }, (_, i) => Math.sin(i * k));
    const feeds = { x: new ort.Tensor('float32', noise(12800, 0.7), [1, 8, 40, 40]),
        w: new ort.Tensor('float32', noise(576, 1.3), [8, 8, 3, 3]) };
    const results = [];
    for (const intraOpNumThreads of [1, 2, 3, 0])
        results.push(Buffer.from((await (await create(file, { intraOpNumThreads })).run(feeds)).y.data.buffer));
    assert(results.every((bytes) => bytes.equals(results[0])));
});

// ---- what is wrong

test('files that are no models', async () => {
    const bytes = fs.readFileSync(WEIGHT), file = path.join(scratch, 'cut.onnx');
    for (const junk of [bytes.subarray(0, bytes.length - 9), bytes.subarray(0, 20), Buffer.alloc(100, 65), Buffer.alloc(0)]) {
        await assert.rejects(create(junk), Error);
        fs.writeFileSync(file, junk);
        await assert.rejects(create(file), Error);
    }
    await assert.rejects(create(path.join(scratch, 'absent.onnx')), /absent\.onnx/);
    await assert.rejects(create(scratch), Error);
});

test('models that are invalid, or ask for what nobody has', async () => {
    const relu = fs.readFileSync(RELU), other = Buffer.from(relu);
    other.write('Nope', other.indexOf('Relu'));
    await assert.rejects(create(other), /Nope/);
});

test('inputs that do not fit', async () => {
    const session = await create(RELU), x = floats([1, 2, 3, 4], [1, 4]);
    await assert.rejects(session.run({ z: x }), /'x' is missing/);
    await assert.rejects(session.run({ x: floats([1, 2, 3, 4]) }), /x.*1.*2|x.*\[4\]/s);
    await assert.rejects(session.run({ x: floats([1, 2, 3], [1, 3]) }), /x.*3.*4/s);
    await assert.rejects(session.run({ x: new ort.Tensor('int32', Int32Array.from([1, 2, 3, 4]), [1, 4]) }),
        /int32.*float|float.*int32/s);
    await assert.rejects(session.run({ x: new ort.Tensor('string', ['a', 'b', 'c', 'd'], [1, 4]) }), /string/);
    await assert.rejects(session.run({ x }, ['z']), /z/);
    assert.deepStrictEqual(Object.keys(await session.run({ x, z: x })), ['y']);
    await works(session);
});

test('a node that fails', async () => {
    const session = await create(model('pick (float[4] x, int64[1] i) => (float[1] y) { [picker] y = Gather (x, i) }'));
    const feeds = (i) => ({ x: floats([1, 2, 3, 4]), i: new ort.Tensor('int64', [BigInt(i)], [1]) });
    await assert.rejects(session.run(feeds(7)), /picker.*7/s);
    assert.deepStrictEqual(list((await session.run(feeds(-1))).y), [4]);
});

// ---- many

test('a hundred sessions at once', async () => {
    const sessions = await Promise.all(Array.from({ length: 100 }, (_, i) => create(i % 2 ? PAIR : RELU)));
    const runs = sessions.flatMap((session, i) => Array.from({ length: 5 }, async (_, k) => {
        if (i % 2 === 0)
            return works(session);
        const { sum } = await session.run({ a: floats([i, k]), b: floats([1, 1]) });
        return assert.deepStrictEqual(list(sum), [i + 1, k + 1]);
    }));
    await Promise.all(runs);
    await Promise.all(sessions.map((session) => session.release()));
});

// A program that makes 25 sessions and runs each four times, twice at once, and releases none.
const MANY = `
    const ort = require(${JSON.stringify(path.join(modules, 'onnxruntime-node'))});
    const x = new ort.Tensor('float32', Float32Array.from([-1, 2, -3, 4]), [1, 4]);
    Promise.all(Array.from({ length: 25 }, async () => {
        const session = await ort.InferenceSession.create(${JSON.stringify(RELU)}, { intraOpNumThreads: 2 });
        for (let i = 0; i < 2; i++)
            for (const { y } of await Promise.all([session.run({ x }), session.run({ x })]))
                if (String(y.data) !== '0,2,0,4')
                    throw new Error(String(y.data));
    }));`;

test('sessions in four threads', async () => {
    await Promise.all(Array.from({ length: 4 }, () => new Promise((resolve, reject) => {
        const worker = new Worker(MANY, { eval: true });
        worker.on('error', reject);
        worker.on('exit', (code) => (code ? reject(new Error(`a thread ended with code ${code}`)) : resolve()));
    })));
});

test('a process may end while sessions are open', async () => {
    for (const end of ['', 'process.exit(0)', 'setTimeout(() => process.exit(0), 30)']) {
        const { status, signal, stderr } = spawnSync('node', ['-e', MANY + end]);
        assert.deepStrictEqual([status, signal, String(stderr)], [0, null, '']);
    }
});

test('memory comes back', async () => {
    const rounds = async (n) => {
        for (let i = 0; i < n; i++) {
            const session = await create(PAIR, { intraOpNumThreads: 1, logSeverityLevel: 4 }), a = floats(Array(1000).fill(i));
            for (let k = 0; k < 5; k++)
                await session.run({ a, b: a });
            await assert.rejects(session.run({ a, b: floats([1, 2]) }));
            await session.release();
        }
        global.gc();
        return process.memoryUsage().rss;
    };
    await rounds(200);
    const before = await rounds(100), after = await rounds(400);
    assert(after - before < 8e6, `${after - before} more bytes after 400 sessions`);
});

async function main() {
    let failed = 0;
    for (const [name, run] of tests) {
        try {
            await run();
        } catch (error) {
            failed++;
            console.log(`FAIL: ${name}: ${error.stack}`);
        }
    }
    fs.rmSync(scratch, { recursive: true });
    console.log(`${tests.length} checks, ${failed} failed`);
    process.exitCode = failed ? 1 : 0;
}

main();
