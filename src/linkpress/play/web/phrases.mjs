// Sentences about a drawing, in the language of the page. This module uses no browser API.
import { UNFINISHED } from "./rules.mjs";

const MOST_PLACES = 4; // named in one sentence; more places are counted
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Replace the names in braces in a phrase by values. */
export function say(phrase, values = {}) {
  return phrase.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
}

/** Return the words for a puzzle: its number, and its name if it has one. */
export function puzzleTitle(words, { number, name }) {
  const puzzle = say(words.puzzle, { number });
  return name ? say(words.of_puzzle, { puzzle, name }) : puzzle;
}

/** Return a time as m:ss, or as h:mm:ss from one hour. */
export function clock(seconds) {
  const two = (value) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = two(Math.floor(seconds) % 60);
  return hours ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** Return the letters of a column, which is counted from 0: A to Z, then AA. */
export function columnName(column) {
  return `${LETTERS[Math.floor(column / LETTERS.length) - 1] ?? ""}${LETTERS[column % LETTERS.length]}`;
}

/** Return the name of a square, such as E2. Rows are counted from the top. */
export function squareName(board, cell) {
  return `${columnName(cell % board.cols)}${Math.floor(cell / board.cols) + 1}`;
}

/** Return the breaches that are wrong in any drawing, not only unfinished. */
export function wrongOf(breaches) {
  return breaches.filter((breach) => !UNFINISHED.has(breach.rule));
}

/**
 * Return a sentence that says which rule is broken, and where. Of several broken rules it names the first. `nameOf`
 * returns what a pair is called: its number, or the colour of its dots.
 */
export function breachText(words, board, wrong, nameOf = String) {
  const [first] = wrong;
  const [number, other] = first.numbers.map(nameOf);
  const numbers = other ? say(words.both, { first: number, second: other }) : number;
  const same = wrong.filter((breach) => breach.rule === first.rule);
  const cells = same.flatMap((breach) => breach.cells.slice(0, 2)), left = cells.length - MOST_PLACES;
  const places = cells.slice(0, MOST_PLACES).map((cell) => squareName(board, cell)).join(", ");
  const named = left > 0 ? `${places} ${say(words.more, { count: left })}` : places;
  return `${say(words.breaches[first.rule.replaceAll(" ", "_")], { numbers })} ${say(words.at_places, { places: named })}`;
}

/** Return a phrase with a number, in the plural form that the language has for it. */
export function counted(words, forms, number) {
  return say(forms[new Intl.PluralRules(words.locale).select(number)] ?? forms.other, { number });
}

/** Return sentences that count what is still missing in a drawing that breaks no rule. */
export function openText(words, breaches) {
  const left = (forms, rule) => {
    const number = breaches.filter((breach) => breach.rule === rule).length;
    return number && counted(words, forms, number);
  };
  const parts = [
    words.sound,
    left(words.left_ends, "dead end"),
    left(words.left_pairs, "unjoined pair"),
    left(words.left_squares, "uncovered square"),
  ];
  return parts.filter(Boolean).join(" ");
}

/**
 * Return where most of some squares lie on a board: {key, cells}.
 *
 * `key` names a ninth of the board, such as `top_left`, or a third of it, such as `top`, where at least two thirds of
 * the squares lie. If they are spread further, it names the ninth with the most of them. `cells` has all its squares.
 */
export function placeOf(board, cells) {
  const { rows, cols } = board;
  const third = (at, count) => Math.floor((3 * at + 1.5) / count);
  const parts = Array.from({ length: board.size }, (_, at) => [third(Math.floor(at / cols), rows), third(at % cols, cols)]);
  const inside = (row, col) => (at) => (row < 0 || parts[at][0] === row) && (col < 0 || parts[at][1] === col);
  const count = ([row, col]) => cells.filter(inside(row, col)).length;
  const most = (thirds) => thirds.findIndex((third) => 3 * count(third) >= 2 * cells.length);
  let [row, col] = [most([0, 1, 2].map((row) => [row, -1])), most([0, 1, 2].map((col) => [-1, col]))];
  if (row < 0 && col < 0) [row, col] = cells.map((at) => parts[at]).sort((one, other) => count(other) - count(one))[0];
  const key = [["top", "", "bottom"][row], ["left", "", "right"][col]].filter(Boolean).join("_") || "middle";
  return { key, cells: Array.from(parts.keys()).filter(inside(row, col)) };
}

/**
 * Return the words for a step: {caption, unseen, names}.
 *
 * `caption` is for readers who see the board. `names` has the names of the squares in it, such as E2, which are also
 * shown on the board. `unseen` is the full sentence for screen readers.
 */
export function stepText(words, board, step, nameOf = String) {
  const values = [...step.values], names = new Map();
  const fill = (text) =>
    text.replace(/\{([cn])\}/g, (_, kind) => {
      const value = values.shift();
      if (kind === "n") return nameOf(value);
      names.set(value, squareName(board, value));
      return names.get(value);
    });
  const [sentence, caption] = step.text.split("\n").map((line) => {
    names.clear(); // the caption comes last, so its names remain
    const text = fill(line);
    return text[0].toUpperCase() + text.slice(1);
  });
  return { caption, unseen: say(words.hint_step, { step: sentence }), names };
}
