// SPDX-License-Identifier: Apache-2.0
// peer_predict.js NETWORK FOLDER OUT WAY - a detector with the outputs of YOLOv8 on the photographs of a folder, as a program of
// Node.js does it: sharp reads, onnxruntime-node runs, JavaScript fits, decodes and suppresses. Writes a line for each object.
//
// WAY is same, where a photograph is decoded whole and fitted as cv2:linear does, or fast, where sharp may decode JPEG at a half,
// a quarter or an eighth of its size and fits it by its own filter. Two workers with a session of one thread each take every
// second file.
'use strict';

const fs = require('fs');
const path = require('path');
const { Worker, isMainThread, workerData, parentPort } = require('worker_threads');
const ort = require('onnxruntime-node');
const sharp = require('sharp');

const FILL = 114;
const LEAST = 0.25;
const OVERLAP = 0.7;

// How a photograph of w x h lies in the middle of side x side.
function fitOf(w, h, side) {
    const scale = Math.min(side / w, side / h);
    const width = Math.round(w * scale), height = Math.round(h * scale);
    return { w, h, scale, width, height, left: Math.floor((side - width) / 2), top: Math.floor((side - height) / 2) };
}

// For each place of a row of n: the first of two neighbours among m, and the second one's weight.
function taps(n, m) {
    const first = new Int32Array(n), weight = new Float32Array(n);
    for (let i = 0; i < n; i++) {
        const at = Math.min(Math.max((i + 0.5) * m / n - 0.5, 0), m - 1);
        first[i] = Math.min(Math.floor(at), m - 2);
        weight[i] = at - first[i];
    }
    return { first, weight };
}

function fitted(data, f, side) {
    const n = side * side, x = new Float32Array(3 * n).fill(FILL / 255);
    const across = taps(f.width, f.w), down = taps(f.height, f.h);
    for (let i = 0; i < f.height; i++) {
        const upper = 3 * f.w * down.first[i], lower = upper + 3 * f.w, v = down.weight[i];
        for (let j = 0, to = (i + f.top) * side + f.left; j < f.width; j++, to++) {
            const a = upper + 3 * across.first[j], b = lower + 3 * across.first[j], u = across.weight[j];
            for (let c = 0; c < 3; c++) {
                const p = data[a + c] + (data[a + 3 + c] - data[a + c]) * u;
                const q = data[b + c] + (data[b + 3 + c] - data[b + c]) * u;
                x[c * n + to] = Math.round(p + (q - p) * v) / 255;
            }
        }
    }
    return x;
}

function planes(data, side) {
    const n = side * side, x = new Float32Array(3 * n);
    for (let i = 0, j = 0; i < n; i++)
        for (let c = 0; c < 3; c++)
            x[c * n + i] = data[j++] / 255;
    return x;
}

async function read(file, side, way) {
    if (way === 'same') {
        const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
        const fit = fitOf(info.width, info.height, side);
        return { fit, x: fitted(data, fit, side) };
    }
    const { width, height } = await sharp(file).metadata();
    const background = { r: FILL, g: FILL, b: FILL };
    const data = await sharp(file).resize(side, side, { fit: 'contain', background, kernel: 'linear' }).removeAlpha().raw().toBuffer();
    return { fit: fitOf(width, height, side), x: planes(data, side) };
}

// The candidates above the least score, best first: score, label, left, top, right, bottom in the input.
function candidates(output) {
    const places = output.dims[2], classes = output.dims[1] - 4, d = output.data, found = [];
    for (let i = 0; i < places; i++) {
        let score = LEAST, label = -1;
        for (let c = 0; c < classes; c++)
            if (d[(4 + c) * places + i] > score) {
                score = d[(4 + c) * places + i];
                label = c;
            }
        if (label < 0)
            continue;
        const x = d[i], y = d[places + i], w = d[2 * places + i] / 2, h = d[3 * places + i] / 2;
        found.push([score, label, x - w, y - h, x + w, y + h]);
    }
    return found.sort((a, b) => b[0] - a[0]);
}

function overlap(a, b) {
    const w = Math.min(a[4], b[4]) - Math.max(a[2], b[2]), h = Math.min(a[5], b[5]) - Math.max(a[3], b[3]);
    const area = (r) => (r[4] - r[2]) * (r[5] - r[3]);
    return w <= 0 || h <= 0 ? 0 : w * h / (area(a) + area(b) - w * h);
}

function objects(output, f) {
    const kept = [];
    for (const c of candidates(output))
        if (!kept.some((k) => k[1] === c[1] && overlap(k, c) > OVERLAP))
            kept.push(c);
    const place = (v, offset, most) => Math.min(Math.max((v - offset) / f.scale, 0), most);
    return kept.map((k) => [k[1], k[0], place(k[2], f.left, f.w), place(k[3], f.top, f.h), place(k[4], f.left, f.w),
        place(k[5], f.top, f.h)]);
}

async function job({ network, files, way }) {
    const session = await ort.InferenceSession.create(network, { intraOpNumThreads: 1, interOpNumThreads: 1 });
    const name = session.inputNames[0], side = session.inputMetadata[0].shape[3], lines = [];
    for (let i = 0, next = read(files[0], side, way); i < files.length; i++) {
        const { x, fit } = await next;
        next = i + 1 < files.length ? read(files[i + 1], side, way) : undefined;
        const results = await session.run({ [name]: new ort.Tensor('float32', x, [1, 3, side, side]) });
        for (const o of objects(results[session.outputNames[0]], fit))
            lines.push([files[i], ...o].join(','));
    }
    return lines;
}

function work(data) {
    return new Promise((done, failed) => {
        const worker = new Worker(__filename, { workerData: data });
        worker.on('message', done);
        worker.on('error', failed);
    });
}

async function main() {
    const [network, folder, out, way] = process.argv.slice(2);
    const files = fs.readdirSync(folder).sort().map((f) => path.join(folder, f));
    const halves = [0, 1].map((k) => ({ network, way, files: files.filter((_, i) => i % 2 === k) }));
    const lines = (await Promise.all(halves.map(work))).flat().sort();
    fs.writeFileSync(out, lines.join('\n') + '\n');
}

sharp.concurrency(1);
if (isMainThread)
    main();
else
    job(workerData).then((lines) => parentPort.postMessage(lines));
