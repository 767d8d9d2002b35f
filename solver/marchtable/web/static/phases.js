// The end of a phase: what speaks against it is told before.

import { play } from "./playing.js";
import { button, el, faults, isLegal, outcomes, owed } from "./words.js";

export function endPhase(game) {
  const { view } = game.seen; const { titles } = game;
  const dialog = el("dialog", { id: "phase", "aria-labelledby": "phase-title" });
  const phase = el("select", { id: "next-phase" }, view.phases.map((name) => el("option", { selected: name === view.next }, name)));
  const side = el("select", { id: "next-side" }, [["", `${view.side}, the same turn`], ...view.players.map((name) => [name, `${name}, a new turn`])].map(([value, text]) => el("option", { value }, text)));
  const told = el("div", { class: "told", role: "status" }, "Asking …");
  const buttons = el("div", { class: "row" });
  const close = () => {
    dialog.close();
    dialog.remove();
  };
  const entry = (whose = side.value) => `phase ${phase.value}${whose ? ` side=${whose}` : ""}`;
  const check = (whose) => game.ask("check", { log: [entry(whose)] });
  // Whose a unit is, if it is not his whose phase it is, and what it has left.
  const noted = ({ unit, left, points }) => {
    const whose = view.units.find((one) => one.unit === unit)?.side;
    const words = [whose === view.side ? "" : whose, left ? `${left} ${points}` : ""].filter(Boolean);
    return words.length ? ` (${words.join(", ")})` : "";
  };
  let asked = 0;
  // Whose phase comes next the rules tell: the first with the least that speaks against it.
  const suggest = async () => {
    const mine = ++asked;
    const whose = ["", ...view.players.filter((name) => name !== view.side)];
    const faults = (await Promise.all(whose.map(check))).map((one) => one.violations.length + one.unsupported.length);
    if (mine === asked) side.value = whose[faults.indexOf(Math.min(...faults))];
  };
  const look = async () => {
    const mine = ++asked;
    buttons.replaceChildren(button("Not yet", close));
    try {
      const [verdict, still] = await Promise.all([check(), game.ask("options", { reach: false })]);
      if (mine !== asked) return;
      const more = outcomes(verdict, titles);
      const open = still.units.filter((one) => one.actions.length && !(still.pending.length));
      const off = view.units.filter((one) => view.sides.includes(one.side) && !one.at && open.some((other) => other.unit === one.unit));
      told.replaceChildren(
        ...[
          still.pending.length ? el("p", { class: "faults" }, `First a ${owed(still.pending[0])} is due: ${still.pending.map((one) => `${one.unit} (${one.note || titles.of(one.clause)})`).join(", ")}.`) : null,
          verdict.violations.length ? el("div", {}, el("p", { class: "faults" }, "The phase cannot end yet:"), faults(verdict.violations, titles, view.side)) : null,
          verdict.unsupported.length ? faults(verdict.unsupported, titles) : null,
          off.length ? el("p", {}, `Not yet on the map: ${off.map((one) => one.unit).join(", ")}.`) : null,
          open.length ? el("p", {}, `Could still act: ${open.map((one) => `${one.unit}${noted(one)}`).join(", ")}.`) : el("p", {}, "No unit has anything left to do."),
          more.length ? el("ul", { class: "plainlist" }, more) : null,
        ].filter(Boolean),
      );
      const go = (anyway) => async () => {
        close();
        await play(game, [entry()], anyway);
      };
      buttons.replaceChildren(button("Not yet", close), isLegal(verdict) ? button("End the phase", go(false), { class: "primary" }) : verdict.stopped === null ? button("End it anyway (what if)", go(true)) : "");
    } catch (error) {
      told.replaceChildren(el("p", { class: "faults" }, error.message));
    }
  };
  phase.addEventListener("change", () => suggest().then(look, look));
  side.addEventListener("change", look);
  dialog.append(
    el("h2", { id: "phase-title" }, `End ${view.side}’s ${view.phase}?`),
    el("div", { class: "row" }, el("label", {}, "Next ", phase), el("label", {}, "for ", side)),
    told, buttons);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  suggest().then(look, look);
}
