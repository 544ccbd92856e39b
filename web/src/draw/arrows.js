// Arrows of contact forces and velocities: instances that the vertex shader turns and stretches.

import * as THREE from 'three';
import { POSE } from './shaders.js';

/** A cone on a shaft along +z, one long. */
function arrowShape() {
  const ring = 8;
  const profile = [[0, 0], [0.03, 0], [0.03, 0.72], [0.09, 0.72], [0, 1]];
  const positions = [];
  const indices = [];
  for (const [radius, height] of profile) {
    for (let k = 0; k < ring; k++) {
      const angle = (2 * Math.PI * k) / ring;
      positions.push(radius * Math.cos(angle), radius * Math.sin(angle), height);
    }
  }
  for (let row = 0; row + 1 < profile.length; row++) {
    for (let k = 0; k < ring; k++) {
      const [a, b] = [row * ring + k, row * ring + ((k + 1) % ring)];
      indices.push(a, b, a + ring, b, b + ring, a + ring);
    }
  }
  const geometry = new THREE.InstancedBufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
  geometry.setIndex(indices);
  return geometry;
}

const AIM = /* glsl */ `
uniform float dsReach;
uniform float dsThick;
vec3 dsAim(vec3 start, vec3 along) {
  float size = length(along);
  float reach = dsReach * size;
  vec3 z = size > 0.0 ? along / size : vec3(0.0, 0.0, 1.0);
  vec3 x = normalize(cross(abs(z.x) < 0.9 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0), z));
  float thick = min(reach, dsThick);
  return start + reach * position.z * z + thick * (position.x * x + position.y * cross(z, x));
}
`;

const PAINT = /* glsl */ `
uniform vec3 dsInk;
void main() {
  gl_FragColor = vec4(dsInk, 1.0);
  #include <colorspace_fragment>
}
`;

function arrowMaterial(vertexShader, uniforms, ink) {
  const own = { dsReach: { value: 1 }, dsThick: { value: 1 }, dsInk: { value: new THREE.Color(ink) } };
  const material = new THREE.ShaderMaterial({ uniforms: { ...uniforms, ...own }, vertexShader, fragmentShader: PAINT, depthTest: false, transparent: true });
  return { material, own };
}

/** Points and force arrows of the contacts shown. */
export class ContactArrows {
  constructor() {
    this.group = new THREE.Group();
    this.data = new THREE.InstancedInterleavedBuffer(new Float32Array(8), 8);
    this.arrows = this.make(arrowShape(), `
      attribute vec3 dsPoint;
      attribute vec3 dsForce;
      ${AIM}
      void main() { gl_Position = projectionMatrix * viewMatrix * vec4(dsAim(dsPoint, dsForce), 1.0); }`, 0xd55e00);
    const dot = new THREE.InstancedBufferGeometry();
    dot.copy(new THREE.IcosahedronGeometry(1, 1));
    this.dots = this.make(dot, `
      attribute vec3 dsPoint;
      uniform float dsReach;
      uniform float dsThick;
      void main() { gl_Position = projectionMatrix * viewMatrix * vec4(dsPoint + 0.22 * dsThick * position, 1.0); }`, 0xffffff);
    this.dots.own.dsInk.value.set(0xe3b341);
    this.count = 0;
  }

  make(geometry, vertexShader, ink) {
    const { material, own } = arrowMaterial(vertexShader, {}, ink);
    const mesh = new THREE.Mesh(geometry, material);
    mesh.frustumCulled = false;
    mesh.renderOrder = 5;
    geometry.instanceCount = 0;
    this.group.add(mesh);
    return { geometry, own, mesh };
  }

  /** @param {{shown: number, data: Float32Array} | undefined} contacts */
  take(contacts) {
    this.count = contacts?.shown ?? 0;
    if (contacts && this.data.array.length < contacts.data.length) {
      this.data = new THREE.InstancedInterleavedBuffer(new Float32Array(2 * contacts.data.length), 8);
      this.data.setUsage(THREE.DynamicDrawUsage);
      // A geometry remembers how many instances its first buffer had: a larger one needs a new geometry.
      for (const each of [this.arrows, this.dots]) {
        each.geometry.dispose();
        each.geometry = each.mesh.geometry = each.geometry.clone();
      }
    }
    for (const { geometry } of [this.arrows, this.dots]) {
      geometry.setAttribute('dsPoint', new THREE.InterleavedBufferAttribute(this.data, 3, 0));
      geometry.setAttribute('dsForce', new THREE.InterleavedBufferAttribute(this.data, 3, 3));
      geometry.instanceCount = this.count;
    }
    if (contacts) {
      this.data.array.set(contacts.data);
      this.data.needsUpdate = true;
    }
  }

  /** Metres per newton and the thickness [m]. @param {number} reach @param {number} thick */
  scale(reach, thick) {
    for (const { own } of [this.arrows, this.dots]) {
      own.dsReach.value = reach;
      own.dsThick.value = thick;
    }
  }
}

/** Velocities of all bodies, from their centres of mass. */
export class VelocityArrows {
  /** @param {import('../protocol/scene.js').Bodies} bodies @param {any} uniforms */
  constructor(bodies, uniforms) {
    const geometry = arrowShape();
    geometry.setAttribute('dsCom', new THREE.InstancedBufferAttribute(bodies.com, 3));
    geometry.instanceCount = bodies.count;
    const { material, own } = arrowMaterial(`
      ${POSE}
      attribute vec3 dsCom;
      uniform highp sampler2D dsVelocities;
      ${AIM}
      void main() {
        vec3 start = dsPlace(gl_InstanceID) + dsTurn(gl_InstanceID) * dsCom;
        gl_Position = projectionMatrix * viewMatrix * vec4(dsAim(start, dsTriple(dsVelocities, gl_InstanceID)), 1.0);
      }`, uniforms, 0x0072b2);
    this.own = own;
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 4;
  }

  scale(reach, thick) {
    this.own.dsReach.value = reach;
    this.own.dsThick.value = thick;
  }
}
