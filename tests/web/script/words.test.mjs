// Words of answers, as the page says them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { advised, amount, byReason, chance, debt, endEffects, entrySaid, grouped, harmed, hazards, inBypass, isLegal, outcomeSaid, owed, places, remaining, rollsOf, said, spell, spelled, spoken, stopsOf, toFirstRoll, turnOf } from "../../../solver/marchtable/web/static/words.js";

const board = { cell: (name) => ["C4", "D3", "I5", "H4", "K5", "K5:bridge"].includes(name) && name };

test("an action begins with a capital, and the unit asked about is not named", () => {
  assert.equal(said("enter sq D3", "sq"), "Enter D3");
  assert.equal(said("bypass sq D3 vertex=NNE", "sq"), "Bypass D3, vertex NNE");
  assert.equal(said("start truck reverse=true", "truck"), "Start, reverse");
  assert.equal(said("impulse lead enter:I5,enter:H4,stop", "lead"), "Impulse enter I5, enter H4, stop");
});

test("actions that are not modelled for one reason are one entry", () => {
  const found = byReason([
    { action: "enter gun A2", note: "use `push`", clauses: ["C10.3g"] },
    { action: "dismount h", note: "who", clauses: ["A13.31e"] },
    { action: "minimum gun A2", note: "use `push`", clauses: ["C10.3g", "A4.134"] },
  ]);
  assert.deepEqual(found, [
    { note: "use `push`", actions: ["enter gun A2", "minimum gun A2"], clauses: ["C10.3g", "A4.134"] },
    { note: "who", actions: ["dismount h"], clauses: ["A13.31e"] },
  ]);
});

test("codes are spelt out, where they are not part of a name", () => {
  spell({ "hatch bu": "button up", esb: "Excessive Speed", rest: "spending all MP left" });
  assert.equal(said("hatch tank bu", "tank"), "Button up");
  assert.equal(said("esb tank", "tank"), "Excessive Speed");
  assert.equal(said("enter truck I6 rest=true", "truck"), "Enter I6, spending all MP left");
  assert.equal(said("enter esb-1 I6", "truck"), "Enter esb-1 I6");
  spell({});
});

test("a message advises a player, and names the button of an action", () => {
  spell({}, { "; state it with `sight`": " (choose “State what it sees” first)" });
  assert.equal(advised("what it sees is not known; state it with `sight`"), "what it sees is not known (choose “State what it sees” first)");
  assert.equal(advised("use `task-check` first; `unload UNIT VEHICLE` then"), "use “Task check” first; “Unload” then");
  spell({});
  assert.equal(advised("state it with `sight`"), "state it with “Sight”");
});

test("who acts together with the unit is named after the action", () => {
  assert.equal(said("enter sq,leader D3", "sq"), "Enter D3, with leader");
  assert.equal(said("enter leader,sq,hs D3", "sq"), "Enter D3, with leader, hs");
  assert.equal(spoken("enter sq,leader D3"), "sq, leader: Enter D3");
});

test("what happens to a unit is a sentence about it", () => {
  spell({ "result eliminated": "is eliminated", result: "is now", "bypass 3": "in Bypass" });
  assert.equal(spoken("result sq broken"), "sq is now broken");
  assert.equal(spoken("result sq eliminated"), "sq is eliminated");
  assert.equal(spelled("bypass 3"), "in Bypass");
  assert.equal(spelled("bypass 31"), "");
  spell({});
});

test("an entry names who moves; a line goes where its head goes", () => {
  assert.equal(spoken("enter sq D3"), "sq: Enter D3");
  assert.equal(spoken("impulse lead enter:K5:bridge,enter:I5"), "lead and those after it to K5:bridge");
  assert.equal(spoken("impulse lead bypass:D3,enter:I5"), "lead and those after it to D3, bypass");
  assert.equal(spoken("impulse lead turn:E,turn:E"), "lead and those after it: turn E");
  assert.equal(spoken("settle bog-hexside:spw mobile"), "Roll for spw, bog hexside: mobile");
  assert.equal(said("settle bog-hexside:spw mobile", "spw"), "Roll for spw, bog hexside: mobile");
  assert.equal(spoken("impulse lead stop,stop"), "lead and those after it: stop");
  spell({ RPh: "Rally Phase", DefensiveFire: "Defensive Fire" });
  assert.equal(spoken("phase RPh side=german"), "German Rally Phase begins");
  assert.equal(spoken("phase DefensiveFire"), "Defensive Fire Phase begins");
  spell({});
});

test("places are those that the board knows, bridges too", () => {
  assert.deepEqual(places("enter sq D3", board), ["D3"]);
  assert.deepEqual(places("impulse lead enter:K5:bridge,enter:I5,turn:NNE", board), ["K5:bridge", "I5"]);
  assert.deepEqual(places("double-time sq", board), []);
});

test("an amount has two places at most, halves to the even one", () => {
  assert.deepEqual([1, 0.5, 0.125, 0.375, 2 / 3].map(amount), ["1", "0.5", "0.12", "0.38", "0.67"]);
});

test("what a unit cannot pay is said as so much too few, never as less than nothing", () => {
  assert.deepEqual([2, 0, -1.5].map((left) => remaining(left, "MP")), ["2 MP left", "0 MP left", "1.5 MP too few"]);
});

test("a log is played as far as its first roll, if that is not what it begins with", () => {
  assert.deepEqual(toFirstRoll(["start t", "settle bog:t bogged", "stop t"]), ["start t"]);
  assert.deepEqual(toFirstRoll(["settle bog:t bogged", "stop t"]), ["settle bog:t bogged", "stop t"]);
});

test("what is due is a choice where one of several outcomes is sure", () => {
  assert.equal(owed({ outcomes: [{ chance: 1, of: 1 }, { chance: 1, of: 1 }] }), "choice");
  assert.equal(owed({ outcomes: [{ chance: 10, of: 36 }, { chance: 26, of: 36 }] }), "roll");
  assert.equal(chance({ chance: 10, of: 36 }), "10 in 36");
  assert.ok(isLegal({ status: "OPTIMAL" }) && !isLegal({ status: "UNKNOWN" }) && !isLegal(null));
});

test("results that differ by a number alone are one, with their chances together", () => {
  const odds = (...names) => names.map((outcome) => ({ outcome, chance: 2, of: 36 }));
  assert.deepEqual(grouped(odds("freed-2", "freed-4", "freed-12", "mired-6", "mired-8")).map((one) => [one.outcome, one.chance]), [["freed-2 to freed-12", 6], ["mired-6", 2], ["mired-8", 2]]);
  assert.deepEqual(grouped(odds("2", "3", "4", "passes")).map((one) => one.outcome), ["2", "3", "4", "passes"]);
});

test("a way round an obstacle has the vertex of its first unit", () => {
  assert.deepEqual(stopsOf("bypass sq D3 vertex=NNE", board), [{ at: "D3", vertex: "NNE" }]);
  assert.deepEqual(stopsOf("enter sq D3", board), [{ at: "D3", vertex: undefined }]);
  assert.deepEqual(stopsOf("impulse lead bypass:I5,bypass:H4", board), [{ at: "I5", vertex: undefined }]);
  assert.deepEqual(stopsOf("bypass truck D3", board, 3), [{ at: "D3", vertex: 3 }], "along the hexside at which it stands then");
  assert.deepEqual(stopsOf("enter truck D3", board, 3), [{ at: "D3", vertex: undefined }], "it enters the hex, and stands aside for another reason");
});

test("what is owed is said without how it is paid", () => {
  assert.equal(debt({ debts: [{ note: "german owes 2 Casualty Points on C1, by pin, reduce" }] }), "german owes 2 Casualty Points on C1");
  assert.equal(debt({ debts: [] }), "");
});

test("who is harmed is named, with what is new", () => {
  const mark = (said, tone = "hurt") => ({ sign: said, said, tone });
  const before = [{ unit: "a", at: "C1", marks: [] }, { unit: "b", at: "C1", marks: [mark("pinned")] }, { unit: "c", at: "C1", marks: [] }, { unit: "d", at: null, marks: [] }];
  const after = [{ unit: "a", at: "C1", marks: [mark("pinned"), mark("has moved", "moves")] }, { unit: "b", at: "C1", marks: [mark("pinned")] }, { unit: "c", at: null, marks: [] }, { unit: "d", at: null, marks: [] }];
  assert.deepEqual(harmed(before, after), ["a: pinned.", "c is off the map."]);
});

test("who of a line does what is said, and who does nothing", () => {
  const receipts = ["second", "third", "fourth"].map((unit) => ({ unit, amount: 1, points: "MP" }));
  const said = (entry) => entrySaid({ entry, verdict: { receipts } });
  assert.equal(said("impulse second stop,stop"), "second, third: stop; fourth stays as it is");
  assert.equal(said("impulse second stay,stay,stop"), "second, third stay as they are; fourth: stop");
  assert.equal(said("impulse second enter:C5,enter:C4,stay"), "second and those after it to C5");
  assert.equal(entrySaid({ entry: "impulse second stop" }), "second and those after it: stop");
});

test("of what becomes of a unit only the end is listed, field by field", () => {
  const effect = (unit, field, text) => ({ unit, field, text });
  const all = [effect("a", "convoy", "is in the Convoy c"), effect("a", "pin", "is pinned"), effect("b", "convoy", "is in the Convoy c.2"), effect("a", "convoy", "has left its Convoy"), effect("a", "origin")];
  assert.deepEqual(endEffects(all).map((one) => `${one.unit} ${one.text}`), ["a is pinned", "b is in the Convoy c.2", "a has left its Convoy"]);
});

test("what a unit sees is a sentence about it, with names set apart", () => {
  spell({ "sight, of": "sees", "sight, not of": "does not see" });
  assert.equal(spoken("sight truck of=r4"), "truck sees r4");
  assert.equal(spoken("sight truck not_of=r4,zis,r5"), "truck does not see r4, zis, r5");
  spell({});
});

test("a move that ends in Bypass says so, with the vertex of Infantry", () => {
  assert.deepEqual(["enter t D3", "bypass t D3", "bypass sq D3 vertex=E"].map(inBypass), ["", ", in Bypass", ", in Bypass at vertex E"]);
});

test("a turn is that of the side whose phase it is, or of one that acts alone; others react", () => {
  const both = { side: "german", sides: ["german", "russian"] };
  assert.equal(turnOf(both, "german"), "turn");
  assert.equal(turnOf(both, "russian"), "react");
  assert.equal(turnOf({ side: "german", sides: ["russian"] }, "russian"), "turn");
  assert.equal(turnOf({ side: "german", sides: ["russian"] }, "german"), "");
  assert.equal(turnOf(both, undefined), "");
});

test("an outcome with a name has the words for it, and the name", () => {
  spell({ "failure-to-rout by": "captured by", "failure-to-rout eliminated": "eliminated" });
  assert.equal(outcomeSaid("failure-to-rout:rb", "by:gb"), "captured by gb");
  assert.equal(outcomeSaid("failure-to-rout:rb", "eliminated"), "eliminated");
  assert.equal(outcomeSaid("guard:rb", "by:gb"), "by:gb");
  spell({});
});

test("the rulebook's words for a code are not read as codes themselves", () => {
  spell({ "motion, seen": "try to get into Motion; MP spent:", into: "into the obstacle", "unhook(?= )": "unhook with", hook: "hook up" });
  assert.equal(said("motion t34 seen=5 reverse=true", "t34"), "Try to get into Motion; MP spent: 5, reverse");
  assert.equal(said("bypass t34 C3 into=true", "t34"), "Bypass C3, into the obstacle");
  assert.equal(said("unhook truck crew", "truck"), "Unhook with crew");
  assert.equal(said("hook truck gun", "truck"), "Hook up gun");
  spell({});
  assert.equal(said("hook truck gun", "truck"), "Hook gun");
});

test("a way into what is known to lie in a hex names it, if it calls for a roll there", () => {
  const board = { cell: (name) => (/^[A-H]\d$/.test(name ?? "") ? { at: name, lying: { B2: "minefield", C3: "foxholes" }[name] } : undefined) };
  const log = ["enter rb B1", "enter rb B2", "settle mines:rb unharmed", "enter rb C3", "enter rb C4", "settle mines-left:rb unharmed"];
  assert.equal(hazards(log, board), "minefield (B2)");
  assert.equal(hazards(log.slice(0, 2), board), "");
  assert.equal(rollsOf(log), "mines, mines left");
});
