// What pointer, keys and buttons do to a game.

import { choose, costs } from "./choosing.js";
import { handedOver, handOver } from "./handover.js";
import { inspect } from "./hexes.js";
import { pay } from "./losses.js";
import { go, refuse, roll, shift } from "./playing.js";
import { aim, aimThrough, commit, drop } from "./proposals.js";
import { turnSight } from "./sight.js";
import { hover } from "./ways.js";
import { $, isLegal, places } from "./words.js";

const TWICE = 700; // ms within which a second click is taken for a double click, which plays nothing

// A view that fits the units: on a small screen the player’s own, or those that may act, if any are on the map.
export function showUnits(game) {
  const { board, seen } = game;
  const on = (seen.view?.units ?? []).filter((one) => one.at);
  const acting = on.filter((one) => (game.player ? one.side === game.player : seen.view.sides.includes(one.side)));
  const crowd = matchMedia("(max-width: 760px)").matches && acting.length ? acting : on;
  board.fit();
  board.show(crowd.map((one) => one.at), { least: [Math.max(board.wide / 0.75, 900), 0], force: true });
}

export function listen(game) {
  const { board } = game;
  const on = (name, does) => board.on(name, (detail) => game.seen.view && does(detail));
  board.mayDrag = (unit) => game.isLast && game.mayAct(unit);
  on("hover", (detail) => hover(game, detail));
  on("nothing", () => (game.seen.proposal ? drop(game) : choose(game, null)));
  on("take", ({ unit }) => unit === game.seen.chosen || choose(game, unit));
  on("drag", (detail) => hover(game, detail));
  on("drop", (detail) => (detail.at ? release(game, detail) : drop(game)));
  on("pick", (detail) => pick(game, detail));
  $("#zoom-in").addEventListener("click", () => board.zoom(1.4));
  $("#zoom-out").addEventListener("click", () => board.zoom(1 / 1.4));
  $("#zoom-fit").addEventListener("click", () => (board.isFit() ? showUnits(game) : board.fit()));
  $("#undo").addEventListener("click", () => shift(game, "undo"));
  $("#agree").addEventListener("click", () => shift(game, "undo", true));
  $("#refuse").addEventListener("click", () => refuse(game));
  $("#try-now").addEventListener("click", () => dispatchEvent(new Event("online"))); // what waits for the network waits no more
  $("#redo").addEventListener("click", () => shift(game, "redo"));
  $("#sight").addEventListener("click", () => turnSight(game));
  $("#costs").addEventListener("click", () => costs(game));
  costs(game, localStorage.getItem("costs") === "yes");
  $("#due").addEventListener("click", () => (game.seen.pending.length ? roll(game) : pay(game)));
  $("#end-phase").addEventListener("click", () => import("./phases.js").then(({ endPhase }) => endPhase(game)).catch((error) => game.failed(error)));
  $("#more").addEventListener("click", () => import("./more.js").then(({ moreMenu }) => moreMenu(game)).catch((error) => game.failed(error)));
  $("#tabs").addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const names = game.seen.tabs.map(([name]) => name);
    game.turn(names[(names.indexOf(game.seen.tab) + by + names.length) % names.length]);
  });
  addEventListener("beforeprint", () => $("#key")?.setAttribute("open", ""));
  addEventListener("popstate", () => {
    if (handedOver()) return;
    const address = new URLSearchParams(location.search);
    const branch = address.get("branch") ?? "main";
    const step = address.has("step") ? Number(address.get("step")) : null;
    if (branch === game.branch) return go(game, step, { address: null });
    game.branch = branch;
    game.wanted = step;
    return game.load();
  });
  // The screen was handed over in another tab.
  addEventListener("storage", ({ key, newValue }) => {
    if (key === `seat ${game.id}` && newValue && game.seat?.due) handOver(game, game.seat.side);
  });
  document.addEventListener("keydown", (event) => key(game, event));
  // Every error is shown in one place.
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    game.failed(event.reason);
  });
}

async function release(game, { unit, at, path }) {
  if (game.board.cell(at) === game.board.cell(game.unit(unit).at)) return drop(game);
  if (!game.unitOptions || game.seen.chosen !== unit) await choose(game, unit);
  const stops = path.at(-1) === at ? path : [...path, at];
  await aimThrough(game, stops);
}

// The way to be proposed leads through the hex that has the focus, too; or no more, if it was the last.
function via(game) {
  const { seen, board } = game;
  const at = /** @type {any} */ (document.activeElement)?.dataset.at;
  if (!at || !game.unitOptions) return;
  const { at: hex } = board.cell(at);
  clearTimeout(seen.waiting); // the cheapest way there is not asked for
  seen.hovering?.abort();
  seen.via = seen.via.at(-1) === hex ? seen.via.slice(0, -1) : [...seen.via, hex];
  board.way([{ at: game.unitOptions.at }, ...seen.via.map((one) => ({ at: one }))]);
  game.say(seen.via.length ? `Through ${seen.via.join(", ")}; Enter on a hex proposes the way there.` : "The route has no hex that you chose.");
}

// Where the chosen unit is; off the map, where it can enter.
export function home(game) {
  const { at, ties = [] } = game.unit(game.seen.chosen) ?? {};
  return at ?? places(`- ${ties.join(" ")}`, game.board)[0];
}

// From the panel to the map, where the chosen unit is, and back.
function across(game) {
  if (document.activeElement?.closest("#board")) return $("#panel").focus();
  const place = home(game);
  const group = place ? game.board.cell(place).group : $('#board .hex[tabindex="0"]');
  group.focus({ preventScroll: true });
}

function pick(game, { at, unit }) {
  const { board, seen } = game;
  const { chosen, plans, losses } = seen;
  if ({ plan: plans, loss: losses }[seen.tab]?.pick(at)) return;
  const here = seen.view.units.filter((one) => one.at && board.cell(one.at) === board.cell(at));
  const stands = game.unit(chosen)?.at;
  if (unit && unit !== chosen) {
    const couldGo = chosen && game.isLast && game.unitOptions?.at && board.cell(game.unitOptions.at) !== board.cell(at);
    choose(game, unit);
    if (couldGo) seen.elsewhere = { unit: chosen, at };
    game.show();
  } else if (!chosen || (game.notHis(chosen) && board.cell(stands) !== board.cell(at))) {
    if (here.length) choose(game, here.at(-1).unit);
    else {
      if (chosen) choose(game, null);
      game.say(board.cell(at).said);
      seen.tab = "unit";
      inspect(game, at);
    }
  } else if (stands && board.cell(stands) === board.cell(at)) {
    const names = here.map((one) => one.unit);
    const next = names[(names.indexOf(chosen) + 1) % names.length];
    if (next !== chosen) choose(game, next);
  } else if (game.isLast && seen.proposal?.aimed === at && isLegal(seen.proposal.verdict) && !seen.proposal.isStuck && !seen.proposal.cuts) ($("#board :focus-visible") || performance.now() - seen.proposal.since > TWICE) && commit(game);
  else if (seen.via.length) aimThrough(game, [...seen.via, board.cell(at).at]).then(() => (seen.via = []));
  else aim(game, at).then(() => seen.proposal && Object.assign(seen.proposal, { aimed: at, since: performance.now() }));
}

function key(game, event) {
  if (event.target.closest("input, select, textarea, dialog") || handedOver() || !game.seen.view) return;
  const held = event.ctrlKey || event.metaKey;
  const does = held
    ? { z: () => shift(game, event.shiftKey ? "redo" : "undo"), y: () => shift(game, "redo") }[event.key.toLowerCase()]
    : {
        Escape: () => (game.seen.proposal ? drop(game) : choose(game, null)),
        n: () => next(game, 1),
        p: () => next(game, -1),
        "+": () => game.board.zoom(1.4),
        "-": () => game.board.zoom(1 / 1.4),
        c: () => costs(game),
        v: () => via(game),
        g: () => across(game),
        t: () => text(game),
        s: () => game.seen.view.sees && turnSight(game),
        0: () => game.board.fit(),
        "[": () => go(game, Math.max(0, game.step - 1)),
        "]": () => go(game, Math.min(game.seen.info.log.length, game.step + 1)),
      }[event.key];
  if (!does) return;
  event.preventDefault();
  does();
}

// The text mode, ready for a command.
function text(game) {
  game.turn("text");
  game.seen.text?.line.focus();
}

// The next unit of those that may act.
function next(game, by) {
  const names = game.seen.view.units.map((one) => one.unit).filter((unit) => game.mayAct(unit));
  if (!names.length) return;
  const at = names.indexOf(game.seen.chosen);
  const unit = names[(at + by + names.length) % names.length];
  choose(game, unit);
  game.board.unit(unit)?.focus({ preventScroll: true });
  const place = game.unit(unit).at;
  if (place) game.board.show([place]);
}
