#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
//
// compare_vision.js - the decoders of functions/vision, run by ONNX Runtime.
//
//     npm install onnxruntime-node
//     node tests/oracle/compare_vision.js build/tools/ocellus [FILE..]
//
// Takes every case of the files, or of tests/cases/vision, writes its model with the functions that it calls as
// ONNX's bytes, once with the functions and once expanded by `ocellus expand`, has ONNX Runtime run both, and compares
// with what the case expects: whole numbers and shapes are equal, others differ by 1e-5 at most, relative to numbers
// above 1. Cases that must fail are left out. Exits 1 if a result differs.
'use strict';
const { execFileSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const ort = require(require.resolve('onnxruntime-node', { paths: [process.cwd(), __dirname] }));

const CASES = path.join(__dirname, '../cases/vision'), FUNCTIONS = path.join(__dirname, '../../functions/vision');
const ARRAYS = { float: ['float32', Float32Array, Number], int64: ['int64', BigInt64Array, BigInt],
    int32: ['int32', Int32Array, Number], bool: ['bool', Uint8Array, Number],
    uint8: ['uint8', Uint8Array, Number] };
const NUMBERS = { nan: NaN, inf: Infinity, '-inf': -Infinity };

/** The cases of a file: title, text of the model, and a list of what its sections say. */
function readCases(file) {
    const cases = [];
    let model = '';
    for (const part of fs.readFileSync(file, 'utf8').split(/^=== /m).slice(1)) {
        const [head, ...sections] = part.slice(part.indexOf('\n') + 1).split(/^--- /m);
        model = head.trim() ? head : model;
        cases.push({ title: part.slice(0, part.indexOf('\n')), model, sections });
    }
    return cases;
}

/** The value that a section gives: "boxes = float[1,4] {1, 2, 3, 4}"; null: it gives none. */
function readValue(section) {
    const found = /^(\w+) = (\w+)(?:\[([\d,]*)\])?\s*\{?([^}]*)\}?/.exec(section);
    if (!found || !ARRAYS[found[2]])
        return null;
    const [, name, type, dims, text] = found, [ortType, array, number] = ARRAYS[type];
    const items = text.split(',').map((s) => s.trim()).filter((s) => s);
    return { name, ortType, dims: dims ? dims.split(',').map(Number) : [],
        data: array.from(items, (s) => (s in NUMBERS ? NUMBERS[s] : number(s))) };
}

/** The model's text, with the functions that it calls, and those that they call, behind it. */
function withFunctions(model) {
    const called = new Set();
    let text = model;
    for (let more = true; more;) {
        const names = [...text.matchAll(/ocellus\.vision\.(\w+)/g)].map((m) => m[1]).filter((name) => !called.has(name));
        more = names.length > 0;
        for (const name of new Set(names)) {
            called.add(name);
            text += fs.readFileSync(path.join(FUNCTIONS, `${name}.1.onnxtxt`), 'utf8');
        }
    }
    return text;
}

/** Returns what differs, or an empty text. */
function compare(got, want) {
    if (!got)
        return 'is missing';
    if (got.type !== want.ortType || got.dims.join() !== want.dims.join())
        return `is ${got.type}[${got.dims}], expected ${want.ortType}[${want.dims}]`;
    for (let i = 0; i < want.data.length; i++) {
        const a = got.data[i], b = want.data[i];
        const near = typeof b === 'bigint' || Number.isNaN(b) || !Number.isFinite(b)
            ? Object.is(a, b) : Math.abs(a - b) <= 1e-5 * Math.max(1, Math.abs(b));
        if (!near)
            return `[${i}] is ${a}, expected ${b}`;
    }
    return '';
}

async function runCase(command, folder, test) {
    const values = test.sections.map(readValue).filter((v) => v);
    const source = path.join(folder, 'case.onnxtxt'), target = path.join(folder, 'case.onnx');
    fs.writeFileSync(source, withFunctions(test.model));
    const wrong = [];
    for (const [kind, words] of [['functions', ['convert', source, target]], ['expanded', ['expand', source, '-o', target]]]) {
        execFileSync(command, words, { stdio: 'pipe' });
        const session = await ort.InferenceSession.create(target, { logSeverityLevel: 3 });
        const feeds = {}, wanted = [];
        for (const v of values) {
            if (session.inputNames.includes(v.name) && !feeds[v.name])
                feeds[v.name] = new ort.Tensor(v.ortType, v.data, v.dims);
            else
                wanted.push(v);
        }
        const got = await session.run(feeds);
        for (const v of wanted) {
            const what = compare(got[v.name], v);
            if (what)
                wrong.push(`${kind}: ${v.name} ${what}`);
        }
    }
    return wrong;
}

async function main() {
    const [command, ...given] = process.argv.slice(2);
    const files = given.length ? given : fs.readdirSync(CASES).sort().map((name) => path.join(CASES, name));
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vision-'));
    let passed = 0, failed = 0;
    for (const file of files)
        for (const test of readCases(file)) {
            if (test.sections.some((s) => s.startsWith('fails ')))
                continue;
            const wrong = await runCase(command, folder, test).catch((e) => [String(e.stderr || e.message).trim()]);
            wrong.forEach((what) => console.log(`${path.basename(file)}: '${test.title}': ${what}`));
            wrong.length ? failed++ : passed++;
        }
    fs.rmSync(folder, { recursive: true });
    console.log(`${passed} cases equal, ${failed} differ`);
    process.exitCode = failed ? 1 : 0;
}

main();
