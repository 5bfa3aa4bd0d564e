// The text of the spec, coloured; selected lines and those with problems are marked.

import { book, reload, selection, writeText } from "./book.mjs";
import { afterPause, byId, el, focused, isLost, joined, nodesOf, refill, say } from "./dom.mjs";
import { partOf } from "./form.mjs";
import { select, show, showState } from "./main.mjs";

let area = null, layer = null, typed = false, sending = 0; // `area.base`: the text before
export let clashPanel = "";

export function drawText() {
  if (!clashPanel) {
    area = el("textarea.yaml", {
      spellcheck: "false", "aria-label": say("panes.file"), value: book.text, onblur: () => clashPanel || write(), onkeyup: followCursor, onclick: followCursor,
      oninput: () => { typed = true; colour(); writeLater(); }, onscroll: () => { layer.scrollTop = area.scrollTop; },
    });
    area.base = book.text;
    typed = false;
  }
  lockText();
  layer = el("pre", { id: "lines", "aria-hidden": "true" });
  colour();
  return el("div.file", el("div", { id: "mending", role: "alert" }, panelNodes()), el("div.editor", layer, area));
}

// Quoted texts, comments, keys, and numbers such as `5-6`, `7x8` and `10 %`.
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

/** Draw changed lines. The sources of those in a block, such as after `text: |`, begin with a bar. */
function colour() {
  const { sources = [], children } = layer;
  let block = -1;
  const lines = area.value.split("\n").map((line) => {
    const indent = line.search(/\S/);
    if (indent >= 0 && indent <= block) block = -1;
    const source = (block < 0 ? " " : "|") + line;
    if (block < 0 && /(?:^|[:-])\s+[|>][-+\d]*\s*(?:#.*)?$/.test(line)) block = line.search(/[\w"'][^:]*:|-\s+[|>]/);
    return source;
  });
  lines.forEach((line, index) => { if (line !== sources[index]) { children[index]?.remove(); layer.insertBefore(lineOf(line), children[index] ?? null); } });
  for (const old of [...children].slice(lines.length)) old.remove();
  layer.sources = lines;
  mark();
}

function mark() {
  const messages = new Map(book.problems.map(({ line, message }) => [line, message])), [first, end] = linesOf(selection.key);
  [...layer.children].forEach((row, index) => {
    const message = messages.get(index + 1) ?? "";
    row.className = joined([index + 1 >= first && index + 1 < end && "own", message && "bad"], " ");
    if (row.title !== message) row.title = message;
  });
}

const panelNodes = () => nodesOf(clashPanel || book.mendingPanel);

export function mend(source) {
  area.focus({ preventScroll: true });
  return writeText(() => ({ text: book[source].text, base: book.text }));
}

const writeLater = afterPause(600, () => write());

/** Write what was typed. `keep` says whose lines to keep after a clash. */
export async function write(keep = "") {
  const own = area;
  if (!typed) return;
  typed = false;
  sending += 1;
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
    if (!error.html) throw error;
    clashPanel = error.html;
    [area, typed] = [own, true];
    await reload();
    if (own.isConnected) refill(byId("mending"), panelNodes()); else show("file");
    showState();
  } finally {
    sending -= 1;
    refreshText();
  }
}

export function lockText(isHeld = isLost()) { if (area) area.readOnly = isHeld; }

/** Lock the text until an undone or redone one has come: typing could clash. */
export async function holdText(task) {
  lockText(true);
  return task.finally(() => lockText());
}

export function dropText() {
  const wasTyped = typed;
  typed = false;
  clashPanel = "";
  refreshText();
  return wasTyped;
}

export function refreshText() {
  if (!area?.isConnected || typed || sending) return; // else a text that is refused would be lost
  if (area.value !== book.text) {
    const { selectionStart, selectionEnd, scrollTop } = area;
    area.value = book.text;
    area.setSelectionRange(selectionStart, selectionEnd);
    area.scrollTop = scrollTop;
  }
  area.base = book.text;
  colour();
  refill(byId("mending"), panelNodes());
}

/** Move the cursor to a line, or to the selection unless the user works in the text. */
export function showLine(line = linesOf(selection.key)[0], isFocused = false) {
  mark();
  const start = area.value.split(/^/m).slice(0, line - 1).join("").length;
  if (isFocused) area.focus({ preventScroll: true });
  else if (area === focused()) return;
  area.setSelectionRange(start, start);
  area.scrollTop = (layer.children[line - 1]?.offsetTop ?? 0) - 100;
}

/** Return the first line of a key, or of the nearest key above it, and the line after its last. */
function linesOf(key) {
  const found = key.map((_, index) => book.lines.find(([, , ...path]) => String(path) === String(key.slice(0, key.length - index))));
  return found.find(Boolean) ?? [1, 1];
}

function followCursor() {
  const line = area.value.slice(0, area.selectionStart).split("\n").length, key = book.lines.findLast(([first]) => first <= line)?.slice(2);
  const part = key && partOf(key);
  if (part && String(key) !== String(selection.key)) select(part, key);
}
