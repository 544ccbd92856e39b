// What is shown, and in which colours.

import { byId, element, labelled } from './dom.js';

const NAMES = {
  shadows: 'Shadows', ground: 'Ground', wireframe: 'Wireframe', shapes: 'Edges of shapes', contacts: 'Contacts, forces', velocities: 'Velocities',
  joints: 'Joint frames', masses: 'Centres of mass', bounds: 'Bounding boxes', sleepers: 'Sleeping bodies',
};
const COLORINGS = [['own', 'their own'], ['islands', 'islands'], ['colours', 'colours of the sweep'], ['heat', 'overlap as heat']];

/** @param {{session: import('../session.js').Session, stage: import('../draw/stage.js').Stage, loop: import('../loop.js').Loop}} page */
export function drawShow({ session, stage, loop }) {
  const boxes = new Map();
  const why = element('p', { className: 'soft' });
  /** Frames carry only what is looked at. */
  const ask = () => {
    const { contacts, velocities, bounds } = stage.show;
    const heat = stage.coloring === 'heat';
    return session.do('show', { contacts: contacts || heat, velocities, bounds, groups: ['islands', 'colours'].includes(stage.coloring) });
  };
  const apply = () => {
    stage.apply();
    loop.touch();
    ask();
  };
  const check = ([key, words]) => {
    const box = element('input', { type: 'checkbox', checked: stage.show[key] });
    box.dataset.show = key;
    box.addEventListener('change', () => {
      stage.show[key] = box.checked;
      apply();
    });
    boxes.set(key, box);
    return element('label', {}, box, words);
  };
  const coloring = element('select', {}, ...COLORINGS.map(([value, words]) => element('option', { value }, words)));
  coloring.dataset.show = 'coloring';
  coloring.addEventListener('change', () => {
    stage.coloring = coloring.value;
    apply();
  });
  byId('show').append(element('div', { className: 'checks' }, ...Object.entries(NAMES).map(check)), labelled('Colours', coloring), why);
  session.addEventListener('scene', ({ detail }) => {
    const { can = {}, why: reasons = {} } = detail.scene.head;
    const set = (key, able) => {
      const box = boxes.get(key);
      box.disabled = !able;
      box.parentElement.classList.toggle('off', !able);
      if (!able) box.checked = stage.show[key] = false;
    };
    set('contacts', can.contacts !== false);
    set('joints', (detail.scene.head.joints ?? []).length > 0);
    coloring.options[2].disabled = can.colors === false;
    coloring.options[3].disabled = can.contacts === false;
    if (coloring.selectedOptions[0]?.disabled) coloring.value = stage.coloring = 'own';
    why.textContent = [...new Set([reasons.contacts, reasons.colors, reasons.joints])].filter(Boolean).join(' ');
    stage.apply();
    ask();
  });
}
