// A thread of sight from the chosen unit to the hex at the pointer.

import { $ } from "./words.js";

const PAUSE = 50; // ms for which the pointer must stay

// Whether the thread is wanted: until the player says, only where no side has a token.
export function wanted(game) {
  const said = localStorage.getItem("sight");
  return said === null ? game.seen.info.side === null : said === "yes";
}

export function turnSight(game) {
  localStorage.setItem("sight", wanted(game) ? "no" : "yes");
  showSight(game);
}

// The button, and the thread gone if it is not wanted.
export function showSight(game) {
  const button = $("#sight");
  button.hidden = !game.seen.view.sees;
  button.setAttribute("aria-pressed", String(wanted(game)));
  drop(game);
}

function drop(game) {
  game.board.thread(null);
  $("#sighted").textContent = "";
}

// Draw the thread to a hex, or none; `signal` ends it as the pointer goes on.
export async function thread(game, at, signal) {
  const { seen, board, unitOptions } = game;
  if (!at || !unitOptions?.at || !seen.view.sees || !wanted(game) || board.cell(at) === board.cell(unitOptions.at)) return drop(game);
  const unit = seen.chosen;
  await new Promise((done) => setTimeout(done, PAUSE));
  if (signal.aborted) return;
  const key = `${unit} ${at}`;
  if (!seen.sights.has(key)) seen.sights.set(key, (await game.ask("los", { origin: unit, to: at }, { signal, quiet: true })).sights?.[0]);
  const found = seen.sights.get(key);
  if (signal.aborted || !found || seen.chosen !== unit) return;
  board.thread({ from: unitOptions.at, to: at, by: found.hex, kind: found.sight });
  $("#sighted").textContent = sightSaid(unit, at, found);
}

export function sightSaid(unit, at, { sight, hindrance, hex, reason, clause }) {
  const why = [reason, hex ? `in ${hex}` : "", clause ? `(${clause})` : ""].filter(Boolean).join(" ");
  if (sight === "clear") return `${unit} sees ${at}${hindrance ? ` through a Hindrance of +${hindrance}` : ""}.`;
  if (sight === "blocked") return `${unit} does not see ${at}: ${why}.`;
  if (sight === "close") return `Too close to call whether ${unit} sees ${at}: roll for it (A6.1).`;
  return `Whether ${unit} sees ${at} is not known: ${why}.`;
}
