// The scene: a head of JSON and the numbers of its meshes. Parts and bodies become tables, however they travelled.

/**
 * @typedef {{positions: Float32Array, normals: Float32Array, triangles: Uint32Array}} Mesh
 * @typedef {{count: number, mesh: Uint32Array, body: Int32Array, at: Float32Array, color: Float32Array, ground: Uint8Array}} Parts
 *   `at` has 7 numbers per part, `color` 3 (sRGB, 0 to 1)
 * @typedef {{count: number, id: Uint32Array, mass: Float32Array, com: Float32Array, names: (string | undefined)[]}} Bodies
 * @typedef {{head: any, meshes: Mesh[], parts: Parts, bodies: Bodies, cloth: Uint32Array, tets: Uint32Array, strings: Uint32Array}} Scene
 */

const PART = 40;
const BODY = 24;

/** @param {ArrayBuffer} buffer @returns {Scene} */
export function readScene(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const start = 4 * Math.ceil((4 + length) / 4);
  const floats = (at, count) => new Float32Array(buffer, start + at, count);
  const indices = (at, count) => new Uint32Array(buffer, start + at, count);
  const mesh = ({ vertices, triangles, at }) => ({
    positions: floats(at, 3 * vertices),
    normals: floats(at + 12 * vertices, 3 * vertices),
    triangles: indices(at + 24 * vertices, 3 * triangles),
  });
  const list = (part, per) => {
    const count = part?.triangles ?? part?.segments ?? 0;
    return count ? indices(part.at, per * count) : new Uint32Array(0);
  };
  const packed = (what) => new DataView(buffer, start + what.at);
  return {
    head,
    meshes: head.meshes.map(mesh),
    parts: head.packed?.parts ? packedParts(packed(head.packed.parts), head.packed.parts.count) : listedParts(head.parts),
    bodies: head.packed?.bodies ? packedBodies(packed(head.packed.bodies), head.packed.bodies.count) : listedBodies(head.bodies),
    cloth: list(head.cloth, 3),
    tets: list(head.tets, 3),
    strings: list(head.strings, 2),
  };
}

/** @param {number} count @returns {Parts} */
function noParts(count) {
  return {
    count, mesh: new Uint32Array(count), body: new Int32Array(count), at: new Float32Array(7 * count), color: new Float32Array(3 * count), ground: new Uint8Array(count),
  };
}

function listedParts(list) {
  const parts = noParts(list.length);
  list.forEach((part, k) => {
    parts.mesh[k] = part.mesh;
    parts.body[k] = part.body;
    parts.at.set(part.at, 7 * k);
    parts.color.set(part.color, 3 * k);
    parts.ground[k] = Number(part.ground);
  });
  return parts;
}

function packedParts(view, count) {
  const parts = noParts(count);
  for (let k = 0; k < count; k++) {
    const at = PART * k;
    parts.mesh[k] = view.getUint32(at, true);
    parts.body[k] = view.getInt32(at + 4, true);
    for (let j = 0; j < 7; j++) parts.at[7 * k + j] = view.getFloat32(at + 8 + 4 * j, true);
    for (let j = 0; j < 3; j++) parts.color[3 * k + j] = view.getUint8(at + 36 + j) / 255;
    parts.ground[k] = view.getUint8(at + 39);
  }
  return parts;
}

/** @param {number} count @returns {Bodies} */
function noBodies(count) {
  return { count, id: new Uint32Array(count), mass: new Float32Array(count), com: new Float32Array(3 * count), names: [] };
}

function listedBodies(list) {
  const bodies = noBodies(list.length);
  list.forEach((body, k) => {
    bodies.id[k] = body.id;
    bodies.mass[k] = body.mass ?? 0;
    bodies.com.set(body.com ?? [0, 0, 0], 3 * k);
    bodies.names[k] = body.name ?? undefined;
  });
  return bodies;
}

function packedBodies(view, count) {
  const bodies = noBodies(count);
  for (let k = 0; k < count; k++) {
    const at = BODY * k;
    bodies.id[k] = view.getUint32(at, true);
    bodies.mass[k] = view.getFloat32(at + 8, true);
    for (let j = 0; j < 3; j++) bodies.com[3 * k + j] = view.getFloat32(at + 12 + 4 * j, true);
  }
  return bodies;
}
