#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
//
// compare_ort.js - the element-by-element operators, Cast and MatMul against ONNX Runtime.
//
//     npm install onnxruntime-node && node tests/oracle/compare_ort.js build/tools/ocellus [N [SEED]]
//
// Makes N random one-node models (operator, opset, type, shapes, elements; special values among
// them), runs each with both, and prints those whose results differ. What ONNX Runtime refuses is
// counted. Left out is what the standard leaves open (floats out of an integer's range, integers
// divided by zero, signs of zeros) and what ONNX Runtime computes in double or by approximation
// (large Mod, Sqrt of Inf, Sign of a float16 NaN). Exits 1 if anything differs.
'use strict';
const { execFileSync, spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const ort = require(require.resolve('onnxruntime-node', { paths: [process.cwd(), __dirname] }));

const [command, count = '300', seed = '1'] = process.argv.slice(2);
let state = BigInt(seed) * 2862933555777941757n + 3037000493n;
function below(n) {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number((state >> 33n) % BigInt(n));
}
const pick = (list) => list[below(list.length)];

const FLOAT = ['float', 'double', 'float16'];
const INT = ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64'];
const NUMBER = { float: 1, uint8: 2, int8: 3, uint16: 4, int16: 5, int32: 6, int64: 7, bool: 9,
    float16: 10, double: 11, uint32: 12, uint64: 13 };
const ARRAY = { float: Float32Array, double: Float64Array, int8: Int8Array, int16: Int16Array,
    int32: Int32Array, int64: BigInt64Array, uint8: Uint8Array, uint16: Uint16Array,
    uint32: Uint32Array, uint64: BigUint64Array, bool: Uint8Array, float16: Uint16Array };

// ---- elements as text

const SPECIAL = ['0', '-0.0', 'inf', '-inf', 'nan', '1', '-1', '0.5', '1.5', '2.5', '-2.5'];
function element(type, mild) {
    if (type === 'bool')
        return String(below(2));
    if (FLOAT.includes(type)) {
        if (!mild && below(3) === 0)
            return pick(SPECIAL);
        const x = (below(2000001) - 1000000) / pick([10, 1000, 50000, 300000]);
        return String(type === 'float16' && Math.abs(x) > 60000 ? x / 100 : x);
    }
    const bits = BigInt(type.replace(/\D/g, '')), low = type[0] === 'i' ? -(1n << (bits - 1n)) : 0n;
    if (!mild && below(4) === 0)
        return String(pick([low, low + (1n << bits) - 1n, 0n, 1n]));
    return String(type[0] === 'i' ? below(200) - 100 : below(200));
}

function tensor(type, dims, mild) {
    const n = dims.reduce((a, b) => a * b, 1);
    const list = Array.from({ length: n }, () => element(type, mild));
    return { type, dims, list };
}
const literal = (t) => `${t.type}${t.dims.length ? `[${t.dims}]` : ''}`;

// ---- cases: { op, attrs, opset, inputs, out, loose }

function shape() {
    return Array.from({ length: below(4) }, () => pick([1, 2, 3, 5, 7, 0].slice(0, below(20) ? 5 : 6)));
}
function partOf(dims) {
    return dims.slice(below(dims.length + 1)).map((n) => (below(3) ? n : 1));
}
const same = (type, n, mild = false) => {
    const dims = shape();
    return Array.from({ length: n }, (_, i) => tensor(type, i ? partOf(dims) : dims, mild));
};
const nonzero = (t) => ({ ...t, list: t.list.map((x) => (Number(x) === 0 || Number(x) === -1 ? '3' : x)) });
const unary = (ops, types, opsets, loose, mild) => () => {
    const type = pick(types);
    return { op: pick(ops), opset: pick(opsets), inputs: same(type, 1, mild), out: type, loose };
};
const binary = (ops, types, opsets, out) => () => {
    const type = pick(types);
    return { op: pick(ops), opset: pick(opsets), inputs: same(type, 2), out: out || type };
};
const MAKERS = [
    unary(['Abs', 'Sign'], ['float', 'double'].concat(INT), [13, 9, 17]),
    unary(['Abs', 'Neg'], ['float16'], [13]),
    unary(['Neg'], FLOAT.concat(INT.slice(0, 4)), [6, 13]),
    unary(['Ceil', 'Floor', 'Reciprocal'], FLOAT, [7, 13]),
    unary(['Sqrt'], FLOAT, [7, 13], 1e-6, true),
    unary(['Relu'], ['float', 'double', 'float16', 'int8', 'int32'], [14]),
    unary(['Round'], FLOAT, [11]),
    unary(['Exp', 'Log', 'Sigmoid', 'Tanh', 'Sin', 'Cos'], ['float', 'double'], [7, 13], 1e-6),
    unary(['Not'], ['bool'], [7]),
    binary(['Add', 'Sub', 'Mul'], FLOAT.concat(INT), [7, 13, 14]),
    binary(['Equal'], FLOAT.concat(INT, ['bool']), [11, 13], 'bool'),
    binary(['Greater', 'Less'], FLOAT.concat(INT), [9, 13], 'bool'),
    binary(['GreaterOrEqual', 'LessOrEqual'], FLOAT.concat(INT), [12, 16], 'bool'),
    binary(['And', 'Or', 'Xor'], ['bool'], [7], 'bool'),
    () => {
        const type = pick(FLOAT.concat(INT)), [a, b] = same(type, 2);
        return { op: 'Div', opset: pick([7, 13, 14]), out: type,
            inputs: [a, FLOAT.includes(type) ? b : nonzero(b)] };
    },
    () => {
        const type = pick(FLOAT.concat(INT)), [a, b] = same(type, 2, /64/.test(type));
        const attrs = FLOAT.includes(type) || below(2) ? ' <fmod = 1>' : '';
        return { op: 'Mod', attrs, opset: 13, inputs: [a, nonzero(b)], out: type };
    },
    () => {
        const type = pick(FLOAT.concat(INT)), op = pick(['Max', 'Min']);
        const inputs = same(type, 1 + below(4));
        for (const t of inputs)
            t.list = t.list.map((x) => (x === '-0.0' ? '0' : x));
        return { op, opset: pick([8, 12, 13]), inputs, out: type };
    },
    () => ({ op: 'Sum', opset: pick([8, 13]), inputs: same('float', 1 + below(4), true), out: 'float',
        loose: 1e-6 }),
    () => {
        const base = pick(['float', 'double', 'int32', 'int64']), dims = shape();
        const power = tensor(pick(FLOAT.slice(0, 2).concat('int32', 'int64')), partOf(dims), true);
        power.list = power.list.map(() => String(below(5)));
        return { op: 'Pow', opset: pick([12, 13, 15]), inputs: [tensor(base, dims, true), power],
            out: base, loose: 1e-6 };
    },
    () => {
        const type = pick(FLOAT.concat(INT)), x = same(type, 1)[0];
        const [low, high] = [element(type, true), element(type, true)].map(Number);
        const bound = (v) => ({ type, dims: [], list: [String(v)] });
        return { op: 'Clip', opset: pick([11, 12, 13]), out: type,
            inputs: [x, bound(Math.min(low, high)), bound(Math.max(low, high))] };
    },
    () => {
        const type = pick(FLOAT.concat(INT)), dims = shape();
        return { op: 'Where', opset: pick([9, 16]), out: type,
            inputs: [tensor('bool', partOf(dims)), tensor(type, dims), tensor(type, partOf(dims))] };
    },
    () => {
        const types = Object.keys(NUMBER), from = pick(types), to = pick(types);
        const open = FLOAT.includes(from) && INT.includes(to); // out of range: undefined
        const x = tensor(from, shape(), open);
        if (open)
            x.list = x.list.map((v) => String(Math.abs(Number(v)) % 100));
        return { op: 'Cast', attrs: ` <to = ${NUMBER[to]}>`, opset: pick([9, 13, 19]), inputs: [x],
            out: to };
    },
    () => {
        const type = pick(['float', 'double', 'int32', 'int64', 'uint32', 'uint64']);
        const [m, k, n] = [1 + below(9), 1 + below(40), 1 + below(9)], batch = shape().slice(0, 2);
        const a = pick([[k], [m, k], batch.concat(m, k)]);
        const b = pick([[k], [k, n], partOf(batch).concat(k, n)]);
        return { op: 'MatMul', opset: pick([9, 13]), out: type, loose: 1e-4,
            inputs: [tensor(type, a, true), tensor(type, b, true)] };
    },
];

// ---- the two sides

function text(c) {
    const names = c.inputs.map((_, i) => `x${i}`);
    const weights = c.inputs.map((t, i) => `${literal(t)} x${i} = {${t.list.join(', ')}}`);
    return `<ir_version: 8, opset_import: ["" : ${c.opset}]>\n` +
        `g () => (${c.out}[] y) <${weights.join(',\n')}>\n` +
        `{ y = ${c.op}${c.attrs || ''} (${names.join(', ')}) }\n`;
}

function readNpy(file) {
    const bytes = fs.readFileSync(file), size = bytes.readUInt16LE(8);
    const header = bytes.toString('latin1', 10, 10 + size);
    const dims = /'shape': \(([^)]*)\)/.exec(header)[1].split(',').filter((s) => s.trim()).map(Number);
    return { dims, bytes: Uint8Array.from(bytes.subarray(10 + size)) };
}

function halfToNumber(code) {
    const sign = code & 0x8000 ? -1 : 1, field = (code >> 10) & 31, low = code & 1023;
    if (field === 31)
        return low ? NaN : sign * Infinity;
    return sign * (field ? 2 ** (field - 15) * (1 + low / 1024) : (low / 1024) * 2 ** -14);
}

function numbers(type, bytes) {
    const list = Array.from(new ARRAY[type](bytes.buffer, bytes.byteOffset,
        bytes.length / ARRAY[type].BYTES_PER_ELEMENT));
    return type === 'float16' ? list.map(halfToNumber) : list;
}

function differs(c, a, b) {
    if (typeof a === 'bigint' || Object.is(a, b) || Number.isNaN(a) || !isFinite(a))
        return !Object.is(a, b);
    if (a === b)
        return false;
    return !(Math.abs(a - b) <= (c.loose || 0) * Math.max(1, Math.abs(b)));
}

async function compare(c, folder) {
    const model = path.join(folder, 'm.onnx'), source = path.join(folder, 'm.onnxtxt');
    fs.writeFileSync(source, text(c));
    execFileSync(command, ['convert', source, model]);
    let theirs;
    try {
        const session = await ort.InferenceSession.create(model,
            { graphOptimizationLevel: 'disabled', logSeverityLevel: 4 });
        theirs = (await session.run({})).y;
    } catch (error) {
        return 'refused';
    }
    const run = spawnSync(command, ['run', model, '-o', folder], { encoding: 'utf8' });
    if (run.status !== 0)
        return `ocellus: ${run.stderr.trim()}`;
    const ours = readNpy(path.join(folder, 'y.npy'));
    if (String(ours.dims) !== String(theirs.dims))
        return `dims [${ours.dims}], ONNX Runtime has [${theirs.dims}]`;
    const data = theirs.data, view = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    const [a, b] = [numbers(c.out, ours.bytes), numbers(c.out, Uint8Array.from(view))];
    const at = a.findIndex((x, i) => differs(c, x, b[i]));
    return at < 0 ? '' : `[${at}] is ${a[at]}, ONNX Runtime has ${b[at]}`;
}

async function main() {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ocellus-'));
    const refused = {};
    let equal = 0, different = 0;
    for (let i = 0; i < Number(count); i++) {
        const c = pick(MAKERS)();
        const verdict = await compare(c, folder);
        if (verdict === 'refused') {
            refused[c.op] = (refused[c.op] || 0) + 1;
        } else if (verdict) {
            different++;
            console.log(`${c.op}-${c.opset} ${c.inputs.map(literal).join(' ')}: ${verdict}\n${text(c)}`);
        } else {
            equal++;
        }
    }
    fs.rmSync(folder, { recursive: true });
    console.log(`${equal} equal, ${different} different; refused by ONNX Runtime: ` +
        (Object.entries(refused).map(([op, n]) => `${op} ${n}`).join(', ') || 'none'));
    process.exitCode = different ? 1 : 0;
}

main();
