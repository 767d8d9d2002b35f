// Answers to a search, in sentences.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = { querySelector: () => null, body: { setAttribute() {} } };
globalThis.setInterval = () => 0;
const { forbid, planSaid } = await import("../../../solver/marchtable/web/static/planview.js");

test("a search without an answer names the clauses that are not modelled", () => {
  const found = { status: "UNSUPPORTED", unsupported: [], log: [], space: { left_out: ["B28.4", "B26.44"] } };
  assert.deepEqual(planSaid({ titles: { of: () => "" } }, found), ["No answer: a rule that matters here is not modelled.", "Not modelled: B28.4, B26.44."]);
});

test("a plan is the best of all only if every space was searched to the end", () => {
  const said = (...status) => planSaid({ titles: { of: () => "" } }, { status: "OPTIMAL", log: [], searched: status.map((one) => ({ status: one })) })[0];
  assert.equal(said("OPTIMAL", "NO BETTER"), "This is the best plan (proved).");
  for (const open of ["UNKNOWN", "FEASIBLE"]) assert.equal(said("OPTIMAL", open), "This is the best plan of those searched to the end. Others may be better.");
});

test("losses open on the hex that owes them, and no other is marked", async () => {
  const { Losses } = await import("../../../solver/marchtable/web/static/losses.js");
  const units = [{ unit: "us", side: "american", at: "G2" }, { unit: "sq", side: "german", at: "B4" }];
  const losses = (debts) => new Losses({ seen: { view: { side: "german", units, debts } }, unit: (name) => units.find((one) => one.unit === name) });
  assert.deepEqual(losses([{ unit: "sq" }]).marks(), [{ at: "B4", text: "under fire" }]);
  assert.deepEqual(losses([]).marks(), []);
});

test("steps of a plan are counted as played while the game follows it, and no longer", async () => {
  const { Plans } = await import("../../../solver/marchtable/web/static/plans.js");
  const played = ["phase MPh"];
  const game = { branch: "main", get step() { return played.length; }, seen: { info: { log: [] } } };
  const plans = new Plans(game);
  const plays = (...entries) => { played.splice(1, played.length, ...entries); game.seen.info.log = played.map((entry) => ({ entry })); };
  plays();
  plans.base = plans.stands();
  const log = ["start truck", "enter truck K5", "settle bog:truck mobile"];
  assert.equal(plans.taken(log), 0);
  plays(...log.slice(0, 2));
  assert.equal(plans.taken(log), 2);
  plays(...log.slice(0, 2), "settle bog:truck bogged");
  assert.equal(plans.taken(log), null, "the roll came out in another way");
  plays();
  assert.equal(plans.taken(log), 0, "taken back");
  game.branch = "branch-2";
  assert.equal(plans.taken(log), null);
});

test("why: what keeps a unit from acting at all comes before the rules that forbid the hex", () => {
  const conflict = [{ clause: "E11.2h", title: "No vehicle outruns its Convoy", units: [], numbers: {}, needed: true }];
  const found = { status: "UNSUPPORTED", log: [], idle: [{ unit: "second", clause: "A4.2a", reason: "its MPh is over" }], conflict, space: { left_out: ["B26.4f"] } };
  const said = planSaid({ titles: { of: () => "" } }, found);
  assert.ok(said.indexOf("second: Its MPh is over (A4.2a).") < said.indexOf("No vehicle outruns its Convoy (E11.2h)."));
  assert.ok(said.includes("second: Its MPh is over (A4.2a)."));
});

test("why: rules are said to forbid it together only if nothing else does, and nothing is left open", () => {
  const [one, two] = [{ needed: true }, { needed: true }];
  assert.equal(forbid({ status: "IMPOSSIBLE", conflict: [one], enough: true }), "This rule forbids it:");
  assert.match(forbid({ status: "IMPOSSIBLE", conflict: [one, two], enough: null }), /together forbid it; without any one/);
  assert.equal(forbid({ status: "IMPOSSIBLE", conflict: [one, two], enough: false }), "These rules forbid it:");
  assert.equal(forbid({ status: "UNSUPPORTED", conflict: [one], enough: false, idle: [{}] }), "Of the rules that are modelled, these also forbid it:");
});

test("once a plan is played the log is shown, if the player did not turn to another tab meanwhile", async () => {
  const { Plans } = await import("../../../solver/marchtable/web/static/plans.js");
  for (const [tab, then] of [["plan", "log"], ["unit", "unit"]]) {
    const seen = { tab, info: { log: [{ entry: "start truck" }] }, view: { units: [] } };
    const game = { branch: "main", step: 1, seen, board: { pieces() {}, way() {} }, show() {}, overlay() {}, look() {} };
    const plans = new Plans(game);
    plans.base = ["main"];
    await plans.take(["start truck"], 1);
    assert.equal(seen.tab, then);
  }
});
