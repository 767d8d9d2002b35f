// Units that move as one line (a Convoy, a Column, a platoon): the next Impulse, and several in a row.
//
// The service opens an action word by word: each answer says what the next member may do, and what all pay.

import { ask } from "./api.js";
import { openUnit, propose } from "./proposals.js";
import { isLegal, places } from "./words.js";

const ASTRAY = 3; // Impulses in a row that may come no nearer to where it shall be

// Whether what is offered is the move of a line: its members are named by the costs, from the front on.
export const isOfLine = (one) => one.action.endsWith(" -") && one.closes === false;

/**
 * The ways to go on with an action that is open.
 * @returns {Promise<any[]>}
 */
async function ways(game, opened, scene) {
  const found = scene ? await ask(game.eyed("/api/legal_actions"), { scene, opened }, { signal: game.seen.until() }) : await game.ask("legal_actions", { opened });
  return found.actions ?? [];
}

const price = (one) => one.costs.reduce((sum, cost) => sum + cost.amount, 0);
const cheapest = (found, further = (/** @type {any} */ _) => 0) => found.reduce((best, one) => (best && (price(best) - price(one) || further(best) - further(one)) <= 0 ? best : one), null);

// An action that is open, completed by what costs the least for each member behind; null if it cannot be.
async function completed(game, one, scene) {
  let found = one;
  while (found && !found.closes) found = cheapest(await ways(game, found.action, scene));
  return found;
}

// An action of a line in which the others do the same as its first unit, as far as they may: all stop, all start.
async function together(game, one) {
  const word = one.action.split(" ").at(-1);
  let found = one;
  for (let more = one; more && found.joins?.includes(word); ) {
    more = (await ways(game, found.action)).find((other) => other.action.endsWith(`,${word}`));
    found = more ?? found;
  }
  return completed(game, found);
}

// The line that a unit which does nothing by itself belongs to: the action of its first unit.
export async function lineOf(game, unit, signal) {
  const found = await game.ask("legal_actions", {}, { signal, quiet: true });
  return found.actions?.find((one) => isOfLine(one) && one.costs.some((cost) => cost.unit === unit)) ?? null;
}

// Offer what the first unit may do in the next Impulse; the others come after it.
export async function openLine(game, action) {
  const found = await ways(game, action);
  const members = found[0]?.costs.map((one) => one.unit) ?? [];
  const next = members[action.endsWith(" -") ? 0 : action.split(",").length];
  if (!found.length) return game.say("The line cannot move now.", true);
  const choices = found.map((one) => ({
    action: one.action, cost: one.costs[0]?.amount, points: `${one.costs[0]?.points} each`,
    choose: async () => {
      const whole = await together(game, one);
      const others = one.joins?.length ? [{ action: one.action, words: `${members[one.action.split(",").length]} does something else …`, choose: () => openLine(game, one.action) }] : [];
      if (whole) await propose(game, [whole.action], { others });
      else game.say("The others cannot come after it.", true);
    },
  }));
  game.seen.proposal = { title: `${members.join(", ")}: what does ${next} do?`, choices };
  openUnit(game);
}

/**
 * Impulses that take the first unit through hexes: each the cheapest that leads to the next of them, or on.
 *
 * A hex that no Impulse leads to is proposed all the same, with every member in the place of the one before
 * it: the referee then says what forbids it.
 * @param {any} game @param {any} action what the service offers for the line, still open
 * @param {string[]} stops hexes, the last of which is where it shall be
 */
export async function lineThrough(game, action, stops) {
  const { board } = game;
  const opened = (one) => board.cell(places(one.action, board)[0]);
  const passed = new Set();
  const log = [];
  let scene = null;
  let here = board.cell(game.told.at);
  let members = null; // where they are, from the front on
  game.seen.proposal = { title: `${game.told.unit} to ${stops.at(-1)}`, actions: [] };
  openUnit(game);
  for (const stop of stops.map((at) => board.cell(at))) {
    let lost = 0; // Impulses in a row that came no nearer
    while (here !== stop) {
      if (log.length) {
        const verdict = await game.ask("check", { log, then: true });
        if (!isLegal(verdict) || verdict.obligations.length) break;
        ({ scene } = verdict);
      }
      const found = await ways(game, action.action, scene);
      members ??= (found[0]?.costs ?? []).map((one) => game.unit(one.unit)?.at);
      const straight = found.filter((one) => opened(one) === stop);
      const ahead = found.filter((one) => opened(one) && !passed.has(opened(one)));
      const isNext = board.apart(here, stop) === 1;
      const next = straight.length || !isNext ? await completed(game, cheapest(straight.length ? straight : ahead, (one) => board.apart(opened(one), stop)), scene) : null;
      if (!next && isNext) return propose(game, [...log, forced(action, [stop.at, ...members])]);
      lost = next && board.apart(opened(next), stop) < board.apart(here, stop) ? 0 : lost + 1;
      if (!next || lost > ASTRAY) return astray(game, stop.at);
      passed.add(here);
      here = opened(next);
      members = places(next.action, board);
      log.push(next.action);
    }
  }
  return propose(game, log, { named: `${game.told.unit} and those after it to ${stops.at(-1)}` });
}

// The road ahead does not lead there: the player is to say which way.
function astray(game, at) {
  const { unit } = game.told;
  game.seen.proposal = {
    title: `The cheapest way ahead does not lead to ${at}`, unreached: true, violations: [], unsupported: [],
    note: `${unit} leads others, and moves one hex in an Impulse. Choose the next hex, turn where the road bends (Impulse …), or drag ${unit} through the hexes of its way.`,
    plan: () => planTo(game, unit, at),
  };
  openUnit(game);
}

// An Impulse in which each member takes the place of the one before it.
const forced = (action, ends) => `${action.action.slice(0, -1)}${ends.slice(0, -1).map((at) => `enter:${at}`).join(",")}`;

// Have the planner look for the way.
function planTo(game, unit, at) {
  const { plans } = game.seen;
  plans.aims = [{ unit, kind: "at", at: [at], must: true }];
  game.turn("plan");
  return plans.run("plan", { goal: plans.goal(), rolls: plans.rolls, limit: plans.limit });
}
