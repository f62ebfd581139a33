// SPDX-License-Identifier: Apache-2.0
// node.mjs JOB - works in Node on a job, a file of JSON, and prints what the function answer(job, load) of its script says.
import { readFileSync } from 'node:fs';

const job = JSON.parse(readFileSync(process.argv[2], 'utf8')), { answer } = await import(job.script);
console.log(JSON.stringify(await answer(job, async file => new Uint8Array(readFileSync(file)))));
