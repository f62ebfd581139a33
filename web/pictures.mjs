// SPDX-License-Identifier: Apache-2.0
// pictures.mjs - pictures as red, green and blue, as the page gives them to networks and to the command, which then have equal bits.
import { pixelsOf } from '../js/picture.mjs';
import { pathOf, stemOf } from './lines.mjs';

export const isPnm = name => /\.(ppm|pgm|pnm)$/i.test(name);

// What stands before the samples of a file of 8 bits: a kind, width, height and the greatest sample, with blanks and comments between.
const GAP = '(?:\\s|#[^\\n]*\\n)+', PNM = new RegExp(`^(P[56])${GAP}(\\d+)${GAP}(\\d+)${GAP}255\\s`), LONGEST_HEAD = 4096;

// PGM and PPM, which browsers do not decode.
function ofPnm(name, bytes) {
  const head = PNM.exec(new TextDecoder('latin1').decode(bytes.subarray(0, LONGEST_HEAD)));
  const [width, height, channels] = [Number(head?.[2]), Number(head?.[3]), head?.[1] === 'P5' ? 1 : 3];
  const samples = bytes.subarray(head?.[0].length, (head?.[0].length ?? 0) + width * height * channels);
  if (!head || samples.length !== width * height * channels)
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
  return { label, path: `${pathOf(stemOf(label))}.ppm`, width, height, data: rgb };
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
