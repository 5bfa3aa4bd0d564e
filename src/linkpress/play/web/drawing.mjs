// What a reader draws: strokes, taken back and drawn again without end.
import { Lines } from "./rules.mjs";

/** Those that stand in a list an odd number of times. */
function oddOnes(list) {
  const odd = new Set();
  for (const one of list) flip(odd, one);
  return [...odd];
}

function flip(set, one) {
  if (!set.delete(one)) set.add(one);
}

/** The cross on an edge, as strokes have it: edges count up from 0, their crosses down from -1. */
export function crossOn(edge) {
  return -1 - edge;
}

/** The edge that a stroke's mark draws or crosses. */
export function edgeOf(mark) {
  return mark < 0 ? -1 - mark : mark;
}

/**
 * A drawing with its history. A stroke is the list of edges and crosses that it toggled, so that toggling
 * them again takes it back. A trial is all that was drawn since its beginning, to be kept or taken back at once.
 */
export class Drawing {
  constructor(board) {
    this.board = board;
    this.lines = new Lines(board);
    this.history = [];
    this.undone = [];
    this.crosses = new Set();
    this.trial = null; // of how many strokes the history was when it began
    this.tried = new Set();
    this.changed = () => {};
  }

  /** Become another drawing of this board, by the squares in which they differ. */
  take({ history, undone, trial }) {
    this.toggleAll(oddOnes([...this.history, ...history].flat()));
    Object.assign(this, { history, undone });
    this.setTrial(trial);
  }

  /** Begin a trial behind so many strokes; none with null. */
  setTrial(trial) {
    this.trial = trial;
    this.tried = new Set(trial === null ? [] : oddOnes(this.history.slice(trial).flat()));
    this.changed(0, 0);
  }

  takeTrialBack() {
    while (this.history.length > this.trial) this.undo();
    this.setTrial(null);
  }

  /** Whether anything is drawn. */
  get isEmpty() {
    return !this.crosses.size && this.lines.ways.every((ways) => !ways);
  }

  toggle(mark) {
    if (mark < 0) flip(this.crosses, edgeOf(mark));
    else this.lines.toggle(mark);
    if (this.trial !== null) flip(this.tried, mark);
    this.changed(...this.board.ends(edgeOf(mark)));
  }

  /** Toggle marks, lines that are there first: else what goes and what comes would meet in branches. */
  toggleAll(marks) {
    const isThere = (mark) => mark >= 0 && this.lines.has(...this.board.ends(mark));
    [...marks.filter(isThere), ...marks.filter((mark) => !isThere(mark))].forEach((mark) => this.toggle(mark));
  }

  /** Note a finished stroke; edges toggled twice cancel out. */
  commit(toggled) {
    const odd = oddOnes(toggled);
    if (!odd.length) return false;
    this.history.push(odd);
    this.undone = [];
    return true;
  }

  /** Toggle marks as a stroke of its own, which takes crosses off its lines; what stands twice stays as it is. */
  apply(marks) {
    const odd = oddOnes(marks);
    odd.push(...odd.filter((mark) => this.crosses.has(mark)).map(crossOn));
    this.toggleAll(odd);
    return this.commit(odd);
  }

  undo() {
    const stroke = this.history.pop();
    if (!stroke) return false;
    this.toggleAll(stroke);
    this.undone.push(stroke);
    if (this.history.length < this.trial) this.setTrial(null);
    return true;
  }

  redo() {
    const stroke = this.undone.pop();
    if (!stroke) return false;
    this.toggleAll(stroke);
    this.history.push(stroke);
    return true;
  }

  clear() {
    return this.apply([...this.lines.edges(), ...[...this.crosses].map(crossOn)]);
  }

  /** The edges of the whole line through a cell. */
  lineEdges(cell) {
    const cells = this.lines.line(cell);
    const edges = cells.slice(1).map((to, at) => this.board.edge(cells[at], to));
    const isLoop = cells.length > 2 && this.lines.has(cells[0], cells.at(-1));
    return isLoop ? [...edges, this.board.edge(cells[0], cells.at(-1))] : edges;
  }

  /**
   * The edges to be taken back so that another line can start at a cell that has no way left: the
   * whole line of a number, else one side of a line; the side without a number, or the shorter one.
   */
  sideEdges(cell) {
    if (this.lines.exits(cell) < 2) return this.lineEdges(cell);
    const cells = this.lines.line(cell);
    const at = cells.indexOf(cell);
    if (this.lines.has(cells[0], cells.at(-1)) && cells.length > 2) return this.lineEdges(cell);
    const [before, after] = [cells.slice(0, at + 1), cells.slice(at)];
    const hasNumber = (side, end) => this.board.numbers[end] > 0 && side.length > 0;
    const keepBefore = hasNumber(before, before[0]);
    const keepAfter = hasNumber(after, after.at(-1));
    let side = before.length < after.length ? before : after;
    if (keepBefore !== keepAfter) side = keepBefore ? after : before;
    return side.slice(1).map((to, index) => this.board.edge(side[index], to));
  }
}

/**
 * A stroke on its way, from square to neighbouring square.
 *
 * Going on draws. Going back over the stroke reverses what it did. A stroke that begins on a line
 * takes it back step by step; one that has drawn walks along the lines it meets, and cuts those it crosses.
 */
export class Stroke {
  constructor(drawing, start) {
    this.drawing = drawing;
    this.cell = start;
    this.steps = []; // {from, to, edges}
  }

  /** Whether it has drawn a line, rather than taken one back. */
  get draws() {
    return this.steps.some((step) => step.draws);
  }

  /** Go to a neighbour if that is allowed; whether it was. `cuts` is whether another line may be cut there. */
  move(to, cuts = true) {
    const { board, lines } = this.drawing;
    const from = this.cell;
    if (!board.way(from, to) || board.isSolid(to)) return false;
    if (this.steps.length && this.steps.at(-1).from === to) return this.back();
    const visited = this.steps.findIndex((step) => step.from === to);
    if (visited >= 0 && !lines.has(from, to)) {
      while (this.steps.length > visited) this.back();
      return true;
    }
    const edge = board.edge(from, to);
    if (lines.has(from, to)) return this.step(to, this.draws ? [] : [edge], false);
    const isFull = (cell) => lines.exits(cell) >= board.capacity(cell);
    if (isFull(from) && this.steps.length) return false;
    const freed = isFull(from) ? this.drawing.sideEdges(from) : [];
    if (isFull(to)) {
      if (!cuts || board.numbers[to] > 0 || lines.line(from).includes(to)) return false;
      freed.push(...lines.linked(to).map((other) => board.edge(to, other)));
    }
    const crossed = this.drawing.crosses.has(edge) ? [crossOn(edge)] : [];
    return this.step(to, [...freed, ...crossed, edge], true);
  }

  step(to, edges, draws) {
    this.drawing.toggleAll(edges);
    this.steps.push({ from: this.cell, to, edges, draws });
    this.cell = to;
    return true;
  }

  back() {
    const last = this.steps.pop();
    this.drawing.toggleAll(last.edges);
    this.cell = last.from;
    return true;
  }

  /** As near to a square as the lines allow, by the longer side first. */
  moveTowards(target) {
    const { cols } = this.drawing.board;
    for (let left = this.drawing.board.size; left && this.cell !== target; left -= 1) {
      const down = Math.floor(target / cols) - Math.floor(this.cell / cols);
      const right = (target % cols) - (this.cell % cols);
      const vertical = down ? this.cell + Math.sign(down) * cols : -1;
      const across = right ? this.cell + Math.sign(right) : -1;
      const [first, second] = Math.abs(down) > Math.abs(right) ? [vertical, across] : [across, vertical];
      const ways = [first, second].filter((to) => to >= 0);
      if (!ways.some((to) => this.move(to, false)) && !ways.some((to) => this.move(to))) return;
    }
  }

  /** Note it in the history; whether it changed anything. */
  end() {
    return this.drawing.commit(this.steps.flatMap((step) => step.edges));
  }

  /** Undo all of it. */
  cancel() {
    while (this.steps.length) this.back();
  }
}
