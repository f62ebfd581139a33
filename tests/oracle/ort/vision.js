// SPDX-License-Identifier: Apache-2.0
//
// vision.js - GridSample, AffineGrid, RoiAlign and the two losses. Left out is AffineGrid with
// align_corners and an axis of one element: the standard's formula divides by zero there, ONNX Runtime
// takes the left end, Ocellus the middle.
'use strict';

module.exports = ({ below, pick, given, attrs, float, count, range, now, eighths }) => {
    const upTo = (n) => 1 + below(n);

    // Grids of odd sixteenths, no place of which is a tie of the nearest element.
    function gridSample() {
        const opset = pick([16, 20, 22]), axes = opset < 20 || below(2) ? 2 : 3;
        const [batch, channels] = [upTo(2), upTo(3)], size = range(axes).map(() => upTo(6)), out = range(axes).map(() => upTo(5));
        const modes = opset < 20 ? ['bilinear', 'nearest', 'bicubic'] : axes === 2 ? ['linear', 'nearest', 'cubic'] : ['linear', 'nearest'];
        const grid = given('float', [batch, ...out, axes], range(batch * count(out) * axes).map(() => (below(41) - 20) / 16 + 0.013));
        return { op: 'GridSample', opset, out: 'float', inputs: [eighths('float', [batch, channels, ...size]), grid], loose: 1e-4,
            attrs: attrs({ mode: now(() => pick(modes)), align_corners: now(() => below(2)),
                padding_mode: pick([undefined, 'zeros', 'border', 'reflection']) }) };
    }

    function affineGrid() {
        const axes = pick([2, 3]), batch = upTo(3), corners = now(() => below(2));
        const size = [batch, upTo(3), ...range(axes).map(() => (corners ? 2 + below(5) : upTo(6)))];
        return { op: 'AffineGrid', opset: 20, out: 'float', loose: 1e-5, attrs: attrs({ align_corners: corners }),
            inputs: [eighths('float', [batch, axes, axes + 1], 16), given('int64', [axes + 2], size)] };
    }

    function roiAlign() {
        const opset = pick([10, 16, 22]), [batch, channels, height, width] = [upTo(3), upTo(3), 2 + below(8), 2 + below(8)], n = below(5);
        const type = pick(['float', 'float', 'double']), rois = range(n).flatMap(() => {
            const [x, y] = [below(4 * width) / 4, below(4 * height) / 4];
            return [x, y, x + upTo(20) / 4, y + upTo(20) / 4];
        });
        return { op: 'RoiAlign', opset, out: type, loose: 1e-4, inputs: [eighths(type, [batch, channels, height, width]),
            given(type, [n, 4], rois), given('int64', [n], range(n).map(() => below(batch)))],
            attrs: attrs({ mode: pick([undefined, 'avg', 'max']), output_height: now(() => upTo(4)), output_width: now(() => upTo(4)),
                sampling_ratio: now(() => below(4)), spatial_scale: now(() => float(pick([0.5, 0.25, 1]))),
                coordinate_transformation_mode: opset < 16 ? undefined : now(() => pick(['half_pixel', 'output_half_pixel'])) }) };
    }

    function loss() {
        const op = pick(['NegativeLogLikelihoodLoss', 'SoftmaxCrossEntropyLoss']), opset = pick(op[0] === 'N' ? [12, 13, 22] : [12, 13]);
        const classes = upTo(5), batch = upTo(4), rest = range(below(3)).map(() => upTo(4)), type = 'float';
        const ignore = below(3) ? undefined : pick([0, -1, 2, 9]);
        const target = range(batch * count(rest)).map((i) => (i && ignore !== undefined && below(3) === 0 ? ignore
            : ignore === 0 ? classes - 1 : 0));
        target.forEach((t, i) => { if (t === 0 && ignore !== 0) target[i] = below(classes); });
        const inputs = [eighths(type, [batch, classes, ...rest]), given(pick(['int32', 'int64']), [batch, ...rest], target)];
        if (below(2))
            inputs.push(given(type, [classes], range(classes).map(() => upTo(16) / 8)));
        return { op, opset, inputs, out: op[0] === 'S' && below(2) ? [type, type] : type, loose: 1e-5,
            attrs: attrs({ reduction: pick([undefined, 'none', 'sum', 'mean']), ignore_index: ignore }) };
    }
    return [gridSample, gridSample, affineGrid, roiAlign, roiAlign, loss, loss];
};
