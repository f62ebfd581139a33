// SPDX-License-Identifier: Apache-2.0
//
// pools.js - pools, the normalisations of classic networks, and what moves pixels. Left out is what
// the standard leaves open or ONNX Runtime lacks: NaN in a maximum, padding as wide as the kernel,
// windows without a pixel, dilations with auto_pad, count_include_pad where the last window ends
// past the padding, auto_pad with a stride above the kernel, Col2Im with dilations on three axes, LRN of
// an even size, masks of Dropout and training before versions 12 and 14.
'use strict';

module.exports = ({ below, pick, tensor, given, attrs, float }) => {
    const upTo = (n) => 1 + below(n);
    const product = (dims) => dims.reduce((a, b) => a * b, 1);
    const many = (n, make) => Array.from({ length: n }, (_, i) => make(i));
    const numbers = (dims, type = 'float') => tensor(type, dims, true);
    // Multiples of 1/8, whose sums and squares are exact, up to 4.
    const small = (dims, type = 'float') => given(type, dims, many(product(dims), () => below(65) / 8 - 4));
    const ceil = (a, b) => Math.floor((a + b - 1) / b);

    // A window that fits: attributes and the image's dims. No window lies in the padding alone.
    function window(axes, { ceiling = true, dilate = true, most = 12 } = {}) {
        for (;;) {
            const kernel = many(axes, () => upTo(4)), mode = pick(['', '', 'SAME_UPPER', 'SAME_LOWER', 'VALID']);
            const dilations = dilate && !mode && below(2) ? many(axes, () => upTo(3)) : undefined;
            const strides = below(3) ? many(axes, () => upTo(3)) : undefined;
            const pads = !mode && below(2) ? many(2 * axes, (i) => below(kernel[i % axes])) : undefined;
            const rounded = ceiling && below(2) ? 1 : undefined, image = many(axes, () => upTo(most));
            const bad = image.some((n, a) => {
                const reach = (kernel[a] - 1) * (dilations ? dilations[a] : 1) + 1;
                return n + (pads ? pads[a] + pads[a + axes] : 0) < reach || (dilations && pads && n < reach);
            });
            const skips = /SAME/.test(mode) && strides && strides.some((step, a) => step > kernel[a]);
            if (!bad && !skips)
                return { image, values: { kernel_shape: kernel, strides, pads, dilations,
                    ceil_mode: rounded, auto_pad: mode || undefined } };
        }
    }

    // Does the last window of an axis end past its padding?
    const overhangs = ({ image, values }) => values.ceil_mode && image.some((n, a) => {
        const step = values.strides ? values.strides[a] : 1, pads = values.pads;
        const reach = (values.kernel_shape[a] - 1) * (values.dilations ? values.dilations[a] : 1) + 1;
        const all = n + (pads ? pads[a] + pads[a + image.length] : 0);
        return (all - reach) % step !== 0;
    });

    const axes = () => pick([1, 2, 2, 2, 3]);
    const planes = () => [upTo(2), upTo(4)];
    const max = () => {
        const opset = pick([8, 10, 11, 12]), late = opset >= 10, type = pick(['float', 'double',
            ...(opset >= 12 ? ['int8', 'uint8'] : [])]);
        const w = window(axes(), { ceiling: late, dilate: late, most: 40 });
        const x = numbers([...planes(), ...w.image], type), index = below(2) === 1;
        if (/int/.test(type))
            x.list = x.list.map((v) => String(Number(v) % 100));
        const order = index && below(2) ? 1 : undefined;
        return { op: 'MaxPool', opset, inputs: [x], out: index ? [type, 'int64'] : type,
            attrs: attrs({ ...w.values, storage_order: order }) };
    };
    const average = () => {
        const opset = pick([7, 10, 11, 19]), late = opset >= 10;
        const w = window(axes(), { ceiling: late, dilate: opset >= 19, most: 40 });
        const padded = below(2) && !overhangs(w) ? 1 : undefined;
        return { op: 'AveragePool', opset, inputs: [small([...planes(), ...w.image])], out: 'float',
            attrs: attrs({ ...w.values, count_include_pad: padded }), loose: 1e-5 };
    };
    const lp = () => {
        const opset = pick([2, 11, 18]), late = opset >= 18;
        const w = window(axes(), { ceiling: late, dilate: late });
        return { op: 'LpPool', opset, inputs: [small([...planes(), ...w.image])], out: 'float',
            attrs: attrs({ ...w.values, p: pick([undefined, 1, 2, 3]) }), loose: 1e-5 };
    };
    const global = () => {
        const op = pick(['GlobalAveragePool', 'GlobalMaxPool', 'GlobalLpPool']);
        const p = op === 'GlobalLpPool' ? pick([undefined, 1, 2, 3]) : undefined;
        const dims = [...planes(), ...many(upTo(3), () => upTo(20))];
        return { op, opset: op === 'GlobalLpPool' ? 2 : 1, inputs: [small(dims)], out: 'float',
            attrs: attrs({ p }), loose: 1e-4 };
    };
    const unpool = () => {
        const n = axes(), kernel = many(n, () => upTo(3)), strides = kernel.map((k) => k);
        const x = [...planes(), ...many(n, () => upTo(5))];
        const image = x.map((size, a) => (a < 2 ? size : size * kernel[a - 2]));
        const places = many(product(x), (i) => i * Math.floor(product(image) / product(x)));
        return { op: 'MaxUnpool', opset: pick([9, 11]), out: 'float', inputs: [numbers(x),
            given('int64', x, places)], attrs: attrs({ kernel_shape: kernel, strides }) };
    };
    const roiPool = () => {
        const dims = [upTo(2), upTo(3), upTo(20), upTo(20)], n = below(4);
        const rois = many(n, () => {
            const at = () => below(200) / 8 - 2, side = () => below(160) / 8, [x, y] = [at(), at()];
            return [below(dims[0]), x, y, x + side(), y + side()];
        });
        return { op: 'MaxRoiPool', opset: 1, inputs: [numbers(dims), given('float', [n, 5], rois.flat())],
            out: 'float', attrs: attrs({ pooled_shape: [upTo(6), upTo(6)],
                spatial_scale: pick([undefined, float(0.5), float(0.0625)]) }) };
    };
    const lrn = () => ({ op: 'LRN', opset: pick([1, 13]), out: 'float', loose: 1e-5,
        inputs: [small([upTo(2), upTo(12), upTo(6), upTo(30)])],
        attrs: attrs({ size: pick([1, 3, 5, 7]), alpha: pick([undefined, float(0.5)]),
            beta: pick([undefined, float(0.5), float(1.25)]), bias: pick([undefined, float(2)]) }) });
    const batch = () => {
        const opset = pick([7, 9, 14, 15]), type = pick(['float', 'float', 'double']), channels = upTo(9);
        const x = [upTo(3), channels, ...many(below(4), () => upTo(12))], of = () => small([channels], type);
        const variance = of(), training = opset >= 14 && type === 'float' && below(2) ? 1 : undefined;
        variance.list = variance.list.map((v) => String(Math.abs(Number(v)) + 0.5));
        return { op: 'BatchNormalization', opset, inputs: [small(x, type), of(), of(), of(), variance],
            out: training ? [type, type, type] : type, loose: 1e-5,
            attrs: attrs({ epsilon: pick([undefined, float(0.01)]), training_mode: training,
                momentum: pick([undefined, float(0.5)]) }) };
    };
    const dropout = () => {
        const opset = pick([7, 10, 12, 13]), type = pick(['float', 'double']), x = numbers([upTo(5), upTo(9)], type);
        return { op: 'Dropout', opset, inputs: [x], out: opset >= 12 && below(2) ? [type, 'bool'] : type };
    };
    const deep = () => {
        const block = upTo(3), type = pick(['float', 'double']), opset = pick([1, 11, 13]);
        const dims = [upTo(2), upTo(3) * block * block, upTo(5), upTo(5)];
        const mode = opset >= 11 ? pick([undefined, 'DCR', 'CRD']) : undefined;
        return { op: 'DepthToSpace', opset, inputs: [numbers(dims, type)], out: type,
            attrs: attrs({ blocksize: block, mode }) };
    };
    const wide = () => {
        const block = upTo(3), type = pick(['float', 'double']);
        return { op: 'SpaceToDepth', opset: pick([1, 13]), out: type, attrs: attrs({ blocksize: block }),
            inputs: [numbers([upTo(2), upTo(3), upTo(5) * block, upTo(5) * block], type)] };
    };
    const columns = () => {
        const n = pick([2, 2, 3]), { image, values } = window(n, { ceiling: false, dilate: n === 2, most: 8 });
        const { kernel_shape: kernel, strides, pads, dilations, auto_pad: mode } = values;
        if (mode)
            return columns();
        const blocks = image.map((size, a) => {
            const all = size + (pads ? pads[a] + pads[a + n] : 0);
            return ceil(all - (kernel[a] - 1) * (dilations ? dilations[a] : 1), strides ? strides[a] : 1);
        });
        const x = small([upTo(2), upTo(3) * product(kernel), product(blocks)]);
        return { op: 'Col2Im', opset: 18, inputs: [x, given('int64', [n], image), given('int64', [n], kernel)],
            out: 'float', attrs: attrs({ strides, pads, dilations }), loose: 1e-5 };
    };
    return [max, max, average, average, lp, global, unpool, roiPool, lrn, batch, dropout, deep, wide, columns];
};
