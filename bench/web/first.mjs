// SPDX-License-Identifier: Apache-2.0
// first.mjs - what ./dev bench first measures in a page: each function takes an engine (first_ocellus.mjs, first_onnxruntime.mjs) and
// a job, { model, inputs: { NAME: dims } .. } with the network's address, and resolves to its figures. report() posts them.

const BATCH = 20; // runs between two looks at the clock, which tells 5 microseconds
const PATIENCE = 3000; // milliseconds until a browser has given back what it keeps for a while

// The same numbers for each engine, from -2 to 2.
function tensorsOf(engine, inputs) {
  const numbers = dims => {
    const data = new Float32Array(dims.reduce((a, b) => a * b, 1));
    for (let i = 0, state = 1; i < data.length; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      data[i] = state / 2 ** 30 - 2;
    }
    return data;
  };
  return Object.fromEntries(Object.entries(inputs).map(([name, dims]) => [name, engine.tensor(numbers(dims), dims)]));
}

const meansOf = outputs => Object.fromEntries(Object.entries(outputs).map(([name, { data }]) =>
  [name, data.reduce((sum, x) => sum + Math.abs(Number(x)), 0) / data.length]));

// Milliseconds from the page's navigation to the first result, and means of its outputs.
export async function first(engine, { model, inputs }) {
  const network = await engine.load(model), session = await network.session();
  const outputs = await session.run(tensorsOf(engine, inputs)), ms = performance.now();
  return { ms, means: meansOf(outputs) };
}

// Bytes of memory that the page's process takes, without what it could give back.
async function memory() {
  for (let i = 0; i < 3; i++) {
    gc();
    await new Promise(resolve => { setTimeout(resolve, PATIENCE / 3); });
  }
  return Number(await (await fetch('/memory', { cache: 'no-store' })).text());
}

// Memory before a network is loaded, with a session that has run, and when all is freed, twice.
export async function held(engine, { model, inputs }) {
  const tensors = tensorsOf(engine, inputs), bytes = [await memory()];
  for (let i = 0; i < 2; i++) {
    const network = await engine.load(model), session = await network.session();
    await session.run(engine.fed(tensors));
    bytes.push(await memory());
    await session.free();
    await network.free();
    bytes.push(await memory());
  }
  return { bytes };
}

// Memory after each of `rounds` times `count` sessions that were made, run and freed, and the milliseconds of one.
export async function sessions(engine, { model, inputs, count, rounds }) {
  const tensors = tensorsOf(engine, inputs), network = await engine.load(new Uint8Array(await (await fetch(model)).arrayBuffer()));
  const bytes = [], ms = [];
  const many = async n => {
    for (let i = 0; i < n; i++) {
      const session = await network.session();
      await session.run(engine.fed(tensors));
      await session.free();
    }
  };
  await many(Math.ceil(count / 10));
  bytes.push(await memory());
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    await many(count);
    ms.push((performance.now() - start) / count);
    bytes.push(await memory());
  }
  return { bytes, ms };
}

// Microseconds of a run, one for each batch of `count` runs altogether, in a worker or in this thread.
export async function overhead(engine, { model, inputs, count, apart }) {
  const tensors = tensorsOf(engine, inputs), session = await (await engine.load(model, { apart })).session(), us = [];
  const many = async n => {
    for (let i = 0; i < n; i++)
      await session.run(engine.fed(tensors));
  };
  await many(count / 4);
  for (let i = 0; i < count; i += BATCH) {
    const start = performance.now();
    await many(BATCH);
    us.push((performance.now() - start) * 1000 / BATCH);
  }
  return { us };
}

// The server tells whether the page is to be visited again.
export async function report(found) {
  const result = await found.catch(error => ({ error: `${error.message ?? error}` }));
  const answer = await fetch('/result', { method: 'POST', body: JSON.stringify(result) });
  if (await answer.text() === 'again')
    location.href = `/?${Date.now()}`;
}
