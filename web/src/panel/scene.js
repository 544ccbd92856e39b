// Which scene, with which parameters.

import { button, byId, element, labelled } from './dom.js';
import { drawForm } from './form.js';

/** @param {import('../session.js').Session} session */
export function drawScene(session) {
  const into = byId('scene');
  const search = element('input', { type: 'search', placeholder: 'part of a name' });
  const choice = element('select', {});
  const about = element('p', { className: 'soft' });
  const parameters = element('div', {});
  let wished = {};
  const scenes = () => session.catalog?.scenes ?? [];
  const describe = (values) => {
    const scene = scenes().find(({ name }) => name === choice.value);
    about.textContent = scene?.summary ?? '';
    wished = { ...values };
    drawForm(parameters, schemaOf(scene?.parameters ?? []), values, (key, value) => { wished[key] = value; }, (why) => session.tell('note', why));
  };
  const fill = () => {
    const part = search.value.toLowerCase();
    const found = scenes().filter(({ name }) => name.toLowerCase().includes(part));
    const kept = choice.value;
    choice.replaceChildren(...found.map(({ name }) => element('option', { value: name }, name)));
    if (found.some(({ name }) => name === kept)) choice.value = kept;
    else if (found.length) describe({});
  };
  search.addEventListener('input', fill);
  choice.addEventListener('change', () => describe({}));
  const begin = button('Begin this scene', () => session.do('scene', { name: choice.value, parameters: wished }));
  begin.className = 'main';
  into.append(labelled('Find', search), labelled('Scene', choice), about, parameters, element('div', { className: 'buttons' }, begin));
  session.addEventListener('scene', ({ detail }) => {
    if (!choice.options.length) fill();
    const { scene, parameters: values, source } = detail.scene.head;
    if (!scenes().some(({ name }) => name === scene)) choice.prepend(element('option', { value: scene }, `${scene} (${source})`));
    choice.value = scene;
    describe(values ?? {});
  });
}

const KINDS = { count: 'integer', number: 'number', flag: 'boolean' };

/** Parameters as the catalog lists them, as a schema. @param {any[]} parameters */
export function schemaOf(parameters) {
  const property = ({ name, kind, help, default: usual, min, max }) => [name, { type: KINDS[kind], default: kind === 'flag' ? Boolean(usual) : usual, description: help, minimum: min ?? undefined, maximum: max ?? undefined }];
  return { properties: Object.fromEntries(parameters.map(property)) };
}
