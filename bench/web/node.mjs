// SPDX-License-Identifier: Apache-2.0
// node.mjs - the turns in Node: node node.mjs JOB compares the network that the file of JSON names, and prints the result as JSON.
//
// JOB is { network, engines, rounds, seed }, as turns.mjs has them, with paths of files; its clock is the time that this thread
// has a processor, or with "wall": true the time of day.
import { readFile } from 'node:fs/promises';

import { compare } from './turns.mjs';

const job = JSON.parse(await readFile(process.argv[2], 'utf8'));
const busy = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e3;
};
const result = await compare(job.network, job.engines, {
  rounds: job.rounds, seed: job.seed, clock: job.wall ? () => performance.now() : busy,
  load: async file => new Uint8Array(await readFile(file)),
});
console.log(JSON.stringify(result));
