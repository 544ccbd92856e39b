// Writes frames and scenes byte by byte, as docs/view-inside.md lays them out.

/** @returns {ArrayBuffer} */
export function head(kind, flags, body, { step = 0, time = 0, generation = 1, dropped = 0 } = {}) {
  const buffer = new ArrayBuffer(32 + body.length);
  const view = new DataView(buffer);
  view.setUint32(0, 28 + body.length, true);
  view.setUint8(4, kind);
  view.setUint8(5, 1);
  view.setUint16(6, flags, true);
  view.setUint32(8, generation, true);
  view.setUint32(12, dropped, true);
  view.setBigUint64(16, BigInt(step), true);
  view.setFloat64(24, time, true);
  new Uint8Array(buffer, 32).set(body);
  return buffer;
}

const bytes = (array) => Buffer.from(array.buffer);
const u32 = (...values) => bytes(Uint32Array.from(values));
const u16 = (...values) => bytes(Uint16Array.from(values));
const f32 = (values) => bytes(Float32Array.from(values));

/** @returns {Uint8Array} */
export function sections({ positions, turns, contacts, marks, velocities, groups, held, depths, second }) {
  const out = [u32(positions.length / 3), f32(positions), bytes(Int16Array.from(turns))];
  if (contacts) {
    out.push(u32(contacts.rows.length, contacts.all));
    for (const row of contacts.rows) out.push(f32(row.slice(0, 6)), bytes(Int32Array.from(row.slice(6))));
  }
  if (marks) out.push(u32(marks.length), Buffer.from(marks));
  if (velocities) out.push(u32(velocities.length / 3), f32(velocities));
  if (groups) out.push(u32(groups.length / 2), u16(...groups));
  if (held) out.push(f32(held));
  if (depths) out.push(u32(depths.length), f32(depths));
  if (second) out.push(u16(second.flags, 0), sections(second));
  return new Uint8Array(Buffer.concat(out));
}

/** @returns {ArrayBuffer} */
export function scene(json, numbers = new Uint8Array(0)) {
  const words = Buffer.from(JSON.stringify(json));
  const padding = Buffer.alloc((4 - ((4 + words.length) % 4)) % 4);
  return new Uint8Array(Buffer.concat([u32(words.length), words, padding, numbers])).buffer;
}
