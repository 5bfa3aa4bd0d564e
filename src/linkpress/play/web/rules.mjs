// The game's rules: a board, the edges between its squares, and what is wrong with a drawing.
// Nothing here knows of a page; node runs it as it stands.
//
// A cell is its row-major index. An edge is 2 × its upper or left cell, plus 1 where it runs down.
// A drawing holds for each cell the ways in which a line leaves it, as bits.

export const UP = 1;
export const LEFT = 2;
export const RIGHT = 4;
export const DOWN = 8;
export const WAYS = [UP, LEFT, RIGHT, DOWN];
export const SOLID = -1;

const OPPOSITE = { [UP]: DOWN, [LEFT]: RIGHT, [RIGHT]: LEFT, [DOWN]: UP };
const EXITS = Array.from({ length: 16 }, (_, bits) => WAYS.filter((way) => bits & way).length);

/** A board of rows × cols squares; `numbers[cell]` is its number, 0 for none or SOLID. */
export class Board {
  untouching = false; // whether a line that runs beside itself breaks a rule

  constructor(rows, cols, numbers) {
    this.rows = rows;
    this.cols = cols;
    this.numbers = numbers;
    this.size = rows * cols;
  }

  /** From its text: a letter a–z is a run of 1–26 empty squares, # a solid one, digits a number. */
  static read(rows, cols, text) {
    const numbers = [];
    for (const [token] of text.matchAll(/[a-z]|#|\d+/g)) {
      if (token === "#") numbers.push(SOLID);
      else if (token >= "a") numbers.push(...Array(token.charCodeAt(0) - 96).fill(0));
      else numbers.push(Number(token));
    }
    if (numbers.length !== rows * cols) throw new Error(`${numbers.length} squares for ${cols} × ${rows}`);
    return new Board(rows, cols, numbers);
  }

  /** The neighbour of a cell on one side, or -1 beyond the border. Solid squares count. */
  beside(cell, way) {
    if (way === UP) return cell - this.cols;
    if (way === DOWN) return cell + this.cols < this.size ? cell + this.cols : -1;
    if (way === LEFT) return cell % this.cols ? cell - 1 : -1;
    return (cell + 1) % this.cols ? cell + 1 : -1;
  }

  /** The way from a cell to a neighbour, 0 where they are none. */
  way(from, to) {
    return to < 0 ? 0 : (WAYS.find((way) => this.beside(from, way) === to) ?? 0);
  }

  isSolid(cell) {
    return this.numbers[cell] === SOLID;
  }

  /** How many ways a line may leave a cell. */
  capacity(cell) {
    return this.numbers[cell] > 0 ? 1 : this.isSolid(cell) ? 0 : 2;
  }

  /** The two cells of an edge. */
  ends(edge) {
    const cell = edge >> 1;
    return [cell, cell + (edge & 1 ? this.cols : 1)];
  }

  /** The edge between two neighbours. */
  edge(a, b) {
    return 2 * Math.min(a, b) + (Math.abs(a - b) === 1 && this.cols > 1 ? 0 : 1);
  }

  /** Each number's two cells, by rising number. */
  pairs() {
    const cells = new Map();
    this.numbers.forEach((number, cell) => {
      if (number > 0) cells.set(number, [...(cells.get(number) ?? []), cell]);
    });
    return [...cells].sort(([a], [b]) => a - b);
  }
}

/** The lines drawn on a board; every edge of it runs between two squares that are not solid. */
export class Lines {
  constructor(board, edges = []) {
    this.board = board;
    this.ways = new Uint8Array(board.size);
    for (const edge of edges) this.toggle(edge);
  }

  /** Draw an edge, or take it back. */
  toggle(edge) {
    const [a, b] = this.board.ends(edge);
    const way = edge & 1 ? DOWN : RIGHT;
    this.ways[a] ^= way;
    this.ways[b] ^= OPPOSITE[way];
  }

  has(a, b) {
    return (this.ways[a] & this.board.way(a, b)) !== 0;
  }

  /** How many ways a line leaves a cell. */
  exits(cell) {
    return EXITS[this.ways[cell]];
  }

  /** The cells next to one along its lines. */
  linked(cell) {
    return WAYS.filter((way) => this.ways[cell] & way).map((way) => this.board.beside(cell, way));
  }

  /** Every edge, in rising order. */
  edges() {
    const found = [];
    for (let cell = 0; cell < this.board.size; cell += 1) {
      if (this.ways[cell] & RIGHT) found.push(2 * cell);
      if (this.ways[cell] & DOWN) found.push(2 * cell + 1);
    }
    return found;
  }

  /** The cells of the line through one that no branch joins, from end to end; a loop's start comes once. */
  line(cell) {
    const walk = (from, next) => {
      const cells = [];
      let [before, here] = [from, next];
      while (here !== undefined && here !== cell) {
        cells.push(here);
        const onward = this.linked(here).filter((to) => to !== before);
        [before, here] = [here, onward.length === 1 ? onward[0] : undefined];
      }
      return { cells, loop: here === cell };
    };
    const [first, second] = this.linked(cell);
    if (first === undefined) return [cell];
    const one = walk(cell, first);
    if (second === undefined || one.loop) return [cell, ...one.cells];
    return [...one.cells.reverse(), cell, ...walk(cell, second).cells];
  }

  /** The number whose line a cell is on: 0 for a loose line, -1 where it joins two different ones. */
  numberOf(cells) {
    const found = [cells[0], cells.at(-1)].map((end) => Math.max(0, this.board.numbers[end]));
    if (found[0] && found[1] && found[0] !== found[1]) return -1;
    return found[0] || found[1];
  }

  /** Every connected set of drawn squares, in reading order, each sorted. */
  groups() {
    const seen = new Uint8Array(this.board.size);
    const found = [];
    for (let start = 0; start < this.board.size; start += 1) {
      if (seen[start] || !this.ways[start]) continue;
      const group = [start];
      seen[start] = 1;
      for (const cell of group) {
        for (const to of this.linked(cell)) {
          if (!seen[to]) group.push(to);
          seen[to] = 1;
        }
      }
      found.push(group.sort((a, b) => a - b));
    }
    return found;
  }
}

/** Breaches that a drawing has only because it is not finished. */
export const UNFINISHED = new Set(["dead end", "unjoined pair", "uncovered square"]);

/** Name the squares of a line that are neighbours though it does not lead from one to the other. */
function addTouches(lines, group, add) {
  const own = new Set(group);
  for (const cell of group) {
    for (const other of [RIGHT, DOWN].map((way) => lines.board.beside(cell, way))) {
      if (own.has(other) && !lines.has(cell, other)) add("beside itself", [cell, other]);
    }
  }
}

/**
 * Everything that is wrong with a drawing, as linkpress itself names it: {rule, cells, numbers}.
 * Empty for a right filling. What merely follows from a fault is left out: a pair is not also called
 * unjoined when its line ends dead or runs to another number.
 */
export function checkDrawing(lines) {
  const { board } = lines;
  const found = [];
  const faulty = new Set();
  const explained = new Set();
  const add = (rule, cells, numbers = []) => found.push({ rule, cells, numbers });

  for (let cell = 0; cell < board.size; cell += 1) {
    const number = board.numbers[cell];
    const exits = lines.exits(cell);
    const rule =
      number > 0 && exits > 1 ? "through a number" : exits === 3 ? "branch" : exits === 4 ? "crossing" : "";
    if (!rule) continue;
    add(rule, [cell], number > 0 ? [number] : []);
    faulty.add(cell);
  }
  for (const group of lines.groups()) {
    const before = found.length;
    const ends = group.filter((cell) => lines.exits(cell) === 1);
    const dead = ends.filter((cell) => board.numbers[cell] <= 0);
    for (const cell of dead) add("dead end", [cell]);
    const isFaulty = group.some((cell) => faulty.has(cell));
    if (!isFaulty) {
      const numbers = ends.map((cell) => board.numbers[cell]);
      if (!ends.length) add("closed loop", group);
      else if (!dead.length && numbers[0] !== numbers[1]) add("wrong pair joined", ends, numbers);
      else if (board.untouching) addTouches(lines, group, add);
    }
    if (isFaulty || found.length > before) group.forEach((cell) => explained.add(cell));
  }
  for (const [number, ends] of board.pairs()) {
    if (!ends.some((cell) => lines.ways[cell] || explained.has(cell))) add("unjoined pair", ends, [number]);
  }
  for (let cell = 0; cell < board.size; cell += 1) {
    if (!lines.ways[cell] && board.numbers[cell] === 0) add("uncovered square", [cell]);
  }
  return found;
}
