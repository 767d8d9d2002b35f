// The text commands. They choose, propose and play as the map does; what comes of it is put in sentences.

import { choose } from "./choosing.js";
import { openLine } from "./impulses.js";
import { isOfLine } from "./lines.js";
import { ending, farther, nextSide } from "./phases.js";
import { planSaid } from "./planview.js";
import { asked, go, refuse, settle, shift } from "./playing.js";
import { aim, aimThrough, commit, drop, joining, propose } from "./proposals.js";
import { kept, thrown } from "./rolls.js";
import { barredSaid, crowd, dueSaid, fault, hexSaid, judged, list, nearest } from "./sentences.js";
import { sightSaid } from "./sight.js";
import { fits } from "./unitlist.js";
import { $, STATE_SIGHT, byReason, nothingListed, capital, entryOf, isLegal, owed, points, entrySaid, said, spoken, toFirstRoll, turnOf } from "./words.js";

const LAST = 12; // entries of the log that are listed
const LIKELY = 3; // actions that are named in place of one that is not understood
const ACTORS = 4; // units that are tried as the one that acts

/** What each command does, and its own line of help. @type {Record<string, [string, (game: any, words: string[]) => Promise<string[]> | string[]]>} */
const COMMANDS = {
  help: ["help: this list. help COMMAND: one line of it. help ACTION: how an action is written, as in help load.", help],
  who: ["who: your units by hex. who here, who HEX, who off (the map), who all, or who and any word.", who],
  what: ["what UNIT: what it can do, by number, with costs; and what it cannot do, with clauses.", what],
  move: ["move UNIT HEX: the cheapest way there. move UNIT HEX HEX …: through these hexes. move UNIT,UNIT HEX: together.", move],
  why: ["why UNIT HEX: what forbids or costs the way. why ACTION UNIT, why UNIT: what forbids an action, or any. why CLAUSE: its title.", why],
  look: ["look HEX: its terrain, hexsides and units.", look],
  happened: ["happened UNIT: what can happen to it, by fire or otherwise, by number.", happened],
  sees: ["sees UNIT HEX: whether the unit sees it.", sees],
  plan: ["plan UNIT HEX: search for the best plan. plan UNIT HEX UNIT HEX …: for several.", plan],
  stop: ["stop: end the search for a plan; the best so far is the answer.", stop],
  yes: ["yes: play the proposal.", yes],
  no: ["no: drop the proposal.", no],
  anyway: ["anyway: play the proposal as a what-if, although it is not legal.", (game) => done(game, true)],
  roll: ["roll: make the roll that is due. roll RESULT: enter what you rolled, or choose.", roll],
  undo: ["undo: take back the last move.", (game) => back(game, "undo")],
  refuse: ["refuse (or decline): decline to take back the last move, or withdraw your own request.", refused],
  redo: ["redo: repeat what was taken back.", (game) => back(game, "redo")],
  end: ["end: end the phase. end PHASE SIDE: go on with another.", end],
  turn: ["turn: whose turn it is, and what is due.", news],
  log: ["log: the last entries of the log.", log],
  step: ["step NUMBER: look at a step of the log.", step],
  now: ["now: back to the game as it stands.", (game) => step(game, [String(game.seen.info.step)])],
};
const OTHERS = { go: "move", decline: "refuse", pass: "end", can: "what", "?": "help", y: "yes", n: "no", do: "yes", see: "sees", los: "sees", find: "who", list: "who", units: "who", options: "what", reach: "what", status: "turn" };
const OF_UNITS = new Set(["what", "happened", "move", "why", "sees", "plan", "who", "look"]); // others before a unit are actions: turn truck E
const FILLERS = new Set(["is", "are", "can", "do", "does", "to", "in", "at", "the", "it", "through"]);
const ASIDE = new Set(["from", "off", "onto", "into", "with", "aboard", "and", "the", "to", "of", "out", "in", "at", "by"]); // of an action, which is understood without them
const MORE = "Every other action is written as in the log: load sq truck, start truck, bypass sq D3 vertex=E. Add ! to play without being asked.";

/**
 * Carry out a command.
 * @param {any} game @param {string} text
 * @returns {Promise<string[]>} sentences
 */
export async function carryOut(game, text) {
  const { seen } = game;
  const faults = (seen.texting = []); // what goes wrong meanwhile, said elsewhere otherwise
  const isSure = text.endsWith("!");
  try {
    await game.titles.ready;
    const found = await answered(game, text.replace(/!$/, "").trim().split(/\s+/));
    if (isSure && isLegal(seen.proposal?.verdict)) return await done(game, false);
    const lines = found.filter(Boolean).map((one) => one.replaceAll(`choose “${STATE_SIGHT}”`, "type happened and its name").replaceAll(`“${STATE_SIGHT}”`, "happened and its name"));
    return lines.length ? lines : faults.length ? faults : ["Nothing has changed."];
  } catch (error) {
    return [error.name === "AbortError" ? "This was stopped." : error.message];
  } finally {
    if (seen.texting === faults) seen.texting = null;
  }
}

async function answered(game, typed) {
  const [first, ...rest] = typed;
  const lower = first.toLowerCase();
  if (/^\d+$/.test(first)) return pick(game, Number(first), rest);
  const name = Object.hasOwn(COMMANDS, lower) ? lower : OTHERS[lower];
  const words = rest.map((word) => known(game, word) ?? word);
  if (name && (OF_UNITS.has(name) || !unitOf(game, words[0]))) return COMMANDS[name][1](game, words.filter((word) => unitOf(game, word) || !FILLERS.has(word.toLowerCase())));
  const unit = unitOf(game, first);
  if (unit && !words.length) return what(game, [unit]);
  const places = words.filter((word) => !FILLERS.has(word.toLowerCase())); // truck to D3
  if (unit && game.board.cell(places[0])) return move(game, [unit, ...places]);
  if (unit) return act(game, [words[0], unit, ...words.slice(1)]);
  if (words.length || verbs(game).includes(lower)) return act(game, [lower, ...words]);
  if (game.board.cell(known(game, first))) return look(game, [known(game, first)]);
  const like = nearest(lower, [...Object.keys(COMMANDS), ...verbs(game)]);
  return [`There is no command ${first}.${like ? ` Did you mean ${like}?` : ""} Type help for a list.`];
}

// A unit, a hex or a side as the game writes it, whatever its capitals; null if there is none.
function known(game, word) {
  const { board, seen } = game;
  if (board.cell(word)) return word;
  const names = [...seen.view.units.map((one) => one.unit), ...board.cells.keys(), ...seen.view.players, ...seen.view.phases];
  return names.find((name) => name.toLowerCase() === word.toLowerCase()) ?? null;
}

const unitOf = (game, word) => game.unit(known(game, word ?? ""))?.unit;

// Names of actions, of the units that were asked about.
const verbs = (game) => [...new Set([...(game.unitOptions?.actions ?? []), ...(game.unitOptions?.barred ?? [])].map((one) => one.verb))];

/** What a word may be the beginning of. @param {any} game @param {string} head what stands before it @param {string} word */
export function completions(game, head, word) {
  const starts = (names) => names.filter((name) => name.toLowerCase().startsWith(word.toLowerCase()));
  const units = game.seen.view.units.map((one) => one.unit);
  if (!head) return starts([...new Set([...Object.keys(COMMANDS), ...verbs(game), ...units])]);
  if (head === "end") return starts([...game.seen.view.phases, ...game.seen.view.players]);
  if (head === "roll") return starts(game.seen.pending[0]?.outcomes.map((one) => one.outcome) ?? []);
  const found = starts(units);
  return found.length ? found : starts([...game.board.cells.keys()]);
}

// -- asking

async function help(game, [name]) {
  const one = COMMANDS[OTHERS[name] ?? name];
  if (one) return [one[0]];
  if (name) return await game.get(`/games/${game.id}/verbs/${encodeURIComponent(name.toLowerCase())}`, { unit: game.seen.chosen ?? "", step: game.wanted });
  return [...Object.values(COMMANDS).map(([text]) => text), MORE];
}

// Whose units can act in this phase, if any can.
function canAct(game) {
  const { view } = game.seen;
  return view.able.length ? `Units of ${list(view.able)} can act.` : "No unit can act in this phase. Type end to go on.";
}

// Whose turn it is, whether the player here acts, and what is due.
export function news(game) {
  const { view } = game.seen;
  const { player } = game;
  return [
    `${view.side} ${view.phase}${view.turn ? `, turn ${view.turn}` : ""}${view.headline ? `, ${view.headline}` : ""}.`,
    player ? `You play ${player}${{ turn: ": it is your turn.", react: ": you may react." }[turnOf(view, player)] ?? `. ${game.waits(player)}`}` : canAct(game),
    game.isLast ? "" : `You look at step ${game.step} of ${game.seen.info.log.length}; now leads back to the game.`,
    ...dues(game),
  ].filter(Boolean);
}

// What must be rolled, chosen or paid first.
const dues = ({ seen, titles }) => [...seen.pending.map((one) => dueSaid(one, titles)), ...seen.view.debts.map((one) => `${capital(one.note)}.`)];

function who(game, words) {
  const { board, seen } = game;
  const { units } = seen.view;
  const isMine = (one) => (game.player ? one.side === game.player : seen.view.sides.includes(one.side));
  const [word] = words;
  const hex = word === "here" ? game.unit(seen.chosen)?.at : board.cell(word ?? "") ? word : null;
  if (word === "here" && !hex) return ["Choose a unit first (what UNIT), or name a hex: who HEX."];
  const found = !word ? units.filter((one) => isMine(one) && one.at)
    : hex ? units.filter((one) => one.at && board.cell(one.at) === board.cell(hex))
      : word === "off" ? units.filter((one) => !one.at)
        : word === "all" ? units : units.filter(fits(words.map((one) => one.toLowerCase())));
  const rest = word ? 0 : units.length - found.length;
  return [...(found.length ? crowd(found, board) : [hex ? `Nobody is in ${hex}.` : "No unit fits these words."]), rest ? `Others and off the map: ${rest} (who all).` : ""];
}

async function look(game, [word]) {
  const cell = game.board.cell(word ?? game.unit(game.seen.chosen)?.at ?? "");
  if (!cell) return noHex(game, word);
  const { locations } = await game.get(`/games/${game.id}/hexes/${encodeURIComponent(cell.at)}`, { step: game.wanted });
  return [...locations.map(hexSaid), cell.lying ? `In ${cell.at}: ${cell.lying}.` : "", ...who(game, [cell.at])];
}

async function sees(game, words) {
  const { unit, hexes, wrong } = aimed(game, words);
  if (wrong) return wrong;
  if (!game.seen.view.sees) return ["Sight is not computed in this rulebook."];
  const found = await game.ask("los", { origin: unit, to: hexes[0] });
  return [found.sights?.[0] ? sightSaid(unit, hexes[0], found.sights[0]) : "This was not answered within the limit."];
}

async function happened(game, [word]) {
  const unit = word ? unitOf(game, word) : game.seen.chosen;
  if (!unit) return word ? noUnit(game, word) : ["Name a unit: happened UNIT. The command who lists them."];
  const found = await game.get(`/games/${game.id}/happenings/${encodeURIComponent(unit)}`, { step: game.wanted });
  if (!found.length) return [`No modelled event can happen to ${unit} now.`];
  return number(game, found.map((line) => ({ words: said(line, unit), run: () => propose(game, [line], { named: spoken(line) }) })));
}

async function what(game, [word]) {
  const unit = word ? unitOf(game, word) : game.seen.chosen;
  if (!unit) return word ? noUnit(game, word) : ["Name a unit: what UNIT. The command who lists them."];
  await choose(game, unit);
  game.board.show([game.unit(unit).at]);
  const { blocker, idle, line, options, stays } = game.seen;
  const { unitOptions } = game;
  const here = crowd([game.unit(unit)], game.board);
  if (!unitOptions) return [...here, game.seen.failure];
  if (options.pending.length) return [...here, ...options.pending.map((one) => dueSaid(one, game.titles))];
  const isMove = (one) => one.action.split(" ").slice(2).some((each) => game.board.cell(each));
  const offers = [...unitOptions.actions.filter((one) => !isMove(one)), ...unitOptions.actions.filter(isMove)];
  const joins = [...new Set(offers.filter((one) => one.closes !== false).flatMap((one) => one.joins ?? []))];
  const numbered = number(game, offers.map((one) => ({
    words: `${said(one.action, unit)}${isOfLine(one) ? " …" : one.closes === false ? " with …" : ""}${one.cost === undefined || isOfLine(one) ? "" : `, ${points(one.cost, unitOptions.points)}`}`,
    run: () => (isOfLine(one) ? openLine(game, one.action) : one.closes === false ? joining(game, one.action, one) : propose(game, [one.action])),
    join: one.joins?.length ? () => joining(game, one.action, one) : null,
    with: (others) => propose(game, [one.action.replace(/(?<= )[^ ]+/, (who) => [...new Set([...who.split(","), ...others])].join(","))]),
  })));
  const reach = Object.keys(unitOptions.reach?.locations ?? {}).length - 1;
  return [
    ...here,
    blocker ? `First ${list(blocker.units)} must finish: ${fault(blocker)}` : idle && !line ? fault(idle) : stays ? `It reaches no other hex: ${fault(stays, unit)}` : "",
    ...game.seen.hands.map((one) => `${one.unit} can ${list(one.verbs.map((verb) => said(verb).toLowerCase()))} ${unit}.`),
    line ? `It moves together with ${list(line.costs.map((one) => one.unit).filter((one) => one !== unit))}; ${line.costs[0].unit} leads.` : "",
    ...numbered,
    joins.length ? `Add with to a number to act together with ${list(joins)}, as in 1 with ${joins[0]}.` : "",
    offers.length ? "" : line ? "" : nothingListed(game.seen.options),
    reach > 0 ? `It can reach ${reach} ${reach === 1 ? "Location" : "Locations"}: move ${unit} HEX.` : "",
    offers.length || line ? (unitOptions.barred.length ? `Not possible now: ${unitOptions.barred.length} other actions (why ${unit}).` : "") : barredSaid(unitOptions.barred)[0],
    unitOptions.unsupported.length ? `Not modelled: ${byReason(unitOptions.unsupported).map((one) => `${one.actions.map((action) => said(action, unit)).join(", ")}: ${one.note} (${one.clauses.join(", ")})`).join("; ")}.` : "",
  ];
}

async function why(game, words) {
  const [first, second] = words;
  if (first && !unitOf(game, first) && game.titles.of(first)) return [`${first}: ${game.titles.of(first)}.`];
  const unit = unitOf(game, second);
  if (unit && !unitOf(game, first)) {
    if (words.length > 2) {
      const found = await act(game, words);
      const broken = (game.seen.proposal?.verdict?.violations ?? []).map((one) => one.clause);
      if (!game.seen.proposal?.choices) drop(game);
      return [...found.filter((line) => line && !/^Type (yes|anyway)/.test(line)), ...titles(game, broken)];
    }
    await choose(game, unit);
    const bar = game.unitOptions?.barred.find((one) => one.verb === first.toLowerCase());
    if (bar) return [`${unit} cannot ${said(bar.verb).toLowerCase()}: ${bar.note} (${bar.clauses.join(", ")}).`, ...titles(game, bar.clauses)];
    if (!game.unitOptions) return [game.seen.failure];
    if (game.unitOptions.actions.some((one) => one.verb === first.toLowerCase())) return [`Nothing forbids ${unit} to ${first}: what ${unit} lists how.`];
    if (game.seen.options.unproposed.includes(first.toLowerCase())) return [`${first} is not listed, but judged where you write it whole: ${first} ${unit} ...`];
    return [`${unit} cannot ${first} now. Which clause forbids it is not known: name the whole action, as in the log (why ${first} ${unit} ...).`];
  }
  if (!first) return whyNot(game);
  if (second && unitOf(game, first) && !game.board.cell(known(game, second))) {
    await choose(game, unitOf(game, first));
    if (verbs(game).includes(second.toLowerCase())) return why(game, [second, first, ...words.slice(2)]);
  }
  if (words.length === 1 && unitOf(game, first)) {
    await choose(game, unitOf(game, first));
    if (game.seen.pending.length) return game.seen.pending.map((one) => dueSaid(one, game.titles));
    if (!game.unitOptions) return [game.seen.failure];
    return game.unitOptions.barred.length ? barredSaid(game.unitOptions.barred) : [`Nothing is known that forbids ${words[0]} anything.`];
  }
  const { wrong } = aimed(game, words);
  if (wrong) return wrong;
  const found = await move(game, words);
  const { proposal } = game.seen;
  const broken = [...(proposal?.violations ?? []), ...(proposal?.verdict?.violations ?? [])].map((one) => one.clause);
  if (!proposal?.choices) drop(game);
  return [...found.filter((line) => line && !/^Type (yes|anyway)/.test(line)), ...titles(game, broken)];
}

const titles = (game, clauses) => [...new Set(clauses)].map((id) => `${id}: ${game.titles.of(id) || "no title is known"}.`);

// Without more words: what was refused last, or why there is no plan.
function whyNot(game) {
  const { plans, proposal } = game.seen;
  if (proposal?.verdict) return [...judged(proposal.title, proposal.verdict, game.titles), ...titles(game, proposal.verdict.violations.map((one) => one.clause))];
  if (plans.found && plans.verb === "plan" && !plans.found.log?.length) return search(game, "why");
  return [`${COMMANDS.why[0]}`];
}

// -- proposing and playing

async function move(game, words) {
  const { unit, stack, hexes, wrong } = aimed(game, words);
  if (wrong) return wrong;
  if (unit !== game.seen.chosen || !game.unitOptions || stack.join() !== game.seen.stack.join()) await choose(game, unit, { stack });
  game.seen.proposal = null;
  if (!game.unitOptions) return [game.seen.failure];
  const apart = stack.filter((name) => !game.seen.stack.includes(name));
  if (apart.length) return [`${list(apart)} cannot move with ${unit} now.`];
  if (game.unitOptions.at && hexes.length === 1 && game.board.cell(game.unitOptions.at) === game.board.cell(hexes[0])) return [`${unit} is in ${hexes[0]} already.`];
  const { line } = game.seen;
  if (line) return [`${unit} moves together with others; ${line.costs[0].unit} leads: move ${line.costs[0].unit} ${hexes.join(" ")}.`];
  await (hexes.length > 1 ? aimThrough(game, hexes) : aim(game, hexes[0]));
  return proposed(game);
}

// The unit and the hexes that words name: the unit chosen, if none; `wrong` says what is not known.
function aimed(game, words) {
  const [lead, ...others] = words[0]?.split(",") ?? [];
  const named = unitOf(game, lead);
  const unit = named ?? game.seen.chosen;
  const stack = named ? others.map((word) => unitOf(game, word) ?? word) : game.seen.stack;
  const rest = named ? words.slice(1) : words;
  const odd = rest.find((word) => !game.board.cell(word));
  if (!named && words.length > 1 && !game.board.cell(words[0])) return { wrong: noUnit(game, words[0]) };
  if (odd !== undefined) return { wrong: rest.length === 1 && !named && words.length === 1 ? noUnit(game, odd) : noHex(game, odd) };
  if (!unit) return { wrong: ["Name a unit first, then a hex."] };
  if (!rest.length) return { wrong: [`Name a hex: where to for ${unit}?`] };
  return { unit, stack, hexes: rest.map((word) => game.board.cell(word).at) };
}

const noUnit = (game, word) => unknown("unit", word, game.seen.view.units.map((one) => one.unit));
const noHex = (game, word) => (word ? unknown("hex", word, [...game.board.cells.keys()]) : ["Name a hex."]);
function unknown(kind, word, names) {
  const like = nearest(word, names);
  return [`There is no ${kind} ${word}.${like ? ` Did you mean ${like}?` : ""}`];
}

// An action as the log has it, or with other words by which it is understood; one that is not whole is gone on with.
async function act(game, [verb, ...words]) {
  const units = words.map((word) => unitOf(game, word.split(",")[0])).filter(Boolean);
  if (!units.length) {
    const like = nearest(verb, [...Object.keys(COMMANDS), ...verbs(game)]);
    return words.length ? [...noUnit(game, words[0]), like && like !== verb ? `Or did you mean the command ${like}?` : ""] : [`Name a unit: ${verb} UNIT.`];
  }
  const actors = await whoCan(game, verb, units);
  if (actors.length > 1) return [`Who is it that does so? Type ${actors.map((one) => `${verb} ${one}`).join(" or ")}.`];
  const carrier = words.length === 1 && game.unit(units[0]).carried; // what it cannot be made to do, its carrier cannot do
  const unit = actors[0] ?? (carrier && game.mayAct(carrier) ? carrier : units[0]);
  if (unit !== game.seen.chosen || !game.unitOptions) await choose(game, unit);
  game.seen.proposal = null;
  if (!game.unitOptions) return [game.seen.failure];
  const offers = game.unitOptions.actions.filter((one) => one.verb === verb);
  const needed = offers.length ? words.filter((word) => !isClear(game, unit, word, offers)) : words;
  const entry = [verb, ...needed].join(" ");
  const starting = offers.filter((one) => one.action === entry || one.action.startsWith(`${entry} `));
  const same = starting.length ? starting : offers.filter((one) => needed.every((word) => parts(one.action).includes(word)));
  const line = offers.find((one) => isOfLine(one) && one.action === `${verb} ${unit} -`);
  const whole = same.find((one) => one.action === entry && one.closes !== false) ?? (same.length === 1 ? same[0] : null);
  if (line && needed.length === 2 && !needed[1].includes(",")) await openLine(game, line.action, entry);
  else if (whole) await (isOfLine(whole) ? openLine(game, whole.action) : whole.closes === false ? joining(game, whole.action, whole) : propose(game, [whole.action]));
  else if (same.length) return [`${said(verb)} how?`, ...number(game, same.map((one) => ({ words: `${said(one.action, unit)}${one.cost === undefined ? "" : `, ${points(one.cost, game.unitOptions.points)}`}`, run: () => propose(game, [one.action]) })))];
  else {
    const bar = needed.length === 1 && game.unitOptions.barred.find((one) => one.verb === verb);
    if (bar) return [`${unit} cannot ${said(verb).toLowerCase()}: ${bar.note} (${bar.clauses.join(", ")}).`];
    const odd = unit !== units[0] && game.unitOptions.unsupported.find(({ action }) => action.startsWith(`${verb} `));
    await propose(game, [odd ? odd.action : entry]);
    if (game.seen.failure && !game.seen.proposal?.verdict) return unclear(game, verb, needed, offers);
  }
  return proposed(game);
}

// Who of the units that are named can act so; else who of those that they carry, or that carry them.
async function whoCan(game, verb, units) {
  const tied = game.seen.view.units.filter((one) => units.some((unit) => isTied(one, unit) || isTied(game.unit(unit), one.unit))).map((one) => one.unit);
  for (const [tried, isAny] of [[units.slice(0, ACTORS), true], [tied.slice(0, ACTORS), false]]) {
    const found = [];
    for (const unit of tried) {
      if (!game.mayAct(unit) || (isAny && found.length)) continue;
      if (unit !== game.seen.chosen || !game.unitOptions) await choose(game, unit);
      if (game.unitOptions?.actions.some((one) => one.verb === verb)) found.push(unit);
    }
    if (found.length) return found;
  }
  return [];
}

// Whether a unit is with another: aboard it, in tow, carrying it.
const isTied = ({ ties }, other) => ties.some((one) => one.split(" ").includes(other));

// The words of an action, and the names and values within them.
const parts = (action) => action.split(/[ ,=:]/);

// Whether a word says only what is clear without it: a preposition, the vehicle that a unit is aboard, its own hex.
function isClear(game, unit, word, offers) {
  const { at } = game.unit(unit);
  const isKnown = ASIDE.has(word.toLowerCase()) || isTied(game.unit(unit), word) || (at && game.board.cell(word) === game.board.cell(at));
  return word !== unit && isKnown && !offers.some((one) => parts(one.action).includes(word));
}

// An action that could not be read: which word is not understood, and what was expected.
function unclear(game, verb, words, offers) {
  const fault = game.seen.failure.replace(/\.?$/, ".");
  game.seen.texting.length = 0; // it is said here
  game.seen.proposal = null;
  const known = offers.flatMap((one) => parts(one.action));
  const odd = words.find((word) => !parts(word).every((part) => known.includes(part) || unitOf(game, part) || game.board.cell(part)));
  const fit = (one) => words.filter((word) => parts(one.action).includes(word)).length;
  const likely = offers.map((one) => one.action.replace(/ -$/, "")).sort((a, b) => fit({ action: b }) - fit({ action: a })).slice(0, LIKELY);
  if (!likely.length) return [capital(fault), `Type help ${verb}.`];
  return [odd ? `The word ${odd} is not understood.` : capital(fault), `Expected ${likely.length > 1 ? "for example " : ""}${likely.join("; ")}.`];
}

// What is proposed now, in sentences.
function proposed(game) {
  const { proposal } = game.seen;
  if (!proposal) return [];
  if (proposal.choices) return [proposal.title, ...number(game, proposal.choices.map((one) => ({
    words: `${one.words ?? said(one.action, game.unitOptions?.unit)}${one.cost === undefined ? "" : `, ${points(one.cost, one.points ?? game.unitOptions.points)}`}`,
    run: () => (one.choose ? one.choose() : propose(game, one.actions ?? [one.action])),
  }))), "Type a number."];
  if (proposal.words) return [`${proposal.title}.`, proposal.words];
  if (proposal.unreached) {
    const missing = proposal.unsupported.length ? `Not modelled (${proposal.unsupported.join(", ")}).` : "Which clause forbids it is not known.";
    return [`${proposal.title}.`, ...(proposal.violations.length ? proposal.violations.map((one) => fault(one, game.seen.chosen)) : [missing])];
  }
  const { verdict } = proposal;
  if (!verdict) return [game.seen.failure];
  const others = (proposal.others ?? []).map((one) => ({ words: one.words ?? said(one.action, game.seen.chosen), run: () => (one.choose ? one.choose() : propose(game, [one.action])) }));
  return [
    ...judged(proposal.title, verdict, game.titles, game.seen.chosen),
    proposal.actions.length > 1 ? `The steps: ${proposal.actions.map(spoken).join("; ")}.` : "",
    toFirstRoll(proposal.actions).length < proposal.actions.length ? "It is played up to the first roll." : "",
    proposal.forgoes ?? "",
    ...(others.length ? ["In another way:", ...number(game, others)] : []),
    isLegal(verdict) ? "Type yes to play it, or no." : verdict.stopped === null && game.mayTry ? "Type anyway to play it as a what-if, or no." : "",
  ];
}

// Number what can be chosen, and keep what each number does.
function number(game, choices) {
  game.seen.text.choices = choices;
  return choices.map((one, at) => `${at + 1}. ${one.words}${one.words.endsWith("…") ? "" : "."}`);
}

async function pick(game, at, [joined, ...names]) {
  const one = game.seen.text.choices[at - 1];
  const isJoined = joined === "with";
  const others = names.map((name) => unitOf(game, name)).filter(Boolean);
  if (!one) return [`There is no number ${at}: ask what UNIT first.`];
  if (isJoined && !one.join) return ["No other unit can join."];
  game.seen.proposal = null;
  await (isJoined ? (others.length ? one.with(others) : one.join()) : one.run());
  return proposed(game);
}

function yes(game) {
  const { proposal } = game.seen;
  if (proposal?.choices) return ["Type a number first."];
  if (!proposal?.verdict) return ["Nothing is proposed."];
  return isLegal(proposal.verdict) ? done(game, false) : ["It is not legal. Type why for the clauses."];
}

function no(game) {
  drop(game);
  return ["Dropped."];
}

async function done(game, anyway) {
  const { seen } = game;
  const { proposal } = seen;
  if (!proposal?.verdict) return ["Nothing is proposed."];
  if (anyway && !game.mayTry) return ["Only the referee can play an illegal action, as a what-if."];
  const before = seen.info.step;
  const moved = [...new Set(proposal.verdict.receipts.map((one) => one.unit))];
  await commit(game, anyway);
  return after(game, before, moved);
}

// What was played, where the units stand now, and what is due.
function after(game, before, units) {
  const { seen } = game;
  if (!seen.view || seen.info.step === before) return [...(seen.texting ?? [])];
  seen.text.choices = [];
  const played = seen.info.log.slice(before, seen.info.step).map((one) => entrySaid(one)).filter(Boolean);
  const ends = seen.info.log.slice(before, seen.info.step).some((one) => one.entry?.startsWith("phase "));
  return [played.length ? `Played: ${played.join("; ")}.` : "", ...(seen.texting ?? []), ...crowd(units.map((unit) => game.unit(unit)).filter(Boolean), game.board), ...(ends ? news(game) : seen.pending.map((one) => dueSaid(one, game.titles)))];
}

async function roll(game, words) {
  const [due] = game.seen.pending;
  if (!due) return ["No roll is due."];
  const odds = due.outcomes.filter((one) => one.of);
  const wanted = words.join(" ").toLowerCase();
  const named = due.outcomes.find((one) => one.outcome.toLowerCase() === wanted) ?? due.outcomes.find((one) => words.some((word) => word.toLowerCase() === one.outcome.toLowerCase()));
  if (!due.outcomes.length || (wanted && !named) || (!wanted && (owed(due) === "choice" || !odds.length))) return [dueSaid(due, game.titles), due.outcomes.length ? "Type roll and one of these." : ""];
  const last = kept(game, due);
  if (last && named && named.outcome !== last.outcome) return [`${last.said} That roll stands: type roll.`];
  const { outcome, dice, said: text } = last ?? (named ? { ...named, dice: "", said: "" } : thrown(odds, game.seen.view.throws[due.id]));
  const before = game.seen.info.step;
  await settle(game, due, `${outcome}${dice}`);
  return [text, ...after(game, before, [due.unit])];
}

async function refused(game) {
  if ($("#asked").hidden) return ["Nobody asks to take back what was played last."];
  const isMine = game.seen.wish !== null;
  await refuse(game);
  return [isMine ? "You withdrew your request to take the move back." : "You do not agree: what was played stays."];
}

async function back(game, by) {
  const before = game.seen.info.step;
  const { log } = game.seen.info; // a side's log ends where the game stands: read it before
  const barred = game.bars(before + (by === "undo" ? -1 : 1));
  if (!game.mayTry && by === "redo") return ["A side cannot redo a move: play it again."];
  if (barred) return [barred];
  await shift(game, by);
  if (game.seen.info.step === before && before && by === "undo") return [asked(game)];
  if (game.seen.info.step === before) return [by === "undo" ? "There is nothing to take back." : "There is nothing to play again."];
  const entries = (by === "undo" ? log : game.seen.info.log).slice(Math.min(before, game.seen.info.step), Math.max(before, game.seen.info.step)).map((one) => entrySaid(one)).filter(Boolean);
  return [`${by === "undo" ? "Taken back" : "Played again"}${entries.length ? `: ${entries.join("; ")}` : ""}.`];
}

// End the phase: what forbids it, who could still act, and a proposal.
async function end(game, words) {
  const { view } = game.seen;
  if (game.player && game.player !== view.side) return [`${view.side} ends this phase; you play ${game.player}.`];
  const phase = words.find((word) => view.phases.includes(word)) ?? view.next;
  const side = words.find((word) => view.players.includes(word)) ?? (await nextSide(game, phase));
  const entry = entryOf(phase, side === view.side ? "" : side);
  const { verdict, notes, due } = await ending(game, entry);
  const title = `End ${view.side}’s ${view.phase} and go on with ${side && side !== view.side ? `${side}’s ` : ""}${phase}`;
  game.seen.proposal = { actions: [entry], title, others: [], verdict };
  const lines = proposed(game);
  const last = lines.pop();
  const far = farther(game).filter(([, one]) => one !== entry).map(([name]) => `Type end ${game.movingPhase} ${name} to go on to ${name}’s ${game.movingPhase} at once: the phases between are left out.`);
  return [...lines, due, ...notes, ...far, last];
}

// -- plans and the log

function plan(game, words) {
  const { plans } = game.seen;
  const aims = [];
  for (const word of words) {
    const unit = unitOf(game, word);
    if (unit) aims.push({ unit, kind: "at", at: [], must: true });
    else if (!game.board.cell(word)) return aims.length ? noHex(game, word) : noUnit(game, word);
    else if (!aims.length && game.seen.chosen) aims.push({ unit: game.seen.chosen, kind: "at", at: [word], must: true });
    else aims.at(-1)?.at.push(word);
  }
  if (!aims.length || aims.some((one) => !one.at.length)) return ["Name a unit and a hex: plan UNIT HEX."];
  plans.aims = aims;
  return search(game, "plan");
}

// Begin a search; its answer comes when it is found.
function search(game, verb) {
  const { seen } = game;
  const { plans } = seen;
  const finished = async () => {
    if (plans.fault) return seen.text.say([plans.fault]);
    const lines = planSaid(game, plans.found);
    const log = plans.found?.log ?? [];
    if (verb !== "plan" || !log.length) return seen.text.say([...lines, verb === "plan" ? "Type why for what forbids it." : ""].filter(Boolean));
    seen.texting = [];
    await propose(game, log, { named: "This plan" });
    seen.texting = null;
    const [head, ...rest] = proposed(game);
    seen.text.say([...lines, isLegal(seen.proposal?.verdict) ? "Type yes to play it, or no." : [head, ...rest].join(" ")]);
  };
  plans.run(verb, { goal: plans.goal(), rolls: plans.rolls, limit: plans.limit }).then(() => plans.ended.then(finished));
  return ["Searching. Type stop to end the search; the best so far is the answer."];
}

async function stop(game) {
  if (!game.seen.plans.running) return ["Nothing is being searched."];
  await game.seen.plans.halt();
  return ["The search is being ended."];
}

function log(game) {
  const entries = game.seen.info.log.slice(0, game.seen.info.step).map((one, at) => [entrySaid(one), at, one.verdict]).filter(([text]) => text).map(([text, at, verdict]) => `${at + 1}. ${text}${verdict && !isLegal(verdict) ? ", not legal" : ""}.`);
  return entries.length ? entries.slice(-LAST) : ["Nothing has been played yet."];
}

async function step(game, [word]) {
  const to = Number(word);
  if (!(to >= 0 && to <= game.seen.info.log.length)) return [`The log has ${game.seen.info.log.length} steps.`];
  await go(game, to);
  return news(game);
}
