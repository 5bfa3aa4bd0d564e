// The dialog of one puzzle: its facts, answer and steps, and swapping it for another one.

import { ask, drawing, svgOf } from "./api.mjs";
import { addressOf, book, edit, valueAt } from "./book.mjs";
import { button, byId, el, factList, openDialog, refill, say, toast } from "./dom.mjs";

const before = new Map(); // the original boards of swapped puzzles, by book and number
let shown = { number: 0, which: 0 };

const keyOf = (number) => `${book.file} ${number}`;

const replacementOf = (number) => Number(valueAt(["replace", String(number)]) ?? 0);

export async function openPuzzle(number, isAgain = false) {
  const own = shown = { number, which: replacementOf(number) }, { file } = book;
  let facts;
  try {
    facts = await ask("puzzle", { file, number });
  } catch (error) {
    if (isAgain) own.which = null; // the new puzzle is not made yet
    else { shown = { number: 0, which: 0 }; toast(error.message); }
    return;
  }
  if (shown !== own || file !== book.file) return; // the dialog was closed, or another puzzle was opened
  const rows = [["name", facts.name], ["difficulty", facts.difficulty], ["size", facts.size], ["fingerprint", facts.fingerprint], ["ledger", facts.ledger]];
  const old = before.get(keyOf(number)), board = svgOf(facts.svg);
  const draw = async (place, what) => {
    const drawn = await drawing({ file: book.file, what, number });
    if (drawn && shown.number === number) refill(byId(place), drawn);
  };
  const turn = ({ currentTarget }) => {
    const isAnswer = currentTarget.textContent === say("showAnswer");
    currentTarget.textContent = say(isAnswer ? "hideAnswer" : "showAnswer");
    draw("board-now", isAnswer ? "answer" : "board");
  };
  openDialog(say("puzzle", { number }),
    el("div.compare",
      old && el("figure", old.cloneNode(true), el("figcaption", say("before"))),
      el("figure", el("div", { id: "board-now" }, board), el("figcaption", old ? say("now") : "")),
      factList(rows)),
    el("div.tools",
      button("showAnswer", turn),
      el("a.button", { href: addressOf("play", { number }), target: "_blank", rel: "noopener" }, say("play")),
      button("showSteps", () => draw("steps", "steps")),
      !facts.given && button("another", () => { byId("making").textContent = say("anotherWait"); replaceBy(number, own.which + 1, svgOf(facts.svg)); }, { class: "chief" }),
      own.which && button("backAgain", () => replaceBy(number, 0, null))),
    el("p.meaning", { role: "status", id: "making" }), el("div.solve", { id: "steps" }))
    .onclose = () => { shown = { number: 0, which: 0 }; };
}

async function replaceBy(number, which, board) {
  if (board && !before.has(keyOf(number))) before.set(keyOf(number), board);
  if (!which) before.delete(keyOf(number));
  await edit(which ? "set" : "unset", ["replace", String(number)], which ? String(which) : undefined);
}

export function refreshPuzzle() {
  if (byId("dialog").open && shown.number && shown.which !== replacementOf(shown.number)) openPuzzle(shown.number, true);
}
