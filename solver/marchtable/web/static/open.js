// A link with a position: it becomes a game.

import { ask } from "./api.js";
import { unpacked } from "./links.js";
import { theme } from "./theme.js";

theme();
try {
  const scene = await unpacked(location.hash.slice(1));
  const game = await ask("/api/games", { scene });
  location.replace(`/games/${game.game}`);
} catch (error) {
  document.querySelector("#fault").textContent = `This link holds no position that can be opened: ${error.message}`;
}
