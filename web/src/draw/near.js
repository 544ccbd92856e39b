// Which parts a pixel may show: those whose balls its ray meets. Testable without a browser.

import { dot, sub } from '../hands/vector.js';

/** Distance of the farthest point from the origin [m]. @param {Float32Array} positions */
export function reachOf(positions) {
  let most = 0;
  for (let k = 0; k < positions.length; k += 3) most = Math.max(most, Math.hypot(positions[k], positions[k + 1], positions[k + 2]));
  return most;
}

/**
 * Those of the chosen parts that a cone around a ray may meet.
 * @param {import('../protocol/scene.js').Parts} parts @param {ArrayLike<number>} chosen @param {number} reach of their mesh [m]
 * @param {{older: Float32Array, newer: Float32Array, between: number}} places of bodies, three numbers each
 * @param {{origin: import('../hands/vector.js').Vec, direction: import('../hands/vector.js').Vec}} ray with a unit direction
 * @param {number} spread tangent of half the angle of the cone
 * @returns {number[]}
 */
export function partsNear(parts, chosen, reach, { older, newer, between }, { origin, direction }, spread) {
  const near = [];
  /** @type {import('../hands/vector.js').Vec} */
  const centre = [0, 0, 0];
  for (let k = 0; k < chosen.length; k++) {
    const part = chosen[k];
    const body = parts.body[part];
    const at = 7 * part;
    for (let axis = 0; axis < 3; axis++) {
      centre[axis] = body < 0 ? parts.at[at + axis] : older[3 * body + axis] + between * (newer[3 * body + axis] - older[3 * body + axis]);
    }
    const radius = reach + (body < 0 ? 0 : Math.hypot(parts.at[at], parts.at[at + 1], parts.at[at + 2]));
    const out = sub(centre, origin);
    const along = dot(out, direction);
    const wide = radius + spread * Math.max(0, along + radius);
    if (along > -radius && dot(out, out) - along * along <= wide * wide) near.push(part);
  }
  return near;
}
