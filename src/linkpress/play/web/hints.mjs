// Hints: the ladder's steps, unpacked when the first is asked for and given away one at a time.
import { checkDrawing } from "./rules.mjs";
import { columnName, wrongOf } from "./telling.mjs";

const WAY_OFFSETS = { up: [-1, 0], left: [0, -1], right: [0, 1], down: [1, 0] }; // in the order of the chains

/** The steps of every puzzle, from the templates and the packed bytes of the page. */
export async function unpackHints(hints, boards) {
  const [templates, bytes] = await Promise.all([inflate(hints.templates), inflate(hints.steps)]);
  const table = JSON.parse(new TextDecoder().decode(templates));
  let at = 0;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at];
      at += 1;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  return boards.map((board) => Array.from({ length: number() }, () => readStep(board, table, number)));
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
function readStep(board, table, number) {
  const [text, drawn, rests, edges, gaps] = table[number()];
  const values = Array.from({ length: gaps }, number);
  const cellAt = (gap) => values[gap];
  return {
    text,
    values,
    back: Array.from({ length: number() }, number),
    chain: readChain(board, number),
    drawn: drawn === 1,
    cells: rests.map(cellAt),
    edges: edges.map(([from, to]) => {
      if (typeof to === "number") return board.edge(cellAt(from), cellAt(to));
      const [down, right] = WAY_OFFSETS[to];
      return board.edge(cellAt(from), cellAt(from) + down * board.cols + right);
    }),
  };
}

/** Each thing that follows: {inner, cells, number}, a number of 0 for an arrow and -1 for a cross. */
function readChain(board, number) {
  return Array.from({ length: number() }, () => {
    const kind = number();
    const cell = number();
    const inner = (kind & 16) > 0;
    if (kind & 8) return { inner, cells: [cell], number: number() };
    const [down, right] = Object.values(WAY_OFFSETS)[kind & 3];
    return { inner, cells: [cell, cell + down * board.cols + right], number: kind & 4 ? -1 : 0 };
  });
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
