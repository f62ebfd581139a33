// npy.js - arrays in NumPy's files, and pictures of them.
'use strict';

const npyTypes = {
  '<f4': Float32Array, '<f8': Float64Array, '|i1': Int8Array, '|u1': Uint8Array, '<i2': Int16Array, '<u2': Uint16Array,
  '<i4': Int32Array, '<u4': Uint32Array, '<i8': BigInt64Array, '<u8': BigUint64Array, '|b1': Uint8Array,
};

// {type, shape, data}; data is null where the page has no numbers of that type.
function readNpy(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wide = bytes[6] > 1, size = wide ? view.getUint32(8, true) : view.getUint16(8, true), begin = wide ? 12 : 10;
  const head = new TextDecoder().decode(bytes.subarray(begin, begin + size));
  const type = /'descr': *'([^']*)'/.exec(head)?.[1] ?? 'record';
  const shape = /'shape': *\(([^)]*)\)/.exec(head)[1].split(',').filter(s => s.trim()).map(Number);
  const Kind = npyTypes[type], body = bytes.slice(begin + size);
  return {type, shape, data: Kind ? new Kind(body.buffer, 0, shape.reduce((a, b) => a * b, 1)) : null};
}

function writeNpy(type, shape, data) {
  const dims = shape.join(', ') + (shape.length === 1 ? ',' : '');
  let head = `{'descr': '${type}', 'fortran_order': False, 'shape': (${dims}), }`;
  head += ' '.repeat(63 - (head.length + 10) % 64) + '\n';
  const bytes = new Uint8Array(10 + head.length + data.byteLength);
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, head.length & 255, head.length >> 8]);
  bytes.set(new TextEncoder().encode(head), 10);
  bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), 10 + head.length);
  return bytes;
}

// The places of height, width and channels among the axes of what looks like one picture; null: it does not.
function pictureAxes(shape) {
  const n = shape.length, isCount = c => c === 1 || c === 3 || c === 4;
  if (shape.slice(0, Math.max(0, n - 3)).some(d => d !== 1) || n < 2)
    return null;
  if (n === 2)
    return shape[0] > 1 && shape[1] > 1 ? {h: 0, w: 1, c: -1} : null;
  if (isCount(shape[n - 3]) && shape[n - 2] > 1 && shape[n - 1] > 1)
    return {h: n - 2, w: n - 1, c: n - 3};
  if (isCount(shape[n - 1]) && shape[n - 3] > 1 && shape[n - 2] > 1)
    return {h: n - 3, w: n - 2, c: n - 1};
  return null;
}

// A picture of the array, as the command makes one: floats from 0 to 1, other numbers from 0 to 255.
function paint({type, shape, data}, canvas) {
  const at = data && pictureAxes(shape);
  if (!at)
    return false;
  const step = axis => shape.slice(axis + 1).reduce((a, b) => a * b, 1);
  const height = shape[at.h], width = shape[at.w], channels = at.c < 0 ? 1 : shape[at.c];
  const [sy, sx, sc] = [step(at.h), step(at.w), at.c < 0 ? 0 : step(at.c)];
  const scale = type === '<f4' || type === '<f8' ? 255 : type === '|b1' ? 255 : 1;
  const image = new ImageData(width, height);
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i += 4)
      for (let c = 0; c < 4; c++) {
        const from = c === 3 ? (channels === 4 ? 3 : -1) : channels >= 3 ? c : 0;
        image.data[i + c] = from < 0 ? 255 : scale * Number(data[y * sy + x * sx + from * sc]); // rounds and clamps
      }
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d').putImageData(image, 0, 0);
  return true;
}

// What a browser decodes, as the bytes of a PNM file, which the command reads.
async function toPnm(file) {
  const bitmap = await createImageBitmap(file, {premultiplyAlpha: 'none', colorSpaceConversion: 'none'});
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height), context = canvas.getContext('2d');
  context.drawImage(bitmap, 0, 0);
  return pnmOf(context.getImageData(0, 0, bitmap.width, bitmap.height));
}

function pnmOf({width, height, data}) {
  const head = new TextEncoder().encode(`P6 ${width} ${height} 255\n`);
  const bytes = new Uint8Array(head.length + 3 * width * height);
  bytes.set(head);
  for (let i = 0, o = head.length; i < data.length; i += 4, o += 3)
    bytes.set(data.subarray(i, i + 3), o);
  return bytes;
}
