import assert from 'node:assert/strict';
import test from 'node:test';
import { readScene } from '../src/protocol/scene.js';
import { scene } from './make.mjs';

test('meshes are read where the head says, for every length of the head', () => {
  const numbers = new Uint8Array(4 + 72 + 12);
  const view = new DataView(numbers.buffer);
  [1, 2, 3, 4, 5, 6, 7, 8, 9].forEach((value, k) => view.setFloat32(4 + 4 * k, value, true));
  [0, 1, 2].forEach((value, k) => view.setUint32(76 + 4 * k, value, true));
  for (const name of ['', 'a', 'ab', 'abc']) {
    const read = readScene(scene({ scene: name, meshes: [{ vertices: 3, triangles: 1, at: 4 }], parts: [], bodies: [] }, numbers));
    assert.deepEqual([...read.meshes[0].positions], [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert.deepEqual([...read.meshes[0].triangles], [0, 1, 2]);
  }
});

test('listed and packed parts and bodies become the same tables', () => {
  const at = [1, 2, 3, 0, 0, 0, 1];
  const parts = [{ mesh: 1, body: -1, at, color: [1, 0, 0.2], ground: true }];
  const bodies = [{ id: 7, name: 'box', mass: 2, com: [0, 0, 0.5] }];
  const listed = readScene(scene({ meshes: [], parts, bodies, packed: null }));
  const numbers = new Uint8Array(64);
  const view = new DataView(numbers.buffer);
  view.setUint32(0, 1, true);
  view.setInt32(4, -1, true);
  at.forEach((value, k) => view.setFloat32(8 + 4 * k, value, true));
  numbers.set([255, 0, 51, 1], 36);
  view.setUint32(40, 7, true);
  view.setFloat32(48, 2, true);
  view.setFloat32(60, 0.5, true);
  const packed = readScene(scene({ meshes: [], parts: [], bodies: [], packed: { parts: { count: 1, at: 0 }, bodies: { count: 1, at: 40 } } }, numbers));
  assert.deepEqual(packed.parts, listed.parts);
  assert.deepEqual({ ...packed.bodies, names: [] }, { ...listed.bodies, names: [] });
  assert.deepEqual(listed.bodies.names, ['box']);
});
