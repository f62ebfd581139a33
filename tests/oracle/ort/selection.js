// SPDX-License-Identifier: Apache-2.0
//
// selection.js - the operators that select, sort, pick and write by index. Left out is what ONNX
// Runtime does otherwise: NaN in ArgMax, ArgMin, TopK, Unique, max and min (its result depends on where
// the NaN is); NonZero of a scalar (it gives one row); negative indices of OneHot before opset 11 (it
// takes them from the end); several indices for one place without a reduction or with halves (it writes
// on several threads, and rounds each step); a condition longer than the axis (it ignores the rest);
// slabs without elements in Unique and TopK (it ends the process).
'use strict';

module.exports = ({ below, pick, element, tensor, given, attrs }) => {
    const count = (dims) => dims.reduce((a, b) => a * b, 1);
    const range = (n) => Array.from({ length: n }, (_, i) => i);
    // Axes of rank at least, some of them 0 or large.
    const dimsOf = (least, most = 4) => Array.from({ length: least + below(most - least + 1) },
        () => (below(25) ? pick([1, 2, 3, 4, 5, 7]) : pick([0, 17, 40])));
    const axisOf = (rank, positive) => (positive ? below(rank) : below(2 * rank) - rank);
    const at = (dims, axis) => (axis < 0 ? axis + dims.length : axis);
    const noNan = (t) => ({ ...t, list: t.list.map((x) => (x === 'nan' ? '7' : x)) });
    // Elements of few values, so that many are equal.
    const ties = (type, dims) => ({ type, dims, list: range(count(dims)).map(() => (type === 'string'
        ? element('string') : type === 'bool' ? String(below(2)) : String(below(pick([3, 50]))))) });
    const either = (type, dims) => (below(2) ? ties(type, dims) : noNan(tensor(type, dims)));
    const index = (size, from_end = true) => below(size) - (from_end && below(2) ? size : 0);
    const long = (dims, list) => given('int64', dims, list);

    function arg() {
        const dims = dimsOf(1), opset = pick([1, 11, 12, 13]), axis = axisOf(dims.length, opset < 11);
        const x = either(pick(opset < 12 ? ['float', 'int32'] : ['float', 'double', 'int8', 'uint8', 'int32',
            'int64']), dims.map((n, a) => (a === at(dims, axis) ? Math.max(n, 1) : n)));
        return { op: pick(['ArgMax', 'ArgMin']), opset, inputs: [x], out: 'int64', attrs: attrs({ axis,
            keepdims: below(2), select_last_index: opset < 12 ? undefined : below(2) }) };
    }

    function topK() {
        const dims = dimsOf(1).map((n) => n || 1), opset = pick([1, 10, 11, 13]), axis = axisOf(dims.length, opset < 11);
        if (!below(8))
            dims[at(dims, axis)] = pick([100, 700, 2000]);
        const n = dims[at(dims, axis)], k = pick([1, n, 1 + below(n)]);
        const type = pick(opset < 11 ? ['float', 'double'] : ['float', 'double', 'int32', 'int64', 'int8',
            'uint8', 'int16', 'uint16', 'uint32', 'uint64']);
        return { op: 'TopK', opset, inputs: [either(type, dims), ...(opset < 10 ? [] : [long([1], [k])])],
            out: [type, 'int64'], attrs: attrs({ axis, k: opset < 10 ? k : undefined,
                largest: opset < 11 ? undefined : below(2), sorted: opset < 11 ? undefined : 1 }) };
    }

    function gatherND() {
        const x = dimsOf(1), opset = pick([11, 12, 13]), q = 1 + below(3);
        const batch = opset < 12 ? 0 : below(Math.min(x.length, q));
        const k = 1 + below(x.length - batch), type = pick(['float', 'string', 'int64', 'bool', 'uint8']);
        const empty = x.slice(batch, batch + k).includes(0);
        const lead = x.slice(0, batch).concat(range(q - 1 - batch).map(() => (empty ? 0 : below(5))));
        const tuples = range(count(lead)).flatMap(() => range(k).map((a) => index(x[batch + a] || 1)));
        return { op: 'GatherND', opset, out: type, attrs: batch ? attrs({ batch_dims: batch }) : '',
            inputs: [tensor(type, x), long(lead.concat(k), tuples)] };
    }

    const reductions = (opset) => (opset < 16 ? [undefined]
        : opset < 18 ? ['none', 'add', 'mul'] : ['none', 'add', 'mul', 'max', 'min']);
    const typeFor = (reduction) => (reduction && reduction !== 'none'
        ? pick(['float', 'double', 'int32', 'int64', 'uint8', 'int8'])
        : pick(['float', 'int64', 'string', 'bool', 'int8', 'uint16', 'double']));
    // Sums and products of few small whole numbers are exact in any order.
    const whole = (type, dims) => (['float', 'double'].includes(type)
        ? given(type, dims, range(count(dims)).map(() => pick([-2, -1, 0, 1, 2, 3]))) : tensor(type, dims));

    function scatterND() {
        const x = dimsOf(1), opset = pick([11, 13, 16, 18]), reduction = pick(reductions(opset));
        const once = !reduction || reduction === 'none', k = 1 + below(x.length), type = typeFor(reduction);
        const places = count(x.slice(0, k)), n = places ? (once ? below(Math.min(places, 6) + 1) : below(7)) : 0;
        const step = pick([1, 2, 3, 5, 7].filter((s) => !places || places % s || s === 1));
        const tuples = range(n).flatMap((i) => {
            let place = once ? (i * step) % places : below(places);
            return x.slice(0, k).reverse().map((size) => {
                const own = place % size;
                place = Math.floor(place / size);
                return below(2) ? own : own - size;
            }).reverse();
        });
        return { op: 'ScatterND', opset, out: type, attrs: attrs({ reduction }),
            inputs: [whole(type, x), long([n, k], tuples), whole(type, [n, ...x.slice(k)])] };
    }

    function scatterElements() {
        const x = dimsOf(1), opset = pick([9, 10, 11, 13, 16, 18]), reduction = pick(reductions(opset));
        const axis = axisOf(x.length), a = at(x, axis), type = typeFor(reduction);
        const once = !reduction || reduction === 'none';
        const box = x.map((n, b) => (b === a && !once ? below(9) * (n > 0) : below(n + 1)));
        const inner = count(box.slice(a + 1));
        const list = range(count(box)).map((i) => {
            const own = once ? Math.floor(i / inner) % box[a] : below(x[a]);
            return opset > 10 && below(2) ? own - x[a] : own;
        });
        return { op: opset < 11 ? 'Scatter' : 'ScatterElements', opset, out: type,
            attrs: attrs({ axis, reduction }), inputs: [whole(type, x),
                given(pick(['int32', 'int64']), box, list), whole(type, box)] };
    }

    function nonZero() {
        const type = pick(['float', 'int32', 'int64', 'uint8', 'bool']);
        return { op: 'NonZero', opset: pick([9, 13]), inputs: [below(2) ? ties(type, dimsOf(1))
            : tensor(type, dimsOf(1))], out: 'int64' };
    }

    function oneHot() {
        const opset = pick([9, 11, 13]), dims = dimsOf(0, 3), depth = 1 + below(6);
        const kind = pick(['int64', 'float', 'int32']), type = pick(['float', 'int64', 'string', 'int32']);
        const list = range(count(dims)).map(() => (opset < 11 ? below(depth + 2)
            : below(2 * depth + 4) - depth - 2));
        const pairs = [['int64', 'int64', 'int64'], ['float', 'float', 'float'], ['int64', 'string', 'int64'],
            ['float', 'string', 'int64'], ['int64', 'float', 'int64'], ['int32', 'float', 'int32'],
            ['int32', 'float', 'float'], ['int64', 'int32', 'float'], ['float', 'float', 'int64']];
        const [i, v, d] = below(8) ? pick(pairs) : [kind, type, 'int64'];
        return { op: 'OneHot', opset, out: v, attrs: attrs({ axis: pick([undefined, axisOf(dims.length + 1)]) }),
            inputs: [given(i, dims, list), given(d, pick([[], [1]]), [depth]), tensor(v, [2])] };
    }

    function tile() {
        const x = dimsOf(0), type = pick(['float', 'double', 'int8', 'uint8', 'int32', 'int64', 'bool', 'string']);
        return { op: 'Tile', opset: pick([6, 13]), out: type,
            inputs: [tensor(type, x), long([x.length], x.map(() => (below(20) ? 1 + below(4) : 0)))] };
    }

    function unique() {
        const x = dimsOf(1, 3), type = pick(['float', 'double', 'int64', 'int8', 'string']);
        const axis = pick([undefined, axisOf(x.length)]);
        const dims = axis === undefined ? x : x.map((n) => Math.max(n, 1));
        return { op: 'Unique', opset: pick([11, 13]), out: [type, 'int64', 'int64', 'int64'],
            attrs: attrs({ axis, sorted: below(2) }), inputs: [either(type, dims)] };
    }

    function compress() {
        const x = dimsOf(1), opset = pick([9, 11]), type = pick(['float', 'int64', 'string', 'bool', 'uint8']);
        const axis = pick([undefined, axisOf(x.length, opset < 11)]);
        const n = axis === undefined ? count(x) : x[at(x, axis)];
        return { op: 'Compress', opset, out: type, attrs: attrs({ axis }),
            inputs: [tensor(type, x), tensor('bool', [pick([n, below(n + 1)])])] };
    }

    function reverseSequence() {
        const x = dimsOf(2), batch = below(2), type = pick(['float', 'int64', 'string', 'int8']);
        const list = range(x[batch]).map(() => below(x[1 - batch] + 1));
        return { op: 'ReverseSequence', opset: 10, out: type,
            attrs: attrs({ batch_axis: batch, time_axis: 1 - batch }),
            inputs: [tensor(type, x), long([x[batch]], list)] };
    }

    function boxes(n, center, size) {
        return range(n).flatMap(() => {
            const [x, y] = [below(size), below(size)].map((v) => v / 4);
            const [w, h] = [below(60), below(60)].map((v) => v / 4);
            return center ? [x, y, w, h] : below(2) ? [y, x, y + h, x + w] : [y + h, x, y, x + w];
        });
    }

    function nonMaxSuppression() {
        const batch = 1 + below(2), classes = 1 + below(3), center = below(2);
        const n = below(6) ? below(30) : pick([600, 1500]), size = pick([40, 400, 2000]);
        const scores = range(batch * classes * n).map(() => (below(9) - 4) / pick([1, 2, 3, 7]));
        const one = (type, v) => given(type, pick([[], [1]]), [v]);
        const inputs = [given('float', [batch, n, 4], boxes(batch * n, center, size)),
            given('float', [batch, classes, n], scores), one('int64', pick([0, 1, 3, 10, 100000])),
            one('float', pick([0, 0.1, 0.45, 0.5, 0.7, 0.9, 1])), one('float', pick([-10, -1, 0, 0.3]))];
        return { op: 'NonMaxSuppression', opset: pick([10, 11]), out: 'int64',
            attrs: attrs({ center_point_box: center }), inputs: inputs.slice(0, 3 + below(3)) };
    }

    return [arg, topK, gatherND, scatterND, scatterElements, nonZero, oneHot, tile, unique, compress,
        reverseSequence, nonMaxSuppression];
};
