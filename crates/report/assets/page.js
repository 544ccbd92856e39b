"use strict";
(() => {
const root = document.documentElement;
window.addEventListener("error", event => { root.dataset.error = event.message; });
window.addEventListener("unhandledrejection", event => { root.dataset.error = String(event.reason); });
const make = (tag, attributes, parent) => {
  const element = document.createElementNS(parent.namespaceURI, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return parent.appendChild(element);
};
const hidden = new Set();

// Numbers as the eye reads them: three digits, a power of ten where they are very large or small.
const show = x => {
  if (x === null || !isFinite(x)) return "–";
  const size = Math.abs(x);
  if (x !== 0 && (size < 1e-3 || size >= 1e5)) {
    const [digits, power] = x.toExponential(2).split("e");
    const raised = [...power.replace("+", "")].map(c => c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]).join("");
    return digits.replace("-", "−") + "·10" + raised;
  }
  return String(+x.toPrecision(4)).replace("-", "−");
};
const unit = label => (label.match(/\[([^\]]+)\]/) || ["", ""])[1];
const axisName = label => label.replace(/\s*\[.*/, "");

// The index of the number nearest to x in an ascending list.
const nearest = (list, x) => {
  let low = 0, high = list.length - 1;
  while (high - low > 1) { const middle = (low + high) >> 1; if (list[middle] < x) low = middle; else high = middle; }
  return Math.abs(list[low] - x) <= Math.abs(list[high] - x) ? low : high;
};

// A line, the points and the numbers under the pointer.
const readout = (figure, svg, data) => {
  const [left, right, top, bottom] = data.edges, [x0, x1, y0, y1] = data.spans;
  const scaled = (axis, v) => axis.linear !== null ? Math.sign(v) * Math.log10(1 + Math.abs(v) / axis.linear) : axis.log ? Math.log10(axis.floor !== null && v < axis.floor ? axis.floor : v) : v;
  const across = v => left + (scaled(data.x, v) - x0) / (x1 - x0) * (right - left);
  const up = v => bottom + (scaled(data.y, v) - y0) / (y1 - y0) * (top - bottom);
  let marks = null, tip = null;
  const clear = () => { marks?.remove(); tip?.remove(); marks = tip = null; };
  const move = event => {
    const box = svg.getBoundingClientRect(), view = svg.viewBox.baseVal;
    const px = (event.clientX - box.left) / box.width * view.width;
    clear();
    if (px < left - 4 || px > right + 4) return;
    const raw = x0 + (px - left) / (right - left) * (x1 - x0), x = data.x.log ? 10 ** raw : raw;
    const rows = [];
    let at = null;
    marks = make("g", {}, svg);
    for (const series of data.series) {
      if (!series.x.length || hidden.has(String(series.color))) continue;
      const compare = data.x.log ? series.x.map(Math.log10) : series.x;
      const index = nearest(compare, raw), y = series.y[index];
      // A run that ended before has nothing to say here.
      if (Math.abs(across(series.x[index]) - px) > 24 + (right - left) / series.x.length) continue;
      if (at === null || Math.abs(across(series.x[index]) - px) < Math.abs(across(at) - px)) at = series.x[index];
      rows.push([series, y]);
      if (!data.stacked && y !== null && isFinite(up(y)))
        make("circle", { class: "spot c" + series.color, cx: across(series.x[index]), cy: up(y), r: 4 }, marks);
    }
    if (at === null) return;
    make("path", { class: "cursor", d: `M${across(at)} ${top}V${bottom}` }, marks);
    tip = document.createElement("div");
    tip.className = "tip";
    const head = document.createElement("div");
    head.textContent = `${axisName(data.x.label)} ${show(at)} ${unit(data.x.label)}`;
    tip.append(head);
    for (const [series, y] of rows) {
      const row = document.createElement("div"), key = document.createElement("i"), value = document.createElement("b");
      key.className = "key " + (data.stacked ? "p" + series.part : "c" + series.color);
      value.textContent = `${show(y)} ${unit(data.y.label)}`;
      row.append(key, series.name, value);
      tip.append(row);
    }
    figure.append(tip);
    const bounds = figure.getBoundingClientRect(), x_here = event.clientX - bounds.left;
    const room = bounds.width - tip.offsetWidth;
    tip.style.left = Math.max(0, Math.min(room, x_here < bounds.width / 2 ? x_here + 16 : x_here - 16 - tip.offsetWidth)) + "px";
    tip.style.top = Math.max(0, event.clientY - bounds.top - tip.offsetHeight - 12) + "px";
    if (data.x.label.startsWith("time")) root.dispatchEvent(new CustomEvent("look", { detail: x }));
  };
  svg.addEventListener("pointermove", move);
  svg.addEventListener("pointerdown", move);
  svg.addEventListener("pointerleave", clear);
};
for (const script of document.querySelectorAll("figure > script[type='application/json']")) {
  const figure = script.parentElement, data = JSON.parse(script.textContent);
  readout(figure, figure.querySelector("svg"), data);
}

// Names of the legend switch their lines, rows and films on and off.
for (const button of document.querySelectorAll(".legend button")) {
  button.addEventListener("click", () => {
    const color = button.dataset.color, off = !hidden.has(color);
    if (off) hidden.add(color); else hidden.delete(color);
    for (const other of document.querySelectorAll(`.legend button[data-color="${color}"]`)) other.setAttribute("aria-pressed", String(!off));
    for (const line of document.querySelectorAll(`.plot .c${color}, .film[data-color="${color}"]`)) line.classList.toggle("off", off);
  });
}

// Films: sheets of pictures of which each holds only what changed since the one before.
const films = [...document.querySelectorAll(".film[data-sheet]")].map(film => {
  const { width, height, columns, times } = JSON.parse(film.dataset.sheet);
  return { film, width, height, columns, times, frames: [], sheet: film.querySelector("img.sheet") };
});
const develop = async film => {
  await film.sheet.decode();
  const work = new OffscreenCanvas(film.width, film.height), ink = work.getContext("2d");
  for (let k = 0; k < film.times.length; k++) {
    const [x, y] = [k % film.columns * film.width, Math.floor(k / film.columns) * film.height];
    ink.drawImage(film.sheet, x, y, film.width, film.height, 0, 0, film.width, film.height);
    film.frames.push(await createImageBitmap(work));
  }
  film.sheet.removeAttribute("src");
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [film.width, film.height];
  film.film.querySelector("img.poster").replaceWith(canvas);
  film.ink = canvas.getContext("2d");
};
const player = document.querySelector(".player");
const play = async () => {
  await Promise.all(films.map(develop));
  const [button, slider, clock] = ["button", "input", "output"].map(tag => player.querySelector(tag));
  const end = Math.max(...films.map(film => film.times[film.times.length - 1]));
  // The last picture stays for a moment before the loop begins again.
  const rest = Math.min(1, 0.25 * end + 0.3);
  let playing = !matchMedia("(prefers-reduced-motion: reduce)").matches, time = playing ? 0 : end, before = null;
  const draw = () => {
    const shown = Math.min(time, end);
    for (const film of films) {
      const index = nearest(film.times, shown);
      if (film.drawn !== index) film.ink.drawImage(film.frames[film.drawn = index], 0, 0);
    }
    slider.value = String(shown);
    clock.textContent = shown.toFixed(2) + " s";
    button.textContent = playing ? "Pause" : "Play";
  };
  const tick = now => {
    if (!playing) return;
    if (before !== null) time += Math.min(0.1, (now - before) / 1000);
    before = now;
    if (time > end + rest) time = 0;
    draw();
    requestAnimationFrame(tick);
  };
  const stop = at => { playing = false; time = at; draw(); };
  slider.max = String(end);
  button.addEventListener("click", () => {
    if (playing) return stop(Math.min(time, end));
    if (time >= end) time = 0;
    [playing, before] = [true, null];
    requestAnimationFrame(tick);
  });
  slider.addEventListener("input", () => stop(Number(slider.value)));
  root.addEventListener("look", event => { if (event.detail >= 0 && event.detail <= end) stop(event.detail); });
  player.hidden = false;
  draw();
  requestAnimationFrame(tick);
};

// One click copies a command.
for (const button of document.querySelectorAll("button.copy"))
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.previousElementSibling.textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });

const ready = () => { if (!root.dataset.error) root.dataset.status = "ready"; };
if (player && films.length) play().then(ready); else ready();
})();
