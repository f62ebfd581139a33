// SPDX-License-Identifier: Apache-2.0
// service.mjs - a model, and a session or a predictor of it, in an instance of the module of their own: what place.mjs calls, in a
// worker or in this thread. Values that go in and out can be sent from one thread to another.
import { joined } from './arrays.mjs';
import { Files, open } from './engine.mjs';
import { OcellusError } from './error.mjs';
import { pixelsOf } from './picture.mjs';
import { Predictor, tensorOf } from './predictor.mjs';

// What a model tells of itself, as plain values.
const facts = ({ inputs, outputs, metadata }) => ({ inputs, outputs, metadata });

export class Service {
  // say(line) hears remarks.
  constructor(say) {
    this.hooks = { log: say };
  }

  // Has cancelled() asked while a call runs, which ends by true.
  ask(cancelled) {
    this.hooks.cancelled = cancelled;
  }

  // Begins with a module and a model: { module, bytes, options }. Returns what the model tells of itself.
  async load({ module, bytes, options }) {
    this.ocellus = await open(module, { log: this.hooks.log });
    this.model = this.ocellus.model(bytes, { ...options, ...this.hooks });
    return { ...facts(this.model), version: this.ocellus.version };
  }

  session(options) {
    this.#hold(() => this.model.session({ ...options, ...this.hooks }));
  }

  // make() makes a session or a predictor, now and whenever one without bound inputs is needed.
  #hold(make) {
    this.held?.free();
    this.held = null;
    this.make = make;
    this.held = make();
    this.given = []; // inputs that the last call bound
  }

  // What a call does not give is not what the call before it gave.
  #begin(inputs) {
    if (!this.held || this.given.some(name => !(name in inputs)))
      this.#hold(this.make);
    this.given = Object.keys(inputs);
  }

  // Inputs are tensors, or { picture, options } with a picture that becomes what the input takes.
  async run({ inputs, names }) {
    const tensors = {}, missing = this.model.inputs.find(({ name, optional }) => !optional && !(name in inputs));
    if (missing)
      throw new OcellusError('ARGUMENT', `input '${missing.name}' is not given, expected ${missing.type}[${missing.dims ?? '..'}]`);
    this.#begin(inputs);
    for (const [name, value] of Object.entries(inputs))
      tensors[name] = value.picture ? tensorOf(this.model, name, await pixelsOf(value.picture), value.options) : value;
    return this.held.run(tensors, names);
  }

  predictor(options) {
    this.#hold(() => new Predictor(this.model, { ...options, ...this.hooks }));
    const { decoder, why, prepared, input, beside, remarks } = this.held;
    return { decoder, why, prepared, input, beside, remarks };
  }

  // Runs the command once, in an instance of its own. Files are bytes by their paths.
  async command({ module, words, files: given }) {
    const files = new Files(given), parts = { 1: [], 2: [] }; // of standard output and of standard error
    const instance = await open(module, { files, print: (file, bytes) => parts[file].push(bytes.slice()) });
    const status = instance.command(words), said = file => new TextDecoder().decode(joined(parts[file]));
    return { status, out: said(1), err: said(2), files: Object.fromEntries(files.written().map(path => [path, files.get(path).slice()])) };
  }

  async prepare({ picture }) {
    return this.held.tensor(await pixelsOf(picture));
  }

  async predict({ picture, wish }) {
    const pixels = await pixelsOf(picture);
    this.#begin(wish.inputs);
    return this.held.answer(pixels, wish);
  }
}

// The buffers of a result, whose arrays are copies that the module no longer has: they are sent without another copy.
export function buffersIn(value, found = new Set()) {
  if (ArrayBuffer.isView(value))
    found.add(value.buffer);
  else if (Array.isArray(value) && typeof value[0] !== 'string' && typeof value[0] !== 'number')
    value.forEach(item => buffersIn(item, found));
  else if (value instanceof Map)
    value.forEach(item => buffersIn(item, found));
  else if (value && typeof value === 'object' && !(value instanceof WebAssembly.Module))
    Object.values(value).forEach(item => buffersIn(item, found));
  return [...found];
}
