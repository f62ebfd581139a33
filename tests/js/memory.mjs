// SPDX-License-Identifier: Apache-2.0
// memory.mjs PACKAGE [SESSIONS] - a session that is freed gives its memory back: in Node, the process grows by less than 5 MB while many
// sessions (1,000) are made, run and freed, each of which has 16 MB of values. Sessions before that, whose memory the engine keeps for
// those that follow, do not count.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const MOST = 5e6, BEFORE = 100;
const [front, count = '1000'] = process.argv.slice(2);
const { Model, Tensor } = await import(pathToFileURL(resolve(front)));
const model = await Model.load(new TextEncoder().encode('<ir_version: 9, opset_import: ["" : 20]> g (int64[1] n) => (float s) {' +
  ' v = ConstantOfShape (n)  s = ReduceSum <keepdims = 0> (v) }'));

async function round() {
  const session = model.session(), { s } = await session.run({ n: new Tensor(BigInt64Array.of(4n << 20n)) });
  session.free();
  if (s.data[0] !== 0)
    throw new Error(`the sum is ${s.data[0]}, expected 0`);
}

const rss = () => process.memoryUsage.rss();
for (let i = 0; i < BEFORE; i++)
  await round();
const before = rss(), start = performance.now();
for (let i = 0; i < +count; i++)
  await round();
const grown = rss() - before;
model.free();
console.log(`${count} sessions: ${(grown / 1e6).toFixed(1)} MB more, ${((performance.now() - start) / +count).toFixed(1)} ms each`);
console.log(grown < MOST ? '1 passed, 0 failed, 0 skipped' : `0 passed, 1 failed: expected less than ${MOST / 1e6} MB`);
process.exitCode = grown < MOST ? 0 : 1;
