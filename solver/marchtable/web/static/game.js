// A game on the page: what is chosen, asked, proposed and played. Panels only show what is kept here.

import { ask, get, RequestError } from "./api.js";
import { Board } from "./board.js";
import { choose, shade } from "./choosing.js";
import { followGame, turned } from "./follow.js";
import { handOver } from "./handover.js";
import { unitPanel } from "./panel.js";
import { drop } from "./proposals.js";
import { Seen } from "./seen.js";
import { showSight } from "./sight.js";
import { $, capital, course, debt, el, harmed, settles, spell, Titles, turnOf } from "./words.js";

// A panel whose script is fetched when it is opened first.
function later(fetched) {
  let show = null;
  return (game) => {
    if (show) return show(game);
    fetched().then((found) => {
      show = found;
      game.show();
    }).catch((error) => game.failed(error));
    return ["Opening …"];
  };
}
const journalPanel = later(() => import("./journal.js").then((found) => found.journalPanel));
const lossPanel = later(() => import("./lossview.js").then((found) => found.lossPanel));
const planPanel = later(() => import("./planview.js").then((found) => found.planPanel));

// The text mode; its script is fetched when it is opened first.
function textPanel(game) {
  const { seen } = game;
  if (seen.text) return [seen.text.node];
  import("./text.js").then(({ Text }) => {
    seen.text ??= new Text(game);
    if (game.seen !== seen || seen.tab !== "text") return;
    game.show();
    seen.text.line.focus();
  }).catch((error) => game.failed(error));
  return ["Opening …"];
}

const headed = (fold) => fold.textContent.replace(/ \(\d+\)$/, ""); // without the number of what it holds

// The heads of what is folded in a panel.
const folded = (panel) => [...panel.querySelectorAll("summary")];

export class Game {
  constructor(facts) {
    this.id = facts.game;
    this.rulebook = facts.rulebook;
    this.movingPhase = facts.moving;
    this.precedence = facts.precedence;
    this.forms = facts.forms;
    spell(facts.words, facts.advice);
    this.board = new Board($("#board"), facts.colours);
    this.titles = new Titles(ask, facts.rulebook);
    const seat = this.seat?.side;
    this.seen = new Seen(this, seat || (sessionStorage.getItem(`eyes ${this.id}`) ?? ""), Boolean(seat));
    const address = new URLSearchParams(location.search);
    this.branch = address.get("branch") ?? "main";
    this.wanted = address.has("step") ? Number(address.get("step")) : null;
  }

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
    return isOwn || !eyes ? "" : `Not with ${eyes}’s eyes: only what ${eyes} itself played, and what revealed nothing, is taken back or played again.`;
  }

  // Whether the log has entries that are not for these eyes.
  get hasHidden() {
    return this.seen.info.log.some((one) => one.entry === null);
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
  /** @param {string} rest @param {Record<string, any>} [more] */
  get(rest, more = {}) {
    return get(this.path(rest, more), { signal: this.seen.until() });
  }

  /** @param {string} rest @param {any} body @param {import("./api.js").More & { step?: number | null }} [more] */
  post(rest, body, { step, signal, ...more } = {}) {
    return ask(this.path(rest, { step }), body, { ...more, signal: this.seen.until(signal) });
  }

  // A question about the position shown.
  ask(verb, body = {}, more = {}) {
    return this.post(`/api/games/${this.id}/${verb}`, body, { step: this.wanted, ...more });
  }

  // `summary` says in words what was played since another reading of the game. Returns whether it is what is shown now.
  async load(summary = (_info) => "") {
    const { seen } = this;
    const mine = (this.loading = {});
    const info = await this.get(`/api/games/${this.id}`);
    if (this.loading !== mine) return; // it was asked for anew, perhaps in another branch
    const text = summary(info);
    seen.info = info;
    const isShown = await this.look(text);
    followGame(this);
    return isShown;
  }

  // Show the position: counters, whose turn it is, what is due. What is asked or chosen belongs to a phase.
  async look(text = "") {
    const was = this.seen.view;
    const before = was?.side;
    this.seen.asking?.abort();
    if (this.wanted !== null && (this.wanted < 0 || !(this.wanted <= this.seen.info.log.length))) this.wanted = null;
    if (this.wanted === this.seen.info.step) this.wanted = null;
    const { seen } = this;
    const { since, names, hidden } = this.lastMove();
    const mine = (this.looking = {});
    if (seen.asked !== seen.info) $("#asked").hidden = true; // what was asked was of the game as it stood
    const view = await this.get(`/games/${this.id}/view`, { step: this.wanted, since });
    if (this.looking !== mine) return;
    seen.view = view;
    if (this.seen.eyes && before && before !== this.seen.view.side && this.seen.eyes === before && this.seen.view.players.includes(this.seen.view.side)) return handOver(this, this.seen.view.side);
    this.seen.ways.clear();
    this.seen.sights.clear();
    showSight(this);
    this.seen.proposal = this.seen.elsewhere = null;
    this.seen.plans.close();
    shade(this, null);
    this.say("");
    this.board.pieces(this.seen.view.pieces, this.seen.view.links);
    const moved = seen.view.moved.find((one) => names.units.includes(one.unit)) ?? seen.view.moved[0];
    this.board.trail(hidden.length ? hidden : moved ? [moved.from, ...(names.units.includes(moved.unit) ? names.places : []), moved.to] : []);
    this.seen.tabs = [["unit", "Unit", unitPanel], ["log", "Log", journalPanel]];
    if (this.seen.view.moves) this.seen.tabs.push(["plan", "Plan", planPanel]);
    if (this.seen.view.weighs) this.seen.tabs.push(["loss", "Losses", lossPanel]);
    this.seen.tabs.push(["text", "Text", textPanel]);
    this.head();
    this.overlay();
    const isOver = was && (was.side !== view.side || was.phase !== view.phase);
    if (isOver) seen.filter = "";
    const unit = !isOver && view.units.some((one) => one.unit === seen.chosen) ? seen.chosen : null;
    const came = this.isLast ? this.result(was) : [];
    if (seen.texting) seen.texting.push(...came);
    const lines = [text && !this.isLast ? `${text} You look at step ${this.step}, before it.` : text, ...came, isOver && this.isLast ? turned(this) : ""].filter(Boolean);
    const speak = () => lines.length && this.seen === seen && !seen.texting && this.news(lines);
    const isFirst = !unit || Boolean(this.notHis(unit)); // it does not wait for what is asked ahead
    if (isFirst) speak();
    else if (lines.length) this.say(lines.join(" ")); // at once, and again over what the choice says
    await choose(this, unit, { still: true });
    if (!isFirst) speak();
    return this.looking === mine;
  }

  // The entries up to the step shown that the same units played last: since which step, and what they name.
  lastMove() {
    const played = this.seen.info.log.slice(0, this.step).map((one) => one.entry ?? "");
    const who = (entry) => entry.split(" ")[1]?.split(":").at(-1); // a roll belongs to its unit’s move
    let since = played.length;
    while (since > 0 && (since === played.length || who(played[since - 1]) === who(played.at(-1)))) since -= 1;
    const last = played.slice(since);
    // Of a concealed unit only where it came from and went is seen.
    const hidden = [];
    for (const one of this.seen.info.log.slice(since, this.step).flatMap((entry) => entry.moves ?? []).reverse()) {
      if (!hidden.length) hidden.push(one.to);
      if (hidden[0] === one.to) hidden.unshift(one.from);
    }
    return { since: played.length ? since : null, hidden, names: { units: (last.length ? who(last[0]) ?? "" : "").split(","), places: last.flatMap((entry) => course(entry, this.board)) } };
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
    for (const name of ["#replaying", "#due", "#asked"]) $(name).hidden = true;
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
    $("#eyes").replaceChildren(el("span", { class: "wide" }, this.seen.eyes ? "seen by " : "you play "), this.player ?? "");
    document.title = `${{ turn: "● Your turn · ", react: "You may react · " }[this.isLast ? turnOf(view, this.player) : ""] ?? ""}${$("h1").textContent} · marchtable`;
    $("#on-branch").hidden = this.branch === "main";
    $("#on-branch").textContent = this.branch;
    $("#turn").textContent = `${view.side} · ${view.phase}${view.turn ? ` · turn ${view.turn}` : ""}${view.headline ? ` · ${view.headline}` : ""}`;
    for (const [name, title, by, end] of [["#undo", "Undo (Ctrl Z)", -1, 0], ["#redo", "Redo (Ctrl Y)", 1, info.log.length]]) {
      const barred = info.step === end ? "" : this.bars(info.step + by);
      $(name).disabled = !this.isLast || info.step === end || Boolean(barred);
      $(name).title = barred || (this.mayTry ? title : "Ask to take back what was played last (Ctrl Z)");
      $(name).hidden = !this.mayTry && by > 0; // a side takes back with the other’s consent, and plays it anew
    }
    const ends = !this.player || this.player === view.side;
    $("#end-phase").disabled = !this.isLast || !ends;
    $("#end-phase").title = ends ? "" : `${view.side} ends this phase; you play ${this.player}.`;
    this.replay();
  }

  // The bar of an earlier step; its script is fetched when it is shown first.
  replay() {
    const { seen } = this;
    const bar = $("#replaying");
    bar.hidden = this.isLast;
    if (this.isLast) return bar.replaceChildren();
    import("./replay.js").then(({ replayBar }) => this.seen === seen && !this.isLast && replayBar(this, bar)).catch((error) => this.failed(error));
  }

  // While a text command is carried out what goes wrong is part of its answer, and nothing else is said:
  // what the map said before it is said no more.
  say(text, bad = false) {
    const said = $("#said");
    if (this.seen.texting) {
      if (bad) this.seen.texting.push(text);
      said.textContent = "";
      return;
    }
    said.textContent = text ?? "";
    said.classList.toggle("bad", bad);
  }

  // Say what went wrong; another's change of the game is shown at once.
  async failed(error) {
    if (error.name === "AbortError") return;
    if (!(error instanceof RequestError)) console.error(error);
    if (error.status === 412) {
      await this.load();
      this.say("The game was changed elsewhere. This is how it stands now.", true);
    } else this.say(error.message, true);
    const status = $("dialog[open] [role=status]"); // what lies before the line that is said
    if (status) status.textContent = $("#said").textContent;
  }

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

  // What came of the roll played last, since an earlier view: who is harmed, and what is to be lost.
  result(was) {
    const { info, view } = this.seen;
    const last = info.log[this.step - 1];
    const isRoll = last?.entry && settles(last.entry);
    const owes = debt(view);
    return [
      ...(isRoll && was ? harmed(was.units, view.units) : []),
      owes ? `${capital(owes)}${view.weighs && this.isOwing ? ": choose losses" : ""}.` : "",
      ...(isRoll && view.weighs ? last.verdict?.details ?? [] : []).filter((one) => one.value === 0).map((one) => `${one.what}: 0.`),
    ].filter(Boolean);
  }

  // Whether the player here owes what is owed.
  get isOwing() {
    return !this.player || this.seen.view.debts[0]?.side === this.player;
  }

  // Why a side does not act now; empty if it does.
  waits(side) {
    const { sides, phase } = this.seen.view;
    return sides.includes(side) ? "" : `${side} does not act now: it is ${sides.join(" and ")}'s turn (${phase}).`;
  }

  // Who settles what is due, if it is another side than the player's here: whose unit it is, or who alone sees how it can come out.
  get rolls() {
    const [due] = this.seen.pending;
    const { settles: own, players } = this.seen.view;
    if (!due || !this.player) return "";
    const side = due.outcomes.length ? own[due.id] ?? this.player : players.filter((one) => one !== this.player).join(" or ");
    return side === this.player ? "" : side;
  }

  unit(name) {
    return this.seen.view.units.find((one) => one.unit === name);
  }

  // Whether the player here can act with a unit now.
  mayAct(unit) {
    return !this.notHis(unit) && this.seen.view.sides.includes(this.unit(unit)?.side);
  }

  get unitOptions() {
    return this.seen.options?.units?.[0];
  }

  overlay() {
    this.board.mark({ plan: this.seen.plans, loss: this.seen.losses }[this.seen.tab]?.marks() ?? []);
    this.board.plan(this.seen.tab === "plan" ? this.seen.plans.ways() : []);
  }

  // Change the game as it was read, with the eyes it is seen with: the answer holds what they may know.
  async change(what, body = {}) {
    const { seen } = this;
    seen.unheard = null;
    const asked = this.post(`/api/games/${this.id}/${what}`, body, { match: seen.info }).then((info) => (seen.info = info));
    this.changing = asked.catch(() => {});
    return asked;
  }

  show() {
    if (!this.seen.view) return;
    const tabs = $("#tabs");
    const panel = $("#panel");
    const held = document.activeElement?.closest("#panel, #tabs") ? document.activeElement : null;
    const earlier = folded(panel);
    const { chosen, lost } = this.seen;
    const wasLost = held && lost?.on === held && lost.unit === chosen; // while the page asked, another had to take the focus
    const above = wasLost ? lost.above : earlier.slice(0, earlier.indexOf(/** @type {any} */ (held)) + 1).map(headed).reverse(); // the nearest that is still there keeps the focus
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
    const parts = render(this).flat(Infinity).filter(Boolean);
    if (parts.length === panel.childNodes.length && parts.every((one, at) => one === panel.childNodes[at])) return; // it keeps itself
    panel.replaceChildren(...parts);
    if (same) for (const one of panel.querySelectorAll("details.fold")) one.open = folds.get(one.firstElementChild.textContent) ?? one.open;
    panel.scrollTop = top;
    if (!same || panel.dataset.step !== String(this.step)) panel.querySelector("ol.log > .now")?.scrollIntoView({ block: "nearest" });
    panel.dataset.step = String(this.step);
    const later = folded(panel);
    const fold = above.map((text) => later.find((one) => headed(one) === text)).find(Boolean);
    if (!held) return;
    const keeps = (held.id && !wasLost ? document.getElementById(held.id) : fold ?? [...panel.querySelectorAll(held.localName)].find((one) => one.textContent === held.textContent)) ?? panel;
    this.seen.lost = above.length && headed(keeps) !== above[0] ? { unit: chosen, above, on: keeps } : null;
    keeps.focus({ preventScroll: !held.id });
  }

  // What was done, and whose turn it is now: in the text mode's log, too, and where the player reads.
  news(lines) {
    this.seen.text?.say(lines);
    if (this.seen.tab !== "text" || !this.seen.text) this.say(lines.join(" "));
  }

  turn(tab) {
    if (this.seen.plans.shown) this.look();
    if (tab !== "unit" && this.seen.proposal) drop(this);
    this.seen.tab = tab;
    this.show();
    this.overlay();
    $(`#tab-${tab}`).focus();
  }
}
