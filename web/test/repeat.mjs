// Runs scenes in the engine's module under Node and keeps their logs: `node repeat.mjs ENGINE FOLDER STEPS SCENE/SOLVER…`.
// A log ends with the bits of the last step; `drystone view --repeat` holds the machine's own build to them.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Module } from '../src/transport/module.js';

const [engine, folder, steps, ...runs] = process.argv.slice(2);
const compiled = new WebAssembly.Module(readFileSync(engine));
const text = (bytes) => new TextDecoder().decode(bytes);

for (const run of runs) {
  const [scene, solver] = run.split('/');
  const module = new Module(new WebAssembly.Instance(compiled, {}));
  try {
    module.say('open', JSON.stringify({ scene, solver }));
    module.say('command', JSON.stringify({ do: 'step', count: Number(steps) }));
    const part = Number(steps) / 4;
    let each = Infinity;
    for (let k = 0; k < 4; k++) {
      const start = performance.now();
      module.say('command', JSON.stringify({ do: 'step', count: part }));
      each = Math.min(each, (performance.now() - start) / part);
    }
    writeFileSync(join(folder, `${scene}-${solver}.jsonl`), text(module.say('get', '/log')));
    console.log(`${scene} ${solver} ${each.toFixed(3)}`);
  } catch (error) {
    console.log(`${scene} ${solver} refused: ${error.message}`);
  }
}
