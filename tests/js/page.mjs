// SPDX-License-Identifier: Apache-2.0
// page.mjs - the tests of package.mjs in a page (tests/web/served.mjs): the job has the address of the package's front.
import assert from './assert.mjs';
import { run } from './package.mjs';

export async function answer({ front, only, isolated }) {
  if (crossOriginIsolated !== isolated)
    throw new Error(`the page is ${crossOriginIsolated ? '' : 'not '}isolated`);
  return run(await import(front), await import(new URL('./onnxruntime.mjs', new URL(front, location))), assert, only);
}
