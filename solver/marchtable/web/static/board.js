// The board: pan, zoom, pointing, keys, and what is drawn over it. It knows hexes and units by name only.

import { raster } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const SLOP = 6; // pixels a pointer may stray in a click
const MANY = 300; // shapes of a ground that is too slow to be drawn anew for each frame
const WIDEST = 4096; // pixels of its bitmap
const REST = 180; // ms after which it is sharp again
const LEGIBLE = 11; // pixels of writing, below which it is not shown
const STRETCH = 1.6; // by how much a hex's name may grow for that
const MIDDLE = 60; // hundredths of a hexside about a hex's middle through which a way is drawn
const TOOLS = 80; // pixels at the right that the buttons over the map take
const CLOSEST = 3; // pixels of the screen to a hundredth of a hexside, at most

export function shape(tag, attributes, parent) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  parent?.append(made);
  return made;
}

// Labels of hexes, the important ones first, each at the first of its places where it covers none before it.
export function placed(tags) {
  const found = [];
  for (const { x, y, offs, text, kind, size, must } of tags) {
    const [wide, high] = [text.length * size * 0.64 + 12, size * 1.5];
    const isFree = (dy) => found.every((one) => Math.abs(one.x - x) >= (one.wide + wide) / 2 || Math.abs(one.y - y - dy) >= (one.high + high) / 2);
    const off = offs.find(isFree) ?? (must ? offs[0] : null);
    if (off !== null) found.push({ x, y: y + off, wide, high, text, kind, size });
  }
  return found;
}

// The hexside of a cell that lies towards a step of doubled coordinates, as a path.
function side({ x, y }, [u, v]) {
  const [dx, dy] = [u * 150, v * 86.6];
  const [px, py] = [-dy / 3.464, dx / 3.464];
  return `M${(x + dx / 2 + px).toFixed(0)} ${(y + dy / 2 + py).toFixed(0)}L${(x + dx / 2 - px).toFixed(0)} ${(y + dy / 2 - py).toFixed(0)}`;
}

export class Board extends EventTarget {
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
    this.pointers = new Map();
    this.tags = { mark: [], plan: [], way: [] }; // labels of what is drawn over the map
    this.gesture = null;
    /** @type {((unit: string) => boolean) | null} */
    this.mayDrag = null; // whether a counter is dragged, and not the map
    this.gone = new AbortController();
    this.listen();
    if (svg.querySelector(".ground").childElementCount > MANY) requestIdleCallback(() => this.still());
    this.cells.values().next().value?.group.setAttribute("tabindex", "0");
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

  // A hex next to it.
  beside(name) {
    const here = this.cell(name);
    return here && this.colours.steps.map(([u, v]) => this.byPlace.get(`${here.u + u},${here.v + v}`)).find(Boolean);
  }

  // Call `does` with the detail of each event of a kind.
  on(kind, does) {
    this.addEventListener(kind, (event) => does(/** @type {CustomEvent} */ (event).detail));
  }

  tell(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }

  // -- pan and zoom

  look(/** @type {number[]} */ view) {
    const [x0, y0, wide, high] = this.whole;
    const least = Math.min(wide, this.wide / CLOSEST);
    let [x, y, w, h] = view;
    const scale = Math.min(Math.max(w, least), wide * 1.6) / w;
    x += (w * (1 - scale)) / 2;
    y += (h * (1 - scale)) / 2;
    w *= scale;
    h *= scale;
    x = Math.min(Math.max(x, x0 - w * 0.6), x0 + wide - w * 0.4);
    y = Math.min(Math.max(y, y0 - h * 0.6), y0 + high - h * 0.4);
    this.view = [x, y, w, h];
    this.moves();
    if (!this.frame)
      this.frame = requestAnimationFrame(() => {
        this.frame = null;
        this.svg.setAttribute("viewBox", this.view.map((part) => part.toFixed(1)).join(" "));
        this.letter();
      });
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
      if (grows > 1) text.setAttribute("font-size", Math.min(wanted, size * grows));
    }
  }

  // While a large board is moved a bitmap of its ground is shown; at rest it is drawn sharp.
  async still() {
    const [x, y, wide, high] = this.whole;
    const copy = shape("svg", { xmlns: SVG, viewBox: this.whole.join(" "), width: wide, height: high, "stroke-linejoin": "round", "stroke-linecap": "round" });
    copy.append(this.svg.querySelector(".ground").cloneNode(true));
    const canvas = await raster(new XMLSerializer().serializeToString(copy), WIDEST);
    canvas?.toBlob((bitmap) => { // without it the ground is drawn each time
      if (!bitmap) return;
      if (this.gone.signal.aborted) return;
      const href = URL.createObjectURL(bitmap);
      this.gone.signal.addEventListener("abort", () => URL.revokeObjectURL(href));
      const image = shape("image", { id: "bitmap", x, y, width: wide, height: high, href, "aria-hidden": "true" });
      this.svg.prepend(image);
      this.hasBitmap = true;
    });
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

  moves() {
    if (!this.hasBitmap) return;
    this.svg.classList.add("moving");
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.svg.classList.remove("moving"), REST);
  }

  // The whole view has the shape of the window, so that zooming and panning are the same everywhere.
  shaped(/** @type {number[]} */ [x, y, w, h]) {
    const box = this.svg.getBoundingClientRect();
    if (!box.width || !box.height) return [x, y, w, h];
    const ratio = box.width / box.height;
    const wide = Math.max(w, h * ratio);
    const high = wide / ratio;
    return [x + (w - wide) / 2, y + (h - high) / 2, wide, high];
  }

  // The window of another size shows the map at the same scale, its hexes where they were on the screen.
  resized() {
    const { box: before } = this;
    const { left, top, width, height } = (this.box = this.svg.getBoundingClientRect());
    if (!before?.width || !width) return this.look(this.shaped(this.view));
    const [x, y, w] = this.view;
    const scale = w / before.width;
    this.look([x + (left - before.left) * scale, y + (top - before.top) * scale, width * scale, height * scale]);
  }

  fit() {
    this.look(this.shaped(this.whole));
  }

  zoom(factor, at) {
    const [x, y, w, h] = this.view;
    const [px, py] = at ?? [x + w / 2, y + h / 2];
    const wide = Math.min(Math.max(w / factor, this.wide / CLOSEST), this.whole[2] * 1.6);
    const by = wide / w;
    this.look([px - (px - x) * by, py - (py - y) * by, wide, h * by]);
  }

  // Show those hexes, with some around; a view that holds them all is left as it is.
  show(names, { margin = 250, least = [0, 0], force = false } = {}) {
    const cells = names.map((name) => this.cell(name)).filter(Boolean);
    if (!cells.length) return;
    const [x, y, w, h] = this.view;
    const tools = Math.max(80, (TOOLS * w) / this.wide);
    const inside = (cell) => cell.x > x + 80 && cell.x < x + w - tools && cell.y > y + 80 && cell.y < y + h - 80;
    if (!force && cells.every(inside)) return;
    const xs = cells.map((cell) => cell.x);
    const ys = cells.map((cell) => cell.y);
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    if (!force && right - left < w - 200 && bottom - top < h - 200) this.look([(left + right - w) / 2, (top + bottom - h) / 2, w, h]);
    else {
      const wide = Math.max(right - left + 2 * margin, least[0]);
      const high = Math.max(bottom - top + 2 * margin, least[1]);
      this.look(this.inside(this.shaped([(left + right - wide) / 2, (top + bottom - high) / 2, wide, high])));
    }
  }

  // A view moved so that it shows the board and no emptiness beside it, as far as it is not larger.
  inside(/** @type {number[]} */ [x, y, w, h]) {
    const [x0, y0, wide, high] = this.whole;
    const within = (from, long, start, whole) => (long >= whole ? start + (whole - long) / 2 : Math.min(Math.max(from, start), start + whole - long));
    return [within(x, w, x0, wide), within(y, h, y0, high), w, h];
  }

  /** @returns {[number, number]} */
  point(event) {
    const matrix = this.svg.getScreenCTM().inverse();
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    return [at.x, at.y];
  }

  under(event) {
    const found = document.elementFromPoint(event.clientX, event.clientY)?.closest(".hex, .unit");
    return found && this.svg.contains(found) ? found : null;
  }

  // The hex under the pointer.
  at(event) {
    return /** @type {any} */ (this.under(event))?.dataset.at;
  }

  listen() {
    const svg = this.svg;
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY / 500), this.point(event));
    }, { passive: false });
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.moved(event));
    svg.addEventListener("pointerup", (event) => this.up(event));
    svg.addEventListener("pointercancel", (event) => this.up(event, true));
    svg.addEventListener("pointerleave", () => this.pointers.size || this.tell("hover", null));
    svg.addEventListener("keydown", (event) => this.key(event));
    svg.addEventListener("focusin", (event) => {
      const group = event.target.closest(".hex, .unit");
      if (!group) return;
      this.rove(group);
      if (this.pointers.size) return; // what is clicked is in sight
      this.show([group.dataset.at]);
      this.tell("hover", { at: group.dataset.at, unit: group.dataset.unit, byKey: true });
    });
    const { signal } = this.gone;
    addEventListener("beforeprint", () => {
      svg.setAttribute("viewBox", this.whole.join(" "));
      for (const text of svg.querySelectorAll("text")) text.style.display = "";
      this.lettered = null;
    }, { signal });
    addEventListener("afterprint", () => this.look(this.view), { signal });
    const resized = new ResizeObserver(() => svg.isConnected && this.resized());
    resized.observe(svg);
    signal.addEventListener("abort", () => resized.disconnect());
  }

  // Another board takes its place: what the window keeps of it is given back.
  close() {
    this.gone.abort();
  }

  down(event) {
    if (event.button) return;
    this.pointers.set(event.pointerId, event);
    if (this.pointers.size > 1) {
      this.gesture = { kind: "pinch" };
      return;
    }
    const on = event.target.closest(".unit");
    this.gesture = { kind: "click", from: this.point(event), start: event, unit: on?.dataset.unit, on: this.under(event) };
  }

  moved(event) {
    if (!this.pointers.has(event.pointerId)) {
      const on = event.target.closest(".hex, .unit");
      const at = on?.dataset.at ?? null;
      if (at !== this.hovered) {
        this.hovered = at;
        this.tell("hover", at ? { at, unit: on.dataset.unit } : null);
      }
      return;
    }
    const before = this.pointers.get(event.pointerId);
    this.pointers.set(event.pointerId, event);
    const gesture = this.gesture;
    if (gesture.kind === "pinch") return this.pinch(event, before);
    if (gesture.kind === "click") {
      if (Math.hypot(event.clientX - gesture.start.clientX, event.clientY - gesture.start.clientY) < SLOP) return;
      gesture.kind = gesture.unit && this.mayDrag?.(gesture.unit) ? "drag" : "pan";
      this.svg.setPointerCapture(event.pointerId);
      if (gesture.kind === "drag") this.tell("take", { unit: gesture.unit });
    }
    if (gesture.kind === "pan") {
      const [x, y] = this.point(event);
      const [vx, vy, w, h] = this.view;
      this.look([vx + gesture.from[0] - x, vy + gesture.from[1] - y, w, h]);
      this.svg.setAttribute("viewBox", this.view.join(" ")); // the next point is told by it
    } else if (gesture.kind === "drag") {
      this.carry(gesture, event);
      const at = this.at(event);
      this.drawn(gesture, at, this.point(event));
      if (at && at !== gesture.at) {
        gesture.at = at;
        this.tell("drag", { unit: gesture.unit, at });
      }
    }
  }

  // Keep the hexes through whose middle a counter is dragged; going back takes the last away.
  drawn(gesture, at, /** @type {number[]} */ [x, y]) {
    const cell = this.cell(at);
    const path = (gesture.path ??= []);
    if (!cell || Math.hypot(cell.x - x, cell.y - y) > MIDDLE || path.at(-1) === cell.at) return;
    const home = gesture.unit && this.cell(this.unit(gesture.unit)?.dataset.at);
    if (cell === home || path.at(-2) === cell.at) path.splice(cell === home ? 0 : -1);
    else path.push(cell.at);
  }

  // A copy of the counter goes with the pointer; the counter itself stays until the move is played.
  carry(gesture, event) {
    if (!gesture.carried) {
      gesture.carried = this.unit(gesture.unit).cloneNode(true);
      gesture.carried.setAttribute("class", "carried");
      for (const name of ["data-unit", "data-at", "tabindex", "role", "aria-label"]) gesture.carried.removeAttribute(name);
      gesture.carried.setAttribute("aria-hidden", "true");
      this.svg.append(gesture.carried);
    }
    const [x, y] = this.point(event);
    gesture.carried.setAttribute("transform", `translate(${x - gesture.from[0]} ${y - gesture.from[1]})`);
  }

  // Two fingers move the board with their middle and zoom about it.
  pinch(event, before) {
    const other = [...this.pointers.values()].find((one) => one.pointerId !== event.pointerId);
    if (!other) return;
    const span = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    const box = this.svg.getBoundingClientRect();
    const [x, y, w, h] = this.view;
    const scale = w / box.width;
    this.look([x - ((event.clientX - before.clientX) / 2) * scale, y - ((event.clientY - before.clientY) / 2) * scale, w, h]);
    const middle = [(event.clientX + other.clientX) / 2 - box.x, (event.clientY + other.clientY) / 2 - box.y];
    this.zoom(span(event) / Math.max(span(before), 1), [this.view[0] + middle[0] * scale, this.view[1] + middle[1] * scale]);
  }

  up(event, cancelled = false) {
    if (!this.pointers.delete(event.pointerId)) return;
    const gesture = this.gesture;
    gesture?.carried?.remove();
    if (this.pointers.size) return;
    this.gesture = null;
    if (cancelled || !gesture) return;
    if (gesture.kind === "drag") this.tell("drop", { unit: gesture.unit, at: this.at(event), path: gesture.path ?? [] });
    else if (gesture.kind === "click" && gesture.on) this.pick(gesture.on);
    else if (gesture.kind === "click") this.tell("nothing");
  }

  pick(group) {
    this.rove(group);
    this.tell("pick", { at: group.dataset.at, unit: group.dataset.unit });
  }

  rove(group) {
    const kind = group.classList.contains("unit") ? ".unit" : ".hex";
    for (const one of this.svg.querySelectorAll(`${kind}[tabindex="0"]`)) one.setAttribute("tabindex", "-1");
    group.setAttribute("tabindex", "0");
  }

  key(event) {
    const group = event.target.closest(".hex, .unit");
    if (!group || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.pick(group);
      return;
    }
    const here = this.cell(group.dataset.at);
    const [north, northEast, southEast, south, southWest, northWest] = this.colours.steps;
    // A row of hexes is a zigzag: going sideways, every other step goes down.
    const even = here.u % 2 === 0;
    const step = { ArrowUp: north, ArrowDown: south, ArrowRight: even ? southEast : northEast, ArrowLeft: even ? southWest : northWest }[event.key];
    if (!step) return;
    event.preventDefault();
    const other = { ArrowRight: even ? northEast : southEast, ArrowLeft: even ? northWest : southWest }[event.key];
    const there = (by) => by && this.byPlace.get(`${here.u + by[0]},${here.v + by[1]}`);
    const next = there(step) ?? there(other);
    if (next) next.group.focus({ preventScroll: true });
  }

  // -- what is drawn over it

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
    for (const { at, text } of stops) {
      const cell = this.cell(at);
      if (!cell) continue;
      const last = found.at(-1);
      if (last?.cell === cell) last.text = text || last.text;
      else found.push({ cell, text });
    }
    if (found.length > 1) {
      const ends = found.map(({ cell }) => [cell.x, cell.y]);
      const [bx, by] = ends.at(-1);
      const [ax, ay] = ends.at(-2);
      const tip = [bx - (bx - ax) * 0.3, by - (by - ay) * 0.3];
      const neck = [bx - (bx - ax) * 0.48, by - (by - ay) * 0.48];
      const across = [-(tip[1] - neck[1]) * 0.6, (tip[0] - neck[0]) * 0.6];
      const line = [...ends.slice(0, -1), neck].map((end) => end.join(",")).join(" ");
      const head = [tip, [neck[0] + across[0], neck[1] + across[1]], [neck[0] - across[0], neck[1] - across[1]]].map((end) => end.join(",")).join(" ");
      for (const under of ["under ", ""]) {
        shape("polyline", { points: line, class: `${under}route ${kind}` }, layer);
        shape("polygon", { points: head, class: `${under}route head ${kind}` }, layer);
      }
    }
    return found.slice(found.length > 1 ? 1 : 0).filter(({ text }) => text).map(({ cell, text }, number, all) => ({ x: cell.x, y: cell.y, offs: [66, -66, 0], text, kind, least: 23, must: number === all.length - 1 })).reverse();
  }

  // The labels over all else, as large as the zoom wants them.
  tagged() {
    const layer = this.layer("tags");
    layer.replaceChildren();
    const tags = [...this.tags.mark, ...this.tags.plan, ...this.tags.way].map((one) => ({ ...one, size: this.legible(one.least) }));
    for (const { x, y, wide, high, text, kind, size } of placed(tags)) {
      shape("rect", { x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: 5, class: `tag ${kind}` }, layer);
      shape("text", { x, y: y + size * 0.36, "font-size": size, "text-anchor": "middle", class: `tag ${kind}` }, layer).textContent = text;
    }
  }

  // Hexes outlined, with a word above each: what is wrong there, or a goal.
  mark(marks) {
    const layer = this.layer("marks");
    layer.replaceChildren();
    this.tags.mark = [];
    for (const { at, text, kind = "fault" } of marks) {
      const cell = this.cell(at);
      if (!cell) continue;
      const points = cell.group.firstElementChild.getAttribute("points");
      shape("polygon", { points, class: `outline under ${kind}` }, layer);
      shape("polygon", { points, class: `outline ${kind}` }, layer);
      if (text) this.tags.mark.push({ x: cell.x, y: cell.y, offs: [-92, 92], text, kind, least: 26, must: true });
    }
    this.tagged();
  }
}
