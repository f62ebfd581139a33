// SPDX-License-Identifier: Apache-2.0
// npy.mjs - tensors as files of NumPy.
import { joined, sizeOf } from './arrays.mjs';
import { OcellusError } from './error.mjs';
import { typeOf } from './tensor.mjs';

// NumPy's names of element types.
export const FORMATS = { float: '<f4', double: '<f8', float16: '<f2', int8: '|i1', uint8: '|u1', int16: '<i2', uint16: '<u2', int32: '<i4',
  uint32: '<u4', int64: '<i8', uint64: '<u8', bool: '|b1', complex64: '<c8', complex128: '<c16' };
const encoder = new TextEncoder();

// A file of an input, as { type, dims, data } or with less than that, as sessions take it.
export function toNpy(name, { data, type = typeOf(data), dims = [data.length] }) {
  const format = FORMATS[type];
  if (!format)
    throw new OcellusError('TYPE', `input '${name}': files of NumPy have no ${type}`);
  const size = sizeOf(dims) * Number(format.slice(2));
  if (size !== data.byteLength)
    throw new OcellusError('SHAPE', `input '${name}': [${dims}] of ${type} takes ${size} bytes, ${data.byteLength} are given`);
  const head = `{'descr': '${format}', 'fortran_order': False, 'shape': (${dims.join(', ')}${dims.length === 1 ? ',' : ''}), }`;
  const begin = encoder.encode(`      \x01\0  ${head}${' '.repeat(63 - (head.length + 10) % 64)}\n`);
  begin.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]);
  new DataView(begin.buffer).setUint16(8, begin.length - 10, true);
  return joined([begin, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)]);
}
