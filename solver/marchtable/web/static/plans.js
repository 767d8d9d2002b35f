// A plan: its goals, the search for it, and the position after its steps; planview.js shows it.

import { ask, call } from "./api.js";
import { play, roll } from "./playing.js";
import { $, amount, course, el, isLegal, settles, toFirstRoll } from "./words.js";

const SAID = {
  OPTIMAL: "This is the best plan (proved).",
  "NO OTHER": "This is the best plan of those searched to the end. Others may be better.",
  FEASIBLE: "This is the best plan found. A better one may exist.",
  IMPOSSIBLE: "There is no such plan (proved).",
  UNKNOWN: "No plan was found. One may exist.",
  UNSUPPORTED: "No answer: a rule that matters here is not modelled.",
  LEGAL: "It can be done.",
  ILLEGAL: "It cannot be done in this way.",
};

// What came of a search, in a sentence: where a space was not searched to the end, nothing is the best of all.
export const answerSaid = ({ status, searched }) => {
  const isOpen = status === "OPTIMAL" && searched?.some((one) => ["UNKNOWN", "FEASIBLE"].includes(one.status));
  return SAID[isOpen ? "NO OTHER" : status] ?? status;
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
    this.base = []; // the branch and the entries after which the search began
  }

  get aim() {
    return this.aims.find((one) => one.unit === this.unit && one.kind === this.kind);
  }

  get unit() {
    const mine = this.mine();
    return mine.some((one) => one.unit === this.picked) ? this.picked : mine.find((one) => one.unit === this.game.seen.chosen)?.unit ?? mine[0]?.unit;
  }

  mine() {
    return this.game.seen.view.units.filter((one) => this.game.mayAct(one.unit));
  }

  stands() {
    return [this.game.branch, ...this.game.seen.info.log.slice(0, this.game.step).map((one) => one.entry?.replace(/ dice=.*/, ""))];
  }

  // How many steps of a log are played since the search; null if the game went on in another way.
  taken(log = []) {
    const stands = this.stands();
    const whole = [...this.base, ...log];
    return stands.length >= this.base.length && stands.every((entry, at) => entry === whole[at]) ? stands.length - this.base.length : null;
  }

  // Play a log as far as a step. What it assumes of a roll is rolled first; another result ends it.
  async take(log, upto) {
    const { game } = this;
    this.close();
    let at = this.taken(log);
    while (at !== null && at < upto) {
      const rest = log.slice(at, upto);
      const before = game.step;
      if (settles(rest[0])) await roll(game);
      else if ((await play(game, toFirstRoll(rest))) !== true) break;
      if (game.step === before || game.seen.pending.length) break;
      at = this.taken(log);
    }
    if (this.taken(log) === log.length) {
      this.aims = [];
      this.found = null;
      if (game.seen.tab === "plan") game.seen.tab = "log"; // the player may read elsewhere by now
    }
    game.show();
    game.overlay();
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
    const { log = [] } = this.found ?? {};
    const taken = this.taken(log);
    if (this.step !== null || this.verb !== "plan" || taken === null) return [];
    for (const entry of log.slice(taken)) {
      const who = entry.split(" ")[1];
      const start = seen.view.units.find((one) => one.unit === who?.split(",")[0])?.at;
      if (start) ways.set(who, [...(ways.get(who) ?? [{ at: start }]), ...course(entry, board).map((at) => ({ at }))]);
    }
    const moving = [...ways].filter(([, stops]) => stops.length > 1);
    const named = this.marks().flatMap((one) => one.text.split(", ").map((who) => `${board.cell(one.at).at} ${who}`)); // a goal says whose it is
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
    this.base = this.stands();
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
        game.say(answerSaid(this.found));
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
    const seen = await game.post(`/games/${game.id}/ahead`, { log: log.slice(this.taken(log) ?? 0, step) }, { step: game.wanted });
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
