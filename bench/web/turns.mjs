// SPDX-License-Identifier: Apache-2.0
// turns.mjs - times a network in several engines of one process, which take turns; in Node and in a page.
//
//   compare(network, engines, { rounds, seed, load }) resolves to
//   { name, engines: { ENGINE: { version, ms, warm, first_ms, difference } or { error } } }
//
// network is { name, model, inputs }: model is a file, inputs are { NAME: { type, dims, file } } with the file's bytes as data.
// engines are those of engines.mjs, each with a name; one may have a model of its own. load(file) resolves to a Uint8Array.
//
// ms has the time of a run in milliseconds for each sample, warm is how many runs came before the first sample; first_ms is the time
// from opening the engine to the first result, for which its script and module are read and compiled; difference is how far the
// outputs are from the last engine's: the largest difference of two elements, divided by the largest magnitude in that output; null
// where the outputs have other names.
import { open } from './engines.mjs';

const SAMPLE_MS = 2; // the least time of a sample, which may be of several runs
const TURN_MS = 30; // the least time of an engine's samples in a round
const WARM_MS = 150, STEADY = 0.03, MOST_WARM_MS = 8000; // what warm says
const LONG_MS = 1000, LONG_ROUNDS = 3; // an engine whose run takes longer has fewer rounds
const BUSY_MS = 300; // an engine whose run takes longer has no untimed run in its turn
const clock = () => performance.now();

const TYPED = { float: Float32Array, double: Float64Array, int8: Int8Array, uint8: Uint8Array, bool: Uint8Array, int32: Int32Array,
  int64: BigInt64Array, float16: Uint16Array };

export async function readInputs(inputs, load) {
  const read = {};
  for (const [name, { type, dims, file }] of Object.entries(inputs))
    read[name] = { type, dims, data: new TYPED[type](new Uint8Array(await load(file)).buffer) };
  return read;
}

// Returns milliseconds of a run, on average of count runs.
async function timeOf(held, count) {
  const start = clock();
  for (let i = 0; i < count; i++)
    await held.run();
  return (clock() - start) / count;
}

// Runs until the engine has compiled what the network needs: until the least times of two batches in turn are no better than the
// least one before, by STEADY. A batch takes WARM_MS and has three runs or more.
async function warm(held) {
  let least = Infinity, steady = 0, runs = 0;
  for (const start = clock(); steady < 2 && clock() - start < MOST_WARM_MS;) {
    let best = Infinity, n = 0;
    for (const begin = clock(); n < (best > LONG_MS ? 1 : 3) || clock() - begin < WARM_MS; n++)
      best = Math.min(best, await timeOf(held, 1));
    steady = best > least * (1 - STEADY) ? steady + 1 : 0;
    least = Math.min(least, best);
    runs += n;
    await new Promise(resolve => setTimeout(resolve, 20)); // the compiler's results arrive between tasks
  }
  return { least, runs };
}

async function prepare(engine, bytes, inputs, load) {
  const own = engine.model ? await load(engine.model) : bytes, start = clock();
  const opened = await open(engine, load), held = await opened.create(own, inputs);
  await held.run();
  const first_ms = clock() - start, { least, runs } = await warm(held);
  const group = Math.max(1, Math.ceil(SAMPLE_MS / least));
  return { name: engine.name, held, group, samples: Math.max(1, Math.ceil(TURN_MS / (least * group))), least, outputs: await held.run(),
    told: { ms: [], warm: runs, first_ms, version: opened.version } };
}

async function turn({ held, group, samples, least, told }) {
  if (least < BUSY_MS)
    await held.run(); // caches are its own again
  for (let i = 0; i < samples; i++)
    told.ms.push(await timeOf(held, group));
}

function* shuffles(list, seed) {
  for (let state = seed;;) {
    const order = [...list];
    for (let i = order.length - 1; i > 0; i--) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const j = Math.floor(state / 2 ** 32 * (i + 1));
      [order[i], order[j]] = [order[j], order[i]];
    }
    yield order;
  }
}

function differenceOf(outputs, expected) {
  if (Object.keys(outputs).sort().join() !== Object.keys(expected).sort().join())
    return null;
  let worst = 0;
  for (const [name, { data }] of Object.entries(expected)) {
    const other = outputs[name].data;
    let magnitude = 0, difference = other.length === data.length ? 0 : Infinity;
    for (let i = 0; i < data.length; i++) {
      magnitude = Math.max(magnitude, Math.abs(Number(data[i])));
      difference = Math.max(difference, Math.abs(Number(data[i]) - Number(other[i])));
    }
    worst = Math.max(worst, difference / (magnitude || 1));
  }
  return worst;
}

export async function compare(network, engines, { rounds, seed, load }) {
  const bytes = await load(network.model), inputs = await readInputs(network.inputs, load);
  const result = { name: network.name, engines: {} }, players = [];
  for (const engine of engines) {
    try {
      players.push(await prepare(engine, bytes, inputs, load));
      result.engines[engine.name] = players.at(-1).told;
    } catch (error) {
      result.engines[engine.name] = { error: `${error.message ?? error}` };
    }
  }
  for (const player of players)
    player.told.difference = differenceOf(player.outputs, players.at(-1).outputs);
  const orders = shuffles(players, seed);
  for (let round = 0; round < rounds; round++)
    for (const player of orders.next().value.filter(player => player.least < LONG_MS || round < LONG_ROUNDS))
      await turn(player);
  return result;
}

// What a page (tests/web/served.mjs) answers to a job of node.mjs.
export const answer = ({ network, engines, rounds, seed }, load) => compare(network, engines, { rounds, seed, load });
