// SPDX-License-Identifier: Apache-2.0
// engine.mjs - runs ONNX models by the modules ocellus.wasm and ocellus-fixed.wasm, in this thread and without waiting: what stands
// between a script and the module's functions. ocellus.mjs, which runs it in a worker, is what programs use.
//
//   import { open } from './engine.mjs';
//   const ocellus = await open(bytes);            // of a module, or a WebAssembly.Module: isRelaxed() tells which one to fetch
//   const model = ocellus.model(onnx);            // a Uint8Array: binary ONNX, compressed or not, or ONNX text
//   const session = model.session({ seed: 1 });
//   const { y } = session.run({ x: { type: 'float', dims: [1, 3, 2, 2], data: new Float32Array(12) } });
//   session.free(); model.free();                 // memory of a module is freed by hand, sessions before their model
//
// model.inputs and model.outputs are arrays of { name, kind, type, dims, optional, description }; a dim is a number, a name where the
// model has one, or -1; dims is null where not even their number is declared. kind is 'tensor', 'sequence', 'optional' or 'map'.
// model.metadata has what the exporter tells, texts by their keys.
//
// A tensor is { type, dims, data }. type is ONNX's name ('float', 'uint8', 'int64', 'string' ...); a tensor given without one has
// that of its data's array. data is a typed array: of 64-bit integers Big(U)Int64Array, of bool and of elements of 2, 4 and 8 bits
// Uint8Array or Int8Array with one element in each byte, of float16 Float16Array where the engine has it and else Uint16Array, of
// bfloat16 Uint16Array, of complex numbers floats in pairs; of strings an array. An output that is a sequence is an array of values, an
// optional is a value or null, a map is a Map.
//
// session.set(name, tensor) binds one input, whose data is copied; it stays bound for the runs that follow. session.run(inputs,
// names) binds inputs, runs, and returns copies of the outputs, or of those that names lists; session.run({}, []) computes only.
// session.run(inputs, names, { y: array }) copies output y to that array, which has its elements' number and type, and to no new one:
// an engine takes longer to find memory for many megabytes than to copy them.
//
// Options of open: log(line) hears remarks, files are those that the module reads and writes (files.mjs), print(file, bytes) gets what
// it writes to standard output (1) and standard error (2), which the log hears otherwise. Of model: memoryCap, maxSteps, deadline
// (seconds), cancelled(), which is asked every 0.1 s or more often and ends the call by true, externalData, { NAME: bytes } of the
// files of weights beside the model, and newer. Of session: these but the last two, and cpu, seed, opOptions, exactConv, noFusion,
// noNchw16c, noFolding, exactQuant, unfused ('exact' or 'fast'), log(line); ocellus.h tells what each means.
//
// What fails throws an OcellusError, whose code is a name of OC_STATUS_MAP ('SHAPE', 'NOMEM' ...). After a WebAssembly.RuntimeError,
// as calls nested too deep give, the module is of no more use: open another.

import { elementType, joined, sizeOf } from './arrays.mjs';
import { OcellusError } from './error.mjs';
import { Files } from './files.mjs';

export { Files, OcellusError };

const KINDS = ['tensor', 'sequence', 'optional', 'map'];
const ARRAYS = {
  float: Float32Array, double: Float64Array, int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array,
  int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array, complex64: Float32Array,
  complex128: Float64Array, int4: Int8Array, int2: Int8Array, float16: globalThis.Float16Array ?? Uint16Array,
};
const FLAGS = { exactConv: 'exact_conv', noFusion: 'no_fusion', noNchw16c: 'no_nchw16c', noFolding: 'no_folding', exactQuant: 'exact_quant' };
const UNFUSED = ['exact', 'fast'];
const MOST_AXES = 16; // OC_MAX_RANK
const MOST_BYTES = 2 ** 32 - 1;
const encoder = new TextEncoder(), decoder = new TextDecoder('utf-8', { ignoreBOM: true });

// A function with every relaxed instruction of ocellus.wasm on vectors of 0: an engine may have some of them and not others, as
// WebKit 2.50 has behind a flag. Each reads its first operand from the one before it.
const RELAXED_OPERATIONS = [[3, 133], [2, 135], [1, 128], [2, 147]]; // f32x4.madd, f64x2.madd, i8x16.swizzle, i32x4.dot_i8x16_i7x16_add
const RELAXED = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 48, 1, 46, 0,
  ...RELAXED_OPERATIONS.flatMap(([zeros, operation]) => [...Array(zeros).fill([65, 0, 253, 17]).flat(), 253, operation, 2]), 11);

// Can this engine run ocellus.wasm, whose vectors are relaxed? Any can run ocellus-fixed.wasm.
export const isRelaxed = () => WebAssembly.validate(RELAXED);

export async function open(module, options = {}) {
  const ocellus = new Ocellus(options);
  const compiled = module instanceof WebAssembly.Module ? module : await WebAssembly.compile(module);
  ocellus.start(await WebAssembly.instantiate(compiled, ocellus.imports()));
  return ocellus;
}

// What a module imports of WASI: a clock, random numbers, an environment without variables, and files.
function system(ocellus) {
  const set = (at, n) => ocellus.view().setUint32(at, n, true);
  return {
    environ_get: () => 0,
    environ_sizes_get: (count, size) => (set(count, 0), set(size, 0), 0),
    clock_time_get: (id, precision, at) => {
      const nanoseconds = Math.round((id === 0 ? Date.now() : performance.now()) * 1e6);
      set(at, nanoseconds % 2 ** 32); // it is asked for every node: numbers are faster than BigInt
      set(at + 4, nanoseconds / 2 ** 32);
      return 0;
    },
    random_get: (at, size) => {
      for (let i = 0; i < size; i += 65536)
        crypto.getRandomValues(ocellus.bytes((at >>> 0) + i, Math.min(65536, size - i)));
      return 0;
    },
    ...ocellus.files.calls(() => ocellus.calls.memory, (file, bytes) => ocellus.print(file, bytes)),
    proc_exit: status => {
      throw Object.assign(new WebAssembly.RuntimeError(`the module has ended with ${status}`), { status });
    },
  };
}

class Ocellus {
  constructor({ log = () => {}, files = new Files(), print = (file, bytes) => this.say(bytes) }) {
    this.log = log;
    this.files = files;
    this.print = print;
    // What models, sessions and writers have the module call, by the number that it knows each by: { log, cancelled, write }.
    this.heard = new Map();
    this.types = new Map(); // numbers of element types, by name
    this.typeNames = []; // and the other way round
    [this.sayer, this.unsaid] = [new TextDecoder(), ''];
  }

  // Has the log hear what the module writes to its standard streams, line by line.
  say(bytes) {
    const lines = (this.unsaid + this.sayer.decode(bytes.slice(), { stream: true })).split('\n');
    this.unsaid = lines.pop();
    lines.forEach(line => this.log(line));
  }

  imports() {
    return {
      wasi_snapshot_preview1: system(this),
      ocellus: {
        log: (who, line) => (this.heard.get(who >>> 0)?.log ?? this.log)(this.text(line)),
        cancelled: who => this.heard.get(who >>> 0)?.cancelled?.() ? 1 : 0,
        write: (who, bytes, size) => (this.heard.get(who >>> 0).write(this.bytes(bytes, size)), 1),
      },
    };
  }

  start(instance) {
    this.calls = instance.exports;
    this.calls._initialize();
    this.place = {};
    for (let at = this.calls.ocellus_layout() >>> 0, name; (name = this.read(at)); at += 8)
      this.place[this.text(name)] = this.read(at + 4);
    for (let type = 0, name; (name = this.text(this.calls.oc_type_name(type))) !== 'undefined' || type === 0; type++) {
      this.types.set(name, type);
      this.typeNames.push(name);
    }
    this.error = this.take(this.place.oc_error);
    this.version = this.text(this.calls.oc_version());
  }

  // ---- memory of the module, which moves when it grows: views are made anew ----

  view() {
    const { buffer } = this.calls.memory;
    if (this.lastView?.buffer !== buffer)
      this.lastView = new DataView(buffer);
    return this.lastView;
  }

  bytes(at, size) {
    return new Uint8Array(this.calls.memory.buffer, at >>> 0, size);
  }

  read(at) {
    return this.view().getUint32(at >>> 0, true);
  }

  text(at) {
    const all = new Uint8Array(this.calls.memory.buffer), begin = at >>> 0;
    return at ? decoder.decode(all.slice(begin, all.indexOf(0, begin))) : '';
  }

  // Returns memory, all 0, which the caller gives back by calls.free.
  take(size) {
    const at = this.calls.malloc(size) >>> 0;
    if (!at)
      throw new OcellusError('NOMEM', `out of memory: ${size} bytes wanted`);
    this.bytes(at, size).fill(0);
    return at;
  }

  put(bytes) {
    const at = this.calls.malloc(bytes.length || 1) >>> 0;
    if (!at)
      throw new OcellusError('NOMEM', `out of memory: ${bytes.length} bytes wanted`);
    this.bytes(at, bytes.length).set(bytes);
    return at;
  }

  putText(text) {
    return this.put(encoder.encode(text + '\0'));
  }

  // Calls a function whose last argument is an error, and throws what that says.
  call(name, ...args) {
    const { error, place } = this;
    this.view().setInt32(error + place['oc_error.code'], 0, true);
    const stack = this.calls.__stack_pointer.value;
    let result;
    try {
      result = this.calls[name](...args, error);
    } finally {
      this.calls.__stack_pointer.value = stack; // an exception of a script's function has left it as it was within
    }
    const code = this.view().getInt32(error + place['oc_error.code'], true);
    if (code)
      throw new OcellusError(this.text(this.calls.oc_status_name(code)), this.text(error + place['oc_error.text']));
    return typeof result === 'number' ? result >>> 0 : result;
  }

  typeName(type) {
    return this.typeNames[type] ?? 'undefined';
  }

  // What a function of the module writes by an oc_writer: the argument is its address.
  written(call) {
    const at = this.take(this.place.oc_writer), parts = [];
    this.heard.set(at, { write: bytes => parts.push(bytes.slice()) });
    try {
      this.calls.ocellus_write_to_script(at, at);
      call(at);
    } finally {
      this.heard.delete(at);
      this.calls.free(at);
    }
    return joined(parts);
  }

  model(bytes, options) {
    return new Model(this, bytes, options);
  }

  // Runs the command once, after which the instance is of no more use. Returns the exit code.
  command(words) {
    if (!this.calls.ocellus_command)
      throw new OcellusError('UNSUPPORTED', 'this module has no command, expected ocellus-command.wasm');
    const texts = ['ocellus', ...words].map(word => this.putText(word)), at = this.take(4 * (texts.length + 1));
    texts.forEach((text, i) => this.view().setUint32(at + 4 * i, text, true));
    try {
      return this.calls.ocellus_command(texts.length, at);
    } catch (error) {
      if (error.status === undefined)
        throw error;
      return error.status;
    }
  }

  // ---- structs ----

  writeLimits(at, who, { memoryCap = 0, maxSteps = 0, deadline = 0, cancelled }) {
    const { place } = this, view = this.view();
    view.setUint32(at + place['oc_limits.memory_cap'], Math.min(memoryCap, MOST_BYTES), true);
    view.setBigInt64(at + place['oc_limits.max_steps'], BigInt(maxSteps), true);
    view.setFloat64(at + place['oc_limits.deadline'], deadline, true);
    if (cancelled)
      this.calls.ocellus_ask_script(at, who); // whoever can be ended looks at the clock for every node
  }

  readPort(at) {
    const { place } = this, view = this.view(), field = name => at + place['oc_port.' + name];
    const rank = view.getInt32(field('rank'), true), dims = [];
    for (let i = 0; i < rank; i++) {
      const name = this.read(field('dim_name') + 4 * i);
      dims.push(name ? this.text(name) : Number(view.getBigInt64(field('dim') + 8 * i, true)));
    }
    return {
      name: this.text(this.read(field('name'))),
      kind: KINDS[this.read(field('kind'))],
      type: this.typeName(this.read(field('type'))),
      dims: rank < 0 ? null : dims,
      optional: view.getUint8(field('has_default')) !== 0,
      description: this.text(this.read(field('description'))) || null,
    };
  }

  ports(model, what) {
    const at = this.take(this.place.oc_port), ports = [];
    for (let i = 0; i < this.calls[`oc_model_n_${what}s`](model); i++) {
      this.calls[`oc_model_${what}_sized`](model, i, at, this.place.oc_port);
      ports.push(this.readPort(at));
    }
    this.calls.free(at);
    return ports;
  }

  // ---- values ----

  // Copies a value out of the module; a tensor's elements to the array `out`, if there is one.
  readValue(value, out) {
    const { calls } = this, count = Number(calls.oc_value_count(value));
    const item = i => this.readValue(calls.oc_value_item(value, BigInt(i)));
    switch (KINDS[calls.oc_value_kind(value)]) {
      case 'sequence':
        return Array.from({ length: count }, (_, i) => item(i));
      case 'optional':
        return count ? item(0) : null;
      case 'map': {
        const keys = item(0), values = item(1);
        return new Map(Array.from(keys.data, (key, i) => [key, Array.isArray(values) ? values[i] : values.data[i]]));
      }
      default:
        return this.readTensor(value, count, out);
    }
  }

  readTensor(value, count, out) {
    const { calls } = this, rank = calls.oc_value_rank(value), at = calls.oc_value_dims(value) >>> 0, dims = [];
    const type = this.typeName(calls.oc_value_type(value)), data = calls.oc_value_data(value) >>> 0;
    for (let i = 0; i < rank; i++)
      dims.push(Number(this.view().getBigInt64(at + 8 * i, true)));
    return {
      type,
      dims,
      data: type === 'string' ? this.readStrings(data, count) : this.readElements(type, data, count, out),
    };
  }

  readElements(type, data, count, out) {
    const size = this.calls.oc_type_size(this.types.get(type)) * count;
    const Kind = ARRAYS[type] ?? (size > count ? Uint16Array : Uint8Array);
    if (!out)
      return new Kind(new Uint8Array(this.bytes(data, size)).buffer); // slice() would have the engine fill its memory with 0 first
    if (out.constructor !== Kind || out.byteLength !== size)
      throw new OcellusError('SHAPE', `${out.length} elements of ${out.constructor.name} are given for an output that has ` +
        `${size / Kind.BYTES_PER_ELEMENT} of ${Kind.name}`);
    new Uint8Array(out.buffer, out.byteOffset, size).set(this.bytes(data, size));
    return out;
  }

  readStrings(data, count) {
    const one = this.place.oc_string, strings = [];
    for (let at = data; at < data + one * count; at += one)
      strings.push(decoder.decode(this.bytes(this.read(at), this.read(at + 4)).slice()));
    return strings;
  }
}

class Model {
  constructor(ocellus, bytes, options = {}) {
    const { place } = ocellus, names = Object.keys(options.externalData ?? {});
    this.ocellus = ocellus;
    const at = ocellus.take(place.oc_model_options); // its address is the model's number, so that no other model has it
    this.options = at;
    const folder = names.length ? ocellus.putText('/') : 0;
    names.forEach(name => ocellus.files.put(name, options.externalData[name]));
    ocellus.heard.set(at, options);
    try {
      this.bytes = ocellus.put(bytes); // weights are used in place
      ocellus.writeLimits(at + place['oc_model_options.limits'], at, options);
      ocellus.view().setUint8(at + place['oc_model_options.newer'], options.newer ? 1 : 0);
      ocellus.view().setUint32(at + place['oc_model_options.external_dir'], folder, true);
      this.at = ocellus.call('oc_model_load_memory_sized', this.bytes, bytes.length, at, place.oc_model_options);
    } catch (error) {
      this.forget();
      throw error;
    } finally {
      ocellus.calls.free(folder);
      names.forEach(name => ocellus.files.remove(name));
    }
    this.inputs = ocellus.ports(this.at, 'input');
    this.outputs = ocellus.ports(this.at, 'output');
    this.metadata = this.readMetadata();
  }

  readMetadata() {
    const { ocellus } = this, value = ocellus.take(4), metadata = {};
    for (let i = 0, key; (key = ocellus.calls.oc_model_metadata(this.at, i, value)); i++)
      metadata[ocellus.text(key)] = ocellus.text(ocellus.read(value));
    ocellus.calls.free(value);
    return metadata;
  }

  session(options) {
    return new Session(this, options);
  }

  forget() {
    this.ocellus.heard.delete(this.options);
    this.ocellus.calls.free(this.bytes ?? 0);
    this.ocellus.calls.free(this.options);
    this.at = this.bytes = this.options = 0;
  }

  free() {
    this.ocellus.calls.oc_model_free(this.at);
    this.forget();
  }
}

export class Session {
  constructor(model, options = {}) {
    const { ocellus } = model, { place } = ocellus, field = name => at + place['oc_session_options.' + name];
    const at = ocellus.take(place.oc_session_options), texts = [];
    const setText = (name, text) => {
      if (text !== undefined)
        ocellus.view().setUint32(field(name), texts[texts.push(ocellus.putText(text)) - 1], true);
    };
    this.model = model;
    this.bound = new Map(); // by input, the memory that its data lies in
    this.texts = new Map(); // where names of inputs lie in the module's memory
    this.dims = ocellus.take(8 * MOST_AXES); // of the input that is being set
    try {
      ocellus.heard.set(at, options);
      ocellus.writeLimits(field('limits'), at, options);
      setText('cpu', options.cpu);
      setText('op_options', options.opOptions);
      ocellus.view().setBigUint64(field('seed'), BigInt(options.seed ?? 0), true);
      for (const [option, name] of Object.entries(FLAGS))
        ocellus.view().setUint8(field(name), options[option] ? 1 : 0);
      if (!UNFUSED.includes(options.unfused ?? 'exact'))
        throw new OcellusError('ARGUMENT', `unfused is '${options.unfused}', expected ${UNFUSED.join(' or ')}`);
      ocellus.view().setInt32(field('unfused'), UNFUSED.indexOf(options.unfused ?? 'exact'), true);
      ocellus.calls.ocellus_log_to_script(at, at);
      this.at = ocellus.call('oc_session_new_sized', model.at, at, place.oc_session_options);
      this.options = at; // its address is the session's number, so that no other session has it
    } catch (error) {
      ocellus.heard.delete(at);
      ocellus.calls.free(at);
      ocellus.calls.free(this.dims);
      throw error;
    } finally {
      texts.forEach(text => ocellus.calls.free(text));
    }
  }

  set(name, tensor) {
    const { ocellus } = this.model, { calls } = ocellus;
    const type = tensor.type ?? elementType(tensor.data), number = ocellus.types.get(type);
    if (number === undefined)
      throw new OcellusError('TYPE', `input '${name}': ${type} is no element type of ONNX`);
    if (!tensor.dims.every(Number.isSafeInteger))
      throw new OcellusError('SHAPE', `input '${name}': [${tensor.dims}] are no dims, expected whole numbers`);
    if ((type === 'string') !== Array.isArray(tensor.data))
      throw new OcellusError('TYPE', `input '${name}': ${type} is given as ${tensor.data.constructor.name}`);
    const dims = BigInt64Array.from(tensor.dims, BigInt), count = sizeOf(tensor.dims);
    const given = type === 'string' ? tensor.data.length : tensor.data.byteLength / calls.oc_type_size(number);
    if (given !== count)
      throw new OcellusError('SHAPE', `input '${name}': [${tensor.dims}] has ${count} elements, ${given} are given`);
    if (dims.length > MOST_AXES)
      throw new OcellusError('SHAPE', `input '${name}': [${tensor.dims}] has ${dims.length} axes, at most ${MOST_AXES} are possible`);
    if (!this.texts.has(name))
      this.texts.set(name, ocellus.putText(name));
    ocellus.bytes(this.dims, 8 * dims.length).set(new Uint8Array(dims.buffer));
    if (type === 'string')
      this.setStrings(name, this.texts.get(name), number, this.dims, tensor);
    else
      this.setElements(name, this.texts.get(name), number, this.dims, tensor);
  }

  setElements(name, text, type, dims, { dims: { length: rank }, data }) {
    const { ocellus } = this.model, bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    const before = this.bound.get(name);
    if (before?.size === bytes.length && !before.value)
      ocellus.bytes(before.at, before.size).set(bytes);
    const at = before?.size === bytes.length && !before.value ? before.at : ocellus.put(bytes);
    try {
      ocellus.call('oc_bind', this.at, text, type, rank, dims, at);
    } catch (error) {
      if (at !== before?.at)
        ocellus.calls.free(at);
      throw error;
    }
    if (at !== before?.at)
      this.keep(name, { at, size: bytes.length });
  }

  setStrings(name, text, type, dims, { dims: { length: rank }, data }) {
    const { ocellus } = this.model, value = ocellus.call('oc_tensor_new', type, rank, dims, 0);
    try {
      data.forEach((string, i) => {
        const bytes = encoder.encode(string), at = ocellus.put(bytes);
        try {
          ocellus.call('oc_tensor_set_string', value, BigInt(i), at, bytes.length);
        } finally {
          ocellus.calls.free(at);
        }
      });
      ocellus.call('oc_bind_value', this.at, text, value);
    } catch (error) {
      ocellus.calls.oc_value_free(value);
      throw error;
    }
    this.keep(name, { value });
  }

  // Notes what an input is bound to, and frees what it was bound to before.
  keep(name, bound) {
    this.release(this.bound.get(name));
    this.bound.set(name, bound);
  }

  release(bound) {
    const { calls } = this.model.ocellus;
    if (bound?.value)
      calls.oc_value_free(bound.value);
    else if (bound)
      calls.free(bound.at);
  }

  run(inputs = {}, names = this.model.outputs.map(port => port.name), out = {}) {
    const { ocellus, outputs } = this.model, results = {};
    for (const name of [...names, ...Object.keys(out)])
      if (!outputs.some(port => port.name === name))
        throw new OcellusError('ARGUMENT', `the model has no output '${name}'`);
    for (const name of Object.keys(out))
      if (!names.includes(name))
        throw new OcellusError('ARGUMENT', `an array is given for output '${name}', which is not among those to read: ${names}`);
    for (const [name, tensor] of Object.entries(inputs))
      this.set(name, tensor);
    ocellus.call('oc_run', this.at);
    for (const name of names) {
      const i = outputs.findIndex(port => port.name === name);
      results[name] = ocellus.readValue(ocellus.call('oc_fetch_value_at', this.at, i), out[name]);
      if (out[name] && results[name]?.data !== out[name])
        throw new OcellusError('TYPE', `output '${name}' has no numbers that an array could take`);
    }
    return results;
  }

  free() {
    if (!this.at)
      return;
    const { ocellus } = this.model;
    ocellus.calls.oc_session_free(this.at);
    ocellus.calls.free(this.options);
    ocellus.heard.delete(this.options);
    for (const bound of this.bound.values())
      this.release(bound);
    for (const text of [this.dims, ...this.texts.values()])
      ocellus.calls.free(text);
    this.bound.clear();
    this.texts.clear();
    this.at = 0;
  }
}
