// What the shaders must know of each part.

import * as THREE from 'three';

/**
 * One value per instance of each thing.
 * @param {import('../protocol/scene.js').Parts} parts @param {number[] | Uint32Array} chosen which of them
 */
export function instanceAttributes(parts, chosen) {
  const count = chosen.length;
  const body = new Float32Array(count);
  const at = new Float32Array(3 * count);
  const way = new Float32Array(4 * count);
  const own = new Float32Array(3 * count);
  const color = new THREE.Color();
  for (let k = 0; k < count; k++) {
    const part = chosen[k];
    body[k] = parts.body[part];
    at.set(parts.at.subarray(7 * part, 7 * part + 3), 3 * k);
    way.set(parts.at.subarray(7 * part + 3, 7 * part + 7), 4 * k);
    const [r, g, b] = parts.color.subarray(3 * part, 3 * part + 3);
    color.setRGB(r, g, b, THREE.SRGBColorSpace).toArray(own, 3 * k);
  }
  return { count, arrays: { dsBody: [body, 1], dsAt: [at, 3], dsWay: [way, 4], dsOwn: [own, 3] } };
}

/** @param {THREE.InstancedBufferGeometry} geometry @param {ReturnType<typeof instanceAttributes>} attributes */
export function addInstances(geometry, attributes) {
  for (const [name, [array, size]] of Object.entries(attributes.arrays)) {
    geometry.setAttribute(name, new THREE.InstancedBufferAttribute(array, size));
  }
  geometry.instanceCount = attributes.count;
}

/**
 * Parts that share a mesh, as lists of their numbers.
 * @param {import('../protocol/scene.js').Parts} parts
 */
export function groupParts(parts) {
  const groups = new Map();
  for (let k = 0; k < parts.count; k++) {
    const key = 2 * parts.mesh[k] + parts.ground[k];
    if (!groups.has(key)) groups.set(key, { mesh: parts.mesh[k], ground: parts.ground[k] === 1, chosen: [] });
    groups.get(key).chosen.push(k);
  }
  return [...groups.values()];
}
