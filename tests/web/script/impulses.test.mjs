// Impulses of a line, completed for the units behind.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./dom.mjs";

const { resting, together } = await import("../../../solver/marchtable/web/static/impulses.js");

// A line of three: what the next unit can do after each beginning.
const after = {
  "a stay": ["stay", "stop"], "a stay,stay": ["stop"], "a stay,stop": ["stop"], "a stop": ["stay", "stop"], "a stop,stop": ["stay", "stop"],
};
const opened = (begun) => ({
  action: `impulse ${begun}`, joins: after[begun] ?? [], closes: !after[begun], costs: begun.split(" ")[1].split(",").map((word) => ({ amount: Number(word !== "stay") })),
});
const game = { ask: async (_verb, { opened: action }) => ({ actions: after[action.slice(8)].map((word) => opened(`${action.slice(8)},${word}`)) }) };

test("the others do the same as the first unit", async () => {
  assert.equal((await together(game, opened("a stop"))).action, "impulse a stop,stop,stop");
});

test("if the first does nothing and not all others may, they do one thing together", async () => {
  assert.equal((await together(game, opened("a stay"))).action, "impulse a stay,stop,stop");
});

test("if the first does nothing, the line's move ends, where it can", async () => {
  const view = { next: "DFPh" };
  const table = (violations, actions = [{ action: "end a" }]) => ({ unitOptions: { actions }, seen: { view }, ask: async () => ({ violations }) });
  const stay = opened("a stay");
  assert.deepEqual(await resting(table([]), stay, ["a", "b", "c"]), { action: "end a", named: "a, b, c stay as they are: end" });
  assert.equal(await resting(table([{ units: ["b"] }]), stay, ["a", "b", "c"]), null, "one in Motion must go on");
  assert.equal(await resting(table([{ units: ["x"] }]), opened("a stop"), ["a", "b", "c"]), null);
  assert.equal(await resting(table([], []), stay, ["a", "b", "c"]), null);
});
