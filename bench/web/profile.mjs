// SPDX-License-Identifier: Apache-2.0
// profile.mjs JOB ENGINE RUNS [MODULE] - tells which functions a network's time is spent in, by Node's profiler.
//
// JOB is a job of node.mjs, ENGINE the name of one of its engines, MODULE a module to take in place of the engine's, as one whose
// functions have names. Prints the milliseconds of a run, and of its functions' own time, the most first.
import { readFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';

import { open } from './engines.mjs';
import { readInputs } from './turns.mjs';

const SHOWN = 25, SPACING_US = 200, WARM_MS = 2000;

const [path, name, runs, module] = process.argv.slice(2), { network, engines } = JSON.parse(await readFile(path, 'utf8'));
const load = async file => new Uint8Array(await readFile(file));
const engine = engines.find(engine => engine.name === name);
if (module)
  engine.files.module = module;
const opened = await open(engine, load);
const held = await opened.create(await load(engine.model ?? network.model), await readInputs(network.inputs, load));

// Returns the microseconds of each function's own time in a profile, by its name.
function ownTimes({ nodes, samples, timeDeltas }) {
  const names = new Map(nodes.map(({ id, callFrame: { functionName, url } }) =>
    [id, url.startsWith('wasm') ? functionName : `${functionName} (script)`]));
  const times = new Map();
  samples.forEach((id, i) => times.set(names.get(id), (times.get(names.get(id)) ?? 0) + timeDeltas[i]));
  return [...times].sort((a, b) => b[1] - a[1]);
}

for (const start = performance.now(); performance.now() - start < WARM_MS;) {
  await held.run();
  await new Promise(resolve => setTimeout(resolve, 1)); // the compiler's results arrive between tasks
}
const profiler = new Session();
profiler.connect();
await profiler.post('Profiler.enable');
await profiler.post('Profiler.setSamplingInterval', { interval: SPACING_US });
await profiler.post('Profiler.start');
const start = performance.now();
for (let i = 0; i < runs; i++)
  await held.run();
const ms = (performance.now() - start) / runs, times = ownTimes((await profiler.post('Profiler.stop')).profile);
console.log(`${network.name}: ${ms.toFixed(3)} ms a run`);
const all = times.reduce((sum, [, us]) => sum + us, 0);
for (const [name, us] of times.slice(0, SHOWN))
  console.log(`${(us / 1000 / runs).toFixed(3).padStart(10)} ms ${(100 * us / all).toFixed(1).padStart(5)} %  ${name}`);
