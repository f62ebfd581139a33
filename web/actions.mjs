// SPDX-License-Identifier: Apache-2.0
// actions.mjs - what a person has the page do: one action after another, each of which can be stopped, and what is said of it.
import { byId } from './dom.mjs';

let current = null; // the AbortController of the last action that was asked for; null: it has ended
let last = Promise.resolve(); // the end of the one before

// kind is 'bad', 'busy' or nothing. Screen readers read the text, not the clock beside it.
export function say(text, kind = '') {
  byId('state').textContent = text;
  byId('state').className = kind === 'bad' ? 'bad' : 'soft';
  byId('clock').textContent = '';
  document.body.dataset.state = kind === 'bad' ? 'failed' : kind || 'ready';
  byId('stop').disabled = kind !== 'busy';
}

// Does something that takes time, after what was asked for before, which is stopped. act({ signal, tick }) resolves to what is said at its
// end, or to nothing; it is to end soon when the signal does. tick(text) shows a text in place of the seconds that have passed. What another
// action has taken the place of says nothing.
export function busy(text, act) {
  stop();
  const mine = current = new AbortController(), { signal } = mine;
  last = last.then(async () => {
    if (current !== mine)
      return;
    const begin = performance.now(), show = passed => {
      if (current === mine)
        byId('clock').textContent = passed;
    };
    say(text, 'busy');
    const clock = setInterval(() => show(`${((performance.now() - begin) / 1000).toFixed(1)} s`), 100);
    const tick = passed => (clearInterval(clock), show(passed));
    try {
      signal.throwIfAborted(); // stopped while it waited
      const said = await act({ signal, tick });
      signal.throwIfAborted();
      if (current === mine)
        say(said ?? '');
    } catch (error) {
      if (current === mine)
        say(signal.aborted ? 'stopped' : error.message, signal.aborted ? '' : 'bad');
    } finally {
      clearInterval(clock);
      if (current === mine)
        current = null;
    }
  });
  return last;
}

export function stop() {
  current?.abort(new Error('stopped'));
}
