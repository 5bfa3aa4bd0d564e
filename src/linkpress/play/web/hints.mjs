// Hints: the steps of each solve, which are unpacked at the first hint and then shown one at a time.
//
// The page holds them in a packed form, which linkpress/play/page.py writes and describes.
import { WAYS, checkDrawing } from "./rules.mjs";
import { columnName, wrongOf } from "./phrases.mjs";

/** Return the steps of every puzzle, unpacked from the sentences and number streams of the page. */
export async function unpackHints({ templates, ...packed }, boards) {
  const [sentences, ...bytes] = await Promise.all([templates, ...Object.values(packed)].map(inflate));
  const streams = new Streams(Object.keys(packed), bytes);
  const table = JSON.parse(new TextDecoder().decode(sentences));
  return boards.map((board) => times(streams.next("kinds"), () => readStep(board, table, streams)));
}

function times(count, make) {
  return Array.from({ length: count }, make);
}

/** Reader of streams of numbers. Each byte has seven bits of a number, lowest first, and a top bit if more follow. */
class Streams {
  constructor(names, bytes) {
    this.streams = new Map(names.map((name, index) => [name, { bytes: bytes[index], at: 0 }]));
    this.cell = 0;
  }

  next(name) {
    const stream = this.streams.get(name);
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = stream.bytes[stream.at];
      stream.at += 1;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  }

  /** Read a square, which is stored as its distance from the previous one. */
  nextCell() {
    this.cell += signed(this.next("cells"));
    return this.cell;
  }

  /**
   * Read `count` squares. Each is stored as its index in a list of known squares, relative to the index after the
   * last one. The code 0 means that the square itself follows.
   */
  among(known, count) {
    let after = 0;
    return times(count, () => {
      const code = this.next("places");
      if (!code) return this.nextCell();
      after += signed(code - 1) + 1;
      return known[after - 1];
    });
  }
}

/** Map 0, 1, 2, 3, 4 to 0, -1, 1, -2, 2, and so on. */
function signed(value) {
  return value % 2 ? -(value + 1) / 2 : value / 2;
}

async function inflate(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * Read a step: {text, nudge, values, drawn, runs, cells, edges, back, chain}.
 *
 * `text` has the sentence in its first line and the caption in its second. `values` fill their gaps. `drawn` is
 * whether the step draws its edges or rules them out. `runs` are the pieces of lines that the edges form, in the
 * order in which they can be found. `cells` are the squares that the step rests on. `back` says for each step that
 * it needs how many steps earlier that step is. `chain` has the consequences of a supposition.
 */
function readStep(board, table, streams) {
  const [text, nudge, drawn] = table[streams.next("kinds")];
  const runs = times(streams.next("kinds"), () => readRun(board, streams));
  const gaps = [...text.matchAll(/\{([cn])\}/g)].map(([, kind]) => kind);
  const named = streams.among(runs.flat(), gaps.filter((kind) => kind === "c").length);
  const fills = { c: named.values(), n: times(gaps.length - named.length, () => streams.next("places")).values() };
  const rests = streams.next("kinds");
  return {
    text,
    nudge,
    values: gaps.map((kind) => fills[kind].next().value),
    drawn: drawn === 1,
    runs,
    cells: rests ? streams.among([...named, ...runs.flat()], rests - 1) : [...new Set(named)],
    edges: runs.flatMap((cells) => cells.slice(1).map((to, index) => board.edge(cells[index], to))),
    back: times(streams.next("kinds"), () => streams.next("kinds")),
    chain: times(streams.next("kinds"), () => readLink(board, streams)),
  };
}

/** Read a run: squares, each next to the one before. */
function readRun(board, streams) {
  const count = streams.next("kinds");
  const cells = [streams.nextCell()];
  for (let left = count; left; left -= 1) cells.push(board.beside(cells.at(-1), WAYS[streams.next("ways")]));
  streams.cell = cells.at(-1);
  return cells;
}

/**
 * Read one consequence of a supposition: {inner, bare, cells, number}.
 *
 * `inner` is whether it belongs to a chain inside the chain, and `bare` whether it has no mark. `number` is 0 for an arrow and -1 for a cross.
 */
function readLink(board, streams) {
  const [kind, cell] = [streams.next("kinds"), streams.next("kinds")];
  const [inner, bare] = [(kind & 16) > 0, (kind & 32) > 0];
  if (kind & 8) return { inner, bare, cells: [cell], number: streams.next("kinds") };
  return { inner, bare, cells: [cell, board.beside(cell, WAYS[kind & 3])], number: kind & 4 ? -1 : 0 };
}

/**
 * Return a hint for a drawing. `seen` are the steps without edges that the player has read.
 *
 * {kind: "breach", breaches}: the drawing breaks these rules.
 * {kind: "mistake", edges}: these edges are not part of the solution.
 * {kind: "step", step, edges}: the next step, and its edges that are not drawn or crossed out yet.
 * {kind: "done"}: the board is solved.
 * {kind: "none"}: there is no further step.
 */
export function nextHint(steps, { lines, crosses }, seen = new Set()) {
  const breaches = checkDrawing(lines);
  const wrong = wrongOf(breaches);
  if (wrong.length) return { kind: "breach", breaches: wrong };
  if (!breaches.length) return { kind: "done" };
  const mistakes = mistakenEdges(steps, lines);
  if (mistakes.length) return { kind: "mistake", edges: mistakes };
  const { board } = lines;
  const isFull = (cell) => lines.exits(cell) === board.capacity(cell);
  const isClosed = (edge) => crosses.has(edge) || board.ends(edge).some(isFull);
  const left = (step) => step.edges.filter((edge) => !(step.drawn ? lines.has(...board.ends(edge)) : isClosed(edge)));
  const isDone = (step) => (step.edges.length ? !left(step).length : seen.has(step));
  // The first step that draws a line, or the earliest of the steps that it needs.
  let index = steps.findIndex((step) => step.drawn && !isDone(step));
  if (index < 0) return { kind: "none" };
  for (let needed = index; needed >= 0; ) {
    index = needed;
    needed = steps[index].back.map((count) => index - count).find((place) => !isDone(steps[place])) ?? -1;
  }
  return { kind: "step", step: steps[index], edges: left(steps[index]) };
}

/** Return the drawn edges that contradict the steps: one of their squares has all its edges elsewhere. */
function mistakenEdges(steps, lines) {
  const { board } = lines;
  const known = new Set(steps.flatMap((step) => (step.drawn ? step.edges : [])));
  const exits = new Map();
  for (const edge of known) for (const cell of board.ends(edge)) exits.set(cell, (exits.get(cell) ?? 0) + 1);
  const isSettled = (cell) => exits.get(cell) === board.capacity(cell);
  return lines.edges().filter((edge) => !known.has(edge) && board.ends(edge).some(isSettled));
}

/**
 * Return the consequences of a step's supposition, with a mark to show on the board.
 *
 * The marks are 1, 2, 3 … A link has none if it continues the line of the link before it, or if the order of the links
 * doesn't matter. An inner chain that leads to consequence 3 is marked 3a, 3b … A link has `begins` if it is the first
 * and the step draws a line there.
 */
export function markedLinks({ chain, drawn }) {
  let [count, letters] = [0, 0];
  return chain.map((link, index) => {
    const begins = index === 0 && drawn;
    if (link.bare) return { ...link, mark: "", begins };
    if (!link.inner) [count, letters] = [count + 1, 0];
    else letters += 1;
    const mark = link.inner ? `${count + 1}${columnName(letters - 1).toLowerCase()}` : String(count);
    return { ...link, mark, begins };
  });
}
