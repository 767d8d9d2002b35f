// The first page: a scene or a saved game of one's own; games taken away.

import { ask, call, uploads } from "./api.js";
import { theme } from "./theme.js";
import { button, el } from "./words.js";

theme();
const fault = document.querySelector("#fault");
const save = document.querySelector("#save");
const SAVES = /\.(vsav|vlog)$/i;

async function begin(scene) {
  const game = await ask("/api/games", scene);
  location.assign(`/games/${game.game}`);
}

// Do something; what goes wrong is told with the files' names.
async function trying(files, what) {
  fault.textContent = "";
  try {
    await what();
  } catch (error) {
    fault.textContent = `${files.map((one) => one.name).join(", ")}: ${error.message}`;
  }
}

// A saved game: what comes of it is told before it is played.
async function takeIn(files, wishes = {}) {
  save.replaceChildren("Reading …");
  await trying(files, async () => {
    const found = await ask("/saves/taken-in", { files: await uploads(files), ...wishes });
    const { scene } = found;
    const [first, ...rest] = found.told;
    const again = (name) => (event) => takeIn(files, { mover: scene.side, phase: scene.phase, [name]: event.target.value });
    save.replaceChildren(el("div", { class: "card next", id: "taken-in" },
      el("h2", {}, scene.name),
      el("p", {}, first),
      rest.length ? el("details", { class: "fold" }, el("summary", {}, `What is assumed, and what is left out (${rest.length})`), el("ul", {}, rest.map((line) => el("li", {}, line)))) : null,
      el("div", { class: "row" },
        el("label", {}, "To move ", el("input", { value: scene.side, size: 10, onchange: again("mover") })),
        el("label", {}, "Phase ", el("input", { value: scene.phase, size: 6, onchange: again("phase") })),
        button("Play", () => trying(files, () => begin({ scene })), { class: "primary", id: "play-save" }))));
  });
  if (fault.textContent) save.replaceChildren();
}

document.querySelector("#scene-file").addEventListener("change", async (event) => {
  const files = [...event.target.files];
  save.replaceChildren();
  if (files.some((one) => SAVES.test(one.name))) return takeIn(files);
  const [file] = files;
  if (!file) return;
  await trying(files, async () => {
    const picture = files.find((one) => one.type.startsWith("image/"));
    if (picture) throw new Error(`${files.length > 1 ? `${picture.name} ` : ""}is a picture; expected a scene or a saved game`);
    if (files.length > 1) return begin(await ask("/scenes/taken-in", { files: await uploads(files) }));
    const text = await file.text();
    const name = file.name.replace(/\.\w+$/, "").slice(0, 60);
    await begin({ name, ...(file.name.endsWith(".json") ? { scene: JSON.parse(text) } : { toml: text }) });
  });
});

document.querySelector("#games").addEventListener("click", async ({ target }) => {
  const id = target.dataset.delete;
  const line = target.closest("li");
  if (!id || !confirm(`Delete ${line.querySelector("a").textContent}, with all that was played in it?`)) return;
  fault.textContent = "";
  try {
    await call("DELETE", `/api/games/${id}`);
    line.remove();
  } catch (error) {
    fault.textContent = error.message;
  }
});
