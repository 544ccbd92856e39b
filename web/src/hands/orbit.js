// The camera: a target, a distance and two angles. No three.js here, so that it can be tested alone.

import { across, add, cross, dot, length, mul, sub, unit } from './vector.js';

/** @typedef {import('./vector.js').Vec} Vec */

const STEEPEST = (89.5 * Math.PI) / 180;
/** Share of the picture that the scene may fill. */
const FILL = 0.88;
/** Width over height that the engine places the eye for. */
const WIDE = 16 / 9;
const DEGREE = Math.PI / 180;

export class Orbit {
  constructor() {
    /** @type {Vec} */
    this.up = [0, 0, 1];
    /** @type {Vec} */
    this.target = [0, 0, 0];
    this.distance = 5;
    this.azimuth = 0;
    this.elevation = 0.3;
    /** Vertical opening angle [rad]. */
    this.opening = 0.6;
    this.aspect = 16 / 9;
    this.radius = 1;
  }

  /** Unit vector from the target to the eye. @returns {Vec} */
  outward() {
    const side = across(this.up);
    const depth = cross(this.up, side);
    const level = add(mul(side, Math.cos(this.azimuth)), mul(depth, Math.sin(this.azimuth)));
    return add(mul(level, Math.cos(this.elevation)), mul(this.up, Math.sin(this.elevation)));
  }

  /** @returns {{eye: Vec, forward: Vec, right: Vec, up: Vec}} */
  frame() {
    const out = this.outward();
    const forward = mul(out, -1);
    const right = unit(cross(forward, this.up));
    return { eye: add(this.target, mul(out, this.distance)), forward, right, up: cross(right, forward) };
  }

  /** The ray through a point of the picture; x and y from −1 to 1, y up. @param {number} x @param {number} y @returns {{origin: Vec, direction: Vec}} */
  ray(x, y) {
    const { eye, forward, right, up } = this.frame();
    const half = Math.tan(this.opening / 2);
    const direction = unit(add(forward, add(mul(right, x * half * this.aspect), mul(up, y * half))));
    return { origin: eye, direction };
  }

  /** Where the ray meets the plane through a point that faces the camera. @param {number} x @param {number} y @param {Vec} point @returns {Vec} */
  onPlane(x, y, point) {
    const { origin, direction } = this.ray(x, y);
    const { forward } = this.frame();
    const along = dot(sub(point, origin), forward) / dot(direction, forward);
    return add(origin, mul(direction, along));
  }

  turn(across, up) {
    this.azimuth += across;
    this.elevation = Math.max(-STEEPEST, Math.min(STEEPEST, this.elevation + up));
  }

  /** Moves the target so that what is under the pointer stays there. @param {number} x @param {number} y in heights of the picture */
  pan(x, y) {
    const { right, up } = this.frame();
    const height = 2 * this.distance * Math.tan(this.opening / 2);
    this.target = add(this.target, add(mul(right, -x * height), mul(up, y * height)));
  }

  zoom(factor) {
    this.distance = Math.max(1e-3 * this.radius, Math.min(200 * this.radius, this.distance * factor));
  }

  /** Looks from an eye at a target. @param {Vec} eye @param {Vec} target */
  look(eye, target) {
    const out = sub(eye, target);
    this.target = target;
    this.distance = length(out) || 1;
    const side = across(this.up);
    const depth = cross(this.up, side);
    this.elevation = Math.asin(Math.max(-1, Math.min(1, dot(unit(out), this.up))));
    this.azimuth = Math.atan2(dot(out, depth), dot(out, side));
  }

  /** Goes as near as everything within a box still fits, from where it looks now. @param {[Vec, Vec]} bounds */
  fit([low, high]) {
    const { forward, right, up } = this.frame();
    const half = Math.tan(this.opening / 2);
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => /** @type {Vec} */ ([0, 1, 2].map((axis) => ((k >> axis) & 1 ? high : low)[axis])));
    const side = (axis, tangent) => {
      const reach = (sign) => Math.max(...corners.map((c) => sign * dot(axis, c) - tangent * dot(forward, c)));
      const [plus, minus] = [reach(1), reach(-1)];
      return [0.5 * (plus - minus), -0.5 * (plus + minus) / tangent];
    };
    const [x, deepX] = side(right, FILL * half * this.aspect);
    const [y, deepY] = side(up, FILL * half);
    const middle = mul(add(low, high), 0.5);
    const depth = Math.min(deepX, deepY);
    const ahead = Math.max(dot(forward, middle) - depth, 1e-3);
    this.target = add(add(mul(right, x), mul(up, y)), mul(forward, depth + ahead));
    this.distance = ahead;
  }

  /** The view a scene asks for. @param {any} view @param {[Vec, Vec]} bounds */
  begin(view, bounds) {
    const [low, high] = bounds;
    this.radius = Math.max(...sub(high, low).map((side) => 0.5 * side), 1e-3);
    if (view?.opening) this.opening = view.opening * DEGREE;
    if (view?.eye) {
      this.look(view.eye, view.target ?? mul(add(low, high), 0.5));
      // The eye was placed for a wide picture; a narrow one needs more room.
      this.distance *= Math.max(1, WIDE / this.aspect);
      return;
    }
    const side = across(this.up);
    const depth = cross(this.up, side);
    const size = sub(high, low);
    const width = (axis) => Math.abs(dot(size, axis));
    const wide = width(side) >= width(depth) * (1 - 1e-9);
    const turn = (view?.azimuth ?? 29) * DEGREE;
    // Before the widest side: against `depth`, or along `side`.
    this.azimuth = wide ? -Math.PI / 2 + turn : turn;
    const flat = width(this.up) / Math.max(width(side), width(depth), 1e-9);
    this.elevation = view?.elevation == null ? 0.52 - 0.3 * Math.min(flat, 1) : view.elevation * DEGREE;
    this.fit(bounds);
  }
}
