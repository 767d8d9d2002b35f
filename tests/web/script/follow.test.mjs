// The stream of a game's events, read from a server that breaks off.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import "./dom.mjs";

const { changed, follow, lately, moves } = await import("../../../solver/marchtable/web/static/follow.js");

test("after a break it goes on from the event heard last, presence aside, until the game is gone", async () => {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.headers["last-event-id"]);
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (asked.length === 1) response.end('retry: 2000\n\nid: a.1\nevent: game\ndata: {"etag":"1"}\n\n: here\n\nevent: present\ndata: {"here":[]}\n\n');
    else response.end('id: a.2\nevent: gone\ndata: {"etag":null}\n\n');
  });
  await new Promise((done) => server.listen(0, done));
  const heard = [];
  const linked = [];
  await follow(`http://localhost:${server.address().port}/`, {
    signal: new AbortController().signal, changed: (kind) => heard.push(kind), linked: (whether) => linked.push(whether),
  });
  server.close();
  assert.deepEqual(heard, ["game", "present", "gone"]);
  assert.deepEqual(asked, [undefined, "a.1"]);
  assert.deepEqual(linked, [true, false, true]);
});

const board = { cell: (name) => (/^[A-Z]\d$/.test(name) ? { at: name } : undefined) };

test("what was played is said by where each unit came to", () => {
  const played = (...lines) => moves(lines.map((one) => (typeof one === "string" ? { entry: one } : { entry: null, moves: one })), board);
  assert.deepEqual(played("start lead", "enter lead M6", "enter lead N6", "stop lead"), ["lead to N6"]);
  assert.deepEqual(played("impulse lead enter:F4,enter:E5", "impulse lead turn:E,turn:E"), ["lead and those after it to F4"]);
  assert.deepEqual(played("enter sq M7", [], "phase MPh side=russian", "settle bog:lead mobile"), ["sq: Enter M7", "Roll for lead, bog: mobile"]);
});

test("of a concealed unit it is said where it moves, and who it is once it is known", () => {
  const step = (from, to, unit = null) => [{ side: "russian", from, to, unit }];
  const played = (...seen) => moves(seen.map((one) => ({ entry: null, moves: one })), board);
  assert.deepEqual(played(step("A1", "B1"), step("B1", "C2")), ["A concealed russian unit moves from A1 to C2"]);
  assert.deepEqual(played(step("A1", "B1"), step("D4", "E4")), ["A concealed russian unit moves from A1 to B1", "A concealed russian unit moves from D4 to E4"]);
  assert.deepEqual(played(step("A1", "A1", "sq2")), ["sq2 in A1 is not concealed any more"]);
  assert.deepEqual(played(step(null, "A1"), step("Q1", null)), ["A concealed russian unit comes on in A1", "A concealed russian unit leaves Q1"]);
});

test("what was played last is named: by where a unit came to, or the phase that began", () => {
  const log = ["start truck", "enter truck B1", "enter truck B2", "phase DFPh"].map((one) => ({ entry: one, moves: [] }));
  assert.equal(lately({ seen: { info: { log, back: 1, step: 3 } }, board }), "truck to B2");
  assert.equal(lately({ seen: { info: { log, back: 3, step: 4 } }, board }), "DFPh Phase begins");
});

test("what an event was about to say is said with the next one, if that came before it was shown", async () => {
  const find = document.querySelector;
  document.querySelector = /** @type {any} */ ((name) => (name === "#connection" ? {} : null));
  const log = ["enter sq B1", "enter ldr C1"].map((entry) => ({ entry, own: false }));
  const info = (step) => ({ branch: "main", step, log: log.slice(0, step) });
  const said = [];
  const seen = { info: info(0), chosen: "sq", pending: [], view: { moved: [] } };
  const game = { seen, board, isShown: false, async load(summary) {
    const next = info(seen.info.step + 1);
    said.push(summary(next));
    seen.info = next;
    return this.isShown;
  } };
  await changed(game, "game", { etag: "one" });
  game.isShown = true;
  await changed(game, "game", { etag: "two" });
  document.querySelector = find;
  assert.deepEqual(said, ["Played: sq: Enter B1.", "Played: sq: Enter B1; ldr: Enter C1."]);
});

test("once another settled what was due on a way, its rest is proposed; if anything else was played, it is not", async () => {
  const find = document.querySelector;
  document.querySelector = /** @type {any} */ ((name) => (name === "#connection" ? {} : null));
  const first = ["enter sq B1", "enter sq B2"];
  const aims = async (...log) => {
    sessionStorage.setItem("onward g", JSON.stringify({ unit: "sq", at: "B3", branch: "main", step: 0, first }));
    const aimed = [];
    const seen = { info: { branch: "main", step: 2, log: log.slice(0, 2) }, chosen: "sq", pending: [], view: { moved: [] } };
    const game = { id: "g", branch: "main", isLast: true, seen, board: { ...board, cell: (name) => ({ at: name, all: [name] }) }, unitOptions: { unit: "sq", at: "B2" }, mayAct: (unit) => aimed.push(unit) && false, async load() {
      seen.info = { branch: "main", step: log.length, log };
      return true;
    } };
    await changed(game, "game", { etag: "one" });
    assert.equal(sessionStorage.getItem("onward g"), null, "it is proposed once");
    return aimed;
  };
  const own = first.map((entry) => ({ entry, own: true }));
  assert.deepEqual(await aims(...own, { entry: "settle mines:sq unharmed", own: false }), ["sq"]);
  assert.deepEqual(await aims(own[0], { entry: "enter sq C1", own: true }, { entry: "settle mines:sq unharmed", own: false }), []);
  document.querySelector = find;
});
