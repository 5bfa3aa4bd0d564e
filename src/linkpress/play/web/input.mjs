// Input on the board by mouse, touch, pen and keyboard.
import { DOWN, LEFT, RIGHT, UP } from "./rules.mjs";
import { ZOOM_STEP } from "./board_view.mjs";
import { Stroke, crossOn } from "./drawing.mjs";

const ARROWS = { ArrowUp: UP, ArrowLeft: LEFT, ArrowRight: RIGHT, ArrowDown: DOWN };
const MARGIN = 0.14; // margin of a square in which a pointer has not entered it yet, as a share of its side
const DOUBLE_MS = 350; // the longest time between the two taps of a double tap
const EDGE = 14; // px, the distance from the edge of the frame at which a drag scrolls the board
const DWELL_MS = 200; // how long the pointer must be at the edge; else lines along the edge would scroll the board
const SCROLL_MS = 150; // the time to scroll by one square
const LONG_MS = 500; // how long a finger must rest to set a cross

/** Handler of drags and taps. `game` is the Player. */
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
      const isRightClick = event.button === 2 || event.ctrlKey; // not a long press or the menu key
      if (this.kind === "mouse" && isRightClick) this.cross(event.clientX, event.clientY);
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
    this.cursorBefore = view.cursor;
    view.setCursor(cell, true, false);
    this.at = { x: event.clientX, y: event.clientY };
    if (!drawing.board.isSolid(cell)) this.stroke = new Stroke(drawing, cell);
    this.pressed = cell;
    this.rested = false;
    clearTimeout(this.resting);
    if (this.kind !== "mouse") this.resting = setTimeout(() => this.rest(), LONG_MS);
  }

  /** Set a cross if the finger has rested where it touched the board. */
  rest() {
    if (!this.stroke || this.stroke.steps.length) return;
    this.rested = this.cross(this.at.x, this.at.y);
  }

  /** Set or remove a cross on the edge nearest to a point, and return whether that was possible. */
  cross(x, y) {
    const edge = this.game.view.edgeAt(x, y);
    return edge !== undefined && this.game.cross(edge);
  }

  move(event) {
    const previous = this.touches.get(event.pointerId);
    if (!previous) return;
    const points = event.getCoalescedEvents?.() ?? [];
    if (this.touches.size > 1 || this.game.panning) {
      this.pan(event, previous);
    } else if (this.stroke) {
      for (const { clientX, clientY } of points.length ? points : [event]) this.drag(clientX, clientY);
      this.scrollAtEdge();
      this.game.moved();
    }
    this.touches.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  /** Follow the pointer in steps of half a square, so that a fast drag leaves out no square. */
  drag(x, y) {
    const { view } = this.game;
    const [dx, dy] = [x - this.at.x, y - this.at.y];
    const count = Math.max(1, Math.ceil(Math.hypot(dx, dy) / (view.cellSize / 2)));
    for (let step = 1; step <= count; step += 1) {
      const cell = view.cellAt(this.at.x + (dx * step) / count, this.at.y + (dy * step) / count, MARGIN);
      if (cell >= 0 && cell !== this.stroke.cell) this.stroke.moveTowards(cell);
    }
    if (this.rested && this.stroke.steps.length) {
      this.game.drawing.undo(); // the finger has moved on, so it was no long press: remove the cross
      this.rested = false;
    }
    this.at = { x, y };
    if (view.cursor !== this.stroke.cell) view.setCursor(this.stroke.cell, true, false);
  }

  /** Return at which edges of the frame the pointer is: -1 left or top, 1 right or bottom, else 0. */
  edges() {
    const box = this.game.view.frame.getBoundingClientRect();
    const side = (at, low, high) => (at < low + EDGE ? -1 : at > high - EDGE ? 1 : 0);
    return [side(this.at.x, box.left, box.right), side(this.at.y, box.top, box.bottom)];
  }

  /** Scroll the board, and continue the stroke, as long as a drag stays at an edge of the frame. */
  scrollAtEdge() {
    if (this.scrolling || !this.edges().some(Boolean) || !this.game.scrolls()) return;
    const { frame, cellSize } = this.game.view;
    let [since, last, left, top] = [0, 0, 0, 0];
    const tick = (now) => {
      const [across, down] = this.stroke ? this.edges() : [0, 0];
      this.scrolling = (across || down) && requestAnimationFrame(tick);
      if (!this.scrolling) return;
      if (!since) [since, left, top] = [now, frame.scrollLeft, frame.scrollTop];
      else if (now - since > DWELL_MS) {
        const distance = (cellSize * Math.min(now - last, SCROLL_MS)) / SCROLL_MS;
        [left, top] = [left + across * distance, top + down * distance];
        [frame.scrollLeft, frame.scrollTop] = [left, top];
        this.drag(this.at.x, this.at.y);
      }
      last = now;
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

  /** Handle a tap. After a tap on a neighbour it draws a line between the two. A double tap removes the line. */
  tap(cell, time) {
    const { drawing } = this.game;
    const { cell: last, time: lastTime } = this.lastTap;
    this.lastTap = { cell, time };
    if (cell === last && time - lastTime < DOUBLE_MS && drawing.lines.ways[cell]) {
      this.game.stroked(drawing.apply(drawing.lineEdges(cell)), "line_removed");
      return;
    }
    if (this.cursorBefore !== last || !this.mayJoin(last, cell)) return;
    const stroke = new Stroke(drawing, last);
    if (stroke.move(cell)) this.game.stroked(stroke.end());
  }

  /** Return whether two taps draw a line. They don't join different numbers, and don't remove or cut a line. */
  mayJoin(from, to) {
    const { lines, board } = this.game.drawing;
    if (from < 0 || !board.way(from, to) || lines.has(from, to) || board.isSolid(from)) return false;
    if (lines.exits(from) >= board.capacity(from)) return false;
    const [first, second] = [from, to].map((cell) => lines.numberOf(lines.line(cell)));
    return !(first && second && first !== second);
  }

  /** Undo the stroke of the first finger, because a second finger has touched the board. */
  abandon() {
    this.stroke?.cancel();
    this.stroke = undefined;
  }

  /**
   * Scroll the board as the fingers move, and zoom it as two fingers move apart. `previous` is the earlier point of
   * the finger that has moved.
   */
  pan(event, previous) {
    const { frame } = this.game.view;
    const others = [...this.touches].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    const share = 1 / this.touches.size;
    const [dx, dy] = [(event.clientX - previous.x) * share, (event.clientY - previous.y) * share];
    frame.scrollLeft -= dx;
    frame.scrollTop -= dy;
    if (!others.length) return;
    const gap = (point) => Math.hypot(point.x - others[0].x, point.y - others[0].y) || 1;
    const factor = gap({ x: event.clientX, y: event.clientY }) / gap(previous);
    if (Math.abs(factor - 1) > 0.001) this.game.zoom(factor);
  }

  wheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.game.zoom(Math.exp(-event.deltaY / 200));
  }
}

/** Handler of keys while a cell has the focus. */
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

  /** Handle a key, and return whether it has a meaning. */
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
        return this.removeLast();
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

  /** Set a cross on one side of the square at the cursor: the key X and then an arrow. */
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

  /** Remove the last edge of the line at the cursor, and move the cursor back along it. */
  removeLast() {
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
