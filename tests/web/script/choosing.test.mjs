// What is asked once a unit is chosen, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./dom.mjs";

const { findBar, finisher, idleOf } = await import("../../../solver/marchtable/web/static/choosing.js");
const { unreached } = await import("../../../solver/marchtable/web/static/proposals.js");
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

// A game with a tank that can only declare something; a way to B1 is barred by these.
function stuck(violations, helps = false) {
  const mates = [{ unit: "tank", side: "german" }, { unit: "rc", side: "german" }];
  const actions = [{ action: "hatch tank bu", verb: "hatch" }, { action: "end tank", verb: "end" }];
  return {
    movingPhase: "MPh", mayAct: () => true, show() {}, eyed: (path) => path, post: async () => ({}),
    unit: (name) => mates.find((one) => one.unit === name), unitOptions: { actions, at: "A1", reach: { locations: { A1: 4 } } },
    board: { cell: (name) => (/^[A-H]\d$/.test(name) ? { at: name, all: [name] } : undefined) },
    ask: async (verb, { to, log }) => (to ? { to, barred: { at: to, before: [], action: "enter tank B1", violations } } : { status: helps && log ? "LEGAL" : "ILLEGAL", scene: {} }),
    seen: { chosen: "tank", stack: [], ways: new Map(), view: { phase: "MPh", units: mates }, until: () => signal },
  };
}
const options = { actions: [{ action: "hatch tank bu", verb: "hatch" }], barred: [{ verb: "turn", closest: "turn tank E", clauses: ["D2.1"], note: "it has not started", of: [] }, { verb: "enter", closest: "enter tank B1", clauses: ["D2.1", "D5.3"], note: "it has not started", of: [] }] };

test("why a unit reaches no hex is asked of a way, not of its first step alone", async () => {
  const game = stuck([{ clause: "D5.3", reason: "a CE AFV cannot leave", units: ["tank"] }]);
  await findBar(game, options, signal);
  assert.equal(game.seen.stays.clause, "D5.3");
  assert.equal(game.seen.stays.helps, "");
});

test("if another unit must do something first, it is named, whatever else bars the way", async () => {
  const other = { clause: "D2.4", reason: "it must go on", units: ["rc"] };
  const game = stuck([{ clause: "D2.1", reason: "it has not started", units: ["tank"] }, other]);
  await findBar(game, options, signal);
  assert.deepEqual(game.seen.blocker, { ...other, leads: ["rc"] });
  assert.equal(game.seen.stays, undefined);
});

test("in other phases, and of a unit that can step into a hex, it is not said that it reaches none", async () => {
  const game = stuck([{ clause: "D5.3", reason: "no", units: ["tank"] }]);
  await findBar({ ...game, movingPhase: "RPh" }, options, signal);
  await findBar(game, { ...options, actions: [{ action: "rout tank B1", verb: "rout" }] }, signal);
  assert.equal(game.seen.stays, undefined);
});

test("a unit that can rout is not said to do nothing because no unit moves in that phase", () => {
  const barred = [{ verb: "enter", clauses: ["A3.3"], note: "units move in the MPh" }, { verb: "start", clauses: ["A3.3"], note: "units move in the MPh" }];
  assert.equal(idleOf({ actions: [{ verb: "rout" }], barred }, false), null);
  assert.deepEqual(idleOf({ actions: [{ verb: "end" }], barred }, false), { reason: "units move in the MPh", clause: "A3.3" });
  assert.deepEqual(idleOf({ actions: [{ verb: "task-check" }], barred }, true).clause, "A3.3");
});

test("a hex that cannot be reached says why: who must go first, what bars the way, or why the unit does nothing", () => {
  const said = (seen, found) => {
    const game = stuck([]);
    const cell = { at: "B1", all: ["B1"], said: "" };
    Object.assign(game, { say() {}, titles: { of: () => "" }, unitOptions: { actions: [], barred: [] }, board: { cell: () => cell, way() {} } });
    Object.assign(game.seen, { blocker: null, idle: null, texting: [] }, seen);
    unreached(game, "B1", found);
    return game.seen.proposal.violations.map((one) => one.clause);
  };
  const barred = { at: "B1", before: [], violations: [{ clause: "D2.1", reason: "not started", units: ["tank"], hexes: ["A1"] }, { clause: "D2.4", reason: "it must go on", units: ["rc"] }] };
  assert.deepEqual(said({}, { to: "B1", barred }), ["D2.4"]);
  assert.deepEqual(said({}, { to: "B1", barred: { ...barred, violations: barred.violations.slice(0, 1) } }), ["D2.1"]);
  assert.deepEqual(said({ idle: { reason: "it has routed", clause: "A10.5a" } }, { unsupported: ["A10.5a"] }), ["A10.5a"]);
  assert.deepEqual(said({ blocker: { clause: "E11.2", reason: "first", units: ["rc"] } }, { to: "B1", barred }), ["E11.2"]);
});

test("a unit that has routed is said to rout no more, and not that units rout", () => {
  const barred = [{ verb: "enter", clauses: ["A3.3"], note: "units move in the MPh; in the RtPh a broken unit routs: “Rout”" }, { verb: "start", clauses: ["A3.3"], note: "units move in the MPh" }, { verb: "rout", clauses: ["A10.5a"], note: "only broken Infantry routs that is not done" }];
  assert.deepEqual(idleOf({ actions: [], barred }, false), { reason: "only broken Infantry routs that is not done", clause: "A10.5a" });
});
