// The door: a token is remembered in a cookie that no script can read.

import { ask } from "./api.js";
import { theme } from "./theme.js";
import { $ } from "./words.js";

theme();
$("#login").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await ask("/api/session", { token: $("#token").value });
    location.reload();
  } catch (error) {
    $("#fault").textContent = error.message;
  }
});
