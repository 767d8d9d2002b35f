// The log: what was played, each entry with its receipt; a click goes to the step.

import { go, toBranch } from "./playing.js";
import { room } from "./room.js";
import { button, el, faults, isLegal, outcomes, phaseSaid, receipt, entrySaid, spoken } from "./words.js";

export function journalPanel(game) {
  const { info } = game.seen; const { titles } = game;
  const found = [];
  if (info.branches.length > 1)
    found.push(el("p", {}, el("label", {}, "Branch ", el("select", { id: "branch", onchange: (event) => toBranch(game, event.target.value) },
      info.branches.map((name) => el("option", { value: name, selected: name === info.branch }, name))))));
  if (!info.log.length) {
    found.push(el("p", { class: "aside-note" }, "Nothing has been played yet."));
    return found;
  }
  found.push(el("div", { class: "row" }, game.hasHidden ? null : button("Check the whole log", () => judge(game), { id: "why-log" }), button("Replay", () => go(game, 0), { id: "replay" })), whole(game));
  const step = game.step;
  const said = stepsSaid(game);
  const first = el("li", { class: `begun${step === 0 ? " now" : ""}` }, button(`The beginning (${phaseSaid(info.phases[0])})`, () => go(game, 0), { class: "plain", "aria-current": step === 0 ? "step" : null }));
  found.push(el("ol", { class: "log", "aria-label": "Log" }, first, info.log.map((entry, number) => said[number] && line(game, entry, number + 1, titles, said[number], info.phases.some((one) => one.step === number + 1) ? "begun" : ""))));
  return found;
}

/**
 * The others of the line that a unit is in after entries: of who paid for its last Impulse those that nothing parted from it since.
 * @param {any[]} log @param {string} unit
 */
export function inLine(log, unit) {
  const paid = (one) => [...new Set((one.verdict?.receipts ?? []).map((each) => each.unit))];
  const last = log.findLastIndex((one) => one.entry?.startsWith("impulse ") && paid(one).includes(unit));
  if (last < 0) return [];
  const line = new Map(paid(log[last]).map((name) => [name, ""]));
  for (const { verdict } of log.slice(last)) for (const one of verdict?.effects ?? []) if (one.field === "convoy" && line.has(one.unit)) line.set(one.unit, one.value || one.unit);
  return [...line].filter(([name, part]) => name !== unit && part === line.get(unit)).map(([name]) => name);
}

// Each entry of the log in words; one that begins a phase, as the head of what is played in it.
export function stepsSaid({ seen: { info } }) {
  return info.log.map((one, number) => {
    const begun = info.phases.find(({ step }) => step === number + 1);
    if (begun) return phaseSaid(begun);
    const [verb, unit] = one.entry?.split(" ") ?? [];
    const others = verb === "end" ? inLine(info.log.slice(0, number), unit) : []; // a line ends its move as one
    return others.length ? `${entrySaid(one)}, and that of ${others.join(", ")}` : entrySaid(one);
  });
}

// The log as far as it is shown, judged from the beginning as one.
async function judge(game) {
  const { seen } = game;
  const log = game.seen.info.log.slice(0, game.step).map((entry) => entry.entry);
  try {
    seen.judged = { info: seen.info, step: game.step, found: await game.ask("why", { log }, { step: 0 }) };
    game.show();
  } catch (error) {
    game.failed(error);
  }
}

function whole(game) {
  const { judged } = game.seen; const { titles } = game;
  if (judged?.info !== game.seen.info || judged.step !== game.step) return null;
  const { found } = judged;
  const isFine = isLegal(found);
  return el("div", { class: `card next${isFine ? "" : " bad"}`, id: "log-judged", role: "status" },
    el("h2", {}, isFine ? "Every step is legal" : found.status === "UNSUPPORTED" ? "Part of it is not modelled" : "A step is not legal"),
    found.first === null ? null : el("p", {}, "The first one: ", button(`${found.first + 1}. ${spoken(found.log[found.first])}`, () => go(game, found.first + 1))),
    faults([...found.violations, ...found.unsupported], titles),
    isFine && !found.slack.length ? el("p", {}, "No clause limits what is left.") : room(found, titles, true));
}

function line(game, entry, after, titles, said, begun) {
  const { verdict } = entry;
  const undone = after > game.seen.info.step;
  const step = { class: "plain", "aria-current": after === game.step ? "step" : null };
  if (!verdict) return el("li", { class: `${begun}${after === game.step ? " now" : ""}` }, button(said, () => go(game, after), step));
  const isFault = !isLegal(verdict);
  const kinds = [begun, after === game.step ? "now" : "", isFault ? "fault" : "", undone ? "later" : ""].join(" ").trim();
  const price = verdict.receipts.map((one) => `${one.amount} ${one.points}`);
  const cost = [...new Set(price)].join(", ");
  const more = outcomes(verdict, titles);
  return el("li", { class: kinds },
    button(said, () => go(game, after), { ...step, title: entry.entry }),
    undone ? el("span", { class: "cost" }, "taken back") : null,
    verdict.receipts.length || more.length
      ? el("details", { class: "fold cost" }, el("summary", {}, cost || "details"), verdict.receipts.map((one) => receipt(one, titles)),
          el("ul", { class: "plainlist" }, more))
      : null,
    isFault ? el("div", { class: "whole faults" }, el("strong", {}, verdict.status === "UNSUPPORTED" ? "Not modelled" : "Not legal, played as a what-if"), faults([...verdict.violations, ...verdict.unsupported], titles)) : null);
}
