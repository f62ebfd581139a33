// SPDX-License-Identifier: Apache-2.0
// engines.mjs - the engines that ./dev bench web compares, each driven by the calls that its users make, in Node and in a page.
//
// open({ kind, files, options }, load) resolves to { version, create(bytes, inputs) }; files are paths or addresses, load(file)
// resolves to the bytes of one. create resolves to a network that is held: run() copies the inputs in, computes, and returns or
// resolves to { NAME: { dims, data } }, copies of the outputs; free() gives the network's memory back. Ocellus' copies go to the arrays
// of the first run, as a page does it that runs for each frame; the other engines have no such call (onnxruntime-web leaves arrays
// that are given for outputs as they are) and make new arrays for each run.

async function openOcellus({ files, options = {} }, load) {
  const { open } = await import(files.script);
  const ocellus = await open(await load(files.module));
  if ('unfused' in options && !('oc_session_options.unfused' in ocellus.place))
    throw new Error('the module has no option unfused');
  return {
    version: ocellus.version,
    create(bytes, inputs) {
      const model = ocellus.model(bytes), session = model.session(options), names = model.outputs.map(({ name }) => name);
      const arrays = Object.fromEntries(Object.entries(session.run(inputs, names)).map(([name, { data }]) => [name, data]));
      return {
        run: () => session.run(inputs, names, arrays),
        free: () => (session.free(), model.free()),
      };
    },
  };
}

const ORT_TYPES = { float: 'float32', double: 'float64' };

// onnxruntime-web by its part for processors, with one thread.
async function openOnnxRuntime({ files }) {
  const ort = await import(files.script);
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = { mjs: files.glue, wasm: files.module };
  return {
    version: ort.env.versions.web,
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

// LiteRT.js by its part for processors; inputs come in the order of the network's.
async function openLiteRt({ files, version }) {
  const { loadLiteRt, loadAndCompile, Tensor } = await import(files.script);
  globalThis.Module = { locateFile: name => `${files.folder}/${name}` };
  await loadLiteRt(files.folder);
  return {
    version,
    async create(bytes, inputs) {
      const model = await loadAndCompile(bytes, { accelerator: 'wasm' });
      const run = async () => {
        const given = Object.values(inputs).map(({ dims, data }) => new Tensor(data, dims));
        const results = await model.run(given), outputs = {};
        results.forEach((result, i) => {
          outputs[i] = { dims: [...result.type.layout.dimensions], data: result.toTypedArray().slice() };
          result.delete();
        });
        given.forEach(tensor => tensor.delete());
        return outputs;
      };
      return { run, free: () => model.delete() };
    },
  };
}

const KINDS = { 'ocellus': openOcellus, 'onnxruntime-web': openOnnxRuntime, 'litert': openLiteRt };

export const open = (engine, load) => KINDS[engine.kind](engine, load);
