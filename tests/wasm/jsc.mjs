// SPDX-License-Identifier: Apache-2.0
// jsc.mjs JOB - works in JavaScriptCore's program jsc on a job, as node.mjs does in Node. jsc has no part of the Web: what
// engine.mjs takes from a page is made here, with no more than it needs.
/* global print, readFile */

globalThis.TextEncoder = class {
  encode(text) {
    return Uint8Array.from(unescape(encodeURIComponent(text)), letter => letter.charCodeAt(0));
  }
};
globalThis.TextDecoder = class {
  decode(bytes) {
    return decodeURIComponent(escape(Array.from(bytes, byte => String.fromCharCode(byte)).join('')));
  }
};
globalThis.crypto = {
  getRandomValues(bytes) {
    for (let i = 0; i < bytes.length; i++)
      bytes[i] = Math.random() * 256;
  },
};

const job = JSON.parse(readFile(globalThis.arguments[0])), { answer } = await import(job.script);
print(JSON.stringify(await answer(job, async file => readFile(file, 'binary'))));
