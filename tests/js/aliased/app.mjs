// SPDX-License-Identifier: Apache-2.0
// app.mjs - a program of onnxruntime-web that bundlers build over Ocellus by aliases: what it computes is globalThis.answer().
import { Tensor } from 'onnxruntime-common';
import ort from 'onnxruntime-web';
import { InferenceSession } from 'onnxruntime-web/webgpu';

const text = '<ir_version: 9, opset_import: ["" : 20]> negative (float[N] x) => (y) { y = Neg (x) }';

globalThis.answer = async () => {
  const session = await InferenceSession.create(new TextEncoder().encode(text), { executionProviders: ['wasm'] });
  const { y } = await session.run({ x: new Tensor(Float32Array.of(1, 2)) });
  await session.release();
  return { y: y instanceof ort.Tensor ? [...y.data] : null };
};
