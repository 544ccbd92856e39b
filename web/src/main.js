// The page: builds its parts and connects them.

import { makeActions } from './actions.js';
import { Stage } from './draw/stage.js';
import { watchKeys, KEYS } from './hands/keys.js';
import { Orbit } from './hands/orbit.js';
import { watchPointers } from './hands/pointer.js';
import { holdBodies } from './hands/hold.js';
import { Loop } from './loop.js';
import { drawBar } from './panel/bar.js';
import { drawBody } from './panel/body.js';
import { byId, element } from './panel/dom.js';
import { drawJoints } from './panel/joints.js';
import { drawKeep } from './panel/keep.js';
import { drawPlots } from './panel/plots.js';
import { drawScene } from './panel/scene.js';
import { drawShow } from './panel/show.js';
import { drawCompare, drawSolver } from './panel/solver.js';
import { watchTheme } from './panel/theme.js';
import { drawWords } from './panel/words.js';
import { drawWorld } from './panel/world.js';
import { Session } from './session.js';
import { chooseTransport } from './transport/choose.js';
import { expose } from './expose.js';

const canvas = /** @type {HTMLCanvasElement} */ (byId('canvas'));
const orbit = new Orbit();
const query = new URLSearchParams(location.search);
const embedded = query.has('embed');
document.body.classList.toggle('embed', embedded);

const session = new Session(chooseTransport(query));
const stage = openStage();
const loop = new Loop(stage, session);
const page = { session, stage, loop, orbit };
const actions = makeActions(page);

drawWords(session, stage);
drawBar(session, actions);
drawScene(session);
drawShow(page);
drawWorld(session);
drawSolver(session);
drawCompare(session);
drawJoints(session);
drawBody(session, actions);
drawKeep(page, actions);
const plots = drawPlots(session, () => stage.dark);
byId('keys').append(keyTable());
watchTheme((dark) => {
  stage.theme(dark);
  plots.theme();
  loop.touch();
});
watchPointers(canvas, orbit, holdBodies(page));
watchKeys(canvas, orbit, actions, () => loop.touch());

// Before the frame that starts the scene is drawn.
session.addEventListener('scene', ({ detail }) => {
  stage.load(detail.scene, detail.same);
  loop.touch();
});
session.addEventListener('selected', ({ detail }) => {
  stage.uniforms.dsSelected.value = detail < 0 ? -2 : detail;
  loop.touch();
});
new ResizeObserver(() => {
  stage.resize();
  loop.touch();
}).observe(canvas);
canvas.addEventListener('webglcontextrestored', () => session.load());
document.addEventListener('visibilitychange', () => (document.hidden ? session.transport.stop() : session.transport.start()));
byId('toggle-panel').addEventListener('click', () => setPanel(byId('app').classList.contains('closed')));
if (matchMedia('(max-width: 760px)').matches) setPanel(false);

expose(page, actions);
await session.begin().catch((error) => session.tell('note', error.message));
if (matchMedia('(prefers-reduced-motion: reduce)').matches || embedded) session.do('pause');

function setPanel(open) {
  byId('app').classList.toggle('closed', !open);
  byId('toggle-panel').setAttribute('aria-expanded', String(open));
}

function openStage() {
  try {
    return new Stage(canvas, orbit);
  } catch (error) {
    byId('notice').textContent = 'This browser draws no WebGL 2. `drystone run --export picture.png` makes pictures without it.';
    byId('notice').hidden = false;
    throw error;
  }
}

function keyTable() {
  const rows = [...KEYS.map(([key, , words]) => [key === ' ' ? 'space' : key.toUpperCase(), words]), ['arrows', 'turn the view; with shift move it'], ['PgUp PgDn', 'nearer, farther'], ['drag a body', 'pull at it'], ['drag beside it', 'turn; right button or shift: move'], ['alt drag', 'turn, even on a body'], ['wheel, pinch', 'nearer, farther']];
  const line = ([key, words]) => element('tr', {}, element('th', { scope: 'row' }, element('kbd', {}, key)), element('td', {}, words));
  return element('div', {}, element('p', { className: 'soft' }, 'Keys work while the scene has the focus.'), element('table', {}, element('tbody', {}, ...rows.map(line))));
}
