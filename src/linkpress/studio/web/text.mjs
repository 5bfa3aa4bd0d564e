// The text of the spec, with the problems marked at their lines.

import { book, reload, selection, writeText } from "./book.mjs";
import { afterPause, button, byId, chief, el, nodesOf, openDialog, refill, say } from "./dom.mjs";
import { partOf } from "./form.mjs";
import { select } from "./main.mjs";

const LINE_PX = 20;
let area = null, typed = false; // the area has the text that it is based on, as `base`

export function drawText() {
  typed = false;
  area = el("textarea.yaml", {
    spellcheck: "false", "aria-label": say("panes.file"), value: book.text, wrap: "off", onblur: () => write(), onkeyup: followCursor, onclick: followCursor,
    oninput: () => { typed = true; number(); writeLater(); }, onscroll: () => { byId("numbers").scrollTop = area.scrollTop; },
  });
  area.base = book.text;
  return el("div.file", drawMending(), el("div.editor", el("pre", { id: "numbers", "aria-hidden": "true" }, numbersOf()), area));
}

function numbersOf() {
  const messages = new Map(book.problems.map(({ line, message }) => [line, message]));
  return area.value.split("\n").map((_, index) => el("span", { class: messages.has(index + 1) && "invalid", title: messages.get(index + 1) }, `${index + 1}\n`));
}

const number = () => byId("numbers").replaceChildren(...numbersOf());

const drawMending = () => el("div", { id: "mending", role: "alert" }, nodesOf(book.mendingPanel));

/** Replace the text by a mended one, or by the last good one. */
export function mend(source) {
  area.focus();
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
      return { text: own.value, base, keep };
    });
  } catch (error) {
    [own.base, typed] = [base, own === area];
    if (!error.clashes) throw error;
    await reload();
    askWhose(own, error.clashes);
  }
}

function askWhose(own, clashes) {
  const answer = (draw, word, keep) => draw(word, () => { dialog.close(); [area, typed] = [own, true]; write(keep); });
  const lines = (word, text) => el("figure", el("figcaption", say(word)), el("pre", text || say("noLines")));
  const dialog = openDialog(say("conflict"), el("p", say("conflictOthers")),
    clashes.map(([mine, theirs]) => el("div.compare.clash", lines("linesMine", mine), lines("linesTheirs", theirs))),
    el("div.tools", answer(chief, "keepMine", "mine"), answer(button, "takeTheirs", "theirs")));
}

/** Let nothing be typed until an undone or redone text has come: it could clash. */
export async function holdText(task) {
  if (area) area.readOnly = true;
  return task.finally(() => { if (area) area.readOnly = false; });
}

export function dropText() {
  const wasTyped = typed;
  typed = false;
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
  number();
  refill(byId("mending"), [...drawMending().childNodes]);
}

/** Scroll and move the cursor to a line, or to that of the selection, unless the user works in the text. */
export function showLine(line = lineOf(selection.key), isFocused = false) {
  const start = area.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  if (isFocused) area.focus();
  else if (area === document.activeElement) return; // the cursor has selected the key
  area.setSelectionRange(start, start);
  area.scrollTop = Math.max(0, (line - 6) * LINE_PX);
}

/** Return the line of a key in the file, or of the nearest key above it, else 1. */
function lineOf(key) {
  const found = key.map((_, index) => book.lines.find(([, ...path]) => String(path) === String(key.slice(0, key.length - index))));
  return found.find(Boolean)?.[0] ?? 1;
}

function followCursor() {
  const line = area.value.slice(0, area.selectionStart).split("\n").length, key = book.lines.findLast(([first]) => first <= line)?.slice(1);
  const part = key && partOf(key);
  if (part && String(key) !== String(selection.key)) select(part, key);
}
