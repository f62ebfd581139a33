// SPDX-License-Identifier: Apache-2.0
// page.js - the picture of a graph: draws what is in view, and tells about the node that is chosen.
'use strict';

const SVG = 'http://www.w3.org/2000/svg';
const STEP = 92, HEIGHT = 46; // from layer to layer; of a box
const DETAILS = 700; // the most boxes that are drawn with texts
const LEAST = 0.00005; // the zoom that has 100,000 layers in view
const SMALL = 0.5; // below this zoom marks are drawn larger than what they mark
const MARK = 9; // pixels of the screen that a mark is wide and high at least
const CELL = 24, CELLS = 336; // of a picture of a value: the most pixels of a cell, and of all in a row
const BAND = 64; // layers that share a list of lines
const SUPPORT = ['kernel', 'function body', "the model's function", 'not supported'];
const model = JSON.parse(document.getElementById('model').textContent);
const get = (id) => document.getElementById(id);
const picture = get('picture'), world = get('world'), side = get('side');

const boxes = model.boxes.map(([kind, part, x, layer, width, title, note, name, support, node, origin], id) =>
  ({ id, kind, part, x, layer, width, title, note, name, support, node, origin, y: layer * STEP }));
const lines = model.lines.map(([from, to, name, within, bends], id) =>
  ({ id, from: boxes[from], to: boxes[to], name, within, bends }));
const descriptions = new Map(model.descriptions);
const values = new Map(model.values.map((v) => [v.name, v]));
const parts = model.parts.map(([name, holder, right, layers]) => {
  const rows = Array.from({ length: layers }, () => []);
  return { name, holder: boxes[holder], right, rows, bands: [], long: [] };
});
for (const box of boxes) { // a run tells more than the shape rules
  const name = box.kind ? box.title : model.nodes[box.node].outputs[0]?.[0], value = box.part ? undefined : values.get(name);
  if (value) box.note = value.type;
}
for (const box of boxes) parts[box.part].rows[box.layer].push(box);
for (const part of parts) for (const row of part.rows) row.sort((a, b) => a.x - b.x);
for (const line of lines) {
  const part = parts[line.from.part], first = Math.floor(line.from.layer / BAND), last = Math.floor(line.to.layer / BAND);
  if (last - first > 8) part.long.push(line);
  else for (let i = first; i <= last; i++) (part.bands[i] ??= []).push(line);
  (line.from.out ??= []).push(line);
  (line.to.in ??= []).push(line);
}

let shown = parts[0], chosen = null, found = [], view = { x: 0, y: 0, k: 1 }, drawn = null;

// ---- drawing

function element(name, attributes, text, above) {
  const e = document.createElementNS(SVG, name);
  for (const key in attributes) e.setAttribute(key, attributes[key]);
  if (text !== undefined) e.textContent = text;
  if (above) above.append(e);
  return e;
}

const short = (text, most) => [...text].length > most ? [...text].slice(0, most - 1).join('') + '…' : text;

function wire(line) {
  const { from, to } = line;
  let x = from.x, y = from.y + HEIGHT, d = `M${x} ${y}`;
  const to_point = (nx, ny) => {
    const middle = (y + ny) / 2;
    d += `C${x} ${middle} ${nx} ${middle} ${nx} ${ny}`;
    [x, y] = [nx, ny];
  };
  line.bends.forEach((bend, i) => {
    const top = (from.layer + 1 + i) * STEP;
    to_point(bend, top);
    d += `V${top + HEIGHT}`;
    y = top + HEIGHT;
  });
  to_point(to.x, to.y - 3);
  return d;
}

function drawBox(box, above) {
  const port = box.kind > 0, left = box.x - box.width / 2;
  const g = element('g', { class: `box ${port ? 'port' : `s${box.support}`}`, 'data-box': box.id }, undefined, above);
  element('rect', { x: left, y: box.y, width: box.width, height: HEIGHT, rx: port ? HEIGHT / 2 : 9 }, undefined, g);
  if (!port) element('rect', { class: 'tab', x: left + 8, y: box.y + 9, width: 3.5, height: HEIGHT - 18, rx: 1.7 }, undefined, g);
  const most = Math.floor((box.width - 30) / 7.6);
  element('text', { x: box.x + (port ? 0 : 3), y: box.y + (box.note ? 20 : 28) }, short(box.title, most), g);
  if (box.note)
    element('text', { class: 'note', x: box.x + (port ? 0 : 3), y: box.y + 35 }, short(box.note, Math.floor((box.width - 22) / 6.2)), g);
  element('title', {}, box.name || box.title, g);
}

// All boxes as one path for each colour, and all lines as one.
function drawBlocks(list, wires, above) {
  element('path', { class: 'wire', d: wires.map(wire).join('') }, undefined, above);
  for (let s = 0; s < 5; s++) {
    const d = list.filter((b) => (b.kind > 0 ? 4 : b.support) === s)
      .map((b) => `M${b.x - b.width / 2} ${b.y}h${b.width}v${HEIGHT}h${-b.width}z`).join('');
    if (d) element('path', { class: `block ${s === 4 ? 'port' : `s${s}`}`, d }, undefined, above);
  }
}

function inView() {
  const { clientWidth: w, clientHeight: h } = picture, { x, y, k } = view;
  return { left: -x / k, top: -y / k, right: (w - x) / k, bottom: (h - y) / k };
}

// What lies in the area; boxes of a row are sorted by x.
function within(area) {
  const first = Math.max(0, Math.floor(area.top / STEP) - 1), last = Math.min(shown.rows.length - 1, Math.ceil(area.bottom / STEP));
  const list = [], wires = new Set(shown.long.filter((l) => l.from.layer <= last && l.to.layer >= first));
  for (let i = first; i <= last; i++) {
    const row = shown.rows[i];
    let low = 0, high = row.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (row[middle].x + 130 < area.left) low = middle + 1; else high = middle;
    }
    for (; low < row.length && row[low].x - 130 < area.right; low++) list.push(row[low]);
  }
  for (let i = Math.floor(first / BAND); i <= Math.floor(last / BAND); i++)
    for (const line of shown.bands[i] ?? [])
      if (line.from.layer <= last && line.to.layer >= first && Math.max(line.from.x, line.to.x, ...line.bends) >= area.left - 10 &&
          Math.min(line.from.x, line.to.x, ...line.bends) <= area.right + 10) wires.add(line);
  return { list, wires: [...wires] };
}

const around = ({ x, y, width }, least) => {
  const w = Math.max(width, least), h = Math.max(HEIGHT, least);
  return `M${x - w / 2} ${y + (HEIGHT - h) / 2}h${w}v${h}h${-w}z`;
};

// What is too small to be seen, or is drawn as one of many, has its marks above all.
function drawMarks() {
  const least = MARK / view.k, near = [...chosen?.in ?? [], ...chosen?.out ?? []];
  const marked = found.filter((box) => parts[box.part] === shown), at = chosen && parts[chosen.part] === shown;
  if (at && near.length) element('path', { class: 'mark wire chosen', d: near.map(wire).join('') }, undefined, world);
  if (marked.length) element('path', { class: 'mark found', d: marked.map((box) => around(box, least)).join('') }, undefined, world);
  if (at) element('path', { class: 'mark chosen', d: around(chosen, 1.6 * least) }, undefined, world);
  document.body.dataset.marks = `${marked.length} found ${at ? 1 : 0} chosen`;
}

function mark() {
  for (const e of world.querySelectorAll('.mark')) e.remove();
  for (const e of world.querySelectorAll('.chosen, .found')) e.classList.remove('chosen', 'found');
  delete document.body.dataset.marks;
  if (!drawn || drawn.plain || view.k < SMALL) {
    drawMarks();
    return;
  }
  for (const box of found) world.querySelector(`[data-box="${box.id}"]`)?.classList.add('found');
  if (!chosen) return;
  world.querySelector(`[data-box="${chosen.id}"]`)?.classList.add('chosen');
  for (const line of [...chosen.in ?? [], ...chosen.out ?? []])
    world.querySelector(`[data-line="${line.id}"]`)?.classList.add('chosen');
}

function draw() {
  const v = inView(), w = v.right - v.left, h = v.bottom - v.top;
  world.setAttribute('transform', `translate(${view.x} ${view.y}) scale(${view.k})`);
  if (drawn && drawn.part === shown && drawn.k < view.k * 2 && drawn.k > view.k / 2 && drawn.k < SMALL === view.k < SMALL &&
      v.left >= drawn.left && v.right <= drawn.right && v.top >= drawn.top && v.bottom <= drawn.bottom) return;
  drawn = { left: v.left - w / 2, right: v.right + w / 2, top: v.top - h / 2, bottom: v.bottom + h / 2, k: view.k, part: shown };
  const { list, wires } = within(drawn);
  const plain = drawn.plain = list.length > DETAILS;
  const above = document.createDocumentFragment();
  if (plain) drawBlocks(list, wires.slice(0, 20000), above);
  else {
    for (const line of wires) {
      const path = element('path', { class: line.within ? 'wire within' : 'wire', d: wire(line), 'data-line': line.id,
        'marker-end': 'url(#arrow)' }, undefined, above);
      element('title', {}, line.name, path);
    }
    for (const box of list) drawBox(box, above);
  }
  world.replaceChildren(above);
  document.body.dataset.drawn = `${list.length} ${plain ? 'blocks' : 'boxes'} ${wires.length} lines`;
  mark();
}

let waiting = false;
function redraw() {
  if (!waiting) requestAnimationFrame(() => { waiting = false; draw(); });
  waiting = true;
}

// ---- moving

function zoom(factor, x = picture.clientWidth / 2, y = picture.clientHeight / 2) {
  const k = Math.min(3, Math.max(LEAST, view.k * factor));
  view = { x: x - (x - view.x) * k / view.k, y: y - (y - view.y) * k / view.k, k };
  redraw();
}

function fit(least) {
  const width = shown.right + 40, height = shown.rows.length * STEP + 40, w = picture.clientWidth, h = picture.clientHeight;
  const k = Math.max(least, Math.min(1, w / width, (h - 60) / height));
  view = { x: (w - width * k) / 2 + 20 * k, y: Math.max(60, (h - height * k) / 2 + 20 * k), k };
  redraw();
}

function lookAt(box) {
  if (parts[box.part] !== shown) show(box.part);
  view.k = Math.max(view.k, 0.75);
  view = { k: view.k, x: picture.clientWidth / 2 - box.x * view.k, y: picture.clientHeight / 2 - (box.y + HEIGHT / 2) * view.k };
  redraw();
}

// All of the graph, or, where that would be too small to read, its beginning: the first input at the top.
function show(number) {
  shown = parts[number];
  drawn = null;
  get('parts').value = number;
  fit(0.75);
  const first = boxes.find((b) => b.part === number && b.kind === 1) ?? shown.rows[0]?.[0];
  const { left, top, right, bottom } = inView();
  if (first && (left > 0 || top > 0 || right < shown.right || bottom < shown.rows.length * STEP))
    view = { k: view.k, x: beside(first), y: 60 - first.y * view.k };
}

// The place of the left edge from which the layers that are in view with the box are in the middle; where they are wider than the
// screen the box is, unless that leaves room free on a side.
function beside({ x, layer }) {
  const w = picture.clientWidth, room = Math.min(40, w / 20), k = view.k;
  const rows = shown.rows.slice(layer, layer + Math.ceil(picture.clientHeight / k / STEP)).filter((row) => row.length);
  const left = Math.min(...rows.map((row) => row[0].x - row[0].width / 2)) * k;
  const right = Math.max(...rows.map((row) => row.at(-1).x + row.at(-1).width / 2)) * k;
  return right - left + 2 * room < w ? (w - left - right) / 2 : Math.max(w - room - right, Math.min(room - left, w / 2 - x * k));
}

// The box at a point of the screen, of those that are drawn as blocks too.
function boxAt(e) {
  const at = picture.getBoundingClientRect(), x = (e.clientX - at.left - view.x) / view.k, y = (e.clientY - at.top - view.y) / view.k;
  const least = MARK / view.k / 2;
  const far = (b) => Math.hypot(Math.max(0, Math.abs(b.x - x) - b.width / 2), Math.max(0, Math.abs(b.y + HEIGHT / 2 - y) - HEIGHT / 2));
  const near = within({ left: x - least, right: x + least, top: y - least, bottom: y + least }).list.filter((b) => far(b) < least);
  return near.reduce((best, b) => best && far(best) <= far(b) ? best : b, null);
}

// Fingers and the pressed mouse, where they are. One moves the graph, two zoom it too.
const held = new Map();
let moved = 0;
function grip() {
  const at = picture.getBoundingClientRect(), [a, b = a] = [...held.values()];
  return { x: (a.x + b.x) / 2 - at.left, y: (a.y + b.y) / 2 - at.top, far: Math.hypot(a.x - b.x, a.y - b.y) };
}
picture.addEventListener('pointerdown', (e) => {
  if (!held.size) moved = 0;
  held.set(e.pointerId, { x: e.clientX, y: e.clientY });
});
addEventListener('pointermove', (e) => {
  const one = held.get(e.pointerId);
  if (!one) return;
  const before = grip();
  moved += Math.hypot(e.clientX - one.x, e.clientY - one.y);
  Object.assign(one, { x: e.clientX, y: e.clientY });
  const now = grip();
  view = { k: view.k, x: view.x + now.x - before.x, y: view.y + now.y - before.y };
  if (before.far && now.far) zoom(now.far / before.far, now.x, now.y);
  picture.classList.add('moves');
  redraw();
});
function release(e) {
  if (!held.delete(e.pointerId) || held.size) return;
  picture.classList.remove('moves');
  if (moved < 4 && e.type === 'pointerup') choose(boxAt(e));
}
addEventListener('pointerup', release);
addEventListener('pointercancel', release);
picture.addEventListener('wheel', (e) => {
  e.preventDefault();
  const at = picture.getBoundingClientRect();
  zoom(Math.exp(-e.deltaY * (e.deltaMode ? 0.05 : 0.0016)), e.clientX - at.left, e.clientY - at.top);
}, { passive: false });
let wide = picture.clientWidth;
addEventListener('resize', () => {
  view = { ...view, x: view.x + (picture.clientWidth - wide) / 2 };
  wide = picture.clientWidth;
  drawn = null;
  redraw();
});
get('in').onclick = () => zoom(1.4);
get('out').onclick = () => zoom(1 / 1.4);
get('fit').onclick = () => fit(LEAST);

// ---- telling

function html(name, { text, ...attributes }, ...children) {
  const e = document.createElement(name);
  for (const key in attributes) if (key === 'onclick') e.onclick = attributes[key]; else e.setAttribute(key, attributes[key]);
  if (text !== undefined) e.textContent = text;
  e.append(...children);
  return e;
}

const facts = (pairs) => html('dl', {}, ...pairs.flatMap(([key, text]) => [html('dt', { text: key }), html('dd', { text })]));

function heat(v) {
  const canvas = html('canvas', { width: v.width, height: v.height, title: 'the last two axes without a 1 behind them, others at 0' });
  canvas.style.width = `${Math.min(CELL * v.width, CELLS)}px`;
  const c = canvas.getContext('2d'), style = getComputedStyle(document.body);
  [...v.cells].forEach((level, i) => {
    c.fillStyle = style.getPropertyValue(level === 'x' ? '--lx' : `--l${level}`);
    c.fillRect(i % v.width, Math.floor(i / v.width), 1, 1);
  });
  return canvas;
}

function tellValue(name) {
  const v = values.get(name);
  if (!v) return [];
  const told = [facts([...v.least === undefined ? [] : [['least', v.least], ['greatest', v.greatest], ['mean', v.mean]],
    ...v.nan ? [['NaN', v.nan]] : [], ...v.inf ? [['infinite', v.inf]] : []])];
  if (v.numbers) told.push(html('code', { class: 'numbers', text: v.numbers }));
  if (v.cells) told.push(heat(v));
  return told;
}

function valueItem([name, type, weight], box, inward) {
  const line = (inward ? box.in : box.out)?.find((l) => l.name === name);
  const item = html('li', line ? { class: 'go', onclick: () => { choose(inward ? line.from : line.to); lookAt(chosen); } } : {});
  if (weight) item.append(html('span', { class: 'weight', text: 'weight' }));
  item.append(html('span', { text: name || '(none)' }),
    html('code', { text: (!box.part && values.get(name)?.type) || type || 'type not known' }));
  if (!inward && !box.part) item.append(...tellValue(name));
  return item;
}

function section(title, items) {
  return items.length ? [html('h3', { text: title }), html('ul', {}, ...items)] : [];
}

function tellNode(box) {
  const n = model.nodes[box.node];
  const inner = parts.flatMap((part, i) => part.holder === box
    ? [html('li', { class: 'go', onclick: () => show(i) }, html('span', { text: part.name }), html('code', { text: 'open this graph' }))] : []);
  return [html('h2', { text: box.title }), html('div', { class: 'soft', text: box.name || `node ${box.node}` }),
    html('div', { class: `tag s${box.support}`, text: SUPPORT[box.support] }), html('h3', { text: 'Node' }),
    facts([['number', box.node], ['opset', n.opset], ...n.since ? [['since', n.since]] : [], ...n.macs ? [['MACs', n.macs.toLocaleString('en')]] : []]),
    ...section('Attributes', n.attributes.map((text) => html('li', {}, html('code', { class: 'numbers', text })))),
    ...section('Graphs within', inner),
    ...section('Inputs', n.inputs.map((v) => valueItem(v, box, true))),
    ...section('Outputs', n.outputs.map((v) => valueItem(v, box, false)))];
}

function tellPort(box) {
  const name = box.title, go = boxes[box.origin];
  const told = [html('h2', { text: name }), html('div', { class: 'soft', text: box.kind === 1 ? 'comes into this graph' : 'output of the model' }),
    ...box.part ? [] : about(descriptions.get(name)), html('h3', { text: 'Value' }),
    html('code', { class: 'numbers', text: box.note || 'type not known' }), ...box.part ? [] : tellValue(name)];
  if (go) told.push(...section('Made by', [html('li', { class: 'go', text: go.title, onclick: () => { choose(go); lookAt(go); } })]));
  return told;
}

// An input or output of the model, from which its box is found.
function portItem(box) {
  return html('li', { class: 'go', onclick: () => { choose(box); lookAt(box); } }, html('span', { text: box.title }),
    html('code', { text: box.note || 'type not known' }), ...about(descriptions.get(box.title)));
}

const about = (text) => text ? [html('div', { class: 'about', text })] : [];
const ports = (kind) => boxes.filter((box) => box.kind === kind && !box.part).map(portItem);
const lines_of = (texts) => texts.map((text) => html('li', {}, html('code', { text })));

function tellModel() {
  return [html('h2', { text: model.graph || 'Model' }), html('div', { class: 'soft', text: model.path }),
    ...model.description.flatMap(about), ...section('Problems', lines_of(model.problems)),
    ...section('Remarks', lines_of(model.remarks)), ...section('Inputs', ports(1)), ...section('Outputs', ports(2)),
    html('h3', { text: 'Model' }), facts(model.facts),
    ...model.metadata.length ? [html('h3', { text: 'Metadata' }), facts(model.metadata)] : [],
    html('h3', { text: 'How to look around' }),
    html('div', { class: 'soft', text: 'Drag to move, turn the wheel or use two fingers to zoom, click a node. "/" searches, "0" shows all.' })];
}

function choose(box) {
  chosen = box;
  side.replaceChildren(...!box ? tellModel() : box.kind ? tellPort(box) : tellNode(box));
  document.body.dataset.chosen = box ? box.id : '';
  mark();
}

// ---- finding

let turn = 0;
function find(text) {
  const words = text.toLowerCase();
  found = !words ? [] : boxes.filter((b) => b.title.toLowerCase().includes(words) || b.name.toLowerCase().includes(words) ||
    (b.node >= 0 && model.nodes[b.node].outputs.some(([name]) => name.toLowerCase().includes(words))));
  get('found').textContent = words ? `${found.length} found` : '';
  turn = 0;
  mark();
}
get('search').addEventListener('input', (e) => find(e.target.value));
get('search').addEventListener('keydown', (e) => {
  if (e.key === 'Enter' && found.length) { choose(found[turn++ % found.length]); lookAt(chosen); }
  if (e.key === 'Escape') e.target.blur();
});
addEventListener('keydown', (e) => {
  if (/INPUT|SELECT/.test(e.target.tagName) || e.ctrlKey || e.metaKey || e.altKey) return;
  const keys = { '+': () => zoom(1.4), '-': () => zoom(1 / 1.4), 0: () => fit(LEAST), Escape: () => choose(null),
    '/': () => { e.preventDefault(); get('search').focus(); } };
  keys[e.key]?.();
});

// ---- beginning

const counts = [0, 0, 0, 0];
for (const box of boxes) if (box.kind === 0) counts[box.support]++;
counts.forEach((n, i) => { if (n) get('legend').append(html('span', { class: `s${i}` }, html('i', {}), html('b', { text: n }), ` ${SUPPORT[i]}`)); });
parts.forEach((part, i) => get('parts').append(html('option', { value: i, text: i ? `${part.name} of ${part.holder.name || part.holder.title}` : 'main graph' })));
get('parts').hidden = parts.length < 2;
get('parts').onchange = (e) => show(+e.target.value);
show(0);
const asked = new URLSearchParams(location.hash.slice(1)); // node=NUMBER, find=TEXT, fit
const first = asked.has('node') ? boxes.find((b) => b.node === +asked.get('node')) : undefined;
choose(first ?? null);
if (first) lookAt(first);
if (asked.has('find')) find(get('search').value = asked.get('find'));
if (asked.has('fit')) fit(LEAST);
draw();
document.body.dataset.ready = `${boxes.length} boxes, ${lines.length} lines, ${parts.length} graphs`;
