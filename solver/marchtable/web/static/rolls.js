// A roll that is due: what came of it is unitOptions, or thrown here.

import { button, chance, el, owed, possible } from "./words.js";

// Resolves to an outcome's name, or null where it was put off.
export function askRoll(due, titles) {
  const what = owed(due);
  const dialog = el("dialog", { id: "roll", "aria-labelledby": "roll-title" });
  return new Promise((done) => {
    const close = (outcome) => {
      dialog.close();
      dialog.remove();
      done(outcome);
    };
    const odds = what === "roll" ? due.outcomes.filter((one) => one.of) : [];
    const numbered = due.outcomes.find((one) => /-\d+$/.test(one.outcome));
    const shown = el("p", { role: "status", class: "thrown" });
    const settle = el("div", { class: "row" });
    const put = () => button("Later", () => close(null), { class: "plain" });
    const throwIt = () => {
      const outcome = thrown(odds);
      shown.textContent = `Rolled: ${outcome}.`;
      for (const one of dialog.querySelectorAll(".odds button")) one.disabled = true; // it was rolled
      settle.replaceChildren(shown, button("Use it", () => close(outcome), { class: "primary" }));
      settle.querySelector("button").focus();
    };
    settle.append(shown, odds.length ? button("Roll", throwIt, { class: "primary" }) : "", put());
    dialog.append(
      el("h2", { id: "roll-title", tabindex: -1, autofocus: true }, `A ${what} is due for ${due.unit}`),
      el("p", {}, `${titles.of(due.clause)} `, el("span", { class: "cost" }, due.clause)),
      due.note ? el("p", {}, numbered && what === "roll" ? `The number in a result, as in ${numbered.outcome}: ${due.note}.` : due.note) : "",
      el("p", { class: "aside-note" }, what === "choice" ? "Choose one:" : odds.length ? "Choose what you rolled, or roll here:" : "Choose what you rolled:"),
      el("div", { class: "odds" }, possible(due).map((one) => button([el("span", {}, one.outcome), el("span", { class: "cost" }, what === "roll" ? chance(one) : "")], () => close(one.outcome)))),
      settle, // always in sight
    );
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      close(null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

// One of the outcomes, each with its chance.
export function thrown(odds) {
  let at = crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32;
  for (const one of odds) {
    at -= one.chance / one.of;
    if (at < 0) return one.outcome;
  }
  return odds.at(-1).outcome;
}
