// SPDX-License-Identifier: Apache-2.0
// arrays.mjs - arrays in files of NumPy, what is in them, and pictures of them.
import { FORMATS } from '../js/npy.mjs';
import { paint } from '../js/picture.mjs';
import { Tensor } from '../js/tensor.mjs';
import { button, element, save, short } from './dom.mjs';

const ARRAYS = { float: Float32Array, double: Float64Array, int8: Int8Array, uint8: Uint8Array, bool: Uint8Array, int16: Int16Array,
  uint16: Uint16Array, int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array };
const TYPES = Object.fromEntries(Object.entries(FORMATS).map(([type, format]) => [format, type]));
const SHOWN = 12; // numbers that are printed
const MOST_PIXELS = 1 << 24, LONGEST = 1 << 14; // of a picture, and of its sides: browsers have no larger canvas

// { type, dims, data } of a file; type is undefined, and data null, where the page has no such numbers.
function readNpy(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [size, begin] = bytes[6] > 1 ? [view.getUint32(8, true), 12] : [view.getUint16(8, true), 10];
  const head = new TextDecoder().decode(bytes.subarray(begin, begin + size));
  const type = TYPES[/'descr': *'([^']*)'/.exec(head)?.[1]];
  const dims = /'shape': *\(([^)]*)\)/.exec(head)[1].split(',').filter(dim => dim.trim()).map(Number);
  const Kind = ARRAYS[type], body = bytes.slice(begin + size);
  return { type, dims, data: Kind ? new Kind(body.buffer) : null };
}

// The array as a picture, where it looks like one: floats from 0 to 1, others and those beyond from the least to the greatest of them.
function pictureOf({ type, dims, data }, { min, max }) {
  const size = dims.reduce((product, dim) => product * dim, 1);
  if (dims.slice(0, -3).some(dim => dim !== 1) || dims.filter(dim => dim > 1).length < 2 || size > 4 * MOST_PIXELS || dims.some(dim => dim > LONGEST))
    return null;
  const isFinite = typeof min === 'number' && typeof max === 'number';
  const range = type === 'uint8' || !isFinite ? {} : { least: Math.min(0, min), greatest: Math.max(1, max) };
  try {
    return new Tensor(type, data, dims).toImageData(range);
  } catch {
    return null; // it has other channels
  }
}

// What --top tells of an output that is one row: names, or numbers, of its greatest elements.
const greatest = ({ top, rows }) => rows !== 1 ? [] : [element('ol', {}, ...top[0].map(({ index, value, label }) =>
  element('li', { value: index, textContent: `${label ?? index}: ${short(value)}` })))];

// An output: what the command tells of it, and the file that it has written.
export function outputOf(told, file, bytes) {
  const { name, kind, type, shape, min, max, mean, nan } = told, read = file.endsWith('.npy') ? readNpy(bytes) : null;
  const value = read?.type === type ? read : null; // types that NumPy lacks are codes there
  const values = value?.data ? Array.from(value.data.subarray(0, SHOWN + 1)) : told.values ?? []; // JSON has no 64-bit integers
  const range = min !== null && min !== undefined ? `, least ${short(min)}, greatest ${short(max)}, mean ${short(mean)}${nan ? `, ${nan} NaN` : ''}` : '';
  const box = element('article', {}, element('h3', { textContent: name }),
    element('p', { className: 'soft', textContent: kind === 'tensor' ? `${type}[${shape.join(', ')}]${range}` : kind }),
    element('code', { textContent: values.slice(0, SHOWN).map(v => short(v)).join(', ') + (values.length > SHOWN ? ', ...' : '') }),
    ...greatest(told));
  const picture = value?.data?.length ? pictureOf(value, told) : null;
  if (picture) {
    const canvas = element('canvas', { role: 'img', 'aria-label': `output ${name} as a picture` });
    paint(picture, canvas);
    box.append(canvas, button('Save .png', () => canvas.toBlob(blob => save(`${name}.png`, blob))));
  }
  box.append(button(`Save ${/\.[^.]*$/.exec(file)[0]}`, () => save(`${name.replace(/[^\w.-]/g, '_')}${/\.[^.]*$/.exec(file)[0]}`, bytes)));
  return box;
}
