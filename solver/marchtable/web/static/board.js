// The board: pan, zoom, pointing and keys.

import { Drawn, shape, SVG } from "./drawn.js";
import { $, raster } from "./words.js";

const SLOP = 6; // pixels a pointer may stray in a click
const MANY = 300; // shapes of a ground that is too slow to be drawn anew for each frame
const WIDEST = 4096; // pixels of its bitmap
const REST = 180; // ms after which it is sharp again
const MIDDLE = 60; // hundredths of a hexside about a hex's middle through which a way is drawn
const TOOLS = 80; // pixels at the right that the buttons over the map take
const CLOSEST = 3; // pixels of the screen to a hundredth of a hexside, at most

export class Board extends Drawn {
  constructor(svg, colours) {
    super(svg, colours);
    this.pointers = new Map();
    this.gesture = null;
    /** @type {((unit: string) => boolean) | null} */
    this.mayDrag = null; // whether a counter is dragged, and not the map
    this.gone = new AbortController();
    this.listen();
    if (svg.querySelector(".ground").childElementCount > MANY) requestIdleCallback(() => this.still());
    this.cells.values().next().value?.group.setAttribute("tabindex", "0");
  }

  // Call `does` with the detail of each event of a kind.
  on(kind, does) {
    this.addEventListener(kind, (event) => does(/** @type {CustomEvent} */ (event).detail));
  }

  emit(kind, detail) {
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

  // Whether the view is that of the whole board.
  isFit() {
    return this.shaped(this.whole).every((part, at) => Math.abs(part - this.view[at]) < 1);
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
    const under = force ? 0 : (($(".notes")?.offsetHeight ?? 0) * w) / this.wide; // what the notes over the map cover
    const inside = (cell) => cell.x > x + 80 && cell.x < x + w - tools && cell.y > y + 80 && cell.y < y + h - 80 - under;
    if (!force && cells.every(inside)) return;
    const xs = cells.map((cell) => cell.x);
    const ys = cells.map((cell) => cell.y);
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    if (!force && right - left < w - 200 && bottom - top < h - under - 200) this.look(this.inside([(left + right - w) / 2, (top + bottom - h + under) / 2, w, h], under));
    else {
      const wide = Math.max(right - left + 2 * margin, least[0]);
      const high = Math.max(bottom - top + 2 * margin, least[1]);
      this.look(this.inside(this.shaped([(left + right - wide) / 2, (top + bottom - high) / 2, wide, high])));
    }
  }

  // A view moved so that it shows the board and no emptiness beside it but for the tools, and under the notes, as far as it is not larger.
  inside(/** @type {number[]} */ [x, y, w, h], under = 0) {
    const [x0, y0, wide, high] = this.whole;
    const within = (from, long, start, whole) => (long >= whole ? start + (whole - long) / 2 : Math.min(Math.max(from, start), start + whole - long));
    return [within(x, w, x0, wide + (TOOLS * w) / this.wide), within(y, h, y0, high + under), w, h];
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
    svg.addEventListener("pointerleave", () => this.pointers.size || this.emit("hover", null));
    svg.addEventListener("keydown", (event) => this.key(event));
    svg.addEventListener("focusin", (event) => {
      const group = event.target.closest(".hex, .unit");
      if (!group) return;
      this.rove(group);
      if (this.pointers.size) return; // what is clicked is in sight
      this.show([group.dataset.at]);
      this.emit("hover", { at: group.dataset.at, unit: group.dataset.unit, byKey: true });
    });
    const { signal } = this.gone;
    addEventListener("beforeprint", () => {
      svg.setAttribute("viewBox", this.whole.join(" "));
      for (const text of svg.querySelectorAll("text, #links rect")) text.style.display = "";
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
        this.emit("hover", at ? { at, unit: on.dataset.unit } : null);
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
      if (gesture.kind === "drag") this.emit("take", { unit: gesture.unit });
    }
    if (gesture.kind === "pan") {
      const [x, y] = this.point(event);
      const [vx, vy, w, h] = this.view;
      this.look([vx + gesture.from[0] - x, vy + gesture.from[1] - y, w, h]);
      this.svg.setAttribute("viewBox", this.view.join(" ")); // the next point is computed from it
    } else if (gesture.kind === "drag") {
      this.carry(gesture, event);
      const at = this.at(event);
      this.drawn(gesture, at, this.point(event));
      if (at && at !== gesture.at) {
        gesture.at = at;
        this.emit("drag", { unit: gesture.unit, at });
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
    if (gesture.kind === "drag") this.emit("drop", { unit: gesture.unit, at: this.at(event), path: gesture.path ?? [] });
    else if (gesture.kind === "click" && gesture.on) this.pick(gesture.on);
    else if (gesture.kind === "click") this.emit("nothing");
  }

  pick(group) {
    this.rove(group);
    this.emit("pick", { at: group.dataset.at, unit: group.dataset.unit });
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
}
