// The engine as WebAssembly in a worker: the page without a server.

import { listen } from './http.js';

/** @param {Worker} worker @param {any} begin scene, parameters, solver @returns {import('./http.js').Transport} */
export function inWorker(worker, begin) {
  const waiting = new Map();
  let last = 0;
  const ask = (request) => new Promise((done, failed) => {
    last += 1;
    waiting.set(last, { done, failed });
    worker.postMessage({ do: 'ask', id: last, ...request });
  });
  worker.addEventListener('message', ({ data }) => {
    const asked = waiting.get(data.id);
    if (!asked) return;
    waiting.delete(data.id);
    if (data.error) asked.failed(new Error(data.error));
    else asked.done(data.answer);
  });
  const text = (bytes) => new TextDecoder().decode(bytes);
  /** @type {import('./http.js').Transport} */
  const transport = {
    json: async (path) => JSON.parse(text(await ask({ path }))),
    bytes: (path) => ask({ path }),
    command: async (command) => JSON.parse(text(await ask({ path: 'command', body: JSON.stringify(command) }))),
    drawn: (step) => worker.postMessage({ do: 'drawn', step }),
    start: () => worker.postMessage({ do: 'open', how: 'wasm', base: document.baseURI, begin }),
    stop: () => worker.postMessage({ do: 'close' }),
    onframe: () => {},
    onstate: () => {},
  };
  listen(worker, transport);
  return transport;
}
