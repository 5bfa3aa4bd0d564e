// Mouse, touch, pen and keyboard on the board.
import { DOWN, LEFT, RIGHT, UP } from "./rules.mjs";
import { ZOOM_STEP } from "./board_view.mjs";
import { Stroke, crossOn } from "./drawing.mjs";

const ARROWS = { ArrowUp: UP, ArrowLeft: LEFT, ArrowRight: RIGHT, ArrowDown: DOWN };
const MARGIN = 0.14; // of a cell's side: nearer to its border a pointer does not enter it yet
const DOUBLE_MS = 350;
const EDGE = 14; // px: so near to the frame's edge a pointer asks for the board beyond it
const DWELL_MS = 200; // and so long, or a line along the edge would run away
const SCROLL_MS = 150; // for a square
const LONG_MS = 500; // a finger that rests so long sets a cross

/** Drags and taps. `game` has drawing, view, stroked(changed), message(text), words and panning. */
export class Pointers {
  constructor(game) {
    this.game = game;
    this.touches = new Map();
    this.lastTap = { cell: -1, time: 0 };
    const { grid, frame } = game.view;
    grid.addEventListener("pointerdown", (event) => this.down(event));
    grid.addEventListener("pointermove", (event) => this.move(event));
    for (const type of ["pointerup", "pointercancel"]) {
      grid.addEventListener(type, (event) => this.up(event, type === "pointercancel"));
    }
    grid.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      const isRight = event.button === 2 || event.ctrlKey; // and neither a long press nor a key
      if (this.kind === "mouse" && isRight) this.cross(event.clientX, event.clientY);
    });
    frame.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  down(event) {
    this.kind = event.pointerType;
    this.touches.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (event.button > 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    if (this.touches.size > 1 || this.game.panning) {
      this.abandon();
      return;
    }
    const { view, drawing } = this.game;
    const cell = view.cellAt(event.clientX, event.clientY);
    if (cell < 0) return;
    this.before = view.cursor;
    view.setCursor(cell, true, false);
    this.at = { x: event.clientX, y: event.clientY };
    if (!drawing.board.isSolid(cell)) this.stroke = new Stroke(drawing, cell);
    this.pressed = cell;
    this.rested = false;
    clearTimeout(this.resting);
    if (this.kind !== "mouse") this.resting = setTimeout(() => this.rest(), LONG_MS);
  }

  /** A finger that has rested where it came down. */
  rest() {
    if (!this.stroke || this.stroke.steps.length) return;
    this.rested = this.cross(this.at.x, this.at.y);
  }

  /** Set a cross on the nearest edge, or take it away; whether it was. */
  cross(x, y) {
    const edge = this.game.view.edgeAt(x, y);
    return edge !== undefined && this.game.cross(edge);
  }

  move(event) {
    const known = this.touches.get(event.pointerId);
    if (!known) return;
    const points = event.getCoalescedEvents?.() ?? [];
    if (this.touches.size > 1 || this.game.panning) {
      this.pan(event, known);
    } else if (this.stroke) {
      for (const { clientX, clientY } of points.length ? points : [event]) this.drag(clientX, clientY);
      this.scrollAtEdge();
      this.game.moved();
    }
    this.touches.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  /** Follow the pointer's way in steps of half a square, so that fast drags go where the hand went. */
  drag(x, y) {
    const { view } = this.game;
    const [dx, dy] = [x - this.at.x, y - this.at.y];
    const count = Math.max(1, Math.ceil(Math.hypot(dx, dy) / (view.cellSize / 2)));
    for (let step = 1; step <= count; step += 1) {
      const cell = view.cellAt(this.at.x + (dx * step) / count, this.at.y + (dy * step) / count, MARGIN);
      if (cell >= 0 && cell !== this.stroke.cell) this.stroke.moveTowards(cell);
    }
    if (this.rested && this.stroke.steps.length) {
      this.game.drawing.undo(); // the finger goes on after all
      this.rested = false;
    }
    this.at = { x, y };
    if (view.cursor !== this.stroke.cell) view.setCursor(this.stroke.cell, true, false);
  }

  /** Which edges of the frame the pointer is at: -1, 0 or 1 across and down. */
  edges() {
    const box = this.game.view.frame.getBoundingClientRect();
    const push = (at, low, high) => (at < low + EDGE ? -1 : at > high - EDGE ? 1 : 0);
    return [push(this.at.x, box.left, box.right), push(this.at.y, box.top, box.bottom)];
  }

  /** While a drag rests at an edge of the frame, bring in by time what lies beyond it, and go on there. */
  scrollAtEdge() {
    if (this.scrolling || !this.edges().some(Boolean) || !this.game.scrolls()) return;
    const { frame, cellSize } = this.game.view;
    let [since, before, left, top] = [0, 0, 0, 0];
    const tick = (now) => {
      const [across, down] = this.stroke ? this.edges() : [0, 0];
      this.scrolling = (across || down) && requestAnimationFrame(tick);
      if (!this.scrolling) return;
      if (!since) [since, left, top] = [now, frame.scrollLeft, frame.scrollTop];
      else if (now - since > DWELL_MS) {
        const way = (cellSize * Math.min(now - before, SCROLL_MS)) / SCROLL_MS;
        [left, top] = [left + across * way, top + down * way];
        [frame.scrollLeft, frame.scrollTop] = [left, top];
        this.drag(this.at.x, this.at.y);
      }
      before = now;
    };
    this.scrolling = requestAnimationFrame(tick);
  }

  up(event, cancelled) {
    if (!this.touches.delete(event.pointerId)) return;
    const { stroke } = this;
    this.stroke = undefined;
    if (stroke && cancelled) stroke.cancel();
    else if (stroke && stroke.steps.length) this.game.stroked(stroke.end());
    else if (stroke && !cancelled && !this.rested) this.tap(this.pressed, event.timeStamp);
  }

  /** A tap on the neighbour of the square tapped before draws there; a double tap removes the line. */
  tap(cell, time) {
    const { drawing } = this.game;
    const { cell: last, time: then } = this.lastTap;
    this.lastTap = { cell, time };
    if (cell === last && time - then < DOUBLE_MS && drawing.lines.ways[cell]) {
      this.game.stroked(drawing.apply(drawing.lineEdges(cell)), "line_removed");
      return;
    }
    if (this.before !== last || !this.mayJoin(last, cell)) return;
    const stroke = new Stroke(drawing, last);
    if (stroke.move(cell)) this.game.stroked(stroke.end());
  }

  /** Whether two taps mean a line: not where they would join two different numbers or take one back. */
  mayJoin(from, to) {
    const { lines, board } = this.game.drawing;
    if (from < 0 || !board.way(from, to) || lines.has(from, to) || board.isSolid(from)) return false;
    if (lines.exits(from) >= board.capacity(from)) return false;
    const [one, other] = [from, to].map((cell) => lines.numberOf(lines.line(cell)));
    return !(one && other && one !== other);
  }

  /** A second finger: what the first drew is no stroke. */
  abandon() {
    this.stroke?.cancel();
    this.stroke = undefined;
  }

  /** One finger in the moving mode, or two anywhere: scroll by the way of their middle, zoom by their gap. */
  pan(event, known) {
    const { frame } = this.game.view;
    const others = [...this.touches].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    const share = 1 / this.touches.size;
    const [dx, dy] = [(event.clientX - known.x) * share, (event.clientY - known.y) * share];
    frame.scrollLeft -= dx;
    frame.scrollTop -= dy;
    if (!others.length) return;
    const gap = (point) => Math.hypot(point.x - others[0].x, point.y - others[0].y) || 1;
    const factor = gap({ x: event.clientX, y: event.clientY }) / gap(known);
    if (Math.abs(factor - 1) > 0.001) this.game.zoom(factor);
  }

  wheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.game.zoom(Math.exp(-event.deltaY / 200));
  }
}

/** Keys, while a cell has the focus. */
export class Keys {
  constructor(game) {
    this.game = game;
    this.penDown = false;
    game.view.grid.addEventListener("keydown", (event) => {
      if (this.press(event)) event.preventDefault();
    });
    game.view.grid.addEventListener("focusout", (event) => {
      if (!game.view.grid.contains(event.relatedTarget)) this.setPen(false, true);
    });
  }

  /** Whether the key meant something. */
  press(event) {
    const { game } = this;
    const { view, drawing } = game;
    if (this.crossing && event.key in ARROWS) return this.cross(ARROWS[event.key]);
    this.crossing = false;
    const command = event.ctrlKey || event.metaKey;
    if (event.key in ARROWS) {
      if (command || event.altKey) return false;
      return this.arrow(ARROWS[event.key], event.shiftKey !== this.penDown);
    }
    const { cols, size } = view.board;
    const row = view.cursor - (view.cursor % cols);
    switch (event.key) {
      case "Home":
        return view.setCursor(command ? 0 : row) ?? true;
      case "End":
        return view.setCursor(command ? size - 1 : row + cols - 1) ?? true;
      case "Enter":
      case " ":
        return command ? false : this.setPen(!this.penDown);
      case "Escape":
        return this.penDown && this.setPen(false);
      case "Backspace":
        return this.takeBack();
      case "Delete":
        if (drawing.lines.ways[view.cursor]) {
          game.stroked(drawing.apply(drawing.lineEdges(view.cursor)), "line_removed");
        }
        return true;
      default:
        return this.character(event.key.toLowerCase(), command, event.shiftKey);
    }
  }

  character(key, command, shift) {
    const { game } = this;
    if (command) {
      if (key === "z") return game.history(shift ? "redo" : "undo") ?? true;
      return key === "y" ? (game.history("redo") ?? true) : false;
    }
    if (key === "x") {
      this.crossing = true;
      return game.message(game.words.cross_where) ?? true;
    }
    const factor = { "+": ZOOM_STEP, "=": ZOOM_STEP, "-": 1 / ZOOM_STEP, "−": 1 / ZOOM_STEP, 0: 0 }[key];
    return factor === undefined ? false : (game.zoom(factor) ?? true);
  }

  /** X, then an arrow: a cross on that side of the square. */
  cross(way) {
    const { view } = this.game;
    const beside = view.board.beside(view.cursor, way);
    this.crossing = false;
    this.game.message("");
    if (beside >= 0) this.game.cross(view.board.edge(view.cursor, beside));
    return true;
  }

  arrow(way, draws) {
    const { view, drawing } = this.game;
    const to = view.board.beside(view.cursor, way);
    if (to < 0) return true;
    const stroke = draws && new Stroke(drawing, view.cursor);
    if (stroke && !stroke.move(to)) return true;
    view.setCursor(to);
    if (stroke) this.game.stroked(stroke.end());
    return true;
  }

  /** Take the last step of the line at the cursor back, and step back with it. */
  takeBack() {
    const { view, drawing } = this.game;
    const { lines } = drawing;
    const exits = lines.exits(view.cursor);
    if (exits === 1) {
      const [to] = lines.linked(view.cursor);
      drawing.apply([view.board.edge(view.cursor, to)]);
      view.setCursor(to);
      this.game.stroked(true);
    } else if (exits > 1) {
      this.game.stroked(drawing.apply(drawing.sideEdges(view.cursor)));
    }
    return true;
  }

  setPen(down, silent = false) {
    if (this.penDown === down) return true;
    this.penDown = down;
    this.game.view.grid.classList.toggle("pen-down", down);
    if (!silent) this.game.message(this.game.words[down ? "pen_down" : "pen_up"]);
    return true;
  }
}
