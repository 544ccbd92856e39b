// Put at the end of a page by `cargo xtask browser`: does what a reader does and writes down what came of it.
(async () => {
  const root = document.documentElement, faults = [];
  const expect = (holds, what) => { if (!holds) faults.push(what); };
  // The browser's clock runs ahead while nothing happens in the page; pictures are decoded in real time. So real work
  // passes the time, many seconds of it on a busy machine.
  const work = () => { let sum = 0; for (let k = 0; k < 3e6; k++) sum += Math.sqrt(k); return sum; };
  const until = async test => { for (let k = 0; k < 4000 && !test() && work(); k++) await new Promise(done => setTimeout(done, 25)); };
  try {
    await until(() => root.dataset.status === "ready" || root.dataset.error);
    expect(root.dataset.status === "ready", "the page is not ready: " + root.dataset.error);
    expect(root.scrollWidth <= root.clientWidth, `the page is ${root.scrollWidth} px wide in ${root.clientWidth}`);
    for (const link of document.querySelectorAll("nav a"))
      expect(document.querySelector(link.getAttribute("href")), "nothing at " + link.getAttribute("href"));
    const plots = [...document.querySelectorAll("figure > svg.plot")];
    expect(plots.length >= 6, `only ${plots.length} plots`);
    for (const svg of plots) {
      const box = svg.getBoundingClientRect(), figure = svg.parentElement;
      expect(box.width > 200 && box.height > 100, "a plot has no size");
      const event = new PointerEvent("pointermove", { clientX: box.left + 0.6 * box.width, clientY: box.top + 0.5 * box.height });
      svg.dispatchEvent(event);
      const tip = figure.querySelector(".tip"), name = figure.querySelector("b").textContent;
      const runs = [...svg.querySelectorAll(".curve, .area")].length;
      if (runs) expect(tip || svg.querySelectorAll(".dot").length <= 8, "no numbers under the pointer in " + name);
      if (tip) expect(!/NaN|undefined/.test(tip.textContent), "odd numbers in " + name + ": " + tip.textContent);
      svg.dispatchEvent(new PointerEvent("pointerleave"));
      expect(!figure.querySelector(".tip"), "the numbers stay in " + name);
    }
    const films = document.querySelectorAll(".film canvas"), slider = document.querySelector(".player input");
    expect(films.length > 0 && films.length === document.querySelectorAll(".film").length, "films are missing");
    const look = () => [...films].map(film => film.toDataURL().length).join();
    slider.value = 0; slider.dispatchEvent(new Event("input"));
    const first = look();
    slider.value = slider.max; slider.dispatchEvent(new Event("input"));
    expect(look() !== first, "the films do not move");
    const name = document.querySelector(".legend button"), lines = () => document.querySelectorAll(".plot .c0:not(.off)").length;
    const before = lines();
    name.click();
    expect(before > 0 && lines() === 0, "the legend does not hide its lines");
    name.click();
    expect(lines() === before, "the legend does not bring its lines back");
    document.querySelector(".player button").click();
  } catch (error) { faults.push(String(error)); }
  root.dataset.faults = faults.join("; ");
  root.dataset.checked = faults.length ? "bad" : "good";
})();
