// A unit is chosen: what it can do is asked, its reach shaded, and what is due shown.

import { Refusal } from "./api.js";
import { isOfLine, lineOf } from "./lines.js";
import { thread } from "./sight.js";
import { hover } from "./ways.js";
import { $, broken, debt, el, owed, remaining } from "./words.js";

const AHEAD = 12; // units that are asked about ahead

export async function choose(game, unit, { still = false } = {}) {
  game.seen.chosen = unit;
  game.seen.hex = null;
  game.seen.options = game.seen.failure = game.seen.blocker = game.seen.idle = game.seen.line = null;
  game.seen.via = [];
  if (!still) game.seen.proposal = game.seen.elsewhere = null;
  game.seen.ways.clear();
  game.seen.aiming = null;
  game.seen.asking?.abort();
  game.board.select(unit);
  thread(game, null);
  if (!still || !unit) game.board.way([]);
  if (!unit) shade(game, null);
  game.overlay();
  if (!still && unit && !game.seen.texting) game.seen.tab = "unit";
  game.show();
  game.seen.asking = new AbortController();
  const { signal } = game.seen.asking;
  try {
    game.seen.failure = game.notHis(unit);
    if (game.seen.failure) {
      shade(game, null);
      if (!still) game.say(game.seen.failure);
      game.show();
    }
    if (!unit || game.seen.failure) {
      // Asked of whom one may choose first, and to the end: what is found of a new board is kept.
      const { units, sides } = game.seen.view;
      const first = units.find((one) => one.at && sides.includes(one.side)) ?? units[0];
      if (!first) return due(game, []);
      const { pending } = await game.ask("options", { unit: first.unit }, { signal });
      due(game, pending);
      return askAhead(game, first, signal);
    }
    const started = performance.now();
    const found = await game.ask("options", { unit }, { signal });
    game.seen.options = found;
    if (!found.units) throw new Refusal(200, "This was not answered within the limit.");
    const { reach, actions } = found.units[0];
    // Who leads others leads them to where it could go alone.
    if (reach && actions.some(isOfLine)) Object.assign(reach, await game.get(`/games/${game.id}/reach-alone/${encodeURIComponent(unit)}`, { step: game.wanted }));
    if (signal.aborted) return;
    const left = reach?.locations ?? {};
    shade(game, Object.keys(left).length > 1 ? left : null);
    performance.measure("click to reach", { start: started });
    due(game, found.pending);
    game.show();
    if (game.board.gesture?.at) hover(game, { at: game.board.gesture.at });
    const unitOptions = found.units[0];
    if (!found.pending.length && !unitOptions.actions.length) {
      game.seen.line = await lineOf(game, unit, signal);
      game.show();
    }
    if (!found.pending.length && Object.keys(left).length <= 1 && !actions.some(isOfLine)) await findBlocker(game, unitOptions, signal);
    if (game.seen.blocker) game.say(`First ${game.seen.blocker.units.join(", ")}: ${broken(game.seen.blocker, game.seen.blocker.units[0])}`, true);
    else if (game.seen.idle) game.say(`${unit}: ${broken(game.seen.idle)}`);
    else game.say(found.pending.length ? `First a ${owed(found.pending[0])} is due.` : `${unit}: ${remaining(unitOptions.left, unitOptions.points)}`);
  } catch (error) {
    if (error.name === "AbortError") return;
    game.seen.failure = error.message;
    game.show();
    game.failed(error);
  }
}

// The reach on the map, and what it means beside it.
export function shade(game, left) {
  const count = game.board.shade(left);
  $("#legend").hidden = !count;
  if (!count) return;
  const { at, points, actions } = game.unitOptions;
  const many = count - Number(Boolean(at)); // beside its own
  const isLine = actions.some(isOfLine);
  $("#reached").replaceChildren(`${game.seen.chosen} can reach ${isLine ? "up to " : ""}${many} ${many === 1 ? "hex" : "hexes"}${isLine ? ": fewer if those after it pay more" : ""}`, el("span", { class: "wide" }, ` (darker: more ${points} left)`));
}

// Write on each hex what is left there, or no more.
export function costs(game, shown = !game.board.svg.classList.contains("costs")) {
  game.board.svg.classList.toggle("costs", shown);
  $("#costs").setAttribute("aria-pressed", String(shown));
  localStorage.setItem("costs", shown ? "yes" : "");
}

// While nobody is chosen yet the others are asked about, too: the first click finds the board known.
export async function askAhead(game, first, signal) {
  if (game.seen.hasAsked || !game.isLast) return;
  game.seen.hasAsked = true;
  const others = game.seen.view.units.filter((one) => one.at && one !== first && game.mayAct(one.unit));
  for (const { unit } of others.slice(0, AHEAD)) if (!signal.aborted) await game.ask("options", { unit }, { signal, quiet: true }).catch(() => {});
}

// Units of the same side as another that a text names.
const named = (game, text, unit) => game.seen.view.units.filter((one) => one.unit !== unit && one.side === game.unit(unit).side && text.split(/[\s,]+/).includes(one.unit)).map((one) => one.unit);

// Does another unit's move, which must end first, bar nearly all that this one could do? A clause that stands
// against nearly everything is looked up with an action that it alone bars.
export async function findBlocker(game, unitOptions, signal) {
  const counts = new Map();
  for (const { clauses } of unitOptions.barred) for (const id of clauses) counts.set(id, (counts.get(id) ?? 0) + 1);
  const plain = new Map(); // an action that a clause alone bars, by the clause
  for (const { clauses: [id, more], closest, note } of unitOptions.barred) if (!more && counts.get(id) > unitOptions.barred.length / 2) {
    game.seen.idle ??= { reason: note, clause: id };
    if (closest) plain.set(id, closest);
  }
  for (const [id, action] of plain) {
    const found = await game.ask("check", { log: [action] }, { signal, quiet: true });
    const faults = found.violations.filter((one) => one.clause === id);
    const all = [...new Set(faults.flatMap((one) => one.units))];
    const units = all.includes(unitOptions.unit) ? named(game, faults[0].reason, unitOptions.unit) : all; // who must end first
    if (!units.length) continue;
    const line = units.length > 1 ? await lineOf(game, units[0], signal) : null;
    game.seen.blocker = { ...faults[0], units, leads: line ? [line.costs[0].unit] : units };
    game.board.way([]);
    return game.show();
  }
  game.show();
}

export function due(game, pending = []) { // an answer that came too late names none
  game.seen.pending = pending;
  const shown = $("#due");
  const owes = debt(game.seen.view);
  shown.hidden = !(pending.length || owes) || !game.isLast;
  if (owes) shown.textContent = owes;
  if (pending.length) shown.textContent = `A ${owed(pending[0])} is due${game.rolls ? ` from ${game.rolls}` : ""}: ${pending[0].unit}`;
}
