// SPDX-License-Identifier: Apache-2.0
// types-node.mts - a program of Node, where tsc knows no types of pages.
import { Model, Tensor, predict, type ErrorCode } from 'ocellus';
import * as ort from 'ocellus/onnxruntime';
const m = await Model.load('x.onnx'); const s = m.session(); const { y } = await s.run({ x: new Tensor(new Float32Array(3)) }); console.log(y?.dims, y?.toImageData().width);
const a = await predict(m, { width: 1, height: 1, data: new Uint8Array(3) }); const c: ErrorCode = 'IO'; console.log(a.fit[0], c);
const o = await ort.InferenceSession.create('x.onnx'), picture = await ort.Tensor.fromImage({ width: 1, height: 1, data: new Uint8Array(3) });
console.log((await o.run({ x: picture })).y?.toImageData().width);
