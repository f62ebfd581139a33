#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
//
// compare_expanded.js - models that `ocellus expand` wrote, run by ONNX Runtime.
//
//     npm install onnxruntime-node
//     node tests/oracle/compare_expanded.js build/tools/ocellus FOLDER [--keep DIR]
//
// Expands every model in FOLDER (ONNX's tests: folders with model.onnx and test_data_set_0) that
// calls a function with a body, lets ONNX Runtime load and run what came out, and compares with what
// the command gives for the model itself, by its kernels. Results of models whose operators all select,
// compare or move are the same bits; others differ by 1e-5 at most, relative to numbers above 1 (float16: by
// two of its steps). What ONNX Runtime does not load is listed with its reason. Exits 1 if a result
// differs. Random results are compared in type and shape.
'use strict';
const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const ort = require(require.resolve('onnxruntime-node', { paths: [process.cwd(), __dirname] }));

const [command, folder, , keep] = process.argv.slice(2);
const EXACT = ['CastLike', 'CenterCropPad', 'Clip', 'GreaterOrEqual', 'LeakyRelu', 'LessOrEqual', 'PRelu',
    'Range', 'Relu', 'SequenceMap', 'ThresholdedRelu'];
const RANDOM = ['Bernoulli'];

// ---- element types: number in ONNX, name in ONNX Runtime, array, npy's name

const TYPES = [[1, 'float32', Float32Array, '<f4'], [2, 'uint8', Uint8Array, '|u1'],
    [3, 'int8', Int8Array, '|i1'], [4, 'uint16', Uint16Array, '<u2'], [5, 'int16', Int16Array, '<i2'],
    [6, 'int32', Int32Array, '<i4'], [7, 'int64', BigInt64Array, '<i8'], [9, 'bool', Uint8Array, '|b1'],
    [10, 'float16', Uint16Array, '<f2'], [11, 'float64', Float64Array, '<f8'],
    [12, 'uint32', Uint32Array, '<u4'], [13, 'uint64', BigUint64Array, '<u8']];

function halfToNumber(code) {
    const sign = code & 0x8000 ? -1 : 1, field = (code >> 10) & 31, low = code & 1023;
    if (field === 31)
        return low ? NaN : sign * Infinity;
    return sign * (field ? 2 ** (field - 15) * (1 + low / 1024) : (low / 1024) * 2 ** -14);
}

const numbers = (name, array) => Array.from(array, name === 'float16' ? halfToNumber : (x) => x);

// ---- TensorProto: dims = 1, data_type = 2, name = 8, raw_data = 9

function readTensor(bytes) {
    let at = 0;
    const tensor = { dims: [], name: '' };
    function varint() {
        let value = 0n, shift = 0n, byte;
        do {
            byte = bytes[at++];
            value |= BigInt(byte & 127) << shift;
            shift += 7n;
        } while (byte & 128);
        return Number(value);
    }
    while (at < bytes.length) {
        const key = varint(), field = key >> 3, size = key & 7 ? varint() : 0;
        if ((key & 7) === 0) {
            const value = varint();
            if (field === 1)
                tensor.dims.push(value);
            else if (field === 2)
                tensor.type = TYPES.find((t) => t[0] === value);
            continue;
        }
        if ((key & 7) !== 2)
            return null; // no tensor
        const part = bytes.subarray(at, at += size);
        if (field === 1) {
            const end = at;
            for (at -= size; at < end;)
                tensor.dims.push(varint());
        } else if (field === 8) {
            tensor.name = part.toString();
        } else if (field === 9) {
            tensor.raw = Uint8Array.from(part);
        } else {
            return null; // a sequence, strings, or elements in lists of their own
        }
    }
    return tensor.type ? tensor : null;
}

function readNpy(file) {
    const bytes = fs.readFileSync(file), size = bytes.readUInt16LE(8);
    const header = bytes.toString('latin1', 10, 10 + size);
    const dims = /'shape': \(([^)]*)\)/.exec(header)[1].split(',').filter((s) => s.trim()).map(Number);
    const type = TYPES.find((t) => t[3] === /'descr': '([^']*)'/.exec(header)[1]);
    return { dims, type, raw: Uint8Array.from(bytes.subarray(10 + size)) };
}

const elements = (t) => new t.type[2](t.raw ? t.raw.buffer : new ArrayBuffer(0));

// ---- one model

function ocellus(...args) {
    const result = spawnSync(command, args, { encoding: 'utf8' });
    return { ...result, why: result.stderr.trim().split('\n')[0] };
}

// What `inspect` says of a model, and which of its operators have bodies.
function operators(model) {
    const result = ocellus('inspect', model, '--json');
    const described = result.stdout.startsWith('{') ? JSON.parse(result.stdout) : { operators: [] };
    return { ...described, called: described.operators.filter((o) => bodies.get(o.name) <= o.opset)
        .map((o) => o.name).concat(described.functions ? ['functions of the model'] : []) };
}

function differs(type, exact, a, b) {
    if (typeof a === 'bigint' || Object.is(a, b) || Number.isNaN(a) || !isFinite(a))
        return !Object.is(a, b);
    if (a === b)
        return false;
    const bound = exact ? 0 : type === 'float16' ? 2 ** -9 : 1e-5;
    return !(Math.abs(a - b) <= bound * Math.max(1, Math.abs(b)));
}

function compareOutput(ours, theirs, described) {
    if (ours.type[1] !== theirs.type || String(ours.dims) !== String(theirs.dims))
        return `is ${ours.type[1]}[${ours.dims}], ONNX Runtime has ${theirs.type}[${theirs.dims}]`;
    const exact = described.operators.every((o) => EXACT.includes(o.name));
    const [a, b] = [numbers(theirs.type, elements(ours)), numbers(theirs.type, theirs.data)];
    const random = described.called.some((op) => RANDOM.includes(op));
    const at = random ? -1 : a.findIndex((x, i) => differs(theirs.type, exact, x, b[i]));
    return at < 0 ? '' : `[${at}] is ${a[at]}, ONNX Runtime has ${b[at]}`;
}

async function compare(test, scratch, described) {
    const model = path.join(test, 'model.onnx'), data = path.join(test, 'test_data_set_0');
    const expanded = path.join(scratch, `${path.basename(test)}.onnx`), feeds = {};
    const wrote = ocellus('expand', model, '-o', expanded);
    if (wrote.status !== 0)
        return ['different', `ocellus: ${wrote.why}`];
    for (let i = 0; i < described.inputs.length; i++) {
        const file = path.join(data, `input_${i}.pb`);
        const t = fs.existsSync(file) ? readTensor(fs.readFileSync(file)) : null;
        if (!t)
            return ['left out', 'its inputs are not tensors of numbers that JavaScript has'];
        feeds[described.inputs[i].name] = new ort.Tensor(t.type[1], elements(t), t.dims);
    }
    let theirs;
    try {
        const session = await ort.InferenceSession.create(expanded,
            { graphOptimizationLevel: 'disabled', logSeverityLevel: 4 });
        theirs = await session.run(feeds);
    } catch (error) {
        return ['refused', error.message.replace(/\s+/g, ' ').replaceAll(expanded, 'it').slice(0, 170)];
    }
    const to = fs.mkdtempSync(path.join(scratch, 'out-'));
    const run = ocellus('run', model, ...(described.inputs.length ? ['-i', data] : []), '-q', '-o', to);
    if (run.status !== 0)
        return ['different', `ocellus: ${run.why}`];
    for (const output of described.outputs) {
        const file = path.join(to, `${output.name}.npy`);
        if (!fs.existsSync(file))
            return ['left out', `output ${output.name} is not a tensor`];
        const wrong = compareOutput(readNpy(file), theirs[output.name], described);
        if (wrong)
            return ['different', `${output.name}${wrong}`];
    }
    return ['equal', ''];
}

// ---- a model with functions of its own, of other opsets than it imports

const LOCAL = `<ir_version: 8, opset_import: ["" : 18, "my" : 1]>
g () => (float[2,3,4] y, float[2,4] z)
<float[2,3,4] x = {${Array.from({ length: 24 }, (_, i) => (i * 7) % 24 / 8 - 1)}}>
{
  [first] t = my.center <share = 0.5> (x)
  [second] u = my.center (t)
  y = Softmax <axis = 1> (u)
  z = my.total (y)
}
<domain: "my", opset_import: ["" : 13]>
center <share: float = 1.0> (a) => (b)
{
  mean = ReduceMean <axes = [1]> (a)
  part = Constant <value_float: float = @share> ()
  taken = Mul (mean, part)
  b = Sub (a, taken)
}
<domain: "my", opset_import: ["" : 11, "my" : 1]>
total (a) => (c)
{
  halves, rest = Split <axis = 1, split = [1, 2]> (a)
  more = my.log_of (rest)
  first = Squeeze <axes = [1]> (halves)
  c = Add (first, more)
}
<domain: "my", opset_import: ["" : 11]>
log_of (a) => (b)
{
  s = LogSoftmax <axis = 1> (a)
  m = ReduceMax <axes = [1], keepdims = 0> (s)
  b = Clip (m)
}
`;

function makeLocal(scratch) {
    const test = path.join(scratch, 'local_functions'), text = path.join(scratch, 'local.onnxtxt');
    fs.mkdirSync(test, { recursive: true });
    fs.writeFileSync(text, LOCAL);
    const made = ocellus('convert', text, path.join(test, 'model.onnx'));
    if (made.status !== 0)
        throw new Error(made.why);
    return test;
}

// ---- all

const bodies = new Map();
for (const body of JSON.parse(ocellus('ops', '--json').stdout).bodies)
    bodies.set(body.operator, Math.min(bodies.get(body.operator) || 99, body.since));

async function main() {
    const scratch = keep || fs.mkdtempSync(path.join(os.tmpdir(), 'ocellus-'));
    fs.mkdirSync(scratch, { recursive: true });
    const total = {}, byOperator = {}, reasons = {};
    for (const test of fs.readdirSync(folder).sort().map((name) => path.join(folder, name))
        .concat(makeLocal(scratch))) {
        const name = path.basename(test), model = path.join(test, 'model.onnx');
        const described = fs.existsSync(model) ? operators(model) : { called: [] };
        if (!described.called.length)
            continue;
        const [verdict, why] = await compare(test, scratch, described);
        total[verdict] = (total[verdict] || 0) + 1;
        for (const op of described.called) {
            byOperator[op] = byOperator[op] || {};
            byOperator[op][verdict] = (byOperator[op][verdict] || 0) + 1;
        }
        if (verdict === 'different')
            console.log(`different: ${name}: ${why}`);
        else if (why)
            (reasons[`${verdict}: ${why}`] = reasons[`${verdict}: ${why}`] || []).push(name);
    }
    const count = (c) => Object.entries(c).sort().map(([k, n]) => `${n} ${k}`).join(', ');
    for (const op of Object.keys(byOperator).sort())
        console.log(`${op}: ${count(byOperator[op])}`);
    for (const [why, names] of Object.entries(reasons))
        console.log(`${names.length} ${why} (${names[0]})`);
    console.log(count(total));
    if (!keep)
        fs.rmSync(scratch, { recursive: true });
    process.exitCode = total.different || !total.equal ? 1 : 0;
}

main();
