// A form written by a schema.

import { element, labelled } from './dom.js';
import { fieldsOf, valueOf } from './schema.js';

/**
 * @param {HTMLElement} into @param {any} schema @param {any} values
 * @param {(key: string, value: any) => void} changed @param {(why: string) => void} refused
 */
export function drawForm(into, schema, values, changed, refused) {
  const rows = fieldsOf(schema, values).map((field) => {
    const control = controlOf(field);
    control.addEventListener('change', () => {
      try {
        changed(field.key, valueOf(field, control.type === 'checkbox' ? control.checked : control.value));
        control.removeAttribute('aria-invalid');
      } catch (error) {
        control.setAttribute('aria-invalid', 'true');
        refused(error.message);
      }
    });
    control.dataset.key = field.key;
    return labelled(words(field.key), control, field.description);
  });
  into.replaceChildren(...rows);
}

/** @param {string} key */
const words = (key) => key.replaceAll('_', ' ').replaceAll('.', ': ');

/** @param {import('./schema.js').Field} field @returns {any} */
function controlOf(field) {
  if (field.kind === 'boolean' && !field.optional) return element('input', { type: 'checkbox', checked: Boolean(field.value) });
  if (field.kind === 'choice' || field.kind === 'boolean') return choice(field);
  const kind = field.kind === 'text' ? 'text' : 'number';
  const input = element('input', { type: kind, value: field.value ?? '', placeholder: field.optional ? 'automatic' : '' });
  if (kind === 'number') {
    input.step = field.kind === 'integer' ? '1' : 'any';
    if (field.min !== undefined) input.min = String(field.min);
    if (field.max !== undefined) input.max = String(field.max);
  }
  return input;
}

/** @param {import('./schema.js').Field} field */
function choice(field) {
  const choices = field.choices ?? [{ value: true, description: '' }, { value: false, description: '' }];
  const name = (value) => (value === true ? 'yes' : value === false ? 'no' : String(value));
  const options = choices.map(({ value, description }) => element('option', { value: String(value), title: description }, name(value)));
  if (field.optional) options.unshift(element('option', { value: '' }, 'automatic'));
  const select = element('select', {}, ...options);
  select.value = field.value === null ? '' : String(field.value);
  return select;
}
