// What tests of the page look at: `window.drystone`.

/** @param {any} page @param {Record<string, () => void>} actions */
export function expose({ session, stage, loop, orbit }, actions) {
  /** @type {string[]} */
  const notes = [];
  session.addEventListener('note', ({ detail }) => notes.push(detail));
  Object.defineProperty(window, 'drystone', {
    value: {
      session, stage, loop, orbit, actions, notes,
      /** Whether a picture of a frame of this scene was drawn. */
      get ready() {
        return Boolean(stage.content && stage.drawn[0].poses.filled && loop.pictures > 0 && session.report);
      },
      /** Pixels of bodies, one per number, lowest row first. */
      silhouette: (width, height) => Array.from(stage.idBuffer.whole(width, height)),
    },
  });
}
