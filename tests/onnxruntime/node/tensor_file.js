// SPDX-License-Identifier: Apache-2.0
//
// tensor_file.js - reads the tensors of ONNX's backend tests (TensorProto), and holds tensors of
// onnxruntime-node against them as `ocellus test` does.
'use strict';

// Element types that onnxruntime-node has: number in ONNX, name there, array of the elements.
const TYPES = [[1, 'float32', Float32Array], [2, 'uint8', Uint8Array], [3, 'int8', Int8Array],
    [4, 'uint16', Uint16Array], [5, 'int16', Int16Array], [6, 'int32', Int32Array],
    [7, 'int64', BigInt64Array], [8, 'string', null], [9, 'bool', Uint8Array],
    [10, 'float16', Uint16Array], [11, 'float64', Float64Array], [12, 'uint32', Uint32Array],
    [13, 'uint64', BigUint64Array]];

// ---- the wire format

// A reader of bytes: varint() takes a number, as BigInt; take(n) takes bytes.
function reader(bytes) {
    let at = 0;
    return {
        more: () => at < bytes.length,
        take: (n) => bytes.subarray(at, at += n),
        varint() {
            let value = 0n, shift = 0n, byte;
            do {
                byte = bytes[at++];
                value |= BigInt(byte & 127) << shift;
                shift += 7n;
            } while (byte & 128);
            return BigInt.asUintN(64, value);
        },
    };
}

// [number of the field, its value: a BigInt or bytes] for each field of a message.
function* fields(bytes) {
    const from = reader(bytes);
    while (from.more()) {
        const key = Number(from.varint()), wire = key & 7;
        const fixed = { 1: 8, 5: 4 }[wire];
        yield [key >> 3, wire === 0 ? from.varint() : from.take(fixed || Number(from.varint()))];
    }
}

// Of a repeated field of integers, those in one value: one, or some that are packed.
function integers(value) {
    if (typeof value === 'bigint')
        return [value];
    const from = reader(value), found = [];
    while (from.more())
        found.push(from.varint());
    return found;
}

// ---- tensors

const FIELD = { dims: 1, data_type: 2, float_data: 4, int32_data: 5, string_data: 6, int64_data: 7, name: 8,
    raw_data: 9, double_data: 10, uint64_data: 11 };

// The elements of a tensor whose data are bytes (raw_data, float_data or double_data) or integers.
function elements(Array, raw, listed) {
    if (!listed.length)
        return new Array(Uint8Array.from(raw).buffer);
    const signed = listed.map((value) => BigInt.asIntN(64, value));
    return Array.from(Array.name.startsWith('Big') ? signed : signed.map(Number));
}

// {name, dims, type, data} of a TensorProto.
function readTensor(bytes) {
    const dims = [], strings = [], raw = [], listed = [];
    let name = '', number = 0;
    for (const [field, value] of fields(bytes)) {
        if (field === FIELD.dims)
            dims.push(...integers(value).map(Number));
        else if (field === FIELD.data_type)
            number = Number(value);
        else if (field === FIELD.name)
            name = value.toString();
        else if (field === FIELD.string_data)
            strings.push(value.toString());
        else if ([FIELD.raw_data, FIELD.float_data, FIELD.double_data].includes(field))
            raw.push(value);
        else if ([FIELD.int32_data, FIELD.int64_data, FIELD.uint64_data].includes(field))
            listed.push(...integers(value));
    }
    const row = TYPES.find((type) => type[0] === number);
    if (!row)
        throw new Error(`element type ${number}: onnxruntime-node has none such`);
    return { name, dims, type: row[1], data: row[2] ? elements(row[2], Buffer.concat(raw), listed) : strings };
}

// ---- comparison

function fromHalf(code) {
    const sign = code & 0x8000 ? -1 : 1, exponent = (code >> 10) & 31, fraction = code & 1023;
    if (exponent === 31)
        return fraction ? NaN : sign * Infinity;
    return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -14 * (fraction / 1024));
}

// Element i as a number, a BigInt or a text.
const element = ({ type, data }, i) => (type === 'float16' ? fromHalf(data[i]) : data[i]);

function agrees(actual, expected, bound) {
    if (typeof expected === 'string' || bound.bits)
        return Object.is(actual, expected);
    const a = Number(actual), e = Number(expected);
    if (!Number.isFinite(a) || !Number.isFinite(e))
        return Object.is(a, e);
    return actual === expected || Math.abs(a - e) <= bound.atol + bound.rtol * Math.abs(e);
}

// What differs between a tensor of onnxruntime-node and an expected one, or "". bound: {rtol, atol}, or {bits: true} where
// all must be equal; each NaN equals each.
function difference(actual, expected, bound) {
    if (actual.type !== expected.type || String(actual.dims) !== String(expected.dims))
        return `is ${actual.type}[${actual.dims}], expected ${expected.type}[${expected.dims}]`;
    if (actual.data.length !== expected.data.length)
        return `has ${actual.data.length} elements, expected ${expected.data.length}`;
    for (let i = 0; i < expected.data.length; i++) {
        const a = element(actual, i), e = element(expected, i);
        if (!agrees(a, e, bound))
            return `element ${i} is ${a}, expected ${e}`;
    }
    return '';
}

module.exports = { readTensor, difference };
