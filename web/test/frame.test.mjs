import assert from 'node:assert/strict';
import test from 'node:test';
import { Cutter, LARGEST } from '../src/protocol/cutter.js';
import { FLAG, KIND, readFrame } from '../src/protocol/frame.js';
import { head, sections } from './make.mjs';

const two = { positions: [1, 2, 3, 4, 5, 6], turns: [0, 0, 0, 32767, 32767, 0, 0, 0] };

test('poses are views of the bytes', () => {
  const buffer = head(KIND.state, FLAG.bodies, sections(two), { step: 7, time: 0.25, generation: 3, dropped: 2 });
  const frame = readFrame(buffer);
  assert.deepEqual([frame.step, frame.time, frame.generation, frame.dropped], [7, 0.25, 3, 2]);
  assert.deepEqual([...frame.state.positions], two.positions);
  assert.deepEqual([...frame.state.turns], two.turns);
  assert.equal(frame.state.positions.buffer, buffer, 'nothing is copied');
});

test('what follows single bytes is read though it lies between multiples', () => {
  const flags = FLAG.bodies | FLAG.marks | FLAG.velocities | FLAG.groups;
  const more = { ...two, marks: [1, 4], velocities: [0, 0, -9, 1, 1, 1], groups: [0, 65535, 1, 2] };
  const odd = { ...more, marks: [1, 4, 2] };
  for (const each of [more, odd]) {
    const { state } = readFrame(head(KIND.state, flags, sections(each)));
    assert.deepEqual([...state.marks], each.marks);
    assert.deepEqual([...state.velocities], each.velocities);
    assert.deepEqual([...state.groups], each.groups);
  }
});

test('contacts, depths, hand and the other solver come in their order', () => {
  const contacts = { all: 9, rows: [[1, 2, 3, 0, 0, 5, 0, -1]] };
  const flags = FLAG.bodies | FLAG.contacts | FLAG.held | FLAG.depths | FLAG.second;
  const second = { positions: [9, 9, 9], turns: [0, 0, 0, 32767] };
  const body = sections({ ...two, contacts, held: [1, 1, 1, 2, 2, 2], depths: [0.5], second: { flags: FLAG.bodies, ...second } });
  const frame = readFrame(head(KIND.state, flags, body));
  assert.deepEqual([frame.state.contacts.shown, frame.state.contacts.all], [1, 9]);
  assert.deepEqual([...frame.state.contacts.bodies.subarray(6)], [0, -1]);
  assert.deepEqual([...frame.state.held], [1, 1, 1, 2, 2, 2]);
  assert.deepEqual([...frame.state.depths], [0.5]);
  assert.deepEqual([...frame.second.positions], second.positions);
});

test('a frame cut short, of another version or without a head is refused', () => {
  const good = head(KIND.state, FLAG.bodies, sections(two));
  assert.throws(() => readFrame(good.slice(0, good.byteLength - 4)), /before byte/);
  assert.throws(() => readFrame(good.slice(0, 20)), /no head/);
  new DataView(good).setUint8(5, 9);
  assert.throws(() => readFrame(good), /version 9/);
});

test('reports are JSON', () => {
  const words = new TextEncoder().encode('{"step": 3}');
  assert.deepEqual(readFrame(head(KIND.report, 0, words)).json, { step: 3 });
});

test('chunks of any size give the same frames', () => {
  const frames = [head(KIND.state, FLAG.bodies, sections(two), { step: 1 }), head(KIND.alive, 0, new Uint8Array(0)), head(KIND.state, FLAG.bodies, sections(two), { step: 2 })];
  const stream = new Uint8Array(Buffer.concat(frames.map((frame) => Buffer.from(frame))));
  for (let size = 1; size <= stream.length; size++) {
    const cut = [];
    const cutter = new Cutter((frame) => cut.push(frame));
    for (let at = 0; at < stream.length; at += size) cutter.push(stream.subarray(at, at + size));
    assert.deepEqual(cut, frames, `chunks of ${size}`);
  }
});

test('a length no scene has ends the stream', () => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, LARGEST + 1, true);
  assert.throws(() => new Cutter(() => {}).push(bytes), /no stream of frames/);
});
