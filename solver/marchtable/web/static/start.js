// The first page: a scene or a saved game of one's own; games taken away.

import { ask, call, get, uploads } from "./api.js";
import { editSetUp } from "./bring.js";
import { theme } from "./theme.js";
import { $, button, el } from "./words.js";

theme();
const fault = $("#fault");
const save = $("#save");
const WAIT = 5000; // ms
const LOG = "is a log: begin a game with its scene, then load the log there by More…, “Play a log file”";
const HEAD = 200; // characters of a file in which its format stands
const SAVES = /\.(vsav|vlog)$/i;

async function begin(scene) {
  const game = await ask("/api/games", scene);
  location.assign(`/games/${game.game}`);
}

// A player whose referee has begun no game yet: it is listed as soon as there is one.
if ($("#waiting")) setInterval(async () => (await get("/api/games", { quiet: true })).games.length && location.reload(), WAIT);

// Do something; what goes wrong is unitOptions with the files' names.
async function trying(files, what) {
  fault.textContent = "";
  try {
    await what();
  } catch (error) {
    fault.textContent = `${files.map((one) => one.name).join(", ")}: ${error.message}`;
    fault.scrollIntoView({ block: "nearest" });
  }
}

// The saved game that is shown: what the fields ask for, and the answer to the latest of them.
/** @type {{ wishes: any, values: any, answer: any }} */
const taken = { wishes: {}, values: {}, answer: null };

// A saved game: what it holds is listed before it is played. Each wish reads it again. The form stays
// meanwhile, so that a click on "Play" right after typing is not lost: it plays what was typed last.
async function takeIn(files, more) {
  taken.wishes = more ? { ...taken.wishes, ...more } : {};
  const { wishes } = taken;
  if (!more) save.replaceChildren("Reading …");
  const answer = uploads(files).then((sent) => ask("/saves/taken-in", { files: sent, ...wishes }));
  taken.answer = answer;
  await trying(files, async () => {
    const found = await answer;
    if (taken.answer !== answer) return;
    taken.values = wishes.values;
    const { scene } = found;
    const [first, ...rest] = found.lines;
    const again = (wish) => takeIn(files, { mover: scene.side, phase: scene.phase, ...taken.wishes, ...wish });
    const also = (name, key) => ({ target }) => {
      const given = { ...taken.wishes[name], [key]: target.value.trim() };
      return again({ [name]: Object.fromEntries(Object.entries(given).filter(([, value]) => value)) });
    };
    const strange = found.left_out.filter((one) => one.why.includes("type"));
    save.replaceChildren(el("div", { class: "card next", id: "taken-in" },
      el("h2", {}, scene.name),
      el("p", {}, first),
      rest.length ? el("details", { class: "fold" }, el("summary", {}, `What is assumed, and what is left out (${rest.length})`), el("ul", {}, rest.map((line) => el("li", {}, line)))) : null,
      found.tray.length ? el("details", { class: "fold", id: "tray", open: true }, el("summary", {}, `Off the map (${found.tray.length})`),
        el("ul", { class: "plainlist" }, found.tray.map((one) => el("li", { class: "row" }, el("label", {}, `${one.id} (${one.type}), ${one.where}: place in `, el("input", { size: 6, onchange: also("place", one.id) })))))) : null,
      strange.length ? el("details", { class: "fold", id: "strange", open: true }, el("summary", {}, `Counters without a unit type (${strange.length})`),
        el("ul", { class: "plainlist" }, strange.map((one) => el("li", { class: "row" }, el("label", {}, `${one.what}, ${one.where}: type `, el("input", { size: 18, onchange: also("counters", one.what) })))))) : null,
      el("div", { class: "row" },
        el("label", {}, "To move ", el("input", { value: scene.side, size: 10, onchange: (event) => again({ mover: event.target.value }) })),
        el("label", {}, "Phase ", el("input", { value: scene.phase, size: 6, onchange: (event) => again({ phase: event.target.value }) })),
        el("label", {}, "Set a field ", el("input", { id: "set-field", size: 22, placeholder: "truck_1.facing=E", onchange: ({ target }) => {
          const [name, value] = target.value.split(/=(.*)/s).map((part) => part.trim());
          if (value) again({ values: { ...taken.wishes.values, [name]: plain(value) } });
        } })),
        button("Play", () => trying(files, async () => begin({ scene: (await taken.answer).scene })), { class: "primary", id: "play-save" }),
        button("Place units on the map …", () => trying(files, async () => editSetUp((await taken.answer).scene)), { id: "place-units" }))));
  });
  if (!fault.textContent || taken.answer !== answer) return;
  taken.wishes = { ...taken.wishes, values: taken.values }; // a field set by name is typed anew
  if (!more) save.replaceChildren();
}

// A value as JSON, or as the word it is.
function plain(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

$("#scene-file").addEventListener("change", async (event) => {
  const files = [...event.target.files];
  save.replaceChildren();
  if (files.some((one) => SAVES.test(one.name))) return takeIn(files);
  const [file] = files;
  if (!file) return;
  await trying(files, async () => {
    const logs = files.filter((one) => /\.(log|txt)$/i.test(one.name));
    if (logs.length === files.length) throw new Error(LOG);
    const picture = files.find((one) => one.type.startsWith("image/"));
    if (picture) throw new Error(`${files.length > 1 ? `${picture.name} ` : ""}is a picture; expected a scene or a saved game`);
    if (files.length > 1) return begin(await ask("/scenes/taken-in", { files: await uploads(files) }));
    const text = await file.text();
    const name = file.name.replace(/\.\w+$/, "").slice(0, 60);
    if (/marchtable\/log\//.test(text.slice(0, HEAD))) throw new Error(LOG);
    await begin({ name, ...(file.name.endsWith(".json") ? { scene: JSON.parse(text) } : { toml: text }) });
  });
});

$("#games").addEventListener("click", async ({ target }) => {
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
