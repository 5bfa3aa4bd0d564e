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
 * Parts of a side of the board: [name from top to bottom, name from left to right, from, to], as shares of its length.
 * The first part that holds all squares is named.
 */
const PARTS = [
  ["top", "left", 0, 1 / 3],
  ["", "", 1 / 3, 2 / 3],
  ["bottom", "right", 2 / 3, 1],
  ["", "", 0.28, 0.72],
  ["top", "left", 0, 0.4],
  ["bottom", "right", 0.6, 1],
  ["", "", 1 / 4, 3 / 4],
  ["top", "left", 0, 1 / 2],
  ["bottom", "right", 1 / 2, 1],
  ["", "", 0.2, 0.8],
];
const WHOLE_SIDE = ["", "", 0, 1];
// Pairs of a part at the top or the bottom and a part on the left or on the right.
const TWO_SIDES = [4, 5].flatMap((row) => [4, 5].map((col) => [PARTS[row], PARTS[col]]));

/**
 * Return where some squares lie on a board: {key, cells}.
 *
 * `key` names a part of the board that holds all the squares: a corner such as `top_left`, a side such as `top`, the
 * `middle`, the middle `columns` or `rows`, two sides such as `left_and_top`, or the `whole` board. `cells` has all
 * squares of this part.
 */
export function placeOf(board, cells) {
  const { rows, cols } = board;
  const ways = [(at) => (Math.floor(at / cols) + 0.5) / rows, (at) => ((at % cols) + 0.5) / cols];
  const isIn = (way, [, , from, to]) => (at) => way(at) >= from && way(at) <= to;
  const parts = ways.map((way) => PARTS.find((part) => cells.every(isIn(way, part))) ?? WHOLE_SIDE);
  const all = Array.from({ length: board.size }, (_, at) => at);
  if (parts.every((part) => part === WHOLE_SIDE)) {
    for (const sides of TWO_SIDES) {
      const count = (at) => ways.filter((way, side) => isIn(way, sides[side])(at)).length;
      // Both sides are named only if some of the squares are in the corner between them.
      if (cells.every(count) && cells.some((at) => count(at) > 1)) {
        return { key: `${sides[1][1]}_and_${sides[0][0]}`, cells: all.filter(count) };
      }
    }
  }
  const names = parts.map((part, side) => part[side]).filter(Boolean);
  const unnamed = ["rows", "columns"][parts.findIndex((part) => part !== WHOLE_SIDE)] ?? "whole";
  return {
    key: names.join("_") || (parts.includes(WHOLE_SIDE) ? unnamed : "middle"),
    cells: all.filter((at) => ways.every((way, side) => isIn(way, parts[side])(at))),
  };
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
