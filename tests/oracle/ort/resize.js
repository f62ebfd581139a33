// SPDX-License-Identifier: Apache-2.0
//
// resize.js - Resize and Upsample. ONNX Runtime computes positions in float, so nearest is compared
// where no position is close to a tie. It truncates weighted sums of integers, the standard's
// reference rounds them. Left out is what it does otherwise than that reference: the width of an
// output in align_corners and crops is a whole number; a filter against aliasing has no elements
// outside; an output as long as the input is a copy of it, and so is a cropped axis of scale 1.
'use strict';

module.exports = ({ FLOAT, INT, below, pick, tensor, given, attrs, float }) => {
    const COORDINATES = ['half_pixel', 'asymmetric', 'align_corners', 'pytorch_half_pixel',
        'tf_half_pixel_for_nn', 'half_pixel_symmetric', 'tf_crop_and_resize'];
    const ROUNDINGS = ['round_prefer_floor', 'round_prefer_ceil', 'floor', 'ceil'];
    const SCALES = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3, 4, 7];

    function position(o, nIn, nOut, scale, coordinates, [start, end]) {
        const last = nIn - 1;
        switch (coordinates) {
        case 'asymmetric': return o / scale;
        case 'tf_half_pixel_for_nn': return (o + 0.5) / scale;
        case 'align_corners': return nOut > 1 ? o * last / (nOut - 1) : 0;
        case 'tf_crop_and_resize': return nOut > 1 ? start * last + o * (end - start) * last / (nOut - 1)
            : 0.5 * (start + end) * last;
        case 'pytorch_half_pixel': return nOut > 1 ? (o + 0.5) / scale - 0.5 : 0;
        case 'half_pixel_symmetric':
            return nIn / 2 * (1 - nOut / (scale * nIn)) + (o + 0.5) / scale - 0.5;
        default: return (o + 0.5) / scale - 0.5;
        }
    }

    // Is a position so near a multiple of a half, or an end, that its float may be on the other side?
    function close(axis, coordinates, mode) {
        for (let o = 0; o < axis.out; o++) {
            const x = position(o, axis.in, axis.out, axis.scale, coordinates, axis.roi);
            const ends = coordinates === 'tf_crop_and_resize' ? [0, axis.in - 1] : [];
            if (mode === 'nearest' && Math.abs(2 * x - Math.round(2 * x)) < 1e-4 && !axis.exact ||
                ends.some((e) => Math.abs(x - e) < 1e-4 && axis.roi[0] + axis.roi[1] !== 1))
                return true;
        }
        return false;
    }

    function axisOf(n, resized, sizes, crop) {
        const a = { in: n, out: n, scale: 1, roi: [0, 1], exact: true };
        if (crop && resized)
            a.roi = pick([[0.25, 0.8], [0.1, 1.2], [-0.3, 0.6], [0.9, 0.2], [0, 1]]);
        if (resized && sizes) {
            a.out = 1 + below(pick([4, 12, 40]));
            a.scale = a.out / n;
            a.exact = Number.isInteger(Math.log2(a.out) - Math.log2(n));
        } else if (resized) {
            a.scale = pick(SCALES);
            a.out = Math.floor(n * a.scale);
            a.exact = Number.isInteger(Math.log2(a.scale));
        }
        return a;
    }

    // The dims of the mode that ONNX Runtime takes, and which of them are resized.
    function dimsOf(mode) {
        const side = () => pick([1, 2, 3, 5, 8, 17, 33]);
        if (mode === 'nearest')
            return Array.from({ length: 1 + below(4) }, side).map((n) => [Math.min(n, 9), below(2)]);
        const inner = Array.from({ length: mode === 'linear' && below(6) === 0 ? 3 : 2 }, () => [side(), 1]);
        return below(3) || inner.length > 2 ? [[1 + below(2), 0], [pick([1, 3, 17]), 0], ...inner] : inner;
    }

    function draw(mode, coordinates) {
        const sizes = below(2) === 1, crop = coordinates === 'tf_crop_and_resize';
        const axes = dimsOf(mode).map(([n, resized]) => axisOf(n, resized, sizes, crop));
        const fractional = (a) => a.scale * a.in !== a.out;
        const bad = axes.some((a) => a.out < 1 || close(a, coordinates, mode) ||
            (fractional(a) && (crop || coordinates === 'align_corners' || a.in === a.out)) ||
            (a.in === a.out && a.roi[0] + a.roi[1] !== 1));
        return bad ? draw(mode, coordinates) : { axes, sizes };
    }

    // Numbers of one magnitude, whose sums lose no digits.
    const image = (type, dims) => given(type, dims,
        Array.from({ length: dims.reduce((a, b) => a * b, 1) },
            () => (INT.includes(type) ? below(100) : (below(1025) - 512) / 8)));

    const within = (most) => (ours, theirs) => {
        if (String(ours[0].dims) !== String(theirs[0].dims))
            return `dims [${ours[0].dims}], ONNX Runtime has [${theirs[0].dims}]`;
        const at = ours[0].list.findIndex((v, i) => Math.abs(v - theirs[0].list[i]) > most);
        return at < 0 ? '' : `[${at}] is ${ours[0].list[at]}, ONNX Runtime has ${theirs[0].list[at]}`;
    };

    const resize = (mode, types) => () => {
        const coordinates = pick(COORDINATES), { axes, sizes } = draw(mode, coordinates);
        const type = pick(types), opset = pick(coordinates === 'half_pixel_symmetric' ? [19]
            : coordinates === 'tf_half_pixel_for_nn' ? [11] : [11, 13, 18, 19]);
        const antialias = mode !== 'nearest' && opset >= 18 && below(4) === 0 &&
            coordinates === 'half_pixel' ? 1 : undefined;
        const n = axes.length, roi = coordinates === 'tf_crop_and_resize'
            ? given('float', [2 * n], axes.map((a) => a.roi[0]).concat(axes.map((a) => a.roi[1])))
            : opset === 11 ? given('float', [0], []) : null;
        const scales = given('float', [n], axes.map((a) => a.scale));
        const none = opset === 11 ? given('float', [0], []) : null;
        const inputs = [(mode === 'nearest' ? tensor : image)(type, axes.map((a) => a.in)), roi];
        inputs.push(...(sizes ? [none, given('int64', [n], axes.map((a) => a.out))] : [scales]));
        return { op: 'Resize', opset, inputs, out: type,
            attrs: attrs({ mode, coordinate_transformation_mode: coordinates,
                nearest_mode: mode === 'nearest' ? pick(ROUNDINGS) : undefined,
                exclude_outside: antialias || (mode === 'cubic' && below(2)) || undefined, antialias,
                cubic_coeff_a: mode === 'cubic' && below(2) ? float(-0.5) : undefined,
                extrapolation_value: roi && below(2) ? float(2.5) : undefined }),
            loose: type === 'float16' ? 2e-3 : 1e-3, check: mode !== 'nearest' && INT.includes(type) ? within(1) : undefined };
    };

    const old = (op, opset) => () => {
        const mode = pick(['nearest', 'linear']), axes = dimsOf(mode).map(([n, resized]) => {
            const fits = (s) => (s === 1 || Math.floor(n * s) !== n) && (s >= 1 || (op === 'Resize' && n >= 4));
            return { in: n, scale: resized ? pick(SCALES.filter(fits)) : 1 };
        });
        const type = mode === 'nearest' ? pick(['float', 'uint8', 'int32']) : 'float';
        const scales = axes.map((a) => a.scale), x = image(type, axes.map((a) => a.in));
        return { op, opset, out: type, loose: 2e-4,
            inputs: opset === 7 ? [x] : [x, given('float', [axes.length], scales)],
            attrs: attrs({ mode, scales: opset === 7 ? scales.map(float) : undefined }) };
    };

    return [
        resize('nearest', ['float', 'double', 'uint8', 'int8', 'int32', 'int64', 'float16']),
        resize('linear', ['float', 'double', 'uint8', 'int8', 'int32', 'float16']),
        resize('linear', ['float']),
        resize('cubic', ['float', 'double', 'float16', 'uint8']),
        resize('cubic', ['float']),
        old('Resize', 10), old('Upsample', 9), old('Upsample', 7),
    ];
};
