// Answers to a search, in sentences.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = { querySelector: () => null, body: { setAttribute() {} } };
globalThis.setInterval = () => 0;
const { planSaid } = await import("../../../solver/marchtable/web/static/planview.js");

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
