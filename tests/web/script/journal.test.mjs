// The log in words.

import assert from "node:assert/strict";
import { test } from "node:test";
import { buttons, read } from "./dom.mjs";

const { lately } = await import("../../../solver/marchtable/web/static/follow.js");
const { inLine, journalPanel, stepsSaid } = await import("../../../solver/marchtable/web/static/journal.js");

const entry = (text, units = [], effects = []) => ({ entry: text, verdict: { receipts: units.map((unit) => ({ unit })), effects } });
const convoy = (unit, value) => ({ unit, field: "convoy", value });

test("a line ends its move as it was then: of those of its last Impulse who nothing parted from it", () => {
  const log = [entry("impulse a stay,stay,stay,stay", ["a", "b", "c", "d"])];
  assert.deepEqual(inLine(log, "b"), ["a", "c", "d"]);
  log.push(entry("result b immobilized", [], [convoy("b", ""), convoy("a", "v"), convoy("a", ""), convoy("c", "v.2"), convoy("d", "v.2")]));
  assert.deepEqual(inLine(log, "c"), ["d"]);
  assert.deepEqual(inLine(log, "a"), []);
  assert.deepEqual(inLine(log, "b"), []);
});

test("who made no Impulse ends its move alone, whatever line it joins later", () => {
  assert.deepEqual(inLine([entry("start t", ["t"]), { entry: null, verdict: null }], "t"), []);
});

test("an entry that begins a phase is the head of what is played in it, with its turn and side", () => {
  const log = [entry("enter a B1", ["a"]), entry("phase MPh side=russian"), { entry: null, moves: [{ side: "german", from: "A1", to: "A2", unit: null }] }];
  const phases = [{ step: 0, turn: 1, side: "german", phase: "RPh" }, { step: 2, turn: 2, side: "russian", phase: "MPh" }];
  assert.deepEqual(stepsSaid({ seen: { info: { log, phases } } }), ["a: Enter B1", "Turn 2, russian, MPh Phase", "A concealed german unit moves from A1 to A2"]);
});

test("a step of which a side knows nothing has no line", () => {
  const info = { branches: ["main"], step: 2, log: [{ entry: "enter a B1", verdict: null }, { entry: null, moves: [], verdict: null }], phases: [{ step: 0, turn: 1, side: "german", phase: "MPh" }] };
  const panel = journalPanel({ step: 2, hasHidden: true, titles: { of: () => "" }, seen: { info } });
  assert.deepEqual(buttons(panel).filter((one) => !["Replay"].includes(one)).length, 2, "the beginning, and what a did");
  assert.doesNotMatch(read(panel), /hidden/i);
  assert.equal(lately({ seen: { info: { ...info, back: 1 } }, board: { cell: () => undefined } }), "what was played last");
});
