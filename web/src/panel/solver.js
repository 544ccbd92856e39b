// Which solver, with which options; the form is written by the solver's schema.

import { byId, element, labelled } from './dom.js';
import { drawForm } from './form.js';

/** @param {import('../session.js').Session} session */
export function drawSolver(session) {
  const choice = element('select', {});
  choice.dataset.key = 'solver';
  const about = element('p', { className: 'soft' });
  const options = element('div', {});
  choice.addEventListener('change', () => session.do('solver', { name: choice.value }));
  byId('solver').append(labelled('Solver', choice), about, options);
  session.addEventListener('settings', ({ detail }) => {
    const { solver, options: values } = detail;
    const { can = {} } = session.scene?.head ?? {};
    const solvers = session.catalog?.solvers ?? [];
    choice.replaceChildren(...solvers.map(({ name }) => element('option', { value: name }, name)));
    choice.value = solver;
    choice.disabled = can.edit === false;
    const known = solvers.find(({ name }) => name === solver);
    about.textContent = known?.summary ?? '';
    const focus = document.activeElement?.getAttribute?.('data-key');
    drawForm(options, known?.schema ?? {}, { ...known?.defaults, ...values }, (key, value) => session.do('option', { key, value }), (why) => session.tell('note', why));
    if (can.edit === false) options.querySelectorAll('input, select').forEach((control) => { control.disabled = true; });
    if (focus) options.querySelector(`[data-key="${CSS.escape(focus)}"]`)?.focus();
  });
}

/** A second solver beside the first. @param {import('../session.js').Session} session */
export function drawCompare(session) {
  const choice = element('select', {});
  choice.dataset.key = 'compare';
  const said = element('p', { className: 'soft', attributes: { 'aria-live': 'polite' } });
  const reason = element('p', { className: 'soft' });
  choice.addEventListener('change', () => session.do('compare', { solver: choice.value || null }));
  byId('compare').append(
    element('p', { className: 'soft' }, 'A second simulation goes on from the same state with the same commands; both are drawn side by side.'),
    labelled('Beside it', choice), said, reason,
  );
  session.addEventListener('scene', ({ detail }) => {
    const { solver, second, can = {}, why = {} } = detail.scene.head;
    const solvers = session.catalog?.solvers ?? [];
    choice.replaceChildren(element('option', { value: '' }, 'nothing'), ...solvers.map(({ name }) => element('option', { value: name }, name)));
    choice.value = second?.solver ?? '';
    choice.disabled = can.compare === false;
    reason.textContent = why.compare ?? '';
    byId('panes').hidden = !second;
    byId('pane-first').textContent = solver;
    byId('pane-second').textContent = second?.solver ?? '';
  });
  session.addEventListener('report', ({ detail }) => {
    const { parted, second } = detail;
    said.textContent = !second ? '' : parted ? `They part at step ${parted.step}: ${(1000 * parted.distance).toPrecision(3)} mm there.` : 'They have not parted yet.';
  });
}
