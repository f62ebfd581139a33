// SPDX-License-Identifier: Apache-2.0
//
// quantize.js - the quantization operators, and Cast of narrow types and of text; results of types
// that JavaScript lacks are cast. Left out is float8e4m3fn without saturate: ONNX Runtime gives 448 for numbers from 464 to 512.
'use strict';

module.exports = ({ NUMBER, below, pick, given, shape, attrs, count, range }) => {
    const CODES = { uint8: [0, 255, 2], int8: [-128, 127, 3], uint16: [0, 65535, 4], int16: [-32768, 32767, 5],
        uint4: [0, 15, 21], int4: [-8, 7, 22], float8e4m3fn: [0, 0, 17], float8e5m2: [0, 0, 19],
        float8e4m3fnuz: [0, 0, 18], float8e5m2fnuz: [0, 0, 20] };
    const isFloat8 = (type) => type.startsWith('float8');
    const code = (type) => CODES[type][0] + below(CODES[type][1] - CODES[type][0] + 1);

    // Dims of an input, and of its scales: one, one for each place of an axis, or one for each block.
    function forms(opset) {
        const dims = shape().filter(Boolean).concat(1 + below(6)), rank = dims.length, axis = below(rank);
        const kind = pick(opset < 13 ? ['one'] : opset < 21 ? ['one', 'axis'] : ['one', 'axis', 'block', 'block']);
        if (kind === 'one')
            return { dims, scales: pick([[], []]), values: {} };
        if (kind === 'axis')
            return { dims, scales: [dims[axis]], values: { axis: below(2) ? axis : axis - rank } };
        const block = 2 + below(3);
        dims[axis] = block * (1 + below(3));
        return { dims, scales: dims.map((n, a) => (a === axis ? n / block : n)),
            values: { axis: below(2) ? axis : axis - rank, block_size: block } };
    }
    const scalesOf = (type, dims) => given(type, dims, range(count(dims)).map(() =>
        pick([1, 0.5, 2, 0.125, 3, 1.7, 0.1].slice(0, type === 'float16' ? 5 : 7).map(Math.fround))));
    const typesFor = (opset) => (opset < 19 ? ['uint8', 'int8'] : opset < 21 ? ['uint8', 'int8', 'float8e4m3fn', 'float8e5m2',
        'float8e4m3fnuz', 'float8e5m2fnuz'] : Object.keys(CODES));

    function quantize() {
        const opset = pick([10, 13, 19, 21, 23]), f = forms(opset), type = pick(typesFor(opset));
        const from = opset >= 19 && !isFloat8(type) && below(4) === 0 ? 'float16' : 'float';
        const x = given(from, f.dims, range(count(f.dims)).map(() => (below(8) ? (below(4001) - 2000) / pick([4, 16, 1])
            / (from === 'float16' ? 4 : 1)
            : pick(isFloat8(type) ? ['0', '448', '-1000', '0.001'] : ['0', '0.5', '1.5', '-2.5']))));
        const inputs = [x, scalesOf(from, f.scales)];
        const zero = type !== 'uint8' || below(3);
        if (zero)
            inputs.push(given(type, f.scales, range(count(f.scales)).map(() => code(type))));
        const values = attrs({ ...f.values, saturate: isFloat8(type) && type !== 'float8e4m3fn' ? pick([undefined, 0]) : undefined });
        if (NUMBER[type])
            return { op: 'QuantizeLinear', opset, inputs, out: type, attrs: values };
        const to = isFloat8(type) ? 'float' : 'int32';
        return { op: 'QuantizeLinear', opset, inputs, out: to,
            nodes: `q = QuantizeLinear${values} (x0, x1, x2) y0 = Cast <to = ${NUMBER[to]}> (q)` };
    }

    function dequantize() {
        const opset = pick([10, 13, 19, 21, 23]), f = forms(opset), type = pick(typesFor(opset).concat('int32'));
        const to = opset >= 19 && below(4) === 0 ? 'float16' : 'float';
        const list = range(count(f.dims)).map(() => (type === 'int32' ? below(20001) - 10000 : isFloat8(type)
            ? pick([0, 1, -1, 0.5, -2, 8, 12]) : code(type)));
        const inputs = [given(type, f.dims, list), scalesOf(to, f.scales)];
        if (type !== 'int32' && below(3))
            inputs.push(given(type, f.scales, range(count(f.scales)).map(() => code(type))));
        return { op: 'DequantizeLinear', opset, inputs, out: to, attrs: attrs(f.values), loose: to === 'float16' ? 1e-3 : 1e-6 };
    }

    function dynamic() {
        const dims = shape().filter(Boolean).concat(1 + below(40)), shift = below(3) * 40;
        return { op: 'DynamicQuantizeLinear', opset: 11, out: ['uint8', 'float', 'uint8'], loose: 1e-6,
            inputs: [given('float', dims, range(count(dims)).map(() => (below(801) - 400 + 10 * shift) / 7))] };
    }
    // Through a type that JavaScript lacks, and back.
    function narrow() {
        const type = pick(['bfloat16', 'float8e4m3fn', 'float8e4m3fnuz', 'float8e5m2', 'float8e5m2fnuz', 'int4', 'uint4']);
        const dims = shape(), whole = /int/.test(type), number = { ...NUMBER, bfloat16: 16 }[type] || CODES[type][2];
        const list = range(count(dims)).map(() => (whole ? code(type) : below(9) ? (below(2001) - 1000) / pick([1, 4, 8, 64, 3000])
            : pick(['nan', 'inf', '-inf', '0', '-0.0'])));
        const from = whole ? pick(['float', 'int32', 'int8', 'uint8'].slice(0, type === 'int4' ? 3 : 4)) : pick(['float', 'float16']);
        return { op: 'Cast', opset: pick(whole ? [21, 23] : [19, 21, 23]), out: from, inputs: [given(from, dims, list)],
            nodes: `c = Cast <to = ${number}> (x0) y0 = Cast <to = ${NUMBER[from]}> (c)` };
    }

    function fromText() {
        const dims = shape(), to = pick(['float', 'double', 'int32', 'int64', 'uint8']);
        const list = range(count(dims)).map(() => (/int/.test(to) ? String(below(200))
            : pick([String((below(20001) - 10000) / pick([1, 7, 1000])),
            '1e5', '-2.5E-3', 'NaN', 'INF', '-INF', '0', '3.'])));
        return { op: 'Cast', opset: pick([9, 13, 19]), out: to, attrs: attrs({ to: NUMBER[to] }),
            inputs: [{ type: 'string', dims, list: list.map((v) => JSON.stringify(v)) }] };
    }
    return [narrow, fromText, quantize, quantize, dequantize, dequantize, dynamic];
};
