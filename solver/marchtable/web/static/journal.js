// The log: what was played, each entry with its receipt; a click goes to the step.

import { ask } from "./api.js";
import { room } from "./plans.js";
import { button, clause, el, faults, receipt } from "./words.js";

export function journalPanel(game) {
  const { info, titles } = game;
  const found = [];
  if (info.branches.length > 1)
    found.push(el("p", {}, el("label", {}, "Branch ", el("select", { id: "branch", onchange: (event) => game.toBranch(event.target.value) },
      info.branches.map((name) => el("option", { value: name, selected: name === info.branch }, name))))));
  if (!info.log.length) {
    found.push(el("p", { class: "aside-note" }, "Nothing has been played yet."));
    return found;
  }
  found.push(el("div", { class: "row" }, button("Is it sound, and what room does it leave?", () => judge(game), { id: "why-log" }), button("Replay", () => game.go(0), { id: "replay" })), whole(game));
  const step = game.step;
  const first = el("li", { class: step === 0 ? "now" : "" }, button("The beginning", () => game.go(0), { class: "plain", "aria-current": step === 0 ? "step" : null }));
  found.push(el("ol", { class: "log", "aria-label": "Log" }, first, info.log.map((entry, number) => line(game, entry, number + 1, titles))));
  return found;
}

// The log as far as it is shown, judged from the beginning as one.
async function judge(game) {
  const log = game.info.log.slice(0, game.step).map((entry) => entry.entry);
  try {
    game.judged = { etag: game.info.etag, step: game.step, found: await ask(game.path(`/api/games/${game.id}/why`, { step: 0 }), { log }) };
    game.show();
  } catch (error) {
    game.failed(error);
  }
}

function whole(game) {
  const { judged, titles } = game;
  if (judged?.etag !== game.info.etag || judged.step !== game.step) return null;
  const { found } = judged;
  const isLegal = found.status === "LEGAL";
  return el("div", { class: `card next${isLegal ? "" : " bad"}`, id: "log-judged", role: "status" },
    el("h2", {}, isLegal ? "Every step is legal" : found.status === "UNSUPPORTED" ? "Not all of it can be judged" : "It goes wrong"),
    found.first === null ? null : el("p", {}, "First here: ", button(`${found.first + 1}. ${found.log[found.first]}`, () => game.go(found.first + 1))),
    faults([...found.violations, ...found.unsupported], titles),
    isLegal && !found.slack.length ? el("p", {}, "No clause counts what is left.") : room(found, titles, true));
}

function line(game, entry, after, titles) {
  const { verdict } = entry;
  const isFault = !["LEGAL", "OPTIMAL", "FEASIBLE"].includes(verdict.status);
  const undone = after > game.info.step;
  const kinds = [after === game.step ? "now" : "", isFault ? "fault" : "", undone ? "later" : ""].join(" ").trim();
  const price = verdict.receipts.map((one) => `${one.amount} ${one.points}`);
  const cost = [...new Set(price)].join(", ");
  return el("li", { class: kinds },
    button(entry.entry, () => game.go(after), { class: "plain", "aria-current": after === game.step ? "step" : null }),
    undone ? el("span", { class: "cost" }, "taken back") : null,
    verdict.receipts.length || verdict.exceptions.length || verdict.effects.some((one) => one.told)
      ? el("details", { class: "fold cost" }, el("summary", {}, cost || "more"), verdict.receipts.map((one) => receipt(one, titles)),
          el("ul", { class: "plainlist" }, verdict.effects.filter((one) => one.told).map((one) => el("li", {}, `${one.unit} ${one.told} `, clause(one.clause, titles))),
            verdict.exceptions.map((one) => el("li", {}, `${one.note} `, clause(one.clause, titles)))))
      : null,
    isFault ? el("div", { class: "whole faults" }, el("strong", {}, verdict.status === "UNSUPPORTED" ? "Not judged" : "Illegal, played as a what-if"), faults([...verdict.violations, ...verdict.unsupported], titles)) : null);
}
