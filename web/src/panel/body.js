// Everything known of the selected body.

import { button, byId, element, number } from './dom.js';

const EVERY = 300;

/** @param {import('../session.js').Session} session @param {Record<string, () => void>} actions */
export function drawBody(session, actions) {
  const hint = element('p', { className: 'soft' }, 'Click a body, or press N on the scene, to see everything known of it. Drag it to pull at it.');
  const name = element('h3', {});
  const table = element('table', {});
  const acts = [['Push', 'push'], ['Freeze or thaw', 'freeze'], ['Wake', 'wake'], ['Delete', 'delete'], ['Follow', 'follow']];
  const buttons = acts.map(([words, action]) => button(words, actions[action]));
  const known = element('div', { hidden: true }, name, element('div', { className: 'buttons' }, ...buttons), table);
  byId('body').append(hint, known);
  session.addEventListener('following', ({ detail }) => buttons[4].setAttribute('aria-pressed', String(detail)));
  const part = byId('part-body');
  let busy = false;
  const read = async () => {
    const id = session.body;
    if (busy || id === null || !part.open || document.hidden) return;
    busy = true;
    try {
      const body = await session.transport.json(`body?id=${id}`);
      if (session.body === id) show(body, name, table);
    } catch (error) {
      table.replaceChildren(element('caption', {}, error.message));
    }
    busy = false;
  };
  session.addEventListener('selected', ({ detail }) => {
    hint.hidden = detail >= 0;
    known.hidden = detail < 0;
    if (detail >= 0) part.open = true;
    table.replaceChildren();
    name.textContent = detail >= 0 ? session.scene?.bodies.names[detail] || `body ${session.body}` : '';
    read();
  });
  part.addEventListener('toggle', read);
  setInterval(read, EVERY);
}

function show(body, name, table) {
  if (body.name) name.textContent = body.name;
  const rows = Object.entries(body).filter(([key]) => key !== 'name').flatMap(([key, value]) => rowsOf(key.replaceAll('_', ' '), value));
  table.replaceChildren(element('tbody', {}, ...rows.map(([key, value]) => element('tr', {}, element('th', { scope: 'row' }, key), element('td', {}, value)))));
}

/** A value as rows of a table; lists of things count and show the first few. @returns {[string, string][]} */
export function rowsOf(key, value) {
  if (Array.isArray(value) && value.length === 0) return [[key, 'none']];
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return [[key, value.filter(Boolean).join(', ') || String(value.length)]];
  if (Array.isArray(value) && value.every((each) => typeof each === 'number')) return [[key, value.map(number).join(', ')]];
  if (Array.isArray(value)) {
    const few = value.slice(0, 6).flatMap((each, index) => rowsOf(`${key} ${index + 1}`, each));
    return [[key, String(value.length)], ...few];
  }
  if (value && typeof value === 'object') return [[key, Object.entries(value).map(([name, each]) => `${name.replaceAll('_', ' ')} ${inLine(each)}`).join(', ')]];
  if (typeof value === 'boolean') return [[key, value ? 'yes' : 'no']];
  return [[key, number(value)]];
}

/** A value within a line. @param {any} value @returns {string} */
function inLine(value) {
  if (Array.isArray(value)) return `(${value.map(inLine).join(', ')})`;
  if (value && typeof value === 'object') return Object.values(value).map(inLine).join(' ');
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : number(value);
}
