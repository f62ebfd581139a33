// SPDX-License-Identifier: Apache-2.0
// page.mjs - compares engines in a page on the network of the address /job, and posts what turns.mjs finds.
import { compare } from './turns.mjs';

async function load(file) {
  const response = await fetch(file);
  if (!response.ok)
    throw new Error(`${file}: the server answers ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

async function comparison() {
  const { network, engines, rounds, seed } = await (await fetch('/job')).json();
  return compare(network, engines, { rounds, seed, load });
}

const result = await comparison().catch(error => ({ error: `${error.message ?? error}` }));
await fetch('/result', { method: 'POST', body: JSON.stringify(result) });
