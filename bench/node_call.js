// SPDX-License-Identifier: Apache-2.0
//
// node_call.js - the time of a call through onnxruntime-node: node_call.py's requests.
//
//     node node_call.js NODE_MODULES FOLDER
//
// FOLDER has the models. For each line "NAME RUNS" on standard input prints the microseconds of a call, on average over that
// many, of model NAME.onnx with inputs of zeros, its symbolic dimensions 1.
'use strict';
const path = require('path');
const readline = require('readline');

const [modules, folder] = process.argv.slice(2);
const ort = require(path.join(modules, 'onnxruntime-node'));
const loaded = {};

async function load(name) {
    const session = await ort.InferenceSession.create(path.join(folder, `${name}.onnx`),
        { executionProviders: ['cpu'], intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 4 });
    const feeds = {};
    for (const { name: input, shape } of session.inputMetadata) {
        const dims = shape.map((dim) => (typeof dim === 'number' ? dim : 1));
        feeds[input] = new ort.Tensor('float32', new Float32Array(dims.reduce((a, b) => a * b, 1)), dims);
    }
    return { session, feeds };
}

async function main() {
    for await (const line of readline.createInterface({ input: process.stdin })) {
        const [name, runs] = line.split(' ');
        loaded[name] ||= await load(name);
        const { session, feeds } = loaded[name], start = process.hrtime.bigint();
        for (let i = 0; i < runs; i++)
            await session.run(feeds);
        process.stdout.write(`${Number(process.hrtime.bigint() - start) / 1e3 / runs}\n`);
    }
}

main();
