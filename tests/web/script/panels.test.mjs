// What the panels of plans, losses and the set-up show, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { buttons, click, elements, read } from "./dom.mjs";

const { planPanel } = await import("../../../solver/marchtable/web/static/planview.js");
const { Plans } = await import("../../../solver/marchtable/web/static/plans.js");
const { lossPanel } = await import("../../../solver/marchtable/web/static/lossview.js");
const { Losses } = await import("../../../solver/marchtable/web/static/losses.js");
const { SetUp } = await import("../../../solver/marchtable/web/static/setup.js");
const { home } = await import("../../../solver/marchtable/web/static/controls.js");
const { outcomes } = await import("../../../solver/marchtable/web/static/words.js");

const titles = { of: () => "", ready: Promise.resolve() };

function game({ player = "", side = "german" } = {}) {
  const units = [{ unit: "truck", side: "german", at: "A1" }, { unit: "sq", side: "russian", at: "B2" }];
  const one = {
    player, titles, branch: "main", step: 0, isLast: true, mayTry: true, said: [], seen: { chosen: null, info: { log: [], step: 0 }, view: { side, units, debts: [] } },
    unit: (name) => units.find((each) => each.unit === name), mayAct: (name) => one.unit(name).side === (player || side) && one.unit(name).side === side,
    waits: () => "The german moves now.", board: { unit: () => null, way() {}, cells: new Map() }, show() {}, overlay() {}, say: (text) => one.said.push(text), look() {},
  };
  one.seen.plans = new Plans(one);
  one.seen.losses = new Losses(one);
  return one;
}

// A game in which a plan was found.
function planned(found, verb = "plan") {
  const one = game();
  Object.assign(one.seen.plans, { verb, aims: [{ unit: "truck", kind: "at", at: ["C1"], must: true }], base: ["main"], found: { receipts: [], violations: [], unsupported: [], repairs: [], slack: [], log: [], ...found } });
  return one;
}

test("only units that may act now are planned for, whoever was chosen", () => {
  const theirs = game({ player: "russian" });
  assert.equal(read(planPanel(theirs)), "The german moves now.");
  const mine = game({ player: "german" });
  mine.seen.chosen = "sq";
  assert.equal(mine.seen.plans.unit, "truck");
  assert.deepEqual(elements(planPanel(mine)).filter((one) => one.tag === "option").map((one) => one.textContent).slice(0, 1), ["truck"]);
  assert.ok(!read(planPanel(mine)).includes("sq"));
});

test("one step is no steps", () => {
  const shown = (...log) => read(planPanel(planned({ status: "OPTIMAL", log })));
  assert.match(shown("enter truck B1"), /›1 step(?!s)/);
  assert.match(shown("enter truck B1", "enter truck C1"), /›2 steps/);
});

test("how far a plan may be from the best is a sentence", () => {
  const shown = read(planPanel(planned({ status: "FEASIBLE", log: ["enter truck B1"], bound: { value: 1, points: 0 }, gap: { points: 84 } })));
  assert.match(shown, /No plan can be better than this: Goals met: 1\. The difference: Points spent: 84\./);
  assert.doesNotMatch(shown, /\.;|gap|Bound/);
});

test("why: an example is in words, not as the log writes it", () => {
  const lift = { smallest: true, clauses: [{ clause: "A1", title: "One" }], log: ["impulse truck turn:NNW,stay", "enter truck B1"] };
  const shown = read(planPanel(planned({ status: "IMPOSSIBLE", conflict: [], lift, space: { name: "alone", policy: [] } }, "why")));
  assert.match(shown, /For example: truck and those after it: turn NNW, stay; truck: Enter B1/);
});

test("a plan is outdated once the game goes on in another way, and is searched again", () => {
  const one = planned({ status: "OPTIMAL", log: ["enter truck B1"] });
  one.step = 1;
  one.seen.info.log = [{ entry: "enter truck A2" }];
  const asked = [];
  one.seen.plans.run = (...request) => asked.push(request);
  assert.ok(!buttons(planPanel(one)).includes("Play this plan"));
  click(planPanel(one), "Search again");
  assert.equal(asked[0][0], "plan");
  assert.deepEqual(asked[0][1].goal.aims, [{ units: ["truck"], at: ["C1"], must: "all" }]);
});

const way = { losses: [], units: [], log: ["result truck pinned"], value: 1 };
const counted = { points: 2, at: "A1", count: 1, best: { plan: way, value: 1, intact: 2, equally_good: [] }, units: [{ unit: "truck", figures: "" }] };

test("losses of the other side are listed, not played", () => {
  for (const [player, isMine] of [["german", true], ["russian", false], ["", true]]) {
    const one = game({ player });
    one.seen.losses.found = counted;
    assert.equal(buttons(lossPanel(one)).includes("Play it"), isMine, player);
  }
});

test("losses that were played are no more offered", async () => {
  const one = game({ player: "german" });
  one.seen.losses.found = counted;
  one.seen.losses.at = "A1";
  one.ask = async () => ({ status: "LEGAL" });
  one.change = async () => ({ kept: true, log: [{ own: true }], refused: false });
  one.seen.pending = [];
  document.querySelector = /** @type {any} */ (() => ({ textContent: "" }));
  await click(lossPanel(one), "Play it");
  document.querySelector = () => null;
  assert.equal(one.seen.losses.found, null);
  assert.ok(!buttons(lossPanel(one)).includes("Play it"));
  assert.deepEqual(one.seen.losses.marks(), []);
});

test("a unit placed from the tray waits for nothing off the map", () => {
  const setUp = new SetUp(null, null);
  setUp.board = { cell: (at) => ({ at }) };
  const unit = { id: "lead", type: "Opel", at: "-", entering: ["GG6"], facing: "E" };
  setUp.alter = (_id, change) => change(unit);
  assert.deepEqual(setUp.move("lead", "C3"), { id: "lead", type: "Opel", at: "C3", facing: "E" });
});

test("the keyboard comes to the hex of a unit, or, off the map, to where it can enter", () => {
  const board = { cell: (name) => (["A1", "GG6", "F1"].includes(name) ? { at: name } : undefined) };
  const at = (unit) => home({ seen: { chosen: "lead", unit }, unit() { return this.seen.unit; }, board });
  assert.equal(at({ at: "A1", ties: ["entering F1"] }), "A1");
  assert.equal(at({ at: null, ties: ["aboard truck", "entering GG6, F1"] }), "GG6");
  assert.equal(at({ at: null, ties: [] }), undefined);
});

test("what comes of a proposal stands once", () => {
  const note = { note: "track can be spotted in its hex", clause: "P.move-b" };
  assert.equal(outcomes({ effects: [], exceptions: [note, note, { ...note, clause: "P.move-c" }] }, titles).length, 2);
});
