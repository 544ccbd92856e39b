// Builds the page into dist/, or into the folder named: twice the same bytes from the same sources.

import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, 'dist');
const options = { bundle: true, minify: true, format: 'esm', target: 'es2022', legalComments: 'none', charset: 'utf8', logLevel: 'warning' };

await mkdir(out, { recursive: true });
await build({ ...options, entryPoints: { app: join(here, 'src/main.js'), worker: join(here, 'src/worker.js') }, outdir: out });
await build({ ...options, entryPoints: { app: join(here, 'src/style.css') }, outdir: out });
await copyFile(join(here, 'src/index.html'), join(out, 'index.html'));
await writeFile(join(out, 'LICENCES'), await notices(['three', 'uplot']));

/** Whose work is in the bundle, and on which terms. */
async function notices(names) {
  const one = async (name) => {
    const folder = join(here, 'node_modules', name);
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    return `${name} ${version}\n\n${(await readFile(join(folder, 'LICENSE'), 'utf8')).trim()}\n`;
  };
  const all = await Promise.all(names.map(one));
  return `The page contains these libraries.\n\n${all.join('\n----\n\n')}`;
}
