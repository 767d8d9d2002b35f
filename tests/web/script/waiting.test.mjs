// Who waits for whom, by what bars a unit.

import assert from "node:assert/strict";
import { test } from "node:test";
import { able, hands, surelyBarred, trifles, waits } from "../../../solver/marchtable/web/static/waiting.js";

const units = ["lead", "second", "fourth", "sq", "crew"].map((unit) => ({ unit, side: "german" })).concat({ unit: "foe", side: "russian" });
const bar = (clauses, note, of = []) => ({ clauses, note, of, closest: `start ${clauses[0]}` });
const end = { verb: "end", action: "end sq" };

test("a clause that bars most actions names who must move first, whatever else bars them", () => {
  const barred = [bar(["E11.21c", "E11.25b"], "a Convoy has begun: lead, fourth must end theirs first"), bar(["E11.21c", "D2.4"], "a Convoy has begun: lead, fourth must end theirs first"), bar(["A4.7a"], "only in the APh")];
  assert.deepEqual(waits({ unit: "sq", actions: [end], barred }, units).map((one) => [one.clause, one.units]), [["E11.21c", ["lead", "fourth"]]]);
});

test("a clause of the precedence counts however little it bars, and the fewest names come first", () => {
  const barred = [...Array(5)].map(() => bar(["E11.2m"], "the unit belongs to a convoy")).concat(bar(["E11.25b"], "fourth must end its MPh first"));
  const lead = { unit: "lead", actions: [], barred };
  assert.deepEqual(waits(lead, units), []);
  assert.deepEqual(waits(lead, units, ["E11.25b"]).map((one) => one.units), [["fourth"]]);
});

test("who is at fault is named, if the note names nobody; enemies and the unit itself are not", () => {
  const barred = [bar(["D2.4"], "it must stop", ["lead", "foe"]), bar(["D2.4"], "it must stop", ["lead"])];
  assert.deepEqual(waits({ unit: "sq", actions: [], barred }, units)[0].units, ["lead"]);
  assert.deepEqual(waits({ unit: "lead", actions: [], barred }, units), []);
  assert.deepEqual(waits({ unit: "sq", actions: [], barred: [bar(["A1"], "foe is there")] }, units), []);
});

test("nobody waits who can spend points, or lead a line", () => {
  const barred = [bar(["D2.4"], "it must stop", ["lead"])];
  for (const one of [{ verb: "enter", cost: 1 }, { verb: "impulse", closes: false }]) assert.deepEqual(waits({ unit: "sq", actions: [end, one], barred }, units), []);
});

test("of those who must move first only who can do so now is offered", () => {
  const options = [{ unit: "lead", actions: [end] }, { unit: "second", actions: [{ verb: "drop" }] }, { unit: "fourth", actions: [{ verb: "stop", cost: 1 }] }];
  assert.deepEqual(able(["lead", "second", "fourth"], options), ["fourth"]);
  assert.deepEqual(able(["lead", "second"], options), ["second"]);
  assert.deepEqual(able(["lead"], options), ["lead"]);
});

test("what costs nothing is named, if nothing else is left", () => {
  assert.deepEqual(trifles({ actions: [end, { verb: "drop" }, { verb: "drop" }] }), ["drop"]);
  assert.deepEqual(trifles({ actions: [{ verb: "drop" }, { verb: "enter", cost: 1 }] }), []);
});

test("who can act upon a unit is listed with the verbs, the unit itself is not", () => {
  const act = (action) => ({ action, verb: action.split(" ")[0] });
  const options = [{ unit: "crew", actions: [act("push crew gun A2"), act("push crew gun B2"), act("enter crew A2")] }, { unit: "gun", actions: [act("end gun")] }, { unit: "truck", actions: [act("hook truck gun crew")] }, { unit: "sq", actions: [act("end sq")] }];
  assert.deepEqual(hands("gun", options).map((one) => [one.unit, one.verbs]), [["crew", ["push"]], ["truck", ["hook"]]]);
});

test("what is forbidden in one way, and not judged in another, is not listed as forbidden", () => {
  const barred = [{ verb: "rout", note: "no road" }, { verb: "enter", note: "the MPh" }];
  assert.deepEqual(surelyBarred({ barred, unsupported: [{ action: "rout gc H6" }] }).map((one) => one.verb), ["enter"]);
});

test("who is carried does not wait for its carrier: it goes with it", () => {
  const barred = [bar(["D6.3b"], "truck carries it: move truck, or “Unhook” first"), bar(["D6.3b"], "truck carries it: move truck")];
  const all = [{ unit: "gun", side: "german", carried: "truck" }, { unit: "truck", side: "german" }];
  assert.deepEqual(waits({ unit: "gun", actions: [end], barred }, all), []);
  assert.deepEqual(waits({ unit: "gun", actions: [end], barred }, [{ ...all[0], carried: "" }, all[1]])[0].units, ["truck"]);
});
