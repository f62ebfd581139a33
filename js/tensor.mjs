// SPDX-License-Identifier: Apache-2.0
// tensor.mjs - tensors as sessions take and give them.
import { elementType } from './arrays.mjs';
import { OcellusError } from './error.mjs';

const LAYOUTS = ['nchw', 'nhwc'];

// The type that ONNX gives the elements of an array; 'string' for an array of texts.
export function typeOf(data) {
  const type = elementType(data);
  if (!type)
    throw new OcellusError('TYPE', `a tensor's data are a typed array, or an array of texts, not ${data?.constructor.name ?? data}`);
  return type;
}

export class Tensor {
  // new Tensor(data, dims) or new Tensor(type, data, dims). Without dims it is a row.
  constructor(...given) {
    const [type, data, dims] = typeof given[0] === 'string' ? given : [undefined, ...given];
    this.type = type ?? typeOf(data);
    this.data = data;
    this.dims = [...dims ?? [data.length]];
  }

  // Elements are floats, or bytes, from `least` to `greatest`, which become 0 to 255: { least: 0, greatest: 1 for floats, 255 for bytes,
  // layout: 'nchw' or 'nhwc', as the dims look }. The tensor has 1, 3 or 4 channels; of a batch the first picture is taken.
  toImageData({ least = 0, greatest = this.type === 'uint8' ? 255 : 1, layout = this.#layout() } = {}) {
    const rank = this.dims.length, dims = rank === 2 ? [1, ...this.dims] : this.dims.slice(-3);
    if (rank < 2 || !LAYOUTS.includes(layout))
      throw new OcellusError('SHAPE', `[${this.dims}] in layout ${layout} is no picture: expected [.., channels, height, width] (nchw), ` +
        '[.., height, width, channels] (nhwc) or [height, width]');
    const [channels, height, width] = layout === 'nchw' || rank === 2 ? dims : [dims[2], dims[0], dims[1]];
    if (![1, 3, 4].includes(channels))
      throw new OcellusError('SHAPE', `[${this.dims}] in layout ${layout} has ${channels} channels, expected 1, 3 or 4`);
    const data = new Uint8ClampedArray(4 * width * height), factor = 255 / (greatest - least), { data: from } = this;
    const [ofPixel, ofChannel] = layout === 'nchw' || rank === 2 ? [1, width * height] : [channels, 1];
    for (let i = 0; i < width * height; i++)
      for (let c = 0; c < 4; c++)
        data[4 * i + c] = c < channels || (channels === 1 && c < 3)
          ? (Number(from[i * ofPixel + (channels === 1 ? 0 : c) * ofChannel]) - least) * factor : 255;
    return typeof ImageData === 'function' ? new ImageData(data, width, height) : { width, height, data };
  }

  #layout() {
    const [first, , last] = this.dims.slice(-3);
    return this.dims.length > 2 && ![1, 3, 4].includes(first) && [1, 3, 4].includes(last) ? 'nhwc' : 'nchw';
  }
}

// What comes from a worker is plain: tensors become Tensor again, in sequences and maps too.
export function revive(value) {
  if (Array.isArray(value))
    return value.map(revive);
  if (value instanceof Map)
    return new Map([...value].map(([key, item]) => [key, revive(item)]));
  return value?.dims ? new Tensor(value.type, value.data, value.dims) : value;
}
