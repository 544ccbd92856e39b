// What the page knows of the engine: scene, newest report, what is selected. Parts of the page listen to its events.

import { KIND, readFrame } from './protocol/frame.js';
import { readScene } from './protocol/scene.js';

/** Events: scene, settings, frame, report, state, note, selected, following, ended. */
export class Session extends EventTarget {
  /** @param {import('./transport/http.js').Transport} transport */
  constructor(transport) {
    super();
    this.transport = transport;
    /** @type {import('./protocol/scene.js').Scene | null} */
    this.scene = null;
    /** @type {any} */
    this.catalog = null;
    /** @type {any} */
    this.report = null;
    this.step = 0;
    this.time = 0;
    this.dropped = 0;
    /** Index of the selected body in frames, or −1. */
    this.selected = -1;
    this.loading = false;
    transport.onframe = (buffer) => this.receive(buffer);
    transport.onstate = (state) => this.state(state);
  }

  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  async begin() {
    this.transport.start();
    this.catalog = await this.transport.json('catalog');
    await this.load();
  }

  /** Reads the scene; asked for again while reading, it reads once more. */
  async load() {
    if (this.loading) {
      this.again = true;
      return;
    }
    this.loading = true;
    try {
      const scene = readScene(await this.transport.bytes('scene'));
      const before = this.scene?.head;
      const { instance, scene: name, parameters } = scene.head;
      const same = before?.scene === name && before?.instance === instance && JSON.stringify(before?.parameters) === JSON.stringify(parameters);
      const chosen = same && this.scene && this.selected >= 0 ? this.scene.bodies.id[this.selected] : null;
      this.scene = scene;
      this.selected = chosen === null ? -1 : scene.bodies.id.indexOf(chosen);
      this.tell('scene', { scene, same });
      this.tell('selected', this.selected);
      this.told = '';
      this.set(scene.head);
      if (this.waiting?.generation === scene.head.generation) this.tell('frame', this.waiting);
    } catch (error) {
      this.tell('note', error.message);
    }
    this.loading = false;
    if (this.again) {
      this.again = false;
      await this.load();
    }
  }

  receive(buffer) {
    let frame;
    try {
      frame = readFrame(buffer);
    } catch (error) {
      this.tell('note', error.message);
      return;
    }
    this.dropped = frame.dropped;
    if (frame.kind === KIND.report) this.takeReport(frame.json);
    else if (frame.kind === KIND.bye) this.tell('ended', frame.json);
    else if (frame.kind === KIND.changed) this.load();
    else if (frame.kind === KIND.state) this.takeState(frame);
  }

  takeReport(report) {
    const note = this.report?.note;
    this.report = report;
    this.tell('report', report);
    if (report.note && report.note !== note) this.tell('note', report.note);
    if (report.settings) this.set(report.settings);
  }

  /** What can be changed while it runs: told when it has changed. @param {any} settings */
  set({ solver, options, dt, gravity, friction }) {
    const settings = { solver, options, dt, gravity, friction };
    const words = JSON.stringify(settings);
    if (!this.scene || words === this.told) return;
    this.told = words;
    this.tell('settings', settings);
  }

  takeState(frame) {
    this.waiting = frame;
    if (frame.generation !== this.scene?.head.generation) {
      if (this.scene) this.load();
      return;
    }
    this.step = frame.step;
    this.time = frame.time;
    this.tell('frame', frame);
  }

  async state(state) {
    this.tell('state', state);
    if (state.state === 'open' && this.lost) await this.load();
    this.lost = state.state === 'lost';
  }

  /** Sends a command; what the engine refuses is shown, not thrown. @param {string} what @param {object} [fields] */
  async do(what, fields = {}) {
    try {
      return await this.transport.command({ do: what, ...fields });
    } catch (error) {
      this.tell('note', error.message);
      return null;
    }
  }

  /** @param {number} index */
  select(index) {
    if (index === this.selected) return;
    this.selected = index;
    this.tell('selected', index);
  }

  /** Id of the selected body, or null. */
  get body() {
    return this.scene && this.selected >= 0 ? this.scene.bodies.id[this.selected] : null;
  }
}
