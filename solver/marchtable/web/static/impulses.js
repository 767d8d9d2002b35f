// The next Impulse of a line, and several in a row; fetched when one is wanted.
//
// The service opens an action word by word: each answer says what the next member may do, and what all pay.

import { latest, openUnit, propose, unreached } from "./proposals.js";
import { goals } from "./ways.js";
import { entryOf, lineSaid, listed, plain, said, spoken } from "./words.js";

// The ways to go on with an action that is open.
const ways = async (game, opened) => (await game.ask("legal_actions", { opened })).actions ?? [];

const price = (one) => one.costs.reduce((sum, cost) => sum + cost.amount, 0);
const cheapest = (found) => found.reduce((best, one) => (best && price(best) <= price(one) ? best : one), null);

// An action that is open, completed by what costs the least for each member behind; null if it cannot be.
async function completed(game, one) {
  let found = one;
  while (found && !found.closes) found = cheapest(await ways(game, found.action));
  return found;
}

// An action of a line in which all others do one thing, as far as they may.
async function all(game, one, word) {
  let found = one;
  for (let more = one; more && found.joins?.includes(word); ) {
    more = (await ways(game, found.action)).find((other) => other.action.endsWith(`,${word}`));
    found = more ?? found;
  }
  return found;
}

// The others do the same as the first unit: all stop, all start. If it does nothing and they cannot, what all of them can.
export async function together(game, one) {
  const same = await all(game, one, one.action.split(" ").at(-1));
  if (!same.closes && !one.costs[0]?.amount) {
    for (const word of one.joins ?? []) {
      const found = await all(game, one, word);
      if (found.closes) return found;
    }
  }
  return completed(game, same);
}

// If the first unit does nothing, and an Impulse in which none does anything is none: the end of the line's move, where that is legal.
export async function resting(game, { action, closes, costs }, members) {
  const end = `end ${members[0]}`;
  if (closes || costs[0]?.amount || action.includes(",") || !game.unitOptions?.actions.some((one) => one.action === end)) return null;
  const verdict = await game.ask("check", { log: [end, entryOf(game.seen.view.next, "")] });
  return verdict.violations.some(({ units }) => units.some((name) => members.includes(name))) ? null : { action: end, named: `${lineSaid(members, [])}: ${said(end, members[0]).toLowerCase()}` };
}

/**
 * Offer what the first unit may do in the next Impulse; the others come after it.
 * @param {any} game @param {string} action the line's, still open @param {string} [wanted] what its first unit does, if that is known
 */
export async function openLine(game, action, wanted) {
  const found = await ways(game, action);
  const named = found.find((one) => one.action === wanted);
  const members = found[0]?.costs.map((one) => one.unit) ?? [];
  const next = members[action.endsWith(" -") ? 0 : action.split(",").length];
  if (!found.length) return game.say("The line cannot move now.", true);
  const choices = found.map((one) => ({
    action: one.action, words: action.endsWith(" -") ? undefined : lineSaid([next], [one.action.split(",").at(-1)]), cost: one.costs[0]?.amount || undefined, points: `${one.costs[0]?.points} each${one.closes ? "" : ", at least"}`,
    choose: async () => {
      const rest = await resting(game, one, members);
      const whole = rest ?? (await together(game, one));
      const others = one.joins?.length ? [{ action: one.action, words: `${members[one.action.split(",").length]} does something else …`, choose: () => openLine(game, one.action) }] : [];
      if (whole) await propose(game, [whole.action], { others, named: rest?.named ?? lineSaid(members, whole.action.split(" ")[2].split(",")) });
      else game.say("The other units cannot move after it.", true);
    },
  }));
  if (named) return choices[found.indexOf(named)].choose();
  game.seen.proposal = { title: `${members.join(", ")}: what does ${next} do?`, choices };
  openUnit(game);
}

/**
 * Impulses that take the first unit through hexes, along the way that it would go alone; the service works them out.
 * @param {any} game @param {any} action what the service offers for the line, still open
 * @param {string[]} stops hexes, the last of which is where it shall be
 */
export async function lineThrough(game, action, stops) {
  const { unit } = game.unitOptions;
  const isLatest = latest(game);
  const { log, at, failed } = await game.post(`/games/${game.id}/led`, { unit, line: action.action, stops: stops.map((one) => goals(game, one)[0]) }, { step: game.wanted });
  if (!isLatest()) return;
  const goal = stops.at(-1);
  if (failed) return unreached(game, goal, failed);
  const there = game.board.cell(at);
  const to = there === game.board.cell(game.unitOptions.at) ? `:${plain(listed([log.at(-1)?.split(" ")[2] ?? ""]))}` : ` to ${at}`; // they only turn
  const onTheWay = there === game.board.cell(goal) ? "" : `, on the way to ${goal}`;
  const how = spoken(log.at(-1) ?? "").split(`${at},`)[1] ?? ""; // in Bypass
  await propose(game, log, { named: `${unit} and those after it${to}${how && `,${how}`}${onTheWay}`, goal });
}
