// SPDX-License-Identifier: Apache-2.0
//
// ml.js - the operators of ai.onnx.ml. Left out is what ONNX Runtime computes otherwise than the
// standard says: Normalizer MAX of negative rows, and post_transform of a single target, which it
// leaves as it is; leaves without a vote, or with several for one target; two labels with votes
// for both, of which it gives neither; and the softmax of SVMClassifier's one decision between two
// classes, where it has 1 - s and s.
'use strict';

module.exports = ({ below, pick, tensor, given, attrs, float, shape }) => {
    const domain = 'ai.onnx.ml', NUMBERS = ['float', 'double', 'int64', 'int32'];
    const count = (dims) => dims.reduce((a, b) => a * b, 1);
    const small = (type, dims) => given(type, dims, Array.from({ length: count(dims) },
        () => (/int/.test(type) ? below(9) - 4 : (below(41) - 20) / 4)));
    const words = (dims) => ({ type: 'string', dims, list: Array.from({ length: count(dims) },
        () => JSON.stringify(pick(['a', 'b', 'cd', 'e', 'zz']))) });
    const reals = (n) => Array.from({ length: n }, () => float((below(41) - 20) / 8));
    const quarters = (n) => Array.from({ length: n }, () => (below(41) - 20) / 4);
    const rows = () => [1 + below(4), 1 + below(5)];
    const POST = ['NONE', 'SOFTMAX', 'LOGISTIC', 'SOFTMAX_ZERO'];

    // Full trees of a given depth over `features`, in the older form.
    const forest = (features, votes) => {
        const t = { nodes_treeids: [], nodes_nodeids: [], nodes_modes: [], nodes_featureids: [], nodes_values: [],
            nodes_truenodeids: [], nodes_falsenodeids: [], nodes_missing_value_tracks_true: [] };
        const leaves = [];
        for (let tree = below(3); tree >= 0; tree--) {
            const depth = 1 + below(3), inner = (1 << depth) - 1, all = 2 * inner + 1;
            for (let i = 0; i < all; i++) {
                const leaf = i >= inner;
                t.nodes_treeids.push(tree);
                t.nodes_nodeids.push(i);
                t.nodes_modes.push(leaf ? 'LEAF' : pick(['BRANCH_LEQ', 'BRANCH_LT', 'BRANCH_GTE', 'BRANCH_GT',
                    'BRANCH_EQ', 'BRANCH_NEQ']));
                t.nodes_featureids.push(leaf ? 0 : below(features));
                t.nodes_values.push(float(leaf ? 0 : (below(41) - 20) / 4));
                t.nodes_truenodeids.push(leaf ? 0 : 2 * i + 1);
                t.nodes_falsenodeids.push(leaf ? 0 : 2 * i + 2);
                t.nodes_missing_value_tracks_true.push(below(2));
                if (leaf)
                    for (let v = votes(); v > 0; v--)
                        leaves.push([tree, i]);
            }
        }
        return { nodes: t, leaves };
    };

    // Full trees in the form of TreeEnsemble: the leaves of a tree follow those of the one before.
    const complete = (features) => {
        const nodes = { tree_roots: [], nodes_featureids: [], nodes_truenodeids: [], nodes_falsenodeids: [],
            nodes_trueleafs: [], nodes_falseleafs: [], nodes_missing_value_tracks_true: [] };
        const modes = [], splits = [];
        let leaves = 0;
        for (let tree = below(3); tree >= 0; tree--) {
            const inner = (1 << (1 + below(3))) - 1, root = modes.length;
            const child = (i) => (i < inner ? root + i : leaves + i - inner);
            nodes.tree_roots.push(root);
            for (let i = 0; i < inner; i++) {
                nodes.nodes_featureids.push(below(features));
                nodes.nodes_truenodeids.push(child(2 * i + 1));
                nodes.nodes_falsenodeids.push(child(2 * i + 2));
                nodes.nodes_trueleafs.push(Number(2 * i + 1 >= inner));
                nodes.nodes_falseleafs.push(Number(2 * i + 2 >= inner));
                nodes.nodes_missing_value_tracks_true.push(below(2));
                modes.push(below(6));
                splits.push(...quarters(1));
            }
            leaves += inner + 1;
        }
        return { nodes, modes, splits, leaves };
    };

    return [
        () => {
            const type = pick(NUMBERS.concat('string')), dims = shape().concat(1 + below(5));
            return { domain, op: 'ArrayFeatureExtractor', opset: 1, out: type,
                inputs: [tensor(type, dims), given('int64', [1 + below(4)], Array.from({ length: 4 },
                    () => below(dims[dims.length - 1]))) ].map((t, i) =>
                    (i ? { ...t, list: t.list.slice(0, t.dims[0]) } : t)) };
        },
        () => {
            const type = pick(NUMBERS);
            return { domain, op: 'Binarizer', opset: 1, out: type, attrs: attrs({ threshold: float(below(5) - 2) }),
                inputs: [small(type, shape())] };
        },
        () => {
            const type = pick(['float', 'double', 'int64']), dims = rows(), n = pick([1, dims[1]]);
            const named = /int/.test(type)
                ? { imputed_value_int64s: reals(n).map((_, i) => i + 7), replaced_value_int64: below(5) - 2 }
                : { imputed_value_floats: reals(n), replaced_value_float: float(below(5) - 2) };
            return { domain, op: 'Imputer', opset: 1, out: type, attrs: attrs(named), inputs: [small(type, dims)] };
        },
        () => {
            const dims = rows(), n = pick([1, dims[1]]);
            return { domain, op: 'Scaler', opset: 1, out: 'float', loose: 1e-6, inputs: [small(pick(NUMBERS), dims)],
                attrs: attrs({ offset: reals(n), scale: reals(n) }) };
        },
        () => {
            const x = small(pick(NUMBERS), rows()), norm = pick(['MAX', 'L1', 'L2']);
            if (norm === 'MAX')
                x.list = x.list.map((v) => String(Math.abs(v) + 1));
            return { domain, op: 'Normalizer', opset: 1, out: 'float', loose: 1e-6, inputs: [x],
                attrs: attrs({ norm }) };
        },
        () => {
            const n = 1 + below(3), r = 1 + below(3), type = pick(NUMBERS);
            const inputs = Array.from({ length: n }, () => small(type, [r, 1 + below(4)]));
            return { domain, op: 'FeatureVectorizer', opset: 1, out: 'float', inputs,
                attrs: attrs({ inputdimensions: inputs.map((t) => t.dims[1]) }) };
        },
        () => {
            const text = below(2);
            return { domain, op: 'OneHotEncoder', opset: 1, out: 'float',
                inputs: [text ? words(shape()) : small(pick(['int64', 'int32', 'float', 'double']), shape())],
                attrs: attrs(text ? { cats_strings: ['a', 'cd', 'x'] } : { cats_int64s: [0, -3, 2, 9] }) };
        },
        () => {
            const text = below(2), opset = pick([2, 4]), to = pick(['strings', 'int64s', 'floats']);
            const values = { strings: ['p', 'q', 'r'], int64s: [7, 8, 9], floats: reals(3) }[to];
            return { domain, op: 'LabelEncoder', opset,
                out: { strings: 'string', int64s: 'int64', floats: 'float' }[to],
                inputs: [text ? words(shape()) : small('int64', shape())],
                attrs: attrs({ [text ? 'keys_strings' : 'keys_int64s']: text ? ['a', 'cd', 'x'] : [0, -3, 2],
                    [`values_${to}`]: values, default_string: 'none', default_int64: -5, default_float: float(0.5) }) };
        },
        () => {
            const text = below(2);
            return { domain, op: 'CategoryMapper', opset: 1, out: text ? 'int64' : 'string',
                inputs: [text ? words(rows()) : small('int64', rows())],
                attrs: attrs({ cats_strings: ['a', 'cd', 'x'], cats_int64s: [0, -3, 2] }) };
        },
        () => {
            const dims = rows(), targets = 1 + below(3);
            return { domain, op: 'LinearRegressor', opset: 1, out: 'float', loose: 1e-5, inputs: [small('float', dims)],
                attrs: attrs({ targets, coefficients: reals(targets * dims[1]), intercepts: reals(targets),
                    post_transform: targets === 1 ? 'NONE' : pick(POST) }) };
        },
        () => {
            const dims = rows(), n = pick([1, 2, 3, 4]), labels = n === 1 ? 2 : n, post = pick(POST);
            return { domain, op: 'LinearClassifier', opset: 1, out: ['int64', 'float'], loose: 1e-5,
                inputs: [small(pick(NUMBERS), dims)],
                attrs: attrs({ classlabels_ints: Array.from({ length: labels }, (_, i) => 10 + i),
                    coefficients: reals(n * dims[1]), intercepts: reals(n), post_transform: post }) };
        },
        () => {
            const dims = rows(), n = below(4), size = n ? n : dims[1];
            return { domain, op: 'SVMRegressor', opset: 1, out: 'float', loose: 1e-4, inputs: [small('float', dims)],
                attrs: attrs({ coefficients: reals(size), n_supports: n, rho: reals(1), one_class: below(2),
                    kernel_params: [float(0.25), float(0.5), float(1 + below(3))],
                    kernel_type: n ? pick(['LINEAR', 'POLY', 'RBF', 'SIGMOID']) : 'LINEAR',
                    support_vectors: n ? reals(n * dims[1]) : undefined }) };
        },
        () => {
            const dims = rows(), n = 2 + below(3), pairs = n * (n - 1) / 2, likely = below(2);
            const each = Array.from({ length: n }, () => 1 + below(3)), all = each.reduce((a, b) => a + b, 0);
            return { domain, op: 'SVMClassifier', opset: 1, out: ['int64', 'float'], loose: 1e-4,
                inputs: [small(pick(NUMBERS), dims)],
                attrs: attrs({ classlabels_ints: Array.from({ length: n }, (_, i) => 10 + i),
                    coefficients: reals((n - 1) * all), kernel_params: [float(0.25), float(0.5), float(1 + below(3))],
                    kernel_type: pick(['LINEAR', 'POLY', 'RBF', 'SIGMOID']), vectors_per_class: each,
                    support_vectors: reals(all * dims[1]), rho: reals(pairs),
                    post_transform: pick(n === 2 && !likely ? ['NONE', 'LOGISTIC'] : POST),
                    prob_a: likely ? reals(pairs) : undefined, prob_b: likely ? reals(pairs) : undefined }) };
        },
        () => {
            const dims = rows(), n = 2 + below(3);
            return { domain, op: 'SVMClassifier', opset: 1, out: ['int64', 'float'], loose: 1e-4,
                inputs: [small(pick(NUMBERS), dims)],
                attrs: attrs({ classlabels_ints: Array.from({ length: n }, (_, i) => 10 + i),
                    coefficients: reals(n * dims[1]), rho: reals(1), post_transform: pick(POST) }) };
        },
        () => {
            const dims = rows(), targets = 1 + below(3), f = forest(dims[1], () => targets);
            return { domain, op: 'TreeEnsembleRegressor', opset: pick([1, 3]), out: 'float', loose: 1e-5,
                inputs: [small(pick(['float', 'double']), dims)],
                attrs: attrs({ ...f.nodes, n_targets: targets, target_treeids: f.leaves.map((v) => v[0]),
                    target_nodeids: f.leaves.map((v) => v[1]), target_ids: f.leaves.map((_, i) => i % targets),
                    target_weights: reals(f.leaves.length), aggregate_function: pick(['SUM', 'MIN', 'MAX', 'AVERAGE']),
                    base_values: below(2) ? reals(targets) : undefined,
                    post_transform: targets === 1 ? 'NONE' : pick(POST) }) };
        },
        () => {
            const dims = rows(), labels = 2 + below(3), single = labels === 2, only = below(2);
            const f = forest(dims[1], () => (single ? 1 : labels)), positive = below(2);
            const weight = reals(f.leaves.length).map((v) => float(positive ? Math.abs(Number(v.text)) : Number(v.text)));
            return { domain, op: 'TreeEnsembleClassifier', opset: pick([1, 3]), out: ['int64', 'float'], loose: 1e-5,
                inputs: [small(pick(NUMBERS), dims)],
                attrs: attrs({ ...f.nodes, class_treeids: f.leaves.map((v) => v[0]),
                    class_nodeids: f.leaves.map((v) => v[1]), class_ids: f.leaves.map((_, i) => (single ? only : i % labels)),
                    class_weights: weight, classlabels_int64s: Array.from({ length: labels }, (_, i) => 10 + i),
                    post_transform: pick(POST) }) };
        },
        () => {
            const dims = rows(), type = pick(['float', 'double']), targets = 1 + below(3), f = complete(dims[1]), n = f.leaves;
            const list = (element, numbers) => `${element}[${numbers.length}] {${numbers.join(', ')}}`;
            const values = attrs({ ...f.nodes, n_targets: targets, aggregate_function: below(4), post_transform: 0,
                leaf_targetids: Array.from({ length: n }, (_, i) => i % targets) });
            return { domain, op: 'TreeEnsemble', opset: 5, out: type, loose: 1e-5, inputs: [small(type, dims)],
                attrs: `${values.slice(0, -1)}, nodes_modes = ${list('uint8', f.modes)}, ` +
                    `nodes_splits = ${list(type, f.splits)}, leaf_weights = ${list(type, quarters(n))}>` };
        },
    ];
};
