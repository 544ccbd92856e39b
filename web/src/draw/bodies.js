// Shaded bodies: parts that share a mesh are instances of one draw call.

import * as THREE from 'three';
import { addInstances, groupParts, instanceAttributes } from './instances.js';
import { reachOf } from './near.js';
import { POSE, PART, followBodies } from './shaders.js';
import { sphereOf, sphereQuads } from './spheres.js';

/** From so many balls on, each is a quad and a ray instead of hundreds of triangles; from fewer on where the processor draws. */
export const MANY_SPHERES = { graphics: 20_000, software: 1_000 };

/**
 * Parts that share a mesh: which, how far their mesh reaches [m], and how some of them are drawn into the id buffer.
 * @typedef {{chosen: number[], ground: boolean, reach: number, idsOf: (attributes: ReturnType<typeof instanceAttributes>) => THREE.Mesh}} Kin
 */

/**
 * Objects for all parts of a scene.
 * @param {import('../protocol/scene.js').Scene} scene @param {any} uniforms @param {boolean} software whether the processor draws
 */
export function buildBodies(scene, uniforms, software) {
  const materials = makeMaterials(uniforms);
  const many = software ? MANY_SPHERES.software : MANY_SPHERES.graphics;
  const solid = new THREE.Group();
  const edges = new THREE.Group();
  const ids = new THREE.Group();
  /** @type {Kin[]} */
  const kins = [];
  for (const { mesh, ground, chosen } of groupParts(scene.parts)) {
    const source = scene.meshes[mesh];
    const attributes = instanceAttributes(scene.parts, chosen);
    const kin = { chosen, ground, reach: reachOf(source.positions) };
    const radius = chosen.length >= many && !ground ? sphereOf(source.positions) : null;
    if (radius !== null) {
      const quads = sphereQuads(attributes, radius, uniforms);
      solid.add(quads.solid);
      ids.add(quads.ids);
      kins.push({ ...kin, idsOf: quads.idsOf });
      continue;
    }
    const geometry = instanced(source, attributes);
    const id = ground ? materials.groundId : materials.id;
    solid.add(shaded(geometry, ground ? materials.ground : materials.solid, ground ? null : materials.depth, ground));
    ids.add(plain(geometry, id));
    kins.push({ ...kin, idsOf: (some) => plain(instanced(source, some), id) });
    if (!ground && source.triangles.length < 60_000) edges.add(plainEdges(source, geometry, materials.edge));
  }
  return { solid, edges, ids, kins, materials };
}

function makeMaterials(uniforms) {
  const idMaterial = (expression) => new THREE.ShaderMaterial({
    uniforms,
    vertexShader: `${POSE}${PART}
      flat varying vec3 dsId;
      void main() {
        vec3 at = dsPlace(int(dsBody)) + dsTurn(int(dsBody)) * (dsAt + dsMatrix(dsWay) * position);
        int id = ${expression};
        dsId = vec3(float(id & 255), float((id >> 8) & 255), float((id >> 16) & 255)) / 255.0;
        gl_Position = projectionMatrix * viewMatrix * vec4(at, 1.0);
      }`,
    fragmentShader: 'flat varying vec3 dsId;\nvoid main() { gl_FragColor = vec4(dsId, 1.0); }',
    blending: THREE.NoBlending,
    side: THREE.DoubleSide,
  });
  return {
    solid: followBodies(new THREE.MeshLambertMaterial(), uniforms, { color: true }),
    ground: followBodies(new THREE.MeshLambertMaterial({ side: THREE.DoubleSide }), uniforms, { ground: true }),
    depth: followBodies(new THREE.MeshDepthMaterial({ depthPacking: THREE.RGBADepthPacking }), uniforms),
    edge: followBodies(new THREE.LineBasicMaterial({ transparent: true, opacity: 0.75 }), uniforms),
    id: idMaterial('dsBody < 0.0 ? 0xfffffe : int(dsBody) + 1'),
    groundId: idMaterial('0xffffff'),
  };
}

function instanced(source, attributes) {
  const geometry = new THREE.InstancedBufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(source.positions, 3));
  geometry.setAttribute('normal', new THREE.BufferAttribute(source.normals, 3));
  geometry.setIndex(new THREE.BufferAttribute(source.triangles, 1));
  addInstances(geometry, attributes);
  return geometry;
}

function shaded(geometry, material, depth, ground) {
  const mesh = new THREE.Mesh(geometry, material);
  if (depth) mesh.customDepthMaterial = depth;
  mesh.castShadow = !ground;
  mesh.receiveShadow = true;
  mesh.frustumCulled = false;
  return mesh;
}

function plain(geometry, material) {
  const mesh = new THREE.Mesh(geometry, material);
  mesh.frustumCulled = false;
  return mesh;
}

/** Sharp edges of the shapes that collide. */
function plainEdges(source, instancesOf, material) {
  const surface = new THREE.BufferGeometry();
  surface.setAttribute('position', new THREE.BufferAttribute(source.positions, 3));
  surface.setIndex(new THREE.BufferAttribute(source.triangles, 1));
  const sharp = new THREE.EdgesGeometry(surface, 12);
  const geometry = new THREE.InstancedBufferGeometry();
  geometry.setAttribute('position', sharp.getAttribute('position'));
  for (const name of ['dsBody', 'dsAt', 'dsWay', 'dsOwn']) geometry.setAttribute(name, instancesOf.getAttribute(name));
  geometry.instanceCount = instancesOf.instanceCount;
  const lines = new THREE.LineSegments(geometry, material);
  lines.frustumCulled = false;
  return lines;
}
