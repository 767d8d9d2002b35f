// The map and what is drawn over it: counters, reach, ways, marks. It knows hexes and units by name only.

export const SVG = "http://www.w3.org/2000/svg";
const LEGIBLE = 11; // pixels of writing, below which it is not shown
const STRETCH = 1.6; // by how much a hex's name may grow for that

export function shape(tag, attributes, parent) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  parent?.append(made);
  return made;
}

// Labels of hexes, the important ones first, each at the first of its places where it covers none before it, and no counter if there is such a place.
export function placed(tags, counters = []) {
  const found = [];
  const covers = (one, x, y, wide, high) => Math.abs(one.x - x) < (one.wide + wide) / 2 && Math.abs(one.y - y) < (one.high + high) / 2;
  for (const { x, y, offs, text, kind, size, must } of tags) {
    const [wide, high] = [text.length * size * 0.7 + 12, size * 1.5];
    const isFree = (dy) => !found.some((one) => covers(one, x, y + dy, wide, high));
    const isClear = (dy) => isFree(dy) && !counters.some((one) => covers(one, x, y + dy, wide, high));
    const off = offs.find(isClear) ?? offs.find(isFree) ?? (must ? offs[0] : null);
    if (off !== null) found.push({ x, y: y + off, wide, high, text, kind, size });
  }
  return found;
}

const VERTICES = ["NNE", "E", "SSE", "SSW", "W", "NNW"]; // as rulebooks name them
const SIDES = ["N", "NE", "SE", "S", "SW", "NW"];
const IN = 0.72; // how far towards its vertex a way goes that leads round it

// Where a unit stands that is off its hex's centre, in hexsides clockwise from N: along a hexside, or at a vertex.
export const besideOf = (aside) => (Number.isInteger(aside) ? `along the ${SIDES[aside]} hexside` : `at the ${VERTICES[Math.floor(aside)]} vertex`);

// The hexside of a cell that lies towards a step of doubled coordinates, as a path.
function side({ x, y }, [u, v]) {
  const [dx, dy] = [u * 150, v * 86.6];
  const [px, py] = [-dy / 3.464, dx / 3.464];
  return `M${(x + dx / 2 + px).toFixed(0)} ${(y + dy / 2 + py).toFixed(0)}L${(x + dx / 2 - px).toFixed(0)} ${(y + dy / 2 - py).toFixed(0)}`;
}

export class Drawn extends EventTarget {
  constructor(svg, colours) {
    super();
    this.svg = svg;
    this.colours = colours;
    this.cells = new Map();
    this.byPlace = new Map();
    for (const group of /** @type {Iterable<any>} */ (svg.querySelectorAll(".hex"))) {
      const { at, all, u, v, x, y } = group.dataset;
      const cell = { at, all: all.split(" "), group, u: +u, v: +v, x: +x, y: +y, said: group.getAttribute("aria-label") };
      for (const name of cell.all) this.cells.set(name, cell);
      this.byPlace.set(`${u},${v}`, cell);
    }
    this.whole = svg.getAttribute("viewBox").split(" ").map(Number);
    this.view = [...this.whole];
    this.counters = []; // the boxes of the counters
    this.tags = { mark: [], plan: [], way: [] }; // labels of what is drawn over the map
  }

  // How wide the map is on the screen, in pixels.
  get wide() {
    return this.svg.getBoundingClientRect().width || 1000;
  }

  layer(name) {
    return this.svg.querySelector(`#${name}`);
  }

  cell(name) {
    return this.cells.get(name);
  }

  // Where a way is drawn through a cell: its middle, or near a vertex that it goes round, or where it ends aside.
  spot({ x, y }, vertex) {
    const number = typeof vertex === "number" ? Math.floor(vertex) : VERTICES.indexOf(vertex);
    const { steps } = this.colours;
    if (number < 0 || steps.length !== VERTICES.length) return [x, y];
    if (number === vertex) return [x + steps[number][0] * 75 * IN, y + steps[number][1] * 43.3 * IN];
    const [[au, av], [bu, bv]] = [steps[number], steps[(number + 1) % steps.length]];
    return [x + (au + bu) * 50 * IN, y + (av + bv) * 28.87 * IN];
  }

  // A hex next to it.
  beside(name) {
    const here = this.cell(name);
    return here && this.colours.steps.map(([u, v]) => this.byPlace.get(`${here.u + u},${here.v + v}`)).find(Boolean);
  }

  // A size of writing, in the board's units, that can be read now.
  legible(size) {
    return Math.max(size, (LEGIBLE * this.view[2]) / this.wide);
  }

  // Show writing where it is large enough to be read; names of hexes grow a little for that.
  letter() {
    const scale = this.wide / this.view[2];
    if (!scale || scale === this.lettered) return;
    this.lettered = scale;
    this.tagged();
    for (const text of this.svg.querySelectorAll(".printed text, #units text, #links text, #shades text")) {
      const size = (text.sized ??= Number(text.getAttribute("font-size")));
      const wanted = Math.max(size, LEGIBLE / scale);
      const grows = (text.grows ??= size > 20 && text.closest(".printed, #shades") ? STRETCH : 1);
      text.style.display = wanted <= size * grows * 1.001 ? "" : "none";
      const box = text.previousElementSibling;
      if (box?.tagName === "rect" && text.parentElement.id === "links") box.style.display = text.style.display; // no empty label
      if (grows > 1) text.setAttribute("font-size", Math.min(wanted, size * grows));
    }
  }

  // The boards' own artwork as the ground, in place of what is drawn; nothing where there is none.
  artwork(sheets) {
    this.svg.querySelector("#artwork")?.remove();
    this.svg.classList.toggle("pictured", sheets.length > 0);
    this.layer("shades").removeAttribute("clip-path");
    if (!sheets.length) return;
    const layer = shape("g", { id: "artwork", "aria-hidden": "true" });
    const edges = shape("clipPath", { id: "sheets" }, layer); // the artwork ends in the middle of hexes
    for (const { width, height, transform } of sheets) shape("rect", { width, height, transform }, edges);
    this.layer("shades").setAttribute("clip-path", "url(#sheets)");
    sheets.forEach(({ href, width, height, transform, box: [x, y, wide, high] }, number) => {
      const clip = shape("clipPath", { id: `sheet-${number}` }, layer);
      shape("rect", { x, y, width: wide, height: high }, clip);
      const part = shape("g", { "clip-path": `url(#sheet-${number})` }, layer);
      shape("image", { href, width, height, transform, preserveAspectRatio: "none" }, part);
    });
    this.svg.querySelector(".ground").after(layer);
  }

  // The ground alone.
  clear() {
    this.pieces("", "");
    this.select(null);
    this.shade(null);
    this.way([]);
    this.plan([]);
    this.trail([]);
    this.thread(null);
    this.mark([]);
  }

  pieces(units, links) {
    const held = /** @type {any} */ (document.activeElement)?.dataset?.unit;
    this.layer("units").innerHTML = units;
    this.raised = null;
    this.layer("links").innerHTML = links;
    const groups = /** @type {any[]} */ ([...this.svg.querySelectorAll(".unit")]);
    groups[0]?.setAttribute("tabindex", "0");
    this.counters = groups.map((group) => group.getBBox()).map(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2, wide: width, high: height }));
    const byHex = new Map();
    for (const group of groups) byHex.set(this.cell(group.dataset.at), [...(byHex.get(this.cell(group.dataset.at)) ?? []), group.dataset.unit]);
    const lying = new Map();
    for (const one of /** @type {Iterable<any>} */ (this.layer("links").querySelectorAll(".thing"))) lying.set(this.cell(one.dataset.at), one.dataset.said);
    for (const cell of this.byPlace.values()) {
      cell.lying = lying.get(cell) ?? "";
      cell.words = [cell.said, cell.lying && `lying there: ${cell.lying}`, byHex.has(cell) && `here: ${byHex.get(cell).join(", ")}`].filter(Boolean).join("; ");
      cell.group.setAttribute("aria-label", cell.words);
      cell.group.querySelector("title")?.remove();
      if (cell.lying) shape("title", {}, cell.group).textContent = cell.lying;
    }
    if (held) this.unit(held)?.focus({ preventScroll: true });
    this.lettered = null;
    this.letter();
  }

  unit(id) {
    return this.svg.querySelector(`.unit[data-unit="${CSS.escape(id)}"]`);
  }

  // A copy of a counter, large enough to be read wherever it lies.
  counter(id) {
    const group = this.unit(id);
    const copy = shape("svg", { class: "counter", "aria-hidden": "true" });
    if (!group) return copy;
    const box = group.getBBox();
    copy.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
    for (const part of group.children) if (part.tagName !== "title") copy.append(part.cloneNode(true));
    for (const text of copy.querySelectorAll("text")) text.style.display = "";
    return copy;
  }

  select(id) {
    for (const group of this.svg.querySelectorAll(".unit.chosen")) group.classList.remove("chosen");
    const chosen = id && this.unit(id);
    chosen?.classList.add("chosen");
    this.raise(chosen);
  }

  // Draw a counter above its stack, and the one raised before in its place again. It is the others
  // that are moved: a counter that is moved would lose the focus.
  raise(group) {
    this.raised?.group.after(...this.raised.above);
    this.raised = null;
    if (!group) return;
    const cell = this.cell(group.dataset.at);
    const above = [];
    for (let next = group.nextElementSibling; next; next = next.nextElementSibling) if (this.cell(next.dataset.at) === cell) above.push(next);
    group.before(...above);
    this.raised = { group, above };
  }

  // Shade the hexes that can be reached in one hue, the stronger the more is left, with an outline around
  // all of them; null shows the map as it is. Returns how many there are.
  shade(left) {
    const layer = this.layer("shades");
    const fresh = document.createDocumentFragment();
    const best = new Map();
    for (const [name, value] of Object.entries(left ?? {})) {
      const cell = this.cell(name);
      if (cell) best.set(cell, Math.max(value, best.get(cell) ?? 0));
    }
    const most = Math.max(0.5, ...best.values());
    let edge = "";
    for (const [cell, value] of best) {
      const group = shape("g", { class: "reached", "data-at": cell.at }, fresh);
      shape("polygon", { points: cell.group.firstElementChild.getAttribute("points"), "fill-opacity": (0.08 + 0.22 * (value / most)).toFixed(2) }, group);
      const written = shape("text", { x: cell.x, y: cell.y + (cell.lying ? 52 : 78), "font-size": 24, "text-anchor": "middle", class: "left" }, group);
      written.textContent = String(value);
      edge += this.colours.steps.filter(([u, v]) => !best.has(this.byPlace.get(`${cell.u + u},${cell.v + v}`))).map((step) => side(cell, step)).join("");
    }
    for (const kind of ["under edge", "edge"]) if (edge) shape("path", { d: edge, class: kind }, fresh);
    layer.replaceChildren(fresh);
    this.lettered = null;
    this.letter();
    return best.size;
  }

  // A way as an arrow, each stop with a word; `kind` is "way", "done" or "barred".
  way(stops, kind = "way") {
    this.layer("ways").replaceChildren();
    this.tags.way = this.arrow(this.layer("ways"), stops, kind);
    this.tagged();
  }

  // The ways of a plan, drawn until they are replaced.
  plan(ways) {
    this.layer("plans").replaceChildren();
    this.tags.plan = ways.flatMap((stops) => this.arrow(this.layer("plans"), stops, "way"));
    this.tagged();
  }

  // Where what was played last began, went through and ended.
  trail(names) {
    const layer = this.layer("last");
    layer.replaceChildren();
    const cells = names.map((name) => this.cell(name)).filter((cell, number, all) => cell && cell !== all[number - 1]);
    if (cells.length < 2) return;
    const points = cells.map((cell) => `${cell.x},${cell.y}`).join(" ");
    for (const kind of ["under ", ""]) {
      shape("polyline", { points, class: `${kind}trail` }, layer);
      for (const cell of [cells[0], cells.at(-1)]) shape("polygon", { points: cell.group.firstElementChild.getAttribute("points"), class: `${kind}trail` }, layer);
    }
  }

  // A thread of sight, and where it is blocked; null takes it away.
  thread(sight) {
    const layer = this.layer("thread");
    layer.replaceChildren();
    const [from, to, by] = [sight?.from, sight?.to, sight?.by].map((name) => name && this.cell(name));
    if (!from || !to) return;
    for (const under of ["under ", ""]) shape("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y, class: `${under}thread ${sight.kind}` }, layer);
    if (by) shape("polygon", { points: by.group.firstElementChild.getAttribute("points"), class: "thread blocked" }, layer);
  }

  arrow(layer, stops, kind) {
    const found = [];
    for (const { at, text, vertex } of stops) {
      const cell = this.cell(at);
      if (!cell) continue;
      const last = found.at(-1);
      if (last?.cell === cell && last.vertex === vertex) last.text = text || last.text;
      else found.push({ cell, text, vertex, spot: this.spot(cell, vertex) });
    }
    if (found.length > 1) {
      const ends = found.map(({ spot }) => spot);
      const [bx, by] = ends.at(-1);
      const [ax, ay] = ends.at(-2);
      const [short, long] = found.at(-1).vertex !== undefined ? [0, 0.2] : [0.3, 0.48]; // a way round ends at its vertex
      const tip = [bx - (bx - ax) * short, by - (by - ay) * short];
      const neck = [bx - (bx - ax) * long, by - (by - ay) * long];
      const across = [-(tip[1] - neck[1]) * 0.6, (tip[0] - neck[0]) * 0.6];
      const line = [...ends.slice(0, -1), neck].map((end) => end.join(",")).join(" ");
      const head = [tip, [neck[0] + across[0], neck[1] + across[1]], [neck[0] - across[0], neck[1] - across[1]]].map((end) => end.join(",")).join(" ");
      for (const under of ["under ", ""]) {
        shape("polyline", { points: line, class: `${under}route ${kind}` }, layer);
        shape("polygon", { points: head, class: `${under}route head ${kind}` }, layer);
      }
    }
    return found.slice(found.length > 1 ? 1 : 0).filter(({ text }) => text).map(({ spot: [x, y], text }, number, all) => ({ x, y, offs: [66, -66, 0], text, kind, least: 23, must: number === all.length - 1 })).reverse();
  }

  // The labels over all else, as large as the zoom wants them.
  tagged() {
    const layer = this.layer("tags");
    layer.replaceChildren();
    const tags = [...this.tags.mark, ...this.tags.plan, ...this.tags.way].map((one) => {
      const size = this.legible(one.least);
      return { offs: [0, one.away * size * 1.5, one.away * size * 3], ...one, size }; // those at vertices side by side step aside
    });
    for (const { x, y, wide, high, text, kind, size } of placed(tags, this.counters)) {
      shape("rect", { x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: 5, class: `tag ${kind}` }, layer);
      shape("text", { x, y: y + size * 0.36, "font-size": size, "text-anchor": "middle", class: `tag ${kind}` }, layer).textContent = text;
    }
  }

  // Hexes outlined, with a word above each: what is wrong there, or a goal; of those with a `vertex` that alone.
  mark(marks) {
    const [layer, frames] = ["marks", "frames"].map((name) => this.layer(name));
    layer.replaceChildren();
    frames.replaceChildren();
    this.tags.mark = [];
    for (const { at, text, kind = "fault", vertex } of marks) {
      const cell = this.cell(at);
      if (!cell) continue;
      if (vertex) { // it is named beside its hex, so that it hides nothing there
        const [x, y] = this.spot(cell, vertex);
        for (const under of [" under", ""]) shape("circle", { cx: x, cy: y, r: 14, class: `outline${under} ${kind}` }, layer);
        this.tags.mark.push({ x: cell.x + ((x - cell.x) * 1.3) / IN, y: cell.y + ((y - cell.y) * 1.3) / IN, away: Math.sign(y - cell.y), text, kind, least: 23, must: true });
        continue;
      }
      const points = cell.group.firstElementChild.getAttribute("points");
      for (const under of [" under", ""]) shape("polygon", { points, class: `outline${under} ${kind}` }, frames); // beneath the counters
      if (text) this.tags.mark.push({ x: cell.x, y: cell.y, offs: [-112, 112, -160, 160], text, kind, least: 26, must: true });
    }
    this.tagged();
  }
}
