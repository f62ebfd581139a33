// SPDX-License-Identifier: Apache-2.0
// onnxruntime.mjs - programs of onnxruntime-web and onnxruntime-node run over Ocellus with one changed import:
//
//   import * as ort from 'ocellus/onnxruntime';
//
// It has InferenceSession, Tensor and env as onnxruntime-common 1.30 declares them (docs/javascript.md tells what differs).
import { isFile } from './host.mjs';
import { configure, Model, OcellusError } from './ocellus.mjs';
import { Tensor, nameOf, ofValue, onnxName } from './onnxruntime-tensor.mjs';
import { LOAD, SESSION, expectOptions } from './options.mjs';

export { configure, OcellusError, Tensor };

// ---- sessions

const LEVELS = ['verbose', 'info', 'warning', 'error', 'fatal']; // logSeverityLevel counts them from 0
let level = 'warning';

export const env = {
  versions: { common: '1.30.0' }, // with `web`, transformers.js fetches ONNX Runtime's own module, 20 MB
  debug: false,
  trace: false,
  wasm: {},
  webgl: {},
  webgpu: {},
  get logLevel() {
    return level;
  },
  set logLevel(wanted) {
    if (wanted !== undefined && !LEVELS.includes(wanted))
      throw new Error(`Unsupported logging level: ${wanted}`);
    level = wanted ?? level;
  },
};
const OURS = ['cpu', 'wasm'];
// Ocellus' options in extra.ocellus: of its models, but for those that ONNX Runtime's options tell, and of its sessions.
const OF_MODEL = LOAD.filter(name => name !== 'signal' && name !== 'externalData');

const picked = (options, names) => Object.fromEntries(names.filter(name => name in options).map(name => [name, options[name]]));

// A dim of any size is '' where it has no name.
const portOf = ({ name, kind, type, dims }) => kind === 'tensor'
  ? { name, isTensor: true, type: nameOf(type), shape: (dims ?? []).map(d => d === -1 ? '' : d) } : { name, isTensor: false };

function remark(options) {
  const least = Math.max(LEVELS.indexOf(level), options.logSeverityLevel ?? 0);
  for (const provider of options.executionProviders ?? []) {
    const name = typeof provider === 'string' ? provider : provider.name;
    if (!OURS.includes(name) && least <= LEVELS.indexOf('warning'))
      console.warn(`ocellus: execution provider '${name}' is not here: the processor runs`);
  }
}

// Files of weights, by the names that the model has for them.
const externalFiles = files => Object.fromEntries(files.map(file => typeof file === 'string'
  ? [file.split('/').pop(), file] : [file.path.replace(/^\.\//, ''), file.data]));

const MISSING = /external data '(.+)': (?:it is refused for a model that comes from no folder|No such file)/;

// Resolves to the model. In Node the weights of a path lie beside it, as for onnxruntime-node: the model tells which file it misses.
async function load(source, options) {
  if (typeof source !== 'string' || !isFile(source))
    return Model.load(source, options);
  const externalData = { ...options.externalData };
  for (;;) {
    try {
      return await Model.load(source, { ...options, externalData });
    } catch (error) {
      const name = MISSING.exec(error.message)?.[1];
      if (!name || name in externalData || /^[/\\]|^[a-z]:|(^|[/\\])\.\.([/\\]|$)/i.test(name))
        throw error;
      externalData[name] = source.replace(/[^/\\]*$/, name);
    }
  }
}

export class InferenceSession {
  #model;
  #session;

  // create(source, options), or create(buffer, byteOffset, byteLength, options)
  static async create(source, ...rest) {
    const options = rest.find(given => given !== null && typeof given === 'object') ?? {}, numbers = rest.filter(given => typeof given === 'number');
    remark(options);
    const { signal } = options, { ocellus = {} } = options.extra ?? {};
    const bytes = numbers.length ? new Uint8Array(source, ...numbers) : source;
    const externalData = externalFiles(options.externalData ?? []), made = new InferenceSession();
    expectOptions(ocellus, [...OF_MODEL, ...SESSION], 'extra.ocellus');
    made.#model = await load(bytes, { signal, externalData, ...picked(ocellus, OF_MODEL) });
    made.#session = made.#model.session(picked(ocellus, SESSION));
    made.inputMetadata = made.#model.inputs.filter(port => !port.optional).map(portOf);
    made.outputMetadata = made.#model.outputs.map(portOf);
    made.inputNames = made.inputMetadata.map(({ name }) => name);
    made.outputNames = made.outputMetadata.map(({ name }) => name);
    try {
      await made.#session.ready(); // what is wrong with it is told here
    } catch (error) {
      await made.release();
      throw error;
    }
    return made;
  }

  // run(feeds), run(feeds, options), run(feeds, fetches, options): fetches are names, or tensors by name that take the results.
  async run(feeds, ...rest) {
    const [fetches, options = {}] = this.#wishes(rest), names = fetches ? Object.keys(fetches) : this.outputNames;
    for (const name of names)
      if (!this.outputNames.includes(name))
        throw new RangeError(`'fetches' contains invalid output name: ${name}.`);
    for (const name of this.inputNames)
      if (feeds[name] === undefined)
        throw new Error(`input '${name}' is missing in 'feeds'.`);
    const results = await this.#session.run(await this.#inputs(feeds), { outputs: names, signal: options.signal }), found = {};
    for (const name of names) {
      found[name] = ofValue(results[name]);
      if (fetches?.[name]) {
        const to = fetches[name].data;
        if (Array.isArray(to))
          found[name].data.forEach((text, i) => { to[i] = text; });
        else
          to.set(found[name].data);
        found[name] = fetches[name];
      }
    }
    return found;
  }

  // Resolves to feeds as the front takes them. Those that the model does not have are left out, as onnxruntime-node does.
  async #inputs(feeds) {
    const inputs = {};
    for (const { name, dims: declared } of this.#model.inputs) {
      const value = feeds[name];
      if (value === undefined)
        continue;
      const data = value instanceof Tensor && !value.cpuData ? await value.getData() : value.data;
      // Programs give a row of one element for a scalar.
      inputs[name] = { type: onnxName(value.type), dims: declared?.length === 0 && data.length === 1 ? [] : value.dims, data };
    }
    return inputs;
  }

  // Returns [fetches by name, options] of the arguments behind feeds. An object is of fetches where it has a tensor or null for an output.
  #wishes([first, second]) {
    if (Array.isArray(first))
      return [Object.fromEntries(first.map(name => [name, null])), second];
    const names = this.outputNames.filter(name => first?.[name] === null || first?.[name]?.dims);
    return names.length ? [Object.fromEntries(names.map(name => [name, first[name]])), second] : [undefined, first ?? second];
  }

  // Releases the session by the name that transformers.js 3 knows.
  get handler() {
    return { dispose: () => this.release() };
  }

  async release() {
    this.#session.free();
    this.#model.free();
  }

  startProfiling() {}

  endProfiling() {}
}

// ---- what onnxruntime-common and onnxruntime-node have for engines and traces, of which there are none here

export const registerBackend = () => {};
export const listSupportedBackends = () => [{ name: 'cpu', bundled: true }];
export const TRACE = () => {};
export const TRACE_FUNC_BEGIN = () => {};
export const TRACE_FUNC_END = () => {};
export const TRACE_EVENT_BEGIN = () => {};
export const TRACE_EVENT_END = () => {};

export default { InferenceSession, Tensor, env, registerBackend, listSupportedBackends, TRACE, TRACE_FUNC_BEGIN, TRACE_FUNC_END, TRACE_EVENT_BEGIN,
  TRACE_EVENT_END };
