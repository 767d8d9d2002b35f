// A game by mail: the verdict on each recorded move, and the game as it was recorded, step by step.

import { ask, uploads } from "./api.js";
import { Board } from "./board.js";
import { shape } from "./drawn.js";
import { showTimeline } from "./replay.js";
import { theme } from "./theme.js";
import { $, amount, button, el, faults, receipt, remaining, Titles } from "./words.js";

const MARKS = { LEGAL: "✓", ILLEGAL: "✗", UNKNOWN: "?" };
const ROOM = 118; // how wide the counters of a hex may lie, in the board's units
const OFF = "-"; // beside the boards
const TURNS = { N: 0, NNE: 30, NE: 60, E: 90, SE: 120, SSE: 150, S: 180, SSW: 210, SW: 240, W: 270, NW: 300, NNW: 330 };

// The steps of all phases in one line; the first shows the units as the first phase begins.
function framesOf(phases) {
  return phases.flatMap((phase, number) => [
    { phase, number, changes: [], title: "as the phase begins" },
    ...phase.replay.steps.map((one) => ({ ...one, phase, number, title: moved(one.changes) })),
  ]);
}

function moved(changes) {
  return changes.map((one) => {
    if (!one.at) return `${one.id} is gone`;
    if (!one.from) return `${one.id} appears in ${one.at}`;
    return one.from === one.at ? `${one.id} in ${one.at}` : `${one.id} ${one.from} to ${one.at}`;
  }).join(", ");
}

// The units after the changes of a step: those that are not seen are known by their side and hex.
function after(units, changes) {
  const is = (one, change) => one.id === change.id && (one.id !== "?" || (one.at === change.from && one.side === change.side));
  const rest = units.filter((one) => !changes.some((change) => is(one, change)));
  return [...rest, ...changes.filter((change) => change.at)];
}

class Replay {
  constructor() {
    this.files = [];
    this.playing = null;
    this.at = 0;
    this.chosen = null;
  }

  async judge() {
    $("#fault").textContent = "";
    if (!this.files.length) return;
    this.playing = null;
    $("#report").replaceChildren("Judging …");
    const eyes = $("#eyes").value;
    try {
      const found = await ask("/referee/judged", { files: await uploads(this.files), viewer: eyes === "*" ? "" : eyes, reveal: eyes === "*" });
      this.show(found);
    } catch (error) {
      $("#report").replaceChildren();
      $("#fault").textContent = error.message;
    }
  }

  show({ answer, grounds, colours, sides }) {
    this.answer = answer;
    this.colours = colours;
    this.sides = sides;
    this.grounds = new Map(grounds.map((one) => [JSON.stringify(one.board), one.svg]));
    this.frames = framesOf(answer.phases);
    this.titles = new Titles(ask, "asl");
    this.chosen = null;
    this.ground = null;
    const eyes = $("#eyes");
    const known = [...eyes.options].map((one) => one.value);
    eyes.append(...Object.keys(sides).filter((side) => !known.includes(side)).map((side) => el("option", { value: side }, `of ${side}`)));
    $("#verdict").hidden = false;
    $("#verdict").textContent = answer.status;
    $("#report").replaceChildren(
      el("ul", { class: "plainlist dim" }, answer.files.map((one) => el("li", {}, `${one.file}: ${one.steps} steps, ${one.link}${one.note ? `: ${one.note}` : ""}`))),
      ...answer.phases.map((phase, number) => this.section(phase, number)),
      el("ul", { class: "plainlist dim" }, answer.notes.map((note) => el("li", {}, note))));
    $("#replaying").hidden = !this.frames.length;
    if (this.frames.length) this.go(0);
  }

  section(phase, number) {
    return el("section", { class: "phase" },
      el("h2", {}, `Turn ${phase.turn}, ${phase.side} ${phase.phase}`),
      el("ol", { class: "log moves" }, phase.moves.map((move) => {
        const who = move.units.map((unit) => (unit.id === unit.called ? unit.id : `${unit.id} (${unit.called})`)).join(", ");
        const item = el("li", { class: move.status === "ILLEGAL" && !move.accepted ? "fault" : "" },
          button(`${MARKS[move.status]} ${move.status}${move.accepted ? " (accepted)" : ""} · ${who}: ${move.way.join(" ")}`, () => this.choose(move, number, item)));
        return item;
      })),
      el("ul", { class: "plainlist dim" }, [...phase.said.map((one) => `step ${one.step}: ${one.text}`), ...phase.notes].map((line) => el("li", {}, line))));
  }

  // Show a move: its recorded way on the map, its reading and its verdict in the list.
  choose(move, number, item) {
    $(".moves li .whole")?.remove();
    this.chosen = move;
    const why = move.violations.length ? faults(move.violations, this.titles) : null;
    item.append(el("div", { class: "whole" },
      el("p", { class: "dim" }, `step ${move.steps.map((one) => (this.answer.files.length > 1 ? `${one.file}:${one.step}` : one.step)).join(", ")}`),
      why,
      move.reasons.length ? el("ul", {}, move.reasons.map((reason) => el("li", {}, reason))) : null,
      move.violations.length && move.nearest ? el("p", {}, `Legal as far as: ${move.nearest}`) : null,
      move.spent.length ? el("p", {}, move.spent.map((one) => `${one.unit}: ${amount(one.spent)} ${one.points} spent, ${remaining(one.left, one.points)}`).join("; ")) : null,
      move.log.length ? el("details", { class: "fold" }, el("summary", {}, "The reading"), el("ol", {}, move.log.map((line) => el("li", {}, line))), move.receipts.map((one) => receipt(one, this.titles))) : null,
      el("ul", { class: "dim" }, move.notes.map((note) => el("li", {}, note)))));
    const last = move.steps.at(-1);
    const at = this.frames.findIndex((frame) => frame.number === number && frame.file === last?.file && frame.step === last?.step);
    this.go(at < 0 ? this.at : at, { keeps: true });
  }

  go(at, { playing = null, keeps = false } = {}) {
    this.at = at;
    this.playing = playing;
    if (!keeps && this.chosen && !this.frames[at].phase.moves.includes(this.chosen)) this.chosen = null;
    this.draw();
    this.head();
  }

  head() {
    const frame = this.frames[this.at];
    const press = frame.file ? `, ${frame.file} step ${frame.step}` : "";
    showTimeline($("#replaying"), {
      step: () => this.at,
      last: () => this.frames.length - 1,
      ends: () => false,
      go: (step, more) => this.go(step, more),
      head: () => this.head(),
      keeper: this,
      said: `: turn ${frame.phase.turn} ${frame.phase.side} ${frame.phase.phase}${press}`,
    });
    $("#said").textContent = frame.title;
  }

  draw() {
    const frame = this.frames[this.at];
    const ground = JSON.stringify(frame.phase.board);
    if (ground !== this.ground) {
      this.board?.close();
      $("#stage").innerHTML = this.grounds.get(ground);
      this.board = new Board($("#board"), this.colours);
      this.board.fit();
      this.board.on("hover", (detail) => detail && ($("#said").textContent = this.board.cell(detail.at).said));
      this.ground = ground;
    }
    let units = frame.phase.replay.start;
    const begin = this.frames.findIndex((one) => one.number === frame.number);
    for (let at = begin; at <= this.at; at += 1) units = after(units, this.frames[at].changes);
    this.counters(units);
    this.board.trail(frame.changes.flatMap((one) => (one.from && one.at && one.from !== one.at ? [one.from, one.at] : [])).slice(0, 2));
    const stops = (this.chosen?.way ?? []).map((name) => ({ at: name, text: "" }));
    this.board.way(stops, this.chosen?.status === "ILLEGAL" ? "barred" : "way");
    this.board.show(frame.changes.map((one) => one.at));
  }

  // Draw each unit as a counter with its name, and the way it points.
  counters(units) {
    const layer = this.board.layer("units");
    layer.replaceChildren();
    const stacks = new Map();
    for (const unit of units) {
      const cell = this.board.cell(unit.at);
      if (cell) stacks.set(cell, [...(stacks.get(cell) ?? []), unit]);
    }
    for (const [cell, stack] of stacks) {
      const across = Math.ceil(Math.sqrt(stack.length));
      const size = ROOM / across;
      stack.forEach((unit, number) => {
        const x = cell.x + ((number % across) - (across - 1) / 2) * size;
        const y = cell.y + (Math.floor(number / across) - (Math.ceil(stack.length / across) - 1) / 2) * size;
        this.counter(layer, unit, x, y, size * 0.94);
      });
    }
    this.board.lettered = null;
    this.board.letter();
    const beside = units.filter((unit) => unit.at === OFF);
    this.board.svg.setAttribute("aria-label", `Board; beside it: ${beside.map((unit) => unit.id).join(", ") || "nothing"}`);
  }

  counter(layer, unit, x, y, size) {
    const { fill, ink } = this.sides[unit.side] ?? { fill: "#888888", ink: "#ffffff" };
    const group = shape("g", { class: "unit", role: "img", "data-unit": unit.id, "data-at": unit.at, "aria-label": [unit.id, unit.called, unit.side, ...unit.states, `in ${unit.at}`].join(", ") }, layer);
    shape("title", {}, group).textContent = [unit.called, ...unit.states].join(", ");
    shape("rect", { x: x - size / 2, y: y - size / 2, width: size, height: size, rx: 4, fill, stroke: "#000000", "stroke-width": 3 }, group);
    if (unit.facing in TURNS) shape("path", { d: `M${-size / 8} ${-size / 2}L0 ${-size * 0.66}L${size / 8} ${-size / 2}Z`, fill: "#ffffff", stroke: "#000000", "stroke-width": 3, transform: `translate(${x} ${y}) rotate(${TURNS[unit.facing]})` }, group);
    const lines = [...unit.called.split(" ").slice(0, 2), ...unit.states.slice(0, 1)];
    lines.forEach((line, number) => {
      const high = Math.min(size / 3.2, (size * 1.6) / Math.max(line.length, 1));
      shape("text", { x, y: y + (number - (lines.length - 1) / 2) * (size / 3.4) + high / 3, "font-size": high.toFixed(1), "text-anchor": "middle", fill: ink, "font-weight": "bold" }, group).textContent = line;
    });
  }
}

theme();
const replay = new Replay();
$("#logs").addEventListener("change", (event) => {
  replay.files = [...event.target.files];
  replay.judge();
});
$("#eyes").addEventListener("change", () => replay.judge());
addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  $("#fault").textContent = event.reason.message;
});
$("#zoom-in").addEventListener("click", () => replay.board?.zoom(1.4));
$("#zoom-out").addEventListener("click", () => replay.board?.zoom(1 / 1.4));
$("#zoom-fit").addEventListener("click", () => replay.board?.fit());
