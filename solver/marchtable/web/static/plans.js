// A plan: goals picked on the map, the search watched, its plan stepped through and taken over; or why there is none.

import { ask, call } from "./api.js";
import { play } from "./playing.js";
import { $, amount, broken, button, clause, course, el, faults, isLegal, points, receipt, spoken } from "./words.js";

const KINDS = [["at", "end in"], ["near", "come near"], ["exit", "leave the map by"]];
const SAID = {
  OPTIMAL: "This is the best plan (proved).",
  FEASIBLE: "This is the best plan found. A better one may exist.",
  IMPOSSIBLE: "There is no such plan (proved).",
  UNKNOWN: "No plan was found. One may exist.",
  UNSUPPORTED: "No answer: a rule that matters here is not modelled.",
  LEGAL: "It can be done.",
  ILLEGAL: "It cannot be done in this way.",
};
const PROOF = {
  lrat: "Proved: the solver's proof was checked step by step.",
  "second solve": "Proved: a second solve with other parameters agrees.",
  bound: "Proved by bounds or a search of our own.",
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
  UNKNOWN: "not settled",
  UNSUPPORTED: "no plan known",
};

export class Plans {
  constructor(game) {
    this.game = game;
    this.aims = [];
    this.kind = "at";
    this.rolls = "pass";
    this.limit = 20;
    this.step = this.shown = this.picked = null;
    this.found = this.news = this.fault = this.running = null;
    this.verb = "plan";
    this.breaks = false;
  }

  get aim() {
    return this.aims.find((one) => one.unit === this.unit && one.kind === this.kind);
  }

  get unit() {
    const mine = this.mine();
    return mine.some((one) => one.unit === this.picked) ? this.picked : mine.find((one) => one.unit === this.game.seen.chosen)?.unit ?? mine[0]?.unit;
  }

  mine() {
    const { view } = this.game.seen;
    return view.units.filter((one) => view.sides.includes(one.side));
  }

  // A click on the map while goals are picked; counters stand for their hexes.
  pick(at) {
    if (!this.unit) return true;
    const name = at;
    let { aim } = this;
    if (!aim) this.aims.push((aim = { unit: this.unit, kind: this.kind, at: [], must: true }));
    aim.at = aim.at.includes(name) ? aim.at.filter((one) => one !== name) : [...aim.at, name];
    this.aims = this.aims.filter((one) => one.at.length);
    this.found = null;
    this.game.overlay();
    this.game.show();
    return true;
  }

  marks() {
    const byHex = new Map();
    for (const aim of this.aims) for (const at of aim.at) byHex.set(at, [...(byHex.get(at) ?? []), aim.kind === "at" ? aim.unit : `${aim.unit} (${aim.kind})`]);
    return [...byHex].map(([at, who]) => ({ at, text: who.join(", "), kind: "goal" }));
  }

  // The way of each unit in the plan found, unless its steps are looked at one by one.
  ways() {
    const { board, seen } = this.game;
    const ways = new Map();
    if (this.step !== null || this.verb !== "plan") return [];
    for (const entry of this.found?.log ?? []) {
      const who = entry.split(" ")[1];
      const start = seen.view.units.find((one) => one.unit === who?.split(",")[0])?.at;
      if (start) ways.set(who, [...(ways.get(who) ?? [{ at: start }]), ...course(entry, board).map((at) => ({ at }))]);
    }
    const moving = [...ways].filter(([, stops]) => stops.length > 1);
    const named = this.marks().map((one) => `${one.at} ${one.text}`); // a goal says whose it is
    for (const [who, stops] of moving) if (!named.includes(`${board.cell(stops.at(-1).at).at} ${who}`)) stops.at(-1).text = who;
    return moving.map(([, stops]) => stops);
  }

  goal() {
    return {
      format: "marchtable/goal/1",
      aims: this.aims.map((one) => ({ units: [one.unit], [one.kind]: one.at, ...(one.must && one.kind !== "near" ? { must: "all" } : {}) })),
    };
  }

  // Ask; progress is shown meanwhile.
  async run(verb, request) {
    const { game } = this;
    this.stop();
    this.found = this.news = this.fault = null;
    this.verb = verb;
    /** @type {any} */
    const mine = (this.running = {});
    this.ended = new Promise((done) => (mine.ended = done)); // once there is an answer
    game.show();
    try {
      const job = await ask(game.eyed("/api/jobs"), { verb, request, game: game.id, branch: game.branch, step: game.step });
      if (this.running !== mine) return void call("DELETE", game.eyed(`/api/jobs/${job.job}`));
      mine.job = job.job;
      mine.source = new EventSource(game.eyed(`/api/jobs/${job.job}/events`));
      mine.source.addEventListener("progress", (event) => {
        this.news = JSON.parse(event.data);
        const line = $("#news");
        line?.replaceChildren(...this.progress());
      });
      mine.source.addEventListener("answer", (event) => {
        mine.source.close();
        if (this.running !== mine) return;
        this.running = null;
        this.found = JSON.parse(event.data);
        this.step = null;
        game.show();
        game.overlay();
        game.say(SAID[this.found.status] ?? this.found.status);
        $("#plan-found, #why-found")?.scrollIntoView({ block: "nearest" });
        mine.ended();
      });
      mine.source.onerror = () => {
        if (mine.source.readyState !== EventSource.CLOSED) return;
        this.running = null;
        this.fault = "The search was lost: ask again.";
        game.show();
        mine.ended();
      };
    } catch (error) {
      this.running = null;
      this.fault = error.message;
      game.show();
      mine.ended();
    }
  }

  // End the search: its best so far is the answer.
  async halt() {
    if (this.running?.job) await call("DELETE", this.game.eyed(`/api/jobs/${this.running.job}`)).catch(() => {});
  }

  stop() {
    if (!this.running) return;
    this.running.source?.close();
    this.halt();
    this.running = null;
  }

  progress() {
    const { news } = this;
    if (!news) return ["Starting …"];
    const parts = [el("p", {}, news.line)];
    if (news.best !== undefined && news.best !== null)
      parts.push(el("p", {}, `Best so far ${amount(news.best)}, bound ${amount(news.bound)}, gap ${amount(news.gap)}`));
    return parts;
  }

  // Show the position after some steps of a log that was not played.
  async preview(log, step) {
    const { game } = this;
    if (this.shown !== log) this.breaks = false;
    this.step = step;
    this.shown = log;
    game.show();
    game.overlay();
    const seen = await game.post(`/games/${game.id}/ahead`, { log: log.slice(0, step) }, { step: game.wanted });
    if (this.step !== step || this.shown !== log) return;
    if (step === log.length) this.breaks = !isLegal(seen);
    game.show();
    game.board.pieces(seen.pieces, seen.links);
    game.board.way(seen.way.map(([at, text]) => ({ at, text })));
  }

  close() {
    this.step = this.shown = null;
  }
}

export function planPanel(game) {
  const { plans } = game.seen;
  const mine = plans.mine();
  const found = [];
  if (!mine.length) return [el("p", {}, "No unit can move now.")];
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
  if (plans.found) found.push(plans.verb === "plan" ? planFound(game, plans.found) : whyFound(game, plans.found));
  return found;
}

// An answer to a search, in sentences.
export function planSaid({ titles }, found) {
  if (found.status === "ERROR") return [found.error.message];
  return [
    SAID[found.status] ?? found.status,
    missing(found).length ? `Not modelled: ${missing(found).join(", ")}.` : "",
    found.unsettled && found.status === "UNKNOWN" ? `${OPEN[found.unsettled]}.` : "",
    found.objective ? score(found.objective) : "",
    ...(found.log ?? []).map((entry, at) => `${at + 1}. ${spoken(entry)}${[...new Set((found.receipts ?? []).filter((one) => one.step === at).map((one) => `, ${points(one.amount, one.points)}`))].join("")}.`),
    ...[...(found.violations ?? []), ...(found.unsupported ?? [])].map((one) => `${broken(one)}.`),
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
    el("h2", {}, SAID[found.status] ?? found.status),
    found.status === "UNKNOWN" && found.unsettled ? el("p", {}, `${OPEN[found.unsettled]}.`) : null,
    found.objective ? el("p", {}, score(found.objective)) : null,
    found.proof && found.status !== "UNSUPPORTED" ? el("p", { class: "aside-note", id: "proof" }, PROOF[found.proof]) : null,
    found.status === "FEASIBLE" ? el("p", {}, `Bound: ${score(found.bound)}; gap: ${score(found.gap)}`) : null,
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
  return [
    el("div", { class: "row" },
      button("‹", () => plans.preview(log, Math.max(0, (at ?? log.length) - 1)), { "aria-label": "Plan: step back" }),
      button("›", () => plans.preview(log, Math.min(log.length, (at ?? 0) + 1)), { "aria-label": "Plan: step on", id: "plan-on" }),
      el("span", { role: "status" }, at === null ? `${log.length} steps` : `after step ${at} of ${log.length}`)),
    el("ol", { class: "log" }, log.map((entry, number) => {
      const paid = receipts.filter((one) => one.step === number);
      return el("li", { class: at === number + 1 ? "now" : "" },
        button(spoken(entry), () => plans.preview(log, number + 1), { class: "plain" }),
        paid.length ? el("details", { class: "fold cost" }, el("summary", {}, [...new Set(paid.map((one) => `${amount(one.amount)} ${one.points}`))].join(", ")), paid.map((one) => receipt(one, game.titles))) : null);
    })),
  ];
}

function take(game, log, anyway) {
  game.seen.plans.close();
  play(game, log, anyway);
  game.seen.tab = "log";
}

function takeOver(game, log) {
  return el("div", { class: "row" },
    // A repair changes what the game is not changed by: what it leads to can be played as a what-if.
    game.seen.plans.shown === log && game.seen.plans.breaks && game.mayTry
      ? button("What if? Play it all the same", () => take(game, log, true), { id: "take-over", disabled: !game.isLast })
      : button("Play this plan", () => take(game, log, false), { class: "primary", id: "take-over", disabled: !game.isLast }),
    button("Back to the game", () => { game.seen.plans.close(); game.look(); }));
}

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
    el("h2", {}, SAID[found.status] ?? found.status),
    found.violations.length ? faults(found.violations, titles) : null,
    found.unsupported.length ? faults(found.unsupported, titles) : null,
    missing(found).length ? el("p", {}, "Not modelled: ", missing(found).map((id) => [clause(id, titles), " "])) : null,
    found.conflict?.length ? [el("p", {}, found.conflict.every((one) => one.needed) ? "These rules together forbid it; without any one of them the others do not:" : "These rules forbid it:"),
      el("ul", { class: "plainlist conflict" }, found.conflict.map((one) => el("li", {}, `${one.title}${one.units.length ? ` (${names(one.units)}${short(one.numbers)})` : ""} `, clause(one.clause, titles))))] : null,
    found.conflict?.length && found.enough === false ? el("p", {}, "These rules alone forbid it. Lifting all of them is not enough: other rules forbid it too.") : null,
    found.lift ? [el("p", { id: "lift" }, found.lift.smallest ? "It becomes possible if these rules are lifted, and no fewer:" : "It becomes possible if these rules are lifted; fewer may be enough:"),
      el("ul", { class: "plainlist" }, found.lift.clauses.map((one) => el("li", {}, `${one.title} `, clause(one.clause, titles)))),
      found.lift.log.length ? el("p", { class: "aside-note" }, `For example: ${found.lift.log.join("; ")}`) : null] : null,
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
    unsettled ? el("p", { class: "aside-note" }, `${OPEN[unsettled]}; smaller changes may do.`) : null,
  ];
}

// What a log leaves before a clause would be broken.
export function room(found, titles, open = false) {
  if (!found.slack.length) return null;
  return el("details", { class: "fold", open }, el("summary", {}, "What is left to spare"),
    el("ul", {}, found.slack.map((one) => el("li", {}, `${spare(one)} `, clause(one.clause, titles)))));
}

// The points that a unit has to spare, or the room left in a place, as `marchtable why` prints them.
function spare({ unit, at, amount: left, what }) {
  const many = left ? amount(left) : "no";
  return at ? `${at}: room for ${many} more like ${unit}` : `${unit}: ${many} ${what} to spare`;
}

function repair(game, one) {
  const { plans } = game.seen;
  return el("li", { class: "card" },
    el("p", {}, `${one.change.charAt(0).toUpperCase()}${one.change.slice(1)} `, one.clauses.map((id) => [clause(id, game.titles), " "])),
    one.log?.length ? plans.shown === one.log ? [steps(game, one.log, []), takeOver(game, one.log)] : button("Try it on the map", () => plans.preview(one.log, one.log.length), { class: "try" }) : el("p", {}, "Then no unit needs to move."));
}
