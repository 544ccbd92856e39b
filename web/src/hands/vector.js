// Vectors as plain arrays: what picking and the camera need, testable without a browser.

/** @typedef {[number, number, number]} Vec */

/** @param {Vec} a @param {Vec} b @returns {Vec} */
export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
/** @param {Vec} a @param {Vec} b @returns {Vec} */
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
/** @param {Vec} a @param {number} s @returns {Vec} */
export const mul = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
/** @param {Vec} a @param {Vec} b */
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/** @param {Vec} a @param {Vec} b @returns {Vec} */
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
/** @param {Vec} a */
export const length = (a) => Math.hypot(a[0], a[1], a[2]);
/** @param {Vec} a @returns {Vec} */
export const unit = (a) => mul(a, 1 / (length(a) || 1));
/** A unit vector across `up`: x where it can be. @param {Vec} up @returns {Vec} */
export const across = (up) => {
  /** @type {Vec} */
  const seed = Math.abs(up[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
  return unit(sub(seed, mul(up, dot(up, seed))));
};
