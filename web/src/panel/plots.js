// Figures over time: curves by uPlot, and the newest values as a table for who cannot see curves.

import uPlot from 'uplot';
import { byId, element, number } from './dom.js';

/** Title, unit, curves. @type {[string, string, [string, string][]][]} */
const CHARTS = [
  ['Energy', 'J', [['energy', 'total'], ['kinetic', 'kinetic'], ['potential', 'potential']]],
  ['Momentum', 'kg m/s', [['momentum', 'linear'], ['angular', 'angular [kg m²/s]']]],
  ['Overlap', 'm', [['penetration', 'deepest']]],
  ['Joint error', 'm', [['joint_error', 'largest']]],
  ['Sweeps', '', [['iterations', 'used']]],
];
const COLORS = { light: ['#0072b2', '#d55e00', '#008a65', '#b5559a', '#a87500', '#5a4fcf'], dark: ['#4fb3f0', '#ff8a47', '#2fc79a', '#e08cc8', '#e3b341', '#a79cff'] };
/** Points kept in the page. */
const MOST = 6000;

/** @param {import('../session.js').Session} session @param {() => boolean} isDark */
export function drawPlots(session, isDark) {
  const into = byId('plots');
  const part = byId('part-plots');
  const table = element('table', { aria: { label: 'Newest figures' } });
  const charts = element('div', {});
  const phases = element('table', { aria: { label: 'Time per phase' } });
  into.append(table, charts, element('h3', {}, 'Time per phase [ms]'), phases, element('p', { className: 'soft' }, 'Times beside a browser that draws on the same processor are no benchmark.'));
  const data = new Columns();
  let drawn = [];
  const rebuild = () => {
    charts.replaceChildren();
    drawn = CHARTS.map((chart) => makeChart(charts, chart, data, isDark()));
  };
  const refresh = () => {
    if (!part.open || document.hidden) return;
    if (!drawn.length) rebuild();
    for (const chart of drawn) chart.update();
  };
  session.addEventListener('report', ({ detail }) => {
    data.push(detail.step, detail.time, detail.figures ?? {}, detail.second);
    if (!part.open) return;
    fillTable(table, detail);
    fillPhases(phases, detail.phases ?? {});
  });
  session.addEventListener('scene', async ({ detail }) => {
    if (!detail.same) data.clear();
    try {
      const first = await session.transport.json('series?since=0');
      data.begin(first);
    } catch { /* the curves begin with the next report */ }
    refresh();
  });
  part.addEventListener('toggle', refresh);
  setInterval(refresh, 250);
  return { theme: () => { drawn = []; refresh(); } };
}

/** Curves as columns by name. */
class Columns {
  constructor() {
    this.clear();
  }

  clear() {
    this.steps = [];
    this.times = [];
    this.columns = {};
  }

  begin({ step = [], time = [], figures = {} }) {
    this.clear();
    const from = Math.max(0, step.length - MOST);
    this.steps = step.slice(from);
    this.times = time.slice(from);
    for (const [name, values] of Object.entries(figures)) this.columns[name] = values.slice(from);
  }

  /** A step that came before is a step back: what followed it is forgotten. */
  push(step, time, figures, second) {
    while (this.steps.length && this.steps.at(-1) >= step) this.cut(this.steps.length - 1);
    if (this.steps.length >= MOST) this.drop();
    this.steps.push(step);
    this.times.push(time);
    const all = { ...figures };
    for (const [name, value] of Object.entries(second?.figures ?? second ?? {})) all[`second ${name}`] = value;
    for (const name of Object.keys(all)) this.columns[name] ??= new Array(this.steps.length - 1).fill(null);
    for (const [name, values] of Object.entries(this.columns)) values.push(typeof all[name] === 'number' ? all[name] : null);
  }

  cut(length) {
    this.steps.length = this.times.length = length;
    for (const values of Object.values(this.columns)) values.length = length;
  }

  /** Every other old point goes: the curve keeps its whole length. */
  drop() {
    const keep = (list) => list.filter((_, index) => index % 2 === 0 || index > MOST - 1000);
    this.steps = keep(this.steps);
    this.times = keep(this.times);
    for (const name of Object.keys(this.columns)) this.columns[name] = keep(this.columns[name]);
  }
}

function makeChart(into, [title, unit, curves], data, dark) {
  const said = element('span', {});
  const box = element('div', { className: 'chart' }, element('h3', {}, `${title}${unit ? ` [${unit}]` : ''}`, said));
  into.append(box);
  const colors = COLORS[dark ? 'dark' : 'light'];
  const ink = dark ? '#a9b1bb' : '#4f5761';
  const grid = { stroke: dark ? '#343a41' : '#d9dde2', width: 1 };
  const font = '11px system-ui, sans-serif';
  const axis = { stroke: ink, grid, ticks: grid, font };
  const names = [...curves.map(([name]) => name), ...curves.map(([name]) => `second ${name}`)];
  const series = names.map((_, index) => ({ stroke: colors[index % curves.length], width: 1.6, dash: index >= curves.length ? [5, 4] : undefined, points: { show: false }, spanGaps: true }));
  const plot = new uPlot({
    width: Math.max(200, into.clientWidth), height: 120, legend: { show: false }, cursor: { show: false },
    scales: { x: { time: false }, y: { range: (_self, low, high) => span(low, high) } },
    axes: [{ ...axis, size: 24 }, { ...axis, size: 52, values: (_self, values) => values.map((value) => number(value)) }],
    series: [{}, ...series],
  }, [[], ...names.map(() => [])], box);
  const update = () => {
    const width = Math.max(200, into.clientWidth);
    if (plot.width !== width) plot.setSize({ width, height: 120 });
    const columns = names.map((name) => data.columns[name] ?? new Array(data.times.length).fill(null));
    plot.setData([data.times, ...columns]);
    said.textContent = curves.map(([name, words], index) => `${words} ${number(columns[index].at(-1))}`).join(' · ');
  };
  return { update };
}

function span(low, high) {
  if (low === null || high === null) return [0, 1];
  const room = 0.08 * (high - low) || 0.1 * Math.abs(high) || 1e-9;
  return [low - room, high + room];
}

function fillTable(table, { figures = {}, second }) {
  const other = second?.figures ?? second;
  const rows = Object.entries(figures).map(([name, value]) => element('tr', {}, element('th', { scope: 'row' }, name.replaceAll('_', ' ')), element('td', { className: 'n' }, number(value)), ...(other ? [element('td', { className: 'n' }, number(other[name]))] : [])));
  table.replaceChildren(element('tbody', {}, ...rows));
}

function fillPhases(table, phases) {
  const rows = Object.entries(phases).map(([name, value]) => element('tr', {}, element('th', { scope: 'row' }, name.replaceAll('_', ' ')), element('td', { className: 'n' }, number(value))));
  table.replaceChildren(element('tbody', {}, ...rows));
}
