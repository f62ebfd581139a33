// SPDX-License-Identifier: Apache-2.0
//
// kit.js - random numbers and tensors for the cases of compare_ort.js.
//
// A file of this folder exports (kit) => [maker, ...]. A maker returns one random case:
//
//     op       the operator's name; domain: its domain, if not ONNX's; opset: the version of that domain
//     attrs    the attributes in text form, as ' <axis = 1>'; may be missing
//     inputs   tensors of tensor() or of one's own: { type, dims, list }, elements as text; null: left out
//     out      the element type of the output, or a list of them
//     nodes    the text of the whole graph's nodes, in place of the one node that is written otherwise;
//              they read x0, x1, ... and give y0, y1, ...
//     loose    largest difference, relative for values above 1; missing: the same bits, but for NaN
//     check    (ours, theirs) => a text that tells the difference, '' if none; in place of loose, for
//              results that may be ordered otherwise. Each is a list of { dims, list }
'use strict';

const FLOAT = ['float', 'double', 'float16'];
const INT = ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64'];
// ONNX's number of each element type that ONNX Runtime's JavaScript can return.
const NUMBER = { float: 1, uint8: 2, int8: 3, uint16: 4, int16: 5, int32: 6, int64: 7, string: 8,
    bool: 9, float16: 10, double: 11, uint32: 12, uint64: 13 };
const SPECIAL = ['0', '-0.0', 'inf', '-inf', 'nan', '1', '-1', '0.5', '1.5', '2.5', '-2.5'];

function makeKit(seed) {
    let state = BigInt(seed) * 2862933555777941757n + 3037000493n;

    // A whole number from 0 to n - 1.
    function below(n) {
        state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
        return Number((state >> 33n) % BigInt(n));
    }
    const pick = (list) => list[below(list.length)];

    // An element as text. mild: neither special values nor the ends of an integer's range.
    function element(type, mild) {
        if (type === 'bool')
            return String(below(2));
        if (type === 'string')
            return JSON.stringify(pick(['', 'a', 'b', 'Ab', 'long word', '\u00e9t\u00e9']));
        if (FLOAT.includes(type)) {
            if (!mild && below(3) === 0)
                return pick(SPECIAL);
            const x = (below(2000001) - 1000000) / pick([10, 1000, 50000, 300000]);
            return String(type === 'float16' && Math.abs(x) > 60000 ? x / 100 : x);
        }
        const bits = BigInt(type.replace(/\D/g, ''));
        const low = type[0] === 'i' ? -(1n << (bits - 1n)) : 0n;
        if (!mild && below(4) === 0)
            return String(pick([low, low + (1n << bits) - 1n, 0n, 1n]));
        return String(type[0] === 'i' ? below(200) - 100 : below(200));
    }

    function tensor(type, dims, mild) {
        const n = dims.reduce((a, b) => a * b, 1);
        return { type, dims, list: Array.from({ length: n }, () => element(type, mild)) };
    }

    // A tensor of given numbers.
    const given = (type, dims, list) => ({ type, dims, list: list.map(String) });

    const count = (dims) => dims.reduce((a, b) => a * b, 1);
    const range = (n) => Array.from({ length: n }, (_, i) => i);
    // What make gives, every other time.
    const now = (make) => (below(2) ? make() : undefined);

    // A tensor of whole eighths from -most / 8 to most / 8; of small whole numbers if type is one of integers.
    const eighths = (type, dims, most = 32) => given(type, dims, range(count(dims)).map(() =>
        (type[0] === 'i' ? below(9) - 4 : type[0] === 'u' ? below(5) : (below(2 * most + 1) - most) / 8)));

    // Up to three axes, now and then with one of size 0.
    const shape = () => Array.from({ length: below(4) },
        () => pick([1, 2, 3, 5, 7, 0].slice(0, below(20) ? 5 : 6)));

    // Dims that broadcast to dims.
    const partOf = (dims) => dims.slice(below(dims.length + 1)).map((n) => (below(3) ? n : 1));

    // n tensors, of which the first has the dims of the result.
    function same(type, n, mild = false) {
        const dims = shape();
        return Array.from({ length: n }, (_, i) => tensor(type, i ? partOf(dims) : dims, mild));
    }

    // ' <a = 1, b = [2, 3]>' from { a: 1, b: [2, 3] }; what is undefined is left out. Strings are
    // quoted; a number that must be a float is given as text with a point, as in float(2).
    function attrs(values) {
        const word = (v) => Array.isArray(v) ? `[${v.map(word).join(', ')}]`
            : v instanceof Float ? v.text : typeof v === 'string' ? JSON.stringify(v) : String(v);
        const list = Object.entries(values).filter(([, v]) => v !== undefined);
        return list.length ? ` <${list.map(([k, v]) => `${k} = ${word(v)}`).join(', ')}>` : '';
    }
    return { FLOAT, INT, NUMBER, below, pick, element, tensor, given, shape, partOf, same, attrs,
        count, range, now, eighths, float: (x) => new Float(x) };
}

class Float {
    constructor(x) {
        this.text = Number.isInteger(x) ? `${x}.0` : String(x);
    }
}

module.exports = { makeKit, NUMBER };
