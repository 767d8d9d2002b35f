// The log in words.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = { querySelector: () => null, body: { setAttribute() {} } };
globalThis.addEventListener = () => {};
globalThis.setInterval = () => 0;
const { inLine } = await import("../../../solver/marchtable/web/static/journal.js");

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
