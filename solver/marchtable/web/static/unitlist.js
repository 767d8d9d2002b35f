// All units, grouped by hex, with a filter; those off the map are in a tray at the end.

import { carried } from "./carry.js";
import { choose } from "./choosing.js";
import { home } from "./controls.js";
import { aim } from "./proposals.js";
import { button, el, points, remaining, spelled } from "./words.js";

const FEW = 8; // units that need no filter

const byName = new Intl.Collator("en", { numeric: true });

// Whether a unit has all words in its name, type, side, hex, labels or what is written of it; details in code are not looked at.
export const fits = (words) => (one) => words.every((word) => [one.unit, one.kind, one.side, one.at ?? "off the map", one.spent ? "moved" : "", ...one.ties, ...one.state.map(spelled), ...one.marks.map((mark) => `${mark.sign} ${mark.said}`)].join(" ").toLowerCase().includes(word));

export function unitList(game) {
  const { view } = game.seen;
  const { player } = game;
  const isMine = (one) => (player ? one.side === player : view.sides.includes(one.side));
  const list = el("div", { id: "unit-list" });
  const fill = () => {
    const words = (game.seen.filter ?? "").toLowerCase().split(" ").filter(Boolean);
    const found = view.units.filter(fits(words));
    const [mine, others] = [found.filter((one) => one.at && isMine(one)), found.filter((one) => one.at && !isMine(one))];
    const away = found.filter((one) => !one.at);
    list.replaceChildren(...[
      groups(game, mine),
      fold("others", `${[...new Set(others.map((one) => one.side))].join(", ")} (${others.length})`, others, words.length > 0, () => groups(game, others)),
      fold("tray", `Off the map (${away.length})`, away, words.length > 0 || !mine.length, () => el("ul", { class: "units" }, away.map((one) => row(game, one)))),
      found.length ? null : el("p", { class: "aside-note" }, "No unit fits these words."),
    ].flat(2).filter(Boolean));
  };
  fill();
  // The unit with exactly that name, else the first; the next search begins anew.
  const enter = () => {
    const rows = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[data-pick]")]);
    const row = rows.find((one) => one.dataset.pick?.toLowerCase() === game.seen.filter.trim().toLowerCase()) ?? rows[0];
    if (row) game.seen.filter = "";
    row?.click();
  };
  const filter = view.units.length <= FEW ? null : el("input", {
    type: "search", id: "filter", value: game.seen.filter ?? "", placeholder: "Find a unit: name, type, hex, moved …", "aria-label": "Find a unit",
    onkeydown: ({ key }) => key === "Enter" && enter(), oninput: (event) => { game.seen.filter = event.target.value; fill(); },
  });
  return [filter, list];
}

const fold = (id, title, units, open, inside) => (units.length ? el("details", { class: "fold", id, open }, el("summary", {}, title), inside()) : null);

function groups(game, units) {
  const byHex = new Map();
  for (const one of units) {
    const hex = game.board.cell(one.at)?.at ?? one.at;
    byHex.set(hex, [...(byHex.get(hex) ?? []), one]);
  }
  return [...byHex].sort(([a], [b]) => byName.compare(a, b)).map(([hex, here]) => [
    el("h2", { class: "hexname" }, hex, here.length > 1 ? el("span", { class: "dim" }, ` ${here.length} units`) : null),
    el("ul", { class: "units" }, here.map((one) => row(game, one))),
  ]);
}

function row(game, one) {
  const { view } = game.seen;
  const kind = [one.kind !== one.unit ? one.kind : "", one.side !== (game.player || view.side) ? one.side : "", ...one.ties].filter(Boolean).join(" · ");
  const state = one.left === undefined ? (one.at || one.ties.length ? "" : "eliminated, or has no place to come on") : one.spent ? `moved, ${remaining(one.left, one.points)}` : points(one.left, one.points);
  const made = button([
    el("span", {}, one.unit, kind ? el("span", { class: "cost" }, ` ${kind}`) : null),
    el("span", { class: "cost" }, state),
  ], () => {
    choose(game, one.unit);
    const at = home(game);
    if (at) game.board.show([at]);
  }, { "data-pick": one.unit, class: one.at ? null : "grab" });
  if (!one.at) carried(made, () => game.board, () => el("strong", {}, one.unit), (at) => aim(game, at, one.unit));
  return el("li", {}, made);
}
