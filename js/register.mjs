// SPDX-License-Identifier: Apache-2.0
// register.mjs - has programs of onnxruntime-node and onnxruntime-web run over Ocellus in Node as they are:
//
//   node --import ocellus/register program.mjs
import Module, { register } from 'node:module';
import { fileURLToPath } from 'node:url';

const NAMES = /^onnxruntime-(node|web|common)(\/[a-z]+|\/dist\/ort\.[a-z.]+)?$/; // onnxruntime-web/webgpu and dist/ort.min.js too, but no module
const imported = new URL('./onnxruntime.mjs', import.meta.url).href, required = new URL('./onnxruntime.cjs', import.meta.url);

if (Module.registerHooks) {
  Module.registerHooks({
    resolve: (name, context, next) => NAMES.test(name)
      ? { url: context.conditions.includes('import') ? imported : required.href, shortCircuit: true } : next(name, context),
  });
} else { // Node before 22.15: one way for import, another for require()
  register(`data:text/javascript,${encodeURIComponent(`export const resolve = (name, context, next) =>
    ${NAMES}.test(name) ? { url: '${imported}', shortCircuit: true } : next(name, context);`)}`);
  const resolve = Module._resolveFilename;
  Module._resolveFilename = (name, ...rest) => NAMES.test(name) ? fileURLToPath(required) : resolve(name, ...rest);
}
