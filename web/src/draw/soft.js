// Cloth, soft bodies, strings and loose particles: one buffer of positions, indices sent once.

import * as THREE from 'three';

/** Draws what is soft in the one number that all of it has in the id buffer, lowest byte first. */
const ID = new THREE.ShaderMaterial({
  side: THREE.DoubleSide,
  vertexShader: 'void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
  fragmentShader: 'void main() { gl_FragColor = vec4(253.0 / 255.0, 1.0, 1.0, 1.0); }',
});

/** What is made of particles in one simulation. */
export class Soft {
  /** @param {import('../protocol/scene.js').Scene} scene */
  constructor(scene) {
    this.group = new THREE.Group();
    this.scene = scene;
    this.position = new THREE.BufferAttribute(new Float32Array(0), 3);
    this.objects = [];
    this.ids = new THREE.Group();
  }

  /** @param {Float32Array | undefined} particles */
  take(particles) {
    if (!particles) return;
    if (this.position.array.length !== particles.length) this.build(particles.length);
    this.position.array.set(particles);
    this.position.needsUpdate = true;
  }

  build(length) {
    this.dispose();
    this.position = new THREE.BufferAttribute(new Float32Array(length), 3);
    this.position.setUsage(THREE.DynamicDrawUsage);
    const { cloth, tets, strings } = this.scene;
    const surface = (color) => new THREE.MeshStandardMaterial({ color, roughness: 0.85, side: THREE.DoubleSide, flatShading: true });
    if (cloth.length) this.add(new THREE.Mesh(this.share(cloth), surface(0x5b8db8)));
    if (tets.length) this.add(new THREE.Mesh(this.share(tets), surface(0xc77d7d)));
    if (strings.length) this.add(new THREE.LineSegments(this.share(strings), new THREE.LineBasicMaterial({ color: 0x8a5a2b })));
    if (!this.objects.length) this.add(new THREE.Points(this.share(null), new THREE.PointsMaterial({ color: 0x5b8db8, size: 4, sizeAttenuation: false })));
  }

  share(indices) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', this.position);
    if (indices) geometry.setIndex(new THREE.BufferAttribute(indices, 1));
    return geometry;
  }

  add(object) {
    object.frustumCulled = false;
    object.castShadow = object.receiveShadow = Boolean(object.isMesh);
    this.objects.push(object);
    this.group.add(object);
    const twin = object.isMesh ? new THREE.Mesh(object.geometry, ID) : new THREE.LineSegments(object.geometry, ID);
    twin.frustumCulled = false;
    if (!object.isPoints) this.ids.add(twin);
  }

  wire(on) {
    for (const object of this.objects) if (object.isMesh) object.material.wireframe = on;
  }

  dispose() {
    for (const object of this.objects) {
      object.geometry.dispose();
      object.material.dispose();
      this.group.remove(object);
    }
    this.objects = [];
    this.ids.clear();
  }
}
