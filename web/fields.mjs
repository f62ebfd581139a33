// SPDX-License-Identifier: Apache-2.0
// fields.mjs - fields for the command's options of decoders and pictures, made from the command's own help.
import { command } from '../js/ocellus.mjs';
import { EXPECTED, camel } from '../js/predictor.mjs';
import { byId, element } from './dom.mjs';

// Names of the options, by the element that their fields are in, with what the fields are called.
const GROUPS = {
  decoder: { as: 'decoder', least: 'least score', overlap: 'greatest overlap (IoU)', top: 'most objects or classes',
    unfused: 'exact bits, or fast' },
  preparation: { preset: 'preset', 'image-resize': 'size', resize: 'filter', 'image-layout': 'layout', 'image-channels': 'channels',
    'image-mean': 'mean', 'image-std': 'deviation', 'image-scale': 'scale', 'image-fill': 'fill', 'image-multiple': 'sides are multiples of',
    'image-no-enlarge': 'small pictures stay small' },
};
const ITSELF = ['auto', 'none']; // what stands for no choice

async function told(...words) {
  return JSON.parse((await command([...words, '--json'])).out);
}

function field(called, { name, value, help, choices }) {
  const id = `option-${name}`, text = `${help[0].toUpperCase()}${help.slice(1)}.`;
  const input = value === null ? element('input', { type: 'checkbox' })
    : choices.length ? element('select', {}, new Option('by itself', ''), ...choices.filter(c => !ITSELF.includes(c)).map(c => new Option(c)))
      : element('input', { placeholder: SHOWN[name] ? `as ${SHOWN[name]}` : value, autocomplete: 'off', spellcheck: false });
  Object.assign(input, { id, name, title: `--${name}: ${text}` });
  return element('label', { for: id, title: `--${name}: ${text}` }, called, input);
}

// What a field may have, where its help only names the kind.
const SHOWN = { 'image-resize': 'fit:640x640', least: '0.25', overlap: '0.45', top: '5', 'image-mean': '0.485,0.456,0.406', 'image-std': '0.229,0.224,0.225',
  'image-scale': '0.00392', 'image-fill': '114', 'image-multiple': '32' };

// Makes the fields; changed() is called whenever one has another value.
export async function makeFields(changed) {
  const [{ options }, { decoders }] = await Promise.all([told('help', 'predict'), told('predict', '--as', 'list')]);
  for (const [group, names] of Object.entries(GROUPS))
    byId(group).replaceChildren(...Object.entries(names).map(([name, called]) => {
      const option = options.find(o => o.name === `--${name}`);
      return field(called, { ...option, name, choices: name === 'as' ? decoders.map(d => d.name) : option.choices });
    }));
  for (const { name, about } of decoders)
    byId('option-as').querySelector(`option[value="${name}"]`)?.setAttribute('title', about);
  for (const input of inputs())
    input.onchange = changed;
}

const inputs = () => document.querySelectorAll('#decoder input, #decoder select, #preparation input, #preparation select');
const set = () => [...inputs()].filter(input => input.type === 'checkbox' ? input.checked : input.value.trim());

// What is set: as options of the package, and of some groups as words of the command.
export const optionsSet = () => Object.fromEntries(set().map(({ name, type, value, checked }) =>
  [camel(name), type === 'checkbox' ? checked : camel(name) in EXPECTED ? Number(value) : value.trim()]));
export const wordsSet = groups => set().filter(({ name }) => groups.some(group => name in GROUPS[group]))
  .flatMap(({ name, type, value }) => type === 'checkbox' ? [`--${name}`] : [`--${name}`, value.trim()]);

export const clearFields = () => inputs().forEach(input => Object.assign(input, input.type === 'checkbox' ? { checked: false } : { value: '' }));
