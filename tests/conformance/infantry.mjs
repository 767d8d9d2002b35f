// A tiny engine that knows one feature of the suite, `infantry-entry`: one squad or leader of ASL enters one
// adjacent hex. It is written from the Terrain Chart and shares no code with marchtable.
import { createInterface } from "node:readline";

// MF to enter a hex by its terrain, Open Ground included; null: nobody enters it so; "?": nobody models it.
const TERRAIN = {
  "Open Ground": ["B1", 1], "Shellholes": ["B2", 1], "Runway": ["B7", 1], "Brush": ["B12", 2],
  "Vineyard": ["B12.7", 2], "Woods": ["B13", 2], "Orchard": ["B14", 1], "Cactus Patch": ["B14-cactus", 3],
  "Olive Grove": ["B14-olive", 2], "Grain": ["B15", 1.5], "Plowed Field": ["B15.6", 1.5], "Tower": ["B34.4", 2],
  "Marsh": ["B16", "ALL"], "Mudflats": ["B16-mudflat", 2], "Crags": ["B17", 2], "Graveyard": ["B18", 1],
  "Wooden Building": ["B23-wood", 2], "Stone Building": ["B23-stone", 2], "Stone Market Place": ["B23.73", 1],
  "Lumberyard": ["B23.211", 2], "Wooden Rubble": ["B24-wood", 3], "Stone Rubble": ["B24-stone", 3],
  "Rail Car": ["B32", 2], "Wrecked Rail Car": ["B32-wreck", 3], "Pine Woods": ["B13.82", 1.5],
  "Light Woods": ["B35", 2], "Debris": ["B37", 2], "Stone Bridge": ["B6", null], "Wooden Bridge": ["B6", null],
  "Canal": ["B21.4", null], "Ford": ["B20.81", "?"], "Flooded Stream": ["B20-flooded", "?"],
};
// MF more to cross a hexside; null: nobody crosses it.
const HEXSIDE = {
  "Wall": ["B9-wall", 1], "Hillside Wall": ["B9-wall", 1], "Hedge": ["B9-hedge", 1],
  "Hillside Hedge": ["B9-hedge", 1], "Bocage": ["B9.5", 2], "Rowhouse Wall": ["B23.71", 1],
  "Cliff": ["B11", null], "Road Block": ["B29", 1],
  "Cactus Hedge": ["A4.134b", null], "Railway Embankment": ["B32.2", "?"],
};
// Names that stand for a row of the chart: "Stone Building, 1 Level" is a Stone Building.
const row = (table, name) => table[name] ?? table[name.split(",")[0]];
const ALLOTMENT = { squad: 4, leader: 6 };

// Doubled coordinates: two hexes are adjacent if they differ by (1, 1) or (0, 2).
function place(name, lower) {
  const column = name.charCodeAt(0) - 65;
  const raised = (column % 2 === 0) === (lower === "BDF") ? 1 : 0;
  return [column, 2 * Number(name.slice(1)) - raised];
}

function adjacent(a, b, lower) {
  const [[u, v], [x, y]] = [place(a, lower), place(b, lower)];
  const across = Math.abs(u - x);
  return across + Math.abs(v - y) === 2 && (across === 1 || u === x);
}

function judge({ scene, log }) {
  const { hexes, hexsides = {}, lower } = scene.board;
  const [unit] = scene.units;
  const [, , to] = log[0].split(" ");
  if (!adjacent(unit.at, to, lower)) return { verdict: "ILLEGAL", clauses: ["A4.1b"] };
  const [clause, figure] = row(TERRAIN, hexes[to].terrain ?? "Open Ground") ?? [];
  const side = hexsides[`${unit.at}-${to}`] ?? hexsides[`${to}-${unit.at}`] ?? {};
  const [crossed, more] = side.terrain ? row(HEXSIDE, side.terrain) ?? [] : ["", 0];
  if (clause === undefined || crossed === undefined) {
    const unknown = clause === undefined ? "x-terrain" : "x-hexside";
    return { verdict: "UNSUPPORTED", clauses: [unknown] };
  }
  if (figure === "?" || more === "?") {
    return { verdict: "UNSUPPORTED", clauses: [figure === "?" ? clause : crossed] };
  }
  if (figure === null || more === null) {
    return { verdict: "ILLEGAL", clauses: [figure === null ? clause : crossed] };
  }
  const has = ALLOTMENT[unit.type];
  const cost = (figure === "ALL" ? has : figure) + more;
  if (cost > has) return { verdict: "ILLEGAL", clauses: ["A4.11b"] };
  return { verdict: "LEGAL", cost: { [unit.id]: cost } };
}

for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  const known = question.needs.includes("infantry-entry");
  console.log(JSON.stringify({ id: question.id, ...(known ? judge(question) : { verdict: "SKIP" }) }));
}
