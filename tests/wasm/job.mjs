// SPDX-License-Identifier: Apache-2.0
// job.mjs - runs networks by a module of WebAssembly, and programs, in any engine: Node, a page, jsc.
//
//   answer({ module, networks: [{ name, model, inputs: { NAME: { dims, file } }, options }], programs: [{ file, variables }] }, load)
//   resolves to { isRelaxed, isValid, fuses, programs: [{ status, text, ms }],
//     networks: { NAME: { products, outputs: { NAME: { type, dims, hex } } } } }
//
// load(file) resolves to the bytes of a file; inputs are floats, options those of a session. isRelaxed is what engine.mjs says of
// the engine, isValid whether it takes the module (if not, nothing runs), fuses whether its relaxed multiply-add rounds once, null
// where it has none; products is what the session says of its sums of products, hex the bytes of an output.
import { isRelaxed, open } from '../../js/engine.mjs';
import { run } from './program.mjs';

// (f32 x, f32 y) => the first lane of f32x4.relaxed_madd(x, x, y), of splats.
const MADD = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 7, 1, 96, 2, 125, 125, 1, 125, 3, 2, 1, 0, 7, 5, 1, 1, 109, 0, 0, 10, 22, 1,
  20, 0, 32, 0, 253, 19, 32, 0, 253, 19, 32, 1, 253, 19, 253, 133, 2, 253, 31, 0, 11);

// The square of 1 + 2^-12 has a last digit that is lost where it is rounded before 1 is taken away.
function fuses() {
  if (!WebAssembly.validate(MADD))
    return null;
  const { m } = new WebAssembly.Instance(new WebAssembly.Module(MADD)).exports;
  return m(1 + 2 ** -12, -1) === 2 ** -11 + 2 ** -24;
}

const hex = ({ buffer, byteOffset, byteLength }) =>
  Array.from(new Uint8Array(buffer, byteOffset, byteLength), byte => byte.toString(16).padStart(2, '0')).join('');

async function compute(ocellus, { model: file, inputs: files, options }, load) {
  const inputs = {}, lines = [];
  for (const [name, { dims, file }] of Object.entries(files))
    inputs[name] = { type: 'float', dims, data: new Float32Array(new Uint8Array(await load(file)).buffer) };
  const model = ocellus.model(await load(file)), session = model.session({ ...options, log: line => lines.push(line) });
  const outputs = Object.entries(session.run(inputs)).map(([name, { type, dims, data }]) => [name, { type, dims, hex: hex(data) }]);
  session.free();
  model.free();
  return { products: /products: (\w+)/.exec(lines.join('\n'))?.[1], outputs: Object.fromEntries(outputs) };
}

export async function answer({ module, networks, programs }, load) {
  const bytes = await load(module), told = { isRelaxed: isRelaxed(), isValid: WebAssembly.validate(bytes), fuses: fuses() };
  if (!told.isValid)
    return told;
  const ocellus = await open(bytes);
  Object.assign(told, { networks: {}, programs: [] });
  for (const network of networks)
    told.networks[network.name] = await compute(ocellus, network, load);
  for (const { file, variables } of programs) {
    const start = performance.now();
    told.programs.push({ ...await run(await load(file), variables), ms: performance.now() - start });
  }
  return told;
}
