// Casualties: what is asked and found of them; lossview.js shows it.

import { choose } from "./choosing.js";
import { $ } from "./words.js";

export class Losses {
  constructor(game) {
    this.game = game;
    this.own = {};
    this.origin = "";
    this.points = "";
    this.opportunity = this.busy = this.lacks = false;
    this.at = this.found = this.judged = this.shown = this.fault = this.picking = null;
  }

  hexes() {
    return [...new Set(this.game.seen.view.units.map((one) => one.at).filter(Boolean))];
  }

  // A click on the map: the hex under fire, or where the fire comes from.
  pick(at) {
    if (this.picking === "origin") this.origin = at;
    else if (this.hexes().includes(at)) {
      this.at = at;
      this.found = null;
      this.own = {};
    }
    this.picking = null;
    this.game.overlay();
    this.game.show();
    return true;
  }

  marks() {
    return [this.under ? { at: this.under, text: "under fire" } : null, this.origin ? { at: this.origin, text: "fires", kind: "goal" } : null].filter(Boolean);
  }

  get under() {
    const mine = this.hexes();
    return mine.includes(this.at) ? this.at : this.game.seen.view.units.find((one) => one.at && one.side !== this.game.seen.view.side)?.at ?? mine[0];
  }

  async ask(check) {
    const { game } = this;
    this.fault = null;
    this.lacks = false;
    this.busy = true;
    game.show();
    const body = { at: this.under, show: ["best", "all"], limit: 200 };
    if (this.points !== "") body.points = Number(this.points);
    if (this.origin) body.origin = this.origin;
    if (this.opportunity) body.opportunity = true;
    try {
      if (check) this.judged = await game.ask("casualties", { ...body, show: ["best"], check });
      else {
        this.judged = null;
        this.found = await game.ask("casualties", body);
        this.shown = null;
      }
    } catch (error) {
      if (!check) this.found = null;
      this.judged = null;
      this.fault = error.said ?? error.message;
      this.lacks = error.answer?.error?.field === "points";
    }
    await import("./lossview.js").catch(() => {}); // it is looked for below
    this.busy = false;
    game.show();
    const count = $("#loss-count");
    count?.scrollIntoView({ block: "start" });
    count?.focus({ preventScroll: true });
    if (this.lacks) $("#loss-points")?.focus();
  }
}

// What is owed is chosen: losses in their tab, anything else with the unit that owes it.
export function pay(game) {
  const { losses, view } = game.seen;
  const { unit } = view.debts[0];
  if (!view.weighs) return choose(game, unit);
  losses.at = game.unit(unit).at;
  losses.points = losses.origin = "";
  game.turn("loss");
  return losses.ask();
}
