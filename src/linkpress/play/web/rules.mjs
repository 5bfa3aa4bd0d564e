// The rules of the game: the board, the lines on it, and the check for broken rules.
// This module uses no browser API, so the tests run it in Node.
//
// A cell is an index in row-major order. An edge joins two neighbouring cells. Its number is twice its upper or
// left cell, plus 1 if the edge is vertical. A direction is one bit: UP, LEFT, RIGHT or DOWN. For each cell,
// `Lines` stores the directions in which a line leaves the cell.

export const UP = 1;
export const LEFT = 2;
export const RIGHT = 4;
export const DOWN = 8;
export const WAYS = [UP, LEFT, RIGHT, DOWN];
export const SOLID = -1;

const OPPOSITE = { [UP]: DOWN, [LEFT]: RIGHT, [RIGHT]: LEFT, [DOWN]: UP };
const EXITS = Array.from({ length: 16 }, (_, bits) => WAYS.filter((way) => bits & way).length);

/** Board of rows × cols squares. `numbers[cell]` is the number in a cell, 0 if the cell is empty, or SOLID. */
export class Board {
  untouching = false; // whether the rules forbid a line that runs beside itself

  constructor(rows, cols, numbers) {
    this.rows = rows;
    this.cols = cols;
    this.numbers = numbers;
    this.size = rows * cols;
  }

  /**
   * Read a board from its text. A letter from a to z means 1 to 26 empty squares. A # means a solid square.
   * Digits are a number.
   */
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

  /** Return the neighbour of a cell in a direction, even if it is solid; -1 if there is none. */
  beside(cell, way) {
    if (way === UP) return cell - this.cols;
    if (way === DOWN) return cell + this.cols < this.size ? cell + this.cols : -1;
    if (way === LEFT) return cell % this.cols ? cell - 1 : -1;
    return (cell + 1) % this.cols ? cell + 1 : -1;
  }

  /** Return the direction from a cell to a neighbour; 0 if the cells are no neighbours. */
  way(from, to) {
    return to < 0 ? 0 : (WAYS.find((way) => this.beside(from, way) === to) ?? 0);
  }

  isSolid(cell) {
    return this.numbers[cell] === SOLID;
  }

  /** Return how many edges a cell has in a solved board. */
  capacity(cell) {
    return this.numbers[cell] > 0 ? 1 : this.isSolid(cell) ? 0 : 2;
  }

  /** Return the two cells that an edge joins. */
  ends(edge) {
    const cell = edge >> 1;
    return [cell, cell + (edge & 1 ? this.cols : 1)];
  }

  /** Return the edge that joins two neighbours. */
  edge(a, b) {
    return 2 * Math.min(a, b) + (Math.abs(a - b) === 1 && this.cols > 1 ? 0 : 1);
  }

  /** Return each number with its two cells, sorted by number. */
  pairs() {
    const cells = new Map();
    this.numbers.forEach((number, cell) => {
      if (number > 0) cells.set(number, [...(cells.get(number) ?? []), cell]);
    });
    return [...cells].sort(([a], [b]) => a - b);
  }
}

/** Lines that are drawn on a board. No edge of them touches a solid square. */
export class Lines {
  constructor(board, edges = []) {
    this.board = board;
    this.ways = new Uint8Array(board.size);
    for (const edge of edges) this.toggle(edge);
  }

  /** Draw an edge, or remove it if it is drawn. */
  toggle(edge) {
    const [a, b] = this.board.ends(edge);
    const way = edge & 1 ? DOWN : RIGHT;
    this.ways[a] ^= way;
    this.ways[b] ^= OPPOSITE[way];
  }

  has(a, b) {
    return (this.ways[a] & this.board.way(a, b)) !== 0;
  }

  /** Return the number of drawn edges at a cell. */
  exits(cell) {
    return EXITS[this.ways[cell]];
  }

  /** Return the neighbours to which drawn edges lead from a cell. */
  linked(cell) {
    return WAYS.filter((way) => this.ways[cell] & way).map((way) => this.board.beside(cell, way));
  }

  /** Return all drawn edges, sorted. */
  edges() {
    const edges = [];
    for (let cell = 0; cell < this.board.size; cell += 1) {
      if (this.ways[cell] & RIGHT) edges.push(2 * cell);
      if (this.ways[cell] & DOWN) edges.push(2 * cell + 1);
    }
    return edges;
  }

  /**
   * Return the cells of the line through a cell, from one end to the other. The line ends where it branches. A
   * loop begins at the cell itself, which is not repeated at the end.
   */
  line(cell) {
    const walk = (from, next) => {
      const cells = [];
      let [previous, current] = [from, next];
      while (current !== undefined && current !== cell) {
        cells.push(current);
        const onward = this.linked(current).filter((to) => to !== previous);
        [previous, current] = [current, onward.length === 1 ? onward[0] : undefined];
      }
      return { cells, loop: current === cell };
    };
    const [first, second] = this.linked(cell);
    if (first === undefined) return [cell];
    const one = walk(cell, first);
    if (second === undefined || one.loop) return [cell, ...one.cells];
    return [...one.cells.reverse(), cell, ...walk(cell, second).cells];
  }

  /** Return the number at an end of a line; 0 if there is none, -1 if the ends have different numbers. */
  numberOf(cells) {
    const [first, last] = [cells[0], cells.at(-1)].map((end) => Math.max(0, this.board.numbers[end]));
    return first && last && first !== last ? -1 : first || last;
  }

  /** Return the connected sets of drawn cells, each sorted, in the order of their first cells. */
  groups() {
    const seen = new Uint8Array(this.board.size);
    const groups = [];
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
      groups.push(group.sort((a, b) => a - b));
    }
    return groups;
  }
}

/** Breaches of rules that only show that a drawing is not finished. */
export const UNFINISHED = new Set(["dead end", "unjoined pair", "uncovered square"]);

/** Report neighbouring squares of the same line that the line does not join directly. */
function addTouches(lines, group, add) {
  const ofLine = new Set(group);
  for (const cell of group) {
    for (const other of [RIGHT, DOWN].map((way) => lines.board.beside(cell, way))) {
      if (ofLine.has(other) && !lines.has(cell, other)) add("beside itself", [cell, other]);
    }
  }
}

/**
 * Return the breaches of rules in a drawing, each as {rule, cells, numbers}; none if the board is solved.
 *
 * The names of the rules are the same as in linkpress's own checker. Consequences of another breach are left
 * out: a pair is not also reported as unjoined if its line has a dead end or leads to another number.
 */
export function checkDrawing(lines) {
  const { board } = lines;
  const breaches = [];
  const branching = new Set();
  const explained = new Set(); // cells of groups with a breach
  const add = (rule, cells, numbers = []) => breaches.push({ rule, cells, numbers });

  for (let cell = 0; cell < board.size; cell += 1) {
    const number = board.numbers[cell];
    const exits = lines.exits(cell);
    const rule =
      number > 0 && exits > 1 ? "through a number" : exits === 3 ? "branch" : exits === 4 ? "crossing" : "";
    if (!rule) continue;
    add(rule, [cell], number > 0 ? [number] : []);
    branching.add(cell);
  }
  for (const group of lines.groups()) {
    const countBefore = breaches.length;
    const ends = group.filter((cell) => lines.exits(cell) === 1);
    const dead = ends.filter((cell) => board.numbers[cell] <= 0);
    for (const cell of dead) add("dead end", [cell]);
    const isBranching = group.some((cell) => branching.has(cell));
    if (!isBranching) {
      const numbers = ends.map((cell) => board.numbers[cell]);
      if (!ends.length) add("closed loop", group);
      else if (!dead.length && numbers[0] !== numbers[1]) add("wrong pair joined", ends, numbers);
      else if (board.untouching) addTouches(lines, group, add);
    }
    if (isBranching || breaches.length > countBefore) group.forEach((cell) => explained.add(cell));
  }
  for (const [number, ends] of board.pairs()) {
    if (!ends.some((cell) => lines.ways[cell] || explained.has(cell))) add("unjoined pair", ends, [number]);
  }
  for (let cell = 0; cell < board.size; cell += 1) {
    if (!lines.ways[cell] && board.numbers[cell] === 0) add("uncovered square", [cell]);
  }
  return breaches;
}
