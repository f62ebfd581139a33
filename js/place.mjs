// SPDX-License-Identifier: Apache-2.0
// place.mjs - where a model runs: a worker with a Service in it, or a Service in this thread where there are no workers.
//
// Calls take turns. An AbortSignal ends the one that runs: by a number in memory that both threads share where the page, or Node, has
// such memory, else with the worker. A worker that was ended is made anew for the next call, and the calls that were marked `keep` are
// made again in it.
import { OcellusError, ofFault } from './error.mjs';
import { startWorker } from './host.mjs';
import { Service } from './service.mjs';

const here = import.meta.url; // what bundlers must not see as an address in Node's expression
const workers = {
  page: () => new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module', name: 'ocellus' }),
  node: NodeWorker => new NodeWorker(new URL('./worker.mjs', here), { execArgv: [] }), // those of the process may not be for a file
};
const hasSharedMemory = typeof SharedArrayBuffer === 'function' && globalThis.crossOriginIsolated !== false;
let isWarned = false;

// Has workers of pages made by a function, where worker.mjs is a part of something else; null: by the one above.
export function makeWorkersBy(make) {
  workers.given = make;
}

function warn(reason) {
  if (!isWarned)
    console.warn(`ocellus: models run in this thread, for their worker cannot be started: ${reason.replace(/\.$/, '')}. ` +
      'worker.mjs and what it imports are to lie beside the script that has place.mjs, which is to be of the page\'s origin; ' +
      'else configure({ worker }) makes the worker');
  isWarned = true;
}

// A Service in this thread, as a worker's end answers.
class Here {
  constructor(say) {
    this.service = new Service(say);
  }

  async ask(id, call, operand) {
    try {
      return await this.service[call](operand);
    } catch (error) {
      throw ofFault(error);
    }
  }

  hasFlag = false;
  isDead = false;
  end() {}
}

class There {
  constructor(say) {
    this.say = say;
    this.asked = new Map(); // { resolve, reject } by the id of a call
    this.flag = hasSharedMemory ? new Int32Array(new SharedArrayBuffer(4)) : null;
    this.hasFlag = this.flag !== null;
    this.isDead = false;
  }

  // Resolves to true when the worker hears, to false where there are none.
  async start() {
    let begin, fail;
    const begun = new Promise((resolve, reject) => { [begin, fail] = [resolve, reject]; });
    this.worker = await startWorker(workers, {
      hear: message => message.ready ? begin() : this.hear(message),
      fail: error => (fail(error), this.die(new OcellusError('BROKEN', `the worker has ended: ${error.message}`))),
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
    const call = this.asked.get(id);
    if (!call)
      return; // it was ended while its answer came
    this.asked.delete(id);
    this.worker.hold(this.asked.size > 0);
    if (error)
      call.reject(new OcellusError(error.code, error.text));
    else
      call.resolve(result);
  }

  die(error) {
    this.isDead = true;
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
        reject(new OcellusError('ARGUMENT', `${call}: ${error.message}`));
      }
    });
  }

  cancel(id) {
    Atomics.store(this.flag, 0, id);
  }

  end() {
    this.die(new OcellusError('CANCELLED', 'it was ended before the call was done')); // first: Deno tells of the end at once
    this.worker?.end();
  }
}

// Settles as the promise does, or before that as the signal says.
export async function orAborted(promise, signal) {
  if (!signal)
    return promise;
  let abort;
  const aborted = new Promise((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort);
  });
  try {
    signal.throwIfAborted();
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
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
    this.starting = null; // a promise of one that the first call takes
    this.isEnded = false;
  }

  async start() {
    const say = line => this.say(line), there = new There(say);
    try {
      if (this.wantsWorker && await there.start())
        return there;
    } catch (error) {
      there.end();
      warn(error.message);
    }
    return new Here(say);
  }

  // Starts a worker ahead of the first call.
  prepare() {
    this.starting = this.start();
  }

  // Starts a worker that has done what the one before it had. One that has not come so far is of no use.
  async begin(signal) {
    const starting = this.starting;
    this.starting = null;
    this.side = await starting;
    if (!this.side || this.side.isDead)
      this.side = await this.start();
    try {
      for (const { call, operand } of this.kept)
        await this.ask(call, operand, { signal });
      this.#expectHeld();
    } catch (error) {
      this.drop();
      throw error;
    }
  }

  // Of calls that were made before the end.
  #expectHeld() {
    if (this.isEnded)
      throw new OcellusError('CANCELLED', 'it was freed before the call was done');
  }

  // Makes a call of the Service, after those before it. buffers are given away. keep: a new worker makes the call again.
  call(call, operand, options = {}) {
    if (this.isEnded)
      return Promise.reject(new OcellusError('ARGUMENT', 'it has been freed'));
    const turn = this.last.then(() => this.perform(call, operand, options));
    this.last = turn.catch(() => {});
    return orAborted(turn, options.signal);
  }

  async perform(call, operand, { signal, buffers, keep = false }) {
    signal?.throwIfAborted();
    this.#expectHeld();
    if (this.side?.isDead)
      this.drop();
    if (!this.side)
      await this.begin(signal);
    const result = await this.ask(call, operand, { signal, buffers });
    if (keep)
      this.kept.push({ call, operand });
    return result;
  }

  async ask(call, operand, { signal, buffers }) {
    signal?.throwIfAborted();
    this.#expectHeld();
    const { side } = this, id = ++this.id;
    const cancel = () => side.hasFlag ? side.cancel(id) : this.drop();
    signal?.addEventListener('abort', cancel);
    try {
      const result = await side.ask(id, call, operand, buffers);
      if (this.side !== side)
        throw new OcellusError('CANCELLED', 'it was ended');
      return result;
    } catch (error) {
      if (error.code === 'BROKEN')
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
    this.kept = []; // with the model's bytes
    this.starting?.then(side => side.end());
    this.drop();
  }
}
