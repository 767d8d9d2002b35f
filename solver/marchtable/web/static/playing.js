// Playing, rolling, taking back; steps of the log and branches.

import { ask } from "./api.js";
import { lately } from "./follow.js";
import { $, broken, isLegal, places, possible, settles, spoken, toFirstRoll } from "./words.js";

const HIDDEN = "Something that your side does not see forbids it. Do something else, or ask the referee, who sees it.";
export const asked = (game) => `The other side is asked to take back: ${lately(game)}.`;
const STOPPED = "The move stops here: something that your side did not see forbids the rest.";

// What lies in the hexes, in words.
const lain = ({ board }) => [...new Set(board.cells.values())].filter((one) => one.lying).map((one) => `${one.lying} in ${one.at}`);

/**
 * Play entries; whether they were played is returned, and why they were not is said.
 * @returns {Promise<boolean | "stopped">} stopped: by something that this side did not see
 */
export async function play(game, entries, anyway = false) {
  const { step } = game.seen.info;
  try {
    const found = await game.change("log", { log: entries, anyway });
    if (!found.kept) {
      const [first] = found.verdicts.flatMap((one) => [...one.violations, ...one.unsupported]);
      game.say(first ? broken(first) : found.refused ? HIDDEN : "That action is not legal in the current position.", true);
      return false;
    }
    game.board.way([]);
    const before = lain(game);
    await game.look();
    const hasMet = found.log.slice(step).some((one) => !one.own); // it revealed something
    const met = found.refused || hasMet ? lain(game).filter((one) => !before.includes(one)) : [];
    if (met.length) game.say(`${found.refused ? "The move stops here. " : ""}Your side did not see ${met.join(", ")}.`, true);
    else if (found.refused) game.say(STOPPED, true);
    else if (settles(entries.at(-1)) || !$("#said").textContent) game.say(`Played: ${entries.map(spoken).join("; ")}. ${$("#said").textContent}`.trim());
    const at = game.seen.chosen && game.unit(game.seen.chosen)?.at; // the screen may be handed over by now
    if (at) game.board.show([at]);
    if (game.seen.pending.length && !game.seen.texting && !game.rolls) await roll(game);
    return found.refused ? "stopped" : true;
  } catch (error) {
    game.failed(error);
    return false;
  }
}

// Play a log as far as its first roll, if it is legal as the game stands.
export async function tryLog(game, lines) {
  const log = toFirstRoll(lines);
  try {
    const verdict = await game.ask("check", { log });
    if (isLegal(verdict)) return await play(game, log);
    game.say(broken(verdict.violations[0] ?? verdict.unsupported[0]), true);
  } catch (error) {
    game.failed(error);
  }
}

// Play an outcome of what is due; dice that were thrown for it are kept until then.
export async function settle(game, due, outcome) {
  const { kept } = await import("./rolls.js");
  const thrown = kept(game, due);
  kept(game, due, null);
  const isPlayed = await play(game, [`settle ${due.id} ${outcome}`]);
  if (!isPlayed && thrown) kept(game, due, thrown);
}

// Ask for what is due, then propose the rest of the way on which it came.
export async function roll(game) {
  const [due] = game.seen.pending;
  if (!due || !game.isLast) return;
  if (game.rolls) return game.say(`${game.rolls} decides this for ${due.unit}.`);
  sessionStorage.setItem(`due ${game.id}`, due.id);
  const [only, ...others] = possible(due);
  if (only?.of && !others.length && !game.seen.view.unsettled[due.id]) await play(game, [`settle ${due.id} ${only.outcome}`]); // nothing is left to chance
  else {
    const { askRoll, kept } = await import("./rolls.js");
    await game.titles.ready;
    const outcome = await askRoll(due, game.titles, game.seen.view, (found) => kept(game, due, found));
    if (outcome === null) return;
    await settle(game, due, outcome);
  }
  const { goOn } = await import("./proposals.js");
  await goOn(game);
}

// Whether this page asks again for what is due, after a reload: where its player decides it, or it asked before.
export const asksAgain = (game) => game.seen.pending.length && !game.rolls && (game.player || sessionStorage.getItem(`due ${game.id}`) === game.seen.pending[0].id);

// Do not agree to take back, or ask no more for it: everybody hears of it.
export async function refuse(game) {
  await game.post(`/api/games/${game.id}/refuse`, {}).catch((error) => game.failed(error));
}

// `agrees`: to take back what another asked for, whatever step is looked at.
export async function shift(game, by, agrees = false) {
  const { step } = game.seen.info;
  if (!agrees && ($(`#${by}`).disabled || $(`#${by}`).hidden)) return;
  if (agrees) game.wanted = game.seen.playing = null;
  try {
    game.seen.wish = step; // before the answer: the other side can agree as fast
    await game.change(by);
    if (game.seen.info.step === step) return void (game.seen.wish === null || game.say(asked(game)));
    game.seen.wish = null;
    game.board.way([]);
    await game.look();
    game.say(by === "undo" ? "Taken back." : "Played again.");
  } catch (error) {
    game.seen.wish = null;
    game.failed(error);
  }
}

// `playing` is the replay that steps on by itself; whatever else leads to a step ends it.
export async function go(game, step, { address = "pushState", playing = null } = {}) {
  game.seen.playing = playing;
  game.wanted = step === null || step === game.seen.info.step ? null : step;
  if (address) history[address](null, "", game.path(location.pathname, { step: game.wanted }, ""));
  game.board.way([]);
  try {
    await game.look();
    if (game.wanted) game.board.show(places(game.seen.info.log[game.wanted - 1].entry ?? "", game.board));
  } catch (error) {
    game.failed(error);
  }
}

export async function toBranch(game, name) {
  game.branch = name;
  game.wanted = null;
  history.pushState(null, "", game.path(location.pathname, {}, ""));
  try {
    await game.load();
  } catch (error) {
    game.failed(error);
  }
}

// Go on from the step shown, in a branch of its own: game one stays as it is.
export async function fork(game) {
  const { info } = game.seen;
  let number = info.branches.length + 1;
  while (info.branches.includes(`branch-${number}`)) number += 1;
  const name = `branch-${number}`;
  try {
    await ask(game.eyed(`/api/games/${game.id}/branches`), { name, step: game.step, of: game.branch });
    await toBranch(game, name);
    game.say(`You play on in ${name}. The game itself has not changed.`);
  } catch (error) {
    game.failed(error);
  }
}
