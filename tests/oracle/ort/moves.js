// SPDX-License-Identifier: Apache-2.0
//
// moves.js - the operators that move, shape and make tensors, with the attribute forms of their old
// versions. Left out is what ONNX Runtime does otherwise than the standard says: Slice backward to the
// largest number of the type (it slices to the beginning); Gather of strings along
// another axis than the last (it leaves out all but the first of a row); and windows of one element,
// where the formula divides by zero.
'use strict';

module.exports = ({ FLOAT, INT, NUMBER, below, pick, element, tensor, given, attrs, float, count, range, now }) => {
    const ALL = FLOAT.concat(INT, 'bool', 'string');
    const dimsOf = (least, most = 5) => range(least + below(most - least + 1)).map(() =>
        (below(25) ? pick([1, 2, 3, 4, 5, 7]) : pick([0, 17, 40])));
    const axisOf = (rank, positive) => (positive ? below(rank) : below(2 * rank) - rank);
    const at = (dims, axis) => (axis < 0 ? axis + dims.length : axis);
    const long = (list, type = 'int64') => given(type, [list.length], list);
    const shuffled = (list) => list.map((v) => [below(1000), v]).sort((a, b) => a[0] - b[0]).map(([, v]) => v);
    const some = (list) => list.filter(() => below(2));

    function concat() {
        const dims = dimsOf(1), opset = pick([4, 11, 13]), axis = axisOf(dims.length, opset < 11), type = pick(ALL);
        return { op: 'Concat', opset, attrs: attrs({ axis }), out: type, inputs: range(1 + below(4)).map(() =>
            tensor(type, dims.map((n, a) => (a === at(dims, axis) ? below(6) : n)))) };
    }

    function expand() {
        const dims = dimsOf(0, 4), type = pick(ALL), to = dims.map((n) => (n === 1 ? pick([1, 2, 5, 33]) : n));
        const x = tensor(type, below(3) ? dims : dims.slice(below(dims.length + 1)));
        const shape = to.slice(below(to.length + 1)).map((n) => (below(4) ? n : 1));
        return { op: 'Expand', opset: pick([8, 13]), out: type, inputs: [x, long(shape)] };
    }

    function flatten() {
        const dims = dimsOf(1), opset = pick([1, 9, 11, 13]), rank = dims.length, type = pick(opset < 9 ? FLOAT : ALL);
        return { op: 'Flatten', opset, out: type, inputs: [tensor(type, dims)],
            attrs: attrs({ axis: now(() => (opset < 11 ? below(rank + 1) : below(2 * rank + 1) - rank)) }) };
    }

    const indices = (dims, size, from_end, type) => given(type, dims, range(count(dims)).map(() =>
        below(size) - (from_end && below(2) ? size : 0)));

    function gather() {
        const dims = dimsOf(1, 4), opset = pick([1, 11, 13]), type = pick(ALL);
        const axis = type === 'string' ? dims.length - 1 : axisOf(dims.length, opset < 11), size = dims[at(dims, axis)];
        const where = size ? dimsOf(0, 2) : [0];
        return { op: 'Gather', opset, attrs: below(5) || axis ? attrs({ axis }) : '', out: type,
            inputs: [tensor(type, dims), indices(where, size || 1, opset > 1, pick(['int32', 'int64']))] };
    }

    function gatherElements() {
        const dims = dimsOf(1, 4), axis = axisOf(dims.length), size = dims[at(dims, axis)], type = pick(ALL);
        const where = dims.map((n, a) => (a === at(dims, axis) ? (size ? below(9) : 0) : n && 1 + below(n)));
        return { op: 'GatherElements', opset: pick([11, 13]), attrs: attrs({ axis }), out: type,
            inputs: [tensor(type, dims), indices(where, size || 1, true, pick(['int32', 'int64']))] };
    }

    function pad() {
        const opset = pick([2, 11, 13, 18, 19, 21, 23]), rank = 1 + below(5);
        const mode = pick(opset < 19 ? ['constant', 'constant', 'reflect', 'edge'] : ['constant', 'reflect', 'edge', 'wrap']);
        const dims = range(rank).map(() => pick([1, 2, 3, 5, 9, 0].slice(0, mode === 'constant' && !below(5) ? 6 : 5)));
        const axes = opset < 18 || below(2) ? undefined : some(range(rank));
        const used = axes || range(rank), negative = !below(4);
        const pads = range(2 * used.length).map((i) => {
            const n = dims[used[i % used.length]], most = mode === 'reflect' || mode === 'wrap' ? n - 1 : 4;
            return negative && n && below(2) ? -below(Math.ceil(n / 2)) : below(most + 1);
        });
        if (opset < 11)
            return { op: 'Pad', opset, out: 'float', inputs: [tensor('float', dims)], attrs: attrs({ mode: mode === 'constant'
                ? now(() => mode) : mode, pads, value: now(() => float(pick([0, 1.5, -2]))) }) };
        const type = pick(FLOAT.slice(0, 2).concat(['int8', 'uint8', 'int32', 'int64', 'uint32', 'uint64', 'bool']));
        const inputs = [tensor(type, dims), long(pads)];
        if (below(2) || axes)
            inputs.push(below(3) ? tensor(type, []) : null);
        if (axes)
            inputs.push(long(axes.map((a) => (below(2) ? a : a - rank)), pick(['int32', 'int64'])));
        if (inputs[inputs.length - 1] === null)
            inputs.pop();
        return { op: 'Pad', opset, out: type, inputs, attrs: below(3) || mode !== 'constant' ? attrs({ mode }) : '' };
    }

    // Dims of as many elements as dims, some of them written as 0 (copied) or -1 (found).
    function reshaped(dims, zeros) {
        const n = count(dims), to = [];
        let left = n;
        for (const d of [2, 3, 5, 7, 2, 3, 1])
            if (left % d === 0 && left && below(2)) {
                to.push(d);
                left /= d;
            }
        const list = shuffled([...to, left]);
        if (n && below(2))
            list[below(list.length)] = -1;
        return list.map((d, i) => (zeros && d === dims[i] && below(2) ? 0 : d));
    }

    function reshape() {
        const opset = pick([1, 5, 13, 14, 19, 21, 23]), type = pick(opset < 5 ? FLOAT : ALL), dims = dimsOf(0, 4);
        const exact = opset >= 14 && !below(3), shape = reshaped(dims.slice(), !exact && count(dims));
        if (!count(dims) && !exact)
            shape.splice(0, shape.length, ...dims);
        return { op: 'Reshape', opset, out: type, inputs: [tensor(type, dims)].concat(opset < 5 ? [] : [long(shape)]),
            attrs: attrs({ shape: opset < 5 ? shape : undefined, allowzero: exact && !shape.includes(-1) ? 1 : undefined }) };
    }

    const transpose = () => {
        const dims = dimsOf(0, 6), type = pick(ALL);
        return { op: 'Transpose', opset: pick([1, 13, 21, 23]), out: type, inputs: [tensor(type, dims)],
            attrs: attrs({ perm: dims.length ? now(() => shuffled(range(dims.length))) : undefined }) };
    };

    function shape() {
        const type = pick(ALL), opset = pick([1, 13, 15, 19, 21, 23]), end = () => now(() => below(15) - 7);
        return { op: 'Shape', opset, out: 'int64', inputs: [tensor(type, dimsOf(0))],
            attrs: opset < 15 ? '' : attrs({ start: end(), end: end() }) };
    }

    const size = () => ({ op: 'Size', opset: pick([1, 13, 19, 21, 23]), out: 'int64', inputs: [tensor(pick(ALL), dimsOf(0))] });

    function slice() {
        const opset = pick([1, 10, 11, 13]), dims = dimsOf(1), type = pick(opset < 10 ? FLOAT : ALL), rank = dims.length;
        const bound = () => (below(12) ? below(17) - 8 : pick(opset < 10 ? [100, -100, 2147483647]
            : ['9223372036854775807', '-9223372036854775808', 1000]));
        const chosen = below(3) ? shuffled(range(rank)).slice(0, 1 + below(rank)) : range(1 + below(rank));
        const named = chosen.some((a, i) => a !== i) || below(2);
        const axes = chosen.map((a) => (opset >= 11 && below(2) ? a - rank : a));
        const starts = chosen.map(bound), steps = chosen.map(() => pick([1, 1, 2, 3, -1, -2, 50]));
        const ends = steps.map((n) => (n < 0 && opset > 1 ? pick([below(17) - 8, '-9223372036854775808']) : bound()));
        if (opset < 10)
            return { op: 'Slice', opset, out: type, inputs: [tensor(type, dims)],
                attrs: attrs({ starts, ends, axes: named ? axes : undefined }) };
        const it = pick(['int32', 'int64']), fit = (list) => long(list.map((v) => (it === 'int64' || Math.abs(Number(v)) < 1e6
            ? v : Number(v) < 0 ? -2147483648 : 2147483647)), it);
        const inputs = [tensor(type, dims), fit(starts), fit(ends)], stepped = below(2);
        if (named || stepped)
            inputs.push(named ? fit(axes) : null);
        return { op: 'Slice', opset, out: type, inputs: stepped ? inputs.concat(fit(steps)) : inputs };
    }

    function split() {
        const opset = pick([2, 11, 13, 18]), dims = dimsOf(1), axis = axisOf(dims.length, opset < 11), a = at(dims, axis);
        const type = pick(opset < 13 ? ['float', 'int32', 'int64', 'uint8', 'string'] : ['float', 'double', 'int8', 'int32',
            'int64', 'uint8', 'bool', 'string']);
        const n = 1 + below(4), sizes = range(n).map(() => below(4));
        const even = opset < 18 ? n * below(4) : pick([n * below(4), Math.max(n * (1 + below(3)) - 1, n)]);
        const equal = below(2);
        dims[a] = equal ? even : sizes.reduce((p, q) => p + q, 0);
        // Equal parts of 18: the last may be smaller, but none may lack.
        if (equal && opset >= 18 && even && Math.ceil(even / n) * (n - 1) > even)
            dims[a] = n;
        const inputs = [tensor(type, dims)];
        if (!equal && opset >= 13)
            inputs.push(long(sizes));
        return { op: 'Split', opset, out: range(n).map(() => type), inputs, attrs: attrs({ axis: axis || now(() => 0),
            split: !equal && opset < 13 ? sizes : undefined, num_outputs: equal && opset >= 18 ? n : undefined }) };
    }

    function squeeze() {
        const opset = pick([1, 11, 13, 21, 23]), dims = range(below(6)).map(() => pick([1, 1, 2, 3])), type = pick(ALL);
        const ones = range(dims.length).filter((a) => dims[a] === 1);
        const axes = ones.length && below(3) ? shuffled(some(ones)).map((a) => (opset < 11 || below(2) ? a : a - dims.length)) : [];
        const written = axes.length ? axes : undefined;
        return { op: 'Squeeze', opset, out: type, attrs: attrs({ axes: opset < 13 ? written : undefined }),
            inputs: [tensor(type, dims)].concat(opset < 13 || !written ? [] : [long(axes)]) };
    }

    function unsqueeze() {
        const opset = pick([1, 11, 13, 21, 23]), dims = dimsOf(0, 3), type = pick(ALL), n = 1 + below(3), rank = dims.length + n;
        const axes = shuffled(range(rank)).slice(0, n).map((a) => (opset < 11 || below(2) ? a : a - rank));
        return { op: 'Unsqueeze', opset, out: type, attrs: attrs({ axes: opset < 13 ? axes : undefined }),
            inputs: [tensor(type, dims)].concat(opset < 13 ? [] : [long(axes)]) };
    }

    const literal = (type) => `${type}[1] {${element(type)}}`;
    function constantOfShape() {
        const type = pick([undefined, ...FLOAT, ...INT, 'bool']);
        return { op: 'ConstantOfShape', opset: pick([9, 20, 21, 23]), out: type || 'float', inputs: [long(dimsOf(0, 4))],
            attrs: type ? ` <value = ${literal(type)}>` : '' };
    }

    function constant() {
        const type = pick(ALL), dims = dimsOf(0, 3), t = tensor(type, dims), reals = range(below(5)).map(() => float(below(99) / 8));
        const whole = range(below(5)).map(() => below(99) - 50);
        const [text, out] = pick([[` <value = ${type}${dims.length ? `[${dims}]` : ''} {${t.list}}>`, type],
            [attrs({ value_float: float(below(99) / 8) }), 'float'], [attrs({ value_int: below(99) }), 'int64'],
            [attrs({ value_string: 'ab' }), 'string'],
            reals.length ? [attrs({ value_floats: reals }), 'float'] : [attrs({ value_int: -1 }), 'int64'],
            whole.length ? [attrs({ value_ints: whole }), 'int64'] : [attrs({ value_strings: ['a', '', 'c'] }), 'string']]);
        return { op: 'Constant', opset: pick([12, 13, 19, 21, 23]), out, inputs: [], attrs: text };
    }

    function rangeOp() {
        const type = pick(['float', 'double', 'int16', 'int32', 'int64']), scale = type[0] === 'i' ? 1 : 8;
        const number = () => (below(161) - 80) / scale;
        return { op: 'Range', opset: 11, out: type, inputs: [number(), number(), number() || 1].map((v) => given(type, [], [v])) };
    }

    function centerCropPad() {
        const dims = dimsOf(1, 4).map((n) => n || 1), rank = dims.length, type = pick(ALL.slice(0, -1));
        const axes = below(2) ? some(range(rank)) : undefined;
        const to = (axes && axes.length ? axes : range(rank)).map(() => below(10));
        return { op: 'CenterCropPad', opset: 18, out: type, inputs: [tensor(type, dims), long(to, pick(['int32', 'int64']))],
            attrs: attrs({ axes: axes && axes.length ? axes.map((a) => (below(2) ? a : a - rank)) : undefined }) };
    }

    const identity = () => {
        const type = pick(ALL);
        return { op: 'Identity', opset: pick([1, 13, 16, 21]), out: type, inputs: [tensor(type, dimsOf(0))] };
    };

    function window() {
        const type = pick(['int32', 'int64']), to = pick([undefined, 'float', 'double', 'float16', 'int32', 'uint8']);
        return { op: pick(['HannWindow', 'HammingWindow', 'BlackmanWindow']), opset: 17, out: to || 'float',
            inputs: [given(type, [], [2 + below(pick([8, 400]))])], loose: to === 'float16' ? 1e-3 : 1e-6,
            attrs: attrs({ periodic: now(() => below(2)), output_datatype: to && NUMBER[to] }) };
    }

    function castLike() {
        const types = FLOAT.concat(INT, 'bool'), from = pick(types), to = pick(types), x = tensor(from, dimsOf(0, 3), true);
        x.list = x.list.map((v) => String(FLOAT.includes(from) || FLOAT.includes(to) ? Math.abs(Number(v)) % 100 : v));
        return { op: 'CastLike', opset: pick([15, 19, 21]), out: to, inputs: [x, tensor(to, [1])] };
    }

    function bitCast() {
        const types = pick([['float', 'int32', 'uint32'],
            ['double', 'int64', 'uint64'], ['float16', 'int16', 'uint16'], ['int8', 'uint8']]);
        const type = pick(types), to = pick(types);
        return { op: 'BitCast', opset: 26, out: to, attrs: attrs({ to: NUMBER[to] }),
            inputs: [tensor(type, dimsOf(0), FLOAT.includes(type))] };
    }

    function tensorScatter() {
        const dims = range(3 + below(2)).map(() => 1 + below(4)), rank = dims.length, axis = 1 + below(rank - 1);
        const size = dims[axis] = 2 + below(6), steps = 1 + below(size), mode = pick(['linear', 'circular']);
        const type = pick(ALL.slice(0, -1));
        const writes = given('int64', [dims[0]], range(dims[0]).map(() => below(mode === 'linear' ? size - steps + 1 : size)));
        return { op: 'TensorScatter', opset: 24, out: type, attrs: attrs({ mode, axis: below(2) ? axis : axis - rank }),
            inputs: [tensor(type, dims), tensor(type, dims.map((n, a) => (a === axis ? steps : n))), writes] };
    }

    return [concat, expand, flatten, gather, gatherElements, pad, pad, reshape, reshape, transpose, shape, size, slice,
        slice, split, squeeze, unsqueeze, constantOfShape, constant, rangeOp, centerCropPad, identity, window, castLike, bitCast,
        tensorScatter];
};
