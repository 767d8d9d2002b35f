// Sentences of the text commands.

import assert from "node:assert/strict";
import { test } from "node:test";
import { barredSaid, crowd, judged, list, nearest } from "../../../solver/marchtable/web/static/sentences.js";

const titles = { of: (id) => `title of ${id}` };
const none = { violations: [], unsupported: [], receipts: [], slack: [], effects: [], exceptions: [], obligations: [], stopped: null };

test("words are listed, and the nearest name is found", () => {
  assert.equal(list(["a", "b", "c"]), "a, b and c");
  assert.equal(list([]), "");
  assert.equal(nearest("movee", ["who", "move"]), "move");
  assert.equal(nearest("xyzzy", ["who", "move"]), null);
});

test("what is legal names each charge with its clause, once for all that pay it", () => {
  const charges = [{ amount: 0.5, note: "road hexside", clause: "B3.4b" }];
  const receipts = ["lead", "second"].map((unit) => ({ step: 0, unit, points: "MP", amount: 0.5, charges }));
  const slack = [{ unit: "lead", points: "MP", left: 27.5 }];
  assert.deepEqual(judged("Go", { ...none, status: "LEGAL", receipts, slack }, titles, "lead"), [
    "Go: legal.", "lead and second pay 0.5 MP each: 0.5 for road hexside (B3.4b).", "lead has 27.5 MP left.",
  ]);
});

test("a figure is given with the parts that make it, without those that are 0", () => {
  const parts = [{ amount: 4, note: "base MF", clause: "A4.11a" }, { amount: 1, note: "road bonus", clause: "B3.4c" }, { amount: 0, note: "CX", clause: "A4.51" }];
  const details = [{ what: "MF that r4 has then", value: 5, parts, outcomes: [] }, { what: "row", value: "5-6", parts: [], outcomes: [] }];
  assert.deepEqual(judged("Go", { ...none, status: "LEGAL", receipts: [], slack: [], details }, titles, "r4"), [
    "Go: legal.", "MF that r4 has then: 5 = 4 base MF (A4.11a) + 1 road bonus (B3.4c).", "Row: 5-6.",
  ]);
});

test("what is not legal names every clause, and another unit that breaks it", () => {
  const violations = [{ reason: "its MPh is over", clause: "A4.2a", units: ["truck"] }];
  assert.deepEqual(judged("Go", { ...none, status: "ILLEGAL", violations }, titles, "sq"), ["Go: not allowed.", "truck: Its MPh is over (A4.2a)."]);
});

test("actions that one reason forbids share a sentence, the most frequent first", () => {
  const barred = [["stop", "it stands"], ["start", "its MPh is over"], ["leave-road", "its MPh is over"]].map(([verb, note]) => ({ verb, note, clauses: ["A4.2a"] }));
  assert.deepEqual(barredSaid(barred), ["Not start and leave road: its MPh is over (A4.2a).", "Not stop: it stands (A4.2a)."]);
});

test("units are said by hex, in the order of its number", () => {
  const unit = (name, at) => ({ unit: name, at, side: "german", kind: "squad", left: 4, points: "MF", spent: false, ties: [], marks: [] });
  const board = { cell: (at) => ({ at }) };
  assert.deepEqual(crowd([unit("b", "A10"), unit("a", "A2"), unit("c", null)], board).map((line) => line.split(":")[0]), ["A2", "A10", "Off the map"]);
});
