// SPDX-License-Identifier: Apache-2.0
//
// strings.js - the operators on strings, and TfIdfVectorizer. Left out: splitting an empty string at
// a delimiter (ONNX Runtime gives no part, the standard's reference one), white space but the space
// (which separates nothing there), a flag with a repetition, and IDF with two n-grams of
// one index.
'use strict';

module.exports = ({ below, pick, given, shape, partOf, attrs, float }) => {
    const quote = (s) => `"${s.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n').replace(/\t/g, '\\t')}"`;
    const count = (dims) => dims.reduce((a, b) => a * b, 1);
    const strings = (dims, make) =>
        ({ type: 'string', dims, list: Array.from({ length: count(dims) }, () => quote(make())) });
    const text = (letters, most) =>
        Array.from({ length: below(most + 1) }, () => pick(letters)).join('');
    const quoted = (named) => { // attributes, of which strings are quoted as above
        const list = Object.entries(named).filter(([, v]) => v !== undefined);
        const word = (v) => Array.isArray(v) ? `[${v.map(word)}]` : typeof v === 'string' ? quote(v) : v;
        return list.length ? ` <${list.map(([k, v]) => `${k} = ${word(v)}`).join(', ')}>` : '';
    };

    // A random pattern, of which some are wrong: both must refuse these.
    const ATOMS = ['a', 'b', 'c', 'A', '.', '\u00e9', '[ab]', '[^a]', '[a-c]', '[^\\d]', '\\d', '\\w', '\\W', '\\s', '\\S',
        '[[:alpha:]]', '[[:^upper:]]', '\\x61', '\\.', '-', ' ', '^', '$', '\\b', '\\B', '\\A', '\\z', '(?i)', '(?s)', '(?m)',
        '\\n', '[.\\]-]', '(?i:B)', '\\Qa.\\E', '1', '{', ']', '(?-s)'];
    const pattern = (depth) => {
        let all = '';
        for (let i = below(4) + (depth > 2); i >= 0; i--) {
            const kind = below(8);
            const atom = depth && kind === 0 ? `(${pattern(depth - 1)})`
                : depth && kind === 1 ? `(?:${pattern(depth - 1)}|${pattern(depth - 1)})` : pick(ATOMS);
            all += /^\(\?-?\w\)/.test(atom) ? atom : atom + pick(['', '', '', '', '*', '+', '?', '*?', '{2}', '{1,2}', '{2,}', '{0,2}']);
        }
        return below(6) ? all : `${all}|${pick(ATOMS)}`;
    };
    const LETTERS = ['a', 'b', 'c', 'A', 'B', '1', ' ', '.', '-', '\n', '\u00e9', '\u00c9', '_', '{', ']'];

    const grams = (make, most) => { // distinct n-grams of 1 to most items
        const seen = new Set(), starts = [], flat = [];
        let n = 0;
        for (let size = 1; size <= most; size++) {
            starts.push(flat.length);
            for (let i = below(4) + (size === most); i >= 0; i--) {
                const gram = Array.from({ length: size }, make), key = JSON.stringify(gram);
                if (!seen.has(key)) {
                    flat.push(...gram);
                    n++;
                }
                seen.add(key);
            }
        }
        return { starts, flat, n };
    };

    return [
        () => {
            const dims = shape(), make = () => text(LETTERS, 6);
            return { op: 'StringConcat', opset: 20, out: 'string',
                inputs: [strings(dims, make), strings(partOf(dims), make)] };
        },
        () => {
            const delimiter = pick([undefined, undefined, '', '-', ', ', 'aa', '\u00e9']);
            const make = delimiter ? () => pick(['a', delimiter]) + text(['a', 'b', '-', ', ', '\u00e9'], 8)
                : () => text(['a', 'bc', ' ', ' ', '\u00e9'], 8);
            return { op: 'StringSplit', opset: 20, out: ['string', 'int64'],
                attrs: quoted({ delimiter, maxsplit: pick([undefined, undefined, -1, 0, 1, 2, 7]) }),
                inputs: [strings(shape(), make)] };
        },
        () => {
            const make = () => pick(['Monday', 'monday', 'MONDAY', 'tuesday', '\u00e9t\u00e9', '\u00c9T\u00c9', '', '\u03a3\u03c3\u03c2',
                '\u0416\u0436', '\u01c5', '\u1e9e', 'a1']);
            const dims = below(2) ? [1 + below(8)] : [1, 1 + below(8)];
            return { op: 'StringNormalizer', opset: 10, out: 'string', inputs: [strings(dims, make)],
                attrs: quoted({ locale: 'C.UTF-8', case_change_action: pick(['NONE', 'LOWER', 'UPPER']),
                    is_case_sensitive: below(2),
                    stopwords: below(2) ? Array.from({ length: 1 + below(3) }, make) : undefined }) };
        },
        ...Array(4).fill(() => ({ op: 'RegexFullMatch', opset: 20, out: 'bool',
            attrs: quoted({ pattern: pattern(3) }), inputs: [strings([40], () => text(LETTERS, 5))] })),
        () => {
            const number = below(2), make = number ? () => below(4) : () => pick(['a', 'b', '', 'cd']);
            const most = 1 + below(3), least = 1 + below(most), pool = grams(make, most);
            const index = Array.from({ length: pool.n }, (_, i) => i).sort(() => below(3) - 1);
            const dims = pick([[below(12)], [1 + below(3), 1 + below(12)]]);
            const list = Array.from({ length: count(dims) }, make);
            return { op: 'TfIdfVectorizer', opset: 9, out: 'float', loose: 1e-6,
                attrs: attrs({ max_gram_length: most, max_skip_count: below(4), min_gram_length: least,
                    mode: pick(['TF', 'IDF', 'TFIDF']), ngram_counts: pool.starts, ngram_indexes: index,
                    [number ? 'pool_int64s' : 'pool_strings']: pool.flat,
                    weights: below(2) ? index.map(() => float(below(40) / 8)) : undefined }),
                inputs: [number ? given(pick(['int32', 'int64']), dims, list)
                    : { type: 'string', dims, list: list.map(quote) }] };
        },
    ];
};
