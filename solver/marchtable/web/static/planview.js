// A plan as it is shown: its goals, the search, its steps and its worth; or what forbids it, and what would help.

import { answerSaid } from "./plans.js";
import { play } from "./playing.js";
import { room } from "./room.js";
import { amount, broken, button, capital, clause, el, faults, isLegal, points, receipt, spoken, toFirstRoll } from "./words.js";

const KINDS = [["at", "end in"], ["near", "come near"], ["exit", "leave the map by"]];
const PROOF = {
  lrat: "Proved: the solver's proof was checked step by step.",
  "second solve": "Proved: a second solve with other parameters agrees.",
  bound: "Proved by bounds or by a search.",
  unconfirmed: "Proved by one solve, not confirmed.",
};

const OPEN = {
  limit: "The time ran out",
  stop: "The search was stopped",
  others: "Other units might help on the way or stay behind, so nothing is proved",
  orders: "Units can act in too many orders to try them all",
};

const SEARCHED = {
  OPTIMAL: "best plan proved",
  FEASIBLE: "a plan, not proved the best",
  "NO BETTER": "none better",
  IMPOSSIBLE: "no plan",
  UNKNOWN: "not searched to the end",
  UNSUPPORTED: "no plan known",
};

export function planPanel(game) {
  const { plans } = game.seen;
  const mine = plans.mine();
  const found = [];
  if (!mine.length) return [el("p", {}, (game.player && game.waits(game.player)) || "No unit can move now.")];
  found.push(
    el("p", { class: "aside-note" }, "Choose a unit and a goal, then click hexes on the map. Click a hex again to remove it."),
    el("div", { class: "row" },
      el("label", {}, "Unit ", el("select", { id: "plan-unit", onchange: (event) => { plans.picked = event.target.value; game.show(); } }, mine.map((one) => el("option", { selected: one.unit === plans.unit }, one.unit)))),
      el("label", {}, "must ", el("select", { id: "plan-kind", onchange: (event) => { plans.kind = event.target.value; game.show(); } }, KINDS.map(([value, text]) => el("option", { value, selected: value === plans.kind }, text))))));
  if (plans.aims.length) {
    found.push(el("ul", { class: "plainlist aims" }, plans.aims.map((aim) =>
      el("li", { class: "row" },
        el("span", { class: "grow" }, `${aim.unit}: ${KINDS.find(([kind]) => kind === aim.kind)[1]} ${aim.at.join(" or ")}`),
        aim.kind === "near" ? null : el("label", {}, el("input", { type: "checkbox", checked: aim.must, onchange: (event) => (aim.must = event.target.checked) }),  " required"),
        button("×", () => { plans.aims = plans.aims.filter((one) => one !== aim); game.overlay(); game.show(); }, { "aria-label": `Remove ${aim.unit}’s goal` })))));
    found.push(
      el("div", { class: "row" },
        el("label", {}, "Rolls ", el("select", { id: "plan-rolls", onchange: (event) => (plans.rolls = event.target.value) }, [["pass", "are assumed to succeed"], ["avoid", "are avoided"]].map(([value, text]) => el("option", { value, selected: value === plans.rolls }, text)))),
        el("label", {}, "Seconds ", el("input", { type: "number", id: "plan-limit", min: 1, max: 600, value: plans.limit, onchange: (event) => (plans.limit = Number(event.target.value)) }))),
      el("div", { class: "row" },
        button("Find the best plan", () => plans.run("plan", { goal: plans.goal(), rolls: plans.rolls, limit: plans.limit }), { class: "primary", id: "find-plan" }),
        button("Why not?", () => plans.run("why", { goal: plans.goal(), rolls: plans.rolls, limit: plans.limit }), { id: "ask-why" })));
  }
  if (plans.running) found.push(el("div", { class: "card", id: "searching" }, el("div", { id: "news", role: "status" }, plans.progress()), el("progress", { "aria-label": "Searching" }), el("div", { class: "row" }, button("Stop and use the best so far", () => plans.halt()))));
  if (plans.fault) found.push(el("p", { class: "faults", role: "alert" }, plans.fault));
  if (plans.found) found.push(plans.taken(plans.found.log) === null ? outdated(game) : plans.verb === "plan" ? planFound(game, plans.found) : whyFound(game, plans.found));
  return found;
}

const outdated = (game) => {
  const { plans } = game.seen;
  return el("div", { class: "card next", id: "outdated" },
    el("p", {}, "The game has changed since this search."),
    el("div", { class: "row" },
      plans.verb === "plan" && plans.found.log?.length ? button("Play what still holds", () => playRest(game).catch((error) => game.failed(error)), { id: "play-rest", disabled: !game.isLast }) : null,
      button("Search again", () => plans.run(plans.verb, { goal: plans.goal(), rolls: plans.rolls, limit: plans.limit }), { class: "primary" })));
};

/**
 * What still holds of a plan that the game did not follow: its steps that were not taken, of each unit up to the first
 * that is not legal any more; and what forbids the others.
 * @returns {Promise<{ rest: string[], faults: string[] }>}
 */
export async function stillHolds(game) {
  const { plans } = game.seen;
  const { log } = plans.found;
  let at = 0;
  for (const entry of plans.stands().slice(plans.base.length)) if (entry === log[at]) at += 1;
  let rest = log.slice(at);
  const found = [];
  for (;;) {
    const { status, violations, unsupported } = await game.ask("check", { log: rest });
    if (!rest.length || isLegal({ status })) return { rest, faults: found };
    const [first] = [...violations, ...unsupported];
    const who = rest[first.step].split(" ")[1];
    rest = rest.filter((entry, step) => step < first.step || entry.split(" ")[1] !== who);
    found.push(`${who}: ${broken(first, who)}`);
  }
}

async function playRest(game) {
  const { rest, faults: found } = await stillHolds(game);
  const log = toFirstRoll(rest);
  const isPlayed = log.length > 0 && (await play(game, log)) === true;
  if (isPlayed || !log.length) game.say([log.length ? `Played: ${log.map(spoken).join("; ")}.` : "Nothing of it holds.", ...found.map((one) => `${one}.`)].join(" "), !log.length);
}

// An answer to a search, in sentences.
export function planSaid({ titles }, found) {
  if (found.status === "ERROR") return [found.error.message];
  return [
    answerSaid(found),
    missing(found).length ? `Not modelled: ${missing(found).join(", ")}.` : "",
    found.unsettled && found.status === "UNKNOWN" ? `${OPEN[found.unsettled]}.` : "",
    found.objective ? score(found.objective) : "",
    ...(found.log ?? []).map((entry, at) => `${at + 1}. ${spoken(entry)}${[...new Set((found.receipts ?? []).filter((one) => one.step === at).map((one) => `, ${points(one.amount, one.points)}`))].join("")}.`),
    ...[...(found.violations ?? []), ...(found.unsupported ?? [])].map((one) => `${broken(one)}.`),
    ...(found.idle ?? []).map((one) => `${one.unit}: ${capital(one.reason)} (${one.clause}).`),
    ...(found.conflict ?? []).map((one) => `${one.title || titles.of(one.clause)}${one.units.length ? `, ${one.units.join(", ")}${short(one.numbers)}` : ""} (${one.clause}).`),
    found.no_conflict ? NO_CONFLICT[found.no_conflict] : "",
    ...(found.repairs ?? []).map((one) => `It would help: ${one.change} (${one.clauses.join(", ")}).`),
  ].filter(Boolean);
}

// The clauses that are not modelled and stand for why there is no answer.
const missing = (found) => (found.status === "UNSUPPORTED" && !found.unsupported?.length ? found.space?.left_out ?? [] : []);

const PARTS = { value: "Goals met", distance: "Hexes short of a goal", exposure: "Exposure", points: "Points spent", moved: "Units moved" };

// What a plan is worth, part by part; what is nothing is left out.
const score = (parts) => Object.entries(parts ?? {}).filter(([, value]) => value).map(([name, value]) => `${PARTS[name] ?? name}: ${amount(value)}.`).join(" ");

function planFound(game, found) {
  const { plans } = game.seen;
  if (found.status === "ERROR") return el("p", { class: "faults" }, found.error.message);
  const log = found.log ?? [];
  return el("div", { class: "card next", id: "plan-found" },
    el("h2", {}, answerSaid(found)),
    found.status === "UNKNOWN" && found.unsettled ? el("p", {}, `${OPEN[found.unsettled]}.`) : null,
    found.objective ? el("p", {}, score(found.objective)) : null,
    found.proof && found.status !== "UNSUPPORTED" ? el("p", { class: "aside-note", id: "proof" }, PROOF[found.proof]) : null,
    found.status === "FEASIBLE" ? el("p", {}, `No plan can be better than this: ${score(found.bound)} The difference: ${score(found.gap)}`) : null,
    found.searched?.length > 1 ? el("p", { class: "aside-note", id: "searched" }, `Searched: ${found.searched.map((one) => `${one.space} (${SEARCHED[one.status]})`).join(", ")}.`) : null,
    found.unsupported?.length ? faults(found.unsupported, game.titles) : null,
    missing(found).length ? el("p", { id: "missing" }, "Not modelled: ", missing(found).map((id) => [clause(id, game.titles), " "])) : null,
    log.length ? steps(game, log, found.receipts ?? []) : null,
    found.assumed?.length ? el("p", { class: "aside-note" }, `It assumes ${found.assumed.map((one) => (typeof one === "string" ? one : one.note ?? one.clause ?? "")).join(", ")}.`) : null,
    log.length ? takeOver(game, log) : button("Why not?", () => plans.run("why", { goal: plans.goal(), rolls: plans.rolls, limit: plans.limit })),
    found.space ? el("details", { class: "fold" }, el("summary", {}, `Which plans were searched (${found.space.name})`), el("ul", {}, found.space.policy.map((line) => el("li", {}, line)))) : null);
}

function steps(game, log, receipts) {
  const { plans } = game.seen;
  const at = plans.shown === log ? plans.step : null;
  const taken = plans.taken(log) ?? 0;
  return [
    el("div", { class: "row" },
      button("‹", () => plans.preview(log, Math.max(taken, (at ?? log.length) - 1)), { "aria-label": "Plan: step back" }),
      button("›", () => plans.preview(log, Math.min(log.length, (at ?? taken) + 1)), { "aria-label": "Plan: step on", id: "plan-on" }),
      el("span", { role: "status" }, at === null ? `${log.length} ${log.length === 1 ? "step" : "steps"}${taken ? `, ${taken} played` : ""}` : `after step ${at} of ${log.length}`)),
    el("ol", { class: "log" }, log.map((entry, number) => {
      const paid = receipts.filter((one) => one.step === number);
      return el("li", { class: at === number + 1 ? "now" : "" },
        button(spoken(entry), () => plans.preview(log, number + 1), { class: "plain", disabled: number < taken }),
        paid.length ? el("details", { class: "fold cost" }, el("summary", {}, [...new Set(paid.map((one) => `${amount(one.amount)} ${one.points}`))].join(", ")), paid.map((one) => receipt(one, game.titles))) : null);
    })),
  ];
}

// A repair changes what the game is not changed by: what it leads to can be played as a what-if.
function tryOut(game, log) {
  game.seen.plans.close();
  play(game, log, true);
  game.seen.tab = "log";
}

function takeOver(game, log) {
  const { plans } = game.seen;
  const taken = plans.taken(log) ?? 0;
  const upto = plans.shown === log && plans.step > taken && plans.step < log.length ? plans.step : null;
  return el("div", { class: "row" },
    plans.shown === log && plans.breaks && game.mayTry
      ? button("What if? Play it all the same", () => tryOut(game, log), { id: "take-over", disabled: !game.isLast })
      : button(taken ? "Play the rest" : "Play this plan", () => plans.take(log, log.length), { class: "primary", id: "take-over", disabled: !game.isLast || taken === log.length }),
    log.length - taken > 1 ? button(upto ? `Play to step ${upto}` : "Play to a step: choose it above", () => plans.take(log, upto), { id: "take-part", disabled: !game.isLast || !upto }) : null,
    button("Back to the game", () => { plans.close(); game.look(); }));
}

// What the rules that are named do: together, alone, and of all or of those that are modelled.
export const forbid = ({ conflict, enough, idle, status }) => {
  const also = idle?.length ? " also" : "";
  if (status === "UNSUPPORTED") return `Of the rules that are modelled, these${also} forbid it:`;
  if (!conflict.every((one) => one.needed) || enough === false) return `These rules${also} forbid it:`;
  return conflict.length > 1 ? `These rules together${also} forbid it; without any one of them the others do not:` : `This rule${also} forbids it:`;
};

const NO_CONFLICT = {
  map: "No clause forbids it: with every clause lifted that can be, the map or the kind of plan searched still does.",
  space: "No clause forbids it: the kind of plan searched excludes such plans.",
  avoid: "The goal itself forbids it: it says to avoid every Location that an aim demands.",
  limit: "Which clauses forbid it is not known: they were not found in time.",
  unproved: "No clause is named: it is not proved that there is no plan.",
};

function whyFound(game, found) {
  const { titles } = game;
  if (found.status === "ERROR") return el("p", { class: "faults" }, found.error.message);
  const names = (units) => (units.length > 4 ? `${units.slice(0, 4).join(", ")} and ${units.length - 4} more` : units.join(", "));
  return el("div", { class: "card next", id: "why-found" },
    el("h2", {}, answerSaid(found)),
    found.violations.length ? faults(found.violations, titles) : null,
    found.unsupported.length ? faults(found.unsupported, titles) : null,
    missing(found).length ? el("p", {}, "Not modelled: ", missing(found).map((id) => [clause(id, titles), " "])) : null,
    found.idle?.length ? faults(found.idle.map((one) => ({ ...one, units: [one.unit] })), titles, "*") : null,
    found.conflict?.length ? [el("p", {}, forbid(found)),
      el("ul", { class: "plainlist conflict" }, found.conflict.map((one) => el("li", {}, `${one.title}${one.units.length ? ` (${names(one.units)}${short(one.numbers)})` : ""} `, clause(one.clause, titles))))] : null,
    found.conflict?.length && found.enough === false ? el("p", {}, "Other rules forbid it too: lifting these is not enough.") : null,
    found.lift ? [el("p", { id: "lift" }, found.lift.smallest ? "It becomes possible if these rules are lifted, and no fewer:" : "It becomes possible if these rules are lifted; fewer may be enough:"),
      el("ul", { class: "plainlist" }, found.lift.clauses.map((one) => el("li", {}, `${one.title} `, clause(one.clause, titles)))),
      found.lift.log.length ? el("p", { class: "aside-note" }, `For example: ${found.lift.log.map(spoken).join("; ")}`) : null] : null,
    found.no_conflict ? el("p", { id: "no-clause" }, found.twice ? `The goal itself wants ${names(found.twice)} in two places.` : NO_CONFLICT[found.no_conflict]) : null,
    found.proof ? el("p", { class: "aside-note", id: "why-proof" }, PROOF[found.proof]) : null,
    help(game, found),
    found.log.length ? [steps(game, found.log, []), takeOver(game, found.log)] : null,
    room(found, titles));
}

const short = ({ need, have }) => (need !== undefined && have !== undefined ? `; needs ${amount(need)}, has ${amount(have)}` : "");

// What would help against what forbids a goal, or that nothing was found.
function help(game, { space, status, repairs, unsettled, twice, open }) {
  if (!space || status === "LEGAL" || twice) return null;
  if (status === "UNKNOWN" && !open) return el("p", { id: "no-help" }, `${OPEN[unsettled] ?? "Nothing is proved"}; changes that would help are searched only if it is proved that there is no plan.`);
  return [
    el("h2", {}, "What would help"),
    repairs.length ? el("ul", { class: "plainlist repairs" }, repairs.map((one) => repair(game, one))) : el("p", { id: "no-help" }, "No change that was tried makes it possible."),
    unsettled ? el("p", { class: "aside-note" }, `${OPEN[unsettled]}; smaller changes may be enough.`) : null,
  ];
}

function repair(game, one) {
  const { plans } = game.seen;
  return el("li", { class: "card" },
    el("p", {}, `${one.change.charAt(0).toUpperCase()}${one.change.slice(1)} `, one.clauses.map((id) => [clause(id, game.titles), " "])),
    one.log?.length ? plans.shown === one.log ? [steps(game, one.log, []), takeOver(game, one.log)] : button("Try it on the map", () => plans.preview(one.log, one.log.length), { class: "try" }) : el("p", {}, "Then no unit needs to move."));
}
