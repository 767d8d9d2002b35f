// What is asked once a unit is chosen, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./dom.mjs";

const { finisher } = await import("../../../solver/marchtable/web/static/choosing.js");
const { fits } = await import("../../../solver/marchtable/web/static/unitlist.js");

const units = [{ unit: "sq", side: "german" }, { unit: "dasher", side: "german" }, { unit: "foe", side: "russian" }];
const signal = new AbortController().signal;

// A game in which what is asked about is not modelled for what these units do.
const game = (who) => ({
  unit: (name) => units.find((one) => one.unit === name),
  ask: async () => ({ unsupported: [{ clause: "A4.63h", reason: "A unit that dashes finishes first", units: who }] }),
});

test("a unit waits for one of its side for which it is not known whether it could go on", async () => {
  const options = { unit: "sq", unsupported: [{ action: "enter sq B1" }] };
  assert.deepEqual((await finisher(game(["dasher"]), options, signal)).leads, ["dasher"]);
  assert.equal(await finisher(game(["foe"]), options, signal), null);
  assert.equal(await finisher(game(["sq"]), options, signal), null);
  assert.equal(await finisher(game(["dasher"]), { ...options, unsupported: [] }, signal), null);
});

test("the list of units is filtered by what is written of them, not by details in code", () => {
  const unit = { unit: "ge", kind: "german 4-6-7", side: "german", at: "3Q5", ties: ["with gmmg"], state: ["previous 3R5"], marks: [{ sign: "CX", said: "is CX" }], spent: true };
  assert.equal(fits(["3r5"])(unit), false);
  for (const word of ["3q5", "cx", "moved", "gmmg", "4-6-7"]) assert.equal(fits([word])(unit), true, word);
});
