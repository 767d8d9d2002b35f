// The page of a game: what its script begins with.

import { listen, showUnits } from "./controls.js";
import { Game } from "./game.js";
import { handOver } from "./handover.js";
import { asksAgain, roll } from "./playing.js";
import { theme } from "./theme.js";
import { $ } from "./words.js";

theme();
const game = new Game(JSON.parse($("#facts").textContent));
listen(game);
try {
  if (game.seat?.due) handOver(game, game.seat.side);
  else await game.load();
  showUnits(game);
  document.body.dataset.ready = "yes";
  game.ground();
  if (asksAgain(game)) await roll(game);
} catch (error) {
  game.failed(error);
}
