// SPDX-License-Identifier: Apache-2.0
//
// onnxruntime.js - the operators of functions/onnxruntime, which ONNX Runtime writes into the models
// that it saves. Left out is what it computes otherwise than it documents: matrices without inverse,
// coordinates of GridSample so far away that they are no integers, and broken rows of halves.
'use strict';

module.exports = ({ below, pick, tensor, given, attrs, float }) => {
    const microsoft = (c) => ({ domain: 'com.microsoft', opset: 1, out: 'float', loose: 2e-5, ...c });
    // Numbers near 0, so that products and curves stay away from the ends of the type.
    const near = (dims, type = 'float') => given(type, dims,
        Array.from({ length: dims.reduce((a, b) => a * b, 1) }, () => (below(4001) - 2000) / 1000));
    const some = (n, least = 1) => Array.from({ length: n }, () => least + below(4));
    const maybe = (value) => (below(2) ? value : null);
    const activation = (names) => ({ activation: pick(names.concat(undefined)) });
    const scalar = (type, x) => given(type, [], [x]);
    const scale = () => scalar('float', (1 + below(40)) / 400);
    const integers = (dims, type) => given(type, dims,
        Array.from({ length: dims.reduce((a, b) => a * b, 1) }, () => below(256) - (type === 'int8' ? 128 : 0)));
    const zero = (type) => scalar(type, below(20) + (type === 'int8' ? -10 : 118));
    // ONNX Runtime rounds some quantized results from a sum that it adds up in another order.
    const nearly = (ours, theirs) => {
        const at = theirs[0].list.findIndex((x, i) => Math.abs(x - ours[0].list[i]) > 1);
        return String(ours[0].dims) !== String(theirs[0].dims) ? `dims [${ours[0].dims}], not [${theirs[0].dims}]`
            : at < 0 ? '' : `y0[${at}] is ${ours[0].list[at]}, ONNX Runtime has ${theirs[0].list[at]}`;
    };
    const quantized = (op, values) => () => {
        const type = pick(['uint8', 'int8']), x = integers([...some(2), 3, 2], type);
        return microsoft({ op, inputs: [x, scale(), maybe(zero(type)), scale(), zero(type)], out: type,
            attrs: attrs(values()), check: nearly });
    };

    const curve = (op, n_in) => () => {
        const x = near(some(1 + below(4)));
        const row = near([x.dims[x.dims.length - 1]]);
        return microsoft({ op, inputs: n_in === 1 ? [x] : [x, n_in === 2 ? row : maybe(row)] });
    };
    const layer = (op, optional) => () => {
        const dims = [...some(2), 1 + below(9)], width = [dims[2]];
        const inputs = [near(dims), near(below(3) ? dims : dims.slice(1)), near(width),
            ...Array.from({ length: optional }, () => maybe(near(width)))];
        return microsoft({ op, inputs, attrs: attrs({ epsilon: pick([undefined, 0.001, float(1)]) }), loose: 1e-4 });
    };
    return [
        curve('Gelu', 1),
        curve('QuickGelu', 1),
        curve('BiasGelu', 2),
        curve('FastGelu', 3),
        () => microsoft({ op: 'QuickGelu', inputs: [near(some(2))], attrs: attrs({ alpha: pick([0.5, float(1), float(-2)]) }) }),
        () => {
            const d = 1 + below(2), group = pick([1, 1, 2]), c = group * (1 + below(3)), m = group * (1 + below(3));
            const size = some(d, 3), kernel = some(d).map((n) => Math.min(n, 3));
            const n = 1 + below(2), dims = [n, m, ...size.map((s, i) => s - kernel[i] + 1)];
            const act = activation(['Relu', 'Sigmoid', 'Tanh', 'LeakyRelu', 'Clip', 'HardSigmoid']);
            const params = { LeakyRelu: [0.1], Clip: [-0.5, 1.25], HardSigmoid: [0.25, 0.5] }[act.activation];
            return microsoft({ op: 'FusedConv', inputs: [near([n, c, ...size]), near([m, c / group, ...kernel]),
                maybe(near([m])), maybe(near(dims))],
            attrs: attrs({ ...act, activation_params: params, group: group === 1 ? undefined : group }) });
        },
        () => {
            const [m, n, k] = some(3), a = below(2), b = below(2);
            const act = activation(['Relu', 'Sigmoid', 'Tanh', 'LeakyRelu', 'HardSigmoid']);
            const two = { LeakyRelu: [0.1], HardSigmoid: [0.25, 0.5] }[act.activation] || [];
            return microsoft({ op: 'FusedGemm', inputs: [near(a ? [k, m] : [m, k]), near(b ? [n, k] : [k, n]),
                maybe(near(pick([[m, n], [n], [m, 1], [1]])))],
            attrs: attrs({ ...act, activation_alpha: two[0], activation_beta: two[1], transA: a, transB: b,
                alpha: pick([undefined, 0.5]), beta: pick([undefined, 1.5]) }) });
        },
        () => {
            const batch = some(below(3)), [m, n, k] = some(3);
            const side = (rows, columns, trans, first) => near(first
                ? [trans ? columns : rows, ...batch, trans ? rows : columns]
                : [...batch, ...(trans ? [columns, rows] : [rows, columns])]);
            const bits = some(4, 0).map((x) => (batch.length ? x % 2 : x % 2)), far = batch.length > 0;
            return microsoft({ op: 'FusedMatMul', inputs: [side(m, k, bits[0], far && bits[2]), side(k, n, bits[1], far && bits[3])],
                attrs: attrs({ transA: bits[0], transB: bits[1], transBatchA: far ? bits[2] : undefined,
                    transBatchB: far ? bits[3] : undefined, alpha: pick([undefined, 0.5, float(-2)]) }) });
        },
        () => {
            const batch = some(below(2)), [m, n, k] = some(3), a = below(2), b = below(2);
            return microsoft({ op: 'TransposeMatMul', inputs: [near([...batch, ...(a ? [k, m] : [m, k])]),
                near([...batch, ...(b ? [n, k] : [k, n])])],
            attrs: attrs({ transA: a, transB: b, alpha: pick([undefined, 0.25]) }) });
        },
        layer('SkipLayerNormalization', 2),
        layer('SkipSimplifiedLayerNormalization', 1),
        () => {
            const dims = some(1 + below(3), 2), axis = below(dims.length), rest = dims.slice(axis);
            const x = near(dims), scale = near(rest), from = below(2) ? axis : axis - dims.length;
            const values = attrs({ axis: from, epsilon: pick([undefined, 0.01]) });
            return below(2) ? { op: 'SimplifiedLayerNormalization', opset: 17, inputs: [x, scale], attrs: values,
                out: below(2) ? 'float' : ['float', 'float'], loose: 1e-4 }
                : { op: 'LayerNormalization', opset: pick([9, 13, 16]), inputs: [x, scale, maybe(near(rest))],
                    attrs: values, out: below(2) ? 'float' : ['float', 'float', 'float'], loose: 1e-4 };
        },
        () => {
            const [n, c, h, w, height, width] = some(6);
            return microsoft({ op: 'GridSample', inputs: [near([n, c, h, w]), near([n, height, width, 2])],
                attrs: attrs({ mode: pick([undefined, 'bilinear', 'nearest', 'bicubic']),
                    padding_mode: pick([undefined, 'zeros', 'border', 'reflection']),
                    align_corners: pick([undefined, 0, 1]) }), loose: 1e-3 });
        },
        () => {
            const batch = some(below(3)), n = 1 + below(5), type = pick(['float', 'double']), x = near([...batch, n, n], type);
            // A heavy diagonal, now and then in other rows, keeps the inverse small.
            const turn = below(n);
            x.list = x.list.map((v, i) => (Math.floor(i / n) % n === (i + turn) % n ? String(Number(v) + 9) : v));
            return microsoft({ op: 'Inverse', inputs: [x], out: type, loose: 1e-4 });
        },
        quantized('QLinearSigmoid', () => ({})),
        quantized('QLinearLeakyRelu', () => ({ alpha: pick([undefined, 0.25]) })),
        quantized('QLinearGlobalAveragePool', () => ({ channels_last: pick([undefined, 0, 1]) })),
        () => {
            const type = pick(['uint8', 'int8']), dims = some(3), op = pick(['QLinearAdd', 'QLinearMul']);
            return microsoft({ op, out: type, check: nearly, inputs: [integers(dims, type), scale(), maybe(zero(type)),
                integers(below(2) ? dims : dims.slice(2), type), scale(), maybe(zero(type)), scale(), zero(type)] });
        },
        () => {
            const type = pick(['uint8', 'int8']), [m, n, k] = some(3), a = below(2), b = below(2), whole = below(2);
            const row = given('int32', [n], Array.from({ length: n }, () => below(2001) - 1000));
            const end = whole ? [scale(), zero(type)] : [];
            return microsoft({ op: 'QGemm', out: whole ? type : 'float', check: whole ? nearly : undefined,
                inputs: [integers(a ? [k, m] : [m, k], type), scale(), zero(type), integers(b ? [n, k] : [k, n], type),
                    scale(), zero(type), maybe(row), ...end],
                attrs: attrs({ transA: a, transB: b, alpha: pick([undefined, 0.5]) }) });
        },
        () => {
            const a = pick(['uint8', 'int8']), b = pick(['uint8', 'int8']), [m, n, k] = some(3);
            const scales = below(2) ? scale() : given('float', [n], Array.from({ length: n }, () => (1 + below(9)) / 100));
            return microsoft({ op: 'MatMulIntegerToFloat', inputs: [integers([...some(below(2)), m, k], a),
                integers([k, n], b), scale(), scales, maybe(zero(a)), maybe(zero(b)), maybe(near([n]))] });
        },
        () => {
            const b = pick(['uint8', 'int8']), [m, n, k] = some(3);
            return microsoft({ op: 'DynamicQuantizeMatMul', inputs: [near([...some(below(2)), m, k]), integers([k, n], b),
                scale(), maybe(zero(b)), maybe(near([n]))] });
        },
        () => {
            const type = pick(['uint8', 'int8', 'uint16', 'int16']), dims = some(3, 2), axis = below(3), row = below(2);
            const list = (make) => Array.from({ length: dims[axis] }, make);
            const scales = row ? given('float', [dims[axis]], list(() => (1 + below(40)) / 400)) : scale();
            const zeros = row ? given(type, [dims[axis]], list(() => below(20))) : scalar(type, below(20));
            const values = attrs({ axis: axis === 1 && below(2) ? undefined : axis - (below(2) ? 3 : 0) });
            return below(2) ? microsoft({ op: 'QuantizeLinear', out: type, inputs: [near(dims), scales, zeros], attrs: values })
                : microsoft({ op: 'DequantizeLinear', inputs: [tensor(type, dims, true), scales, zeros], attrs: values });
        },
        () => microsoft({ op: 'Trilu', inputs: [near(some(2 + below(2))), maybe(scalar('int64', below(5) - 2))],
            attrs: attrs({ upper: pick([undefined, 0, 1]) }) }),
        () => {
            const dims = some(below(4), 1);
            return microsoft({ op: 'ExpandDims', inputs: [near(dims),
                scalar('int32', below(2 * dims.length + 2) - dims.length - 1)] });
        },
        () => {
            const [b, s, h, words] = some(4, 2), segments = below(2), ids = (dims, n) => given('int32', dims,
                Array.from({ length: dims.reduce((x, y) => x * y, 1) }, () => below(n)));
            return microsoft({ op: 'EmbedLayerNormalization', out: below(2) ? ['float', 'int32'] : ['float', 'int32', 'float'],
                inputs: [ids([b, s], words), segments ? ids([b, s], 2) : null, near([words, h]), near([s + 2, h]),
                    segments ? near([2, h]) : null, near([h]), near([h]), maybe(ids([b, s], 2)),
                    maybe(ids([pick([1, b]), s], s + 2))],
                attrs: attrs({ epsilon: 0.001, mask_index_type: 1 }), loose: 1e-4 });
        },
        () => {
            const [b, s, heads] = some(3), size = 2 * (1 + below(3)), width = heads * size, d = 1 + below(6);
            return microsoft({ op: 'Attention', loose: 1e-4, inputs: [near([b, s, d]), near([d, 3 * width]),
                near([3 * width]), maybe(given('int32', [b, s], Array.from({ length: b * s }, (_, i) => (i % s ? below(2) : 1))))],
            attrs: attrs({ num_heads: heads, unidirectional: pick([undefined, 0, 1]), scale: pick([undefined, 0.25]) }) });
        },
        () => {
            const [b, s, t, heads] = some(4), width = heads * 2 * (1 + below(3));
            return microsoft({ op: 'MultiHeadAttention', loose: 1e-4, inputs: [near([b, s, width]), near([b, t, width]),
                near([b, t, width]), maybe(near([3 * width])),
                maybe(given('int32', [b, t], Array.from({ length: b * t }, (_, i) => (i % t ? below(2) : 1)))),
                maybe(near([pick([1, b]), pick([1, heads]), s, t]))],
            attrs: attrs({ num_heads: heads, scale: pick([undefined, 0.25]) }) });
        },
        () => {
            const type = pick(['uint8', 'int8']), kernel = [1 + below(3), 1 + below(3)], half = kernel.map((k) => k >> 1);
            return microsoft({ op: 'NhwcMaxPool', out: type, inputs: [integers([...some(1), ...some(2, 3), ...some(1)], type)],
                attrs: attrs({ kernel_shape: kernel, strides: pick([undefined, [2, 1]]),
                    pads: pick([undefined, [...half, ...half]]), ceil_mode: pick([undefined, 1]),
                    dilations: pick([undefined, [1, 1]]) }) });
        },
        () => {
            const type = pick(['uint8', 'int8']), kernel = [1 + below(3), 1 + below(3)], half = kernel.map((k) => k >> 1);
            const last = below(2), dims = [...some(1), ...some(2, 3)], c = 1 + below(4);
            dims.splice(last ? 3 : 1, 0, c);
            return microsoft({ op: 'QLinearAveragePool', out: type, check: nearly,
                inputs: [integers(dims, type), scale(), zero(type), scale(), zero(type)],
                attrs: attrs({ kernel_shape: kernel, strides: pick([undefined, [2, 1]]), channels_last: last,
                    pads: pick([undefined, [...half, ...half]]), count_include_pad: pick([undefined, 1]) }) });
        },
    ];
};
