// The way to a hex: asked of the service, drawn, and put in words as the pointer goes.

import { ask } from "./api.js";
import { isOfLine, sharedReach } from "./lines.js";
import { thread } from "./sight.js";
import { amount, goesRound, inBypass, places, points, reason, said, settles, stopsOf } from "./words.js";

export async function way(game, at, signal) {
  if (!game.seen.ways.has(at)) {
    const unit = game.seen.chosen;
    const shared = sharedReach(game);
    const found = shared ? game.get(shared, { step: game.wanted, to: at }) : game.ask("reach", { unit, to: at }, { signal });
    game.seen.ways.set(at, found);
    found.catch(() => game.seen.ways.delete(at));
  }
  return game.seen.ways.get(at);
}

// All Locations of a hex, the cheapest to come to first.
export function goals(game, at) {
  const left = game.unitOptions?.reach?.locations ?? {};
  return [...game.board.cell(at).all].sort((a, b) => (left[b] ?? -1) - (left[a] ?? -1));
}

export async function hover(game, detail) {
  clearTimeout(game.seen.waiting);
  game.seen.hovering?.abort();
  if (!detail) {
    thread(game, null);
    return game.seen.proposal || game.board.way([]);
  }
  game.seen.hovering = new AbortController();
  const { chosen } = game.seen;
  const { signal } = game.seen.hovering;
  thread(game, detail.at, signal).catch((error) => game.failed(error));
  if (game.seen.proposal || game.seen.via.length) return;
  const cell = game.board.cell(detail.at);
  const unit = detail.unit && game.board.unit(detail.unit);
  const words = unit ? `${unit.getAttribute("aria-label")}; ${cell.words}` : cell.words;
  const reach = game.unitOptions?.reach;
  if (!reach || !game.seen.chosen || game.seen.tab === "plan" || cell === game.board.cell(game.unitOptions.at)) { // a plan has goals of its own
    game.board.way([]);
    return game.say(words);
  }
  game.seen.waiting = setTimeout(async () => {
    try {
      if (game.seen.chosen !== chosen) return; // the pointer rests where another was chosen
      const found = await way(game, goals(game, detail.at)[0], signal);
      if (!signal.aborted && game.unitOptions && game.seen.chosen === chosen && !game.seen.proposal) tellWay(game, found, words, signal);
    } catch (error) {
      game.failed(error);
    }
  }, 50);
}

export function tellWay(game, found, words, signal) {
  if (found.path?.length) {
    drawWay(game, found, signal);
    const last = found.path.at(-1);
    const declared = declares(found.path.filter((one) => !one.cost).map((one) => one.action), game.board);
    const rolls = found.path.flatMap((one) => one.rolls).length;
    const isLine = game.unitOptions?.actions.some(isOfLine); // those after it may have to pay more
    game.say(`${found.to}${inBypass(last.action)}: ${isLine ? "at least " : ""}${points(last.spent - before(found), found.points)}, ${isLine ? "up to " : ""}${amount(last.left)} left${declared.length ? `, with ${declared.join(", ")}` : ""}${rolls ? `; ${rolls} roll${rolls > 1 ? "s" : ""} on the way` : ""} · ${words}`);
  } else if (found.barred) {
    const first = foremost(game, found.barred.violations);
    const from = leads(game, found) && first?.units.includes(game.seen.chosen) ? first.hexes[0] : null;
    game.board.way([...(from ? [{ at: from }] : []), { at: found.to, text: first?.clause ?? "" }], "barred");
    game.say(barredBy(game, found), true);
  } else {
    game.board.way([]);
    game.say(found.unsupported?.length ? `${found.to}: not modelled (${found.unsupported.map((id) => `${game.titles.of(id)}, ${id}`).join("; ")})` : `${found.to}: cannot be reached · ${words}`, true);
  }
}

// Whether the step that is barred is one into the hex asked for, and not one on the way.
export function leads(game, found) {
  return game.board.cell(found.barred.at) === game.board.cell(found.to);
}

// What bars a unit first of all: what others of its side must do before, else what comes first.
export function foremost(game, violations) {
  const { chosen } = game.seen;
  const isMate = (name) => name !== chosen && game.unit(name)?.side === game.unit(chosen).side;
  return violations.find(({ units }) => units.length && units.every(isMate)) ?? violations[0];
}

export function barredBy(game, found) {
  const first = foremost(game, found.barred.violations);
  const head = leads(game, found) ? `${found.to}: ` : `${found.to} cannot be reached: `;
  if (!first) return `${found.to}: cannot be reached`;
  const others = first.units.includes(game.seen.chosen) ? "" : `${first.units.join(", ")}: `;
  return `${head}${others}${reason(first)} (${first.clause})`;
}

// What the unit had spent before a way.
export const before = ({ path: [first] }) => first.spent - first.cost;

// `signal` ends what is asked of where the unit bypasses.
export async function drawWay(game, found, signal) {
  const draw = (asides = []) => {
    let last = { at: game.unitOptions.at };
    const stops = [last];
    for (const [step, one] of found.path.entries()) {
      for (const stop of stopsOf(one.action, game.board, asides[step])) stops.push((last = stop));
      last.text = amount(one.spent - before(found));
    }
    stops[0].text = "";
    game.board.way(stops);
  };
  draw();
  const log = found.path.map((one) => one.action);
  if (!signal || !log.some(goesRound)) return;
  const { asides } = await game.post(`/games/${game.id}/still`, { log, unit: game.seen.chosen, alone: false }, { step: game.wanted, signal });
  if (!signal.aborted && !game.seen.proposal) draw(asides);
}

// What is declared by actions that cost nothing, such as Double Time.
export const declares = (actions, board) => actions.filter((one) => !settles(one) && !places(one, board).length).map((one) => said(one, one.split(" ")[1]));

// The pointer is over actions that are offered: show where they lead.
export function point(game, actions) {
  if (game.seen.proposal && !game.seen.proposal.choices) return;
  const stops = (actions ?? []).flatMap((one) => stopsOf(one, game.board).slice(0, 1));
  game.board.way(stops.length ? [{ at: game.unitOptions?.at }, ...stops] : []);
}

/**
 * The way through hexes that the player chose, each come to by the cheapest way from the one before.
 * @returns {Promise<{ actions: string[], cost: number, points?: string, failed?: any }>} `failed`: what was answered of the hex that it does not come to
 */
export async function through(game, stops) {
  const actions = [];
  let cost = 0;
  let scene = null;
  let points;
  for (const [number, stop] of stops.entries()) {
    const [to] = goals(game, stop);
    const found = scene ? await ask(game.eyed("/api/reach"), { scene, unit: game.seen.chosen, to }, { signal: game.seen.until() }) : await way(game, to);
    if (!found.path?.length) return { actions, cost, points, failed: found };
    for (const one of found.path) {
      actions.push(one.action);
      cost += one.cost;
    }
    ({ points } = found);
    if (number < stops.length - 1) ({ scene } = await game.ask("check", { log: actions, then: true }));
  }
  return { actions, cost, points };
}
