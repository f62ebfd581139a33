// SPDX-License-Identifier: Apache-2.0
// first_onnxruntime.mjs - onnxruntime-web as ./dev bench first drives it, with the functions of first_ocellus.mjs: the part for
// processors, one thread, and its proxy where a worker is wanted.
import * as ort from 'onnxruntime-web/wasm';

ort.env.wasm.numThreads = 1;

export const tensor = (data, dims) => new ort.Tensor('float32', data, dims);

// The proxy takes the arrays of a run's tensors away.
export const fed = inputs => ort.env.wasm.proxy
  ? Object.fromEntries(Object.entries(inputs).map(([name, { data, dims }]) => [name, tensor(data.slice(), dims)])) : inputs;

export async function load(source, { apart = false } = {}) {
  ort.env.wasm.proxy = apart;
  return {
    async session() {
      const session = await ort.InferenceSession.create(source, { executionProviders: ['wasm'], logSeverityLevel: 4 });
      return { run: inputs => session.run(inputs), free: () => session.release() };
    },
    free() {},
  };
}
