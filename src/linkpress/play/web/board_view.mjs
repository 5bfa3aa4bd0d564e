// The board on the page: a grid of cells for eyes and screen readers, and the lines as one drawing.
import { DOWN, LEFT, RIGHT, SOLID, UP } from "./rules.mjs";
import { say } from "./telling.mjs";

const SVG = "http://www.w3.org/2000/svg";
const WAY_NAMES = [[UP, "up"], [LEFT, "left"], [RIGHT, "right"], [DOWN, "down"]];
const INKS = 8;
const DOT_INKS = 12;
const LEAST_CELL = 24; // px, as WCAG 2.2 asks of a target
const LEAST_WHOLE = 16; // where the reader asks for the whole board
const LARGEST_CELL = 72;
const FRAME = 14; // px, the outline and what surrounds it
const HARD_LIMIT = 120;
export const ZOOM_STEP = 1.25;
const LINK = { reach: 0.26, head: 0.11, cross: 0.13, beside: 0.2, apart: 0.17 }; // shares of a cell

function drawn(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function arrowAt(x, y, across, down) {
  const { reach, head } = LINK;
  const [tipX, tipY] = [x + across * reach, y + down * reach];
  const sides = [1, -1].map((side) => {
    return `M${tipX} ${tipY}L${tipX - (across - side * down) * head} ${tipY - (down - side * across) * head}`;
  });
  return `M${x - across * reach} ${y - down * reach}L${tipX} ${tipY}${sides.join("")}`;
}

function crossAt(x, y) {
  const half = LINK.cross;
  return `M${x - half} ${y - half}L${x + half} ${y + half}M${x - half} ${y + half}L${x + half} ${y - half}`;
}

/**
 * An ink for each number, so that those of one ink stand far from each other: each pair in turn takes
 * the ink whose nearest number is farthest away. Dots have the colour of their pair, as in print.
 */
export function inksOf(board, ofDots = false) {
  if (ofDots) return new Map([...board.pairs()].map(([number]) => [number, (number - 1) % DOT_INKS]));
  const taken = Array.from({ length: INKS }, () => []);
  const inks = new Map();
  for (const [number, cells] of board.pairs()) {
    const ends = cells.map((cell) => [Math.floor(cell / board.cols), cell % board.cols]);
    const room = taken.map((places) => leastApart(places, ends));
    const ink = room.indexOf(Math.max(...room));
    taken[ink].push(...ends);
    inks.set(number, ink);
  }
  return inks;
}

/** How many steps lie between the nearest two of some squares and others; plain loops, 300 pairs wait for them. */
function leastApart(places, ends) {
  let least = Infinity;
  for (const [row, col] of places) {
    for (const [r, c] of ends) {
      const apart = Math.abs(r - row) + Math.abs(c - col);
      if (apart < least) least = apart;
    }
  }
  return least;
}

/** Shows one drawing. `frame` scrolls, `grid` inside it has role grid. */
export class BoardView {
  constructor(frame, grid, words) {
    this.frame = frame;
    this.grid = grid;
    this.words = words;
    this.cursor = 0;
    this.zoom = 1;
  }

  /** Take a board, of which the cells are built by `show`: the grid has its size before. */
  take(drawing) {
    this.drawing = drawing;
    this.board = drawing.board;
    this.zoom = 1;
    this.grid.replaceChildren();
    this.grid.style.setProperty("--cols", this.board.cols);
    this.grid.style.setProperty("--rows", this.board.rows);
  }

  /** Build the cells; `label` names the grid. */
  show(label) {
    const { rows, cols } = this.board;
    this.grid.setAttribute("aria-label", label);
    this.grid.setAttribute("aria-rowcount", rows);
    this.grid.setAttribute("aria-colcount", cols);
    const looks = this.grid.closest(".player")?.dataset.numbers ?? "";
    this.inks = inksOf(this.board, looks.startsWith("dots"));
    const html = [
      `<svg aria-hidden="true" viewBox="0 0 ${cols} ${rows}"><g class="preview"></g><g class="lines"></g><path class="tried"/><path class="crosses"/><g class="links"></g></svg>`,
    ];
    for (let row = 0; row < rows; row += 1) {
      html.push('<div role="row">');
      for (let cell = row * cols; cell < (row + 1) * cols; cell += 1) html.push(this.cellHtml(cell));
      html.push("</div>");
    }
    this.grid.innerHTML = html.join("");
    this.cells = [...this.grid.querySelectorAll('[role="gridcell"]')];
    // Words may be anybody's: they are never read as HTML.
    this.cells.forEach((cell, index) => cell.setAttribute("aria-label", this.cellLabel(index)));
    this.linesLayer = this.grid.querySelector(".lines");
    this.previewLayer = this.grid.querySelector(".preview");
    this.linksLayer = this.grid.querySelector(".links");
    this.triedPath = this.grid.querySelector(".tried");
    this.crossesPath = this.grid.querySelector(".crosses");
    this.owner = new Array(this.board.size); // each drawn cell's path
    this.drawAll();
    this.setCursor(0, false);
  }

  cellHtml(cell) {
    const number = this.board.numbers[cell];
    const digits = number > 0 ? ` data-digits="${String(number).length}" data-dot="${this.inks.get(number)}"` : "";
    const kind = number === SOLID ? ' class="solid"' : number > 0 ? ' class="number"' : "";
    const inside = number > 0 ? `<b>${number}</b>` : "";
    return `<div role="gridcell"${kind}${digits}>${inside}</div>`;
  }

  /** A cell in few words: its number or line, and where the line leaves it. */
  cellLabel(cell) {
    const { words } = this;
    const number = this.board.numbers[cell];
    if (number === SOLID) return words.cell_solid;
    const ways = this.drawing.lines.ways[cell];
    const crossed = (way) => this.drawing.crosses.has(this.board.edge(cell, this.board.beside(cell, way)));
    const crosses = this.drawing.crosses.size && WAY_NAMES.some(([way]) => crossed(way));
    const parts = number > 0 ? [String(number)] : ways ? [] : [words.cell_empty];
    if (ways && number <= 0) {
      const owner = this.drawing.lines.numberOf(this.drawing.lines.line(cell));
      if (owner > 0) parts.push(say(words.cell_line, { number: owner }));
      else parts.push(owner < 0 ? words.cell_mixed : words.cell_loose);
    }
    const named = (wanted) => WAY_NAMES.filter(([way]) => wanted(way)).map(([, name]) => words.ways[name]).join(" ");
    if (ways) parts.push(named((way) => ways & way));
    if (crosses) parts.push(say(words.cell_crossed, { ways: named(crossed) }));
    return parts.join(", ");
  }

  /** Draw every line afresh. */
  drawAll() {
    this.linesLayer.replaceChildren();
    this.owner.fill(undefined);
    for (let cell = 0; cell < this.board.size; cell += 1) {
      if (this.drawing.lines.ways[cell] && !this.owner[cell]) this.drawLine(cell);
    }
    this.drawMarks();
  }

  /** Draw the crosses, and what was drawn in a trial. */
  drawMarks() {
    const middle = (edge) => {
      const [[x0, y0], [x1, y1]] = this.board.ends(edge).map((cell) => this.centre(cell));
      return [(x0 + x1) / 2, (y0 + y1) / 2];
    };
    const step = (edge) => `M${this.board.ends(edge).map((cell) => this.centre(cell).join(" ")).join("L")}`;
    const crosses = [...this.drawing.crosses].map((edge) => crossAt(...middle(edge)));
    this.crossesPath.setAttribute("d", crosses.join(""));
    const lines = [...this.drawing.tried].filter((mark) => mark >= 0 && this.drawing.lines.has(...this.board.ends(mark)));
    this.triedPath.setAttribute("d", lines.map(step).join(""));
  }

  /** After a change at two cells: only the lines through them are drawn again. */
  redraw(a, b) {
    const stale = new Set();
    for (const cell of [a, b]) {
      const path = this.owner[cell];
      if (!path) continue;
      path.cells.forEach((one) => stale.add(one));
      path.cells.forEach((one) => (this.owner[one] = undefined));
      path.remove();
    }
    for (const cell of new Set([a, b, ...stale])) {
      if (this.drawing.lines.ways[cell] && !this.owner[cell]) this.drawLine(cell);
      else if (!this.drawing.lines.ways[cell]) this.relabel(cell, "");
      else if (this.drawing.crosses.size) this.relabel(cell, this.cells[cell].dataset.ink);
    }
    this.drawMarks();
  }

  drawLine(start) {
    const { lines } = this.drawing;
    const cells = lines.line(start);
    const number = lines.numberOf(cells);
    const isLoop = cells.length > 2 && lines.has(cells[0], cells.at(-1));
    const points = cells.map((cell) => this.centre(cell).join(" "));
    const ink = number > 0 ? `ink-${this.inks.get(number)}` : number < 0 ? "mixed" : "loose";
    const path = drawn("path", { d: `M${points.join("L")}${isLoop ? "Z" : ""}`, class: ink });
    path.cells = cells;
    this.linesLayer.append(path);
    for (const cell of cells) {
      this.owner[cell] = path;
      this.relabel(cell, ink);
    }
  }

  relabel(cell, ink) {
    const element = this.cells[cell];
    if (ink) element.dataset.ink = ink;
    else delete element.dataset.ink;
    element.setAttribute("aria-label", this.cellLabel(cell));
  }

  /** Move the one tab stop; and the focus with it. */
  setCursor(cell, focus = true, reveal = focus) {
    const [before, element] = [this.cells[this.cursor], this.cells[cell]];
    this.cursor = cell;
    element.setAttribute("tabindex", "0");
    if (focus) element.focus({ preventScroll: true });
    // Not before: a cell that loses it with the focus on it loses the focus to nothing, and the pen is up.
    if (before !== element) before?.removeAttribute("tabindex");
    if (reveal) this.reveal(cell);
  }

  /** Scroll the frame so that a cell and its neighbours can be seen. */
  reveal(cell) {
    const size = this.cellSize;
    const { cols } = this.board;
    const [left, top] = [(cell % cols) * size, Math.floor(cell / cols) * size];
    const { frame } = this;
    const scroll = (at, room, position) => {
      if (position - size < at) return position - size;
      return position + 2 * size > at + room ? position + 2 * size - room : at;
    };
    frame.scrollLeft = scroll(frame.scrollLeft, frame.clientWidth, left);
    frame.scrollTop = scroll(frame.scrollTop, frame.clientHeight, top);
    this.cells[cell].scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** The cell at a point of the window, or -1; `inset` leaves a margin out of it, as a share. */
  cellAt(x, y, inset = 0) {
    const box = this.grid.getBoundingClientRect();
    const size = box.width / this.board.cols;
    const [across, down] = [(x - box.left) / size, (y - box.top) / size];
    const [col, row] = [Math.floor(across), Math.floor(down)];
    if (col < 0 || row < 0 || col >= this.board.cols || row >= this.board.rows) return -1;
    const edge = Math.min(across - col, col + 1 - across, down - row, row + 1 - down);
    return edge < inset ? -1 : row * this.board.cols + col;
  }

  /** The edge nearest to a point of the window; none beyond the board or at its border. */
  edgeAt(x, y) {
    const cell = this.cellAt(x, y);
    if (cell < 0) return undefined;
    const box = this.cells[cell].getBoundingClientRect();
    const gaps = [y - box.top, x - box.left, box.right - x, box.bottom - y]; // in the order of WAY_NAMES
    const [way] = WAY_NAMES[gaps.indexOf(Math.min(...gaps))];
    const beside = this.board.beside(cell, way);
    return beside < 0 ? undefined : this.board.edge(cell, beside);
  }

  /** A wave through the lines of a solved board. */
  celebrate() {
    this.grid.classList.add("celebrating");
    this.grid.addEventListener("animationend", () => this.grid.classList.remove("celebrating"), { once: true });
  }

  /** Choose the cells' size by the room there is, times the zoom; a zoom of 0 asks for the whole board. */
  fit(width, height) {
    const { rows, cols } = this.board;
    this.fitted = Math.min(LARGEST_CELL, (width - FRAME) / cols, (height - FRAME) / rows);
    const whole = Math.max(LEAST_WHOLE, this.fitted);
    const wanted = this.zoom ? Math.max(LEAST_CELL, this.fitted) * this.zoom : whole;
    this.cellSize = Math.floor(Math.min(HARD_LIMIT, Math.max(Math.min(LEAST_CELL, whole), wanted)));
    this.grid.style.setProperty("--cell", `${this.cellSize}px`);
    this.frame.parentElement.style.setProperty("--board", `${this.cellSize * cols + 8}px`);
  }

  /** Enlarge by a factor, or show the whole board with 0; the middle of what is seen stays there. */
  zoomBy(factor, refit) {
    const { frame } = this;
    const fitted = Math.max(LEAST_CELL, this.fitted);
    const [x, y] = [frame.clientWidth / 2, frame.clientHeight / 2];
    const middle = [(frame.scrollLeft + x) / this.cellSize, (frame.scrollTop + y) / this.cellSize];
    const wanted = (factor * this.cellSize) / fitted;
    this.zoom = factor && Math.min(HARD_LIMIT / fitted, Math.max(LEAST_WHOLE / fitted, wanted));
    refit();
    frame.scrollLeft = middle[0] * this.cellSize - x;
    frame.scrollTop = middle[1] * this.cellSize - y;
  }

  /** Mark cells: {cell, mark, name}; whatever was marked before is not any more. */
  mark(marks, edges = [], kind = "") {
    for (const element of this.grid.querySelectorAll("[data-mark]")) {
      delete element.dataset.mark;
      delete element.dataset.name;
    }
    for (const { cell, mark, name } of marks) {
      this.cells[cell].dataset.mark = mark;
      if (name) this.cells[cell].dataset.name = name;
    }
    this.linksLayer.replaceChildren();
    this.previewLayer.replaceChildren(
      ...edges.map((edge) => {
        const [from, to] = this.board.ends(edge).map((cell) => this.centre(cell).join(" "));
        return drawn("path", { d: `M${from}L${to}`, class: kind });
      }),
    );
  }

  /** The middle of a cell, in cells. */
  centre(cell) {
    const { cols } = this.board;
    return [(cell % cols) + 0.5, Math.floor(cell / cols) + 0.5];
  }

  /** Draw what follows from a supposition: an arrow, a cross or a number for each link, with its mark. */
  showLinks(links) {
    this.linksLayer.replaceChildren(
      ...links.flatMap(({ cells, number, mark, begins }) => {
        const [[x0, y0], [x1, y1]] = [this.centre(cells[0]), this.centre(cells.at(-1))];
        const [across, down] = [x1 - x0, y1 - y0];
        const apart = begins ? LINK.apart : 0; // where the step's own line is
        const [x, y] = [(x0 + x1) / 2 - Math.abs(down) * apart, (y0 + y1) / 2 + Math.abs(across) * apart];
        const beside = LINK.beside + 2 * apart;
        const text = drawn("text", { x: x + Math.abs(down) * beside, y: y - Math.abs(across) * beside });
        text.textContent = number > 0 ? `${mark}: ${number}` : mark;
        if (number > 0) return [text];
        return [drawn("path", { d: number ? crossAt(x, y) : arrowAt(x, y, across, down) }), text];
      }),
    );
  }
}
