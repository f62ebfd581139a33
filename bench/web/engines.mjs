// SPDX-License-Identifier: Apache-2.0
// engines.mjs - the engines that ./dev bench web compares, in Node and in a page, each driven through what its own users call.
//
// open(engine, load) resolves to { version, create(bytes, inputs) }; engine is { name, kind, files, options }, load(file) resolves
// to the bytes of one. create resolves to a held network: run() computes it once, from inputs that the script has to outputs that it
// gets, and returns or resolves to these: { name: { dims, data } }; free() gives the memory back.

const ORT_TYPES = { float: 'float32', double: 'float64' };

async function openOcellus({ files, options }, load) {
  const { open } = await import(files.script);
  const ocellus = await open(await load(files.module));
  return {
    version: ocellus.version,
    create(bytes, inputs) {
      const model = ocellus.model(bytes), session = model.session(options);
      return {
        run: () => session.run(inputs),
        free: () => (session.free(), model.free()),
      };
    },
  };
}

async function openOnnxRuntime({ files, version }) {
  const ort = await import(files.script);
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = { mjs: files.glue, wasm: files.module };
  return {
    version,
    async create(bytes, inputs) {
      const session = await ort.InferenceSession.create(bytes,
        { executionProviders: ['wasm'], graphOptimizationLevel: 'all', logSeverityLevel: 4 });
      const feeds = Object.fromEntries(Object.entries(inputs).map(([name, { type, dims, data }]) =>
        [name, new ort.Tensor(ORT_TYPES[type] ?? type, data, dims)]));
      return {
        run: () => session.run(feeds),
        free: () => session.release(),
      };
    },
  };
}

const KINDS = { ocellus: openOcellus, 'onnxruntime-web': openOnnxRuntime };

export const open = (engine, load) => KINDS[engine.kind](engine, load);
