// SPDX-License-Identifier: Apache-2.0
//
// peer_ort.js - ONNX Runtime as the comparison drives it: player.c's requests "run" and "about".
//
//     node bench/peer_ort.js FOLDER_OF_NODE_MODULES MODEL NAME=FILE.npy...
//     node bench/peer_ort.js FOLDER_OF_NODE_MODULES --once THREADS [MODEL NAME=FILE.npy...]
//     node bench/peer_ort.js FOLDER_OF_NODE_MODULES --save FILE MODEL
//     node bench/peer_ort.js FOLDER_OF_NODE_MODULES --top NAME MODEL FILE.npy...
//
// --once runs the model once, as a program does that wants one result, prints what it is and how long
// the session took to make, and ends. Without MODEL it only loads the runtime. --save writes the model as the
// runtime rewrote it, which tells whether it computes an 8-bit network in integers. --top runs it on each file as input
// NAME and prints the index of the largest number of its first output.
//
// Inputs and outputs are held: the runtime writes into the same output memory in every run. Threads
// stop spinning when a run returns, for the others' sake.
'use strict';
const fs = require('fs');
const readline = require('readline');

const words = process.argv.slice(2), modules = words.shift();
const once = words[0] === '--once' ? Number(words.splice(0, 2)[1]) : 0;
const saved = words[0] === '--save' ? words.splice(0, 2)[1] : null;
const chosen = words[0] === '--top' ? words.splice(0, 2)[1] : null;
const [model, ...files] = words;
const at = (name) => require(require.resolve(name, { paths: [modules] }));
const ort = at('onnxruntime-node');
const version = at('onnxruntime-node/package.json').version;

const TYPE = { '<f4': ['float32', Float32Array], '<f8': ['float64', Float64Array],
    '<i8': ['int64', BigInt64Array], '<i4': ['int32', Int32Array], '<f2': ['float16', Uint16Array],
    '|u1': ['uint8', Uint8Array], '|i1': ['int8', Int8Array], '|b1': ['bool', Uint8Array] };

function readNpy(file) {
    const bytes = fs.readFileSync(file), start = 10 + bytes.readUInt16LE(8);
    const header = bytes.toString('latin1', 10, start);
    const dims = /'shape': \(([^)]*)\)/.exec(header)[1].split(',').filter((s) => s.trim()).map(Number);
    const [type, array] = TYPE[/'descr': '([^']*)'/.exec(header)[1]];
    return new ort.Tensor(type, new array(Uint8Array.from(bytes.subarray(start)).buffer), dims);
}

const feeds = {}, sessions = {};

function create(threads) {
    return ort.InferenceSession.create(model, {
        executionProviders: ['cpu'], intraOpNumThreads: threads, interOpNumThreads: 1,
        executionMode: 'sequential', graphOptimizationLevel: 'all', logSeverityLevel: 4,
        extra: { session: { force_spinning_stop: '1' } } });
}

// Without the layouts of this one processor, whose operators no other file knows.
async function save() {
    await ort.InferenceSession.create(model, { executionProviders: ['cpu'], graphOptimizationLevel: 'extended',
        optimizedModelFilePath: saved, logSeverityLevel: 4 });
}

// What a run wrote may be given to the next one to write into, unless it is empty.
async function sessionOf(threads) {
    if (!sessions[threads]) {
        const session = await create(threads), first = await session.run(feeds);
        const filled = Object.values(first).every((value) => value.size > 0);
        sessions[threads] = { session, first, fetches: filled ? first : session.outputNames };
    }
    return sessions[threads];
}

async function runOnce() {
    const start = process.hrtime.bigint(), session = await create(once);
    const ms = Number(process.hrtime.bigint() - start) / 1e6, results = await session.run(feeds);
    for (const [name, { dims, data }] of Object.entries(results)) {
        let sum = 0, low = Infinity, high = -Infinity;
        for (const x of data) {
            sum += Number(x);
            low = Math.min(low, Number(x));
            high = Math.max(high, Number(x));
        }
        process.stdout.write(`${name} [${dims}] ${low} ${high} ${sum / data.length}\n`);
    }
    process.stdout.write(`session_ms=${ms}\n`);
}

async function printTop() {
    const session = await create(1);
    for (const file of files) {
        const results = await session.run({ [chosen]: readNpy(file) }), { data } = results[session.outputNames[0]];
        process.stdout.write(`${data.reduce((best, x, i) => (x > data[best] ? i : best), 0)}\n`);
    }
}

async function run(threads, warm, runs) {
    const { session, fetches } = await sessionOf(threads), ms = [];
    for (let i = -warm; i < runs; i++) {
        const start = process.hrtime.bigint();
        await session.run(feeds, fetches);
        if (i >= 0)
            ms.push(Number(process.hrtime.bigint() - start) / 1e6);
    }
    return `ms=${ms.join()}`;
}

async function about(threads) {
    const { session, first } = await sessionOf(threads);
    const data = first[session.outputNames[0]].data;
    let sum = 0, sumAbs = 0;
    for (const x of data) {
        sum += Number(x);
        sumAbs += Math.abs(Number(x));
    }
    return `version=${version} mean=${sum / data.length} mean_abs=${sumAbs / data.length}`;
}

async function main() {
    for (const text of files) {
        const equals = text.indexOf('=');
        feeds[text.slice(0, equals)] = readNpy(text.slice(equals + 1));
    }
    if (saved)
        return save();
    if (chosen)
        return printTop();
    if (once)
        return model && runOnce();
    for await (const line of readline.createInterface({ input: process.stdin })) {
        const [request, ...numbers] = line.split(' ');
        let answer;
        try {
            answer = await { run, about }[request](...numbers.map(Number));
        } catch (error) {
            answer = `error=${error.message.replace(/\s+/g, ' ')}`;
        }
        process.stdout.write(`${answer}\n`);
    }
}

main().catch((error) => {
    process.stderr.write(`${error.message.replace(/\s+/g, ' ')}\n`);
    process.exitCode = 1;
});
