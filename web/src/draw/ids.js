// Which body is at a pixel: bodies drawn in the colours of their numbers.

import * as THREE from 'three';
import { instanceAttributes } from './instances.js';
import { partsNear } from './near.js';

/** What is made of particles. */
const SOFT = 0xfffffd;
/** What `at` returns for it. */
export const SOFT_INDEX = -2;
const FIXED = 0xfffffe;
const GROUND = 0xffffff;

export class IdBuffer {
  /** @param {import('./stage.js').Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.scene = new THREE.Scene();
    this.target = new THREE.WebGLRenderTarget(1, 1);
  }

  /** Index of the body at a point of the canvas, `SOFT_INDEX` for what is made of particles, or −1. @param {number} x @param {number} y in pixels of the page */
  at(x, y) {
    const { stage } = this;
    const pane = stage.panes().find((each) => x >= each.x && x < each.x + each.width);
    if (!pane) return -1;
    const height = stage.canvas.clientHeight;
    stage.aim(pane.width / height);
    const ray = stage.orbit.ray((2 * (x - pane.x + 0.5)) / pane.width - 1, 1 - (2 * (y + 0.5)) / height);
    const few = this.near(pane, ray, (2 * Math.tan(stage.orbit.opening / 2)) / height);
    const [id] = this.read(pane, 1, 1, few, pane.width / height, () => stage.camera.setViewOffset(pane.width, height, x - pane.x, y, 1, 1));
    few.children.forEach((mesh) => mesh.geometry.dispose());
    if (id === SOFT) return SOFT_INDEX;
    return id === 0 || id >= FIXED ? -1 : id - 1;
  }

  /** What a pixel may show: of thousands of bodies a few. Bodies that are sheared may reach farther, and are all drawn. */
  near(pane, ray, pixel) {
    const { scene, bodies, between } = this.stage;
    const { poses } = pane.drawn;
    const [older, newer] = [1 - poses.newest, poses.newest].map((which) => poses.positions[which].image.data);
    const group = new THREE.Group();
    for (const { chosen, ground, reach, idsOf } of bodies.kins) {
      const all = ground || poses.hasAffine;
      const some = all ? chosen : partsNear(scene.parts, chosen, reach, { older, newer, between }, ray, pixel);
      if (some.length) group.add(idsOf(instanceAttributes(scene.parts, some)));
    }
    return group;
  }

  /** Numbers of all pixels of the first picture, lowest row first: 0 air, body index + 1, or what stands and does not move. @param {number} width @param {number} height */
  whole(width, height) {
    return this.read(this.stage.panes()[0], width, height, this.stage.bodies.ids, width / height, () => {});
  }

  read(pane, width, height, bodies, aspect, prepare) {
    const { stage, target, scene } = this;
    const { renderer, camera } = stage;
    target.setSize(width, height);
    stage.aim(aspect);
    prepare();
    camera.updateMatrixWorld();
    pane.drawn.poses.bind(stage.uniforms, stage.between);
    scene.clear();
    scene.add(bodies, pane.drawn.soft.ids);
    const color = renderer.getClearColor(new THREE.Color());
    const alpha = renderer.getClearAlpha();
    renderer.setRenderTarget(target);
    renderer.setClearColor(0, 0);
    renderer.clear();
    renderer.render(scene, camera);
    const bytes = new Uint8Array(4 * width * height);
    renderer.readRenderTargetPixels(target, 0, 0, width, height, bytes);
    renderer.setRenderTarget(null);
    renderer.setClearColor(color, alpha);
    camera.clearViewOffset();
    return Uint32Array.from({ length: width * height }, (_, k) => bytes[4 * k] | (bytes[4 * k + 1] << 8) | (bytes[4 * k + 2] << 16));
  }
}

export const isGround = (id) => id === GROUND;
