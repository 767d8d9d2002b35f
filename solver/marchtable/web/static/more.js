// Files in and out, links, theme, keys: what is needed now and then.

import { handOver } from "./handover.js";
import { packed } from "./links.js";
import { go, play } from "./playing.js";
import { editSetUp } from "./bring.js";
import { theme } from "./theme.js";
import { $, broken, button, download, el, isLegal, raster } from "./words.js";

const MOST = 6000; // pixels of a picture's longer side

export function moreMenu(game) {
  const dialog = el("dialog", { id: "menu", "aria-labelledby": "menu-title" });
  const close = () => dialog.close();
  const status = el("p", { role: "status" });
  const file = el("input", { type: "file", accept: ".toml,.json,.txt,.log", id: "log-file", onchange: (event) => readLog(game, event.target.files[0], status, close) });
  const current = theme();
  dialog.append(...[
    el("h2", { id: "menu-title" }, "More"),
    el("div", { class: "row" },
      button("Save scene now", () => saveScene(game), { id: "save-scene-now", title: "The position that is shown: no log fits it but one that goes on from here" }),
      game.seen.info.log.length ? button("Save scene at the start", () => saveStart(game), { id: "save-scene-start", title: "The position before the first entry: the log from the start fits it" }) : null,
      game.hasHidden ? null : button("Save log from the start", () => saveLog(game), { id: "save-log", title: "All entries up to the step shown: it fits the scene at the start" }),
      button("Save picture (SVG)", async () => download(named("board.svg"), await picture(game), "image/svg+xml"), { id: "save-svg" }),
      button("Save picture (PNG)", async () => download(named("board.png"), await pixels(await picture(game)), "image/png"), { id: "save-png" }),
      button("Print", () => { close(); print(); })),
    el("div", { class: "row" },
      button("Replay", () => { close(); go(game, 0); }, { disabled: !game.seen.info.log.length }),
      game.seen.info.side === null && !game.seen.eyes ? button("Change the set-up …", async () => editSetUp(await sceneShown(game)), { id: "edit-set-up" }) : null,
      button("Link to this position", () => link(game, status), { id: "link" })),
    el("div", { class: "row" }, el("label", {}, "Play a log file ", file)),
    status,
    game.seen.info.side === null || game.seen.eyes ? el("div", { class: "row" },
      // Who was handed the screen sees his own side only, until he hands it on.
      game.seen.seated ? null : el("label", {}, "Seen by ", el("select", { id: "see", onchange: (event) => { close(); game.see(event.target.value); } },
        [["", "the referee"], ...game.seen.view.players.map((name) => [name, name])].map(([value, text]) => el("option", { value, selected: value === game.seen.eyes }, text)))),
      [...game.seen.view.players, ...(game.seen.seated ? [""] : [])].filter((name) => name !== game.seen.eyes).map((name) => button(`Hand over to ${name || "the referee"}`, () => { close(); handOver(game, name); }))) : null,
    el("div", { class: "row" }, el("label", {}, "Theme ",
      el("select", { id: "theme", onchange: (event) => { event.target.value ? theme(event.target.value) : (localStorage.removeItem("theme"), theme()); } },
        [["", "as the system"], ["light", "light"], ["dark", "dark"]].map(([value, text]) => el("option", { value, selected: value === current }, text))))),
    game.sheets?.length ? el("div", { class: "row" }, el("label", {}, "Map ",
      el("select", { id: "ground", onchange: (event) => { localStorage.setItem("ground", event.target.value); game.ground(); } },
        [["artwork", "VASL’s artwork"], ["drawn", "drawn by marchtable"]].map(([value, text]) => el("option", { value, selected: value === localStorage.getItem("ground") }, text))))) : null,
    el("details", { class: "fold" }, el("summary", {}, "Keys"),
      el("table", {}, el("tbody", {}, [
        ["Tab", "to the hexes, the units, the panels"], ["Arrows", "from hex to hex"], ["Enter", "choose a unit; propose a way"],
        ["N, P", "next unit, the one before"], ["Esc", "drop a proposal, let a unit go"], ["Ctrl Z, Ctrl Y", "undo, redo"],
        ["[ and ]", "a step back or on in the log"], ["+, −, 0", "zoom in, zoom out, whole board"], ["C", "show or hide the points left on each hex"], ["S", "show or hide the thread of sight"], ["T", "text commands"],
      ].map(([keys, what]) => el("tr", {}, el("th", { scope: "row" }, keys), el("td", {}, what)))))),
    el("div", { class: "row" }, el("a", { href: "/", class: "button" }, "To the start"), button("Close", close, { class: "primary" })),
  ].filter(Boolean));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

const named = (kind) => `${($("h1").textContent || "game").trim().replaceAll(/\W+/g, "-").toLowerCase()}-${kind}`;

// The scene as the position shown has it, with the game's name where it has none.
async function sceneShown(game) {
  const { name } = game.seen.info;
  const { scene } = game.isLast ? game.seen.info : await game.get(`/api/games/${game.id}/steps/${game.step}`);
  return { name, ...scene };
}

async function saveScene(game) {
  download(named("scene-now.json"), `${JSON.stringify(await sceneShown(game), null, 2)}\n`, "application/json");
}

// The scene before the first entry, which a saved log begins from.
async function saveStart(game) {
  const { name } = game.seen.info;
  const { scene } = await game.get(`/api/games/${game.id}/steps/0`);
  download(named("scene-at-the-start.json"), `${JSON.stringify({ name, ...scene }, null, 2)}\n`, "application/json");
}

function saveLog(game) {
  const log = game.seen.info.log.slice(0, game.step).map((entry) => entry.entry);
  download(named("log-from-the-start.json"), `${JSON.stringify({ format: "marchtable/log/1", log }, null, 2)}\n`, "application/json");
}

// The board as it is shown, whole, as SVG that stands by itself.
async function picture(game) {
  const copy = game.board.svg.cloneNode(true);
  const styles = await Promise.all(["palette.css", "board.css"].map(async (name) => (await fetch(new URL(name, import.meta.url))).text()));
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = styles.join("\n");
  copy.prepend(style);
  copy.setAttribute("viewBox", game.board.whole.join(" "));
  copy.classList.remove("pictured"); // the artwork is its owners', and not given away
  for (const name of ["#hexes", "#bitmap", "#artwork"]) copy.querySelector(name)?.remove();
  for (const text of copy.querySelectorAll("text, #links rect")) text.removeAttribute("style"); // all is written
  for (const group of copy.querySelectorAll("[tabindex]")) group.removeAttribute("tabindex");
  copy.setAttribute("width", game.board.whole[2]);
  copy.setAttribute("height", game.board.whole[3]);
  return new XMLSerializer().serializeToString(copy);
}

// A picture as PNG.
async function pixels(svg) {
  const canvas = await raster(svg, MOST);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

async function link(game, status) {
  const address = `${location.origin}/open#${await packed(await sceneShown(game))}`;
  const shown = el("input", { readonly: true, value: address, id: "address", "aria-label": "Link to this position" });
  status.replaceChildren("This link opens this position on any marchtable server: ", shown);
  shown.select();
  try {
    await navigator.clipboard.writeText(address);
    status.append(" (copied)");
  } catch {
    // The link stands there to be copied by hand.
  }
}

async function readLog(game, file, status, close) {
  if (!file) return;
  try {
    const { log } = await game.post(`/games/${game.id}/entries`, { text: await file.text(), name: file.name });
    const verdict = await game.ask("check", { log });
    if (verdict.stopped !== null) {
      status.textContent = `${file.name}: the referee stops at step ${verdict.stopped}: ${verdict.log[verdict.stopped]}`;
      return;
    }
    const faults = new Set([...verdict.violations, ...verdict.unsupported].map((one) => one.step)).size;
    const first = verdict.violations[0] ?? verdict.unsupported[0];
    const playAll = async () => {
      close();
      if (!(await play(game, log, !isLegal(verdict) && game.mayTry))) return;
      game.say(`${file.name}: ${log.length} ${log.length === 1 ? "entry" : "entries"} played${faults ? `, ${faults} not legal` : ""}.`, faults > 0);
    };
    if (isLegal(verdict)) return await playAll();
    const why = `${file.name}: ${faults} of ${log.length} ${log.length === 1 ? "entry is" : "entries are"} not legal from here. Step ${first.step}, ${verdict.log[first.step]}: ${broken(first)} Does the log begin with this position? A log from the start fits the scene at the start.`;
    status.replaceChildren(why, " ", ...(game.mayTry ? [button("Play it all the same", playAll, { id: "play-illegal" })] : []));
  } catch (error) {
    status.textContent = `${file.name}: ${error.message}`;
  }
}
