// Gravity, friction, time step.

import { byId, element, labelled, number } from './dom.js';

/** @param {import('../session.js').Session} session */
export function drawWorld(session) {
  const gravity = ['x', 'y', 'z'].map((axis) => element('input', { type: 'number', step: 'any', aria: { label: `gravity ${axis} in m/s²` } }));
  const send = () => {
    const value = gravity.map((each) => Number(each.value));
    if (value.every(Number.isFinite)) session.do('gravity', { value });
  };
  gravity.forEach((each) => each.addEventListener('change', send));
  const friction = slider('Friction', 0, 3, 0.05, (factor) => session.do('friction', { factor }), (value) => `${number(value)} × the scene's`);
  const dt = element('input', { type: 'number', min: '0.0001', max: '0.1', step: 'any' });
  dt.addEventListener('change', () => session.do('dt', { seconds: Number(dt.value) }));
  const rows = [
    element('fieldset', { className: 'plain' }, element('legend', {}, 'Gravity [m/s²]'), element('div', { className: 'three' }, ...gravity)),
    friction.row,
    labelled('Time step [s]', dt),
  ];
  dt.dataset.key = 'dt';
  friction.input.dataset.key = 'friction';
  gravity.forEach((each, axis) => { each.dataset.key = `gravity-${axis}`; });
  byId('world').append(...rows);
  session.addEventListener('settings', ({ detail }) => {
    const edits = session.scene?.head.can?.edit !== false;
    const show = (input, value) => { if (input !== document.activeElement) input.value = value; };
    (detail.gravity ?? []).forEach((value, axis) => show(gravity[axis], String(value)));
    friction.set(detail.friction ?? 1);
    show(dt, String(Number(detail.dt.toPrecision(6))));
    for (const input of [...gravity, friction.input, dt]) input.disabled = !edits;
  });
}

/** A slider with its value in words. */
export function slider(words, low, high, step, changed, say = number) {
  const input = element('input', { type: 'range', min: String(low), max: String(high), step: String(step) });
  const value = element('output', {});
  const name = element('span', {}, words);
  input.setAttribute('aria-label', words);
  const show = () => { value.textContent = say(Number(input.value)); };
  input.addEventListener('input', () => {
    show();
    changed(Number(input.value));
  });
  const set = (to) => {
    input.value = String(to);
    show();
  };
  return { row: element('div', { className: 'slide' }, name, value, input), input, set };
}
