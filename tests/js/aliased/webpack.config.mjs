// SPDX-License-Identifier: Apache-2.0
// webpack.config.mjs - what webpack is told for a program of onnxruntime-web.
const names = ['onnxruntime-web', 'onnxruntime-web/webgpu', 'onnxruntime-common'];

export default {
  resolve: { alias: Object.fromEntries(names.map(name => [`${name}$`, 'ocellus/onnxruntime'])) },
};
