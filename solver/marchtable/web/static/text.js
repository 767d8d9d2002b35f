// The text mode: one line for commands, with history and completion, and a log of answers that is read aloud.

import { carryOut, completions, news } from "./commands.js";
import { el } from "./words.js";

const MOST = 400; // answers that are kept
const SHOWN = 12; // completions that are listed
const WELCOME = "Type a command, for example who, what or help. Tab completes names; the arrow keys bring back what you typed.";

export class Text {
  constructor(game) {
    this.game = game;
    this.typed = []; // the history
    this.back = 0; // how far back in it
    this.choices = []; // what a number stands for
    this.listed = null; // the line whose completions were listed: Tab then leaves it
    this.last = Promise.resolve(); // commands are carried out one after another
    this.log = el("div", { id: "answers", role: "log", tabindex: 0, "aria-label": "Answers" });
    this.line = /** @type {HTMLInputElement} */ (el("input", { id: "command", type: "text", "aria-label": "Command", placeholder: "who, what, move …", autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "send", onkeydown: (event) => this.key(event) }));
    this.node = el("form", { id: "text", onsubmit: (event) => { event.preventDefault(); this.enter(this.line.value.trim()); } },
      this.log, el("div", { class: "row" }, this.line, el("button", { class: "primary" }, "Enter")));
    this.say([WELCOME, ...news(game)]);
  }

  // Add an answer: its sentences, one a line.
  say(lines, asked = "") {
    const answer = el("div", { class: "answer" }, asked ? el("p", { class: "asked" }, `> ${asked}`) : null, lines.map((line) => el("p", {}, line)));
    this.log.append(answer);
    while (this.log.childElementCount > MOST) this.log.firstElementChild.remove();
    answer.scrollIntoView({ block: "nearest" });
    this.log.scrollTop = this.log.scrollHeight;
  }

  enter(text) {
    if (!text) return;
    this.typed.push(text);
    this.back = 0;
    this.line.value = "";
    this.last = this.last.then(async () => {
      const { seen } = this.game;
      if (seen.text !== this) return; // another player sits here now
      this.say(await carryOut(this.game, text), text);
    });
  }

  key(event) {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (by) {
      event.preventDefault();
      this.back = Math.min(Math.max(0, this.back + by), this.typed.length);
      this.line.value = this.back ? this.typed.at(-this.back) : "";
    } else if (event.key === "Tab" && !event.shiftKey) this.complete(event);
  }

  // Complete the last word; a line that cannot be completed lets Tab go on to what comes next.
  complete(event) {
    const before = this.line.value;
    const [, head, word] = /^(.*?)(\S*)$/.exec(before);
    if (!word || this.listed === before) return;
    const found = completions(this.game, head.trim(), word);
    if (!found.length) return;
    const [first] = found;
    let long = first.length;
    for (const name of found) while (name.slice(0, long).toLowerCase() !== first.slice(0, long).toLowerCase()) long -= 1;
    const after = `${head}${first.slice(0, long)}${found.length === 1 ? " " : ""}`;
    if (after === before) {
      if (found.length === 1) return;
      this.say([`${found.slice(0, SHOWN).join(", ")}${found.length > SHOWN ? ` and ${found.length - SHOWN} more` : ""}.`]);
    }
    this.listed = after === before ? before : null;
    this.line.value = after;
    event.preventDefault();
  }
}
