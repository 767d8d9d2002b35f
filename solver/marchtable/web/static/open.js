// A link with a position: it becomes a game.

import { ask } from "./api.js";
import { unpacked } from "./links.js";
import { theme } from "./theme.js";

theme();

async function opened() {
  const scene = await unpacked(location.hash.slice(1)).catch(() => null);
  if (!scene) return "This link is broken or incomplete: it contains no position.";
  try {
    const { game } = await ask("/api/games", { scene });
    location.replace(`/games/${game}`);
    return "";
  } catch (error) {
    return `The position in this link cannot be opened: ${error.message}`;
  }
}

const fault = await opened();
if (fault) document.querySelector("h1").textContent = "Not opened";
document.querySelector("#fault").textContent = fault;
