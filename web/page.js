// page.js - a model, its inputs and what the command makes of them.
'use strict';

const byId = id => document.getElementById(id);
const isModel = name => /\.onnx(txt)?$/i.test(name);
const isRead = name => /\.(npy|pb|ppm|pgm|pbm|pnm|bmp)$/i.test(name); // by the command, as it is
const plain = name => name.replace(/[^\w.-]/g, '_');
const small = 64; // numbers that a line of text takes

// ---- the command, in a worker

const calls = new Map();
let worker, next = 0;

async function start() {
  const packed = Uint8Array.from(atob(byId('program').textContent), c => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  const program = await WebAssembly.compile(await new Response(stream).arrayBuffer());
  const source = byId('glue').textContent + '\n' + byId('worker').textContent;
  worker = new Worker(URL.createObjectURL(new Blob([source], {type: 'text/javascript'})));
  worker.onmessage = ({data}) => {
    const {resolve, reject} = calls.get(data.id);
    calls.delete(data.id);
    data.failure ? reject(new Error(data.failure)) : resolve(data.result);
  };
  worker.postMessage({program});
}
const ready = start();

async function ocellus(words, files = {}, read = []) {
  await ready;
  byId('lines').textContent += 'ocellus ' + words.map(w => /^[\w.,=/:+-]+$/.test(w) ? w : `'${w}'`).join(' ') + '\n';
  return new Promise((resolve, reject) => {
    calls.set(++next, {resolve, reject});
    worker.postMessage({id: next, words, files, read});
  });
}

// ---- the model

let model = null;          // {path, bytes, info}
const given = new Map();   // input -> {path, bytes, text}

function say(text, bad = false) {
  byId('state').textContent = text;
  byId('state').classList.toggle('bad', bad);
  document.body.dataset.state = bad ? 'failed' : text ? 'busy' : 'ready';
}

function shapeText({type, shape}) {
  return `${type}[${shape ? shape.map(d => d ?? '?').join(', ') : '...'}]`;
}

async function openModel(name, bytes) {
  const path = plain(name);
  byId('model').hidden = false;
  byId('name').textContent = name;
  byId('facts').textContent = '';
  byId('inputs').replaceChildren();
  say('reads the model');
  const {code, out} = await ocellus(['inspect', path, '--json'], {[path]: bytes});
  const info = JSON.parse(out);
  for (const id of ['results', 'graph'])
    byId(id).hidden = true;
  given.clear();
  model = info.error ? null : {path, bytes, info};
  byId('form').hidden = false; // it tells what was wrong, too
  if (!model) {
    say(info.error.text, true);
    return;
  }
  const missing = info.operators.filter(o => o.runs_as === 'unsupported').map(o => o.name);
  byId('facts').textContent = `${info.nodes} nodes, ${info.parameters} parameters, opset ` +
    Object.entries(info.opsets).map(([domain, version]) => `${domain} ${version}`).join(', ') +
    (info.producer ? `, made by ${info.producer}` : '') + (missing.length ? `; not in this build: ${missing.join(', ')}` : '');
  showInputs();
  say(code === 0 ? '' : code === 4 ? 'some of its operators are not in this build' : 'it has problems', code !== 0);
  await showGraph([]);
}

const openInputs = () => model.info.inputs.filter(port => !port.has_default);

// Elements, of one where a dim is free.
function count(shape) {
  return shape.map(d => Number.isInteger(d) ? d : 1).reduce((a, b) => a * b, 1);
}

// Whether its numbers can be typed: few, and all dims known but a batch of one.
function isTyped(port) {
  return port.kind === 'tensor' && (port.shape?.slice(1).every(Number.isInteger) ?? false) && count(port.shape) <= small;
}

function showInputs() {
  byId('inputs').replaceChildren(...openInputs().map(port => {
    const row = document.createElement('div'), label = document.createElement('label'), value = given.get(port.name);
    row.className = 'input';
    label.append(Object.assign(document.createElement('b'), {textContent: port.name}), ' ' + shapeText(port));
    const file = Object.assign(document.createElement('input'), {type: 'file'});
    file.onchange = () => addFiles(file.files, port.name);
    row.append(label, file);
    if (value)
      row.append(Object.assign(document.createElement('span'), {className: 'soft', textContent: value.text}));
    else if (isTyped(port))
      row.append(Object.assign(document.createElement('input'), {className: 'numbers', name: port.name,
        placeholder: `${count(port.shape)} numbers; made up, if empty`}));
    else
      row.append(Object.assign(document.createElement('span'), {className: 'soft', textContent: 'made up, without a file'}));
    return row;
  }));
  const names = new Set();
  for (const port of openInputs())
    (port.shape ?? []).forEach((d, axis) => typeof d === 'string' && names.add(d + (axis ? '' : '\n')));
  const filled = new Set(openInputs().filter(p => given.has(p.name)).flatMap(p => p.shape ?? []));
  byId('dims').replaceChildren(...[...names].filter(n => !filled.has(n.trim())).map(name => {
    const label = document.createElement('label');
    label.append(name.trim() + ' ', Object.assign(document.createElement('input'), {type: 'number', min: 0, name: name.trim(),
      value: name.endsWith('\n') ? 1 : 64}));
    return label;
  }));
}

// Words and files of the inputs, as the fields and dropped files give them.
function inputWords() {
  const words = ['--fill', 'random'], files = {[model.path]: model.bytes};
  let cast = false;
  for (const port of openInputs()) {
    let value = given.get(port.name);
    const text = byId('inputs').querySelector(`input.numbers[name="${CSS.escape(port.name)}"]`)?.value ?? '';
    if (text.trim()) {
      const numbers = text.trim().split(/[\s,;]+/).map(Number);
      if (numbers.some(Number.isNaN) || numbers.length !== count(port.shape))
        throw new Error(`input '${port.name}': expected ${count(port.shape)} numbers`);
      value = {path: plain(port.name) + '.npy', bytes: writeNpy('<f8', port.shape.map(d => Number.isInteger(d) ? d : 1),
        new Float64Array(numbers))};
      cast = true;
    }
    if (value) {
      files[value.path] = value.bytes;
      words.push('-i', `${port.name}=${value.path}`);
    }
  }
  for (const field of byId('dims').querySelectorAll('input'))
    words.push('--dim', `${field.name}=${field.value}`);
  return {words: cast ? [...words, '--cast'] : words, files};
}

async function run() {
  say('runs');
  const {words, files} = inputWords(), begin = performance.now();
  const {code, out, err, files: found} = await ocellus(['run', model.path, ...words, '-o', 'out/', '--memory-cap', '2G'],
    files, ['out/']);
  const took = performance.now() - begin;
  if (code !== 0) {
    say((err || out).replace(/^ocellus: /gm, ''), true);
    return;
  }
  byId('results').hidden = false;
  byId('outputs').replaceChildren(...Object.entries(found).map(([path, bytes]) => outputOf(path.slice(4), bytes)));
  await showGraph(words);
  say('');
  byId('state').textContent = `${took.toFixed(0)} ms. ${err.replace(/^ocellus: /gm, '')}`;
}

function save(name, blob) {
  Object.assign(document.createElement('a'), {href: URL.createObjectURL(blob), download: name}).click();
}

function button(text, act) {
  return Object.assign(document.createElement('button'), {type: 'button', textContent: text, onclick: act});
}

function outputOf(name, bytes) {
  const box = document.createElement('article'), canvas = document.createElement('canvas');
  const value = name.endsWith('.npy') ? readNpy(bytes) : null, title = document.createElement('h3');
  title.textContent = name.replace(/\.npy$/, '');
  box.append(title);
  if (value) {
    const note = document.createElement('p');
    note.className = 'soft';
    note.textContent = `${value.type.slice(1)} [${value.shape.join(', ')}]`;
    if (value.data?.length) {
      const numbers = Array.from(value.data, Number), n = numbers.length;
      const [least, most, sum] = numbers.reduce(([a, b, s], v) => [Math.min(a, v), Math.max(b, v), s + v], [Infinity, -Infinity, 0]);
      note.textContent += `, least ${+least.toPrecision(6)}, greatest ${+most.toPrecision(6)}, mean ${+(sum / n).toPrecision(6)}`;
      box.append(note, Object.assign(document.createElement('code'), {
        textContent: numbers.slice(0, 12).map(v => +v.toPrecision(5)).join(', ') + (n > 12 ? ', ...' : '')}));
    } else {
      box.append(note);
    }
    if (paint(value, canvas))
      box.append(canvas, button('Save PNG', () => canvas.toBlob(blob => save(title.textContent + '.png', blob))));
  }
  box.append(button('Save ' + name.replace(/.*\./, '.'), () => save(name, new Blob([bytes]))));
  return box;
}

async function showGraph(words) {
  const {files} = words.length ? inputWords() : {files: {[model.path]: model.bytes}};
  const made = await ocellus(['inspect', model.path, '--html', 'graph.html', ...words], files, ['graph.html']);
  const page = made.files['graph.html'];
  byId('graph').hidden = !page;
  if (page)
    byId('picture').src = URL.createObjectURL(new Blob([page], {type: 'text/html'}));
}

// ---- files

async function addFiles(files, input = null) {
  try {
    for (const file of [...files].sort((a, b) => isModel(b.name) - isModel(a.name))) {
      if (isModel(file.name))
        await openModel(file.name, new Uint8Array(await file.arrayBuffer()));
      else
        await addValue(file, input);
    }
  } catch (error) {
    say(error.message, true);
  }
}

// A picture goes to the first open input that could be one, another file to the first open input, unless its name tells.
async function addValue(file, input) {
  if (!model)
    throw new Error(`${file.name}: drop a model first`);
  const isPicture = !/\.(npy|pb)$/i.test(file.name), open = openInputs().filter(port => !given.has(port.name));
  const named = open.find(port => port.name === file.name.replace(/\.[^.]*$/, ''));
  const port = open.find(p => p.name === input) ?? named ?? open.find(p => !isPicture || !isTyped(p)) ??
    open[0] ?? openInputs().find(p => p.name === input);
  if (!port)
    throw new Error(`${file.name}: every input has a value`);
  const bytes = isRead(file.name) ? new Uint8Array(await file.arrayBuffer()) : await toPnm(file);
  const path = plain(file.name) + (isRead(file.name) ? '' : '.ppm');
  given.set(port.name, {path, bytes, text: file.name});
  showInputs();
  say('');
}

byId('open').onchange = event => addFiles(event.target.files);
addEventListener('dragover', event => event.preventDefault());
addEventListener('drop', event => {
  event.preventDefault();
  addFiles(event.dataTransfer.files);
});
byId('form').onsubmit = event => {
  event.preventDefault();
  run().catch(error => say(error.message, true));
};

// ---- an example, and bodies

const exampleModel = `@warp.onnxtxt@`;

byId('example').onclick = async () => {
  const canvas = new OffscreenCanvas(360, 240), c = canvas.getContext('2d');
  const sky = c.createLinearGradient(0, 0, 0, 240);
  sky.addColorStop(0, '#2a6fbb');
  sky.addColorStop(1, '#f0c987');
  c.fillStyle = sky;
  c.fillRect(0, 0, 360, 240);
  for (let i = 0; i < 9; i++) {
    c.fillStyle = `hsl(${150 + 9 * i} 35% ${22 + 4 * i}%)`;
    c.beginPath();
    c.moveTo(40 * i - 60, 240);
    c.lineTo(40 * i + 10, 110 + 37 * i % 70);
    c.lineTo(40 * i + 90, 240);
    c.fill();
  }
  c.fillStyle = '#fff3c4';
  c.beginPath();
  c.arc(270, 60, 26, 0, 7);
  c.fill();
  await openModel('warp.onnxtxt', new TextEncoder().encode(exampleModel));
  given.set('image', {path: 'image.ppm', bytes: pnmOf(c.getImageData(0, 0, 360, 240)), text: 'a drawing, 360 x 240'});
  showInputs();
  byId('inputs').querySelector('.numbers').value = '0.87, -0.42, 0, 0.42, 0.87, 0';
  await run().catch(error => say(error.message, true));
};

byId('check').onclick = async () => {
  byId('report').hidden = false;
  byId('report').textContent = 'checks ...';
  const {out, err} = await ocellus(['check', byId('operator').value, '--sample', '3']);
  byId('report').textContent = out + err;
};

ocellus(['ops', '--json']).then(({out}) => {
  const names = new Set(JSON.parse(out).bodies.map(body => body.operator));
  byId('operator').replaceChildren(...[...names].sort().map(name => new Option(name)));
  byId('bodies').hidden = false;
  document.body.dataset.state = 'ready';
});
