// Poses of all bodies as textures: one upload per frame, two frames kept to draw what lies between.

import * as THREE from 'three';
import { ROW } from './shaders.js';

/** A texture with `per` numbers per body. */
function table(bodies, per, Type, format, type, internal, wide = 1) {
  const rows = Math.max(1, Math.ceil(bodies / ROW));
  const data = new Type(ROW * rows * per);
  const texture = new THREE.DataTexture(data, ROW * wide, rows, format, type);
  texture.internalFormat = internal;
  texture.magFilter = texture.minFilter = THREE.NearestFilter;
  texture.unpackAlignment = 1;
  texture.needsUpdate = true;
  return texture;
}

const floats = (bodies, per) => table(bodies, per, Float32Array, THREE.RedFormat, THREE.FloatType, 'R32F', per);

/** What one simulation shows; a comparison has two of them. */
export class Poses {
  /** @param {number} bodies */
  constructor(bodies) {
    this.bodies = bodies;
    this.positions = [floats(bodies, 3), floats(bodies, 3)];
    this.turns = [0, 1].map(() => table(bodies, 4, Int16Array, THREE.RGBAIntegerFormat, THREE.ShortType, 'RGBA16I'));
    for (const turn of this.turns) turn.image.data.fill(0);
    this.affine = floats(1, 9);
    this.hasAffine = false;
    this.velocities = floats(bodies, 3);
    this.marks = table(bodies, 1, Uint8Array, THREE.RedIntegerFormat, THREE.UnsignedByteType, 'R8UI');
    this.groups = table(bodies, 2, Uint16Array, THREE.RGIntegerFormat, THREE.UnsignedShortType, 'RG16UI');
    this.heat = floats(bodies, 1);
    this.newest = 0;
    this.filled = 0;
    this.marked = false;
  }

  /**
   * Takes the arrays of a frame as they are; no loop over bodies.
   * @param {import('../protocol/frame.js').Sections} state @param {boolean} jump whether nothing lies between this frame and the last
   */
  take(state, jump) {
    if (state.positions && state.turns) {
      this.newest = 1 - this.newest;
      put(this.positions[this.newest], state.positions);
      put(this.turns[this.newest], state.turns);
      if (jump || this.filled === 0) {
        put(this.positions[1 - this.newest], state.positions);
        put(this.turns[1 - this.newest], state.turns);
      }
      this.filled += 1;
    }
    this.hasAffine = Boolean(state.affine);
    if (state.affine) {
      if (this.affine.image.data.length < state.affine.length) {
        this.affine.dispose();
        this.affine = floats(this.bodies, 9);
      }
      put(this.affine, state.affine);
    }
    // No marks means that nobody sleeps.
    if (state.marks) put(this.marks, state.marks);
    else if (this.marked) put(this.marks, new Uint8Array(this.bodies));
    this.marked = Boolean(state.marks);
    if (state.groups) put(this.groups, state.groups);
    if (state.velocities) put(this.velocities, state.velocities);
  }

  /** Points the uniforms at this simulation. @param {Record<string, {value: any}>} uniforms @param {number} between 0 the older, 1 the newer frame */
  bind(uniforms, between) {
    uniforms.dsPositionA.value = this.positions[1 - this.newest];
    uniforms.dsPositionB.value = this.positions[this.newest];
    uniforms.dsTurnA.value = this.turns[1 - this.newest];
    uniforms.dsTurnB.value = this.turns[this.newest];
    uniforms.dsAffine.value = this.affine;
    uniforms.dsHasAffine.value = this.hasAffine;
    uniforms.dsMarks.value = this.marks;
    uniforms.dsGroups.value = this.groups;
    uniforms.dsHeat.value = this.heat;
    uniforms.dsVelocities.value = this.velocities;
    uniforms.dsMix.value = between;
  }

  /** Where a body is in the newest frame. @param {number} index @returns {[number, number, number]} */
  place(index) {
    const data = this.positions[this.newest].image.data;
    return [data[3 * index], data[3 * index + 1], data[3 * index + 2]];
  }

  dispose() {
    for (const texture of [...this.positions, ...this.turns, this.affine, this.velocities, this.marks, this.groups, this.heat]) texture.dispose();
  }
}

/** @param {THREE.DataTexture} texture @param {any} from */
function put(texture, from) {
  const data = texture.image.data;
  data.set(from.length > data.length ? from.subarray(0, data.length) : from);
  texture.needsUpdate = true;
}

/** The uniforms that every material which follows bodies shares. */
export function poseUniforms() {
  const names = ['dsPositionA', 'dsPositionB', 'dsTurnA', 'dsTurnB', 'dsAffine', 'dsMarks', 'dsGroups', 'dsHeat', 'dsVelocities'];
  return {
    ...Object.fromEntries(names.map((name) => [name, { value: null }])),
    dsMix: { value: 1 },
    dsHasAffine: { value: false },
    dsColoring: { value: 0 },
    dsSelected: { value: -2 },
    dsSleepers: { value: true },
    dsUp: { value: new THREE.Vector3(0, 0, 1) },
    dsOrigin: { value: new THREE.Vector3() },
    dsLine: { value: new THREE.Color() },
    dsSpacing: { value: 1 },
    dsPixels: { value: 1 },
  };
}
