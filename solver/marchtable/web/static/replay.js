// Looking back: a timeline of the log, keys and buttons, and a way to play on from there.

import { button, el } from "./words.js";

export function replayBar(game, bar) {
  const { info } = game;
  bar.hidden = game.isLast;
  if (game.isLast) return bar.replaceChildren();
  const last = info.log.length;
  const line = el("input", { type: "range", class: "timeline", min: 0, max: last, value: game.step, "aria-label": "Step", oninput: (event) => game.go(Number(event.target.value)) });
  const focused = document.activeElement?.classList.contains("timeline");
  bar.replaceChildren(
    button("‹", () => game.go(Math.max(0, game.step - 1)), { "aria-label": "Step back" }),
    line,
    button("›", () => game.go(Math.min(last, game.step + 1)), { "aria-label": "Step on" }),
    el("span", { id: "replay-step" }, `Step ${game.step} of ${last}${game.step ? `: ${info.log[game.step - 1].entry}` : ""}`),
    button("Play on from here", () => game.fork(), { class: "primary", id: "fork" }),
    button("Back to the game", () => game.go(null), { id: "to-game" }));
  if (focused) line.focus();
}
