// SPDX-License-Identifier: Apache-2.0
// page.mjs - the page: a model, what it is given, and what comes of it.
import { textOf } from '../js/command.mjs';
import { isRelaxed } from '../js/engine.mjs';
import { toNpy } from '../js/npy.mjs';
import { Model, configure } from '../js/ocellus.mjs';
import { busy, say, stop } from './actions.mjs';
import { sentenceOf, showAnswer } from './answer.mjs';
import { outputOf } from './arrays.mjs';
import { Camera } from './camera.mjs';
import { byId, button, save, short } from './dom.mjs';
import { examples } from './examples.mjs';
import { clearFields, makeFields, optionsSet, wordsSet } from './fields.mjs';
import { Inputs, shapeText } from './inputs.mjs';
import { lineOf, log, pathOf, run, stemOf } from './lines.mjs';
import { isPnm, ppmOf, rgbOf } from './pictures.mjs';
import { showCheck, showGraph, showTimes } from './reports.mjs';

// What is open: { path, bytes, isMade } of a model, and, once it is loaded, { model, info, inputs, predictor, isStale }. predictor is null
// where outputs are shown as arrays; isStale: fields have changed, and the decoder is to be chosen anew. null: nothing is open.
let open = null;
let picture = null; // the last one that was given, or null
let labels = null; // { path, names, bytes } of a file with a name on each line, or null
let done = null; // { words, files } of the last run, which its record and its line repeat
const beside = new Map(); // files of weights, by the names that models have for them

// ---- the model

function close() {
  open?.predictor?.free();
  open?.model?.free();
  open = null;
  for (const id of ['model', 'answer', 'results', 'reports', 'again'])
    byId(id).hidden = true;
}

const portText = port => `${port.name} ${shapeText(port)}`;

const expectOpen = name => {
  if (!open?.model)
    throw new Error(`${name ? `${name}: ` : ''}drop a model first`);
};

// isMade: the page has made it, so that nobody has its file.
async function openModel(name, bytes, { signal, isMade = false }) {
  close();
  open = { path: pathOf(name), bytes, isMade };
  byId('model').hidden = false;
  byId('name').textContent = name;
  byId('form').hidden = true;
  byId('facts').textContent = byId('ports').textContent = byId('decoded').textContent = '';
  let model, info;
  try {
    model = await Model.load(bytes, { signal, externalData: Object.fromEntries(beside) });
  } catch (error) {
    throw signal.aborted ? error : new Error(`${name}: ${error.message}`);
  }
  try {
    info = await model.inspect({ signal });
  } catch (error) {
    model.free();
    throw error;
  }
  Object.assign(open, { model, info, predictor: null, isStale: true, inputs: new Inputs(model.inputs, addFiles) });
  const missing = info.operators.filter(({ runs_as }) => runs_as === 'unsupported').map(operator => operator.name);
  byId('facts').textContent = `${info.nodes} nodes, ${info.parameters.toLocaleString('en')} parameters, opset ` +
    Object.entries(info.opsets).map(([domain, version]) => `${domain} ${version}`).join(', ') +
    (info.producer ? `, made by ${info.producer}` : '') + (missing.length ? `; not in this build: ${missing.join(', ')}` : '');
  byId('ports').textContent = `Takes ${model.inputs.filter(port => !port.optional).map(portText).join(', ')}; gives ${model.outputs.map(portText).join(', ')}.`;
  byId('form').hidden = false;
  if (info.problems.length)
    throw new Error(info.problems.map(problem => problem.text ?? problem).join('\n'));
  await choose({ signal });
}

// Asks for a decoder as the fields say, unless that has been done. Where none fits, outputs are shown as arrays.
async function choose({ signal }) {
  expectOpen();
  if (!open.isStale)
    return;
  open.predictor?.free();
  open.predictor = null;
  byId('decoded').textContent = '';
  try {
    const { as, ...options } = optionsSet();
    if (open.info.decoder || as) {
      const made = await open.model.predictor({ ...options, ...as ? { as } : {}, ...labels ? { labels: labels.names } : {}, signal });
      open.predictor = made;
      byId('decoded').textContent = `Decoder ${made.decoder}, by ${made.why}. ${made.prepared.replace(/^p/, 'P')}.` +
        made.remarks.map(remark => ` ${remark[0].toUpperCase()}${remark.slice(1)}.`).join('');
    } else {
      byId('decoded').textContent = 'No decoder is found out: outputs are shown as arrays, unless a decoder is named below.';
    }
    open.isStale = false;
  } finally {
    arrange();
  }
}

const isAnswering = () => Boolean(open?.predictor && !byId('arrays').checked);

// Shows what goes with the decoder, or with arrays.
function arrange() {
  const answering = isAnswering();
  byId('arrays').disabled = !open?.predictor;
  byId('values').hidden = answering;
  byId('camera').hidden = !answering || !Camera.isThere();
  byId('answer').hidden = byId('results').hidden = byId('again').hidden = true;
  byId('reports').hidden = false;
  byId('report').replaceChildren();
  if (!answering && picture && !open.inputs.pictures.length && open.inputs.ports.some(port => port.dims?.length > 2))
    open.inputs.give(picture.label, { picture });
}

// ---- runs

const modelFiles = () => ({ ...Object.fromEntries(beside), [open.path]: open.bytes });
const labelFile = () => labels ? { [labels.path]: labels.bytes } : {};

async function answerPicture(source, label, { signal }) {
  const begin = performance.now(), answer = await open.predictor.predict(source, { signal, canvas: byId('drawn') });
  const took = performance.now() - begin;
  byId('answer').hidden = false;
  byId('results').hidden = true;
  showAnswer(answer, label);
  byId('save-drawn').onclick = () => byId('drawn').toBlob(blob => save(`${stemOf(label)}.drawn.png`, blob));
  byId('save-answer').onclick = () => save(`${stemOf(label)}.json`, `${JSON.stringify(answer, null, 1)}\n`, 'application/json');
  return { took, sentence: sentenceOf(answer) };
}

async function runPicture(options) {
  if (!picture)
    throw new Error('a picture is missing: drop one, or open the camera');
  const { took, sentence } = await answerPicture(picture, picture.label, options);
  const words = ['predict', open.path, picture.path, ...wordsSet(['decoder', 'preparation']), ...labels ? ['--labels', labels.path] : []];
  log(words);
  showAgain(words, { ...modelFiles(), ...labelFile(), [picture.path]: ppmOf(picture) }, [picture]);
  return `${picture.label}: ${sentence}; ${took.toFixed(took < 10 ? 1 : 0)} ms.`;
}

// Words and files of a run whose outputs are arrays.
function arrayWords() {
  const { words, files } = open.inputs.words(), set = optionsSet();
  const resized = open.inputs.hasOtherSize && !set.imageResize && !set.preset ? ['--image-resize', 'stretch'] : [];
  return { words: [...words, ...resized, ...wordsSet(['preparation'])], files: { ...modelFiles(), ...files } };
}

async function runArrays(options) {
  const { words, files } = arrayWords(), begin = performance.now(), { outputs } = open.model;
  const paths = outputs.map(({ kind, type }, i) => `output_${i}.${kind === 'tensor' && type !== 'string' ? 'npy' : 'pb'}`);
  const wanted = outputs.flatMap(({ name }, i) => ['-o', `${name}=${paths[i]}`]), named = labels ? ['--labels', labels.path] : [];
  const { files: made, out, err } = await run(['run', open.path, ...words, ...wanted, '--json', '--top', '5', ...named, '--memory-cap', '2G'],
    { ...files, ...labelFile() }, options);
  byId('results').hidden = false;
  byId('answer').hidden = true;
  byId('outputs').replaceChildren(...JSON.parse(out).outputs.map((told, i) => outputOf(told, paths[i], made[paths[i]])));
  showAgain(['run', open.path, ...words], files, open.inputs.pictures);
  return `${(performance.now() - begin).toFixed(0)} ms. ${textOf(err)}`;
}

async function runEither(options) {
  await choose(options);
  return isAnswering() ? runPicture(options) : runArrays(options);
}

const runNow = () => busy('runs', runEither);

const runCamera = () => busy('camera', async ({ signal, tick }) => {
  const camera = new Camera(), end = () => camera.stop(), pressed = on => byId('camera').setAttribute('aria-pressed', on);
  byId('again').hidden = true; // a frame that is gone cannot be repeated
  signal.addEventListener('abort', end);
  pressed(true);
  try {
    await choose({ signal });
    await camera.run(video => answerPicture(video, 'camera', {}), perSecond => tick(`${short(perSecond, 3)} frames per second`));
  } catch (error) {
    throw error.name === 'NotAllowedError' ? new Error('the browser does not give the camera to this page')
      : error.name === 'NotFoundError' ? new Error('there is no camera') : error;
  } finally {
    signal.removeEventListener('abort', end);
    pressed(false);
  }
});

const isCamera = () => byId('camera').getAttribute('aria-pressed') === 'true';

// ---- a look into a run

// Words and files of the inputs.
async function inputWords() {
  if (!isAnswering())
    return arrayWords();
  if (!picture)
    return { words: ['--fill', 'random', ...open.inputs.sizeWords()], files: modelFiles() };
  const { predictor } = open, tensor = await predictor.prepare(picture);
  return { words: ['-i', `${predictor.input}=input.npy`, '--fill', 'random'], files: { ...modelFiles(), 'input.npy': toNpy(predictor.input, tensor) } };
}

const looking = (first, show) => async options => {
  await choose(options);
  const { words, files } = await inputWords();
  await show([first, open.path, ...words], files, options);
};
const reports = { graph: ['runs and draws', looking('inspect', showGraph)], times: ['runs', looking('run', showTimes)],
  check: ['checks', looking('check', showCheck)] };

// ---- the run again, elsewhere

function showAgain(words, files, pictures) {
  done = { words, files };
  byId('again').hidden = false;
  byId('line').textContent = lineOf(words);
  byId('copied').textContent = '';
  const saves = [...open.isMade ? [[open.path, 'the model of the example'], ...labels ? [[labels.path, 'its labels']] : []] : [],
    ...pictures.filter(({ label }) => !isPnm(label)).map(({ path, label }) => [path, `the pixels of ${label} as this browser has decoded them`])];
  byId('saves').replaceChildren(...saves.map(([path, title]) => button(`Save ${path}`, () => save(path, files[path]), { title })));
}

async function record(options) {
  const { words, files } = done, { files: made } = await run([...words, '--record', 'run.json'], files, options);
  save(`${open.path.replace(/\.onnx.*$/, '')}.run.json`, made['run.json'], 'application/json');
}

async function copyLine() {
  const { textContent: line } = byId('line'), isCopied = await navigator.clipboard?.writeText(line).then(() => true, () => false);
  if (!isCopied) // a page without the right to do so
    getSelection().selectAllChildren(byId('line'));
  byId('copied').textContent = isCopied ? 'copied' : 'selected';
}

// ---- files

const KINDS = { // in the order in which files of one drop are taken
  weights: async file => {
    beside.set(file.name, await bytesOf(file));
  },
  labels: async file => takeLabels(file.name, await bytesOf(file)),
  model: async (file, input, options) => openModel(file.name, await bytesOf(file), options),
  picture: async (file, input) => {
    expectOpen(file.name);
    picture = await rgbOf(file);
    if (!isAnswering())
      open.inputs.give(file.name, { picture }, input);
  },
  value: async (file, input) => {
    expectOpen(file.name);
    if (isAnswering())
      throw new Error(`${file.name}: answers take a picture; "outputs as arrays" takes values`);
    open.inputs.give(file.name, { path: pathOf(file.name), bytes: await bytesOf(file) }, input);
  },
  // Runs what a record has, by the model that is open, and compares the bits.
  record: async (file, input, options) => {
    expectOpen(file.name);
    const path = pathOf(file.name);
    const { out } = await run(['test', path, '--model', open.path], { ...modelFiles(), [path]: await bytesOf(file) },
      { ...options, isFine: status => status < 2 });
    return out.split('\n')[0];
  },
};

const bytesOf = async file => new Uint8Array(await file.arrayBuffer());

async function kindOf(file) {
  const { name, type } = file;
  return /\.onnx(txt|\.gz)?$/i.test(name) ? 'model' : type.startsWith('image/') || isPnm(name) ? 'picture'
    : /\.json$/i.test(name) && /"ocellus_run"/.test(await file.slice(0, 100).text()) ? 'record' : /\.(npy|pb|csv|json)$/i.test(name) ? 'value'
      : /\.(txt|names)$/i.test(name) ? 'labels' : 'weights';
}

function takeLabels(name, bytes) {
  const lines = new TextDecoder().decode(bytes).split('\n').map(line => line.replace(/\r$/, ''));
  while (lines.at(-1) === '')
    lines.pop();
  labels = { path: pathOf(name), names: lines, bytes };
  byId('labels').textContent = `labels: ${name}, ${lines.length} names`;
  if (open)
    open.isStale = true;
}

// What was said of one model says nothing of the next.
function forget() {
  labels = null;
  byId('labels').textContent = '';
  byId('arrays').checked = false;
  clearFields();
}

// Takes files that are dropped together: with a model all that was before it is gone.
async function takeFiles(list, input, options) {
  const order = Object.keys(KINDS), files = [];
  for (const file of list)
    files.push({ file, kind: await kindOf(file) });
  files.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  const has = kind => files.some(file => file.kind === kind);
  if (has('model')) {
    if (open?.model)
      beside.clear();
    close();
    forget();
  } else if (has('weights') && open?.model) {
    const { name } = files.find(({ kind }) => kind === 'weights').file;
    throw new Error(`${name}: expected a model, a picture, labels (.txt), values (.npy, .pb, .csv, .json) or a record`);
  }
  const said = [];
  for (const { file, kind } of files) {
    options.signal.throwIfAborted();
    said.push(await KINDS[kind](file, input, options));
  }
  if (has('weights') && open && !open.model) // it may have waited for them
    await openModel(byId('name').textContent, open.bytes, options);
  if (open?.isStale && open.model)
    await choose(options);
  const runs = ['model', 'picture', 'labels'].some(has) && open?.model && (isAnswering() ? picture : open.inputs.pictures.length && open.inputs.areGiven);
  return [...said, runs ? await runEither(options) : null].filter(Boolean).join('\n');
}

const addFiles = (list, input = null) => {
  const files = [...list]; // a field that is emptied empties its list
  return busy(`reads ${files.map(file => file.name).join(', ')}`, options => takeFiles(files, input, options));
};

// ---- bodies of operators

async function checkOperator(options) {
  const { out } = await run(['check', byId('operator').value, '--sample', '3'], {}, { ...options, isFine: status => status < 2 });
  byId('bodies-report').textContent = out;
}

// ---- the page begins

async function unpacked(id) {
  const packed = Uint8Array.from(atob(byId(id).textContent), c => c.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

const ofRun = act => options => (expectOpen(), act(options));

function listen() {
  const clicks = { stop, choose: () => byId('file').click(), record: () => busy('runs for the record', ofRun(record)),
    copy: copyLine, camera: () => isCamera() ? stop() : runCamera(), 'check-operator': () => busy('checks', checkOperator) };
  for (const [id, act] of Object.entries(clicks))
    byId(id).onclick = act;
  for (const [id, [text, act]] of Object.entries(reports))
    byId(id).onclick = () => busy(text, ofRun(act));
  byId('form').onsubmit = event => (event.preventDefault(), runNow());
  byId('file').onchange = async ({ target }) => {
    await addFiles(target.files);
    target.value = '';
  };
  byId('arrays').onchange = () => open?.model && busy('runs', async options => {
    arrange();
    return picture ? runEither(options) : '';
  });
  const drags = is => document.body.classList.toggle('drags', is); // the graph, a page of its own, would take what is dropped on it
  addEventListener('dragenter', () => drags(true));
  addEventListener('dragleave', event => event.relatedTarget || drags(false));
  addEventListener('dragover', event => event.preventDefault());
  addEventListener('drop', event => {
    event.preventDefault();
    drags(false);
    addFiles(event.dataTransfer.files);
  });
  addEventListener('paste', event => event.clipboardData.files.length && addFiles(event.clipboardData.files));
  for (const { id, name, text, names, give } of examples)
    byId(id).onclick = () => busy('opens the example', async options => {
      forget();
      beside.clear();
      picture = null;
      if (names)
        takeLabels(names.name, new TextEncoder().encode(names.text));
      await openModel(name, new TextEncoder().encode(text), { ...options, isMade: true });
      picture = await give(open.inputs);
      return runEither(options);
    });
}

// A field has another value: the decoder is chosen anew, and what was shown is made again.
function changed() {
  if (!open?.model)
    return;
  open.isStale = true;
  if (isCamera())
    runCamera();
  else
    busy('chooses', async options => {
      await choose(options);
      return picture && isAnswering() ? runPicture(options) : '';
    });
}

async function begin() {
  const address = URL.createObjectURL(new Blob([byId('worker').textContent], { type: 'text/javascript' }));
  configure({ wasmBinary: await unpacked(isRelaxed() ? 'relaxed' : 'fixed'), worker: () => new Worker(address) });
  listen();
  await makeFields(changed);
  const { out } = await run(['ops', '--json'], {});
  byId('operator').replaceChildren(...[...new Set(JSON.parse(out).bodies.map(({ operator }) => operator))].sort().map(name => new Option(name)));
  byId('lines').textContent = '';
  say('');
}

begin().catch(error => say(error.message, 'bad'));
