// SPDX-License-Identifier: Apache-2.0
// picture.mjs - pixels of what a page, or a script, has as a picture.
import { whole } from './arrays.mjs';
import { OcellusError, named } from './error.mjs';

const isA = (value, name) => typeof globalThis[name] === 'function' && value instanceof globalThis[name];

// Is it something that pixelsOf takes, and no tensor?
export const isPicture = value => Boolean(value) && !value.dims && (value instanceof Picture || isPixels(value) || ['ImageBitmap', 'HTMLImageElement',
  'HTMLCanvasElement', 'OffscreenCanvas', 'HTMLVideoElement', 'VideoFrame', 'Blob'].some(name => isA(value, name)));

const isPixels = value => value?.data?.BYTES_PER_ELEMENT === 1 && value.width > 0 && value.height > 0;

// A picture for an input of a model, with options of how it becomes a tensor: preset, imageResize, resize, imageMean ... as the
// command has them.
export class Picture {
  constructor(source, options = {}) {
    this.source = source;
    this.options = options;
  }
}

// Resolves to { width, height, data } with 1, 2, 3 or 4 bytes a pixel in rows without gaps: gray, with alpha, RGB, RGBA. source is
// ImageData or an object like it, an ImageBitmap, an image, canvas or video element, a VideoFrame, or a Blob or File with a picture.
export async function pixelsOf(source) {
  if (isPixels(source)) {
    const { width, height, data } = source;
    if (![1, 2, 3, 4].includes(data.length / (width * height)))
      throw new OcellusError('SHAPE', `a picture of ${width} x ${height} has ${data.length} bytes, expected 1, 2, 3 or 4 for each pixel`);
    return { width, height, data: whole(new Uint8Array(data.buffer, data.byteOffset, data.byteLength)) };
  }
  if (!isPicture(source))
    throw new OcellusError('ARGUMENT', `${named(source)} is no picture: expected ImageData, or { width, height, data }, an ImageBitmap, an image, ` +
      'canvas or video element, a VideoFrame or a Blob');
  if (typeof createImageBitmap !== 'function')
    throw new OcellusError('UNSUPPORTED', 'this host decodes no pictures: give the pixels as { width, height, data }');
  const drawable = isA(source, 'Blob') ? await decoded(source) : source;
  const width = drawable.displayWidth ?? drawable.videoWidth ?? drawable.naturalWidth ?? drawable.width;
  const height = drawable.displayHeight ?? drawable.videoHeight ?? drawable.naturalHeight ?? drawable.height;
  if (!(width > 0 && height > 0))
    throw new OcellusError('VALUE', 'the picture has no pixels: is it loaded?');
  const canvas = typeof OffscreenCanvas === 'function' ? new OffscreenCanvas(width, height)
    : Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  try {
    context.drawImage(drawable, 0, 0, width, height);
    return await pixelsOf(context.getImageData(0, 0, width, height));
  } catch (error) {
    throw new OcellusError('ARGUMENT', `the picture's pixels cannot be read: ${error.message}`); // as of another origin
  } finally {
    if (drawable !== source)
      drawable.close();
  }
}

// Resolves to what a worker gets of a picture: its pixels, or a Blob as it is, which is decoded there.
export const sendable = async source => isA(source, 'Blob') && typeof OffscreenCanvas === 'function' ? source : pixelsOf(source);

export function paint({ width, height, data }, canvas) {
  const context = canvas.getContext?.('2d');
  if (!context)
    throw new OcellusError('ARGUMENT', `${named(canvas)} has no context '2d', expected a canvas that has no other`);
  Object.assign(canvas, { width, height });
  context.putImageData(new ImageData(data, width, height), 0, 0);
}

async function decoded(blob) {
  try {
    return await createImageBitmap(blob);
  } catch {
    throw new OcellusError('FORMAT', `${blob.name ?? 'the file'}: no picture that this browser decodes`);
  }
}
