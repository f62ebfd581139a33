// SPDX-License-Identifier: Apache-2.0
//
// graphs.js - If, Loop and Scan with small bodies, and the operators on sequences and optionals, whose
// results are made tensors. Left out is keepdims of SplitToSequence together with split: the standard
// ignores it, ONNX Runtime does not.
'use strict';

module.exports = ({ FLOAT, INT, NUMBER, below, pick, tensor, given, attrs, range }) => {
    const upTo = (n) => 1 + below(n);
    const TYPES = FLOAT.slice(0, 2).concat(INT.slice(2, 4));
    const dimsOf = (least) => range(least + below(3)).map(() => pick([1, 2, 3, 5]));
    const one = (type, value) => given(type, [], [value]);

    function choose() {
        const type = pick(TYPES), dims = dimsOf(0), kind = below(3);
        const inner = ['a = Add (x1, x2)', 'a = Identity (x2)', 'h = Mul (x1, x2) a = Sub (h, x1)'];
        const nested = `a = If <then_branch = tt () => (${type}[] b) { b = Neg (x1) },
  else_branch = ff () => (${type}[] b) { b = Sub (x2, x1) }> (x0)`;
        const body = () => (kind ? pick(inner) : nested);
        return { op: 'If', opset: pick([7, 11, 13, 16, 19, 21]), out: type, loose: 1e-5,
            inputs: [one('bool', below(2)), tensor(type, dims, true), tensor(type, dims, true)],
            nodes: `y0 = If <then_branch = t () => (${type}[] a) { ${body()} },
  else_branch = f () => (${type}[] a) { ${body()} }> (x0)` };
    }

    // A running sum, its history, and an end by the count, by the condition or by both.
    function loop() {
        const type = pick(TYPES), dims = dimsOf(0), stops = below(2), most = below(7), limit = below(6), counted = below(4) || !stops;
        const go = stops ? 'n = Constant <value = int64 {' + limit + '}> () more = Less (i, n)' : 'more = Identity (go)';
        return { op: 'Loop', opset: pick([9, 11, 13, 16, 19, 21]), out: [type, type, 'int64'], loose: 1e-5,
            inputs: [one('int64', most), one('bool', stops ? 1 : pick([1, 1, 0])), tensor(type, dims, true), tensor(type, dims, true)],
            nodes: `y0, y1, y2 = Loop <body = b (int64 i, bool go, ${type}[] s) => (bool more, ${type}[] t, ${type}[] u, int64 k)
    { t = Add (s, x3) u = Sub (t, s) k = Identity (i) ${go} }> (${counted ? 'x0' : '""'}, x1, x2)` };
    }

    function scan() {
        const type = pick(TYPES), opset = pick([9, 11, 16, 19, 21]), dims = dimsOf(1), rank = dims.length, axis = below(rank);
        const rest = dims.filter((n, a) => a !== axis), from = opset >= 11 && below(2) ? axis - rank : axis, to = below(rank);
        const values = attrs({ num_scan_inputs: 2, scan_input_axes: [from, from], scan_output_axes: [to],
            scan_input_directions: below(2) ? [below(2), below(2)] : undefined,
            scan_output_directions: below(2) ? [below(2)] : undefined });
        return { op: 'Scan', opset, out: [type, type], loose: 1e-5,
            inputs: [tensor(type, rest, true), tensor(type, dims, true), tensor(type, dims, true)],
            nodes: `y0, y1 = Scan ${values.slice(0, -1)}, body = b (${type}[] s, ${type}[] p, ${type}[] q) => (${type}[] t, ${type}[] u)
    { m = Sub (p, q) t = Add (s, m) u = Add (t, q) }> (x0, x1, x2)` };
    }

    // Scan-8: a batch in front, and now and then a length for each of its sequences.
    function scanBatch() {
        const [batch, steps, size] = [upTo(3), upTo(5), upTo(4)], named = below(2);
        const lengths = range(batch).map(() => upTo(steps));
        const directions = attrs({ num_scan_inputs: 1, directions: below(2) ? [below(2)] : undefined });
        return { op: 'Scan', opset: 8, out: ['float', 'float'], loose: 1e-5,
            inputs: [given('int64', [batch], lengths), tensor('float', [batch, size], true), tensor('float', [batch, steps, size], true)],
            nodes: `y0, y1 = Scan ${directions.slice(0, -1)}, body = b (float[] s, float[] p) => (float[] t, float[] u)
    { t = Add (s, p) u = Sub (t, p) }> (${named ? 'x0' : '""'}, x1, x2)` };
    }

    // A sequence of tensors that differ in one axis, changed by some operators, then put together.
    function sequence() {
        const type = pick(['float', 'int64', 'int32', 'string', 'bool', 'double']), dims = dimsOf(1);
        const n = upTo(4), axis = below(dims.length);
        const stack = below(3) === 0, steps = [`s0 = SequenceConstruct (${range(n).map((i) => `x${i}`).join(', ')})`];
        const inputs = range(n).map(() => tensor(type, stack ? dims : dims.map((d, a) => (a === axis ? below(4) : d))));
        let length = n, at = 0;
        const place = (size) => {
            inputs.push(one(pick(['int32', 'int64']), below(2 * size) - size));
            return `x${inputs.length - 1}`;
        };
        for (let i = below(4); i > 0; i--) {
            const insert = below(2) || length === 1, where = below(3) || !insert ? place(length) : '';
            steps.push(insert ? `s${at + 1} = SequenceInsert (s${at}, x${below(n)}${where && `, ${where}`})`
                : `s${at + 1} = SequenceErase (s${at}, ${where})`);
            length += insert ? 1 : -1;
            at++;
        }
        const joined = attrs(stack ? { axis: below(dims.length + 1), new_axis: 1 } : { axis: below(2) ? axis : axis - dims.length });
        steps.push(`y0 = ConcatFromSequence${joined} (s${at})`, `y1 = SequenceAt (s${at}, ${place(length)})`,
            `y2 = SequenceLength (s${at})`);
        return { op: 'SequenceConstruct', opset: pick([11, 13, 16]), out: [type, type, 'int64'], inputs, nodes: steps.join('\n  ') };
    }

    function splitToSequence() {
        const type = pick(['float', 'int64', 'int32', 'double', 'string']), dims = dimsOf(1), axis = below(dims.length), n = dims[axis];
        const inputs = [tensor(type, dims)], form = pick(['none', 'one', 'many']);
        if (form === 'one')
            inputs.push(one(pick(['int32', 'int64']), upTo(3)));
        const first = below(n + 1);
        if (form === 'many')
            inputs.push(given(pick(['int32', 'int64']), [2], [first, n - first]));
        const values = attrs({ axis: below(2) ? axis : axis - dims.length,
            keepdims: form === 'none' && below(2) ? below(2) : undefined });
        const at = inputs.push(one('int64', pick([0, -1]))) - 1;
        return { op: 'SplitToSequence', opset: pick([11, 24]), out: [type, 'int64'], inputs,
            nodes: `s = SplitToSequence${values} (${range(at).map((i) => `x${i}`).join(', ')})
  y0 = SequenceAt (s, x${at}) y1 = SequenceLength (s)` };
    }

    function optional() {
        const type = pick(['float', 'int64', 'bool', 'string']), nested = below(2), opset = pick([15, 18]);
        return { op: 'Optional', opset, out: [type, 'bool'], inputs: [tensor(type, dimsOf(0)), one('int64', 0)],
            nodes: nested ? 's = SequenceConstruct (x0, x0) o = Optional (s) y1 = OptionalHasElement (o) ' +
                'e = OptionalGetElement (o) y0 = SequenceAt (e, x1)'
                : 'o = Optional (x0) y1 = OptionalHasElement (o) y0 = OptionalGetElement (o)' };
    }

    function empty() {
        const type = pick(['float', 'int64', 'bool', 'string', 'int32']);
        return { op: 'SequenceEmpty', opset: pick([11, 13]), out: ['int64', type], inputs: [tensor(type, dimsOf(0)), one('int64', 0)],
            nodes: `s = SequenceEmpty <dtype = ${NUMBER[type]}> () y0 = SequenceLength (s) i = SequenceInsert (s, x0) y1 = SequenceAt (i, x1)` };
    }

    function map() {
        const type = pick(['float', 'int64']), dims = dimsOf(0);
        return { op: 'SequenceMap', opset: pick([17, 19]), out: [type, type],
            inputs: [tensor(type, dims, true), tensor(type, dims, true), one('int64', below(2))],
            nodes: `s = SequenceConstruct (x0, x1)
  m = SequenceMap <body = b (${type}[] e, ${type}[] f) => (${type}[] g) { g = Sub (e, f) }> (s, x0)
  y0 = SequenceAt (m, x2) y1 = ConcatFromSequence <axis = 0, new_axis = 1> (m)` };
    }
    return [choose, loop, scan, scanBatch, sequence, sequence, splitToSequence, optional, empty, map];
};
