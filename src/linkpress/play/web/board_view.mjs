// The board on the page: a grid of cells, which screen readers can read, and an SVG drawing with the lines.
import { DOWN, LEFT, RIGHT, SOLID, UP } from "./rules.mjs";
import { say, squareName } from "./phrases.mjs";

const SVG = "http://www.w3.org/2000/svg";
const WAY_NAMES = [[UP, "up"], [LEFT, "left"], [RIGHT, "right"], [DOWN, "down"]];
const INKS = 8; // colours of lines
const MIN_CELL = 24; // px, the least side of a square to tap, as WCAG 2.2 requires
const MIN_WHOLE_CELL = 16; // px, the least side if the player wants to see the whole board
const MAX_FITTED_CELL = 72; // px, the largest side without zoom
const MAX_CELL = 120; // px, the largest side with zoom
const OUTLINE = 0.46; // room for the outline of a shape at each side of the board, as a share of a cell
const FRAME = 14; // px, the outline of the board and the padding around it
const WAVE_MS = 700; // of the wave along a line when the puzzle is solved
export const ZOOM_STEP = 1.25;
// Sizes of arrows, crosses and their marks in hints, as shares of a cell.
const LINK = { reach: 0.26, head: 0.11, cross: 0.13, beside: 0.2, apart: 0.28 };

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
 * Return an ink for each number, so that pairs of the same ink are far apart. Each pair in turn gets the ink whose
 * nearest number is farthest away. With `dotInks`, the number of colours of dots, the pairs get one ink after the other,
 * as in the printed book.
 */
export function inksOf(board, dotInks = 0) {
  if (dotInks) return new Map([...board.pairs()].map(([number], place) => [number, place % dotInks]));
  const cellsOfInk = Array.from({ length: INKS }, () => []);
  const inks = new Map();
  for (const [number, cells] of board.pairs()) {
    const ends = cells.map((cell) => [Math.floor(cell / board.cols), cell % board.cols]);
    const distances = cellsOfInk.map((places) => leastDistance(places, ends));
    const ink = distances.indexOf(Math.max(...distances));
    cellsOfInk[ink].push(...ends);
    inks.set(number, ink);
  }
  return inks;
}

/** Return the least distance between the squares of two lists. It has plain loops, which are fast for 300 pairs. */
function leastDistance(places, ends) {
  let least = Infinity;
  for (const [row, col] of places) {
    for (const [endRow, endCol] of ends) {
      least = Math.min(least, Math.abs(endRow - row) + Math.abs(endCol - col));
    }
  }
  return least;
}

/** View of a drawing. The element `frame` scrolls; the element `grid` inside it has the role grid. */
export class BoardView {
  constructor(frame, grid, words, nameOf) {
    this.frame = frame;
    this.grid = grid;
    this.words = words;
    this.nameOf = nameOf; // returns what a pair is called
    this.cursor = 0;
    this.zoom = 1;
  }

  /** Set the drawing to show, and the size of the grid. `show` then makes the cells. */
  load(drawing) {
    this.drawing = drawing;
    this.board = drawing.board;
    this.zoom = 1;
    this.grid.replaceChildren();
    this.grid.classList.toggle("shape", Boolean(this.board.shape));
    this.grid.style.setProperty("--outline", OUTLINE);
    this.grid.style.setProperty("--cols", this.board.cols);
    this.grid.style.setProperty("--rows", this.board.rows);
  }

  /** Make the cells. `label` is the name of the grid for screen readers. */
  show(label) {
    const { rows, cols } = this.board;
    this.grid.setAttribute("aria-label", label);
    this.grid.setAttribute("aria-rowcount", rows);
    this.grid.setAttribute("aria-colcount", cols);
    const dotInks = Number(this.grid.closest(".player")?.dataset.dotInks ?? 0);
    this.inks = inksOf(this.board, dotInks);
    const { picture } = this.board;
    this.grid.classList.toggle("repeats", dotInks > 0 && (Boolean(picture) || this.inks.size > dotInks)); // some pairs share a colour
    // On a board that shows a picture, dots and their lines have the colours of the picture.
    this.pictureInks = new Map(picture ? [...this.board.pairs()].map(([number], place) => [number, picture.inks[place]]) : []);
    this.hasPictureDots = dotInks > 0 && this.pictureInks.size > 0;
    const shape = Object.entries(this.board.shape ?? {}).map(([part, path]) => `<path class="${part}" d="${path}"/>`);
    const html = [
      `<svg aria-hidden="true" viewBox="0 0 ${cols} ${rows}"><g class="picture"></g>${shape.join("")}<g class="preview"></g><g class="rims"></g><g class="lines"></g><path class="tried rim"/><path class="tried"/><path class="crosses"/><g class="links"></g><g class="waves"></g></svg>`,
    ];
    for (let row = 0; row < rows; row += 1) {
      html.push('<div role="row">');
      for (let cell = row * cols; cell < (row + 1) * cols; cell += 1) html.push(this.cellHtml(cell));
      html.push("</div>");
    }
    this.grid.innerHTML = html.join("");
    this.cells = [...this.grid.querySelectorAll('[role="gridcell"]')];
    // Phrases may come from a file of the user, so they are never parsed as HTML.
    this.cells.forEach((cell, index) => cell.setAttribute("aria-label", this.cellLabel(index)));
    this.board.numbers.forEach((number, index) => this.setInk(this.cells[index], number));
    this.pictureLayer = this.grid.querySelector(".picture");
    this.linesLayer = this.grid.querySelector(".lines");
    this.previewLayer = this.grid.querySelector(".preview");
    this.linksLayer = this.grid.querySelector(".links");
    this.wavesLayer = this.grid.querySelector(".waves");
    this.rimsLayer = this.grid.querySelector(".rims");
    this.triedPaths = this.grid.querySelectorAll(".tried");
    this.crossesPath = this.grid.querySelector(".crosses");
    this.pathOf = new Array(this.board.size); // for each cell of a line, the SVG path of the line
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

  /** Give a dot or a line the colour that its pair has in a picture. */
  setInk(element, number) {
    if (!this.hasPictureDots || !this.pictureInks.has(number)) return;
    const [ink, legible] = this.pictureInks.get(number);
    element.style.setProperty("--own", ink);
    element.style.setProperty("--on-own", legible);
  }

  /** Colour the squares of a solved board that shows a picture. On an unsolved board, remove the colours. */
  showPicture(isSolved) {
    const isColoured = isSolved && this.pictureInks.size > 0;
    this.grid.classList.toggle("coloured", isColoured);
    const { lines } = this.drawing;
    const squares = this.pathOf.map((path, cell) => {
      const [fill] = this.pictureInks.get(path ? lines.numberOf(path.cells) : 0) ?? ["none"];
      return drawn("rect", { x: cell % this.board.cols, y: Math.floor(cell / this.board.cols), width: 1, height: 1, fill });
    });
    this.pictureLayer.replaceChildren(...(isColoured ? squares : []));
  }

  /** Return the label of a cell for screen readers: its number or line, the directions of its edges, and its name. */
  cellLabel(cell) {
    const { words } = this;
    const number = this.board.numbers[cell];
    const name = squareName(this.board, cell);
    if (number === SOLID) return `${words.cell_solid}, ${name}`;
    const ways = this.drawing.lines.ways[cell];
    const crossed = (way) => this.drawing.crosses.has(this.board.edge(cell, this.board.beside(cell, way)));
    const crosses = this.drawing.crosses.size && WAY_NAMES.some(([way]) => crossed(way));
    const parts = number > 0 ? [this.nameOf(number)] : ways ? [] : [words.cell_empty];
    if (ways && number <= 0) {
      const ofLine = this.drawing.lines.numberOf(this.drawing.lines.line(cell));
      if (ofLine > 0) parts.push(say(words.cell_line, { number: this.nameOf(ofLine) }));
      else parts.push(ofLine < 0 ? words.cell_mixed : words.cell_loose);
    }
    const named = (has) => WAY_NAMES.filter(([way]) => has(way)).map(([, name]) => words.ways[name]).join(" ");
    if (ways) parts.push(named((way) => ways & way));
    if (crosses) parts.push(say(words.cell_crossed, { ways: named(crossed) }));
    return [...parts, name].join(", ");
  }

  /** Draw all lines and marks again. */
  drawAll() {
    this.linesLayer.replaceChildren();
    this.rimsLayer.replaceChildren();
    this.pathOf.fill(undefined);
    for (let cell = 0; cell < this.board.size; cell += 1) {
      if (this.drawing.lines.ways[cell] && !this.pathOf[cell]) this.drawLine(cell);
    }
    this.drawMarks();
  }

  /** Draw the crosses, and the dots on the lines of a trial. */
  drawMarks() {
    const step = (edge) => `M${this.board.ends(edge).map((cell) => this.centre(cell).join(" ")).join("L")}`;
    const crosses = [...this.drawing.crosses].map((edge) => crossAt(...this.middle(this.board.ends(edge))));
    this.crossesPath.setAttribute("d", crosses.join(""));
    const lines = [...this.drawing.tried].filter((mark) => mark >= 0 && this.drawing.lines.has(...this.board.ends(mark)));
    this.triedPaths.forEach((path) => path.setAttribute("d", lines.map(step).join("")));
  }

  /** Draw the lines through two cells again, because the edge between the cells has changed. */
  redraw(a, b) {
    const stale = new Set();
    for (const cell of [a, b]) {
      const path = this.pathOf[cell];
      if (!path) continue;
      path.cells.forEach((other) => stale.add(other));
      path.cells.forEach((other) => (this.pathOf[other] = undefined));
      path.rim?.remove();
      path.remove();
    }
    for (const cell of new Set([a, b, ...stale])) {
      if (this.drawing.lines.ways[cell] && !this.pathOf[cell]) this.drawLine(cell);
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
    this.setInk(path, number);
    if (number > 0) {
      path.rim = path.cloneNode();
      this.rimsLayer.append(path.rim);
    }
    this.linesLayer.append(path);
    for (const cell of cells) {
      this.pathOf[cell] = path;
      this.relabel(cell, ink);
    }
  }

  relabel(cell, ink) {
    const element = this.cells[cell];
    if (ink) element.dataset.ink = ink;
    else delete element.dataset.ink;
    element.setAttribute("aria-label", this.cellLabel(cell));
  }

  /** Move the tab stop to a cell, and the focus too unless `focus` is false. */
  setCursor(cell, focus = true, reveal = focus) {
    const [before, element] = [this.cells[this.cursor], this.cells[cell]];
    this.cursor = cell;
    element.setAttribute("tabindex", "0");
    if (focus) element.focus({ preventScroll: true });
    // This comes last: a focused cell that loses its tab stop would lose the focus too, which would lift the pen.
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

  /**
   * Return the cell at a point of the window; -1 if there is none. `inset` is a margin of each cell that counts as
   * outside, as a share of its side.
   */
  cellAt(x, y, inset = 0) {
    const box = this.grid.getBoundingClientRect();
    const size = this.grid.clientWidth / this.board.cols;
    const across = (x - box.left - this.grid.clientLeft) / size;
    const down = (y - box.top - this.grid.clientTop) / size;
    const [col, row] = [Math.floor(across), Math.floor(down)];
    if (col < 0 || row < 0 || col >= this.board.cols || row >= this.board.rows) return -1;
    const edge = Math.min(across - col, col + 1 - across, down - row, row + 1 - down);
    return edge < inset ? -1 : row * this.board.cols + col;
  }

  /** Return the edge nearest to a point of the window; undefined outside of the board and at its border. */
  edgeAt(x, y) {
    const cell = this.cellAt(x, y);
    if (cell < 0) return undefined;
    const box = this.cells[cell].getBoundingClientRect();
    const gaps = [y - box.top, x - box.left, box.right - x, box.bottom - y]; // in the order of WAY_NAMES
    const [way] = WAY_NAMES[gaps.indexOf(Math.min(...gaps))];
    const beside = this.board.beside(cell, way);
    return beside < 0 ? undefined : this.board.edge(cell, beside);
  }

  /** Send a wave along each line of a solved board, unless the reader wants little motion. */
  celebrate() {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const lines = [...this.linesLayer.children];
    for (const [index, line] of lines.entries()) {
      const wave = drawn("path", { d: line.getAttribute("d"), pathLength: 1 });
      this.wavesLayer.append(wave);
      const given = { duration: WAVE_MS, delay: (WAVE_MS * index) / lines.length, fill: "both" };
      wave.animate({ strokeDashoffset: [0.3, -1] }, given).onfinish = () => wave.remove();
    }
  }

  /** Set the size of the cells by the available room and the zoom. A zoom of 0 shows the whole board. */
  fit(width, height) {
    const { rows, cols } = this.board;
    const extra = this.board.shape ? 2 * OUTLINE : 0;
    this.fitted = Math.min(MAX_FITTED_CELL, (width - FRAME) / (cols + extra), (height - FRAME) / (rows + extra));
    const whole = Math.max(MIN_WHOLE_CELL, this.fitted);
    const zoomed = this.zoom ? Math.max(MIN_CELL, this.fitted) * this.zoom : whole;
    this.cellSize = Math.floor(Math.min(MAX_CELL, Math.max(Math.min(MIN_CELL, whole), zoomed)));
    this.grid.style.setProperty("--cell", `${this.cellSize}px`);
    this.frame.parentElement.style.setProperty("--board", `${this.cellSize * (cols + extra) + 8}px`);
  }

  /** Zoom by a factor, or show the whole board with 0. The middle of the visible part stays in the middle. */
  zoomBy(factor, refit) {
    const { frame } = this;
    const fitted = Math.max(MIN_CELL, this.fitted);
    const [x, y] = [frame.clientWidth / 2, frame.clientHeight / 2];
    const middle = [(frame.scrollLeft + x) / this.cellSize, (frame.scrollTop + y) / this.cellSize];
    const zoom = (factor * this.cellSize) / fitted;
    this.zoom = factor && Math.min(MAX_CELL / fitted, Math.max(MIN_WHOLE_CELL / fitted, zoom));
    refit();
    frame.scrollLeft = middle[0] * this.cellSize - x;
    frame.scrollTop = middle[1] * this.cellSize - y;
  }

  /**
   * Mark some cells and edges, and remove all earlier marks.
   *
   * Each item of `marks` is {cell, mark, name}. `kind` is the style of the edges.
   */
  mark(marks, edges = [], kind = "") {
    for (const element of this.grid.querySelectorAll("[data-mark]")) {
      delete element.dataset.mark;
      delete element.dataset.name;
      delete element.dataset.corner;
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

  /** Return the centre of a cell. The unit is the side of a cell. */
  centre(cell) {
    const { cols } = this.board;
    return [(cell % cols) + 0.5, Math.floor(cell / cols) + 0.5];
  }

  /** Return the point between two neighbouring cells. */
  middle([one, other]) {
    return this.centre(one).map((place, axis) => (place + this.centre(other)[axis]) / 2);
  }

  /**
   * Draw the consequences of a supposition: an arrow, a cross or a number for each, with its mark. A link without
   * `number` is a piece of a line that the hint draws anyway, and only gets its mark.
   */
  showLinks(links) {
    const busy = [...this.drawing.crosses].map((edge) => this.middle(this.board.ends(edge)));
    this.linksLayer.replaceChildren(
      ...links.flatMap(({ cells, number, mark, begins }) => {
        const [[x0, y0], [x1, y1]] = [this.centre(cells[0]), this.centre(cells.at(-1))];
        const [across, down] = [x1 - x0, y1 - y0];
        const apart = begins ? LINK.apart : 0; // beside the line that the step draws
        const [x, y] = [(x0 + x1) / 2 - Math.abs(down) * apart, (y0 + y1) / 2 + Math.abs(across) * apart];
        const beside = LINK.beside + 1.6 * apart;
        const [textX, textY] = [x + Math.abs(down) * beside, y - Math.abs(across) * beside];
        busy.push([x, y], [textX, textY]);
        const text = drawn("text", { x: textX, y: textY });
        text.textContent = number > 0 ? `${mark}: ${this.nameOf(number)}` : mark;
        if (number === undefined || number > 0) return [text];
        return [drawn("path", { d: number ? crossAt(x, y) : arrowAt(x, y, across, down) }), text];
      }),
    );
    this.cells.forEach((element, cell) => {
      if (element.dataset.name) element.dataset.corner = this.freeCorner(cell, busy);
    });
  }

  /** Return the corner of a cell for its name, where the name covers none of the marks at the points `busy`. */
  freeCorner(cell, busy) {
    const [x, y] = this.centre(cell);
    const room = ([right, down]) => {
      const far = busy.map(([px, py]) => Math.hypot(px - x - 0.27 * right, py - y - 0.35 * down));
      return Math.min(0.35, ...far);
    };
    const corners = { "bottom left": [-1, 1], "top left": [-1, -1], "bottom right": [1, 1], "top right": [1, -1] };
    return Object.keys(corners).reduce((best, name) => (room(corners[name]) > room(corners[best]) ? name : best));
  }
}
