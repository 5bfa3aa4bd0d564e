// The player's drawing: strokes with unlimited undo and redo, crosses and trials.
//
// A mark is an edge or a cross. Strokes store both as one integer: an edge by its number, which is 0 or more,
// and the cross on edge 0, 1, 2 … as -1, -2, -3 …
import { Lines } from "./rules.mjs";

/** Return the items that are in a list an odd number of times. */
function oddOnes(list) {
  const odd = new Set();
  for (const item of list) flip(odd, item);
  return [...odd];
}

function flip(set, item) {
  if (!set.delete(item)) set.add(item);
}

/** Return the mark for the cross on an edge. */
export function crossOn(edge) {
  return -1 - edge;
}

/** Return the edge that a mark draws, or on which it puts a cross. */
export function edgeOf(mark) {
  return mark < 0 ? -1 - mark : mark;
}

/**
 * Drawing with its history. A stroke is the list of the marks that it toggled. Toggling them again undoes it.
 * A trial is everything drawn since the trial began. It is kept or undone as a whole.
 */
export class Drawing {
  constructor(board) {
    this.board = board;
    this.lines = new Lines(board);
    this.history = [];
    this.undone = [];
    this.crosses = new Set();
    this.trial = null; // the number of strokes before the trial; null without a trial
    this.tried = new Set(); // the marks that the trial has changed
    this.changed = () => {};
  }

  /** Replace the drawing by another one of this board. Only the marks that differ are toggled. */
  load({ history, undone, trial }) {
    this.toggleAll(oddOnes([...this.history, ...history].flat()));
    Object.assign(this, { history, undone });
    this.setTrial(trial);
  }

  /** Begin a trial after the first `trial` strokes; end the trial with null. */
  setTrial(trial) {
    this.trial = trial;
    this.tried = new Set(trial === null ? [] : oddOnes(this.history.slice(trial).flat()));
    this.changed(0, 0);
  }

  undoTrial() {
    while (this.history.length > this.trial) this.undo();
    this.setTrial(null);
  }

  get isEmpty() {
    return !this.crosses.size && this.lines.ways.every((ways) => !ways);
  }

  toggle(mark) {
    if (mark < 0) flip(this.crosses, edgeOf(mark));
    else this.lines.toggle(mark);
    if (this.trial !== null) flip(this.tried, mark);
    this.changed(...this.board.ends(edgeOf(mark)));
  }

  /** Toggle marks. Drawn edges come first, since old and new lines would form branches otherwise. */
  toggleAll(marks) {
    const isDrawn = (mark) => mark >= 0 && this.lines.has(...this.board.ends(mark));
    [...marks.filter(isDrawn), ...marks.filter((mark) => !isDrawn(mark))].forEach((mark) => this.toggle(mark));
  }

  /** Add a finished stroke to the history, and return whether it changed anything. Marks toggled twice cancel out. */
  commit(toggled) {
    const odd = oddOnes(toggled);
    if (!odd.length) return false;
    this.history.push(odd);
    this.undone = [];
    return true;
  }

  /** Toggle marks as one stroke, and remove the crosses on its edges. Marks given twice cancel out. */
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

  /** Return whether the line through a cell joins two equal numbers. */
  joins(cell) {
    const cells = this.lines.line(cell);
    const [first, last] = [cells[0], cells.at(-1)].map((end) => this.board.numbers[end]);
    return cells.length > 1 && first > 0 && first === last;
  }

  /** Return the edges of the whole line through a cell. */
  lineEdges(cell) {
    const cells = this.lines.line(cell);
    const edges = cells.slice(1).map((to, at) => this.board.edge(cells[at], to));
    const isLoop = cells.length > 2 && this.lines.has(cells[0], cells.at(-1));
    return isLoop ? [...edges, this.board.edge(cells[0], cells.at(-1))] : edges;
  }

  /**
   * Return the edges to remove so that another line can start at a cell that has all its edges.
   *
   * From a number, the whole line goes. Inside a line, one side goes: the side that leads to no number, or else
   * the shorter one.
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
 * Stroke that is being drawn, from square to neighbouring square.
 *
 * A move to a free square draws a line. A move back over the stroke undoes it. If the stroke begins on a line and
 * follows it, it removes the line step by step. But from a number, it leaves a line as it is that joins a pair,
 * so that nobody loses a finished line by tracing it. Once it has drawn something, it moves along the lines that it
 * meets, and cuts the lines that it crosses.
 */
export class Stroke {
  constructor(drawing, start) {
    this.drawing = drawing;
    this.cell = start;
    this.steps = []; // {from, to, edges}
    this.traces = drawing.board.numbers[start] > 0 && drawing.joins(start);
  }

  /** Whether the stroke has drawn a line. If not, it has only removed one. */
  get draws() {
    return this.steps.some((step) => step.draws);
  }

  /** Move to a neighbour if that is allowed, and return whether it was. `cuts` allows cutting another line there. */
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
    if (lines.has(from, to)) return this.step(to, this.draws || this.traces ? [] : [edge], false);
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

  /** Move as near to a square as possible. The longer of the horizontal and vertical distance comes first. */
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

  /** Add the stroke to the history, and return whether it changed anything. */
  end() {
    return this.drawing.commit(this.steps.flatMap((step) => step.edges));
  }

  /** Undo the whole stroke. */
  cancel() {
    while (this.steps.length) this.back();
  }
}
