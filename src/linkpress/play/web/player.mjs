// The player: a puzzle with its toolbar, messages and clock. All phrases come from the content of the page.
import { Board, checkDrawing } from "./rules.mjs";
import { Drawing, crossOn, edgeOf } from "./drawing.mjs";
import { BoardView, ZOOM_STEP } from "./board_view.mjs";
import { Keys, Pointers } from "./input.mjs";
import { markedLinks, nextHint, unpackHints } from "./hints.mjs";
import { PuzzleList } from "./list.mjs";
import { Settings } from "./settings.mjs";
import { SETTINGS, Store, better, merged, openStorage } from "./store.mjs";
import { breachText, clock, counted, openText, placeOf, puzzleTitle, say, squareName, stepText, wrongOf } from "./phrases.mjs";

const TICK_MS = 1000;
const WIDE_COLS = 34; // with more columns, the player is wider than the usual page
const LARGE_SIDE = 12; // boards with a longer side can be zoomed
const MAX_HASH_LENGTH = 20; // characters of the address after # that are read
const MIN_BOARD_SHARE = 0.55; // the least height of the board, as a share of the height of the window
const FRAMED_SHARE = 0.75; // in an iframe, the most height of the board, as a share of the height of the screen
const MESSAGE_ROOM = 76; // px, the room for a message below the buttons
const SHADED = /gap|balance|area|loose|touch|order/; // first stages of hints that speak of the step's squares as shaded
const JOINED_MS = 12; // vibration when a pair is joined
const [CHIME_HZ, TONE_S, CHIME_VOLUME] = [[523, 659, 784, 1047], 0.09, 0.12]; // tones when the puzzle is solved: C, E, G, C
const SOLVED_MS = [30, 40, 30, 40, 60]; // vibration when the puzzle is solved: on, off, on, off, on

/** Player inside a shadow root, `root`. `page` is whether it is alone on its page. */
class Player {
  constructor(root, content, page) {
    this.root = root;
    this.content = content;
    this.words = content.words;
    this.isPage = page;
    this.part("player").classList.toggle("alone", page && !isFramed());
    this.store = new Store(openStorage(), content.id);
    this.puzzles = content.puzzles.map(([number, cols, rows, text, mark, hinted, difficulty, points, shape], index) => {
      return { number, cols, rows, text, mark, hinted, difficulty, points, shape, name: content.names?.[index] };
    });
    this.settings = new Settings(this);
    this.list = new PuzzleList(this);
    this.view = new BoardView(this.part("frame"), this.part("grid"), this.words, (number) => this.nameOf(number));
    this.seen = new Set(); // hints that draw nothing, which the player has read
    this.panning = false;
    this.pointers = new Pointers(this);
    this.keys = new Keys(this);
    this.part("still").remove();
    this.part("main").hidden = this.part("nav").hidden = false;
    this.wire();
    const last = content.daily ? undefined : this.find(this.store.last);
    this.open(this.find(this.hash()) ?? last ?? this.puzzles[0], false);
    this.visit(this.hash());
    if (page) history.replaceState({ number: this.puzzle.number }, "");
    this.timer = setInterval(() => this.tick(), TICK_MS);
  }

  part(name) {
    return this.root.querySelector(`[data-part="${name}"]`);
  }

  button(action) {
    return this.root.querySelector(`[data-do="${action}"]`);
  }

  /** Return the part of the address after #, which should be the number of a puzzle. */
  hash() {
    return this.isPage ? location.hash.slice(1, MAX_HASH_LENGTH) : "";
  }

  /** Return the puzzle with a number, which is a text of digits. */
  find(number) {
    return /^\d+$/.test(number) ? this.puzzles.find((puzzle) => puzzle.number === Number(number)) : undefined;
  }

  /** Open the puzzle with a number, or show a message that there is no such puzzle. */
  visit(number) {
    const puzzle = this.find(number);
    if (puzzle ? puzzle === this.puzzle && !this.isHidden : !number) return;
    if (puzzle) return this.open(puzzle);
    this.save();
    this.hideBoard(true);
    const list = () => (this.puzzles.length > 1 ? this.list.show() : this.open(this.puzzle));
    this.message(say(this.words.no_puzzle, { number }), "wrong", this.words.all_puzzles, list);
  }

  /** Hide or show the board. It is hidden if the address names no puzzle of this page. */
  hideBoard(isHidden) {
    this.isHidden = isHidden;
    this.part("main").classList.toggle("lost", isHidden);
    if (isHidden && this.isPage) document.title = this.content.title;
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
      if (key === SETTINGS) this.settings.load();
      if (key === this.store.key(this.puzzle.mark) && !this.pointers.stroke) this.save();
    });
    if (this.isPage) {
      addEventListener("popstate", ({ state }) => this.visit(this.hash() || String(state?.number ?? "")));
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
      trial_back: () => this.endTrial(() => this.drawing.undoTrial()),
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

  /**
   * Return the puzzle that is `by` places later in the order of the numbers. The page of a day lists the puzzle of
   * that day first and the earlier one second, so the order must be made here.
   */
  neighbour(by) {
    const inOrder = [...this.puzzles].sort((one, other) => one.number - other.number);
    return inOrder[inOrder.indexOf(this.puzzle) + by];
  }

  /** Return the next unsolved puzzle, starting again at the first one; undefined if all others are solved. */
  nextUnsolved() {
    const index = this.puzzles.indexOf(this.puzzle);
    const others = [...this.puzzles.slice(index + 1), ...this.puzzles.slice(0, index)];
    return others.find((puzzle) => !this.store.progress(puzzle.mark).solved);
  }

  /** Open a puzzle, and add it to the history of the browser, so that Back leads to the present one. */
  turnTo(puzzle) {
    if (this.isPage) history.pushState({ number: puzzle.number }, "", `#${puzzle.number}`);
    this.store.last = puzzle.number;
    this.open(puzzle);
  }

  /** Show a puzzle with its saved drawing. */
  open(puzzle, focus = true) {
    if (this.puzzle) this.save();
    this.hideBoard(false);
    this.pause(false);
    this.cleared = undefined;
    this.puzzle = puzzle;
    const { number, cols, rows, text, mark, difficulty, name } = puzzle;
    const board = Board.read(rows, cols, text);
    board.untouching = Boolean(this.content.untouching);
    board.shape = this.content.shapes?.[puzzle.shape];
    board.picture = this.content.pictures?.[number];
    this.part("key").textContent = board.picture?.key ?? "";
    this.part("key").hidden = !board.picture;
    this.progress = this.store.progress(mark);
    this.drawing = new Drawing(board);
    this.drawing.load(strokesFor(board, this.progress));
    this.drawing.changed = (a, b) => {
      this.view.redraw(a, b);
      this.showCount();
    };
    this.begun = this.drawing.history.length > 0;
    this.view.load(this.drawing);
    this.part("number").textContent = number;
    const title = puzzleTitle(this.words, puzzle);
    this.part("number-words").textContent = title;
    const section = this.content.sections.find(({ first, count }) => number >= first && number < first + count);
    const size = say(this.words.size, { cols, rows }).replaceAll(" ", "\u00a0");
    const facts = [name, section?.name, size, difficulty];
    this.part("facts").textContent = facts.filter(Boolean).join(" · ");
    const hasSolids = board.shape ? board.shape.blocks : board.numbers.some((value) => value < 0);
    this.part("rules-open").hidden = hasSolids;
    this.part("rules-solids").hidden = !hasSolids;
    const index = this.puzzles.indexOf(this.puzzle);
    this.disable("previous", !this.neighbour(-1));
    this.disable("next", !this.neighbour(1));
    this.button("answer").hidden = !this.content.answers?.[index];
    this.part("hint").hidden = !this.puzzle.hinted;
    if (this.isPage) document.title = `${title} – ${this.content.title}`;
    this.setPanning(false);
    this.message("");
    this.refit();
    this.view.show(say(this.words.board, { number, cols, rows }));
    this.showState();
    if (this.isRight) this.showResult();
    if (focus) this.part("heading").focus();
  }

  disable(action, disabled) {
    this.button(action).setAttribute("aria-disabled", disabled);
  }

  /** Fit the board to the window. A board that is too large scrolls in its frame. */
  refit() {
    const frame = this.part("frame");
    const { rows, cols } = this.view.board;
    this.part("player").classList.toggle("wide", cols > WIDE_COLS);
    const height = this.room(frame);
    frame.style.maxHeight = `${height}px`;
    this.view.fit(frame.offsetWidth, height);
    this.part("zoom").hidden = !(this.scrolls() || cols > LARGE_SIDE || rows > LARGE_SIDE);
    this.button("pan").hidden = !this.scrolls();
  }

  /** Return the height that the board may take, which is the same with and without a message. */
  room(frame) {
    if (!this.isPage) return innerHeight;
    if (isFramed()) return FRAMED_SHARE * screen.availHeight; // the height of an iframe may depend on the board
    const box = frame.getBoundingClientRect();
    const isBeside = this.part("tools").getBoundingClientRect().left > box.left + box.width / 2;
    const others = isBeside ? 0 : this.part("buttons").offsetHeight + MESSAGE_ROOM;
    return Math.max(innerHeight - box.top - scrollY - others - 8, MIN_BOARD_SHARE * innerHeight);
  }

  /** Fit the board after the player got another size. In an iframe, send the new height to the outer page. */
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

  /** Zoom the board by a factor; 0 shows the whole board. */
  zoom(factor) {
    this.view.zoomBy(factor, () => this.refit());
  }

  setPanning(on) {
    this.panning = on;
    this.view.grid.classList.toggle("panning", on);
    this.button("pan").setAttribute("aria-pressed", on);
  }

  /** Remove the marks and start the clock, because the drawing is being changed. */
  moved() {
    this.begun = true;
    if (this.hinted || this.marked) this.unmark();
  }

  /** Save and check the drawing after a finished stroke. `phrase` is the key of a message. */
  stroked(changed, phrase = "") {
    this.moved();
    if (!changed) return;
    this.message(phrase && this.words[phrase]);
    this.changed();
    const wrong = this.settings.checking ? wrongOf(checkDrawing(this.drawing.lines)) : [];
    if (this.isRight) this.finish();
    else if (wrong.length) this.showBreaches(wrong);
    else if (this.drawing.joins(this.view.cursor)) this.vibrate(JOINED_MS);
  }

  vibrate(pattern) {
    if (this.settings.vibration) navigator.vibrate?.(pattern);
  }

  /** Set or remove a cross on an edge, and return whether that was possible. An edge with a line takes no cross. */
  cross(edge) {
    const { lines, board } = this.drawing;
    const [a, b] = board.ends(edge);
    if (lines.has(a, b) || board.isSolid(a) || board.isSolid(b)) return false;
    this.stroked(this.drawing.apply([crossOn(edge)]));
    this.vibrate(JOINED_MS);
    return true;
  }

  /** Begin a trial with the next stroke. */
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
    this.button("trial").focus();
  }

  /** Record and celebrate a solved puzzle, unless the player was shown the answer. */
  finish() {
    if (this.progress.answered) return this.showResult();
    const { seconds, hints } = this.progress;
    this.store.countDay(new Date());
    this.drawing.setTrial(null);
    this.progress.solved = true;
    this.progress.best = better(this.progress.best, { seconds, hints });
    this.changed();
    this.showResult();
    this.view.celebrate();
    this.vibrate(SOLVED_MS);
    if (this.settings.chime) playChime();
  }

  /** Show that the puzzle is solved, with buttons to share the result and to open the next puzzle. */
  showResult(text = this.result()) {
    if (this.progress.answered) return this.message(this.words.answer_shown);
    const next = this.nextUnsolved();
    this.message(text, "solved", next ? this.words.next : "", () => this.turnTo(next));
  }

  /** Return on how many days in a row the reader has solved a puzzle. */
  get streak() {
    return this.store.streakOn(new Date());
  }

  /** Return sentences that the puzzle is solved, in what time, with how many hints, and on which day in a row. */
  result(isShared = false) {
    const { seconds, hints } = this.progress;
    const { solved, solved_in, hints_used } = this.words;
    const parts = [this.settings.timer ? say(solved_in, { time: clock(seconds) }) : solved];
    if (hints) parts.push(counted(this.words, hints_used, hints));
    if (!isShared && this.streak > 1) parts.push(counted(this.words, this.words.streak, this.streak));
    return parts.join(" ");
  }

  /** Share the result by the share dialog of the device, or copy it to the clipboard, or else show it as text. */
  async share() {
    const puzzle = puzzleTitle(this.words, this.puzzle);
    const result = say(this.words.share_text, { title: this.content.title, puzzle, result: this.result(true) });
    const text = this.isPage && location.protocol.startsWith("http") ? `${result} ${location.href}` : result;
    try {
      if (navigator.share) return await navigator.share({ text });
      await navigator.clipboard.writeText(text);
      this.showResult(this.words.copied);
    } catch (error) {
      if (error.name !== "AbortError") this.showResult(text);
    }
  }

  history(direction) {
    this.unmark();
    const isDone = this.drawing[direction]();
    this.message(isDone ? "" : this.words[`nothing_to_${direction}`]);
    if (direction === "undo" && this.cleared?.strokes === this.drawing.history.length + 1) {
      Object.assign(this.progress, this.cleared.attempt);
      this.cleared = undefined;
    }
    this.changed();
  }

  /** Clear the drawing and restart the clock. Undo restores both. */
  clear() {
    this.unmark();
    if (this.drawing.isEmpty) return;
    const { seconds, hints, answered } = this.progress;
    this.drawing.clear();
    this.seen.clear();
    this.drawing.setTrial(null);
    this.cleared = { strokes: this.drawing.history.length, attempt: { seconds, hints, answered } };
    Object.assign(this.progress, { seconds: 0, hints: 0, answered: false });
    this.message(this.words.cleared);
    this.changed();
  }

  /** Save a changed drawing with the present time, so that it is later than the drawings of other windows. */
  changed() {
    this.progress.changed = Math.max(Date.now(), this.progress.changed + 1);
    this.store.last = this.puzzle.number;
    this.begun = true;
    this.showState();
    this.save();
  }

  /** Update the buttons, the clock and the mark of a solved board. */
  showState() {
    const isRight = !this.drawing.isEmpty && !checkDrawing(this.drawing.lines).length;
    this.disable("undo", !this.drawing.history.length);
    this.disable("redo", !this.drawing.undone.length);
    this.disable("clear", this.drawing.isEmpty);
    this.view.grid.classList.toggle("solved", isRight);
    this.view.showPicture(isRight);
    this.isRight = isRight;
    this.button("pause").hidden = isRight;
    const isTrial = this.drawing.trial !== null;
    this.button("trial").hidden = isTrial;
    this.part("trial").hidden = !isTrial;
    this.showTime();
    this.showCount();
  }

  /** Stop the clock and hide the board, or continue. */
  pause(on) {
    if (on === Boolean(this.paused) || (on && (!this.begun || this.isRight))) return;
    this.paused = on;
    this.part("main").classList.toggle("paused", on);
    this.message(on ? this.words.paused : "", "", on ? this.words.resume : "", () => this.pause(false));
    if (on) this.part("accept").focus();
    else this.view.setCursor(this.view.cursor);
  }

  tick() {
    const isStopped = this.paused || document.hidden || this.root.querySelector("dialog[open]");
    if (!this.begun || this.isRight || isStopped) return;
    this.progress.seconds += TICK_MS / 1000;
    this.showTime();
    if (this.progress.seconds % 15 === 0) this.save();
  }

  showTime() {
    this.part("time").textContent = clock(this.progress.seconds);
  }

  /** Show how many pairs are joined and how many squares are filled. */
  showCount() {
    const { lines, board } = this.drawing;
    const pairs = [...board.pairs()];
    const free = [...lines.ways.keys()].filter((cell) => !board.isSolid(cell));
    const joined = { count: pairs.filter(([, [cell]]) => this.drawing.joins(cell)).length, all: pairs.length };
    const filled = { count: free.filter((cell) => lines.ways[cell]).length, all: free.length };
    this.part("count").textContent = [say(this.words.joined, joined), say(this.words.filled, filled)].join(" · ");
  }

  /** Return what a pair is called: its number, or the colour of its dots if they show no number. */
  nameOf(number) {
    return this.colourNames()?.[this.view.inks.get(number)] ?? String(number);
  }

  /** Return the names of the dots' colours. Undefined if dots show numbers, the board shows a picture, or colours share a name. */
  colourNames() {
    const names = this.settings.colours && !this.drawing.board.picture ? this.content.colours?.[this.settings.palette] : undefined;
    return names && this.view.inks.size <= names.length ? names : undefined;
  }

  /** Save the drawing. If another window has changed the same puzzle later, show its drawing instead. */
  save() {
    const { history, undone, trial } = this.drawing;
    const current = { ...this.progress, history, undone, trial };
    const { mark } = this.puzzle;
    this.progress = this.begun ? this.store.saveProgress(mark, current) : merged(current, this.store.progress(mark));
    this.part("notice").hidden = !this.store.refused.size;
    if (this.progress.changed === current.changed) return;
    this.unmark();
    this.drawing.load(strokesFor(this.drawing.board, this.progress));
    this.begun = true;
    this.showState();
  }

  /**
   * Show a message below the board, which screen readers read out.
   *
   * `kind` selects its style. `action` is the text of its button, or empty for no button. `accept` is called when
   * the button is pressed.
   */
  message(text, kind = "", action = "", accept = () => {}) {
    this.accept = accept;
    const line = this.part("message");
    line.dataset.kind = kind;
    this.part("message-text").textContent = text;
    const button = this.part("accept");
    button.hidden = !action;
    button.textContent = action;
    this.showPrimary();
    this.part("share").hidden = kind !== "solved";
  }

  /** Make one button the primary one: that of the message, or else for hints, or else for checking. */
  showPrimary() {
    const [accept, hint, check] = [this.part("accept"), this.part("hint"), this.part("check")];
    const primary = [accept, hint, check].find((button) => !button.hidden);
    for (const button of [accept, hint, check]) button.classList.toggle("strong", button === primary);
  }

  /** Remove marks and hints from the board, and the message with them. */
  unmark() {
    this.hinted = undefined;
    this.part("hint-text").textContent = this.words.hint;
    this.view.grid.classList.remove("numbered");
    this.marked = false;
    this.view.mark([]);
    if (this.part("message").dataset.kind !== "solved" || !this.isRight) this.message("");
  }

  /** Check the drawing: show broken rules, or else count what is still missing. */
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
    this.message(breachText(this.words, this.drawing.board, wrong, (number) => this.nameOf(number)), "wrong");
    const cells = wrong.flatMap((breach) => breach.cells);
    this.view.mark(cells.map((cell) => ({ cell, mark: "wrong", name: squareName(this.drawing.board, cell) })));
    this.marked = true;
  }

  /** Show the next stage of a hint: where to look, then why, then draw it. Or show which rules are broken. */
  async hint() {
    if (this.hinted) return this.hinted.next();
    try {
      const boards = this.puzzles.map(({ rows, cols, text }) => Board.read(rows, cols, text));
      this.steps ??= await unpackHints(this.content.hints, boards);
    } catch {
      return this.message(this.words.hint_unreadable);
    }
    const hint = nextHint(this.steps[this.puzzles.indexOf(this.puzzle)], this.drawing, this.seen);
    if (hint.kind === "breach") return this.showBreaches(hint.breaches);
    if (hint.kind === "done") return this.finish();
    this.unmark();
    if (hint.kind === "none") return this.message(this.words.hint_none, "hint");
    const { step, edges } = hint;
    const isMistake = hint.kind === "mistake";
    const { board } = this.drawing;
    const ends = edges.flatMap((edge) => board.ends(edge));
    const [nudge, tried] = isMistake ? ["mistake"] : [step.nudge, step.chain[0]?.cells[0] ?? ends[0]];
    this.showNudge(nudge, hintedCells(step, nudge, ends), tried);
    this.hinted = { next: () => (isMistake ? this.showMistake(edges) : this.showStep(step, edges)) };
    this.begun = true;
    this.progress.hints += 1;
    this.save();
  }

  /**
   * Say in which part of the board to look, and for what. `nudge` is the key of the phrase.
   *
   * The part holds all the `cells`. The phrase can speak of them as shaded squares, or of the square `tried`, where a
   * supposition begins. If it asks for a move that makes lines cross, the part is where that move is. If it asks for a
   * move that makes a line run beside itself at shaded squares, the part holds the move too, if both are near enough.
   */
  showNudge(nudge, cells, tried) {
    const { board } = this.drawing;
    const seen = /what_if|chain|ahead/.test(nudge) ? [tried] : cells;
    let place = placeOf(board, /touch/.test(nudge) ? [...seen, tried] : seen);
    if (/order/.test(nudge) || (/touch/.test(nudge) && place.key === "whole")) place = placeOf(board, [tried]);
    this.message(say(this.words.nudges[nudge], { place: this.words.places[place.key] }), "hint");
    const isShaded = seen !== cells || SHADED.test(nudge);
    this.view.mark((isShaded ? seen : place.cells).map((cell) => ({ cell, mark: isShaded ? "hint" : "named" })));
    this.view.reveal(seen[0]);
    this.part("hint-text").textContent = this.words.hint_why;
  }

  showMistake(edges) {
    this.message(this.words.hint_mistake, "wrong");
    this.view.mark(
      edges.flatMap((edge) => this.drawing.board.ends(edge)).map((cell) => ({ cell, mark: "wrong" })),
      edges,
      "wrong",
    );
    this.hinted = { next: () => this.applyHint(edges, "") };
    this.part("hint-text").textContent = this.words.hint_take_back;
  }

  /** Show the reason of a step in words, with its squares marked and named on the board. */
  showStep(step, edges) {
    const { board } = this.drawing;
    const { caption, unseen, names } = stepText(this.words, board, step, (number) => this.nameOf(number));
    this.message(caption, "hint");
    const hidden = document.createElement("span");
    hidden.className = "unseen";
    hidden.textContent = ` ${unseen}`;
    this.part("message-text").append(hidden);
    const rests = new Set(step.cells);
    const marks = [...new Set([...names.keys(), ...rests])].map((cell) => {
      return { cell, mark: rests.has(cell) ? "hint" : "named", name: names.get(cell) };
    });
    const crossed = step.drawn || step.chain.length ? [] : edges;
    const isList = step.drawn && !step.chain.length;
    const pieces = isList ? step.runs.filter((run) => edges.includes(board.edge(run[0], run[1]))) : [];
    this.view.mark(marks, step.drawn ? edges : []);
    this.view.showLinks([
      ...markedLinks(step),
      ...crossed.map((edge) => ({ cells: board.ends(edge), number: -1, mark: "" })),
      ...(pieces.length > 1 ? pieces.map((run, index) => ({ cells: run.slice(0, 2), mark: index + 1 })) : []),
    ]);
    const marksToSet = step.drawn ? edges : edges.map(crossOn);
    this.view.grid.classList.toggle("numbered", !this.colourNames());
    this.marked = true;
    if (!edges.length) this.seen.add(step);
    const said = step.drawn ? this.words.hint_drawn : this.words.hint_crossed;
    this.hinted = edges.length ? { next: () => this.applyHint(marksToSet, said) } : undefined;
    this.part("hint-text").textContent = edges.length ? this.words.hint_next : this.words.hint;
  }

  /** Draw the lines or crosses of the hint, or remove the mistake. */
  applyHint(marks, said) {
    this.stroked(this.drawing.apply(marks));
    if (!this.isRight) this.message(said, "hint");
  }

  answer() {
    if (!confirm(this.words.answer_question)) return;
    this.unmark();
    this.drawing.apply([...this.content.answers[this.puzzles.indexOf(this.puzzle)], ...this.drawing.lines.edges()]);
    this.progress.answered = true;
    this.message(this.words.answer_shown);
    this.changed();
  }
}

/** Play four rising tones. */
function playChime() {
  const audio = new AudioContext();
  for (const [index, pitch] of CHIME_HZ.entries()) {
    const [tone, volume, start] = [audio.createOscillator(), audio.createGain(), audio.currentTime + index * TONE_S];
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(CHIME_VOLUME, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 5 * TONE_S);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 5 * TONE_S);
    tone.onended = () => index === CHIME_HZ.length - 1 && audio.close();
  }
}

/**
 * Return the squares to which the first stage of a hint sends.
 *
 * If its phrase speaks of shaded squares, they are the squares of the step. Two squares where a line runs beside itself
 * are shaded without the squares of the line to draw. `ends` are the squares at the ends of the step's edges.
 */
function hintedCells(step, nudge, ends) {
  if (!step || !SHADED.test(nudge)) {
    const named = ends.filter((cell) => step?.cells.includes(cell));
    return named.length ? named : ends.length ? ends : step.cells.slice(0, 1);
  }
  const apart = step.cells.filter((cell) => !ends.includes(cell));
  return /touch/.test(nudge) && apart.length > 1 ? apart : step.cells;
}

function isFramed() {
  return parent !== window;
}

/** Return whether a click was outside of the dialog that received it. */
function isBeside({ target, clientX, clientY }) {
  if (target.localName !== "dialog") return false;
  const { left, right, top, bottom } = target.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}

/** Return the saved strokes, or none if they don't fit the board. */
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

/** Make the page installable as an app, and register the service worker that shows it without a network. */
function install() {
  const manifest = document.createElement("link");
  manifest.rel = "manifest";
  manifest.href = "../app.webmanifest";
  document.head.append(manifest);
  navigator.serviceWorker?.register("../sw.js").catch(() => {});
}

/** Start a player in an element, which holds its template and its content as JSON. */
export function start(host, page) {
  const template = host.querySelector("template");
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  if (template) root.append(template.content);
  const content = JSON.parse(root.querySelector('[type="application/json"]').textContent);
  host.player = new Player(root, content, page);
  if (content.daily && location.protocol.startsWith("http")) install();
}
