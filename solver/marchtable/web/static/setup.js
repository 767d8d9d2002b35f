// A set-up: units put on a board from a palette or a tray, moved, turned and marked, so that it can be played.

import { ask, get } from "./api.js";
import { comeBack } from "./bring.js";
import { carried } from "./carry.js";
import { button, el } from "./words.js";

const FACINGS = [["NNW", "↖"], ["NNE", "↗"], ["W", "←"], ["E", "→"], ["SSW", "↙"], ["SSE", "↘"]];

// What else a unit has: words like facing=E, aboard=truck-1, status.broken, height=2.
function fields(words) {
  const found = {};
  for (const word of words.split(/\s+/).filter(Boolean)) {
    const [path, value = "true"] = word.split("=");
    const parts = path.split(".");
    const last = parts.pop();
    const record = parts.reduce((inner, name) => (inner[name] ??= {}), found);
    record[last] = /^(true|false|-?\d+(\.\d+)?)$/.test(value) || /^[[{]/.test(value) ? JSON.parse(value) : value;
  }
  return found;
}

// Those words of a unit again.
const words = ({ id, side, type, at, ...rest }) => flat(rest).join(" ");
const flat = (record, before = "") => Object.entries(record).flatMap(([name, value]) =>
  value === true ? before + name : Array.isArray(value) ? `${before}${name}=${JSON.stringify(value)}` : typeof value === "object" ? flat(value, `${before}${name}.`) : `${before}${name}=${value}`);

const isOn = (unit) => Boolean(unit.at) && unit.at !== "-";

// What is wrong with the units: which, and which word, instead of a place in a file.
function unitOptions(error, units) {
  const [, number, field] = error.answer?.error?.field?.match(/^units\[(\d+)\]\.?(.*)$/) ?? [];
  const unit = units[number];
  return unit ? `${unit.id}${isOn(unit) ? ` in ${unit.at}` : ""}: ${error.said}${field ? ` (${field})` : ""}` : error.message;
}

export class SetUp {
  constructor(place, fault) {
    this.place = place;
    this.fault = fault;
    this.base = {}; // what the scene has beside its units, rulebook, board, side and phase
    this.units = [];
    this.used = []; // types on the palette, each with its side
    this.drawing = Promise.resolve();
    this.chosen = {};
    this.picked = null; // the id of the unit that is changed
    this.kinds = this.kind = this.board = this.found = null;
    this.isOpen = false;
  }

  // The board to put them on; none if it was taken away.
  async on(board, found) {
    this.board = board;
    this.found = found;
    this.isOpen = this.isOpen && Boolean(board);
    if (board) {
      board.mayDrag = () => this.isOpen;
      board.on("drop", ({ unit, at }) => this.move(unit, at));
    }
    return this.draw((units) => {
      const left = units.filter((one) => !isOn(one) || this.board?.cell(one.at));
      return left.length < units.length ? left : units;
    });
  }

  get scene() {
    const { kind, found, base } = this;
    return { name: `Board ${found.name}`.slice(0, 60), ...base, format: "marchtable/scene/2", rulebook: kind.rulebook, board: found.board, side: this.chosen.mover, phase: this.chosen.phase, units: this.units };
  }

  get unit() {
    return this.units.find((one) => one.id === this.picked);
  }

  async open() {
    try {
      this.kinds ??= await get("/boards/kinds");
      this.isOpen = true;
      this.choose(this.kinds[0].rulebook);
      this.drawing.then(() => this.place.scrollIntoView());
    } catch (error) {
      this.fault.textContent = error.message;
    }
  }

  // Change the set-up of a scene whose board is shown.
  async take({ rulebook, side, phase, units, board, ...base }) {
    await this.open();
    this.kind = this.kinds.find((one) => one.rulebook === rulebook);
    this.base = base;
    this.chosen = { ...this.chosen, side, mover: side, phase };
    await this.draw(() => units);
  }

  choose(rulebook) {
    this.kind = this.kinds.find((one) => one.rulebook === rulebook);
    const [side = "blue"] = this.kind.sides;
    this.base = {};
    this.used = [];
    this.picked = null;
    this.chosen = { side, mover: side, type: "", more: "", phase: this.kind.phase };
    this.draw(() => []);
  }

  // A hex was clicked, or its counter. The unit that waits for a place goes there, a unit of the
  // chosen type is put there, or who stands there is picked. False if nothing is being set up.
  click(at, unit) {
    if (!this.isOpen) return false;
    if (this.unit && !isOn(this.unit)) this.move(this.unit.id, at);
    else if (this.chosen.type) this.put(at);
    else if (unit) this.pick(unit);
    else if (this.unit) this.move(this.unit.id, at);
    else return false;
    return true;
  }

  pick(unit) {
    this.picked = unit;
    this.chosen.type = "";
    this.board?.select(unit);
    this.show();
  }

  put(at, { type, side } = this.chosen) {
    const word = type.replaceAll(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "").toLowerCase();
    if (!this.used.some((one) => one.type === type && one.side === side)) this.used.push({ type, side });
    if (this.kind.counters.includes(type)) return this.lay((there) => [...there, { kind: type, at, ...this.counted(side) }]);
    this.draw((units) => {
      let number = 1;
      while (units.some((one) => one.id === `${word}-${number}`)) number += 1;
      return [...units, { id: `${word}-${number}`, side, type, at, ...fields(this.chosen.more) }];
    });
  }

  // What a counter has beside its kind and hex: who hides it is the side that is set.
  counted(side) {
    const more = fields(this.chosen.more);
    return more.hidden === true ? { ...more, hidden: side } : more;
  }

  // Change the counters that are no units: Wire, mines, foxholes.
  lay(change) {
    const { base } = this;
    this.base = { ...base, counters: change(base.counters ?? []) };
    return this.draw((units) => [...units], () => { this.base = base; });
  }

  // Have a unit have other fields.
  alter(id, change) {
    return this.draw((units) => units.map((one) => (one.id === id ? change(one) : one)));
  }

  move(id, at) {
    const hex = at && this.board?.cell(at)?.at;
    return hex && this.alter(id, ({ entering, exited, ...one }) => ({ ...one, at: hex })); // it waits for nothing off the map
  }

  change(unit, text) {
    const { id, side, type, at } = unit;
    return this.alter(id, () => ({ id, side, type, at, ...fields(text) }));
  }

  // Change the units, one change after the other: each is of what the one before has left.
  draw(change, undo = () => {}) {
    this.drawing = this.drawing.then(() => this.drawn(change, undo));
    return this.drawing;
  }

  // Have the server look at them: what it refuses is not put down. Who lacks a facing gets one, which
  // the buttons then change.
  async drawn(change, undo = () => {}) {
    const { board, units: before } = this;
    const units = change(before);
    this.fault.textContent = "";
    this.units = units;
    try {
      const { pieces, links } = board && (units.length || this.base.counters?.length) ? await ask("/boards/set-up", { scene: this.scene }) : { pieces: "", links: "" };
      if (board === this.board) board?.pieces(pieces, links);
      if (this.unit) board?.select(this.picked);
    } catch (error) {
      this.units = before === units ? [] : before;
      undo();
      const lacks = units[Number(error.answer?.error?.field?.match(/^units\[(\d+)\]\.facing$/)?.[1])];
      if (lacks && !lacks.facing) return this.drawn(() => units.map((one) => (one === lacks ? { ...one, facing: "E" } : one)));
      this.fault.textContent = unitOptions(error, units);
    }
    this.show();
  }

  async play() {
    try {
      const { scene } = this;
      const game = await ask("/api/games", { scene });
      comeBack(scene);
      location.assign(`/games/${game.game}`);
    } catch (error) {
      this.fault.textContent = error.message;
    }
  }

  show() {
    if (!this.board) return this.place.replaceChildren();
    if (!this.isOpen) return this.place.replaceChildren(button("Put units on it and play …", () => this.open(), { id: "begin-set-up" }));
    const { kind, chosen } = this;
    const held = /** @type {any} */ (document.activeElement)?.id;
    const field = (name, more = {}) => el("input", { id: `set-${name}`, value: chosen[name], size: 9, onchange: (event) => { chosen[name] = event.target.value.trim(); }, ...more });
    this.place.replaceChildren(el("div", { class: "card next" },
      el("h2", {}, "Set up a game"),
      el("div", { class: "row" },
        el("label", {}, "Rules ", el("select", { id: "set-rulebook", onchange: (event) => this.choose(event.target.value) }, this.kinds.map((one) => el("option", { selected: one === kind }, one.rulebook)))),
        el("label", {}, "to move ", field("mover", { list: "sides" })),
        el("label", {}, "phase ", el("select", { id: "set-phase", onchange: (event) => { chosen.phase = event.target.value; } }, kind.phases.map((one) => el("option", { selected: one === chosen.phase }, one))))),
      el("div", { class: "row" },
        el("label", {}, "Unit ", field("type", { list: "types", size: 14, placeholder: "type", oninput: (event) => { chosen.type = event.target.value.trim(); this.picked = null; } })),
        el("label", {}, "of ", field("side", { list: "sides" })),
        el("label", {}, "with ", field("more", { size: 18, placeholder: "broken, hidden …" }))),
      el("datalist", { id: "types" }, [...kind.types, ...kind.counters.map((name) => ({ name }))].map((one) => el("option", { value: one.name }, one.text ?? "counter"))),
      el("datalist", { id: "sides" }, kind.sides.map((one) => el("option", { value: one }))),
      this.palette(),
      el("p", { class: "aside-note" }, chosen.type ? [`Click hexes: each click places one ${chosen.type}. `, button("Stop placing", () => { chosen.type = ""; this.show(); }, { id: "stop-placing" })] : "Choose a type of unit or counter (wire, minefield …), then click hexes. Drag counters to move them; click one to turn or mark it."),
      this.tray(),
      this.unit ? this.handles(this.unit) : null,
      this.listed(),
      el("div", { class: "row" },
        button("Play", () => this.play(), { class: "primary", id: "play-set-up", disabled: !this.units.length }),
        button("Leave off", () => { this.isOpen = false; this.draw(() => []); }))));
    if (held) document.getElementById(held)?.focus();
  }

  // The types used so far, to be chosen again or dragged onto the map.
  palette() {
    return this.used.length ? el("div", { class: "row", id: "palette", role: "group", "aria-label": "Types used so far" }, this.used.map((one) => {
      const made = button(`${one.type} (${one.side})`, () => {
        Object.assign(this.chosen, one);
        this.picked = null;
        this.show();
      }, { class: "grab", "aria-pressed": String(this.chosen.type === one.type && this.chosen.side === one.side) });
      carried(made, () => this.board, () => el("strong", {}, one.type), (at) => this.put(at, one));
      return made;
    })) : null;
  }

  // Units with no hex yet: dragged onto the map, or picked and placed by a click.
  tray() {
    const away = this.units.filter((one) => !isOn(one));
    return away.length ? el("details", { class: "fold", id: "set-tray", open: true }, el("summary", {}, `Off the map (${away.length})`),
      el("div", { class: "row" }, away.map((one) => {
        const made = button(`${one.id} (${one.type})`, () => this.pick(one.id), { class: "grab", "data-tray": one.id, "aria-pressed": String(one.id === this.picked) });
        carried(made, () => this.board, () => el("strong", {}, one.id), (at) => this.move(one.id, at));
        return made;
      }))) : null;
  }

  // What can be done to the unit that is picked.
  handles(unit) {
    const set = unit.facing ? FACINGS : [];
    const flags = new Set(flat(unit));
    return el("div", { class: "card", id: "handles" },
      el("h2", {}, unit.id, el("span", { class: "left" }, isOn(unit) ? unit.at : "click its hex")),
      el("p", { class: "aside-note" }, `${unit.side} · ${unit.type}`),
      set.length ? el("div", { class: "facings", role: "group", "aria-label": `Facing of ${unit.id}` }, set.map(([name, sign]) =>
        button(sign, () => this.alter(unit.id, (one) => ({ ...one, facing: name })), { id: `face-${name}`, "aria-label": `Face ${name}`, title: name, "aria-pressed": String(unit.facing === name) }))) : null,
      el("div", { class: "row" },
        el("label", {}, "Mark ", el("select", { id: "set-flag", onchange: ({ target }) => target.value && this.change(unit, `${words(unit)} ${target.value}`) },
          el("option", { value: "" }, "…"), this.kind.flags.filter((name) => !flags.has(name)).map((name) => el("option", { value: name }, name.split(".").pop().replaceAll("_", " "))))),
        this.kind.flags.filter((name) => flags.has(name)).map((name) => button(`${name.split(".").pop().replaceAll("_", " ")} ×`, () => this.change(unit, words(unit).split(" ").filter((word) => word !== name).join(" ")), { "aria-label": `No longer ${name}` }))),
      el("div", { class: "row" },
        button("Another like it", () => { Object.assign(this.chosen, { type: unit.type, side: unit.side, more: words(unit) }); this.picked = null; this.show(); }),
        isOn(unit) ? button("Off the map", () => this.alter(unit.id, (one) => ({ ...one, at: "-" }))) : null,
        button("Done", () => { this.picked = null; this.board.select(null); this.show(); })));
  }

  listed() {
    const { counters = [] } = this.base;
    return [counters.length ? el("ul", { class: "plainlist", id: "set-counters" }, counters.map((one, number) => el("li", { class: "row" },
      el("span", { class: "grow" }, `${one.kind} in ${one.at}${one.hidden ? `, hidden by ${one.hidden}` : ""}`),
      button("×", () => this.lay((there) => there.filter((_, at) => at !== number)), { "aria-label": `Take ${one.kind} in ${one.at} away` })))) : null, this.units.length ? el("ul", { class: "plainlist", id: "set-units" }, this.units.map((unit) =>
      el("li", { class: "row" }, button(unit.id, () => this.pick(unit.id), { class: "plain" }), el("span", { class: "grow dim" }, `${unit.side}, ${isOn(unit) ? unit.at : "off the map"}`),
        el("input", { value: words(unit), size: 10, "aria-label": `${unit.id}: what else it has`, onchange: (event) => this.change(unit, event.target.value) }),
        button("×", () => this.draw((units) => units.filter((one) => one.id !== unit.id)), { "aria-label": `Take ${unit.id} away` })))) : null];
  }
}
