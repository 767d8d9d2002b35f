// Units that move as one line (a Convoy, a Column, a platoon), or as a stack: who moves so.

import { places } from "./words.js";

// Whether what is offered is the move of a line: its members are named by the costs, from the front on.
export const isOfLine = (one) => one.action.endsWith(" -") && one.closes === false;

// Where the reach of a unit is asked that leads a line, or with which others move.
export function sharedReach({ id, seen: { chosen, stack }, unitOptions }) {
  const isLine = unitOptions?.actions.some(isOfLine);
  return stack.length || isLine ? `/games/${id}/reach-${stack.length ? "together" : "alone"}/${encodeURIComponent([chosen, ...stack].join())}` : null;
}

// The units of the last action that a unit took part in.
function together({ seen: { info } }, unit) {
  const groups = info?.log.slice(0, info.step).map(({ entry }) => entry?.split(" ")[1]?.split(",") ?? []);
  return groups?.findLast((names) => names.includes(unit)) ?? [];
}

// Who can move with the chosen unit. Of several that are alike, or that go on only together, the service names one.
export function mates(game) {
  const { at, unit, actions } = game.unitOptions;
  const before = together(game, unit);
  const kinds = actions.filter((one) => one.cost && places(one.action, game.board).length).flatMap((one) => one.joins ?? []).map((name) => game.unit(name)?.kind);
  return game.seen.view.units.filter((one) => at && one.at === at && one.unit !== unit && !one.carried && kinds.length && (kinds.includes(one.kind) || before.includes(one.unit)) && game.mayAct(one.unit)).map((one) => one.unit);
}

// The line that a unit which does nothing by itself belongs to: the action of its first unit.
export async function lineOf(game, unit, signal) {
  const found = await game.ask("legal_actions", {}, { signal, quiet: true });
  return found.actions?.find((one) => isOfLine(one) && one.costs.some((cost) => cost.unit === unit)) ?? null;
}
