// What pointer, keys and buttons do to a game.

import { handOver, handedOver } from "./handover.js";
import { inspect } from "./hexes.js";
import { moreMenu } from "./more.js";
import { endPhase } from "./phases.js";
import { turnSight } from "./sight.js";
import { isLegal } from "./words.js";

const $ = (name) => document.querySelector(name);

export function listen(game) {
  const { board } = game;
  const on = (name, does) => board.addEventListener(name, ({ detail }) => game.seen.view && does(detail));
  board.mayDrag = (unit) => game.isLast && game.mayAct(unit);
  on("hover", (detail) => game.hover(detail));
  on("nothing", () => (game.seen.proposal ? game.drop() : game.choose(null)));
  on("take", ({ unit }) => unit === game.seen.chosen || game.choose(unit));
  on("drag", (detail) => game.hover(detail));
  on("drop", (detail) => (detail.at ? release(game, detail) : game.drop()));
  on("pick", (detail) => pick(game, detail));
  $("#zoom-in").addEventListener("click", () => board.zoom(1.4));
  $("#zoom-out").addEventListener("click", () => board.zoom(1 / 1.4));
  $("#zoom-fit").addEventListener("click", () => board.fit());
  $("#undo").addEventListener("click", () => game.shift("undo"));
  $("#redo").addEventListener("click", () => game.shift("redo"));
  $("#sight").addEventListener("click", () => turnSight(game));
  $("#costs").addEventListener("click", () => game.costs());
  game.costs(localStorage.getItem("costs") === "yes");
  $("#due").addEventListener("click", () => game.roll());
  $("#end-phase").addEventListener("click", () => endPhase(game));
  $("#more").addEventListener("click", () => moreMenu(game));
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
    if (branch === game.branch) return game.go(step, { address: null });
    game.branch = branch;
    game.wanted = step;
    return game.load();
  });
  // The screen was handed over in another tab.
  addEventListener("storage", ({ key, newValue }) => {
    if (key === `seat ${game.id}` && newValue && game.seat?.due) handOver(game, game.seat.side);
  });
  document.addEventListener("keydown", (event) => key(game, event));
  // Whatever was asked from wherever and went wrong is told in one place.
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    game.failed(event.reason);
  });
}

async function release(game, { unit, at }) {
  if (game.board.cell(at) === game.board.cell(game.unit(unit).at)) return game.drop();
  if (!game.told) await game.choose(unit);
  await game.aim(at, unit);
}

function pick(game, { at, unit }) {
  const { board, seen } = game;
  const { chosen, plans, losses } = seen;
  if ({ plan: plans, loss: losses }[seen.tab]?.pick(at)) return;
  const here = seen.view.units.filter((one) => one.at && board.cell(one.at) === board.cell(at));
  const stands = game.unit(chosen)?.at;
  if (unit && unit !== chosen) {
    const couldGo = chosen && game.isLast && game.told?.at && board.cell(game.told.at) !== board.cell(at);
    game.choose(unit);
    if (couldGo) seen.elsewhere = { unit: chosen, at };
    game.show();
  } else if (!chosen) {
    if (here.length) game.choose(here.at(-1).unit);
    else {
      game.say(board.cell(at).said);
      seen.tab = "unit";
      inspect(game, at);
    }
  } else if (stands && board.cell(stands) === board.cell(at)) {
    const names = here.map((one) => one.unit);
    const next = names[(names.indexOf(chosen) + 1) % names.length];
    if (next !== chosen) game.choose(next);
  } else if (game.isLast && seen.proposal?.aimed === at && isLegal(seen.proposal.verdict)) game.commit();
  else game.aim(at).then(() => seen.proposal && (seen.proposal.aimed = at));
}

function key(game, event) {
  if (event.target.closest("input, select, textarea, dialog") || handedOver() || !game.seen.view) return;
  const held = event.ctrlKey || event.metaKey;
  const does = held
    ? { z: () => game.shift(event.shiftKey ? "redo" : "undo"), y: () => game.shift("redo") }[event.key.toLowerCase()]
    : {
        Escape: () => (game.seen.proposal ? game.drop() : game.choose(null)),
        n: () => next(game, 1),
        p: () => next(game, -1),
        "+": () => game.board.zoom(1.4),
        "-": () => game.board.zoom(1 / 1.4),
        c: () => game.costs(),
        s: () => game.seen.view.sees && turnSight(game),
        0: () => game.board.fit(),
        "[": () => game.go(Math.max(0, game.step - 1)),
        "]": () => game.go(Math.min(game.seen.info.log.length, game.step + 1)),
      }[event.key];
  if (!does) return;
  event.preventDefault();
  does();
}

// The next unit of those that may act.
function next(game, by) {
  const names = game.seen.view.units.map((one) => one.unit).filter((unit) => game.mayAct(unit));
  if (!names.length) return;
  const at = names.indexOf(game.seen.chosen);
  const unit = names[(at + by + names.length) % names.length];
  game.choose(unit);
  game.board.unit(unit)?.focus({ preventScroll: true });
  const place = game.unit(unit).at;
  if (place) game.board.show([place]);
}
