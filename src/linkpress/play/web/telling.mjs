// What the page says of a drawing, in the words of its language. No DOM here.
import { UNFINISHED } from "./rules.mjs";

const MOST_PLACES = 4;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Fill in a phrase's names in braces. */
export function say(phrase, values = {}) {
  return phrase.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
}

/** Minutes and seconds, and hours where there are any. */
export function clock(seconds) {
  const two = (value) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = two(Math.floor(seconds) % 60);
  return hours ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** A square by its row and column, counted from 1. */
export function placeText(words, board, cell) {
  const { cols } = board;
  return say(words.place, { row: Math.floor(cell / cols) + 1, column: (cell % cols) + 1 });
}

/** The letters of a column, counted from 0: A to Z, then AA. */
export function columnName(column) {
  return `${LETTERS[Math.floor(column / LETTERS.length) - 1] ?? ""}${LETTERS[column % LETTERS.length]}`;
}

/** A square's name as on a chessboard, rows counted from the top: E2. */
export function squareName(board, cell) {
  return `${columnName(cell % board.cols)}${Math.floor(cell / board.cols) + 1}`;
}

/** The breaches that a rule forbids, rather than those of a drawing that is not finished. */
export function wrongOf(breaches) {
  return breaches.filter((breach) => !UNFINISHED.has(breach.rule));
}

function listed(words, places) {
  return places.reduce((first, second) => say(words.list_places, { first, second }));
}

/** Which rule is broken, and where: of several rules the first. */
export function breachText(words, board, wrong) {
  const [first] = wrong;
  const [one, other] = first.numbers;
  const numbers = other ? say(words.both, { first: one, second: other }) : one;
  const same = wrong.filter((breach) => breach.rule === first.rule);
  const places = same.flatMap((breach) => breach.cells.slice(0, 2)).map((cell) => placeText(words, board, cell));
  const left = places.length - MOST_PLACES;
  const named = listed(words, places.slice(0, MOST_PLACES)) + (left > 0 ? ` ${say(words.more, { count: left })}` : "");
  return `${say(words.breaches[first.rule.replaceAll(" ", "_")], { numbers })} ${say(words.at_places, { places: named })}`;
}

/** A number of things, in the plural form of the language. */
export function counted(words, forms, number) {
  return say(forms[new Intl.PluralRules(words.locale).select(number)] ?? forms.other, { number });
}

/** What is still to do where no rule is broken. */
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
 * A hint's step with its reasons: {text, unseen, names}. Its squares have names, on the board and in the
 * text; `unseen` says for ears where each is.
 */
export function stepText(words, board, { step, reasons }) {
  const names = new Map();
  const name = (cell) => {
    names.set(cell, squareName(board, cell));
    return names.get(cell);
  };
  const sentence = ({ text, values }) => {
    const rest = [...values];
    return text.replace(/\{([cn])\}/g, (_, kind) => (kind === "c" ? name(rest.shift()) : rest.shift()));
  };
  const said = sentence(step);
  const closed = [...new Set(reasons.map(sentence))].reduce(
    (first, second) => (first ? say(words.list_reasons, { first, second }) : second),
    "",
  );
  if (!names.size) step.cells.slice(0, MOST_PLACES).forEach(name);
  const begun = said[0].toUpperCase() + said.slice(1);
  const parts = [/[?!…]$/.test(begun) ? begun : say(words.hint_step, { step: begun })];
  if (closed) parts.push(say(words.hint_reasons, { reasons: closed }));
  const squares = [...names].map(([cell, letter]) => {
    return say(words.square_at, { letter, place: placeText(words, board, cell) });
  });
  const unseen = squares.length ? say(words.hint_squares, { squares: listed(words, squares) }) : "";
  return { text: parts.join(" "), unseen, names };
}
