// What is proposed: actions judged together, drawn and explained before they are played.

import { ask } from "./api.js";
import { choose } from "./choosing.js";
import { isOfLine } from "./lines.js";
import { play } from "./playing.js";
import { besideOf } from "./drawn.js";
import { before, drawWay, foremost, goals, leads, point, tellWay, through, way } from "./ways.js";
import { $, amount, broken, course, done, entryOf, goesRound, hazards, inBypass, isLegal, places, points, remaining, said, settles, stopsOf, toFirstRoll, vertexOf } from "./words.js";

const TRIED = 4; // other last steps to a hex that are tried
const DECLARED = 4; // what can be declared before a move that is tried

// Whether no other hex was aimed at since, by a click that the player gives up thereby.
export function latest(game) {
  const mine = (game.seen.aiming = {});
  return () => game.seen.aiming === mine;
}

// What was asked of a hex is not answered: the page asks no more.
function lost(game, error) {
  if (game.seen.proposal?.verdict === undefined && !game.seen.proposal?.choices) game.seen.proposal = null;
  game.show();
  game.failed(error);
}

// The player aims somewhere: until it is known what leads there the page says that it asks.
export function asking(game, title) {
  game.seen.proposal = { title, actions: [] };
  openUnit(game);
  return latest(game);
}

// The hexes next to a unit that goes step by step, as in a rout or an advance: no way leads it farther.
function steps(game) {
  const { board, unitOptions: { at, reach } } = game;
  return !reach || Object.keys(reach.locations).some((name) => board.cell(name) !== board.cell(at)) ? [] : nextHexes(game);
}

// The hexes that a unit can step into.
function nextHexes({ board, unitOptions: { actions, at } }) {
  const home = board.cell(at);
  const cells = actions.filter((one) => one.cost !== undefined).flatMap((one) => places(one.action, board)).map((name) => board.cell(name));
  return [...new Set(cells)].filter((cell) => cell !== home).map((cell) => cell.at);
}

const oneAtATime = (unit, next) => `${unit} goes one hex at a time: choose ${next.slice(0, -1).join(", ")}${next.length > 1 ? " or " : ""}${next.at(-1)}.`;

// None of its steps leads to the hex: what is not modelled of it, or which hexes it can step into.
async function notNext(game, at, next) {
  const { unit, unsupported } = game.unitOptions;
  const names = game.board.cell(at).all;
  const odd = unsupported.find((one) => places(one.action, game.board).some((name) => names.includes(name)));
  if (odd) return await propose(game, [odd.action]);
  const words = oneAtATime(unit, next);
  game.seen.proposal = { title: `No step leads to ${at}`, words, unreached: true, violations: [], unsupported: [] };
  game.board.way([]);
  game.say(words, true);
  openUnit(game);
}

const led = async (game, line, stops) => (await import("./impulses.js")).lineThrough(game, line, stops);

// A hex was clicked while a unit is chosen: what of it leads there?
export async function aim(game, at, unit = game.seen.chosen) {
  if (unit !== game.seen.chosen) await choose(game, unit);
  game.seen.elsewhere = null;
  const unitOptions = game.unitOptions;
  if (!unitOptions || !game.isLast) return game.seen.failure && game.say(game.seen.failure, true);
  const names = game.board.cell(at).all;
  const hand = game.seen.hands.find((one) => one.actions.some((action) => places(action, game.board).some((name) => names.includes(name))));
  if (hand) return await aim(game, at, hand.unit);
  const isLatest = asking(game, `${unit} to ${at}`);
  const { length: isStack } = game.seen.stack; // others go along: only a way leads all of them
  const direct = isStack ? [] : unitOptions.actions.filter((one) => one.closes !== false && places(one.action, game.board).some((name) => names.includes(name)));
  const line = unitOptions.actions.find(isOfLine);
  try {
    if (line) return await led(game, line, [at]);
    const next = direct.length || isStack ? [] : steps(game);
    if (next.length) return await notNext(game, at, next);
    const found = unitOptions.reach ? await way(game, goals(game, at)[0]) : {};
    if (!isLatest()) return;
    const ways = found.path?.length ? [{ action: `go to ${found.to}`, words: `Go to ${found.to}${inBypass(found.path.at(-1).action)}`, actions: found.path.map((one) => one.action), cost: found.path.at(-1).spent - before(found), points: found.points }] : [];
    const moves = ways.length ? ways[0].actions.filter((one) => !settles(one)) : [];
    const same = moves.length === 1 && direct.some((one) => one.action === moves[0]);
    const others = same ? direct.filter((one) => one.action.startsWith(`${moves[0]} `)) : []; // the same with more words
    const choices = same ? direct.filter((one) => !others.includes(one)) : [...ways, ...direct];
    if (choices.length > 1) {
      if (found.path) drawWay(game, found);
      game.seen.proposal = { title: `${unit} to ${at}: how?`, choices };
      openUnit(game);
    } else if (choices.length === 1) {
      const actions = choices[0].actions ?? [choices[0].action];
      const cannotEnd = !isStack && actions.length > 1 && !settles(actions.at(-1)) && (await undone(game, actions));
      const better = cannotEnd && (await ended(game, actions, names));
      const first = cannotEnd && !better ? await hastened(game, at, names) : null;
      const into = !isStack && actions.length > 1 && !better && isHeld(game, at) ? await lastSteps(game, actions, names) : []; // an enemy is there: to overrun it is another thing
      if (!isLatest()) return;
      if (first) others.push({ ...first, ends: true, words: `${said(first.action, unit)} first: the move can end there`, choose: () => propose(game, first.actions) });
      for (const { action } of into) others.push({ action, words: `At the end: ${said(action, unit)}`, choose: () => propose(game, [...actions.slice(0, -1), action], { named: `${unit} to ${at}, ${said(action, unit)}` }) });
      await propose(game, better || actions, { others: better ? [{ ...choices[0], words: `Cheapest way, ${points(choices[0].cost, choices[0].points)}: the move cannot end there`, choose: () => propose(game, actions) }] : others });
    }
    else {
      const over = !isStack && isHeld(game, at) ? await beyond(game, at, names) : null;
      if (!isLatest()) return;
      if (over) await propose(game, over);
      else if (found.barred && leads(game, found)) await refuse(game, found);
      else unreached(game, at, found);
    }
  } catch (error) {
    lost(game, error);
  }
}

/**
 * A way was drawn through hexes, by dragging a counter or hex by hex: propose it, beside the cheapest.
 * @param {any} game @param {string[]} stops
 */
export async function aimThrough(game, stops) {
  const at = stops.at(-1);
  const line = game.unitOptions?.actions.find(isOfLine);
  if (!line && (game.seen.stack.length || stops.length < 2 || !game.unitOptions?.reach)) return aim(game, at);
  const isLatest = asking(game, `${game.seen.chosen} to ${at}`);
  try {
    if (line) return await led(game, line, stops);
    const best = await way(game, goals(game, at)[0]);
    if (!isLatest()) return;
    const home = game.board.cell(game.unitOptions.at);
    const hexes = [...new Set((best.path ?? []).map((one) => game.board.cell(one.at)))].filter((cell) => cell !== home).map((cell) => cell.at);
    if (hexes.join() === stops.join()) return await aim(game, at);
    const drawn = await through(game, stops);
    if (!isLatest()) return;
    if (drawn.failed) return drawn.failed.barred ? await propose(game, [...drawn.actions, ...drawn.failed.barred.before, drawn.failed.barred.action]) : unreached(game, at, drawn.failed);
    if (!best.path?.length) return await propose(game, drawn.actions);
    const { unit } = game.unitOptions;
    game.seen.proposal = { title: `${unit} to ${at}: by which way?`, choices: [
      { action: `along ${stops.join(",")}`, actions: drawn.actions, cost: drawn.cost, points: drawn.points },
      { action: `cheapest way ${hexes.join(",")}`, actions: best.path.map((one) => one.action), cost: best.path.reduce((sum, one) => sum + one.cost, 0), points: best.points },
    ] };
    point(game, drawn.actions);
    openUnit(game);
  } catch (error) {
    lost(game, error);
  }
}

// The last Location that actions name: a roll at their end names none.
const end = (game, actions) => actions.flatMap((one) => places(one, game.board)).at(-1);

// Play what is proposed, up to its first roll; once that is settled the rest of the way is proposed, after a reload, too.
export async function commit(game, anyway = false) {
  const { chosen, info, proposal: { actions, goal } } = game.seen;
  const first = toFirstRoll(actions);
  const at = first.length < actions.length || goal ? goal ?? end(game, actions) : null;
  if (at) sessionStorage.setItem(`onward ${game.id}`, JSON.stringify({ unit: chosen, at, branch: game.branch, step: info.step, first }));
  else sessionStorage.removeItem(`onward ${game.id}`);
  if ((await play(game, first, anyway)) === true) await goOn(game);
}

/**
 * Propose the rest of the way that was played up to a roll, once nothing is due: unless something else was played since.
 * @param {any} game
 */
export async function goOn(game) {
  const { seen } = game;
  const name = `onward ${game.id}`;
  const way = JSON.parse(sessionStorage.getItem(name));
  if (!way || seen.pending.length || seen.texting || seen.proposal || !game.isLast) return;
  sessionStorage.removeItem(name);
  const played = seen.info.log.slice(way.step, seen.info.step).filter((one) => one.own);
  const isSame = way.branch === game.branch && played.length >= way.first.length && played.every(({ entry }, step) => (step < way.first.length ? entry === way.first[step] : settles(entry)));
  if (!isSame || (seen.chosen ?? way.unit) !== way.unit || !game.mayAct(way.unit)) return;
  if (!seen.chosen) await choose(game, way.unit);
  const rest = game.board.cell(way.at);
  if (rest && game.unitOptions && rest !== game.board.cell(game.unitOptions.at)) await aim(game, rest.at);
}

// Show what is proposed; who came by the keyboard goes on there.
export function openUnit(game) {
  if (game.seen.texting) return; // it is said
  const round = game.seen.proposal?.choices?.map((one) => ({ at: stopsOf((one.actions ?? [one.action]).at(-1), game.board)[0]?.at, vertex: vertexOf((one.actions ?? [one.action]).at(-1)) })).filter((one) => one.vertex) ?? [];
  if (round.length) game.board.mark(round.map((one) => ({ ...one, text: one.vertex, kind: "goal" })));
  game.seen.tab = "unit";
  const isInPanel = document.activeElement?.closest("#panel");
  game.show();
  $("#proposal")?.scrollIntoView({ block: "nearest" });
  if (isInPanel || (game.seen.proposal?.choices && $("#board :focus-visible"))) $("#do-it, #proposal > .actions .act, #what-if, #not-now")?.focus({ preventScroll: true });
}

// What bars the way there: the step that fails is judged, after the way on which it has the fewest faults.
export const refuse = (game, { barred }) => propose(game, [...barred.before, barred.action]);

// No step leads to the hex: its name, and the first clause that forbids the way, or any way.
export function unreached(game, at, found) {
  const bar = game.unitOptions.barred.find((one) => one.closest && places(one.closest, game.board).length);
  const { blocker, idle } = game.seen;
  const first = blocker ?? (found.barred && foremost(game, found.barred.violations)) ?? (found.unsupported?.length ? idle : bar && { reason: bar.note, clause: bar.clauses[0], units: bar.of });
  const violations = first ? [first] : [];
  const next = found.unsupported?.length ? nextHexes(game) : [];
  game.seen.proposal = { title: `${found.to ?? at} cannot be reached`, words: next.length ? oneAtATime(game.seen.chosen, next) : found.barred?.before.length ? `After ${said(found.barred.before.at(-1), game.seen.chosen)}:` : "", unreached: true, violations, unsupported: found.unsupported ?? [] };
  tellWay(game, { to: at, ...found }, game.board.cell(at).said);
  openUnit(game);
}

// What is proposed, by name: the unit is named only where something happens to it.
const titled = (action, unit) => (unit ? done(action, unit).replace(`${unit}: `, "") : said(action));

/**
 * Have actions judged, and offer to play them.
 * @param {any} game @param {string[]} actions
 * @param {{ named?: string, others?: any[], goal?: string, offered?: any, company?: any }} [more] what it is called; other actions that lead there; where the way goes on to; the action as it was offered, and as it was before others joined it
 */
export async function propose(game, actions, { named = "", others = [], goal, offered, company: begun } = {}) {
  game.seen.failure = null;
  const title = named || (actions.length === 1 ? titled(actions[0], game.seen.chosen) : `${[game.seen.chosen, ...game.seen.stack].join(", ")} to ${end(game, actions) ?? "there"}${inBypass(actions.at(-1))}`);
  game.seen.proposal = { actions, title, others, goal, offered, company: begun };
  const mine = game.seen.proposal;
  openUnit(game);
  try {
    const verdict = await game.ask("check", { log: actions });
    if (game.seen.proposal !== mine) return;
    mine.verdict = verdict;
    drawProposal(game, verdict);
    const isFine = isLegal(verdict);
    const into = hazards([...actions, ...verdict.obligations.map(() => "settle ")], game.board);
    if (isFine && into) mine.title = `${title}, into ${into}`;
    game.say(isFine ? `${mine.title}: legal` : `${title}: ${broken(verdict.violations[0] ?? verdict.unsupported[0], game.seen.chosen)}`, !isFine);
    openUnit(game);
    if (isFine) await weigh(game, mine, verdict);
  } catch (error) {
    if (game.seen.proposal === mine) game.seen.failure = error.message;
    game.show();
    game.failed(error);
  }
}

// `asides`: where the chosen unit stands off its hex's centre, after each step.
function drawProposal(game, verdict, asides = []) {
  let spent = 0;
  const stops = game.unitOptions ? [{ at: game.unitOptions.at }] : [];
  const first = stops[0];
  verdict.log.forEach((line, step) => { // what is paid in a hex counts there: to come to it, to turn and to stop
    for (const one of verdict.receipts) if (one.step === step && one.unit === game.seen.chosen) spent += one.amount;
    stops.push(...stopsOf(line, game.board, asides[step]));
    const last = stops.at(-1);
    if (last && last !== first) last.text = spent ? amount(spent) : "";
  });
  const faults = [...verdict.violations, ...verdict.unsupported];
  game.board.way(stops.length > 1 ? stops : [], faults.length ? "barred" : "way");
  game.board.mark(faults.filter((one) => one.hexes.length).map((one) => ({ at: one.hexes.at(-1), text: one.clause })));
}

// What the chosen unit must still do after a move before the phase ends; nothing if a roll is due first.
async function undone(game, actions) {
  const { violations, stopped } = await game.ask("check", { log: [...actions, entryOf(game.seen.view.next, "")] }, { quiet: true });
  return stopped === null ? violations.find((one) => one.step === actions.length && one.units.includes(game.seen.chosen)) : undefined;
}

// Other last steps of a move that lead to the same hex; none where a roll comes first.
async function lastSteps(game, actions, names) {
  const verdict = await game.ask("check", { log: actions.slice(0, -1), then: true });
  if (!isLegal(verdict) || verdict.obligations.length) return [];
  return (await legal(game, verdict.scene)).filter((one) => one.action !== actions.at(-1) && names.includes(places(one.action, game.board)[0]));
}

// A move whose last step leads to the same hex in a plain way, if it can end there and the cheapest cannot.
async function ended(game, actions, names) {
  const before = actions.slice(0, -1);
  const ways = (await lastSteps(game, actions, names)).filter((one) => one.action.split(" ").length === 3);
  for (const { action } of ways.slice(0, TRIED)) if (!(await undone(game, [...before, action]))) return [...before, action];
  return null;
}

// Whether units of another side stand in a hex.
const isHeld = (game, at) => game.seen.view.units.some((one) => one.at && game.board.cell(one.at) === game.board.cell(at) && one.side !== game.unit(game.seen.chosen).side);

// The cheapest way to a hex whose last step no search takes: next to it, and into it, as where a concealed enemy stands.
async function beyond(game, at, names) {
  const { board, unitOptions: { reach } } = game;
  const to = board.cell(at);
  const near = Object.entries(reach?.locations ?? {}).filter(([name]) => board.colours.steps.some(([u, v]) => board.cell(name).u + u === to.u && board.cell(name).v + v === to.v));
  for (const [name] of near.sort(([, a], [, b]) => b - a).slice(0, TRIED)) {
    const { path } = await way(game, name);
    const log = (path ?? []).map((one) => one.action);
    const verdict = await game.ask("check", { log, then: true });
    if (!log.length || !isLegal(verdict) || verdict.obligations.length) continue;
    const [step] = (await legal(game, verdict.scene)).filter((one) => names.includes(places(one.action, board)[0]));
    if (step) return [...log, step.action];
  }
  return null;
}

// The whole actions of the chosen unit in a scene.
const legal = async (game, scene) => ((await ask(game.eyed("/api/legal_actions"), { scene, unit: game.seen.chosen }, { signal: game.seen.until() })).actions ?? []).filter((one) => one.closes);

// Ways to a hex after something that is declared first, as Double Time or to button up: with what is declared.
async function* declaredFirst(game, at) {
  const declared = game.unitOptions.actions.filter((one) => one.closes !== false && !one.cost && !one.rolls && one.verb !== "end" && !places(one.action, game.board).length);
  for (const { action } of declared.slice(0, DECLARED)) {
    const { scene, status } = await game.ask("check", { log: [action], then: true });
    if (!isLegal({ status })) continue;
    const found = await ask(game.eyed("/api/reach"), { scene, unit: game.seen.chosen, to: goals(game, at)[0] }, { signal: game.seen.until() });
    if (found.path?.length) yield { action, actions: [action, ...found.path.map((one) => one.action)] };
  }
}

// What a unit that reaches no hex can declare so that it does; empty if none of what is tried helps.
export async function unlocking(game, at) {
  for await (const { action } of declaredFirst(game, at)) return action;
  return "";
}

// A move that can end in a hex after something that is declared first; null if none of what is tried leads there so.
async function hastened(game, at, names) {
  for await (const { action, actions } of declaredFirst(game, at)) {
    const whole = (await undone(game, actions)) ? await ended(game, actions, names) : actions;
    if (whole) return { action, actions: whole };
  }
  return null;
}

// Results of a legal proposal that its verdict does not list. They are added last, so nothing else moves under the pointer.
async function weigh(game, proposal, verdict) {
  const { actions } = proposal;
  const isImpulse = game.unitOptions?.actions.some((one) => isOfLine(one) && actions[0].startsWith(one.action.slice(0, -1)));
  const isOne = actions.length === 1 && !isImpulse;
  const { chosen } = game.seen;
  const { verbs: still, given, asides, ended, stuck } = await game.post(`/games/${game.id}/still`, { log: actions, unit: chosen, alone: isOne }, { step: game.wanted });
  if (game.seen.proposal !== proposal) return;
  const left = new Map(); // whose move it ends, by what they have left
  for (const one of ended) left.set(remaining(one.left, one.points), [...(left.get(remaining(one.left, one.points)) ?? []), one.unit]);
  const notes = [...left].map(([rest, who]) => (who.length > 1 ? `It ends the move of ${who.join(", ")}, too: each has ${rest}.` : `${who[0]} then can move no more: it has ${rest}.`));
  proposal.cuts = ended.map((one) => one.unit).filter((unit) => game.unit(unit).side !== game.unit(chosen).side).join(", ");
  for (const [who, words] of Object.entries(stuck)) notes.push(`${who} then ${words.join(", ")}.`);
  const isSpent = still?.every((verb) => verb === "end");
  const isOut = verdict.slack.some((one) => one.unit === chosen && one.left <= 0);
  const must = (isOne && !isSpent && !isOut) || verdict.obligations.length ? null : await undone(game, actions);
  if (game.seen.proposal !== proposal) return;
  proposal.isStuck = Boolean(must) && (isSpent ?? isOut);
  if (must) notes.push(`Before the phase ends, ${must.units.join(", ")}: ${broken(must)}.${proposal.isStuck ? " It could not do that: go another way." : ""}`);
  const last = actions.at(-1);
  if (asides.some((one) => one !== null)) drawProposal(game, verdict, asides);
  if (goesRound(last) && asides.at(-1) !== null && !vertexOf(last)) notes.unshift(`${chosen} ends in Bypass, ${besideOf(asides.at(-1))} of ${course(last, game.board).at(-1)}.`);
  const gone = isOne && still ? [...new Set((game.unitOptions?.actions ?? []).map((one) => one.verb))].filter((verb) => !still.includes(verb) && !actions[0].startsWith(`${verb} `)).map((verb) => said(verb).toLowerCase()) : [];
  const then = given ? `With the result ${given}` : "Afterwards";
  if (gone.length) notes.push(still.every((verb) => verb === "end") ? `${then} it can do nothing more in this phase.` : `${then} it can no longer: ${gone.join(", ")}.`);
  if (!notes.length) return;
  proposal.forgoes = notes.join(" ");
  if (proposal.isStuck || proposal.cuts) return openUnit(game);
  const line = $("#proposal .forgoes");
  if (line) Object.assign(line, { textContent: proposal.forgoes, hidden: false });
}

const whose = (action) => action.split(" ")[1].split(","); // who act together

// Who could still be named in an action beside those who are; `proposal.company` is the action as it was begun.
export const company = (proposal, { action, joins = [] }) => (proposal.company?.joins ?? joins).filter((name) => !whose(action).includes(name));

/**
 * Offer each unit that can act together with those of an action: in any order, whatever was chosen first.
 * @param {any} game @param {string} action @param {any} begun the action with whom it began, and all that could join it then
 */
export async function joining(game, action, begun) {
  try {
    const found = await game.ask("legal_actions", { opened: action, unit: game.unitOptions.unit });
    const listed = found.actions.filter((one) => one.closes).map((one) => ({ action: one.action, cost: one.costs[0]?.amount, points: one.costs[0]?.points, choose: () => propose(game, [one.action], { offered: one, company: begun }) }));
    const named = new Set(listed.flatMap((one) => whose(one.action)));
    const [verb, , ...rest] = action.split(" ");
    const earlier = whose(action).length > 1 ? company({ company: begun }, { action }).filter((name) => !named.has(name)) : []; // the service lists only those after the last
    const others = earlier.map((name) => {
      const who = [...whose(begun.action), ...begun.joins.filter((one) => one === name || whose(action).includes(one))];
      const all = [verb, [...new Set(who)].join(","), ...rest].join(" ");
      return { action: all, choose: () => propose(game, [all], { offered: { action: all }, company: begun }) };
    });
    const choices = [...listed, ...others];
    if (!choices.length) return game.say("No other unit can join.", true);
    if (choices.length === 1) return await choices[0].choose();
    game.seen.proposal = { title: "Together with whom?", choices };
    openUnit(game);
  } catch (error) {
    game.failed(error);
  }
}

export function drop(game) {
  game.seen.proposal = game.seen.aiming = null;
  game.board.way([]);
  game.overlay();
  game.show();
  game.say("");
}
