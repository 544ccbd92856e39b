import assert from 'node:assert/strict';
import test from 'node:test';
import { Orbit } from '../src/hands/orbit.js';
import { add, cross, dot, length, mul, sub, unit } from '../src/hands/vector.js';

const near = (a, b, within = 1e-9) => a.forEach((value, k) => assert.ok(Math.abs(value - b[k]) <= within, `${a} is not ${b}`));
/** Where a point is in the picture, by projecting it. */
function project(orbit, point) {
  const { eye, forward, right, up } = orbit.frame();
  const to = sub(point, eye);
  const half = Math.tan(orbit.opening / 2);
  return [dot(to, right) / (dot(to, forward) * half * orbit.aspect), dot(to, up) / (dot(to, forward) * half)];
}

for (const up of [[0, 0, 1], [0, 1, 0], [1, 0, 0], unit([1, 2, 3])]) {
  test(`the ray of a pixel passes through what is drawn there; up is ${up.map((x) => x.toFixed(2))}`, () => {
    const orbit = new Orbit();
    Object.assign(orbit, { up, target: [1, -2, 0.5], distance: 7, azimuth: 1.1, elevation: 0.4, aspect: 1.5 });
    for (const point of [[1, -2, 0.5], [2, -1, 1], [0, 0, 0]]) {
      const { origin, direction } = orbit.ray(...project(orbit, point));
      near(cross(unit(sub(point, origin)), direction), [0, 0, 0]);
    }
  });
}

test('frame is a right-handed basis and looking from an eye comes back to it', () => {
  const orbit = new Orbit();
  orbit.look([3, -4, 2], [0, 0, 1]);
  const { eye, forward, right, up } = orbit.frame();
  near(eye, [3, -4, 2]);
  near(forward, unit([-3, 4, -1]));
  near(cross(right, forward), up);
  assert.ok(dot(up, orbit.up) > 0);
});

test('a drag stays in the plane of the point it began at', () => {
  const orbit = new Orbit();
  orbit.look([0, -10, 3], [0, 0, 0]);
  const point = [0.5, 0.2, 1];
  near(orbit.onPlane(...project(orbit, point), point), point);
  const moved = orbit.onPlane(0.3, -0.2, point);
  assert.ok(Math.abs(dot(sub(moved, point), orbit.frame().forward)) < 1e-9);
  near(project(orbit, moved), [0.3, -0.2]);
});

test('everything fits and touches the margin', () => {
  for (const aspect of [0.5, 1, 2.2]) {
    const orbit = new Orbit();
    Object.assign(orbit, { aspect, azimuth: 0.7, elevation: 0.35 });
    orbit.fit([[-3, -1, 0], [2, 4, 5]]);
    const places = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((k) => project(orbit, [k & 1 ? 2 : -3, k & 2 ? 4 : -1, k & 4 ? 5 : 0]));
    const most = Math.max(...places.map(Math.abs));
    assert.ok(most <= 0.88 + 1e-9 && most > 0.87, `${most}`);
  }
});

test('panning moves what is under the pointer with it', () => {
  const orbit = new Orbit();
  orbit.look([0, -10, 3], [0, 0, 0]);
  const before = project(orbit, [0, 0, 0]);
  orbit.pan(0.1, 0.05);
  const after = project(orbit, [0, 0, 0]);
  // A tenth of the height to the right, a twentieth down.
  near([after[0] - before[0], after[1] - before[1]], [0.2 / orbit.aspect, -0.1], 2e-3);
});

test('turning never tips over', () => {
  const orbit = new Orbit();
  for (let k = 0; k < 100; k++) orbit.turn(0, 0.2);
  assert.ok(dot(orbit.frame().up, orbit.up) > 0);
  assert.ok(Math.abs(length(orbit.frame().right) - 1) < 1e-12);
  near(add(orbit.frame().eye, mul(orbit.frame().forward, orbit.distance)), orbit.target);
});
