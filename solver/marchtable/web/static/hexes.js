// A hex inspected: what the map says of it, and what each kind of unit pays to enter it.

import { amount, button, clause, el, points, reason } from "./words.js";

export function hexCard(one) {
  const more = [...one.also, one.depression ? `in a ${one.depression}` : null, one.stairway ? "stairway" : null].filter(Boolean);
  return el("div", { class: "card hexcard" },
    el("h2", {}, one.at, el("span", { class: "left" }, `level ${one.level}`)),
    el("p", {}, [one.terrain, ...more].join(", ")),
    one.drawn.length ? el("p", { class: "aside-note" }, `Also drawn in the hex: ${one.drawn.join(", ")}`) : null,
    el("table", {}, el("caption", { class: "unseen" }, `Hexsides of ${one.at}`), el("tbody", {}, one.sides.map((side) =>
      el("tr", {}, el("th", { scope: "row" }, side.direction), el("td", {}, side.to ?? "off the map"), el("td", {}, side.words.join(", ") || "open"))))));
}

// The hex that was clicked while no unit was chosen.
export function inspector(game) {
  const { hex } = game.seen; const { titles } = game;
  if (!hex) return null;
  const found = hex.locations.map(hexCard);
  const { lying } = game.board.cell(hex.at);
  if (lying) found.unshift(el("p", { id: "lying" }, `In ${hex.at}: ${lying}`));
  if (!game.seen.view.moves) return found;
  if (!hex.tolls) found.push(button(hex.busy ? "Asking …" : "What does each unit pay to enter?", () => tolls(game), { id: "ask-tolls", disabled: hex.busy }));
  else found.push(table(hex.at, hex.tolls, titles));
  return found;
}

export async function inspect(game, at) {
  try {
    const { seen } = game;
    seen.hex = { at, ...(await game.get(`/games/${game.id}/hexes/${encodeURIComponent(at)}`, { step: game.wanted })) };
    game.show();
  } catch (error) {
    game.failed(error);
  }
}

async function tolls(game) {
  const { hex } = game.seen;
  hex.busy = true;
  game.show();
  try {
    hex.tolls = await game.get(`/games/${game.id}/hexes/${encodeURIComponent(hex.at)}/tolls`, { step: game.wanted });
  } catch (error) {
    game.failed(error);
  }
  hex.busy = false;
  if (game.seen.hex === hex) game.show();
}

export function table(at, rows, titles) {
  if (!rows.length) return el("p", { class: "aside-note" }, "No unit here moves alone.");
  return el("table", { id: "tolls" }, el("caption", {}, `To enter ${at}, as things stand`),
    el("thead", {}, el("tr", {}, ["unit", "from", "pays", "why"].map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, alike(rows).map(([one, from]) => el("tr", {}, el("td", {}, one.unit), el("td", {}, from.join(", ")),
      one.charges ? [el("td", {}, points(one.cost, one.points)), el("td", {}, one.charges.map((charge) => [`${amount(charge.amount)} ${charge.note} `, clause(charge.clause, titles), " "]))]
        : one.around ? [el("td", {}, "–"), el("td", {}, "cheaper by another way")]
          : [el("td", {}, "no"), el("td", {}, one.barred.slice(0, 1).map((fault) => [`${reason(fault)} `, clause(fault.clause, titles)]))]))));
}

// Rows that say the same of a unit, but for where it comes from.
function alike(rows) {
  const found = new Map();
  for (const one of rows) {
    const key = JSON.stringify([one.unit, one.cost, one.charges, one.around, one.barred?.[0]?.clause]);
    if (!found.has(key)) found.set(key, [one, []]);
    found.get(key)[1].push(one.from);
  }
  return [...found.values()];
}
