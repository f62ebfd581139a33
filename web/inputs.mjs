// SPDX-License-Identifier: Apache-2.0
// inputs.mjs - what a model's inputs are given: files, pictures, numbers that are typed, and what is made up.
import { byId, element } from './dom.mjs';
import { stemOf } from './lines.mjs';
import { ppmOf } from './pictures.mjs';

const SMALL = 64; // numbers that a line of text takes
const isSize = dim => Number.isInteger(dim) && dim >= 0;

export const shapeText = ({ type, dims }) => `${type}[${dims ? dims.map(dim => dim === -1 ? '?' : dim).join(', ') : '...'}]`;

// Elements, of one where a dim is free.
const count = dims => dims.reduce((product, dim) => product * (isSize(dim) ? dim : 1), 1);

// Can its numbers be typed: are they few, and all dims known but a batch of one?
const isTyped = ({ kind, dims }) => kind === 'tensor' && Boolean(dims?.slice(1).every(isSize)) && count(dims) <= SMALL;

// Width and height that the input of a picture declares; null: it leaves them open.
function sizeOf(dims) {
  if (dims?.length !== 4 || !dims.slice(1).every(isSize))
    return null;
  const [height, width] = [1, 3, 4].includes(dims[1]) ? dims.slice(2) : dims.slice(1);
  return { width, height };
}

// Words in lists of lists, as dims nest them.
function nested(words, dims) {
  if (dims.length === 0)
    return words[0];
  const inner = words.length / dims[0];
  return `[${Array.from({ length: dims[0] }, (_, i) => nested(words.slice(i * inner, (i + 1) * inner), dims.slice(1))).join(',')}]`;
}

export class Inputs {
  // ports are those of a model. add(files, name) is called for files that are chosen for an input.
  constructor(ports, add) {
    this.ports = ports.filter(port => !port.optional);
    this.given = new Map(); // { label, path, bytes } or { label, picture }, by names
    this.typed = new Map(); // texts, by names
    this.sizes = new Map(); // of symbolic dims, by names
    this.add = add;
    this.show();
  }

  // The input that a file, or a picture, is for: the one that is named, the one that the file's name names, for a picture the one that has a
  // picture, the first that looks like it, the first without a value.
  inputFor(label, isPicture, name) {
    const open = this.ports.filter(port => !this.given.has(port.name)), stem = stemOf(label);
    const found = this.ports.find(port => port.name === name) ?? open.find(port => port.name === stem) ??
      this.ports.find(port => isPicture && this.given.get(port.name)?.picture) ??
      open.find(port => !isPicture || !isTyped(port)) ?? (isPicture ? null : open[0]) ?? (this.ports.length === 1 ? this.ports[0] : null);
    if (!found)
      throw new Error(isPicture ? `${label}: no input looks like a picture` : `${label}: every input has a value`);
    return found.name;
  }

  give(label, value, name) {
    const input = this.inputFor(label, Boolean(value.picture), name);
    this.given.set(input, { label, ...value });
    this.typed.delete(input);
    this.show();
  }

  type(name, text) {
    this.typed.set(name, text);
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
      element('input', { type: 'number', min: 0, name, value: this.sizes.get(name) ?? size,
        oninput: ({ target }) => this.sizes.set(name, target.value) }))));
  }

  #row(port, i) {
    const id = `input-${i}`, value = this.given.get(port.name), typed = !value && isTyped(port);
    const file = element('input', { type: 'file', id, 'aria-label': `a file for ${port.name}`, onchange: () => this.add(file.files, port.name) });
    return element('div', { className: 'input' },
      element('label', { for: typed ? `${id}-numbers` : id }, element('b', { textContent: port.name }), ` ${shapeText(port)}`), file,
      typed ? element('input', { id: `${id}-numbers`, name: port.name, className: 'numbers', value: this.typed.get(port.name) ?? '',
        placeholder: `${count(port.dims)} numbers; made up, if empty`, oninput: ({ target }) => this.typed.set(port.name, target.value) })
        : element('span', { className: 'soft', textContent: value?.label ?? 'made up, without a file' }));
  }

  // Has every input a value that was given?
  get areGiven() {
    return this.ports.every(({ name }) => this.given.has(name) || this.typed.get(name)?.trim());
  }

  get pictures() {
    return [...this.given.values()].map(value => value.picture).filter(Boolean);
  }

  // Is there a picture for an input that declares another size?
  get hasOtherSize() {
    return this.ports.some(({ name, dims }) => {
      const picture = this.given.get(name)?.picture, size = sizeOf(dims);
      return picture && size && !(size.width === picture.width && size.height === picture.height);
    });
  }

  sizeWords() {
    return [...byId('dims').querySelectorAll('input')].flatMap(({ name, value }) => ['--dim', `${name}=${value}`]);
  }

  // Words and files of the command. What is not given is made up.
  words() {
    const words = this.areGiven ? [] : ['--fill', 'random'], files = {};
    for (const { name, dims } of this.ports) {
      const value = this.given.get(name), text = this.typed.get(name)?.trim();
      if (!value && text)
        words.push('-i', `${name}=${this.#numbers(name, dims, text)}`);
      if (!value)
        continue;
      let path = value.picture?.path ?? value.path;
      while (path in files)
        path = `another-${path}`;
      files[path] = value.picture ? ppmOf(value.picture) : value.bytes;
      words.push('-i', `${name}=${path}`);
    }
    return { words: [...words, ...this.sizeWords(), '--cast'], files };
  }

  // Numbers as the command takes them on its line.
  #numbers(name, dims, text) {
    const words = text.split(/[\s,;]+/).filter(Boolean);
    if (words.length !== count(dims) || words.some(word => Number.isNaN(Number(word))))
      throw new Error(`input '${name}': expected ${count(dims)} numbers`);
    return nested(words, dims.map(dim => isSize(dim) ? dim : 1));
  }
}
