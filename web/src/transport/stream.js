// Runs in the worker: reads the stream of frames and comes back after it broke.

import { Cutter } from '../protocol/cutter.js';

const FIRST_WAIT = 250;
const LONGEST_WAIT = 4000;

/** A stream of frames over HTTP. */
export class Stream {
  /** @param {string} base @param {string} token @param {(message: object, transfer?: Transferable[]) => void} post */
  constructor(base, token, post) {
    this.base = base;
    this.headers = { Authorization: `Bearer ${token}` };
    this.post = post;
    this.open = true;
    this.wait = FIRST_WAIT;
    this.stop = new AbortController();
    this.sending = false;
    this.number = 0;
    /** @type {number | null} */
    this.toSend = null;
  }

  async run() {
    while (this.open) {
      const why = await this.read().catch((error) => String(error.message ?? error));
      if (!this.open) return;
      this.post({ state: 'lost', why });
      await new Promise((done) => setTimeout(done, this.wait));
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    }
  }

  /** Reads until the stream ends; the answer says why it did. @returns {Promise<string>} */
  async read() {
    const answer = await fetch(new URL('frames', this.base), { headers: this.headers, cache: 'no-store', signal: this.stop.signal });
    if (!answer.ok || !answer.body) return this.refused(answer);
    this.number = Number(answer.headers.get('Drystone-Stream'));
    this.post({ state: 'open' });
    const cutter = new Cutter((frame) => this.post({ frame }, [frame]));
    const reader = answer.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return 'the stream of frames ended';
      this.wait = FIRST_WAIT;
      cutter.push(value);
    }
  }

  /** @param {Response} answer */
  async refused(answer) {
    const words = await answer.text();
    if (answer.status === 401 || answer.status === 403) {
      this.open = false;
      this.post({ state: 'refused', why: words });
    }
    return words;
  }

  /** Tells the engine what was drawn last; one request at a time, newer replaces older. @param {number} step */
  async drawn(step) {
    this.toSend = step;
    if (this.sending) return;
    this.sending = true;
    while (this.toSend !== null && this.open) {
      const body = JSON.stringify({ do: 'drawn', step: this.toSend, stream: this.number });
      this.toSend = null;
      const sent = fetch(new URL('command', this.base), { method: 'POST', headers: this.headers, body });
      await sent.then((answer) => answer.arrayBuffer()).catch(() => {});
    }
    this.sending = false;
  }

  close() {
    this.open = false;
    this.stop.abort();
  }
}
