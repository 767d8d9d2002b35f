// The door: a token is remembered in a cookie that no script can read.

import { ask } from "./api.js";
import { theme } from "./theme.js";

theme();
document.querySelector("#login").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await ask("/api/session", { token: document.querySelector("#token").value });
    location.reload();
  } catch (error) {
    document.querySelector("#fault").textContent = error.message;
  }
});
