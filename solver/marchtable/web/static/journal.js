// The log: what was played, each entry with its receipt; a click goes to the step.

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
  const step = game.step;
  const first = el("li", { class: step === 0 ? "now" : "" }, button("The beginning", () => game.go(0), { class: "plain", "aria-current": step === 0 ? "step" : null }));
  found.push(el("ol", { class: "log", "aria-label": "Log" }, first, info.log.map((entry, number) => line(game, entry, number + 1, titles))));
  return found;
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
