// SPDX-License-Identifier: Apache-2.0
// onnxruntime-tensor.mjs - onnxruntime.mjs' tensors: onnxruntime-common's Tensor, and pictures as tensors and back.
import { elementType, sizeOf } from './arrays.mjs';
import { pixelsOf } from './picture.mjs';
import { Tensor as Values } from './tensor.mjs';

// ---- types

const NAMES = { float32: 'float', float64: 'double' }; // ONNX's, where they differ
const OTHERS = Object.fromEntries(Object.entries(NAMES).map(([name, onnx]) => [onnx, name]));
const halves = globalThis.Float16Array ?? Uint16Array;
const ARRAYS = { float32: Float32Array, float64: Float64Array, float16: halves, int8: Int8Array, uint8: Uint8Array, int16: Int16Array,
  uint16: Uint16Array, int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array, bool: Uint8Array, int4: Int8Array,
  uint4: Uint8Array };

// The names of a type in ONNX and here.
export const onnxName = name => NAMES[name] ?? name;
export const nameOf = onnx => OTHERS[onnx] ?? onnx;

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
  if (Array.isArray(data) && !['boolean', 'string'].includes(typeof data[0]))
    throw new TypeError(`Invalid element type of data array: ${typeof data[0]}.`);
  const type = Array.isArray(data) && typeof data[0] === 'boolean' ? 'bool' : elementType(data);
  if (!type)
    throw new TypeError(`Unsupported type for tensor data: ${data?.constructor?.name ?? data}.`);
  return nameOf(type);
}

// ---- tensors

// By a tensor's location, the property that has what its program holds there.
const HELD = { texture: 'texture', 'gpu-buffer': 'gpuBuffer', 'ml-tensor': 'mlTensor' };

// What the arguments (type, data, dims), (data, dims) or ({ location, type, dims, .. }) say of a tensor.
function described(given) {
  const [first, ...rest] = given;
  if (typeof first === 'string')
    return { location: 'cpu', type: first, data: dataFor(first, rest[0]), dims: rest[1] };
  if (first?.location === undefined) {
    const type = typeFor(first);
    return { location: 'cpu', type, data: dataFor(type, first), dims: rest[0] };
  }
  if (first.location === 'cpu-pinned')
    return { ...first, data: dataFor(first.type, first.data) };
  if (!(first.location in HELD))
    throw new Error(`Tensor constructor: unsupported location '${first.location}'`);
  return { ...first, data: undefined };
}

export class Tensor {
  constructor(...given) {
    const made = described(given), { type, data, dims = [data.length] } = made;
    this.type = type;
    this.dims = [...dims];
    this.dataLocation = made.location;
    this.cpuData = data;
    this.held = made[HELD[made.location]];
    this.downloader = made.download;
    this.disposer = made.dispose;
    if (this.dims.some(d => !Number.isSafeInteger(d) || d < 0))
      throw new (this.dims.some(d => !Number.isSafeInteger(d)) ? TypeError : RangeError)(`dims [${this.dims}] must be integers, 0 or more`);
    if (data && sizeOf(this.dims) !== data.length)
      throw new Error(`Tensor's size(${sizeOf(this.dims)}) does not match data length(${data.length}).`);
  }

  // source is ImageData, an image element, an ImageBitmap or an address.
  static async fromImage(source, options = {}) {
    const picture = typeof source === 'string' ? await (await fetch(source)).blob() : source;
    const pixels = placed(await pixelsOf(picture), options), { width, height } = pixels, n = width * height;
    const isElement = typeof HTMLImageElement === 'function' && source instanceof HTMLImageElement;
    const samples = pixels.data.length / n, order = orderOf(options.tensorFormat ?? (isElement ? 'RGBA' : 'RGB'));
    const type = options.dataType ?? 'float32', mean = normal(options.norm?.mean, 255), bias = normal(options.norm?.bias, 0);
    const data = new ARRAYS[type](n * order.length), last = options.tensorLayout === 'NHWC';
    for (let i = 0; i < n; i++)
      order.forEach((sample, c) => {
        const value = sample < samples ? pixels.data[i * samples + sample] : 255;
        data[last ? i * order.length + c : c * n + i] = type === 'uint8' ? value : (value + bias[sample]) / mean[sample];
      });
    return new Tensor(type, data, last ? [1, height, width, order.length] : [1, order.length, height, width]);
  }

  static fromPinnedBuffer(type, data, dims) {
    return new Tensor({ location: 'cpu-pinned', type, data, dims });
  }

  static fromTexture(texture, { width, height, ...more }) {
    return new Tensor({ ...more, location: 'texture', type: 'float32', texture, dims: [1, height, width, 4] });
  }

  static fromGpuBuffer(gpuBuffer, { dataType = 'float32', ...more }) {
    return new Tensor({ ...more, location: 'gpu-buffer', type: dataType, gpuBuffer });
  }

  static fromMLTensor(mlTensor, { dataType = 'float32', ...more }) {
    return new Tensor({ ...more, location: 'ml-tensor', type: dataType, mlTensor });
  }

  get data() {
    this.#expectKept();
    if (!this.cpuData)
      throw new Error('The data is not on CPU. Use `getData()` to download it.');
    return this.cpuData;
  }

  get location() {
    return this.dataLocation;
  }

  get size() {
    return sizeOf(this.dims);
  }

  get texture() {
    return this.#heldIn('texture', 'WebGL texture');
  }

  get gpuBuffer() {
    return this.#heldIn('gpu-buffer', 'WebGPU buffer');
  }

  get mlTensor() {
    return this.#heldIn('ml-tensor', 'WebNN MLTensor');
  }

  #heldIn(location, what) {
    this.#expectKept();
    if (this.dataLocation !== location)
      throw new Error(`The data is not stored as a ${what}.`);
    return this.held;
  }

  #expectKept() {
    if (this.dataLocation === 'none')
      throw new Error('The tensor is disposed.');
  }

  // What is elsewhere comes by the function `download` that the tensor was made with. releaseData has it disposed of there.
  async getData(releaseData = false) {
    if (this.cpuData || this.dataLocation === 'none')
      return this.data;
    if (!this.downloader)
      throw new Error('The current tensor is not created with a specified data downloader.');
    const data = await this.downloader();
    [this.dataLocation, this.cpuData, this.held, this.downloader] = ['cpu', data];
    if (releaseData)
      this.#disposeElsewhere();
    return data;
  }

  #disposeElsewhere() {
    const { disposer } = this;
    this.disposer = undefined;
    disposer?.();
  }

  dispose() {
    this.#disposeElsewhere();
    [this.dataLocation, this.cpuData, this.held, this.downloader] = ['none'];
  }

  reshape(dims) {
    this.#expectKept();
    if (this.downloader || this.disposer)
      throw new Error('Cannot reshape a tensor that owns GPU resource.');
    return new Tensor(this.type, this.data, dims);
  }

  // A byte of a pixel is (element - bias) * mean.
  toImageData({ format = 'RGB', norm, tensorLayout = 'NCHW' } = {}) {
    const { data, dims } = this, last = tensorLayout === 'NHWC', channels = dims.length < 3 ? 1 : dims.at(last ? -1 : -3);
    const mean = normal(norm?.mean, 255), bias = normal(norm?.bias, 0), n = data.length / channels, bytes = new Float32Array(data.length);
    const named = orderOf(format), order = named.length === channels ? named : [0, 1, 2, 3];
    const at = (i, c) => last ? i * channels + c : Math.floor(i / area) * area * channels + c * area + i % area;
    const area = last || dims.length < 3 ? n : dims.at(-1) * dims.at(-2);
    for (let i = 0; i < n; i++)
      for (let c = 0; c < channels; c++)
        bytes[at(i, order[c])] = (Number(data[at(i, c)]) - bias[order[c]]) * mean[order[c]];
    return new Values(bytes, dims).toImageData({ least: 0, greatest: 255, layout: tensorLayout.toLowerCase() });
  }

  toDataURL(options) {
    const image = this.toImageData(options), canvas = document.createElement('canvas');
    Object.assign(canvas, { width: image.width, height: image.height });
    canvas.getContext('2d').putImageData(image, 0, 0);
    return canvas.toDataURL();
  }
}

// A tensor of the package's front, or a sequence of them, as tensors here.
export const ofValue = value => Array.isArray(value) ? value.map(ofValue)
  : value instanceof Values ? new Tensor(nameOf(value.type), value.data, value.dims) : value;

// ---- pictures

const FORMATS = { RGB: [0, 1, 2], RGBA: [0, 1, 2, 3], BGR: [2, 1, 0], RBG: [0, 2, 1], BGRA: [2, 1, 0, 3] }; // samples of a pixel, in order

function orderOf(format) {
  if (!FORMATS[format])
    throw new Error(`Unsupported tensor format: ${format}`);
  return FORMATS[format];
}

// The numbers (mean, bias) of red, green, blue and alpha, from those of options: one number or a list.
const normal = (given, fallback) => given === undefined ? [fallback, fallback, fallback, fallback]
  : typeof given === 'number' ? [given, given, given, given] : [...given, ...[fallback, fallback, fallback, fallback].slice(given.length)];

// ONNX Runtime resizes nothing: the picture lies in the upper left corner of resizedWidth x resizedHeight pixels, of which the others are 0.
function placed(pixels, { resizedWidth, resizedHeight }) {
  if (resizedWidth === undefined || resizedHeight === undefined)
    return pixels;
  const { width, height, data } = pixels, samples = data.length / (width * height), rows = Math.min(height, resizedHeight);
  const result = new Uint8Array(resizedWidth * resizedHeight * samples), taken = Math.min(width, resizedWidth) * samples;
  for (let y = 0; y < rows; y++)
    result.set(data.subarray(y * width * samples, y * width * samples + taken), y * resizedWidth * samples);
  return { width: resizedWidth, height: resizedHeight, data: result };
}
