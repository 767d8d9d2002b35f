// The end of a phase: first the page shows what speaks against it.

import { choose } from "./choosing.js";
import { play } from "./playing.js";
import { able, trifles, waits } from "./waiting.js";
import { $, button, el, entryOf, faults, isLegal, outcomes, owed, said } from "./words.js";

const FEW = 3; // units that keep a phase from ending and are led to

// Whose phase comes next by the rules: the first with the least that speaks against it; none for the same side's.
export async function nextSide(game, phase) {
  const { side, players } = game.seen.view;
  const whose = ["", ...players.filter((name) => name !== side)];
  const faults = (await Promise.all(whose.map((one) => game.ask("check", { log: [entryOf(phase, one)] })))).map((one) => one.violations.length + one.unsupported.length);
  return whose[faults.indexOf(Math.min(...faults))];
}

// How the end of the phase is judged, and what is left to be done, in sentences.
export async function ending(game, entry) {
  const { view } = game.seen; const { titles } = game;
  const [verdict, still] = await Promise.all([game.ask("check", { log: [entry] }), game.ask("options", { reach: false })]);
  const units = still.pending.length ? [] : still.units;
  // Whose a unit is, if it is not his whose phase it is, what it has left, and what it can do if that costs nothing.
  const noted = (one) => {
    const whose = view.units.find((other) => other.unit === one.unit)?.side;
    const only = trifles(one).map((verb) => said(verb).toLowerCase());
    const words = [whose === view.side ? "" : whose, one.left ? `${one.left} ${one.points}` : "", only.length ? `only ${only.join(", ")}` : ""].filter(Boolean);
    return words.length ? `${one.unit} (${words.join(", ")})` : one.unit;
  };
  const waiting = new Map(); // who waits, by whom they wait for
  for (const one of units) {
    const [first] = one.left ? waits(one, view.units, game.precedence) : [];
    const names = first && able(first.units, units).join(", ");
    if (first) waiting.set(names, [...(waiting.get(names) ?? []), one]);
  }
  const held = [...waiting.values()].flat();
  const open = units.filter((one) => !held.includes(one) && one.actions.some((each) => each.verb !== "end"));
  const off = view.units.filter((one) => view.sides.includes(one.side) && !one.at && open.some((other) => other.unit === one.unit));
  const notes = [
    off.length ? `Not yet on the map: ${off.map((one) => one.unit).join(", ")}.` : "",
    open.length ? `Could still act: ${open.map(noted).join(", ")}.` : held.length ? "" : "No unit has a listed action left.",
    ...[...waiting].map(([names, all]) => `Once ${names} ${names.includes(",") ? "have" : "has"} finished: ${all.map((one) => `${one.unit} (${one.left} ${one.points})`).join(", ")}.`),
  ].filter(Boolean);
  const due = still.pending.length ? `First a ${owed(still.pending[0])} is due: ${still.pending.map((one) => `${one.unit} (${one.note || titles.of(one.clause)})`).join(", ")}.` : "";
  return { verdict, notes, due };
}

// Whose moving phases come later, with the entries that go on to them: who has nothing to do until then leaves out the phases between.
export function farther(game) {
  const { phase, phases, players, side } = game.seen.view;
  const isAhead = phases.indexOf(game.movingPhase) > phases.indexOf(phase);
  const others = players.filter((name) => name !== side).map((name) => [name, entryOf(game.movingPhase, name)]);
  return phases.length < 3 || !game.movingPhase ? [] : isAhead ? [[side, entryOf(game.movingPhase, "")]] : others;
}

export function endPhase(game) {
  if ($("#phase")) return;
  const { view } = game.seen; const { titles } = game;
  const dialog = el("dialog", { id: "phase", "aria-labelledby": "phase-title" });
  const phase = el("select", { id: "next-phase" }, view.phases.map((name) => el("option", { selected: name === view.next }, name)));
  const side = el("select", { id: "next-side" }, [["", `${view.side}, the same turn`], ...view.players.map((name) => [name, `${name}, a new turn`])].map(([value, text]) => el("option", { value }, text)));
  const status = el("div", { class: "judged", role: "status" }, "Asking …");
  const buttons = el("div", { class: "row" });
  const close = () => {
    dialog.close();
    dialog.remove();
  };
  const entry = () => entryOf(phase.value, side.value);
  let asked = 0;
  const suggest = async () => {
    const mine = ++asked;
    const whose = await nextSide(game, phase.value);
    if (mine === asked) side.value = whose;
  };
  const look = async () => {
    const mine = ++asked;
    buttons.replaceChildren(button("Not yet", close));
    try {
      const { verdict, notes, due } = await ending(game, entry());
      if (mine !== asked) return;
      const more = outcomes(verdict, titles);
      status.replaceChildren(
        ...[
          due ? el("p", { class: "faults" }, due) : null,
          verdict.violations.length ? el("div", {}, el("p", { class: "faults" }, "The phase cannot end yet:"), faults(verdict.violations, titles, view.side)) : null,
          verdict.unsupported.length ? faults(verdict.unsupported, titles) : null,
          ...notes.map((note) => el("p", {}, note)),
          more.length ? el("ul", { class: "plainlist" }, more) : null,
        ].filter(Boolean),
      );
      const go = (entry, anyway = false) => async () => {
        close();
        $("#panel").focus({ preventScroll: true }); // the button that it was opened with may be no more of use
        await play(game, [entry], anyway);
      };
      const end = entry();
      const who = [...new Set(verdict.violations.flatMap((one) => one.units))].filter((unit) => game.mayAct(unit)).slice(0, FEW);
      const far = isLegal(verdict) ? farther(game).filter(([, one]) => one !== end) : [];
      const omitted = await Promise.all(far.map(([, one]) => game.ask("check", { log: [one] })));
      if (mine !== asked) return;
      status.append(...far.flatMap(([name], at) => omitted[at].exceptions.map((one) => el("p", {}, `On to ${name}’s ${game.movingPhase}: ${one.note}.`))));
      buttons.replaceChildren(button("Not yet", close),
        ...who.map((unit) => button(`Choose ${unit}`, () => { close(); choose(game, unit); }, { class: "primary" })),
        isLegal(verdict) ? button(`Go on to ${side.value && side.value !== view.side ? `${side.value}’s ` : ""}${phase.value}`, go(end), { class: "primary" }) : verdict.stopped === null && game.mayTry ? button("End it anyway (what if)", go(end, true)) : "",
        ...far.map(([name, one]) => button(`On to ${name}’s ${game.movingPhase}`, go(one), { title: "The phases between are left out" })));
    } catch (error) {
      status.replaceChildren(el("p", { class: "faults" }, error.message));
    }
  };
  phase.addEventListener("change", () => suggest().then(look, look));
  side.addEventListener("change", look);
  dialog.append(
    el("h2", { id: "phase-title" }, `End ${view.side}’s ${view.phase}?`),
    el("div", { class: "row" }, el("label", {}, "Next ", phase), el("label", {}, "for ", side)),
    status, buttons);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  suggest().then(look, look);
}
