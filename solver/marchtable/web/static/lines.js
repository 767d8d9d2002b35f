// Units that move as one line (a Convoy, a Column, a platoon): who moves so.

// Whether what is offered is the move of a line: its members are named by the costs, from the front on.
export const isOfLine = (one) => one.action.endsWith(" -") && one.closes === false;

// The line that a unit which does nothing by itself belongs to: the action of its first unit.
export async function lineOf(game, unit, signal) {
  const found = await game.ask("legal_actions", {}, { signal, quiet: true });
  return found.actions?.find((one) => isOfLine(one) && one.costs.some((cost) => cost.unit === unit)) ?? null;
}
