// Small helpers for elements.

/**
 * An element with properties and children. `on` holds listeners, `data` data attributes, `aria` aria attributes.
 * @param {string} name @param {any} [properties] @param {...(Node | string)} children
 */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  const { on = {}, aria = {}, attributes = {}, ...rest } = properties;
  Object.assign(made, rest);
  for (const [key, value] of Object.entries(aria)) made.setAttribute(`aria-${key}`, String(value));
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  for (const [key, listener] of Object.entries(on)) made.addEventListener(key, listener);
  made.append(...children);
  return made;
}

/** @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

let last = 0;
/** A control with its label in front. @param {string} words @param {any} control @param {string} [help] */
export function labelled(words, control, help) {
  last += 1;
  control.id ||= `control-${last}`;
  const label = element('label', { htmlFor: control.id }, words);
  const row = element('div', { className: 'row' }, label, control);
  if (help) {
    const note = element('small', { id: `${control.id}-help`, className: 'help' }, help);
    control.setAttribute('aria-describedby', note.id);
    row.append(note);
  }
  return row;
}

/** @param {string} words @param {() => void} act @param {string} [title] */
export function button(words, act, title) {
  return element('button', { type: 'button', on: { click: act }, ...(title ? { title } : {}) }, words);
}

/** Digits that a reader can take in. @param {any} value */
export function number(value) {
  if (typeof value !== 'number') return value === null || value === undefined ? '–' : String(value);
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size >= 1e5 || size < 1e-3) return value.toExponential(2).replace('e+', 'e');
  return String(Number(value.toPrecision(4)));
}

/** Saves bytes as a file of the reader's. @param {Blob} blob @param {string} name */
export function save(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = element('a', { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
