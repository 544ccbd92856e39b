// The engine as a module of WebAssembly: bytes in by `room`, out by `out`. docs/view-inside.md lists its functions.

/** Speaks with one instance. Nothing of a browser is used, so that Node runs it too. */
export class Module {
  /** @param {WebAssembly.Instance} instance */
  constructor(instance) {
    this.exports = /** @type {any} */ (instance.exports);
  }

  /** Says words and calls a function; its answer, or an error with the engine's words. @param {'open' | 'command' | 'get'} name @param {string} words @returns {Uint8Array} */
  say(name, words) {
    const bytes = new TextEncoder().encode(words);
    const at = this.guard(() => this.exports.room(bytes.length));
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
    const status = this.guard(() => this.exports[name]());
    const answer = this.out();
    if (status === 200) return answer;
    throw new Error(JSON.parse(new TextDecoder().decode(answer)).error);
  }

  /** A frame laid out by the engine. @param {'frame' | 'report' | 'scene_changed'} name */
  frame(name) {
    this.guard(() => this.exports[name]());
    return this.out();
  }

  /** Lets time pass [s] until nothing is due or the clock says stop. @param {number} seconds @param {() => boolean} enough */
  pass(seconds, enough) {
    let due = this.guard(() => this.exports.pass(seconds));
    while (due && !enough()) due = this.guard(() => this.exports.pass(0));
  }

  /** A copy of what lies at `out`. */
  out() {
    const { memory, out, out_length: length } = this.exports;
    return new Uint8Array(memory.buffer, out(), length()).slice();
  }

  /** After a trap the words of the panic are the error. @template T @param {() => T} act @returns {T} */
  guard(act) {
    try {
      return act();
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      throw new Error(`the engine broke off: ${new TextDecoder().decode(this.out()) || error.message}`);
    }
  }
}
