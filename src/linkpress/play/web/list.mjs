// The list of all puzzles: their states and times, for the eye and as a file.
import { clock, say } from "./telling.mjs";

const MOST_STARS = 5;
const SIGNS = { is_solved: "✓", is_answered: "—", is_begun: "…" };

/** A part of the page, built when it is first shown. */
export class PuzzleList {
  constructor(game) {
    this.game = game;
  }

  /** Each puzzle with what is known of it. */
  entries() {
    const { puzzles, store, words } = this.game;
    return puzzles.map((puzzle) => {
      const kept = store.progress(puzzle.mark);
      const begun = kept.answered ? "is_answered" : kept.history.length ? "is_begun" : "";
      return { ...puzzle, kept, state: kept.solved ? "is_solved" : begun, grade: words.grades[puzzle.grade] ?? "" };
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
        const own = entries.filter(({ number }) => number >= first && number < first + count);
        list.append(...own.map((entry) => this.item(entry)));
        section.append(element("h3", name), list);
        return section;
      }),
    );
    const solved = entries.filter(({ kept }) => kept.solved).length;
    game.part("progress").textContent = say(words.progress, { solved, count: puzzles.length });
    game.part("unsolved").hidden = !game.nextUnsolved();
    game.part("index").showModal();
    game.part("sections").querySelector('[aria-current="true"]').focus();
  }

  item({ number, grade, stars, state, kept }) {
    const { words, puzzle, settings } = this.game;
    const time = kept.best && settings.timer ? clock(kept.best.seconds) : "";
    const button = element("button", "");
    button.type = "button";
    button.className = state;
    Object.assign(button.dataset, { do: "go", number });
    button.setAttribute("aria-current", number === puzzle.number);
    const lit = element("small", stars ? "★".repeat(stars) + "☆".repeat(MOST_STARS - stars) : "");
    const known = element("small", [SIGNS[state], time].filter(Boolean).join(" "));
    lit.ariaHidden = "true";
    const told = element("span", words[state] ?? "");
    told.className = "unseen";
    button.append(element("b", number), element("small", grade), lit, known, told);
    const item = document.createElement("li");
    item.append(button);
    return item;
  }

  /** Give the reader a table of what was solved, in what time. */
  save() {
    const rows = this.entries().map(({ number, grade, stars, state, kept: { best } }) => {
      return [number, `"${grade}"`, stars ?? "", state.replace("is_", ""), best?.seconds ?? "", best?.hints ?? ""];
    });
    const head = ["number", "grade", "stars", "state", "seconds", "hints"];
    const table = [head, ...rows].map((row) => `${row.join(",")}\r\n`).join("");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(["\ufeff", table], { type: "text/csv" }));
    link.download = `${this.game.content.id}.csv`;
    link.click();
    URL.revokeObjectURL(link.href);
  }
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
