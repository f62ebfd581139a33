// SPDX-License-Identifier: Apache-2.0
//
// reduce.js - the Reduce operators, Softmax and its family, and the normalizations. Numbers are small
// eighths; results that are not exact have a tolerance. Left out are negative axes of an input without
// elements: ONNX Runtime takes another axis; and
// MeanVarianceNormalization of equal numbers: it divides by zero, the standard's body does not.
'use strict';

module.exports = ({ below, pick, tensor, given, attrs, float }) => {
    const count = (dims) => dims.reduce((a, b) => a * b, 1);
    const range = (n) => Array.from({ length: n }, (_, i) => i);
    const now = (make) => (below(2) ? make() : undefined);
    const dimsOf = (least, most = 4) => range(least + below(most - least + 1)).map(() =>
        (below(20) ? pick([1, 2, 3, 4, 5, 7]) : pick([17, 40, 65])));
    const eighths = (type, dims, most = 32) => given(type, dims, range(count(dims)).map(() =>
        (/int/.test(type) ? below(type[0] === 'i' ? 9 : 5) - (type[0] === 'i' ? 4 : 0) : (below(2 * most + 1) - most) / 8)));
    const axisOf = (rank, positive) => (positive ? below(rank) : below(2 * rank) - rank);
    const looseOf = (type) => ({ float: 1e-5, double: 1e-5, float16: 4e-3 }[type]);

    const SUMS = ['ReduceSum', 'ReduceMean', 'ReduceProd', 'ReduceL1', 'ReduceL2', 'ReduceLogSum', 'ReduceLogSumExp',
        'ReduceSumSquare', 'ReduceMax', 'ReduceMin'];
    function reduce() {
        const op = pick(SUMS), extreme = /Max|Min/.test(op), opset = pick(extreme ? [1, 11, 12, 13, 18, 20] : [1, 11, 13, 18]);
        const byInput = opset >= (op === 'ReduceSum' ? 13 : 18), rank = below(5);
        const dims = range(rank).map(() => (below(25) || extreme ? pick([1, 2, 3, 5]) : pick([0, 33])));
        const types = extreme && opset >= 12 ? ['int8', 'uint8'] : [];
        const whole = /Log|L1|L2|Mean|Prod/.test(op) ? ['int32'] : ['int32', 'int64'];
        const type = pick(['float', 'float', 'double'].concat(whole, types)), x = eighths(type, dims, op === 'ReduceProd' ? 12 : 32);
        if (/LogSum$/.test(op))
            x.list = x.list.map((v) => String(Math.abs(Number(v)) + 1));
        const axes = below(4) ? range(rank).filter(() => below(2)).map((a) =>
            (opset >= 11 && count(dims) && below(2) ? a - rank : a)) : [];
        const inputs = [x].concat(byInput && axes.length ? [given('int64', [axes.length], axes)] : []);
        return { op, opset, out: type, inputs, loose: looseOf(type), attrs: attrs({ keepdims: now(() => below(2)),
            axes: !byInput && axes.length ? axes : undefined,
            noop_with_empty_axes: byInput && !axes.length ? now(() => below(2)) : undefined }) };
    }

    function softmax() {
        const dims = dimsOf(1), opset = pick([1, 11, 13]), type = pick(['float', 'double', 'float16']);
        const x = below(4) ? eighths(type, dims, 80) : tensor(type, dims, true);
        return { op: pick(['Softmax', 'LogSoftmax', 'Hardmax']), opset, out: type, inputs: [x], loose: looseOf(type),
            attrs: attrs({ axis: now(() => axisOf(dims.length, opset < 11)) }) };
    }

    function layer() {
        const op = pick(['LayerNormalization', 'RMSNormalization']), dims = dimsOf(1), axis = axisOf(dims.length);
        const rest = dims.slice(axis < 0 ? dims.length + axis : axis), type = pick(['float', 'double', 'float16']);
        const inputs = [eighths(type, dims), eighths(type, rest)];
        const three = op === 'LayerNormalization' && type !== 'float16' && type !== 'double' && below(3) === 0;
        if (op === 'LayerNormalization' && below(2))
            inputs.push(eighths(type, rest));
        return { op, opset: op === 'RMSNormalization' ? 23 : 17, inputs, out: three ? [type, 'float', 'float'] : type,
            loose: type === 'float16' ? 2e-2 : 1e-4, attrs: attrs({ axis: axis === -1 ? now(() => axis) : axis,
                epsilon: pick([undefined, float(0.01)]) }) };
    }

    const instance = () => {
        const channels = 1 + below(6), dims = [1 + below(3), channels, ...range(1 + below(3)).map(() => 1 + below(8))];
        const of = () => eighths('float', [channels]);
        return { op: 'InstanceNormalization', opset: pick([6, 22]), out: 'float', inputs: [eighths('float', dims), of(), of()],
            loose: 1e-4, attrs: attrs({ epsilon: pick([undefined, float(0.01)]) }) };
    };
    const group = () => {
        const opset = pick([18, 21, 21]), type = pick(['float', 'double', 'float16']), groups = 1 + below(4);
        const dims = [1 + below(3), groups * (1 + below(4)), ...range(1 + below(3)).map(() => 1 + below(6))];
        const of = () => eighths(type, [opset === 18 ? groups : dims[1]]);
        return { op: 'GroupNormalization', opset, out: type, inputs: [eighths(type, dims), of(), of()],
            loose: type === 'float16' ? 2e-2 : 1e-4, attrs: attrs({ num_groups: groups, epsilon: pick([undefined, float(0.01)]) }) };
    };
    const lp = () => {
        const type = pick(['float', 'double']), dims = dimsOf(1);
        return { op: 'LpNormalization', opset: pick([1, 22]), out: type, inputs: [eighths(type, dims)], loose: 1e-5,
            attrs: attrs({ axis: now(() => axisOf(dims.length)), p: pick([undefined, 1, 2]) }) };
    };
    const meanVariance = () => {
        const axes = now(() => [0, 2].concat(now(() => 1) || [])), rank = axes ? 3 + below(2) : 4;
        const dims = range(rank).map(() => 2 + below(5)), x = eighths('float', dims);
        x.list = x.list.map((v, i) => String(Number(v) + i / 16)); // no two equal in a row
        return { op: 'MeanVarianceNormalization', opset: pick([9, 13]), out: 'float', inputs: [x], attrs: attrs({ axes }), loose: 1e-3 };
    };
    const upsample = () => {
        const opset = pick([7, 9]), rank = 1 + below(4), dims = range(rank).map(() => 1 + below(5)), mode = pick(['nearest', 'linear']);
        const linear = mode === 'linear' && rank === 4;
        const scales = range(rank).map((a) => (linear && a < 2 ? 1 : pick([1, 2, 3, 4])));
        const type = pick(linear ? ['float'] : ['float', 'int32', 'uint8']);
        return { op: 'Upsample', opset, out: type, loose: 1e-5, inputs: [eighths(type, dims)].concat(opset < 9 ? []
            : [given('float', [rank], scales)]), attrs: attrs({ mode: linear ? 'linear' : now(() => 'nearest'),
                scales: opset < 9 ? scales.map(float) : undefined }) };
    };
    return [reduce, reduce, reduce, reduce, reduce, softmax, softmax, softmax, layer, layer, instance, group, lp, meanVariance, upsample];
};
