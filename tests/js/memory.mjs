// SPDX-License-Identifier: Apache-2.0
// memory.mjs PACKAGE [SESSIONS] - a session that is freed gives its memory back: in Node, the process does not go on growing while many
// sessions (1,000), each of which has 16 MB of values, are made, run and freed. Of ROUNDS that share them, one at least grows by less than
// 5 MB: what an engine keeps for later comes and goes, what is lost is lost in each.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const MOST = 5e6, BEFORE = 100, ROUNDS = 4;
const [front, count = '1000'] = process.argv.slice(2);
const { Model, Tensor } = await import(pathToFileURL(resolve(front)));
const model = await Model.load(new TextEncoder().encode('<ir_version: 9, opset_import: ["" : 20]> g (int64[1] n) => (float s) {' +
  ' v = ConstantOfShape (n)  s = ReduceSum <keepdims = 0> (v) }'));

// Returns how many bytes the process has grown by.
async function grow(sessions) {
  const before = process.memoryUsage.rss();
  for (let i = 0; i < sessions; i++) {
    const session = model.session(), { s } = await session.run({ n: new Tensor(BigInt64Array.of(4n << 20n)) });
    session.free();
    if (s.data[0] !== 0)
      throw new Error(`the sum is ${s.data[0]}, expected 0`);
  }
  return process.memoryUsage.rss() - before;
}

await grow(BEFORE);
const start = performance.now(), grown = [];
for (let i = 0; i < ROUNDS; i++)
  grown.push(await grow(+count / ROUNDS));
const ms = (performance.now() - start) / +count, isKept = Math.min(...grown) >= MOST;
model.free();
console.log(`${count} sessions: ${grown.map(bytes => (bytes / 1e6).toFixed(1)).join(' + ')} MB more, ${ms.toFixed(1)} ms each`);
console.log(isKept ? `0 passed, 1 failed, 0 skipped: expected less than ${MOST / 1e6} MB in a round` : '1 passed, 0 failed, 0 skipped');
process.exitCode = isKept ? 1 : 0;
