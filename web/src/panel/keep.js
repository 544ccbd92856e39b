// What can be taken home: picture, film, recording, checkpoint, log.

import { button, byId, element, save } from './dom.js';

/** @param {{session: import('../session.js').Session, stage: import('../draw/stage.js').Stage}} page @param {Record<string, () => void>} actions */
export function drawKeep({ session, stage }, actions) {
  const hash = element('code', {});
  const file = async (path, name) => {
    try {
      save(new Blob([await session.transport.bytes(path)]), name());
    } catch (error) {
      session.tell('note', error.message);
    }
  };
  const named = (ending) => () => `${session.scene?.head.scene ?? 'drystone'}-${session.step}.${ending}`;
  const record = button('Record', () => session.do('record', { on: !session.report?.recording }));
  record.setAttribute('aria-pressed', 'false');
  byId('keep').append(
    element('div', { className: 'buttons' }, button('Picture', actions.screenshot), filmButton(stage, session)),
    element('div', { className: 'buttons' }, record, button('Save recording', () => file('recording', named('npz')))),
    element('div', { className: 'buttons' }, button('Save checkpoint', () => file('checkpoint', named('checkpoint'))), button('Save log', () => file('log', named('jsonl')))),
    element('p', { className: 'soft' }, 'The log repeats all that was done bit for bit: drystone view --repeat FILE. It is the best bug report.'),
    element('p', { className: 'soft' }, 'Bits of the state: ', hash),
  );
  session.addEventListener('report', ({ detail }) => {
    hash.textContent = `${detail.hash ?? '–'} at step ${detail.step}`;
    record.setAttribute('aria-pressed', String(Boolean(detail.recording)));
  });
}

/** A film by the browser's own encoder. */
function filmButton(stage, session) {
  /** @type {MediaRecorder | null} */
  let recorder = null;
  const film = button('Film', () => {
    if (recorder) {
      recorder.stop();
      return;
    }
    const kinds = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'];
    const mimeType = kinds.find((kind) => globalThis.MediaRecorder?.isTypeSupported(kind));
    if (!mimeType) {
      session.tell('note', 'This browser cannot make films; `drystone run --export film.gif` can.');
      return;
    }
    const pieces = [];
    recorder = new MediaRecorder(stage.canvas.captureStream(30), { mimeType, videoBitsPerSecond: 8e6 });
    recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
    recorder.addEventListener('stop', () => {
      const blob = new Blob(pieces, { type: mimeType });
      document.documentElement.dataset.film = String(blob.size);
      save(blob, `${session.scene?.head.scene ?? 'drystone'}.${mimeType.includes('mp4') ? 'mp4' : 'webm'}`);
      recorder = null;
      film.setAttribute('aria-pressed', 'false');
      film.textContent = 'Film';
    });
    recorder.start(500);
    film.setAttribute('aria-pressed', 'true');
    film.textContent = 'End film';
  });
  film.id = 'film';
  film.setAttribute('aria-pressed', 'false');
  return film;
}
