// Draws when there is something new: the newest frame, and between two frames what lies between them.

/** Longest time between frames that is filled [ms]; what is slower jumps. */
const SLOWEST = 250;

export class Loop {
  /** @param {import('./draw/stage.js').Stage} stage @param {import('./session.js').Session} session */
  constructor(stage, session) {
    this.stage = stage;
    this.session = session;
    this.dirty = true;
    this.arrived = 0;
    this.interval = 0;
    this.last = -1;
    /** Milliseconds of script of the last pictures, for who measures. */
    this.costs = [];
    this.pictures = 0;
    /** Called after a picture, in the task that drew it. @type {Set<() => void>} */
    this.after = new Set();
    session.addEventListener('frame', ({ detail }) => this.take(detail));
    session.addEventListener('scene', () => { this.last = -1; this.touch(); });
    const turn = (now) => {
      requestAnimationFrame(turn);
      this.draw(now);
    };
    requestAnimationFrame(turn);
  }

  touch() {
    this.dirty = true;
  }

  /** @param {import('./protocol/frame.js').Frame} frame */
  take(frame) {
    const now = performance.now();
    const gap = now - this.arrived;
    const onward = frame.step > this.last && this.last >= 0;
    const jump = !onward || gap > SLOWEST || !this.session.report?.playing;
    this.interval = jump ? 0 : 0.7 * this.interval + 0.3 * gap;
    this.arrived = now;
    this.last = frame.step;
    this.fresh = true;
    this.stage.take(frame, jump);
    this.touch();
  }

  draw(now) {
    if (!this.dirty || !this.stage.content) return;
    const between = this.interval > 0 ? Math.min(1, (now - this.arrived) / this.interval) : 1;
    this.stage.between = Math.max(0, between);
    this.dirty = between < 1;
    const start = performance.now();
    this.follow();
    this.stage.draw();
    this.costs.push(performance.now() - start);
    if (this.costs.length > 120) this.costs.shift();
    this.pictures += 1;
    if (this.fresh) this.session.transport.drawn(this.last);
    this.fresh = false;
    for (const act of this.after) act();
  }

  /** Keeps the followed body where it is in the picture. */
  follow() {
    const { stage, session } = this;
    if (!this.following || session.selected < 0) {
      this.anchor = null;
      return;
    }
    const place = stage.drawn[0].poses.place(session.selected);
    if (this.anchor) stage.orbit.target = stage.orbit.target.map((value, axis) => value + place[axis] - this.anchor[axis]);
    this.anchor = place;
  }
}
