// Very many balls: a quad each, and the ray of every pixel meets the ball exactly.

import * as THREE from 'three';
import { addInstances } from './instances.js';
import { COLOR, PART, POSE } from './shaders.js';

/** The radius, if all points lie on one ball around the origin. @param {Float32Array} positions @returns {number | null} */
export function sphereOf(positions) {
  if (positions.length < 3 * 60) return null;
  const radius = Math.hypot(positions[0], positions[1], positions[2]);
  for (let i = 0; i < positions.length; i += 3) {
    if (Math.abs(Math.hypot(positions[i], positions[i + 1], positions[i + 2]) - radius) > 1e-3 * radius) return null;
  }
  return radius;
}

const VERTEX = `
  uniform float dsRadius;
  varying vec3 dsCentre;
  varying vec3 dsRay;
  varying vec3 dsPainted;
  flat varying vec3 dsId;
  void main() {
    int body = int(dsBody);
    vec3 centre = (viewMatrix * vec4(dsPlace(body) + dsTurn(body) * dsAt, 1.0)).xyz;
    dsPainted = dsPaint(body);
    int id = body + 1;
    dsId = vec3(float(id & 255), float((id >> 8) & 255), float((id >> 16) & 255)) / 255.0;
    // The quad faces the eye and covers the ball's outline, which is wider than the ball where it is near.
    vec3 away = normalize(centre);
    vec3 side = normalize(cross(away, vec3(0.0, 1.0, 0.0)));
    float far = max(length(centre), 1.001 * dsRadius);
    float reach = dsRadius * far / sqrt(max(far * far - dsRadius * dsRadius, 1e-12));
    dsRay = centre + reach * (position.x * side + position.y * cross(side, away));
    dsCentre = centre;
    gl_Position = projectionMatrix * vec4(dsRay, 1.0);
  }`;

const MEET = `
  uniform float dsRadius;
  uniform mat4 dsProjection;
  varying vec3 dsCentre;
  varying vec3 dsRay;
  varying vec3 dsPainted;
  flat varying vec3 dsId;
  vec3 dsMeet() {
    vec3 d = normalize(dsRay);
    float along = dot(d, dsCentre);
    float under = along * along - dot(dsCentre, dsCentre) + dsRadius * dsRadius;
    if (under < 0.0) discard;
    vec3 at = d * (along - sqrt(under));
    vec4 clip = dsProjection * vec4(at, 1.0);
    gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
    return at;
  }`;

/** @param {any} attributes @param {number} radius @param {any} shared */
export function sphereQuads(attributes, radius, shared) {
  const geometry = quadOf(attributes);
  const uniforms = { ...shared, dsRadius: { value: radius }, dsProjection: { value: new THREE.Matrix4() } };
  const material = (main) => new THREE.ShaderMaterial({
    uniforms, vertexShader: POSE + PART + COLOR + VERTEX, fragmentShader: MEET + main, side: THREE.DoubleSide,
  });
  const lit = material(`
    uniform mat4 viewMatrix;
    uniform vec3 dsLight;
    uniform vec3 dsUp;
    void main() {
      vec3 normal = normalize(dsMeet() - dsCentre);
      vec3 light = normalize((viewMatrix * vec4(dsLight, 0.0)).xyz);
      vec3 up = normalize((viewMatrix * vec4(dsUp, 0.0)).xyz);
      float shade = 0.45 + 0.2 * dot(normal, up) + 0.6 * max(dot(normal, light), 0.0);
      gl_FragColor = vec4(dsPainted * shade, 1.0);
      #include <colorspace_fragment>
    }`.replace('uniform mat4 viewMatrix;', ''));
  const make = (shape, chosen) => {
    const mesh = new THREE.Mesh(shape, chosen);
    mesh.frustumCulled = false;
    mesh.onBeforeRender = (_renderer, _scene, camera) => uniforms.dsProjection.value.copy(camera.projectionMatrix);
    return mesh;
  };
  const id = material('void main() { dsMeet(); gl_FragColor = vec4(dsId, 1.0); }');
  return { solid: make(geometry, lit), ids: make(geometry, id), idsOf: (some) => make(quadOf(some), id) };
}

function quadOf(attributes) {
  const geometry = new THREE.InstancedBufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), 3));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  addInstances(geometry, attributes);
  return geometry;
}
