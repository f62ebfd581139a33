// SPDX-License-Identifier: Apache-2.0
// options.mjs - which options calls have.
import { OcellusError } from './error.mjs';
import { PREPARATION } from './predictor.mjs';

const LIMITS = ['memoryCap', 'maxSteps', 'deadline'];
export const LOAD = [...LIMITS, 'signal', 'onProgress', 'cache', 'worker', 'log', 'externalData', 'newer'];
export const SESSION = [...LIMITS, 'log', 'unfused', 'seed', 'opOptions', 'exactConv', 'exactQuant', 'noFusion', 'noNchw16c', 'noFolding', 'cpu'];
export const RUN = ['signal', 'outputs', 'transfer'];
export const PREDICTOR = [...SESSION, 'as', 'picture', 'labels', 'least', 'overlap', 'top', ...PREPARATION];
export const COMMAND = ['signal', 'files', 'worker'];
export const INSPECT = ['signal'];
export const CHECK = ['signal', 'inputs', 'dims', 'seed'];
export const PREDICT = ['signal', 'inputs', 'draw', 'crops', 'canvas'];

// Throws for options that are none of those known.
export function expectOptions(options, known, where) {
  for (const name of Object.keys(options ?? {}))
    if (!known.includes(name))
      throw new OcellusError('ARGUMENT', `${where} has no option '${name}', expected ${known.join(', ')}`);
}
