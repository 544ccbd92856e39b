import assert from 'node:assert/strict';
import test from 'node:test';
import { fieldsOf, valueOf } from '../src/panel/schema.js';

const SCHEMA = {
  $defs: {
    Method: { oneOf: [{ const: 'load_scaled', description: 'See [`Method::Avbd`].' }, { const: 'avbd', description: '' }] },
    Inner: { type: 'object', properties: { alpha: { type: 'number', minimum: 0, maximum: 1, default: 0.9 } } },
    Precision: { enum: ['double', 'single'] },
  },
  properties: {
    iterations: { type: 'integer', minimum: 1, description: 'Most sweeps.', default: 10 },
    substeps: { type: ['integer', 'null'], minimum: 0 },
    repair: { type: ['boolean', 'null'] },
    method: { $ref: '#/$defs/Method', description: 'How.' },
    other: { anyOf: [{ $ref: '#/$defs/Precision' }, { type: 'null' }] },
    avbd: { $ref: '#/$defs/Inner' },
    list: { type: 'array' },
  },
};
const fields = fieldsOf(SCHEMA, { iterations: 4, substeps: null, method: 'avbd', avbd: { alpha: 0.5 } });
const field = (key) => fields.find((each) => each.key === key);

test('every option that a form can hold is there, groups flattened', () => {
  assert.deepEqual(fields.map(({ key, kind, optional }) => [key, kind, optional]), [
    ['iterations', 'integer', false], ['substeps', 'integer', true], ['repair', 'boolean', true], ['method', 'choice', false], ['other', 'choice', true], ['avbd.alpha', 'number', false],
  ]);
  assert.deepEqual([field('iterations').value, field('avbd.alpha').value, field('substeps').value], [4, 0.5, null]);
  assert.deepEqual(field('method').choices, [{ value: 'load_scaled', description: 'See Method::Avbd.' }, { value: 'avbd', description: '' }]);
});

test('what is typed becomes a value of the right kind', () => {
  assert.equal(valueOf(field('iterations'), '12'), 12);
  assert.equal(valueOf(field('substeps'), ''), null);
  assert.equal(valueOf(field('repair'), 'true'), true);
  assert.equal(valueOf(field('repair'), ''), null);
  assert.equal(valueOf(field('method'), 'avbd'), 'avbd');
  assert.equal(valueOf(field('avbd.alpha'), '0.25'), 0.25);
});

test('what cannot be is refused by name', () => {
  for (const [key, typed, why] of [['iterations', '1.5', /whole/], ['iterations', '0', /at least 1/], ['iterations', '', /number/], ['avbd.alpha', '2', /at most 1/], ['avbd.alpha', 'x', /number/]]) {
    assert.throws(() => valueOf(field(key), typed), why);
  }
});
