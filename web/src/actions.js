// What a user can do, by button, key or menu: one function each.

import { add, mul } from './hands/vector.js';
import { save } from './panel/dom.js';

/** Multiples of real time; 0 is as fast as it can. */
export const SPEEDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10, 100, 0];

/** @param {{session: import('./session.js').Session, stage: import('./draw/stage.js').Stage, loop: import('./loop.js').Loop}} page */
export function makeActions({ session, stage, loop }) {
  const { orbit } = stage;
  const chosen = (act) => () => {
    if (session.body === null) session.tell('note', 'Select a body first: click it, or press N on the scene.');
    else act(session.body);
  };
  const speed = (way) => {
    const now = session.report?.speed ?? 1;
    const at = SPEEDS.indexOf(now) < 0 ? SPEEDS.indexOf(1) : SPEEDS.indexOf(now);
    return session.do('speed', { factor: SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at + way))] });
  };
  const picture = (act) => {
    const once = () => {
      loop.after.delete(once);
      act();
    };
    loop.after.add(once);
    loop.touch();
  };
  return {
    toggle: () => session.do(session.report?.playing ? 'pause' : 'play'),
    step: () => session.do('step'),
    back: () => session.do('back'),
    reset: () => session.do('reset'),
    faster: () => speed(1),
    slower: () => speed(-1),
    fit: () => {
      orbit.fit(currentBounds(stage));
      loop.touch();
    },
    follow: () => {
      loop.following = !loop.following;
      loop.touch();
      session.tell('following', loop.following);
    },
    next: () => {
      const count = session.scene?.bodies.count ?? 0;
      if (count) session.select((session.selected + 1) % count);
    },
    deselect: () => session.select(-1),
    throw: () => {
      const { origin, direction } = orbit.ray(0, 0);
      const start = add(origin, mul(direction, 0.15 * orbit.distance));
      session.do('throw', { origin: start, velocity: mul(direction, 1.2 * Math.sqrt(9.81 * orbit.radius) + orbit.distance) });
    },
    push: chosen((body) => {
      const mass = session.scene?.bodies.mass[session.selected] || 1;
      const { forward } = orbit.frame();
      session.do('push', { body, impulse: mul(forward, mass * 0.7 * Math.sqrt(9.81 * orbit.radius)) });
    }),
    delete: chosen((body) => {
      // Nobody asks for a body that is gone.
      session.select(-1);
      session.do('delete', { body });
    }),
    freeze: chosen(async (body) => {
      // The engine knows; what is drawn may be a frame behind, and has no marks while a changed scene is read again.
      const { frozen } = await session.transport.json(`body?id=${body}`);
      session.do(frozen ? 'thaw' : 'freeze', { body });
    }),
    wake: chosen((body) => session.do('wake', { body })),
    screenshot: () => picture(() => {
      stage.canvas.toBlob((blob) => blob && save(blob, `${session.scene?.head.scene ?? 'drystone'}-${session.step}.png`));
    }),
  };
}

/** The box around what is drawn now; that of the scene where nothing moved yet. @param {import('./draw/stage.js').Stage} stage */
export function currentBounds(stage) {
  const { poses, soft } = stage.drawn[0];
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const cover = (data, count, margin) => {
    for (let k = 0; k < 3 * count; k++) {
      low[k % 3] = Math.min(low[k % 3], data[k] - margin);
      high[k % 3] = Math.max(high[k % 3], data[k] + margin);
    }
  };
  if (poses.filled) cover(poses.positions[poses.newest].image.data, stage.scene.bodies.count, stage.partSize);
  cover(soft.position.array, soft.position.count, 0);
  return low.every(Number.isFinite) && high.every(Number.isFinite) ? [low, high] : stage.head.bounds;
}
