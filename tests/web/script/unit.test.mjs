// The panel of the chosen unit, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { buttons, elements, read } from "./dom.mjs";

const { unitPanel } = await import("../../../solver/marchtable/web/static/panel.js");

const AWAY = { clauses: ["A3.3", "D2.1"], note: "units move in the MPh", of: [] };

// The panel of a squad with these options.
function shown(options, seen = {}) {
  const unit = { unit: "sq", side: "german", at: "A1", kind: "squad", label: "sq", note: "", ties: [], state: [], marks: [], carried: "" };
  const units = [unit, { ...unit, unit: "gun" }];
  const found = { unit: "sq", at: "A1", left: 4, points: "MF", actions: [], barred: [], unsupported: [], reach: { exact: true, locations: { A1: 4 } }, ...options };
  return unitPanel({
    player: "", isLast: true, rolls: "", mayTry: true, titles: { of: () => "" }, forms: { dash: "dash UNITS TO" }, unitOptions: found,
    unit: (name) => units.find((one) => one.unit === name), mayAct: () => true,
    board: { cell: (name) => (/^[A-H]\d$/.test(name) ? { at: name } : undefined), counter: () => "" },
    seen: { chosen: "sq", stack: [], view: { units, debts: [] }, pending: [], hands: [], options: { pending: [], unproposed: ["dash"], units: [found] }, ...seen },
  });
}

test("a unit that can do nothing says so in one line, and lists no verbs of the text mode", () => {
  const panel = shown({ barred: [{ verb: "enter", ...AWAY }, { verb: "bypass", ...AWAY }] }, { idle: { reason: "units move in the MPh", clause: "A3.3" } });
  const text = read(panel);
  assert.match(text, /It can do nothing now: units move in the MPh\. A3\.3/);
  assert.equal(text.match(/It can do nothing/g).length, 1);
  assert.doesNotMatch(text, /text mode/);
  assert.match(text, /Enter, Bypass: units move in the MPh A3\.3(?! D2\.1)/, "actions with one reason share a line");
});

test("a unit that can act lists how actions of the text mode are written", () => {
  assert.match(read(shown({ actions: [{ action: "assault sq", verb: "assault" }] })), /In the text mode alone \(1\)dash UNITS TO/);
});

test("a unit that reaches no hex says why, one that pushes a Gun lists it among its actions", () => {
  const stays = { clause: "D5.3", reason: "the crew is CE", units: ["sq"] };
  const actions = [{ action: "hatch sq bu", verb: "hatch" }];
  assert.match(read(shown({ actions }, { stays })), /It reaches no other hex: the crew is CE D5\.3/);
  const panel = shown({ actions }, { stays: { ...stays, helps: "hatch sq bu" } });
  assert.deepEqual(elements(panel).filter((one) => one.attributes?.id === "no-reach").map((one) => buttons([one])), [["Hatch bu"]], "what it can declare so that it goes");
  const pushes = shown({ actions: [{ action: "push sq gun B1", verb: "push", cost: 2 }, { action: "enter sq B1", verb: "enter", cost: 1 }] });
  const lists = elements(pushes).filter((one) => one.className === "" && one.attributes?.class === "actions" || one.className === "actions");
  assert.deepEqual(lists.map((one) => buttons([one]).length), [1, 1]);
  assert.match(read(pushes), /Moves to a hex \(1\)/);
});

test("what depends on what a unit sees leads there, also if an action is forbidden for it", () => {
  const note = "it is not stated which enemies it sees (choose “State what it sees” first)";
  const open = shown({ unsupported: [{ action: "leave sq", clauses: ["E11.251a"], note }] });
  assert.match(read(open), /it is not stated which enemies it sees /);
  assert.ok(buttons(open).includes("State what it sees"));
  const never = shown({ barred: [{ verb: "leave", clauses: ["E11.251a"], note: "no reason to leave: no Known enemy that it is stated to see", of: [] }] });
  assert.ok(buttons(never).includes("State what it sees"));
});

test("a way of one unit of a stack says who stays behind", () => {
  const verdict = { status: "LEGAL", violations: [], unsupported: [], obligations: [], exceptions: [], effects: [], receipts: [], slack: [], details: [], stopped: null, log: [] };
  const proposal = { actions: ["enter sq B1", "enter sq C1"], title: "sq to C1", others: [], verdict };
  const actions = [{ action: "enter sq B1", verb: "enter", cost: 1, joins: ["ldr"] }];
  assert.match(read(shown({ actions }, { proposal })), /This is sq alone, without ldr: “Moves with” takes others along/);
  assert.doesNotMatch(read(shown({ actions: [{ ...actions[0], joins: [] }] }, { proposal })), /This is/);
  const refused = { ...proposal, actions: ["enter sq C1"], verdict: { ...verdict, status: "ILLEGAL" } };
  assert.match(read(shown({ actions }, { proposal: refused })), /This is sq alone, without ldr/);
});

test("what another unit makes possible first names it, with the way to it", () => {
  const note = "a radioless AFV moves alone: use “Task check” first";
  const barred = [{ verb: "load", clauses: ["D14.23a"], note, of: ["tank"] }];
  assert.match(read(shown({ barred })), /Load tank: a radioless AFV moves alone: use “Task check” first/);
  assert.ok(buttons(shown({ barred })).includes("Choose tank"));
  assert.ok(!buttons(shown({ barred: [{ ...barred[0], of: ["sq"] }] })).includes("Choose sq"));
  assert.ok(!buttons(shown({ barred: [{ ...barred[0], note: "sq carries it: move sq, or “Unload” first" }] })).includes("Choose tank"), "it is for the chosen unit to act");
});

test("a step that ends what the other side's unit is about to do says so first, and is not urged", () => {
  const verdict = { status: "LEGAL", violations: [], unsupported: [], obligations: [], exceptions: [], effects: [], receipts: [], slack: [], details: [], stopped: null, log: [] };
  const proposal = { actions: ["rout sq B1"], title: "Rout B1", others: [], verdict, cuts: "ga" };
  const panel = shown({ actions: [] }, { proposal });
  assert.match(read(panel), /Rout B1: it ends what ga can do/);
  const urged = (parts) => elements(parts).filter((one) => one.attributes?.id === "do-it").map((one) => one.className);
  assert.deepEqual([urged(panel), urged(shown({ actions: [] }, { proposal: { ...proposal, cuts: "" } }))], [[""], ["primary"]]);
});

test("what a member of a line could do by itself, and is not modelled, is said", () => {
  const unsupported = [{ action: "unhook sq crew", clauses: ["E11.2m"], note: "what unhook costs a vehicle in its Convoy" }];
  const line = { costs: [{ unit: "lead" }, { unit: "sq" }] };
  const folds = (parts) => elements(parts).filter((one) => one.tag === "summary").map((one) => one.textContent);
  assert.match(read(shown({ unsupported }, { line })), /Not modelled: Unhook crew: what unhook costs a vehicle in its Convoy E11\.2m/);
  assert.ok(!folds(shown({ unsupported }, { line })).includes("Not modelled (1)"));
  assert.ok(folds(shown({ unsupported })).includes("Not modelled (1)"));
});
