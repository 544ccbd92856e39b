// Frames of the stream: docs/view-inside.md says what each byte means.

export const VERSION = 1;
export const KIND = Object.freeze({ state: 0, report: 1, alive: 2, bye: 3, changed: 4 });
export const FLAG = Object.freeze({
  bodies: 1, affine: 2, particles: 4, contacts: 8, marks: 16, velocities: 32, groups: 64, bounds: 128, second: 256, held: 512, depths: 1024,
});
const HEAD = 32;

/**
 * What one simulation shows in one frame. Every array is a view of the frame's bytes: nothing is copied.
 * @typedef {object} Sections
 * @property {number} bodies how many
 * @property {Float32Array} [positions] 3 per body
 * @property {Int16Array} [turns] quaternion x, y, z, w; 32767 is 1
 * @property {Float32Array} [affine] 9 per body, by rows
 * @property {Float32Array} [particles] 3 each
 * @property {{shown: number, all: number, data: Float32Array, bodies: Int32Array}} [contacts] 8 words each: position, force, bodies
 * @property {Uint8Array} [marks] 1 asleep, 2 fixed by the user, 4 quarantined
 * @property {Float32Array} [velocities] 3 per body
 * @property {Uint16Array} [groups] island, colour of the sweep
 * @property {Float32Array} [bounds] 6 per body
 * @property {Float32Array} [held] point held and its target, 3 each
 * @property {Float32Array} [depths] overlap of each contact shown [m], negative apart
 */

/**
 * @typedef {object} Frame
 * @property {number} kind
 * @property {number} generation
 * @property {number} dropped
 * @property {number} step
 * @property {number} time [s]
 * @property {Sections} [state]
 * @property {Sections} [second]
 * @property {any} [json] of a report or a farewell
 */

/**
 * Reads one frame, the length in front of it included.
 * @param {ArrayBuffer} buffer
 * @returns {Frame}
 */
export function readFrame(buffer) {
  if (buffer.byteLength < HEAD) throw new RangeError(`a frame of ${buffer.byteLength} bytes has no head`);
  const view = new DataView(buffer);
  const version = view.getUint8(5);
  if (version !== VERSION) throw new RangeError(`the engine speaks version ${version}, this page ${VERSION}: load the page again`);
  const frame = {
    kind: view.getUint8(4),
    generation: view.getUint32(8, true),
    dropped: view.getUint32(12, true),
    step: Number(view.getBigUint64(16, true)),
    time: view.getFloat64(24, true),
  };
  if (frame.kind === KIND.report || frame.kind === KIND.bye) {
    const words = new TextDecoder().decode(new Uint8Array(buffer, HEAD)).replace(/\0+$/, '');
    return { ...frame, json: words ? JSON.parse(words) : null };
  }
  return frame.kind === KIND.state ? { ...frame, ...readState(buffer, view.getUint16(6, true)) } : frame;
}

/** @param {ArrayBuffer} buffer @param {number} flags */
function readState(buffer, flags) {
  const reader = new Reader(buffer, HEAD);
  /** @type {{state: Sections, second?: Sections}} */
  const read = { state: readSections(reader, flags) };
  if (flags & FLAG.second) {
    const inner = reader.u16();
    reader.u16();
    read.second = readSections(reader, inner);
  }
  return read;
}

/** @param {Reader} reader @param {number} flags @returns {Sections} */
function readSections(reader, flags) {
  /** @type {Sections} */
  const out = { bodies: 0 };
  if (flags & FLAG.bodies) {
    out.bodies = reader.u32();
    out.positions = reader.floats(3 * out.bodies);
    out.turns = reader.shorts(4 * out.bodies);
  }
  if (flags & FLAG.affine) out.affine = reader.floats(9 * reader.u32());
  if (flags & FLAG.particles) out.particles = reader.floats(3 * reader.u32());
  if (flags & FLAG.contacts) {
    const shown = reader.u32();
    const all = reader.u32();
    const data = reader.floats(8 * shown);
    out.contacts = { shown, all, data, bodies: new Int32Array(data.buffer, data.byteOffset, data.length) };
  }
  if (flags & FLAG.marks) out.marks = reader.bytes(reader.u32());
  if (flags & FLAG.velocities) out.velocities = reader.floats(3 * reader.u32());
  if (flags & FLAG.groups) out.groups = reader.words(2 * reader.u32());
  if (flags & FLAG.bounds) out.bounds = reader.floats(6 * reader.u32());
  if (flags & FLAG.held) out.held = reader.floats(6);
  if (flags & FLAG.depths) out.depths = reader.floats(reader.u32());
  return out;
}

/** Goes through bytes. Where numbers do not lie on their own multiple (after single bytes), they are copied. */
class Reader {
  /** @param {ArrayBuffer} buffer @param {number} at */
  constructor(buffer, at) {
    this.buffer = buffer;
    this.view = new DataView(buffer);
    this.at = at;
  }

  u32() {
    return this.view.getUint32(this.skip(4), true);
  }

  u16() {
    return this.view.getUint16(this.skip(2), true);
  }

  /** @param {number} count */
  bytes(count) {
    return new Uint8Array(this.buffer, this.skip(count), count);
  }

  /** @param {number} count */
  floats(count) {
    return this.array(Float32Array, count);
  }

  /** @param {number} count */
  shorts(count) {
    return this.array(Int16Array, count);
  }

  /** @param {number} count */
  words(count) {
    return this.array(Uint16Array, count);
  }

  array(Type, count) {
    const length = count * Type.BYTES_PER_ELEMENT;
    const at = this.skip(length);
    if (at % Type.BYTES_PER_ELEMENT === 0) return new Type(this.buffer, at, count);
    return new Type(this.buffer.slice(at, at + length));
  }

  /** @param {number} length */
  skip(length) {
    const at = this.at;
    this.at += length;
    if (this.at > this.buffer.byteLength) throw new RangeError(`a frame ends at byte ${this.buffer.byteLength} before byte ${this.at}`);
    return at;
  }
}
