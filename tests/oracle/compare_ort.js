#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
//
// compare_ort.js - every operator against ONNX Runtime.
//
//     npm install onnxruntime-node
//     node tests/oracle/compare_ort.js build/tools/ocellus [N [SEED [FILE...]]]
//
// Makes N random one-node models (operator, opset, type, shapes, elements; special values among
// them) with the makers of ort/FILE.js, of all files unless some are named; runs each with both, and
// prints those whose results differ, then how often each operator was compared and how often ONNX
// Runtime refused it. Exits 1 if anything differs. ort/kit.js tells how a case is written.
'use strict';
const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
process.env.ALLOW_RELEASED_ONNX_OPSET_ONLY = '0'; // opset 27 too
const ort = require(require.resolve('onnxruntime-node', { paths: [process.cwd(), __dirname] }));
const { makeKit } = require('./ort/kit.js');

const [command, count = '300', seed = '1', ...wanted] = process.argv.slice(2);
const ARRAY = { float: Float32Array, double: Float64Array, int8: Int8Array, int16: Int16Array,
    int32: Int32Array, int64: BigInt64Array, uint8: Uint8Array, uint16: Uint16Array,
    uint32: Uint32Array, uint64: BigUint64Array, bool: Uint8Array, float16: Uint16Array };

const literal = (t) => (t ? `${t.type}${t.dims.length ? `[${t.dims}]` : ''}` : '-');
// In halves and 8-bit floats a bare integer would be a code.
const element = (type, text) => (/^(b?float16|float[48]e)/.test(type) && /^-?\d+$/.test(text) ? `${text}.0` : text);
const outs = (c) => [].concat(c.out);

function text(c) {
    const names = c.inputs.map((t, i) => (t ? `x${i}` : '""')), domain = c.domain || '';
    const call = `${domain && `${domain}.`}${c.op}${c.attrs || ''} (${names.join(', ')})`;
    const weights = c.inputs.map((t, i) => t && `${literal(t)} x${i} = {${t.list.map((v) => element(t.type, v)).join(', ')}}`);
    const results = outs(c).map((type, i) => `y${i}`);
    const imports = `"" : ${domain ? 17 : c.opset}` + (domain ? `, "${domain}" : ${c.opset}` : '');
    return `<ir_version: 8, opset_import: [${imports}]>\n` +
        `g () => (${outs(c).map((type, i) => `${type}[] y${i}`).join(', ')}) ` +
        `<${weights.filter(Boolean).join(',\n')}>\n` +
        `{ ${c.nodes || `${results.join(', ')} = ${call}`} }\n`;
}

function readNpy(file) {
    const bytes = fs.readFileSync(file), size = bytes.readUInt16LE(8);
    const header = bytes.toString('latin1', 10, 10 + size);
    const dims = /'shape': \(([^)]*)\)/.exec(header)[1].split(',').filter((s) => s.trim()).map(Number);
    const chars = /'descr': '<U(\d+)'/.exec(header);
    return { dims, chars: chars && Number(chars[1]), bytes: Uint8Array.from(bytes.subarray(10 + size)) };
}

// The elements of NumPy's strings: `chars` characters of 4 bytes each, filled up with zeros.
function strings({ dims, chars, bytes }) {
    const codes = new Uint32Array(bytes.buffer), n = dims.reduce((a, b) => a * b, 1);
    return Array.from({ length: n }, (_, i) =>
        String.fromCodePoint(...codes.subarray(i * chars, (i + 1) * chars).filter((code) => code)));
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

function theirTensor(type, { dims, data }) {
    if (type === 'string')
        return { dims, list: data };
    return { dims, list: numbers(type, Uint8Array.from(
        new Uint8Array(data.buffer, data.byteOffset, data.byteLength))) };
}

function ourTensor(type, file) {
    const read = readNpy(file);
    return { dims: read.dims, list: type === 'string' ? strings(read) : numbers(type, read.bytes) };
}

function differs(loose, a, b) {
    if (typeof a !== 'number' || Object.is(a, b) || Number.isNaN(a) || !isFinite(a))
        return !Object.is(a, b);
    return a !== b && !(Math.abs(a - b) <= (loose || 0) * Math.max(1, Math.abs(b)));
}

// Tells how two lists of tensors differ; '' if they do not.
function difference(c, ours, theirs) {
    const shapes = theirs.findIndex((t, i) => String(t.dims) !== String(ours[i].dims));
    if (c.check)
        return c.check(ours, theirs);
    if (shapes >= 0)
        return `y${shapes} has dims [${ours[shapes].dims}], ONNX Runtime has [${theirs[shapes].dims}]`;
    for (const [i, t] of theirs.entries()) {
        const at = ours[i].list.findIndex((x, k) => differs(c.loose, x, t.list[k]));
        if (at >= 0)
            return `y${i}[${at}] is ${ours[i].list[at]}, ONNX Runtime has ${t.list[at]}`;
    }
    return '';
}

async function compare(c, folder) {
    const model = path.join(folder, 'm.onnx'), source = path.join(folder, 'm.onnxtxt');
    fs.writeFileSync(source, text(c));
    const converted = spawnSync(command, ['convert', source, model], { encoding: 'utf8' });
    if (converted.status !== 0)
        return `ocellus: ${converted.stderr.trim()}`;
    let theirs;
    try {
        const session = await ort.InferenceSession.create(model,
            { graphOptimizationLevel: 'disabled', logSeverityLevel: 4 });
        const results = await session.run({});
        theirs = outs(c).map((type, i) => theirTensor(type, results[`y${i}`]));
        await session.release();
    } catch (error) {
        return 'refused';
    }
    const run = spawnSync(command, ['run', model, '-o', folder], { encoding: 'utf8' });
    if (run.status !== 0)
        return `ocellus: ${run.stderr.trim()}`;
    return difference(c, outs(c).map((type, i) => ourTensor(type, path.join(folder, `y${i}.npy`))), theirs);
}

async function main() {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ocellus-'));
    const kit = makeKit(seed), all = path.join(__dirname, 'ort');
    const files = fs.readdirSync(all).filter((f) => f !== 'kit.js' &&
        (!wanted.length || wanted.includes(path.basename(f, '.js'))));
    const makers = files.flatMap((f) => require(path.join(all, f))(kit));
    const compared = {}, refused = {};
    let equal = 0, different = 0;
    for (let i = 0; i < Number(count); i++) {
        const c = kit.pick(makers)(), verdict = await compare(c, folder);
        const counts = verdict === 'refused' ? refused : compared;
        const name = c.domain ? `${c.domain}.${c.op}` : c.op;
        counts[name] = (counts[name] || 0) + 1;
        if (verdict === '') {
            equal++;
        } else if (verdict !== 'refused') {
            different++;
            console.log(`${c.op}-${c.opset} ${c.inputs.map(literal).join(' ')}: ${verdict}\n${text(c)}`);
        }
    }
    fs.rmSync(folder, { recursive: true });
    const list = (counts) => Object.keys(counts).sort().map((op) => `${op} ${counts[op]}`).join(', ') || 'none';
    console.log(`${equal} equal, ${different} different; compared: ${list(compared)}\n` +
        `refused by ONNX Runtime: ${list(refused)}`);
    process.exitCode = different ? 1 : 0;
}

main();
