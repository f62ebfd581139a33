// SPDX-License-Identifier: Apache-2.0
// npy.mjs - arrays as NumPy's files, for comparisons with the command.

const TYPES = {
  float: ['<f4', Float32Array], double: ['<f8', Float64Array], int8: ['|i1', Int8Array], uint8: ['|u1', Uint8Array],
  int32: ['<i4', Int32Array], int64: ['<i8', BigInt64Array], bool: ['|b1', Uint8Array],
};

// Returns the bytes of a file that holds a tensor { type, dims, data }.
export function toNpy({ type, dims, data }) {
  const shape = dims.join(', ') + (dims.length === 1 ? ',' : '');
  const head = `{'descr': '${TYPES[type][0]}', 'fortran_order': False, 'shape': (${shape}), }`;
  const padded = head.padEnd(117) + '\n';
  return Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), Buffer.of(padded.length & 255, padded.length >> 8),
    Buffer.from(padded), Buffer.from(data.buffer, data.byteOffset, data.byteLength)]);
}

// Returns the tensor that a file holds.
export function fromNpy(bytes) {
  const begin = 10 + bytes.readUInt16LE(8), head = bytes.toString('latin1', 10, begin);
  const [type, [, Kind]] = Object.entries(TYPES).find(([, [descr]]) => head.includes(`'${descr}'`));
  const dims = /'shape': *\(([^)]*)\)/.exec(head)[1].split(',').filter(dim => dim.trim()).map(Number);
  return { type, dims, data: new Kind(Uint8Array.from(bytes.subarray(begin)).buffer) };
}
