// What a log leaves before a clause would be broken.

import { amount, clause, el } from "./words.js";

export function room(found, titles, open = false) {
  if (!found.slack.length) return null;
  return el("details", { class: "fold", open }, el("summary", {}, "What is left to spare"),
    el("ul", {}, found.slack.map((one) => el("li", {}, `${spare(one)} `, clause(one.clause, titles)))));
}

// The points that a unit has to spare, or the room left in a place, as `marchtable why` prints them.
function spare({ unit, at, amount: left, what }) {
  const many = left ? amount(left) : "no";
  return at ? `${at}: room for ${many} more like ${unit}` : `${unit}: ${many} ${what} to spare`;
}
