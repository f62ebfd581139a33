// SPDX-License-Identifier: Apache-2.0
// program.mjs - runs a program of WASI in any engine, with variables of the environment and without files.
//
// run(bytes, { NAME: value }) resolves to { status, text }: the exit status and what the program wrote.

const BAD_FILE = 8; // what WASI calls EBADF

class Ended {
  constructor(status) {
    this.status = status;
  }
}

function system(program, variables) {
  const view = () => new DataView(program.memory.buffer), set = (at, n) => (view().setUint32(at, n, true), 0);
  const encoded = texts => texts.map(text => new TextEncoder().encode(`${text}\0`));
  const sizes = texts => (count, size) => set(count, texts.length) + set(size, texts.reduce((sum, { length }) => sum + length, 0));
  const copies = texts => (places, at) => {
    for (const text of texts) {
      set(places, at);
      new Uint8Array(program.memory.buffer, at, text.length).set(text);
      places += 4;
      at += text.length;
    }
    return 0;
  };
  const words = encoded(['program']), environment = encoded(Object.entries(variables).map(([name, value]) => `${name}=${value}`));
  return {
    args_sizes_get: sizes(words),
    args_get: copies(words),
    environ_sizes_get: sizes(environment),
    environ_get: copies(environment),
    clock_time_get: (id, precision, at) => (view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true), 0),
    random_get: (at, size) => (crypto.getRandomValues(new Uint8Array(program.memory.buffer, at, size)), 0),
    fd_write: (file, parts, count, written) => {
      let size = 0;
      for (let i = 0; i < count; i++) {
        const at = view().getUint32(parts + 8 * i, true), n = view().getUint32(parts + 8 * i + 4, true);
        program.text += new TextDecoder().decode(new Uint8Array(program.memory.buffer, at, n).slice());
        size += n;
      }
      return set(written, size);
    },
    proc_exit: status => {
      throw new Ended(status);
    },
  };
}

export async function run(bytes, variables) {
  const module = await WebAssembly.compile(bytes), program = { text: '' }, known = system(program, variables);
  const calls = WebAssembly.Module.imports(module).map(({ name }) => [name, known[name] ?? (() => BAD_FILE)]);
  const { exports } = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: Object.fromEntries(calls) });
  program.memory = exports.memory;
  try {
    exports._start();
    return { status: 0, text: program.text };
  } catch (error) {
    if (!(error instanceof Ended))
      throw error;
    return { status: error.status, text: program.text };
  }
}
