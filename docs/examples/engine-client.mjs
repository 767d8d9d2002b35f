// A client of `marchtable engine` for Node.js 18 or later, without packages.
//
//     node engine-client.mjs [COMMAND ARG...]
//
// starts the engine (by default `marchtable engine`), opens a scene on the demo's board, plays a truck's
// way step by step, has an illegal step explained, and cancels a plan that would take long.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

class Engine {
  constructor(command, args) {
    this.child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.waiting = new Map();
    this.next = 1;
    createInterface({ input: this.child.stdout }).on("line", (line) => this.take(JSON.parse(line)));
    this.child.on("exit", () => this.fail(new Error("the engine has gone")));
    this.child.on("error", (error) => this.fail(error));
  }

  // Ask and await the result; `onProgress` receives the progress of a long question.
  ask(method, params = {}, onProgress = null) {
    const id = this.next++;
    const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject, onProgress }));
    this.send({ id, method, params: onProgress ? { ...params, progress: true } : params });
    return Object.assign(answer, { id });
  }

  // Have a question that is being answered stop; it answers all the same, with what it has found.
  cancel(id) {
    this.send({ method: "cancel", params: { id } });
  }

  send(message) {
    this.child.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
  }

  take(message) {
    if (message.method === "progress") {
      this.waiting.get(message.params.id)?.onProgress?.(message.params);
      return;
    }
    const asked = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.error) asked?.reject(new Error(`${message.error.code}: ${message.error.message}`));
    else asked?.resolve(message.result);
  }

  fail(error) {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}

const scene = {
  format: "marchtable/scene/2", rulebook: "asl", board: "demo", side: "german", phase: "MPh",
  conditions: { month: 6 },
  units: [
    { id: "truck", side: "german", at: "H4", type: "opel-blitz", facing: "E" },
    { id: "sq", side: "german", at: "H4", type: "squad" },
  ],
};

const [command = "marchtable", ...args] = process.argv.slice(2);
const engine = new Engine(command, args.length ? args : ["engine"]);

const about = await engine.ask("about");
console.log(`${about.name} speaks ${about.protocol}`);

let { position } = await engine.ask("open", { scene });
for (const action of ["start truck", "enter truck I5", "enter truck J4", "enter truck L4"]) {
  const played = await engine.ask("apply", { position, actions: [action] });
  const paid = played.check.receipts.map((one) => `${one.amount} ${one.points}, ${one.left} left`);
  console.log(`${played.check.status}: ${action} (${paid})`);
  if (played.position) position = played.position;
  else console.log(`  ${played.check.violations[0].message}`);
}

const { units } = await engine.ask("options", { position, unit: "truck", reach: false });
console.log(`the truck can now: ${units[0].actions.map((one) => one.action).join("; ")}`);

const reach = await engine.ask("reach", { position, unit: "truck" });
console.log(`${reach.locations.length} Locations within its reach`);

await engine.ask("options", { position: "p999" }).catch((error) => console.log(`rejected, ${error.message}`));

const goal = { format: "marchtable/goal/1", aims: [{ units: ["sq"], at: ["M7"] }] };
const plan = engine.ask("plan", { scene, goal, limit: 600 }, ({ line }) => {
  console.log(`planning: ${line}`);
  engine.cancel(plan.id);
});
console.log(`the plan was stopped or found: ${(await plan).status}`);

await engine.ask("shutdown");
