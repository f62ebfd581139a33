// SPDX-License-Identifier: Apache-2.0
// pictures.mjs - pictures as red, green and blue, as the page gives them to networks and to the command, which then have equal bits.
import { pixelsOf } from '../js/picture.mjs';
import { pathOf } from './lines.mjs';

export const isPnm = name => /\.(ppm|pgm|pnm)$/i.test(name);
const isWhite = byte => byte === 32 || (byte >= 9 && byte <= 13);

// PGM and PPM of 8 bits, which browsers do not decode: a kind, width, height and the greatest sample as texts, then the samples.
function ofPnm(name, bytes) {
  const words = [];
  let at = 0;
  while (words.length < 4 && at < bytes.length) {
    while (isWhite(bytes[at]))
      at++;
    if (bytes[at] === 35) { // a comment
      while (at < bytes.length && bytes[at] !== 10)
        at++;
      continue;
    }
    const begin = at;
    while (at < bytes.length && !isWhite(bytes[at]))
      at++;
    words.push(new TextDecoder().decode(bytes.subarray(begin, at)));
  }
  const [kind, width, height, greatest] = [words[0], ...words.slice(1).map(Number)], channels = { P5: 1, P6: 3 }[kind];
  const samples = bytes.subarray(at + 1, at + 1 + width * height * channels);
  if (!channels || greatest !== 255 || samples.length !== width * height * channels)
    throw new Error(`${name}: the page reads PGM and PPM of 8 bits, and what the browser decodes`);
  return { width, height, data: samples };
}

// { label, path, width, height, data } of a file, or of what a page has as a picture: data has 3 bytes a pixel, path is the name of the
// PNM file with these pixels.
export async function rgbOf(source, label = source.name) {
  const { width, height, data } = isPnm(label) ? ofPnm(label, new Uint8Array(await source.arrayBuffer())) : await pixelsOf(source);
  const rgb = new Uint8Array(3 * width * height), channels = data.length / (width * height);
  for (let i = 0, to = 0; i < data.length; i += channels, to += 3)
    for (let c = 0; c < 3; c++)
      rgb[to + c] = data[i + (channels < 3 ? 0 : c)];
  return { label, path: `${pathOf(label.replace(/\.[^.]*$/, ''))}.ppm`, width, height, data: rgb };
}

export function ppmOf({ width, height, data }) {
  const head = new TextEncoder().encode(`P6\n${width} ${height}\n255\n`), bytes = new Uint8Array(head.length + data.length);
  bytes.set(head);
  bytes.set(data, head.length);
  return bytes;
}

// A drawing to try a network with: hills below a sun.
export async function drawing() {
  const canvas = new OffscreenCanvas(360, 240), c = canvas.getContext('2d', { willReadFrequently: true });
  const sky = c.createLinearGradient(0, 0, 0, 240);
  sky.addColorStop(0, '#2a6fbb');
  sky.addColorStop(1, '#f0c987');
  c.fillStyle = sky;
  c.fillRect(0, 0, 360, 240);
  for (let i = 0; i < 9; i++) {
    c.fillStyle = `hsl(${150 + 9 * i} 35% ${22 + 4 * i}%)`;
    c.beginPath();
    c.moveTo(40 * i - 60, 240);
    c.lineTo(40 * i + 10, 110 + 37 * i % 70);
    c.lineTo(40 * i + 90, 240);
    c.fill();
  }
  c.fillStyle = '#fff3c4';
  c.beginPath();
  c.arc(270, 60, 26, 0, 7);
  c.fill();
  return rgbOf(canvas, 'a drawing.png');
}
