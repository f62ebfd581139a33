// SPDX-License-Identifier: Apache-2.0
// worker.mjs - a Service behind messages, in a worker of a page or of Node (place.mjs has the other end).
//
// It hears { id, call, operand } and answers { id, result } or { id, error: { code, text } }, one call after another. A first message
// { flag } has a number in shared memory, which is the id of a call that is to end; { id, line } are remarks of a call.
import { openPort } from './host.mjs';
import { ofFault } from './error.mjs';
import { Service, buffersIn } from './service.mjs';

let port, current = 0;
const service = new Service(line => port.post({ id: current, line }));

async function hear({ id, call, operand, flag: shared }) {
  if (shared) {
    const flag = new Int32Array(shared);
    service.ask(() => Atomics.load(flag, 0) === current);
    return;
  }
  current = id;
  try {
    const result = await service[call](operand);
    port.post({ id, result }, buffersIn(result));
  } catch (error) {
    const { code, message: text } = ofFault(error);
    port.post({ id, error: { code, text } });
  }
}

// No await here: bundlers may make a script of this that has none.
openPort(hear).then(opened => {
  port = opened;
  port.post({ ready: true });
});
