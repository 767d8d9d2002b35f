// Answers in whole sentences, each with its clause: what the text commands say.

import { amount, broken, capital, chance, derived, endEffects, grouped, isLegal, outcomeSaid, owed, points, possible, remaining, said, spelled } from "./words.js";

const FEW = 8; // steps that are said one by one

/** @param {string[]} words */
export const list = (words) => (words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words.join(""));

// What is broken, with its clause; a unit that is not the one asked about is named.
export const fault = (one, chosen) => `${broken(one, chosen)}.`;

// A unit, and what it is known by.
export function unitSaid(one) {
  const kind = one.kind !== one.unit ? `${one.side} ${one.kind}` : one.side;
  const left = one.left === undefined ? "" : `${one.spent ? "moved, " : ""}${remaining(one.left, one.points)}`;
  const marks = one.marks.map((mark) => mark.said || mark.sign);
  return `${[one.unit, kind, left, ...one.ties, ...(one.state ?? []).map(spelled), ...marks].filter(Boolean).join(", ")}.`;
}

// Units by hex: one sentence for each unit, with the name of its hex before the first.
export function crowd(units, board) {
  const byHex = new Map();
  for (const one of units) {
    const hex = one.at ? (board.cell(one.at)?.at ?? one.at) : "Off the map";
    byHex.set(hex, [...(byHex.get(hex) ?? []), unitSaid(one)]);
  }
  const order = new Intl.Collator("en", { numeric: true });
  return [...byHex].sort(([a], [b]) => order.compare(a, b)).map(([hex, here]) => `${hex}: ${here.join(" ")}`);
}

// A roll or choice that is due, with what may come of it.
export function dueSaid(one, titles) {
  const what = owed(one);
  const odds = grouped(possible(one)).map((each) => [outcomeSaid(one.id, each.outcome), what === "roll" ? chance(each) : ""].filter(Boolean).join(": "));
  return `A ${what} is due for ${one.unit}: ${one.note || titles.of(one.clause)} (${one.clause}). ${odds.length ? `The results: ${odds.join(", ")}.` : "The other side decides it."}`;
}

// What units pay, charge by charge; those that pay the same in a step share a sentence.
export function paid(receipts, titles) {
  const alike = new Map();
  for (const one of receipts) {
    const key = JSON.stringify([one.step, one.amount, one.points, one.charges]);
    alike.set(key, [...(alike.get(key) ?? []), one]);
  }
  return [...alike.values()].map(([one, ...others]) => {
    const charges = one.charges.map((each) => `${amount(each.amount)} for ${each.note || titles.of(each.clause)} (${each.clause})`);
    const who = others.length ? `${list([one, ...others].map((each) => each.unit))} pay ${points(one.amount, one.points)} each` : `${one.unit} pays ${points(one.amount, one.points)}`;
    return `${who}${charges.length ? `: ${charges.join(", ")}` : ""}.`;
  });
}

// A judgement of actions: whether they are legal, what they cost, what comes of them.
export function judged(title, verdict, titles, chosen) {
  const faults = [...verdict.violations, ...verdict.unsupported].map((one) => fault(one, chosen));
  if (!isLegal(verdict)) return [`${title}: ${verdict.status === "UNSUPPORTED" ? "not modelled" : "not allowed"}.`, ...faults, verdict.stopped === null ? "" : "Nothing after this step can be checked."].filter(Boolean);
  const sums = new Map();
  for (const one of verdict.receipts) sums.set(one.unit, { ...one, amount: (sums.get(one.unit)?.amount ?? 0) + one.amount });
  const each = paid(verdict.receipts, titles);
  const costs = each.length <= FEW ? each : [...sums.values()].map((one) => `${one.unit} pays ${points(one.amount, one.points)} in all.`);
  return [
    `${title}: legal.`,
    ...costs,
    ...derived(verdict.details).map((one) => `${one}.`),
    verdict.slack.length ? `${list(verdict.slack.map((one) => `${one.unit} has ${remaining(one.left, one.points)}`))}.` : "",
    ...endEffects(verdict.effects).map((one) => `${one.unit} ${one.text} (${one.clause}).`),
    ...verdict.exceptions.map((one) => `${capital(one.note)} (${one.clause}).`),
    ...verdict.obligations.map((one) => `Then: ${dueSaid(one, titles)}`),
  ].filter(Boolean);
}

// What a unit cannot do now: the actions by the reason that they share, the most frequent first.
export function barredSaid(barred) {
  const byReason = new Map();
  for (const { verb, note, clauses: [id] } of barred) byReason.set(`${note} (${id})`, [...(byReason.get(`${note} (${id})`) ?? []), said(verb).toLowerCase()]);
  return [...byReason].sort(([, a], [, b]) => b.length - a.length).map(([why, verbs]) => `Not ${list(verbs)}: ${why}.`);
}

// The hexes of a Location inspected: terrain, level, and hexsides that matter.
export function hexSaid(one) {
  const more = [...one.also, one.depression ? `in a ${one.depression}` : null, one.stairway ? "stairway" : null].filter(Boolean);
  const sides = one.sides.filter((side) => side.words.length || !side.to).map((side) => `${side.direction}${side.to ? ` to ${side.to}` : ""}: ${side.words.join(", ") || "off the map"}`);
  return `${one.at}: ${[one.terrain, ...more].join(", ")}, level ${one.level}.${one.drawn.length ? ` Also drawn in the hex: ${one.drawn.join(", ")}.` : ""}${sides.length ? ` Hexsides: ${sides.join("; ")}.` : ""}`;
}

// The name most like a word, if one is.
export function nearest(word, names) {
  let best = null;
  let least = Math.min(3, word.length);
  for (const name of names) {
    const far = apart(word.toLowerCase(), name.toLowerCase());
    if (far < least) [best, least] = [name, far];
  }
  return best;
}

// How many letters are to be changed, added or left out between two words.
function apart(one, other) {
  let row = [...Array(other.length + 1).keys()];
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + Number(one[i - 1] !== other[j - 1])));
    row = next;
  }
  return row[other.length];
}
