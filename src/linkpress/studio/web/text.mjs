// The text of the spec, with the problems marked at their lines.

import { Conflict } from "./api.mjs";
import { book, reload, writeText } from "./book.mjs";
import { afterPause, button, byId, el, marked, openDialog, refill, say } from "./dom.mjs";

let area = null, typed = false; // the area has the text that it is based on, as `base`

/** Draw the text of the file. `follow` is called with the key of the line that the cursor goes to. */
export function drawText(follow) {
  typed = false;
  const numbers = el("pre.numbers", { "aria-hidden": "true" });
  area = el("textarea.yaml", { spellcheck: "false", "aria-label": say("panes.file"), value: book.text, wrap: "off" });
  area.base = book.text;
  const number = () => {
    const messages = new Map(book.problems.map((problem) => [problem.line, problem.message]));
    numbers.replaceChildren(...area.value.split("\n").map((_, index) =>
      el("span", { class: messages.has(index + 1) ? "invalid" : "", title: messages.get(index + 1) ?? "" }, `${index + 1}\n`)));
  };
  area.addEventListener("input", () => { typed = true; number(); save(); });
  area.addEventListener("scroll", () => { numbers.scrollTop = area.scrollTop; });
  area.addEventListener("blur", () => write());
  for (const kind of ["keyup", "click"]) area.addEventListener(kind, () => { const key = keyHere(); if (key) follow(key); });
  number();
  area.number = number;
  return el("div.file", drawMending(), el("div.editor", numbers, area));
}

function drawMending() {
  const { mending, good, problems: [problem] } = book, replace = (text) => { area.focus(); return writeText(() => ({ text, base: book.text })); };
  return el("div", { id: "mending", role: "alert" }, problem && (mending || good) && el("div.mending", el("strong", mending?.why ?? say("lineProblem", problem)),
    !mending && el("p", marked(problem.message)), mending && el("pre", el("del", `− ${mending.before}`), mending.after !== null && el("ins", `+ ${mending.after}`)), good && el("p", say("goodBook", good)),
    el("div.tools", mending && button(say("putRight", mending), () => replace(mending.text), { class: "chief" }), good && button(say("goBack", good), () => replace(good.text)))));
}

const save = afterPause(400, () => write());

/** Write what was typed. `keep` says whose lines to write where another program has changed the same ones. */
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
    if (!(error instanceof Conflict)) throw error;
    await reload();
    ask(own, error.clashes);
  }
}

function ask(own, clashes) {
  const answer = (word, keep, attributes) => button(word, () => { dialog.close(); [area, typed] = [own, true]; write(keep); }, attributes);
  const lines = (word, text) => el("figure", el("figcaption", say(word)), el("pre", text || say("noLines")));
  const dialog = openDialog(say("conflict"), el("p", say("conflictOthers")),
    clashes.map(([mine, theirs]) => el("div.compare.clash", lines("linesMine", mine), lines("linesTheirs", theirs))),
    el("div.tools", answer("keepMine", "mine", { class: "chief" }), answer("takeTheirs", "theirs")));
}

/** Let nothing be typed until an undone or redone text has come, since what is typed could clash with it. */
export async function holdText(task) {
  if (area) area.readOnly = true;
  return task.finally(() => { if (area) area.readOnly = false; });
}

/** Put back the file's text if something was typed that is not written yet. Return whether there was any. */
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
  area.number();
  refill(byId("mending"), ...drawMending().childNodes);
}

/** Scroll to a line and move the cursor there, unless the user is working in the text. */
export function showLine(line, isFocused = false) {
  const start = area.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  if (isFocused) area.focus();
  else if (area === document.activeElement) return; // the cursor has selected the key
  area.setSelectionRange(start, start);
  area.scrollTop = Math.max(0, (line - 6) * 20);
}

/** Return the line of a key in the file, or of the nearest key above it; 0 if it is not in the file. */
export function lineOf(key) {
  const found = key.map((_, index) => book.lines.find(([, ...path]) => String(path) === String(key.slice(0, key.length - index))));
  return found.find(Boolean)?.[0] ?? 0;
}

function keyHere() {
  const line = area.value.slice(0, area.selectionStart).split("\n").length;
  return book.lines.findLast(([first]) => first <= line)?.slice(1);
}
