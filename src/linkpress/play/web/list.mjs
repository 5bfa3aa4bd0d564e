// The list of all puzzles with their states and times, as a dialog and as a CSV file.
import { clock, counted, say } from "./phrases.mjs";

const SIGNS = { is_solved: "✓", is_answered: "—", is_begun: "…" };

/** Dialog that lists all puzzles. Its content is made each time it is opened. */
export class PuzzleList {
  constructor(game) {
    this.game = game;
  }

  /** Return each puzzle with its progress and state. */
  entries() {
    const { puzzles, store } = this.game;
    return puzzles.map((puzzle) => {
      const progress = store.progress(puzzle.mark);
      const unsolved = progress.answered ? "is_answered" : progress.history.length ? "is_begun" : "";
      const state = progress.solved ? "is_solved" : unsolved;
      return { ...puzzle, progress, state };
    });
  }

  show() {
    const { game } = this;
    const { words, puzzles } = game;
    game.save();
    const entries = this.entries();
    const { sections } = game.content;
    game.part("sections").replaceChildren(
      ...sections.map(({ name, first, count }) => {
        const section = document.createElement("section");
        const list = document.createElement("ul");
        const inSection = entries.filter(({ number }) => number >= first && number < first + count);
        list.append(...inSection.map((entry) => this.item(entry)));
        section.append(element("h3", name), list);
        return section;
      }),
    );
    const solved = entries.filter(({ progress }) => progress.solved).length;
    const facts = [say(words.progress, { solved, count: puzzles.length }), game.streak > 1 && counted(words, words.streak, game.streak)];
    game.part("progress").textContent = facts.filter(Boolean).join(" · ");
    game.part("unsolved").hidden = !game.nextUnsolved();
    game.part("index").showModal();
    game.part("sections").querySelector('[aria-current="true"]').focus();
  }

  item({ number, difficulty, name, state, progress }) {
    const { words, puzzle, settings } = this.game;
    const time = progress.best && settings.timer ? clock(progress.best.seconds) : "";
    const button = element("button", "");
    button.type = "button";
    button.className = state;
    Object.assign(button.dataset, { do: "go", number });
    button.setAttribute("aria-current", number === puzzle.number);
    const signAndTime = element("small", [SIGNS[state], time].filter(Boolean).join(" "));
    const spoken = element("span", [name, words[state]].filter(Boolean).join(", ")); // for screen readers
    if (name) button.title = name;
    spoken.className = "unseen";
    button.append(element("b", number), element("small", difficulty), signAndTime, spoken);
    const item = document.createElement("li");
    item.append(button);
    return item;
  }

  /** Save the list as a CSV file. */
  save() {
    const rows = this.entries().map(({ number, mark, cols, rows, text, points, state, progress: { best } }) => {
      const pairs = text.match(/\d+/g).length / 2;
      return [number, mark, cols, rows, pairs, points, state.replace("is_", ""), best?.seconds, best?.hints];
    });
    const head = ["number", "puzzle", "columns", "rows", "pairs", "difficulty", "state", "seconds", "hints"];
    const table = [head, ...rows].map((row) => `${row.join(",")}\r\n`).join("");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(["\ufeff", table], { type: "text/csv" }));
    link.download = `${this.game.content.id}.csv`;
    link.click();
    URL.revokeObjectURL(link.href);
  }
}

function element(name, text) {
  const node = document.createElement(name);
  node.textContent = text;
  return node;
}
