// SPDX-License-Identifier: Apache-2.0
// answer.mjs - what a network says of a picture, as a person reads it.
import { byId, element, short, table } from './dom.mjs';

const LINES = 200; // objects that are listed

const nameOf = ({ name, label }) => name ?? `label ${label}`;
const isClass = ({ box, corners, points }) => !box && !corners && !points;

function bars(objects) {
  return element('ol', { className: 'bars' }, ...objects.map(object => {
    const bar = element('meter', { 'aria-label': nameOf(object), min: 0, max: 1, value: Math.max(0, Math.min(1, object.score ?? 0)) });
    return element('li', {}, element('b', { textContent: nameOf(object) }), bar, element('span', { className: 'number', textContent: short(object.score ?? 0, 3) }));
  }));
}

function objectsTable(objects) {
  const hasPoints = objects.some(({ points }) => points), place = ({ box, corners }) => (box ?? corners?.flat() ?? []).map(v => short(v, 4)).join(', ');
  return table(`${objects.length} object${objects.length === 1 ? '' : 's'}`, ['what', 'score', 'left, top, right, bottom', ...hasPoints ? ['points'] : []],
    objects.slice(0, LINES).map(object => [nameOf(object), short(object.score ?? 0, 3), place(object), ...hasPoints ? [String(object.points?.length ?? 0)] : []]));
}

// Says it in a sentence, which a screen reader reads in place of the picture.
export function sentenceOf({ objects, text, arrays }) {
  if (text)
    return `reads '${text}'`;
  if (objects.length)
    return objects.slice(0, 5).map(object => `${nameOf(object)} ${short(object.score ?? 0, 2)}`).join(', ') + (objects.length > 5 ? ` and ${objects.length - 5} more` : '');
  return arrays.classes ? 'a class for each pixel' : arrays.depth ? 'a depth for each pixel' : arrays.flow ? 'a motion for each pixel' : 'nothing is found';
}

export function showAnswer(answer, label) {
  const { objects, text } = answer, parts = [];
  if (text)
    parts.push(element('blockquote', { textContent: text }));
  if (objects.length)
    parts.push(objects.every(isClass) && !text ? bars(objects) : objectsTable(objects));
  if (!parts.length)
    parts.push(element('p', { textContent: `${sentenceOf(answer)}.`.replace(/^./, c => c.toUpperCase()) }));
  if (objects.length && objects.every(({ name }) => name === null))
    parts.push(element('p', { className: 'soft', textContent: 'Drop a text file with a name on each line, and labels have names.' }));
  byId('objects').replaceChildren(...parts);
  byId('drawn').setAttribute('aria-label', `${label}: ${sentenceOf(answer)}`);
}
