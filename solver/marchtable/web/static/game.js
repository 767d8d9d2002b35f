// A game on the page: what is chosen, asked, proposed and played. Panels only show what is kept here.

import { Refusal, ask, get } from "./api.js";
import { Board } from "./board.js";
import { journalPanel } from "./journal.js";
import { Losses, lossPanel } from "./losses.js";
import { moreMenu } from "./more.js";
import { unitPanel } from "./panel.js";
import { endPhase } from "./phases.js";
import { Plans, planPanel } from "./plans.js";
import { handOver } from "./handover.js";
import { inspect } from "./hexes.js";
import { replayBar } from "./replay.js";
import { askRoll } from "./rolls.js";
import { theme } from "./theme.js";
import { Titles, amount, owed, places, points, reason, said } from "./words.js";

const AHEAD = 12; // units that are asked about ahead
const LEGAL = ["LEGAL", "OPTIMAL", "FEASIBLE"];
const $ = (name) => document.querySelector(name);

export class Game {
  constructor(facts) {
    this.id = facts.game;
    this.rulebook = facts.rulebook;
    this.board = new Board($("#board"), facts.colours);
    this.titles = new Titles(ask, facts.rulebook);
    this.tab = "unit";
    this.eyes = sessionStorage.getItem(`eyes ${this.id}`) ?? "";
    this.seated = Boolean(sessionStorage.getItem(`seat ${this.id}`));
    this.plans = new Plans(this);
    this.losses = new Losses(this);
    this.ways = new Map();
    this.chosen = null;
    const address = new URLSearchParams(location.search);
    this.branch = address.get("branch") ?? "main";
    this.wanted = address.has("step") ? Number(address.get("step")) : null;
  }

  // -- where the game stands

  get isLast() {
    return this.wanted === null || this.wanted === this.info.step;
  }

  get step() {
    return this.wanted ?? this.info.step;
  }

  // Whether one may take back and play on after what is illegal: a side alone may not.
  get mayTry() {
    return this.info.side === null || Boolean(this.eyes);
  }

  path(rest, more = {}, eyes = this.eyes) {
    const query = new URLSearchParams();
    if (eyes) query.set("eyes", eyes);
    if (this.branch !== "main") query.set("branch", this.branch);
    for (const [name, value] of Object.entries(more)) if (value !== null && value !== undefined) query.set(name, value);
    const text = query.toString();
    return `${rest}${text ? `?${text}` : ""}`;
  }

  // An address that is not the game's, asked with the same eyes.
  eyed(rest) {
    return this.eyes ? `${rest}?eyes=${encodeURIComponent(this.eyes)}` : rest;
  }

  // A question about the position shown.
  ask(verb, body = {}, more = {}) {
    return ask(this.path(`/api/games/${this.id}/${verb}`, { step: this.wanted }), body, more);
  }

  async load() {
    this.info = await get(this.path(`/api/games/${this.id}`));
    await this.look();
  }

  // Show the position: counters, whose turn it is, what is due.
  async look() {
    const before = this.view?.side;
    if (this.wanted !== null && (this.wanted < 0 || !(this.wanted <= this.info.log.length))) this.wanted = null;
    if (this.wanted === this.info.step) this.wanted = null;
    this.view = await get(this.path(`/games/${this.id}/view`, { step: this.wanted }));
    if (this.eyes && before && before !== this.view.side && this.eyes === before && this.view.players.includes(this.view.side)) return handOver(this, this.view.side);
    this.ways.clear();
    this.proposal = this.elsewhere = null;
    this.plans.close();
    this.board.pieces(this.view.pieces, this.view.links);
    this.tabs = [["unit", "Unit", unitPanel], ["log", "Log", journalPanel]];
    if (this.view.moves) this.tabs.push(["plan", "Plan", planPanel]);
    if (this.view.weighs) this.tabs.push(["loss", "Losses", lossPanel]);
    this.head();
    this.overlay();
    const unit = this.view.units.some((one) => one.unit === this.chosen) ? this.chosen : null;
    await this.choose(unit, { still: true });
  }

  // Have a side's eyes; the referee's if it is none. Who was handed the screen is `seated`.
  haveEyes(side, seated = false) {
    this.eyes = side;
    this.seated = seated && Boolean(side);
    for (const [name, value] of [["eyes", side], ["seat", this.seated && side]])
      if (value) sessionStorage.setItem(`${name} ${this.id}`, value);
      else sessionStorage.removeItem(`${name} ${this.id}`);
    this.view = this.chosen = this.proposal = this.judged = this.playing = null;
    this.tab = "unit";
    this.plans.stop();
    this.plans = new Plans(this);
    this.losses = new Losses(this);
    this.asking?.abort();
    this.hovering?.abort();
  }

  // See the game with a side's eyes.
  async see(side) {
    this.haveEyes(side);
    await this.load();
  }

  head() {
    const { view, info } = this;
    $("#eyes").hidden = !this.eyes;
    $("#eyes").textContent = `seen by ${this.eyes}`;
    $("#turn").textContent = `${view.side} · ${view.phase}${view.turn ? ` · turn ${view.turn}` : ""}`;
    $("#undo").disabled = !this.isLast || !this.mayTry || info.step === 0;
    $("#redo").disabled = !this.isLast || !this.mayTry || info.step === info.log.length;
    $("#end-phase").disabled = !this.isLast;
    replayBar(this, $("#replaying"));
  }

  say(text, bad = false) {
    const said = $("#said");
    said.textContent = text ?? "";
    said.classList.toggle("bad", bad);
  }

  // Say what went wrong; another's change of the game is shown at once.
  async failed(error) {
    if (error.name === "AbortError") return;
    if (!(error instanceof Refusal)) console.error(error);
    if (error.status === 412) {
      await this.load();
      this.say("The game was changed elsewhere: here it is as it stands now.", true);
    } else this.say(error.message, true);
  }

  // -- a unit is chosen

  // Whose player sits here, or nobody's: then all units may be asked about.
  get player() {
    return this.eyes || this.info.side;
  }

  // Why the player here cannot act with a unit now; empty if he can.
  notHis(unit) {
    const one = this.view.units.find((other) => other.unit === unit);
    if (!one || !this.player) return "";
    if (one.side !== this.player) return `${unit} belongs to ${one.side}; you play ${this.player}.`;
    return this.view.sides.includes(one.side) ? "" : `${one.side} does not act now: it is ${this.view.sides.join(" and ")}'s turn (${this.view.phase}).`;
  }

  async choose(unit, { still = false } = {}) {
    this.chosen = unit;
    this.hex = null;
    this.options = this.failure = this.blocker = null;
    if (!still) this.proposal = this.elsewhere = null;
    this.ways.clear();
    this.asking?.abort();
    this.board.select(unit);
    if (!still || !unit) this.board.way([]);
    if (!unit) this.board.shade(null);
    this.overlay();
    if (!still && unit) this.tab = "unit";
    this.show();
    this.asking = new AbortController();
    const { signal } = this.asking;
    try {
      this.failure = this.notHis(unit);
      if (this.failure) {
        this.board.shade(null);
        this.say(this.failure, true);
        this.show();
      }
      if (!unit || this.failure) {
        // Asked of whom one may choose first, and to the end: what is found of a new board is kept.
        const { units, sides } = this.view;
        const first = units.find((one) => one.at && sides.includes(one.side)) ?? units[0];
        if (!first) return this.due([]);
        const { pending } = await this.ask("options", { unit: first.unit });
        if (this.chosen !== unit) return;
        this.due(pending);
        return this.askAhead(first, signal);
      }
      const started = performance.now();
      const found = await this.ask("options", { unit }, { signal });
      this.options = found;
      const left = found.units[0].reach?.locations ?? {};
      this.board.shade(Object.keys(left).length > 1 ? left : null);
      performance.measure("click to reach", { start: started });
      this.due(found.pending);
      this.show();
      if (this.board.gesture?.at) this.hover({ at: this.board.gesture.at });
      const told = found.units[0];
      if (!found.pending.length && told.reach && Object.keys(left).length <= 1) await this.findBlocker(told, signal);
      if (this.blocker) this.say(`First ${this.blocker.units.join(", ")}: ${reason(this.blocker, this.titles)} (${this.blocker.clause})`, true);
      else this.say(found.pending.length ? `First a ${owed(found.pending[0])} is due.` : `${unit}: ${points(told.left, `${told.points} left`)}`);
    } catch (error) {
      if (error.name === "AbortError") return;
      this.failure = error.message;
      this.show();
      this.failed(error);
    }
  }

  // While nobody is chosen yet the others are asked about, too: the first click finds the board known.
  async askAhead(first, signal) {
    if (this.hasAsked || !this.isLast) return;
    this.hasAsked = true;
    const others = this.view.units.filter((one) => one.at && one !== first && this.view.sides.includes(one.side) && !this.notHis(one.unit));
    for (const { unit } of others.slice(0, AHEAD)) if (!signal.aborted) await this.ask("options", { unit }, { signal, quiet: true }).catch(() => {});
  }

  // A unit that can go nowhere: does another's move bar whatever it does?
  async findBlocker(told, signal) {
    const beside = this.board.beside(told.at);
    const found = beside ? await this.way(beside.at, signal) : {};
    const [first] = found.barred?.violations ?? [];
    if (!first?.units.length || first.units.includes(this.chosen)) return;
    const acting = this.view.units.filter((one) => first.units.includes(one.unit) && this.view.sides.includes(one.side) && one.at !== found.barred.at);
    if (acting.length < first.units.length || told.barred.filter((one) => one.clauses.includes(first.clause)).length < 2) return;
    this.blocker = first;
    this.board.way([]);
    this.show();
  }

  due(pending) {
    this.pending = pending;
    const shown = $("#due");
    shown.hidden = !pending.length || !this.isLast;
    if (pending.length) shown.textContent = `A ${owed(pending[0])} is due: ${pending[0].unit}`;
  }

  // -- the way to a hex

  get told() {
    return this.options?.units?.[0];
  }

  async way(at, signal) {
    if (!this.ways.has(at)) {
      const found = this.ask("reach", { unit: this.chosen, to: at }, { signal });
      this.ways.set(at, found);
      found.catch(() => this.ways.delete(at));
    }
    return this.ways.get(at);
  }

  // All Locations of a hex, the cheapest to come to first.
  goals(at) {
    const left = this.told?.reach?.locations ?? {};
    return [...this.board.cell(at).all].sort((a, b) => (left[b] ?? -1) - (left[a] ?? -1));
  }

  async hover(detail) {
    clearTimeout(this.waiting);
    this.hovering?.abort();
    if (!detail) return this.proposal || this.board.way([]);
    if (this.proposal) return;
    const cell = this.board.cell(detail.at);
    const here = this.view.units.filter((one) => one.at && this.board.cell(one.at) === cell).map((one) => one.unit);
    const words = cell.said + (here.length ? `; here: ${here.join(", ")}` : "");
    const reach = this.told?.reach;
    if (!reach || !this.chosen || cell === this.board.cell(this.told.at)) {
      this.board.way([]);
      return this.say(words);
    }
    this.hovering = new AbortController();
    const { signal } = this.hovering;
    this.waiting = setTimeout(async () => {
      try {
        const found = await this.way(this.goals(detail.at)[0], signal);
        if (!signal.aborted && !this.proposal) this.tellWay(found, words);
      } catch (error) {
        this.failed(error);
      }
    }, 50);
  }

  tellWay(found, words) {
    if (found.path?.length) {
      this.drawWay(found);
      const last = found.path.at(-1);
      const rolls = found.path.flatMap((one) => one.rolls).length;
      this.say(`${found.to}: ${points(last.spent, found.points)}, ${amount(last.left)} left${rolls ? `; ${rolls} roll${rolls > 1 ? "s" : ""} on the way` : ""} · ${words}`);
    } else if (found.barred) {
      const [first] = found.barred.violations;
      const from = this.leads(found) && first?.units.includes(this.chosen) ? first.hexes[0] : null;
      this.board.way([...(from ? [{ at: from }] : []), { at: found.to, text: first?.clause ?? "" }], "barred");
      this.say(this.barredBy(found), true);
    } else {
      this.board.way([]);
      this.say(found.unsupported?.length ? `${found.to}: cannot be judged (${found.unsupported.join(", ")})` : `${found.to}: cannot be reached · ${words}`, true);
    }
  }

  // Whether the step that is barred is one into the hex asked for, and not one on the way.
  leads(found) {
    return this.board.cell(found.barred.at) === this.board.cell(found.to);
  }

  barredBy(found) {
    const [first] = found.barred.violations;
    const head = this.leads(found) ? `${found.to}: ` : `${found.to} cannot be reached: `;
    if (!first) return `${found.to}: cannot be reached`;
    const others = first.units.includes(this.chosen) ? "" : `${first.units.join(", ")}: `;
    return `${head}${others}${reason(first, this.titles)} (${first.clause})`;
  }

  drawWay(found) {
    const spent = new Map();
    for (const one of found.path) spent.set(one.at, amount(one.spent));
    this.board.way([{ at: this.told.at }, ...found.path.map((one) => ({ at: one.at, text: spent.get(one.at) }))]);
  }

  // The pointer is over an action of the list: show where it leads.
  point(action) {
    if (this.proposal) return;
    const at = action && places(action, this.board)[0];
    this.board.way(at ? [{ at: this.told.at }, { at }] : []);
  }

  // -- proposals

  // A hex was clicked while a unit is chosen: what of it leads there?
  async aim(at, unit = this.chosen) {
    if (unit !== this.chosen) await this.choose(unit);
    this.elsewhere = null;
    const told = this.told;
    if (!told || !this.isLast) return;
    const names = this.board.cell(at).all;
    const direct = told.actions.filter((one) => one.closes !== false && places(one.action, this.board).some((name) => names.includes(name)));
    try {
      const found = told.reach ? await this.way(this.goals(at)[0]) : {};
      const ways = found.path?.length ? [{ action: `go to ${found.to}`, actions: found.path.map((one) => one.action), cost: found.path.at(-1).spent - (found.path[0].spent - found.path[0].cost), points: found.points }] : [];
      const same = ways.length && ways[0].actions.length === 1 && direct.some((one) => one.action === ways[0].actions[0]);
      const choices = same ? direct : [...ways, ...direct];
      if (choices.length > 1) {
        if (found.path) this.drawWay(found);
        this.proposal = { title: `${unit} to ${at}: how?`, choices };
        this.openUnit();
      } else if (choices.length === 1) await this.propose(choices[0].actions ?? [choices[0].action]);
      else if (found.barred && this.leads(found)) await this.refuse(found);
      else this.unreached(at, found);
    } catch (error) {
      this.failed(error);
    }
  }

  openUnit() {
    this.tab = "unit";
    this.show();
    $("#proposal")?.scrollIntoView({ block: "nearest" });
  }

  // What bars the way there: the last step is judged, after a way to where it is taken from.
  async refuse(found) {
    const [first] = found.barred.violations;
    const from = first?.units.includes(this.chosen) ? (first.hexes[0] ?? this.told.at) : this.told.at;
    let before = [];
    if (from !== this.told.at) before = (await this.way(from)).path?.map((one) => one.action) ?? [];
    await this.propose([...before, found.barred.action]);
  }

  // No step leads to the hex: its name, and the first clause that forbids the way.
  unreached(at, found) {
    const violations = found.barred?.violations.slice(0, 1) ?? [];
    this.proposal = { title: `${found.to ?? at} cannot be reached`, unreached: true, violations, unsupported: found.unsupported ?? [] };
    this.tellWay({ to: at, ...found }, this.board.cell(at).said);
    this.openUnit();
  }

  async propose(actions) {
    this.failure = null;
    const title = actions.length === 1 ? said(actions[0], this.chosen) : `${this.chosen} to ${places(actions.at(-1), this.board).at(-1) ?? "there"}`;
    this.proposal = { actions, title };
    const mine = this.proposal;
    this.openUnit();
    try {
      const verdict = await this.ask("check", { log: actions, then: true });
      if (this.proposal !== mine) return;
      mine.verdict = verdict;
      this.drawProposal(mine);
      const isLegal = LEGAL.includes(verdict.status);
      this.say(isLegal ? `${title}: legal` : `${title}: ${reason(verdict.violations[0] ?? verdict.unsupported[0], this.titles)}`, !isLegal);
      this.openUnit();
      if (isLegal && actions.length === 1) await this.weigh(mine, verdict);
    } catch (error) {
      if (this.proposal === mine) this.failure = error.message;
      this.show();
      this.failed(error);
    }
  }

  drawProposal({ verdict, actions }) {
    const spent = new Map();
    const stops = this.told ? [{ at: this.told.at }] : [];
    verdict.log.forEach((line, step) => {
      for (const one of verdict.receipts) if (one.step === step && one.unit === this.chosen) spent.set("sum", (spent.get("sum") ?? 0) + one.amount);
      for (const at of places(line, this.board)) stops.push({ at, text: spent.has("sum") ? amount(spent.get("sum")) : "" });
    });
    const faults = [...verdict.violations, ...verdict.unsupported];
    this.board.way(stops.length > 1 ? stops : [], faults.length ? "barred" : "way");
    this.board.mark(faults.filter((one) => one.hexes.length).map((one) => ({ at: one.hexes.at(-1), text: one.clause })));
  }

  // What the unit could do before and could no more do after.
  async weigh(proposal, verdict) {
    if (!verdict.scene || verdict.obligations.length) return;
    const after = await ask(this.eyed("/api/options"), { scene: verdict.scene, unit: this.chosen, reach: false });
    if (this.proposal !== proposal || after.pending.length) return;
    const still = new Set(after.units[0].actions.map((one) => one.verb));
    const verbs = new Set(this.told.actions.map((one) => one.verb));
    const gone = [...verbs].filter((verb) => !still.has(verb)).map((verb) => verb.replaceAll("-", " "));
    if (!gone.length) return;
    proposal.forgoes = `Afterwards no longer: ${gone.join(", ")}.`;
    const line = $("#proposal .forgoes"); // nothing else may move under the pointer
    if (line) Object.assign(line, { textContent: proposal.forgoes, hidden: false });
  }

  async joining(action) {
    try {
      const found = await this.ask("legal_actions", { opened: action });
      const choices = found.actions.filter((one) => one.closes).map((one) => ({ action: one.action, cost: one.costs[0]?.amount, points: one.costs[0]?.points }));
      if (!choices.length) return this.say("Nobody can join in that.", true);
      if (choices.length === 1) return await this.propose([choices[0].action]);
      this.proposal = { title: "Together with whom?", choices };
      this.openUnit();
    } catch (error) {
      this.failed(error);
    }
  }

  drop() {
    this.proposal = null;
    this.board.way([]);
    this.overlay();
    this.show();
    this.say("");
  }

  overlay() {
    this.board.mark({ plan: this.plans, loss: this.losses }[this.tab]?.marks() ?? []);
  }

  // -- play

  async commit(anyway = false) {
    const { actions } = this.proposal;
    await this.play(actions, anyway);
  }

  // Change the game. Who shares a screen does so as the referee, and then sees it with his own eyes.
  async change(what, body = {}) {
    const found = await ask(this.path(`/api/games/${this.id}/${what}`, {}, ""), body, { key: this.info.etag });
    this.info = this.eyes ? await get(this.path(`/api/games/${this.id}`)) : found;
    return found;
  }

  async play(entries, anyway = false) {
    try {
      const found = await this.change("log", { log: entries, anyway });
      if (!found.kept) {
        const faults = found.verdicts.flatMap((one) => [...one.violations, ...one.unsupported]);
        return this.say(faults.length ? reason(faults[0], this.titles) : found.refused || "That is not legal as the game stands now.", true);
      }
      this.board.way([]);
      await this.look();
      if (this.pending?.length) await this.roll();
    } catch (error) {
      this.failed(error);
    }
  }

  // Play a log that was told as far as its first roll, if it is legal as the game stands.
  async tryLog(told) {
    const roll = told.findIndex((entry) => entry.startsWith("settle "));
    const log = roll < 0 ? told : told.slice(0, roll);
    try {
      const verdict = await this.ask("check", { log });
      if (LEGAL.includes(verdict.status)) return await this.play(log);
      this.say(reason(verdict.violations[0] ?? verdict.unsupported[0], this.titles), true);
    } catch (error) {
      this.failed(error);
    }
  }

  async roll() {
    const [due] = this.pending ?? [];
    if (!due || !this.isLast) return;
    await this.titles.ready;
    const outcome = await askRoll(due, this.titles);
    if (outcome !== null) await this.play([`settle ${due.id} ${outcome}`]);
  }

  async shift(by) {
    if (!this.isLast) return;
    try {
      await this.change(by);
      this.board.way([]);
      await this.look();
      this.say(by === "undo" ? "Taken back." : "Played again.");
    } catch (error) {
      this.failed(error);
    }
  }

  // -- steps and branches

  // `playing` is the replay that steps on by itself; whatever else leads to a step ends it.
  async go(step, { address = "pushState", playing = null } = {}) {
    this.playing = playing;
    this.wanted = step === null || step === this.info.step ? null : step;
    if (address) history[address](null, "", this.path(location.pathname, { step: this.wanted }, ""));
    this.board.way([]);
    try {
      await this.look();
      if (this.wanted) this.board.show(places(this.info.log[this.wanted - 1].entry ?? "", this.board));
    } catch (error) {
      this.failed(error);
    }
  }

  async toBranch(name) {
    this.branch = name;
    this.wanted = null;
    history.pushState(null, "", this.path(location.pathname, {}, ""));
    try {
      await this.load();
    } catch (error) {
      this.failed(error);
    }
  }

  // Go on from the step shown, in a branch of its own: this one stays as it is.
  async fork() {
    const { info } = this;
    let number = info.branches.length + 1;
    while (info.branches.includes(`branch-${number}`)) number += 1;
    const name = `branch-${number}`;
    try {
      await ask(`/api/games/${this.id}/branches`, { name, step: this.step, of: this.branch });
      await this.toBranch(name);
      this.say(`You play on in ${name}; the game it left is untouched.`);
    } catch (error) {
      this.failed(error);
    }
  }

  // -- the page

  show() {
    const tabs = $("#tabs");
    const panel = $("#panel");
    const held = document.activeElement?.closest("#panel, #tabs") ? document.activeElement : null;
    tabs.replaceChildren(
      ...this.tabs.map(([name, title]) => {
        const tab = document.createElement("button");
        Object.assign(tab, { type: "button", textContent: title, id: `tab-${name}` });
        tab.setAttribute("role", "tab");
        tab.setAttribute("aria-controls", "panel");
        tab.setAttribute("aria-selected", String(name === this.tab));
        tab.tabIndex = name === this.tab ? 0 : -1;
        tab.addEventListener("click", () => this.turn(name));
        return tab;
      }),
    );
    panel.setAttribute("aria-labelledby", `tab-${this.tab}`);
    const [, , render] = this.tabs.find(([name]) => name === this.tab);
    const same = panel.dataset.tab === this.tab;
    const top = same ? panel.scrollTop : 0;
    const folds = new Map([...panel.querySelectorAll("details.fold")].map((one) => [one.firstElementChild.textContent, one.open]));
    panel.dataset.tab = this.tab;
    panel.replaceChildren(...render(this).flat(Infinity).filter(Boolean));
    if (same) for (const one of panel.querySelectorAll("details.fold")) one.open = folds.get(one.firstElementChild.textContent) ?? one.open;
    panel.scrollTop = top;
    if (held?.id) document.getElementById(held.id)?.focus();
    else if (held) panel.focus({ preventScroll: true });
  }

  turn(tab) {
    if (this.plans.shown) this.look().catch((error) => this.failed(error));
    if (tab !== "unit" && this.proposal) this.drop();
    this.tab = tab;
    this.show();
    this.overlay();
    $(`#tab-${tab}`).focus();
  }

  listen() {
    const { board } = this;
    const mine = (unit) => !this.notHis(unit) && this.view.sides.includes(this.view.units.find((one) => one.unit === unit)?.side);
    board.mayDrag = (unit) => this.isLast && mine(unit);
    board.addEventListener("hover", ({ detail }) => this.hover(detail));
    board.addEventListener("nothing", () => (this.proposal ? this.drop() : this.choose(null)));
    board.addEventListener("take", ({ detail }) => detail.unit === this.chosen || this.choose(detail.unit));
    board.addEventListener("drag", ({ detail }) => this.hover(detail));
    board.addEventListener("drop", ({ detail }) => (detail.at ? this.release(detail) : this.drop()));
    board.addEventListener("pick", ({ detail }) => this.pick(detail));
    $("#zoom-in").addEventListener("click", () => board.zoom(1.4));
    $("#zoom-out").addEventListener("click", () => board.zoom(1 / 1.4));
    $("#zoom-fit").addEventListener("click", () => board.fit());
    $("#undo").addEventListener("click", () => this.shift("undo"));
    $("#redo").addEventListener("click", () => this.shift("redo"));
    $("#due").addEventListener("click", () => this.roll());
    $("#end-phase").addEventListener("click", () => endPhase(this));
    $("#more").addEventListener("click", () => moreMenu(this));
    $("#tabs").addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      const names = this.tabs.map(([name]) => name);
      this.turn(names[(names.indexOf(this.tab) + by + names.length) % names.length]);
    });
    addEventListener("popstate", () => {
      if ($("#hand-over")) return;
      const address = new URLSearchParams(location.search);
      const branch = address.get("branch") ?? "main";
      const step = address.has("step") ? Number(address.get("step")) : null;
      if (branch === this.branch) return this.go(step, { address: null });
      this.branch = branch;
      this.wanted = step;
      this.load().catch((error) => this.failed(error));
    });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  async release({ unit, at }) {
    if (this.board.cell(at) === this.board.cell(this.view.units.find((one) => one.unit === unit).at)) return this.drop();
    if (!this.told) await this.choose(unit);
    await this.aim(at, unit);
  }

  pick({ at, unit }) {
    if ({ plan: this.plans, loss: this.losses }[this.tab]?.pick(at)) return;
    const here = this.view.units.filter((one) => one.at && this.board.cell(one.at) === this.board.cell(at));
    const stands = this.view.units.find((one) => one.unit === this.chosen)?.at;
    if (unit && unit !== this.chosen) {
      const before = this.chosen;
      const couldGo = before && this.isLast && this.told?.at && this.board.cell(this.told.at) !== this.board.cell(at);
      this.choose(unit);
      if (couldGo) this.elsewhere = { unit: before, at };
      this.show();
    } else if (!this.chosen) {
      if (here.length) this.choose(here.at(-1).unit);
      else {
        this.say(this.board.cell(at).said);
        this.tab = "unit";
        inspect(this, at);
      }
    } else if (stands && this.board.cell(stands) === this.board.cell(at)) {
      const names = here.map((one) => one.unit);
      const next = names[(names.indexOf(this.chosen) + 1) % names.length];
      if (next !== this.chosen) this.choose(next);
    } else if (this.isLast && this.proposal?.aimed === at && this.proposal.verdict && LEGAL.includes(this.proposal.verdict.status)) this.commit();
    else this.aim(at).then(() => this.proposal && (this.proposal.aimed = at));
  }

  key(event) {
    if (event.target.closest("input, select, textarea, dialog") || $("#hand-over")) return;
    const held = event.ctrlKey || event.metaKey;
    const does = held
      ? { z: () => this.shift(event.shiftKey ? "redo" : "undo"), y: () => this.shift("redo") }[event.key.toLowerCase()]
      : {
          Escape: () => (this.proposal ? this.drop() : this.choose(null)),
          n: () => this.next(1),
          p: () => this.next(-1),
          "+": () => this.board.zoom(1.4),
          "-": () => this.board.zoom(1 / 1.4),
          0: () => this.board.fit(),
          "[": () => this.go(Math.max(0, this.step - 1)),
          "]": () => this.go(Math.min(this.info.log.length, this.step + 1)),
        }[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  }

  // The next unit of those that may act.
  next(by) {
    const names = this.view.units.filter((one) => this.view.sides.includes(one.side) && !this.notHis(one.unit)).map((one) => one.unit);
    if (!names.length) return;
    const at = names.indexOf(this.chosen);
    const unit = names[(at + by + names.length) % names.length];
    this.choose(unit);
    const place = this.view.units.find((one) => one.unit === unit).at;
    if (place) this.board.show([place]);
  }
}

theme();
const game = new Game(JSON.parse($("#facts").textContent));
game.listen();
try {
  await game.load();
  const small = matchMedia("(max-width: 760px)").matches;
  const crowd = game.view.units.filter((one) => one.at && (!small || game.view.sides.includes(one.side)));
  const { size } = game.board.byPlace;
  // Of a large board what is round the units, a handful of hexes at least.
  if (crowd.length && size > (small ? 60 : 300)) game.board.show(crowd.map((one) => one.at), { margin: 300, least: small ? [1000, 1000] : [2000, 1500], force: true });
  else game.board.fit();
  document.body.dataset.ready = "yes";
} catch (error) {
  game.failed(error);
}
