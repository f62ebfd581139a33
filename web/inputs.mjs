// SPDX-License-Identifier: Apache-2.0
// inputs.mjs - what a model's inputs are given: files, pictures, numbers that are typed, and what is made up.
import { writeNumbers } from './arrays.mjs';
import { byId, element } from './dom.mjs';
import { ppmOf } from './pictures.mjs';

const SMALL = 64; // numbers that a line of text takes
const isSize = dim => Number.isInteger(dim) && dim >= 0;

const plain = name => name.replace(/[^\w.-]/g, '_');
const shapeText = ({ type, dims }) => `${type}[${dims ? dims.map(dim => dim === -1 ? '?' : dim).join(', ') : '...'}]`;

// Elements, of one where a dim is free.
const count = dims => dims.reduce((product, dim) => product * (isSize(dim) ? dim : 1), 1);

// Can its numbers be typed: are they few, and all dims known but a batch of one?
const isTyped = ({ kind, dims }) => kind === 'tensor' && Boolean(dims?.slice(1).every(isSize)) && count(dims) <= SMALL;

export class Inputs {
  // ports are those of a model. add(files, name) is called for files that are chosen for an input.
  constructor(ports, add) {
    this.ports = ports.filter(port => !port.optional);
    this.given = new Map(); // { label, path, bytes } or { label, picture }, by names
    this.add = add;
    this.show();
  }

  // The input that a file, or a picture, is for: the one that is named, the one that the file's name names, the first that looks like
  // it, the first without a value.
  inputFor(label, isPicture, name) {
    const open = this.ports.filter(port => !this.given.has(port.name)), stem = label.replace(/\.[^.]*$/, '');
    const found = this.ports.find(port => port.name === name) ?? open.find(port => port.name === stem) ??
      open.find(port => !isPicture || !isTyped(port)) ?? open[0] ?? (this.ports.length === 1 ? this.ports[0] : null);
    if (!found)
      throw new Error(`${label}: every input has a value`);
    return found.name;
  }

  give(label, value, name) {
    this.given.set(this.inputFor(label, Boolean(value.picture), name), { label, ...value });
    this.show();
  }

  show() {
    byId('inputs').replaceChildren(...this.ports.map((port, i) => this.#row(port, i)));
    const names = new Map(); // of sizes, with what they are at first
    for (const { dims } of this.ports)
      dims?.forEach((dim, axis) => typeof dim === 'string' && names.set(dim, axis && names.get(dim) !== 1 ? 64 : 1));
    for (const { name, dims } of this.ports)
      if (this.given.has(name))
        dims?.forEach(dim => names.delete(dim));
    byId('dims').replaceChildren(...[...names].map(([name, size]) => element('label', {}, `${name} `,
      element('input', { type: 'number', min: 0, name, value: size }))));
  }

  #row(port, i) {
    const id = `input-${i}`, value = this.given.get(port.name), file = element('input', { type: 'file', id, onchange: () => this.add(file.files, port.name) });
    const typed = !value && isTyped(port);
    return element('div', { className: 'input' },
      element('label', { for: typed ? `${id}-numbers` : id }, element('b', { textContent: port.name }), ` ${shapeText(port)}`), file,
      typed ? element('input', { id: `${id}-numbers`, name: port.name, className: 'numbers', placeholder: `${count(port.dims)} numbers; made up, if empty` })
        : element('span', { className: 'soft', textContent: value?.label ?? 'made up, without a file' }));
  }

  // Has every input a value that was given?
  get areGiven() {
    return this.ports.every(({ name }) => this.given.has(name));
  }

  // Is there a picture for an input that declares another size?
  get hasOtherSize() {
    return this.ports.some(({ name, dims }) => {
      const picture = this.given.get(name)?.picture;
      return picture && dims?.slice(1).every(isSize) && !(dims.includes(picture.width) && dims.includes(picture.height));
    });
  }

  // Words and files of the command. What is not given is made up.
  words() {
    const words = ['--fill', 'random'], files = {};
    for (const { name, dims } of this.ports) {
      const value = this.#valueOf(name, dims);
      if (!value)
        continue;
      files[value.path] = value.bytes;
      words.push('-i', `${name}=${value.path}`);
    }
    for (const { name, value } of byId('dims').querySelectorAll('input'))
      words.push('--dim', `${name}=${value}`);
    return { words: [...words, '--cast'], files };
  }

  #valueOf(name, dims) {
    const value = this.given.get(name), text = byId('inputs').querySelector(`input.numbers[name="${CSS.escape(name)}"]`)?.value.trim();
    if (value)
      return value.picture ? { path: value.picture.path, bytes: ppmOf(value.picture) } : value;
    if (!text)
      return null;
    const numbers = text.split(/[\s,;]+/).map(Number);
    if (numbers.some(Number.isNaN) || numbers.length !== count(dims))
      throw new Error(`input '${name}': expected ${count(dims)} numbers`);
    return { path: `${plain(name)}.npy`, bytes: writeNumbers(name, dims.map(dim => isSize(dim) ? dim : 1), numbers) };
  }
}

export const fileOf = async file => ({ path: plain(file.name), bytes: new Uint8Array(await file.arrayBuffer()) });
