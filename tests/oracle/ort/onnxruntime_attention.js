// SPDX-License-Identifier: Apache-2.0
//
// onnxruntime_attention.js - com.microsoft's attention operators, in the forms of their inputs that ONNX
// Runtime's CPU provider takes.
'use strict';

module.exports = ({ below, pick, given, attrs }) => {
    const count = (dims) => dims.reduce((a, b) => a * b, 1);
    const microsoft = (c) => ({ domain: 'com.microsoft', opset: 1, loose: 1e-4, ...c });
    const near = (dims) => given('float', dims, Array.from({ length: count(dims) }, () => (below(4001) - 2000) / 1000));
    const ints = (dims, list) => given('int32', dims, list);
    const some = (n, least = 1) => Array.from({ length: n }, () => least + below(4));
    const maybe = (value) => (below(2) ? value : null);
    // Bits of which the first of each row is 1.
    const bits = (dims) => ints(dims, Array.from({ length: count(dims) }, (_, i) => (i % dims[dims.length - 1] ? below(2) : 1)));
    const list = (n, make) => Array.from({ length: n }, make);
    const mask = (b, s, t, more) => pick([
        () => null,
        () => ints([b], list(b, () => 1 + below(t))),
        () => bits([b, t]),
        () => bits([b, s, t]),
        ...more,
    ])();
    const trim = (inputs) => {
        while (inputs[inputs.length - 1] === null)
            inputs.pop();
        return inputs;
    };

    return [
        () => {
            const [b, s, n] = some(3), h = 2 * (1 + below(3)), d = 1 + below(6), past = below(2) * (1 + below(3)), t = s + past;
            const causal = below(2), m = t + below(3);
            const ends = list(b, () => 1 + below(t));
            const more = [() => ints([2 * b], [...ends, ...ends.map((end) => below(end))])]
                .concat(causal ? [] : [() => bits([b, 1, m, m])]);
            return microsoft({ op: 'Attention', out: below(2) ? ['float', 'float'] : 'float', inputs: trim([near([b, s, d]),
                near([d, 3 * n * h]), near([3 * n * h]), mask(b, s, t, more), past ? near([2, b, n, past, h]) : null,
                past ? null : maybe(near([pick([1, b]), pick([1, n]), s, t]))]),
            attrs: attrs({ num_heads: n, unidirectional: causal || undefined, scale: pick([undefined, 0.25]),
                mask_filter_value: pick([undefined, -50.5]) }) });
        },
        () => {
            const [b, s, l, n] = some(4), h = 2 * (1 + below(3)), e = pick([h, 2]), past = below(2) * (1 + below(3)), t = l + past;
            return microsoft({ op: 'MultiHeadAttention', out: past || below(2) ? ['float', 'float', 'float'] : 'float',
                inputs: trim([near([b, s, n * h]), near([b, l, n * h]), near([b, l, n * (past ? h : e)]),
                    maybe(near([n * (2 * h + (past ? h : e))])), mask(b, s, t, []), maybe(near([pick([1, b]), pick([1, n]), s, t])),
                    past ? near([b, n, past, h]) : null, past ? near([b, n, past, h]) : null]),
                // ONNX Runtime's last query sees all keys.
                attrs: attrs({ num_heads: n, unidirectional: s === 1 || s === l ? below(2) : 0, scale: pick([undefined, 0.25]) }) });
        },
        () => {
            const [b, s, l, n] = some(4), h = 2 * (1 + below(3));
            return microsoft({ op: 'MultiHeadAttention', out: 'float', inputs: trim([near([b, s, n * h]), near([b, n, l, h]),
                near([b, n, l, h]), maybe(near([3 * n * h])), mask(b, s, l, []), maybe(near([1, n, s, l]))]),
            attrs: attrs({ num_heads: n }) });
        },
        () => {
            const [b, s, n] = some(3), h = 2 * (1 + below(3));
            return microsoft({ op: 'MultiHeadAttention', out: ['float', 'float', 'float', 'float'],
                inputs: [near([b, s, n * h]), near([b, s, n * h]), near([b, s, n * h]), null, mask(b, s, s, []), near([1, n, s, s])],
                attrs: attrs({ num_heads: n }) });
        },
    ];
};
