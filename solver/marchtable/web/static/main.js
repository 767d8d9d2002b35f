// The page of a game: what its script begins with.

import { listen } from "./controls.js";
import { Game } from "./game.js";
import { handOver } from "./handover.js";
import { theme } from "./theme.js";
import { $ } from "./words.js";

// The first view fits the units: on a small screen the player’s own, or those that may act, if any are on the map.
function showUnits() {
  const { board, seen } = game;
  const on = (seen.view?.units ?? []).filter((one) => one.at);
  const acting = on.filter((one) => (game.player ? one.side === game.player : seen.view.sides.includes(one.side)));
  const crowd = matchMedia("(max-width: 760px)").matches && acting.length ? acting : on;
  board.fit();
  board.show(crowd.map((one) => one.at), { least: [Math.max(board.wide / 0.75, 900), 0], force: true });
}

theme();
const game = new Game(JSON.parse($("#facts").textContent));
listen(game);
try {
  if (game.seat?.due) handOver(game, game.seat.side);
  else await game.load();
  showUnits();
  document.body.dataset.ready = "yes";
  game.ground();
} catch (error) {
  game.failed(error);
}
