// SPDX-License-Identifier: Apache-2.0
// error.mjs - what a call that fails throws.

// code is a name of OC_STATUS_MAP in ocellus.h ('SHAPE', 'NOMEM', 'FORMAT' ...), message tells the place, what is wrong and what was
// expected, and node is the name of the node that it is about, or null.
export class OcellusError extends Error {
  constructor(code, text) {
    super(text);
    this.name = 'OcellusError';
    this.code = code;
    this.node = /\bnode '([^']*)' \(/.exec(text)?.[1] ?? null;
  }
}

// What a message calls a value that is not what was expected: its kind, never all that is in it.
export function named(value) {
  if (value === null || typeof value !== 'object')
    return typeof value === 'string' ? `'${value.slice(0, 60)}'` : String(value);
  const kind = value.constructor?.name ?? 'object';
  return kind === 'Object' ? `{ ${Object.keys(value).slice(0, 8).join(', ')} }` : `a ${kind}${value.length >= 0 ? ` of ${value.length}` : ''}`;
}

// What is thrown for something that the module itself, or a script, has thrown: 'BROKEN', after which the module is of no more use.
export const ofFault = fault => fault instanceof OcellusError ? fault : new OcellusError('BROKEN', `${fault?.message ?? fault}`);
