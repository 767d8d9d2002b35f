// A roll that is due: what came of it is chosen, or thrown here.

import { button, chance, el, outcomeSaid, owed, possible } from "./words.js";

const MANY = 12; // results that are listed

// The dice that were thrown here for what is due, if it stands: they are kept until they are played, in a reload, too.
export function kept(game, due, found) {
  const name = `rolled ${game.id}`;
  const { branch, step } = game;
  const key = JSON.stringify([branch, step, due.id, game.seen.info.log[step - 1]?.entry]);
  if (found) localStorage.setItem(name, JSON.stringify({ key, found }));
  else if (found === null) localStorage.removeItem(name);
  const last = JSON.parse(localStorage.getItem(name));
  return last?.key === key ? last.found : null;
}

/**
 * Resolves to an outcome's name, with the dice if they were thrown here; null where it was put off.
 * @param {any} due @param {any} titles @param {any} view says what each throw means, and which outcomes cannot be played
 * @param {(found?: any) => any} keep keeps what is thrown here, and returns what was
 */
export function askRoll(due, titles, { throws = {}, unsettled = {} } = {}, keep = () => null) {
  const what = owed(due);
  const dialog = el("dialog", { id: "roll", "aria-labelledby": "roll-title" });
  return new Promise((done) => {
    const close = (outcome) => {
      dialog.close();
      dialog.remove();
      done(outcome);
    };
    const odds = what === "roll" ? due.outcomes.filter((one) => one.of) : [];
    const numbered = due.outcomes.find((one) => /-\d+$/.test(one.outcome));
    const barred = possible(due).filter(({ outcome }) => unsettled[outcome]);
    const offered = possible(due).filter((one) => !barred.includes(one));
    const shown = el("p", { role: "status", class: "thrown" });
    const settle = el("div", { class: "row" });
    const put = () => button("Later", () => close(null), { class: "plain" });
    const use = ({ outcome, said, dice }) => {
      shown.textContent = unsettled[outcome] ? `${said} It cannot be played: ${unsettled[outcome]}.` : said;
      for (const one of dialog.querySelectorAll(".odds :is(button, select)")) one.disabled = true; // it was rolled
      settle.replaceChildren(shown, button("Use it", () => close(`${outcome}${dice}`), { class: "primary" }));
      settle.querySelector("button").focus();
    };
    const known = throws[due.id] ?? {};
    const throwIt = () => {
      const found = thrown(odds, known);
      if (!unsettled[found.outcome]) keep(found);
      use(found);
    };
    settle.append(shown, odds.length ? button("Roll", throwIt, { class: "primary" }) : "", put());
    // Of many results the dice are entered, and not the result.
    const names = { 1: ["Die"], 2: ["Colored die", "White die"] }[Object.keys(known)[0]?.split(",").length] ?? [];
    const dice = names.map((name) => el("select", { "aria-label": name }, [1, 2, 3, 4, 5, 6].map((face) => el("option", {}, String(face)))));
    const entered = dice.length && offered.length > MANY ? el("div", { class: "row odds", id: "dice" }, dice.map((one, at) => el("label", {}, names[at], one)), button("I rolled these", () => use(meant(dice.map((one) => one.value).join(","), known)))) : null;
    dialog.append(
      el("h2", { id: "roll-title", tabindex: -1, autofocus: true }, `A ${what} is due for ${due.unit}`),
      el("p", {}, `${titles.of(due.clause)} `, el("span", { class: "cost" }, due.clause)),
      due.note ? el("p", {}, numbered && what === "roll" ? `The number in a result, as in ${numbered.outcome}: ${due.note}.` : due.note) : "",
      el("p", { class: "aside-note" }, what === "choice" ? "Choose one:" : odds.length ? "Choose what you rolled, or roll here:" : "Choose what you rolled:"),
      entered ?? el("div", { class: "odds" }, offered.map((one) => button([el("span", {}, outcomeSaid(due.id, one.outcome)), el("span", { class: "cost" }, what === "roll" ? chance(one) : "")], () => close(one.outcome)))),
      barred.length ? el("ul", { class: "plainlist", id: "not-offered" }, barred.map(({ outcome }) => el("li", {}, `${outcomeSaid(due.id, outcome)} cannot be played: ${unsettled[outcome]}.`))) : "",
      settle, // always in sight
    );
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      close(null);
    });
    document.body.append(dialog);
    dialog.showModal();
    if (keep()) use(keep());
  });
}

const random = () => crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32;

// What a throw means; where the dice are told apart the colored one stands first.
function meant(faces, throws) {
  const isSum = Object.keys(throws).every((one) => throws[one] === throws[one.split(",").reverse().join(",")]);
  const sum = faces.split(",").reduce((total, one) => total + Number(one), 0);
  const shown = !faces.includes(",") ? faces : isSum ? `${faces.replaceAll(",", " + ")} = ${sum}` : `${faces.replaceAll(",", " and ")} (the colored die first)`;
  return { outcome: throws[faces], dice: ` dice=${faces}`, said: `Rolled ${shown}: ${throws[faces]}.` };
}

/**
 * One of the outcomes, each with its chance: in words, and with the dice as a log has them. Where the sum of the
 * dice does not settle the roll, no dice are thrown.
 * @param {any[]} odds @param {Record<string, string>} [throws] what each throw means
 */
export function thrown(odds, throws = {}) {
  const all = Object.keys(throws);
  if (all.length) return meant(all[Math.floor(random() * all.length)], throws);
  let at = random();
  const one = odds.find(({ chance, of }) => (at -= chance / of) < 0) ?? odds.at(-1);
  return { outcome: one.outcome, dice: "", said: `Drawn by its chance of ${chance(one)}, without dice: ${one.outcome}.` };
}
