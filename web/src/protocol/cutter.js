// Cuts a stream of bytes into frames.

/** Frames beyond this are a broken stream, not a large scene: ten million bodies need 500 MB. */
export const LARGEST = 1 << 29;

/** Takes chunks of any size and gives whole frames, each in a buffer of its own. */
export class Cutter {
  /** @param {(frame: ArrayBuffer) => void} give */
  constructor(give) {
    this.give = give;
    this.head = new Uint8Array(4);
    this.have = 0;
    /** @type {Uint8Array | null} */
    this.frame = null;
  }

  /** @param {Uint8Array} chunk */
  push(chunk) {
    let at = 0;
    while (at < chunk.length) {
      at += this.frame ? this.fill(this.frame, chunk, at) : this.fill(this.head, chunk, at);
      if (this.frame) this.finish();
      else if (this.have === 4) this.begin();
    }
  }

  fill(target, chunk, at) {
    const piece = chunk.subarray(at, at + target.length - this.have);
    target.set(piece, this.have);
    this.have += piece.length;
    return piece.length;
  }

  begin() {
    const length = new DataView(this.head.buffer).getUint32(0, true);
    if (length > LARGEST) throw new RangeError(`a frame of ${length} bytes: this is no stream of frames`);
    this.frame = new Uint8Array(4 + length);
    this.frame.set(this.head);
    this.finish();
  }

  finish() {
    if (!this.frame || this.have < this.frame.length) return;
    this.give(this.frame.buffer);
    this.frame = null;
    this.have = 0;
  }
}
