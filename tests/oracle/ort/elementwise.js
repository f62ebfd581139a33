// SPDX-License-Identifier: Apache-2.0
//
// elementwise.js - the element-by-element operators, Cast and MatMul. Left out is what the standard
// leaves open (floats out of an integer's range, integers divided by zero, signs of zeros) and what
// ONNX Runtime computes in double or by approximation (large Mod, Sqrt of Inf, Sign of a float16 NaN).
'use strict';

module.exports = ({ FLOAT, INT, NUMBER, below, pick, element, tensor, given, shape, partOf, same }) => {
    const nonzero = (t) => ({ ...t, list: t.list.map((x) => (Number(x) === 0 || Number(x) === -1 ? '3' : x)) });
    const unary = (ops, types, opsets, loose, mild) => () => {
        const type = pick(types);
        return { op: pick(ops), opset: pick(opsets), inputs: same(type, 1, mild), out: type, loose };
    };
    const binary = (ops, types, opsets, out) => () => {
        const type = pick(types);
        return { op: pick(ops), opset: pick(opsets), inputs: same(type, 2), out: out || type };
    };
    return [
        unary(['Abs', 'Sign'], ['float', 'double'].concat(INT), [13, 9, 17]),
        unary(['Abs'], ['float', 'double'].concat(INT), [6]),
        unary(['Abs', 'Neg'], ['float16'], [13]),
        unary(['Neg'], FLOAT.concat(INT.slice(0, 4)), [6, 13]),
        unary(['Ceil', 'Floor', 'Reciprocal'], FLOAT, [6, 7, 13]),
        unary(['Sqrt'], FLOAT, [6, 7, 13], 1e-6, true),
        unary(['Relu'], ['float', 'double', 'float16', 'int8', 'int32'], [14]),
        unary(['Round'], FLOAT, [11, 22]),
        unary(['Exp', 'Log', 'Sigmoid', 'Tanh'], ['float', 'double'], [6, 7, 13], 1e-6),
        unary(['Sin', 'Cos'], ['float', 'double'], [7, 22], 1e-6),
        unary(['Not'], ['bool'], [1, 7]),
        binary(['Add', 'Sub', 'Mul'], FLOAT.concat(INT), [7, 13, 14]),
        binary(['Equal'], FLOAT.concat(INT, ['bool']), [11, 13], 'bool'),
        binary(['Equal'], ['int32', 'int64', 'bool'], [7], 'bool'),
        binary(['Greater', 'Less'], FLOAT.concat(INT), [9, 13], 'bool'),
        binary(['Greater', 'Less'], ['float', 'double'], [7], 'bool'),
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
        () => { // before opset 8 all dims are the same
            const dims = shape(), inputs = [1, 2, 3].slice(below(3)).map(() => tensor('float', dims, true));
            return { op: pick(['Max', 'Min', 'Sum', 'Mean']), opset: 6, inputs, out: 'float', loose: 1e-6 };
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
            const type = pick(FLOAT.concat(INT, 'string')), dims = shape();
            return { op: 'Where', opset: pick([9, 16]), out: type,
                inputs: [tensor('bool', partOf(dims)), tensor(type, dims), tensor(type, partOf(dims))] };
        },
        () => {
            const types = Object.keys(NUMBER).filter((t) => t !== 'string'), from = pick(types), to = pick(types);
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
        () => { // large, of numbers whose sums are exact
            const type = pick(['float', 'double', 'int32']), [m, k, n] = [1, 2, 3].map(() => 1 + below(pick([4, 70, 300])));
            const numbers = (dims) => given(type, dims, Array.from({ length: dims[0] * dims[1] }, () =>
                (below(33) - 16) / (type === 'int32' ? 1 : 8)));
            return { op: 'MatMul', opset: 13, out: type, inputs: [numbers([m, k]), numbers([k, n])] };
        },
    ];
};
