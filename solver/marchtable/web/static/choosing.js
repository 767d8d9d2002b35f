// A unit is chosen: what it can do is asked, its reach shaded, and what is due shown.

import { RequestError } from "./api.js";
import { isOfLine, lineOf, mates, sharedReach } from "./lines.js";
import { thread } from "./sight.js";
import { able, hands, surelyBarred, waits } from "./waiting.js";
import { unlocking } from "./proposals.js";
import { foremost, hover, way } from "./ways.js";
import { $, broken, capital, debt, el, owed, places, remaining } from "./words.js";

const AHEAD = 12; // units that are asked about ahead

export async function choose(game, unit, { still = false, stack = unit === game.seen.chosen ? game.seen.stack : [] } = {}) {
  game.seen.chosen = unit;
  game.seen.stack = stack;
  game.seen.hex = null;
  game.seen.options = game.seen.failure = game.seen.blocker = game.seen.idle = game.seen.line = game.seen.stays = null;
  game.seen.hands = [];
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
    if (!found.units) throw new RequestError(200, "This was not answered within the limit.");
    const { reach, actions } = found.units[0];
    found.units[0].barred = surelyBarred(found.units[0]);
    if (signal.aborted) return;
    game.seen.stack = stack.filter((name) => mates(game).includes(name));
    const shared = sharedReach(game); // who leads a line leads it to where it could go alone
    if (reach && shared) Object.assign(reach, await game.get(shared, { step: game.wanted }));
    if (signal.aborted) return;
    const left = reach?.locations ?? {};
    shade(game, Object.keys(left).length > 1 ? left : null);
    performance.measure("click to reach", { start: started });
    due(game, found.pending);
    game.show();
    if (game.board.gesture?.at) hover(game, { at: game.board.gesture.at });
    const unitOptions = found.units[0];
    const isFree = found.pending.length || Object.keys(left).length > 1 || actions.some(isOfLine);
    if (!isFree) {
      if (!actions.length || game.unit(unit).note) game.seen.line = await lineOf(game, unit, signal);
      if (!game.seen.line) await findBlocker(game, unitOptions, signal);
      if (!game.seen.line && !game.seen.blocker) await findBar(game, unitOptions, signal);
      if (signal.aborted) return;
      game.show();
    }
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
  $("#reached").replaceChildren(`${[game.seen.chosen, ...game.seen.stack].join(", ")} ${isLine ? "can reach up to " : game.seen.stack.length ? "together can reach " : mates(game).length ? "alone can reach " : "can reach "}${many} ${many === 1 ? "hex" : "hexes"}${isLine ? ": fewer if those after it pay more" : ""}`, el("span", { class: "wide" }, ` (darker: more ${points} left)`));
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

// Must others move before a unit can do more than trifles? What keeps it waiting is judged, so that all who are at fault are known.
async function findBlocker(game, unitOptions, signal) {
  const { units } = game.seen.view;
  const [first] = waits(unitOptions, units, game.precedence);
  if (!first) {
    game.seen.blocker = await finisher(game, unitOptions, signal);
    if (game.seen.blocker) return game.show();
    if (!unitOptions.actions.some((one) => one.verb !== "end")) game.seen.hands = hands(unitOptions.unit, (await game.ask("options", { reach: false }, { signal, quiet: true })).units ?? []);
    game.seen.idle = idleOf(unitOptions, game.seen.view.phase === game.movingPhase);
    return game.show();
  }
  const [found, all] = await Promise.all([game.ask("check", { log: [first.closest] }, { signal, quiet: true }), game.ask("options", { reach: false }, { signal, quiet: true })]);
  const faults = (found.violations ?? []).filter((one) => one.clause === first.clause);
  const named = [...new Set(faults.flatMap((one) => one.units))];
  const who = named.length && !named.includes(unitOptions.unit) ? named : first.units;
  game.seen.blocker = { reason: first.note, ...faults[0], clause: first.clause, units: who, leads: able(who, all.units ?? []) };
  game.board.way([]);
  game.show();
}

// Why a unit that can act reaches no hex: what bars the way to one next to it, who must do something first, or what it can declare so that it goes.
export async function findBar(game, { actions, barred }, signal) {
  if (game.seen.view.phase !== game.movingPhase || !actions.some((one) => one.verb !== "end") || actions.some((one) => places(one.action, game.board).length)) return;
  const bar = barred.find((one) => one.closest && places(one.closest, game.board).length);
  if (!bar) return;
  const [at] = places(bar.closest, game.board);
  const found = await way(game, at, signal);
  const fault = (found.barred && foremost(game, found.barred.violations)) ?? { reason: bar.note, clause: bar.clauses[0], units: bar.of };
  const others = fault.units.filter((name) => name !== game.seen.chosen && game.mayAct(name));
  if (others.length && others.length === fault.units.length) Object.assign(game.seen, { blocker: { ...fault, leads: others }, idle: null });
  else if (!game.seen.idle) {
    game.seen.stays = fault;
    game.show();
    const helps = await unlocking(game, at);
    if (!signal.aborted) game.seen.stays = { ...fault, helps };
  }
}

// Of what is not modelled: another unit of the side that must finish first, as one that dashes.
export async function finisher(game, { unit, unsupported }, signal) {
  if (!unsupported.length) return null;
  const found = await game.ask("check", { log: [unsupported[0].action] }, { signal, quiet: true });
  const fault = (found.unsupported ?? []).find(({ units }) => units.length && !units.includes(unit) && units.every((name) => game.unit(name)?.side === game.unit(unit).side));
  return fault ? { ...fault, leads: fault.units } : null;
}

// What bars most of what a unit could do: said of a unit that can do nothing, or that should be moving. Where others do not move either, it goes without saying.
export function idleOf({ actions, barred }, isMoving) {
  const most = barred.find(({ clauses: [id] }) => barred.filter(({ clauses }) => clauses.includes(id)).length > barred.length / 2);
  if (!most || (!isMoving && actions.some((one) => one.verb !== "end"))) return null;
  // What is to be done in this phase instead, and why it cannot be.
  const other = barred.find(({ verb }) => barred.some(({ note, clauses }) => clauses[0] === most.clauses[0] && note.includes(`: “${capital(verb.replaceAll("-", " "))}”`))) ?? most;
  return { reason: other.note, clause: other.clauses[0] };
}

export function due(game, pending = []) { // an answer that came too late names none
  game.seen.pending = pending;
  const shown = $("#due");
  const owes = debt(game.seen.view);
  shown.hidden = !(pending.length || owes) || !game.isLast;
  if (owes) shown.textContent = owes;
  if (pending.length) shown.textContent = `A ${owed(pending[0])} is due${game.rolls ? ` from ${game.rolls}` : ""}: ${pending[0].unit}`;
}
