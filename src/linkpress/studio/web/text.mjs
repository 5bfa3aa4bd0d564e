// The text of the spec, coloured; selected lines and those with problems are marked.

import { book, reload, selection, writeText } from "./book.mjs";
import { afterPause, byId, el, isLost, joined, nodesOf, refill, say } from "./dom.mjs";
import { partOf } from "./form.mjs";
import { select, show, showState } from "./main.mjs";

let area = null, typed = false; // the area has the text that it is based on, as `base`
let clashPanel = ""; // asks whose lines to write

export const isClashing = () => Boolean(clashPanel);

/** Draw a text area over a coloured copy of its text. Its own letters are transparent. */
export function drawText() {
  if (!clashPanel) {
    area = el("textarea.yaml", {
      spellcheck: "false", "aria-label": say("panes.file"), value: book.text, onblur: () => write(), onkeyup: followCursor, onclick: followCursor,
      oninput: () => { typed = true; colour(); writeLater(); }, onscroll: () => { byId("lines").scrollTop = area.scrollTop; },
    });
    area.base = book.text;
    typed = false;
  }
  area.readOnly = isLost();
  const layer = el("pre", { id: "lines", "aria-hidden": "true" });
  colour(layer);
  return el("div.file", el("div", { id: "mending", role: "alert" }, nodesOf(clashPanel || book.mendingPanel)), el("div.editor", layer, area));
}

// Texts in quotation marks, comments, keys, and numbers with what belongs to them, such as `5-6` and `7x8`.
const TOKENS = /(?<=^|[\s,[{])(?:("(?:\\.|[^"\\])*"?|'(?:''|[^'])*'?)|((?<![^\s])#.*)|([^\s"'#,[\]{}&*!|>%@-][^#,[\]{}]*?(?=\s*:(?:\s|$)))|(-?\d[^\s,\]}]*(?: %)?(?=\s*(?:[,\]}#]|$))))/g;
const KINDS = ["quoted", "note", "key", "number"];

function lineOf(source) {
  const line = source.slice(1), nodes = [];
  let at = 0;
  for (const { index, 0: text, ...groups } of source[0] === "|" ? [] : line.matchAll(TOKENS)) {
    nodes.push(line.slice(at, index), el(`span.${KINDS.find((_, kind) => groups[kind + 1] !== undefined)}`, text));
    at = index + text.length;
  }
  return el("div", nodes, el(source[0] === "|" ? "span.quoted" : "span", line.slice(at)));
}

/** Draw the lines that have changed. A line in a block of text, such as after `text: |`, begins with a bar. */
function colour(layer = byId("lines")) {
  const { sources = [], children } = layer;
  let block = -1;
  const lines = area.value.split("\n").map((line) => {
    const indent = line.search(/\S/);
    if (indent >= 0 && indent <= block) block = -1;
    const source = (block < 0 ? " " : "|") + line;
    if (block < 0 && /(?:^|[:-])\s+[|>][-+\d]*\s*(?:#.*)?$/.test(line)) block = line.search(/[\w"'][^:]*:|-\s+[|>]/);
    return source;
  });
  const isSame = (index, back) => lines[index] === sources[index - back], more = lines.length - sources.length;
  let first = 0, end = lines.length;
  while (first < end && isSame(first, 0)) first += 1;
  while (end > Math.max(first, first + more) && isSame(end - 1, more)) end -= 1;
  for (const old of [...children].slice(first, end - more)) old.remove();
  const next = children[first] ?? null;
  for (const line of lines.slice(first, end)) layer.insertBefore(lineOf(line), next);
  layer.sources = lines;
  mark(layer);
}

function mark(layer = byId("lines")) {
  const messages = new Map(book.problems.map(({ line, message }) => [line, message])), [first, end] = linesOf(selection.key);
  [...layer.children].forEach((row, index) => {
    const message = messages.get(index + 1) ?? "";
    row.className = joined([index + 1 >= first && index + 1 < end && "own", message && "bad"], " ");
    if (row.title !== message) row.title = message;
  });
}

const refillPanel = () => refill(byId("mending"), nodesOf(clashPanel || book.mendingPanel));

export function mend(source) {
  area.focus({ preventScroll: true });
  return writeText(() => ({ text: book[source].text, base: book.text }));
}

const writeLater = afterPause(400, () => write());

/** Write what was typed. `keep` says whose lines to write where another program changed the same ones. */
export async function write(keep = "") {
  const own = area;
  if (!typed) return;
  typed = false;
  let base;
  try {
    await writeText(() => {
      base = own.base;
      own.base = own.value;
      clashPanel = "";
      return { text: own.value, base, keep };
    });
  } catch (error) {
    [own.base, typed] = [base, own === area];
    if (!error.clashes) throw error;
    clashPanel = error.html;
    [area, typed] = [own, true];
    await reload();
    if (own.isConnected) refillPanel(); else show("file");
    showState();
  }
}

/** Let nothing be typed until an undone or redone text has come: it could clash. */
export async function holdText(task) {
  if (area) area.readOnly = true;
  return task.finally(() => { if (area) area.readOnly = isLost(); });
}

export function dropText() {
  const wasTyped = typed;
  typed = false;
  clashPanel = "";
  refreshText();
  return wasTyped;
}

export function refreshText() {
  if (!area?.isConnected || typed) return;
  if (area.value !== book.text) {
    const { selectionStart, selectionEnd, scrollTop } = area;
    area.value = book.text;
    area.setSelectionRange(selectionStart, selectionEnd);
    area.scrollTop = scrollTop;
  }
  area.base = book.text;
  colour();
  refillPanel();
}

/** Scroll and move the cursor to a line, or to those of the selection, unless the user works in the text. */
export function showLine(line = linesOf(selection.key)[0], isFocused = false) {
  mark();
  const start = area.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  if (isFocused) area.focus({ preventScroll: true });
  else if (area === document.activeElement) return; // the cursor has selected the key
  area.setSelectionRange(start, start);
  area.scrollTop = (byId("lines").children[line - 1]?.offsetTop ?? 0) - 100;
}

/** Return the first line of a key in the file, or of the nearest key above it, and the line after its last. */
function linesOf(key) {
  const found = key.map((_, index) => book.lines.find(([, , ...path]) => String(path) === String(key.slice(0, key.length - index))));
  return found.find(Boolean) ?? [1, 1];
}

function followCursor() {
  const line = area.value.slice(0, area.selectionStart).split("\n").length, key = book.lines.findLast(([first]) => first <= line)?.slice(2);
  const part = key && partOf(key);
  if (part && String(key) !== String(selection.key)) select(part, key);
}
