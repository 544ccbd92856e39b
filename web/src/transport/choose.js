// Where the engine is: behind the server that sent this page, or beside it as WebAssembly.

import { overHttp } from './http.js';
import { inWorker } from './wasm.js';

/** @param {URLSearchParams} query @returns {import('./http.js').Transport} */
export function chooseTransport(query) {
  const worker = new Worker(new URL('worker.js', document.baseURI), { type: 'module' });
  const alone = document.documentElement.dataset.engine === 'wasm';
  return alone ? inWorker(worker, beginning(query)) : overHttp(location.hash.slice(1), worker);
}

/** The scene that the address asks for: `?scene=chain&set=links=8&solver=jacobi`. @param {URLSearchParams} query */
export function beginning(query) {
  const value = (words) => {
    try {
      return JSON.parse(words);
    } catch {
      return words;
    }
  };
  const pairs = query.getAll('set').map((words) => [words.split('=')[0], value(words.slice(words.indexOf('=') + 1))]);
  const solver = query.get('solver');
  return { scene: query.get('scene') ?? 'pyramid', parameters: Object.fromEntries(pairs), ...(solver ? { solver } : {}) };
}
