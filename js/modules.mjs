// SPDX-License-Identifier: Apache-2.0
// modules.mjs - which module of WebAssembly is fetched, from where, and what it is once it is compiled.
import { isRelaxed } from './engine.mjs';
import { OcellusError } from './error.mjs';
import { bytesOf } from './host.mjs';
import { expectOptions } from './options.mjs';
import { makeWorkersBy } from './place.mjs';

const settings = { wasmPath: null, wasmBinary: null, worker: null };
const compiled = new Map(); // by the name of the module, a promise, and then a WeakRef: models have it

// wasmPath is the folder of the modules, where they do not lie beside this script; wasmBinary is one of them as bytes or a
// WebAssembly.Module; worker() makes the worker, where worker.mjs is a part of something else. To be called before the first model is
// loaded.
export function configure(options) {
  expectOptions(options, Object.keys(settings), 'configure');
  Object.assign(settings, options);
  makeWorkersBy(settings.worker);
  compiled.clear();
}

// Bundlers look for these expressions.
const addresses = {
  'ocellus.wasm': () => new URL('./ocellus.wasm', import.meta.url),
  'ocellus-fixed.wasm': () => new URL('./ocellus-fixed.wasm', import.meta.url),
  'ocellus-command.wasm': () => new URL('./ocellus-command.wasm', import.meta.url),
  'ocellus-command-fixed.wasm': () => new URL('./ocellus-command-fixed.wasm', import.meta.url),
};

function addressOf(name) {
  if (settings.wasmPath === null)
    return addresses[name]();
  const folder = String(settings.wasmPath);
  return `${folder}${folder.endsWith('/') ? '' : '/'}${name}`;
}

async function compile(source) {
  if (source instanceof WebAssembly.Module)
    return source;
  const bytes = await bytesOf(source);
  try {
    return await WebAssembly.compile(bytes);
  } catch (error) { // a policy without 'wasm-unsafe-eval', or another file
    throw new OcellusError('UNSUPPORTED', `the module cannot be compiled: ${error.message}`);
  }
}

const hasCommand = module => WebAssembly.Module.exports(module).some(({ name }) => name === 'ocellus_command');

async function kept(name, source) {
  const found = compiled.get(name), module = found instanceof WeakRef ? found.deref() : found;
  if (module)
    return module;
  const coming = compile(source), isStill = () => compiled.get(name) === coming;
  compiled.set(name, coming);
  try {
    const made = await coming;
    if (isStill())
      compiled.set(name, new WeakRef(made)); // a page that has freed its models has the module's memory back too
    return made;
  } catch (error) {
    if (isStill())
      compiled.delete(name); // the next call tries again
    throw error;
  }
}

// Resolves to a compiled module: what models take, or one that has the command too.
export async function moduleOf({ command = false } = {}) {
  const given = settings.wasmBinary ? await kept('given', settings.wasmBinary) : null;
  if (given && (!command || hasCommand(given)))
    return given;
  const name = `ocellus${command ? '-command' : ''}${isRelaxed() ? '' : '-fixed'}.wasm`;
  return kept(name, addressOf(name));
}
