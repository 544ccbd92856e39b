// Single keys, only while the canvas has the focus (WCAG 2.1.4).

/** Key, what it does, and the words of the help. @type {[string, string, string][]} */
export const KEYS = [
  [' ', 'toggle', 'play or pause'],
  ['.', 'step', 'one step on'],
  [',', 'back', 'one step back'],
  ['+', 'faster', 'faster'],
  ['-', 'slower', 'slower'],
  ['r', 'reset', 'begin anew'],
  ['f', 'fit', 'see everything'],
  ['c', 'follow', 'follow the selected body'],
  ['b', 'throw', 'throw a ball from the eye'],
  ['p', 'push', 'push the selected body away'],
  ['n', 'next', 'select the next body'],
  ['Delete', 'delete', 'delete the selected body'],
  ['z', 'freeze', 'freeze or thaw the selected body'],
  ['w', 'wake', 'wake the selected body'],
  ['Escape', 'deselect', 'select nothing'],
  ['s', 'screenshot', 'keep a picture'],
];
const TURN = Math.PI / 24;

/** @param {HTMLCanvasElement} canvas @param {import('./orbit.js').Orbit} orbit @param {Record<string, () => void>} actions @param {() => void} moved */
export function watchKeys(canvas, orbit, actions, moved) {
  const camera = {
    ArrowLeft: (shift) => (shift ? orbit.pan(0.05, 0) : orbit.turn(-TURN, 0)),
    ArrowRight: (shift) => (shift ? orbit.pan(-0.05, 0) : orbit.turn(TURN, 0)),
    ArrowUp: (shift) => (shift ? orbit.pan(0, 0.05) : orbit.turn(0, TURN)),
    ArrowDown: (shift) => (shift ? orbit.pan(0, -0.05) : orbit.turn(0, -TURN)),
    PageUp: () => orbit.zoom(1 / 1.2),
    PageDown: () => orbit.zoom(1.2),
  };
  canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (camera[event.key]) {
      camera[event.key](event.shiftKey);
      moved();
      event.preventDefault();
      return;
    }
    const name = event.key === '=' ? '+' : event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const known = KEYS.find(([key]) => key === name);
    if (!known) return;
    actions[known[1]]();
    event.preventDefault();
  });
}
