// Runs in the worker of the page without a server: the engine itself, its clock and its frames.

import { Module } from './module.js';

/** Milliseconds of one picture, and of them those that steps may take. */
const PICTURE = 16;
const WORK = 13;
/** Milliseconds between reports. */
const REPORT = 100;

export class Engine {
  /** @param {string} base @param {any} begin scene and parameters @param {(message: object, transfer?: Transferable[]) => void} post */
  constructor(base, begin, post) {
    this.post = post;
    this.base = base;
    this.begin = begin;
    /** Questions wait for the module. @type {any[] | null} */
    this.waiting = [];
    this.shown = -1;
    this.generation = 0;
    this.told = 0;
    this.awaiting = 0;
    this.open = true;
  }

  async run() {
    try {
      const answer = await fetch(new URL('engine.wasm', this.base));
      if (!answer.ok) throw new Error(`engine.wasm is not there (${answer.status})`);
      const { instance } = await WebAssembly.instantiate(await answer.arrayBuffer(), {});
      this.module = new Module(instance);
      this.module.say('open', JSON.stringify(this.begin));
      this.module.say('command', '{"do":"play"}');
    } catch (error) {
      this.post({ state: 'refused', why: error.message });
      return;
    }
    this.post({ state: 'open' });
    const waiting = this.waiting ?? [];
    this.waiting = null;
    this.generation = this.module.exports.generation();
    waiting.forEach((question) => this.ask(question));
    this.last = performance.now();
    this.turn();
  }

  /** One picture's worth of time. */
  turn() {
    if (!this.open || !this.module) return;
    const now = performance.now();
    try {
      // A page that was away has not missed hours.
      this.module.pass(Math.min(0.25, (now - this.last) / 1000), () => performance.now() - now > WORK);
      this.last = now;
      this.tell(now);
    } catch (error) {
      this.post({ state: 'lost', why: error.message });
      return;
    }
    setTimeout(() => this.turn(), Math.max(0, PICTURE - (performance.now() - now)));
  }

  tell(now) {
    const { exports } = this.module;
    if (exports.generation() !== this.generation) {
      this.generation = exports.generation();
      this.send('scene_changed');
    }
    const changes = exports.changes();
    // At most three frames that the page has not drawn.
    if (changes !== this.shown && this.awaiting < 3) {
      this.shown = changes;
      this.awaiting += 1;
      this.send('frame');
    }
    if (now - this.told > REPORT) {
      this.told = now;
      this.send('report');
    }
  }

  send(name) {
    const frame = this.module.frame(name).buffer;
    this.post({ frame }, [frame]);
  }

  /** Answers a question of the page. @param {{id: number, path: string, body?: string}} question */
  ask({ id, path, body }) {
    if (this.waiting) {
      this.waiting.push({ id, path, body });
      return;
    }
    try {
      const answer = (body === undefined ? this.module.say('get', `/${path}`) : this.module.say('command', body)).buffer;
      this.post({ id, answer }, [answer]);
      if (body !== undefined) this.told = 0;
    } catch (error) {
      this.post({ id, error: error.message });
    }
  }

  drawn() {
    this.awaiting = 0;
  }

  close() {
    this.open = false;
  }

  resume() {
    if (this.open) return;
    this.open = true;
    this.last = performance.now();
    this.turn();
  }
}
