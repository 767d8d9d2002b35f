// Units that move as one line (a Convoy, a Column, a platoon): the next Impulse, and several in a row.
//
// The service opens an action word by word: each answer says what the next member may do, and what all pay.

import { ask } from "./api.js";
import { latest, openUnit, propose, unreached } from "./proposals.js";
import { goals } from "./ways.js";
import { isLegal, places } from "./words.js";

const TURNS = 3; // Impulses in a row in which members only turn

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
const cheapest = (found) => found.reduce((best, one) => (best && price(best) <= price(one) ? best : one), null);

// An action that is open, completed by what costs the least for each member behind; null if it cannot be.
async function completed(game, one, scene) {
  let found = one;
  while (found && !found.closes) found = cheapest(await ways(game, found.action, scene));
  return found;
}

// An action of a line in which the others do the same as its first unit, as far as they may: all stop, all start.
async function together(game, one, scene) {
  const word = one?.action.split(" ").at(-1);
  let found = one;
  for (let more = one; more && found.joins?.includes(word); ) {
    more = (await ways(game, found.action, scene)).find((other) => other.action.endsWith(`,${word}`));
    found = more ?? found;
  }
  return completed(game, found, scene);
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
 * Impulses that take the first unit through hexes, along the way that it would go alone, turns included.
 *
 * Who cannot follow before it has turned does so in an Impulse of its own. An Impulse that is not offered
 * is proposed all the same, with every member in the place of the one before it: the referee then says
 * what forbids it.
 * @param {any} game @param {any} action what the service offers for the line, still open
 * @param {string[]} stops hexes, the last of which is where it shall be
 */
export async function lineThrough(game, action, stops) {
  const { board } = game;
  const { unit, at } = game.told;
  const end = stops.at(-1);
  game.seen.proposal = { title: `${unit} to ${end}`, actions: [] };
  openUnit(game);
  const isLatest = latest(game);
  const { actions, failed } = await course(game, unit, stops.map((one) => goals(game, one)[0]), []);
  if (!isLatest()) return;
  if (failed) return unreached(game, end, failed);
  const log = [];
  let here = board.cell(at);
  let names = null; // of its members, from the front on
  let members = null; // where they are
  let scene = null;
  const go = async (entry) => {
    const verdict = await game.ask("check", { log: [...log, entry], then: true });
    if (!isLegal(verdict)) return false;
    log.push(entry);
    members = members.map((one, number) => board.cell(placeOf(entry, number)) ? placeOf(entry, number) : one);
    ({ scene } = verdict);
    return verdict.obligations.length ? null : true;
  };
  const title = () => ({ named: `${unit} and those after it to ${here.at}` });
  for (const step of actions) {
    const to = board.cell(places(step, board)[0]);
    for (let tries = 0; ; tries += 1) {
      const found = await ways(game, action.action, scene);
      if (!isLatest()) return;
      names ??= (found[0]?.costs ?? []).map((one) => one.unit);
      members ??= names.map((one) => game.unit(one)?.at);
      const same = found.filter((one) => (to ? board.cell(placeOf(one.action, 0)) === to : one.action.endsWith(` ${held(step)}`)));
      const ends = [to?.at, ...members.slice(0, -1)];
      const next = to ? ((await following(game, cheapest(same), ends, scene)) ?? (tries < TURNS ? null : await completed(game, cheapest(same), scene))) : await together(game, cheapest(same), scene);
      if (!next && !to) break; // what one alone needs, and a line does not
      if (next) {
        const went = await go(next.action);
        if (!isLatest()) return;
        if (to) here = to;
        if (went !== true) return propose(game, went === null ? log : [...log, next.action], title());
        break;
      }
      const turned = tries < TURNS ? await turning(game, action, names, ends, log) : "";
      if (turned && (await go(turned)) === true) continue;
      if (!isLatest()) return;
      if (tries < TURNS) tries = TURNS - 1; // who cannot turn to the hex of the one before it goes as it may
      else {
        here = to;
        return propose(game, [...log, `${action.action.slice(0, -1)}${ends.map((one) => `enter:${one}`).join(",")}`], title());
      }
    }
  }
  return propose(game, log, title());
}

// An action that is open, completed so that each member takes the place of the one before it; null if it cannot.
async function following(game, one, ends, scene) {
  const { board } = game;
  let found = one;
  for (let number = 1; found && number < ends.length; number += 1)
    found = cheapest((await ways(game, found.action, scene)).filter((each) => board.cell(placeOf(each.action, number)) === board.cell(ends[number])));
  return found;
}

// The way that a unit would go alone, after entries that were not played.
const course = (game, unit, stops, log) => game.post(`/games/${game.id}/course`, { unit, stops, log }, { step: game.wanted });

// What a unit does alone, as a word of an Impulse.
const held = (step) => [step.split(" ")[0], ...step.split(" ").slice(2)].join(":");

// Where an Impulse takes a member, counted from the front; what it does, if that is no place.
const placeOf = (entry, number) => (entry.split(" ")[2]?.split(",")[number] ?? "").replace(/^[a-z-]+:/, "");

// An Impulse in which members turn towards the hexes that they are to enter; null if none has to.
async function turning(game, action, names, ends, log) {
  const first = await Promise.all(names.map(async (name, number) => (await course(game, name, [ends[number]], log)).actions[0] ?? ""));
  const words = first.map((step) => (step && !places(step, game.board).length ? held(step) : "stay"));
  return words.every((word) => word === "stay") ? null : `${action.action.slice(0, -1)}${words.join(",")}`;
}
