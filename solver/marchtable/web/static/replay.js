// Looking back: a timeline of the log, keys and buttons, a way to have it played, and to play on from there.

import { button, el } from "./words.js";

const PACE = 900; // ms from one step to the next

export function replayBar(game, bar) {
  const { info } = game.seen;
  bar.hidden = game.isLast;
  if (game.isLast) return bar.replaceChildren();
  const last = info.log.length;
  const held = bar.contains(document.activeElement) && document.activeElement.id;
  bar.replaceChildren(
    button("‹", () => game.go(Math.max(0, game.step - 1)), { id: "replay-back", "aria-label": "Step back" }),
    button(game.seen.playing ? "❚❚" : "▶", () => (game.seen.playing ? pause(game) : run(game)), { id: "replay-run", "aria-label": game.seen.playing ? "Pause" : "Play" }),
    el("input", { type: "range", class: "timeline", id: "replay-line", min: 0, max: last, value: game.step, "aria-label": "Step", oninput: (event) => game.go(Number(event.target.value)) }),
    button("›", () => game.go(Math.min(last, game.step + 1)), { id: "replay-on", "aria-label": "Step on" }),
    el("span", { id: "replay-step" }, `Step ${game.step} of ${last}${game.step ? `: ${info.log[game.step - 1].entry ?? "hidden"}` : ""}`),
    button("Play on from here", () => game.fork(), { class: "primary", id: "fork", disabled: Boolean(game.bars(game.step)), title: game.bars(game.step) }),
    button("Back to the game", () => game.go(null), { id: "to-game" }));
  if (held) document.getElementById(held)?.focus();
}

function pause(game) {
  game.seen.playing = null;
  game.head();
}

// Step on by itself, as far as the game stands.
async function run(game) {
  const mine = (game.seen.playing = {});
  game.head();
  while (game.seen.playing === mine && !game.isLast && game.step < game.seen.info.log.length) {
    await game.go(game.step + 1, { address: "replaceState", playing: mine });
    await new Promise((done) => setTimeout(done, PACE));
  }
  if (game.seen.playing === mine) pause(game);
}
