// What is said in words: the badge, notices, and the summary for screen readers.

import { byId, number } from './dom.js';

const PATIENCE = 6000;

/** @param {import('../session.js').Session} session @param {import('../draw/stage.js').Stage} stage */
export function drawWords(session, stage) {
  session.addEventListener('scene', ({ detail }) => {
    const { scene, solver, second } = detail.scene.head;
    byId('badge-scene').textContent = scene;
    byId('badge-solver').textContent = second ? `${solver} beside ${second.solver}` : solver;
    document.title = `${scene} · Drystone`;
  });
  session.addEventListener('report', ({ detail }) => { byId('badge-figures').textContent = badge(session, stage, detail); });
  notices(session);
  summaries(session);
}

function badge(session, stage, report) {
  const { contacts, asleep } = report.figures ?? {};
  const bodies = session.scene?.bodies.count ?? 0;
  const first = [`${bodies} bodies`];
  if (contacts !== null && contacts !== undefined) first.push(`${contacts} contacts`);
  if (asleep) first.push(`${asleep} asleep`);
  const lines = [first.join(' · ')];
  const { shown, all } = stage.drawn[0]?.shown ?? { shown: 0, all: 0 };
  if (stage.show.contacts && shown < all) lines.push(`${shown} of ${all} contacts shown`);
  if (session.dropped) lines.push(`${session.dropped} frames left out`);
  if (report.parted) lines.push(`parted at step ${report.parted.step}`);
  if (report.failed) lines.push(`stopped: ${report.failed}`);
  return lines.join('\n');
}

function notices(session) {
  const notice = byId('notice');
  let timer = 0;
  const say = (words, stay = false) => {
    notice.textContent = words;
    notice.hidden = false;
    clearTimeout(timer);
    if (!stay) timer = setTimeout(() => { notice.hidden = true; }, PATIENCE);
  };
  let lost = false;
  session.addEventListener('note', ({ detail }) => { if (!lost) say(detail); });
  session.addEventListener('ended', ({ detail }) => say(`The engine has ended${detail?.why ? `: ${detail.why}` : '.'}`, true));
  session.addEventListener('state', ({ detail }) => {
    if (detail.state === 'lost' && !document.hidden) say('The engine does not answer; trying again.', true);
    if (detail.state === 'refused') say('The engine refuses this address: it was started again. Open the address it printed.', true);
    if (detail.state === 'open' && lost) notice.hidden = true;
    lost = detail.state !== 'open';
    document.documentElement.dataset.link = detail.state;
  });
}

/** Said when something changes, and not more often than a listener can follow. */
function summaries(session) {
  const summary = byId('summary');
  let last = '';
  let when = 0;
  session.addEventListener('report', ({ detail }) => {
    // A report may come before the scene it is of.
    if (!session.scene) return;
    const { scene } = session.scene.head;
    const state = `${scene} ${detail.solver} ${detail.playing ? 'playing' : 'paused'} ${detail.failed ?? ''} ${session.selected}`;
    const now = performance.now();
    if (state === last && now - when < 15_000) return;
    last = state;
    when = now;
    const { contacts, penetration } = detail.figures ?? {};
    const selected = session.selected >= 0 ? ` Selected: ${session.scene.bodies.names[session.selected] || `body ${session.body}`}.` : '';
    summary.textContent = `${scene}, ${detail.solver ? `solver ${detail.solver}` : 'a recording'}, ${detail.playing ? 'playing' : 'paused'} at ${detail.time.toFixed(1)} seconds, step ${detail.step}. `
      + `${session.scene.bodies.count} bodies, ${contacts ?? 'unknown'} contacts, deepest overlap ${number(penetration)} metres.${selected}`
      + (detail.failed ? ` Stopped: ${detail.failed}` : '');
  });
}
