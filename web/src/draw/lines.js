// Frames of joints, centres of mass, bounding boxes and the string of the hand.

import * as THREE from 'three';
import { POSE } from './shaders.js';

const FLAT = /* glsl */ `
varying vec3 dsTint;
void main() {
  gl_FragColor = vec4(dsTint, 1.0);
  #include <colorspace_fragment>
}
`;
const AXES = [[0.84, 0.37, 0.0], [0.0, 0.54, 0.4], [0.0, 0.45, 0.7]];

function overlay(object, order) {
  object.frustumCulled = false;
  object.renderOrder = order;
  return object;
}

function flat(vertexShader, uniforms) {
  return new THREE.ShaderMaterial({ uniforms, vertexShader, fragmentShader: FLAT, depthTest: false, transparent: true });
}

/** Both frames of every joint as three strokes each, and the axes left free as long ones. @param {any[]} joints @param {any} uniforms @param {number} size [m] */
export function jointFrames(joints, uniforms, size) {
  const geometry = new THREE.InstancedBufferGeometry();
  const corners = [];
  const tints = [];
  for (let axis = 0; axis < 3; axis++) {
    const tip = [0, 0, 0];
    tip[axis] = 1;
    corners.push(0, 0, 0, ...tip);
    tints.push(...AXES[axis], ...AXES[axis]);
  }
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(corners, 3));
  geometry.setAttribute('dsTone', new THREE.Float32BufferAttribute(tints, 3));
  const body = [];
  const at = [];
  const way = [];
  const free = [];
  for (const joint of joints) {
    const reach = [0, 0, 0];
    for (const { axis } of joint.axes ?? []) reach['xyz'.indexOf(axis.at(-1))] = 1;
    [joint.parent, joint.child].forEach((of, side) => {
      const pose = joint.at[side] ?? joint.at[0];
      body.push(of ?? -1);
      at.push(...pose.slice(0, 3));
      way.push(...pose.slice(3, 7));
      free.push(...reach.map((share) => size * (1 + (side === 0 ? 1.6 * share : 0))));
    });
  }
  for (const [name, array, per] of [['dsBody', body, 1], ['dsAt', at, 3], ['dsWay', way, 4], ['dsReach', free, 3]]) {
    geometry.setAttribute(name, new THREE.InstancedBufferAttribute(new Float32Array(array), per));
  }
  geometry.instanceCount = body.length;
  const material = flat(`
    ${POSE}
    attribute float dsBody;
    attribute vec3 dsAt;
    attribute vec4 dsWay;
    attribute vec3 dsReach;
    attribute vec3 dsTone;
    varying vec3 dsTint;
    void main() {
      dsTint = dsTone;
      vec3 at = dsAt + dsMatrix(dsWay) * (dsReach * position);
      gl_Position = projectionMatrix * viewMatrix * vec4(dsPlace(int(dsBody)) + dsTurn(int(dsBody)) * at, 1.0);
    }`, uniforms);
  return overlay(new THREE.LineSegments(geometry, material), 6);
}

/** A dot at each centre of mass. @param {import('../protocol/scene.js').Bodies} bodies @param {any} uniforms */
export function massCentres(bodies, uniforms) {
  const geometry = new THREE.InstancedBufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0], 3));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  geometry.setAttribute('dsCom', new THREE.InstancedBufferAttribute(bodies.com, 3));
  geometry.instanceCount = bodies.count;
  const material = new THREE.ShaderMaterial({
    uniforms,
    depthTest: false,
    transparent: true,
    vertexShader: `
      ${POSE}
      attribute vec3 dsCom;
      uniform float dsPixels;
      varying vec2 dsCorner;
      void main() {
        dsCorner = position.xy;
        gl_Position = projectionMatrix * viewMatrix * vec4(dsPlace(gl_InstanceID) + dsTurn(gl_InstanceID) * dsCom, 1.0);
        float aspect = projectionMatrix[0][0] / projectionMatrix[1][1];
        gl_Position.xy += 5.0 * dsPixels * gl_Position.w * vec2(aspect, 1.0) * position.xy;
      }`,
    // The quartered disc of engineering drawings.
    fragmentShader: `
      varying vec2 dsCorner;
      void main() {
        float away = length(dsCorner);
        if (away > 1.0) discard;
        bool dark = dsCorner.x * dsCorner.y > 0.0 || away > 0.86;
        gl_FragColor = vec4(vec3(dark ? 0.08 : 0.97), 1.0);
      }`,
  });
  return overlay(new THREE.Mesh(geometry, material), 7);
}

/** Boxes around bodies, as the broad phase sees them. */
export class Boxes {
  constructor() {
    const box = new THREE.EdgesGeometry(new THREE.BoxGeometry(1, 1, 1).translate(0.5, 0.5, 0.5));
    this.geometry = new THREE.InstancedBufferGeometry();
    this.geometry.setAttribute('position', box.getAttribute('position'));
    this.geometry.instanceCount = 0;
    this.data = new THREE.InstancedInterleavedBuffer(new Float32Array(6), 6);
    const material = flat(`
      attribute vec3 dsLow;
      attribute vec3 dsHigh;
      varying vec3 dsTint;
      void main() {
        dsTint = vec3(0.66, 0.46, 0.0);
        gl_Position = projectionMatrix * viewMatrix * vec4(mix(dsLow, dsHigh, position), 1.0);
      }`, {});
    material.depthTest = true;
    this.object = overlay(new THREE.LineSegments(this.geometry, material), 3);
  }

  /** @param {Float32Array | undefined} bounds */
  take(bounds) {
    if (bounds && this.data.array.length < bounds.length) {
      this.data = new THREE.InstancedInterleavedBuffer(new Float32Array(bounds.length), 6);
      this.data.setUsage(THREE.DynamicDrawUsage);
      // A geometry remembers how many instances its first buffer had: a larger one needs a new geometry.
      this.geometry.dispose();
      this.geometry = this.object.geometry = this.geometry.clone();
    }
    this.geometry.setAttribute('dsLow', new THREE.InterleavedBufferAttribute(this.data, 3, 0));
    this.geometry.setAttribute('dsHigh', new THREE.InterleavedBufferAttribute(this.data, 3, 3));
    this.geometry.instanceCount = (bounds?.length ?? 0) / 6;
    if (bounds) {
      this.data.array.set(bounds);
      this.data.needsUpdate = true;
    }
  }
}

/** The line from the point held to where the hand is. */
export class HandString {
  constructor() {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(6), 3));
    this.object = overlay(new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: 0xd55e00, depthTest: false, transparent: true })), 8);
    this.object.visible = false;
  }

  /** @param {Float32Array | undefined} held */
  take(held) {
    this.object.visible = Boolean(held);
    if (!held) return;
    const position = this.object.geometry.getAttribute('position');
    position.array.set(held);
    position.needsUpdate = true;
  }
}
