// Casualties as they are shown: the stack as cards, the best way to take them, the next, every way, and one of one's own.

import { tryLog } from "./playing.js";
import { amount, button, clause, el, faults, spoken } from "./words.js";

export function lossPanel(game) {
  const { losses } = game.seen;
  const found = [
    el("p", { class: "aside-note" }, "Which losses are legal, and which are best? Click the hex under fire."),
    el("div", { class: "row" },
      el("label", {}, "On ", el("select", { id: "loss-at", onchange: (event) => losses.pick(event.target.value) }, losses.hexes().map((at) => el("option", { selected: at === losses.under }, at)))),
      el("label", {}, "points ", el("input", { id: "loss-points", type: "number", min: 0, max: 40, value: losses.points, placeholder: "as owed", onchange: (event) => (losses.points = event.target.value) }))),
    el("div", { class: "row" },
      button(losses.origin ? `fired from ${losses.origin}` : "fired from …", () => { losses.picking = "origin"; game.say("Click the hex that the fire comes from."); }),
      losses.origin ? button("direction not stated", () => { losses.origin = ""; game.overlay(); game.show(); }, { class: "plain" }) : null,
      el("label", {}, el("input", { type: "checkbox", checked: losses.opportunity, onchange: (event) => (losses.opportunity = event.target.checked) }), " as they move")),
    el("div", { class: "row" }, button("List the ways", () => losses.ask(), { class: "primary", id: "list-losses" })),
  ];
  if (losses.busy) found.push(el("p", { role: "status" }, "Counting …"));
  if (losses.fault) found.push(el("p", { class: "faults", role: "alert" }, losses.fault));
  if (losses.found) found.push(...lossLines(game, losses.found));
  return found;
}

function lossLines(game, found) {
  const { losses } = game.seen;
  const { best, allocations = [] } = found;
  if (Number(found.points) === 0) return [el("p", { role: "status", id: "loss-count", tabindex: -1 }, `0 points on ${found.at}: nothing is to be lost.`)];
  const shown = losses.shown ?? best?.plan;
  return [
    el("p", { role: "status", id: "loss-count", tabindex: -1 }, `${found.points} points on ${found.at}: ${found.count} way${found.count === 1 ? "" : "s"} to take them.`),
    shown ? plan(game, found, shown, shown === best?.plan ? `The best keeps ${amount(best.value)} of ${amount(best.intact)}` : `This way keeps ${amount(shown.value)}`) : null,
    ...(best?.equally_good ?? []).map((one) => el("div", { class: "card" }, el("h2", {}, "Equally good"), el("p", {}, words(one)), button("Show it", () => { losses.shown = one; game.show(); }))),
    best?.runner_up ? el("div", { class: "card" }, el("h2", {}, "The next best"), el("p", {}, `costs ${amount(best.cost)} more: ${words(best.runner_up)}`), button("Show it", () => { losses.shown = best.runner_up; game.show(); })) : null,
    own(game, found),
    allocations.length ? el("details", { class: "fold" }, el("summary", {}, `Every way (${found.count})`), el("ul", { class: "actions ways" }, allocations.map((one) => el("li", {}, button([el("span", {}, words(one)), el("span", { class: "cost" }, `keeps ${amount(one.value)}`)], () => { losses.shown = one; game.show(); }, { class: "act" })))), found.left_out ? el("p", {}, `and ${found.left_out} more`) : null) : null,
    found.worth ? el("p", { class: "aside-note" }, `Worth counts ${found.worth}.`) : null,
    found.assumed?.length ? el("p", { class: "aside-note" }, `Taken for granted: ${found.assumed.join("; ")}.`) : null,
  ];
}

// Each unit's loss, in one line.
function words(way) {
  const losses = way.losses.map((one) => `${one.unit} ${one.said}`);
  if (way.roll) losses.push(`${way.roll.unit} rolls, ${way.roll.chance} in ${way.roll.of} to live`);
  return losses.join(", ") || "nobody is harmed";
}

function plan(game, found, way, title) {
  const isOwn = !game.player || found.units.every((one) => game.unit(one.unit)?.side === game.player); // the other side chooses its own losses
  return el("div", { class: "card next", id: "loss-plan" },
    el("h2", {}, title),
    way.roll
      ? [el("p", {}, `${way.roll.unit} rolls for survival, ${way.roll.chance} in ${way.roll.of} `, clause(way.roll.clause, game.titles)),
          el("h2", {}, "If it survives"), cards(game, found, way.survived), el("h2", {}, "If it does not"), cards(game, found, way.failed)]
      : cards(game, found, way),
    el("p", { class: "aside-note" }, `In order: ${way.log.join(", ")}`),
    el("div", { class: "row" },
      game.isLast && isOwn ? button("Play it", () => taken(game, way)) : null,
      game.seen.losses.shown ? button("Back to the best", () => { game.seen.losses.shown = null; game.show(); }) : null));
}

// Casualties that are taken are no more to be listed.
async function taken(game, way) {
  if ((await tryLog(game, way.log)) !== true) return;
  game.seen.losses.found = game.seen.losses.shown = game.seen.losses.at = null;
  game.show();
  game.overlay();
  game.say(`Played: ${way.log.map(spoken).join("; ")}.`);
}

function cards(game, found, way) {
  const lossOf = new Map(way.losses.map((one) => [one.unit, one]));
  const after = new Map((way.units ?? []).map((one) => [one.unit, one]));
  return el("div", { class: "stack" }, found.units.map((unit) => {
    const one = lossOf.get(unit.unit);
    const then = after.get(unit.unit);
    const isLost = then && !then.alive;
    return el("div", { class: `unitcard${isLost ? " lost" : ""}` },
      picture(game, unit.unit),
      el("strong", {}, unit.unit),
      el("div", { class: "cost" }, then && then.figures !== unit.figures ? `${unit.figures} → ${then.figures}` : unit.figures),
      el("div", {}, one ? `${one.said} (${amount(one.points)}) ` : "unharmed"),
      one ? one.clauses.map((id) => [clause(id, game.titles), " "]) : null);
  }));
}

// The unit's counter as it lies on the board.
function picture(game, unit) {
  const group = game.board.unit(unit);
  if (!group) return null;
  const box = group.getBBox();
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", [box.x, box.y, box.width, box.height].join(" "));
  svg.setAttribute("class", "counter");
  svg.setAttribute("aria-hidden", "true");
  const copy = group.cloneNode(true);
  for (const name of ["role", "tabindex", "aria-label", "data-unit", "class"]) copy.removeAttribute(name);
  svg.append(copy);
  return svg;
}

// A way of one's own: for each unit one of the results that any way has for it.
function own(game, found) {
  const { losses } = game.seen;
  const { judged } = losses;
  const known = new Map();
  for (const way of found.allocations ?? [])
    for (const one of way.losses) known.set(one.unit, new Map([...(known.get(one.unit) ?? []), [one.result, one.said]]));
  if (!known.size) return null;
  const check = judged?.check;
  return el("details", { class: "fold", open: Boolean(judged) }, el("summary", {}, "A way of your own"),
    el("ul", { class: "plainlist" }, found.units.map((unit) => el("li", {}, el("label", {}, `${unit.unit} `,
      el("select", { "data-own": unit.unit, onchange: (event) => { if (event.target.value) losses.own[unit.unit] = event.target.value; else delete losses.own[unit.unit]; } },
        el("option", { value: "" }, "unharmed"), [...(known.get(unit.unit) ?? [])].map(([value, text]) => el("option", { value, selected: losses.own[unit.unit] === value }, text))))))),
    button("Check it", () => losses.ask({ ...losses.own }), { id: "judge-losses" }),
    check ? el("div", { class: `card${check.status === "LEGAL" ? "" : " bad"}`, id: "loss-judged", role: "status" },
      el("strong", {}, check.status === "LEGAL" ? "Legal" : "Not legal"),
      check.owed ? el("p", {}, `${amount(check.owed)} still owed.`) : null,
      check.violations?.length ? faults(check.violations, game.titles) : null) : null);
}
