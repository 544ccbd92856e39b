// The engine behind the web server of `drystone view`.

/**
 * @typedef {object} Transport
 * @property {(path: string) => Promise<any>} json what a route of the engine answers
 * @property {(path: string) => Promise<ArrayBuffer>} bytes
 * @property {(command: object) => Promise<any>} command
 * @property {(step: number) => void} drawn
 * @property {() => void} start
 * @property {() => void} stop
 * @property {(frame: ArrayBuffer) => void} onframe
 * @property {(state: {state: 'open' | 'lost' | 'refused', why?: string}) => void} onstate
 */

/** @param {string} token @param {Worker} worker @returns {Transport} */
export function overHttp(token, worker) {
  const headers = { Authorization: `Bearer ${token}` };
  const ask = async (path, options = {}) => {
    const answer = await fetch(path, { headers, cache: 'no-store', ...options });
    if (answer.ok) return answer;
    throw new Error(await reason(answer));
  };
  /** @type {Transport} */
  const transport = {
    json: async (path) => (await ask(path)).json(),
    bytes: async (path) => (await ask(path)).arrayBuffer(),
    command: async (command) => (await ask('command', { method: 'POST', body: JSON.stringify(command) })).json(),
    drawn: (step) => worker.postMessage({ do: 'drawn', step }),
    start: () => worker.postMessage({ do: 'open', how: 'http', token, base: document.baseURI }),
    stop: () => worker.postMessage({ do: 'close' }),
    onframe: () => {},
    onstate: () => {},
  };
  listen(worker, transport);
  return transport;
}

/** What the engine says about a refusal. @param {Response} answer */
async function reason(answer) {
  const words = await answer.text();
  try {
    return JSON.parse(words).error ?? words;
  } catch {
    return words || `the engine answered ${answer.status}`;
  }
}

/** Frames and states of the worker go to the transport. @param {Worker} worker @param {Transport} transport */
export function listen(worker, transport) {
  worker.addEventListener('message', ({ data }) => {
    if (data.frame) transport.onframe(data.frame);
    else if (data.state) transport.onstate(data);
  });
}
