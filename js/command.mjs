// SPDX-License-Identifier: Apache-2.0
// command.mjs - the command `ocellus` over files in memory, each call in a worker of its own, and what models are asked by it.
import { whole } from './arrays.mjs';
import { OcellusError } from './error.mjs';
import { bytesOf } from './host.mjs';
import { moduleOf } from './modules.mjs';
import { toNpy } from './npy.mjs';
import { COMMAND, expectOptions } from './options.mjs';
import { Place, orAborted } from './place.mjs';

// Runs the command with words as a shell gives them, without `ocellus`. Resolves to { status, out, err, files }: its exit code, what it
// printed, and the files that it wrote, bytes by their paths.
export async function command(words, options = {}) {
  expectOptions(options, COMMAND, 'command');
  const { files = {}, signal, worker } = options, names = Object.keys(files);
  const [module, ...contents] = await orAborted(Promise.all([moduleOf({ command: true }),
    ...names.map(name => bytesOf(files[name], { signal }))]), signal);
  const place = new Place({ worker });
  try {
    const given = Object.fromEntries(names.map((name, i) => [name, whole(contents[i])]));
    return await place.call('command', { module, words: words.map(String), files: given }, { signal });
  } finally {
    place.end();
  }
}

// What the command says on standard error, without its name.
export const textOf = err => err.trim().replace(/^ocellus: /gm, '');

// ---- models

const MODEL = 'model.onnx';

// What the command tells of a model in JSON. A document that has an error is one that is thrown.
async function told(name, words, files, options) {
  const { out, err } = await command([name, MODEL, '--json', ...words], { ...options, files });
  let document;
  try {
    document = JSON.parse(out);
  } catch {
    throw new OcellusError('ARGUMENT', textOf(err));
  }
  if (document.error)
    throw new OcellusError(document.error.code ?? 'ARGUMENT', document.error.text ?? document.error);
  return document;
}

// Words of the options that the model was loaded with.
const loaded = ({ newer, memoryCap, deadline }) =>
  [...newer ? ['--newer'] : [], ...memoryCap ? ['--memory-cap', memoryCap] : [], ...deadline ? ['--deadline', deadline] : []];

// Words and files of inputs that are tensors, and of what is made up beside them.
function given(inputs, dims, seed) {
  const sizes = Object.entries(dims).flatMap(([name, size]) => ['--dim', `${name}=${size}`]), files = {};
  const words = ['--fill', 'random', '--seed', seed, ...sizes];
  Object.entries(inputs).forEach(([name, tensor], i) => {
    files[`input_${i}.npy`] = toNpy(name, tensor);
    words.push('-i', `${name}=input_${i}.npy`);
  });
  return { words, files };
}

// limits are the options that the model was loaded with.
export const inspectModel = (files, limits, options) => told('inspect', loaded(limits), files, options);

export function checkModel(files, limits, { inputs = {}, dims = {}, seed = 0, ...options }) {
  const { words, files: more } = given(inputs, dims, seed);
  return told('check', [...words, ...loaded(limits)], { ...files, ...more }, options);
}

// The files of a model, which is loaded from memory, for the command: it lies in the root, as its weights do.
export const filesOf = (bytes, externalData) => ({ ...externalData, [MODEL]: bytes });
