// The first page: a scene file of one's own.

import { ask } from "./api.js";
import { theme } from "./theme.js";

theme();
const fault = document.querySelector("#fault");

document.querySelector("#scene-file").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (!file) return;
  fault.textContent = "";
  try {
    const text = await file.text();
    const game = await ask("/api/games", file.name.endsWith(".json") ? { scene: JSON.parse(text) } : { toml: text });
    location.assign(`/games/${game.game}`);
  } catch (error) {
    fault.textContent = `${file.name}: ${error.message}`;
  }
});
