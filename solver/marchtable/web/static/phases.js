// The end of a phase: what speaks against it is told before.

import { button, el, faults } from "./words.js";

export function endPhase(game) {
  const { view, titles } = game;
  const dialog = el("dialog", { id: "phase", "aria-labelledby": "phase-title" });
  const at = view.phases.indexOf(view.phase);
  const others = view.players.filter((name) => name !== view.side);
  const isLast = at === view.phases.length - 1;
  const phase = el("select", { id: "next-phase" }, view.phases.map((name) => el("option", { selected: name === view.phases[(at + 1) % view.phases.length] }, name)));
  const side = el("select", { id: "next-side" }, view.players.map((name) => el("option", { selected: name === (isLast && others.length ? others[0] : view.side) }, name)));
  const told = el("div", { class: "told", role: "status" }, "Asking …");
  const buttons = el("div", { class: "row" });
  const close = () => {
    dialog.close();
    dialog.remove();
  };
  const entry = () => `phase ${phase.value}${side.value !== view.side || isLast ? ` side=${side.value}` : ""}`;
  let asked = 0;
  const look = async () => {
    const mine = ++asked;
    buttons.replaceChildren(button("Not yet", close));
    try {
      const [verdict, still] = await Promise.all([game.ask("check", { log: [entry()] }), game.ask("options", { reach: false })]);
      if (mine !== asked) return;
      const isLegal = verdict.status === "LEGAL";
      const open = still.units.filter((one) => one.actions.length && !(still.pending.length));
      const off = view.units.filter((one) => view.sides.includes(one.side) && !one.at && open.some((other) => other.unit === one.unit));
      told.replaceChildren(
        ...[
          still.pending.length ? el("p", { class: "faults" }, `First a roll is due: ${still.pending.map((one) => `${one.unit} (${one.note || titles.of(one.clause)})`).join(", ")}.`) : null,
          verdict.violations.length ? el("div", {}, el("p", { class: "faults" }, "The phase may not end so:"), faults(verdict.violations, titles)) : null,
          verdict.unsupported.length ? faults(verdict.unsupported, titles) : null,
          off.length ? el("p", {}, `Not yet on the map: ${off.map((one) => one.unit).join(", ")}.`) : null,
          open.length ? el("p", {}, `Could still act: ${open.map((one) => `${one.unit}${one.left ? ` (${one.left} ${one.points})` : ""}`).join(", ")}.`) : el("p", {}, "Nobody has anything left to do."),
          verdict.effects.length ? el("ul", { class: "plainlist" }, verdict.effects.filter((one) => one.told).map((one) => el("li", {}, `${one.unit} ${one.told}`))) : null,
          verdict.exceptions.length ? el("ul", { class: "plainlist" }, verdict.exceptions.map((one) => el("li", {}, one.note))) : null,
        ].filter(Boolean),
      );
      const go = (anyway) => async () => {
        close();
        await game.play([entry()], anyway);
      };
      buttons.replaceChildren(button("Not yet", close), isLegal ? button("End the phase", go(false), { class: "primary" }) : verdict.stopped === null ? button("End it all the same (what if)", go(true)) : "");
    } catch (error) {
      told.replaceChildren(el("p", { class: "faults" }, error.message));
    }
  };
  phase.addEventListener("change", look);
  side.addEventListener("change", look);
  dialog.append(
    el("h2", { id: "phase-title" }, `End ${view.side}’s ${view.phase}?`),
    el("div", { class: "row" }, el("label", {}, "Next ", phase), el("label", {}, "for ", side)),
    told, buttons);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  look();
}
