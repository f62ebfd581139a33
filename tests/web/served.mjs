// SPDX-License-Identifier: Apache-2.0
// served.mjs - works in a page on the job of the address /job, and posts what the function answer(job, load) of its script says.
async function load(file) {
  const response = await fetch(file);
  if (!response.ok)
    throw new Error(`${file}: the server answers ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

async function work() {
  const job = await (await fetch('/job')).json();
  return (await import(job.script)).answer(job, load);
}

const result = await work().catch(error => ({ error: `${error.message ?? error}` }));
await fetch('/result', { method: 'POST', body: JSON.stringify(result) });
