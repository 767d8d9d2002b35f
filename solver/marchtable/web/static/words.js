// Making elements, and saying in plain words what answers hold.

// The first element that a selector finds.
export const $ = (name) => /** @type {any} */ (document.querySelector(name));

export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "class") made.className = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export const button = (text, onclick, attributes = {}) =>
  el("button", { type: "button", onclick, ...attributes }, text);

// Two places at most; what is half between goes to the even one, as on a terminal.
export function amount(value) {
  if (typeof value !== "number") return String(value ?? "");
  const least = Math.floor(value * 100);
  const over = value * 100 - least;
  return String((least + Number(over > 0.5 || (over === 0.5 && least % 2 !== 0))) / 100);
}

export const points = (value, name) => `${amount(value)} ${name}`;

// What a unit has left; or how much it lacks, for what it cannot pay.
export const remaining = (value, name) => (value < 0 ? `${points(-value, name)} too few` : `${points(value, name)} left`);

export const settles = (entry) => entry.startsWith("settle ");

// A log as far as its first roll, which is thrown then.
export function toFirstRoll(log) {
  const roll = log.findIndex((entry, number) => number > 0 && settles(entry));
  return roll < 0 ? log : log.slice(0, roll);
}

// A clause by its id, with its title in a fold.
export function clause(id, titles) {
  const text = el("p", {}, titles.of(id));
  const fold = el("details", { class: "clause" }, el("summary", {}, id), text);
  fold.addEventListener("toggle", () => (text.textContent = titles.of(id) || "No title is known."));
  return fold;
}

// Titles of a rulebook's clauses, asked for once.
export class Titles {
  constructor(ask, rulebook) {
    this.known = new Map();
    this.ready = ask("/api/rules", { rulebook }).then(
      (answer) => answer.clauses.forEach((one) => this.known.set(one.clause, one.title)),
      () => {},
    );
  }
  of(id) {
    return this.known.get(id) ?? "";
  }
}

export const isLegal = (found) => ["LEGAL", "OPTIMAL", "FEASIBLE"].includes(found?.status);

// A text begun with a capital.
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// What a violation says, without the names around it that the fold shows.
export const reason = ({ reason: text }) => capital(text);

// What became of units: of each of its fields only what it comes to in the end.
export const endEffects = (effects) => {
  const last = new Map(effects.map((one) => [`${one.unit} ${one.field}`, one]));
  return effects.filter((one) => one.text && last.get(`${one.unit} ${one.field}`) === one);
};

// What came of a log beside its costs, as items of a list.
export const outcomes = (verdict, titles) => {
  const lines = [...endEffects(verdict.effects).map((one) => [`${one.unit} ${one.text} `, one.clause]), ...verdict.exceptions.map((one) => [`${capital(one.note)} `, one.clause])];
  return [...new Map(lines.map((one) => [one.join("|"), one])).values()].map(([text, id]) => el("li", {}, text, clause(id, titles)));
};

// What a fault says; a unit that is not the one asked about is named.
export const faulted = (one, chosen) => `${chosen && one.units?.length && !one.units.includes(chosen) ? `${one.units.join(", ")}: ` : ""}${reason(one)}`;

// The same with its clause, on one line.
export const broken = (one, chosen) => `${faulted(one, chosen)} (${one.clause})`;

// What is broken, clause by clause; units that break the same in the same way share a line.
export function faults(violations, titles, chosen) {
  const alike = new Map();
  for (const one of violations) {
    const key = JSON.stringify([one.clause, one.reason, one.after]);
    const other = alike.get(key);
    alike.set(key, { ...one, units: [...new Set([...(other?.units ?? []), ...(one.units ?? [])])] });
  }
  return el(
    "ul",
    { class: "faults" },
    [...alike.values()].map((one) =>
      el("li", {}, el("span", {}, faulted(one, one.units.length > 1 ? "*" : chosen)), clause(one.clause, titles), one.after ? el("em", {}, " (after an earlier illegal step)") : null),
    ),
  );
}

export function receipt(one, titles) {
  return el(
    "div",
    { class: "receipt" },
    el("strong", {}, `${one.unit}: ${points(one.amount, one.points)}`),
    ` · ${remaining(one.left, one.points)}`,
    one.charges.length
      ? el(
          "ul",
          {},
          one.charges.map((charge) =>
            el("li", {}, `${amount(charge.amount)} ${charge.note || titles.of(charge.clause)} `, clause(charge.clause, titles)),
          ),
        )
      : null,
  );
}

// How a figure comes about: "APFP: 8 = 6 APFP of the units + 2 APFP of leaders"; odds are left to the roll.
export const derived = (details) => (details ?? []).filter((one) => one.value !== "" && !one.outcomes.length).map(({ what, value, parts }) => {
  const shown = parts.filter((one) => one.amount).map((one) => `${amount(one.amount)} ${one.note} (${one.clause})`);
  return `${capital(what)}: ${typeof value === "number" ? amount(value) : value}${shown.length ? ` = ${shown.join(" + ")}` : ""}`;
});

// What is due: a roll, or, where one of several outcomes is sure if it is wanted, a choice.
export const owed = ({ outcomes }) => (!outcomes.length || outcomes.length > 1 && outcomes.some((one) => one.of && one.chance === one.of) ? "choice" : "roll");

// The outcomes of what is due, without those that cannot come.
export const possible = ({ outcomes }) => outcomes.filter((odds) => odds.chance || !odds.of);

export const chance = (odds) => (odds.of ? `${odds.chance} in ${odds.of}` : "");

// Outcomes in which only a number differs, as one with their chances together: freed-2 to freed-12.
export function grouped(outcomes) {
  const found = new Map();
  for (const one of outcomes) {
    const name = /^(.+-)\d+$/.exec(one.outcome)?.[1] ?? one.outcome;
    found.set(name, [...(found.get(name) ?? []), one]);
  }
  return [...found.values()].map((all) => (all.length < 3 ? all : [{ ...all[0], outcome: `${all[0].outcome} to ${all.at(-1).outcome}`, chance: all.reduce((sum, one) => sum + one.chance, 0) }])).flat();
}

// Actions that are not modelled for one reason, as one entry with the clauses of all.
export function byReason(unsupported) {
  const found = new Map();
  for (const one of unsupported) found.set(one.note, [...(found.get(one.note) ?? []), one]);
  return [...found].map(([note, all]) => ({ note, actions: all.map((one) => one.action ?? one.verb), clauses: [...new Set(all.flatMap((one) => one.clauses))] }));
}

// What happened to units between two views: who is off the map, and what new marks say.
export const harmed = (before, after) => after.flatMap((one) => {
  const was = before.find((other) => other.unit === one.unit);
  if (!was?.at) return [];
  if (!one.at) return [`${one.unit} is off the map.`];
  const fresh = one.marks.filter((mark) => ["hurt", "stuck"].includes(mark.tone) && mark.said && !was.marks.some((other) => other.said === mark.said));
  return fresh.length ? [`${one.unit}: ${fresh.map((mark) => mark.said).join(", ")}.`] : [];
});

// Whether it is a player's turn, or they have a choice in the other side's phase: "turn", "react" or "".
export function turnOf({ side, sides }, player) {
  if (!sides.includes(player)) return "";
  return player === side || !sides.includes(side) ? "turn" : "react";
}

// What is owed before anything else can be done, on one line: the first of it.
export const debt = ({ debts }) => debts[0]?.note.split(", by ")[0] ?? "";

let codes = {}; // what is written for words of a log, as patterns
let coded = /$^/; // all those patterns, each a group
let advice = [];
export const STATE_SIGHT = "State what it sees"; // the button that the rulebook's advice names

// The rulebook's words for codes: { "hatch bu": "button up" }; and what it advises a player by the words for whoever writes a scene.
export function spell(words, advised = {}) {
  codes = words;
  advice = Object.entries(advised);
  coded = new RegExp(`(?<![\\w:-])(?:${Object.keys(words).map((code) => `(${code})`).join("|") || "$^"})(?![\\w:-])`, "g");
}

// A message as a player reads it: what to do at the table; code that is left, as `switch UNIT`, names a button.
export function advised(text) {
  for (const [written, words] of advice) text = text.replaceAll(written, words);
  return text.replace(/`([a-z-]+)(?: [^`]*)?`/g, (_, verb) => `“${capital(verb.replaceAll("-", " "))}”`);
}

const HELD = /^[a-z-]+:/; // what a member of a line does, before where: enter:C5

// A word that is such a code, spelt out; else nothing.
export const spelled = (word) => codes[word] ?? "";

// An outcome of what is due by that id, in the rulebook's words; of `by:gb` those for `by`, and the name.
export function outcomeSaid(id, outcome) {
  const [what] = id.split(":");
  const [head, name] = outcome.split(":");
  const words = spelled(`${what} ${head}`);
  return spelled(`${what} ${outcome}`) || (name && words ? `${words} ${name}` : outcome);
}

// What came of a roll, or was chosen.
const settled = (due, outcome, dice = "") => `Roll for ${due.replace(/^[^:]+/, (what) => what.replaceAll("-", " ")).split(":").reverse().join(", ")}: ${dice.replace("dice=", "").replaceAll(",", " and ")}${dice && ", "}${outcomeSaid(due, outcome)}`;

// The rulebook's words in place of codes; in those words nothing is a code.
export const plain = (text) => text.replace(coded, (...found) => Object.values(codes)[found.slice(1).findIndex((one) => one !== undefined)]);

// Words of an action after its verb; the unit asked about needs no naming.
export const listed = (words, unit) => words.filter((word) => word !== unit && word !== "-").map((word) =>
  word.includes("=") ? `, ${word.replace(/=true$/, "").replace("=", " ").replaceAll("_", " ").replaceAll(",", ", ")}`
    : ` ${[...new Set(word.split(","))].map((one) => one.replace(HELD, (held) => `${held.slice(0, -1)} `)).join(", ")}`).join("");

// An action in words, begun with a capital.
export function said(action, unit) {
  const [verb, ...rest] = action.split(" ");
  if (verb === "settle") return settled(...rest);
  const all = rest.find((word) => word.includes(",") && word.split(",").includes(unit)); // who do it together
  const others = all ? `, with ${all.split(",").filter((one) => one !== unit).join(", ")}` : "";
  const text = plain(verb.replaceAll("-", " ") + listed(rest.filter((word) => word !== all), unit)) + others;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// What a unit does, or what happens to it, as a sentence about it.
export function done(action, unit) {
  const text = said(action, unit);
  return /^(Is|Was|Has|Sees|Does) /.test(text) ? `${unit} ${text.charAt(0).toLowerCase()}${text.slice(1)}` : `${unit.replaceAll(",", ", ")}: ${text}`;
}

// The entry that goes on to a phase, of another side if one is named.
export const entryOf = (phase, side) => `phase ${phase}${side ? ` side=${side}` : ""}`;

// A phase by its full name.
const phaseName = (phase) => plain(phase).replace(/( Phase)?$/, " Phase");

// A phase of the log, with its turn and whose it is.
export const phaseSaid = ({ turn, side, phase }) => `Turn ${turn}, ${side}, ${phaseName(phase)}`;

// What is seen of those whom the other side conceals.
const seenMove = ({ side, from, to, unit }) => {
  const whom = unit ?? `A concealed ${side} unit`;
  if (from === to) return `${whom} in ${to} is not concealed any more`;
  return `${whom} ${from && to ? `moves from ${from} to ${to}` : from ? `leaves ${from}` : `comes on in ${to}`}`;
};

// What each unit of a line does, in its order; those of whom nothing is said stay as they are.
export function lineSaid(units, words) {
  const byWord = new Map();
  units.forEach((unit, at) => byWord.set(words[at] ?? "stay", [...(byWord.get(words[at] ?? "stay") ?? []), unit]));
  return [...byWord].map(([word, who]) => (word === "stay" ? `${who.join(", ")} ${who.length > 1 ? "stay as they are" : "stays as it is"}` : `${who.join(", ")}:${plain(listed([word]))}`)).join("; ");
}

// The words of an entry that say what each unit of a line does; none of any other.
const ofLine = (entry) => (entry.startsWith("impulse ") ? (entry.split(" ")[2] ?? "").split(",") : []);

/** An entry of the log as it was read, in words: as far as they are known, nothing of what is hidden. @param {{ entry: any, moves?: any, verdict?: any }} read */
export function entrySaid({ entry, moves, verdict }) {
  const units = [...new Set((verdict?.receipts ?? []).map((one) => one.unit))];
  const words = ofLine(entry ?? "");
  if (units.length > 1 && words.length && !words.some((word) => /^(enter|bypass):/.test(word))) return lineSaid(units, words);
  return entry ? spoken(entry) : (moves ?? []).map(seenMove).join("; ");
}

// A line of a log in words, with its first unit before it.
export function spoken(entry) {
  const [verb, who, line = "", dice] = entry.split(" ");
  if (verb === "phase") return `${line.replace("side=", "").replace(/^./, (first) => first.toUpperCase())} ${phaseName(who)} begins`.trim();
  const [, way, to] = /^(enter|bypass):([^,]*)/.exec(verb === "impulse" ? line : "") ?? [];
  if (to) return `${who} and those after it to ${to}${way === "bypass" ? ", bypass" : ""}`;
  if (verb === "settle") return settled(who, line, dice);
  if (verb === "impulse") return `${who} and those after it:${plain(listed([line]))}`;
  return done(entry, who);
}

// Locations an action names beside its unit, by the board's names.
export function places(action, board) {
  return action.split(" ").slice(2).flatMap((word) => word.split("=").pop().split(","))
    .map((word) => (board.cell(word) ? word : word.replace(HELD, ""))).filter((word) => board.cell(word));
}

// Where an entry takes the first unit that it names: of a line that moves, its head alone.
export function course(entry, board) {
  const isOfLine = entry.split(" ").slice(2).some((word) => word.includes(","));
  return places(entry, board).slice(0, isOfLine ? 1 : undefined);
}

// What lies where entries lead into a roll, with its hex: a known minefield, Wire.
export function hazards(entries, board) {
  let cell;
  const found = entries.map((one) => {
    if (settles(one)) return cell?.lying ? `${cell.lying} (${cell.at})` : "";
    cell = board.cell(course(one, board).at(-1)) ?? cell;
    return "";
  });
  return [...new Set(found)].filter(Boolean).join(", ");
}

// What the rolls of a log are about.
export const rollsOf = (log) => [...new Set(log.filter(settles).map((one) => one.split(/[ :]/)[1].replaceAll("-", " ")))].join(", ");

// The same with the vertex that is gone round, or where the unit then stands aside, for a way to be drawn.
export const stopsOf = (entry, board, aside) => course(entry, board).map((at) => ({ at, vertex: vertexOf(entry) ?? (goesRound(entry) ? aside ?? undefined : undefined) }));

// Whether an action, or the first unit of a line, bypasses.
export const goesRound = (entry) => /^(impulse \S+ )?bypass\b/.test(entry);

// The vertex that the first unit of an action goes round in Bypass.
export const vertexOf = (entry) => /[ :]vertex=(\w+)/.exec(entry.split(" ").map((word) => word.split(",")[0]).join(" "))?.[1];

// How a move ends that ends in Bypass: with the vertex, where Infantry does.
export const inBypass = (entry) => (entry.startsWith("bypass ") ? `, in Bypass${vertexOf(entry) ? ` at vertex ${vertexOf(entry)}` : ""}` : "");

// SVG drawn on a canvas, at most so many pixels wide and high; null where that cannot be done.
export async function raster(svg, most) {
  const drawn = new Image();
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  drawn.src = url;
  await drawn.decode().catch(() => {});
  URL.revokeObjectURL(url);
  const { naturalWidth: wide, naturalHeight: high } = drawn;
  if (!wide) return null;
  const scale = Math.min(1, most / wide, most / high);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [wide * scale, high * scale];
  canvas.getContext("2d").drawImage(drawn, 0, 0, canvas.width, canvas.height);
  return canvas;
}

export function download(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

// What to say of a unit for which nothing is listed: perhaps some actions are not modelled.
export const nothingListed = ({ units: [one] }) => (one?.unsupported.length ? "What it could do is not modelled, or you must state more." : "It can do nothing now.");
