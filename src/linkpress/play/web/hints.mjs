// Hints: the ladder's steps, unpacked when the first is asked for and given away one at a time.
import { WAYS, checkDrawing } from "./rules.mjs";
import { columnName, wrongOf } from "./telling.mjs";

/** The steps of every puzzle, from the sentences and the packed streams of the page. */
export async function unpackHints({ templates, ...streams }, boards) {
  const [sentences, ...bytes] = await Promise.all([templates, ...Object.values(streams)].map(inflate));
  const read = new Streams(Object.keys(streams), bytes);
  const table = JSON.parse(new TextDecoder().decode(sentences));
  return boards.map((board) => times(read.next("kinds"), () => readStep(board, table, read)));
}

function times(count, make) {
  return Array.from({ length: count }, make);
}

/** Numbers of seven bits a byte, the lowest first; the top bit says that more follow. */
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

  /** A square, told by its distance from the one before. */
  nextCell() {
    this.cell += signed(this.next("cells"));
    return this.cell;
  }

  /** Squares, each told by its place among known ones from behind the last; or by itself. */
  among(known, count) {
    let after = 0;
    return times(count, () => {
      const told = this.next("places");
      if (!told) return this.nextCell();
      after += signed(told - 1) + 1;
      return known[after - 1];
    });
  }
}

/** What 0, 1, 2, 3, 4 … stand for: 0, -1, 1, -2, 2 … */
function signed(value) {
  return value % 2 ? -(value + 1) / 2 : value / 2;
}

async function inflate(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * One step: its sentence with gaps, what fills them, the cells it rests on, the edges it settles, how far
 * before it its reasons stand, and what follows from its supposition.
 */
function readStep(board, table, read) {
  const [text, drawn] = table[read.next("kinds")];
  const runs = times(read.next("kinds"), () => readRun(board, read));
  const gaps = [...text.matchAll(/\{([cn])\}/g)].map(([, kind]) => kind);
  const named = read.among(runs.flat(), gaps.filter((kind) => kind === "c").length);
  const fills = { c: named.values(), n: times(gaps.length - named.length, () => read.next("places")).values() };
  const rests = read.next("kinds");
  return {
    text,
    values: gaps.map((kind) => fills[kind].next().value),
    drawn: drawn === 1,
    cells: rests ? read.among([...named, ...runs.flat()], rests - 1) : [...new Set(named)],
    edges: runs.flatMap((cells) => cells.slice(1).map((to, index) => board.edge(cells[index], to))),
    back: times(read.next("kinds"), () => read.next("kinds")),
    chain: times(read.next("kinds"), () => readLink(board, read)),
  };
}

/** Squares one behind the other. */
function readRun(board, read) {
  const count = read.next("kinds");
  const cells = [read.nextCell()];
  for (let left = count; left; left -= 1) cells.push(board.beside(cells.at(-1), WAYS[read.next("ways")]));
  read.cell = cells.at(-1);
  return cells;
}

/** One thing that follows: {inner, cells, number}, a number of 0 for an arrow and -1 for a cross. */
function readLink(board, read) {
  const [kind, cell] = [read.next("kinds"), read.next("kinds")];
  const inner = (kind & 16) > 0;
  if (kind & 8) return { inner, cells: [cell], number: read.next("kinds") };
  return { inner, cells: [cell, board.beside(cell, WAYS[kind & 3])], number: kind & 4 ? -1 : 0 };
}

/**
 * What to tell a reader who is stuck.
 *
 * {kind: "fault", breaches}: a rule is broken. {kind: "mistake", edges}: these lines are not part of
 * the solution. {kind: "step", step, reasons}: the next line, with what closed the other ways out.
 * {kind: "done"} or {kind: "none"}: nothing is left to say.
 */
export function nextHint(steps, lines) {
  const breaches = checkDrawing(lines);
  const wrong = wrongOf(breaches);
  if (wrong.length) return { kind: "fault", breaches: wrong };
  if (!breaches.length) return { kind: "done" };
  const mistakes = mistakenEdges(steps, lines);
  if (mistakes.length) return { kind: "mistake", edges: mistakes };
  const drawn = new Set(lines.edges());
  const at = steps.findIndex((step) => step.drawn && step.edges.some((edge) => !drawn.has(edge)));
  if (at < 0) return { kind: "none" };
  return { kind: "step", step: steps[at], reasons: steps[at].back.map((places) => steps[at - places]) };
}

/** Drawn edges at squares of which the steps know all edges, and these are others. */
function mistakenEdges(steps, lines) {
  const { board } = lines;
  const known = new Set(steps.flatMap((step) => (step.drawn ? step.edges : [])));
  const exits = new Map();
  for (const edge of known) for (const cell of board.ends(edge)) exits.set(cell, (exits.get(cell) ?? 0) + 1);
  const isSettled = (cell) => exits.get(cell) === board.capacity(cell);
  return lines.edges().filter((edge) => !known.has(edge) && board.ends(edge).some(isSettled));
}

/**
 * The links of the chains of some steps, each with its mark: 1, 2, 3 through all of them; those of a chain
 * that leads to 3 are 3a, 3b. `begins` is what is supposed of a
 * line that is drawn.
 */
export function markedLinks(steps) {
  let [count, letters] = [0, 0];
  return steps.flatMap(({ chain, drawn }) =>
    chain.map((link, place) => {
      if (!link.inner) [count, letters] = [count + 1, 0];
      else letters += 1;
      const mark = link.inner ? `${count + 1}${columnName(letters - 1).toLowerCase()}` : String(count);
      return { ...link, mark, begins: place === 0 && drawn };
    }),
  );
}
