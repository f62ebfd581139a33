// SPDX-License-Identifier: Apache-2.0
// loads.mjs PACKAGE MODEL.. - makes a session of each model by the package: all of its operators are there.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [front, ...paths] = process.argv.slice(2), { Model } = await import(pathToFileURL(resolve(front)));
for (const path of paths) {
  const model = await Model.load(path), session = model.session();
  await session.ready();
  console.log(`${path}: ${model.inputs.map(port => port.name).join(', ')} -> ${model.outputs.map(port => port.name).join(', ')}`);
  session.free();
  model.free();
}
