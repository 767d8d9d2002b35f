// Units put down on a board that was laid, so that it can be played on.

import { ask, get } from "./api.js";
import { button, el } from "./words.js";

// What else a unit has: words like facing=E, aboard=truck-1, status.broken, height=2.
function fields(words) {
  const found = {};
  for (const word of words.split(/\s+/).filter(Boolean)) {
    const [path, value = "true"] = word.split("=");
    const parts = path.split(".");
    const last = parts.pop();
    const record = parts.reduce((inner, name) => (inner[name] ??= {}), found);
    record[last] = /^(true|false|-?\d+(\.\d+)?)$/.test(value) ? JSON.parse(value) : value;
  }
  return found;
}

// Those words of a unit again.
const words = ({ id, side, type, at, ...rest }) => flat(rest).join(" ");
const flat = (record, before = "") => Object.entries(record).flatMap(([name, value]) =>
  value === true ? before + name : typeof value === "object" ? flat(value, `${before}${name}.`) : `${before}${name}=${value}`);

// What is wrong with the units: which, and which word, instead of a place in a file.
function told(error, units) {
  const [, number, field] = error.answer?.error?.field?.match(/^units\[(\d+)\]\.?(.*)$/) ?? [];
  const unit = units[number];
  return unit ? `${unit.id} in ${unit.at}: ${error.said}${field ? ` (${field})` : ""}` : error.message;
}

export class SetUp {
  constructor(place, fault) {
    this.place = place;
    this.fault = fault;
    this.units = [];
    this.drawing = Promise.resolve();
    this.chosen = {};
    this.kinds = this.kind = this.board = this.found = null;
    this.isOpen = false;
  }

  // The board to put them on; none if it was taken away.
  async on(board, found) {
    this.board = board;
    this.found = found;
    this.isOpen = this.isOpen && Boolean(board);
    return this.draw((units) => {
      const left = units.filter((one) => this.board?.cell(one.at));
      return left.length < units.length ? left : units;
    });
  }

  get scene() {
    const { kind, found } = this;
    return { format: "marchtable/scene/2", name: `Board ${found.name}`.slice(0, 60), rulebook: kind.rulebook, board: found.board, side: this.chosen.mover, phase: this.chosen.phase, units: this.units };
  }

  async open() {
    try {
      this.kinds ??= await get("/boards/kinds");
      this.isOpen = true;
      this.choose(this.kinds[0].rulebook);
    } catch (error) {
      this.fault.textContent = error.message;
    }
  }

  choose(rulebook) {
    this.kind = this.kinds.find((one) => one.rulebook === rulebook);
    const [side = "blue"] = this.kind.sides;
    this.chosen = { side, mover: side, type: "", more: "", phase: this.kind.phase };
    this.draw(() => []);
  }

  // A hex was clicked: the unit goes there. False if nothing is being set up.
  put(at) {
    const { type, side, more } = this.chosen;
    if (!this.isOpen || !type) return false;
    const word = type.replaceAll(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "").toLowerCase();
    this.draw((units) => {
      let number = 1;
      while (units.some((one) => one.id === `${word}-${number}`)) number += 1;
      return [...units, { id: `${word}-${number}`, side, type, at, ...fields(more) }];
    });
    return true;
  }

  // Have a unit have other words.
  change(unit, text) {
    const { id, side, type, at } = unit;
    this.draw((units) => units.map((one) => (one.id === id ? { id, side, type, at, ...fields(text) } : one)));
  }

  // Change the units, one change after the other: each is of what the one before has left.
  draw(change) {
    this.drawing = this.drawing.then(() => this.drawn(change));
    return this.drawing;
  }

  // Have the server look at them: what it refuses is not put down.
  async drawn(change) {
    const { board, units: before } = this;
    const units = change(before);
    this.fault.textContent = "";
    this.units = units;
    try {
      const { pieces, links } = board && units.length ? await ask("/boards/set-up", { scene: this.scene }) : { pieces: "", links: "" };
      if (board === this.board) board?.pieces(pieces, links);
    } catch (error) {
      this.units = before === units ? [] : before;
      this.fault.textContent = told(error, units);
    }
    this.show();
  }

  async play() {
    try {
      const game = await ask("/api/games", { scene: this.scene });
      location.assign(`/games/${game.game}`);
    } catch (error) {
      this.fault.textContent = error.message;
    }
  }

  show() {
    if (!this.board) return this.place.replaceChildren();
    if (!this.isOpen) return this.place.replaceChildren(button("Put units on it and play …", () => this.open(), { id: "begin-set-up" }));
    const { kind, chosen } = this;
    const field = (name, more = {}) => el("input", { id: `set-${name}`, value: chosen[name], size: 9, onchange: (event) => { chosen[name] = event.target.value.trim(); }, ...more });
    this.place.replaceChildren(el("div", { class: "card next" },
      el("h2", {}, "Set up a game"),
      el("div", { class: "row" },
        el("label", {}, "Rules ", el("select", { id: "set-rulebook", onchange: (event) => this.choose(event.target.value) }, this.kinds.map((one) => el("option", { selected: one === kind }, one.rulebook)))),
        el("label", {}, "to move ", field("mover", { list: "sides" })),
        el("label", {}, "phase ", el("select", { id: "set-phase", onchange: (event) => { chosen.phase = event.target.value; } }, kind.phases.map((one) => el("option", { selected: one === chosen.phase }, one))))),
      el("div", { class: "row" },
        el("label", {}, "Unit ", field("type", { list: "types", size: 14, placeholder: "type", oninput: (event) => { chosen.type = event.target.value.trim(); } })),
        el("label", {}, "of ", field("side", { list: "sides" })),
        el("label", {}, "with ", field("more", { size: 18, placeholder: "facing=E broken …" }))),
      el("datalist", { id: "types" }, kind.types.map((one) => el("option", { value: one.name }, one.text))),
      el("datalist", { id: "sides" }, kind.sides.map((one) => el("option", { value: one }))),
      el("p", { class: "aside-note" }, "Choose a type, then click hexes: each click places one unit. Add fields as in scenes, such as broken, pinned, facing=E or aboard=truck-1. You can change them in the list."),
      this.units.length ? el("ul", { class: "plainlist", id: "set-units" }, this.units.map((unit) =>
        el("li", { class: "row" }, el("span", { class: "grow" }, `${unit.id}, ${unit.side}, ${unit.at}`),
          el("input", { value: words(unit), size: 14, "aria-label": `${unit.id}: what else it has`, onchange: (event) => this.change(unit, event.target.value) }),
          button("×", () => this.draw((units) => units.filter((one) => one.id !== unit.id)), { "aria-label": `Take ${unit.id} away` })))) : null,
      el("div", { class: "row" },
        button("Play", () => this.play(), { class: "primary", id: "play-set-up", disabled: !this.units.length }),
        button("Leave off", () => { this.isOpen = false; this.draw(() => []); }))));
  }
}
