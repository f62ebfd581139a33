// SPDX-License-Identifier: Apache-2.0
//
// activation.js - the activations, Clip with bounds as attributes, and the operators of opset 6 whose
// broadcasting has an attribute.
'use strict';

module.exports = ({ FLOAT, INT, below, pick, tensor, given, shape, partOf, attrs, float }) => {
    const now = (make) => (below(2) ? make() : undefined);
    const real = () => float((below(65) - 32) / 16);
    const positive = () => float((1 + below(48)) / 16);
    // Values near 0, and special ones.
    const values = (type, dims) => {
        const t = tensor(type, dims);
        t.list = t.list.map((v) => (isFinite(v) ? String(Number(v) % 12) : v));
        return t;
    };
    const looseOf = (type) => ({ float: 1e-5, double: 1e-5, float16: 4e-3 }[type]);
    const unary = (op, types, opsets, of = () => ({})) => () => {
        const type = pick(types);
        return { op, opset: pick(opsets), inputs: [values(type, shape())], out: type, attrs: attrs(of()), loose: looseOf(type) };
    };
    const alpha = () => ({ alpha: now(real) });
    const TWO = ['float', 'double'];

    const slopes = (opset, dims) => (opset < 9 && dims.length && below(2) ? [1] : partOf(dims));
    function prelu() {
        const opset = pick([7, 9, 16]), type = pick(opset < 9 ? FLOAT : FLOAT.concat(['int32', 'int64', 'uint32', 'uint64']));
        const dims = shape();
        return { op: 'PRelu', opset, out: type, loose: looseOf(type), inputs: [tensor(type, dims, true),
            tensor(type, slopes(opset, dims), true)] };
    }
    const clip6 = () => {
        const low = below(2) ? float((below(65) - 40) / 16) : undefined, high = now(() => float((30 + below(30)) / 16));
        return { op: 'Clip', opset: 6, out: 'float', inputs: [values('float', shape())], attrs: attrs({ min: low, max: high }) };
    };
    const shrink = () => {
        const type = pick(FLOAT.concat(INT)), x = values(type, shape());
        x.list = x.list.map((v) => (v === 'nan' ? '1' : v));
        return { op: 'Shrink', opset: 9, out: type, inputs: [x], loose: looseOf(type),
            attrs: attrs({ lambd: now(() => float(below(9) / 2)), bias: FLOAT.includes(type) ? now(real) : undefined }) };
    };
    const swiglu = () => ({ op: 'SwiGLU', opset: 28, out: 'float', inputs: [values('float', shape().concat(2 * (1 + below(5))))],
        loose: 1e-5 });
    // Opset 6: B is a part of the dims of A, from axis on.
    function legacy() {
        const op = pick(['Add', 'Sub', 'Mul', 'Div']), type = pick(['float', 'double', 'int32', 'int64']);
        const dims = shape().map((n) => n || 1), rank = dims.length, axis = below(rank + 1), length = below(rank - axis + 1);
        const b = tensor(type, dims.slice(axis, axis + length), true);
        b.list = b.list.map((v) => (Number(v) === 0 ? '3' : v));
        return { op, opset: 6, out: type, inputs: [tensor(type, dims, true), b], attrs: attrs({ broadcast: 1, axis }) };
    }
    return [
        unary('Elu', FLOAT, [6, 22], alpha), unary('Selu', TWO, [6, 22], () => ({ alpha: now(positive), gamma: now(positive) })),
        unary('Celu', ['float'], [12], () => ({ alpha: now(positive) })), unary('LeakyRelu', FLOAT, [6, 16], alpha),
        unary('ThresholdedRelu', TWO, [10, 22], alpha), unary('HardSigmoid', FLOAT, [6, 22], () => ({ alpha: now(positive), beta: now(real) })),
        unary('HardSwish', TWO, [14, 22]), unary('Mish', TWO, [18, 22]), unary('Softplus', TWO, [1, 22]),
        unary('Softsign', TWO, [1, 22]), unary('Gelu', TWO, [20], () => ({ approximate: pick([undefined, 'none', 'tanh']) })),
        unary('Swish', FLOAT, [24], alpha), unary('Erf', FLOAT, [9, 13]), unary('Relu', FLOAT.concat(['int8', 'int32']), [6, 13, 14]),
        unary('Sigmoid', FLOAT, [6, 13]), unary('Tanh', FLOAT, [6, 13]),
        prelu, clip6, shrink, swiglu, legacy,
    ];
};
