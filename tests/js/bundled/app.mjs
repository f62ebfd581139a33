// SPDX-License-Identifier: Apache-2.0
// app.mjs - a program that bundlers build: what it computes is globalThis.answer().
import { Model, Tensor } from 'ocellus';

const text = '<ir_version: 9, opset_import: ["" : 20]> negative (float[N] x) => (y) { y = Neg (x) }';

globalThis.answer = async () => {
  const model = await Model.load(new TextEncoder().encode(text)), session = model.session();
  const { y } = await session.run({ x: new Tensor(Float32Array.of(1, 2)) });
  session.free();
  model.free();
  return { y: [...y.data] };
};
