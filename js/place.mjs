// SPDX-License-Identifier: Apache-2.0
// place.mjs - where a model runs: a worker with a Service in it, or a Service in this thread where there are no workers.
//
// Calls take turns. An AbortSignal ends the one that runs: by a number in memory that both threads share where the page, or Node, has
// such memory, else with the worker. A worker that was ended is made anew for the next call, and the calls that were marked `keep` are
// made again in it.
import { OcellusError } from './error.mjs';
import { startWorker } from './host.mjs';
import { Service } from './service.mjs';

const here = import.meta.url; // what bundlers must not see as an address in Node's expression
const workers = {
  page: () => new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module', name: 'ocellus' }),
  node: NodeWorker => new NodeWorker(new URL('./worker.mjs', here)),
};
const hasSharedMemory = typeof SharedArrayBuffer === 'function' && globalThis.crossOriginIsolated !== false;
let isWarned = false;

function warn(reason) {
  if (!isWarned)
    console.warn(`ocellus: models run in this thread, for their worker cannot be started: ${reason}. ` +
      'worker.mjs and what it imports are to lie beside the script that has place.mjs');
  isWarned = true;
}

// A Service in this thread, as a worker's end answers.
class Here {
  constructor(say) {
    this.service = new Service(() => false, say);
  }

  async ask(id, call, operand) {
    return this.service[call](operand);
  }

  hasFlag = false;
  end() {}
}

class There {
  constructor(say) {
    this.say = say;
    this.asked = new Map(); // { resolve, reject } by the id of a call
    this.flag = hasSharedMemory ? new Int32Array(new SharedArrayBuffer(4)) : null;
    this.hasFlag = this.flag !== null;
  }

  // Resolves to true when the worker hears, to false where there are none.
  async start() {
    let begin, fail;
    const begun = new Promise((resolve, reject) => { [begin, fail] = [resolve, reject]; });
    this.worker = await startWorker(workers, {
      hear: message => message.ready ? begin() : this.hear(message),
      fail: error => (fail(error), this.fail(new OcellusError('BROKEN', `the worker has ended: ${error.message}`))),
    });
    if (!this.worker)
      return false;
    this.worker.hold(true);
    await begun;
    this.worker.hold(false);
    if (this.flag)
      this.worker.post({ flag: this.flag.buffer });
    return true;
  }

  hear({ id, result, error, line }) {
    if (line !== undefined) {
      this.say(line);
      return;
    }
    const { resolve, reject } = this.asked.get(id);
    this.asked.delete(id);
    this.worker.hold(this.asked.size > 0);
    if (error)
      reject(new OcellusError(error.code, error.text));
    else
      resolve(result);
  }

  fail(error) {
    for (const { reject } of this.asked.values())
      reject(error);
    this.asked.clear();
  }

  ask(id, call, operand, buffers) {
    return new Promise((resolve, reject) => {
      this.asked.set(id, { resolve, reject });
      this.worker.hold(true);
      try {
        this.worker.post({ id, call, operand }, buffers);
      } catch (error) { // what cannot be sent
        this.asked.delete(id);
        this.worker.hold(this.asked.size > 0);
        reject(error);
      }
    });
  }

  cancel(id) {
    Atomics.store(this.flag, 0, id);
  }

  end() {
    this.worker?.end();
    this.fail(new OcellusError('CANCELLED', 'the worker has been ended'));
  }
}

export class Place {
  // worker: false has everything run in this thread. say(line) hears remarks.
  constructor({ worker = true, say = () => {} } = {}) {
    this.wantsWorker = worker;
    this.say = say;
    this.kept = []; // { call, operand } of what a new worker has to do first
    this.last = Promise.resolve();
    this.id = 0;
    this.side = null; // Here or There, from the first call on
    this.isEnded = false;
  }

  async start() {
    const there = new There(this.say);
    try {
      if (this.wantsWorker && await there.start())
        return there;
    } catch (error) {
      there.end();
      warn(error.message);
    }
    return new Here(this.say);
  }

  // Starts a worker that has done what the one before it had. One that has not come so far is of no use.
  async begin(signal) {
    this.side = await this.start();
    try {
      for (const { call, operand } of this.kept)
        await this.ask(call, operand, { signal });
    } catch (error) {
      this.drop();
      throw error;
    }
    if (this.isEnded) {
      this.drop();
      throw new OcellusError('CANCELLED', 'it was freed while its worker began');
    }
  }

  // Makes a call of the Service, after those before it. buffers are given away. keep: a new worker makes the call again.
  call(call, operand, options = {}) {
    const turn = this.last.then(() => this.perform(call, operand, options));
    this.last = turn.catch(() => {});
    return turn;
  }

  async perform(call, operand, { signal, buffers, keep = false }) {
    signal?.throwIfAborted();
    if (this.isEnded)
      throw new OcellusError('ARGUMENT', `${call}: it has been freed`);
    if (!this.side)
      await this.begin(signal);
    const result = await this.ask(call, operand, { signal, buffers });
    if (keep)
      this.kept.push({ call, operand });
    return result;
  }

  async ask(call, operand, { signal, buffers }) {
    signal?.throwIfAborted();
    const { side } = this, id = ++this.id;
    const cancel = () => side.hasFlag ? side.cancel(id) : this.drop();
    signal?.addEventListener('abort', cancel);
    try {
      return await side.ask(id, call, operand, buffers);
    } catch (error) {
      if (!(error instanceof OcellusError) || error.code === 'BROKEN')
        this.drop();
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  // Ends the worker, of which nothing is left; the next call makes another.
  drop() {
    this.side?.end();
    this.side = null;
  }

  end() {
    this.isEnded = true;
    this.drop();
  }
}
