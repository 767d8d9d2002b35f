// The board room: boards taken in, laid side by side, turned, and looked at hex by hex.

import { ask, uploads } from "./api.js";
import { Board } from "./board.js";
import { hexCard, table } from "./hexes.js";
import { brought } from "./bring.js";
import { SetUp } from "./setup.js";
import { theme } from "./theme.js";
import { $, button, download, el, Titles } from "./words.js";

theme();
const rows = [[]]; // of { named or board, turned, title }
let board = null;
let asked = 0; // how many layouts; the answer to the last is shown
const setUp = new SetUp($("#set-up"), $("#fault"));

function say(text) {
  $("#said").textContent = text ?? "";
}

function listed() {
  $("#rows").replaceChildren(
    ...rows.map((row, r) =>
      el("ul", { class: "plainlist", "aria-label": `Row ${r + 1}` }, row.map((one, c) =>
        el("li", { class: "row" },
          el("span", { class: "grow" }, one.title),
          el("label", {}, el("input", { type: "checkbox", checked: one.turned, onchange: (event) => { one.turned = event.target.checked; lay(); } }), " turned"),
          button("↓", () => { row.splice(c, 1); (rows[r + 1] ??= []).push(one); tidy(); }, { "aria-label": `${one.title}: to the next row` }),
          button("×", () => { row.splice(c, 1); tidy(); }, { "aria-label": `Take ${one.title} away` }))))));
}

function tidy() {
  for (let at = rows.length - 1; at > 0; at -= 1) if (!rows[at].length) rows.splice(at, 1);
  if (rows.length > 1 && !rows[0].length) rows.shift();
  lay();
}

// What each kind of unit would pay to enter a hex, by the rulebook that is chosen.
function tolls(found, at) {
  const place = el("div", { class: "row", id: "room-tolls" });
  place.append("What each pays to enter, by ", ...found.rulebooks.map((rulebook) => button(rulebook, async () => {
    say("Asking …");
    try {
      const rows = await ask("/boards/tolls", { board: found.board, rulebook, at });
      const titles = new Titles(ask, rulebook);
      place.replaceWith(table(at, rows, titles));
      say("");
    } catch (error) {
      say(error.message);
    }
  })));
  return place;
}

// Show a board that was laid.
function place(found) {
  board?.close();
  $("#stage").innerHTML = found.svg;
  board = new Board($("#board"), found.colours);
  board.fit();
  board.on("hover", (detail) => say(detail ? board.cell(detail.at).said : ""));
  board.on("pick", (detail) => {
    if (setUp.click(detail.at, detail.unit)) return;
    board.mark([{ at: detail.at, text: "", kind: "goal" }]);
    $("#hex").replaceChildren(...board.cell(detail.at).all.map((name) => hexCard(found.hexes[name])), tolls(found, detail.at));
  });
  setUp.on(board, found);
  $("#laid").hidden = false;
  $("#laid").textContent = `${found.name} · ${found.count} hexes`;
  $("#hex").replaceChildren(button("Save as a board file", () => download(`${found.name.replaceAll(/\W+/g, "-")}.json`, JSON.stringify(found.board), "application/json")));
  say(`${found.name}, ${found.count} hexes.`);
}

async function lay() {
  const mine = ++asked;
  listed();
  $("#fault").textContent = "";
  if (!rows.some((row) => row.length)) {
    $("#stage").replaceChildren();
    $("#hex").replaceChildren();
    $("#laid").hidden = true;
    board?.close();
    board = null;
    say("");
    setUp.on(null);
    return;
  }
  say("Laying …");
  try {
    const found = await ask("/boards/laid", { rows: rows.filter((row) => row.length).map((row) => row.map(({ named, board: name, turned }) => ({ named, board: name, turned }))) });
    if (mine !== asked) return;
    place(found);
  } catch (error) {
    if (mine !== asked) return;
    say("");
    $("#fault").textContent = error.message;
  }
}

$("#add").addEventListener("click", () => {
  const named = $("#known").value;
  if (!named) return;
  rows.at(-1).push({ named, turned: false, title: named });
  lay();
});

$("#board-file").addEventListener("change", async (event) => {
  const files = [...event.target.files];
  if (!files.length) return;
  event.target.value = "";
  const faults = [];
  for (const file of files) {
    say(`Reading ${file.name} …`);
    try {
      const [sent] = await uploads([file]);
      const found = await ask("/boards/taken-in", sent);
      rows.at(-1).push({ board: found.board, turned: false, title: found.name });
    } catch (error) {
      faults.push(`${file.name}: ${error.message}`);
    }
  }
  if (faults.length < files.length) await lay();
  if (!faults.length) return;
  say("");
  $("#fault").textContent = faults.join(" ");
});

// Another page of ours has brought a scene whose set-up is to be changed.
async function takeScene(scene) {
  say("Opening …");
  const found = await ask("/boards/of-scene", { scene });
  rows[0] = [{ board: found.board, turned: false, title: found.name }];
  listed();
  place(found);
  await setUp.take(scene);
}

addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  $("#fault").textContent = event.reason.message;
});
$("#zoom-in").addEventListener("click", () => board?.zoom(1.4));
$("#zoom-out").addEventListener("click", () => board?.zoom(1 / 1.4));
$("#zoom-fit").addEventListener("click", () => board?.fit());
const scene = brought();
if (scene) await takeScene(scene);
