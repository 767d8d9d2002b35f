// What belongs to one pair of eyes: all that was asked, is shown or half done. Other eyes have another of it, whole.

import { Losses } from "./losses.js";
import { Plans } from "./plans.js";

export class Seen {
  // `seated`: the screen was handed to that side, which sees nothing else until it hands it on.
  constructor(game, eyes = "", seated = false) {
    this.eyes = eyes;
    this.seated = seated && Boolean(eyes);
    this.info = this.view = null; // the game, and the position shown
    this.tabs = [];
    this.tab = "unit";
    this.plans = new Plans(game);
    this.losses = new Losses(game);
    this.judged = null; // the log, as one
    this.playing = null; // the replay that steps on by itself
    this.chosen = this.options = this.failure = this.blocker = this.idle = this.hex = null; // a unit, or a hex looked at
    this.proposal = this.elsewhere = this.line = null;
    this.stack = []; // who moves with the chosen unit
    this.stays = null; // why the chosen unit, which can act, reaches no hex
    this.hands = []; // who can act upon the chosen unit, which can do nothing itself
    this.asking = null; // what ends the question about the chosen unit
    this.aiming = null; // the hex that was aimed at last: what is worked out for another is dropped
    this.asked = null; // the game of which another side asked to take back
    this.lost = null; // which fold is to have the focus back once it is shown again, and what has it meanwhile
    this.unheard = null; // the game as it was before what others played and the page has yet to say
    this.wish = null; // the step that this side asked to take back
    this.via = []; // hexes that the way to be proposed leads through
    this.pending = [];
    this.text = this.texting = null; // the text mode; what went wrong in the command under way
    this.filter = ""; // of the list of units
    this.here = []; // who looks at the game
    this.ways = new Map();
    this.sights = new Map();
    this.waiting = this.hovering = null; // the timer of a pointer that rests, and what ends its question
    this.hasAsked = false; // ahead
    this.left = new AbortController();
  }

  // A signal that ends what is asked with these eyes when they are closed, or as another does.
  until(signal) {
    return signal ? AbortSignal.any([this.left.signal, signal]) : this.left.signal;
  }

  // Nothing that is still asked comes to whoever sees next.
  leave() {
    this.plans.stop();
    clearTimeout(this.waiting);
    this.left.abort();
    this.playing = null;
  }
}
