// SPDX-License-Identifier: Apache-2.0
//
// elementary.js - the trigonometric and hyperbolic functions and their inverses, the operators on
// bits, IsInf, IsNaN and Mean. Left out is what ONNX leaves open: shifts by all bits or more.
'use strict';

module.exports = ({ FLOAT, INT, below, pick, tensor, shape, partOf, same, attrs }) => {
    const unary = (ops, opsets) => () => {
        const type = pick(FLOAT), x = same(type, 1)[0];
        x.list = x.list.map((v) => (below(2) ? v : String(Number(v) % 4)));
        return { op: pick(ops), opset: pick(opsets), inputs: [x], out: type,
            loose: type === 'float16' ? 2e-3 : 1e-5 };
    };
    const binary = (op, types, opset) => () => {
        const type = pick(types);
        return { op, opset, inputs: same(type, 2), out: type };
    };
    return [
        unary(['Acos', 'Asin', 'Atan', 'Tan'], [7, 22]),
        unary(['Acosh', 'Asinh', 'Atanh', 'Cosh', 'Sinh'], [9, 22]),
        binary('BitwiseAnd', INT, 18), binary('BitwiseOr', INT, 18), binary('BitwiseXor', INT, 18),
        () => {
            const type = pick(INT);
            return { op: 'BitwiseNot', opset: 18, inputs: same(type, 1), out: type };
        },
        () => {
            const type = pick(INT.slice(4)), dims = shape(), x = tensor(type, dims);
            const by = tensor(type, partOf(dims));
            by.list = by.list.map(() => String(below(Number(type.slice(4)))));
            return { op: 'BitShift', attrs: attrs({ direction: pick(['LEFT', 'RIGHT']) }), opset: 11,
                inputs: [x, by], out: type };
        },
        () => ({ op: 'IsInf', attrs: attrs({ detect_negative: below(2), detect_positive: below(2) }),
            opset: pick([10, 20]), inputs: same(pick(FLOAT), 1), out: 'bool' }),
        () => ({ op: 'IsNaN', opset: pick([9, 13, 20]), inputs: same(pick(FLOAT), 1), out: 'bool' }),
        () => {
            const type = pick(FLOAT);
            return { op: 'Mean', opset: pick([6, 8, 13]), inputs: same(type, 1 + below(4), true),
                out: type, loose: 1e-6 };
        },
    ];
};
