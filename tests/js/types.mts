// SPDX-License-Identifier: Apache-2.0
// types.mts - programs that tsc --strict takes, and lines that it refuses.
import { Model, Tensor, Picture, predict, configure, OcellusError, type Answer } from 'ocellus';
import { Files, open } from 'ocellus/engine';
import * as ort from 'ocellus/onnxruntime';
import type * as common from 'onnxruntime-common';

configure({ wasmPath: '/static/' });
const model = await Model.load('model.onnx', { signal: AbortSignal.timeout(1000), onProgress: ({ loaded, total }) => console.log(loaded, total ?? 0) });
const session = model.session({ memoryCap: 1e9, unfused: 'fast' });
const { y } = await session.run({ x: new Tensor(new Float32Array(12), [1, 3, 2, 2]), z: { data: ['a'] } }, { outputs: ['y'] });
console.log(y!.dims, y!.toImageData().width);
const answer: Answer = await predict(model, document.querySelector('img')!, { canvas: document.querySelector('canvas')!, labels: ['a'], preset: 'yolo' });
for (const { name, score, box } of answer.objects) console.log(name, score, box?.[0]);
await session.run({ image: new Picture(document.querySelector('video')!, { preset: 'imagenet' }) });
try { session.free(); } catch (e) { if (e instanceof OcellusError) console.log(e.code, e.node); }

// Programs of onnxruntime-web, by its own types.
const s = await ort.InferenceSession.create('model.onnx', { executionProviders: ['webgpu', 'wasm'], graphOptimizationLevel: 'all' });
const feeds: Record<string, ort.Tensor> = {};
feeds[s.inputNames[0]!] = new ort.Tensor('float32', new Float32Array(3), [3]);
const r = await s.run(feeds);
const data = r[s.outputNames[0]!]!.data as Float32Array;
ort.env.wasm.numThreads = 1; ort.env.wasm.wasmPaths = '/x/'; ort.env.logLevel = 'error';
const o: common.InferenceSession.SessionOptions = { executionProviders: ['wasm'], intraOpNumThreads: 1 };
await ort.InferenceSession.create(new Uint8Array(3), o as ort.InferenceSession.SessionOptions);
const t: ort.TypedTensor<'float32'> = new ort.Tensor('float32', [1, 2], [2]);
const floats: Float32Array = t.data, whole: BigInt64Array = new ort.Tensor('int64', [1n, 2n], [2]).data;
console.log(data, floats, whole);
const engine = await open(new Uint8Array(1), { files: new Files({ 'a.bin': new Uint8Array(1) }) });
engine.model(new Uint8Array(1)).session({ cpu: 'scalar' }).run({ x: { dims: [1], data: new Float32Array(1) } }, ['y']);
// @ts-expect-error: no such option
await Model.load('model.onnx', { sgnal: 1 });
// @ts-expect-error: no type of ONNX
new Tensor('float33', new Float32Array(1));
