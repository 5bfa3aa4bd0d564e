// The text of the spec, with the problems marked at their lines.

import { Conflict } from "./api.mjs";
import { book, reload, writeText } from "./book.mjs";
import { afterPause, button, el, openDialog, say } from "./dom.mjs";

let area = null, base = -1, typed = false;

export function drawText() {
  base = book.version;
  typed = false;
  const numbers = el("pre", { class: "numbers", "aria-hidden": "true" });
  area = el("textarea", { class: "yaml", spellcheck: "false", "aria-label": say("tabs.text"), value: book.text, wrap: "off" });
  const number = () => {
    const messages = new Map(book.problems.map((problem) => [problem.line, problem.message]));
    numbers.replaceChildren(...area.value.split("\n").map((_, index) =>
      el("span", { class: messages.has(index + 1) ? "invalid" : "", title: messages.get(index + 1) ?? "" }, `${index + 1}\n`)));
  };
  area.addEventListener("input", () => { typed = true; number(); save(); });
  area.addEventListener("scroll", () => { numbers.scrollTop = area.scrollTop; });
  area.addEventListener("blur", write);
  number();
  area.number = number;
  return el("div", { class: "editor" }, numbers, area);
}

const save = afterPause(400, write);

async function write() {
  const own = area;
  if (!typed) return;
  typed = false;
  try {
    const { version } = await writeText(() => ({ text: own.value, version: base }));
    if (own === area) base = version;
  } catch (error) {
    typed = own === area;
    if (!(error instanceof Conflict)) throw error;
    await reload();
    ask(own);
  }
}

function ask(own) {
  const dialog = openDialog(say("conflict"), el("div", { class: "tools" },
    button("keepMine", () => { dialog.close(); area.value = own.value; [base, typed] = [book.version, true]; write(); }, { class: "chief" }),
    button("takeTheirs", () => { dialog.close(); typed = false; refreshText(); })));
}

/** Put back the file's text if something was typed that is not written yet. Return whether there was any. */
export function dropText() {
  const wasTyped = typed;
  typed = false;
  refreshText();
  return wasTyped;
}

/** Show the present text, unless something is being typed. */
export function refreshText() {
  if (!area?.isConnected || typed) return;
  if (area.value !== book.text) {
    const { selectionStart, selectionEnd, scrollTop } = area;
    area.value = book.text;
    area.setSelectionRange(selectionStart, selectionEnd);
    area.scrollTop = scrollTop;
  }
  base = book.version;
  area.number();
}

/** Move the cursor to a line. */
export function showLine(line) {
  const start = area.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  area.focus();
  area.setSelectionRange(start, start);
  area.scrollTop = Math.max(0, (line - 6) * 20);
}
