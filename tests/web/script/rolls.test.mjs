// Rolls that the page throws.

import assert from "node:assert/strict";
import { test } from "node:test";
import { buttons, click, elements, read } from "./dom.mjs";

const { askRoll, kept, thrown } = await import("../../../solver/marchtable/web/static/rolls.js");
const { said, spell, spoken } = await import("../../../solver/marchtable/web/static/words.js");

const titles = { of: () => "Bog Check" };
const due = { id: "bog:truck", unit: "truck", clause: "D8.2", note: "", outcomes: [{ outcome: "mobile", chance: 35, of: 36 }, { outcome: "bogged", chance: 1, of: 36 }] };

// What the dialog shows.
function shown(view, more = {}, keep = undefined) {
  document.body.children = [];
  const before = document.createElement;
  document.createElement = (tag) => Object.assign(before(tag), { showModal() {}, close() {}, remove() {}, querySelectorAll: () => [], querySelector: () => ({ focus() {} }) });
  askRoll({ ...due, ...more }, titles, view, keep);
  document.createElement = before;
  return document.body;
}

test("the dice are shown with their sum and what they led to, and the log has them", () => {
  const found = thrown(due.outcomes, { "6,6": "bogged" });
  assert.deepEqual(found, { outcome: "bogged", dice: " dice=6,6", said: "Rolled 6 + 6 = 12: bogged." });
  assert.equal(thrown([], { 4: "safe" }).said, "Rolled 4: safe.");
  assert.equal(spoken(`settle ${due.id} ${found.outcome}${found.dice}`), "Roll for truck, bog: 6 and 6, bogged");
  assert.equal(said("settle bog:truck mobile"), "Roll for truck, bog: mobile");
});

test("dice that are read apart have no sum", () => {
  assert.equal(thrown([], { "6,4": "strays" }).said, "Rolled 6 and 4 (the colored die first): strays.");
});

test("of many results the dice are entered", () => {
  const throws = Object.fromEntries([1, 2, 3, 4, 5, 6].flatMap((colored) => [1, 2, 3, 4, 5, 6].map((white) => [`${colored},${white}`, `freed-${colored * white}`])));
  const outcomes = [...new Set(Object.values(throws))].map((outcome) => ({ outcome, chance: 1, of: 36 }));
  const dialog = shown({ throws: { "bog:truck": throws } }, { outcomes });
  assert.ok(buttons(dialog).includes("I rolled these"));
  assert.ok(!buttons(dialog).some((one) => one.startsWith("freed")));
  assert.deepEqual(elements(dialog).filter((one) => one.tag === "select").map((one) => one.attributes["aria-label"]), ["Colored die", "White die"]);
});

test("where the sum of the dice does not settle a roll, it is said that no dice were thrown", () => {
  const [one] = [{ outcome: "strays", chance: 36, of: 36 }];
  assert.deepEqual(thrown([one]), { outcome: "strays", dice: "", said: "Drawn by its chance of 36 in 36, without dice: strays." });
});

test("an outcome that cannot be played is not offered, and why is said", () => {
  const text = "not modelled (B28.41b)";
  const dialog = shown({ unsettled: { bogged: text } });
  assert.ok(!buttons(dialog).some((one) => one.startsWith("bogged")));
  assert.ok(buttons(dialog).some((one) => one.startsWith("mobile")));
  assert.match(read([dialog]), /bogged cannot be played: not modelled \(B28\.41b\)\./);
  assert.equal(elements(shown()).filter((one) => one.attributes?.id === "not-offered").length, 0);
});

test("outcomes are in the rulebook's words, in the dialog and in the log", () => {
  spell({ "interdiction none": "not Interdicted" });
  const dialog = shown({}, { id: "interdiction:truck", outcomes: [{ outcome: "none", chance: 1, of: 1 }, { outcome: "pinned", chance: 1, of: 1 }] });
  assert.deepEqual(buttons(dialog).slice(0, 2), ["not Interdicted", "pinned"]);
  assert.equal(spoken("settle interdiction:truck none"), "Roll for truck, interdiction: not Interdicted");
  spell({});
});

test("what was rolled here stands until it is played, in the dialog and after a reload", () => {
  const game = { id: "g", branch: "main", step: 1, seen: { info: { log: [{ entry: "enter truck B3" }] } } };
  const keep = (found) => kept(game, due, found);
  const throws = { "bog:truck": { "6,6": "bogged" } };
  assert.equal(keep(), null);
  const first = shown({ throws }, {}, keep);
  assert.ok(buttons(first).includes("Roll"));
  const last = document.createElement;
  document.createElement = (tag) => Object.assign(last(tag), { querySelectorAll: () => [], querySelector: () => ({ focus() {} }) });
  click([first], "Roll");
  document.createElement = last;
  const again = shown({ throws }, {}, keep);
  assert.ok(!buttons(again).includes("Roll"));
  assert.match(read([again]), /Rolled 6 \+ 6 = 12: bogged\./);
  assert.equal(kept({ ...game, step: 2 }, due), null, "another roll");
  assert.equal(kept({ ...game, seen: { info: { log: [{ entry: "enter truck C3" }] } } }, due), null, "another move");
  keep(null);
  assert.equal(keep(), null);
});

test("a throw that cannot be played is not kept", () => {
  let keeps = 0;
  const dialog = shown({ throws: { "bog:truck": { "6,6": "bogged" } }, unsettled: { bogged: "not modelled" } }, {}, (found) => { keeps += found ? 1 : 0; return null; });
  click([dialog], "Roll");
  assert.equal(keeps, 0);
});
