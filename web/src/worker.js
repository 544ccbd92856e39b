// The worker: keeps the stream, or the engine itself, away from the thread that draws.

import { Engine } from './transport/engine.js';
import { Stream } from './transport/stream.js';

/** @type {Stream | Engine | null} */
let source = null;
const post = (message, transfer = []) => self.postMessage(message, transfer);

self.addEventListener('message', ({ data }) => {
  if (data.do === 'open') open(data);
  else if (data.do === 'close') source?.close();
  else if (data.do === 'drawn') source?.drawn(data.step);
  else if (data.do === 'ask' && source instanceof Engine) source.ask(data);
});

/** A stream is opened anew; the engine in this worker lives on. */
function open({ how, base, token, begin }) {
  if (source instanceof Engine) {
    source.resume();
    return;
  }
  source?.close();
  source = how === 'wasm' ? new Engine(base, begin, post) : new Stream(base, token, post);
  source.run();
}
