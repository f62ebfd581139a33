// SPDX-License-Identifier: Apache-2.0
//
// data_sets.js - runs ONNX backend tests through onnxruntime-node.
//
//     node data_sets.js NODE_MODULES JOBS.json FIRST
//
// JOBS.json is a list of {"name", "folder", "bound"}: a name, a folder in the layout of ONNX's backend tests, and a bound
// of difference(). Runs those from number FIRST on. Prints "start NAME" before each, and behind it "pass NAME" or
// "fail NAME: why", so that who reads it knows at which one the process ended.
'use strict';
const fs = require('fs');
const path = require('path');
const { readTensor, difference } = require('./tensor_file.js');

const [modules, list, first] = process.argv.slice(2);
const ort = require(path.join(modules, 'onnxruntime-node'));

// The tensors input_0.pb, input_1.pb and so on (or output_K.pb) of a data set.
function tensors(set, kind) {
    const found = [];
    for (let i = 0; fs.existsSync(path.join(set, `${kind}_${i}.pb`)); i++)
        found.push(readTensor(fs.readFileSync(path.join(set, `${kind}_${i}.pb`))));
    return found;
}

async function runSet(session, set, bound) {
    const feeds = {};
    tensors(set, 'input').forEach(({ name, dims, type, data }, i) => {
        feeds[session.inputNames.includes(name) ? name : session.inputNames[i]] = new ort.Tensor(type, data, dims);
    });
    const results = await session.run(feeds), expected = tensors(set, 'output');
    if (!expected.length)
        return `${set}: no expected outputs`;
    for (const [i, tensor] of expected.entries()) {
        const name = session.outputNames[i], text = difference(results[name], tensor, bound);
        if (text)
            return `output '${name}' ${text}`;
    }
    return '';
}

async function runTest({ folder, bound }) {
    const session = await ort.InferenceSession.create(path.join(folder, 'model.onnx'));
    let text = '', n = 0;
    for (let set; !text && fs.existsSync(set = path.join(folder, `test_data_set_${n}`)); n++)
        text = await runSet(session, set, bound);
    await session.release();
    return n ? text : 'no test_data_set_0';
}

async function main() {
    for (const job of JSON.parse(fs.readFileSync(list)).slice(first)) {
        fs.writeSync(1, `start ${job.name}\n`);
        const text = await runTest(job).catch((error) => error.message.replace(/\s+/g, ' '));
        fs.writeSync(1, text ? `fail ${job.name}: ${text}\n` : `pass ${job.name}\n`);
    }
}

main();
