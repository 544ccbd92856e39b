// Sliders for the targets of driven joints.

import { byId, element, number } from './dom.js';
import { slider } from './world.js';

/** More sliders than this help nobody. */
const MOST = 60;

/** @param {import('../session.js').Session} session */
export function drawJoints(session) {
  const into = byId('joints');
  session.addEventListener('scene', ({ detail }) => {
    const joints = detail.scene.head.joints ?? [];
    const driven = joints.flatMap((joint) => (joint.axes ?? []).filter(({ drive }) => drive).map((axis) => ({ joint, axis })));
    byId('part-joints').hidden = driven.length === 0;
    if (!driven.length) return;
    const rows = driven.slice(0, MOST).map(({ joint, axis }) => row(session, joint, axis));
    const rest = driven.length - rows.length;
    into.replaceChildren(...rows, ...(rest > 0 ? [element('p', { className: 'soft' }, `and ${rest} more`)] : []));
  });
}

function row(session, joint, { axis, limits, target }) {
  const turns = axis.startsWith('ang');
  const span = turns ? Math.PI : 1;
  const finite = limits?.every((value) => value !== null && Number.isFinite(value) && Math.abs(value) < 1e6);
  const [low, high] = finite ? limits : [-span, span];
  const say = (value) => (turns ? `${number((value * 180) / Math.PI)}°` : `${number(value)} m`);
  const made = slider(`${joint.name || `joint ${joint.id}`} ${axis.replace('_', ' ')}`, low, high, (high - low) / 200, (value) => session.do('joint', { joint: joint.id, axis, target: value }), say);
  made.set(target ?? 0);
  made.input.disabled = session.scene?.head.can?.edit === false;
  return made.row;
}
