// SPDX-License-Identifier: Apache-2.0
// vite.config.mjs - what vite is told for a program of onnxruntime-web.
export default {
  resolve: { alias: [{ find: /^onnxruntime-(web|common)(\/[a-z]+)?$/, replacement: 'ocellus/onnxruntime' }] },
};
