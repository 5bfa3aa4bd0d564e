// The game's rules and strokes, tested by `node --test`; test_game.py runs it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const { Board, Lines, SOLID, checkDrawing } = await import(`${process.env.WEB}/rules.mjs`);
const { Drawing, Stroke, crossOn } = await import(`${process.env.WEB}/drawing.mjs`);
const { Store, merged } = await import(`${process.env.WEB}/store.mjs`);

/** A drawing from rows of squares, as link text has them. */
function board(...rows) {
  const numbers = rows.flatMap((row) => row.split(" ").map((word) => (word === "#" ? SOLID : Number(word) || 0)));
  return new Board(rows.length, rows[0].split(" ").length, numbers);
}

/** Draw from cell to cell. */
function draw(drawing, ...cells) {
  const stroke = new Stroke(drawing, cells[0]);
  const moved = cells.slice(1).map((cell) => stroke.move(cell));
  stroke.end();
  return moved;
}

const THREE_BY_FOUR = () => board("1 . . 1", ". # . .", "2 . . 2");

test("a board's text is read back square by square", () => {
  const read = Board.read(3, 4, "1b1a#b2b2");
  assert.deepEqual(read.numbers, THREE_BY_FOUR().numbers);
  assert.throws(() => Board.read(3, 4, "1b1"), /4 squares for 4 × 3/);
});

test("a stroke draws over free squares only", () => {
  const drawing = new Drawing(THREE_BY_FOUR());
  assert.deepEqual(draw(drawing, 0, 1, 5), [true, false]); // 5 is solid
  assert.deepEqual(drawing.lines.edges(), [0]);
});

test("moving back over the stroke undoes it", () => {
  const drawing = new Drawing(THREE_BY_FOUR());
  draw(drawing, 0, 1, 2, 1);
  assert.deepEqual(drawing.lines.edges(), [0]);
});

test("a stroke from the end of a line removes the line", () => {
  const drawing = new Drawing(THREE_BY_FOUR());
  draw(drawing, 0, 1, 2, 6);
  draw(drawing, 6, 2, 1);
  assert.deepEqual(drawing.lines.edges(), [0]);
});

test("a stroke does not run through a number that has its line, or through its own", () => {
  const drawing = new Drawing(board("1 . . 1", ". . . .", "2 . . 2"));
  draw(drawing, 0, 1, 2, 3);
  assert.deepEqual(draw(drawing, 7, 3), [false]);
  draw(drawing, 8, 4, 5, 6);
  assert.deepEqual(draw(drawing, 6, 10, 9, 5), [true, true, false]);
});

test("a stroke cuts another line where it crosses it, and undo brings that back", () => {
  const drawing = new Drawing(THREE_BY_FOUR());
  draw(drawing, 0, 1, 2, 3);
  assert.deepEqual(draw(drawing, 10, 6, 2), [true, true]);
  assert.deepEqual(drawing.lines.line(2), [2, 6, 10]);
  assert.deepEqual(drawing.lines.line(0), [0, 1]);
  drawing.undo();
  assert.deepEqual(drawing.lines.edges(), [0, 2, 4]);
});

test("a drag round a corner goes beside another line rather than through it", () => {
  const drawing = new Drawing(board("1 . . 1", ". . . .", "2 . . 2"));
  draw(drawing, 1, 2);
  draw(drawing, 2, 3);
  const stroke = new Stroke(drawing, 6);
  stroke.moveTowards(1); // up would cut the line at 2, left is free
  assert.deepEqual(stroke.steps.map(({ to }) => to), [5, 1]);
});

test("crosses are kept with the strokes, and a line drawn over one takes it away", () => {
  const drawing = new Drawing(THREE_BY_FOUR());
  drawing.apply([crossOn(0)]);
  assert.deepEqual([...drawing.crosses], [0]);
  assert.deepEqual(drawing.lines.edges(), []);
  draw(drawing, 0, 1);
  assert.deepEqual([...drawing.crosses], []);
  drawing.undo();
  assert.deepEqual([...drawing.crosses], [0]);
  drawing.clear();
  assert.ok(drawing.isEmpty);
});

test("a trial is undone as a whole, and earlier strokes stay", () => {
  const drawing = new Drawing(THREE_BY_FOUR());
  draw(drawing, 0, 1);
  drawing.setTrial(1);
  draw(drawing, 1, 2);
  draw(drawing, 8, 9);
  assert.deepEqual([...drawing.tried], [2, 16]);
  drawing.undoTrial();
  assert.deepEqual(drawing.lines.edges(), [0]);
  drawing.setTrial(1);
  drawing.undo();
  assert.equal(drawing.trial, null);
});

test("a new line from a number removes its old line", () => {
  const drawing = new Drawing(THREE_BY_FOUR());
  draw(drawing, 0, 1, 2);
  draw(drawing, 0, 4);
  assert.deepEqual(drawing.lines.edges(), [1]);
});

test("a stroke that meets its own tail goes on from there", () => {
  const drawing = new Drawing(board("1 . . 1", ". . . .", "2 . . 2"));
  draw(drawing, 0, 1, 2, 6, 5, 1);
  assert.deepEqual(drawing.lines.edges(), [0]);
});

test("a stroke joins a loose line and walks along it", () => {
  const drawing = new Drawing(board("1 . . 1", ". . . .", "2 . . 2"));
  draw(drawing, 5, 6);
  draw(drawing, 0, 4, 5, 6, 7);
  assert.deepEqual(drawing.lines.line(0), [0, 4, 5, 6, 7]);
});

test("undo and redo go through every stroke, and a new stroke forgets what was undone", () => {
  const drawing = new Drawing(THREE_BY_FOUR());
  for (let round = 0; round < 500; round += 1) draw(drawing, 0, round % 2 ? 0 : 1, round % 2 ? 4 : 2);
  const count = drawing.history.length;
  const last = drawing.lines.edges();
  while (drawing.undo());
  assert.ok(drawing.isEmpty);
  assert.equal(drawing.undone.length, count);
  while (drawing.redo());
  assert.deepEqual(drawing.lines.edges(), last);
  drawing.undo();
  drawing.clear();
  assert.equal(drawing.redo(), false);
});

test("starting again can be undone", () => {
  const drawing = new Drawing(THREE_BY_FOUR());
  draw(drawing, 0, 1, 2);
  drawing.clear();
  assert.ok(drawing.isEmpty);
  drawing.undo();
  assert.deepEqual(drawing.lines.edges(), [0, 2]);
});

test("with the rule untouching, a line may not run beside itself", () => {
  const turning = new Lines(Board.read(2, 3, "1b1b"), [0, 2, 5, 8, 6]);
  assert.deepEqual(checkDrawing(turning), []);
  turning.board.untouching = true;
  const found = checkDrawing(turning).map(({ rule, cells }) => [rule, cells]);
  assert.deepEqual(found, [["beside itself", [0, 3]], ["beside itself", [1, 4]]]);
  const apart = new Lines(Board.read(2, 3, "1a1,2a2"), [0, 2, 6, 8]);
  apart.board.untouching = true;
  assert.deepEqual(checkDrawing(apart), []);
});

test("a drawing that was stored is loaded unchanged", () => {
  const kept = new Map();
  const storage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
  const drawing = new Drawing(THREE_BY_FOUR());
  draw(drawing, 0, 1, 2);
  new Store(storage, "book").saveProgress("mark", { ...drawing, seconds: 7, solved: false, changed: 1 });
  const back = new Store(storage, "book").progress("mark");
  const again = new Drawing(THREE_BY_FOUR());
  again.load(back);
  assert.deepEqual(again.lines.edges(), [0, 2]);
  assert.equal(back.seconds, 7);
  storage.setItem("linkpress/book/mark", "{broken");
  assert.deepEqual(new Store(storage, "book").progress("mark").history, []);
  assert.deepEqual(new Store(undefined, "book").progress("mark").history, []);
});

test("of two pages the later drawing is kept, and solved stays solved", () => {
  const early = { history: [[0]], seconds: 90, solved: true, best: { seconds: 90, hints: 0 }, changed: 1 };
  const late = { history: [[2]], seconds: 20, solved: false, best: { seconds: 70, hints: 1 }, changed: 2 };
  assert.deepEqual(merged(early, late), { ...late, solved: true, best: early.best });
  assert.deepEqual(merged(late, early), { ...late, solved: true, best: early.best });
  assert.equal(merged(late, { ...late, seconds: 30 }).seconds, 30);
});

test("values that a full storage refuses are kept until it accepts them", () => {
  const kept = new Map();
  const full = () => {
    throw new Error("full");
  };
  const storage = { getItem: (key) => kept.get(key) ?? null, setItem: full };
  const store = new Store(storage, "book");
  store.saveProgress("mark", { history: [[0]], undone: [], seconds: 7, solved: true, changed: 1 });
  assert.equal(store.progress("mark").solved, true);
  assert.equal(store.refused.size, 1);
  storage.setItem = (key, value) => kept.set(key, value);
  store.saveProgress("mark", store.progress("mark"));
  assert.equal(store.refused.size, 0);
});

test("invalid seconds in the storage are ignored", () => {
  for (const [seconds, read] of [[-5, 0], ["many", 0], [1e300, 0], [{}, 0], [61.7, 61]]) {
    const storage = { getItem: () => JSON.stringify({ seconds }) };
    assert.equal(new Store(storage, "book").progress("mark").seconds, read);
  }
});

test("a loop, which no stroke can draw, is reported", () => {
  const square = new Lines(board("1 . . 1", ". . . .", "2 . . 2"), [2, 2 * 5, 2 * 1 + 1, 2 * 2 + 1]);
  assert.deepEqual(checkDrawing(square)[0], { rule: "closed loop", cells: [1, 2, 5, 6], numbers: [] });
});

const { inksOf } = await import(`${process.env.WEB}/board_view.mjs`);
const { breachText, clock, openText, placeOf, stepText } = await import(`${process.env.WEB}/phrases.mjs`);
const { nextHint } = await import(`${process.env.WEB}/hints.mjs`);
const words = JSON.parse(process.env.WORDS);

test("numbers of one ink stand apart", () => {
  const inks = inksOf(board("1 2 3 4 5 6 7 8 9 .", "1 2 3 4 5 6 7 8 9 .", ". . . . . . . . . ."));
  assert.equal(new Set([...inks.values()].slice(0, 8)).size, 8);
  assert.equal(inks.get(9), inks.get(1)); // the farthest from it
});

test("dots have one ink after the other, also if the board skips a number", () => {
  const inks = inksOf(board("1 3 4 .", "1 3 4 ."), 2);
  assert.deepEqual([...inks], [[1, 0], [3, 1], [4, 0]]);
});

test("the clock has hours only where they are needed", () => {
  assert.deepEqual([0, 65, 3600].map(clock), ["0:00", "1:05", "1:00:00"]);
});

test("missing lines are counted, and a broken rule is named with its places", () => {
  const lines = new Lines(THREE_BY_FOUR(), [0]);
  assert.equal(
    openText(words, checkDrawing(lines)),
    "So far, so good. One loose end. One pair still to join. 6 squares still empty.",
  );
  const crossed = new Lines(board("1 . . 1", ". . . .", "2 . . 2"), [8, 10, 3, 11]);
  const [first] = checkDrawing(crossed);
  assert.equal(breachText(words, crossed.board, [first]), `${words.breaches.crossing} At B2.`);
});

test("a caption is for all readers, and the sentence for screen readers", () => {
  const text = "the {n} at {c} can only go right\nThe {n} can only meet through {c}.";
  const step = { text, values: [1, 0, 1, 4], cells: [0], edges: [0] };
  const { caption, unseen, names } = stepText(words, THREE_BY_FOUR(), step);
  assert.equal(caption, "The 1 can only meet through A2.");
  assert.deepEqual([...names], [[4, "A2"]]);
  assert.equal(unseen, "The 1 at A1 can only go right.");
  assert.equal(stepText(words, THREE_BY_FOUR(), step, () => "red").caption, "The red can only meet through A2.");
});

test("each part of a board has a name: nine parts, two sides, the middle columns and rows, and all", () => {
  const large = board(...Array.from({ length: 9 }, (_, row) => (row ? ". . . . . . . . ." : "1 . . . . . . . 1")));
  const squares = Array.from({ length: 81 }, (_, cell) => [cell]);
  const more = [[0, 80], [4, 76], [36, 44], [0, 8, 72], [0, 8, 80], [0, 72, 80], [8, 72, 80]];
  const keys = [...squares, ...more].map((cells) => placeOf(large, cells).key);
  assert.deepEqual([...new Set(keys)].sort(), Object.keys(words.places).sort());
  assert.equal(placeOf(large, [40]).key, "middle");
  assert.equal(placeOf(large, [0]).cells.length, 9);
});

test("the part of a board that is named holds all the squares", () => {
  const large = board(...Array.from({ length: 9 }, (_, row) => (row ? ". . . . . . . . ." : "1 . . . . . . . 1")));
  assert.deepEqual([placeOf(large, [72, 80, 76]).key, placeOf(large, [72, 80, 76]).cells.length], ["bottom", 27]);
  assert.deepEqual([placeOf(large, [0, 1, 80]).key, placeOf(large, [0, 1, 80]).cells.length], ["whole", 81]);
  assert.equal(placeOf(large, [3, 36]).key, "top_left");
  assert.equal(placeOf(large, [42, 43]).key, "right");
  assert.equal(placeOf(large, [20, 60]).key, "middle");
  assert.equal(placeOf(large, [57, 71]).key, "bottom"); // columns D to I are more than the right half
  assert.equal(placeOf(large, [56, 57]).key, "bottom_left"); // C7 and D7, though D is in the middle third
});

test("a hint is the earliest step that the next line needs, unless its crosses are set", () => {
  const lines = new Lines(THREE_BY_FOUR());
  const steps = [
    { drawn: false, edges: [1], cells: [0], back: [] },
    { drawn: true, edges: [0], cells: [0], back: [1] },
  ];
  assert.equal(nextHint(steps, { lines, crosses: new Set() }).step, steps[0]);
  assert.equal(nextHint(steps, { lines, crosses: new Set([1]) }).step, steps[1]);
});

test("a page from the network is shown even if the device has no room to store it", async () => {
  const worker = readFileSync(new URL(`${process.env.WEB}/sw.js`), "utf8");
  const caches = { open: async () => ({ put: () => Promise.reject(new Error("QuotaExceededError")) }), match: async () => undefined };
  const names = ["addEventListener", "caches", "fetch"];
  const fresh = new Function(...names, `${worker}; return fresh;`)(() => {}, caches, async () => new Response("today"));
  assert.equal(await (await fresh({})).text(), "today");
});
