// SPDX-License-Identifier: Apache-2.0
//
// onnxruntime_attention.js - com.microsoft's attention operators, in the forms of their inputs that ONNX
// Runtime's CPU provider takes.
'use strict';

module.exports = ({ below, pick, given, attrs, float }) => {
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
        () => {
            const prompt = below(2), b = 1 + below(3), s = prompt || b === 1 ? 1 + below(4) : 1, kv = 1 + below(2), n = kv * (1 + below(2));
            const rotary = below(2), h = rotary ? 16 : pick([8, 16]), past = prompt ? below(2) * (s + below(3)) : 1 + below(6);
            const total = prompt ? s : past + (below(3) || past <= s ? s : 0), packed = below(3) === 0, bits = past ? pick([0, 0, 8, 4]) : 0;
            const least = prompt ? 0 : s - 1, last = list(b, () => least + below(total - least));
            last[0] = total - 1;
            const kind = pick(['PER_TENSOR', 'PER_CHANNEL']), type = { 0: 'float', 4: 'uint8', 8: 'int8' }[bits];
            const width = bits === 4 ? h / 2 : h, low = bits === 8 ? -128 : 0;
            const cache = () => (bits ? given(type, [b, kv, past, width], list(b * kv * past * width, () => low + below(256))) : near([b, kv, past, h]));
            const scales = () => (kind === 'PER_TENSOR' ? given('float', [1], [bits === 4 ? 0.25 : 0.015625])
                : given('float', [1, kv, 1, h], list(kv * h, () => (bits === 4 ? 16 : 1) * (1 + below(9)) / 512)));
            const angles = near([total + 3, 8]), sink = below(3) === 0, qk = pick([0, 0, 1, 2]), window = pick([undefined, -1, 1, 2, 3]);
            const inputs = [near([b, s, (packed ? n + 2 * kv : n) * h]), packed ? null : near([b, s, kv * h]), packed ? null : near([b, s, kv * h]),
                past ? cache() : null, past ? cache() : null, ints([b], last), ints([1], [total]),
                rotary ? angles : null, rotary ? near([total + 3, 8]) : null, null,
                bits ? null : maybe(near([pick([1, b]), pick([1, n]), s, total])), sink ? near([n]) : null];
            if (bits)
                inputs.push(scales(), scales());
            // Not compared are rows of a prompt that are padding, and scores of keys that a batch does not have.
            if (prompt || qk)
                inputs[5] = ints([b], list(b, () => total - 1));
            return microsoft({ op: 'GroupQueryAttention', out: ['float', type, type].concat(qk ? ['float'] : []), loose: bits ? 1e-3 : 1e-4,
                inputs: trim(inputs), attrs: attrs({ num_heads: n, kv_num_heads: kv, do_rotary: rotary || undefined,
                    rotary_interleaved: pick([undefined, 0, 1]), local_window_size: window, softcap: pick([undefined, 1.5]),
                    smooth_softmax: pick([undefined, 0, 1]), qk_output: qk || undefined, scale: pick([undefined, 0.25]),
                    ...(bits ? { k_quant_type: kind, v_quant_type: kind, kv_cache_bit_width: bits } : {}) }) });
        },
        () => {
            const [b, n, s] = some(3), half = 1 + below(4), extra = below(2) * 2 * below(3), h = 2 * half + extra, four = below(2);
            const rows = s + 2 + below(4), each = below(2), offset = below(3);
            return microsoft({ op: 'RotaryEmbedding', out: 'float', inputs: [near(four ? [b, n, s, h] : [b, s, n * h]),
                given('int64', each ? [b, s] : [1], list(each ? b * s : 1, () => (each ? below(rows) : offset))),
                near([rows, half]), near([rows, half])],
            attrs: attrs({ interleaved: pick([undefined, 0, 1]), num_heads: extra || below(2) ? n : undefined,
                rotary_embedding_dim: extra ? 2 * half : undefined, scale: pick([undefined, float(1)]),
                is_packed_batching: pick([undefined, 0, 1]) }) });
        },
        () => {
            const bits = pick([2, 4, 8]), block = pick([16, 32]), k = 1 + below(80), n = 1 + below(9), blocks = Math.ceil(k / block);
            const bytes = (dims) => given('uint8', dims, list(count(dims), () => below(256)));
            const zeros = pick([null, bytes([n, Math.ceil(blocks * bits / 8)]), near([n, blocks])]);
            return microsoft({ op: 'MatMulNBits', out: 'float', loose: 1e-3, inputs: trim([near([...some(below(3)), k]),
                bytes([n, blocks, block * bits / 8]), near([n, blocks]), zeros, null, maybe(near([n]))]),
            attrs: attrs({ K: k, N: n, bits, block_size: block, accuracy_level: pick([undefined, 0, 1]) }) });
        },
        () => {
            const a = pick(['uint8', 'int8']), w = pick(['uint8', 'int8']), [b, s, n] = some(3), h = 2 * (1 + below(3)), d = 1 + below(6);
            const past = below(2) * (1 + below(3)), t = s + past, width = 3 * n * h, each = below(2);
            const whole = (dims, type) => given(type, dims, list(count(dims), () => below(256) - (type === 'int8' ? 128 : 0)));
            const zero = (dims, type) => given(type, dims, list(count(dims), () => below(20) + (type === 'int8' ? -10 : 118)));
            return microsoft({ op: 'QAttention', out: ['float', 'float'], inputs: trim([whole([b, s, d], a), whole([d, width], w),
                near([width]), given('float', [], [0.01]), each ? given('float', [width], list(width, () => (1 + below(9)) / 500)) : given('float', [], [0.0125]),
                mask(b, s, t, []), maybe(zero([], a)), maybe(zero(each ? [width] : [], w)), past ? near([2, b, n, past, h]) : null]),
            attrs: attrs({ num_heads: n, unidirectional: below(2), scale: pick([undefined, 0.25]) }) });
        },
    ];
};
