// SPDX-License-Identifier: Apache-2.0
// reports.mjs - what the command tells of a run: time of each node, kernels beside bodies, the graph with its values.
import { byId, element, table } from './dom.mjs';
import { run } from './lines.mjs';

const ROWS = 40; // nodes that are listed
const RUNS = 5; // of which times are the means: browsers' clocks tick slowly

export async function showTimes(words, files, options) {
  const { out } = await run([...words, '--profile', '--repeat', String(RUNS), '--json'], files, options), { profile, nodes } = JSON.parse(out);
  for (const node of profile)
    node.nanoseconds /= RUNS;
  const all = profile.reduce((sum, node) => sum + node.nanoseconds, 0) || 1;
  const rows = profile.sort((a, b) => b.nanoseconds - a.nanoseconds).slice(0, ROWS).map(node => [node.group ?? node.operator,
    node.node || `of ${node.output}`, `${(node.nanoseconds / 1e6).toFixed(3)} ms`, `${(100 * node.nanoseconds / all).toFixed(1)} %`]);
  byId('report').replaceChildren(table(`${nodes} nodes, ${(all / 1e6).toFixed(2)} ms, mean of ${RUNS} runs${profile.length > ROWS ? `; the ${ROWS} that take longest` : ''}`,
    ['operator', 'node', 'time', 'share'], rows));
}

// Of a model: every value that kernels give beside what bodies give. A run that differs ends in exit code 1.
export async function showCheck(words, files, options) {
  const { out } = await run([...words, '--json'], files, { ...options, isFine: status => status < 2 });
  const { axes, disagreements } = JSON.parse(out);
  const rows = axes.flatMap(({ runs }) => runs).map(r => [r.run, r.nodes ?? 'all', r.compared, r.differ, r.max_abs].map(String));
  byId('report').replaceChildren(table(`The model was run by its kernels, and with ONNX's function bodies in their place: ${disagreements} disagreements`,
    ['bodies in place of', 'nodes', 'values compared', 'differ', 'greatest difference'], rows));
}

let address = null; // of the graph that is shown

export async function showGraph(words, files, options) {
  const { files: made } = await run([...words, '--html', 'graph.html'], files, options);
  URL.revokeObjectURL(address);
  address = URL.createObjectURL(new Blob([made['graph.html']], { type: 'text/html' }));
  byId('report').replaceChildren(element('iframe', { title: 'graph of the model; a node shows its attributes and values', src: address, sandbox: 'allow-scripts' }));
}
