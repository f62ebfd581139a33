// SPDX-License-Identifier: Apache-2.0
//
// activation.js - the activations, and Clip with bounds as attributes. Left out is SwiGLU: ONNX Runtime
// has no opset 28; and arithmetic before opset 7, which it refuses.
'use strict';

module.exports = ({ FLOAT, INT, below, pick, tensor, given, shape, partOf, attrs, float, now }) => {
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
    return [
        unary('Elu', FLOAT, [6, 22], alpha), unary('Selu', TWO, [6, 22], () => ({ alpha: now(positive), gamma: now(positive) })),
        unary('Celu', ['float'], [12], () => ({ alpha: now(positive) })), unary('LeakyRelu', FLOAT, [6, 16], alpha),
        unary('ThresholdedRelu', TWO, [10, 22], alpha),
        unary('HardSigmoid', FLOAT, [6, 22], () => ({ alpha: now(positive), beta: now(real) })),
        unary('HardSwish', TWO, [14, 22]), unary('Mish', TWO, [18, 22]), unary('Softplus', TWO, [1, 22]),
        unary('Softsign', TWO, [1, 22]), unary('Gelu', TWO, [20], () => ({ approximate: pick([undefined, 'none', 'tanh']) })),
        unary('Swish', FLOAT, [24], alpha), unary('Erf', FLOAT, [9, 13]), unary('Relu', FLOAT.concat(['int8', 'int32']), [6, 13, 14]),
        unary('Sigmoid', FLOAT, [6, 13]), unary('Tanh', FLOAT, [6, 13]),
        prelu, clip6, shrink,
    ];
};
