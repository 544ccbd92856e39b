// The bar at the bottom: time, play, scrub, speed.

import { byId } from './dom.js';

/** @param {import('../session.js').Session} session @param {Record<string, () => void>} actions */
export function drawBar(session, actions) {
  for (const [id, action] of [['reset', 'reset'], ['back', 'back'], ['play', 'toggle'], ['step', 'step'], ['slower', 'slower'], ['faster', 'faster'], ['throw', 'throw'], ['fit', 'fit']]) {
    byId(id).addEventListener('click', actions[action]);
  }
  const timeline = byId('timeline');
  const scrub = scrubber(session, timeline);
  session.addEventListener('frame', () => showTime(session, timeline, scrub));
  session.addEventListener('report', ({ detail }) => showReport(detail, timeline, scrub));
  session.addEventListener('scene', ({ detail }) => {
    const { can = {}, steps } = detail.scene.head;
    const whole = can.seek ?? true;
    byId('back').disabled = timeline.disabled = !whole;
    byId('throw').disabled = can.edit === false;
    if (steps) [timeline.min, timeline.max] = steps.map(String);
  });
}

/** Seeks while the thumb moves: one request at a time, the newest wish wins. */
function scrubber(session, timeline) {
  const scrub = { held: false };
  let wish = null;
  let busy = false;
  const seek = async () => {
    wish = Number(timeline.value);
    if (busy) return;
    busy = true;
    scrub.held = true;
    if (session.report?.playing) await session.do('pause');
    while (wish !== null) {
      const step = wish;
      wish = null;
      await session.do('seek', { step });
    }
    busy = false;
    scrub.held = false;
  };
  timeline.addEventListener('input', seek);
  return scrub;
}

function showTime(session, timeline, scrub) {
  byId('clock').textContent = `${session.time.toFixed(2)} s · ${session.step}`;
  if (session.step > Number(timeline.max)) timeline.max = String(session.step);
  if (!scrub.held) timeline.value = String(session.step);
  timeline.setAttribute('aria-valuetext', `step ${session.step}, ${session.time.toFixed(2)} seconds`);
}

function showReport(report, timeline, scrub) {
  const { playing } = report;
  byId('play-icon').setAttribute('href', playing ? '#i-pause' : '#i-play');
  byId('play').setAttribute('aria-label', playing ? 'Pause' : 'Play');
  byId('speed').textContent = report.speed === 0 ? 'max' : `${report.speed}×`;
  byId('rate').textContent = playing && report.rate ? `${Math.round(report.rate)} steps/s` : '';
  if (report.steps && !scrub.held) [timeline.min, timeline.max] = report.steps.map(String);
}
