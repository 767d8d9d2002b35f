// Units that wait until others have moved: who they wait for, by what bars them.

// Units of the same side as another that a text names.
export const named = (units, text, unit) => {
  const side = units.find((one) => one.unit === unit)?.side;
  return units.filter((one) => one.unit !== unit && one.side === side && text.split(/[\s,]+/).includes(one.unit)).map((one) => one.unit);
};

const pays = (one) => one.closes === false || one.cost > 0;

/**
 * What keeps a unit from all that costs points until others have moved: each clause with whom it names, the fewest
 * first. Counted are clauses that bar most actions, and those by which a rulebook has units wait.
 * @param {any} unitOptions what `options` lists of it @param {any[]} units all units shown @param {string[]} precedence
 * @returns {{ clause: string, note: string, closest: string, units: string[] }[]}
 */
export function waits({ unit, actions, barred }, units, precedence = []) {
  if (actions.some(pays)) return [];
  const { side, carried } = units.find((one) => one.unit === unit) ?? {};
  const isFriend = (name) => name !== unit && units.some((one) => one.unit === name && one.side === side);
  const counts = new Map();
  for (const { clauses } of barred) for (const id of clauses) counts.set(id, (counts.get(id) ?? 0) + 1);
  const found = new Map();
  for (const { clauses: [id], note, of = [], closest } of barred) {
    if (found.has(id) || !closest || !(precedence.includes(id) || counts.get(id) > barred.length / 2)) continue;
    const others = named(units, note, unit);
    const all = (others.length ? others : of.filter(isFriend)).filter((name) => name !== carried); // it goes with who carries it
    if (all.length) found.set(id, { clause: id, note, closest, units: all });
  }
  return [...found.values()].sort((a, b) => a.units.length - b.units.length);
}

// Of units that must move first those that can do so now: who lead or pay, else who can do anything but end.
export function able(names, options) {
  const of = (name) => options.find((one) => one.unit === name)?.actions ?? [];
  const tiers = [(one) => pays(one), (one) => one.verb !== "end"];
  return tiers.map((fits) => names.filter((name) => of(name).some(fits))).find((found) => found.length) ?? names;
}

// What is forbidden, without what might be legal if more were known.
export const surelyBarred = ({ barred, unsupported }) => barred.filter(({ verb }) => !unsupported.some(({ action }) => action.startsWith(`${verb} `)));

// Units that can act upon another, with the verbs: a crew that can push its Gun.
export const hands = (unit, options) => options.filter((one) => one.unit !== unit).map((one) => {
  const found = one.actions.filter(({ action }) => action.split(/[ ,]/).slice(2).includes(unit));
  return { unit: one.unit, verbs: [...new Set(found.map(({ verb }) => verb))], actions: found.map(({ action }) => action) };
}).filter(({ verbs }) => verbs.length);

// What a unit could still do that costs nothing, as verbs; nothing if it can do what costs points.
export const trifles = ({ actions }) => (actions.some(pays) ? [] : [...new Set(actions.map((one) => one.verb))].filter((verb) => verb !== "end"));
