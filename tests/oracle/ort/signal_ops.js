// SPDX-License-Identifier: Apache-2.0
//
// signal_ops.js - DFT, STFT and MelWeightMatrix. ONNX Runtime transforms in float, with errors that
// grow with the length, and computes mel edges in float: an edge near a whole number may fall to
// either side, so that these matrices have few bins. Left out is what it reads wrongly: a window on a
// complex signal, and a one-sided way back of a length that is not that of the spectrum.
'use strict';

module.exports = ({ below, pick, tensor, given, attrs }) => {
    const number = (v) => given(pick(['int32', 'int64']), [], [v]);
    const near = (ours, theirs) => {
        const [a, b] = [ours[0], theirs[0]];
        if (String(a.dims) !== String(b.dims))
            return `[${a.dims}] and [${b.dims}]`;
        const most = b.list.reduce((m, v) => Math.max(m, Math.abs(v)), 1e-3);
        const i = a.list.findIndex((v, k) => !(Math.abs(v - b.list[k]) <= 3e-5 * most));
        return i < 0 ? '' : `element ${i}: ${a.list[i]} and ${b.list[i]}`;
    };
    const length = () => pick([1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16, 17, 30, 31, 32, 37, 64, 100]);
    return [
        () => {
            const type = pick(['float', 'double']), opset = pick([17, 20]), inverse = below(2);
            const onesided = below(2), parts = onesided ? 1 + inverse : 1 + below(2);
            const dims = Array.from({ length: 1 + below(3) }, () => 1 + below(4));
            const axis = opset < 20 && dims.length < 2 ? 0 : below(dims.length);
            dims[axis] = length() + (onesided && inverse ? 1 : 0);
            const whole = 2 * (dims[axis] - 1) + below(2);
            const size = below(2) ? number(onesided && inverse ? whole : length()) : null;
            const named = { inverse, onesided, axis: opset < 20 ? axis : undefined };
            const inputs = [tensor(type, dims.concat(parts), true), size];
            if (opset >= 20)
                inputs.push(given('int64', [], [pick([axis, axis - dims.length - 1])]));
            else if (!size)
                inputs.pop();
            return { op: 'DFT', opset, attrs: attrs(named), inputs, out: type, check: near };
        },
        () => {
            const type = pick(['float', 'double']), frame = length(), parts = 1 + below(2);
            const samples = frame + below(50), form = parts === 2 ? 0 : below(3);
            const inputs = [tensor(type, [1 + below(3), samples, parts], true), given('int64', [], [1 + below(9)])];
            inputs.push(form > 0 ? tensor(type, [frame], true) : null);
            if (form < 2)
                inputs.push(given('int64', [], [frame]));
            return { op: 'STFT', opset: 17, attrs: attrs({ onesided: parts === 1 ? below(2) : 0 }), inputs,
                out: type, check: near };
        },
        () => ({ op: 'MelWeightMatrix', opset: 17, out: 'float', loose: 1e-6,
            inputs: [1 + below(6), 16 + below(200), 8000, 0, 1000 + below(2900)].map((v, i) =>
                given(i < 3 ? 'int64' : 'float', [], [v])) }),
    ];
};
