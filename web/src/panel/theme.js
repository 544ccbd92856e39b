// Light or dark: as the system says, until the reader says otherwise.

import { byId } from './dom.js';

/** @param {(dark: boolean) => void} changed */
export function watchTheme(changed) {
  const system = matchMedia('(prefers-color-scheme: dark)');
  /** @type {string | null} */
  let chosen = null;
  const apply = () => {
    if (chosen) document.documentElement.dataset.theme = chosen;
    changed(chosen ? chosen === 'dark' : system.matches);
  };
  system.addEventListener('change', apply);
  byId('theme').addEventListener('click', () => {
    const dark = chosen ? chosen === 'dark' : system.matches;
    chosen = dark ? 'light' : 'dark';
    apply();
  });
  apply();
}
