// SPDX-License-Identifier: Apache-2.0
// host.mjs - what pages, Node and hosts like them do differently: workers, files, the bytes behind an address.
import { joined } from './arrays.mjs';
import { OcellusError, named } from './error.mjs';

const isNode = Boolean(globalThis.process?.versions?.node) && globalThis.process.type !== 'renderer'; // as pages of Electron have it

// Modules of Node are asked for by a name that bundlers do not see, so that they leave it as it is.
const ofNode = name => globalThis.process.getBuiltinModule?.(`node:${name}`) ?? import(/* @vite-ignore */ /* webpackIgnore: true */ `node:${name}`);

// ---- workers

// Begins a worker, by workers.given() where there is one, workers.page(), or workers.node(Worker) with Node's constructor. Resolves to
// { post(message, buffers), end(), hold(wanted) }, or to null where the host has no workers. Until hold(true) the worker does not keep
// Node's process running.
export async function startWorker(workers, { hear, fail }) {
  if (isNode) {
    const { Worker } = await ofNode('worker_threads');
    const worker = workers.node(Worker);
    worker.unref();
    worker.on('message', hear);
    worker.on('error', fail);
    worker.on('exit', code => fail(new Error(`it ended with ${code}`)));
    return { post: (message, buffers) => worker.postMessage(message, buffers), end: () => void worker.terminate(),
      hold: wanted => wanted ? worker.ref() : worker.unref() };
  }
  if (typeof globalThis.Worker !== 'function')
    return null;
  const worker = (workers.given ?? workers.page)();
  worker.onmessage = event => hear(event.data);
  worker.onmessageerror = () => fail(new Error('a message could not be read'));
  worker.onerror = event => {
    event.preventDefault?.();
    fail(new Error(event.message || 'its script cannot be loaded'));
  };
  return { post: (message, buffers) => worker.postMessage(message, buffers), end: () => worker.terminate(), hold: () => {} };
}

// The worker's end: resolves to { post(message, buffers) }, and has hear get what is sent.
export async function openPort(hear) {
  if (isNode) {
    const { parentPort } = await ofNode('worker_threads');
    parentPort.on('message', hear);
    return { post: (message, buffers) => parentPort.postMessage(message, buffers) };
  }
  globalThis.onmessage = event => hear(event.data);
  return { post: (message, buffers) => globalThis.postMessage(message, buffers) };
}

// ---- bytes

// Is an address a path of Node's?
export const isFile = address => isNode && !/^[a-z][a-z0-9+.-]+:/i.test(address);

async function ofFile(address, { signal, onProgress }) {
  const { readFile } = await ofNode('fs/promises');
  try {
    const { buffer, byteOffset, length } = await readFile(address, { signal });
    onProgress?.({ loaded: length, total: length });
    return new Uint8Array(buffer, byteOffset, length);
  } catch (error) {
    signal?.throwIfAborted();
    throw new OcellusError('IO', `${address}: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}`);
  }
}

async function ofResponse(response, address, { signal, onProgress }) {
  if (!response.ok)
    throw new OcellusError('IO', `${address}: the server answers ${response.status}`);
  const { headers } = response, total = headers.get('content-encoding') ? null : Number(headers.get('content-length')) || null;
  const parts = [];
  let loaded = 0;
  try {
    if (!onProgress || !response.body)
      return new Uint8Array(await response.arrayBuffer());
    for (const reader = response.body.getReader(); ;) {
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      if (done)
        break;
      parts.push(value);
      onProgress({ loaded: loaded += value.length, total });
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw new OcellusError('IO', `${address}: its end does not come: ${error.message}`);
  }
  return joined(parts);
}

async function ofAddress(address, { signal, onProgress, cache }) {
  const kept = cache ? await openCache() : null, found = await kept?.match(address);
  if (found)
    return ofResponse(found, address, { signal, onProgress });
  let response;
  try {
    response = await fetch(address, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw new OcellusError('IO', `${address}: it cannot be fetched: ${error.cause?.message ?? error.message}`);
  }
  const bytes = await ofResponse(response, address, { signal, onProgress });
  await kept?.put(address, new Response(bytes)).catch(() => {}); // a cache that is full, or takes no such address, does without
  return bytes;
}

// The browser's cache; null where there is none, or the page may not have it.
const openCache = async () => await globalThis.caches?.open('ocellus').catch(() => null) ?? null;

// Forgets what the cache has of an address.
export async function forgetKept(address) {
  if (typeof address === 'string' || address instanceof URL)
    await (await openCache())?.delete(address);
}

// What messages call a source: its address, path or name; '' for bytes.
export const nameOf = source => typeof source === 'string' || source instanceof URL ? String(source).slice(0, 200) : source?.name ?? source?.url ?? '';

// Resolves to the bytes of an address, a path (in Node), a Blob or File, a Response, an ArrayBuffer or a view of one, which is not
// copied. Options are signal, onProgress and cache.
export async function bytesOf(source, options = {}) {
  options.signal?.throwIfAborted();
  if (ArrayBuffer.isView(source))
    return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (source instanceof ArrayBuffer || (typeof SharedArrayBuffer === 'function' && source instanceof SharedArrayBuffer))
    return new Uint8Array(source);
  if (typeof Blob === 'function' && source instanceof Blob)
    return new Uint8Array(await source.arrayBuffer());
  if (typeof Response === 'function' && source instanceof Response)
    return ofResponse(source, source.url || 'response', options);
  if (typeof source !== 'string' && !(source instanceof URL))
    throw new OcellusError('ARGUMENT', `${named(source)} is no address, bytes, Blob or Response`);
  const address = String(source);
  if (isNode && address.startsWith('file:')) {
    const { fileURLToPath } = await ofNode('url');
    return ofFile(fileURLToPath(address), options);
  }
  return isFile(address) ? ofFile(address, options) : ofAddress(address, options);
}
