// SPDX-License-Identifier: Apache-2.0
//
// engine_ort.js - one model in ONNX Runtime, for engines.py.
//
//     node tests/oracle/engine_ort.js MODULES RUNS THREADS FOLDER [MODEL]
//
// MODULES is the folder above node_modules. Reads FOLDER/feeds.json, a list of [name, type, dims, file]
// whose files hold the plain elements; writes the outputs likewise, listed in FOLDER/fetches.json,
// after the first run, and prints the milliseconds of RUNS more, separated by commas. Without MODEL
// it only loads the runtime: what it takes of memory then is not the model's.
'use strict';
const fs = require('fs');
const path = require('path');

const [modules, runs, threads, folder, model] = process.argv.slice(2);
const ort = require(require.resolve('onnxruntime-node', { paths: [modules] }));
const ARRAY = { float32: Float32Array, float64: Float64Array, int64: BigInt64Array, int32: Int32Array,
    uint8: Uint8Array, int8: Int8Array, bool: Uint8Array, float16: Uint16Array };
const bytesOf = (data) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);

function readFeeds() {
    const feeds = {};
    for (const [name, type, dims, file] of JSON.parse(fs.readFileSync(path.join(folder, 'feeds.json')))) {
        const bytes = Uint8Array.from(fs.readFileSync(path.join(folder, file)));
        feeds[name] = new ort.Tensor(type, new ARRAY[type](bytes.buffer), dims);
    }
    return feeds;
}

async function main() {
    if (!model)
        return;
    const session = await ort.InferenceSession.create(model, { executionProviders: ['cpu'],
        intraOpNumThreads: Number(threads), interOpNumThreads: 1, executionMode: 'sequential',
        graphOptimizationLevel: 'all', logSeverityLevel: 4 });
    const feeds = readFeeds(), results = await session.run(feeds), list = [], ms = [];
    for (const [i, name] of session.outputNames.entries()) {
        const { type, dims, data } = results[name];
        fs.writeFileSync(path.join(folder, `fetch${i}`), bytesOf(data));
        list.push([name, type, dims, `fetch${i}`]);
    }
    fs.writeFileSync(path.join(folder, 'fetches.json'), JSON.stringify(list));
    for (let i = 0; i < Number(runs); i++) {
        const start = process.hrtime.bigint();
        await session.run(feeds);
        ms.push(Number(process.hrtime.bigint() - start) / 1e6);
    }
    process.stdout.write(`${ms.join()}\n`);
}

main().catch((error) => {
    process.stderr.write(`${error.message.replace(/\s+/g, ' ')}\n`);
    process.exitCode = 1;
});
