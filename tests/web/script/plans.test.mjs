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
