// Mouse, pen and fingers on the canvas: turn, move, zoom, select, and hold bodies.

/** A pointer that moved less than this [pixels] has clicked. */
const CLICK = 5;

/**
 * @typedef {object} Hands what gestures do
 * @property {(x: number, y: number) => number} bodyAt index of the body at a point of the canvas, −1 for none, below for what is soft
 * @property {(index: number) => void} select
 * @property {(x: number, y: number) => void} grab
 * @property {(x: number, y: number) => void} drag
 * @property {() => void} release
 * @property {() => void} moved the camera
 * @property {() => boolean} mayGrab
 */

/** @param {HTMLCanvasElement} canvas @param {import('./orbit.js').Orbit} orbit @param {Hands} hands */
export function watchPointers(canvas, orbit, hands) {
  /** @type {Map<number, {x: number, y: number}>} */
  const down = new Map();
  /** @type {null | {kind: 'turn' | 'pan' | 'hold', start: {x: number, y: number}, travelled: number, body: number}} */
  let gesture = null;
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  canvas.addEventListener('pointerdown', (event) => {
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(event.pointerId);
    const at = place(event);
    down.set(event.pointerId, at);
    if (down.size > 1) {
      if (gesture?.kind === 'hold') hands.release();
      gesture = { kind: 'pan', start: at, travelled: CLICK, body: -1 };
      return;
    }
    const body = hands.bodyAt(at.x, at.y);
    const pans = event.button !== 0 || event.shiftKey;
    const holds = !pans && body !== -1 && !event.altKey && hands.mayGrab();
    gesture = { kind: pans ? 'pan' : holds ? 'hold' : 'turn', start: at, travelled: 0, body };
    if (holds) hands.grab(at.x, at.y);
  });

  canvas.addEventListener('pointermove', (event) => {
    const before = down.get(event.pointerId);
    if (!before || !gesture) return;
    const at = place(event);
    const height = canvas.clientHeight;
    const [dx, dy] = [at.x - before.x, at.y - before.y];
    gesture.travelled += Math.hypot(dx, dy);
    if (down.size === 2) pinch(event.pointerId, before, at, height);
    else if (gesture.kind === 'hold') hands.drag(at.x, at.y);
    else if (gesture.kind === 'pan') orbit.pan(dx / height, dy / height);
    else orbit.turn((-dx / height) * Math.PI, (dy / height) * Math.PI);
    down.set(event.pointerId, at);
    hands.moved();
  });

  /** Two fingers: their distance zooms, their middle moves. */
  function pinch(id, before, at, height) {
    const other = [...down.entries()].find(([key]) => key !== id)?.[1];
    if (!other) return;
    const apart = (p) => Math.max(10, Math.hypot(p.x - other.x, p.y - other.y));
    orbit.zoom(apart(before) / apart(at));
    orbit.pan((at.x - before.x) / 2 / height, (at.y - before.y) / 2 / height);
  }

  const up = (event) => {
    if (!down.delete(event.pointerId) || !gesture) return;
    if (gesture.kind === 'hold') hands.release();
    if (gesture.travelled < CLICK && event.type === 'pointerup') hands.select(Math.max(-1, gesture.body));
    if (down.size === 0) gesture = null;
  };
  canvas.addEventListener('pointerup', up);
  canvas.addEventListener('pointercancel', up);
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    orbit.zoom(Math.exp(Math.max(-200, Math.min(200, event.deltaY * lines)) * 0.0015));
    hands.moved();
  }, { passive: false });
}
