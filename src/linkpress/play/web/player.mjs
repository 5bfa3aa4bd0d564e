// The page: puzzle, toolbar, messages, clock. Everything it says stands in the words.
import { Board, checkDrawing } from "./rules.mjs";
import { Drawing, crossOn, edgeOf } from "./drawing.mjs";
import { BoardView, ZOOM_STEP } from "./board_view.mjs";
import { Keys, Pointers } from "./input.mjs";
import { markedLinks, nextHint, unpackHints } from "./hints.mjs";
import { PuzzleList } from "./list.mjs";
import { Settings } from "./settings.mjs";
import { SETTINGS, Store, better, merged, openStorage } from "./store.mjs";
import { breachText, clock, counted, openText, say, stepText, wrongOf } from "./telling.mjs";

const TICK_MS = 1000;
const WIDE_COLS = 34; // more columns than this get more than the page's usual width
const LARGE_SIDE = 12; // boards with a longer side can be enlarged
const MOST_ASKED = 20; // characters of an address that are read
const LEAST_FRAME = 0.55; // of the window's height
const FRAMED = 0.75; // of the screen's height: a frame's own may follow from the board's
const MESSAGE_ROOM = 76; // px, below the buttons
const JOINED_MS = 12;
const SOLVED_MS = [30, 40, 30, 40, 60];

/** One player in `root` (a shadow root); `page` is true where it has the whole page to itself. */
class Player {
  constructor(root, content, page) {
    this.root = root;
    this.content = content;
    this.words = content.words;
    this.isPage = page;
    this.store = new Store(openStorage(), content.id);
    this.puzzles = content.puzzles.map(([number, cols, rows, text, grade, mark, hinted, stars]) => {
      return { number, cols, rows, text, grade, mark, hinted, stars };
    });
    this.settings = new Settings(this);
    this.list = new PuzzleList(this);
    this.view = new BoardView(this.part("frame"), this.part("grid"), this.words);
    this.panning = false;
    this.pointers = new Pointers(this);
    this.keys = new Keys(this);
    this.part("still").remove();
    this.part("main").hidden = this.part("nav").hidden = false;
    this.wire();
    const left = content.daily ? undefined : this.find(this.store.last);
    this.open(this.find(this.asked()) ?? left ?? this.puzzles[0], false);
    this.visit(this.asked());
    if (page) history.replaceState({ number: this.puzzle.number }, "");
    this.timer = setInterval(() => this.tick(), TICK_MS);
  }

  part(name) {
    return this.root.querySelector(`[data-part="${name}"]`);
  }

  /** What the address asks for, as it is written there. */
  asked() {
    return this.isPage ? location.hash.slice(1, MOST_ASKED) : "";
  }

  /** The puzzle of a number that is written in digits. */
  find(number) {
    return /^\d+$/.test(number) ? this.puzzles.find((one) => one.number === Number(number)) : undefined;
  }

  /** Open what an address asks for, or say that there is no such puzzle. */
  visit(asked) {
    const found = this.find(asked);
    if (found ? found === this.puzzle && !this.lost : !asked) return;
    if (found) return this.open(found);
    this.save();
    this.lose(true);
    const list = () => (this.puzzles.length > 1 ? this.list.show() : this.open(this.puzzle));
    this.message(say(this.words.no_puzzle, { number: asked }), "wrong", this.words.all_puzzles, list);
  }

  /** Show no board, for none was asked for that is here; or show one again. */
  lose(lost) {
    this.lost = lost;
    this.part("main").classList.toggle("lost", lost);
    if (lost && this.isPage) document.title = this.content.title;
  }

  wire() {
    this.root.addEventListener("click", (event) => {
      const action = event.target.closest("[data-do]")?.dataset.do;
      if (action) this.act(action, event.target.closest("[data-do]"));
      else if (isBeside(event)) event.target.close();
    });
    new ResizeObserver(() => this.resized()).observe(this.part("player"));
    addEventListener("resize", () => this.refit());
    addEventListener("pagehide", () => this.save());
    document.addEventListener("visibilitychange", () => document.hidden && this.save());
    addEventListener("storage", ({ key }) => {
      if (key === SETTINGS) this.settings.take();
      if (key === this.store.key(this.puzzle.mark) && !this.pointers.stroke) this.save();
    });
    if (this.isPage) {
      addEventListener("popstate", ({ state }) => this.visit(this.asked() || String(state?.number ?? "")));
    }
  }

  act(action, element) {
    const actions = {
      undo: () => this.history("undo"),
      redo: () => this.history("redo"),
      check: () => this.check(),
      hint: () => this.hint(),
      accept: () => this.accept(),
      clear: () => this.clear(),
      answer: () => this.answer(),
      print: () => print(),
      larger: () => this.zoom(ZOOM_STEP),
      smaller: () => this.zoom(1 / ZOOM_STEP),
      fit: () => this.zoom(0),
      pan: () => this.setPanning(!this.panning),
      previous: () => this.step(-1),
      next: () => this.step(1),
      pause: () => this.pause(!this.paused),
      trial: () => this.tryOut(),
      trial_keep: () => this.endTrial(() => this.drawing.setTrial(null)),
      trial_back: () => this.endTrial(() => this.drawing.takeTrialBack()),
      share: () => this.share(),
      export: () => this.list.save(),
      index: () => this.list.show(),
      unsolved: () => {
        element.closest("dialog").close();
        this.turnTo(this.nextUnsolved());
      },
      settings: () => this.part("settings").showModal(),
      rules: () => this.part("rules").showModal(),
      close: () => element.closest("dialog").close(),
      go: () => {
        element.closest("dialog").close();
        this.turnTo(this.find(element.dataset.number));
      },
    };
    actions[action]();
  }

  step(by) {
    const puzzle = this.neighbour(by);
    if (puzzle) this.turnTo(puzzle);
  }

  /** The puzzle so many numbers on; a day's page names its own puzzle first, and the one before it behind. */
  neighbour(by) {
    const inOrder = [...this.puzzles].sort((one, other) => one.number - other.number);
    return inOrder[inOrder.indexOf(this.puzzle) + by];
  }

  /** The first puzzle behind this one that is not solved, or before it; none where all are. */
  nextUnsolved() {
    const at = this.puzzles.indexOf(this.puzzle);
    const others = [...this.puzzles.slice(at + 1), ...this.puzzles.slice(0, at)];
    return others.find((one) => !this.store.progress(one.mark).solved);
  }

  /** Open a puzzle, from which the browser's Back leads here again. */
  turnTo(puzzle) {
    if (this.isPage) history.pushState({ number: puzzle.number }, "", `#${puzzle.number}`);
    this.store.last = puzzle.number;
    this.open(puzzle);
  }

  /** Show a puzzle as it was left. */
  open(puzzle, focus = true) {
    if (this.puzzle) this.save();
    this.lose(false);
    this.pause(false);
    this.cleared = undefined;
    this.puzzle = puzzle;
    const { number, cols, rows, text, grade, mark } = puzzle;
    const board = Board.read(rows, cols, text);
    board.untouching = Boolean(this.content.untouching);
    this.kept = this.store.progress(mark);
    this.drawing = new Drawing(board);
    this.drawing.take(strokesFor(board, this.kept));
    this.drawing.changed = (a, b) => this.view.redraw(a, b);
    this.begun = this.drawing.history.length > 0;
    this.view.take(this.drawing);
    this.part("number").textContent = number;
    this.part("number-words").textContent = say(this.words.puzzle, { number });
    const section = this.content.sections.find((one) => number >= one.first && number < one.first + one.count);
    const size = say(this.words.size, { cols, rows }).replaceAll(" ", "\u00a0");
    const facts = [section?.name, size, this.words.grades[grade]];
    this.part("facts").textContent = facts.filter(Boolean).join(" · ");
    const solids = board.numbers.some((one) => one < 0);
    for (const rule of this.root.querySelectorAll('[data-part="rule-solids"]')) rule.hidden = !solids;
    const at = this.puzzles.indexOf(this.puzzle);
    this.disable("previous", !this.neighbour(-1));
    this.disable("next", !this.neighbour(1));
    this.root.querySelector('[data-do="answer"]').hidden = !this.content.answers?.[at];
    this.root.querySelector('[data-do="hint"]').hidden = !this.puzzle.hinted;
    if (this.isPage) document.title = `${say(this.words.puzzle, { number })} – ${this.content.title}`;
    this.setPanning(false);
    this.message("");
    this.refit();
    this.view.show(say(this.words.board, { number, cols, rows }));
    this.showState();
    if (focus) this.part("heading").focus();
  }

  disable(action, disabled) {
    for (const button of this.root.querySelectorAll(`[data-do="${action}"]`)) {
      button.setAttribute("aria-disabled", disabled);
    }
  }

  /** Size the board to the window; what is too large for it scrolls in its frame. */
  refit() {
    const frame = this.part("frame");
    const { rows, cols } = this.view.board;
    this.part("player").classList.toggle("wide", cols > WIDE_COLS);
    const height = this.room(frame);
    frame.style.maxHeight = `${height}px`;
    this.view.fit(frame.offsetWidth, height);
    this.part("zoom").hidden = !(this.scrolls() || cols > LARGE_SIDE || rows > LARGE_SIDE);
    this.root.querySelector('[data-do="pan"]').hidden = !this.scrolls();
  }

  /** The height that a board may take; what is said below it changes nothing about that. */
  room(frame) {
    if (!this.isPage) return innerHeight;
    if (isFramed()) return FRAMED * screen.availHeight;
    const box = frame.getBoundingClientRect();
    const isBeside = this.part("tools").getBoundingClientRect().left > box.left + box.width / 2;
    const others = isBeside ? 0 : this.part("buttons").offsetHeight + MESSAGE_ROOM;
    return Math.max(innerHeight - box.top - scrollY - others - 8, LEAST_FRAME * innerHeight);
  }

  /** The player has another size: a page in a frame tells the page around it. */
  resized() {
    this.refit();
    if (!this.isPage || !isFramed()) return;
    const height = Math.ceil(this.part("player").getBoundingClientRect().height);
    parent.postMessage({ linkpress: this.content.id, height }, "*");
  }

  scrolls() {
    const frame = this.part("frame");
    return frame.scrollWidth > frame.clientWidth + 1 || frame.scrollHeight > frame.clientHeight + 1;
  }

  /** Enlarge the board by a factor; 0 fits it in again. */
  zoom(factor) {
    this.view.zoomBy(factor, () => this.refit());
  }

  setPanning(on) {
    this.panning = on;
    this.view.grid.classList.toggle("panning", on);
    this.root.querySelector('[data-do="pan"]').setAttribute("aria-pressed", on);
  }

  /** While a line is being drawn: what was marked no longer holds, and the clock runs. */
  moved() {
    this.begun = true;
    if (this.hinted || this.marked) this.unmark();
  }

  /** After a finished stroke. */
  stroked(changed, phrase = "") {
    this.moved();
    if (!changed) return;
    this.message(phrase && this.words[phrase]);
    this.changed();
    const wrong = this.settings.checking ? wrongOf(checkDrawing(this.drawing.lines)) : [];
    if (this.isRight) this.finish();
    else if (wrong.length) this.showBreaches(wrong);
    else if (this.joins(this.view.cursor)) this.vibrate(JOINED_MS);
  }

  /** Whether the line through a square joins two equal numbers. */
  joins(cell) {
    const { lines, board } = this.drawing;
    const cells = lines.line(cell);
    const [one, other] = [cells[0], cells.at(-1)].map((end) => board.numbers[end]);
    return cells.length > 1 && one > 0 && one === other;
  }

  vibrate(pattern) {
    if (this.settings.vibration) navigator.vibrate?.(pattern);
  }

  /** Set a cross between two squares that no line joins, or take it away; whether it was. */
  cross(edge) {
    const { lines, board } = this.drawing;
    const [a, b] = board.ends(edge);
    if (lines.has(a, b) || board.isSolid(a) || board.isSolid(b)) return false;
    this.stroked(this.drawing.apply([crossOn(edge)]));
    this.vibrate(JOINED_MS);
    return true;
  }

  /** What is drawn from now on is a trial. */
  tryOut() {
    this.unmark();
    this.drawing.setTrial(this.drawing.history.length);
    this.message(this.words.trial_begun);
    this.changed();
  }

  endTrial(end) {
    this.unmark();
    end();
    this.changed();
    this.root.querySelector('[data-do="trial"]').focus();
  }

  /** The drawing is right: by the reader's own lines, or by the answer's. */
  finish() {
    if (this.kept.answered) return this.message(this.words.answer_shown);
    const { seconds, hints } = this.kept;
    this.drawing.setTrial(null);
    this.kept.solved = true;
    this.kept.best = better(this.kept.best, { seconds, hints });
    this.changed();
    const next = this.nextUnsolved();
    this.message(this.result(), "solved", next ? this.words.next : "", () => this.turnTo(next));
    this.view.celebrate();
    this.vibrate(SOLVED_MS);
  }

  /** That it is solved, in what time and with how many hints. */
  result() {
    const { seconds, hints } = this.kept;
    const { solved, solved_in, hints_used } = this.words;
    const parts = [this.settings.timer ? say(solved_in, { time: clock(seconds) }) : solved];
    if (hints) parts.push(counted(this.words, hints_used, hints));
    return parts.join(" ");
  }

  /** Hand the result to what the device shares with, or to its clipboard; else show it to be copied. */
  async share() {
    const puzzle = say(this.words.puzzle, { number: this.puzzle.number });
    const told = say(this.words.share_text, { title: this.content.title, puzzle, result: this.result() });
    const text = this.isPage && location.protocol.startsWith("http") ? `${told} ${location.href}` : told;
    try {
      if (navigator.share) return await navigator.share({ text });
      await navigator.clipboard.writeText(text);
      this.message(this.words.copied);
    } catch (fault) {
      if (fault.name !== "AbortError") this.message(text);
    }
  }

  history(direction) {
    this.unmark();
    const done = this.drawing[direction]();
    this.message(done ? "" : this.words[`nothing_to_${direction}`]);
    if (direction === "undo" && this.cleared?.strokes === this.drawing.history.length + 1) {
      Object.assign(this.kept, this.cleared.attempt);
      this.cleared = undefined;
    }
    this.changed();
  }

  /** Begin anew, the clock too, until it is undone. */
  clear() {
    this.unmark();
    if (this.drawing.isEmpty) return;
    const { seconds, hints, answered } = this.kept;
    this.drawing.clear();
    this.drawing.setTrial(null);
    this.cleared = { strokes: this.drawing.history.length, attempt: { seconds, hints, answered } };
    Object.assign(this.kept, { seconds: 0, hints: 0, answered: false });
    this.message(this.words.cleared);
    this.changed();
  }

  /** After a change of the drawing, which is from now on the latest. */
  changed() {
    this.kept.changed = Math.max(Date.now(), this.kept.changed + 1);
    this.store.last = this.puzzle.number;
    this.begun = true;
    this.showState();
    this.save();
  }

  /** Buttons, and what the list of puzzles says of this one. */
  showState() {
    const isRight = !this.drawing.isEmpty && !checkDrawing(this.drawing.lines).length;
    this.disable("undo", !this.drawing.history.length);
    this.disable("redo", !this.drawing.undone.length);
    this.disable("clear", this.drawing.isEmpty);
    this.view.grid.classList.toggle("solved", isRight);
    this.isRight = isRight;
    const isTrial = this.drawing.trial !== null;
    this.root.querySelector('[data-do="trial"]').hidden = isTrial;
    this.part("trial").hidden = !isTrial;
    this.showTime();
  }

  /** Stop the clock and cover the board, or go on. */
  pause(on) {
    if (on === Boolean(this.paused) || (on && (!this.begun || this.isRight))) return;
    this.paused = on;
    this.part("main").classList.toggle("paused", on);
    this.message(on ? this.words.paused : "", "", on ? this.words.resume : "", () => this.pause(false));
    if (on) this.part("accept").focus();
    else this.view.setCursor(this.view.cursor);
  }

  tick() {
    const rests = this.paused || document.hidden || this.root.querySelector("dialog[open]");
    if (!this.begun || this.isRight || rests) return;
    this.kept.seconds += TICK_MS / 1000;
    this.showTime();
    if (this.kept.seconds % 15 === 0) this.save();
  }

  showTime() {
    this.part("time").textContent = clock(this.kept.seconds);
  }

  /** Keep the drawing; or take over the one that another page has drawn since. */
  save() {
    const { history, undone, trial } = this.drawing;
    const own = { ...this.kept, history, undone, trial };
    const { mark } = this.puzzle;
    this.kept = this.begun ? this.store.saveProgress(mark, own) : merged(own, this.store.progress(mark));
    this.part("notice").hidden = !this.store.refused.size;
    if (this.kept.changed === own.changed) return;
    this.unmark();
    this.drawing.take(strokesFor(this.drawing.board, this.kept));
    this.begun = true;
    this.showState();
  }

  /** A line of text under the board, read out by screen readers; `accept` is what its button does. */
  message(text, kind = "", action = "", accept = () => {}) {
    this.accept = accept;
    const line = this.part("message");
    line.dataset.kind = kind;
    this.part("message-text").textContent = text;
    const button = this.part("accept");
    button.hidden = !action;
    button.textContent = action;
    this.part("share").hidden = kind !== "solved";
  }

  unmark() {
    this.hinted = undefined;
    this.marked = false;
    this.view.mark([]);
    if (this.part("message").dataset.kind !== "solved" || !this.isRight) this.message("");
  }

  /** Name what is wrong and show where; what is only unfinished is counted. */
  check() {
    const breaches = checkDrawing(this.drawing.lines);
    if (!breaches.length) return this.finish();
    const wrong = wrongOf(breaches);
    if (wrong.length) return this.showBreaches(wrong);
    this.unmark();
    this.message(openText(this.words, breaches));
    const ends = breaches.filter(({ rule }) => rule === "dead end").flatMap(({ cells }) => cells);
    this.view.mark(ends.map((cell) => ({ cell, mark: "open" })));
    this.marked = true;
  }

  showBreaches(wrong) {
    this.unmark();
    this.message(breachText(this.words, this.drawing.board, wrong), "wrong");
    this.view.mark(wrong.flatMap((breach) => breach.cells).map((cell) => ({ cell, mark: "wrong" })));
    this.marked = true;
  }

  /** The next hint: a fault, a mistake, or a step with its reason; the same button then draws it. */
  async hint() {
    try {
      const boards = this.puzzles.map(({ rows, cols, text }) => Board.read(rows, cols, text));
      this.steps ??= await unpackHints(this.content.hints, boards);
    } catch {
      return this.message(this.words.hint_unreadable);
    }
    const found = nextHint(this.steps[this.puzzles.indexOf(this.puzzle)], this.drawing.lines);
    if (found.kind === "fault") return this.showBreaches(found.breaches);
    if (found.kind === "done") return this.finish();
    const isNew = !this.hinted;
    this.unmark();
    if (found.kind === "none") return this.message(this.words.hint_none, "hint");
    if (found.kind === "mistake") this.showMistake(found.edges);
    else this.showStep(found);
    this.begun = true;
    this.kept.hints += isNew;
    this.save();
  }

  showMistake(edges) {
    this.hinted = { edges };
    this.message(this.words.hint_mistake, "wrong", this.words.hint_take_back, () => this.acceptHint());
    this.view.mark(
      edges.flatMap((edge) => this.drawing.board.ends(edge)).map((cell) => ({ cell, mark: "wrong" })),
      edges,
      "wrong",
    );
  }

  /** A step in words, its squares marked and named. */
  showStep(found) {
    const { lines, board } = this.drawing;
    const { step } = found;
    const { text, unseen, names } = stepText(this.words, board, found);
    this.hinted = { edges: step.edges.filter((edge) => !lines.has(...board.ends(edge))) };
    this.message(text, "hint", this.words.hint_next, () => this.acceptHint());
    const hidden = document.createElement("span");
    hidden.className = "unseen";
    hidden.textContent = ` ${unseen}`;
    this.part("message-text").append(hidden);
    const rests = new Set(step.cells);
    const marks = [...new Set([...names.keys(), ...rests])].map((cell) => {
      return { cell, mark: rests.has(cell) ? "hint" : "named", name: names.get(cell) };
    });
    this.view.mark(marks, this.hinted.edges, "hint");
    this.view.showLinks(markedLinks([...found.reasons, step]));
    this.view.reveal(step.cells[0] ?? board.ends(step.edges[0])[0]);
  }

  /** Draw the hinted step, or take the mistake back. */
  acceptHint() {
    const { edges } = this.hinted;
    const hadFocus = this.root.activeElement === this.part("accept");
    this.stroked(this.drawing.apply(edges));
    if (hadFocus) this.root.querySelector('[data-do="hint"]').focus();
  }

  answer() {
    if (!confirm(this.words.answer_question)) return;
    this.unmark();
    this.drawing.apply([...this.content.answers[this.puzzles.indexOf(this.puzzle)], ...this.drawing.lines.edges()]);
    this.kept.answered = true;
    this.message(this.words.answer_shown);
    this.changed();
  }
}

function isFramed() {
  return parent !== window;
}

/** Whether a click on a dialog was on what is behind it. */
function isBeside({ target, clientX, clientY }) {
  if (target.localName !== "dialog") return false;
  const { left, right, top, bottom } = target.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}

/** What was drawn before; nothing where what is kept belongs to no such board. */
function strokesFor(board, { history, undone, trial }) {
  const fits = (mark) => {
    if (!Number.isInteger(mark)) return false;
    const [a, b] = board.ends(edgeOf(mark));
    return board.way(a, b) !== 0 && !board.isSolid(a) && !board.isSolid(b);
  };
  return [...history, ...undone].flat().every(fits)
    ? { history, undone, trial }
    : { history: [], undone: [], trial: null };
}

/** Where a day's page is served, it may be put among the device's programs, and works without a network. */
function install() {
  const manifest = document.createElement("link");
  manifest.rel = "manifest";
  manifest.href = "../app.webmanifest";
  document.head.append(manifest);
  navigator.serviceWorker?.register("../sw.js").catch(() => {});
}

/** Put a player into its element; its content is the JSON in there. */
export function start(host, page) {
  const template = host.querySelector("template");
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  if (template) root.append(template.content);
  const content = JSON.parse(root.querySelector('[type="application/json"]').textContent);
  host.player = new Player(root, content, page);
  if (content.daily && location.protocol.startsWith("http")) install();
}
