// The stage: renderer, light, camera, and what stands on it.

import * as THREE from 'three';
import { VelocityArrows } from './arrows.js';
import { buildBodies } from './bodies.js';
import { IdBuffer } from './ids.js';
import { jointFrames, massCentres } from './lines.js';
import { reachOf } from './near.js';
import { poseUniforms } from './poses.js';
import { Drawn } from './simulation.js';

/** What can be shown, and whether it is at first. */
export const SHOWN = {
  shadows: true, wireframe: false, shapes: false, contacts: false, joints: false, masses: false, velocities: false, bounds: false, sleepers: true, ground: true,
};
const COLORINGS = ['own', 'islands', 'colours', 'heat'];
/** Overlap that is shown as hottest, as a share of the scene's radius. */
const HOT = 1e-3;
const SUN = [0.45, -0.55, 1.0];

export class Stage {
  /** @param {HTMLCanvasElement} canvas @param {import('../hands/orbit.js').Orbit} orbit */
  constructor(canvas, orbit) {
    this.canvas = canvas;
    this.orbit = orbit;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.autoClear = false;
    this.software = isSoftware(this.renderer.getContext());
    this.world = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera();
    this.camera.matrixAutoUpdate = false;
    this.uniforms = { ...poseUniforms(), dsLight: { value: new THREE.Vector3(...SUN) } };
    this.sky = new THREE.HemisphereLight(0xffffff, 0x888888, 1.5);
    this.sun = new THREE.DirectionalLight(0xffffff, 2.2);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.setScalar(this.software ? 1024 : 2048);
    this.world.add(this.sky, this.sun, this.sun.target);
    this.show = { ...SHOWN };
    this.coloring = 'own';
    /** @type {Drawn[]} */
    this.drawn = [];
    this.between = 1;
    this.idBuffer = new IdBuffer(this);
    this.theme(false);
  }

  /** @param {boolean} dark */
  theme(dark) {
    const back = new THREE.Color(dark ? 0x1b2026 : 0xeef1f4);
    this.world.background = back;
    this.world.fog = new THREE.Fog(back, 1, 1000);
    this.floor = new THREE.Color(dark ? 0x2a3038 : 0xdfe4e8);
    this.uniforms.dsLine.value.set(dark ? 0x4a535e : 0xb4bdc6);
    this.sky.color.set(dark ? 0xdfe8f2 : 0xffffff);
    this.sky.groundColor.set(dark ? 0x3a3f46 : 0x9aa0a6);
    this.sky.intensity = dark ? 1.1 : 1.5;
    this.sun.intensity = dark ? 1.9 : 2.2;
    if (this.bodies) this.bodies.materials.ground.color.copy(this.floor);
    if (this.bodies) this.bodies.materials.edge.color.set(dark ? 0xe8eaed : 0x1a1d21);
    this.dark = dark;
  }

  /** Builds everything of a new scene. @param {import('../protocol/scene.js').Scene} scene @param {boolean} keepCamera */
  load(scene, keepCamera) {
    this.clear();
    const { head } = scene;
    this.head = head;
    this.scene = scene;
    this.orbit.up = head.up;
    this.orbit.aspect = this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight);
    if (!keepCamera) this.orbit.begin(head.view, head.bounds);
    // Two pictures side by side have half the width each: as much is seen from twice as far.
    else this.orbit.zoom((head.second ? 2 : 1) / Math.max(1, this.drawn.length));
    this.partSize = partSize(scene);
    this.uniforms.dsUp.value.fromArray(head.up);
    this.uniforms.dsOrigin.value.fromArray(head.origin ?? [0, 0, 0]);
    this.uniforms.dsSpacing.value = 10 ** Math.round(Math.log10(this.orbit.radius / 4));
    this.bodies = buildBodies(scene, this.uniforms, this.software);
    this.drawn = (head.second ? [0, 1] : [0]).map(() => new Drawn(scene));
    this.velocities = new VelocityArrows(scene.bodies, this.uniforms);
    this.joints = jointFrames(head.joints ?? [], this.uniforms, 0.06 * this.orbit.radius);
    this.masses = massCentres(scene.bodies, this.uniforms);
    this.content = new THREE.Group();
    this.content.add(this.bodies.solid, this.bodies.edges, this.velocities.mesh, this.joints, this.masses, ...this.drawn.map((each) => each.group));
    this.world.add(this.content);
    this.placeSun(head.bounds, head.up);
    this.theme(this.dark);
    this.apply();
  }

  clear() {
    if (!this.content) return;
    this.world.remove(this.content);
    this.content.traverse((object) => object.geometry?.dispose());
    for (const each of this.drawn) each.dispose();
    for (const material of Object.values(this.bodies.materials)) material.dispose();
    this.content = null;
  }

  placeSun([low, high], up) {
    const middle = low.map((value, axis) => 0.5 * (value + high[axis]));
    const radius = 1.5 * this.orbit.radius;
    const toUp = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), new THREE.Vector3(...up));
    const way = new THREE.Vector3(...SUN).normalize().applyQuaternion(toUp);
    this.uniforms.dsLight.value.copy(way);
    this.sun.target.position.fromArray(middle);
    this.sun.position.copy(way).multiplyScalar(3 * radius).add(this.sun.target.position);
    Object.assign(this.sun.shadow.camera, { left: -radius, right: radius, top: radius, bottom: -radius, near: 0.5 * radius, far: 6 * radius });
    this.sun.shadow.camera.updateProjectionMatrix();
    this.sun.shadow.normalBias = 0.004 * radius;
    this.sun.shadow.bias = -0.0006;
  }

  /** Makes visible what is to be shown. */
  apply() {
    if (!this.bodies) return;
    const { show } = this;
    this.sun.castShadow = show.shadows;
    this.bodies.materials.solid.wireframe = show.wireframe;
    this.bodies.edges.visible = show.shapes;
    this.bodies.solid.children.forEach((mesh) => { if (mesh.material === this.bodies.materials.ground) mesh.visible = show.ground; });
    this.velocities.mesh.visible = show.velocities;
    this.joints.visible = show.joints;
    this.masses.visible = show.masses;
    this.uniforms.dsSleepers.value = show.sleepers;
    this.uniforms.dsColoring.value = COLORINGS.indexOf(this.coloring);
    for (const each of this.drawn) {
      each.contacts.group.visible = show.contacts;
      each.boxes.object.visible = show.bounds;
      each.soft.wire(show.wireframe);
    }
    const reach = this.orbit.radius;
    // A body that has fallen as far as the scene is large has an arrow of a seventh of that.
    this.velocities.scale((0.1 * reach) / Math.sqrt(9.81 * reach), 0.08 * reach);
    const weight = this.typicalForce();
    for (const each of this.drawn) each.contacts.scale((0.25 * reach) / weight, 0.05 * reach);
  }

  /** The weight of a middling body [N]: what arrows of forces are measured by. */
  typicalForce() {
    const masses = this.scene.bodies.mass.filter((mass) => mass > 0 && Number.isFinite(mass)).sort();
    const pull = Math.hypot(...(this.head.gravity ?? [0, 0, -9.81])) || 9.81;
    return (masses[masses.length >> 1] ?? 1) * pull * Math.max(1, Math.cbrt(masses.length));
  }

  /** @param {import('../protocol/frame.js').Frame} frame @param {boolean} jump */
  take(frame, jump) {
    [frame.state, frame.second].forEach((state, index) => {
      const drawn = this.drawn[index];
      if (!state || !drawn) return;
      drawn.take(state, jump);
      if (this.coloring === 'heat') drawn.heat(state, HOT * this.orbit.radius);
    });
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.renderer.setPixelRatio(this.software ? 1 : Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.uniforms.dsPixels.value = 2 / Math.max(height, 1);
  }

  /** The pictures side by side: one, or two of a comparison. @returns {{x: number, width: number, drawn: Drawn}[]} in pixels of the page */
  panes() {
    const width = this.canvas.clientWidth / Math.max(1, this.drawn.length);
    return this.drawn.map((drawn, index) => ({ x: index * width, width, drawn }));
  }

  aim(aspect) {
    const { orbit, camera } = this;
    orbit.aspect = aspect;
    const { eye, forward, right, up } = orbit.frame();
    camera.fov = (orbit.opening * 180) / Math.PI;
    camera.aspect = aspect;
    camera.near = Math.max(0.02 * orbit.distance - 0.02 * orbit.radius, 0.004 * Math.min(orbit.distance, orbit.radius));
    camera.far = orbit.distance + 60 * orbit.radius;
    camera.updateProjectionMatrix();
    camera.matrix.makeBasis(new THREE.Vector3(...right), new THREE.Vector3(...up), new THREE.Vector3(...forward).negate());
    camera.matrix.setPosition(...eye);
    camera.matrixWorldNeedsUpdate = true;
    this.world.fog.near = orbit.distance + 4 * orbit.radius;
    this.world.fog.far = orbit.distance + 22 * orbit.radius;
  }

  draw() {
    const { renderer } = this;
    const height = this.canvas.clientHeight;
    renderer.setScissorTest(true);
    for (const { x, width, drawn } of this.panes()) {
      renderer.setViewport(x, 0, width, height);
      renderer.setScissor(x, 0, width, height);
      this.aim(width / Math.max(height, 1));
      drawn.poses.bind(this.uniforms, this.between);
      for (const each of this.drawn) each.group.visible = each === drawn;
      renderer.clear();
      renderer.render(this.world, this.camera);
    }
    renderer.setScissorTest(false);
  }
}

/** How far parts reach from their bodies on average [m]. @param {import('../protocol/scene.js').Scene} scene */
function partSize({ meshes, parts }) {
  const reach = meshes.map(({ positions }) => reachOf(positions));
  let sum = 0;
  let count = 0;
  for (let k = 0; k < parts.count; k++) {
    if (parts.body[k] < 0) continue;
    sum += reach[parts.mesh[k]];
    count += 1;
  }
  return count ? sum / count : 0;
}

/** Whether the picture is computed by the processor. @param {WebGLRenderingContext | WebGL2RenderingContext} gl */
function isSoftware(gl) {
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const name = info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  return /swiftshader|llvmpipe|software/i.test(name);
}
