// SPDX-License-Identifier: Apache-2.0
// lines.mjs - lines of the command, as a person runs them in a shell.
import { command, textOf } from '../js/command.mjs';
import { byId } from './dom.mjs';

const quoted = word => /^[\w.,=/:+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

export const lineOf = words => ['ocellus', ...words].map(quoted).join(' ');

// The path of a file for the command, to which no name is an option or a pattern.
export const pathOf = name => name.replace(/^-/, '_').replace(/[*?[\]/\\]/g, '_');

// Writes a line of the command into the page's log.
export function log(words) {
  byId('lines').textContent += `${lineOf(words)}\n`;
}

// A file's name without its ending.
export const stemOf = name => name.replace(/\.[^.]*$/, '');

// Runs the command, and writes the line into the page's log. Throws what the command says when it fails.
export async function run(words, files, { signal, isFine = status => status === 0 } = {}) {
  log(words);
  const done = await command(words, { files, signal });
  if (!isFine(done.status))
    throw new Error(textOf(done.err) || done.out);
  return done;
}
