// A game on the page: what is chosen, asked, proposed and played. Panels only show what is kept here.

import { Refusal, ask, get, tagOf } from "./api.js";
import { Board } from "./board.js";
import { follow } from "./follow.js";
import { journalPanel } from "./journal.js";
import { listen } from "./controls.js";
import { handOver, handedOver } from "./handover.js";
import { lossPanel } from "./losses.js";
import { unitPanel } from "./panel.js";
import { planPanel } from "./plans.js";
import { replayBar } from "./replay.js";
import { askRoll } from "./rolls.js";
import { Seen } from "./seen.js";
import { showSight, thread } from "./sight.js";
import { theme } from "./theme.js";
import { Titles, amount, isLegal, owed, places, points, reason, said, settles, toFirstRoll } from "./words.js";

const AHEAD = 12; // units that are asked about ahead
const HIDDEN = "Something that your side does not see forbids it. Do something else, or ask the referee, who sees it.";
const $ = (name) => document.querySelector(name);

export class Game {
  constructor(facts) {
    this.id = facts.game;
    this.rulebook = facts.rulebook;
    this.board = new Board($("#board"), facts.colours);
    this.titles = new Titles(ask, facts.rulebook);
    const seat = this.seat?.side;
    this.seen = new Seen(this, seat || (sessionStorage.getItem(`eyes ${this.id}`) ?? ""), Boolean(seat));
    const address = new URLSearchParams(location.search);
    this.branch = address.get("branch") ?? "main";
    this.wanted = address.has("step") ? Number(address.get("step")) : null;
  }

  // -- where the game stands

  get isLast() {
    return this.wanted === null || this.wanted === this.seen.info?.step;
  }

  get step() {
    return this.wanted ?? this.seen.info.step;
  }

  // Whether one may take back and play on after what is illegal: a side alone may not.
  get mayTry() {
    return this.seen.info.side === null || Boolean(this.seen.eyes);
  }

  // Whose seat the game's pages in this browser are at, and whether he has yet to take it (`due`); null for the referee's.
  get seat() {
    return JSON.parse(localStorage.getItem(`seat ${this.id}`));
  }

  set seat(seat) {
    if (seat.side || seat.due) localStorage.setItem(`seat ${this.id}`, JSON.stringify(seat));
    else localStorage.removeItem(`seat ${this.id}`);
  }

  // Why the player here cannot go from where the game stands to a step; empty if he can.
  bars(step) {
    const { info, eyes } = this.seen;
    const [from, to] = [step, info.step].sort((a, b) => a - b);
    const isOwn = info.log.slice(Math.max(0, from), to).every((one) => one.own);
    return isOwn || !eyes ? "" : `Not with ${eyes}’s eyes: only what ${eyes} itself played is taken back or played again.`;
  }

  // Whether the log has entries that are not for these eyes.
  get hasHidden() {
    return this.seen.info.log.slice(0, this.step).some((one) => one.entry === null);
  }

  path(rest, more = {}, eyes = this.seen.eyes) {
    const query = new URLSearchParams();
    if (eyes) query.set("eyes", eyes);
    if (this.branch !== "main") query.set("branch", this.branch);
    for (const [name, value] of Object.entries(more)) if (value !== null && value !== undefined) query.set(name, value);
    const text = query.toString();
    return `${rest}${text ? `?${text}` : ""}`;
  }

  // An address that is not the game's, asked with the same eyes.
  eyed(rest) {
    return this.seen.eyes ? `${rest}?eyes=${encodeURIComponent(this.seen.eyes)}` : rest;
  }

  // Of the game as these eyes see it; unanswered once they are closed.
  get(rest, more = {}) {
    return get(this.path(rest, more), { signal: this.seen.until() });
  }

  post(rest, body, { step, signal, ...more } = {}) {
    return ask(this.path(rest, { step }), body, { ...more, signal: this.seen.until(signal) });
  }

  // A question about the position shown.
  ask(verb, body = {}, more = {}) {
    return this.post(`/api/games/${this.id}/${verb}`, body, { step: this.wanted, ...more });
  }

  async load() {
    const { seen } = this;
    const mine = (this.loading = {});
    const info = await this.get(`/api/games/${this.id}`);
    if (this.loading !== mine) return; // it was asked for anew, perhaps in another branch
    seen.info = info;
    await this.look();
    this.follow();
  }

  // Hear of what others play, as these eyes see it, in the branch shown.
  follow() {
    const path = this.path(`/api/games/${this.id}/events`);
    if (this.seen.followed === path) return;
    this.seen.followed = path;
    this.following?.abort();
    this.following = new AbortController();
    const signal = this.seen.until(this.following.signal);
    follow(path, {
      signal,
      changed: (kind, data) => signal.aborted || this.changed(kind, data),
      linked: (whether) => ($("#connection").hidden = whether || signal.aborted),
    });
  }

  // The game was changed, perhaps by this page: then it is shown already, or about to be.
  async changed(kind, { etag }) {
    if (kind === "gone") return this.say("This game was deleted.", true);
    await this.changing;
    const { seen } = this;
    if (handedOver() || !seen.info || tagOf(seen.info) === etag) return;
    const before = seen.info;
    try {
      await this.load();
      const text = kind === "gap" ? "The server has restarted: this is the game as it stands now." : news(before, seen.info);
      if (this.seen === seen && text) this.say(text);
    } catch (error) {
      this.failed(error);
    }
  }

  // Show the position: counters, whose turn it is, what is due.
  async look() {
    const before = this.seen.view?.side;
    if (this.wanted !== null && (this.wanted < 0 || !(this.wanted <= this.seen.info.log.length))) this.wanted = null;
    if (this.wanted === this.seen.info.step) this.wanted = null;
    const { seen } = this;
    const { since, names } = this.lastMove();
    const mine = (this.looking = {});
    const view = await this.get(`/games/${this.id}/view`, { step: this.wanted, since });
    if (this.looking !== mine) return;
    seen.view = view;
    if (this.seen.eyes && before && before !== this.seen.view.side && this.seen.eyes === before && this.seen.view.players.includes(this.seen.view.side)) return handOver(this, this.seen.view.side);
    this.seen.ways.clear();
    this.seen.sights.clear();
    showSight(this);
    this.seen.proposal = this.seen.elsewhere = null;
    this.seen.plans.close();
    this.board.pieces(this.seen.view.pieces, this.seen.view.links);
    const moved = seen.view.moved.find((one) => names.units.includes(one.unit)) ?? seen.view.moved[0];
    this.board.trail(moved ? [moved.from, ...(names.units.includes(moved.unit) ? names.places : []), moved.to] : []);
    this.seen.tabs = [["unit", "Unit", unitPanel], ["log", "Log", journalPanel]];
    if (this.seen.view.moves) this.seen.tabs.push(["plan", "Plan", planPanel]);
    if (this.seen.view.weighs) this.seen.tabs.push(["loss", "Losses", lossPanel]);
    this.head();
    this.overlay();
    const unit = this.seen.view.units.some((one) => one.unit === this.seen.chosen) ? this.seen.chosen : null;
    await this.choose(unit, { still: true });
  }

  // The entries up to the step shown that the same units played last: since which step, and what they name.
  lastMove() {
    const played = this.seen.info.log.slice(0, this.step).map((one) => one.entry ?? "");
    const who = (entry) => entry.split(" ")[1];
    let since = played.length;
    while (since > 0 && (since === played.length || who(played[since - 1]) === who(played.at(-1)))) since -= 1;
    const last = played.slice(since);
    return { since: played.length ? since : null, names: { units: (last.length ? who(last[0]) ?? "" : "").split(","), places: last.flatMap((entry) => places(entry, this.board)) } };
  }

  // Have a side's eyes; the referee's if it is none. Nothing of what others saw stays.
  haveEyes(side, seated = false) {
    this.seen.leave();
    this.seen = new Seen(this, side, seated);
    if (side && !seated) sessionStorage.setItem(`eyes ${this.id}`, side);
    else sessionStorage.removeItem(`eyes ${this.id}`);
    this.board.clear();
    this.say("");
    for (const name of ["#panel", "#replaying", "#tabs"]) $(name).replaceChildren();
    for (const name of ["#replaying", "#due"]) $(name).hidden = true;
    $("#due").textContent = "";
  }

  // The boards' own artwork, if the server has it and it is wanted.
  async ground() {
    try {
      this.sheets ??= await get(`/games/${this.id}/artwork`, { quiet: true });
    } catch {
      this.sheets = []; // what is drawn stays
    }
    this.board.artwork(localStorage.getItem("ground") === "drawn" ? [] : this.sheets);
  }

  // See the game with a side's eyes.
  async see(side) {
    this.haveEyes(side);
    await this.load();
  }

  head() {
    const { view, info } = this.seen;
    $("#eyes").hidden = !this.player;
    $("#eyes").textContent = this.seen.eyes ? `seen by ${this.seen.eyes}` : `you play ${this.player}`;
    document.title = `${this.player && view.sides.includes(this.player) ? "● Your turn · " : ""}${$("h1").textContent} · marchtable`;
    $("#turn").textContent = `${view.side} · ${view.phase}${view.turn ? ` · turn ${view.turn}` : ""}${view.headline ? ` · ${view.headline}` : ""}`;
    for (const [name, title, by, end] of [["#undo", "Undo (Ctrl Z)", -1, 0], ["#redo", "Redo (Ctrl Y)", 1, info.log.length]]) {
      const barred = info.step === end ? "" : this.bars(info.step + by);
      $(name).disabled = !this.isLast || !this.mayTry || info.step === end || Boolean(barred);
      $(name).title = barred || title;
    }
    const ends = !this.player || this.player === view.side;
    $("#end-phase").disabled = !this.isLast || !ends;
    $("#end-phase").title = ends ? "" : `${view.side} ends this phase; you play ${this.player}.`;
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
      this.say("The game was changed elsewhere. This is how it stands now.", true);
    } else this.say(error.message, true);
    const told = $("dialog[open] [role=status]"); // what lies before the line that is said
    if (told) told.textContent = $("#said").textContent;
  }

  // -- a unit is chosen

  // Whose player sits here, or nobody's: then all units may be asked about.
  get player() {
    return this.seen.eyes || this.seen.info.side;
  }

  // Why the player here cannot act with a unit now; empty if he can.
  notHis(unit) {
    const one = this.unit(unit);
    if (!one || !this.player) return "";
    if (one.side !== this.player) return `${unit} belongs to ${one.side}; you play ${this.player}.`;
    return this.waits(one.side);
  }

  // Why a side does not act now; empty if it does.
  waits(side) {
    const { sides, phase } = this.seen.view;
    return sides.includes(side) ? "" : `${side} does not act now: it is ${sides.join(" and ")}'s turn (${phase}).`;
  }

  unit(name) {
    return this.seen.view.units.find((one) => one.unit === name);
  }

  // Whether the player here can act with a unit now.
  mayAct(unit) {
    return !this.notHis(unit) && this.seen.view.sides.includes(this.unit(unit)?.side);
  }

  async choose(unit, { still = false } = {}) {
    this.seen.chosen = unit;
    this.seen.hex = null;
    this.seen.options = this.seen.failure = this.seen.blocker = null;
    if (!still) this.seen.proposal = this.seen.elsewhere = null;
    this.seen.ways.clear();
    this.seen.asking?.abort();
    this.board.select(unit);
    thread(this, null);
    if (!still || !unit) this.board.way([]);
    if (!unit) this.shade(null);
    this.overlay();
    if (!still && unit) this.seen.tab = "unit";
    this.show();
    this.seen.asking = new AbortController();
    const { signal } = this.seen.asking;
    try {
      this.seen.failure = this.notHis(unit);
      if (this.seen.failure) {
        this.shade(null);
        this.say(this.seen.failure, true);
        this.show();
      }
      if (!unit || this.seen.failure) {
        // Asked of whom one may choose first, and to the end: what is found of a new board is kept.
        const { units, sides } = this.seen.view;
        const first = units.find((one) => one.at && sides.includes(one.side)) ?? units[0];
        if (!first) return this.due([]);
        const { pending } = await this.ask("options", { unit: first.unit }, { signal });
        this.due(pending);
        return this.askAhead(first, signal);
      }
      const started = performance.now();
      const found = await this.ask("options", { unit }, { signal });
      this.seen.options = found;
      if (!found.units) throw new Refusal(200, "This was not answered within the limit.");
      const left = found.units[0].reach?.locations ?? {};
      this.shade(Object.keys(left).length > 1 ? left : null);
      performance.measure("click to reach", { start: started });
      this.due(found.pending);
      this.show();
      if (this.board.gesture?.at) this.hover({ at: this.board.gesture.at });
      const told = found.units[0];
      if (!found.pending.length && told.reach && Object.keys(left).length <= 1) await this.findBlocker(told, signal);
      if (this.seen.blocker) this.say(`First ${this.seen.blocker.units.join(", ")}: ${reason(this.seen.blocker)} (${this.seen.blocker.clause})`, true);
      else this.say(found.pending.length ? `First a ${owed(found.pending[0])} is due.` : `${unit}: ${points(told.left, `${told.points} left`)}`);
    } catch (error) {
      if (error.name === "AbortError") return;
      this.seen.failure = error.message;
      this.show();
      this.failed(error);
    }
  }

  // The reach on the map, and what it means beside it.
  shade(left) {
    const count = this.board.shade(left);
    $("#legend").hidden = !count;
    if (count) $("#reached").textContent = `${this.seen.chosen} can reach ${count - 1} ${count === 2 ? "hex" : "hexes"} (darker: more ${this.told.points} left)`;
  }

  // Write on each hex what is left there, or no more.
  costs(shown = !this.board.svg.classList.contains("costs")) {
    this.board.svg.classList.toggle("costs", shown);
    $("#costs").setAttribute("aria-pressed", String(shown));
    localStorage.setItem("costs", shown ? "yes" : "");
  }

  // While nobody is chosen yet the others are asked about, too: the first click finds the board known.
  async askAhead(first, signal) {
    if (this.seen.hasAsked || !this.isLast) return;
    this.seen.hasAsked = true;
    const others = this.seen.view.units.filter((one) => one.at && one !== first && this.mayAct(one.unit));
    for (const { unit } of others.slice(0, AHEAD)) if (!signal.aborted) await this.ask("options", { unit }, { signal, quiet: true }).catch(() => {});
  }

  // A unit that can go nowhere: does another's move bar whatever it does?
  async findBlocker(told, signal) {
    const beside = this.board.beside(told.at);
    const found = beside ? await this.way(beside.at, signal) : {};
    const [first] = found.barred?.violations ?? [];
    if (!first?.units.length || first.units.includes(this.seen.chosen)) return;
    const acting = this.seen.view.units.filter((one) => first.units.includes(one.unit) && this.seen.view.sides.includes(one.side) && one.at !== found.barred.at);
    if (acting.length < first.units.length || told.barred.filter((one) => one.clauses.includes(first.clause)).length < 2) return;
    this.seen.blocker = first;
    this.board.way([]);
    this.show();
  }

  due(pending = []) { // none is told by an answer that came too late
    this.seen.pending = pending;
    const shown = $("#due");
    shown.hidden = !pending.length || !this.isLast;
    if (pending.length) shown.textContent = `A ${owed(pending[0])} is due: ${pending[0].unit}`;
  }

  // -- the way to a hex

  get told() {
    return this.seen.options?.units?.[0];
  }

  async way(at, signal) {
    if (!this.seen.ways.has(at)) {
      const found = this.ask("reach", { unit: this.seen.chosen, to: at }, { signal });
      this.seen.ways.set(at, found);
      found.catch(() => this.seen.ways.delete(at));
    }
    return this.seen.ways.get(at);
  }

  // All Locations of a hex, the cheapest to come to first.
  goals(at) {
    const left = this.told?.reach?.locations ?? {};
    return [...this.board.cell(at).all].sort((a, b) => (left[b] ?? -1) - (left[a] ?? -1));
  }

  async hover(detail) {
    clearTimeout(this.seen.waiting);
    this.seen.hovering?.abort();
    if (!detail) {
      thread(this, null);
      return this.seen.proposal || this.board.way([]);
    }
    this.seen.hovering = new AbortController();
    const { signal } = this.seen.hovering;
    thread(this, detail.at, signal).catch((error) => this.failed(error));
    if (this.seen.proposal) return;
    const cell = this.board.cell(detail.at);
    const unit = detail.unit && this.board.unit(detail.unit);
    const words = unit ? `${unit.getAttribute("aria-label")}; ${cell.words}` : cell.words;
    const reach = this.told?.reach;
    if (!reach || !this.seen.chosen || cell === this.board.cell(this.told.at)) {
      this.board.way([]);
      return this.say(words);
    }
    this.seen.waiting = setTimeout(async () => {
      try {
        const found = await this.way(this.goals(detail.at)[0], signal);
        if (!signal.aborted && this.told && !this.seen.proposal) this.tellWay(found, words);
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
      const from = this.leads(found) && first?.units.includes(this.seen.chosen) ? first.hexes[0] : null;
      this.board.way([...(from ? [{ at: from }] : []), { at: found.to, text: first?.clause ?? "" }], "barred");
      this.say(this.barredBy(found), true);
    } else {
      this.board.way([]);
      this.say(found.unsupported?.length ? `${found.to}: not modelled (${found.unsupported.join(", ")})` : `${found.to}: cannot be reached · ${words}`, true);
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
    const others = first.units.includes(this.seen.chosen) ? "" : `${first.units.join(", ")}: `;
    return `${head}${others}${reason(first)} (${first.clause})`;
  }

  drawWay(found) {
    const spent = new Map();
    for (const one of found.path) spent.set(one.at, amount(one.spent));
    this.board.way([{ at: this.told.at }, ...found.path.map((one) => ({ at: one.at, text: spent.get(one.at) }))]);
  }

  // The pointer is over an action of the list: show where it leads.
  point(action) {
    if (this.seen.proposal) return;
    const at = action && places(action, this.board)[0];
    this.board.way(at ? [{ at: this.told.at }, { at }] : []);
  }

  // -- proposals

  // A hex was clicked while a unit is chosen: what of it leads there?
  async aim(at, unit = this.seen.chosen) {
    if (unit !== this.seen.chosen) await this.choose(unit);
    this.seen.elsewhere = null;
    const told = this.told;
    if (!told || !this.isLast) return;
    const names = this.board.cell(at).all;
    const direct = told.actions.filter((one) => one.closes !== false && places(one.action, this.board).some((name) => names.includes(name)));
    try {
      const found = told.reach ? await this.way(this.goals(at)[0]) : {};
      const ways = found.path?.length ? [{ action: `go to ${found.to}`, actions: found.path.map((one) => one.action), cost: found.path.at(-1).spent - (found.path[0].spent - found.path[0].cost), points: found.points }] : [];
      const moves = ways.length ? ways[0].actions.filter((one) => !settles(one)) : [];
      const same = moves.length === 1 && direct.some((one) => one.action === moves[0]);
      const choices = same ? direct : [...ways, ...direct];
      if (choices.length > 1) {
        if (found.path) this.drawWay(found);
        this.seen.proposal = { title: `${unit} to ${at}: how?`, choices };
        this.openUnit();
      } else if (choices.length === 1) await this.propose(choices[0].actions ?? [choices[0].action]);
      else if (found.barred && this.leads(found)) await this.refuse(found);
      else this.unreached(at, found);
    } catch (error) {
      this.failed(error);
    }
  }

  openUnit() {
    this.seen.tab = "unit";
    this.show();
    $("#proposal")?.scrollIntoView({ block: "nearest" });
  }

  // What bars the way there: the last step is judged, after a way to where it is taken from.
  async refuse(found) {
    const [first] = found.barred.violations;
    const from = first?.units.includes(this.seen.chosen) ? (first.hexes[0] ?? this.told.at) : this.told.at;
    let before = [];
    if (from !== this.told.at) before = (await this.way(from)).path?.map((one) => one.action) ?? [];
    await this.propose([...before, found.barred.action]);
  }

  // No step leads to the hex: its name, and the first clause that forbids the way.
  unreached(at, found) {
    const violations = found.barred?.violations.slice(0, 1) ?? [];
    this.seen.proposal = { title: `${found.to ?? at} cannot be reached`, unreached: true, violations, unsupported: found.unsupported ?? [] };
    this.tellWay({ to: at, ...found }, this.board.cell(at).said);
    this.openUnit();
  }

  async propose(actions) {
    this.seen.failure = null;
    const title = actions.length === 1 ? said(actions[0], this.seen.chosen) : `${this.seen.chosen} to ${places(actions.at(-1), this.board).at(-1) ?? "there"}`;
    this.seen.proposal = { actions, title };
    const mine = this.seen.proposal;
    this.openUnit();
    try {
      const verdict = await this.ask("check", { log: actions, then: true });
      if (this.seen.proposal !== mine) return;
      mine.verdict = verdict;
      this.drawProposal(mine);
      const isFine = isLegal(verdict);
      this.say(isFine ? `${title}: legal` : `${title}: ${reason(verdict.violations[0] ?? verdict.unsupported[0])}`, !isFine);
      this.openUnit();
      if (isFine && actions.length === 1) await this.weigh(mine, verdict);
    } catch (error) {
      if (this.seen.proposal === mine) this.seen.failure = error.message;
      this.show();
      this.failed(error);
    }
  }

  drawProposal({ verdict, actions }) {
    const spent = new Map();
    const stops = this.told ? [{ at: this.told.at }] : [];
    verdict.log.forEach((line, step) => {
      for (const one of verdict.receipts) if (one.step === step && one.unit === this.seen.chosen) spent.set("sum", (spent.get("sum") ?? 0) + one.amount);
      for (const at of places(line, this.board)) stops.push({ at, text: spent.has("sum") ? amount(spent.get("sum")) : "" });
    });
    const faults = [...verdict.violations, ...verdict.unsupported];
    this.board.way(stops.length > 1 ? stops : [], faults.length ? "barred" : "way");
    this.board.mark(faults.filter((one) => one.hexes.length).map((one) => ({ at: one.hexes.at(-1), text: one.clause })));
  }

  // What the unit could do before and could no more do after.
  async weigh(proposal, verdict) {
    if (!verdict.scene || verdict.obligations.length) return;
    const after = await ask(this.eyed("/api/options"), { scene: verdict.scene, unit: this.seen.chosen, reach: false }, { signal: this.seen.until() });
    if (this.seen.proposal !== proposal || after.pending.length) return;
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
      if (!choices.length) return this.say("No other unit can join.", true);
      if (choices.length === 1) return await this.propose([choices[0].action]);
      this.seen.proposal = { title: "Together with whom?", choices };
      this.openUnit();
    } catch (error) {
      this.failed(error);
    }
  }

  drop() {
    this.seen.proposal = null;
    this.board.way([]);
    this.overlay();
    this.show();
    this.say("");
  }

  overlay() {
    this.board.mark({ plan: this.seen.plans, loss: this.seen.losses }[this.seen.tab]?.marks() ?? []);
    this.board.plan(this.seen.tab === "plan" ? this.seen.plans.ways() : []);
  }

  // -- play

  async commit(anyway = false) {
    const { actions } = this.seen.proposal;
    await this.play(toFirstRoll(actions), anyway);
  }

  // Change the game as it was read, with the eyes it is seen with: the answer tells what they may know.
  async change(what, body = {}) {
    const { seen } = this;
    const asked = this.post(`/api/games/${this.id}/${what}`, body, { match: seen.info }).then((info) => (seen.info = info));
    this.changing = asked.catch(() => {});
    return asked;
  }

  // Play entries; whether they were played is returned, and why they were not is said.
  async play(entries, anyway = false) {
    try {
      const found = await this.change("log", { log: entries, anyway });
      if (!found.kept) {
        const [first] = found.verdicts.flatMap((one) => [...one.violations, ...one.unsupported]);
        this.say(first ? reason(first) : found.refused ? HIDDEN : "That is not legal as the game stands now.", true);
        return false;
      }
      this.board.way([]);
      await this.look();
      if (this.seen.pending.length) await this.roll();
      return true;
    } catch (error) {
      this.failed(error);
      return false;
    }
  }

  // Play a log that was told as far as its first roll, if it is legal as the game stands.
  async tryLog(told) {
    const log = toFirstRoll(told);
    try {
      const verdict = await this.ask("check", { log });
      if (isLegal(verdict)) return await this.play(log);
      this.say(reason(verdict.violations[0] ?? verdict.unsupported[0]), true);
    } catch (error) {
      this.failed(error);
    }
  }

  async roll() {
    const [due] = this.seen.pending;
    if (!due || !this.isLast) return;
    if (!due.outcomes.length) return this.say(`The other side decides this: hand over to it, or to the referee.`, true);
    await this.titles.ready;
    const outcome = await askRoll(due, this.titles);
    if (outcome !== null) await this.play([`settle ${due.id} ${outcome}`]);
  }

  async shift(by) {
    if ($(`#${by}`).disabled) return;
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
    this.seen.playing = playing;
    this.wanted = step === null || step === this.seen.info.step ? null : step;
    if (address) history[address](null, "", this.path(location.pathname, { step: this.wanted }, ""));
    this.board.way([]);
    try {
      await this.look();
      if (this.wanted) this.board.show(places(this.seen.info.log[this.wanted - 1].entry ?? "", this.board));
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
    const { info } = this.seen;
    let number = info.branches.length + 1;
    while (info.branches.includes(`branch-${number}`)) number += 1;
    const name = `branch-${number}`;
    try {
      await ask(this.eyed(`/api/games/${this.id}/branches`), { name, step: this.step, of: this.branch });
      await this.toBranch(name);
      this.say(`You play on in ${name}. The game itself has not changed.`);
    } catch (error) {
      this.failed(error);
    }
  }

  // -- the page

  show() {
    if (!this.seen.view) return;
    const tabs = $("#tabs");
    const panel = $("#panel");
    const held = document.activeElement?.closest("#panel, #tabs") ? document.activeElement : null;
    tabs.replaceChildren(
      ...this.seen.tabs.map(([name, title]) => {
        const tab = document.createElement("button");
        Object.assign(tab, { type: "button", textContent: title, id: `tab-${name}` });
        tab.setAttribute("role", "tab");
        tab.setAttribute("aria-controls", "panel");
        tab.setAttribute("aria-selected", String(name === this.seen.tab));
        tab.tabIndex = name === this.seen.tab ? 0 : -1;
        tab.addEventListener("click", () => this.turn(name));
        return tab;
      }),
    );
    panel.setAttribute("aria-labelledby", `tab-${this.seen.tab}`);
    const [, , render] = this.seen.tabs.find(([name]) => name === this.seen.tab);
    const same = panel.dataset.tab === this.seen.tab;
    const top = same ? panel.scrollTop : 0;
    const folds = new Map([...panel.querySelectorAll("details.fold")].map((one) => [one.firstElementChild.textContent, one.open]));
    panel.dataset.tab = this.seen.tab;
    panel.replaceChildren(...render(this).flat(Infinity).filter(Boolean));
    if (same) for (const one of panel.querySelectorAll("details.fold")) one.open = folds.get(one.firstElementChild.textContent) ?? one.open;
    panel.scrollTop = top;
    if (held?.id) document.getElementById(held.id)?.focus();
    else if (held) panel.focus({ preventScroll: true });
  }

  turn(tab) {
    if (this.seen.plans.shown) this.look();
    if (tab !== "unit" && this.seen.proposal) this.drop();
    this.seen.tab = tab;
    this.show();
    this.overlay();
    $(`#tab-${tab}`).focus();
  }
}

// What was played between two readings of a game, in words; empty if nothing was.
function news(before, after) {
  if (before.branch !== after.branch) return "";
  const more = after.step - before.step;
  if (more < 0) return "The other player took something back.";
  const played = after.log.slice(before.step, after.step).map((one) => one.entry ?? "something hidden");
  if (!more) return "";
  return `Played: ${played.slice(0, 3).join("; ")}${more > 3 ? ` and ${more - 3} more` : ""}.`;
}

// The first view fits the units: on a small screen those that may act, if there are any on the map.
function showUnits() {
  const { board, seen } = game;
  const on = (seen.view?.units ?? []).filter((one) => one.at);
  const acting = on.filter((one) => seen.view.sides.includes(one.side));
  const crowd = matchMedia("(max-width: 760px)").matches && acting.length ? acting : on;
  board.fit();
  board.show(crowd.map((one) => one.at), { least: [Math.max(board.wide / 0.75, 900), 0], force: true });
}

theme();
const game = new Game(JSON.parse($("#facts").textContent));
listen(game);
try {
  if (game.seat?.due) handOver(game, game.seat.side);
  else await game.load();
  showUnits();
  document.body.dataset.ready = "yes";
  game.ground();
} catch (error) {
  game.failed(error);
}
