// What a pixel may show: nothing that its ray meets is left out, and nearly all else is.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partsNear, reachOf } from '../src/draw/near.js';

/** Numbers between −1 and 1, the same in every run. */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

test('a mesh reaches as far as its farthest vertex', () => {
  assert.equal(reachOf(new Float32Array([0, 0, 1, 3, 4, 0, -1, 0, 0])), 5);
  assert.equal(reachOf(new Float32Array(0)), 0);
});

test('parts are near where a fine march along the ray comes near', () => {
  const next = numbers(7);
  const count = 500;
  const reach = 0.15;
  const parts = { body: Int32Array.from({ length: count }, (_, k) => (k % 10 ? k : -1)), at: Float32Array.from({ length: 7 * count }, () => 0.2 * next()) };
  const [older, newer] = [0, 1].map(() => Float32Array.from({ length: 3 * count }, () => 3 * next()));
  const between = 0.3;
  const origin = [-6, 0.4, 0.2];
  const direction = [0.98, Math.sqrt(1 - 0.98 ** 2), 0];
  const chosen = Array.from({ length: count }, (_, k) => k);
  const near = new Set(partsNear(parts, chosen, reach, { older, newer, between }, { origin, direction }, 0));
  const place = (k) => [0, 1, 2].map((axis) => (parts.body[k] < 0 ? parts.at[7 * k + axis] : older[3 * k + axis] * (1 - between) + newer[3 * k + axis] * between));
  let met = 0;
  for (const k of chosen) {
    const centre = place(k);
    const radius = reach + (parts.body[k] < 0 ? 0 : Math.hypot(...parts.at.subarray(7 * k, 7 * k + 3)));
    let least = Infinity;
    for (let t = 0; t < 14; t += 1e-3) least = Math.min(least, Math.hypot(...centre.map((value, axis) => value - origin[axis] - t * direction[axis])));
    if (Math.abs(least - radius) < 1e-4) continue;
    assert.equal(near.has(k), least < radius, `part ${k}: ${least} of ${radius}`);
    met += Number(least < radius);
  }
  assert.ok(met > 5 && met < 250, `${met} are met`);
  const behind = partsNear(parts, chosen, reach, { older, newer, between }, { origin, direction: direction.map((value) => -value) }, 0);
  assert.deepEqual(behind, []);
  assert.ok(partsNear(parts, chosen, reach, { older, newer, between }, { origin, direction }, 0.1).length > near.size, 'a cone meets more');
});
