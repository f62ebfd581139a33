#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
//
// onnxruntime.js - ONNX Runtime as an engine of `ocellus check --engine`.
//
//     npm install onnxruntime-node
//     ocellus check Softmax --engine 'node onnxruntime.js {dir}'
//     ocellus check model.onnx -i photo.jpg --engine 'node onnxruntime.js {dir}'
//
//     node onnxruntime.js DIR [FOLDER]   FOLDER: that of node_modules; without it the working folder
//
// DIR has a folder for each case or model, an ONNX backend test. Writes the outputs as
// CASE/test_data_set_0/engine_N.pb; where ONNX Runtime refuses a case, its reason as
// CASE/engine_error.txt.
'use strict';
const fs = require('fs');
const path = require('path');
process.env.ALLOW_RELEASED_ONNX_OPSET_ONLY = '0'; // the newest opset too

const [dir, modules = process.cwd()] = process.argv.slice(2);
const ort = require(require.resolve('onnxruntime-node', { paths: [modules, __dirname] }));

// Element types: number in ONNX, name in ONNX Runtime, array of the elements.
const TYPES = [[1, 'float32', Float32Array], [2, 'uint8', Uint8Array], [3, 'int8', Int8Array],
    [4, 'uint16', Uint16Array], [5, 'int16', Int16Array], [6, 'int32', Int32Array],
    [7, 'int64', BigInt64Array], [8, 'string', null], [9, 'bool', Uint8Array],
    [10, 'float16', Uint16Array], [11, 'float64', Float64Array], [12, 'uint32', Uint32Array],
    [13, 'uint64', BigUint64Array]];

// ---- a tensor as a file: TensorProto with dims = 1, data_type = 2, string_data = 6, name = 8, raw_data = 9

function readTensor(bytes) {
    let at = 0;
    const tensor = { dims: [], number: 0, strings: [], name: '', raw: Buffer.alloc(0) };
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
        const key = varint(), field = key >> 3, number = varint();
        if ((key & 7) === 0) {
            if (field === 1)
                tensor.dims.push(number);
            else if (field === 2)
                tensor.number = number;
            continue;
        }
        const end = at + number;
        if (field === 1)
            while (at < end)
                tensor.dims.push(varint());
        else if (field === 6)
            tensor.strings.push(bytes.toString('utf8', at, end));
        else if (field === 8)
            tensor.name = bytes.toString('utf8', at, end);
        else if (field === 9)
            tensor.raw = bytes.subarray(at, end);
        at = end;
    }
    return tensor;
}

function toOrt(tensor) {
    const row = TYPES.find(([number]) => number === tensor.number);
    if (!row)
        throw new Error(`inputs of element type ${tensor.number} are not known to onnxruntime-node`);
    const [, name, array] = row;
    const data = array ? new array(Uint8Array.from(tensor.raw).buffer) : tensor.strings;
    return new ort.Tensor(name, data, tensor.dims);
}

function varint(number) {
    const bytes = [];
    for (; number > 127; number = Math.floor(number / 128))
        bytes.push((number % 128) + 128);
    return Buffer.from([...bytes, number]);
}

const block = (field, bytes) => Buffer.concat([varint(field * 8 + 2), varint(bytes.length), bytes]);

function fromOrt(name, value) {
    const row = TYPES.find(([, type]) => type === value.type);
    if (!row)
        throw new Error(`output ${name} is of type ${value.type}, expected a tensor`);
    const parts = value.dims.map((dim) => Buffer.concat([varint(8), varint(Number(dim))]));
    parts.push(varint(16), varint(row[0]), block(8, Buffer.from(name)));
    const { data } = value;
    if (row[2])
        parts.push(block(9, Buffer.from(data.buffer, data.byteOffset, data.byteLength)));
    else
        parts.push(...data.map((text) => block(6, Buffer.from(text))));
    return Buffer.concat(parts);
}

// ---- cases

async function run(folder) {
    const set = path.join(folder, 'test_data_set_0'), feeds = {};
    for (let i = 0; fs.existsSync(path.join(set, `input_${i}.pb`)); i++) {
        const tensor = readTensor(fs.readFileSync(path.join(set, `input_${i}.pb`)));
        feeds[tensor.name] = toOrt(tensor);
    }
    const session = await ort.InferenceSession.create(fs.readFileSync(path.join(folder, 'model.onnx')),
        { executionProviders: ['cpu'], intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 4 });
    try {
        // A 4-bit output would end the process (1.30).
        const unknown = session.outputMetadata.find(({ type }) => !TYPES.some((row) => row[1] === type));
        if (unknown)
            throw new Error(`outputs of type ${unknown.type} are not known to onnxruntime-node`);
        const results = await session.run(feeds);
        return session.outputNames.map((name) => fromOrt(name, results[name]));
    } finally {
        await session.release();
    }
}

async function main() {
    for (const name of fs.readdirSync(dir).sort()) {
        const folder = path.join(dir, name);
        try {
            for (const [i, bytes] of (await run(folder)).entries())
                fs.writeFileSync(path.join(folder, 'test_data_set_0', `engine_${i}.pb`), bytes);
        } catch (error) {
            fs.writeFileSync(path.join(folder, 'engine_error.txt'), `${error.message.replace(/\s+/g, ' ')}\n`);
        }
    }
}

main();
