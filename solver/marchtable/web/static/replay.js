// Looking back: a timeline of the log, keys and buttons, a way to have it played, and to play on from there.

import { stepsSaid } from "./journal.js";
import { fork, go } from "./playing.js";
import { button, el } from "./words.js";

const PACE = 900; // ms from one step to the next

export function replayBar(game, bar) {
  const { info } = game.seen;
  showTimeline(bar, {
    step: () => game.step,
    last: () => info.log.length,
    ends: () => game.isLast,
    go: (step, more) => go(game, step, more),
    head: () => game.head(),
    keeper: game.seen,
    said: [stepsSaid(game)[game.step - 1]].filter(Boolean).map((text) => `: ${text}`).join(""),
  }, [
    game.mayTry && button("Play on from here", () => fork(game), { class: "primary", id: "fork", disabled: Boolean(game.bars(game.step)), title: game.bars(game.step) }),
    button("Back to the game", () => go(game, null), { id: "to-game" }),
  ]);
}

// Show the steps of a view on a line, with buttons; `keeper.playing` is set while it steps on by itself.
export function showTimeline(bar, view, more = []) {
  const held = bar.contains(document.activeElement) && document.activeElement.id;
  const [step, last] = [view.step(), view.last()];
  const { playing } = view.keeper;
  bar.replaceChildren(
    button("‹", () => view.go(Math.max(0, view.step() - 1)), { id: "replay-back", "aria-label": "Step back" }),
    button(playing ? "❚❚" : "▶", () => (view.keeper.playing ? pause(view) : run(view)), { id: "replay-run", "aria-label": playing ? "Pause" : "Play" }),
    el("input", { type: "range", class: "timeline", id: "replay-line", min: 0, max: last, value: step, "aria-label": "Step", oninput: (event) => view.go(Number(event.target.value)) }),
    button("›", () => view.go(Math.min(view.last(), view.step() + 1)), { id: "replay-on", "aria-label": "Step on" }),
    el("span", { id: "replay-step" }, `Step ${step} of ${last}${view.said}`),
    ...more.filter(Boolean));
  if (held) document.getElementById(held)?.focus();
}

function pause(view) {
  view.keeper.playing = null;
  view.head();
}

// Step on by itself, as far as there are steps.
async function run(view) {
  const mine = (view.keeper.playing = {});
  view.head();
  while (view.keeper.playing === mine && !view.ends() && view.step() < view.last()) {
    await view.go(view.step() + 1, { address: "replaceState", playing: mine });
    await new Promise((done) => setTimeout(done, PACE));
  }
  if (view.keeper.playing === mine) pause(view);
}
