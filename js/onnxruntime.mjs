// SPDX-License-Identifier: Apache-2.0
// onnxruntime.mjs - programs of onnxruntime-web and onnxruntime-node run over Ocellus with one changed import:
//
//   import * as ort from 'ocellus/onnxruntime';
//
// It has InferenceSession, Tensor and env as onnxruntime-common 1.30 declares them (docs/javascript.md tells what differs).
import { elementType, sizeOf } from './arrays.mjs';
import { configure, Model, OcellusError } from './ocellus.mjs';
import { LOAD, SESSION, expectOptions } from './options.mjs';
import { isPicture, pixelsOf } from './picture.mjs';
import { Tensor as Values } from './tensor.mjs';

// ---- names of types

const NAMES = { float32: 'float', float64: 'double' }; // ONNX's, where they differ
const OTHERS = Object.fromEntries(Object.entries(NAMES).map(([name, onnx]) => [onnx, name]));
const halves = globalThis.Float16Array ?? Uint16Array;
const ARRAYS = { float32: Float32Array, float64: Float64Array, float16: halves, int8: Int8Array, uint8: Uint8Array, int16: Int16Array,
  uint16: Uint16Array, int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array, bool: Uint8Array, int4: Int8Array,
  uint4: Uint8Array };
const FORMATS = { RGB: [0, 1, 2], RGBA: [0, 1, 2, 3], BGR: [2, 1, 0], RBG: [0, 2, 1], BGRA: [2, 1, 0, 3] }; // samples of a pixel, in order
const nameOf = onnx => OTHERS[onnx] ?? onnx;

// ---- tensors

function dataFor(type, data) {
  const Kind = ARRAYS[type];
  if (type === 'string' || !Kind) {
    if (type !== 'string')
      throw new TypeError(`Unsupported tensor type: ${type}.`);
    if (!Array.isArray(data))
      throw new TypeError("A string tensor's data must be a string array.");
    return data;
  }
  if (Array.isArray(data) && type === 'float16' && halves === Uint16Array)
    throw new TypeError('Creating a float16 tensor from number array is not supported. Please use Uint16Array as data.');
  if (Array.isArray(data))
    return Kind.from(data, type === 'int64' || type === 'uint64' ? BigInt : undefined);
  if (data instanceof Kind)
    return data;
  if (data instanceof Uint8ClampedArray && type === 'uint8')
    return new Uint8Array(data.buffer, data.byteOffset, data.length);
  if (data instanceof Uint16Array && type === 'float16')
    return Kind === Uint16Array ? data : new Kind(data.buffer, data.byteOffset, data.length);
  throw new TypeError(`A ${type} tensor's data must be type of ${Kind.name}`);
}

function typeFor(data) {
  const type = Array.isArray(data) && typeof data[0] === 'boolean' ? 'bool' : elementType(data);
  if (!type)
    throw new TypeError(`Unsupported type for tensor data: ${data?.constructor?.name ?? data}.`);
  return nameOf(type);
}

// The numbers (mean, bias) of red, green, blue and alpha, from those of options: one number or a list.
const normal = (given, fallback) => given === undefined ? [fallback, fallback, fallback, fallback]
  : typeof given === 'number' ? [given, given, given, given] : [...given, ...[fallback, fallback, fallback, fallback].slice(given.length)];

export class Tensor {
  constructor(...given) {
    const [type, data, dims] = typeof given[0] === 'string' ? given : [typeFor(given[0]), ...given];
    this.type = type;
    this.cpuData = dataFor(type, type === 'bool' && Array.isArray(data) ? data.map(Number) : data);
    this.dims = [...dims ?? [this.cpuData.length]];
    if (this.dims.some(d => !Number.isSafeInteger(d) || d < 0))
      throw new (this.dims.some(d => !Number.isSafeInteger(d)) ? TypeError : RangeError)(`dims [${this.dims}] must be integers, 0 or more`);
    if (sizeOf(this.dims) !== this.cpuData.length)
      throw new Error(`Tensor's size(${sizeOf(this.dims)}) does not match data length(${this.cpuData.length}).`);
  }

  // source is ImageData, an image element, an ImageBitmap or an address.
  static async fromImage(source, options = {}) {
    const picture = typeof source === 'string' ? await (await fetch(source)).blob() : source;
    const pixels = await pixelsOf(await resized(picture, options)), { width, height } = pixels, n = width * height;
    const samples = pixels.data.length / n, order = FORMATS[options.tensorFormat ?? 'RGB'];
    if (!order)
      throw new Error(`Unsupported tensor format: ${options.tensorFormat}`);
    const type = options.dataType ?? 'float32', mean = normal(options.norm?.mean, 255), bias = normal(options.norm?.bias, 0);
    const data = new ARRAYS[type](n * order.length), last = options.tensorLayout === 'NHWC';
    for (let i = 0; i < n; i++)
      order.forEach((sample, c) => {
        const value = sample < samples ? pixels.data[i * samples + sample] : 255;
        data[last ? i * order.length + c : c * n + i] = type === 'uint8' ? value : (value + bias[sample]) / mean[sample];
      });
    return new Tensor(type, data, last ? [1, height, width, order.length] : [1, order.length, height, width]);
  }

  static fromPinnedBuffer(type, buffer, dims) {
    return new Tensor(type, buffer, dims);
  }

  get data() {
    if (!this.cpuData)
      throw new Error('The tensor is disposed.');
    return this.cpuData;
  }

  get location() {
    return this.cpuData ? 'cpu' : 'none';
  }

  get size() {
    return sizeOf(this.dims);
  }

  async getData() {
    return this.data;
  }

  dispose() {
    this.cpuData = null;
  }

  reshape(dims) {
    return new Tensor(this.type, this.data, dims);
  }

  toImageData({ norm, tensorLayout } = {}) {
    const mean = normal(norm?.mean, 255)[0], bias = normal(norm?.bias, 0)[0];
    return new Values(this.data, this.dims).toImageData({ least: -bias / mean, greatest: (255 - bias) / mean,
      ...(tensorLayout ? { layout: tensorLayout.toLowerCase() } : {}) });
  }

  toDataURL(options) {
    const image = this.toImageData(options), canvas = document.createElement('canvas');
    Object.assign(canvas, { width: image.width, height: image.height });
    canvas.getContext('2d').putImageData(image, 0, 0);
    return canvas.toDataURL();
  }
}

async function resized(picture, { resizedWidth, resizedHeight }) {
  if (resizedWidth === undefined && resizedHeight === undefined)
    return picture;
  if (typeof createImageBitmap !== 'function' || !(picture instanceof Blob || picture instanceof ImageData || isPicture(picture)))
    throw new Error('this host resizes no such picture');
  return createImageBitmap(picture, { resizeWidth: resizedWidth, resizeHeight: resizedHeight });
}

const ofValue = value => Array.isArray(value) ? value.map(ofValue)
  : value instanceof Values ? new Tensor(nameOf(value.type), value.data, value.dims) : value;

// ---- sessions

export const env = {
  versions: { common: '1.30.0' }, // with `web`, transformers.js fetches ONNX Runtime's own module, 20 MB
  logLevel: 'warning',
  debug: false,
  wasm: {},
  webgl: {},
  webgpu: {},
};
const OURS = ['cpu', 'wasm'];
// Ocellus' options in extra.ocellus: of its models, but for those that ONNX Runtime's options tell, and of its sessions.
const OF_MODEL = LOAD.filter(name => name !== 'signal' && name !== 'externalData');

const picked = (options, names) => Object.fromEntries(names.filter(name => name in options).map(name => [name, options[name]]));

const portOf = ({ name, kind, type, dims }) => ({ name, isTensor: kind === 'tensor', type: nameOf(type), shape: dims ?? [] });

function remark(options) {
  for (const provider of options.executionProviders ?? []) {
    const name = typeof provider === 'string' ? provider : provider.name;
    if (!OURS.includes(name) && env.logLevel !== 'error' && env.logLevel !== 'fatal')
      console.warn(`ocellus: execution provider '${name}' is not here: the processor runs`);
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
    const externalData = Object.fromEntries((options.externalData ?? []).map(file => typeof file === 'string'
      ? [file.split('/').pop(), file] : [file.path, file.data]));
    const made = new InferenceSession();
    expectOptions(ocellus, [...OF_MODEL, ...SESSION], 'extra.ocellus');
    made.#model = await Model.load(bytes, { signal, externalData, ...picked(ocellus, OF_MODEL) });
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
    const [fetches, options = {}] = this.#wishes(rest), names = Array.isArray(fetches) ? fetches : fetches ? Object.keys(fetches) : this.outputNames;
    for (const name of names)
      if (!this.outputNames.includes(name))
        throw new RangeError(`'fetches' contains invalid output name: ${name}.`);
    for (const name of this.inputNames)
      if (feeds[name] === undefined)
        throw new Error(`input '${name}' is missing in 'feeds'.`);
    const inputs = Object.fromEntries(Object.entries(feeds).map(([name, { type, dims, data }]) =>
      [name, { type: NAMES[type] ?? type, dims: this.#isScalar(name) && data.length === 1 ? [] : dims, data }]));
    const results = await this.#session.run(inputs, { outputs: names, signal: options.signal }), found = {};
    for (const name of names) {
      found[name] = ofValue(results[name]);
      if (!Array.isArray(fetches) && fetches?.[name] instanceof Tensor) {
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

  // Programs give a row of one element for a scalar, as ONNX Runtime allows.
  #isScalar(name) {
    return this.#model.inputs.some(port => port.name === name && port.dims?.length === 0);
  }

  #wishes([first, second]) {
    const isFetches = Array.isArray(first) || (first && Object.keys(first).length > 0 &&
      Object.keys(first).every(name => this.outputNames.includes(name)));
    return isFetches || first === null ? [first, second] : [undefined, first ?? second];
  }

  async release() {
    this.#session.free();
    this.#model.free();
  }

  startProfiling() {}

  endProfiling() {}
}

export { configure, OcellusError };

// What onnxruntime-common has for those who add engines to it, of which there are none here.
export const registerBackend = () => {};

export default { InferenceSession, Tensor, env, registerBackend };
