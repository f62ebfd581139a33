// SPDX-License-Identifier: Apache-2.0
//
// spellings.js - WinML's experiments, and operators of com.microsoft that are spellings of ONNX's (functions/onnxruntime).
// Left out is what ONNX Runtime computes otherwise than it documents: QLinearSoftmax where 1 / y_scale is no whole number, and
// where a result is 1 and leaves the range of the type.
'use strict';

module.exports = ({ below, pick, given, attrs, float }) => {
    const microsoft = (c) => ({ domain: 'com.microsoft', opset: 1, out: 'float', loose: 2e-5, ...c });
    const winml = (c) => ({ opset: pick([1, 7, 9]), out: 'float', loose: 2e-5, ...c });
    const count = (dims) => dims.reduce((a, b) => a * b, 1);
    const list = (n, make) => Array.from({ length: n }, make);
    const near = (dims, type = 'float') => given(type, dims, list(count(dims), () => (below(4001) - 2000) / 1000));
    const some = (n, least = 1) => list(n, () => least + below(4));
    const maybe = (value) => (below(2) ? value : null);
    const scalar = (type, x) => given(type, [], [x]);
    const number = () => float((below(401) - 200) / 100);
    const scale = () => scalar('float', (1 + below(40)) / 400);
    const zero = (type) => scalar(type, below(20) + (type === 'int8' ? -10 : 118));
    const integers = (dims, type) => given(type, dims, list(count(dims), () => below(256) - (type === 'int8' ? 128 : 0)));
    // ONNX Runtime rounds some quantized results from a table of floats.
    const nearly = (ours, theirs) => {
        const at = theirs[0].list.findIndex((x, i) => Math.abs(x - ours[0].list[i]) > 1);
        return String(ours[0].dims) !== String(theirs[0].dims) ? `dims [${ours[0].dims}], not [${theirs[0].dims}]`
            : at < 0 ? '' : `y0[${at}] is ${ours[0].list[at]}, ONNX Runtime has ${theirs[0].list[at]}`;
    };
    return [
        () => winml({ op: 'Affine', inputs: [near(some(below(4)))], attrs: attrs({ alpha: maybe(number()) || undefined, beta: number() }) }),
        () => winml({ op: pick(['ParametricSoftplus', 'ScaledTanh']), inputs: [near(some(below(4)))],
            attrs: attrs({ alpha: number(), beta: number() }) }),
        () => winml({ op: 'ThresholdedRelu', inputs: [near(some(below(4)))], attrs: attrs({ alpha: number() }) }),
        () => {
            const [n, c, h, w] = some(4);
            return winml({ op: 'ImageScaler', inputs: [near([n, c, h, w])], attrs: attrs({ scale: number(), bias: list(c, number) }) });
        },
        () => {
            const [n, c, h, w] = some(4, 3), border = list(4, () => below(2));
            return winml({ op: 'Crop', inputs: [near([n, c, h, w])],
                attrs: attrs({ border, scale: pick([undefined, [1 + below(2), 1 + below(2)]]) }) });
        },
        () => {
            const type = pick(['uint8', 'int8']), dims = some(3), axis = below(3), n = 1 + below(3);
            const parts = list(n, () => [integers(dims.map((d, i) => (i === axis ? 1 + below(3) : d)), type), scale(), zero(type)]);
            return microsoft({ op: 'QLinearConcat', out: type, check: nearly, inputs: [scale(), zero(type), ...parts.flat()],
                attrs: attrs({ axis }) });
        },
        () => {
            const type = pick(['uint8', 'int8']), dims = some(3), which = pick([dims, dims.slice(1), [1]]);
            return microsoft({ op: 'QLinearWhere', out: type, check: nearly, inputs: [
                given('bool', which, list(count(which), () => below(2))), integers(dims, type), scale(), zero(type),
                integers(pick([dims, [1]]), type), scale(), zero(type), scale(), zero(type)] });
        },
        () => {
            const type = pick(['uint8', 'int8']), dims = some(3);
            return microsoft({ op: 'QLinearSoftmax', out: type, check: nearly, inputs: [integers(dims, type), scale(), zero(type),
                scalar('float', 1 / 128), scalar(type, type === 'int8' ? -128 : 0)],
            attrs: attrs({ axis: below(3), opset: pick([11, 12, 13]) }) });
        },
        () => {
            const type = pick(['uint8', 'int8']), [n, c, m] = some(3), size = [3 + below(3), 3 + below(3)];
            const last = below(2), dims = last ? [n, ...size, c] : [n, c, ...size];
            return microsoft({ op: 'QLinearConv', out: type, check: nearly, inputs: [integers(dims, type), scale(), zero(type),
                integers([m, c, 2, 2], type), scale(), zero(type), scalar('float', 2), zero(type),
                maybe(given('int32', [m], list(m, () => below(2001) - 1000)))],
            attrs: attrs({ channels_last: last, pads: pick([undefined, [1, 0, 0, 1]]), strides: pick([undefined, [2, 1]]) }) });
        },
        () => {
            const dims = some(2, 2), mode = pick(['constant', 'reflect', 'edge']), pads = list(4, () => below(2));
            return microsoft({ op: 'Pad', inputs: [near(dims), given('int64', pick([[4], [1, 4]]), pads),
                mode === 'constant' ? maybe(given('float', [1], [1.5])) : null], attrs: attrs({ mode }) });
        },
        () => {
            const type = pick(['float', 'int32', 'int64', 'double', 'int16']), dims = pick([[], [1]]);
            const one = (x) => given(type, dims, [x]);
            return microsoft({ op: 'Range', out: type, inputs: [one(below(9)), one(below(20)), maybe(one(1 + below(3)))] });
        },
        () => {
            const dims = some(3), width = 1 + below(3), index = [...some(1), width];
            return microsoft({ op: 'GatherND', inputs: [near(dims), given(pick(['int32', 'int64']), index,
                list(count(index), (_, i) => below(dims[i % width])))] });
        },
        () => {
            const n = 1 + below(9);
            return microsoft({ op: 'Unique', out: ['float', 'int64', 'int64'], inputs: [given('float', [n], list(n, () => below(4)))] });
        },
        () => {
            const [n, c, h, w, boxes] = some(5), size = some(2);
            return microsoft({ op: 'CropAndResize', loose: 1e-3, inputs: [near([n, c, h, w]),
                given('float', [boxes, 4], list(4 * boxes, () => (below(130) - 15) / 100 + 0.0037)),
                given('int32', [boxes], list(boxes, () => below(n))), given('int32', [2], size)],
            attrs: attrs({ mode: pick([undefined, 'bilinear', 'nearest']), extrapolation_value: number() }) });
        },
        () => {
            const [m, n, k] = some(3), type = pick(['float', 'double']);
            return microsoft({ op: 'CDist', out: type, loose: 1e-3, inputs: [near([m, k], type), near([n, k], type)],
                attrs: attrs({ metric: pick(['euclidean', 'sqeuclidean']) }) });
        },
        () => {
            const bits = pick([4, 8]), rows = 1 + below(4), blocks = 1 + below(3), per = 8 / bits, index = some(1 + below(2));
            const bytes = (dims) => given('uint8', dims, list(count(dims), () => below(256)));
            return microsoft({ op: 'GatherBlockQuantized', inputs: [bytes([rows, 16 * blocks / per]),
                given(pick(['int32', 'int64']), index, list(count(index), () => below(rows))), near([rows, blocks]),
                maybe(bytes([rows, Math.ceil(blocks / per)]))], attrs: attrs({ bits, block_size: 16 }) });
        },
        () => {
            const [m, n, k] = some(3), words = (dims) => given('int16', dims, list(count(dims), () => below(2001) - 1000));
            return microsoft({ op: 'MatMulInteger16', out: 'int32', inputs: [words([m, k]), words([k, n])] });
        },
    ];
};
