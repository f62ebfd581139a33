// SPDX-License-Identifier: Apache-2.0
// ocellus.mjs - runs ONNX models in browsers, workers, Node and hosts like them: the package's front. ocellus.d.mts tells what each
// function takes, gives and throws.
//
//   import { Model, Tensor } from 'ocellus';
//   const model = await Model.load('model.onnx'), session = model.session();
//   const { y } = await session.run({ x: new Tensor(new Float32Array(12), [1, 3, 2, 2]) });
//   session.free();
//   model.free();
import { whole } from './arrays.mjs';
import { checkModel, command, filesOf, inspectModel } from './command.mjs';
import { OcellusError, named } from './error.mjs';
import { bytesOf, forgetKept, nameOf } from './host.mjs';
import { configure, moduleOf } from './modules.mjs';
import { CHECK, INSPECT, LOAD, PREDICT, PREDICTOR, RUN, SESSION, expectOptions } from './options.mjs';
import { Picture, isPicture, paint, sendable } from './picture.mjs';
import { Place, orAborted } from './place.mjs';
import { buffersIn } from './service.mjs';
import { Tensor, revive, typeOf } from './tensor.mjs';

export { OcellusError, Picture, Tensor, command, configure };

// ---- models

// Resolves to the results of promises that make(signal) returns. The first that fails, and the signal, end the others.
async function together(signal, make) {
  const inner = new AbortController(), abort = () => inner.abort(signal.reason);
  signal?.addEventListener('abort', abort);
  try {
    signal?.throwIfAborted();
    return await orAborted(Promise.all(make(inner.signal)), signal);
  } catch (error) {
    inner.abort(error);
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

// Ends the workers of what nobody has freed.
const forgotten = new FinalizationRegistry(place => place.end());

export class Model {
  #bytes;
  #module;
  #options;
  #spare; // the place where it was loaded, until a session takes it

  // source is an address or, in Node, a path; bytes; a Blob, File or Response.
  static async load(source, options = {}) {
    expectOptions(options, LOAD, 'Model.load');
    const { signal, onProgress, cache, worker, log, externalData = {}, memoryCap, maxSteps, deadline, newer } = options;
    const coming = together(signal, inner => [moduleOf(), bytesOf(source, { signal: inner, onProgress, cache }),
      ...Object.values(externalData).map(file => bytesOf(file, { signal: inner, cache }))]);
    const place = new Place({ worker, say: log });
    place.prepare(); // the worker starts while bytes come
    const [module, bytes, ...files] = await coming.catch(error => {
      place.end();
      throw error;
    });
    const model = new Model();
    model.#bytes = whole(bytes);
    model.#module = module;
    model.#options = {
      place: { worker, say: log },
      engine: { memoryCap, maxSteps, deadline, newer,
        externalData: Object.fromEntries(Object.keys(externalData).map((name, i) => [name, whole(files[i])])) },
    };
    model.#spare = place;
    try {
      Object.assign(model, await model.#load(model.#spare, signal));
    } catch (error) {
      model.free();
      if (cache && error.code === 'FORMAT') // what was fetched may be no model, and come right at the next time
        await forgetKept(source);
      throw error instanceof OcellusError && nameOf(source) ? new OcellusError(error.code, `${nameOf(source)}: ${error.message}`) : error;
    }
    forgotten.register(model, model.#spare, model);
    return model;
  }

  #place() {
    return new Place(this.#options.place);
  }

  #load(place, signal) {
    return place.call('load', { module: this.#module, bytes: this.#bytes, options: this.#options.engine }, { signal, keep: true });
  }

  #expectHeld() {
    if (!this.#bytes)
      throw new OcellusError('ARGUMENT', 'the model has been freed');
  }

  // Returns the place of a new session, that where the model was loaded or another, and when the model is loaded there.
  #takePlace(log) {
    this.#expectHeld();
    const place = this.#spare ?? this.#place(), loaded = this.#spare ? Promise.resolve() : this.#load(place);
    place.say = log ?? place.say;
    this.#spare = null;
    forgotten.unregister(this);
    return { place, loaded };
  }

  session({ log, ...options } = {}) {
    expectOptions(options, SESSION, 'session');
    return new Session(this.#takePlace(log), this, options);
  }

  // Resolves to what tells a picture's objects, classes, text .. by a decoder that is chosen for the model.
  async predictor({ log, signal, ...options } = {}) {
    expectOptions(options, PREDICTOR, 'predictor');
    if (options.labels !== undefined && !(Array.isArray(options.labels) && options.labels.every(label => typeof label === 'string')))
      throw new OcellusError('ARGUMENT', `labels is ${named(options.labels)}, expected an array of names`);
    const { place, loaded } = this.#takePlace(log);
    try {
      await orAborted(loaded, signal);
      return new Predictor(place, await place.call('predictor', options, { signal, keep: true }));
    } catch (error) {
      place.end();
      throw error;
    }
  }

  #files() {
    this.#expectHeld();
    return filesOf(this.#bytes, this.#options.engine.externalData);
  }

  // Resolves to what `ocellus inspect --json` prints of the model.
  async inspect(options = {}) {
    expectOptions(options, INSPECT, 'inspect');
    return inspectModel(this.#files(), this.#options.engine, { worker: this.#options.place.worker, ...options });
  }

  // Resolves to what `ocellus check --json` prints of the model: whether its kernels agree with ONNX's function bodies.
  async check(options = {}) {
    expectOptions(options, CHECK, 'check');
    return checkModel(this.#files(), this.#options.engine, { worker: this.#options.place.worker, ...options });
  }

  free() {
    this.#spare?.end();
    this.#spare = this.#bytes = this.#module = this.#options = null;
    forgotten.unregister(this);
    forgetPredictor(this);
  }
}

// ---- sessions

async function ofPicture(value) {
  const { source, options } = value instanceof Picture ? value : new Picture(value);
  return { picture: await sendable(source), options };
}

function ofTensor(name, value) {
  if (!value?.data)
    throw new OcellusError('ARGUMENT', `input '${name}' is ${named(value)}, expected new Tensor(data, dims) or a picture`);
  if (value.data.buffer?.byteLength === 0 && value.dims && !value.dims.includes(0))
    throw new OcellusError('ARGUMENT', `input '${name}' has no elements: was its array given away?`);
  return { type: value.type ?? typeOf(value.data), dims: value.dims ?? [value.data.length], data: whole(value.data) };
}

export class Session {
  #place;
  #begun;
  #isBegun = false;

  constructor({ place, loaded }, model, options) {
    this.#place = place;
    this.inputs = model.inputs;
    this.outputs = model.outputs;
    this.#begun = loaded.then(() => place.call('session', options, { keep: true }));
    this.#begun.catch(() => {}); // the first run tells
    forgotten.register(this, place, this);
  }

  // Resolves when the session is made, which the first run waits for otherwise.
  ready() {
    return this.#begun;
  }

  // inputs are tensors, or pictures, by name; outputs lists those to give. transfer gives the inputs' arrays away.
  async run(inputs = {}, options = {}) {
    expectOptions(options, RUN, 'run');
    const { signal, outputs, transfer = false } = options, unknown = Object.keys(inputs).find(name => !this.inputs.some(port => port.name === name));
    if (unknown !== undefined)
      throw new OcellusError('ARGUMENT', `the model has no input '${unknown}', expected ${this.inputs.map(port => port.name).join(', ')}`);
    if (!this.#isBegun) {
      await orAborted(this.#begun, signal);
      this.#isBegun = true;
    }
    const operand = { inputs: {}, names: outputs };
    for (const name of Object.keys(inputs)) {
      const value = inputs[name];
      operand.inputs[name] = isPicture(value) ? await ofPicture(value) : ofTensor(name, value);
    }
    const results = await this.#place.call('run', operand, { signal, buffers: transfer ? buffersIn(operand) : undefined });
    for (const name of Object.keys(results))
      results[name] = revive(results[name]);
    return results;
  }

  free() {
    this.#place.end();
    forgotten.unregister(this);
  }
}

// ---- predictors

export class Predictor {
  #place;

  constructor(place, facts) {
    this.#place = place;
    Object.assign(this, facts);
    forgotten.register(this, place, this);
  }

  // picture is what pixelsOf takes. inputs has what else the network takes; canvas, or draw: true, has the answer drawn.
  async predict(picture, options = {}) {
    expectOptions(options, PREDICT, 'predict');
    const { signal, inputs = {}, draw = false, crops = false, canvas } = options;
    const pixels = await sendable(picture);
    const tensors = Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, ofTensor(name, value)]));
    const wish = { inputs: tensors, draw: draw || Boolean(canvas), crops };
    const answer = await this.#place.call('predict', { picture: pixels, wish }, { signal });
    for (const name of ['arrays', 'drawn', 'crops']) // JSON has no 64-bit integers, and objects tell it all
      if (name in answer)
        Object.defineProperty(answer, name, { enumerable: false });
    if (canvas)
      paint(answer.drawn, canvas);
    if (canvas && !draw)
      delete answer.drawn; // it may be large
    return answer;
  }

  // Resolves to the tensor that the network's input takes for a picture.
  async prepare(picture) {
    return revive(await this.#place.call('prepare', { picture: await sendable(picture) }));
  }

  free() {
    this.#place.end();
    forgotten.unregister(this);
  }
}

// Of each model, the predictor that predict made last: { wanted, predictor, users }, a text of its options, a promise, and how many calls
// use it. One that is replaced is freed when they are done.
const predictors = new WeakMap();

function freeUnused(model, held) {
  if (held.users === 0 && predictors.get(model) !== held)
    held.predictor.then(predictor => predictor.free(), () => {});
}

function forgetPredictor(model) {
  const held = predictors.get(model);
  predictors.delete(model);
  if (held)
    freeUnused(model, held);
}

function predictorOf(model, options) {
  const wanted = JSON.stringify(options, (_, value) => typeof value === 'bigint' ? `${value}n` : value);
  if (predictors.get(model)?.wanted === wanted)
    return predictors.get(model);
  forgetPredictor(model);
  const held = { wanted, predictor: model.predictor(options), users: 0 };
  predictors.set(model, held);
  held.predictor.catch(() => predictors.get(model) === held && predictors.delete(model)); // the next call tries again
  return held;
}

// What a model says of a picture. Options are those of Model.predictor and of Predictor.predict; the predictor stays for the next call
// with options like these, and is freed with the model.
export async function predict(model, picture, { signal, inputs, draw, crops, canvas, ...options } = {}) {
  if (!(model instanceof Model))
    throw new OcellusError('ARGUMENT', `${named(model)} is no model, expected what Model.load resolves to`);
  const pixels = await sendable(picture), held = predictorOf(model, options);
  held.users++;
  try {
    return await (await held.predictor).predict(pixels, { signal, inputs, draw, crops, canvas });
  } finally {
    held.users--;
    freeUnused(model, held);
  }
}
