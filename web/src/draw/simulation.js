// What is drawn of one simulation: poses, and what its frames add to them.

import * as THREE from 'three';
import { ContactArrows } from './arrows.js';
import { Boxes, HandString } from './lines.js';
import { Poses } from './poses.js';
import { Soft } from './soft.js';

export class Drawn {
  /** @param {import('../protocol/scene.js').Scene} scene */
  constructor(scene) {
    this.poses = new Poses(Math.max(1, scene.bodies.count));
    this.contacts = new ContactArrows();
    this.boxes = new Boxes();
    this.hand = new HandString();
    this.soft = new Soft(scene);
    this.group = new THREE.Group();
    this.group.add(this.contacts.group, this.boxes.object, this.hand.object, this.soft.group);
    this.shown = { shown: 0, all: 0 };
  }

  /** @param {import('../protocol/frame.js').Sections} state @param {boolean} jump */
  take(state, jump) {
    this.poses.take(state, jump);
    this.contacts.take(state.contacts);
    this.boxes.take(state.bounds);
    this.hand.take(state.held);
    this.soft.take(state.particles);
    this.shown = state.contacts ?? { shown: 0, all: 0 };
  }

  /** The deepest overlap of each body as a share of `full` [m]. @param {import('../protocol/frame.js').Sections} state @param {number} full */
  heat(state, full) {
    const heat = this.poses.heat.image.data;
    heat.fill(0);
    if (state.contacts && state.depths) {
      const { bodies, shown } = state.contacts;
      for (let k = 0; k < shown; k++) {
        const share = state.depths[k] / full;
        for (const body of [bodies[8 * k + 6], bodies[8 * k + 7]]) if (body >= 0) heat[body] = Math.max(heat[body], share);
      }
    }
    this.poses.heat.needsUpdate = true;
  }

  dispose() {
    this.poses.dispose();
    this.soft.dispose();
  }
}
