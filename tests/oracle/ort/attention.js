// SPDX-License-Identifier: Apache-2.0
//
// attention.js - Attention, RotaryEmbedding, LinearAttention and CausalConvWithState. Left out is what
// ONNX Runtime does otherwise than the standard says: the masked products of mode 2 (it has the lowest
// number for -Infinity) and a single causal query after a past (it sees all keys).
'use strict';

module.exports = ({ below, pick, given, attrs, float, count, range, now, eighths }) => {
    const small = (type, dims) => eighths(type, dims, 16);
    const looseOf = (type) => (type === 'float16' ? 8e-3 : 1e-5);

    // Q, K and V with heads as an axis, or with the heads of a token side by side.
    function attention() {
        const opset = pick([23, 24]), type = pick(['float', 'float', 'float16']);
        const kvHeads = 1 + below(3), heads = kvHeads * (1 + below(2));
        const [batch, q, k, size, vSize] = [1 + below(2), 1 + below(6), 1 + below(7), 1 + below(9), 1 + below(9)];
        const past = below(2) ? 1 + below(4) : 0, total = past + k, flat = below(2);
        const of = (h, n, width) => small(type, flat ? [batch, n, h * width] : [batch, h, n, width]);
        const inputs = [of(heads, q, size), of(kvHeads, k, size), of(kvHeads, k, vSize)];
        const causal = below(3) === 0 && (q > 1 || !past) ? 1 : undefined, masked = below(2);
        const maskDims = pick([[q, total], [1, 1, q, total], [batch, 1, q, total], [batch, heads, q, total]]);
        const allowed = given('bool', maskDims, range(count(maskDims)).map((i) => (below(3) || i % total === 0 ? 1 : 0)));
        if (masked || past)
            inputs.push(!masked ? null : below(2) ? small(type, maskDims) : allowed);
        const hides = causal || (masked && inputs[3].type === 'bool');
        if (past)
            inputs.push(small(type, [batch, kvHeads, past, size]), small(type, [batch, kvHeads, past, vSize]));
        const mode = past ? now(() => pick(hides ? [0, 1, 3] : [0, 1, 2, 3])) : undefined;
        const out = past ? [type, type, type].concat(mode === undefined ? [] : [type]) : type;
        return { op: 'Attention', opset, inputs, out, loose: looseOf(type), attrs: attrs({ is_causal: causal,
            scale: now(() => float(pick([0.5, 0.125, 1]))), softcap: below(3) ? undefined : float(pick([2, 10])),
            q_num_heads: flat ? heads : undefined, kv_num_heads: flat ? kvHeads : undefined, qk_matmul_output_mode: mode }) };
    }

    function rotary() {
        const type = pick(['float', 'float', 'float16']), part = below(3) === 0;
        const [batch, heads, steps, half] = [1 + below(3), 1 + below(3), 1 + below(6), 1 + below(5)];
        const size = 2 * half + (part ? 2 * (1 + below(3)) : 0), flat = below(2), ids = below(2), places = 10;
        const cache = () => small(type, ids ? [places, half] : [batch, steps, half]);
        const inputs = [small(type, flat ? [batch, steps, heads * size] : [batch, heads, steps, size]), cache(), cache()];
        if (ids)
            inputs.push(given('int64', [batch, steps], range(batch * steps).map(() => below(places))));
        return { op: 'RotaryEmbedding', opset: 23, inputs, out: type, loose: looseOf(type), attrs: attrs({
            interleaved: now(() => below(2)), num_heads: flat ? heads : undefined, rotary_embedding_dim: part ? 2 * half : undefined }) };
    }
    // Keys shorter than 1, so that the state does not grow.
    function linear() {
        const rule = pick(['linear', 'gated', 'delta', 'gated_delta']), kvHeads = 1 + below(3), heads = kvHeads * (1 + below(2));
        const [batch, steps, size, vSize] = [1 + below(2), 1 + below(6), 1 + below(5), 1 + below(5)], type = 'float';
        const part = (dims, low, high) => given(type, dims, range(count(dims)).map(() => low + (high - low) * below(33) / 32));
        const gated = /gated/.test(rule), delta = /delta/.test(rule);
        const inputs = [small(type, [batch, steps, heads * size]), part([batch, steps, kvHeads * size], -0.4, 0.4),
            small(type, [batch, steps, kvHeads * vSize]), below(2) ? small(type, [batch, kvHeads, size, vSize]) : null,
            gated ? part([batch, steps, kvHeads * pick([1, size])], -2, 0) : null,
            delta ? part([batch, steps, pick([1, kvHeads])], 0, 1) : null];
        while (!inputs[inputs.length - 1])
            inputs.pop();
        return { op: 'LinearAttention', opset: 27, inputs, out: [type, type], loose: 1e-4, attrs: attrs({ q_num_heads: heads,
            kv_num_heads: kvHeads, update_rule: rule, scale: now(() => float(0.5)) }) };
    }

    function causalConv() {
        const [batch, channels, length, taps] = [1 + below(3), 1 + below(5), 1 + below(pick([4, 40])), 1 + below(5)], type = 'float';
        const inputs = [small(type, [batch, channels, length]), small(type, [channels, 1, taps]),
            below(2) ? small(type, [channels]) : null, below(2) ? small(type, [batch, channels, taps - 1]) : null];
        while (!inputs[inputs.length - 1])
            inputs.pop();
        return { op: 'CausalConvWithState', opset: 27, inputs, out: [type, type], loose: 1e-5,
            attrs: attrs({ activation: pick([undefined, 'none', 'silu', 'swish']) }) };
    }
    return [linear, causalConv, attention, attention, attention, rotary, rotary];
};
