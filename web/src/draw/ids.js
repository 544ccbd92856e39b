// Which body is at a pixel: bodies drawn in the colours of their numbers.

import * as THREE from 'three';

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
    const [id] = this.read(pane, 1, 1, () => stage.camera.setViewOffset(pane.width, height, x - pane.x, y, 1, 1));
    if (id === SOFT) return SOFT_INDEX;
    return id === 0 || id >= FIXED ? -1 : id - 1;
  }

  /** Numbers of all pixels of the first picture, lowest row first: 0 air, body index + 1, or what stands and does not move. @param {number} width @param {number} height */
  whole(width, height) {
    return this.read(this.stage.panes()[0], width, height, () => {}, width / height);
  }

  read(pane, width, height, prepare, aspect = pane.width / this.stage.canvas.clientHeight) {
    const { stage, target, scene } = this;
    const { renderer, camera } = stage;
    target.setSize(width, height);
    stage.aim(aspect);
    prepare();
    camera.updateMatrixWorld();
    pane.drawn.poses.bind(stage.uniforms, stage.between);
    scene.clear();
    scene.add(stage.bodies.ids, pane.drawn.soft.ids);
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
