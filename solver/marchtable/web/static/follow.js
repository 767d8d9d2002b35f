// Following a game: server-sent events, read with fetch so that Last-Event-ID is sent after a failure.

import { tagOf } from "./api.js";
import { handedOver } from "./handover.js";
import { roll } from "./playing.js";
import { goOn } from "./proposals.js";
import { $, course, el, entrySaid, spoken, turnOf } from "./words.js";

const LONGEST = 30_000; // ms between two tries
const SILENCE = 40_000; // ms after which a connection that says nothing is given up

// The events of a stream as [id, kind, data], until it ends.
async function* events(body, heard) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    heard();
    text += value;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const fields = Object.fromEntries(text.slice(0, end).split("\n").filter((line) => !line.startsWith(":")).map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
      text = text.slice(end + 2);
      if (fields.data) yield [fields.id, fields.event, JSON.parse(fields.data)];
    }
  }
}

// Wait a while, or until the browser is online again.
const rest = (wait) => new Promise((/** @type {(value?: any) => void} */ done) => {
  const late = setTimeout(done, wait);
  addEventListener("online", () => { clearTimeout(late); done(); }, { once: true });
});

// Call `changed(kind, data)` for each event, and `linked(whether)` as the connection comes and goes.
export async function follow(path, { signal, changed, linked }) {
  let last = null;
  let wait = 500;
  while (!signal.aborted) {
    const silent = new AbortController();
    let timer;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), SILENCE);
    };
    try {
      heard();
      const response = await fetch(path, { headers: last ? { "Last-Event-ID": last } : {}, signal: AbortSignal.any([signal, silent.signal]) });
      if (!response.ok) throw new Error(response.statusText);
      linked(true);
      wait = 500;
      for await (const [id, kind, data] of events(response.body, heard)) {
        if (id) last = id;
        changed(kind, data);
        if (kind === "gone") return;
      }
    } catch {
      // It is tried again, whatever went wrong.
    } finally {
      clearTimeout(timer);
    }
    if (signal.aborted) return;
    linked(false);
    await rest(wait * (0.5 + Math.random()));
    wait = Math.min(wait * 2, LONGEST);
  }
}

// Hear of what others play, as these eyes see it, in the branch shown.
export function followGame(game) {
  const path = game.path(`/api/games/${game.id}/events`);
  if (game.seen.followed === path) return;
  game.seen.followed = path;
  game.following?.abort();
  game.following = new AbortController();
  const signal = game.seen.until(game.following.signal);
  follow(path, {
    signal,
    changed: (kind, data) => signal.aborted || changed(game, kind, data),
    linked: (whether) => {
      $("#connection").hidden = whether || signal.aborted;
      if (!whether) $("#present").hidden = true; // who is here is not known
    },
  });
}

// The game was changed, perhaps by game page: then it is shown already, or about to be.
export async function changed(game, kind, { etag, here, asks, refuses }) {
  if (kind === "present") return present(game, here, asks, refuses);
  if (kind === "gone") return game.say("This game was deleted.", true);
  await game.changing;
  const { seen } = game;
  if (handedOver() || !seen.info || tagOf(seen.info) === etag) return;
  const before = (seen.unheard ??= seen.info); // what another event was about to say is said with this
  const { wish } = seen;
  seen.wish = null;
  for (let wait = 1000; game.seen === seen; wait = Math.min(wait * 2, LONGEST)) {
    try {
      const isShown = await game.load((info) => (kind === "gap" ? "The server has restarted: this is the game as it stands now." : news(before, info, game.board, wish)));
      if (isShown) seen.unheard = null;
      $("#connection").hidden = true;
      if (!seen.chosen) game.board.show(seen.view.moved.map((one) => one.to));
      if (game.player && seen.pending.length && !game.rolls && seen.tab !== "text" && !$("dialog[open]")) await roll(game);
      else if (isShown && seen.tab !== "text") await goOn(game); // another settled what was due on the way
      return;
    } catch (error) {
      if (error.status !== 0) return game.failed(error);
      $("#connection").hidden = false; // the event came, and the network went before the game was read
      await rest(wait);
    }
  }
}

// Who else is looking: the other sides for who plays one, else everybody but oneself.
function present(game, here, asks, refuses) {
  const { seen } = game;
  const { side } = seen.info;
  seen.here = here;
  const asked = $("#asked");
  const isMine = asks === side;
  const text = asks ? `${isMine ? "You ask" : `${asks} asks`} to take back: ${lately(game)}` : "";
  if (side && asks && !isMine && asked.hidden) {
    game.say(`${text}.`);
    seen.text?.say([`${text}. Type undo to agree, or decline.`]);
  }
  if (!asks && !asked.hidden) game.say("");
  asked.hidden = !side || !asks;
  seen.asked = seen.info;
  asked.firstElementChild.textContent = text;
  asked.title = asked.firstElementChild.textContent;
  $("#agree").hidden = isMine;
  $("#refuse").textContent = isMine ? "Withdraw" : "Decline";
  if (refuses && seen.wish !== null && !asks) {
    seen.wish = null;
    if (refuses !== side) seen.text?.say([`${refuses} does not agree: what was played stays.`]);
    game.say(refuses === side ? "You withdrew your request to take the move back." : `${refuses} does not agree: what was played stays.`, refuses !== side);
  }
  const me = seen.eyes || seen.info.side || "referee";
  const others = here.filter((_, number) => number !== here.indexOf(me));
  const missing = seen.info.side && seen.view ? seen.view.players.filter((name) => name !== me && !others.includes(name)) : [];
  const chip = $("#present");
  chip.hidden = !others.length && !missing.length;
  chip.replaceChildren(...[...new Set(others)].map((name) => el("span", { class: "here" }, `● ${name}`)), ...missing.map((name) => el("span", { class: "away" }, `○ ${name}`)));
  chip.title = [others.length && `Looking at the game: ${others.join(", ")}`, missing.length && `Not here: ${missing.join(", ")}`].filter(Boolean).join(". ");
  chip.setAttribute("aria-label", chip.title);
}

// Whose turn it is now.
export function turned(game) {
  const { view } = game.seen;
  const acts = { turn: " It is your turn.", react: " You may react." }[turnOf(view, game.player)] ?? "";
  return `Now ${view.side} ${view.phase}${view.turn ? `, turn ${view.turn}` : ""}.${acts}`;
}

// Entries of the log in words; of what a unit did step by step, where it came to.
export function moves(entries, board) {
  const runs = []; // of each unit that acted, one after another
  for (const one of entries.filter(({ entry, moves }) => (entry ? !entry.startsWith("phase ") : moves.length))) { // a hidden step is not even mentioned
    const who = one.entry?.split(" ")[1];
    const last = runs.at(-1);
    const [was, is] = [last?.seen, one.moves].map((all) => (all?.length === 1 ? all[0] : null));
    if (who && who === last?.who) last.steps.push(one.entry);
    else if (was && is && !was.unit && was.side === is.side && was.to === is.from) last.seen = [{ ...is, from: was.from }];
    else runs.push({ who, steps: [one.entry], seen: one.moves });
  }
  return runs.map(({ who, steps, seen }) => {
    if (!who) return entrySaid({ entry: null, moves: seen });
    const last = steps.findLast((one) => course(one, board).length);
    if (steps.length === 1 || !last) return spoken(steps.at(-1));
    return last.startsWith("impulse ") ? spoken(last) : `${who} to ${course(last, board).at(-1)}`;
  });
}

// What was played last, as far as it is known here, in words.
export const lately = ({ seen: { info }, board }) => moves(info.log.slice(info.back, info.step), board).join("; ") || (info.log[info.back] && entrySaid(info.log[info.back])) || "what was played last";

// What was played between two readings of a game, in words; empty if nothing was.
function news(before, after, board, wish) {
  if (before.branch !== after.branch) return "";
  if (after.step < before.step) return wish === before.step ? "The other side agreed: what was played last is taken back." : "The other player took something back.";
  const played = moves(after.log.slice(before.step, after.step), board);
  return played.length ? `Played: ${played.slice(0, 3).join("; ")}${played.length > 3 ? ` and ${played.length - 3} more` : ""}.` : "";
}
