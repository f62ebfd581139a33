// SPDX-License-Identifier: Apache-2.0
// arrays.mjs - what typed arrays hold, parts of them, and parts that become one.
const TYPES = { Float32Array: 'float', Float64Array: 'double', Float16Array: 'float16', BigInt64Array: 'int64', BigUint64Array: 'uint64',
  Int8Array: 'int8', Uint8Array: 'uint8', Uint8ClampedArray: 'uint8', Int16Array: 'int16', Uint16Array: 'uint16', Int32Array: 'int32',
  Uint32Array: 'uint32' };

// The type that ONNX gives the elements of an array, 'string' for an array of texts; undefined for what is no such array.
export const elementType = data => Array.isArray(data) ? 'string' : TYPES[data?.constructor.name];

// How many elements dims have.
export const sizeOf = dims => dims.reduce((a, b) => a * b, 1);

// A view of a part of a buffer would be sent with all of the buffer: a copy of the part is returned.
export const whole = data =>
  ArrayBuffer.isView(data) && data.byteLength !== data.buffer.byteLength
    ? data instanceof Uint8Array ? Uint8Array.prototype.slice.call(data) : data.slice() : data; // Node's Buffer slices as subarray does

// Arrays of bytes, one behind the other.
export function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((end, part) => (all.set(part, end), end + part.length), 0);
  return all;
}
