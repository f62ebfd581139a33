// SPDX-License-Identifier: Apache-2.0
//
// random.js - the random operators. Two engines draw different numbers, so that what is compared are
// dims, and the means and mean squares of some thousand draws: those of independent draws differ by
// more than 7 standard deviations once in 10^11.
'use strict';

module.exports = ({ below, pick, tensor, given, attrs, float, count, range }) => {
    const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;

    // Are both samples of one distribution? within: the numbers that it may give.
    function sameDraws(low, high) {
        return ([ours], [theirs]) => {
            if (String(ours.dims) !== String(theirs.dims))
                return `dims are [${ours.dims}], ONNX Runtime has [${theirs.dims}]`;
            const outside = ours.list.find((x) => !(x >= low && x <= high));
            if (outside !== undefined)
                return `${outside} is not in [${low}, ${high}]`;
            for (const power of [1, 2]) {
                const a = ours.list.map((x) => x ** power), b = theirs.list.map((x) => x ** power);
                const variance = mean(b.map((x) => (x - mean(b)) ** 2));
                if (Math.abs(mean(a) - mean(b)) > 7 * Math.sqrt(2 * variance / a.length) + 1e-6)
                    return `the mean of powers of ${power} is ${mean(a)}, ONNX Runtime has ${mean(b)}`;
            }
            return '';
        };
    }

    const draws = () => pick([[4000], [40, 100], [3, 1, 1700], [20, 1, 20, 10]]);
    const type = () => pick([['float', 1], ['double', 11]]);

    // The operator with an attribute shape, or with an input whose shape and type it takes.
    function distribution(name, values, check) {
        const [out, dtype] = type(), like = below(2), dims = draws(), same = like && below(2);
        const list = { ...values, ...(same ? {} : { dtype }) };
        return { op: like ? `${name}Like` : name, opset: pick([1, 13, 17, 22]), out, check,
            attrs: attrs(like ? list : { ...list, dtype, shape: dims }),
            inputs: like ? [tensor(same ? out : pick(['float', 'double', 'int32']), dims, true)] : [] };
    }

    function uniform() {
        const low = below(9) - 4, high = low + 1 + below(5);
        return distribution('RandomUniform', { low: float(low), high: float(high) }, sameDraws(low, high));
    }

    function normal() {
        const values = { mean: float(below(9) - 4), scale: float(1 + below(3)) };
        return distribution('RandomNormal', values, sameDraws(-Infinity, Infinity));
    }

    function bernoulli() {
        const dims = draws(), x = pick(['float', 'double']);
        const chances = range(count(dims)).map(() => below(101) / 100);
        return { op: 'Bernoulli', opset: pick([15, 22]), out: 'double', attrs: attrs({ dtype: 11 }), check: sameDraws(0, 1),
            inputs: [given(x, dims, chances)] };
    }

    // Rows of the logarithms of weights.
    function multinomial() {
        const classes = 2 + below(5), rows = 1 + below(3);
        const list = range(rows * classes).map(() => Math.log(1 + below(9)));
        return { op: 'Multinomial', opset: pick([7, 22]), out: 'int32', inputs: [given('float', [rows, classes], list)],
            attrs: attrs({ sample_size: 3000 }), check: sameDraws(0, classes - 1) };
    }

    return [uniform, uniform, normal, normal, bernoulli, multinomial];
};
