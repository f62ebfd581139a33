// SPDX-License-Identifier: Apache-2.0
// dom.mjs - elements of the page.

export const byId = id => document.getElementById(id);

// An element with properties, and what is in it; properties that begin with 'aria-' are attributes.
export function element(tag, properties = {}, ...inner) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties))
    if (/^aria-|^role$|^for$/.test(name))
      made.setAttribute(name, value);
    else
      made[name] = value;
  made.append(...inner);
  return made;
}

export const button = (text, act, properties = {}) => element('button', { type: 'button', textContent: text, onclick: act, ...properties });

// A table: a caption, names of columns, and rows of texts.
export function table(caption, columns, rows) {
  const isNumber = text => /^-?[\d.,]+( ?%| ms)?$/.test(text);
  const line = row => element('tr', {}, ...row.map(cell => element('td', { className: isNumber(cell) ? 'number' : '' }, cell)));
  return element('table', {}, element('caption', { textContent: caption }),
    element('thead', {}, element('tr', {}, ...columns.map((name, i) => element('th', { textContent: name, scope: 'col',
      className: rows.length && rows.every(row => isNumber(row[i])) ? 'number' : '' })))),
    element('tbody', {}, ...rows.map(line)));
}

export function save(name, content, type = 'application/octet-stream') {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  element('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

// A number as people read it; a whole one, and a text such as "inf", as it is.
export const short = (value, digits = 5) => typeof value !== 'number' || Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(digits)));
