// SPDX-License-Identifier: Apache-2.0
// predictor.mjs - what a network says of photographs, by the functions of ocellus_predict.h in a module: engine.mjs' models in, answers
// out. ocellus.mjs, which runs it in a worker, is what programs use.
//
//   const predictor = new Predictor(model, { labels: ['cat', 'dog'], least: 0.5 });
//   const { objects } = predictor.answer({ width, height, data });  // of a picture: rows of 4 bytes a pixel, as ImageData has them
//   predictor.free();                                               // before its model
//
// A predictor has decoder (its name), why (it was chosen), prepared (how photographs become tensors) and remarks. Its options are those
// of `ocellus predict`: as, picture (the name of the input), labels, least, overlap, top, and how photographs are prepared (PREPARATION);
// and those of sessions. What an answer has is told in ocellus.d.mts.

import { sizeOf } from './arrays.mjs';
import { Session } from './engine.mjs';
import { OcellusError, named } from './error.mjs';

// Options of how a picture becomes a tensor; those that are texts, with the fields of oc_predictor_options that take them.
const PREPARED = { preset: 'preset', resize: 'resize', imageResize: 'image_resize', imageFill: 'image_fill',
  imageScale: 'image_scale', imageMean: 'image_mean', imageStd: 'image_std', imageChannels: 'image_channels', imageLayout: 'image_layout' };
export const PREPARATION = [...Object.keys(PREPARED), 'imageMultiple', 'imageNoEnlarge'];
const TEXTS = { as: 'as', picture: 'picture', ...PREPARED };
const NUMBERS = { least: 'setFloat64', overlap: 'setFloat64', top: 'setBigInt64' };
const aNumber = { isFine: Number.isFinite, expected: 'a number' }, aWhole = { isFine: Number.isSafeInteger, expected: 'a whole number' };
export const EXPECTED = { least: aNumber, overlap: aNumber, top: aWhole, imageMultiple: aWhole };
const FACTS = ['decoder', 'why', 'prepared', 'input', 'beside'];
const ARRAYS = [ // what an answer may have, with its kind and its dims
  ['boxes', Float32Array, a => [a.n, 4]],
  ['scores', Float32Array, a => [a.n]],
  ['labels', BigInt64Array, a => [a.n]],
  ['points', Float32Array, a => [a.n, a.n_points, 3]],
  ['corners', Float32Array, a => [a.n, 4, 2]],
  ['masks', Float32Array, a => [a.n, a.grid_height, a.grid_width]],
  ['classes', BigInt64Array, a => [a.grid_height, a.grid_width]],
  ['flow', Float32Array, a => [2, a.grid_height, a.grid_width]],
  ['depth', Float32Array, a => [a.grid_height, a.grid_width]],
];
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

// A message of the module, which names options as the command has them ('--image-resize'), with the names that scripts have ('imageResize').
const OPTION = /--((?:image-)?[a-z]+(?:-[a-z]+)*)/g;
export const camel = name => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
const OPTIONS = [...Object.keys(TEXTS), ...Object.keys(NUMBERS), ...PREPARATION, 'labels'];
const inScripts = text => text.replace(OPTION, (whole, name) => OPTIONS.includes(camel(name)) ? camel(name) : whole);

// Writes options for a call, which gets the address of oc_predictor_options and its size, and returns what the call does.
export function withOptions(ocellus, options, call) {
  const { place, calls } = ocellus, size = place.oc_predictor_options;
  if (!size)
    throw new OcellusError('UNSUPPORTED', 'this module was made for chosen operators: it prepares no pictures and has no predictors');
  for (const [option, { isFine, expected }] of Object.entries(EXPECTED))
    if (options[option] !== undefined && !isFine(options[option]))
      throw new OcellusError('ARGUMENT', `${option} is ${named(options[option])}, expected ${expected}`);
  const at = ocellus.take(size), held = [];
  const field = name => at + place['oc_predictor_options.' + name], hold = address => held[held.push(address) - 1];
  const set = (name, address) => ocellus.view().setUint32(field(name), address, true);
  try {
    for (const [option, name] of Object.entries(TEXTS)) {
      const value = options[option];
      if (value !== undefined && value !== null)
        set(name, hold(ocellus.putText(String(value))));
    }
    ocellus.view().setInt32(field('image_multiple'), options.imageMultiple ?? 0, true);
    ocellus.view().setUint8(field('image_no_enlarge'), options.imageNoEnlarge ? 1 : 0);
    for (const [option, setter] of Object.entries(NUMBERS))
      if (options[option] !== undefined) {
        const number = hold(ocellus.take(8));
        ocellus.view()[setter](number, option === 'top' ? BigInt(options.top) : options[option], true);
        set(option, number);
      }
    if (options.labels?.length) {
      const names = hold(ocellus.take(4 * options.labels.length));
      options.labels.forEach((label, i) => {
        const text = hold(ocellus.putText(label)); // memory may move
        ocellus.view().setUint32(names + 4 * i, text, true);
      });
      set('names', names);
      ocellus.view().setInt32(field('n_names'), options.labels.length, true);
    }
    return call(at, size);
  } catch (error) {
    throw error instanceof OcellusError ? new OcellusError(error.code, inScripts(error.message)) : error;
  } finally {
    held.forEach(address => calls.free(address));
    calls.free(at);
  }
}

export class Predictor {
  constructor(model, options = {}) {
    const { ocellus } = model;
    this.ocellus = ocellus;
    this.at = withOptions(ocellus, options, (at, size) => ocellus.call('oc_predictor_new_sized', model.at, at, size));
    try {
      this.session = new Session({ ocellus, at: ocellus.calls.oc_predictor_model(this.at) >>> 0 }, options);
    } catch (error) {
      ocellus.calls.oc_predictor_free(this.at);
      throw error;
    }
    FACTS.forEach((fact, kind) => {
      const at = ocellus.calls.oc_predictor_text(this.at, kind);
      this[fact] = at ? (fact === 'prepared' ? 'pictures ' : '') + inScripts(ocellus.text(at)) : null;
    });
    this.remarks = [];
    for (let i = 0, at; (at = ocellus.calls.oc_predictor_remark(this.at, i)); i++)
      this.remarks.push(inScripts(ocellus.text(at)));
  }

  // Calls use with the address of the photograph that a picture is.
  withPhotograph({ width, height, data }, use) {
    const { ocellus } = this, samples = ocellus.put(data);
    let photograph = 0;
    try {
      photograph = ocellus.call('oc_photograph_take', this.at, samples, height, width, data.length / (width * height), 0);
      return use(photograph);
    } finally {
      ocellus.calls.free(samples);
      ocellus.calls.oc_photograph_free(photograph);
    }
  }

  // The tensor that the network's input takes for a picture.
  tensor(picture) {
    const { ocellus } = this;
    return this.withPhotograph(picture, photograph => ocellus.readValue(ocellus.calls.oc_photograph_tensor(photograph)));
  }

  // Runs a picture. wish may have inputs, what else the network takes, draw: true, for `drawn`, the picture with the answer in it, and
  // crops: true, for `crops`, a picture of each object.
  answer(picture, { inputs = {}, draw = false, crops = false } = {}) {
    const { ocellus, session } = this;
    return this.withPhotograph(picture, photograph => {
      for (const [name, tensor] of Object.entries(inputs))
        session.set(name, tensor);
      ocellus.call('oc_photograph_bind', photograph, session.at);
      ocellus.call('oc_run', session.at);
      const answer = ocellus.call('oc_photograph_answer', photograph, session.at);
      try {
        const { file, ...told } = { objects: [], ...this.told(answer) }; // scripts know which picture it is
        return { ...told, ...this.arrays(answer), ...draw ? { drawn: this.picture('oc_answer_draw', answer) } : {},
          ...crops ? { crops: told.objects.map((_, i) => this.picture('oc_answer_crop', answer, i)) } : {} };
      } finally {
        ocellus.calls.oc_answer_free(answer);
      }
    });
  }

  told(answer) {
    return JSON.parse(decoder.decode(this.ocellus.written(to => this.ocellus.call('oc_answer_json', answer, to))));
  }

  arrays(answer) {
    const { ocellus } = this, { place } = ocellus, at = ocellus.take(place.oc_answer_info), found = {};
    ocellus.calls.oc_answer_describe_sized(answer, at, place.oc_answer_info);
    const whole = name => ocellus.view().getInt32(at + place['oc_answer_info.' + name], true);
    const sizes = Object.fromEntries(['n', 'n_points', 'grid_width', 'grid_height'].map(name => [name, whole(name)]));
    for (const [name, Kind, dimsOf] of ARRAYS) {
      const data = ocellus.read(at + place['oc_answer_info.' + name]), dims = dimsOf(sizes);
      if (data) {
        const count = sizeOf(dims);
        found[name] = { dims, data: new Kind(ocellus.bytes(data, count * Kind.BYTES_PER_ELEMENT).slice().buffer) };
      }
    }
    ocellus.calls.free(at);
    return { arrays: found };
  }

  // What a function of the module makes of an answer: the photograph with the answer in it, or what is cut out of it, as ImageData.
  picture(name, ...words) {
    const { ocellus } = this, { place } = ocellus, at = ocellus.take(place.oc_picture);
    try {
      ocellus.call(name, ...words, at);
      const field = name => ocellus.read(at + place['oc_picture.' + name]), width = field('width'), height = field('height');
      const from = ocellus.bytes(field('samples'), 3 * width * height), data = new Uint8ClampedArray(4 * width * height);
      for (let i = 0, j = 0; i < from.length; i += 3, j += 4) {
        data[j] = from[i];
        data[j + 1] = from[i + 1];
        data[j + 2] = from[i + 2];
        data[j + 3] = 255;
      }
      return { width, height, data };
    } finally {
      ocellus.calls.oc_picture_free(at);
      ocellus.calls.free(at);
    }
  }

  free() {
    this.session.free();
    this.ocellus.calls.oc_predictor_free(this.at);
    this.at = 0;
  }
}

// The tensor that an input of a model takes for a picture, prepared as options say: as engine.mjs' run takes it.
export function tensorOf(model, input, { width, height, data }, options = {}) {
  const { ocellus } = model, name = ocellus.putText(input), samples = ocellus.put(data), channels = data.length / (width * height);
  let value = 0;
  try {
    value = withOptions(ocellus, options, (at, size) =>
      ocellus.call('oc_picture_tensor_sized', model.at, name, samples, height, width, channels, at, size));
    return ocellus.readValue(value);
  } finally {
    ocellus.calls.free(name);
    ocellus.calls.free(samples);
    ocellus.calls.oc_value_free(value);
  }
}
