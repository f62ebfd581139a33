// SPDX-License-Identifier: Apache-2.0
// programs.mjs - programs of npm that are written for onnxruntime-web and onnxruntime-node find what they find over these:
// node --import ocellus/register programs.mjs PAGE, in the folder where they are installed. PAGE is examples/ocr/page.png. What is
// expected was found over onnxruntime-node 1.30 and onnxruntime-web 1.30.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import Ocr from '@gutenye/ocr-node';
import * as node from 'onnxruntime-node';
import * as web from 'onnxruntime-web/webgpu';

const [page] = process.argv.slice(2), require = createRequire(import.meta.url);
const { Model, OcellusError } = await import('ocellus');

// A voice that says a word of gliding vowels in the second and in the fourth of 5 seconds: pulses of a falling pitch, less their high
// sounds, through four resonances.
function voice(rate = 16000) {
  const vowels = [[730, 1090, 2440, 3400], [270, 2290, 3010, 3600], [300, 870, 2240, 3300], [530, 1840, 2480, 3500]], widths = [80, 100, 140, 200];
  const samples = new Float32Array(5 * rate), last = new Float64Array(4), before = new Float64Array(4);
  let phase = 0, source = 0;
  for (let i = 0; i < samples.length; i++) {
    const second = Math.floor(i / rate), part = i / rate - second, from = Math.floor(4 * part), glide = 4 * part - from;
    phase += (150 - 40 * part) / rate;
    source = 0.9 * source + Math.floor(phase);
    phase %= 1;
    let sound = second % 2 ? source * Math.sin(Math.PI * part) * (0.6 + 0.4 * Math.cos(8 * Math.PI * part)) : 0;
    for (let k = 0; k < 4; k++) {
      const frequency = vowels[from][k] * (1 - glide) + vowels[(from + 1) % 4][k] * glide, radius = Math.exp(-Math.PI * widths[k] / rate);
      const turn = 2 * radius * Math.cos(2 * Math.PI * frequency / rate);
      sound = (1 - turn + radius * radius) * sound + turn * last[k] - radius * radius * before[k];
      [before[k], last[k]] = [last[k], sound];
    }
    samples[i] = sound;
  }
  return samples;
}

const tests = {
  async both_names_are_ocellus() {
    assert.ok(node.InferenceSession === web.InferenceSession);
    const required = require('onnxruntime-node');
    await assert.rejects(required.InferenceSession.create(Uint8Array.of(1)), error => error.name === 'OcellusError');
    await assert.rejects(web.InferenceSession.create(Uint8Array.of(1)), OcellusError);
    assert.ok(new required.Tensor([true]).type === 'bool' && Model);
    assert.ok(require('onnxruntime-web/dist/ort.all.min.js') === required && await import('onnxruntime-web/dist/ort.min.mjs').then(m => m.env) === web.env);
  },

  async every_member_is_there() {
    const common = await import(new URL('node_modules/onnxruntime-node/dist/esm/index.js', import.meta.url)); // it has onnxruntime-common's place
    const { Tensor, InferenceSession, env, ...functions } = common, inner = ['constructor', 'ensureValid', 'length', 'name', 'prototype'];
    assert.ok(Tensor !== web.Tensor && Object.keys(functions).length >= 6);
    for (const name of Object.keys(functions))
      assert.equal(typeof web[name], typeof functions[name], name);
    for (const name of Object.keys(env))
      assert.ok(name in web.env, name);
    const text = new TextEncoder().encode('<ir_version: 9, opset_import: ["" : 20]> g (float[1] x) => (y) { y = Neg (x) }');
    const session = await web.InferenceSession.create(text);
    for (const [theirs, ours] of [[Tensor, web.Tensor], [Tensor.prototype, web.Tensor.prototype], [InferenceSession, web.InferenceSession],
      [InferenceSession.prototype, session]])
      for (const name of Object.getOwnPropertyNames(theirs).filter(n => !inner.includes(n)))
        assert.ok(name in ours, name);
    await session.release();
  },

  async speech_is_found() {
    const { NonRealTimeVAD } = require('@ricky0123/vad-web'), found = [];
    const file = require.resolve('@ricky0123/vad-web').replace(/index\.js$/, 'silero_vad_legacy.onnx');
    const vad = await NonRealTimeVAD.new({ modelURL: file, redemptionMs: 300,
      modelFetcher: async path => new Uint8Array(readFileSync(path)).buffer });
    for await (const { start, end } of vad.run(voice(), 16000))
      found.push([start, end]);
    assert.deepEqual(found, [[1056, 2304], [3072, 4320]]);
  },

  async a_page_is_read() {
    const ocr = await Ocr.create(), lines = await ocr.detect(page);
    assert.deepEqual(lines.map(({ text }) => text), ['Ocellus reads this page', 'with two small networks.', 'One finds the lines of text,',
      'the other reads each of them.', 'Same input, same bits: 2026']);
    for (const { mean, box } of lines)
      assert.ok(mean > 0.9 && box.length === 4, `${mean}`);
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests))
  await test().catch(error => {
    failed++;
    console.log(`${name}: ${error.stack}`);
  });
console.log(`${Object.keys(tests).length - failed} passed, ${failed} failed, 0 skipped`);
process.exit(failed ? 1 : 0);
