// Two players at one screen: a page that shows nothing of the game, until the next one takes his seat.

import { $, button, el } from "./words.js";

// Whether nobody has taken his seat yet.
export const handedOver = () => $("#hand-over") !== null;

export function handOver(game, side) {
  const who = side || "the referee";
  $("#hand-over")?.remove();
  for (const dialog of /** @type {NodeListOf<HTMLDialogElement>} */ (document.querySelectorAll("dialog[open]"))) dialog.close();
  const hidden = /** @type {HTMLElement[]} */ ([...document.body.children]);
  for (const one of hidden) one.inert = true;
  // What the other may see leaves the page, not only the screen, and is not asked for again.
  game.haveEyes(side, true);
  game.seat = { side, due: true }; // other tabs hear of it
  const screen = el("div", { class: "screen", id: "hand-over", role: "dialog", "aria-modal": "true", "aria-labelledby": "hand-over-title" },
    el("h2", { id: "hand-over-title" }, `Hand the screen to ${who}`),
    el("p", {}, "Nothing of the game is shown until the next player takes their seat."),
    button(`I am ${who}: show the board`, async () => {
      game.seat = { side, due: false };
      try {
        await game.load();
      } catch (error) {
        game.failed(error);
      }
      screen.remove();
      for (const one of hidden) one.inert = false;
      $("#panel").focus();
    }, { class: "primary" }));
  document.body.append(screen);
  screen.querySelector("button").focus();
}
