// The panel of the chosen unit: what it has left, what it may do, what is proposed and why not.

import { choose } from "./choosing.js";
import { inspector } from "./hexes.js";
import { pay } from "./losses.js";
import { roll } from "./playing.js";
import { aim, commit, company, drop, joining, propose } from "./proposals.js";
import { isOfLine, mates } from "./lines.js";
import { unitList } from "./unitlist.js";
import { declares, point } from "./ways.js";
import { $, STATE_SIGHT, amount, button, byReason, chance, clause, debt, derived, el, faults, grouped, isLegal, nothingListed, outcomeSaid, outcomes, owed, places, points, possible, receipt, remaining, rollsOf, said, spelled, toFirstRoll, vertexOf } from "./words.js";

export function unitPanel(game) {
  const { view, chosen, options } = game.seen; const { titles } = game;
  if (!chosen) return nothingChosen(game);
  const unit = view.units.find((one) => one.unit === chosen);
  if (!unit) return nothingChosen(game);
  const found = [strip(game, unit), debtCard(game)];
  const unitOptions = options?.units?.[0];
  const depends = (text, ids) => el("details", { class: "fold" }, el("summary", {}, text), rules(ids, titles));
  const left = unitOptions ? el("span", { class: "left" }, remaining(unitOptions.left, unitOptions.points)) : null;
  found.push(
    el("div", { class: "card" },
      el("h2", {}, unit.unit, left),
      el("div", { class: "aside-note" }, [unit.side, unit.kind !== unit.unit ? unit.kind : null, unit.label !== unit.unit ? unit.label : null, unit.note.replace(/^(.*) (\d+)$/, "no. $2 in line $1"), unit.at ? `at ${unit.at}` : "not on the map", ...unit.ties, ...unit.state.map(spelled)].filter(Boolean).join(" · ")),
      unit.marks.length ? el("ul", { class: "signs", "aria-label": `Marks of ${unit.unit}` }, signs(unit.marks)) : null,
      unit.state.length ? el("details", { class: "fold" }, el("summary", {}, "Details"), el("p", { class: "aside-note", id: "state" }, unit.state.join(" · "))) : null,
      unitOptions?.actions.some(isOfLine) ? el("p", { class: "aside-note" }, `It leads others${Object.keys(unitOptions.reach?.locations ?? {}).length > 1 ? `: choose a hex on the map, or drag ${unit.unit} along its way. The others come after it.` : ". It reaches no hex: “Impulse …” lists what it can do."}`)
        : unitOptions?.reach && !unitOptions.reach.exact && Object.keys(unitOptions.reach.locations).length > 1 ? depends("Its reach is shown in part. It leaves out what depends on:", unitOptions.reach.unsupported) : null,
      unitOptions?.reach?.assumed?.length && Object.keys(unitOptions.reach.locations).length > 1 ? depends("Its reach assumes that rolls on the way succeed:", unitOptions.reach.assumed) : null,
      unitOptions?.reach && mates(game).length ? el("div", { class: "row", id: "mates" }, "Moves with", mates(game).map((name) => companion(game, name))) : null,
    ),
  );
  if (game.seen.blocker) found.splice(2, 0, blockerCard(game));
  if (game.seen.elsewhere) found.push(elsewhere(game));
  if (game.seen.proposal) found.push(proposalCard(game));
  if (!unitOptions) found.push(el("p", { class: "aside-note" }, game.seen.failure || "Asking …"), game.seen.failure && game.mayAct(chosen) ? button("Ask again", () => choose(game, chosen), { id: "ask-again" }) : null);
  else if (options.pending.length) found.push(dueCard(game));
  else found.push(...doable(game, unitOptions));
  if (game.isLast && !game.seen.pending.length && (!game.player || unit.side === game.player)) found.push(happenings(game));
  else if (game.player && unit.side !== game.player) found.push(el("p", { class: "aside-note" }, `What fire or anything else does to it, ${unit.side} enters.`));
  return found;
}

// Clauses by their titles.
const rules = (ids, titles) => ids.map((id, at) => [at ? "; " : "", titles.of(id), " ", clause(id, titles)]);

function nothingChosen(game) {
  const { player } = game;
  return [
    debtCard(game),
    player && game.waits(player) ? el("p", { class: "aside-note" }, game.waits(player)) : null,
    el("p", {}, "Choose a unit here or on the map to see what it can do. Choose a hex to see what is there."),
    unitList(game),
    key(game.seen.view),
    inspector(game),
  ];
}

const signs = (marks) => marks.map((one) => el("li", {}, el("span", { class: `sign ${one.tone}` }, one.sign), one.said ? ` ${one.said}` : ""));

// What the labels on counters mean, each once.
function key(view) {
  const marks = new Map(view.units.filter((one) => one.at).flatMap((one) => one.marks).filter((one) => one.said).map((one) => [one.sign, one]));
  if (!marks.size) return null;
  return el("details", { class: "fold", id: "key" }, el("summary", {}, `What the labels mean (${marks.size})`), el("ul", { class: "signs" }, signs([...marks.values()])));
}

function strip(game, unit) {
  const here = game.seen.view.units.filter((one) => one.at && one.at === unit.at);
  return el("div", { class: "units-strip" },
    button("All units", () => choose(game, null), { class: "plain" }),
    here.length > 1 ? here.map((one) => button([game.board.counter(one.unit), one.unit], () => choose(game, one.unit), { class: "piece", "aria-pressed": String(one.unit === unit.unit) })) : null);
}

function elsewhere(game) {
  const { unit, at } = game.seen.elsewhere;
  return el("p", {}, button(`Send ${unit} to ${at} instead`, () => aim(game, at, unit)));
}

// What is owed before anything else, and the way to it.
function debtCard(game) {
  const owes = debt(game.seen.view);
  if (!owes || !game.isLast) return null;
  return el("div", { class: "card next", id: "debt" }, el("h2", {}, owes), button(!game.seen.view.weighs ? "Choose the unit" : game.isOwing ? "Choose losses" : "See which losses are possible", () => pay(game), { class: "primary" }));
}

function dueCard(game) {
  return el("div", { class: "card next" },
    el("h2", {}, `First a ${owed(game.seen.options.pending[0])} is due`),
    game.seen.options.pending.map((one) => el("p", {}, `${one.unit}: ${one.note || game.titles.of(one.clause)} `, clause(one.clause, game.titles))),
    game.rolls ? el("p", {}, `${game.rolls} decides it.`) : game.isLast ? button(owed(game.seen.options.pending[0]) === "roll" ? "Roll, or enter the result" : "Choose", () => roll(game), { class: "primary" }) : null);
}

function doable(game, unitOptions) {
  const { board, titles } = game;
  const does = unitOptions.actions.some((one) => one.verb !== "end");
  const moves = unitOptions.actions.filter((one) => one.cost !== undefined && places(one.action, board).length && !game.unit(one.action.split(" ")[2])); // fire at a hex costs nothing, a Gun is pushed
  const rest = unitOptions.actions.filter((one) => !moves.includes(one));
  const found = [];
  const { idle, blocker, line } = game.seen;
  if (line) found.push(follower(game));
  else if (!unitOptions.actions.length && !blocker && !idle) found.push(el("p", {}, nothingListed(game.seen.options)));
  const ride = does ? [] : carrier(game);
  if ((idle || ride.length) && !blocker && !line) found.push(el("p", { id: "idle" }, idle ? [`It can do ${does ? "only what is listed" : "nothing now"}: ${idle.reason}. `, clause(idle.clause, titles)] : `It goes where ${ride} goes.`, (idle ? carrier(game) : ride).map((unit) => [" ", button(`Choose ${unit}`, () => choose(game, unit))])));
  for (const { unit, verbs } of game.seen.hands) found.push(el("p", { class: "hands" }, `${unit} can ${verbs.map((verb) => said(verb).toLowerCase()).join(", ")} ${game.seen.chosen}. `, button(`Choose ${unit}`, () => choose(game, unit))));
  for (const { verb, note, of = [], clauses: [id] } of unitOptions.barred) {
    const helpers = /“[^”]+” first/.test(note) && !note.includes(STATE_SIGHT) && !note.split(/[ :,]/).includes(game.seen.chosen) ? of.filter((unit) => unit !== game.seen.chosen && game.mayAct(unit)) : []; // an AFV without a radio, by its Task check
    if (helpers.length) found.push(el("p", { class: "hands" }, `${said(verb)} ${helpers.join(", ")}: ${note} `, clause(id, titles), helpers.map((unit) => [" ", button(`Choose ${unit}`, () => choose(game, unit))])));
  }
  const { stays } = game.seen;
  if (stays) found.push(el("p", { id: "no-reach" }, `It reaches no other hex: ${stays.reason} `, clause(stays.clause, titles), stays.helps ? [" ", button(said(stays.helps, unitOptions.unit), () => propose(game, [stays.helps]))] : null));
  if (rest.length) found.push(el("h2", {}, "Actions"), el("ul", { class: "actions" }, rest.map((one) => offer(game, unitOptions, one))));
  if (moves.length)
    found.push(el("details", { class: "fold", open: moves.length <= 12 }, el("summary", {}, `Moves to a hex (${moves.length})`),
      el("ul", { class: "actions" }, moves.map((one) => offer(game, unitOptions, one)))));
  if (unitOptions.entitlements?.length)
    found.push(el("details", { class: "fold" }, el("summary", {}, `Rules that apply to it (${unitOptions.entitlements.length})`),
      el("ul", { class: "plainlist" }, unitOptions.entitlements.map((one) => el("li", {}, `${one.allowed ? "Can" : "Cannot"} ${one.what}`, one.factor && one.factor !== 1 ? ` × ${amount(one.factor)}` : "", " ", one.clauses.map((id) => [clause(id, titles), " "]))))));
  if (unitOptions.barred.length)
    found.push(el("details", { class: "fold barred" }, el("summary", {}, `Not possible now (${unitOptions.barred.length})`),
      el("ul", { class: "plainlist" }, byReason(unitOptions.barred).map((one) => el("li", {}, el("strong", {}, one.actions.map((verb) => said(verb)).join(", ")), `: ${blocker?.clause === one.clauses[0] && !one.note.includes(blocker.units[0]) ? `${blocker.units.join(", ")}: ` : ""}${one.note} `, (one.actions.length > 1 ? one.clauses.slice(0, 1) : one.clauses).map((id) => [clause(id, titles), " "]), sees(one.note))))));
  const odd = byReason(unitOptions.unsupported).map((one) => [`${one.actions.map((action) => said(action, unitOptions.unit)).join(", ")}: ${one.note} `, one.clauses.map((id) => [clause(id, titles), " "]), sees(one.note)]);
  if (line) found.push(...odd.map((words) => el("p", { class: "hands" }, "Not modelled: ", words))); // all else it does with the line
  else if (odd.length) found.push(el("details", { class: "fold" }, el("summary", {}, `Not modelled (${unitOptions.unsupported.length})`), el("ul", { class: "plainlist" }, odd.map((words) => el("li", {}, words)))));
  const { unproposed } = game.seen.options;
  if (does && unproposed.length) found.push(el("details", { class: "fold" }, el("summary", {}, `In the text mode alone (${unproposed.length})`), el("p", { class: "aside-note" }, unproposed.map((verb) => game.forms[verb]).join("; "))));
  return found;
}

// A button that takes another unit along, or leaves it again.
function companion(game, name) {
  const { chosen, stack } = game.seen;
  const isAlong = stack.includes(name);
  return button(name, () => choose(game, chosen, { stack: isAlong ? stack.filter((one) => one !== name) : [...stack, name] }), { "aria-pressed": String(isAlong), disabled: !game.isLast });
}

// What depends on what a unit is stated to see leads there.
const sees = (note) => (note.includes(STATE_SIGHT) || note.includes("stated to see") ? button(STATE_SIGHT, () => open($("#happenings"))) : null);

// Unfold what is asked once it is wanted, and go there.
function open(fold) {
  fold.open = true;
  fold.scrollIntoView({ block: "nearest" });
  fold.firstElementChild.focus();
}

// What fire, mines and the like can do to a unit, asked once it is wanted: its own player enters it, in whose phase ever.
function happenings(game) {
  const { chosen } = game.seen;
  const list = el("div", { class: "row" }, "Asking …");
  const fold = el("details", { class: "fold", id: "happenings" }, el("summary", {}, "What happened to it, and what it sees"), list);
  fold.addEventListener("toggle", async () => {
    const found = await game.get(`/games/${game.id}/happenings/${encodeURIComponent(chosen)}`, { step: game.wanted }).catch((error) => game.failed(error));
    if (found) list.replaceChildren(...found.map((one) => button(said(one, chosen), () => propose(game, [one]))), found.length ? "" : "No modelled event can happen to this unit now.");
  }, { once: true });
  return fold;
}

// The way of actions is drawn while the pointer, or the focus, is on what offers them.
const shows = (game, actions) => ({
  onpointerenter: () => point(game, actions), onpointerleave: () => point(game, null), onfocus: () => point(game, actions), onblur: () => point(game, null),
});

const ARROWS = { NNE: "↗", E: "→", SSE: "↘", SSW: "↙", W: "←", NNW: "↖" };

// The words of an action, and an arrow to the vertex that it goes round.
function worded(action, unit) {
  const arrow = ARROWS[vertexOf(action)];
  return el("span", {}, said(action, unit), arrow ? el("span", { "aria-hidden": "true" }, ` ${arrow}`) : null);
}

// An action that is offered; one that is not whole alone is gone on with first.
function offer(game, unitOptions, one) {
  const more = { class: "act", disabled: !game.isLast, ...shows(game, [one.action]) };
  if (one.choose) return el("li", {}, button(one.words, one.choose, more));
  const cost = el("span", { class: "cost" }, one.cost === undefined ? "" : points(one.cost, unitOptions.points));
  if (isOfLine(one)) return el("li", {}, button([el("span", {}, `${said(one.action, unitOptions.unit)} …`)], () => import("./impulses.js").then(({ openLine }) => openLine(game, one.action)), more));
  const words = said(one.action, unitOptions.unit);
  const others = { "aria-label": `${words} with …: ${one.joins?.join(", ")}` };
  if (one.closes === false) return el("li", {}, button([el("span", {}, `${words} with …`), cost], () => joining(game, one.action, one), { ...more, ...others }));
  return el("li", {},
    button([worded(one.action, unitOptions.unit), cost], () => propose(game, [one.action]), more),
    one.joins?.length && game.isLast ? button("with …", () => joining(game, one.action, one), others) : null);
}

// Who carries the chosen unit, and can act.
const carrier = (game) => [game.unit(game.seen.chosen).carried].filter((name) => name && game.mayAct(name));

// A unit that goes with others, which one of them leads.
function follower(game) {
  const { line } = game.seen;
  const leader = line.costs[0].unit;
  return el("p", { id: "follower" }, `It moves together with ${line.costs.map((one) => one.unit).filter((unit) => unit !== game.seen.chosen).join(", ")}. `, button(`Choose ${leader}, which leads`, () => choose(game, leader), { class: "primary" }));
}

function proposalCard(game) {
  const { proposal } = game.seen; const { titles } = game;
  const { verdict } = proposal;
  if (proposal.choices) return choicesCard(game);
  if (proposal.unreached) return unreachedCard(game);
  if (!verdict) return el("div", { class: "card next" }, el("h2", {}, proposal.title), el("p", {}, game.seen.failure ?? "Asking …"));
  const isFine = isLegal(verdict);
  const isRash = proposal.isStuck || proposal.cuts; // legal, but hardly meant
  const head = isFine ? proposal.title : verdict.status === "UNSUPPORTED" ? `${proposal.title}: not modelled` : `${proposal.title}: not allowed`;
  const spent = new Map();
  for (const one of verdict.receipts) spent.set(`${one.unit}\n${one.points}`, (spent.get(`${one.unit}\n${one.points}`) ?? 0) + one.amount);
  const sums = [...spent].map(([who, sum]) => [who.split("\n"), sum]);
  const alike = sums.length > 1 && new Set(sums.map(([[, name], sum]) => points(sum, name))).size === 1 && new Set(verdict.slack.map((one) => one.left)).size === 1;
  const whole = isFine && proposal.actions.length === 1 ? proposal.offered ?? game.unitOptions?.actions.find((one) => one.action === proposal.actions[0]) : null;
  const declared = proposal.actions.length > 1 ? declares(proposal.actions.filter((_, step) => !verdict.receipts.some((one) => one.step === step && one.amount)), game.board) : [];
  const behind = proposal.actions.length > 1 || !isFine ? game.unitOptions?.actions.find((one) => one.joins?.length && (!isFine || proposal.actions.includes(one.action)))?.joins ?? [] : [];
  const free = whole ? company(proposal, whole) : [];
  return el("div", { class: `card next${isFine && !isRash ? "" : " bad"}`, id: "proposal" },
    el("h2", {}, proposal.isStuck ? `${head}: it cannot stay there` : proposal.cuts ? `${head}: it ends what ${proposal.cuts} can do` : head),
    verdict.violations.length ? faults(verdict.violations, titles, game.seen.chosen) : null,
    verdict.unsupported.length ? faults(verdict.unsupported, titles, game.seen.chosen) : null,
    verdict.stopped !== null && !isFine ? el("p", {}, "Nothing after this step can be checked.") : null,
    alike ? el("p", {}, `${isFine ? "Costs" : "Would cost"} ${points(sums[0][1], sums[0][0][1])} each${isFine ? `; each has ${remaining(verdict.slack[0].left, verdict.slack[0].points)}` : ""} (${sums.map(([[who]]) => who).join(", ")}).`)
      : sums.length ? el("p", {}, `${isFine ? "Costs" : "Would cost"} ${sums.map(([[who, name], sum]) => `${points(sum, name)}${sums.length > 1 ? ` (${who})` : ""}`).join(", ")}${isFine ? `; ${verdict.slack.map((one) => `${one.unit} has ${remaining(one.left, one.points)}`).join(", ")}` : ""}.`) : null,
    verdict.obligations.length ? el("p", { class: "rolls" }, verdict.obligations.map((one) => [`Then a ${owed(one)} is due: ${one.unit}, ${one.note || titles.of(one.clause)} (${grouped(possible(one)).map((odds) => `${outcomeSaid(one.id, odds.outcome)}${owed(one) === "roll" ? `: ${chance(odds)}` : ""}`).join(", ")}) `, clause(one.clause, titles), " "])) : null,
    toFirstRoll(proposal.actions).length < proposal.actions.length ? el("p", { class: "rolls" }, `This assumes that rolls on the way succeed (${rollsOf(proposal.actions)}). It is played up to the first roll, which you then make.`) : null,
    effects(verdict, titles),
    el("p", { class: "forgoes", hidden: !proposal.forgoes }, proposal.forgoes ?? ""),
    verdict.receipts.length ? el("details", { class: "fold", open: verdict.receipts.length <= 2 }, el("summary", {}, "Receipt"), verdict.receipts.map((one) => receipt(one, titles))) : null,
    derived(verdict.details).length ? el("ul", { class: "plainlist", id: "derived" }, derived(verdict.details).map((one) => el("li", {}, one))) : null,
    behind.length ? el("p", { id: "behind" }, `This is ${game.seen.chosen} alone, without ${behind.join(", ")}: “Moves with” takes others along.`) : null,
    declared.length ? el("p", { id: "declared" }, `On the way: ${declared.join(", ")}.`) : null,
    proposal.actions.length > 1 ? el("details", { class: "fold" }, el("summary", {}, `${proposal.actions.length} steps`), el("ol", {}, proposal.actions.map((one) => el("li", {}, said(one, game.seen.chosen))))) : null,
    proposal.others.length ? el("details", { class: "fold", open: proposal.others.some((one) => one.ends) }, el("summary", {}, `In another way (${proposal.others.length})`), el("ul", { class: "actions" }, proposal.others.map((one) => offer(game, game.unitOptions, one)))) : null,
    sees(verdict.unsupported.map((one) => one.reason).join()),
    el("div", { class: "row" },
      free.length ? button("with …", () => joining(game, whole.action, proposal.company ?? whole), { "aria-label": `${head} with …: ${free.join(", ")}` }) : null,
      isFine ? button("Do it", () => commit(game), { class: isRash ? null : "primary", id: "do-it" }) : null,
      !isFine && verdict.stopped === null && game.mayTry ? button("What if? Play it anyway", () => commit(game, true), { id: "what-if" }) : null,
      button("Cancel", () => drop(game), { id: "not-now" })));
}

function effects(verdict, titles) {
  const unitOptions = outcomes(verdict, titles);
  return unitOptions.length ? el("ul", { class: "plainlist effects" }, unitOptions) : null;
}

// Another unit's move must be finished first.
function blockerCard(game) {
  const { blocker } = game.seen; const { titles } = game;
  return el("div", { class: "card next bad", id: "blocker", role: "status" },
    el("h2", {}, `${blocker.units.join(", ")} must finish first`),
    faults([{ ...blocker, units: blocker.units.slice(0, 1) }], titles, blocker.units[0]),
    el("div", { class: "row" }, blocker.leads.map((unit) => button(`Choose ${unit}`, () => choose(game, unit), { class: "primary" }))));
}

// Nothing leads to the hex that was clicked: it cannot be tried either.
function unreachedCard(game) {
  const { title, violations, unsupported, words } = game.seen.proposal;
  return el("div", { class: "card next bad", id: "proposal" },
    el("h2", {}, title),
    words ? el("p", {}, words) : null,
    violations.length ? faults(violations, game.titles, game.seen.chosen) : null,
    !violations.length && unsupported.length ? el("p", {}, "Not modelled: ", rules(unsupported, game.titles)) : null,
    el("div", { class: "row" }, violations.flatMap((one) => one.leads ?? one.units ?? []).filter((unit) => unit !== game.seen.chosen && game.mayAct(unit)).map((unit) => button(`Choose ${unit}`, () => choose(game, unit), { class: "primary" })), button("Cancel", () => drop(game), { id: "not-now" })));
}

// Several actions lead to the hex that was clicked: which one?
function choicesCard(game) {
  const { proposal } = game.seen;
  const unitOptions = game.seen.options?.units?.[0];
  return el("div", { class: "card next", id: "proposal" },
    el("h2", {}, proposal.title),
    el("ul", { class: "actions" }, proposal.choices.map((one) =>
      el("li", {}, button([one.words ?? worded(one.action, unitOptions?.unit), el("span", { class: "cost" }, one.cost === undefined ? "" : points(one.cost, one.points ?? unitOptions.points))], () => (one.choose ? one.choose() : propose(game, one.actions ?? [one.action])), { class: "act", ...shows(game, one.actions ?? [one.action]) })))),
    button("Cancel", () => drop(game), { id: "not-now" }));
}
