// SPDX-License-Identifier: Apache-2.0
//
// convolution.js - the convolutions. Numbers are multiples of 1/8 (offsets of 1/4), so that every order
// of sums is exact. Left out is where ONNX Runtime departs from the standard's text: ConvTranspose with
// an auto_pad of SAME whose kernels do not reach the output that the text gives, and DeformConv with
// other than 2 spatial axes, which it lacks.
'use strict';

module.exports = ({ below, pick, given, tensor, attrs }) => {
    const product = (list) => list.reduce((a, b) => a * b, 1);
    const eighths = (type, dims, most = 40) =>
        given(type, dims, Array.from({ length: product(dims) }, () => (below(2 * most + 1) - most) / 8));
    const each = (n, make) => Array.from({ length: n }, (_, i) => make(i));
    const now = (make) => (below(2) ? make() : undefined);

    // Dims of X and W and the attributes of a window that fits, now and then long enough for many
    // tiles, or with a group for each channel.
    function convolution(axes) {
        const alone = below(3) === 0, group = alone ? 1 + below(20) : pick([1, 1, 2, 3]);
        const channels = alone ? 1 : 1 + below(pick([3, 3, 40])), maps = alone ? 1 + below(3) : 1 + below(pick([3, 70]));
        const long = below(axes);
        const size = each(axes, (a) => 1 + below(axes < 3 ? (a === long && below(4) === 0 ? 150 : 14) : 6));
        const strides = each(axes, () => 1 + below(3)), dilations = each(axes, () => 1 + below(3));
        const pads = each(2 * axes, () => below(3));
        const kernel = size.map((n, a) => {
            const most = Math.floor((n + pads[a] + pads[a + axes] - 1) / dilations[a]) + 1;
            return 1 + below(Math.min(most, axes < 3 ? 6 : 3));
        });
        return { group, size, strides, dilations, pads, kernel, maps, images: below(12) ? 1 + below(2) : 0,
            x: (n) => [n, group * channels, ...size], w: [group * maps, channels, ...kernel] };
    }

    function attributes(g) {
        const auto = below(5) === 0 ? pick(['SAME_UPPER', 'SAME_LOWER', 'NOTSET']) : undefined;
        const same = auto && auto !== 'NOTSET';
        return { group: g.group === 1 ? undefined : g.group, strides: g.strides,
            dilations: same ? undefined : g.dilations, // ONNX Runtime refuses both
            pads: same ? undefined : g.pads, auto_pad: auto, kernel_shape: now(() => g.kernel) };
    }

    function conv() {
        const g = convolution(1 + below(3)), type = 'float';
        const inputs = [eighths(type, g.x(g.images)), eighths(type, g.w)];
        if (below(2))
            inputs.push(eighths(type, [g.w[0]]));
        return { op: 'Conv', attrs: attrs(attributes(g)), opset: pick([7, 11, 22]), inputs, out: type };
    }

    const one = (type) => tensor(type, [], false);

    function convInteger() {
        const g = convolution(1 + below(2)), type = pick(['uint8', 'int8']), wType = pick(['uint8', 'int8']);
        const inputs = [tensor(type, g.x(g.images)), tensor(wType, g.w)];
        if (below(3))
            inputs.push(one(type));
        if (inputs.length === 3 && below(2))
            inputs.push(one(wType));
        return { op: 'ConvInteger', attrs: attrs(attributes(g)), opset: 10, inputs, out: 'int32' };
    }

    function qlinearConv() {
        const g = convolution(1 + below(2)), type = pick(['uint8', 'int8']);
        const wType = type === 'int8' ? 'int8' : pick(['uint8', 'int8']), maps = g.w[0];
        const scale = (dims) => given('float', dims, Array.from({ length: product(dims) }, () => (1 + below(99)) / 64));
        const many = below(2) ? [maps] : [];
        const zeros = many.length ? given(wType, many, Array(maps).fill(0)) : one(wType);
        const inputs = [tensor(type, g.x(g.images)), scale([]), one(type), tensor(wType, g.w), scale(many), zeros,
            given('float', [], [(1 + below(4000)) / 16]), one(type)];
        if (below(2))
            inputs.push(given('int32', [maps], Array.from({ length: maps }, () => below(20001) - 10000)));
        return { op: 'QLinearConv', attrs: attrs(attributes(g)), opset: 10, inputs, out: type };
    }

    function convTranspose() {
        const axes = 1 + below(3), group = pick([1, 1, 2, 5]), type = 'float';
        const channels = 1 + below(pick([3, 12])), maps = 1 + below(3);
        const size = each(axes, () => 1 + below(axes < 3 ? 9 : 4)), kernel = each(axes, () => 1 + below(axes < 3 ? 5 : 3));
        const strides = each(axes, () => 1 + below(4)), dilations = each(axes, () => 1 + below(3));
        const more = each(axes, (a) => below(Math.max(strides[a], dilations[a])));
        const full = size.map((n, a) => (n - 1) * strides[a] + more[a] + (kernel[a] - 1) * dilations[a] + 1);
        const kind = pick(['pads', 'pads', 'shape', 'same']);
        const reached = full.every((n, a) => n >= size[a] * strides[a]);
        const pads = each(2 * axes, (i) => below(1 + Math.floor((full[i % axes] - 1) / 2)));
        const values = { group: group === 1 ? undefined : group, strides, dilations, output_padding: now(() => more),
            kernel_shape: now(() => kernel) };
        if (kind === 'pads' || !reached)
            values.pads = pads.map((n) => Math.min(n, 3));
        else if (kind === 'same')
            values.auto_pad = pick(['SAME_UPPER', 'SAME_LOWER']);
        else
            Object.assign(values, { output_shape: full.map((n) => 1 + below(n + 2)),
                auto_pad: pick([undefined, 'SAME_UPPER', 'NOTSET']) });
        if (!values.output_padding && (kind === 'same' || values.pads)) // without it the output may be too small
            values.output_padding = more;
        const inputs = [eighths(type, [below(12) ? 1 + below(2) : 0, group * channels, ...size]),
            eighths(type, [group * channels, maps, ...kernel])];
        if (below(2))
            inputs.push(eighths(type, [group * maps]));
        return { op: 'ConvTranspose', attrs: attrs(values), opset: pick([7, 11, 22]), inputs, out: type };
    }

    function deformConv() {
        const g = convolution(2), type = pick(['float', 'double']), channels = g.w[1] * g.group;
        const own = pick([1, g.group, channels]), taps = own * product(g.kernel);
        const out = g.size.map((n, a) => Math.floor((n + g.pads[a] + g.pads[a + 2] -
            (g.kernel[a] - 1) * g.dilations[a] - 1) / g.strides[a]) + 1);
        const quarters = (dims) => given(type, dims, Array.from({ length: product(dims) }, () => (below(33) - 16) / 4));
        const inputs = [eighths(type, g.x(1 + below(2)), 16), eighths(type, g.w, 16)];
        inputs.push(quarters([inputs[0].dims[0], 2 * taps, ...out]), below(2) ? eighths(type, [g.w[0]]) : null);
        if (below(2))
            inputs.push(quarters([inputs[0].dims[0], taps, ...out]));
        else if (!inputs[3])
            inputs.pop();
        return { op: 'DeformConv', opset: pick([19, 22]), inputs, out: type, attrs: attrs({ strides: g.strides,
            dilations: g.dilations, pads: g.pads, group: g.group, offset_group: own }) };
    }

    return [conv, conv, convInteger, qlinearConv, convTranspose, convTranspose, deformConv];
};
