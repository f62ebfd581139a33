// SPDX-License-Identifier: Apache-2.0
//
// products.js - Gemm, MatMulInteger, QLinearMatMul, Einsum, Det, EyeLike, Trilu, CumSum and CumProd.
// Elements are mostly small whole numbers and halves of them, so that sums are exact in any order.
// Left out is what ONNX Runtime does not have (zero points and scales for each row of A, float8, an
// ellipsis that covers no axis), and Gemm and MatMulInteger without products to sum, where it does not
// scale C and does not write the result.
'use strict';

module.exports = ({ FLOAT, INT, NUMBER, below, pick, tensor, given, shape, attrs, float }) => {
    const size = () => pick([1, 2, 3, 5, 8, 17, 33, 70, below(20) ? 4 : 0]);
    const count = (dims) => dims.reduce((a, b) => a * b, 1);
    function small(type, dims) {
        const list = Array.from({ length: count(dims) }, () => {
            const x = below(9) - (type[0] === 'u' ? 0 : 4);
            return FLOAT.includes(type) ? x / 2 : x;
        });
        return given(type, dims, list);
    }
    const code = (type, dims) => given(type, dims, Array.from({ length: count(dims) },
        () => below(256) - (type === 'int8' ? 128 : 0)));

    function gemm() {
        const opset = pick([6, 7, 9, 11, 13]), type = pick(['float', 'float', 'double', 'float16']);
        const [m, k, n] = [size(), size() || 1, size()], transA = below(2), transB = below(2);
        const c = pick([[], [1], [n], [m, 1], [1, n], [m, n], null]);
        const full = opset < 11 && !c ? [m, n] : c;
        const inputs = [small(type, transA ? [k, m] : [m, k]), small(type, transB ? [n, k] : [k, n])];
        if (full)
            inputs.push(small(type, full));
        const values = { alpha: float(pick([1, 0.5, 2, -1])), beta: float(pick([1, 0.25, 2])), transA,
            transB, broadcast: opset < 7 ? 1 : undefined };
        return { op: 'Gemm', attrs: attrs(values), opset, inputs, out: type };
    }

    // The dims of two operands whose product is a batch of matrices.
    function operands() {
        const [m, k, n] = [size(), size() || 1, size()];
        const batch = Array.from({ length: below(3) }, () => 1 + below(3));
        const part = batch.slice(below(batch.length + 1)).map((d) => (below(3) ? d : 1));
        const other = batch.slice(below(batch.length + 1));
        return below(8) ? [[...part, m, k], [...other, k, n]]
            : pick([[[k], [k]], [[k], [...part, k, n]], [[...part, m, k], [k]]]);
    }
    const columns = (b) => pick([[], [1], ...(b.length === 2 ? [[b[1]]] : []),
        ...(b.length > 1 ? [[...b.slice(0, -2), 1, b.at(-1)]] : [])]);

    function matMulInteger() {
        const ta = pick(['uint8', 'int8']), tb = pick(['uint8', 'int8']), [a, b] = operands();
        const inputs = [code(ta, a), code(tb, b)];
        if (below(3))
            inputs.push(below(4) ? code(ta, pick([[], [1]])) : null);
        if (inputs.length === 3 && below(3))
            inputs.push(code(tb, columns(b)));
        while (inputs.at(-1) === null)
            inputs.pop();
        return { op: 'MatMulInteger', opset: 10, inputs, out: 'int32' };
    }

    function qLinearMatMul() {
        const [ta, tb] = pick([['uint8', 'uint8'], ['uint8', 'int8'], ['int8', 'int8']]), [a, b] = operands();
        const many = columns(b), scales = (dims) => given('float', dims,
            Array.from({ length: count(dims) }, () => Math.fround(0.001 + below(1000) / 777)));
        return { op: 'QLinearMatMul', opset: pick([10, 21]), out: ta, inputs: [code(ta, a), scales([]),
            code(ta, []), code(tb, b), scales(many), code(tb, many),
            given('float', [], [pick([4, 64, 512, 61.3, 500.1])]), code(ta, [])] };
    }

    // Random terms over a few labels, each with one size; an axis may have size 1.
    function einsum() {
        const type = pick(['float', 'double', 'int32', 'int64']), letters = 'abcdeXY';
        const n = 1 + below(3), dots = below(4) ? [] : Array.from({ length: 1 + below(2) }, () => 1 + below(3));
        const sizes = Object.fromEntries([...letters].map((c) => [c, 1 + below(4)]));
        const terms = Array.from({ length: n }, () => {
            const term = Array.from({ length: below(4) }, () => letters[below(5 + 2 * below(2))]).join('');
            const at = below(term.length + 1);
            return dots.length && (below(3) || n === 1) ? `${term.slice(0, at)}...${term.slice(at)}` : term;
        });
        const inputs = terms.map((t) => small(type, t.replace('...', '.').split('').flatMap(
            (c) => (c === '.' ? dots : [sizes[c]]))));
        const used = [...new Set(terms.join('').replace(/\./g, ''))], hasDots = terms.join('').includes('.');
        let equation = terms.join(',');
        if (below(3)) {
            const out = used.filter(() => below(2)).sort(() => below(3) - 1).join('');
            const at = below(out.length + 1);
            equation += `->${hasDots ? `${out.slice(0, at)}...${out.slice(at)}` : out}`;
        }
        return { op: 'Einsum', attrs: attrs({ equation }), opset: 12, inputs, out: type };
    }

    function product() {
        const [b, h, i, j, d] = Array.from({ length: 5 }, () => 1 + below(5));
        const form = pick([['bhid,bhjd->bhij', [b, h, i, d], [b, h, j, d]], ['bhij,bhjd->bihd', [b, h, i, j], [b, h, j, d]],
            ['bij,jk->bik', [b, i, j], [j, d]], ['bn,anm->bam', [b, h], [i, h, d]], ['ij,ij->i', [i, j], [i, j]],
            ['bcxd,bcdy->bcxy', [b, h, i, d], [b, h, d, j]], ['ijkl,ij->kl', [i, j, b, d], [i, j]]]);
        const type = pick(['float', 'double', 'int64']);
        return { op: 'Einsum', attrs: attrs({ equation: form[0] }), opset: 12, out: type,
            inputs: form.slice(1).map((dims) => small(type, dims)) };
    }

    function det() {
        const n = 1 + below(6), type = pick(['float', 'float', 'double']);
        return { op: 'Det', opset: pick([11, 22]), out: type, loose: 1e-4,
            inputs: [tensor(type, [...shape().filter(Boolean).slice(0, 2), n, n], true)].map((t) => ({ ...t,
                list: t.list.map((x) => String(Number(x) % 8)) })) };
    }

    function eyeLike() {
        const type = pick(['float', 'double', 'int32', 'int64', 'uint64']), to = pick([undefined, 'float', 'double', 'int64', 'bool']);
        return { op: 'EyeLike', attrs: attrs({ dtype: to && NUMBER[to], k: pick([0, 0, 1, -1, 3, -4, 100]) }),
            opset: 9, inputs: [small(type, [size(), size()])], out: to || type };
    }

    function trilu() {
        const type = pick(['float', 'double', 'int64', 'bool']);
        const inputs = [tensor(type, [...shape(), size(), size()])];
        if (below(3))
            inputs.push(given('int64', pick([[], [1]]), [pick([0, 1, -1, 3, -3, 90, -90])]));
        return { op: 'Trilu', attrs: below(2) ? attrs({ upper: below(2) }) : '', opset: 14, inputs, out: type };
    }

    function cumulative() {
        const op = below(4) ? 'CumSum' : 'CumProd', type = pick(['float', 'double', 'int32', 'int64']);
        const dims = [...shape(), size()], rank = dims.length, axis = below(2 * rank) - rank;
        return { op, attrs: attrs({ exclusive: below(2), reverse: below(2) }), opset: op === 'CumSum' ? pick([11, 14]) : 26,
            inputs: [small(type, dims), given(pick(['int32', 'int64']), [], [axis])], out: type };
    }
    return [gemm, gemm, matMulInteger, qLinearMatMul, einsum, einsum, product, det, eyeLike, trilu, cumulative];
};
