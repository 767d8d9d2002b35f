// Labels over the map.

import assert from "node:assert/strict";
import { test } from "node:test";

const { besideOf, Drawn, placed } = await import("../../../solver/marchtable/web/static/drawn.js");

const tag = (x, y, text, more = {}) => ({ x, y, offs: [66, -66], text, kind: "way", size: 24, ...more });
const apart = (one, other) => Math.abs(one.x - other.x) >= (one.wide + other.wide) / 2 || Math.abs(one.y - other.y) >= (one.high + other.high) / 2;

test("no label covers another: it goes above its hex, or is left out if it is not needed", () => {
  const found = placed([tag(0, 0, "B23.41", { must: true }), tag(20, 0, "14"), tag(10, 0, "12"), tag(300, 0, "6")]);
  assert.deepEqual(found.map(({ text, y }) => [text, y]), [["B23.41", 66], ["14", -66], ["6", 66]]);
  for (const one of found) for (const other of found) assert.ok(one === other || apart(one, other));
});

test("what must be read is written all the same", () => {
  const must = { must: true, offs: [0] };
  assert.equal(placed([tag(0, 0, "lead", must), tag(0, 0, "second", must)]).length, 2);
});

test("a label covers no counter if another place is free", () => {
  const tag = { x: 0, y: 0, offs: [-100, 100], text: "r3", kind: "goal", size: 26, must: true };
  assert.equal(placed([tag], [{ x: 0, y: -100, wide: 90, high: 90 }])[0].y, 100);
  assert.equal(placed([tag], [{ x: 0, y: -100, wide: 90, high: 90 }, { x: 0, y: 100, wide: 90, high: 90 }])[0].y, -100);
});

test("a way that ends in Bypass ends at the hexside or vertex that the unit stands at", () => {
  const steps = [[0, -2], [1, -1], [1, 1], [0, 2], [-1, 1], [-1, -1]];
  const spot = (aside) => Drawn.prototype.spot.call({ colours: { steps } }, { x: 0, y: 0 }, aside).map(Math.round);
  assert.deepEqual([besideOf(3), spot(3)], ["along the S hexside", [0, 62]]);
  assert.deepEqual([besideOf(1.5), spot(1.5)], ["at the E vertex", spot("E")]);
});
