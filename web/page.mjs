// SPDX-License-Identifier: Apache-2.0
// page.mjs - the page: a model, what it is given, and what comes of it.
import { isRelaxed } from '../js/engine.mjs';
import { Model, configure } from '../js/ocellus.mjs';
import { toNpy } from '../js/npy.mjs';
import { showAnswer } from './answer.mjs';
import { outputOf } from './arrays.mjs';
import { Camera } from './camera.mjs';
import { byId, element, save, short } from './dom.mjs';
import { examples } from './examples.mjs';
import { clearFields, makeFields, optionsSet, wordsSet } from './fields.mjs';
import { Inputs, fileOf } from './inputs.mjs';
import { lineOf, run, textOf } from './lines.mjs';
import { ppmOf, rgbOf } from './pictures.mjs';
import { showCheck, showGraph, showTimes } from './reports.mjs';

const isModel = name => /\.onnx(txt|\.gz)?$/i.test(name);
const isPicture = ({ name, type }) => type.startsWith('image/') || /\.(ppm|pgm|pnm)$/i.test(name);
const isValue = name => /\.(npy|pb|csv|json)$/i.test(name);
const isLabels = name => /\.(txt|names)$/i.test(name);
const rank = ({ name, type }) => isModel(name) ? 1 : isPicture({ name, type }) || isValue(name) ? 2 : 0; // weights and labels come first

// What is open: { model, path, bytes, info, predictor, inputs }; null: nothing is.
let open = null;
let picture = null; // the last one that was given, or null
let labels = null; // { path, names, bytes } of a file with a name on each line, or null
let camera = null; // the one that runs, or null
let work = null; // the AbortController of what runs, or null
const beside = new Map(); // files of weights, by the names that models have for them

// ---- what goes on

function say(text, kind = '') {
  byId('state').textContent = text;
  byId('state').className = kind === 'bad' ? 'bad' : 'soft';
  document.body.dataset.state = kind === 'bad' ? 'failed' : kind || 'ready';
  byId('stop').hidden = kind !== 'busy';
}

// Does something that takes time, tells how long so far, and lets it be stopped. What runs is stopped before.
async function busy(text, act) {
  work?.abort(new Error('stopped'));
  const mine = work = new AbortController(), begin = performance.now();
  say(text, 'busy');
  const ticks = setInterval(() => work === mine && say(`${text}, ${((performance.now() - begin) / 1000).toFixed(1)} s`, 'busy'), 100);
  try {
    const said = await act({ signal: mine.signal });
    if (work === mine)
      say(said ?? '');
  } catch (error) {
    if (work === mine)
      say(error.message, 'bad');
  } finally {
    clearInterval(ticks);
    work = work === mine ? null : work;
  }
}

// ---- the model

const isAnswering = () => Boolean(open?.predictor && !byId('arrays').checked);

function close() {
  camera?.stop();
  open?.predictor?.free();
  open?.model?.free();
  open = null;
  for (const id of ['answer', 'results', 'reports', 'again'])
    byId(id).hidden = true;
}

async function openModel(name, bytes, { signal }) {
  close();
  byId('model').hidden = false;
  byId('name').textContent = name;
  byId('facts').textContent = byId('decoded').textContent = '';
  byId('inputs').replaceChildren();
  byId('dims').replaceChildren();
  const failed = open = { path: name.replace(/[^\w.-]/g, '_'), bytes };
  const model = await Model.load(bytes, { signal, externalData: Object.fromEntries(beside) });
  const info = await model.inspect({ signal });
  if (open !== failed) {
    model.free();
    throw new Error('another model was opened');
  }
  open = { ...failed, model, info, predictor: null, inputs: new Inputs(model.inputs, addFiles) };
  const missing = info.operators.filter(({ runs_as }) => runs_as === 'unsupported').map(operator => operator.name);
  byId('facts').textContent = `${info.nodes} nodes, ${info.parameters.toLocaleString('en')} parameters, opset ` +
    Object.entries(info.opsets).map(([domain, version]) => `${domain} ${version}`).join(', ') +
    (info.producer ? `, made by ${info.producer}` : '') + (missing.length ? `; not in this build: ${missing.join(', ')}` : '');
  if (info.problems.length)
    throw new Error(info.problems.map(problem => problem.text ?? problem).join('\n'));
  await choose();
}

// Asks for a decoder as the fields say. Where none fits, outputs are shown as arrays.
async function choose() {
  const { as, ...options } = optionsSet(), mine = open;
  mine.predictor?.free();
  mine.predictor = null;
  let told = 'No decoder fits: outputs are shown as arrays.';
  if (mine.info.decoder || as) {
    const made = await mine.model.predictor({ ...options, ...as ? { as } : {}, ...labels ? { labels: labels.names } : {} });
    if (open !== mine) {
      made.free();
      throw new Error('another model was opened');
    }
    mine.predictor = made;
    told = `Decoder ${made.decoder}, by ${made.why}. ${made.prepared.replace(/^p/, 'P')}.${made.remarks.map(remark => ` ${remark}`).join('')}`;
  }
  byId('decoded').textContent = told;
  arrange();
}

// Shows what goes with the decoder, or with arrays.
function arrange() {
  const answering = isAnswering();
  byId('arrays').disabled = !open?.predictor;
  byId('values').hidden = answering;
  byId('camera').hidden = !answering || !Camera.isThere();
  byId('answer').hidden = byId('results').hidden = byId('again').hidden = true;
  byId('reports').hidden = false;
  byId('report').replaceChildren();
}

// ---- runs

async function answerPicture(source, label, { signal }) {
  const begin = performance.now(), answer = await open.predictor.predict(source, { signal, canvas: byId('drawn') });
  const took = performance.now() - begin;
  byId('answer').hidden = false;
  showAnswer(answer, label);
  return took;
}

// Words and files of the picture's run: what predict is told in the shell.
function answerWords() {
  const words = ['predict', open.path, picture.path, ...wordsSet(['decoder', 'preparation']), ...labels ? ['--labels', labels.path] : []];
  return { words, files: { ...files(), [picture.path]: ppmOf(picture), ...labelFile() } };
}

const labelFile = () => labels ? { [labels.path]: labels.bytes } : {};
const files = () => ({ ...Object.fromEntries(beside), [open.path]: open.bytes });

function arrayWords() {
  const { words, files: given } = open.inputs.words();
  const resized = open.inputs.hasOtherSize && !optionsSet().imageResize ? ['--image-resize', 'stretch'] : [];
  return { words: [...words, ...resized, ...wordsSet(['preparation'])], files: { ...files(), ...given } };
}

// Words and files of the inputs, for commands that look into a run.
async function inputWords() {
  if (!isAnswering())
    return arrayWords();
  if (!picture)
    return { words: ['--fill', 'random', ...open.inputs.words().words.filter((word, i, all) => word === '--dim' || all[i - 1] === '--dim')], files: files() };
  const { predictor } = open, tensor = await predictor.prepare(rgb());
  return { words: ['-i', `${predictor.input}=input.npy`, '--fill', 'random'], files: { ...files(), 'input.npy': toNpy(predictor.input, tensor) } };
}

const rgb = () => ({ width: picture.width, height: picture.height, data: picture.data });

async function runArrays(options) {
  const { words, files: given } = arrayWords(), begin = performance.now();
  const paths = open.model.outputs.map(({ kind, type }, i) => `output_${i}.${kind === 'tensor' && type !== 'string' ? 'npy' : 'pb'}`);
  const wanted = open.model.outputs.flatMap(({ name }, i) => ['-o', `${name}=${paths[i]}`]), named = labels ? ['--labels', labels.path] : [];
  const { files: made, out, err } = await run(['run', open.path, ...words, ...wanted, '--json', '--top', '5', ...named, '--memory-cap', '2G'],
    { ...given, ...labelFile() }, options);
  byId('results').hidden = false;
  byId('outputs').replaceChildren(...JSON.parse(out).outputs.map((told, i) => outputOf(told, paths[i], made[paths[i]])));
  showAgain(['run', open.path, ...words]);
  return `${(performance.now() - begin).toFixed(0)} ms. ${textOf(err)}`;
}

async function runPicture(options) {
  if (!picture)
    throw new Error('a picture is missing: drop one, or open the camera');
  const took = await answerPicture(rgb(), picture.label, options);
  showAgain(answerWords().words);
  return `${picture.label}: ${took.toFixed(took < 10 ? 1 : 0)} ms.`;
}

const runNow = () => busy('runs', isAnswering() ? runPicture : runArrays);

async function runCamera() {
  camera = new Camera();
  const mine = open, button = byId('camera');
  button.textContent = 'Stop the camera';
  button.setAttribute('aria-pressed', 'true');
  say('asks for the camera', 'busy');
  try {
    await camera.run(async video => {
      if (open !== mine || !isAnswering())
        camera.stop();
      else
        await answerPicture(video, 'camera', {});
    }, perSecond => say(`${short(perSecond, 3)} frames per second`, 'busy'));
    say('');
  } catch (error) {
    say(error.name === 'NotAllowedError' ? 'the browser does not give the camera to this page' : error.name === 'NotFoundError' ? 'there is no camera' : error.message, 'bad');
  }
  camera = null;
  button.textContent = 'Camera';
  button.setAttribute('aria-pressed', 'false');
}

// ---- the run again, elsewhere

function showAgain(words) {
  byId('again').hidden = false;
  byId('line').textContent = lineOf(words);
  const pixels = isAnswering() ? [picture] : [...open.inputs.given.values()].map(value => value.picture).filter(Boolean);
  byId('pixels').replaceChildren(...pixels.map(p => element('button', { type: 'button', textContent: `Save ${p.path}`,
    title: `the pixels of ${p.label} as this browser has decoded them`, onclick: () => save(p.path, ppmOf(p)) })));
}

async function record(options) {
  const { words, files: given } = isAnswering() ? answerWords() : (({ words: w, ...rest }) => ({ words: ['run', open.path, ...w], ...rest }))(arrayWords());
  const { files: made } = await run([...words, '--record', 'run.json'], given, options);
  save(`${open.path.replace(/\.onnx.*$/, '')}.run.json`, made['run.json'], 'application/json');
}

async function copyLine() {
  try {
    await navigator.clipboard.writeText(byId('line').textContent);
    return 'the line is copied';
  } catch { // a page without the right to do so
    getSelection().selectAllChildren(byId('line'));
    return 'the line is selected';
  }
}

const reports = {
  graph: options => inputWords().then(({ words, files: given }) => showGraph(['inspect', open.path, ...words], given, options)),
  times: options => inputWords().then(({ words, files: given }) => showTimes(['run', open.path, ...words], given, options)),
  check: options => inputWords().then(({ words, files: given }) => showCheck(['check', open.path, ...words], given, options)),
};

// ---- files

const expectOpen = name => {
  if (!open?.model)
    throw new Error(`${name}: drop a model first`);
};

const isRecord = async file => /\.json$/i.test(file.name) && /"ocellus_run"/.test(await file.slice(0, 100).text());

// Resolves to a sentence on what was done, or to nothing.
async function addOne(file, input, options) {
  if (isModel(file.name))
    await openModel(file.name, new Uint8Array(await file.arrayBuffer()), options);
  else if (await isRecord(file))
    return checkRecord(file, options);
  else if (isPicture(file) || isValue(file.name))
    await addValue(file, input);
  else if (isLabels(file.name))
    await addLabels(file);
  else
    await addWeights(file, options);
}

// Returns whether a run can follow.
async function addFiles(list, input = null) {
  const all = [...list].sort((a, b) => rank(a) - rank(b));
  let runs = false;
  if (all.some(file => isModel(file.name)))
    forgetLabels();
  await busy(`reads ${all.map(file => file.name).join(', ')}`, async options => {
    const said = [];
    for (const file of all)
      said.push(await addOne(file, input, options));
    runs = all.some(isPicture) && (isAnswering() || open.inputs.areGiven);
    return said.filter(Boolean).join('\n');
  });
  if (runs)
    await runNow();
}

async function addValue(file, input) {
  expectOpen(file.name);
  if (isPicture(file))
    picture = await rgbOf(file);
  if (!isAnswering())
    open.inputs.give(file.name, isPicture(file) ? { picture } : await fileOf(file), input);
}

// Runs what a record has, by the model that is open, and compares the bits.
async function checkRecord(file, options) {
  expectOpen(file.name);
  const { path, bytes } = await fileOf(file);
  const { out } = await run(['test', path, '--model', open.path], { ...files(), [path]: bytes }, { ...options, isFine: status => status < 2 });
  return out.split('\n')[0];
}

async function addLabels(file) {
  const text = await file.text();
  labels = { path: file.name.replace(/[^\w.-]/g, '_'), names: text.split('\n').map(line => line.trim()).filter(Boolean), bytes: new TextEncoder().encode(text) };
  byId('labels').textContent = `labels: ${file.name}, ${labels.names.length} names`;
  if (open?.model)
    await choose();
}

function forgetLabels() {
  labels = null;
  byId('labels').textContent = '';
}

async function addWeights(file, options) {
  beside.set(file.name, new Uint8Array(await file.arrayBuffer()));
  if (open && !open.model)
    await openModel(byId('name').textContent, open.bytes, options); // it may have waited for them
}

// ---- bodies of operators

async function checkOperator(options) {
  const { out } = await run(['check', byId('operator').value, '--sample', '3'], {}, { ...options, isFine: status => status < 2 });
  byId('bodies-report').textContent = out;
}

// ---- the page begins

const bytesOf = id => Uint8Array.from(atob(byId(id).textContent), c => c.charCodeAt(0));

async function unpacked(id) {
  const stream = new Blob([bytesOf(id)]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

function listen() {
  const clicks = { run: runNow, stop: () => work?.abort(new Error('stopped')), choose: () => byId('file').click(), record: () => busy('runs for the record', record),
    copy: () => busy('copies', copyLine), camera: () => camera ? camera.stop() : runCamera(), 'check-operator': () => busy('checks', checkOperator) };
  for (const [id, act] of Object.entries(clicks))
    byId(id).onclick = act;
  for (const [id, act] of Object.entries(reports))
    byId(id).onclick = () => busy({ graph: 'runs and draws', times: 'runs', check: 'checks' }[id], act);
  byId('form').onsubmit = event => (event.preventDefault(), runNow());
  byId('file').onchange = ({ target }) => addFiles(target.files).then(() => { target.value = ''; });
  byId('arrays').onchange = arrange;
  addEventListener('dragover', event => event.preventDefault());
  addEventListener('drop', event => (event.preventDefault(), addFiles(event.dataTransfer.files)));
  addEventListener('paste', event => event.clipboardData.files.length && addFiles(event.clipboardData.files));
  for (const { id, name, text, give } of examples)
    byId(id).onclick = async () => {
      clearFields();
      forgetLabels();
      await busy('opens the example', async options => {
        await openModel(name, new TextEncoder().encode(text), options);
        picture = await give(open.inputs);
      });
      if (open?.model)
        await runNow();
    };
}

async function begin() {
  const address = URL.createObjectURL(new Blob([byId('worker').textContent], { type: 'text/javascript' }));
  configure({ wasmBinary: await unpacked(isRelaxed() ? 'relaxed' : 'fixed'), worker: () => new Worker(address) });
  listen();
  await makeFields(() => open?.model && busy('chooses', async options => {
    await choose();
    return picture && isAnswering() ? runPicture(options) : '';
  }));
  const { out } = await run(['ops', '--json'], {});
  byId('operator').replaceChildren(...[...new Set(JSON.parse(out).bodies.map(({ operator }) => operator))].sort().map(name => new Option(name)));
  byId('lines').textContent = '';
  say('');
}

begin().catch(error => say(error.message, 'bad'));
