// Holding a body: a ray finds the point, the hand moves it in the plane that faces the eye.

/** @param {{session: import('../session.js').Session, stage: import('../draw/stage.js').Stage, loop: import('../loop.js').Loop}} page @returns {import('./pointer.js').Hands} */
export function holdBodies({ session, stage, loop }) {
  const { orbit } = stage;
  /** @type {import('./vector.js').Vec | null} */
  let point = null;
  let held = false;
  /** Grab and release go one after the other, whatever the pointer does meanwhile. */
  let turn = Promise.resolve();
  let wish = null;
  const picture = (x, y) => {
    const pane = stage.panes().find((each) => x >= each.x && x < each.x + each.width) ?? stage.panes()[0];
    return [(2 * (x - pane.x)) / pane.width - 1, 1 - (2 * y) / stage.canvas.clientHeight];
  };
  const send = async () => {
    if (!wish || !point || !held) return;
    const [x, y] = wish;
    wish = null;
    await session.do('drag', { target: orbit.onPlane(x, y, point) });
  };
  return {
    bodyAt: (x, y) => (stage.content ? stage.idBuffer.at(x, y) : -1),
    select: (index) => session.select(index),
    mayGrab: () => session.scene?.head.can?.drag !== false,
    moved: () => loop.touch(),
    grab: (x, y) => {
      const { origin, direction } = orbit.ray(...picture(x, y));
      held = true;
      turn = turn.then(async () => {
        const answer = await session.do('grab', { origin, direction });
        point = answer?.point ?? null;
      });
    },
    drag: (x, y) => {
      const busy = wish !== null;
      wish = picture(x, y);
      if (!busy) turn = turn.then(send);
    },
    release: () => {
      turn = turn.then(async () => {
        await send();
        held = false;
        wish = null;
        if (point) await session.do('release');
        point = null;
      });
    },
  };
}
