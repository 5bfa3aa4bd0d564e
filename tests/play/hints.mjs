// Unpacks hints from standard input; prints each step, and how often a hint leads on to the end.
import { readFileSync } from "node:fs";

const { Board, Lines, checkDrawing } = await import(`${process.env.WEB}/rules.mjs`);
const { markedLinks, nextHint, unpackHints } = await import(`${process.env.WEB}/hints.mjs`);
const { boards: texts, hints } = JSON.parse(readFileSync(0, "utf8"));
const boards = texts.map(({ rows, cols, text }) => Board.read(rows, cols, text));
const steps = await unpackHints(hints, boards);

function playedByHints(board, own) {
  const [lines, crosses, seen] = [new Lines(board), new Set(), new Set()];
  for (let count = 0; ; count += 1) {
    const hint = nextHint(own, { lines, crosses }, seen);
    if (hint.kind !== "step") return [hint.kind, count, checkDrawing(lines).length];
    if (!hint.edges.length) seen.add(hint.step);
    hint.edges.forEach((edge) => (hint.step.drawn ? lines.toggle(edge) : crosses.add(edge)));
  }
}

function mistake(board, own) {
  const [first] = own.find((step) => step.drawn).edges;
  const lines = new Lines(board);
  const known = new Set(own.flatMap((step) => step.edges));
  for (let edge = 0; edge < 2 * board.size; edge += 1) {
    const [a, b] = board.ends(edge);
    if (!board.way(a, b) || board.isSolid(a) || board.isSolid(b) || known.has(edge)) continue;
    if (!board.ends(first).some((cell) => cell === a || cell === b)) continue;
    lines.toggle(edge);
    const hint = nextHint(own, { lines, crosses: new Set() });
    return [hint.kind, edge, hint.edges ?? []];
  }
  return [];
}

console.log(
  JSON.stringify(
    boards.map((board, at) => ({
      steps: steps[at].map((step, place) => {
        const { text, nudge, values, drawn, cells, edges, back } = step;
        const links = markedLinks(step).map((link) => [link.mark, link.cells, link.number]);
        return { text, nudge, values, drawn, cells, edges, links, reasons: back.map((places) => place - places) };
      }),
      played: playedByHints(board, steps[at]),
      mistake: mistake(board, steps[at]),
    })),
  ),
);
