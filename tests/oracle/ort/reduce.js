// SPDX-License-Identifier: Apache-2.0
//
// reduce.js - the Reduce operators, Softmax and its family, and the normalizations. Numbers are small
// eighths; results that are not exact have a tolerance. Left out are negative axes of an input without
// elements (ONNX Runtime takes another axis), MeanVarianceNormalization of equal numbers (it divides by
// zero, the standard's body does not), NaN in Hardmax (its result depends on where the NaN is), and
// what the standard leaves open: logarithms of whole numbers, and the mean of no elements. Left out is
// InstanceNormalization without elements too: it ends the process.
'use strict';

module.exports = ({ below, pick, tensor, given, attrs, float, count, range, now, eighths }) => {
    const dimsOf = (least, most = 4) => range(least + below(most - least + 1)).map(() =>
        (below(20) ? pick([1, 2, 3, 4, 5, 7]) : pick([17, 40, 65])));
    const axisOf = (rank, positive) => (positive ? below(rank) : below(2 * rank) - rank);
    const looseOf = (type) => ({ float: 1e-5, double: 1e-5, float16: 4e-3 }[type]);

    const SUMS = ['ReduceSum', 'ReduceMean', 'ReduceProd', 'ReduceL1', 'ReduceL2', 'ReduceLogSum', 'ReduceLogSumExp',
        'ReduceSumSquare', 'ReduceMax', 'ReduceMin'];
    function reduce() {
        const op = pick(SUMS), extreme = /Max|Min/.test(op), opset = pick(extreme ? [1, 11, 12, 13, 18, 20] : [1, 11, 13, 18]);
        const byInput = opset >= (op === 'ReduceSum' ? 13 : 18), rank = below(5);
        const dims = range(rank).map(() => (below(25) || extreme || op === 'ReduceMean' ? pick([1, 2, 3, 5]) : pick([0, 33])));
        const types = extreme && opset >= 12 ? ['int8', 'uint8'] : [];
        const whole = /Log/.test(op) ? [] : /L1|L2|Mean|Prod/.test(op) ? ['int32'] : ['int32', 'int64'];
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
    // Long axes and many rows, of numbers whose sums are exact.
    function large() {
        const op = pick(['Softmax', 'LogSoftmax', 'ReduceSum', 'ReduceMax', 'ReduceMin', 'ReduceMean', 'ReduceL1', 'ReduceSumSquare',
            'RMSNormalization', 'LayerNormalization']);
        const dims = pick([[1 + below(3), 1 + below(3000)], [1 + below(500), 1 + below(9)], [1 + below(40), 1 + below(9), 1 + below(20)]]);
        const axis = below(dims.length), reduction = op[0] === 'R' && op[1] === 'e', type = pick(['float', 'double']);
        const norm = /Normal/.test(op), inputs = [eighths(type, dims)].concat(norm ? [eighths(type, dims.slice(axis))] : []);
        if (op === 'ReduceSum')
            inputs.push(given('int64', [1], [axis]));
        return { op, opset: op[1] === 'M' ? 23 : 17, out: type, inputs, loose: norm ? 1e-4 : 1e-5,
            attrs: attrs(reduction ? { axes: op === 'ReduceSum' ? undefined : [axis], keepdims: below(2) } : { axis }) };
    }

    // Infinities and NaN, and axes without elements.
    function special() {
        const op = pick(['Softmax', 'LogSoftmax', 'Hardmax', 'ReduceMax', 'ReduceMin', 'ReduceSum',
            'ReduceMean', 'ReduceL1', 'ReduceSumSquare', 'LayerNormalization', 'InstanceNormalization']);
        const size = (most) => (below(8) || /Mean|Instance/.test(op) ? 1 + below(most) : 0), type = 'float';
        const dims = [size(4), size(6)], x = eighths(type, dims);
        x.list = x.list.map((v) => (below(6) ? v : pick(['inf', '-inf', 'nan', '-0.0', '3e38'])));
        if (op === 'Hardmax')
            x.list = x.list.map((v) => (v === 'nan' ? '7' : v));
        const c = { op, opset: op[0] === 'R' ? 13 : 17, out: type, inputs: [x], loose: 1e-5 };
        if (op === 'LayerNormalization')
            c.inputs.push(eighths(type, [dims[1]]));
        if (op === 'InstanceNormalization')
            c.inputs = [{ ...x, dims: [1, ...dims] }, eighths(type, [dims[0]]), eighths(type, [dims[0]])];
        if (op[0] === 'R' && op !== 'ReduceSum')
            c.attrs = attrs({ axes: [pick([0, 1])] });
        return c;
    }
    return [special, special, large, large, reduce, reduce, reduce, reduce, reduce, softmax, softmax, softmax, layer,
        layer, instance, group, lp, meanVariance, upsample];
};
